//! A player's settings: hours, time zone, orders and letters, new tokens.

use crate::{
    error::OfficeError,
    game::{Game, hours::FEWEST_HOURS, pace, seats::has_joined},
    services::Services,
    transaction::Transaction,
};
use postrider_dice::Hash;
use postrider_journal::{Body, Zone};
use postrider_store::{Hours, Kept, Pace, Player, Renewed, WhyRenewed, check_zone};
use postrider_table::Seat;

/// Sets a player's time zone. Returns a report.
pub(crate) fn set_zone(tx: &mut Transaction, seat: Seat, zone: String) -> Result<String, OfficeError> {
    if check_zone(&zone).is_err() {
        return Ok(format!(
            "\"{zone}\" is not a time zone: nothing was changed. Write its name in the IANA database, such as `zone America/Denver` \
             or `zone Europe/Berlin`."
        ));
    }
    let weekends = match stops_at_weekends(tx) {
        true => " From next Wednesday on, your clock is stopped at its weekends. The journal shows it.",
        false => "",
    };
    let said = format!("Times in your letters are in the zone {zone} from now on.{weekends}");
    tx.keep(Kept::Zone(seat, zone))?;
    Ok(said)
}

fn stops_at_weekends(game: &Game) -> bool {
    game.live.deadlines.terms().is_some_and(|terms| terms.weekends_off)
}

/// If clocks stop at weekends, writes the time zones of the players who have joined, where the
/// journal has others.
pub(crate) fn show_zones(tx: &mut Transaction, services: &Services) -> Result<(), OfficeError> {
    if tx.live.closed || !stops_at_weekends(tx) {
        return Ok(());
    }
    let joined = tx.seats.players.iter().filter(|player| player.by_mail() && has_joined(tx, player.seat));
    let zones = joined.map(|player| (player.seat, tx.zone(services, player.seat).to_owned()));
    let new: Vec<_> = zones.filter(|(seat, zone)| tx.live.deadlines.zone(*seat) != Some(zone)).collect();
    for (seat, zone) in new {
        tx.line(services, &Body::Zone(Zone { seat: seat.to_string().into(), zone: zone.into() }))?;
    }
    Ok(())
}

/// Sets the hours in which a player answers. Returns a report.
pub(crate) fn set_hours(
    tx: &mut Transaction,
    services: &Services,
    seat: Seat,
    hours: Option<Hours>,
) -> Result<String, OfficeError> {
    let Some(chosen) = hours else {
        tx.keep(Kept::Hours(seat, None))?;
        return Ok("Reminders come, and deadlines pass, at any hour from now on.".to_owned());
    };
    let hours = chosen.count();
    if hours < FEWEST_HOURS {
        return Ok(format!(
            "Your hours were not changed: {hours} of a day are too few, since deadlines wait for them; {FEWEST_HOURS} is the least."
        ));
    }
    tx.keep(Kept::Hours(seat, Some(chosen)))?;
    let (from, to, zone) = (chosen.from, chosen.to, tx.zone(services, seat));
    let deadlines = match tx.live.deadlines.terms() {
        Some(_) => "a deadline that would pass outside passes an hour after they begin",
        None => "this game has no deadlines, so nothing changes for now",
    };
    Ok(format!(
        "Your hours are {from}:00 to {to}:00 ({zone}): reminders come only then, and {deadlines}. `hours off` ends it; `zone …` \
         says where you are."
    ))
}

/// Issues new tokens for a seat and makes all earlier ones void. A mail does this only once.
pub(crate) fn renew(tx: &mut Transaction, seat: Seat, why: WhyRenewed, mail: Option<Hash>) -> Result<(), OfficeError> {
    let Some(address) = tx.seats.player(seat).map(Player::commitment) else { return Ok(()) };
    let all = tx.secrets.renewed.get(&(seat, address));
    if mail.is_some() && all.is_some_and(|all| all.iter().any(|renewed| renewed.mail == mail)) {
        return Ok(());
    }
    Ok(tx.keep(Kept::Renewed(Renewed { seat, address, why, mail }))?)
}

/// Sets a player's preferences for orders and letters. Returns a report.
pub(crate) fn set_pace(tx: &mut Transaction, seat: Seat, pace: Pace) -> Result<String, OfficeError> {
    if pace != tx.pace(seat) {
        tx.keep(Kept::Pace(seat, pace))?;
    }
    Ok(pace::pace_in_words(tx, seat))
}
