//! The parent of a fork, replayed from its public lines alone, up to the line that the fork names.

use super::{
    Catalog, Difference, LiveGame, Opened, ReplayFault, Source,
    chance_ledger::ChanceLedger,
    step_log::{Half, Past},
};
use postrider_journal::Parent;
use postrider_table::Watch;
use std::{cell::RefCell, rc::Rc};

/// The maximum number of forks that are followed from fork to parent.
pub const MOST_GENERATIONS: usize = 16;

/// Returns an error if the game has not begun or is already over.
pub fn begun(then: &LiveGame) -> Result<(), String> {
    match &then.dyn_game {
        None => Err("play has not begun there".to_owned()),
        Some(dyn_game) if dyn_game.outcome().is_some() => Err("the game is over there".to_owned()),
        Some(_) => Ok(()),
    }
}

/// Returns the number of shuffles of each deck that has been shuffled, sorted by deck.
pub fn epochs(then: &LiveGame) -> Vec<(String, u64)> {
    let ledger = then.ledger.borrow();
    let mut all: Vec<_> = ledger.epochs().iter().map(|(deck, &count)| (deck.clone(), count)).collect();
    all.sort();
    all
}

/// A function that replays a journal without secrets, up to a line: up to the end of its step or,
/// if the flag is set, up to the Round that it begins, in the midst of a step.
pub type Replayed<'r> =
    &'r dyn Fn(&Source, &Catalog, u64, bool, Watch) -> Result<(LiveGame, Option<Half>), ReplayFault>;

/// Returns the state of the parent of the fork `opened`, replayed from public lines alone up to the
/// line that the fork names. `replayed` is called for that; the parent may itself be a fork.
///
/// # Errors
/// Returns [`ReplayFault::Parent`] if the parent is not available or not public, and
/// [`ReplayFault::Differs`] for line 0 if it is not as the fork says.
pub fn past(
    catalog: &Catalog,
    opened: &Opened,
    watch: Watch,
    replayed: Replayed<'_>,
) -> Result<(Past, Rc<RefCell<ChanceLedger>>), ReplayFault> {
    let Some(parent) = &opened.parent else { return Err(ReplayFault::Empty) };
    let Parent { game, n, hash, within, epochs: counted, .. } = parent;
    let game = game.to_string();
    let open = |why: String| ReplayFault::Parent { game: game.clone(), why };
    let differs = |why: String| {
        let what = Box::new(Difference::Parent { game: game.clone(), why });
        ReplayFault::Differs { n: 0, cause: 0, what }
    };
    // A journal could name itself as its parent; its hashes are only checked when it is read.
    let catalog = catalog.older(MOST_GENERATIONS).ok_or_else(|| open("is a fork of too many forks".to_owned()))?;
    let source = catalog.journal(&game).ok_or_else(|| open("was not given".to_owned()))?;
    let watch = Watch { tell: true, ..watch };
    let seen = replayed(&source, &catalog, *n, within.is_some(), watch);
    let short = |from| open(format!("ends with entry {from} in the copy at hand, and entry {n} is named"));
    let (mut then, half) = seen.map_err(|fault| match fault {
        ReplayFault::Differs { what, .. } if matches!(*what, Difference::NoRound(_)) => differs(what.to_string()),
        ReplayFault::Incomplete { from, .. } if within.is_some() => short(from),
        fault @ (ReplayFault::Journal(_) | ReplayFault::Differs { .. }) => {
            differs(format!("its journal is contradicted up to entry {n} ({fault})"))
        }
        // The fault is in the parent's own parent, which it already names.
        fault @ ReplayFault::Parent { .. } => fault,
        fault => open(format!("cannot be replayed up to entry {n}: {fault}")),
    })?;
    if then.head.n < *n {
        return Err(short(then.head.n));
    }
    if (then.head.n, then.head.hash) != (*n, *hash) {
        let found = format!("entry {} has the hash {}", then.head.n, then.head.hash);
        return Err(differs(format!("a step ends with entry {n} and the hash {hash}, and there {found}")));
    }
    if let Some(found) = half.as_ref().map(|half| half.first).filter(|first| *within != Some(*first)) {
        return Err(differs(format!("entry {n} begins a Round of the step of entry {found}")));
    }
    if half.is_none() {
        begun(&then).map_err(differs)?;
    }
    let (ours, theirs) = (opened, &then.opened);
    let same = ours.ruleset.name() == theirs.ruleset.name()
        && ours.components == theirs.components
        && ours.ruleset.version() == theirs.ruleset.version()
        && ours.setup.scenario == theirs.setup.scenario
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
    Ok((Past { dyn_game: then.dyn_game, half, mark, step_log: then.step_log }, then.ledger))
}
