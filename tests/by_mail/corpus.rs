//! Short answers as people write them, processed by the real intake: the orders that each contains,
//! or none.
//!
//! `tests/mails/words.tsv` contains the lines. Each is sent as a mail in answer to a letter of a
//! real game. The journal must then contain exactly the orders that the expected words give in the
//! same position. `?` before the expected words means that nothing is executed and these words are
//! proposed; `?` alone means that nothing is executed or proposed.

use crate::samples::copy_folder;
use chrono::{TimeZone, Utc};
use mail_parser::MessageParser;
use postrider::{
    dice::sha256,
    mailbox::MaildirFolder,
    office::{Environment, Invitee, NewGame, Office},
    replay::Catalog,
    store::{Host, MailFolder},
    table::Seat,
};
use proptest::{prelude::*, test_runner::TestRunner};
use serde_json::Value;
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
    fs,
    path::Path,
};
use tempfile::TempDir;

const GAME: &str = "words";

/// Number of texts on which a property is tested.
const CASES: u32 = 150;

/// A position of a game, with the letter that asks.
struct Position {
    folder: TempDir,
    seat: Seat,
    letter: String,
    asks: String,
}

/// Names of positions, their games, and words with which an option in the position begins.
const WANTED: &[(&str, &str, &[&str])] = &[
    ("tribe", "geronimo", &["choose sioux", "choose kiowa"]),
    ("settle", "geronimo", &["settle nebraska"]),
    ("card", "geronimo", &["play raid"]),
    ("village", "geronimo", &["kiowa attacks", "pass"]),
    ("home", "geronimo", &["return", "stay"]),
    ("column", "geronimo", &["done"]),
    ("evade", "geronimo", &["evade", "stand"]),
    ("disc", "plains-indian-wars", &["play sitting bull"]),
    ("place", "plains-indian-wars", &["place"]),
    ("move", "plains-indian-wars", &["done", "move"]),
    ("wagons", "plains-indian-wars", &["attack", "call off"]),
    ("retreat", "plains-indian-wars", &["stay", "retreat"]),
    ("engage", "plains-indian-wars", &["engage"]),
];

/// Disables the HTML part of letters, which takes most of the time of a mail and has the same
/// content as the text.
fn office_in(folder: &Path) -> Office {
    fs::write(folder.join("postrider.toml"), "html = false\n").expect("settings");
    let start = Utc.with_ymd_and_hms(2026, 11, 20, 18, 30, 0).unwrap();
    let host = Host::open_or_create(folder).expect("a host's folder");
    Office::open(host, Catalog::new(postrider::games::rulesets()), Environment::fixed(7, start)).expect("an office")
}

/// Plays a game by its options until every wanted position has occurred.
fn play(ruleset: &str, found: &mut BTreeMap<&'static str, Position>) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut office = office_in(folder.path());
    let player = |text: &&str| text.parse::<Invitee>().expect("a player");
    let players =
        ["Karl <karl@example.net>", "Mona <mona@example.net>", "Bob <bob@example.net>", "Dora <dora@example.net>"];
    let new = NewGame {
        ruleset: ruleset.into(),
        id: Some(GAME.into()),
        players: players.iter().map(player).collect(),
        join_all: true,
        ..NewGame::default()
    };
    office.new_game(&new).expect("a game");
    let wanted: Vec<_> = WANTED.iter().filter(|(_, game, _)| *game == ruleset).collect();
    for step in 0..1500_usize {
        let glance = office.terminal(GAME).glance().expect("it is open");
        let Some(&seat) = glance.awaited.first() else { break };
        let answers = office.terminal(GAME).answers(seat).expect("its answers");
        for (name, _, words) in &wanted {
            let all = words.iter().all(|words| answers.iter().any(|answer| answer.starts_with(words)));
            if all && !found.contains_key(name) {
                let copy = tempfile::tempdir().expect("a folder");
                office.close_games();
                copy_folder(folder.path(), copy.path());
                let asks = office.terminal(GAME).asks(seat, true).expect("it asks");
                found.insert(name, Position { letter: letter(&office, seat), folder: copy, seat, asks });
            }
        }
        if wanted.iter().all(|(name, ..)| found.contains_key(name)) {
            return;
        }
        let first = (step * 7 + step / 5) % answers.len().max(1);
        let taken = (0..answers.len())
            .any(|i| office.order(GAME, seat, &answers[(first + i) % answers.len()]).expect("the office works").1);
        assert!(taken, "no answer of {answers:?} is taken");
    }
    let missing: Vec<_> = wanted.iter().filter(|(name, ..)| !found.contains_key(name)).collect();
    assert!(missing.is_empty(), "{ruleset} never came to {missing:?}");
}

