//! The host's commands for messages between players: write, read and delete.

use crate::{
    error::OfficeError,
    game::{
        Game,
        messages::{self, NewMessage},
    },
    misuse::Misuse,
    service::Office,
    transaction::saying,
};
use postrider_store::{Message, Party};
use postrider_table::Seat;
use serde::Serialize;

/// A listed message.
#[derive(Clone, Debug, Serialize)]
pub struct MessageShown {
    /// The `n` of the journal's entry that commits to it.
    pub entry: u64,
    /// The author: a seat, or `host`.
    pub from: String,
    /// `true` if its readers do not learn the author.
    pub anonymous: bool,
    /// The readers: seats, and `host`.
    pub to: Vec<String>,
    /// The author and readers in words.
    pub told: String,
    /// The text.
    pub text: String,
}

/// The messages to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessagesOf {
    /// Those that the host wrote or received.
    Host,
    /// Those that a seat wrote or received, as its player sees them.
    Seat(Seat),
    /// All messages.
    All,
}

impl Office {
    /// Sends a message from the host to seats, or to all seats if `to` is empty.
    ///
    /// # Errors
    /// [`OfficeError`]; no message was sent then.
    pub fn tell(&mut self, game: &str, to: &[Seat], text: &str) -> Result<(), OfficeError> {
        self.change(game, |services, tx| {
            let seats = tx.live.opened.seats.len();
            if let Some(seat) = to.iter().find(|seat| seat.index() >= seats) {
                return Err(Misuse::NoSeat { seat: seat.to_string(), game: game.to_owned() }.into());
            }
            if text.trim().is_empty() {
                return Err(Misuse::EmptyMessage.into());
            }
            let mut to: Vec<Party> = match to.is_empty() {
                true => tx.seats.players.iter().map(|player| Party::Seat(player.seat)).collect(),
                false => to.iter().copied().map(Party::Seat).collect(),
            };
            to.sort_unstable();
            to.dedup();
            let text = text.lines().map(str::trim).collect::<Vec<_>>().join("\n");
            saying::say(tx, services, NewMessage { by: Party::Host, anonymous: false, to, text, mail: None })?;
            Ok(())
        })
    }

    /// Deletes the message of an entry, and the mail that contained it. The entry remains and
    /// proves that there was a message.
    ///
    /// # Errors
    /// [`Misuse::NoMessage`] if there is none; [`OfficeError`] if it cannot be deleted.
    pub fn forget_message(&mut self, game: &str, entry: u64) -> Result<(), OfficeError> {
        self.change(game, |services, tx| match saying::forget_message(tx, services, entry)? {
            true => Ok(()),
            false => Err(Misuse::NoMessage { entry, game: game.to_owned() }.into()),
        })
    }
}

pub(crate) fn shown(game: &Game, (entry, message): (u64, &Message), of: MessagesOf) -> MessageShown {
    let (reader, hidden) = match of {
        MessagesOf::Seat(seat) => (Party::Seat(seat), message.anonymous && message.by != Party::Seat(seat)),
        MessagesOf::Host | MessagesOf::All => (Party::Host, false),
    };
    MessageShown {
        entry,
        from: if hidden { String::new() } else { message.by.to_string() },
        anonymous: message.anonymous,
        to: message.to.iter().map(Party::to_string).collect(),
        told: messages::who_to_whom(game, (entry, message), reader),
        text: message.text.clone(),
    }
}
