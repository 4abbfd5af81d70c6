//! Rollouts: one position played out many times.
//!
//! Each rollout rebuilds the game from its journal, so hidden cards are where they were dealt, and
//! then takes dice and shuffles from its own random stream. The bots see no more than their seats
//! may. The result forecasts the game only between players like these bots.

use super::{AdjudicateFault, Case, Estimate, estimate};
use postrider_dice::{DiceStream, Hash, h};
use postrider_journal::RolledOut;
use postrider_replay::{LiveGame, Moment, rebuild};
use postrider_table::{AnyOrder, BotDecision, Bots, Counted, DynGame, Outcome, PromptId, Ruleset, Seat, Watch};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    panic,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

/// A position to play out.
pub struct Position<'p> {
    /// The adjudication that was requested.
    pub case: &'p Case<'p>,
    /// The moment at which the rollouts begin; `None` for the present one.
    pub at: Option<&'p Moment>,
    /// The name of the bot that plays all seats.
    pub bot: &'p str,
}

/// The results of the rollouts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rollouts {
    /// The number of rollouts that reached an end; 1 for a game that is over, which is the game
    /// itself.
    pub count: u64,
    /// The number of rollouts that failed, by a fault of the rules or the bot or by the limit of
    /// decisions.
    pub failed: u64,
    /// The first failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The bot that played all seats; "" for a game that is over.
    pub bot: String,
    /// The seed of the rollouts.
    pub seed: u64,
    /// The unit of the points; `None` in a game that ranks nobody.
    pub counted: Option<Counted>,
    /// The forecasts by seat; empty in a game that ranks nobody.
    pub seats: Vec<SeatForecast>,
    /// The verdicts or levels of victory with their frequencies, most frequent first; empty in a
    /// game that has only rankings.
    pub verdicts: Vec<Verdict>,
    /// `true` if there were too few rollouts to allow for rare results.
    pub too_few: bool,
}

/// A verdict on a game, or a side's level of victory in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The verdict in words.
    pub verdict: String,
    /// The number of rollouts that ended with it.
    pub count: u64,
    /// The fraction of the rollouts, from 0 to 1.
    pub share: Estimate,
}

/// The forecast for one seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatForecast {
    /// The seat.
    pub seat: String,
    /// The expected points.
    pub expected: Estimate,
    /// The share of the wins, from 0 to 1. Several winners share one win.
    pub wins: Estimate,
    /// Percentiles of the points: minimum, 5, 25, 50, 75, 95 and maximum.
    pub spread: [i64; 7],
}

impl Rollouts {
    /// Returns the record of these rollouts from the position after `entry`, for a result that is
    /// based on them.
    #[must_use]
    pub fn recorded(&self, entry: u64) -> RolledOut {
        let thousandths = |share: f64| (1_000.0 * share).round() as u64;
        let wins = |seat: &SeatForecast| {
            let Estimate { value, low, high } = seat.wins;
            // Without an interval nothing is certain.
            (seat.seat.clone(), [value, low.unwrap_or(0.0), high.unwrap_or(1.0)].map(thousandths))
        };
        let (bot, wins) = (self.bot.clone(), self.seats.iter().map(wins).collect());
        RolledOut { entry, bot, count: self.count, seed: self.seed, wins }
    }
}

