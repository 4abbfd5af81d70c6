//! Orders for further turns. If a kind of question is answered by turns, a mail may contain more
//! than the answer requested now. The orders after that answer are kept as a list and used one per
//! turn, until something breaks the list off ([`ByTurns`]).

use crate::{
    carry_out::work::{Turns, Work},
    error::{NotDone, OfficeError},
    game::{
        Game,
        queue::Queue,
        refusals::{refusal, sentence},
    },
    reading::{
        Origin,
        read::Reader,
        request::Standing,
        value::{By, Label, Order},
    },
    services::Services,
    standing,
    transaction::{Transaction, answering},
};
use postrider_letters::Failed;
use postrider_orders::Phrase;
use postrider_table::{Asked, ByTurns, DynGame, Seat};

/// The maximum number of questions answered by default until the seat's next turn.
const MOST_SILENCES: usize = 12;

/// Lets all other seats pass until the seat's next turn. Returns that turn's question.
pub(crate) fn next_turn(ahead: &mut dyn DynGame, seat: Seat, rule: &ByTurns) -> Option<Asked> {
    for _ in 0..MOST_SILENCES {
        let asked = ahead.asked().ok()?.into_iter().find(|asked| asked.required)?;
        match (asked.seat == seat, asked.kind == rule.kind) {
            (true, true) => return Some(asked),
            (true, false) => return None,
            (false, true) => {
                let pass = ahead.read_at(asked.seat, asked.id, &Phrase::new(rule.pass)).ok()?;
                ahead.decide(asked.seat, asked.id, &pass.order).ok()?;
            }
            (false, false) => {
                let silence = ahead.at_deadline(asked.id)?;
                ahead.decide(asked.seat, asked.id, &silence).ok()?;
            }
        }
    }
    None
}

/// Keeps an order for a further turn, if it is one: it answers a kind of question that is answered
/// by turns, and an order before it in the mail has answered such a question.
pub(crate) fn keeps_for_a_turn(
    game: &Game,
    order: &Order,
    place: usize,
    work: &mut Work<'_>,
) -> Result<bool, OfficeError> {
    let rules = game.live.opened.ruleset;
    let Some(rule) = rules.by_turns().iter().find(|rule| work.kinds.contains(rule.kind)) else {
        return Ok(false);
    };
    let named = match &order.label {
        None => true,
        Some(Label::Kind(kind)) => kind == rule.kind,
        Some(Label::Number(_)) => false,
    };
    if !named || work.report.failed.is_some() || work.turns_wait {
        return Ok(false);
    }
    let mut turns = match work.turns.take() {
        Some(turns) => turns,
        None => {
            // The game is imagined from the player's knowledge, so that the answer reveals nothing
            // else.
            let ahead = game.live.imagined_by(work.seat, 1)?;
            Turns { rule, ahead, place, orders: Vec::new(), doubtful: Vec::new() }
        }
    };
    work.unread_turn = None;
    let kept = reads_for_a_turn(game, work.seat, &order.phrase, &mut turns, &mut work.unread_turn);
    if kept || !turns.orders.is_empty() {
        work.turns = Some(turns);
    }
    Ok(kept)
}

/// Reads an order for a further turn. If it is none, `unread` receives the reason.
fn reads_for_a_turn(game: &Game, seat: Seat, phrase: &Phrase, turns: &mut Turns, unread: &mut Option<String>) -> bool {
    let Turns { rule, ahead, orders, doubtful, .. } = turns;
    // A pass is valid in any position. It is not carried out here, because the first of two could
    // end the phase.
    if phrase.plain() == rule.pass {
        orders.push(rule.pass.to_owned());
        return true;
    }
    let Some(ahead) = ahead else { return false };
    let Some(asked) = next_turn(&mut **ahead, seat, rule) else { return false };
    let understood = match ahead.read_at(seat, asked.id, phrase) {
        Ok(understood) => understood,
        Err(why) => {
            *unread = (why.understood > 1).then(|| sentence(&game.seats.named(&why.to_string())));
            return false;
        }
    };
    let words = phrase.text().to_owned();
    orders.push(words.clone());
    // A pass is not carried out here, because in the imagined game it could end the phase.
    let pass = ahead.read_at(seat, asked.id, &Phrase::new(rule.pass));
    if pass.is_ok_and(|pass| pass.order == understood.order) {
        return true;
    }
    if let Err(why) = ahead.decide(seat, asked.id, &understood.order) {
        doubtful.push(format!("\"{words}\": {}", sentence(&game.seats.named(&refusal(&why, "-")))));
    }
    true
}

/// Describes when orders for further turns are used, and which events cancel them.
fn turns_in_words(rule: &ByTurns, queue: &Queue) -> String {
    let breaks: Vec<&str> =
        rule.breaks.iter().copied().filter(|name| !queue.even_if.iter().any(|even| even == name)).collect();
    let stops = match breaks.last() {
        None => String::new(),
        Some(last) => format!(
            " They stop, and you are asked, at one of these: {} (`help {last}` and the like say what each is; a line `even if {last}` \
             below such orders, or `whatever happens`, lets them go on).",
            breaks.join(", "),
        ),
    };
    let goes_on = match queue.goes_on {
        true => format!(" `{}` at their end lets all your further turns of this phase go by.", rule.pass),
        false => String::new(),
    };
    format!(
        "Kept for your next turns, one a turn.{goes_on} What is not possible by then is not done, and you are asked.{stops} \
         `standing {} end` ends them.",
        rule.kind
    )
}

