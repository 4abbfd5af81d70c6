#![doc = include_str!("README.md")]

pub mod calibration;
mod course;
mod docket;
pub mod estimate;
mod interventions;
mod luck;
mod rollouts;
mod times;
pub mod tries;
mod words;

use self::rollouts::Position;
use chrono::{DateTime, Utc};
use postrider_dice::SeedChain;
use postrider_journal::Ended;
use postrider_replay::{Catalog, LiveGame, Moment, ReplayFault, Source, rebuild};
use postrider_store::Players;
use postrider_table::{Outcome, RANDOM, Seat, Watch};
use serde::Serialize;

pub use self::{
    course::{Course, Waited},
    docket::{Change, Decided, Docket, Row, ledger},
    estimate::Estimate,
    interventions::{Intervention, Interventions, interventions_in_words},
    luck::Luck,
    rollouts::{Rollouts, SeatForecast},
    times::TimeUsed,
    words::{clocks_in_words, in_words, lasted, page},
};

/// The maximum number of decisions in a rollout that supports a result.
pub const LONGEST_ROLLOUT: u64 = 200_000;

/// A position to adjudicate, and the parameters.
pub struct Case<'c> {
    /// The journal.
    pub source: &'c Source,
    /// The rulesets and components.
    pub catalog: &'c Catalog,
    /// The operator's seed chains, with which hidden cards are known as they were dealt. Without
    /// them the position is the last one that the journal alone proves.
    pub chains: Option<Vec<SeedChain>>,
    /// The moment from which to play; `None` for the present one.
    pub at: Option<Moment>,
    /// The present time, up to which open questions are counted; without it, that of the last line.
    /// Only used with all lines.
    pub now: Option<DateTime<Utc>>,
    /// The number of rollouts.
    pub rollouts: u64,
    /// The name of the bot that plays all seats. Default: the game's first own bot, or else the
    /// random bot.
    pub bot: Option<String>,
    /// The seed of the rollouts; the same seed gives the same rollouts.
    pub seed: u64,
    /// The maximum number of decisions in a rollout; one that needs more fails.
    pub limit: u64,
}

/// The result of an adjudication.
#[derive(Clone, Debug, Serialize)]
pub struct Adjudication {
    /// The game's id.
    pub game: String,
    /// The ruleset's title.
    pub title: String,
    /// The last line used, counted from 1.
    pub line: u64,
    /// The hash of that line.
    pub hash: String,
    /// The label of the moment, such as the Turn and Round.
    pub moment: String,
    /// The outcome, if the game has ended.
    pub outcome: Option<Outcome>,
    /// The way in which it ended, if it has.
    pub ended: Option<Ended>,
    /// The seats that have given the game up or lost on time, and so come last.
    pub out: Vec<String>,
    /// The reason why the position is not the last one requested, if it is not.
    pub not_further: Option<String>,
    /// The players by seat; those who took over a seat later come last.
    pub seats: Vec<SeatNamed>,
    /// The forecast.
    pub rollouts: Rollouts,
    /// The dice rolled so far, by player.
    pub luck: Vec<Luck>,
    /// The time that the game waited, by player.
    pub time: Vec<TimeUsed>,
    /// The number of entries whose time is earlier than that of the entry before.
    pub clock_set_back: u64,
    /// Rulings, rewinds and changes of players, oldest first.
    pub interventions: Vec<Intervention>,
}

/// A player of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeatNamed {
    /// The seat's letter.
    pub seat: String,
    /// The player's name, or the seat's letter if there is none.
    pub name: String,
    /// The entry at which the player took the seat; 0 for the first player.
    pub since: u64,
}

