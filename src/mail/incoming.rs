//! An incoming message, parsed once.

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

/// Marks of replies and forwarded mails in several languages.
const REPLY_MARKS: &[&str] = &["re", "aw", "sv", "antw", "rv", "r", "fwd", "fw", "wg", "tr", "ref", "odp", "vs", "res"];

/// Maximum size of a message in bytes. Orders need a few hundred; the rest allows for signatures
/// with pictures.
pub const MAX_MESSAGE_BYTES: usize = 8 * 1024 * 1024;

/// The fields that name recipients: first those of the sender, then those added by mail systems.
pub(super) const RECIPIENT_FIELDS: &[&str] = &["To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To"];

/// Number of bytes read of a message that is too large: enough for its header, which names the
/// author to notify.
const MAX_HEADER_BYTES: usize = 256 * 1024;

/// Maximum length of an id. A line of a header has at most 998 characters (RFC 5322 section 2.1.1).
/// Below it, the maximum number of ids of a thread.
const MAX_ID_BYTES: usize = 990;
const MAX_IDS: usize = 100;

/// Maximum number of recipients and of characters in the subject. Further ones are dropped, because
/// they are not useful and searching them takes time.
const MAX_RECIPIENTS: usize = 500;
const MAX_SUBJECT_CHARS: usize = 2000;

/// A parsed message: its author, its recipients, the message that it answers, and the sender's
/// text.
///
/// `Debug` shows addresses, and recipients contain tokens. Use it only in tests, never in logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incoming {
    /// All addresses of all `From` fields, with ASCII letters in lower case.
    /// [`check_sender`](super::check_sender) requires exactly one.
    pub from: Vec<String>,
    /// All addresses of all `Sender` fields, in the same form.
    pub sender: Vec<String>,
    /// The distinct recipients, in the order of their first fields; at most 500.
    pub recipients: Vec<Recipient>,
    /// The subject, decoded and unfolded, at most 2000 characters; empty if there is none.
    pub subject: String,
    /// The Message-ID without angle brackets, or `None` if it is longer than a line of a header.
    pub message_id: Option<String>,
    /// The ids in `In-Reply-To`, without angle brackets.
    pub in_reply_to: Vec<String>,
    /// The ids in `References`, oldest first, without angle brackets.
    pub references: Vec<String>,
    /// The `Date` if it is valid. It is chosen by the sender and therefore only informational.
    pub date: Option<DateTime<Utc>>,
    /// SHA-256 of the raw message in base64url; for a message that is too large, of its first
    /// [`MAX_MESSAGE_BYTES`].
    pub sha256: String,
    /// The reason if a machine or a mailing list sent the message. Then it must not be read for
    /// orders or answered.
    pub loop_risk: Option<LoopRisk>,
    /// The lines that the sender wrote, or the reason they cannot be determined.
    pub orders: Result<OrderText, BodyDoubt>,
    body: Body,
}

/// A recipient of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipient {
    /// The address, with ASCII letters in lower case.
    pub address: String,
    /// The fields that name it: of To, Cc, Delivered-To, X-Original-To and Envelope-To, in that
    /// order.
    pub fields: Vec<&'static str>,
}

/// Returns the `Date` of a message if it is valid.
pub(super) fn date(message: &Message<'_>) -> Option<DateTime<Utc>> {
    let date = message.date().filter(|date| date.is_valid())?;
    DateTime::from_timestamp(date.to_timestamp(), 0)
}

impl Incoming {
    /// Parses a raw message (RFC 5322, with CRLF or LF; a leading mbox "From " line is allowed).
    ///
    /// # Errors
    /// [`MailFault`] if the bytes are not a readable message. If only its orders are in doubt,
    /// [`orders`](Self::orders) contains the reason, so that the sender can be asked. For a message
    /// larger than [`MAX_MESSAGE_BYTES`], only the header is read, so that the sender can be
    /// notified.
    pub fn parse(raw: &[u8]) -> Result<Incoming, MailFault> {
        // No mail may end the service, even if it triggers a bug in the parser.
        guarded(raw, || Self::read(raw))?
    }

