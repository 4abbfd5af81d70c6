//! What is known of seats and seals so far.

use crate::dice::Hash;

/// A seat of `opened`.
#[derive(Clone, Debug)]
pub(super) struct Seat {
    pub(super) name: String,
    pub(super) joined: bool,
    /// SHA-256 of the luck phrase.
    pub(super) luck: Hash,
}

/// What waits to be opened.
#[derive(Clone, Debug)]
pub(super) struct Seal {
    pub(super) seat: String,
    pub(super) commit: Hash,
}
