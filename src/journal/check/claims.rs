//! What a checked journal proves, and what it leaves open.

use std::{collections::BTreeMap, fmt};

use serde::Serialize;

use super::{Checker, Step, known::Seat};
use crate::body::Via;
use postrider_dice::{Hash, sha256};

/// Something that the journal leaves open: nothing contradicts it, nothing proves it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "what", rename_all = "lowercase")]
pub enum Unproved {
    /// The journal has no line.
    Empty,
    /// A shuffle whose secret is not revealed: only the cards that were shown are proved.
    Epoch {
        /// The deck.
        deck: String,
        /// Which shuffle of it.
        epoch: u64,
        /// n of its `shuffled` entry.
        n: u64,
    },
    /// The fresh chains of a rewind: that they follow from those of `opened` is known when `closed` lays their s_0 open.
    Fresh {
        /// Their labels.
        chains: Vec<String>,
        /// n of the `rewound` entry.
        n: u64,
    },
    /// Sealed and never opened.
    Seal {
        /// n of the `sealed` entry.
        n: u64,
    },
    /// A kind that this release does not know: only its place in the chain is proved.
    Kind {
        /// The kind.
        kind: String,
        /// n of the first such entry.
        n: u64,
        /// How many there are.
        count: u64,
    },
}

impl fmt::Display for Unproved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unproved::Empty => f.write_str("the journal is empty"),
            Unproved::Epoch { deck, epoch, n } => {
                write!(f, "the order of deck {deck}, epoch {epoch} (entry {n}): its secret is not revealed yet")
            }
            Unproved::Fresh { chains, n } => write!(
                f,
                "that the fresh chains of the rewind in entry {n} ({}) were fixed at the opening: no closed entry lays them \
                 open yet",
                chains.join(", ")
            ),
            Unproved::Seal { n } => write!(f, "what was sealed in entry {n}: it is not opened"),
            Unproved::Kind { kind, n, count } => {
                write!(f, "{count} entries of kind {kind}, first in entry {n}: this release does not know them")
            }
        }
    }
}

/// Something that a reader should know and on which no claim depends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "what", rename_all = "lowercase")]
pub enum Note {
    /// A rewind behind dice or cards, after which all chains are fresh.
    Renewed {
        /// Who decided it.
        by: String,
        /// n of the entry after which play goes on.
        to: u64,
        /// n of the `rewound` entry.
        n: u64,
        /// Whether dice that were seen are undone.
        dice: bool,
        /// Whether cards that were drawn are undone.
        cards: bool,
    },
    /// A phrase that does not keep the operator from choosing the luck.
    Phrase {
        /// Whose it is.
        seat: String,
        /// Why it does not.
        doubt: PhraseDoubt,
    },
}

/// Why a phrase for luck does not keep the operator from choosing the dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PhraseDoubt {
    /// There is none.
    Empty,
    /// It did not come by mail, so it is the operator who says it.
    Operator,
    /// It came after all others by mail, so its writer could choose it when he knew them.
    Last,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Renewed { by, to, n, dice, cards } => {
                let seen = match (dice, cards) {
                    (true, true) => "dice and cards that were",
                    (true, false) => "dice that were",
                    (false, true) => "cards that were",
                    (false, false) => "nothing that was",
                };
                write!(f, "entry {n}: {by:?} goes back to entry {to}, behind {seen} drawn; all chains are fresh")
            }
            Note::Phrase { seat, doubt: PhraseDoubt::Empty } => write!(f, "seat {seat} gave no words for luck"),
            Note::Phrase { seat, doubt: PhraseDoubt::Operator } => {
                write!(f, "the words for luck of seat {seat} did not come by mail: the operator gave them")
            }
            Note::Phrase { seat, doubt: PhraseDoubt::Last } => {
                write!(f, "the words for luck of seat {seat} came last: who knew the others could choose them")
            }
        }
    }
}

