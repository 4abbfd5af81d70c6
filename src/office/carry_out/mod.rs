//! Carrying out a mail that was read: line by line, each order by what is asked when its turn comes.

pub(crate) mod addresses;
pub(crate) mod barred;
pub(crate) mod draft;
pub(crate) mod fulfil;
pub(crate) mod help;
pub(crate) mod hold;
pub(crate) mod join;
pub(crate) mod leave;
pub(crate) mod pass_on;
pub(crate) mod preview;
pub(crate) mod trial;
pub(crate) mod turns;
pub(crate) mod waiting;
pub(crate) mod work;

use crate::{
    carry_out::work::{Before, Work},
    error::{NotDone, OfficeError},
    game::{
        Game,
        refusals::{refusal, sentence},
        undoing,
    },
    post::Reply,
    reading::{
        Access, Origin,
        context::Context,
        read,
        reading::{By, Is, Label, Line, Order, ReadLine, Reading},
        request::{Request, Standing},
    },
    services::Services,
    transaction::{Transaction, answering},
};
use postrider_dice::{Hash, sha256};
use postrider_journal::{Via, words_digest};
use postrider_letters::Failed;
use postrider_orders::{Misread, Phrase, list_or};
use postrider_replay::{FromMail, LiveFault};
use postrider_table::{PromptId, Seat, Understood};

/// Maximum number of orders in a mail.
const MOST_ORDERS: usize = 200;

/// Maximum length of all lines of a mail together, in characters.
const MOST_CHARS: usize = 40_000;

/// Maximum length of a line, in characters.
const LONGEST_LINE: usize = 2_000;

/// The line at hand: its text, by which its writer can prove an order, and its place in the mail.
pub(crate) type At<'l> = (&'l str, usize);

/// What an order means by what is asked now.
///
/// # Errors
/// A [`Misread`] if nothing that is asked of the seat reads it.
pub(crate) fn at_its_turn(game: &mut Game, order: &Order, work: &Work<'_>) -> Result<(Understood, String), Misread> {
    let (seat, phrase, words) = (work.seat, &order.phrase, order.phrase.text());
    let open = |session: &mut Game, prompt: PromptId| {
        session.asked().unwrap_or_default().iter().any(|asked| asked.id == prompt)
    };
    if let By::Listed(understood, listed) = &order.by {
        let listed = game.seats.named(listed);
        let same = Phrase::new(&listed).plain() == phrase.plain();
        if open(game, understood.prompt) {
            return Ok((understood.clone(), if same { listed } else { format!("{words} ({listed})") }));
        }
        // A letter stands for one list; words can be read again when the question comes again.
        if !same {
            return Err(phrase.reader().fail("the question with that list is not asked any more"));
        }
    }
    let understood = match &order.label {
        Some(Label::Number(number)) => {
            let prompt = work.context.sheet.numbered(*number).filter(|prompt| open(game, *prompt));
            let prompt =
                prompt.ok_or_else(|| phrase.reader().fail(format!("question {number} is not asked any more")))?;
            game.read_at(seat, prompt, phrase)?
        }
        Some(Label::Kind(kind)) => {
            let none = || phrase.reader().fail(format!("no question “{}” is open to you now", kind.replace('-', " ")));
            let prompt = game.asked_of(seat, kind).ok_or_else(none)?;
            game.read_at(seat, prompt, phrase)?
        }
        None => game.read(seat, phrase)?,
    };
    let sheet = &work.context.sheet;
    let same_kind = understood.kind == order.kind() && sheet.asks_kind(understood.kind);
    let ends = game.says_enough(phrase) && work.kinds.contains(understood.kind);
    if order.named || work.context.all_known || sheet.asks(understood.prompt) || same_kind || ends {
        return Ok((understood, words.to_owned()));
    }
    let why =
        format!("this would answer a question that you were not sent; `{}: {words}` would count", understood.kind);
    Err(phrase.reader().fail(why))
}

/// The digest of a line of a mail, by which its writer can prove that an order is his.
fn words(game: &Game, seat: Seat, from: &Origin<'_>, line: &str) -> Option<Hash> {
    let Origin::Mail { mail, .. } = from else { return None };
    let id = mail.message_id.as_deref().unwrap_or_default();
    Some(words_digest(&game.id, game.live.seat_name(seat), id, [line]))
}

/// What an order would bring about that its writer can hardly want.
pub(crate) fn dangers(game: &mut Game, understood: &Understood) -> Vec<String> {
    let Some(dyn_game) = &mut game.live.dyn_game else { return Vec::new() };
    let all = dyn_game.dangers(understood.prompt, &understood.order);
    all.iter().map(|one| game.seats.named(one)).collect()
}