fn letter(office: &Office, seat: Seat) -> String {
    let out = office.host().mail(MailFolder::Out).expect("the outbox");
    let mine = format!("{GAME}.{seat}.");
    let all = out
        .list()
        .expect("its mails")
        .into_iter()
        .filter(|one| one.folder == MaildirFolder::New && one.unique.starts_with(&mine));
    let number = |unique: &str| unique.split('.').nth(2).and_then(|n| n.parse::<u64>().ok());
    let newest =
        all.filter(|one| number(&one.unique).is_some()).max_by_key(|one| number(&one.unique)).expect("a letter");
    fs::read_to_string(newest.path).expect("mails are UTF-8").replace("\r\n", "\n").replace("\n ", " ")
}

fn field<'m>(mail: &'m str, name: &str) -> &'m str {
    mail.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).unwrap_or_else(|| panic!("no {name}"))
}

/// A copy of a position for trying mails; it is copied again after a mail that changed it.
struct Trial {
    folder: Option<(TempDir, Office)>,
    tried: usize,
}

/// The result of a mail.
#[derive(Debug, PartialEq, Eq, Clone)]
struct Became {
    /// The kinds of the questions answered, with the orders.
    orders: Vec<(String, Value)>,
    /// The orders proposed.
    read_as: Option<String>,
    /// The answer.
    reply: String,
}

/// The kinds of questions and the orders that words give, or the reason for a refusal.
type Ordered = Result<Vec<(String, Value)>, String>;

impl Trial {
    fn new() -> Trial {
        Trial { folder: None, tried: 0 }
    }

    fn office(&mut self, position: &Position) -> &mut (TempDir, Office) {
        self.folder.get_or_insert_with(|| {
            let folder = tempfile::tempdir().expect("a folder");
            copy_folder(position.folder.path(), folder.path());
            let office = office_in(folder.path());
            (folder, office)
        })
    }

    fn lines(office: &Office) -> usize {
        fs::read_to_string(office.host().journal(GAME)).expect("the journal").lines().count()
    }

