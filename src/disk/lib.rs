//! The system calls by which a host's files change, in one place.
//!
//! Whatever must survive a crash goes through here: appending, cutting, syncing, publishing a file under its name, moving
//! and removing it. Elsewhere files are only read. So the tests can let any of these calls be the last one that a program
//! made, or fail, and look at what the next start makes of it (the tests' module `faults`). Outside the tests a call here
//! is the system's call and nothing else.

#[cfg(any(test, feature = "testing"))]
pub mod faults;

use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    path::Path,
};

use fs_err as fs;
use tempfile::NamedTempFile;

/// One change that is about to be made.
#[derive(Clone, Copy, Debug)]
pub enum Call<'c> {
    /// A new file of this name.
    Create(&'c Path),
    /// Bytes at the end of a file.
    Write(&'c Path, &'c [u8]),
    /// A file is cut to a length.
    Cut(&'c Path),
    /// A file's bytes are made safe.
    Sync(&'c Path),
    /// What a folder lists is made safe.
    SyncFolder(&'c Path),
    /// A file gets a name, which it had not before (the first path is where it lay).
    Publish(&'c Path, &'c Path),
    /// A file goes from one name to another, in place of what had it.
    Rename(&'c Path, &'c Path),
    /// A file is no longer listed.
    Remove(&'c Path),
}

/// Makes a change. In the tests, `faults` is asked first.
fn change<T>(call: Call<'_>, make: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    #[cfg(any(test, feature = "testing"))]
    return faults::change(call, make);
    #[cfg(not(any(test, feature = "testing")))]
    {
        let _ = call;
        make()
    }
}

/// Makes safe what was changed. In the tests, `faults` may do it in its books alone.
fn settle(call: Call<'_>, make: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    #[cfg(any(test, feature = "testing"))]
    return faults::settle(call, make);
    #[cfg(not(any(test, feature = "testing")))]
    {
        let _ = call;
        make()
    }
}

/// Opens a new file with these options, to which `create_new` is added.
pub fn create(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    change(Call::Create(path), || options.create_new(true).open(path))
}

/// Appends bytes to a file that was opened for appending; `path` is where it lies.
pub fn append(mut file: &File, path: &Path, bytes: &[u8]) -> io::Result<()> {
    change(Call::Write(path, bytes), || file.write_all(bytes))
}

/// Cuts a file to a length.
pub fn cut(file: &File, path: &Path, length: u64) -> io::Result<()> {
    change(Call::Cut(path), || file.set_len(length))
}

/// Sets the length of a file whose length alone is a note. No fault is made up for it: what cannot be noted is of no harm.
pub fn note_length(file: &File, length: u64) {
    let _ = file.set_len(length);
}

/// Makes a file's bytes safe, and of what the system notes about it as much as is needed to read them again.
pub fn sync_data(file: &File, path: &Path) -> io::Result<()> {
    settle(Call::Sync(path), || file.sync_data())
}

/// Makes a file safe with all that the system notes about it.
pub fn sync_all(file: &File, path: &Path) -> io::Result<()> {
    settle(Call::Sync(path), || file.sync_all())
}

/// Makes safe what a folder lists: new names, and that removed ones are gone. Only Unix has folders that can be synced;
/// elsewhere the files' own syncs must do.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if !cfg!(unix) {
        return Ok(());
    }
    settle(Call::SyncFolder(folder), || fs::File::open(folder)?.sync_all())
}

/// Makes safe that a file is listed in its folder.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    sync_folder(path.parent().unwrap_or(Path::new(".")))
}

/// Gives a file its name, unless another has it: [`io::ErrorKind::AlreadyExists`].
pub fn publish(file: NamedTempFile, to: &Path) -> io::Result<()> {
    let from = file.path().to_owned();
    change(Call::Publish(&from, to), || {
        let named = |why: io::Error| io::Error::new(why.kind(), format!("{}: {why}", to.display()));
        file.persist_noclobber(to).map(|_| ()).map_err(|fault| named(fault.error))
    })
}

/// Moves a file, in place of one that has the name already.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    change(Call::Rename(from, to), || fs::rename(from, to))
}

/// Removes a file.
pub fn remove(path: &Path) -> io::Result<()> {
    change(Call::Remove(path), || fs::remove_file(path))
}

/// Writes a file that can be made again from others, readable by its owner alone: whoever reads it sees it whole or as it was,
/// and after a power cut it may be gone or empty. One of that name is replaced.
pub fn put_helper(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = tempfile::Builder::new().prefix(".").suffix(".tmp").tempfile_in(folder)?;
    append(file.as_file(), file.path(), bytes)?;
    let (_, from) = file.keep().map_err(|fault| fault.error)?;
    rename(&from, path)
}

/// Writes a file of its own: it is there whole or not at all, and safe when this returns. One of that name is replaced.
pub fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = tempfile::Builder::new().prefix(".").suffix(".tmp").tempfile_in(folder)?;
    append(file.as_file(), file.path(), bytes)?;
    sync_all(file.as_file(), file.path())?;
    let (_, from) = file.keep().map_err(|fault| fault.error)?;
    rename(&from, path)?;
    sync_folder(folder)
}
