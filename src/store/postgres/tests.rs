//! Tests of the database store, beginning with the contract of all stores. PostgreSQL is started by
//! tests/postgres/up. If that is impossible or POSTRIDER_SERVERS is not set, each test says so and
//! passes.

use super::{PgStore, lease::TERM, testing::Servers};
use crate::{
    FileStore, Games, HandedOver, Host, Index, Kept, Mails, Queue, StoreError, copy, prepare,
    tests::{GAME, Tried, bytes, contract, leased, lines, made, mail, next, player, status},
};
use postgres::{Client, NoTls};
use postrider_dice::Hash;
use postrider_journal::{Secret, SecretsFile};
use postrider_mailbox::Delivery;
use std::{
    fs,
    time::{Duration, Instant},
};

#[test]
fn the_database_keeps_the_contract() {
    let Some(servers) = Servers::start("the contract of stores on PostgreSQL") else { return };
    contract(&|| {
        let (folder, host) = servers.host();
        Tried { store: Box::new(PgStore::open(&host).unwrap()), _folder: Some(folder) }
    });
}

#[test]
fn the_role_to_prepare_tables_is_named_and_the_server_has_the_time() {
    let Some(servers) = Servers::start("roles on PostgreSQL") else { return };
    let (_folder, host) = servers.host();
    let wrong = prepare(&host, &host.settings.store, "postrider").unwrap_err();
    assert!(
        matches!(&wrong, StoreError::WrongRole { role, owner, .. } if role == "postrider" && owner == "owner"),
        "{wrong}"
    );
    assert!(wrong.to_string().contains("give the address of the role owner"), "{wrong}");
    let store = PgStore::open(&host).unwrap();
    let mut sql = servers.sql(&host);
    let mut now =
        || sql.query_one("SELECT extract(epoch FROM clock_timestamp())::bigint", &[]).unwrap().get::<_, i64>(0);
    made(&store, 1);
    let before = now();
    let times = [store.now().unwrap().unwrap(), leased(&store).now().unwrap()];
    let after = now();
    assert!(times.iter().all(|time| (before..=after + 1).contains(time)), "{times:?}");
}

