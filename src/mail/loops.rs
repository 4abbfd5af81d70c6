//! Telling a machine's mail from a person's, so that no answer ever answers an answer (RFC 3834).

use mail_parser::{Message, MimeHeaders};

use super::headers::Headers;

/// Why a message must make no orders and get no automatic answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoopRisk {
    /// `Auto-Submitted` with a value other than `no` (RFC 3834 section 5).
    AutoSubmitted(String),
    /// `Precedence: bulk`, `list`, `junk` or `auto_reply`.
    Precedence(String),
    /// A mailing list's header field (RFC 2369, RFC 2919 and older habits); holds the field's name.
    List(String),
    /// `Return-Path: <>`: whoever sent it wants no answer (RFC 5321 section 4.5.5).
    NullReturnPath,
    /// A delivery or disposition report (RFC 3462, RFC 3464, RFC 8098).
    Report,
    /// Written by a mail system's own address; holds the local part.
    Daemon(String),
    /// A field that only responders set; holds the field's name.
    AutoReply(String),
    /// A subject such as "Out of office", backed by a field that people's own mails rarely carry; holds that field's name.
    Vacation(String),
}

/// Fields of which each alone marks a list.
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

/// Fields of which each alone marks an automatic answer.
const REPLY_FIELDS: &[&str] = &[
    "X-Autoreply",
    "X-Autorespond",
    "X-Autoresponder",
    "X-AutoReply-From",
    "X-Mail-Autoreply",
    "X-Failed-Recipients",
    "X-Vacation",
];

/// Fields that ordinary mail may carry too (forwarding rules set some of them): they count only beside a vacation subject. A whole
/// company's mails may ask for no notes of absence by `X-Auto-Response-Suppress`; Exchange's own notes carry `Auto-Submitted`.
const BACKING_FIELDS: &[&str] = &[
    "X-Auto-Response-Suppress",
    "X-MS-Exchange-Inbox-Rules-Loop",
    "X-MS-Exchange-Generated-Message-Source",
    "X-MS-Exchange-Parent-Message-Id",
    "X-Loop",
    "X-Originating-Rule",
    "Delivered-By-The-Graces-Of",
];

/// How the subjects of absence notes begin, in lower case.
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

/// Finds the first sign that a message was not written by a person to us.
pub(super) fn loop_risk(headers: &Headers, message: &Message<'_>, subject: &str, from: &[String]) -> Option<LoopRisk> {
    // RFC 3834 section 5.2: the keyword may be followed by parameters or a comment.
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
    // `Vacation 3 to 12 December, and my orders` is a person's; in brackets our own subject begins, which a machine copies.
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
