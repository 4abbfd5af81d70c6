//! Forks: a new game that goes on from a line of another.
//!
//! The fork names the line in its first one and replays the other game up to there; then its own luck and chains are
//! used, fixed while nobody could know both. Nothing secret goes over: a game can be forked where every shuffle up to the
//! line is revealed, by now or at the game's end. So whoever has both journals can check all of it, and what the rules do
//! afterwards with cards from before leaves no lines, just as after a rewind to before a reveal.

use super::{
    new_game::{Invitee, NewGame},
    rewind::one_line,
};
use crate::{error::OfficeError, misuse::Misuse, service::Office};
use postrider_journal::Parent;
use postrider_replay::{
    Checkpoint, ReplayFault,
    marks::place,
    parent::{begun, epochs},
    rebuild,
};
use postrider_store::Player;
use postrider_table::{Seat, Watch};
use serde::Serialize;

/// What a game is forked with.
#[derive(Clone, Debug)]
pub struct ForkGame {
    /// Where the new game begins.
    pub to: Checkpoint,
    /// The id of the new game.
    pub id: String,
    /// Why.
    pub reason: String,
    /// Everybody joins at once with an empty luck phrase.
    pub join_all: bool,
}

/// A fork that was opened.
#[derive(Clone, Debug, Serialize)]
pub struct Forked {
    /// The new game.
    pub game: String,
    /// The game from which it goes on.
    pub parent: String,
    /// n of the last line that both have in common.
    pub n: u64,
    /// Turn and Round there.
    pub place: String,
}

impl Office {
    /// Opens a game that goes on from a line of another, with the same rules, seats and players, and invites these.
    ///
    /// # Errors
    /// [`OfficeError::Use`] when it makes no sense or hidden cards are in play there; nothing has been written then.
    pub fn fork(&mut self, game: &str, wanted: &ForkGame) -> Result<Forked, OfficeError> {
        let reason = one_line("a reason", &wanted.reason)?;
        let (new, place) = self.with_session(game, |services, session| {
            let n = wanted.to.find(&session.live.marks)?;
            // As anybody may who has the journal alone.
            let watch = Watch { tell: true, ..Watch::NONE };
            let then = match rebuild(&session.source, &services.catalog, None, Some(n), watch) {
                Err(ReplayFault::Hidden { n, deck, epoch }) => {
                    return Err(Misuse::HiddenCards { n, deck, epoch }.into());
                }
                then => then?,
            };
            begun(&then).map_err(|why| Misuse::NoFork { why })?;
            let opened = &then.opened;
            let parent = Parent {
                game: game.to_owned().into(),
                n: then.head.n,
                hash: then.head.hash,
                epochs: epochs(&then).into_iter().map(|(deck, count)| (deck.into(), count)).collect(),
                reason: reason.clone().into(),
            };
            let invitee = |player: &Player| Invitee {
                name: player.name.clone(),
                address: player.address.clone(),
                zone: player.zone.clone(),
                sender_check: session.secrets.checks.get(&player.seat).copied(),
            };
            let new = NewGame {
                ruleset: opened.ruleset.name().to_owned(),
                id: Some(wanted.id.clone()),
                scenario: Some(opened.setup.scenario.clone()),
                options: opened.setup.options.clone(),
                players: session.seats.players.iter().map(invitee).collect(),
                components: Some(opened.setup.components.to_string()),
                operator_seats: opened.operator_seats.iter().filter_map(|name| Seat::from_letter(name)).collect(),
                join_all: wanted.join_all,
                clock: session.live.deadlines.terms(),
                when_away: session.secrets.when_away.clone(),
                advice: session.secrets.advice,
                rated: session.secrets.rated,
                version: Some(opened.ruleset.version()),
                parent: Some(parent),
                // Who sits at two seats does so by the host's will.
                shared_address: true,
            };
            Ok((new, place(&then.marks)))
        })?;
        let n = new.parent.as_ref().map_or(0, |parent| parent.n);
        Ok(Forked { game: self.new_game(&new)?, parent: game.to_owned(), n, place })
    }
}
