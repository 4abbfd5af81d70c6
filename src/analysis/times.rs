//! The time that the game waited for each player.

use chrono::{DateTime, Utc};
use postrider_journal::{Body, Decision, Via};
use postrider_replay::Replay;
use postrider_store::Players;
use postrider_table::{PromptId, Seat};
use serde::Serialize;
use std::collections::BTreeMap;

/// The time that the game waited for one player: the total time during which at least one required
/// question was open to the seat. The game can wait for several seats at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TimeUsed {
    /// The seat.
    pub seat: String,
    /// The entry at which the player took the seat; 0 for the first player.
    pub since: u64,
    /// The time waited, in seconds.
    pub waited: i64,
    /// The part of it in which the clock of the seat stood still, in seconds: in pauses, in leave
    /// and at weekends that are off.
    pub stood: i64,
    /// The part of it that a rewind undid, in seconds.
    pub undone: i64,
    /// The longest time from a question to its answer, in seconds.
    pub longest: i64,
    /// The line of that answer, counted from 1; 0 if there is none.
    pub longest_line: u64,
    /// The time for which a question to the player is open without an answer, in seconds.
    pub open: i64,
    /// The number of answers that the player gave by mail or on the command line. As the next two,
    /// it does not count answers that a rewind undid.
    pub answers: u64,
    /// The number of answers given by standing orders.
    pub standing: u64,
    /// The number of answers given by a deadline or a bot.
    pub absent: u64,
    /// The time that is left to the seat for all its answers, in seconds, if the terms of the game
    /// give it one; only for the last player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bank: Option<i64>,
    /// The leave that the seat has taken, in seconds; only for the last player.
    pub leave: i64,
}

/// An entry of the journal.
pub struct Entry<'c> {
    pub n: u64,
    pub at: DateTime<Utc>,
    /// `true` if a later rewind undoes it.
    pub undone: bool,
    pub players: &'c Players,
}

/// Time that the game waited for a player.
struct Waited {
    /// The last line of that time.
    n: u64,
    /// The index of the player.
    whose: usize,
    seconds: i64,
    undone: bool,
}

/// The times of a journal, collected while it is read.
#[derive(Default)]
pub struct Times {
    all: Vec<TimeUsed>,
    /// The time of the last step, at which all questions that are open now were already open.
    now: Option<DateTime<Utc>>,
    /// The time at which each question was asked.
    since: BTreeMap<PromptId, DateTime<Utc>>,
    waited: Vec<Waited>,
    over: bool,
}

impl Times {
    /// Takes in a line that the replay was fed.
    pub fn hear(&mut self, entry: &Entry<'_>, body: &Body<'_>, replay: &Replay<'_>) {
        let Entry { n, at, players, .. } = *entry;
        if let Body::Opened(opened) = body {
            let seat = |seat: &postrider_journal::Text<'_>| TimeUsed { seat: seat.to_string(), ..TimeUsed::default() };
            self.all = opened.seats.iter().map(seat).collect();
        }
        match body {
            Body::Started(_) => self.now = Some(at),
            Body::Decision(decision) => {
                self.advance(entry, n, replay);
                self.answered(entry, decision);
            }
            Body::Ruling(_) => self.advance(entry, n, replay),
            // The time up to now was spent waiting for the previous player.
            Body::Reseated(reseated) => {
                self.advance(entry, n.saturating_sub(1), replay);
                let change =
                    players.changes().find(|change| change.n == n && *change.to.seat.to_string() == *reseated.seat);
                if let Some(seat) = change.map(|change| change.to.seat) {
                    self.all.push(TimeUsed { seat: seat.to_string(), since: n, ..TimeUsed::default() });
                    // The new player has had the open questions only from now on.
                    let open = replay.asked().into_iter().filter(|(_, asked)| *asked == seat);
                    self.since.extend(open.map(|(prompt, _)| (prompt, at)));
                }
            }
            Body::Rewound(rewound) => {
                self.advance(entry, n, replay);
                for waited in self.waited.iter_mut().filter(|waited| waited.n > rewound.to && !waited.undone) {
                    waited.undone = true;
                    self.all[waited.whose].undone += waited.seconds;
                }
                // Whatever is open now is asked again.
                (self.since, self.over) = (BTreeMap::new(), false);
            }
            Body::Closed(_) => {
                self.advance(entry, n, replay);
                self.over = true;
            }
            _ => {}
        }
    }

