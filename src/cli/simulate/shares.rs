//! Shares of wins, with 95 % confidence intervals.

use postrider_analysis::estimate::wilson;
use serde::{Serialize, Serializer, ser::SerializeStruct};
use std::collections::BTreeMap;

/// The wins of several sides in the same contests: games, or Turns if sides change every Turn. The
/// sums are whole numbers, so they do not depend on the order in which games end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shares {
    games: u64,
    /// The number of contests in all games.
    contests: f64,
    /// By side, the sum of its wins, and the sum of the squares of its wins per game.
    won: BTreeMap<String, (f64, f64)>,
}

/// A share and its bounds, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    pub share: f64,
    pub least: f64,
    pub most: f64,
}

impl Shares {
    /// Creates the result of one game: the wins of each side in its contests.
    pub fn game(won: impl IntoIterator<Item = (String, f64)>, contests: f64) -> Shares {
        let mut sums: BTreeMap<String, f64> = BTreeMap::new();
        for (side, part) in won {
            *sums.entry(side).or_default() += part;
        }
        Shares { games: 1, contests, won: sums.into_iter().map(|(side, sum)| (side, (sum, sum * sum))).collect() }
    }
    /// Adds other games.
    pub fn merge(&mut self, other: &Shares) {
        self.games += other.games;
        self.contests += other.contests;
        for (side, (sum, squares)) in &other.won {
            let ours = self.won.entry(side.clone()).or_default();
            ours.0 += sum;
            ours.1 += squares;
        }
    }
    /// Returns the share of each side with Wilson bounds. A game with several contests counts as a
    /// number of independent ones that depends on the spread of its results.
    pub fn of_each(&self) -> BTreeMap<&str, Share> {
        self.won.iter().map(|(side, &(sum, squares))| (side.as_str(), self.share(sum, squares))).collect()
    }
    fn share(&self, sum: f64, squares: f64) -> Share {
        let games = self.games.max(1) as f64;
        let p = sum / self.contests.max(f64::MIN_POSITIVE);
        let a_game = self.contests / games;
        let spread = (squares / (a_game * a_game) - games * p * p).max(0.0) / (games - 1.0).max(1.0);
        let n = if spread > 0.0 { p * (1.0 - p) * games / spread } else { games };
        let (least, most) = wilson(p, n);
        Share { share: p, least, most }
    }
    /// Formats all shares: `US 67 % (60 to 73), Indians 33 % (27 to 40); 200 games`.
    pub fn in_words(&self) -> String {
        let of_each = self.of_each();
        let each: Vec<String> = of_each.iter().map(|(side, share)| format!("{side} {}", share.in_words())).collect();
        format!("{}; {} games", each.join(", "), self.games)
    }
}

impl Share {
    /// Formats a share: `67 % (60 to 73)`.
    pub fn in_words(&self) -> String {
        let [share, least, most] = [self.share, self.least, self.most].map(|part| 100.0 * part);
        format!("{share:.0} % ({least:.0} to {most:.0})")
    }
}

impl Serialize for Shares {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Shares", 3)?;
        fields.serialize_field("games", &self.games)?;
        fields.serialize_field("contests", &self.contests)?;
        fields.serialize_field("won", &self.of_each())?;
        fields.end()
    }
}

/// Formats a number of players: `1 player`, `4 players`.
pub fn players(seats: u8) -> String {
    format!("{seats} {}", if seats == 1 { "player" } else { "players" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(won: &[&str]) -> Shares {
        let mut all = Shares::default();
        won.iter().for_each(|side| all.merge(&Shares::game([((*side).to_owned(), 1.0)], 1.0)));
        all
    }

    /// For 30 of 120, Wilson's interval is 0.181 to 0.334.
    #[test]
    fn a_share_has_the_bounds_of_wilson() {
        let all = games(&[vec!["Indians"; 30], vec!["US"; 90]].concat());
        assert_eq!(all.in_words(), "Indians 25 % (18 to 33), US 75 % (67 to 82); 120 games");
        assert_eq!(games(&["US"; 10]).in_words(), "US 100 % (72 to 100); 10 games");
    }

    /// Two Turns per game that always have the same result count as one; independent ones count
    /// nearly as two.
    #[test]
    fn contests_of_a_game_count_by_their_spread() {
        let width = |both: &[f64]| {
            let mut all = Shares::default();
            both.iter().for_each(|&won| all.merge(&Shares::game([("US".to_owned(), won)], 2.0)));
            let share = all.of_each()["US"];
            assert!((share.share - 0.5).abs() < 1e-9);
            share.most - share.least
        };
        let one = games(&[vec!["US"; 200], vec!["x"; 200]].concat()).of_each()["US"];
        let alike = width(&[vec![2.0; 200], vec![0.0; 200]].concat());
        assert!((alike - (one.most - one.least)).abs() < 1e-3);
        let free = width(&[vec![2.0; 100], vec![0.0; 100], vec![1.0; 200]].concat());
        assert!((alike / free - 2.0_f64.sqrt()).abs() < 0.02, "{alike} {free}");
    }
}
