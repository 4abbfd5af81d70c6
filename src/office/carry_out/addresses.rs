//! Changes of a player's addresses. A new address is valid once a letter sent to it has been
//! answered.

use crate::{
    error::OfficeError,
    game::seats,
    reading::{Origin, request::AddressWanted},
    services::Services,
    transaction::Transaction,
};
use postrider_dice::sha256;
use postrider_letters::{Section, text};
use postrider_mail::is_address;
use postrider_orders::visible;
use postrider_store::{AddressAsked, DAY, Kept, OutgoingLetter, Player};
use postrider_table::Seat;

/// The maximum number of letters per seat and day that ask whether an address is right. A limit is
/// needed because a player could name anyone's address.
const MOST_A_DAY: usize = 3;

/// The maximum number of addresses that a player can add.
const MOST_ADDED: usize = 5;

/// Sends a letter to an address from which a player wants to write. Returns instructions for the
/// player.
pub(crate) fn want_address(
    tx: &mut Transaction,
    services: &Services,
    seat: Seat,
    wanted: &AddressWanted,
    from: &Origin<'_>,
) -> Result<String, OfficeError> {
    let Some(player) = tx.seats.player(seat).filter(|player| player.by_mail()).cloned() else {
        return Ok("Nobody is written to at this seat: it has no address.".to_owned());
    };
    let Origin::Mail { hash, .. } = from else {
        return Ok("Addresses are changed by the player's own mail, or by the host with `postrider reseat`.".to_owned());
    };
    let (address, also) = match wanted {
        AddressWanted::Now(address) => (address, false),
        AddressWanted::Also(address) => (address, true),
        AddressWanted::NoLonger(address) => return no_longer(tx, seat, address),
    };
    let shown = visible(address);
    if !is_address(address) || services.host.addresses.is_own(address) {
        return Ok(format!("Your address was not changed: {shown} cannot be one."));
    }
    if player.address.eq_ignore_ascii_case(address) {
        return Ok(format!("{shown} is your address already."));
    }
    if also && tx.seats.added(seat).contains(address) {
        return Ok(format!("Orders count from {shown} already."));
    }
    if also && tx.seats.added(seat).len() >= MOST_ADDED {
        return Ok(format!(
            "{shown} was not added: {MOST_ADDED} addresses are the maximum; `no longer write from …` removes one."
        ));
    }
    if tx.live.closed {
        return Ok("Your address was not changed: the game is over.".to_owned());
    }
    let now = services.now().timestamp();
    let known = tx.secrets.addresses.iter().find(|(_, one)| one.mail == *hash && one.address == *address);
    let asked = match known {
        // The same mail, taken in again.
        Some((_, asked)) => asked.clone(),
        None => {
            let today = |(whose, one): &&(Seat, AddressAsked)| *whose == seat && one.at > now - DAY;
            if tx.secrets.addresses.iter().filter(today).count() >= MOST_A_DAY {
                return Ok(format!(
                    "Nothing was sent to {shown}: {MOST_A_DAY} such letters a day are the maximum. Please try again tomorrow."
                ));
            }
            let asked = AddressAsked { address: address.clone(), also, mail: *hash, at: now };
            tx.keep(Kept::AddressAsked(seat, asked.clone()))?;
            asked
        }
    };
    ask_there(tx, services, &player, &asked)?;
    let then = match also {
        true => "Orders count from there when that letter is answered with `yes`; letters still go to this address.",
        false => "That address takes the place of this one when that letter is answered with `yes`.",
    };
    Ok(format!(
        "A letter was sent to {shown}. {then} If you did not want this, reply `new token`: then it cannot count."
    ))
}

fn no_longer(tx: &mut Transaction, seat: Seat, address: &str) -> Result<String, OfficeError> {
    let shown = visible(address).into_owned();
    if !tx.seats.added(seat).iter().any(|one| one == address) {
        return Ok(format!("{shown} is none of the addresses that you added."));
    }
    tx.keep(Kept::Address { seat, address: address.to_owned(), counts: false })?;
    Ok(format!("Orders no longer count from {shown}."))
}

fn ask_there(
    tx: &mut Transaction,
    services: &Services,
    player: &Player,
    asked: &AddressAsked,
) -> Result<(), OfficeError> {
    let AddressAsked { address, also, mail, .. } = asked;
    let (seat, game) = (player.seat, &tx.id);
    let what = match also {
        true => "orders from this address to count too",
        false => "letters to go to this address, and orders from it to count",
    };
    let told = [
        format!(
            "{}, who plays seat {seat} of the game {game} here, wants {what}. If that is you, reply `yes` to this mail.",
            visible(&player.name)
        ),
        "If it is not, do nothing: nothing comes of it, and nothing more is sent here.".to_owned(),
    ];
    let told: Vec<Section> = told.into_iter().map(Section::paragraph).collect();
    let mark = sha256(format!("{mail} {address}").as_bytes()).to_string();
    let letter = OutgoingLetter {
        token: (0, seats::address_word(tx, seat, asked)),
        ..OutgoingLetter::plain(
            format!("{game}.{seat}.address.{}", &mark[..16]),
            format!("address-{}", &mark[..8]),
            "is this your address?".to_owned(),
            text::render(&told),
            services.now(),
        )
    };
    let to = Player { address: address.clone(), ..player.clone() };
    tx.news.beside.letters.push((to, letter));
    Ok(())
}
