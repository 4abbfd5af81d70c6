//! Detection of mails sent by machines, to prevent mail loops (RFC 3834).

use mail_parser::{Message, MimeHeaders};

use super::headers::Headers;

/// The reason a message must not be read for orders or answered automatically.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoopRisk {
    /// `Auto-Submitted` with a value other than `no` (RFC 3834 section 5).
    AutoSubmitted(String),
    /// `Precedence: bulk`, `list`, `junk` or `auto_reply`.
    Precedence(String),
    /// A header field of a mailing list (RFC 2369, RFC 2919 and older conventions); contains its
    /// name.
    List(String),
    /// `Return-Path: <>`, which means that no answer is wanted (RFC 5321 section 4.5.5).
    NullReturnPath,
    /// A delivery or disposition report (RFC 3462, RFC 3464, RFC 8098).
    Report,
    /// An address of a mail system; contains the local part.
    Daemon(String),
    /// A field that only automatic responders set; contains its name.
    AutoReply(String),
    /// A subject such as "Out of office", together with a field that is rare in mails of people;
    /// contains the name of the field.
    Vacation(String),
}

/// Fields that identify a mailing list.
const LIST_FIELDS: &[&str] = &[
    "List-Id",
    "List-Post",
    "List-Help",
    "List-Unsubscribe",
    "List-Subscribe",
    "List-Owner",
    "List-Archive",
    "Mailing-List",
    "X-Mailing-List",
    "X-Mailman-Version",
    "X-BeenThere",
];

/// Fields that identify an automatic answer.
const REPLY_FIELDS: &[&str] = &[
    "X-Autoreply",
    "X-Autorespond",
    "X-Autoresponder",
    "X-AutoReply-From",
    "X-Mail-Autoreply",
    "X-Failed-Recipients",
    "X-Vacation",
];

/// Fields that mails of people may also have (some are set by forwarding rules). They only count
/// together with a vacation subject. All mails of a company may have `X-Auto-Response-Suppress`;
/// Exchange's own automatic answers have `Auto-Submitted`.
const BACKING_FIELDS: &[&str] = &[
    "X-Auto-Response-Suppress",
    "X-MS-Exchange-Inbox-Rules-Loop",
    "X-MS-Exchange-Generated-Message-Source",
    "X-MS-Exchange-Parent-Message-Id",
    "X-Loop",
    "X-Originating-Rule",
    "Delivered-By-The-Graces-Of",
];

/// Beginnings of the subjects of automatic answers, in lower case.
const VACATION_SUBJECTS: &[&str] = &[
    "out of office",
    "out of the office",
    "automatic reply",
    "auto reply",
    "auto-reply",
    "autoreply",
    "auto:",
    "vacation",
    "on vacation",
    "away from",
    "automatische antwort",
    "abwesenheit",
    "réponse automatique",
    "absence",
    "respuesta automática",
    "fuera de la oficina",
    "automatisch antwoord",
    "afwezig",
    "risposta automatica",
];

/// Returns the first sign that a message was not written by a person to the service.
pub(super) fn loop_risk(headers: &Headers, message: &Message<'_>, subject: &str, from: &[String]) -> Option<LoopRisk> {
    // RFC 3834 section 5.2: parameters or a comment may follow the keyword.
    for value in headers.all("Auto-Submitted") {
        let keyword = value.split([';', '(']).next().unwrap_or_default().trim().to_lowercase();
        if keyword != "no" {
            return Some(LoopRisk::AutoSubmitted(keyword));
        }
    }
    for value in headers.all("Precedence") {
        let value = value.trim().to_lowercase();
        if matches!(value.as_str(), "bulk" | "list" | "junk" | "auto_reply") {
            return Some(LoopRisk::Precedence(value));
        }
    }
    if let Some(field) = headers.first_present(LIST_FIELDS) {
        return Some(LoopRisk::List(field.to_string()));
    }
    if is_report(message) {
        return Some(LoopRisk::Report);
    }
    if let Some(field) = headers.first_present(REPLY_FIELDS) {
        return Some(LoopRisk::AutoReply(field.to_string()));
    }
    for address in from {
        let local = address.rsplit_once('@').map_or(address.as_str(), |(local, _)| local);
        if matches!(local, "mailer-daemon" | "postmaster") {
            return Some(LoopRisk::Daemon(local.to_string()));
        }
    }
    if headers.all("Return-Path").any(|value| value.split_whitespace().collect::<String>() == "<>") {
        return Some(LoopRisk::NullReturnPath);
    }
    let subject = subject.trim().to_lowercase();
    // `Vacation 3 to 12 December, and my orders` is a person's. The text in brackets is the
    // service's own subject, which a machine copies.
    let own = subject.split(['[', ':']).next().unwrap_or_default();
    let orders = ["my order", "my move", "my turn"].iter().any(|words| own.contains(words));
    if !orders && VACATION_SUBJECTS.iter().any(|beginning| subject.starts_with(beginning)) {
        return headers.first_present(BACKING_FIELDS).map(|field| LoopRisk::Vacation(field.to_string()));
    }
    None
}

