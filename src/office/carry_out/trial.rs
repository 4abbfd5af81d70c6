//! Orders of a preview or a draft, looked at one after the other: each in the position to which the legal ones before it lead.
//!
//! They are tried in a game that could be this one for all that their writer knows, with dice and hidden cards made up, so nothing that
//! is said of them tells more than he may see. Behind an order that rolls dice or turns cards up nothing is known, and that is said.

use crate::{
    carry_out::{order, work::Work},
    error::OfficeError,
    game::{
        Game,
        refusals::{refusal, sentence},
    },
    reading::value::Order,
};
use postrider_orders::Phrase;
use postrider_table::{Event, Seat, Understood, map::Way};

/// What is known of the position in which the next order is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// It is the game's own.
    Now,
    /// It is that behind the orders before.
    Behind,
    /// It depends on dice or hidden cards.
    Chance,
    /// Nothing can be tried: orders are read as things stand, and nothing is said of those behind the first.
    Unknown,
}

/// How far the orders that are looked at have come.
pub(crate) struct Trial {
    stands: Stands,
    imagines: bool,
    /// The kind of question that is answered by turns, once one of its answers was looked at.
    turn: Option<&'static str>,
}

/// An order that was only looked at.
pub(crate) struct Looked {
    /// Its words, perhaps with a line of marks below.
    pub pointed: Vec<String>,
    /// What it means and whether it would be legal, or why that is not known.
    pub says: Vec<String>,
    /// Whether it is not legal.
    pub illegal: bool,
    /// What it would do on the map.
    pub ways: Vec<Way>,
}

/// Looks at orders in a game like this one; afterwards this one is as it was.
pub(crate) fn in_trial<T>(
    game: &mut Game,
    seat: Seat,
    look: impl FnOnce(&mut Game, &mut Trial) -> Result<T, OfficeError>,
) -> Result<T, OfficeError> {
    let live = game.live.started.is_some() && !game.live.closed;
    let imagined = if live { game.live.imagined_by(seat, 1)? } else { None };
    let mut trial = Trial { stands: Stands::Now, imagines: imagined.is_some(), turn: None };
    let own = imagined.map(|imagined| game.live.dyn_game.replace(imagined));
    let looked = look(game, &mut trial);
    if let Some(own) = own {
        game.live.dyn_game = own;
    }
    looked
}

/// Looks at one order and, if it is legal, goes on behind it.
pub(crate) fn look_in_turn(
    game: &mut Game,
    order: &Order,
    work: &mut Work<'_>,
    trial: &mut Trial,
) -> Result<Looked, OfficeError> {
    let seat = work.seat;
    let mut now = order::at_its_turn(game, order, work);
    if now.is_err() && comes_to_next_turn(game, seat, trial) {
        now = order::at_its_turn(game, order, work);
    }
    let understood = match now {
        Ok((understood, _)) => understood,
        Err(why) => {
            let may_be = |when: &str| format!("It may be understood once {when}.");
            let mut says = vec![sentence(&game.seats.named(&why.to_string()))];
            let mut pointed: Vec<String> = why.point(order.phrase.line()).lines().map(str::to_owned).collect();
            match trial.stands {
                Stands::Chance => says.push(may_be("the dice before it are rolled")),
                Stands::Unknown => says.push(may_be("the orders before it are carried out")),
                Stands::Behind if waits_for_others(game, seat)? => {
                    says = vec![may_be("the orders before it are carried out and others have answered")];
                    pointed = vec![order.shown()];
                }
                Stands::Now | Stands::Behind => {}
            }
            return Ok(Looked { pointed, says, illegal: false, ways: Vec::new() });
        }
    };
    let mut says = vec![in_words(game, &understood, &order.phrase)?];
    for said in cautions(game, &understood).into_iter().chain(order::dangers(game, &understood)) {
        // What is a danger may be a caution too.
        if !says.contains(&said) {
            says.push(said);
        }
    }
    let (legal, ways) = match &mut game.live.dyn_game {
        Some(dyn_game) => {
            let legal = dyn_game.check(seat, understood.prompt, &understood.order);
            (legal.map_err(|why| game.seats.named(&refusal(&why, "-"))), dyn_game.ways(seat, &understood.order))
        }
        None => (Ok(()), Vec::new()),
    };
    let later = trial.turn == Some(understood.kind);
    let by_turns = game.live.opened.ruleset.by_turns();
    trial.turn = trial.turn.or(by_turns.iter().map(|rule| rule.kind).find(|kind| *kind == understood.kind));
    says.push(match (trial.stands, &legal) {
        _ if later => "It would be kept for a later turn of yours.".to_owned(),
        (Stands::Chance, _) => "Whether it is legal is seen when the dice before it are rolled.".to_owned(),
        (Stands::Unknown, _) => "Whether it is legal is seen when the orders before it are done.".to_owned(),
        (Stands::Now, Ok(())) => "It is legal now.".to_owned(),
        (Stands::Behind, Ok(())) => "It is legal once the orders before it are done.".to_owned(),
        (Stands::Now, Err(why)) => format!("It is not legal now: {why}"),
        (Stands::Behind, Err(why)) => format!("It is not legal once the orders before it are done: {why}"),
    });
    if legal.is_ok() {
        work.kinds.insert(understood.kind);
        work.last = Some(understood.kind);
        go_on_behind(game, seat, &understood, trial);
    }
    Ok(Looked { pointed: vec![order.shown()], says, illegal: legal.is_err(), ways })
}

