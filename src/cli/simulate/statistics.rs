//! What came out of many games, put together from what came out of each.
//!
//! All sums are of whole numbers, so they do not depend on the order in which games end.

use super::shares::Shares;
use crate::table::{Figure, Seat};
use serde::{Serialize, Serializer, ser::SerializeStruct};
use serde_json::Value;
use std::collections::BTreeMap;

/// One number over many games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// In how many games it occurred.
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

/// The mean of a number over many games, with what is known of its exactness. The number of a game is a sum of `parts`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    games: u64,
    sum: f64,
    squares: f64,
    parts: f64,
}

impl Sample {
    fn of(sum: f64, parts: f64) -> Sample {
        Sample { games: 1, sum, squares: sum * sum, parts }
    }
    /// The mean of one part.
    pub fn mean(&self) -> f64 {
        self.sum / self.games.max(1) as f64 / self.parts
    }
    /// Half of the interval around [`Sample::mean`] that holds the true mean in 95 of 100 cases, if the games are many.
    pub fn within(&self) -> f64 {
        let games = self.games as f64;
        if self.games < 2 {
            return f64::INFINITY;
        }
        let variance = (self.squares - self.sum * self.sum / games).max(0.0) / (games - 1.0);
        1.96 * (variance / games).sqrt() / self.parts
    }
    fn merge(&mut self, other: &Sample) {
        self.games += other.games;
        self.sum += other.sum;
        self.squares += other.squares;
        self.parts = other.parts;
    }
}

impl Serialize for Sample {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Sample", 3)?;
        fields.serialize_field("games", &self.games)?;
        fields.serialize_field("mean", &self.mean())?;
        // JSON knows no infinity.
        fields.serialize_field("within", &Some(self.within()).filter(|within| within.is_finite()))?;
        fields.end()
    }
}

/// A figure of the balance report: how many games came to each value.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Balance {
    /// What it was in history.
    history: Option<i64>,
    /// Games by value; games without one are in none.
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
    /// The value below which so many hundredths of the games lie.
    fn hundredth(&self, share: u64) -> i64 {
        let (all, mut below) = (self.count(), 0);
        let found = self.games.iter().find(|(_, games)| {
            below += **games;
            below * 100 > all * share
        });
        found.or(self.games.iter().next_back()).map_or(0, |(&value, _)| value)
    }
    /// Few values are listed one by one, many by where the games lie.
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

/// What came out of many games.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Statistics {
    /// Games that came to their end.
    pub finished: u64,
    /// Games that did not: their seed and why. Lowest seed first.
    pub failed: BTreeMap<u64, String>,
    /// Numbers by name: Rounds, decisions, and every number in the outcome.
    pub numbers: BTreeMap<String, Spread>,
    /// Words in the outcome, such as winners, and how often each stood there.
    pub words: BTreeMap<String, BTreeMap<String, u64>>,
    /// What each bot got, by bot and by the name of the number in the ranking.
    pub bots: BTreeMap<String, BTreeMap<String, Sample>>,
    /// By how much the first bot was ahead of the mean of all others, where there are others.
    pub ahead: BTreeMap<String, Sample>,
    /// Who won how much, by number of players and scenario.
    pub won: BTreeMap<String, Shares>,
    /// How often the first bot won against the second, by the seats that it had, and `both` ways together.
    pub duels: BTreeMap<String, Shares>,
    /// The figures of the balance report, by title.
    pub balance: BTreeMap<&'static str, Balance>,
}

/// Beside the seats of both ways in [`Statistics::duels`].
const BOTH: &str = "all seats";
/// Who is first with others has won a part of the game: five at the most are, so that all parts are whole.
const PARTS: f64 = 60.0;

