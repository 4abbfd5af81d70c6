//! Leaving, ending and listing standing orders.

use crate::{
    error::{NotDone, OfficeError},
    game::{
        Game, advice,
        fitting::{self, Fitting, Moment, is_as_advised},
        motions,
        queue::{ATTACKED, Queue},
        refusals::sentence,
    },
    reading::{
        Origin, context,
        request::{MOST_STANDING, Standing},
    },
    services::Services,
    transaction::{Transaction, plans},
};
use postrider_orders::{Misread, Names, Phrase, list_and, list_or, near, option_ref};
use postrider_replay::Decided;
use postrider_standing::Clause;
use postrider_store::{Kept, Written};
use postrider_table::{Asked, Seat};

/// The number of past questions that the preview of a standing order covers.
const LOOKED_BACK: usize = 20;

/// Returns `true` if the seat's standing orders may answer one of its open questions.
pub(crate) fn would_be_answered(game: &Game, seat: Seat) -> Result<bool, OfficeError> {
    let asked = game.asked()?;
    let left = |kind: &str| !game.standing_for(seat, kind).is_empty();
    Ok(game.seats_standing().contains(&seat)
        && !game.pauses(seat)
        && asked.iter().any(|asked| asked.seat == seat && left(asked.kind)))
}

/// Lists a seat's standing orders and its plan, one per line, in words that would leave them again.
pub(crate) fn list(game: &Game, seat: Seat) -> Vec<String> {
    let all = game.all_standing(seat);
    if all.is_empty() {
        return vec!["You have no standing orders.".to_owned()];
    }
    let one = |(n, queue): &(u64, Queue)| {
        let used = game.facts.uses(*n, seat, &queue.kind).min(queue.orders.len());
        format!("standing {}", in_words(queue, Some(used)))
    };
    let pause = game.pauses(seat).then(|| "pause: nothing answers for you in this Round until you do".to_owned());
    let plan: Vec<String> = game.plan_of(seat).into_iter().map(|(.., order)| order).collect();
    let plan = (!plan.is_empty()).then(|| format!("next round: {}", plan.join("; ")));
    let rests = motions::is_out(game, seat).then(|| "They rest: you have conceded.".to_owned());
    let kept = all.iter().filter(|(_, queue)| queue.plan.is_none() && !queue.orders.is_empty()).map(one);
    std::iter::once("Your standing orders:".to_owned()).chain(kept).chain(plan).chain(pause).chain(rests).collect()
}

/// Returns the kind of question with this name.
fn known_kind(game: &Game, kind: &str) -> Result<String, NotDone> {
    if kind == ATTACKED && !game.live.opened.ruleset.attacked().is_empty() {
        return Ok(kind.to_owned());
    }
    let kinds = context::kinds(game)?;
    let every = game.live.opened.ruleset.every_kind();
    match kinds.iter().map(String::as_str).chain(every).find(|known| *known == kind) {
        Some(kind) => Ok(kind.to_owned()),
        None => {
            let alike = near(kind, kinds.iter().map(String::as_str), 3);
            let offered = if alike.is_empty() { kinds } else { alike };
            Err(NotDone::why(format!("There is no kind of question called \"{kind}\"; choose {}.", list_or(&offered))))
        }
    }
}

