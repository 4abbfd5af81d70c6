//! Maildir: a folder with one file per mail, in which mails appear atomically.
//!
//! A mail is written to `tmp/`, synced and renamed into `new/`, and the folder is synced, so that a
//! crash after [`Maildir::deliver`] returns cannot lose it. The caller chooses the names.
//! Delivering the same name again has no effect, which makes it safe to repeat a send after a
//! crash.
//!
//! A mail in the outbox begins with the fields of its envelope.

use std::{
    io,
    path::{Path, PathBuf},
};

use fs_err as fs;

use postrider_disk as disk;

/// Maximum length of a unique name in bytes. File systems allow 255, and suffixes for flags and
/// temporary files are added.
const MAX_NAME: usize = 200;

/// An error of a Maildir.
#[derive(Debug, thiserror::Error)]
pub enum MaildirFault {
    /// An error of the file system. The message contains the path.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// An invalid unique name. Names have 1 to 200 of `A-Z a-z 0-9 . _ = + , @ -` and do not begin
    /// with a dot.
    #[error("`{0}` cannot be the name of a mail")]
    BadName(String),
    /// No mail of this name is in `new/` or `cur/`.
    #[error("there is no mail named `{0}`")]
    NotFound(String),
}

/// The result of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// The mail was stored.
    Stored,
    /// A mail of this name existed already, and nothing was written.
    AlreadyThere,
}

/// The two folders for mails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MaildirFolder {
    /// Mails that no mail program has seen yet.
    New,
    /// Mails that were seen. Their file names have flags after a colon.
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

/// A mail in a Maildir.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MaildirEntry {
    /// The name without flags.
    pub unique: String,
    /// Its folder.
    pub folder: MaildirFolder,
    /// The path of its file.
    pub path: PathBuf,
}

/// A Maildir on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Maildir {
    root: PathBuf,
}

impl Maildir {
    /// Opens the Maildir at `root`, creating `tmp/`, `new/` and `cur/` if they are missing.
    ///
    /// # Errors
    /// [`MaildirFault::Io`] if they cannot be created.
    pub fn open(root: impl Into<PathBuf>) -> Result<Maildir, MaildirFault> {
        let root = root.into();
        // `cur` is created last, so if it exists, the others do too.
        if !root.join("cur").is_dir() {
            for folder in ["tmp", "new", "cur"] {
                fs::create_dir_all(root.join(folder))?;
            }
        }
        Ok(Maildir { root })
    }

    /// Returns the folder that contains `new/` and `cur/`.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Stores a mail under a name chosen by the caller. It is durable when this returns. Only its
    /// owner can read the file (mode 0600), because mails contain tokens.
    ///
    /// # Errors
    /// [`MaildirFault::BadName`], or [`MaildirFault::Io`] if the mail could not be stored or
    /// synced.
    pub fn deliver(&self, unique: &str, raw: &[u8]) -> Result<Delivery, MaildirFault> {
        let stored = self.deliver_unsettled(unique, raw)?;
        if stored == Delivery::Stored {
            self.settle_new()?;
        }
        Ok(stored)
    }

    /// Stores a mail like [`Maildir::deliver`], but its name may be lost in a power cut until
    /// [`Maildir::settle_new`] returns.
    ///
    /// # Errors
    /// Like [`Maildir::deliver`].
    pub fn deliver_unsettled(&self, unique: &str, raw: &[u8]) -> Result<Delivery, MaildirFault> {
        check_name(unique)?;
        if let Some(entry) = self.find(unique)? {
            // The process that delivered it may have ended before syncing.
            disk::sync_folder(&self.root.join(entry.folder.name()))?;
            return Ok(Delivery::AlreadyThere);
        }
        let file = self.draft(unique)?;
        let written = disk::append(file.as_file(), file.path(), raw);
        let safe = written.and_then(|()| disk::sync_all(file.as_file(), file.path()));
        safe.map_err(|why| io::Error::new(why.kind(), format!("{}: {why}", file.path().display())))?;
        let new = self.root.join(MaildirFolder::New.name());
        match disk::publish(file, &new.join(unique)) {
            Ok(()) => Ok(Delivery::Stored),
            // Another process delivered it in between.
            Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => {
                disk::sync_folder(&new)?;
                Ok(Delivery::AlreadyThere)
            }
            Err(fault) => Err(fault.into()),
        }
    }

