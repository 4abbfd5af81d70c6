//! The tokens by which answers are known to be those of their seat's own player.

use super::{players::Players, secrets::GameSecrets};
use postrider_dice::{Hash, h};
use postrider_mail::Token;
use postrider_table::{PromptId, Seat};

/// A token of so many epochs ago is known as void; one from before that is as one that was made up.
const REMEMBERED: u64 = 20;

/// The length of a return code, in characters.
const RETURN_CODE: usize = 8;

/// What the tokens of a seat are good for: one address, as the journal commits to it, and one epoch. A seat that gets another player
/// or another address has another commitment, since each has a salt of its own; its player and the host can raise the epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bond {
    /// The commitment to the address.
    pub address: Hash,
    /// How often new tokens were made for that address.
    pub epoch: u64,
}

/// Makes the tokens of one game. They are derived from the service's key, so that no list of tokens need be kept.
#[derive(Clone)]
pub struct TokenIssuer {
    game: String,
    key: Hash,
}

impl TokenIssuer {
    /// For a game; `key` is the seed of the service's signing key.
    #[must_use]
    pub fn new(game: &str, key: Hash) -> TokenIssuer {
        TokenIssuer { game: game.to_owned(), key }
    }

    /// The token of a question: it stands in the mail to that seat alone, and whoever sends it back has read that mail. It is
    /// another one each time that letters about the question became [void](GameSecrets::voided).
    #[must_use]
    pub fn token(&self, seat: Seat, bond: Bond, prompt: PromptId, voided: u64) -> Token {
        let (address, epoch) = (bond.address.to_string(), bond.epoch.to_string());
        let fields = [&self.game, &seat.to_string(), &prompt.to_string(), &voided.to_string(), &address, &epoch];
        self.derived("postrider/token/v2", &fields.map(String::as_str))
    }

    /// The token of mails that ask nothing: the invitation, reports and answers.
    #[must_use]
    pub fn letterbox(&self, seat: Seat, bond: Bond) -> Token {
        let (address, epoch) = (bond.address.to_string(), bond.epoch.to_string());
        self.derived("postrider/letterbox/v2", &[&self.game, &seat.to_string(), &address, &epoch])
    }

    /// What stands in the address to which bounces of letters to a seat with this address come back: nobody else can know it. 40 bits in
    /// 8 characters are enough, since whoever guesses them has the host told of a bounce that was none.
    #[must_use]
    pub fn return_code(&self, seat: Seat, address: Hash) -> String {
        let token = self.derived("postrider/return/v1", &[&self.game, &seat.to_string(), &address.to_string()]);
        token.to_string()[..RETURN_CODE].to_owned()
    }

    /// The word of the letter that asks whether this address is the player's. It is void when his tokens are.
    #[must_use]
    pub fn address_word(&self, seat: Seat, bond: Bond, address: &str, mail: &Hash) -> Token {
        let (own, epoch) = (bond.address.to_string(), bond.epoch.to_string());
        self.derived("postrider/address/v1", &[&self.game, &seat.to_string(), &own, &epoch, address, &mail.to_string()])
    }

    /// The word in letters to somebody who watches from this address.
    #[must_use]
    pub fn watch_word(&self, address: &str) -> Token {
        self.derived("postrider/watch/v1", &[&self.game, &address.to_ascii_lowercase()])
    }

    /// Whether this is the token of a question.
    #[must_use]
    pub fn is_of(&self, token: Token, seat: Seat, bond: Bond, (prompt, voided): (PromptId, u64)) -> bool {
        self.token(seat, bond, prompt, voided) == token
            || bond.epoch == 0 && self.unbound(seat, prompt, voided) == token
    }

    /// Whether this is the token of mails that ask nothing.
    #[must_use]
    pub fn is_letterbox(&self, token: Token, seat: Seat, bond: Bond) -> bool {
        self.letterbox(seat, bond) == token || bond.epoch == 0 && self.unbound_letterbox(seat) == token
    }

    /// What a token was bound to that counts no more or never did, if it is one of that seat's: `prompt` is its number.
    pub fn known(
        &self,
        token: Token,
        seat: Seat,
        prompt: PromptId,
        players: &Players,
        secrets: &GameSecrets,
    ) -> Option<Bond> {
        let rewinds = secrets.rewinds.len() as u64;
        players.commitments(seat).find_map(|address| {
            let now = secrets.epoch(seat, &address);
            let first = now.saturating_sub(REMEMBERED);
            (first..=now).rev().map(|epoch| Bond { address, epoch }).find(|&bond| {
                (0..=rewinds).any(|voided| self.is_of(token, seat, bond, (prompt, voided)))
                    || prompt == 0 && self.is_letterbox(token, seat, bond)
            })
        })
    }

    /// A token as earlier releases made it, bound to no address. It counts in the first epoch, in which such letters may be answered;
    /// no game of this release has sent any.
    fn unbound(&self, seat: Seat, prompt: PromptId, voided: u64) -> Token {
        let (seat, prompt) = (seat.to_string(), prompt.to_string());
        match voided {
            0 => self.derived("postrider/token/v1", &[&self.game, &seat, &prompt]),
            _ => self.derived("postrider/token/v1", &[&self.game, &seat, &prompt, &voided.to_string()]),
        }
    }

    /// The same for mails that ask nothing.
    fn unbound_letterbox(&self, seat: Seat) -> Token {
        self.derived("postrider/letterbox/v1", &[&self.game, &seat.to_string()])
    }

    fn derived(&self, domain: &str, fields: &[&str]) -> Token {
        let key = self.key.text();
        let fields: Vec<&str> = fields.iter().copied().chain([key.as_str()]).collect();
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&h(domain, &fields).0[..16]);
        Token::new(bytes)
    }
}
