//! Export of all data about a player.

use crate::{error::OfficeError, game::Game, misuse::Misuse, services::Services};
use postrider_dice::Shuffled;
use postrider_letters::CardShown;
use postrider_mail::Incoming;
use postrider_store::{Message, Party, Whose};
use postrider_table::Seat;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Returns all data about the player of a seat.
pub(crate) fn of_player(game: &Game, services: &Services, seat: Seat) -> Result<Value, OfficeError> {
    let no_seat = || Misuse::NoSeat { seat: seat.to_string(), game: game.id.clone() };
    let player = game.seats.player(seat).filter(|player| player.by_mail()).ok_or_else(no_seat)?;
    let addresses: BTreeSet<&str> = game.seats.addresses(seat).collect();
    let party = Party::Seat(seat);
    let messages = game.messages().filter(|(_, one)| one.by == party || one.to.contains(&party));
    let message = |(n, one): (u64, &Message)| {
        let by = if one.anonymous && one.by != party { String::new() } else { one.by.to_string() };
        let to: Vec<String> = one.to.iter().map(Party::to_string).collect();
        json!({ "entry": n, "from": by, "to": to, "text": one.text })
    };
    let mut mails = Vec::new();
    for mail in services.store.taken(&game.id)? {
        let Some(raw) = services.store.read_taken(&game.id, &mail.hash)? else { continue };
        if is_by(&raw, &addresses) {
            let signed = game.secrets.signed.get(&mail.hash).map(ToString::to_string);
            mails.push(json!({
                "sha256": mail.hash, "taken_in": mail.at, "signed": signed, "mail": String::from_utf8_lossy(&raw),
            }));
        }
    }
    let letters = services.store.letters(&format!("{}.{seat}.", game.id))?;
    let waiting = game.secrets.waiting.iter().filter(|(whose, _)| *whose == seat);
    let waiting: Vec<Value> = waiting.map(|(_, one)| json!({ "until": one.until, "lines": one.lines })).collect();
    let proposed = game.secrets.proposed.iter().filter(|one| one.whose == Whose::Seat(seat));
    Ok(json!({
        "game": game.id,
        "seat": game.live.seat_name(seat),
        "name": player.name,
        "addresses": addresses,
        "salt_of_the_address": player.salt,
        "time_zone": game.zone(services, seat),
        "hours": game.secrets.hours.get(&seat),
        "away": game.secrets.away.get(&seat),
        "orders_and_letters": game.pace(seat),
        "draft": game.draft(seat),
        "words_for_luck": game.live.joined.get(seat.index()),
        "last_letter": game.secrets.written.get(&seat),
        "mails_that_wait": waiting,
        "proposed_orders": proposed.map(|one| json!({ "mail": one.mail, "lines": one.lines })).collect::<Vec<_>>(),
        "messages": messages.map(message).collect::<Vec<_>>(),
        "letters_to_you": letters,
        "mails_from_you": mails,
    }))
}

/// Returns `true` if a mail was written from one of these addresses.
pub(crate) fn is_by(raw: &[u8], addresses: &BTreeSet<&str>) -> bool {
    Incoming::parse(raw).is_ok_and(|mail| mail.author().is_some_and(|author| addresses.contains(author)))
}

/// Returns a seat's cards that are still hidden from others, each with its salt: all of them, or
/// those dealt after line `after`.
pub(crate) fn hidden_cards(game: &Game, seat: Seat, after: Option<u64>) -> Vec<CardShown> {
    let Some(begun) = &game.live.started else { return Vec::new() };
    let show = |(deck, epoch, list, pos): (&str, u64, &[String], u64)| {
        let secret = game.live.deck_secret(deck, u32::try_from(epoch).ok()?)?;
        let shuffled = Shuffled::new(&game.id, deck, epoch, secret, &begun.luck, list.to_vec());
        let name = shuffled.order().get(usize::try_from(pos).ok()?)?.clone();
        let place = format!("{deck}, epoch {epoch}, position {pos}");
        Some(CardShown { place, name, salt: shuffled.salt(pos).to_string() })
    };
    game.facts.hidden_cards(seat, after).filter_map(show).collect()
}
