//! The command line as a person types it, up to what it prints.

use super::{Cli, CliError, Said, run, simulate};
use crate::{
    office::raffle::{Played, RAFFLE},
    table::Setup,
};
use clap::{CommandFactory, Parser};
use indicatif::ProgressBar;
use std::{collections::BTreeMap, fs};

fn say(root: &str, words: &str) -> Result<Said, CliError> {
    let words = ["postrider", "--root", root].into_iter().chain(words.split(' '));
    run(&Cli::try_parse_from(words).unwrap())
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
    assert_eq!(say(root, "status").unwrap().text, "There is no game here yet.\n");
    assert_eq!(say(root, "status --json").unwrap().text, "[]\n");
    for (words, status) in [("show nothing", 66), ("log ../../etc/passwd", 66), ("verify nothing", 64)] {
        assert_eq!(say(root, words).unwrap_err().status(), status, "{words}");
    }
    assert!(say(root, "show nothing").unwrap_err().hint().is_some());
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
    let play = |seed| simulate::play_all(RAFFLE[0], &setup, seed, 40, 100, &ProgressBar::hidden());
    let some = play(7);
    assert_eq!((some.finished, some.failed.len()), (40, 0));
    assert_eq!(some, play(7));
    assert_ne!(some.numbers, play(8).numbers);
    let rounds = serde_json::to_value(&some.numbers["Rounds"]).unwrap();
    assert_eq!(rounds, serde_json::json!({ "games": 40, "min": 4.0, "max": 4.0, "mean": 4.0 }));
    let short = simulate::play_all(RAFFLE[0], &setup, 7, 3, 2, &ProgressBar::hidden());
    assert_eq!((short.finished, short.failed.len()), (0, 3));
}
