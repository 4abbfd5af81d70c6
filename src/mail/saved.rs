//! A saved mail, read for its text and attachments rather than for orders.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use mail_parser::{Message, MessageParser, MimeHeaders, PartType};

use super::{
    body, flowed,
    headers::Headers,
    html,
    incoming::date,
    nested::{guarded, has_too_many_fields},
};

/// Maximum nesting of attached messages.
const MOST_NESTED: usize = 12;

/// Maximum length of an HTML part that is read, in bytes. It is many times that of a letter, and
/// longer ones take long.
const LONGEST_PAGE: usize = 4 * 1024 * 1024;

/// A message in a saved mail: the mail itself, or one attached to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedMessage {
    /// Its header fields, unfolded, in order.
    fields: Vec<(String, String)>,
    /// All its text, decoded and without quote marks; both plain text and HTML if it has both.
    pub text: String,
    /// The whole message, if it is attached to another.
    pub attached: Option<Vec<u8>>,
    /// The other attachments, by name.
    pub files: Vec<(String, Vec<u8>)>,
    /// Its `Date` if it is valid.
    pub date: Option<DateTime<Utc>>,
}

impl SavedMessage {
    /// Reads a raw message (RFC 5322) and all messages attached to it, outermost first.
    ///
    /// Parts that cannot be read are omitted, because unreadable evidence proves nothing. Bytes
    /// that are not a mail are treated as its text, or as an HTML page.
    #[must_use]
    pub fn read(raw: &[u8]) -> Vec<SavedMessage> {
        let unmarked = as_utf8(raw);
        let raw = &*unmarked;
        guarded(raw, || {
            let mut all = Vec::new();
            if let Some(message) = MessageParser::default().parse(raw) {
                take(&message, &mut all, 0);
            }
            let is_mail =
                |message: &SavedMessage| ["From", "Subject", "Date"].iter().any(|f| message.field(f).is_some());
            if !all.first().is_some_and(is_mail) {
                // The text of a letter that was pasted into a file.
                let text = String::from_utf8_lossy(raw);
                let lines = match text.trim_start().starts_with('<') {
                    true if text.len() > LONGEST_PAGE => Vec::new(),
                    true => html::lines(&text),
                    false => flowed::lines_of_letter(&text, flowed::Format::Fixed),
                };
                let shown = lines.into_iter().filter(|line| line.marked.is_none());
                let text = shown.map(|line| line.text + "\n").collect();
                all.insert(0, SavedMessage { text, ..SavedMessage::default() });
            }
            all
        })
        .unwrap_or_default()
    }

    /// Returns the first field of this name, ignoring case.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// Converts a file that begins with a byte order mark, as editors write it, to UTF-8 without one.
fn as_utf8(raw: &[u8]) -> Cow<'_, [u8]> {
    let wide = |rest: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = rest.chunks(2).map(|two| unit([two[0], two.get(1).copied().unwrap_or_default()]));
        let text = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect::<String>();
        Cow::Owned(text.into_bytes())
    };
    match raw {
        [0xef, 0xbb, 0xbf, rest @ ..] => Cow::Borrowed(rest),
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        _ => Cow::Borrowed(raw),
    }
}

