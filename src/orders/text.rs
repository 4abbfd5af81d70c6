//! Helpers for sentences in error messages and mails.

use std::fmt::Display;

/// Maximum number of letters in a word that is compared letter by letter. No name is longer, but a
/// word in a hostile mail may be.
pub(super) const LONGEST_COMPARED: usize = 48;

/// Minimum similarity (Jaro-Winkler, 0 to 1) of a suggested name.
const ALIKE: f64 = 0.75;

/// Returns up to `most` candidates similar to `word`, the most similar first, ignoring case.
///
/// A candidate of several words is similar if `word` resembles all of it or one of its words.
///
/// ```
/// let places = ["Utah", "Texas", "New Mexico"];
/// assert_eq!(postrider_orders::near("Mexcio", places.into_iter(), 3), ["New Mexico"]);
/// assert!(postrider_orders::near("zzz", places.into_iter(), 3).is_empty());
/// ```
pub fn near<'a>(word: &str, candidates: impl Iterator<Item = &'a str>, most: usize) -> Vec<String> {
    let word = word.to_lowercase();
    let mut found: Vec<(f64, &str)> = Vec::new();
    for candidate in candidates {
        let likeness = likeness(&word, &candidate.to_lowercase());
        if likeness >= ALIKE && !found.iter().any(|(_, other)| *other == candidate) {
            found.push((likeness, candidate));
        }
    }
    // The sort is stable: equally similar candidates keep their order, so that mails are
    // reproducible.
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().take(most).map(|(_, candidate)| candidate.to_owned()).collect()
}

/// Returns the similarity of two lower-case names, from 0 to 1: of all of `candidate` to `word`, or
/// of its most similar word.
fn likeness(word: &str, candidate: &str) -> f64 {
    if word.chars().count() > LONGEST_COMPARED {
        return 0.0;
    }
    let whole = strsim::jaro_winkler(word, candidate);
    // A single word counts slightly less than the whole name.
    let part = candidate.split_whitespace().map(|part| strsim::jaro_winkler(word, part)).fold(0.0, f64::max) * 0.97;
    whole.max(part)
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
