//! The answer to a player's mail, except for the next questions.

use crate::game::handled::copies;
use postrider_dice::Hash;
use postrider_letters::{OrderReport, Section};
use postrider_mail::Incoming;
use postrider_store::Thread;
use postrider_table::map::{Way, WayKind};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeSet;

/// The answer to a player's mail, except for the next questions.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
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
    #[serde(with = "ways")]
    pub ways: Vec<Way>,
    /// `true` if the position is to be shown.
    pub status: bool,
    /// `true` if all data about the reader is to be attached.
    pub data: bool,
    /// `true` if the page of the game is to be attached.
    pub page: bool,
    /// The reason why none of the mail's orders was considered, if so.
    pub refused: Option<String>,
    /// The kinds of questions that its orders answered. Further questions of these kinds are not
    /// news to the player.
    pub kinds: BTreeSet<String>,
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

/// The form in which ways on the map are kept.
mod ways {
    use super::{Deserialize, Deserializer, Serialize, Serializer, Way, WayKind};

    const KINDS: [(WayKind, &str); 3] = [(WayKind::Move, "move"), (WayKind::Fire, "fire"), (WayKind::Attack, "attack")];

    pub fn serialize<S: Serializer>(ways: &[Way], to: S) -> Result<S::Ok, S::Error> {
        let name = |kind| KINDS.iter().find(|(known, _)| *known == kind).map_or("", |(_, name)| name);
        ways.iter().map(|way| (name(way.what), &way.places)).collect::<Vec<_>>().serialize(to)
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Vec<Way>, D::Error> {
        let kept = Vec::<(String, Vec<String>)>::deserialize(from)?;
        let kind = |name: &str| KINDS.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind);
        Ok(kept.into_iter().filter_map(|(name, places)| Way::over(kind(&name)?, places)).collect())
    }
}
