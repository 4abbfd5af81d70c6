//! A message as it came in, read once.

use std::panic;

use chrono::{DateTime, Utc};
use data_encoding::BASE64URL_NOPAD;
use mail_parser::{HeaderForm, HeaderValue, Message, MessageParser};
use sha2::{Digest, Sha256};

use super::{
    answered::Answered,
    body::Body,
    fault::MailFault,
    headers::Headers,
    loops::{LoopRisk, loop_risk},
    nested::guarded,
    order_text::{BodyDoubt, OrderText},
};

/// The largest message that is read, in bytes. Orders need a few hundred; the rest is room for signatures with pictures.
pub const MAX_MESSAGE_BYTES: usize = 8 * 1024 * 1024;

/// Fields that name whom a message was for: first what the sender wrote, then what mail systems on the way noted.
const RECIPIENT_FIELDS: &[&str] = &["To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To"];

/// So much of a message that is too large is looked at: its header, which says whom to tell.
const MAX_HEADER_BYTES: usize = 256 * 1024;

/// A line of a header has 998 characters at most (RFC 5322 section 2.1.1), so no id is longer; nor do threads need more ids.
const MAX_ID_BYTES: usize = 990;
const MAX_IDS: usize = 100;

/// Recipients and characters of the subject beyond these are dropped: nobody writes them, and searching them costs time.
const MAX_RECIPIENTS: usize = 500;
const MAX_SUBJECT_CHARS: usize = 2000;

/// A message that came in, parsed: who, to whom, in answer to what, and what the sender wrote.
///
/// `Debug` shows addresses, and recipients hold tokens: it is for tests, never for a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incoming {
    /// Every address of every `From` field, its ASCII letters in lower case. [`check_sender`](super::check_sender) wants exactly one.
    pub from: Vec<String>,
    /// Every address of every `Sender` field, likewise.
    pub sender: Vec<String>,
    /// To, Cc, Delivered-To, X-Original-To and Envelope-To, likewise, in that order, each once; the first 500.
    pub recipients: Vec<String>,
    /// The subject, decoded and unfolded, up to 2000 characters; empty if there is none.
    pub subject: String,
    /// The Message-ID without angle brackets; none that is longer than a line of a header can be.
    pub message_id: Option<String>,
    /// The ids of `In-Reply-To`, without angle brackets.
    pub in_reply_to: Vec<String>,
    /// The ids of `References`, oldest first, without angle brackets.
    pub references: Vec<String>,
    /// The sender's `Date`, if it is one. Advice only: the sender chose it.
    pub date: Option<DateTime<Utc>>,
    /// SHA-256 of the raw message as given, lower-case hex; of one that is too large, of its first [`MAX_MESSAGE_BYTES`].
    pub sha256: String,
    /// Set if a machine or a list sent this: no orders are to be taken from it and nothing is to be answered.
    pub loop_risk: Option<LoopRisk>,
    /// The lines that the sender wrote, or why that cannot be told.
    pub orders: Result<OrderText, BodyDoubt>,
    body: Body,
}

/// The `Date` of a message, if it is one.
pub(super) fn date(message: &Message<'_>) -> Option<DateTime<Utc>> {
    let date = message.date().filter(|date| date.is_valid())?;
    DateTime::from_timestamp(date.to_timestamp(), 0)
}

impl Incoming {
    /// Reads a raw message (RFC 5322, with CRLF or bare LF; a leading mbox "From " line is allowed).
    ///
    /// # Errors
    /// [`MailFault`] if these bytes are not a readable message. A readable message whose orders are in doubt is no
    /// error here: its [`orders`](Self::orders) say so, since the sender can be asked. Of a message beyond
    /// [`MAX_MESSAGE_BYTES`] the header alone is read, so that he can be told.
    pub fn parse(raw: &[u8]) -> Result<Incoming, MailFault> {
        // A mail from anywhere must not end the service, whatever it provokes in the parser.
        guarded(raw, || Self::read(raw))?
    }

