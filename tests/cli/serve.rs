//! `serve`, the real program: all sources of mail, sending, its end with and without signals, and
//! its status page.
#![cfg(unix)]

use crate::program::{run, said};
use crate::scripted::{ImapServer, Manner, SmtpServer, wait_for};
use crate::trial::{field, number};
use snapbox::cmd::cargo_bin;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{Read, Write},
    os::unix::{net::UnixStream, process::ExitStatusExt},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::Duration,
};
use tempfile::TempDir;

pub(crate) const GAME: &str = "lone-pine";

/// Settings for LMTP and a status page, at paths in the host's folder.
pub(crate) const LOCAL: &str = "status_page = \"unix:status\"\n[mail_in.lmtp]\nlisten = \"unix:lmtp\"\n";

fn host(settings: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    let settings = format!("address = \"postrider@play.example\"\nanswers_per_hour = 0\n{settings}");
    fs::write(folder.path().join("postrider.toml"), "address = \"postrider@play.example\"\n")
        .expect("it can be written");
    let players = ["--player", "Anna <anna@example.net>", "--player", "Ben <ben@example.net>"];
    let words = [&["new", "--ruleset", "plains-indian-wars", "--id", GAME][..], &players].concat();
    let output = run(folder.path(), &words);
    assert!(output.status.success(), "{}", said(&output));
    fs::write(folder.path().join("postrider.toml"), settings).expect("it can be written");
    folder
}

/// The running program, which is killed when the test ends.
pub(crate) struct Serving(Child, PathBuf);

impl Serving {
    fn begin(folder: &Path) -> Serving {
        let log = fs::File::options().create(true).append(true).open(folder.join("log")).expect("a log");
        let mut command = Command::new(cargo_bin!("postrider"));
        command.arg("--root").arg(folder).args(["serve", "--log-format", "json"]).env_remove("POSTRIDER_LOG");
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn();
        Serving(child.expect("the program can be run"), folder.to_owned())
    }

    pub(crate) fn ready(folder: &Path) -> Serving {
        let serving = Serving::begin(folder);
        wait_for("the status page", || {
            ask(folder, "GET /health").ok().filter(|answer| answer.starts_with("HTTP/1.1 200"))
        });
        serving
    }

    fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args(["-s", signal, &self.0.id().to_string()]).status();
        assert!(sent.expect("kill can be run").success());
    }

    fn end(&mut self) -> ExitStatus {
        let Serving(child, folder) = self;
        wait_for(&format!("its end: {}", log(folder)), || child.try_wait().expect("it is our own"))
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn log(folder: &Path) -> String {
    fs::read_to_string(folder.join("log")).unwrap_or_default()
}

/// Returns the answer of the status page.
pub(crate) fn ask(folder: &Path, request: &str) -> std::io::Result<String> {
    let mut stream = UnixStream::connect(folder.join("status"))?;
    stream.write_all(format!("{request} HTTP/1.1\r\nHost: x\r\n\r\n").as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

pub(crate) fn hand_over(folder: &Path, raw: &str) -> bool {
    let dialogue = |mut stream: UnixStream| {
        let text = raw.replace("\r\n.", "\r\n..");
        let words = format!(
            "LHLO mx\r\nMAIL FROM:<x@example.net>\r\nRCPT TO:<postrider@play.example>\r\nDATA\r\n{text}\r\n.\r\nQUIT\r\n"
        );
        stream.write_all(words.as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).map(|_| answer)
    };
    UnixStream::connect(folder.join("lmtp")).and_then(dialogue).is_ok_and(|answer| answer.contains("250 2.0.0 taken"))
}

pub(crate) fn letters(folder: &Path, which: &str) -> Vec<(String, String)> {
    let files = fs::read_dir(folder.join("mail").join(which).join("new")).into_iter().flatten();
    let read = files.filter_map(|file| {
        let file = file.ok()?;
        Some((file.file_name().into_string().ok()?, fs::read_to_string(file.path()).ok()?.replace("\r\n ", " ")))
    });
    let mut all: Vec<_> = read.collect();
    all.sort();
    all
}

fn invitation(folder: &Path, seat: &str) -> String {
    let found = letters(folder, "out").into_iter().find(|(name, _)| name.contains(&format!(".{seat}.")));
    found.expect("an invitation").1
}

pub(crate) fn answer(letter: &str, words: &str, id: &str) -> String {
    let field = |name: &str| letter.lines().find_map(|line| line.strip_prefix(name)).expect("the field").trim();
    let (from, to) = (field("To:"), field("Reply-To:"));
    format!(
        "From: {from}\r\nTo: {to}\r\nSubject: Re: {}\r\nMessage-ID: <{id}@example.net>\r\n\r\n{words}\r\n",
        field("Subject:")
    )
}

fn journal(folder: &Path) -> String {
    fs::read_to_string(folder.join(format!("journal/{GAME}.jsonl"))).expect("a journal")
}

fn joined(folder: &Path) -> usize {
    journal(folder).matches("\"kind\":\"joined\"").count()
}

#[test]
fn a_mail_by_lmtp_and_one_that_is_delivered_into_the_maildir_are_answered() {
    let folder = host(LOCAL);
    let (anna, ben) = (invitation(folder.path(), "A"), invitation(folder.path(), "B"));
    let _serving = Serving::ready(folder.path());
    assert!(hand_over(folder.path(), &answer(&anna, "join", "1")));
    wait_for("Anna has joined", || (joined(folder.path()) == 1).then_some(()));
    let new = folder.path().join("mail/in");
    fs::write(new.join("tmp/1"), answer(&ben, "join", "2")).expect("there is room");
    fs::rename(new.join("tmp/1"), new.join("new/1.of.an.mta")).expect("there is room");
    wait_for("Ben has joined", || (joined(folder.path()) == 2).then_some(()));
    wait_for("the inbox is empty", || letters(folder.path(), "in").is_empty().then_some(()));
    let metrics = wait_for("both are counted", || {
        ask(folder.path(), "GET /metrics")
            .ok()
            .filter(|text| text.contains("postrider_mails_taken_total{outcome=\"answered\"} 2\n"))
    });
    assert!(metrics.contains("postrider_mails_put_total{way=\"lmtp\"} 1\n"), "{metrics}");
    assert!(!log(folder.path()).contains("anna@"), "no address stands in the log");
    // The same mail from another source has no further effect.
    assert!(hand_over(folder.path(), &answer(&ben, "join", "2")));
    wait_for("it is known", || {
        ask(folder.path(), "GET /metrics").ok()?.contains("{outcome=\"again\"} 1").then_some(())
    });
}

#[test]
fn a_mail_that_waits_for_the_dns_keeps_no_other_waiting() {
    let silent = std::net::UdpSocket::bind("127.0.0.1:0").expect("a port");
    let server = silent.local_addr().expect("its address");
    let folder = host(&format!("sender_check = \"recorded\"\nresolver = \"{server}\"\n{LOCAL}"));
    let (anna, ben) = (invitation(folder.path(), "A"), invitation(folder.path(), "B"));
    let _serving = Serving::ready(folder.path());
    let signature = "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.net; s=one; h=From:To:Subject; \
                     bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=AAAA\r\n";
    let began = std::time::Instant::now();
    for id in ["1", "2", "3"] {
        assert!(hand_over(folder.path(), &(signature.to_owned() + &answer(&anna, "join", id))));
    }
    assert!(hand_over(folder.path(), &answer(&ben, "join", "4")));
    wait_for("Ben has joined", || journal(folder.path()).contains("\"kind\":\"joined\"").then_some(()));
    let time = began.elapsed();
    assert!(time < Duration::from_secs(4), "{time:?}");
    wait_for("nothing but those three waits", || (letters(folder.path(), "in").len() == 3).then_some(()));
    assert_eq!(joined(folder.path()), 1);
}

#[test]
fn the_status_page_answers_what_it_is_asked() {
    let folder = host(LOCAL);
    let _serving = Serving::ready(folder.path());
    let first = |request: &str| ask(folder.path(), request).expect("an answer");
    assert!(first("GET /").contains("All is well.\n"), "{}", first("GET /"));
    assert!(first("GET /health").ends_with("\r\n\r\nwell\n"));
    assert!(first("GET /metrics").contains("postrider_healthy 1\n"));
    assert!(first("GET /secrets").starts_with("HTTP/1.1 404 "));
    assert!(first("POST /").starts_with("HTTP/1.1 405 "));
    assert!(!first("HEAD /").contains("All is well"));
}

#[test]
fn connections_that_say_nothing_keep_nobody_out() {
    let folder = host(LOCAL);
    let anna = invitation(folder.path(), "A");
    let _serving = Serving::ready(folder.path());
    let idle = |socket: &str, count: usize| -> Vec<UnixStream> {
        (0..count).map(|_| UnixStream::connect(folder.path().join(socket)).expect("it listens")).collect()
    };
    let _looking = idle("status", 40);
    let mut _handing = idle("lmtp", 45);
    // One of them sends an incomplete command, which does not count until its end.
    _handing[0].write_all(b"LHLO").expect("it is heard");
    let began = std::time::Instant::now();
    thread::scope(|threads| {
        threads.spawn(|| assert!(ask(folder.path(), "GET /health").expect("an answer").ends_with("\r\n\r\nwell\n")));
        threads.spawn(|| assert!(hand_over(folder.path(), &answer(&anna, "join", "1"))));
    });
    let time = began.elapsed();
    assert!(time < Duration::from_secs(40), "{time:?}");
}

#[test]
fn one_folder_is_served_by_one_process() {
    let folder = host(LOCAL);
    let first = Serving::ready(folder.path());
    let second = run(folder.path(), &["serve"]);
    let words = said(&second);
    assert_eq!(second.status.code(), Some(75), "{words}");
    assert!(words.contains(&format!("process {} already serves this folder", first.0.id())), "{words}");
    // The command line works at the same time.
    let told = run(folder.path(), &["order", GAME, "A", "join"]);
    assert!(told.status.success() && joined(folder.path()) == 1, "{}", said(&told));
    drop(first);
    drop(Serving::ready(folder.path()));
}

#[test]
fn a_signal_ends_it_in_good_order_while_the_mail_server_says_nothing() {
    // In parallel, because they mostly wait.
    thread::scope(|threads| {
        for signal in ["TERM", "INT"] {
            threads.spawn(move || ends_by(signal));
        }
    });
}

fn ends_by(signal: &str) {
    let silent = SmtpServer::start(Manner::Silent);
    let out = format!(
        "{LOCAL}[mail_out.smtp]\nhost = \"127.0.0.1\"\nport = {}\nsecurity = \"none\"\ntimeout = 600\n",
        silent.port
    );
    let folder = host(&out);
    let mut serving = Serving::ready(folder.path());
    // With a timeout of 600 seconds per answer, these would fail if they waited for one.
    wait_for("somebody sends", || (*silent.connections.lock().expect("whole") > 0).then_some(()));
    let anna = invitation(folder.path(), "A");
    assert!(hand_over(folder.path(), &answer(&anna, "join", "1")));
    wait_for("Anna has joined", || (joined(folder.path()) == 1).then_some(()));
    serving.signal(signal);
    assert_eq!(serving.end().code(), Some(0), "{}", log(folder.path()));
    assert!(!folder.path().join("lmtp").exists() && !folder.path().join("status").exists());
}

#[test]
fn letters_leave_by_themselves_over_one_connection_also_those_of_other_commands() {
    let server = SmtpServer::start(Manner::Slow(Duration::from_millis(20)));
    let out = format!("{LOCAL}[mail_out.smtp]\nhost = \"127.0.0.1\"\nport = {}\nsecurity = \"none\"\n", server.port);
    let folder = host(&out);
    let _serving = Serving::ready(folder.path());
    let taken = |count: usize| {
        let enough = || (server.taken.lock().expect("whole").len() >= count).then_some(());
        wait_for("letters arrive", enough);
    };
    taken(2);
    let told = run(folder.path(), &["tell", GAME, "The cat is on the board."]);
    assert!(told.status.success(), "{}", said(&told));
    taken(4);
    let to: BTreeSet<_> = server.taken.lock().expect("whole").iter().map(|(to, _)| to.clone()).collect();
    assert_eq!(to, BTreeSet::from(["anna@example.net".to_owned(), "ben@example.net".to_owned()]));
    assert_eq!(*server.connections.lock().expect("whole"), 1, "{}", log(folder.path()));
}

#[test]
fn a_letter_that_is_refused_is_known_and_nothing_else_suffers() {
    let server = SmtpServer::start(Manner::Refuses);
    let out = format!("{LOCAL}[mail_out.smtp]\nhost = \"127.0.0.1\"\nport = {}\nsecurity = \"none\"\n", server.port);
    let folder = host(&out);
    let anna = invitation(folder.path(), "A");
    let _serving = Serving::ready(folder.path());
    wait_for("both are refused", || {
        ask(folder.path(), "GET /metrics").ok()?.contains("postrider_letters_refused_total 2\n").then_some(())
    });
    assert!(ask(folder.path(), "GET /health").expect("an answer").ends_with("\r\n\r\nwell\n"));
    assert!(said(&run(folder.path(), &["status"])).contains("a letter to seat A did not arrive"));
    assert!(hand_over(folder.path(), &answer(&anna, "join", "1")));
    wait_for("Anna has joined", || (joined(folder.path()) == 1).then_some(()));
}

fn mailbox(server: &ImapServer, more: &str) -> String {
    format!(
        "status_page = \"unix:status\"\n[mail_in.imap]\nhost = \"127.0.0.1\"\nport = {}\nsecurity = \"none\"\nuser = \"postrider\"\n\
         password_file = \"imap-password\"\npoll = 5\n{more}",
        server.port
    )
}

fn with_mailbox(server: &ImapServer, more: &str) -> TempDir {
    let folder = host(&mailbox(server, more));
    fs::write(folder.path().join("imap-password"), "secret\n").expect("there is room");
    folder
}

/// The server reports new mails (RFC 2177). Processed mails are recognized only by their UIDs (RFC
/// 9051, section 2.3.1.1).
#[test]
fn a_mailbox_is_read_and_what_was_taken_is_marked() {
    let server = ImapServer::start();
    let folder = with_mailbox(&server, "");
    let (anna, ben) = (invitation(folder.path(), "A"), invitation(folder.path(), "B"));
    // Read by a person before the first start.
    server.put(answer(&anna, "join", "0").as_bytes());
    server.held().mails[0].seen = true;
    server.put(answer(&anna, "join", "1").as_bytes());
    server.put(answer(&ben, "join", "0").as_bytes());
    server.held().mails[2].seen = true;
    let serving = Serving::ready(folder.path());
    wait_for("Anna has joined", || (joined(folder.path()) == 1).then_some(()));
    wait_for("it is marked", || server.held().mails[1].seen.then_some(()));
    wait_for("it waits for news", || (server.count("IDLE") == 1).then_some(()));
    // A mail that a person reads before the program still counts.
    server.put(b"From: a@b.example\r\nTo: postrider@play.example\r\nSubject: x\r\n\r\nhello\r\n");
    wait_for("it is marked", || server.held().mails[3].seen.then_some(()));
    drop(serving);
    server.put(answer(&ben, "join", "2").as_bytes());
    server.held().mails[4].seen = true;
    let _serving = Serving::ready(folder.path());
    wait_for("Ben has joined", || (joined(folder.path()) == 2).then_some(()));
    let fetched: Vec<_> = server
        .held()
        .heard
        .iter()
        .filter_map(|line| line.strip_prefix("UID FETCH 10").map(|l| l[..1].to_owned()))
        .collect();
    assert_eq!(fetched, ["2", "4", "5"], "each once, and none that was read before");
    assert!(!log(folder.path()).contains("secret"));
}

#[test]
fn a_mailbox_that_is_numbered_anew_is_read_anew_and_nothing_acts_twice() {
    let server = ImapServer::start();
    let folder = with_mailbox(&server, "");
    let anna = invitation(folder.path(), "A");
    server.put(answer(&anna, "join", "1").as_bytes());
    let _serving = Serving::ready(folder.path());
    wait_for("Anna has joined", || (joined(folder.path()) == 1).then_some(()));
    wait_for("it is marked", || server.held().mails[0].seen.then_some(()));
    {
        let mut held = server.held();
        (held.validity, held.generation, held.mails[0].seen, held.mails[0].uid) = (8, 1, false, 3);
    }
    wait_for("it is fetched anew", || (server.count("UID FETCH 3 ") == 1).then_some(()));
    wait_for("it is known", || {
        ask(folder.path(), "GET /metrics").ok()?.contains("{outcome=\"again\"} 1").then_some(())
    });
    assert_eq!(joined(folder.path()), 1);
}

#[test]
fn a_mailbox_without_idle_is_asked_and_mails_are_moved_or_deleted() {
    // In parallel, because they mostly wait.
    thread::scope(|threads| {
        threads.spawn(|| is_asked("done = { move = \"Done\" }\n", "IMAP4rev1 UIDPLUS MOVE"));
        threads.spawn(|| is_asked("done = \"delete\"\n", "IMAP4rev1 UIDPLUS"));
    });
}

/// Checks that a mailbox with these capabilities is polled, and that its mails are handled as set.
fn is_asked(done: &str, capabilities: &'static str) {
    let server = ImapServer::start();
    server.held().capabilities = capabilities;
    let folder = with_mailbox(&server, done);
    let anna = invitation(folder.path(), "A");
    server.put(answer(&anna, "join", "1").as_bytes());
    let _serving = Serving::ready(folder.path());
    wait_for("Anna has joined", || (joined(folder.path()) == 1).then_some(()));
    wait_for("it is gone", || server.held().mails.is_empty().then_some(()));
    assert_eq!(server.held().moved.len(), usize::from(done.contains("move")));
    server.put(b"From: a@b.example\r\nTo: postrider@play.example\r\nSubject: x\r\n\r\nhello\r\n");
    wait_for("the next one is gone", || server.held().mails.is_empty().then_some(()));
    assert_eq!(server.count("IDLE"), 0);
}

#[test]
fn a_mail_that_the_server_cannot_give_keeps_no_other_waiting() {
    let server = ImapServer::start();
    let folder = with_mailbox(&server, "");
    let anna = invitation(folder.path(), "A");
    let broken = server.put(b"Subject: x\r\n\r\n");
    server.held().broken = Some(broken);
    server.put(answer(&anna, "join", "1").as_bytes());
    let _serving = Serving::ready(folder.path());
    wait_for("Anna has joined", || (joined(folder.path()) == 1).then_some(()));
    assert_eq!(server.count(&format!("UID FETCH {broken} ")), 3);
    assert!(!server.held().mails[0].seen, "it is left to be looked at");
}

#[test]
fn a_refused_login_is_said_on_the_status_page_and_nothing_else_suffers() {
    let server = ImapServer::start();
    server.held().password = "another";
    let folder = with_mailbox(&server, "[mail_in.lmtp]\nlisten = \"unix:lmtp\"\n");
    let anna = invitation(folder.path(), "A");
    let _serving = Serving::ready(folder.path());
    wait_for("it is said", || {
        ask(folder.path(), "GET /").ok()?.contains("imap: 127.0.0.1 refuses the login: ").then_some(())
    });
    assert!(hand_over(folder.path(), &answer(&anna, "join", "1")));
    wait_for("Anna has joined", || (joined(folder.path()) == 1).then_some(()));
    server.held().password = "secret";
    wait_for("it is tried again", || ask(folder.path(), "GET /").ok()?.contains("imap: works").then_some(()));
}

/// The access token (RFC 6749) comes from a program of the host. If the server explains why it
/// rejects a token, the client sends an empty response.
#[test]
fn a_mailbox_is_entered_by_a_token_where_the_provider_takes_no_password() {
    let server = ImapServer::start();
    let said = data_encoding::BASE64.encode(b"user=postrider\x01auth=Bearer ya29.token\x01\x01");
    server.held().password = said.leak();
    let folder = with_mailbox(&server, "token_command = [\"sh\", \"-c\", \"echo ya29.token; echo more\"]\n");
    let anna = invitation(folder.path(), "A");
    server.put(answer(&anna, "join", "1").as_bytes());
    let _serving = Serving::ready(folder.path());
    wait_for("Anna has joined", || (joined(folder.path()) == 1).then_some(()));
    assert_eq!((server.count("AUTHENTICATE XOAUTH2"), server.count("LOGIN")), (1, 0));
    assert!(!log(folder.path()).contains("ya29"));
}

#[test]
fn settings_that_make_no_sense_are_said_before_anything_begins() {
    for (settings, says) in [
        ("status_page = \"0.0.0.0:9925\"\n", "others than this machine could reach it"),
        ("[mail_in.lmtp]\nlisten = \"192.0.2.1:24\"\n", "others than this machine could reach it"),
        ("[mail_in.imap]\nhost = \"x\"\nuser = \"y\"\nca = \"none.pem\"\n", "none.pem"),
        ("[mail_in.imap]\nhost = \"x\"\nuser = \"y\"\nfolder = \"z\"\n", "there is no setting `folder`"),
    ] {
        let folder = host(settings);
        let output = run(folder.path(), &["serve"]);
        assert!(!output.status.success() && said(&output).contains(says), "{}", said(&output));
    }
}

/// A kill at any moment loses nothing and repeats nothing: every mail has its effect once, and one
/// letter says so, which is the same byte for byte if it is sent again. POSTRIDER_KILLS is the
/// number of rounds with a kill, in each of which eight mails to four games are delivered.
#[test]
fn killed_at_random_it_is_taken_up_where_it_was() {
    let kills = number("POSTRIDER_KILLS", 8);
    let folder = host(LOCAL);
    let games = [GAME, "red-mesa", "blue-river", "salt-lake"];
    for game in &games[1..] {
        let players = ["--player", "Anna <anna@example.net>", "--player", "Ben <ben@example.net>"];
        let words = [&["new", "--ruleset", "plains-indian-wars", "--id", game][..], &players].concat();
        assert!(run(folder.path(), &words).status.success());
    }
    let invitations = letters(folder.path(), "out");
    let invited = |game: &str, seat: &str| {
        let found = invitations.iter().find(|(name, _)| name.starts_with(&format!("{game}.{seat}.")));
        found.expect("an invitation").1.clone()
    };
    let server = SmtpServer::start(Manner::Takes);
    let settings = folder.path().join("postrider.toml");
    let smtp = format!("[mail_out.smtp]\nhost = \"127.0.0.1\"\nport = {}\nsecurity = \"none\"\n", server.port);
    fs::write(&settings, fs::read_to_string(&settings).expect("settings") + &smtp).expect("there is room");
    let mut chance = 0x9e37_79b9_u64;
    let mut random = |below: u64| {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (chance >> 33) % below
    };
    let mut killed = 0;
    for nth in 0..kills {
        let mut serving = Serving::begin(folder.path());
        let handing = games.map(|game| {
            let root = folder.path().to_owned();
            let mails = [("A", "ben", "Anna"), ("B", "anna", "Ben")].map(|(seat, to, who)| {
                let words = format!("tell {to}: note {nth} of {who}");
                answer(&invited(game, seat), &words, &format!("{game}.{seat}.{nth}"))
            });
            thread::spawn(move || {
                for mail in &mails {
                    // A mail system repeats a mail that was not acknowledged.
                    wait_for("it is acknowledged", || hand_over(&root, mail).then_some(()));
                }
            })
        });
        while !handing.iter().all(thread::JoinHandle::is_finished) {
            thread::sleep(Duration::from_millis(random(400)));
            serving.0.kill().expect("it is our own");
            assert_eq!(serving.0.wait().expect("it is our own").signal(), Some(9), "{}", log(folder.path()));
            killed += 1;
            serving = Serving::begin(folder.path());
            // This lets it make progress in between.
            thread::sleep(Duration::from_millis(random(600)));
        }
        handing.into_iter().for_each(|handing| handing.join().expect("all were taken"));
        serving.0.kill().expect("it is our own");
        let _ = serving.0.wait();
        killed += 1;
    }
    let mut serving = Serving::ready(folder.path());
    wait_for("nothing waits", || {
        ["in", "out"].map(|which| letters(folder.path(), which).is_empty()).iter().all(|done| *done).then_some(())
    });
    serving.signal("TERM");
    assert_eq!(serving.end().code(), Some(0), "{}", log(folder.path()));
    let (mut sent, mut doubled) = (BTreeMap::new(), 0);
    for (_, raw) in server.taken.lock().expect("no test broke it").drain(..) {
        let text = String::from_utf8_lossy(&raw).into_owned();
        let id = field(&text, "Message-ID").expect("an id");
        if let Some(before) = sent.insert(id.clone(), text.clone()) {
            doubled += 1;
            assert_eq!(before, text, "{id} was sent again, and is another letter");
        }
    }
    let mut answers: BTreeMap<String, Vec<&String>> = BTreeMap::new();
    for text in sent.values() {
        answers.entry(field(text, "In-Reply-To").unwrap_or_default()).or_default().push(text);
    }
    let aside: Vec<String> = letters(folder.path(), "poison").into_iter().map(|(name, _)| name).collect();
    for game in games {
        let told = said(&run(folder.path(), &["messages", game, "--all"]));
        for (nth, (seat, who, to)) in
            (0..kills).flat_map(|nth| [(nth, ("A", "Anna", "Ben")), (nth, ("B", "Ben", "Anna"))])
        {
            let note = format!("note {nth} of {who}");
            assert_eq!(told.lines().filter(|line| line.ends_with(&note)).count(), 1, "{game}: {note}: {told}{aside:?}");
            let answers = answers.get(&format!("<{game}.{seat}.{nth}@example.net>")).map_or(&[][..], Vec::as_slice);
            let [answer] = answers else { panic!("{game}: {note}: {} answers", answers.len()) };
            assert!(answer.contains(&format!("Told {to}")), "what became of the line: {answer}");
        }
        let proved = run(folder.path(), &["verify", game]);
        assert!(proved.status.success() || proved.status.code() == Some(2), "{}", said(&proved));
    }
    eprintln!("{killed} kills, {} mails, {} letters, {doubled} sent twice", 8 * kills, sent.len());
}
