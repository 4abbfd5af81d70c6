//! Mails within mails, as deep as somebody may have made them.
//!
//! The parser keeps a mail that is attached to a mail within it, and so on; who frees or copies that works level by level, a call
//! within a call. A level needs hardly more than its `Content-Type`, so a mail of a few megabytes can have a hundred thousand of them, and
//! no stack of usual size holds so many calls. What may be such a mail is read on a stack that is large enough for all of them.

use std::{panic, panic::AssertUnwindSafe, thread};

/// What the type of a part must name for the part to be a mail (RFC 2046, 5.1.5 and 5.2.1; RFC 6532, 3.7).
const NAMES: [&[u8]; 3] = [b"rfc822", b"digest", b"global"];

/// Bytes of stack for each byte of a mail: a level takes some 25 bytes of it and a few hundred of the stack.
const STACK_PER_BYTE: usize = 24;

/// Bytes of stack for all else.
const STACK: usize = 4 * 1024 * 1024;

/// A mail for which this much stack would be needed is not read at all.
const MOST_STACK: usize = 4 * 1024 * 1024 * 1024;

/// Does work on a raw mail that parses it. `None` when that breaks down, in the parser too: it checks its own assumptions by
/// assertions in debug builds, and damaged MIME can break them.
pub(super) fn guarded<T: Send>(raw: &[u8], work: impl FnOnce() -> T + Send) -> Option<T> {
    if !may_nest(raw) {
        return panic::catch_unwind(AssertUnwindSafe(work)).ok();
    }
    let size = raw.len().checked_mul(STACK_PER_BYTE)?.checked_add(STACK).filter(|size| *size <= MOST_STACK)?;
    thread::scope(|scope| {
        let worker = thread::Builder::new().name("mail".to_owned()).stack_size(size);
        worker.spawn_scoped(scope, work).ok()?.join().ok()
    })
}

/// Whether a mail may hold a mail.
fn may_nest(raw: &[u8]) -> bool {
    let begins = |at: &usize| {
        NAMES.iter().any(|name| raw[*at..].get(..name.len()).is_some_and(|text| text.eq_ignore_ascii_case(name)))
    };
    (0..raw.len()).filter(|&at| matches!(raw[at] | 0x20, b'r' | b'd' | b'g')).any(|at| begins(&at))
}

#[cfg(test)]
mod tests {
    use crate::mail::{Bounce, Incoming, SavedMessage, forward_safe};

    /// A mail in a mail in a mail, and so on, as often as fits into the largest mail that is read.
    #[test]
    fn mails_within_mails_end_nothing() {
        let level = "Content-Type: message/rfc822\r\n\r\n";
        let depth = crate::mail::MAX_MESSAGE_BYTES / level.len() - 100;
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

    /// The same with the inner mails in Base64, which RFC 2046 forbids and the parser reads.
    #[test]
    fn encoded_mails_within_mails_end_nothing() {
        let inner = "Content-Type: message/rfc822\r\n\r\n".repeat(100_000);
        let coded = data_encoding::BASE64_MIME.encode(inner.as_bytes());
        let deep = format!(
            "From: a@b.example\r\nSubject: deep\r\nContent-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n{coded}\r\n"
        );
        let worker = std::thread::Builder::new().stack_size(2 * 1024 * 1024);
        let read = worker.spawn(move || Incoming::parse(deep.as_bytes()).map(|mail| mail.subject));
        assert_eq!(read.unwrap().join().unwrap().as_deref(), Ok("deep"));
    }
}
