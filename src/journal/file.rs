//! A journal on disk: one writer at a time, atomic appends, and recovery from a torn one.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use super::{
    entry::{Line, LineFault, MAX_LINE},
    lines::{Lines, LinesFault},
    receipt::Head,
    spelling::entry_in_file,
};
use postrider_dice::Hash;
use postrider_disk as disk;

/// Timeout for a journal that another process has locked. It is much longer than any command takes,
/// and shorter than the time that a mail system allows the program to which it delivers a mail.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Interval between attempts to lock a journal.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// The handle for appending to a journal. It holds the file's exclusive lock as long as it lives.
#[derive(Debug)]
pub struct JournalFile {
    file: File,
    path: PathBuf,
    head: Option<Head>,
    cut: u64,
    /// `true` if lines of an earlier process may not have been synced.
    unsettled: bool,
    /// `true` after the first failed write or sync, when the contents on disk are unknown.
    poisoned: bool,
}

/// An error of opening a journal or appending to it.
#[derive(Debug, thiserror::Error)]
pub enum FileFault {
    /// Another process had the journal locked until the timeout.
    #[error("{} is in use by another process; try again when that has ended", path.display())]
    Locked {
        /// The journal.
        path: PathBuf,
    },
    /// A system call failed before anything was written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The journal.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The file is not a journal, or a complete line is damaged. Nothing was changed.
    #[error("{}: {what}", path.display())]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// The damage.
        what: String,
    },
    /// The bytes to append are not the next complete lines. Nothing was written.
    #[error("{}: the lines do not continue the journal: {what}", path.display())]
    NotNext {
        /// The journal.
        path: PathBuf,
        /// The mismatch.
        what: String,
    },
    /// A write or sync failed, now or earlier, so that the contents on disk are unknown. The
    /// program must end; the next start reads the actual contents.
    #[error("{}: a write failed, so the contents on disk are unknown; the program must end ({what})", path.display())]
    Fatal {
        /// The journal.
        path: PathBuf,
        /// The system's error.
        what: String,
    },
}

