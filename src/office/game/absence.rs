//! Players' absences, and the table's agreement about them.
//!
//! Days are those of the player's time zone. Orders of an absent player still count.

use crate::{game::Game, services::Services};
use chrono::DateTime;
use postrider_replay::deadlines::brief_moment;
use postrider_table::Seat;

/// Returns `true` if a player is away now.
pub(crate) fn is_away(game: &Game, services: &Services, seat: Seat) -> bool {
    let now = services.now().timestamp();
    game.secrets.away.get(&seat).is_some_and(|away| away.from <= now && now < away.until)
}

/// Returns the end of a player's present absence, formatted for a reader in the given zone.
pub(crate) fn until(game: &Game, services: &Services, seat: Seat, zone: &str) -> Option<String> {
    let away = game.secrets.away.get(&seat).filter(|_| is_away(game, services, seat))?;
    Some(brief_moment(DateTime::from_timestamp(away.until, 0)?, zone))
}

/// Returns the time when an absence next begins or ends, in seconds since 1970.
pub(crate) fn next_change(game: &Game, services: &Services) -> Option<i64> {
    let now = services.now().timestamp();
    let times = game.secrets.away.values().flat_map(|away| [away.from, away.until]);
    times.filter(|time| *time > now && !game.live.closed).min()
}

/// Describes the agreement about absent players for an invitation.
pub(crate) fn agreed(game: &Game) -> Option<String> {
    let takes_leave = game.live.deadlines.terms().is_some_and(|terms| terms.leave > 0);
    let then = match &game.secrets.away_bot {
        Some(bot) => format!("the bot {bot} plays for you"),
        None if takes_leave => "your clock stands still, as long as you have leave".to_owned(),
        None => return None,
    };
    Some(format!("If you write `away until Monday`, or the like, you are away until then: {then}."))
}
