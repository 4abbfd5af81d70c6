//! What can go wrong in the office that neither a command, nor a mail, nor a file is to blame for.

use postrider_dice::HashFault;
use postrider_journal::CanonFault;

/// A fault of this program, or of what it stands on, with the place where it came up.
#[derive(Debug, thiserror::Error)]
pub enum Bug {
    /// The system has no random bytes to give.
    #[error("the system gives no randomness: {why}")]
    NoRandomness {
        /// What the system says.
        why: getrandom::Error,
    },
    /// A value of ours has no form as JSON.
    #[error("{what} cannot be written as JSON: {why}")]
    NotJson {
        /// What it is.
        what: &'static str,
        /// Where it fails.
        why: serde_json::Error,
    },
    /// A value of ours has no canonical form, so a journal cannot hold it.
    #[error("{what} has no canonical form: {why}")]
    NotCanonical {
        /// What it is.
        what: &'static str,
        /// Where it fails.
        why: CanonFault,
    },
    /// A hash that was made here is written as none.
    #[error("\"{text}\" was to be the hash of a mail: {why}")]
    NotAHash {
        /// The text.
        text: String,
        /// What is wrong with it.
        why: HashFault,
    },
    /// No chain of seeds can be made under this name.
    #[error("no chain of {game} is called \"{label}\"")]
    NoChain {
        /// The game.
        game: String,
        /// The chain's name: that of the dice, or of a deck.
        label: String,
    },
    /// What a line sealed is not kept any more.
    #[error("{game}: the content of the sealed line {n} is missing")]
    NoContent {
        /// The game.
        game: String,
        /// The line.
        n: u64,
    },
    /// The rules broke down while they worked.
    #[error("the rules of {game} broke down; it is rebuilt when it is next opened")]
    RulesBrokeDown {
        /// The game.
        game: String,
    },
}
