//! The command line as a person types it, up to what it prints.

use super::{Cli, CliError, Output, run, simulate};
use crate::{
    journal::{Secret, SecretsFile},
    replay::Catalog,
    table::Setup,
    test_games::raffle::{Played, RAFFLE, catalog},
};
use clap::{CommandFactory, Parser};
use indicatif::ProgressBar;
use std::{collections::BTreeMap, fs};

fn say(root: &str, words: &str) -> Result<Output, CliError> {
    say_with(Catalog::released(), root, words)
}

/// Runs a command; `_` stands for a space within a word.
fn say_with(catalog: Catalog, root: &str, words: &str) -> Result<Output, CliError> {
    let words: Vec<String> = words.split(' ').map(|word| word.replace('_', " ")).collect();
    let words = ["postrider", "--root", root].into_iter().map(str::to_owned).chain(words);
    run(&Cli::try_parse_from(words).unwrap(), catalog)
}

#[test]
fn the_commands_fit_together() {
    Cli::command().debug_assert();
    let script = say(".", "completions bash").unwrap();
    assert!(script.text.contains("simulate"));
}

#[test]
fn a_host_without_games_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    assert_eq!(say(root, "status").unwrap().text, "");
    assert_eq!(say(root, "status --verbose").unwrap().text, "There is no game here yet.\n");
    assert_eq!(say(root, "status --json").unwrap().text, "[]\n");
    for (words, status) in [("show nothing", 66), ("log ../nothing/here", 66), ("verify nothing", 64)] {
        assert_eq!(say(root, words).unwrap_err().status(), status, "{words}");
    }
    assert!(say(root, "show nothing").unwrap_err().hint().is_some());
}

/// What somebody else wrote moves no cursor and turns no line round.
#[test]
fn characters_that_deceive_are_spelt_out() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    say(root, "new --id lone-pine --join-all --player Anna_<anna@example.net> --player Ben_<ben@example.net> --player Carl_<c@example.net>")
        .unwrap();
    say(root, "rule lone-pine --text all_is_\u{202e}thgir\u{2028}now").unwrap();
    let log = say(root, "log lone-pine").unwrap().text;
    assert!(log.contains("all is \\u202ethgir\\u2028now"), "{log}");
    let mails = folder.path().join("mail/out/new");
    let letters = fs::read_dir(mails).unwrap().map(|mail| fs::read_to_string(mail.unwrap().path()).unwrap());
    let all: String = letters.collect();
    assert!(all.contains("\\u202ethgir") && !all.contains('\u{202e}') && !all.contains("=E2=80=AE"), "{all}");
    // A journal under another name, whose game is named by somebody else.
    let why = say(root, "show \u{1b}[2J").unwrap_err();
    assert!(crate::orders::visible(&why.to_string()).contains("\\u001b[2J"), "{why}");
}

#[test]
fn a_journal_whose_rules_nobody_has_is_checked_as_far_as_possible() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    let journal = folder.path().join("journal");
    fs::create_dir(&journal).unwrap();
    let mut bytes = Played::whole().bytes;
    fs::write(journal.join("raffle-1.jsonl"), &bytes).unwrap();
    let report = say(root, "verify raffle-1").unwrap();
    assert_eq!(report.status, 2, "{}", report.text);
    let json: serde_json::Value = serde_json::from_str(&say(root, "verify raffle-1 --json").unwrap().text).unwrap();
    assert_eq!((&json["status"], &json["operator_seats"][0]), (&2.into(), &"B".into()));
    assert!(say(root, "status").unwrap().text.contains("no ruleset"));
    let shown = say(root, "show raffle-1").unwrap_err();
    assert_eq!(shown.status(), 65);
    assert!(shown.hint().is_some());

    // The first letter of the luck phrase "heads".
    let at = bytes.windows(5).position(|window| window == b"heads").unwrap();
    bytes[at] = b'b';
    let path = folder.path().join("copy.jsonl");
    fs::write(&path, &bytes).unwrap();
    let report = say(root, &format!("verify {}", path.display())).unwrap();
    assert_eq!(report.status, 1);
    assert!(report.text.contains("the first bad line is 2"), "{}", report.text);
}

#[test]
fn simulations_are_the_same_for_the_same_seed() {
    let setup = Setup {
        seats: 2,
        version: 1,
        scenario: "fair".into(),
        options: BTreeMap::new(),
        components: RAFFLE[0].components().into(),
    };
    let bots = simulate::Players::Seated(vec!["random".to_owned(); 2]);
    let mut played = simulate::Match { rules: RAFFLE[0], setups: vec![setup], bots, limit: 100 };
    let play = |seed| simulate::play_all(&played, seed, 40, &ProgressBar::hidden());
    let some = play(7);
    assert_eq!((some.finished, some.failed.len()), (40, 0));
    assert_eq!(some, play(7));
    assert_ne!(some.numbers, play(8).numbers);
    let rounds = serde_json::to_value(&some.numbers["Rounds"]).unwrap();
    assert_eq!(rounds, serde_json::json!({ "games": 40, "min": 4.0, "max": 4.0, "mean": 4.0 }));
    played.limit = 2;
    let short = simulate::play_all(&played, 7, 3, &ProgressBar::hidden());
    assert_eq!((short.finished, short.failed.len()), (0, 3));
}

/// A host's folder with one raffle, of which `decisions` are taken.
fn host(decisions: usize, with_secrets: bool) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut played = Played::begin();
    for _ in 0..decisions {
        played.decide();
    }
    fs::create_dir(folder.path().join("journal")).unwrap();
    fs::write(folder.path().join("journal/raffle-1.jsonl"), &played.bytes).unwrap();
    if with_secrets {
        fs::create_dir(folder.path().join("secrets")).unwrap();
        let mut file = SecretsFile::create(folder.path().join("secrets/raffle-1.jsonl")).unwrap();
        for chain in &played.chains {
            file.keep(&Secret::Chain(chain.clone())).unwrap();
        }
    }
    folder
}