    /// Stores mails like [`Maildir::deliver`], with as few syncs as possible, and returns the number
    /// of those that were not there. All are durable when this returns.
    ///
    /// # Errors
    /// Like [`Maildir::deliver`].
    pub fn deliver_all(&self, mails: &[(&str, Vec<u8>)]) -> Result<usize, MaildirFault> {
        let mut written = Vec::new();
        for (unique, raw) in mails {
            check_name(unique)?;
            if self.find(unique)?.is_none() {
                let file = self.draft(unique)?;
                disk::append(file.as_file(), file.path(), raw)?;
                written.push((unique, file));
            }
        }
        disk::sync_files(written.iter().map(|(_, file)| (file.as_file(), file.path())))?;
        let (new, count) = (self.root.join(MaildirFolder::New.name()), written.len());
        for (unique, file) in written {
            disk::publish(file, &new.join(unique))?;
        }
        self.settle_new()?;
        Ok(count)
    }

    /// Creates the file in which a mail is written before it gets its name.
    fn draft(&self, unique: &str) -> io::Result<tempfile::NamedTempFile> {
        tempfile::Builder::new().prefix(&format!("{unique}.")).suffix(".tmp").tempfile_in(self.root.join("tmp"))
    }

    /// Syncs the names of delivered mails.
    ///
    /// # Errors
    /// [`MaildirFault::Io`] if the sync fails.
    pub fn settle_new(&self) -> Result<(), MaildirFault> {
        Ok(disk::sync_folder(&self.root.join(MaildirFolder::New.name()))?)
    }

    /// Syncs moves into or out of this Maildir by a process that may have ended before syncing.
    ///
    /// # Errors
    /// [`MaildirFault::Io`] if a sync fails.
    pub fn settle(&self) -> Result<(), MaildirFault> {
        for folder in [MaildirFolder::New, MaildirFolder::Cur] {
            disk::sync_folder(&self.root.join(folder.name()))?;
        }
        Ok(())
    }

    /// Returns all mails in `new/` and `cur/`, sorted by name.
    ///
    /// # Errors
    /// [`MaildirFault::Io`] if a folder cannot be read.
    pub fn list(&self) -> Result<Vec<MaildirEntry>, MaildirFault> {
        self.list_of(&[MaildirFolder::New, MaildirFolder::Cur])
    }

    fn list_of(&self, folders: &[MaildirFolder]) -> Result<Vec<MaildirEntry>, MaildirFault> {
        let mut entries = Vec::new();
        for &folder in folders {
            for file in fs::read_dir(self.root.join(folder.name()))? {
                let file = file?;
                let name = file.file_name();
                // Names that are not UTF-8 are not from this program, and those with a dot are
                // temporary files of other programs.
                let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
                // Reading a pipe would wait for a writer.
                let kind = file.file_type()?;
                if !kind.is_file() && !kind.is_symlink() {
                    continue;
                }
                entries.push(MaildirEntry { unique: without_flags(name).to_string(), folder, path: file.path() });
            }
        }
        entries.sort();
        Ok(entries)
    }

    /// Returns the mail of this name if it is in `new/` or `cur/`.
    ///
    /// # Errors
    /// [`MaildirFault::Io`] if a folder cannot be read.
    pub fn find(&self, unique: &str) -> Result<Option<MaildirEntry>, MaildirFault> {
        let path = self.root.join("new").join(unique);
        if check_name(unique).is_ok() && path.try_exists()? {
            return Ok(Some(MaildirEntry { unique: unique.to_string(), folder: MaildirFolder::New, path }));
        }
        // Names in `new/` have no flags, so only `cur/` must be searched.
        Ok(self.list_of(&[MaildirFolder::Cur])?.into_iter().find(|entry| entry.unique == unique))
    }

