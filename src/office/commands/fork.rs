//! Forks: new games that continue from a line of another game.
//!
//! A fork's first line names the line from which it continues; the other game is replayed up to
//! there. Afterwards the fork uses its own luck phrases and chains, which were fixed when nobody
//! could know both. No secrets are copied, so a game can be forked only at a line up to which all
//! shuffles are revealed, by now or at the game's end. Anyone who has both journals can therefore
//! check everything. When the rules later use cards from before the fork, no lines are written
//! about them, as after a rewind to before a reveal.

use crate::{
    error::OfficeError,
    game::{directors::one_line, invitee::Invitee},
    misuse::Misuse,
    service::Office,
    transaction::opening::NewGame,
};
use postrider_journal::Parent;
use postrider_replay::{
    Catalog, Checkpoint, LiveGame, ReplayFault, Source,
    marks::called,
    parent::{begun, epochs},
    rebuild::{rebuild, rebuild_within},
};
use postrider_table::{Seat, Watch};
use serde::Serialize;

/// A request for a fork.
#[derive(Clone, Debug)]
pub struct ForkGame {
    /// The point at which the new game begins.
    pub to: Checkpoint,
    /// The id of the new game.
    pub id: String,
    /// The reason.
    pub reason: String,
    /// `true` if all players join at once with an empty luck phrase.
    pub join_all: bool,
    /// The players, or empty for those of the other game. A game without its host's data has none:
    /// its journal contains no names.
    pub players: Vec<Invitee>,
}

/// A fork that was opened.
#[derive(Clone, Debug, Serialize)]
pub struct Forked {
    /// The new game.
    pub game: String,
    /// The game that it continues.
    pub parent: String,
    /// The `n` of the last line that both games share.
    pub n: u64,
    /// The Turn and Round of that line.
    pub place: String,
}

impl Office {
    /// Opens a game that continues from a line of another, with the same rules and seats, and
    /// invites the players.
    ///
    /// # Errors
    /// [`OfficeError::Use`] if the request is invalid or cards are hidden at that line; nothing has
    /// been written then.
    pub fn fork(&mut self, game: &str, wanted: &ForkGame) -> Result<Forked, OfficeError> {
        let reason = one_line("a reason", &wanted.reason)?;
        let (new, place) = match wanted.players.as_slice() {
            [] => self.change(game, |services, tx| {
                let new = going_on(&tx.source, &services.catalog, (game, &tx.live), wanted, reason)?;
                let people = NewGame::with_people_of(tx);
                let NewGame { players, directors, away_bot, conceded_bot, advice, rated, .. } = people;
                let (new, place) = new;
                Ok((NewGame { players, directors, away_bot, conceded_bot, advice, rated, ..new }, place))
            })?,
            // Only the journal is used, as by anyone who has no more than that.
            players => {
                let (source, _) = Source::whole(&self.host().journal(game))?;
                let catalog = &self.services.catalog;
                let (live, why) = as_far_as_public(&source, catalog)?;
                let going_on = going_on(&source, catalog, (game, &live), wanted, reason);
                // A moment that is not found among the public ones may be a later one.
                let (new, place) = match (going_on, why) {
                    (Err(OfficeError::Checkpoint(_) | OfficeError::Use(Misuse::NoEntry { .. })), Some(why)) => {
                        return Err(hidden(why));
                    }
                    (done, _) => done?,
                };
                (NewGame { players: players.to_vec(), ..new }, place)
            }
        };
        let n = new.parent.as_ref().map_or(0, |parent| parent.n);
        Ok(Forked { game: self.new_game(&new)?, parent: game.to_owned(), n, place })
    }
}

/// Rebuilds a game as far as the public journal alone allows, and returns why not further.
fn as_far_as_public(source: &Source, catalog: &Catalog) -> Result<(LiveGame, Option<ReplayFault>), OfficeError> {
    let watch = Watch { tell: true, ..Watch::NONE };
    let again = |upto| rebuild(source, catalog, None, upto, watch);
    match again(None) {
        Err(why @ (ReplayFault::Hidden { n, .. } | ReplayFault::Incomplete { from: n, .. })) => {
            Ok((again(Some(n.saturating_sub(1)))?, Some(why)))
        }
        seen => Ok((seen?, None)),
    }
}

/// Returns the error for a moment at which cards are hidden.
fn hidden(why: ReplayFault) -> OfficeError {
    match why {
        ReplayFault::Hidden { n, deck, epoch } => OfficeError::from(Misuse::HiddenCards { n, deck, epoch }),
        why => why.into(),
    }
}

/// Returns a game that continues from a moment of another, without players, and the name of that
/// moment.
fn going_on(
    source: &Source,
    catalog: &Catalog,
    (game, live): (&str, &LiveGame),
    wanted: &ForkGame,
    reason: String,
) -> Result<(NewGame, String), OfficeError> {
    let watch = Watch { tell: true, ..Watch::NONE };
    let n = live.find(&wanted.to)?;
    if n > live.head.n {
        return Err(Misuse::NoEntry { n, last: live.head.n }.into());
    }
    let undone = live.undone_marks.iter().any(|mark| mark.n == n);
    let history = undone.then(|| rebuild(source, catalog, None, Some(n), watch).map_err(hidden)).transpose()?;
    let moment = wanted.to.is_round().then(|| history.as_ref().unwrap_or(live).beginning(n));
    let within = moment.and_then(|moment| moment.within).map(|within| within.first);
    let then = match within {
        Some(_) => rebuild_within(source, catalog, n, watch).map(|(then, _)| then),
        None => rebuild(source, catalog, None, Some(n), watch),
    };
    let then = then.map_err(hidden)?;
    if within.is_none() {
        begun(&then).map_err(|why| Misuse::NoFork { why })?;
    }
    let opened = &then.opened;
    let parent = Parent {
        game: game.to_owned().into(),
        n: then.head.n,
        hash: then.head.hash,
        within,
        epochs: epochs(&then).into_iter().map(|(deck, count)| (deck.into(), count)).collect(),
        reason: reason.into(),
    };
    let new = NewGame {
        ruleset: opened.ruleset.name().to_owned(),
        id: Some(wanted.id.clone()),
        scenario: Some(opened.setup.scenario.clone()),
        options: opened.setup.options.clone(),
        components: Some(opened.setup.components.to_string()),
        operator_seats: opened.operator_seats.iter().filter_map(|name| Seat::from_letter(name)).collect(),
        join_all: wanted.join_all,
        clock: then.deadlines.terms().cloned(),
        version: Some(opened.ruleset.version()),
        parent: Some(parent),
        // The host has already allowed players with two seats.
        shared_address: true,
        ..NewGame::default()
    };
    Ok((new, called(&then.marks)))
}
