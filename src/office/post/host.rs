//! What players and host write to each other: who gets it, and how a letter shows it.
//!
//! A message is kept beside the journal, and a line of the journal commits to it: that something was said, and when, is public;
//! who said what to whom is known to its readers and the host. Whether a reader has had it follows from the number of that line
//! and the head of his last letter, so nothing else has to be kept in mind.

use crate::{error::OfficeError, game::messages, services::Services, transaction::Transaction};
use postrider_dice::Hash;
use postrider_journal::Head;
use postrider_letters::{Block, Section, capital, text};
use postrider_store::{Message, OutgoingLetter, Party, Player};
use postrider_table::Seat;

/// Sends the host what players have told him and have not been answered about yet. A letter that lies in the outbox already is not
/// written again.
pub(crate) fn write_to_host(tx: &mut Transaction, services: &Services, head: &Head) -> Result<(), OfficeError> {
    let Some(address) = &services.host.settings.host_mail else { return Ok(()) };
    let unanswered = |(n, message): &(u64, &Message)| match message.by {
        Party::Seat(seat) => tx.secrets.written.get(&seat).is_none_or(|written| written.n < *n),
        Party::Host => false,
    };
    let mine = |(_, message): &(u64, &Message)| message.to.contains(&Party::Host);
    let new: Vec<(u64, Message)> =
        tx.messages().filter(mine).filter(unanswered).map(|(n, message)| (n, message.clone())).collect();
    let to = Player { seat: Seat(0), name: String::new(), address: address.clone(), salt: Hash::ZERO, zone: None };
    for (n, message) in new {
        let who = capital(&messages::who_to_whom(tx, &message, Party::Host));
        let mut blocks = vec![Block::paragraph(format!("{who} (game {}, entry {n}):", tx.id), 0)];
        blocks.push(messages::said(&message));
        let back = match message.by {
            Party::Seat(seat) => format!(" --seat {seat}"),
            Party::Host => String::new(),
        };
        blocks.push(Block::paragraph(format!("To answer: `postrider tell {}{back} \"…\"`.", tx.id), 0));
        let letter = OutgoingLetter::plain(
            format!("{}.host.{n}.words", tx.id),
            "words".to_owned(),
            format!("{who}, entry {n}"),
            text::render(&[Section { blocks, ..Section::default() }]),
            services.environment.now(),
        );
        tx.send(services, head, &to, &letter)?;
    }
    Ok(())
}
