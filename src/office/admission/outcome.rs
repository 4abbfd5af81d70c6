//! What became of a mail.

use postrider_table::Seat;

/// What became of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was filed in `mail/refused` and is not answered; the reason is for the host's log.
    Filed(String),
    /// It has been answered before; nothing was done.
    Again,
    /// It reports on a letter of ours: that it did not arrive, or not yet.
    Report {
        /// The letter.
        letter: String,
        /// Whether the mail server has given up.
        failed: bool,
        /// What it says.
        why: String,
    },
    /// It could not be handled, twice, and lies in `mail/poison` with the reason.
    Poison(String),
    /// It could not be taken in for now, and lies where it lay to be tried again; the reason is for the host's log.
    Kept(String),
    /// It was answered: how many of its orders were carried out, and how many there were.
    Answered {
        /// Carried out.
        done: usize,
        /// In all.
        total: usize,
    },
}

/// A mail that was taken in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Processed {
    /// The game it was for, where that could be told.
    pub game: Option<String>,
    /// Who wrote it.
    pub seat: Option<Seat>,
    /// What became of it.
    pub outcome: Outcome,
}
