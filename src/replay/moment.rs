//! Moments in the history of a game.

use super::{
    checkpoint::{Checkpoint, CheckpointError},
    live_game::LiveGame,
    marks::RoundMark,
};

/// A moment in the history of a game: after the step of an entry, when all of its dice have fallen;
/// or the beginning of a Round, before the Round's dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The `n` of the entry after whose step it is, or of the one that marks the Round.
    pub n: u64,
    /// The Round that begins; `None` after a step.
    pub begins: Option<RoundMark>,
    /// The step within which the Round begins, if it begins within one.
    pub within: Option<Within>,
}

/// A step of which only the part before a Round has been played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Within {
    /// The `n` of the entry that caused the step.
    pub first: u64,
    /// The number of Rounds that began in it before.
    pub rounds: usize,
    /// The number of this game's dice that fell in it before.
    pub dice: usize,
}

impl Moment {
    /// Returns the moment after the step of entry `n`.
    #[must_use]
    pub fn after(n: u64) -> Moment {
        Moment { n, begins: None, within: None }
    }
}

impl LiveGame {
    /// Finds a moment, also one that a rewind has undone; of that, only its entry is known here.
    ///
    /// # Errors
    /// As [`Checkpoint::find`].
    pub fn moment(&self, at: &Checkpoint) -> Result<Moment, CheckpointError> {
        let n = self.find(at)?;
        Ok(if at.is_round() { self.beginning(n) } else { Moment::after(n) })
    }

    /// Returns the beginning of the Round that entry `n` marks; the moment after its step, if the
    /// game has no such Round.
    #[must_use]
    pub fn beginning(&self, n: u64) -> Moment {
        let begins = self.marks.iter().find(|mark| mark.n == n).cloned();
        let step = self.step_log.goes_on(n).filter(|_| begins.is_some());
        let within = step.and_then(|step| {
            Some(Within { first: step.first, rounds: step.rounds_before(n)?, dice: step.dice_before(n)? })
        });
        Moment { n, begins, within }
    }
}
