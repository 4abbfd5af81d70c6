//! Dice, cards, commitments and seals.

use super::super::base::of;
use super::{
    Cheat,
    edit::{hash, hidden_shuffle, its_shuffle, put_in, shown, stack, take_out, thrown},
    lines,
};
use postrider::{dice::h, journal::luck_digest};
use serde_json::json;

/// The cheats, in the order of the table.
pub const CHEATS: &[Cheat] = &[
    lines(
        "dice are made from another secret",
        |all, _| {
            let n = of(all, "rolled", 3);
            all[n]["body"]["secret"] = json!(h("postrider/test/v1", &["a secret"]).to_string());
            let luck = hash(&all[of(all, "started", 0)]["body"]["luck"]);
            thrown(all, n, &luck);
        },
        ["2 entries", "4 chains", "4 chains"],
    ),
    lines(
        "a link of the chain is skipped, for better dice",
        |all, _| {
            let (n, next) = (of(all, "rolled", 3), of(all, "rolled", 4));
            all[n]["body"]["secret"] = all[next]["body"]["secret"].clone();
            let luck = hash(&all[of(all, "started", 0)]["body"]["luck"]);
            thrown(all, n, &luck);
        },
        ["2 entries", "4 chains", "4 chains"],
    ),
    lines(
        "the luck does not follow from the players' phrases",
        |all, _| {
            let n = of(all, "started", 0);
            all[n]["body"]["luck"] = json!(h("postrider/test/v1", &["luck"]).to_string());
        },
        ["2 entries", "3 frame", "3 frame"],
    ),
    lines(
        "a player's phrase is changed, and luck and all dice are remade from it",
        |all, _| {
            let n = of(all, "joined", 1);
            all[n]["body"]["luck"] = json!("I like sixes");
            let phrases: Vec<String> = (0..3)
                .map(|k| all[of(all, "joined", k)]["body"].clone())
                .map(|body| (body["seat"].to_string(), body["luck"].as_str().expect("text").to_owned()))
                .collect::<std::collections::BTreeMap<_, _>>()
                .into_values()
                .collect();
            let luck = luck_digest(phrases.iter().map(String::as_str));
            let started = of(all, "started", 0);
            all[started]["body"]["luck"] = json!(luck.to_string());
            (0..all.len()).filter(|&n| all[n]["kind"] == "rolled").collect::<Vec<_>>().into_iter().for_each(|n| {
                thrown(all, n, &luck);
            });
        },
        ["2 entries", "8 replay", "8 replay"],
    ),
    lines(
        "a card is shown that was not dealt",
        |all, _| {
            let n = shown(all);
            let list = all[its_shuffle(all)]["body"]["list"].as_array().expect("a list").clone();
            let other = list.iter().find(|card| **card != all[n]["body"]["card"]).expect("another card").clone();
            all[n]["body"]["card"] = other;
        },
        ["2 entries", "6 decks", "6 decks"],
    ),
    lines(
        "a deck was stacked; its Turn is over",
        |all, _| {
            let n = its_shuffle(all);
            stack(all, n);
        },
        ["2 entries", "6 decks", "9 letters"],
    ),
    lines(
        "the deck of the Turn in play is stacked afterwards",
        |all, _| {
            let n = hidden_shuffle(all);
            stack(all, n);
        },
        ["2 entries", "nothing", "9 letters"],
    ),
    lines(
        "a card is dealt to another seat",
        |all, base| {
            // To the player whose letters are available; they do not prove that the card was not
            // dealt.
            let other = |n: &usize| all[*n]["kind"] == "dealt" && all[*n]["body"]["seat"] != *base.seat;
            let n = (0..all.len()).find(other).expect("cards of somebody else");
            all[n]["body"]["seat"] = json!(base.seat);
        },
        ["2 entries", "8 replay", "8 replay"],
    ),
    lines(
        "a secret is revealed early, before its Turn is over",
        |all, _| {
            let n = of(all, "revealed", 0);
            let mut line = all[n].clone();
            line["at"] = all[n - 20]["at"].clone();
            take_out(all, n);
            let at = (of(all, "started", 0)..n - 10).rfind(|&k| all[k]["kind"] == "decision").expect("a decision");
            put_in(all, at, line);
        },
        ["2 entries", "8 replay", "8 replay"],
    ),
    lines(
        "a seal is opened with other content",
        |all, _| {
            let n = of(all, "unsealed", 0);
            all[n]["body"]["content"]["orders"] = json!(["canby in california"]);
        },
        ["2 entries", "7 seals", "7 seals"],
    ),
    lines(
        "the digest of a Round is false",
        |all, _| {
            let n = of(all, "round", 2);
            all[n]["body"]["state"] = json!(h("postrider/test/v1", &["a position"]).to_string());
        },
        ["2 entries", "8 replay", "8 replay"],
    ),
];
