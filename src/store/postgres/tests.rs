//! What the database store promises, beginning with the contract of all stores. PostgreSQL is started by tests/postgres/up; where it
//! cannot be, each test says so and passes.

use super::{PgStore, lease::TERM, prepare};
use crate::{
    dice::Hash,
    journal::{Secret, SecretsFile},
    mail::Delivery,
    store::{
        FileStore, Games, HandedOver, Host, Index, Mails, Queue, StoreError, copy,
        tests::{GAME, Tried, bytes, contract, leased, lines, made, mail, next, player, status},
    },
};
use postgres::{Client, NoTls};
use std::{
    cell::Cell,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// A primary and its standby, until the test ends.
pub(crate) struct Servers {
    base: TempDir,
    databases: Cell<u32>,
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/postgres").join(name)
}

impl Servers {
    /// `None` where they cannot be started here.
    pub fn start(what: &str) -> Option<Servers> {
        let base = tempfile::tempdir_in("/tmp").expect("there is room");
        // The servers' user looks for its folder below it.
        fs::set_permissions(base.path(), fs::Permissions::from_mode(0o755)).expect("it is our own");
        let up = Command::new(script("up")).arg(base.path().join("pg")).output().expect("there is a shell");
        let said = String::from_utf8_lossy(&up.stdout) + String::from_utf8_lossy(&up.stderr);
        if up.status.code() == Some(77) {
            eprintln!("left out, {what}: {}", said.trim());
            return None;
        }
        assert!(up.status.success(), "{said}");
        Some(Servers { base, databases: Cell::new(0) })
    }

    fn run(&self) -> PathBuf {
        self.base.path().join("pg/run")
    }

    /// The address of a database, for a role, at one server or at both.
    fn address(&self, role: &str, database: &str) -> String {
        let run = self.run().display().to_string().replace('/', "%2F");
        format!("postgres://{role}@{run}:5432,{run}:5433/{database}")
    }

    /// A connection of the owner's to a database.
    fn owner(&self, database: &str) -> Client {
        let (run, user) = (self.run(), "owner");
        Client::connect(&format!("host={} port=5432 user={user} dbname={database}", run.display()), NoTls).unwrap()
    }

    /// A host's folder with a key, and a database of its own with its tables.
    pub fn host(&self) -> (TempDir, Host) {
        let name = format!("trial{}", self.databases.replace(self.databases.get() + 1));
        self.owner("postgres").batch_execute(&format!("CREATE DATABASE {name}")).unwrap();
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("postrider.toml"), format!("store = {:?}\n", self.address("postrider", &name)))
            .unwrap();
        let host = Host::open(folder.path()).unwrap();
        host.make_folders().unwrap();
        SecretsFile::create(host.service_secrets()).unwrap().keep(&Secret::Key { seed: Hash([3; 32]) }).unwrap();
        prepare(&host, &self.address("owner", &name), "postrider").unwrap();
        (folder, host)
    }

    fn sql(&self, host: &Host) -> Client {
        let name = host.settings.store.rsplit('/').next().unwrap();
        self.owner(name)
    }

    /// Ends all connections of the program, as when its process is killed, and waits until the server has done so.
    fn end_connections(&self, host: &Host) {
        let end = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = 'postrider'";
        let ended = self.sql(host).query(end, &[]).unwrap();
        assert!(!ended.is_empty() && ended.iter().all(|row| row.get(0)), "every connection ends");
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        let _ = Command::new(script("down")).arg(self.base.path().join("pg")).status();
    }
}

#[test]
fn the_database_keeps_the_contract() {
    let Some(servers) = Servers::start("the contract of stores on PostgreSQL") else { return };
    contract(&|| {
        let (folder, host) = servers.host();
        Tried { store: Box::new(PgStore::open(&host).unwrap()), _folder: Some(folder) }
    });
}

#[test]
fn a_lease_that_was_taken_over_writes_nothing() {
    let Some(servers) = Servers::start("leases on PostgreSQL") else { return };
    let (_folder, host) = servers.host();
    // A lease of this one is over at once, as that of a worker which has stood still for a minute.
    let slow = PgStore::with_term(&host, &host.settings.store, 0.0).unwrap();
    let other = PgStore::open(&host).unwrap();
    let mut writer = made(&other, 1);
    let third = next(&mut writer);
    let mut late = leased(&slow);
    late.append(1, third.as_bytes()).unwrap();
    late.put(&mail("lone-pine.A.1")).unwrap();
    let mut first = leased(&other);
    first.append(1, third.as_bytes()).unwrap();
    assert!(matches!(late.release(None), Err(StoreError::LeaseLost { .. })));
    assert_eq!(bytes(&other), lines(1).1.concat().as_bytes(), "and what the other does is not yet there");
    first.release(None).unwrap();
    assert_eq!(bytes(&slow), lines(2).1.concat().as_bytes());
    assert!(other.waiting().unwrap().is_empty());
    // The same where the one who took it over has given it back.
    let mut late = leased(&slow);
    late.keep(&player("anna@example.net")).unwrap();
    drop(leased(&other));
    assert!(matches!(late.release(Some(&status(2))), Err(StoreError::LeaseLost { .. })));
    assert!(slow.games_of("anna@example.net").unwrap().is_empty());
}

