//! A host's office: the games that are open in it.

use super::{
    environment::Environment,
    error::OfficeError,
    services::{Services, service_key},
    session::GameSession,
};
use crate::{
    journal::ReceiptKey,
    letters::Letters,
    replay::{Catalog, LiveGame},
    store::{Host, Outbox},
};
use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// A host's post office.
pub struct Office {
    pub(crate) services: Services,
    /// Games that are open, and so locked, until the office is dropped.
    sessions: BTreeMap<String, GameSession>,
}

impl Office {
    /// Opens the office of a host. `catalog` holds the rules that it knows; the owners' component files of the host's folder
    /// are added.
    ///
    /// # Errors
    /// [`OfficeError`] when settings, templates or the service's key cannot be read or made.
    pub fn open(host: Host, mut catalog: Catalog, mut environment: Environment) -> Result<Office, OfficeError> {
        host.make_folders()?;
        for text in host.own_components()? {
            catalog = catalog.with_components(text);
        }
        catalog = catalog.with_folder(host.journals());
        let key_seed = service_key(&host, &mut environment)?;
        let letters = Letters::load(&host)?;
        let outbox = Outbox::open(&host)?;
        let key = ReceiptKey::from_seed(&key_seed.0);
        let services = Services { host, catalog, key_seed, key, letters, outbox, environment };
        Ok(Office { services, sessions: BTreeMap::new() })
    }

    /// The host's folder.
    #[must_use]
    pub fn host(&self) -> &Host {
        &self.services.host
    }

    /// The clock and the randomness in use.
    pub fn environment(&mut self) -> &mut Environment {
        &mut self.services.environment
    }

    /// Puts a game on the desk, which makes good what a crash left undone.
    ///
    /// # Errors
    /// [`OfficeError`] when it cannot be opened.
    pub fn open_game(&mut self, game: &str) -> Result<&LiveGame, OfficeError> {
        self.with_session(game, |_, _| Ok(()))?;
        self.sessions.get(game).map(|session| &session.live).ok_or_else(|| OfficeError::NoGame(game.to_owned()))
    }

    /// How a game has ended, as the last letters tell it; empty while it is not over.
    ///
    /// # Errors
    /// [`OfficeError`] when it cannot be opened.
    pub fn outcome(&mut self, game: &str) -> Result<String, OfficeError> {
        self.with_session(game, |services, session| match &session.live.hosted {
            Some(hosted) if session.live.closed => {
                Ok(services.letters.ending(session.live.opened.ruleset, &**hosted, &session.seats)?)
            }
            _ => Ok(String::new()),
        })
    }

    /// Closes all games, so that other processes can have them.
    pub fn close_games(&mut self) {
        self.sessions.clear();
    }

    /// Works on a game. After any trouble the game is taken off the desk: the next one to open it reads what is really in
    /// the journal.
    pub(crate) fn with_session<T>(
        &mut self,
        game: &str,
        work: impl FnOnce(&mut Services, &mut GameSession) -> Result<T, OfficeError>,
    ) -> Result<T, OfficeError> {
        let mut session = match self.sessions.remove(game) {
            Some(session) => session,
            None => GameSession::open(&mut self.services, game)?,
        };
        let done = catch_unwind(AssertUnwindSafe(|| work(&mut self.services, &mut session))).map_err(|_| {
            OfficeError::Bug(format!("the rules of {game} broke down; it is rebuilt when it is next opened"))
        })??;
        self.sessions.insert(game.to_owned(), session);
        Ok(done)
    }
}
