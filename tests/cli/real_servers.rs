//! A whole game for four through Postfix and Dovecot, started with tests/mail-server/up. Mails
//! arrive through a pipe, by LMTP, from a mailbox by IMAP, and through a Maildir. Letters are sent
//! with STARTTLS and a login, and through the TLS port. `serve` is killed during the game.
//!
//! POSTRIDER_KILLS is the number of kills. If the servers cannot be started, or POSTRIDER_SERVERS
//! is not set, the test says so and passes.
#![cfg(unix)]

use postrider::{
    demo::Puppet,
    dice::{DiceStream, h},
    mail::Envelope,
    mailbox::Maildir,
    wire::{Security, SmtpConfig, SmtpTransport, Transport},
};
use snapbox::cmd::cargo_bin;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    os::unix::{fs::PermissionsExt, net::UnixStream, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

const GAME: &str = "lone-pine";
const NAMES: [&str; 4] = ["Anna", "Ben", "Carl", "Dora"];

/// Time without a letter after which the game counts as stalled.
const STANDSTILL: Duration = Duration::from_secs(60);

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mail-server").join(name)
}

/// The servers, which run until the test ends.
struct Servers {
    base: TempDir,
    ports: BTreeMap<String, u16>,
    user: (u32, u32),
}

impl Servers {
    fn start() -> Option<Servers> {
        if std::env::var_os("POSTRIDER_SERVERS").is_none() {
            eprintln!("left out, a game through real mail servers: POSTRIDER_SERVERS=1 asks for it");
            return None;
        }
        // Every server syncs every mail, which takes a third of the time in memory.
        let memory = Path::new("/dev/shm");
        let roomy = rustix::fs::statvfs(memory).is_ok_and(|about| about.f_bavail * about.f_frsize > 1 << 30);
        let with_program = |base: TempDir| {
            // The servers' users need access to the program here.
            fs::set_permissions(base.path(), fs::Permissions::from_mode(0o755)).expect("it is our own");
            let program = base.path().join("postrider");
            fs::copy(cargo_bin!("postrider"), &program).expect("there is room");
            // Some systems do not allow programs to run from a memory file system.
            let runs = Command::new(&program).arg("--version").output().is_ok_and(|output| output.status.success());
            runs.then_some((base, program))
        };
        let in_memory = roomy.then(|| with_program(tempfile::tempdir_in(memory).expect("there is room"))).flatten();
        let (base, program) = in_memory
            .or_else(|| with_program(tempfile::tempdir().expect("there is room")))
            .expect("a program can be run from a temporary folder");
        let up = Command::new(script("up")).arg(base.path()).env("POSTRIDER", &program).output();
        let up = up.expect("there is a shell");
        if up.status.code() == Some(77) {
            eprintln!("left out, a game through real mail servers: {}", said(&up).trim());
            return None;
        }
        assert!(up.status.success(), "{}", said(&up));
        let text = fs::read_to_string(base.path().join("ports")).expect("ports");
        let port = |line: &str| Some((line.split_once('=')?.0.to_owned(), line.split_once('=')?.1.parse().ok()?));
        let ports = text.lines().filter_map(port).collect();
        let id = |what: &str| {
            let output = Command::new("id").args([what, "nobody"]).output().expect("id can be run");
            String::from_utf8_lossy(&output.stdout).trim().parse().expect("a number")
        };
        Some(Servers { user: (id("-u"), id("-g")), base, ports })
    }

    fn host(&self) -> PathBuf {
        self.base.path().join("host")
    }

    fn postrider(&self, words: &[&str]) -> Command {
        let mut command = Command::new(self.base.path().join("postrider"));
        command.arg("--root").arg(self.host()).args(words).env_remove("POSTRIDER_LOG").stdin(Stdio::null());
        command.uid(self.user.0).gid(self.user.1).current_dir(self.base.path());
        command
    }

    fn run(&self, words: &[&str]) -> Output {
        self.postrider(words).output().expect("the program can be run")
    }

    fn serve(&self) -> Child {
        let log =
            fs::File::options().create(true).append(true).open(self.base.path().join("serve-log")).expect("a log");
        self.postrider(&["serve"]).stdout(Stdio::null()).stderr(log).spawn().expect("the program can be run")
    }

