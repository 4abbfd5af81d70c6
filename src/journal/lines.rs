//! Reading a journal line by line, in memory that does not grow with it.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

use super::entry::MAX_LINE;

/// What every line of a journal holds, in the order in which it stands there.
const MARKS: [&[u8]; 5] = [b"{\"at\":\"", b"\"body\":{", b"\"hash\":\"", b"\"kind\":\"", b"\"prev\":\""];

/// Whether a file that begins with these bytes can be a journal, be it damaged: two marks of a line stand in its first 64 KiB, where its
/// first line must have ended. Of a picture, a mail or an empty file it need not be asked what it proves.
#[must_use]
pub fn can_be_journal(begin: &[u8]) -> bool {
    let begin = &begin[..begin.len().min(MAX_LINE)];
    let holds = |mark: &&&[u8]| begin.windows(mark.len()).any(|bytes| bytes == **mark);
    MARKS.iter().filter(holds).take(2).count() == 2
}

/// The lines of a journal from its start, one buffer for all. It neither locks nor changes the file.
#[derive(Debug)]
pub struct Lines<R> {
    reader: BufReader<R>,
    buffer: Vec<u8>,
    /// How many whole lines were read.
    count: u64,
    /// How many bytes they have together.
    bytes: u64,
}

/// Why the next line cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LinesFault {
    /// The file could not be read.
    #[error("reading line {} of the file: {error}", n + 1)]
    Io {
        /// n of the line.
        n: u64,
        /// What the system said.
        error: io::Error,
    },
    /// More than 64 KiB without a newline.
    #[error("line {} of the file is longer than {MAX_LINE} bytes", n + 1)]
    TooLong {
        /// n of the line.
        n: u64,
    },
    /// The file ends without a newline: the last line was torn.
    #[error("line {} of the file is torn: it ends after {bytes} bytes of it, without a newline", n + 1)]
    Torn {
        /// n of the line.
        n: u64,
        /// How much of it is there.
        bytes: usize,
    },
}

impl Lines<File> {
    /// Opens a file for reading.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Lines<File>> {
        fs_err::File::open(path.as_ref()).map(|file| Lines::new(file.into_file()))
    }
}

impl<R: Read> Lines<R> {
    /// Reads from anything that gives the bytes of a journal.
    pub fn new(reader: R) -> Lines<R> {
        Lines { reader: BufReader::with_capacity(MAX_LINE, reader), buffer: Vec::new(), count: 0, bytes: 0 }
    }

    /// The next line without its newline; `None` at the end of the file.
    ///
    /// # Errors
    /// [`LinesFault`] when the file cannot be read or its next line has no end within 64 KiB.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, LinesFault> {
        self.buffer.clear();
        let n = self.count;
        let mut limited = (&mut self.reader).take(MAX_LINE as u64);
        limited.read_until(b'\n', &mut self.buffer).map_err(|error| LinesFault::Io { n, error })?;
        match self.buffer.strip_suffix(b"\n") {
            Some(line) => {
                self.count += 1;
                self.bytes += line.len() as u64 + 1;
                Ok(Some(line))
            }
            None if self.buffer.is_empty() => Ok(None),
            None if self.buffer.len() == MAX_LINE => Err(LinesFault::TooLong { n }),
            None => Err(LinesFault::Torn { n, bytes: self.buffer.len() }),
        }
    }

    /// How many whole lines were read so far.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How many bytes those lines have, newlines counted.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_newlines_and_nothing_else_does() {
        let mut lines = Lines::new(&b"a\r\n\nb\nc"[..]);
        assert_eq!(lines.next_line().unwrap(), Some(&b"a\r"[..]));
        assert_eq!(lines.next_line().unwrap(), Some(&b""[..]));
        assert_eq!(lines.next_line().unwrap(), Some(&b"b"[..]));
        assert_eq!((lines.count(), lines.bytes()), (3, 6));
        assert!(matches!(lines.next_line(), Err(LinesFault::Torn { n: 3, bytes: 1 })));
        assert!(Lines::new(&b""[..]).next_line().unwrap().is_none());
    }

    /// Whatever is done to one place of its first line, a journal stays one: it is damaged, and that is said of it.
    #[test]
    fn a_damaged_journal_is_told_from_what_is_none() {
        let journal = include_bytes!("../../tests/vectors/journal.jsonl");
        let line = &journal[..journal.iter().position(|&byte| byte == b'\n').unwrap()];
        assert!(can_be_journal(journal) && can_be_journal(line));
        for at in 0..line.len() {
            let damaged = [&line[..at], &b"\xff"[..], &line[at + 1..]].concat();
            assert!(can_be_journal(&damaged), "byte {at}");
            assert!(at < 40 || can_be_journal(&line[..at]), "the first {at} bytes");
        }
        let long = [vec![b' '; MAX_LINE], line.to_vec()].concat();
        for none in [
            &b""[..],
            b"\n",
            b"{",
            b"[]",
            b"\xff\xd8\xff\xe0",
            b"From: a@b.example\n\nbid 1\n",
            b"{\"kind\":\"key\"}",
            &long,
        ] {
            assert!(!can_be_journal(none), "{}", String::from_utf8_lossy(&none[..none.len().min(40)]));
        }
    }

    #[test]
    fn a_line_without_end_is_not_read_whole() {
        let mut lines = Lines::new(io::repeat(b'x'));
        assert!(matches!(lines.next_line(), Err(LinesFault::TooLong { n: 0 })));
        let longest = [vec![b'x'; MAX_LINE - 1], vec![b'\n']].concat();
        assert_eq!(Lines::new(&longest[..]).next_line().unwrap().map(<[u8]>::len), Some(MAX_LINE - 1));
    }
}
