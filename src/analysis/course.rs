//! One pass through the journal: the dice and who caused them, the time waited for each seat, and
//! the director's actions.

use super::{
    interventions::{Intervention, Interventions},
    luck::Tally,
    times::{Entry, TimeUsed, Times},
};
use chrono::{DateTime, Utc};
use postrider_dice::SeedChain;
use postrider_journal::{Body, Checked, ClockEvent, unix};
use postrider_replay::{
    Catalog, Deadline, Moment, Projection, Replay, ReplayFault, Source,
    index::{JournalIndex, Undone},
};
use postrider_store::Players;
use postrider_table::{PromptId, Seat};
use std::collections::BTreeMap;

/// The clock, deadline and order of an answer or of a passed deadline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waited {
    /// The seconds for which the clock of the seat had run since the question was asked; `None` for
    /// a further answer to it.
    pub seconds: Option<i64>,
    /// The deadline; `None` if there was none, or if the clock was stopped.
    pub deadline: Option<DateTime<Utc>>,
    /// The order in words; `None` for a deadline.
    pub order: Option<String>,
}

/// A journal to pass through.
pub struct Course<'c> {
    /// The journal.
    pub source: &'c Source,
    /// The rulesets and components.
    pub catalog: &'c Catalog,
    /// The operator's seed chains, if they are known.
    pub chains: &'c [SeedChain],
    /// The moment at which the pass ends; `None` for the present.
    pub at: Option<&'c Moment>,
    /// The time up to which open questions are counted; without it, that of the last line. Only
    /// used with all lines.
    pub now: Option<DateTime<Utc>>,
    /// The player of each seat at each line.
    pub players: &'c Players,
}

/// The results of a pass.
#[derive(Default)]
pub struct Found {
    /// The dice, without those of undone lines.
    pub luck: Tally,
    /// The time used, by seat and player.
    pub time: Vec<TimeUsed>,
    /// The number of lines whose time is earlier than that of the line before.
    pub clock_set_back: u64,
    /// The interventions, oldest first.
    pub interventions: Vec<Intervention>,
    /// The clock of each answer and each passed deadline, by its line, including undone ones.
    pub waited: BTreeMap<u64, Waited>,
}

/// A die of the record.
struct Die {
    label: String,
    faces: (i64, i64),
    got: i64,
}

/// A pass that is under way.
struct Pass<'c> {
    course: &'c Course<'c>,
    undone: Undone,
    /// The decisions that can cause dice, each with its seat and the entry at which the player took
    /// the seat.
    causes: BTreeMap<u64, (String, u64)>,
    /// The dice so far that are not undone, each with the line that caused its step.
    dice: Vec<(u64, Die)>,
    last: Option<DateTime<Utc>>,
    times: Times,
    interventions: Interventions,
    found: Found,
}

impl Course<'_> {
    /// Reads the journal.
    ///
    /// # Errors
    /// Returns a [`ReplayFault`] if it cannot be replayed.
    pub fn read(&self) -> Result<Found, ReplayFault> {
        let upto = self.at.map(|at| at.n);
        let undone = JournalIndex::of(self.source)?.undone(upto.unwrap_or(u64::MAX));
        let mut pass = Pass {
            course: self,
            undone,
            causes: BTreeMap::new(),
            dice: Vec::new(),
            last: None,
            times: Times::default(),
            interventions: Interventions::default(),
            found: Found::default(),
        };
        // Undone time counts too, because players waited during it.
        let mut replay = Replay::of_all(self.source, self.catalog, self.chains, upto)?;
        let replayed = replay.run(self.source, &mut |checked, replay| {
            let stands = !pass.undone.holds(checked.line.n);
            pass.interventions.apply(checked, !stands);
            if stands {
                pass.dice(checked);
            }
            let Some(replay) = replay else { return };
            pass.time(checked, replay);
            pass.waited(checked, replay);
            if let (true, Body::Rewound(rewound)) = (stands, &checked.body)
                && let Some(dice) = replay.dice_before(rewound)
            {
                pass.undo_dice(rewound.behind(), dice);
            }
        });
        if let Some(within) = self.at.and_then(|at| at.within) {
            pass.undo_dice(within.first, within.dice);
        }
        let now = match replayed {
            Ok(()) | Err(ReplayFault::Incomplete { .. }) => self.now.filter(|_| upto.is_none()).or(pass.last),
            // Undone lines can depend on cards that stay hidden, so it is unknown for whom the game
            // has waited since.
            Err(ReplayFault::Hidden { .. }) => pass.last,
            Err(why) => return Err(why),
        };
        let mut found = Found { interventions: pass.interventions.among(self.players), ..pass.found };
        for (cause, Die { label, faces, got }) in &pass.dice {
            let player = pass.causes.get(cause).map_or(("", 0), |(seat, since)| (seat, *since));
            found.luck.roll(player, label, *faces, &[*got]);
        }
        found.time = pass.times.end(now, &replay, self.players);
        Ok(found)
    }
}

