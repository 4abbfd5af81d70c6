#![doc = include_str!("README.md")]

mod database;
#[cfg(any(test, feature = "testing"))]
pub mod faults;
mod lease;
mod mails;
mod prepare;
mod pulse;
mod seal;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
mod tls;
mod turn;
mod watch;

pub use self::{prepare::prepare, turn::PgTurn, watch::PgWatch};

use self::{
    database::{Connection, Database},
    lease::{Form, GameRow, PgLease, secret_place, status_place},
    seal::Sealer,
};
use super::{GameStatus, Games, Host, Index, Kept, KeptLines, Lease, Listed, Mark, Store, StoreError};
use postrider_dice::Hash;
use postrider_journal::{ReceiptKey, SecretsFault, is_game_id};
use postrider_replay::Source;
use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The maximum number of journals cached in memory.
const MOST_JOURNALS: usize = 32;

/// Games stored in a PostgreSQL database.
#[derive(Clone)]
pub struct PgStore {
    inner: Arc<Inner>,
}

/// The state shared by the store and its leases.
struct Inner {
    database: Database,
    sealer: Sealer,
    /// The journals read last, newest last. Lines never change, so a copy can only be too short.
    journals: Mutex<Vec<(String, JournalCopy)>>,
    /// The connection for taking in mails: as long as it exists, no one else takes the mails that
    /// it has claimed.
    main: Mutex<Option<Connection>>,
    /// The time for which a lease cannot be taken over, in seconds.
    term: f64,
}

/// The bytes of a journal, and the end of each line.
#[derive(Clone, Debug, Default)]
struct JournalCopy {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl JournalCopy {
    fn append(&mut self, lines: &[u8]) {
        let before = self.bytes.len();
        self.bytes.extend_from_slice(lines);
        self.ends.extend(lines.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| before + at + 1));
    }

    /// Returns the last `count` lines.
    fn last(&self, count: usize) -> Vec<Vec<u8>> {
        let first = self.ends.len().saturating_sub(count);
        (first..self.ends.len()).map(|at| self.bytes[self.start(at)..self.ends[at]].to_vec()).collect()
    }

    fn start(&self, line: usize) -> usize {
        line.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    /// Removes the last `count` lines.
    fn cut(&mut self, count: usize) {
        self.ends.truncate(self.ends.len().saturating_sub(count));
        self.bytes.truncate(self.ends.last().copied().unwrap_or(0));
    }

    fn source(&self) -> Source {
        Source::from(self.bytes.as_slice())
    }
}

/// Returns the address to enter for an item.
fn address_of(kept: &Kept) -> Option<&str> {
    match kept {
        Kept::Player(player) if player.by_mail() => Some(&player.address),
        Kept::AddressAsked(_, asked) => Some(&asked.address),
        Kept::Watcher(watcher) => Some(&watcher.address),
        _ => None,
    }
}

impl Inner {
    fn seal(&self, place: &str, open: &[u8]) -> Result<Vec<u8>, StoreError> {
        self.sealer.seal(place, open).map_err(|_| StoreError::Io(std::io::Error::other("the system has no randomness")))
    }

    fn open(&self, place: &str, sealed: &[u8]) -> Result<Vec<u8>, StoreError> {
        let unopened = |_| StoreError::Unopened { place: format!("{place} in {}", self.database.place()) };
        self.sealer.open(place, sealed).map_err(unopened)
    }

    fn lookup(&self, address: &str) -> Vec<u8> {
        self.sealer.lookup(&address.trim().to_ascii_lowercase())
    }

    fn journals(&self) -> MutexGuard<'_, Vec<(String, JournalCopy)>> {
        self.journals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, game: &str, journal: &JournalCopy) {
        let mut journals = self.journals();
        journals.retain(|(known, _)| known != game);
        if journals.len() >= MOST_JOURNALS {
            journals.remove(0);
        }
        journals.push((game.to_owned(), journal.clone()));
    }

    /// Returns the lines of a game up to those counted in its row.
    fn journal_of(&self, connection: &mut Connection, game: &str, row: &GameRow) -> Result<JournalCopy, StoreError> {
        let count = usize::try_from(row.lines).unwrap_or_default();
        let known = self.journals().iter().find(|(known, _)| known == game).map(|(_, journal)| journal.clone());
        let mut journal = known.filter(|journal| journal.ends.len() <= count).unwrap_or_default();
        if journal.ends.len() == count {
            return Ok(journal);
        }
        let from = i64::try_from(journal.ends.len()).unwrap_or(i64::MAX);
        let rows = connection.rows(
            "SELECT n, line FROM events WHERE game = $1 AND n >= $2 AND n < $3 ORDER BY n",
            &[&game, &from, &row.lines],
        )?;
        for (n, row) in (from..).zip(&rows) {
            if row.get::<_, i64>(0) != n {
                break;
            }
            journal.append(row.get::<_, &[u8]>(1));
        }
        if journal.ends.len() != count {
            let what = format!("{count} lines were written, and line {} is missing", journal.ends.len() + 1);
            return Err(postrider_journal::FileFault::Damaged { path: PathBuf::from(game), what }.into());
        }
        self.remember(game, &journal);
        Ok(journal)
    }

