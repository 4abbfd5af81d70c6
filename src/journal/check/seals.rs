//! Step 7: sealed entries are opened with the content that was sealed.

use super::{
    Checker, Step,
    fault::{Found, Wrong},
    known::Seal,
};
use crate::{
    body::{Sealed, Unsealed},
    commit::sealed_commitment,
};

impl Checker {
    pub(super) fn sealed(&mut self, sealed: &Sealed<'_>) -> Result<(), Found> {
        let seat = self.seat(&sealed.seat)?.name.clone();
        self.seals.insert(self.n, Seal { seat, commit: sealed.commit });
        Ok(())
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
        Ok(())
    }
}