impl Statistics {
    /// Notes a number of one game.
    pub fn number(&mut self, name: &str, value: f64) {
        let new = Spread { games: 0, min: value, max: value, mean: value, sum: 0.0 };
        let spread = self.numbers.entry(name.to_owned()).or_insert(new);
        spread.games += 1;
        spread.sum += value;
        (spread.min, spread.max) = (spread.min.min(value), spread.max.max(value));
        spread.mean = spread.sum / spread.games as f64;
    }
    /// Takes an outcome apart. Items of a list go by the seat, side or name that they carry, since their order may be a
    /// ranking.
    pub fn outcome(&mut self, name: &str, value: &Value) {
        let below = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name} {key}") };
        match value {
            Value::Number(number) => self.number(name, number.as_f64().unwrap_or_default()),
            Value::Bool(yes) => self.number(name, f64::from(u8::from(*yes))),
            Value::String(word) => {
                *self.words.entry(name.to_owned()).or_default().entry(word.clone()).or_default() += 1;
            }
            Value::Object(members) => members.iter().for_each(|(key, value)| self.outcome(&below(key), value)),
            Value::Array(items) => {
                self.number(&below("count"), items.len() as f64);
                for (rank, item) in (1..).zip(items) {
                    // What a seat got is also what its side got.
                    if let (Some(_), Some(side), Some(members)) = (item.get("seat"), side_of(item), item.as_object()) {
                        for (key, number) in members.iter().filter_map(|(key, value)| Some((key, value.as_f64()?))) {
                            self.number(&below(&format!("{side} {key}")), number);
                        }
                    }
                    let key = ["seat", "side", "name"].iter().find_map(|key| item.get(key)?.as_str());
                    match key {
                        Some(key) => {
                            self.number(&below(&format!("{key} rank")), f64::from(rank));
                            self.outcome(&below(key), item);
                        }
                        None if item.is_object() || item.is_array() => self.outcome(&below(&rank.to_string()), item),
                        None => self.outcome(&below("item"), item),
                    }
                }
            }
            Value::Null => {}
        }
    }
    /// Notes what each bot got in one game: `players` names the bot of each seat, `first` the bot that is held against
    /// the others.
    pub fn ranking(&mut self, outcome: &Value, players: &[String], first: &str) {
        let items = outcome.get("ranking").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let mut sums: BTreeMap<&str, BTreeMap<&str, f64>> = BTreeMap::new();
        for (item, letter) in items.iter().filter_map(|item| Some((item.as_object()?, item.get("seat")?.as_str()?))) {
            let Some(player) = Seat::from_letter(letter).and_then(|seat| players.get(seat.index())) else { continue };
            for (key, number) in item.iter().filter_map(|(key, value)| Some((key.as_str(), value.as_f64()?))) {
                *sums.entry(key).or_default().entry(player.as_str()).or_default() += number;
            }
        }
        for (key, by_bot) in sums {
            let seats = |bot: &str| players.iter().filter(|player| *player == bot).count() as f64;
            for (&bot, &sum) in &by_bot {
                let samples = self.bots.entry(bot.to_owned()).or_default();
                samples.insert(key.to_owned(), Sample::of(sum, seats(bot)));
            }
            let (mine, ours) = (seats(first), players.len() as f64);
            if mine < ours {
                let all: f64 = by_bot.values().sum();
                let own = by_bot.get(first).copied().unwrap_or_default();
                // Over a common denominator, so that the number of a game is whole.
                let lead = own * (ours - mine) - (all - own) * mine;
                self.ahead.insert(key.to_owned(), Sample::of(lead, mine * (ours - mine)));
            }
        }
    }
    /// Notes the figures of one game that a balance report is made of.
    pub fn figures(&mut self, figures: &Value, wanted: &'static [Figure]) {
        let mut all = Statistics::default();
        all.outcome("", figures);
        for figure in wanted {
            let balance = self.balance.entry(figure.title).or_default();
            balance.history = figure.history;
            if let Some(spread) = all.numbers.get(figure.name) {
                *balance.games.entry(spread.sum as i64).or_default() += 1;
            }
        }
    }
    /// Notes which sides have won: those that the game's figures name in `winners`, one a Turn where sides change every Turn, or
    /// else the side of the first in the ranking.
    pub fn winners(&mut self, group: &str, figures: &Value, outcome: &Value) {
        let named = figures.get("winners").and_then(Value::as_array);
        let mut winners: Vec<&str> = named.into_iter().flatten().filter_map(Value::as_str).collect();
        if named.is_none() {
            winners.extend(outcome.pointer("/ranking/0").and_then(side_of));
        }
        if !winners.is_empty() {
            let won = Shares::game(winners.iter().map(|side| ((*side).to_owned(), 1.0)), winners.len() as f64);
            self.won.entry(group.to_owned()).or_default().merge(&won);
        }
    }
    /// Notes whether a bot that had these seats (`A and B`) won; whoever is first with others has won a part.
    pub fn duel(&mut self, seats: &str, outcome: &Value) {
        let items = outcome.get("ranking").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let first: Vec<&str> = items
            .iter()
            .filter(|item| item.get("rank").and_then(Value::as_u64) == Some(1))
            .filter_map(|item| item.get("seat")?.as_str())
            .collect();
        let mine = first.iter().filter(|letter| seats.split([' ', ',']).any(|seat| seat == **letter)).count();
        let won = PARTS * mine as f64 / first.len().max(1) as f64;
        for way in [seats, BOTH] {
            let game = Shares::game([("won".to_owned(), won.round())], PARTS);
            self.duels.entry(way.to_owned()).or_default().merge(&game);
        }
    }
    /// Adds what came out of other games.
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
        for (name, words) in other.words {
            let ours = self.words.entry(name).or_default();
            for (word, count) in words {
                *ours.entry(word).or_default() += count;
            }
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
            ours.history = theirs.history;
            for (value, games) in theirs.games {
                *ours.games.entry(value).or_default() += games;
            }
        }
    }

    /// As a row of a table of balance: the scenario, who won, the mean of each figure of the balance report, and how well.
    pub fn row(&self, scenario: &str) -> String {
        let won: Vec<String> = self.won.values().map(Shares::in_words).collect();
        let means = self.balance.iter().map(|(title, balance)| format!("{title} {:.1}", balance.mean()));
        let levels = self.words.get("level").into_iter().flatten().map(|(word, count)| format!("{word} {count}"));
        let [means, levels] = [means.collect::<Vec<_>>().join("; "), levels.collect::<Vec<_>>().join(", ")];
        format!("| `{scenario}` | {} | {means} | {levels} |\n", won.join("; "))
    }

    /// All of it as text; `first` is the bot that is held against the others.
    pub fn in_words(&self, title: &str, first: &str) -> String {
        let mut text = format!("{title}: {} games finished\n", self.finished);
        text += &self.shares_in_words(first);
        text += &self.bots_in_words(first);
        text += &self.balance_in_words();
        let width = self.numbers.keys().map(|name| name.chars().count()).max().unwrap_or(0);
        if !self.numbers.is_empty() {
            text += &format!("\n{:width$} {:>10} {:>10} {:>10} {:>8}\n", "", "mean", "least", "most", "games");
        }
        for (name, s) in &self.numbers {
            text += &format!("{name:width$} {:>10.2} {:>10} {:>10} {:>8}\n", s.mean, s.min, s.max, s.games);
        }
        for (name, words) in &self.words {
            let counts: Vec<String> = words.iter().map(|(word, count)| format!("{word} {count}")).collect();
            // A word that is another one in every game says nothing as a list.
            if words.len() <= 12 {
                text += &format!("\n{name}: {}\n", counts.join(", "));
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
    fn shares_in_words(&self, first: &str) -> String {
        let lines = |shares: &BTreeMap<String, Shares>, before: &str| -> String {
            let width = shares.keys().map(|key| key.chars().count()).max().unwrap_or(0);
            let line = |(key, won): (&String, &Shares)| format!("{before}{key:width$}  {}\n", won.in_words());
            shares.iter().map(line).collect()
        };
        let mut text = String::new();
        if !self.won.is_empty() {
            text += "\nWho won how many games, or Turns where sides change every Turn; in brackets what holds the true share in\n";
            text += "95 of 100 cases\n";
            text += &lines(&self.won, "");
        }
        if !self.duels.is_empty() {
            text += "\nHow often the first bot won, each deal played with it in both halves of the seats; of all seats 50 % is even\n";
            text += &lines(&self.duels, &format!("{first} in "));
        }
        text
    }
    fn bots_in_words(&self, first: &str) -> String {
        let interval = |sample: &Sample| match sample.within() {
            within if within.is_finite() => format!("{:>8.2} ± {within:.2}", sample.mean()),
            _ => format!("{:>8.2}", sample.mean()),
        };
        let mut text = String::new();
        for (bot, samples) in &self.bots {
            for (key, sample) in samples {
                text += &format!("{:24} {}\n", format!("{bot}: {key}"), interval(sample));
            }
        }
        for (key, sample) in &self.ahead {
            text += &format!("{:24} {}\n", format!("{first} ahead: {key}"), interval(sample));
        }
        if text.is_empty() {
            return text;
        }
        format!("\nA seat's mean by bot, ± what holds the true mean in 95 of 100 cases\n{text}")
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

fn side_of(item: &Value) -> Option<&str> {
    item.get("side")?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn game(vps: [i64; 3]) -> Statistics {
        let names = ["A", "B", "C"];
        let ranking: Vec<Value> =
            names.iter().zip(vps).map(|(seat, vps)| json!({ "seat": seat, "vps": vps })).collect();
        let players = ["dull", "keen", "dull"].map(str::to_owned);
        let mut one = Statistics { finished: 1, ..Statistics::default() };
        one.ranking(&json!({ "ranking": ranking }), &players, "keen");
        one
    }

    #[test]
    fn a_row_says_who_won_the_figures_and_how_well() {
        static TURNS: [Figure; 1] = [Figure { name: "turns", title: "game turns", history: None }];
        let mut all = Statistics { finished: 2, ..Statistics::default() };
        for (turns, level, side) in [(3, "major", "us"), (6, "minor", "na")] {
            all.figures(&json!({ "turns": turns }), &TURNS);
            let outcome = json!({ "level": level, "ranking": [{ "seat": "A", "side": side }] });
            all.outcome("", &outcome);
            all.winners("2 players", &json!({}), &outcome);
        }
        let row = all.row("ohio");
        assert!(row.starts_with("| `ohio` | na 50 % (") && row.contains("us 50 % ("), "{row}");
        assert!(row.ends_with("; 2 games | game turns 4.5 | major 1, minor 1 |\n"), "{row}");
    }

    #[test]
    fn means_and_intervals_of_bots() {
        let mut all = game([1, 9, 4]);
        all.merge(game([5, 3, 2]));
        let (dull, keen) = (&all.bots["dull"]["vps"], &all.bots["keen"]["vps"]);
        assert_eq!((dull.mean(), keen.mean()), ((5.0 + 7.0) / 2.0 / 2.0, 6.0));
        // 9 and 3: the variance of a game is 18, of the mean of two 9.
        assert!((keen.within() - 1.96 * 3.0).abs() < 1e-9);
        // 9 - 2.5 and 3 - 3.5.
        assert!((all.ahead["vps"].mean() - 3.0).abs() < 1e-9);
        assert!(game([1, 2, 3]).bots["keen"]["vps"].within().is_infinite(), "one game says nothing of exactness");
        assert!(all.in_words("x", "keen").contains("keen ahead: vps"));
    }

    #[test]
    fn duels_and_sides_are_counted() {
        let mut all = Statistics::default();
        for (mine, winner) in [("A", "A"), ("B and C", "A"), ("A", "A"), ("B and C", "C")] {
            let outcome =
                json!({ "ranking": [{ "rank": 1, "seat": winner, "side": "US" }, { "rank": 2, "seat": "B" }] });
            all.duel(mine, &outcome);
            all.winners("3 players", &outcome, &outcome);
        }
        // Two share the first place, one of them the bot.
        all.duel("A", &json!({ "ranking": [{ "rank": 1, "seat": "A" }, { "rank": 1, "seat": "B" }] }));
        all.winners("Turns", &json!({ "winners": ["US", "Indians", "US"] }), &json!({}));
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
            Figure { name: "states count", title: "States", history: Some(14) },
            Figure { name: "line", title: "Line", history: None },
        ];
        let mut all = Statistics { finished: 3, ..Statistics::default() };
        for figures in
            [json!({ "states": ["X", "Y"], "line": 5 }), json!({ "states": ["X"] }), json!({ "states": [1, 2] })]
        {
            all.figures(&figures, WANTED);
        }
        let words = all.in_words("x", "");
        assert!(words.contains("1: 1, 2: 2\n") && words.contains("5: 1, never: 2"), "{words}");
        assert!(words.contains("   1.67      14  1: 1"), "{words}");
    }
}
