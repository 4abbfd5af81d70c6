//! Backups of a host's folder, made while commands work on its games, and their restoration.
//!
//! Each game is copied under the lock of its journal, so that journal and secrets fit together.
//! They are copied as they are, damaged or with a torn end: only opening a game repairs it.
//! Everything on which games depend is copied before them: incoming mails (one that a copied game
//! has already taken in has no second effect) and the letters in `mail/sent`. No letter is handed
//! over meanwhile, so all letters of a game that were written since are in `mail/out`, which is
//! read under its lock.

use super::taken;
use crate::{Host, MailFolder, StoreError};
use fs_err as fs;
use postrider_dice::{Hash, sha256};
use postrider_disk as disk;
use postrider_journal::JournalFile;
use postrider_mailbox::Maildir;
use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, ErrorKind},
    path::{Component, Path, PathBuf},
};

/// The list of a backup's files in the format of `sha256sum`. It is written last.
const MANIFEST: &str = "MANIFEST.sha256";

/// The names in a host's folder that are copied in their own way, or not at all.
const APART: [&str; 5] = ["journal", "secrets", "index", "mail", "serve.lock"];

/// The contents of a backup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backup {
    /// The number of games.
    pub games: usize,
    /// The number of files, including those of the games.
    pub files: usize,
    /// Their total size in bytes.
    pub bytes: u64,
}

/// Copies a host's folder to `to`. Files that never change get a second name (hard link) if `to` is
/// on the same file system; the rest is copied and synced.
///
/// # Errors
/// Returns [`StoreError::Backup`] if there is something at `to`, or the error of a file or lock.
pub fn backup(host: &Host, to: &Path) -> Result<Backup, StoreError> {
    let place = Place::new(to)?;
    let copier = Copier { from: host.root(), to: &place.partial };
    copier.others(Path::new(""))?;
    copier.copy(Path::new("index/mailbox.json"))?;
    copier.copy(Path::new("mail/clock.json"))?;
    let maildir = |folder| host.mail(folder);
    copier.mails(&maildir(MailFolder::In)?)?;
    copier.letters(host)?;
    let sending = host.lock_outbox()?;
    copier.letters(host)?;
    let games = copier.games(host)?;
    copier.mails_of(&maildir(MailFolder::Out)?, |name| !games.contains(game_in(name)))?;
    drop(sending);
    copier.mails(&maildir(MailFolder::In)?)?;
    copier.copy(Path::new("secrets/_service.jsonl"))?;
    let files = listed(&place.partial)?;
    let bytes = manifest(&place.partial, &files)?;
    place.publish()?;
    Ok(Backup { games: games.len(), files: files.len(), bytes })
}

/// Checks every file of a backup and copies it to `to`.
///
/// # Errors
/// Returns [`StoreError::Backup`] if a file is missing or changed, or if there is something at
/// `to`.
pub fn restore(from: &Path, to: &Path) -> Result<Backup, StoreError> {
    let list = match fs::read_to_string(from.join(MANIFEST)) {
        Err(why) if why.kind() == ErrorKind::NotFound => return Err(wrong(from, "is no backup: it has no manifest")),
        list => list?,
    };
    let mut files = BTreeMap::new();
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let (hash, path) = line.split_once("  ").ok_or_else(|| wrong(from, "has a damaged manifest"))?;
        let path = Path::new(path);
        if !path.components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(wrong(from, "names a file outside of it in its manifest"));
        }
        files.insert(path, hash);
    }
    let whole = |path: &Path, hash: &str| fs::read(from.join(path)).is_ok_and(|bytes| hex(&sha256(&bytes)) == hash);
    if let Some((path, _)) = files.iter().find(|(path, hash)| !whole(path, hash)) {
        return Err(wrong(&from.join(path), "is missing or not as it was copied"));
    }
    let place = Place::new(to)?;
    let mut done = Backup { files: files.len(), ..Backup::default() };
    for path in files.keys() {
        make_folder_like(from, &place.partial, path.parent().unwrap_or(path))?;
        done.bytes += copy_file(&from.join(path), &place.partial.join(path))?;
        done.games += usize::from(path.starts_with("journal"));
    }
    settle(&place.partial, files.into_keys().map(Path::to_owned))?;
    place.publish()?;
    Ok(done)
}

