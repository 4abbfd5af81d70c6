//! The interface of data collected from a journal while it is read.

use postrider_journal::Checked;

/// Data collected from a journal line by line, beyond the position, such as the mails or the cards
/// that a rewind discloses.
///
/// [`rebuild_with`](super::rebuild_with) feeds any number of projections in the same pass in which
/// it replays the game, so that no journal is read twice. A projection sees each line only once and
/// must keep what it needs.
pub trait Projection {
    /// Processes the next line, which a [`Checker`](postrider_journal::Checker) has accepted.
    /// `undone` is `true` if a later rewind removes it from the history being rebuilt.
    fn apply(&mut self, checked: &Checked<'_>, undone: bool);
}
