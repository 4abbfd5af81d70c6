//! Courtesies: words around an order that have no meaning in any context.
//!
//! All of them are entries of one list, `courtesies.tsv`. The list can grow without risk, because
//! no entry can qualify an order. A phrase that is not in the list is simply not read.

use super::{Phrase, phrase::plain_words};
use std::sync::LazyLock;

/// The position in which an entry may appear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Alone or before an order, optionally followed by names.
    Greet,
    /// Alone or before an order, followed by a name.
    Dear,
    /// Alone, optionally followed by names.
    Line,
    /// Before an order.
    Before,
    /// After an order.
    After,
    /// As the confirmation of a proposal.
    Yes,
}

/// The entries of a place in alphabetical order, spelled as [`Phrase`] normalizes words, with
/// single spaces between them.
type Entries = Vec<String>;

/// The parsed list.
#[derive(Default)]
struct Courtesies {
    /// By [`Place`].
    entries: [Entries; 6],
    signs: Vec<&'static str>,
}

static LIST: LazyLock<Courtesies> = LazyLock::new(|| {
    let mut list = Courtesies::default();
    for row in include_str!("courtesies.tsv").lines().filter(|row| !row.starts_with('#')) {
        let mut cells = row.split('\t');
        let (Some(kind), Some(_language), Some(entries)) = (cells.next(), cells.next(), cells.next()) else { continue };
        let place = match kind {
            "greet" => Place::Greet,
            "dear" => Place::Dear,
            "line" => Place::Line,
            "before" => Place::Before,
            "after" => Place::After,
            "yes" => Place::Yes,
            _ => {
                list.signs.extend(entries.split("; "));
                continue;
            }
        };
        let words = |entry: &str| plain_words(entry).join(" ");
        list.entries[place as usize].extend(entries.split("; ").map(words).filter(|words| !words.is_empty()));
    }
    list.entries.iter_mut().for_each(|entries| entries.sort_unstable());
    list
});

/// Returns the number of words in the longest entry for `place` that starts at word `at`, or 0.
fn length(place: Place, phrase: &Phrase, at: usize) -> usize {
    let rest = phrase.words().get(at..).unwrap_or_default();
    let Some(first) = rest.first() else { return 0 };
    let entries = &LIST.entries[place as usize];
    let from = entries.partition_point(|entry| *entry < first.text);
    let fits = |entry: &&str| {
        let mut words = rest.iter();
        entry.split(' ').all(|entry| words.next().is_some_and(|word| word.text == entry))
    };
    let alike =
        entries[from..].iter().map(String::as_str).take_while(|entry| entry.starts_with(&first.text)).filter(fits);
    alike.map(|entry| entry.split(' ').count()).max().unwrap_or(0)
}

/// The people that a courtesy may name: the players of a game.
#[derive(Clone, Debug, Default)]
pub struct People {
    /// The words of their names, normalized by [`Phrase`].
    words: Vec<String>,
    /// The words of the writer's own names. The writer may sign with an initial.
    own: Vec<String>,
}

/// Words that address everyone.
const EVERYBODY: &[&str] =
    &["all", "everybody", "everyone", "both", "folks", "guys", "friends", "team", "there", "host", "director"];

/// Maximum number of words in a name.
const LONGEST_NAME: usize = 4;

impl People {
    /// Creates a list of people with these names.
    pub fn new<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> People {
        People { words: words_of(names), own: Vec::new() }
    }

    /// Adds the writer, who has these names.
    #[must_use]
    pub fn written_by<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>) -> People {
        self.own = words_of(names);
        self.words.extend(self.own.iter().filter(|word| word.chars().count() > 2).cloned());
        self
    }

    /// Returns `true` if all words are words or initials of these names.
    #[must_use]
    pub fn are_named_by(&self, phrase: &Phrase) -> bool {
        // `Anna?` is a question, and `Anna:` introduces a quotation.
        if asks(phrase) || phrase.line().trim_end().ends_with([':', '：']) {
            return false;
        }
        let sole = matches!(phrase.words(), [word] if self.is_initial(&word.text));
        sole || self.are_called(phrase)
    }

    /// Returns `true` if all words are words of these names, or initials after such a word:
    /// `Anna L.`, but not `A.`
    fn are_called(&self, phrase: &Phrase) -> bool {
        !phrase.is_empty() && phrase.words().len() <= LONGEST_NAME && self.named(phrase, 0) == phrase.words().len()
    }

    fn is_initial(&self, text: &str) -> bool {
        text.chars().count() == 1 && self.own.iter().any(|name| name.starts_with(text))
    }

    /// Returns the number of words from `at` that name a person. A single letter first may be an
    /// option, so it is not a name.
    fn named(&self, phrase: &Phrase, at: usize) -> usize {
        let rest = phrase.words().get(at..).unwrap_or_default().iter().take(LONGEST_NAME).enumerate();
        rest.take_while(|(i, word)| self.words.contains(&word.text) || *i > 0 && self.is_initial(&word.text)).count()
    }

    fn addressed(&self, phrase: &Phrase, at: usize) -> usize {
        let everybody = phrase.words().get(at).is_some_and(|word| EVERYBODY.contains(&word.text.as_str()));
        self.named(phrase, at).max(usize::from(everybody))
    }

    /// Returns the number of words from `at` that address people: `Anna, Ben and Carl`.
    fn all_addressed(&self, phrase: &Phrase, at: usize) -> usize {
        let mut end = at;
        loop {
            let joined = end + usize::from(end > at && phrase.words().get(end).is_some_and(|word| word.text == "and"));
            match self.addressed(phrase, joined) {
                0 => return end - at,
                names => end = joined + names,
            }
        }
    }
}

