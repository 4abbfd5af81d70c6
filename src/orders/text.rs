//! Helpers for sentences in error messages and mails.

use std::fmt::Display;

/// Maximum number of letters in a word that is compared letter by letter. No name is longer, but a
/// word in a hostile mail may be.
pub(super) const LONGEST_COMPARED: usize = 48;

/// Returns up to `most` candidates that `word` may misspell, those with the fewest slips first,
/// ignoring case.
///
/// A candidate of several words counts if `word` misspells all of it or one of its words.
///
/// ```
/// let places = ["Utah", "Texas", "New Mexico"];
/// assert_eq!(postrider_orders::near("Mexcio", places.into_iter(), 3), ["New Mexico"]);
/// assert!(postrider_orders::near("zzz", places.into_iter(), 3).is_empty());
/// ```
pub fn near<'a>(word: &str, candidates: impl Iterator<Item = &'a str>, most: usize) -> Vec<String> {
    let word = word.to_lowercase();
    let mut found: Vec<(usize, &str)> = Vec::new();
    for candidate in candidates {
        let name = candidate.to_lowercase();
        let least = std::iter::once(&*name).chain(name.split_whitespace()).filter_map(|name| slips(&word, name)).min();
        if let Some(least) = least.filter(|_| !found.iter().any(|(_, other)| *other == candidate)) {
            found.push((least, candidate));
        }
    }
    // The sort is stable: candidates with equally many slips keep their order, so that mails are
    // reproducible.
    found.sort_by_key(|(slips, _)| *slips);
    found.into_iter().take(most).map(|(_, candidate)| candidate.to_owned()).collect()
}

/// Returns the number of letters added, omitted, wrong or exchanged in a lower-case word that
/// misspells a name; `None` if that is more than three of eight, or if they begin differently.
pub(super) fn slips(word: &str, name: &str) -> Option<usize> {
    let (length, most) = (word.chars().count(), 3 * word.chars().count() / 8);
    let close = length <= LONGEST_COMPARED && length.abs_diff(name.chars().count()) <= most;
    (close && begin_alike(word, name)).then(|| strsim::osa_distance(word, name)).filter(|slips| *slips <= most)
}

/// Returns `true` if two words have the same first letter, or exchanged first letters.
pub(super) fn begin_alike(one: &str, other: &str) -> bool {
    let first_two = |word: &str| {
        let mut chars = word.chars();
        (chars.next(), chars.next())
    };
    let ((a, b), (c, d)) = (first_two(one), first_two(other));
    a == c || (a, b) == (d, c)
}

/// Joins items with "and": "a", "a and b", "a, b and c". Returns "" for an empty list.
///
/// ```
/// assert_eq!(postrider_orders::list_and(&["Utah", "Texas", "Kansas"]), "Utah, Texas and Kansas");
/// assert_eq!(postrider_orders::list_and::<&str>(&[]), "");
/// ```
pub fn list_and<S: AsRef<str>>(items: &[S]) -> String {
    list(items, "and")
}

/// Joins items with "or": "a", "a or b", "a, b or c". Returns "" for an empty list.
///
/// ```
/// assert_eq!(postrider_orders::list_or(&["evade", "fight"]), "evade or fight");
/// ```
pub fn list_or<S: AsRef<str>>(items: &[S]) -> String {
    list(items, "or")
}

fn list<S: AsRef<str>>(items: &[S], last_joined_by: &str) -> String {
    match items {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} {last_joined_by} {}", first.join(", "), last.as_ref())
        }
    }
}

/// Returns the noun with its indefinite article.
///
/// ```
/// assert_eq!(["Ottawa", "unit", "place"].map(postrider_orders::with_article), ["an Ottawa", "a unit", "a place"]);
/// ```
pub fn with_article(noun: &str) -> String {
    // "such name" becomes "such a name". "unit" begins with a consonant sound.
    if let Some(noun) = noun.strip_prefix("such ") {
        return format!("such {}", with_article(noun));
    }
    let vowel = !noun.starts_with("uni") && !noun.starts_with("one ");
    let article =
        if vowel && noun.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// Returns a number with its noun in the singular or plural.
///
/// ```
/// assert_eq!([0, 1, -1, 3].map(|n| postrider_orders::counted(n, "VP")), ["0 VPs", "1 VP", "-1 VP", "3 VPs"]);
/// ```
pub fn counted(number: impl Display, noun: &str) -> String {
    let number = number.to_string();
    let s = if number.trim_start_matches('-') == "1" { "" } else { "s" };
    format!("{number} {noun}{s}")
}

/// Returns a number up to twelve as a word, and other numbers in digits. 0 is "no".
pub fn spelt(number: usize) -> String {
    const WORDS: [&str; 13] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    WORDS.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// Returns the text with its first letter capitalized.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
