//! Letters made safe to show to others: without the tokens for answering, but with the signed head.

use mail_parser::{Message, MessageParser, MimeHeaders, PartType};

use super::{fault::MailFault, headers::Headers, html, nested::guarded, token::TOKEN_CHARS};

/// Maximum nesting of attached messages.
const MOST_NESTED: usize = 12;

/// The header fields that are kept: author, date, id, and the signed head.
const KEPT: [&str; 6] = ["From", "Date", "Message-ID", "X-Postrider-Head", "X-Postrider-Signature", "X-Postrider-Key"];

/// The replacement for a token.
const MARK: &str = "[token]";

/// Converts a saved letter to a plain UTF-8 mail with LF line endings. It has the same text and
/// signed head, but no tokens, no addresses that contain one, no fields for answering, and no HTML
/// with buttons.
///
/// Attached messages follow as text. Bytes that are not a mail are treated as text. Hidden cards
/// that the letter reveals are kept, because they are part of its proof. A DKIM signature is
/// removed, because it would no longer be valid.
///
/// # Errors
/// [`MailFault::Defect`] if parsing panics, or [`MailFault::Malformed`] for a mail that must not be
/// parsed, such as one with encoded mails in it.
pub fn forward_safe(raw: &[u8]) -> Result<String, MailFault> {
    guarded(raw, || made_safe(raw))
}

fn made_safe(raw: &[u8]) -> String {
    let message = MessageParser::default().parse(raw);
    let is_mail = |message: &Message<'_>| {
        let fields: Vec<(String, String)> = Headers::of(message).into_iter().collect();
        ["From", "Subject", "Date"].iter().any(|name| fields.iter().any(|(field, _)| field.eq_ignore_ascii_case(name)))
    };
    let Some(message) = message.as_ref().filter(|message| is_mail(message)) else {
        return without_tokens(&String::from_utf8_lossy(raw).replace("\r\n", "\n"));
    };
    let mut header = header_of(message);
    if let Some(subject) = message.subject() {
        header += &format!("Subject: {}\n", one_line(subject));
    }
    header += "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n";
    let mut text = String::new();
    text_of(message, &mut text, 0);
    without_tokens(&format!("{header}\n{text}"))
}

/// Returns the kept header fields, one per line.
fn header_of(message: &Message<'_>) -> String {
    let fields: Vec<(String, String)> = Headers::of(message).into_iter().collect();
    let mut header = String::new();
    for name in &KEPT {
        if let Some((_, value)) = fields.iter().find(|(field, _)| field.eq_ignore_ascii_case(name)) {
            let value = one_line(value);
            header += &format!("{name}: {}\n", if *name == "Message-ID" { without_code(&value) } else { value });
        }
    }
    header
}

/// Removes the token from a Message-ID and keeps the part that identifies the letter:
/// `<lone-pine.B.412.9f3c51aa.letter@host>`.
fn without_code(id: &str) -> String {
    match id.rsplit_once('@') {
        Some((left, host)) => format!("{}@{host}", left.split('.').take(5).collect::<Vec<_>>().join(".")),
        None => id.to_owned(),
    }
}

fn one_line(value: &str) -> String {
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Appends all text of a message and of attached messages. HTML is used only if there is no plain
/// text.
fn text_of(message: &Message<'_>, out: &mut String, depth: usize) {
    let plain = message.parts.iter().any(|part| matches!(part.body, PartType::Text(_)));
    for part in &message.parts {
        match &part.body {
            PartType::Text(text) => {
                out.push_str(&text.replace("\r\n", "\n"));
                out.push('\n');
            }
            PartType::Html(page) if !plain => {
                for line in html::lines(page).into_iter().filter(|line| line.marked.is_none()) {
                    out.push_str(&line.text);
                    out.push('\n');
                }
            }
            PartType::Message(inner) if depth < MOST_NESTED => {
                out.push('\n');
                out.push_str(&header_of(inner));
                out.push('\n');
                text_of(inner, out, depth + 1);
            }
            // A letter attached as an ordinary file.
            PartType::Binary(bytes) | PartType::InlineBinary(bytes)
                if depth < MOST_NESTED
                    && part.attachment_name().is_some_and(|name| name.to_ascii_lowercase().ends_with(".eml")) =>
            {
                out.push_str(&made_safe(bytes));
            }
            _ => {}
        }
    }
}

/// Replaces every word that contains a token by `[token]`.
#[must_use]
pub fn without_tokens(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        if chars[at].is_whitespace() {
            out.push(chars[at]);
            at += 1;
            continue;
        }
        let end = word_end(&chars, at);
        match token_in(&chars, at, end) {
            // The token may continue on the next line.
            Some(after) => {
                out.push_str(MARK);
                at = word_end(&chars, after);
            }
            None => {
                out.extend(&chars[at..end]);
                at = end;
            }
        }
    }
    out
}

fn word_end(chars: &[char], from: usize) -> usize {
    chars[from..].iter().position(|c| c.is_whitespace()).map_or(chars.len(), |at| from + at)
}

/// Returns the end of a token that begins in the word `from..end`, if any: after `q`, the number of
/// a prompt and a dot, or as a whole word.
fn token_in(chars: &[char], from: usize, end: usize) -> Option<usize> {
    for at in from..end {
        let marked = matches!(chars[at], 'q' | 'Q') && {
            let digits = chars[at + 1..end].iter().take_while(|c| c.is_ascii_digit()).count();
            digits > 0 && chars.get(at + 1 + digits) == Some(&'.')
        };
        if marked {
            let digits = chars[at + 1..end].iter().take_while(|c| c.is_ascii_digit()).count();
            if let Some(after) = coded(chars, at + digits + 2, true) {
                return Some(after);
            }
        }
        let begins = at == from || !chars[at - 1].is_ascii_alphanumeric();
        if begins
            && let Some(after) = coded(chars, at, false)
            && chars.get(after).is_none_or(|c| !c.is_ascii_alphanumeric())
        {
            return Some(after);
        }
    }
    None
}

