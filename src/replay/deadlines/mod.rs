//! Deadlines for answers.
//!
//! All of them follow from the journal. [`Deadlines`] receives its lines, both live and in a
//! replay. The clock of a seat runs while the game waits for the seat, and is stopped in a pause,
//! in leave and at the weekends of the terms. This module reads no clock. The office, which does,
//! writes a `clock` line when something is due. So nothing becomes due twice, even if that clock is
//! changed.

mod stops;
mod terms;
mod words;

use self::stops::Stops;
pub(crate) use self::words::exact;
pub use self::{
    terms::{Allowance, AtFlag, Bank, LONGEST, Terms, TermsError, duration, span},
    words::{brief_moment, moment},
};
use crate::Zone;
use chrono::{DateTime, TimeDelta, Utc};
use postrider_journal::{ClockEvent, unix};
use postrider_table::{PromptId, Seat};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A change to a deadline, for letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    Clock(ClockEvent),
    /// A ruling moved it to this time (seconds since 1970), for this reason.
    Moved(i64, String),
    /// Less than a quarter of the bank is left: this number of seconds.
    Low(i64),
    /// The question was answered at this time (seconds since 1970), after its deadline.
    Late(i64),
}

#[derive(Clone, Debug)]
pub struct Event {
    pub n: u64,
    pub prompt: PromptId,
    pub seat: Seat,
    pub what: What,
    /// The deadline of the question just before, if there was one and its clock ran.
    pub until: Option<DateTime<Utc>>,
}

impl Event {
    pub(super) fn new(n: u64, prompt: PromptId, seat: Seat, what: What) -> Event {
        Event { n, prompt, seat, what, until: None }
    }
}

/// The time that a seat has for a question. With a bank, all questions of a seat share it; without
/// one, questions of one kind that it answers one after the other before anything is drawn.
#[derive(Clone, Copy, Debug)]
struct Span {
    seat: Seat,
    kind: &'static str,
    /// The time since which it counts, in seconds since 1970.
    from: i64,
    /// For how many seconds the clock of the seat can run.
    allowance: i64,
    reminded: bool,
    expired: bool,
}

impl Span {
    fn new(seat: Seat, kind: &'static str, from: i64, allowance: i64) -> Span {
        Span { seat, kind, from, allowance, reminded: false, expired: false }
    }

    /// Returns how much of the time is left, in seconds.
    fn left(&self, stops: &Stops, now: i64) -> i64 {
        (self.allowance - stops.running(self.seat, self.from, now)).max(0)
    }
}

/// The state of a question's deadline. The most urgent state is the least in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Deadline {
    /// The deadline was at this time, and a `clock` line says that it has passed.
    Expired(DateTime<Utc>),
    /// The deadline is at this time.
    Until(DateTime<Utc>),
    /// The clock is stopped, because the game is paused or the letter has not left, with this many
    /// seconds left.
    Paused(i64),
}

/// The deadlines of a game, derived from its journal.
#[derive(Clone, Debug, Default)]
pub struct Deadlines {
    pub terms: Option<Terms>,
    /// The required questions that are open, in a game with deadlines.
    spans: BTreeMap<PromptId, Span>,
    /// The time left to each seat that the game does not wait for, in seconds, if there is a bank.
    banks: BTreeMap<Seat, i64>,
    /// The seats that were told that their bank is low.
    low: BTreeSet<Seat>,
    /// The time at which each question was asked, in seconds since 1970; also kept in games without
    /// deadlines. Some may have been withdrawn since.
    asked: BTreeMap<PromptId, i64>,
    /// The number of questions asked so far.
    pub(super) put: PromptId,
    /// The time of the last step, in seconds since 1970.
    stepped_at: i64,
    /// The question that shares the time of the one which the last step answered.
    shares: Option<PromptId>,
    stops: Stops,
    pub events: Vec<Event>,
    /// All that was heard, if it may have to be heard again after a rewind.
    log: Option<Log>,
}

/// The recorded inputs.
#[derive(Clone, Debug)]
struct Log {
    /// The inputs, with the `n` of each line.
    heard: Vec<(u64, Heard)>,
    /// `true` if undone inputs are kept too.
    undone: bool,
}

