//! A mail at work: what has become of its lines so far.

use crate::{
    error::{NotDone, OfficeError},
    post::reply::Reply,
    reading::{Access, Origin, context::Context, request::Request},
};
use postrider_dice::Hash;
use postrider_letters::{Failed, OrderReport};
use postrider_table::{ByTurns, DynGame, Seat};
use std::collections::{BTreeSet, VecDeque};

/// A mail at work in a game.
pub(crate) struct Work<'m> {
    /// Its writer's.
    pub seat: Seat,
    pub from: &'m Origin<'m>,
    pub access: Access,
    pub context: Context,
    pub reply: Reply,
    /// What has become of its orders.
    pub report: OrderReport,
    /// Why its orders do not count now, if they do not.
    pub barred: Option<String>,
    /// Whether answers ahead can be left all the same.
    pub leaves: bool,
    /// Whether it takes an order back.
    pub takes_back: bool,
    /// How many orders it took back before the service broke off.
    pub backs_before: usize,
    /// Commands that only look and were answered.
    pub looked: Vec<Request>,
    /// The Turn and Round in which it began to be carried out.
    pub place: String,
    /// The kinds of questions that its orders have answered.
    pub kinds: BTreeSet<&'static str>,
    /// The kind that the last of them has answered.
    pub last: Option<&'static str>,
    /// Orders that were not carried out because one before them was not: by question, if that is open, and words.
    pub left: Vec<crate::reading::value::Order>,
    /// Whether what is carried out was confirmed by a `yes`.
    pub confirmed: bool,
    /// Orders for further turns, which are not left yet.
    pub turns: Option<Turns>,
    /// Why the order at hand is none for a further turn, where it nearly is one.
    pub unread_turn: Option<String>,
    /// What is not to break them off, in words.
    pub even_if: Option<String>,
    /// Whether such orders were left, so that what comes behind them waits for them.
    pub turns_wait: bool,
    /// The digests of the lines whose orders were carried out before the service broke off.
    pub before: VecDeque<Hash>,
}

/// The orders of a mail for further turns.
pub(crate) struct Turns {
    pub rule: &'static ByTurns,
    /// The game as it goes on where the others let their turns go by, at the seat's next turn: orders are read in it.
    pub ahead: Option<Box<dyn DynGame>>,
    /// The place of the first line of them in the mail.
    pub place: usize,
    pub orders: Vec<String>,
    /// What would be refused as things stand, and why.
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
            backs_before: 0,
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

    /// Whether orders for later count.
    pub fn may_leave(&self) -> bool {
        self.barred.is_none() || self.leaves
    }

    /// Notes that something was not done.
    pub fn fail(&mut self, failed: Failed) {
        match self.report.failed {
            None => self.report.failed = Some(failed),
            Some(_) => self.report.left.extend(failed.pointed.into_iter().next()),
        }
    }

    /// Notes what became of a line.
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

    /// Whether the next order of a line with this digest was carried out by the same mail before.
    pub fn was_done(&mut self, words: Option<Hash>) -> bool {
        let done = self.before.front().is_some_and(|front| Some(*front) == words);
        done && self.before.pop_front().is_some()
    }
}

/// The line at hand: its text, by which its writer can prove an order, and its place in the mail.
pub(crate) type At<'l> = (&'l str, usize);
