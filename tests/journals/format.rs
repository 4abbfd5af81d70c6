//! docs/journal-format.md, claim by claim: the requirements of sections 1, 3 and 4 to 7, each
//! violated in the journal of the vectors with all hashes recomputed. The program and the
//! independent checker, which was written from the page, must agree on each.

use crate::other::Other;
use postrider::{
    dice::Hash,
    journal::{Checker, Lines, luck_digest, testing::rehashed},
};
use serde_json::{Value, json};
use std::fs;

/// A change to the lines.
type Change = Box<dyn Fn(&mut Vec<Value>)>;

/// A sentence of the page, the step that must detect a violation (0 for something allowed), and the
/// change to the lines.
struct Claim(&'static str, u8, Change);

fn body(says: &'static str, step: u8, n: usize, change: impl Fn(&mut Value) + 'static) -> Claim {
    Claim(says, step, Box::new(move |lines| change(&mut lines[n]["body"])))
}

fn set(says: &'static str, step: u8, n: usize, pointer: &'static str, value: Value) -> Claim {
    body(says, step, n, move |body| {
        let (parent, member) = pointer.rsplit_once('/').expect("a pointer");
        let parent = body.pointer_mut(parent).unwrap_or_else(|| panic!("{says}: no {pointer}"));
        match parent {
            Value::Array(items) => items[member.parse::<usize>().expect("a place")] = value.clone(),
            parent => parent[member] = value.clone(),
        }
    })
}

fn entry(says: &'static str, step: u8, member: &'static str, value: Value) -> Claim {
    Claim(says, step, Box::new(move |lines| lines[4][member] = value.clone()))
}

/// Creates a claim that inserts a line before line `n`, as a changed copy of that line.
fn put(says: &'static str, step: u8, n: usize, kind: &'static str, body: Value) -> Claim {
    Claim(
        says,
        step,
        Box::new(move |lines| {
            let mut line = lines[n].clone();
            (line["kind"], line["body"]) = (kind.into(), body.clone());
            lines.insert(n, line);
        }),
    )
}

/// Creates a claim about rewinds that bring chains.
fn renewed(says: &'static str, step: u8, change: impl Fn(&mut Vec<Value>) + 'static) -> Claim {
    Claim(says, step, Box::new(change))
}

fn nested(levels: usize) -> Value {
    (0..levels).fold(json!(0), |inner, _| json!([inner]))
}

/// Returns the step that detects a fault, or 0.
fn found(text: &[u8]) -> (u8, String) {
    let mut checker = Checker::new();
    match checker.feed_all(&mut Lines::new(text)) {
        Ok(()) => (0, String::new()),
        Err(fault) => (fault.step as u8, fault.to_string()),
    }
}

fn agreed(claims: Vec<Claim>) {
    let vectors = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/journal.jsonl");
    let journal = fs::read_to_string(vectors).expect("the vectors");
    let lines: Vec<Value> = journal.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(rehashed(&lines), journal, "made anew it is the same");
    let mut other = Other::start();
    let mut wrong = Vec::new();
    for Claim(says, step, change) in claims {
        let mut lines = lines.clone();
        change(&mut lines);
        let text = rehashed(&lines);
        assert!(text != journal, "{says}: nothing was changed");
        let (here, why) = found(text.as_bytes());
        let (status, told) = other.says(&text, &[]).expect("it does not break");
        if (here, status) != (step, if step == 0 { 2 } else { 1 }) {
            wrong.push(format!("{says}: step {here}, not {step}: {why}; the other checker: {status}, {told}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn entries_are_as_section_3_has_them() {
    let label = |length: usize| Value::from("x".repeat(length));
    agreed(vec![
        entry("a time has whole seconds", 2, "at", json!("2026-03-01T18:04:00.5Z")),
        entry("a time is in UTC", 2, "at", json!("2026-03-01T18:04:00+00:00")),
        entry("a date that the calendar has", 2, "at", json!("2026-02-29T18:04:00Z")),
        entry("a leap day is one", 0, "at", json!("2028-02-29T18:04:00Z")),
        entry("hours to 23", 2, "at", json!("2026-03-01T24:00:00Z")),
        entry("seconds to 59", 2, "at", json!("2026-03-01T18:04:60Z")),
        entry("no order among the times is asked for", 0, "at", json!("1999-12-31T23:59:59Z")),
        entry("`game` stands in `opened` alone", 2, "game", json!("sample-game")),
        entry("`kind` is [a-z0-9_-]{1,40}", 2, "kind", json!("Round")),
        entry("an unknown kind is passed over", 0, "kind", json!("round_2")),
        entry("exactly six members", 2, "extra", json!(1)),
        entry("`body` is an object", 2, "body", json!([])),
        set("an integer within 2^53 - 1", 1, 4, "/turn", json!(9_007_199_254_740_992_u64)),
        set("the greatest integer", 0, 4, "/turn", json!(9_007_199_254_740_991_u64)),
        set("no null", 1, 20, "/effect", json!({ "vp": null })),
        set("no fraction", 1, 20, "/effect", json!({ "vp": 1.5 })),
        // Entry, body and effect are three levels.
        set("64 levels", 0, 20, "/effect", json!({ "vp": nested(61) })),
        set("65 levels", 1, 20, "/effect", json!({ "vp": nested(62) })),
        set("a line has 64 KiB at most", 1, 4, "/label", label(65_536)),
        set("a long line is one", 0, 4, "/label", label(65_000)),
    ]);
}

#[test]
fn members_are_as_section_4_has_them() {
    // A different last character with the same 32 bytes, and one from another alphabet.
    let ending = |end: char| {
        move |body: &mut Value| {
            let text = body["key"].as_str().expect("a key");
            body["key"] = (text[..42].to_owned() + &end.to_string()).into();
        }
    };
    let parent = |more: Value| {
        let mut parent = json!({ "game": "parent-game", "n": 7, "hash": Hash::ZERO });
        parent.as_object_mut().expect("it is one").extend(more.as_object().expect("it is one").clone());
        parent
    };
    agreed(vec![
        body("no member that is not listed", 2, 4, |body| body["weather"] = json!("fair")),
        body("nor in `ruleset`", 2, 0, |body| body["ruleset"]["weather"] = json!("fair")),
        set("nor in `parent`", 2, 0, "/parent", parent(json!({ "weather": "fair" }))),
        set("`format` is 1", 2, 0, "/format", json!(2)),
        set("`game` is [a-z0-9-]{3,40}", 2, 0, "/game", json!("Sample")),
        body("`label` is there", 2, 4, |body| drop(body.as_object_mut().expect("an object").remove("label"))),
        set("names have 64 bytes at most", 2, 12, "/seat", json!("x".repeat(65))),
        set("names are ASCII", 2, 23, "/list/0", json!("río")),
        set("names are not empty", 2, 30, "/seat", json!("")),
        set("integers from 0", 2, 30, "/prompt", json!(-1)),
        set("`count` is 1 at least", 2, 6, "/count", json!(0)),
        set("`version` is 1 at least", 2, 0, "/ruleset/version", json!(0)),
        body("spare bits are 0", 2, 0, ending('B')),
        body("base64url, not base64", 2, 0, ending('+')),
        body("without padding", 2, 0, |body| {
            body["key"] = (body["key"].as_str().expect("a key").to_owned() + "=").into();
        }),
        set("32 bytes are 43 characters", 2, 10, "/salt", json!("ab")),
        set("`options` is an object", 2, 0, "/options", json!([])),
        set("`clock` is an object", 2, 0, "/clock", json!("3 days")),
        set("`clock` may be anything inside", 0, 0, "/clock", json!({ "answer": "soon" })),
        set("`effect` is an object", 2, 20, "/effect", json!(1)),
        set("`seats` is not empty", 2, 0, "/seats", json!([])),
        set("no seat twice", 2, 0, "/seats", json!(["red", "blue", "red"])),
        set("no operator's seat twice", 2, 0, "/operator_seats", json!(["blue", "blue"])),
        set("every operator seat is a seat", 2, 0, "/operator_seats", json!(["green"])),
        body("labels are `dice` or `deck:` and an id", 2, 0, |body| body["chains"]["luck"] = body["key"].clone()),
        body("a deck has an id", 2, 0, |body| body["chains"]["deck:"] = body["key"].clone()),
        body("of 59 bytes at most", 2, 0, |body| {
            body["chains"][format!("deck:{}", "x".repeat(60))] = body["key"].clone();
        }),
        body("`words` or `via`", 2, 8, |body| drop(body.as_object_mut().expect("an object").remove("words"))),
        set("not both", 2, 8, "/via", json!("cli")),
        set("`via` is never `mail`", 2, 30, "/via", json!("mail")),
        body("`mail` or `via`", 2, 1, |body| drop(body.as_object_mut().expect("an object").remove("mail"))),
        set("not both in `joined` either", 2, 1, "/via", json!("cli")),
        set("`via` of `joined` is one of two", 2, 2, "/via", json!("standing")),
        set("`via` is one of four", 2, 30, "/via", json!("pigeon")),
        set("`event` is one of four", 2, 16, "/event", json!("forgotten")),
        set("`rolls` is not empty", 2, 31, "/rolls", json!([])),
        set("a roll has one die at least", 2, 31, "/rolls/0", json!(["battle", 0, 9])),
        set("low is not above high", 2, 31, "/rolls/0/1", json!(10)),
        set("a die has 2^32 - 1 faces at most", 2, 31, "/rolls/0/2", json!(4_294_967_295_u64)),
        body("`list` and `cards` are as long", 2, 23, |body| drop(body["list"].as_array_mut().expect("a list").pop())),
        set("`parent.game` is an id", 2, 0, "/parent", parent(json!({ "game": "no" }))),
        set("`parent.epochs` counts 1 at least", 2, 0, "/parent", parent(json!({ "epochs": { "events": 0 } }))),
        set("of decks that have a chain", 2, 0, "/parent", parent(json!({ "epochs": { "fates": 1 } }))),
        set(
            "`parent.epochs` is an object of integers",
            2,
            0,
            "/parent",
            parent(json!({ "epochs": { "events": "1" } })),
        ),
        set("a fork counts its shuffles on", 6, 0, "/parent", parent(json!({ "epochs": { "events": 2 } }))),
        set("both may be missing", 0, 0, "/parent", parent(json!({}))),
    ]);
}

#[test]
fn what_comes_when() {
    let secret = Hash::ZERO;
    let joined = json!({ "seat": "red", "address": secret, "luck": "the river is high\nthis year", "via": "cli" });
    let other = json!({ "seat": "blue", "address": secret, "luck": "another" });
    let roll = json!({ "secret": secret, "rolls": [["battle", 0, 9, 1]] });
    agreed(vec![
        Claim("`opened` is line 0 alone", 3, Box::new(|lines| lines.insert(4, lines[0].clone()))),
        put("a seat joins once", 3, 3, "joined", joined.clone()),
        put("and before `started`", 3, 4, "joined", joined.clone()),
        put("every `seat` is one of `seats`", 3, 4, "sealed", json!({ "seat": "green", "what": "", "commit": secret })),
        put("`started` comes once", 3, 5, "started", json!({ "luck": secret })),
        put("the last phrase counts", 3, 3, "reseated", other.clone()),
        put("a phrase after `started` changes no luck", 0, 32, "reseated", other),
        put("dice come after `started`", 3, 3, "rolled", roll),
        put(
            "a shuffle comes after `started`",
            3,
            3,
            "revealed",
            json!({ "deck": "events", "epoch": 0, "secret": secret }),
        ),
        set("`epoch` goes on counting", 6, 23, "/epoch", json!(0)),
        set("`to` is not before `started`", 3, 19, "/to", json!(2)),
        set("`to` is before the entry", 3, 19, "/to", json!(19)),
        set("`to` may be the line of `started`", 0, 19, "/to", json!(3)),
        body("`chains` has the labels of `opened`", 4, 19, |body| {
            drop(body["chains"].as_object_mut().expect("an object").remove("dice"));
        }),
        set("a seat takes nothing back behind dice", 3, 19, "/by", json!("red")),
        body("a seat's rewind brings no chains", 4, 29, |body| body["chains"] = json!({ "dice": Hash::ZERO })),
        set("a rewind behind dice brings chains", 4, 19, "/chains", json!({})),
        set("a director's that undoes no link keeps them", 0, 29, "/by", json!("host")),
        renewed("a rewind behind cards alone brings no chains", 4, |lines| {
            lines.truncate(20);
            lines[19]["body"]["to"] = json!(16);
        }),
        renewed("it goes on with those in use", 0, |lines| {
            lines.truncate(20);
            (lines[19]["body"]["to"], lines[19]["body"]["chains"]) = (json!(16), json!({}));
        }),
        renewed("a rewind behind the end brings chains", 0, |lines| lines.push(lines[19].clone())),
        renewed("a second one without a link between does not", 4, |lines| {
            lines.extend([lines[19].clone(), lines[19].clone()]);
        }),
        renewed("it keeps those of the first, however often", 0, |lines| {
            lines.push(lines[19].clone());
            for k in 0..9 {
                let mut again = lines[19].clone();
                (again["body"]["chains"], again["body"]["to"]) = (json!({}), json!(if k < 5 { 8 } else { 33 + k }));
                lines.push(again);
            }
        }),
        set("`of` is a sealed line", 7, 13, "/of", json!(10)),
        put(
            "no second opening",
            7,
            19,
            "unsealed",
            json!({ "of": 11, "content": { "order": "evade", "until": "turn 2" }, "salt": secret }),
        ),
        set("`content` may be any value, and is committed to", 7, 13, "/content", json!(5)),
        set("positions lie within the deck", 6, 17, "/from", json!(8)),
        set("only dealt positions are shown", 6, 18, "/pos", json!(7)),
        set("nobody may show a card", 0, 10, "/seat", json!("")),
        put(
            "what is revealed is dealt no more",
            6,
            24,
            "dealt",
            json!({ "deck": "events", "epoch": 0, "from": 7, "count": 1, "seat": "" }),
        ),
        put("a deck has a chain", 4, 24, "revealed", json!({ "deck": "fates", "epoch": 0, "secret": secret })),
        set("`secret` is the next link", 4, 31, "/secret", json!(secret)),
        set("dice follow from it", 5, 31, "/rolls/0/3", json!(99)),
        set("a revealed secret is that of its epoch", 4, 22, "/secret", json!(secret)),
        set("s_0 lies at the beginning of the chain", 4, 32, "/secrets/dice", json!(secret)),
        set("`secrets` may be empty", 0, 32, "/secrets", json!({})),
    ]);
}

/// Section 9: the last phrase decides whether the operator could choose the dice, whatever came by
/// mail before.
#[test]
fn the_last_phrase_grades_the_dice() {
    const MAIL: &str = "mail";
    // The seats that join or are reseated, their phrases, and the way they came; and the operator's
    // seats.
    type Said = (&'static str, &'static str, &'static str);
    let cases: [(&[Said], &[&str], bool); 8] = [
        (&[("red", "a", MAIL), ("blue", "b", MAIL)], &[], false),
        (&[("red", "a", MAIL), ("blue", "", "cli")], &[], false),
        (&[("red", "a", MAIL), ("blue", "b", "cli")], &[], true),
        (&[("red", "a", MAIL), ("blue", "b", "bot")], &["blue"], true),
        (&[("blue", "b", "cli"), ("red", "a", MAIL)], &[], false),
        (&[("red", "a", MAIL), ("blue", "b", MAIL)], &["blue"], true),
        (&[("red", "a", MAIL), ("blue", "b", MAIL), ("red", "", "reseated")], &[], true),
        (&[("red", "", MAIL), ("blue", "", MAIL)], &[], true),
    ];
    let vectors = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/journal.jsonl");
    let journal = fs::read_to_string(vectors).expect("the vectors");
    let lines: Vec<Value> = journal.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let mut other = Other::start();
    for (says, operators, chosen) in cases {
        let mut all = vec![lines[0].clone()];
        all[0]["body"]["operator_seats"] = json!(operators);
        let mut phrases = [("red", ""), ("blue", "")];
        for &(seat, luck, via) in says {
            let mut line = lines[if via == MAIL { 1 } else { 2 }].clone();
            (line["body"]["seat"], line["body"]["luck"]) = (json!(seat), json!(luck));
            match via {
                MAIL => {}
                "reseated" => {
                    line["kind"] = json!("reseated");
                    drop(line["body"].as_object_mut().expect("members").remove("via"));
                }
                via => line["body"]["via"] = json!(via),
            }
            all.push(line);
            phrases.iter_mut().filter(|(name, _)| *name == seat).for_each(|(_, phrase)| *phrase = luck);
        }
        let mut started = lines[3].clone();
        started["body"]["luck"] = json!(luck_digest(phrases.iter().map(|(_, phrase)| *phrase)).to_string());
        all.push(started);
        let text = rehashed(&all);
        let mut checker = Checker::new();
        checker.feed_all(&mut Lines::new(text.as_bytes())).expect("no contradiction");
        assert_eq!(checker.finish().chosen, chosen, "{says:?}, {operators:?}");
        let (status, told) = other.says(&text, &[]).expect("it does not break");
        assert_eq!(
            (status, told.contains("did not keep the operator")),
            (0, chosen),
            "{says:?}, {operators:?}: {told}"
        );
    }
}