/// An input of [`Deadlines`].
#[derive(Clone, Debug)]
pub(super) enum Heard {
    /// A step of the rules, or its repetition from one of its Rounds on.
    Step(Step),
    /// Dice were rolled or cards drawn in the last step.
    Drawn,
    /// A Round began in the last step.
    Round,
    /// A change to a deadline.
    Event { at: i64, event: Event },
    /// A seat took leave; all of its leave, from when to when.
    Leave(Seat, Vec<(i64, i64)>),
    /// The weekends of a seat are those of this time zone.
    Zone { at: i64, seat: Seat, zone: Zone },
    /// A rewind: play continues from an earlier point.
    Rewound { at: i64 },
}

/// A step of the rules.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The `n` of the line that caused it.
    pub first: u64,
    /// Its time, in seconds since 1970.
    pub at: i64,
    /// The question that it answered.
    pub answered: Option<PromptId>,
    /// The number of questions asked by then.
    pub put: PromptId,
    /// In a game with deadlines, the required questions that are open.
    pub awaited: Vec<(PromptId, Seat, &'static str)>,
}

impl Heard {
    /// Returns `true` for an input that is not part of play, so that no rewind undoes it.
    fn stays(&self) -> bool {
        match self {
            Heard::Event { event, .. } => {
                matches!(event.what, What::Clock(what) if stops_or_starts(what))
            }
            Heard::Leave(..) | Heard::Zone { .. } => true,
            _ => false,
        }
    }
}

/// Returns `true` for an event that stops or starts clocks. It is not part of play.
pub(crate) fn stops_or_starts(event: ClockEvent) -> bool {
    matches!(event, ClockEvent::Paused | ClockEvent::Resumed | ClockEvent::Held | ClockEvent::Sent)
}

impl Deadlines {
    /// Returns the deadlines of a game with this `clock` in its first line: none with `{}`. Returns
    /// `None` if the terms are invalid.
    pub fn of(clock: &str) -> Option<Deadlines> {
        let clock: Map<String, Value> = serde_json::from_str(clock).ok()?;
        if clock.is_empty() {
            return Some(Deadlines::default());
        }
        let terms: Terms = serde_json::from_value(clock.into()).ok()?;
        terms.is_valid().then(|| Deadlines::on(Some(terms)))
    }

    fn on(terms: Option<Terms>) -> Deadlines {
        let stops = Stops::with_weekends(terms.as_ref().is_some_and(|terms| terms.weekends_off));
        Deadlines { terms, stops, ..Deadlines::default() }
    }

    /// Returns the deadline terms; `None` in a game without deadlines.
    #[must_use]
    pub fn terms(&self) -> Option<&Terms> {
        self.terms.as_ref()
    }

    /// Returns `true` if the game is paused.
    #[must_use]
    pub fn paused(&self) -> bool {
        self.stops.paused(None).is_some()
    }

    /// Returns the name of a seat's time zone, if clocks stop at weekends and the journal has one.
    #[must_use]
    pub fn zone(&self, seat: Seat) -> Option<&str> {
        self.stops.zone(seat).map(Zone::name)
    }

    /// Returns `true` if the clock of a seat is stopped because a letter to it has not left.
    #[must_use]
    pub fn held(&self, seat: Seat) -> bool {
        self.stops.paused(Some(seat)).is_some()
    }

    /// Returns the time since which the clock of a seat is stopped, if nobody knows until when.
    fn stopped(&self, seat: Seat) -> Option<i64> {
        [None, Some(seat)].into_iter().filter_map(|whose| self.stops.paused(whose)).min()
    }

    /// Returns the state of the deadline of an open question.
    #[must_use]
    pub fn deadline(&self, prompt: PromptId) -> Option<Deadline> {
        let span = self.spans.get(&prompt)?;
        if let Some(since) = self.stopped(span.seat).filter(|_| !span.expired) {
            return Some(Deadline::Paused(span.left(&self.stops, since)));
        }
        let to = DateTime::from_timestamp(self.stops.finish(span.seat, span.from, span.allowance)?, 0)?;
        Some(if span.expired { Deadline::Expired(to) } else { Deadline::Until(to) })
    }

