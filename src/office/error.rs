//! What can go wrong in the office, and what that means to whoever called.

use crate::{bug::Bug, misuse::Misuse};
use postrider_journal::{Fault, FileFault, SecretsFault, WriteFault};
use postrider_letters::{Failed, LetterError};
use postrider_mail::{LookupFault, MaildirFault};
use postrider_replay::{CatalogFault, CheckpointError, LiveFault, ReplayFault, TermsError};
use postrider_store::StoreError;
use postrider_table::{Rejected, SetupFault};
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
    /// The journal is not the one that was worked on: an older copy, or a changed one.
    #[error(
        "the journal of {game} is not the one that was worked on: {}. Nothing was done. Put the newer journal back; if it is lost, \
         `postrider recover {game}` has the game go on from here, with fresh chains, and tells all players",
        other_journal(*lines, *known, *changed)
    )]
    OlderJournal {
        /// The game.
        game: String,
        /// How many lines there are.
        lines: u64,
        /// n of the newest line that is known to have been there and is not.
        known: u64,
        /// Whether another line stands in its place.
        changed: bool,
    },
    /// Not all that is kept beside a journal can be read.
    #[error(
        "what is kept of {game} is damaged: {what}. Nothing was done. Put a whole copy of its file in secrets/ back; \
         `postrider doctor` says what is wrong with it"
    )]
    DamagedSecrets {
        /// The game.
        game: String,
        /// The first thing that cannot be read.
        what: String,
    },
    /// The journal names another key than the service has.
    #[error(
        "the journal of {game} names another key than this service has, so letters about it would prove nothing. Nothing was \
         done. Put the service's own secrets back, or have the host who opened the game go on with it"
    )]
    OtherKey {
        /// The game.
        game: String,
    },
    /// A line that was to be written contradicts the journal.
    #[error(
        "nothing was done: what would have been written contradicts the journal ({0}). The secrets of the game are damaged, or \
         those of another game: put a whole copy of its file in secrets/ back"
    )]
    FalseLine(Box<Fault>),
    /// Whether a mail is signed hangs on a record that cannot be looked up for now.
    #[error("whether a mail is signed cannot be told for now, so it is kept to be tried again: {0}")]
    Lookup(#[from] LookupFault),
    /// A fault of this program.
    #[error("a fault of this program: {0}")]
    Bug(#[from] Bug),
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

    /// The error of the program; a refusal is none.
    pub fn only_errors(self) -> Result<(), OfficeError> {
        match self {
            NotDone::Refused(_) => Ok(()),
            NotDone::Error(why) => Err(why),
        }
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

/// What is wrong with a journal that is not the one that was worked on.
fn other_journal(lines: u64, known: u64, changed: bool) -> String {
    match changed {
        true => format!("its entry {known} is not the one that players were told of"),
        false => format!("it ends with entry {}, and entry {known} was there before", lines.saturating_sub(1)),
    }
}

impl OfficeError {
    /// Whether it is about one game alone, whose files are not as they should be, or about one mail that has to wait: other games go on,
    /// and mails for this one are kept.
    #[must_use]
    pub fn is_of_one_game(&self) -> bool {
        matches!(
            self,
            OfficeError::Replay(_)
                | OfficeError::Catalog(_)
                | OfficeError::OlderJournal { .. }
                | OfficeError::DamagedSecrets { .. }
                | OfficeError::OtherKey { .. }
                | OfficeError::FalseLine(_)
                | OfficeError::Lookup(_)
                | OfficeError::Store(
                    StoreError::LeaseLost { .. }
                        | StoreError::Unopened { .. }
                        | StoreError::Secrets(SecretsFault::Damaged { .. })
                        | StoreError::Journal(
                            FileFault::Damaged { .. } | FileFault::NotNext { .. } | FileFault::Locked { .. }
                        )
                )
        )
    }

    /// Whether one mail is to blame, or the rules over that mail: it is tried once more and then put aside, since it would fail for
    /// ever.
    #[must_use]
    pub fn is_of_one_mail(&self) -> bool {
        matches!(
            self,
            OfficeError::Store(StoreError::Compose(_))
                | OfficeError::Rules(_)
                | OfficeError::Live(_)
                | OfficeError::Write(_)
                | OfficeError::Bug(_)
        )
    }

    /// Whether a write or sync failed, so that nobody knows what is on disk: the program must end without doing anything else.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        matches!(self, OfficeError::Store(why) if why.is_fatal())
    }
}