    /// Ends it properly, after it has started to serve.
    fn end(&self, mut serving: Child) {
        let begun = Instant::now();
        while UnixStream::connect(self.host().join("status")).is_err() && begun.elapsed() < STANDSTILL {
            thread::sleep(Duration::from_millis(20));
        }
        let status = Command::new("kill").arg(serving.id().to_string()).status().expect("kill can be run");
        assert!(status.success() && serving.wait().expect("it is our own").success(), "{}", self.all_logs());
    }

    /// Returns the mails that had an effect: the SHA-256 of each by its Message-ID.
    fn taken(&self) -> BTreeMap<String, String> {
        let files =
            fs::read_dir(self.host().join("mail/taken").join(GAME)).into_iter().flatten().filter_map(Result::ok);
        let read = |path: PathBuf| {
            let raw = fs::read(&path).ok()?;
            Some((field(&String::from_utf8_lossy(&raw), "Message-ID")?, path.file_stem()?.to_str()?.to_owned()))
        };
        files.filter_map(|file| read(file.path())).collect()
    }

    fn log(&self, name: &str) -> String {
        fs::read_to_string(self.base.path().join(name)).unwrap_or_default()
    }

    fn all_logs(&self) -> String {
        let tail = |name: &str| {
            let log = self.log(name);
            let lines: Vec<&str> = log.lines().collect();
            format!("--- {name}\n{}\n", lines[lines.len().saturating_sub(30)..].join("\n"))
        };
        ["serve-log", "postfix/log", "dovecot/log"].map(tail).concat()
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        let _ = Command::new(script("down")).arg(self.base.path()).status();
    }
}

/// Returns `true` if a letter, given by its Message-ID and what it answers, is the answer to a
/// mail. A letter lost in a kill is written again at the next start, when the mail's position in
/// its thread is no longer known; then the name of the letter shows what it answers.
fn answers((letter, answered): &(String, Option<String>), mail: &str, taken: &BTreeMap<String, String>) -> bool {
    let named = || taken.get(mail).is_some_and(|hash| letter.contains(&format!(".re-{}.", &hash[..8])));
    answered.as_deref() == Some(mail) || answered.is_none() && named()
}

/// A player with the letters received.
struct Player {
    puppet: Puppet,
    mailbox: PathBuf,
    /// The names of their files.
    seen: BTreeSet<String>,
    /// The Message-ID of each letter received, including repeats, with what it answers.
    letters: Vec<(String, Option<String>)>,
    /// The number of the journal line in the newest letter.
    newest: u64,
    /// The Message-IDs of the mails written.
    wrote: Vec<String>,
}

fn field(raw: &str, name: &str) -> Option<String> {
    let head = raw.replace("\r\n", "\n").split("\n\n").next()?.replace("\n ", " ").replace("\n\t", " ");
    head.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(':')?.trim().to_owned()))
}

impl Player {
    fn read(&mut self) -> bool {
        // A mail program moves letters that it has shown to the other folder and appends flags to
        // their names.
        let folders = ["new", "cur"].map(|folder| fs::read_dir(self.mailbox.join(folder)).into_iter().flatten());
        let files = folders.into_iter().flatten().filter_map(Result::ok);
        let named =
            |path: PathBuf| (path.file_name().unwrap().to_string_lossy().split(':').next().unwrap().to_owned(), path);
        let mut new: Vec<_> =
            files.map(|file| named(file.path())).filter(|(name, _)| !self.seen.contains(name)).collect();
        new.sort();
        let arrived = !new.is_empty();
        for (name, path) in new {
            let raw = fs::read(&path).expect("a letter");
            self.seen.insert(name);
            let text = String::from_utf8_lossy(&raw);
            let id = field(&text, "Message-ID").expect("an id");
            let line = id.split('.').nth(2).and_then(|n| n.parse().ok()).unwrap_or(0);
            let known = self.letters.iter().any(|(other, _)| *other == id);
            self.letters.push((id, field(&text, "In-Reply-To")));
            // Mails of the same moment may arrive in any order.
            if line >= self.newest && !known {
                self.newest = line;
                self.puppet.get(self.letters.len(), &raw).expect("it is a mail");
            }
        }
        arrived
    }
}

