//! Deadlines: until when a question is to be answered, and what happens when it is not.
//!
//! All of it follows from the journal. [`Deadlines`] hears its lines, live and in a replay alike: a question's time
//! begins with the line that put it and stands still while the game is paused. Only [`Office::tick`] looks at the
//! clock on the wall, and what it finds becomes a `clock` line at once; so nothing is found twice, however the wall
//! clock is set.

use super::{Office, Running, Tools, Trouble, desk::Desk, host::check_zone, layout::spelt};
use crate::{
    journal::{Body, Clock, ClockEvent, Via},
    orders::list_and,
    table::{Asked, PromptId, Seat, Understood},
};
use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{collections::BTreeMap, str::FromStr};

/// More deadlines than this do not pass in one go: a game that asks so often asks for ever.
const MOST: usize = 10_000;
const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;
/// The longest time for an answer.
const LONGEST: i64 = 365 * DAY;

/// What happens when a deadline passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AtDeadline {
    /// Everybody is told, and the game waits on.
    #[default]
    Remind,
    /// Everybody is told, and the question is answered as the rules have it for this case.
    Play,
}

/// How deadlines are counted in a game: `clock` in its first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The time for an answer in seconds, from 1 hour to 365 days.
    pub answer: i64,
    /// What happens then.
    #[serde(default)]
    pub at_deadline: AtDeadline,
}

impl Terms {
    /// Terms with a time for an answer like `36h` or `3d`.
    ///
    /// # Errors
    /// [`Trouble::Use`] when it is no such time, shorter than an hour or longer than 365 days.
    pub fn new(answer: &str, at_deadline: AtDeadline) -> Result<Terms, Trouble> {
        let wrong = || Trouble::Use(format!("\"{answer}\" is no time for an answer; say hours or days: 36h, 3d"));
        let text = answer.trim();
        let unit = match text.chars().last() {
            Some('h') => HOUR,
            Some('d') => DAY,
            _ => return Err(wrong()),
        };
        let count = i64::from(u16::from_str(&text[..text.len() - 1]).map_err(|_| wrong())?);
        match count * unit {
            seconds @ HOUR..=LONGEST => Ok(Terms { answer: seconds, at_deadline }),
            _ => Err(Trouble::Use(format!("a time for an answer is 1h to 365d, not {text}"))),
        }
    }

    /// In a line for people.
    pub(super) fn words(&self) -> String {
        let then = match self.at_deadline {
            AtDeadline::Remind => "everybody is told, and the game waits on",
            AtDeadline::Play => "it is answered for you as the rules have it for this case",
        };
        format!("Deadline: {} for every answer; when it has passed, {then}", span(self.answer))
    }
}

/// What became of a deadline, for letters.
#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    Clock(ClockEvent),
    /// Moved by a ruling to this time, with its reason.
    Moved(i64, String),
}

#[derive(Clone, Debug)]
struct Event {
    n: u64,
    prompt: PromptId,
    seat: Seat,
    what: What,
}

/// A question's time. Both ends are counted on a clock that stands still while the game is paused.
#[derive(Clone, Copy, Debug)]
struct Span {
    from: i64,
    to: i64,
    reminded: bool,
    expired: bool,
}

/// How a question's deadline stands. The most urgent is the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Deadline {
    /// It was to be answered by then, and a `clock` line says so.
    Expired(DateTime<Utc>),
    /// It is to be answered by then.
    Until(DateTime<Utc>),
    /// The game is paused; so many seconds are left.
    Paused(i64),
}

/// The deadlines of a game, as its journal has them.
#[derive(Clone, Debug, Default)]
pub struct Deadlines {
    terms: Option<Terms>,
    /// The questions put and not yet answered, by number. Some of them may have been withdrawn since.
    spans: BTreeMap<PromptId, Span>,
    /// How many questions have been put.
    put: PromptId,
    /// For how many seconds the clock has stood still so far.
    stood: i64,
    /// Since when it stands still.
    paused: Option<i64>,
    events: Vec<Event>,
    /// All that was heard, with the n of its line, where a rewind may have it heard again.
    log: Option<Vec<(u64, Heard)>>,
}

