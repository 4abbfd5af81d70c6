//! A position played out many times.
//!
//! Each rollout rebuilds the game from its journal, so hidden cards lie where they were dealt, and then takes dice and
//! shuffles from a stream of its own. The bots see no more than their seats may. What comes out says how the game goes on
//! between players like these bots, no more.

use super::{AdjudicateFault, Case};
use crate::{
    dice::{DiceStream, h},
    replay::{LiveGame, rebuild},
    table::{BotDecision, Bots, DynGame, Watch},
};
use serde::Serialize;
use serde_json::Value;
use std::{
    collections::BTreeSet,
    panic,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

/// What is played out.
pub struct Position<'p> {
    /// What was asked for.
    pub case: &'p Case<'p>,
    /// n of the last line that counts, if not all do.
    pub upto: Option<u64>,
    /// Who plays.
    pub bot: &'p str,
}

/// How the game would go on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rollouts {
    /// How many came to their end; of a game that is over, one, which is the game itself.
    pub count: u64,
    /// How many did not, which is a fault of the rules or the bot, or the limit of decisions.
    pub failed: u64,
    /// Why the first of them did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Who played all seats; "" for a game that is over.
    pub bot: String,
    /// From which the rollouts follow.
    pub seed: u64,
    /// What is counted, as the game's final ranking calls it: `vps`; "" for a game that ranks nobody.
    pub points: String,
    /// By seat; of a game that ranks nobody, none.
    pub seats: Vec<SeatForecast>,
    /// How often each verdict came out, the most frequent first; of a game that ends with none, none.
    pub verdicts: Vec<Verdict>,
}

/// A verdict on a game that is played against no other player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// Its words.
    pub verdict: String,
    /// How many rollouts ended so.
    pub count: u64,
    /// Their share, 0 to 1.
    pub share: Estimate,
}

/// What the rollouts say of one seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatForecast {
    /// The seat.
    pub seat: String,
    /// The expected points.
    pub expected: Estimate,
    /// The chance of winning, 0 to 1. Several winners share one win.
    pub wins: Estimate,
    /// The fewest points, those below which a twentieth of the rollouts lie, a quarter, a half, three quarters and nineteen
    /// twentieths, and the most.
    pub spread: [i64; 7],
}

/// A number that is known from a sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The best guess.
    pub value: f64,
    /// The lower end of the interval that holds the true number in 95 of 100 cases; absent where one rollout is all.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
}

/// So many standard errors to each side hold 95 of 100 cases.
const NORMAL_95: f64 = 1.96;

impl Estimate {
    /// A number of which there is no doubt.
    fn certain(value: f64) -> Estimate {
        Estimate { value, low: Some(value), high: Some(value) }
    }

    /// A mean, by the normal approximation.
    fn of_mean(values: &[f64]) -> Estimate {
        let count = values.len() as f64;
        let value = values.iter().sum::<f64>() / count;
        if values.len() < 2 {
            return Estimate { value, low: None, high: None };
        }
        let variance = values.iter().map(|one| (one - value).powi(2)).sum::<f64>() / (count - 1.0);
        let within = NORMAL_95 * (variance / count).sqrt();
        Estimate { value, low: Some(value - within), high: Some(value + within) }
    }

    /// A share, by Wilson's interval, which stays within 0 and 1 and does not call certain what merely never happened.
    fn of_share(values: &[f64]) -> Estimate {
        let count = values.len() as f64;
        let value = values.iter().sum::<f64>() / count;
        if values.len() < 2 {
            return Estimate { value, low: None, high: None };
        }
        let square = NORMAL_95 * NORMAL_95;
        let middle = (value + square / (2.0 * count)) / (1.0 + square / count);
        let root = (value * (1.0 - value) / count + square / (4.0 * count * count)).sqrt();
        let within = NORMAL_95 * root / (1.0 + square / count);
        Estimate { value, low: Some((middle - within).max(0.0)), high: Some((middle + within).min(1.0)) }
    }
}

/// The points of every seat at the end of one game.
type Points = Vec<i64>;

/// How one game ended.
#[derive(Clone, Debug, PartialEq)]
struct End {
    points: Points,
    /// What the points are called.
    name: String,
    verdict: Option<String>,
}

