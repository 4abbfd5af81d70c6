//! Absences of players, and what their table agreed on for them.
//!
//! Days are the player's own, by his time zone. An order of an absent player counts all the same.

use crate::{game::Game, services::Services};
use chrono::DateTime;
use postrider_replay::deadlines::brief_moment;
use postrider_table::Seat;

fn is_away(game: &Game, services: &Services, seat: Seat) -> bool {
    let now = services.environment.now().timestamp();
    game.secrets.away.get(&seat).is_some_and(|away| away.from <= now && now < away.until)
}

/// Until when a player is away, if he is now, as a reader in this zone is told it.
pub(crate) fn until(game: &Game, services: &Services, seat: Seat, zone: &str) -> Option<String> {
    let away = game.secrets.away.get(&seat).filter(|_| is_away(game, services, seat))?;
    Some(brief_moment(DateTime::from_timestamp(away.until, 0)?, zone))
}

/// When somebody next goes away or is back, in seconds since 1970.
pub(crate) fn next_change(game: &Game, services: &Services) -> Option<i64> {
    let now = services.environment.now().timestamp();
    let times = game.secrets.away.values().flat_map(|away| [away.from, away.until]);
    times.filter(|time| *time > now && !game.live.closed).min()
}

/// What an invitation says about players who are away.
pub(crate) fn agreed(game: &Game) -> Option<String> {
    let takes_leave = game.live.deadlines.terms().is_some_and(|terms| terms.leave > 0);
    let then = match &game.secrets.away_bot {
        Some(bot) => format!("the bot {bot} plays for you"),
        None if takes_leave => "your clock stands still, as long as you have leave".to_owned(),
        None => return None,
    };
    Some(format!("If you write `away until Monday`, or the like, you are away until then: {then}."))
}