/// An error that prevents an adjudication.
#[derive(Debug, thiserror::Error)]
pub enum AdjudicateFault {
    /// The journal cannot be replayed.
    #[error(transparent)]
    Replay(#[from] ReplayFault),
    /// The game has no bot of this name.
    #[error("no bot \"{bot}\" plays {title}; available: {known}")]
    NoBot {
        /// The requested name.
        bot: String,
        /// The game's title.
        title: &'static str,
        /// The names of the available bots.
        known: String,
    },
    /// There is no position to play out, for the reason given.
    #[error("{0}")]
    NoPosition(String),
    /// Every rollout failed; holds the first failure.
    #[error("no rollout finished; the first failed: {0}")]
    Stuck(String),
}

/// Adjudicates a position. Calls `progress` after each rollout, from several threads.
///
/// # Errors
/// Returns an [`AdjudicateFault`] if the journal cannot be replayed, the bot is unknown, there is
/// no position to play out, or every rollout fails.
pub fn adjudicate(
    case: &Case<'_>,
    seats: &Players,
    progress: &(dyn Fn() + Sync),
) -> Result<Adjudication, AdjudicateFault> {
    let Proved { live, at, not_further } = Proved::of(case)?;
    let rules = live.opened.ruleset;
    let bot = case.bot.as_deref().unwrap_or_else(|| rules.bots().first().unwrap_or(&RANDOM).name);
    if rules.bot(bot).is_none() {
        let known: Vec<&str> = std::iter::once(RANDOM.name).chain(rules.bots().iter().map(|bot| bot.name)).collect();
        let known = postrider_orders::list_and(&known);
        return Err(AdjudicateFault::NoBot { bot: bot.to_owned(), title: rules.title(), known });
    }
    if live.started.is_none() || live.dyn_game.is_none() {
        let why = match &not_further {
            Some(why) => format!("there is no position that this journal alone proves: {why}"),
            None => "the game has not begun: there is no position to play out".to_owned(),
        };
        return Err(AdjudicateFault::NoPosition(why));
    }
    let letters = &live.opened.seats;
    let (players, named) = named(&live, seats);
    let begins = at.as_ref().and_then(|at| at.begins.as_ref());
    let moment =
        begins.or_else(|| live.marks.last()).map_or_else(|| "just begun".to_owned(), |mark| mark.label.clone());
    let found = course(case, at.as_ref(), &players)?;
    Ok(Adjudication {
        game: live.game.clone(),
        title: rules.title().to_owned(),
        line: live.head.n + 1,
        hash: live.head.hash.to_string(),
        moment,
        outcome: live.outcome().filter(|_| begins.is_none()),
        ended: live.motions.ended().filter(|_| begins.is_none()),
        out: live.motions.conceded_after(0).map(|(_, seat)| seat.to_owned()).collect(),
        not_further,
        seats: named,
        rollouts: rollouts::play(&Position { case, at: at.as_ref(), bot }, &live, progress)?,
        luck: found.luck.by_seat(letters),
        time: found.time,
        clock_set_back: found.clock_set_back,
        interventions: found.interventions,
    })
}

/// The last position of a case that its journal proves.
struct Proved {
    live: LiveGame,
    at: Option<Moment>,
    /// The reason why the position is not the last one requested, if it is not.
    not_further: Option<String>,
}

impl Proved {
    fn of(case: &Case<'_>) -> Result<Proved, ReplayFault> {
        let watch = Watch { tell: true, events: true, ..Watch::NONE };
        let again = |upto| rebuild(case.source, case.catalog, case.chains.clone(), upto, watch);
        match again(case.at.as_ref().map(|at| at.n)) {
            Ok(live) => Ok(Proved { live, at: case.at.clone(), not_further: None }),
            Err(why @ (ReplayFault::Hidden { n, .. } | ReplayFault::Incomplete { from: n, .. })) => {
                let at = Moment::after(n.saturating_sub(1));
                Ok(Proved { live: again(Some(at.n))?, at: Some(at), not_further: Some(why.to_string()) })
            }
            Err(why) => Err(why),
        }
    }
}

/// Returns the players of a game at the seats that the journal gives them, and their names.
fn named(live: &LiveGame, seats: &Players) -> (Players, Vec<SeatNamed>) {
    let mut players = seats.clone();
    players.sit(&live.seatings);
    let first = live.opened.seats.iter().zip((0..).map(Seat)).map(|(letter, seat)| SeatNamed {
        seat: letter.clone(),
        name: players.player_at(seat, 0).map_or(letter, |player| &player.name).clone(),
        since: 0,
    });
    let later = players.changes().map(|change| SeatNamed {
        seat: change.to.seat.to_string(),
        name: change.to.name.clone(),
        since: change.n,
    });
    let all = first.chain(later).collect();
    (players, all)
}

/// The time that the game waited for each player, recomputed from its journal.
#[derive(Clone, Debug, Serialize)]
pub struct Clocks {
    /// The terms on time in a sentence; `None` in a game without deadlines.
    pub terms: Option<String>,
    /// The reason why the times do not reach the last line, if they do not.
    pub not_further: Option<String>,
    /// The players by seat; those who took over a seat later come last.
    pub seats: Vec<SeatNamed>,
    /// The times, by seat.
    pub time: Vec<TimeUsed>,
    /// The number of entries whose time is earlier than that of the entry before.
    pub clock_set_back: u64,
}

/// Recomputes the time that the game waited for each player. It uses only the case's journal,
/// catalog, chains and times.
///
/// # Errors
/// Returns a [`ReplayFault`] if the journal cannot be replayed.
pub fn clocks(case: &Case<'_>, seats: &Players) -> Result<Clocks, ReplayFault> {
    let Proved { live, at, not_further } = Proved::of(case)?;
    let (players, seats) = named(&live, seats);
    let found = course(case, at.as_ref(), &players)?;
    let terms = live.deadlines.terms().map(postrider_replay::Terms::words);
    Ok(Clocks { terms, not_further, seats, time: found.time, clock_set_back: found.clock_set_back })
}

fn course(case: &Case<'_>, at: Option<&Moment>, players: &Players) -> Result<course::Found, ReplayFault> {
    let chains = case.chains.as_deref().unwrap_or_default();
    let Case { source, catalog, now, .. } = *case;
    Course { source, catalog, chains, at, now, players }.read()
}
