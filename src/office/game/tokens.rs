//! The tokens of a game's letters: which still count, and for what.

use crate::game::{Game, seats};
use postrider_dice::Hash;
use postrider_mail::{Incoming, Token};
use postrider_store::{Bond, WhyRenewed};
use postrider_table::{PromptId, Seat};

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

/// Whose mail it is, if it comes from a registered address and carries a token made for that seat.
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

/// What a token, with its number, is good for in a mail from this seat; `None` where it is none of the seat's.
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
    // The very mail that asked for new tokens comes again when the program ended over its answer.
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
