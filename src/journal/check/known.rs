//! The checker's knowledge of seats and seals.

use crate::body::{Body, Via};
use postrider_dice::Hash;

/// A seat of `opened`.
#[derive(Clone, Debug)]
pub(super) struct Seat {
    pub(super) name: String,
    pub(super) joined: bool,
    /// SHA-256 of the luck phrase.
    pub(super) luck: Hash,
    /// n of the entry with the phrase, and its source.
    pub(super) said: Option<(u64, Via)>,
}

/// n of the last entries that drew or revealed dice and cards.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Drawn {
    dice: Option<u64>,
    cards: Option<u64>,
}

impl Drawn {
    /// Records entry `n`.
    pub(super) fn note(&mut self, n: u64, body: &Body<'_>) {
        let (dice, cards) = body.draws();
        if dice {
            self.dice = Some(n);
        }
        if cards {
            self.cards = Some(n);
        }
    }

    /// Returns whether dice, and whether cards, were drawn or revealed after entry `to`.
    pub(super) fn since(self, to: u64) -> (bool, bool) {
        (self.dice > Some(to), self.cards > Some(to))
    }

    /// Returns the later of both.
    pub(super) fn last(self) -> Option<u64> {
        self.dice.max(self.cards)
    }
}

/// A sealed entry that has not been opened.
#[derive(Clone, Debug)]
pub(super) struct Seal {
    pub(super) seat: String,
    pub(super) commit: Hash,
}
