//! Letters to the host: messages from players.

use crate::{
    error::OfficeError,
    game::{Game, messages, story},
    post::watchers::{APPEAL_LINES, LAST},
    services::Services,
};
use postrider_dice::Hash;
use postrider_letters::{Block, Section, capital, text};
use postrider_store::{Message, OutgoingLetter, Party, Player};
use postrider_table::Seat;

/// Returns letters with the messages to the host whose senders have not been answered yet.
///
/// # Errors
/// [`OfficeError`] if the journal cannot be read.
pub(crate) fn letters(game: &Game, services: &Services) -> Result<Vec<(Player, OutgoingLetter)>, OfficeError> {
    let Some(address) = &services.host.settings.host_mail else { return Ok(Vec::new()) };
    let unanswered = |(n, message): &(u64, &Message)| match message.by {
        Party::Seat(seat) => game.secrets.written.get(&seat).is_none_or(|written| written.n < *n),
        Party::Host | Party::Directors => false,
    };
    let mine = |(_, message): &(u64, &Message)| message.to.contains(&Party::Host);
    let to = Player { seat: Seat(0), name: String::new(), address: address.clone(), salt: Hash::ZERO, zone: None };
    let letter = |(n, message): (u64, &Message)| {
        let is_appeal = game.live.motions.directors().is_appeal(n);
        let who = match is_appeal {
            true => format!("{} appeals", messages::party_in_words(&game.seats.at(n), message.by, Party::Host)),
            false => capital(&messages::who_to_whom(game, (n, message), Party::Host)),
        };
        let mut blocks = vec![Block::paragraph(format!("{who} (game {}, entry {n}):", game.id), 0)];
        blocks.push(messages::said(message));
        let back = match message.by {
            Party::Seat(seat) => format!(" --seat {seat}"),
            Party::Host | Party::Directors => String::new(),
        };
        let mut sections = vec![Section { blocks, ..Section::default() }];
        if is_appeal {
            sections.extend([Section::paragraph(LAST), story::entries(game, APPEAL_LINES)?]);
        }
        let ruling = match is_appeal {
            true => format!(" To rule on it: `postrider rule {} --answers {n} --reason \"…\"`.", game.id),
            false => String::new(),
        };
        let answer = format!("To answer: `postrider tell {}{back} \"…\"`.{ruling}", game.id);
        sections.push(Section::paragraph(answer));
        let letter = OutgoingLetter::plain(
            format!("{}.host.{n}.words", game.id),
            "words".to_owned(),
            format!("{who}, entry {n}"),
            text::render(&sections),
            services.now(),
        );
        Ok((to.clone(), letter))
    };
    game.messages().filter(mine).filter(unanswered).map(letter).collect()
}