/// Something that deadlines hear of.
#[derive(Clone, Debug)]
enum Heard {
    /// A step of the rules: when, which question it answered, and how many had been put then.
    Step { at: i64, answered: Option<PromptId>, put: PromptId },
    /// What became of a deadline.
    Event { at: i64, event: Event },
    /// Play goes on from an earlier point.
    Rewound { at: i64 },
}

impl Heard {
    fn is_pause(&self) -> bool {
        let Heard::Event { event, .. } = self else { return false };
        matches!(event.what, What::Clock(ClockEvent::Paused | ClockEvent::Resumed))
    }
}

impl Deadlines {
    /// The deadlines of a game whose first line has this `clock`. What it does not understand means that there are none.
    pub(super) fn of(clock: &str) -> Deadlines {
        let terms = serde_json::from_str::<Terms>(clock).ok().filter(|terms| (HOUR..=LONGEST).contains(&terms.answer));
        Deadlines { terms, ..Deadlines::default() }
    }

    /// How they are counted; `None` in a game without deadlines.
    #[must_use]
    pub fn terms(&self) -> Option<Terms> {
        self.terms
    }

    /// Whether the game is paused.
    #[must_use]
    pub fn paused(&self) -> bool {
        self.paused.is_some()
    }

    /// How the deadline of a question stands that the game waits for.
    #[must_use]
    pub fn deadline(&self, prompt: PromptId) -> Option<Deadline> {
        let span = self.spans.get(&prompt)?;
        if let Some(since) = self.paused.filter(|_| !span.expired) {
            return Some(Deadline::Paused((span.to - (since - self.stood)).max(0)));
        }
        let to = DateTime::from_timestamp(span.to + self.stood, 0)?;
        Some(if span.expired { Deadline::Expired(to) } else { Deadline::Until(to) })
    }

    /// From now on it can [hear again](Deadlines::hear_again) what it hears.
    pub(super) fn remember(&mut self) {
        self.log = self.terms.map(|_| Vec::new());
    }

    /// Stands as if only the lines that are `wanted` had been heard. A pause is no part of play, so it stays.
    pub(super) fn hear_again(&mut self, wanted: &dyn Fn(u64) -> bool) {
        let Some(mut log) = self.log.take() else { return };
        log.retain(|(n, heard)| wanted(*n) || heard.is_pause());
        *self = Deadlines { terms: self.terms, log: Some(Vec::new()), ..Deadlines::default() };
        for (n, heard) in log {
            self.hear(n, heard);
        }
    }

    fn hear(&mut self, n: u64, heard: Heard) {
        if let Some(log) = &mut self.log {
            log.push((n, heard.clone()));
        }
        match heard {
            Heard::Step { at, answered, put } => self.stepped(at, answered, put),
            Heard::Event { at, event } => self.heard(at, event),
            Heard::Rewound { at } => self.rewound(at),
        }
    }

    /// A step of the rules at this time: a question may have been answered, and all up to number `put` have been put.
    fn stepped(&mut self, at: i64, answered: Option<PromptId>, put: PromptId) {
        let Some(terms) = self.terms else { return };
        if let Some(prompt) = answered {
            self.spans.remove(&prompt);
        }
        let from = self.reading(at);
        let span = Span { from, to: from + terms.answer, reminded: false, expired: false };
        self.spans.extend((self.put..put).map(|prompt| (prompt, span)));
        self.put = self.put.max(put);
    }

    /// What the clock shows at this time.
    fn reading(&self, at: i64) -> i64 {
        self.paused.unwrap_or(at) - self.stood
    }

    fn heard(&mut self, at: i64, event: Event) {
        match event.what {
            What::Clock(ClockEvent::Paused) => _ = self.paused.get_or_insert(at),
            What::Clock(ClockEvent::Resumed) => {
                // A wall clock that was set back between takes no time away.
                self.stood += self.paused.take().map_or(0, |since| (at - since).max(0));
            }
            What::Clock(ClockEvent::Reminded) => {
                self.spans.entry(event.prompt).and_modify(|span| span.reminded = true);
            }
            What::Clock(ClockEvent::Expired) => {
                self.spans.entry(event.prompt).and_modify(|span| span.expired = true);
            }
            What::Moved(until, _) => {
                let from = self.reading(at);
                let span = Span { from, to: from + (until - at), reminded: false, expired: false };
                self.spans.insert(event.prompt, span);
            }
        }
        self.events.push(event);
    }

