//! Concessions, votes and results that nobody gave.

use super::super::base::of;
use super::{
    Cheat,
    edit::{made, put_in},
    lines,
};
use serde_json::{Value, json};

/// The cheats, in the order of the table.
pub const CHEATS: &[Cheat] = &[
    lines(
        "a concession is inserted that its player never wrote",
        |all, _| _ = insert(all, "motion", json!({ "by": "B", "via": "cli", "what": { "concede": {} } }), 0),
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "what all agreed on is not done: the game goes on",
        |all, _| {
            let of = insert(all, "motion", draw(), 0);
            insert(all, "vote", vote(of, "B"), 1);
            insert(all, "vote", vote(of, "C"), 2);
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a seat votes on its own proposal",
        |all, _| {
            let of = insert(all, "motion", draw(), 0);
            insert(all, "vote", vote(of, "A"), 1);
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a vote comes after the seven days in which it counts",
        |all, _| {
            let of = insert(all, "motion", draw(), 0);
            let at = insert(all, "vote", vote(of, "B"), 1);
            let later = all[at]["at"].as_str().expect("a time").replacen("20", "21", 1);
            all[at]["at"] = json!(later);
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a proposal ends the game although one seat has not agreed",
        |all, _| {
            let of = insert(all, "motion", draw(), 0);
            insert(all, "vote", vote(of, "B"), 1);
            insert(all, "closed", closed(of, [1, 1, 1]), 2);
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "the places at the end are not those that all agreed on",
        |all, _| {
            let of = insert(all, "motion", draw(), 0);
            insert(all, "vote", vote(of, "B"), 1);
            insert(all, "vote", vote(of, "C"), 2);
            insert(all, "closed", closed(of, [1, 2, 2]), 3);
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "one of three concedes, and the host ends the game for it",
        |all, _| {
            let of = insert(all, "motion", json!({ "by": "B", "via": "cli", "what": { "concede": {} } }), 0);
            insert(all, "closed", closed(of, [1, 2, 1]), 1);
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "one of three concedes, and shares the draw that was proposed before",
        |all, _| {
            let of = insert(all, "motion", draw(), 0);
            insert(all, "motion", json!({ "by": "B", "via": "cli", "what": { "concede": {} } }), 1);
            insert(all, "vote", vote(of, "C"), 2);
            insert(all, "closed", closed(of, [1, 1, 1]), 3);
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a director's result leaves a seat out",
        |all, _| {
            let what = json!({ "result": { "A": 1, "B": 2 } });
            insert(all, "motion", json!({ "by": "host", "via": "cli", "what": what }), 0);
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines("play goes on after the game was ended", |all, _| ended(all, |_| ()), ["2 entries", "8 replay", "8 replay"]),
    lines(
        "the ranking of an ended game names a seat twice",
        |all, _| ended(all, |ranking| ranking.push(json!({ "rank": 2, "seat": "A" }))),
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "the ranking of an ended game has a place that is no number",
        |all, _| ended(all, |ranking| ranking[0]["rank"] = json!(true)),
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a player proposes something in the year 0",
        |all, _| {
            let n = insert(all, "motion", draw(), 0);
            all[n]["at"] = json!("0000-12-31T12:00:00Z");
        },
        ["2 entries", "2 entries", "2 entries"],
    ),
    lines(
        "a rewind is recorded as agreed, but nobody proposed it",
        |all, _| {
            let to = all.len() - 1;
            let rewound = json!({ "by": "all players", "chains": {}, "of": 5, "reason": "agreed", "to": to });
            let line = made(all, "rewound", rewound);
            all.push(line);
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a rewind goes to another entry than all agreed",
        |all, _| {
            let to = of(all, "decision", 5) - 1;
            let what = json!({ "back": { "to": to - 1 } });
            let of = insert(all, "motion", json!({ "by": "A", "via": "cli", "what": what }), 0);
            insert(all, "vote", vote(of, "B"), 1);
            insert(all, "vote", vote(of, "C"), 2);
            let rewound = json!({ "by": "all players", "chains": {}, "of": of, "reason": "agreed", "to": to });
            insert(all, "rewound", rewound, 3);
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a majority goes back in a game in which all must agree",
        |all, _| {
            let to = of(all, "decision", 5) - 1;
            let what = json!({ "back": { "to": to } });
            let of = insert(all, "motion", json!({ "by": "A", "via": "cli", "what": what }), 0);
            insert(all, "vote", vote(of, "B"), 1);
            let rewound = json!({ "by": "all players", "chains": {}, "of": of, "reason": "agreed", "to": to });
            insert(all, "rewound", rewound, 2);
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a seat votes twice",
        |all, _| {
            let of = insert(all, "motion", draw(), 0);
            insert(all, "vote", vote(of, "B"), 1);
            insert(all, "vote", vote(of, "B"), 2);
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a player withdraws another's proposal",
        |all, _| {
            let of = insert(all, "motion", draw(), 0);
            insert(all, "vote", json!({ "of": of, "seat": "B", "via": "cli", "vote": "withdraw" }), 1);
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a seat that conceded votes on another's proposal",
        |all, _| {
            insert(all, "motion", json!({ "by": "B", "via": "cli", "what": { "concede": {} } }), 0);
            let draw = json!({ "by": "A", "via": "cli", "what": { "result": { "A": 1, "B": 3, "C": 1 } } });
            let of = insert(all, "motion", draw, 1);
            insert(all, "vote", vote(of, "B"), 2);
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a draw is proposed that lifts a seat that conceded",
        |all, _| {
            insert(all, "motion", json!({ "by": "B", "via": "cli", "what": { "concede": {} } }), 0);
            insert(all, "motion", draw(), 1);
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "an order is passed off as that of a bot, where none plays",
        |all, _| {
            let at = of(all, "decision", 5);
            let body = all[at]["body"].as_object_mut().expect("a body");
            body.remove("words");
            body.insert("via".to_owned(), json!("bot"));
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a standing order answers a question that it was not left for",
        |all, _| {
            // It was for the set-up, and is opened right after it was sealed.
            let at = of(all, "unsealed", 0);
            let body = json!({ "ask": "evasion", "order": {}, "prompt": 1, "seat": "A", "via": "standing" });
            let line = made(&all[..at], "decision", body);
            put_in(all, at, line);
        },
        ["2 entries", "7 seals", "7 seals"],
    ),
    lines(
        "a player has a bot play for another",
        |all, _| _ = insert(all, "stand_in", json!({ "bot": "steady", "by": "A", "seat": "B" }), 0),
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a stand-in ends that nobody has begun",
        |all, _| _ = insert(all, "stand_in", json!({ "by": "host", "seat": "B" }), 0),
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a player takes back what others have ordered since",
        |all, _| {
            let last = of(all, "decision", 4);
            let by = if all[last]["body"]["seat"] == "A" { "B" } else { "A" };
            let back = json!({ "by": by, "chains": {}, "reason": "", "to": last - 1 });
            insert(all, "rewound", back, 0);
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a player gives a ruling",
        |all, _| _ = insert(all, "ruling", json!({ "by": "B", "effect": {}, "text": "So be it." }), 0),
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "somebody who is no director gives a result",
        |all, _| {
            let what = json!({ "result": { "A": 1, "B": 2, "C": 3 } });
            insert(all, "motion", json!({ "by": "Eve", "via": "cli", "what": what }), 0);
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a player abandons the game",
        |all, _| _ = insert(all, "motion", json!({ "by": "A", "via": "cli", "what": { "result": {} } }), 0),
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a result rests on rollouts from an entry that comes after it",
        |all, _| {
            let rollouts = json!({ "bot": "steady", "count": 20, "entry": all.len(), "seed": 1, "wins": {} });
            let what = json!({ "result": { "A": 1, "B": 2, "C": 3 } });
            insert(all, "motion", json!({ "by": "host", "rollouts": rollouts, "via": "cli", "what": what }), 0);
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
];

/// Ends the game by a director's result, with a changed ranking.
fn ended(all: &mut Vec<Value>, change: fn(&mut Vec<Value>)) {
    let what = json!({ "result": { "A": 1, "B": 2, "C": 3 } });
    let of = insert(all, "motion", json!({ "by": "host", "via": "cli", "what": what }), 0);
    let mut body = closed(of, [1, 2, 3]);
    change(body["outcome"]["ranking"].as_array_mut().expect("a list"));
    insert(all, "closed", body, 1);
}

fn draw() -> Value {
    json!({ "by": "A", "via": "cli", "what": { "result": { "A": 1, "B": 1, "C": 1 } } })
}

fn vote(of: usize, seat: &str) -> Value {
    json!({ "of": of, "seat": seat, "via": "cli", "vote": "agree" })
}

fn closed(of: usize, places: [u64; 3]) -> Value {
    let row = |(seat, place): (&str, u64)| json!({ "rank": place, "seat": seat });
    let ranking: Vec<Value> = ["A", "B", "C"].into_iter().zip(places).map(row).collect();
    json!({ "of": of, "outcome": { "ranking": ranking, "why": "agreed" }, "secrets": {} })
}

/// Inserts a line so many lines after the place of the fifth decision. Returns its number.
fn insert(all: &mut Vec<Value>, kind: &str, body: Value, after: usize) -> usize {
    let first = all.iter().position(|line| line["kind"] == "motion").unwrap_or_else(|| of(all, "decision", 5));
    let at = first + after;
    let line = made(&all[..at], kind, body);
    put_in(all, at, line);
    at
}