    fn read(raw: &[u8]) -> Result<Incoming, MailFault> {
        let large = raw.len() > MAX_MESSAGE_BYTES;
        let raw = &raw[..raw.len().min(MAX_MESSAGE_BYTES)];
        // Some programs end lines with carriage returns only.
        let plain = |byte: &u8| if *byte == b'\r' { b'\n' } else { *byte };
        let ends = !raw.contains(&b'\n') && raw.contains(&b'\r');
        let ended: Vec<u8> = if ends { raw.iter().map(plain).collect() } else { Vec::new() };
        let body = without_mbox_line(if ends { &ended } else { raw });
        let body = if large { header_alone(body) } else { body };
        // In debug builds, the parser contains assertions that malformed MIME can violate.
        let message = panic::catch_unwind(|| MessageParser::default().parse(body))
            .map_err(|_| MailFault::Malformed)?
            .ok_or(MailFault::NoHeader)?;
        if message.parts.first().is_none_or(|root| root.headers.is_empty()) {
            return Err(MailFault::NoHeader);
        }
        let headers = Headers::of(&message);
        let from = addresses(&message, "From");
        let subject = message.subject().unwrap_or_default().chars().take(MAX_SUBJECT_CHARS).collect::<String>();
        let body = if large { Body::too_large() } else { Body::of(&message) };
        Ok(Incoming {
            sender: addresses(&message, "Sender"),
            recipients: recipients(&message),
            message_id: ids(&message, "Message-ID").pop(),
            in_reply_to: ids(&message, "In-Reply-To"),
            references: ids(&message, "References"),
            date: date(&message),
            sha256: BASE64URL_NOPAD.encode(&Sha256::digest(raw)),
            loop_risk: loop_risk(&headers, &message, &subject, &from),
            orders: body.order_text(None),
            body,
            from,
            subject,
        })
    }

    /// Creates a message from its author, its hash and its order lines, for a mail that was stored
    /// without the rest. The caller sets the other fields.
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

    /// Returns the lines that the sender wrote, given the letter that the mail answers. Text of the
    /// letter is quoted, independent of quote marks. Without a letter, this returns
    /// [`orders`](Self::orders).
    ///
    /// # Errors
    /// [`BodyDoubt`] if the lines cannot be determined.
    pub fn orders_beside(&self, letter: Option<&Answered>) -> Result<OrderText, BodyDoubt> {
        match letter {
            // As in `parse`, no mail may end the service.
            Some(_) => panic::catch_unwind(panic::AssertUnwindSafe(|| self.body.order_text(letter)))
                .unwrap_or(Err(BodyDoubt::Undecodable { charset: None })),
            None => self.orders.clone(),
        }
    }

    /// Returns the words of the subject that the sender wrote, given the letter that the mail
    /// answers; "" if there are none. Marks of replies, tags in brackets and the letter's own
    /// subject are not the sender's.
    pub fn own_subject(&self, letter: Option<&Answered>) -> String {
        let (own, marked) = bare_subject(&self.subject);
        let known =
            letter.map(|letter| bare_subject(&letter.subject).0.to_lowercase()).filter(|known| !known.is_empty());
        let Some(known) = known else {
            // Text after a tag or a mark is that of a letter, which is no longer there.
            return match self.subject.split_once('[') {
                Some((before, _)) => bare_subject(before).0,
                None if marked => String::new(),
                None => own,
            };
        };
        let lower = own.to_lowercase();
        match lower.split_once(&known) {
            Some((before, after)) => bare_subject(&format!("{before} {after}")).0,
            // A mail program may have cut it, or have written a subject of its own after a mark.
            None if known.starts_with(&lower) || marked => String::new(),
            None => own,
        }
    }

    /// Returns the author's address with ASCII letters in lower case, or `None` if there is not
    /// exactly one.
    pub fn author(&self) -> Option<&str> {
        match self.from.as_slice() {
            [one] => Some(one),
            _ => None,
        }
    }
}

/// Removes the envelope line of an mbox file, which some delivery programs put before the message.
pub(super) fn without_mbox_line(raw: &[u8]) -> &[u8] {
    if !raw.starts_with(b"From ") {
        return raw;
    }
    match raw.iter().position(|&byte| byte == b'\n') {
        Some(end) => &raw[end + 1..],
        None => raw,
    }
}

/// Returns the header section of a message that is too large.
fn header_alone(raw: &[u8]) -> &[u8] {
    let raw = &raw[..raw.len().min(MAX_HEADER_BYTES)];
    let ends = |blank: &[u8]| raw.windows(blank.len()).position(|bytes| bytes == blank).map(|at| at + blank.len());
    let end = [&b"\r\n\r\n"[..], b"\n\n"].into_iter().filter_map(ends).min();
    &raw[..end.unwrap_or(raw.len())]
}

fn recipients(message: &Message<'_>) -> Vec<Recipient> {
    let mut found: Vec<Recipient> = Vec::new();
    for field in RECIPIENT_FIELDS {
        for address in addresses(message, field) {
            match found.iter().position(|known| known.address == address) {
                Some(at) if found[at].fields.last() != Some(field) => found[at].fields.push(field),
                None if found.len() < MAX_RECIPIENTS => found.push(Recipient { address, fields: vec![field] }),
                _ => {}
            }
        }
    }
    found
}