    fn send(&mut self, position: &Position, letter: &str, text: &str) -> Became {
        self.tried += 1;
        let tried = self.tried;
        let (_, office) = self.office(position);
        // Anyone who writes too often is answered later.
        if let Environment::Fixed { now, .. } = office.environment() {
            *now += chrono::Duration::hours(2);
        }
        let before = Trial::lines(office);
        let from = field(letter, "To").split(['<', '>']).nth(1).unwrap_or(field(letter, "To")).to_owned();
        let id = sha256(format!("{tried} {text}").as_bytes());
        let raw = format!(
            "From: {from}\nTo: {}\nSubject: Re: {}\nMessage-ID: <{id}@x.example>\nIn-Reply-To: {}\nContent-Type: text/plain; \
             charset=utf-8\n\n{text}\n",
            field(letter, "Reply-To"),
            field(letter, "Subject"),
            field(letter, "Message-ID"),
        );
        office.receive(raw.as_bytes()).expect("the office works");
        let hash = sha256(raw.as_bytes()).to_string();
        let out = office.host().mail(MailFolder::Out).expect("the outbox");
        let entry =
            out.list().expect("its mails").into_iter().find(|one| one.unique.ends_with(&format!("re.{}", &hash[..16])));
        let reply = entry.map(|one| fs::read(one.path).expect("it can be read")).unwrap_or_default();
        let reply = MessageParser::default().parse(&reply).and_then(|mail| mail.body_text(0).map(Into::into));
        let reply: String = reply.unwrap_or_default();
        let body = reply.split_whitespace().collect::<Vec<_>>().join(" ");
        let read_as = body
            .split_once(" to carry out: ")
            .and_then(|(_, rest)| rest.split_once(". Or write again").or_else(|| rest.split_once('.')))
            .map(|(words, _)| words.trim_end_matches(", without what is not understood").to_owned());
        let journal = office.host().journal(GAME);
        let text = fs::read_to_string(journal).expect("the journal");
        let new = text.lines().skip(before).map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let decisions = new.filter(|line| line["kind"] == "decision");
        let orders: Vec<(String, Value)> = decisions
            .map(|line| (line["body"]["ask"].as_str().unwrap_or_default().to_owned(), line["body"]["order"].clone()))
            .collect();
        let moved = text.lines().count() != before;
        if moved {
            self.folder = None;
        }
        Became { orders, read_as, reply }
    }

    /// Returns the orders that words give on the command line, or the reason for a refusal.
    fn ordered(&mut self, position: &Position, words: &str) -> Ordered {
        self.folder = None;
        let (_, office) = self.office(position);
        let before = Trial::lines(office);
        let (said, all) = office.order(GAME, position.seat, &words.replace("; ", "\n")).expect("the office works");
        if !all {
            self.folder = None;
            return Err(said);
        }
        let text = fs::read_to_string(office.host().journal(GAME)).expect("the journal");
        let new = text.lines().skip(before).map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let decisions = new.filter(|line| line["kind"] == "decision");
        let orders = decisions
            .map(|line| (line["body"]["ask"].as_str().unwrap_or_default().to_owned(), line["body"]["order"].clone()))
            .collect();
        self.folder = None;
        Ok(orders)
    }
}

fn positions(ruleset: &str) -> BTreeMap<&'static str, Position> {
    let mut found = BTreeMap::new();
    play(ruleset, &mut found);
    found
}

/// A row of the corpus.
struct Row {
    no: usize,
    position: String,
    text: String,
    orders: String,
}

fn rows() -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mails/words.tsv");
    let text = fs::read_to_string(path).expect("the corpus");
    let row = |(no, line): (usize, &str)| {
        let mut cells = line.split('\t').map(str::to_owned);
        let mut cell = || cells.next().unwrap_or_default();
        let (position, text, orders) = (cell(), cell().replace("\\n", "\n"), cell());
        Row { no, position, text, orders }
    };
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with("##"));
    lines.map(row).collect()
}

fn try_lines(ruleset: &str) {
    let positions = positions(ruleset);
    if std::env::var("POSTRIDER_WORDS").is_ok() {
        for (name, position) in &positions {
            println!("=== {name}: seat {}\n{}", position.seat, position.asks);
        }
    }
    let rows = rows();
    for Row { no, position, .. } in &rows {
        assert!(WANTED.iter().any(|(known, ..)| known == position), "line {no}: there is no position {position}");
    }
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let tried = |(name, position): (&'static str, Position)| {
            let rows = &rows;
            scope.spawn(move || try_position(&position, rows.iter().filter(|row| row.position == name)))
        };
        let threads: Vec<_> = positions.into_iter().map(tried).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("the lines are tried")).collect()
    });
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn try_position<'r>(position: &Position, rows: impl Iterator<Item = &'r Row>) -> Vec<String> {
    let (mut trial, mut wrong) = (Trial::new(), Vec::new());
    let mut expected: HashMap<&str, Ordered> = HashMap::new();
    for Row { no, position: name, text, orders } in rows {
        let wanted = match orders.as_str() {
            held if held.starts_with('?') => Ok(Vec::new()),
            "" => Ok(Vec::new()),
            words => expected.entry(words).or_insert_with(|| trial.ordered(position, words)).clone(),
        };
        let wanted = match wanted {
            Ok(wanted) => wanted,
            Err(why) => {
                wrong.push(format!("line {no}, {name}: what is expected cannot be ordered: {orders}: {why}"));
                continue;
            }
        };
        let became = trial.send(position, &position.letter, text);
        if became.orders != wanted {
            wrong.push(format!("line {no}, {name}: {text:?} ordered {:?}, not {wanted:?}", became.orders));
        }
        let proposed = became.read_as.unwrap_or_default();
        let expected = orders.strip_prefix('?').map(str::trim);
        if expected.is_some_and(|expected| expected != proposed) {
            wrong.push(format!("line {no}, {name}: {text:?} is read as {proposed:?}, not {expected:?}"));
        }
    }
    wrong
}

