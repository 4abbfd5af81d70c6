//! Adding and removing spectators by the host.

use crate::{
    error::OfficeError,
    game::watching::{self, MOST_WATCHERS, name_of},
    misuse::Misuse,
    service::Office,
};
use postrider_mail::is_address;
use postrider_store::{Digest, Kept, Watcher, check_zone};

/// A new spectator.
#[derive(Clone, Debug, Default)]
pub struct NewWatcher {
    /// The mail address.
    pub address: String,
    /// The name; if `None`, the local part of the address.
    pub name: Option<String>,
    /// The frequency of letters; if `None`, unchanged, or daily for a new spectator.
    pub digest: Option<Digest>,
    /// The time zone for times in letters (IANA name).
    pub zone: Option<String>,
}

impl Office {
    /// Adds a spectator, who gets a letter at once and then as often as requested. For an existing
    /// spectator, changes the given settings.
    ///
    /// # Errors
    /// [`Misuse`] if the address is invalid or a player's, or if the game has too many spectators.
    pub fn watch(&mut self, game: &str, new: &NewWatcher) -> Result<(), OfficeError> {
        let address = new.address.to_ascii_lowercase();
        if !is_address(&address) || self.services.host.addresses.is_own(&address) {
            return Err(Misuse::NoAddress { address }.into());
        }
        if let Some(zone) = &new.zone {
            check_zone(zone)?;
        }
        self.change(game, |_, tx| {
            let game = tx.id.clone();
            if watching::is_player(tx, &address) {
                return Err(Misuse::PlaysIt { address, game }.into());
            }
            let known = tx.watcher(&address).cloned();
            if known.is_none() && tx.secrets.watchers.len() >= MOST_WATCHERS {
                return Err(Misuse::TooManyWatch { game, most: MOST_WATCHERS }.into());
            }
            let called = name_of(&address);
            let before = known.unwrap_or(Watcher { name: called, address, ..Watcher::default() });
            let watcher = Watcher {
                confirmed: true,
                // A director's name is fixed by the journal.
                name: new.name.clone().filter(|_| !before.director).unwrap_or(before.name),
                digest: new.digest.unwrap_or(before.digest),
                zone: new.zone.clone().or(before.zone),
                ..before
            };
            Ok(tx.keep(Kept::Watcher(watcher))?)
        })
    }

    /// Removes a spectator, without a letter.
    ///
    /// # Errors
    /// [`Misuse::NobodyWatches`] if there is no such spectator.
    pub fn unwatch(&mut self, game: &str, address: &str) -> Result<(), OfficeError> {
        self.change(game, |services, tx| {
            let Some(watcher) = tx.watcher(address).filter(|one| !one.director).cloned() else {
                return Err(Misuse::NobodyWatches { address: address.to_owned(), game: tx.id.clone() }.into());
            };
            services.store.forgive(&format!("{}.", watching::watch_names(tx, &watcher).0))?;
            Ok(tx.keep(Kept::Unwatched(watcher.address))?)
        })
    }
}
