//! Recognition of the marks that mail programs add: attributions, dividers, header fields of the
//! original message, and the signature line of a mobile device.
//!
//! The words are in `marks.tsv`. In other languages, the form of an address, a date or a series of
//! header fields is sufficient.

use std::sync::LazyLock;

use super::flowed::Line;

/// Maximum number of characters in an attribution without an address or a known verb.
const LONGEST_UNKNOWN: usize = 110;

/// Maximum number of lines in an attribution, which programs may wrap.
const LONGEST_ATTRIBUTION: usize = 6;

/// Maximum numbers of fields and of lines in a header.
const MOST_FIELDS: usize = 8;
const LONGEST_HEADER: usize = 60;

/// Maximum number of characters in a grammatical ending after a device's name.
const LONGEST_ENDING: usize = 7;

/// The words of mail programs, in lower case.
struct Words {
    /// "wrote" in attributions.
    wrote: Vec<&'static str>,
    /// The words between the dashes of a divider.
    divider: Vec<&'static str>,
    /// The beginning of a line that advertises a mobile device or a web mail service.
    device: Vec<&'static str>,
    /// The end of such a line in languages in which the device comes first.
    device_end: Vec<&'static str>,
    /// Names of devices and programs, which may have a grammatical ending.
    device_name: Vec<&'static str>,
    /// The other words in such a line.
    device_word: Vec<&'static str>,
    /// The words of an excuse after such a line.
    excuse_word: Vec<&'static str>,
    /// The names of the fields for the author, the date, the recipients and the subject.
    fields: [Vec<&'static str>; 4],
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let of = |kind: &str| -> Vec<&'static str> {
        let rows = include_str!("marks.tsv")
            .lines()
            .filter_map(|row| row.split_once('\t'))
            .filter(|(first, _)| *first == kind);
        rows.flat_map(|(_, words)| words.split('|')).map(str::trim).collect()
    };
    Words {
        wrote: of("wrote"),
        divider: of("divider"),
        device: of("device"),
        device_end: of("device-end"),
        device_name: of("device-name"),
        device_word: of("device-word"),
        excuse_word: of("excuse-word"),
        fields: ["from", "date", "to", "subject"].map(of),
    }
});

/// Returns `true` if a text contains a mail address.
fn has_address(text: &str) -> bool {
    text.split(|c: char| c.is_whitespace() || "<>()[]{},;:\"'*«»„“”".contains(c)).any(|word| {
        word.split_once('@').is_some_and(|(local, host)| {
            !local.is_empty() && host.split_once('.').is_some_and(|(a, b)| !a.is_empty() && !b.is_empty())
        })
    })
}

/// Returns `true` if a text contains a time of day such as `9:12`, `09.12` or `9h12`.
fn has_time(text: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_digit() || matches!(c, ':' | '.' | 'h'))).any(|word| {
        let mut parts = word.split([':', '.', 'h']);
        let (hour, minute) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        (1..=2).contains(&hour.len()) && minute.len() == 2
    })
}

/// Returns `true` if a text contains a date of this century: a year, or three numbers such as
/// `23.11.26`.
fn has_date(text: &str) -> bool {
    let mut words = text.split(|c: char| !(c.is_ascii_digit() || matches!(c, '/' | '.' | '-')));
    words.any(|word| {
        let mut numbers = word.split(['/', '.', '-']).filter(|number| !number.is_empty());
        let count = numbers.clone().count();
        numbers.clone().any(|number| number.len() == 4 && number.starts_with("20"))
            || (count == 3 && numbers.all(|number| number.len() <= 2))
    })
}