    /// Play goes on from an earlier point by somebody's decision: what is asked there is asked anew, and the clock runs.
    fn rewound(&mut self, at: i64) {
        let Some(terms) = self.terms else { return };
        (self.stood, self.paused) = (0, None);
        for span in self.spans.values_mut() {
            *span = Span { from: at, to: at + terms.answer, reminded: false, expired: false };
        }
    }

    /// What is due now for a question: a reminder when half the time is gone, and that it is over.
    fn due(&self, prompt: PromptId, now: i64) -> Option<ClockEvent> {
        let span = self.spans.get(&prompt).filter(|span| self.paused.is_none() && !span.expired)?;
        let reading = now - self.stood;
        if reading >= span.to {
            Some(ClockEvent::Expired)
        } else if !span.reminded && reading >= span.from + (span.to - span.from) / 2 {
            Some(ClockEvent::Reminded)
        } else {
            None
        }
    }

    /// Whether there is something that a seat was not yet told at line `after`: to everybody, to it alone.
    pub(super) fn news(&self, seat: Seat, after: u64, asked: &[PromptId]) -> (bool, bool) {
        let new = |event: &&Event| event.n > after;
        let reminder = |event: &Event| event.what == What::Clock(ClockEvent::Reminded);
        let mine = |event: &Event| reminder(event) && event.seat == seat && asked.contains(&event.prompt);
        let events = self.events.iter().filter(new);
        (events.clone().any(|event| !reminder(event)), events.clone().any(mine))
    }
}

impl Deadline {
    /// How it reads for somebody in this time zone.
    #[must_use]
    pub fn words(self, terms: Terms, zone: &str) -> String {
        match self {
            Deadline::Until(until) if terms.at_deadline == AtDeadline::Play => {
                format!("Answer by {}. After that it is answered for you.", moment(until, zone))
            }
            Deadline::Until(until) => format!("Answer by {}.", moment(until, zone)),
            Deadline::Expired(until) => format!("The deadline was {}; the game waits for you.", moment(until, zone)),
            Deadline::Paused(left) => format!("The game is paused; {} are left when it goes on.", span(left)),
        }
    }
}

/// A time in UTC, and in the reader's zone if that is another.
pub(super) fn moment(at: DateTime<Utc>, zone: &str) -> String {
    let form = "%a %-d %b %Y, %H:%M";
    let utc = format!("{} UTC", at.format(form));
    match zone.parse::<chrono_tz::Tz>() {
        Ok(tz) if tz != chrono_tz::UTC => format!("{utc} ({} in {zone})", at.with_timezone(&tz).format(form)),
        _ => utc,
    }
}

/// A length of time in whole days or hours, minutes where it is short.
fn span(seconds: i64) -> String {
    let (count, unit) = match seconds {
        s if s >= 2 * DAY && s % DAY == 0 => (s / DAY, "day"),
        s if s >= 2 * HOUR || s == HOUR => (s / HOUR, "hour"),
        s => (s / 60, "minute"),
    };
    let words = usize::try_from(count).map_or_else(|_| count.to_string(), spelt);
    format!("{words} {unit}{}", if count == 1 { "" } else { "s" })
}

/// The deadline that a ruling moves, as its effect has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MovedDeadline {
    seat: String,
    /// RFC 3339.
    until: String,
}

/// The effect of a ruling, as far as it is the office's.
#[derive(Serialize, Deserialize)]
struct Effect {
    deadline: MovedDeadline,
}

/// Whether a ruling does nothing but move a deadline.
pub(super) fn only_moves_deadline(effect: &str) -> bool {
    let members = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(effect);
    members.is_ok_and(|members| members.len() == 1) && moved(effect).is_some()
}

fn moved(effect: &str) -> Option<(String, i64)> {
    let effect = serde_json::from_str::<Effect>(effect).ok()?.deadline;
    Some((effect.seat, unix(&effect.until)?))
}

/// Seconds since 1970 of a time as journals write it.
pub(super) fn unix(at: &str) -> Option<i64> {
    DateTime::parse_from_rfc3339(at).ok().map(|at| at.timestamp())
}

