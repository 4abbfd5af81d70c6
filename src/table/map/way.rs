//! What an order would do on a map, to be drawn before it is given.

/// A way, or a line from somebody to what it is aimed at, over places of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The places by their ids, from first to last.
    pub places: Vec<String>,
    /// What happens along it.
    pub what: WayKind,
}

/// What happens along a [`Way`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WayKind {
    /// Somebody goes there.
    Move,
    /// Somebody fires there.
    Fire,
    /// Somebody attacks there.
    Attack,
}

impl Way {
    /// A way over these places; of one place alone, where somebody comes from elsewhere. None over none.
    pub fn over(what: WayKind, places: Vec<String>) -> Option<Way> {
        (!places.is_empty()).then_some(Way { places, what })
    }
}
