//! Points to which a game can be rewound, orders that can be taken back, and reports of rewinds.

use crate::{
    error::OfficeError,
    game::{Game, clock, motions},
    misuse::Misuse,
    services::Services,
};
use postrider_audit::Disclosed;
use postrider_dice::Hash;
use postrider_journal::Via;
use postrider_letters as letters;
use postrider_letters::Section;
use postrider_orders::list_and;
use postrider_replay::{
    Answered, Checkpoint, LiveGame, Moment, StoryLine,
    facts::{Came, Rewound},
    marks::called,
    rebuild,
};
use postrider_table::{DynGame, PromptId, Seat, Watch};
use std::collections::{BTreeMap, BTreeSet, VecDeque, btree_map::Entry};

/// A point to which a game can be rewound: between two steps, or the beginning of a Round within
/// one.
pub(crate) struct Point {
    /// The `n` of the last line before it.
    pub to: u64,
    /// The `n` of the line that caused the step within which it is, if it is within one.
    pub within: Option<u64>,
    /// The Turn and Round in words.
    pub place: String,
    /// The number of questions asked before it.
    pub prompts: PromptId,
    /// `true` if the game was over.
    pub over: bool,
}

/// The effect of a rewind, for letters.
pub(crate) struct RewindReport {
    /// The Turn and Round from which play continues.
    pub place: String,
    /// The information revealed by the undone entries.
    pub disclosed: Disclosed,
    /// The undone part of the story.
    pub story: Vec<StoryLine>,
}

/// The reports of rewinds by the `n` of the `rewound` line, made once for all readers.
#[derive(Default)]
pub(crate) struct RewindReports(pub BTreeMap<u64, RewindReport>);

impl RewindReports {
    /// Returns the report of rewinds for a seat whose last letter was written at line `after`.
    pub fn report(
        &mut self,
        game: &Game,
        services: &Services,
        seat: Seat,
        after: u64,
    ) -> Result<Vec<Section>, OfficeError> {
        let mut out = Vec::new();
        for rewound in game.facts.rewinds.iter().filter(|r| r.n > after && r.taken_back().is_none()) {
            let Rewound { n, to, within, by, reason, fresh } = rewound;
            let (n, to) = (*n, *to);
            let chains = match fresh {
                true => "The seed chains are fresh: no die and no shuffle will come as it did there.",
                false if n == to + 1 => {
                    "The seed chains are the same: the same orders bring the same dice and cards as in the lost entries."
                }
                false => {
                    "No die was rolled and no deck shuffled there since the seed chains began, so the dice and cards to come are the \
                     same as before."
                }
            };
            let RewindReport { place, disclosed, story } = match self.0.entry(n) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let before = history(game, services, n - 1)?;
                    let story = before.undone_story(to, *within).cloned().collect();
                    let disclosed = Disclosed::between(&game.source, to, n - 1)?;
                    let then = at(game, services, to, within.is_some())?;
                    new.insert(RewindReport { place: then.place, disclosed, story })
                }
            };
            let undone = match n - to {
                1 => "No entry of this journal is undone.".to_owned(),
                2 => format!("Entry {} is undone and no longer counts.", to + 1),
                _ => format!("Entries {} to {} are undone and no longer count.", to + 1, n - 1),
            };
            let reason = reason.trim_end_matches('.');
            let again = motions::play_again(game, game.live.motions.annulled_by(n), false);
            let pause =
                clock::cut_short(game, n).then(|| "The pause has ended with it: all clocks run again.".to_owned());
            let undone = std::iter::once(undone).chain(again).chain(pause).collect::<Vec<_>>().join(" ");
            let heading = format!(
                "THE GAME WAS REWOUND to entry {to} ({place}), by {}: {reason}. {undone} {chains}",
                motions::called(game, by)
            );
            let story = letters::story(story, letters::Reader::at(Some(seat)), None, &game.seats);
            out.push(Section::paragraph(heading));
            if n > to + 1 {
                out.push(disclosed.report(Some(seat), &game.seats, &story));
            }
        }
        Ok(out)
    }
}

/// Finds the point to which a game is to be rewound.
///
/// # Errors
/// [`OfficeError::Use`] or [`OfficeError::Checkpoint`] if play cannot continue from there.
pub(crate) fn find(game: &Game, services: &Services, wanted: &Checkpoint) -> Result<Point, OfficeError> {
    let Some(begun) = game.live.started else { return Err(Misuse::NothingToRewind.into()) };
    let (n, end) = (game.live.find(wanted)?, game.head().n);
    if n > end {
        return Err(Misuse::NoEntry { n, last: end }.into());
    }
    let point = at(game, services, n, wanted.is_round())?;
    match point.to {
        to if to < begun.n => Err(Misuse::BeforePlay { first: begun.n }.into()),
        to if point.over => Err(Misuse::RewindToEnd { n: to }.into()),
        to if to >= end && point.within.is_none() => Err(Misuse::NothingUndone { n: end }.into()),
        _ => Ok(point),
    }
}

/// Returns the point after the step of line `n` or, if it `begins` a Round, the Round's beginning,
/// before its dice.
pub(crate) fn at(game: &Game, services: &Services, n: u64, begins: bool) -> Result<Point, OfficeError> {
    if !begins {
        return point(game, services, n);
    }
    // Play undone by an earlier rewind is not in memory.
    let undone = game.live.undone_marks.iter().any(|mark| mark.n == n);
    let then = if undone { Some(history(game, services, n)?) } else { None };
    let live = then.as_ref().unwrap_or(&game.live);
    let Moment { begins: Some(mark), within: Some(within), .. } = live.beginning(n) else {
        return point(game, services, n);
    };
    let prompts = live.step_log.with_round(n).map_or(0, |step| step.asks_from);
    // A Round of undone play can be restarted only after its step is restored.
    let over = undone && live.closed;
    Ok(Point { to: n, within: Some(within.first), place: called(&[mark]), prompts, over })
}

