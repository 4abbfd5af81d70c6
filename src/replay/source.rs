//! The bytes of a journal, in a file or in memory.

use super::fault::ReplayFault;
use postrider_journal::{Lines, LinesFault};
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
    /// Returns a journal without a torn last line, and the fault of that line, if there is one:
    /// either another process is writing it, or it will be removed when the game continues.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or if another line is faulty.
    pub fn whole(path: &Path) -> Result<(Source, Option<LinesFault>), ReplayFault> {
        let source = Source::from(path);
        let mut lines = source.lines()?;
        loop {
            match lines.next_line() {
                Ok(Some(_)) => {}
                Ok(None) => return Ok((source, None)),
                Err(why @ LinesFault::Torn { .. }) => {
                    let bytes = source.bytes()?;
                    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
                    return Ok((Source::from(bytes.get(..whole).unwrap_or_default()), Some(why)));
                }
                Err(why) => return Err(why.into()),
            }
        }
    }

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
