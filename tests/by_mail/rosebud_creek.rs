//! Orders of The Battle of Rosebud Creek as players write them in replies: companies have names
//! such as 3A, and letters number their questions.

use chrono::{TimeZone, Utc};
use postrider::{
    dice::sha256,
    mailbox::MaildirFolder,
    office::{Environment, Invitee, NewGame, Office, Outcome, RulingGiven},
    replay::Catalog,
    store::{Host, MailFolder},
    table::Seat,
};
use std::collections::{BTreeMap, BTreeSet};
use tempfile::TempDir;

const GAME: &str = "rose-hip";

/// A game for two in the Movement Phase of the US in turn 1, with the letter that asks Anna for it.
struct Table {
    _folder: TempDir,
    office: Office,
    letter: String,
}

impl Table {
    /// Places units in hexes by a director's ruling.
    fn puts(&mut self, units: &[(&str, &str)]) {
        for (unit, at) in units {
            let effect = serde_json::json!({ "unit": { "unit": unit, "at": at } });
            let given = RulingGiven { by: "host".into(), text: "a trial".into(), effect, of: None };
            self.office.directing(GAME).rule(&given).expect("it can be ruled");
        }
    }
    fn new() -> Table {
        let mut table = Table::rallying();
        // The US has no units to rally.
        let told = table.office.order(GAME, Seat(0), "done").expect("the office works");
        assert!(told.1, "{}", told.0);
        table.letter = table.take("Movement, turn 1");
        table
    }

    fn rallying() -> Table {
        let folder = tempfile::tempdir().expect("a folder");
        let start = Utc.with_ymd_and_hms(2026, 11, 20, 18, 30, 0).unwrap();
        let host = Host::open_or_create(folder.path()).expect("a host's folder");
        let mut office = Office::open(host, Catalog::new(postrider::games::rulesets()), Environment::fixed(7, start))
            .expect("an office");
        let player = |text: &str| text.parse::<Invitee>().expect("a player");
        let new = NewGame {
            ruleset: "rosebud-creek".into(),
            id: Some(GAME.into()),
            players: vec![player("Anna <anna@example.net>"), player("Ben <ben@example.net>")],
            join_all: true,
            ..NewGame::default()
        };
        office.new_game(&new).expect("a game");
        // Both setups, and the entry of the Indians.
        for seat in [0, 1, 1] {
            let told = office.order(GAME, Seat(seat), "done").expect("the office works");
            assert!(told.1, "{}", told.0);
        }
        let mut table = Table { _folder: folder, office, letter: String::new() };
        table.letter = table.take("Rally Phase, turn 1");
        table
    }

    /// Returns the last mail to Anna with this text, without line breaks; deletes all others.
    fn take(&self, says: &str) -> String {
        self.sent("A", says)
    }

    /// Returns the last mail to a seat with this text; deletes all others.
    fn sent(&self, seat: &str, says: &str) -> String {
        let out = self.office.host().mail(MailFolder::Out).expect("the outbox");
        let mut found = None;
        for entry in out.list().expect("its mails").into_iter().filter(|entry| entry.folder == MaildirFolder::New) {
            let text = std::fs::read_to_string(&entry.path).expect("mails are UTF-8").replace("\r\n", "\n");
            std::fs::remove_file(&entry.path).expect("it can be taken");
            if entry.unique.starts_with(&format!("{GAME}.{seat}.")) && text.contains(says) {
                found = Some(text);
            }
        }
        found.unwrap_or_else(|| panic!("no mail says {says}"))
    }

