//! Internal errors: faults that no command, mail or file causes.

use postrider_dice::HashFault;
use postrider_journal::CanonFault;

/// A fault of this program or of the system below it.
#[derive(Debug, thiserror::Error)]
pub enum Bug {
    /// The system provides no random bytes.
    #[error("the system gives no randomness: {why}")]
    NoRandomness {
        /// The system's error.
        why: getrandom::Error,
    },
    /// One of our values cannot be serialized as JSON.
    #[error("{what} cannot be written as JSON: {why}")]
    NotJson {
        /// The kind of value.
        what: &'static str,
        /// The serializer's error.
        why: serde_json::Error,
    },
    /// One of our values has no canonical form, so a journal cannot contain it.
    #[error("{what} has no canonical form: {why}")]
    NotCanonical {
        /// The kind of value.
        what: &'static str,
        /// The reason.
        why: CanonFault,
    },
    /// A hash computed here does not parse as a hash.
    #[error("\"{text}\" was to be the hash of a mail: {why}")]
    NotAHash {
        /// The text.
        text: String,
        /// The parser's error.
        why: HashFault,
    },
    /// A seed chain cannot be made with this name.
    #[error("no chain of {game} is called \"{label}\"")]
    NoChain {
        /// The game.
        game: String,
        /// The chain's name: that of the dice or of a deck.
        label: String,
    },
    /// The rules panicked.
    #[error("the rules of {game} failed; it is rebuilt when it is next opened")]
    RulesBrokeDown {
        /// The game.
        game: String,
    },
}
