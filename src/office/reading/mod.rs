//! Reading a mail: from its lines to a [`Reading`](value::Reading), before anything happens.

pub(crate) mod answered;
pub(crate) mod context;
pub(crate) mod directive;
pub(crate) mod effect;
pub(crate) mod marks;
pub(crate) mod press;
pub(crate) mod read;
pub(crate) mod request;
pub(crate) mod sheet;
pub(crate) mod value;
pub(crate) mod watch_words;
pub(crate) mod whole;

use postrider_dice::Hash;
use postrider_mail::Incoming;
use postrider_table::PromptId;

/// Where words come from.
pub(crate) enum Origin<'m> {
    Mail { mail: &'m Incoming, hash: Hash },
    Cli,
}

/// What the token of a mail opens.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// A question with this number; orders count as long as it is open.
    Question(PromptId),
    /// A question of play that a rewind has undone, or a letter from before it.
    Undone,
    /// A letter that asked nothing: everything but orders.
    Letterbox,
    /// The host himself.
    Host,
}
