//! A game that ends, or goes on again, because a director says so.

use crate::{
    commands::rewind::{RewindGame, Rewinding, one_line},
    error::{NotDone, OfficeError},
    game::motions,
    misuse::Misuse,
    post::settle,
    service::Office,
    transaction::motions::{self as changes, Proposal},
};
use postrider_journal::{Via, What};
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
        let (by, reason) = (one_line("the name of who decides", by)?, one_line("a reason", reason)?);
        self.change(game, |services, tx| {
            if tx.live.closed {
                return Err(Misuse::Over { game: game.to_owned() }.into());
            }
            if tx.live.seat(&by).is_some() {
                return Err(Misuse::BySeat { by: by.clone() }.into());
            }
            let what = What::Result(places);
            let said = motions::in_words(tx, &what, None);
            let proposal = Proposal { by, what, reason, via: Via::Cli, words: None };
            match changes::propose(tx, services, proposal) {
                Ok(_) => {}
                Err(NotDone::Refused(why)) => return Err(Misuse::Motion { why: why.why }.into()),
                Err(NotDone::Error(why)) => return Err(why),
            }
            settle::settle(tx, services, None)?;
            Ok(format!("{game}: {said}."))
        })
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
