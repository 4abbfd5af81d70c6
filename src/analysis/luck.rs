//! Dice against their means.
//!
//! A die from `low` to `high` has the mean (low + high) / 2 and the variance ((high − low + 1)² − 1) / 12. Of `count` dice the
//! sum of what each lay above its mean, measured in standard deviations of that sum, is normally between −2 and 2; beyond
//! that it comes out once in twenty times. What it says is how the dice fell, not whom it helped: whether high or low is
//! good depends on the rule that rolled, and a die is put to the seat whose decision made the rules roll, which need not
//! be the seat that hoped for it.
//!
//! What is rolled under one name from now this, now that many faces is taken for a draw among things, such as Commanders
//! that are left: its number is a place in a list, so it is counted and not measured.

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Dice of one kind, or of several put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Sum {
    /// How many were rolled.
    pub count: u64,
    /// The mean of what they showed; of several kinds together it says nothing and is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub got: Option<f64>,
    /// What the mean of that kind is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// By how many standard deviations all of them together lay above their means.
    pub deviations: f64,
}

/// The dice of one seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Luck {
    /// The seat whose decisions made the rules roll; "" for what was rolled before anybody decided.
    pub seat: String,
    /// The entry by which its player came to sit there; 0 for the first.
    pub since: u64,
    /// All of its dice, draws apart.
    pub all: Sum,
    /// How many draws among things there were.
    pub draws: u64,
    /// By what they were rolled for.
    pub kinds: BTreeMap<String, Sum>,
}

/// A seat, since when its player sat there, what was rolled for, and the lowest and highest face.
type Sort = (String, u64, String, i64, i64);

/// Dice as they fall.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// How many of each sort there were, and the sum of what they showed.
    dice: BTreeMap<Sort, (u64, i64)>,
}

impl Tally {
    /// Counts dice of one sort.
    pub fn roll(&mut self, (seat, since): (&str, u64), label: &str, (low, high): (i64, i64), got: &[i64]) {
        let sort = (seat.to_owned(), since, label.to_owned(), low, high);
        let (count, sum) = self.dice.entry(sort).or_default();
        *count += got.len() as u64;
        *sum += got.iter().sum::<i64>();
    }

    /// The dice of each player who rolled any, in the order of the seats; before them what belongs to none.
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

/// Each sort by its own standard deviation, so that a die of two faces counts as much as one of ten.
fn put_together(sorts: impl Iterator<Item = ((i64, i64), u64, i64)>) -> Sum {
    let (mut count, mut above) = (0, 0.0);
    for (faces, n, sum) in sorts {
        count += n;
        // What has but one face has no luck.
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
        // Drawn once from ten and twice from nine: places in a list.
        assert_eq!(luck.iter().map(|luck| luck.draws).collect::<Vec<_>>(), [2, 1]);
        let kinds = &luck[1].kinds;
        assert_eq!(kinds.keys().collect::<Vec<_>>(), ["coin", "evasion", "weather"]);
        // Four dice of the standard deviation 2.8723, each 4.5 above its mean: 4 × 4.5 / (2.8723 × 2).
        let evasion = kinds["evasion"];
        assert_eq!((evasion.count, evasion.got, evasion.mean), (4, Some(9.0), Some(4.5)));
        assert!((evasion.deviations - 3.1334).abs() < 1e-4, "{evasion:?}");
        // One die of the standard deviation 0.5, half a point below.
        assert!((kinds["coin"].deviations + 1.0).abs() < 1e-9);
        assert!(kinds["weather"].deviations.abs() < 1e-9);
        // Together: (4 × 1.5667 − 1 + 0) / √7.
        assert!((luck[1].all.deviations - 1.9907).abs() < 1e-4, "{:?}", luck[1].all);
    }
}
