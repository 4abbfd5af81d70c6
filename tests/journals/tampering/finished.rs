//! Cheats on a small journal of a finished game: values revealed at the end, actions taken back,
//! and the channels of joins and orders.

use super::{
    base::of,
    cheats::{Cheat, Does},
};
use postrider::dice::h;
use serde_json::{Value, json};

/// Creates a cheat without letters; the last column is empty.
const fn finished(what: &'static str, change: fn(&mut Vec<Value>), [edited, alone]: [&'static str; 2]) -> Cheat {
    Cheat { what, does: Does::Vector("journal", change), meets: [edited, alone, "-"] }
}

/// The cheats on finished games.
pub const FINISHED: &[Cheat] = &[
    finished(
        "the s_0 of the dice is false when the game is closed",
        |all| {
            let n = of(all, "closed", 0);
            let secrets = all[n]["body"]["secrets"].as_object_mut().expect("secrets");
            secrets.values_mut().for_each(|secret| *secret = json!(h("postrider/test/v1", &["s_0"]).to_string()));
        },
        ["2 entries", "4 chains"],
    ),
    finished(
        "a rewind continues with chains of the host's choice",
        |all| {
            let n = of(all, "rewound", 0);
            let chains = all[n]["body"]["chains"].as_object_mut().expect("chains");
            chains.values_mut().for_each(|tip| *tip = json!(h("postrider/test/v1", &["tip"]).to_string()));
        },
        ["2 entries", "4 chains"],
    ),
    finished(
        "a player takes back an order after which dice were rolled",
        |all| {
            let n = of(all, "rewound", 0);
            all[n]["body"]["by"] = json!("red");
        },
        ["2 entries", "3 frame"],
    ),
    finished(
        "a `back` starts new chains, although nothing was drawn since the order",
        |all| {
            let other = all[0]["body"]["chains"].clone();
            let n = of(all, "rewound", 1);
            all[n]["body"]["chains"] = other;
        },
        ["2 entries", "4 chains"],
    ),
    finished(
        "a rewind past dice continues with the old chains, whose next links are known",
        |all| {
            let n = of(all, "rewound", 0);
            all[n]["body"]["chains"] = json!({});
        },
        ["2 entries", "4 chains"],
    ),
    finished(
        "a second rewind starts new chains, although nothing was drawn since the first",
        |all| {
            let n = of(all, "rewound", 0);
            let mut again = all[n].clone();
            let chains = again["body"]["chains"].as_object_mut().expect("chains");
            chains.values_mut().for_each(|tip| *tip = json!(h("postrider/test/v1", &["again"]).to_string()));
            all.insert(n + 1, again);
        },
        ["2 entries", "4 chains"],
    ),
    finished(
        "the host joins for a player and records a mail",
        |all| all[2]["body"]["via"] = json!("mail"),
        ["2 entries", "2 entries"],
    ),
    finished(
        "an order is recorded as mail without the digest of its words",
        |all| {
            let n = of(all, "decision", 0);
            all[n]["body"].as_object_mut().expect("members").remove("words");
        },
        ["2 entries", "2 entries"],
    ),
    finished(
        "a member that the format does not list is added to `ruleset`",
        |all| all[0]["body"]["ruleset"]["remark"] = json!("x"),
        ["2 entries", "2 entries"],
    ),
    finished(
        "an entry omits how a player joined",
        |all| _ = all[2]["body"].as_object_mut().expect("members").remove("via"),
        ["2 entries", "2 entries"],
    ),
    finished(
        "an order that did not come by mail has the digest of a player's words",
        |all| {
            let words = all[of(all, "decision", 0)]["body"]["words"].clone();
            let n = of(all, "decision", 1);
            all[n]["body"]["words"] = words;
        },
        ["2 entries", "2 entries"],
    ),
    finished(
        "a player takes the seat of another who has joined",
        |all| all[2]["body"]["seat"] = json!("red"),
        ["2 entries", "3 frame"],
    ),
    finished(
        "a rewind leads to before the beginning of play",
        |all| {
            let n = of(all, "rewound", 0);
            all[n]["body"]["to"] = json!(0);
        },
        ["2 entries", "3 frame"],
    ),
    finished(
        "a rewind continues from its own entry",
        |all| {
            let n = of(all, "rewound", 0);
            all[n]["body"]["to"] = json!(n);
        },
        ["2 entries", "3 frame"],
    ),
];
