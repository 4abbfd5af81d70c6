//! The bytes of a journal, in a file or in memory.

use postrider_journal::Lines;
use std::{
    io::{self, Cursor, Read},
    path::{Path, PathBuf},
    sync::Arc,
};

/// A journal that can be read from its start as often as needed.
#[derive(Clone, Debug)]
pub enum Source {
    /// A file on disk.
    File(PathBuf),
    /// Its bytes in memory.
    Bytes(Arc<[u8]>),
}

impl From<&Path> for Source {
    fn from(path: &Path) -> Self {
        Source::File(path.to_owned())
    }
}

impl From<&[u8]> for Source {
    fn from(bytes: &[u8]) -> Self {
        Source::Bytes(bytes.into())
    }
}

impl Source {
    /// Returns all bytes.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn bytes(&self) -> io::Result<Arc<[u8]>> {
        #[cfg(any(test, feature = "testing"))]
        self.count_opening();
        match self {
            Source::File(path) => Ok(fs_err::read(path)?.into()),
            Source::Bytes(bytes) => Ok(bytes.clone()),
        }
    }

    /// Returns the lines, from the first one.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened.
    pub fn lines(&self) -> io::Result<Lines<Box<dyn Read>>> {
        #[cfg(any(test, feature = "testing"))]
        {
            READ.set(READ.get() + 1);
            self.count_opening();
        }
        Ok(Lines::new(match self {
            Source::File(path) => Box::new(fs_err::File::open(path)?),
            Source::Bytes(bytes) => Box::new(Cursor::new(bytes.clone())),
        }))
    }

    #[cfg(any(test, feature = "testing"))]
    fn count_opening(&self) {
        OPENED.set(OPENED.get() + u64::from(matches!(self, Source::File(_))));
    }
}

#[cfg(any(test, feature = "testing"))]
thread_local! {
    /// The number of times that this thread has begun to read a journal.
    pub static READ: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
    /// The number of times that this thread has opened a journal file.
    pub static OPENED: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}
