//! What people write around an order without meaning more by it: greetings, closings, lead-ins, smileys, telephone numbers.

use super::{Phrase, doubt, puts_off};
use std::{borrow::Cow, collections::HashMap, ops::Range, sync::LazyLock};

/// Phrases by their first word, the longest first.
struct Phrases(HashMap<Cow<'static, str>, Vec<Vec<Cow<'static, str>>>>);

impl Phrases {
    /// One a line; lines that begin with `#` say what follows.
    fn of(text: &'static str) -> Phrases {
        let mut by_first: HashMap<_, Vec<_>> = HashMap::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let words = words_of(line);
            if let Some(first) = words.first() {
                by_first.entry(first.clone()).or_default().push(words);
            }
        }
        by_first.values_mut().for_each(|all| all.sort_by_key(|words| std::cmp::Reverse(words.len())));
        Phrases(by_first)
    }

    /// How many words from `at` on are the longest of these phrases; 0 for none.
    fn length_at(&self, phrase: &Phrase, at: usize) -> usize {
        let words = &phrase.words()[at.min(phrase.words().len())..];
        let Some(first) = words.first() else { return 0 };
        let stands = |phrase: &&Vec<Cow<'_, str>>| {
            phrase.len() <= words.len() && phrase.iter().zip(words).all(|(part, word)| *part == word.text)
        };
        self.0.get(first.text.as_str()).and_then(|all| all.iter().find(stands)).map_or(0, Vec::len)
    }

    /// Whether the whole phrase is one of these.
    fn is(&self, phrase: &Phrase) -> bool {
        let length = self.length_at(phrase, 0);
        length > 0 && length == phrase.words().len()
    }
}

/// The words of a line as [`Phrase`] makes them, which is quick for the plain ones: they are read anew in every process.
fn words_of(line: &'static str) -> Vec<Cow<'static, str>> {
    let plain = line.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b' ') && !line.contains("please");
    if plain {
        return line.split(' ').filter(|word| !word.is_empty()).map(Cow::Borrowed).collect();
    }
    Phrase::new(line).words().iter().map(|word| Cow::Owned(word.text.clone())).collect()
}

static GREETINGS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("words/greetings.txt")));
static CLOSINGS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("words/closings.txt")));
static LEAD_INS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("words/lead-ins.txt")));
static TRAILERS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("words/trailers.txt")));
static CONFIRMATIONS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("words/confirmations.txt")));

/// Whoever is greeted or takes leave is named in so many words.
const LONGEST_NAME: usize = 4;

/// Behind thanks so many words may follow: `thanks for waiting so long`.
const LONGEST_THANKS: usize = 8;

/// Closings that are words of orders or of sentences too: they count alone, before a comma, or before a name.
const BARE: &[&str] = &["best", "yours", "love", "mit", "bis", "later", "peace", "hasta"];

/// A closing at the beginning of a phrase: the words that it has.
fn closing_at(phrase: &Phrase, at: usize) -> usize {
    let length = CLOSINGS.length_at(phrase, at);
    let ambiguous = length == 1 && BARE.contains(&phrase.words()[at].text.as_str());
    match phrase.words().get(at + length) {
        Some(next) if ambiguous && !next.after_comma => 0,
        _ => length,
    }
}

/// Whether it greets somebody and says nothing else: `Hi Bob,`, `Guten Morgen zusammen`.
#[must_use]
pub fn is_greeting(phrase: &Phrase) -> bool {
    let length = GREETINGS.length_at(phrase, 0);
    let rest = phrase.words().get(length..).unwrap_or_default();
    let denies = rest.iter().any(|word| matches!(word.text.as_str(), "no" | "nope" | "nah"));
    length > 0 && rest.len() < LONGEST_NAME && !denies && doubt(phrase).is_none()
}

/// Whether it takes leave or thanks, perhaps with a name, and says nothing else: `Thanks, Bob`, `Mit freundlichen Grüßen`. What
/// stands below such a line is a signature.
///
/// ```
/// use postrider::orders::{Phrase, is_closing};
/// let closes = |line| is_closing(&Phrase::new(line));
/// assert!(closes("Kind regards,") && closes("Med vänliga hälsningar, Åsa") && closes("thx bob"));
/// assert!(!closes("best column attacks") && !closes("thanks, but not now"));
/// ```
#[must_use]
pub fn is_closing(phrase: &Phrase) -> bool {
    let length = closing_at(phrase, 0);
    length > 0 && phrase.words().len() <= length + rest_allowed(phrase, 0) && doubt(phrase).is_none()
}