/// Leaves a mail's orders for further turns, and reports when they will be used.
pub(crate) fn leave_turns(
    tx: &mut Transaction,
    services: &mut Services,
    work: &mut Work<'_>,
) -> Result<(), OfficeError> {
    let Some(Turns { rule, place, orders, doubtful, .. }) = work.turns.take() else { return Ok(()) };
    work.report.total += orders.len();
    let even_if = work.even_if.take();
    match turns_left(tx, services, work.seat, (rule, &orders, even_if), work.from, place) {
        Ok(note) => {
            work.report.done.extend(orders.iter().map(|order| format!("{order} (for a later turn)")));
            work.reply.notes.push(note);
            if !doubtful.is_empty() {
                let all = doubtful.join(" ");
                work.reply.notes.push(format!("As things stand this would not be possible then: {all}"));
            }
            work.turns_wait = true;
        }
        Err(NotDone::Error(why)) => return Err(why),
        Err(NotDone::Refused(why)) => {
            let mut orders = orders.into_iter();
            work.fail(Failed { pointed: orders.next().into_iter().collect(), ..why });
            work.report.left.extend(orders);
        }
    }
    Ok(())
}

fn turns_left(
    tx: &mut Transaction,
    services: &mut Services,
    seat: Seat,
    (rule, orders, even_if): (&ByTurns, &[String], Option<String>),
    from: &Origin<'_>,
    place: usize,
) -> Result<String, NotDone> {
    if tx.standing(seat, rule.kind, "").is_some_and(|(_, old)| old.always) {
        return Err(NotDone::why(format!(
            "You have a standing order for \"{0}\" that is used each time. End it first (`standing {0} end`), or write what is to be \
             used before it: `standing {0}: ORDER; ORDER`.",
            rule.kind
        )));
    }
    let leave = Standing::Leave {
        kind: rule.kind.to_owned(),
        orders: orders.to_vec(),
        always: false,
        name: String::new(),
        first: false,
    };
    let even_if = even_if.map(|words| standing::not_breaking(tx, rule.kind, &words)).transpose()?.unwrap_or_default();
    let goes_on = orders.last().is_some_and(|last| Phrase::new(last).plain() == rule.pass);
    let queue = standing::worded(tx, services, seat, leave)?;
    let queue = Queue { within: Some(tx.place()), goes_on, even_if, ..queue };
    let note = turns_in_words(rule, &queue);
    standing::leave(tx, services, seat, queue, from, place)?;
    Ok(note)
}

/// Returns `true` if orders of this mail still wait for the player's turns, after all prepared
/// answers. Orders after them in the mail cannot be read yet.
pub(crate) fn waits_for_turns(tx: &mut Transaction, services: &Services, work: &Work<'_>) -> Result<bool, OfficeError> {
    if !work.turns_wait {
        return Ok(false);
    }
    answering::answer_all(tx, services)?;
    Ok(tx.all_standing(work.seat).iter().any(|(_, queue)| queue.within.is_some()))
}

/// Keeps an order whose question will come after another seat's answer. It is valid for the next
/// such question in this Round.
pub(crate) fn keep_for_then(
    tx: &mut Transaction,
    services: &mut Services,
    order: &Order,
    place: usize,
    work: &Work<'_>,
) -> Result<Option<String>, OfficeError> {
    let (seat, kind) = (work.seat, order.kind());
    let asked = tx.asked()?;
    let others = asked.iter().any(|asked| asked.required && asked.seat != seat);
    // Once this mail has ended the Round, the order would answer a different question.
    let names = order.label.is_some() || Reader::new(tx, seat, &work.context).has_verb(&order.phrase);
    if !names || matches!(order.by, By::Listed(..)) || tx.place() != work.place || !others {
        return Ok(None);
    }
    let mine = asked.iter().any(|asked| asked.seat == seat && asked.kind == kind);
    // If the letter listed a question of this kind, the order answers that one, unless this mail
    // has already answered it.
    let listed = work.context.sheet.asks_kind(kind) && !work.kinds.contains(kind);
    if mine || listed || !tx.standing_for(seat, kind).is_empty() {
        return Ok(None);
    }
    let words = order.phrase.text().to_owned();
    let origin = match work.from {
        Origin::Mail { hash, .. } => format!("{hash} {place} {words}"),
        Origin::Cli => String::new(),
    };
    let queue = Queue {
        kind: kind.to_owned(),
        orders: vec![words.clone()],
        from: origin,
        once: Some(tx.place()),
        ..Queue::default()
    };
    let sealed = tx.seal(services, seat, &queue).map(|()| Some(format!("kept for then: {words}")));
    sealed.or_else(|why| why.only_errors().map(|()| None))
}
