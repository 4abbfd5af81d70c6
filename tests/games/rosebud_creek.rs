//! Whole games of The Battle of Rosebud Creek by random players: they end, every position on the way is legal, and replay is
//! identity.

use crate::whole::{Tried, Whole, games, hold, looks, random, setup, some_of};
use postrider::{
    games::rosebud_creek::{RosebudCreek, view},
    orders::Phrase,
    table::{Kind, Seat, Setup, SetupFault, Snapshot},
};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// Scenarios and options by a number: both scenarios in turn, and of the options those that its bits name.
fn way(n: u64) -> Setup {
    let scenarios = RosebudCreek::rules().scenarios();
    let scenario = scenarios[n as usize % scenarios.len()];
    let mixed = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let options = RosebudCreek::rules().options().iter().enumerate();
    // The first round of games is by the rules without options.
    let on = options.filter(|(i, _)| n >= scenarios.len() as u64 && mixed >> i & 1 == 1).map(|(_, option)| option.name);
    setup::<RosebudCreek>(2, scenario, &on.collect::<Vec<_>>())
}

/// What the story tells of VPs adds up to the totals of both sides.
///
/// rosebud-creek 17
#[test]
fn every_point_is_told() {
    let mut lines = 0;
    for seed in 900..900 + games(4) {
        let mut whole = play(seed, |_| ());
        let (end, mut sums) = (whole.end(), [0; 2]);
        for line in whole.told() {
            let Some(told) = line.strip_prefix("VPs: ").and_then(|told| told.strip_suffix('.')) else { continue };
            lines += 1;
            for (sum, side) in sums.iter_mut().zip(told.split(", ")) {
                let mut words = side.split(' ').skip(1);
                let total = words.next().expect("a total");
                let change = words.next().map(|change| change.trim_matches(['(', ')']));
                *sum += change.map_or(0, |change| change.parse::<i32>().expect(change));
                assert_eq!(total.parse(), Ok(*sum), "{}: {line}", whole.at());
            }
        }
        assert_eq!(sums, end.vps, "{}", whole.at());
    }
    assert!(lines > 10, "{lines} lines");
}

fn play(seed: u64, look: impl FnMut(&Snapshot<RosebudCreek>)) -> Whole<RosebudCreek> {
    Whole::play(way(seed), seed, look)
}

/// Whole games end; the questions on the way are of the kinds that the game names, so that orders can be left for them; a question
/// with one possible answer is not asked; and no line of a letter is too wide.
///
/// rosebud-creek 4, 18.1, 18.2
#[test]
fn battles_end_by_the_rules() {
    let known: BTreeSet<&str> = RosebudCreek::rules().kinds().into_iter().collect();
    let mut idle = BTreeSet::new();
    for seed in 0..games(3) {
        let mut below = random("lines", seed);
        let mut whole = play(seed, |seen| {
            idle.extend(hold::idle(seen).map(Kind::name));
            for ticket in &seen.tickets {
                assert!(known.contains(ticket.prompt.kind().name()), "{} is not named", ticket.prompt.kind());
                if (0..3).all(|_| looks(&mut below)) {
                    let text = ticket.prompt.describe(&seen.state, ticket.seat);
                    assert!(text.drawing.iter().all(|line| line.chars().count() <= 76), "{:#?}", text.drawing);
                }
            }
        });
        let end = whole.end();
        assert!(end.ending.is_some() && end.turn <= 19, "{}", whole.at());
        assert_eq!(view::outcome(&end).ranking().len(), 2);
    }
    assert!(idle.is_empty(), "{idle:?}");
}

/// Every option that a question lists is accepted, and its words are read back as the same order.
#[test]
fn options_are_accepted() {
    let mut wrong = BTreeSet::new();
    for seed in 102..102 + games(3) {
        let mut below = random("sample", seed);
        play(seed, |seen| {
            // Options of moves are many; few positions of a game.
            if (0..4).all(|_| looks(&mut below)) {
                wrong.extend(hold::options(seen, &mut below));
            }
        });
    }
    assert!(wrong.is_empty(), "{} options: {:#?}", wrong.len(), wrong.iter().take(20).collect::<Vec<_>>());
}

/// A reader of the story can check every die.
#[test]
fn every_die_is_told() {
    let dice: usize = (300..300 + games(6)).map(|seed| Whole::<RosebudCreek>::tells_every_die(way(seed), seed)).sum();
    assert!(dice > 400, "{dice} dice");
}

#[test]
fn replay_is_identity() {
    for seed in 10..10 + games(2) {
        play(seed, |_| ()).replays();
    }
}