/// How many words may follow the closing that begins here.
fn rest_allowed(phrase: &Phrase, at: usize) -> usize {
    let word = phrase.words()[at].text.as_str();
    if word.starts_with("thank") || word == "thx" || word == "many" { LONGEST_THANKS } else { LONGEST_NAME }
}

/// Whether it says nothing that could be an order: no word at all, only numbers (a telephone, a date), an address, `n/a`.
///
/// ```
/// use postrider::orders::{Phrase, is_silent};
/// let silent = |line| is_silent(&Phrase::new(line));
/// assert!(!silent("2405 > 2306"));
/// assert!(silent("...") && silent("+1 303 555 0100") && silent("n/a") && silent("www.example.org"));
/// assert!(!silent("3") && !silent("pass"));
/// ```
#[must_use]
pub fn is_silent(phrase: &Phrase) -> bool {
    let words = phrase.words();
    let numeric = |text: &str| text.chars().all(|c| c.is_ascii_digit() || c == '-');
    let said = phrase.text();
    // No telephone number has `>` in it, as the way of a move over hexes has.
    let numbers = words.len() > 1 && words.iter().all(|word| numeric(&word.text)) && !said.contains('>');
    let long = words.len() == 1 && words[0].text.len() > 4 && numeric(&words[0].text);
    let address =
        said.contains("://") || said.starts_with("www.") || !said.contains(' ') && said.contains('@') && said.len() > 3;
    words.is_empty()
        || numbers
        || long
        || address
        || said.starts_with("<#")
        || phrase.line().trim().starts_with("<#")
        || matches!(phrase.plain().as_str(), "n a" | "na" | "sent from my phone")
}

/// Words behind a yes and thanks that begin a sentence of its own, which may take the yes back.
const GOES_ON: &[&str] = &[
    "i", "ill", "id", "im", "ive", "we", "well", "ich", "wir", "je", "nous", "yo", "io", "will", "need", "but", "not",
    "however", "although", "though",
];

/// Whether it says yes to something that was asked, and nothing else: `yes`, `Yes please!`, `ok, do it`, `Yes, thanks Bob`.
///
/// ```
/// use postrider::orders::{Phrase, is_confirmation};
/// let confirms = |line| is_confirmation(&Phrase::new(line));
/// assert!(confirms("yes") && confirms("Yes please!") && confirms("ok, do it. Thanks, Bob"));
/// assert!(!confirms("Yes, thanks for the reminder, I will look at it tonight") && !confirms("ok, thank you, tomorrow"));
/// ```
#[must_use]
pub fn is_confirmation(phrase: &Phrase) -> bool {
    let mut at = 0;
    while at < phrase.words().len() {
        match CONFIRMATIONS.length_at(phrase, at) {
            0 if at > 0 => {
                let rest = phrase.part(at..phrase.words().len());
                let closing = closing_at(phrase, at);
                return closing > 0
                    && rest.words().len() <= closing + LONGEST_NAME
                    && !rest.words().iter().any(|word| GOES_ON.contains(&word.text.as_str()))
                    && is_closing(&rest)
                    && !puts_off(&rest);
            }
            0 => return false,
            length => at += length,
        }
    }
    at > 0
}

/// Whether it is a courtesy that can be told from the words alone: nothing is left of it once lead-ins and closings are taken off.
#[must_use]
pub fn is_telling(phrase: &Phrase) -> bool {
    let mut at = 0;
    while at < phrase.words().len() {
        match LEAD_INS.length_at(phrase, at).max(TRAILERS.length_at(phrase, at)) {
            0 => return closing_at(phrase, at) > 0 && is_closing(&phrase.part(at..phrase.words().len())),
            length => at += length,
        }
    }
    true
}

