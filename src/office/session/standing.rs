//! Orders left for later: sealed in the journal, used when their question comes, and opened when they end.

use super::{
    Game, Transaction,
    fitting::Fitting,
    queue::{ATTACKED, Queue},
    refusal,
};
use std::collections::BTreeSet;

use crate::{
    bug::Bug,
    error::{NotDone, OfficeError},
    services::Services,
};
use postrider_journal::{Body, Json, MAX_LINE, Sealed, Unsealed, Via, sealed_commitment, to_canon};
use postrider_replay::LiveFault;
use postrider_store::{Kept, SealedContent};
use postrider_table::{Asked, PromptId, Rejected, Seat};

/// More standing orders than this are not carried out after one decision: a game that asks so often asks for ever.
const MOST_STANDING: usize = 10_000;

/// The content of a standing order has no more bytes than these: with what else an `unsealed` line holds it fits into a line.
const LONGEST_CONTENT: usize = MAX_LINE - 1_024;

/// What stands in the place of a kind for a word that has nothing answer for its seat until it writes again.
const PAUSE: &str = "pause";

fn can_be_opened(sealed: &SealedContent) -> bool {
    sealed.content.len() <= LONGEST_CONTENT
}

/// What came of a standing order at a question.
enum Use {
    /// It answered.
    Answered,
    /// It is at an end.
    Ended,
    /// It does not answer this question.
    Silent,
}

impl Game {
    /// Whether a seat has paused what it has left.
    pub(crate) fn pauses(&self, seat: Seat) -> bool {
        self.all_standing(seat).iter().any(|(_, queue)| queue.kind == PAUSE)
    }

    /// The standing order of a seat for a kind of question that has this name: n of its line and what it says.
    pub fn standing(&self, seat: Seat, kind: &str, name: &str) -> Option<(u64, Queue)> {
        self.all_standing(seat)
            .into_iter()
            .find(|(_, queue)| queue.kind == kind && queue.name == name && queue.plan.is_none())
    }

    /// The standing orders of a seat for a kind of question, in the order in which they are tried: those that were left to go first, the
    /// newest of them before the others, then the rest as they were left.
    pub(crate) fn standing_for(&self, seat: Seat, kind: &str) -> Vec<(u64, Queue)> {
        let mut all = self.all_standing(seat);
        let attacked = self.live.opened.ruleset.attacked().contains(&kind);
        all.retain(|(_, queue)| (queue.kind == kind || attacked && queue.kind == ATTACKED) && queue.plan.is_none());
        all.sort_by_key(|(n, queue)| (!queue.first, if queue.first { u64::MAX - n } else { *n }));
        all
    }

    /// The standing orders of a seat.
    pub fn all_standing(&self, seat: Seat) -> Vec<(u64, Queue)> {
        let mine = self.facts.standing.iter().filter(|one| one.seat == seat);
        // One that no line can hold cannot be opened, so it is not in force.
        let content =
            |commit| self.secrets.sealed.iter().find(|sealed| sealed.commit == commit && can_be_opened(sealed));
        mine.filter_map(|one| Some((one.n, serde_json::from_str(&content(one.commit)?.content).ok()?))).collect()
    }
}

