//! Messages, kept and committed to.

use crate::{
    error::OfficeError,
    game::messages::{NewMessage, content},
    services::Services,
    transaction::Transaction,
};
use postrider_dice::Hash;
use postrider_journal::{Body, Press, press_commitment};
use postrider_store::{Kept, Message};

/// Keeps a message and makes the line that commits to it. One that came with this mail before is not said twice.
///
/// # Errors
/// [`OfficeError`]; the line is not there then.
pub(crate) fn say(tx: &mut Transaction, services: &mut Services, message: NewMessage) -> Result<(), OfficeError> {
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
    if !tx.facts.press.iter().any(|(_, said)| *said == commit) {
        tx.line(services, &Body::Press(Press { commit }))?;
    }
    Ok(())
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
