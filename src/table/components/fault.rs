//! What can be wrong with a component file, said so that its owner can put it right.

use std::fmt::Write as _;

/// A component file that cannot be used, with everything that was found wrong in it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", listing(file, faults))]
pub struct ComponentFault {
    /// The file's name as the caller gave it.
    pub file: String,
    /// All that was found, in the order of the file; never empty.
    pub faults: Vec<Fault>,
}

/// One line per fault, each starting as compilers do, so that editors find the place.
fn listing(file: &str, faults: &[Fault]) -> String {
    let mut text = String::new();
    for fault in faults {
        let gap = if text.is_empty() { "" } else { "\n" };
        // Writing to a String cannot fail.
        let _ = write!(text, "{gap}{file}:{}:{}: {}: {}", fault.line, fault.column, fault.key, fault.kind);
    }
    text
}

/// One thing wrong in a component file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// Where in the file's tables: "area.survival", or "area" for a whole row.
    pub key: String,
    /// What is wrong, and what would be right.
    pub kind: FaultKind,
}

/// What is wrong, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FaultKind {
    /// Not TOML.
    #[error("not TOML: {0}")]
    Syntax(String),
    /// A key that no row of this kind has.
    #[error("no such key; {}", meant(nearest.as_deref(), allowed))]
    UnknownKey {
        /// The nearest key that exists, if one is near.
        nearest: Option<String>,
        /// All keys that exist here.
        allowed: Vec<String>,
    },
    /// A key that must be there.
    #[error("missing; write {right}")]
    MissingKey {
        /// What may stand there.
        right: String,
    },
    /// A value of the wrong type, or outside its range.
    #[error("{found} cannot stand here; write {right}")]
    Value {
        /// The value as the file has it.
        found: String,
        /// What may stand there.
        right: String,
    },
    /// A name or word that nothing bears.
    #[error("no {what} {found:?}; {}", meant(nearest.as_deref(), allowed))]
    UnknownName {
        /// "tribe", "area code", …
        what: String,
        /// The name as the file has it.
        found: String,
        /// The nearest one that exists, if one is near.
        nearest: Option<String>,
        /// All that exist.
        allowed: Vec<String>,
    },
    /// The same name twice.
    #[error("{name:?} stands already on line {first_line}; name each once")]
    Duplicate {
        /// The name.
        name: String,
        /// Where it stands first.
        first_line: usize,
    },
    /// A piece that the rules name is not there.
    #[error("{name} is missing; add a [[{what}]] for it (rule {rule})")]
    MissingPiece {
        /// "area", "village", "mine".
        what: &'static str,
        /// The piece.
        name: String,
        /// The rule that names it.
        rule: &'static str,
    },
    /// The rules say how many there are.
    #[error("{found} {what}; the rules have {want} (rule {rule})")]
    Count {
        /// "commanders", "Villages of the Sioux", …
        what: String,
        /// How many the file has.
        found: usize,
        /// How many there must be.
        want: usize,
        /// The rule that says so.
        rule: &'static str,
    },
    /// One place lists another as its neighbour that does not list it back.
    #[error(
        "{there} does not list {here}; add {here:?} to {key} of {there} on line {line}, or take {there:?} out here"
    )]
    OneSided {
        /// The place whose list this is.
        here: String,
        /// The key of both lists.
        key: &'static str,
        /// The one that does not list it back.
        there: String,
        /// Where the other list stands.
        line: usize,
    },
    /// Something is set in relation to itself.
    #[error("{name} cannot be paired with itself; take it out")]
    WithItself {
        /// The place or people.
        name: String,
    },
    /// Rows that must follow one another do not.
    #[error("{found} follows {before}; the next row must be {want}")]
    Sequence {
        /// What stands here.
        found: i32,
        /// What the row before has.
        before: String,
        /// What must stand here.
        want: i32,
    },
    /// What a game's own rules make of it, in words.
    #[error("{0}")]
    Other(String),
}

/// "did you mean", or the choices where nothing is near.
fn meant(nearest: Option<&str>, allowed: &[String]) -> String {
    match nearest {
        Some(name) => format!("did you mean {name:?}?"),
        None => format!("write one of {}", allowed.join(", ")),
    }
}

/// The name nearest to what was written, if it is near enough to be meant.
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
