//! Rematches: new games with the same players, who exchange their sides.

use crate::{
    error::OfficeError,
    services::Services,
    transaction::{
        Transaction,
        opening::{NewGame, create},
    },
};
use postrider_journal::{Consent, is_game_id};
use postrider_store::Kept;
use postrider_table::Seat;

/// Invites the players of a finished game to another one, in which each moves up one seat. Returns
/// a note for the player who asked. A game has at most one rematch.
pub(crate) fn rematch(tx: &mut Transaction, services: &mut Services, seat: Seat) -> Result<String, OfficeError> {
    if !tx.live.closed {
        return Ok("The game is not over. When it is, `rematch` invites the same players to another one.".to_owned());
    }
    let known = services.store.games()?;
    let id = match &tx.secrets.rematch {
        Some(id) => id.clone(),
        None => {
            let Some(id) = next_id(&tx.id, &known) else {
                return Ok("There is no name left for another game; ask the host: `tell host: …`.".to_owned());
            };
            // Stored first, so that the same mail, handled again after a crash, creates no other
            // game.
            tx.keep(Kept::Rematch(id.clone()))?;
            id
        }
    };
    if known.contains(&id) {
        return Ok(format!("The rematch is the game {id}: see your invitation."));
    }
    let opened = &tx.live.opened;
    let mut new = NewGame {
        ruleset: opened.ruleset.name().to_owned(),
        id: Some(id.clone()),
        scenario: Some(opened.setup.scenario.clone()),
        options: opened.setup.options.clone(),
        components: Some(opened.setup.components.to_string()),
        clock: tx.live.deadlines.terms().cloned(),
        majority: tx.live.motions.consent() == Some(Consent::Majority),
        invited_by: tx.seats.player(seat).map(|player| player.name.clone()),
        ..NewGame::with_people_of(tx)
    };
    let seats = new.players.len();
    let moved = |seat: &str| Some(Seat(u8::try_from((Seat::from_letter(seat)?.index() + 1) % seats).ok()?));
    new.operator_seats = opened.operator_seats.iter().filter_map(|seat| moved(seat)).collect();
    new.players.rotate_right(1);
    create(services, &new)?;
    services.created.push(id.clone());
    Ok(format!(
        "Everybody is invited to {id}, a rematch with the sides exchanged. You too: it begins when all have joined."
    ))
}

/// Returns the first free id after that of a game: `lone-pine-2`, `lone-pine-3`.
fn next_id(game: &str, known: &[String]) -> Option<String> {
    let (stem, number) = match game.rsplit_once('-') {
        Some((stem, digits)) if digits.parse::<u32>().is_ok() => (stem, digits.parse().unwrap_or(1)),
        _ => (game, 1),
    };
    let mut ids = (number + 1..number + 1_000).map(|number| format!("{stem}-{number}"));
    ids.find(|id| is_game_id(id) && !known.contains(id))
}