    /// Returns the deadline of a seat's questions if they get more time at a time (in seconds since
    /// 1970): the latest of them; `None` if no clock of the seat runs.
    #[must_use]
    pub fn extended(&self, seat: Seat, now: i64, seconds: u64) -> Option<DateTime<Utc>> {
        let more = TimeDelta::try_seconds(i64::try_from(seconds).ok()?)?;
        let of_seat = self.spans.iter().filter(|(_, span)| span.seat == seat);
        let until = of_seat.filter_map(|(prompt, _)| match self.deadline(*prompt)? {
            Deadline::Until(until) | Deadline::Expired(until) => Some(until.max(DateTime::from_timestamp(now, 0)?)),
            Deadline::Paused(_) => None,
        });
        until.max()?.checked_add_signed(more)
    }

    /// Returns the time at which an open question was asked; `None` if it is not open.
    #[must_use]
    pub fn asked_since(&self, prompt: PromptId) -> Option<DateTime<Utc>> {
        DateTime::from_timestamp(*self.asked.get(&prompt)?, 0)
    }

    /// Returns the time that is left to a seat for all its answers, in seconds; `None` if the terms
    /// give it none.
    #[must_use]
    pub fn bank(&self, seat: Seat, now: i64) -> Option<i64> {
        let bank = self.terms.as_ref()?.bank()?;
        let running = self.spans.values().find(|span| span.seat == seat);
        Some(running.map_or_else(|| *self.banks.get(&seat).unwrap_or(&bank.start), |span| span.left(&self.stops, now)))
    }

    /// Returns the time that is left to a seat for all its answers, in seconds, if it is less than
    /// a quarter of the time given at first.
    #[must_use]
    pub fn low(&self, seat: Seat, now: i64) -> Option<i64> {
        let start = self.terms.as_ref()?.bank()?.start;
        self.bank(seat, now).filter(|left| *left < start / 4)
    }

    /// Returns for how many seconds the clock of a seat runs between two times if the game waits
    /// for it.
    #[must_use]
    pub fn running(&self, seat: Seat, from: i64, to: i64) -> i64 {
        self.stops.running(seat, from, to)
    }

    /// Starts to keep a log, which `hear_again` needs. With `undone` it includes inputs that
    /// rewinds undo, because later rewinds may lead back to them.
    pub fn remember(&mut self, undone: bool) {
        self.log = Some(Log { heard: Vec::new(), undone });
    }

    /// Recomputes everything as if only the lines that `wanted` selects had been heard. Pauses,
    /// leave and time zones always stay, because they are not part of play. The results of the step
    /// of line `again`, apart from its Rounds, will be heard later.
    pub(crate) fn hear_again(&mut self, wanted: &dyn Fn(u64) -> bool, again: Option<u64>) {
        let Some(log) = self.log.take() else { return };
        *self = Deadlines::on(self.terms.take());
        if !log.undone {
            self.remember(false);
        }
        let heard = || log.heard.iter().filter(|(n, heard)| wanted(*n) || heard.stays());
        let steps =
            heard().filter_map(|(n, heard)| if let Heard::Step(step) = heard { Some((step.first, *n)) } else { None });
        let last: BTreeMap<u64, u64> = steps.collect();
        for (n, heard) in heard() {
            match heard {
                Heard::Step(Step { first, at, answered, .. })
                    if Some(*first) == again || last.get(first) != Some(n) =>
                {
                    self.hear_answer(*n, *first, *at, *answered);
                }
                heard => self.hear(*n, heard.clone()),
            }
        }
        if log.undone {
            self.log = Some(log);
        }
    }

    /// Handles the answer that caused a step, which is played again later: nothing new is asked
    /// yet.
    pub(super) fn hear_answer(&mut self, n: u64, first: u64, at: i64, answered: Option<PromptId>) {
        let open = self.spans.iter().filter(|(prompt, _)| Some(**prompt) != answered);
        let awaited = open.map(|(prompt, span)| (*prompt, span.seat, span.kind)).collect();
        self.hear(n, Heard::Step(Step { first, at, answered, put: self.put, awaited }));
    }

