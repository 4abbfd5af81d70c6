//! A mail at work in a game, and what has become of its orders so far.

use super::{Access, From, context::Context, proposal::Proposal, request::Request, sheet::Sheet};
use crate::{
    dice::Hash,
    letters::{Failed, OrderReport},
    office::{
        error::{NotDone, OfficeError},
        session::Reply,
    },
    store::Proposed,
    table::{ByTurns, DynGame, PromptId, Seat, Understood},
};
use std::collections::{BTreeSet, VecDeque};

/// A mail at work in a game.
pub(super) struct Work<'m> {
    /// Its writer's.
    pub(super) seat: Seat,
    pub(super) from: &'m From<'m>,
    pub(super) access: Access,
    pub(super) context: Context,
    pub(super) progress: Progress,
    pub(super) reply: Reply,
    /// Why its orders do not count now, if they do not.
    pub(super) barred: Option<String>,
    /// Whether answers ahead can be left all the same.
    pub(super) leaves: bool,
    /// Whether `back` counts.
    pub(super) backs_count: bool,
    /// Whether it takes an order back.
    pub(super) takes_back: bool,
    /// How many orders it took back before the service broke off.
    pub(super) backs_before: usize,
    /// Whether it takes a seat.
    pub(super) joins: bool,
    /// What the letter proposed that it answers; the first yes takes it.
    pub(super) confirms: Option<Proposed>,
    /// What in it speaks against that yes.
    pub(super) against_yes: Option<String>,
    /// What only looks and was looked at.
    pub(super) looked: Vec<Request>,
    /// Whether anything in it was to do something.
    pub(super) orderly: bool,
}

impl<'m> Work<'m> {
    pub(super) fn new(
        seat: Seat,
        from: &'m From<'m>,
        access: Access,
        context: Context,
        progress: Progress,
        reply: Reply,
    ) -> Work<'m> {
        Work {
            seat,
            from,
            access,
            context,
            progress,
            reply,
            barred: None,
            leaves: false,
            backs_count: false,
            takes_back: false,
            backs_before: 0,
            joins: false,
            confirms: None,
            against_yes: None,
            looked: Vec::new(),
            orderly: false,
        }
    }

    /// Whether orders for later count.
    pub(super) fn may_leave(&self) -> bool {
        self.barred.is_none() || self.leaves
    }
}

/// What has become of the orders of a mail so far.
pub(super) struct Progress {
    pub(super) report: OrderReport,
    /// Remarks, a paragraph each.
    pub(super) notes: Vec<String>,
    pub(super) proposals: Vec<Proposal>,
    pub(super) blocked: Blocked,
    /// The questions to which an order was refused.
    pub(super) refused: BTreeSet<PromptId>,
    /// Orders for further turns, which are not left yet.
    pub(super) turns: Option<Turns>,
    /// Why the order at hand is none for a further turn, where it nearly is one.
    pub(super) unread_turn: Option<String>,
    /// What is not to break them off, in words.
    pub(super) even_if: Option<String>,
    /// Whether such orders were left, so that what stands behind them waits for them.
    pub(super) turns_wait: bool,
    /// Whether the line before had a condition that turned out to be part of its order.
    pub(super) condition_read: bool,
    /// The lines whose orders were carried out before the service broke off.
    pub(super) before: VecDeque<Option<Hash>>,
}

/// The orders of a mail for further turns.
pub(super) struct Turns {
    pub(super) rule: &'static ByTurns,
    /// The game as it goes on where the others let their turns go by, at the seat's next turn: orders are read in it.
    pub(super) ahead: Option<Box<dyn DynGame>>,
    /// The place of the first line of them in the mail.
    pub(super) place: usize,
    pub(super) orders: Vec<String>,
    /// What would be refused as things stand, and why.
    pub(super) doubtful: Vec<String>,
}

/// Whether an order was carried out before the service broke off.
pub(super) enum Before {
    Done,
    Not,
    /// It was not, and something behind it was; or nobody can tell.
    Unknown,
}

/// What must not be answered any more in this mail, since it depends on an order that was not carried out.
#[derive(Default)]
pub(super) struct Blocked {
    prompts: BTreeSet<PromptId>,
    /// Also questions that the letter did not list.
    further: bool,
}

impl Blocked {
    pub(super) fn add(&mut self, prompt: PromptId) {
        self.prompts.insert(prompt);
        self.further = true;
    }

    /// Of an order of which it is not known what it answers: the question that it answers if it is any.
    pub(super) fn add_what_may_be(&mut self, first: Option<PromptId>) {
        self.prompts.extend(first);
        self.further = true;
    }

    pub(super) fn allows(&self, order: &Understood, sheet: &Sheet) -> bool {
        !self.prompts.contains(&order.prompt) && (!self.further || sheet.asks(order.prompt))
    }
}

impl Progress {
    pub(super) fn new(before: VecDeque<Option<Hash>>) -> Progress {
        let (report, notes, proposals) = (OrderReport::default(), Vec::new(), Vec::new());
        let (blocked, refused) = (Blocked::default(), BTreeSet::new());
        Progress {
            report,
            notes,
            proposals,
            blocked,
            refused,
            turns: None,
            unread_turn: None,
            even_if: None,
            turns_wait: false,
            condition_read: false,
            before,
        }
    }

    /// Notes that something was not done. The first such order stands in the report, the others below it.
    pub(super) fn fail(&mut self, failed: Failed) {
        match self.report.failed {
            None => self.report.failed = Some(failed),
            Some(_) => {
                let said = failed.pointed.first().map_or("", String::as_str);
                self.notes.push(format!("Not done either: \"{said}\". {}", failed.why));
            }
        }
    }

    /// Notes that a line was not looked at.
    pub(super) fn miss(&mut self, line: &str, why: &str) {
        match self.report.failed {
            Some(_) => self.report.left.push(line.to_owned()),
            None => self.fail(Failed { pointed: vec![line.to_owned()], why: why.to_owned() }),
        }
    }

    /// Notes what became of a line.
    pub(super) fn note(&mut self, line: &str, done: Result<String, NotDone>) -> Result<(), OfficeError> {
        match done {
            Ok(what) => self.report.done.push(what),
            Err(NotDone::Error(why)) => return Err(why),
            Err(NotDone::Refused(mut failed)) => {
                if failed.pointed.is_empty() {
                    failed.pointed.push(line.to_owned());
                }
                self.fail(failed);
            }
        }
        Ok(())
    }

    /// Whether the next order of a line with this digest was carried out by the same mail before. Journals from before version 2
    /// of the format have no digests: there words that may have come to nothing leave it open what stands behind them.
    pub(super) fn was_done(&mut self, words: Option<Hash>, enough: bool) -> Before {
        match self.before.front() {
            None => Before::Not,
            Some(None) if enough => {
                self.before = VecDeque::from([Some(Hash([0; 32]))]); // no line has this digest
                Before::Unknown
            }
            Some(front) if front.is_none() || *front == words => {
                self.before.pop_front();
                Before::Done
            }
            Some(_) => Before::Unknown,
        }
    }
}
