//! What commands that change a game have in common.

use crate::{
    office::{Host, Office, Shelf, Trouble, World, seat_of, send},
    table::Seat,
};
use std::path::Path;

/// The office of the host whose folder this is.
pub(super) fn office(root: &Path) -> Result<Office, Trouble> {
    Office::open(Host::open(root)?, Shelf::house(), World::System)
}

/// A seat by its letter, in any case.
pub(super) fn seat(letter: &str) -> Result<Seat, Trouble> {
    let unknown = || Trouble::Use(format!("\"{letter}\" is no seat; seats are called A, B, C …"));
    seat_of(&letter.to_ascii_uppercase()).ok_or_else(unknown)
}

/// Hands over what the command made owed. A mail server that is away keeps no command from being done: the mails stay owed
/// until the next `postrider tick`.
pub(super) fn send_owed(office: &Office) {
    match send(office.host()) {
        Ok(sent) if sent.waiting.0 > 0 => {
            tracing::warn!(mails = sent.waiting.0, why = sent.waiting.1, "mails wait in the outbox");
        }
        Ok(_) => {}
        Err(why) => tracing::warn!(%why, "mails wait in the outbox"),
    }
}
