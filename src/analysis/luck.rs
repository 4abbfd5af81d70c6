//! Dice against their means.
//!
//! A die from `low` to `high` has the mean (low + high) / 2 and the variance
//! ((high − low + 1)² − 1) / 12. The excess of `count` dice over their means is summed and divided by the standard
//! deviation of that sum. The result is normally between −2 and 2, and outside that range once in
//! twenty times. It shows how the dice fell, not whom they helped: whether high or low is good
//! depends on the rule. A die is attributed to the seat whose decision made the rules roll, which
//! need not be the seat that benefits.
//!
//! If dice with the same label have different ranges, they are taken for draws from a list, such as
//! the Commanders that are left. Such a number is a position in a list, so draws are counted but
//! not measured.

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The dice of one kind, or of several kinds together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Sum {
    /// The number of dice.
    pub count: u64,
    /// The mean of the results; `None` for several kinds together, where it means nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub got: Option<f64>,
    /// The expected mean; `None` for several kinds together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// The excess over the means of all dice together, in standard deviations.
    pub deviations: f64,
}

/// The dice of one player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Luck {
    /// The seat whose decisions made the rules roll; "" for rolls before the first decision.
    pub seat: String,
    /// The entry at which the player took the seat; 0 for the first player.
    pub since: u64,
    /// All dice, without draws.
    pub all: Sum,
    /// The number of draws from a list.
    pub draws: u64,
    /// The dice by label.
    pub kinds: BTreeMap<String, Sum>,
}

/// Seat, entry at which its player took it, label, lowest face, and highest face.
type Sort = (String, u64, String, i64, i64);

/// A running count of dice.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The number of dice of each sort, and the sum of their results.
    dice: BTreeMap<Sort, (u64, i64)>,
}

impl Tally {
    /// Adds dice of one sort.
    pub fn roll(&mut self, (seat, since): (&str, u64), label: &str, (low, high): (i64, i64), got: &[i64]) {
        let sort = (seat.to_owned(), since, label.to_owned(), low, high);
        let (count, sum) = self.dice.entry(sort).or_default();
        *count += got.len() as u64;
        *sum += got.iter().sum::<i64>();
    }

    /// Returns the dice of each player who rolled any, in seat order, after those that belong to no
    /// seat.
    pub fn by_seat(&self, seats: &[String]) -> Vec<Luck> {
        let mut faces: BTreeMap<&str, BTreeSet<(i64, i64)>> = BTreeMap::new();
        for (_, _, label, low, high) in self.dice.keys() {
            faces.entry(label).or_default().insert((*low, *high));
        }
        let is_draw = |label: &str| faces.get(label).is_some_and(|faces| faces.len() > 1);
        let of = |(seat, since): (&str, u64)| {
            let mine = self.dice.iter().filter(|((whose, from, ..), _)| whose == seat && *from == since);
            let mine = mine.map(|((_, _, label, low, high), &(count, sum))| (label, (*low, *high), count, sum));
            let (drawn, rolled): (Vec<_>, Vec<_>) = mine.partition(|(label, ..)| is_draw(label));
            let kind = |&(label, faces, count, sum): &(&String, (i64, i64), u64, i64)| {
                let (got, mean) = (Some(sum as f64 / count as f64), Some(mean(faces)));
                (label.clone(), Sum { got, mean, ..put_together([(faces, count, sum)].into_iter()) })
            };
            let luck = Luck {
                seat: seat.to_owned(),
                since,
                all: put_together(rolled.iter().map(|&(_, faces, count, sum)| (faces, count, sum))),
                draws: drawn.iter().map(|(_, _, count, _)| count).sum(),
                kinds: rolled.iter().map(kind).collect(),
            };
            (luck.all.count + luck.draws > 0).then_some(luck)
        };
        let players: BTreeSet<(&str, u64)> =
            self.dice.keys().map(|(seat, since, ..)| (seat.as_str(), *since)).collect();
        let order = std::iter::once("").chain(seats.iter().map(String::as_str));
        order.flat_map(|seat| players.iter().copied().filter(move |one| one.0 == seat)).filter_map(of).collect()
    }
}

fn mean((low, high): (i64, i64)) -> f64 {
    (low + high) as f64 / 2.0
}

/// The standard deviation of one die.
fn spread((low, high): (i64, i64)) -> f64 {
    let faces = (high - low + 1) as f64;
    ((faces * faces - 1.0) / 12.0).sqrt()
}

/// Adds up sorts of dice, each scaled by its own standard deviation, so that a die with two faces
/// counts as much as one with ten.
fn put_together(sorts: impl Iterator<Item = ((i64, i64), u64, i64)>) -> Sum {
    let (mut count, mut above) = (0, 0.0);
    for (faces, n, sum) in sorts {
        count += n;
        // A die with a single face has no variance.
        if faces.0 < faces.1 {
            above += (sum as f64 - n as f64 * mean(faces)) / spread(faces);
        }
    }
    Sum { count, deviations: if count == 0 { 0.0 } else { above / (count as f64).sqrt() }, ..Sum::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_are_measured_by_their_own_deviation() {
        let mut tally = Tally::default();
        let seats = ["A".to_owned(), "B".to_owned()];
        tally.roll(("B", 0), "evasion", (0, 9), &[9, 9, 9, 9]);
        tally.roll(("B", 0), "coin", (1, 2), &[1]);
        tally.roll(("B", 0), "weather", (0, 9), &[4, 5]);
        tally.roll(("B", 0), "commander", (0, 9), &[3]);
        tally.roll(("", 0), "commander", (0, 8), &[8, 8]);
        tally.roll(("", 0), "set-up", (1, 6), &[1, 6]);
        let luck = tally.by_seat(&seats);
        assert_eq!(luck.iter().map(|luck| luck.seat.as_str()).collect::<Vec<_>>(), ["", "B"]);
        assert_eq!(luck[0].all, Sum { count: 2, got: None, mean: None, deviations: 0.0 });
        // Drawn once from ten and twice from nine: positions in a list.
        assert_eq!(luck.iter().map(|luck| luck.draws).collect::<Vec<_>>(), [2, 1]);
        let kinds = &luck[1].kinds;
        assert_eq!(kinds.keys().collect::<Vec<_>>(), ["coin", "evasion", "weather"]);
        // Four dice with standard deviation 2.8723, each 4.5 above its mean: 4 × 4.5 / (2.8723 ×
        // 2).
        let evasion = kinds["evasion"];
        assert_eq!((evasion.count, evasion.got, evasion.mean), (4, Some(9.0), Some(4.5)));
        assert!((evasion.deviations - 3.1334).abs() < 1e-4, "{evasion:?}");
        // One die with standard deviation 0.5, half a point below its mean.
        assert!((kinds["coin"].deviations + 1.0).abs() < 1e-9);
        assert!(kinds["weather"].deviations.abs() < 1e-9);
        // Together: (4 × 1.5667 − 1 + 0) / √7.
        assert!((luck[1].all.deviations - 1.9907).abs() < 1e-4, "{:?}", luck[1].all);
    }
}
