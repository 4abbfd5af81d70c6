//! Faults of a component file, worded so that its owner can correct them.

use std::fmt::Write as _;

/// A component file that cannot be used, with all the faults found in it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", listing(file, faults))]
pub struct ComponentFault {
    /// The file's name as the caller gave it.
    pub file: String,
    /// The faults, in the order of the file; never empty.
    pub faults: Vec<Fault>,
}

/// Lists one fault per line, each with a location in the format of compilers, so that editors can
/// jump to it.
fn listing(file: &str, faults: &[Fault]) -> String {
    let mut text = String::new();
    for fault in faults {
        let gap = if text.is_empty() { "" } else { "\n" };
        // Writing to a String cannot fail.
        let _ = write!(text, "{gap}{file}:{}:{}: {}: {}", fault.line, fault.column, fault.key, fault.kind);
    }
    text
}

/// A fault in a component file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The key within the file's tables: "area.survival", or "area" for a whole row.
    pub key: String,
    /// The problem and its correction.
    pub kind: FaultKind,
}

/// A problem and its correction.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FaultKind {
    /// Not TOML.
    #[error("not TOML: {0}")]
    Syntax(String),
    /// A key that rows of this kind do not have.
    #[error("no such key; {}", meant(nearest.as_deref(), allowed))]
    UnknownKey {
        /// The nearest valid key, if one is near.
        nearest: Option<String>,
        /// All valid keys.
        allowed: Vec<String>,
    },
    /// A required key is missing.
    #[error("missing; write {right}")]
    MissingKey {
        /// A description of the valid values.
        right: String,
    },
    /// A value with a wrong type or outside its range.
    #[error("{found} is not possible here; write {right}")]
    Value {
        /// The value in the file.
        found: String,
        /// A description of the valid values.
        right: String,
    },
    /// A name or word that does not exist.
    #[error("no {what} {found:?}; {}", meant(nearest.as_deref(), allowed))]
    UnknownName {
        /// The kind of name: "tribe", "area code", …
        what: String,
        /// The name in the file.
        found: String,
        /// The nearest valid name, if one is near.
        nearest: Option<String>,
        /// All valid names.
        allowed: Vec<String>,
    },
    /// A name that occurs twice.
    #[error("{name:?} is already on line {first_line}; name each once")]
    Duplicate {
        /// The name.
        name: String,
        /// The line of its first occurrence.
        first_line: usize,
    },
    /// A piece named in the rules is missing.
    #[error("{name} is missing; add a [[{what}]] for it (rule {rule})")]
    MissingPiece {
        /// The table of the piece: "area", "village", "mine".
        what: &'static str,
        /// The piece.
        name: String,
        /// The rule that names the piece.
        rule: &'static str,
    },
    /// The number of pieces differs from that in the rules.
    #[error("{found} {what}; the rules have {want} (rule {rule})")]
    Count {
        /// The pieces counted: "commanders", "Villages of the Sioux", …
        what: String,
        /// The number in the file.
        found: usize,
        /// The number required.
        want: usize,
        /// The rule that gives the number.
        rule: &'static str,
    },
    /// A place lists a neighbour that does not list it in turn.
    #[error(
        "{there} does not list {here}; add {here:?} to {key} of {there} on line {line}, or take {there:?} out here"
    )]
    OneSided {
        /// The place with this list.
        here: String,
        /// The key of both lists.
        key: &'static str,
        /// The neighbour that does not list it.
        there: String,
        /// The line of the neighbour's list.
        line: usize,
    },
    /// A place or people is related to itself.
    #[error("{name} cannot be paired with itself; take it out")]
    WithItself {
        /// The place or people.
        name: String,
    },
    /// Rows that must be consecutive are not.
    #[error("{found} follows {before}; the next row must be {want}")]
    Sequence {
        /// The value in this row.
        found: i32,
        /// The value in the row before.
        before: String,
        /// The value required in this row.
        want: i32,
    },
    /// A fault that a game's own checks found, in words.
    #[error("{0}")]
    Other(String),
}

/// Formats the nearest name as "did you mean", or lists all names if none is near.
fn meant(nearest: Option<&str>, allowed: &[String]) -> String {
    match nearest {
        Some(name) => format!("did you mean {name:?}?"),
        None => format!("write one of {}", allowed.join(", ")),
    }
}

/// Returns the name nearest to `found` if the edit distance is small enough for a misspelling: at
/// most a third of its length, plus 1.
pub(super) fn nearest<'a>(found: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = found.to_lowercase();
    let limit = found.chars().count() / 3 + 1;
    names
        .into_iter()
        .map(|name| (strsim::osa_distance(&lower, &name.to_lowercase()), name))
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}