/// Plays the position out, on all cores. What comes out does not depend on how many there are.
pub fn play(
    position: &Position<'_>,
    live: &LiveGame,
    progress: &(dyn Fn() + Sync),
) -> Result<Rollouts, AdjudicateFault> {
    let (case, letters) = (position.case, &live.opened.seats);
    let dyn_game = live.dyn_game.as_ref();
    if let Some(outcome) = dyn_game.and_then(|dyn_game| dyn_game.outcome()) {
        let end = end_of(&outcome, letters).map_err(AdjudicateFault::Stuck)?;
        return Ok(put_together(letters, &[end], true, Rollouts { count: 1, ..nothing(case, "") }));
    }
    let next = AtomicU64::new(0);
    let work = || {
        let mut mine = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= case.rollouts {
                return mine;
            }
            mine.push((number, play_out(position, number).and_then(|outcome| end_of(&outcome, letters))));
            progress();
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let mut all: Vec<(u64, Result<End, String>)> = thread::scope(|scope| {
        let hands: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        // The rules' own panics are caught by their session; this one is ours.
        hands.into_iter().flat_map(|hand| hand.join().unwrap_or_else(|why| panic::resume_unwind(why))).collect()
    });
    all.sort_by_key(|(number, _)| *number);
    let failure = all.iter().find_map(|(_, result)| result.as_ref().err().cloned());
    let ended: Vec<End> = all.into_iter().filter_map(|(_, result)| result.ok()).collect();
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
        points: String::new(),
        seats: Vec::new(),
        verdicts: Vec::new(),
    }
}

/// One rollout, to its outcome.
fn play_out(position: &Position<'_>, number: u64) -> Result<Value, String> {
    let Position { case, upto, bot } = *position;
    let mut live =
        rebuild(case.source, case.catalog, case.chains.clone(), upto, Watch::NONE).map_err(|why| why.to_string())?;
    let seed = h("postrider/rollout/v1", &[&case.seed.to_string(), &number.to_string()]);
    let mut stream = DiceStream::new(seed);
    live.imagine(u64::from_le_bytes(seed.0[..8].try_into().map_err(|_| "a hash has 32 bytes")?));
    let (rules, seats) = (live.opened.ruleset, live.opened.seats.len());
    let mut bots = Bots::new((0..seats).map(|_| rules.bot(bot)).collect());
    let dyn_game: &mut dyn DynGame = live.dyn_game.as_deref_mut().ok_or("the game has not begun")?;
    let begun = u64::from(dyn_game.decisions());
    loop {
        if let Some(outcome) = dyn_game.outcome() {
            return Ok(outcome);
        }
        if u64::from(dyn_game.decisions()) - begun >= case.limit {
            return Err(format!("not over after {} decisions", case.limit));
        }
        let decided = bots.decide(dyn_game, &mut |n| stream.below(n)).map_err(|why| why.to_string())?;
        let Some(BotDecision { asked, order }) = decided else {
            return Err("nobody can decide anything, and the game is not over".to_owned());
        };
        let refused = |why| format!("{}: {order} was refused: {why}", asked.kind);
        dyn_game.decide(asked.seat, asked.id, &order).map_err(refused)?;
    }
}

/// How a game ended. Its `ranking` is a list of objects, each with the `seat` and one number that is not its `rank`: the
/// points; its `verdict` is text. One of the two there must be.
fn end_of(outcome: &Value, letters: &[String]) -> Result<End, String> {
    let verdict = outcome.get("verdict").and_then(Value::as_str).map(str::to_owned);
    let Some(ranking) = outcome.get("ranking").and_then(Value::as_array) else {
        let end = End { points: Points::new(), name: String::new(), verdict };
        return if end.verdict.is_some() {
            Ok(end)
        } else {
            Err("the outcome has no ranking and no verdict".to_owned())
        };
    };
    let mut name = String::new();
    let mut points = vec![None; letters.len()];
    for row in ranking.iter().filter_map(Value::as_object) {
        let seat = row.get("seat").and_then(Value::as_str).map(|seat| seat.trim_start_matches('@'));
        let at = letters.iter().position(|letter| Some(letter.as_str()) == seat);
        let number = row.iter().find_map(|(key, value)| Some((key, value.as_i64().filter(|_| key != "rank")?)));
        if let (Some(at), Some((key, number))) = (at, number) {
            points[at] = Some(number);
            key.clone_into(&mut name);
        }
    }
    let points: Option<Points> = points.into_iter().collect();
    let points = points.ok_or("the ranking does not tell the points of every seat")?;
    Ok(End { points, name, verdict })
}

