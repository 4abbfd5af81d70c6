//! A whole game of four by mail on a PostgreSQL database with a synchronous standby, as tests/postgres/up starts them: three workers
//! take mails in, each in a folder of its own; they are killed on the way, and so is the primary, whose place the standby takes.
//!
//! POSTRIDER_KILLS says how often a worker is killed, POSTRIDER_FAILOVERS how often the primary. Where PostgreSQL cannot be started the
//! test says so and passes.
#![cfg(unix)]

#[path = "scripted/program.rs"]
mod program;

use postrider::{
    demo::Puppet,
    dice::{DiceStream, h},
    mail::Maildir,
};
use program::{run, said};
use snapbox::cmd::cargo_bin;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{Read, Write},
    os::unix::{fs::PermissionsExt, net::UnixStream},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

const GAME: &str = "lone-pine";
const NAMES: [&str; 4] = ["Anna", "Ben", "Carl", "Dora"];

/// After so long without a letter the game stands still.
const STANDSTILL: Duration = Duration::from_secs(90);

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/postgres").join(name)
}

fn number(variable: &str, otherwise: usize) -> usize {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// A primary and its standby, until the test ends.
struct Servers {
    base: TempDir,
}

impl Servers {
    /// `None` where they cannot be started here.
    fn start() -> Option<Servers> {
        let base = tempfile::tempdir_in("/tmp").expect("there is room");
        // The servers' user looks for its folder below it.
        fs::set_permissions(base.path(), fs::Permissions::from_mode(0o755)).expect("it is our own");
        let servers = Servers { base };
        let up = servers.script("up");
        if up.status.code() == Some(77) {
            eprintln!("left out, games on PostgreSQL: {}", said(&up).trim());
            return None;
        }
        assert!(up.status.success(), "{}", said(&up));
        Some(servers)
    }

    fn folder(&self) -> PathBuf {
        self.base.path().join("pg")
    }

    fn script(&self, name: &str) -> Output {
        Command::new(script(name)).arg(self.folder()).output().expect("there is a shell")
    }

    fn url(&self, name: &str) -> String {
        fs::read_to_string(self.folder().join(name)).expect("an address").trim().to_owned()
    }

    /// A host's folder that works with the database, with a key of its own unless there is one to be copied.
    fn host(&self, name: &str, key_of: Option<&Path>) -> PathBuf {
        let folder = self.base.path().join(name);
        let secrets = folder.join("secrets");
        fs::create_dir_all(&secrets).expect("there is room");
        let settings = format!(
            "address = \"postrider@play.example\"\nanswers_per_hour = 0\nhtml = false\nstore = \"{}\"\n\
             status_page = \"unix:status\"\n[mail_in.lmtp]\nlisten = \"unix:lmtp\"\n",
            self.url("url")
        );
        fs::write(folder.join("postrider.toml"), settings).expect("there is room");
        if let Some(other) = key_of {
            fs::copy(other.join("secrets/_service.jsonl"), secrets.join("_service.jsonl")).expect("there is a key");
        }
        folder
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        self.script("down");
    }
}

/// A worker in its folder. One that ended is begun again, as an init system does.
struct Worker {
    folder: PathBuf,
    serving: Option<Child>,
}

impl Worker {
    fn begin(folder: PathBuf) -> Worker {
        let mut worker = Worker { folder, serving: None };
        worker.keep_up();
        worker
    }

    /// Begins it where it does not run.
    fn keep_up(&mut self) {
        if let Some(serving) = &mut self.serving
            && serving.try_wait().expect("it is our own").is_none()
        {
            return;
        }
        let log = fs::File::options().create(true).append(true).open(self.folder.join("log")).expect("a log");
        let mut command = Command::new(cargo_bin!("postrider"));
        command.arg("--root").arg(&self.folder).arg("serve").env_remove("POSTRIDER_LOG");
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn();
        self.serving = Some(child.expect("the program can be run"));
    }

    fn kill(&mut self) {
        if let Some(mut serving) = self.serving.take() {
            serving.kill().expect("it is our own");
            serving.wait().expect("it is our own");
        }
    }

    /// Hands a mail over by LMTP; says whether it was acknowledged.
    fn take(&self, raw: &str) -> bool {
        let dialogue = |mut stream: UnixStream| {
            stream.set_read_timeout(Some(Duration::from_secs(30)))?;
            let text = raw.replace("\r\n.", "\r\n..");
            let words = format!(
                "LHLO mx\r\nMAIL FROM:<x@example.net>\r\nRCPT TO:<postrider@play.example>\r\nDATA\r\n{text}\r\n.\r\nQUIT\r\n"
            );
            stream.write_all(words.as_bytes())?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer).map(|_| answer)
        };
        UnixStream::connect(self.folder.join("lmtp"))
            .and_then(dialogue)
            .is_ok_and(|answer| answer.contains("250 2.0.0 taken"))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A field of a header.
fn field(raw: &str, name: &str) -> Option<String> {
    let head = raw.replace("\r\n", "\n").split("\n\n").next()?.replace("\n ", " ").replace("\n\t", " ");
    head.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(':')?.trim().to_owned()))
}

