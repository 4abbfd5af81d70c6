//! Workers on a PostgreSQL database compared with one on files, in one run: mails per second, time
//! from a mail to its letter, bytes per game, cost of an idle minute.
//!
//! `POSTRIDER_GAMES` is the number of games (default 100; docs/scale.md has figures for more),
//! `POSTRIDER_MAILS` the number of mails in each phase. First, mails are handed over as fast as
//! possible, which gives mails per second. Then they come at half that rate, which gives the time
//! from the acknowledgement of a mail to its letter in `mail/out`. Everything is on the disk of
//! /tmp, with fsync. Requires PostgreSQL.

#[path = "../tests/scripted/program.rs"]
mod program;
#[path = "../tests/postgres/trial.rs"]
mod trial;

use postrider::{
    dice::{DiceStream, h},
    office::{Environment, Invitee, NewGame, Office},
    replay::Catalog,
    store::Host,
};
use program::run;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    thread,
    time::{Duration, Instant},
};
use trial::{Player, Post, Servers, Worker, field, good, host, number};

/// Duration of the idle measurement.
const IDLE: Duration = Duration::from_secs(20);

/// The results.
struct Figures {
    mails_a_second: f64,
    /// Median time in milliseconds.
    middle: f64,
    slowest: f64,
    bytes_a_game: f64,
    /// Processor time of all processes, in seconds.
    idle_minute: f64,
}

fn open(base: &Path, home: &Path, games: usize) -> Vec<Player> {
    let host = Host::open(home).expect("it has settings");
    let mut office = Office::open(host, Catalog::new(postrider::games::rulesets()), Environment::System)
        .expect("the store is there");
    let mut all = Vec::new();
    for nth in 0..games {
        let id = format!("bench-{nth}");
        let players = ["Anna", "Ben"]
            .iter()
            .enumerate()
            .map(|(seat, name)| Player::new(base, &id, seat, &format!("{name}{nth}")));
        let players: Vec<Player> = players.collect();
        let invitee = |player: &Player| -> Invitee {
            format!("{} <{}>", player.puppet.name, player.puppet.address).parse().expect("it is a player")
        };
        let new = NewGame {
            ruleset: "plains-indian-wars".into(),
            id: Some(id),
            players: players.iter().map(invitee).collect(),
            join_all: true,
            ..NewGame::default()
        };
        office.new_game(&new).expect("it can be opened");
        all.extend(players);
    }
    all
}

/// Hands over mails at intervals of `pause`, up to this number, and waits for the letter that
/// answers each. Returns the total time, and for each mail the time from its acknowledgement, in
/// milliseconds.
fn play(workers: &[Worker], post: &mut Post, players: &mut [Player], mails: usize, pause: Duration) -> (f64, Vec<f64>) {
    let mut words = DiceStream::new(h("postrider/bench/workers/v1", &[]));
    let (begun, mut waits, mut times): (_, BTreeMap<String, Instant>, _) =
        (Instant::now(), BTreeMap::new(), Vec::new());
    let (mut written, mut at) = (0, 0);
    while times.len() < mails {
        assert!(begun.elapsed() < Duration::from_secs(1_800), "{written} mails were written, {} answered", times.len());
        let due = pause.is_zero() || begun.elapsed() >= pause * u32::try_from(written).unwrap_or(u32::MAX);
        if written < mails
            && due
            && let Some(player) = next(players, &mut at)
        {
            let raw =
                player.puppet.write(Vec::new(), &mut words, std::time::SystemTime::now().into()).expect("he is asked");
            let text = String::from_utf8_lossy(&raw).into_owned();
            let id = field(&text, "Message-ID").expect("an id");
            assert!(workers[written % workers.len()].take(&text), "a mail is acknowledged");
            waits.insert(id, Instant::now());
            written += 1;
        } else {
            thread::sleep(Duration::from_millis(1));
        }
        for reached in post.carry(workers, players) {
            for answered in players[reached].letters.iter().filter_map(|(_, answered)| answered.as_ref()) {
                times.extend(waits.remove(answered).map(|since| since.elapsed().as_secs_f64() * 1e3));
            }
        }
    }
    let took = begun.elapsed().as_secs_f64();
    times.sort_by(f64::total_cmp);
    (took, times)
}

fn next<'a>(players: &'a mut [Player], at: &mut usize) -> Option<&'a mut Player> {
    let found = (0..players.len())
        .map(|more| (*at + more) % players.len())
        .find(|&one| players[one].puppet.wants_to_write())?;
    *at = found + 1;
    Some(&mut players[found])
}

fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    entries
        .filter_map(|entry| Some((entry.path(), entry.metadata().ok()?)))
        .map(|(path, about)| if about.is_dir() { size(&path) } else { about.len() })
        .sum()
}

