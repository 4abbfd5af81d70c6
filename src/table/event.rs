//! The inputs and outputs of a game's rules, other than questions.

use super::{PromptId, Seat};
use std::{borrow::Cow, rc::Rc};

/// One answer to one open prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision<O> {
    /// The seat that decides.
    pub seat: Seat,
    /// The ticket that it answers.
    pub prompt: PromptId,
    /// The answer.
    pub order: O,
}

/// An effect of the rules between two decisions; the office records these in the journal, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A die with the faces `low` to `high` showed `got`.
    Rolled { label: Cow<'static, str>, low: i64, high: i64, got: i64 },
    /// A deck was shuffled; `list` holds its cards in public order before the shuffle.
    Shuffled { deck: &'static str, epoch: u32, list: Vec<String> },
    /// Cards were dealt to a seat, or (`None`) to nobody.
    Dealt { deck: &'static str, epoch: u32, seat: Option<Seat>, from: usize, count: usize },
    /// A card was turned face up.
    Shown { deck: &'static str, epoch: u32, pos: usize, card: String, seat: Option<Seat> },
    /// No card of this shuffle is hidden any longer.
    Revealed { deck: &'static str, epoch: u32 },
    /// A Round begins; `state` is its public form if digests are enabled.
    Round { turn: u32, round: u32, label: String, state: Option<String> },
}

/// The audience of a line of the story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whom {
    /// Everyone, including spectators.
    All,
    /// One seat only.
    Seat(Seat),
}

/// A line of the story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Its audience.
    pub whom: Whom,
    /// The text.
    pub line: String,
    /// The heading: the Round or phase in which it was told.
    pub under: Rc<str>,
    /// The number of decisions executed before it was told.
    pub after: u32,
    /// The number of Rounds that had begun in the same step before it was told.
    pub rounds: usize,
}

/// The records that a session keeps. Replays that need only the last state keep none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Keep the story.
    pub tell: bool,
    /// Keep the events for the journal.
    pub events: bool,
    /// Create the public form of each Round, for its digest.
    pub digests: bool,
    /// Split the next step at its Round with this number, counted from 0: keep a copy of the
    /// position there, and only the events from there on.
    pub split: Option<usize>,
}

impl Watch {
    /// Everything: a live game.
    pub const ALL: Watch = Watch { tell: true, events: true, digests: true, split: None };
    /// Nothing: the fastest replay.
    pub const NONE: Watch = Watch { tell: false, events: false, digests: false, split: None };
}
