//! Deadlines for answers.
//!
//! All of them follow from the journal. [`Deadlines`] receives its lines, both live and in a
//! replay: the time for a question begins with the line that asked it, and does not run while the
//! game is paused. This module reads no clock. The office, which does, writes a `clock` line when
//! something is due. So nothing becomes due twice, even if that clock is changed.

use chrono::{DateTime, Utc};
use postrider_journal::{ClockEvent, unix};
use postrider_orders::spelt;
use postrider_table::{PromptId, Seat};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, str::FromStr};

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;
/// The maximum time for an answer, in seconds.
pub const LONGEST: i64 = 365 * DAY;

/// The consequence of a missed deadline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AtDeadline {
    /// All players are told, and the game continues to wait.
    #[default]
    Remind,
    /// All players are told, and the question is answered as the rules provide for this case.
    Play,
}

/// The deadline terms of a game: `clock` in its first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The time for an answer in seconds, from 1 hour to 365 days.
    pub answer: i64,
    /// The consequence of a missed deadline.
    #[serde(default)]
    pub at_deadline: AtDeadline,
}

/// An error in a time for an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TermsError {
    /// It is not a number of hours or days.
    #[error("\"{answer}\" is no time for an answer; say hours or days: 36h, 3d")]
    Unclear {
        /// The given text.
        answer: String,
    },
    /// It is shorter than an hour or longer than 365 days.
    #[error("a time for an answer is 1h to 365d, not {answer}")]
    OutOfRange {
        /// The given text.
        answer: String,
    },
}

impl Terms {
    /// Parses a time for an answer such as `36h` or `3d`.
    ///
    /// # Errors
    /// Returns a [`TermsError`] if it cannot be parsed, is shorter than an hour, or is longer than
    /// 365 days.
    pub fn new(answer: &str, at_deadline: AtDeadline) -> Result<Terms, TermsError> {
        let wrong = || TermsError::Unclear { answer: answer.to_owned() };
        let text = answer.trim();
        let unit = match text.chars().last() {
            Some('h') => HOUR,
            Some('d') => DAY,
            _ => return Err(wrong()),
        };
        let count = i64::from(u16::from_str(&text[..text.len() - 1]).map_err(|_| wrong())?);
        match count * unit {
            seconds @ HOUR..=LONGEST => Ok(Terms { answer: seconds, at_deadline }),
            _ => Err(TermsError::OutOfRange { answer: text.to_owned() }),
        }
    }

    /// Describes the terms in one line.
    pub fn words(&self) -> String {
        let then = match self.at_deadline {
            AtDeadline::Remind => "everybody is told, and the game waits on",
            AtDeadline::Play => "it is answered for you as the rules have it for this case",
        };
        format!("Deadline: {} for every answer; when it has passed, {then}", span(self.answer))
    }
}

/// A change to a deadline, for letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    Clock(ClockEvent),
    /// A ruling moved it to this time (seconds since 1970), for this reason.
    Moved(i64, String),
}

#[derive(Clone, Debug)]
pub struct Event {
    pub n: u64,
    pub prompt: PromptId,
    pub seat: Seat,
    pub what: What,
}

/// The time for a question in seconds. Both ends are measured on a clock that does not run while
/// the game is paused.
#[derive(Clone, Copy, Debug)]
struct Span {
    from: i64,
    to: i64,
    reminded: bool,
    expired: bool,
}

/// The state of a question's deadline. The most urgent state is the least in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Deadline {
    /// The deadline was at this time, and a `clock` line says that it has passed.
    Expired(DateTime<Utc>),
    /// The deadline is at this time.
    Until(DateTime<Utc>),
    /// The game is paused, with this many seconds left.
    Paused(i64),
}

/// The deadlines of a game, derived from its journal.
#[derive(Clone, Debug, Default)]
pub struct Deadlines {
    pub terms: Option<Terms>,
    /// The questions that were asked and not answered, by number. Some may have been withdrawn
    /// since.
    spans: BTreeMap<PromptId, Span>,
    /// The time at which each of them was asked, in seconds since 1970; also kept in games without
    /// deadlines.
    asked: BTreeMap<PromptId, i64>,
    /// The number of questions asked so far.
    pub(super) put: PromptId,
    /// The total duration of past pauses, in seconds.
    stood: i64,
    /// The time at which the current pause began, in seconds since 1970.
    paused: Option<i64>,
    pub events: Vec<Event>,
    /// All that was heard, with the n of each line, if it may have to be heard again after a
    /// rewind.
    log: Option<Vec<(u64, Heard)>>,
}

/// An input of [`Deadlines`].
#[derive(Clone, Debug)]
pub(super) enum Heard {
    /// A step of the rules: its time, the question that it answered, and the number of questions
    /// asked by then.
    Step { at: i64, answered: Option<PromptId>, put: PromptId },
    /// A change to a deadline.
    Event { at: i64, event: Event },
    /// A rewind: play continues from an earlier point.
    Rewound { at: i64 },
}

