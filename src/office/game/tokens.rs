//! The tokens of a game's letters: which are valid, and for what.

use crate::game::{Game, seats};
use postrider_dice::Hash;
use postrider_mail::{Incoming, Token};
use postrider_store::{Bond, WhyRenewed};
use postrider_table::{PromptId, Seat};

/// The use of a seat's token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Good {
    /// Answers to the question with its number.
    Question,
    /// None for orders: a rewind has undone that question, or came after the letter.
    Undone,
    /// Everything except orders.
    Letterbox,
    /// None: newer tokens were issued, with the reason.
    Void(WhyRenewed),
}

/// Returns the answer to a player's mail with a void token.
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

/// Returns the seat of a mail that comes from one of the seat's addresses with a token made for it.
pub(crate) fn admit(
    game: &Game,
    mail: &Incoming,
    number: u32,
    token: Token,
    other_senders: bool,
) -> Option<(Seat, Good)> {
    let mine = game.seats.players.iter().filter(|player| seats::wrote(game, mail, player.seat, other_senders));
    let hash: Hash = mail.sha256.parse().ok()?;
    mine.map(|player| player.seat).find_map(|seat| Some((seat, good_for(game, seat, number, token, hash)?)))
}

/// Returns the use of a token and its number in a mail from this seat, or `None` if the token is
/// not the seat's.
fn good_for(game: &Game, seat: Seat, number: PromptId, token: Token, mail: Hash) -> Option<Good> {
    let now = game.bond(seat);
    let counts = |bond: Bond| {
        let voided = game.voided(number);
        if game.tokens.is_of(token, seat, bond, (number, voided)) {
            Some(Good::Question)
        } else if (0..voided).any(|voided| game.tokens.is_of(token, seat, bond, (number, voided))) {
            Some(Good::Undone)
        } else if number == 0 && game.tokens.is_letterbox(token, seat, bond) {
            Some(Good::Letterbox)
        } else {
            None
        }
    };
    // The same mail that asked for new tokens comes again if the program ended before it answered.
    let renewed = game.secrets.renewed.get(&(seat, now.address));
    let by_itself = renewed.and_then(|all| all.last()).is_some_and(|last| last.mail == Some(mail));
    let before = Bond { epoch: now.epoch.saturating_sub(1), ..now };
    if let Some(good) = counts(now).or_else(|| by_itself.then(|| counts(before)).flatten()) {
        return Some(good);
    }
    let was = game.tokens.known(token, seat, number, &game.seats, &game.secrets)?;
    let why = renewed.filter(|_| was.address == now.address).and_then(|all| all.get(usize::try_from(was.epoch).ok()?));
    Some(Good::Void(why.map_or(WhyRenewed::Reseated, |renewed| renewed.why)))
}
