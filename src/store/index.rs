//! What is known of every game without opening it: an index, never the truth.
//!
//! A row is made of a game's journal and secrets, is written when a command gives its [lease](super::Lease) back, and can be made
//! again at any time. A row that does not fit the size and time of what it was made of is none.

use super::players::Players;
use postrider_dice::Hash;
use postrider_replay::{Deadline, LiveGame};
use postrider_table::{Rejected, Seat};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How a game stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameStatus {
    /// The name of its rules.
    pub ruleset: String,
    /// Turn and Round, as people call them.
    pub moment: String,
    /// How many lines its journal has.
    pub lines: u64,
    /// The hash of the last of them.
    #[serde(default)]
    pub head: Option<Hash>,
    /// Whether it is over.
    pub closed: bool,
    /// How it ended by its rules, in a sentence.
    #[serde(default)]
    pub outcome: Option<String>,
    /// Whom it waits for; before it begins, who has not joined.
    pub awaited: Vec<Awaited>,
    /// Whether it has deadlines and, if so, whether they stand still.
    pub paused: Option<bool>,
    /// The deadlines of all that it waits for.
    pub deadlines: Vec<(String, Deadline)>,
    /// When something is to be done about a deadline next, in seconds since 1970.
    pub due: Option<i64>,
}

/// Somebody that a game waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Awaited {
    /// His seat, as the journal names it.
    pub seat: String,
    /// What he is called.
    pub called: String,
}

impl GameStatus {
    /// How a game stands that was rebuilt; without what its secrets say.
    ///
    /// # Errors
    /// When its rules cannot be asked.
    pub fn of(live: &mut LiveGame, players: &Players) -> Result<GameStatus, Rejected> {
        let asked = match &mut live.dyn_game {
            Some(dyn_game) if !live.closed => dyn_game.asked()?,
            _ => Vec::new(),
        };
        let required: Vec<_> = asked.iter().filter(|asked| asked.required).collect();
        let awaited: BTreeSet<Seat> = match live.started.is_some() {
            _ if live.closed => BTreeSet::new(),
            true => required.iter().map(|asked| asked.seat).collect(),
            false => (0..).map(Seat).zip(&live.joined).filter(|(_, joined)| joined.is_none()).map(|(s, _)| s).collect(),
        };
        let named = |&seat: &Seat| Awaited { seat: live.seat_name(seat).to_owned(), called: players.called(seat) };
        let deadline = |seat, id| Some((live.seat_name(seat).to_owned(), live.deadlines.deadline(id)?));
        Ok(GameStatus {
            ruleset: live.opened.ruleset.name().to_owned(),
            moment: match live.marks.last() {
                Some(mark) => mark.label.clone(),
                None if live.started.is_some() => "just begun".to_owned(),
                None => "not begun".to_owned(),
            },
            lines: live.head.n + 1,
            head: Some(live.head.hash),
            closed: live.closed,
            outcome: live.outcome().map(|outcome| outcome.in_words(|seat| players.called(seat))),
            awaited: awaited.iter().map(named).collect(),
            paused: live.deadlines.terms().map(|_| live.deadlines.paused()),
            deadlines: required.iter().filter_map(|asked| deadline(asked.seat, asked.id)).collect(),
            due: required.iter().filter_map(|asked| live.deadlines.next_due(asked.id)).min(),
        })
    }
}
