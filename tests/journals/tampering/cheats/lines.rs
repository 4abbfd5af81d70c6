//! Lines that are changed, removed, inserted or reordered.

use super::super::base::of;
use super::{
    Cheat, Does,
    edit::{pick, put_in, take_out},
    lines,
};
use postrider::dice::{h, sha256};
use serde_json::{Value, json};

/// The cheats, in the order of the table.
pub const CHEATS: &[Cheat] = &[
    lines(
        "a die is changed",
        |all, _| {
            let n = of(all, "rolled", 3);
            let roll = &mut all[n]["body"]["rolls"][0];
            let (low, got) = (roll[1].as_i64().expect("low"), roll[3].as_i64().expect("a die"));
            roll[3] = json!(if got == low { low + 1 } else { low });
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
        ["2 entries", "8 replay", "8 replay"],
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
        ["2 entries", "reported open", "9 letters"],
    ),
    lines(
        "an order is recorded as received in another way",
        |all, _| {
            let n = of(all, "decision", 5);
            all[n]["body"]["via"] = json!("cli");
            all[n]["body"].as_object_mut().expect("a body").remove("words");
        },
        ["2 entries", "nothing", "9 letters"],
    ),
    lines(
        // The author of the mail detects this: `verify --sent` reports "not mine".
        "the digest of an order's words is changed",
        |all, _| {
            let by_mail = |line: &&mut Value| line["kind"] == "decision" && line["body"]["words"].is_string();
            let line = all.iter_mut().find(by_mail).expect("an order by mail");
            line["body"]["words"] = json!(h("postrider/test/v1", &["words"]).to_string());
        },
        ["2 entries", "nothing", "9 letters"],
    ),
    lines(
        "a decision is dropped",
        |all, _| _ = take_out(all, of(all, "decision", 5)),
        ["2 entries", "8 replay", "8 replay"],
    ),
    lines(
        "a roll is dropped to get a better one",
        |all, _| _ = take_out(all, of(all, "rolled", 3)),
        ["2 entries", "8 replay", "8 replay"],
    ),
    lines(
        "a decision is inserted",
        |all, _| {
            let n = of(all, "decision", 5);
            put_in(all, n, all[n].clone());
        },
        ["2 entries", "8 replay", "8 replay"],
    ),
    lines(
        "two decisions are exchanged",
        |all, _| {
            let (a, b) = (of(all, "decision", 5), of(all, "decision", 6));
            let line = all[a]["body"].take();
            all[a]["body"] = all[b]["body"].take();
            all[b]["body"] = line;
        },
        ["2 entries", "8 replay", "8 replay"],
    ),
    lines(
        "two players join in the opposite order",
        |all, _| {
            let (a, b) = (of(all, "joined", 0), of(all, "joined", 1));
            all.swap(a, b);
        },
        ["2 entries", "reported open", "9 letters"],
    ),
    Cheat {
        what: "the end is cut off, at the end of a line",
        does: Does::Bytes(|text| {
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            lines[..lines.len() / 2].concat()
        }),
        meets: ["nothing", "nothing", "reported open"],
    },
    Cheat {
        what: "the end is cut off within a line",
        does: Does::Bytes(|text| text[..text.len() - 9].to_owned()),
        meets: ["1 lines", "1 lines", "1 lines"],
    },
    Cheat {
        what: "a space is inserted into a line",
        does: Does::Bytes(|text| text.replacen("\"body\":{", "\"body\": {", 1)),
        meets: ["1 lines", "1 lines", "1 lines"],
    },
    Cheat {
        what: "a member is spelt with an escape, and its hash is remade",
        does: Does::Bytes(|text| {
            let (first, rest) = text.split_once('\n').expect("lines");
            let bare = first.replace("\"scenario\"", "\"sc\\u0065nario\"");
            let (before, after) = bare.split_once("\"hash\":\"").expect("a hash");
            let after = &after[45..];
            let hash = sha256(format!("postrider/entry/v1\n{before}{after}").as_bytes());
            format!("{before}\"hash\":\"{hash}\",{after}\n{rest}")
        }),
        meets: ["1 lines", "1 lines", "1 lines"],
    },
];
