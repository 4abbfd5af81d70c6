//! The data of a page other than the position: the dice, each with its proof, the time of each
//! entry, and events outside the rules.

use postrider_dice::DICE_CHAIN;
use postrider_journal::{Body, Checked};
use postrider_replay::{Chronicle, Projection};
use serde::Serialize;
use std::collections::BTreeMap;

/// The dice of a journal, without those of undone entries, in the order of the journal, and the
/// times of all entries. This [`Projection`] collects them as the entries are read.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The time of each entry, in the journal's format.
    times: Vec<String>,
    /// The hash that the next link must have.
    tip: String,
    /// The number of `rolled` entries so far, undone ones included.
    rolled: u64,
    thrown: Vec<(u64, Thrown)>,
    /// The events outside the story of the rules.
    pub(super) chronicle: Chronicle,
}

/// The dice of one entry with their proof: `link` hashes to `tip`, and the seed follows from link,
/// ordinal and luck.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Thrown {
    /// The journal entry, counted from 0.
    pub n: u64,
    /// The entry's ordinal among all `rolled` entries, counted from 0.
    pub i: u64,
    /// The link of the seed chain that the entry reveals.
    pub link: String,
    /// The previous link, or the tip of the chain.
    pub tip: String,
    /// The dice.
    pub rolls: Vec<Rolls>,
}

/// Dice of one kind, rolled for one purpose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Rolls {
    /// The purpose.
    pub label: String,
    /// The lowest face.
    pub low: i64,
    /// The highest face.
    pub high: i64,
    /// The results.
    pub got: Vec<i64>,
}

impl Projection for Record {
    fn apply(&mut self, checked: &Checked<'_>, undone: bool) {
        if let Body::Opened(opened) = &checked.body {
            // The same value may be used to read a journal a second time.
            *self = Record::default();
            self.tip = opened.chains.get(DICE_CHAIN).map(ToString::to_string).unwrap_or_default();
        }
        self.times.push(checked.line.at.to_string());
        self.chronicle.apply(checked, undone);
        match &checked.body {
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

impl Record {
    /// Returns the time of an entry; "" if the journal does not have it.
    pub fn time(&self, n: u64) -> &str {
        usize::try_from(n).ok().and_then(|n| self.times.get(n)).map_or("", String::as_str)
    }

    /// Returns the dice by the entry that caused them, for the entries that `wanted` selects.
    pub fn of_entries(&self, wanted: impl Fn(u64) -> bool) -> BTreeMap<u64, Vec<Thrown>> {
        let mut by_line: BTreeMap<u64, Vec<Thrown>> = BTreeMap::new();
        for (cause, thrown) in self.thrown.iter().filter(|(cause, _)| wanted(*cause)) {
            by_line.entry(*cause).or_default().push(thrown.clone());
        }
        by_line
    }
}