impl Running {
    /// Has the deadlines hear a line that is no step of the rules, at this time.
    pub(super) fn hear_time(&mut self, n: u64, at: &str, body: &Body<'_>) {
        if self.deadlines.terms.is_none() {
            return;
        }
        let Some(at) = unix(at) else { return };
        match body {
            Body::Clock(clock) => {
                let Some(seat) = self.seat(&clock.seat) else { return };
                let Ok(prompt) = PromptId::try_from(clock.prompt) else { return };
                let event = Event { n, prompt, seat, what: What::Clock(clock.event) };
                self.deadlines.hear(n, Heard::Event { at, event });
            }
            // Who takes his own order back wins no time by it.
            Body::Rewound(rewound) if self.seat(&rewound.by).is_none() => {
                self.deadlines.hear(n, Heard::Rewound { at });
            }
            Body::Ruling(ruling) => {
                let Some((seat, until)) = moved(ruling.effect.get()) else { return };
                let Some(seat) = self.seat(&seat) else { return };
                let asked = self.hosted.as_mut().and_then(|hosted| hosted.asked().ok()).unwrap_or_default();
                for one in asked.into_iter().filter(|one| one.required && one.seat == seat) {
                    let what = What::Moved(until, ruling.text.to_string());
                    let event = Event { n, prompt: one.id, seat, what };
                    self.deadlines.hear(n, Heard::Event { at, event });
                }
            }
            _ => {}
        }
    }

    /// Has the deadlines hear a step of the rules, that of line `n`, at this time.
    pub(super) fn hear_step(&mut self, n: u64, at: Option<i64>, answered: Option<u64>) {
        if let (Some(at), Some(hosted)) = (at.filter(|_| self.deadlines.terms.is_some()), &self.hosted) {
            let answered = answered.and_then(|prompt| PromptId::try_from(prompt).ok());
            let put = hosted.next_prompt();
            // A ruling may be a step that answers and asks nothing.
            if answered.is_some() || put > self.deadlines.put {
                self.deadlines.hear(n, Heard::Step { at, answered, put });
            }
        }
    }

    /// Whether a `clock` line names a question that is open.
    pub(super) fn is_open(&mut self, clock: &Clock<'_>) -> bool {
        let seat = self.seat(&clock.seat);
        let asked = self.hosted.as_mut().and_then(|hosted| hosted.asked().ok()).unwrap_or_default();
        asked.iter().any(|one| u64::from(one.id) == clock.prompt && Some(one.seat) == seat)
    }
}

/// What [`Office::tick`] found in one game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Ticked {
    /// Reminders that were owed.
    pub reminded: usize,
    /// Deadlines that had passed.
    pub expired: usize,
    /// Questions of those that were answered.
    pub played: usize,
}

impl Office {
    /// Looks at the deadlines of a game: writes reminders and deadlines that have passed into the journal, and owes the
    /// letters about them.
    ///
    /// # Errors
    /// [`Trouble`] when it cannot be opened.
    pub fn tick(&mut self, game: &str) -> Result<Ticked, Trouble> {
        self.with_desk(game, |tools, desk| {
            let ticked = desk.tick(tools)?;
            desk.settle(tools, None)?;
            Ok(ticked)
        })
    }

    /// Has the clock of a game stand still for all its questions, or (`false`) run again. Everybody is told. Gives what was
    /// done in a sentence.
    ///
    /// # Errors
    /// [`Trouble::Use`] where nothing would change; nothing has been written then.
    pub fn pause(&mut self, game: &str, pause: bool) -> Result<String, Trouble> {
        self.with_desk(game, |tools, desk| {
            let waiting = desk.clocked(game)?;
            match (desk.running.deadlines.paused(), pause) {
                (true, true) => return Err(Trouble::Use(format!("{game} is paused already"))),
                (false, false) => return Err(Trouble::Use(format!("{game} is not paused"))),
                _ => {}
            }
            let event = if pause { ClockEvent::Paused } else { ClockEvent::Resumed };
            for asked in waiting {
                desk.clock_line(tools, &asked, event)?;
            }
            desk.settle(tools, None)?;
            Ok(match pause {
                true => format!("{game} is paused: its deadlines stand still."),
                false => format!("{game} goes on: its deadlines run again."),
            })
        })
    }
}

