//! Joining a game: the answers to players who take or decline their seats.

use crate::{
    error::OfficeError,
    game::{messages::NewMessage, seats},
    post::reseating,
    reading::Origin,
    services::Services,
    transaction::{Transaction, joining, saying},
};
use postrider_store::{Kept, Party};
use postrider_table::Seat;

pub(crate) fn joining(
    tx: &mut Transaction,
    services: &Services,
    seat: Seat,
    luck: &str,
    from: &Origin<'_>,
) -> Result<String, OfficeError> {
    if tx.live.closed {
        return Ok("You have not joined: this game is over.".to_owned());
    }
    let declined = tx.secrets.declined.contains(&seat);
    if seats::has_joined(tx, seat) || tx.live.started.is_some() {
        if declined {
            tx.keep(Kept::Declined(seat, false))?;
        }
        return Ok(match declined {
            true => format!("You take part again. {}", seats::waiting(tx)).trim_end().to_owned(),
            false => "You have joined already.".to_owned(),
        });
    }
    let mail = match from {
        Origin::Mail { hash, .. } => Some(*hash),
        Origin::Cli => None,
    };
    joining::join(tx, services, seat, luck, mail)?;
    if declined {
        tx.keep(Kept::Declined(seat, false))?;
    }
    let said = |seat: &Seat| {
        tx.live.joined.get(seat.index()).is_some_and(|luck| luck.as_ref().is_some_and(|words| !words.is_empty()))
    };
    let luckless = match tx.facts.luck_by_mail.iter().any(said) {
        true if mail.is_none() && !luck.is_empty() => {
            " This luck phrase did not come by mail: if no other comes by mail after it, the host could have chosen the dice, \
             and `verify` says so."
        }
        true => "",
        false => {
            " Nobody has given a luck phrase by mail so far: if that stays so, the host could have chosen the dice, and `verify` \
             says so."
        }
    };
    if tx.live.joined.iter().all(Option::is_some) && tx.secrets.declined.is_empty() {
        return Ok(format!("You have joined, and so have all: the game begins.{luckless}"));
    }
    Ok(format!("You have joined. {}{luckless}", seats::waiting(tx)))
}

/// Declines an invitation: the host and the other players are told, and the seat gets no more
/// letters.
pub(crate) fn declining(
    tx: &mut Transaction,
    services: &mut Services,
    seat: Seat,
    from: &Origin<'_>,
    place: usize,
) -> Result<String, OfficeError> {
    if tx.live.closed {
        return Ok("The game is over.".to_owned());
    }
    if tx.live.started.is_some() {
        let instead = "The game has begun. `concede` gives it up; with `tell host: …` you can ask the host to give your seat to somebody else.";
        return Ok(instead.to_owned());
    }
    let mail = match from {
        Origin::Mail { hash, .. } => Some((*hash, place as u64)),
        Origin::Cli => None,
    };
    // The program may have ended while it handled this mail, before it told the others.
    let begun = mail.is_some() && tx.secrets.messages.values().any(|kept| kept.mail == mail);
    if tx.secrets.declined.contains(&seat) && !begun {
        return Ok("You have declined already.".to_owned());
    }
    let others = tx.seats.players.iter().filter(|player| player.seat != seat && player.by_mail());
    let to = others.map(|player| Party::Seat(player.seat)).chain([Party::Host]).collect();
    let name = tx.seats.player(seat).map(|player| player.name.clone()).unwrap_or_default();
    let text = format!("{name} declines the invitation.");
    saying::say(tx, services, NewMessage { by: Party::Seat(seat), anonymous: false, to, text, mail })?;
    if reseating::reopen(tx, services, seat)? {
        return Ok("You have declined, and the others are told. The seat is open again.".to_owned());
    }
    tx.keep(Kept::Declined(seat, true))?;
    Ok("You have declined, and the others are told. You will get no more letters about this game. If you change your mind, answer \
        the invitation with `join` as long as nobody else has your seat."
        .to_owned())
}
