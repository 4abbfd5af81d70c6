//! Limits on a server's answers, checked before the library parses them: its parser recurses once a bracket, and
//! keeps whatever comes.

use async_imap::imap_proto::{AttributeValue, Response};
use postrider_mail::MAX_MESSAGE_BYTES;
use std::io;

/// The maximum number of bytes that a server says between two commands: a mail, and what it tells of others.
pub(super) const MAX_ANSWER: usize = MAX_MESSAGE_BYTES + 2 * MAX_RESPONSE;

/// The maximum length of one response without the mail in it, in bytes: the numbers of a hundred thousand mails.
const MAX_RESPONSE: usize = 1 << 20;

/// The maximum number of opening brackets in one response.
const MAX_BRACKETS: usize = 200;

/// The maximum number of line ends in one response.
const MAX_LINES: usize = 16;

/// The response that a server is sending. Where a response ends, and what is a mail in it, the library's own parser
/// says, so that both see the same.
#[derive(Debug, Default)]
pub(super) struct Limits {
    /// The response so far. `NIL` replaces a mail in it.
    response: Vec<u8>,
    brackets: usize,
    lines: usize,
    /// The bytes of a mail that are still to come.
    mail: usize,
}

impl Limits {
    /// Checks the bytes that came next.
    ///
    /// # Errors
    /// If they exceed a limit, or can be no response.
    pub fn check(&mut self, came: &[u8]) -> io::Result<()> {
        let mut rest = came;
        while !rest.is_empty() {
            let of_the_mail = self.mail.min(rest.len());
            self.mail -= of_the_mail;
            rest = &rest[of_the_mail..];
            let end = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |at| at + 1);
            let (line, later) = rest.split_at(end);
            rest = later;
            self.brackets += line.iter().filter(|byte| matches!(byte, b'(' | b'[')).count();
            self.response.extend_from_slice(line);
            if self.brackets > MAX_BRACKETS || self.response.len() > MAX_RESPONSE {
                return Err(fault("the server's answer exceeds a limit"));
            }
            if line.ends_with(b"\n") {
                self.end_line()?;
            }
        }
        Ok(())
    }

    fn end_line(&mut self) -> io::Result<()> {
        self.lines += 1;
        if let Some((before, length)) = literal(&self.response)
            && is_body(&self.response[..before])
        {
            self.mail = length;
            self.response.truncate(before);
            self.response.extend_from_slice(b"NIL");
        } else {
            match Response::parse(&self.response) {
                Ok(([], _)) => *self = Limits::default(),
                Err(why) if why.is_incomplete() => {}
                _ => return Err(fault("the server's answer is not IMAP")),
            }
        }
        match self.lines > MAX_LINES || self.mail > MAX_ANSWER {
            true => Err(fault("the server's answer exceeds a limit")),
            false => Ok(()),
        }
    }
}

/// The literal that a response's last line announces: where it is announced, and its length.
fn literal(response: &[u8]) -> Option<(usize, usize)> {
    let announced = response.strip_suffix(b"}\r\n")?;
    let at = announced.iter().rposition(|byte| *byte == b'{')?;
    let length = std::str::from_utf8(&announced[at + 1..]).ok()?;
    length.bytes().all(|byte| byte.is_ascii_digit()).then(|| Some((at, length.parse().ok()?)))?
}

/// Returns true if a response that goes on with a string has a mail there.
fn is_body(before: &[u8]) -> bool {
    let whole = [before, b"NIL)\r\n"].concat();
    let Ok(([], Response::Fetch(_, attributes))) = Response::parse(&whole) else { return false };
    matches!(attributes.last(), Some(AttributeValue::BodySection { data: None, .. }))
}

fn fault(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_may_hold_anything() {
        let mail = "((((\r\n{9}\r\n* 1 FETCH (".repeat(5_000);
        let answer = format!(
            "* 7 EXISTS\r\n* 7 FETCH (FLAGS (\\Seen) UID 3 BODY[]<0> {{{}}}\r\n{mail})\r\nA0004 OK [CODE] done (it was)\r\n",
            mail.len()
        );
        for size in [1, 7, 4_096, answer.len()] {
            let mut limits = Limits::default();
            answer.as_bytes().chunks(size).for_each(|piece| limits.check(piece).unwrap());
            assert!(limits.response.is_empty() && limits.mail == 0, "the answer is at its end");
        }
    }

    #[test]
    fn a_mailbox_may_be_large() {
        let numbers: String = (1_000_000..1_100_000).map(|uid| format!(" {uid}")).collect();
        Limits::default().check(format!("* SEARCH{numbers}\r\nA1 OK\r\n").as_bytes()).unwrap();
    }
}
