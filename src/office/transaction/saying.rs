//! Messages, kept and committed to.

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

/// Keeps a message and makes the line that commits to it. One that came with this mail before is not said twice.
///
/// # Errors
/// [`OfficeError`]; the line is not there then.
pub(crate) fn say(tx: &mut Transaction, services: &mut Services, message: NewMessage) -> Result<(), OfficeError> {
    say_in(tx, services, message, |commit| Body::Press(Press { commit })).map(drop)
}

/// Keeps an appeal and makes its line. Returns the number of the line. `words` is the digest of the
/// line of a mail by which it came.
///
/// # Errors
/// As [`say`].
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

/// Keeps a message and makes the line that commits to it, if that is not there yet. Returns the
/// number of the line.
fn say_in(
    tx: &mut Transaction,
    services: &mut Services,
    message: NewMessage,
    body: impl FnOnce(Hash) -> Body<'static>,
) -> Result<u64, OfficeError> {
    // Taken in any case, so that the same work has the same randomness.
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

/// Takes the message of line `n` away for ever; says whether it was there.
///
/// # Errors
/// [`OfficeError`] when it cannot be taken away.
pub(crate) fn forget_message(tx: &mut Transaction, services: &Services, n: u64) -> Result<bool, OfficeError> {
    let Some((_, commit)) = tx.facts.press.iter().find(|(line, _)| *line == n).copied() else { return Ok(false) };
    // The mail it came with says it too.
    if let Some((mail, _)) = tx.secrets.messages.get(&commit).and_then(|message| message.mail) {
        services.store.forget_taken(&tx.id, &mail)?;
    }
    tx.secrets.messages.remove(&commit);
    Ok(tx.forget(&|kept| matches!(kept, Kept::Message(message) if message.commit == commit))?)
}
