//! Reading saved mails in any format that mail programs use.
//!
//! The formats are an mbox file, a Maildir, a folder of files with any names, archives of these,
//! and a single message. [`Mailbox`] returns the raw messages one by one, and lists everything that
//! it could not read. It never writes.

use std::{
    collections::BTreeSet,
    io::{self, Cursor, Read},
    path::{Path, PathBuf},
};

use fs_err as fs;

use super::{
    archive::{Form, MAX_UNPACKED, MOST_FOLDERS, MOST_NESTED, NotRead, TELLING, Unreadable, unpack, visible, weight},
    mbox::{MAX_MAILS, MAX_SAVED_BYTES, Mbox},
};
use postrider_mail::has_too_many_fields;

/// A raw message and its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedMail {
    /// The path of the file; in an mbox file with the number of the message, counted from 1:
    /// `inbox.mbox#3`.
    pub place: String,
    /// The message as it was saved, with CRLF or LF.
    pub raw: Vec<u8>,
}

/// An item of a mailbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saved {
    /// A message, or a text file read as one.
    Mail {
        /// The path of its file, which may be an mbox file.
        file: String,
        /// The message.
        mail: SavedMail,
    },
    /// An item that could not be read.
    NotRead(NotRead),
}

/// All items under a path, ordered by file name, and within archives and mbox files in their order.
pub struct Mailbox {
    /// The items still to be read, in reverse order.
    pieces: Vec<Piece>,
    /// The mbox file being read.
    open: Option<(String, Mbox<Box<dyn Read>>)>,
    /// Number of messages read from the open file.
    count: usize,
    /// Number of bytes that the current file may still unpack to.
    left: u64,
}

enum Piece {
    File(PathBuf),
    Bytes { place: String, bytes: Vec<u8>, nested: usize },
    NotRead(NotRead),
}

impl Mailbox {
    /// Opens a file, or a folder with everything in it up to a depth of `MOST_FOLDERS`. Links are
    /// followed. Each folder is read once, so that circular links do no harm.
    ///
    /// # Errors
    /// If `path` does not exist or cannot be read. Items below it that cannot be read are returned
    /// as [`Saved::NotRead`].
    pub fn open(path: impl AsRef<Path>) -> io::Result<Mailbox> {
        let path = path.as_ref();
        let mut pieces = Vec::new();
        if fs::metadata(path)?.is_dir() {
            gather(path, 0, &mut pieces, &mut BTreeSet::new())?;
        } else {
            let piece = piece(path.to_owned());
            // Reading a pipe would block. Report a file that cannot be opened immediately.
            if let Piece::File(path) = &piece {
                fs::File::open(path)?;
            }
            pieces.push(piece);
        }
        pieces.reverse();
        Ok(Mailbox { pieces, open: None, count: 0, left: 0 })
    }

    /// Creates a mailbox from the contents of an attached file. `place` is its name.
    pub fn of_bytes(place: String, bytes: Vec<u8>) -> Mailbox {
        Mailbox { pieces: vec![Piece::Bytes { place, bytes, nested: 0 }], open: None, count: 0, left: MAX_UNPACKED }
    }

    fn read(&mut self, path: &Path) -> io::Result<Option<Saved>> {
        let place = visible(&path.display().to_string());
        let mut file = fs::File::open(path)?;
        let length = file.metadata()?.len();
        let mut start = Vec::new();
        (&mut file).take(TELLING as u64).read_to_end(&mut start)?;
        let not_read = |why| Some(Saved::NotRead(NotRead { place: place.clone(), why }));
        let most = match Form::of(&start) {
            Form::Mbox => {
                let whole: Box<dyn Read> = Box::new(Cursor::new(start).chain(file));
                (self.open, self.count) = (Some((place, Mbox::new(whole))), 0);
                return Ok(None);
            }
            Form::Closed(name) => return Ok(not_read(Unreadable::Closed(name))),
            Form::Zip | Form::Gzip | Form::Tar => MAX_UNPACKED,
            Form::Plain => MAX_SAVED_BYTES as u64,
        };
        if length > most {
            return Ok(not_read(Unreadable::Large));
        }
        let mut bytes = start;
        file.read_to_end(&mut bytes)?;
        self.left = MAX_UNPACKED;
        Ok(self.take(place, bytes, 0))
    }

