//! Agreement of numbers and articles in English texts. There are no lists of nouns and verbs: a
//! word is a plural if the same texts count several of it, and a verb if they use both of its
//! forms.

use std::collections::{BTreeMap, BTreeSet};

/// Words ending in `s` that are not plurals, although they can follow a number.
const NO_PLURALS: &[&str] =
    &["is", "was", "has", "as", "us", "its", "this", "loss", "pass", "access", "iroquois", "Iroquois"];

/// First words of sentences that are followed by a noun and not by a verb.
const BEFORE_NOUNS: &[&str] =
    &["The", "A", "An", "Which", "What", "This", "That", "Each", "Every", "No", "One", "Another"];

/// Texts of one game, each a sentence, a heading or a cell of a table.
#[derive(Default)]
pub(crate) struct Texts {
    all: BTreeSet<String>,
    /// Names of pieces that do not change with their number, such as `regular` in `3 regular`.
    unchanged: &'static [&'static str],
}

impl Texts {
    pub(crate) fn with_unchanged(unchanged: &'static [&'static str]) -> Texts {
        Texts { unchanged, ..Texts::default() }
    }

    pub(crate) fn add(&mut self, text: &str) {
        let parts = text.split('\n').flat_map(|line| line.split("  "));
        self.all.extend(parts.map(|part| part.trim().replace('`', "")).filter(|part| part.contains(' ')));
    }

    pub(crate) fn add_all(&mut self, value: &serde_json::Value) {
        match value {
            serde_json::Value::String(text) => self.add(text),
            serde_json::Value::Array(items) => items.iter().for_each(|item| self.add_all(item)),
            serde_json::Value::Object(members) => members.values().for_each(|item| self.add_all(item)),
            _ => {}
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn faults(&self) -> Vec<String> {
        let verbs = self.verbs();
        let plurals = self.plurals(&verbs.values().flatten().copied().collect());
        let mut found: BTreeMap<String, &str> = BTreeMap::new();
        for text in &self.all {
            let faults = self.number(text, &plurals).into_iter().chain(article(text)).chain(verb(text, &verbs));
            for fault in faults.chain(impossible(text)) {
                found.entry(fault).or_insert(text);
            }
        }
        found.into_iter().map(|(fault, text)| format!("{fault}: {text}")).collect()
    }

    /// Returns the words ending in `s` that follow a number above 1 and are not verbs.
    fn plurals<'t>(&'t self, verbs: &BTreeSet<&str>) -> BTreeSet<&'t str> {
        let pairs = self.all.iter().flat_map(|text| pairs(text));
        let several = pairs.filter(|(number, _)| count(number).is_some_and(|n| n > 1)).map(|(_, word)| word);
        let is_plural = |word: &&str| {
            let singular = word.strip_suffix('s').filter(|singular| singular.len() > 1);
            let known = verbs.contains(word) || NO_PLURALS.contains(word);
            singular.is_some_and(|singular| !self.unchanged.contains(&singular)) && !known
        };
        several.filter(is_plural).collect()
    }

    /// Finds `1 units`, and `2 unit` where units are counted elsewhere.
    fn number(&self, text: &str, plurals: &BTreeSet<&str>) -> Vec<String> {
        let singular = |word: &str| plurals.contains(format!("{word}s").as_str());
        let wrong = |(number, word): &(&str, &str)| match count(number) {
            Some(1) => plurals.contains(word),
            Some(_) => singular(word),
            None => false,
        };
        // The number of `Teton Sioux 2` and `kentucky-militia 1` is a part of the name.
        let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
        let is_unit = |word: &str| word.chars().filter(|c| c.is_uppercase()).count() > 1;
        let named = |(number, word): &(&str, &str)| {
            let name = |before: &str| {
                before.contains('-')
                    || self.unchanged.contains(&before)
                    || before.trim_start_matches('^').starts_with(char::is_uppercase)
            };
            words.windows(3).any(|w| w[1] == *number && w[2].starts_with(word) && name(w[0])) && !is_unit(word)
        };
        let faults = pairs(text).filter(|pair| wrong(pair) && !named(pair));
        faults.map(|(number, word)| format!("{number} {word}")).collect()
    }

    /// Returns the subjects of sentences, with the verbs that follow them.
    fn verbs(&self) -> BTreeMap<String, BTreeSet<&str>> {
        let mut verbs: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for (subject, verb) in self.all.iter().filter_map(|text| subject_and_verb(text)) {
            verbs.entry(subject).or_default().insert(verb);
        }
        verbs
    }
}