/// The phrase, and what is left of it when lead-ins are taken from its beginning and closings from its end; first that of which
/// least was taken. What is taken says nothing (`I'd like to`, `thanks, Bob`), so all that are left mean the same, and the first
/// that can be read is meant. `names` are those of the writer and of whom he may address.
///
/// ```
/// use postrider::orders::{Phrase, peels};
/// let all = |line| peels(&Phrase::new(line), &["Bob"]).iter().map(Phrase::plain).collect::<Vec<_>>();
/// assert!(all("Hi Bob, I'd like to raid Utah, thanks!").contains(&"raid utah".to_owned()));
/// assert_eq!(all("not b"), ["not b"]);
/// ```
#[must_use]
pub fn peels(phrase: &Phrase, names: &[&str]) -> Vec<Phrase> {
    let all = phrase.words().len();
    let mut left = Vec::new();
    let (starts, ends) = (starts(phrase, names), ends(phrase, names));
    let mut cuts: Vec<(usize, usize)> =
        starts.iter().flat_map(|&start| ends.iter().map(move |&end| (start, end))).filter(|(s, e)| s < e).collect();
    cuts.sort_by_key(|(start, end)| all - (end - start));
    for (start, end) in cuts {
        left.push(phrase.part(start..end));
    }
    left
}

/// Words that say where or when somebody is.
const PLACING: &[&str] = &["in", "at", "on", "from", "to", "near", "around"];

/// Where the phrase can begin without its lead-ins.
fn starts(phrase: &Phrase, names: &[&str]) -> Vec<usize> {
    let words = phrase.words();
    let mut all = vec![0];
    let mut at = 0;
    loop {
        let greeting = GREETINGS.length_at(phrase, at);
        // The longer one counts: `well done` is praise, `well` a lead-in.
        let length = match LEAD_INS.length_at(phrase, at) {
            lead_in if greeting > lead_in => {
                // `Hi Bob,`: the name ends at the comma, or is known; or there is none.
                let next = at + greeting;
                // Nobody is called `I'd like to evade`.
                let named = match LEAD_INS.length_at(phrase, next) {
                    0 => (1..=LONGEST_NAME).find(|n| words.get(next + n).is_some_and(|word| word.after_comma)),
                    _ => Some(0),
                };
                if next < words.len() && !is_addressed(phrase, at, next) {
                    all.push(next);
                }
                greeting + named.unwrap_or_else(|| name_at(phrase, next, names))
            }
            0 if at == 0 && closing_at(phrase, 0) > 0 => {
                let next = closing_at(phrase, 0);
                let rest = phrase.part(next..words.len());
                // `Thanks, Utah` and `See you in Texas` take leave of somebody, and say where.
                let numbered = super::option_ref(&rest).is_some_and(|option| option.prompt.is_some());
                let says =
                    rest.words().len() > 1 && words[next].after_comma && !PLACING.contains(&words[next].text.as_str());
                if numbered || says { next } else { 0 }
            }
            // `Bob, attack`
            0 => match name_at(phrase, at, names) {
                n if n > 0 && words.get(at + n).is_some_and(|word| word.after_comma) => n,
                _ => 0,
            },
            length => length,
        };
        // `I am in Nevada` says where somebody is.
        let is_there = length > 0
            && matches!(words[at + length - 1].text.as_str(), "am" | "im" | "are" | "were")
            && words.get(at + length).is_some_and(|next| PLACING.contains(&next.text.as_str()));
        let next = at + length;
        if length == 0 || next >= words.len() || is_there || is_addressed(phrase, at, next) {
            all.dedup();
            return all;
        }
        at = next;
        all.push(at);
    }
}

/// Whether one word is left behind the courtesy at a place, and it is whom that greets or thanks: `Hello Texas`, `Thanks, Utah`. An option
/// with its number is not.
fn is_addressed(phrase: &Phrase, at: usize, next: usize) -> bool {
    let words = phrase.words();
    let closes = closing_at(phrase, at) > 0;
    (closes || GREETINGS.length_at(phrase, at) > 0)
        && next + 1 == words.len()
        && (closes || !words[next].after_comma)
        && super::option_ref(&phrase.part(next..next + 1)).is_none_or(|option| option.prompt.is_none())
}

/// Where it can end without its closings, from the back.
fn ends(phrase: &Phrase, names: &[&str]) -> Vec<usize> {
    let mut all = vec![phrase.words().len()];
    let mut end = phrase.words().len();
    while let Some(shorter) = (1..end).find(|&at| may_be_left_out(phrase, at..end, names)) {
        end = shorter;
        all.push(end);
    }
    all
}

