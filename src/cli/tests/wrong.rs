//! Wrong command lines: each error says what is wrong, where, and what would be right.

use super::say;
use crate::{Cli, CliError, GROUPS, program, run};
use clap::FromArgMatches as _;
use std::fs;

fn wrong(root: &str, words: &str) -> (u8, String) {
    let words: Vec<String> = words.split(' ').map(|word| word.replace('_', " ")).collect();
    let words = ["postrider", "--root", root].into_iter().map(str::to_owned).chain(words);
    let cli = match program().try_get_matches_from(words).and_then(|found| Cli::from_arg_matches(&found)) {
        Ok(cli) => cli,
        Err(why) => return (64, why.to_string()),
    };
    match run(&cli, crate::released()) {
        Ok(said) => (said.status, said.text),
        Err(why) => (why.status(), format!("{why} {}", why.hint().unwrap_or_default())),
    }
}

fn host() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    let players = "--player Anna_<anna@example.net> --player Ben_<ben@example.net>";
    for (id, more) in [("lone-pine", "--join-all --clock 3d"), ("lost-river", "")] {
        say(root, format!("new --id {id} {players} {more}").trim_end()).unwrap();
    }
    folder
}

#[test]
fn wrong_command_lines_are_explained() {
    let folder = host();
    let root = folder.path().to_str().unwrap();
    fs::write(folder.path().join("notes.txt"), "hello\n").unwrap();
    let notes = format!("{root}/notes.txt");
    let two = "--player Anna_<anna@example.net> --player Ben_<ben@example.net>";
    let first = postrider_games::rulesets()[0];
    let no_bot = format!("no bot \"stedy\" plays {}; available: ", first.title());
    let lines: Vec<(String, u8, String)> = [
        // Names of commands and options.
        ("staus", 64, "similar subcommands exist: 'pause', 'status'"),
        ("status --jsn", 64, "similar argument exists: '--json'"),
        ("order lone-pine", 64, "<SEAT>"),
        ("rewind lone-pine --reason x", 64, "--at <WHEN>"),
        // Games.
        ("show lone-pin3", 66, "there is no game \"lone-pin3\"; did you mean lone-pine?"),
        ("show lo", 66, "several games begin with \"lo\": lone-pine and lost-river"),
        ("order lo A pass", 66, "several games begin with \"lo\": lone-pine and lost-river"),
        ("resend nothing A", 66, "there is no game \"nothing\""),
        ("status nothing", 66, "`postrider status` lists the games of a host"),
        ("verify gone.jsonl", 66, "there is no game \"gone.jsonl\" (gone.jsonl does not exist)"),
        (&*format!("show {notes}"), 65, "is not a journal: it begins with \"hello\""),
        // Seats.
        (
            "order lone-pine Z pass",
            64,
            "\"Z\" is not a seat or the name of one player; the seats are Anna (A) and Ben (B)",
        ),
        (
            "show lone --seat Dora",
            64,
            "\"Dora\" is not a seat or the name of one player; the seats are Anna (A) and Ben (B)",
        ),
        ("tell lone-pine Hello --seat Cora", 64, "the seats are Anna (A) and Ben (B)"),
        (&*format!("new {two} --operator-seat Cora"), 64, "the seats are Anna (A) and Ben (B)"),
        (&*format!("new {two} --sender-check Anna=maybe"), 64, "\"maybe\" is none of required, recorded, off"),
        // Numbers.
        ("simulate --games many", 64, "'many' for '--games <GAMES>': it must be a whole number, 1 or more"),
        ("simulate --games 0", 64, "it must be a whole number, 1 or more"),
        ("simulate --players x", 64, "it must be a whole number from 1 to 26"),
        ("adjudicate lone-pine --rollouts -3", 64, "-3"),
        ("adjudicate lone-pine --rollouts 1e3", 64, "it must be a whole number from 1 to 1000000"),
        ("render lone-pine --width wide", 64, "it must be a whole number from 100 to 4000"),
        ("show lone-pine --entry first", 64, "it must be a whole number, 0 or more"),
        ("show lone-pine --entry 999", 64, "there is no entry 999: the last one is entry "),
        ("log lone-pine --from 9 --to 3", 64, "there are no entries from 9 to 3"),
        ("messages lone-pine --forget x", 64, "it must be a whole number, 0 or more"),
        ("demo --seats none", 64, "it must be a whole number from 1 to 26"),
        // Times.
        (&*format!("new {two} --clock soon"), 64, "soon"),
        (&*format!("new {two} --clock 3d --at-flag lose"), 64, "lose"),
        (
            "deadline lone-pine --seat A --until soon --reason x",
            64,
            "\"soon\" is not a time for a deadline; write a day",
        ),
        ("show lone-pine --at noon", 64, "noon"),
        // Players, rules and options.
        (
            "new --player anna@example.net --player b@example.net",
            64,
            "\"anna@example.net\" is not of the form: Anna <anna@example.net>",
        ),
        (
            "new --player Anna_<anna@example.net>",
            64,
            "Anna would be the only player. Each player needs an option --player.",
        ),
        (
            "new --player Anna_<anna@example> --player Ben_<ben@localhost>",
            64,
            "The domain of Ben's address, \"localhost\", has no dot: no mail leaves this machine.",
        ),
        (&*format!("new {two} --ruleset geronmo"), 64, "there are no rules called \"geronmo\""),
        (
            "simulate --ruleset geronmo",
            64,
            &*format!("there are no rules called \"geronmo\"; there are {}, ", first.name()),
        ),
        (&*format!("new {two} --option treaty-cap"), 64, "\"treaty-cap\" is not of the form KEY=VALUE"),
        (&*format!("new {two} --option tretay-cap=true"), 64, "tretay-cap"),
        (&*format!("new {two} --scenario campain"), 64, "campain"),
        (&*format!("new --id lone-pine {two}"), 64, "a game \"lone-pine\" already exists"),
        (&*format!("new --id X {two}"), 64, "3 to 40 letters a-z, digits and hyphens"),
        ("simulate --bots stedy", 64, &*no_bot),
        ("stand-in lone-pine --seat A --bot stedy", 64, &*no_bot),
        (
            &format!("new {two} --player Cy_<c@example.net>_Mars"),
            64,
            "\"Mars\" is not a time zone; write a name such as America/Denver",
        ),
        // Questions that nobody can answer here.
        ("abandon lone-pine --reason x", 64, "There is no terminal for the question; add --yes to confirm"),
        ("recover lone-pine --dry-run", 64, "lone-pine"),
        ("dkim", 64, "add a table [mail_out.smtp.dkim] with `selector` and `key_file` to postrider.toml"),
        // A refused order has its own exit status.
        ("order lone-pine A bake_a_cake", 1, "bake"),
        ("render lone-pine -o map.jpg", 64, ".svg"),
    ]
    .into_iter()
    .map(|(words, status, said)| (words.to_owned(), status, said.to_owned()))
    .collect();
    assert!(lines.len() >= 40, "{}", lines.len());
    let mut faults = Vec::new();
    for (words, status, said) in lines {
        let (ended, why) = wrong(root, &words);
        if ended != status || !why.contains(&said) {
            faults.push(format!("{words}\n  {ended}: {why}\n  not {status}: {said}"));
        }
        for raw in ["invalid digit", "Some(", "ParseIntError", "os error 2"] {
            if why.contains(raw) {
                faults.push(format!("{words}\n  has {raw:?}: {why}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn games_and_seats_are_found_by_the_beginning_and_by_name() {
    let folder = host();
    let root = folder.path().to_str().unwrap();
    assert!(wrong(root, "show lone").1.contains(" lone-pine: "));
    assert_eq!(wrong(root, "tell lone Hello --seat anna").0, 0);
    assert_eq!(wrong(root, "messages lone --seat ANNA").0, 0);
    assert!(wrong(root, "new --yes --id solo --player Anna_<anna@localhost> --operator-seat Anna").1.contains("solo"));
    // With an open seat, a single player is not a mistake.
    assert_eq!(wrong(root, "new --id open-pine --player Anna_<anna@example.net> --open 1").0, 0);
}

#[test]
fn status_of_one_game_says_more() {
    let folder = host();
    let root = folder.path().to_str().unwrap();
    say(root, "rule lone-pine --reason Be_kind").unwrap();
    let all = say(root, "status").unwrap().text;
    let one = say(root, "status lone").unwrap().text;
    let line = all.lines().find(|line| line.starts_with("lone-pine: ")).unwrap();
    assert!(one.starts_with(line) && !one.contains("lost-river"), "{one}");
    assert!(one.contains(" is asked since 20") && one.contains("The host rules: Be kind."), "{one}");
    let json: serde_json::Value = serde_json::from_str(&say(root, "status lone --json").unwrap().text).unwrap();
    assert_eq!(json[0]["details"]["rulings"].as_array().unwrap().len(), 1, "{json}");
    say(root, "result lone-pine anna_1,_ben_2 --reason late --yes").unwrap();
    let over = say(root, "status lone").unwrap().text;
    assert!(over.contains("\n  1. Anna (A)  ") && over.contains("\n  2. Ben (B)  "), "{over}");
}

#[test]
fn every_command_is_listed_once_in_the_help() {
    let help = program().render_help().to_string();
    for command in program().get_subcommands().filter(|command| command.get_name() != "help") {
        let name = command.get_name();
        let rows = help.lines().filter(|line| line.split_whitespace().next() == Some(name) && line.starts_with("  "));
        assert_eq!(rows.count(), 1, "{name}: {help}");
    }
    assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
    for group in GROUPS {
        assert!(help.contains(&*format!("\n{}:\n", group.0)), "{help}");
    }
}

#[test]
fn an_error_without_a_folder_says_how_to_name_one() {
    let why = CliError::NoFolder { place: "/home/anna".into() };
    assert_eq!(why.status(), 64);
    assert!(why.hint().unwrap().contains("--root FOLDER"), "{why}");
}