#[test]
fn a_worker_that_dies_holds_up_nobody() {
    let Some(servers) = Servers::start("dead workers on PostgreSQL") else { return };
    let (_folder, host) = servers.host();
    let [one, other] = [(); 2].map(|()| PgStore::open(&host).unwrap());
    let mut writer = made(&one, 1);
    let mut lease = leased(&one);
    lease.append(1, next(&mut writer).as_bytes()).unwrap();
    one.comes_in("1", b"a mail").unwrap();
    assert_eq!(one.read("1").unwrap(), b"a mail");
    // In hand with one, it is passed over by the other.
    assert!(other.inbox().unwrap().is_empty() && other.read("1").is_err());
    assert_eq!(one.inbox().unwrap(), ["1"]);
    // All its connections end, as when its process is killed.
    let begun = Instant::now();
    servers.end_connections(&host);
    assert_eq!(leased(&other).head().map(|head| head.n), Some(0));
    assert!(begun.elapsed().as_secs_f64() < TERM / 4.0, "nobody waits until the lease is over");
    assert_eq!(other.inbox().unwrap(), ["1"]);
    assert_eq!(other.read("1").unwrap(), b"a mail");
    assert!(matches!(lease.release(None), Err(StoreError::Database { .. })), "its connection is gone");
    assert_eq!(bytes(&other), lines(1).1.concat().as_bytes());
}

#[test]
fn a_letter_is_offered_to_one_at_a_time() {
    let Some(servers) = Servers::start("the outbox on PostgreSQL") else { return };
    let (_folder, host) = servers.host();
    let [one, other] = [(); 2].map(|()| PgStore::open(&host).unwrap());
    for name in ["_a", "_b"] {
        assert_eq!(one.put_notice(&mail(name)).unwrap(), Delivery::Stored);
    }
    let mut seen = Vec::new();
    one.hand_over(&mut |row| {
        seen.push(row.unique.clone());
        if seen.len() == 1 {
            other
                .hand_over(&mut |row| {
                    seen.push(row.unique.clone());
                    HandedOver::Taken
                })
                .unwrap();
        }
        HandedOver::Taken
    })
    .unwrap();
    assert_eq!(seen, ["_a", "_b"]);
    assert!(other.waiting().unwrap().is_empty());
}

#[test]
fn no_line_is_changed_or_removed_by_anybody() {
    let Some(servers) = Servers::start("lines that stay on PostgreSQL") else { return };
    let (_folder, host) = servers.host();
    let store = PgStore::open(&host).unwrap();
    made(&store, 2);
    let own = || Client::connect(&host.settings.store, NoTls).unwrap();
    for sql in ["UPDATE events SET line = ''", "DELETE FROM events", "TRUNCATE events"] {
        let said =
            |mut client: Client| client.batch_execute(sql).unwrap_err().as_db_error().unwrap().message().to_owned();
        assert!(said(own()).contains("permission denied"), "{sql}");
        assert!(said(servers.sql(&host)).contains("never changed"), "{sql}");
    }
    assert_eq!(bytes(&store), lines(2).1.concat().as_bytes());
    let mut lease = leased(&store);
    assert!(lease.cut_after(Some(0)).is_err());
}

#[test]
fn nothing_secret_can_be_read_in_the_database() {
    let Some(servers) = Servers::start("what is sealed on PostgreSQL") else { return };
    let (folder, host) = servers.host();
    let store = PgStore::open(&host).unwrap();
    made(&store, 1);
    let mut lease = leased(&store);
    lease.keep(&player("anna@example.net")).unwrap();
    lease.put(&mail("lone-pine.A.1")).unwrap();
    lease.release(Some(&status(1))).unwrap();
    store.comes_in("1", b"From: anna@example.net\r\n\r\npass\r\n").unwrap();
    store.keep_taken(GAME, b"From: anna@example.net\r\n\r\npass\r\n", 1).unwrap();
    store.poison(b"From: anna@example.net\r\n\r\nworse\r\n", "anna@example.net").unwrap();
    store.hand_over(&mut |_| HandedOver::Never("anna@example.net".to_owned())).unwrap();
    let mut sql = servers.sql(&host);
    for table in ["games", "secrets", "players", "outbox", "inbox", "filed", "taken"] {
        let rows = sql.query(&format!("SELECT {table}::text FROM {table}"), &[]).unwrap();
        assert!(!rows.is_empty(), "{table}");
        for row in rows {
            let text: String = row.get(0);
            // A value of bytes is printed as hex digits.
            for secret in ["anna", "pass", "Anna", "example.net"] {
                let hex: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
                assert!(!text.contains(secret) && !text.contains(&hex), "{table}: {text}");
            }
        }
    }
    // Another key opens nothing, and is told so before it writes anything.
    fs::remove_file(host.service_secrets()).unwrap();
    SecretsFile::create(host.service_secrets()).unwrap().keep(&Secret::Key { seed: Hash([4; 32]) }).unwrap();
    let Err(refused @ StoreError::OtherHost { .. }) = PgStore::open(&host) else { panic!("it is another key") };
    assert!(refused.to_string().contains("_service.jsonl"), "{refused}");
    drop(folder);
}

