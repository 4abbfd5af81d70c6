//! Access to the database: its address, connections, and required guarantees.

use super::tls;
use crate::{Host, StoreError};
use postgres::{
    Client, Config, NoTls, Row, Statement, config::TargetSessionAttrs, fallible_iterator::FallibleIterator as _,
    types::ToSql,
};
use postrider_dice::Hash;
use std::{
    collections::HashMap,
    error::Error as _,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use tokio_postgres_rustls::MakeRustlsConnect;

/// The timeout for connecting to a server.
const CONNECT: Duration = Duration::from_secs(5);

/// The time without an answer, to data or to a keepalive probe, after which a connection is given
/// up.
const SILENCE: Duration = Duration::from_secs(15);

/// The time after which a connection is checked again for the guarantees that the settings require.
const ASK_AGAIN: Duration = if cfg!(test) { Duration::from_millis(50) } else { Duration::from_secs(5) };

/// The maximum number of idle connections.
const MOST_IDLE: usize = 4;

/// Parameters of a statement.
pub(super) type Given<'a> = &'a [&'a (dyn ToSql + Sync)];

/// A database, by its address.
pub(super) struct Database {
    config: Config,
    tls: Option<MakeRustlsConnect>,
    /// Its place in words, without a password.
    place: String,
    /// The number of standbys that must have a commit before it counts.
    standbys: u32,
    idle: Mutex<Vec<Connection>>,
}

/// A connection. It is dropped after a failure, and the server then rolls back its transaction.
pub(super) struct Connection {
    client: Client,
    statements: HashMap<&'static str, Statement>,
    place: String,
    /// The time of the last check of its server's guarantees.
    asked: Option<Instant>,
}

impl Connection {
    /// Runs a statement, with the faults that tests inject.
    fn through<T>(
        &mut self,
        work: impl FnOnce(&mut Connection) -> Result<T, postgres::Error>,
    ) -> Result<T, StoreError> {
        #[cfg(any(test, feature = "testing"))]
        super::faults::before(&mut self.client)?;
        let done = work(self).map_err(|why| fault(&self.place, &why))?;
        #[cfg(any(test, feature = "testing"))]
        super::faults::after(&mut self.client)?;
        Ok(done)
    }

    fn prepared(&mut self, sql: &'static str) -> Result<Statement, postgres::Error> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql)?;
        self.statements.insert(sql, statement.clone());
        Ok(statement)
    }

    /// Runs a statement and returns its rows.
    pub fn rows(&mut self, sql: &'static str, given: Given<'_>) -> Result<Vec<Row>, StoreError> {
        self.through(|own| own.prepared(sql).and_then(|statement| own.client.query(&statement, given)))
    }

    /// Runs a statement and returns its first row, if there is one.
    pub fn row(&mut self, sql: &'static str, given: Given<'_>) -> Result<Option<Row>, StoreError> {
        Ok(self.rows(sql, given)?.into_iter().next())
    }

    /// Runs a statement and returns the number of rows changed.
    pub fn run(&mut self, sql: &'static str, given: Given<'_>) -> Result<u64, StoreError> {
        self.through(|own| own.prepared(sql).and_then(|statement| own.client.execute(&statement, given)))
    }

    /// Runs statements without parameters.
    pub fn batch(&mut self, sql: &str) -> Result<(), StoreError> {
        self.through(|own| own.client.batch_execute(sql))
    }

    /// Returns `true` if the server has closed the connection, or it is broken.
    pub fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Returns `true` if a notification was received on a channel that it listens to.
    pub(crate) fn was_notified(&mut self) -> bool {
        let mut all = self.client.notifications();
        let mut heard = all.timeout_iter(Duration::ZERO);
        let mut notified = false;
        while let Ok(Some(_)) = heard.next() {
            notified = true;
        }
        notified
    }

    /// Returns the underlying client.
    pub fn client(&mut self) -> &mut Client {
        &mut self.client
    }
}

/// Wraps an error of the database.
pub(super) fn fault(place: &str, why: &postgres::Error) -> StoreError {
    StoreError::Database { place: place.to_owned(), why: words(why) }
}

fn words(why: &postgres::Error) -> String {
    if let Some(said) = why.as_db_error() {
        let detail = said.detail().map(|detail| format!(" ({detail})")).unwrap_or_default();
        return format!("{}{detail}", said.message());
    }
    let mut text = why.to_string();
    let mut source = why.source();
    while let Some(inner) = source {
        text += &format!(": {inner}");
        source = inner.source();
    }
    text
}

impl Database {
    /// Returns the database at an address, with the other settings of the host.
    ///
    /// # Errors
    /// Returns [`StoreError::Settings`] if the address or the certificate is invalid, or the
    /// password file or the certificate cannot be read.
    pub fn at(host: &Host, address: &str) -> Result<Database, StoreError> {
        let about = &host.settings.postgres;
        let wrong = |why: String| host.wrong(why);
        let (address, mode) = tls::mode_of(address).map_err(|why| wrong(format!("store: {why}")))?;
        let mut config: Config = address.parse().map_err(|why: postgres::Error| {
            wrong(format!("store: this is no address of a database: {}", words(&why)))
        })?;
        // A password in the address takes precedence: it belongs to another role, such as the
        // owner's.
        if config.get_password().is_none()
            && let Some(word) = host.password("postgres.password_file", about.password_file.as_deref())?
        {
            config.password(word);
        }
        let ca = about.ca.as_ref().map(|file| host.file_of("postgres.ca", file)).transpose()?;
        let tls = tls::apply(&mut config, mode, ca.as_deref()).map_err(wrong)?;
        config.target_session_attrs(TargetSessionAttrs::ReadWrite).connect_timeout(CONNECT);
        config
            .tcp_user_timeout(SILENCE)
            .keepalives_idle(SILENCE)
            .keepalives_interval(SILENCE / 3)
            .keepalives_retries(3);
        if config.get_application_name().is_none() {
            config.application_name("postrider");
        }
        let place = place(&config);
        Ok(Database { config, tls, place, standbys: about.standbys, idle: Mutex::new(Vec::new()) })
    }

    /// Returns its place in words, without a password.
    pub fn place(&self) -> &str {
        &self.place
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a connection for exclusive use.
    ///
    /// # Errors
    /// Returns [`StoreError::Database`] if no writable server can be reached, or
    /// [`StoreError::Unsafe`] if it does not give the guarantees that the settings require.
    pub fn connection(&self) -> Result<Connection, StoreError> {
        while let Some(connection) = { self.idle().pop() } {
            if let Some(connection) = self.still_promises(connection)? {
                return Ok(connection);
            }
        }
        let mut connection = self.bare()?;
        self.promises(&mut connection)?;
        Ok(connection)
    }

    /// Returns an idle connection if it is still open. Its server's guarantees may have changed, so
    /// they are checked again from time to time.
    fn still_promises(&self, mut connection: Connection) -> Result<Option<Connection>, StoreError> {
        if connection.is_closed() {
            return Ok(None);
        }
        if connection.asked.is_some_and(|at| at.elapsed() < ASK_AGAIN) {
            return Ok(Some(connection));
        }
        match self.promises(&mut connection) {
            Err(_) if connection.is_closed() => Ok(None),
            done => done.map(|()| Some(connection)),
        }
    }

    /// Returns a connection without checking the server's guarantees.
    ///
    /// # Errors
    /// Returns [`StoreError::Database`].
    pub fn bare(&self) -> Result<Connection, StoreError> {
        #[cfg(any(test, feature = "testing"))]
        super::faults::alive()?;
        let client = match &self.tls {
            Some(tls) => self.config.connect(tls.clone()),
            None => self.config.connect(NoTls),
        };
        let client = client.map_err(|why| {
            let why = words(&why);
            StoreError::Database { place: self.place.clone(), why: format!("{why}{}", tls::advice(&why)) }
        })?;
        Ok(Connection { client, statements: HashMap::new(), place: self.place.clone(), asked: None })
    }

    /// Returns an unused connection to the pool.
    pub(crate) fn give_back(&self, connection: Connection) {
        let mut idle = self.idle();
        if idle.len() < MOST_IDLE && !connection.is_closed() {
            idle.push(connection);
        }
    }

    /// Does idempotent work. If the connection turns out to be broken, the work is repeated once on
    /// a new one.
    ///
    /// # Errors
    /// Returns the error of `work` or of connecting.
    pub fn with<T>(&self, mut work: impl FnMut(&mut Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut connection = self.connection()?;
        let done = match work(&mut connection) {
            Err(_) if connection.is_closed() => {
                connection = self.connection()?;
                work(&mut connection)
            }
            done => done,
        };
        if done.is_ok() {
            self.give_back(connection);
        }
        done
    }

    /// Checks that a commit is as safe as the settings require.
    fn promises(&self, connection: &mut Connection) -> Result<(), StoreError> {
        let refused = |why: String| Err(StoreError::Unsafe { place: self.place.clone(), why });
        let Some(row) = connection.row(PROMISES, &[])? else {
            return refused("it does not say how it commits".to_owned());
        };
        connection.asked = Some(Instant::now());
        let (commit, names): (String, String) = (row.get(0), row.get(1));
        if commit == "off" || self.standbys > 0 && !matches!(commit.as_str(), "on" | "remote_apply") {
            return refused(format!(
                "synchronous_commit is {commit}, so a commit could be lost after players were told of it; set it to `on`"
            ));
        }
        let wanted = self.standbys;
        if wanted == 0 {
            return Ok(());
        }
        let promised = standbys_of(&names);
        if promised < wanted {
            return refused(format!(
                "a commit waits for {promised} standbys (synchronous_standby_names is \"{names}\"), and the settings promise {wanted}: \
                 name them there, or promise fewer with `standbys` under [postgres]"
            ));
        }
        match row.get::<_, Option<i64>>(2) {
            None => refused(
                "this role may not see which standbys follow: grant it pg_read_all_stats, as `postrider store prepare` does".to_owned(),
            ),
            Some(there) if there < i64::from(wanted) => {
                refused(format!("{there} synchronous standbys follow now, and the settings promise {wanted}: start them"))
            }
            Some(_) => Ok(()),
        }
    }
}

/// The query for the commit setting, the names of the synchronous standbys, and the number of those
/// connected.
const PROMISES: &str = "SELECT current_setting('synchronous_commit'), current_setting('synchronous_standby_names'), \
    CASE WHEN pg_has_role(current_user, 'pg_read_all_stats', 'USAGE') THEN \
    (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')) END";

/// Returns the number of standbys that a commit waits for according to `synchronous_standby_names`:
/// `FIRST 2 (a, b, c)`, `ANY 1 (a, b)`, `2 (a, b)`, or a plain list, which means one.
fn standbys_of(names: &str) -> u32 {
    let upper = names.trim().to_ascii_uppercase();
    let rest = ["FIRST", "ANY"].iter().find_map(|word| upper.strip_prefix(word)).unwrap_or(&upper).trim_start();
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    match (digits.parse(), rest[digits.len()..].trim_start().starts_with('(')) {
        (Ok(count), true) => count,
        _ => u32::from(!upper.is_empty()),
    }
}

/// Describes the place of a database for readers.
fn place(config: &Config) -> String {
    use postgres::config::Host as Server;
    let name = |host: &Server| match host {
        Server::Tcp(name) => name.clone(),
        Server::Unix(path) => path.display().to_string(),
    };
    let hosts: Vec<String> = config.get_hosts().iter().map(name).collect();
    let ports = config.get_ports();
    let one = |(at, host): (usize, &String)| match ports.get(at).or(ports.first()) {
        Some(port) => format!("{host}:{port}"),
        None => host.clone(),
    };
    let servers: Vec<String> = hosts.iter().enumerate().map(one).collect();
    let database = config.get_dbname().or(config.get_user()).unwrap_or("postgres");
    format!("{database} at {}", servers.join(", "))
}

/// Returns the hash in a column.
pub(super) fn hash_of(row: &Row, at: usize) -> Option<Hash> {
    row.get::<_, Option<&[u8]>>(at).and_then(|bytes| Some(Hash(bytes.try_into().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_read_for_how_many_standbys_a_commit_waits() {
        for (names, count) in [
            ("", 0),
            ("standby", 1),
            ("a, b", 1),
            ("*", 1),
            ("FIRST 2 (a, b, c)", 2),
            ("first 2(a,b)", 2),
            ("ANY 3 (*)", 3),
            ("2 (a, b)", 2),
            ("2nd", 1),
        ] {
            assert_eq!(standbys_of(names), count, "{names}");
        }
    }

    #[test]
    fn a_password_in_the_address_is_that_of_its_own_role() {
        let folder = tempfile::tempdir().unwrap();
        fs_err::write(folder.path().join("word"), "of the file\nand no more\n").unwrap();
        fs_err::write(folder.path().join(crate::SETTINGS), "[postgres]\npassword_file = \"word\"\n").unwrap();
        let host = Host::open(folder.path()).unwrap();
        let of = |address: &str| {
            let database = Database::at(&host, address).unwrap();
            String::from_utf8(database.config.get_password().unwrap().to_vec()).unwrap()
        };
        assert_eq!(of("postgres://postrider@db.example.org/postrider?sslmode=disable"), "of the file");
        assert_eq!(of("postgres://owner:own@db.example.org/postrider?sslmode=disable"), "own");
    }

    #[test]
    fn a_place_is_told_without_its_password() {
        let config: Config = "postgres://me:secret@db.example:5433,%2Frun%2Fpg:5434/games".parse().unwrap();
        assert_eq!(place(&config), "games at db.example:5433, /run/pg:5434");
    }
}
