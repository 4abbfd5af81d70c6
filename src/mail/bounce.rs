//! Delivery reports on letters that were not delivered or are delayed (RFC 3464).

use super::nested::guarded;
use mail_parser::{Message, MessageParser, MimeHeaders, PartType};

/// A mail server's report on a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounce {
    /// The letter's Message-ID without angle brackets, if the report contains it.
    pub message_id: Option<String>,
    /// `true` if the server has given up, `false` if it will try again.
    pub failed: bool,
    /// The reason: `5.1.1 smtp; 550 no such user`.
    pub why: String,
}

/// Maximum number of characters kept of the reason.
const LONGEST_WHY: usize = 300;

impl Bounce {
    /// Reads a report. Returns `None` if the mail is not a report, or reports a successful
    /// delivery.
    ///
    /// `returned` is `true` if the mail came to an address that receives only reports. Then reports
    /// in other formats are accepted, even without the Message-ID of the letter.
    #[must_use]
    pub fn of(raw: &[u8], returned: bool) -> Option<Bounce> {
        guarded(raw, || Bounce::read(raw, returned)).ok()?
    }

    fn read(raw: &[u8], returned: bool) -> Option<Bounce> {
        let message = MessageParser::default().parse(raw)?;
        let message_id = returned_id(&message);
        if message_id.is_none() && !returned {
            return None;
        }
        let status = message.parts.iter().find(|part| is(part, "message", "delivery-status"));
        let Some(status) = status else {
            // Some servers use their own format. If a mail system returns a letter, that letter has
            // bounced.
            let from = message.from()?.first()?.address()?.split('@').next()?.to_ascii_lowercase();
            let system = ["mailer-daemon", "postmaster"].contains(&from.as_str());
            let why = message.body_text(0).map(|text| telling(&text)).unwrap_or_default();
            return system.then_some(Bounce { message_id, failed: true, why });
        };
        let text = String::from_utf8_lossy(status.contents());
        let field = |name: &str| {
            let unfolded = text.replace("\r\n", "\n").replace("\n ", " ").replace("\n\t", " ");
            let found = unfolded.lines().find_map(|line| {
                let (field, value) = line.split_once(':')?;
                field.trim().eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
            });
            found.unwrap_or_default()
        };
        let (status, diagnostic) = (field("Status"), field("Diagnostic-Code"));
        let failed = match field("Action").to_ascii_lowercase().as_str() {
            "failed" => true,
            "delayed" => false,
            // Delivered, relayed or expanded. Without an action, the status decides.
            "" if status.starts_with('5') => true,
            _ => return None,
        };
        let why: String = format!("{status} {diagnostic}").trim().chars().take(LONGEST_WHY).collect();
        Some(Bounce { message_id, failed, why })
    }
}

/// Returns the Message-ID of the returned letter, of which only the header may be present.
fn returned_id(message: &Message<'_>) -> Option<String> {
    message.parts.iter().find_map(|part| match &part.body {
        PartType::Message(inner) => inner.message_id().map(str::to_owned),
        _ if is(part, "text", "rfc822-headers") || is(part, "message", "rfc822") => in_headers(part.contents()),
        _ => None,
    })
}

fn in_headers(header: &[u8]) -> Option<String> {
    MessageParser::default().parse_headers(header)?.message_id().map(str::to_owned)
}

fn is(part: &mail_parser::MessagePart<'_>, kind: &str, subtype: &str) -> bool {
    part.content_type().is_some_and(|found| {
        found.ctype().eq_ignore_ascii_case(kind)
            && found.subtype().is_some_and(|found| found.eq_ignore_ascii_case(subtype))
    })
}