/// Of words that begin with the name of an order, where no question is asked to which that order is given: which questions
/// these are.
fn asked_elsewhere(game: &mut Game, seat: Seat, phrase: &Phrase) -> Result<Option<String>, OfficeError> {
    let Some(verb) = phrase.words().first().map(|word| word.text.to_lowercase()) else { return Ok(None) };
    let rows = game.live.opened.ruleset.next().lines().filter_map(|row| row.split_once('\t'));
    let kinds: Vec<&str> =
        rows.filter(|(_, row)| row.split('\t').next() == Some(&*verb)).map(|(kind, _)| kind).collect();
    let asked = game.asked()?.into_iter().any(|asked| asked.seat == seat && kinds.contains(&asked.kind));
    if kinds.is_empty() || asked {
        return Ok(None);
    }
    let ahead = match kinds[..] {
        [kind] if game.standing_for(seat, kind).is_empty() => {
            format!(" What you would answer then can be left: `standing {kind}: {}`.", phrase.text())
        }
        _ => String::new(),
    };
    let kinds: Vec<String> = kinds.into_iter().map(|kind| kind.replace('-', " ")).collect();
    Ok(Some(format!("You are not asked for {} now.{ahead}", list_or(&kinds))))
}

/// Returns true if a question waits for an answer of this seat.
fn is_asked(game: &mut Game, seat: Seat) -> Result<bool, OfficeError> {
    Ok(game.asked()?.iter().any(|asked| asked.seat == seat && asked.required))
}

/// Reads the lines of a mail and does what they say.
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
    carry_out(tx, services, seat, (reading, context), from, access)
}

/// Does what a mail says, if all of it was read.
fn carry_out(
    tx: &mut Transaction,
    services: &mut Services,
    seat: Seat,
    (reading, context): (Reading, Context),
    from: &Origin<'_>,
    access: Access,
) -> Result<Reply, OfficeError> {
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
    hold::learn_boilerplate(tx, &reading, from, seat)?;
    begin_work(tx, &reading, &mut work)?;
    for (place, line) in reading.lines.iter().enumerate() {
        do_line(tx, services, line, (&line.text, place), &mut work)?;
    }
    finish_work(tx, services, &reading, work)
}

/// Finds out what of a mail counts, before any of it is done.
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
    // `pause` counts for the whole mail, wherever it is: its orders are done, and nothing else answers.
    tx.paused_by_mail = work.may_leave() && reading.has(|request| *request == Request::Pause);
    if let Origin::Mail { hash, .. } = from {
        work.backs_before = undoing::taken_back_by(tx, *hash);
        work.before =
            tx.facts.mails.get(hash).map(|words| words.iter().copied().flatten().collect()).unwrap_or_default();
    }
    Ok(())
}

/// Does what one line says.
pub(crate) fn do_line(
    tx: &mut Transaction,
    services: &mut Services,
    line: &ReadLine,
    at: At<'_>,
    work: &mut Work<'_>,
) -> Result<(), OfficeError> {
    match &line.is {
        Is::Nothing => Ok(()),
        // A line of a proposal or a draft.
        Is::Unread(why) => {
            work.report.total += 1;
            work.fail(Failed { pointed: why.pointed.clone(), why: why.why.clone() });
            Ok(())
        }
        Is::Command(request) => fulfil::fulfil(tx, services, (request.clone(), at.0, at.1), work),
        Is::Message(told) => {
            let notes = pass_on::pass_on(tx, services, work.seat, told.clone(), at.1, work.from)?;
            work.reply.notes.extend(notes);
            Ok(())
        }
        Is::Orders(all) => all.iter().try_for_each(|order| carry_out_order(tx, services, order, at, work)),
        Is::Draft(lines) => draft::send_draft(tx, services, lines, at, work),
        Is::Confirmed(lines) => {
            work.confirmed = true;
            lines.iter().try_for_each(|line| do_line(tx, services, line, at, work))?;
            work.confirmed = false;
            Ok(())
        }
    }
}