    /// Handles the contents of a file: archives are unpacked, everything else is a mail.
    fn take(&mut self, place: String, bytes: Vec<u8>, nested: usize) -> Option<Saved> {
        let not_read = |place, why| Some(Saved::NotRead(NotRead { place, why }));
        match Form::of_file(&bytes) {
            Form::Mbox => {
                let whole: Box<dyn Read> = Box::new(Cursor::new(bytes));
                (self.open, self.count) = (Some((place, Mbox::new(whole))), 0);
                None
            }
            Form::Closed(name) => not_read(place, Unreadable::Closed(name)),
            Form::Zip | Form::Gzip | Form::Tar if nested == MOST_NESTED => not_read(place, Unreadable::Nested),
            form @ (Form::Zip | Form::Gzip | Form::Tar) => {
                let nested = nested + 1;
                let all = unpack(form, &place, &bytes, &mut self.left);
                self.pieces.extend(all.into_iter().rev().map(|member| match member {
                    Ok(member) => Piece::Bytes { place: member.place, bytes: member.bytes, nested },
                    Err(not_read) => Piece::NotRead(not_read),
                }));
                None
            }
            Form::Plain => {
                let raw = without_length(&place, bytes);
                Some(saved(place.clone(), place, raw))
            }
        }
    }

    /// Returns the next message of the open mbox file.
    fn next_of_mbox(&mut self) -> Option<Saved> {
        let (file, mbox) = self.open.as_mut()?;
        let found = match mbox.next_message() {
            Ok(Some(_)) if self.count == MAX_MAILS => {
                Some(Saved::NotRead(NotRead { place: file.clone(), why: Unreadable::Many }))
            }
            Ok(Some(raw)) => {
                self.count += 1;
                let place = format!("{file}#{}", self.count);
                return Some(saved(file.clone(), place, raw));
            }
            Ok(None) => None,
            Err(why) => Some(Saved::NotRead(NotRead { place: file.clone(), why: Unreadable::Io(why.to_string()) })),
        };
        self.open = None;
        found
    }
}

impl Iterator for Mailbox {
    type Item = Saved;

    fn next(&mut self) -> Option<Saved> {
        loop {
            if let Some(saved) = self.next_of_mbox() {
                return Some(saved);
            }
            let found = match self.pieces.pop()? {
                Piece::NotRead(not_read) => Some(Saved::NotRead(not_read)),
                Piece::Bytes { place, bytes, nested } => self.take(place, bytes, nested),
                Piece::File(path) => self.read(&path).unwrap_or_else(|why| Some(Saved::NotRead(refused(&path, &why)))),
            };
            if found.is_some() {
                return found;
            }
        }
    }
}

/// The identity of a folder, independent of the path to it.
#[cfg(unix)]
type Known = (u64, u64);
#[cfg(not(unix))]
type Known = PathBuf;

#[cfg(unix)]
fn known(folder: &Path) -> io::Result<Known> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(folder).map(|data| (data.dev(), data.ino()))
}

#[cfg(not(unix))]
fn known(folder: &Path) -> io::Result<Known> {
    fs::canonicalize(folder)
}

/// Collects the files of a folder and its subfolders. `depth` is the depth below the initial
/// folder.
fn gather(folder: &Path, depth: usize, pieces: &mut Vec<Piece>, seen: &mut BTreeSet<Known>) -> io::Result<()> {
    // Links may be circular.
    if !seen.insert(known(folder)?) {
        return Ok(());
    }
    if depth > MOST_FOLDERS {
        pieces.push(Piece::NotRead(NotRead { place: visible(&folder.display().to_string()), why: Unreadable::Deep }));
        return Ok(());
    }
    let mut paths =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            if let Err(why) = gather(&path, depth + 1, pieces, seen) {
                pieces.push(Piece::NotRead(refused(&path, &why)));
            }
        } else {
            pieces.push(piece(path));
        }
    }
    Ok(())
}

