//! Ending a game by a director's decision, and reopening it.

use crate::{
    carry_out::directing::{
        result::{self, Given},
        rewinding::{Rewinding, reopening},
    },
    error::OfficeError,
    game::directors::By,
    service::Office,
};
use postrider_journal::What;
use std::collections::BTreeMap;

impl Office {
    /// Ends a game, begun or not. Everyone who was invited gets a letter, and no questions remain.
    /// Hidden information stays hidden: standing orders are the only secrets revealed.
    ///
    /// # Errors
    /// [`Misuse::Over`] if the game is over; [`Misuse::NotOneLine`] if the reason is invalid.
    pub fn abandon(&mut self, game: &str, by: &str, reason: &str) -> Result<(), OfficeError> {
        self.decide_result(game, by, BTreeMap::new(), (reason, false)).map(drop)
    }

    /// Ends a game with the given places, from 1, for all seats, for a reason; with `true` the
    /// entry has the results of rollouts from the last entry. Returns a report of one sentence.
    ///
    /// # Errors
    /// [`Misuse::Over`] if the game is over, [`Misuse::NotBegun`] if it has not begun,
    /// [`Misuse::NotOneLine`] if the reason is invalid, [`Misuse::Motion`] if the places are
    /// impossible.
    pub fn decide_result(
        &mut self,
        game: &str,
        by: &str,
        places: BTreeMap<String, u64>,
        (reason, adjudicated): (&str, bool),
    ) -> Result<String, OfficeError> {
        self.change(game, |services, tx| {
            let given = Given { what: What::Result(places), reason, adjudicated };
            result::decide(tx, services, &By { name: by, words: None }, given)
        })
    }

    /// Ends a game with places in words, such as `anna 1, ben 2` or `draw`.
    ///
    /// # Errors
    /// As for [`Office::decide_result`], and [`Misuse::Place`].
    pub fn give_result(
        &mut self,
        game: &str,
        by: &str,
        places: &str,
        reason: (&str, bool),
    ) -> Result<String, OfficeError> {
        let places = self.look(game, |_, game| Ok(result::places(game, places)?))?;
        self.decide_result(game, by, places, reason)
    }

    /// Reopens a game that a motion ended: rewinds it to just before that motion.
    ///
    /// # Errors
    /// [`Misuse::NotEnded`] if no motion has ended the game; otherwise as for
    /// [`Office::rewind`].
    pub fn reopen(&mut self, game: &str, by: &str, reason: &str) -> Result<Rewinding, OfficeError> {
        let wanted = self.look(game, |_, game| Ok(reopening(game, by, reason, false)?))?;
        self.rewind(game, &wanted)
    }
}
