//! What players and host write to each other: kept beside the journal, which holds no more of it than a commitment.

use postrider_dice::Hash;
use postrider_table::Seat;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Somebody who writes or is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Party {
    /// The player of a seat.
    Seat(Seat),
    /// The host.
    Host,
}

impl Party {
    /// The party of a name as journals spell it: a seat's letter, or `host`.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Party> {
        if name == "host" { Some(Party::Host) } else { Seat::from_letter(name).map(Party::Seat) }
    }
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Party::Seat(seat) => write!(f, "{seat}"),
            Party::Host => f.write_str("host"),
        }
    }
}

/// A message between the people of a game. The journal holds no more of it than a commitment; this can be taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What the journal's line says.
    pub commit: Hash,
    /// The salt of the commitment.
    pub salt: Hash,
    /// Who wrote it.
    pub by: Party,
    /// Whether its readers are not told who wrote it.
    pub anonymous: bool,
    /// Its readers.
    pub to: Vec<Party>,
    /// What it says; line breaks are newlines.
    pub text: String,
    /// The mail it came with, and its number among the messages of that mail.
    pub mail: Option<(Hash, u64)>,
}

/// When a player is sent what others have written to him.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Messages {
    /// In a letter of its own, at once.
    #[default]
    Now,
    /// With the next letter.
    Later,
}
