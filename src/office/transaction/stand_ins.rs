//! Absences noted, bots that stand in, clocks that rest.

use crate::{
    dates::Absence,
    error::OfficeError,
    game::{
        absence,
        local_time::{begins, local_day},
    },
    services::Services,
    transaction::{Transaction, ticking},
};
use chrono::NaiveDate;
use postrider_journal::{Body, ClockEvent, Json, Ruling};
use postrider_store::{Away, Kept, WhenAway};
use postrider_table::Seat;

/// Notes what a player writes about his absence; says it.
pub(crate) fn absence(
    tx: &mut Transaction,
    services: &Services,
    seat: Seat,
    words: &[String],
) -> Result<String, OfficeError> {
    let zone = tx.zone(services, seat).to_owned();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (from, until) = match Absence::read(&words, local_day(&zone, services.environment.now())) {
        Err(why) => return Ok(format!("Your absence was not noted: {why}.")),
        Ok(Absence::Over) => return back_again(tx, services, seat),
        Ok(Absence::Days(from, until)) => (from, until),
    };
    let after = until.succ_opt().unwrap_or(until);
    let noted = Away {
        from: begins(&zone, from),
        until: begins(&zone, after),
        // A bot that stands in goes on, or ends, as the new days say.
        stands_in: tx.secrets.away.get(&seat).is_some_and(|away| away.stands_in),
    };
    tx.keep(Kept::Away(seat, Some(noted)))?;
    let day = |day: NaiveDate| day.format("%a %-d %b %Y").to_string();
    let then = match (&tx.secrets.when_away, tx.live.deadlines.terms()) {
        (WhenAway::Bot(bot), _) => format!("The bot {bot} plays for you then, as this table has agreed."),
        (WhenAway::Pause, Some(_)) => {
            "While the game waits for you then, all deadlines stand still, as this table has agreed.".to_owned()
        }
        _ => "While the game waits for you then, the others read it in their letters.".to_owned(),
    };
    Ok(format!(
        "You are away from {} to the end of {} ({zone}). {then} What you order meanwhile counts all the same; `away off` says that \
         you are back.",
        day(from),
        day(until)
    ))
}

fn back_again(tx: &mut Transaction, services: &Services, seat: Seat) -> Result<String, OfficeError> {
    let Some(away) = tx.secrets.away.get(&seat).copied() else {
        return Ok("You were not away: nothing was changed.".to_owned());
    };
    if away.stands_in {
        replaced(tx, services, seat, None)?;
    }
    tx.keep(Kept::Away(seat, None))?;
    Ok("You are back.".to_owned())
}

/// Lets a bot play for a player, or no longer, and makes the journal's line that says so.
pub(crate) fn replaced(
    tx: &mut Transaction,
    services: &Services,
    seat: Seat,
    bot: Option<&str>,
) -> Result<String, OfficeError> {
    let text = match bot {
        Some(name) => format!("The bot {name} plays seat {seat} while its player is away."),
        None => format!("The player of seat {seat} plays again himself; no bot stands in for him."),
    };
    tx.keep(Kept::StandIn { seat, bot: bot.map(str::to_owned) })?;
    let ruling = Ruling { by: "host".to_owned().into(), text: text.clone().into(), effect: Json::empty() };
    match tx.live.dyn_game.is_some() {
        true => _ = tx.rule(services, ruling)?,
        false => _ = tx.line(services, &Body::Ruling(ruling))?,
    }
    Ok(text)
}

/// Has bots play for players who are away, and no longer for those who are back, where the table has agreed on that.
pub(crate) fn seat_all(tx: &mut Transaction, services: &Services) -> Result<(), OfficeError> {
    if tx.live.started.is_none() || tx.live.closed {
        return Ok(());
    }
    let now = services.environment.now().timestamp();
    for (seat, away) in tx.secrets.away.clone() {
        let is_away = away.from <= now && now < away.until;
        match &tx.secrets.when_away {
            WhenAway::Bot(bot) if is_away && tx.seats.bot(seat).is_none() => {
                let bot = bot.clone();
                tx.keep(Kept::Away(seat, Some(Away { stands_in: true, ..away })))?;
                replaced(tx, services, seat, Some(&bot))?;
            }
            _ if !is_away && away.stands_in => {
                if tx.seats.stand_ins.contains_key(&seat) {
                    replaced(tx, services, seat, None)?;
                }
                tx.keep(Kept::Away(seat, Some(Away { stands_in: false, ..away })))?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Has the deadlines stand still while the game waits for somebody who is away, and go on when it does no longer, where the
/// table has agreed on that. The lines are not yet appended. True when they say that it goes on: that is to be kept in mind
/// once they are.
pub(crate) fn rest(tx: &mut Transaction, services: &Services) -> Result<bool, OfficeError> {
    let nobody = tx.secrets.away.is_empty() && !tx.secrets.rests;
    if nobody || tx.live.deadlines.terms().is_none() || tx.live.started.is_none() || tx.live.closed {
        return Ok(false);
    }
    let waiting: Vec<_> = tx.asked()?.into_iter().filter(|asked| asked.required).collect();
    let waits = absence::rests_for(tx, services, &waiting).is_some();
    let event = match (waits, tx.live.deadlines.paused()) {
        (true, false) => {
            tx.keep(Kept::Rests(true))?;
            ClockEvent::Paused
        }
        (false, true) if tx.secrets.rests => ClockEvent::Resumed,
        // The host had it go on by himself.
        (false, false) => return Ok(tx.secrets.rests),
        _ => return Ok(false),
    };
    for asked in &waiting {
        ticking::clock_line(tx, services, asked, event)?;
    }
    Ok(event == ClockEvent::Resumed)
}
