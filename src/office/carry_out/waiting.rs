//! Orders that wait: `delay 10 minutes` keeps every mail with orders for so long, `stop` takes it back, `tick` takes it in.
//!
//! What waits is kept beside the journal: what of the mail is needed to take it in later as if it came then. Nobody but its writer
//! hears of it. It is taken in no later than at the deadline of the question that it answers.

use crate::{
    admission::{address, copies},
    carry_out::{self, addresses, barred},
    error::OfficeError,
    game::Game,
    post::{Reply, settle},
    reading::{
        Access, Origin,
        address_words::AddressWanted,
        read,
        reading::Line,
        request::{Request, said},
    },
    services::Services,
    transaction::{Transaction, settings},
};
use chrono::DateTime;
use postrider_dice::{Hash, h};
use postrider_mail::{Incoming, OrderLine, OrderText};
use postrider_replay::{Deadline, deadlines::moment};
use postrider_store::{Kept, LetterLength, Messages, Pace, Player, Waiting, WhyRenewed};
use postrider_table::Seat;
use std::collections::BTreeMap;

/// The same in sentences, with what waits.
pub(crate) fn pace_in_words(game: &Game, seat: Seat) -> String {
    let Pace { confirm, delay, letters, messages, digest, advice } = game.pace(seat);
    let confirms = match confirm {
        true => "Every order of yours is confirmed first (`confirm never` ends that).",
        false => "Orders that are clear are done without a further question (`confirm always` changes that).",
    };
    let delays = match delay {
        0 => "They do not wait.".to_owned(),
        1 => "They wait a minute (`delay off` ends that).".to_owned(),
        minutes => format!("They wait {minutes} minutes (`delay off` ends that)."),
    };
    let letters = match letters {
        LetterLength::Usual => "",
        LetterLength::Short => " Your letters are short (`letters usual` ends that).",
        LetterLength::Long => " Your letters are long (`letters usual` ends that).",
    };
    let words = match messages {
        Messages::Now => "",
        Messages::Later => " Words of others come with your next letter (`messages now` ends that).",
    };
    let collected = match digest {
        None => String::new(),
        Some(digest) => {
            format!(" When nothing is asked of you, you are written to {} (`digest off` ends that).", digest.words())
        }
    };
    let advised = match advice {
        None => "",
        Some(true) => " Letters list what the steady bot would answer (`advice off` ends that).",
        Some(false) => " No advice stands in your letters (`advice on` changes that).",
    };
    let waiting = game.secrets.waiting.iter().filter(|(whose, _)| *whose == seat).count();
    let waits = match waiting {
        0 => String::new(),
        1 => " A mail of yours waits; `stop` takes it back.".to_owned(),
        mails => format!(" {mails} mails of yours wait; `stop` takes them back."),
    };
    format!("{confirms} {delays}{waits}{letters}{words}{collected}{advised}")
}

/// Returns true if a mail is to wait: all of it is read, it holds orders, and nothing in it speaks of now.
pub(crate) fn is_to_wait(
    game: &mut Game,
    services: &Services,
    seat: Seat,
    lines: &[Line],
    from: &Origin<'_>,
    access: Access,
) -> Result<bool, OfficeError> {
    if game.live.started.is_none() {
        return Ok(false);
    }
    let (reading, _) = read::read(game, services, seat, lines, from, access)?;
    let now =
        |request: &Request| matches!(request, Request::Preview | Request::Stop | Request::Back | Request::Draft(_));
    Ok(reading.orders().next().is_some() && reading.unread().next().is_none() && !reading.has(now))
}

/// Makes new tokens for a player who asks for them; says it.
pub(crate) fn renewed(tx: &mut Transaction, seat: Seat, from: &Origin<'_>) -> Result<String, OfficeError> {
    if !tx.seats.player(seat).is_some_and(Player::by_mail) {
        return Ok("Nobody is written to at this seat: there is no token to renew.".to_owned());
    }
    let mail = match from {
        Origin::Mail { hash, .. } => Some(*hash),
        Origin::Cli => None,
    };
    settings::renew(tx, seat, WhyRenewed::Asked, mail)?;
    let waits = match tx.secrets.waiting.iter().any(|(whose, _)| *whose == seat) {
        true => " Orders that wait were sent before and will be done; `stop` takes them back.",
        false => "",
    };
    Ok(format!(
        "Your seat has a new token: all letters from before this one are void, whoever has them. Please answer this letter or a \
         newer one.{waits}"
    ))
}