/// Every seat sees the same, and nothing is made up.
#[test]
fn nothing_is_hidden() {
    let game = way(4);
    let whole = Whole::<RosebudCreek>::open(game.clone(), 4);
    let (mut below, mut shuffled) = (random("open", 4), 0);
    let onlookers = some_of(whole.onlookers(), &mut below);
    Whole::<RosebudCreek>::play(game, 4, |seen| {
        if (0..3).all(|_| looks(&mut below)) {
            onlookers.iter().for_each(|&who| hold::secrets(seen, who, &mut below, &mut shuffled));
        }
    });
    assert!(shuffled < hold::ENOUGH && shuffled == 0, "{shuffled} positions have something hidden");
}

/// A director sets things right, at random: what he may do leaves a game that goes on by the rules.
#[test]
fn rulings_leave_games_that_go_on() {
    let mut stood = 0;
    for seed in 400..400 + games(3) {
        stood += Whole::<RosebudCreek>::ruled(way(seed), seed, |seen, below| {
            let g = &seen.state;
            // Under an order rulings are refused; and a few are enough.
            if g.resolving || below(25) > 0 {
                return (below(200) == 0).then(|| json!({ "track": { "us": 1 } }));
            }
            let unit = &g.c.units[below(g.c.units.len() as u32) as usize].id;
            let leader = &g.c.leaders[below(g.c.leaders.len() as u32) as usize].id;
            let hex = format!("{:02}{:02}", 20 + below(20), below(20));
            let at = [hex.as_str(), "off", "lost"][if below(4) > 0 { 0 } else { 1 + below(2) as usize }];
            let mode = ["mounted", "dismounted", "prone"][below(3) as usize];
            Some(match below(8) {
                0 => json!({ "track": { "us": below(40), "indians": below(40), "ammo": below(5) } }),
                1 => json!({ "objective": { "objective": "conical hill", "entered": below(2) == 1 } }),
                2 => json!({ "leader": { "leader": leader, "at": at } }),
                3 => json!({ "leader": { "leader": leader, "wound": "moderate" } }),
                4 => json!({ "unit": { "unit": unit, "mode": mode } }),
                5 => json!({ "unit": { "unit": unit, "routed": below(2) == 1, "disrupted": below(2) == 1 } }),
                6 => {
                    json!({ "unit": { "unit": unit, "pinned": below(2) == 1, "low-ammo": below(2) == 1, "losses": below(3) } })
                }
                _ => json!({ "unit": { "unit": unit, "at": at } }),
            })
        });
    }
    assert!(stood > 4, "{stood} rulings stood");
}

/// Every word of a question is explained.
#[test]
fn words_of_questions_are_explained() {
    let (mut words, mut below) = (BTreeMap::new(), random("words", 1));
    for seed in 500..500 + games(4) {
        play(seed, |seen| {
            // Options are many, their words few.
            if (0..4).all(|_| looks(&mut below)) {
                hold::words(seen, &mut below, &mut words);
            }
        });
    }
    let missing = hold::unexplained::<RosebudCreek>(RosebudCreek::rules(), &words);
    assert!(missing.is_empty(), "{} words: {missing:?}", missing.len());
}

/// The examples of `help` and of the page for players are read by the question that they are for.
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
    // `movement: done` names its question, which the office reads.
    let unnamed = |order: String| match order.split_once(": done") {
        Some((_, "")) => "done".to_owned(),
        _ => order,
    };
    let mut unread: BTreeSet<String> = orders.into_iter().map(unnamed).collect();
    let mut looked: BTreeMap<&str, u32> = BTreeMap::new();
    // Questions of each kind: ways begin where the units stand at the begin.
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

/// The third scenario of the rulebook is known, and why it cannot be played.
///
/// rosebud-creek 18.3
#[test]
fn the_third_scenario_needs_another_game() {
    for name in ["crook-at-little-bighorn", "Little Bighorn", "3", "3A", "18.3a", "scenario 3b"] {
        let asked = Setup { scenario: name.to_owned(), ..way(0) };
        let why = RosebudCreek::rules().fits(&asked, "18.1").expect_err("it is not here");
        assert!(matches!(why, SetupFault::Absent { .. }) && why.to_string().contains("another game"), "{why}");
    }
    for said in ["help scenarios", "help little bighorn"] {
        let rules = RosebudCreek::rules();
        let told = rules.subjects(rules.components()).find(&Phrase::new(said)).expect(said);
        assert!(told.text.contains("another game"), "{said}: {told:?}");
    }
    assert_eq!(RosebudCreek::rules().seats(), 2..=2);
    assert_eq!(Seat(0).to_string(), "A");
}
