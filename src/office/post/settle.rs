//! The end of a change: its append, and the letters about it.

use crate::{
    error::OfficeError,
    post::notify::notify,
    services::Services,
    transaction::{Committed, Transaction, following::begins},
};

/// Commits a change, and puts the letters about it into the outbox.
pub(crate) fn settle(tx: Transaction, services: &Services) -> Result<Committed, OfficeError> {
    match tx.is_untouched() {
        true => tx.commit(services),
        false => written(tx.commit(services)?, services),
    }
}

/// Completes the last change if the program ended before it was settled: its letters are written as
/// they would have been written then, and its consequences follow.
pub(crate) fn finish(mut tx: Transaction, services: &Services) -> Result<Committed, OfficeError> {
    // Nobody is invited to a game that is about to begin.
    if !begins(&tx) {
        let (last, at) = tx.last_change();
        let now = services.moment.replace(at);
        tx = written(last, services)?.go_on();
        services.moment.set(now);
    }
    tx.follow(services)?;
    written(tx.commit(services)?, services)
}

fn written(mut committed: Committed, services: &Services) -> Result<Committed, OfficeError> {
    let news = std::mem::take(&mut committed.news);
    let notices = notify(committed.game(), services, news)?;
    committed.deliver(services, notices)?;
    Ok(committed)
}
