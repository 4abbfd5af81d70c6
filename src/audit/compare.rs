//! The comparison of two copies of a journal: where they diverge, and what each would prove.

use super::{claim::RECEIPTS, evidence::Evidence, judged::Standing, report::Report, verify::verify_with};
use postrider_dice::Hash;
use postrider_journal::{Checker, Line, LinesFault, entry_in_file};
use postrider_orders::list_and;
use postrider_replay::{Catalog, Source};
use serde::Serialize;
use serde_json::Value;
use std::{fmt, io};

/// The relation of two copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// The copies are identical.
    Same,
    /// The second copy continues after the end of the first.
    FirstIsOlder,
    /// The first copy continues after the end of the second.
    SecondIsOlder,
    /// The copies have different lines at the same place.
    Part,
}

/// One of the two copies.
#[derive(Clone, Debug, Serialize)]
pub struct Side {
    /// Its path.
    pub name: String,
    /// The number of lines, including damaged ones.
    pub lines: u64,
    /// `true` if nothing except letters contradicts it.
    pub holds: bool,
    /// The outcome of its check with the given letters, in one line.
    pub quote: String,
    /// The content of its first line that the other copy does not have; "" if there is none.
    pub says: String,
    /// The signed heads that are on this copy only, oldest first.
    pub signed: Vec<Signed>,
}

/// A signed head that supports one copy only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Signed {
    /// The `n` of the line.
    pub n: u64,
    /// Its hash.
    pub hash: Hash,
    /// The seat to which the letter was sent; "" if unknown.
    pub seat: String,
    /// The place of the mail.
    pub place: String,
}

/// The result of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// 0 if one copy is the beginning of the other or both are the same; 1 if they diverge.
    pub status: u8,
    /// Their relation.
    pub relation: Relation,
    /// The number of common lines.
    pub common: u64,
    /// The differences between the first lines that differ, member by member; empty unless both are
    /// entries of the same kind.
    pub differ: Vec<String>,
    /// The two copies.
    pub sides: [Side; 2],
    /// The conclusion, in words.
    pub proves: String,
}

/// The maximum number of differences listed.
const MOST_DIFFERENCES: usize = 12;

/// The maximum number of signed heads of a copy that are listed.
const MOST_SIGNED: usize = 5;

/// Compares two copies, each given with its name, and checks both against the evidence. `checker`
/// returns a new checker for steps 1 to 7; it may expect a key.
///
/// # Errors
/// Returns an error if a copy cannot be read at all.
pub fn compare(
    copies: [(&str, &Source); 2],
    checker: impl Fn() -> Checker,
    evidence: &Evidence,
    catalog: &Catalog,
) -> io::Result<Comparison> {
    let [(one, first), (two, second)] = copies;
    let (common, lines, parted) = walk(first, second)?;
    let judge = |source: &Source| verify_with(checker(), evidence, source, catalog, |_| ());
    let reports = [judge(first)?, judge(second)?];
    let relation = match (lines[0] == common, lines[1] == common) {
        (true, true) => Relation::Same,
        (true, false) => Relation::FirstIsOlder,
        (false, true) => Relation::SecondIsOlder,
        (false, false) => Relation::Part,
    };
    let side = |at: usize, name: &str| Side {
        name: name.to_owned(),
        lines: lines[at],
        holds: reports[at].contradictions.iter().all(|bad| bad.step == RECEIPTS),
        quote: reports[at].quote.clone(),
        says: parted[at].as_deref().map(says).unwrap_or_default(),
        signed: signed(&reports[at], common),
    };
    let sides = [side(0, one), side(1, two)];
    let differ = match &parted {
        [Some(a), Some(b)] => differences(a, b),
        _ => Vec::new(),
    };
    let status = u8::from(relation == Relation::Part);
    let proves = proves(relation, common, &sides);
    Ok(Comparison { status, relation, common, differ, sides, proves })
}

/// The number of common lines, the number of lines of each copy, and the first line of each that
/// differs.
type Walked = (u64, [u64; 2], [Option<Vec<u8>>; 2]);

fn walk(first: &Source, second: &Source) -> io::Result<Walked> {
    let mut lines = [first.lines()?, second.lines()?];
    let mut counts = [0, 0];
    let mut next = |at: usize| -> io::Result<Option<Vec<u8>>> {
        let line = match lines[at].next_line() {
            Ok(line) => line.map(<[u8]>::to_vec),
            Err(LinesFault::Io { error, .. }) => return Err(error),
            // A torn or overlong line is the last one; the check of the copy itself reports it.
            Err(fault @ (LinesFault::TooLong { .. } | LinesFault::Torn { .. })) => Some(fault.to_string().into_bytes()),
        };
        counts[at] += u64::from(line.is_some());
        Ok(line)
    };
    let mut common = 0;
    let parted = loop {
        match [next(0)?, next(1)?] {
            [Some(a), Some(b)] if a == b => common += 1,
            parted => break parted,
        }
    };
    for at in [0, 1] {
        // The reader returns an overlong line again and again.
        let mut last = parted[at].clone();
        while let Some(line) = next(at)? {
            if last.as_ref() == Some(&line) && Line::parse(&line).is_err() {
                break;
            }
            last = Some(line);
        }
    }
    Ok((common, counts, parted))
}

