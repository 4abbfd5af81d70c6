//! Mails waiting in `mail/in`.

use crate::{
    admission::outcome::{Outcome, Passing, Processed},
    error::OfficeError,
    service::Office,
};
use chrono::{DateTime, Utc};
use postrider_mailbox::MaildirFault;
use postrider_store::StoreError;
use std::sync::Arc;

/// The number of consecutive times that the program may end while handling a mail before it is put
/// aside. Once or twice may have been a power cut, or the host stopping it.
const MOST_ENDED: u64 = 3;

/// Returns the time at which a mail came in, by the name of its file: those of a Maildir begin with
/// the seconds since 1970 and a dot.
fn came_in(mail: &str) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp(mail.split_once('.')?.0.parse().ok()?, 0)
}

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

    /// Puts a mail that cannot be read aside, with those that cannot be handled. Returns `false` if
    /// that is not possible either.
    ///
    /// # Errors
    /// [`OfficeError::Store`] if moving it fails.
    pub fn set_aside(&self, mail: &str, why: &str) -> Result<bool, OfficeError> {
        tracing::error!(mail, why, "a mail that cannot be read is put into mail/poison");
        Ok(self.services.store.set_aside(mail, why)?)
    }

    /// Takes in one mail in `mail/in` and removes it; a mail for a game that cannot be opened
    /// stays. Returns `None` if another process has taken it in.
    ///
    /// # Errors
    /// Any [`OfficeError`] that does not concern one game alone; the mail stays there.
    pub fn receive_waiting(&mut self, mail: &str) -> Result<Option<Processed>, OfficeError> {
        let raw = match self.services.store.read(mail) {
            Err(StoreError::Maildir(MaildirFault::NotFound(_))) => return Ok(None),
            // A fault of this file alone, such as its permissions or a bad block.
            Err(why @ (StoreError::Io(_) | StoreError::Maildir(_) | StoreError::Unopened { .. })) => {
                tracing::error!(mail, %why, "a mail cannot be read and is tried again");
                let outcome = Outcome::Kept { fault: Passing::Mail, why: why.to_string() };
                return Ok(Some(Processed { game: None, seat: None, outcome }));
            }
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
        (self.services.came_in, self.services.failed) = (came_in(mail), None);
        let received = self.receive(&raw);
        if received.is_ok() {
            self.services.blame_mail(false);
        }
        (self.services.in_hand, self.services.came_in) = (None, None);
        match received {
            Ok(processed) => {
                let_go()?;
                self.services.store.taken_in(mail)?;
                Ok(Some(processed))
            }
            // Only one game is affected.
            Err(why) if why.is_of_one_game() => {
                tracing::error!(%why, "a mail is kept and tried again");
                let (fault, seat) = match &why {
                    OfficeError::Lookup { seat, .. } => (Passing::Lookup, *seat),
                    _ => (Passing::Game, None),
                };
                let outcome = Outcome::Kept { fault, why: why.to_string() };
                Ok(Some(Processed { game: self.services.failed.take(), seat, outcome }))
            }
            Err(why) => Err(why),
        }
    }
}