    /// Returns the secrets of a game, with the numbers of their rows. Rows that were erased are
    /// empty.
    fn secrets_of(&self, connection: &mut Connection, game: &str) -> Result<Vec<(i64, String)>, StoreError> {
        let rows =
            connection.rows("SELECT k, sealed FROM secrets WHERE game = $1 AND sealed <> '' ORDER BY k", &[&game])?;
        let one = |row: &postgres::Row| {
            let k: i64 = row.get(0);
            let open = self.open(&secret_place(game, k), row.get(1))?;
            let line = String::from_utf8(open).map_err(|_| damaged(game, k))?;
            Ok((k, line))
        };
        rows.iter().map(one).collect()
    }

    /// Returns the status of a game at its last release, from any release of the program.
    fn last_status(&self, game: &str, row: &GameRow) -> Option<Form> {
        serde_json::from_slice(&self.open(&status_place(game), row.status.as_deref()?).ok()?).ok()
    }

    /// Returns the same if this release of the program made it; another may have meant it
    /// differently.
    fn status_of(&self, game: &str, row: &GameRow) -> Option<GameStatus> {
        self.last_status(game, row).filter(Form::is_ours).map(Form::status)
    }

    /// Does idempotent work on the connection for taking in mails.
    fn on_main<T>(&self, mut work: impl FnMut(&mut Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut main = self.main.lock().unwrap_or_else(PoisonError::into_inner);
        let mut connection = match main.take().filter(|connection| !connection.is_closed()) {
            Some(connection) => connection,
            None => self.database.connection()?,
        };
        let done = match work(&mut connection) {
            Err(_) if connection.is_closed() => {
                connection = self.database.connection()?;
                work(&mut connection)
            }
            done => done,
        };
        if done.is_ok() {
            *main = Some(connection);
        }
        done
    }
}

fn damaged(game: &str, k: i64) -> StoreError {
    SecretsFault::Damaged { path: PathBuf::from(game), line: k.unsigned_abs() + 1 }.into()
}

impl PgStore {
    /// Opens the store named in a host's settings. Requires the service's signing key, which opens
    /// sealed data.
    ///
    /// # Errors
    /// Returns [`StoreError::Database`] or [`StoreError::Unsafe`] if the database cannot be reached
    /// or does not give the required guarantees, [`StoreError::Unprepared`] if it does not have the
    /// tables of this release, and [`StoreError::OtherHost`] if it belongs to another key or the
    /// host has none.
    pub fn open(host: &Host) -> Result<PgStore, StoreError> {
        PgStore::at(host, &host.settings.store)
    }

    /// Opens the store at another address.
    ///
    /// # Errors
    /// As [`PgStore::open`].
    pub fn at(host: &Host, address: &str) -> Result<PgStore, StoreError> {
        PgStore::with_term(host, address, lease::TERM)
    }

    /// Opens the store at an address; `term` is the time for which a lease cannot be taken over, in
    /// seconds.
    fn with_term(host: &Host, address: &str, term: f64) -> Result<PgStore, StoreError> {
        let database = Database::at(host, address)?;
        let mut connection = database.connection()?;
        prepare::check(&mut connection, database.place())?;
        let Some(seed) = host.service_seed()? else {
            return Err(StoreError::OtherHost { place: database.place().to_owned(), path: host.service_secrets() });
        };
        claim(&mut connection, host, database.place(), &seed)?;
        database.give_back(connection);
        let (journals, main) = (Mutex::new(Vec::new()), Mutex::new(None));
        Ok(PgStore { inner: Arc::new(Inner { database, sealer: Sealer::new(&seed), journals, main, term }) })
    }

    /// Returns the status in a game's row; `None` if it is unknown or out of date.
    ///
    /// # Errors
    /// Returns [`StoreError::Database`].
    pub fn status(&self, game: &str) -> Result<Option<GameStatus>, StoreError> {
        let row = self.inner.database.with(|connection| GameRow::read(connection, game))?;
        Ok(row.filter(GameRow::status_is_true).and_then(|row| self.inner.status_of(game, &row)))
    }

    pub(crate) fn as_store(&self) -> &dyn Store {
        self
    }

    pub(crate) fn boxed(self) -> Box<dyn Store> {
        Box::new(self)
    }

