//! Carrying out one order: its meaning now, the rules' verdict, and the report.

use crate::{
    carry_out::{
        turns,
        work::{At, Work},
    },
    error::{NotDone, OfficeError},
    game::{
        Game, motions,
        refusals::{refusal, sentence},
    },
    reading::{
        Origin,
        context::answers_newest,
        read::Reader,
        value::{By, Label, Order},
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

/// Maximum number of orders of a seat by mail in a day; more than play ever requires.
pub(crate) const MOST_ORDERS_A_DAY: usize = if cfg!(test) { 300 } else { 2_000 };

/// Returns the meaning of an order according to the open questions.
///
/// # Errors
/// A [`Misread`] if it answers none of the seat's open questions.
pub(crate) fn at_its_turn(game: &Game, order: &Order, work: &Work<'_>) -> Result<(Understood, String), Misread> {
    let (seat, phrase, words) = (work.seat, &order.phrase, order.phrase.text());
    let open = |game: &Game, prompt: PromptId| game.asked().unwrap_or_default().iter().any(|asked| asked.id == prompt);
    if let By::Listed(understood, listed) = &order.by {
        let listed = game.seats.named(listed);
        let same = Phrase::new(&listed).plain() == phrase.plain();
        if open(game, understood.prompt) {
            return Ok((understood.clone(), if same { listed } else { format!("{words} ({listed})") }));
        }
        // An option's letter refers to one list. If such questions follow each other, it stands for
        // the option's words.
        if !same && !game.live.opened.ruleset.repeats().contains(&order.kind()) {
            return Err(phrase.reader().fail("the question with that list is not asked any more"));
        }
        if !same {
            return Ok((game.read(seat, &Phrase::new(&listed))?, format!("{words} ({listed})")));
        }
    }
    let understood = match &order.label {
        Some(Label::Number(number)) => {
            let prompt = work.context.sheet.numbered(*number).ok().filter(|prompt| open(game, *prompt));
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
    let (sheet, enough, general) =
        (&work.context.sheet, game.says_enough(phrase), Reader::is_general(phrase) && order.label.is_none());
    let same_kind = understood.kind == order.kind() && sheet.asks_kind(understood.kind) && (enough || !general);
    let ends = enough && work.kinds.contains(understood.kind);
    if order.named && !general || same_kind || work.context.all_known || sheet.asks(understood.prompt) || ends {
        return Ok((understood, words.to_owned()));
    }
    let why =
        format!("this would answer a question that you were not sent; `{}: {words}` would count", understood.kind);
    Err(phrase.reader().fail(why))
}

/// Carries out one order, unless it was carried out before or is left for later.
pub(crate) fn carry_out_order(
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
    if work.was_done(words(tx, work.seat, work.from, at.0)) {
        // The kind it answered is unknown. Extra kinds do no harm: an order is kept for a turn only
        // if it reads as one.
        work.kinds.extend(tx.live.opened.ruleset.by_turns().iter().map(|rule| rule.kind));
        work.report.done.push(order.shown());
        return Ok(());
    }
    // The journal already has a later order of this mail.
    if enough && !work.before.is_empty() {
        work.report.done.push(ended_nothing(order));
        return Ok(());
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
        let why = "It follows orders that are kept for later turns of yours, so what it would answer is not known yet. Please send \
                   it when they are done."
            .to_owned();
        work.fail(Failed { pointed: vec![order.shown()], why });
        return Ok(());
    }
    if enough && !work.report.done.is_empty() && ends_nothing(tx, services, order, work)? {
        work.report.done.push(match turns::keep_for_then(tx, services, order, at.1, work)? {
            Some(kept) => kept,
            None => ended_nothing(order),
        });
        return Ok(());
    }
    let mut now = at_its_turn(tx, order, work);
    // After the orders before it, other seats may have to answer first, and may have left answers.
    if now.is_err() && !work.report.done.is_empty() && answering::answer_all(tx, services)? {
        now = at_its_turn(tx, order, work);
    }
    match now {
        Ok((understood, what)) => give(tx, services, order, (&understood, what), at, work),
        Err(why) => not_asked(tx, services, order, &why, at, work),
    }
}

/// Returns why a seat may not make another entry by mail today, if so.
pub(crate) fn too_many_today(tx: &Transaction, services: &Services, seat: Seat, from: &Origin<'_>) -> Option<String> {
    let by_mail = matches!(from, Origin::Mail { .. });
    let many = by_mail && tx.facts.made_on(seat, &services.at()) >= MOST_ORDERS_A_DAY;
    many.then(|| {
        format!("You have given {MOST_ORDERS_A_DAY} orders since midnight (UTC). More count from the next midnight on.")
    })
}

/// Passes an order to the rules, unless the player must confirm it first.
pub(crate) fn give(
    tx: &mut Transaction,
    services: &Services,
    order: &Order,
    (understood, what): (&Understood, String),
    (line, _): At<'_>,
    work: &mut Work<'_>,
) -> Result<(), OfficeError> {
    let by_mail = matches!(work.from, Origin::Mail { .. });
    // At a terminal the effect is visible at once.
    let asks = by_mail && !work.confirmed;
    let dangers = if asks { dangers(tx, understood) } else { Vec::new() };
    if !dangers.is_empty() {
        let why = dangers.join(" ");
        work.fail(Failed { pointed: vec![order.shown()], why });
        work.left.push(order.clone());
        return Ok(());
    }
    if let Some(why) = too_many_today(tx, services, work.seat, work.from) {
        work.fail(Failed { pointed: vec![order.shown()], why });
        return Ok(());
    }
    match decide_order(tx, services, (understood, line), work) {
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

/// Handles an order that answers no open question: keeps it for a later question, or says why it
/// fails.
fn not_asked(
    tx: &mut Transaction,
    services: &mut Services,
    order: &Order,
    why: &Misread,
    at: At<'_>,
    work: &mut Work<'_>,
) -> Result<(), OfficeError> {
    if let Some(kept) = turns::keep_for_then(tx, services, order, at.1, work)? {
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

/// Keeps an order that does not count now for its question, if the player has answered the newest
/// letter and so knows the position.
fn keep_barred(
    tx: &mut Transaction,
    services: &mut Services,
    order: &Order,
    at: At<'_>,
    work: &mut Work<'_>,
) -> Result<(), OfficeError> {
    if answers_newest(tx, work.seat, work.from, work.access)
        && !motions::is_out(tx, work.seat)
        && let Some(kept) = turns::keep_for_then(tx, services, order, at.1, work)?
    {
        work.reply.notes.push(kept);
    }
    Ok(())
}

/// Passes an order to the rules. `line` is the line of the mail that contains it.
fn decide_order(
    tx: &mut Transaction,
    services: &Services,
    (understood, line): (&Understood, &str),
    work: &Work<'_>,
) -> Result<(), NotDone> {
    let (seat, from) = (work.seat, work.from);
    let (via, mail) = match (from, words(tx, seat, from, line)) {
        (Origin::Mail { hash, .. }, Some(words)) => (Via::Mail, Some(FromMail { mail: *hash, words })),
        _ => (Via::Cli, None),
    };
    match tx.decide(services, seat, understood, via, mail) {
        Ok(()) if work.pauses => Ok(()),
        Ok(()) => Ok(tx.end_pause(services, seat)?),
        Err(OfficeError::Live(LiveFault::Rejected(why))) => {
            let id = sha256(format!("{} {} {line}", tx.id, tx.head().n).as_bytes()).to_string();
            Err(NotDone::why(tx.seats.named(&refusal(&why, &id[..8]))))
        }
        Err(other) => Err(other.into()),
    }
}

/// Returns the digest of a line of a mail, which lets its author prove an order.
pub(crate) fn words(game: &Game, seat: Seat, from: &Origin<'_>, line: &str) -> Option<Hash> {
    let Origin::Mail { mail, .. } = from else { return None };
    let id = mail.message_id.as_deref().unwrap_or_default();
    Some(words_digest(&game.id, game.live.seat_name(seat), id, [line]))
}

/// Returns the effects of an order that its author probably does not want.
pub(crate) fn dangers(game: &Game, understood: &Understood) -> Vec<String> {
    let Some(dyn_game) = &game.live.dyn_game else { return Vec::new() };
    let all = dyn_game.dangers(understood.prompt, &understood.order);
    all.iter().map(|one| game.seats.named(one)).collect()
}

/// Returns a refusal that names the questions which an order answers, if the phrase begins with an
/// order's name and none of these questions is open.
fn asked_elsewhere(game: &Game, seat: Seat, phrase: &Phrase) -> Result<Option<String>, OfficeError> {
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

/// Returns `true` if a question waits for this seat's answer.
fn is_asked(game: &Game, seat: Seat) -> Result<bool, OfficeError> {
    Ok(game.asked()?.iter().any(|asked| asked.seat == seat && asked.required))
}

/// Returns `true` if an order such as `done` has nothing to end, even after other seats' prepared
/// answers.
fn ends_nothing(
    tx: &mut Transaction,
    services: &Services,
    order: &Order,
    work: &Work<'_>,
) -> Result<bool, OfficeError> {
    let reads = |game: &mut Transaction| at_its_turn(game, order, work).is_ok();
    Ok(!(reads(tx) || answering::answer_all(tx, services)? && reads(tx)))
}

/// Reports an order such as `done` that had nothing to end.
fn ended_nothing(order: &Order) -> String {
    format!("{} (nothing was left to end)", order.shown())
}
