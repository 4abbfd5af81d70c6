//! The way to the database: its address, connections, and what it must promise.

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

/// So long a server is waited for until it answers.
const CONNECT: Duration = Duration::from_secs(5);

/// After so long without an answer to what was sent, or to a question whether it is there, a connection is given up.
const SILENCE: Duration = Duration::from_secs(15);

/// After so long it is asked again whether a connection's server still promises what the settings want.
const ASK_AGAIN: Duration = if cfg!(test) { Duration::from_millis(50) } else { Duration::from_secs(5) };

/// So many connections are kept for the next who wants one.
const MOST_IDLE: usize = 4;

/// Parameters of a statement.
pub(super) type Given<'a> = &'a [&'a (dyn ToSql + Sync)];

/// A database, by its address.
pub(super) struct Database {
    config: Config,
    tls: Option<MakeRustlsConnect>,
    /// Where it is, without a password.
    place: String,
    /// So many standbys have a commit before it counts.
    standbys: u32,
    idle: Mutex<Vec<Connection>>,
}

/// A connection. One that failed is thrown away, and what it had begun is undone by the server.
pub(super) struct Connection {
    client: Client,
    statements: HashMap<&'static str, Statement>,
    place: String,
    /// When its server was last asked what it promises.
    asked: Option<Instant>,
}

impl Connection {
    /// Runs something as every statement is run.
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

    /// The rows of a statement.
    pub fn rows(&mut self, sql: &'static str, given: Given<'_>) -> Result<Vec<Row>, StoreError> {
        self.through(|own| own.prepared(sql).and_then(|statement| own.client.query(&statement, given)))
    }

    /// Its only row, if there is one.
    pub fn row(&mut self, sql: &'static str, given: Given<'_>) -> Result<Option<Row>, StoreError> {
        Ok(self.rows(sql, given)?.into_iter().next())
    }

    /// Runs a statement; says how many rows it changed.
    pub fn run(&mut self, sql: &'static str, given: Given<'_>) -> Result<u64, StoreError> {
        self.through(|own| own.prepared(sql).and_then(|statement| own.client.execute(&statement, given)))
    }

    /// Runs statements without parameters.
    pub fn batch(&mut self, sql: &str) -> Result<(), StoreError> {
        self.through(|own| own.client.batch_execute(sql))
    }

    /// Whether the server has ended it, or the way there is broken.
    pub fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Whether a notification has come for which it listens.
    pub fn was_notified(&mut self) -> bool {
        let mut all = self.client.notifications();
        let mut heard = all.timeout_iter(Duration::ZERO);
        let mut notified = false;
        while let Ok(Some(_)) = heard.next() {
            notified = true;
        }
        notified
    }

    /// The connection itself.
    pub fn client(&mut self) -> &mut Client {
        &mut self.client
    }
}

/// What the database says.
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
    /// The database at an address, for the rest by the host's settings.
    ///
    /// # Errors
    /// [`StoreError::Settings`] when the address, the password file or the certificate makes no sense.
    pub fn at(host: &Host, address: &str) -> Result<Database, StoreError> {
        let about = &host.settings.postgres;
        let wrong = |why: String| StoreError::Settings { path: host.settings_path(), why };
        let (address, mode) = tls::mode_of(address).map_err(|why| wrong(format!("store: {why}")))?;
        let mut config: Config = address.parse().map_err(|why: postgres::Error| {
            wrong(format!("store: this is no address of a database: {}", words(&why)))
        })?;
        // A password in the address is that of its own role, as that of the owner.
        if let Some(file) = &about.password_file
            && config.get_password().is_none()
        {
            let text = fs_err::read_to_string(host.root().join(file))?;
            config.password(text.lines().next().unwrap_or_default());
        }
        let ca = about.ca.as_ref().map(|file| fs_err::read(host.root().join(file))).transpose()?;
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

    /// Where it is, without a password.
    pub fn place(&self) -> &str {
        &self.place
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A connection that nobody else uses.
    ///
    /// # Errors
    /// [`StoreError::Database`] when there is no server that can be written to, or it does not promise what the settings want.
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

    /// A connection that was kept, if it is still there. What it promised may have changed since.
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

    /// A connection of which nothing is asked.
    ///
    /// # Errors
    /// [`StoreError::Database`].
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

    /// Keeps a connection, on which nothing is going on, for the next.
    pub fn give_back(&self, connection: Connection) {
        let mut idle = self.idle();
        if idle.len() < MOST_IDLE && !connection.is_closed() {
            idle.push(connection);
        }
    }

    /// Does something that does no harm when it is done twice. A connection that turns out to be broken is replaced once.
    ///
    /// # Errors
    /// What `work` says, or that there is no connection.
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

    /// Sees that a commit is as safe as the settings say.
    fn promises(&self, connection: &mut Connection) -> Result<(), StoreError> {
        let refused = |why: String| Err(StoreError::Unsafe { place: self.place.clone(), why });
        let Some(row) = connection.row(PROMISES, &[])? else {
            return refused("it does not say how it commits".to_owned());
        };
        connection.asked = Some(Instant::now());
        let (commit, names): (String, String) = (row.get(0), row.get(1));
        if commit == "off" || self.standbys > 0 && !matches!(commit.as_str(), "on" | "remote_apply") {
            return refused(format!(
                "synchronous_commit is {commit}, so that a commit may be lost after players were told of it; have it `on`"
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

/// How a commit is made safe here, and by how many.
const PROMISES: &str = "SELECT current_setting('synchronous_commit'), current_setting('synchronous_standby_names'), \
    CASE WHEN pg_has_role(current_user, 'pg_read_all_stats', 'USAGE') THEN \
    (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')) END";

/// For how many standbys a commit waits, by `synchronous_standby_names`: `FIRST 2 (a, b, c)`, `ANY 1 (a, b)`, `2 (a, b)`, or a list, of
/// which it waits for one.
fn standbys_of(names: &str) -> u32 {
    let upper = names.trim().to_ascii_uppercase();
    let rest = ["FIRST", "ANY"].iter().find_map(|word| upper.strip_prefix(word)).unwrap_or(&upper).trim_start();
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    match (digits.parse(), rest[digits.len()..].trim_start().starts_with('(')) {
        (Ok(count), true) => count,
        _ => u32::from(!upper.is_empty()),
    }
}

/// Where a database is, for people.
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

/// A hash as a row has it.
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