    fn answered(&mut self, text: &str) -> (Outcome, String) {
        let head = |name: &str| {
            let plain = self.letter.replace("\n ", " ");
            let line = plain.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")).map(str::to_owned));
            line.unwrap_or_else(|| panic!("no {name}"))
        };
        let (to, id, own) = (head("Reply-To"), head("Message-ID"), sha256(text.as_bytes()));
        let mail = format!(
            "From: anna@example.net\nTo: {to}\nSubject: Re: game\nMessage-ID: <{own}@x.example>\nIn-Reply-To: {id}\n\n{text}\n"
        );
        let outcome = self.office.receive(mail.as_bytes()).expect("the office works").outcome;
        let reply = self.take("");
        // The text part is enough.
        let text = reply.split("Content-Type: text/html").next().unwrap_or_default();
        (outcome, text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

#[test]
fn companies_are_no_questions_and_doubt_moves_nothing() {
    let done = |n, total| Outcome::Answered { done: n, total };
    let cases: [(&str, Outcome, &str); 27] = [
        ("3a: 3414", done(1, 1), "Lawson (3A), with Mills, moves to 3414."),
        ("3a 3e: 3414", done(1, 1), "Lawson (3A) and Sutorious (3E), with Mills, move"),
        ("move 3a: 3414", done(1, 1), "moves to 3414"),
        ("Hi, move 3a: 3414, thanks!", done(1, 1), "moves to 3414"),
        ("Hi Bob: 3a: 3414", done(0, 0), "Not understood"),
        ("3a 3e: 3414 > 3413", done(0, 1), "3A has 4 MPs on foot, 0 left in"),
        ("3A 3414", done(1, 1), "moves to 3414"),
        ("1: 3a: 3414", done(1, 1), "moves to 3414"),
        ("1: 3a 3414", done(1, 1), "moves to 3414"),
        ("lawson: 3414", done(1, 1), "Lawson (3A), with Mills, moves to 3414."),
        ("2d: to 3312, 3e: 3413", done(0, 0), "Not understood"),
        ("3a: 9909", done(0, 0), "9909 is no hex of the map"),
        ("3a: 4800", done(0, 0), "4800 is no hex of the map"),
        ("h1: 4800", done(0, 0), "H1 belongs to the Indians"),
        ("doctrine before melee: sometimes", done(0, 0), "Yes, no, ask, or what else is to be done"),
        ("doctrine before melee: ask if he charges", done(0, 0), "Not understood"),
        ("mills: 2907", done(0, 0), "several ways cost the same"),
        ("3x: 3414", done(0, 0), "Not understood"),
        ("1-3: 2405 > 2306", done(0, 0), "Not understood"),
        ("hunkpapa 1-3: 2405 > 2306", done(0, 0), "Not understood"),
        ("3a", done(0, 0), "There is no question 3"),
        ("3a: 3414 (lawson)", done(0, 0), "Not understood"),
        ("3a: 3414 (3413)", done(0, 0), "Not understood"),
        ("3a..3f: 3414", done(0, 0), "Not understood"),
        ("2: 3a 3414", done(0, 0), "Not understood"),
        ("doctrine opportunity fire: chance 10", done(1, 1), "one thing is asked of you"),
        ("standing scatter: sometimes", done(0, 1), "There is no kind of question called"),
    ];
    let mut wrong = Vec::new();
    for (text, wanted, says) in cases {
        let mut table = Table::new();
        let (outcome, reply) = table.answered(text);
        if outcome != wanted || !reply.contains(says) {
            let start: String = reply.split("7bit").nth(1).unwrap_or_default().chars().take(300).collect();
            wrong.push(format!("{text}: {outcome:?} {start}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_mail_holds_the_moves_of_a_phase() {
    let mut table = Table::new();
    let (outcome, reply) = table.answered("3a 3e: 3414\n2a: 3412\ndone");
    assert_eq!(outcome, Outcome::Answered { done: 3, total: 3 }, "{reply}");
    assert!(reply.contains("Dewees (2A), with Noyes, moves to 3412."), "{reply}");
    // One unreadable line holds all of them.
    let mut table = Table::new();
    let (outcome, reply) = table.answered("3a: 3414\n3i: 9909\n2a: 3412\ndone");
    assert_eq!(outcome, Outcome::Answered { done: 0, total: 0 }, "{reply}");
    assert!(reply.contains("9909 is no hex") && reply.contains("understood: move 2a noyes: 3412"), "{reply}");
}

#[test]
fn a_mail_goes_on_through_the_phases() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut demo = std::process::Command::new(env!("CARGO_BIN_EXE_postrider"));
    demo.args(["demo", "--ruleset", "rosebud-creek", "--seats", "2", "--seed", "7", "--bot", "steady", "--standing"]);
    demo.args(["--id", GAME, "--most", "14", "--dir"]).arg(folder.path());
    let output = demo.output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let journal = std::fs::read_to_string(folder.path().join(format!("journal/{GAME}.jsonl"))).expect("a journal");
    let mut asked: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in journal.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        // The orders of one mail are appended at the same time.
        if let (Some(_), Some(ask)) = (line["body"].get("words"), line["body"]["ask"].as_str()) {
            asked.entry(line["at"].to_string()).or_default().insert(ask.to_owned());
        }
    }
    let through = |asks: &BTreeSet<String>| asks.contains("movement") && asks.len() > 1;
    assert!(asked.values().filter(|asks| through(asks)).count() > 1, "{asked:?}");
}

#[test]
fn a_condition_that_a_later_question_reads_is_no_doubt() {
    let mut table = Table::new();
    table.office.order(GAME, Seat(1), "standing defensive fire always: done").expect("the office works");
    table.puts(&[("3A", "2610"), ("H1", "2609")]);
    table.letter = table.take("Movement, turn 1");
    let text = "3e: 3414\nmovement: done\nadvance fire: done\nmelee 2609 with 3a if 1-3\nmelee: done";
    let (outcome, reply) = table.answered(text);
    assert_eq!(outcome, Outcome::Answered { done: 5, total: 5 }, "{reply}");
    assert!(reply.contains("done melee 2609 with 3a if 1-3"), "{reply}");
    for (text, wanted) in [
        ("3a: 3414\n3e: 3414 if he moves\n3i: 3414", "3e: 3414 if he moves"),
        ("3a: 3414\nIf he moves,\n3i: 3414", "If he moves,"),
    ] {
        let mut table = Table::new();
        let (outcome, reply) = table.answered(text);
        assert_eq!(outcome, Outcome::Answered { done: 0, total: 0 }, "{text}: {reply}");
        assert!(reply.contains("Nothing was done yet") && reply.contains(wanted), "{text}: {reply}");
    }
}

#[test]
fn an_order_for_another_phase_is_told_from_no_order() {
    let wants = "You are not asked for advance fire, defensive fire";
    let mut table = Table::new();
    let (outcome, answer) = table.answered("fire all at best 3");
    assert_eq!(outcome, Outcome::Answered { done: 0, total: 1 }, "{answer}");
    assert!(answer.contains(wants), "{answer}");
    let mut table = Table::new();
    let (_, answer) = table.answered("3a: 3414\n\noffensive fire: done\n\nmelee 3413 with 3a");
    assert!(answer.contains("You are not asked for melee now."), "{answer}");
    assert!(answer.contains("moves to 3414"), "{answer}");
}

#[test]
fn the_help_on_one_mail_is_a_player_turn_in_one_mail() {
    let page = include_str!("../../src/games/rosebud_creek/help.md");
    let topic = page.split("\n## ").find(|topic| topic.starts_with("one mail")).expect("the topic");
    let orders: Vec<&str> = topic.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    let mut table = Table::rallying();
    table.office.order(GAME, Seat(1), "standing defensive fire always: done").expect("the office works");
    table.puts(&[("2A", "2610"), ("H1", "2609"), ("2B", "2010"), ("H2", "2009")]);
    table.letter = table.take("Rally Phase, turn 1");
    let (outcome, reply) = table.answered(&orders.join("\n"));
    assert_eq!(outcome, Outcome::Answered { done: orders.len(), total: orders.len() }, "{reply}");
    assert!(reply.contains("turn 2 of 19, 08:20, Indian Player Turn"), "{reply}");
}

#[test]
fn no_such_shot_is_no_other_shot() {
    let mut table = Table::rallying();
    table.puts(&[("2A", "2610"), ("H1", "2609")]);
    table.letter = table.take("Rally Phase, turn 1");
    let (outcome, reply) = table.answered("rally: done\nfire all at best 99");
    assert_eq!(outcome, Outcome::Answered { done: 1, total: 2 }, "{reply}");
    assert!(reply.contains("Nobody has such a shot: the best, 2A at H1") && !reply.contains("Reply `yes`"), "{reply}");
}

#[test]
fn an_aim_is_not_told_to_the_other_side() {
    let mut table = Table::new();
    table.puts(&[("3A", "2611"), ("H1", "2609")]);
    table.letter = table.take("Movement, turn 1");
    let (outcome, reply) = table.answered("3a: 2610, fire h1");
    assert_eq!(outcome, Outcome::Answered { done: 1, total: 1 }, "{reply}");
    assert!(reply.contains("aims at Crow King (H1)"), "{reply}");
    let told = table.office.order(GAME, Seat(0), "movement: done").expect("the office works");
    assert!(told.1, "{}", told.0);
    let ben = table.sent("B", "Defensive Fire");
    assert!(!ben.contains("aims at"), "{ben}");
}
