//! Execution of commands to the service.

use crate::{
    carry_out::{addresses, barred, help, join, motions, order, pass_on, rematch, turns, waiting, work::Work},
    error::OfficeError,
    game::{advice, directors, map, pace, page, seats, story, watching},
    reading::{
        Origin, context,
        request::{Request, Standing},
    },
    services::Services,
    standing,
    transaction::{Transaction, rewinding, settings, stand_ins},
};
use postrider_letters::Failed;
use postrider_store::{Kept, Pace};

/// Carries out a command.
pub(crate) fn fulfil(
    tx: &mut Transaction,
    services: &mut Services,
    (request, line, place): (Request, &str, usize),
    work: &mut Work<'_>,
) -> Result<(), OfficeError> {
    // A query is answered only once per mail: the answer would be the same.
    if request.only_looks() {
        if work.looked.contains(&request) {
            return Ok(());
        }
        work.looked.push(request.clone());
    }
    match request {
        Request::EvenIf(words) if work.turns.is_some() => {
            work.even_if = Some(words);
            Ok(())
        }
        _ => {
            turns::leave_turns(tx, services, work)?;
            match request {
                Request::Back
                | Request::Ahead(_)
                | Request::Standing(Standing::Leave { .. } | Standing::End { .. } | Standing::Unclear)
                | Request::EvenIf(_)
                | Request::Pause => order_office(tx, services, (request, line, place), work),
                request if request.is_motion() => order_office(tx, services, (request, line, place), work),
                request => tell_office(tx, services, (request, line, place), work),
            }
        }
    }
}

/// Carries out commands that are not orders: queries and the player's settings.
fn tell_office(
    tx: &mut Transaction,
    services: &mut Services,
    (request, line, place): (Request, &str, usize),
    work: &mut Work<'_>,
) -> Result<(), OfficeError> {
    let Work { seat, from, ref context, ref mut reply, .. } = *work;
    if let Some(pace) = set_in(&request, tx.pace(seat)) {
        reply.notes.push(match request {
            Request::Advised(true) if advice::advisor(tx, services).is_none() => {
                "There is no advice in this game.".to_owned()
            }
            _ => settings::set_pace(tx, seat, pace)?,
        });
        return Ok(());
    }
    match request {
        Request::Join { luck } => reply.notes.push(join::joining(tx, services, seat, &luck, from)?),
        Request::Decline => reply.notes.push(join::declining(tx, services, seat, from, place)?),
        Request::OpenGames => reply.extra.push(story::open_games(services)?),
        Request::Rematch => reply.notes.push(rematch::rematch(tx, services, seat)?),
        Request::Log(lines) => reply.extra.push(story::last_lines(tx, seat, lines)),
        Request::Games => reply.extra.push(story::games_of(tx, services, seat)?),
        Request::Remind(name) => reply.notes.extend(pass_on::remind(tx, services, seat, &name, place, from)?),
        Request::Advice(wanted) => reply.extra.push(advice::advice(tx, services, seat, wanted)?),
        Request::Page => {
            reply.page = true;
            reply.notes.push(page::in_words(tx, services, seat));
        }
        Request::Map => reply.extra.push(map::map_section(tx, seat)?),
        Request::Status => {
            reply.status = true;
            if tx.live.started.is_some() {
                reply.notes.push(pace::pace_in_words(tx, seat));
                reply.notes.extend(directors::in_words(tx));
                reply.notes.extend(watching::watched_in_words(tx));
            } else {
                reply.notes.push(seats::waiting(tx));
            }
        }
        Request::Away(words) => {
            if let Some(why) = order::too_many_today(tx, services, seat, from) {
                reply.notes.push(why);
                return Ok(());
            }
            let written = stand_ins::Written { seat, words: &words, digest: order::words(tx, seat, from, line) };
            reply.notes.push(stand_ins::absence(tx, services, &written)?);
        }
        Request::Zone(zone) => reply.notes.push(settings::set_zone(tx, seat, zone)?),
        Request::Hours(hours) => reply.notes.push(settings::set_hours(tx, services, seat, hours)?),
        Request::Watch => reply.notes.push(
            "To watch another game, write `watch` and its name in a mail of its own. The host may have closed it to others."
                .to_owned(),
        ),
        Request::Data => {
            reply.data = true;
            reply.notes.push(
                "The attached file my-data.json contains everything stored about you in this game: it has your addresses and \
                 mails, so do not show it to anyone. When the game is over, or somebody else has your seat, the host can erase \
                 your data."
                    .to_owned(),
            );
        }
        Request::Stop => reply.notes.push(waiting::stop_waiting(tx, seat)?),
        Request::NewToken => reply.notes.push(waiting::renewed(tx, seat, from)?),
        Request::Address(wanted) => reply.notes.push(addresses::want_address(tx, services, seat, &wanted, from)?),
        Request::Help { subject } => {
            let hint = |words: &str| context.situation.hint(words, &context.people, false);
            reply.extra.extend(help::help(tx, services, subject.as_ref(), hint)?);
        }
        Request::Standing(_) => reply.notes.extend(standing::list(tx, seat)),
        Request::Boilerplate { forget } => {
            if forget {
                tx.keep(Kept::NoBoilerplate(seat))?;
            }
            reply.notes.extend(pace::boilerplate_in_words(tx, seat));
        }
        Request::Draft(_) => reply.notes.push("The game has not begun: there is no draft to keep.".to_owned()),
        _ => {}
    }
    Ok(())
}

