//! The host's part in what is written between players: he writes, he reads what he is told, he takes away.

use crate::{
    error::OfficeError,
    game::{
        Game,
        messages::{self, NewMessage},
    },
    misuse::Misuse,
    post::settle,
    service::Office,
    transaction::saying,
};
use postrider_store::{Message, Party};
use postrider_table::Seat;
use serde::Serialize;

/// A message as it is listed.
#[derive(Clone, Debug, Serialize)]
pub struct MessageShown {
    /// n of the journal's entry that commits to it.
    pub entry: u64,
    /// Who wrote it: a seat, or `host`.
    pub from: String,
    /// Whether its readers are not told who.
    pub anonymous: bool,
    /// Who reads it: seats, and `host`.
    pub to: Vec<String>,
    /// Who to whom, in words.
    pub told: String,
    /// What it says.
    pub text: String,
}

/// Whose messages are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessagesOf {
    /// What the host wrote or was told.
    Host,
    /// What a seat wrote or was told, as that player sees it.
    Seat(Seat),
    /// All.
    All,
}

impl Office {
    /// The host writes to seats, or to all where none is named.
    ///
    /// # Errors
    /// [`OfficeError`]; nobody was told anything then.
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
            settle::settle(tx, services, None)
        })
    }

    /// Takes the message of an entry away for ever, and the mail it came with. The entry stays, and proves that something was said.
    ///
    /// # Errors
    /// [`Misuse::NoMessage`] when there is none; [`OfficeError`] when it cannot be taken away.
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
        told: messages::who_to_whom(game, message, reader),
        text: message.text.clone(),
    }
}
