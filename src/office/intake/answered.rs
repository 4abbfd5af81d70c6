//! The letter that a mail answers.

use crate::{error::OfficeError, services::Services, session::Game};
use postrider_mail::{Answered, Incoming};
use postrider_table::Seat;

/// The maximum number of ids of a mail that are looked up; mail programs may name hundreds.
const MOST_IDS: usize = 8;

impl Game {
    /// The letter to this seat that a mail answers, if it is still at hand.
    ///
    /// # Errors
    /// [`OfficeError::Store`] when the outbox cannot be read.
    pub(super) fn answered(
        &self,
        services: &Services,
        mail: &Incoming,
        seat: Seat,
    ) -> Result<Option<Answered>, OfficeError> {
        let ids = mail.in_reply_to.iter().rev().chain(mail.references.iter().rev());
        for name in ids.take(MOST_IDS).flat_map(|id| self.letters_named(id, seat)) {
            if let Some(letter) = services.store.letter(&name)?.and_then(|raw| Answered::parse(&raw)) {
                return Ok(Some(letter));
            }
        }
        Ok(None)
    }

    /// The possible names in the outbox of a letter to this seat with this Message-ID.
    fn letters_named(&self, id: &str, seat: Seat) -> Vec<String> {
        let parts: Vec<&str> = id.trim_start_matches('<').split(['.', '@']).collect();
        let [game, whose, n, hash, kind, ..] = parts[..] else { return Vec::new() };
        if game != self.id || whose != seat.to_string() {
            return Vec::new();
        }
        match kind.strip_prefix("re-") {
            Some(start) if start.len() >= 8 => {
                let mails = self.secrets.handled.iter().map(ToString::to_string);
                mails
                    .filter(|mail| mail.starts_with(start))
                    .map(|mail| format!("{game}.{seat}.re.{}", &mail[..16]))
                    .collect()
            }
            None if kind == "letter" => vec![format!("{game}.{seat}.{n}.{hash}.letter")],
            None if kind == "invitation" => vec![format!("{game}.{seat}.invitation")],
            _ => Vec::new(),
        }
    }
}
