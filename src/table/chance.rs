//! Sources of dice and shuffles: a seed, a journal, or (in the office) the committed chains of a
//! live game.

use postrider_dice::{ChainFault, DiceStream, h};
use std::{cell::RefCell, collections::VecDeque, fmt, rc::Rc};

/// The order of a shuffled deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shuffle {
    /// The number of this shuffle of this deck in the whole journal, including shuffles that a
    /// rewind undid.
    pub epoch: u32,
    /// For each position of the deck, from the top, the index of its card in the list.
    pub order: Vec<u32>,
}

/// The reasons why dice or cards are not available.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChanceFault {
    /// The rules ask for a die that the record does not contain.
    #[error("the rules roll \"{label}\", but nothing more is recorded for this step")]
    NoDie {
        /// The purpose of the die.
        label: String,
    },
    /// The rules ask for a shuffle that the record does not contain.
    #[error("the rules shuffle the deck \"{deck}\", but nothing more is recorded for this step")]
    NoShuffle {
        /// The deck.
        deck: String,
    },
    /// The rules ask for one die, but the record contains another.
    #[error("the rules ask for {asked}, the record has {recorded}")]
    OtherDie {
        /// The die that the rules ask for.
        asked: Die,
        /// The die on record.
        recorded: Die,
    },
    /// The rules shuffle one deck, but the record contains the shuffle of another.
    #[error("the rules ask for a shuffle of \"{asked}\", the record has one of \"{recorded}\"")]
    OtherDeck {
        /// The deck that the rules shuffle.
        asked: String,
        /// The deck on record.
        recorded: String,
    },
    /// The rules shuffle a list of cards different from the one on record.
    #[error("the rules shuffle the deck \"{deck}\" from a list of cards other than the recorded one")]
    OtherList {
        /// The deck.
        deck: String,
    },
    /// The order of a shuffle is unknown, because its seed has not been revealed.
    #[error("the order of the deck \"{deck}\", epoch {epoch}, is not revealed yet")]
    Hidden {
        /// The deck.
        deck: String,
        /// The number of the shuffle of this deck.
        epoch: u32,
    },
    /// The secrets of a seed chain are not available.
    #[error("the secrets of chain {label} are missing")]
    NoSecrets {
        /// The name of the chain.
        label: String,
    },
    /// The seed chain cannot supply a link.
    #[error(transparent)]
    Chain(#[from] ChainFault),
}

/// A request for a die.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Die {
    /// The purpose of the die.
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
    /// Rolls one die from `low` to `high`, both included.
    fn roll(&mut self, label: &'static str, low: i64, high: i64) -> Result<i64, ChanceFault>;
    /// Shuffles a deck; `list` holds its cards before the shuffle.
    fn shuffle(&mut self, deck: &'static str, list: &[String]) -> Result<Shuffle, ChanceFault>;
    /// Notes that a Round begins; later values belong to it.
    fn round(&mut self) {}
}

/// Dice and shuffles derived from a number, for simulations and tests.
pub struct SeededChance {
    stream: DiceStream,
    epochs: Vec<(&'static str, u32)>,
}

impl SeededChance {
    /// Creates a source. The same seed gives the same game in every release.
    pub fn new(seed: u64) -> Self {
        SeededChance { stream: SeededChance::stream(seed), epochs: Vec::new() }
    }
    /// Switches to another seed; the numbering of shuffles continues.
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

/// A source shared with its owner.
impl<C: Chance> Chance for Rc<RefCell<C>> {
    fn roll(&mut self, label: &'static str, low: i64, high: i64) -> Result<i64, ChanceFault> {
        self.borrow_mut().roll(label, low, high)
    }
    fn shuffle(&mut self, deck: &'static str, list: &[String]) -> Result<Shuffle, ChanceFault> {
        self.borrow_mut().shuffle(deck, list)
    }
    fn round(&mut self) {
        self.borrow_mut().round();
    }
}

/// A die of the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RolledDie {
    /// The purpose of the die.
    pub label: String,
    /// The lowest face.
    pub low: i64,
    /// The highest face.
    pub high: i64,
    /// The result.
    pub got: i64,
}

/// A shuffle of the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedShuffle {
    /// The deck.
    pub deck: String,
    /// Its cards before the shuffle.
    pub list: Vec<String>,
    /// The number of this shuffle of the deck.
    pub epoch: u32,
    /// The order, if it is known.
    pub order: Option<Vec<u32>>,
}

/// The dice and shuffles recorded in a journal for the step to be replayed next.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// The dice, in the order in which they were rolled.
    pub dice: VecDeque<RolledDie>,
    /// The shuffles, in order.
    pub shuffles: VecDeque<RecordedShuffle>,
}

impl Recorded {
    /// Returns `true` if the rules have used the whole record.
    pub fn is_spent(&self) -> bool {
        self.dice.is_empty() && self.shuffles.is_empty()
    }
    /// Takes the next recorded die, which must be the one asked for.
    pub fn roll(&mut self, label: &str, low: i64, high: i64) -> Result<i64, ChanceFault> {
        let die = self.dice.pop_front().ok_or_else(|| ChanceFault::NoDie { label: label.to_owned() })?;
        if die.label == label && die.low == low && die.high == high {
            return Ok(die.got);
        }
        let asked = Die { label: label.to_owned(), low, high };
        Err(ChanceFault::OtherDie { asked, recorded: Die { label: die.label, low: die.low, high: die.high } })
    }
    /// Takes the next recorded shuffle, which must be of this deck and list.
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

/// A source that also records everything it returns, as needed for a replay. After each step the
/// caller takes the record and passes it to a [`RecordedChance`].
pub struct NotedChance<C> {
    chance: C,
    notes: Rc<RefCell<Recorded>>,
}

impl<C: Chance> NotedChance<C> {
    /// Creates a source that records the results of `chance` in `notes`.
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
