//! Named places in a journal: the lines of the story, the Rounds, the beginning of play, the answer
//! to a question.

use postrider_dice::Hash;
use postrider_journal::Body;
use postrider_table::{PromptId, Told};

/// A line of the story with the journal line whose step told it.
#[derive(Clone, Debug)]
pub struct StoryLine {
    /// The `n` of the line that caused the step, such as a decision or `started`.
    pub n: u64,
    /// The text.
    pub told: Told,
}

/// The beginning of a Round or phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundMark {
    /// The `n` of the `round` line.
    pub n: u64,
    /// The Turn; 0 before the first Turn and in games without Turns.
    pub turn: u64,
    /// The Round of the Turn; 0 for a phase without one.
    pub round: u64,
    /// The printed label.
    pub label: String,
}

/// The beginning of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begun {
    /// The `n` of the `started` line.
    pub n: u64,
    /// The digest of the luck phrases, which is part of every seed.
    pub luck: Hash,
}

/// The question answered by an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answered<'g> {
    /// Its number.
    pub prompt: PromptId,
    /// Its kind.
    pub kind: &'g str,
    /// The number of the first question that could follow from the order.
    pub asks_from: PromptId,
}

/// Returns the name of the current moment, given the marks so far: the label that the story prints
/// above it, with the Turn if the label does not begin with it.
pub fn called(marks: &[RoundMark]) -> String {
    match marks.last() {
        None => "Before the first Turn".to_owned(),
        // A game without Turns, or a phase before the first Turn.
        Some(mark) if mark.turn == 0 || mark.label.starts_with("Turn") => mark.label.clone(),
        Some(mark) => format!("Turn {}, {}", mark.turn, mark.label),
    }
}

pub fn mark(n: u64, body: &Body<'_>) -> Option<RoundMark> {
    match body {
        Body::Round(r) => Some(RoundMark { n, turn: r.turn, round: r.round, label: r.label.to_string() }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_called_by_its_label() {
        let called =
            |turn, round, label: &str| super::called(&[RoundMark { n: 9, turn, round, label: label.to_owned() }]);
        assert_eq!(called(8, 4, "Turn 8, disc 4: Enemies"), "Turn 8, disc 4: Enemies");
        assert_eq!(called(2, 0, "Winter 1791: actions"), "Turn 2, Winter 1791: actions");
        assert_eq!(called(0, 19, "Round 9"), "Round 9");
        assert_eq!(super::called(&[]), "Before the first Turn");
    }
}
