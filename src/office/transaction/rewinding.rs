//! Rewinds: taking back orders, and continuing after lost lines.

use crate::{
    error::{NotDone, OfficeError},
    game::{directors::SERVICE, undoing},
    services::Services,
    transaction::{Back, Transaction},
};
use postrider_dice::Hash;
use postrider_table::Seat;

/// Continues after the last line because later ones were lost. Earlier letters become void; the
/// chains stay, so the same orders bring the same dice and cards as in the lost lines.
pub(crate) fn go_on(tx: &mut Transaction, services: &Services, reason: String) -> Result<(), OfficeError> {
    let (point, by) = (undoing::point(tx, services, tx.head().n)?, SERVICE.name.to_owned());
    tx.undo(services, &point, Back { by, reason, of: None, from: 0, mail: None, said: (None, None) })
}

/// Takes back a seat's last order, if nothing was learned since. Returns a report, or the reason
/// why not.
pub(crate) fn take_back(
    tx: &mut Transaction,
    services: &Services,
    seat: Seat,
    mail: Option<Hash>,
) -> Result<String, NotDone> {
    tx.append(mail.map(|mail| (seat, mail)))?;
    let n = undoing::can_take_back(tx, seat).map_err(NotDone::why)?;
    let point = undoing::point(tx, services, n - 1)?;
    // Letters about earlier questions stay valid; questions that arose from the order are no longer
    // open.
    let from = point.prompts;
    let by = tx.live.seat_name(seat).to_owned();
    tx.undo(services, &point, Back { by, reason: "taken back".to_owned(), of: None, from, mail, said: (None, None) })?;
    Ok(undone(n))
}

/// Reports that a player's order in entry `n` was taken back.
pub(crate) fn undone(n: u64) -> String {
    format!("back: your last order (entry {n}) is undone")
}
