//! Invitees: the people whom the host names when a game is opened or a seat changes hands.

use crate::{error::OfficeError, misuse::Misuse};
use postrider_letters::capital;
use postrider_store::{SenderCheck, bot_name, check_zone};

/// The address of somebody who plays at the host's terminal.
pub const TERMINAL: &str = "terminal";

/// Somebody who is to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitee {
    /// His name.
    pub name: String,
    /// His mail address.
    pub address: String,
    /// His time zone, if he named one.
    pub zone: Option<String>,
    /// What is asked of the signatures of his mails, if that is not what the host's settings say.
    pub sender_check: Option<SenderCheck>,
}

impl Invitee {
    /// Whether letters go to him: to a bot and to somebody at the host's terminal none do.
    #[must_use]
    pub fn by_mail(&self) -> bool {
        self.address.contains('@')
    }
}

impl std::str::FromStr for Invitee {
    type Err = OfficeError;

    /// Reads `Anna <anna@example.net>`, or with a time zone `Anna <anna@example.net>
    /// America/Denver`; for a seat that a program keeps `bot:steady`, or with a name `Steady
    /// <bot:steady>`; and for one at the host's terminal `Anna <terminal>`.
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
