//! Orders left for later: sealed in the journal, used when their question comes, and opened when they end.

use super::{GameSession, refusal, sentence};
use std::collections::BTreeSet;

use crate::{
    journal::{Body, Json, MAX_LINE, Sealed, Unsealed, Via, sealed_commitment, to_canon},
    office::{
        bug::Bug,
        error::{NotDone, OfficeError},
        services::Services,
    },
    orders::Phrase,
    replay::LiveFault,
    store::{Kept, SealedContent},
    table::Seat,
};

/// More standing orders than this are not carried out after one decision: a game that asks so often asks for ever.
const MOST_STANDING: usize = 10_000;

/// The content of a standing order has no more bytes than these: with what else an `unsealed` line holds it fits into a line.
const LONGEST_CONTENT: usize = MAX_LINE - 1_024;

fn can_be_opened(sealed: &SealedContent) -> bool {
    sealed.content.len() <= LONGEST_CONTENT
}

/// What a standing order says; this is sealed in the journal.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Queue {
    /// The kind of question that it answers.
    #[serde(rename = "for")]
    pub kind: String,
    /// The orders, as written; the first is used first.
    pub orders: Vec<String>,
    /// Whether the first order answers every such question until it is ended.
    pub always: bool,
    /// SHA-256 of the mail that left it and its place in that mail; "" for the command line.
    pub from: String,
    /// For an order that was given before its question came: the Turn and Round in which it is good. It answers one such question
    /// there, or none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub once: Option<String>,
}

impl GameSession {
    /// Answers questions from standing orders, as long as there are any to answer.
    pub(crate) fn use_standing(&mut self, services: &Services) -> Result<(), OfficeError> {
        'again: for _ in 0..MOST_STANDING {
            if self.facts.standing.is_empty() {
                return Ok(());
            }
            self.drop_kept(services)?;
            for asked in self.asked()?.into_iter().filter(|asked| asked.required) {
                let Some((n, queue)) = self.standing(asked.seat, asked.kind) else { continue };
                let used = self.facts.uses(n, asked.seat, asked.kind);
                let next = if queue.always { 0 } else { used };
                let Some(order) = queue.orders.get(next) else {
                    self.unseal(services, n)?;
                    continue 'again;
                };
                let why = match self.read(asked.seat, &Phrase::new(order)) {
                    Ok(understood) if understood.prompt == asked.id => {
                        match self.decide(services, asked.seat, &understood, Via::Standing, None) {
                            Ok(()) => {
                                if !queue.always && next + 1 == queue.orders.len() {
                                    self.unseal(services, n)?;
                                }
                                continue 'again;
                            }
                            Err(OfficeError::Live(LiveFault::Rejected(why))) => refusal(&why, "-"),
                            Err(other) => return Err(other),
                        }
                    }
                    Ok(_) => "It answers another question.".to_owned(),
                    Err(why) => sentence(&why.to_string()),
                };
                self.unseal(services, n)?;
                let kind = asked.kind;
                let note = match queue.once {
                    Some(_) => {
                        format!("Your order \"{order}\", kept for this question, does not fit and is dropped. {why}")
                    }
                    None => format!(
                        "Your standing order for \"{kind}\" is at an end, since \"{order}\" could not be carried out. {why}"
                    ),
                };
                self.notes.push((asked.seat, note));
                continue 'again;
            }
            return Ok(());
        }
        Ok(())
    }

    /// Drops the orders that were kept for a question of a Round which is over.
    fn drop_kept(&mut self, services: &Services) -> Result<(), OfficeError> {
        let place = self.place();
        let seats: BTreeSet<Seat> = self.facts.standing.iter().map(|one| one.seat).collect();
        for seat in seats {
            for (n, queue) in self.all_standing(seat) {
                if queue.once.as_ref().is_some_and(|once| *once != place) {
                    self.unseal(services, n)?;
                    let order = queue.orders.join("; ");
                    let note = format!(
                        "Your order \"{order}\" was kept for a question that did not come in its Round, and is dropped."
                    );
                    self.notes.push((seat, note));
                }
            }
        }
        Ok(())
    }

    /// The standing order of a seat for a kind of question: n of its line and what it says.
    pub fn standing(&self, seat: Seat, kind: &str) -> Option<(u64, Queue)> {
        self.all_standing(seat).into_iter().find(|(_, queue)| queue.kind == kind)
    }

    /// The standing orders of a seat.
    pub fn all_standing(&self, seat: Seat) -> Vec<(u64, Queue)> {
        let mine = self.facts.standing.iter().filter(|one| one.seat == seat);
        // One that no line can hold cannot be opened, so it is not in force.
        let content =
            |commit| self.secrets.sealed.iter().find(|sealed| sealed.commit == commit && can_be_opened(sealed));
        mine.filter_map(|one| Some((one.n, serde_json::from_str(&content(one.commit)?.content).ok()?))).collect()
    }

    /// Seals a standing order; one for the same kind comes to an end.
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
        if let Some((n, _)) = self.standing(seat, &queue.kind) {
            self.unseal(services, n)?;
        }
        let commit = sealed_commitment(&self.game, self.live.seat_name(seat), &salt, &content);
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
            return Err(Bug::NoContent { game: self.game.clone(), n }.into());
        };
        if !can_be_opened(&sealed) {
            tracing::warn!(
                game = self.game,
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
