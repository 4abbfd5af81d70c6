//! Games of all four systems on a PostgreSQL database with a synchronous standby. Four workers
//! receive mails over a network in which everything that can fail does: workers are killed, the
//! network is delayed or cut, the primary is killed and the standby takes over, and the disk of the
//! databases becomes full. Afterwards nothing acknowledged has been lost, and nothing was done
//! twice.
//!
//! Environment variables increase the short default: the numbers of games (POSTRIDER_TABLES), mails
//! (POSTRIDER_MAILS), kills of workers (POSTRIDER_KILLS), failovers of the primary
//! (POSTRIDER_FAILOVERS), network pauses (POSTRIDER_PAUSES) and full disks (POSTRIDER_FULL). If
//! PostgreSQL cannot be started, or POSTRIDER_SERVERS is not set, the test says so and passes. A
//! full disk requires root, and permission to mount a file system in memory.
#![cfg(target_os = "linux")]

use crate::program::{run, said};
use crate::relay::Relay;
use crate::trial::{
    Player, Post, STANDSTILL, Servers, Worker, everything_counts_once, field, good, host, logs, number, prepare,
};
use postrider::{
    dice::{DiceStream, h},
    office::{Environment, Invitee, NewGame, Office},
    replay::Catalog,
    store::Host,
};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

const WORKERS: usize = 4;

/// The systems, with the numbers of players.
const SYSTEMS: [(&str, usize); 4] =
    [("geronimo", 3), ("plains-indian-wars", 4), ("dark-and-bloody-ground", 2), ("rosebud-creek", 2)];

const NAMES: [&str; 4] = ["Anna", "Ben", "Carl", "Dora"];

/// Number of mails written before the workers are given time to process them.
const AT_ONCE: usize = 8;

/// The kinds of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    Kill,
    Failover,
    Pause,
    FullDisk,
}

/// The numbers of games, mails and failures.
struct Counts {
    tables: usize,
    mails: usize,
    faults: Vec<(Fault, usize)>,
}

impl Counts {
    fn of_the_environment(disk: bool) -> Counts {
        let tables = number("POSTRIDER_TABLES", 12);
        let faults = vec![
            (Fault::Kill, number("POSTRIDER_KILLS", 8)),
            (Fault::Failover, number("POSTRIDER_FAILOVERS", 1)),
            (Fault::Pause, number("POSTRIDER_PAUSES", 3)),
            (Fault::FullDisk, if disk { number("POSTRIDER_FULL", 1) } else { 0 }),
        ];
        Counts { tables, mails: number("POSTRIDER_MAILS", 14 * tables), faults }
    }

    fn shuffled(&self, pick: &mut impl FnMut(usize) -> usize) -> Vec<Fault> {
        let mut all: Vec<Fault> =
            self.faults.iter().flat_map(|&(fault, count)| std::iter::repeat_n(fault, count)).collect();
        for at in (1..all.len()).rev() {
            all.swap(at, pick(at + 1));
        }
        all
    }
}

/// A separate disk for the databases, with an adjustable size.
struct Disk {
    folder: PathBuf,
}

impl Disk {
    /// Mounts the disk; `None` if that is not permitted.
    fn at(folder: PathBuf) -> Option<Disk> {
        fs::create_dir_all(&folder).expect("there is room");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=8g", "tmpfs"]).arg(&folder).output();
        if mounted.is_ok_and(|mounted| mounted.status.success()) {
            return Some(Disk { folder });
        }
        eprintln!("left out, a full disk: no file system can be mounted here");
        None
    }

    fn resize(&self, size: &str) -> bool {
        let options = format!("remount,size={size}");
        let resized = Command::new("mount").args(["-o", &options]).arg(&self.folder).output();
        resized.is_ok_and(|resized| resized.status.success())
    }

    fn fill(&self) {
        let begun = Instant::now();
        loop {
            let about = rustix::fs::statvfs(&self.folder).expect("it is there");
            if self.resize(&((about.f_blocks - about.f_bfree) * about.f_frsize).to_string()) {
                return;
            }
            assert!(begun.elapsed() < STANDSTILL, "the disk cannot be filled");
        }
    }

    fn empty(&self) {
        assert!(self.resize("8g"), "it was so large");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.folder).output();
    }
}

fn new_games(base: &Path, home: &Path, count: usize) -> Vec<Player> {
    let host = Host::open(home).expect("it has settings");
    let mut office = Office::open(host, Catalog::new(postrider::games::rulesets()), Environment::System)
        .expect("the database is there");
    let mut all = Vec::new();
    for nth in 0..count {
        let (ruleset, seats) = SYSTEMS[nth % SYSTEMS.len()];
        let id = format!("table-{nth}");
        let players: Vec<Player> =
            (0..seats).map(|seat| Player::new(base, &id, seat, &format!("{}{nth}", NAMES[seat]))).collect();
        let invitee = |player: &Player| {
            let text = format!("{} <{}>", player.puppet.name, player.puppet.address);
            text.parse::<Invitee>().expect("it is a player")
        };
        let new = NewGame {
            ruleset: ruleset.into(),
            id: Some(id),
            players: players.iter().map(invitee).collect(),
            // In every second round of systems, joining is tested as well.
            join_all: (nth / SYSTEMS.len()).is_multiple_of(2),
            ..NewGame::default()
        };
        office.new_game(&new).expect("it can be opened");
        all.extend(players);
    }
    all
}