/// Returns the number of words in the greeting that starts at word `at`, including the names after
/// it, or 0.
fn greeting(phrase: &Phrase, at: usize, people: &People) -> usize {
    let (greet, dear) = (length(Place::Greet, phrase, at), length(Place::Dear, phrase, at));
    let names = people.all_addressed(phrase, at + greet.max(dear));
    match (greet >= dear, greet.max(dear)) {
        (_, 0) => 0,
        (true, length) => length + names,
        (false, _) if names == 0 => 0,
        (false, length) => length + names,
    }
}

/// Returns `true` if the phrase contains only greetings: `Hi Bob,`, `Good morning all!`
#[must_use]
pub fn is_greeting(phrase: &Phrase, people: &People) -> bool {
    let mut at = 0;
    while at < phrase.words().len() {
        match greeting(phrase, at, people) {
            0 => return false,
            length => at += length,
        }
    }
    at > 0
}

fn words_of<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> Vec<String> {
    names.into_iter().flat_map(|name| Phrase::new(name.as_ref()).words().to_vec()).map(|word| word.text).collect()
}

/// Returns `true` if the phrase contains a question mark, which means that it is not a courtesy.
fn asks(phrase: &Phrase) -> bool {
    phrase.line().contains(['?', '？'])
}

/// Returns `true` if the phrase contains only words that may surround an order: `Great!`,
/// `OK then`.
#[must_use]
pub fn is_surrounding(phrase: &Phrase) -> bool {
    let mut at = 0;
    while at < phrase.words().len() && !asks(phrase) {
        match length(Place::Before, phrase, at).max(length(Place::After, phrase, at)) {
            0 => return false,
            length => at += length,
        }
    }
    at > 0
}

/// Returns `true` if the phrase contains only courtesies: `Hi Bob,`, `Thanks a lot, Anna`,
/// `Mit freundlichen Grüßen`.
///
/// ```
/// use postrider_orders::{People, Phrase, is_courtesy};
/// let people = People::new(["Bob", "Anna Lee"]).written_by(["Anna Lee"]);
/// let is = |line| is_courtesy(&Phrase::new(line), &people);
/// assert!(is("Hi Bob,") && is("Kind regards") && is("Thanks, Anna L."));
/// assert!(is("Thanks and good luck!") && !is("Thanks and not now"));
/// assert!(!is("Thanks, but not now") && !is("Hi Texas") && !is("good idea") && !is("Thanks?"));
/// ```
#[must_use]
pub fn is_courtesy(phrase: &Phrase, people: &People) -> bool {
    let words = phrase.words().len();
    if asks(phrase) {
        return false;
    }
    let mut at = 0;
    while at < words {
        let line = length(Place::Line, phrase, at);
        let line = if line == 0 { 0 } else { line + people.all_addressed(phrase, at + line) };
        match greeting(phrase, at, people).max(line) {
            0 => return false,
            length => at += length,
        }
        // In `Thanks and good luck`, the words after `and` must be a courtesy too.
        at += usize::from(at + 1 < words && phrase.words()[at].text == "and");
    }
    words > 0
}

/// Returns `true` if the phrase contains only a confirmation, optionally followed by courtesies:
/// `yes`, `Yes please!`, `ok, do it. Thanks, Bob`.
///
/// ```
/// use postrider_orders::{People, Phrase, is_confirmation};
/// let confirms = |line| is_confirmation(&Phrase::new(line), &People::new(["Bob"]));
/// assert!(confirms("yes") && confirms("Yes please!") && confirms("Yes, do it. Thanks, Bob"));
/// assert!(!confirms("yes, but tomorrow") && !confirms("ok"));
/// ```
#[must_use]
pub fn is_confirmation(phrase: &Phrase, people: &People) -> bool {
    let mut at = 0;
    loop {
        match length(Place::Yes, phrase, at) {
            0 => break,
            length => at += length,
        }
    }
    at > 0 && (at == phrase.words().len() || is_courtesy(&phrase.part(at..phrase.words().len()), people))
}

