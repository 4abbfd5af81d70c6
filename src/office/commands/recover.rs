//! Continuing a game from an older copy of its journal after the newer one was lost.

use crate::{
    error::OfficeError,
    game::Game,
    misuse::Misuse,
    post::settle::settle,
    service::Office,
    transaction::{Transaction, rewinding},
};
use postrider_store::{Kept, Written};
use postrider_table::Seat;

/// The part of a journal that is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The number of the last entry in the copy that ends a command.
    pub last: u64,
    /// The number of the newest entry that is known to be lost.
    pub known: u64,
}

impl Office {
    /// Returns the part of a journal that is lost. Changes nothing.
    ///
    /// # Errors
    /// [`Misuse::NothingToRecover`] if the journal is complete, and [`Misuse::LostBeforePlay`] if
    /// play had not begun in the copy.
    pub fn lost(&self, game: &str) -> Result<Lost, OfficeError> {
        let (live, is_newest) = Game::as_left(&self.services, game)?;
        let game = game.to_owned();
        match is_newest {
            Ok(()) => Err(Misuse::NothingToRecover { game }.into()),
            Err(OfficeError::OlderJournal { .. }) if live.started.is_none() => {
                Err(Misuse::LostBeforePlay { game }.into())
            }
            Err(OfficeError::OlderJournal { lines, known, .. }) => Ok(Lost { last: lines.saturating_sub(1), known }),
            Err(why) => Err(why),
        }
    }

    /// Continues from an older copy of a journal. A `rewound` entry and a letter to everyone say
    /// so, and earlier letters become void. The chains stay: fresh ones would let an operator who
    /// cuts off lines choose among dice. Returns the number of that entry.
    ///
    /// # Errors
    /// [`OfficeError::Use`] if the journal is complete, or play had not begun in the copy; nothing
    /// is written then.
    pub fn recover(&mut self, game: &str) -> Result<u64, OfficeError> {
        self.lost(game)?;
        self.command(|office| office.recovered(game))
    }

    fn recovered(&mut self, game: &str) -> Result<u64, OfficeError> {
        let mut tx = Transaction::begin_with_older(&mut self.services, game)?;
        let head = tx.head();
        let reason =
            format!("the newer journal was lost; entries after {} that you were told of no longer count", head.n);
        // Letters may have told the seats of lost lines; those marks are reset to what this journal
        // contains.
        let is_here = |told: &Written| told.n <= head.n && told.hash == tx.facts.hashes.get(told.n as usize).copied();
        let stale = tx.secrets.written.iter().filter(|(_, told)| !is_here(told));
        let as_of_now = |(&seat, told): (&Seat, &Written)| {
            let (n, hash) = (head.n, Some(head.hash));
            (seat, Written { n, hash, asked: Vec::new(), asked_in: String::new(), over: false, ..told.clone() })
        };
        let stale = stale.map(as_of_now).collect();
        tx.keep(Kept::Written { seats: stale, mail: None, copies: None })?;
        // Letters from after a lost rewind must not become valid at the next one.
        let used = tx.secrets.rewinds.keys().max().copied().unwrap_or(0);
        while tx.facts.rewinds.len() as u64 <= used {
            rewinding::go_on(&mut tx, &self.services, reason.clone())?;
        }
        let told = tx.head().n;
        settle(tx, &self.services)?.release(&self.services)?;
        Ok(told)
    }
}
