//! All cheats: on lines, on times and deadlines, on chance, on the rules and the format, on results
//! and votes, and on histories and letters.

mod agreed;
mod chance;
mod edit;
mod histories;
mod lines;
mod said;
mod times;

use super::base::{Base, as_they_stand, of};
use postrider::{
    dice::{Hash, sha256},
    mailbox::SavedMail,
};
use serde_json::{Value, json};

/// The cheats on a game played by mail, grouped by their subject.
pub const CHEATS: [&[Cheat]; 6] =
    [lines::CHEATS, times::CHEATS, chance::CHEATS, said::CHEATS, agreed::CHEATS, histories::CHEATS];

/// The action of a cheat.
#[derive(Clone, Copy)]
pub enum Does {
    /// Changes lines of the current game.
    Lines(fn(&mut Vec<Value>, &Base)),
    /// Changes lines of a small finished journal of the test vectors, given by its name, for which
    /// there are no letters.
    Vector(&'static str, fn(&mut Vec<Value>)),
    /// Changes the bytes so that they are no longer lines; no hashes can be recomputed.
    Bytes(fn(String) -> String),
    /// Replaces a seat in a body by text that is not canonical JSON, and computes the line's hash
    /// with it.
    Odd(fn() -> String),
    /// Anything else, in a single form.
    History(fn(&Base) -> Form),
}

/// A journal, and the mails and key to compare it with.
pub struct Form {
    pub journal: String,
    pub letters: Vec<SavedMail>,
    pub key: Option<Hash>,
}

/// A cheat.
pub struct Cheat {
    /// A description in plain words.
    pub what: &'static str,
    /// The action.
    pub does: Does,
    /// The expected reactions: with edited bytes, with all later hashes recomputed, and
    /// additionally with one player's letters.
    pub meets: [&'static str; 3],
}

const fn lines(what: &'static str, does: fn(&mut Vec<Value>, &Base), meets: [&'static str; 3]) -> Cheat {
    Cheat { what, does: Does::Lines(does), meets }
}

const fn odd(what: &'static str, text: fn() -> String) -> Cheat {
    Cheat { what, does: Does::Odd(text), meets: ["1 lines", "1 lines", "1 lines"] }
}

/// Returns the journal with this text in place of a decision's seat, with the line's own hash or a
/// recomputed one, and the number of the line, from 1.
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
