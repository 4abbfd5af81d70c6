//! The players that a game waits for.

use chrono::{DateTime, Utc};
use postrider_replay::Deadline;
use postrider_store::{Awaited, GameStatus};
use serde::Serialize;

/// A player that a game waits for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Waits {
    /// The player's label.
    pub who: String,
    /// The time of the question; "" if unknown.
    pub since: String,
    /// The earliest deadline; "" if there is none.
    pub until: String,
    /// `true` if that deadline has passed.
    pub overdue: bool,
}

impl Waits {
    /// Returns the players that a game waits for, by their names if `named`, else by their seats.
    pub(super) fn of(status: &GameStatus, named: bool) -> Vec<Waits> {
        let time = |at: DateTime<Utc>| at.format("%Y-%m-%d %H:%M UTC").to_string();
        let one = |awaited: &Awaited| {
            let mine = status.deadlines.iter().filter(|(seat, _)| *seat == awaited.seat);
            let first = mine.filter_map(|(_, deadline)| match deadline {
                Deadline::Until(until) => Some((*until, false)),
                Deadline::Expired(until) => Some((*until, true)),
                Deadline::Paused(_) => None,
            });
            let (until, overdue) = first.min().map_or_else(Default::default, |(at, over)| (time(at), over));
            // A player without a name is called by the letter of the seat.
            let name = Some(awaited.called.clone()).filter(|name| named && *name != awaited.seat);
            let who = name.unwrap_or_else(|| format!("seat {}", awaited.seat));
            Waits { who, since: awaited.since.map(time).unwrap_or_default(), until, overdue }
        };
        status.awaited.iter().map(one).collect()
    }
}
