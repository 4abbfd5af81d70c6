//! What a director decides beside the rules: a ruling, a seat given to another player.

use crate::{
    carry_out::directing::{
        people,
        ruling::{RulingGiven, RulingTried, take_ruling, try_ruling},
    },
    error::OfficeError,
    game::invitee::Invitee,
    post::settle,
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
    /// How it is told.
    pub told: Vec<String>,
}

impl Office {
    /// Writes a ruling down and does what it says; everybody is written to. The effect `{"deadline": {"seat": …, "until": …}}`
    /// moves the deadline of everything that is asked of a seat now, in any game that has deadlines; every other effect is the
    /// game's own.
    ///
    /// # Errors
    /// [`OfficeError::Use`] when the effect is refused, with what would be wrong then, or when a name in it is not written out;
    /// nothing has changed.
    pub fn rule(&mut self, game: &str, given: &RulingGiven) -> Result<Ruled, OfficeError> {
        self.change(game, |services, tx| {
            let (n, told) = take_ruling(tx, services, given, None)?;
            settle::settle(tx, services, None)?;
            Ok(Ruled { game: game.to_owned(), n, told })
        })
    }

    /// Says what a ruling would do. Nothing is written, and nobody is written to.
    ///
    /// # Errors
    /// As [`Office::rule`]: what would be refused there is refused here.
    pub fn try_ruling(&mut self, game: &str, given: &RulingGiven) -> Result<RulingTried, OfficeError> {
        self.dry_run(game, |services, tx| try_ruling(tx, services, given))
    }

    /// Gives a seat to another player, or the same one another address. He is written to as if he had read nothing yet; letters
    /// of the player before him are good for nothing any more, since orders count from the new address alone. Before the game has begun
    /// this corrects an invitation; where it was answered already, the seat has joined and its words for luck stay. `shared`: he may have
    /// the address of another seat.
    ///
    /// # Errors
    /// [`OfficeError::Use`] when it makes no sense; nothing has been written then.
    pub fn reseat(&mut self, game: &str, seat: Seat, who: &Invitee, shared: bool) -> Result<(), OfficeError> {
        self.change(game, |services, tx| people::reseat(tx, services, seat, who, shared))
    }
}