/// Carries out one order, unless it was done before or is for later.
fn carry_out_order(
    tx: &mut Transaction,
    services: &mut Services,
    order: &Order,
    at: At<'_>,
    work: &mut Work<'_>,
) -> Result<(), OfficeError> {
    if work.barred.is_some() && !work.takes_back {
        return keep_barred(tx, services, order, at, work);
    }
    work.report.total += 1;
    if let Some(why) = &work.barred {
        let failed = Failed { pointed: vec![order.shown()], why: why.clone() };
        work.fail(failed);
        return Ok(());
    }
    let enough = tx.says_enough(&order.phrase);
    match work.was_done(words(tx, work.seat, work.from, at.0)) {
        Before::Done => {
            // Only what reads as an order for a turn is kept for one.
            work.kinds.extend(tx.live.opened.ruleset.by_turns().iter().map(|rule| rule.kind));
            work.report.done.push(order.shown());
            return Ok(());
        }
        Before::Unknown if enough => {
            work.report.done.push(ended_nothing(order));
            return Ok(());
        }
        Before::Unknown => {
            let why = "The service broke off over this mail. Please send again what has not been done.".to_owned();
            work.fail(Failed { pointed: vec![order.shown()], why });
            return Ok(());
        }
        Before::Not => {}
    }
    if work.report.failed.is_some() {
        work.report.left.push(order.shown());
        work.left.push(order.clone());
        return Ok(());
    }
    if turns::keeps_for_a_turn(tx, order, at.1, work)? {
        work.report.total -= 1;
        return Ok(());
    }
    turns::leave_turns(tx, services, work)?;
    if turns::waits_for_turns(tx, services, work)? {
        let why = "It comes behind orders that are kept for later turns of yours, so what it would answer is not known yet. Please send \
                   it when they are done."
            .to_owned();
        work.fail(Failed { pointed: vec![order.shown()], why });
        return Ok(());
    }
    if enough && !work.report.done.is_empty() && ends_nothing(tx, services, work.seat, order)? {
        work.report.done.push(match leave::keep_for_then(tx, services, order, at.1, work)? {
            Some(kept) => kept,
            None => ended_nothing(order),
        });
        return Ok(());
    }
    let mut now = at_its_turn(tx, order, work);
    // What the orders before it brought about may wait for others, who have left their answers.
    if now.is_err() && !work.report.done.is_empty() && answering::answer_all(tx, services)? {
        now = at_its_turn(tx, order, work);
    }
    match now {
        Ok((understood, what)) => give(tx, services, order, (&understood, what), at, work),
        Err(why) => not_asked(tx, services, order, &why, at, work),
    }
}

/// Gives the rules an order that was understood, unless its writer has to confirm it first.
fn give(
    tx: &mut Transaction,
    services: &Services,
    order: &Order,
    (understood, what): (&Understood, String),
    (line, _): At<'_>,
    work: &mut Work<'_>,
) -> Result<(), OfficeError> {
    // At a terminal its writer sees what it does.
    let asks = matches!(work.from, Origin::Mail { .. }) && !work.confirmed;
    let dangers = if asks { dangers(tx, understood) } else { Vec::new() };
    if !dangers.is_empty() {
        let why = dangers.join(" ");
        work.fail(Failed { pointed: vec![order.shown()], why });
        work.left.push(order.clone());
        return Ok(());
    }
    match decide_order(tx, services, work.seat, (understood, line), work.from) {
        Ok(()) => {
            work.report.done.push(match &order.label {
                Some(Label::Kind(kind)) => format!("{}: {what}", kind.replace('-', " ")),
                _ => what,
            });
            work.kinds.insert(understood.kind);
            work.last = Some(understood.kind);
            Ok(())
        }
        Err(NotDone::Error(why)) => Err(why),
        Err(NotDone::Refused(mut why)) => {
            if why.pointed.is_empty() {
                why.pointed.push(order.shown());
            }
            work.fail(why);
            Ok(())
        }
    }
}

/// An order that answers nothing that is asked now: it is kept for its question, or its writer is told why not.
fn not_asked(
    tx: &mut Transaction,
    services: &mut Services,
    order: &Order,
    why: &Misread,
    at: At<'_>,
    work: &mut Work<'_>,
) -> Result<(), OfficeError> {
    if let Some(kept) = leave::keep_for_then(tx, services, order, at.1, work)? {
        work.report.done.push(kept);
        return Ok(());
    }
    let elsewhere = match order.label {
        None => asked_elsewhere(tx, work.seat, &order.phrase)?,
        Some(_) => None,
    };
    let pointed: Vec<String> = why.point(order.phrase.line()).lines().map(str::to_owned).collect();
    let (pointed, why) = match (elsewhere, work.unread_turn.take()) {
        (Some(elsewhere), Some(unread)) => {
            (vec![order.shown()], format!("{elsewhere} As an order for your next turn it is not read: {unread}"))
        }
        (Some(elsewhere), None) => (vec![order.shown()], elsewhere),
        (None, _) if !is_asked(tx, work.seat)? => {
            let why = "Nothing waits for your answer now. (`help plan` says how to write ahead.)";
            (vec![order.shown()], why.to_owned())
        }
        (None, _) => (pointed, sentence(&tx.seats.named(&why.to_string()))),
    };
    work.fail(Failed { pointed, why });
    Ok(())
}

