//! The lines of a mail, or of the command line: read as a whole, weighed against each other, and then done in order.

use super::{
    Access, From,
    carry_out::only_errors,
    clause::{Clause, Line, Plan, What, mark},
    layout::is_passed_over,
    press,
    progress::{Progress, Work},
    remark::held_by_subject,
    request::{Request, Standing},
};
use crate::{
    dice::Hash,
    letters::Failed,
    office::{
        error::OfficeError,
        services::Services,
        session::{GameSession, Reply},
    },
    orders::{Doubt, Phrase, is_confirmation, list_and},
    table::Seat,
};
use std::collections::VecDeque;

/// More orders than these are not taken at once: each is read against all that its game knows.
const MOST_ORDERS: usize = 200;

/// The lines of a mail that may be orders have no more characters than these together: each is read against all that its game knows.
const MOST_CHARS: usize = 40_000;

/// No line of orders is longer, in characters.
const LONGEST_ORDER: usize = 2_000;

impl GameSession {
    /// Does what the lines say, in order. What is not understood, refused or in doubt costs itself and what depends on it:
    /// what stands behind it in its line, what answers the same question, and what answers a question that the letter did not list.
    pub(super) fn work(
        &mut self,
        services: &mut Services,
        seat: Seat,
        lines: &[Line<'_>],
        from: &From<'_>,
        access: Access,
    ) -> Result<Reply, OfficeError> {
        if let Some(why) = too_long(lines) {
            return Ok(nothing_done(why));
        }
        let begun = self.live.started.is_some();
        let goes_on = begun && !self.live.closed;
        let mut context = self.context(services, seat, from, access)?;
        let press::Separated { orders, told } = self.separated(seat, lines, &context);
        if begun && let Some(why) = too_much(&orders) {
            return Ok(nothing_done(why));
        }
        let mut reply = Reply::default();
        let mut plan = self.planned(seat, &orders, &context)?;
        if goes_on {
            self.mark_remarked(seat, &mut plan, &orders, &context);
            reply.notes.extend(held_back_by_subject(from, &mut plan));
        }
        if begun && has(&plan, |request| matches!(request, Request::Draft(_))) {
            if !told.is_empty() {
                reply.notes.push("Your words to others were not sent: this mail is for your draft.".to_owned());
            }
            self.change_draft(seat, &plan, &mut context, from, &mut reply)?;
            return Ok(reply);
        }
        reply.notes.extend(below(&plan));
        let mut plan = self.with_draft(seat, plan, from, &context)?;
        reply.notes.extend(passed_over(&orders).filter(|_| begun));
        if goes_on {
            self.mark_alternatives(seat, &mut plan, &context)?;
        }
        if let Some(why) = too_many(&plan) {
            reply.refused = Some(why.clone());
            reply.notes.push(why);
            return Ok(reply);
        }
        // Whoever wants a preview wants nothing to be done, wherever he says so.
        if has(&plan, |request| *request == Request::Preview) {
            reply.extra = self.preview(services, seat, &plan, &mut context, &mut reply.ways)?;
            if !told.is_empty() {
                reply.notes.push("Your words to others were not sent: this is a preview.".to_owned());
            }
            return Ok(reply);
        }
        let orderly = !told.is_empty();
        reply.notes.extend(self.pass_on(services, seat, told, from)?);
        let progress = Progress::new(self.done_by(from));
        let mut work = Work { orderly, ..Work::new(seat, from, access, context, progress, reply) };
        self.begin_work(services, &plan, &mut work)?;
        for (place, (line, what)) in plan.into_iter().enumerate() {
            self.do_line(services, (what, line, place), &mut work)?;
        }
        self.finish_work(services, lines, work)
    }

    /// Finds out what of a mail counts, before any of it is done.
    fn begin_work(&mut self, services: &mut Services, plan: &Plan<'_>, work: &mut Work<'_>) -> Result<(), OfficeError> {
        let (seat, from, access) = (work.seat, work.from, work.access);
        let begun = self.live.started.is_some();
        work.barred = self.barred(seat, from, access)?;
        // What he would answer can be left while others are asked: then most people read and plan.
        work.leaves = work.barred.is_some() && self.may_leave(seat, from, access)?;
        // Whoever takes an order back need not be asked anything now; that goes for nothing else in his mail.
        work.backs_count = begun && !self.live.closed && access != Access::Undone;
        work.takes_back = work.backs_count && has(plan, |request| *request == Request::Back);
        // Beside a `join` whatever else stands there is a greeting: no order is possible yet.
        work.joins = !begun && has(plan, |request| matches!(request, Request::Join { .. }));
        let left_alone =
            |what: &What| work.leaves && matches!(what, What::Office(Request::Standing(_) | Request::Ahead(_)));
        let held_up: usize = plan.iter().filter(|(_, what)| !left_alone(what)).map(|(_, what)| orders_in(what)).sum();
        if let Some(why) = work.barred.as_ref().filter(|_| held_up > 0 && !work.takes_back && !work.joins) {
            work.reply.refused = Some(why.clone());
            work.reply.notes.push(why.clone());
        }
        // Whoever wants a pause wants it for his whole mail, wherever he says so: his orders are done, and nothing else is.
        self.paused_by_mail = work.may_leave() && has(plan, |request| *request == Request::Pause);
        if self.paused_by_mail {
            self.pause(services, seat).or_else(|why| only_errors(why).map(drop))?;
        }
        work.backs_before = match from {
            From::Mail { hash, .. } => self.taken_back_by(*hash),
            From::Cli => 0,
        };
        work.confirms = self.proposed_in(seat, from);
        work.against_yes = match &work.confirms {
            Some(proposed) if work.barred.is_none() => self.against_yes(seat, plan, proposed, &work.context),
            _ => None,
        };
        Ok(())
    }

    /// Does what one line says.
    fn do_line(
        &mut self,
        services: &mut Services,
        (what, line, place): (What, &str, usize),
        work: &mut Work<'_>,
    ) -> Result<(), OfficeError> {
        match what {
            What::Nothing | What::Below => Ok(()),
            What::Orders(_) | What::Sent(_) if work.joins => Ok(()),
            What::Sent(draft) => self.do_draft(services, (draft, line, place), work),
            What::Orders(all) if work.barred.is_some() && !work.takes_back => {
                self.keep_orders(services, (&all, place), work)
            }
            What::Orders(all) => self.do_orders(services, (all, line, place), work),
            What::Office(request) => self.fulfil(services, (request, line, place), work),
        }
    }

    /// Sends the draft that the mail asked for.
    fn do_draft(
        &mut self,
        services: &mut Services,
        (draft, line, place): (Vec<(String, Vec<Clause>)>, &str, usize),
        work: &mut Work<'_>,
    ) -> Result<(), OfficeError> {
        work.orderly = true;
        if draft.is_empty() {
            let note =
                "Your draft is empty: nothing was sent. `draft` on a line of its own puts the orders below it there.";
            work.reply.notes.push(note.to_owned());
            return Ok(());
        }
        match &work.barred {
            None => {
                let sent = (draft, line, place);
                self.send_draft(services, work.seat, sent, work.from, &mut work.context, &mut work.progress)
            }
            Some(why) => {
                if work.takes_back {
                    work.progress.miss(line, why);
                }
                Ok(())
            }
        }
    }

    /// Keeps orders that do not count now for the questions that they answer, where their writer knows how the game stands.
    fn keep_orders(
        &mut self,
        services: &mut Services,
        (all, place): (&[Clause], usize),
        work: &mut Work<'_>,
    ) -> Result<(), OfficeError> {
        if !self.answers_newest(work.seat, work.from, work.access) {
            return Ok(());
        }
        for clause in all {
            // What stands behind an order that is not kept hangs on it.
            if clause.doubt.is_some() || self.doubt(&clause.phrase).is_some() {
                break;
            }
            let kept = self.keep_for_then(services, work.seat, (&clause.phrase, &work.context), work.from, place);
            match kept.or_else(only_errors)? {
                Some(kept) => work.reply.notes.push(kept),
                None => break,
            }
        }
        Ok(())
    }

    /// Carries out the orders of a line, or what its `yes` confirms.
    fn do_orders(
        &mut self,
        services: &mut Services,
        (all, line, place): (Vec<Clause>, &str, usize),
        work: &mut Work<'_>,
    ) -> Result<(), OfficeError> {
        work.orderly = true;
        let Work { seat, from, context, progress, .. } = work;
        if let Some(why) = &work.barred {
            progress.report.total += all.len();
            progress.miss(line, why);
            return Ok(());
        }
        let is_yes = matches!(&all[..], [one] if one.doubt.is_none() && is_confirmation(&one.phrase));
        match work.confirms.take_if(|_| is_yes) {
            Some(proposed) if work.against_yes.is_some() => {
                let why = format!(
                    "Beside your yes {} Please write what you want: `{}` alone, or the order in words.",
                    work.against_yes.as_deref().unwrap_or_default(),
                    all[0].phrase.text()
                );
                progress.report.total += 1;
                progress.fail(Failed { pointed: vec![line.to_owned()], why });
                proposed.orders.iter().for_each(|(prompt, _)| progress.blocked.add(*prompt));
                Ok(())
            }
            Some(proposed) => self.confirm(services, *seat, (&all[0].phrase, line), proposed, from, progress),
            None => {
                let all = self.planned_again(services, *seat, (all, line, place), context, progress)?;
                self.carry_out_line(services, *seat, (all, line, place), from, context, progress)
            }
        }
    }

    /// What is left to do when all lines are done, and the answer.
    fn finish_work(
        &mut self,
        services: &mut Services,
        lines: &[Line<'_>],
        work: Work<'_>,
    ) -> Result<Reply, OfficeError> {
        let Work { seat, from, context, mut progress, mut reply, .. } = work;
        self.leave_turns(services, seat, from, &mut progress)?;
        self.paused_by_mail = false;
        if progress.report.failed.is_some() && self.would_be_answered(seat)? {
            self.pause(services, seat).or_else(|why| only_errors(why).map(drop))?;
            let note = "Since not all of your orders were done, your standing orders answer nothing in this Round until you answer yourself: \
                        the question that is open may be the one that you meant to answer.";
            progress.notes.push(note.to_owned());
        }
        if !work.orderly && !work.joins && reply.refused.is_none() {
            reply.notes.push("No order was found in your mail: nothing was done.".to_owned());
        }
        if progress.report.done.is_empty() && lines.iter().any(|line| says_see_below(line.text)) {
            let note = "What stands within the letter that you answer cannot be told from it where your mail program sets no marks: please \
                        write your orders above it, `1b` and the like.";
            progress.notes.push(note.to_owned());
        }
        let Progress { report, mut notes, proposals, .. } = progress;
        notes.extend(self.propose(seat, from, &proposals)?);
        reply.notes.append(&mut notes);
        reply.kinds = context.kinds;
        reply.order_report = (report.total > 0 && (reply.refused.is_none() || work.leaves)).then_some(report);
        Ok(reply)
    }

    /// Whether the lines hold orders, and are no preview.
    pub(super) fn holds_orders(
        &mut self,
        services: &Services,
        seat: Seat,
        lines: &[Line<'_>],
        from: &From<'_>,
        access: Access,
    ) -> Result<bool, OfficeError> {
        if self.pace(seat).delay == 0 || self.live.started.is_none() {
            return Ok(false);
        }
        let context = self.context(services, seat, from, access)?;
        let press::Separated { orders, .. } = self.separated(seat, lines, &context);
        let plan = self.planned(seat, &orders, &context)?;
        let none = |what: &What| {
            matches!(what, What::Office(Request::Preview | Request::Stop | Request::Back | Request::Draft(_)))
        };
        let previews = plan.iter().any(|(_, what)| none(what));
        Ok(!previews && plan.iter().any(|(_, what)| matches!(what, What::Orders(_))))
    }

    /// The digests of the lines whose orders a mail has carried out already, before the service broke off.
    fn done_by(&self, from: &From<'_>) -> VecDeque<Option<Hash>> {
        match from {
            From::Mail { hash, .. } => {
                self.facts.mails.get(hash).map(|words| words.iter().copied().collect()).unwrap_or_default()
            }
            From::Cli => VecDeque::new(),
        }
    }
}

/// The answer to a mail of which nothing was done.
fn nothing_done(why: String) -> Reply {
    Reply { notes: vec![why.clone()], refused: Some(why), ..Reply::default() }
}

/// Why nothing of a mail is done that has a line which no order fills.
fn too_long(lines: &[Line<'_>]) -> Option<String> {
    let line = lines.iter().map(|line| line.text).find(|line| line.chars().count() > LONGEST_ORDER)?;
    let start: String = line.chars().take(40).collect();
    Some(format!(
        "Nothing was done: the line that begins \"{start}\" has {} characters, and an order has {LONGEST_ORDER} at most. Please give \
         your orders a line each.",
        line.chars().count()
    ))
}

/// Why nothing of a mail is done that holds more than all orders of a game would.
fn too_much(orders: &[Line<'_>]) -> Option<String> {
    let all: usize = orders.iter().map(|line| line.text.chars().count()).sum();
    (all > MOST_CHARS).then(|| {
        format!(
            "Nothing was done: your mail holds {all} characters beside what it quotes, and orders have {MOST_CHARS} at most. Please send \
             them in several mails."
        )
    })
}

/// Why nothing of a mail is done that holds too many orders.
fn too_many(plan: &Plan<'_>) -> Option<String> {
    let count: usize = plan.iter().map(|(_, what)| orders_in(what)).sum();
    (count > MOST_ORDERS).then(|| {
        format!(
            "Nothing was done: your mail holds {count} orders, and {MOST_ORDERS} is the most that is taken at once. Please send \
             them in several mails."
        )
    })
}

/// Whether a mail has such a word to the office.
fn has(plan: &Plan<'_>, wanted: impl Fn(&Request) -> bool) -> bool {
    plan.iter().any(|(_, what)| matches!(what, What::Office(request) if wanted(request)))
}

/// Leaves orders open whose mail has a subject that does, and says so.
fn held_back_by_subject(from: &From<'_>, plan: &mut Plan<'_>) -> Option<String> {
    let From::Mail { mail, .. } = from else { return None };
    let words = held_by_subject(&mail.subject)?;
    if !plan.iter().any(|(_, what)| matches!(what, What::Orders(_))) {
        return None;
    }
    plan.iter_mut().for_each(|(_, what)| mark(what, Doubt::Hedge));
    Some(format!("The subject of your mail says \"{words}\", so your orders wait for your yes."))
}

/// What was not read, since it stands below a closing or a name.
fn below(plan: &Plan<'_>) -> Option<String> {
    let below: Vec<String> =
        plan.iter().filter(|(_, what)| matches!(what, What::Below)).map(|(line, _)| format!("`{line}`")).collect();
    (!below.is_empty()).then(|| {
        format!("Not read, since it stands below a closing or your name: {}. Orders stand above.", list_and(&below))
    })
}

/// What was not read, since it is struck out or not ticked.
fn passed_over(orders: &[Line<'_>]) -> Option<String> {
    let passed: Vec<String> =
        orders.iter().filter(|line| is_passed_over(line.text)).map(|line| format!("`{}`", line.text)).collect();
    (!passed.is_empty()).then(|| format!("Passed over, since it is struck out or not ticked: {}.", list_and(&passed)))
}

/// Whether a line says that its writer's words stand within the quoted letter.
fn says_see_below(line: &str) -> bool {
    const PLACES: &[&str] =
        &["below", "inline", "in line", "in red", "in blue", "in colour", "in color", "in between", "in bold"];
    let plain = Phrase::new(line).plain();
    let has = |words: &str| format!(" {plain} ").contains(&format!(" {words} "));
    plain.split(' ').count() <= 12
        && (has("see") || has("answers") || has("answered") || has("orders") || has("comments") || has("replies"))
        && PLACES.iter().any(|place| has(place))
}

/// How many orders a line holds.
fn orders_in(what: &What) -> usize {
    match what {
        What::Orders(all) => all.len(),
        What::Sent(draft) => draft.iter().map(|(_, all)| all.len()).sum(),
        What::Office(Request::Back) => 1,
        What::Office(Request::Standing(standing)) if *standing != Standing::List => 1,
        What::Office(Request::Ahead(orders)) => orders.len().max(1),
        What::Office(_) | What::Nothing | What::Below => 0,
    }
}