fn pairs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let bare = |word: &str| word.chars().all(|c| c.is_alphanumeric() || "'-+".contains(c));
    let all: Vec<(&str, &str)> = words
        .windows(2)
        .map(|pair| {
            (
                pair[0].trim_start_matches(['(', '"', '“']),
                pair[1].trim_end_matches(['.', ',', ';', ':', ')', '"', '”', '?', '!']),
            )
        })
        .filter(|(one, next)| bare(one) && bare(next))
        .collect();
    all.into_iter()
}

fn count(number: &str) -> Option<u32> {
    number.parse().ok().filter(|_| !number.starts_with(['+', '0']) || number == "0")
}

/// Finds `a Ottawa` and `an Miami`.
fn article(text: &str) -> Vec<String> {
    let wrong = |(article, word): &(&str, &str)| match *article {
        "a" | "A" => vowel(word) == Some(true) && !["or", "and", "is"].contains(word),
        "an" | "An" => vowel(word) == Some(false),
        _ => false,
    };
    pairs(text).filter(wrong).map(|(article, word)| format!("{article} {word}")).collect()
}

fn vowel(word: &str) -> Option<bool> {
    let first = word.chars().next()?;
    if first.is_ascii_digit() {
        return Some(first == '8' || word == "11" || word == "18");
    }
    let spelt_out = word.len() > 1 && word.trim_end_matches('s').chars().all(|c| c.is_ascii_uppercase());
    if spelt_out {
        return Some("AEFHILMNORSX".contains(first));
    }
    let word = word.to_lowercase();
    let consonant = ["uni", "use", "usu", "one", "once", "eu", "ute"].iter().any(|start| word.starts_with(start));
    let silent = ["hour", "honest", "honour"].iter().any(|start| word.starts_with(start));
    (word.len() > 1).then(|| silent || !consonant && word.starts_with(['a', 'e', 'i', 'o', 'u']))
}

/// Returns the capitalized words at the start of a sentence, and the next one.
fn subject_and_verb(text: &str) -> Option<(String, &str)> {
    let mut words = text.split(' ');
    let named = |word: &&str| word.starts_with(|c: char| c.is_uppercase()) && word.chars().all(char::is_alphabetic);
    let subject: Vec<&str> = words.by_ref().take_while(named).collect();
    let next = text.split(' ').nth(subject.len())?.trim_end_matches(['.', ',', ':']);
    let verb = next.len() > 1 && next.chars().all(|c| c.is_ascii_lowercase());
    let names = subject.first().is_some_and(|first| !BEFORE_NOUNS.contains(first));
    (names && verb).then(|| (subject.join(" "), next))
}

/// Finds `Little Turtle move` where Little Turtle also moves.
fn verb(text: &str, verbs: &BTreeMap<String, BTreeSet<&str>>) -> Vec<String> {
    let wrong = |(subject, verb): &(String, &str)| {
        let forms = &verbs[subject];
        forms.contains(format!("{verb}s").as_str()) || forms.contains(format!("{verb}es").as_str())
    };
    subject_and_verb(text).into_iter().filter(wrong).map(|(subject, verb)| format!("{subject} {verb}")).collect()
}

/// Finds what no die can bring and no game can have: `needed -1 or less`, `2 to 2 players`, `the
/// the`.
fn impossible(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split(' ').collect();
    let negative = |w: &[&str]| {
        w[1] == "or" && w[2].trim_end_matches(['.', ',', ';']) == "less" && w[0].parse::<i32>().is_ok_and(|n| n < 0)
    };
    let same = |w: &[&str]| w[1] == "to" && w[0] == w[2] && w[0].parse::<u32>().is_ok();
    let three = words
        .windows(3)
        .filter(|w| negative(w) || same(w))
        .map(|w| w.join(" ").trim_end_matches(['.', ',', ';']).to_owned());
    let twice = words.windows(2).filter(|w| w[0] == w[1] && ["the", "a", "of", "to", "in", "and"].contains(&w[0]));
    three.chain(twice.map(|w| w.join(" "))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_of_agreement_are_found() {
        let mut texts = Texts::default();
        for text in [
            "1 units in a fort. The 2 units stay, 3 unit go.",
            "It is a Ottawa, an Miami, a NA leader, an US unit, an hour and a unit.",
            "Little Turtle move to M4.",
            "Little Turtle moves to M5.",
            "It needs -1 or less. For 2 to 2 players of the the game.",
            "1 unit, 1 Settlement and 2 Settlements are as they should be; the 8 of an 8.",
        ] {
            texts.add(text);
        }
        let faults: Vec<String> =
            texts.faults().iter().map(|fault| fault.split(": ").next().unwrap_or_default().to_owned()).collect();
        let wanted = [
            "-1 or less",
            "1 units",
            "2 to 2",
            "3 unit",
            "Little Turtle move",
            "a NA",
            "a Ottawa",
            "an Miami",
            "an US",
            "the the",
        ];
        assert_eq!(faults, wanted);
    }
}
