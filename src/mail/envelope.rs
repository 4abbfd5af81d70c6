//! What a mail is handed over with, apart from what it says itself.

use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// Who hands a mail over and who is to get it, apart from what its header says (RFC 5321 section 3.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Envelope {
    /// Where failures are reported; `None` is the null path, which an automatic answer should use (RFC 3834 section 3.3).
    pub sender: Option<String>,
    /// The recipients; at least one.
    pub recipients: Vec<String>,
}

/// A message with its envelope: all that is needed to send it. Nobody has to read the message to find its recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composed {
    /// What it is handed over with.
    pub envelope: Envelope,
    /// The message, with CRLF line ends.
    pub raw: Vec<u8>,
}

/// The fields in which mail systems note the envelope of a mail that they keep, each with a space behind it.
const SENDER: &str = "Return-Path: <";
const RECIPIENT: &str = "Envelope-To: ";

impl Composed {
    /// The file in which it waits: the fields of its envelope, and the message behind them.
    #[must_use]
    pub fn filed(&self) -> Vec<u8> {
        let Envelope { sender, recipients } = &self.envelope;
        let mut head = format!("{SENDER}{}>\r\n", sender.as_deref().unwrap_or_default());
        for recipient in recipients {
            // Writing to a String cannot fail.
            let _ = write!(head, "{RECIPIENT}{recipient}\r\n");
        }
        [head.as_bytes(), &self.raw].concat()
    }

    /// The mail in a file; `None` if the message has no envelope in front of it.
    #[must_use]
    pub fn of_file(file: &[u8]) -> Option<Composed> {
        let (sender, mut raw) = line_after(SENDER, file)?;
        let sender = Some(sender.strip_suffix('>')?.to_owned()).filter(|sender| !sender.is_empty());
        let mut recipients = Vec::new();
        while let Some((recipient, rest)) = line_after(RECIPIENT, raw) {
            recipients.push(recipient.to_owned());
            raw = rest;
        }
        Some(Composed { envelope: Envelope { sender, recipients }, raw: raw.to_vec() })
    }
}

/// The rest of a line that begins so, and what comes behind the line.
fn line_after<'b>(begins: &str, bytes: &'b [u8]) -> Option<(&'b str, &'b [u8])> {
    let rest = bytes.strip_prefix(begins.as_bytes())?;
    let end = rest.windows(2).position(|two| two == b"\r\n")?;
    Some((std::str::from_utf8(&rest[..end]).ok()?, &rest[end + 2..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_envelope_comes_back_from_the_file() {
        for (sender, recipients) in [
            (None, vec![]),
            (Some("p@play.example.org"), vec!["ben@example.net"]),
            (None, vec!["\"a, b\"@example.net", "ben@example.net"]),
        ] {
            let recipients = recipients.into_iter().map(str::to_owned).collect();
            let envelope = Envelope { sender: sender.map(str::to_owned), recipients };
            let mail = Composed { envelope, raw: b"Subject: x\r\n\r\n".to_vec() };
            assert_eq!(Composed::of_file(&mail.filed()), Some(mail));
        }
        assert_eq!(Composed::of_file(b"Subject: x\r\n\r\n"), None);
        assert_eq!(Composed::of_file(b"Return-Path: <x"), None);
    }
}