impl Heard {
    fn is_pause(&self) -> bool {
        let Heard::Event { event, .. } = self else { return false };
        matches!(event.what, What::Clock(ClockEvent::Paused | ClockEvent::Resumed))
    }
}

impl Deadlines {
    /// Returns the deadlines of a game with this `clock` in its first line. Unknown or invalid
    /// terms mean that there are no deadlines.
    pub fn of(clock: &str) -> Deadlines {
        let terms = serde_json::from_str::<Terms>(clock).ok().filter(|terms| (HOUR..=LONGEST).contains(&terms.answer));
        Deadlines { terms, ..Deadlines::default() }
    }

    /// Returns the deadline terms; `None` in a game without deadlines.
    #[must_use]
    pub fn terms(&self) -> Option<Terms> {
        self.terms
    }

    /// Returns `true` if the game is paused.
    #[must_use]
    pub fn paused(&self) -> bool {
        self.paused.is_some()
    }

    /// Returns the state of the deadline of an open question.
    #[must_use]
    pub fn deadline(&self, prompt: PromptId) -> Option<Deadline> {
        let span = self.spans.get(&prompt)?;
        if let Some(since) = self.paused.filter(|_| !span.expired) {
            return Some(Deadline::Paused((span.to - (since - self.stood)).max(0)));
        }
        let to = DateTime::from_timestamp(span.to + self.stood, 0)?;
        Some(if span.expired { Deadline::Expired(to) } else { Deadline::Until(to) })
    }

    /// Returns the time at which an open question was asked; `None` if it is not open.
    #[must_use]
    pub fn asked_since(&self, prompt: PromptId) -> Option<DateTime<Utc>> {
        DateTime::from_timestamp(*self.asked.get(&prompt)?, 0)
    }

    /// Starts to keep a log, which `hear_again` needs.
    pub fn remember(&mut self) {
        self.log = Some(Vec::new());
    }

    /// Recomputes everything as if only the lines that `wanted` selects had been heard. Pauses
    /// always stay, because they are not part of play.
    pub(crate) fn hear_again(&mut self, wanted: &dyn Fn(u64) -> bool) {
        let Some(mut log) = self.log.take() else { return };
        log.retain(|(n, heard)| wanted(*n) || heard.is_pause());
        *self = Deadlines { terms: self.terms, log: Some(Vec::new()), ..Deadlines::default() };
        for (n, heard) in log {
            self.hear(n, heard);
        }
    }

    pub(super) fn hear(&mut self, n: u64, heard: Heard) {
        if let Some(log) = &mut self.log {
            log.push((n, heard.clone()));
        }
        match heard {
            Heard::Step { at, answered, put } => self.stepped(at, answered, put),
            Heard::Event { at, event } => self.heard(at, event),
            Heard::Rewound { at } => self.rewound(at),
        }
    }

    /// Handles a step of the rules: `answered` closes a question, and the questions below number
    /// `put` have been asked.
    fn stepped(&mut self, at: i64, answered: Option<PromptId>, put: PromptId) {
        if let Some(prompt) = answered {
            self.spans.remove(&prompt);
            self.asked.remove(&prompt);
        }
        self.asked.extend((self.put..put).map(|prompt| (prompt, at)));
        if let Some(terms) = self.terms {
            let from = self.reading(at);
            let span = Span { from, to: from + terms.answer, reminded: false, expired: false };
            self.spans.extend((self.put..put).map(|prompt| (prompt, span)));
        }
        self.put = self.put.max(put);
    }

    /// Returns the reading of the game's clock at this time.
    fn reading(&self, at: i64) -> i64 {
        self.paused.unwrap_or(at) - self.stood
    }

