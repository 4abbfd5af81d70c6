//! The effects of an order on a map, drawn before the order is given.

/// A path over places of a map, or a line from a unit to its target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The ids of the places, from first to last.
    pub places: Vec<String>,
    /// The action along it.
    pub what: WayKind,
}

/// The action along a [`Way`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WayKind {
    /// A move.
    Move,
    /// Fire at a target.
    Fire,
    /// An attack.
    Attack,
}

impl Way {
    /// Creates a way over these places; a single place means an arrival from elsewhere. Returns
    /// `None` if there are no places.
    pub fn over(what: WayKind, places: Vec<String>) -> Option<Way> {
        (!places.is_empty()).then_some(Way { places, what })
    }
}
