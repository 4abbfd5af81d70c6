//! Hours in which a player answers: reminders come, and deadlines pass, only then.

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

/// So many hours of a day at least: whoever had fewer could put off every deadline for a day.
pub(crate) const FEWEST_HOURS: u32 = 6;

/// A deadline that would fall into a player's night passes so long after his hours have begun, in seconds.
const AFTER_THEY_BEGIN: i64 = 3_600;

/// How the deadline of a question stands, by the hours of the player who is asked.
pub(crate) fn deadline_of(game: &Game, services: &Services, seat: Seat, prompt: PromptId) -> Option<Deadline> {
    Some(match game.live.deadlines.deadline(prompt)? {
        Deadline::Until(until) => Deadline::Until(in_his_hours(game, services, seat, until)),
        other => other,
    })
}

/// What is due now for a question of a seat, if his hours let it be.
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

/// When something is next to be done about a question of a seat, in seconds since 1970.
pub(crate) fn next_due_for(game: &Game, services: &Services, seat: Seat, prompt: PromptId) -> Option<i64> {
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
    // A reminder that could come only when the time is over does not come.
    match (seconds(game.live.deadlines.deadline(prompt)), seconds(deadline_of(game, services, seat, prompt))) {
        (Some(over), Some(passes)) if may >= over => Some(passes),
        _ => Some(may),
    }
}

/// A moment, or where it lies outside a player's hours a while after they next begin.
fn in_his_hours(game: &Game, services: &Services, seat: Seat, at: DateTime<Utc>) -> DateTime<Utc> {
    let Some(hours) = game.secrets.hours.get(&seat) else { return at };
    let zone = game.zone(services, seat);
    if hours.hold(local_hour(zone, at)) {
        return at;
    }
    let begin = next_at_hour(zone, at.timestamp(), hours.from);
    DateTime::from_timestamp(begin + AFTER_THEY_BEGIN, 0).unwrap_or(at)
}
