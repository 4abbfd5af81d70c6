//! A game goes on from an older copy of its journal, when the newer one is lost.

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

/// What [`Office::recover`] has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// How many lines the copy has.
    pub lines: u64,
    /// n of the newest line that is known to be lost.
    pub lost: u64,
    /// n of the line that tells of it.
    pub told: u64,
}

impl Office {
    /// Goes on from an older copy of a journal: says so in a `rewound` line with fresh chains, because the dice of what was lost may
    /// have been seen, and in a letter to everybody. Letters from before count no more.
    ///
    /// # Errors
    /// [`OfficeError::Use`] when the journal is the one that was worked on, or play had not begun in it; nothing is written then.
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
        // Of what they were told the seats know nothing any more that this journal says otherwise.
        let is_here = |told: &Written| told.n <= head.n && told.hash == tx.facts.hashes.get(told.n as usize).copied();
        let stale = tx.secrets.written.iter().filter(|(_, told)| !is_here(told));
        let as_of_now = |(&seat, told): (&Seat, &Written)| {
            let (n, hash) = (head.n, Some(head.hash));
            (seat, Written { n, hash, asked: Vec::new(), over: false, ..told.clone() })
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
