//! Envelopes: the sender and recipients used for delivery, independent of the header.

use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// The sender and recipients of a mail (RFC 5321 section 3.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Envelope {
    /// The address for delivery failures. `None` is the null path, which automatic answers should
    /// use (RFC 3834 section 3.3).
    pub sender: Option<String>,
    /// The recipients; at least one.
    pub recipients: Vec<String>,
}

/// A message with its envelope, ready to be sent without reading the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composed {
    /// The envelope.
    pub envelope: Envelope,
    /// The message, with CRLF line endings.
    pub raw: Vec<u8>,
}

/// The fields in which mail systems record the envelope of a stored mail, including the space after
/// the colon.
const SENDER: &str = "Return-Path: <";
const RECIPIENT: &str = "Envelope-To: ";

impl Composed {
    /// Returns the contents of its file in the outbox: the envelope fields followed by the message.
    #[must_use]
    pub fn filed(&self) -> Vec<u8> {
        let Envelope { sender, recipients } = &self.envelope;
        let mut head = format!("{SENDER}{}>\r\n", sender.as_deref().unwrap_or_default());
        for recipient in recipients {
            // Writing to a `String` cannot fail.
            let _ = write!(head, "{RECIPIENT}{recipient}\r\n");
        }
        [head.as_bytes(), &self.raw].concat()
    }

    /// Reads a mail from its file. Returns `None` if the file does not begin with an envelope.
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

/// Returns the rest of the line if it begins with `begins`, and the bytes after the line.
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
