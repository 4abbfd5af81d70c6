//! The changes that turn a journal into a mutant.
//!
//! Some change bytes directly, as a faulty disk does; most also recompute all numbers and hashes,
//! as an operator can.

use postrider::{
    dice::{DiceStream, Hash, h, sha256},
    journal::to_canon,
};
use serde_json::{Map, Value, json};

/// The lines of a journal, each with its newline.
pub type Lines = Vec<Vec<u8>>;

/// A member that the format does not list.
const UNLISTED: &str = "a-member-of-no-kind";

/// A way to change a journal.
#[derive(Clone, Copy)]
pub struct Change {
    pub what: &'static str,
    /// Makes the change, and describes its location.
    pub does: fn(&mut Lines, &mut Chance) -> String,
}

/// A source of random choices.
pub struct Chance(DiceStream);

impl Chance {
    pub fn new(seed: &str) -> Chance {
        Chance(DiceStream::new(h("postrider/test/v1", &["mutants", seed])))
    }

    /// Returns a number below `n`, or 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { self.0.below(u32::try_from(n).expect("it is small")) as usize }
    }

    fn of<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }
}

const fn change(what: &'static str, does: fn(&mut Lines, &mut Chance) -> String) -> Change {
    Change { what, does }
}

/// All changes.
pub const CHANGES: [Change; 24] = [
    change("a bit is turned", |lines, chance| {
        let (n, at) = place(lines, chance);
        lines[n][at] ^= 1 << chance.below(8);
        format!("line {}, byte {at}", n + 1)
    }),
    change("a byte is another", |lines, chance| {
        let (n, at) = place(lines, chance);
        lines[n][at] = *chance.of(b"\"\\{}[]:,0 \0\n\r\x7f\xc3\xff");
        format!("line {}, byte {at}", n + 1)
    }),
    change("bytes are left out", |lines, chance| {
        let (n, at) = place(lines, chance);
        let end = (at + 1 + chance.below(9)).min(lines[n].len());
        lines[n].drain(at..end);
        format!("line {}, bytes {at} to {end}", n + 1)
    }),
    change("bytes are put in", |lines, chance| {
        let (n, at) = place(lines, chance);
        let bytes = *chance.of(&[&b" "[..], b"\n", b"\xef\xbb\xbf", b"{}", b"\"x\":1,", b"\0\0", b"\xed\xa0\x80"]);
        lines[n].splice(at..at, bytes.iter().copied());
        format!("line {}, byte {at}: {bytes:?}", n + 1)
    }),
    change("the end is cut off within a line", |lines, chance| {
        let (n, at) = place(lines, chance);
        lines.truncate(n + 1);
        lines[n].truncate(at);
        format!("line {}, byte {at}", n + 1)
    }),
    change("the end is cut off behind a line", |lines, chance| {
        let n = chance.below(lines.len());
        lines.truncate(n);
        format!("line {n}")
    }),
    change("lines change places", swapped),
    change("a line is left out", left_out),
    change("a line stands twice", twice),
    change("lines change places, hashed anew", |lines, chance| hashed(lines, chance, swapped)),
    change("a line is left out, hashed anew", |lines, chance| hashed(lines, chance, left_out)),
    change("a line stands twice, hashed anew", |lines, chance| hashed(lines, chance, twice)),
    change("a line is left out, hashed and numbered anew", |lines, chance| {
        let n = chance.below(lines.len());
        lines.remove(n);
        moved(lines, n as i64 + 1, -1);
        hash_anew(lines);
        format!("line {}", n + 1)
    }),
    change("a line is put in, hashed and numbered anew", |lines, chance| {
        let n = 1 + chance.below(lines.len() - 1);
        let (kind, body) = chance
            .of(&[
                ("clock", json!({ "event": "reminded", "prompt": 1, "seat": "A" })),
                ("ruling", json!({ "by": "host", "effect": {}, "text": "So\u{1b}[2J be it." })),
                ("ruling", json!({ "by": "host", "effect": { "no-such-effect": 1 }, "text": "" })),
                ("reseated", json!({ "address": Hash::ZERO, "luck": "x", "seat": "A" })),
                ("weather", json!({ "seat": 7 })),
                ("entry", json!({})),
                ("closed", json!({ "outcome": {}, "secrets": {} })),
            ])
            .clone();
        let mut line = read(&lines[n - 1]);
        (line["kind"], line["body"]) = (json!(kind), body);
        moved(lines, n as i64, 1);
        lines.insert(n, written(&line));
        hash_anew(lines);
        format!("line {}, {kind}", n + 1)
    }),
    change("a value is another", |lines, chance| {
        let others = [
            json!(0),
            json!(-1),
            json!(9_007_199_254_740_991_i64),
            json!(""),
            json!("dice"),
            json!("deck:events"),
            json!(Hash::ZERO),
            json!([]),
            json!({}),
            json!(true),
            json!("\u{e9}\u{2028}\u{1b}[31m\u{202e}\u{0}"),
        ];
        let other = chance.of(&others).clone();
        in_body(lines, chance, |value, _| *value = other)
    }),
    change("a value is slightly another", |lines, chance| in_body(lines, chance, slightly)),
    change("a value is of another type", |lines, chance| {
        in_body(lines, chance, |value, _| {
            *value = match value.take() {
                Value::Number(number) => json!(number.to_string()),
                Value::String(text) => text.parse::<i64>().map_or_else(|_| json!([text]), |number| json!(number)),
                Value::Array(items) => {
                    json!(items.into_iter().enumerate().map(|(i, item)| (i.to_string(), item)).collect::<Map<_, _>>())
                }
                Value::Object(members) => json!(members.into_iter().map(|(_, value)| value).collect::<Vec<_>>()),
                Value::Bool(is) => json!(i32::from(is)),
                Value::Null => json!(0),
            };
        })
    }),
    change("a member is left out", |lines, chance| {
        in_body(lines, chance, |value, chance| match value {
            Value::Object(members) => {
                let name = members.keys().nth(chance.below(members.len())).cloned();
                name.map(|name| members.remove(&name));
            }
            Value::Array(items) if !items.is_empty() => _ = items.remove(chance.below(items.len())),
            _ => {}
        })
    }),
    change("a member is put in that the format does not list", |lines, chance| {
        in_body(lines, chance, |value, chance| {
            let other = chance.of(&[json!(1), json!(""), json!({ "x": [[]] }), json!([true])]).clone();
            match value {
                Value::Object(members) => _ = members.insert(UNLISTED.to_owned(), other),
                Value::Array(items) => items.push(other),
                _ => {}
            }
        })
    }),
    change("a value comes from another line of the kind", |lines, chance| {
        let n = chance.below(lines.len());
        let line = read(&lines[n]);
        let alike: Vec<Value> =
            lines.iter().map(|other| read(other)).filter(|other| other["kind"] == line["kind"]).collect();
        let other = chance.of(&alike).clone();
        let mut places = Vec::new();
        pointers(&line["body"], "", &mut places);
        let at = chance.of(&places).clone();
        let mut line = line;
        if let (Some(old), Some(new)) = (line["body"].pointer_mut(&at), other["body"].pointer(&at)) {
            *old = new.clone();
        }
        lines[n] = written(&line);
        hash_anew(lines);
        format!("line {}, {at}", n + 1)
    }),
    change("a time is another", |lines, chance| {
        let times = [
            "2001-01-01T00:00:00Z",
            "2024-02-30T00:00:00Z",
            "2024-13-01T00:00:00Z",
            "0000-01-01T00:00:00Z",
            "now",
            "2024-01-01T24:00:00Z",
        ];
        let time = chance.of(&times);
        in_entry(lines, chance, |line| line["at"] = json!(time))
    }),
    change("an entry says what it is otherwise", |lines, chance| {
        let others = [
            ("kind", json!("weather")),
            ("kind", json!("decision")),
            ("kind", json!("Opened")),
            ("kind", json!("parent")),
            ("game", json!("another-game")),
            ("n", json!(true)),
            ("v", json!(2)),
            ("body", json!([])),
            ("w", json!(1)),
        ];
        let (member, other) = chance.of(&others).clone();
        in_entry(lines, chance, |line| line[member] = other)
    }),
    change("the game has another name", |lines, chance| {
        let name = *chance.of(&["another-game", "a", "UPPER", "x\ny"]);
        let mut opened = read(&lines[0]);
        opened["body"]["game"] = json!(name);
        lines[0] = written(&opened);
        hash_anew(lines);
        name.to_owned()
    }),
    change("JSON is not canonical, hashed anew", |lines, chance| {
        let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        let odd = [
            r#""\ud800""#.to_owned(),
            r#""\udc00\ud800""#.to_owned(),
            r#""\u0041""#.to_owned(),
            r#""\/""#.to_owned(),
            "\"\u{8}\"".to_owned(),
            "NaN".to_owned(),
            "Infinity".to_owned(),
            "-0".to_owned(),
            "01".to_owned(),
            "1.0".to_owned(),
            "1e400".to_owned(),
            "9007199254740992".to_owned(),
            "9".repeat(5_000),
            "null".to_owned(),
            deep(61),
            deep(62),
            deep(63),
            deep(64),
            deep(5_000),
            "{\"a\":".repeat(5_000),
            r#"{"a":1,"a":1}"#.to_owned(),
            r#"{"b":1,"a":1}"#.to_owned(),
            "{\"\u{e9}\":1}".to_owned(),
            " 1".to_owned(),
            "x".repeat(70_000),
            "\"".to_owned() + &"x".repeat(70_000) + "\"",
        ];
        let other = chance.of(&odd);
        let n = chance.below(lines.len());
        let mut line = read(&lines[n]);
        let mut places = Vec::new();
        pointers(&line["body"], "", &mut places);
        places.retain(|place| !place.is_empty());
        if places.is_empty() {
            return "nothing".to_owned();
        }
        let at = chance.of(&places).clone();
        *line["body"].pointer_mut(&at).expect("it is there") = json!("here it stands");
        lines[n] = String::from_utf8(written(&line)).expect("UTF-8").replace("\"here it stands\"", other).into_bytes();
        hash_anew(lines);
        format!("line {}, {at}: {}", n + 1, other.chars().take(40).collect::<String>())
    }),
];

