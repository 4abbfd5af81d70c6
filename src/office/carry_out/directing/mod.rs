//! Directors' actions, by mail or by command. For each there is a description of its effect, and
//! its execution.

pub(crate) mod clock;
pub(crate) mod looks;
pub(crate) mod people;
pub(crate) mod result;
pub(crate) mod rewinding;
pub(crate) mod ruling;

use crate::{
    dates::Until,
    error::{NotDone, OfficeError},
    game::{
        Game,
        directors::{self, By, one_line},
        local_time::local_day,
        messages::NewMessage,
        names::{Meant, meant},
        refusals::sentence,
    },
    misuse::Misuse,
    reading::directive::Act,
    services::Services,
    transaction::{Transaction, saying},
};
use chrono::SecondsFormat;
use postrider_journal::What;
use postrider_letters::{Block, Section};
use postrider_orders::list_and;
use postrider_replay::{Checkpoint, Deadline};
use postrider_store::{Party, bot_name};
use postrider_table::Seat;
use result::Given;
use rewinding::RewindGame;
use ruling::RulingGiven;
use serde_json::json;
use std::collections::BTreeMap;

/// Describes the effect of an action without carrying it out.
///
/// # Errors
/// A refusal, if carrying it out would be refused.
pub(crate) fn foresee(
    tx: &mut Transaction,
    services: &mut Services,
    by: &By<'_>,
    act: &Act,
) -> Result<Vec<Section>, NotDone> {
    foreseen(tx, services, by, act).map_err(refused)
}

/// Carries out a director's action. Returns a report of one sentence. The lines are not yet
/// appended.
///
/// # Errors
/// A refusal; nothing of the action has been done then.
pub(crate) fn carry_out(
    tx: &mut Transaction,
    services: &mut Services,
    by: &By<'_>,
    act: &Act,
) -> Result<String, NotDone> {
    carried_out(tx, services, by, act).map_err(refused)
}

/// Turns the rejection of an invalid request into a refusal; other errors remain errors.
pub(crate) fn refused(why: OfficeError) -> NotDone {
    match why {
        OfficeError::Use(_) | OfficeError::Checkpoint(_) => NotDone::why(sentence(&why.to_string())),
        other => NotDone::Error(other),
    }
}

fn foreseen(
    tx: &mut Transaction,
    services: &mut Services,
    by: &By<'_>,
    act: &Act,
) -> Result<Vec<Section>, OfficeError> {
    directors::check(tx, by.name)?;
    let said = match act {
        Act::Rule { of, effect, text } => {
            let given = RulingGiven { by: by.name.to_owned(), text: text.clone(), effect: effect.clone(), of: *of };
            return tried(tx, services, by, &given);
        }
        Act::Extend { whom, time, reason } => {
            let given = extension(tx, services, by, whom, time, reason)?;
            return tried(tx, services, by, &given);
        }
        Act::Rewind { points } => {
            let wanted = rewind_to(tx, by, points, true);
            return Ok(rewinding::rewind(tx, services, &wanted, None)?.report);
        }
        Act::Reopen { reason } => {
            let wanted = rewinding::reopening(tx, by.name, reason, true)?;
            return Ok(rewinding::rewind(tx, services, &wanted, None)?.report);
        }
        Act::Result { reason, .. } | Act::Abandon { reason } => {
            let given = result_of(tx, act, reason)?;
            format!("Would be entered for {}: {}.", tx.id, result::check(tx, services, by, given)?.0)
        }
        Act::Pause { pause, .. } => {
            clock::changes(tx, *pause)?;
            match pause {
                true => "All deadlines of the game would stop.".to_owned(),
                false => "All deadlines of the game would run again.".to_owned(),
            }
        }
        Act::StandIn { whom, bot } => {
            let seat = seat_called(tx, whom)?;
            people::check_stand_in(tx, seat, bot.as_deref())?;
            match bot {
                Some(bot) => {
                    let end = people::last_person(tx, seat).map(|why| format!(" {why}")).unwrap_or_default();
                    format!("The bot {bot} would play for {}.{end}", tx.seats.called(seat))
                }
                None => format!("{} would play again.", tx.seats.called(seat)),
            }
        }
        Act::Reseat { whom, who } => {
            let seat = seat_called(tx, whom)?;
            let who = people::check_reseat(tx, seat, &who.parse()?, false)?;
            let end = people::last_person(tx, seat).filter(|_| bot_name(&who.address).is_some());
            let end = end.map(|why| format!(" {why}")).unwrap_or_default();
            format!("{} would play seat {seat}, in place of {}.{end}", who.name, tx.seats.called(seat))
        }
        Act::Warn { whom, text } => {
            format!("All players would read: {} is warned: {text}", tx.seats.called(seat_called(tx, whom)?))
        }
        Act::Tell { whom, text } => {
            let to: Vec<String> = addressed(tx, whom)?.into_iter().map(|seat| tx.seats.called(seat)).collect();
            format!("{} would read, and nobody else: {}", list_and(&to), one_line("a message", text)?)
        }
        Act::NewToken => "All earlier letters to you would become void. A new one would follow.".to_owned(),
    };
    Ok(vec![Section::paragraph(said)])
}

