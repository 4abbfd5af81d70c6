//! Cheats on times and deadlines.

use super::{
    Cheat,
    edit::{made, put_in},
    lines, of,
};
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

/// An entry early in the game whose step leaves a question open.
const EARLY: usize = 5;

/// Returns a question that was open before the decision that answers it: the index of that
/// decision, its seat, and the question's number.
fn asked(all: &[Value]) -> (usize, Value, Value) {
    let n = of(all, "decision", EARLY);
    (n, all[n]["body"]["seat"].clone(), all[n]["body"]["prompt"].clone())
}

/// Returns the time of an entry plus a number of hours.
fn later(line: &Value, hours: i64) -> String {
    let at: DateTime<Utc> = line["at"].as_str().expect("a time").parse().expect("RFC 3339");
    (at + TimeDelta::hours(hours)).format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Inserts entries before the answer to the question, each this many hours after the entry before
/// the answer; later entries are shifted in time.
fn put_in_all(all: &mut Vec<Value>, entries: &[(i64, &str, Value)]) {
    let (n, ..) = asked(all);
    let last = entries.last().map_or(0, |(hours, ..)| *hours);
    for line in &mut all[n..] {
        line["at"] = json!(later(line, last));
    }
    let begins = all[n - 1].clone();
    for (at, (hours, kind, body)) in (n..).zip(entries) {
        let mut line = made(&all[..at], kind, body.clone());
        line["at"] = json!(later(&begins, *hours));
        put_in(all, at, line);
    }
}

/// Returns the body of a `clock` entry for the question.
fn clock(all: &[Value], event: &str) -> Value {
    let (_, seat, prompt) = asked(all);
    json!({ "seat": seat, "prompt": prompt, "event": event })
}

/// Returns a ruling that moves the question's deadline to this many hours after the entry before
/// its answer.
fn moved(all: &[Value], hours: i64) -> Value {
    let (n, seat, _) = asked(all);
    let until = later(&all[n - 1], hours);
    json!({ "by": "host", "text": "The deadline is moved.", "effect": { "deadline": { "seat": seat, "until": until } } })
}

/// Has all players agree on one more day, and then moves the question's deadline by a ruling.
fn extended(all: &mut Vec<Value>, effect: fn(&[Value]) -> Value) {
    let (of, ..) = asked(all);
    let vote = |seat: &str| json!({ "of": of, "seat": seat, "via": "cli", "vote": "agree" });
    let ruling = json!({ "by": "all players", "effect": effect(all), "of": of, "text": "agreed" });
    let motion = json!({ "by": "A", "via": "cli", "what": { "extend": { "seconds": 86_400 } } });
    put_in_all(all, &[(1, "motion", motion), (1, "vote", vote("B")), (1, "vote", vote("C")), (1, "ruling", ruling)]);
}

/// The cheats, in the order of the table.
pub const CHEATS: &[Cheat] = &[
    lines(
        "a player's time expires before the deadline",
        |all, _| {
            let expired = clock(all, "expired");
            put_in_all(all, &[(24, "clock", expired)]);
        },
        ["2 entries", "10 times", "10 times"],
    ),
    lines(
        "a player's time expires while the game is paused",
        |all, _| {
            let (paused, expired) = (clock(all, "paused"), clock(all, "expired"));
            put_in_all(all, &[(1, "clock", paused), (24 * 40, "clock", expired)]);
        },
        ["2 entries", "10 times", "10 times"],
    ),
    lines(
        "a player's time expires twice",
        |all, _| {
            let expired = clock(all, "expired");
            put_in_all(all, &[(24 * 30, "clock", expired.clone()), (24 * 30 + 1, "clock", expired)]);
        },
        ["2 entries", "10 times", "10 times"],
    ),
    lines(
        "the time of a question expires for a seat that was not asked it",
        |all, _| {
            let mut expired = clock(all, "expired");
            expired["seat"] = json!(if expired["seat"] == "A" { "B" } else { "A" });
            put_in_all(all, &[(24 * 30, "clock", expired)]);
        },
        ["2 entries", "8 replay", "8 replay"],
    ),
    lines(
        "a player is reminded before half of the time has passed",
        |all, _| {
            let reminded = clock(all, "reminded");
            put_in_all(all, &[(24, "clock", reminded)]);
        },
        ["2 entries", "10 times", "10 times"],
    ),
    lines(
        "a player takes more leave than the game grants",
        |all, _| {
            let (n, seat, _) = asked(all);
            let (from, until) = (later(&all[n - 1], 1), later(&all[n - 1], 2));
            put_in_all(all, &[(1, "leave", json!({ "seat": seat, "from": from, "until": until, "via": "cli" }))]);
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a player's leave begins before it was taken",
        |all, _| {
            let (n, seat, _) = asked(all);
            let (from, until) = (later(&all[n - 1], -24), later(&all[n - 1], -24));
            put_in_all(all, &[(1, "leave", json!({ "seat": seat, "from": from, "until": until, "via": "cli" }))]);
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a player loses the game although no time has expired",
        |all, _| {
            let (_, seat, _) = asked(all);
            put_in_all(all, &[(24, "motion", json!({ "by": seat, "via": "deadline", "what": { "forfeit": {} } }))]);
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a player whose time has expired loses the game, although its terms do not say so",
        |all, _| {
            let (_, seat, _) = asked(all);
            let expired = clock(all, "expired");
            let lost = json!({ "by": seat, "via": "deadline", "what": { "forfeit": {} } });
            put_in_all(all, &[(24 * 30, "clock", expired), (24 * 60, "motion", lost)]);
        },
        ["2 entries", "10 times", "10 times"],
    ),
    lines(
        "a player gets more time than all agreed on",
        |all, _| extended(all, |all| moved(all, 24 * 40)["effect"].clone()),
        ["2 entries", "10 times", "10 times"],
    ),
    lines(
        "an agreement on more time gives a player VPs as well",
        |all, _| {
            extended(all, |all| {
                let mut effect = moved(all, 24 * 31)["effect"].clone();
                effect["vps"] = json!({ "seat": "A", "change": 3 });
                effect
            });
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a question is answered for a player whose time has not expired",
        |all, _| {
            let (n, ..) = asked(all);
            all[n]["body"]["via"] = json!("deadline");
            all[n]["body"].as_object_mut().expect("a body").remove("words");
        },
        ["2 entries", "10 times", "10 times"],
    ),
    lines(
        "a deadline is moved into the past, and passes",
        |all, _| {
            let (ruling, expired) = (moved(all, -24), clock(all, "expired"));
            put_in_all(all, &[(1, "ruling", ruling), (2, "clock", expired)]);
        },
        ["2 entries", "10 times", "10 times"],
    ),
    lines(
        "a deadline is moved close, passes, and is moved back",
        |all, _| {
            let (close, expired, back) = (moved(all, 2), clock(all, "expired"), moved(all, 24 * 30));
            put_in_all(all, &[(1, "ruling", close), (2, "clock", expired), (3, "ruling", back)]);
        },
        ["2 entries", "nothing", "9 letters"],
    ),
    lines(
        "the times run backwards from an entry on",
        |all, _| {
            let (n, ..) = asked(all);
            for line in &mut all[n..] {
                line["at"] = json!(later(line, -24 * 365));
            }
        },
        ["2 entries", "reported open", "9 letters"],
    ),
];
