//! What is made of a journal while it goes by.

use postrider_journal::Checked;

/// One question to a journal, answered line by line: what stands in it beyond the position, who has which letter, what a
/// rewind discloses.
///
/// [`rebuild_with`](super::rebuild_with) feeds any number of projections in the one pass in which it replays the game, so that no
/// journal is read twice. A projection keeps what it needs of a line; it never sees the line again.
pub trait Projection {
    /// Takes the next line, which a [`Checker`](postrider_journal::Checker) has passed. `undone`: a later rewind leaves it out of
    /// the history that is being rebuilt.
    fn apply(&mut self, checked: &Checked<'_>, undone: bool);
}