/// Whether these words at the end of what is left say nothing.
fn may_be_left_out(phrase: &Phrase, range: Range<usize>, names: &[&str]) -> bool {
    let (rest, at) = (phrase.part(range.clone()), range.start);
    let after_comma = phrase.words()[at].after_comma;
    let trailer = TRAILERS.is(&rest) || CONFIRMATIONS.is(&rest) && after_comma;
    let named = name_at(phrase, at, names) == range.len() && (after_comma || parted_by_dash(phrase, at));
    let bare = range.len() == 1 && BARE.contains(&phrase.words()[at].text.as_str()) && !after_comma;
    trailer || named || closing_at(phrase, at) > 0 && is_closing(&rest) && !bare
}

/// Whether a dash stands before this word, with blanks around it.
fn parted_by_dash(phrase: &Phrase, at: usize) -> bool {
    let Some(before) = at.checked_sub(1).and_then(|at| phrase.words().get(at)) else { return false };
    let between: String =
        phrase.line().chars().skip(before.end).take(phrase.words()[at].start.saturating_sub(before.end)).collect();
    between.trim().starts_with(['-', '–', '—', '/', '~'])
}

/// How many words from here on are one of these names, or words or initials of one.
fn name_at(phrase: &Phrase, at: usize, names: &[&str]) -> usize {
    let own: Vec<String> =
        names.iter().flat_map(|name| Phrase::new(name).words().to_vec()).map(|word| word.text).collect();
    let is_own = |text: &str| own.iter().any(|name| name == text);
    phrase.words().iter().skip(at).take(LONGEST_NAME).take_while(|word| is_own(&word.text)).count()
}

/// The sentences of a line, without smileys. A full stop ends one if a word of four letters or more, or a number, stands before it
/// and white space behind it: `St. Louis` and `N. Cheyenne` are whole.
///
/// ```
/// use postrider::orders::sentences;
/// assert_eq!(sentences("Attack Utah. Thanks :D"), ["Attack Utah.", "Thanks"]);
/// assert_eq!(sentences("1. b"), ["1. b"]);
/// ```
#[must_use]
pub fn sentences(line: &str) -> Vec<String> {
    let line = without_smileys(line);
    let chars: Vec<char> = line.chars().collect();
    let (mut all, mut start) = (Vec::new(), 0);
    for (at, c) in chars.iter().enumerate() {
        let ends = match c {
            '!' | '…' | '。' | '！' => true,
            '.' => {
                let word = chars[start..at].iter().rev().take_while(|c| c.is_alphabetic()).count();
                let dots = at > start && chars[at - 1] == '.';
                word >= 4 || dots
            }
            _ => false,
        };
        let goes_on = chars.get(at + 1).is_some_and(|next| !next.is_whitespace() && !matches!(c, '。' | '！'));
        if ends && !goes_on {
            all.push(chars[start..=at].iter().collect::<String>());
            start = at + 1;
        }
    }
    all.push(chars[start..].iter().collect());
    all.iter().map(|sentence| sentence.trim().to_owned()).filter(|sentence| !sentence.is_empty()).collect()
}

/// The line without `:-)`, `;P`, `xD`, `<3` and the like, whose letters and numbers are none.
fn without_smileys(line: &str) -> String {
    let smiley = |token: &str| {
        let mut chars = token.chars();
        let eyes = chars.next().is_some_and(|c| matches!(c, ':' | ';' | '=' | 'x' | 'X' | '8'));
        let rest: String = chars.filter(|c| !matches!(c, '-' | '\'' | '~' | '^')).collect();
        let mouth = !rest.is_empty()
            && rest.chars().all(|c| {
                matches!(c, 'D' | 'P' | 'p' | 'o' | 'O' | '3' | 's' | 'S' | ')' | '(' | '/' | '\\' | '|' | '*')
            });
        let letters_alone = token.chars().all(char::is_alphanumeric);
        token == "<3" || eyes && mouth && (!letters_alone || matches!(token, "xD" | "XD"))
    };
    let kept: Vec<&str> = line.split_whitespace().filter(|token| !smiley(token)).collect();
    if kept.len() == line.split_whitespace().count() { line.to_owned() } else { kept.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_read_as_mails_are() {
        let lists = [
            include_str!("words/greetings.txt"),
            include_str!("words/closings.txt"),
            include_str!("words/lead-ins.txt"),
            include_str!("words/trailers.txt"),
            include_str!("words/confirmations.txt"),
        ];
        for line in lists.iter().flat_map(|list| list.lines()).filter(|line| !line.starts_with('#')) {
            let right: Vec<String> = Phrase::new(line).words().iter().map(|word| word.text.clone()).collect();
            assert_eq!(words_of(line), right, "{line}");
        }
    }
}
