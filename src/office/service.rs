//! The open games of a host.

use crate::{
    bug::Bug,
    carry_out::delay::take_waiting,
    environment::Environment,
    error::OfficeError,
    game::Game,
    machine_clock::MailDates,
    post::settle::{finish, settle},
    services::{Services, open_store, service_key},
    transaction::Transaction,
};
use postrider_journal::ReceiptKey;
use postrider_letters::Letters;
use postrider_mail::KeyLookup;
use postrider_replay::{Catalog, LiveGame};
use postrider_store::{Host, Listed, Store};
use std::{
    cell::Cell,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// The maximum total number of entries of the games kept in memory: about 256 games of usual
/// length, 100 MB.
const MOST_ENTRIES: usize = 256 * 1_000;

/// A host's post office.
pub struct Office {
    pub(crate) services: Services,
    /// Games that were read. None of them is leased between commands.
    games: Recent<Game>,
}

/// Recently used values by name, each with its weight. If the weights exceed [`MOST_ENTRIES`] in
/// total, the least recently used values are dropped.
struct Recent<T>(Vec<(String, T, usize)>);

impl<T> Recent<T> {
    fn get(&self, name: &str) -> Option<&T> {
        self.0.iter().find(|(known, ..)| known == name).map(|(_, one, _)| one)
    }
    fn take(&mut self, name: &str) -> Option<T> {
        let at = self.0.iter().position(|(known, ..)| known == name)?;
        Some(self.0.remove(at).1)
    }
    fn keep(&mut self, name: String, one: T, weight: usize) {
        self.take(&name);
        self.0.push((name, one, weight));
        let mut all: usize = self.0.iter().map(|(.., weight)| weight).sum();
        while all > MOST_ENTRIES && self.0.len() > 1 {
            all -= self.0.remove(0).2;
        }
    }
}

impl Office {
    /// Opens the office of a host, with the games where the host's settings say. `catalog` contains
    /// the known rulesets; component files in the host's folder are added.
    ///
    /// # Errors
    /// [`OfficeError`] if settings, templates or the service's key cannot be read or made.
    pub fn open(host: Host, catalog: Catalog, environment: Environment) -> Result<Office, OfficeError> {
        let mut environment = environment;
        let store = open_store(&host, &mut environment)?;
        let catalog = store.shelf(catalog);
        Office::with_store(store.boxed(), host, catalog, environment)
    }

    /// Opens an office like [`Office::open`], but with games in the given store. Settings,
    /// templates, component files and the service's key stay in the host's folder.
    ///
    /// # Errors
    /// As for [`Office::open`].
    pub fn with_store(
        store: Box<dyn Store>,
        host: Host,
        mut catalog: Catalog,
        mut environment: Environment,
    ) -> Result<Office, OfficeError> {
        host.make_folders()?;
        for text in host.own_components()? {
            catalog = catalog.with_components(text);
        }
        catalog = catalog.with_folder(host.journals());
        let key_seed = service_key(&host, &mut environment)?;
        let letters = Letters::load(&host)?;
        let mail_dates = MailDates::kept(&host);
        let key = ReceiptKey::from_seed(&key_seed.0);
        let services = Services {
            host,
            store,
            catalog,
            key_seed,
            key,
            letters,
            environment,
            keys: None,
            created: Vec::new(),
            in_hand: None,
            came_in: None,
            failed: None,
            moment: Cell::new(None),
            mail_dates,
            clock_doubted: None,
        };
        Ok(Office { services, games: Recent(Vec::new()) })
    }

    /// Returns the host's folder.
    #[must_use]
    pub fn host(&self) -> &Host {
        &self.services.host
    }

    /// Returns the clock and the source of randomness.
    pub fn environment(&mut self) -> &mut Environment {
        &mut self.services.environment
    }

    /// Replaces DNS as the source of the keys by which signatures of mails are checked.
    pub fn look_up_by(&mut self, keys: Box<dyn KeyLookup>) {
        self.services.keys = Some(keys);
    }

    /// Returns the store of the games.
    #[must_use]
    pub fn store(&self) -> &dyn Store {
        &*self.services.store
    }

    /// Opens a game and completes any work that a crash interrupted.
    ///
    /// # Errors
    /// [`OfficeError`] if it cannot be opened.
    pub fn open_game(&mut self, game: &str) -> Result<&LiveGame, OfficeError> {
        self.change(game, |_, _| Ok(()))?;
        self.games.get(game).map(|read| &read.live).ok_or_else(|| OfficeError::NoGame(game.to_owned()))
    }

    /// Returns the games that need work now: those with a due deadline or reminder, and those that
    /// an interrupted program left unfinished. Opens no game.
    ///
    /// # Errors
    /// [`OfficeError::Store`] if the games cannot be listed.
    pub fn due(&self) -> Result<Vec<String>, OfficeError> {
        let now = self.services.time()?.timestamp();
        let is_due = |listed: &Listed| match &listed.status {
            None => true,
            Some(status) => status.due.is_some_and(|due| due <= now),
        };
        Ok(self.services.store.listed()?.into_iter().filter(is_due).map(|listed| listed.game).collect())
    }

    /// Closes all open games, so that they are read from the store again.
    pub fn close_games(&mut self) {
        self.games.0.clear();
    }

    /// Changes a game, holding its lease meanwhile. After an error the game is closed, and the next
    /// command reads the data that are really stored.
    pub(crate) fn change<T>(
        &mut self,
        game: &str,
        work: impl FnOnce(&mut Services, &mut Transaction) -> Result<T, OfficeError>,
    ) -> Result<T, OfficeError> {
        let done = self.command(|office| office.changed(game, work));
        if done.is_err() {
            self.services.failed = Some(game.to_owned());
        }
        done
    }

    /// Does work that sets the time of a command, and forgets that time.
    pub(crate) fn command<T>(
        &mut self,
        work: impl FnOnce(&mut Office) -> Result<T, OfficeError>,
    ) -> Result<T, OfficeError> {
        let done = work(self);
        self.services.moment.set(None);
        done
    }

    fn changed<T>(
        &mut self,
        game: &str,
        work: impl FnOnce(&mut Services, &mut Transaction) -> Result<T, OfficeError>,
    ) -> Result<T, OfficeError> {
        let services = &mut self.services;
        // Errors in reading a game or in writing to the disk are not a mail's fault.
        services.blame_mail(false);
        let mut tx = Transaction::begin(services, game, self.games.take(game))?;
        if !tx.settled {
            tx = finish(tx, services)?.go_on();
            tx.settled = true;
        }
        tx.is_caused_by(services.in_hand.as_ref());
        services.blame_mail(true);
        let (done, committed) = guarded(game, || {
            while take_waiting(&mut tx, services)? {
                tx = settle(tx, services)?.go_on();
            }
            let done = work(services, &mut tx)?;
            Ok((done, settle(tx, services)?))
        })?;
        services.blame_mail(false);
        let changed = committed.release(services)?;
        services.blame_mail(true);
        let entries = changed.facts.hashes.len();
        self.games.keep(game.to_owned(), changed, entries);
        // Their invitations are written.
        for created in std::mem::take(&mut self.services.created) {
            self.open_game(&created)?;
        }
        Ok(done)
    }

    /// Tries a change of a game without writing anything or taking its lease.
    pub(crate) fn dry_run<T>(
        &mut self,
        game: &str,
        work: impl FnOnce(&mut Services, &mut Transaction) -> Result<T, OfficeError>,
    ) -> Result<T, OfficeError> {
        let services = &mut self.services;
        services.blame_mail(false);
        let mut transaction = Transaction::dry_run(Game::look(services, game, self.games.take(game))?);
        services.moment.set(Some(services.time()?));
        services.blame_mail(true);
        let tried = guarded(game, || work(services, &mut transaction));
        services.moment.set(None);
        tried
    }

    /// Reads a game without writing anything or taking its lease.
    pub(crate) fn look<T>(
        &mut self,
        game: &str,
        look: impl FnOnce(&mut Services, &Game) -> Result<T, OfficeError>,
    ) -> Result<T, OfficeError> {
        let services = &mut self.services;
        services.blame_mail(false);
        let read = Game::look(services, game, self.games.take(game))?;
        services.moment.set(Some(services.time()?));
        services.blame_mail(true);
        let seen = guarded(game, || look(services, &read));
        services.moment.set(None);
        let seen = seen?;
        let entries = read.facts.hashes.len();
        self.games.keep(game.to_owned(), read, entries);
        Ok(seen)
    }
}

/// Calls `work`, which may run rules, and returns a panic of theirs as an error.
fn guarded<T>(game: &str, work: impl FnOnce() -> Result<T, OfficeError>) -> Result<T, OfficeError> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| Bug::RulesBrokeDown { game: game.to_owned() })?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_longest_ago_goes_first() {
        let mut recent = Recent(Vec::new());
        let half = MOST_ENTRIES / 2;
        recent.keep("a".to_owned(), 1, half);
        recent.keep("b".to_owned(), 2, half);
        // Using the first value again protects it.
        assert_eq!(recent.take("a"), Some(1));
        recent.keep("a".to_owned(), 1, half);
        recent.keep("c".to_owned(), 3, 1);
        assert_eq!((recent.get("a"), recent.get("b"), recent.get("c")), (Some(&1), None, Some(&3)));
        // A value that alone exceeds the limit is kept as long as it is the most recent.
        recent.keep("d".to_owned(), 4, MOST_ENTRIES + 1);
        assert_eq!((recent.get("d"), recent.0.len()), (Some(&4), 1));
    }
}
