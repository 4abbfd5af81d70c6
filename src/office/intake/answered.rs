//! The letter that a mail answers, and what of the mail was not read.

use crate::{
    mail::{Answered, Incoming, OrderLine},
    office::{error::OfficeError, services::Services, session::GameSession},
    orders::visible,
    table::Seat,
};

/// So many ids of a mail are looked up at most: a mail program may name hundreds.
const MOST_IDS: usize = 8;

/// So many lines that were not read are repeated to their writer, and so much of each.
const MOST_LINES: usize = 6;
const LONGEST: usize = 100;

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

/// What a player is told of lines that may be his and were not read, so that nothing of his is lost without a word.
pub(super) fn not_read(lines: &[OrderLine]) -> Option<String> {
    let quoted = |line: &OrderLine| {
        let start: String = line.text.chars().take(LONGEST).collect();
        let more = if start.len() < line.text.len() { "…" } else { "" };
        format!("`{}{more}`", visible(&start))
    };
    let first: Vec<String> = lines.iter().take(MOST_LINES).map(quoted).collect();
    let more = match lines.len().saturating_sub(MOST_LINES) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    (!first.is_empty()).then(|| {
        format!(
            "Not read, since it stood below or inside the quoted letter, or below a line such as \"Sent from my phone\" or `--`, while \
             orders stood above it: {}{more}.",
            first.join(", ")
        )
    })
}
