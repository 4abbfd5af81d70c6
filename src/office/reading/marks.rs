//! Marks in a line: labels, places to cut it into orders, what no order has.

use crate::reading::value::Label;
use postrider_orders::{OptionRef, Phrase};

/// A label in front of an order.
pub(crate) enum Mark {
    Question(Label),
    Option(OptionRef),
}

/// Where a sentence may be cut into two orders.
pub(crate) struct Cut {
    pub head: usize,
    pub tail: usize,
    /// Whether the mark also parts the words of one order.
    pub weak: bool,
}

/// The places at which a sentence may be cut, strong marks first.
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

/// The column of the first character that no order has.
pub(crate) fn strange_mark(text: &str) -> Option<usize> {
    let chars: Vec<char> = text.chars().collect();
    // `b)`, `(1b)`: the brackets of an option's letter.
    let label = text.trim_start_matches('(').split([')', ' ']).next().unwrap_or_default();
    let labelled = label.chars().count() <= 4 && label.chars().all(char::is_alphanumeric);
    let opening = if labelled { label.chars().count() + 2 } else { 0 };
    let blank = |at: Option<usize>| at.and_then(|at| chars.get(at)).is_none_or(|c| c.is_whitespace());
    let plain = |(at, c): (usize, &char)| match c {
        // `:o`
        ':' | ';' => at > 0,
        c if c.is_alphanumeric() || c.is_whitespace() => true,
        '\'' | '’' | '‘' | 'ʼ' | '´' | '`' | ',' | '.' | '!' | '-' | '–' | '—' | '−' | '>' | '→' | '&' => {
            true
        }
        // Not the strokes that strike letters out.
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
    // Dots that trail off or are for something left out; strokes through words.
    at.or_else(|| text.find("..").or_else(|| text.find("--")).map(|byte| text[..byte].chars().count()))
}

/// Returns true if the line is nothing but marks that divide: `---`, `* * *`; or is empty.
pub(crate) fn is_decoration(text: &str) -> bool {
    text.chars().count() != 1 && text.chars().all(|c| c.is_whitespace() || "-_=*~•·—–─|#>".contains(c))
}

/// The line without quotation marks or emphasis around the whole of it.
pub(crate) fn unwrapped(text: &str) -> &str {
    const PAIRS: &[(&str, &str)] =
        &[("**", "**"), ("*", "*"), ("_", "_"), ("“", "”"), ("\"", "\""), ("„", "“"), ("«", "»")];
    let within = |(open, close): &(&str, &str)| {
        let inner = text.strip_prefix(open)?.strip_suffix(close)?;
        (!inner.is_empty() && !inner.contains(open) && !inner.contains(close)).then_some(inner)
    };
    PAIRS.iter().find_map(within).unwrap_or(text)
}

/// The label at the beginning of a phrase, and how many words it has.
pub(crate) fn split_label(phrase: &Phrase) -> Option<(Mark, usize)> {
    const QUESTIONS: &[&str] = &["question", "prompt", "number", "nr", "item", "q", "answer", "re", "to", "for"];
    const OPTIONS: &[&str] = &["option", "choice", "letter"];
    let words = phrase.words();
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let mut at = 0;
    let numbers = |at: usize| QUESTIONS.contains(&text(at)) || text(at) == "no" && phrase.is_dotted(at);
    while at < 3 && numbers(at) && !text(at + 1).is_empty() {
        at += 1;
    }
    let mut named = at > 0;
    let optional = OPTIONS.contains(&text(at));
    at += usize::from(optional);
    let word = words.get(at)?;
    let bare = word.text.strip_prefix('q').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    named |= bare.is_some();
    let text = bare.unwrap_or(&word.text);
    let letters = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = match &text[..text.len() - letters.len()] {
        "" => None,
        digits => Some(digits.parse::<u32>().ok().filter(|n| *n > 0)?),
    };
    let end = words.get(at + 1).map(|next| next.start);
    let between: String = phrase.line().chars().skip(word.end).take(end.map_or(0, |end| end - word.end)).collect();
    // 10:30 is a time, 1.5 a number.
    let figures =
        between.len() == 1 && words.get(at + 1).is_some_and(|next| next.text.starts_with(|c: char| c.is_ascii_digit()));
    let marked = !between.trim().is_empty();
    match (number, letters) {
        (Some(_), _) if figures => None,
        (Some(number), "") if !optional && (marked || named || end.is_none()) => {
            Some((Mark::Question(Label::Number(number)), at + 1))
        }
        (number, letters)
            if (1..=2).contains(&letters.len())
                && letters.bytes().all(|b| b.is_ascii_lowercase())
                && (letters.len() == 1 || optional || number.is_some())
                && (marked || optional || number.is_some()) =>
        {
            Some((Mark::Option(OptionRef { prompt: number, choice: letters.to_owned() }), at + 1))
        }
        _ => None,
    }
}

/// The order in a line with `preview` in front.
pub(crate) fn previewed(text: &str) -> Option<&str> {
    let (first, rest) = text.split_once(|c: char| c == ':' || c.is_whitespace())?;
    let rest = rest.trim_start_matches([':', ' ']);
    (first.eq_ignore_ascii_case("preview") && !rest.is_empty()).then_some(rest)
}
