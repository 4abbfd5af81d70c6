//! Continuing a game from an older copy of its journal after the newer one was lost.

use crate::{
    error::OfficeError,
    game::directors::{self, one_line},
    misuse::Misuse,
    post::settle,
    service::Office,
    transaction::{Transaction, rewinding},
};
use postrider_store::Written;
use postrider_table::Seat;

/// The result of [`Office::recover`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// The number of lines of the copy.
    pub lines: u64,
    /// n of the newest line known to be lost.
    pub lost: u64,
    /// n of the line that reports the loss.
    pub told: u64,
}

impl Office {
    /// Continues a game from an older copy of its journal. It appends a `rewound` line with new
    /// chains, because the lost lines' dice may have been seen, and writes to all players. Letters
    /// from before become void.
    ///
    /// # Errors
    /// [`OfficeError::Use`] if the journal is the one last used, or if play had not begun in it;
    /// nothing has been written then.
    pub fn recover(&mut self, game: &str, by: &str) -> Result<Recovered, OfficeError> {
        let by = one_line("the name of who decides", by)?;
        if Seat::from_letter(&by).is_some() {
            return Err(Misuse::BySeat { by }.into());
        }
        let lost = match self.change(game, |_, _| Ok(())) {
            Err(OfficeError::OlderJournal { known, .. }) => known,
            Err(why) => return Err(why),
            Ok(()) => return Err(Misuse::NothingToRecover { game: game.to_owned() }.into()),
        };
        let mut tx = Transaction::begin_with_older(&mut self.services, game)?;
        if by != directors::SERVICE.name {
            directors::check(&tx, &by)?;
        }
        if tx.live.started.is_none() {
            return Err(Misuse::NothingToRewind.into());
        }
        let head = tx.head();
        let reason =
            format!("the newer journal was lost; entries after {} that you were told of count no more", head.n);
        // Letters may have told the seats of lost lines; those marks are reset to what this journal
        // contains.
        let is_here = |told: &Written| told.n <= head.n && told.hash == tx.facts.hashes.get(told.n as usize).copied();
        let stale = tx.secrets.written.iter().filter(|(_, told)| !is_here(told));
        let as_of_now = |(&seat, told): (&Seat, &Written)| {
            let (n, hash) = (head.n, Some(head.hash));
            (seat, Written { n, hash, asked: Vec::new(), asked_in: String::new(), over: false, ..told.clone() })
        };
        let stale = stale.map(as_of_now).collect();
        tx.keep_written(stale, None, None)?;
        // Each rewind among the lost lines has used up a generation of the chains.
        let used = tx.secrets.rewinds.keys().max().copied().unwrap_or(0);
        while tx.facts.rewinds.len() as u64 <= used {
            rewinding::go_on_afresh(&mut tx, &self.services, by.clone(), reason.clone())?;
        }
        let told = tx.head().n;
        settle::settle(&mut tx, &self.services, None)?;
        tx.commit(&self.services)?;
        Ok(Recovered { lines: head.n + 1, lost, told })
    }
}
