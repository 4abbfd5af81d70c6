//! Calibration of the forecasts: adjudicates games of bots along the way, plays them to their end,
//! and compares.

use super::{
    Estimate,
    rollouts::{seed_of, to_the_end},
};
use postrider_dice::h;
use postrider_letters::{Block, Column, Section, Table};
use postrider_table::{AnyOrder, DynGame, PromptId, Ruleset, Seat, SeededChance, Setup, Watch};
use serde::Serialize;
use std::{cell::RefCell, rc::Rc};

/// The points of a game at which it is adjudicated: quarters of its decisions, each with its name.
pub const MOMENTS: [(usize, &str); 3] = [(1, "a quarter"), (2, "half"), (3, "three quarters")];

/// Upper bounds, in percent, of the classes in the table of reliability.
const CLASSES: [u32; 6] = [10, 30, 50, 70, 90, 100];

/// A game of bots to adjudicate.
pub struct Trial<'t> {
    /// The ruleset.
    pub rules: &'static dyn Ruleset,
    /// The set-up of the game.
    pub setup: &'t Setup,
    /// The bot of each seat, in the game and in the rollouts.
    pub bots: &'t [String],
    /// The seed of the game and of its rollouts.
    pub seed: u64,
    /// The number of rollouts per position.
    pub rollouts: u64,
    /// The maximum number of decisions; a game or rollout that needs more fails.
    pub limit: u64,
}

/// The chance of winning that was forecast for a seat, and its actual share of the win.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// The forecast, from 0 to 1.
    pub chance: f64,
    /// The actual share of the win, from 0 to 1.
    pub won: f64,
}

/// The forecasts of one game at each of [`MOMENTS`].
pub type Forecasts = [Vec<Forecast>; MOMENTS.len()];

/// The source of dice and shuffles, shared between the game and its creator.
type Shared = Rc<RefCell<SeededChance>>;

impl Trial<'_> {
    /// Plays the game to its end and adjudicates it at each of [`MOMENTS`].
    ///
    /// # Errors
    /// Returns an error if the game or a rollout fails, or if the game ranks nobody.
    pub fn forecasts(&self) -> Result<Forecasts, String> {
        let (mut game, _) = self.begin()?;
        let mut decisions: Vec<(Seat, PromptId, AnyOrder)> = Vec::new();
        let whims = h("postrider/bots/v1", &[&self.seed.to_string()]);
        let outcome = self.play_on(&mut *game, whims, &mut |seat, prompt, order| {
            decisions.push((seat, prompt, order.clone()));
        })?;
        if outcome.ranking().is_empty() {
            return Err("the game ranks nobody, so no chances of winning can be told".to_owned());
        }
        let seats = || (0..self.setup.seats).map(Seat);
        let mut all = Forecasts::default();
        for (forecasts, (quarters, _)) in all.iter_mut().zip(MOMENTS) {
            let known = &decisions[..decisions.len() * quarters / 4];
            let mut won = vec![0.0; usize::from(self.setup.seats)];
            for number in 0..self.rollouts {
                let (mut game, chance) = self.begin()?;
                for (seat, prompt, order) in known {
                    game.decide(*seat, *prompt, order).map_err(|why| why.to_string())?;
                }
                let (whims, luck) = seed_of(self.seed, number);
                chance.borrow_mut().go_on_with(luck);
                let end = self.play_on(&mut *game, whims, &mut |_, _, _| ())?;
                won.iter_mut().zip(seats()).for_each(|(won, seat)| *won += end.share_of_win(seat));
            }
            let forecast = |(won, seat): (f64, Seat)| Forecast {
                chance: won / self.rollouts as f64,
                won: outcome.share_of_win(seat),
            };
            *forecasts = won.into_iter().zip(seats()).map(forecast).collect();
        }
        Ok(all)
    }

    fn begin(&self) -> Result<(Box<dyn DynGame>, Shared), String> {
        let chance: Shared = Rc::new(RefCell::new(SeededChance::new(self.seed)));
        let game = self.rules.open(self.setup, Box::new(chance.clone()), Watch::NONE);
        Ok((game.map_err(|why| why.to_string())?, chance))
    }

    fn play_on(
        &self,
        game: &mut dyn DynGame,
        whims: postrider_dice::Hash,
        decided: &mut dyn FnMut(Seat, PromptId, &AnyOrder),
    ) -> Result<postrider_table::Outcome, String> {
        let bots: Vec<&str> = self.bots.iter().map(String::as_str).collect();
        to_the_end(game, self.rules, &bots, whims, self.limit, decided)
    }
}

