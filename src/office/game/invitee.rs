//! Invitees: the people whom the host names when opening a game or giving a seat to another player.

use crate::{error::OfficeError, misuse::Misuse};
use postrider_letters::capital;
use postrider_store::{SenderCheck, bot_name, check_zone};

/// The address of players at the host's terminal.
pub const TERMINAL: &str = "terminal";

/// A person invited to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitee {
    /// The name.
    pub name: String,
    /// The mail address.
    pub address: String,
    /// The time zone, if given.
    pub zone: Option<String>,
    /// The required signatures of this person's mails, if different from the host's settings.
    pub sender_check: Option<SenderCheck>,
}

impl Invitee {
    /// Returns `true` if this player gets letters. Bots and players at the host's terminal get
    /// none.
    #[must_use]
    pub fn by_mail(&self) -> bool {
        self.address.contains('@')
    }
}

impl std::str::FromStr for Invitee {
    type Err = OfficeError;

    /// Parses `Anna <anna@example.net>`, or with a time zone `Anna <anna@example.net>
    /// America/Denver`. A bot is `bot:steady` or, with a name, `Steady <bot:steady>`. A player at
    /// the host's terminal is `Anna <terminal>`.
    fn from_str(text: &str) -> Result<Invitee, OfficeError> {
        if let Some(bot) = bot_name(text.trim()).filter(|bot| !bot.is_empty()) {
            return Ok(Invitee { name: capital(bot), address: text.trim().to_owned(), zone: None, sender_check: None });
        }
        let unclear = || OfficeError::from(Misuse::Player { text: text.to_owned() });
        let (name, rest) = text.split_once('<').ok_or_else(unclear)?;
        let (address, zone) = rest.split_once('>').ok_or_else(unclear)?;
        let (name, address, zone) = (name.trim(), address.trim(), zone.trim());
        let whole = address.split_once('@').is_some_and(|(local, host)| !local.is_empty() && !host.is_empty())
            || bot_name(address).is_some_and(|bot| !bot.is_empty())
            || address == TERMINAL;
        if name.is_empty() || !whole || text.chars().any(char::is_control) || name.contains('@') {
            return Err(unclear());
        }
        let zone = (!zone.is_empty()).then(|| zone.to_owned());
        zone.as_deref().map_or(Ok(()), check_zone)?;
        Ok(Invitee { name: name.to_owned(), address: address.to_ascii_lowercase(), zone, sender_check: None })
    }
}
