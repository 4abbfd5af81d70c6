//! Mails that wait in `mail/in`.

use crate::{
    admission::outcome::{Outcome, Processed},
    error::OfficeError,
    service::Office,
};
use postrider_mail::MaildirFault;
use postrider_store::StoreError;
use std::sync::Arc;

/// A mail over which the program ended so often in a row is put aside: once may have been a power cut, or the host who ended it.
const MOST_ENDED: u64 = 2;

impl Office {
    /// Takes in everything that lies in `mail/in`, oldest name first. What was taken in is removed; a mail for a game that cannot
    /// be opened stays, and keeps no other mail waiting.
    ///
    /// # Errors
    /// As [`Office::receive_waiting`]; what was not taken in still lies there.
    pub fn receive_all(&mut self) -> Result<Vec<Processed>, OfficeError> {
        let mut all = Vec::new();
        for mail in self.services.store.inbox()? {
            all.extend(self.receive_waiting(&mail)?);
        }
        Ok(all)
    }

    /// Takes in one mail of those that lie in `mail/in`, and removes it; one for a game that cannot be opened stays. `None` where
    /// somebody else has taken it in.
    ///
    /// # Errors
    /// Any [`OfficeError`] that is not about one game alone; the mail still lies there.
    pub fn receive_waiting(&mut self, mail: &str) -> Result<Option<Processed>, OfficeError> {
        let raw = match self.services.store.read(mail) {
            Err(StoreError::Maildir(MaildirFault::NotFound(_))) => return Ok(None),
            read => read?,
        };
        let held = self.services.host.in_hand(mail)?.map(Arc::new);
        let let_go = || held.as_ref().map_or(Ok(()), |held| held.let_go());
        if let Some(ended) = held.as_ref().map(|held| held.ended).filter(|ended| *ended >= MOST_ENDED) {
            let why = format!("{ended} times the program ended while it read this mail; it is not read again");
            tracing::error!(mail, ended, "a mail over which the program ended again and again is put into mail/poison");
            self.services.store.poison(&raw, &why)?;
            self.services.store.taken_in(mail)?;
            let_go()?;
            return Ok(Some(Processed { game: None, seat: None, outcome: Outcome::Poison(why) }));
        }
        self.services.in_hand.clone_from(&held);
        let received = self.receive(&raw);
        if received.is_ok() {
            self.services.blame_mail(false);
        }
        self.services.in_hand = None;
        match received {
            Ok(processed) => {
                let_go()?;
                self.services.store.taken_in(mail)?;
                Ok(Some(processed))
            }
            // What is wrong with one game alone.
            Err(why) if why.is_of_one_game() => {
                tracing::error!(%why, "a mail is kept and tried again");
                Ok(Some(Processed { game: None, seat: None, outcome: Outcome::Kept(why.to_string()) }))
            }
            Err(why) => Err(why),
        }
    }
}