    pub(super) fn hear(&mut self, n: u64, heard: Heard) {
        if let Some(log) = &mut self.log {
            log.heard.push((n, heard.clone()));
        }
        match heard {
            Heard::Step(step) => self.stepped(n, &step),
            Heard::Drawn => self.drawn(),
            Heard::Round => self.round(),
            Heard::Event { at, event } => self.heard(at, event),
            Heard::Zone { at, seat, zone } => self.stops.move_to(seat, at, zone),
            Heard::Leave(seat, taken) => _ = self.stops.leaves.insert(seat, taken),
            Heard::Rewound { at } => self.rewound(at),
        }
    }

    /// Handles a step of the rules: the answer closes its question, and others have been asked.
    fn stepped(&mut self, n: u64, step: &Step) {
        let &Step { at, answered, put, ref awaited, .. } = step;
        if let Some(prompt) = answered {
            self.asked.remove(&prompt);
        }
        self.asked.extend((self.put..put).map(|prompt| (prompt, at)));
        self.put = self.put.max(put);
        (self.stepped_at, self.shares) = (at, None);
        let Some(terms) = self.terms.clone() else { return };
        if let Some((prompt, Deadline::Until(until) | Deadline::Expired(until))) =
            answered.and_then(|prompt| Some((prompt, self.deadline(prompt)?)))
            && let (true, Some(span)) = (at > until.timestamp(), self.spans.get(&prompt))
        {
            self.events.push(Event { until: Some(until), ..Event::new(step.first, prompt, span.seat, What::Late(at)) });
        }
        let open = |prompt: &PromptId| awaited.iter().any(|(one, ..)| one == prompt);
        let closed: BTreeMap<_, Span> = self.spans.extract_if(.., |prompt, _| !open(prompt)).collect();
        let last = answered.and_then(|prompt| closed.get(&prompt));
        // With a bank, a clock that runs goes on as long as any question is open.
        let shared = |spans: &BTreeMap<PromptId, Span>, seat| spans.values().find(|span| span.seat == seat).copied();
        for &(prompt, seat, kind) in awaited {
            if self.spans.contains_key(&prompt) {
                continue;
            }
            let running = match terms.allowance {
                Allowance::Bank(_) => {
                    shared(&self.spans, seat).or_else(|| closed.values().find(|span| span.seat == seat).copied())
                }
                Allowance::Answer(_) => {
                    let shares = last.filter(|last| self.shares.is_none() && (last.seat, last.kind) == (seat, kind));
                    self.shares = self.shares.or(shares.map(|_| prompt));
                    shares.copied()
                }
            };
            let span = match running {
                // The deadline passes for each question that is then answered for the seat.
                Some(span) => Span { kind, expired: span.expired && terms.at_flag != AtFlag::Play, ..span },
                None => Span::new(seat, kind, at, terms.for_question(self.bank(seat, at).unwrap_or_default())),
            };
            self.spans.insert(prompt, span);
        }
        if terms.bank().is_none() {
            return;
        }
        for span in closed.values().filter(|span| shared(&self.spans, span.seat).is_none()) {
            self.banks.insert(span.seat, span.left(&self.stops, at));
        }
        self.note_low(n, at);
    }

    /// Notes which of the seats that are asked have less than a quarter of the bank, once.
    fn note_low(&mut self, n: u64, at: i64) {
        let asked: BTreeMap<Seat, PromptId> = self.spans.iter().map(|(prompt, span)| (span.seat, *prompt)).collect();
        for (seat, prompt) in asked {
            match self.low(seat, at) {
                None => drop(self.low.remove(&seat)),
                Some(left) if self.low.insert(seat) => {
                    self.events.push(Event::new(n, prompt, seat, What::Low(left)));
                }
                Some(_) => {}
            }
        }
    }

    /// Gives a question its own time, because its player learned something when it was asked.
    fn drawn(&mut self) {
        let Some(Allowance::Answer(answer)) = self.terms.as_ref().map(|terms| terms.allowance) else { return };
        if let Some(span) = self.shares.take().and_then(|prompt| self.spans.get_mut(&prompt)) {
            *span = Span::new(span.seat, span.kind, self.stepped_at, answer);
        }
    }

