//! The intake of mails by `serve`: the settings `[mail_in]`, and the lock of the single process
//! that serves a folder.

use super::{Host, SmtpSecurity, StoreError};
use fs_err as fs;
use postrider_dice::sha256;
use postrider_disk as disk;
use postrider_wire::Login;
use serde::Deserialize;
use std::{
    fs::TryLockError,
    io::{Read, Seek, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    thread,
    time::Duration,
};

/// The ways by which `serve` takes mails in, in addition to the Maildir `mail/in`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MailIn {
    /// A mailbox at a provider.
    pub imap: Option<Imap>,
    /// A listener to which a mail system on this machine delivers mails.
    pub lmtp: Option<Lmtp>,
}

/// A mailbox that is read by IMAP (RFC 9051, RFC 3501).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Imap {
    /// The server's name.
    pub host: String,
    /// Its port; default 993, or 143 with `starttls` or `none`.
    pub port: Option<u16>,
    /// `tls` from the first byte (default), `starttls`, or `none` for a server on this machine.
    #[serde(default)]
    pub security: SmtpSecurity,
    /// The user.
    pub user: String,
    /// The file whose first line is the password; relative to the host's folder.
    pub password_file: Option<PathBuf>,
    /// A program with its arguments that prints an access token (OAuth 2), instead of a password.
    pub token_command: Option<Vec<String>>,
    /// A file with a certificate to trust in addition to the system's (PEM); relative to the host's
    /// folder.
    pub ca: Option<PathBuf>,
    /// The mailbox; default `INBOX`.
    #[serde(default = "Imap::default_mailbox")]
    pub mailbox: String,
    /// The action on a mail in the mailbox after it was taken in.
    #[serde(default)]
    pub done: ImapDone,
    /// The polling interval in seconds, for servers that cannot announce new mails (RFC 2177);
    /// default 60.
    #[serde(default = "Imap::default_poll")]
    pub poll: u64,
    /// The timeout for each answer of the server, in seconds; default 30.
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

    /// Returns the port, or the default of the security setting.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port.unwrap_or(if matches!(self.security, SmtpSecurity::Tls) { 993 } else { 143 })
    }
}

/// The action on a mail in a mailbox after it was taken in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum ImapDone {
    /// It is marked as read.
    #[default]
    Seen,
    /// It is deleted.
    Delete,
    /// It is moved to this mailbox, which must exist.
    Move(String),
}

/// A listener for a mail system on this machine.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lmtp {
    /// The address to listen on: `127.0.0.1:2424`, or `unix:` and a path, relative to the host's
    /// folder.
    pub listen: String,
    /// The protocol.
    #[serde(default)]
    pub protocol: Protocol,
}

/// The protocol of a listener for mails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// LMTP (RFC 2033).
    #[default]
    Lmtp,
    /// SMTP (RFC 5321), for mail systems without LMTP.
    Smtp,
}

/// The lock of the single process that serves a folder; it ends with the process, in any case.
#[derive(Debug)]
pub struct Serving {
    _lock: fs::File,
}

/// A mail that this process is handling, with a note in a locked file. Dropping this removes the
/// note; it stays if the process ends before that.
#[derive(Debug)]
pub struct InHand {
    /// The number of processes that ended while handling this mail.
    pub ended: u64,
    path: Mutex<Option<PathBuf>>,
    lock: fs::File,
}

impl InHand {
    /// Sets whether the mail is to blame if the process ends now. It is not while the process waits
    /// for a disk, a database or a name server, or opens a game. The length of the file is the
    /// number of such ends.
    pub fn blame(&self, blamed: bool) {
        // An end that is not recorded only costs one more attempt.
        disk::note_length(self.lock.file(), self.ended + u64::from(blamed));
    }

    /// Removes the note, because the mail was taken in without ending the process.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`] if the note cannot be removed.
    pub fn let_go(&self) -> Result<(), StoreError> {
        let path = self.path.lock().unwrap_or_else(PoisonError::into_inner).take();
        path.map_or(Ok(()), |path| Ok(disk::remove(&path)?))
    }
}

impl Drop for InHand {
    fn drop(&mut self) {
        // Errors were already reported. A note that stays counts one end too many, which does no
        // harm.
        let _ = self.let_go();
    }
}

