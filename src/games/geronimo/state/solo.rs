//! The additional state of the Solitaire Game (11.32).

use super::Held;
use crate::components::TribeId;

/// A Tribal Card of this Turn's deck.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TribalCard {
    pub tribe: TribeId,
    /// Its position in this Turn's Tribal Deck.
    pub pos: usize,
}

/// The additional state of the Solitaire Game, empty in all others. The order of both decks is
/// hidden.
#[derive(Clone, Debug, Default)]
pub struct Solo {
    /// The remaining Shaman Cards of this Turn, the next one last.
    pub shaman: Vec<Held>,
    /// The remaining Tribal Cards of this Turn, the next one last.
    pub tribal: Vec<TribalCard>,
    /// Number of those, from the next one on, that have been looked at (11.36).
    pub seen: usize,
    /// The Tribe activated in this Round.
    pub tribe: Option<TribeId>,
}

impl Solo {
    /// Returns the next Tribal Cards that have been looked at (11.36).
    pub fn looked_at(&self) -> impl Iterator<Item = TribeId> + '_ {
        self.tribal.iter().rev().take(self.seen).map(|card| card.tribe)
    }
}
