//! The office's errors, and their meaning to callers.

use crate::{bug::Bug, misuse::Misuse};
use postrider_journal::{Fault, FileFault, SecretsFault, WriteFault};
use postrider_letters::{Failed, LetterError};
use postrider_mail::LookupFault;
use postrider_mailbox::MaildirFault;
use postrider_page::PageFault;
use postrider_replay::{CatalogFault, CheckpointError, LiveFault, ReplayFault, TermsError};
use postrider_store::StoreError;
use postrider_table::{Rejected, Seat, SetupFault};
use std::{io, path::PathBuf};

/// An error of the office. None of them loses anything: decisions that were made are in the
/// journal, and the rest can be requested again.
#[derive(Debug, thiserror::Error)]
pub enum OfficeError {
    /// The command is invalid.
    #[error(transparent)]
    Use(#[from] Misuse),
    /// There is no such game.
    #[error("there is no game \"{0}\" here")]
    NoGame(String),
    /// Stored data of a game could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A letter could not be written.
    #[error(transparent)]
    Letter(#[from] LetterError),
    /// The page of a game could not be made.
    #[error(transparent)]
    Page(#[from] PageFault),
    /// The game has no such checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The time allowed for an answer is invalid.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// The game cannot be set up with these options.
    #[error(transparent)]
    Setup(#[from] SetupFault),
    /// The rules or component files that the journal needs are not available.
    #[error(transparent)]
    Catalog(#[from] CatalogFault),
    /// The journal cannot be replayed.
    #[error("the game cannot be rebuilt from its journal: {0}")]
    Replay(#[from] ReplayFault),
    /// The running rules failed.
    #[error(transparent)]
    Live(#[from] LiveFault),
    /// The rules could not be queried.
    #[error(transparent)]
    Rules(#[from] Rejected),
    /// A journal line could not be built.
    #[error(transparent)]
    Write(#[from] WriteFault),
    /// The journal is not the one last used: it is an older copy, or was changed.
    #[error(
        "the journal of {game} is not the one that was worked on: {}. Nothing was done. Put the newer journal back; if it is lost, \
         `postrider recover {game}` has the game go on from here and tells all players",
        other_journal(*lines, *known, *changed)
    )]
    OlderJournal {
        /// The game.
        game: String,
        /// The number of lines in the journal.
        lines: u64,
        /// The `n` of the newest line that is known to have existed and is missing or different.
        known: u64,
        /// `true` if another line has its place.
        changed: bool,
    },
    /// The files next to a journal are partly unreadable.
    #[error(
        "the secrets of {game} are damaged: {what}. Nothing was done. Restore its file in secrets/ from a backup; \
         `postrider doctor` says what is wrong with it"
    )]
    DamagedSecrets {
        /// The game.
        game: String,
        /// The first part that cannot be read.
        what: String,
    },
    /// The key that signs letters is missing, although there are secrets of games.
    #[error(
        "{}, the key that signs letters, is missing, although there are secrets of games: put it back from a backup. If it is \
         lost, no game that was opened with it can go on; use another folder for new games", .path.display()
    )]
    KeyMissing {
        /// The file in which it was.
        path: PathBuf,
    },
    /// The journal names a different key than the service has.
    #[error(
        "the journal of {game} names another key than this service has, so letters about it would prove nothing. Nothing was \
         done. Put the service's own secrets back, or have the host who opened the game go on with it"
    )]
    OtherKey {
        /// The game.
        game: String,
    },
    /// A line about to be written contradicts the journal.
    #[error(
        "nothing was done: what would have been written contradicts the journal ({0}). The secrets of the game are damaged, or \
         those of another game: put a whole copy of its file in secrets/ back"
    )]
    FalseLine(Box<Fault>),
    /// A mail's signature depends on a DNS record that cannot be looked up at the moment.
    #[error("whether a mail is signed cannot be told for now, so it is kept to be tried again: {why}")]
    Lookup {
        /// The record.
        why: LookupFault,
        /// The seat of the mail's author, if it is a player's.
        seat: Option<Seat>,
    },
    /// A fault of this program.
    #[error("a fault of this program: {0}")]
    Bug(#[from] Bug),
}

/// The reason why a line of a mail was not carried out.
#[derive(Debug)]
pub(crate) enum NotDone {
    /// The line is invalid or not allowed. The sender is told why, and nothing has changed. If no
    /// words are pointed at, the reason concerns the whole line.
    Refused(Failed),
    /// The office failed.
    Error(OfficeError),
}

impl NotDone {
    /// Refuses a whole line.
    pub fn why(why: impl Into<String>) -> NotDone {
        NotDone::Refused(Failed { pointed: Vec::new(), why: why.into() })
    }

    /// Returns `Ok` for a refusal, and the error otherwise.
    pub fn only_errors(self) -> Result<(), OfficeError> {
        match self {
            NotDone::Refused(_) => Ok(()),
            NotDone::Error(why) => Err(why),
        }
    }
}

impl From<LookupFault> for OfficeError {
    fn from(why: LookupFault) -> Self {
        OfficeError::Lookup { why, seat: None }
    }
}

impl<E: Into<OfficeError>> From<E> for NotDone {
    fn from(why: E) -> Self {
        NotDone::Error(why.into())
    }
}

/// Converts errors of files to [`StoreError`]s, no matter which layer opened the file.
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

/// Describes how a journal differs from the one last used.
fn other_journal(lines: u64, known: u64, changed: bool) -> String {
    match changed {
        true => format!("its entry {known} is not the one that players were told of"),
        false => format!("it ends with entry {}, and entry {known} was there before", lines.saturating_sub(1)),
    }
}

impl OfficeError {
    /// Returns `true` if the error concerns one game with faulty files, or one mail that has to
    /// wait. Other games continue, and mails for this one are kept.
    #[must_use]
    pub fn is_of_one_game(&self) -> bool {
        matches!(
            self,
            OfficeError::Replay(_)
                | OfficeError::Catalog(_)
                | OfficeError::OlderJournal { .. }
                | OfficeError::DamagedSecrets { .. }
                | OfficeError::OtherKey { .. }
                | OfficeError::KeyMissing { .. }
                | OfficeError::FalseLine(_)
                | OfficeError::Lookup { .. }
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

    /// Returns `true` if one mail, or the rules when they read it, caused the error. Such a mail is
    /// tried once more and then put aside, because it would fail every time.
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

    /// Returns `true` if a write or sync failed, which leaves the state of the disk unknown: the
    /// program must exit without doing anything else.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        matches!(self, OfficeError::Store(why) if why.is_fatal())
    }
}
