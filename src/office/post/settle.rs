//! The consequences of a change: automatic answers, the append, and the letters.

use crate::{
    error::OfficeError,
    game::Game,
    post::{notify, reply::Reply, told},
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
    if begins(tx) {
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
    tx.told = told::to_keep(tx, services, reply.as_ref(), tx.last_hash())?;
    tx.append(reply.as_ref().map(|(seat, reply)| (*seat, reply.mail)))?;
    let news = std::mem::take(&mut tx.news);
    let notices = notify::notify(tx, services, news, reply)?;
    tx.deliver(services, notices)
}

/// Returns `true` if nothing is missing for play to begin.
fn begins(game: &Game) -> bool {
    let open = game.live.started.is_none() && !game.live.closed;
    open && game.live.joined.iter().all(Option::is_some) && game.secrets.declined.is_empty()
}

/// Writes the letters about the last command as it would have written them itself, if the program
/// ended before all were in the outbox.
pub(crate) fn finish(tx: &mut Transaction, services: &Services) -> Result<(), OfficeError> {
    // Nobody is invited to a game that is about to begin.
    if begins(tx) {
        return Ok(());
    }
    let (at, news, reply) = told::of_last_command(tx);
    let now = services.moment.replace(at);
    let notices = notify::notify(tx, services, news, reply)?;
    tx.deliver(services, notices)?;
    services.moment.set(now);
    Ok(())
}
