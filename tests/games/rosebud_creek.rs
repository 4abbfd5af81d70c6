//! Whole games of The Battle of Rosebud Creek by random players, in addition to the standard tests.

use crate::whole::{Tried as _, Whole, games, looks_at, random};
use postrider::{
    games::rosebud_creek::{RosebudCreek, view},
    orders::Phrase,
    table::{Kind as _, Seat, Setup, SetupFault, Snapshot},
};
use std::collections::{BTreeMap, BTreeSet};

fn play(seed: u64, look: impl FnMut(&Snapshot<RosebudCreek>)) -> Whole<RosebudCreek> {
    Whole::play(RosebudCreek::way(seed), seed, look)
}

/// rosebud-creek 4, 18.1, 18.2
#[test]
fn battles_end_by_the_rules() {
    for seed in 0..games(3) {
        let mut below = random("lines", seed);
        let whole = play(seed, |seen| {
            for ticket in &seen.tickets {
                if looks_at::<RosebudCreek>(&mut below) {
                    let text = ticket.prompt.describe(&seen.state, ticket.seat);
                    assert!(text.drawing.iter().all(|line| line.chars().count() <= 76), "{:#?}", text.drawing);
                }
            }
        });
        let end = whole.end();
        assert!(end.ending.is_some() && end.turn <= 19, "{}", whole.at());
        assert_eq!(view::outcome(&end).ranking().len(), 2);
    }
}

#[test]
fn orders_of_the_pages_are_read() {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/rosebud-creek.md")).expect("the page");
    let subjects = RosebudCreek::rules().help(RosebudCreek::rules().components());
    let mut orders: BTreeSet<String> =
        subjects.all().iter().flat_map(|subject| subject.explained.orders.clone()).collect();
    assert!(orders.len() > 40, "{orders:?}");
    let cells = page.split("## Orders").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("a table of orders");
    let rows = cells.lines().filter(|line| line.starts_with("| "));
    let before = orders.len();
    orders.extend(rows.flat_map(|row| row.split('`').skip(1).step_by(2)).map(str::to_owned));
    assert!(orders.len() > before, "{orders:?}");
    // `movement: done` names its question, which is resolved by the office.
    let unnamed = |order: String| match order.split_once(": done") {
        Some((_, "")) => "done".to_owned(),
        _ => order,
    };
    let mut unread: BTreeSet<String> = orders.into_iter().map(unnamed).collect();
    let mut looked: BTreeMap<&str, u32> = BTreeMap::new();
    // Questions of each kind early in the game, because the examples start where units are at the
    // beginning.
    for seed in [1, 2] {
        play(seed, |seen| {
            for ticket in &seen.tickets {
                let looked = looked.entry(ticket.prompt.kind().name()).or_default();
                *looked += 1;
                if *looked > 60 {
                    continue;
                }
                unread.retain(|order| ticket.prompt.read(&seen.state, ticket.seat, &Phrase::new(order)).is_err());
            }
        });
    }
    assert!(unread.is_empty(), "{unread:#?}");
}

/// rosebud-creek 18.3
#[test]
fn the_third_scenario_needs_another_game() {
    for name in ["crook-at-little-bighorn", "Little Bighorn", "3", "3A", "18.3a", "scenario 3b"] {
        let asked = Setup { scenario: name.to_owned(), ..RosebudCreek::way(0) };
        let why = RosebudCreek::rules().fits(&asked, "18.1").expect_err("it is not here");
        assert!(matches!(why, SetupFault::Absent { .. }) && why.to_string().contains("another game"), "{why}");
    }
    let rules = RosebudCreek::rules();
    // Companies of the 3rd Cavalry have the names of its variants.
    let subjects = [("scenarios", "another game"), ("little bighorn", "another game"), ("3A", "`help scenarios`")];
    for (said, part) in subjects.into_iter().chain([("3b", "`help scenarios`")]) {
        let told = rules.subjects(rules.components()).find(&Phrase::new(&format!("help {said}"))).expect(said);
        assert!(told.text.contains(part), "{said}: {told:?}");
    }
    assert_ne!(
        rules.help(rules.components()).find(&Phrase::new("help 3c")).map(|told| told.text.contains("scenarios")),
        Ok(true)
    );
    assert_eq!(RosebudCreek::rules().seats(), 2..=2);
    assert_eq!(Seat(0).to_string(), "A");
}