fn is_report(message: &Message<'_>) -> bool {
    let is = |part: &mail_parser::MessagePart<'_>, main: &str, sub: &[&str]| {
        part.content_type().is_some_and(|ct| {
            ct.ctype().eq_ignore_ascii_case(main)
                && ct.subtype().is_some_and(|s| sub.iter().any(|want| s.eq_ignore_ascii_case(want)))
        })
    };
    message.parts.first().is_some_and(|root| is(root, "multipart", &["report"]))
        || message.parts.iter().any(|part| {
            is(
                part,
                "message",
                &["delivery-status", "global-delivery-status", "disposition-notification", "feedback-report"],
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Incoming;

    fn risk(headers: &str) -> Option<LoopRisk> {
        let raw = format!("From: Ben <ben@example.net>\r\n{headers}\r\n\r\npass\r\n");
        Incoming::parse(raw.as_bytes()).unwrap().loop_risk
    }

    #[test]
    fn each_sign_is_seen() {
        let cases = [
            ("Auto-Submitted: auto-replied (vacation)", LoopRisk::AutoSubmitted("auto-replied".into())),
            ("auto-submitted: Auto-Generated; owner-email=\"x\"", LoopRisk::AutoSubmitted("auto-generated".into())),
            ("Precedence: Bulk", LoopRisk::Precedence("bulk".into())),
            ("List-ID: Wargames <wargames.example.org>", LoopRisk::List("List-Id".into())),
            ("Return-Path: < >", LoopRisk::NullReturnPath),
            ("X-Autoreply: yes", LoopRisk::AutoReply("X-Autoreply".into())),
            ("Content-Type: multipart/report; report-type=delivery-status; boundary=x", LoopRisk::Report),
        ];
        for (headers, expected) in cases {
            assert_eq!(risk(headers), Some(expected), "{headers}");
        }
        let daemon = Incoming::parse(b"From: MAILER-DAEMON@mx.example.org\r\n\r\nsorry\r\n").unwrap();
        assert_eq!(daemon.loop_risk, Some(LoopRisk::Daemon("mailer-daemon".into())));
    }

    #[test]
    fn people_are_not_taken_for_machines() {
        for headers in [
            "Subject: Out of office tomorrow, my orders",
            "Subject: Absence - my orders before I leave [x]\r\nX-Auto-Response-Suppress: DR, OOF, AutoReply",
            "Auto-Submitted: no",
            "Precedence: first-class",
            "X-Auto-Response-Suppress: DR, OOF, AutoReply",
            "Return-Path: <ben@example.net>",
            "X-MS-Exchange-Inbox-Rules-Loop: ben@example.net",
        ] {
            assert_eq!(risk(headers), None, "{headers}");
        }
        let backed = "Subject: Automatic reply: orders\r\nX-MS-Exchange-Inbox-Rules-Loop: ben@example.net";
        assert_eq!(risk(backed), Some(LoopRisk::Vacation("X-MS-Exchange-Inbox-Rules-Loop".into())));
    }
}
