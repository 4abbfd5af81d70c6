//! Statistics of many games, merged from those of each.
//!
//! All sums are of whole numbers, so they do not depend on the order in which games end.

use super::shares::Shares;
use postrider_analysis::estimate::{LEAST, student};
use postrider_orders::list_and;
use postrider_table::{Figure, Outcome, Seat};
use serde::{Serialize, Serializer, ser::SerializeStruct};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// A number over many games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The number of games in which it occurred.
    games: u64,
    /// The smallest value.
    min: f64,
    /// The greatest value.
    max: f64,
    /// The mean value.
    mean: f64,
    #[serde(skip)]
    sum: f64,
}

/// A sample of a number over many games, for its mean and confidence interval. The sums are in
/// whole millionths.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    games: u32,
    sum: i128,
    squares: i128,
}

/// The number of units of [`Sample`] in 1.
const MILLIONTHS: f64 = 1e6;

impl Sample {
    fn of(value: f64) -> Sample {
        let sum = (value * MILLIONTHS).round() as i128;
        Sample { games: 1, sum, squares: sum * sum }
    }
    /// Returns the mean over all games.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / f64::from(self.games.max(1)) / MILLIONTHS
    }
    /// Returns half of the 95 % confidence interval around [`Sample::mean`]; infinite if there are
    /// too few games.
    pub fn within(&self) -> f64 {
        let games = f64::from(self.games);
        if games < LEAST as f64 {
            return f64::INFINITY;
        }
        let (sum, squares) = (self.sum as f64, self.squares as f64);
        let variance = (squares - sum * sum / games).max(0.0) / (games - 1.0);
        student(games - 1.0) * (variance / games).sqrt() / MILLIONTHS
    }
    fn merge(&mut self, other: &Sample) {
        self.games += other.games;
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

impl Serialize for Sample {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Sample", 3)?;
        fields.serialize_field("games", &self.games)?;
        fields.serialize_field("mean", &self.mean())?;
        // JSON has no infinity.
        fields.serialize_field("within", &Some(self.within()).filter(|within| within.is_finite()))?;
        fields.end()
    }
}

/// A figure of the balance report: the number of games for each value.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Balance {
    /// The name of the figure.
    #[serde(skip)]
    figure: &'static str,
    /// The historical value, if known.
    history: Option<i64>,
    /// Games by value; games without the figure are not counted.
    games: BTreeMap<i64, u64>,
}

impl Balance {
    fn count(&self) -> u64 {
        self.games.values().sum()
    }
    fn mean(&self) -> f64 {
        let sum: f64 = self.games.iter().map(|(&value, &games)| value as f64 * games as f64).sum();
        sum / self.count().max(1) as f64
    }
    /// Returns the value below which `share` percent of the games are.
    fn hundredth(&self, share: u64) -> i64 {
        let (all, mut below) = (self.count(), 0);
        let found = self.games.iter().find(|(_, games)| {
            below += **games;
            below * 100 > all * share
        });
        found.or(self.games.iter().next_back()).map_or(0, |(&value, _)| value)
    }
    /// Lists a few values individually, and summarizes many by percentiles.
    fn in_words(&self, finished: u64) -> String {
        let mut words = match self.games.len() {
            ..=14 => {
                let each: Vec<String> = self.games.iter().map(|(value, games)| format!("{value}: {games}")).collect();
                each.join(", ")
            }
            _ => {
                let [low, middle, high] = [10, 50, 90].map(|share| self.hundredth(share));
                format!("half of the games up to {middle}, a tenth below {low}, a tenth above {high}")
            }
        };
        let without = finished.saturating_sub(self.count());
        if without > 0 {
            words += &format!("{}never: {without}", if words.is_empty() { "" } else { ", " });
        }
        words
    }
}

/// Statistics of many games.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Statistics {
    /// The number of games that ended.
    pub finished: u64,
    /// The games that did not end: their seeds and the reasons, lowest seed first.
    pub failed: BTreeMap<u64, String>,
    /// Numbers by name: Rounds, decisions, the results of each seat and side, and the game's own
    /// figures.
    pub numbers: BTreeMap<String, Spread>,
    /// Verdicts or levels of victory, with the number of games.
    pub ends: BTreeMap<String, u64>,
    /// The deciding criteria, with the number of games.
    pub reasons: BTreeMap<String, u64>,
    /// The results per seat of each bot, by bot and by the name of the number.
    pub bots: BTreeMap<String, BTreeMap<String, Sample>>,
    /// The lead of the first bot over the mean of all others, if there are others.
    pub ahead: BTreeMap<String, Sample>,
    /// The shares of wins, by number of players and scenario.
    pub won: BTreeMap<String, Shares>,
    /// The wins of the first bot against the second, by its seats, and for both seatings together.
    pub duels: BTreeMap<String, Shares>,
    /// The figures of the balance report, by title.
    pub balance: BTreeMap<&'static str, Balance>,
}

