//! Carrying out a mail that was read: line by line, each order by what is asked when its turn comes.

use super::{
    Access, From,
    context::Context,
    reading::{By, Is, Label, Line, Order, ReadLine, Reading},
    request::{Request, Standing},
    work::{Before, Work},
};
use crate::{
    error::{NotDone, OfficeError},
    services::Services,
    session::{Game, Reply, Transaction, refusal, sentence},
};
use postrider_dice::{Hash, sha256};
use postrider_journal::{Via, words_digest};
use postrider_letters::Failed;
use postrider_orders::{Misread, Phrase, list_or};
use postrider_replay::{FromMail, LiveFault};
use postrider_table::{PromptId, Seat, Understood};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Maximum number of orders in a mail.
const MOST_ORDERS: usize = 200;

/// Maximum length of all lines of a mail together, in characters.
const MOST_CHARS: usize = 40_000;

/// Maximum length of a line, in characters.
const LONGEST_LINE: usize = 2_000;

/// The line at hand: its text, by which its writer can prove an order, and its place in the mail.
pub(super) type At<'l> = (&'l str, usize);

impl Game {
    /// What an order means by what is asked now.
    ///
    /// # Errors
    /// A [`Misread`] if nothing that is asked of the seat reads it.
    pub(super) fn at_its_turn(&mut self, order: &Order, work: &Work<'_>) -> Result<(Understood, String), Misread> {
        let (seat, phrase, words) = (work.seat, &order.phrase, order.phrase.text());
        let open = |session: &mut Game, prompt: PromptId| {
            session.asked().unwrap_or_default().iter().any(|asked| asked.id == prompt)
        };
        if let By::Listed(understood, listed) = &order.by {
            let listed = self.seats.named(listed);
            let same = Phrase::new(&listed).plain() == phrase.plain();
            if open(self, understood.prompt) {
                return Ok((understood.clone(), if same { listed } else { format!("{words} ({listed})") }));
            }
            // A letter stands for one list; words can be read again when the question comes again.
            if !same {
                return Err(phrase.reader().fail("the question with that list is not asked any more"));
            }
        }
        let understood = match &order.label {
            Some(Label::Number(number)) => {
                let prompt = work.context.sheet.numbered(*number).filter(|prompt| open(self, *prompt));
                let prompt =
                    prompt.ok_or_else(|| phrase.reader().fail(format!("question {number} is not asked any more")))?;
                self.read_at(seat, prompt, phrase)?
            }
            Some(Label::Kind(kind)) => {
                let none =
                    || phrase.reader().fail(format!("no question “{}” is open to you now", kind.replace('-', " ")));
                let prompt = self.asked_of(seat, kind).ok_or_else(none)?;
                self.read_at(seat, prompt, phrase)?
            }
            None => self.read(seat, phrase)?,
        };
        let sheet = &work.context.sheet;
        let same_kind = understood.kind == order.kind() && sheet.asks_kind(understood.kind);
        let ends = self.says_enough(phrase) && work.kinds.contains(understood.kind);
        if order.named || work.context.all_known || sheet.asks(understood.prompt) || same_kind || ends {
            return Ok((understood, words.to_owned()));
        }
        let why =
            format!("this would answer a question that you were not sent; `{}: {words}` would count", understood.kind);
        Err(phrase.reader().fail(why))
    }

    /// Returns true if an order says no more than that its player has done enough.
    pub(super) fn says_enough(&self, order: &Phrase) -> bool {
        let words = self.live.opened.ruleset.enough();
        words.iter().any(|word| order.text().eq_ignore_ascii_case(word))
    }

    /// The digest of a line of a mail, by which its writer can prove that an order is his.
    pub(super) fn words(&self, seat: Seat, from: &From<'_>, line: &str) -> Option<Hash> {
        let From::Mail { mail, .. } = from else { return None };
        let id = mail.message_id.as_deref().unwrap_or_default();
        Some(words_digest(&self.id, self.live.seat_name(seat), id, [line]))
    }

    /// What an order would bring about that its writer can hardly want.
    pub(super) fn dangers(&mut self, understood: &Understood) -> Vec<String> {
        let Some(dyn_game) = &mut self.live.dyn_game else { return Vec::new() };
        let all = dyn_game.dangers(understood.prompt, &understood.order);
        all.iter().map(|one| self.seats.named(one)).collect()
    }

