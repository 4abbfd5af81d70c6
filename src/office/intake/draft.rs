//! Drafts: orders that a player keeps over several mails, and sends when he is content.
//!
//! A mail with the word `draft` does nothing but change the draft, and its answer shows how each line is read as things stand. `send` stands
//! for the draft's lines where it stands in a mail: they are read and carried out as if they had been written there, and the journal names
//! that mail and its line. What was not carried out stays in the draft.

use super::{
    From,
    clause::{Clause, Label, Line, Plan, What},
    context::Context,
    progress::Progress,
    request::{Drafted, MOST_DRAFTED, Request, is_send},
    trial::{Trial, Tried},
    understand::{Reading, Unclear},
};
use crate::{
    dice::Hash,
    letters::{Block, Section},
    office::{
        error::OfficeError,
        services::Services,
        session::{GameSession, Reply},
    },
    orders::{Doubt, doubt, option_ref, peels},
    store::{Draft, Kept},
    table::{Seat, map::Way},
};

impl GameSession {
    /// The lines that a mail finds in the draft of its seat: those of before, where it has sent them before a crash.
    fn draft_for(&self, seat: Seat, mail: Option<Hash>) -> Vec<String> {
        match self.secrets.drafts.get(&seat) {
            Some(draft) if draft.left.is_some() && mail.is_some() && draft.by == mail => draft.lines.clone(),
            _ => self.draft(seat).to_vec(),
        }
    }

