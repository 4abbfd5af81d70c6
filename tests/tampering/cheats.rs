//! The cheats, one after the other.

use crate::base::{Base, as_they_stand, of, other_key, remade, signed};
use postrider::{
    dice::{DiceStream, Hash, h, roll_seed, sha256},
    journal::luck_digest,
    mail::SavedMail,
};
use serde_json::{Value, json};
use std::io::{Cursor, Write};

/// What somebody does.
#[derive(Clone, Copy)]
pub enum Does {
    /// Changes lines of the game in play.
    Lines(fn(&mut Vec<Value>, &Base)),
    /// Changes lines of a small finished journal of the test vectors, by its name, for which there are no letters.
    Vector(&'static str, fn(&mut Vec<Value>)),
    /// Changes bytes that are no longer lines; there is nothing to hash anew.
    Bytes(fn(String) -> String),
    /// Puts text that is no canonical JSON into a body, in the place of a seat, and hashes the line over that.
    Odd(fn() -> String),
    /// Something else, which has one form only.
    History(fn(&Base) -> Form),
}

/// A journal, and the mails and key that it is held against.
pub struct Form {
    pub journal: String,
    pub letters: Vec<SavedMail>,
    pub key: Option<Hash>,
}

/// One cheat.
pub struct Cheat {
    /// In plain words.
    pub what: &'static str,
    /// How it is done.
    pub does: Does,
    /// What it meets: with its bytes edited; with all later hashes remade; and then with one player's letters.
    pub meets: [&'static str; 3],
}

const fn lines(what: &'static str, does: fn(&mut Vec<Value>, &Base), meets: [&'static str; 3]) -> Cheat {
    Cheat { what, does: Does::Lines(does), meets }
}

const fn odd(what: &'static str, text: fn() -> String) -> Cheat {
    Cheat { what, does: Does::Odd(text), meets: ["1 lines", "1 lines", "1 lines"] }
}

/// The journal in which this text stands for the seat of a decision; with the line's own hash, or with one made over it. Gives the
/// line too, counted from 1.
pub fn with_text(base: &Base, text: &str, remade: bool) -> (String, u64) {
    let n = of(&base.lines, "decision", 5);
    let mut line = base.lines[n].clone();
    line["body"]["seat"] = json!("here it stands");
    line.as_object_mut().expect("an entry").remove("hash");
    let bare = as_they_stand(&[line]).trim_end().replace("\"here it stands\"", text);
    let hash = match remade {
        true => sha256(format!("postrider/entry/v1\n{bare}").as_bytes()).to_string(),
        false => base.lines[n]["hash"].as_str().expect("text").to_owned(),
    };
    let (before, after) = bare.rsplit_once("\"kind\":").expect("a kind");
    let line = format!("{before}\"hash\":\"{hash}\",\"kind\":{after}\n");
    (as_they_stand(&base.lines[..n]) + &line + &as_they_stand(&base.lines[n + 1..]), n as u64 + 1)
}

const fn history(what: &'static str, does: fn(&Base) -> Form, meets: [&'static str; 3]) -> Cheat {
    Cheat { what, does: Does::History(does), meets }
}

/// A decision of the first Turn, whose cards are revealed, that picked one of a list, and was followed by dice.
fn pick(all: &[Value]) -> usize {
    let picked = |n: &usize| {
        all[*n]["body"]["ask"] == "settlement"
            && all[*n + 1]["kind"] == "rolled"
            && all[*n]["body"]["order"]["pick"].is_object()
    };
    (0..of(all, "revealed", 0)).find(picked).expect("a Settlement was placed")
}

/// A letter in which something else stands for the two lines of each proof and the word before them.
fn with_proofs(text: &str, other: impl Fn(&str, &str) -> String) -> String {
    let mut parts = text.split(", signed\r\n");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (proof, rest) = part.split_at_checked(64 + 2 + 64).expect("a proof stands behind the word");
        let (first, second) = proof.split_once("\r\n").expect("in two lines");
        out += &other(first, second);
        out += rest;
    }
    out
}