/// Creates the piece for a path that is not a folder.
fn piece(path: PathBuf) -> Piece {
    match fs::metadata(&path) {
        Ok(data) if data.is_file() => Piece::File(path),
        Ok(_) => Piece::NotRead(NotRead { place: visible(&path.display().to_string()), why: Unreadable::Special }),
        Err(why) => Piece::NotRead(refused(&path, &why)),
    }
}

fn refused(path: &Path, why: &io::Error) -> NotRead {
    NotRead { place: visible(&path.display().to_string()), why: Unreadable::Io(why.kind().to_string()) }
}

/// Removes the first line of Apple Mail's `.emlx` format, which contains the length of the message,
/// and the metadata after the message.
fn without_length(place: &str, raw: Vec<u8>) -> Vec<u8> {
    let is_apple = Path::new(place).extension().is_some_and(|end| end.eq_ignore_ascii_case("emlx"));
    let line = raw.iter().position(|&byte| byte == b'\n').filter(|_| is_apple);
    let length = line.and_then(|end| std::str::from_utf8(&raw[..end]).ok()?.trim().parse::<usize>().ok());
    match (line, length) {
        (Some(end), Some(length)) => raw[end + 1..].iter().take(length).copied().collect(),
        _ => raw,
    }
}

/// Returns the message, or the reason it exceeds the limits.
fn saved(file: String, place: String, raw: Vec<u8>) -> Saved {
    let why = match weight(&raw) > MAX_SAVED_BYTES as u64 {
        true => Some(Unreadable::Large),
        false => has_too_many_fields(&raw).then_some(Unreadable::Fields),
    };
    match why {
        Some(why) => Saved::NotRead(NotRead { place, why }),
        None => Saved::Mail { file, mail: SavedMail { place, raw } },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const LINE: &str = "From anna@example.net Mon Nov 23 09:00:00 2026\n";

    fn mails(mailbox: Mailbox) -> Vec<SavedMail> {
        let mail = |saved| match saved {
            Saved::Mail { mail, .. } => mail,
            Saved::NotRead(not_read) => panic!("{not_read:?}"),
        };
        mailbox.map(mail).collect()
    }

    #[test]
    fn a_mail_with_fields_beyond_measure_is_named() {
        let many = format!("From: a@b.example\n{}\nhello\n", "a:\n".repeat(60_000));
        let all: Vec<Saved> = Mailbox::of_bytes("x".to_owned(), many.into_bytes()).collect();
        let why = Unreadable::Fields;
        assert_eq!(all, [Saved::NotRead(NotRead { place: "x".to_owned(), why })]);
    }

    #[test]
    fn every_file_of_a_folder_is_read_whatever_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for (name, text) in [
            ("box/cur/1.host:2,S", "Subject: 1\n\nx\n"),
            ("box/new/2.host", "Subject: 2\n\nx\n"),
            ("box/tmp/3.host", "Subject: 3\n\nx\n"),
            ("box/.Games/cur/4.host", "Subject: 4\n\nx\n"),
            ("files/5.EML", "Subject: 5\r\n\r\nx\r\n"),
            ("files/6.emlx", "14\nSubject: 6\n\nx\n<?xml?>"),
            ("files/deep/er/notes.txt", "Subject: 9\n\nx\n"),
            ("files/Inbox", &format!("{LINE}Subject: 7\n\nx\n\n{LINE}Subject: 8\n\nx\n")),
        ] {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let all: Vec<SavedMail> = mails(Mailbox::open(root).unwrap());
        let mut subjects: Vec<String> =
            all.iter().map(|mail| String::from_utf8_lossy(&mail.raw).lines().next().unwrap().to_owned()).collect();
        subjects.sort();
        assert_eq!(subjects.join(" "), (1..=9).map(|n| format!("Subject: {n}")).collect::<Vec<_>>().join(" "));
        assert!(all.iter().any(|mail| mail.place.ends_with("Inbox#2")));
        assert_eq!(all.iter().find(|mail| mail.place.ends_with("emlx")).unwrap().raw, b"Subject: 6\n\nx\n"[..14]);
        let one: Vec<_> = Mailbox::open(root.join("files/5.EML")).unwrap().collect();
        assert_eq!(one.len(), 1);
        assert!(Mailbox::open(root.join("nothing")).is_err());
    }

    #[test]
    fn folders_are_read_to_a_depth_that_no_mailbox_has() {
        let folder = tempfile::tempdir().unwrap();
        let mut deep = folder.path().to_owned();
        for n in 0..300 {
            fs::write(deep.join("mail.eml"), format!("Subject: {n}\n\nx\n")).unwrap();
            std::os::unix::fs::symlink(if n == 0 { "." } else { ".." }, deep.join("up")).unwrap();
            deep.push("d");
            fs::create_dir(&deep).unwrap();
        }
        let all: Vec<Saved> = Mailbox::open(folder.path()).unwrap().collect();
        let (mails, others): (Vec<Saved>, Vec<Saved>) =
            all.into_iter().partition(|one| matches!(one, Saved::Mail { .. }));
        assert_eq!(mails.len(), MOST_FOLDERS + 1);
        let [Saved::NotRead(NotRead { place, why })] = &others[..] else { panic!("{others:?}") };
        assert!(place.ends_with("/d") && place.matches("/d").count() >= MOST_FOLDERS, "{place}");
        assert_eq!(why.to_string(), "it is nested in more than 64 folders");
    }

    /// Returns a zip file that contains a compressed mbox file.
    fn packed() -> Vec<u8> {
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        write!(gz, "{LINE}Subject: a\n\nx\n\n{LINE}Subject: b\n\nx\n").unwrap();
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        zip.start_file("old/inbox.gz", zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(&gz.finish().unwrap()).unwrap();
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn archives_are_opened_under_any_name_and_what_is_not_read_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::write(root.join("a.dat"), packed()).unwrap();
        fs::write(root.join("b.rar"), b"Rar!\x1a\x07\0").unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            root.join("c.fifo"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR,
            0,
        )
        .unwrap();
        std::os::unix::fs::symlink(root, root.join("d")).unwrap();
        std::os::unix::fs::symlink(root.join("nowhere"), root.join("e")).unwrap();
        fs::File::create(root.join("f.eml")).unwrap().set_len(MAX_SAVED_BYTES as u64 + 1).unwrap();
        let found: Vec<Saved> = Mailbox::open(root).unwrap().collect();
        let told = |saved: &Saved| match saved {
            Saved::Mail { mail, .. } => mail.place.rsplit_once("a.dat").unwrap().1.to_owned(),
            Saved::NotRead(NotRead { place, why }) => format!("{}: {why}", place.rsplit_once('/').unwrap().1),
        };
        assert_eq!(
            found.iter().map(told).collect::<Vec<_>>(),
            [
                "/old/inbox.gz#1",
                "/old/inbox.gz#2",
                "b.rar: it is a RAR archive, which this program does not open; unpack it or save its mails as files",
                "c.fifo: it is not a file",
                "e: entity not found",
                "f.eml: it has more than 64 MiB, counting 64 bytes more for each line",
            ]
        );
        let (mut bytes, mut nested) = (packed(), 0);
        while let [Saved::Mail { .. }, ..] = Mailbox::of_bytes("x".into(), bytes.clone()).collect::<Vec<_>>()[..] {
            nested += 1;
            let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
            zip.start_file("x", zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(&bytes).unwrap();
            bytes = zip.finish().unwrap().into_inner();
        }
        assert_eq!(nested, MOST_NESTED - 1, "no archive is followed for ever");
    }
}