#[test]
fn a_database_that_promises_too_little_is_refused_with_the_reason() {
    let Some(servers) = Servers::start("what PostgreSQL promises") else { return };
    let (_folder, host) = servers.host();
    let refused = |host: &Host| match PgStore::open(host) {
        Err(why) => why.to_string(),
        Ok(_) => panic!("it promises too little"),
    };
    let setting = |text: &str| servers.owner("postgres").batch_execute(text).unwrap();
    setting("ALTER ROLE postrider SET synchronous_commit = off");
    assert!(refused(&host).contains("synchronous_commit is off"), "{}", refused(&host));
    setting("ALTER ROLE postrider SET synchronous_commit = local");
    assert!(refused(&host).contains("synchronous_commit is local"));
    setting("ALTER ROLE postrider RESET synchronous_commit");
    let mut more = host.clone();
    more.settings.postgres.standbys = 2;
    assert!(refused(&more).contains("a commit waits for 1 standbys"), "{}", refused(&more));
    assert!(PgStore::open(&host).is_ok());
    // A database without tables, and none at all.
    servers.owner("postgres").batch_execute("CREATE DATABASE empty").unwrap();
    let mut empty = host.clone();
    empty.settings.store = servers.address("postrider", "empty");
    assert!(refused(&empty).contains("postrider store prepare"), "{}", refused(&empty));
    empty.settings.store = servers.address("postrider", "nowhere");
    let said = refused(&empty);
    assert!(said.contains("nowhere at /") && said.contains("does not exist"), "{said}");
}

#[test]
fn what_one_does_for_all_is_done_by_another_when_that_one_ends() {
    let Some(servers) = Servers::start("turns on PostgreSQL") else { return };
    let (_folder, host) = servers.host();
    let [one, other] = [(); 2].map(|()| PgStore::open(&host).unwrap());
    let (mut first, mut second, mut third) = (one.turn("imap"), other.turn("imap"), other.turn("tell"));
    assert!(first.is_ours().unwrap() && third.is_ours().unwrap());
    assert!(!second.is_ours().unwrap() && first.is_ours().unwrap());
    drop(first);
    // The server sees after a moment that the connection is gone.
    let begun = Instant::now();
    while !second.is_ours().unwrap() {
        assert!(begun.elapsed() < Duration::from_secs(10), "nobody has the turn");
        std::thread::sleep(Duration::from_millis(5));
    }
    // A connection that is gone is noticed by whoever had it, too.
    servers.end_connections(&host);
    let mut fourth = PgStore::open(&host).unwrap().turn("imap");
    assert!(fourth.is_ours().unwrap());
    assert!(!second.is_ours().is_ok_and(|ours| ours));
    assert!(!second.is_ours().unwrap());
}

#[test]
fn what_is_put_into_a_queue_is_told() {
    let Some(servers) = Servers::start("queues on PostgreSQL") else { return };
    let (_folder, host) = servers.host();
    let [one, other] = [(); 2].map(|()| PgStore::open(&host).unwrap());
    let [mut mails, mut letters] = [Queue::In, Queue::Out].map(|queue| one.watch(queue));
    assert!(mails.changed() && letters.changed(), "whatever came before is looked for");
    assert!(!mails.changed() && !letters.changed());
    let begun = Instant::now();
    other.comes_in("1", b"a mail").unwrap();
    while !mails.changed() {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(begun.elapsed() < Duration::from_secs(1) && !letters.changed());
    other.put_notice(&mail("_a")).unwrap();
    while !letters.changed() {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(begun.elapsed() < Duration::from_secs(1));
}

#[test]
fn a_host_is_copied_into_the_database_and_back() {
    let Some(servers) = Servers::start("copies on PostgreSQL") else { return };
    let (_folder, host) = servers.host();
    let files = FileStore::new(&host);
    let database = PgStore::open(&host).unwrap();
    made(&files, 3);
    let mut lease = leased(&files);
    lease.keep(&player("anna@example.net")).unwrap();
    lease.put(&mail("lone-pine.A.1")).unwrap();
    lease.release(Some(&status(3))).unwrap();
    files.comes_in("1", b"a mail").unwrap();
    assert_eq!(copy(&files, &database).unwrap().games.len(), 1);
    assert_eq!(bytes(&database), bytes(&files));
    assert_eq!(database.listed().unwrap()[0].status, Some(status(3)));
    assert_eq!(database.waiting().unwrap(), ["lone-pine.A.1"]);
    let (_other, back) = servers.host();
    let back = FileStore::new(&back);
    copy(&database, &back).unwrap();
    assert_eq!(bytes(&back), bytes(&files));
    assert_eq!(back.kept(GAME).unwrap().kept, [player("anna@example.net")]);
    assert_eq!(back.read("1").unwrap(), b"a mail");
}
