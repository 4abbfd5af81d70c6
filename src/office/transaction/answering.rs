//! Automatic answers: runs standing orders and bots until neither has an answer.

use crate::{
    error::OfficeError,
    services::Services,
    transaction::{Transaction, bots, standing_orders},
};

/// Lets standing orders and bots answer all questions that they can. Returns `true` if any did.
pub(crate) fn answer_all(tx: &mut Transaction, services: &Services) -> Result<bool, OfficeError> {
    let before = tx.next_line();
    // One bot's answer may raise a question for another bot or a standing order.
    loop {
        standing_orders::answer(tx, services)?;
        if !bots::answer(tx, services)? {
            return Ok(tx.next_line() > before);
        }
    }
}
