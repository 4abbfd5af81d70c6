//! Pausing and resuming a game's clock.

use crate::{
    error::OfficeError,
    game::clock,
    misuse::Misuse,
    services::Services,
    transaction::{Transaction, ticking},
};
use postrider_journal::ClockEvent;
use postrider_table::Asked;

/// Returns the questions whose deadlines a pause stops, or a resumption (`pause` is `false`)
/// restarts.
///
/// # Errors
/// [`OfficeError::Use`] if nothing would change.
pub(crate) fn changes(tx: &Transaction, pause: bool) -> Result<Vec<Asked>, OfficeError> {
    let waiting = clock::clocked(tx)?;
    match (tx.live.deadlines.paused(), pause) {
        (true, true) => return Err(Misuse::PausedAlready { game: tx.id.clone() }.into()),
        (false, false) => return Err(Misuse::NotPaused { game: tx.id.clone() }.into()),
        _ => {}
    }
    Ok(waiting)
}

/// Pauses the clock of a game for all its questions, or resumes it if `pause` is `false`. The lines
/// are not yet appended.
///
/// # Errors
/// As for [`changes`]; nothing has been written then.
pub(crate) fn set(tx: &mut Transaction, services: &Services, pause: bool) -> Result<(), OfficeError> {
    let waiting = changes(tx, pause)?;
    let event = if pause { ClockEvent::Paused } else { ClockEvent::Resumed };
    for asked in waiting {
        ticking::clock_line(tx, services, &asked, event)?;
    }
    Ok(())
}
