//! Absences of players, and what their table agreed on for them.
//!
//! Days are the player's own, by his time zone. An order of an absent player counts all the same.

use crate::{game::Game, services::Services};
use chrono::DateTime;
use postrider_replay::deadlines::brief_moment;
use postrider_store::WhenAway;
use postrider_table::{Asked, Seat};

/// For whom of those that are asked the deadlines are to stand still, as the table has agreed.
pub(crate) fn rests_for(game: &Game, services: &Services, waiting: &[Asked]) -> Option<Seat> {
    let agreed = game.secrets.when_away == WhenAway::Pause;
    waiting.iter().map(|asked| asked.seat).find(|seat| agreed && is_away(game, services, *seat))
}

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
    match (&game.secrets.when_away, game.live.deadlines.terms()) {
        (WhenAway::Bot(bot), _) => Some(format!(
            "Who writes `away until Monday`, or the like, is away until then: the bot {bot} plays for him."
        )),
        (WhenAway::Pause, Some(_)) => Some(
            "Who writes `away until Monday`, or the like, is away until then: while the game waits for him, deadlines stand still."
                .to_owned(),
        ),
        _ => None,
    }
}