    /// Returns `true` if no host has used the database yet.
    ///
    /// # Errors
    /// As [`PgStore::open`].
    pub(crate) fn is_unclaimed(host: &Host) -> Result<bool, StoreError> {
        let database = Database::at(host, &host.settings.store)?;
        let mut connection = database.connection()?;
        prepare::check(&mut connection, database.place())?;
        Ok(connection.row("SELECT 1 FROM meta WHERE name = 'key'", &[])?.is_none())
    }
}

/// Checks that the database belongs to this host's key; the first host to use it claims it.
fn claim(connection: &mut Connection, host: &Host, place: &str, seed: &Hash) -> Result<(), StoreError> {
    let key = ReceiptKey::from_seed(&seed.0).public().to_string();
    connection.run("INSERT INTO meta (name, value) VALUES ('key', $1) ON CONFLICT DO NOTHING", &[&key])?;
    let known: Option<String> = connection.row("SELECT value FROM meta WHERE name = 'key'", &[])?.map(|row| row.get(0));
    match known == Some(key) {
        true => Ok(()),
        false => Err(StoreError::OtherHost { place: place.to_owned(), path: host.service_secrets() }),
    }
}

impl Games for PgStore {
    fn games(&self) -> Result<Vec<String>, StoreError> {
        let all =
            |connection: &mut Connection| connection.rows("SELECT game FROM games WHERE lines > 0 ORDER BY game", &[]);
        Ok(self.inner.database.with(all)?.iter().map(|row| row.get(0)).collect())
    }

    fn journal(&self, game: &str) -> Result<Option<Source>, StoreError> {
        self.inner.database.with(|connection| {
            let Some(row) = GameRow::read(connection, game)?.filter(|row| row.lines > 0) else { return Ok(None) };
            Ok(Some(self.inner.journal_of(connection, game, &row)?.source()))
        })
    }

    fn kept(&self, game: &str) -> Result<KeptLines, StoreError> {
        let rows = self.inner.database.with(|connection| self.inner.secrets_of(connection, game))?;
        Ok(KeptLines::of_lines(rows.into_iter().map(|(_, line)| line)))
    }

    fn mark(&self, game: &str) -> Result<Mark, StoreError> {
        let row = self.inner.database.with(|connection| GameRow::read(connection, game))?;
        Ok(row.map(|row| row.mark(game)).unwrap_or_default())
    }

    fn now(&self) -> Result<Option<i64>, StoreError> {
        let row = self
            .inner
            .database
            .with(|connection| connection.row("SELECT extract(epoch FROM clock_timestamp())::bigint", &[]))?;
        Ok(row.map(|row| row.get(0)))
    }

    fn create(&self, game: &str) -> Result<Box<dyn Lease>, StoreError> {
        let exists = || StoreError::Exists { game: game.to_owned() };
        self.inner.database.with(|connection| {
            connection.run("INSERT INTO games (game) VALUES ($1) ON CONFLICT DO NOTHING", &[&game])
        })?;
        match PgLease::take(&self.inner, game)? {
            Some(lease) if lease.head().is_none() => Ok(Box::new(lease)),
            _ => Err(exists()),
        }
    }

    fn lease(&self, game: &str, _: Option<&Mark>) -> Result<Option<Box<dyn Lease>>, StoreError> {
        if !is_game_id(game) {
            return Ok(None);
        }
        Ok(PgLease::take(&self.inner, game)?.map(|lease| Box::new(lease) as Box<dyn Lease>))
    }
}

impl Index for PgStore {
    fn listed(&self) -> Result<Vec<Listed>, StoreError> {
        let all = |connection: &mut Connection| {
            connection.rows(
                "SELECT game, CASE WHEN status_lines = lines AND status_changes = changes THEN status END FROM games \
                 WHERE lines > 0 ORDER BY game",
                &[],
            )
        };
        let one = |row: &postgres::Row| {
            let game: String = row.get(0);
            let found = GameRow { status: row.get(1), ..GameRow::default() };
            Listed { status: self.inner.status_of(&game, &found), game }
        };
        Ok(self.inner.database.with(all)?.iter().map(one).collect())
    }

    fn games_of(&self, address: &str) -> Result<Vec<String>, StoreError> {
        let key = self.inner.lookup(address);
        let all = |connection: &mut Connection| {
            connection.rows("SELECT game FROM players WHERE address = $1 ORDER BY game", &[&key])
        };
        Ok(self.inner.database.with(all)?.iter().map(|row| row.get(0)).collect())
    }

    fn remembered(&self, game: &str) -> Result<Option<(u64, Hash)>, StoreError> {
        let row = self.inner.database.with(|connection| GameRow::read(connection, game))?;
        let last = row.and_then(|row| self.inner.last_status(game, &row)).map(Form::status);
        Ok(last.and_then(|status| Some((status.lines.checked_sub(1)?, status.head?))))
    }

    fn leave(&self, game: &str, address: &str) -> Result<(), StoreError> {
        let key = self.inner.lookup(address);
        let gone = |connection: &mut Connection| {
            connection.run("DELETE FROM players WHERE address = $1 AND game = $2", &[&key, &game])
        };
        self.inner.database.with(gone).map(drop)
    }

    fn forget(&self) -> Result<(), StoreError> {
        // Addresses are entered in the same transaction as the secrets with them, so they are never
        // out of date.
        let gone = |connection: &mut Connection| {
            connection.run("UPDATE games SET status = NULL, status_lines = NULL, status_changes = NULL", &[])
        };
        self.inner.database.with(gone).map(drop)
    }
}
