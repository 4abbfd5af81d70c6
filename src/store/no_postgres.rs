//! In place of the database, in a program built without the feature `postgres`. It cannot be
//! opened.

use crate::{GameStatus, Host, Pulse, Queue, Store, StoreError};

/// A database that cannot be opened.
#[derive(Clone)]
pub enum PgStore {}

/// The turn for a task that one of several processes does for all.
pub enum PgTurn {}

/// A watch for new data in a queue.
pub enum PgWatch {}

fn absent<T>(host: &Host) -> Result<T, StoreError> {
    let why = "this program was built without PostgreSQL (Cargo's feature `postgres`)".to_owned();
    Err(host.wrong(why))
}

/// Prepares no tables.
///
/// # Errors
/// [`StoreError::Settings`], always.
pub fn prepare(host: &Host, _address: &str, _role: &str) -> Result<Vec<String>, StoreError> {
    absent(host)
}

impl PgStore {
    /// Returns the status of a game.
    ///
    /// # Errors
    /// None.
    pub fn status(&self, _game: &str) -> Result<Option<GameStatus>, StoreError> {
        match *self {}
    }

    /// Returns the number of rows of a game's secrets that are missing.
    ///
    /// # Errors
    /// None.
    pub fn missing_secrets(&self, _game: &str) -> Result<i64, StoreError> {
        match *self {}
    }

    pub(crate) fn at(host: &Host, _name: &str) -> Result<PgStore, StoreError> {
        absent(host)
    }

    pub(crate) fn is_unclaimed(host: &Host) -> Result<bool, StoreError> {
        absent(host)
    }

    pub(crate) fn as_store(&self) -> &dyn Store {
        match *self {}
    }

    pub(crate) fn boxed(self) -> Box<dyn Store> {
        match self {}
    }

    pub(crate) fn turn(&self, _what: &str) -> PgTurn {
        match *self {}
    }

    pub(crate) fn pulse(&self) -> Result<Pulse, StoreError> {
        match *self {}
    }

    pub(crate) fn watch(&self, _what: Queue) -> PgWatch {
        match *self {}
    }
}

impl PgTurn {
    /// Returns `true` if this process has the turn.
    ///
    /// # Errors
    /// None.
    pub fn is_ours(&mut self) -> Result<bool, StoreError> {
        match *self {}
    }
}

impl PgWatch {
    /// Returns `true` if there may be new data since the last call.
    pub fn changed(&mut self) -> bool {
        match *self {}
    }
}
