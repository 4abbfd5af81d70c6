//! The tokens that show that an answer comes from the seat's own player.

use super::{players::Players, secrets::GameSecrets, watchers::Watcher};
use postrider_dice::{Hash, h};
use postrider_mail::Token;
use postrider_table::{PromptId, Seat};

/// The number of past epochs whose tokens are recognized as void; older ones are treated as
/// invalid.
const REMEMBERED: u64 = 20;

/// The length of a return code, in characters.
const RETURN_CODE: usize = 8;

/// The data to which the tokens of a seat are bound: one address, by its commitment in the journal,
/// and one epoch. A new player or a new address has a new commitment, because each has its own
/// salt. The player and the host can raise the epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bond {
    /// The commitment to the address.
    pub address: Hash,
    /// The number of times that new tokens were made for that address.
    pub epoch: u64,
}

/// The issuer of a game's tokens. They are derived from the service's key, so no list of tokens is
/// needed.
#[derive(Clone)]
pub struct TokenIssuer {
    game: String,
    key: Hash,
}

impl TokenIssuer {
    /// Creates the issuer of a game; `key` is the seed of the service's signing key.
    #[must_use]
    pub fn new(game: &str, key: Hash) -> TokenIssuer {
        TokenIssuer { game: game.to_owned(), key }
    }

    /// Returns the token of a question. It is only in letters to that seat, so anyone who sends it
    /// back has read such a letter. It changes each time that letters about the question become
    /// [void](GameSecrets::voided).
    #[must_use]
    pub fn token(&self, seat: Seat, bond: Bond, prompt: PromptId, voided: u64) -> Token {
        let (address, epoch) = (bond.address.to_string(), bond.epoch.to_string());
        let fields = [&self.game, &seat.to_string(), &prompt.to_string(), &voided.to_string(), &address, &epoch];
        self.derived("postrider/token/v2", &fields.map(String::as_str))
    }

    /// Returns the token of mails that ask nothing: the invitation, reports and answers.
    #[must_use]
    pub fn letterbox(&self, seat: Seat, bond: Bond) -> Token {
        let (address, epoch) = (bond.address.to_string(), bond.epoch.to_string());
        self.derived("postrider/letterbox/v2", &[&self.game, &seat.to_string(), &address, &epoch])
    }

    /// Returns the secret part of the address for bounces of letters to a seat with this address.
    /// 40 bits in 8 characters are enough, because guessing it only makes the host report a false
    /// bounce.
    #[must_use]
    pub fn return_code(&self, seat: Seat, address: Hash) -> String {
        let token = self.derived("postrider/return/v1", &[&self.game, &seat.to_string(), &address.to_string()]);
        token.to_string()[..RETURN_CODE].to_owned()
    }

    /// Returns the token of the address at which a seat's calendar is. It becomes void with the
    /// player's other tokens, and answers no question.
    #[must_use]
    pub fn calendar(&self, seat: Seat, bond: Bond) -> Token {
        let (address, epoch) = (bond.address.to_string(), bond.epoch.to_string());
        self.derived("postrider/calendar/v1", &[&self.game, &seat.to_string(), &address, &epoch])
    }

    /// Returns the token of the letter that asks whether this address is the player's. It becomes
    /// void with the player's other tokens.
    #[must_use]
    pub fn address_word(&self, seat: Seat, bond: Bond, address: &str, mail: &Hash) -> Token {
        let (own, epoch) = (bond.address.to_string(), bond.epoch.to_string());
        self.derived("postrider/address/v1", &[&self.game, &seat.to_string(), &own, &epoch, address, &mail.to_string()])
    }

    /// Returns the token in letters to a watcher.
    #[must_use]
    pub fn watch_word(&self, watcher: &Watcher) -> Token {
        let (address, renewed) = (watcher.address.to_ascii_lowercase(), watcher.renewed.to_string());
        self.derived("postrider/watch/v1", &[&self.game, &address, &renewed])
    }

    /// Returns `true` if this is the token of a question.
    #[must_use]
    pub fn is_of(&self, token: Token, seat: Seat, bond: Bond, (prompt, voided): (PromptId, u64)) -> bool {
        self.token(seat, bond, prompt, voided) == token
    }

    /// Returns `true` if this is the token of mails that ask nothing.
    #[must_use]
    pub fn is_letterbox(&self, token: Token, seat: Seat, bond: Bond) -> bool {
        self.letterbox(seat, bond) == token
    }

    /// Returns the bond of a token of that seat that is void or was never valid, if it is one;
    /// `prompt` is the token's number.
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

    fn derived(&self, domain: &str, fields: &[&str]) -> Token {
        let key = self.key.text();
        let fields: Vec<&str> = fields.iter().copied().chain([key.as_str()]).collect();
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&h(domain, &fields).0[..16]);
        Token::new(bytes)
    }
}
