//! Writes due deadlines and reminders into the journal.

use crate::{
    error::OfficeError,
    game::hours,
    services::Services,
    transaction::{Transaction, motions},
};
use postrider_journal::{Body, Clock, ClockEvent, Via};
use postrider_replay::{AtFlag, LiveFault};
use postrider_store::MailOut;
use postrider_table::{Asked, Seat, Understood};
use serde::Serialize;
use std::collections::BTreeSet;

/// The maximum number of deadlines that expire in one run. A game that asks more questions would
/// never stop.
const MOST: usize = 10_000;

/// The result of `Office::tick` for one game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Ticked {
    /// The number of reminders that were due.
    pub reminded: usize,
    /// The number of deadlines that had expired.
    pub expired: usize,
    /// The number of questions answered because of that.
    pub played: usize,
    /// The number of seats that lost the game because of that.
    pub forfeited: usize,
}

/// The seats whose deadlines do not pass for now, because a mail that may answer cannot be taken in
/// yet. They are still reminded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Held {
    /// No seat's.
    #[default]
    Nobody,
    /// Those of these seats.
    Seats(BTreeSet<Seat>),
    /// Those of all seats.
    All,
}

impl Held {
    /// Returns the seats that either of the two holds.
    #[must_use]
    pub fn and(self, other: Held) -> Held {
        match (self, other) {
            (Held::All, _) | (_, Held::All) => Held::All,
            (Held::Nobody, held) | (held, Held::Nobody) => held,
            (Held::Seats(one), Held::Seats(other)) => Held::Seats(one.union(&other).copied().collect()),
        }
    }

    fn holds(&self, seat: Seat) -> bool {
        match self {
            Held::Nobody => false,
            Held::Seats(seats) => seats.contains(&seat),
            Held::All => true,
        }
    }
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

/// Writes everything that is due by the system clock. The lines are not yet appended. Also returns
/// `true` if a deadline would have passed but for `held`.
pub(crate) fn tick(tx: &mut Transaction, services: &Services, held: &Held) -> Result<(Ticked, bool), OfficeError> {
    let (mut ticked, mut waits) = (Ticked::default(), false);
    let Some(at_flag) = tx.live.deadlines.terms().map(|terms| terms.at_flag) else { return Ok((ticked, waits)) };
    motions::go_on(tx, services)?;
    release(tx, services)?;
    let now = services.now();
    for _ in 0..MOST {
        let asked = tx.asked()?.into_iter().filter(|asked| asked.required);
        let due = asked.filter_map(|asked| Some((hours::due_for(tx, services, asked.seat, asked.id, now)?, asked)));
        let passes = |(event, asked): &(ClockEvent, Asked)| {
            let stays = *event == ClockEvent::Expired && held.holds(asked.seat);
            waits |= stays;
            !stays
        };
        let Some((event, asked)) = { due }.find(passes) else { break };
        if has_not_left(tx, services, asked.seat)? {
            clock_line(tx, services, &asked, ClockEvent::Held)?;
            continue;
        }
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
    let seats = lost(tx, now.timestamp(), held)?;
    ticked.forfeited = motions::forfeit(tx, services, &seats)?;
    waits |= *held != Held::Nobody && !lost(tx, now.timestamp(), &Held::Nobody)?.is_empty();
    Ok((ticked, waits))
}

/// Returns `true` if the letter with the newest question to a seat still waits to be sent. Without
/// SMTP nobody can tell when a letter leaves, so it counts as sent when it is written.
fn has_not_left(tx: &Transaction, services: &Services, seat: Seat) -> Result<bool, OfficeError> {
    let by_smtp = matches!(services.host.settings.mail_out, MailOut::Smtp(_));
    let Some(written) = tx.secrets.written.get(&seat).filter(|_| by_smtp) else { return Ok(false) };
    Ok(services.store.waiting()?.contains(&written.asked_in))
}

/// Starts the clocks again that were stopped until a letter had left.
fn release(tx: &mut Transaction, services: &Services) -> Result<(), OfficeError> {
    for asked in tx.asked()?.into_iter().filter(|asked| asked.required) {
        if tx.live.deadlines.held(asked.seat) && !has_not_left(tx, services, asked.seat)? {
            clock_line(tx, services, &asked, ClockEvent::Sent)?;
        }
    }
    Ok(())
}

/// Returns the seats that have lost the game by not answering in time.
fn lost(tx: &Transaction, now: i64, held: &Held) -> Result<Vec<Seat>, OfficeError> {
    if tx.live.closed {
        return Ok(Vec::new());
    }
    let stays = |seat: &Seat| !held.holds(*seat) && !tx.live.motions.has_conceded(tx.live.seat_name(*seat));
    let asked = tx.asked()?.into_iter().filter(|asked| asked.required).map(|asked| asked.seat);
    let awaited: BTreeSet<Seat> = asked.filter(stays).collect();
    Ok(awaited.into_iter().filter(|seat| tx.live.deadlines.forfeits(*seat, now)).collect())
}

/// Answers a question as the rules provide for an expired deadline. Returns `true` if they do.
fn answer_for(tx: &mut Transaction, services: &Services, asked: &Asked) -> Result<bool, OfficeError> {
    let order = tx.live.dyn_game.as_ref().and_then(|dyn_game| dyn_game.at_deadline(asked.id));
    let Some(order) = order else { return Ok(false) };
    let understood = Understood::answer(asked, order);
    match tx.decide(services, asked.seat, &understood, Via::Deadline, None) {
        Ok(()) => Ok(true),
        Err(OfficeError::Live(LiveFault::Rejected(why))) => {
            let game = &tx.id;
            tracing::error!(game, kind = asked.kind, %why, "the answer at a deadline was refused; the game waits");
            // The game was rebuilt after the rules panicked; the line of the expired deadline is
            // safe.
            Ok(false)
        }
        Err(other) => Err(other),
    }
}
