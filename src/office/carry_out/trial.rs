//! Trials of orders in a preview or a draft. Each order is tried in the position after the legal
//! orders before it.
//!
//! The trial uses an imagined game that is consistent with what the player knows, with invented
//! dice and hidden cards. So its results reveal nothing hidden. After an order that rolls dice or
//! turns up cards the position is unknown, and the answer says so.

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

/// The knowledge about the position in which the next order is tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// It is the game's present position.
    Now,
    /// It is the position after the preceding orders.
    Behind,
    /// It depends on dice or hidden cards.
    Chance,
    /// It is unknown, because nothing can be tried. Orders are read in the present position, and
    /// nothing is said about those after the first.
    Unknown,
}

/// The state of a trial.
pub(crate) struct Trial {
    stands: Stands,
    imagines: bool,
    /// The kind of question answered by turns that one of the tried orders answers.
    turn: Option<&'static str>,
}

/// The result of trying an order.
pub(crate) struct Looked {
    /// The order's words, with marks on a second line if any.
    pub pointed: Vec<String>,
    /// The order's meaning, and whether it would be legal, or why that is unknown.
    pub says: Vec<String>,
    /// `true` if the order is illegal.
    pub illegal: bool,
    /// The order's movements on the map.
    pub ways: Vec<Way>,
}

/// Tries orders in an imagined copy of the game, and restores the game afterwards.
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

/// Tries one order. If it is legal, the trial continues after it.
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
        // A caution may say the same as a danger.
        if !says.contains(&said) {
            says.push(said);
        }
    }
    let (legal, ways) = match &game.live.dyn_game {
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

/// Carries out an order in the trial.
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

/// Lets the other seats pass until the seat's next turn, if an order for a turn was tried before.
fn comes_to_next_turn(game: &mut Game, seat: Seat, trial: &Trial) -> bool {
    let rule = game.live.opened.ruleset.by_turns().iter().find(|rule| trial.turn == Some(rule.kind));
    match (rule, &mut game.live.dyn_game) {
        (Some(rule), Some(imagined)) if trial.imagines => {
            super::turns::next_turn(&mut **imagined, seat, rule).is_some()
        }
        _ => false,
    }
}

/// Returns `true` if the game waits for other seats and not for this one.
fn waits_for_others(game: &Game, seat: Seat) -> Result<bool, OfficeError> {
    let asked = game.asked()?;
    Ok(asked.iter().all(|asked| asked.seat != seat) && asked.iter().any(|asked| asked.required))
}

/// Returns the reasons why an order may not be carried out as written.
pub(crate) fn cautions(game: &Game, understood: &Understood) -> Vec<String> {
    let Some(dyn_game) = &game.live.dyn_game else { return Vec::new() };
    let all = dyn_game.cautions(understood.prompt, &understood.order);
    all.iter().map(|one| game.seats.named(one)).collect()
}

/// Describes an order: the question that it answers and, if it is a listed choice, the choice's
/// words with its odds.
fn in_words(game: &Game, understood: &Understood, order: &Phrase) -> Result<String, OfficeError> {
    let Some(dyn_game) = &game.live.dyn_game else { return Ok(String::new()) };
    let Some(listed) = dyn_game.listed(understood.prompt)? else { return Ok(String::new()) };
    let words = dyn_game.say(understood.prompt, &understood.order).unwrap_or_else(|| order.text().to_owned());
    let choice = listed.choices.iter().find(|choice| choice.order == understood.order);
    let note = choice.filter(|choice| !choice.note.is_empty()).map(|choice| format!(" ({})", choice.note));
    let note = note.unwrap_or_default();
    Ok(game.seats.named(&format!("is read as \"{words}\"{note}, in answer to: {}.", listed.text.title)))
}
