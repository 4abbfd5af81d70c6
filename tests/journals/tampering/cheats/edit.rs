//! Functions that change the lines of a journal.

use super::super::base::of;
use postrider::dice::{DiceStream, Hash, h, roll_seed};
use serde_json::{Value, json};

/// Returns a decision of the first Turn, whose cards are revealed, that picked from a list and was
/// followed by dice.
pub(super) fn pick(all: &[Value]) -> usize {
    let picked = |n: &usize| {
        all[*n]["body"]["ask"] == "settlement"
            && all[*n + 1]["kind"] == "rolled"
            && all[*n]["body"]["order"]["pick"].is_object()
    };
    (0..of(all, "revealed", 0)).find(picked).expect("a Settlement was placed")
}

pub(super) fn shown(all: &[Value]) -> usize {
    of(all, "shown", 0)
}

/// Returns the shuffle of the first Turn from which the first card was shown.
pub(super) fn its_shuffle(all: &[Value]) -> usize {
    let deck = &all[shown(all)]["body"]["deck"];
    (0..all.len()).find(|&n| all[n]["kind"] == "shuffled" && all[n]["body"]["deck"] == *deck).expect("it was shuffled")
}

/// Returns the last shuffle of the Shaman Cards, which is not revealed.
pub(super) fn hidden_shuffle(all: &[Value]) -> usize {
    all.iter()
        .rposition(|line| line["kind"] == "shuffled" && line["body"]["deck"] == "shaman")
        .expect("it was shuffled")
}

/// Removes a line and adjusts references to later lines.
pub(super) fn take_out(all: &mut Vec<Value>, at: usize) -> Value {
    let line = all.remove(at);
    shift(all, at as i64 + 1, -1);
    line
}

/// Inserts a line and adjusts references to later lines.
pub(super) fn put_in(all: &mut Vec<Value>, at: usize, line: Value) {
    shift(all, at as i64, 1);
    all.insert(at, line);
}

pub(super) fn shift(all: &mut [Value], from: i64, by: i64) {
    for line in all {
        for member in ["of", "to"] {
            if let Some(n) = line["body"][member].as_i64().filter(|&n| n >= from) {
                line["body"][member] = json!(n + by);
            }
        }
    }
}

pub(super) fn made(all: &[Value], kind: &str, body: Value) -> Value {
    let mut line = all[all.len() - 1].clone();
    line["kind"] = json!(kind);
    line["body"] = body;
    line
}

pub(super) fn hash(value: &Value) -> Hash {
    value.as_str().expect("text").parse().expect("32 bytes")
}

/// Rolls the dice of a `rolled` line again, correctly for another secret or luck.
pub(super) fn thrown(all: &mut [Value], at: usize, luck: &Hash) {
    let i = all[..at].iter().filter(|line| line["kind"] == "rolled").count() as u64;
    let game = all[0]["body"]["game"].as_str().expect("text").to_owned();
    let body = &mut all[at]["body"];
    let mut stream = DiceStream::new(roll_seed(&game, i, &hash(&body["secret"]), luck));
    for roll in body["rolls"].as_array_mut().expect("a list") {
        let roll = roll.as_array_mut().expect("a list");
        let (low, high) = (roll[1].as_i64().expect("low"), roll[2].as_i64().expect("high"));
        roll[3..].iter_mut().for_each(|got| *got = json!(stream.die(low, high)));
    }
}

/// Replaces a card that was not shown by one of the operator's choice, with a new salt.
pub(super) fn stack(all: &mut [Value], at: usize) {
    let game = all[0]["body"]["game"].as_str().expect("text").to_owned();
    let body = &all[at]["body"];
    let (deck, epoch) = (body["deck"].as_str().expect("text").to_owned(), body["epoch"].to_string());
    let card = body["list"][0].as_str().expect("a card").to_owned();
    // A card that everyone has seen cannot be replaced.
    let shown = |pos: usize| {
        let same = |one: &Value| one["deck"] == body["deck"] && one["epoch"] == body["epoch"] && one["pos"] == pos;
        all.iter().any(|line| line["kind"] == "shown" && same(&line["body"]))
    };
    let pos = (0..body["cards"].as_array().expect("a list").len()).find(|&pos| !shown(pos)).unwrap_or(0);
    let salt = h("postrider/test/v1", &["a salt of the operator's own"]).to_string();
    let commitment = h("postrider/card/v1", &[game.as_str(), &deck, &epoch, &pos.to_string(), &card, &salt]);
    all[at]["body"]["cards"][pos] = json!(commitment.to_string());
}
