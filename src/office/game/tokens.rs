//! The tokens of a game's letters: what they are bound to, which still count, and new ones for a seat.

use postrider_store::WhyRenewed;

/// What a token of a seat is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Good {
    /// Answers to the question of its number.
    Question,
    /// A rewind has undone that question, or came after the letter.
    Undone,
    /// Everything but orders.
    Letterbox,
    /// Nothing any more: new ones were made since; why.
    Void(WhyRenewed),
}

/// What a player is told who answers a letter with such a token.
pub(crate) fn void(why: WhyRenewed) -> String {
    let since = match why {
        WhyRenewed::Asked => "you have asked for a new token since it was written (`new token`)",
        WhyRenewed::Host => "the host has made a new token for your seat since it was written",
        WhyRenewed::Reseated => "the seat has got another player or another address since it was written",
    };
    format!(
        "Nothing was done: the letter that you answer is void, since {since}. Please send your orders again, in answer to the newest \
         letter, which may be this one."
    )
}
