//! A player: seat, name and address.

use postrider_dice::Hash;
use postrider_journal::address_commitment;
use postrider_table::Seat;

/// A player at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The seat.
    pub seat: Seat,
    /// The name.
    pub name: String,
    /// The mail address, in lower case.
    pub address: String,
    /// The salt of the address's commitment.
    pub salt: Hash,
    /// The time zone, if the player named one.
    pub zone: Option<String>,
}

/// The prefix of a bot's address: `bot:steady` takes the place of a mail address; no mail is sent
/// to it.
const BOT: &str = "bot:";

/// The address of a seat that nobody has yet, and that anyone may take before the game begins.
pub const OPEN_SEAT: &str = "open";

/// Returns the name of the bot in a bot's address.
#[must_use]
pub fn bot_name(address: &str) -> Option<&str> {
    address.strip_prefix(BOT)
}

impl Player {
    /// Creates a player of which only the seat is known.
    #[must_use]
    pub fn unnamed(seat: Seat) -> Player {
        Player { seat, name: seat.to_string(), address: String::new(), salt: Hash([0; 32]), zone: None }
    }

    /// Returns the bot that plays this seat, if it is not a person.
    #[must_use]
    pub fn bot(&self) -> Option<&str> {
        bot_name(&self.address)
    }

    /// Returns `true` if nobody has this seat yet, and anyone may take it.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.address == OPEN_SEAT
    }

    /// Returns the commitment to the address, as in the journal.
    #[must_use]
    pub fn commitment(&self) -> Hash {
        address_commitment(&self.salt, &self.address)
    }

    /// Returns `true` if the player gets mails. Bots and players at the host's terminal do not.
    #[must_use]
    pub fn by_mail(&self) -> bool {
        self.address.contains('@')
    }
}