/// Builds the queue of a standing order, after checking its orders and conditions.
pub(crate) fn worded(game: &Game, services: &Services, seat: Seat, standing: Standing) -> Result<Queue, NotDone> {
    let Standing::Leave { kind, orders, always, name, first } = standing else {
        return Err(NotDone::why("This leaves no standing order."));
    };
    let kind = known_kind(game, &kind)?;
    if orders.len() > MOST_STANDING {
        return Err(NotDone::why(format!("A standing order holds {MOST_STANDING} orders at most.")));
    }
    let mut queue = Queue { kind, always, name, first, ..Queue::default() };
    for text in orders {
        let clauses = Clause::read(&text);
        for clause in &clauses {
            match clause {
                Clause::Order { order, condition } => {
                    if option_ref(&Phrase::new(order)).is_some() {
                        return Err(NotDone::why(format!(
                            "`{order}` is an option of this letter's list, and other letters list others: please write it in words.",
                        )));
                    }
                    if is_as_advised(order) && advice::advisor(game, services).is_none() {
                        return Err(NotDone::why(
                            "There is no advice in this game, so nothing can be left `as advised`.",
                        ));
                    }
                    check_words(game, services, seat, &queue.kind, order)?;
                    if let Some((words, _)) = condition {
                        check_condition(game, services, &queue.kind, words, false)?;
                    }
                    queue.orders.push(match clauses.len() {
                        1 => text.clone(),
                        _ => clause_in_words(clause),
                    });
                }
                Clause::EvenIf(words) => queue.even_if = not_breaking(game, &queue.kind, words)?,
                Clause::Until(turn) => queue.until = Some(*turn),
                Clause::Stop(words) => {
                    check_condition(game, services, &queue.kind, words, true)?;
                    queue.stop = Some(words.clone());
                }
            }
        }
    }
    let others: Vec<Queue> = game.standing_for(seat, &queue.kind).into_iter().map(|(_, other)| other).collect();
    let other = others.iter().find(|other| other.name != queue.name && (!other.always || !queue.always));
    match () {
        () if queue.orders.is_empty() && !queue.even_if.is_empty() => go_on_even_if(game, seat, queue),
        () if queue.orders.is_empty() => {
            Err(NotDone::why("A standing order holds at least one order; this one has only an end."))
        }
        () if queue.until.is_some_and(|turn| u64::from(turn) <= game.live.marks.last().map_or(0, |mark| mark.turn)) => {
            Err(NotDone::why("That Turn has begun already: the standing order would end at once."))
        }
        () if other.is_some() => Err(NotDone::why(
            "Several standing orders for one kind of question must all be left `always`: of a list whose orders are used once each \
             nobody could tell which was used.",
        )),
        () => Ok(queue),
    }
}

/// Returns the facts named by `words` that usually end orders for further turns, or all such facts
/// if there are no words.
pub(crate) fn not_breaking(game: &Game, kind: &str, words: &str) -> Result<Vec<String>, NotDone> {
    let rules = game.live.opened.ruleset;
    let breaks = rules.by_turns().iter().find(|by_turns| by_turns.kind == kind).map(|by_turns| by_turns.breaks);
    let Some(breaks) = breaks else {
        return Err(NotDone::why(format!("Orders for \"{kind}\" end only by their own conditions.")));
    };
    let mut names = Names::new("such break");
    for (at, name) in breaks.iter().enumerate() {
        names.add(name, at);
        let fact = rules.facts().iter().find(|fact| fact.name == *name);
        fact.into_iter().flat_map(|fact| fact.also).for_each(|also| _ = names.add(also, at));
    }
    let phrase = Phrase::new(words);
    let mut left = phrase.reader();
    let mut found: Vec<String> = Vec::new();
    left.skip(&["or", "and", "if", "an", "a", "there", "is"]);
    while !left.at_end() {
        let at = left.name(&names).map_err(|why| NotDone::why(format!("{why}; {}?", list_or(breaks))))?;
        found.push(breaks[at].to_owned());
        left.skip(&["or", "and", "if", "an", "a", "there", "is"]);
    }
    Ok(if found.is_empty() { breaks.iter().map(|&name| name.to_owned()).collect() } else { found })
}

/// Returns the list of orders in force, changed so that some facts no longer end it.
fn go_on_even_if(game: &Game, seat: Seat, queue: Queue) -> Result<Queue, NotDone> {
    let Some((n, old)) = game.standing(seat, &queue.kind, &queue.name).filter(|(_, old)| !old.always) else {
        return Err(NotDone::why("Nothing is left for further turns of yours that this could be about."));
    };
    let used = game.facts.uses(n, seat, &queue.kind);
    let orders = old.due_from(used).to_vec();
    Ok(Queue { even_if: queue.even_if, orders, ..old })
}

