//! Deadlines and reminders that are due, written into the journal.

use crate::{
    error::OfficeError,
    game::hours,
    services::Services,
    transaction::{
        Transaction,
        motions::{self, Proposal},
    },
};
use postrider_journal::{Body, Clock, ClockEvent, Via, What};
use postrider_replay::{AtFlag, LiveFault};
use postrider_table::{Asked, Seat, Understood};
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
    /// Seats that have lost the game because they did not answer in time.
    pub forfeited: usize,
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
    let Some(at_flag) = tx.live.deadlines.terms().map(|terms| terms.at_flag) else { return Ok(ticked) };
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
        if at_flag == AtFlag::Play && answer_for(tx, services, &asked)? {
            ticked.played += 1;
        }
    }
    while let Some(seat) = lost(tx, now.timestamp())? {
        let by = tx.live.seat_name(seat).to_owned();
        let proposal = Proposal { by, what: What::Forfeit {}, reason: String::new(), via: Via::Deadline, words: None };
        if let Err(why) = motions::propose(tx, services, proposal) {
            why.only_errors()?;
            break;
        }
        ticked.forfeited += 1;
    }
    Ok(ticked)
}

/// The first seat that has lost the game because it did not answer in time.
fn lost(tx: &mut Transaction, now: i64) -> Result<Option<Seat>, OfficeError> {
    if tx.live.closed {
        return Ok(None);
    }
    let asked = tx.asked()?;
    let mut awaited = asked.iter().filter(|asked| asked.required).map(|asked| asked.seat);
    Ok(awaited
        .find(|seat| tx.live.deadlines.forfeits(*seat, now) && !tx.live.motions.has_conceded(tx.live.seat_name(*seat))))
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
