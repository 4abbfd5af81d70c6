//! The orders of one line, carried out one after the other.

use super::{
    From,
    clause::{Clause, END, Label, Line, What},
    context::Context,
    progress::{Before, Blocked, Progress},
    understand::{Reading, Unclear},
};
use crate::{
    dice::{Hash, sha256},
    journal::{Via, words_digest},
    letters::Failed,
    office::{
        error::{NotDone, OfficeError},
        services::Services,
        session::{GameSession, refusal},
    },
    orders::{Doubt, Phrase, list_or},
    replay::{FromMail, LiveFault},
    table::{Seat, Understood},
};

/// Whether the word that ends a phase stands behind other words: where these are an order, the line is two ([`plan`](super::plan)).
fn ends_behind(phrase: &Phrase) -> bool {
    matches!(phrase.words(), [_, .., last] if last.text == END)
}

/// The order of a line that is at hand.
struct AtHand<'l> {
    clause: &'l Clause,
    /// As a report shows it.
    text: String,
    /// The line in which it stands, and that line's place in the mail.
    line: (&'l str, usize),
    /// Whether what stands behind it in its line depends on it, as behind a colon.
    goes_on: bool,
    /// Whether nothing stands behind it in its line.
    last: bool,
}

/// What became of the order at hand, for those behind it in its line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Went {
    On,
    /// It was not done, and they may depend on it.
    Wrong,
}

impl GameSession {
    /// Does what the orders of one line say.
    pub(super) fn carry_out_line(
        &mut self,
        services: &mut Services,
        seat: Seat,
        (all, line, place): (Vec<Clause>, &str, usize),
        from: &From<'_>,
        context: &mut Context,
        progress: &mut Progress,
    ) -> Result<(), OfficeError> {
        let mut went = Went::On;
        for (at, clause) in all.iter().enumerate() {
            let text = shown(clause, clause.phrase.text());
            if went == Went::Wrong {
                progress.report.total += 1;
                progress.report.left.push(text);
                continue;
            }
            // What stands behind a colon depends on what stands before it.
            let goes_on = all.get(at + 1).is_some_and(|next| next.phrase.line() == clause.phrase.line());
            let order = AtHand { clause, text, line: (line, place), goes_on, last: at + 1 == all.len() };
            went = self.carry_out_order(services, seat, order, from, context, progress)?;
        }
        Ok(())
    }

    /// Does what one order says, unless it was done before, or is for later.
    fn carry_out_order(
        &mut self,
        services: &mut Services,
        seat: Seat,
        order: AtHand<'_>,
        from: &From<'_>,
        context: &mut Context,
        progress: &mut Progress,
    ) -> Result<Went, OfficeError> {
        let AtHand { clause, line: (line, place), .. } = order;
        let enough = self.says_enough(&clause.phrase);
        match progress.was_done(self.words(seat, from, line), enough) {
            Before::Done => {
                // What it answered nobody remembers; only what reads as an order for a turn is kept for one.
                context.kinds.extend(self.live.opened.ruleset.by_turns().iter().map(|rule| rule.kind));
                progress.report.total += 1;
                progress.report.done.push(order.text);
                return Ok(Went::On);
            }
            Before::Unknown
                if enough && progress.before.front().is_some_and(Option::is_some) && clause.doubt.is_none() =>
            {
                progress.report.total += 1;
                progress.report.done.push(ended_nothing(&order.text));
                return Ok(Went::On);
            }
            Before::Unknown => {
                let why = "The service broke off over this mail. Please send again what has not been done.";
                progress.report.total += 1;
                progress.fail(Failed { pointed: vec![order.text], why: why.to_owned() });
                return Ok(Went::Wrong);
            }
            Before::Not => {}
        }
        if self.keeps_for_a_turn(seat, clause, place, context, progress)? {
            return Ok(Went::On);
        }
        self.leave_turns(services, seat, from, progress)?;
        if self.waits_for_turns(services, seat, progress)? {
            return Ok(self.behind_turns(seat, order, context, progress));
        }
        if enough
            && !progress.report.done.is_empty()
            && clause.doubt.is_none()
            && self.ends_nothing(services, seat, clause)?
        {
            return self.end_nothing(services, seat, order, from, context, progress);
        }
        let mut reading = self.reading(seat, clause, context);
        // What the orders before it brought about may wait for others, who have left their answers.
        if matches!(reading, Reading::Unclear(_))
            && !progress.report.done.is_empty()
            && progress.report.failed.is_none()
            && self.answer_of_itself(services)?
        {
            reading = self.reading(seat, clause, context);
        }
        match reading {
            Reading::Nothing => Ok(Went::On),
            Reading::Order(understood, what) => {
                progress.report.total += 1;
                self.give(services, seat, (order, &understood, &what), from, context, progress)
            }
            Reading::Unclear(unclear) => self.leave_unclear(services, seat, (order, unclear), from, context, progress),
        }
    }

