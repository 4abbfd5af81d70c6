//! What follows from a change: automatic answers, the append, the letters.

use crate::{
    error::OfficeError,
    post::{notify, reply::Reply},
    services::Services,
    transaction::{Transaction, answering, stand_ins},
};
use postrider_table::Seat;

/// Everything that follows of itself: the game begins when all have joined, standing orders answer what they can, the
/// lines are appended, and the letters that are due are in the outbox when this returns. Doing it again changes nothing.
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
        // Nothing of a game that is over need stay hidden; with this all of it can be proved.
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
