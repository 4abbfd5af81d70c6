//! The answer to a player's mail, apart from what is asked of him next.

use crate::game::handled::copies;
use postrider_dice::Hash;
use postrider_letters::{OrderReport, Section};
use postrider_mail::Incoming;
use postrider_store::Thread;
use postrider_table::map::Way;
use std::collections::BTreeSet;

/// What a player is answered, apart from what is asked of him next.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// The mail that is answered.
    pub mail: Hash,
    /// The digest that every copy of it shares: see `is_handled`.
    pub copies: Option<Hash>,
    /// Its subject.
    pub subject: String,
    /// Its place in the thread.
    pub thread: Thread,
    /// What became of its orders.
    pub order_report: Option<OrderReport>,
    /// Remarks, a paragraph each.
    pub notes: Vec<String>,
    /// What else it says: help, a preview.
    pub extra: Vec<Section>,
    /// What the orders that it shows would do on the map.
    pub ways: Vec<Way>,
    /// Whether the position is wanted.
    pub status: bool,
    /// Whether what is kept of the reader is to go along.
    pub data: bool,
    /// Why none of its orders was looked at, if that is so.
    pub refused: Option<String>,
    /// The kinds of questions that its orders answered: what of these is asked again is not new to its writer.
    pub kinds: BTreeSet<&'static str>,
}

impl Reply {
    /// Makes it the answer to this mail.
    pub(crate) fn answer(&mut self, mail: &Incoming, hash: Hash) {
        self.mail = hash;
        self.copies = copies(mail);
        self.subject.clone_from(&mail.subject);
        self.thread = Thread::of(mail);
    }

    /// How many orders were carried out, and how many there were.
    pub(crate) fn counts(&self) -> (usize, usize) {
        self.order_report.as_ref().map_or((0, 0), |report| (report.done.len(), report.total))
    }
}