    /// Of words that begin with the name of an order, where no question is asked to which that order is given: which questions
    /// these are.
    fn asked_elsewhere(&mut self, seat: Seat, phrase: &Phrase) -> Result<Option<String>, OfficeError> {
        let Some(verb) = phrase.words().first().map(|word| word.text.to_lowercase()) else { return Ok(None) };
        let rows = self.live.opened.ruleset.next().lines().filter_map(|row| row.split_once('\t'));
        let kinds: Vec<&str> =
            rows.filter(|(_, row)| row.split('\t').next() == Some(&*verb)).map(|(kind, _)| kind).collect();
        let asked = self.asked()?.into_iter().any(|asked| asked.seat == seat && kinds.contains(&asked.kind));
        if kinds.is_empty() || asked {
            return Ok(None);
        }
        let ahead = match kinds[..] {
            [kind] if self.standing_for(seat, kind).is_empty() => {
                format!(" What you would answer then can be left: `standing {kind}: {}`.", phrase.text())
            }
            _ => String::new(),
        };
        let kinds: Vec<String> = kinds.into_iter().map(|kind| kind.replace('-', " ")).collect();
        Ok(Some(format!("You are not asked for {} now.{ahead}", list_or(&kinds))))
    }

    /// The open question of this kind to a seat.
    pub(super) fn asked_of(&mut self, seat: Seat, kind: &str) -> Option<PromptId> {
        let asked = self.asked().ok()?;
        asked.into_iter().find(|asked| asked.seat == seat && asked.kind == kind).map(|asked| asked.id)
    }

    /// Returns true if a question waits for an answer of this seat.
    fn is_asked(&mut self, seat: Seat) -> Result<bool, OfficeError> {
        Ok(self.asked()?.iter().any(|asked| asked.seat == seat && asked.required))
    }

    /// The kinds of questions of this game that read the words whole as an answer, be they open or not.
    pub(super) fn foreseen(&mut self, seat: Seat, phrase: &Phrase) -> Vec<&'static str> {
        let named = self.seats.lettered(phrase.text()).map(|text| Phrase::new(&text));
        let Some(dyn_game) = &mut self.live.dyn_game else { return Vec::new() };
        // Reading changes nothing, so whatever a breakdown leaves behind is as it was.
        let mut reads =
            |phrase: &Phrase| catch_unwind(AssertUnwindSafe(|| dyn_game.foreseen(seat, phrase))).unwrap_or_default();
        let plain = reads(phrase);
        if plain.is_empty() { named.map(|named| reads(&named)).unwrap_or_default() } else { plain }
    }
}

impl Transaction {
    /// Reads the lines of a mail and does what they say.
    pub(super) fn work(
        &mut self,
        services: &mut Services,
        seat: Seat,
        lines: &[Line],
        from: &From<'_>,
        access: Access,
    ) -> Result<Reply, OfficeError> {
        if let Some(why) = too_long(lines) {
            return Ok(nothing_done(why));
        }
        let (reading, context) = self.read_mail(services, seat, lines, from, access)?;
        self.carry_out(services, seat, (reading, context), from, access)
    }

    /// Does what a mail says, if all of it was read.
    pub(super) fn carry_out(
        &mut self,
        services: &mut Services,
        seat: Seat,
        (reading, context): (Reading, Context),
        from: &From<'_>,
        access: Access,
    ) -> Result<Reply, OfficeError> {
        if reading.orders().count() > MOST_ORDERS {
            let why = format!(
                "Nothing was done: your mail holds more than {MOST_ORDERS} orders, the most that is taken at once. Please send them in \
                 several mails."
            );
            return Ok(nothing_done(why));
        }
        let begun = self.live.started.is_some();
        let mut work = Work::new(seat, from, access, context, self.place());
        if begun && reading.has(|request| matches!(request, Request::Draft(_))) {
            self.change_draft(&reading, &mut work)?;
            return Ok(work.reply);
        }
        if reading.has(|request| *request == Request::Preview) {
            self.preview(services, &reading, &mut work)?;
            return Ok(work.reply);
        }
        if self.holds(&reading, &work) {
            return self.hold(services, &reading, work);
        }
        self.learn_boilerplate(&reading, from, seat)?;
        self.begin_work(&reading, &mut work)?;
        for (place, line) in reading.lines.iter().enumerate() {
            self.do_line(services, line, (&line.text, place), &mut work)?;
        }
        self.finish_work(services, &reading, work)
    }

