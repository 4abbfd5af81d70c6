//! The letter that a mail answers.

use crate::{
    mail::{Answered, Incoming},
    office::{error::OfficeError, services::Services, session::GameSession},
    table::Seat,
};

/// So many ids of a mail are looked up at most: a mail program may name hundreds.
const MOST_IDS: usize = 8;

impl GameSession {
    /// The letter to this seat that a mail answers, if it is still at hand: the mail is read beside it.
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

    /// The names in the outbox that a letter to this seat with that Message-ID can have.
    fn letters_named(&self, id: &str, seat: Seat) -> Vec<String> {
        let head = format!("{}.{seat}.", self.game);
        let left = id.trim_start_matches('<').split('@').next().unwrap_or_default();
        let Some(rest) = left.strip_prefix(&head) else { return Vec::new() };
        match rest.rsplit('.').next() {
            Some("letter") => vec![left.to_owned()],
            Some("invitation") => vec![format!("{head}invitation")],
            Some(kind) => {
                let Some(start) = kind.strip_prefix("re-").filter(|start| start.len() >= 8) else { return Vec::new() };
                let mails = self.secrets.handled.iter().map(ToString::to_string);
                mails.filter(|mail| mail.starts_with(start)).map(|mail| format!("{head}re.{}", &mail[..16])).collect()
            }
            None => Vec::new(),
        }
    }
}