    fn read(raw: &[u8]) -> Result<Incoming, MailFault> {
        let large = raw.len() > MAX_MESSAGE_BYTES;
        let raw = &raw[..raw.len().min(MAX_MESSAGE_BYTES)];
        // Some programs end lines by carriage returns alone.
        let plain = |byte: &u8| if *byte == b'\r' { b'\n' } else { *byte };
        let ends = !raw.contains(&b'\n') && raw.contains(&b'\r');
        let ended: Vec<u8> = if ends { raw.iter().map(plain).collect() } else { Vec::new() };
        let body = without_mbox_line(if ends { &ended } else { raw });
        let body = if large { header_alone(body) } else { body };
        // The parser checks its own assumptions by assertions in debug builds; damaged MIME can break them.
        let message = panic::catch_unwind(|| MessageParser::default().parse(body))
            .map_err(|_| MailFault::Malformed)?
            .ok_or(MailFault::NoHeader)?;
        if message.parts.first().is_none_or(|root| root.headers.is_empty()) {
            return Err(MailFault::NoHeader);
        }
        let headers = Headers::of(&message);
        let from = addresses(&message, "From");
        let mut recipients = Vec::new();
        for address in RECIPIENT_FIELDS.iter().flat_map(|field| addresses(&message, field)) {
            if recipients.len() < MAX_RECIPIENTS && !recipients.contains(&address) {
                recipients.push(address);
            }
        }
        let subject = message.subject().unwrap_or_default().chars().take(MAX_SUBJECT_CHARS).collect::<String>();
        let body = if large { Body::too_large() } else { Body::of(&message) };
        Ok(Incoming {
            sender: addresses(&message, "Sender"),
            recipients,
            message_id: message.message_id().filter(|id| id.len() <= MAX_ID_BYTES).map(str::to_string),
            in_reply_to: ids(message.in_reply_to()),
            references: ids(message.references()),
            date: date(&message),
            sha256: BASE64URL_NOPAD.encode(&Sha256::digest(raw)),
            loop_risk: loop_risk(&headers, &message, &subject, &from),
            orders: body.order_text(None),
            body,
            from,
            subject,
        })
    }

    /// A message of which nothing was kept but its author, its hash and its order lines: one that has waited to be taken in. Other
    /// fields are for the caller to fill.
    pub fn of_lines(author: &str, sha256: String, orders: OrderText) -> Incoming {
        Incoming {
            from: vec![author.to_owned()],
            sender: Vec::new(),
            recipients: Vec::new(),
            subject: String::new(),
            message_id: None,
            in_reply_to: Vec::new(),
            references: Vec::new(),
            date: None,
            sha256,
            loop_risk: None,
            orders: Ok(orders),
            body: Body::too_large(),
        }
    }

    /// The lines that the sender wrote, found beside the letter that he answers: what of the mail is text of that letter is
    /// quoted, whatever marks it. Without a letter these are [`orders`](Self::orders).
    ///
    /// # Errors
    /// [`BodyDoubt`] when they cannot be told.
    pub fn orders_beside(&self, letter: Option<&Answered>) -> Result<OrderText, BodyDoubt> {
        match letter {
            // As in `parse`: no mail may end the service.
            Some(_) => panic::catch_unwind(panic::AssertUnwindSafe(|| self.body.order_text(letter)))
                .unwrap_or(Err(BodyDoubt::Undecodable { charset: None })),
            None => self.orders.clone(),
        }
    }

    /// The one author's address, its ASCII letters in lower case; `None` if there is none or more than one.
    pub fn author(&self) -> Option<&str> {
        match self.from.as_slice() {
            [one] => Some(one),
            _ => None,
        }
    }
}

/// Pipes of some delivery programs put the envelope line of an mbox file in front.
pub(super) fn without_mbox_line(raw: &[u8]) -> &[u8] {
    if !raw.starts_with(b"From ") {
        return raw;
    }
    match raw.iter().position(|&byte| byte == b'\n') {
        Some(end) => &raw[end + 1..],
        None => raw,
    }
}

/// The header section of a message that is too large to be read whole.
fn header_alone(raw: &[u8]) -> &[u8] {
    let raw = &raw[..raw.len().min(MAX_HEADER_BYTES)];
    let ends = |blank: &[u8]| raw.windows(blank.len()).position(|bytes| bytes == blank).map(|at| at + blank.len());
    let end = [&b"\r\n\r\n"[..], b"\n\n"].into_iter().filter_map(ends).min();
    &raw[..end.unwrap_or(raw.len())]
}