    /// Finds out what of a mail counts, before any of it is done.
    fn begin_work(&mut self, reading: &Reading, work: &mut Work<'_>) -> Result<(), OfficeError> {
        let (seat, from, access) = (work.seat, work.from, work.access);
        work.barred = self.barred(seat, from, access)?;
        work.leaves = work.barred.is_some() && self.may_leave(seat, from, access)?;
        let counts = self.live.started.is_some() && !self.live.closed && access != Access::Undone;
        work.takes_back = counts && reading.has(|request| *request == Request::Back);
        let joins = reading.has(|request| matches!(request, Request::Join { .. }));
        let ordered = reading.orders().next().is_some()
            || reading.has(|request| {
                *request == Request::Back
                    || !work.leaves
                        && matches!(
                            request,
                            Request::Standing(Standing::Leave { .. } | Standing::End { .. }) | Request::Ahead(_)
                        )
            });
        if let Some(why) = work.barred.as_ref().filter(|_| ordered && !work.takes_back && !joins) {
            work.reply.refused = Some(why.clone());
            work.reply.notes.push(why.clone());
        }
        // `pause` counts for the whole mail, wherever it is: its orders are done, and nothing else answers.
        self.paused_by_mail = work.may_leave() && reading.has(|request| *request == Request::Pause);
        if let From::Mail { hash, .. } = from {
            work.backs_before = self.taken_back_by(*hash);
            work.before =
                self.facts.mails.get(hash).map(|words| words.iter().copied().flatten().collect()).unwrap_or_default();
        }
        Ok(())
    }

    /// Does what one line says.
    pub(super) fn do_line(
        &mut self,
        services: &mut Services,
        line: &ReadLine,
        at: At<'_>,
        work: &mut Work<'_>,
    ) -> Result<(), OfficeError> {
        match &line.is {
            Is::Nothing => Ok(()),
            // A line of a proposal or a draft.
            Is::Unread(why) => {
                work.report.total += 1;
                work.fail(Failed { pointed: why.pointed.clone(), why: why.why.clone() });
                Ok(())
            }
            Is::Command(request) => self.fulfil(services, (request.clone(), at.0, at.1), work),
            Is::Message(told) => {
                let notes = self.pass_on(services, work.seat, told.clone(), at.1, work.from)?;
                work.reply.notes.extend(notes);
                Ok(())
            }
            Is::Orders(all) => all.iter().try_for_each(|order| self.carry_out_order(services, order, at, work)),
            Is::Draft(lines) => self.send_draft(services, lines, at, work),
            Is::Confirmed(lines) => {
                work.confirmed = true;
                lines.iter().try_for_each(|line| self.do_line(services, line, at, work))?;
                work.confirmed = false;
                Ok(())
            }
        }
    }

    /// Carries out one order, unless it was done before or is for later.
    pub(super) fn carry_out_order(
        &mut self,
        services: &mut Services,
        order: &Order,
        at: At<'_>,
        work: &mut Work<'_>,
    ) -> Result<(), OfficeError> {
        if work.barred.is_some() && !work.takes_back {
            return self.keep_barred(services, order, at, work);
        }
        work.report.total += 1;
        if let Some(why) = &work.barred {
            let failed = Failed { pointed: vec![order.shown()], why: why.clone() };
            work.fail(failed);
            return Ok(());
        }
        let enough = self.says_enough(&order.phrase);
        match work.was_done(self.words(work.seat, work.from, at.0)) {
            Before::Done => {
                // Only what reads as an order for a turn is kept for one.
                work.kinds.extend(self.live.opened.ruleset.by_turns().iter().map(|rule| rule.kind));
                work.report.done.push(order.shown());
                return Ok(());
            }
            Before::Unknown if enough => {
                work.report.done.push(ended_nothing(order));
                return Ok(());
            }
            Before::Unknown => {
                let why = "The service broke off over this mail. Please send again what has not been done.".to_owned();
                work.fail(Failed { pointed: vec![order.shown()], why });
                return Ok(());
            }
            Before::Not => {}
        }
        if work.report.failed.is_some() {
            work.report.left.push(order.shown());
            work.left.push(order.clone());
            return Ok(());
        }
        if self.keeps_for_a_turn(order, at.1, work)? {
            work.report.total -= 1;
            return Ok(());
        }
        self.leave_turns(services, work)?;
        if self.waits_for_turns(services, work)? {
            let why = "It comes behind orders that are kept for later turns of yours, so what it would answer is not known yet. Please send \
                       it when they are done."
                .to_owned();
            work.fail(Failed { pointed: vec![order.shown()], why });
            return Ok(());
        }
        if enough && !work.report.done.is_empty() && self.ends_nothing(services, work.seat, order)? {
            work.report.done.push(match self.keep_for_then(services, order, at.1, work)? {
                Some(kept) => kept,
                None => ended_nothing(order),
            });
            return Ok(());
        }
        let mut now = self.at_its_turn(order, work);
        // What the orders before it brought about may wait for others, who have left their answers.
        if now.is_err() && !work.report.done.is_empty() && self.answer_of_itself(services)? {
            now = self.at_its_turn(order, work);
        }
        match now {
            Ok((understood, what)) => self.give(services, order, (&understood, what), at, work),
            Err(why) => self.not_asked(services, order, &why, at, work),
        }
    }

