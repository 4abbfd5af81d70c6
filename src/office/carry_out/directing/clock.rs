//! The clock of a game, stopped and started.

use crate::{
    error::OfficeError,
    game::clock,
    misuse::Misuse,
    services::Services,
    transaction::{Transaction, ticking},
};
use postrider_journal::ClockEvent;
use postrider_table::Asked;

/// The questions whose deadlines stand still, or (`false`) run again, if that is ordered now.
///
/// # Errors
/// [`OfficeError::Use`] where nothing would change.
pub(crate) fn changes(tx: &mut Transaction, pause: bool) -> Result<Vec<Asked>, OfficeError> {
    let waiting = clock::clocked(tx)?;
    match (tx.live.deadlines.paused(), pause) {
        (true, true) => return Err(Misuse::PausedAlready { game: tx.id.clone() }.into()),
        (false, false) => return Err(Misuse::NotPaused { game: tx.id.clone() }.into()),
        _ => {}
    }
    Ok(waiting)
}

/// Has the clock of a game stand still for all its questions, or (`false`) run again. The lines are
/// not yet appended.
///
/// # Errors
/// As [`changes`]; nothing has been written then.
pub(crate) fn set(tx: &mut Transaction, services: &Services, pause: bool) -> Result<(), OfficeError> {
    let waiting = changes(tx, pause)?;
    let event = if pause { ClockEvent::Paused } else { ClockEvent::Resumed };
    for asked in waiting {
        ticking::clock_line(tx, services, &asked, event)?;
    }
    Ok(())
}