/// Checks that a standing order's words can be parsed as an answer to a question of its kind.
fn check_words(game: &Game, services: &Services, seat: Seat, kind: &str, order: &str) -> Result<(), NotDone> {
    let kinds: Vec<&str> = match kind {
        ATTACKED => game.live.opened.ruleset.attacked().to_vec(),
        kind => vec![kind],
    };
    // If the rules do not foresee such a question for this seat, they may for another. Otherwise
    // the words are first parsed when the question is asked.
    let seats = std::iter::once(seat).chain(game.seats.players.iter().map(|player| player.seat).collect::<Vec<_>>());
    let foreseen = |game: &Game, seat: Seat| {
        let known = game.live.dyn_game.as_ref().map(|game| game.foreseen_kinds(seat)).unwrap_or_default();
        kinds.iter().any(|kind| known.contains(kind))
    };
    let found = seats.into_iter().find(|seat| foreseen(game, *seat));
    let Some(seat) = found.filter(|_| !is_as_advised(order)) else { return Ok(()) };
    let Some(moment) = fitting::moment(game, services) else { return Ok(()) };
    let mut trouble: Option<Misread> = None;
    for kind in kinds {
        match moment.reads_ahead(seat, kind, order) {
            Ok(()) => return Ok(()),
            Err(why) => {
                trouble = Some(match trouble {
                    Some(other) => other.best(why),
                    None => why,
                });
            }
        }
    }
    let why = trouble.map(|why| sentence(&why.to_string())).unwrap_or_default();
    Err(NotDone::why(format!(
        "`{order}` does not answer a question of the kind \"{kind}\". {why} Several orders have `;` between them."
    )))
}

/// Checks that a condition can be parsed and can become true.
fn check_condition(game: &Game, services: &Services, kind: &str, words: &str, changes: bool) -> Result<(), NotDone> {
    let facts = game.live.opened.ruleset.facts();
    let at: Vec<&str> = match kind {
        ATTACKED => game.live.opened.ruleset.attacked().to_vec(),
        kind => vec![kind],
    };
    let Some(moment) = fitting::moment(game, services) else { return Err(NotDone::why("The game has not begun.")) };
    let mut wrong = None;
    for kind in &at {
        match moment.condition(Some(kind), words, changes) {
            Ok(_) => return Ok(()),
            Err(why) => wrong = wrong.or(Some(why)),
        }
    }
    let Some(why) = wrong else { return Ok(()) };
    let known = facts.iter().filter(|fact| at.iter().any(|kind| fact.known_at(Some(kind))));
    let known: Vec<&str> = known.map(|fact| fact.name).collect();
    let can = match known.is_empty() {
        true => format!("Nothing can be compared at \"{kind}\"."),
        false => {
            format!("What can be compared at \"{kind}\": {}. `help conditions` explains each.", list_and(&known))
        }
    };
    Err(NotDone::why(format!("The condition \"{words}\" is not valid: {why}. {can}")))
}

/// Lists which of the most recent questions a standing order would have answered, and how. Changes
/// nothing.
pub(crate) fn would_have(
    game: &Game,
    services: &Services,
    seat: Seat,
    standing: Standing,
) -> Result<Vec<String>, NotDone> {
    let queue = worded(game, services, seat, standing)?;
    let attacked = game.live.opened.ruleset.attacked();
    let answers = |queue: &Queue, kind: &String| {
        *kind == queue.kind || queue.kind == ATTACKED && attacked.contains(&kind.as_str())
    };
    let came: Vec<Decided> = {
        let all = game.facts.decided.iter().rev();
        all.filter(|decided| decided.seat == seat && answers(&queue, &decided.kind))
            .take(LOOKED_BACK)
            .cloned()
            .collect()
    };
    if came.is_empty() {
        return Ok(vec!["No such question was asked of you yet.".to_owned()]);
    }
    let (facts, players, advisor) =
        (game.live.opened.ruleset.facts(), game.seats.clone(), advice::advisor(game, services));
    let mut lines = Vec::new();
    let mut used = 0;
    for decided in came.iter().rev() {
        let place = place_at(game, decided.n);
        let Some(mut dyn_game) = game.as_of(services, decided.n - 1)? else { continue };
        let asked = dyn_game.asked().unwrap_or_default();
        let Some(asked) = asked.into_iter().find(|asked| u64::from(asked.id) == decided.prompt) else { continue };
        let moment = Moment { dyn_game: &mut *dyn_game, facts, players: &players, advisor: advisor.clone() };
        let answer = would_answer(&moment, &asked, &queue, used);
        used += usize::from(answer.is_some());
        let answer = answer.unwrap_or_else(|| "it would have been asked".to_owned());
        lines.push(format!("{place}: {answer}"));
    }
    let title = format!("Of the last {} such questions it would have answered {used}:", lines.len());
    Ok(std::iter::once(title).chain(lines).collect())
}