    /// Gives the rules an order that was understood, unless its writer has to confirm it first.
    fn give(
        &mut self,
        services: &Services,
        order: &Order,
        (understood, what): (&Understood, String),
        (line, _): At<'_>,
        work: &mut Work<'_>,
    ) -> Result<(), OfficeError> {
        // At a terminal its writer sees what it does.
        let asks = matches!(work.from, From::Mail { .. }) && !work.confirmed;
        let dangers = if asks { self.dangers(understood) } else { Vec::new() };
        if !dangers.is_empty() {
            let why = dangers.join(" ");
            work.fail(Failed { pointed: vec![order.shown()], why });
            work.left.push(order.clone());
            return Ok(());
        }
        match self.decide_order(services, work.seat, (understood, line), work.from) {
            Ok(()) => {
                work.report.done.push(match &order.label {
                    Some(Label::Kind(kind)) => format!("{}: {what}", kind.replace('-', " ")),
                    _ => what,
                });
                work.kinds.insert(understood.kind);
                work.last = Some(understood.kind);
                Ok(())
            }
            Err(NotDone::Error(why)) => Err(why),
            Err(NotDone::Refused(mut why)) => {
                if why.pointed.is_empty() {
                    why.pointed.push(order.shown());
                }
                work.fail(why);
                Ok(())
            }
        }
    }

    /// An order that answers nothing that is asked now: it is kept for its question, or its writer is told why not.
    fn not_asked(
        &mut self,
        services: &mut Services,
        order: &Order,
        why: &Misread,
        at: At<'_>,
        work: &mut Work<'_>,
    ) -> Result<(), OfficeError> {
        if let Some(kept) = self.keep_for_then(services, order, at.1, work)? {
            work.report.done.push(kept);
            return Ok(());
        }
        let elsewhere = match order.label {
            None => self.asked_elsewhere(work.seat, &order.phrase)?,
            Some(_) => None,
        };
        let pointed: Vec<String> = why.point(order.phrase.line()).lines().map(str::to_owned).collect();
        let (pointed, why) = match (elsewhere, work.unread_turn.take()) {
            (Some(elsewhere), Some(unread)) => {
                (vec![order.shown()], format!("{elsewhere} As an order for your next turn it is not read: {unread}"))
            }
            (Some(elsewhere), None) => (vec![order.shown()], elsewhere),
            (None, _) if !self.is_asked(work.seat)? => {
                let why = "Nothing waits for your answer now. (`help plan` says how to write ahead.)";
                (vec![order.shown()], why.to_owned())
            }
            (None, _) => (pointed, sentence(&self.seats.named(&why.to_string()))),
        };
        work.fail(Failed { pointed, why });
        Ok(())
    }

    /// Keeps an order that does not count now for the question that it answers, where its writer knows how the game stands.
    fn keep_barred(
        &mut self,
        services: &mut Services,
        order: &Order,
        at: At<'_>,
        work: &mut Work<'_>,
    ) -> Result<(), OfficeError> {
        if self.answers_newest(work.seat, work.from, work.access)
            && let Some(kept) = self.keep_for_then(services, order, at.1, work)?
        {
            work.reply.notes.push(kept);
        }
        Ok(())
    }

