//! Composition of an outgoing mail (RFC 5322).

use chrono::{DateTime, Datelike, Utc};
use data_encoding::HEXLOWER;
use lettre::{
    Address, Message,
    message::{
        Body, Mailbox, MultiPart, SinglePart,
        header::{ContentDisposition, ContentId, ContentTransferEncoding, ContentType, HeaderName, HeaderValue},
    },
};
use sha2::{Digest, Sha256};

use super::{Composed, Envelope};

/// Fields that [`Outgoing`] writes itself. [`Outgoing::headers`] must not contain them.
const OWN_FIELDS: &[&str] = &[
    "from",
    "to",
    "cc",
    "bcc",
    "sender",
    "reply-to",
    "subject",
    "date",
    "message-id",
    "in-reply-to",
    "references",
    "auto-submitted",
    "mime-version",
    "content-type",
    "content-transfer-encoding",
];

/// The kind of an automatic mail (RFC 3834 section 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutoSubmitted {
    /// Sent on the service's own initiative: a request, a report, a reminder.
    Generated,
    /// The direct answer to a mail.
    Replied,
}

/// The Content-ID by which the HTML refers to the picture of its mail (RFC 2392).
pub const PICTURE: &str = "map@postrider";

/// An attached file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attached {
    /// Its name, such as `seals.txt`.
    pub name: String,
    /// Its content.
    pub content: Content,
}

/// The content of an attached file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A text.
    Text(String),
    /// An HTML page.
    Html(String),
    /// A picture, as PNG.
    Png(Vec<u8>),
}

/// A mail to one person. The same values give the same bytes, so that a mail can be composed again
/// after a crash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// The recipient's name; may be empty.
    pub to_name: String,
    /// The recipient's address.
    pub to_address: String,
    /// The name of the author.
    pub from_name: String,
    /// The address of the author.
    pub from_address: String,
    /// The address for answers, if not `from_address`.
    pub reply_to: Option<String>,
    /// The subject. It is encoded if it is not ASCII.
    pub subject: String,
    /// The plain text. Lines of up to 998 characters are kept, so that tables of 76 columns stay
    /// intact.
    pub text: String,
    /// The same text as HTML, if wanted.
    pub html: Option<String>,
    /// The picture (PNG) that the HTML shows by its id [`PICTURE`].
    pub picture: Option<Vec<u8>>,
    /// The attached files.
    pub attached: Vec<Attached>,
    /// The Message-ID `<game.seat.n.hash8.k@host>`, with or without angle brackets.
    pub message_id: String,
    /// The id of the mail that this one answers.
    pub in_reply_to: Option<String>,
    /// The ids of the thread, oldest first.
    pub references: Vec<String>,
    /// The address for delivery failures, if the recipient has its own (VERP). Mails to it are
    /// never answered.
    pub returns: Option<String>,
    /// Further header fields, such as `X-Postrider-Head`.
    pub headers: Vec<(String, String)>,
    /// The `Date` of the mail; fractions of a second are dropped.
    pub date: DateTime<Utc>,
    /// The value of `Auto-Submitted`.
    pub auto_submitted: AutoSubmitted,
}

/// The reason an [`Outgoing`] cannot be composed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ComposeFault {
    /// An invalid mail address; contains only the field's name, because logs must not contain
    /// addresses.
    #[error("the {0} address is not a mail address")]
    BadAddress(&'static str),
    /// A line break or another control character, which could forge header fields.
    #[error("the field {0} holds a control character")]
    ControlCharacter(String),
    /// A message id that is not of the form `<left@right>`.
    #[error("`{0}` is not a message id")]
    BadMessageId(String),
    /// An invalid name of a header field, or a field that is already written.
    #[error("`{0}` cannot be an additional header field")]
    BadHeader(String),
    /// A year that a mail cannot have; contains the year.
    #[error("a mail cannot be dated in the year {0}")]
    BadDate(i32),
    /// An error of the mail library.
    #[error("the message cannot be composed: {0}")]
    Refused(String),
}

