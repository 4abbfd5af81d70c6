//! What a doubter wants to know of a journal: section 9 of the format, from the first line to the grade of every claim.
//!
//! Lines are read once and in order; each is checked and then replayed. Memory grows with what is still hidden, not with
//! the length of the journal.

use super::{
    replay::{Replay, ReplayFault, Replayed},
    shelf::Shelf,
    source::Source,
};
use crate::{
    dice::Hash,
    journal::{Body, Checker, Fault, LinesFault, Step},
};
use serde::Serialize;
use std::{collections::BTreeMap, fmt, io};

/// How far a claim holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// Everything that falls under it is proved.
    Proved,
    /// Something in the journal cannot be true.
    Contradicted,
    /// Nothing speaks against it, but something stays open.
    Unproved,
    /// It can only be judged with what was not given, and does not count.
    NotJudged,
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Grade::Proved => "proved",
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
        write!(f, "line {}: {}", self.line, self.what)?;
        if let Some(line) = self.contradicts {
            write!(f, "; this contradicts line {line}")?;
        }
        match &self.right {
            Some(right) => write!(f, "; right would be {right}"),
            None => Ok(()),
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
    /// The steps of section 9.
    pub claims: Vec<Claim>,
    /// What cannot be true, the first bad line first. Steps 1 to 7 end at their first contradiction, and so does step 8.
    pub contradictions: Vec<Contradiction>,
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

/// The step of section 9 that is a replay.
const REPLAY: u8 = 8;

/// Judges a journal. `tick` is told after each line how many bytes are read, for a progress bar.
///
/// A published s_0 is not followed through long stretches of links that no entry used; the report notes it. To follow
/// them too, give a [`Checker::new`] to [`verify_with`].
///
/// # Errors
/// When the journal cannot be read at all.
pub fn verify(source: &Source, shelf: &Shelf, tick: impl FnMut(u64)) -> io::Result<Report> {
    verify_with(Checker::new().passing_unused_links(), source, shelf, tick)
}

/// As [`verify`], with a checker of the caller's choice for steps 1 to 7. It must not have been fed yet.
///
/// # Errors
/// When the journal cannot be read at all.
pub fn verify_with(
    mut checker: Checker,
    source: &Source,
    shelf: &Shelf,
    mut tick: impl FnMut(u64),
) -> io::Result<Report> {
    let mut contradictions = Vec::new();
    let mut replay = Judge::new(Replay::of_all(source, shelf));
    let mut lines = source.lines()?;
    let mut bytes = 0;
    let whole = loop {
        let text = match lines.next_line() {
            Ok(Some(text)) => text,
            Ok(None) => break true,
            Err(LinesFault::Io { error, .. }) => return Err(error),
            Err(fault @ (LinesFault::TooLong { n } | LinesFault::Torn { n, .. })) => {
                let step = Step::Lines as u8;
                let (what, line) = (fault.to_string(), n + 1);
                contradictions.push(Contradiction { line, step, what, contradicts: None, right: None });
                break false;
            }
        };
        bytes += text.len() as u64 + 1;
        tick(bytes);
        match checker.feed(text) {
            Ok(checked) => replay.feed(source, &checked)?,
            Err(fault) => {
                contradictions.push(Contradiction::from(&fault));
                break false;
            }
        }
    };
    if whole {
        replay.end()?;
    }
    contradictions.extend(replay.contradiction.take());
    contradictions.sort_by_key(|bad| bad.line);
    let found = checker.finish();
    let mut claims: Vec<Claim> = (found.steps.into_iter())
        .map(|claim| Claim {
            step: claim.step as u8,
            name: name(claim.step as u8),
            grade: Grade::Proved,
            proved: claim.proved,
            unproved: claim.unproved.iter().map(ToString::to_string).collect(),
            notes: claim.notes.iter().map(ToString::to_string).collect(),
        })
        .collect();
    claims.push(replay.claim());
    for claim in &mut claims {
        if let (false, true) = (whole, claim.unproved.is_empty()) {
            let end = format!("only {} lines could be read", found.lines);
            claim.unproved.push(end);
        }
        claim.grade = match contradictions.iter().any(|bad| bad.step == claim.step) {
            true => Grade::Contradicted,
            false if claim.unproved.is_empty() => Grade::Proved,
            false => Grade::Unproved,
        };
    }
    let open = claims.iter().any(|claim| claim.grade != Grade::Proved);
    claims.push(Claim {
        step: 9,
        name: name(9),
        grade: Grade::NotJudged,
        proved: BTreeMap::new(),
        unproved: vec!["no mails were given whose heads could be looked for".to_owned()],
        notes: vec![],
    });
    let status = if !contradictions.is_empty() { 1 } else { 2 * u8::from(open) };
    let (operator_seats, game) = (found.operator_seats, found.game);
    Ok(Report { operator_seats, game, lines: found.lines, head: found.head, status, claims, contradictions })
}

fn name(step: u8) -> &'static str {
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

/// Step 8 on its way through the journal.
struct Judge<'s> {
    replay: Option<Replay<'s>>,
    counts: Replayed,
    open: Vec<String>,
    contradiction: Option<Contradiction>,
    /// How many rulings have an effect, and the n of the first.
    rulings: Option<(u64, u64)>,
}