    /// What is left to do when all lines are done, and the answer.
    fn finish_work(
        &mut self,
        services: &mut Services,
        reading: &Reading,
        mut work: Work<'_>,
    ) -> Result<Reply, OfficeError> {
        self.leave_turns(services, &mut work)?;
        self.paused_by_mail = false;
        if work.report.failed.is_some() && self.would_be_answered(work.seat)? {
            self.pause(services, work.seat).or_else(|why| only_errors(why).map(drop))?;
            work.reply.notes.push(
                "Since not all of your orders were done, your standing orders answer nothing in this Round until you answer yourself: the \
                 question that is open may be the one that you meant to answer."
                    .to_owned(),
            );
        }
        if reading.lines.iter().all(|line| matches!(line.is, Is::Nothing)) {
            work.reply.notes.push("No order was found in your mail: nothing was done.".to_owned());
        }
        if let Some(offer) = self.offer_left(&work)? {
            work.reply.notes.push(offer);
        }
        let Work { report, mut reply, kinds, leaves, .. } = work;
        reply.kinds = kinds;
        reply.order_report = (report.total > 0 && (reply.refused.is_none() || leaves)).then_some(report);
        Ok(reply)
    }

    /// Returns true if nothing is asked that words such as `done` would end. What waits for others may first have the answers
    /// that they have left.
    fn ends_nothing(&mut self, services: &Services, seat: Seat, order: &Order) -> Result<bool, OfficeError> {
        let reads = |session: &mut Transaction| match &order.label {
            Some(Label::Kind(kind)) => session.asked_of(seat, kind).is_some(),
            _ => session.read(seat, &order.phrase).is_ok(),
        };
        Ok(!(reads(self) || self.answer_of_itself(services)? && reads(self)))
    }

    /// Gives an order to the rules; `line` is the line of the mail in which it was written.
    fn decide_order(
        &mut self,
        services: &Services,
        seat: Seat,
        (understood, line): (&Understood, &str),
        from: &From<'_>,
    ) -> Result<(), NotDone> {
        let (via, mail) = match (from, self.words(seat, from, line)) {
            (From::Mail { hash, .. }, Some(words)) => (Via::Mail, Some(FromMail { mail: *hash, words })),
            _ => (Via::Cli, None),
        };
        match self.decide(services, seat, understood, via, mail) {
            Ok(()) if self.paused_by_mail => Ok(()),
            Ok(()) => Ok(self.end_pause(services, seat)?),
            Err(OfficeError::Live(LiveFault::Rejected(why))) => {
                let id = sha256(format!("{} {} {line}", self.id, self.head().n).as_bytes()).to_string();
                Err(NotDone::why(self.seats.named(&refusal(&why, &id[..8]))))
            }
            Err(other) => Err(other.into()),
        }
    }
}

/// The answer to a mail of which nothing was done.
fn nothing_done(why: String) -> Reply {
    Reply { notes: vec![why.clone()], refused: Some(why), ..Reply::default() }
}

/// Why nothing of a mail is done whose lines are longer than any orders are.
fn too_long(lines: &[Line]) -> Option<String> {
    let length = |line: &Line| line.text.chars().count();
    if let Some(line) = lines.iter().find(|line| length(line) > LONGEST_LINE) {
        let start: String = line.text.chars().take(40).collect();
        return Some(format!(
            "Nothing was done: the line that begins \"{start}\" has {} characters, and a line has {LONGEST_LINE} at most. Please give \
             your orders a line each.",
            length(line)
        ));
    }
    let all: usize = lines.iter().map(length).sum();
    (all > MOST_CHARS).then(|| {
        format!(
            "Nothing was done: your mail has {all} characters besides what it quotes, and {MOST_CHARS} are the most. Please send it in \
             several mails."
        )
    })
}

/// What is reported of an order that would end what is asked, where nothing is.
fn ended_nothing(order: &Order) -> String {
    format!("{} (nothing was left to end)", order.shown())
}

/// Errors of the program; that something could not be kept is none.
pub(super) fn only_errors(why: NotDone) -> Result<Option<String>, OfficeError> {
    match why {
        NotDone::Refused(_) => Ok(None),
        NotDone::Error(why) => Err(why),
    }
}
