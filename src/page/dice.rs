//! The dice of a journal, each with what proves it.

use postrider_dice::DICE_CHAIN;
use postrider_journal::{Body, Checked};
use postrider_replay::Projection;
use serde::Serialize;
use std::collections::BTreeMap;

/// The dice of the play that counts, in the order of the journal. A [`Projection`]: it takes them from the lines as they go by.
#[derive(Clone, Debug, Default)]
pub struct Dice {
    /// What the next link must hash to.
    tip: String,
    /// The number of `rolled` lines so far, undone ones included.
    rolled: u64,
    thrown: Vec<(u64, Thrown)>,
}

/// The dice of one line, with what proves them: `link` hashes to `tip`, and link, ordinal and luck make the seed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Thrown {
    /// The journal line, counted from 0.
    pub n: u64,
    /// Ordinal among all lines with dice.
    pub i: u64,
    /// The link of the chain that the line reveals.
    pub link: String,
    /// The link or tip before it.
    pub tip: String,
    /// The dice.
    pub rolls: Vec<Rolls>,
}

/// Equal dice for one purpose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Rolls {
    /// What they are for.
    pub label: String,
    /// The lowest face.
    pub low: i64,
    /// The highest face.
    pub high: i64,
    /// What they show.
    pub got: Vec<i64>,
}

impl Projection for Dice {
    fn apply(&mut self, checked: &Checked<'_>, undone: bool) {
        match &checked.body {
            Body::Opened(opened) => {
                // A journal that is read once more begins anew.
                self.thrown.clear();
                self.rolled = 0;
                self.tip = opened.chains.get(DICE_CHAIN).map(ToString::to_string).unwrap_or_default();
            }
            Body::Rewound(rewound) => {
                if let Some(tip) = rewound.chains.get(DICE_CHAIN) {
                    self.tip = tip.to_string();
                }
            }
            Body::Rolled(rolled) => {
                let link = rolled.secret.to_string();
                let rolls = rolled.rolls.iter().map(|roll| Rolls {
                    label: roll.label.to_string(),
                    low: roll.low,
                    high: roll.high,
                    got: roll.got.clone(),
                });
                let tip = std::mem::replace(&mut self.tip, link.clone());
                if !undone {
                    let thrown = Thrown { n: checked.line.n, i: self.rolled, link, tip, rolls: rolls.collect() };
                    self.thrown.push((checked.cause, thrown));
                }
                self.rolled += 1;
            }
            _ => {}
        }
    }
}

impl Dice {
    /// The dice by the lines that they belong to, of the lines that are wanted.
    pub fn of_lines(&self, wanted: impl Fn(u64) -> bool) -> BTreeMap<u64, Vec<Thrown>> {
        let mut by_line: BTreeMap<u64, Vec<Thrown>> = BTreeMap::new();
        for (cause, thrown) in self.thrown.iter().filter(|(cause, _)| wanted(*cause)) {
            by_line.entry(*cause).or_default().push(thrown.clone());
        }
        by_line
    }
}
