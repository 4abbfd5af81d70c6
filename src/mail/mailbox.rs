//! Reading the mails that somebody saved, in whatever form his mail program keeps them.
//!
//! An mbox file (mboxo, mboxrd, mboxcl and mboxcl2), a Maildir, a folder of files, a single message: [`Mailbox`] gives the
//! raw messages one after the other and holds one at a time. Nothing is ever written.

use std::{
    collections::VecDeque,
    io::{self, BufRead, BufReader, Read},
    path::{Path, PathBuf},
};

use fs_err as fs;

/// A message larger than this is passed over: it is somebody's video, not a letter of a game.
pub const MAX_SAVED_BYTES: usize = 64 * 1024 * 1024;

/// One raw message and where it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedMail {
    /// The file, and in an mbox file the message's number from 1: `inbox.mbox#3`.
    pub place: String,
    /// The message as it was saved, with CRLF or bare LF.
    pub raw: Vec<u8>,
}

/// The mails under a path, in the order of file names and, in an mbox file, as they stand.
pub struct Mailbox {
    files: VecDeque<PathBuf>,
    /// The mbox file that is being read.
    open: Option<(String, Mbox<Box<dyn Read>>)>,
    /// Messages of the open file so far.
    count: usize,
}

impl Mailbox {
    /// Looks at what lies at `path`: a file, or a folder with everything below it (`new/`, `cur/` and sub-folders of a
    /// Maildir included, `tmp/` not). In a folder only messages count: the files of a Maildir, `.eml`, `.emlx`, and mbox
    /// files, which begin with `From `.
    ///
    /// # Errors
    /// When there is nothing at `path`, or it cannot be read.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Mailbox> {
        let path = path.as_ref();
        let mut files = Vec::new();
        if fs::metadata(path)?.is_dir() {
            gather(path, &mut files, 0)?;
            files.sort();
        } else {
            files.push(path.to_owned());
        }
        Ok(Mailbox { files: files.into(), open: None, count: 0 })
    }

    fn next_mail(&mut self) -> io::Result<Option<SavedMail>> {
        loop {
            if let Some((place, mbox)) = &mut self.open {
                if let Some(raw) = mbox.next_message()? {
                    self.count += 1;
                    return Ok(Some(SavedMail { place: format!("{place}#{}", self.count), raw }));
                }
                self.open = None;
            }
            let Some(path) = self.files.pop_front() else { return Ok(None) };
            let place = path.display().to_string();
            if begins_as_mbox(&path)? {
                let file: Box<dyn Read> = Box::new(fs::File::open(&path)?);
                (self.open, self.count) = (Some((place, Mbox::new(file))), 0);
            } else if fs::metadata(&path)?.len() <= MAX_SAVED_BYTES as u64 {
                let raw = fs::read(&path)?;
                return Ok(Some(SavedMail { place, raw: without_length(&path, raw) }));
            }
        }
    }
}

impl Iterator for Mailbox {
    type Item = io::Result<SavedMail>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_mail().transpose()
    }
}

/// The files of a folder that hold mails.
fn gather(folder: &Path, files: &mut Vec<PathBuf>, depth: usize) -> io::Result<()> {
    // Deeper than any mail program goes; this ends where links lead round in a circle.
    const DEEPEST: usize = 16;
    let of_maildir = folder.file_name().is_some_and(|name| name == "new" || name == "cur");
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            let temporary = path.file_name().is_some_and(|name| name == "tmp");
            if depth < DEEPEST && !temporary {
                gather(&path, files, depth + 1)?;
            }
            continue;
        }
        let end = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
        if of_maildir || end.is_some_and(|end| end == "eml" || end == "emlx") || begins_as_mbox(&path)? {
            files.push(path);
        }
    }
    Ok(())
}

fn begins_as_mbox(path: &Path) -> io::Result<bool> {
    let mut start = Vec::new();
    fs::File::open(path)?.take(5).read_to_end(&mut start)?;
    Ok(start == b"From ")
}