impl Host {
    /// Records that this process is handling a mail. Returns `None` if another process is handling
    /// it; the mail is then taken in without a note.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`] if the note cannot be written.
    pub fn in_hand(&self, mail: &str) -> Result<Option<InHand>, StoreError> {
        let folder = self.root().join("mail").join("in-hand");
        let path = folder.join(sha256(mail.as_bytes()).to_string());
        if !folder.is_dir() {
            fs::create_dir_all(&folder)?;
        }
        let lock = fs::OpenOptions::new().read(true).append(true).create(true).open(&path)?;
        if lock.file().try_lock().is_err() {
            return Ok(None);
        }
        let ended = lock.metadata()?.len();
        Ok(Some(InHand { ended, path: Mutex::new(Some(path)), lock }))
    }

    fn serving_path(&self) -> PathBuf {
        self.root().join("serve.lock")
    }

    /// Takes the lock of the single process that serves this folder, and writes this process's id
    /// into it.
    ///
    /// # Errors
    /// Returns [`StoreError::Served`] if another process holds it, or [`StoreError::Io`].
    pub fn lock_serving(&self) -> Result<Serving, StoreError> {
        let path = self.serving_path();
        let mut file = fs::OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path)?;
        let mut taken = file.file().try_lock();
        // A process that checks `is_served` holds the lock for a moment.
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
                // The holder may not have written its id yet.
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

    /// Returns `true` if a process currently serves this folder and so sends the mails in the
    /// outbox.
    #[must_use]
    pub fn is_served(&self) -> bool {
        let Ok(file) = std::fs::File::open(self.serving_path()) else { return false };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }

    /// Returns the login by the settings of this table: the program that prints a token, or else
    /// the first line of the password file, or else an empty password.
    ///
    /// # Errors
    /// Returns [`StoreError::Settings`] if the file cannot be read.
    pub fn login(
        &self,
        table: &str,
        file: Option<&Path>,
        token_command: Option<&Vec<String>>,
    ) -> Result<Login, StoreError> {
        if let Some(command) = token_command {
            return Ok(Login::Token(command.clone()));
        }
        Ok(Login::Password(self.password(&format!("{table}.password_file"), file)?.unwrap_or_default()))
    }

    /// Returns the first line of the file that this setting names, if it is set.
    ///
    /// # Errors
    /// Returns [`StoreError::Settings`] if the file cannot be read, or its first line is empty.
    pub fn password(&self, setting: &str, file: Option<&Path>) -> Result<Option<String>, StoreError> {
        let Some(file) = file else { return Ok(None) };
        let text = self.file_of(setting, file)?;
        match String::from_utf8_lossy(&text).lines().next() {
            Some(word) if !word.is_empty() => Ok(Some(word.to_owned())),
            _ => Err(self.wrong(format!("{setting}: the first line of {} must be the password", file.display()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates the end of the process that is handling a mail, as far as its note is concerned.
    fn end(held: &InHand) {
        held.lock.file().unlock().unwrap();
        held.path.lock().unwrap().take();
    }

    #[test]
    fn it_is_known_how_many_processes_ended_over_a_mail() {
        let folder = tempfile::tempdir().unwrap();
        let host = Host::open_or_create(folder.path()).unwrap();
        for ended in 0..3 {
            let held = host.in_hand("1.of.an.mta").unwrap().unwrap();
            assert_eq!(held.ended, ended);
            assert!(host.in_hand("1.of.an.mta").unwrap().is_none(), "somebody has it");
            assert_eq!(host.in_hand("2.of.an.mta").unwrap().unwrap().ended, 0);
            // Like processes that end: their locks go, their files stay. One was waiting, the next
            // was at work.
            held.blame(true);
            held.blame(false);
            end(&held);
            drop(held);
            let held = host.in_hand("1.of.an.mta").unwrap().unwrap();
            assert_eq!(held.ended, ended, "it was not over this mail");
            held.blame(true);
            end(&held);
        }
        host.in_hand("1.of.an.mta").unwrap().unwrap().let_go().unwrap();
        assert_eq!(host.in_hand("1.of.an.mta").unwrap().unwrap().ended, 0, "it was taken in");
    }
}
