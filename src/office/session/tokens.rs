//! The tokens of a game's letters: what they are bound to, which still count, and new ones for a seat.

use super::{Game, Transaction};
use crate::error::OfficeError;
use postrider_dice::Hash;
use postrider_mail::Token;
use postrider_store::{Bond, Kept, Player, Renewed, WhyRenewed};
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

impl Game {
    /// What the tokens of a seat are bound to now.
    pub(crate) fn bond(&self, seat: Seat) -> Bond {
        let address = self.seats.player(seat).map_or(Hash([0; 32]), Player::commitment);
        Bond { address, epoch: self.secrets.epoch(seat, &address) }
    }

    /// The token that a letter about this question carries now.
    pub(crate) fn token(&self, seat: Seat, prompt: PromptId) -> Token {
        self.tokens.token(seat, self.bond(seat), prompt, self.voided(prompt))
    }

    /// The token that a letter that asks nothing carries now.
    pub(crate) fn letterbox(&self, seat: Seat) -> Token {
        self.tokens.letterbox(seat, self.bond(seat))
    }

    /// What a token, with its number, is good for in a mail from this seat; `None` where it is none of the seat's.
    pub(crate) fn good_for(&self, seat: Seat, number: PromptId, token: Token, mail: Hash) -> Option<Good> {
        let now = self.bond(seat);
        let counts = |bond: Bond| {
            let voided = self.voided(number);
            if self.tokens.is_of(token, seat, bond, (number, voided)) {
                Some(Good::Question)
            } else if (0..voided).any(|voided| self.tokens.is_of(token, seat, bond, (number, voided))) {
                Some(Good::Undone)
            } else if number == 0 && self.tokens.is_letterbox(token, seat, bond) {
                Some(Good::Letterbox)
            } else {
                None
            }
        };
        // The very mail that asked for new tokens comes again when the program ended over its answer.
        let renewed = self.secrets.renewed.get(&(seat, now.address));
        let by_itself = renewed.and_then(|all| all.last()).is_some_and(|last| last.mail == Some(mail));
        let before = Bond { epoch: now.epoch.saturating_sub(1), ..now };
        if let Some(good) = counts(now).or_else(|| by_itself.then(|| counts(before)).flatten()) {
            return Some(good);
        }
        let was = self.tokens.known(token, seat, number, &self.seats, &self.secrets)?;
        let why =
            renewed.filter(|_| was.address == now.address).and_then(|all| all.get(usize::try_from(was.epoch).ok()?));
        Some(Good::Void(why.map_or(WhyRenewed::Reseated, |renewed| renewed.why)))
    }
}

impl Transaction {
    /// Makes new tokens for a seat: all that were sent to it are void. A mail does so once.
    pub(crate) fn renew(&mut self, seat: Seat, why: WhyRenewed, mail: Option<Hash>) -> Result<(), OfficeError> {
        let Some(address) = self.seats.player(seat).map(Player::commitment) else { return Ok(()) };
        let all = self.secrets.renewed.get(&(seat, address));
        if mail.is_some() && all.is_some_and(|all| all.iter().any(|renewed| renewed.mail == mail)) {
            return Ok(());
        }
        Ok(self.keep(Kept::Renewed(Renewed { seat, address, why, mail }))?)
    }
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