/// Returns the first line of a report with an SMTP code, or else its first line.
fn telling(text: &str) -> String {
    let coded =
        |line: &&str| line.split(|c: char| !c.is_ascii_digit()).any(|word| word.len() == 3 && word.starts_with('5'));
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines().find(coded).or_else(|| lines().next()).unwrap_or_default().chars().take(LONGEST_WHY).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(status: &str) -> String {
        format!(
            "From: MAILER-DAEMON@mx.example.net\nTo: postrider@play.example\nSubject: Undelivered Mail Returned to Sender\n\
             Auto-Submitted: auto-replied\nMIME-Version: 1.0\n\
             Content-Type: multipart/report; report-type=delivery-status; boundary=\"b\"\n\n\
             --b\nContent-Type: text/plain\n\nI am sorry.\n\n\
             --b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.net\n\n{status}\n\
             --b\nContent-Type: text/rfc822-headers\n\nFrom: Postrider <postrider@play.example>\n\
             Message-ID: <lone-pine.B.412.1a2b3c4d.letter@play.example>\nSubject: x\n\n--b--\n"
        )
    }

    #[test]
    fn a_report_names_the_letter_and_the_reason() {
        let raw = report(
            "Final-Recipient: rfc822; ben@example.net\nAction: failed\nStatus: 5.1.1\n\
             Diagnostic-Code: smtp; 550 5.1.1 <ben@example.net>:\n    no such user\n",
        );
        let bounce = Bounce::of(raw.as_bytes(), false).unwrap();
        assert_eq!(bounce.message_id.as_deref(), Some("lone-pine.B.412.1a2b3c4d.letter@play.example"));
        assert!(
            bounce.failed && bounce.why.contains("5.1.1 smtp; 550") && bounce.why.contains("no such user"),
            "{bounce:?}"
        );
        let late = Bounce::of(report("Action: delayed\nStatus: 4.4.1\n").as_bytes(), false).unwrap();
        assert!(!late.failed && late.why == "4.4.1");
        assert_eq!(Bounce::of(report("Action: delivered\nStatus: 2.0.0\n").as_bytes(), false), None);
    }

    #[test]
    fn a_whole_letter_may_come_back_and_a_server_may_have_its_own_form() {
        let raw = report("Action: failed\nStatus: 5.2.2\n").replace("text/rfc822-headers", "message/rfc822");
        assert_eq!(
            Bounce::of(raw.as_bytes(), false).unwrap().message_id.as_deref(),
            Some("lone-pine.B.412.1a2b3c4d.letter@play.example")
        );
        let own = "From: mailer-daemon@mx.example\nSubject: failure notice\nMIME-Version: 1.0\n\
                   Content-Type: multipart/mixed; boundary=\"b\"\n\n--b\nContent-Type: text/plain\n\nHi.\n\
                   <ben@example.net>: 550 mailbox is full\n\n--b\nContent-Type: message/rfc822\n\n\
                   Message-ID: <lone-pine.B.invitation@play.example>\n\nhello\n--b--\n";
        let bounce = Bounce::of(own.as_bytes(), false).unwrap();
        assert!(bounce.failed && bounce.why.contains("mailbox is full"), "{bounce:?}");
    }

    #[test]
    fn one_that_says_nothing_of_the_letter_counts_where_it_comes_to_an_address_of_the_seat() {
        let raw = "From: MAILER-DAEMON@mx.example\nSubject: failure\n\n<ben@example.net>: 550 no such user\n";
        assert_eq!(Bounce::of(raw.as_bytes(), false), None);
        let bounce = Bounce::of(raw.as_bytes(), true).unwrap();
        assert!(bounce.failed && bounce.message_id.is_none() && bounce.why.contains("550 no such user"), "{bounce:?}");
        let away = "From: ben@example.net\nAuto-Submitted: auto-replied\nSubject: away\n\nI am away.\n";
        assert_eq!(Bounce::of(away.as_bytes(), true), None, "an answering machine's note is none");
    }

    #[test]
    fn a_persons_mail_is_no_report() {
        assert_eq!(Bounce::of(b"From: ben@example.net\nSubject: Re: x\n\n1a\n", false), None);
        let forwarded = "From: ben@example.net\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"b\"\n\n\
                         --b\nContent-Type: text/plain\n\nlook\n\n--b\nContent-Type: message/rfc822\n\n\
                         Message-ID: <lone-pine.B.1.2.letter@x>\n\nhello\n--b--\n";
        assert_eq!(Bounce::of(forwarded.as_bytes(), false), None);
    }
}
