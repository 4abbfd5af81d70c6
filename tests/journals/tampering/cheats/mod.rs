//! The cheats, one after the other: on lines, on times and deadlines, on chance, on the rules and
//! the format, and on histories and letters.

mod chance;
mod edit;
mod histories;
mod lines;
mod said;
mod times;

use super::base::{Base, as_they_stand, of};
use postrider::{
    dice::{Hash, sha256},
    mail::SavedMail,
};
use serde_json::{Value, json};

/// The cheats on a game that was played by mail, by what they are on.
pub const CHEATS: [&[Cheat]; 5] = [lines::CHEATS, times::CHEATS, chance::CHEATS, said::CHEATS, histories::CHEATS];

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
