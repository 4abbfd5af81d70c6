//! Recognition of mails that were answered before.

use crate::game::Game;
use postrider_dice::{Hash, sha256};
use postrider_mail::Incoming;
use postrider_store::Kept;

/// Returns `true` if a mail, or another copy of it, has been answered. Copies have the same
/// Message-ID and the same words; only headers added by servers differ. A second mail under the
/// same Message-ID is a mail of its own.
pub(crate) fn is_handled(game: &Game, mail: &Incoming, hash: Hash) -> bool {
    [Some(hash), copies(mail)].into_iter().flatten().any(|key| game.secrets.handled.contains(&key))
}

/// Returns the note that a mail was handled. `copies` is the hash that all its copies share.
pub(crate) fn of(mail: Hash, copies: Option<Hash>) -> Kept {
    Kept::Written { seats: Default::default(), mail: Some(mail), copies }
}

/// Hashes the parts that all copies of a mail share: its Message-ID (RFC 5322, 3.6.4), or its date
/// if it has none, the mail that it answers, its author, and the author's words or the reason why
/// these cannot be told. Returns `None` without a Message-ID and a date.
pub(crate) fn copies(mail: &Incoming) -> Option<Hash> {
    let id = mail.message_id.clone().or_else(|| Some(mail.date?.to_string()))?;
    let mut text = format!("{id}\n{}", mail.author().unwrap_or_default());
    for answered in &mail.in_reply_to {
        text.push('\n');
        text.push_str(answered);
    }
    match &mail.orders {
        Ok(orders) => {
            for line in &orders.lines {
                text.push('\n');
                text.push_str(&line.text);
            }
        }
        Err(why) => text.push_str(&format!("\n\n{why:?}")),
    }
    Some(sha256(text.as_bytes()))
}
