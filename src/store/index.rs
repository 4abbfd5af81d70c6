//! The index of games: data known without opening a game, never authoritative.
//!
//! A row is made from a game's journal and secrets, is written when a command releases its
//! [lease](super::Lease), and can be made again at any time. A row that does not match its sources
//! is ignored.

use super::players::Players;
use chrono::{DateTime, Utc};
use postrider_dice::Hash;
use postrider_journal::Ended;
use postrider_replay::{Deadline, LiveGame};
use postrider_table::{Rejected, Seat};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The status of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameStatus {
    /// The ruleset's name.
    pub ruleset: String,
    /// The label of the Turn and Round.
    pub moment: String,
    /// The number of lines in its journal.
    pub lines: u64,
    /// The hash of the last line.
    #[serde(default)]
    pub head: Option<Hash>,
    /// `true` if it is over.
    pub closed: bool,
    /// The outcome, in a sentence.
    #[serde(default)]
    pub outcome: Option<String>,
    /// The way in which it ended.
    #[serde(default)]
    pub ended: Option<Ended>,
    /// The players it waits for; before it begins, those who have not joined.
    pub awaited: Vec<Awaited>,
    /// The players who have declined their invitations, until others have their seats.
    #[serde(default)]
    pub declined: Vec<Awaited>,
    /// The number of seats that anyone may take.
    #[serde(default)]
    pub open_seats: usize,
    /// The appeals that no ruling has answered: the entry, and the label of the player.
    #[serde(default)]
    pub appeals: Vec<(u64, String)>,
    /// `true` if its deadlines are paused; `None` if it has no deadlines.
    pub paused: Option<bool>,
    /// The deadlines of all required questions, by seat.
    pub deadlines: Vec<(String, Deadline)>,
    /// The time of the next event of a deadline, in seconds since 1970.
    pub due: Option<i64>,
}

/// A player that a game waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Awaited {
    /// The seat, as the journal names it.
    pub seat: String,
    /// The player's label.
    pub called: String,
    /// The time at which the first question that waits for the player was asked.
    #[serde(default)]
    pub since: Option<DateTime<Utc>>,
}

impl GameStatus {
    /// Returns the status of a rebuilt game.
    ///
    /// # Errors
    /// Returns an error if its rules cannot list the open questions.
    pub fn of(live: &LiveGame, players: &Players) -> Result<GameStatus, Rejected> {
        let asked = match &live.dyn_game {
            Some(dyn_game) if !live.closed => dyn_game.asked()?,
            _ => Vec::new(),
        };
        let required: Vec<_> = asked.iter().filter(|asked| asked.required).collect();
        let awaited: BTreeSet<Seat> = match live.started.is_some() {
            _ if live.closed => BTreeSet::new(),
            true => required.iter().map(|asked| asked.seat).collect(),
            false => (0..).map(Seat).zip(&live.joined).filter(|(_, joined)| joined.is_none()).map(|(s, _)| s).collect(),
        };
        let called = |seat: &str| live.seat(seat).map_or_else(|| seat.to_owned(), |seat| players.called(seat));
        let since = |seat| {
            let mine = required.iter().filter(|asked| asked.seat == seat);
            mine.filter_map(|asked| live.deadlines.asked_since(asked.id)).min()
        };
        let named = |&seat: &Seat| Awaited {
            seat: live.seat_name(seat).to_owned(),
            called: players.called(seat),
            since: since(seat),
        };
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
            ended: live.motions.ended(),
            awaited: awaited.iter().map(named).collect(),
            declined: Vec::new(),
            open_seats: players.players.iter().filter(|player| player.is_open() && !live.closed).count(),
            appeals: live.motions.directors().open_appeals().map(|(n, seat)| (n, called(seat))).collect(),
            paused: live.deadlines.terms().map(|_| live.deadlines.paused()),
            deadlines: required.iter().filter_map(|asked| deadline(asked.seat, asked.id)).collect(),
            due: required.iter().filter_map(|asked| live.deadlines.next_due(asked.id)).min(),
        })
    }
}