impl Pass<'_> {
    /// Drops the dice of a step after the first `stand`: they fell after the Round from which the
    /// step is played again.
    fn undo_dice(&mut self, cause: u64, stand: usize) {
        let mut dice = 0;
        self.dice.retain(|(of, _)| {
            dice += usize::from(*of == cause);
            *of != cause || dice <= stand
        });
    }

    /// Notes the dice of a line that is not undone.
    fn dice(&mut self, checked: &Checked<'_>) {
        match &checked.body {
            Body::Decision(decision) => {
                let since = Seat::from_letter(&decision.seat);
                let since = since.map_or(0, |seat| self.course.players.since(seat, checked.line.n));
                self.causes.insert(checked.line.n, (decision.seat.to_string(), since));
            }
            Body::Rolled(rolled) => {
                for roll in &rolled.rolls {
                    let die = |&got| Die { label: roll.label.to_string(), faces: (roll.low, roll.high), got };
                    self.dice.extend(roll.got.iter().map(die).map(|die| (checked.cause, die)));
                }
            }
            _ => {}
        }
    }

    /// Notes how long a question was open, for its answer or the end of its time.
    fn waited(&mut self, checked: &Checked<'_>, replay: &Replay<'_>) {
        let (prompt, seat, order) = match &checked.body {
            Body::Decision(decision) => (decision.prompt, &decision.seat, Some(decision.order.get())),
            Body::Clock(clock) if clock.event == ClockEvent::Expired => (clock.prompt, &clock.seat, None),
            _ => return,
        };
        let (Ok(prompt), Some(seat)) = (PromptId::try_from(prompt), Seat::from_letter(seat)) else { return };
        let deadlines = replay.deadlines();
        // A question that a seat may answer again and again waits only for the first answer.
        let opened = deadlines.and_then(|deadlines| deadlines.asked_since(prompt));
        let open = deadlines.zip(opened).zip(unix(checked.line.at));
        let seconds = open.map(|((deadlines, since), at)| deadlines.running(seat, since.timestamp(), at));
        let deadline = match deadlines.and_then(|deadlines| deadlines.deadline(prompt)) {
            Some(Deadline::Until(until) | Deadline::Expired(until)) => Some(until),
            Some(Deadline::Paused(_)) | None => None,
        };
        let order = order.and_then(|order| replay.say(prompt, order));
        self.found.waited.insert(checked.line.n, Waited { seconds, deadline, order });
    }

    fn time(&mut self, checked: &Checked<'_>, replay: &Replay<'_>) {
        let Ok(at) = DateTime::parse_from_rfc3339(checked.line.at).map(|at| at.to_utc()) else { return };
        self.found.clock_set_back += u64::from(self.last.replace(at).is_some_and(|before| at < before));
        let undone = self.undone.holds(checked.line.n);
        let entry = Entry { n: checked.line.n, at, undone, players: self.course.players };
        self.times.hear(&entry, &checked.body, replay);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use postrider_journal::{Json, Ruling};
    use postrider_test_games::raffle::{self, Played};

    #[test]
    fn what_the_director_did_is_listed() {
        let mut played = Played::begin();
        let to = played.live.head.n;
        played.decide();
        let ruling = Ruling::new("host", "A shall hurry", Json::empty());
        played.write(&Body::Ruling(ruling));
        played.rewind(to);
        while played.decide() {}
        let (source, catalog) = (played.source(), raffle::catalog());
        let (players, chains) = (Players::default(), &played.chains);
        let course = Course { source: &source, catalog: &catalog, chains, at: None, now: None, players: &players };
        let found = course.read().unwrap();
        let told: Vec<_> =
            found.interventions.iter().map(|one| (one.kind, &*one.text, &*one.effect, one.undone)).collect();
        let back = format!("back to entry {to}");
        assert_eq!(told, [("ruling", "A shall hurry", "", true), ("rewind", "a slip", &back, false)]);
        // The undone decision rolled for a prize, which must not be counted.
        let prizes = |text: &[u8]| String::from_utf8_lossy(text).matches("[\"prize\",").count() as u64;
        let counted: u64 = (found.luck.by_seat(&["A".into(), "B".into()]).iter())
            .filter_map(|luck| luck.kinds.get("prize"))
            .map(|sum| sum.count)
            .sum();
        assert!(counted < prizes(&played.bytes), "{counted}");
    }
}
