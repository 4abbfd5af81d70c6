//! The files in `tests/vectors` are the contract with programs in other languages; these tests
//! check that this program fulfils it.
//!
//! `POSTRIDER_WRITE_VECTORS=1 cargo test --test journals -- vectors` updates the files. A change in
//! them is a change of the format.

#[path = "../vectors/generate.rs"]
mod generate;

use std::{fs, path::Path, process::Command};

use postrider::{
    dice::{ChainTip, DiceStream, Hash, earlier_origin, h, is_committed, shuffle},
    journal::{Checker, Lines, check, to_canon, verify_receipt, words_digest},
};
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

/// Section 2: the hash function H.
#[test]
fn hashes() {
    for case in parse("hash.json")["cases"].as_array().unwrap() {
        let fields: Vec<String> = get(case, "fields");
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        assert_eq!(h(&get::<String>(case, "tag"), &fields), get(case, "hash"));
    }
}

/// Section 5: every link leads to the next, backwards from the tip.
#[test]
fn chains() {
    let vectors = parse("chain.json");
    let (label, n): (String, u64) = (get(&vectors, "label"), get(&vectors, "n"));
    let links: Vec<Hash> = get(&vectors, "s");
    let mut tip = ChainTip::new(&label, n, *links.last().unwrap());
    for link in links.iter().rev().skip(1) {
        tip.reveal(*link).unwrap();
    }
    assert!(tip.reveal(links[0]).is_err());
    let generations = &vectors["generations"];
    let (label, s_0): (String, Vec<Hash>) = (get(generations, "label"), get(generations, "s_0"));
    for (k, pair) in (1..).zip(s_0.windows(2)) {
        assert_eq!(earlier_origin(&label, k, &pair[1]), pair[0], "generation {k}");
    }
    let full = &vectors["full"];
    let mut tip = ChainTip::new("dice", get(full, "n"), get(full, "tip"));
    assert_eq!(tip.unfold(get(full, "s_0"), 1).unwrap(), [get(full, "first_use")]);
    tip.reveal(get(full, "first_use")).unwrap();
}

/// Section 6: the words of the stream, and `below` with rejected words.
#[test]
fn streams() {
    let vectors = parse("below.json");
    let mut rejected = 0;
    for case in vectors["cases"].as_array().unwrap() {
        let mut stream = DiceStream::new(get(&vectors, "seed"));
        for number in get::<Vec<u32>>(case, "got") {
            assert_eq!(stream.below(get(case, "n")), number);
        }
        rejected += get::<u32>(case, "words_rejected");
    }
    assert!(rejected > 0, "the vectors show no rejection");
    for roll in parse("d10.json")["rolls"].as_array().unwrap() {
        let mut stream = DiceStream::new(get(roll, "seed"));
        for number in get::<Vec<i64>>(roll, "got") {
            assert_eq!(stream.die(get(roll, "low"), get(roll, "high")), number);
        }
    }
}

/// Section 7: a shuffle, and the commitment of every card.
#[test]
fn decks() {
    let vectors = parse("shuffle.json");
    let mut order: Vec<String> = get(&vectors, "list");
    shuffle(get(&vectors, "seed"), &mut order);
    assert_eq!(order, get::<Vec<String>>(&vectors, "order"));
    let (game, deck): (String, String) = (get(&vectors, "game"), get(&vectors, "deck"));
    let (salts, cards): (Vec<Hash>, Vec<Hash>) = (get(&vectors, "salts"), get(&vectors, "cards"));
    for (pos, card) in order.iter().enumerate() {
        assert!(is_committed(&cards[pos], &game, &deck, get(&vectors, "epoch"), pos as u64, card, &salts[pos]));
    }
}

/// Section 8: a signed head.
#[test]
fn receipts() {
    let vectors = parse("receipt.json");
    let (_, head) = generate::receipt_parts();
    assert_eq!(verify_receipt(&get(&vectors, "key"), &head, &get::<String>(&vectors, "sig")), Ok(()));
}

/// Section 9: the journal is proved as far as its claims state, and the independent checker agrees
/// on its phrases and rewinds.
#[test]
fn the_journal_holds() {
    let mut checker = Checker::new();
    checker.feed_all(&mut Lines::new(read("journal.jsonl").as_bytes())).unwrap();
    let claims = checker.finish();
    assert!(!claims.all_proved());
    assert_eq!(serde_json::to_value(claims).unwrap(), parse("journal.claims.json"));
    let (status, told) = python("journal.jsonl", None);
    assert_eq!(status, Some(2), "{told}");
    for what in ["'director' goes back", "seat red came last", "seat blue are none"] {
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
    assert!(claims.all_proved());
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
