//! Errors of the command line, with hints.

use postrider_demo::DemoError;
use postrider_letters::LetterError;
use postrider_office::OfficeError;
use postrider_orders::{list_and, list_or, visible};
use postrider_replay::{CheckpointError, ReplayFault, TermsError};
use postrider_serve::ServeError;
use postrider_store::StoreError;
use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
};

/// The reasons why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// There is no such file or game of this host.
    #[error("{}", no_game(game, path, like))]
    NoGame {
        /// The argument.
        game: String,
        /// The path where the game would be.
        path: PathBuf,
        /// The games that could be meant.
        like: Vec<String>,
    },
    /// A file is not a journal.
    #[error(
        "{} is not a journal: {what}. A journal consists of lines of JSON; the first begins with \
         {{\"at\":\"…\",\"body\":{{ and is of the kind \"opened\"", path.display()
    )]
    NoJournal {
        /// The file.
        path: PathBuf,
        /// A description of what it is instead.
        what: String,
    },
    /// No folder is named, and the current one does not belong to a host.
    #[error("no folder is named, and {} is not a host's folder; nothing was written there", place.display())]
    NoFolder {
        /// The current folder.
        place: PathBuf,
    },
    /// An argument is invalid.
    #[error("{0}")]
    Usage(String),
    /// An error of the operating system.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The journal cannot be replayed.
    #[error("{0}")]
    Replay(#[from] ReplayFault),
    /// A given file cannot be used.
    #[error("{0}")]
    Data(String),
    /// The rules or this program failed.
    #[error("{0}")]
    Broken(String),
    /// An error of the office.
    #[error(transparent)]
    Office(#[from] OfficeError),
    /// A demonstration failed, through a fault of this program.
    #[error("{0}")]
    Demo(DemoError),
    /// The folder cannot be served.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// A mail cannot be processed for now.
    #[error("{0}")]
    TryAgain(OfficeError),
}

/// Converts errors of the layers below the office to errors of the office, so that they have the
/// same wording wherever they occur.
macro_rules! as_the_office_has_it {
    ($($error:ty),+) => {
        $(impl From<$error> for CliError {
            fn from(why: $error) -> Self {
                CliError::Office(why.into())
            }
        })+
    };
}
as_the_office_has_it!(CheckpointError, LetterError, StoreError, TermsError);

impl From<DemoError> for CliError {
    fn from(why: DemoError) -> Self {
        match why {
            DemoError::Office(why) => CliError::Office(why),
            why => CliError::Demo(why),
        }
    }
}

fn no_game(game: &str, path: &Path, like: &[String]) -> String {
    match like {
        [] => format!("there is no game \"{game}\" ({} does not exist)", path.display()),
        [.., last] if last.starts_with(game) => format!("several games begin with \"{game}\": {}", list_and(like)),
        like => format!("there is no game \"{game}\"; did you mean {}?", list_or(like)),
    }
}

impl CliError {
    /// Returns advice on what to try next, if any.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        use postrider_replay::CatalogFault;
        Some(match self {
            CliError::NoGame { .. } => {
                "`postrider status` lists the games of a host; --root or POSTRIDER_ROOT names its folder"
            }
            CliError::NoFolder { .. } => {
                "--root FOLDER or POSTRIDER_ROOT names the host's folder; `postrider --root table init` creates one"
            }
            CliError::Office(OfficeError::Store(StoreError::NoHost { .. })) => {
                "--root or POSTRIDER_ROOT names the host's folder; by default it is the current one. `postrider --root table init` creates one"
            }
            CliError::Replay(ReplayFault::Journal(_) | ReplayFault::Differs { .. }) => {
                "`postrider verify` reports the damage in detail"
            }
            CliError::Replay(ReplayFault::Catalog(CatalogFault::NoComponents(_))) => {
                "an owner's component file belongs in components/ of the host's folder; `verify` takes it by --components"
            }
            CliError::Replay(ReplayFault::Catalog(CatalogFault::NoVersion { .. } | CatalogFault::NoRuleset(_))) => {
                "`postrider games` lists the games of this release; a newer release may have more"
            }
            _ => return None,
        })
    }
}

/// Reports an error on standard error.
pub(super) fn report(why: &CliError) {
    let word = if io::stderr().is_terminal() { "\x1b[1;31merror\x1b[0m" } else { "error" };
    eprintln!("{word}: {}", visible(&why.to_string()));
    if let Some(hint) = why.hint() {
        eprintln!("hint: {hint}");
    }
}
