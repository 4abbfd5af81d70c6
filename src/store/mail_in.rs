//! How mails come in by `serve`: the settings `[mail_in]`, and the lock of the one process that serves a folder.

use super::{Host, SmtpSecurity, StoreError};
use crate::{disk, mail::Login};
use fs_err as fs;
use serde::Deserialize;
use std::{
    fs::TryLockError,
    io::{Read, Seek, Write},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

/// The ways by which `serve` takes mails in, beside the Maildir `mail/in`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MailIn {
    /// A mailbox at a provider.
    pub imap: Option<Imap>,
    /// A listener to which a mail system on this machine hands mails.
    pub lmtp: Option<Lmtp>,
}

/// A mailbox that is read by IMAP (RFC 9051, RFC 3501).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Imap {
    /// The server's name.
    pub host: String,
    /// Its port; 993 unless told, 143 with `starttls` or `none`.
    pub port: Option<u16>,
    /// `tls` from the first byte (the default), `starttls`, or `none` for a server on this machine.
    #[serde(default)]
    pub security: SmtpSecurity,
    /// The user.
    pub user: String,
    /// The file whose first line is the password; relative to the host's folder.
    pub password_file: Option<PathBuf>,
    /// Instead of a password: a program with its arguments that prints an access token (OAuth 2).
    pub token_command: Option<Vec<String>>,
    /// A file with a certificate that is trusted beside the system's (PEM); relative to the host's folder.
    pub ca: Option<PathBuf>,
    /// The mailbox; `INBOX` unless told.
    #[serde(default = "Imap::default_mailbox")]
    pub mailbox: String,
    /// What is done in the mailbox with a mail that was taken.
    #[serde(default)]
    pub done: ImapDone,
    /// Where the server cannot tell of new mails (RFC 2177), it is asked once in so many seconds; 60 unless told.
    #[serde(default = "Imap::default_poll")]
    pub poll: u64,
    /// For so many seconds each answer of the server is waited for; 30 unless told.
    #[serde(default = "Imap::default_timeout")]
    pub timeout: u64,
}

impl Imap {
    fn default_mailbox() -> String {
        "INBOX".to_owned()
    }

    fn default_poll() -> u64 {
        60
    }

    fn default_timeout() -> u64 {
        30
    }

    /// The port that counts.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port.unwrap_or(if matches!(self.security, SmtpSecurity::Tls) { 993 } else { 143 })
    }
}

/// What is done in a mailbox with a mail that was taken.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum ImapDone {
    /// It is marked as read.
    #[default]
    Seen,
    /// It is deleted.
    Delete,
    /// It is moved to this mailbox, which must be there.
    Move(String),
}

/// A listener for a mail system on this machine.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lmtp {
    /// Where it listens: `127.0.0.1:2424`, or `unix:` and a path, relative to the host's folder.
    pub listen: String,
    /// What it speaks.
    #[serde(default)]
    pub protocol: Protocol,
}

/// What a listener for mails speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// LMTP (RFC 2033).
    #[default]
    Lmtp,
    /// SMTP (RFC 5321), for mail systems that know no LMTP.
    Smtp,
}

/// The lock of the one process that serves a folder; it ends with the process, however that ends.
#[derive(Debug)]
pub struct Serving {
    _lock: fs::File,
}

impl Host {
    fn serving_path(&self) -> PathBuf {
        self.root().join("serve.lock")
    }

    /// Takes the lock of the one process that serves this folder, and writes this process's id into it.
    ///
    /// # Errors
    /// [`StoreError::Served`] when another process has it, [`StoreError::Io`].
    pub fn lock_serving(&self) -> Result<Serving, StoreError> {
        let path = self.serving_path();
        let mut file = fs::OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path)?;
        let mut taken = file.file().try_lock();
        // Whoever asks whether somebody serves has it for a moment.
        for _ in 0..10 {
            if !matches!(taken, Err(TryLockError::WouldBlock)) {
                break;
            }
            thread::sleep(Duration::from_millis(20));
            taken = file.file().try_lock();
        }
        match taken {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                // Whoever has it may be about to write its id.
                let _ = file.read_to_string(&mut text);
                return Err(StoreError::Served { path, pid: text.trim().parse().ok() });
            }
            Err(TryLockError::Error(why)) => return Err(why.into()),
        }
        disk::cut(file.file(), &path, 0)?;
        file.rewind()?;
        writeln!(file, "{}", std::process::id())?;
        Ok(Serving { _lock: file })
    }

    /// Whether a process serves this folder now: it sends what lies in the outbox.
    #[must_use]
    pub fn is_served(&self) -> bool {
        let Ok(file) = std::fs::File::open(self.serving_path()) else { return false };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }

    /// How one logs in by these settings: the program that fetches a token, or the first line of the password file; an empty password
    /// where neither is named.
    ///
    /// # Errors
    /// [`StoreError::Io`] when the file cannot be read.
    pub fn login(&self, file: Option<&Path>, token_command: Option<&Vec<String>>) -> Result<Login, StoreError> {
        if let Some(command) = token_command {
            return Ok(Login::Token(command.clone()));
        }
        let Some(file) = file else { return Ok(Login::Password(String::new())) };
        let text = fs::read_to_string(self.root().join(file))?;
        Ok(Login::Password(text.lines().next().unwrap_or_default().to_owned()))
    }
}
