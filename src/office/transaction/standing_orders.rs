//! Using standing orders when their questions arise, and revealing them when they end.

use crate::{
    error::OfficeError,
    game::{
        fitting::{self, Fitting},
        queue::Queue,
        refusals::refusal,
    },
    services::Services,
    transaction::{Transaction, plans},
};
use postrider_journal::Via;
use postrider_replay::LiveFault;
use postrider_table::{Asked, PromptId, Rejected};
use std::collections::BTreeSet;

/// The maximum number of standing orders carried out after one decision. A game that asks more
/// questions would never stop.
const MOST_STANDING: usize = 10_000;

/// The result of applying a standing order to a question.
enum Use {
    /// It answered.
    Answered,
    /// It ended.
    Ended,
    /// It does not answer this question.
    Silent,
}

/// Answers questions from standing orders, as long as any fits.
pub(crate) fn answer(tx: &mut Transaction, services: &Services) -> Result<(), OfficeError> {
    // An optional question is answered only once by each order; otherwise two seats could offer and
    // refuse forever.
    let mut beside: BTreeSet<(u64, PromptId)> = BTreeSet::new();
    'again: for _ in 0..MOST_STANDING {
        let seats = tx.seats_standing();
        if seats.is_empty() {
            return Ok(());
        }
        drop_ended(tx, services)?;
        let mut open: Vec<Asked> = tx.asked()?.into_iter().filter(|asked| asked.required || asked.urgent).collect();
        // Optional questions first: they can only be answered before play continues.
        open.sort_by_key(|asked| asked.required);
        for asked in open {
            if !seats.contains(&asked.seat) || tx.pauses(asked.seat) {
                continue;
            }
            if asked.required && plans::go_on_with_plan(tx, services, &asked)? {
                continue 'again;
            }
            for (n, queue) in tx.standing_for(asked.seat, asked.kind) {
                if !asked.required && beside.contains(&(n, asked.id)) {
                    continue;
                }
                match answer_by(tx, services, &asked, n, &queue)? {
                    Use::Answered | Use::Ended => {
                        beside.insert((n, asked.id));
                        continue 'again;
                    }
                    Use::Silent => {}
                }
            }
        }
        return Ok(());
    }
    Ok(())
}

/// Lets a standing order answer a question, if it has an answer.
fn answer_by(
    tx: &mut Transaction,
    services: &Services,
    asked: &Asked,
    n: u64,
    queue: &Queue,
) -> Result<Use, OfficeError> {
    let (seat, kind) = (asked.seat, asked.kind);
    if let Some(stop) = &queue.stop
        && fitting::ends(tx, services, asked, (n, stop))? == Some(true)
    {
        tx.end(services, seat, n, format!("Your standing order for {} has ended: {stop}.", queue.title()))?;
        return Ok(Use::Ended);
    }
    let used = tx.facts.uses(n, seat, kind);
    if queue.is_used_up(used) {
        tx.unseal(services, n)?;
        return Ok(Use::Ended);
    }
    if let Some(fact) = fitting::breaks(tx, services, asked, queue) {
        let rest = queue.rest(used);
        let note = format!(
            "Your orders for further turns have ended ({}): {}.{rest} Send what you still want.",
            fact.name, fact.about
        );
        tx.end(services, seat, n, note)?;
        return Ok(Use::Ended);
    }
    for order in queue.due(used) {
        let understood = match fitting::fitting(tx, services, asked, order) {
            Fitting::Order(understood) => understood,
            Fitting::NotNow => continue,
            Fitting::Incomplete if queue.chooses() => return Ok(Use::Silent),
            Fitting::Incomplete => {
                let why = "It does not say all that this question asks for.";
                return drop_order(tx, services, asked, n, (queue, order), why);
            }
            Fitting::Misread(_) if queue.chooses() => continue,
            Fitting::Misread(why) => return drop_order(tx, services, asked, n, (queue, order), &why),
        };
        match tx.decide(services, seat, &understood, Via::Standing, None) {
            Ok(()) if queue.is_used_up(used + 1) => {
                tx.unseal(services, n)?;
                return Ok(Use::Answered);
            }
            Ok(()) => return Ok(Use::Answered),
            Err(OfficeError::Live(LiveFault::Rejected(Rejected::Refused(_)))) if queue.chooses() => {}
            Err(OfficeError::Live(LiveFault::Rejected(why))) => {
                return drop_order(tx, services, asked, n, (queue, order), &refusal(&why, "-"));
            }
            Err(other) => return Err(other),
        }
    }
    Ok(Use::Silent)
}

/// Ends a standing order that does not fit, and tells its seat why.
fn drop_order(
    tx: &mut Transaction,
    services: &Services,
    asked: &Asked,
    n: u64,
    (queue, order): (&Queue, &str),
    why: &str,
) -> Result<Use, OfficeError> {
    let note = match queue.once {
        Some(_) => format!("Your order \"{order}\", kept for this question, does not fit and is dropped. {why}"),
        None => format!(
            "Your standing order for {} has ended, since \"{order}\" could not be carried out. {why}{}",
            queue.title(),
            queue.rest(tx.facts.uses(n, asked.seat, asked.kind) + 1)
        ),
    };
    tx.end(services, asked.seat, n, note)?;
    Ok(Use::Ended)
}

/// Drops orders kept for a question of a past Round, and those whose Turn has come.
fn drop_ended(tx: &mut Transaction, services: &Services) -> Result<(), OfficeError> {
    plans::drop_plans(tx, services)?;
    let place = tx.place();
    let turn = tx.live.marks.last().map_or(0, |mark| mark.turn);
    for seat in tx.seats_standing() {
        for (n, queue) in tx.all_standing(seat) {
            if queue.within.as_ref().is_some_and(|within| *within != place) {
                let used = tx.facts.uses(n, seat, &queue.kind);
                let passes = queue.goes_on && used + 1 >= queue.orders.len();
                let rest = queue.rest(used);
                tx.unseal(services, n)?;
                if !passes && !rest.is_empty() {
                    tx.news.notes.push((seat, format!("The Round of your orders for further turns is over.{rest}")));
                }
            } else if queue.once.as_ref().is_some_and(|once| *once != place) {
                let order = queue.orders.join("; ");
                let note = format!(
                    "Your order \"{order}\" was kept for a question that did not come in its Round, and is dropped."
                );
                tx.end(services, seat, n, note)?;
            } else if let Some(until) = queue.until.filter(|until| turn >= u64::from(*until)) {
                let note =
                    format!("Your standing order for {} has ended: it was left until Turn {until}.", queue.title());
                tx.end(services, seat, n, note)?;
            }
        }
    }
    Ok(())
}