impl Outgoing {
    /// Returns the envelope.
    ///
    /// Failures are reported to `returns`, which RFC 3834 section 3.3 also allows for answers.
    /// Without it, failures of generated mails are reported to `from_address`, and answers have the
    /// null path, so that nothing answers them.
    pub fn envelope(&self) -> Envelope {
        let sender = match (&self.returns, self.auto_submitted) {
            (Some(returns), _) => Some(returns.clone()),
            (None, AutoSubmitted::Generated) => Some(self.from_address.clone()),
            (None, AutoSubmitted::Replied) => None,
        };
        Envelope { sender, recipients: vec![self.to_address.clone()] }
    }

    /// Composes the message with its envelope.
    ///
    /// # Errors
    /// [`ComposeFault`] if a value is invalid. Trying again cannot help.
    pub fn compose(&self) -> Result<Composed, ComposeFault> {
        if !(1970..=9999).contains(&self.date.year()) {
            return Err(ComposeFault::BadDate(self.date.year()));
        }
        no_control("Subject", &self.subject)?;
        let id = message_id(&self.message_id)?;
        let mut builder = Message::builder()
            .date(self.date.into())
            .from(mailbox("From", &self.from_name, &self.from_address)?)
            .to(mailbox("To", &self.to_name, &self.to_address)?)
            .subject(self.subject.as_str())
            .message_id(Some(id.clone()));
        if let Some(address) = &self.reply_to {
            builder = builder.reply_to(mailbox("Reply-To", &self.from_name, address)?);
        }
        if let Some(answered) = &self.in_reply_to {
            builder = builder.in_reply_to(message_id(answered)?);
        }
        if !self.references.is_empty() {
            let ids = self.references.iter().map(|id| message_id(id)).collect::<Result<Vec<_>, _>>()?;
            builder = builder.references(ids.join(" "));
        }
        let auto = match self.auto_submitted {
            AutoSubmitted::Generated => "auto-generated",
            AutoSubmitted::Replied => "auto-replied",
        };
        builder = builder.raw_header(header("Auto-Submitted", auto)?);
        for (name, value) in &self.headers {
            if OWN_FIELDS.contains(&name.to_ascii_lowercase().as_str()) {
                return Err(ComposeFault::BadHeader(name.clone()));
            }
            builder = builder.raw_header(header(name, value)?);
        }
        let text = part(ContentType::TEXT_PLAIN, &self.text)?;
        let html = self.html.as_ref().map(|html| part(ContentType::TEXT_HTML, html)).transpose()?;
        let picture = self.picture.as_deref().map(inline).transpose()?;
        let both = |html| {
            let both = MultiPart::alternative().boundary(boundary(&id, "a")).singlepart(text.clone());
            match &picture {
                None => both.singlepart(html),
                Some(picture) => both.multipart(
                    MultiPart::related().boundary(boundary(&id, "r")).singlepart(html).singlepart(picture.clone()),
                ),
            }
        };
        let message = match (html, self.attached.as_slice()) {
            (None, []) => builder.singlepart(text),
            (Some(html), []) => builder.multipart(both(html)),
            (html, attached) => {
                let mixed = MultiPart::mixed().boundary(boundary(&id, "m"));
                let mut mixed = match html {
                    None => mixed.singlepart(text),
                    Some(html) => mixed.multipart(both(html)),
                };
                for Attached { name, content } in attached {
                    no_control("Content-Disposition", name)?;
                    let builder = SinglePart::builder().header(ContentDisposition::attachment(name));
                    mixed = mixed.singlepart(match content {
                        Content::Text(text) => builder.header(ContentType::TEXT_PLAIN).body(body(text)?),
                        Content::Html(page) => builder.header(ContentType::TEXT_HTML).body(body(page)?),
                        Content::Png(picture) => builder.header(png()?).body(Body::new(picture.clone())),
                    });
                }
                builder.multipart(mixed)
            }
        };
        let message = message.map_err(|fault| ComposeFault::Refused(fault.to_string()))?;
        Ok(Composed { envelope: self.envelope(), raw: folded(&message.formatted()) })
    }
}

