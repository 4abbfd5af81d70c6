//! Reads a mail's lines into a [`Reading`](value::Reading), before anything is carried out.

pub(crate) mod answered;
pub(crate) mod context;
pub(crate) mod directive;
pub(crate) mod effect;
pub(crate) mod hints;
pub(crate) mod marks;
pub(crate) mod press;
pub(crate) mod read;
pub(crate) mod request;
pub(crate) mod sheet;
pub(crate) mod value;
pub(crate) mod watch_words;
pub(crate) mod whole;

use postrider_dice::Hash;
use postrider_mail::{Answered, Incoming};
use postrider_table::PromptId;

/// Number of lines not understood after which no more is tried to find a meaning of further ones.
pub(crate) const MOST_UNREAD: usize = 8;

/// The source of a player's words.
pub(crate) enum Origin<'m> {
    /// A mail, its hash, and the letter that it answers, if that is still stored.
    Mail {
        mail: &'m Incoming,
        hash: Hash,
        letter: Option<&'m Answered>,
    },
    Cli,
}

/// The access that a mail's token gives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// To the question with this number; orders count as long as it is open.
    Question(PromptId),
    /// To a question that a rewind has undone, or by a letter from before the rewind.
    Undone,
    /// By a letter without a question; everything except orders counts.
    Letterbox,
    /// The host's own access.
    Host,
}
