//! The claims that a checked journal proves, and those that it leaves open.

use std::{collections::BTreeMap, fmt};

use serde::Serialize;

use super::{Checker, Step, known::Seat};
use crate::body::Via;
use postrider_dice::{Hash, sha256};

/// A claim that the journal neither proves nor contradicts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "what", rename_all = "lowercase")]
pub enum Unproved {
    /// The journal has no line.
    Empty,
    /// A shuffle whose secret is not revealed. Only the cards that were shown are proved.
    Epoch {
        /// The deck.
        deck: String,
        /// The number of the shuffle.
        epoch: u64,
        /// The `n` of its `shuffled` entry.
        n: u64,
    },
    /// The new chains of a rewind. They are proved to follow from those of `opened` only when
    /// `closed` publishes their s_0.
    Fresh {
        /// Their labels.
        chains: Vec<String>,
        /// The `n` of the `rewound` entry.
        n: u64,
    },
    /// A sealed entry that was never opened.
    Seal {
        /// The `n` of the `sealed` entry.
        n: u64,
    },
    /// A kind that this release does not know. Only its place in the hash chain is proved.
    Kind {
        /// The kind.
        kind: String,
        /// The `n` of the first such entry.
        n: u64,
        /// The number of such entries.
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

/// Information for the reader on which no claim depends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "what", rename_all = "lowercase")]
pub enum Note {
    /// A rewind that undoes dice or cards.
    Undone {
        /// The person who decided it.
        by: String,
        /// The `n` of the entry after which play continues.
        to: u64,
        /// The `n` of the `rewound` entry.
        n: u64,
        /// `true` if dice that were seen are undone.
        dice: bool,
        /// `true` if cards that were drawn are undone.
        cards: bool,
        /// `true` if all chains are new.
        fresh: bool,
    },
    /// A luck phrase that does not prevent the operator from choosing the luck.
    Phrase {
        /// The seat of the phrase.
        seat: String,
        /// The reason.
        doubt: PhraseDoubt,
    },
}

/// The reason a luck phrase does not prevent the operator from choosing the dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PhraseDoubt {
    /// The phrase is empty.
    Empty,
    /// The phrase did not come by mail, so only the operator vouches for it.
    Operator,
    /// The phrase was the last to come, so its author could have chosen it knowing the others.
    Last,
    /// The phrase was the last to come, and it is the operator's, who could choose the dice by it.
    OperatorLast,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Undone { by, to, n, dice, cards, fresh } => {
                let seen = match (dice, cards) {
                    (true, true) => "dice and cards",
                    (true, false) => "dice",
                    (false, _) => "cards",
                };
                let chains = if *fresh { "all chains are fresh" } else { "the chains stay" };
                write!(f, "entry {n}: {by:?} goes back to entry {to}, behind {seen} that were drawn; {chains}")
            }
            Note::Phrase { seat, doubt: PhraseDoubt::Empty } => write!(f, "seat {seat} gave no words for luck"),
            Note::Phrase { seat, doubt: PhraseDoubt::Operator } => {
                write!(f, "the words for luck of seat {seat} did not come by mail: the operator gave them")
            }
            Note::Phrase { seat, doubt: PhraseDoubt::Last } => {
                write!(f, "the words for luck of seat {seat} came last: who knew the others could choose them")
            }
            Note::Phrase { seat, doubt: PhraseDoubt::OperatorLast } => {
                write!(
                    f,
                    "the words for luck of seat {seat} came last, from the operator, who could choose the dice by them"
                )
            }
        }
    }
}

/// A step, and the parts of the journal that it proved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// The step.
    pub step: Step,
    /// The number of proved items by type: `links`, `dice` ….
    pub proved: BTreeMap<&'static str, u64>,
    /// The open claims.
    pub unproved: Vec<Unproved>,
    /// Further notes, which do not affect the grade.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// The results of steps 1 to 7 for a journal without contradictions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Claims {
    /// The number of lines.
    pub lines: u64,
    /// The hash of the last line, or [`Hash::ZERO`] if there is none.
    pub head: Hash,
    /// The game, or "" if there is no line.
    pub game: String,
    /// The operator's seats, which can foresee their dice and see their opponents' hands.
    pub operator_seats: Vec<String>,
    /// `true` if the last luck phrase was the operator's, or there was none, so that nothing
    /// prevented the operator from trying phrases or secrets until the dice were favourable.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub chosen: bool,
    /// The seven steps in order.
    pub steps: Vec<Claim>,
}

impl Checker {
    /// Returns the claims about the lines checked so far.
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
                Step::Chains => claim.notes.clone_from(&self.undone),
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

    /// Returns the notes on the luck phrases after `started`, and `true` if the operator could have
    /// chosen the luck: the last change of a phrase did not come by mail, or from an operator's
    /// seat, or there was none.
    fn phrases(&self) -> (Vec<Note>, bool) {
        if self.started.is_none() {
            return (Vec::new(), false);
        }
        let no_luck = sha256(b"");
        let by_mail = |seat: &Seat| seat.said.is_some_and(|(_, via)| via == Via::Mail);
        let operators = |seat: &Seat| !by_mail(seat) || self.operator_seats.contains(&seat.name);
        let last = self.seats.iter().filter(|seat| seat.said.is_some()).max_by_key(|seat| seat.said.map(|(n, _)| n));
        let notes = self.seats.iter().filter_map(|seat| {
            let doubt = match last.is_some_and(|last| last.name == seat.name) {
                true if operators(seat) => PhraseDoubt::OperatorLast,
                _ if seat.luck == no_luck => PhraseDoubt::Empty,
                true => PhraseDoubt::Last,
                false if !by_mail(seat) => PhraseDoubt::Operator,
                false => return None,
            };
            Some(Note::Phrase { seat: seat.name.clone(), doubt })
        });
        (notes.collect(), last.is_none_or(operators))
    }
}
