//! What can go wrong in the office, and what that means to whoever called.

use super::{LiveFault, ReplayFault, ShelfFault};
use crate::{
    journal::{FileFault, SecretsFault, WriteFault},
    mail::{ComposeFault, MaildirFault, SendFault},
    table::{Rejected, SetupFault},
};
use std::io;

/// Why the office could not do what it was asked to. Nothing is lost by any of these: what was decided is in the journal,
/// what was not can be asked again.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// The command makes no sense.
    #[error("{0}")]
    Use(String),
    /// There is no such game.
    #[error("there is no game \"{0}\" here")]
    NoGame(String),
    /// The host's settings or templates are at fault.
    #[error("{0}")]
    Host(String),
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
    /// A mail could not be written.
    #[error("a mail could not be written: {0}")]
    Compose(#[from] ComposeFault),
    /// A mail could not be sent.
    #[error(transparent)]
    Send(#[from] SendFault),
    /// The game cannot be set up so.
    #[error(transparent)]
    Setup(#[from] SetupFault),
    /// The rules or component files for a journal are not at hand.
    #[error(transparent)]
    Shelf(#[from] ShelfFault),
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
    Defect(String),
}

impl Trouble {
    /// Whether a write or sync failed, so that nobody knows what is on disk: the program must end without doing anything else.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        matches!(self, Trouble::Journal(FileFault::Fatal { .. }) | Trouble::Secrets(SecretsFault::Fatal { .. }))
    }

    /// The exit status that says so, as in `sysexits.h`.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Trouble::Use(_) | Trouble::Setup(_) => 64,
            Trouble::NoGame(_) => 66,
            Trouble::Io(why) if why.kind() == io::ErrorKind::NotFound => 66,
            Trouble::Replay(_) | Trouble::Shelf(_) => 65,
            Trouble::Journal(FileFault::Locked { .. }) | Trouble::Send(_) => 75,
            Trouble::Io(_) | Trouble::Journal(_) | Trouble::Secrets(_) | Trouble::Maildir(_) => 74,
            Trouble::Host(_) => 78,
            Trouble::Compose(_) | Trouble::Live(_) | Trouble::Rules(_) | Trouble::Write(_) | Trouble::Defect(_) => 70,
        }
    }
}
