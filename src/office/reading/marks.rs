//! Punctuation in a line: labels, places where orders may be separated, and marks that no order
//! contains.

use crate::reading::value::Label;
use postrider_orders::{OptionRef, Phrase, option_ref};

/// Maximum number of words of a label.
const LONGEST_LABEL: usize = 4;

/// A label in front of an order.
pub(crate) enum Mark {
    Question(Label),
    Option(OptionRef),
}

/// A place where a sentence may be divided into two orders.
pub(crate) struct Cut {
    pub head: usize,
    pub tail: usize,
    /// `true` if the mark can also occur within one order.
    pub weak: bool,
}

/// Returns the places at which a sentence may be divided, strong marks first.
pub(crate) fn cuts(text: &str) -> Vec<Cut> {
    let mut all = Vec::new();
    let find = |mark: &str, weak: bool, all: &mut Vec<Cut>| {
        all.extend(text.match_indices(mark).map(|(at, found)| Cut { head: at, tail: at + found.len(), weak }));
    };
    let lower = text.to_ascii_lowercase();
    find(";", false, &mut all);
    for mark in [" and then ", ", then ", " then "] {
        all.extend(lower.match_indices(mark).map(|(at, found)| Cut { head: at, tail: at + found.len(), weak: false }));
    }
    find(":", false, &mut all);
    find(",", true, &mut all);
    all.extend(lower.match_indices(" and ").map(|(at, found)| Cut { head: at, tail: at + found.len(), weak: true }));
    all
}

/// Returns the column of the first character that no order contains.
pub(crate) fn strange_mark(text: &str) -> Option<usize> {
    let chars: Vec<char> = text.chars().collect();
    // `b)`, `(1b)`: the parentheses of an option's letter.
    let label = text.trim_start_matches('(').split([')', ' ']).next().unwrap_or_default();
    let labelled = label.chars().count() <= 4 && label.chars().all(char::is_alphanumeric);
    let opening = if labelled { label.chars().count() + 2 } else { 0 };
    let blank = |at: Option<usize>| at.and_then(|at| chars.get(at)).is_none_or(|c| c.is_whitespace());
    let plain = |(at, c): (usize, &char)| match c {
        // `:o`, `!1a`
        ':' | ';' | '!' => at > 0,
        // `-1a-`
        '-' => at + 1 < chars.len() || blank(at.checked_sub(1)),
        c if c.is_alphanumeric() || c.is_whitespace() => true,
        '\'' | '’' | '‘' | 'ʼ' | '´' | '`' | ',' | '.' | '–' | '—' | '−' | '>' | '→' | '&' => true,
        // Excludes the combining strokes that strike letters out.
        '\u{300}'..='\u{334}'
        | '\u{339}'..='\u{36f}'
        | '\u{ad}'
        | '\u{200b}'..='\u{200d}'
        | '\u{2060}'
        | '\u{feff}' => true,
        '(' | ')' | '[' | ']' => at < opening,
        '#' => chars.get(at + 1).is_some_and(char::is_ascii_digit),
        '+' => blank(at.checked_sub(1)) && blank(Some(at + 1)) && at > 0,
        '=' => chars.get(at + 1) == Some(&'>'),
        // `w/ crook`
        '/' => matches!(chars[..at], ['w' | 'W'] | [.., ' ', 'w' | 'W']),
        _ => false,
    };
    let at = chars.iter().enumerate().position(|one| !plain(one));
    // Dots of an unfinished sentence or an omission; strokes through words.
    at.or_else(|| text.find("..").or_else(|| text.find("--")).map(|byte| text[..byte].chars().count()))
}

/// Returns `true` if the line is empty or only a divider, such as `---` or `* * *`.
pub(crate) fn is_decoration(text: &str) -> bool {
    text.chars().count() != 1 && text.chars().all(|c| c.is_whitespace() || "-_=*~•·—–─|#>".contains(c))
}

/// Removes quotation marks or emphasis around the whole line.
pub(crate) fn unwrapped(text: &str) -> &str {
    const PAIRS: &[(&str, &str)] =
        &[("**", "**"), ("*", "*"), ("_", "_"), ("“", "”"), ("\"", "\""), ("„", "“"), ("«", "»")];
    let within = |(open, close): &(&str, &str)| {
        let inner = text.strip_prefix(open)?.strip_suffix(close)?;
        (!inner.is_empty() && !inner.contains(open) && !inner.contains(close)).then_some(inner)
    };
    PAIRS.iter().find_map(within).unwrap_or(text)
}

/// Returns the label at the beginning of a phrase, and the number of its words.
pub(crate) fn split_label(phrase: &Phrase) -> Option<(Mark, usize)> {
    const QUESTIONS: &[&str] = &["question", "prompt", "number", "nr", "item", "q", "answer", "re", "to", "for"];
    let words = phrase.words();
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    // The characters between a word and the next one.
    let between = |at: usize| -> String {
        let (end, next) = (words[at].end, words.get(at + 1).map_or(0, |next| next.start));
        phrase.line().chars().skip(end).take(next.saturating_sub(end)).collect()
    };
    let is_marked = |at: usize| !between(at).trim().is_empty();
    // 10:30 is a time, 1.5 a number.
    let figures = |at: usize| between(at).len() == 1 && is_marked(at) && text(at + 1).starts_with(char::is_numeric);
    let option = (1..=words.len().min(LONGEST_LABEL)).rev().find_map(|length| {
        let option = option_ref(&phrase.part(0..length))?;
        let clear = length > 1 || option.prompt.is_some() || is_marked(0);
        (clear && !figures(length - 1)).then_some((Mark::Option(option), length))
    });
    option.or_else(|| {
        let names = |at: &usize| QUESTIONS.contains(&text(*at)) || text(*at) == "no" && phrase.is_dotted(*at);
        let at = (0..LONGEST_LABEL).take_while(names).count();
        let number = text(at).strip_prefix('q').unwrap_or(text(at)).parse::<u32>().ok().filter(|n| *n > 0)?;
        let clear = at > 0 || text(at).starts_with('q') || at + 1 == words.len() || is_marked(at);
        (clear && !figures(at)).then_some((Mark::Question(Label::Number(number)), at + 1))
    })
}

/// Returns the order after `preview` at the beginning of a line.
pub(crate) fn previewed(text: &str) -> Option<&str> {
    let (first, rest) = text.split_once(|c: char| c == ':' || c.is_whitespace())?;
    let rest = rest.trim_start_matches([':', ' ']);
    (first.eq_ignore_ascii_case("preview") && !rest.is_empty()).then_some(rest)
}