    fn heard(&mut self, at: i64, event: Event) {
        match event.what {
            What::Clock(ClockEvent::Paused) => _ = self.paused.get_or_insert(at),
            What::Clock(ClockEvent::Resumed) => {
                // If the wall clock was set back during the pause, no time is subtracted.
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

    /// Handles a rewind by a director: all open questions are asked again, with full time, and the
    /// clock runs.
    fn rewound(&mut self, at: i64) {
        self.asked.values_mut().for_each(|asked| *asked = at);
        let Some(terms) = self.terms else { return };
        (self.stood, self.paused) = (0, None);
        for span in self.spans.values_mut() {
            *span = Span { from: at, to: at + terms.answer, reminded: false, expired: false };
        }
    }

    /// Returns the event that is due for a question now: a reminder after half the time, or the
    /// expiry.
    pub fn due(&self, prompt: PromptId, now: i64) -> Option<ClockEvent> {
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

    /// Returns the contradiction in a `clock` line written at this time: an event that does not
    /// follow from the terms, pauses and rulings before it. Returns `None` if there is none.
    #[must_use]
    pub fn wrong(&self, at: i64, prompt: PromptId, event: ClockEvent) -> Option<String> {
        let due = self.due(prompt, at);
        let until = || match self.deadline(prompt) {
            Some(Deadline::Until(until)) => format!("it is {}", moment(until, "UTC")),
            Some(Deadline::Expired(until)) => format!("it was {}, and passed in an entry before", moment(until, "UTC")),
            Some(Deadline::Paused(_)) => "the game is paused".to_owned(),
            None => "there is none".to_owned(),
        };
        match event {
            ClockEvent::Expired if due != Some(ClockEvent::Expired) => {
                Some(format!("the deadline of question {prompt} has not passed: {}", until()))
            }
            ClockEvent::Reminded if due.is_none() => {
                Some(format!("no reminder of the deadline of question {prompt} is due: {}", until()))
            }
            // A pause writes a line for each open question.
            _ => None,
        }
    }

    /// Returns the time of the next [due](Deadlines::due) event for a question, in seconds since
    /// 1970; `None` if none is scheduled.
    pub fn next_due(&self, prompt: PromptId) -> Option<i64> {
        let span = self.spans.get(&prompt).filter(|span| self.paused.is_none() && !span.expired)?;
        let reading = if span.reminded { span.to } else { span.from + (span.to - span.from) / 2 };
        Some(reading.min(span.to) + self.stood)
    }

    /// Returns whether there are events after line `after` for everybody, and whether there are any
    /// for this seat alone.
    pub fn news(&self, seat: Seat, after: u64, asked: &[PromptId]) -> (bool, bool) {
        let new = |event: &&Event| event.n > after;
        let reminder = |event: &Event| event.what == What::Clock(ClockEvent::Reminded);
        let mine = |event: &Event| reminder(event) && event.seat == seat && asked.contains(&event.prompt);
        let events = self.events.iter().filter(new);
        (events.clone().any(|event| !reminder(event)), events.clone().any(mine))
    }
}

impl Deadline {
    /// Describes the deadline for a reader in this time zone.
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

/// Formats a time in UTC, and also in the reader's zone if that is another.
pub fn moment(at: DateTime<Utc>, zone: &str) -> String {
    let form = "%a %-d %b %Y, %H:%M";
    let utc = format!("{} UTC", at.format(form));
    match zone.parse::<chrono_tz::Tz>() {
        Ok(tz) if tz != chrono_tz::UTC => format!("{utc} ({} in {zone})", at.with_timezone(&tz).format(form)),
        _ => utc,
    }
}

/// Formats a time briefly in the reader's zone, such as `Thu 12 Nov, 14:00 UTC`.
pub fn brief_moment(at: DateTime<Utc>, zone: &str) -> String {
    let form = "%a %-d %b, %H:%M %Z";
    match zone.parse::<chrono_tz::Tz>() {
        Ok(tz) => at.with_timezone(&tz).format(form).to_string(),
        Err(_) => at.format(form).to_string(),
    }
}

/// Formats a duration in whole days or hours, or in minutes if it is short.
pub fn span(seconds: i64) -> String {
    let (count, unit) = match seconds {
        s if s >= 2 * DAY && s % DAY == 0 => (s / DAY, "day"),
        s if s >= 2 * HOUR || s == HOUR => (s / HOUR, "hour"),
        s => (s / 60, "minute"),
    };
    let words = usize::try_from(count).map_or_else(|_| count.to_string(), spelt);
    format!("{words} {unit}{}", if count == 1 { "" } else { "s" })
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
mod tests {
    use super::*;

    #[test]
    fn a_deadline_passes_neither_early_nor_in_a_pause() {
        let mut deadlines = Deadlines::of(r#"{"answer":7200}"#);
        deadlines.hear(1, Heard::Step { at: 0, answered: None, put: 1 });
        let wrong = |deadlines: &Deadlines, at, event| deadlines.wrong(at, 0, event).unwrap_or_default();
        let early = wrong(&deadlines, 7_199, ClockEvent::Expired);
        assert!(early.contains("has not passed: it is Thu 1 Jan 1970, 02:00 UTC"), "{early}");
        assert_eq!(wrong(&deadlines, 7_200, ClockEvent::Expired), "");
        assert!(wrong(&deadlines, 3_599, ClockEvent::Reminded).contains("no reminder"));
        assert_eq!(wrong(&deadlines, 3_600, ClockEvent::Reminded), "");
        let what = What::Clock(ClockEvent::Paused);
        deadlines.hear(2, Heard::Event { at: 3_600, event: Event { n: 2, prompt: 0, seat: Seat(0), what } });
        assert!(wrong(&deadlines, 9_000, ClockEvent::Expired).ends_with("the game is paused"));
        assert_eq!(wrong(&deadlines, 9_000, ClockEvent::Resumed), "");
        assert!(
            Deadlines::default().wrong(0, 0, ClockEvent::Expired).is_some_and(|why| why.ends_with("there is none"))
        );
    }
}
