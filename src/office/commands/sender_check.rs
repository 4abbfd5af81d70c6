//! The signature check of one seat's mails, which overrides the host's settings.

use crate::{error::OfficeError, misuse::Misuse, service::Office};
use postrider_store::{Kept, Player, SenderCheck};
use postrider_table::Seat;

impl Office {
    /// Sets the check for a seat, from the next mail on.
    ///
    /// # Errors
    /// [`Misuse::NoSeat`], also for a seat not played by mail.
    pub fn check_senders(&mut self, game: &str, seat: Seat, check: SenderCheck) -> Result<(), OfficeError> {
        self.change(game, |_, tx| {
            if !tx.seats.player(seat).is_some_and(Player::by_mail) {
                return Err(Misuse::NoSeat { seat: seat.to_string(), game: game.to_owned() }.into());
            }
            Ok(tx.keep(Kept::SenderCheck(seat, check))?)
        })
    }
}
