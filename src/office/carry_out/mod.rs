//! Carries out a mail that was read, line by line.

pub(crate) mod addresses;
pub(crate) mod barred;
pub(crate) mod delay;
pub(crate) mod directing;
pub(crate) mod draft;
pub(crate) mod fulfil;
pub(crate) mod help;
pub(crate) mod hold;
pub(crate) mod join;
pub(crate) mod motions;
pub(crate) mod order;
pub(crate) mod pass_on;
pub(crate) mod preview;
pub(crate) mod rematch;
pub(crate) mod trial;
pub(crate) mod turns;
pub(crate) mod waiting;
pub(crate) mod work;

use crate::{
    carry_out::work::{At, Work},
    error::{NotDone, OfficeError},
    game::undoing,
    reading::{
        Access, Origin, read,
        request::{Request, Standing},
        value::{Is, Line, ReadLine, Reading},
    },
    services::Services,
    standing,
    transaction::{Transaction, reply::Reply},
};
use postrider_letters::Failed;
use postrider_table::Seat;

/// Maximum number of orders in a mail.
const MOST_ORDERS: usize = 200;

/// Maximum length of all lines of a mail together, in characters.
const MOST_CHARS: usize = 40_000;

/// Maximum length of a line, in characters.
const LONGEST_LINE: usize = 2_000;

/// Reads the lines of a mail and carries them out.
pub(crate) fn take_in_lines(
    tx: &mut Transaction,
    services: &mut Services,
    seat: Seat,
    lines: &[Line],
    from: &Origin<'_>,
    access: Access,
) -> Result<Reply, OfficeError> {
    if let Some(why) = too_long(lines) {
        return Ok(nothing_done(why));
    }
    let (reading, context) = read::read(tx, services, seat, lines, from, access)?;
    if reading.orders().count() > MOST_ORDERS {
        let why = format!(
            "Nothing was done: your mail holds more than {MOST_ORDERS} orders, the most that is taken at once. Please send them in \
             several mails."
        );
        return Ok(nothing_done(why));
    }
    let begun = tx.live.started.is_some();
    let mut work = Work::new(seat, from, access, context, tx.place());
    if begun && reading.has(|request| matches!(request, Request::Draft(_))) {
        draft::change_draft(tx, &reading, &mut work)?;
        return Ok(work.reply);
    }
    if reading.has(|request| *request == Request::Preview) {
        preview::preview(tx, services, &reading, &mut work)?;
        return Ok(work.reply);
    }
    if hold::holds(tx, &reading, &work) {
        return hold::hold(tx, services, &reading, work);
    }
    if let Some(reply) = delay::put_aside(tx, services, lines, &reading, &work)? {
        return Ok(reply);
    }
    hold::learn_boilerplate(tx, &reading, from, seat)?;
    begin_work(tx, &reading, &mut work)?;
    for (place, line) in reading.lines.iter().enumerate() {
        do_line(tx, services, line, (&line.text, place), &mut work)?;
    }
    finish_work(tx, services, &reading, work)
}

/// Determines which parts of a mail count, before anything is done.
fn begin_work(tx: &mut Transaction, reading: &Reading, work: &mut Work<'_>) -> Result<(), OfficeError> {
    let (seat, from, access) = (work.seat, work.from, work.access);
    work.barred = barred::barred(tx, seat, from, access)?;
    work.leaves = work.barred.is_some() && barred::may_leave(tx, seat, from, access)?;
    let counts = tx.live.started.is_some() && !tx.live.closed && access != Access::Undone;
    work.takes_back = counts && reading.has(|request| *request == Request::Back);
    let joins = reading.has(|request| matches!(request, Request::Join { .. }));
    let ordered = reading.orders().next().is_some()
        || reading.has(|request| {
            *request == Request::Back
                || !work.leaves
                    && matches!(
                        request,
                        Request::Standing(Standing::Leave { .. } | Standing::End { .. }) | Request::Ahead(_)
                    )
        });
    if let Some(why) = work.barred.as_ref().filter(|_| ordered && !work.takes_back && !joins) {
        work.reply.refused = Some(why.clone());
        work.reply.notes.push(why.clone());
    }
    // `standing pause` applies to the whole mail, wherever it is: only the mail's own orders are
    // carried out.
    let leaves = |request: &Request| matches!(request, Request::Standing(Standing::Leave { .. }) | Request::Ahead(_));
    // It also suspends the answers that a game gives automatically.
    let stands = !tx.all_standing(seat).is_empty() || reading.has(leaves) || reading.orders().next().is_some();
    work.pauses = work.may_leave() && stands && reading.has(|request| *request == Request::Pause);
    if let Origin::Mail { hash, .. } = from {
        work.backs_before = undoing::taken_back_by(tx, *hash);
        work.before =
            tx.facts.mails.get(hash).map(|words| words.iter().copied().flatten().collect()).unwrap_or_default();
    }
    Ok(())
}