/// Returns the number of lines in the attribution ("On … wrote:") that begins here, if any.
pub(super) fn attribution(lines: &[Line]) -> Option<usize> {
    let first = lines.first().filter(|line| line.depth == 0 && !line.is_blank())?;
    if lines[1..].iter().find(|next| !next.is_blank()).is_some_and(|next| next.depth > 0) && ends_in_verb(&first.text) {
        // "On Saturday Postrider wrote:" has neither date nor address, but a quote follows.
        return Some(1);
    }
    let mut text = String::new();
    for (at, line) in lines.iter().enumerate().take(LONGEST_ATTRIBUTION) {
        let open = text.matches(['<', '[']).count() > text.matches(['>', ']']).count();
        // Some programs put the address in brackets on separate lines.
        let next_opens = line.is_blank() && lines.get(at + 1).is_some_and(|next| next.text.trim() == "<");
        if (line.depth > 0 || line.is_blank()) && !open && !next_opens {
            return None;
        }
        text.push_str(if line.depth > 0 { " >" } else { " " });
        text.push_str(line.text.trim());
        if is_attribution(&text) {
            return begins_it(&lines[..=at]).then_some(at + 1);
        }
    }
    None
}

/// Returns `true` if the attribution in these lines begins with the first one: the other lines
/// alone are not an attribution, or lack the date. An order may be directly above an attribution.
fn begins_it(lines: &[Line]) -> bool {
    let joined = |lines: &[Line]| lines.iter().map(|line| line.text.trim()).collect::<Vec<_>>().join(" ");
    let is_whole = |from: usize| {
        let text = joined(&lines[from..]);
        let figure = text.split_whitespace().any(|word| !word.contains('@') && word.contains(char::is_numeric));
        is_attribution(&text) && figure && (has_date(&text) || !has_date(&joined(&lines[..from])))
    };
    !(1..lines.len()).any(is_whole)
}

/// Returns `true` for an attribution with text after its colon, as in Yahoo's programs for mobile
/// devices.
pub(super) fn is_attribution_with_text(text: &str) -> bool {
    // Some programs omit the space.
    let ends = text.match_indices(':').filter(|(at, _)| {
        let rest = &text[at + 1..];
        rest.starts_with(' ') || (rest.starts_with(char::is_alphabetic) && ends_in_verb(&text[..=*at]))
    });
    ends.take(4).any(|(at, _)| is_attribution(&text[..=at]) && names_author(&text[..=at]))
}

/// Returns `true` if a text has an address or a known verb. A date and a time alone may be the
/// sender's.
pub(super) fn names_author(text: &str) -> bool {
    let lower = text.to_lowercase();
    has_address(&lower) || has_verb(&lower)
}

/// Returns `true` if the whole text is an attribution.
fn is_attribution(text: &str) -> bool {
    let text = text.trim();
    let dashed = text.starts_with("--") && text.ends_with("--");
    if text.len() > 1_600 {
        return false;
    }
    if dashed && ends_in_verb(&format!("{}:", text.trim_matches(['-', ' ']))) {
        // As in "---- Postrider wrote ----".
        return true;
    }
    let body = text.trim_end_matches(['-', '—', '–', '_', '*', ' ']);
    let (body, colon) = match body.strip_suffix([':', '：']) {
        Some(body) => (body, true),
        None => (body, false),
    };
    let lower = body.trim_start_matches(['-', '—', '–', '*', ' ']).trim_end().to_lowercase();
    let (address, date, time) = (has_address(&lower), has_date(&lower), has_time(&lower));
    if text.starts_with('[') && text.ends_with(']') {
        // As in "[Postrider <postrider@play.example.org> 2026-11-23 09:12]".
        return address && date && time;
    }
    if !colon {
        let begins_with_date = lower.starts_with(|c: char| c.is_ascii_digit())
            && has_date(lower.split_whitespace().next().unwrap_or_default());
        // As in "2026-11-23 9:12 GMT+01:00 Postrider", an old form of Gmail.
        let named = (lower.ends_with('>') && address) || (time && (lower.contains(" gmt") || lower.contains(" utc")));
        return begins_with_date && named || (ends_in_verb(&format!("{lower}:")) && (address || date));
    }
    // With a known verb, one of address, date and time is enough; without one, two are required.
    (has_verb(&lower) && (address || date || time))
        || (date && time && lower.split_whitespace().count() > 2 && lower.chars().count() < LONGEST_UNKNOWN)
        || (address && (time || date))
}

