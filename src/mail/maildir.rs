//! Maildir: a folder in which each mail is a file, and a mail is there whole or not at all.
//!
//! A mail is written under `tmp/`, synced, and renamed into `new/`; the directory is synced too, so that after
//! [`Maildir::deliver`] returns a crash cannot lose it. Names are the caller's: delivering the same name again changes
//! nothing, which is what makes a repeated send after a crash harmless.
//!
//! A mail that is to be sent has its envelope in the fields in front of it.

use std::{
    io,
    path::{Path, PathBuf},
};

use fs_err as fs;

use postrider_disk as disk;

/// The longest unique name, in bytes: file systems allow 255, and a flag suffix and a temporary suffix are added.
const MAX_NAME: usize = 200;

/// What went wrong with a Maildir.
#[derive(Debug, thiserror::Error)]
pub enum MaildirFault {
    /// The file system refused; the message names the path.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Unique names are 1 to 200 of `A-Z a-z 0-9 . _ = + , @ -`, not beginning with a dot.
    #[error("`{0}` cannot be the name of a mail")]
    BadName(String),
    /// No mail of this name is in `new/` or `cur/`.
    #[error("there is no mail named `{0}`")]
    NotFound(String),
}

/// What a delivery did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// The mail is now there.
    Stored,
    /// A mail of this name was there already; nothing was written.
    AlreadyThere,
}

/// The two folders in which mails lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MaildirFolder {
    /// Not yet seen by a mail program.
    New,
    /// Seen; the file's name carries flags after a colon.
    Cur,
}

impl MaildirFolder {
    fn name(self) -> &'static str {
        match self {
            MaildirFolder::New => "new",
            MaildirFolder::Cur => "cur",
        }
    }
}

/// A mail that lies in a Maildir.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MaildirEntry {
    /// The name without flags.
    pub unique: String,
    /// Where it lies.
    pub folder: MaildirFolder,
    /// The file.
    pub path: PathBuf,
}

/// A Maildir on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Maildir {
    root: PathBuf,
}

impl Maildir {
    /// Opens the Maildir at `root`, making `tmp/`, `new/` and `cur/` where they are missing.
    ///
    /// # Errors
    /// [`MaildirFault::Io`].
    pub fn open(root: impl Into<PathBuf>) -> Result<Maildir, MaildirFault> {
        let root = root.into();
        // `cur` is made last, so where it is the others are.
        if !root.join("cur").is_dir() {
            for folder in ["tmp", "new", "cur"] {
                fs::create_dir_all(root.join(folder))?;
            }
        }
        Ok(Maildir { root })
    }

    /// The folder that holds `new/` and `cur/`.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Stores a mail under a name of the caller's; it is on disk when this returns. The file can be read by its owner
    /// alone (mode 0600), since mails carry tokens.
    ///
    /// # Errors
    /// [`MaildirFault::BadName`], or [`MaildirFault::Io`], after which the mail is not there.
    pub fn deliver(&self, unique: &str, raw: &[u8]) -> Result<Delivery, MaildirFault> {
        let stored = self.deliver_unsettled(unique, raw)?;
        if stored == Delivery::Stored {
            self.settle_new()?;
        }
        Ok(stored)
    }

    /// As [`Maildir::deliver`], but a power cut may take the mail's name away until [`Maildir::settle_new`] returns.
    ///
    /// # Errors
    /// As for [`Maildir::deliver`].
    pub fn deliver_unsettled(&self, unique: &str, raw: &[u8]) -> Result<Delivery, MaildirFault> {
        check_name(unique)?;
        if let Some(entry) = self.find(unique)? {
            // Whoever delivered it may have ended before it was safe.
            disk::sync_folder(&self.root.join(entry.folder.name()))?;
            return Ok(Delivery::AlreadyThere);
        }
        let file =
            tempfile::Builder::new().prefix(&format!("{unique}.")).suffix(".tmp").tempfile_in(self.root.join("tmp"))?;
        let written = disk::append(file.as_file(), file.path(), raw);
        let safe = written.and_then(|()| disk::sync_all(file.as_file(), file.path()));
        safe.map_err(|why| io::Error::new(why.kind(), format!("{}: {why}", file.path().display())))?;
        let new = self.root.join(MaildirFolder::New.name());
        match disk::publish(file, &new.join(unique)) {
            Ok(()) => Ok(Delivery::Stored),
            // Somebody else delivered it in between.
            Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => {
                disk::sync_folder(&new)?;
                Ok(Delivery::AlreadyThere)
            }
            Err(fault) => Err(fault.into()),
        }
    }

