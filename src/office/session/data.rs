//! All that is kept of a player, for himself.

use super::Game;
use crate::{error::OfficeError, misuse::Misuse, services::Services};
use postrider_mail::Incoming;
use postrider_store::{Message, Party};
use postrider_table::Seat;
use serde_json::{Value, json};
use std::collections::BTreeSet;

impl Game {
    /// All that is kept of the player of a seat.
    pub(crate) fn data_of(&self, services: &Services, seat: Seat) -> Result<Value, OfficeError> {
        let no_seat = || Misuse::NoSeat { seat: seat.to_string(), game: self.id.clone() };
        let player = self.seats.player(seat).filter(|player| player.by_mail()).ok_or_else(no_seat)?;
        let addresses: BTreeSet<&str> = self.seats.addresses(seat).collect();
        let party = Party::Seat(seat);
        let messages = self.messages().filter(|(_, one)| one.by == party || one.to.contains(&party));
        let message = |(n, one): (u64, &Message)| {
            let by = if one.anonymous && one.by != party { String::new() } else { one.by.to_string() };
            let to: Vec<String> = one.to.iter().map(Party::to_string).collect();
            json!({ "entry": n, "from": by, "to": to, "text": one.text })
        };
        let mut mails = Vec::new();
        for mail in services.store.taken(&self.id)? {
            let Some(raw) = services.store.read_taken(&self.id, &mail.hash)? else { continue };
            if is_by(&raw, &addresses) {
                let signed = self.secrets.signed.get(&mail.hash).map(ToString::to_string);
                mails.push(json!({
                    "sha256": mail.hash, "taken_in": mail.at, "signed": signed, "mail": String::from_utf8_lossy(&raw),
                }));
            }
        }
        let letters = services.store.letters(&format!("{}.{seat}.", self.id))?;
        let waiting = self.secrets.waiting.iter().filter(|(whose, _)| *whose == seat);
        let waiting: Vec<Value> = waiting.map(|(_, one)| json!({ "until": one.until, "lines": one.lines })).collect();
        let proposed = self.secrets.proposed.iter().filter(|one| one.seat == seat);
        Ok(json!({
            "game": self.id,
            "seat": self.live.seat_name(seat),
            "name": player.name,
            "addresses": addresses,
            "salt_of_the_address": player.salt,
            "time_zone": self.zone(services, seat),
            "hours": self.secrets.hours.get(&seat),
            "away": self.secrets.away.get(&seat),
            "orders_and_letters": self.pace(seat),
            "draft": self.draft(seat),
            "words_for_luck": self.live.joined.get(seat.index()),
            "last_letter": self.secrets.written.get(&seat),
            "mails_that_wait": waiting,
            "proposed_orders": proposed.map(|one| json!({ "mail": one.mail, "lines": one.lines })).collect::<Vec<_>>(),
            "messages": messages.map(message).collect::<Vec<_>>(),
            "letters_to_you": letters,
            "mails_from_you": mails,
        }))
    }
}

/// Whether a mail was written from one of these addresses.
pub(crate) fn is_by(raw: &[u8], addresses: &BTreeSet<&str>) -> bool {
    Incoming::parse(raw).is_ok_and(|mail| mail.author().is_some_and(|author| addresses.contains(author)))
}