    /// The plan of a mail, with the draft in place of `send`.
    pub(super) fn with_draft<'m>(
        &mut self,
        seat: Seat,
        plan: Plan<'m>,
        from: &From<'_>,
        context: &Context,
    ) -> Result<Plan<'m>, OfficeError> {
        let names: Vec<&str> = context.names.iter().map(String::as_str).collect();
        let sends = |what: &What| matches!(what, What::Orders(all) if sends(all, &names));
        if !plan.iter().any(|(_, what)| sends(what)) {
            return Ok(plan);
        }
        let lines = self.draft_for(seat, hash_of(from));
        let mut draft = Vec::new();
        for (text, what) in self.planned(seat, &numbered(&lines), context)? {
            if let What::Orders(all) = what {
                draft.push((text.to_owned(), all));
            }
        }
        let mut draft = Some(draft);
        let put = |(line, what)| match sends(&what) {
            // Whoever writes it twice means it once.
            true => (line, draft.take().map_or(What::Nothing, What::Sent)),
            false => (line, what),
        };
        Ok(plan.into_iter().map(put).collect())
    }

    /// Carries a draft out, and keeps what was not.
    pub(super) fn send_draft(
        &mut self,
        services: &mut Services,
        seat: Seat,
        (draft, line, place): (Vec<(String, Vec<Clause>)>, &str, usize),
        from: &From<'_>,
        context: &mut Context,
        progress: &mut Progress,
    ) -> Result<(), OfficeError> {
        let by = hash_of(from);
        let lines = self.draft_for(seat, by);
        let mut left = Vec::new();
        for (text, all) in draft {
            let all = self.planned_again(services, seat, (all, &text, place), context, progress)?;
            let clauses: Vec<String> = all.iter().map(|clause| clause.phrase.text().to_owned()).collect();
            let (done, total) = (progress.report.done.len(), progress.report.total);
            self.carry_out_line(services, seat, (all, line, place), from, context, progress)?;
            match (progress.report.done.len() - done, progress.report.total - total) {
                (0, _) => left.push(text),
                (done, total) if done < total => left.extend(clauses.into_iter().skip(done)),
                _ => {}
            }
        }
        self.keep(Kept::Draft(seat, Draft { lines, by, left: Some(left) }))?;
        Ok(())
    }

    /// Changes the draft as the lines of a mail say, and shows it.
    pub(super) fn change_draft(
        &mut self,
        seat: Seat,
        plan: &Plan<'_>,
        context: &mut Context,
        from: &From<'_>,
        reply: &mut Reply,
    ) -> Result<(), OfficeError> {
        if self.live.closed {
            reply.notes.push("The game is over: there is no draft to keep.".to_owned());
            return Ok(());
        }
        let by = hash_of(from);
        let again = by.is_some() && self.secrets.drafts.get(&seat).is_some_and(|draft| draft.by == by);
        if !again {
            let lines = self.changed_draft(seat, plan, context, &mut reply.notes)?;
            if lines != self.draft(seat) {
                self.keep(Kept::Draft(seat, Draft { lines, by, left: None }))?;
            }
        }
        reply.extra = self.shown_draft(seat, context, &mut reply.ways)?;
        Ok(())
    }

    /// The lines of the draft once a mail has changed it.
    fn changed_draft(
        &mut self,
        seat: Seat,
        plan: &Plan<'_>,
        context: &Context,
        notes: &mut Vec<String>,
    ) -> Result<Vec<String>, OfficeError> {
        let names: Vec<&str> = context.names.iter().map(String::as_str).collect();
        // Numbers are those of the draft as it was shown.
        let mut lines: Vec<Option<String>> = self.draft(seat).iter().cloned().map(Some).collect();
        let mut added = Vec::new();
        for (line, what) in plan {
            match what {
                What::Nothing | What::Below | What::Office(Request::Draft(Drafted::Orders)) => {}
                What::Orders(all) if sends(all, &names) => {
                    notes.push(
                        "Nothing was sent, since `draft` stands in the same mail: write `send` in one of its own."
                            .to_owned(),
                    );
                }
                What::Orders(all) => added.extend(self.draft_lines(seat, line, all, context, notes)),
                What::Office(Request::Draft(Drafted::Add(text))) => {
                    added.extend(self.read_for_draft(seat, text, context, notes)?);
                }
                What::Office(Request::Draft(Drafted::Put(at, text))) => {
                    let mut new = self.read_for_draft(seat, text, context, notes)?;
                    match (lines.get_mut(at - 1), new.len()) {
                        (_, 0) => {}
                        (Some(place), 1) => *place = new.pop(),
                        (Some(_), _) => notes.push(format!(
                            "Line {at} of your draft stays as it is: what stands behind the mark is more than one line."
                        )),
                        (None, _) => notes.push(no_line(*at, lines.len())),
                    }
                }
                What::Office(Request::Draft(Drafted::Drop(all))) => {
                    for &at in all {
                        match lines.get_mut(at - 1) {
                            Some(place) => *place = None,
                            None => notes.push(no_line(at, lines.len())),
                        }
                    }
                }
                What::Office(Request::Draft(Drafted::End)) => lines.clear(),
                What::Office(_) | What::Sent(_) => notes.push(format!(
                    "\"{line}\" was passed over: beside `draft` nothing is done. Please write it in another mail."
                )),
            }
        }
        let mut lines: Vec<String> = lines.into_iter().flatten().chain(added).collect();
        if lines.len() > MOST_DRAFTED {
            notes.push(format!(
                "A draft has {MOST_DRAFTED} lines at most: the last {} were left out.",
                lines.len() - MOST_DRAFTED
            ));
            lines.truncate(MOST_DRAFTED);
        }
        Ok(lines)
    }

    fn read_for_draft(
        &mut self,
        seat: Seat,
        text: &str,
        context: &Context,
        notes: &mut Vec<String>,
    ) -> Result<Vec<String>, OfficeError> {
        let mut lines = Vec::new();
        for (line, what) in self.planned(seat, &[Line { text, no: 1 }], context)? {
            match what {
                What::Orders(all) => lines.extend(self.draft_lines(seat, line, &all, context, notes)),
                _ => notes.push(format!("Not put into your draft, since it is no order: \"{line}\".")),
            }
        }
        Ok(lines)
    }

    /// The lines of a draft for a line of a mail. What points at a list of the letter stands there in the option's words: the next letter
    /// lists something else.
    fn draft_lines(
        &mut self,
        seat: Seat,
        line: &str,
        all: &[Clause],
        context: &Context,
        notes: &mut Vec<String>,
    ) -> Vec<String> {
        let (mut lines, mut as_written) = (Vec::new(), true);
        for clause in all {
            // `2i: 3412` for a later phase: what the letter has no such order under is the name of a piece, not a letter of a list.
            let lettered = matches!(&clause.label, Some(Label::Letter(Some(_), _)));
            let text = match &clause.label {
                _ if lettered => line.trim().to_owned(),
                // Its question may be one that is still to come.
                Some(Label::Kind(kind)) => format!("{kind}: {}", clause.phrase.text()),
                _ => clause.phrase.text().to_owned(),
            };
            let points = clause.label.as_ref().is_some_and(|label| !matches!(label, Label::Kind(_)))
                || option_ref(&clause.phrase).is_some()
                || context.sheet.copied(&clause.phrase).is_some();
            // A condition may be part of an order that is read when its question comes.
            let open = clause.doubt.or_else(|| self.doubt(&clause.phrase)).is_some_and(|open| open != Doubt::Condition);
            let words = match self.reading(seat, clause, context) {
                Reading::Nothing => continue,
                Reading::Order(understood, _) if points => {
                    as_written = false;
                    self.live.dyn_game.as_mut().and_then(|game| game.say(understood.prompt, &understood.order)).ok_or(
                        "it points at a list, and the next letter may list something else. Please write it in words."
                            .to_owned(),
                    )
                }
                Reading::Order(..) => Ok(text.clone()),
                Reading::Unclear(_) if lettered && all.len() == 1 && !open => Ok(text.clone()),
                Reading::Unclear(Unclear { failed, chatter, .. }) if open || points || chatter => Err(failed.why),
                // It may be read when its question comes.
                Reading::Unclear(_) => Ok(text.clone()),
            };
            match words {
                Ok(words) => lines.push(words),
                Err(why) => {
                    as_written = false;
                    notes.push(format!("Not put into your draft: \"{text}\". {why}"));
                }
            }
        }
        match as_written && !lines.is_empty() {
            true => vec![line.trim().to_owned()],
            false => lines,
        }
    }

    /// The draft with its numbers, and how each line would be understood behind those before it.
    fn shown_draft(
        &mut self,
        seat: Seat,
        context: &mut Context,
        ways: &mut Vec<Way>,
    ) -> Result<Vec<Section>, OfficeError> {
        let lines = self.draft(seat).to_vec();
        if lines.is_empty() {
            return Ok(vec![Section::paragraph(
                "YOUR DRAFT is empty. To put orders into it write `draft` on a line of its own, and the orders below.",
            )]);
        }
        let mut out = vec![Section::paragraph(
            "YOUR DRAFT: nothing was done. `send` carries it out, `draft drop 2` takes line 2 away, `draft 2: …` puts another order in its \
             place, and `draft end` ends it.",
        )];
        let plan = self.planned(seat, &numbered(&lines), context)?;
        let shown =
            self.in_trial(seat, |session, trial| session.looked_through_draft(seat, plan, context, trial, ways))?;
        out.extend(shown);
        Ok(out)
    }

    fn looked_through_draft(
        &mut self,
        seat: Seat,
        plan: Plan<'_>,
        context: &mut Context,
        trial: &mut Trial,
        ways: &mut Vec<Way>,
    ) -> Result<Vec<Section>, OfficeError> {
        let mut out = Vec::new();
        for (number, (line, what)) in (1..).zip(plan) {
            let number = format!("{number}. ");
            let (mut pointed, mut says) = (vec![format!("{number}{line}")], Vec::new());
            match what {
                What::Orders(all) => {
                    let all = self.planned_in_turn(seat, (all, line), context, trial)?;
                    for clause in &all {
                        let tried = self.look_in_turn(seat, clause, context, trial)?;
                        let Some(Tried { looked, legal }) = tried else { continue };
                        says.extend(looked.says.into_iter().chain(legal));
                        ways.extend(looked.ways);
                        // With what is not understood marked.
                        if looked.read.is_none() && all.len() == 1 {
                            let blank = " ".repeat(number.len());
                            let before = std::iter::once(number.clone()).chain(std::iter::repeat(blank));
                            pointed = before.zip(looked.pointed).map(|(before, line)| before + &line).collect();
                        }
                    }
                }
                _ => says.push("This is no order as things stand.".to_owned()),
            }
            out.push(Section::of([Block::Preview { pointed, says }]));
        }
        Ok(out)
    }
}

/// Whether a line sends the draft, and nothing leaves that open.
fn sends(all: &[Clause], names: &[&str]) -> bool {
    let [one] = all else { return false };
    let plain = one.label.is_none() && one.doubt.is_none() && doubt(&one.phrase).is_none();
    plain && peels(&one.phrase, names).iter().any(is_send)
}

fn hash_of(from: &From<'_>) -> Option<Hash> {
    match from {
        From::Mail { hash, .. } => Some(*hash),
        From::Cli => None,
    }
}

/// The lines of a draft as those of a mail, an empty line between each: none goes on from another.
fn numbered(lines: &[String]) -> Vec<Line<'_>> {
    (1..).zip(lines).map(|(no, text)| Line { text, no: 2 * no }).collect()
}

fn no_line(at: usize, lines: usize) -> String {
    match lines {
        0 => format!("There is no line {at}: your draft is empty."),
        _ => format!("There is no line {at}: your draft has {lines}."),
    }
}