fn has_verb(lower: &str) -> bool {
    WORDS.wrote.iter().any(|verb| {
        lower.match_indices(verb).any(|(at, _)| {
            let before = lower[..at].chars().next_back();
            let after = lower[at + verb.len()..].chars().next();
            let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
            edge(before) && edge(after)
        })
    })
}

/// Returns `true` if a text ends with a verb and a colon, as in "Postrider wrote:".
fn ends_in_verb(text: &str) -> bool {
    let lower = text.to_lowercase();
    let Some(body) = lower.trim_end_matches(['-', '—', ' ', '.']).strip_suffix([':', '：']).map(str::trim_end)
    else {
        return false;
    };
    WORDS
        .wrote
        .iter()
        .filter_map(|verb| body.strip_suffix(verb))
        .any(|before| !before.trim().is_empty() && before.ends_with(|c: char| !c.is_alphanumeric()))
}

/// Returns `true` if a line directly above a quote introduces it: it contains author and time, even
/// without a colon, or has dashes on both sides.
pub(super) fn may_introduce(text: &str) -> bool {
    let lower = text.to_lowercase();
    let says_when = has_verb(&lower) && (has_address(&lower) || (has_date(&lower) && has_time(&lower)));
    (says_when && lower.chars().count() < LONGEST_UNKNOWN)
        || (may_be_divider(text) && text.split_whitespace().count() <= 6)
}

/// Returns `true` for a divider such as "-----Original Message-----", which may continue with a
/// header.
pub(super) fn is_divider(text: &str) -> bool {
    let lower = text.to_lowercase();
    let text = lower.trim_matches(['*', ' ']).strip_prefix("--").map(|text| text.trim_start_matches(['-', ' ']));
    let Some((words, rest)) = text.and_then(|text| text.split_once("--")) else { return false };
    let rest = rest.trim_matches(['-', ' ']);
    WORDS.divider.contains(&words.trim()) && (rest.is_empty() || opens_header(rest))
}

/// Returns `true` for a line of dashes, or words between dashes. It is a divider if a header
/// follows.
fn may_be_divider(text: &str) -> bool {
    let text = text.trim();
    let dash = |c: char| matches!(c, '-' | '—' | '–' | '_' | '=');
    let inner = text.trim_matches(dash);
    let rule = inner.is_empty() && text.chars().count() >= 5;
    let between = |mark: &str| text.starts_with(mark) && text.ends_with(mark) && !inner.trim().is_empty();
    rule || between("----") || between("_____")
}

/// Returns the name and value of a header field of the original, in lower case.
fn field(line: &Line) -> Option<(String, String)> {
    let text = line.text.replace(['*', '_'], "");
    let (label, value) = text.split_once([':', '：'])?;
    let label = label.trim().to_lowercase();
    let fits = !label.is_empty()
        && label.chars().count() <= 26
        && label.split_whitespace().count() <= 3
        && label.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '-' | '.' | '(' | ')' | '\'') || !c.is_ascii());
    fits.then(|| (label, value.trim().to_lowercase()))
}

/// Returns the index of a field's name in [`Words::fields`].
fn class(label: &str) -> Option<usize> {
    WORDS.fields.iter().position(|names| names.contains(&label))
}

/// Returns `true` if a text begins with the field for the author, as in
/// `Von: "Postrider" Datum: …`.
fn opens_header(text: &str) -> bool {
    text.split_once([':', '：']).is_some_and(|(label, _)| class(&label.trim().to_lowercase()) == Some(0))
}

/// Returns `true` for a header on one line: "From: p@x.org Date: Mon, 23 Nov 2026 09:12".
fn is_header_line(text: &str) -> bool {
    opens_header(text) && has_address(text) && has_date(text) && {
        let lower = text.to_lowercase();
        let mut labels = lower.split([':', '：']).skip(1).filter_map(|part| part.split_whitespace().next_back());
        labels.any(|label| class(label).is_some_and(|class| class > 0))
    }
}