/// Returns the phrase and its shorter forms without the surrounding courtesies, longest first.
///
/// Courtesies have no meaning, so all forms mean the same. The first form that can be read is the
/// order.
///
/// ```
/// use postrider_orders::{People, Phrase, without_courtesies};
/// let all = |line| without_courtesies(&Phrase::new(line), &People::new(["Bob"])).iter().map(Phrase::plain).collect::<Vec<_>>();
/// assert!(all("Hi Bob, I'd like to raid Utah, thanks!").contains(&"raid utah".to_owned()));
/// assert_eq!(all("not b"), ["not b"]);
/// ```
#[must_use]
pub fn without_courtesies(phrase: &Phrase, people: &People) -> Vec<Phrase> {
    let (starts, ends) = (starts(phrase, people), ends(phrase, people));
    let mut cuts: Vec<(usize, usize)> =
        starts.iter().flat_map(|&start| ends.iter().map(move |&end| (start, end))).filter(|(s, e)| s < e).collect();
    cuts.sort_by_key(|(start, end)| phrase.words().len() - (end - start));
    cuts.into_iter().map(|(start, end)| phrase.part(start..end)).collect()
}

/// Returns the positions at which the words of an order may start, after any courtesies.
fn starts(phrase: &Phrase, people: &People) -> Vec<usize> {
    let words = phrase.words();
    let (mut all, mut at) = (vec![0], 0);
    while at < words.len() {
        // A name belongs to a greeting only if a comma follows: `Hi Utah` is only a greeting.
        // Without one, `Bob, attack` may be said to Bob.
        let parted = |end: usize| words.get(end).is_some_and(|next| next.after_comma);
        let (before, greeted) = (length(Place::Before, phrase, at), greeting(phrase, at, people));
        let length = match () {
            // A mark or a further courtesy separates a greeting from an order. `Hi Texas` greets a
            // player.
            () if greeted >= before
                && greeted > 0
                && (parted(at + greeted) || length(Place::Before, phrase, at + greeted) > 0) =>
            {
                greeted
            }
            () => before,
        };
        if length == 0 || at + length >= words.len() {
            break;
        }
        at += length;
        all.push(at);
    }
    all
}

/// Returns the positions at which the words of an order may end, before any courtesies.
fn ends(phrase: &Phrase, people: &People) -> Vec<usize> {
    let mut all = vec![phrase.words().len()];
    let mut end = phrase.words().len();
    while let Some(shorter) = (1..end).find(|&at| may_be_left_out(&phrase.part(at..end), people)) {
        end = shorter;
        all.push(end);
    }
    all
}

/// Returns `true` if these words have no meaning after an order.
fn may_be_left_out(rest: &Phrase, people: &People) -> bool {
    let before: String =
        rest.words().first().map_or(String::new(), |word| rest.line().chars().take(word.start).collect());
    let dashed = before.trim_end().ends_with(['-', '–', '—']);
    let after_comma = dashed || rest.words().first().is_some_and(|word| word.after_comma);
    length(Place::After, rest, 0) == rest.words().len()
        || after_comma && (is_courtesy(rest, people) || people.are_called(rest))
}

/// Splits a line into sentences and removes smileys.
///
/// A full stop ends a sentence only after a word of at least four letters and before white space or
/// the end of the line, so that `St. Louis` and `N. Cheyenne` stay whole.
///
/// ```
/// use postrider_orders::sentences;
/// assert_eq!(sentences("Attack Utah. Thanks :D"), ["Attack Utah.", "Thanks"]);
/// assert_eq!(sentences("1. b"), ["1. b"]);
/// ```
#[must_use]
pub fn sentences(line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split_whitespace().filter(|word| !LIST.signs.contains(word)).collect();
    let chars: Vec<char> = words.join(" ").chars().collect();
    let (mut all, mut start) = (Vec::new(), 0);
    for (at, c) in chars.iter().enumerate() {
        let ends = match c {
            '!' | '。' | '！' => true,
            '.' => chars[start..at].iter().rev().take_while(|c| c.is_alphabetic()).count() >= 4,
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

#[cfg(test)]
mod tests {
    #[test]
    fn every_row_of_the_list_is_an_entry() {
        let rows = include_str!("courtesies.tsv").lines().filter(|row| !row.starts_with('#'));
        for row in rows {
            let cells: Vec<&str> = row.split('\t').collect();
            let known = ["greet", "dear", "line", "before", "after", "yes", "sign"].contains(&cells[0]);
            assert!(known && cells.len() == 3 && cells.iter().all(|cell| !cell.is_empty()), "{row}");
        }
    }
}
