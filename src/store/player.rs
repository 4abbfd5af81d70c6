//! A player: where he sits, what he is called, how he is written to.

use postrider_dice::Hash;
use postrider_journal::address_commitment;
use postrider_table::Seat;

/// A player at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// Where he sits.
    pub seat: Seat,
    /// What he is called.
    pub name: String,
    /// His mail address, lower-cased.
    pub address: String,
    /// The salt of his address's commitment.
    pub salt: Hash,
    /// His time zone, if he named one.
    pub zone: Option<String>,
}

/// How the address of a seat begins that a program keeps: `bot:steady` stands for an address wherever one is wanted, and
/// nobody is written to there.
const BOT: &str = "bot:";

/// The name of the bot that an address stands for.
#[must_use]
pub fn bot_name(address: &str) -> Option<&str> {
    address.strip_prefix(BOT)
}

impl Player {
    /// A player of whom nothing is known but his seat.
    #[must_use]
    pub fn unnamed(seat: Seat) -> Player {
        Player { seat, name: seat.to_string(), address: String::new(), salt: Hash([0; 32]), zone: None }
    }

    /// The bot that keeps this seat, if it is not a person.
    #[must_use]
    pub fn bot(&self) -> Option<&str> {
        bot_name(&self.address)
    }

    /// What a journal commits to of his address.
    #[must_use]
    pub fn commitment(&self) -> Hash {
        address_commitment(&self.salt, &self.address)
    }

    /// Whether the player is written to: neither a bot is, nor who sits at the host's terminal.
    #[must_use]
    pub fn by_mail(&self) -> bool {
        self.address.contains('@')
    }
}
