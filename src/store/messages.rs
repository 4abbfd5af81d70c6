//! Messages between players and the host. They are kept next to the journal, which contains only
//! commitments to them.

use postrider_dice::Hash;
use postrider_table::Seat;
use serde::{Deserialize, Serialize};
use std::fmt;

/// An author or reader of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Party {
    /// The player of a seat.
    Seat(Seat),
    /// The host.
    Host,
    /// All directors of the game.
    Directors,
}

impl Party {
    /// Parses a journal's name of a party: a seat's letter, or `host`.
    #[must_use]
    pub(crate) fn of_name(name: &str) -> Option<Party> {
        match name {
            "host" => Some(Party::Host),
            "directors" => Some(Party::Directors),
            _ => Seat::from_letter(name).map(Party::Seat),
        }
    }
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Party::Seat(seat) => write!(f, "{seat}"),
            Party::Host => f.write_str("host"),
            Party::Directors => f.write_str("directors"),
        }
    }
}

/// A message between people of a game. The journal contains only a commitment to it, so it can be
/// removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The commitment in the journal.
    pub commit: Hash,
    /// The salt of the commitment.
    pub salt: Hash,
    /// The author.
    pub by: Party,
    /// `true` if the author is not named to the readers.
    pub anonymous: bool,
    /// Its readers.
    pub to: Vec<Party>,
    /// The text; line breaks are newlines.
    pub text: String,
    /// The mail that contained it, and its number among the messages of that mail.
    pub mail: Option<(Hash, u64)>,
}

/// The time at which a player gets messages from others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Messages {
    /// At once, in a letter of their own.
    #[default]
    Now,
    /// With the next letter.
    Later,
}