/// Maximum number of characters in a line of the header, if it can be folded (RFC 5322 section
/// 2.1.1).
const LONGEST_LINE: usize = 78;

/// Folds header lines at spaces if the library left them too long: ids, and addresses after names.
fn folded(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len() + 64);
    let mut rest = raw;
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n").filter(|end| *end > 0) {
        let (mut line, after) = rest.split_at(end + 2);
        // Not at the first character, because a line with only a space is not allowed.
        while line.len() - 2 > LONGEST_LINE
            && let Some(at) = space_for_a_fold(line)
        {
            out.extend_from_slice(&line[..at]);
            out.extend_from_slice(b"\r\n");
            line = &line[at..];
        }
        out.extend_from_slice(line);
        rest = after;
    }
    out.extend_from_slice(rest);
    out
}

/// Returns the last space before the line becomes too long, otherwise the first one after that.
fn space_for_a_fold(line: &[u8]) -> Option<usize> {
    let spaces = || (1..line.len() - 2).filter(|&at| line[at] == b' ' && line[..at].iter().any(|byte| *byte != b' '));
    spaces().take_while(|&at| at <= LONGEST_LINE).last().or_else(|| spaces().next())
}

/// Creates a part. ASCII with short lines is sent unencoded, other text as quoted-printable, which
/// keeps the source mostly readable and preserves line breaks.
fn part(kind: ContentType, content: &str) -> Result<SinglePart, ComposeFault> {
    Ok(SinglePart::builder().header(kind).body(body(content)?))
}

fn body(content: &str) -> Result<Body, ComposeFault> {
    // The library adds a line break after each part.
    let content: String =
        content.trim_end_matches(['\n', '\r']).chars().filter(|&c| !c.is_control() || c == '\n' || c == '\t').collect();
    // RFC 5322 section 2.1.1 allows 998 characters. The library would already encode lines of 76.
    if content.is_ascii() && content.lines().all(|line| line.len() <= 998) {
        let bytes = content.replace('\n', "\r\n").into_bytes();
        return Ok(Body::dangerous_pre_encoded(bytes, ContentTransferEncoding::SevenBit));
    }
    Body::new_with_encoding(content, ContentTransferEncoding::QuotedPrintable)
        .map_err(|_| ComposeFault::Refused("the text does not fit its encoding".to_string()))
}

/// Creates the part of the picture, which the HTML shows.
fn inline(picture: &[u8]) -> Result<SinglePart, ComposeFault> {
    Ok(SinglePart::builder()
        .header(png()?)
        .header(ContentDisposition::inline_with_name("map.png"))
        .header(ContentId::from(format!("<{PICTURE}>")))
        .body(Body::new(picture.to_vec())))
}

fn png() -> Result<ContentType, ComposeFault> {
    ContentType::parse("image/png").map_err(|fault| ComposeFault::Refused(fault.to_string()))
}

/// Returns a boundary derived from the mail's id. `kind` distinguishes those of one mail.
fn boundary(message_id: &str, kind: &str) -> String {
    let digest = HEXLOWER.encode(&Sha256::digest(message_id.as_bytes()));
    format!("postrider-{kind}-{}", &digest[..32])
}

fn mailbox(field: &'static str, name: &str, address: &str) -> Result<Mailbox, ComposeFault> {
    no_control(field, name)?;
    let address: Address = address.trim().parse().map_err(|_| ComposeFault::BadAddress(field))?;
    let name = name.trim();
    Ok(Mailbox::new((!name.is_empty()).then(|| name.to_string()), address))
}

