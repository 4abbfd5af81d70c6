//! Mails within mails, as deep as somebody may have made them.
//!
//! The parser keeps a mail that is attached to a mail within it, and so on; who frees or copies that works level by level, a call
//! within a call. A level needs hardly more than its `Content-Type`, so a mail of a few megabytes can have a hundred thousand of them, and
//! no stack of usual size holds so many calls. What may be such a mail is read on a stack that is large enough for all of them.

use super::fault::MailFault;
use std::{panic, panic::AssertUnwindSafe, thread};

/// What the type of a part must name for the part to be a mail (RFC 2046, 5.1.5 and 5.2.1; RFC 6532, 3.7).
const NAMES: [&[u8]; 3] = [b"rfc822", b"digest", b"global"];

/// Bytes of stack for each byte of a mail: a level takes some 30 bytes of it, and of the stack 64 as optimised and more than a thousand
/// otherwise.
const STACK_PER_BYTE: usize = if cfg!(debug_assertions) { 256 } else { 16 };

/// Bytes of stack for all else.
const STACK: usize = 4 * 1024 * 1024;

/// A mail for which this much stack would be needed is not read at all.
const MOST_STACK: usize = 4 * 1024 * 1024 * 1024;

/// Mails within mails that are encoded, which RFC 2046 (5.2.1) forbids, are read in mails of so many bytes at most: of each the parser
/// keeps all bytes from there on.
const MOST_ENCODED: usize = 64 * 1024;

/// The maximum number of header fields in a mail with all its parts: the parser takes some 200 bytes for each, however short it is.
const MAX_FIELDS: usize = 50_000;

/// Does work on a raw mail that parses it.
///
/// # Errors
/// [`MailFault::Malformed`] for what no parser should be given; [`MailFault::Defect`] when the work breaks down, in the parser too: it checks its own
/// assumptions by assertions in debug builds, and damaged MIME can break them.
pub(super) fn guarded<T: Send>(raw: &[u8], work: impl FnOnce() -> T + Send) -> Result<T, MailFault> {
    if has_too_many_fields(raw) {
        return Err(MailFault::Malformed);
    }
    if !NAMES.iter().any(|name| holds(raw, name)) {
        return panic::catch_unwind(AssertUnwindSafe(work)).map_err(|_| MailFault::Defect);
    }
    let size = raw.len().saturating_mul(STACK_PER_BYTE).saturating_add(STACK);
    if size > MOST_STACK || raw.len() > MOST_ENCODED && encodes_mails(raw) {
        return Err(MailFault::Malformed);
    }
    thread::scope(|scope| {
        let worker = thread::Builder::new().name("mail".to_owned()).stack_size(size).spawn_scoped(scope, work);
        worker.map_err(|_| MailFault::Defect)?.join().map_err(|_| MailFault::Defect)
    })
}

/// Returns true if more lines than [`MAX_FIELDS`] may be header fields: those that hold a colon from the beginning of the mail, or from
/// a line that is empty or may be a boundary, up to the next line that can belong to no header.
pub(super) fn has_too_many_fields(raw: &[u8]) -> bool {
    let (mut in_header, mut count) = (true, 0);
    for line in raw.split(|byte| matches!(byte, b'\n' | b'\r')) {
        let folded = line.first().is_some_and(|byte| matches!(byte, b' ' | b'\t'));
        in_header = line.is_empty() || line.starts_with(b"--") || in_header && (folded || line.contains(&b':'));
        count += usize::from(in_header && !folded && line.contains(&b':'));
    }
    count > MAX_FIELDS
}

/// Whether the header of a part may say that it is a mail and encoded. What stands in a digest is a mail without saying so.
fn encodes_mails(raw: &[u8]) -> bool {
    let encoded = |bytes: &[u8]| holds(bytes, b"base64") || holds(bytes, b"quoted-printable");
    if holds(raw, b"digest") && encoded(raw) {
        return true;
    }
    let mut headers: Vec<&[u8]> = Vec::new();
    let mut start = 0;
    for (at, _) in raw.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
        let rest = &raw[at + 1..];
        if rest.starts_with(b"\n") || rest.starts_with(b"\r\n") {
            headers.push(&raw[start..at]);
            start = at;
        }
    }
    headers.push(&raw[start..]);
    headers.into_iter().any(|header| (holds(header, b"rfc822") || holds(header, b"global")) && encoded(header))
}

