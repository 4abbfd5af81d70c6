//! "On … Postrider wrote:".

use super::shape::{has_address, has_date, has_time, is_unspaced};
use crate::mail::flowed::Line;

/// Words for "wrote" as attributions have them, in lower case.
const VERBS: &[&str] = &[
    "wrote",
    "writes",
    "said",
    "spake",
    "schrieb",
    "schrieben sie",
    "geschrieben",
    "a écrit",
    "écrivait",
    "nous a dit",
    "scríobh",
    "ysgrifennodd",
    "escribió",
    "escribio",
    "va escriure",
    "schreef",
    "geschreven",
    "ha scritto",
    "scrive",
    "escreveu",
    "skrev",
    "skreiv",
    "kirjoitti",
    "napisał",
    "napisała",
    "napisał(a)",
    "pisze",
    "napsal",
    "napsal(a)",
    "napsala",
    "píše",
    "napísal",
    "napísal(a)",
    "napísala",
    "írta",
    "írt",
    "написал",
    "написала",
    "написал(а)",
    "пишет",
    "пише",
    "написав",
    "написала",
    "написа",
    "έγραψε",
    "yazdı",
    "yazdi",
    "כתב",
    "כתבה",
    "כתב/ה",
    "كتب",
    "写道",
    "寫道",
    "さんは書きました",
    "は書きました",
    "が書きました",
    "님이 작성",
    "작성",
    "님이 씀",
    "napisao",
    "napisala",
    "napisao/la",
    "je napisal",
    "je napisal/a",
    "a scris",
    "kirjutas",
    "rakstīja",
    "rašė",
    "đã viết",
    "menulis",
    "เขียนว่า",
    "نوشت",
    "написао",
];

/// More such words, which sentences have as well: they count where a quoted line follows and nothing but them and a name stands
/// above it.
const SAYING: &[&str] = &[
    "wrote this",
    "wrote the following",
    "stated the following",
    "asked",
    "mentioned",
    "stated",
    "noted",
    "replied",
    "answered",
    "thought",
    "typed",
    "suggested",
    "remarked",
    "observed",
    "explained",
    "claimed",
    "mused",
    "joked",
    "fragte",
    "meinte",
    "sagte",
    "a dit",
    "a demandé",
    "a répondu",
    "dijo",
    "preguntó",
    "ha detto",
    "ha chiesto",
    "zei",
    "vroeg",
    "sa",
    "sade",
    "spurte",
    "frågade",
    "powiedział",
    "řekl",
    "сказал",
    "спросил",
];

/// So many words at most has a line that one of [`SAYING`] ends.
const LONGEST_SAYING: usize = 6;

/// An attribution in a language that is not known, and without an address, is shorter than this.
const LONGEST_UNKNOWN: usize = 110;

/// Words that begin an attribution which names no date.
const QUOTING: &[&str] =
    &["quoting ", "zitat von ", "citando a ", "citando ", "citat från ", "citaat van ", "citation de "];

/// How an attribution may begin before its date.
const LEADS: &[&str] = &[
    "on ",
    "at ",
    "am ",
    "le ",
    "el ",
    "op ",
    "il ",
    "em ",
    "a ",
    "den ",
    "d. ",
    "w dniu ",
    "dnia ",
    "dne ",
    "dňa ",
    "a(z) ",
    "în ",
    "la ",
    "в ",
    "на ",
    "у ",
    "στις ",
    "dana ",
    "dne ",
    "ב",
    "בתאריך ",
    "在 ",
    "於 ",
    "pada ",
    "vào ",
    "in message ",
];

