//! The outcomes of incoming mails.

use postrider_table::Seat;

/// The outcome of one mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Filed in `mail/refused` without an answer; the reason is for the host's log.
    Filed(String),
    /// Answered before; nothing was done.
    Again,
    /// A report that one of our letters was not delivered, or not yet.
    Report {
        /// The letter.
        letter: String,
        /// `true` if the mail server has given up.
        failed: bool,
        /// The server's reason.
        why: String,
    },
    /// Failed twice and put into `mail/poison`, with the reason.
    Poison(String),
    /// Not taken in at the moment, and left in place to be tried again. Its game and seat are those
    /// whose deadlines have to wait for it.
    Kept {
        /// The temporary problem.
        fault: Passing,
        /// The reason, for the host's log.
        why: String,
    },
    /// Answered.
    Answered {
        /// The number of orders carried out.
        done: usize,
        /// The number of orders in the mail.
        total: usize,
    },
}

/// A fault that may pass, so that a mail is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// The mail's game cannot be opened or is locked.
    Game,
    /// The mail itself cannot be read, so its game is unknown.
    Mail,
    /// Its signature cannot be checked, because no name server answers. Signatures are checked only
    /// for a mail of a player or director with a token from that person's letters.
    Lookup,
}

/// A mail that was taken in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Processed {
    /// The mail's game, if known.
    pub game: Option<String>,
    /// The sender's seat.
    pub seat: Option<Seat>,
    /// The outcome.
    pub outcome: Outcome,
}
