//! Changes of a seat's player: another person, or a bot as a stand-in.

use crate::{
    error::OfficeError,
    game::{
        Game,
        directors::By,
        invitee::Invitee,
        motions,
        names::{check_name, first_free, look_the_same},
        seats,
    },
    misuse::Misuse,
    post::reseating,
    services::Services,
    transaction::{
        Transaction,
        bots::{bot_called, played_by},
        stand_ins,
    },
};
use postrider_store::{Kept, Player, bot_name};
use postrider_table::Seat;

/// Checks that a seat can be given to a person or a bot, and returns the new player. A bot gets a
/// number if another player has its name.
///
/// # Errors
/// [`OfficeError::Use`] if there is no such seat, or if another player has the name or address.
pub(crate) fn check_reseat(tx: &Transaction, seat: Seat, who: &Invitee, shared: bool) -> Result<Invitee, OfficeError> {
    if tx.seats.player(seat).is_none() {
        return Err(Misuse::NoSeat { seat: seat.to_string(), game: tx.id.clone() }.into());
    }
    if motions::is_out(tx, seat) && !tx.live.closed {
        return Err(Misuse::Out { seat }.into());
    }
    check_name(&who.name)?;
    let others = tx.seats.players.iter().filter(|player| player.seat != seat);
    let taken = |name: &str| others.clone().any(|other| look_the_same(&other.name, name));
    if let Some(bot) = bot_name(&who.address) {
        if tx.seats.player(seat).and_then(Player::bot) == Some(bot) {
            return Err(Misuse::KeptByBot { seat, bot: bot.to_owned() }.into());
        }
        return Ok(Invitee { name: first_free(&who.name, taken), ..who.clone() });
    }
    if taken(&who.name) {
        return Err(Misuse::NameTaken { name: who.name.clone() }.into());
    }
    if let Some(held) = tx.seats.held_by(&who.address, seat).filter(|_| !shared) {
        return Err(Misuse::SharedAddress { address: who.address.clone(), held }.into());
    }
    Ok(who.clone())
}

/// Gives a seat to another player, or gives its player another address.
///
/// # Errors
/// As for [`check_reseat`]; nothing has been written then.
pub(crate) fn reseat(
    tx: &mut Transaction,
    services: &mut Services,
    seat: Seat,
    who: &Invitee,
    shared: bool,
) -> Result<(), OfficeError> {
    let who = &check_reseat(tx, seat, who, shared)?;
    let joined = tx.live.started.is_some() || seats::has_joined(tx, seat);
    if !joined && bot_name(&who.address).is_some() {
        return Err(Misuse::BotBefore { seat }.into());
    }
    let old = tx.seats.player(seat).cloned();
    let zone = who.zone.clone().or_else(|| old.filter(|old| old.name == who.name)?.zone);
    let check = who.sender_check.map(|check| Kept::SenderCheck(seat, check)).into_iter().collect();
    if !joined {
        return reseating::correct(tx, services, (seat, &who.name, &who.address, zone), check);
    }
    reseating::reseat(tx, services, (seat, &who.name, &who.address, zone), check)
}

/// Returns a warning if bots play all seats but this one: if one plays it, too, the game goes on to
/// its end at once.
pub(crate) fn last_person(game: &Game, seat: Seat) -> Option<&'static str> {
    let mut others = game.seats.players.iter().filter(|player| player.seat != seat);
    let plays_on = game.live.started.is_some() && !game.live.closed;
    let alone = plays_on && others.all(|player| played_by(game, player.seat).is_some());
    alone.then_some("Nobody else is left to play: bots play the game to its end at once.")
}

/// Checks that a bot can stand in for a player, or stop doing so (`None`).
///
/// # Errors
/// [`OfficeError::Use`] if there is no such seat or bot, or if nothing would change.
pub(crate) fn check_stand_in(tx: &Transaction, seat: Seat, bot: Option<&str>) -> Result<(), OfficeError> {
    let Some(player) = tx.seats.player(seat) else {
        return Err(Misuse::NoSeat { seat: seat.to_string(), game: tx.id.clone() }.into());
    };
    if let Some(name) = player.bot() {
        return Err(Misuse::KeptByBot { seat, bot: name.to_owned() }.into());
    }
    if let Some(name) = bot {
        bot_called(tx.live.opened.ruleset, name)?;
    }
    if tx.live.closed {
        return Err(Misuse::Over { game: tx.id.clone() }.into());
    }
    if tx.stand_in(seat) == bot {
        return Err(match bot {
            Some(name) => Misuse::StandsIn { seat, bot: name.to_owned() },
            None => Misuse::NoStandIn { seat },
        }
        .into());
    }
    Ok(())
}

/// Has a bot stand in for a player, or stop doing so (`None`), after [`check_stand_in`]. Returns a
/// report of one sentence.
pub(crate) fn replace(
    tx: &mut Transaction,
    services: &Services,
    seat: Seat,
    bot: Option<&str>,
    by: &By<'_>,
) -> Result<String, OfficeError> {
    // A player who plays again is no longer away. Otherwise the bot would return at once.
    if bot.is_none() && tx.secrets.away.contains_key(&seat) {
        tx.keep(Kept::Away(seat, None))?;
    }
    stand_ins::replaced(tx, services, seat, bot, by)
}