fn wrong(path: &Path, what: &str) -> StoreError {
    StoreError::Backup { path: path.to_owned(), what: what.to_owned() }
}

fn hex(hash: &Hash) -> String {
    hash.0.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the part of a letter's name that names its game.
fn game_in(letter: &str) -> &str {
    letter.split('.').next().unwrap_or(letter)
}

/// A new folder, which gets its name only when it is complete.
struct Place {
    partial: PathBuf,
    to: PathBuf,
}

impl Place {
    fn new(to: &Path) -> Result<Place, StoreError> {
        let to = std::path::absolute(to)?;
        if fs::read_dir(&to).is_ok_and(|mut files| files.next().is_some()) || to.is_file() {
            return Err(wrong(&to, "is there already, and not empty"));
        }
        let mut name = to.file_name().ok_or_else(|| wrong(&to, "names no folder"))?.to_owned();
        name.push(".partial");
        let partial = to.with_file_name(name);
        match fs::create_dir_all(to.parent().unwrap_or(&to)).and_then(|()| fs::create_dir(&partial)) {
            Err(why) if why.kind() == ErrorKind::AlreadyExists => {
                return Err(wrong(
                    &partial,
                    "is left over from an interrupted copy, or belongs to one in progress: remove it",
                ));
            }
            made => made?,
        }
        make_private(&partial)?;
        Ok(Place { partial, to })
    }

    fn publish(self) -> Result<(), StoreError> {
        disk::rename(&self.partial, &self.to)?;
        Ok(disk::sync_folder_of(&self.to)?)
    }
}

fn make_private(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    Ok(())
}

/// Copies a file with its permissions and its time of last change, which tells when a mail came in
/// and which letter is the newest.
fn copy_file(from: &Path, to: &Path) -> io::Result<u64> {
    let changed = fs::metadata(from)?.modified()?;
    let bytes = fs::copy(from, to)?;
    fs::File::open(to)?.file().set_modified(changed)?;
    Ok(bytes)
}

/// Creates a folder below `to` with the permissions of the same one below `from`.
fn make_folder_like(from: &Path, to: &Path, folder: &Path) -> io::Result<()> {
    let mut path = PathBuf::new();
    for part in folder {
        path.push(part);
        let new = to.join(&path);
        if !new.is_dir() {
            fs::create_dir(&new)?;
            fs::set_permissions(&new, fs::metadata(from.join(&path))?.permissions())?;
        }
    }
    Ok(())
}

/// Syncs files and the folders that contain them.
fn settle(root: &Path, files: impl Iterator<Item = PathBuf>) -> io::Result<()> {
    let mut folders = BTreeSet::new();
    for file in files {
        let path = root.join(&file);
        disk::sync_all(fs::File::open(&path)?.file(), &path)?;
        folders.extend(file.ancestors().skip(1).map(|folder| root.join(folder)));
    }
    folders.iter().try_for_each(|folder| disk::sync_folder(folder))
}

/// Returns the files below a folder, with paths relative to it, sorted.
fn listed(root: &Path) -> Result<BTreeSet<PathBuf>, StoreError> {
    let (mut files, mut folders) = (BTreeSet::new(), vec![PathBuf::new()]);
    while let Some(folder) = folders.pop() {
        for file in fs::read_dir(root.join(&folder))? {
            let file = file?;
            let path = folder.join(file.file_name());
            if file.file_type()?.is_dir() {
                folders.push(path);
            } else if path.to_str().is_some_and(|path| !path.contains('\n')) {
                files.insert(path);
            } else {
                return Err(wrong(&root.join(path), "has a name that no manifest can hold"));
            }
        }
    }
    Ok(files)
}

/// Syncs a backup and writes its manifest. Returns the total size of its files.
fn manifest(root: &Path, files: &BTreeSet<PathBuf>) -> Result<u64, StoreError> {
    settle(root, files.iter().cloned())?;
    let (mut text, mut bytes) = (String::from("# A backup of a Postrider host. `postrider restore` checks it.\n"), 0);
    for path in files {
        let raw = fs::read(root.join(path))?;
        bytes += raw.len() as u64;
        text += &format!("{}  {}\n", hex(&sha256(&raw)), path.display());
    }
    disk::put(&root.join(MANIFEST), text.as_bytes())?;
    Ok(bytes)
}

/// A copy under way between two folders.
struct Copier<'f> {
    from: &'f Path,
    to: &'f Path,
}

