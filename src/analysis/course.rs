//! One pass through the journal: dice and their causes, for whom the game waited, what the director did.

use super::{Case, luck::Tally};
use chrono::{DateTime, TimeDelta, Utc};
use postrider_journal::{Body, Checker, Via};
use postrider_replay::{Replay, ReplayFault, index::JournalIndex};
use postrider_store::Players;
use postrider_table::{PromptId, Seat, Watch};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// For how long the game waited for a seat: all the time in which at least one question that it could not go on without
/// lay open to that seat. Several seats can be waited for at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TimeUsed {
    /// The seat.
    pub seat: String,
    /// The entry by which its player came to sit there; 0 for the first.
    pub since: u64,
    /// In seconds.
    pub waited: i64,
    /// The longest that one question lay open until it was answered, in seconds.
    pub longest: i64,
    /// The line of that answer, from 1; 0 if there was none.
    pub longest_line: u64,
    /// Answers that the player gave himself, by mail or at the command line.
    pub answers: u64,
    /// Answers that a standing order gave.
    pub standing: u64,
    /// Answers that the deadline or a bot gave.
    pub absent: u64,
}

/// Something that no player's decision made happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Intervention {
    /// Its line, from 1.
    pub line: u64,
    /// When, by the operator's clock.
    pub at: String,
    /// `ruling`, `rewind` or `player`.
    pub kind: &'static str,
    /// Who did it; "" where the journal does not say.
    pub by: String,
    /// The ruling, or the reason.
    pub text: String,
    /// What it did: the effect of a ruling as JSON, the line to which was rewound; "" for a ruling in words alone.
    pub effect: String,
    /// Whether a later rewind undid it.
    pub undone: bool,
}

/// What a pass finds.
#[derive(Default)]
pub struct Found {
    /// The dice of the play that counts.
    pub luck: Tally,
    /// By seat.
    pub time: Vec<TimeUsed>,
    /// How often a time lay before the one of the line before.
    pub clock_set_back: u64,
    /// Oldest first.
    pub interventions: Vec<Intervention>,
}

/// What is open between two lines.
#[derive(Default)]
struct Clocks {
    /// The time of the last line.
    last: Option<DateTime<Utc>>,
    /// The time of the last step, at which everything that is open now was open.
    now: Option<DateTime<Utc>>,
    /// Since when each question waits.
    since: BTreeMap<PromptId, DateTime<Utc>>,
    waited_for: BTreeSet<Seat>,
}

/// Goes through the journal up to line `upto` once more. `players` know who sat where.
pub fn through(case: &Case<'_>, upto: Option<u64>, players: &Players) -> Result<Found, ReplayFault> {
    let mut index = JournalIndex::of(case.source)?;
    for chain in case.chains.iter().flatten() {
        index.book.add(chain.clone());
    }
    let until = upto.unwrap_or(u64::MAX);
    let (rewound, mut found) = (index.undone(until), Found::default());
    let mut replay = Replay::without_digests(case.catalog, index, upto, Watch::NONE);
    let (mut checker, mut lines) = (Checker::new().for_the_position(), case.source.lines()?);
    let (mut clocks, mut causes) = (Clocks::default(), BTreeMap::new());
    while let Some(text) = lines.next_line()? {
        let checked = checker.feed(text).map_err(|fault| ReplayFault::Journal(fault.into()))?;
        if replay.is_past(&checked) {
            break;
        }
        let (n, at) = (checked.line.n, checked.line.at);
        replay.feed(&checked)?;
        if let Body::Opened(opened) = &checked.body {
            let seat = |seat: &postrider_journal::Text<'_>| TimeUsed { seat: seat.to_string(), ..TimeUsed::default() };
            found.time = opened.seats.iter().map(seat).collect();
        }
        let undone = rewound.holds(n);
        if let Some(change) = players.changes().find(|change| change.n == n) {
            let seat = change.to.seat.to_string();
            found.time.push(TimeUsed { seat, since: n, ..TimeUsed::default() });
            found.intervene("player", n, at, false, ("", &change.words(), String::new()));
        }
        let since = |seat: &str| Seat::from_letter(seat).map_or(0, |seat| players.since(seat, n));
        match &checked.body {
            Body::Ruling(ruling) => {
                let effect = Some(ruling.effect.get()).filter(|effect| *effect != "{}").unwrap_or_default();
                found.intervene("ruling", n, at, undone, (&ruling.by, &ruling.text, effect.to_owned()));
            }
            Body::Rewound(rewound) => {
                let effect = format!("back to entry {}", rewound.to);
                found.intervene("rewind", n, at, undone, (&rewound.by, &rewound.reason, effect));
            }
            _ => {}
        }
        if undone {
            continue;
        }
        if let Body::Decision(decision) = &checked.body {
            causes.insert(n, (decision.seat.to_string(), since(&decision.seat)));
        }
        if let Body::Rolled(rolled) = &checked.body {
            let player = causes.get(&checked.cause).map_or(("", 0), |(seat, since)| (seat, *since));
            for roll in &rolled.rolls {
                found.luck.roll(player, &roll.label, (roll.low, roll.high), &roll.got);
            }
        }
        let Ok(at) = DateTime::parse_from_rfc3339(at).map(|at| at.to_utc()) else { continue };
        found.clock_set_back += u64::from(clocks.last.replace(at).is_some_and(|before| at < before));
        match &checked.body {
            // What was asked before this line was asked by the step before it, whose lines are all read now.
            Body::Decision(decision) => {
                let asked = replay.asked();
                clocks.note(&asked);
                found.advance(&mut clocks, at, &|seat| players.since(seat, n));
                let since = since(&decision.seat);
                let seat = found.time.iter_mut().find(|time| time.seat == *decision.seat && time.since == since);
                if let (Some(time), Ok(prompt)) = (seat, PromptId::try_from(decision.prompt)) {
                    let waited = clocks.since.remove(&prompt).map_or(0, |since| (at - since).num_seconds().max(0));
                    if waited > time.longest {
                        (time.longest, time.longest_line) = (waited, n + 1);
                    }
                    *match decision.via {
                        Via::Mail | Via::Cli => &mut time.answers,
                        Via::Standing => &mut time.standing,
                        Via::Deadline | Via::Bot => &mut time.absent,
                    } += 1;
                }
            }
            // What was waited for until now, the player before was waited for.
            Body::Reseated(_) => {
                let asked = replay.asked();
                clocks.note(&asked);
                found.advance(&mut clocks, at, &|seat| players.since(seat, n.saturating_sub(1)));
            }
            // What lay open before it no longer does.
            Body::Rewound(_) => clocks = Clocks { last: Some(at), ..Clocks::default() },
            Body::Started(_) => {}
            _ => continue,
        }
        clocks.now = Some(at);
    }
    replay.end()?;
    found.time.sort_by(|one, other| (&one.seat, one.since).cmp(&(&other.seat, other.since)));
    Ok(found)
}

