//! The report of a check: what is claimed, how far each claim holds and by what, and what cannot be true.

use super::receipts::Judged;
use crate::{dice::Hash, journal::Fault, orders::list_and};
use serde::Serialize;
use std::{collections::BTreeMap, fmt};

/// How far a claim holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// Everything that falls under it is proved by the journal itself: anybody who has the file can check it.
    ProvedByJournal,
    /// It is proved by mails that the service signed.
    ProvedByReceipts,
    /// Something cannot be true.
    Contradicted,
    /// Nothing speaks against it, but something stays open.
    Unproved,
    /// It can only be judged with what was not given, and does not count.
    NotJudged,
}

impl Grade {
    /// Whether nothing under the claim is open.
    #[must_use]
    pub fn is_proved(self) -> bool {
        matches!(self, Grade::ProvedByJournal | Grade::ProvedByReceipts)
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Grade::ProvedByJournal => "proved by the journal",
            Grade::ProvedByReceipts => "proved by receipts",
            Grade::Contradicted => "contradicted",
            Grade::Unproved => "unproved",
            Grade::NotJudged => "not judged",
        })
    }
}

/// One step of section 9 and what it says of the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// The number of the step, 1 to 9.
    pub step: u8,
    /// What it is about.
    pub name: &'static str,
    /// How far it holds.
    pub grade: Grade,
    /// What was proved, and how often.
    pub proved: BTreeMap<&'static str, u64>,
    /// What stays open, and why.
    pub unproved: Vec<String>,
    /// What was passed over and changes no grade.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Something that cannot be true.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Contradiction {
    /// The bad line, from 1 as editors count.
    pub line: u64,
    /// The step of section 9 that found it.
    pub step: u8,
    /// What is wrong.
    pub what: String,
    /// The line that it contradicts, from 1, where that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contradicts: Option<u64>,
    /// What would be right, where that can be known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right: Option<String>,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, step {} ({}): {}", self.line, self.step, name(self.step), self.what)?;
        if let Some(line) = self.contradicts {
            write!(f, "; this contradicts line {line}")?;
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

/// All that can be said of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The seats that the operator himself holds: he can foresee dice and see hands.
    pub operator_seats: Vec<String>,
    /// The game; "" when not even the first line could be read.
    pub game: String,
    /// How many lines hold.
    pub lines: u64,
    /// The hash of the last line that holds.
    pub head: Hash,
    /// The exit status: 0 all proved, 1 a contradiction, 2 something unproved.
    pub status: u8,
    /// The outcome in one line that can be quoted: the first contradiction, or that there is none.
    pub quote: String,
    /// The steps of section 9.
    pub claims: Vec<Claim>,
    /// What cannot be true, the first bad line first. Steps 1 to 7 end at their first contradiction, and so does step 8.
    pub contradictions: Vec<Contradiction>,
    /// What the mails say, where some were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipts: Option<Judged>,
}

/// The step of section 9 that is a replay, and the one that judges mails.
pub(crate) const REPLAY: u8 = 8;
pub(crate) const RECEIPTS: u8 = 9;

/// What a step is called.
pub(crate) fn name(step: u8) -> &'static str {
    match step {
        1 => "lines",
        2 => "entries",
        3 => "frame",
        4 => "chains",
        5 => "dice",
        6 => "decks",
        7 => "seals",
        REPLAY => "replay",
        _ => "receipts",
    }
}

fn counted(lines: u64) -> String {
    format!("{lines} {}", if lines == 1 { "line" } else { "lines" })
}

/// The outcome in one line.
pub(crate) fn quote(game: &str, lines: u64, head: &Hash, claims: &[Claim], contradictions: &[Contradiction]) -> String {
    let open: Vec<String> =
        claims.iter().filter(|claim| claim.grade == Grade::Unproved).map(|claim| claim.name.to_owned()).collect();
    let game = if game.is_empty() { "a journal" } else { game };
    match contradictions.first() {
        Some(first) => format!("CONTRADICTION in {game}, {first}"),
        None if open.is_empty() => format!("ALL PROVED in {game}, {}, head {head}", counted(lines)),
        None => {
            format!("NO CONTRADICTION in {game}, {}, head {head}; unproved: {}", counted(lines), list_and(&open))
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.operator_seats.as_slice(), self.lines) {
            (_, 0) => writeln!(f, "Nobody can tell which seats the operator holds: no line could be read.")?,
            ([], _) => writeln!(f, "The operator holds no seat.")?,
            (seats, _) => {
                writeln!(f, "The operator holds seat {}: he can foresee dice and see hands.", list_and(seats))?;
            }
        }
        writeln!(f, "Game {}: {}, head {}\n", self.game, counted(self.lines), self.head)?;
        for claim in &self.claims {
            let counts: Vec<String> =
                claim.proved.iter().filter(|(_, n)| **n > 0).map(|(what, n)| format!("{what} {n}")).collect();
            let line = format!("{:>2} {:<9} {:<21} {}", claim.step, claim.name, claim.grade, counts.join(", "));
            writeln!(f, "{}", line.trim_end())?;
            for open in &claim.unproved {
                writeln!(f, "             open: {open}")?;
            }
            for note in &claim.notes {
                writeln!(f, "             note: {note}")?;
            }
        }
        writeln!(f)?;
        if let Some(receipts) = &self.receipts {
            writeln!(f, "{receipts}")?;
        }
        match self.contradictions.as_slice() {
            [] => writeln!(f, "{}", self.quote)?,
            [_, others @ ..] => {
                writeln!(f, "{}", self.quote)?;
                others.iter().try_for_each(|bad| writeln!(f, "CONTRADICTION too, {bad}"))?;
            }
        }
        match self.status {
            0 => writeln!(f, "All proved."),
            1 => writeln!(f, "This journal is contradicted; the first bad line is {}.", self.contradictions[0].line),
            _ => writeln!(f, "Nothing is contradicted; some parts stay unproved."),
        }
    }
}