impl Transaction {
    /// Answers questions from standing orders, as long as there are any to answer.
    pub(crate) fn use_standing(&mut self, services: &Services) -> Result<(), OfficeError> {
        // What nothing waits for is answered once by each: two who offer and refuse would go on for ever.
        let mut beside: BTreeSet<(u64, PromptId)> = BTreeSet::new();
        'again: for _ in 0..MOST_STANDING {
            if self.facts.standing.is_empty() {
                return Ok(());
            }
            self.drop_ended(services)?;
            let mut open: Vec<Asked> =
                self.asked()?.into_iter().filter(|asked| asked.required || asked.urgent).collect();
            // What may only be said before somebody goes on is said before he does.
            open.sort_by_key(|asked| asked.required);
            for asked in open {
                if self.pauses(asked.seat) {
                    continue;
                }
                if asked.required && self.go_on_with_plan(services, &asked)? {
                    continue 'again;
                }
                for (n, queue) in self.standing_for(asked.seat, asked.kind) {
                    if !asked.required && beside.contains(&(n, asked.id)) {
                        continue;
                    }
                    match self.answer_by(services, &asked, n, &queue)? {
                        Use::Answered | Use::Ended => {
                            beside.insert((n, asked.id));
                            continue 'again;
                        }
                        Use::Silent => {}
                    }
                }
            }
            return Ok(());
        }
        Ok(())
    }

    /// Has a standing order answer a question, if it has an answer to it.
    fn answer_by(&mut self, services: &Services, asked: &Asked, n: u64, queue: &Queue) -> Result<Use, OfficeError> {
        let (seat, kind) = (asked.seat, asked.kind);
        if let Some(stop) = &queue.stop
            && self.ends(services, asked, (n, stop))? == Some(true)
        {
            self.end(services, seat, n, format!("Your standing order for {} is at an end: {stop}.", queue.title()))?;
            return Ok(Use::Ended);
        }
        let used = self.facts.uses(n, seat, kind);
        if queue.is_used_up(used) {
            self.unseal(services, n)?;
            return Ok(Use::Ended);
        }
        if let Some(fact) = self.breaks(services, asked, queue) {
            let rest = queue.rest(used);
            let note = format!(
                "Your orders for further turns are at an end ({}): {}.{rest} Send what you still want.",
                fact.name, fact.about
            );
            self.end(services, seat, n, note)?;
            return Ok(Use::Ended);
        }
        for order in queue.due(used) {
            let understood = match self.fitting(services, asked, order) {
                Fitting::Order(understood) => understood,
                Fitting::NotNow => continue,
                Fitting::Incomplete if queue.chooses() => return Ok(Use::Silent),
                Fitting::Incomplete => {
                    let why = "It does not say all that this question asks for.";
                    return self.drop_order(services, asked, n, (queue, order), why);
                }
                Fitting::Misread(_) if queue.chooses() => continue,
                Fitting::Misread(why) => return self.drop_order(services, asked, n, (queue, order), &why),
            };
            match self.decide(services, seat, &understood, Via::Standing, None) {
                Ok(()) if queue.is_used_up(used + 1) => {
                    self.unseal(services, n)?;
                    return Ok(Use::Answered);
                }
                Ok(()) => return Ok(Use::Answered),
                Err(OfficeError::Live(LiveFault::Rejected(Rejected::Refused(_)))) if queue.chooses() => {}
                Err(OfficeError::Live(LiveFault::Rejected(why))) => {
                    return self.drop_order(services, asked, n, (queue, order), &refusal(&why, "-"));
                }
                Err(other) => return Err(other),
            }
        }
        Ok(Use::Silent)
    }

    /// Ends a standing order that does not fit, and tells its seat why.
    fn drop_order(
        &mut self,
        services: &Services,
        asked: &Asked,
        n: u64,
        (queue, order): (&Queue, &str),
        why: &str,
    ) -> Result<Use, OfficeError> {
        let note = match queue.once {
            Some(_) => format!("Your order \"{order}\", kept for this question, does not fit and is dropped. {why}"),
            None => format!(
                "Your standing order for {} is at an end, since \"{order}\" could not be carried out. {why}{}",
                queue.title(),
                queue.rest(self.facts.uses(n, asked.seat, asked.kind) + 1)
            ),
        };
        self.end(services, asked.seat, n, note)?;
        Ok(Use::Ended)
    }

    pub(super) fn end(&mut self, services: &Services, seat: Seat, n: u64, note: String) -> Result<(), OfficeError> {
        self.unseal(services, n)?;
        self.notes.push((seat, note));
        Ok(())
    }

    /// Drops the orders that were kept for a question of a Round which is over, and those whose Turn has come.
    fn drop_ended(&mut self, services: &Services) -> Result<(), OfficeError> {
        self.drop_plans(services)?;
        let place = self.place();
        let turn = self.live.marks.last().map_or(0, |mark| mark.turn);
        let seats: BTreeSet<Seat> = self.facts.standing.iter().map(|one| one.seat).collect();
        for seat in seats {
            for (n, queue) in self.all_standing(seat) {
                if queue.within.as_ref().is_some_and(|within| *within != place) {
                    let used = self.facts.uses(n, seat, &queue.kind);
                    let passes = queue.goes_on && used + 1 >= queue.orders.len();
                    let rest = queue.rest(used);
                    self.unseal(services, n)?;
                    if !passes && !rest.is_empty() {
                        self.notes.push((seat, format!("The Round of your orders for further turns is over.{rest}")));
                    }
                } else if queue.once.as_ref().is_some_and(|once| *once != place) {
                    let order = queue.orders.join("; ");
                    let note = format!(
                        "Your order \"{order}\" was kept for a question that did not come in its Round, and is dropped."
                    );
                    self.end(services, seat, n, note)?;
                } else if let Some(until) = queue.until.filter(|until| turn >= u64::from(*until)) {
                    let note = format!(
                        "Your standing order for {} is at an end: it was left until Turn {until}.",
                        queue.title()
                    );
                    self.end(services, seat, n, note)?;
                }
            }
        }
        Ok(())
    }

    /// Has nothing that a seat has left answer for it in this Round, until it answers again itself.
    pub(crate) fn pause(&mut self, services: &mut Services, seat: Seat) -> Result<(), NotDone> {
        if self.pauses(seat) {
            return Ok(());
        }
        let queue = Queue { kind: PAUSE.to_owned(), within: Some(self.place()), ..Queue::default() };
        self.seal(services, seat, &queue)
    }

    /// A seat has answered itself: what it has left answers for it again.
    pub(crate) fn end_pause(&mut self, services: &Services, seat: Seat) -> Result<(), OfficeError> {
        for (n, _) in self.all_standing(seat).into_iter().filter(|(_, queue)| queue.kind == PAUSE) {
            self.unseal(services, n)?;
        }
        Ok(())
    }

    /// Seals a standing order; one for the same kind and of the same name comes to an end.
    pub(crate) fn seal(&mut self, services: &mut Services, seat: Seat, queue: &Queue) -> Result<(), NotDone> {
        let content = serde_json::to_value(queue).map_err(|why| Bug::NotJson { what: "a standing order", why })?;
        let content = to_canon(&content).map_err(|why| Bug::NotCanonical { what: "a standing order", why })?;
        if content.len() > LONGEST_CONTENT {
            return Err(NotDone::why(format!(
                "This standing order is too long to be sealed: {} bytes, of which {LONGEST_CONTENT} fit into a line of the journal.",
                content.len()
            )));
        }
        let salt = services.environment.secret()?;
        if queue.plan.is_none()
            && let Some((n, _)) = self.standing(seat, &queue.kind, &queue.name)
        {
            self.unseal(services, n)?;
        }
        let commit = sealed_commitment(&self.id, self.live.seat_name(seat), &salt, &content);
        self.keep(Kept::Sealed(SealedContent { commit, salt, content }))?;
        let seat = self.live.seat_name(seat).to_owned().into();
        self.line(services, &Body::Sealed(Sealed { seat, what: "standing".into(), commit }))?;
        Ok(())
    }

    /// Opens the standing order sealed in line `n`: it is in force no longer.
    pub fn unseal(&mut self, services: &Services, n: u64) -> Result<(), OfficeError> {
        let all = self.facts.standing.iter().chain(&self.facts.forgotten);
        let commit = all.filter(|one| one.n == n).map(|one| one.commit).next();
        let Some(sealed) = self.secrets.sealed.iter().find(|sealed| Some(sealed.commit) == commit).cloned() else {
            return Err(Bug::NoContent { game: self.id.clone(), n }.into());
        };
        if !can_be_opened(&sealed) {
            tracing::warn!(
                game = self.id,
                n,
                "a standing order that an earlier release sealed is too long to be opened"
            );
            return Ok(());
        }
        let content: serde_json::Value = serde_json::from_str(&sealed.content)
            .map_err(|why| Bug::NotJson { what: "a sealed standing order", why })?;
        let content = Json::new(&content).map_err(|why| Bug::NotJson { what: "a sealed standing order", why })?;
        self.line(services, &Body::Unsealed(Unsealed { of: n, content, salt: sealed.salt }))?;
        Ok(())
    }
}
