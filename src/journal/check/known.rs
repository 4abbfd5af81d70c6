//! The checker's knowledge of seats and seals.

use crate::body::{Body, Via};
use postrider_dice::{Hash, sha256};

/// A seat of `opened`.
#[derive(Clone, Debug)]
pub(super) struct Seat {
    pub(super) name: String,
    pub(super) joined: bool,
    /// SHA-256 of the luck phrase.
    pub(super) luck: Hash,
    /// The `n` of the entry that gave the seat this phrase in place of another or none, and its
    /// source.
    pub(super) said: Option<(u64, Via)>,
}

impl Seat {
    /// Gives the seat the phrase of entry `n`.
    pub(super) fn say(&mut self, phrase: &str, n: u64, via: Via) {
        let luck = sha256(phrase.as_bytes());
        if luck != self.luck {
            (self.luck, self.said) = (luck, Some((n, via)));
        }
    }
}

/// The `n` of the last entries that drew or revealed dice and cards, undone ones included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    dice: Option<u64>,
    cards: Option<u64>,
    /// The `n` of the last entry that used or published links of the chains in use.
    links: Option<u64>,
    /// `true` if something was drawn from the chains in use.
    used: bool,
}

impl Drawn {
    /// Records entry `n`.
    pub fn note(&mut self, n: u64, body: &Body<'_>) {
        match body {
            Body::Rolled(_) | Body::Shuffled(_) => (self.links, self.used) = (Some(n), true),
            Body::Closed(closed) if !closed.secrets.is_empty() => self.links = Some(n),
            Body::Rewound(rewound) if !rewound.chains.is_empty() => (self.links, self.used) = (None, false),
            _ => {}
        }
        let (dice, cards) = body.draws();
        if dice {
            self.dice = Some(n);
        }
        if cards {
            self.cards = Some(n);
        }
    }

    /// Returns whether dice, and whether cards, were drawn or revealed after entry `to`.
    #[must_use]
    pub fn since(self, to: u64) -> (bool, bool) {
        (self.dice > Some(to), self.cards > Some(to))
    }

    /// Returns `true` if a rewind to entry `to`, other than by a seat, continues with new chains,
    /// that is, if links of those in use have become known after `to`. In all other cases it keeps
    /// them, since new ones would give the operator a choice.
    #[must_use]
    pub fn renews(self, to: u64) -> bool {
        self.links > Some(to)
    }

    /// Returns `true` if new chains would let the operator choose: nothing was drawn from those in
    /// use, so the operator could pick the generation with the better next dice.
    #[must_use]
    pub fn leaves_a_choice(self) -> bool {
        !self.used
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
    /// Its type: `standing` for a standing order.
    pub(super) what: String,
    pub(super) commit: Hash,
}
