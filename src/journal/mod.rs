#![doc = include_str!("README.md")]

mod body;
mod canon;
mod check;
mod commit;
mod entry;
mod file;
mod lines;
mod receipt;
mod secrets;
mod spelling;
mod version;
mod writer;

pub use body::{
    Body, BodyFault, Clock, ClockEvent, Closed, Dealt, Decision, Joined, Json, Opened, Parent, Press, Reseated,
    Revealed, Rewound, Roll, Rolled, Round, Ruleset, Ruling, Sealed, ShapeFault, Shown, Shuffled, Started, Text,
    Unsealed, Via,
};
pub use canon::{CanonFault, CanonWrong, MAX_DEPTH, MAX_INTEGER, check, to_canon};
pub use check::{Checked, Checker, Claim, Claims, Fault, Note, PhraseDoubt, Step, Unproved, Wrong};
pub use commit::{address_commitment, luck_digest, press_commitment, sealed_commitment, state_digest, words_digest};
pub use entry::{Line, LineFault, MAX_LINE};
pub use file::{FileFault, JournalFile, PATIENCE};
pub use lines::{Lines, LinesFault, can_be_journal};
pub use receipt::{Head, ReceiptFault, ReceiptKey, verify_receipt};
pub use secrets::{Secret, SecretsFault, SecretsFile};
pub use spelling::{entry_in_file, is_game_id, is_name, is_timestamp};
pub use version::Version;
pub use writer::{WriteFault, Writer};
