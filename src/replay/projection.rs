//! The interface of data collected from a journal while it is read.

use super::{fault::ReplayFault, index::JournalIndex, source::Source};
use postrider_journal::{Checked, Checker};

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

/// Passes every line of a journal up to line `upto` to `projections`, without replaying the game.
///
/// # Errors
/// Returns a [`ReplayFault`] if the journal cannot be read or is damaged before that line.
pub fn project(source: &Source, upto: u64, projections: &mut [&mut dyn Projection]) -> Result<(), ReplayFault> {
    let source = Source::Bytes(source.bytes()?);
    let undone = JournalIndex::of(&source)?.undone(upto);
    let mut checker = Checker::new().for_the_position();
    let mut lines = source.lines()?;
    while let Some(text) = lines.next_line()? {
        let checked = checker.feed(text).map_err(|fault| ReplayFault::Journal(fault.into()))?;
        if checked.line.n > upto {
            break;
        }
        for projection in projections.iter_mut() {
            projection.apply(&checked, undone.holds(checked.line.n));
        }
    }
    Ok(())
}
