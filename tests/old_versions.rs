//! A game of an older version of the rules is not only played: it is checked, rewound, goes on, is forked and adjudicated under
//! that version, each by the program as a director calls it.

use serde_json::Value;
use snapbox::cmd::cargo_bin;
use std::{fs, path::Path, process::Command};

/// The game, and what is made of it.
const GAME: &str = "old-game";
const FORK: &str = "old-fork";

/// A game under way under version 1, in a host's folder of its own.
struct OldGame {
    folder: tempfile::TempDir,
    ruleset: &'static str,
}

impl OldGame {
    fn new(ruleset: &'static str, seats: &str, mails: &str) -> OldGame {
        let game = OldGame { folder: tempfile::tempdir().unwrap(), ruleset };
        let words = ["--ruleset", ruleset, "--seats", seats, "--most", mails, "--rules-version", "1"];
        // Hidden cards keep a game from being forked: of this one all are shown when it is over.
        let words = if mails.is_empty() { [&words[..4], &words[6..]].concat() } else { words.to_vec() };
        game.says(&[&["demo", "--dir", ".", "--id", GAME, "--seed", "5"], &words[..]].concat(), &[0]);
        game
    }
    /// Runs the program, which must end in one of these ways; gives what it printed.
    #[track_caller]
    fn says(&self, words: &[&str], statuses: &[i32]) -> String {
        let mut command = Command::new(cargo_bin!("postrider"));
        let out = command.current_dir(self.folder.path()).args(words).env_remove("POSTRIDER_LOG").output().unwrap();
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        let why = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.code().is_some_and(|code| statuses.contains(&code)), "{words:?}: {text}{why}");
        text
    }
    #[track_caller]
    fn json(&self, words: &[&str]) -> Value {
        serde_json::from_str(&self.says(&[words, &["--json"]].concat(), &[0])).unwrap()
    }
    fn journal(&self, game: &str) -> String {
        fs::read_to_string(self.folder.path().join(Path::new("journal").join(game).with_extension("jsonl"))).unwrap()
    }
    fn lines(&self, game: &str) -> Vec<Value> {
        self.journal(game).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
    /// The journal names version 1, holds in every line, and says so; by this program and by the independent checker.
    #[track_caller]
    fn holds(&self, game: &str, parent: &[&str]) {
        let opened = &self.lines(game)[0];
        assert_eq!(opened["body"]["ruleset"]["version"], 1, "{opened}");
        assert_eq!(opened["body"]["ruleset"]["name"], self.ruleset);
        // What is still hidden is unproved; nothing contradicts.
        let report = self.says(&[&["verify", game], parent].concat(), &[0, 2]);
        assert!(report.contains("version 1"), "{report}");
        let path = format!("journal/{game}.jsonl");
        let checker = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/checker.py");
        let out = Command::new("python3").arg(checker).arg(self.folder.path().join(path)).output().unwrap();
        assert!([Some(0), Some(2)].contains(&out.status.code()), "{}", String::from_utf8_lossy(&out.stdout));
    }
    /// The first answers that are listed, to so many questions that the game waits for.
    fn goes_on(&self, game: &str, questions: usize) {
        for _ in 0..questions {
            let asked = self.json(&["prompts", game]);
            let one = asked.as_array().unwrap().iter().find(|one| one["required"] == true).unwrap();
            let (seat, words) = (one["seat"].as_str().unwrap(), one["choices"][0]["words"].as_str().unwrap());
            let before = self.lines(game).len();
            self.says(&["order", game, seat, words], &[0]);
            assert!(self.lines(game).len() > before, "{words}: nothing was written");
        }
    }
}

/// Everything that a director does to a game, done to one of version 1; `to` is a Round that it has behind it.
fn is_kept_for_ever(ruleset: &'static str, seats: &str, mails: &str, to: &str) {
    let old = OldGame::new(ruleset, seats, mails);
    old.holds(GAME, &[]);

    let before = old.journal(GAME);
    let undone = old.json(&["rewind", GAME, "--to", to, "--reason", "a slip", "--dry-run"]);
    assert!(undone.is_object() && old.journal(GAME) == before, "{undone}");
    old.says(&["rewind", GAME, "--to", to, "--reason", "a slip", "--yes"], &[0]);
    let after = old.journal(GAME);
    assert!(after.starts_with(&before) && after.len() > before.len(), "what was written stays");
    old.goes_on(GAME, 2);
    old.holds(GAME, &[]);

    let whole = old.journal(GAME);
    old.says(&["fork", GAME, FORK, "--to", to, "--reason", "what if", "--join-all"], &[0]);
    assert_eq!(old.journal(GAME), whole, "the parent is not changed");
    old.goes_on(FORK, 2);
    old.holds(FORK, &["--parent", &format!("journal/{GAME}.jsonl")]);

    for game in [GAME, FORK] {
        let report = old.json(&["adjudicate", game, "--bot", "random", "--rollouts", "2"]);
        let text = report.to_string();
        assert!(report["rollouts"].as_u64().is_none_or(|n| n == 2), "{text}");
        assert!(!text.contains("\"failed\":[{"), "{text}");
    }
}

#[test]
fn a_game_of_geronimo_of_version_1_is_kept_for_ever() {
    is_kept_for_ever("geronimo", "3", "130", "turn 4 round 2");
}

#[test]
fn a_game_of_plains_indian_wars_of_version_1_is_kept_for_ever() {
    is_kept_for_ever("plains-indian-wars", "2", "", "turn 1 round 3");
}