/// Keeps an order that does not count now for the question that it answers, where its writer knows how the game stands.
fn keep_barred(
    tx: &mut Transaction,
    services: &mut Services,
    order: &Order,
    at: At<'_>,
    work: &mut Work<'_>,
) -> Result<(), OfficeError> {
    if barred::answers_newest(tx, work.seat, work.from, work.access)
        && let Some(kept) = leave::keep_for_then(tx, services, order, at.1, work)?
    {
        work.reply.notes.push(kept);
    }
    Ok(())
}

/// What is left to do when all lines are done, and the answer.
fn finish_work(
    tx: &mut Transaction,
    services: &mut Services,
    reading: &Reading,
    mut work: Work<'_>,
) -> Result<Reply, OfficeError> {
    turns::leave_turns(tx, services, &mut work)?;
    tx.paused_by_mail = false;
    if work.report.failed.is_some() && leave::would_be_answered(tx, work.seat)? {
        tx.pause(services, work.seat).or_else(|why| only_errors(why).map(drop))?;
        work.reply.notes.push(
            "Since not all of your orders were done, your standing orders answer nothing in this Round until you answer yourself: the \
             question that is open may be the one that you meant to answer."
                .to_owned(),
        );
    }
    if reading.lines.iter().all(|line| matches!(line.is, Is::Nothing)) {
        work.reply.notes.push("No order was found in your mail: nothing was done.".to_owned());
    }
    if let Some(offer) = hold::offer_left(tx, &work)? {
        work.reply.notes.push(offer);
    }
    let Work { report, mut reply, kinds, leaves, .. } = work;
    reply.kinds = kinds;
    reply.order_report = (report.total > 0 && (reply.refused.is_none() || leaves)).then_some(report);
    Ok(reply)
}

/// Returns true if nothing is asked that words such as `done` would end. What waits for others may first have the answers
/// that they have left.
fn ends_nothing(tx: &mut Transaction, services: &Services, seat: Seat, order: &Order) -> Result<bool, OfficeError> {
    let reads = |session: &mut Transaction| match &order.label {
        Some(Label::Kind(kind)) => session.asked_of(seat, kind).is_some(),
        _ => session.read(seat, &order.phrase).is_ok(),
    };
    Ok(!(reads(tx) || answering::answer_all(tx, services)? && reads(tx)))
}

/// Gives an order to the rules; `line` is the line of the mail in which it was written.
fn decide_order(
    tx: &mut Transaction,
    services: &Services,
    seat: Seat,
    (understood, line): (&Understood, &str),
    from: &Origin<'_>,
) -> Result<(), NotDone> {
    let (via, mail) = match (from, words(tx, seat, from, line)) {
        (Origin::Mail { hash, .. }, Some(words)) => (Via::Mail, Some(FromMail { mail: *hash, words })),
        _ => (Via::Cli, None),
    };
    match tx.decide(services, seat, understood, via, mail) {
        Ok(()) if tx.paused_by_mail => Ok(()),
        Ok(()) => Ok(tx.end_pause(services, seat)?),
        Err(OfficeError::Live(LiveFault::Rejected(why))) => {
            let id = sha256(format!("{} {} {line}", tx.id, tx.head().n).as_bytes()).to_string();
            Err(NotDone::why(tx.seats.named(&refusal(&why, &id[..8]))))
        }
        Err(other) => Err(other.into()),
    }
}

/// The answer to a mail of which nothing was done.
fn nothing_done(why: String) -> Reply {
    Reply { notes: vec![why.clone()], refused: Some(why), ..Reply::default() }
}

/// Why nothing of a mail is done whose lines are longer than any orders are.
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
            "Nothing was done: your mail has {all} characters besides what it quotes, and {MOST_CHARS} are the most. Please send it in \
             several mails."
        )
    })
}

/// What is reported of an order that would end what is asked, where nothing is.
fn ended_nothing(order: &Order) -> String {
    format!("{} (nothing was left to end)", order.shown())
}

/// Errors of the program; that something could not be kept is none.
pub(crate) fn only_errors(why: NotDone) -> Result<Option<String>, OfficeError> {
    match why {
        NotDone::Refused(_) => Ok(None),
        NotDone::Error(why) => Err(why),
    }
}
