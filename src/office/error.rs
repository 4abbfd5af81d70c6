//! What can go wrong in the office, and what that means to whoever called.

use super::misuse::Misuse;
use crate::{
    journal::{FileFault, SecretsFault, WriteFault},
    letters::{Failed, LetterError},
    mail::MaildirFault,
    replay::{CatalogFault, CheckpointError, LiveFault, ReplayFault, TermsError},
    store::StoreError,
    table::{Rejected, SetupFault},
};
use std::io;

/// Why the office could not do what it was asked to. Nothing is lost by any of these: what was decided is in the journal,
/// what was not can be asked again.
#[derive(Debug, thiserror::Error)]
pub enum OfficeError {
    /// The command makes no sense.
    #[error(transparent)]
    Use(#[from] Misuse),
    /// There is no such game.
    #[error("there is no game \"{0}\" here")]
    NoGame(String),
    /// What is kept of a game could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A letter could not be written.
    #[error(transparent)]
    Letter(#[from] LetterError),
    /// There is no such point in a game.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A time for an answer that is none.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// The game cannot be set up so.
    #[error(transparent)]
    Setup(#[from] SetupFault),
    /// The rules or component files for a journal are not at hand.
    #[error(transparent)]
    Catalog(#[from] CatalogFault),
    /// The journal cannot be replayed.
    #[error("the game cannot be rebuilt from its journal: {0}")]
    Replay(#[from] ReplayFault),
    /// The rules cannot go on.
    #[error(transparent)]
    Live(#[from] LiveFault),
    /// The rules cannot be asked.
    #[error(transparent)]
    Rules(#[from] Rejected),
    /// A line could not be made.
    #[error(transparent)]
    Write(#[from] WriteFault),
    /// A fault of this program.
    #[error("a fault of this program: {0}")]
    Bug(String),
}

/// Why a line of a mail was not carried out.
#[derive(Debug)]
pub(crate) enum NotDone {
    /// It makes no sense or is not allowed: its writer is told why, and nothing has changed. Without words that are pointed at
    /// the whole line is meant.
    Refused(Failed),
    /// The office could not go on.
    Error(OfficeError),
}

impl NotDone {
    /// A line that is refused as a whole.
    pub fn why(why: impl Into<String>) -> NotDone {
        NotDone::Refused(Failed { pointed: Vec::new(), why: why.into() })
    }
}

impl<E: Into<OfficeError>> From<E> for NotDone {
    fn from(why: E) -> Self {
        NotDone::Error(why.into())
    }
}

/// What files say is the store's to tell, whoever opened them.
macro_rules! as_the_store_has_it {
    ($($error:ty),+) => {
        $(impl From<$error> for OfficeError {
            fn from(why: $error) -> Self {
                OfficeError::Store(why.into())
            }
        })+
    };
}
as_the_store_has_it!(io::Error, FileFault, SecretsFault, MaildirFault);

impl OfficeError {
    /// Whether a write or sync failed, so that nobody knows what is on disk: the program must end without doing anything else.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        matches!(self, OfficeError::Store(why) if why.is_fatal())
    }
}
