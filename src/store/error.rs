//! What can go wrong where games are kept.

use postrider_journal::{FileFault, SecretsFault};
use postrider_mail::{ComposeFault, MaildirFault};
use postrider_wire::SendFault;
use std::{
    io,
    path::{Path, PathBuf},
};

/// Why a host's folder or something in it could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no host's folder there.
    #[error("{why}")]
    NoHost {
        /// What is there instead.
        why: String,
    },
    /// There is no settings file that can be read.
    #[error("{error}\n`postrider new` and `postrider demo` make a folder for a host")]
    NoSettings {
        /// What the system says, with the file's name.
        error: io::Error,
    },
    /// The settings file makes no sense.
    #[error("{}: {why}", path.display())]
    Settings {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// A name that is not in the IANA database of time zones.
    #[error("\"{name}\" is no time zone; they are named like America/Denver")]
    Zone {
        /// The name as given.
        name: String,
    },
    /// A game of this id has a journal already.
    #[error("there is a game \"{game}\" already")]
    Exists {
        /// The id.
        game: String,
    },
    /// Another process serves this folder.
    #[error("{}", served(*pid, path))]
    Served {
        /// Its lock.
        path: PathBuf,
        /// The process, where it has written down which it is.
        pid: Option<u32>,
    },
    /// A game that was opened for looking at cannot be changed.
    #[error("a game that is only looked at cannot be changed")]
    ReadOnly,
    /// The system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The journal could not be read or written.
    #[error(transparent)]
    Journal(#[from] FileFault),
    /// The secrets could not be read or written.
    #[error(transparent)]
    Secrets(#[from] SecretsFault),
    /// A secret cannot be spelt as JSON.
    #[error("a secret cannot be written: {0}")]
    Json(#[from] serde_json::Error),
    /// The database could not be reached, or refused.
    #[error("the database {place}: {why}")]
    Database {
        /// Where it is.
        place: String,
        /// What it said.
        why: String,
    },
    /// The database may lose what it has confirmed.
    #[error("the database {place} is not safe enough: {why}")]
    Unsafe {
        /// Where it is.
        place: String,
        /// What is wrong, and what would be right.
        why: String,
    },
    /// The database has not the tables of this release.
    #[error("{}", unprepared(place, *found, *newest))]
    Unprepared {
        /// Where it is.
        place: String,
        /// The form of its tables; 0 where there are none.
        found: i64,
        /// The newest form that this release knows.
        newest: i64,
    },
    /// The database is sealed with the key of another host, or this one has no key.
    #[error(
        "the database {place} belongs to another key than {} holds, which opens nothing there. Every folder that works with it \
         needs the same key: copy that file from the first one, or from a backup",
        path.display()
    )]
    OtherHost {
        /// Where it is.
        place: String,
        /// The file of the key.
        path: PathBuf,
    },
    /// The lease on a game was taken over by another process before what was done could be written.
    #[error("another process has taken {game} over, so nothing was done; try again")]
    LeaseLost {
        /// The game.
        game: String,
    },
    /// Something cannot be copied to another store as it is.
    #[error("{what} was not copied: {why}")]
    NoCopy {
        /// What it is.
        what: String,
        /// Why.
        why: String,
    },
    /// Something sealed does not open with the host's key.
    #[error("{place} does not open with this host's key: it was changed, or sealed with another")]
    Unopened {
        /// What it is.
        place: String,
    },
    /// A mail could not be stored.
    #[error(transparent)]
    Maildir(#[from] MaildirFault),
    /// A mail could not be written.
    #[error("a mail could not be written: {0}")]
    Compose(#[from] ComposeFault),
    /// A mail could not be sent.
    #[error(transparent)]
    Send(#[from] SendFault),
}

fn unprepared(place: &str, found: i64, newest: i64) -> String {
    match found {
        0 => format!(
            "the database {place} has no tables of Postrider: `postrider store prepare ADDRESS` makes them, with the address of the \
             role that is to own them"
        ),
        _ if found < newest => format!(
            "the tables of the database {place} are of form {found}, and this release works with form {newest}: `postrider store \
             prepare ADDRESS` brings them up to date, with the address of the role that owns them"
        ),
        _ => format!(
            "the tables of the database {place} are of form {found}, which a newer release has made; this one knows {newest}: use \
             the newer one"
        ),
    }
}

fn served(pid: Option<u32>, path: &Path) -> String {
    let who = pid.map_or_else(|| "another process".to_owned(), |pid| format!("process {pid}"));
    format!("{who} serves this folder already (it holds {}); one is enough, end it first", path.display())
}

impl StoreError {
    /// Whether a write or sync failed, so that nobody knows what is kept: the program must end without doing anything else.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        match self {
            StoreError::Journal(why) => matches!(why, FileFault::Fatal { .. }),
            StoreError::Secrets(why) => matches!(why, SecretsFault::Fatal { .. }),
            _ => false,
        }
    }
}
