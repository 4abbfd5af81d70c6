//! Spectators and digests.
//!
//! Spectators get only public information: the spectator's view and the public story. They have no
//! seat in the journal, and are stored next to it.

use crate::{
    game::{Game, local_time::next_at_hour, messages},
    services::Services,
};
use postrider_dice::{Hash, sha256};
use postrider_letters as letters;
use postrider_letters::Section;
use postrider_orders::{list_and, visible};
use postrider_store::{Digest, Thread, Watcher, Written, check_zone};
use postrider_table::Seat;

/// The local hour at which daily digests are sent.
pub(crate) const MORNING: u32 = 7;

/// The maximum number of spectators of a game, including unconfirmed ones.
pub(crate) const MOST_WATCHERS: usize = 200;

/// An answer to a spectator or director.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToWatcher {
    /// The mail that it answers.
    pub mail: Hash,
    /// That mail's subject.
    pub subject: String,
    /// The letter's place in the thread.
    pub thread: Thread,
    /// Notes, one paragraph each.
    pub notes: Vec<String>,
    /// Further sections, for a director.
    pub extra: Vec<Section>,
    /// `true` if the position is to be shown.
    pub status: bool,
}

/// Returns `true` if a player of this game has this address.
pub(crate) fn is_player(game: &Game, address: &str) -> bool {
    let mut seats = game.seats.players.iter().map(|player| player.seat);
    seats.any(|seat| game.seats.addresses(seat).any(|one| one.eq_ignore_ascii_case(address)))
}

/// Lists the spectators in a sentence for the players; `None` if there are none.
pub(crate) fn watched_in_words(game: &Game) -> Option<String> {
    let watchers = game.secrets.watchers.iter().filter(|one| one.confirmed && !one.director);
    let names: Vec<String> = watchers.map(|one| visible(&one.name).into_owned()).collect();
    let [watch, see] = if names.len() == 1 { ["watches", "sees"] } else { ["watch", "see"] };
    (!names.is_empty()).then(|| format!("{} {watch} this game and {see} what everybody may see.", list_and(&names)))
}

/// Returns the time of the next letter to a spectator, in seconds since 1970.
pub(crate) fn next_digest(game: &Game, services: &Services) -> Option<i64> {
    let waits = |one: &&Watcher| {
        let news = one.n.is_some_and(|n| n < game.live.head.n);
        one.confirmed && !one.director && !one.over && one.digest == Digest::Daily && news
    };
    let when = |one: &Watcher| next_at_hour(zone_of_watcher(services, one), one.at, MORNING);
    let players = game.seats.players.iter().filter_map(|player| next_digest_of(game, services, player.seat));
    game.secrets.watchers.iter().filter(waits).map(when).chain(players).min()
}

/// Returns the time of the next letter to a player with a daily digest.
fn next_digest_of(game: &Game, services: &Services, seat: Seat) -> Option<i64> {
    let old = game.secrets.written.get(&seat)?;
    let daily = game.pace(seat).digest == Some(Digest::Daily);
    let waits = daily && !game.live.closed && game.live.started.is_some() && has_news(game, seat, old.n);
    waits.then(|| next_at_hour(game.zone(services, seat), old.at, MORNING))
}

/// Returns `true` if there is news for a seat since a line: in the game, or messages of others.
fn has_news(game: &Game, seat: Seat, n: u64) -> bool {
    n < game.live.head.n && (!told_since(game, n).is_empty() || !messages::messages_to(game, seat, n).is_empty())
}

/// Returns the beginning of the names of letters to a spectator, and the last part of their
/// Message-IDs.
pub(crate) fn watch_names(game: &Game, watcher: &Watcher) -> (String, String) {
    let mark = sha256(watcher.address.to_ascii_lowercase().as_bytes()).to_string();
    (format!("{}.watch.{}", game.id, &mark[..16]), format!("watch-{}", &mark[..16]))
}

pub(crate) fn told_since(game: &Game, n: u64) -> Vec<letters::Part> {
    let reader = letters::Reader { seat: None, pieces: &[], decided: &|_| false };
    letters::story(&game.live.story, reader, Some(n).filter(|&n| n > 0), &game.seats)
}

/// Returns the time zone for a spectator's letters.
pub(crate) fn zone_of_watcher<'a>(services: &'a Services, watcher: &'a Watcher) -> &'a str {
    let own = watcher.zone.as_deref().filter(|zone| check_zone(zone).is_ok());
    own.unwrap_or(&services.host.settings.time_zone)
}

/// Returns the name of a spectator without one: the local part of the address.
pub(crate) fn name_of(address: &str) -> String {
    visible(address.split('@').next().unwrap_or(address)).chars().take(60).collect()
}

/// Returns `true` if a player's digest is due.
pub(crate) fn digest_due(game: &Game, services: &Services, seat: Seat, old: &Written, since: u64) -> bool {
    let Some(digest) = game.pace(seat).digest.filter(|_| game.live.started.is_some()) else { return false };
    let due = match digest {
        Digest::Daily => next_at_hour(game.zone(services, seat), old.at, MORNING) <= services.now().timestamp(),
        Digest::Round => game.live.marks.last().is_some_and(|mark| mark.n > since),
        Digest::Turn => game.turn() > old.turn,
    };
    due && has_news(game, seat, since)
}