/// Carries out one line.
fn do_line(
    tx: &mut Transaction,
    services: &mut Services,
    line: &ReadLine,
    at: At<'_>,
    work: &mut Work<'_>,
) -> Result<(), OfficeError> {
    match &line.is {
        Is::Nothing => Ok(()),
        Is::Withdrawn => hold::withdraw(tx, work),
        // A line of a proposal or a draft.
        Is::Unread(why) => {
            work.report.total += 1;
            work.fail(Failed { pointed: why.pointed.clone(), why: why.why.clone() });
            Ok(())
        }
        Is::Command(request) => fulfil::fulfil(tx, services, (request.clone(), at.0, at.1), work),
        Is::Message(told) => {
            let notes = pass_on::pass_on(tx, services, work.seat, told.clone(), at, work.from)?;
            work.reply.notes.extend(notes);
            Ok(())
        }
        Is::Orders(all) => all.iter().try_for_each(|order| order::carry_out_order(tx, services, order, at, work)),
        Is::Draft(lines) => {
            let mut left = Vec::new();
            for line in lines {
                let (done, total) = (work.report.done.len(), work.report.total);
                do_line(tx, services, line, at, work)?;
                let (done, total) = (work.report.done.len() - done, work.report.total - total);
                left.extend(draft::left_of(line, done, total));
            }
            draft::keep_left(tx, work, left)
        }
        Is::Confirmed(lines) => {
            work.confirmed = true;
            lines.iter().try_for_each(|line| do_line(tx, services, line, at, work))?;
            work.confirmed = false;
            Ok(())
        }
    }
}

/// Finishes a mail after its last line, and returns the answer.
fn finish_work(
    tx: &mut Transaction,
    services: &mut Services,
    reading: &Reading,
    mut work: Work<'_>,
) -> Result<Reply, OfficeError> {
    turns::leave_turns(tx, services, &mut work)?;
    if work.report.failed.is_some() && standing::would_be_answered(tx, work.seat)? {
        tx.pause(services, work.seat).or_else(NotDone::only_errors)?;
        work.reply.notes.push(
            "Since not all of your orders were done, your standing orders answer nothing in this Round until you answer yourself: the \
             question that is open may be the one that you meant to answer."
                .to_owned(),
        );
    }
    if reading.lines.iter().all(|line| matches!(line.is, Is::Nothing)) {
        let people = &work.context.people;
        let hint = reading.lines.iter().find_map(|line| work.context.situation.hint(&line.text, people, false));
        let hint = hint.map(|hint| format!(" {hint}")).unwrap_or_default();
        work.reply.notes.push(format!("No order was found in your mail: nothing was done.{hint}"));
    }
    if let Some(offer) = hold::offer_left(tx, &work)? {
        work.reply.notes.push(offer);
    }
    let Work { report, mut reply, kinds, leaves, .. } = work;
    reply.kinds = kinds.into_iter().map(str::to_owned).collect();
    reply.order_report = (report.total > 0 && (reply.refused.is_none() || leaves)).then_some(report);
    Ok(reply)
}

/// Returns the answer to a mail of which nothing was carried out.
fn nothing_done(why: String) -> Reply {
    Reply { notes: vec![why.clone()], refused: Some(why), ..Reply::default() }
}

/// Returns the reason for refusing a mail whose lines exceed the limits.
fn too_long(lines: &[Line]) -> Option<String> {
    let length = |line: &Line| line.text.chars().count();
    if let Some(line) = lines.iter().find(|line| length(line) > LONGEST_LINE) {
        let start: String = line.text.chars().take(40).collect();
        return Some(format!(
            "Nothing was done: the line that begins \"{start}\" has {} characters, and a line has {LONGEST_LINE} at most. Please give \
             your orders a line each.",
            length(line)
        ));
    }
    let all: usize = lines.iter().map(length).sum();
    (all > MOST_CHARS).then(|| {
        format!(
            "Nothing was done: your mail has {all} characters besides what it quotes; the maximum is {MOST_CHARS}. Please send \
             it in several mails."
        )
    })
}
