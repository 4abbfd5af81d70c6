//! `init`: its questions, trials, and files, and its messages if something does not work.
#![cfg(unix)]

use crate::scripted::{ImapServer, Manner, SmtpServer};
use snapbox::cmd::cargo_bin;
use std::{
    fs,
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Output, Stdio},
};
use tempfile::TempDir;

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Runs `init` with servers at these ports; further options replace the usual ones.
fn init(folder: &Path, (imap, smtp): (u16, u16), more: &[&str]) -> Output {
    let password = folder.with_extension("password");
    fs::write(&password, "secret\n").expect("there is room");
    let (imap, smtp) = (format!("127.0.0.1:{imap}"), format!("127.0.0.1:{smtp}"));
    let usual = [
        ["--address", "postrider@play.example"],
        ["--zone", "America/Denver"],
        ["--imap", &imap],
        ["--imap-security", "none"],
        ["--imap-user", "postrider"],
        ["--smtp", &smtp],
        ["--smtp-security", "none"],
        ["--smtp-user", "postrider"],
    ];
    let mut command = Command::new(cargo_bin!("postrider"));
    command.arg("--root").arg(folder).arg("init").arg("--imap-password-file").arg(&password);
    command.args(usual.iter().filter(|option| !more.contains(&option[0])).flatten()).args(more);
    command.stdin(Stdio::null()).env_remove("POSTRIDER_LOG").output().expect("the program can be run")
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("there is room")
}

fn names(folder: &Path) -> Vec<String> {
    let Ok(files) = fs::read_dir(folder) else { return Vec::new() };
    let name =
        |file: std::io::Result<fs::DirEntry>| file.expect("it is listed").file_name().into_string().expect("text");
    let mut names: Vec<_> = files.map(name).collect();
    names.sort();
    names
}

#[test]
fn both_logins_and_a_mail_to_oneself_are_tried_and_the_settings_work() {
    for (manner, separator) in [(Manner::Takes, "#separator = \"+\""), (Manner::NoExtensions, "separator = \"\"")] {
        let (mailbox, server, above) = (ImapServer::start(), SmtpServer::start(manner), folder());
        *server.mailbox.lock().expect("whole") = Some(mailbox.clone());
        let root = above.path().join("host");
        let output = init(&root, (mailbox.port, server.port), &[]);
        assert!(output.status.success(), "{}", said(&output));
        let settings = fs::read_to_string(root.join("postrider.toml")).expect("settings");
        assert!(settings.contains(&format!("\n{separator}\n")), "{settings}");
        assert!(settings.contains("time_zone = \"America/Denver\"\n") && !settings.contains("secret"), "{settings}");
        assert_eq!(names(&root), ["imap-password", "postrider.toml", "smtp-password"]);
        for file in ["imap-password", "smtp-password"] {
            let mode = fs::metadata(root.join(file)).expect("it is there").permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{file}");
        }
        assert!(mailbox.held().mails.is_empty(), "the mail to oneself is deleted");
        let mut status = Command::new(cargo_bin!("postrider"));
        let status = status.arg("--root").arg(&root).args(["status", "--verbose"]).output().expect("it can be run");
        assert!(status.status.success(), "{}", said(&status));
    }
}

fn init_again(root: &Path) -> Output {
    let mut command = Command::new(cargo_bin!("postrider"));
    command.arg("--root").arg(root).arg("init").stdin(Stdio::null()).env_remove("POSTRIDER_LOG");
    command.output().expect("the program can be run")
}