/// A card of the first Turn that was shown.
fn shown(all: &[Value]) -> usize {
    of(all, "shown", 0)
}

/// The shuffle of the first Turn from which the first card was shown.
fn its_shuffle(all: &[Value]) -> usize {
    let deck = &all[shown(all)]["body"]["deck"];
    (0..all.len()).find(|&n| all[n]["kind"] == "shuffled" && all[n]["body"]["deck"] == *deck).expect("it was shuffled")
}

/// The last shuffle of the deck of Shaman Cards, which is not revealed.
fn hidden_shuffle(all: &[Value]) -> usize {
    all.iter()
        .rposition(|line| line["kind"] == "shuffled" && line["body"]["deck"] == "shaman")
        .expect("it was shuffled")
}

/// Takes a line out; what points to later lines is put right.
fn take_out(all: &mut Vec<Value>, at: usize) -> Value {
    let line = all.remove(at);
    shift(all, at as i64 + 1, -1);
    line
}

/// Puts a line in, likewise.
fn put_in(all: &mut Vec<Value>, at: usize, line: Value) {
    shift(all, at as i64, 1);
    all.insert(at, line);
}

fn shift(all: &mut [Value], from: i64, by: i64) {
    for line in all {
        for member in ["cause", "of", "to"] {
            if let Some(n) = line["body"][member].as_i64().filter(|&n| n >= from) {
                line["body"][member] = json!(n + by);
            }
        }
    }
}

/// A line of a kind, dated like the one before it.
fn made(all: &[Value], kind: &str, body: Value) -> Value {
    let mut line = all[all.len() - 1].clone();
    line["kind"] = json!(kind);
    line["body"] = body;
    line
}

fn hash(value: &Value) -> Hash {
    value.as_str().expect("text").parse().expect("32 bytes")
}

/// Throws the dice of a `rolled` line again, honestly, for another secret or luck.
fn thrown(line: &mut Value, luck: &Hash) {
    let game = line["game"].as_str().expect("text").to_owned();
    let (i, secret) = (line["body"]["i"].as_u64().expect("a number"), hash(&line["body"]["secret"]));
    let mut stream = DiceStream::new(roll_seed(&game, i, &secret, luck));
    for roll in line["body"]["rolls"].as_array_mut().expect("a list") {
        let (low, high) = (roll["low"].as_i64().expect("low"), roll["high"].as_i64().expect("high"));
        for got in roll["got"].as_array_mut().expect("a list") {
            *got = json!(stream.die(low, high));
        }
    }
}

/// Puts a card of the operator's choice where nobody has seen one yet, under a salt of his own.
fn stack(all: &mut [Value], at: usize) {
    let game = all[at]["game"].as_str().expect("text").to_owned();
    let body = &all[at]["body"];
    let (deck, epoch) = (body["deck"].as_str().expect("text").to_owned(), body["epoch"].to_string());
    let card = body["list"][0].as_str().expect("a card").to_owned();
    // Nobody stacks a card that everybody has seen.
    let shown = |pos: usize| {
        let same = |one: &Value| one["deck"] == body["deck"] && one["epoch"] == body["epoch"] && one["pos"] == pos;
        all.iter().any(|line| line["kind"] == "shown" && same(&line["body"]))
    };
    let pos = (0..body["cards"].as_array().expect("a list").len()).find(|&pos| !shown(pos)).unwrap_or(0);
    let salt = h("postrider/test/v1", &["a salt of the operator's own"]).to_string();
    let commitment = h("postrider/card/v1", &[game.as_str(), &deck, &epoch, &pos.to_string(), &card, &salt]);
    all[at]["body"]["cards"][pos] = json!(commitment.to_string());
}

/// The letters with one word replaced.
fn rewritten(base: &Base, from: &str, to: &str) -> Vec<SavedMail> {
    let mut letters = base.letters.clone();
    for letter in &mut letters {
        letter.raw = String::from_utf8_lossy(&letter.raw).replace(from, to).into_bytes();
    }
    letters
}

