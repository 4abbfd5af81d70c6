//! Header fields of the original above its text.

use super::{
    attribution::attribution,
    divider::may_be_divider,
    field_names::{DATE, FROM, SUBJECT, TO, opens_header},
    shape::{has_address, has_date, has_time, is_unspaced},
};
use crate::mail::flowed::Line;

/// A header has no more lines than these.
const LONGEST_HEADER: usize = 60;

/// A header field of the original: its name in lower case, and what it says.
fn field(line: &Line) -> Option<(String, String)> {
    let text = line.text.replace(['*', '_'], "");
    let (label, value) = text.split_once([':', '：'])?;
    let label = label.trim().trim_matches('\u{a0}').to_lowercase();
    let fits = !label.is_empty()
        && label.chars().count() <= 26
        && label.split_whitespace().count() <= 3
        && label.chars().all(|c| {
            c.is_alphabetic() || matches!(c, ' ' | '-' | '.' | '(' | ')' | '\'') || is_unspaced(c) || !c.is_ascii()
        });
    fits.then(|| (label, value.trim().to_lowercase()))
}

/// "From: p@x.org Date: Mon, 23 Nov 2026 09:12": a header on one line.
fn is_header_line(text: &str) -> bool {
    if !opens_header(text) || !has_address(text) || !has_date(text) {
        return false;
    }
    let lower = text.to_lowercase();
    let mut labels = lower.split([':', '：']).skip(1).filter_map(|part| part.split_whitespace().next_back());
    labels.any(|label| [DATE, TO, SUBJECT].iter().any(|names| names.contains(&label)))
}

/// Which of the four a field is, if it is one of them.
fn class(label: &str) -> Option<usize> {
    [FROM, DATE, TO, SUBJECT].iter().position(|names| names.contains(&label))
}

/// The header fields that stand here, one below the other, up to eight.
fn fields_of(lines: &[Line]) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    let mut strangers = 0;
    // Lines looked at; those of a list of recipients, which may be long, do not count.
    let mut seen = 0;
    let mut before = "";
    for line in lines.iter().take(LONGEST_HEADER) {
        let recipients = fields.last().is_some_and(|(label, _): &(String, String)| class(label) == class("to"));
        let goes_on = recipients && (line.text.contains('@') || before.ends_with([',', ';']));
        match field(line) {
            Some(field) => {
                strangers = 0;
                fields.push(field);
            }
            None if line.is_blank() => {}
            None if goes_on => seen -= 1,
            // A value that went on in the next line, or the name of a field whose value did.
            None if strangers < 1 && (line.text.starts_with([' ', '\t']) || line.text.contains('@')) => strangers += 1,
            None => break,
        }
        before = line.text.trim_end();
        seen += 1;
        if seen > 14 {
            break;
        }
    }
    fields.truncate(8);
    fields
}

/// "Anna Smith / 23/11/2026 09:12 / To: … / cc: … / Subject: …" as Notes has it: who wrote when stands there without a label. The
/// name may stand before the date on one line, or be missing.
fn is_author_and_date(lines: &[Line]) -> bool {
    let mut said = lines.iter().enumerate().filter(|(_, line)| !line.is_blank()).take(4);
    let Some((_, first)) = said.next() else { return false };
    let dated = |line: &Line| {
        let text = line.text.trim();
        text.chars().count() <= 80
            && !text.ends_with([':', '.'])
            && has_date(text)
            && has_time(text)
            && field(line).is_none()
    };
    let at = if dated(first) {
        0
    } else if is_name(&first.text) {
        // Between both a line may say for whom it was sent.
        let date = said.take(2).find(|(_, line)| dated(line));
        let Some((at, _)) = date.filter(|(at, _)| lines[1..*at].iter().all(|line| field(line).is_some())) else {
            return false;
        };
        at
    } else {
        return false;
    };
    let from = at + 1 + lines[at + 1..].iter().take(2).take_while(|line| line.is_blank()).count();
    let fields = fields_of(&lines[from..]);
    let to = class("to");
    fields.first().is_some_and(|(label, _)| class(label) == to)
        && fields.iter().any(|(label, _)| class(label) == class("subject"))
}