/// Plays the position out on all cores. The result does not depend on the number of cores.
pub fn play(
    position: &Position<'_>,
    live: &LiveGame,
    progress: &(dyn Fn() + Sync),
) -> Result<Rollouts, AdjudicateFault> {
    let (case, letters) = (position.case, &live.opened.seats);
    if let Some(outcome) = live.outcome().filter(|_| position.at.is_none_or(|at| at.begins.is_none())) {
        return Ok(put_together(letters, &[outcome], true, Rollouts { count: 1, ..nothing(case, "") }));
    }
    let next = AtomicU64::new(0);
    let work = || {
        let mut mine = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= case.rollouts {
                return mine;
            }
            mine.push((number, play_out(position, number)));
            progress();
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let mut all: Vec<(u64, Result<Outcome, String>)> = thread::scope(|scope| {
        let hands: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        // Panics of the rules are caught inside their session; this one is a fault of this crate.
        hands.into_iter().flat_map(|hand| hand.join().unwrap_or_else(|why| panic::resume_unwind(why))).collect()
    });
    all.sort_by_key(|(number, _)| *number);
    let failure = all.iter().find_map(|(_, result)| result.as_ref().err().cloned());
    let ended: Vec<Outcome> = all.into_iter().filter_map(|(_, result)| result.ok()).collect();
    if ended.is_empty() {
        return Err(AdjudicateFault::Stuck(failure.unwrap_or_else(|| "none was asked for".to_owned())));
    }
    let count = ended.len() as u64;
    let empty = Rollouts { count, failed: case.rollouts - count, failure, ..nothing(case, position.bot) };
    Ok(put_together(letters, &ended, false, empty))
}

fn nothing(case: &Case<'_>, bot: &str) -> Rollouts {
    Rollouts {
        count: 0,
        failed: 0,
        failure: None,
        bot: bot.to_owned(),
        seed: case.seed,
        counted: None,
        seats: Vec::new(),
        verdicts: Vec::new(),
        too_few: false,
    }
}

/// Returns the seeds of a rollout: the first for its bots, the second for its dice and shuffles.
pub(super) fn seed_of(seed: u64, number: u64) -> (Hash, u64) {
    let seed = h("postrider/rollout/v1", &[&seed.to_string(), &number.to_string()]);
    let first = seed.0.iter().take(8).rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
    (seed, first)
}

/// Plays one rollout and returns its outcome.
fn play_out(position: &Position<'_>, number: u64) -> Result<Outcome, String> {
    let Position { case, at, bot } = *position;
    let upto = at.map(|at| at.n);
    let mut live =
        rebuild(case.source, case.catalog, case.chains.clone(), upto, Watch::NONE).map_err(|why| why.to_string())?;
    let (seed, luck) = seed_of(case.seed, number);
    match at {
        Some(at) => live.imagine_from(at, luck).map_err(|why| why.to_string())?,
        None => live.imagine(luck),
    }
    let (rules, seats) = (live.opened.ruleset, live.opened.seats.len());
    let dyn_game = live.dyn_game.as_deref_mut().ok_or("the game has not begun")?;
    let outcome = to_the_end(dyn_game, rules, &vec![bot; seats], seed, case.limit, &mut |_, _, _| ())?;
    Ok(live.with_concessions(outcome))
}

/// Lets bots, one per seat, play a game to its end. Fails if that takes more than `limit` further
/// decisions. Calls `decided` after each decision.
pub(super) fn to_the_end(
    dyn_game: &mut dyn DynGame,
    rules: &dyn Ruleset,
    bots: &[&str],
    seed: Hash,
    limit: u64,
    decided: &mut dyn FnMut(Seat, PromptId, &AnyOrder),
) -> Result<Outcome, String> {
    let mut stream = DiceStream::new(seed);
    let mut bots = Bots::new(bots.iter().map(|bot| rules.bot(bot)).collect());
    let begun = u64::from(dyn_game.decisions());
    loop {
        if let Some(outcome) = dyn_game.outcome() {
            return Ok(outcome);
        }
        if u64::from(dyn_game.decisions()) - begun >= limit {
            return Err(format!("not over after {limit} decisions"));
        }
        let decision = bots.decide(dyn_game, &mut |n| stream.below(n)).map_err(|why| why.to_string())?;
        let Some(BotDecision { asked, order }) = decision else {
            return Err("nobody can decide anything, and the game is not over".to_owned());
        };
        let refused = |why| format!("{}: {order} was refused: {why}", asked.kind);
        dyn_game.decide(asked.seat, asked.id, &order).map_err(refused)?;
        decided(asked.seat, asked.id, &order);
    }
}

fn put_together(letters: &[String], games: &[Outcome], over: bool, empty: Rollouts) -> Rollouts {
    let share = |of: &[f64]| if over { Estimate::certain(of[0]) } else { Estimate::of_share(of) };
    let forecast = |(letter, seat): (&String, Seat)| {
        let mut points: Vec<i64> = games.iter().filter_map(|game| Some(game.of(seat)?.points)).collect();
        let wins: Vec<f64> = games.iter().map(|game| game.share_of_win(seat)).collect();
        let exact: Vec<f64> = points.iter().map(|&points| points as f64).collect();
        points.sort_unstable();
        let last = points.len().checked_sub(1)?;
        let spread =
            [0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0].map(|share| points[(share * last as f64).round() as usize]);
        let expected = if over { Estimate::certain(exact[0]) } else { Estimate::of_mean(&exact) };
        Some(SeatForecast { seat: letter.clone(), expected, wins: share(&wins), spread })
    };
    let mut counts: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for (at, verdict) in games.iter().enumerate().filter_map(|(at, game)| Some((at, game.in_short()?))) {
        counts.entry(verdict).or_insert_with(|| vec![0.0; games.len()])[at] = 1.0;
    }
    let verdict = |(verdict, so): (String, Vec<f64>)| Verdict {
        verdict,
        count: so.iter().filter(|one| **one > 0.0).count() as u64,
        share: share(&so),
    };
    let mut verdicts: Vec<Verdict> = counts.into_iter().map(verdict).collect();
    verdicts.sort_by_key(|verdict| std::cmp::Reverse(verdict.count));
    let seats = letters.iter().zip((0..).map(Seat)).filter_map(forecast).collect();
    let counted = games.first().and_then(Outcome::counted);
    Rollouts { counted, seats, verdicts, too_few: !over && games.len() < estimate::ENOUGH, ..empty }
}

#[cfg(test)]
mod tests {
    use super::*;
    use postrider_table::Standing;
    use postrider_test_games::raffle::{Played, catalog};
    use std::collections::BTreeSet;

    /// The second Round begins with a bonus, before anybody decides.
    #[test]
    fn rollouts_from_a_round_throw_its_dice_again() {
        let mut played = Played::begin();
        while played.live.marks.last().is_none_or(|mark| mark.round != 2) {
            played.decide();
        }
        let n = played.live.marks.last().unwrap().n;
        let bonuses = |begins: bool| -> BTreeSet<String> {
            let points = |seed| {
                let chains = Some(played.chains.clone());
                let mut live = rebuild(&played.source(), &catalog(), chains, Some(n), Watch::NONE).unwrap();
                let moment = if begins { played.live.beginning(n) } else { Moment::after(n) };
                live.imagine_from(&moment, seed).unwrap();
                live.dyn_game.unwrap().view(None).unwrap()["points"].to_string()
            };
            (0..40).map(points).collect()
        };
        assert_eq!(bonuses(false).len(), 1, "after the dice");
        assert!(bonuses(true).len() > 5, "before the dice: {:?}", bonuses(true));
    }

    fn of(games: &[Outcome], over: bool) -> Rollouts {
        let empty = Rollouts {
            count: games.len() as u64,
            failed: 0,
            failure: None,
            bot: "random".into(),
            seed: 1,
            counted: None,
            seats: Vec::new(),
            verdicts: Vec::new(),
            too_few: false,
        };
        put_together(&["A".to_owned(), "B".to_owned()], games, over, empty)
    }

    fn points(points: [i64; 2]) -> Outcome {
        let seats = [0, 1].map(|at| Standing::new(Seat(at), points[usize::from(at)]));
        Outcome::by_points(Counted::more("VPs"), seats, "most VPs (1)")
    }

    #[test]
    fn points_and_wins_are_summed_up_by_seat() {
        let all = of(&[[2, 3], [4, 4], [4, 1], [4, 0], [6, 9]].map(points), false);
        let a = &all.seats[0];
        assert_eq!((a.expected, a.spread), (Estimate::of_mean(&[2.0, 4.0, 4.0, 4.0, 6.0]), [2, 2, 4, 4, 4, 6, 6]));
        assert_eq!(a.wins, Estimate::of_share(&[0.0, 0.5, 1.0, 1.0, 0.0]));
        assert_eq!((all.counted, all.seats[1].wins.value), (Some(Counted::more("VPs")), 0.5));
        assert!(all.too_few && !of(&vec![points([1, 2]); 30], false).too_few);
    }

    #[test]
    fn the_rules_name_the_winner_whatever_the_points_are() {
        let seats = [(1, Standing::new(Seat(0), 40)), (0, Standing::new(Seat(1), 3))];
        let lost = Outcome::ranked(Counted::more("VPs"), seats, "Kekionga (15.2.4)");
        let fewest = Outcome::by_points(
            Counted::fewer("strokes"),
            [70, 80].into_iter().zip(0..).map(|(n, at)| Standing::new(Seat(at), n)),
            "(1)",
        );
        for (game, wins) in [(lost, [0.0, 1.0]), (fewest, [1.0, 0.0])] {
            let over = of(&[game], true);
            assert_eq!([0, 1].map(|at: usize| over.seats[at].wins), wins.map(Estimate::certain));
            assert!(!over.too_few);
        }
    }

    #[test]
    fn verdicts_and_levels_are_counted() {
        let verdict = |verdict| Outcome::verdict(verdict, "US", "so say the rules (11.31)");
        let all = of(&["lost", "won", "won", "won"].map(verdict), false);
        let counts: Vec<_> =
            all.verdicts.iter().map(|one| (one.verdict.as_str(), one.count, one.share.value)).collect();
        assert_eq!(counts, [("won", 3, 0.75), ("lost", 1, 0.25)]);
        assert_eq!((all.counted, all.seats.len()), (None, 0));
        let level = |level| {
            let seats = [("US", 0), ("nations", 1)].map(|(side, at)| (at, Standing::new(Seat(at), 0).of(side)));
            Outcome::ranked(Counted::more("VPs"), seats, "(15)").at_level(Some(level))
        };
        let all = of(&["minor", "major", "minor"].map(level), false);
        assert_eq!(all.verdicts[0].verdict, "US: minor");
    }
}
