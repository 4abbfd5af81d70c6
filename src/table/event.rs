//! What goes into the rules of a game and what comes out of them, apart from questions.

use super::{PromptId, Seat};
use std::{borrow::Cow, rc::Rc};

/// One answer to one open prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision<O> {
    /// Who decides.
    pub seat: Seat,
    /// The ticket that is answered.
    pub prompt: PromptId,
    /// The answer.
    pub order: O,
}

/// What rules did to the world between two decisions, in order; the office writes it into the journal.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A die from `low` to `high` fell on `got`.
    Rolled { label: Cow<'static, str>, low: i64, high: i64, got: i64 },
    /// A deck was shuffled; `list` is its public order before.
    Shuffled { deck: &'static str, epoch: u32, list: Vec<String> },
    /// Cards went to a seat, or (`None`) to nobody.
    Dealt { deck: &'static str, epoch: u32, seat: Option<Seat>, from: usize, count: usize },
    /// A card was turned up.
    Shown { deck: &'static str, epoch: u32, pos: usize, card: String, seat: Option<Seat> },
    /// No card of this shuffle is hidden any more.
    Revealed { deck: &'static str, epoch: u32 },
    /// A Round begins; `state` is its [public form](Game::public) (when digests are wanted).
    Round { turn: u32, round: u32, label: String, state: Option<String> },
}

/// To whom a line is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whom {
    /// Everybody, spectators included.
    All,
    /// One seat alone.
    Seat(Seat),
}

/// One line of the story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Who may read it.
    pub whom: Whom,
    /// The line itself.
    pub line: String,
    /// The Round or phase under which it stands.
    pub under: Rc<str>,
    /// How many decisions had been taken when it was told.
    pub after: u32,
}

/// How much a session keeps of what it sees. Replays that only want the last state keep nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Keep the story.
    pub tell: bool,
    /// Keep the events for the journal.
    pub events: bool,
    /// Make what a spectator sees at each Round, for the digest.
    pub digests: bool,
}

impl Watch {
    /// Everything: a live game.
    pub const ALL: Watch = Watch { tell: true, events: true, digests: true };
    /// Nothing: the fastest replay.
    pub const NONE: Watch = Watch { tell: false, events: false, digests: false };
}