/// Whether a line may be nothing but somebody's name: few words, each with a capital letter; or an address without its host.
fn is_name(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let named = |word: &&str| {
        word.contains(['@', '/']) || word.chars().find(|c| c.is_alphabetic()).is_some_and(|c| !c.is_lowercase())
    };
    let enough = words.len() > 1 || text.contains('@');
    enough && words.len() <= 5 && words.iter().all(named) && !text.contains(|c: char| c.is_ascii_digit() || c == ':')
}

/// "From: … / Sent: … / To: … / Subject: …" as many programs write it above what they do not mark.
pub(in crate::mail) fn is_header_block(lines: &[Line]) -> bool {
    let Some(first) = lines.first() else { return false };
    if may_be_divider(&first.text) {
        let from = 1 + lines.iter().skip(1).take_while(|line| line.is_blank()).count();
        let rest = lines.get(from..).unwrap_or_default();
        return rest.first().is_some_and(|next| !may_be_divider(&next.text) && !next.is_blank())
            && (is_header_block(rest) || attribution(rest).is_some());
    }
    if is_header_line(&first.text) {
        return true;
    }
    if is_author_and_date(lines) {
        return true;
    }
    if field(first).is_none() {
        return false;
    }
    let fields = fields_of(lines);
    let mut classes: Vec<usize> = fields.iter().filter_map(|(label, _)| class(label)).collect();
    classes.sort_unstable();
    classes.dedup();
    let addressed = fields.iter().filter(|(_, value)| has_address(value)).count();
    let dated = fields.iter().any(|(_, value)| has_date(value) && has_time(value));
    if class(&fields[0].0).is_some() {
        return match classes.len() {
            4 => true,
            // Some write the date without the time of day.
            3 => addressed > 0 || fields.iter().any(|(_, value)| has_date(value) || value.starts_with("re: ")),
            2 => {
                (addressed > 0 && (dated || addressed > 1))
                    || (addressed + usize::from(dated) > 0 && classes.contains(&3))
            }
            _ => false,
        };
    }
    // A language that is not known: fields in a row, of which one names an address or a date and another what a header has. A
    // report of some program has dated fields in a row too.
    let subject = fields.iter().any(|(_, value)| has_subject(value));
    // "Note: …" above a header is the sender's; the header begins below it.
    let joined = lines.iter().take_while(|line| !line.is_blank()).count();
    let below = fields.iter().any(|(label, _)| class(label) == class("from"))
        && !fields_of(&lines[..joined]).iter().any(|(label, _)| class(label) == class("from"));
    if below {
        return false;
    }
    (fields.len() >= 3 && dated && (addressed > 0 || subject))
        || (fields.len() >= 2 && addressed > 0 && (dated || subject))
}

/// Whether fields stand here, one of them with a date and its time, of which nothing more is known: a header, or a report.
pub(in crate::mail) fn may_be_header_block(lines: &[Line]) -> bool {
    let Some(first) = lines.first() else { return false };
    let fields = if field(first).is_some() { fields_of(lines) } else { return false };
    fields.len() >= 3 && fields.iter().any(|(_, value)| has_date(value) && has_time(value))
}

/// Whether a value looks like the subject of an answer or of one of our letters: "re: …", "[lone-pine] …".
fn has_subject(value: &str) -> bool {
    let rest = value
        .split_once(':')
        .map_or(value, |(prefix, rest)| if prefix.chars().count() <= 4 { rest.trim_start() } else { value });
    value.starts_with("re:") || rest.starts_with('[')
}

/// "Postrider <postrider@play.example.org> / 19:27 (21 hours ago)": a message as a page shows it, copied from there.
pub(in crate::mail) fn is_page_heading(lines: &[Line]) -> bool {
    let mut said = lines.iter().filter(|line| !line.is_blank()).map(|line| line.text.trim());
    let (Some(author), Some(time)) = (said.next(), said.next()) else { return false };
    let dated = has_date(time) && time.chars().count() < 40;
    author.ends_with('>')
        && has_address(author)
        && has_time(time)
        && (dated || (time.contains('(') && time.ends_with(')')))
}
