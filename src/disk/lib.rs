//! The system calls that change a host's files, in one place.
//!
//! Everything that must survive a crash goes through this crate: appending, truncating, syncing,
//! publishing a file under its final name, renaming and removing. Other crates only read files. The
//! tests can therefore make any of these calls the last one of a program, or make it fail, and
//! check that the next start recovers (see the module `faults`). Outside the tests, each function
//! only makes the system call.

#[cfg(any(test, feature = "testing"))]
pub mod faults;

use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    path::Path,
};

use fs_err as fs;
use tempfile::NamedTempFile;

/// A change that is about to be made.
#[derive(Clone, Copy, Debug)]
pub enum Call<'c> {
    /// Creates a file.
    Create(&'c Path),
    /// Appends bytes to a file.
    Write(&'c Path, &'c [u8]),
    /// Truncates or extends a file.
    Cut(&'c Path),
    /// Syncs the contents of a file.
    Sync(&'c Path),
    /// Syncs the listing of a folder.
    SyncFolder(&'c Path),
    /// Moves a file from the first path to the second, which must not exist.
    Publish(&'c Path, &'c Path),
    /// Moves a file from the first path to the second, replacing any file there.
    Rename(&'c Path, &'c Path),
    /// Removes a file.
    Remove(&'c Path),
}

/// Makes a change. In tests, `faults` can make it fail.
fn change<T>(call: Call<'_>, make: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    #[cfg(any(test, feature = "testing"))]
    return faults::change(call, make);
    #[cfg(not(any(test, feature = "testing")))]
    {
        let _ = call;
        make()
    }
}

/// Makes a change durable. In tests, `faults` may only record it.
fn settle(call: Call<'_>, make: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    #[cfg(any(test, feature = "testing"))]
    return faults::settle(call, make);
    #[cfg(not(any(test, feature = "testing")))]
    {
        let _ = call;
        make()
    }
}

/// Creates a file with the given options and `create_new`.
pub fn create(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    change(Call::Create(path), || options.create_new(true).open(path))
}

/// Appends bytes to a file that was opened for appending. `path` is its path.
pub fn append(mut file: &File, path: &Path, bytes: &[u8]) -> io::Result<()> {
    change(Call::Write(path, bytes), || file.write_all(bytes))
}

/// Sets the length of a file. `path` is its path.
pub fn cut(file: &File, path: &Path, length: u64) -> io::Result<()> {
    change(Call::Cut(path), || file.set_len(length))
}

/// Sets the length of a file whose only content is its length. Errors are ignored, and no faults
/// are injected, because losing the length does no harm.
pub fn note_length(file: &File, length: u64) {
    let _ = file.set_len(length);
}

/// Syncs the contents of a file and the metadata needed to read them.
pub fn sync_data(file: &File, path: &Path) -> io::Result<()> {
    settle(Call::Sync(path), || file.sync_data())
}

/// Syncs the contents and all metadata of a file.
pub fn sync_all(file: &File, path: &Path) -> io::Result<()> {
    settle(Call::Sync(path), || file.sync_all())
}

/// Syncs the contents and all metadata of several files on one file system. Linux syncs that file
/// system once, which takes no longer than a few files do.
pub fn sync_files<'f>(files: impl IntoIterator<Item = (&'f File, &'f Path)>) -> io::Result<()> {
    let mut synced = false;
    for (file, path) in files {
        settle(Call::Sync(path), || if synced { Ok(()) } else { sync_file_system(file) })?;
        synced = cfg!(target_os = "linux");
    }
    Ok(())
}

#[cfg(target_os = "linux")]
fn sync_file_system(file: &File) -> io::Result<()> {
    Ok(rustix::fs::syncfs(file)?)
}

#[cfg(not(target_os = "linux"))]
fn sync_file_system(file: &File) -> io::Result<()> {
    file.sync_all()
}

/// Syncs the listing of a folder: names that were added or removed.
///
/// Only Unix can sync folders. Elsewhere this does nothing and relies on the syncs of the files.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if !cfg!(unix) {
        return Ok(());
    }
    settle(Call::SyncFolder(folder), || fs::File::open(folder)?.sync_all())
}

/// Syncs the folder that contains a file.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    sync_folder(path.parent().unwrap_or(Path::new(".")))
}

/// Gives a temporary file its final name.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] if another file has that name.
pub fn publish(file: NamedTempFile, to: &Path) -> io::Result<()> {
    let from = file.path().to_owned();
    change(Call::Publish(&from, to), || {
        let named = |why: io::Error| io::Error::new(why.kind(), format!("{}: {why}", to.display()));
        file.persist_noclobber(to).map(|_| ()).map_err(|fault| named(fault.error))
    })
}

/// Renames a file, replacing any file that already has the new name.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    change(Call::Rename(from, to), || fs::rename(from, to))
}

/// Removes a file.
pub fn remove(path: &Path) -> io::Result<()> {
    change(Call::Remove(path), || fs::remove_file(path))
}

/// Writes a file that can be regenerated, readable only by its owner, replacing any file of that
/// name.
///
/// Readers see either the old or the new contents. After a power cut the file may be missing or
/// empty.
pub fn put_helper(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = tempfile::Builder::new().prefix(".").suffix(".tmp").tempfile_in(folder)?;
    append(file.as_file(), file.path(), bytes)?;
    let (_, from) = file.keep().map_err(|fault| fault.error)?;
    rename(&from, path)
}

/// Writes a file atomically, replacing any file of that name. It is durable when this returns.
pub fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = tempfile::Builder::new().prefix(".").suffix(".tmp").tempfile_in(folder)?;
    append(file.as_file(), file.path(), bytes)?;
    sync_all(file.as_file(), file.path())?;
    let (_, from) = file.keep().map_err(|fault| fault.error)?;
    rename(&from, path)?;
    sync_folder(folder)
}