/// The beginning of the names of the numbers of questions.
pub(super) const ASKED: &str = "asked: ";
/// The key in [`Statistics::duels`] for both seatings together.
const BOTH: &str = "all seats";
/// Units of a win, so that the parts of up to six players who share it are whole numbers.
const PARTS: f64 = 60.0;

impl Statistics {
    /// Adds a number of one game.
    pub fn number(&mut self, name: &str, value: f64) {
        let new = Spread { games: 0, min: value, max: value, mean: value, sum: 0.0 };
        let spread = self.numbers.entry(name.to_owned()).or_insert(new);
        spread.games += 1;
        spread.sum += value;
        (spread.min, spread.max) = (spread.min.min(value), spread.max.max(value));
        spread.mean = spread.sum / spread.games as f64;
    }
    /// Adds the outcome of one game.
    pub fn outcome(&mut self, outcome: &Outcome) {
        *self.reasons.entry(outcome.why.to_string()).or_default() += 1;
        if let Some(end) = outcome.in_short() {
            *self.ends.entry(end).or_default() += 1;
        }
        for one in outcome.ranking() {
            self.number(&format!("{} rank", one.seat), f64::from(one.rank));
            for (name, value) in counts(outcome, one.seat) {
                self.number(&format!("{} {name}", one.seat), value);
                // The result of a seat is also a result of its side.
                if let Some(side) = one.side {
                    self.number(&format!("{side} {name}"), value);
                }
            }
        }
    }
    /// Adds the results of each bot in one game. `players` names the bot of each seat, `first` the
    /// bot that is compared with the others.
    pub fn bots(&mut self, outcome: &Outcome, players: &[String], first: &str) {
        let mean = |name: &str, of: &dyn Fn(&str) -> bool| {
            let seats = (0..).map(Seat).zip(players).filter(|(_, player)| of(player)).map(|(seat, _)| seat);
            let found: Vec<f64> = seats.filter_map(|seat| number_of(outcome, seat, name)).collect();
            (!found.is_empty()).then(|| found.iter().sum::<f64>() / found.len() as f64)
        };
        let Some(best) = outcome.ranking().first() else { return };
        let names = counts(outcome, best.seat).into_iter().map(|(name, _)| name).chain(["rank", "wins"]);
        for name in names {
            for bot in players.iter().collect::<BTreeSet<_>>() {
                if let Some(mean) = mean(name, &|player| player == bot) {
                    self.bots.entry(bot.clone()).or_default().insert(name.to_owned(), Sample::of(mean));
                }
            }
            if let (Some(own), Some(others)) = (mean(name, &|one| one == first), mean(name, &|one| one != first)) {
                self.ahead.insert(name.to_owned(), Sample::of(own - others));
            }
        }
    }
    /// Adds the figures of one game, and those among them that belong to the balance report.
    pub fn figures(&mut self, figures: &[(&'static str, i64)], wanted: &'static [Figure]) {
        for &(name, value) in figures {
            self.number(name, value as f64);
        }
        for figure in wanted {
            let balance = self.balance.entry(figure.title).or_default();
            (balance.figure, balance.history) = (figure.name, figure.history);
            if let Some((_, value)) = figures.iter().find(|(name, _)| *name == figure.name) {
                *balance.games.entry(*value).or_default() += 1;
            }
        }
    }
    /// Adds the sides that won the game or, if sides change every Turn, each Turn.
    pub fn winners(&mut self, group: &str, outcome: &Outcome) {
        let sides = outcome.sides();
        if !sides.is_empty() {
            let won = Shares::game(sides.iter().map(|side| ((*side).to_owned(), 1.0)), sides.len() as f64);
            self.won.entry(group.to_owned()).or_default().merge(&won);
        }
    }
    /// Adds the result of a bot with these seats; a shared first place counts as a part of a win.
    pub fn duel(&mut self, mine: &[Seat], outcome: &Outcome) {
        let won: f64 = mine.iter().map(|&seat| outcome.share_of_win(seat)).sum();
        let seats = list_and(&mine.iter().map(Seat::to_string).collect::<Vec<_>>());
        for way in [&*seats, BOTH] {
            let game = Shares::game([("won".to_owned(), (PARTS * won).round())], PARTS);
            self.duels.entry(way.to_owned()).or_default().merge(&game);
        }
    }
    /// Adds the statistics of other games.
    pub fn merge(&mut self, other: Statistics) {
        self.finished += other.finished;
        self.failed.extend(other.failed);
        for (name, theirs) in other.numbers {
            match self.numbers.get_mut(&name) {
                None => _ = self.numbers.insert(name, theirs),
                Some(ours) => {
                    ours.games += theirs.games;
                    ours.sum += theirs.sum;
                    (ours.min, ours.max) = (ours.min.min(theirs.min), ours.max.max(theirs.max));
                    ours.mean = ours.sum / ours.games as f64;
                }
            }
        }
        for (ours, theirs) in [(&mut self.ends, other.ends), (&mut self.reasons, other.reasons)] {
            theirs.into_iter().for_each(|(word, count)| *ours.entry(word).or_default() += count);
        }
        for (bot, samples) in other.bots {
            let ours = self.bots.entry(bot).or_default();
            samples.iter().for_each(|(key, sample)| ours.entry(key.clone()).or_default().merge(sample));
        }
        for (key, sample) in &other.ahead {
            self.ahead.entry(key.clone()).or_default().merge(sample);
        }
        for (ours, theirs) in [(&mut self.won, &other.won), (&mut self.duels, &other.duels)] {
            theirs.iter().for_each(|(key, shares)| ours.entry(key.clone()).or_default().merge(shares));
        }
        for (title, theirs) in other.balance {
            let ours = self.balance.entry(title).or_default();
            (ours.figure, ours.history) = (theirs.figure, theirs.history);
            for (value, games) in theirs.games {
                *ours.games.entry(value).or_default() += games;
            }
        }
    }

    /// Formats a row of a balance table: the scenario, the shares of wins, the mean of each figure
    /// of the balance report, and the endings.
    pub fn row(&self, scenario: &str) -> String {
        let won: Vec<String> = self.won.values().map(Shares::in_words).collect();
        let means = self.balance.iter().map(|(title, balance)| format!("{title} {:.1}", balance.mean()));
        let (means, ends) = (means.collect::<Vec<_>>().join("; "), counted(&self.ends));
        format!("| `{scenario}` | {} | {means} | {ends} |\n", won.join("; "))
    }

    /// Formats everything as text; `first` is the bot that is compared with the others.
    pub fn in_words(&self, title: &str, first: &str) -> String {
        let mut text = format!("{title}: {} games finished\n", self.finished);
        text += &self.shares_in_words(first);
        text += &self.bots_in_words(first);
        text += &self.balance_in_words();
        text += &self.numbers_in_words();
        for (title, words) in [("How games ended", &self.ends), ("What decided them", &self.reasons)] {
            if !words.is_empty() {
                text += &format!("\n{title}: {}\n", counted(words));
            }
        }
        for (seed, why) in self.failed.iter().take(10) {
            text += &format!("\nseed {seed} failed: {why}\n");
        }
        if self.failed.len() > 10 {
            text += &format!("\n… and {} games more failed\n", self.failed.len() - 10);
        }
        text
    }
    /// Formats the numbers that are not in the balance report.
    fn numbers_in_words(&self) -> String {
        let balance: BTreeSet<&str> = self.balance.values().map(|balance| balance.figure).collect();
        let rows = self.numbers.iter().filter(|(name, _)| !balance.contains(name.as_str()));
        let (asked, others): (Vec<_>, Vec<_>) = rows.partition(|(name, _)| name.starts_with(ASKED));
        let mut text = String::new();
        for (title, rows) in [("Per game", others), ("Questions per game", asked)] {
            let rows = rows.into_iter().map(|(name, s)| (name.trim_start_matches(ASKED).replace(['_', '-'], " "), s));
            let rows: Vec<(String, &Spread)> = rows.collect();
            let names = rows.iter().map(|(name, _)| name.as_str()).chain([title]);
            let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
            if !rows.is_empty() {
                text += &format!("\n{title:width$} {:>10} {:>10} {:>10} {:>8}\n", "mean", "least", "most", "games");
            }
            for (name, s) in rows {
                text += &format!("{name:width$} {:>10.2} {:>10} {:>10} {:>8}\n", s.mean, s.min, s.max, s.games);
            }
        }
        text
    }
    fn shares_in_words(&self, first: &str) -> String {
        let lines = |shares: &BTreeMap<String, Shares>, before: &str| -> String {
            let width = shares.keys().map(|key| key.chars().count()).max().unwrap_or(0);
            let line = |(key, won): (&String, &Shares)| format!("{before}{key:width$}  {}\n", won.in_words());
            shares.iter().map(line).collect()
        };
        let mut text = String::new();
        if !self.won.is_empty() {
            text += "\nShare of games won, or of Turns if sides change every Turn; in brackets the 95 % confidence interval\n";
            text += &lines(&self.won, "");
        }
        if !self.duels.is_empty() {
            text += "\nGames won by the first bot, with each deal played in both halves of the seats; 50 % in all seats is even\n";
            text += &lines(&self.duels, &format!("{first} in "));
        }
        text
    }
    fn bots_in_words(&self, first: &str) -> String {
        let interval = |sample: &Sample| match sample.within() {
            within if within.is_finite() => format!("{:>8.2} ± {within:.2}", sample.mean()),
            _ => format!("{:>8.2}", sample.mean()),
        };
        let of_bots = self
            .bots
            .iter()
            .flat_map(|(bot, samples)| samples.iter().map(move |(key, sample)| (format!("{bot}: {key}"), sample)));
        let ahead = self.ahead.iter().map(|(key, sample)| (format!("{first} ahead: {key}"), sample));
        let rows: Vec<_> = of_bots.chain(ahead).collect();
        let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let line = |(name, sample): &(String, &Sample)| format!("{name:width$} {}\n", interval(sample));
        let text: String = rows.iter().map(line).collect();
        if text.is_empty() {
            return text;
        }
        format!("\nMean per seat by bot, ± the 95 % confidence interval\n{text}")
    }
    fn balance_in_words(&self) -> String {
        if self.balance.is_empty() {
            return String::new();
        }
        let width = self.balance.keys().map(|title| title.chars().count()).max().unwrap_or(0);
        let mut text = format!("\n{:width$} {:>7} {:>7}  games by value\n", "Balance", "mean", "history");
        for (title, balance) in &self.balance {
            let history = balance.history.map_or("-".to_owned(), |value| value.to_string());
            let values = balance.in_words(self.finished);
            text += &format!("{title:width$} {:>7.2} {history:>7}  {values}\n", balance.mean());
        }
        text
    }
}

/// Lists words with their counts, the most frequent first.
fn counted(words: &BTreeMap<String, u64>) -> String {
    let mut words: Vec<_> = words.iter().collect();
    words.sort_by_key(|(_, count)| Reverse(**count));
    words.iter().map(|(word, count)| format!("{word} {count}")).collect::<Vec<_>>().join(", ")
}

/// Returns the results of a seat by name: what the game counts, and its other figures.
fn counts(outcome: &Outcome, seat: Seat) -> Vec<(&'static str, f64)> {
    let (Some(counted), Some(one)) = (outcome.counted(), outcome.of(seat)) else { return Vec::new() };
    std::iter::once((counted.name, one.points)).chain(one.figures.clone()).map(|(name, n)| (name, n as f64)).collect()
}

/// Returns one of these, or the seat's rank or share of the win.
fn number_of(outcome: &Outcome, seat: Seat, name: &str) -> Option<f64> {
    match name {
        "rank" => outcome.of(seat).map(|one| one.rank.into()),
        "wins" => Some(outcome.share_of_win(seat)),
        _ => counts(outcome, seat).into_iter().find(|(other, _)| *other == name).map(|(_, value)| value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use postrider_table::{Counted, Standing};

    const VPS: Counted = Counted::more("VPs");

    fn vps(vps: [i64; 3]) -> Outcome {
        Outcome::by_points(VPS, [0, 1, 2].map(|at| Standing::new(Seat(at), vps[usize::from(at)])), "most VPs (1)")
    }

    fn game(points: [i64; 3], players: [&str; 3]) -> Statistics {
        let mut one = Statistics { finished: 1, ..Statistics::default() };
        one.bots(&vps(points), &players.map(str::to_owned), "keen");
        one
    }

    #[test]
    fn a_row_says_who_won_the_figures_and_how_well() {
        static TURNS: [Figure; 1] = [Figure { name: "turns", title: "game turns", history: None }];
        let mut all = Statistics { finished: 2, ..Statistics::default() };
        for (turns, level, side) in [(3, "major", "us"), (6, "minor", "na")] {
            all.figures(&[("turns", turns)], &TURNS);
            let seats = [(0, Standing::new(Seat(0), 0).of(side))];
            let outcome = Outcome::ranked(VPS, seats, "Kekionga (15.2.4)").at_level(Some(level));
            all.outcome(&outcome);
            all.winners("2 players", &outcome);
        }
        let row = all.row("ohio");
        assert!(row.starts_with("| `ohio` | na 50 % (") && row.contains("us 50 % ("), "{row}");
        assert!(row.ends_with("; 2 games | game turns 4.5 | na: minor 1, us: major 1 |\n"), "{row}");
        assert!(all.in_words("x", "").contains("What decided them: Kekionga (15.2.4) 2\n"));
    }

    #[test]
    fn means_and_intervals_of_bots() {
        let players = ["dull", "keen", "dull"];
        let mut all = game([1, 9, 4], players);
        all.merge(game([5, 3, 2], players));
        let (dull, keen) = (&all.bots["dull"]["VPs"], &all.bots["keen"]["VPs"]);
        assert_eq!((dull.mean(), keen.mean()), ((2.5 + 3.5) / 2.0, 6.0));
        // The leads are 9 - 2.5 and 3 - 3.5.
        assert!((all.ahead["VPs"].mean() - 3.0).abs() < 1e-9);
        assert!(keen.within().is_infinite(), "two games say nothing of exactness");
        assert!(all.in_words("x", "keen").contains("keen ahead: VPs"));
        for points in [9, 3, 6, 6] {
            all.merge(game([0, points, 0], players));
        }
        // The values are 9, 3, 9, 3, 6, 6: the variance is 36 / 5, and 2.571 is the factor for five
        // degrees of freedom.
        assert!((all.bots["keen"]["VPs"].within() - 2.571 * (7.2_f64 / 6.0).sqrt()).abs() < 1e-2);
    }

    /// If the number of seats is odd, a bot has one seat more in one game of a deal than in the
    /// other.
    #[test]
    fn a_bot_with_one_seat_and_with_two_has_the_means_of_a_seat() {
        let mut all = game([9, 4, 1], ["keen", "dull", "dull"]);
        all.merge(game([9, 4, 1], ["dull", "keen", "keen"]));
        let of = |bot: &str, name: &str| all.bots[bot][name].mean();
        assert_eq!((of("keen", "rank"), of("dull", "rank")), ((1.0 + 2.5) / 2.0, (2.5 + 1.0) / 2.0));
        assert_eq!((of("keen", "VPs"), of("dull", "VPs")), ((9.0 + 2.5) / 2.0, (2.5 + 9.0) / 2.0));
        assert_eq!((of("keen", "wins"), all.ahead["rank"].mean()), (0.5, 0.0));
    }

    #[test]
    fn duels_and_sides_are_counted() {
        let mut all = Statistics::default();
        let won_by = |winner: u8| {
            let seats = [0, 1, 2].map(|at| (at != winner, Standing::new(Seat(at), 0).of("US")));
            Outcome::ranked(VPS, seats, "so it is (1)")
        };
        let (a, bc) = ([Seat(0)], [Seat(1), Seat(2)]);
        for (mine, winner) in [(&a[..], 0), (&bc, 0), (&a, 0), (&bc, 2)] {
            all.duel(mine, &won_by(winner));
            all.winners("3 players", &won_by(winner));
        }
        // Two share the first place, one of them the bot.
        all.duel(&a, &vps([4, 4, 1]));
        all.winners("Turns", &vps([4, 4, 1]).with_turns(vec!["US", "Indians", "US"]));
        let words = all.in_words("x", "keen");
        assert!(
            words.contains("keen in A          won 83 %") && words.contains("keen in B and C    won 50 %"),
            "{words}"
        );
        assert!(words.contains("keen in all seats  won 70 %") && words.contains("3 players  US 100 %"), "{words}");
        assert!(words.contains("Turns      Indians 33 %"), "{words}");
    }

    #[test]
    fn figures_are_counted_by_value() {
        const WANTED: &[Figure] = &[
            Figure { name: "states", title: "States", history: Some(14) },
            Figure { name: "line", title: "Line", history: None },
        ];
        let mut all = Statistics { finished: 3, ..Statistics::default() };
        for figures in [&[("states", 2), ("line", 5)][..], &[("states", 1)], &[("states", 2)]] {
            all.figures(figures, WANTED);
        }
        let words = all.in_words("x", "");
        assert!(words.contains("1: 1, 2: 2\n") && words.contains("5: 1, never: 2"), "{words}");
        assert!(words.contains("   1.67      14  1: 1"), "{words}");
        assert!(!words.contains("Per game"), "the balance report has all of them: {words}");
        let mut more = Statistics::default();
        more.figures(&[("wagons_lost", 4)], &[]);
        more.number("asked: column-play", 60.0);
        let words = more.in_words("x", "");
        assert!(words.contains("Per game          mean ") && words.contains("wagons lost       4.00 "), "{words}");
        assert!(
            words.contains("\nQuestions per game") && words.contains("\ncolumn play             60.00 "),
            "{words}"
        );
    }
}