    /// What stands behind orders that are kept for later turns cannot be read yet; perhaps it is about them.
    fn behind_turns(&mut self, seat: Seat, order: AtHand<'_>, context: &Context, progress: &mut Progress) -> Went {
        match self.reading(seat, order.clause, context) {
            Reading::Nothing => Went::On,
            Reading::Unclear(Unclear { chatter: true, .. }) => {
                progress.notes.push(format!("Not read as an order: \"{}\"", order.text));
                Went::On
            }
            Reading::Order(..) | Reading::Unclear(_) => {
                let why = "It stands behind orders that are kept for later turns of yours, so what it would answer is not known yet. Please send it \
                           when they are done.";
                progress.report.total += 1;
                progress.fail(Failed { pointed: vec![order.text], why: why.to_owned() });
                Went::Wrong
            }
        }
    }

    /// An order that ends what is asked, where nothing is: it is kept for then, or comes to nothing.
    fn end_nothing(
        &mut self,
        services: &mut Services,
        seat: Seat,
        order: AtHand<'_>,
        from: &From<'_>,
        context: &Context,
        progress: &mut Progress,
    ) -> Result<Went, OfficeError> {
        progress.report.total += 1;
        // Where somebody else must answer before it is asked, it is kept for then.
        if progress.report.failed.is_none() && order.clause.label.is_none() {
            let kept = self.keep_for_then(services, seat, (&order.clause.phrase, context), from, order.line.1);
            if let Some(kept) = kept.or_else(only_errors)? {
                progress.report.done.push(kept);
                return Ok(Went::On);
            }
        }
        match progress.report.failed {
            None => progress.report.done.push(ended_nothing(&order.text)),
            // What it was to end may be what was not done.
            Some(_) => progress.report.left.push(order.text),
        }
        Ok(Went::On)
    }