    /// Returns the bytes of a mail.
    ///
    /// # Errors
    /// [`MaildirFault::NotFound`] or [`MaildirFault::Io`].
    pub fn read(&self, unique: &str) -> Result<Vec<u8>, MaildirFault> {
        let entry = self.find(unique)?.ok_or_else(|| MaildirFault::NotFound(unique.to_string()))?;
        Ok(fs::read(entry.path)?)
    }

    /// Removes a mail if it exists.
    ///
    /// # Errors
    /// [`MaildirFault::Io`] if it cannot be removed.
    pub fn remove(&self, unique: &str) -> Result<(), MaildirFault> {
        let Some(entry) = self.find(unique)? else { return Ok(()) };
        match disk::remove(&entry.path) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => Err(why.into()),
            _ => Ok(()),
        }
    }

    /// Moves a mail to the same folder of another Maildir, including its flags. If the other
    /// Maildir already has it, only a copy left here by a crash is removed. Across file systems, it
    /// is copied and then removed here.
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
        let to = target.join(name);
        match disk::rename(&entry.path, &to) {
            Ok(()) => {}
            Err(fault) if fault.kind() == io::ErrorKind::CrossesDevices => {
                other.deliver(unique, &fs::read(&entry.path)?)?;
                let delivered = other.root.join(MaildirFolder::New.name()).join(unique);
                if delivered != to {
                    disk::rename(&delivered, &to)?;
                }
                disk::sync_folder(&target)?;
                disk::remove(&entry.path)?;
            }
            Err(fault) => return Err(fault.into()),
        }
        // The target first, so that the mail is never missing from both.
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
        #[cfg(unix)]
        drop(std::os::unix::net::UnixListener::bind(maildir.root().join("new/socket")).unwrap());
        assert_eq!(names(&maildir), ["a", "b"]);
    }

    #[test]
    fn several_mails_are_stored_together() {
        let (_dir, maildir) = maildir();
        maildir.deliver("b", b"first").unwrap();
        let mails = ["a", "b", "c"].map(|name| (name, b"second".to_vec()));
        assert_eq!(maildir.deliver_all(&mails).unwrap(), 2);
        assert_eq!(
            (names(&maildir), maildir.read("b").unwrap()),
            (["a", "b", "c"].map(str::to_owned).to_vec(), b"first".to_vec())
        );
        assert_eq!(fs::read_dir(maildir.root().join("tmp")).unwrap().count(), 0);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn flags_stay_across_file_systems() {
        use std::os::unix::fs::MetadataExt;
        let (_dir, maildir) = maildir();
        let device = |path: &str| fs::metadata(path).map(|about| about.dev()).ok();
        let own = device(maildir.root().to_str().unwrap());
        let Some(elsewhere) =
            ["/dev/shm", "/tmp", "/var/tmp"].into_iter().find(|path| device(path).is_some_and(|it| Some(it) != own))
        else {
            return;
        };
        let dir = tempfile::tempdir_in(elsewhere).unwrap();
        let other = Maildir::open(dir.path().join("out")).unwrap();
        maildir.deliver("a", b"x").unwrap();
        fs::rename(maildir.root().join("new/a"), maildir.root().join("cur/a:2,S")).unwrap();
        maildir.move_to("a", &other).unwrap();
        assert!(other.root().join("cur/a:2,S").is_file() && names(&maildir).is_empty());
    }

    #[test]
    fn moving_can_be_repeated_at_any_point() {
        let (dir, maildir) = maildir();
        let done = Maildir::open(dir.path().join("done")).unwrap();
        maildir.deliver("a", b"x").unwrap();
        maildir.move_to("a", &done).unwrap();
        maildir.move_to("a", &done).unwrap();
        assert_eq!((names(&maildir), names(&done)), (vec![], vec!["a".to_string()]));
        // A copy left by a crash.
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
