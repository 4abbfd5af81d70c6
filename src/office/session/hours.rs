//! The hours in which a player answers: reminders come, and deadlines pass, only then.
//!
//! Whether a deadline has passed is said by a line of the journal, and that line is written later where it would fall into the night.

use super::{
    Game, Transaction,
    local_time::{local_hour, next_at_hour},
};
use crate::{error::OfficeError, services::Services};
use chrono::{DateTime, Utc};
use postrider_journal::ClockEvent;
use postrider_replay::Deadline;
use postrider_store::{Hours, Kept};
use postrider_table::{PromptId, Seat};

/// So many hours of a day at least: whoever had fewer could put off every deadline for a day.
pub(crate) const FEWEST_HOURS: u32 = 6;

/// A deadline that would fall into a player's night passes so long after his hours have begun, in seconds.
const AFTER_THEY_BEGIN: i64 = 3_600;

impl Game {
    /// How the deadline of a question stands, by the hours of the player who is asked.
    pub(crate) fn deadline_of(&self, services: &Services, seat: Seat, prompt: PromptId) -> Option<Deadline> {
        Some(match self.live.deadlines.deadline(prompt)? {
            Deadline::Until(until) => Deadline::Until(self.in_his_hours(services, seat, until)),
            other => other,
        })
    }

    /// What is due now for a question of a seat, if his hours let it be.
    pub(crate) fn due_for(
        &self,
        services: &Services,
        seat: Seat,
        prompt: PromptId,
        now: DateTime<Utc>,
    ) -> Option<ClockEvent> {
        let event = self.live.deadlines.due(prompt, now.timestamp())?;
        let Some(hours) = self.secrets.hours.get(&seat) else { return Some(event) };
        match event {
            ClockEvent::Expired => match self.deadline_of(services, seat, prompt) {
                Some(Deadline::Until(until)) if now < until => None,
                _ => Some(event),
            },
            _ => hours.hold(local_hour(self.zone(services, seat), now)).then_some(event),
        }
    }

    /// When something is next to be done about a question of a seat, in seconds since 1970.
    pub(crate) fn next_due_for(&self, services: &Services, seat: Seat, prompt: PromptId) -> Option<i64> {
        let due = self.live.deadlines.next_due(prompt)?;
        let Some(hours) = self.secrets.hours.get(&seat) else { return Some(due) };
        let zone = self.zone(services, seat);
        let may = match hours.hold(local_hour(zone, DateTime::from_timestamp(due, 0)?)) {
            true => due,
            false => next_at_hour(zone, due, hours.from),
        };
        let seconds = |deadline: Option<Deadline>| match deadline {
            Some(Deadline::Until(until)) => Some(until.timestamp()),
            _ => None,
        };
        // A reminder that could come only when the time is over does not come.
        match (seconds(self.live.deadlines.deadline(prompt)), seconds(self.deadline_of(services, seat, prompt))) {
            (Some(over), Some(passes)) if may >= over => Some(passes),
            _ => Some(may),
        }
    }

    /// A moment, or where it lies outside a player's hours a while after they next begin.
    fn in_his_hours(&self, services: &Services, seat: Seat, at: DateTime<Utc>) -> DateTime<Utc> {
        let Some(hours) = self.secrets.hours.get(&seat) else { return at };
        let zone = self.zone(services, seat);
        if hours.hold(local_hour(zone, at)) {
            return at;
        }
        let begin = next_at_hour(zone, at.timestamp(), hours.from);
        DateTime::from_timestamp(begin + AFTER_THEY_BEGIN, 0).unwrap_or(at)
    }
}

impl Transaction {
    /// Settles in which hours a player answers; says it.
    pub(crate) fn set_hours(
        &mut self,
        services: &Services,
        seat: Seat,
        hours: Option<Hours>,
    ) -> Result<String, OfficeError> {
        let Some(chosen) = hours else {
            self.keep(Kept::Hours(seat, None))?;
            return Ok("Reminders come, and deadlines pass, at any hour from now on.".to_owned());
        };
        let hours = chosen.count();
        if hours < FEWEST_HOURS {
            return Ok(format!(
                "Your hours were not changed: {hours} of a day are too few, since deadlines wait for them; {FEWEST_HOURS} is the least."
            ));
        }
        self.keep(Kept::Hours(seat, Some(chosen)))?;
        let (from, to, zone) = (chosen.from, chosen.to, self.zone(services, seat));
        let deadlines = match self.live.deadlines.terms() {
            Some(_) => "a deadline that would pass outside passes an hour after they begin",
            None => "this game has no deadlines, so nothing changes for now",
        };
        Ok(format!(
            "Your hours are {from}:00 to {to}:00 ({zone}): reminders come only then, and {deadlines}. `hours off` ends it; `zone …` \
             says where you are."
        ))
    }
}
