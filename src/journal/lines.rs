//! Reading a journal line by line in constant memory.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

use super::entry::MAX_LINE;

/// Parts of every line of a journal, in their order.
const MARKS: [&[u8]; 5] = [b"{\"at\":\"", b"\"body\":{", b"\"hash\":\"", b"\"kind\":\"", b"\"prev\":\""];

/// Returns `true` if a file that begins with these bytes may be a journal, even a damaged one: its
/// first 64 KiB, the maximum length of the first line, contain two of the parts of a line. There is
/// no use in checking other files, such as pictures, mails or empty files.
#[must_use]
pub fn can_be_journal(begin: &[u8]) -> bool {
    let begin = &begin[..begin.len().min(MAX_LINE)];
    let holds = |mark: &&&[u8]| begin.windows(mark.len()).any(|bytes| bytes == **mark);
    MARKS.iter().filter(holds).take(2).count() == 2
}

/// The lines of a journal from its start, read into one buffer. It neither locks nor changes the
/// file.
#[derive(Debug)]
pub struct Lines<R> {
    reader: BufReader<R>,
    buffer: Vec<u8>,
    /// Number of complete lines read.
    count: u64,
    /// Their total length in bytes.
    bytes: u64,
}

/// An error of reading the next line.
#[derive(Debug, thiserror::Error)]
pub enum LinesFault {
    /// The file could not be read.
    #[error("reading line {} of the file: {error}", n + 1)]
    Io {
        /// The `n` of the line.
        n: u64,
        /// The system's error.
        error: io::Error,
    },
    /// More than 64 KiB without a newline.
    #[error("line {} of the file is longer than {MAX_LINE} bytes", n + 1)]
    TooLong {
        /// The `n` of the line.
        n: u64,
    },
    /// The file ends without a newline, so the last line is torn.
    #[error("line {} of the file is incomplete: it ends after {bytes} bytes, without a newline", n + 1)]
    Torn {
        /// The `n` of the line.
        n: u64,
        /// Number of bytes of the torn line.
        bytes: usize,
    },
}

impl Lines<File> {
    /// Opens a file for reading.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Lines<File>> {
        fs_err::File::open(path.as_ref()).map(|file| Lines::new(file.into_file()))
    }
}

impl<R: Read> Lines<R> {
    /// Creates a reader of the lines in `reader`.
    pub fn new(reader: R) -> Lines<R> {
        Lines { reader: BufReader::with_capacity(MAX_LINE, reader), buffer: Vec::new(), count: 0, bytes: 0 }
    }

    /// Returns the next line without its newline, or `None` at the end of the file.
    ///
    /// # Errors
    /// [`LinesFault`] if the file cannot be read, or the next line does not end within 64 KiB or
    /// before the end of the file.
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

    /// Returns the number of complete lines read so far.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the total length of those lines in bytes, including newlines.
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