/// Leaves or ends a plan for the next Round. Returns a report.
pub(crate) fn look_ahead(
    tx: &mut Transaction,
    services: &mut Services,
    seat: Seat,
    orders: &[String],
    from: &Origin<'_>,
    place: usize,
) -> Result<String, NotDone> {
    if orders.is_empty() && tx.plan_of(seat).is_empty() {
        return Err(NotDone::why("You have no plan for the next Round."));
    }
    if orders.len() > MOST_STANDING {
        return Err(NotDone::why(format!("A plan holds {MOST_STANDING} orders at most.")));
    }
    for order in orders {
        let phrase = Phrase::new(order);
        if option_ref(&phrase).is_some() || phrase.words().len() == 1 {
            return Err(NotDone::why(format!(
                "\"{order}\" could answer several questions. Please write what you want in words, as in a list of options: \
                 that question is not asked yet."
            )));
        }
        let foreseen = tx.live.dyn_game.as_ref().is_some_and(|game| !game.foreseen_kinds(seat).is_empty());
        if foreseen && tx.foreseen(seat, &phrase).is_empty() && tx.read(seat, &phrase).is_err() {
            return Err(NotDone::why(format!(
                "\"{order}\" is not an order of this game. A plan contains only orders."
            )));
        }
    }
    let origin = match from {
        Origin::Mail { hash, .. } => format!("{hash} {place}"),
        Origin::Cli => String::new(),
    };
    // True if the same line of the same mail was sealed before.
    let again = |queue: Queue| !origin.is_empty() && queue.from == origin;
    let sealed = tx.secrets.sealed.iter().filter(|one| tx.facts.sealed.contains(&one.commit));
    let sealed = sealed.filter_map(|one| serde_json::from_str(&one.content).ok());
    if !sealed.into_iter().any(again) {
        plans::plan_ahead(tx, services, seat, orders, &origin)?;
    }
    Ok(match orders {
        [] => "next round: your plan is ended".to_owned(),
        orders => format!("next round: {}", orders.join("; ")),
    })
}

/// Leaves or ends a standing order. Returns a report, or the reason for a refusal.
pub(crate) fn stand(
    tx: &mut Transaction,
    services: &mut Services,
    seat: Seat,
    standing: Standing,
    from: &Origin<'_>,
    place: usize,
) -> Result<String, NotDone> {
    match standing {
        Standing::Leave { .. } => {
            let queue = worded(tx, services, seat, standing)?;
            leave(tx, services, seat, queue, from, place)
        }
        Standing::End { kind, name } => {
            let kind = known_kind(tx, &kind)?;
            let queue = Queue { kind, name, ..Queue::default() };
            let standing = tx.standing(seat, &queue.kind, &queue.name);
            let mut written = tx.secrets.written.get(&seat).cloned().unwrap_or_default();
            if standing.is_none() && !(queue.name.is_empty() && written.offered.contains_key(&queue.kind)) {
                return Err(NotDone::why(format!("You have no standing order for {}.", queue.title())));
            }
            written.offered.insert(queue.kind.clone(), Written::DECLINED);
            tx.keep(Kept::Written { seats: vec![(seat, written)], mail: None, copies: None })?;
            let Some((n, _)) = standing else { return Ok(format!("standing {}: not offered again", queue.kind)) };
            tx.unseal(services, n)?;
            let named = if queue.name.is_empty() { String::new() } else { format!(" named {}", queue.name) };
            Ok(format!("standing {}{named}: ended", queue.kind))
        }
        Standing::List | Standing::Unclear => Err(NotDone::why(
            "A standing order reads: standing KIND: ORDER; ORDER (or: standing KIND always: ORDER if CONDITION; \
             otherwise ORDER, or: standing KIND end). `help standing orders` says more.",
        )),
    }
}

