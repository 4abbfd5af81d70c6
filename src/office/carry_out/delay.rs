//! Delayed orders: after `delay 10 minutes`, every mail with orders waits that long. `stop` takes
//! it back; `tick` takes it in.
//!
//! The parts of the mail that are needed later are stored next to the journal. Only the sender is
//! told. The mail is taken in no later than the deadline of the question that it answers.

use crate::{
    carry_out::{self, addresses, barred, waiting, work::Work},
    error::OfficeError,
    game::{
        Game,
        handled::{self, copies},
    },
    reading::{
        Access, Origin, answered,
        request::Request,
        value::{Line, Reading},
    },
    services::Services,
    transaction::{Transaction, reply::Reply},
};
use chrono::DateTime;
use postrider_dice::{Hash, h};
use postrider_mail::{Incoming, OrderLine, OrderText};
use postrider_replay::{Deadline, deadlines::moment};
use postrider_store::{Kept, Waiting};

/// Sets a mail aside if its sender asked for a delay and it contains orders. The reply says until
/// when it waits. `stop` and `back` are never delayed.
pub(crate) fn put_aside(
    tx: &mut Transaction,
    services: &Services,
    lines: &[Line],
    reading: &Reading,
    work: &Work<'_>,
) -> Result<Option<Reply>, OfficeError> {
    let Work { seat, access, .. } = *work;
    let Origin::Mail { mail, hash, .. } = *work.from else { return Ok(None) };
    let delay = tx.pace(seat).delay;
    let orders = tx.live.started.is_some() && reading.orders().next().is_some();
    let now = reading.has(|request| matches!(request, Request::Stop | Request::Back));
    if delay == 0 || !orders || now || waits(tx, hash) || barred::barred(tx, seat, work.from, access)?.is_some() {
        return Ok(None);
    }
    let question = match access {
        Access::Question(id) => Some((id, tx.voided(id))),
        _ => None,
    };
    let mut until = services.now().timestamp() + 60 * i64::from(delay);
    if let Some((id, _)) = question
        && let Some(Deadline::Until(deadline)) = tx.live.deadlines.deadline(id)
    {
        until = until.min(deadline.timestamp());
    }
    let waiting = Waiting {
        mail: hash,
        until,
        question,
        author: mail.author().unwrap_or_default().to_owned(),
        message_id: mail.message_id.clone(),
        in_reply_to: mail.in_reply_to.clone(),
        references: mail.references.clone(),
        subject: mail.subject.clone(),
        lines: lines.iter().filter(|line| line.marked.is_none()).map(|line| (line.no, line.text.clone())).collect(),
    };
    tx.keep(Kept::Waiting(seat, waiting))?;
    tx.keep(handled::of(hash, copies(mail)))?;
    let at = DateTime::from_timestamp(until, 0).map(|at| moment(at, tx.zone(services, seat)));
    let note = format!(
        "Your orders wait until {}; nothing is done before, and nobody else hears of them. `stop`, in a reply to any letter of \
         this game, takes them back.",
        at.unwrap_or_default()
    );
    let mut notes = vec![note];
    // New tokens and addresses cannot wait: until then, an answer to a stolen letter would count.
    for request in reading.commands() {
        match request {
            Request::NewToken => notes.push(waiting::renewed(tx, seat, work.from)?),
            Request::Address(wanted) => {
                notes.push(addresses::want_address(tx, services, seat, wanted, work.from)?);
            }
            _ => {}
        }
    }
    Ok(Some(Reply { notes, ..Reply::default() }))
}

/// Returns `true` if a mail was set aside and still waits.
pub(crate) fn waits(game: &Game, hash: Hash) -> bool {
    game.secrets.waiting.iter().any(|(_, waiting)| waiting.mail == hash)
}

/// Gives a reply its letter's name. A waiting mail gets a notice now and an answer later, so their
/// names differ.
pub(crate) fn answer(game: &Game, reply: &mut Reply, mail: &Incoming, hash: Hash) {
    match waits(game, hash) {
        true => {
            reply.answer(mail, h("postrider/waits/v1", &[&hash.to_string()]));
            reply.copies = None;
        }
        false => reply.answer(mail, hash),
    }
}

/// Takes in a mail whose delay has passed. Returns `false` if there is none.
pub(crate) fn take_waiting(tx: &mut Transaction, services: &mut Services) -> Result<bool, OfficeError> {
    let now = services.now().timestamp();
    let Some((seat, waiting)) = tx.secrets.waiting.iter().find(|(_, one)| one.until <= now).cloned() else {
        return Ok(false);
    };
    tx.news.beside.kept.push(Kept::Waited(waiting.mail));
    // The seat may have another player now.
    if tx.seats.player(seat).is_some_and(|player| player.address.eq_ignore_ascii_case(&waiting.author)) {
        let line = |(no, text): &(usize, String)| Line { text: text.clone(), no: *no, marked: None };
        let lines: Vec<Line> = waiting.lines.iter().map(line).collect();
        let access = match waiting.question {
            Some((id, voided)) if tx.voided(id) == voided => Access::Question(id),
            Some(_) => Access::Undone,
            None => Access::Letterbox,
        };
        let order = |line: &Line| OrderLine { text: line.text.clone(), after_blank: false, marked: None };
        let orders = OrderText { lines: lines.iter().map(order).collect(), ..OrderText::default() };
        let mut mail = Incoming::of_lines(&waiting.author, waiting.mail.to_string(), orders);
        mail.subject.clone_from(&waiting.subject);
        mail.message_id.clone_from(&waiting.message_id);
        mail.in_reply_to.clone_from(&waiting.in_reply_to);
        mail.references.clone_from(&waiting.references);
        let letter = answered::answered(tx, services, &mail, seat)?;
        let mut reply = carry_out::take_in_lines(
            tx,
            services,
            seat,
            &lines,
            &Origin::Mail { mail: &mail, hash: waiting.mail, letter: letter.as_ref() },
            access,
        )?;
        reply.answer(&mail, waiting.mail);
        tx.news.answer_player(seat, reply);
    }
    Ok(true)
}