impl JournalFile {
    /// Creates an empty, locked journal. Its directory entry is durable when this returns.
    ///
    /// # Errors
    /// [`FileFault::Io`] if the file already exists or cannot be created.
    pub fn create(path: impl AsRef<Path>) -> Result<JournalFile, FileFault> {
        let path = path.as_ref();
        let made = || -> io::Result<File> {
            let file = disk::create(path, OpenOptions::new().read(true).append(true))?;
            file.lock()?;
            // Another process may have opened and written to it in between.
            if file.metadata()?.len() > 0 {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            disk::sync_all(&file, path)?;
            disk::sync_folder_of(path)?;
            Ok(file)
        };
        let file = made().map_err(|error| FileFault::Io { path: path.to_owned(), error })?;
        Ok(JournalFile { file, path: path.to_owned(), head: None, cut: 0, unsettled: false, poisoned: false })
    }

    /// Opens a journal for appending and removes a torn last line. Waits up to [`PATIENCE`] for
    /// another process.
    ///
    /// # Errors
    /// [`FileFault::Locked`], [`FileFault::Io`], or [`FileFault::Damaged`] if the last complete
    /// line is not a line of a journal. Earlier lines are not checked; a [`super::Checker`] does
    /// that.
    pub fn open(path: impl AsRef<Path>) -> Result<JournalFile, FileFault> {
        JournalFile::open_within(path, PATIENCE)
    }

    /// Opens a journal like [`JournalFile::open`], but does not sync the lines of an earlier
    /// process.
    ///
    /// The first append syncs them, as does [`JournalFile::settle`]. Call `settle` before anything
    /// else that depends on those lines. `known` is the last line and the length in bytes from an
    /// earlier use. If the journal still ends like that, nothing needs to be synced.
    ///
    /// # Errors
    /// Like [`JournalFile::open`].
    pub fn open_known(path: impl AsRef<Path>, known: Option<(&Head, u64)>) -> Result<JournalFile, FileFault> {
        JournalFile::open_waiting(path.as_ref(), PATIENCE, known)
    }

    /// Opens a journal like [`JournalFile::open`], but waits up to `patience` for another process.
    ///
    /// # Errors
    /// Like [`JournalFile::open`].
    pub fn open_within(path: impl AsRef<Path>, patience: Duration) -> Result<JournalFile, FileFault> {
        JournalFile::open_waiting(path.as_ref(), patience, None).and_then(JournalFile::settled)
    }

    /// Locks a journal without reading or changing it, until the result is dropped. Waits up to
    /// [`PATIENCE`] for another process.
    ///
    /// # Errors
    /// [`FileFault::Locked`] or [`FileFault::Io`].
    pub fn lock(path: &Path) -> Result<File, FileFault> {
        locked(path, PATIENCE)
    }

    fn settled(mut self) -> Result<JournalFile, FileFault> {
        self.settle()?;
        Ok(self)
    }

    /// Syncs lines that an earlier process wrote and may not have synced before it ended.
    ///
    /// # Errors
    /// [`FileFault::Fatal`] if the sync failed, now or earlier.
    pub fn settle(&mut self) -> Result<(), FileFault> {
        self.alive()?;
        if self.unsettled {
            disk::sync_all(&self.file, &self.path).map_err(|error| self.poison(&error))?;
            self.unsettled = false;
        }
        Ok(())
    }

    fn open_waiting(path: &Path, patience: Duration, known: Option<(&Head, u64)>) -> Result<JournalFile, FileFault> {
        let fault = |error| FileFault::Io { path: path.to_owned(), error };
        let (file, path) = (locked(path, patience)?, path.to_owned());
        let mut journal = JournalFile { file, path, head: None, cut: 0, unsettled: false, poisoned: false };
        match known {
            Some((head, length)) if journal.ends_with(head, length).map_err(fault)? => {
                journal.head = Some(head.clone());
            }
            _ => journal.recover()?,
        }
        Ok(journal)
    }

    /// Removes everything after the last newline and reads the line before it.
    fn recover(&mut self) -> Result<(), FileFault> {
        let (length, tail) = self.tail().map_err(|error| self.io(error))?;
        let whole = tail.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let torn = tail.len() - whole;
        // A line has at most 64 KiB, so a longer piece without a newline does not come from this
        // program and must not be removed.
        if torn >= MAX_LINE {
            return Err(self.damaged("it ends in more than 64 KiB without a newline: this is no journal"));
        }
        let head = match tail[..whole].strip_suffix(b"\n") {
            None => None,
            Some(lines) => {
                let start = lines.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
                let last = chained(&lines[start..]).map_err(|what| self.damaged(format!("the last line: {what}")))?;
                Some(Head { game: self.game()?, n: last.n, hash: last.hash })
            }
        };
        // The process that wrote the last lines may have ended before they were synced, and
        // everything from now on depends on them. The folder was synced before the first line was
        // written.
        let whole = match (torn, &head) {
            (0, Some(_)) => Ok(()),
            (0, None) => disk::sync_all(&self.file, &self.path).and_then(|()| disk::sync_folder_of(&self.path)),
            (_, Some(_)) => self.cut_to(length - torn as u64),
            (_, None) => self.cut_to(length - torn as u64).and_then(|()| disk::sync_folder_of(&self.path)),
        };
        whole.map_err(|error| self.io(error))?;
        self.unsettled = torn == 0 && head.is_some();
        self.head = head;
        self.cut = torn as u64;
        Ok(())
    }

    /// Returns `true` if the file has this length and this last line.
    fn ends_with(&mut self, head: &Head, length: u64) -> io::Result<bool> {
        if self.file.metadata()?.len() != length {
            return Ok(false);
        }
        self.file.seek(SeekFrom::Start(length.saturating_sub(MAX_LINE as u64)))?;
        let mut tail = Vec::with_capacity(MAX_LINE);
        (&self.file).take(MAX_LINE as u64).read_to_end(&mut tail)?;
        let Some(lines) = tail.strip_suffix(b"\n") else { return Ok(false) };
        let start = lines.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        Ok(chained(&lines[start..]).is_ok_and(|last| (last.n, last.hash) == (head.n, head.hash)))
    }

    /// Returns the game named in the first line.
    fn game(&mut self) -> Result<String, FileFault> {
        let found = match self.lines()?.next_line() {
            Ok(Some(first)) => Line::parse(first).ok().and_then(|line| line.opened_game()),
            Err(LinesFault::Io { error, .. }) => return Err(self.io(error)),
            Ok(None) | Err(_) => None,
        };
        found.ok_or_else(|| self.damaged("the first line does not open a game"))
    }

    /// Returns the length in bytes.
    ///
    /// # Errors
    /// [`FileFault::Io`] if the system cannot report it.
    pub fn length(&self) -> Result<u64, FileFault> {
        self.file.metadata().map(|about| about.len()).map_err(|error| self.io(error))
    }

    /// Returns the length of the file and its last bytes, enough for a torn line and the complete
    /// one before it.
    fn tail(&mut self) -> io::Result<(u64, Vec<u8>)> {
        let length = self.file.seek(SeekFrom::End(0))?;
        self.file.seek(SeekFrom::Start(length.saturating_sub(2 * MAX_LINE as u64)))?;
        let mut tail = Vec::new();
        (&self.file).take(2 * MAX_LINE as u64).read_to_end(&mut tail)?;
        Ok((length, tail))
    }

    /// Returns the last line, or `None` if the journal is empty.
    #[must_use]
    pub fn head(&self) -> Option<&Head> {
        self.head.as_ref()
    }

    /// Returns the number of bytes of a torn last line that were removed at opening.
    #[must_use]
    pub fn cut(&self) -> u64 {
        self.cut
    }

    /// Returns the path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the lines from the start, read through this handle and under its lock.
    ///
    /// # Errors
    /// [`FileFault::Io`] if the file cannot be read.
    pub fn lines(&mut self) -> Result<Lines<&File>, FileFault> {
        match self.file.rewind() {
            Ok(()) => Ok(Lines::new(&self.file)),
            Err(error) => Err(self.io(error)),
        }
    }

    /// Appends one or more complete lines with one write. They are durable when this returns.
    ///
    /// # Errors
    /// [`FileFault::NotNext`] if the lines do not continue the hash chain; nothing was written.
    /// [`FileFault::Fatal`] if the write or sync failed. The contents on disk are then unknown, all
    /// later calls fail too, and the program must end.
    pub fn append(&mut self, lines: &[u8]) -> Result<(), FileFault> {
        self.alive()?;
        let head = self.continues(lines).map_err(|what| FileFault::NotNext { path: self.path.clone(), what })?;
        if let Err(error) =
            disk::append(&self.file, &self.path, lines).and_then(|()| disk::sync_data(&self.file, &self.path))
        {
            return Err(self.poison(&error));
        }
        // The sync covers all bytes of the file, including those of earlier processes.
        (self.head, self.unsettled) = (Some(head), false);
        Ok(())
    }

    /// Returns the head after `lines` if they continue the hash chain.
    fn continues(&self, lines: &[u8]) -> Result<Head, String> {
        let whole = lines.strip_suffix(b"\n").ok_or("the last line has no newline")?;
        let mut head = self.head.clone();
        for text in whole.split(|&byte| byte == b'\n') {
            let line = chained(text)?;
            let (game, n, prev) = match head {
                Some(head) => (head.game, head.n + 1, head.hash),
                None => (line.opened_game().ok_or("the first line does not open a game")?, 0, Hash::ZERO),
            };
            if (line.n, line.prev) != (n, prev) {
                return Err(format!("line n = {} does not follow where n = {n} of {game} belongs", line.n));
            }
            head = Some(Head { game, n, hash: line.hash });
        }
        head.ok_or_else(|| "there is none".to_owned())
    }

    /// Removes all lines after line `n`, which becomes the head. `None` empties the journal.
    ///
    /// Only for the rest of a command that was partly appended when the machine failed, so that
    /// nobody has seen it. A line that anyone has seen is never removed; use `rewound` instead.
    ///
    /// # Errors
    /// [`FileFault::Damaged`] if there is no line `n` or it is not a line of a journal.
    /// [`FileFault::Fatal`] if the truncation fails.
    pub fn truncate_after(&mut self, n: Option<u64>) -> Result<(), FileFault> {
        self.alive()?;
        let (length, head) = match n {
            None => (0, None),
            Some(n) => self.line_end(n).map(|(length, head)| (length, Some(head)))?,
        };
        if let Err(error) = self.cut_to(length) {
            return Err(self.poison(&error));
        }
        (self.head, self.unsettled) = (head, false);
        Ok(())
    }

    /// Returns the offset after line `n`, and that line as a head.
    fn line_end(&mut self, n: u64) -> Result<(u64, Head), FileFault> {
        let (path, game) = (self.path.clone(), self.game()?);
        let damaged = |what| FileFault::Damaged { path: path.clone(), what };
        let mut lines = self.lines()?;
        loop {
            let at = lines.count();
            let text = match lines.next_line() {
                Ok(Some(text)) => text,
                Ok(None) => return Err(damaged(format!("it has {at} lines and no entry {n}"))),
                Err(LinesFault::Io { error, .. }) => return Err(FileFault::Io { path: path.clone(), error }),
                Err(fault) => return Err(damaged(fault.to_string())),
            };
            if at == n {
                let line = chained(text).map_err(|what| damaged(format!("{}: {what}", entry_in_file(n))))?;
                let head = Head { game, n: line.n, hash: line.hash };
                return Ok((lines.bytes(), head));
            }
        }
    }

    fn cut_to(&self, length: u64) -> io::Result<()> {
        disk::cut(&self.file, &self.path, length)?;
        disk::sync_all(&self.file, &self.path)
    }

    fn alive(&self) -> Result<(), FileFault> {
        if self.poisoned {
            return Err(FileFault::Fatal { path: self.path.clone(), what: "an earlier write failed".to_owned() });
        }
        Ok(())
    }

    fn poison(&mut self, error: &io::Error) -> FileFault {
        self.poisoned = true;
        FileFault::Fatal { path: self.path.clone(), what: error.to_string() }
    }

    fn io(&self, error: io::Error) -> FileFault {
        FileFault::Io { path: self.path.clone(), error }
    }

    fn damaged(&self, what: impl Into<String>) -> FileFault {
        FileFault::Damaged { path: self.path.clone(), what: what.into() }
    }
}

/// Parses a line and checks its own hash.
fn chained(text: &[u8]) -> Result<Line<'_>, String> {
    let line = Line::parse(text).map_err(|fault: LineFault| fault.to_string())?;
    if line.hash == line.entry_hash() { Ok(line) } else { Err("its hash does not fit its bytes".to_owned()) }
}

