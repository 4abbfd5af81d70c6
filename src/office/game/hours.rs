//! A player's hours: reminders are sent and deadlines expire only during them.

use crate::{
    game::{
        Game,
        local_time::{local_hour, next_at_hour},
    },
    services::Services,
};
use chrono::{DateTime, Utc};
use postrider_journal::ClockEvent;
use postrider_replay::Deadline;
use postrider_table::{PromptId, Seat};

/// The minimum number of hours per day. With fewer, every deadline could be put off for a day.
pub(crate) const FEWEST_HOURS: u32 = 6;

/// The delay after the beginning of a player's hours before a deadline that fell outside them
/// expires, in seconds.
const AFTER_THEY_BEGIN: i64 = 3_600;

/// The time between two looks for a letter that has not left, in seconds.
const LOOKS_AGAIN: i64 = 900;

/// Returns the deadline of a question, adjusted to the hours of the player asked.
pub(crate) fn deadline_of(game: &Game, services: &Services, seat: Seat, prompt: PromptId) -> Option<Deadline> {
    Some(match game.live.deadlines.deadline(prompt)? {
        Deadline::Until(until) => Deadline::Until(in_his_hours(game, services, seat, until)),
        other => other,
    })
}

/// Returns the event that is due now for a seat's question, if the player's hours allow it.
pub(crate) fn due_for(
    game: &Game,
    services: &Services,
    seat: Seat,
    prompt: PromptId,
    now: DateTime<Utc>,
) -> Option<ClockEvent> {
    let event = game.live.deadlines.due(prompt, now.timestamp())?;
    let Some(hours) = game.secrets.hours.get(&seat) else { return Some(event) };
    match event {
        ClockEvent::Expired => match deadline_of(game, services, seat, prompt) {
            Some(Deadline::Until(until)) if now < until => None,
            _ => Some(event),
        },
        _ => hours.hold(local_hour(game.zone(services, seat), now)).then_some(event),
    }
}

/// Returns the time of the next event for a seat's question, in seconds since 1970.
pub(crate) fn next_due_for(game: &Game, services: &Services, seat: Seat, prompt: PromptId) -> Option<i64> {
    if game.live.deadlines.held(seat) {
        return Some(services.now().timestamp() + LOOKS_AGAIN);
    }
    let due = game.live.deadlines.next_due(prompt)?;
    let Some(hours) = game.secrets.hours.get(&seat) else { return Some(due) };
    let zone = game.zone(services, seat);
    let may = match hours.hold(local_hour(zone, DateTime::from_timestamp(due, 0)?)) {
        true => due,
        false => next_at_hour(zone, due, hours.from),
    };
    let seconds = |deadline: Option<Deadline>| match deadline {
        Some(Deadline::Until(until)) => Some(until.timestamp()),
        _ => None,
    };
    // A reminder that could only come after the deadline is skipped.
    match (seconds(game.live.deadlines.deadline(prompt)), seconds(deadline_of(game, services, seat, prompt))) {
        (Some(over), Some(passes)) if may >= over => Some(passes),
        _ => Some(may),
    }
}

/// Returns a time unchanged or, if it is outside the player's hours, moved to a while after they
/// next begin.
fn in_his_hours(game: &Game, services: &Services, seat: Seat, at: DateTime<Utc>) -> DateTime<Utc> {
    let Some(hours) = game.secrets.hours.get(&seat) else { return at };
    let zone = game.zone(services, seat);
    if hours.hold(local_hour(zone, at)) {
        return at;
    }
    let begin = next_at_hour(zone, at.timestamp(), hours.from);
    DateTime::from_timestamp(begin + AFTER_THEY_BEGIN, 0).unwrap_or(at)
}