    /// Makes safe the names of what was delivered.
    ///
    /// # Errors
    /// [`MaildirFault::Io`].
    pub fn settle_new(&self) -> Result<(), MaildirFault> {
        Ok(disk::sync_folder(&self.root.join(MaildirFolder::New.name()))?)
    }

    /// Makes safe what a program that ended early may have moved here, or away from here, without having made it safe.
    ///
    /// # Errors
    /// [`MaildirFault::Io`].
    pub fn settle(&self) -> Result<(), MaildirFault> {
        for folder in [MaildirFolder::New, MaildirFolder::Cur] {
            disk::sync_folder(&self.root.join(folder.name()))?;
        }
        Ok(())
    }

    /// Every mail of `new/` and `cur/`, sorted by name.
    ///
    /// # Errors
    /// [`MaildirFault::Io`].
    pub fn list(&self) -> Result<Vec<MaildirEntry>, MaildirFault> {
        self.list_of(&[MaildirFolder::New, MaildirFolder::Cur])
    }

    fn list_of(&self, folders: &[MaildirFolder]) -> Result<Vec<MaildirEntry>, MaildirFault> {
        let mut entries = Vec::new();
        for &folder in folders {
            for file in fs::read_dir(self.root.join(folder.name()))? {
                let file = file?;
                let name = file.file_name();
                // Names that are no text are none of ours, and those with a dot are other programs' helpers.
                let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
                if file.file_type()?.is_dir() {
                    continue;
                }
                entries.push(MaildirEntry { unique: without_flags(name).to_string(), folder, path: file.path() });
            }
        }
        entries.sort();
        Ok(entries)
    }

    /// The mail of this name, if it is in `new/` or `cur/`.
    ///
    /// # Errors
    /// [`MaildirFault::Io`].
    pub fn find(&self, unique: &str) -> Result<Option<MaildirEntry>, MaildirFault> {
        let path = self.root.join("new").join(unique);
        if check_name(unique).is_ok() && path.try_exists()? {
            return Ok(Some(MaildirEntry { unique: unique.to_string(), folder: MaildirFolder::New, path }));
        }
        // In `new/` a name carries no flags, so only `cur/` must be looked through.
        Ok(self.list_of(&[MaildirFolder::Cur])?.into_iter().find(|entry| entry.unique == unique))
    }

    /// The bytes of a mail.
    ///
    /// # Errors
    /// [`MaildirFault::NotFound`] or [`MaildirFault::Io`].
    pub fn read(&self, unique: &str) -> Result<Vec<u8>, MaildirFault> {
        let entry = self.find(unique)?.ok_or_else(|| MaildirFault::NotFound(unique.to_string()))?;
        Ok(fs::read(entry.path)?)
    }

    /// Removes a mail, if it is there.
    ///
    /// # Errors
    /// [`MaildirFault::Io`].
    pub fn remove(&self, unique: &str) -> Result<(), MaildirFault> {
        let Some(entry) = self.find(unique)? else { return Ok(()) };
        match disk::remove(&entry.path) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => Err(why.into()),
            _ => Ok(()),
        }
    }

    /// Moves a mail to the same folder of another Maildir, flags and all. If it has been moved there before, nothing
    /// is left to do, and a copy that a crash left behind here is removed. Across file systems it is copied first.
    ///
    /// # Errors
    /// [`MaildirFault::NotFound`] if it is in neither, or [`MaildirFault::Io`].
    pub fn move_to(&self, unique: &str, other: &Maildir) -> Result<(), MaildirFault> {
        let there = other.find(unique)?.is_some();
        let Some(entry) = self.find(unique)? else {
            return if there { Ok(()) } else { Err(MaildirFault::NotFound(unique.to_string())) };
        };
        let source = self.root.join(entry.folder.name());
        let target = other.root.join(entry.folder.name());
        if there {
            other.settle()?;
            disk::remove(&entry.path)?;
            return Ok(disk::sync_folder(&source)?);
        }
        let name = entry.path.file_name().map_or_else(|| PathBuf::from(unique), PathBuf::from);
        match disk::rename(&entry.path, &target.join(name)) {
            Ok(()) => {}
            Err(fault) if fault.kind() == io::ErrorKind::CrossesDevices => {
                other.deliver(unique, &fs::read(&entry.path)?)?;
                disk::remove(&entry.path)?;
            }
            Err(fault) => return Err(fault.into()),
        }
        // First where it must not be missing.
        disk::sync_folder(&target)?;
        disk::sync_folder(&source)?;
        Ok(())
    }
}

