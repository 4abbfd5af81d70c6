//! Where an answer to a game's page goes.

use crate::{error::OfficeError, service::Office};
use postrider_page::Answer;
use postrider_table::Seat;

impl Office {
    /// Where a seat's answer goes: the address and the subject that its next letter would ask for. `None` for a seat that is not
    /// played by mail.
    ///
    /// # Errors
    /// [`OfficeError`] when the game cannot be opened.
    pub fn answer_to(&mut self, game: &str, seat: Seat) -> Result<Option<Answer>, OfficeError> {
        self.look(game, |services, session| {
            if !session.seats.player(seat).is_some_and(postrider_store::Player::by_mail) {
                return Ok(None);
            }
            let first = session.questions(seat)?.first().map(|listed| listed.asked.id);
            let (number, token) = match first {
                Some(id) => (id, session.token(seat, id)),
                None => (0, session.letterbox(seat)),
            };
            let addresses = &services.host.addresses;
            let to = addresses.reply_address(game, number, &token);
            // Without sub-addressing the subject must carry the token.
            let tag = match to == addresses.plain() {
                true => addresses.subject_tag(game, number, &token),
                false => format!("[{game}]"),
            };
            Ok(Some(Answer { to, subject: format!("Re: {tag} orders") }))
        })
    }
}
