//! New tokens for a seat, by the host's hand: for a player whose letter somebody else has.

use crate::{
    error::OfficeError,
    misuse::Misuse,
    post::{invitation, reply::Reply, settle},
    service::Office,
    transaction::settings,
};
use postrider_dice::h;
use postrider_store::{Player, WhyRenewed};
use postrider_table::Seat;

impl Office {
    /// Makes new tokens for a seat and writes to it; letters from before are void, whoever has them.
    ///
    /// # Errors
    /// [`Misuse::NoSeat`], also where nobody is written to by mail; [`OfficeError`] when the game cannot be opened.
    pub fn new_token(&mut self, game: &str, seat: Seat) -> Result<(), OfficeError> {
        self.change(game, |services, tx| {
            if !tx.seats.player(seat).is_some_and(Player::by_mail) {
                return Err(Misuse::NoSeat { seat: seat.to_string(), game: game.to_owned() }.into());
            }
            settings::renew(tx, seat, WhyRenewed::Host, None)?;
            let at = services.environment.at();
            if tx.live.started.is_none() {
                return invitation::invite_again(tx, services, seat, &at);
            }
            let note =
                "The host has made a new token for your seat: all letters from before this one are void, whoever has \
                        them. Please answer this letter or a newer one."
                    .to_owned();
            let mail = h("postrider/new-token/v1", &[game, &seat.to_string(), &at]);
            let subject = "a new token".to_owned();
            let reply = Reply { mail, subject, notes: vec![note], status: true, ..Reply::default() };
            settle::settle(tx, services, Some((seat, reply)))
        })
    }
}