impl<'s> Judge<'s> {
    fn new(replay: Result<Replay<'s>, ReplayFault>) -> Self {
        let mut judge =
            Judge { replay: None, counts: Replayed::default(), open: Vec::new(), contradiction: None, rulings: None };
        match replay {
            Ok(replay) => judge.replay = Some(replay),
            Err(fault) => judge.open.push(fault.to_string()),
        }
        judge
    }
    fn feed(&mut self, source: &Source, checked: &crate::journal::Checked<'_>) -> io::Result<()> {
        let n = checked.line.n;
        if let Body::Ruling(ruling) = &checked.body
            && ruling.effect.get() != "{}"
        {
            self.rulings.get_or_insert((0, n)).0 += 1;
        }
        let Some(replay) = &mut self.replay else { return Ok(()) };
        let mut result = replay.feed(checked);
        self.counts = replay.counts();
        if let (Ok(()), Body::Rewound(_)) = (&result, &checked.body) {
            // A replay cannot go back: one that leaves out what is undone takes its place.
            result = match self.replay.take().map(|replay| replay.rewound(source, n)) {
                Some(Ok(again)) => {
                    self.replay = Some(again);
                    Ok(())
                }
                Some(Err(fault)) => Err(fault),
                None => Ok(()),
            };
        }
        result.or_else(|fault| self.stop(fault))
    }
    fn end(&mut self) -> io::Result<()> {
        let Some(replay) = &mut self.replay else { return Ok(()) };
        let result = replay.end();
        self.counts = replay.counts();
        result.or_else(|fault| self.stop(fault))
    }
    /// What a fault of the replay says about the journal.
    fn stop(&mut self, fault: ReplayFault) -> io::Result<()> {
        self.replay = None;
        match fault {
            ReplayFault::Io(error) => return Err(error),
            ReplayFault::Differs { n, cause, what } => {
                let contradicts = Some(cause + 1).filter(|_| cause != n);
                let what = what.to_string();
                self.contradiction =
                    Some(Contradiction { line: n + 1, step: REPLAY, what, contradicts, right: None });
            }
            ReplayFault::Hidden { n, deck, epoch } => self.open.push(format!(
                "everything from line {} on: it needs the order of deck {deck}, epoch {epoch}, which is not revealed yet",
                n + 1
            )),
            ReplayFault::Shelf(why) => self.open.push(format!("everything: {why}")),
            other => self.open.push(other.to_string()),
        }
        Ok(())
    }
    fn claim(self) -> Claim {
        let Judge { counts, open: mut unproved, rulings, .. } = self;
        if let Some((count, n)) = rulings {
            unproved.push(format!("{count} rulings with an effect, the first in line {}: no rule knows them", n + 1));
        }
        let proved = [("steps", counts.steps), ("derived", counts.derived), ("digests", counts.digests)].into();
        Claim { step: REPLAY, name: name(REPLAY), grade: Grade::Proved, proved, unproved, notes: vec![] }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.operator_seats.as_slice(), self.lines) {
            (_, 0) => writeln!(f, "Nobody can tell which seats the operator holds: no line could be read.")?,
            ([], _) => writeln!(f, "The operator holds no seat.")?,
            (seats, _) => writeln!(
                f,
                "The operator holds seat {}: he can foresee dice and see hands.",
                crate::orders::list_and(seats)
            )?,
        }
        writeln!(f, "Game {}: {} lines, head {}\n", self.game, self.lines, self.head)?;
        for claim in &self.claims {
            let counts: Vec<String> =
                claim.proved.iter().filter(|(_, n)| **n > 0).map(|(what, n)| format!("{what} {n}")).collect();
            let line = format!("{:>2} {:<9} {:<13} {}", claim.step, claim.name, claim.grade, counts.join(", "));
            writeln!(f, "{}", line.trim_end())?;
            for open in &claim.unproved {
                writeln!(f, "             open: {open}")?;
            }
            for note in &claim.notes {
                writeln!(f, "             note: {note}")?;
            }
        }
        writeln!(f)?;
        for bad in &self.contradictions {
            writeln!(f, "CONTRADICTION (step {}, {}): {bad}", bad.step, name(bad.step))?;
        }
        match self.status {
            0 => writeln!(f, "All proved."),
            1 => writeln!(f, "This journal contradicts itself; the first bad line is {}.", self.contradictions[0].line),
            _ => writeln!(f, "Nothing is contradicted; some parts stay unproved."),
        }
    }
}