    /// Adds the time of a Round to all banks.
    fn round(&mut self) {
        let Some(bank) = self.terms.as_ref().and_then(Terms::bank) else { return };
        let more = |left: i64| (left + bank.round).min(bank.cap).max(left) - left;
        for span in self.spans.values_mut() {
            let ran = self.stops.running(span.seat, span.from, self.stepped_at);
            let left = (span.allowance - ran).max(0);
            span.allowance = ran + left + more(left);
        }
        for left in self.banks.values_mut() {
            *left += more(*left);
        }
    }

    fn heard(&mut self, at: i64, mut event: Event) {
        event.until = match self.deadline(event.prompt) {
            Some(Deadline::Until(until) | Deadline::Expired(until)) => Some(until),
            _ => None,
        };
        match event.what {
            What::Clock(ClockEvent::Paused) => self.stops.pause(None, at),
            What::Clock(ClockEvent::Resumed) => self.stops.resume(None, at),
            // No letter has told the seat of the question since it was asked.
            What::Clock(ClockEvent::Held) => {
                let asked = self.asked.get(&event.prompt).map_or(at, |asked| at.min(*asked));
                self.stops.pause(Some(event.seat), asked);
            }
            What::Clock(ClockEvent::Sent) => self.stops.resume(Some(event.seat), at),
            What::Clock(ClockEvent::Reminded) => {
                self.spans.entry(event.prompt).and_modify(|span| span.reminded = true);
            }
            What::Clock(ClockEvent::Expired) => {
                self.spans.entry(event.prompt).and_modify(|span| span.expired = true);
            }
            What::Moved(until, _) => {
                let allowance = self.stops.running(event.seat, at, until);
                let kind = self.spans.get(&event.prompt).map_or("", |span| span.kind);
                self.spans.insert(event.prompt, Span::new(event.seat, kind, at, allowance));
            }
            What::Low(_) | What::Late(_) => {}
        }
        self.events.push(event);
    }

    /// Handles a rewind by a director: all open questions are asked again, with the time that was
    /// left after the step to which it leads, and the clock runs.
    fn rewound(&mut self, at: i64) {
        self.asked.values_mut().for_each(|asked| *asked = at);
        self.stops.resume(None, at);
        let Some(terms) = &self.terms else { return };
        for span in self.spans.values_mut() {
            let allowance = terms.for_question(span.left(&self.stops, self.stepped_at));
            *span = Span::new(span.seat, span.kind, at, allowance);
        }
    }

    /// Returns the event that is due for a question now: a reminder after half the time, or the
    /// expiry.
    pub fn due(&self, prompt: PromptId, now: i64) -> Option<ClockEvent> {
        let span = self.spans.get(&prompt).filter(|span| !span.expired && self.stopped(span.seat).is_none())?;
        let ran = self.stops.running(span.seat, span.from, now);
        if ran >= span.allowance {
            Some(ClockEvent::Expired)
        } else if !span.reminded && ran >= span.allowance / 2 {
            Some(ClockEvent::Reminded)
        } else {
            None
        }
    }

    /// Returns `true` if a seat has lost the game now, because it has not answered for the grace
    /// of the terms since a deadline passed.
    #[must_use]
    pub fn forfeits(&self, seat: Seat, now: i64) -> bool {
        let Some(AtFlag::Forfeit(grace)) = self.terms.as_ref().map(|terms| terms.at_flag) else { return false };
        let mut late = self.spans.values().filter(|span| span.seat == seat && span.expired);
        self.stopped(seat).is_none()
            && late.any(|span| self.stops.running(seat, span.from, now) >= span.allowance + grace)
    }

