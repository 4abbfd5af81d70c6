//! Contradictions in a line, and the step that finds them.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::{entry::LineFault, leave::LeaveFault, motions::MotionFault, spelling::entry_in_file};
use postrider_dice::{ChainFault, GENERATIONS, Hash};

/// A step of section 9, performed by a `Checker`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// 1: lines and canonical form.
    Lines = 1,
    /// 2: hash, n, prev, and the members of known bodies.
    Entries,
    /// 3: `opened` first, the key, seats, luck, and the required order of entries.
    Frame,
    /// 4: seed chains, link by link.
    Chains,
    /// 5: dice.
    Dice,
    /// 6: decks.
    Decks,
    /// 7: sealed entries.
    Seals,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Step::Lines => "lines",
            Step::Entries => "entries",
            Step::Frame => "frame",
            Step::Chains => "chains",
            Step::Dice => "dice",
            Step::Decks => "decks",
            Step::Seals => "seals",
        };
        write!(f, "{} ({name})", *self as u8)
    }
}

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(*self as u8)
    }
}

/// The first contradiction in a journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The `n` of the bad line, counted from 0. See [`Fault::line`] for the number counted from 1.
    pub n: u64,
    /// The step that found it.
    pub step: Step,
    /// The contradiction.
    pub wrong: Wrong,
    /// The `n` of the other line that it contradicts, if any.
    pub contradicts: Option<u64>,
    /// The correct value, if known.
    pub right: Option<String>,
}

impl Fault {
    /// Returns the number of the bad line as editors count, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.n + 1
    }
}

impl std::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, step {}: {}", entry_in_file(self.n), self.step, self.wrong)?;
        if let Some(n) = self.contradicts {
            write!(f, "; this contradicts entry {n}")?;
        }
        match &self.right {
            Some(right) => write!(f, "; right would be {right}"),
            None => Ok(()),
        }
    }
}

/// A contradiction in a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what each means; fields are what the line says")]
pub enum Wrong {
    #[error("{0}")]
    File(String),
    #[error("{0}")]
    Line(#[from] LineFault),
    #[error("the body of {kind}: {what}")]
    Body { kind: String, what: String },
    #[error("n is {0}")]
    N(u64),
    #[error("prev is {0}")]
    Prev(Hash),
    #[error("hash is {0}, which does not fit the line's bytes")]
    Hash(Hash),
    #[error("the first line is {0}, not opened")]
    NotOpened(String),
    #[error("opened comes a second time")]
    OpenedAgain,
    #[error("the key {0} is not the one in the players' mails")]
    Key(Hash),
    #[error("there is no seat {0:?}")]
    Seat(String),
    #[error("seat {0} joins a second time")]
    JoinedAgain(String),
    #[error("{0} comes after started")]
    AfterStart(&'static str),
    #[error("{0} comes before started")]
    BeforeStart(&'static str),
    #[error("the luck {0} does not follow from the players' phrases")]
    Luck(Hash),
    #[error("play cannot continue after entry {0}")]
    RewoundTo(u64),
    #[error("seat {0} takes back an order after which dice or cards were drawn")]
    TakenBackBehind(String),
    #[error("a rewind starts new chains, although nothing was drawn from the current ones")]
    NeedlessChains,
    #[error(
        "a rewind starts new chains, although nothing was drawn from the current ones: the operator could choose among dice"
    )]
    ChosenChains,
    #[error("{0}")]
    Motion(#[from] MotionFault),
    /// Leave that the seat could not take.
    #[error("{0}")]
    Leave(#[from] LeaveFault),
    #[error("there is no chain {0:?}")]
    NoChain(String),
    #[error("the new chains are not those of opened")]
    OtherChains,
    #[error("this is rewind {0} of the journal; there may be {last}", last = GENERATIONS - 1)]
    TooManyRewinds(u64),
    #[error("{0}")]
    Chain(Box<ChainFault>),
    #[error("this s_0 of chain {label} gives {earlier} as an earlier one, not the one published")]
    Origin { label: String, earlier: Hash },
    #[error("die {die} of roll {roll} ({label}) shows {got}")]
    Die { roll: usize, die: usize, label: String, got: i64 },
    #[error("the epoch of deck {deck} is {epoch}")]
    EpochNumber { deck: String, epoch: u64 },
    #[error("deck {deck} has no shuffle with epoch {epoch} that is still hidden")]
    NoEpoch { deck: String, epoch: u64 },
    #[error("epoch {epoch} of deck {deck} is revealed before epoch {oldest}")]
    RevealOrder { deck: String, epoch: u64, oldest: u64 },
    #[error("deck {deck} has no position {pos}")]
    NoPosition { deck: String, pos: u64 },
    #[error("position {pos} of deck {deck} was never dealt")]
    NotDealt { deck: String, pos: u64 },
    #[error("card {card:?} with its salt does not fit the commitment of position {pos} of deck {deck}")]
    Card { deck: String, pos: u64, card: String },
    #[error("the revealed secret of deck {deck} does not give the commitment of position {pos}")]
    Shuffle { deck: String, pos: u64 },
    #[error("entry {0} is not a sealed entry that is still closed")]
    NoSeal(u64),
    #[error("no standing order of seat {0} is in force")]
    NoStanding(String),
    #[error("no standing order that was in force then answers a question {ask:?}, as in entry {n}")]
    OtherStanding { n: u64, ask: String },
    #[error("the content does not fit the commitment {0}")]
    Content(Hash),
}

impl From<ChainFault> for Wrong {
    fn from(fault: ChainFault) -> Wrong {
        Wrong::Chain(Box::new(fault))
    }
}

/// A fault without its n, which the checker adds.
pub(super) struct Found {
    pub(super) step: Step,
    pub(super) wrong: Wrong,
    pub(super) contradicts: Option<u64>,
    pub(super) right: Option<String>,
}

impl Found {
    pub(super) fn new(step: Step, wrong: impl Into<Wrong>) -> Found {
        Found { step, wrong: wrong.into(), contradicts: None, right: None }
    }

    pub(super) fn against(self, n: u64) -> Found {
        Found { contradicts: Some(n), ..self }
    }

    pub(super) fn right(self, right: impl fmt::Display) -> Found {
        Found { right: Some(right.to_string()), ..self }
    }
}
