//! The restore drill: a backup made while `serve` works on every game, restored elsewhere, where
//! all games go on. POSTRIDER_TABLES is the number of games.
#![cfg(unix)]

use crate::program::{run, said};
use crate::scripted::{Manner, SmtpServer, wait_for};
use crate::serve::{Serving, answer, letters};
use crate::trial::number;
use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
};

/// The rounds of notes that are delivered before the backup begins.
const BEFORE: usize = 3;

fn kinds(root: &Path, game: &str, kind: &str) -> usize {
    let journal = fs::read_to_string(root.join(format!("journal/{game}.jsonl"))).expect("a journal");
    journal.matches(&format!("\"kind\":\"{kind}\"")).count()
}

fn good(root: &Path, words: &[&str]) -> String {
    let output = run(root, words);
    assert!(output.status.success(), "{words:?}: {}", said(&output));
    said(&output)
}

#[test]
fn a_backup_under_load_is_restored_and_every_game_goes_on() {
    let folder = tempfile::tempdir().expect("there is room");
    let (root, kept, again) = (folder.path().join("host"), folder.path().join("backup"), folder.path().join("again"));
    fs::create_dir(&root).expect("it is new");
    let settings = "address = \"postrider@play.example\"\nanswers_per_hour = 0\n";
    fs::write(root.join("postrider.toml"), settings).expect("it can be written");
    let games: Vec<String> = (0..number("POSTRIDER_TABLES", 8)).map(|k| format!("table-{k}")).collect();
    for game in &games {
        let players = ["--player", "Anna <anna@example.net>", "--player", "Ben <ben@example.net>", "--join-all"];
        good(&root, &[&["new", "--ruleset", "plains-indian-wars", "--id", game][..], &players].concat());
    }
    let first = letters(&root, "out");
    let letter = |game: &str| {
        let found = first.iter().find(|(name, _)| name.starts_with(&format!("{game}.A.")));
        found.expect("a letter to Anna").1.clone()
    };
    let server = SmtpServer::start(Manner::Takes);
    let smtp = format!("[mail_out.smtp]\nhost = \"127.0.0.1\"\nport = {}\nsecurity = \"none\"\n", server.port);
    fs::write(root.join("postrider.toml"), format!("{settings}status_page = \"unix:status\"\n{smtp}")).expect("so");
    let serving = Serving::ready(&root);
    // `serve` makes them only when it first looks for mails.
    for folder in ["mail/in/tmp", "mail/in/new"] {
        fs::create_dir_all(root.join(folder)).expect("there is room");
    }
    let (end, rounds) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !end.load(Ordering::Relaxed) {
                let round = rounds.fetch_add(1, Ordering::Relaxed);
                for game in &games {
                    let mail = answer(&letter(game), &format!("tell ben: note {round}"), &format!("{game}.{round}"));
                    let (tmp, name) = (root.join("mail/in/tmp"), format!("{round}.{game}"));
                    fs::write(tmp.join(&name), mail).expect("it can be written");
                    fs::rename(tmp.join(&name), root.join("mail/in/new").join(name)).expect("it can be delivered");
                }
                wait_for("most mails are taken in", || (letters(&root, "in").len() < games.len()).then_some(()));
            }
        });
        wait_for("some rounds", || (rounds.load(Ordering::Relaxed) > BEFORE).then_some(()));
        let told = good(&root, &["backup", kept.to_str().expect("UTF-8")]);
        assert!(told.starts_with(&format!("{} games (", games.len())), "{told}");
        let then = rounds.load(Ordering::Relaxed);
        wait_for("some more", || (rounds.load(Ordering::Relaxed) > then + 1).then_some(()));
        end.store(true, Ordering::Relaxed);
    });
    drop(serving);

    let told = good(&again, &["restore", kept.to_str().expect("UTF-8")]);
    assert!(told.starts_with(&format!("{} games (", games.len())), "{told}");
    fs::write(again.join("postrider.toml"), settings).expect("no mail server here");
    good(&again, &["doctor"]);
    // Every mail in the inbox of the backup has its effect once, and nothing already done is
    // repeated.
    good(&again, &["receive", "--maildir"]);
    assert!(letters(&again, "in").is_empty());
    for game in &games {
        let (notes, whole) = (kinds(&again, game, "press"), kinds(&root, game, "press"));
        assert!((BEFORE..whole).contains(&notes), "{game}: {notes} of {whole} notes");
        let all = good(&again, &["messages", game, "--all"]);
        for round in 0..notes {
            assert_eq!(all.lines().filter(|line| line.ends_with(&format!("note {round}"))).count(), 1, "{all}");
        }
        // Every letter of the restored game is there, sent or waiting, and a bot plays on.
        let told = format!("{game}.B.");
        let to_ben = ["out", "sent"].map(|which| letters(&again, which)).concat();
        for round in 0..notes {
            let with =
                |(name, text): &(String, String)| name.starts_with(&told) && text.contains(&format!("note {round}"));
            assert!(to_ben.iter().any(with), "{game}: Ben was not written note {round}");
        }
        good(&again, &["stand-in", game, "--seat", "A", "--bot", "steady"]);
        good(&again, &["stand-in", game, "--seat", "B", "--bot", "steady", "--yes"]);
        assert!(kinds(&again, game, "decision") > kinds(&root, game, "decision"), "{game} goes on");
        assert_ne!(run(&again, &["verify", game]).status.code(), Some(1));
    }
    good(&again, &["doctor"]);

    // Torn and damaged ends are copied, and left as they are.
    let ended = |game: &str, end: &str| {
        let path = again.join(format!("journal/{game}.jsonl"));
        let text = fs::read_to_string(&path).expect("a journal") + end;
        fs::write(&path, &text).expect("it can be written");
        (path, text)
    };
    let ends = [ended("table-0", "{\"at\":\"2026-"), ended("table-1", "no line\n")];
    let (second, third) = (folder.path().join("second"), folder.path().join("third"));
    good(&again, &["backup", second.to_str().expect("UTF-8")]);
    good(&third, &["restore", second.to_str().expect("UTF-8")]);
    for (path, text) in ends {
        assert_eq!(fs::read_to_string(&path).expect("a journal"), text);
        let copy = second.join("journal").join(path.file_name().expect("a name"));
        assert_eq!(fs::read_to_string(copy).expect("a journal"), text);
    }
    let told = said(&run(&third, &["doctor"]));
    assert!(told.starts_with("table-1: ") && told.lines().count() <= 2, "{told}");

    // A changed or incomplete backup is not restored, and nothing is overwritten.
    let refused = |to: &Path, why: &str| {
        let output = run(to, &["restore", kept.to_str().expect("UTF-8")]);
        assert!(!output.status.success() && said(&output).contains(why), "{}", said(&output));
    };
    refused(&again, "is there already, and not empty");
    assert!(!run(&root, &["backup", kept.to_str().expect("UTF-8")]).status.success());
    let journal = kept.join("journal/table-0.jsonl");
    let bytes = fs::read(&journal).expect("it was copied");
    fs::write(&journal, &bytes[1..]).expect("it can be written");
    let other = folder.path().join("other");
    refused(&other, "table-0.jsonl is missing or not as it was copied");
    fs::remove_file(&journal).expect("it was there");
    refused(&other, "table-0.jsonl is missing or not as it was copied");
    fs::write(&journal, &bytes).expect("it can be written");
    fs::create_dir(folder.path().join("other.partial")).expect("it is new");
    refused(&other, "is left over from an interrupted copy");
    assert!(!other.exists());
}