fn header(name: &str, value: &str) -> Result<HeaderValue, ComposeFault> {
    no_control(name, value)?;
    // RFC 5322 section 3.6.8: printable ASCII without the colon.
    if !name.bytes().all(|c| c.is_ascii_graphic() && c != b':') {
        return Err(ComposeFault::BadHeader(name.to_string()));
    }
    let field = HeaderName::new_from_ascii(name.to_string()).map_err(|_| ComposeFault::BadHeader(name.to_string()))?;
    Ok(HeaderValue::new(field, value.to_string()))
}

fn no_control(field: &str, value: &str) -> Result<(), ComposeFault> {
    if value.chars().any(char::is_control) {
        return Err(ComposeFault::ControlCharacter(field.to_string()));
    }
    Ok(())
}

/// Returns an id in angle brackets.
fn message_id(id: &str) -> Result<String, ComposeFault> {
    let bare = id.trim();
    let bare = bare.strip_prefix('<').and_then(|id| id.strip_suffix('>')).unwrap_or(bare);
    let fine = |part: &str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_graphic() && !matches!(c, b'<' | b'>'));
    match bare.split_once('@') {
        Some((left, right)) if fine(left) && fine(right) => Ok(format!("<{bare}>")),
        _ => Err(ComposeFault::BadMessageId(id.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Incoming;

    fn outgoing() -> Outgoing {
        Outgoing {
            to_name: "Ben Öster".into(),
            to_address: "ben@example.net".into(),
            from_name: "Postrider".into(),
            from_address: "postrider@play.example.org".into(),
            reply_to: Some("postrider+lone-pine.q41.aaaaaaaaaaaaaaaaaaaaaaaaaa@play.example.org".into()),
            subject: "[lone-pine] Turn 5, Round 9: your Shaman Card, Ben".into(),
            text: format!("{}\n  Texas | {:>10}\n", "x".repeat(76), 17),
            html: None,
            picture: None,
            attached: Vec::new(),
            message_id: "<lone-pine.indians.412.9f3c51aa.0@play.example.org>".into(),
            in_reply_to: Some("a1@example.net".into()),
            references: vec!["<p1@play.example.org>".into(), "<a1@example.net>".into()],
            returns: None,
            headers: vec![("X-Postrider-Head".into(), "412 9f3c".into())],
            date: DateTime::from_timestamp(1_793_491_200, 0).unwrap(),
            auto_submitted: AutoSubmitted::Generated,
        }
    }

    fn text_of(raw: &[u8]) -> String {
        String::from_utf8(raw.to_vec()).unwrap()
    }

    #[test]
    fn ascii_tables_go_out_as_they_are() {
        let raw = text_of(&outgoing().compose().unwrap().raw);
        assert!(raw.contains("Content-Transfer-Encoding: 7bit\r\n"), "{raw}");
        assert!(raw.contains(&format!("\r\n\r\n{}\r\n  Texas |         17\r\n", "x".repeat(76))), "{raw}");
        assert!(raw.contains("Auto-Submitted: auto-generated\r\n"));
        assert!(raw.contains("X-Postrider-Head: 412 9f3c\r\n"));
        assert!(raw.contains("Message-ID: <lone-pine.indians.412.9f3c51aa.0@play.example.org>\r\n"));
        assert!(raw.contains("In-Reply-To: <a1@example.net>\r\n"));
        assert!(raw.is_ascii());
    }

    #[test]
    fn the_same_values_make_the_same_bytes() {
        let with_html = Outgoing { html: Some("<p>Grüße</p>".into()), text: "Grüße\n".into(), ..outgoing() };
        let raw = with_html.compose().unwrap().raw;
        assert_eq!(raw, with_html.compose().unwrap().raw);
        let text = text_of(&raw);
        assert!(text.contains("multipart/alternative;\r\n boundary=\"postrider-"), "{text}");
        assert!(text.contains("Content-Type: text/plain; charset=utf-8"), "{text}");
        assert!(text.contains("Gr=C3=BC=C3=9Fe\r\n"), "{text}");
    }

    #[test]
    fn what_goes_out_can_be_read_again() {
        let raw = Outgoing { text: "Grüße – €5\nzwei\n".into(), subject: "Über Texas €".into(), ..outgoing() }
            .compose()
            .unwrap()
            .raw;
        let mail = Incoming::parse(&raw).unwrap();
        assert_eq!(mail.subject, "Über Texas €");
        assert_eq!(mail.author(), Some("postrider@play.example.org"));
        assert_eq!(mail.references, ["p1@play.example.org", "a1@example.net"]);
        assert_eq!(mail.date, Some(outgoing().date));
        let lines: Vec<_> = mail.orders.unwrap().lines.into_iter().map(|line| line.text).collect();
        assert_eq!(lines, ["Grüße – €5", "zwei"]);
        // The service's own mails are never read for orders.
        assert!(mail.loop_risk.is_some());
    }

    #[test]
    fn lines_of_the_header_are_folded_where_they_can_be() {
        let long = format!("<{}@play.example.org>", "x".repeat(50));
        let mail = Outgoing {
            to_name: "Ben of the long name that goes on and on".into(),
            to_address: format!("{}@example.net", "b".repeat(40)),
            message_id: long.clone(),
            references: vec![long.clone(), long.clone()],
            in_reply_to: Some(long.clone()),
            subject: "a word ".repeat(30).trim_end().into(),
            ..outgoing()
        };
        let text = text_of(&mail.compose().unwrap().raw);
        let (header, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(header.lines().all(|line| line.len() <= 78 && !line.trim().is_empty()), "{header}");
        assert!(header.contains(&format!("Message-ID:\r\n {long}")), "{header}");
        assert!(body.starts_with(&"x".repeat(76)), "the text is not touched");
        let read = Incoming::parse(text.as_bytes()).unwrap();
        assert_eq!(read.message_id.as_deref(), Some(long.trim_matches(['<', '>'])));
        assert_eq!((read.references.len(), read.subject.as_str()), (2, "a word ".repeat(30).trim_end()));
    }

    #[test]
    fn no_value_can_forge_a_header() {
        let evil = "x\r\nBcc: all@example.org";
        for mail in [
            Outgoing { subject: evil.into(), ..outgoing() },
            Outgoing { to_name: evil.into(), ..outgoing() },
            Outgoing { from_name: evil.into(), ..outgoing() },
            Outgoing { to_address: format!("ben@example.net{evil}"), ..outgoing() },
            Outgoing { reply_to: Some(evil.into()), ..outgoing() },
            Outgoing { message_id: format!("<a@b{evil}>"), ..outgoing() },
            Outgoing { references: vec![evil.into()], ..outgoing() },
            Outgoing { headers: vec![("X-A".into(), evil.into())], ..outgoing() },
            Outgoing { headers: vec![(evil.into(), "x".into())], ..outgoing() },
            Outgoing { headers: vec![("Bcc".into(), "all@example.org".into())], ..outgoing() },
        ] {
            assert!(mail.compose().is_err(), "{mail:?}");
        }
    }

    #[test]
    fn answers_say_so() {
        assert_eq!(outgoing().envelope().sender.as_deref(), Some("postrider@play.example.org"));
        let answer = Outgoing { auto_submitted: AutoSubmitted::Replied, ..outgoing() };
        assert_eq!(answer.envelope(), Envelope { sender: None, recipients: vec!["ben@example.net".into()] });
        let composed = answer.compose().unwrap();
        assert_eq!(composed.envelope, answer.envelope());
        assert!(text_of(&composed.raw).contains("Auto-Submitted: auto-replied\r\n"));
        let returned = Outgoing { returns: Some("postrider+lone-pine.B.aaaaaaaa@play.example.org".into()), ..answer };
        assert_eq!(returned.envelope().sender, returned.returns);
        assert_eq!(returned.compose().unwrap().raw, composed.raw, "only the envelope says it");
    }
}