/// The running system.
struct Trial {
    servers: Servers,
    relays: Vec<Relay>,
    workers: Vec<Worker>,
    /// The network connections that are held: the end of the delay, and `true` if they are cut
    /// then.
    held: Vec<(usize, Instant, bool)>,
    /// The time until which the disk is full.
    full: Option<Instant>,
    disk: Option<Disk>,
}

impl Trial {
    /// Restarts whatever has ended, and ends temporary failures.
    fn look_after(&mut self) {
        self.workers.iter_mut().for_each(Worker::keep_up);
        let (over, held) = self.held.drain(..).partition(|(_, until, _)| *until <= Instant::now());
        self.held = held;
        let over: Vec<(usize, Instant, bool)> = over;
        for (at, _, cut) in over {
            self.relays[at].go_on(cut);
        }
        if self.full.is_some_and(|until| until <= Instant::now()) {
            self.full = None;
            if let Some(disk) = &self.disk {
                disk.empty();
            }
            let again = self.servers.script("again");
            assert!(again.status.success(), "{}", said(&again));
        }
    }

    fn is_full(&self) -> bool {
        self.full.is_some()
    }

    fn fails(&mut self, fault: Fault, pick: &mut impl FnMut(usize) -> usize) {
        match fault {
            Fault::Kill => {
                thread::sleep(Duration::from_millis(pick(60) as u64));
                self.workers[pick(WORKERS)].kill();
            }
            Fault::Failover => {
                let promoted = self.servers.script("promote");
                assert!(promoted.status.success(), "{}", said(&promoted));
            }
            Fault::Pause => {
                let (at, millis) = (pick(WORKERS), 200 + pick(4_000));
                if !self.held.iter().any(|(held, ..)| *held == at) {
                    self.relays[at].hold();
                }
                self.held.push((at, Instant::now() + Duration::from_millis(millis as u64), pick(2) == 0));
            }
            Fault::FullDisk => {
                if let Some(disk) = &self.disk {
                    disk.fill();
                    self.full = Some(Instant::now() + Duration::from_millis(2_000 + pick(3_000) as u64));
                }
            }
        }
    }

    /// Sends a player's answer repeatedly until it is acknowledged, as a mail system does. Returns
    /// `false` if the player has nothing to say.
    fn write(&mut self, player: &mut Player, words: &mut DiceStream, pick: &mut impl FnMut(usize) -> usize) -> bool {
        let now = std::time::SystemTime::now().into();
        let Some(raw) = player.puppet.write(Vec::new(), words, now) else { return false };
        let text = String::from_utf8_lossy(&raw).into_owned();
        player.wrote.push(field(&text, "Message-ID").expect("an id"));
        let begun = Instant::now();
        while !self.workers[pick(WORKERS)].take(&text) {
            assert!(begun.elapsed() < STANDSTILL, "nobody takes a mail{}", logs(&self.workers));
            self.look_after();
            thread::sleep(Duration::from_millis(20));
        }
        true
    }

    fn owner(&self) -> postgres::Client {
        let port = if self.servers.folder().join("one/standby.signal").exists() { 5433 } else { 5432 };
        let run = self.servers.folder().join("run");
        let there = format!("host={} port={port} user=owner dbname=postrider", run.display());
        postgres::Client::connect(&there, postgres::NoTls).expect("it is there")
    }

    fn is_quiet(&self) -> bool {
        let waits = "SELECT (SELECT count(*) FROM inbox) + (SELECT count(*) FROM outbox WHERE state = 'waiting')";
        self.owner().query_one(waits, &[]).is_ok_and(|row| row.get::<_, i64>(0) == 0)
    }

