//! How orders would be understood, one after the other, without anything being done.

use super::{
    clause::{Clause, Plan, What},
    context::Context,
    plan::wants_preview,
    request::{Request, Standing},
    trial::{Trial, Tried},
    understand::{Looked, Reading},
};
use crate::{
    letters::{Block, Section},
    office::{
        error::{NotDone, OfficeError},
        services::Services,
        session::GameSession,
    },
    orders::{Phrase, option_ref},
    table::{Seat, Understood, follows, map::Way},
};

impl GameSession {
    /// Says how orders would be understood, and whether each is legal behind those before it. Rolls no die and changes nothing.
    pub(super) fn preview(
        &mut self,
        services: &Services,
        seat: Seat,
        plan: &Plan<'_>,
        context: &mut Context,
        ways: &mut Vec<Way>,
    ) -> Result<Vec<Section>, OfficeError> {
        let mut lines: Vec<(Vec<Clause>, &str)> = Vec::new();
        for (line, what) in plan {
            match what {
                What::Orders(all) => lines.push((all.clone(), *line)),
                What::Sent(draft) => lines.extend(draft.iter().map(|(text, all)| (all.clone(), text.as_str()))),
                // `preview settle kansas`
                What::Office(Request::Preview) => lines.extend(self.beside_preview(seat, line).map(|all| (all, *line))),
                What::Office(_) | What::Nothing | What::Below => {}
            }
        }
        let mut out = vec![Section::paragraph("PREVIEW: nothing was done.")];
        let looked = self.in_trial(seat, |session, trial| session.looked_through(seat, lines, context, trial, ways))?;
        out.extend(looked);
        let mut first = out.len() == 1;
        for (line, what) in plan {
            let What::Office(Request::Standing(standing @ Standing::Leave { .. })) = what else { continue };
            let says = match self.would_have(services, seat, standing.clone()) {
                Ok(lines) => lines,
                Err(NotDone::Refused(failed)) => vec![failed.why],
                Err(NotDone::Error(why)) => return Err(why),
            };
            let says = says.iter().map(|line| self.seats.named(line)).collect();
            out.push(Section::of([Block::Preview { pointed: vec![(*line).to_owned()], says }]));
            first = false;
        }
        if first {
            out.push(Section::paragraph("There was no order to look at."));
        }
        Ok(out)
    }

    /// The order that stands in the line with the word that wants it looked at.
    fn beside_preview(&mut self, seat: Seat, line: &str) -> Option<Vec<Clause>> {
        let phrase = Phrase::new(line);
        let at = wants_preview(&phrase)?;
        let parts = [phrase.part(at + 1..phrase.words().len()), phrase.part(0..at)];
        let mut orders = |part: &Phrase| option_ref(part).is_some() || self.read(seat, part).is_ok();
        let read = parts.into_iter().find(|part| !part.is_empty() && orders(part))?;
        Some(vec![Clause { phrase: Phrase::new(read.text()), label: None, doubt: None }])
    }

    /// The orders of these lines, looked at one after the other.
    fn looked_through(
        &mut self,
        seat: Seat,
        lines: Vec<(Vec<Clause>, &str)>,
        context: &mut Context,
        trial: &mut Trial,
        ways: &mut Vec<Way>,
    ) -> Result<Vec<Section>, OfficeError> {
        let (mut out, mut last) = (Vec::new(), None);
        let mut left: usize = lines.iter().map(|(all, _)| all.len()).sum();
        for (all, line) in lines {
            left -= all.len();
            let all = self.planned_in_turn(seat, (all, line), context, trial)?;
            for (at, clause) in (1..).zip(&all) {
                let follows = match self.reading(seat, clause, context) {
                    Reading::Order(understood, _) => self.what_follows(&understood)?,
                    Reading::Nothing | Reading::Unclear(_) => None,
                };
                let Some(Tried { looked, legal }) = self.look_in_turn(seat, clause, context, trial)? else { continue };
                let Looked { pointed, mut says, read, ways: found } = looked;
                ways.extend(found);
                says.extend(legal);
                if left + all.len() > at && read.is_some_and(|(_, legal)| legal.is_err()) {
                    says.push("What depends on it would be skipped.".to_owned());
                }
                out.push(Block::Preview { pointed, says });
                // It is said once, of the last order that is understood.
                if let Some(follows) = follows {
                    last = Some((out.len() - 1, follows));
                }
            }
        }
        if let Some((at, follows)) = last
            && let Block::Preview { says, .. } = &mut out[at]
        {
            says.push(follows);
        }
        Ok(out.into_iter().map(|block| Section::of([block])).collect())
    }

    /// What is asked behind an order, where the rules say it.
    fn what_follows(&mut self, understood: &Understood) -> Result<Option<String>, OfficeError> {
        let next = self.live.opened.ruleset.next();
        let kind = self.asked()?.into_iter().find(|asked| asked.id == understood.prompt);
        let follows = kind.and_then(|asked| follows(next, asked.kind, &understood.order));
        Ok(follows.map(|next| format!("What is mostly asked after such an order: {next}.")))
    }
}