    /// Adds the time since the last step to all players for whom the game waited, and notes the
    /// open questions. Lines of the last step have all been read by now.
    fn advance(&mut self, entry: &Entry<'_>, held_at: u64, replay: &Replay<'_>) {
        let Some(before) = self.now.replace(entry.at).filter(|_| !self.over) else { return };
        let asked = replay.asked();
        self.since.retain(|prompt, _| asked.iter().any(|(open, _)| open == prompt));
        for (prompt, _) in &asked {
            self.since.entry(*prompt).or_insert(before);
        }
        let mut seats: Vec<Seat> = asked.iter().map(|(_, seat)| *seat).collect();
        seats.sort_unstable();
        seats.dedup();
        let seconds = (entry.at - before).num_seconds().max(0);
        for seat in seats {
            let Some(whose) = self.whose(seat, entry.players.since(seat, held_at)) else { continue };
            let ran = |replay: &Replay<'_>| {
                replay.deadlines().map_or(seconds, |d| d.running(seat, before.timestamp(), entry.at.timestamp()))
            };
            self.all[whose].waited += seconds;
            self.all[whose].stood += (seconds - ran(replay)).max(0);
            self.waited.push(Waited { n: entry.n, whose, seconds, undone: false });
        }
    }

    fn whose(&self, seat: Seat, since: u64) -> Option<usize> {
        let letter = seat.to_string();
        self.all.iter().position(|time| time.seat == letter && time.since == since)
    }

    fn answered(&mut self, entry: &Entry<'_>, decision: &Decision<'_>) {
        let Some(seat) = Seat::from_letter(&decision.seat) else { return };
        let Some(whose) = self.whose(seat, entry.players.since(seat, entry.n)) else { return };
        let Ok(prompt) = PromptId::try_from(decision.prompt) else { return };
        let waited = self.since.remove(&prompt).map_or(0, |since| (entry.at - since).num_seconds().max(0));
        let time = &mut self.all[whose];
        if waited > time.longest {
            (time.longest, time.longest_line) = (waited, entry.n + 1);
        }
        *match decision.via {
            Via::Mail | Via::Cli => &mut time.answers,
            Via::Standing => &mut time.standing,
            Via::Deadline | Via::Bot => &mut time.absent,
        } += u64::from(!entry.undone);
    }

    /// Returns the times of all players, up to this time, by seat.
    pub fn end(mut self, now: Option<DateTime<Utc>>, replay: &Replay<'_>, players: &Players) -> Vec<TimeUsed> {
        let Some(at) = now else { return self.all };
        let n = u64::MAX;
        self.advance(&Entry { n, at, undone: false, players }, n, replay);
        let asked = if self.over { Vec::new() } else { replay.asked() };
        for (prompt, seat) in asked {
            let open = self.since.get(&prompt).map_or(0, |since| (at - *since).num_seconds().max(0));
            if let Some(whose) = self.whose(seat, players.since(seat, n)) {
                self.all[whose].open = self.all[whose].open.max(open);
            }
        }
        for seat in (0..26).map(Seat) {
            let Some(whose) = self.whose(seat, players.since(seat, n)) else { continue };
            self.all[whose].bank = replay.deadlines().and_then(|deadlines| deadlines.bank(seat, at.timestamp()));
            self.all[whose].leave = replay.leave(seat, at.timestamp());
        }
        self.all.sort_by(|one, other| (&one.seat, one.since).cmp(&(&other.seat, other.since)));
        self.all
    }
}
