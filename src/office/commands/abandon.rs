//! A game that ends, or goes on again, because a director says so.

use crate::{
    carry_out::directing::{
        result,
        rewinding::{RewindGame, Rewinding},
    },
    error::OfficeError,
    game::directors::By,
    misuse::Misuse,
    post::settle,
    service::Office,
};
use postrider_journal::What;
use postrider_replay::Checkpoint;
use std::collections::BTreeMap;

impl Office {
    /// Ends a game, begun or not. All who were invited are written to, and nothing is asked any more. What is hidden stays so: no secret is
    /// laid open but standing orders.
    ///
    /// # Errors
    /// [`Misuse::Over`] for a game that is over; [`Misuse::NotOneLine`] for a reason that is none.
    pub fn abandon(&mut self, game: &str, by: &str, reason: &str) -> Result<(), OfficeError> {
        self.decide_result(game, by, BTreeMap::new(), reason).map(drop)
    }

    /// Ends a game with these places, from 1, by seat. Every seat has one. Gives what was done in a sentence.
    ///
    /// # Errors
    /// [`Misuse::Over`] for a game that is over, [`Misuse::NotBegun`] for one that has not begun, [`Misuse::NotOneLine`] for a
    /// reason that is none, [`Misuse::Motion`] for places that no game has.
    pub fn decide_result(
        &mut self,
        game: &str,
        by: &str,
        places: BTreeMap<String, u64>,
        reason: &str,
    ) -> Result<String, OfficeError> {
        self.change(game, |services, tx| {
            let said = result::decide(tx, services, &By { name: by, words: None }, (What::Result(places), reason))?;
            settle::settle(tx, services, None)?;
            Ok(said)
        })
    }

    /// The same with places in words, `anna 1, ben 2` or `draw`.
    ///
    /// # Errors
    /// As [`Office::decide_result`], and [`Misuse::Place`].
    pub fn give_result(&mut self, game: &str, by: &str, places: &str, reason: &str) -> Result<String, OfficeError> {
        let places = self.look(game, |_, game| Ok(result::places(game, places)?))?;
        self.decide_result(game, by, places, reason)
    }

    /// Has a game go on that a motion ended: it is rewound to just before that motion.
    ///
    /// # Errors
    /// [`Misuse::NotEnded`] for a game that no motion has ended; else as [`Office::rewind`].
    pub fn reopen(&mut self, game: &str, by: &str, reason: &str) -> Result<Rewinding, OfficeError> {
        let ended_by = self.look(game, |_, game| Ok(game.live.motions.ended_by()))?;
        let Some(of) = ended_by.and_then(|of| of.checked_sub(1)) else {
            return Err(Misuse::NotEnded { game: game.to_owned() }.into());
        };
        let (by, reason) = (by.to_owned(), reason.to_owned());
        self.rewind(game, &RewindGame { to: Checkpoint::Line(of), by, reason, dry_run: false })
    }
}