fn take(message: &Message<'_>, all: &mut Vec<SavedMessage>, depth: usize) {
    if depth > MOST_NESTED || message.parts.first().is_none_or(|root| root.headers.is_empty()) {
        return;
    }
    let unfolded = |value: &str| value.split_whitespace().collect::<Vec<_>>().join(" ");
    let fields = Headers::of(message).into_iter().map(|(name, value)| (name, unfolded(&value))).collect();
    let mut text = String::new();
    let (mut attached, mut files) = (Vec::<Cow<'_, Message<'_>>>::new(), Vec::new());
    for part in &message.parts {
        let lines = match &part.body {
            PartType::Text(text) => flowed::lines_of_letter(text, body::format_of(part)),
            PartType::Html(text) if text.len() > LONGEST_PAGE => continue,
            PartType::Html(text) => html::lines(text),
            PartType::Message(inner) => {
                attached.push(Cow::Borrowed(inner));
                continue;
            }
            // Some programs attach mails without their type; the file name identifies them.
            PartType::Binary(bytes) | PartType::InlineBinary(bytes) => {
                let named = part.attachment_name().is_some_and(|name| name.to_ascii_lowercase().ends_with(".eml"));
                if named {
                    if has_too_many_fields(bytes) {
                        continue;
                    }
                    let inner = MessageParser::default().parse(&bytes[..]).map(Message::into_owned);
                    attached.extend(inner.map(Cow::Owned));
                } else {
                    files.push((part.attachment_name().unwrap_or("attachment").to_owned(), bytes.to_vec()));
                }
                continue;
            }
            PartType::Multipart(_) => continue,
        };
        for line in lines.into_iter().filter(|line| line.marked.is_none()) {
            text.push_str(&line.text);
            text.push('\n');
        }
    }
    let inner = (depth > 0).then(|| message.raw_message().to_vec());
    all.push(SavedMessage { fields, text, attached: inner, files, date: date(message) });
    for inner in &attached {
        take(inner, all, depth + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_beyond_all_measure_is_left_out() {
        let mail = |n: usize| format!("From: a@b.example\nContent-Type: text/html\n\n<p>head</p>{}", "<div>".repeat(n));
        let text = |n: usize| SavedMessage::read(mail(n).as_bytes()).remove(0).text;
        assert!(text(9).contains("head"));
        assert_eq!(text(LONGEST_PAGE / 5), "");
    }

    const INNER: &str = "From: service@play.example\r\nSubject: [lone-pine] your Round\r\nX-Head: a\r\n 12\r\n\
                         Content-Type: text/plain; charset=utf-8\r\n\
                         Content-Transfer-Encoding: quoted-printable\r\n\r\nJournal lone-p=\r\nine =E2=82=AC\r\n";

    fn attached(kind: &str, coding: &str, inner: &str) -> String {
        format!(
            "From: anna@example.net\r\nSubject: Fwd: look\r\nMIME-Version: 1.0\r\n\
             Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nlook\r\n\
             --b\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: {coding}\r\n\r\n{inner}\r\n--b--\r\n"
        )
    }

    #[test]
    fn attached_messages_are_read_like_the_mail_itself() {
        use data_encoding::BASE64;
        let coded = BASE64.encode(INNER.as_bytes());
        for (kind, coding, inner) in [
            ("message/rfc822", "7bit", INNER),
            ("message/rfc822", "base64", &coded),
            ("application/octet-stream; name=\"letter.EML\"", "base64", &coded),
        ] {
            let all = SavedMessage::read(attached(kind, coding, inner).as_bytes());
            assert_eq!(all.len(), 2, "{kind} {coding}: {all:?}");
            assert_eq!(all[0].text, "look\n");
            assert_eq!(all[1].field("x-head"), Some("a 12"), "unfolded");
            assert_eq!(all[1].text, "Journal lone-pine €\n", "{kind} {coding}");
        }
    }

    #[test]
    fn quote_marks_are_taken_off_and_flowed_lines_joined() {
        let raw =
            "From: a@b.example\r\nContent-Type: text/plain; format=flowed\r\n\r\n> > one \r\n> > two\r\n|three\r\n";
        assert_eq!(SavedMessage::read(raw.as_bytes())[0].text, "one two\n|three\n");
        let raw = "From: a@b.example\r\nContent-Type: text/html\r\n\r\n<blockquote><p>one<br>two</p></blockquote>\r\n";
        assert_eq!(SavedMessage::read(raw.as_bytes())[0].text, "one\ntwo\n");
    }

    #[test]
    fn what_is_no_mail_is_text() {
        let all = SavedMessage::read(b"> Journal lone-pine, entry 1\n> hash x\n");
        assert_eq!((all[0].text.as_str(), all[0].fields.len()), ("Journal lone-pine, entry 1\nhash x\n", 0));
        let page = SavedMessage::read(b"\xef\xbb\xbf<!DOCTYPE html><p>Journal <b>lone-pine</b>, entry 1</p>");
        assert_eq!(page[0].text, "Journal lone-pine, entry 1\n");
        let text = "From: a@b.example\r\n\r\nJournal é";
        let wide = |order: fn(u16) -> [u8; 2]| -> Vec<u8> {
            std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(order).collect()
        };
        for raw in [wide(u16::to_le_bytes), wide(u16::to_be_bytes)] {
            let all = SavedMessage::read(&raw);
            assert_eq!((all[0].text.as_str(), all[0].field("from")), ("Journal é\n", Some("a@b.example")));
        }
        for raw in [&b""[..], b"\r\n\r\n", b"\xff\xfe\x00"] {
            assert!(SavedMessage::read(raw)[0].fields.is_empty(), "{raw:?}");
        }
    }
}