/// Whether bytes hold a word of ASCII letters, in any case.
fn holds(bytes: &[u8], word: &[u8]) -> bool {
    let first = |(_, byte): &(usize, &u8)| byte.eq_ignore_ascii_case(&word[0]);
    let stands =
        |(at, _): (usize, &u8)| bytes[at..].get(..word.len()).is_some_and(|text| text.eq_ignore_ascii_case(word));
    bytes.iter().enumerate().filter(first).any(stands)
}

#[cfg(test)]
mod tests {
    use crate::{Bounce, Incoming, MailFault, SavedMessage, forward_safe};

    /// A mail of nothing but header fields takes no memory beyond measure, in whichever part they are.
    #[test]
    fn a_mail_of_short_fields_is_not_read() {
        let head = "From: a@b.example\r\nContent-Type: multipart/mixed; boundary=x\r\n";
        for end in ["\r\n", "\n", "\r"] {
            let short = |most: usize| format!("a:{end}").repeat(most);
            let on_top = |most| format!("{head}{}\r\nhello\r\n", short(most)).into_bytes();
            let in_a_part = |most| format!("{head}\r\n--x\r\n{}\r\nhello\r\n--x--\r\n", short(most)).into_bytes();
            for few in [on_top(1_000), in_a_part(1_000)] {
                assert!(Incoming::parse(&few).is_ok());
            }
            for many in [on_top(1_000_000), in_a_part(1_000_000)] {
                assert_eq!(Incoming::parse(&many).map(|mail| mail.subject), Err(MailFault::Malformed));
                assert!(SavedMessage::read(&many).is_empty() && forward_safe(&many).is_err());
            }
        }
    }

    /// A mail in a mail in a mail, and so on, as often as its fields allow.
    #[test]
    fn mails_within_mails_end_nothing() {
        let level = "Content-Type: message/rfc822\r\n\r\n";
        let depth = super::MAX_FIELDS - 100;
        let head = "From: a@b.example\r\nTo: c@d.example\r\nSubject: deep\r\n";
        let deep = format!("{head}{}hello\r\n", level.repeat(depth)).into_bytes();
        // The stack of a worker, not that of the first thread.
        let worker = std::thread::Builder::new().stack_size(2 * 1024 * 1024);
        let read = worker.spawn(move || {
            let incoming = Incoming::parse(&deep).map(|mail| mail.subject);
            let (bounce, saved, safe) = (Bounce::of(&deep, true), SavedMessage::read(&deep).len(), forward_safe(&deep));
            (incoming, bounce.is_some(), saved > 0, safe.is_ok())
        });
        let (incoming, bounce, saved, safe) = read.unwrap().join().unwrap();
        assert_eq!((incoming.as_deref(), bounce), (Ok("deep"), false));
        assert!(saved && safe);
    }

    /// The same with the inner mails in Base64, which RFC 2046 forbids and the parser reads: it would keep them all, each with all that follow.
    #[test]
    fn encoded_mails_within_mails_end_nothing() {
        let inner = "Content-Type: message/rfc822\r\n\r\n".repeat(100_000);
        let coded = data_encoding::BASE64_MIME.encode(inner.as_bytes());
        let deep = format!(
            "From: a@b.example\r\nSubject: deep\r\nContent-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n{coded}\r\n"
        );
        let worker = std::thread::Builder::new().stack_size(2 * 1024 * 1024);
        let read = worker.spawn(move || Incoming::parse(deep.as_bytes()).map(|mail| mail.subject));
        assert_eq!(read.unwrap().join().unwrap(), Err(MailFault::Malformed));
    }
}
