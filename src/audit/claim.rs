//! Claims about a journal, their grades and proofs, and contradictions.

use postrider_journal::{Fault, entry_in_file};
use serde::Serialize;
use std::{collections::BTreeMap, fmt};

/// The grade of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// Proved by the journal itself: anyone who has the file can check it.
    ProvedByJournal,
    /// Proved by the journal, except that the operator could choose the luck before the game,
    /// because no luck phrase came by mail.
    OperatorsChoice,
    /// Proved by mails that the service signed.
    ProvedByReceipts,
    /// Something is contradicted.
    Contradicted,
    /// Not contradicted, but something is unproved.
    Unproved,
    /// Not judged because the data for it was not given; does not count.
    NotJudged,
}

impl Grade {
    /// Returns true if the claim is proved.
    #[must_use]
    pub fn is_proved(self) -> bool {
        matches!(self, Grade::ProvedByJournal | Grade::OperatorsChoice | Grade::ProvedByReceipts)
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Grade::ProvedByJournal => "proved by the journal",
            Grade::OperatorsChoice => "operator could choose",
            Grade::ProvedByReceipts => "proved by receipts",
            Grade::Contradicted => "contradicted",
            Grade::Unproved => "unproved",
            Grade::NotJudged => "not judged",
        })
    }
}

/// The result of one step of section 9.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// The number of the step, 1 to 10.
    pub step: u8,
    /// Its name.
    pub name: &'static str,
    /// Its grade.
    pub grade: Grade,
    /// The number of proved items, by kind.
    pub proved: BTreeMap<&'static str, u64>,
    /// The open items, with reasons.
    pub unproved: Vec<String>,
    /// Remarks that change no grade.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A contradiction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Contradiction {
    /// The bad line, counted from 1 as in editors.
    pub line: u64,
    /// The step of section 9 that found it.
    pub step: u8,
    /// The contradiction in words.
    pub what: String,
    /// The line that it contradicts, counted from 1, if that is another line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contradicts: Option<u64>,
    /// The right value, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right: Option<String>,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = entry_in_file(self.line.saturating_sub(1));
        write!(f, "{place}, step {} ({}): {}", self.step, name(self.step), self.what)?;
        if let Some(line) = self.contradicts {
            write!(f, "; this contradicts entry {}", line.saturating_sub(1))?;
        }
        match &self.right {
            Some(right) => write!(f, "; right would be {right}"),
            None => Ok(()),
        }
    }
}

impl From<&Fault> for Contradiction {
    fn from(fault: &Fault) -> Self {
        Contradiction {
            line: fault.line(),
            step: fault.step as u8,
            what: fault.wrong.to_string(),
            contradicts: fault.contradicts.map(|n| n + 1),
            right: fault.right.clone(),
        }
    }
}

/// The step of section 9 that replays the game, the step that judges mails, and the step that
/// judges times and deadlines.
pub const REPLAY: u8 = 8;
pub const RECEIPTS: u8 = 9;
pub const TIMES: u8 = 10;

/// Returns the name of a step.
pub fn name(step: u8) -> &'static str {
    match step {
        1 => "lines",
        2 => "entries",
        3 => "frame",
        4 => "chains",
        5 => "dice",
        6 => "decks",
        7 => "seals",
        REPLAY => "replay",
        TIMES => "times",
        _ => "receipts",
    }
}
