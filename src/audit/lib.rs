#![doc = include_str!("README.md")]

mod bundle;
mod claim;
mod compare;
mod disclosed;
pub mod evidence;
mod grading;
mod judged;
mod receipts;
mod report;
mod sent;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
mod times;
pub mod verify;

pub use self::{
    bundle::{Ancestor, Bundle},
    claim::{Claim, Contradiction, Grade},
    compare::{Comparison, Relation, Side, Signed, compare},
    disclosed::Disclosed,
    evidence::{Evidence, Hand, HeldCard, ReadFile, Receipt},
    judged::{CardStanding, Judged, JudgedCard, JudgedReceipt, Standing},
    report::Report,
    sent::{Deed, Sent, SentEntry, SentLines, Whose, words_of},
    verify::{verify, verify_with},
};
