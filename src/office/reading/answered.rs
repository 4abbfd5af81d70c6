//! The letter that a mail answers.

use crate::{error::OfficeError, game::Game, services::Services};
use postrider_mail::{Answered, Incoming};
use postrider_store::LetterId;
use postrider_table::Seat;

/// The maximum number of ids of a mail that are looked up; mail programs may name hundreds.
const MOST_IDS: usize = 8;

/// Returns the letter to this seat that a mail answers, if it is still stored.
///
/// # Errors
/// [`OfficeError::Store`] if the outbox cannot be read.
pub(crate) fn answered(
    game: &Game,
    services: &Services,
    mail: &Incoming,
    seat: Seat,
) -> Result<Option<Answered>, OfficeError> {
    let ids = LetterId::answered_in(mail, &game.id, seat).take(MOST_IDS);
    for name in ids.flat_map(|id| letters_named(game, id)) {
        if let Some(letter) = services.store.letter(&name)?.and_then(|raw| Answered::parse(&raw)) {
            return Ok(Some(letter));
        }
    }
    Ok(None)
}

/// Returns the possible names of a letter in the outbox.
fn letters_named(game: &Game, id: LetterId<'_>) -> Vec<String> {
    let LetterId { game: of, seat, kind, .. } = id;
    match kind.strip_prefix("re-") {
        Some(start) if start.len() >= 8 => {
            let mails = game.secrets.handled.iter().map(ToString::to_string);
            mails.filter(|mail| mail.starts_with(start)).map(|mail| format!("{of}.{seat}.re.{}", &mail[..16])).collect()
        }
        None if kind == "letter" => vec![id.to_string()],
        None if kind == "invitation" => vec![format!("{of}.{seat}.invitation")],
        _ => Vec::new(),
    }
}
