//! What can go wrong where games are kept.

use crate::{
    journal::{FileFault, SecretsFault},
    mail::{ComposeFault, MaildirFault, SendFault},
};
use std::{
    io,
    path::{Path, PathBuf},
};

/// Why a host's folder or something in it could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no settings file.
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