/// The number of lines of an attribution ("On … wrote:") that begins here; programs wrap it over several.
pub(in crate::mail) fn attribution(lines: &[Line]) -> Option<usize> {
    let first = lines.first()?;
    if first.depth > 0 || first.is_blank() {
        return None;
    }
    let mut text = String::new();
    let mut blanks = 0;
    for (at, line) in lines.iter().enumerate().take(7) {
        let open = text.matches(['<', '[']).count() > text.matches(['>', ']']).count();
        // Some programs set the address between brackets on lines of its own.
        let next_opens = line.is_blank() && lines.get(at + 1).is_some_and(|next| next.text.trim() == "<");
        if (line.depth > 0 && !open) || (line.is_blank() && !open && !next_opens) {
            return None;
        }
        blanks += usize::from(line.is_blank());
        if at - blanks >= 5 {
            return None;
        }
        if at > 0 {
            text.push(' ');
        }
        if line.depth > 0 {
            text.push('>');
        }
        text.push_str(line.text.trim());
        let follows = lines[at + 1..].iter().find(|next| !next.is_blank());
        // "On Saturday Postrider wrote:" names neither date nor address; the quote below it says what it is.
        let quote_follows = follows.is_some_and(|next| next.depth > 0);
        if at == 0 && quote_follows && (ends_in_verb(&text.to_lowercase(), true) || says(&text)) {
            return Some(1);
        }
        if is_attribution(&text) {
            return begins_it(lines, at).then_some(at + 1);
        }
    }
    None
}

/// Whether the attribution that ends at line `end` begins at the first line, and not below an order right above it.
fn begins_it(lines: &[Line], end: usize) -> bool {
    let joined = |from: usize| lines[from..=end].iter().map(|line| line.text.trim()).collect::<Vec<_>>().join(" ");
    if end == 0 {
        return true;
    }
    let named_below = lines[1].text.trim_start().starts_with('<');
    let begins = strong_begin(&lines[0].text) || weak_begin(&lines[0].text) || named_below;
    let first = &lines[0].text;
    // Of two lines that could be the first, the one with the date is; of two with dates the later one.
    let later = (1..=end).any(|at| {
        let text = &lines[at].text;
        let begins = match (strong_begin(first), has_date(first)) {
            (_, true) => has_date(text),
            (true, false) => has_date(text) && strong_begin(text),
            (false, false) => strong_begin(text) || weak_begin(text),
        };
        begins && is_attribution(&joined(at))
    });
    begins && !later
}

/// A line with a date, or with a figure after the word for "on".
fn strong_begin(text: &str) -> bool {
    let lower = text.trim().trim_start_matches(['-', '—', '–', '<', '*', ' ']).to_lowercase();
    let lead = LEADS.iter().any(|lead| lower.starts_with(lead)) && lower.bytes().any(|byte| byte.is_ascii_digit());
    !closes_only(&lower) && (lead || has_date(&lower))
}

/// A line that names an address.
fn weak_begin(text: &str) -> bool {
    let text = text.trim();
    !text.starts_with('<') && !closes_only(text) && text.contains('@')
}

/// The end of an address that was broken inside its brackets, "postrider@play.example.org> wrote:".
fn closes_only(text: &str) -> bool {
    text.find('>').is_some_and(|at| !text[..at].contains('<'))
}

/// Yahoo's programs for telephones go on with the original right after "wrote:".
pub(in crate::mail) fn is_attribution_with_text(text: &str) -> bool {
    // Some forget the space.
    let ends = text.match_indices(':').filter(|(at, _)| {
        let rest = &text[at + 1..];
        rest.starts_with(' ')
            || (rest.starts_with(char::is_alphabetic) && ends_in_verb(&text[..=*at].to_lowercase(), true))
    });
    (strong_begin(text) || weak_begin(text)) && ends.take(4).any(|(at, _)| is_attribution(&text[..=at]))
}

