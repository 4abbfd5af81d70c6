//! A whole game for four by mail on a PostgreSQL database with a synchronous standby, started with
//! tests/postgres/up. Three workers with separate folders receive mails. They are killed during the
//! game, and so is the primary, which the standby replaces.
//!
//! POSTRIDER_KILLS is the number of kills of workers, POSTRIDER_FAILOVERS that of the primary. If
//! PostgreSQL cannot be started, or POSTRIDER_SERVERS is not set, the test says so and passes.
#![cfg(unix)]

use crate::program::{run, said};
use crate::scripted::wait_for;
use crate::serve::ask;
use crate::trial::{
    Player, Post, STANDSTILL, Servers, Worker, everything_counts_once, field, good, logs, number, prepare,
};
use postrider::dice::{DiceStream, h};
use std::{
    fs,
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

const GAME: &str = "lone-pine";
const NAMES: [&str; 4] = ["Anna", "Ben", "Carl", "Dora"];

/// Returns `true` if the game is over.
fn is_over(folder: &Path) -> bool {
    let status = run(folder, &["status", "--json"]);
    status.status.success() && String::from_utf8_lossy(&status.stdout).contains("\"closed\": true")
}

/// Opens a game for four at `first`; returns its players.
fn new_game(base: &Path, first: &Path, owner: &str) -> Vec<Player> {
    prepare(first, owner);
    let names = NAMES.map(|name| format!("{name} <{}@players.example>", name.to_lowercase()));
    let mut words = vec!["new", "--id", GAME, "--ruleset", "plains-indian-wars"];
    names.iter().for_each(|player| words.extend(["--player", player]));
    good(&run(first, &words), &[]);
    NAMES.iter().enumerate().map(|(seat, name)| Player::new(base, GAME, seat, name)).collect()
}

#[test]
fn a_whole_game_of_four_goes_through_three_workers_and_two_databases_that_die() {
    let Some(servers) = Servers::start("a game on PostgreSQL") else { return };
    let (kills, failovers) = (number("POSTRIDER_KILLS", 6), number("POSTRIDER_FAILOVERS", 1));
    let first = servers.host("one", None);
    let mut players = new_game(servers.base.path(), &first, &servers.url("owner-url"));
    let others = ["two", "three"].map(|name| servers.host(name, Some(&first)));
    let mut workers: Vec<Worker> = [first.clone()].into_iter().chain(others).map(Worker::begin).collect();
    let mut chance = DiceStream::new(h("postrider/postgres/v1", &[]));
    let mut pick = |below: usize| chance.below(u32::try_from(below).expect("few")) as usize;
    let mut words = DiceStream::new(h("postrider/postgres/words/v1", &[]));
    let (mut post, mut last, begun) = (Post::default(), Instant::now(), Instant::now());
    let (mut written, mut killed, mut failed_over) = (0, 0, 0);
    // A game takes about three hundred mails, and the shortest of 2,000 simulated games took 189,
    // so all failures occur within the first 120.
    let (every_kill, every_failover) = ((120 / (kills + 1)).max(1), (120 / (failovers + 1)).max(1));
    loop {
        workers.iter_mut().for_each(Worker::keep_up);
        if !post.carry(&workers, &mut players).is_empty() {
            last = Instant::now();
        } else if last.elapsed() > Duration::from_secs(2) && is_over(&first) {
            break;
        }
        for player in &mut players {
            if !player.puppet.wants_to_write() {
                continue;
            }
            let Some(raw) = player.puppet.write(Vec::new(), &mut words, std::time::SystemTime::now().into()) else {
                continue;
            };
            let text = String::from_utf8_lossy(&raw).into_owned();
            player.wrote.push(field(&text, "Message-ID").expect("an id"));
            // A mail system tries again, possibly elsewhere, until a mail is acknowledged.
            let begun = Instant::now();
            while !workers[pick(3)].take(&text) {
                assert!(begun.elapsed() < STANDSTILL, "nobody takes a mail{}", logs(&workers));
                workers.iter_mut().for_each(Worker::keep_up);
                thread::sleep(Duration::from_millis(50));
            }
            written += 1;
        }
        if killed < kills && written > (killed + 1) * every_kill {
            thread::sleep(Duration::from_millis(pick(100) as u64));
            workers[pick(3)].kill();
            killed += 1;
        }
        if failed_over < failovers && written > (failed_over + 1) * every_failover {
            let promoted = servers.script("promote");
            assert!(promoted.status.success(), "{}", said(&promoted));
            failed_over += 1;
        }
        assert!(last.elapsed() < STANDSTILL, "the game stands still after {written} mails{}", logs(&workers));
        thread::sleep(Duration::from_millis(10));
    }
    let took = begun.elapsed();
    assert_eq!((killed, failed_over), (kills, failovers));
    let verify = run(&workers[1].folder, &["verify", GAME]);
    assert!(matches!(verify.status.code(), Some(0 | 2)), "{}", said(&verify));
    good(&run(&first, &["doctor"]), &workers);

    let run_name = servers.folder().join("run");
    let port = if servers.folder().join("one/standby.signal").exists() { 5433 } else { 5432 };
    let there = format!("host={} port={port} user=owner dbname=postrider", run_name.display());
    let mut client = postgres::Client::connect(&there, postgres::NoTls).expect("it is there");
    // While the promised standby does not follow, every worker is unhealthy, and all the time.
    let names: String = client.query_one("SHOW synchronous_standby_names", &[]).expect("a setting").get(0);
    let mut follows = |names: &str| {
        client.batch_execute(&format!("ALTER SYSTEM SET synchronous_standby_names = '{names}'")).expect("it may");
        client.batch_execute("SELECT pg_reload_conf()").expect("it may");
    };
    let healthy =
        |worker: &Worker| ask(&worker.folder, "GET /health").is_ok_and(|said| said.starts_with("HTTP/1.1 200"));
    follows("nobody");
    let begun = Instant::now();
    while workers.iter().any(healthy) {
        assert!(begun.elapsed() < STANDSTILL, "all are unhealthy{}", logs(&workers));
        thread::sleep(Duration::from_millis(100));
    }
    for _ in 0..60 {
        assert!(!workers.iter().any(healthy), "{}", logs(&workers));
        thread::sleep(Duration::from_millis(100));
    }
    follows(&names);
    wait_for("all are healthy", || workers.iter().all(healthy).then_some(()));
    drop(workers);

    // The game is copied back to files, where everything is verified again and mails can be read.
    let copied = good(&run(&first, &["store", "copy", &servers.url("url"), "files"]), &[]);
    assert!(copied.contains("1 game, "), "{copied}");
    let journal = fs::read(first.join(format!("journal/{GAME}.jsonl"))).expect("a journal");
    let rows = client.query("SELECT line FROM events WHERE game = $1 ORDER BY n", &[&GAME]).expect("rows");
    let lines: Vec<u8> = rows.iter().flat_map(|row| row.get::<_, Vec<u8>>(0)).collect();
    assert!(lines == journal, "byte for byte");
    if let Ok(checked) = Command::new("python3")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/checker.py"))
        .arg(first.join(format!("journal/{GAME}.jsonl")))
        .output()
    {
        assert!(matches!(checked.status.code(), Some(0 | 2)), "{}", said(&checked));
    }
    everything_counts_once(&first, &players);
    client.batch_execute("DELETE FROM secrets WHERE k = 3").expect("the owner may");
    let lost = run(&first, &["doctor"]);
    assert!(
        lost.status.code() == Some(1) && said(&lost).contains("1 row of its secrets is missing"),
        "{}",
        said(&lost)
    );
    eprintln!(
        "{written} mails in {:.0} s, {killed} kills of workers, {failed_over} of the primary, {} doubled letters",
        took.as_secs_f64(),
        post.doubled
    );
}