/// Who plays, with the letters that he has.
struct Player {
    puppet: Puppet,
    /// The Message-IDs of his letters, with what they answer.
    letters: Vec<(String, Option<String>)>,
    newest: u64,
    /// The Message-IDs of what he wrote and was acknowledged.
    wrote: Vec<String>,
}

/// The mail system of the workers' machines: carries letters from `mail/out` to the players.
#[derive(Default)]
struct Post {
    seen: BTreeSet<PathBuf>,
    /// How often letters came a second time.
    doubled: usize,
}

impl Post {
    /// Says whether anything was carried.
    fn carry(&mut self, workers: &[Worker], players: &mut [Player]) -> bool {
        let mut letters = Vec::new();
        for worker in workers {
            for file in fs::read_dir(worker.folder.join("mail/out/new")).into_iter().flatten().filter_map(Result::ok) {
                if self.seen.insert(file.path()) {
                    letters.push(fs::read(file.path()).expect("a letter"));
                }
            }
        }
        let line = |raw: &[u8]| -> (u64, String) {
            let id = field(&String::from_utf8_lossy(raw), "Message-ID").expect("an id");
            (id.split('.').nth(2).and_then(|n| n.parse().ok()).unwrap_or(0), id)
        };
        letters.sort_by_key(|raw| line(raw));
        for raw in &letters {
            let text = String::from_utf8_lossy(raw);
            let to = field(&text, "To").expect("a reader");
            let Some(player) = players.iter_mut().find(|player| to.contains(&player.puppet.address)) else { continue };
            let (line, id) = line(raw);
            let known = player.letters.iter().any(|(other, _)| *other == id);
            self.doubled += usize::from(known);
            player.letters.push((id, field(&text, "In-Reply-To")));
            if line >= player.newest && !known {
                player.newest = line;
                player.puppet.get(player.letters.len(), raw).expect("it is a mail");
            }
        }
        !letters.is_empty()
    }
}

/// Whether a letter, by its Message-ID and what it answers, is the one about a mail, whose hash is known where it did something.
fn answers((letter, answered): &(String, Option<String>), mail: &str, taken: &BTreeMap<String, String>) -> bool {
    let named = || taken.get(mail).is_some_and(|hash| letter.contains(&format!(".re-{}@", &hash[..8])));
    answered.as_deref() == Some(mail) || answered.is_none() && named()
}

fn logs(workers: &[Worker]) -> String {
    let tail = |worker: &Worker| {
        let log = fs::read_to_string(worker.folder.join("log")).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        format!("--- {}\n{}\n", worker.folder.display(), lines[lines.len().saturating_sub(25)..].join("\n"))
    };
    workers.iter().map(tail).collect()
}

