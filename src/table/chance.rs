//! Where dice and shuffles come from: a seed, a journal, or (in the office) the committed chains of a live game.

use postrider_dice::{ChainFault, DiceStream, h};
use std::{cell::RefCell, collections::VecDeque, fmt, rc::Rc};

/// The order of a shuffled deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shuffle {
    /// The ordinal of this shuffle of this deck over the whole journal, rewinds or not.
    pub epoch: u32,
    /// For each position of the deck, from the top: which entry of the list lies there.
    pub order: Vec<u32>,
}

/// Why dice or cards could not be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChanceFault {
    /// The rules ask for a die that the record does not hold.
    #[error("the rules roll \"{label}\", but nothing more is recorded for this step")]
    NoDie {
        /// What the die is for.
        label: String,
    },
    /// The rules ask for a shuffle that the record does not hold.
    #[error("the rules shuffle the deck \"{deck}\", but nothing more is recorded for this step")]
    NoShuffle {
        /// The deck.
        deck: String,
    },
    /// The rules ask for one die, the record holds another.
    #[error("the rules ask for {asked}, the record has {recorded}")]
    OtherDie {
        /// What the rules ask for.
        asked: Die,
        /// What the record has.
        recorded: Die,
    },
    /// The rules shuffle one deck, the record holds the shuffle of another.
    #[error("the rules ask for a shuffle of \"{asked}\", the record has one of \"{recorded}\"")]
    OtherDeck {
        /// The deck that the rules shuffle.
        asked: String,
        /// The deck on record.
        recorded: String,
    },
    /// The rules shuffle another list of cards than the one on record.
    #[error("the rules shuffle the deck \"{deck}\" from another list of cards than the one on record")]
    OtherList {
        /// The deck.
        deck: String,
    },
    /// The order of a shuffle is not known: its seed has not been revealed.
    #[error("the order of the deck \"{deck}\", epoch {epoch}, is not revealed yet")]
    Hidden {
        /// The deck.
        deck: String,
        /// Which shuffle of it.
        epoch: u32,
    },
    /// The secrets of a seed chain are not at hand.
    #[error("the secrets of chain {label} are missing")]
    NoSecrets {
        /// The chain.
        label: String,
    },
    /// The seed chain gives no link.
    #[error(transparent)]
    Chain(#[from] ChainFault),
}

/// A die that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Die {
    /// What it is for.
    pub label: String,
    /// The lowest face.
    pub low: i64,
    /// The highest face.
    pub high: i64,
}

impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" from {} to {}", self.label, self.low, self.high)
    }
}

/// A source of dice and shuffles.
pub trait Chance {
    /// One die from `low` to `high`, both included.
    fn roll(&mut self, label: &'static str, low: i64, high: i64) -> Result<i64, ChanceFault>;
    /// The next shuffle of a deck.
    fn shuffle(&mut self, deck: &'static str, list: &[String]) -> Result<Shuffle, ChanceFault>;
}

/// Dice and shuffles from one number: simulations and tests.
pub struct SeededChance {
    stream: DiceStream,
    epochs: Vec<(&'static str, u32)>,
}

impl SeededChance {
    /// The same seed gives the same game for ever.
    pub fn new(seed: u64) -> Self {
        SeededChance { stream: SeededChance::stream(seed), epochs: Vec::new() }
    }
    /// From now on dice and shuffles come from another number; shuffles go on being counted.
    pub fn go_on_with(&mut self, seed: u64) {
        self.stream = SeededChance::stream(seed);
    }
    fn stream(seed: u64) -> DiceStream {
        DiceStream::new(h("postrider/simulated/v1", &[&seed.to_string()]))
    }
}

impl Chance for SeededChance {
    fn roll(&mut self, _: &'static str, low: i64, high: i64) -> Result<i64, ChanceFault> {
        Ok(self.stream.die(low, high))
    }
    fn shuffle(&mut self, deck: &'static str, list: &[String]) -> Result<Shuffle, ChanceFault> {
        let epoch = match self.epochs.iter_mut().find(|(name, _)| *name == deck) {
            Some((_, epoch)) => {
                *epoch += 1;
                *epoch
            }
            None => {
                self.epochs.push((deck, 0));
                0
            }
        };
        let mut order: Vec<u32> = (0..list.len() as u32).collect();
        for i in (1..order.len()).rev() {
            let j = self.stream.below(i as u32 + 1) as usize;
            order.swap(i, j);
        }
        Ok(Shuffle { epoch, order })
    }
}

/// A source that somebody else keeps hold of.
impl<C: Chance> Chance for Rc<RefCell<C>> {
    fn roll(&mut self, label: &'static str, low: i64, high: i64) -> Result<i64, ChanceFault> {
        self.borrow_mut().roll(label, low, high)
    }
    fn shuffle(&mut self, deck: &'static str, list: &[String]) -> Result<Shuffle, ChanceFault> {
        self.borrow_mut().shuffle(deck, list)
    }
}

/// One die of the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RolledDie {
    /// What it was rolled for.
    pub label: String,
    /// The lowest face.
    pub low: i64,
    /// The highest face.
    pub high: i64,
    /// How it fell.
    pub got: i64,
}

/// One shuffle of the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedShuffle {
    /// The deck.
    pub deck: String,
    /// Its cards before the shuffle.
    pub list: Vec<String>,
    /// Which shuffle of this deck it is.
    pub epoch: u32,
    /// The order, where it is known.
    pub order: Option<Vec<u32>>,
}

/// What a journal recorded for the step that is replayed next.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// Dice in the order in which they were rolled.
    pub dice: VecDeque<RolledDie>,
    /// Shuffles in order.
    pub shuffles: VecDeque<RecordedShuffle>,
}