fn carried_out(tx: &mut Transaction, services: &mut Services, by: &By<'_>, act: &Act) -> Result<String, OfficeError> {
    directors::check(tx, by.name)?;
    match act {
        Act::Rule { of, effect, text } => {
            let given = RulingGiven { by: by.name.to_owned(), text: text.clone(), effect: effect.clone(), of: *of };
            ruled(tx, services, by, &given)
        }
        Act::Extend { whom, time, reason } => {
            let given = extension(tx, services, by, whom, time, reason)?;
            ruled(tx, services, by, &given)
        }
        Act::Rewind { points } => {
            let wanted = rewind_to(tx, by, points, false);
            rewound(tx, services, by, &wanted)
        }
        Act::Reopen { reason } => {
            let wanted = rewinding::reopening(tx, by.name, reason, false)?;
            rewound(tx, services, by, &wanted)
        }
        Act::Result { reason, .. } | Act::Abandon { reason } => {
            let given = result_of(tx, act, reason)?;
            result::decide(tx, services, by, given)
        }
        Act::Pause { pause, reason } => {
            clock::changes(tx, *pause)?;
            let plain = if *pause { "All deadlines are stopped" } else { "All deadlines run again" };
            let n = tx.rule_in_words(services, by, because(plain, reason)?)?;
            clock::set(tx, services, *pause)?;
            Ok(format!("entry {n}: {plain}."))
        }
        Act::StandIn { whom, bot } => {
            let seat = seat_called(tx, whom)?;
            people::check_stand_in(tx, seat, bot.as_deref())?;
            people::replace(tx, services, seat, bot.as_deref(), by)
        }
        Act::Reseat { whom, who } => {
            let seat = seat_called(tx, whom)?;
            let who = people::check_reseat(tx, seat, &who.parse()?, false)?;
            // A journal contains no names of players.
            tx.rule_in_words(services, by, format!("Seat {seat} is given to another player."))?;
            people::reseat(tx, services, seat, &who, false)?;
            Ok(format!("{} plays seat {seat} from now on, and is written to.", who.name))
        }
        Act::Warn { whom, text } => {
            let seat = seat_called(tx, whom)?;
            let text = one_line("a warning", text)?;
            let n = tx.rule_in_words(services, by, format!("@{seat} is warned: {text}"))?;
            Ok(format!("entry {n}: {} is warned.", tx.seats.called(seat)))
        }
        Act::Tell { whom, text } => {
            let to = addressed(tx, whom)?;
            let told: Vec<String> = to.iter().map(|&seat| tx.seats.called(seat)).collect();
            let text = format!("{} ({})", one_line("a message", text)?, by.name);
            let to = to.into_iter().map(Party::Seat).collect();
            // A mail that is processed again must not send the message twice.
            let mail = by.words.map(|words| (words, 0));
            saying::say(tx, services, NewMessage { by: Party::Directors, anonymous: false, to, text, mail })?;
            Ok(format!("Sent to {}.", list_and(&told)))
        }
        Act::NewToken => {
            directors::renew(tx, by.name)?;
            Ok("All earlier letters to you are void.".to_owned())
        }
    }
}

/// Returns the players to whom a director writes: one, or all who get letters.
fn addressed(game: &Game, whom: &str) -> Result<Vec<Seat>, OfficeError> {
    if meant(whom) == Some(Meant::Everybody) {
        return Ok(game.seats.players.iter().filter(|player| player.by_mail()).map(|player| player.seat).collect());
    }
    Ok(vec![seat_called(game, whom)?])
}