/// Returns the end of the token that begins at `from`, if any. With `broken`, it may continue on
/// the next line.
fn coded(chars: &[char], from: usize, broken: bool) -> Option<usize> {
    let (mut at, mut seen) = (from, 0);
    while seen < TOKEN_CHARS {
        match chars.get(at)? {
            'a'..='z' | 'A'..='Z' | '2'..='7' => seen += 1,
            // Invisible characters; below, line breaks and the quote marks after them.
            '\u{ad}' | '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}' => {}
            '=' if broken && chars.get(at + 1).is_some_and(|c| matches!(c, '\r' | '\n')) => {}
            '\r' | '\n' if broken => {
                let marks = chars[at..].iter().take_while(|c| c.is_whitespace() || matches!(c, '>' | '|')).count();
                at += marks;
                continue;
            }
            _ => return None,
        }
        at += 1;
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TOKEN: &str = "ljnfuws2ljnfuws2ljnfuws2li";

    #[test]
    fn a_letter_keeps_its_head_and_loses_what_answers_it() {
        let raw = format!(
            "DKIM-Signature: v=1; d=play.example.org\r\nFrom: Postrider <postrider@play.example.org>\r\nTo: ben@example.net\r\n\
             Reply-To: postrider+lone-pine.q41.{TOKEN}@play.example.org\r\nDate: Fri, 20 Nov 2026 18:30:00 +0000\r\n\
             Subject: =?utf-8?Q?[lone-pine_q41.{TOKEN}]_J=C3=BCrgen?=\r\nMessage-ID: <lone-pine.B.4.deadbeef.letter.q41.{TOKEN}@play.example.org>\r\n\
             X-Postrider-Head: lone-pine 4\r\n deadbeef\r\nX-Postrider-Signature: 12ab\r\nX-Postrider-Key: 34cd\r\n\
             MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n\
             Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
             Answer to postrider+lone-pine.q41.{}=\r\n{}@play.example.org or not.\r\nJournal lone-pine, entry 4=\r\n, for seat B\r\n--b\r\n\
             Content-Type: text/html\r\n\r\n<a href=\"mailto:postrider+lone-pine.q41.{TOKEN}@play.example.org\">1a</a>\r\n--b--\r\n",
            &TOKEN[..9],
            &TOKEN[9..]
        );
        let safe = forward_safe(raw.as_bytes()).unwrap();
        assert_eq!(
            safe,
            "From: Postrider <postrider@play.example.org>\nDate: Fri, 20 Nov 2026 18:30:00 +0000\n\
             Message-ID: <lone-pine.B.4.deadbeef.letter@play.example.org>\nX-Postrider-Head: lone-pine 4 deadbeef\n\
             X-Postrider-Signature: 12ab\nX-Postrider-Key: 34cd\nSubject: [lone-pine [token] Jürgen\nMIME-Version: 1.0\n\
             Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\nAnswer to [token] or not.\n\
             Journal lone-pine, entry 4, for seat B\n"
        );
    }

    #[test]
    fn attached_and_pasted_letters_are_made_safe_too() {
        let inner = format!(
            "From: postrider@play.example.org\r\nReply-To: postrider+q7.{TOKEN}@play.example.org\r\nX-Postrider-Head: g 1 ab\r\n\
             Subject: x\r\n\r\n> > postrider=g.Q7.{}\r\n> > {}@play.example.org\r\nJournal g\r\n",
            &TOKEN[..20].to_uppercase(),
            &TOKEN[20..]
        );
        let outer = format!(
            "From: ben@example.net\r\nSubject: Fwd\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nlook: {TOKEN}.\r\n--b\r\n\
             Content-Type: message/rfc822\r\n\r\n{inner}\r\n--b--\r\n"
        );
        for raw in [inner.clone(), outer, inner.lines().skip(4).collect::<Vec<_>>().join("\n")] {
            let safe = forward_safe(raw.as_bytes()).unwrap();
            let bare: String = safe.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
            assert!(safe.contains("Journal g") && safe.contains(MARK), "{safe}");
            assert!(!bare.contains(TOKEN) && !bare.contains("ljnf"), "{safe}");
            assert_eq!(safe.contains("X-Postrider-Head: g 1 ab"), raw.contains("X-Postrider-Head"), "{safe}");
        }
    }

    #[test]
    fn what_is_no_token_stays() {
        let text = "Q1. what do you order in this round\nhash 23f35c06a6dd315d4a1f2f1b23f35c06a6dd315d4a1f2f1b23f35c06a6dd315d\n\
                    JfK8r9KWzA0wfgLoJfK8r9KWzA0wfgLoJfK8r9KWzA0wfgLo\n";
        assert_eq!(forward_safe(text.as_bytes()).unwrap(), text);
    }

    proptest! {
        #[test]
        fn no_token_is_left_wherever_it_stands(before in "[ -~\n]{0,60}", after in "[ -~\n]{0,60}", cut in 0usize..26) {
            let text = format!("{before} x+g.q3.{}\n> {}@h {after}", &TOKEN[..cut], &TOKEN[cut..]);
            let safe = forward_safe(text.as_bytes()).unwrap();
            let bare: String = safe.chars().filter(|c| !c.is_whitespace() && *c != '>').collect();
            prop_assert!(!bare.contains(TOKEN), "{}", safe);
        }
    }
}