/// The mails that did something, as they lie in a folder: the SHA-256 of each by its Message-ID.
fn taken(folder: &Path) -> BTreeMap<String, String> {
    let files = fs::read_dir(folder.join("mail/taken").join(GAME)).into_iter().flatten().filter_map(Result::ok);
    let read = |path: PathBuf| {
        let raw = fs::read(&path).ok()?;
        Some((field(&String::from_utf8_lossy(&raw), "Message-ID")?, path.file_stem()?.to_str()?.to_owned()))
    };
    files.filter_map(|file| read(file.path())).collect()
}

/// Whether the game is over.
fn is_over(folder: &Path) -> bool {
    let status = run(folder, &["status", "--json"]);
    status.status.success() && String::from_utf8_lossy(&status.stdout).contains("\"closed\": true")
}

fn good(output: &Output, workers: &[Worker]) -> String {
    assert!(output.status.success(), "{}{}", said(output), logs(workers));
    said(output)
}

/// A game of four at `first`, and its players.
fn new_game(base: &Path, first: &Path, owner: &str) -> Vec<Player> {
    assert!(said(&run(first, &["status"])).contains("postrider store prepare"), "{}", said(&run(first, &["status"])));
    good(&run(first, &["store", "prepare", owner]), &[]);
    assert_eq!(good(&run(first, &["store", "prepare", owner]), &[]), "", "it has been done");
    let names = NAMES.map(|name| format!("{name} <{}@players.example>", name.to_lowercase()));
    let mut words = vec!["new", "--id", GAME, "--ruleset", "plains-indian-wars"];
    names.iter().for_each(|player| words.extend(["--player", player]));
    good(&run(first, &words), &[]);
    let player = |(seat, name): (usize, &&str)| {
        let name = name.to_lowercase();
        let kept = Maildir::open(base.join("players").join(&name)).expect("there is room");
        let mut puppet = Puppet::new(NAMES[seat], seat, kept);
        puppet.address = format!("{name}@players.example");
        Player { puppet, letters: Vec::new(), newest: 0, wrote: Vec::new() }
    };
    NAMES.iter().enumerate().map(player).collect()
}

#[test]
fn a_whole_game_of_four_goes_through_three_workers_and_two_databases_that_die() {
    let Some(servers) = Servers::start() else { return };
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
    // A game takes some three hundred mails.
    let (every_kill, every_failover) = ((240 / kills.max(1)).max(1), 200 / (failovers + 1));
    loop {
        workers.iter_mut().for_each(Worker::keep_up);
        if post.carry(&workers, &mut players) {
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
            // A mail system tries again, and elsewhere, until a mail is acknowledged.
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
    drop(workers);

    // Back into files, where everything is proved once more, and where mails can be read.
    let copied = good(&run(&first, &["store", "copy", &servers.url("url"), "files"]), &[]);
    assert!(copied.contains("1 game, "), "{copied}");
    let journal = fs::read(first.join(format!("journal/{GAME}.jsonl"))).expect("a journal");
    let run_name = servers.folder().join("run");
    let port = if servers.folder().join("one/standby.signal").exists() { 5433 } else { 5432 };
    let there = format!("host={} port={port} user=owner dbname=postrider", run_name.display());
    let mut client = postgres::Client::connect(&there, postgres::NoTls).expect("it is there");
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
    let taken = taken(&first);
    let text = String::from_utf8_lossy(&journal);
    for player in &players {
        let name = &player.puppet.name;
        let letters: BTreeSet<_> = player.letters.iter().cloned().collect();
        for id in &player.wrote {
            let count = letters.iter().filter(|letter| answers(letter, id, &taken)).count();
            assert_eq!(count, 1, "{name}'s mail {id}: every mail that was acknowledged is answered, and once");
        }
    }
    // Of a mail, one command is in the journal: its lines stand together.
    for hash in taken.values() {
        let lines: Vec<usize> =
            text.lines().enumerate().filter(|(_, line)| line.contains(hash)).map(|(at, _)| at).collect();
        let together = lines.windows(2).all(|pair| pair[1] - pair[0] < 40);
        assert!(together, "{hash}: {lines:?}");
    }
    eprintln!(
        "{written} mails in {:.0} s, {killed} kills of workers, {failed_over} of the primary, {} doubled letters",
        took.as_secs_f64(),
        post.doubled
    );
}
