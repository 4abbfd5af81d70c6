//! Mails waiting in `mail/in`.

use crate::{
    admission::outcome::{Outcome, Processed},
    error::OfficeError,
    service::Office,
};
use postrider_mail::MaildirFault;
use postrider_store::StoreError;
use std::sync::Arc;

/// The number of consecutive times that the program may end while handling a mail before it is put
/// aside. Once may have been a power cut, or the host stopping it.
const MOST_ENDED: u64 = 2;

impl Office {
    /// Takes in all mails in `mail/in`, oldest name first, and removes them. A mail for a game that
    /// cannot be opened stays there and does not delay the others.
    ///
    /// # Errors
    /// As for [`Office::receive_waiting`]; mails not yet taken in stay there.
    pub fn receive_all(&mut self) -> Result<Vec<Processed>, OfficeError> {
        let mut all = Vec::new();
        for mail in self.services.store.inbox()? {
            all.extend(self.receive_waiting(&mail)?);
        }
        Ok(all)
    }

    /// Takes in one mail in `mail/in` and removes it; a mail for a game that cannot be opened
    /// stays. Returns `None` if another process has taken it in.
    ///
    /// # Errors
    /// Any [`OfficeError`] that does not concern one game alone; the mail stays there.
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
            // Only one game is affected.
            Err(why) if why.is_of_one_game() => {
                tracing::error!(%why, "a mail is kept and tried again");
                Ok(Some(Processed { game: None, seat: None, outcome: Outcome::Kept(why.to_string()) }))
            }
            Err(why) => Err(why),
        }
    }
}