/// Opens a file for reading and appending, and locks it. Waits up to `patience` for another
/// process.
fn locked(path: &Path, patience: Duration) -> Result<File, FileFault> {
    let fault = |error| FileFault::Io { path: path.to_owned(), error };
    let file = OpenOptions::new().read(true).append(true).open(path).map_err(fault)?;
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if begun.elapsed() < patience => {}
            Err(TryLockError::WouldBlock) => return Err(FileFault::Locked { path: path.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(fault(error)),
        }
        if begun.elapsed() < LOOK_AGAIN {
            tracing::info!(journal = %path.display(), "in use by another process; waiting for it");
        }
        thread::sleep(LOOK_AGAIN);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{Body, Json, Ruling, Writer, testing::opened};

    const AT: &str = "2026-01-02T03:04:05Z";

    fn ruling(text: &str) -> Body<'_> {
        Body::Ruling(Ruling::new("host", text, Json::empty()))
    }

    fn three_lines() -> (Writer, Vec<String>) {
        let mut writer = Writer::new("my-game").unwrap();
        let bodies = [opened("my-game"), ruling("two"), ruling("three")];
        let lines = bodies.map(|body| writer.line(AT, &body).unwrap());
        (writer, lines.to_vec())
    }

    fn read(journal: &mut JournalFile) -> Vec<u8> {
        let mut all = Vec::new();
        let mut lines = journal.lines().unwrap();
        while let Some(line) = lines.next_line().unwrap() {
            all.extend_from_slice(line);
            all.push(b'\n');
        }
        all
    }

    #[test]
    fn what_was_appended_is_there_after_reopening_and_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my-game.jsonl");
        let (mut writer, lines) = three_lines();
        let mut journal = JournalFile::create(&path).unwrap();
        assert_eq!(journal.head(), None);
        journal.append(lines[0].as_bytes()).unwrap();
        journal.append(lines[1..].concat().as_bytes()).unwrap();
        assert_eq!(journal.head(), writer.head().as_ref());
        drop(journal);

        let mut journal = JournalFile::open(&path).unwrap();
        assert_eq!((journal.head(), journal.cut()), (writer.head().as_ref(), 0));
        assert_eq!(Writer::after(journal.head().unwrap()), writer);
        let fourth = writer.line(AT, &ruling("four")).unwrap();
        journal.append(fourth.as_bytes()).unwrap();
        assert_eq!(read(&mut journal), (lines.concat() + &fourth).as_bytes());
        assert!(matches!(JournalFile::create(&path), Err(FileFault::Io { .. })));
    }

    #[test]
    fn a_torn_last_line_is_cut_off_and_only_that() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my-game.jsonl");
        let (_, lines) = three_lines();
        let kept = lines[..2].concat();
        for torn in 0..lines[2].len() {
            fs::write(&path, format!("{kept}{}", &lines[2][..torn])).unwrap();
            let mut journal = JournalFile::open(&path).unwrap();
            assert_eq!((journal.cut(), journal.head().unwrap().n), (torn as u64, 1), "torn after {torn} bytes");
            assert_eq!(fs::read_to_string(&path).unwrap(), kept);
            journal.append(lines[2].as_bytes()).unwrap();
            assert_eq!(read(&mut journal), lines.concat().as_bytes());
        }
        fs::write(&path, &lines[0][..20]).unwrap();
        let journal = JournalFile::open(&path).unwrap();
        assert_eq!((journal.cut(), journal.head()), (20, None));
        drop(journal);
        fs::write(&path, &lines[1]).unwrap();
        assert!(matches!(JournalFile::open(&path), Err(FileFault::Damaged { .. })), "it opens no game");
    }

    #[test]
    fn a_damaged_whole_line_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my-game.jsonl");
        let (_, lines) = three_lines();
        let damaged = [
            lines.concat().replace("three", "thRee"),
            lines.concat() + "\n",
            lines.concat() + &"x".repeat(MAX_LINE),
            lines.concat() + &"\0".repeat(99) + "\n",
        ];
        for text in damaged {
            fs::write(&path, &text).unwrap();
            assert!(matches!(JournalFile::open(&path), Err(FileFault::Damaged { .. })));
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn only_the_next_whole_lines_are_appended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my-game.jsonl");
        let (_, lines) = three_lines();
        let mut other = Writer::new("other-game").unwrap();
        other.line(AT, &opened("other-game")).unwrap();
        let mut journal = JournalFile::create(&path).unwrap();
        journal.append(lines[0].as_bytes()).unwrap();
        let refused = [
            String::new(),
            "\n".to_owned(),
            lines[0].clone(),
            lines[2].clone(),
            lines[1].trim_end().to_owned(),
            lines[1].replace("two", "tow"),
            lines[1].clone() + &lines[1],
            other.line(AT, &ruling("two")).unwrap(),
        ];
        for bytes in refused {
            assert!(matches!(journal.append(bytes.as_bytes()), Err(FileFault::NotNext { .. })), "{bytes}");
            assert_eq!(fs::read_to_string(&path).unwrap(), lines[0]);
        }
        journal.append(lines[1..].concat().as_bytes()).unwrap();
    }

    #[test]
    fn one_writer_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my-game.jsonl");
        let journal = JournalFile::create(&path).unwrap();
        let begun = Instant::now();
        let refused = JournalFile::open_within(&path, Duration::from_millis(70)).unwrap_err();
        assert!(begun.elapsed() >= Duration::from_millis(70) && matches!(refused, FileFault::Locked { .. }));
        let words = refused.to_string();
        assert!(
            words.ends_with("my-game.jsonl is in use by another process; try again when that has ended"),
            "{words}"
        );
        assert!(matches!(JournalFile::open_within(&path, Duration::ZERO), Err(FileFault::Locked { .. })));
        assert!(Lines::open(&path).unwrap().next_line().unwrap().is_none());
        drop(journal);
        let journal = JournalFile::open_within(&path, Duration::ZERO).unwrap();
        let waiting = std::thread::spawn({
            let path = path.clone();
            move || JournalFile::open(path).map(|_| ())
        });
        assert!(matches!(JournalFile::open_within(&path, Duration::ZERO), Err(FileFault::Locked { .. })));
        drop(journal);
        waiting.join().unwrap().unwrap();
    }

    #[test]
    fn the_rest_of_a_command_can_be_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my-game.jsonl");
        let (_, lines) = three_lines();
        let mut journal = JournalFile::create(&path).unwrap();
        journal.append(lines.concat().as_bytes()).unwrap();
        assert!(matches!(journal.truncate_after(Some(3)), Err(FileFault::Damaged { .. })));
        journal.truncate_after(Some(1)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), lines[..2].concat());
        journal.append(lines[2].as_bytes()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), lines.concat());
        journal.truncate_after(None).unwrap();
        assert_eq!((journal.head(), fs::read_to_string(&path).unwrap().len()), (None, 0));
        journal.append(lines[0].as_bytes()).unwrap();
    }

    #[test]
    fn after_a_failed_write_nothing_is_written_any_more() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my-game.jsonl");
        let (_, lines) = three_lines();
        let mut journal = JournalFile::create(&path).unwrap();
        let good = std::mem::replace(&mut journal.file, File::open(&path).unwrap());
        assert!(matches!(journal.append(lines[0].as_bytes()), Err(FileFault::Fatal { .. })));
        journal.file = good;
        assert!(matches!(journal.append(lines[0].as_bytes()), Err(FileFault::Fatal { .. })));
        assert!(matches!(journal.truncate_after(None), Err(FileFault::Fatal { .. })));
        assert_eq!(fs::read_to_string(&path).unwrap(), "");
    }
}
