//! Step 7: sealed entries are opened with the content that was sealed, and no standing order answers
//! that was not sealed.

use super::{
    Checker, Step,
    fault::{Found, Wrong},
    known::Seal,
};
use crate::{
    body::{Decision, Sealed, Unsealed, Via},
    commit::sealed_commitment,
};

impl Checker {
    pub(super) fn sealed(&mut self, sealed: &Sealed<'_>) -> Result<(), Found> {
        let seat = self.seat(&sealed.seat)?.name.clone();
        self.seals.insert(self.n, Seal { seat, what: sealed.what.to_string(), commit: sealed.commit });
        Ok(())
    }

    /// Checks that a seat whose standing order answers has left one, which may have been opened just
    /// before.
    pub(super) fn decided(&mut self, decision: &Decision<'_>) -> Result<(), Found> {
        let seat = self.seat(&decision.seat)?.name.clone();
        let just_opened = self.unsealed.iter().filter(|(n, _)| n + 1 == self.n).map(|(_, seal)| seal);
        let left = || just_opened.chain(self.seals.values()).any(|seal| seal.seat == seat && seal.what == "standing");
        match decision.via {
            Via::Standing if !left() => Err(Found::new(Step::Seals, Wrong::NoStanding(seat))),
            _ => Ok(()),
        }
    }

    pub(super) fn unsealed(&mut self, unsealed: &Unsealed<'_>) -> Result<(), Found> {
        let missing = || Found::new(Step::Seals, Wrong::NoSeal(unsealed.of));
        let seal = self.seals.remove(&unsealed.of).ok_or_else(missing)?;
        // Part of a canonical line is itself canonical.
        let right = sealed_commitment(&self.game, &seal.seat, &unsealed.salt, unsealed.content.get());
        if right != seal.commit {
            return Err(Found::new(Step::Seals, Wrong::Content(seal.commit)).against(unsealed.of));
        }
        self.counts.unsealed += 1;
        self.unsealed = Some((self.n, seal));
        Ok(())
    }
}
