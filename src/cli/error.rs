//! Everything that can go wrong on the command line, with hints.

use postrider_demo::DemoError;
use postrider_letters::LetterError;
use postrider_office::OfficeError;
use postrider_orders::visible;
use postrider_replay::{CheckpointError, ReplayFault, TermsError};
use postrider_serve::ServeError;
use postrider_store::StoreError;
use std::{
    io::{self, IsTerminal},
    path::PathBuf,
};

/// Why a command did not do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// Neither a file nor a game of this host.
    #[error("there is no game \"{game}\" ({} does not exist)", path.display())]
    NoGame {
        /// What was asked for.
        game: String,
        /// Where it would be.
        path: PathBuf,
    },
    /// A file that is no journal.
    #[error(
        "{} is no journal: {what}. A journal is a text of lines in JSON; its first line begins with {{\"at\":\"…\",\"body\":{{ and is of the \
         kind \"opened\"", path.display()
    )]
    NoJournal {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        what: String,
    },
    /// An argument makes no sense.
    #[error("{0}")]
    Usage(String),
    /// The system refused.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The journal cannot be replayed.
    #[error("{0}")]
    Replay(#[from] ReplayFault),
    /// A file that was given cannot be used.
    #[error("{0}")]
    Data(String),
    /// The rules or this program broke.
    #[error("{0}")]
    Broken(String),
    /// The office could not do it.
    #[error(transparent)]
    Office(#[from] OfficeError),
    /// A demonstration broke off, by a fault of this program.
    #[error("{0}")]
    Demo(DemoError),
    /// The folder cannot be served.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// A mail could not be taken in for now.
    #[error("{0}")]
    TryAgain(OfficeError),
}

/// What the layers below the office say reads the same whether it comes through the office or not.
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

impl CliError {
    /// What to try next, where there is something.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        use postrider_replay::CatalogFault;
        Some(match self {
            CliError::NoGame { .. } => {
                "`postrider status` lists the games of this host; --root or POSTRIDER_ROOT names its folder"
            }
            CliError::Office(OfficeError::Store(StoreError::NoHost { .. })) => {
                "--root or POSTRIDER_ROOT names the host's folder, else it is the current one; `postrider init` or `postrider new` makes one"
            }
            CliError::Replay(ReplayFault::Journal(_) | ReplayFault::Differs { .. }) => {
                "`postrider verify` says more about it"
            }
            CliError::Replay(ReplayFault::Catalog(CatalogFault::NoComponents(_))) => {
                "an owner's component file belongs into components/ of the host's folder; `verify` takes it by --components"
            }
            CliError::Replay(ReplayFault::Catalog(CatalogFault::NoVersion { .. } | CatalogFault::NoRuleset(_))) => {
                "`postrider games` lists what this release can play; a newer release may know more"
            }
            _ => return None,
        })
    }
}

/// Tells the person at the terminal.
pub(super) fn report(why: &CliError) {
    let word = if io::stderr().is_terminal() { "\x1b[1;31merror\x1b[0m" } else { "error" };
    eprintln!("{word}: {}", visible(&why.to_string()));
    if let Some(hint) = why.hint() {
        eprintln!("hint: {hint}");
    }
}
