//! Contents of the letters about a change that do not follow from the journal.

use crate::{
    game::{undoing::RewindReports, watching::ToWatcher},
    transaction::reply::Reply,
};
use postrider_dice::Hash;
use postrider_store::{Kept, OutgoingLetter, Player, Watcher};
use postrider_table::Seat;

/// The contents of the letters about a change that do not follow from the journal.
#[derive(Default)]
pub(crate) struct News {
    /// The answer to the mail that caused the change.
    pub answer: Option<Answer>,
    /// Notes for the seats whose standing orders ended.
    pub notes: Vec<(Seat, String)>,
    /// The reports of rewinds.
    pub rewinds: RewindReports,
    /// Letters other than those about the game, such as one that asks for a confirmation.
    pub beside: Notices,
}

/// The answer to a mail.
pub(crate) enum Answer {
    /// The mail is a player's.
    Player(Seat, Reply),
    /// The mail is a spectator's or a director's.
    Watcher(Watcher, ToWatcher),
}

/// Letters that are due, and the data to be stored once they are in the outbox.
#[derive(Default)]
pub(crate) struct Notices {
    /// The letters with their recipients.
    pub letters: Vec<(Player, OutgoingLetter)>,
    /// The data to be stored.
    pub kept: Vec<Kept>,
}

impl News {
    /// Answers a player's mail.
    pub fn answer_player(&mut self, seat: Seat, reply: Reply) {
        self.answer = Some(Answer::Player(seat, reply));
    }

    /// Answers the mail of a spectator or director.
    pub fn answer_watcher(&mut self, watcher: Watcher, reply: ToWatcher) {
        self.answer = Some(Answer::Watcher(watcher, reply));
    }

    /// Returns the answer to a player's mail.
    pub fn reply(&self) -> Option<(Seat, &Reply)> {
        match &self.answer {
            Some(Answer::Player(seat, reply)) => Some((*seat, reply)),
            _ => None,
        }
    }

    /// Returns the mail of a player that is answered, and its seat.
    pub fn mail(&self) -> Option<(Seat, Hash)> {
        self.reply().map(|(seat, reply)| (seat, reply.mail))
    }
}

impl Notices {
    /// Returns `true` if there is nothing to write or to store.
    pub fn is_empty(&self) -> bool {
        self.letters.is_empty() && self.kept.is_empty()
    }

    /// Adds other letters after these.
    pub fn add(&mut self, other: Notices) {
        self.letters.extend(other.letters);
        self.kept.extend(other.kept);
    }
}