/// The first card that the newest letter with a hand shows: its line up to the card, the card, its salt.
fn held(base: &Base) -> (String, String, String) {
    for letter in base.letters.iter().rev() {
        let text = String::from_utf8_lossy(&letter.raw).replace("\r\n", "\n");
        let mut all = text.lines().skip_while(|line| !line.starts_with("YOUR HIDDEN CARDS")).skip(1);
        if let (Some(card), Some(salt)) = (all.next(), all.next())
            && salt.trim_start().starts_with("salt ")
        {
            let (place, name) = card.split_once(": ").expect("a place and a card");
            return (format!("{place}: "), name.to_owned(), salt.trim().trim_start_matches("salt ").to_owned());
        }
    }
    panic!("no letter shows a hand");
}

/// The journal with the time of a decision changed and all later hashes remade, which nothing but a letter can tell.
fn another_time(base: &Base) -> String {
    let mut all = base.lines.clone();
    let n = of(&all, "decision", 5);
    all[n]["at"] = json!("2001-01-01T00:00:00Z");
    remade(all)
}

/// The letters, each made into something else, in files whose names end so.
fn kept_as(base: &Base, end: &str, made: impl Fn(&[u8]) -> Vec<u8>) -> Vec<SavedMail> {
    base.letters.iter().map(|letter| SavedMail { place: end.to_owned(), raw: made(&letter.raw) }).collect()
}

fn zipped(raw: &[u8]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("mails/letter", zip::write::SimpleFileOptions::default()).expect("a Vec takes every write");
    zip.write_all(raw).expect("a Vec takes every write");
    zip.finish().expect("a Vec takes every write").into_inner()
}