/// Seals a standing order, unless this line of this mail already did.
pub(crate) fn leave(
    tx: &mut Transaction,
    services: &mut Services,
    seat: Seat,
    queue: Queue,
    from: &Origin<'_>,
    place: usize,
) -> Result<String, NotDone> {
    let origin = match from {
        Origin::Mail { hash, .. } => format!("{hash} {place}"),
        Origin::Cli => String::new(),
    };
    let what = format!("standing {}", in_words(&queue, None));
    // True if the same line of the same mail was sealed before. Orders without a commitment in the
    // journal are ignored: the program ended before it wrote that.
    let again = |queue: Queue| !origin.is_empty() && queue.from == origin;
    let sealed = tx.secrets.sealed.iter().filter(|one| tx.facts.sealed.contains(&one.commit));
    let sealed = sealed.filter_map(|one| serde_json::from_str(&one.content).ok());
    if !sealed.into_iter().any(again) {
        tx.seal(services, seat, &Queue { from: origin, ..queue })?;
    }
    Ok(what)
}

/// Returns the label of the Round in which a line was written.
fn place_at(game: &Game, n: u64) -> String {
    let mark = game.live.marks.iter().rev().find(|mark| mark.n < n);
    mark.map_or_else(|| "Before the first Round".to_owned(), |mark| mark.label.clone())
}

/// Returns a standing order's answer to a question in a past position, if the rules would accept
/// one.
fn would_answer(moment: &Moment<'_>, asked: &Asked, queue: &Queue, used: usize) -> Option<String> {
    for text in queue.due(used) {
        match moment.fitting(asked, text) {
            Fitting::Order(understood) if moment.takes(asked, &understood) => {
                return Some(moment.dyn_game.say(asked.id, &understood.order).unwrap_or_else(|| text.clone()));
            }
            Fitting::Incomplete => return None,
            Fitting::Order(_) | Fitting::NotNow | Fitting::Misread(_) => {}
        }
    }
    None
}

fn clause_in_words(clause: &Clause) -> String {
    match clause {
        Clause::Order { order, condition: None } => order.clone(),
        Clause::Order { order, condition: Some((words, false)) } => format!("{order} if {words}"),
        Clause::Order { order, condition: Some((words, true)) } => format!("{order} unless {words}"),
        Clause::EvenIf(words) if words.is_empty() => "whatever happens".to_owned(),
        Clause::EvenIf(words) => format!("even if {words}"),
        Clause::Until(turn) => format!("until turn {turn}"),
        Clause::Stop(words) => format!("stop if {words}"),
    }
}

/// Puts a standing order into words that leave it again; for one in force (`used`), without the
/// orders already used.
fn in_words(queue: &Queue, used: Option<usize>) -> String {
    let left = if queue.always { 0 } else { used.unwrap_or(0) };
    let mut orders = queue.due_from(left).to_vec();
    orders.extend((!queue.even_if.is_empty()).then(|| format!("even if {}", queue.even_if.join(", "))));
    orders.extend(queue.until.map(|turn| format!("until turn {turn}")));
    orders.extend(queue.stop.as_ref().map(|words| format!("stop if {words}")));
    let named = if queue.name.is_empty() { String::new() } else { format!(" named {}", queue.name) };
    let (first, orders) = (if queue.first { " first" } else { "" }, orders.join("; "));
    let head = format!("{}{named}{first}", queue.kind);
    match used {
        Some(used) if queue.within.is_some() => format!("{head}, in this Round: {orders} ({used} used)"),
        _ if queue.once.is_some() => format!("{head}, once in this Round: {orders}"),
        _ if queue.always => format!("{head} always: {orders}"),
        Some(used) => format!("{head}: {orders} ({used} used)"),
        None => format!("{head}: {orders}"),
    }
}