fn place(lines: &Lines, chance: &mut Chance) -> (usize, usize) {
    let n = chance.below(lines.len());
    (n, chance.below(lines[n].len()))
}

fn swapped(lines: &mut Lines, chance: &mut Chance) -> String {
    // Mostly neighbours, because a check of the order may miss these.
    let a = chance.below(lines.len() - 1);
    let b = if chance.below(4) > 0 { a + 1 } else { chance.below(lines.len()) };
    lines.swap(a, b);
    format!("lines {} and {}", a + 1, b + 1)
}

fn left_out(lines: &mut Lines, chance: &mut Chance) -> String {
    let n = chance.below(lines.len());
    lines.remove(n);
    format!("line {}", n + 1)
}

fn twice(lines: &mut Lines, chance: &mut Chance) -> String {
    let (n, to) = (chance.below(lines.len()), chance.below(lines.len() + 1));
    let to = if chance.below(2) > 0 { n + 1 } else { to };
    lines.insert(to, lines[n].clone());
    format!("line {} behind line {to}", n + 1)
}

fn hashed(lines: &mut Lines, chance: &mut Chance, does: fn(&mut Lines, &mut Chance) -> String) -> String {
    let how = does(lines, chance);
    hash_anew(lines);
    how
}

/// Changes a value in the body of a line, and recomputes the hashes.
fn in_body(lines: &mut Lines, chance: &mut Chance, does: impl FnOnce(&mut Value, &mut Chance)) -> String {
    let n = chance.below(lines.len());
    let mut line = read(&lines[n]);
    let mut places = Vec::new();
    pointers(&line["body"], "", &mut places);
    let at = chance.of(&places).clone();
    let value = line["body"].pointer_mut(&at).expect("it is there");
    let was = value.to_string();
    does(value, chance);
    let now = value.to_string();
    lines[n] = written(&line);
    hash_anew(lines);
    let short = |text: &str| text.chars().take(60).collect::<String>();
    format!("line {}, {at}: {} and not {}", n + 1, short(&now), short(&was))
}

