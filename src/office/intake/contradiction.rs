//! Mails that say two things of one question: nothing is done where nobody can tell which of them is meant.

use super::{
    plan::{Clause, Plan, What},
    sheet::Picked,
    understand::{Context, Reading},
};
use crate::{
    office::{error::OfficeError, session::GameSession},
    orders::{Doubt, Phrase, is_confirmation, option_ref, puts_off},
    store::Proposed,
    table::{Asked, PromptId, Seat, Understood},
};

impl GameSession {
    /// Marks options of one list of which only one can be meant: `1a` and `1b`, where the question that lists them is answered by the first.
    pub(super) fn mark_alternatives(
        &mut self,
        seat: Seat,
        plan: &mut Plan<'_>,
        context: &Context,
    ) -> Result<(), OfficeError> {
        let picked = |clause: &Clause| -> Option<Understood> {
            let option = option_ref(&clause.phrase).filter(|_| clause.doubt.is_none() && clause.label.is_none())?;
            match context.sheet.pick(option.prompt, option.index(), &option.choice) {
                Picked::One(understood, _) => Some(understood),
                Picked::Several(_) | Picked::None(_) => None,
            }
        };
        let mut all: Vec<Understood> = Vec::new();
        let clauses = plan.iter().flat_map(|(_, what)| match what {
            What::Orders(all) => all.as_slice(),
            _ => &[],
        });
        for understood in clauses.filter_map(picked) {
            if !all.contains(&understood) {
                all.push(understood);
            }
        }
        let first = |prompt: PromptId| all.iter().find(|one| one.prompt == prompt);
        // `2e, not 2c` beside `2c`: words that are no order name another option of the same question, or the same one.
        let mut torn = self.named_besides(seat, plan, context, &all);
        for one in &all {
            if let Some(first) = first(one.prompt).filter(|first| *first != one && !torn.contains(&first.prompt))
                && !self.is_asked_then(seat, first, |asked| asked.id == first.prompt)?
            {
                torn.push(one.prompt);
            }
        }
        for (_, what) in plan.iter_mut() {
            let What::Orders(all) = what else { continue };
            for clause in all {
                if picked(clause).is_some_and(|one| torn.contains(&one.prompt)) {
                    clause.doubt = Some(Doubt::Alternative);
                }
            }
        }
        Ok(())
    }

    /// The questions among those that `picked` answers of which words that are no order name an option.
    fn named_besides(
        &mut self,
        seat: Seat,
        plan: &Plan<'_>,
        context: &Context,
        picked: &[Understood],
    ) -> Vec<PromptId> {
        let mut named = Vec::new();
        for (_, what) in plan {
            let What::Orders(all) = what else { continue };
            for clause in all.iter().filter(|clause| option_ref(&clause.phrase).is_none()) {
                let words = clause.phrase.words().len();
                let options = (0..words).filter_map(|at| option_ref(&clause.phrase.part(at..at + 1)));
                let numbers: Vec<u32> = options.filter_map(|option| option.prompt).collect();
                let prompts = numbers.iter().filter_map(|&number| context.sheet.numbered(number));
                let prompts: Vec<PromptId> =
                    prompts.filter(|prompt| picked.iter().any(|one| one.prompt == *prompt)).collect();
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