/// Joins as Anna with neomutt, in a terminal; returns `false` if that is impossible.
fn joins_with_neomutt(servers: &Servers) -> bool {
    let mailbox = servers.base.path().join("mail/anna/new");
    let begun = Instant::now();
    while fs::read_dir(&mailbox).map_or(0, Iterator::count) == 0 {
        assert!(begun.elapsed() < STANDSTILL, "no invitation came{}", servers.all_logs());
        thread::sleep(Duration::from_millis(20));
    }
    let mut reply = Command::new(script("reply-with-neomutt"));
    let reply =
        reply.arg(servers.base.path()).args(["anna", "join luck: the grey horse"]).stdin(Stdio::null()).output();
    let reply = reply.expect("there is a shell");
    if reply.status.code() == Some(77) {
        eprintln!("left out, an answer with neomutt: {}", said(&reply).trim());
        return false;
    }
    let screen = || {
        String::from_utf8_lossy(&fs::read(servers.base.path().join("neomutt-anna/screen")).unwrap_or_default())
            .into_owned()
    };
    assert!(reply.status.success(), "{}{}{}", said(&reply), screen(), servers.all_logs());
    let journal = servers.host().join(format!("journal/{GAME}.jsonl"));
    while !fs::read_to_string(&journal).is_ok_and(|text| text.contains("the grey horse")) {
        assert!(begun.elapsed() < 2 * STANDSTILL, "she has not joined{}{}", screen(), servers.all_logs());
        thread::sleep(Duration::from_millis(20));
    }
    true
}

