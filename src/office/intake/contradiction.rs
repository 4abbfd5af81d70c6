//! Mails that say two things of one question: nothing is done where nobody can tell which of them is meant.

use super::{
    clause::{Plan, What},
    context::Context,
    request::Request,
    sheet::Picked,
    understand::Reading,
};
use crate::{
    office::{error::OfficeError, session::GameSession},
    orders::{Doubt, Phrase, is_confirmation, option_ref, puts_off},
    store::Proposed,
    table::{Asked, PromptId, Seat, Understood},
};
use std::collections::BTreeSet;

/// An answer of the mail to a question that is open.
struct Answer {
    /// Its line, and its place there.
    at: (usize, usize),
    understood: Understood,
    /// Whether it is given by the letter of an option.
    by_letter: bool,
    /// Whether its words end a phase: behind another order they need not answer the question to which they are read now.
    ends: bool,
}

impl GameSession {
    /// Marks answers to one question of which only one can be meant: `1a` and `1b`, `stay` and `return`, where the first ends the question.
    pub(super) fn mark_alternatives(
        &mut self,
        seat: Seat,
        plan: &mut Plan<'_>,
        context: &Context,
    ) -> Result<(), OfficeError> {
        let backs = plan.iter().any(|(_, what)| matches!(what, What::Office(Request::Back)));
        let mut all: Vec<Answer> = Vec::new();
        for (line, (_, what)) in plan.iter().enumerate() {
            let What::Orders(clauses) = what else { continue };
            for (place, clause) in clauses.iter().enumerate().filter(|(_, clause)| clause.doubt.is_none()) {
                let option = option_ref(&clause.phrase).filter(|_| clause.label.is_none());
                let picked = option.map(|option| context.sheet.pick(option.prompt, option.index(), &option.choice));
                let (understood, by_letter) = match picked {
                    Some(Picked::One(understood, _)) => (understood, true),
                    Some(Picked::Several(_) | Picked::None(_)) => continue,
                    // Where an order is taken back its question is open again.
                    None if backs => continue,
                    None => match self.reading(seat, clause, context) {
                        Reading::Order(understood, _) => (understood, false),
                        Reading::Nothing | Reading::Unclear(_) => continue,
                    },
                };
                let ends = self.ends_something(&clause.phrase);
                all.push(Answer { at: (line, place), understood, by_letter, ends });
            }
        }
        // `2e, not 2c` beside `2c`: words that are no order name another option of the same question, or the same one.
        let by_letter: Vec<PromptId> =
            all.iter().filter(|one| one.by_letter).map(|one| one.understood.prompt).collect();
        let beside =
            if by_letter.is_empty() { Vec::new() } else { self.named_besides(seat, plan, context, &by_letter) };
        let mut torn: BTreeSet<(usize, usize)> = all
            .iter()
            .filter(|one| one.by_letter && beside.contains(&one.understood.prompt))
            .map(|one| one.at)
            .collect();
        for prompt in all.iter().map(|one| one.understood.prompt).collect::<BTreeSet<_>>() {
            let answers: Vec<&Answer> = all.iter().filter(|one| one.understood.prompt == prompt).collect();
            let Some((first, others)) = answers.split_first() else { continue };
            let differs = |other: &&&Answer| other.understood.order != first.understood.order && !other.ends;
            let Some(other) = others.iter().find(differs) else { continue };
            // Letters are those of one list; words may answer the next question of the kind: a further move, another Settlement.
            let both = first.by_letter && other.by_letter;
            // What is answered by turns has its further answers below the first.
            if !both && self.live.opened.ruleset.by_turns().iter().any(|rule| rule.kind == first.understood.kind) {
                continue;
            }
            let again = |asked: &Asked| {
                asked.id == prompt || !both && asked.seat == seat && asked.kind == first.understood.kind
            };
            if !self.is_asked_then(seat, &first.understood, again)? {
                torn.extend(answers.iter().map(|one| one.at));
            }
        }
        for (line, place) in torn {
            if let What::Orders(clauses) = &mut plan[line].1 {
                clauses[place].doubt = Some(Doubt::Alternative);
            }
        }
        Ok(())
    }

    /// Whether the words end a phase.
    fn ends_something(&self, phrase: &Phrase) -> bool {
        self.says_enough(phrase) || matches!(phrase.plain().as_str(), "done" | "pass" | "finished" | "end" | "nothing")
    }

    /// The questions among those that `picked` answers of which words that are no order name an option.
    fn named_besides(&mut self, seat: Seat, plan: &Plan<'_>, context: &Context, picked: &[PromptId]) -> Vec<PromptId> {
        let mut named = Vec::new();
        for (_, what) in plan {
            let What::Orders(all) = what else { continue };
            for clause in all.iter().filter(|clause| option_ref(&clause.phrase).is_none()) {
                let words = clause.phrase.words().len();
                let options = (0..words).filter_map(|at| option_ref(&clause.phrase.part(at..at + 1)));
                let numbers: Vec<u32> = options.filter_map(|option| option.prompt).collect();
                let prompts = numbers.iter().filter_map(|&number| context.sheet.numbered(number));
                let prompts: Vec<PromptId> = prompts.filter(|prompt| picked.contains(prompt)).collect();
                if !prompts.is_empty() && !matches!(self.reading(seat, clause, context), Reading::Order(..)) {
                    named.extend(prompts);
                }
            }
        }
        named
    }

    /// Whether one of the questions that are open when a question is answered so is this. What cannot be done, or tried, answers nothing: then
    /// it is taken to be.
    fn is_asked_then(
        &mut self,
        seat: Seat,
        understood: &Understood,
        wanted: impl Fn(&Asked) -> bool,
    ) -> Result<bool, OfficeError> {
        let Some(mut then) = self.live.imagined_by(seat, 1)? else { return Ok(true) };
        Ok(then.decide(seat, understood.prompt, &understood.order).is_err() || then.asked()?.iter().any(wanted))
    }

    /// What in a mail speaks against the yes in it: an order that answers the same question otherwise, or words that put it off.
    pub(super) fn against_yes(
        &mut self,
        seat: Seat,
        plan: &Plan<'_>,
        proposed: &Proposed,
        context: &Context,
    ) -> Option<String> {
        for (line, what) in plan {
            let phrase = Phrase::new(line);
            if is_confirmation(&phrase) {
                continue;
            }
            // A closing such as `See you later` puts nothing off.
            let What::Orders(all) = what else { continue };
            if puts_off(&phrase) {
                return Some(format!("\"{}\" puts it off.", phrase.text()));
            }
            for clause in all.iter().filter(|clause| clause.doubt.is_none()) {
                let Reading::Order(understood, _) = self.reading(seat, clause, context) else { continue };
                let Some((_, words)) = proposed.orders.iter().find(|(prompt, _)| *prompt == understood.prompt) else {
                    continue;
                };
                let Ok(meant) = self.read_at(seat, understood.prompt, &Phrase::new(words)) else { continue };
                // Behind a move another one may be ordered, or `done`.
                let again = |asked: &Asked| asked.seat == seat && asked.kind == meant.kind;
                if meant.order != understood.order && !self.is_asked_then(seat, &meant, again).ok()? {
                    return Some(format!("\"{}\" answers the same question.", clause.phrase.text()));
                }
            }
        }
        None
    }
}
