//! The errors of a replay.

use super::{catalog::CatalogFault, step::Difference};
use postrider_journal::{Fault, LinesFault};
use std::io;

/// An error that prevents a game from being rebuilt.
#[derive(Debug, thiserror::Error)]
pub enum ReplayFault {
    /// The file cannot be opened or read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A line is too long or torn.
    #[error("{0}")]
    Lines(#[from] LinesFault),
    /// The journal contradicts itself (steps 1 to 7 of section 9).
    #[error("{0}")]
    Journal(Box<Fault>),
    /// A line that was read earlier cannot be read again.
    #[error("a line of the journal cannot be read again: {0}")]
    Unread(String),
    /// The journal is empty.
    #[error("the journal is empty")]
    Empty,
    /// The rules or the components are not available.
    #[error("{0}")]
    Catalog(#[from] CatalogFault),
    /// The step of line `n` needs the order of a deck that is not revealed yet, and the operator's
    /// secrets are not available.
    #[error("entry {n}: the order of the deck \"{deck}\", epoch {epoch}, is not revealed yet")]
    Hidden {
        /// The `n` of the line whose step shuffles.
        n: u64,
        /// The deck.
        deck: String,
        /// The number of the shuffle.
        epoch: u64,
    },
    /// The journal differs from what the rules do (step 8).
    #[error("entry {n}: {what}")]
    Differs {
        /// The first line that is wrong.
        n: u64,
        /// The `n` of the decision that caused the step.
        cause: u64,
        /// The difference.
        what: Box<Difference>,
    },
    /// The last step is incomplete because its append was interrupted. The lines from `from` on
    /// must be cut off and the decision must be given again.
    #[error("the last step, from entry {from} on, is incomplete: {missing}")]
    Incomplete {
        /// The `n` of the first line to cut off.
        from: u64,
        /// The missing part of the step.
        missing: String,
    },
    /// The parent of a fork is not available or not yet public.
    #[error("the journal of the game {game}, which this one continues, {why}")]
    Parent {
        /// The parent's id.
        game: String,
        /// The problem.
        why: String,
    },
    /// The secrets are missing or do not belong to this journal.
    #[error("the secrets of chain {0} are missing or are not those of this journal")]
    Secrets(String),
}
