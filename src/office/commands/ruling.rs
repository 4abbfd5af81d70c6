//! Directors' decisions outside the rules: rulings, and new players for seats.

use crate::{
    carry_out::directing::{
        people,
        ruling::{RulingGiven, RulingTried, take_ruling, try_ruling},
    },
    error::OfficeError,
    game::invitee::Invitee,
    service::Office,
};
use postrider_table::Seat;
use serde::Serialize;

/// A ruling that was given.
#[derive(Clone, Debug, Serialize)]
pub struct Ruled {
    /// The game.
    pub game: String,
    /// n of its line.
    pub n: u64,
    /// Its text in letters.
    pub told: Vec<String>,
}

impl Office {
    /// Records a ruling and applies its effect; all players get a letter. The effect `{"deadline":
    /// {"seat": …, "until": …}}` moves the deadline of all open questions of a seat, in any game
    /// with deadlines. Any other effect is the game's own.
    ///
    /// # Errors
    /// [`OfficeError::Use`] if the effect is refused, with the reason, or if a name in it is
    /// abbreviated; nothing has changed then.
    pub fn rule(&mut self, game: &str, given: &RulingGiven) -> Result<Ruled, OfficeError> {
        self.change(game, |services, tx| {
            let (n, told) = take_ruling(tx, services, given, None)?;
            Ok(Ruled { game: game.to_owned(), n, told })
        })
    }

    /// Describes the effect of a ruling. Writes nothing and sends no letters.
    ///
    /// # Errors
    /// As for [`Office::rule`].
    pub fn try_ruling(&mut self, game: &str, given: &RulingGiven) -> Result<RulingTried, OfficeError> {
        self.dry_run(game, |services, tx| try_ruling(tx, services, given, None))
    }

    /// Gives a seat to another player, or gives its player another address. The letter tells the
    /// whole story, and letters to the former player become void, because orders count only from
    /// the new address. Before the game begins this corrects an invitation; if that was already
    /// accepted, the seat stays joined and its luck phrase remains. If `shared`, the player may
    /// have the address of another seat.
    ///
    /// # Errors
    /// [`OfficeError::Use`] if the request is invalid; nothing has been written then.
    pub fn reseat(&mut self, game: &str, seat: Seat, who: &Invitee, shared: bool) -> Result<(), OfficeError> {
        self.change(game, |services, tx| people::reseat(tx, services, seat, who, shared))
    }
}