impl Desk {
    /// The questions that the game waits for, in a game whose deadlines can be changed.
    fn clocked(&mut self, game: &str) -> Result<Vec<Asked>, Trouble> {
        let wrong = |why: &str| Err(Trouble::Use(format!("{game} {why}")));
        match &self.running {
            running if running.deadlines.terms.is_none() => wrong("has no deadlines"),
            running if running.started.is_none() => wrong("has not begun"),
            running if running.closed => wrong("is over"),
            _ => Ok(self.asked()?.into_iter().filter(|asked| asked.required).collect()),
        }
    }

    /// Checks an effect that moves a deadline and spells it as journals do; gives it with what it does in a sentence. `None` where
    /// the effect is the game's own.
    ///
    /// # Errors
    /// [`Trouble::Use`] when it makes no sense now.
    pub(super) fn moving(&mut self, tools: &Tools, effect: &Value) -> Result<Option<(Value, String)>, Trouble> {
        let Some(deadline) = effect.get("deadline") else { return Ok(None) };
        let wrong = |why: String| Err(Trouble::Use(why));
        if effect.as_object().is_some_and(|members| members.len() > 1) {
            return wrong("a ruling moves a deadline or changes the position, not both; give two rulings".to_owned());
        }
        let MovedDeadline { seat, until } = match MovedDeadline::deserialize(deadline) {
            Ok(moved) => moved,
            Err(why) => {
                return wrong(format!("a deadline has \"seat\" and \"until\", like 2026-11-30T12:00:00Z: {why}"));
            }
        };
        let Ok(until) = DateTime::parse_from_rfc3339(&until) else {
            return wrong(format!("\"{until}\" is no time; one is written like 2026-11-30T12:00:00Z"));
        };
        let until = until.with_timezone(&Utc);
        let game = self.game.clone();
        let waiting = self.clocked(&game)?;
        if self.running.deadlines.paused() {
            return wrong(format!("{game} is paused; move the deadline when it goes on"));
        }
        let named = self.running.opened.seats.iter().find(|name| name.eq_ignore_ascii_case(&seat));
        let Some(whose) = named.and_then(|name| self.running.seat(name)) else {
            return wrong(format!("there is no seat {seat} in {game}"));
        };
        if !waiting.iter().any(|asked| asked.seat == whose) {
            return wrong(format!("{game} does not wait for seat {whose}"));
        }
        let ahead = until.timestamp() - tools.world.now().timestamp();
        match ahead {
            ..=0 => return wrong(format!("{} is past already", moment(until, "UTC"))),
            1..=LONGEST => {}
            _ => return wrong(format!("{} is more than 365 days ahead", moment(until, "UTC"))),
        }
        let seat = self.running.seat_name(whose).to_owned();
        let effect =
            Effect { deadline: MovedDeadline { seat, until: until.to_rfc3339_opts(SecondsFormat::Secs, true) } };
        let effect = serde_json::to_value(effect).map_err(|why| Trouble::Defect(why.to_string()))?;
        let said = format!("The deadline of {} is {} now.", self.seats.called(whose), moment(until, "UTC"));
        Ok(Some((effect, said)))
    }

    fn clock_line(&mut self, tools: &Tools, asked: &Asked, event: ClockEvent) -> Result<(), Trouble> {
        let seat = self.running.seat_name(asked.seat).to_owned().into();
        self.line(tools, &Body::Clock(Clock { prompt: u64::from(asked.id), seat, event }))?;
        Ok(())
    }

    /// Writes what is due by the wall clock. The lines are not yet appended.
    fn tick(&mut self, tools: &Tools) -> Result<Ticked, Trouble> {
        let mut ticked = Ticked::default();
        let Some(terms) = self.running.deadlines.terms else { return Ok(ticked) };
        let now = tools.world.now().timestamp();
        for _ in 0..MOST {
            let asked = self.asked()?.into_iter().filter(|asked| asked.required);
            let due = { asked }.find_map(|asked| Some((self.running.deadlines.due(asked.id, now)?, asked)));
            let Some((event, asked)) = due else { break };
            self.clock_line(tools, &asked, event)?;
            if event == ClockEvent::Reminded {
                ticked.reminded += 1;
                continue;
            }
            ticked.expired += 1;
            if terms.at_deadline == AtDeadline::Play && self.answer_for(tools, &asked)? {
                ticked.played += 1;
            }
        }
        Ok(ticked)
    }