/// Returns the header fields with which these lines begin.
fn fields_of(lines: &[Line]) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    let mut strangers = 0;
    for line in lines.iter().take(LONGEST_HEADER) {
        match field(line) {
            Some(field) => {
                strangers = 0;
                fields.push(field);
            }
            None if line.is_blank() => {}
            // A value that continues on the next line, or a field's name whose value does.
            None if strangers < 1 && (line.text.starts_with([' ', '\t']) || line.text.contains('@')) => strangers += 1,
            None => break,
        }
        if fields.len() == MOST_FIELDS {
            break;
        }
    }
    fields
}

/// Returns `true` if these lines begin with the header of an original, as many programs write it
/// above text without quote marks: "From: … / Sent: … / To: … / Subject: …".
pub(super) fn is_header_block(lines: &[Line]) -> bool {
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
            // Some programs omit the time of day.
            3 => addressed > 0 || fields.iter().any(|(_, value)| has_date(value)),
            2 => addressed > 0 && (dated || addressed > 1) || (addressed > 0 || dated) && classes.contains(&3),
            _ => false,
        };
    }
    // Other languages: consecutive fields with an address and a date. "Note: …" directly above a
    // header in a known language is the sender's.
    classes.is_empty() && fields.len() >= 2 && addressed > 0 && dated
}

/// Returns `true` for the heading of a message copied from a web page: "Postrider
/// <postrider@play.example.org> / 19:27 (21 hours ago)".
pub(super) fn is_page_heading(lines: &[Line]) -> bool {
    let mut said = lines.iter().filter(|line| !line.is_blank()).map(|line| line.text.trim());
    let (Some(author), Some(time)) = (said.next(), said.next()) else { return false };
    let dated = has_date(time) && time.chars().count() < 40;
    author.ends_with('>')
        && has_address(author)
        && has_time(time)
        && (dated || (time.contains('(') && time.ends_with(')')))
}

/// Returns `true` if the whole text is the signature line of a mobile device or a web mail service:
/// each word is one of a device, a program or a model. Text added by the owner, such as "so please
/// wait", makes it the owner's own line.
pub(super) fn is_device_line(text: &str) -> bool {
    // Proton Mail writes the name of the program as a Markdown link.
    let mut lower = text.replace(['*', '_', '[', ']'], "").to_lowercase();
    while let Some(from) = lower.find(['<', '(']) {
        let to = lower[from..].find(['>', ')']).map_or(lower.len(), |to| from + to + 1);
        if from > 0 && !lower[from..to].contains("://") {
            return false;
        }
        lower.replace_range(if from > 0 { from..to } else { 0..1 }, "");
    }
    let lower = lower.trim_matches(['>', ' ', '.']);
    if WORDS.device.contains(&lower) {
        return true;
    }
    let (line, excuse) = lower.split_once([',', '.']).unwrap_or((lower, ""));
    let line = line.trim();
    let begins = WORDS.device.iter().filter_map(|words| line.strip_prefix(words));
    let ends = WORDS.device_end.iter().filter_map(|words| line.strip_suffix(words));
    let of = |known: &[&str], text: &str| {
        // As in `iPhone-omról` and `iPhonesta`: a name with a grammatical ending.
        let name = |word: &str| {
            let ending = WORDS.device_name.iter().find_map(|name| word.strip_prefix(name));
            ending.is_some_and(|ending| ending.chars().count() <= LONGEST_ENDING)
        };
        let word = |word: &str| known.contains(&word) || name(word) || word.contains(|c: char| c.is_ascii_digit());
        text.split_whitespace().all(|part| word(part.trim_matches(['"', '\'', '’', '“', '”', '!'])))
    };
    begins.chain(ends).any(|rest| of(&WORDS.device_word, rest)) && of(&WORDS.excuse_word, excuse)
}
