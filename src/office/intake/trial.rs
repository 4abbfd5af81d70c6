//! Orders of a preview or a draft, looked at one after the other: each in the position to which the legal ones before it lead.
//!
//! They are tried in a game that could be this one for all that their writer knows, with dice and hidden cards made up, so nothing that
//! is said of them tells more than he may see. Behind an order that rolls dice or turns cards up nothing is known, and that is said.

use super::{
    clause::{Clause, Line, What},
    context::Context,
    understand::Looked,
};
use crate::{
    office::{error::OfficeError, session::GameSession},
    table::{Event, Seat, Understood},
};

/// What is known of the position in which the next order is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// It is the game's own.
    Now,
    /// It is that behind the orders before.
    Behind,
    /// It hangs on dice or hidden cards.
    Chance,
    /// Nothing can be tried: orders are read as things stand, and nothing is said of those behind the first.
    Unknown,
}

/// How far the orders that are looked at have come.
pub(super) struct Trial {
    stands: Stands,
    imagines: bool,
    /// The kind of question that is answered by turns, once one of its answers was looked at.
    turn: Option<&'static str>,
}

/// An order that was looked at in its turn.
pub(super) struct Tried {
    pub looked: Looked,
    /// Whether it could be carried out there, or what would have to come first.
    pub legal: Option<String>,
}

impl GameSession {
    /// Looks at orders in a game like this one; afterwards this one is as it was.
    pub(super) fn in_trial<T>(
        &mut self,
        seat: Seat,
        look: impl FnOnce(&mut GameSession, &mut Trial) -> Result<T, OfficeError>,
    ) -> Result<T, OfficeError> {
        let live = self.live.started.is_some() && !self.live.closed;
        let imagined = if live { self.live.imagined_by(seat, 1)? } else { None };
        let mut trial = Trial { stands: Stands::Now, imagines: imagined.is_some(), turn: None };
        let own = imagined.map(|imagined| self.live.dyn_game.replace(imagined));
        let looked = look(self, &mut trial);
        if let Some(own) = own {
            self.live.dyn_game = own;
        }
        looked
    }

    /// The orders of a line, as they are read behind those before it: `9c: 3109` is a label and a number where fire is asked for, and a
    /// move when the fire is over.
    pub(super) fn planned_in_turn(
        &mut self,
        seat: Seat,
        (all, line): (Vec<Clause>, &str),
        context: &Context,
        trial: &Trial,
    ) -> Result<Vec<Clause>, OfficeError> {
        if trial.stands != Stands::Behind {
            return Ok(all);
        }
        let again = self.planned(seat, &[Line { text: line, no: 1 }], context)?.pop().map(|(_, what)| what);
        Ok(match again {
            Some(What::Orders(again)) if self.is_one_order(seat, &again) => again,
            _ => all,
        })
    }

    /// Looks at one order and, where it is legal, goes on behind it. Nothing for words that order nothing.
    pub(super) fn look_in_turn(
        &mut self,
        seat: Seat,
        clause: &Clause,
        context: &mut Context,
        trial: &mut Trial,
    ) -> Result<Option<Tried>, OfficeError> {
        let Some(mut looked) = self.looked_at(seat, clause, context)? else { return Ok(None) };
        if looked.read.is_none() && self.comes_to_next_turn(seat, trial) {
            looked = self.looked_at(seat, clause, context)?.unwrap_or(looked);
        }
        let Some((understood, legal)) = &looked.read else {
            let may_be = |when: &str| format!("It may be understood once {when}.");
            let legal = match trial.stands {
                Stands::Now => None,
                Stands::Chance => Some(may_be("the dice before it are rolled")),
                Stands::Unknown => Some(may_be("the orders before it are carried out")),
                Stands::Behind if self.waits_for_others(seat)? => {
                    // That nothing is asked then says nothing of its words.
                    looked.says.clear();
                    looked.pointed = vec![clause.phrase.text().to_owned()];
                    Some(may_be("the orders before it are carried out and others have answered"))
                }
                Stands::Behind => None,
            };
            return Ok(Some(Tried { looked, legal }));
        };
        let later = trial.turn == Some(understood.kind);
        let by_turns = self.live.opened.ruleset.by_turns();
        trial.turn = trial.turn.or(by_turns.iter().map(|rule| rule.kind).find(|kind| *kind == understood.kind));
        let legal = match (trial.stands, legal) {
            _ if later => "It would be kept for a later turn of yours.".to_owned(),
            (Stands::Chance, _) => "Whether it is legal is seen when the dice before it are rolled.".to_owned(),
            (Stands::Unknown, _) => "Whether it is legal is seen when the orders before it are done.".to_owned(),
            (Stands::Now, Ok(())) => "It is legal now.".to_owned(),
            (Stands::Behind, Ok(())) => "It is legal once the orders before it are done.".to_owned(),
            (Stands::Now, Err(why)) => format!("It is not legal now: {why}"),
            (Stands::Behind, Err(why)) => format!("It is not legal once the orders before it are done: {why}"),
        };
        let understood = understood.clone();
        if looked.read.as_ref().is_some_and(|(_, legal)| legal.is_ok()) {
            context.kinds.insert(understood.kind);
            context.last = Some(understood.kind);
            self.go_on_behind(seat, &understood, trial);
        }
        Ok(Some(Tried { looked, legal: Some(legal) }))
    }

    /// Takes an order of the trial as decided.
    fn go_on_behind(&mut self, seat: Seat, understood: &Understood, trial: &mut Trial) {
        let known = matches!(trial.stands, Stands::Now | Stands::Behind);
        if !trial.imagines || !known {
            trial.stands = if known { Stands::Unknown } else { trial.stands };
            return;
        }
        let Some(imagined) = &mut self.live.dyn_game else { return };
        imagined.take_events();
        let done = imagined.decide(seat, understood.prompt, &understood.order);
        let chance = imagined.take_events().iter().any(|event| !matches!(event, Event::Round { .. }));
        trial.stands = match done {
            Ok(()) if chance => Stands::Chance,
            Ok(()) => Stands::Behind,
            Err(_) => Stands::Unknown,
        };
    }

    /// Has the others let their turns go by, where an order for a turn was looked at before.
    fn comes_to_next_turn(&mut self, seat: Seat, trial: &Trial) -> bool {
        let rule = self.live.opened.ruleset.by_turns().iter().find(|rule| trial.turn == Some(rule.kind));
        match (rule, &mut self.live.dyn_game) {
            (Some(rule), Some(imagined)) if trial.imagines => {
                super::turns::next_turn(&mut **imagined, seat, rule).is_some()
            }
            _ => false,
        }
    }

    /// Whether the game waits for others and not for this seat.
    fn waits_for_others(&mut self, seat: Seat) -> Result<bool, OfficeError> {
        let asked = self.asked()?;
        Ok(asked.iter().all(|asked| asked.seat != seat) && asked.iter().any(|asked| asked.required))
    }
}
