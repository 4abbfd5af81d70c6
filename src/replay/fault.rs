//! Why a journal cannot be replayed.

use super::{catalog::CatalogFault, step::Difference};
use postrider_journal::{Fault, LinesFault};
use std::io;

/// Why a game cannot be rebuilt.
#[derive(Debug, thiserror::Error)]
pub enum ReplayFault {
    /// The file cannot be opened or read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A line cannot be read: too long, or torn.
    #[error("{0}")]
    Lines(#[from] LinesFault),
    /// The journal contradicts itself (steps 1 to 7 of section 9).
    #[error("{0}")]
    Journal(Box<Fault>),
    /// A line that was read before cannot be read again.
    #[error("a line of the journal cannot be read again: {0}")]
    Unread(String),
    /// The journal has no line.
    #[error("the journal is empty")]
    Empty,
    /// The rules or the components are not at hand.
    #[error("{0}")]
    Catalog(#[from] CatalogFault),
    /// The step of line `n` needs the order of a deck that is not revealed yet, and the operator's secrets are not at hand.
    #[error("entry {n}: the order of the deck \"{deck}\", epoch {epoch}, is not revealed yet")]
    Hidden {
        /// n of the line whose step shuffles.
        n: u64,
        /// The deck.
        deck: String,
        /// Which shuffle of it.
        epoch: u64,
    },
    /// The rules do something else than the journal says (step 8).
    #[error("entry {n}: {what}")]
    Differs {
        /// The first line that is wrong.
        n: u64,
        /// n of the decision whose step it belongs to.
        cause: u64,
        /// What is wrong.
        what: Box<Difference>,
    },
    /// The last step is not whole: the append was broken off. Lines from `from` on must be cut off and the decision taken
    /// again.
    #[error("the last step, from entry {from} on, is not whole: {missing}")]
    Incomplete {
        /// n of the first line to cut off.
        from: u64,
        /// What comes next in the step.
        missing: String,
    },
    /// What a fork goes on with is not at hand, or not yet public.
    #[error("the journal of the game {game}, from which this one goes on, {why}")]
    Parent {
        /// The parent.
        game: String,
        /// What is wrong with it.
        why: String,
    },
    /// The secrets given are not those of this journal.
    #[error("the secrets of chain {0} are missing or are not those of this journal")]
    Secrets(String),
}