/// One step and how much of the journal it has proved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// The step.
    pub step: Step,
    /// What was proved, and how often: `links`, `dice` ….
    pub proved: BTreeMap<&'static str, u64>,
    /// What stays open.
    pub unproved: Vec<Unproved>,
    /// What else is worth saying; it changes no grade.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// What steps 1 to 7 say about a journal that nothing contradicts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Claims {
    /// How many lines it has.
    pub lines: u64,
    /// The hash of the last line, [`Hash::ZERO`] if there is none.
    pub head: Hash,
    /// The game, "" if there is no line.
    pub game: String,
    /// The seats of the operator, who can foresee their dice and see their opponents' hands.
    pub operator_seats: Vec<String>,
    /// `true` if no words for luck came by mail: then nothing kept
    /// the operator from choosing his secrets until he liked the dice.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub chosen: bool,
    /// The seven steps in order.
    pub steps: Vec<Claim>,
}

impl Claims {
    /// Whether nothing is left open.
    #[must_use]
    pub fn all_proved(&self) -> bool {
        self.steps.iter().all(|claim| claim.unproved.is_empty())
    }
}

impl Checker {
    #[must_use]
    pub fn finish(self) -> Claims {
        let counts = &self.counts;
        let kinds = self.kinds.iter().map(|(kind, &(count, n))| Unproved::Kind { kind: kind.clone(), n, count });
        let epochs = self.tracks.iter().flat_map(|(label, track)| {
            let deck = label.strip_prefix("deck:").unwrap_or(label);
            track.open().map(|open| Unproved::Epoch { deck: deck.to_owned(), epoch: open.epoch, n: open.at })
        });
        let mut fresh: BTreeMap<u64, Vec<String>> = BTreeMap::new();
        for (label, track) in &self.tracks {
            track.unproved().for_each(|n| fresh.entry(n).or_default().push(label.clone()));
        }
        let fresh = fresh.into_iter().map(|(n, chains)| Unproved::Fresh { chains, n }).collect();
        let empty = if self.n == 0 { vec![Unproved::Empty] } else { vec![] };
        let claim = |step, proved: &[(&'static str, u64)], unproved| Claim {
            step,
            proved: proved.iter().copied().collect(),
            unproved,
            notes: vec![],
        };
        let mut steps = vec![
            claim(Step::Lines, &[("lines", self.n)], empty),
            claim(Step::Entries, &[("entries", self.n)], kinds.collect()),
            claim(Step::Frame, &[("joined", counts.joined)], vec![]),
            claim(Step::Chains, &[("links", counts.links)], fresh),
            claim(Step::Dice, &[("dice", counts.dice), ("rolled", counts.rolled)], vec![]),
            claim(
                Step::Decks,
                &[("cards", counts.cards), ("shown", counts.shown), ("shuffled", counts.shuffled)],
                epochs.collect(),
            ),
            claim(
                Step::Seals,
                &[("unsealed", counts.unsealed)],
                self.seals.keys().map(|&n| Unproved::Seal { n }).collect(),
            ),
        ];
        let (phrases, chosen) = self.phrases();
        for claim in &mut steps {
            match claim.step {
                Step::Frame => claim.notes.clone_from(&phrases),
                Step::Chains => claim.notes.clone_from(&self.renewed),
                _ => {}
            }
        }
        Claims {
            lines: self.n,
            head: self.prev,
            game: self.game.clone(),
            operator_seats: self.operator_seats.clone(),
            chosen,
            steps,
        }
    }

    /// What is to be said of the phrases for luck, once they are fixed, and whether the operator could choose them all.
    fn phrases(&self) -> (Vec<Note>, bool) {
        if self.started.is_none() {
            return (Vec::new(), false);
        }
        let no_luck = sha256(b"");
        let by_mail = |seat: &&Seat| seat.luck != no_luck && seat.said.is_some_and(|(_, via)| via == Via::Mail);
        let last = self.seats.iter().filter(by_mail).max_by_key(|seat| seat.said.map(|(n, _)| n));
        let notes = self.seats.iter().filter_map(|seat| {
            let doubt = match seat {
                seat if seat.luck == no_luck => PhraseDoubt::Empty,
                seat if !by_mail(&seat) => PhraseDoubt::Operator,
                seat if last.is_some_and(|last| last.name == seat.name) => PhraseDoubt::Last,
                _ => return None,
            };
            Some(Note::Phrase { seat: seat.name.clone(), doubt })
        });
        (notes.collect(), last.is_none())
    }
}
