//! A game's status for the store's index: awaited players and the time of the next event.

use crate::{
    error::OfficeError,
    game::{Game, absence, clock, hours, motions, seats, watching},
    services::Services,
};
use postrider_store::{Awaited, GameStatus};
use postrider_table::{Asked, Seat};

/// Returns the present status of a game.
///
/// # Errors
/// [`OfficeError`] if the rules panic.
pub(crate) fn status(game: &Game, services: &Services) -> Result<GameStatus, OfficeError> {
    let mut status = GameStatus::of(&game.live, &game.seats)?;
    let asked = game.asked()?;
    let required = asked.iter().filter(|asked| asked.required && game.live.started.is_some());
    let deadline = |asked: &Asked| {
        let seat = game.live.seat_name(asked.seat).to_owned();
        Some((seat, hours::deadline_of(game, services, asked.seat, asked.id)?))
    };
    let declined = |&seat: &Seat| Awaited {
        seat: game.live.seat_name(seat).to_owned(),
        called: game.seats.called(seat),
        since: None,
    };
    if game.live.started.is_none() {
        status.declined = game.secrets.declined.iter().map(declined).collect();
    }
    status.deadlines = required.clone().filter_map(deadline).collect();
    let deadlines = required.filter_map(|asked| hours::next_due_for(game, services, asked.seat, asked.id));
    let others = [
        clock::waits_until(game),
        clock::paused_until(game),
        absence::next_change(game, services),
        watching::next_digest(game, services),
        motions::next_lapse(game, services),
        seats::held_until(game).map(|(_, until)| until).min(),
    ];
    status.due = deadlines.chain(others.into_iter().flatten()).min();
    Ok(status)
}
