//! Who may watch a game, by the host's word.

use crate::{
    error::OfficeError,
    game::watching::{self, MOST_WATCHERS, name_of},
    misuse::Misuse,
    post::settle,
    service::Office,
};
use postrider_mail::is_address;
use postrider_store::{Digest, Kept, Watcher, check_zone};

/// Somebody who is to watch a game.
#[derive(Clone, Debug, Default)]
pub struct NewWatcher {
    /// His mail address.
    pub address: String,
    /// What he is called; the part of his address before the @ where he has no name.
    pub name: Option<String>,
    /// How often he is written to; as before, or once a day, where it is not said.
    pub digest: Option<Digest>,
    /// The time zone in which he reads times (IANA name).
    pub zone: Option<String>,
}

impl Office {
    /// Has somebody watch a game: he is written to at once, and then as often as he likes. Who watches already has what is said anew.
    ///
    /// # Errors
    /// [`Misuse`] for what is no address, an address of a player of the game, and a game that too many watch.
    pub fn watch(&mut self, game: &str, new: &NewWatcher) -> Result<(), OfficeError> {
        let address = new.address.to_ascii_lowercase();
        if !is_address(&address) || self.services.host.addresses.is_own(&address) {
            return Err(Misuse::NoAddress { address }.into());
        }
        if let Some(zone) = &new.zone {
            check_zone(zone)?;
        }
        self.change(game, |services, tx| {
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
                // The journal has a director's name.
                name: new.name.clone().filter(|_| !before.director).unwrap_or(before.name),
                digest: new.digest.unwrap_or(before.digest),
                zone: new.zone.clone().or(before.zone),
                ..before
            };
            tx.keep(Kept::Watcher(watcher))?;
            settle::settle(tx, services, None)
        })
    }

    /// Has somebody watch a game no longer. He is not written to about that.
    ///
    /// # Errors
    /// [`Misuse::NobodyWatches`] when he does not.
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
