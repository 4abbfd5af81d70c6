//! The answer to a player's mail, except for the next questions.

use crate::game::handled::copies;
use postrider_dice::Hash;
use postrider_letters::{OrderReport, Section};
use postrider_mail::Incoming;
use postrider_store::Thread;
use postrider_table::map::Way;
use std::collections::BTreeSet;

/// The answer to a player's mail, except for the next questions.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// The mail that it answers.
    pub mail: Hash,
    /// The digest that all copies of that mail share; see `is_handled`.
    pub copies: Option<Hash>,
    /// The mail's subject.
    pub subject: String,
    /// The letter's place in the thread.
    pub thread: Thread,
    /// The outcomes of the mail's orders.
    pub order_report: Option<OrderReport>,
    /// Notes, one paragraph each.
    pub notes: Vec<String>,
    /// Further sections, such as help or a preview.
    pub extra: Vec<Section>,
    /// The movements on the map of the orders that it shows.
    pub ways: Vec<Way>,
    /// `true` if the position is to be shown.
    pub status: bool,
    /// `true` if all data about the reader is to be attached.
    pub data: bool,
    /// The reason why none of the mail's orders was considered, if so.
    pub refused: Option<String>,
    /// The kinds of questions that its orders answered. Further questions of these kinds are not
    /// news to the player.
    pub kinds: BTreeSet<&'static str>,
}

impl Reply {
    /// Makes this the answer to a mail.
    pub(crate) fn answer(&mut self, mail: &Incoming, hash: Hash) {
        self.mail = hash;
        self.copies = copies(mail);
        self.subject.clone_from(&mail.subject);
        self.thread = Thread::of(mail);
    }

    /// Returns the number of orders carried out, and the total.
    pub(crate) fn counts(&self) -> (usize, usize) {
        self.order_report.as_ref().map_or((0, 0), |report| (report.done.len(), report.total))
    }
}