impl Clocks {
    /// These questions are open now, the new ones since the last line.
    fn note(&mut self, asked: &[(PromptId, Seat)]) {
        let Some(now) = self.now else { return };
        self.since.retain(|prompt, _| asked.iter().any(|(open, _)| open == prompt));
        for (prompt, _) in asked {
            self.since.entry(*prompt).or_insert(now);
        }
        self.waited_for = asked.iter().map(|(_, seat)| *seat).collect();
    }
}

impl Found {
    /// Time passes until a decision, or until a seat goes to another player.
    fn advance(&mut self, clocks: &mut Clocks, at: DateTime<Utc>, since: &dyn Fn(Seat) -> u64) {
        let passed = clocks.now.map_or(TimeDelta::zero(), |before| at - before).num_seconds().max(0);
        for seat in std::mem::take(&mut clocks.waited_for) {
            let (letter, since) = (seat.to_string(), since(seat));
            if let Some(time) = self.time.iter_mut().find(|time| time.seat == letter && time.since == since) {
                time.waited += passed;
            }
        }
    }

    fn intervene(&mut self, kind: &'static str, n: u64, at: &str, undone: bool, what: (&str, &str, String)) {
        let (by, text, effect) = (what.0.to_owned(), what.1.to_owned(), what.2);
        self.interventions.push(Intervention { line: n + 1, at: at.to_owned(), kind, by, text, effect, undone });
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
        let effect = Json::new(&serde_json::json!({ "points": 1 })).unwrap();
        let ruling = Ruling { by: "director".into(), text: "A gets a point".into(), effect };
        played.write(&Body::Ruling(ruling));
        played.rewind(to);
        while played.decide() {}
        let (source, catalog) = (played.source(), raffle::catalog());
        let case = |upto| Case {
            source: &source,
            catalog: &catalog,
            chains: Some(played.chains.clone()),
            upto,
            rollouts: 1,
            bot: None,
            seed: 1,
            limit: 100,
        };
        let found = through(&case(None), None, &Players::default()).unwrap();
        let told: Vec<_> =
            found.interventions.iter().map(|one| (one.kind, &*one.text, &*one.effect, one.undone)).collect();
        let back = format!("back to entry {to}");
        assert_eq!(told, [("ruling", "A gets a point", "{\"points\":1}", true), ("rewind", "a slip", &back, false)]);
        // The undone decision rolled a prize; it is not among the dice that count.
        let prizes = |text: &[u8]| String::from_utf8_lossy(text).matches("[\"prize\",").count() as u64;
        let counted: u64 = (found.luck.by_seat(&["A".into(), "B".into()]).iter())
            .filter_map(|luck| luck.kinds.get("prize"))
            .map(|sum| sum.count)
            .sum();
        assert!(counted < prizes(&played.bytes), "{counted}");
    }
}
