//! Games between bots, on all cores.

use super::{Statistics, shares, statistics::ASKED};
use indicatif::ProgressBar;
use postrider_dice::{DiceStream, h};
use postrider_table::{BotDecision, Bots, Event, Ruleset, Seat, SeededChance, Setup, Watch};
use std::{
    collections::BTreeMap,
    panic,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

/// Maximum number of decisions in a game; one that takes more does not end.
pub(crate) const LIMIT: u64 = postrider_analysis::LONGEST_ROLLOUT;

/// The games to play, and the bots.
pub(crate) struct Match {
    pub rules: &'static dyn Ruleset,
    /// The setups, used in turn and repeatedly.
    pub setups: Vec<Setup>,
    pub bots: Players,
    /// Maximum number of decisions; a game that takes more has failed.
    pub limit: u64,
}

/// The seating of the bots.
pub(crate) enum Players {
    /// The same bot at every seat.
    Alike(String),
    /// The bot of each seat in the first game; they move by one seat in each further game.
    Seated(Vec<String>),
    /// Each deal is played twice: the first bot has the first half of the seats, then all others.
    Against { first: String, second: String },
}

impl Players {
    /// Returns the deal of a game; both games of a duel have the same.
    fn deal(&self, game: u64) -> u64 {
        match self {
            Players::Against { .. } => game / 2,
            _ => game,
        }
    }
    /// Returns the bot of each seat.
    pub(super) fn at_the_table(&self, game: u64, seats: u8) -> Vec<String> {
        match self {
            Players::Alike(bot) => vec![bot.clone(); usize::from(seats)],
            Players::Seated(bots) => {
                let mut bots = bots.clone();
                let count = bots.len().max(1) as u64;
                bots.rotate_left((game % count) as usize);
                bots
            }
            Players::Against { first, second } => {
                let mine = |seat: u8| (seat < seats / 2) == game.is_multiple_of(2);
                (0..seats).map(|seat| if mine(seat) { first } else { second }.clone()).collect()
            }
        }
    }
    /// Returns a seat of the bot that is compared with the others.
    fn first(&self, game: u64, seats: u8) -> usize {
        match self {
            Players::Alike(_) => 0,
            Players::Seated(bots) => (bots.len() - (game % bots.len().max(1) as u64) as usize) % bots.len().max(1),
            Players::Against { .. } if game.is_multiple_of(2) => 0,
            Players::Against { .. } => usize::from(seats / 2),
        }
    }
}

/// Returns the seats of a bot.
fn seats_of(bot: &str, names: &[String]) -> Vec<Seat> {
    names.iter().zip((0..).map(Seat)).filter(|(name, _)| *name == bot).map(|(_, seat)| seat).collect()
}

/// Plays games with seeds from `seed` on, on all cores. The statistics do not depend on the number
/// of cores.
pub(crate) fn play_all(played: &Match, seed: u64, games: u64, bar: &ProgressBar) -> Statistics {
    let next = AtomicU64::new(0);
    let work = || {
        let mut mine = Statistics::default();
        loop {
            let game = next.fetch_add(1, Ordering::Relaxed);
            if game >= games {
                return mine;
            }
            let seed = seed.wrapping_add(played.bots.deal(game));
            match play(played, game, seed) {
                Ok(one) => mine.merge(one),
                Err(why) => _ = mine.failed.insert(seed, why),
            }
            bar.inc(1);
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let hands: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let mut all = Statistics::default();
        for hand in hands {
            match hand.join() {
                Ok(mine) => all.merge(mine),
                // Sessions catch panics of the rules, so this one is a fault of this program.
                Err(why) => panic::resume_unwind(why),
            }
        }
        all
    })
}

/// Plays a game to its end.
fn play(played: &Match, game: u64, seed: u64) -> Result<Statistics, String> {
    let Match { rules, setups, bots: players, limit } = played;
    let deal = players.deal(game);
    let setup = &setups[(deal % setups.len().max(1) as u64) as usize];
    let watch = Watch { events: true, ..Watch::NONE };
    let chance = Box::new(SeededChance::new(seed));
    let mut dyn_game = rules.open(setup, chance, watch).map_err(|why| why.to_string())?;
    let names = players.at_the_table(game, setup.seats);
    let mut bots = Bots::new(names.iter().map(|name| rules.bot(name)).collect());
    let mut stream = DiceStream::new(h("postrider/bots/v1", &[&seed.to_string()]));
    let (mut rounds, mut dice, mut shuffles) = (0_u32, 0_u32, 0_u32);
    let mut asked_of: BTreeMap<&'static str, u32> = BTreeMap::new();
    let outcome = loop {
        for event in dyn_game.take_events() {
            match event {
                Event::Round { round: 1.., .. } => rounds += 1,
                Event::Rolled { .. } => dice += 1,
                Event::Shuffled { .. } => shuffles += 1,
                _ => {}
            }
        }
        if let Some(outcome) = dyn_game.outcome() {
            break outcome;
        }
        if let Some(fault) = dyn_game.fault() {
            return Err(fault.to_string());
        }
        if u64::from(dyn_game.decisions()) >= *limit {
            let most = asked_of.iter().max_by_key(|(_, count)| **count).map_or("", |(kind, _)| kind);
            return Err(format!("not over after {limit} decisions, most of them about \"{most}\""));
        }
        let decided = bots.decide(&*dyn_game, &mut |n| stream.below(n)).map_err(|why| why.to_string())?;
        let Some(BotDecision { asked, order }) = decided else {
            return Err("nobody can decide anything, and the game is not over".to_owned());
        };
        dyn_game
            .decide(asked.seat, asked.id, &order)
            .map_err(|why| format!("{}: {order} was refused: {why}", asked.kind))?;
        *asked_of.entry(asked.kind).or_default() += 1;
    };
    let mut one = Statistics { finished: 1, ..Statistics::default() };
    one.number("Rounds", f64::from(rounds));
    one.number("decisions", f64::from(dyn_game.decisions()));
    one.number("dice", f64::from(dice));
    one.number("shuffles", f64::from(shuffles));
    for (kind, count) in asked_of {
        one.number(&format!("{ASKED}{kind}"), f64::from(count));
    }
    one.outcome(&outcome);
    one.bots(&outcome, &names, &names[players.first(game, setup.seats)]);
    one.figures(&dyn_game.figures(), rules.balance());
    one.winners(&format!("{}, {}", shares::players(setup.seats), setup.scenario), &outcome);
    if let Players::Against { first, .. } = players {
        one.duel(&seats_of(first, &names), &outcome);
    }
    Ok(one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_deal_of_a_duel_is_played_with_the_seats_exchanged() {
        let bots = Players::Against { first: "keen".to_owned(), second: "dull".to_owned() };
        for seats in 2..=5 {
            for game in [0, 2, 4] {
                assert_eq!(bots.deal(game), bots.deal(game + 1));
                let (one, other) = (bots.at_the_table(game, seats), bots.at_the_table(game + 1, seats));
                assert!(one.iter().zip(&other).all(|(a, b)| a != b), "{one:?} {other:?}");
                assert_eq!((one[bots.first(game, seats)].as_str(), one[0].as_str()), ("keen", "keen"));
                assert_eq!(other[bots.first(game + 1, seats)], "keen");
            }
        }
        assert_ne!(bots.deal(1), bots.deal(2));
        assert_eq!(seats_of("keen", &bots.at_the_table(1, 3)), [Seat(1), Seat(2)]);
    }

    #[test]
    fn seats_go_round() {
        let bots = Players::Seated(vec!["keen".to_owned(), "dull".to_owned(), "slow".to_owned()]);
        for game in 0..6 {
            assert_eq!(bots.at_the_table(game, 3)[bots.first(game, 3)], "keen");
        }
        assert_eq!(bots.at_the_table(1, 3), ["dull", "slow", "keen"]);
    }
}
