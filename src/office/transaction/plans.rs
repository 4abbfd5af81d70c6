//! Plans for a later Round: orders that are sealed one by one, used in sequence, and dropped if one
//! does not fit.

use crate::{
    error::{NotDone, OfficeError},
    game::{
        fitting::{self, Fitting},
        queue::{Planned, Queue},
        refusals::refusal,
    },
    services::Services,
    transaction::Transaction,
};
use postrider_journal::Via;
use postrider_replay::LiveFault;
use postrider_table::{Asked, Seat};

/// The number of Turns after which a plan that has not begun is dropped.
const TURNS: u64 = 2;

/// Keeps orders for the next Round in which the first of them answers a question of the seat. They
/// replace an earlier plan; no orders end it.
pub(crate) fn plan_ahead(
    tx: &mut Transaction,
    services: &mut Services,
    seat: Seat,
    orders: &[String],
    from: &str,
) -> Result<(), NotDone> {
    for (n, ..) in tx.plan_of(seat) {
        tx.unseal(services, n)?;
    }
    let (left_in, turn) = (tx.place(), tx.live.marks.last().map_or(0, |mark| mark.turn));
    for (place, order) in (0..).zip(orders) {
        let plan = Some(Planned { place, left_in: left_in.clone(), turn });
        let queue = Queue { orders: vec![order.clone()], from: from.to_owned(), plan, ..Queue::default() };
        tx.seal(services, seat, &queue)?;
    }
    Ok(())
}

/// Answers a question by the next order of a plan, if that fits. Returns `true` if anything was
/// done. An order that the rules refuse ends the plan, and the player is asked.
pub(crate) fn go_on_with_plan(tx: &mut Transaction, services: &Services, asked: &Asked) -> Result<bool, OfficeError> {
    let seat = asked.seat;
    let Some((n, planned, order)) = tx.plan_of(seat).into_iter().next() else { return Ok(false) };
    if planned.place == 0 && planned.left_in == tx.place() {
        return Ok(false);
    }
    let Fitting::Order(understood) = fitting::fitting(tx, services, asked, &order) else { return Ok(false) };
    match tx.decide(services, seat, &understood, Via::Standing, None) {
        Ok(()) => tx.unseal(services, n)?,
        Err(OfficeError::Live(LiveFault::Rejected(why))) => {
            let why = format!("\"{order}\" could not be carried out. {}", refusal(&why, "-"));
            drop_plan(tx, services, seat, &why)?;
        }
        Err(other) => return Err(other),
    }
    Ok(true)
}

/// Drops plans whose Round is over, and those that have not begun in time.
pub(crate) fn drop_plans(tx: &mut Transaction, services: &Services) -> Result<(), OfficeError> {
    let Some(mark) = tx.live.marks.last().map(|mark| (mark.n, mark.turn)) else { return Ok(()) };
    for seat in tx.seats_standing() {
        let Some((_, planned, _)) = tx.plan_of(seat).into_iter().next() else { continue };
        let begun = planned.place > 0;
        if begun && tx.facts.last_use(seat) < Some(mark.0) {
            drop_plan(tx, services, seat, "Its Round is over.")?;
        } else if !begun && mark.1 >= planned.turn + TURNS {
            drop_plan(tx, services, seat, "It was not begun by the end of the next Turn.")?;
        }
    }
    Ok(())
}

fn drop_plan(tx: &mut Transaction, services: &Services, seat: Seat, why: &str) -> Result<(), OfficeError> {
    let plan = tx.plan_of(seat);
    let orders: Vec<String> = plan.iter().map(|(.., order)| order.clone()).collect();
    for (n, ..) in plan {
        tx.unseal(services, n)?;
    }
    tx.news.notes.push((seat, format!("What was left of your plan is dropped: \"{}\". {why}", orders.join("; "))));
    Ok(())
}
