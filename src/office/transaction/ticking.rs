//! Deadlines and reminders that are due, written into the journal.

use crate::{
    error::OfficeError,
    game::hours,
    services::Services,
    transaction::{Transaction, motions},
};
use postrider_journal::{Body, Clock, ClockEvent, Via};
use postrider_replay::{AtDeadline, LiveFault};
use postrider_table::{Asked, Understood};
use serde::Serialize;

/// More deadlines than this do not pass in one go: a game that asks so often asks for ever.
const MOST: usize = 10_000;

/// What `Office::tick` found in one game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Ticked {
    /// Reminders that were due.
    pub reminded: usize,
    /// Deadlines that had passed.
    pub expired: usize,
    /// Questions of those that were answered.
    pub played: usize,
}

pub(crate) fn clock_line(
    tx: &mut Transaction,
    services: &Services,
    asked: &Asked,
    event: ClockEvent,
) -> Result<(), OfficeError> {
    let seat = tx.live.seat_name(asked.seat).to_owned().into();
    tx.line(services, &Body::Clock(Clock { prompt: u64::from(asked.id), seat, event }))?;
    Ok(())
}

/// Writes what is due by the wall clock. The lines are not yet appended.
pub(crate) fn tick(tx: &mut Transaction, services: &Services) -> Result<Ticked, OfficeError> {
    let mut ticked = Ticked::default();
    let Some(terms) = tx.live.deadlines.terms else { return Ok(ticked) };
    motions::go_on(tx, services)?;
    let now = services.environment.now();
    for _ in 0..MOST {
        let asked = tx.asked()?.into_iter().filter(|asked| asked.required);
        let due = { asked }.find_map(|asked| Some((hours::due_for(tx, services, asked.seat, asked.id, now)?, asked)));
        let Some((event, asked)) = due else { break };
        clock_line(tx, services, &asked, event)?;
        if event == ClockEvent::Reminded {
            ticked.reminded += 1;
            continue;
        }
        ticked.expired += 1;
        if terms.at_deadline == AtDeadline::Play && answer_for(tx, services, &asked)? {
            ticked.played += 1;
        }
    }
    Ok(ticked)
}

/// Answers a question as the rules have it for a deadline that has passed; says whether they have an answer.
fn answer_for(tx: &mut Transaction, services: &Services, asked: &Asked) -> Result<bool, OfficeError> {
    let order = tx.live.dyn_game.as_mut().and_then(|dyn_game| dyn_game.at_deadline(asked.id));
    let Some(order) = order else { return Ok(false) };
    let understood = Understood::answer(asked, order);
    match tx.decide(services, asked.seat, &understood, Via::Deadline, None) {
        Ok(()) => Ok(true),
        Err(OfficeError::Live(LiveFault::Rejected(why))) => {
            let game = &tx.id;
            tracing::error!(game, kind = asked.kind, %why, "the answer at a deadline was refused; the game waits");
            // Where the rules broke down, the game was rebuilt; the line that the deadline has passed is safe.
            Ok(false)
        }
        Err(other) => Err(other),
    }
}