/// Puts a mail with orders aside if its writer wants that, and tells him until when it waits.
pub(crate) fn put_aside(
    tx: &mut Transaction,
    services: &Services,
    seat: Seat,
    (mail, hash): (&Incoming, Hash),
    lines: &[Line],
    access: Access,
) -> Result<Option<Reply>, OfficeError> {
    let delay = tx.pace(seat).delay;
    if delay == 0 || barred::barred(tx, seat, &Origin::Mail { mail, hash }, access)?.is_some() {
        return Ok(None);
    }
    let question = match access {
        Access::Question(id) => Some((id, tx.voided(id))),
        _ => None,
    };
    let mut until = services.environment.now().timestamp() + 60 * i64::from(delay);
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
        lines: lines.iter().map(|line| (line.no, line.text.clone())).collect(),
    };
    tx.keep(Kept::Waiting(seat, waiting))?;
    tx.keep_written(BTreeMap::new(), Some(hash), copies(mail))?;
    let at = DateTime::from_timestamp(until, 0).map(|at| moment(at, tx.zone(services, seat)));
    let note = format!(
        "Your orders wait until {}; nothing is done before, and nobody else hears of them. `stop`, in a reply to any letter of \
         this game, takes them back.",
        at.unwrap_or_default()
    );
    let mut notes = vec![note];
    // That is not to wait: somebody may have a letter whose answer would count until then.
    if lines.iter().any(|line| said(&line.text) == Some(Request::NewToken)) {
        notes.push(renewed(tx, seat, &Origin::Mail { mail, hash })?);
    }
    for wanted in lines.iter().filter_map(|line| AddressWanted::of(&line.text)) {
        notes.push(addresses::want_address(tx, services, seat, &wanted, &Origin::Mail { mail, hash })?);
    }
    let mut reply = Reply { notes, ..Reply::default() };
    address(&mut reply, mail, h("postrider/waits/v1", &[&hash.to_string()]));
    reply.copies = None;
    Ok(Some(reply))
}

/// Takes in every mail that has waited long enough.
pub(crate) fn take_waiting(tx: &mut Transaction, services: &mut Services) -> Result<(), OfficeError> {
    let now = services.environment.now().timestamp();
    while let Some((seat, waiting)) = tx.secrets.waiting.iter().find(|(_, one)| one.until <= now).cloned() {
        // Who had the seat then has it no longer.
        let his = tx.seats.player(seat).is_some_and(|player| player.address.eq_ignore_ascii_case(&waiting.author));
        if !his {
            tx.keep(Kept::Waited(waiting.mail))?;
            continue;
        }
        let line = |(no, text): &(usize, String)| Line { text: text.clone(), no: *no, marked: None };
        let lines: Vec<Line> = waiting.lines.iter().map(line).collect();
        let access = match waiting.question {
            Some((id, voided)) if tx.voided(id) == voided => Access::Question(id),
            Some(_) => Access::Undone,
            None => Access::Letterbox,
        };
        let order =
            |line: &Line| OrderLine { text: line.text.clone(), line_no: line.no, after_blank: false, marked: None };
        let orders = OrderText { lines: lines.iter().map(order).collect(), ..OrderText::default() };
        let mut mail = Incoming::of_lines(&waiting.author, waiting.mail.to_string(), orders);
        mail.subject.clone_from(&waiting.subject);
        mail.message_id.clone_from(&waiting.message_id);
        mail.in_reply_to.clone_from(&waiting.in_reply_to);
        mail.references.clone_from(&waiting.references);
        let mut reply = carry_out::take_in_lines(
            tx,
            services,
            seat,
            &lines,
            &Origin::Mail { mail: &mail, hash: waiting.mail },
            access,
        )?;
        address(&mut reply, &mail, waiting.mail);
        settle::settle(tx, services, Some((seat, reply)))?;
        tx.keep(Kept::Waited(waiting.mail))?;
    }
    Ok(())
}

/// Takes back all that waits of a seat; says it.
pub(crate) fn stop_waiting(tx: &mut Transaction, seat: Seat) -> Result<String, OfficeError> {
    let mine: Vec<Waiting> =
        tx.secrets.waiting.iter().filter(|(whose, _)| *whose == seat).map(|(_, one)| one.clone()).collect();
    let lines: Vec<String> = mine.iter().flat_map(|one| &one.lines).map(|(_, line)| format!("\"{line}\"")).collect();
    for waiting in &mine {
        tx.keep(Kept::Waited(waiting.mail))?;
    }
    Ok(format!("Taken back, and never done: {}.", lines.join("; ")))
}