fn addresses(message: &Message<'_>, field: &str) -> Vec<String> {
    let Some(header) = message.headers().iter().find(|header| header.name.as_str().eq_ignore_ascii_case(field)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    // This reads all fields with the name.
    for value in message.header_as(header.name.clone(), HeaderForm::Addresses) {
        let HeaderValue::Address(list) = value else { continue };
        let addresses = list.iter().filter_map(|one| one.address()).map(|one| one.trim().to_ascii_lowercase());
        found.extend(addresses.filter(|one| one.contains('@')));
    }
    found
}

/// Returns the ids of a field, the newest last. Python's mail library, for one, writes long ids as
/// encoded words (RFC 2047), which the RFC does not allow here; without brackets the field is one
/// id.
fn ids(message: &Message<'_>, name: &'static str) -> Vec<String> {
    let field = message.header_as(name, HeaderForm::Text).pop();
    let text = field.as_ref().and_then(HeaderValue::as_text).unwrap_or_default().trim();
    let bracketed: Vec<&str> = text.split('<').skip(1).filter_map(|rest| Some(rest.split_once('>')?.0)).collect();
    let all = if bracketed.is_empty() { vec![text] } else { bracketed };
    let fitting = all.into_iter().filter(|id| (1..=MAX_ID_BYTES).contains(&id.len()));
    let mut fitting: Vec<String> = fitting.map(str::to_owned).collect();
    fitting.drain(..fitting.len().saturating_sub(MAX_IDS));
    fitting
}

/// Returns a subject without tags in brackets and without marks of replies at its beginning, and
/// `true` if there were any.
pub fn bare_subject(subject: &str) -> (String, bool) {
    let (mut text, mut rest, mut marked) = (String::new(), subject, false);
    while let Some((before, after)) = rest.split_once('[')
        && let Some((_, behind)) = after.split_once(']')
    {
        text += &format!("{before} ");
        (rest, marked) = (behind, true);
    }
    text += rest;
    let mut text = text.trim();
    while let Some((mark, after)) = text.split_once(':')
        && REPLY_MARKS.iter().any(|known| mark.trim().eq_ignore_ascii_case(known))
    {
        (text, marked) = (after.trim(), true);
    }
    (text.split_whitespace().collect::<Vec<_>>().join(" "), marked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_senders_own_words_in_a_subject_are_found() {
        let letter = b"Subject: [d-pl] Turn 1, Round 4\n\nA letter.\n";
        let letter = Answered::parse(letter).unwrap();
        for (subject, own) in [
            ("Re: [d-pl] Turn 1, Round 4", ""),
            ("AW: Re: [d-pl] Turn 1, Round 4", ""),
            ("[EXT] Re: [d-pl] Turn 1, Round 4", ""),
            ("Re: [d-pl] Turn 1, Rou", ""),
            ("Re: game", ""),
            ("", ""),
            ("Re: [d-pl] Turn 1, Round 4 - WAIT", "- WAIT"),
            ("Re: [d-pl] Turn 1, Round 4 (draft, do not execute)", "(draft, do not execute)"),
            ("WAIT: [d-pl] Turn 1, Round 4", "wait:"),
            ("DO NOT PROCESS", "DO NOT PROCESS"),
        ] {
            let mail = Incoming::parse(format!("From: a@b.example\nSubject: {subject}\n\nb\n").as_bytes()).unwrap();
            assert_eq!(mail.own_subject(Some(&letter)).to_lowercase(), own.to_lowercase(), "{subject}");
        }
        let mail = |subject: &str| Incoming::parse(format!("Subject: {subject}\n\nb\n").as_bytes()).unwrap();
        assert_eq!(mail("WAIT: [d-pl] Turn 1").own_subject(None), "WAIT:");
        assert_eq!(mail("Re: [d-pl] Turn 1").own_subject(None), "");
    }

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
        let of =
            |address: &str, fields: &[&'static str]| Recipient { address: address.into(), fields: fields.to_vec() };
        let named = [
            of("postrider+x@play.example.org", &["To"]),
            of("anna@example.net", &["To", "Cc"]),
            of("postrider+lone-pine@play.example.org", &["Delivered-To"]),
        ];
        assert_eq!(mail.recipients, named);
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
        // Further bytes are ignored.
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

    /// As Python's `EmailMessage` writes an id of more than 77 characters.
    #[test]
    fn ids_in_encoded_words_are_read() {
        let word = |text: &str| format!("=?utf-8?q?{text}?=");
        let (begin, end) = (word("=3Ca-letter"), word("=40play=2Eexample=3E"));
        let two = format!("{begin}\r\n {}\r\n {end}", word("=40play=2Eexample=3E_=3Canother"));
        let raw =
            format!("From: ben@example.net\r\nIn-Reply-To: {begin}\r\n {end}\r\nReferences: {two}\r\n\r\nyes\r\n");
        let mail = Incoming::parse(raw.as_bytes()).unwrap();
        assert_eq!(mail.in_reply_to, ["a-letter@play.example"]);
        assert_eq!(mail.references, ["a-letter@play.example", "another@play.example"]);
    }

    #[test]
    fn letters_beyond_ascii_are_no_other_case() {
        // U+212A is the kelvin sign, whose lower case is k.
        let mail = Incoming::parse("From: \u{212a}ate@example.net\r\n\r\npass\r\n".as_bytes()).unwrap();
        assert_ne!(mail.author(), Some("kate@example.net"));
        assert!(crate::check_sender(&mail, "kate@example.net", false).is_err());
    }
}
