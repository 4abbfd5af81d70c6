//! The progress of a mail that is being carried out.

use crate::{
    error::{NotDone, OfficeError},
    reading::{Access, Origin, context::Context, request::Request},
    transaction::reply::Reply,
};
use postrider_dice::Hash;
use postrider_letters::{Failed, OrderReport};
use postrider_table::{ByTurns, DynGame, Seat};
use std::collections::{BTreeSet, VecDeque};

/// A mail that is being carried out in a game.
pub(crate) struct Work<'m> {
    /// The player's seat.
    pub seat: Seat,
    pub from: &'m Origin<'m>,
    pub access: Access,
    pub context: Context,
    pub reply: Reply,
    /// The outcomes of its orders.
    pub report: OrderReport,
    /// The reason why its orders do not count now, if they do not.
    pub barred: Option<String>,
    /// `true` if answers can be left in advance even if orders do not count now.
    pub leaves: bool,
    /// `true` if it takes an order back.
    pub takes_back: bool,
    /// `true` if it says `standing pause`, so that its own orders do not end the pause.
    pub pauses: bool,
    /// The entries of orders that it took back before the service was interrupted.
    pub backs_before: VecDeque<u64>,
    /// The queries that were answered.
    pub looked: Vec<Request>,
    /// The Turn and Round in which work on it began.
    pub place: String,
    /// The kinds of questions that its orders have answered.
    pub kinds: BTreeSet<&'static str>,
    /// The kind of question answered last.
    pub last: Option<&'static str>,
    /// Orders that were not carried out because one before them failed.
    pub left: Vec<crate::reading::value::Order>,
    /// `true` if it is carried out after a `yes`.
    pub confirmed: bool,
    /// Its orders for further turns, not left yet.
    pub turns: Option<Turns>,
    /// The reason why the current order is not one for a further turn, if it comes close.
    pub unread_turn: Option<String>,
    /// The events that do not cancel these orders, in words.
    pub even_if: Option<String>,
    /// `true` if orders for further turns were left, so that everything after them must wait.
    pub turns_wait: bool,
    /// The digests of the lines whose orders were carried out before the service was interrupted.
    pub before: VecDeque<Hash>,
}

/// A mail's orders for further turns.
pub(crate) struct Turns {
    pub rule: &'static ByTurns,
    /// The game at the seat's next turn if the other seats pass. Orders are parsed in it.
    pub ahead: Option<Box<dyn DynGame>>,
    /// The position of the first of them in the mail.
    pub place: usize,
    pub orders: Vec<String>,
    /// Orders that would be refused in the present position, with the reasons.
    pub doubtful: Vec<String>,
}

impl<'m> Work<'m> {
    pub fn new(seat: Seat, from: &'m Origin<'m>, access: Access, context: Context, place: String) -> Work<'m> {
        Work {
            seat,
            from,
            access,
            context,
            reply: Reply::default(),
            report: OrderReport::default(),
            barred: None,
            leaves: false,
            takes_back: false,
            pauses: false,
            backs_before: VecDeque::new(),
            looked: Vec::new(),
            place,
            kinds: BTreeSet::new(),
            last: None,
            left: Vec::new(),
            confirmed: false,
            turns: None,
            unread_turn: None,
            even_if: None,
            turns_wait: false,
            before: VecDeque::new(),
        }
    }

    /// Returns `true` if orders for later count.
    pub fn may_leave(&self) -> bool {
        self.barred.is_none() || self.leaves
    }

    /// Records that an order failed.
    pub fn fail(&mut self, failed: Failed) {
        match self.report.failed {
            None => self.report.failed = Some(failed),
            Some(_) => self.report.left.extend(failed.pointed.into_iter().next()),
        }
    }

    /// Records the outcome of a line.
    pub fn note(&mut self, line: &str, done: Result<String, NotDone>) -> Result<(), OfficeError> {
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

    /// Returns `true` if the next order of a line with this digest was already carried out by the
    /// same mail.
    pub fn was_done(&mut self, words: Option<Hash>) -> bool {
        let done = self.before.front().is_some_and(|front| Some(*front) == words);
        done && self.before.pop_front().is_some()
    }
}

/// The current line: its text, by which its author can prove an order, and its position in the
/// mail.
pub(crate) type At<'l> = (&'l str, usize);