/// Whether a text is one attribution from its first word to its last.
fn is_attribution(text: &str) -> bool {
    let text = text.trim();
    let dashed = text.starts_with("--") && text.ends_with("--");
    // Without a date and an address nothing below can hold; most lines are done with by this.
    if text.len() > 1_600 {
        return false;
    }
    if dashed && ends_in_verb(&text.trim_matches(['-', ' ']).to_lowercase(), false) {
        // "---- Postrider wrote ----".
        return true;
    }
    if !text.chars().any(|c| c == '@' || c.is_numeric()) {
        return false;
    }
    let ends = text.ends_with([':', '：', '-', '—', '–', '_', '*', '>', ']']);
    if !ends && !text.contains('@') && !has_date(text) {
        return false;
    }
    let body = text.trim_end_matches(['-', '—', '–', '_', '*', ' ']);
    let (body, colon) = match body.strip_suffix([':', '：']) {
        Some(body) => (body, true),
        None => (body, false),
    };
    let lower = body.trim_start_matches(['-', '—', '–', '*', ' ']).trim_end().to_lowercase();
    let (address, date, time) = (has_address(&lower), has_date(&lower), has_time(&lower));
    if text.starts_with('[') && text.ends_with(']') && address && date && time {
        // "[Postrider <postrider@play.example.org> 2026-11-23 09:12]".
        return true;
    }
    if dashed {
        // Zoho: "---- On … wrote ----", in any language.
        return lower.contains(' ') && (address || (date && time));
    }
    if !colon {
        let closes = lower.ends_with('>') && begins_with_date(&lower) && address;
        let named = begins_with_date(&lower) && time && (lower.contains(" gmt") || lower.contains(" utc"));
        return closes || (named && lower.chars().count() < 120) || (ends_in_verb(&lower, false) && (address || date));
    }
    let digit = lower.chars().any(char::is_numeric);
    // With a verb a date or an address is enough; in a language that is not known it must have both, or a date with its time.
    (has_verb(&lower) && (digit || address))
        || (date && time && lower.split_whitespace().count() > 2 && lower.chars().count() < LONGEST_UNKNOWN)
        || (address && time)
        || (address && date)
        || (address && QUOTING.iter().any(|lead| lower.starts_with(lead)))
}

/// "2026-11-23 9:12 GMT+01:00 Postrider", as Gmail once had it.
fn begins_with_date(lower: &str) -> bool {
    has_date(lower.split_whitespace().next().unwrap_or_default()) && lower.starts_with(|c: char| c.is_ascii_digit())
}

fn has_verb(lower: &str) -> bool {
    VERBS.iter().any(|verb| {
        lower.match_indices(verb).any(|(at, _)| {
            let before = lower[..at].chars().next_back();
            let after = lower[at + verb.len()..].chars().next();
            let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() || is_unspaced(c));
            verb.starts_with(is_unspaced) || (edge(before) && edge(after))
        })
    })
}

/// Whether the verb is the last word, as in "On … Postrider wrote".
fn ends_in_verb(lower: &str, colon: bool) -> bool {
    ends_in(VERBS, lower, colon)
}

/// "Postrider wrote:": what follows is a quotation, if it is one, without marks.
pub(in crate::mail) fn may_be_attribution(text: &str) -> bool {
    let text = text.trim().trim_start_matches(['-', '*', ' ']);
    text.split_whitespace().count() <= LONGEST_SAYING && ends_in_verb(&text.to_lowercase(), true)
}

/// "Postrider asked:".
fn says(text: &str) -> bool {
    text.split_whitespace().count() <= LONGEST_SAYING && ends_in(SAYING, &text.to_lowercase(), true)
}

fn ends_in(verbs: &[&str], lower: &str, colon: bool) -> bool {
    let body = lower.trim_end_matches(['-', '—', ' ', '.']);
    let body = if colon { body.strip_suffix([':', '：']) } else { Some(body) };
    body.map(str::trim_end).is_some_and(|body| {
        verbs.iter().any(|verb| {
            body.strip_suffix(verb).is_some_and(|before| {
                !before.trim().is_empty()
                    && (verb.starts_with(is_unspaced) || before.ends_with(|c: char| !c.is_alphanumeric()))
            })
        })
    })
}
