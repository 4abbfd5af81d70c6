//! Places in a journal that people speak of: its story, its Rounds, the beginning of play, the answer to a question.

use crate::{
    dice::Hash,
    journal::Body,
    table::{PromptId, Told},
};

/// One line of the story and the journal line whose step told it.
#[derive(Clone, Debug)]
pub struct StoryLine {
    /// n of the decision (or of `started`) that made it happen.
    pub n: u64,
    /// The line.
    pub told: Told,
}

/// A Round (or phase) and where the journal marks its beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundMark {
    /// n of the `round` line.
    pub n: u64,
    /// The Turn.
    pub turn: u64,
    /// The Round of the Turn; 0 for a phase that has none.
    pub round: u64,
    /// What people call it.
    pub label: String,
}

/// The beginning of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begun {
    /// n of the `started` line.
    pub n: u64,
    /// The luck of the game, which goes into every seed.
    pub luck: Hash,
}

/// The question that an order answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answered<'g> {
    /// Its number.
    pub prompt: PromptId,
    /// Its kind.
    pub kind: &'g str,
    /// The number of the first question that could follow from the order.
    pub asks_from: PromptId,
}

/// Turn and Round in words, by the marks so far.
pub(crate) fn place(marks: &[RoundMark]) -> String {
    match marks.last() {
        None => "Before the first Turn".to_owned(),
        Some(mark) if mark.round > 0 => format!("Turn {}, Round {}", mark.turn, mark.round),
        Some(mark) if mark.label.starts_with("Turn") => mark.label.clone(),
        Some(mark) => format!("Turn {}, {}", mark.turn, mark.label),
    }
}

pub(crate) fn mark(n: u64, body: &Body<'_>) -> Option<RoundMark> {
    match body {
        Body::Round(r) => Some(RoundMark { n, turn: r.turn, round: r.round, label: r.label.to_string() }),
        _ => None,
    }
}
