//! A game that ends without an end by its rules: nobody came, or too many have left.

use crate::{commands::rewind::one_line, error::OfficeError, misuse::Misuse, post::settle, service::Office};
use postrider_journal::{Body, Json, Ruling};
use postrider_store::Kept;

impl Office {
    /// Ends a game for ever, begun or not. Its journal says so in a ruling, all who were invited are written to, and nothing is asked
    /// any more. What is hidden stays so: no secret is laid open but standing orders.
    ///
    /// # Errors
    /// [`Misuse::Over`] for a game that is over; [`Misuse::NotOneLine`] for a reason that is none.
    pub fn abandon(&mut self, game: &str, by: &str, reason: &str) -> Result<(), OfficeError> {
        let (by, reason) = (one_line("the name of who decides", by)?, one_line("a reason", reason)?);
        self.change(game, |services, tx| {
            if tx.live.closed {
                return Err(Misuse::Over { game: game.to_owned() }.into());
            }
            let text = format!("The game is abandoned: {reason}");
            let ruling = Ruling { by: by.into(), text: text.into(), effect: Json::empty() };
            match tx.live.dyn_game.is_some() {
                true => _ = tx.rule(services, ruling)?,
                false => _ = tx.line(services, &Body::Ruling(ruling))?,
            }
            tx.append(None)?;
            tx.keep(Kept::Abandoned(reason))?;
            tx.live.closed = true;
            settle::settle(tx, services, None)
        })
    }
}
