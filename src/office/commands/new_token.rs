//! New tokens by the host, for a player whose letter was seen by others.

use crate::{
    error::OfficeError,
    misuse::Misuse,
    post::invitation,
    service::Office,
    transaction::{reply::Reply, settings},
};
use postrider_dice::h;
use postrider_store::{Player, WhyRenewed};
use postrider_table::Seat;

impl Office {
    /// Issues new tokens for a seat and writes to its player. All earlier letters become void.
    ///
    /// # Errors
    /// [`Misuse::NoSeat`], also for a seat not played by mail; [`OfficeError`] if the game cannot
    /// be opened.
    pub fn new_token(&mut self, game: &str, seat: Seat) -> Result<(), OfficeError> {
        self.change(game, |services, tx| {
            if !tx.seats.player(seat).is_some_and(Player::by_mail) {
                return Err(Misuse::NoSeat { seat: seat.to_string(), game: game.to_owned() }.into());
            }
            settings::renew(tx, seat, WhyRenewed::Host, None)?;
            if tx.live.started.is_none() {
                return invitation::invite_again(tx, services, seat);
            }
            let at = services.at();
            let note =
                "The host has made a new token for your seat: all earlier letters are void, whoever has them. Please answer \
                 this letter or a newer one."
                    .to_owned();
            let mail = h("postrider/new-token/v1", &[game, &seat.to_string(), &at]);
            let subject = "a new token".to_owned();
            let reply = Reply { mail, subject, notes: vec![note], status: true, ..Reply::default() };
            tx.news.answer_player(seat, reply);
            Ok(())
        })
    }
}
