//! Whole histories, keys and letters.

use super::super::base::{Base, as_they_stand, newest_n, of, other_key, signed};
use super::{Cheat, Form, edit::made, history};
use postrider::{dice::h, journal::testing::rehashed, mailbox::SavedMail};
use serde_json::json;
use std::io::{Cursor, Write};

/// The cheats, in the order of the table.
pub const CHEATS: &[Cheat] = &[
    history(
        "two histories: the host continues from a copy, and shows the copy",
        |base| Form { journal: as_they_stand(&base.twin), letters: base.letters.clone(), key: None },
        ["-", "nothing", "9 letters"],
    ),
    history(
        "two histories: two players compare their letters without a journal of that length",
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
            letters.push(signed(&base.key, &base.game, "B", &rehashed(&twin)));
            Form { journal: as_they_stand(&base.lines[..common]), letters, key: None }
        },
        ["-", "nothing", "9 letters"],
    ),
    history(
        "a rewind is not recorded",
        |base| {
            // Back to the point of the copy, with another continuation; the player has a letter
            // about what is undone.
            let mut letters = base.letters.clone();
            letters.push(base.twin_letter.clone());
            Form { journal: as_they_stand(&base.lines), letters, key: None }
        },
        ["-", "nothing", "9 letters"],
    ),
    history(
        "the first line names another key",
        |base| {
            let mut all = base.lines.clone();
            all[0]["body"]["key"] = json!(other_key().public().to_string());
            Form { journal: rehashed(&all), letters: base.letters.clone(), key: None }
        },
        ["-", "nothing", "reported open"],
    ),
    history(
        "the first line names another key, and the player gives `--key`",
        |base| {
            let mut all = base.lines.clone();
            all[0]["body"]["key"] = json!(other_key().public().to_string());
            Form { journal: rehashed(&all), letters: base.letters.clone(), key: Some(base.key.public()) }
        },
        ["-", "nothing", "3 frame"],
    ),
    history(
        "a letter is forged with an invented head",
        |base| {
            let mut all = base.lines.clone();
            let n = of(&all, "decision", 5);
            all[n]["at"] = json!("2001-01-01T00:00:00Z");
            let forged = signed(&other_key(), &base.game, "A", &rehashed(&all));
            let raw = String::from_utf8_lossy(&forged.raw)
                .replace(&other_key().public().to_string(), &base.key.public().to_string());
            let mut letters = base.letters.clone();
            letters.push(SavedMail { place: "forged.eml".into(), raw: raw.into_bytes() });
            Form { journal: as_they_stand(&base.lines), letters, key: None }
        },
        ["-", "nothing", "reported open"],
    ),
    history(
        "a time is changed, and the letters are in files without an extension",
        |base| Form { journal: another_time(base), letters: kept_as(base, "", <[u8]>::to_vec), key: None },
        ["-", "reported open", "9 letters"],
    ),
    history(
        "a time is changed, and the letters are in archives",
        |base| Form { journal: another_time(base), letters: kept_as(base, ".old", zipped), key: None },
        ["-", "reported open", "9 letters"],
    ),
    history(
        "a time is changed, and the letters are in an archive that no checker opens",
        |base| {
            let locked = |_: &[u8]| b"Rar!\x1a\x07\x01\0".to_vec();
            Form { journal: another_time(base), letters: kept_as(base, ".rar", locked), key: None }
        },
        ["-", "reported open", "reported open"],
    ),
    history(
        "a time is changed, and a folder without a letter is given as the mailbox",
        |base| {
            let notes = SavedMail { place: ".txt".into(), raw: b"milk, eggs".to_vec() };
            Form { journal: another_time(base), letters: vec![notes], key: None }
        },
        ["-", "reported open", "reported open"],
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
        ["-", "reported open", "reported open"],
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
        ["-", "reported open", "reported open"],
    ),
    history(
        "a letter shows a player another card than was sealed",
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

/// Replaces the two lines of each proof in a letter, and the word before them.
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

/// Returns the letters with one word replaced.
fn rewritten(base: &Base, from: &str, to: &str) -> Vec<SavedMail> {
    let mut letters = base.letters.clone();
    for letter in &mut letters {
        letter.raw = String::from_utf8_lossy(&letter.raw).replace(from, to).into_bytes();
    }
    letters
}

/// Returns the first card in the newest letter with a hand: the part of the line before the card,
/// the card, its salt.
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

/// Returns the journal with another time for a decision and recomputed hashes, which only a letter
/// can detect.
fn another_time(base: &Base) -> String {
    let mut all = base.lines.clone();
    let n = of(&all, "decision", 5);
    all[n]["at"] = json!("2001-01-01T00:00:00Z");
    rehashed(&all)
}

/// Returns the letters, each converted by `made`, as files with this ending.
fn kept_as(base: &Base, end: &str, made: impl Fn(&[u8]) -> Vec<u8>) -> Vec<SavedMail> {
    base.letters.iter().map(|letter| SavedMail { place: end.to_owned(), raw: made(&letter.raw) }).collect()
}

fn zipped(raw: &[u8]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("mails/letter", zip::write::SimpleFileOptions::default()).expect("a Vec takes every write");
    zip.write_all(raw).expect("a Vec takes every write");
    zip.finish().expect("a Vec takes every write").into_inner()
}
