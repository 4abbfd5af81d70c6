//! The consequences of a change: automatic answers, the append, and the letters.

use crate::{
    error::OfficeError,
    post::{notify, reply::Reply},
    services::Services,
    transaction::{Transaction, answering, stand_ins},
};
use postrider_table::Seat;

/// Does everything that follows automatically: begins the game when all have joined, lets standing
/// orders answer, appends the lines, and puts the letters that are due into the outbox. Repeating
/// it changes nothing.
pub(crate) fn settle(
    tx: &mut Transaction,
    services: &Services,
    reply: Option<(Seat, Reply)>,
) -> Result<(), OfficeError> {
    if tx.live.started.is_none()
        && !tx.live.closed
        && tx.live.joined.iter().all(Option::is_some)
        && tx.secrets.declined.is_empty()
    {
        let n = tx.next_line();
        let step = tx.live.start(n)?;
        for body in &step.bodies {
            tx.line(services, body)?;
        }
    }
    stand_ins::seat_all(tx, services)?;
    answering::answer_all(tx, services)?;
    if tx.live.closed {
        // When a game is over, nothing needs to stay hidden; with these texts all of it can be
        // proved.
        let sealed: Vec<u64> = tx.facts.standing.iter().chain(&tx.facts.forgotten).map(|one| one.n).collect();
        for n in sealed {
            tx.unseal(services, n)?;
        }
    }
    tx.append(reply.as_ref().map(|(seat, reply)| (*seat, reply.mail)))?;
    let news = std::mem::take(&mut tx.news);
    let notices = notify::notify(tx, services, news, reply)?;
    Ok(tx.deliver(services, notices)?)
}