#[test]
fn a_lease_that_was_taken_over_writes_nothing() {
    let Some(servers) = Servers::start("leases on PostgreSQL") else { return };
    let (_folder, host) = servers.host();
    // Leases of this store expire at once, like those of a worker that has been stopped for a
    // minute.
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
    // The same after the process that took it over has released it.
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
    // While one process handles it, the other skips it.
    assert!(other.inbox().unwrap().is_empty() && other.read("1").is_err());
    assert_eq!(one.inbox().unwrap(), ["1"]);
    // All connections of the program end, as if its process were killed.
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
            // Bytes are printed as hex digits.
            for secret in ["anna", "pass", "Anna", "example.net"] {
                let hex: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
                assert!(!text.contains(secret) && !text.contains(&hex), "{table}: {text}");
            }
        }
    }
    // Another key opens nothing, and this is reported before anything is written.
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
    // An open connection also notices when guarantees are reduced later, and when they are
    // restored.
    let store = PgStore::open(&host).unwrap();
    let names: String = servers.owner("postgres").query_one("SHOW synchronous_standby_names", &[]).unwrap().get(0);
    let reloaded = |names: &str, safe: bool| {
        setting(&format!("ALTER SYSTEM SET synchronous_standby_names = '{names}'"));
        setting("SELECT pg_reload_conf()");
        let begun = Instant::now();
        while store.games().is_ok() != safe {
            assert!(begun.elapsed() < Duration::from_secs(10), "{names:?} is not noticed");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    reloaded("", false);
    assert!(matches!(store.comes_in("1", b"a mail"), Err(StoreError::Unsafe { .. })));
    reloaded(&names, true);
    // A database without tables, and one that does not exist.
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
    // The server notices after a moment that the connection is gone.
    let begun = Instant::now();
    while !second.is_ours().unwrap() {
        assert!(begun.elapsed() < Duration::from_secs(10), "nobody has the turn");
        std::thread::sleep(Duration::from_millis(5));
    }
    // The process that had the turn also notices that its connection is gone.
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
    assert_eq!(copy(&files, &database, &mut |_| {}).unwrap().games.len(), 1);
    assert_eq!(bytes(&database), bytes(&files));
    assert_eq!(database.listed().unwrap()[0].status, Some(status(3)));
    assert_eq!(database.waiting().unwrap(), ["lone-pine.A.1"]);
    let (_other, back) = servers.host();
    let back = FileStore::new(&back);
    copy(&database, &back, &mut |_| {}).unwrap();
    assert_eq!(bytes(&back), bytes(&files));
    assert_eq!(back.kept(GAME).unwrap().kept, [player("anna@example.net")]);
    assert_eq!(back.read("1").unwrap(), b"a mail");
}

#[test]
fn over_a_network_the_certificate_and_its_name_are_checked() {
    // Every test process has its own address.
    let process = std::process::id();
    let address = format!("127.{}.{}.{}", 64 + (process >> 16) % 64, (process >> 8) % 256, 1 + process % 254);
    let Some(servers) = Servers::start_at("TLS to PostgreSQL", &address) else { return };
    let (folder, mut host) = servers.host();
    let database = host.settings.store.rsplit('/').next().unwrap().to_owned();
    let at = |name: &str, rest: &str| format!("postgres://postrider@{name}:5432/{database}?hostaddr={address}{rest}");
    let said = |host: &Host, at: &str| match PgStore::at(host, at) {
        Ok(_) => String::new(),
        Err(why) => why.to_string(),
    };
    // The authority is not known yet.
    let unknown = said(&host, &at("db.example", ""));
    assert!(unknown.contains("UnknownIssuer") && unknown.contains("`ca` under [postgres]"), "{unknown}");
    fs::copy(servers.authority(), folder.path().join("ca.pem")).unwrap();
    host.settings.postgres.ca = Some("ca.pem".into());
    for mode in ["", "&sslmode=require", "&sslmode=verify-full"] {
        assert_eq!(said(&host, &at("db.example", mode)), "");
    }
    let store = PgStore::at(&host, &at("db.example", "")).unwrap();
    made(&store, 2);
    assert_eq!(bytes(&store), lines(2).1.concat().as_bytes());
    let by_tls =
        "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE ssl AND usename = 'postrider'";
    assert!(servers.sql(&host).query_one(by_tls, &[]).unwrap().get::<_, i64>(0) > 0, "it goes by TLS");
    // A certificate for another name, one by another authority, and a server without TLS.
    let name = said(&host, &at("other.example", ""));
    assert!(name.contains("not valid for name \"other.example\""), "{name}");
    assert!(said(&host, &at("db.example", "&sslmode=disable")).contains("no encryption"));
    assert!(said(&host, &at("db.example", "&sslmode=verify-ca")).contains("any server of that authority"));
    let other = folder.path().join("other.pem");
    let made = std::process::Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=Trial authority",
            "-keyout",
        ])
        .arg(folder.path().join("other.key"))
        .arg("-out")
        .arg(&other)
        .output();
    assert!(made.is_ok_and(|made| made.status.success()), "it has made the server's");
    host.settings.postgres.ca = Some(other);
    let refused = said(&host, &at("db.example", ""));
    assert!(refused.contains("invalid peer certificate"), "{refused}");
    for setting in ["ALTER SYSTEM SET ssl = off", "SELECT pg_reload_conf()"] {
        servers.owner("postgres").batch_execute(setting).unwrap();
    }
    let begun = Instant::now();
    while !said(&host, &at("db.example", "")).contains("add ?sslmode=disable") {
        assert!(begun.elapsed() < Duration::from_secs(10), "{}", said(&host, &at("db.example", "")));
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn tables_of_a_newer_release_serve_an_older_one_if_they_say_so() {
    let Some(servers) = Servers::start("newer tables on PostgreSQL") else { return };
    let (_folder, host) = servers.host();
    let mut sql = servers.sql(&host);
    let newer = "INSERT INTO refinery_schema_history SELECT 99, 'later', applied_on, checksum FROM refinery_schema_history LIMIT 1";
    sql.batch_execute(newer).unwrap();
    let store = PgStore::open(&host).unwrap();
    made(&store, 2);
    assert_eq!(bytes(&store), lines(2).1.concat().as_bytes());
    sql.batch_execute("UPDATE meta SET value = '99' WHERE name = 'least_form'").unwrap();
    assert!(matches!(PgStore::open(&host), Err(StoreError::Unprepared { found: 99, .. })));
}

#[test]
fn whoever_watches_sees_what_waits_and_who_follows() {
    let Some(servers) = Servers::start("numbers of PostgreSQL") else { return };
    let (_folder, host) = servers.host();
    let store = PgStore::open(&host).unwrap();
    made(&store, 1);
    let idle = store.pulse().unwrap();
    assert_eq!((idle.leases, idle.inbox, idle.outbox, idle.standbys), (0, (0, 0.0), (0, 0.0), 1));
    let lease = leased(&store);
    store.comes_in("1", b"a mail").unwrap();
    store.put_notice(&mail("_a")).unwrap();
    store.put_notice(&mail("_b")).unwrap();
    std::thread::sleep(Duration::from_millis(30));
    let busy = store.pulse().unwrap();
    assert_eq!((busy.leases, busy.inbox.0, busy.outbox.0), (1, 1, 2));
    assert!(busy.inbox.1 >= 0.03 && busy.inbox.1 < 60.0 && busy.outbox.1 >= 0.03 && busy.bytes > 1_000_000, "{busy:?}");
    drop(lease);
    store.hand_over(&mut |_| HandedOver::Taken).unwrap();
    assert_eq!(store.pulse().unwrap().outbox, (0, 0.0));
}

/// Erased rows do not count as missing.
#[test]
fn rows_of_secrets_that_are_missing_are_counted() {
    let Some(servers) = Servers::start("missing secrets on PostgreSQL") else { return };
    let (_folder, host) = servers.host();
    let store = PgStore::open(&host).unwrap();
    made(&store, 1);
    for address in ["anna@example.net", "ben@example.net"] {
        let mut lease = leased(&store);
        lease.keep(&player(address)).unwrap();
        lease.release(None).unwrap();
    }
    let mut lease = leased(&store);
    assert!(
        lease.forget(&|kept| matches!(kept, Kept::Player(player) if player.address == "anna@example.net")).unwrap()
    );
    lease.release(None).unwrap();
    assert_eq!(store.missing_secrets(GAME).unwrap(), 0);
    assert!(!store.kept(GAME).unwrap().kept.is_empty());
    for missing in [1, 2] {
        servers.sql(&host).batch_execute("DELETE FROM secrets WHERE k = (SELECT max(k) FROM secrets)").unwrap();
        assert_eq!(store.missing_secrets(GAME).unwrap(), missing);
    }
}
