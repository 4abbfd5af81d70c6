//! Why a body cannot be read or written.

use crate::canon::CanonFault;

/// Why a body cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum BodyFault {
    /// Members are missing or of the wrong type.
    #[error("{0}")]
    Members(#[from] serde_json::Error),
    /// The members break a rule of section 4.
    #[error("{0}")]
    Shape(#[from] ShapeFault),
    /// There is no canonical spelling for a value in it.
    #[error("no canonical form: {0}")]
    Canon(#[from] CanonFault),
}

/// A rule of section 4 that members of the right types break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ShapeFault {
    /// Not a name.
    #[error("{0} is not a name (1 to 64 bytes of printable ASCII)")]
    Name(&'static str),
    /// Not an object.
    #[error("{0} is not an object")]
    Object(&'static str),
    /// Nothing where at least one is wanted.
    #[error("{0} is empty")]
    Empty(&'static str),
    /// The same twice where each may stand once.
    #[error("{0} names something twice")]
    Twice(&'static str),
    /// An operator's seat that is no seat.
    #[error("operator_seats names a seat that is not in seats")]
    OperatorSeat,
    /// A chain label other than `dice` or `deck:<id>`.
    #[error("a chain is labelled neither dice nor deck:<id>")]
    Label,
    /// A joining with neither `mail` nor `via`, with both, or with another `via`.
    #[error("joined has either mail or via, and via is cli or bot")]
    Joined,
    /// A decision with neither `words` nor `via`, or with both.
    #[error("a decision has either words or via")]
    Words,
    /// The journal is of another version of the format.
    #[error("the journal has format {0}, and this program reads format 1")]
    Format(u64),
    /// A die with no face, or more than 2^32 − 1.
    #[error("no die goes from low to high")]
    Die,
    /// As many commitments as cards are wanted.
    #[error("list and cards differ in length")]
    Cards,
    /// Versions of rules count from 1.
    #[error("ruleset.version is 0, and versions count from 1")]
    Version,
    /// Not an id of a game.
    #[error("{0} is not the id of a game")]
    Game(&'static str),
    /// Shuffles of a deck that has no chain, or none of it.
    #[error("parent.epochs counts the shuffles, 1 at least, of decks that have a chain")]
    Epochs,
    /// Not a kind, or one that has a type of its own.
    #[error("not a further kind")]
    Kind,
}