fn without_flags(name: &str) -> &str {
    name.split_once(':').map_or(name, |(unique, _)| unique)
}

fn check_name(unique: &str) -> Result<(), MaildirFault> {
    let allowed = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'.' | b'_' | b'=' | b'+' | b',' | b'@' | b'-');
    if unique.is_empty() || unique.len() > MAX_NAME || unique.starts_with('.') || !unique.bytes().all(allowed) {
        return Err(MaildirFault::BadName(unique.to_string()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn maildir() -> (tempfile::TempDir, Maildir) {
        let dir = tempfile::tempdir().unwrap();
        let maildir = Maildir::open(dir.path().join("in")).unwrap();
        (dir, maildir)
    }

    fn names(maildir: &Maildir) -> Vec<String> {
        maildir.list().unwrap().into_iter().map(|entry| entry.unique).collect()
    }

    #[test]
    fn delivering_twice_stores_once() {
        let (_dir, maildir) = maildir();
        assert_eq!(maildir.deliver("lone-pine.3", b"first").unwrap(), Delivery::Stored);
        assert_eq!(maildir.deliver("lone-pine.3", b"second").unwrap(), Delivery::AlreadyThere);
        assert_eq!(maildir.read("lone-pine.3").unwrap(), b"first");
        assert_eq!(fs::read_dir(maildir.root().join("tmp")).unwrap().count(), 0);
    }

    #[test]
    fn a_mail_that_a_program_has_seen_is_still_there() {
        let (_dir, maildir) = maildir();
        maildir.deliver("a", b"x").unwrap();
        fs::rename(maildir.root().join("new/a"), maildir.root().join("cur/a:2,S")).unwrap();
        assert_eq!(maildir.deliver("a", b"y").unwrap(), Delivery::AlreadyThere);
        assert_eq!(maildir.find("a").unwrap().unwrap().folder, MaildirFolder::Cur);
        assert_eq!(maildir.read("a").unwrap(), b"x");
    }

    #[test]
    fn lists_in_order_and_skips_what_is_no_mail() {
        let (_dir, maildir) = maildir();
        for name in ["b", "a"] {
            maildir.deliver(name, b"x").unwrap();
        }
        fs::write(maildir.root().join("new/.hidden"), "x").unwrap();
        fs::create_dir(maildir.root().join("cur/folder")).unwrap();
        assert_eq!(names(&maildir), ["a", "b"]);
    }

    #[test]
    fn moving_can_be_repeated_at_any_point() {
        let (dir, maildir) = maildir();
        let done = Maildir::open(dir.path().join("done")).unwrap();
        maildir.deliver("a", b"x").unwrap();
        maildir.move_to("a", &done).unwrap();
        maildir.move_to("a", &done).unwrap();
        assert_eq!((names(&maildir), names(&done)), (vec![], vec!["a".to_string()]));
        // A copy left behind.
        maildir.deliver("a", b"x").unwrap();
        maildir.move_to("a", &done).unwrap();
        assert_eq!(names(&maildir).len(), 0);
        assert!(matches!(maildir.move_to("b", &done), Err(MaildirFault::NotFound(_))));
    }

    #[test]
    fn names_cannot_leave_the_folder() {
        let (_dir, maildir) = maildir();
        for name in ["", "../x", "a/b", ".x", "a:2,S", "a b", &"x".repeat(201)] {
            assert!(matches!(maildir.deliver(name, b"x"), Err(MaildirFault::BadName(_))), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_can_read() {
        use std::os::unix::fs::PermissionsExt;
        let (_dir, maildir) = maildir();
        maildir.deliver("a", b"x").unwrap();
        let mode = fs::metadata(maildir.root().join("new/a")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
