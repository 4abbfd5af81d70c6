//! What can go wrong in the office, and what that means to whoever called.

use crate::{
    journal::{FileFault, SecretsFault, WriteFault},
    letters::LetterError,
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
    #[error("{0}")]
    Use(String),
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
    /// The system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The journal could not be read or written.
    #[error(transparent)]
    Journal(#[from] FileFault),
    /// The secrets could not be read or written.
    #[error(transparent)]
    Secrets(#[from] SecretsFault),
    /// A mail could not be stored.
    #[error(transparent)]
    Maildir(#[from] MaildirFault),
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

impl OfficeError {
    /// Whether a write or sync failed, so that nobody knows what is on disk: the program must end without doing anything else.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        match self {
            OfficeError::Journal(why) | OfficeError::Store(StoreError::Journal(why)) => {
                matches!(why, FileFault::Fatal { .. })
            }
            OfficeError::Secrets(why) | OfficeError::Store(StoreError::Secrets(why)) => {
                matches!(why, SecretsFault::Fatal { .. })
            }
            _ => false,
        }
    }

    /// The exit status that says so, as in `sysexits.h`.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            OfficeError::Use(_) | OfficeError::Setup(_) | OfficeError::Checkpoint(_) | OfficeError::Terms(_) => 64,
            OfficeError::Store(StoreError::Zone { .. }) => 64,
            OfficeError::NoGame(_) => 66,
            OfficeError::Io(why) | OfficeError::Store(StoreError::Io(why)) if why.kind() == io::ErrorKind::NotFound => {
                66
            }
            OfficeError::Replay(_) | OfficeError::Catalog(_) => 65,
            OfficeError::Journal(FileFault::Locked { .. })
            | OfficeError::Store(StoreError::Journal(FileFault::Locked { .. }) | StoreError::Send(_)) => 75,
            OfficeError::Store(StoreError::NoSettings { .. } | StoreError::Settings { .. })
            | OfficeError::Letter(LetterError::Template { .. }) => 78,
            OfficeError::Store(StoreError::Compose(_) | StoreError::ReadOnly | StoreError::Json(_)) => 70,
            OfficeError::Letter(LetterError::Json(_) | LetterError::Rules(_)) => 70,
            OfficeError::Io(_) | OfficeError::Journal(_) | OfficeError::Secrets(_) | OfficeError::Maildir(_) => 74,
            OfficeError::Store(_) | OfficeError::Letter(LetterError::Io(_)) => 74,
            OfficeError::Live(_) | OfficeError::Rules(_) | OfficeError::Write(_) | OfficeError::Bug(_) => 70,
        }
    }
}