/// Rebuilds the game as it was after the step of line `n`.
fn history(game: &Game, services: &Services, n: u64) -> Result<LiveGame, OfficeError> {
    let watch = Watch { tell: true, ..Watch::NONE };
    Ok(rebuild(&game.source, &services.catalog, Some(game.secrets.chains.clone()), Some(n), watch)?)
}

/// Returns the point after the step to which line `n` belongs.
pub(crate) fn point(game: &Game, services: &Services, n: u64) -> Result<Point, OfficeError> {
    let asked = |dyn_game: &Option<Box<dyn DynGame>>| dyn_game.as_ref().map_or(0, |dyn_game| dyn_game.next_prompt());
    let over = |dyn_game: &Option<Box<dyn DynGame>>| dyn_game.as_ref().is_some_and(|it| it.outcome().is_some());
    if let Some(then) = game.live.then(n)? {
        let ended = game.live.motions.closed().is_some_and(|at| at <= then.n);
        let (prompts, over) = (asked(&then.dyn_game), over(&then.dyn_game) || ended);
        return Ok(Point { to: then.n, within: None, place: then.place, prompts, over });
    }
    let then = history(game, services, n)?;
    let (prompts, over) = (asked(&then.dyn_game), then.closed);
    Ok(Point { to: then.head.n, within: None, place: called(&then.marks), prompts, over })
}

/// Returns the `n` of a seat's last order if it can still be taken back, or the reason why not. The
/// result depends only on public information: the journal's lines and the awaited seats.
pub(crate) fn can_take_back(game: &Game, seat: Seat) -> Result<u64, String> {
    if game.live.closed {
        return Err("The game is over.".to_owned());
    }
    if motions::is_out(game, seat) {
        return Err("Your seat is out of the game, so nothing can be taken back.".to_owned());
    }
    // If the rules fail, nothing can be taken back.
    let asked = game.asked().map_err(|why| format!("Your last order cannot be taken back now: {why}."))?;
    let required = asked.into_iter().filter(|asked| asked.required && asked.seat != seat);
    let awaited: Vec<(Seat, PromptId)> = required.map(|asked| (asked.seat, asked.id)).collect();
    let none = "You have given no order that could be taken back.";
    let (n, came) = game.facts.last_order(seat).ok_or_else(|| none.to_owned())?;
    let name = |seat: Seat| game.seats.player(seat).map_or_else(|| seat.to_string(), |player| player.name.clone());
    let mut between: Vec<String> = Vec::new();
    for what in came {
        between.push(match what {
            Came::Order(seat, Via::Deadline) => format!("a deadline of {} has passed", name(seat)),
            Came::Order(seat, Via::Bot) => format!("a bot has played for {}", name(seat)),
            Came::Order(seat, _) => format!("{} has given an order", name(seat)),
            Came::Dice => "dice have fallen".to_owned(),
            Came::Cards => "cards have been dealt or shown".to_owned(),
            Came::Standing(seat) => format!("{} has left or ended a standing order", name(seat)),
            Came::Director => "the director has ruled".to_owned(),
        });
    }
    between.dedup();
    if let Some(Answered { kind, asks_from, .. }) = game.live.answered(n) {
        if game.live.opened.ruleset.binding().contains(&kind) {
            return Err(format!(
                "Your last order (entry {n}) cannot be taken back: an offer, and an answer to one, binds as soon as it is \
                 given."
            ));
        }
        let asked: BTreeSet<Seat> =
            { awaited }.into_iter().filter(|(_, id)| *id >= asks_from).map(|(s, _)| s).collect();
        if !asked.is_empty() {
            let has = if asked.len() == 1 { "has" } else { "have" };
            let names: Vec<String> = asked.into_iter().map(name).collect();
            between.push(format!("{} {has} been asked for an answer", list_and(&names)));
        }
    }
    if between.is_empty() {
        return Ok(n);
    }
    Err(format!(
        "Your last order (entry {n}) cannot be taken back: since then {}. `propose back to entry {}` asks the others to go back.",
        list_and(&between),
        n - 1
    ))
}

/// Returns the entries of the orders that a mail has taken back; what it did before a crash is not
/// repeated.
pub(crate) fn taken_back_by(game: &Game, mail: Hash) -> VecDeque<u64> {
    let rewinds = game.secrets.rewinds.values().zip(&game.facts.rewinds);
    rewinds.filter(|(undoing, _)| undoing.mail == Some(mail)).map(|(_, rewound)| rewound.to + 1).collect()
}

/// Returns the seat whose mail caused the last line, if the program ended before the rest of the
/// mail was carried out. The mail comes again, and its answer will report everything.
pub(crate) fn half_done(game: &Game) -> Option<Seat> {
    let last = game.facts.rewinds.last().filter(|rewound| rewound.n == game.head().n);
    let back = last.and_then(|last| {
        Some((last.taken_back()?, game.secrets.rewinds.get(&(game.facts.rewinds.len() as u64))?.mail?))
    });
    let (seat, mail) = back.or_else(|| game.secrets.last_append_by(game.head().n))?;
    (!game.secrets.handled.contains(&mail)).then_some(seat)
}

/// Describes the last rewind, for a sender who answers a letter from before it.
pub(crate) fn last_rewind(game: &Game) -> String {
    let Some(Rewound { n, to, by, reason, .. }) = game.facts.rewinds.last() else { return String::new() };
    let who = Seat::from_letter(by).and_then(|seat| game.seats.player(seat)).map_or(by.as_str(), |player| &player.name);
    format!("{who} has the game go on after entry {to} (entry {n}: {reason})")
}
