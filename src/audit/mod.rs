//! What a journal proves: to a player who doubts it, and to the director who must settle it.
//!
//! [`verify()`] goes through a journal from its first line to the grade of every claim; [`Evidence`] is what saved mails say
//! of it, [`compare`] holds two copies against each other, a [`Bundle`] packs everything that somebody else needs to
//! check it all again.

mod bundle;
mod compare;
mod disclosed;
pub mod evidence;
mod receipts;
mod report;
#[cfg(test)]
pub(crate) mod tests;
pub mod verify;

pub use self::{
    bundle::{Ancestor, Bundle},
    compare::{Comparison, Relation, Side, Signed, compare},
    disclosed::Disclosed,
    evidence::{Evidence, Hand, HeldCard, Receipt},
    receipts::{CardStanding, Judged, JudgedCard, JudgedReceipt, Standing},
    report::{Claim, Contradiction, Grade, Report},
    verify::{verify, verify_with},
};
