//! The files in `tests/vectors` are the contract with programs in other languages; these tests
//! check that this program fulfils it.
//!
//! `POSTRIDER_WRITE_VECTORS=1 cargo test --test journals -- vectors` updates the files. A change in
//! them is a change of the format.

#[path = "../vectors/generate.rs"]
mod generate;

use std::{fs, path::Path, process::Command};

use postrider::journal::{Checker, Lines, check, to_canon, words_digest};
use serde_json::Value;

fn read(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(name)).unwrap()
}

fn parse(name: &str) -> Value {
    serde_json::from_str(&read(name)).unwrap()
}

fn get<T: serde::de::DeserializeOwned>(value: &Value, member: &str) -> T {
    serde_json::from_value(value[member].clone()).unwrap_or_else(|error| panic!("{member}: {error}"))
}

#[test]
fn vectors_are_those_of_this_program() {
    for (name, made) in generate::all() {
        if std::env::var_os("POSTRIDER_WRITE_VECTORS").is_some() {
            fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(name), &made).unwrap();
        }
        assert_eq!(read(name), made, "{name}");
    }
}

/// Section 1: every value has exactly one spelling.
#[test]
fn canonical_json() {
    let vectors = parse("canonical.json");
    for case in vectors["accepted"].as_array().unwrap() {
        let canon: String = get(case, "canonical");
        assert_eq!(to_canon(&case["value"]).unwrap(), canon);
        assert_eq!(check(canon.as_bytes()), Ok(()));
    }
    assert_eq!(check(get::<String>(&vectors, "accepted_depth").as_bytes()), Ok(()));
    for case in vectors["refused"].as_array().unwrap() {
        assert!(check(get::<String>(case, "text").as_bytes()).is_err(), "{case}");
    }
}

/// Section 9: the journal is proved as far as its claims state, and the independent checker agrees
/// on its phrases and rewinds.
#[test]
fn the_journal_holds() {
    let mut checker = Checker::new();
    checker.feed_all(&mut Lines::new(read("journal.jsonl").as_bytes())).unwrap();
    let claims = checker.finish();
    assert_eq!(serde_json::to_value(claims).unwrap(), parse("journal.claims.json"));
    let (status, told) = python("journal.jsonl", None);
    assert_eq!(status, Some(2), "{told}");
    for what in ["'host' goes back", "seat red came last", "seat blue are none"] {
        assert!(told.contains(what), "{told}");
    }
    assert!(!told.contains("'red' goes back"), "its rewind keeps the chains: {told}");
}

fn python(journal: &str, parent: Option<&str>) -> (Option<i32>, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let vector = |name: &str| folder.join("vectors").join(name);
    let mut run = Command::new("python3");
    run.arg(folder.join("checker.py")).arg(vector(journal));
    run.args(parent.map(|parent| ["--parent".into(), vector(parent)]).into_iter().flatten());
    let out = run.output().unwrap();
    (out.status.code(), String::from_utf8_lossy(&out.stdout).into_owned())
}

/// Section 12: the fork is proved completely, and its first line refers to a line of the parent
/// journal. The independent checker agrees, and detects errors in that line.
#[test]
fn the_fork_goes_on_from_the_journal() {
    let fork = read("fork.jsonl");
    let mut checker = Checker::new();
    checker.feed_all(&mut Lines::new(fork.as_bytes())).unwrap();
    let claims = checker.finish();
    assert_eq!(serde_json::to_value(claims).unwrap(), parse("fork.claims.json"));
    let lines = |text: &str| text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>();
    let (ours, theirs) = (lines(&fork), lines(&read("journal.jsonl")));
    let parent = &ours[0]["body"]["parent"];
    let line = &theirs[get::<usize>(parent, "n")];
    assert_eq!((&parent["game"], &parent["hash"]), (&theirs[0]["body"]["game"], &line["hash"]));
    assert!(
        !theirs[0]["body"].as_object().unwrap().contains_key("parent")
            && ours[0]["body"]["key"] == theirs[0]["body"]["key"]
    );
    assert_eq!(python("fork.jsonl", Some("journal.jsonl")).0, Some(0));
    let (status, told) = python("fork.jsonl", Some("fork.jsonl"));
    assert!(status == Some(2) && told.contains("what sample-game was up to the line"), "{told}");
}

/// Section 4: the commitment of a decision to the words of its mail.
#[test]
fn words() {
    for case in parse("words.json")["cases"].as_array().unwrap() {
        let lines: Vec<String> = get(case, "lines");
        let (game, seat, id): (String, String, String) =
            (get(case, "game"), get(case, "seat"), get(case, "message_id"));
        assert_eq!(words_digest(&game, &seat, &id, lines.iter().map(String::as_str)), get(case, "hash"));
    }
    let journal = read("journal.jsonl");
    let decision = journal
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .find(|line| line["kind"] == "decision");
    assert_eq!(decision.unwrap()["body"]["words"], parse("words.json")["cases"][2]["hash"]);
}
