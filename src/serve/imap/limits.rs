//! Limits on a server's answers, checked before the library parses them: its parser recurses once
//! per bracket, and keeps everything it receives.

use async_imap::imap_proto::{AttributeValue, Response};
use postrider_mail::MAX_MESSAGE_BYTES;
use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Maximum number of bytes from the server between two commands: a mail, and status updates on
/// others.
pub(super) const MAX_ANSWER: usize = MAX_MESSAGE_BYTES + 2 * MAX_RESPONSE;

/// Maximum length of a response without the mail in it, in bytes: enough for the numbers of a
/// hundred thousand mails.
const MAX_RESPONSE: usize = 1 << 20;

/// Maximum number of opening brackets in a response.
const MAX_BRACKETS: usize = 200;

/// Maximum number of line ends in a response.
const MAX_LINES: usize = 16;

/// The response that the server is sending. The library's own parser determines where a response
/// ends and which part of it is a mail, so that both agree.
#[derive(Debug, Default)]
pub(super) struct Limits {
    /// The response so far. `NIL` replaces a mail in it.
    response: Vec<u8>,
    brackets: usize,
    lines: usize,
    /// Number of bytes of a mail that have not arrived yet.
    mail: usize,
}

impl Limits {
    /// Checks the bytes that arrived.
    ///
    /// # Errors
    ///
    /// Returns an error if they exceed a limit, or cannot be part of a response.
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
        // The library parses a part, too.
        match self.mail == 0 && matches!(parsed(&self.response, |_| ()), Parsed::Not) {
            true => Err(fault("the server's answer is not IMAP")),
            false => Ok(()),
        }
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
            match parsed(&self.response, |_| ()) {
                Parsed::Whole(()) => *self = Limits::default(),
                Parsed::Part => {}
                Parsed::Not => return Err(fault("the server's answer is not IMAP")),
            }
        }
        match self.lines > MAX_LINES || self.mail > MAX_ANSWER {
            true => Err(fault("the server's answer exceeds a limit")),
            false => Ok(()),
        }
    }
}

/// Returns the literal that the last line of a response announces: the position of the
/// announcement, and the length.
fn literal(response: &[u8]) -> Option<(usize, usize)> {
    let announced = response.strip_suffix(b"}\r\n")?;
    let at = announced.iter().rposition(|byte| *byte == b'{')?;
    let length = std::str::from_utf8(&announced[at + 1..]).ok()?;
    length.bytes().all(|byte| byte.is_ascii_digit()).then(|| Some((at, length.parse().ok()?)))?
}

/// Returns `true` if the string that follows a response is a mail.
fn is_body(before: &[u8]) -> bool {
    let whole = [before, b"NIL)\r\n"].concat();
    let ends = |response: Response<'_>| match response {
        Response::Fetch(_, attributes) => {
            matches!(attributes.last(), Some(AttributeValue::BodySection { data: None, .. }))
        }
        _ => false,
    };
    matches!(parsed(&whole, ends), Parsed::Whole(true))
}

/// The result of the library's parser for the bytes of a response.
enum Parsed<T> {
    Whole(T),
    Part,
    Not,
}

/// Parses a response. The library panics on some, such as a text that begins with a letter beyond
/// ASCII immediately after a code.
fn parsed<T>(response: &[u8], of: impl FnOnce(Response<'_>) -> T) -> Parsed<T> {
    let parsing = || match Response::parse(response) {
        Ok(([], whole)) => Parsed::Whole(of(whole)),
        Err(why) if why.is_incomplete() => Parsed::Part,
        _ => Parsed::Not,
    };
    catch_unwind(AssertUnwindSafe(parsing)).unwrap_or(Parsed::Not)
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