#[test]
fn every_line_orders_what_it_says_or_nothing_in_geronimo() {
    try_lines("geronimo");
}

#[test]
fn every_line_orders_what_it_says_or_nothing_in_plains_indian_wars() {
    try_lines("plains-indian-wars");
}

/// Words to surround a word that does not belong to any language.
const BESIDE: &[&str] = &[
    "only", "if", "not", "unless", "wait", "later", "tomorrow", "instead", "please", "thanks", "no", "yes", "or",
    "except", "I", "take", "it", "back", "hold", "this", "order", "return", "settle", "nebraska", "attack", "raid",
    "1b", "b", "done", "until", "turn", "5",
];

#[test]
fn a_line_that_is_not_read_holds_the_mail() {
    let cases = std::env::var("POSTRIDER_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(CASES);
    for ruleset in ["geronimo", "plains-indian-wars"] {
        let rows = rows();
        let positions = positions(ruleset);
        let orders: Vec<(String, String)> = rows
            .into_iter()
            .filter(|row| !row.orders.is_empty() && !row.orders.starts_with('?'))
            .filter(|row| positions.contains_key(row.position.as_str()))
            .map(|row| (row.position, row.text))
            .collect();
        assert!(orders.len() > 100, "{} orders", orders.len());
        let mut trials: BTreeMap<&str, (Position, Trial)> =
            positions.into_iter().map(|(name, one)| (name, (one, Trial::new()))).collect();
        // No name, keyword or courtesy is within one edit of seven consonants.
        let strange = "[bcdfghjklmnpqrstvwxz]{7}";
        let beside = prop::collection::vec(prop::sample::select(BESIDE), 0..5);
        let line = (beside, strange, any::<prop::sample::Index>()).prop_map(|(mut words, strange, at)| {
            let at = at.index(words.len() + 1);
            words.insert(at, Box::leak(strange.into_boxed_str()));
            words.join(" ")
        });
        let marks = prop::sample::select(vec!["", ".", "!", ",", ":", " :)", "...", ";", "?"]);
        let mail = (prop::sample::select(orders), line, marks, any::<prop::sample::Index>(), any::<bool>());
        let mut runner =
            TestRunner::new(ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() });
        let trials = RefCell::new(&mut trials);
        let tried = runner.run(&mail, |((name, text), line, mark, at, blank)| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let at = at.index(lines.len() + 1);
            lines.insert(at, line + mark);
            if blank {
                lines.insert(at + usize::from(at == 0), String::new());
            }
            let mut trials = trials.borrow_mut();
            let (position, trial) = trials.get_mut(name.as_str()).expect("its position");
            let became = trial.send(position, &position.letter, &lines.join("\n"));
            prop_assert!(became.orders.is_empty(), "{lines:?}: {:?}", became.orders);
            Ok(())
        });
        if let Err(why) = tried {
            panic!("{ruleset}: {why}");
        }
    }
}
