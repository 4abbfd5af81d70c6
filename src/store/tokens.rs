//! The tokens by which answers are known to be those of their seat's own player.

use crate::{
    dice::{Hash, h},
    mail::Token,
    table::{PromptId, Seat},
};

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
    /// another one each time that letters about the question became [void](super::GameSecrets::voided).
    #[must_use]
    pub fn token(&self, seat: Seat, prompt: PromptId, voided: u64) -> Token {
        let (seat, prompt) = (seat.to_string(), prompt.to_string());
        match voided {
            0 => self.derived("postrider/token/v1", &[&self.game, &seat, &prompt]),
            _ => self.derived("postrider/token/v1", &[&self.game, &seat, &prompt, &voided.to_string()]),
        }
    }

    /// The token of mails that ask nothing: the invitation, reports and answers.
    #[must_use]
    pub fn letterbox(&self, seat: Seat) -> Token {
        self.derived("postrider/letterbox/v1", &[&self.game, &seat.to_string()])
    }

    fn derived(&self, domain: &str, fields: &[&str]) -> Token {
        let key = self.key.hex();
        let fields: Vec<&str> = fields.iter().copied().chain([key.as_str()]).collect();
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&h(domain, &fields).0[..16]);
        Token::new(bytes)
    }
}