/// Returns the processor time of workers and servers so far, in seconds (proc(5), in ticks of a
/// hundredth of a second).
fn processor_time(base: &[&Path]) -> f64 {
    let processes = fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
    let ours = |process: &PathBuf| {
        let line = fs::read(process.join("cmdline")).unwrap_or_default();
        let at = fs::read_link(process.join("cwd")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).into_owned();
        base.iter().any(|base| line.contains(&base.display().to_string()) || at.starts_with(base))
    };
    let used = |process: PathBuf| -> Option<f64> {
        let stat = fs::read_to_string(process.join("stat")).ok()?;
        let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
        Some((fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?) / 100.0)
    };
    processes.filter(ours).filter_map(used).sum()
}

/// Measures with workers in these folders; `bytes` returns the size of all games.
fn measure(base: &[&Path], folders: Vec<PathBuf>, mut players: Vec<Player>, bytes: impl Fn() -> u64) -> Figures {
    let games = players.len() as f64 / 2.0;
    let mails = number("POSTRIDER_MAILS", 100);
    let mut post = Post::default();
    let workers: Vec<Worker> = folders.into_iter().map(Worker::begin).collect();
    let begun = Instant::now();
    // All games have started when no more letters come.
    let mut quiet = Instant::now();
    while quiet.elapsed() < Duration::from_secs(3) || post.names.is_empty() {
        if !post.carry(&workers, &mut players).is_empty() {
            quiet = Instant::now();
        }
        assert!(begun.elapsed() < Duration::from_secs(3_600), "the first letters do not come");
        thread::sleep(Duration::from_millis(10));
    }
    let (took, _) = play(&workers, &mut post, &mut players, mails, Duration::ZERO);
    let mails_a_second = mails as f64 / took;
    let (_, times) = play(&workers, &mut post, &mut players, mails, Duration::from_secs_f64(2.0 / mails_a_second));
    let before = processor_time(base);
    thread::sleep(IDLE);
    let idle_minute = (processor_time(base) - before) * 60.0 / IDLE.as_secs_f64();
    let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
    Figures { mails_a_second, middle: at(0.5), slowest: at(0.99), bytes_a_game: bytes() as f64 / games, idle_minute }
}

fn files(games: usize) -> Figures {
    let base = tempfile::tempdir_in("/tmp").expect("there is room");
    let home = host(&base.path().join("files"), "files", None);
    let players = open(base.path(), &home, games);
    measure(&[base.path()], vec![home.clone()], players, || size(&home))
}

fn database(games: usize, workers: usize) -> Option<Figures> {
    let servers = Servers::start_safe("figures on PostgreSQL")?;
    let base = tempfile::tempdir_in("/tmp").expect("there is room");
    let first = host(&base.path().join("worker-0"), &servers.url("url"), None);
    good(&run(&first, &["store", "prepare", &servers.url("owner-url")]), &[]);
    let bytes = || {
        let there = format!("host={} port=5432 user=owner dbname=postrider", servers.folder().join("run").display());
        let mut client = postgres::Client::connect(&there, postgres::NoTls).expect("it is there");
        let row = client.query_one("SELECT pg_database_size(current_database())", &[]).expect("a row");
        u64::try_from(row.get::<_, i64>(0)).unwrap_or_default()
    };
    let empty = bytes();
    let players = open(base.path(), &first, games);
    let others =
        (1..workers).map(|nth| host(&base.path().join(format!("worker-{nth}")), &servers.url("url"), Some(&first)));
    let folders = [first.clone()].into_iter().chain(others).collect();
    Some(measure(&[base.path(), servers.base.path()], folders, players, || bytes().saturating_sub(empty)))
}

fn main() -> ExitCode {
    let games = number("POSTRIDER_GAMES", 100);
    println!("{games} games of Plains Indian Wars for two, {} mails a phase", number("POSTRIDER_MAILS", 100));
    println!(
        "{:<12} {:>14} {:>16} {:>16} {:>18} {:>18}",
        "store", "mails/s", "p50 ms", "p99 ms", "bytes/game", "idle minute, s"
    );
    let plain = files(games);
    let row = |what: &str, one: &Figures| {
        let ratio = |value: f64, to: f64| format!("{value:.1} ({:.2})", value / to.max(f64::MIN_POSITIVE));
        println!(
            "{what:<12} {:>14} {:>16} {:>16} {:>18} {:>18}",
            ratio(one.mails_a_second, plain.mails_a_second),
            ratio(one.middle, plain.middle),
            ratio(one.slowest, plain.slowest),
            ratio(one.bytes_a_game, plain.bytes_a_game),
            ratio(one.idle_minute, plain.idle_minute),
        );
    };
    row("files", &plain);
    for workers in [1, 2, 4] {
        let Some(figures) = database(games, workers) else { return ExitCode::SUCCESS };
        row(&format!("{workers} workers"), &figures);
    }
    ExitCode::SUCCESS
}