fn addresses(message: &Message<'_>, field: &str) -> Vec<String> {
    let Some(header) = message.headers().iter().find(|header| header.name.as_str().eq_ignore_ascii_case(field)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    // This reads every field of the name.
    for value in message.header_as(header.name.clone(), HeaderForm::Addresses) {
        let HeaderValue::Address(list) = value else { continue };
        let addresses = list.iter().filter_map(|one| one.address()).map(|one| one.trim().to_ascii_lowercase());
        found.extend(addresses.filter(|one| one.contains('@')));
    }
    found
}

fn ids(value: &HeaderValue<'_>) -> Vec<String> {
    let all: Vec<&str> = match value {
        HeaderValue::Text(one) => vec![one],
        HeaderValue::TextList(several) => several.iter().map(AsRef::as_ref).collect(),
        _ => Vec::new(),
    };
    let fitting = all.into_iter().filter(|id| id.len() <= MAX_ID_BYTES);
    let mut fitting: Vec<String> = fitting.map(str::to_string).collect();
    // The newest stand last.
    fitting.drain(..fitting.len().saturating_sub(MAX_IDS));
    fitting
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_header() {
        let raw = b"From ben@example.net Mon Nov 23 09:00:00 2026\r\n\
            Delivered-To: Postrider+lone-pine@Play.example.org\r\n\
            From: \"Miller, Ben\" <Ben@Example.net>\r\n\
            To: Postrider <postrider+x@play.example.org>, anna@example.net\r\n\
            Cc: ANNA@example.net\r\n\
            Subject: =?utf-8?Q?Re:_[lone-pine]_J=C3=BCrgen?=\r\n\
            \tand more\r\n\
            Message-ID: <a1@example.net>\r\n\
            In-Reply-To: <p2@play.example.org>\r\n\
            References: <p1@play.example.org>\r\n <p2@play.example.org>\r\n\
            Date: Mon, 23 Nov 2026 09:12:00 -0700\r\n\r\npass\r\n";
        let mail = Incoming::parse(raw).unwrap();
        assert_eq!(mail.author(), Some("ben@example.net"));
        assert_eq!(
            mail.recipients,
            ["postrider+x@play.example.org", "anna@example.net", "postrider+lone-pine@play.example.org"]
        );
        assert_eq!(mail.subject, "Re: [lone-pine] Jürgen and more");
        assert_eq!(mail.message_id.as_deref(), Some("a1@example.net"));
        assert_eq!(mail.in_reply_to, ["p2@play.example.org"]);
        assert_eq!(mail.references, ["p1@play.example.org", "p2@play.example.org"]);
        assert_eq!(mail.date.unwrap().to_rfc3339(), "2026-11-23T16:12:00+00:00");
        assert_eq!(mail.loop_risk, None);
        assert_eq!(mail.sha256, BASE64URL_NOPAD.encode(&Sha256::digest(raw)));
    }

    #[test]
    fn refuses_what_is_no_message() {
        assert_eq!(Incoming::parse(b""), Err(MailFault::NoHeader));
        assert_eq!(Incoming::parse(&vec![b'x'; MAX_MESSAGE_BYTES + 1]).unwrap().author(), None);
    }

    #[test]
    fn of_a_message_that_is_too_large_the_header_is_read() {
        let mut raw = b"From: ben@example.net\r\nTo: postrider@play.example.org\r\nMessage-ID: <a@b>\r\n\r\n".to_vec();
        raw.resize(MAX_MESSAGE_BYTES + 1, b'x');
        let mail = Incoming::parse(&raw).unwrap();
        assert_eq!((mail.author(), mail.message_id.as_deref()), (Some("ben@example.net"), Some("a@b")));
        assert_eq!(mail.orders, Err(BodyDoubt::MessageTooLarge));
        // However much more there is, it is not looked at.
        raw.resize(50_000_000, b'y');
        assert_eq!(Incoming::parse(&raw).unwrap().orders, mail.orders);
    }

    #[test]
    fn ids_that_no_header_can_hold_are_none() {
        let long = "x".repeat(900_000);
        let many: String = (0..500).map(|n| format!("<{n}@x>\r\n ")).collect();
        let raw = format!(
            "From: ben@example.net\r\nMessage-ID: <{long}@x>\r\nIn-Reply-To: <{long}@y>\r\nReferences: {many}\r\n\r\npass\r\n"
        );
        let mail = Incoming::parse(raw.as_bytes()).unwrap();
        assert_eq!((mail.message_id, mail.in_reply_to), (None, vec![]));
        assert_eq!((mail.references.len(), mail.references[99].as_str()), (100, "499@x"));
    }

    #[test]
    fn letters_beyond_ascii_are_no_other_case() {
        // U+212A is the sign of the kelvin, whose lower case is k.
        let mail = Incoming::parse("From: \u{212a}ate@example.net\r\n\r\npass\r\n".as_bytes()).unwrap();
        assert_ne!(mail.author(), Some("kate@example.net"));
        assert!(crate::check_sender(&mail, "kate@example.net", false).is_err());
    }
}
