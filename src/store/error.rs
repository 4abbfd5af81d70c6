//! The errors of stores.

use postrider_journal::{FileFault, SecretsFault};
use postrider_mail::ComposeFault;
use postrider_mailbox::MaildirFault;
use postrider_wire::SendFault;
use std::{
    io,
    path::{Path, PathBuf},
};

/// An error in reading or writing a host's data.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no host's folder at the path.
    #[error("{why}")]
    NoHost {
        /// The reason.
        why: String,
    },
    /// The settings file cannot be read.
    #[error("{error}\n`postrider new` and `postrider demo` make a folder for a host")]
    NoSettings {
        /// The system's error, with the file's name.
        error: io::Error,
    },
    /// The settings file is invalid.
    #[error("{}: {why}", path.display())]
    Settings {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// The name is not in the IANA time zone database.
    #[error("\"{name}\" is not a time zone; write a name such as America/Denver")]
    Zone {
        /// The name.
        name: String,
    },
    /// There is already a game with this id.
    #[error("a game \"{game}\" already exists")]
    Exists {
        /// The id.
        game: String,
    },
    /// The folder has a game's journal and not its secrets.
    #[error(
        "{game} is here without its secrets, as a copy of another host's game: it can be looked at and verified. `postrider fork {game} \
         NEWID --at WHEN --reason TEXT --player \"NAME <ADDRESS>\"`, with a --player for each seat, goes on with it"
    )]
    NoSecrets {
        /// The game's id.
        game: String,
    },
    /// Another process already serves this folder.
    #[error("{}", served(*pid, path))]
    Served {
        /// Its lock file.
        path: PathBuf,
        /// Its process id, if the file contains it.
        pid: Option<u32>,
    },
    /// A game that was opened for reading cannot be changed.
    #[error("a game that is only looked at cannot be changed")]
    ReadOnly,
    /// The system reported an error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The journal could not be read or written.
    #[error(transparent)]
    Journal(#[from] FileFault),
    /// The secrets could not be read or written.
    #[error(transparent)]
    Secrets(#[from] SecretsFault),
    /// A secret cannot be serialized as JSON.
    #[error("a secret cannot be written: {0}")]
    Json(#[from] serde_json::Error),
    /// The database could not be reached, or reported an error.
    #[error("the database {place}: {why}")]
    Database {
        /// The place of the database.
        place: String,
        /// Its error message.
        why: String,
    },
    /// The database may lose committed data.
    #[error("the database {place} is not safe enough: {why}")]
    Unsafe {
        /// The place of the database.
        place: String,
        /// The problem and its solution.
        why: String,
    },
    /// The database does not have the tables of this release.
    #[error("{}", unprepared(place, *found, *newest))]
    Unprepared {
        /// The place of the database.
        place: String,
        /// The version of its tables; 0 if there are none.
        found: i64,
        /// The newest version known to this release.
        newest: i64,
    },
    /// The database role in the address may not create or change the tables.
    #[error(
        "the role {role} may not make or change the tables of the database {place}: give the address of the role {owner}, as in \
         postgres://{owner}@…"
    )]
    WrongRole {
        /// The place of the database.
        place: String,
        /// The role in the address.
        role: String,
        /// The role that may.
        owner: String,
    },
    /// The database is sealed with the key of another host, or this host has no key.
    #[error(
        "the database {place} belongs to another key than {} holds, which opens nothing there. Every folder that works with it \
         needs the same key: copy that file from the first one, or from a backup",
        path.display()
    )]
    OtherHost {
        /// The place of the database.
        place: String,
        /// The file of the key.
        path: PathBuf,
    },
    /// Another process took over the lease on a game before the changes could be written.
    #[error("another process has taken {game} over, so nothing was done; try again")]
    LeaseLost {
        /// The game.
        game: String,
    },
    /// Something cannot be copied to another store as it is.
    #[error("{what} was not copied: {why}")]
    NoCopy {
        /// The item.
        what: String,
        /// The reason.
        why: String,
    },
    /// A backup cannot be made or restored.
    #[error("{} {what}", path.display())]
    Backup {
        /// The folder or file.
        path: PathBuf,
        /// Its problem.
        what: String,
    },
    /// Sealed data cannot be opened with the host's key.
    #[error("{place} does not open with this host's key: it was changed, or sealed with another")]
    Unopened {
        /// The place of the data.
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
    format!("{who} already serves this folder (it holds {}); stop it first", path.display())
}

impl StoreError {
    /// Returns `true` if a write or sync failed so that it is unknown what is stored. The program
    /// must then end without doing anything else.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        match self {
            StoreError::Journal(why) => matches!(why, FileFault::Fatal { .. }),
            StoreError::Secrets(why) => matches!(why, SecretsFault::Fatal { .. }),
            _ => false,
        }
    }
}