fn in_entry(lines: &mut Lines, chance: &mut Chance, does: impl FnOnce(&mut Value)) -> String {
    let n = chance.below(lines.len());
    let mut line = read(&lines[n]);
    does(&mut line);
    lines[n] = written(&line);
    hash_anew(lines);
    format!("line {}", n + 1)
}

fn slightly(value: &mut Value, chance: &mut Chance) {
    match value {
        Value::Number(number) => {
            let by = if chance.below(2) > 0 { 1 } else { -1 };
            *value = json!(number.as_i64().unwrap_or_default() + by);
        }
        Value::String(text) => {
            let mut letters: Vec<char> = text.chars().collect();
            match (letters.len(), chance.below(4)) {
                (0, _) => letters.push('x'),
                (n, 0) => _ = letters.remove(chance.below(n)),
                (n, 1) => letters.insert(chance.below(n + 1), *chance.of(&['0', 'a', ' ', 'A', '\n', '\u{e9}'])),
                (n, _) => letters[chance.below(n)] = *chance.of(&['0', '1', 'f', 'a', 'B']),
            }
            *value = json!(letters.into_iter().collect::<String>());
        }
        Value::Bool(is) => *value = json!(!*is),
        Value::Array(items) if items.len() > 1 => {
            let (a, b) = (chance.below(items.len()), chance.below(items.len()));
            match chance.below(2) {
                0 => items.swap(a, b),
                _ => items.push(items[a].clone()),
            }
        }
        Value::Object(members) if members.len() > 1 => {
            let names: Vec<String> = members.keys().cloned().collect();
            let (a, b) = (chance.of(&names), chance.of(&names));
            let (first, second) = (members[a].clone(), members[b].clone());
            members.insert(a.clone(), second);
            members.insert(b.clone(), first);
        }
        _ => {}
    }
}

