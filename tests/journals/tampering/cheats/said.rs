//! Statements that the rules, the host or the format do not allow.

use super::super::base::of;
use super::{
    Cheat,
    edit::{made, pick, put_in},
    lines, odd,
};
use postrider::dice::h;
use serde_json::json;

/// The cheats, in the order of the table.
pub const CHEATS: &[Cheat] = &[
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
        "a decision is given to a seat that does not exist",
        |all, _| {
            let n = pick(all);
            all[n]["body"]["seat"] = json!("Z");
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a ruling in words is inserted afterwards",
        |all, _| {
            let at = of(all, "decision", 5);
            let line = made(&all[..at], "ruling", json!({ "by": "host", "effect": {}, "text": "So be it." }));
            put_in(all, at, line);
        },
        ["2 entries", "nothing", "9 letters"],
    ),
    lines(
        "a ruling is inserted with an effect that the game does not have",
        |all, _| {
            let at = of(all, "decision", 5);
            let effect = json!({ "no-such-effect": { "vp": 5 } });
            let line = made(&all[..at], "ruling", json!({ "by": "host", "effect": effect, "text": "So be it." }));
            put_in(all, at, line);
        },
        ["2 entries", "8 replay", "8 replay"],
    ),
    lines(
        "a change of players is inserted into the past",
        |all, _| {
            let at = of(all, "decision", 5);
            let address = h("postrider/test/v1", &["an address"]).to_string();
            let line = made(&all[..at], "reseated", json!({ "address": address, "luck": "", "seat": "A" }));
            put_in(all, at, line);
        },
        ["2 entries", "nothing", "9 letters"],
    ),
    lines(
        "the host removes the operator's seat from the first line",
        // This host has no operator seat, so the reverse edit is made and one is added.
        |all, _| all[0]["body"]["operator_seats"] = json!(["A"]),
        ["2 entries", "nothing", "9 letters"],
    ),
    lines(
        "another component file is named",
        |all, _| all[0]["body"]["ruleset"]["components"] = json!(h("postrider/test/v1", &["a file"]).to_string()),
        ["2 entries", "reported open", "9 letters"],
    ),
    lines(
        "a member that the format does not list is added to a body",
        |all, _| {
            let n = of(all, "decision", 5);
            all[n]["body"]["handicap"] = json!(3);
        },
        ["2 entries", "2 entries", "2 entries"],
    ),
    lines(
        "an entry of an unknown kind is inserted",
        |all, _| {
            let at = of(all, "decision", 5);
            let line = made(&all[..at], "weather", json!({ "rain": true }));
            put_in(all, at, line);
        },
        ["2 entries", "reported open", "9 letters"],
    ),
    lines(
        "the first line names another version of the format",
        |all, _| all[0]["body"]["format"] = json!(2),
        ["2 entries", "2 entries", "2 entries"],
    ),
    odd("a member occurs twice in a body", || r#""A","seat":"A""#.to_owned()),
    odd("a text contains half a character", || r#""\ud800""#.to_owned()),
    odd("a value is not a valid number", || "NaN".to_owned()),
    odd("a number is too large to be exact", || "9007199254740993".to_owned()),
    odd("a value nests thousands of levels", || "[".repeat(5_000) + &"]".repeat(5_000)),
];
