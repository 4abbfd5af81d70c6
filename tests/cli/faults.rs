//! The real program on a real disk that fails: no space for a write, and killed at its system
//! calls.
//!
//! The effects of every call and fault are tested within one process in
//! `src/office/tests/crashes.rs`. Here the program itself is run, with its real exit statuses,
//! messages and kernel.
#![cfg(unix)]

use crate::program::{command as postrider, said};
use snapbox::cmd::cargo_bin;
use std::{fs, io, os::unix::process::ExitStatusExt, path::Path, process::Command};
use tempfile::TempDir;

const GAME: &str = "lone-pine";

/// Creates a host with a started game for three; returns its folder, a seat that is asked, and an
/// order for it.
fn host() -> (TempDir, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let players = ["Anna <anna@example.net>", "Ben <ben@example.net>", "Carl <carl@example.net>"];
    let players = players.iter().flat_map(|player| ["--player", player]);
    let words: Vec<&str> = ["new", "--id", GAME, "--join-all"].into_iter().chain(players).collect();
    let opened = postrider(folder.path(), &words).output().unwrap();
    assert!(opened.status.success(), "{}", said(&opened));
    let prompts = postrider(folder.path(), &["prompts", GAME, "--json"]).output().unwrap();
    let prompts: serde_json::Value = serde_json::from_slice(&prompts.stdout).unwrap();
    let first = prompts.as_array().or_else(|| prompts["prompts"].as_array()).unwrap()[0].clone();
    let order = first["choices"][0]["words"].as_str().unwrap_or_else(|| panic!("no choice in {first}"));
    (folder, first["seat"].as_str().unwrap().to_owned(), order.to_owned())
}

fn copied(from: &Path) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    crate::samples::copy_folder(from, folder.path());
    folder
}

fn journal(root: &Path) -> String {
    fs::read_to_string(root.join(format!("journal/{GAME}.jsonl"))).unwrap()
}

fn decisions(root: &Path) -> usize {
    journal(root).matches("\"kind\":\"decision\"").count()
}

/// Returns the sorted names of the mails in the outbox, without the hash of the head, which depends
/// on the time of day.
fn mails(root: &Path) -> Vec<String> {
    let out = fs::read_dir(root.join("mail/out/new")).unwrap();
    let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let is_hash =
        |part: &&str| part.len() == 8 && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    let plain = |name: String| name.split('.').filter(|part| !is_hash(part)).collect::<Vec<_>>().join(".");
    let mut names: Vec<String> = out.map(name).map(plain).collect();
    names.sort();
    names
}

/// Starts the program again: the command must have been executed completely or not at all, in which
/// case it is given again. Then every mail must be in the outbox once, and the journal must be
/// valid.
fn made_good(root: &Path, before: usize, seat: &str, order: &str, right: &[String], what: &str) {
    let tick = postrider(root, &["tick"]).output().unwrap();
    assert!(tick.status.success(), "{what}: {}", said(&tick));
    let there = decisions(root) - before;
    assert!(there <= 1, "{what}: {there}");
    if there == 0 {
        let again = postrider(root, &["order", GAME, seat, order]).output().unwrap();
        assert!(again.status.success(), "{what}: {}", said(&again));
    }
    assert_eq!((decisions(root), &mails(root)), (before + 1, &right.to_vec()), "{what}");
    let verified = postrider(root, &["verify", GAME]).output().unwrap();
    assert_ne!(verified.status.code(), Some(1), "{what}: {}", said(&verified));
}

/// If the journal cannot grow beyond its current block, a write ends half way.
#[test]
fn a_write_that_finds_no_room_ends_the_program() {
    let (folder, seat, order) = host();
    let before = decisions(folder.path());
    let whole = copied(folder.path());
    assert!(postrider(whole.path(), &["order", GAME, &seat, &order]).status().unwrap().success());
    let right = mails(whole.path());
    for ignored in [true, false] {
        let root = copied(folder.path());
        // In blocks of 512 bytes, as defined by POSIX. Secrets longer than the journal fail first,
        // which is also handled.
        let blocks = journal(root.path()).len() / 512 + 1;
        let trap = if ignored { "trap '' XFSZ; " } else { "" };
        let script = format!("{trap}ulimit -f {blocks}; exec \"$@\"");
        let program = cargo_bin!("postrider");
        let limited = Command::new("sh")
            .args(["-c", &script, "sh"])
            .arg(program)
            .arg("--root")
            .arg(root.path())
            .args(["order", GAME, &seat, &order])
            .output()
            .unwrap();
        let told = said(&limited);
        if ignored {
            assert_eq!(limited.status.code(), Some(74), "{told}");
            assert!(told.contains("the contents on disk are unknown; the program must end"), "{told}");
        } else {
            assert!(limited.status.signal().is_some(), "the system kills it: {told}");
        }
        made_good(root.path(), before, &seat, &order, &right, if ignored { "refused" } else { "killed" });
    }
}

/// The system calls that change files.
const CALLS: [&str; 6] = ["write", "fdatasync", "fsync", "renameat2", "linkat", "unlink"];

/// Kills the program at the n-th of each call, and returns an error from each sync, using strace if
/// it is available and permitted.
#[test]
fn killed_at_any_system_call_the_program_makes_it_good() {
    let may = Command::new("strace").args(["-qq", "-o", "/dev/null", "true"]).status().is_ok_and(|done| done.success());
    if !may {
        eprintln!("left out: there is no strace here, or it may not trace");
        return;
    }
    let (folder, seat, order) = host();
    let before = decisions(folder.path());
    let traced = |root: &Path, fault: &str| {
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={}", CALLS.join(","))]);
        strace.args(["-e", fault]).arg(cargo_bin!("postrider")).arg("--root").arg(root);
        strace.args(["order", GAME, &seat, &order]).output().unwrap()
    };
    let whole = copied(folder.path());
    assert!(traced(whole.path(), "trace=none").status.success());
    let right = mails(whole.path());
    let mut met = 0;
    for (call, fault) in CALLS.map(|call| (call, "signal=KILL")).into_iter().chain([("fdatasync", "error=EIO")]) {
        for nth in 1..100 {
            let what = format!("{call}, number {nth}: {fault}");
            let root = copied(folder.path());
            let done = traced(root.path(), &format!("inject={call}:{fault}:when={nth}"));
            if done.status.success() {
                break;
            }
            met += 1;
            if fault.starts_with("error") {
                let told = said(&done);
                assert!(done.status.code() == Some(74) && told.contains("the program must end"), "{what}: {told}");
            }
            made_good(root.path(), before, &seat, &order, &right, &what);
        }
    }
    assert!(met >= 10, "only {met} calls were met");
}
