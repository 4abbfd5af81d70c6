//! The clauses of a standing order: `evade if outnumbered 2 to 1`, `otherwise stand`,
//! `until turn 6`, `stop if vps at least 20`.

use postrider_orders::Phrase;

/// A clause of a standing order, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause {
    /// An order, optionally with a condition.
    Order {
        /// The words of the order.
        order: String,
        /// The words of the condition, and `true` if it is negated (`unless`).
        condition: Option<(String, bool)>,
    },
    /// `until turn 6`: the order ends when this Turn begins.
    Until(u32),
    /// `stop if …`: the words of the condition that ends the order.
    Stop(String),
    /// `even if …`, `whatever happens`: the words of an event that does not end the order; empty
    /// for any event.
    EvenIf(String),
}

impl Clause {
    /// Reads the clauses of a text without semicolons. An order may be followed by its end
    /// (`until …`).
    pub fn read(text: &str) -> Vec<Clause> {
        let phrase = Phrase::new(text);
        let words: Vec<&str> = phrase.words().iter().map(|word| word.text.as_str()).collect();
        if let ["stop" | "end", "if" | "when", ..] = words[..] {
            return vec![Clause::Stop(phrase.part(2..words.len()).text().to_owned())];
        }
        if let Some(words) = even_if(&phrase) {
            return vec![Clause::EvenIf(words)];
        }
        let (end, until) = until(&words);
        let start = usize::from(matches!(words.first(), Some(&("otherwise" | "else"))));
        let mut all = Vec::new();
        if end > start {
            all.push(order(&phrase.part(start..end)));
        }
        all.extend(until.map(Clause::Until));
        all
    }
}

/// Returns the words after `even if`, or "" for `whatever happens`.
pub fn even_if(phrase: &Phrase) -> Option<String> {
    let words: Vec<&str> = phrase.words().iter().map(|word| word.text.as_str()).collect();
    match words[..] {
        ["whatever", "happens"] | ["go", "on", "whatever", "happens"] => Some(String::new()),
        ["even", "if", _, ..] => Some(phrase.part(2..words.len()).text().to_owned()),
        _ => None,
    }
}

/// Returns the number of words before `until …`, and the Turn at whose beginning the standing order
/// ends.
fn until(words: &[&str]) -> (usize, Option<u32>) {
    let at = words.len().saturating_sub(3);
    match words[at..] {
        [until @ ("until" | "till" | "through"), "turn", turn] => match turn.parse::<u32>() {
            Ok(turn) => (at, Some(if until == "through" { turn.saturating_add(1) } else { turn })),
            Err(_) => (words.len(), None),
        },
        _ => (words.len(), None),
    }
}

fn order(phrase: &Phrase) -> Clause {
    let words = phrase.words();
    // The first word always belongs to the order.
    let joint = words.iter().skip(1).position(|word| ["if", "when", "unless"].contains(&word.text.as_str()));
    let (order, condition) = match joint {
        Some(at) => {
            let condition = phrase.part(at + 2..words.len()).text().to_owned();
            (phrase.part(0..at + 1), Some((condition, words[at + 1].text == "unless")))
        }
        None => (phrase.clone(), None),
    };
    Clause::Order { order: order.text().to_owned(), condition }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(order: &str, condition: Option<(&str, bool)>) -> Clause {
        let condition = condition.map(|(words, unless)| (words.to_owned(), unless));
        Clause::Order { order: order.to_owned(), condition }
    }

    #[test]
    fn clauses_are_told_apart() {
        for (text, expected) in [
            ("evade if outnumbered 2 to 1", vec![order("evade", Some(("outnumbered 2 to 1", false)))]),
            ("Stand unless chance at least 40 %", vec![order("Stand", Some(("chance at least 40", true)))]),
            ("otherwise stand", vec![order("stand", None)]),
            ("until turn 6", vec![Clause::Until(6)]),
            ("Nebraska through Turn 3.", vec![order("Nebraska", None), Clause::Until(4)]),
            ("stop if vps at least 20", vec![Clause::Stop("vps at least 20".to_owned())]),
            ("Even if enemy beside, ambush", vec![Clause::EvenIf("enemy beside, ambush".to_owned())]),
            ("whatever happens", vec![Clause::EvenIf(String::new())]),
            ("go until dusk", vec![order("go until dusk", None)]),
            ("  ", vec![]),
            ("if", vec![order("if", None)]),
            ("evade if", vec![order("evade", Some(("", false)))]),
        ] {
            assert_eq!(Clause::read(text), expected, "{text}");
        }
    }
}
