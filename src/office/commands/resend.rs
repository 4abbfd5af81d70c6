//! Another letter to a player who does not respond, with the present position.

use crate::{error::OfficeError, misuse::Misuse, post::invitation, service::Office, transaction::reply::Reply};
use postrider_dice::h;
use postrider_table::Seat;

impl Office {
    /// Writes the present position and open questions to a seat, even if it has had them before,
    /// and clears the record of its undelivered letters.
    ///
    /// # Errors
    /// [`Misuse::NoSeat`], also for a seat not played by mail; [`OfficeError`] if the game cannot
    /// be opened.
    pub fn resend(&mut self, game: &str, seat: Seat) -> Result<(), OfficeError> {
        self.change(game, |services, tx| {
            if !tx.seats.player(seat).is_some_and(postrider_store::Player::by_mail) {
                return Err(Misuse::NoSeat { seat: seat.to_string(), game: game.to_owned() }.into());
            }
            services.store.forgive(&format!("{game}.{seat}."))?;
            if tx.live.started.is_none() {
                return invitation::invite_again(tx, services, seat);
            }
            let at = services.at();
            let mail = h("postrider/resend/v1", &[game, &seat.to_string(), &at]);
            let reply = Reply { mail, subject: "your letter, once more".to_owned(), status: true, ..Reply::default() };
            tx.news.answer_player(seat, reply);
            Ok(())
        })
    }
}