    fn settle(&mut self, post: &mut Post, players: &mut [Player]) {
        let (mut last, mut looked) = (Instant::now(), Instant::now());
        loop {
            self.look_after();
            if !post.carry(&self.workers, players).is_empty() {
                last = Instant::now();
            }
            // A mail that failed is delayed for half a minute, then for a minute.
            assert!(last.elapsed() < 2 * STANDSTILL, "something waits for ever{}", logs(&self.workers));
            if last.elapsed() > Duration::from_secs(1) && looked.elapsed() > Duration::from_secs(1) {
                looked = Instant::now();
                if self.held.is_empty()
                    && !self.is_full()
                    && self.is_quiet()
                    && post.carry(&self.workers, players).is_empty()
                {
                    return;
                }
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Verifies every journal, with the program and with the independent checker, using the letters of
/// its players: those of all players in the first games, of one player in others.
fn checked(home: &Path, post: &Post, players: &[Player]) {
    let games: BTreeSet<&str> = players.iter().map(|player| player.game.as_str()).collect();
    let python = Command::new("python3").arg("--version").output().is_ok();
    if !python {
        eprintln!("left out, the other checker: there is no python3");
    }
    for (nth, game) in games.into_iter().enumerate() {
        let seats: Vec<&Player> = players.iter().filter(|player| player.game == game).collect();
        let one = nth % seats.len();
        let some = if nth < 12 { &seats[..] } else { &seats[one..=one] };
        for player in some {
            let letters = home.join("letters").join(&player.puppet.name);
            fs::create_dir_all(&letters).expect("there is room");
            for (at, (id, _)) in player.letters.iter().enumerate() {
                fs::write(letters.join(format!("{at}.eml")), &post.letters[id]).expect("there is room");
            }
            proved(home, game, &letters, python);
        }
    }
}

fn proved(home: &Path, game: &str, letters: &Path, python: bool) {
    let own = run(home, &["verify", game, "--mailbox", &letters.display().to_string()]);
    // 2: something is unproved, such as the hands in an unfinished game.
    assert!(matches!(own.status.code(), Some(0 | 2)), "{game}: {}", said(&own));
    if python {
        let checker = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/checker.py");
        let journal = home.join(format!("journal/{game}.jsonl"));
        let other = Command::new("python3").arg(checker).arg(&journal).arg("--mail").arg(letters).output();
        let other = other.expect("python3 runs");
        assert!(matches!(other.status.code(), Some(0 | 2)), "{game}: {}", said(&other));
    }
}

#[test]
fn whatever_fails_nothing_that_was_acknowledged_is_lost_or_done_twice() {
    let base = TempDir::new().expect("there is room");
    let Some((servers, disk)) = Servers::start_on("games by four workers", Disk::at) else { return };
    // From here on, everything is shut down properly even if the test fails.
    let (relays, workers, held) = Default::default();
    let mut trial = Trial { servers, relays, workers, held, full: None, disk };
    let counts = Counts::of_the_environment(trial.disk.is_some());
    let home = host(&base.path().join("home"), &trial.servers.url("url"), None);
    prepare(&home, &trial.servers.url("owner-url"));
    let begun = Instant::now();
    let mut players = new_games(base.path(), &home, counts.tables);
    eprintln!("{} games of {} players opened in {:.0} s", counts.tables, players.len(), begun.elapsed().as_secs_f64());
    trial.relays = (0..WORKERS).map(|_| Relay::begin(&trial.servers.folder().join("run"))).collect();
    let worker = |(at, relay): (usize, &Relay)| {
        Worker::begin(host(&base.path().join(format!("worker-{at}")), &relay.url(), Some(&home)))
    };
    trial.workers = trial.relays.iter().enumerate().map(worker).collect();
    let mut chance = DiceStream::new(h("postrider/many-workers/v1", &[]));
    let mut pick = |below: usize| chance.below(u32::try_from(below).expect("few")) as usize;
    let mut words = DiceStream::new(h("postrider/many-workers/words/v1", &[]));
    let mut faults = counts.shuffled(&mut pick);
    let every = (counts.mails / (faults.len() + 1)).max(1);
    let (mut post, mut last, begun) = (Post::default(), Instant::now(), Instant::now());
    let (mut written, mut failed) = (0, 0);
    while written < counts.mails || !faults.is_empty() {
        trial.look_after();
        if !post.carry(&trial.workers, &mut players).is_empty() {
            last = Instant::now();
        }
        assert!(last.elapsed() < STANDSTILL, "the games stand still after {written} mails{}", logs(&trial.workers));
        let ready: Vec<usize> = (0..players.len()).filter(|&at| players[at].puppet.wants_to_write()).collect();
        for _ in 0..AT_ONCE.min(ready.len()) {
            written += usize::from(trial.write(&mut players[ready[pick(ready.len())]], &mut words, &mut pick));
        }
        if written > (failed + 1) * every
            && !trial.is_full()
            && let Some(fault) = faults.pop()
        {
            trial.fails(fault, &mut pick);
            failed += 1;
        }
        thread::sleep(Duration::from_millis(5));
    }
    trial.settle(&mut post, &mut players);
    let took = begun.elapsed().as_secs_f64();
    eprintln!(
        "{written} mails and {} letters in {took:.0} s; {:?}; {} letters came twice",
        post.names.len(),
        counts.faults,
        post.doubled
    );
    good(&run(&home, &["doctor"]), &trial.workers);
    let letters = trial.owner().query("SELECT letter, state FROM outbox", &[]).expect("rows");
    let sent: BTreeSet<String> = letters.iter().map(|row| row.get(0)).collect();
    assert!(letters.iter().all(|row| row.get::<_, &str>(1) == "sent"));
    assert!(sent == post.names.keys().cloned().collect(), "every letter was carried, and no other");
    trial.workers.clear();
    // The games are copied back to files; every journal is verified, and its bytes are compared.
    let copied = good(&run(&home, &["store", "copy", &trial.servers.url("url"), "files"]), &[]);
    assert!(copied.contains(&format!("{} games, ", counts.tables)), "{copied}");
    everything_counts_once(&home, &players);
    checked(&home, &post, &players);
    eprintln!("all was proved after {:.0} s", begun.elapsed().as_secs_f64());
}