#[test]
fn the_operator_sees_a_running_game() {
    let folder = host(5, true);
    let say = |words: &str| say_with(catalog(), folder.path().to_str().unwrap(), words).map(|said| said.text);
    assert!(say("status").unwrap().starts_with("raffle-1: raffle, Turn 2, Round 1, "));
    let json = |words: &str| serde_json::from_str::<serde_json::Value>(&say(words).unwrap()).unwrap();
    let now = json("show raffle-1 --seat a --json");
    assert_eq!((&now["moment"], &now["seat"]), (&"Turn 2, Round 1".into(), &"A".into()));
    assert_eq!(now["view"]["turn"], 2);
    assert!(!now["view"]["hand"].as_array().unwrap().is_empty());
    let spectator = json("show raffle-1 --json");
    assert_eq!(spectator["view"]["hand"].as_array().unwrap().len(), 0);
    let before = json("show raffle-1 --at turn_1_round_2 --json");
    assert_eq!((&before["moment"], &before["view"]["turn"]), (&"Turn 1, Round 2".into(), &1.into()));
    let line = before["line"].as_u64().unwrap();
    assert_eq!(json(&format!("show raffle-1 --line {line} --json")), before);
    for words in ["show raffle-1 --at turn_9", "show raffle-1 --at noon", "show raffle-1 --seat Z"] {
        assert_eq!(say(words).unwrap_err().status(), 64, "{words}");
    }

    let asked = json("prompts raffle-1 --json");
    assert_eq!(asked.as_array().unwrap().len(), 1);
    let seat = asked[0]["seat"].as_str().unwrap();
    assert_eq!(spectator["waits_for"], serde_json::json!([seat]));
    assert!(say(&format!("prompts raffle-1 --seat {seat}")).unwrap().contains("  pass\n"));
    let other = if seat == "A" { "B" } else { "A" };
    assert_eq!(say(&format!("prompts raffle-1 --seat {other}")).unwrap(), "");
    assert_eq!(say(&format!("prompts raffle-1 --seat {other} --verbose")).unwrap(), "Nothing is asked.\n");
}

#[test]
fn a_torn_journal_can_be_looked_at_and_players_have_names() {
    let folder = host(5, true);
    let path = folder.path().join("journal/raffle-1.jsonl");
    let bytes = fs::read(&path).unwrap();
    let say = |words: &str| say_with(catalog(), folder.path().to_str().unwrap(), words).map(|said| said.text);
    assert!(!say("log raffle-1").unwrap().contains('@') && !say("show raffle-1").unwrap().contains('@'));
    let secrets = folder.path().join("secrets/raffle-1.jsonl");
    let mut text = fs::read_to_string(&secrets).unwrap();
    for (seat, name) in [("A", "Anna"), ("B", "Ben")] {
        text += &serde_json::json!({ "kind": "player", "name": name, "seat": seat }).to_string();
        let salt = "0".repeat(64);
        let address = serde_json::json!({ "kind": "address", "seat": seat, "address": "x@x.example", "salt": salt });
        text += &format!("\n{address}\n");
    }
    fs::write(&secrets, &text).unwrap();
    let status = say("status").unwrap();
    assert!(status.contains("waiting for Anna (A)") || status.contains("waiting for Ben (B)"), "{status}");
    assert_eq!(fs::read_to_string(&secrets).unwrap(), text, "looking changes nothing");
    // Somebody is writing, or was cut off: what is whole is shown, and that it is not all.
    for torn in [1, 40, 200] {
        fs::write(&path, &bytes[..bytes.len() - torn]).unwrap();
        let shown = say("show raffle-1").unwrap();
        assert!(shown.contains("not seen further than here"), "{shown}");
        assert!(say("status").unwrap().contains("Turn "));
        assert_eq!(fs::read(&path).unwrap().len(), bytes.len() - torn, "looking changes nothing");
    }
    fs::write(&path, &bytes).unwrap();
    let at = |when: &str| say(&format!("show raffle-1 --json --at {when}")).unwrap();
    assert_eq!(at("Turn_1,_Round_2"), at("turn1_round2"));
    let wrong = say("show raffle-1 --at turn_9").unwrap_err().to_string();
    assert!(wrong.contains("it goes from Turn 1, Round 1 to Turn 2, Round 1"), "{wrong}");
}

#[test]
fn others_see_it_as_far_as_the_cards_are_public() {
    let (folder, over) = (host(5, false), host(99, false));
    let say = |folder: &tempfile::TempDir, words: &str| {
        say_with(catalog(), folder.path().to_str().unwrap(), words).unwrap().text
    };
    let shown = say(&folder, "show raffle-1");
    assert!(shown.contains("Turn 1, Round 2") && shown.contains("not seen further than here"), "{shown}");
    let path = over.path().join("journal/raffle-1.jsonl");
    let log = say(&over, &format!("log {}", path.display()));
    assert!(log.starts_with("Turn 1, Round 1\n"), "{log}");
    assert!(log.contains("\nTurn 2, Round 2\n") && log.contains(" wins "), "{log}");
    let all: Vec<serde_json::Value> = serde_json::from_str(&say(&over, "log raffle-1 --json")).unwrap();
    let line = all[1]["line"].as_u64().unwrap();
    let some: Vec<serde_json::Value> =
        serde_json::from_str(&say(&over, &format!("log raffle-1 --json --from {line}"))).unwrap();
    assert_eq!(some, all[1..]);
    assert!(say(&over, "show raffle-1").ends_with("The game is over.\n"));
}
