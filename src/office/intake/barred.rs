//! Whether the orders of a mail count now: by the letter that it answers, and by what is still asked.

use super::{Access, From};
use crate::{error::OfficeError, session::Game};
use postrider_orders::list_and;
use postrider_table::Seat;
use std::collections::BTreeSet;

impl Game {
    /// Whether a mail answers the newest letter that its writer has had.
    pub(super) fn answers_newest(&self, seat: Seat, from: &From<'_>, access: Access) -> bool {
        let From::Mail { mail, .. } = from else { return access == Access::Host };
        let newest = self.secrets.written.get(&seat).map_or(0, |written| written.n);
        let ids = mail.in_reply_to.iter().chain(mail.references.iter().rev());
        let start = format!("{}.{seat}.", self.id);
        let answered = { ids }.find_map(|id| id.strip_prefix(&start)?.split('.').next()?.parse::<u64>().ok());
        access != Access::Undone && answered.is_some_and(|n| n >= newest)
    }

    /// Whether answers ahead can be left although orders do not count now: the game goes on, nothing is asked of the seat or its player
    /// answers his newest letter, and that letter is not void.
    pub(super) fn may_leave(&mut self, seat: Seat, from: &From<'_>, access: Access) -> Result<bool, OfficeError> {
        let goes_on = self.secrets.abandoned.is_none() && !self.live.closed && self.live.started.is_some();
        let asked = self.asked()?.iter().any(|asked| asked.seat == seat);
        Ok(goes_on && access != Access::Undone && (!asked || self.answers_newest(seat, from, access)))
    }

    /// Why orders do not count now, if they do not.
    pub(super) fn barred(
        &mut self,
        seat: Seat,
        from: &From<'_>,
        access: Access,
    ) -> Result<Option<String>, OfficeError> {
        if self.secrets.abandoned.is_some() {
            return Ok(Some("The game is abandoned: no order was carried out.".to_owned()));
        }
        if self.live.closed {
            return Ok(Some("The game is over: no order was carried out.".to_owned()));
        }
        if self.live.started.is_none() {
            let what = "The game has not begun: no order was carried out.";
            return Ok(Some(match self.has_joined(seat) {
                true => format!("{what} {}", self.waiting()),
                false => format!("{what} To take your seat, answer with the one word `join` on a line of its own."),
            }));
        }
        let stale = match access {
            Access::Host => false,
            Access::Undone => {
                return Ok(Some(format!(
                    "No order was carried out: that letter is void, since {}. Please answer the newest letter, which may be \
                     this one.",
                    self.last_rewind()
                )));
            }
            Access::Letterbox => true,
            Access::Question(id) => !self.asked()?.iter().any(|asked| asked.seat == seat && asked.id == id),
        };
        // A mail that was carried out in part before a crash has closed its own question.
        let begun = matches!(from, From::Mail { hash, .. } if self.facts.mails.contains_key(hash));
        if !stale || begun {
            return Ok(None);
        }
        let asked = self.asked()?;
        if asked.iter().any(|asked| asked.seat == seat) {
            let why = "No order was carried out: what that letter asked is no longer open. Please answer the newest letter, \
                       which may be this one.";
            return Ok(Some(why.to_owned()));
        }
        let awaited = asked.iter().filter(|asked| asked.required).map(|asked| asked.seat);
        let awaited: BTreeSet<Seat> = awaited.collect();
        let names: Vec<&str> =
            awaited.iter().filter_map(|&seat| Some(self.seats.player(seat)?.name.as_str())).collect();
        Ok(Some(format!(
            "No order was carried out: nothing is asked of you now. The game waits for {}.",
            list_and(&names)
        )))
    }
}