/// Apple Mail's `.emlx` puts the length of the message in front, on a line of its own, and its own notes behind.
fn without_length(path: &Path, raw: Vec<u8>) -> Vec<u8> {
    let is_apple = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("emlx"));
    let line = raw.iter().position(|&byte| byte == b'\n').filter(|_| is_apple);
    let length = line.and_then(|end| std::str::from_utf8(&raw[..end]).ok()?.trim().parse::<usize>().ok());
    match (line, length) {
        (Some(end), Some(length)) => raw[end + 1..].iter().take(length).copied().collect(),
        _ => raw,
    }
}

/// An mbox file, read message by message.
struct Mbox<R> {
    reader: BufReader<R>,
    /// Messages that were found and not yet given.
    ready: VecDeque<Vec<u8>>,
    begun: bool,
}

impl<R: Read> Mbox<R> {
    fn new(reader: R) -> Mbox<R> {
        Mbox { reader: BufReader::new(reader), ready: VecDeque::new(), begun: false }
    }

    /// The next message, without its `From ` line and with quoted `From ` lines as they were.
    fn next_message(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            if let Some(raw) = self.ready.pop_front() {
                if raw.len() <= MAX_SAVED_BYTES {
                    return Ok(Some(unquoted(&raw)));
                }
                continue;
            }
            match self.read_piece()? {
                Some(piece) => self.ready.extend(piece.messages()),
                None => return Ok(None),
            }
        }
    }

    /// Reads up to the line that begins the next message, which it takes away.
    fn read_piece(&mut self) -> io::Result<Option<Piece>> {
        let mut piece = Piece::default();
        let mut line = Vec::new();
        let mut after_blank = !self.begun;
        loop {
            line.clear();
            if self.reader.read_until(b'\n', &mut line)? == 0 {
                return Ok((!piece.bytes.is_empty()).then_some(piece));
            }
            let blank = line.iter().all(u8::is_ascii_whitespace);
            if after_blank && is_separator(&line) {
                if !self.begun {
                    (self.begun, after_blank) = (true, false);
                    continue;
                }
                if !piece.goes_on() {
                    return Ok(Some(piece));
                }
                piece.doubtful.push((piece.bytes.len(), line.len()));
            }
            piece.bytes.extend_from_slice(&line);
            if blank && piece.header.is_none() {
                piece.header = Some(piece.bytes.len());
                piece.length = content_length(&piece.bytes);
            }
            after_blank = blank;
        }
    }
}

/// What lies between two lines that begin messages: one message, unless a wrong length made them look like one.
#[derive(Default)]
struct Piece {
    bytes: Vec<u8>,
    /// Where the body begins.
    header: Option<usize>,
    /// What `Content-Length` says of the body (mboxcl).
    length: Option<usize>,
    /// Lines inside that look as if they began a message: where, and how long they are.
    doubtful: Vec<(usize, usize)>,
}

impl Piece {
    /// Whether by its length the body is not yet at its end.
    fn goes_on(&self) -> bool {
        let body = self.header.map(|header| self.bytes.len() - header);
        matches!((body, self.length), (Some(body), Some(length)) if body < length && length <= MAX_SAVED_BYTES)
    }

    fn messages(self) -> Vec<Vec<u8>> {
        let body = self.bytes.len() - self.header.unwrap_or(0);
        // The writer adds a blank line, which may be a CRLF.
        let fits = self.length.is_some_and(|length| (length..=length + 2).contains(&body));
        if fits || self.doubtful.is_empty() {
            return vec![self.bytes];
        }
        let mut messages = Vec::new();
        let mut from = 0;
        for (at, line) in self.doubtful {
            messages.push(self.bytes[from..at].to_vec());
            from = at + line;
        }
        messages.push(self.bytes[from..].to_vec());
        messages
    }
}

/// `From anna@example.net Mon Nov 23 09:00:00 2026`: it names a time of day and a year, which keeps prose apart.
fn is_separator(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"From ") else { return false };
    let rest = String::from_utf8_lossy(rest);
    let digits = |word: &str, count: usize| word.len() == count && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_time = |word: &str| word.split(':').count() >= 2 && word.split(':').all(|part| digits(part, 2));
    rest.split_whitespace().any(is_time) && rest.split_whitespace().any(|word| digits(word, 4))
}