impl Copier<'_> {
    /// Copies a file, if it is there.
    fn copy(&self, path: &Path) -> Result<(), StoreError> {
        let from = self.from.join(path);
        if from.is_file() {
            make_folder_like(self.from, self.to, path.parent().unwrap_or(path))?;
            copy_file(&from, &self.to.join(path))?;
        }
        Ok(())
    }

    /// Gives a file that never changes a second name, or copies it to another file system. One that
    /// is gone or was there before is skipped.
    fn link(&self, path: &Path) -> Result<(), StoreError> {
        make_folder_like(self.from, self.to, path.parent().unwrap_or(path))?;
        let to = self.to.join(path);
        match std::fs::hard_link(self.from.join(path), &to) {
            Ok(()) => Ok(()),
            Err(why) if matches!(why.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) => Ok(()),
            Err(_) => match copy_file(&self.from.join(path), &to) {
                Err(why) if why.kind() != ErrorKind::NotFound => Err(why.into()),
                _ => Ok(()),
            },
        }
    }

    /// Copies everything that is not copied in its own way: settings, component files, templates,
    /// keys. Other backups are left out.
    fn others(&self, folder: &Path) -> Result<(), StoreError> {
        for file in fs::read_dir(self.from.join(folder))? {
            let (file, top) = (file?, folder.as_os_str().is_empty());
            let path = folder.join(file.file_name());
            let apart = top && APART.iter().any(|name| path.as_os_str() == *name);
            let copies = file.path() == self.to || file.path().join(MANIFEST).exists();
            match file.file_type()? {
                _ if apart || copies => {}
                kind if kind.is_dir() => self.others(&path)?,
                _ => self.copy(&path)?,
            }
        }
        Ok(())
    }

    fn mails(&self, folder: &Maildir) -> Result<(), StoreError> {
        self.mails_of(folder, |_| true)
    }

    /// Copies the mails of a folder whose names are wanted.
    fn mails_of(&self, folder: &Maildir, wanted: impl Fn(&str) -> bool) -> Result<(), StoreError> {
        for entry in folder.list()?.into_iter().filter(|entry| wanted(&entry.unique)) {
            self.link(self.inside(&entry.path))?;
        }
        Ok(())
    }

    /// Returns a path relative to the folder that is copied.
    fn inside<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(self.from).unwrap_or(path)
    }

    /// Copies the letters that were handed over or refused, and the mails that were filed, with the
    /// reasons noted next to them.
    fn letters(&self, host: &Host) -> Result<(), StoreError> {
        for folder in [MailFolder::Sent, MailFolder::Refused, MailFolder::Poison] {
            let folder = host.mail(folder)?;
            self.mails(&folder)?;
            for file in fs::read_dir(folder.root())? {
                let path = file?.path();
                if path.extension().is_some_and(|extension| extension == "why") {
                    self.link(self.inside(&path))?;
                }
            }
        }
        Ok(())
    }

    /// Copies all games, also those that are opened meanwhile, and returns them.
    fn games(&self, host: &Host) -> Result<BTreeSet<String>, StoreError> {
        let mut done = BTreeSet::new();
        while let Some(game) = host.games()?.into_iter().find(|game| !done.contains(game)) {
            let _lock = JournalFile::lock(&host.journal(&game))?;
            for file in [host.journal(&game), host.secrets(&game)] {
                self.copy(self.inside(&file))?;
            }
            self.mails_of(&host.mail(MailFolder::Out)?, |name| game_in(name) == game)?;
            for mail in taken::of_game(host, &game)? {
                self.link(self.inside(&taken::path(host, &game, &mail.hash)))?;
            }
            done.insert(game);
        }
        Ok(done)
    }
}
