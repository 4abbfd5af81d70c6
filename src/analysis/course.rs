//! One pass through the journal: the dice and who caused them, the time waited for each seat, and
//! the director's actions.

use super::{Case, luck::Tally};
use chrono::{DateTime, TimeDelta, Utc};
use postrider_journal::{Body, Checker, Via};
use postrider_replay::{Replay, ReplayFault, index::JournalIndex};
use postrider_store::Players;
use postrider_table::{PromptId, Seat, Watch};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

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
    /// The longest time from a question to its answer, in seconds.
    pub longest: i64,
    /// The line of that answer, counted from 1; 0 if there is none.
    pub longest_line: u64,
    /// The time for which a question to the player is open without an answer, in seconds.
    pub open: i64,
    /// The number of answers that the player gave by mail or on the command line.
    pub answers: u64,
    /// The number of answers given by standing orders.
    pub standing: u64,
    /// The number of answers given by a deadline or a bot.
    pub absent: u64,
}

/// An event that no player's decision caused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Intervention {
    /// Its line, counted from 1.
    pub line: u64,
    /// Its time by the operator's clock (RFC 3339).
    pub at: String,
    /// `ruling`, `rewind` or `player`.
    pub kind: &'static str,
    /// The author; "" if the journal does not name one.
    pub by: String,
    /// The text of the ruling, or the reason.
    pub text: String,
    /// The effect of a ruling as JSON, or the entry to which the game was rewound; "" for a ruling
    /// without an effect.
    pub effect: String,
    /// `true` if a later rewind undid it.
    pub undone: bool,
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
}

/// The open questions between two lines, with their times.
#[derive(Default)]
struct Clocks {
    /// The time of the last line.
    last: Option<DateTime<Utc>>,
    /// The time of the last step, at which all questions that are open now were already open.
    now: Option<DateTime<Utc>>,
    /// The time at which each question was asked.
    since: BTreeMap<PromptId, DateTime<Utc>>,
    waited_for: BTreeSet<Seat>,
}

/// Reads the journal once more, up to line `upto`. `players` gives the player of each seat at each
/// line.
pub fn through(case: &Case<'_>, upto: Option<u64>, players: &Players) -> Result<Found, ReplayFault> {
    let mut index = JournalIndex::of(case.source)?;
    for chain in case.chains.iter().flatten() {
        index.book.add(chain.clone());
    }
    let until = upto.unwrap_or(u64::MAX);
    let (rewound, mut found) = (index.undone(until), Found::default());
    let mut replay = Replay::without_digests(case.catalog, index, upto, Watch::NONE);
    let (mut checker, mut lines) = (Checker::new().for_the_position(), case.source.lines()?);
    let (mut clocks, mut causes, mut over) = (Clocks::default(), BTreeMap::new(), false);
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
        over |= matches!(checked.body, Body::Closed(_));
        over &= !matches!(checked.body, Body::Rewound(_));
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
            // These questions were asked by the step before this line; all lines of that step have
            // now been read.
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
            // The time up to now was spent waiting for the previous player.
            Body::Reseated(_) => {
                let asked = replay.asked();
                clocks.note(&asked);
                found.advance(&mut clocks, at, &|seat| players.since(seat, n.saturating_sub(1)));
            }
            // A rewind closes all questions that were open.
            Body::Rewound(_) => clocks = Clocks { last: Some(at), ..Clocks::default() },
            Body::Started(_) => {}
            _ => continue,
        }
        clocks.now = Some(at);
    }
    replay.end()?;
    // The questions that are still open.
    let asked = if over { Vec::new() } else { replay.asked() };
    clocks.note(&asked);
    if let Some(end) = case.now.filter(|_| upto.is_none()).or(clocks.last) {
        for (prompt, seat) in &asked {
            let open = clocks.since.get(prompt).map_or(0, |since| (end - since).num_seconds().max(0));
            let (letter, since) = (seat.to_string(), players.since(*seat, u64::MAX));
            if let Some(time) = found.time.iter_mut().find(|time| time.seat == letter && time.since == since) {
                time.open = time.open.max(open);
            }
        }
        found.advance(&mut clocks, end, &|seat| players.since(seat, u64::MAX));
    }
    found.time.sort_by(|one, other| (&one.seat, one.since).cmp(&(&other.seat, other.since)));
    Ok(found)
}

impl Clocks {
    /// Records the open questions; those that are new have been open since the last step.
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
    /// Adds the time since the last step to every seat that the game waited for.
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
            now: None,
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
        // The undone decision rolled for a prize, which must not be counted.
        let prizes = |text: &[u8]| String::from_utf8_lossy(text).matches("[\"prize\",").count() as u64;
        let counted: u64 = (found.luck.by_seat(&["A".into(), "B".into()]).iter())
            .filter_map(|luck| luck.kinds.get("prize"))
            .map(|sum| sum.count)
            .sum();
        assert!(counted < prizes(&played.bytes), "{counted}");
    }
}