fn ruled(tx: &mut Transaction, services: &Services, by: &By<'_>, given: &RulingGiven) -> Result<String, OfficeError> {
    let (n, told) = ruling::take_ruling(tx, services, given, by.words)?;
    Ok(format!("entry {n}: {}", told.join(" ")))
}

fn rewound(tx: &mut Transaction, services: &Services, by: &By<'_>, to: &RewindGame) -> Result<String, OfficeError> {
    let done = rewinding::rewind(tx, services, to, by.words)?;
    Ok(format!("rewound to entry {} ({})", done.to, done.place))
}

/// Returns the result that an action gives the game; an abandoned game has no places.
fn result_of<'g>(game: &Game, act: &Act, reason: &'g str) -> Result<Given<'g>, Misuse> {
    let (places, adjudicated) = match act {
        Act::Result { places, adjudicated, .. } => (result::places(game, places)?, *adjudicated),
        _ => (BTreeMap::new(), false),
    };
    Ok(Given { what: What::Result(places), reason, adjudicated })
}

/// Returns the rewind to the last of these points that exists in the game, which has the longest
/// heading.
fn rewind_to(game: &Game, by: &By<'_>, points: &[(Checkpoint, String)], dry_run: bool) -> RewindGame {
    let known = points.iter().rev().find(|(to, _)| game.live.find(to).is_ok());
    let (to, reason) = known.unwrap_or(&points[0]).clone();
    RewindGame { to, by: by.name.to_owned(), reason, dry_run }
}

/// Tries a ruling on the game as stored.
fn tried(
    tx: &Transaction,
    services: &mut Services,
    by: &By<'_>,
    given: &RulingGiven,
) -> Result<Vec<Section>, OfficeError> {
    let mut trial = Transaction::dry_run(Game::look(services, &tx.id, None)?);
    let tried = ruling::try_ruling(&mut trial, services, given, by.words)?;
    let mut blocks = vec![Block::paragraph(format!("The players would read: {}", tried.told.join(" ")), 0)];
    if !tried.changes.is_empty() {
        blocks.push(Block::paragraph(
            "The position, as everybody sees it, would change in these lines (- now, + then):",
            0,
        ));
        blocks.push(Block::Said(tried.changes));
    }
    Ok(vec![Section::of(blocks)])
}

/// Returns the ruling that extends a player's deadline.
fn extension(
    game: &Game,
    services: &Services,
    by: &By<'_>,
    whom: &str,
    time: &str,
    reason: &str,
) -> Result<RulingGiven, OfficeError> {
    let (seat, now) = (seat_called(game, whom)?, services.now());
    let no_time = || Misuse::NoExtension { text: time.to_owned() };
    let Some(Until::In(more)) = Until::read(time, local_day(&services.host.settings.time_zone, now)) else {
        return Err(no_time().into());
    };
    let asked = crate::game::clock::clocked(game)?.into_iter().filter(|asked| asked.seat == seat);
    let of = |deadline| match deadline {
        Deadline::Until(until) | Deadline::Expired(until) => Some(until),
        Deadline::Paused(_) => None,
    };
    // From the deadline, even if it has passed: the time of the `yes` must not change what it confirms.
    let last = asked.filter_map(|asked| of(game.live.deadlines.deadline(asked.id)?)).max();
    let until = last.unwrap_or(now) + more;
    let effect = json!({ "deadline": {
        "seat": game.live.seat_name(seat), "until": until.to_rfc3339_opts(SecondsFormat::Secs, true),
    } });
    let text = because("More time is given", reason)?;
    Ok(RulingGiven { by: by.name.to_owned(), text, effect, of: None })
}

/// Returns a sentence, followed by the reason if there is one.
fn because(plain: &str, reason: &str) -> Result<String, OfficeError> {
    if reason.is_empty() { Ok(plain.to_owned()) } else { Ok(format!("{plain}: {}", one_line("a reason", reason)?)) }
}

fn seat_called(game: &Game, name: &str) -> Result<Seat, Misuse> {
    match game.seats.seats_named(name)[..] {
        [seat] => Ok(seat),
        _ => Err(Misuse::NotASeat { letter: name.to_owned() }),
    }
}