    /// Answers a question as the rules have it for a deadline that has passed; says whether they have an answer.
    fn answer_for(&mut self, tools: &Tools, asked: &Asked) -> Result<bool, Trouble> {
        let order = self.running.hosted.as_mut().and_then(|hosted| hosted.at_deadline(asked.id));
        let Some(order) = order else { return Ok(false) };
        let understood = Understood::answer(asked, order);
        match self.decide(tools, asked.seat, &understood, Via::Deadline, None) {
            Ok(()) => Ok(true),
            Err(Trouble::Live(super::LiveFault::Rejected(why))) => {
                let game = &self.game;
                tracing::error!(game, kind = asked.kind, %why, "the answer at a deadline was refused; the game waits");
                // Where the rules broke down, the game was rebuilt; the line that the deadline has passed is safe.
                Ok(false)
            }
            Err(other) => Err(other),
        }
    }

    /// How the deadline of a question reads for a player; "" if it has none.
    pub(super) fn deadline(&self, tools: &Tools, seat: Seat, prompt: PromptId) -> String {
        let deadlines = &self.running.deadlines;
        match (deadlines.deadline(prompt), deadlines.terms) {
            (Some(deadline), Some(terms)) => deadline.words(terms, self.zone(tools, seat)),
            _ => String::new(),
        }
    }

    fn zone<'a>(&'a self, tools: &'a Tools, seat: Seat) -> &'a str {
        let own = self.seats.player(seat).and_then(|player| player.zone.as_deref());
        own.filter(|zone| check_zone(zone).is_ok()).unwrap_or(&tools.host.settings.time_zone)
    }

    /// What became of deadlines after line `after`, for a letter to a seat: a paragraph each.
    pub(super) fn clock_notes(&self, tools: &Tools, seat: Seat, after: u64, open: &[Asked]) -> Vec<String> {
        let name = |seat: Seat| self.seats.player(seat).map_or_else(|| seat.to_string(), |player| player.name.clone());
        let (mut late, mut notes) = (BTreeMap::<(Seat, bool), u64>::new(), Vec::new());
        let mut clock = None;
        for event in self.running.deadlines.events.iter().filter(|event| event.n > after) {
            match &event.what {
                What::Clock(ClockEvent::Reminded) => {}
                What::Clock(ClockEvent::Expired) => {
                    let waits = open.iter().any(|asked| asked.id == event.prompt && asked.seat == event.seat);
                    late.insert((event.seat, waits), event.n);
                }
                What::Clock(other) => clock = Some(*other),
                What::Moved(until, why) => {
                    let until = DateTime::from_timestamp(*until, 0).map(|at| moment(at, self.zone(tools, seat)));
                    let note = format!("{}'s deadline is {} now: {why}", name(event.seat), until.unwrap_or_default());
                    if notes.last() != Some(&note) {
                        notes.push(note);
                    }
                }
            }
        }
        for waits in [true, false] {
            let whom: Vec<String> =
                late.iter().filter(|((_, w), _)| *w == waits).map(|((seat, _), _)| name(*seat)).collect();
            if whom.is_empty() {
                continue;
            }
            let has = if whom.len() == 1 { "has" } else { "have" };
            let then = match (waits, self.running.deadlines.terms.map(|terms| terms.at_deadline)) {
                (true, _) => "; the game waits on",
                (false, Some(AtDeadline::Play)) => "; the game went on as the rules have it for this case",
                (false, _) => "",
            };
            notes.push(format!("{} {has} not answered in time{then}.", list_and(&whom)));
        }
        match clock {
            Some(ClockEvent::Paused) => notes.push("The game is paused: all deadlines stand still.".to_owned()),
            Some(_) => notes.push("The game goes on: all deadlines run again.".to_owned()),
            None => {}
        }
        notes
    }
}