fn put_together(letters: &[String], games: &[End], over: bool, empty: Rollouts) -> Rollouts {
    let share = |of: &[f64]| if over { Estimate::certain(of[0]) } else { Estimate::of_share(of) };
    let forecast = |at: usize| {
        let mine: Vec<f64> = games.iter().map(|game| game.points[at] as f64).collect();
        let wins: Vec<f64> = games
            .iter()
            .map(|End { points, .. }| {
                let most = points.iter().max().copied().unwrap_or_default();
                let winners = points.iter().filter(|points| **points == most).count();
                if points[at] == most { 1.0 / winners as f64 } else { 0.0 }
            })
            .collect();
        let mut sorted: Vec<i64> = games.iter().map(|game| game.points[at]).collect();
        sorted.sort_unstable();
        let last = sorted.len() - 1;
        let spread =
            [0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0].map(|share| sorted[(share * last as f64).round() as usize]);
        let expected = if over { Estimate::certain(mine[0]) } else { Estimate::of_mean(&mine) };
        SeatForecast { seat: letters[at].clone(), expected, wins: share(&wins), spread }
    };
    let words: BTreeSet<&String> = games.iter().filter_map(|game| game.verdict.as_ref()).collect();
    let mut verdicts: Vec<Verdict> = words
        .into_iter()
        .map(|verdict| {
            let so: Vec<f64> =
                games.iter().map(|game| f64::from(u8::from(game.verdict.as_ref() == Some(verdict)))).collect();
            Verdict {
                verdict: verdict.clone(),
                count: so.iter().filter(|one| **one > 0.0).count() as u64,
                share: share(&so),
            }
        })
        .collect();
    verdicts.sort_by_key(|verdict| std::cmp::Reverse(verdict.count));
    let ranked = games.iter().map(|game| game.points.len()).min().unwrap_or(0);
    let points = games.first().map(|game| game.name.clone()).unwrap_or_default();
    Rollouts { points, seats: (0..ranked).map(forecast).collect(), verdicts, ..empty }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn seats() -> Vec<String> {
        vec!["A".to_owned(), "B".to_owned()]
    }

    fn of(games: &[Points], over: bool) -> Rollouts {
        let empty = Rollouts {
            count: games.len() as u64,
            failed: 0,
            failure: None,
            bot: "random".into(),
            seed: 1,
            points: String::new(),
            seats: Vec::new(),
            verdicts: Vec::new(),
        };
        let end = |points: &Points| End { points: points.clone(), name: "vps".into(), verdict: None };
        let games: Vec<End> = games.iter().map(end).collect();
        put_together(&seats(), &games, over, empty)
    }

    #[test]
    fn means_and_shares_have_their_intervals() {
        // A: 2, 4, 4, 6 has the mean 4 and the variance 8/3, so 1.96 × √(8/3 ÷ 4) = 1.6003 to each side.
        let all = of(&[vec![2, 3], vec![4, 4], vec![4, 1], vec![6, 9]], false);
        let a = &all.seats[0];
        assert_eq!((a.expected.value, a.spread), (4.0, [2, 2, 4, 4, 4, 6, 6]));
        assert!((a.expected.low.unwrap() - 2.3997).abs() < 1e-4 && (a.expected.high.unwrap() - 5.6003).abs() < 1e-4);
        // One win and a half of four: Wilson's interval around 0.375.
        assert_eq!(a.wins.value, 0.375);
        assert!((a.wins.low.unwrap() - 0.0919).abs() < 1e-3, "{:?}", a.wins);
        assert!((a.wins.high.unwrap() - 0.7806).abs() < 1e-3, "{:?}", a.wins);
        assert_eq!(all.seats[1].wins.value, 0.625);
    }

    #[test]
    fn one_rollout_is_no_sample_and_a_finished_game_is_certain() {
        let one = of(&[vec![7, 3]], false);
        assert_eq!(one.seats[0].expected, Estimate { value: 7.0, low: None, high: None });
        let over = of(&[vec![7, 3]], true);
        assert_eq!(over.seats[0].expected, Estimate { value: 7.0, low: Some(7.0), high: Some(7.0) });
        assert_eq!(over.seats[1].wins, Estimate { value: 0.0, low: Some(0.0), high: Some(0.0) });
    }

    #[test]
    fn points_are_read_from_any_ranking() {
        let outcome =
            json!({ "ranking": [{ "rank": 1, "seat": "B", "vps": 9 }, { "rank": 2, "seat": "A", "vps": 4 }] });
        let end = |points, name: &str, verdict: Option<&str>| {
            Ok(End { points, name: name.to_owned(), verdict: verdict.map(str::to_owned) })
        };
        assert_eq!(end_of(&outcome, &seats()), end(vec![4, 9], "vps", None));
        let outcome = json!({ "ranking": [{ "coins": -3, "seat": "@A" }, { "coins": 0, "seat": "@B" }] });
        assert_eq!(end_of(&outcome, &seats()), end(vec![-3, 0], "coins", None));
        assert!(end_of(&json!({ "ranking": [{ "coins": 1, "seat": "@A" }] }), &seats()).is_err());
        assert!(end_of(&json!({ "points": [1, 2] }), &seats()).is_err());
        let alone = json!({ "states": ["Utah"], "verdict": "a draw" });
        assert_eq!(end_of(&alone, &seats()), end(vec![], "", Some("a draw")));
    }

    #[test]
    fn verdicts_are_counted() {
        let end = |verdict: &str| End { points: vec![], name: String::new(), verdict: Some(verdict.to_owned()) };
        let games = [end("lost"), end("won"), end("won"), end("won")];
        let all = put_together(&seats(), &games, false, of(&[vec![1, 2]], false));
        let counts: Vec<_> =
            all.verdicts.iter().map(|one| (one.verdict.as_str(), one.count, one.share.value)).collect();
        assert_eq!(counts, [("won", 3, 0.75), ("lost", 1, 0.25)]);
        assert_eq!((all.points.as_str(), all.seats.len()), ("", 0));
    }
}
