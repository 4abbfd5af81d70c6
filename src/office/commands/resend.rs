//! A letter to a player from whom nothing is heard: once more, as things stand now.

use crate::{
    error::OfficeError,
    misuse::Misuse,
    post::{invitation, reply::Reply, settle},
    service::Office,
};
use postrider_dice::h;
use postrider_table::Seat;

impl Office {
    /// Writes to a seat how it stands and what is asked of it, whatever it was written before, and forgets which letters to it came
    /// back.
    ///
    /// # Errors
    /// [`Misuse::NoSeat`], also where nobody is written to by mail; [`OfficeError`] when the game cannot be opened.
    pub fn resend(&mut self, game: &str, seat: Seat) -> Result<(), OfficeError> {
        self.change(game, |services, tx| {
            if !tx.seats.player(seat).is_some_and(postrider_store::Player::by_mail) {
                return Err(Misuse::NoSeat { seat: seat.to_string(), game: game.to_owned() }.into());
            }
            services.store.forgive(&format!("{game}.{seat}."))?;
            let at = services.environment.at();
            if tx.live.started.is_none() {
                return invitation::invite_again(tx, services, seat, &at);
            }
            let mail = h("postrider/resend/v1", &[game, &seat.to_string(), &at]);
            let reply = Reply { mail, subject: "your letter, once more".to_owned(), status: true, ..Reply::default() };
            settle::settle(tx, services, Some((seat, reply)))
        })
    }
}
