//! The mail that confirms a player's new address.

use crate::{
    admission::outcome::Outcome,
    error::OfficeError,
    game::{handled::copies, seats},
    post::reseating,
    services::Services,
    transaction::{Transaction, reply::Reply},
};
use postrider_dice::Hash;
use postrider_mail::Incoming;
use postrider_orders::{People, Phrase, is_confirmation, visible};
use postrider_store::{AddressAsked, Kept};
use postrider_table::Seat;

/// Takes in a mail from a new address that a player asked for. A `yes` makes the address valid.
pub(crate) fn take_address(
    tx: &mut Transaction,
    services: &mut Services,
    (mail, hash): (&Incoming, Hash),
    (seat, asked): (Seat, AddressAsked),
) -> Result<Outcome, OfficeError> {
    let yes = mail.orders.as_ref().is_ok_and(|orders| {
        orders.lines.iter().any(|line| is_confirmation(&Phrase::new(&line.text), &People::default()))
    });
    if !yes {
        return Ok(Outcome::Filed("from an address that is still to be confirmed, without a yes".to_owned()));
    }
    let Some(player) = tx.seats.player(seat).cloned() else {
        return Ok(Outcome::Filed("for a seat that nobody holds".to_owned()));
    };
    let address = asked.address;
    let mut reply =
        Reply { mail: hash, copies: copies(mail), subject: "your addresses".to_owned(), ..Reply::default() };
    if asked.also {
        tx.keep(Kept::Address { seat, address: address.clone(), counts: true })?;
        let note = format!(
            "Orders count from {} too, from now on; letters still go to this address. `no longer write from …` ends it.",
            visible(&address)
        );
        reply.notes.push(note);
        tx.news.answer_player(seat, reply);
        return Ok(Outcome::Answered { done: 0, total: 0 });
    }
    if tx.live.closed {
        return Ok(Outcome::Filed("the game is over: no address is changed any more".to_owned()));
    }
    reply.notes.push(
        "From now on your letters come to this address, and orders sent from it count. Earlier letters are void."
            .to_owned(),
    );
    reply.status = true;
    if player.address.eq_ignore_ascii_case(&address) {
        tx.news.answer_player(seat, reply);
        return Ok(Outcome::Answered { done: 0, total: 0 });
    }
    let added = tx.seats.added(seat).iter().filter(|one| **one != address).cloned();
    let with: Vec<Kept> = added
        .map(|address| Kept::Address { seat, address, counts: true })
        .chain(tx.secrets.paces.get(&seat).map(|pace| Kept::Pace(seat, *pace)))
        .chain(tx.secrets.drafts.get(&seat).map(|draft| Kept::Draft(seat, draft.clone())))
        .chain(tx.secrets.away.get(&seat).map(|away| Kept::Away(seat, Some(*away))))
        .chain(tx.secrets.zones.get(&seat).map(|zone| Kept::Zone(seat, zone.clone())))
        .chain(tx.secrets.checks.get(&seat).map(|check| Kept::SenderCheck(seat, *check)))
        .collect();
    let there = (seat, player.name.as_str(), address.as_str(), player.zone);
    if tx.live.started.is_none() && !seats::has_joined(tx, seat) {
        reseating::correct(tx, services, there, with)?;
        return Ok(Outcome::Answered { done: 0, total: 0 });
    }
    reseating::reseat(tx, services, there, with)?;
    tx.news.answer_player(seat, reply);
    Ok(Outcome::Answered { done: 0, total: 0 })
}
