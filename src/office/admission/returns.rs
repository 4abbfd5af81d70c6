//! Bounces: reports of mail servers on our letters.

use crate::{
    admission::outcome::{Outcome, Processed},
    error::OfficeError,
    service::Office,
};
use postrider_journal::is_game_id;
use postrider_mail::{Bounce, Incoming};
use postrider_store::{LetterId, Players, TokenIssuer};
use postrider_table::Seat;

/// Stores a mail server's report on one of our letters, if that letter was handed over. A forged
/// report misleads the host and has no other effect.
pub(crate) fn reported(office: &Office, mail: &Incoming, raw: &[u8]) -> Result<Option<Processed>, OfficeError> {
    let returned = returned(office, mail)?;
    let Some(Bounce { message_id, failed, why }) = Bounce::of(raw, returned.is_some()) else { return Ok(None) };
    let named = message_id.as_deref().and_then(letter_of);
    // If the report names no letter, the seat's newest one is assumed.
    let newest = || returned.map(|(game, seat)| (game.clone(), Some(seat), format!("{game}.{seat}.")));
    let Some((game, seat, begins)) = named.or_else(newest) else { return Ok(None) };
    let letter = match failed {
        true => office.services.on_disk(|store| store.came_back(&begins, &why))?,
        false => Some(begins),
    };
    let Some(letter) = letter else { return Ok(None) };
    if failed {
        tracing::error!(letter, why, "a letter came back");
    } else {
        tracing::warn!(letter, why, "a letter is late");
    }
    Ok(Some(Processed { game: Some(game), seat, outcome: Outcome::Report { letter, failed, why } }))
}

/// Returns the game and seat whose return address is a recipient of the mail, if the seat still has
/// the player to whom the letter went.
fn returned(office: &Office, mail: &Incoming) -> Result<Option<(String, Seat)>, OfficeError> {
    for one in &mail.recipients {
        let found = office.services.host.addresses.in_return_address(&one.address);
        let Some((game, seat, code)) = found else { continue };
        let Some(seat) = Seat::from_letter(&seat).filter(|_| is_game_id(&game)) else { continue };
        if office.services.on_disk(|store| store.journal(&game))?.is_none() {
            continue;
        }
        let players = Players::of(&office.services.on_disk(|store| store.kept(&game))?.kept);
        let tokens = TokenIssuer::new(&game, office.services.key_seed);
        if players.player(seat).is_some_and(|player| tokens.return_code(seat, player.commitment()) == code) {
            return Ok(Some((game, seat)));
        }
    }
    Ok(None)
}

/// Returns the game and seat of the letter with this Message-ID, and the beginning of its file
/// name.
fn letter_of(message_id: &str) -> Option<(String, Option<Seat>, String)> {
    let id = LetterId::parse(message_id)?;
    let LetterId { game, seat, kind, .. } = id;
    let begins = match kind.split_once('-') {
        Some(("watch", who)) => {
            let begins = format!("{game}.watch.{}", who.split('-').next().unwrap_or(who));
            return Some((game.to_owned(), None, begins));
        }
        Some((of, mail)) if ["re", "address", "moved"].contains(&of) => format!("{game}.{seat}.{of}.{mail}"),
        None if kind == "letter" => id.to_string(),
        _ => format!("{game}.{seat}.{kind}"),
    };
    Some((game.to_owned(), Some(seat), begins))
}