fn content_length(header: &[u8]) -> Option<usize> {
    let header = String::from_utf8_lossy(header);
    let field = |line: &str| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
    };
    header.lines().find_map(field)
}

/// Takes one `>` off each line `>From …`, `>>From …`: mboxrd and mboxo put it there.
fn unquoted(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len());
    for line in raw.split_inclusive(|&byte| byte == b'\n') {
        let marks = line.iter().take_while(|&&byte| byte == b'>').count();
        let quoted = marks > 0 && line[marks..].starts_with(b"From ");
        out.extend_from_slice(if quoted { &line[1..] } else { line });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(mbox: &str) -> Vec<String> {
        let mut mbox = Mbox::new(mbox.as_bytes());
        std::iter::from_fn(|| mbox.next_message().unwrap()).map(|raw| String::from_utf8(raw).unwrap()).collect()
    }

    const LINE: &str = "From anna@example.net Mon Nov 23 09:00:00 2026\n";

    #[test]
    fn an_mbox_is_cut_where_messages_begin_and_nowhere_else() {
        let prose = "Subject: a\n\nFrom here on it is prose.\n\nFrom time to time, 09:00.\n>From x\n>>From y\n\n";
        let found = messages(&format!("{LINE}{prose}{LINE}Subject: b\n\nx\nFrom b Mon Nov 23 09:00:00 2026\n"));
        assert_eq!(found.len(), 2, "a separator follows a blank line: {found:?}");
        assert!(found[0].ends_with("\nFrom x\n>From y\n\n"), "{}", found[0]);
        assert_eq!(found[1], "Subject: b\n\nx\nFrom b Mon Nov 23 09:00:00 2026\n");
        assert!(messages("").is_empty());
    }

    #[test]
    fn a_length_is_believed_where_it_leads_to_the_next_message() {
        let body = format!("\n{LINE}quoted whole\n");
        let one = format!("{LINE}Subject: a\nContent-Length: {}\n\n{body}\n", body.len());
        let two = format!("{LINE}Subject: b\nContent-Length: 2\n\nx\n\n");
        let found = messages(&format!("{one}{two}"));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("quoted whole") && found[1].contains("Subject: b"));
        // A length that leads astray swallows nothing.
        for length in ["9999", "1", "99999999999", "x"] {
            let wrong = format!("{LINE}Subject: a\nContent-Length: {length}\n\nhello\n\n");
            assert_eq!(messages(&format!("{wrong}{two}")).len(), 2, "{length}");
        }
    }

    #[test]
    fn folders_are_searched_for_mails_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for (name, text) in [
            ("box/cur/1.host:2,S", "Subject: 1\n\nx\n"),
            ("box/new/2.host", "Subject: 2\n\nx\n"),
            ("box/tmp/3.host", "Subject: never\n\nx\n"),
            ("box/.Games/cur/4.host", "Subject: 4\n\nx\n"),
            ("files/5.EML", "Subject: 5\r\n\r\nx\r\n"),
            ("files/6.emlx", "14\nSubject: 6\n\nx\n<?xml?>"),
            ("files/notes.txt", "Subject: never\n\nx\n"),
            ("files/Inbox", &format!("{LINE}Subject: 7\n\nx\n\n{LINE}Subject: 8\n\nx\n")),
        ] {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let all: Vec<SavedMail> = Mailbox::open(root).unwrap().map(Result::unwrap).collect();
        let mut subjects: Vec<String> =
            all.iter().map(|mail| String::from_utf8_lossy(&mail.raw).lines().next().unwrap().to_owned()).collect();
        subjects.sort();
        assert_eq!(
            subjects.join(" "),
            (1..=8).filter(|n| *n != 3).map(|n| format!("Subject: {n}")).collect::<Vec<_>>().join(" ")
        );
        assert!(all.iter().any(|mail| mail.place.ends_with("Inbox#2")));
        assert_eq!(all.iter().find(|mail| mail.place.ends_with("emlx")).unwrap().raw, b"Subject: 6\n\nx\n"[..14]);
        let one: Vec<_> = Mailbox::open(root.join("files/5.EML")).unwrap().collect();
        assert_eq!(one.len(), 1);
        assert!(Mailbox::open(root.join("nothing")).is_err());
    }
}