    /// Returns the contradiction in a `clock` line written at this time: an event that does not
    /// follow from the terms, pauses, leave and rulings before it. Returns `None` if there is none.
    #[must_use]
    pub fn wrong(&self, at: i64, prompt: PromptId, event: ClockEvent) -> Option<String> {
        let due = self.due(prompt, at);
        let until = || match self.deadline(prompt) {
            Some(Deadline::Until(until)) => format!("it is {}", moment(until, "UTC")),
            Some(Deadline::Expired(until)) => format!("it was {}, and passed in an entry before", moment(until, "UTC")),
            Some(Deadline::Paused(_)) if self.paused() => "the game is paused".to_owned(),
            Some(Deadline::Paused(_)) => "the letter with it has not left".to_owned(),
            None => "there is none".to_owned(),
        };
        match event {
            ClockEvent::Expired if due != Some(ClockEvent::Expired) => {
                Some(format!("the deadline of question {prompt} has not passed: {}", until()))
            }
            ClockEvent::Reminded if due.is_none() => {
                Some(format!("no reminder of the deadline of question {prompt} is due: {}", until()))
            }
            ClockEvent::Paused if self.paused() && !self.is_next_of(event, prompt) => {
                Some("the game is paused already".to_owned())
            }
            ClockEvent::Resumed if !self.paused() && !self.is_next_of(event, prompt) => {
                Some("the game is resumed without a pause".to_owned())
            }
            _ => None,
        }
    }

    /// Returns `true` if the line before is the same event of another question: a pause and its end
    /// are a line for each open question.
    fn is_next_of(&self, event: ClockEvent, prompt: PromptId) -> bool {
        let mut n = None;
        let in_a_row =
            |one: &&Event| one.what == What::Clock(event) && n.replace(one.n).is_none_or(|next| one.n + 1 == next);
        let before: Vec<PromptId> = self.events.iter().rev().take_while(in_a_row).map(|one| one.prompt).collect();
        !before.is_empty() && !before.contains(&prompt)
    }

    /// Returns the time of the next event for a question, in seconds since 1970: a reminder, the
    /// expiry, or the loss of the game; `None` if none is scheduled.
    pub fn next_due(&self, prompt: PromptId) -> Option<i64> {
        let span = self.spans.get(&prompt).filter(|span| self.stopped(span.seat).is_none())?;
        let after = match (span.expired, self.terms.as_ref()?.at_flag) {
            (true, AtFlag::Forfeit(grace)) => span.allowance + grace,
            (true, _) => return None,
            (false, _) if span.reminded => span.allowance,
            (false, _) => span.allowance / 2,
        };
        self.stops.finish(span.seat, span.from, after)
    }

    /// Returns whether there are events after line `after` for everybody, and whether there are any
    /// for this seat alone.
    pub fn news(&self, seat: Seat, after: u64, asked: &[PromptId]) -> (bool, bool) {
        let (mut all, mut mine) = (false, false);
        for event in self.events.iter().filter(|event| event.n > after) {
            match event.what {
                What::Clock(ClockEvent::Reminded) => mine |= event.seat == seat && asked.contains(&event.prompt),
                // The question itself shows it, or it is of no interest once the letter has
                // arrived.
                What::Low(_) | What::Late(_) | What::Clock(ClockEvent::Held | ClockEvent::Sent) => {}
                _ => all = true,
            }
        }
        (all, mine)
    }
}

/// The deadline in a ruling's effect.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MovedDeadline {
    pub seat: String,
    /// The new deadline, RFC 3339.
    pub until: String,
}

/// The part of a ruling's effect that belongs to the office.
#[derive(Serialize, Deserialize)]
pub struct Effect {
    pub deadline: MovedDeadline,
}

/// Returns `true` if a ruling's only effect is to move a deadline.
pub(crate) fn only_moves_deadline(effect: &str) -> bool {
    let members = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(effect);
    members.is_ok_and(|members| members.len() == 1) && moved(effect).is_some()
}

/// Returns the seat whose deadline a ruling moves, and the new deadline.
#[must_use]
pub fn moved_deadline(effect: &str) -> Option<(String, DateTime<Utc>)> {
    moved(effect).and_then(|(seat, until)| Some((seat, DateTime::from_timestamp(until, 0)?)))
}

pub(super) fn moved(effect: &str) -> Option<(String, i64)> {
    let effect = serde_json::from_str::<Effect>(effect).ok()?.deadline;
    Some((effect.seat, unix(&effect.until)?))
}

#[cfg(test)]
mod tests;