#[test]
fn a_whole_game_of_four_goes_through_real_servers() {
    let Some(servers) = Servers::start() else { return };
    let kills: usize = std::env::var("POSTRIDER_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    // The host sets up the folder as a person would.
    let password = servers.base.path().join("password");
    fs::write(&password, "secret\n").expect("there is room");
    let at = |port: &str| format!("localhost:{}", servers.ports[port]);
    let (imap, smtp) = (at("imaps"), at("submission"));
    let (ca, password) = (servers.base.path().join("tls/ca.pem"), password.display().to_string());
    let ca = ca.display().to_string();
    let user = "postrider@play.example";
    let mut words = vec!["init", "--address", user, "--imap", &imap, "--imap-user", user];
    words.extend(["--imap-password-file", &password, "--smtp", &smtp, "--smtp-security", "starttls", "--ca", &ca]);
    let init = servers.run(&words);
    assert!(init.status.success(), "{}{}", said(&init), servers.all_logs());
    assert!(said(&init).contains("at an address with an extension"), "{}", said(&init));
    let settings = servers.host().join("postrider.toml");
    let written = fs::read_to_string(&settings).expect("settings");
    let lmtp = servers.ports["lmtp"];
    let more = "status_page = \"unix:status\"\nanswers_per_hour = 0\npictures = \"never\"\n";
    let written = format!("{more}{written}\n[mail_in.lmtp]\nlisten = \"127.0.0.1:{lmtp}\"\n");
    fs::write(&settings, &written).expect("there is room");
    let players = NAMES.map(|name| format!("{name} <{}@players.example>", name.to_lowercase()));
    let mut words = vec!["new", "--id", GAME, "--ruleset", "plains-indian-wars"];
    players.iter().for_each(|player| words.extend(["--player", player]));

    let mut serving = servers.serve();
    let opened = servers.run(&words);
    assert!(opened.status.success(), "{}", said(&opened));
    let config = SmtpConfig {
        host: "127.0.0.1".to_owned(),
        port: servers.ports["smtp"],
        security: Security::None,
        credentials: None,
        hello_name: Some("players.example".to_owned()),
        ca: None,
        timeout: Duration::from_secs(20),
        dkim: None,
    };
    let mut out = SmtpTransport::new(&config).expect("it is this machine");
    let mut players: Vec<Player> = NAMES
        .iter()
        .enumerate()
        .map(|(seat, name)| {
            let name = name.to_lowercase();
            let kept = Maildir::open(servers.base.path().join("players").join(&name)).expect("there is room");
            let mut puppet = Puppet::new(NAMES[seat], seat, kept);
            puppet.address = format!("{name}@players.example");
            let mailbox = servers.base.path().join("mail").join(name);
            Player { puppet, mailbox, seen: BTreeSet::new(), letters: Vec::new(), newest: 0, wrote: Vec::new() }
        })
        .collect();
    let by_neomutt = joins_with_neomutt(&servers);
    let mut chance = DiceStream::new(h("postrider/real-servers/v1", &[]));
    let journal = servers.host().join(format!("journal/{GAME}.jsonl"));
    let over = || fs::read_to_string(&journal).is_ok_and(|text| text.contains("\"kind\":\"closed\""));
    let (mut last, mut written_mails, mut killed, mut switched) = (Instant::now(), 0, 0, false);
    // A game takes about three hundred mails, and the shortest of 2,000 simulated games took 189,
    // so all kills occur within the first 120.
    let (begun, every) = (Instant::now(), (120 / (kills + 1)).clamp(1, 40));
    while !over() {
        for player in &mut players {
            if player.read() {
                last = Instant::now();
            }
            if !player.puppet.wants_to_write() {
                continue;
            }
            let now = std::time::SystemTime::now().into();
            let Some(raw) = player.puppet.write(Vec::new(), &mut chance, now) else { continue };
            let text = String::from_utf8_lossy(&raw).into_owned();
            player.wrote.push(field(&text, "Message-ID").expect("an id"));
            let to = field(&text, "To").expect("a recipient");
            let to = to.split(['<', '>']).nth(1).expect("an address").to_owned();
            let envelope = Envelope { sender: Some(player.puppet.address.clone()), recipients: vec![to] };
            out.send(&envelope, &raw).unwrap_or_else(|why| panic!("{why}{}", servers.all_logs()));
            written_mails += 1;
        }
        if killed < kills && written_mails > (killed + 1) * every {
            thread::sleep(Duration::from_millis(u64::from(chance.below(200))));
            serving.kill().expect("it is our own");
            serving.wait().expect("it is our own");
            serving = servers.serve();
            killed += 1;
        }
        if !switched && written_mails > 60 {
            // From now on letters use the other port.
            servers.end(serving);
            let (from, to) = (servers.ports["submission"], servers.ports["submissions"]);
            let other = written.replace(
                &format!("port = {from}\nsecurity = \"starttls\""),
                &format!("port = {to}\nsecurity = \"tls\""),
            );
            assert_ne!(other, written);
            fs::write(&settings, other).expect("there is room");
            serving = servers.serve();
            switched = true;
        }
        assert!(last.elapsed() < STANDSTILL, "the game stands still after {written_mails} mails{}", servers.all_logs());
        thread::sleep(Duration::from_millis(10));
    }
    let took = begun.elapsed();
    assert_eq!(killed, kills);
    // Waits for letters still on their way.
    let answered = |player: &Player| {
        let taken = servers.taken();
        player.wrote.iter().all(|id| player.letters.iter().any(|letter| answers(letter, id, &taken)))
    };
    while !players.iter().all(answered) && last.elapsed() < STANDSTILL {
        for player in &mut players {
            if player.read() {
                last = Instant::now();
            }
        }
        thread::sleep(Duration::from_millis(20));
    }
    servers.end(serving);

    let mut doubled = 0;
    let taken = servers.taken();
    for player in &players {
        let name = &player.puppet.name;
        let letters: BTreeSet<_> = player.letters.iter().cloned().collect();
        doubled += player.letters.len() - letters.len();
        for id in &player.wrote {
            let answers = letters.iter().filter(|letter| answers(letter, id, &taken)).count();
            assert_eq!(answers, 1, "{name}'s mail {id}: every mail is answered, and once{}", servers.all_logs());
        }
    }
    eprintln!("{written_mails} mails in {:.0} s, {killed} kills, {doubled} doubled letters", took.as_secs_f64());
    let postfix = servers.log("postfix/log");
    for (what, name) in [("relay=trialpipe", "a pipe"), ("relay=trialbox", "a Maildir")] {
        assert!(postfix.lines().any(|line| line.contains(what) && line.contains("status=sent")), "by {name}");
    }
    if by_neomutt {
        let mails = fs::read_dir(servers.host().join("mail/taken").join(GAME)).expect("mails that did something");
        let wrote = mails.filter_map(|mail| fs::read_to_string(mail.ok()?.path()).ok());
        assert!({ wrote }.any(|mail| field(&mail, "User-Agent").is_some_and(|agent| agent.starts_with("NeoMutt"))));
    }
    for way in ["imap", "lmtp"] {
        assert!(servers.log("serve-log").contains(&format!("way=\"{way}\"")), "by {way}");
    }
    for port in ["postfix/submission/smtpd", "postfix/submissions/smtpd"] {
        let used = |line: &str| line.contains(port) && line.contains("sasl_username=postrider@play.example");
        assert!(postfix.lines().any(used), "by {port}");
    }
    let poison = fs::read_dir(servers.host().join("mail/poison/new")).map_or(0, Iterator::count);
    assert_eq!(poison, 0);
    let proved = servers.run(&["verify", GAME]);
    assert!(matches!(proved.status.code(), Some(0 | 2)), "{}", said(&proved));
}