/// The cheats on a game that was played by mail.
pub const CHEATS: &[Cheat] = &[
    lines(
        "a die is changed",
        |all, _| {
            let n = of(all, "rolled", 3);
            let got = all[n]["body"]["rolls"][0]["got"][0].as_i64().expect("a die");
            let low = all[n]["body"]["rolls"][0]["low"].as_i64().expect("low");
            all[n]["body"]["rolls"][0]["got"][0] = json!(if got == low { low + 1 } else { low });
        },
        ["2 entries", "5 dice", "5 dice"],
    ),
    lines(
        "an order is changed into another legal one",
        |all, _| {
            let n = pick(all);
            let one = &mut all[n]["body"]["order"]["pick"]["one"];
            *one = json!(if one == "Texas" { "California" } else { "Texas" });
        },
        ["2 entries", "8 replay", "9 letters"],
    ),
    lines(
        "an order is changed into an illegal one",
        |all, _| {
            let n = pick(all);
            all[n]["body"]["order"]["pick"]["one"] = json!("Xanadu");
        },
        ["2 entries", "8 replay", "8 replay"],
    ),
    lines(
        "a time is changed",
        |all, _| {
            let n = of(all, "decision", 5);
            all[n]["at"] = json!("2001-01-01T00:00:00Z");
        },
        ["2 entries", "nothing", "9 letters"],
    ),
    lines(
        "an order is said to have come by another way",
        |all, _| {
            let n = of(all, "decision", 5);
            all[n]["body"]["via"] = json!("bot");
            let body = all[n]["body"].as_object_mut().expect("a body");
            for member in ["mail", "words"] {
                body.remove(member);
            }
        },
        ["2 entries", "nothing", "9 letters"],
    ),
    lines(
        // Whoever wrote the mail finds it: `verify --sent` says "not mine".
        "the digest of an order's words is another one",
        |all, _| {
            let by_mail = |line: &&mut Value| line["kind"] == "decision" && line["body"]["via"] == "mail";
            let line = all.iter_mut().find(by_mail).expect("an order by mail");
            line["body"]["words"] = json!(h("postrider/test/v1", &["words"]).to_string());
        },
        ["2 entries", "nothing", "9 letters"],
    ),
    lines(
        "an order is said to come from another mail",
        |all, _| {
            let by_mail = |line: &&mut Value| line["kind"] == "decision" && line["body"]["via"] == "mail";
            let line = all.iter_mut().find(by_mail).expect("an order by mail");
            line["body"]["mail"] = json!(h("postrider/test/v1", &["mail"]).to_string());
        },
        ["2 entries", "nothing", "9 letters"],
    ),
    lines(
        "a decision is dropped",
        |all, _| _ = take_out(all, of(all, "decision", 5)),
        ["2 entries", "8 replay", "8 replay"],
    ),
    lines(
        "a roll is dropped, for a better one to come up",
        |all, _| _ = take_out(all, of(all, "rolled", 3)),
        ["2 entries", "8 replay", "8 replay"],
    ),
    lines(
        "a decision is put in",
        |all, _| {
            let n = of(all, "decision", 5);
            put_in(all, n, all[n].clone());
        },
        ["2 entries", "8 replay", "8 replay"],
    ),
    lines(
        "two decisions change places",
        |all, _| {
            let (a, b) = (of(all, "decision", 5), of(all, "decision", 6));
            let line = all[a]["body"].take();
            all[a]["body"] = all[b]["body"].take();
            all[b]["body"] = line;
        },
        ["2 entries", "8 replay", "8 replay"],
    ),
    lines(
        "two players join the other way round",
        |all, _| {
            let (a, b) = (of(all, "joined", 0), of(all, "joined", 1));
            all.swap(a, b);
        },
        ["2 entries", "nothing", "9 letters"],
    ),
    Cheat {
        what: "the end is cut off, at the end of a line",
        does: Does::Bytes(|text| {
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            lines[..lines.len() / 2].concat()
        }),
        meets: ["nothing", "nothing", "said to be open"],
    },
    Cheat {
        what: "the end is cut off within a line",
        does: Does::Bytes(|text| text[..text.len() - 9].to_owned()),
        meets: ["1 lines", "1 lines", "1 lines"],
    },
    Cheat {
        what: "a space is put into a line",
        does: Does::Bytes(|text| text.replacen("\"body\":{", "\"body\": {", 1)),
        meets: ["1 lines", "1 lines", "1 lines"],
    },
    Cheat {
        what: "a member is spelt with an escape, its hash remade over that",
        does: Does::Bytes(|text| {
            let (first, rest) = text.split_once('\n').expect("lines");
            let bare = first.replace("\"scenario\"", "\"sc\\u0065nario\"");
            let (before, after) = bare.split_once("\"hash\":\"").expect("a hash");
            let after = &after[66..];
            let hash = sha256(format!("postrider/entry/v1\n{before}{after}").as_bytes());
            format!("{before}\"hash\":\"{hash}\",{after}\n{rest}")
        }),
        meets: ["1 lines", "1 lines", "1 lines"],
    },
    lines(
        "dice are made from another secret",
        |all, _| {
            let n = of(all, "rolled", 3);
            all[n]["body"]["secret"] = json!(h("postrider/test/v1", &["a secret"]).to_string());
            let luck = hash(&all[of(all, "started", 0)]["body"]["luck"]);
            thrown(&mut all[n], &luck);
        },
        ["2 entries", "4 chains", "4 chains"],
    ),
    lines(
        "a link of the chain is skipped, for better dice",
        |all, _| {
            let (n, next) = (of(all, "rolled", 3), of(all, "rolled", 4));
            all[n]["body"]["secret"] = all[next]["body"]["secret"].clone();
            let luck = hash(&all[of(all, "started", 0)]["body"]["luck"]);
            thrown(&mut all[n], &luck);
        },
        ["2 entries", "4 chains", "4 chains"],
    ),
    lines(
        "the luck is another than the players' phrases make",
        |all, _| {
            let n = of(all, "started", 0);
            all[n]["body"]["luck"] = json!(h("postrider/test/v1", &["luck"]).to_string());
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a player's phrase is changed, luck and all dice made anew from it",
        |all, _| {
            let n = of(all, "joined", 1);
            all[n]["body"]["luck"] = json!("I like sixes");
            let phrases: Vec<String> = (0..3)
                .map(|k| all[of(all, "joined", k)]["body"].clone())
                .map(|body| (body["seat"].to_string(), body["luck"].as_str().expect("text").to_owned()))
                .collect::<std::collections::BTreeMap<_, _>>()
                .into_values()
                .collect();
            let luck = luck_digest(phrases.iter().map(String::as_str));
            let started = of(all, "started", 0);
            all[started]["body"]["luck"] = json!(luck.to_string());
            all.iter_mut().filter(|line| line["kind"] == "rolled").for_each(|line| thrown(line, &luck));
        },
        ["2 entries", "8 replay", "8 replay"],
    ),
    lines(
        "another card is shown than was dealt",
        |all, _| {
            let n = shown(all);
            let list = all[its_shuffle(all)]["body"]["list"].as_array().expect("a list").clone();
            let other = list.iter().find(|card| **card != all[n]["body"]["card"]).expect("another card").clone();
            all[n]["body"]["card"] = other;
        },
        ["2 entries", "6 decks", "6 decks"],
    ),
    lines(
        "a deck was stacked; its Turn is over",
        |all, _| {
            let n = its_shuffle(all);
            stack(all, n);
        },
        ["2 entries", "6 decks", "9 letters"],
    ),
    lines(
        "the deck of the Turn in play is stacked afterwards",
        |all, _| {
            let n = hidden_shuffle(all);
            stack(all, n);
        },
        ["2 entries", "nothing", "9 letters"],
    ),
    lines(
        "a card is dealt to another seat",
        |all, _| {
            let n = of(all, "dealt", 0);
            let other = if all[n]["body"]["seat"] == "A" { "B" } else { "A" };
            all[n]["body"]["seat"] = json!(other);
        },
        ["2 entries", "8 replay", "8 replay"],
    ),
    lines(
        "a secret is revealed early, before its Turn is over",
        |all, _| {
            let n = of(all, "revealed", 0);
            let mut line = all[n].clone();
            line["at"] = all[n - 20]["at"].clone();
            take_out(all, n);
            let at = (of(all, "started", 0)..n - 10).rfind(|&k| all[k]["kind"] == "decision").expect("a decision");
            put_in(all, at, line);
        },
        ["2 entries", "8 replay", "8 replay"],
    ),
    lines(
        "what was sealed is opened as something else",
        |all, _| {
            let n = of(all, "unsealed", 0);
            all[n]["body"]["content"]["orders"] = json!(["canby in california"]);
        },
        ["2 entries", "7 seals", "7 seals"],
    ),
    lines(
        "the digest of a Round is false",
        |all, _| {
            let n = of(all, "round", 2);
            all[n]["body"]["state"] = json!(h("postrider/test/v1", &["a position"]).to_string());
        },
        ["2 entries", "8 replay", "8 replay"],
    ),
    lines(
        "a decision answers a question that was not asked",
        |all, _| {
            let n = pick(all);
            all[n]["body"]["prompt"] = json!(9_999);
        },
        ["2 entries", "8 replay", "8 replay"],
    ),
    lines(
        "a decision is given to another seat",
        |all, _| {
            let n = pick(all);
            let other = if all[n]["body"]["seat"] == "A" { "B" } else { "A" };
            all[n]["body"]["seat"] = json!(other);
        },
        ["2 entries", "8 replay", "8 replay"],
    ),
    lines(
        "a decision is given to a seat that there is not",
        |all, _| {
            let n = pick(all);
            all[n]["body"]["seat"] = json!("Z");
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a ruling in words is put in afterwards",
        |all, _| {
            let at = of(all, "decision", 5);
            let line = made(&all[..at], "ruling", json!({ "by": "host", "effect": {}, "text": "So be it." }));
            put_in(all, at, line);
        },
        ["2 entries", "nothing", "9 letters"],
    ),
    lines(
        "a ruling is put in whose effect the game does not have",
        |all, _| {
            let at = of(all, "decision", 5);
            let effect = json!({ "no-such-effect": { "vp": 5 } });
            let line = made(&all[..at], "ruling", json!({ "by": "host", "effect": effect, "text": "So be it." }));
            put_in(all, at, line);
        },
        ["2 entries", "8 replay", "8 replay"],
    ),
    lines(
        "a seat is handed to somebody else in the past",
        |all, _| {
            let at = of(all, "decision", 5);
            let address = h("postrider/test/v1", &["an address"]).to_string();
            let line = made(&all[..at], "reseated", json!({ "address": address, "luck": "", "seat": "A" }));
            put_in(all, at, line);
        },
        ["2 entries", "nothing", "9 letters"],
    ),
    lines(
        "the host strikes his own seat from the first line",
        // This host holds none, so here he adds one: the same edit the other way round.
        |all, _| all[0]["body"]["operator_seats"] = json!(["A"]),
        ["2 entries", "nothing", "9 letters"],
    ),
    lines(
        "another component file is named",
        |all, _| all[0]["body"]["ruleset"]["components"] = json!(h("postrider/test/v1", &["a file"]).to_string()),
        ["2 entries", "said to be open", "9 letters"],
    ),
    lines(
        "a member that the format does not list is put into a body",
        |all, _| {
            let n = of(all, "decision", 5);
            all[n]["body"]["handicap"] = json!(3);
        },
        ["2 entries", "2 entries", "2 entries"],
    ),
    lines(
        "a line of a kind that nobody knows is put in",
        |all, _| {
            let at = of(all, "decision", 5);
            let line = made(&all[..at], "weather", json!({ "rain": true }));
            put_in(all, at, line);
        },
        ["2 entries", "said to be open", "9 letters"],
    ),
    lines(
        "a line names another version of the format",
        |all, _| {
            let n = of(all, "decision", 5);
            all[n]["v"] = json!(3);
        },
        ["2 entries", "2 entries", "2 entries"],
    ),
    odd("a member stands twice in a body", || r#""A","seat":"A""#.to_owned()),
    odd("half a character stands in a text", || r#""\ud800""#.to_owned()),
    odd("a value is no number at all", || "NaN".to_owned()),
    odd("a number is larger than programs can keep apart", || "9007199254740993".to_owned()),
    odd("a value nests thousands of levels", || "[".repeat(5_000) + &"]".repeat(5_000)),
    history(
        "two histories: the host plays on from a copy, and shows the copy",
        |base| Form { journal: as_they_stand(&base.twin), letters: base.letters.clone(), key: None },
        ["-", "nothing", "9 letters"],
    ),
    history(
        "two histories, and two players compare their letters without any journal of that length",
        |base| {
            let common = (0..).find(|&n| base.lines.get(n) != base.twin.get(n)).unwrap_or(0);
            let mut letters = base.letters[base.letters.len() - 1..].to_vec();
            // The other player's letter was written at the same entry.
            let n = newest_n(&letters[0]) as usize;
            let mut twin = base.twin.clone();
            twin.truncate(n + 1);
            while twin.len() <= n {
                let line = made(&twin, "clock", json!({ "event": "reminded", "prompt": 1, "seat": "A" }));
                twin.push(line);
            }
            letters.push(signed(&base.key, &base.game, "B", &remade(twin)));
            Form { journal: as_they_stand(&base.lines[..common]), letters, key: None }
        },
        ["-", "nothing", "9 letters"],
    ),
    history(
        "a rewind that is not written down",
        |base| {
            // Back to where the copy was taken, and on otherwise; the player has a letter of what is undone.
            let mut letters = base.letters.clone();
            letters.push(base.twin_letter.clone());
            Form { journal: as_they_stand(&base.lines), letters, key: None }
        },
        ["-", "nothing", "9 letters"],
    ),
    history(
        "another key in the first line",
        |base| {
            let mut all = base.lines.clone();
            all[0]["body"]["key"] = json!(other_key().public().to_string());
            Form { journal: remade(all), letters: base.letters.clone(), key: None }
        },
        ["-", "nothing", "said to be open"],
    ),
    history(
        "another key in the first line, and the player gives `--key`",
        |base| {
            let mut all = base.lines.clone();
            all[0]["body"]["key"] = json!(other_key().public().to_string());
            Form { journal: remade(all), letters: base.letters.clone(), key: Some(base.key.public()) }
        },
        ["-", "nothing", "3 frame"],
    ),
    history(
        "somebody forges a letter with a head of his own",
        |base| {
            let mut all = base.lines.clone();
            let n = of(&all, "decision", 5);
            all[n]["at"] = json!("2001-01-01T00:00:00Z");
            let forged = signed(&other_key(), &base.game, "A", &remade(all));
            let raw = String::from_utf8_lossy(&forged.raw)
                .replace(&other_key().public().to_string(), &base.key.public().to_string());
            let mut letters = base.letters.clone();
            letters.push(SavedMail { place: "forged.eml".into(), raw: raw.into_bytes() });
            Form { journal: as_they_stand(&base.lines), letters, key: None }
        },
        ["-", "nothing", "said to be open"],
    ),
    history(
        "a time is changed, and the letters lie in files without an ending",
        |base| Form { journal: another_time(base), letters: kept_as(base, "", <[u8]>::to_vec), key: None },
        ["-", "nothing", "9 letters"],
    ),
    history(
        "a time is changed, and the letters lie packed in archives",
        |base| Form { journal: another_time(base), letters: kept_as(base, ".old", zipped), key: None },
        ["-", "nothing", "9 letters"],
    ),
    history(
        "a time is changed, and the letters lie in an archive that no checker opens",
        |base| {
            let locked = |_: &[u8]| b"Rar!\x1a\x07\x01\0".to_vec();
            Form { journal: another_time(base), letters: kept_as(base, ".rar", locked), key: None }
        },
        ["-", "nothing", "said to be open"],
    ),
    history(
        "a time is changed, and a folder without a letter is given as the mailbox",
        |base| {
            let notes = SavedMail { place: ".txt".into(), raw: b"milk, eggs".to_vec() };
            Form { journal: another_time(base), letters: vec![notes], key: None }
        },
        ["-", "nothing", "said to be open"],
    ),
    history(
        "a time is changed, and the signatures of the letters were broken on purpose",
        |base| {
            let broken = |raw: &[u8]| {
                let text = String::from_utf8_lossy(raw);
                let text = text.replace("X-Postrider-Signature: ", "X-Postrider-Signature: 00");
                with_proofs(&text, |first, second| format!(", signed\r\n{first}\r\n00{}", &second[2..])).into_bytes()
            };
            Form { journal: another_time(base), letters: kept_as(base, ".eml", broken), key: None }
        },
        ["-", "nothing", "said to be open"],
    ),
    history(
        "a time is changed, and the letters were sent without signatures",
        |base| {
            let bare = |raw: &[u8]| {
                let text = String::from_utf8_lossy(raw);
                let text = text.replace("X-Postrider-Signature: ", "X-Nothing: ");
                with_proofs(&text, |_, _| ", seen".to_owned()).into_bytes()
            };
            Form { journal: another_time(base), letters: kept_as(base, ".eml", bare), key: None }
        },
        ["-", "nothing", "said to be open"],
    ),
    history(
        "a letter tells a player of another card than was sealed",
        |base| {
            let (place, card, _) = held(base);
            let other = if card == "Raid" { "Missionaries" } else { "Raid" };
            let letters = rewritten(base, &format!("{place}{card}\r\n"), &format!("{place}{other}\r\n"));
            Form { journal: as_they_stand(&base.lines), letters, key: None }
        },
        ["-", "nothing", "9 letters"],
    ),
    history(
        "a letter gives a player another salt",
        |base| {
            let (.., salt) = held(base);
            let letters = rewritten(base, &salt, &h("postrider/test/v1", &["salt"]).to_string());
            Form { journal: as_they_stand(&base.lines), letters, key: None }
        },
        ["-", "nothing", "9 letters"],
    ),
];

/// n of the head in one of our letters.
fn newest_n(letter: &SavedMail) -> u64 {
    let text = String::from_utf8_lossy(&letter.raw).into_owned();
    let field = text.lines().find_map(|line| line.strip_prefix("X-Postrider-Head: ")).expect("the field");
    field.split(' ').nth(1).and_then(|n| n.parse().ok()).expect("a number")
}