/// Carries out commands that count among a mail's orders: they leave orders for later, or end, take
/// back or halt orders. After a failed order none of them is done.
fn order_office(
    tx: &mut Transaction,
    services: &mut Services,
    (request, line, place): (Request, &str, usize),
    work: &mut Work<'_>,
) -> Result<(), OfficeError> {
    let (seat, from) = (work.seat, work.from);
    let counts = match &request {
        Request::Back => work.takes_back,
        Request::EvenIf(_) => work.barred.is_none(),
        request if request.is_motion() => true,
        _ => work.may_leave(),
    };
    if !counts {
        return Ok(());
    }
    if request == Request::Pause && !work.pauses {
        work.reply.notes.push("You have no standing orders that could pause.".to_owned());
        return Ok(());
    }
    work.report.total += 1;
    if work.report.failed.is_some() {
        work.report.left.push(line.to_owned());
        return Ok(());
    }
    if let Some(why) = order::too_many_today(tx, services, seat, from) {
        work.fail(Failed { pointed: vec![line.to_owned()], why });
        return Ok(());
    }
    let done = match request {
        Request::Back => return fulfil_back(tx, services, line, work),
        request if request.is_motion() => motions::take(tx, services, &request, line, work),
        Request::Ahead(orders) => standing::look_ahead(tx, services, seat, &orders, from, place),
        Request::Standing(standing) => standing::stand(tx, services, seat, standing, from, place),
        Request::EvenIf(words) => {
            let orders = vec![match words.as_str() {
                "" => "whatever happens".to_owned(),
                words => format!("even if {words}"),
            }];
            let kind = tx.live.opened.ruleset.by_turns().first().map_or("", |rule| rule.kind).to_owned();
            let leave = Standing::Leave { kind, orders, always: false, name: String::new(), first: false };
            standing::stand(tx, services, seat, leave, from, place)
        }
        _ => tx.pause(services, seat).map(|()| {
            "standing pause: your standing orders answer nothing in this Round until you answer again".to_owned()
        }),
    };
    work.note(line, done)
}

/// Takes back the player's last order.
fn fulfil_back(tx: &mut Transaction, services: &Services, line: &str, work: &mut Work<'_>) -> Result<(), OfficeError> {
    let (seat, from, access) = (work.seat, work.from, work.access);
    if let Some(n) = work.backs_before.pop_front() {
        work.report.done.push(rewinding::undone(n));
        return Ok(());
    }
    let mail = match from {
        Origin::Mail { hash, .. } => Some(*hash),
        Origin::Cli => None,
    };
    let done = rewinding::take_back(tx, services, seat, mail);
    work.note(line, done)?;
    // The question that it answered may be open again.
    work.barred = barred::barred(tx, seat, from, access)?;
    work.context = context::context(tx, services, seat, from, access)?;
    Ok(())
}

/// Returns the player's settings for letters as changed by a request, or `None` if the request is
/// no such setting.
fn set_in(request: &Request, pace: Pace) -> Option<Pace> {
    Some(match *request {
        Request::Messages(messages) => Pace { messages, ..pace },
        Request::Digest(digest) => Pace { digest, ..pace },
        Request::Advised(advice) => Pace { advice: Some(advice), ..pace },
        Request::Confirm(confirm) => Pace { confirm, ..pace },
        Request::Delay(delay) => Pace { delay, ..pace },
        Request::Letters(letters) => Pace { letters, ..pace },
        _ => return None,
    })
}
