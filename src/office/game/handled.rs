//! Mails that were answered before.

use crate::game::Game;
use postrider_dice::{Hash, sha256};
use postrider_mail::Incoming;

/// Whether a mail has been answered, be it another copy of it: the same Message-ID and the same words, whatever servers on
/// another way have written above them. Whoever uses one Message-ID for two mails is not robbed of the second.
pub(crate) fn is_handled(game: &Game, mail: &Incoming, hash: Hash) -> bool {
    [Some(hash), copies(mail)].into_iter().flatten().any(|key| game.secrets.handled.contains(&key))
}

/// What is the same in every copy of a mail: its Message-ID (RFC 5322, 3.6.4), what it answers, its writer and his words, or why they
/// cannot be told. `None` without a Message-ID.
pub(crate) fn copies(mail: &Incoming) -> Option<Hash> {
    let id = mail.message_id.as_deref()?;
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
