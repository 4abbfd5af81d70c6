//! What the Solitaire Game keeps beside the rest (11.32).

use super::Held;
use crate::components::TribeId;

/// A Tribal Card of this Turn's deck.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TribalCard {
    pub tribe: TribeId,
    /// Its position in this Turn's Tribal Deck.
    pub pos: usize,
}

/// What the Solitaire Game keeps beside the rest; empty in all others. The order of both decks is hidden.
#[derive(Clone, Debug, Default)]
pub struct Solo {
    /// Shaman Cards still to come this Turn, the next one last.
    pub shaman: Vec<Held>,
    /// Tribal Cards still to come this Turn, the next one last.
    pub tribal: Vec<TribalCard>,
    /// How many of those, from the next one on, have been looked at (11.36).
    pub seen: usize,
    /// The Tribe activated in this Round.
    pub tribe: Option<TribeId>,
}

impl Solo {
    /// The Tribal Cards that come next, as far as they have been looked at (11.36).
    pub fn looked_at(&self) -> impl Iterator<Item = TribeId> + '_ {
        self.tribal.iter().rev().take(self.seen).map(|card| card.tribe)
    }
}
