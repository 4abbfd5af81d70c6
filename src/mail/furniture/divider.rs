//! "-----Original Message-----", and rules of dashes.

use super::{
    field_names::opens_header,
    shape::{has_address, has_date, has_time},
};
use crate::mail::flowed::Line;

/// What a divider may say between its dashes.
const DIVIDERS: &[&str] = &[
    "original message",
    "original appointment",
    "forwarded message",
    "reply message",
    "ursprüngliche nachricht",
    "originalnachricht",
    "antwort nachricht",
    "original-nachricht",
    "weitergeleitete nachricht",
    "message d'origine",
    "message d’origine",
    "message original",
    "message initial",
    "message transféré",
    "message transmis",
    "mensaje original",
    "mensaje reenviado",
    "mensagem original",
    "mensagem encaminhada",
    "mensagem reencaminhada",
    "oorspronkelijk bericht",
    "doorgestuurd bericht",
    "messaggio originale",
    "messaggio inoltrato",
    "ursprungligt meddelande",
    "originalmeddelande",
    "vidarebefordrat meddelande",
    "oprindelig meddelelse",
    "opprinnelig melding",
    "videresendt meddelelse",
    "videresendt melding",
    "wiadomość oryginalna",
    "oryginalna wiadomość",
    "przekazana wiadomość",
    "treść oryginalnej wiadomości",
    "původní zpráva",
    "původní e-mail",
    "pôvodná správa",
    "eredeti üzenet",
    "továbbított üzenet",
    "alkuperäinen viesti",
    "mesaj original",
    "mesajul original",
    "orijinal ileti",
    "orijinal mesaj",
    "özgün ileti",
    "исходное сообщение",
    "пересылаемое сообщение",
    "оригінальне повідомлення",
    "вихідне повідомлення",
    "оригинално съобщение",
    "αρχικό μήνυμα",
    "הודעה מקורית",
    "元のメッセージ",
    "原始邮件",
    "原始郵件",
    "原邮件",
    "转发邮件信息",
    "원본 메시지",
    "원본메시지",
    "izvorna poruka",
    "izvorno sporočilo",
    "رسالة أصلية",
];

/// "-----Original Message-----" in several languages, and the bar of underscores that Outlook on the web draws.
pub(in crate::mail) fn is_divider(text: &str) -> bool {
    // A program for telephones leaves its HTML in the plain text: "<div>-------- Original message --------</div><div>From: …".
    let bare = if text.contains("<div>") { text.replace("<div>", "").replace("</div>", " ") } else { text.to_owned() };
    let text = bare.trim().trim_matches(['*', ' ']);
    if text.len() >= 20 && text.bytes().all(|byte| byte == b'_') {
        return true;
    }
    let lower = text.to_lowercase();
    if ["begin forwarded message:", "forwarded message:", "reply message", "original message:"]
        .contains(&lower.as_str())
    {
        return true;
    }
    let Some(inner) = lower.strip_prefix("--") else { return false };
    let inner = inner.trim_start_matches(['-', ' ']);
    match inner.split_once("--") {
        Some((words, rest)) => {
            let rest = rest.trim_matches(['-', ' ']);
            // Yahoo goes on with the header of the original on the same line, in any language.
            (DIVIDERS.contains(&words.trim()) && (rest.is_empty() || rest.contains('@') || opens_header(rest)))
                || (words.chars().any(char::is_alphabetic) && opens_header(rest) && has_address(rest))
        }
        None => false,
    }
}

/// A few words between dashes of which nothing is known: a divider, or a heading of the sender's.
pub(in crate::mail) fn is_unknown_divider(text: &str) -> bool {
    let text = text.trim();
    let inner = text.trim_matches(['-', ' ']);
    text.starts_with("----")
        && text.ends_with("----")
        && text.chars().count() <= 60
        && inner.chars().any(char::is_alphabetic)
        && inner.split_whitespace().count() <= 4
        && !inner.contains("PGP")
}

/// A line of dashes with words between them, in whatever language; what follows says whether it is a divider.
pub(super) fn may_be_divider(text: &str) -> bool {
    let text = text.trim();
    let dash = |c: char| matches!(c, '-' | '—' | '–' | '_' | '=');
    let inner = text.trim_matches(dash);
    let rule = inner.is_empty() && text.chars().count() >= 5;
    let between = |mark: &str| text.starts_with(mark) && text.ends_with(mark) && !inner.trim().is_empty();
    rule || between("---") || between("_____")
}

/// "------- Forwarded by Anna on 23/11/2026 09:12 -------" as Notes breaks it: the line of dashes goes on in the next one or two.
pub(in crate::mail) fn is_broken_divider(lines: &[Line]) -> bool {
    let Some(first) = lines.first().map(|line| line.text.trim()) else { return false };
    if !first.starts_with("-----") || first.ends_with("---") || !first.chars().any(char::is_alphabetic) {
        return false;
    }
    let rest: Vec<&str> = lines[1..].iter().take(2).map(|line| line.text.trim()).collect();
    let Some(end) = rest.iter().position(|text| text.ends_with("-----")) else { return false };
    let whole = format!("{first} {}", rest[..=end].join(" "));
    !rest[..=end].iter().any(|text| text.is_empty() || text.starts_with('-')) && has_date(&whole) && has_time(&whole)
}
