//! Tools for tests of games by mail on PostgreSQL: the two servers started by tests/postgres/up,
//! workers, their mail system, and players.

#![allow(dead_code, reason = "each program of tests uses a part of it")]

use crate::program::{run, said};
use postrider::{demo::Puppet, mailbox::Maildir};
use snapbox::cmd::cargo_bin;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
    io::{Read, Write},
    os::unix::{fs::PermissionsExt, net::UnixStream},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    time::Duration,
};
use tempfile::TempDir;

/// Time without a letter after which games count as stalled.
pub const STANDSTILL: Duration = Duration::from_secs(90);

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/postgres").join(name)
}

/// Returns a number from an environment variable.
pub fn number(variable: &str, otherwise: usize) -> usize {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// A primary and its standby, which run until the test ends.
pub struct Servers {
    pub base: TempDir,
    /// The setting `fsync` of the servers: `on` or `off`.
    fsync: &'static str,
}

impl Servers {
    /// Starts the servers; `None` if that is impossible or was not requested.
    pub fn start(what: &str) -> Option<Servers> {
        Servers::start_on(what, |_| Some(())).map(|(servers, _)| servers)
    }

    /// Starts the servers for measurements, even if they were not requested, with `fsync` as in
    /// production.
    pub fn start_safe(what: &str) -> Option<Servers> {
        Servers::begin(what, "on", |_| Some(())).map(|(servers, _)| servers)
    }

    /// Starts the servers after `disk` has prepared their folder.
    pub fn start_on<D>(what: &str, disk: impl FnOnce(PathBuf) -> Option<D>) -> Option<(Servers, Option<D>)> {
        if std::env::var_os("POSTRIDER_SERVERS").is_none() {
            eprintln!("left out, {what}: POSTRIDER_SERVERS=1 asks for it");
            return None;
        }
        Servers::begin(what, "off", disk)
    }

    fn begin<D>(
        what: &str,
        fsync: &'static str,
        disk: impl FnOnce(PathBuf) -> Option<D>,
    ) -> Option<(Servers, Option<D>)> {
        let base = tempfile::tempdir_in("/tmp").expect("there is room");
        // The servers' user needs access to its folder below this one.
        fs::set_permissions(base.path(), fs::Permissions::from_mode(0o755)).expect("it is our own");
        let servers = Servers { base, fsync };
        let disk = disk(servers.folder());
        let up = servers.script("up");
        if up.status.code() == Some(77) {
            eprintln!("left out, {what}: {}", said(&up).trim());
            return None;
        }
        assert!(up.status.success(), "{}", said(&up));
        Some((servers, disk))
    }

    pub fn folder(&self) -> PathBuf {
        self.base.path().join("pg")
    }

    pub fn script(&self, name: &str) -> Output {
        Command::new(script(name))
            .arg(self.folder())
            .env("POSTRIDER_FSYNC", self.fsync)
            .output()
            .expect("there is a shell")
    }

    pub fn url(&self, name: &str) -> String {
        fs::read_to_string(self.folder().join(name)).expect("an address").trim().to_owned()
    }

    pub fn host(&self, name: &str, key_of: Option<&Path>) -> PathBuf {
        host(&self.base.path().join(name), &self.url("url"), key_of)
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        self.script("down");
    }
}

/// Creates a host's folder for a database. Its key is copied from `key_of`, if given.
pub fn host(folder: &Path, store: &str, key_of: Option<&Path>) -> PathBuf {
    let secrets = folder.join("secrets");
    fs::create_dir_all(&secrets).expect("there is room");
    let settings = format!(
        "address = \"postrider@play.example\"\nanswers_per_hour = 0\nhtml = false\nstore = \"{store}\"\n\
         status_page = \"unix:status\"\n[mail_in.lmtp]\nlisten = \"unix:lmtp\"\n"
    );
    fs::write(folder.join("postrider.toml"), settings).expect("there is room");
    if let Some(other) = key_of {
        fs::copy(other.join("secrets/_service.jsonl"), secrets.join("_service.jsonl")).expect("there is a key");
    }
    folder.to_owned()
}

/// Timeout of a mail system for an acknowledgement.
const PATIENCE: Duration = Duration::from_secs(5);

/// A worker with its folder. A worker that has ended is started again, as by an init system.
pub struct Worker {
    pub folder: PathBuf,
    serving: Option<Child>,
}

impl Worker {
    pub fn begin(folder: PathBuf) -> Worker {
        let mut worker = Worker { folder, serving: None };
        worker.keep_up();
        worker
    }

    pub fn keep_up(&mut self) {
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

    pub fn kill(&mut self) {
        if let Some(mut serving) = self.serving.take() {
            serving.kill().expect("it is our own");
            serving.wait().expect("it is our own");
        }
    }

    pub fn take(&self, raw: &str) -> bool {
        let dialogue = |mut stream: UnixStream| {
            stream.set_read_timeout(Some(PATIENCE))?;
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

pub fn field(raw: &str, name: &str) -> Option<String> {
    let head = raw.replace("\r\n", "\n").split("\n\n").next()?.replace("\n ", " ").replace("\n\t", " ");
    head.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(':')?.trim().to_owned()))
}

/// A player with the letters received.
pub struct Player {
    pub game: String,
    pub puppet: Puppet,
    /// The Message-IDs of the letters received, with what they answer.
    pub letters: Vec<(String, Option<String>)>,
    newest: u64,
    /// The Message-IDs of the mails written and acknowledged.
    pub wrote: Vec<String>,
}

impl Player {
    pub fn new(base: &Path, game: &str, seat: usize, name: &str) -> Player {
        let low = name.to_lowercase();
        let kept = Maildir::open(base.join("players").join(&low)).expect("there is room");
        let mut puppet = Puppet::new(name, seat, kept);
        puppet.address = format!("{low}@players.example");
        Player { game: game.to_owned(), puppet, letters: Vec::new(), newest: 0, wrote: Vec::new() }
    }
}

/// The mail system of the workers' machines, which delivers letters from `mail/out` to the players.
#[derive(Default)]
pub struct Post {
    /// The Message-ID of every letter delivered, by its name in the outbox.
    pub names: BTreeMap<String, String>,
    /// The bytes of every letter, by its Message-ID.
    pub letters: BTreeMap<String, Vec<u8>>,
    /// Number of letters that arrived again.
    pub doubled: usize,
    /// The index of each player, by address.
    places: HashMap<String, usize>,
}

impl Post {
    /// Delivers letters; returns the indexes of the recipients, one per letter.
    pub fn carry(&mut self, workers: &[Worker], players: &mut [Player]) -> Vec<usize> {
        if self.places.len() != players.len() {
            let place = |(at, player): (usize, &Player)| (player.puppet.address.clone(), at);
            self.places = players.iter().enumerate().map(place).collect();
        }
        let (mut letters, mut reached) = (Vec::new(), Vec::new());
        for worker in workers {
            for file in fs::read_dir(worker.folder.join("mail/out/new")).into_iter().flatten().filter_map(Result::ok) {
                let raw = fs::read(file.path()).expect("a letter");
                fs::remove_file(file.path()).expect("it is there");
                letters.push((file.file_name().into_string().expect("a name"), raw));
            }
        }
        let line = |raw: &[u8]| -> (u64, String) {
            let id = field(&String::from_utf8_lossy(raw), "Message-ID").expect("an id");
            (id.split('.').nth(2).and_then(|n| n.parse().ok()).unwrap_or(0), id)
        };
        letters.sort_by_key(|(_, raw)| line(raw));
        for (name, raw) in &letters {
            let (line, id) = line(raw);
            self.enter(name, &id, raw);
            let text = String::from_utf8_lossy(raw);
            let to = field(&text, "To").expect("a reader");
            let at = to.trim_end_matches('>').rsplit('<').next().unwrap_or_default();
            let Some(&place) = self.places.get(at) else { continue };
            let player = &mut players[place];
            reached.push(place);
            let known = player.letters.iter().any(|(other, _)| *other == id);
            player.letters.push((id, field(&text, "In-Reply-To")));
            if line >= player.newest && !known {
                player.newest = line;
                player.puppet.get(player.letters.len(), raw).expect("it is a mail");
            }
        }
        reached
    }

    /// Records a letter; a repeated letter must be identical.
    fn enter(&mut self, name: &str, id: &str, raw: &[u8]) {
        let known = self.names.insert(name.to_owned(), id.to_owned());
        assert!(known.is_none_or(|known| known == id), "{name} has two Message-IDs");
        if let Some(known) = self.letters.insert(id.to_owned(), raw.to_vec()) {
            self.doubled += 1;
            assert!(known == raw, "{id} came again, and is another letter");
        }
    }
}

/// Returns `true` if a letter, given by its Message-ID and what it answers, is the answer to a
/// mail. `taken` contains the hashes of mails that had an effect.
pub fn answers((letter, answered): &(String, Option<String>), mail: &str, taken: &BTreeMap<String, String>) -> bool {
    let named = || taken.get(mail).is_some_and(|hash| letter.contains(&format!(".re-{}.", &hash[..8])));
    answered.as_deref() == Some(mail) || answered.is_none() && named()
}

pub fn logs(workers: &[Worker]) -> String {
    let tail = |worker: &Worker| {
        let log = fs::read_to_string(worker.folder.join("log")).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        format!("--- {}\n{}\n", worker.folder.display(), lines[lines.len().saturating_sub(25)..].join("\n"))
    };
    workers.iter().map(tail).collect()
}

/// Returns the mails in a folder that had an effect: the SHA-256 of each by its Message-ID.
pub fn taken(folder: &Path, game: &str) -> BTreeMap<String, String> {
    let files = fs::read_dir(folder.join("mail/taken").join(game)).into_iter().flatten().filter_map(Result::ok);
    let read = |path: PathBuf| {
        let raw = fs::read(&path).ok()?;
        Some((field(&String::from_utf8_lossy(&raw), "Message-ID")?, path.file_stem()?.to_str()?.to_owned()))
    };
    files.filter_map(|file| read(file.path())).collect()
}

pub fn good(output: &Output, workers: &[Worker]) -> String {
    assert!(output.status.success(), "{}{}", said(output), logs(workers));
    said(output)
}

pub fn prepare(first: &Path, owner: &str) {
    assert!(said(&run(first, &["status"])).contains("postrider store prepare"), "{}", said(&run(first, &["status"])));
    good(&run(first, &["store", "prepare", owner]), &[]);
    assert_eq!(good(&run(first, &["store", "prepare", owner]), &[]), "", "it has been done");
}

/// Checks that every acknowledged mail is answered exactly once, and that its effects are in the
/// journal exactly once.
pub fn everything_counts_once(folder: &Path, players: &[Player]) {
    let games: BTreeSet<&str> = players.iter().map(|player| player.game.as_str()).collect();
    for game in games {
        let journal = fs::read_to_string(folder.join(format!("journal/{game}.jsonl"))).expect("a journal");
        let taken = taken(folder, game);
        for player in players.iter().filter(|player| player.game == game) {
            let letters: BTreeSet<_> = player.letters.iter().cloned().collect();
            for id in &player.wrote {
                let count = letters.iter().filter(|letter| answers(letter, id, &taken)).count();
                let name = &player.puppet.name;
                assert_eq!(count, 1, "{name}'s mail {id}: every mail that was acknowledged is answered, and once");
            }
        }
        // All journal lines of a mail belong to one command, so they are close together.
        for hash in taken.values() {
            let lines: Vec<usize> =
                journal.lines().enumerate().filter(|(_, line)| line.contains(hash)).map(|(at, _)| at).collect();
            assert!(lines.windows(2).all(|pair| pair[1] - pair[0] < 40), "{game}: {hash}: {lines:?}");
        }
    }
}
