//! A worker on a PostgreSQL database whose standby does not follow, and rows that are lost.
//!
//! If PostgreSQL cannot be started, or POSTRIDER_SERVERS is not set, the test says so and passes.
#![cfg(unix)]

use crate::program::{run, said};
use crate::scripted::wait_for;
use crate::serve::ask;
use crate::trial::{STANDSTILL, Servers, Worker, good, logs, prepare};
use std::{
    thread,
    time::{Duration, Instant},
};

#[test]
fn a_worker_is_unhealthy_as_long_as_the_standby_does_not_follow() {
    let Some(servers) = Servers::start("a standby that does not follow") else { return };
    let first = servers.host("one", None);
    prepare(&first, &servers.url("owner-url"));
    let players = ["--player", "Anna <anna@players.example>", "--player", "Ben <ben@players.example>"];
    let mut words = vec!["new", "--id", "lone-pine", "--ruleset", "plains-indian-wars"];
    words.extend(players);
    good(&run(&first, &words), &[]);
    let workers = [Worker::begin(first.clone())];
    let there = format!("host={} port=5432 user=owner dbname=postrider", servers.folder().join("run").display());
    let mut client = postgres::Client::connect(&there, postgres::NoTls).expect("it is there");
    let names: String = client.query_one("SHOW synchronous_standby_names", &[]).expect("a setting").get(0);
    let mut follows = |names: &str| {
        client.batch_execute(&format!("ALTER SYSTEM SET synchronous_standby_names = '{names}'")).expect("it may");
        client.batch_execute("SELECT pg_reload_conf()").expect("it may");
    };
    let healthy = || ask(&first, "GET /health").is_ok_and(|said| said.starts_with("HTTP/1.1 200"));
    wait_for("it is healthy", || healthy().then_some(()));
    follows("nobody");
    let begun = Instant::now();
    while healthy() {
        assert!(begun.elapsed() < STANDSTILL, "it is unhealthy{}", logs(&workers));
        thread::sleep(Duration::from_millis(100));
    }
    for _ in 0..60 {
        assert!(!healthy(), "{}", logs(&workers));
        thread::sleep(Duration::from_millis(100));
    }
    follows(&names);
    wait_for("it is healthy again", || healthy().then_some(()));
    drop(workers);

    good(&run(&first, &["doctor"]), &[]);
    client.batch_execute("DELETE FROM secrets WHERE k = 3").expect("the owner may");
    let lost = run(&first, &["doctor"]);
    let told = said(&lost);
    assert!(lost.status.code() == Some(1) && told.contains("1 row of its secrets is missing"), "{told}");
}
