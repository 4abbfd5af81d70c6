//! The record of a game: append-only, hash-chained, canonical, and checkable by anybody.
//!
//! `docs/journal-format.md` is the contract that this floor keeps. A [`Writer`] turns a [`Body`] into the next line, a
//! [`JournalFile`] makes lines safe on disk, [`Lines`] reads them back, a [`Checker`] proves them, and [`SecretsFile`]
//! keeps what no journal may hold. Of the rules of any game this floor knows nothing, nor of clocks or randomness:
//! times and random bytes are passed in.
//!
//! ```
//! use postrider::{dice::Hash, journal::{Body, Checker, Claims, Json, Line, Opened, Ruleset, Writer}};
//!
//! let opened = Body::Opened(Opened {
//!     ruleset: Ruleset { name: "geronimo".into(), version: 1, components: Hash::ZERO },
//!     scenario: "campaign".into(),
//!     options: Json::empty(),
//!     seats: vec!["red".into(), "blue".into()],
//!     operator_seats: vec![],
//!     chains: [("dice".into(), Hash::ZERO)].into(),
//!     clock: Json::empty(),
//!     key: Hash::ZERO,
//!     parent: None,
//! });
//! let line = Writer::new("my-game")?.line("2026-01-02T03:04:05Z", &opened)?;
//!
//! let mut checker = Checker::new();
//! let checked = checker.feed(line.trim_end().as_bytes())?;
//! assert_eq!((checked.line.kind, checked.line.n), ("opened", 0));
//! assert!(matches!(checked.body, Body::Opened(_)));
//! let claims: Claims = checker.finish();
//! assert_eq!(claims.lines, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body;
mod canon;
mod check;
mod commit;
mod decks;
mod entry;
mod file;
mod lines;
mod receipt;
mod secrets;
mod writer;

pub use body::{
    Body, BodyFault, Clock, ClockEvent, Closed, Dealt, Decision, Joined, Json, Opened, Parent, Reseated, Revealed,
    Rewound, Roll, Rolled, Round, Ruleset, Ruling, Sealed, ShapeFault, Shown, Shuffled, Started, Text, Unsealed, Via,
};
pub use canon::{CanonFault, CanonWrong, MAX_DEPTH, MAX_INTEGER, check, to_canon};
pub use check::{Checked, Checker, Claim, Claims, Fault, Step, Unproved, Wrong};
pub use commit::{address_commitment, luck_digest, sealed_commitment, state_digest};
pub use entry::{Line, LineFault, MAX_LINE, is_game_id, is_name, is_timestamp};
pub use file::{FileFault, JournalFile};
pub use lines::{Lines, LinesFault};
pub use receipt::{Head, ReceiptFault, ReceiptKey, verify_receipt};
pub use secrets::{Secret, SecretsFault, SecretsFile};
pub use writer::{WriteFault, Writer};
