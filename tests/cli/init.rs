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

/// Returns the sorted names of the files in a folder.
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
    for (manner, separator) in [(Manner::Takes, "+"), (Manner::NoExtensions, "")] {
        let (mailbox, server, above) = (ImapServer::start(), SmtpServer::start(manner), folder());
        *server.mailbox.lock().expect("whole") = Some(mailbox.clone());
        let root = above.path().join("host");
        let output = init(&root, (mailbox.port, server.port), &[]);
        assert!(output.status.success(), "{}", said(&output));
        let settings = fs::read_to_string(root.join("postrider.toml")).expect("settings");
        assert!(settings.contains(&format!("separator = \"{separator}\"\n")), "{settings}");
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
        // Existing settings are never overwritten.
        let again = init(&root, (mailbox.port, server.port), &[]);
        assert!(again.status.code() == Some(64) && said(&again).contains("is there already"), "{}", said(&again));
    }
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
        ("is no time zone", init(&root, ports, &["--zone", "Mars"])),
        ("is no mail address", init(&root, ports, &["--address", "postrider"])),
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
