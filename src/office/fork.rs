//! Forks: a new game that goes on from a line of another.
//!
//! The fork names the line in its first one and replays the other game up to there; then its own luck and chains are
//! used, fixed while nobody could know both. Nothing secret goes over: a game can be forked where every shuffle up to the
//! line is revealed, by now or at the game's end. So whoever has both journals can check all of it, and what the rules do
//! afterwards with cards from before leaves no lines, just as after a rewind to before a reveal.

use super::{
    Invitee, Moment, NewGame, Office, ReplayFault, Running, Shelf, Trouble,
    house::House,
    rebuild,
    rewind::one_line,
    running::{Mark, place},
    shelf::Opened,
    step::Difference,
    tape::Tape,
};
use crate::{
    journal::Parent,
    table::{Hosted, Seat, Watch},
};
use serde::Serialize;
use std::{cell::RefCell, rc::Rc};

/// A fork of a fork and so on: more generations than this are not followed.
pub(super) const MOST_GENERATIONS: usize = 16;

/// What a game is forked with.
#[derive(Clone, Debug)]
pub struct ForkGame {
    /// Where the new game begins.
    pub to: Moment,
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

/// What a fork begins with.
pub(super) struct Past {
    /// The parent's rules at work, as they stand at the line.
    pub hosted: Box<dyn Hosted>,
    /// The last Round that has begun.
    pub mark: Option<Mark>,
    /// What they were fed.
    pub tape: Tape,
}

impl Office {
    /// Opens a game that goes on from a line of another, with the same rules, seats and players, and invites these.
    ///
    /// # Errors
    /// [`Trouble::Use`] when it makes no sense or hidden cards are in play there; nothing has been written then.
    pub fn fork(&mut self, game: &str, wanted: &ForkGame) -> Result<Forked, Trouble> {
        let reason = one_line("a reason", &wanted.reason)?;
        let (new, place) = self.with_desk(game, |tools, desk| {
            let n = wanted.to.find(&desk.running.marks)?;
            // As anybody may who has the journal alone.
            let watch = Watch { tell: true, ..Watch::NONE };
            let then = match rebuild(&desk.source, &tools.shelf, None, Some(n), watch) {
                Err(ReplayFault::Hidden { n, deck, epoch }) => {
                    return Err(Trouble::Use(format!(
                        "line {}: the cards of {deck}, epoch {epoch}, are not all public yet, and no secret goes into a fork; \
                         fork at an earlier line, or when they are revealed",
                        n + 1
                    )));
                }
                then => then?,
            };
            begun(&then).map_err(Trouble::Use)?;
            let opened = &then.opened;
            let parent = Parent {
                game: game.to_owned().into(),
                n: then.head.n,
                hash: then.head.hash,
                epochs: epochs(&then).into_iter().map(|(deck, count)| (deck.into(), count)).collect(),
                reason: reason.clone().into(),
            };
            let invitee = |player: &super::Player| Invitee {
                name: player.name.clone(),
                address: player.address.clone(),
                zone: player.zone.clone(),
            };
            let new = NewGame {
                ruleset: opened.ruleset.name().to_owned(),
                id: Some(wanted.id.clone()),
                scenario: Some(opened.setup.scenario.clone()),
                options: opened.setup.options.clone(),
                players: desk.seats.players.iter().map(invitee).collect(),
                components: Some(opened.setup.components.to_string()),
                operator_seats: opened.operator_seats.iter().filter_map(|name| Seat::from_letter(name)).collect(),
                join_all: wanted.join_all,
                clock: desk.running.deadlines.terms(),
                parent: Some((parent, opened.setup.version)),
            };
            Ok((new, place(&then.marks)))
        })?;
        let n = new.parent.as_ref().map_or(0, |(parent, _)| parent.n);
        Ok(Forked { game: self.new_game(&new)?, parent: game.to_owned(), n, place })
    }
}

/// Why there is nothing to go on with, if so.
fn begun(then: &Running) -> Result<(), String> {
    match &then.hosted {
        None => Err("play has not begun there".to_owned()),
        Some(hosted) if hosted.outcome().is_some() => Err("the game is over there".to_owned()),
        Some(_) => Ok(()),
    }
}

/// How many shuffles there were of each deck that has been shuffled, sorted by deck.
fn epochs(then: &Running) -> Vec<(String, u64)> {
    let house = then.house.borrow();
    let mut all: Vec<_> = house.epochs().iter().map(|(deck, &count)| (deck.clone(), count)).collect();
    all.sort();
    all
}

/// The game from which the fork `opened` goes on, replayed from public lines alone up to the line that it names.
///
/// # Errors
/// [`ReplayFault::Parent`] when that is not at hand or not public; [`ReplayFault::Differs`] in the first line when it is
/// something else than the fork says.
pub(super) fn past(shelf: &Shelf, opened: &Opened, watch: Watch) -> Result<(Past, Rc<RefCell<House>>), ReplayFault> {
    let Some(Parent { game, n, hash, epochs: counted, .. }) = &opened.parent else { return Err(ReplayFault::Empty) };
    let game = game.to_string();
    let open = |why: String| ReplayFault::Parent { game: game.clone(), why };
    let differs = |why: String| {
        let what = Box::new(Difference::Parent { game: game.clone(), why });
        ReplayFault::Differs { n: 0, cause: 0, what }
    };
    // A file could name itself; what it says of hashes is only known when it is read.
    let shelf = shelf.older(MOST_GENERATIONS).ok_or_else(|| open("is a fork of too many forks".to_owned()))?;
    let source = shelf.journal(&game).ok_or_else(|| open("was not given".to_owned()))?;
    let watch = Watch { tell: true, ..watch };
    let mut then = rebuild(&source, &shelf, None, Some(*n), watch).map_err(|fault| match fault {
        fault @ (ReplayFault::Journal(_) | ReplayFault::Differs { .. }) => {
            differs(format!("its journal is contradicted before line {} ends ({fault})", n + 1))
        }
        // Of a fork's own parent; it names that.
        fault @ ReplayFault::Parent { .. } => fault,
        fault => open(format!("cannot be replayed up to line {}: {fault}", n + 1)),
    })?;
    if then.head.n < *n {
        return Err(open(format!("has {} lines in the copy at hand, and line {} is named", then.head.n + 1, n + 1)));
    }
    if (then.head.n, then.head.hash) != (*n, *hash) {
        let found = format!("line {} has the hash {}", then.head.n + 1, then.head.hash);
        return Err(differs(format!("a step ends with line {} and the hash {hash}, and there {found}", n + 1)));
    }
    begun(&then).map_err(differs)?;
    let (ours, theirs) = (opened, &then.opened);
    let same = ours.ruleset.name() == theirs.ruleset.name()
        && ours.components == theirs.components
        && (ours.setup.version, &ours.setup.scenario) == (theirs.setup.version, &theirs.setup.scenario)
        && ours.setup.options == theirs.setup.options
        && ours.seats == theirs.seats;
    if !same {
        return Err(differs("rules, version, components, scenario, options and seats must be the same".to_owned()));
    }
    let right = epochs(&then);
    if !right
        .iter()
        .map(|(deck, count)| (deck.as_str(), count))
        .eq(counted.iter().map(|(deck, count)| (&**deck, count)))
    {
        let right: Vec<String> = right.iter().map(|(deck, count)| format!("{count} of {deck}")).collect();
        return Err(differs(format!("its shuffles up to there are: {}", right.join(", "))));
    }
    let mark = then.marks.pop();
    let hosted = then.hosted.take().ok_or(ReplayFault::Empty)?;
    Ok((Past { hosted, mark, tape: then.tape }, then.house))
}
