//! Rewinds: orders that are taken back, fresh chains for what comes.

use crate::{
    error::{NotDone, OfficeError},
    game::{directors::By, undoing},
    services::Services,
    transaction::{Back, Transaction},
};
use postrider_dice::Hash;
use postrider_table::Seat;

/// Goes on after the last line with fresh chains: what lines that were lost drew is not drawn again. No letter from before counts.
pub(crate) fn go_on_afresh(
    tx: &mut Transaction,
    services: &Services,
    by: String,
    reason: String,
) -> Result<(), OfficeError> {
    let point = undoing::point(tx, services, tx.head().n)?;
    let fresh = tx.fresh_chains()?;
    let said = By { name: &by, words: None }.said(tx);
    tx.undo_with(services, &point, Back { by, reason, of: None, from: 0, mail: None, said }, fresh)
}

/// A seat takes its last order back, if nothing was learned since; says what was done or why not.
pub(crate) fn take_back(
    tx: &mut Transaction,
    services: &Services,
    seat: Seat,
    mail: Option<Hash>,
) -> Result<String, NotDone> {
    tx.append(mail.map(|mail| (seat, mail)))?;
    let n = undoing::can_take_back(tx, seat).map_err(NotDone::why)?;
    let point = undoing::point(tx, services, n - 1)?;
    // Questions from before keep their letters; those that the order led to are asked no more.
    let from = point.prompts;
    let by = tx.live.seat_name(seat).to_owned();
    tx.undo(services, &point, Back { by, reason: "taken back".to_owned(), of: None, from, mail, said: (None, None) })?;
    Ok(format!("back: your last order (entry {n}) is undone"))
}
