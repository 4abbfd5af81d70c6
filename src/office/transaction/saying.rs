//! Messages: storing them and committing to them.

use crate::{
    error::OfficeError,
    game::messages::{NewMessage, content},
    services::Services,
    transaction::Transaction,
};
use postrider_dice::Hash;
use postrider_journal::{Appeal, Body, Press, Via, press_commitment};
use postrider_store::{Kept, Message};
use postrider_table::Seat;

/// Stores a message and makes the line that commits to it. Repeating a mail does not repeat its
/// message.
///
/// # Errors
/// [`OfficeError`]; the line does not exist then.
pub(crate) fn say(tx: &mut Transaction, services: &mut Services, message: NewMessage) -> Result<(), OfficeError> {
    say_in(tx, services, message, |commit| Body::Press(Press { commit })).map(drop)
}

/// Stores an appeal and makes its line. Returns the line's number. `words` is the digest of the
/// mail's line that contains it.
///
/// # Errors
/// As for [`say`].
pub(crate) fn appeal(
    tx: &mut Transaction,
    services: &mut Services,
    seat: Seat,
    message: NewMessage,
    words: Option<Hash>,
) -> Result<u64, OfficeError> {
    let seat = tx.live.seat_name(seat).to_owned().into();
    let via = if words.is_some() { Via::Mail } else { Via::Cli };
    say_in(tx, services, message, |commit| Body::Appeal(Appeal { seat, commit, via, words }))
}

/// Stores a message and makes the line that commits to it, unless it exists. Returns the line's
/// number.
fn say_in(
    tx: &mut Transaction,
    services: &mut Services,
    message: NewMessage,
    body: impl FnOnce(Hash) -> Body<'static>,
) -> Result<u64, OfficeError> {
    // Drawn in any case, so that repeating the same work uses the same randomness.
    let salt = services.environment.secret()?;
    let again = |kept: &&Message| message.mail.is_some() && kept.mail == message.mail;
    let commit = match tx.secrets.messages.values().find(again).map(|kept| kept.commit) {
        Some(commit) => commit,
        None => {
            let NewMessage { by, anonymous, to, text, mail } = message;
            let mut message = Message { commit: Hash::ZERO, salt, by, anonymous, to, text, mail };
            message.commit = press_commitment(&tx.id, &salt, &content(&message)?);
            let commit = message.commit;
            tx.keep(Kept::Message(message))?;
            commit
        }
    };
    match tx.facts.press.iter().find(|(_, said)| *said == commit) {
        Some((n, _)) => Ok(*n),
        None => tx.line(services, &body(commit)),
    }
}

/// Deletes the message of line `n`. Returns `true` if it existed.
///
/// # Errors
/// [`OfficeError`] if it cannot be deleted.
pub(crate) fn forget_message(tx: &mut Transaction, services: &Services, n: u64) -> Result<bool, OfficeError> {
    let Some((_, commit)) = tx.facts.press.iter().find(|(line, _)| *line == n).copied() else { return Ok(false) };
    // The mail that contained it has the same text.
    if let Some((mail, _)) = tx.secrets.messages.get(&commit).and_then(|message| message.mail) {
        services.store.forget_taken(&tx.id, &mail)?;
    }
    let known = tx.secrets.messages.remove(&commit).is_some();
    tx.forget(&|kept| match kept {
        Kept::Message(message) => message.commit == commit,
        // A reply may quote it, and all replies are in the outbox.
        Kept::Told(_) => known,
        _ => false,
    })?;
    Ok(known)
}