impl Recorded {
    /// Whether the rules have asked for all of it.
    pub fn is_spent(&self) -> bool {
        self.dice.is_empty() && self.shuffles.is_empty()
    }
    /// The next recorded die, which must be the one asked for.
    pub fn roll(&mut self, label: &str, low: i64, high: i64) -> Result<i64, ChanceFault> {
        let die = self.dice.pop_front().ok_or_else(|| ChanceFault::NoDie { label: label.to_owned() })?;
        if die.label == label && die.low == low && die.high == high {
            return Ok(die.got);
        }
        let asked = Die { label: label.to_owned(), low, high };
        Err(ChanceFault::OtherDie { asked, recorded: Die { label: die.label, low: die.low, high: die.high } })
    }
    /// The next recorded shuffle, which must be of this deck and list.
    pub fn shuffle(&mut self, deck: &str, list: &[String]) -> Result<Shuffle, ChanceFault> {
        let next = self.shuffles.pop_front().ok_or_else(|| ChanceFault::NoShuffle { deck: deck.to_owned() })?;
        if next.deck != deck {
            return Err(ChanceFault::OtherDeck { asked: deck.to_owned(), recorded: next.deck });
        }
        if next.list != list {
            return Err(ChanceFault::OtherList { deck: next.deck });
        }
        match next.order {
            Some(order) => Ok(Shuffle { epoch: next.epoch, order }),
            None => Err(ChanceFault::Hidden { deck: next.deck, epoch: next.epoch }),
        }
    }
}

/// Dice and shuffles from a record that is filled step by step.
pub struct RecordedChance(pub Rc<RefCell<Recorded>>);

impl Chance for RecordedChance {
    fn roll(&mut self, label: &'static str, low: i64, high: i64) -> Result<i64, ChanceFault> {
        self.0.borrow_mut().roll(label, low, high)
    }
    fn shuffle(&mut self, deck: &'static str, list: &[String]) -> Result<Shuffle, ChanceFault> {
        self.0.borrow_mut().shuffle(deck, list)
    }
}

/// Another source of dice and shuffles, with a note of all that came from it: what a replay needs. Whoever plays takes the
/// notes after each step and hands them to a [`RecordedChance`].
pub struct NotedChance<C> {
    chance: C,
    notes: Rc<RefCell<Recorded>>,
}

impl<C: Chance> NotedChance<C> {
    /// Notes down what this source brings.
    pub fn new(chance: C, notes: Rc<RefCell<Recorded>>) -> Self {
        NotedChance { chance, notes }
    }
}

impl<C: Chance> Chance for NotedChance<C> {
    fn roll(&mut self, label: &'static str, low: i64, high: i64) -> Result<i64, ChanceFault> {
        let got = self.chance.roll(label, low, high)?;
        self.notes.borrow_mut().dice.push_back(RolledDie { label: label.to_owned(), low, high, got });
        Ok(got)
    }
    fn shuffle(&mut self, deck: &'static str, list: &[String]) -> Result<Shuffle, ChanceFault> {
        let shuffle = self.chance.shuffle(deck, list)?;
        let order = Some(shuffle.order.clone());
        let note = RecordedShuffle { deck: deck.to_owned(), list: list.to_vec(), epoch: shuffle.epoch, order };
        self.notes.borrow_mut().shuffles.push_back(note);
        Ok(shuffle)
    }
}
