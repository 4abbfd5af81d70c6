//! Errors of reading and writing bodies.

use crate::canon::CanonFault;

/// An error of reading or writing a body.
#[derive(Debug, thiserror::Error)]
pub enum BodyFault {
    /// Members are missing, unknown or of the wrong type.
    #[error("{0}")]
    Members(#[from] serde_json::Error),
    /// The members break a rule of section 4.
    #[error("{0}")]
    Shape(#[from] ShapeFault),
    /// A value has no canonical form.
    #[error("no canonical form: {0}")]
    Canon(#[from] CanonFault),
}

/// A rule of section 4 that is broken although all members have the right types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ShapeFault {
    /// Not a name.
    #[error("{0} is not a name (1 to 64 bytes of printable ASCII)")]
    Name(&'static str),
    /// Not an object.
    #[error("{0} is not an object")]
    Object(&'static str),
    /// A list or count that must not be empty or 0.
    #[error("{0} is empty")]
    Empty(&'static str),
    /// A duplicate in a list without duplicates.
    #[error("{0} names something twice")]
    Twice(&'static str),
    /// An operator's seat that is not in `seats`.
    #[error("operator_seats names a seat that is not in seats")]
    OperatorSeat,
    /// A director with the name of a seat, or with a name that the program itself uses.
    #[error("directors names a seat, `host` or `all players`")]
    Director,
    /// A director's act with a `via` other than `cli`.
    #[error("via of a director's entry must be cli")]
    Entered,
    /// A chain label other than `dice` or `deck:<id>`.
    #[error("a chain is labelled neither dice nor deck:<id>")]
    Label,
    /// A `joined` entry that has both `mail` and `via`, neither of them, or a `via` other than
    /// `cli` or `bot`.
    #[error("joined needs either mail or via, and via must be cli or bot")]
    Joined,
    /// A `reseated` entry with another `via`.
    #[error("via of reseated must be bot")]
    Reseated,
    /// A decision, motion or vote that has both `words` and `via`, or neither.
    #[error("it needs either words or via")]
    Words,
    /// Not a time.
    #[error("until is not a time in the form of `at`")]
    Time,
    /// Rollouts without any, or a chance above 1.
    #[error("rollouts have a count from 1, and chances up to 1000 thousandths")]
    Rollouts,
    /// A version of the format other than [`FORMAT`](super::FORMAT).
    #[error("the journal has format {0}, but this program reads format 1")]
    Format(u64),
    /// A die without faces or with more than 2^32 − 1.
    #[error("a roll has no faces, or too many, from low to high")]
    Die,
    /// Different numbers of cards and commitments.
    #[error("list and cards differ in length")]
    Cards,
    /// Version 0 of a ruleset. Versions are counted from 1.
    #[error("ruleset.version is 0, but versions count from 1")]
    Version,
    /// Not the id of a game.
    #[error("{0} is not the id of a game")]
    Game(&'static str),
    /// Shuffles of a deck that has no chain, or a count of 0.
    #[error("parent.epochs may count only shuffles, at least 1, of decks that have a chain")]
    Epochs,
    /// Not a kind, or a kind that has its own type.
    #[error("not a kind, or one that the format defines")]
    Kind,
}