/// Takes an order of the trial as decided.
fn go_on_behind(game: &mut Game, seat: Seat, understood: &Understood, trial: &mut Trial) {
    let known = matches!(trial.stands, Stands::Now | Stands::Behind);
    if !trial.imagines || !known {
        trial.stands = if known { Stands::Unknown } else { trial.stands };
        return;
    }
    let Some(imagined) = &mut game.live.dyn_game else { return };
    imagined.take_events();
    let done = imagined.decide(seat, understood.prompt, &understood.order);
    let chance = imagined.take_events().iter().any(|event| !matches!(event, Event::Round { .. }));
    trial.stands = match done {
        Ok(()) if chance => Stands::Chance,
        Ok(()) => Stands::Behind,
        Err(_) => Stands::Unknown,
    };
}

/// Has the others let their turns go by, if an order for a turn was looked at before.
fn comes_to_next_turn(game: &mut Game, seat: Seat, trial: &Trial) -> bool {
    let rule = game.live.opened.ruleset.by_turns().iter().find(|rule| trial.turn == Some(rule.kind));
    match (rule, &mut game.live.dyn_game) {
        (Some(rule), Some(imagined)) if trial.imagines => {
            super::turns::next_turn(&mut **imagined, seat, rule).is_some()
        }
        _ => false,
    }
}

/// Returns true if the game waits for others and not for this seat.
fn waits_for_others(game: &mut Game, seat: Seat) -> Result<bool, OfficeError> {
    let asked = game.asked()?;
    Ok(asked.iter().all(|asked| asked.seat != seat) && asked.iter().any(|asked| asked.required))
}

/// What may keep an order from being done as it says.
pub(crate) fn cautions(game: &mut Game, understood: &Understood) -> Vec<String> {
    let Some(dyn_game) = &mut game.live.dyn_game else { return Vec::new() };
    let all = dyn_game.cautions(understood.prompt, &understood.order);
    all.iter().map(|one| game.seats.named(one)).collect()
}

/// What an order means: the question it answers and, if that is listed, the words of the choice with its odds.
fn in_words(game: &mut Game, understood: &Understood, order: &Phrase) -> Result<String, OfficeError> {
    let Some(dyn_game) = &mut game.live.dyn_game else { return Ok(String::new()) };
    let Some(listed) = dyn_game.listed(understood.prompt)? else { return Ok(String::new()) };
    let words = dyn_game.say(understood.prompt, &understood.order).unwrap_or_else(|| order.text().to_owned());
    let choice = listed.choices.iter().find(|choice| choice.order == understood.order);
    let note = choice.filter(|choice| !choice.note.is_empty()).map(|choice| format!(" ({})", choice.note));
    let note = note.unwrap_or_default();
    Ok(game.seats.named(&format!("is read as \"{words}\"{note}, in answer to: {}.", listed.text.title)))
}
