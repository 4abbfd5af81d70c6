//! Mails attached to mails, nested to any depth.
//!
//! The parser stores an attached mail inside the outer one, and freeing or copying it recurses once
//! per level. A level needs hardly more than its `Content-Type`, so a mail of a few megabytes can
//! have a hundred thousand levels, too many for a stack of the usual size. A mail that may contain
//! others is therefore parsed on a stack that is large enough for all levels.

use super::fault::MailFault;
use std::{panic, panic::AssertUnwindSafe, thread};

/// Parts of content types, one of which a part must have to be a mail (RFC 2046 sections 5.1.5 and
/// 5.2.1, RFC 6532 section 3.7).
const NAMES: [&[u8]; 3] = [b"rfc822", b"digest", b"global"];

/// Bytes of stack per byte of a mail. A level takes about 30 bytes of the mail, and 64 bytes of
/// stack in optimized builds or more than a thousand in others.
const STACK_PER_BYTE: usize = if cfg!(debug_assertions) { 256 } else { 16 };

/// Bytes of stack for everything else.
const STACK: usize = 4 * 1024 * 1024;

/// Maximum size of the stack. Mails that need more are not read.
const MOST_STACK: usize = 4 * 1024 * 1024 * 1024;

/// Maximum size in bytes of a mail with encoded mails in it, which RFC 2046 section 5.2.1 forbids.
/// For each of them, the parser keeps all bytes that follow.
const MOST_ENCODED: usize = 64 * 1024;

/// Maximum number of parts, header fields, parameters and items of lists such as addresses in a
/// mail. The parser needs about 200 bytes for each, even a short one.
const MAX_FIELDS: usize = 50_000;

/// Runs `work`, which parses the raw mail, with enough stack.
///
/// # Errors
/// [`MailFault::Malformed`] for a mail that must not be passed to a parser. [`MailFault::Defect`]
/// if `work` panics: in debug builds, the parser contains assertions that malformed MIME can
/// violate.
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

/// Returns `true` if there may be more than [`MAX_FIELDS`] parts, header fields, parameters and
/// items. Parts follow possible boundaries. Fields are lines with a colon after the beginning of
/// the mail, an empty line or a possible boundary, up to the next line that cannot be part of a
/// header; parameters follow semicolons there, and items commas.
pub fn has_too_many_fields(raw: &[u8]) -> bool {
    let (mut in_header, mut count) = (true, 0);
    for line in raw.split(|byte| matches!(byte, b'\n' | b'\r')) {
        let folded = line.first().is_some_and(|byte| matches!(byte, b' ' | b'\t'));
        in_header = line.is_empty() || line.starts_with(b"--") || in_header && (folded || line.contains(&b':'));
        if in_header {
            count += usize::from(!folded && (line.contains(&b':') || line.starts_with(b"--")));
            count += line.iter().filter(|byte| matches!(byte, b';' | b',')).count();
        }
    }
    count > MAX_FIELDS
}

/// Returns `true` if the header of a part may declare it to be an encoded mail. Parts of a digest
/// are mails without declaring it.
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

/// Returns `true` if bytes contain a word of ASCII letters, ignoring case.
fn holds(bytes: &[u8], word: &[u8]) -> bool {
    let first = |(_, byte): &(usize, &u8)| byte.eq_ignore_ascii_case(&word[0]);
    let stands =
        |(at, _): (usize, &u8)| bytes[at..].get(..word.len()).is_some_and(|text| text.eq_ignore_ascii_case(word));
    bytes.iter().enumerate().filter(first).any(stands)
}

#[cfg(test)]
mod tests {
    use crate::{Bounce, Incoming, MailFault, SavedMessage, forward_safe};

    #[test]
    fn a_mail_of_short_fields_is_not_read() {
        let head = "From: a@b.example\r\nContent-Type: multipart/mixed; boundary=x\r\n";
        for end in ["\r\n", "\n", "\r"] {
            let short = |most: usize| format!("a:{end}").repeat(most);
            let on_top = |most| format!("{head}{}\r\nhello\r\n", short(most)).into_bytes();
            let in_a_part = |most| format!("{head}\r\n--x\r\n{}\r\nhello\r\n--x--\r\n", short(most)).into_bytes();
            let items = |most: usize| format!("{head}Cc: {}{end}\r\nhello\r\n", "a@b,".repeat(most)).into_bytes();
            let parts = |most: usize| format!("{head}\r\n{}", format!("--x{end}{end}").repeat(most)).into_bytes();
            let all = |most| [on_top(most), in_a_part(most), items(most), parts(most)];
            for few in all(1_000) {
                assert!(Incoming::parse(&few).is_ok());
            }
            for many in all(1_000_000) {
                assert_eq!(Incoming::parse(&many).map(|mail| mail.subject), Err(MailFault::Malformed));
                assert!(SavedMessage::read(&many).is_empty() && forward_safe(&many).is_err());
            }
        }
    }

    #[test]
    fn mails_within_mails_end_nothing() {
        let level = "Content-Type: message/rfc822\r\n\r\n";
        let depth = super::MAX_FIELDS - 100;
        let head = "From: a@b.example\r\nTo: c@d.example\r\nSubject: deep\r\n";
        let deep = format!("{head}{}hello\r\n", level.repeat(depth)).into_bytes();
        // The size of a worker thread's stack, which is smaller than that of the main thread.
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

    /// The same with the inner mails in Base64, which RFC 2046 forbids but the parser accepts. It
    /// would keep each of them with everything that follows.
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
