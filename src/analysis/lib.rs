#![doc = include_str!("README.md")]

pub mod calibration;
mod course;
pub mod estimate;
mod luck;
mod rollouts;
pub mod tries;
mod words;

use self::rollouts::Position;
use postrider_dice::SeedChain;
use postrider_replay::{Catalog, ReplayFault, Source, rebuild};
use postrider_store::Players;
use postrider_table::{Outcome, RANDOM, Seat, Watch};
use serde::Serialize;

pub use self::{
    course::{Intervention, TimeUsed},
    estimate::Estimate,
    luck::Luck,
    rollouts::{Rollouts, SeatForecast},
    words::{in_words, page},
};

/// What is to be adjudicated, and how.
pub struct Case<'c> {
    /// The journal.
    pub source: &'c Source,
    /// The rules at hand.
    pub catalog: &'c Catalog,
    /// The operator's seed chains, with which hidden cards lie as they were dealt; without them the position is the last
    /// one that the journal alone proves.
    pub chains: Option<Vec<SeedChain>>,
    /// n of the last line that counts; without it, all of them.
    pub upto: Option<u64>,
    /// How often the position is played out.
    pub rollouts: u64,
    /// The name of the bot that plays all seats; without one the first of the game's own, or the one that plays at random.
    pub bot: Option<String>,
    /// The same seed gives the same rollouts.
    pub seed: u64,
    /// A rollout that takes more decisions than this has failed.
    pub limit: u64,
}

/// What was found.
#[derive(Clone, Debug, Serialize)]
pub struct Adjudication {
    /// The game's id.
    pub game: String,
    /// What it is called.
    pub title: String,
    /// The last line that counts, from 1.
    pub line: u64,
    /// The hash of that line.
    pub hash: String,
    /// What people call the moment.
    pub moment: String,
    /// How the game ended, if its rules have ended it.
    pub outcome: Option<Outcome>,
    /// Why the position is not a later one, if there is a later one.
    pub not_further: Option<String>,
    /// The players by seat, as they are called.
    pub seats: Vec<SeatNamed>,
    /// How the game would go on.
    pub rollouts: Rollouts,
    /// The dice so far.
    pub luck: Vec<Luck>,
    /// For whom the game has waited.
    pub time: Vec<TimeUsed>,
    /// How often an entry's time lay before that of the entry before it.
    pub clock_set_back: u64,
    /// Rulings, rewinds and changes of players, oldest first.
    pub interventions: Vec<Intervention>,
}

/// A seat and who sat there from some entry on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeatNamed {
    /// The seat's letter.
    pub seat: String,
    /// The player's name, or the letter once more.
    pub name: String,
    /// The entry by which he came to sit there; 0 for the first.
    pub since: u64,
}

/// Why nothing can be said.
#[derive(Debug, thiserror::Error)]
pub enum AdjudicateFault {
    /// The journal cannot be replayed.
    #[error(transparent)]
    Replay(#[from] ReplayFault),
    /// No such bot plays this game.
    #[error("no bot \"{bot}\" plays {title}; there is {known}")]
    NoBot {
        /// What was asked for.
        bot: String,
        /// The game.
        title: &'static str,
        /// What there is.
        known: String,
    },
    /// There is no position to play out yet.
    #[error("{0}")]
    NoPosition(String),
    /// Every rollout failed.
    #[error("no rollout came to an end; the first one: {0}")]
    Stuck(String),
}

/// Adjudicates. `progress` hears of each rollout that is done; it is called from several threads.
///
/// # Errors
/// [`AdjudicateFault`].
pub fn adjudicate(
    case: &Case<'_>,
    seats: &Players,
    progress: &(dyn Fn() + Sync),
) -> Result<Adjudication, AdjudicateFault> {
    let watch = Watch { tell: true, events: true, digests: false };
    let again = |upto| rebuild(case.source, case.catalog, case.chains.clone(), upto, watch);
    let (live, upto, not_further) = match again(case.upto) {
        Ok(live) => (live, case.upto, None),
        Err(why @ ReplayFault::Hidden { n, .. }) => {
            let upto = n.saturating_sub(1);
            (again(Some(upto))?, Some(upto), Some(why.to_string()))
        }
        Err(why) => return Err(why.into()),
    };
    let rules = live.opened.ruleset;
    let bot = case.bot.as_deref().unwrap_or_else(|| rules.bots().first().unwrap_or(&RANDOM).name);
    if rules.bot(bot).is_none() {
        let known: Vec<&str> = std::iter::once(RANDOM.name).chain(rules.bots().iter().map(|bot| bot.name)).collect();
        let known = postrider_orders::list_or(&known);
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
    let mut players = seats.clone();
    players.sit(&live.seatings);
    let first = letters.iter().zip((0..).map(Seat)).map(|(letter, seat)| SeatNamed {
        seat: letter.clone(),
        name: players.player_at(seat, 0).map_or(letter, |player| &player.name).clone(),
        since: 0,
    });
    let later = players.changes().map(|change| SeatNamed {
        seat: change.to.seat.to_string(),
        name: change.to.name.clone(),
        since: change.n,
    });
    let moment = live.marks.last().map_or_else(|| "just begun".to_owned(), |mark| mark.label.clone());
    let found = course::through(case, upto, &players)?;
    Ok(Adjudication {
        game: live.game.clone(),
        title: rules.title().to_owned(),
        line: live.head.n + 1,
        hash: live.head.hash.to_string(),
        moment,
        outcome: live.outcome(),
        not_further,
        seats: first.chain(later).collect(),
        rollouts: rollouts::play(&Position { case, upto, bot }, &live, progress)?,
        luck: found.luck.by_seat(letters),
        time: found.time,
        clock_set_back: found.clock_set_back,
        interventions: found.interventions,
    })
}
