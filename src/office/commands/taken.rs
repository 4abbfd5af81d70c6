//! Deletion of raw mails whose storage period has ended.

use crate::{error::OfficeError, service::Office};
use postrider_store::{DAY, KeepMails};
use std::collections::BTreeMap;

/// The number of days that mails are kept after the end of their game with `keep_mails = "game"`,
/// so that doubts about its end can still be settled.
const AFTER: i64 = 30;

impl Office {
    /// Deletes mails that have been stored as long as the settings say, checking once a day.
    /// Returns their number.
    ///
    /// # Errors
    /// [`OfficeError::Store`] if they cannot be listed or deleted.
    pub fn sweep(&self) -> Result<usize, OfficeError> {
        let (store, keep) = (&self.services.store, self.services.host.settings.keep_mails);
        let now = self.services.now().timestamp();
        if keep == KeepMails::Always || !store.sweep_due(now)? {
            return Ok(0);
        }
        let games: BTreeMap<_, _> = store.listed()?.into_iter().map(|listed| (listed.game, listed.status)).collect();
        let mut removed = 0;
        for game in store.games_of_taken()? {
            let mails = store.taken(&game)?;
            let newest = mails.iter().map(|mail| mail.at).max().unwrap_or_default();
            let over = match games.get(&game) {
                None => true,
                // Unknown until the game is opened.
                Some(None) => false,
                Some(Some(status)) => status.closed,
            };
            for mail in mails {
                let gone = match keep {
                    KeepMails::Always => false,
                    KeepMails::Never => true,
                    KeepMails::Days(days) => mail.at + i64::from(days) * DAY <= now,
                    KeepMails::Game => over && newest + AFTER * DAY <= now,
                };
                if gone {
                    store.forget_taken(&game, &mail.hash)?;
                    removed += 1;
                }
            }
        }
        Ok(removed)
    }
}
