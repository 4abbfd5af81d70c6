//! Small helpers for the sentences of refusals and mails.

/// Words longer than this are never compared letter by letter: no name is that long, and a hostile mail may be.
pub(super) const LONGEST_COMPARED: usize = 48;

/// Below this likeness (Jaro-Winkler, 0 to 1) a name is no help to somebody who mistyped another.
pub(super) const ALIKE: f64 = 0.75;

/// Up to `most` of the candidates that look like `word`, the likest first; case does not matter.
///
/// A candidate of several words counts as alike when it resembles `word` as a whole or in one of its words.
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
    // The sort is stable: equally alike candidates stay in the order of the list, so the same mail is written each time.
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().take(most).map(|(_, candidate)| candidate.to_owned()).collect()
}

/// How alike two lower-cased names are, from 0 to 1: as a whole, or `word` against a single word of `candidate`.
pub(super) fn likeness(word: &str, candidate: &str) -> f64 {
    if word.chars().count() > LONGEST_COMPARED {
        return 0.0;
    }
    let whole = strsim::jaro_winkler(word, candidate);
    // One word of several is worth a little less than the whole name.
    let part = candidate.split_whitespace().map(|part| strsim::jaro_winkler(word, part)).fold(0.0, f64::max) * 0.97;
    whole.max(part)
}

/// "a", "a and b", "a, b and c"; nothing for an empty list.
///
/// ```
/// assert_eq!(postrider_orders::list_and(&["Utah", "Texas", "Kansas"]), "Utah, Texas and Kansas");
/// assert_eq!(postrider_orders::list_and::<&str>(&[]), "");
/// ```
pub fn list_and<S: AsRef<str>>(items: &[S]) -> String {
    list(items, "and")
}

/// "a", "a or b", "a, b or c"; nothing for an empty list.
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

/// The noun with its indefinite article: "a place", "an area".
pub(super) fn with_article(noun: &str) -> String {
    // `such choice` is such a choice; a unit is spoken with a consonant.
    if let Some(noun) = noun.strip_prefix("such ") {
        return format!("such {}", with_article(noun));
    }
    let vowel = !noun.starts_with("uni") && !noun.starts_with("one ");
    let article =
        if vowel && noun.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// A small number as a word.
pub fn spelt(number: usize) -> String {
    const WORDS: [&str; 13] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    WORDS.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// The first letter as a capital.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