    /// Gives the rules an order that was understood, unless it hangs on one that was not done, or its writer has to say yes first.
    fn give(
        &mut self,
        services: &Services,
        seat: Seat,
        (order, understood, what): (AtHand<'_>, &Understood, &str),
        from: &From<'_>,
        context: &mut Context,
        progress: &mut Progress,
    ) -> Result<Went, OfficeError> {
        let (clause, prompt) = (order.clause, understood.prompt);
        if !progress.blocked.allows(understood, &context.sheet) {
            progress.report.left.push(order.text);
            // What would end a phase is not proposed where an order before it was not done.
            let after = clause.phrase.plain() == END && progress.report.failed.is_some();
            // Nor an order for a turn in place of the one before it.
            let by_turns = self.live.opened.ruleset.by_turns().iter().any(|rule| rule.kind == understood.kind);
            let ends = after || by_turns || self.says_enough(&clause.phrase) && progress.refused.contains(&prompt);
            if !ends && !progress.proposals.iter().any(|other| other.prompt == prompt) && context.sheet.asks(prompt) {
                progress.proposals.extend(self.proposal(seat, understood, &clause.phrase));
            }
            return Ok(Went::Wrong);
        }
        let by_mail = matches!(from, From::Mail { .. });
        let wait = if by_mail && self.pace(seat).confirm {
            Some("Every order of yours is confirmed first, as you wanted (`confirm never` ends that).")
        } else if by_mail && !self.dangers(understood).is_empty() {
            // What it would do stands beside the proposal. Whoever sits at a terminal sees what he does.
            Some("You can hardly want what this would do, so it waits for your yes.")
        } else {
            None
        };
        if let Some(why) = wait {
            progress.fail(Failed { pointed: vec![order.text], why: why.to_owned() });
            progress.blocked.add(prompt);
            progress.proposals.extend(self.proposal(seat, understood, &clause.phrase));
            return Ok(Went::Wrong);
        }
        match self.carry_out(services, seat, (understood, order.line.0), from) {
            Ok(()) => {
                progress.report.done.push(shown(clause, what));
                context.kinds.insert(understood.kind);
                context.last = Some(understood.kind);
                Ok(Went::On)
            }
            Err(NotDone::Error(why)) => Err(why),
            Err(NotDone::Refused(mut why)) => {
                if why.pointed.is_empty() {
                    why.pointed.push(order.text);
                }
                progress.fail(why);
                progress.blocked.add(prompt);
                progress.refused.insert(prompt);
                Ok(Went::Wrong)
            }
        }
    }

    /// An order that is in doubt or not understood: it is kept for the question that it answers, or its writer is told.
    fn leave_unclear(
        &mut self,
        services: &mut Services,
        seat: Seat,
        (order, unclear): (AtHand<'_>, Unclear),
        from: &From<'_>,
        context: &Context,
        progress: &mut Progress,
    ) -> Result<Went, OfficeError> {
        let AtHand { clause, text, .. } = order;
        let Unclear { failed: why, about, proposal, chatter, unread, .. } = unclear;
        // What comes after something that failed may depend on it.
        let first = progress.report.failed.is_none() && clause.label.is_none();
        if first && clause.doubt.is_none() && self.doubt(&clause.phrase).is_none() {
            let kept = self.keep_for_then(services, seat, (&clause.phrase, context), from, order.line.1);
            if let Some(kept) = kept.or_else(only_errors)? {
                progress.report.total += 1;
                progress.report.done.push(kept);
                return Ok(Went::On);
            }
        }
        let elsewhere = self.asked_elsewhere(seat, &clause.phrase)?.filter(|_| clause.label.is_none());
        if chatter && !order.goes_on {
            progress.notes.push(match elsewhere {
                Some(elsewhere) => format!("Not done: \"{text}\". {elsewhere}"),
                None => format!("Not read as an order: \"{text}\""),
            });
            return Ok(Went::On);
        }
        progress.report.total += 1;
        // Behind an order that was not done its question may not have come up.
        if unread && clause.label.is_none() && progress.report.failed.is_some() {
            progress.report.left.push(text);
            return Ok(Went::Wrong);
        }
        let elsewhere = elsewhere.map(|elsewhere| match progress.unread_turn.take() {
            Some(unread) => format!("{elsewhere} As an order for your next turn it is not read: {unread}"),
            None => elsewhere,
        });
        progress.fail(match elsewhere {
            Some(elsewhere) => Failed { why: elsewhere, ..why },
            None => why,
        });
        match about {
            Some(prompt) => progress.blocked.add(prompt),
            None => self.block_first(seat, &mut progress.blocked)?,
        }
        // What stands behind it in its line would be lacking.
        let proposal = proposal.filter(|_| order.last);
        progress
            .proposals
            .extend(proposal.filter(|new| !progress.proposals.iter().any(|old| old.prompt == new.prompt)));
        Ok(Went::Wrong)
    }

    /// What the writer of an order can hardly want of it.
    pub(super) fn dangers(&mut self, understood: &Understood) -> Vec<String> {
        let Some(dyn_game) = &mut self.live.dyn_game else { return Vec::new() };
        let all = dyn_game.dangers(understood.prompt, &understood.order);
        all.iter().map(|one| self.seats.named(one)).collect()
    }

    /// Of words that begin with the name of an order, `fire all at best`, where no question is asked to which that order is given: which
    /// questions these are.
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

    /// Orders may depend on one of which it is not known what it answers: those to the first question that waits, at least.
    pub(super) fn block_first(&mut self, seat: Seat, blocked: &mut Blocked) -> Result<(), OfficeError> {
        let first = self.asked()?.into_iter().find(|asked| asked.seat == seat && asked.required);
        blocked.add_what_may_be(first.map(|asked| asked.id));
        Ok(())
    }

    /// The orders of a line behind others that were carried out, read once more by what is asked now: `9c: 3109` is a label and a number
    /// where fire is asked for, and a move when the fire is over.
    pub(super) fn planned_again(
        &mut self,
        services: &Services,
        seat: Seat,
        (all, line, no): (Vec<Clause>, &str, usize),
        context: &Context,
        progress: &mut Progress,
    ) -> Result<Vec<Clause>, OfficeError> {
        let beside = std::mem::take(&mut progress.condition_read);
        let whole = matches!(&all[..], [one] if one.label.is_none() && !ends_behind(&one.phrase));
        let hangs = |session: &GameSession, clause: &Clause| session.doubt(&clause.phrase) == Some(Doubt::Condition);
        // A condition of its own, or one of the line before, which may turn out to be part of an order there.
        let conditional = all.iter().any(|clause| clause.doubt == Some(Doubt::Condition) || hangs(self, clause));
        let other = all.iter().any(|clause| clause.doubt.is_some_and(|doubt| doubt != Doubt::Condition));
        let own = all.iter().any(|clause| hangs(self, clause));
        if whole && !conditional || other || conditional && !own && !beside || progress.report.done.is_empty() {
            return Ok(all);
        }
        self.answer_of_itself(services)?;
        let again = self.planned(seat, &[Line { text: line, no }], context)?.pop().map(|(_, what)| what);
        Ok(match again {
            Some(What::Orders(again)) if self.is_one_order(seat, &again) => {
                progress.condition_read = own;
                again
            }
            // What the line before left open is read there.
            Some(What::Orders(again)) if beside && !own => again,
            _ => all,
        })
    }

    /// Whether this is one order as it stands, to what is asked now, with at most a word behind it that ends what is asked.
    pub(super) fn is_one_order(&mut self, seat: Seat, all: &[Clause]) -> bool {
        let plain = |clause: &Clause| clause.label.is_none() && clause.doubt.is_none();
        match all {
            [one] => plain(one) && self.read(seat, &one.phrase).is_ok(),
            [one, end] => plain(one) && plain(end) && end.phrase.plain() == END && self.read(seat, &one.phrase).is_ok(),
            _ => false,
        }
    }

    /// Whether nothing is asked that words such as `done` would end; what waits for others may first have their answers, which they have
    /// left, where the question is named, or the words belong to a kind of question alone.
    fn ends_nothing(&mut self, services: &Services, seat: Seat, clause: &Clause) -> Result<bool, OfficeError> {
        let kind = match &clause.label {
            Some(Label::Kind(kind)) => kind.as_str(),
            _ if self.read(seat, &clause.phrase).is_ok() => return Ok(false),
            _ => {
                let said = clause.phrase.plain();
                let answers = self.live.opened.ruleset.answers();
                let Some((kind, _)) = answers.iter().find(|(_, words)| words.contains(&said.as_str())) else {
                    return Ok(true);
                };
                kind
            }
        };
        let is_asked = |session: &mut GameSession| {
            let asked = session.asked()?;
            Ok::<bool, OfficeError>(asked.iter().any(|asked| asked.seat == seat && asked.kind == kind))
        };
        let asked = is_asked(self)? || self.answer_of_itself(services)? && is_asked(self)?;
        Ok(!asked)
    }

    /// Whether an order says no more than that its player has done enough: among several in a mail it may come to nothing.
    pub(super) fn says_enough(&self, order: &Phrase) -> bool {
        let words = self.live.opened.ruleset.enough();
        words.iter().any(|word| order.text().eq_ignore_ascii_case(word))
    }

    /// The digest of a line of a mail, by which its writer can prove that an order is his.
    pub(super) fn words(&self, seat: Seat, from: &From<'_>, line: &str) -> Option<Hash> {
        let From::Mail { mail, .. } = from else { return None };
        let id = mail.message_id.as_deref().unwrap_or_default();
        Some(words_digest(&self.game, self.live.seat_name(seat), id, [line]))
    }

    /// Gives an order to the rules; `line` is the line of the mail in which it stands.
    pub(super) fn carry_out(
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
                let id = sha256(format!("{} {} {line}", self.game, self.head().n).as_bytes()).to_string();
                Err(NotDone::why(self.seats.named(&refusal(&why, &id[..8]))))
            }
            Err(other) => Err(other.into()),
        }
    }
}

/// An order as a report shows it, with the kind of question that it names.
fn shown(clause: &Clause, words: &str) -> String {
    match &clause.label {
        Some(Label::Kind(kind)) => format!("{}: {words}", kind.replace('-', " ")),
        _ => words.to_owned(),
    }
}

/// What is reported of an order that would end what is asked, where nothing is.
fn ended_nothing(text: &str) -> String {
    format!("{text} (nothing was left that it would end)")
}

/// What could not be kept was none to keep.
pub(super) fn only_errors(why: NotDone) -> Result<Option<String>, OfficeError> {
    match why {
        NotDone::Refused(_) => Ok(None),
        NotDone::Error(why) => Err(why),
    }
}
