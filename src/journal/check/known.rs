//! What is known of seats and seals so far.

use crate::body::{Body, Via};
use postrider_dice::Hash;

/// A seat of `opened`.
#[derive(Clone, Debug)]
pub(super) struct Seat {
    pub(super) name: String,
    pub(super) joined: bool,
    /// SHA-256 of the luck phrase.
    pub(super) luck: Hash,
    /// n of the entry that says the phrase, and the way it came.
    pub(super) said: Option<(u64, Via)>,
}

/// n of the last entries by which dice and cards were drawn or became known.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Drawn {
    dice: Option<u64>,
    cards: Option<u64>,
}

impl Drawn {
    /// Takes in what entry `n` says.
    pub(super) fn note(&mut self, n: u64, body: &Body<'_>) {
        let (dice, cards) = body.draws();
        if dice {
            self.dice = Some(n);
        }
        if cards {
            self.cards = Some(n);
        }
    }

    /// Whether dice, and whether cards, were drawn or became known after entry `to`.
    pub(super) fn since(self, to: u64) -> (bool, bool) {
        (self.dice > Some(to), self.cards > Some(to))
    }

    /// The last entry of all.
    pub(super) fn last(self) -> Option<u64> {
        self.dice.max(self.cards)
    }
}

/// What waits to be opened.
#[derive(Clone, Debug)]
pub(super) struct Seal {
    pub(super) seat: String,
    pub(super) commit: Hash,
}
