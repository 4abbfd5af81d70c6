//! The lines of a mail, or of the command line, in order: orders to the game, and words to the office.

use super::{
    Access, From,
    carry_out::only_errors,
    layout::is_passed_over,
    plan::{Line, What, mark},
    press,
    progress::Progress,
    remark::held_by_subject,
    request::{Request, Standing},
    sheet::Sheet,
    understand::Context,
};
use crate::{
    dice::Hash,
    letters::Failed,
    office::{
        error::OfficeError,
        services::Services,
        session::{GameSession, Reply},
    },
    orders::{Doubt, Phrase, is_confirmation, list_and, option_ref, peels},
    store::Pace,
    table::Seat,
};
use std::collections::{BTreeSet, VecDeque};

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
        let mut reply = Reply::default();
        let begun = self.live.started.is_some();
        if let Some(line) = lines.iter().map(|line| line.text).find(|line| line.chars().count() > LONGEST_ORDER) {
            let start: String = line.chars().take(40).collect();
            reply.refused = Some(format!(
                "Nothing was done: the line that begins \"{start}\" has {} characters, and an order has {LONGEST_ORDER} at most. \
                 Please give your orders a line each.",
                line.chars().count()
            ));
            reply.notes.extend(reply.refused.clone());
            return Ok(reply);
        }
        let mut context = self.context(services, seat, from, access)?;
        let press::Separated { orders, told } = self.separated(seat, lines, &context);
        let all: usize = orders.iter().map(|line| line.text.chars().count()).sum();
        if begun && all > MOST_CHARS {
            reply.refused = Some(format!(
                "Nothing was done: your mail holds {all} characters beside what it quotes, and orders have {MOST_CHARS} at most. Please send \
                 them in several mails."
            ));
            reply.notes.extend(reply.refused.clone());
            return Ok(reply);
        }
        let mut plan = self.planned(seat, &orders, &context)?;
        if begun && !self.live.closed {
            self.mark_remarked(seat, &mut plan, &orders, &context);
            if let From::Mail { mail, .. } = from
                && let Some(words) = held_by_subject(&mail.subject)
                && plan.iter().any(|(_, what)| matches!(what, What::Orders(_)))
            {
                plan.iter_mut().for_each(|(_, what)| mark(what, Doubt::Remark));
                reply
                    .notes
                    .push(format!("The subject of your mail says \"{words}\", so your orders wait for your yes."));
            }
        }
        if begun && plan.iter().any(|(_, what)| matches!(what, What::Office(Request::Draft(_)))) {
            if !told.is_empty() {
                reply.notes.push("Your words to others were not sent: this mail is for your draft.".to_owned());
            }
            self.change_draft(seat, &plan, &mut context, from, &mut reply)?;
            return Ok(reply);
        }
        let below: Vec<String> =
            plan.iter().filter(|(_, what)| matches!(what, What::Below)).map(|(line, _)| format!("`{line}`")).collect();
        if !below.is_empty() {
            reply.notes.push(format!(
                "Not read, since it stands below a closing or your name: {}. Orders stand above.",
                list_and(&below)
            ));
        }
        let mut plan = self.with_draft(seat, plan, from, &context)?;
        let passed: Vec<String> = orders
            .iter()
            .filter(|line| begun && is_passed_over(line.text))
            .map(|line| format!("`{}`", line.text))
            .collect();
        if !passed.is_empty() {
            reply.notes.push(format!("Passed over, since it is struck out or not ticked: {}.", list_and(&passed)));
        }
        if begun && !self.live.closed {
            self.mark_alternatives(seat, &mut plan, &context)?;
        }
        let count: usize = plan.iter().map(|(_, what)| orders_in(what)).sum();
        if count > MOST_ORDERS {
            reply.refused = Some(format!(
                "Nothing was done: your mail holds {count} orders, and {MOST_ORDERS} is the most that is taken at once. Please send \
                 them in several mails."
            ));
            reply.notes.extend(reply.refused.clone());
            return Ok(reply);
        }
        let says = |wanted: &dyn Fn(&Request) -> bool| {
            plan.iter().any(|(_, what)| matches!(what, What::Office(request) if wanted(request)))
        };
        // Whoever wants a preview wants nothing to be done, wherever he says so.
        if says(&|request| *request == Request::Preview) {
            reply.extra = self.preview(services, seat, &plan, &mut context, &mut reply.ways)?;
            if !told.is_empty() {
                reply.notes.push("Your words to others were not sent: this is a preview.".to_owned());
            }
            return Ok(reply);
        }
        let mut orderly = !told.is_empty();
        reply.notes.extend(self.pass_on(services, seat, told, from)?);
        let mut barred = self.barred(seat, from, access)?;
        // What he would answer can be left while others are asked: then most people read and plan.
        let leaves = barred.is_some() && self.may_leave(seat, from, access)?;
        // Whoever takes an order back need not be asked anything now; that goes for nothing else in his mail.
        let backs_count = begun && !self.live.closed && access != Access::Undone;
        let takes_back = backs_count && says(&|request| *request == Request::Back);
        // Beside a `join` whatever else stands there is a greeting: no order is possible yet.
        let joins = !begun && says(&|request| matches!(request, Request::Join { .. }));
        let left_alone = |what: &What| leaves && matches!(what, What::Office(Request::Standing(_) | Request::Ahead(_)));
        let held_up: usize = plan.iter().filter(|(_, what)| !left_alone(what)).map(|(_, what)| orders_in(what)).sum();
        if let Some(why) = barred.as_ref().filter(|_| held_up > 0 && !takes_back && !joins) {
            reply.refused = Some(why.clone());
            reply.notes.push(why.clone());
        }
        let mut progress = Progress::new(self.done_by(from));
        // Whoever wants a pause wants it for his whole mail, wherever he says so: his orders are done, and nothing else is.
        self.paused_by_mail = (barred.is_none() || leaves) && says(&|request| *request == Request::Pause);
        if self.paused_by_mail {
            self.pause(services, seat).or_else(|why| only_errors(why).map(drop))?;
        }
        let mut backs_before = match from {
            From::Mail { hash, .. } => self.taken_back_by(*hash),
            From::Cli => 0,
        };
        let mut confirms = self.proposed_in(seat, from);
        let against = match &confirms {
            Some(proposed) if barred.is_none() => self.against_yes(seat, &plan, proposed, &context),
            _ => None,
        };
        let mut looked: Vec<Request> = Vec::new();
        for (i, (line, what)) in plan.into_iter().enumerate() {
            let request = match what {
                What::Nothing | What::Below => continue,
                What::Office(request) => request,
                What::Orders(_) | What::Sent(_) if joins => continue,
                What::Sent(draft) if draft.is_empty() => {
                    orderly = true;
                    reply.notes.push(
                        "Your draft is empty: nothing was sent. `draft` on a line of its own puts the orders below it there."
                            .to_owned(),
                    );
                    continue;
                }
                What::Sent(draft) => {
                    orderly = true;
                    match &barred {
                        None => {
                            let sent = (draft, line, i);
                            self.send_draft(services, seat, sent, from, &mut context, &mut progress)?;
                        }
                        Some(why) if takes_back => progress.miss(line, why),
                        Some(_) => {}
                    }
                    continue;
                }
                What::Orders(all) if barred.is_some() && !takes_back => {
                    if self.answers_newest(seat, from, access) {
                        for clause in &all {
                            // What stands behind an order that is not kept hangs on it.
                            if clause.doubt.is_some() || self.doubt(&clause.phrase).is_some() {
                                break;
                            }
                            let kept = self.keep_for_then(services, seat, (&clause.phrase, &context), from, i);
                            match kept.or_else(only_errors)? {
                                Some(kept) => reply.notes.push(kept),
                                None => break,
                            }
                        }
                    }
                    continue;
                }
                What::Orders(all) => {
                    orderly = true;
                    if let Some(why) = &barred {
                        progress.report.total += all.len();
                        progress.miss(line, why);
                        continue;
                    }
                    match confirms
                        .take_if(|_| matches!(&all[..], [one] if one.doubt.is_none() && is_confirmation(&one.phrase)))
                    {
                        Some(proposed) if against.is_some() => {
                            let why = format!(
                                "Beside your yes {} Please write what you want: `{}` alone, or the order in words.",
                                against.clone().unwrap_or_default(),
                                all[0].phrase.text()
                            );
                            progress.report.total += 1;
                            progress.fail(Failed { pointed: vec![line.to_owned()], why });
                            proposed.orders.iter().for_each(|(prompt, _)| progress.blocked.add(*prompt));
                        }
                        Some(proposed) => {
                            self.confirm(services, seat, (&all[0].phrase, line), proposed, from, &mut progress)?;
                        }
                        None => {
                            let all = self.planned_again(services, seat, (all, line, i), &context, &mut progress)?;
                            self.carry_out_line(services, seat, (all, line, i), from, &mut context, &mut progress)?;
                        }
                    }
                    continue;
                }
            };
            orderly = true;
            // What only looks is looked at once: it takes its time, and says the same.
            if request.only_looks() {
                if looked.contains(&request) {
                    continue;
                }
                looked.push(request.clone());
            }
            match request {
                Request::EvenIf(words) if progress.turns.is_some() => {
                    progress.even_if = Some(words);
                    continue;
                }
                _ => self.leave_turns(services, seat, from, &mut progress)?,
            }
            match request {
                Request::Join { luck } => reply.notes.push(self.joining(services, seat, &luck, from)?),
                Request::Advice(wanted) => reply.extra.push(self.advice(services, seat, wanted)?),
                Request::Map => reply.extra.push(self.map_section(seat)?),
                Request::Status => {
                    reply.status = true;
                    if begun {
                        reply.notes.push(self.pace_in_words(seat));
                        reply.notes.extend(self.watched_in_words());
                    }
                }
                Request::Messages(messages) => {
                    let pace = Pace { messages, ..self.pace(seat) };
                    reply.notes.push(self.set_pace(seat, pace)?);
                }
                Request::Digest(digest) => {
                    let pace = Pace { digest, ..self.pace(seat) };
                    reply.notes.push(self.set_pace(seat, pace)?);
                }
                Request::Advised(advice) if advice && self.advisor(services).is_none() => {
                    reply.notes.push("There is no advice in this game.".to_owned());
                }
                Request::Advised(advice) => {
                    let pace = Pace { advice: Some(advice), ..self.pace(seat) };
                    reply.notes.push(self.set_pace(seat, pace)?);
                }
                Request::Confirm(confirm) => {
                    let pace = Pace { confirm, ..self.pace(seat) };
                    reply.notes.push(self.set_pace(seat, pace)?);
                }
                Request::Delay(delay) => {
                    let pace = Pace { delay, ..self.pace(seat) };
                    reply.notes.push(self.set_pace(seat, pace)?);
                }
                Request::Letters(letters) => {
                    let pace = Pace { letters, ..self.pace(seat) };
                    reply.notes.push(self.set_pace(seat, pace)?);
                }
                Request::Away(words) => reply.notes.push(self.absence(services, seat, &words)?),
                Request::Zone(zone) => reply.notes.push(self.set_zone(seat, zone)?),
                Request::Hours(hours) => reply.notes.push(self.set_hours(services, seat, hours)?),
                Request::Watch => reply.notes.push(
                    "To watch a game write `watch` and its name in a mail of its own, with nothing else; your own game you need not \
                     watch, and the host may have closed it to others."
                        .to_owned(),
                ),
                Request::Data => {
                    reply.data = true;
                    reply.notes.push(
                        "What is kept of you in this game goes along as the file my-data.json: it has your addresses and mails, so show it \
                         to nobody. When the game is over, or somebody else has your seat, the host can have you forgotten."
                            .to_owned(),
                    );
                }
                Request::Stop => reply.notes.push(self.stop_waiting(seat)?),
                Request::NewToken => reply.notes.push(self.renewed(seat, from)?),
                Request::Address(wanted) => reply.notes.push(self.want_address(services, seat, &wanted, from)?),
                Request::Help { subject } => {
                    reply.extra.extend(self.help(services, subject.as_ref())?);
                }
                Request::Standing(Standing::List) => reply.notes.extend(self.list_standing(seat)),
                Request::Back if !backs_count => {}
                Request::Back => {
                    progress.report.total += 1;
                    if progress.report.failed.is_some() {
                        progress.report.left.push(line.to_owned());
                    } else if backs_before > 0 {
                        backs_before -= 1;
                        progress.report.done.push("back".to_owned());
                    } else {
                        let mail = match from {
                            From::Mail { hash, .. } => Some(*hash),
                            From::Cli => None,
                        };
                        let done = self.take_back(services, seat, mail);
                        progress.note(line, done)?;
                        // What it asked is perhaps open again.
                        barred = self.barred(seat, from, access)?;
                        context = self.context(services, seat, from, access)?;
                    }
                }
                Request::Ahead(orders) if barred.is_none() || leaves => {
                    progress.report.total += 1;
                    let done = self.look_ahead(services, seat, &orders, from, i);
                    progress.note(line, done)?;
                }
                Request::Standing(standing) if barred.is_none() || leaves => {
                    progress.report.total += 1;
                    let done = self.stand(services, seat, standing, from, i);
                    progress.note(line, done)?;
                }
                Request::Draft(_) => reply.notes.push("The game has not begun: there is no draft to keep.".to_owned()),
                Request::EvenIf(words) if barred.is_none() => {
                    let orders = vec![match words.as_str() {
                        "" => "whatever happens".to_owned(),
                        words => format!("even if {words}"),
                    }];
                    progress.report.total += 1;
                    let kind = self.live.opened.ruleset.by_turns().first().map_or("", |rule| rule.kind).to_owned();
                    let leave = Standing::Leave { kind, orders, always: false, name: String::new(), first: false };
                    let done = self.stand(services, seat, leave, from, i);
                    progress.note(line, done)?;
                }
                Request::Pause if barred.is_none() || leaves => {
                    progress.report.total += 1;
                    let done = self.pause(services, seat);
                    let said = "pause: your standing orders answer nothing in this Round until you answer again";
                    progress.note(line, done.map(|()| said.to_owned()))?;
                }
                Request::Pause | Request::EvenIf(_) => {}
                Request::Standing(_) | Request::Ahead(_) | Request::Preview | Request::Orders(_) => {}
            }
        }
        self.leave_turns(services, seat, from, &mut progress)?;
        self.paused_by_mail = false;
        if progress.report.failed.is_some() && self.would_be_answered(seat)? {
            self.pause(services, seat).or_else(|why| only_errors(why).map(drop))?;
            let note = "Since not all of your orders were done, your standing orders answer nothing in this Round until you answer yourself: \
                        the question that is open may be the one that you meant to answer.";
            progress.notes.push(note.to_owned());
        }
        if !orderly && !joins && reply.refused.is_none() {
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
        reply.order_report = (report.total > 0 && (reply.refused.is_none() || leaves)).then_some(report);
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

    /// What the orders of a mail are read by.
    pub(super) fn context(
        &mut self,
        services: &Services,
        seat: Seat,
        from: &From<'_>,
        access: Access,
    ) -> Result<Context, OfficeError> {
        let asked = match access {
            Access::Question(id) => Some(id),
            _ => None,
        };
        let sheet = match self.live.started.is_some() && !self.live.closed {
            true => self.sheet(services, seat, from, asked)?,
            false => Sheet::default(),
        };
        let names = self.seats.players.iter().map(|player| player.name.clone()).collect();
        let all_known = matches!(from, From::Cli);
        Ok(Context { sheet, names, kinds: BTreeSet::new(), last: None, place: self.place(), all_known })
    }

    /// The lines without what they say to others.
    fn separated<'m>(&mut self, seat: Seat, lines: &[Line<'m>], context: &Context) -> press::Separated<'m> {
        let players = self.seats.clone();
        let names: Vec<&str> = context.names.iter().map(String::as_str).collect();
        press::separate(lines, &players, &mut |line| {
            let phrase = Phrase::new(line);
            context.sheet.is_row(&phrase)
                || option_ref(&phrase).is_some()
                || is_confirmation(&phrase)
                || peels(&phrase, &names).iter().any(|phrase| self.read(seat, phrase).is_ok())
        })
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

    /// Whether a mail answers the newest letter that its writer has had.
    pub(super) fn answers_newest(&self, seat: Seat, from: &From<'_>, access: Access) -> bool {
        let From::Mail { mail, .. } = from else { return access == Access::Host };
        let newest = self.secrets.written.get(&seat).map_or(0, |written| written.n);
        let ids = mail.in_reply_to.iter().chain(mail.references.iter().rev());
        let start = format!("{}.{seat}.", self.game);
        let answered = { ids }.find_map(|id| id.strip_prefix(&start)?.split('.').next()?.parse::<u64>().ok());
        access != Access::Undone && answered.is_some_and(|n| n >= newest)
    }

    /// Whether answers ahead can be left although orders do not count now: the game goes on, nothing is asked of the seat or its player
    /// answers his newest letter, and that letter is not void.
    fn may_leave(&mut self, seat: Seat, from: &From<'_>, access: Access) -> Result<bool, OfficeError> {
        let goes_on = self.secrets.abandoned.is_none() && !self.live.closed && self.live.started.is_some();
        let asked = self.asked()?.iter().any(|asked| asked.seat == seat);
        Ok(goes_on && access != Access::Undone && (!asked || self.answers_newest(seat, from, access)))
    }

    /// Why orders do not count now, if they do not.
    pub(super) fn barred(
        &mut self,
        seat: Seat,
        from: &From<'_>,
        access: Access,
    ) -> Result<Option<String>, OfficeError> {
        if self.secrets.abandoned.is_some() {
            return Ok(Some("The game is abandoned: no order was carried out.".to_owned()));
        }
        if self.live.closed {
            return Ok(Some("The game is over: no order was carried out.".to_owned()));
        }
        if self.live.started.is_none() {
            let what = "The game has not begun: no order was carried out.";
            return Ok(Some(match self.has_joined(seat) {
                true => format!("{what} {}", self.waiting()),
                false => format!("{what} To take your seat, answer with the one word `join` on a line of its own."),
            }));
        }
        let stale = match access {
            Access::Host => false,
            Access::Undone => {
                return Ok(Some(format!(
                    "No order was carried out: that letter is void, since {}. Please answer the newest letter, which may be \
                     this one.",
                    self.last_rewind()
                )));
            }
            Access::Letterbox => true,
            Access::Question(id) => !self.asked()?.iter().any(|asked| asked.seat == seat && asked.id == id),
        };
        // A mail that was carried out in part before a crash has closed its own question.
        let begun = matches!(from, From::Mail { hash, .. } if self.facts.mails.contains_key(hash));
        if !stale || begun {
            return Ok(None);
        }
        let asked = self.asked()?;
        if asked.iter().any(|asked| asked.seat == seat) {
            let why = "No order was carried out: what that letter asked is no longer open. Please answer the newest letter, \
                       which may be this one.";
            return Ok(Some(why.to_owned()));
        }
        let awaited = asked.iter().filter(|asked| asked.required).map(|asked| asked.seat);
        let awaited: BTreeSet<Seat> = awaited.collect();
        let names: Vec<&str> =
            awaited.iter().filter_map(|&seat| Some(self.seats.player(seat)?.name.as_str())).collect();
        Ok(Some(format!(
            "No order was carried out: nothing is asked of you now. The game waits for {}.",
            list_and(&names)
        )))
    }
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