/// Collects JSON pointers to the values within a body; of long lists, only some.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(key, inner)| pointers(inner, &format!("{at}/{key}"), found));
        }
        Value::Array(items) => {
            items.iter().enumerate().take(4).for_each(|(i, inner)| pointers(inner, &format!("{at}/{i}"), found));
        }
        _ => {}
    }
    found.push(at.to_owned());
}

fn read(line: &[u8]) -> Value {
    serde_json::from_slice(line).expect("it was written here")
}

fn written(line: &Value) -> Vec<u8> {
    (to_canon(line).expect("it has a canonical form") + "\n").into_bytes()
}

fn moved(lines: &mut Lines, from: i64, by: i64) {
    for line in lines {
        let mut entry = read(line);
        let mut changed = false;
        for member in ["of", "to"] {
            if let Some(n) = entry["body"][member].as_i64().filter(|&n| n >= from) {
                entry["body"][member] = json!(n + by);
                changed = true;
            }
        }
        if changed {
            *line = written(&entry);
        }
    }
}

/// Recomputes all numbers and hashes on the byte level, because bodies may not be JSON.
fn hash_anew(lines: &mut Lines) {
    let mut prev = Hash::ZERO.to_string();
    for (n, line) in lines.iter_mut().enumerate() {
        let Some((before, rest)) = cut(line, b",\"hash\":\"") else { continue };
        let Some((_, rest)) = cut(rest, b"\",\"kind\":\"") else { continue };
        let Some((kind, rest)) = cut(rest, b"\",\"n\":") else { continue };
        let Some((_, rest)) = cut(rest, b",\"prev\":\"") else { continue };
        let Some(after) = rest.get(prev.len()..) else { continue };
        let head = [before, b","].concat();
        let tail = [b"\"kind\":\"", kind, format!("\",\"n\":{n},\"prev\":\"{prev}").as_bytes(), after].concat();
        let bare = tail.strip_suffix(b"\n").unwrap_or(&tail);
        prev = sha256(&[b"postrider/entry/v1\n", &head[..], bare].concat()).to_string();
        *line = [&head[..], format!("\"hash\":\"{prev}\",").as_bytes(), &tail].concat();
    }
}

fn cut<'l>(line: &'l [u8], words: &[u8]) -> Option<(&'l [u8], &'l [u8])> {
    let at = line.windows(words.len()).rposition(|here| here == words)?;
    Some((&line[..at], &line[at + words.len()..]))
}