/// The accuracy of the forecasts of many games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// The number of games played.
    pub games: u64,
    /// The number of rollouts per position.
    pub rollouts: u64,
    /// The results, one for each of [`MOMENTS`].
    pub moments: Vec<Moment>,
}

/// The accuracy of the forecasts at one moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Moment {
    /// The part of the game that was played.
    pub at: &'static str,
    /// The Brier score: the mean squared difference between forecast and share of the win, over all
    /// seats. 0 is perfect.
    pub brier: f64,
    /// The Brier score if every seat of a game had been given the same chance.
    pub even: f64,
    /// The forecasts, grouped by size.
    pub classes: Vec<Class>,
}

/// The forecasts in one range of percentages.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Class {
    /// The lower bound in percent; exclusive, except in the first class.
    pub from: u32,
    /// The upper bound in percent, inclusive.
    pub to: u32,
    /// The number of forecasts.
    pub forecasts: u64,
    /// The mean forecast, from 0 to 1.
    pub chance: f64,
    /// The mean share of the win.
    pub won: Estimate,
}

impl Calibration {
    /// Computes the accuracy from the forecasts of each game.
    pub fn of(games: &[Forecasts], rollouts: u64) -> Calibration {
        let moment = |(at, (_, name)): (usize, (usize, &'static str))| {
            let all: Vec<&Vec<Forecast>> = games.iter().map(|game| &game[at]).collect();
            let count = all.iter().map(|game| game.len()).sum::<usize>().max(1) as f64;
            let mean = |of: &dyn Fn(&Forecast, f64) -> f64| {
                let of_game =
                    |game: &&Vec<Forecast>| -> f64 { game.iter().map(|one| of(one, game.len() as f64)).sum() };
                all.iter().map(of_game).sum::<f64>() / count
            };
            let brier = mean(&|one, _| (one.chance - one.won).powi(2));
            let even = mean(&|one, seats| (1.0 / seats - one.won).powi(2));
            Moment { at: name, brier, even, classes: classes(all.into_iter().flatten()) }
        };
        let moments = MOMENTS.into_iter().enumerate().map(moment).collect();
        Calibration { games: games.len() as u64, rollouts, moments }
    }

    /// Returns the Brier scores and the table of reliability as sections of text.
    pub fn in_words(&self, title: &str) -> Vec<Section> {
        let Calibration { games, rollouts, .. } = self;
        let title = format!("{title}: {games} games, each adjudicated with {rollouts} rollouts");
        let mut scores = Table::new(
            1,
            [Column::words("Played"), Column::numbers("Brier score"), Column::numbers("of even chances")],
        );
        let columns = ["Chance", "forecasts", "mean", "came true", "95 of 100"];
        let mut chances = Table::new(1, [Column::words("Played")].into_iter().chain(columns.map(Column::numbers)));
        let percent = |share: f64| format!("{:.0} %", 100.0 * share);
        for moment in &self.moments {
            scores.row([moment.at.to_owned(), format!("{:.3}", moment.brier), format!("{:.3}", moment.even)]);
            for class in moment.classes.iter().filter(|class| class.forecasts > 0) {
                let interval = match (class.won.low, class.won.high) {
                    (Some(low), Some(high)) => format!("{:.0} to {:.0}", 100.0 * low, 100.0 * high),
                    _ => "-".to_owned(),
                };
                let range = format!("{} to {} %", class.from, class.to);
                let shares = [percent(class.chance), percent(class.won.value), interval];
                let count = class.forecasts.to_string();
                chances.row([moment.at.to_owned(), range, count].into_iter().chain(shares));
            }
        }
        let score =
            "The Brier score is the mean square of the chance less the part of the win, over all seats; 0 is perfect.";
        let told = "Chances are reliable where as many came true as their mean says.";
        vec![
            Section::of([Block::paragraph(title, 0)]),
            Section::headed("BRIER SCORE", [Block::paragraph(score, 1)]),
            Section::of([Block::Table(scores)]),
            Section::headed("RELIABILITY", [Block::paragraph(told, 1)]),
            Section::of([Block::Table(chances)]),
        ]
    }
}

fn classes<'f>(forecasts: impl Iterator<Item = &'f Forecast>) -> Vec<Class> {
    let mut held = vec![Vec::new(); CLASSES.len()];
    for one in forecasts {
        let at = CLASSES.iter().position(|to| one.chance * 100.0 <= f64::from(*to)).unwrap_or(CLASSES.len() - 1);
        held[at].push(*one);
    }
    let from = std::iter::once(0).chain(CLASSES);
    let class = |((from, to), held): ((u32, u32), Vec<Forecast>)| {
        let won: Vec<f64> = held.iter().map(|one| one.won).collect();
        let chance = held.iter().map(|one| one.chance).sum::<f64>() / held.len().max(1) as f64;
        let won =
            if won.is_empty() { Estimate { value: 0.0, low: None, high: None } } else { Estimate::of_share(&won) };
        Class { from, to, forecasts: held.len() as u64, chance, won }
    };
    from.zip(CLASSES).zip(held).map(class).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use postrider_letters::text;
    use postrider_test_games::auction::AuctionRules;

    #[test]
    fn scores_and_classes_are_those_worked_by_hand() {
        let of = |chances: [f64; 2], won: [f64; 2]| -> Vec<Forecast> {
            chances.into_iter().zip(won).map(|(chance, won)| Forecast { chance, won }).collect()
        };
        let games = [
            [of([0.5, 0.5], [1.0, 0.0]), of([0.8, 0.2], [1.0, 0.0]), of([1.0, 0.0], [1.0, 0.0])],
            [of([0.5, 0.5], [0.5, 0.5]), of([0.6, 0.4], [0.5, 0.5]), of([0.0, 1.0], [0.5, 0.5])],
        ];
        let found = Calibration::of(&games, 20);
        let scores: Vec<_> = found.moments.iter().map(|one| (one.at, (1000.0 * one.brier).round())).collect();
        // (0.25 + 0.25 + 0 + 0) / 4, (0.04 + 0.04 + 0.01 + 0.01) / 4, (0 + 0 + 0.25 + 0.25) / 4.
        assert_eq!(scores, [("a quarter", 125.0), ("half", 25.0), ("three quarters", 125.0)]);
        assert!(found.moments.iter().all(|one| (one.even - 0.125).abs() < 1e-12));
        let class = |moment: usize, at: usize| {
            let class = &found.moments[moment].classes[at];
            (class.from, class.to, class.forecasts, class.won.value)
        };
        assert_eq!((class(0, 2), class(1, 4), class(2, 0)), ((30, 50, 4, 0.5), (70, 90, 1, 1.0), (0, 10, 2, 0.25)));
        assert!(text::render(&found.in_words("Auction!")).contains("a quarter"));
    }

    #[test]
    fn chances_become_better_on_the_way() {
        let setup = Setup {
            seats: 3,
            scenario: AuctionRules.scenarios().first().copied().unwrap_or_default().to_owned(),
            options: [("turns".to_owned(), 4.into())].into(),
            components: AuctionRules.components().into(),
        };
        let bots = vec!["random".to_owned(); 3];
        let trial = |seed| {
            Trial { rules: &AuctionRules, setup: &setup, bots: &bots, seed, rollouts: 30, limit: 200 }.forecasts()
        };
        let games: Vec<Forecasts> = (0..60).map(|seed| trial(seed).unwrap()).collect();
        assert_eq!(trial(7).unwrap(), games[7], "the same seed gives the same forecasts");
        let found = Calibration::of(&games, 30);
        let [early, half, late] = [0, 1, 2].map(|at| found.moments[at].brier);
        assert!(late < half && half < early && early < found.moments[0].even + 0.02, "{found:?}");
    }
}
