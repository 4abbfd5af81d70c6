//! Answers that follow automatically: standing orders and bots, until neither has one.

use crate::{
    error::OfficeError,
    services::Services,
    transaction::{Transaction, bots, standing_orders},
};

/// Has standing orders and bots answer what they can; says whether they answered anything.
pub(crate) fn answer_all(tx: &mut Transaction, services: &Services) -> Result<bool, OfficeError> {
    let before = tx.next_line();
    // What one bot does may be what another, or a standing order, waited for.
    loop {
        standing_orders::answer(tx, services)?;
        if !bots::answer(tx, services)? {
            return Ok(tx.next_line() > before);
        }
    }
}
