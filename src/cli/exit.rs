//! Exit statuses, as in sysexits(3). They are defined only here.

use super::CliError;
use postrider_journal::FileFault;
use postrider_letters::LetterError;
use postrider_office::OfficeError;
use postrider_replay::ReplayFault;
use postrider_serve::ServeError;
use postrider_store::StoreError;
use std::io;

/// The rules refused an order, or a line was not understood.
pub(super) const REFUSED: u8 = 1;
/// Invalid use (EX_USAGE).
pub(super) const USAGE: u8 = 64;
/// Invalid data (EX_DATAERR).
pub(super) const DATA: u8 = 65;
/// A file does not exist (EX_NOINPUT).
const NO_INPUT: u8 = 66;
/// A fault of this program (EX_SOFTWARE).
const SOFTWARE: u8 = 70;
/// Reading or writing failed (EX_IOERR).
pub(super) const IO: u8 = 74;
/// A temporary failure: the mail system or other caller should try again later (EX_TEMPFAIL).
pub(super) const TRY_AGAIN: u8 = 75;
/// Invalid settings (EX_CONFIG).
const CONFIG: u8 = 78;

impl CliError {
    /// Returns the exit status for this error.
    #[must_use]
    pub fn status(&self) -> u8 {
        match self {
            CliError::Usage(_) | CliError::NoFolder { .. } => USAGE,
            CliError::NoGame { .. } => NO_INPUT,
            CliError::Io(why) => of_io(why),
            CliError::Replay(ReplayFault::Io(_)) => IO,
            CliError::Replay(_) | CliError::Data(_) | CliError::NoJournal { .. } => DATA,
            CliError::Broken(_) | CliError::Demo(_) => SOFTWARE,
            CliError::Office(why) => of_office(why),
            CliError::Serve(ServeError::Office(why)) => of_office(why),
            CliError::Serve(ServeError::Io(why)) => of_io(why),
            CliError::Serve(ServeError::Listen { .. } | ServeError::Certificates { .. } | ServeError::Trial(_)) => {
                CONFIG
            }
            CliError::Serve(ServeError::Broken(_)) => SOFTWARE,
            CliError::TryAgain(_) => TRY_AGAIN,
        }
    }
}

/// Returns the exit status for an error of the office.
pub(super) fn of_office(why: &OfficeError) -> u8 {
    match why {
        OfficeError::Use(_) | OfficeError::Setup(_) | OfficeError::Checkpoint(_) | OfficeError::Terms(_) => USAGE,
        OfficeError::NoGame(_) => NO_INPUT,
        OfficeError::Replay(_)
        | OfficeError::Catalog(_)
        | OfficeError::OlderJournal { .. }
        | OfficeError::DamagedSecrets { .. }
        | OfficeError::KeyMissing { .. }
        | OfficeError::OtherKey { .. }
        | OfficeError::FalseLine(_) => DATA,
        OfficeError::Lookup { .. } => TRY_AGAIN,
        OfficeError::Store(why) => of_store(why),
        OfficeError::Letter(LetterError::Template { .. }) => CONFIG,
        OfficeError::Letter(LetterError::Io(_)) => IO,
        OfficeError::Letter(LetterError::Json(_) | LetterError::Rules(_)) => SOFTWARE,
        OfficeError::Page(_)
        | OfficeError::Live(_)
        | OfficeError::Rules(_)
        | OfficeError::Write(_)
        | OfficeError::Bug(_) => SOFTWARE,
    }
}

fn of_store(why: &StoreError) -> u8 {
    match why {
        StoreError::Zone { .. } | StoreError::WrongRole { .. } => USAGE,
        StoreError::NoHost { .. } | StoreError::NoSecrets { .. } => NO_INPUT,
        StoreError::Io(why) => of_io(why),
        StoreError::Journal(FileFault::Locked { .. })
        | StoreError::Send(_)
        | StoreError::Served { .. }
        | StoreError::Database { .. }
        | StoreError::Unsafe { .. }
        | StoreError::LeaseLost { .. } => TRY_AGAIN,
        StoreError::NoSettings { .. }
        | StoreError::Settings { .. }
        | StoreError::Unprepared { .. }
        | StoreError::OtherHost { .. } => CONFIG,
        StoreError::Unopened { .. } | StoreError::NoCopy { .. } | StoreError::Backup { .. } => DATA,
        StoreError::Compose(_) | StoreError::ReadOnly | StoreError::Json(_) => SOFTWARE,
        StoreError::Exists { .. } | StoreError::Journal(_) | StoreError::Secrets(_) | StoreError::Maildir(_) => IO,
    }
}

fn of_io(why: &io::Error) -> u8 {
    match why.kind() {
        io::ErrorKind::NotFound => NO_INPUT,
        io::ErrorKind::InvalidData => DATA,
        _ => IO,
    }
}