/// Returns the signed heads after the common lines.
fn signed(report: &Report, common: u64) -> Vec<Signed> {
    let all = report.receipts.iter().flat_map(|judged| &judged.receipts);
    let own = all.filter(|one| one.standing == Standing::OnChain && one.receipt.n >= common);
    own.map(|one| Signed {
        n: one.receipt.n,
        hash: one.receipt.hash,
        seat: one.receipt.seat.clone(),
        place: one.receipt.place.clone(),
    })
    .collect()
}

/// Summarizes a line.
fn says(text: &[u8]) -> String {
    const LONGEST: usize = 160;
    let said = match Line::parse(text) {
        Ok(line) => format!("{} at {}: {}", line.kind, line.at, line.body),
        Err(_) => String::from_utf8_lossy(text).into_owned(),
    };
    match said.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &said[..end]),
        None => said,
    }
}

/// Returns the differences between two entries of the same kind as JSON pointers, without hashes of
/// the chain.
fn differences(a: &[u8], b: &[u8]) -> Vec<String> {
    let read = |text: &[u8]| -> Option<(Value, String)> {
        let line = Line::parse(text).ok()?;
        let body: Value = serde_json::from_str(line.body).ok()?;
        Some((serde_json::json!({ "at": line.at, "body": body }), line.kind.to_owned()))
    };
    let mut found = Vec::new();
    if let (Some((a, kind)), Some((b, other))) = (read(a), read(b))
        && kind == other
    {
        differ("", &a, &b, &mut found);
    }
    if found.len() > MOST_DIFFERENCES {
        let more = found.len() - MOST_DIFFERENCES;
        found.truncate(MOST_DIFFERENCES);
        found.push(format!("and {more} more"));
    }
    found
}

fn differ(at: &str, a: &Value, b: &Value, found: &mut Vec<String>) {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
            a.iter().zip(b.values()).for_each(|((key, a), b)| differ(&format!("{at}/{key}"), a, b, found));
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).enumerate().for_each(|(i, (a, b))| differ(&format!("{at}/{i}"), a, b, found));
        }
        _ if a == b => {}
        _ => found.push(format!("{at}: {a} and {b}")),
    }
}

/// Returns the conclusion in words.
fn proves(relation: Relation, common: u64, sides: &[Side; 2]) -> String {
    let [a, b] = sides;
    let older = |old: &Side, new: &Side| {
        let held = match new.signed.last() {
            Some(last) => format!(" Signed letters, up to entry {}, prove that {} is not complete.", last.n, old.name),
            None => String::new(),
        };
        format!(
            "{} is the beginning of {}: an older copy, or one that was cut short. They do not contradict each other.{held}",
            old.name, new.name
        )
    };
    match relation {
        Relation::Same => return "The two copies are the same, byte for byte.".to_owned(),
        Relation::FirstIsOlder => return older(a, b),
        Relation::SecondIsOlder => return older(b, a),
        Relation::Part => {}
    }
    let broken: Vec<String> = sides.iter().filter(|side| !side.holds).map(|side| side.name.clone()).collect();
    let own = match broken.len() {
        0 => "By the rules each holds, so the files alone do not tell which was played.".to_owned(),
        1 => format!("{} does not hold on its own.", broken[0]),
        _ => "Neither holds on its own.".to_owned(),
    };
    let letters = |side: &Side| {
        let each = side.signed.iter().take(3).map(|one| format!("entry {} ({})", one.n, one.place));
        list_and(&each.collect::<Vec<_>>())
    };
    let signed = match (a.signed.is_empty(), b.signed.is_empty()) {
        (false, false) => format!(
            "The service signed both: only {} has {}, only {} has {}. That is proof, signed by the operator, of two \
             histories.",
            a.name,
            letters(a),
            b.name,
            letters(b)
        ),
        (false, true) | (true, false) => {
            let (held, other) = if b.signed.is_empty() { (a, b) } else { (b, a) };
            format!(
                "The service signed {}, which alone has {}. No letter given here supports {} from entry {common} on.",
                held.name,
                letters(held),
                other.name
            )
        }
        (true, true) => format!(
            "No letter given here supports either from entry {common} on: ask the players for letters of that entry or later."
        ),
    };
    format!("{own} {signed}")
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.relation {
            Relation::Part => {
                writeln!(
                    f,
                    "The copies have {} lines in common and part at {}.\n",
                    self.common,
                    entry_in_file(self.common)
                )?;
            }
            _ => writeln!(f, "The copies have {} lines in common and do not differ.\n", self.common)?,
        }
        for side in &self.sides {
            writeln!(f, "{}: {} lines", side.name, side.lines)?;
            if !side.says.is_empty() {
                writeln!(f, "  entry {}: {}", self.common, side.says)?;
            }
            writeln!(f, "  verify: {}", side.quote)?;
            for one in side.signed.iter().take(MOST_SIGNED) {
                let seat = if one.seat.is_empty() { "?" } else { &one.seat };
                writeln!(f, "  signed: entry {} in a letter to seat {seat} ({})", one.n, one.place)?;
            }
            if let [.., last] = &side.signed[..]
                && let more @ 1.. = side.signed.len().saturating_sub(MOST_SIGNED)
            {
                writeln!(f, "  and {more} more signed heads, up to entry {}", last.n)?;
            }
        }
        if !self.differ.is_empty() {
            writeln!(f, "\nWhat entry {} says differently:", self.common)?;
            self.differ.iter().try_for_each(|one| writeln!(f, "  {one}"))?;
        }
        writeln!(f, "\n{}", self.proves)
    }
}