#[test]
fn a_second_run_keeps_what_is_set_and_asks_for_the_rest() {
    let (mailbox, server, above) = (ImapServer::start(), SmtpServer::start(Manner::Takes), folder());
    *server.mailbox.lock().expect("whole") = Some(mailbox.clone());
    let root = above.path().join("host");
    assert!(init(&root, (mailbox.port, server.port), &[]).status.success());
    let path = root.join("postrider.toml");
    let settings = fs::read_to_string(&path).expect("settings") + "\n[postgres]\nstandbys = 2 # mine\n";
    fs::write(&path, &settings).expect("there is room");
    let again = init_again(&root);
    assert!(again.status.success(), "{}", said(&again));
    for kept in ["Kept: address", "Kept: mail_in.imap", "Kept: mail_out.smtp", "Kept: time_zone", "It arrived after"] {
        assert!(said(&again).contains(kept), "{kept}: {}", said(&again));
    }
    assert_eq!(fs::read_to_string(&path).expect("settings"), settings);
    // An option changes one setting; the rest, comments included, stays.
    let zone = init(&root, (mailbox.port, server.port), &["--zone", "Europe/Vienna"]);
    assert!(zone.status.success(), "{}", said(&zone));
    let changed = settings.replace("America/Denver", "Europe/Vienna");
    assert_eq!(fs::read_to_string(&path).expect("settings"), changed);
    // `init` asks for missing values; without a terminal, it names the option.
    fs::write(&path, "name = \"Us\"\n").expect("there is room");
    let missing = init_again(&root);
    assert!(missing.status.code() == Some(64) && said(&missing).contains("give --address"), "{}", said(&missing));
    let set_twice = "mail_out = \"maildir\"\n[mail_out.smtp]\nhost = \"mail.example\"\n";
    fs::write(&path, set_twice).expect("there is room");
    let wrong = said(&init_again(&root));
    assert!(wrong.contains("line 2 (`[mail_out.smtp]`): `mail_out` is set twice, first in line 1;"), "{wrong}");
}

#[test]
fn invitations_from_before_get_the_new_address() {
    let (mailbox, server, above) = (ImapServer::start(), SmtpServer::start(Manner::Takes), folder());
    *server.mailbox.lock().expect("whole") = Some(mailbox.clone());
    let root = above.path().join("host");
    let mut new = Command::new(cargo_bin!("postrider"));
    new.arg("--root").arg(&root).args(["new", "--id", "lone-pine", "--player", "Anna <anna@players.example>"]);
    let new = new.args(["--player", "Ben <ben@players.example>"]).output().expect("it can be run");
    assert!(said(&new).contains("The invitations wait in the outbox: no way to send is set"), "{}", said(&new));
    let letters = |root: &Path| -> Vec<String> {
        let files = fs::read_dir(root.join("mail/out/new")).expect("an outbox");
        files.map(|file| fs::read_to_string(file.expect("a file").path()).expect("text")).collect()
    };
    assert!(letters(&root).iter().all(|letter| letter.contains("From: Postrider <postrider@localhost>")));
    let output = init(&root, (mailbox.port, server.port), &[]);
    assert!(said(&output).contains("named the old address: 2, written again"), "{}", said(&output));
    let letters = letters(&root);
    assert_eq!(letters.len(), 2);
    assert!(letters.iter().all(|letter| letter.contains("From: Postrider <postrider@play.example>")), "{letters:?}");
    let settings = fs::read_to_string(root.join("postrider.toml")).expect("settings");
    assert!(settings.contains("\n[mail_out.smtp]\nhost = \"127.0.0.1\"\n"), "{settings}");
}

#[test]
fn what_does_not_work_is_named_and_nothing_is_written() {
    let nobody = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port();
    let (mailbox, server, above) = (ImapServer::start(), SmtpServer::start(Manner::Takes), folder());
    let (ports, root) = ((mailbox.port, server.port), above.path().join("host"));
    let refuses = SmtpServer::start(Manner::NoLogin);
    let unknown = ["--imap-security", "tls", "--imap", "imap.invalid"];
    for (what, output) in [
        ("cannot be reached at port", init(&root, (nobody, ports.1), &[])),
        ("no mail can be sent: ", init(&root, (ports.0, nobody), &[])),
        ("app password", init(&root, (ports.0, refuses.port), &[])),
        ("no address of imap.invalid is known (DNS)", init(&root, ports, &unknown)),
        ("needs TLS", init(&root, ports, &["--imap", "192.0.2.1"])),
        ("is not a time zone", init(&root, ports, &["--zone", "Mars"])),
        ("is not a mail address", init(&root, ports, &["--address", "postrider"])),
    ] {
        assert!(said(&output).contains(what), "{what}: {}", said(&output));
        assert!([64, 78].contains(&output.status.code().unwrap_or(0)), "{what}: {:?}", output.status);
        assert_eq!(names(&root), Vec::<String>::new(), "{what}");
    }
    mailbox.held().password = "another";
    let output = init(&root, ports, &[]);
    assert!(said(&output).contains("refuses the login") && said(&output).contains("app password"), "{}", said(&output));
    assert_eq!(names(&root), Vec::<String>::new());
    // The trials can be skipped.
    let output = init(&root, ports, &["--no-trial"]);
    assert!(output.status.success(), "{}", said(&output));
}
