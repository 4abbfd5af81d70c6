//! Reader for mbox files (mboxo, mboxrd, mboxcl and mboxcl2).

use std::{
    collections::VecDeque,
    io::{self, BufRead, BufReader, Read},
};

/// Maximum [`weight`](super::archive::weight) of a message. Larger ones are not letters of a game.
pub(super) const MAX_SAVED_BYTES: usize = 64 * 1024 * 1024;

/// Maximum number of messages in a file.
pub(super) const MAX_MAILS: usize = 200_000;

/// An mbox file, read message by message.
pub(super) struct Mbox<R> {
    reader: BufReader<R>,
    /// Messages that were found but not returned yet.
    ready: VecDeque<Vec<u8>>,
    begun: bool,
}

impl<R: Read> Mbox<R> {
    pub(super) fn new(reader: R) -> Mbox<R> {
        Mbox { reader: BufReader::new(reader), ready: VecDeque::new(), begun: false }
    }

    /// Returns the next message, without its `From ` line and with `>From ` lines unquoted.
    pub(super) fn next_message(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            if let Some(raw) = self.ready.pop_front() {
                return Ok(Some(unquoted(&raw)));
            }
            match self.read_piece()? {
                Some(piece) => self.ready.extend(piece.messages()),
                None => return Ok(None),
            }
        }
    }

    /// Reads up to and including the line that begins the next message, which is dropped.
    fn read_piece(&mut self) -> io::Result<Option<Piece>> {
        let mut piece = Piece::default();
        let mut line = Vec::new();
        let mut after_blank = !self.begun;
        loop {
            line.clear();
            if self.reader.read_until(b'\n', &mut line)? == 0 {
                return Ok((!piece.bytes.is_empty()).then_some(piece));
            }
            let blank = matches!(&line[..], b"\n" | b"\r\n");
            // A file that begins like one begins with a message, whatever the rest of the line says.
            if after_blank && (!self.begun && line.starts_with(b"From ") || is_separator(&line)) {
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

/// The text between two lines that begin messages. It is one message, unless a wrong length joined
/// several.
#[derive(Default)]
struct Piece {
    bytes: Vec<u8>,
    /// The offset of the body.
    header: Option<usize>,
    /// The length of the body according to `Content-Length` (mboxcl).
    length: Option<usize>,
    /// The offsets and lengths of lines inside that look like the beginning of a message.
    doubtful: Vec<(usize, usize)>,
}

impl Piece {
    /// Returns `true` if the body has not reached its stated length.
    fn goes_on(&self) -> bool {
        let body = self.header.map(|header| self.bytes.len() - header);
        matches!((body, self.length), (Some(body), Some(length)) if body < length && length <= MAX_SAVED_BYTES)
    }

    fn messages(self) -> Vec<Vec<u8>> {
        let body = self.bytes.len() - self.header.unwrap_or(0);
        // The writer adds a line break, which may be CRLF.
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

/// Returns `true` for a line like `From anna@example.net Mon Nov 23 09:00:00 2026`. The time of day
/// and the year distinguish it from prose.
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

/// Removes one `>` from lines such as `>From …` and `>>From …`, as added in mboxrd and mboxo.
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
        // A wrong length loses no message.
        for length in ["9999", "1", "99999999999", "x"] {
            let wrong = format!("{LINE}Subject: a\nContent-Length: {length}\n\nhello\n\n");
            assert_eq!(messages(&format!("{wrong}{two}")).len(), 2, "{length}");
        }
    }
}
