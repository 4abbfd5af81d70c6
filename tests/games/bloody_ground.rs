//! Whole games of A Dark and Bloody Ground by random players: they end, every position on the way is legal, and replay is
//! identity.

use crate::whole::{Tried, Whole, games, hold, looks, random, setup, some_of};
use postrider::{
    games::bloody_ground::{BloodyGround, view},
    table::{Kind, Setup, Snapshot},
};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// Scenarios and options by a number: every scenario in turn, and of the options those that its bits name.
fn way(n: u64) -> Setup {
    let scenarios = BloodyGround::rules().scenarios();
    let scenario = scenarios[n as usize % scenarios.len()];
    let mixed = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let options = BloodyGround::rules().options().iter().enumerate();
    // The first round of games is by the rules without options.
    let on = options.filter(|(i, _)| n >= scenarios.len() as u64 && mixed >> i & 1 == 1).map(|(_, option)| option.name);
    setup::<BloodyGround>(2, scenario, &on.collect::<Vec<_>>())
}

fn play(seed: u64, look: impl FnMut(&Snapshot<BloodyGround>)) -> Whole<BloodyGround> {
    Whole::play(way(seed), seed, look)
}

/// Whole games end; the questions on the way are of the kinds that the game names, so that orders can be left for them; and a
/// question with one possible answer is not asked.
///
/// dark-and-bloody-ground 4.0, 10.1, 15.0, 16.0
#[test]
fn campaigns_and_battles_end_by_the_rules() {
    let known: BTreeSet<&str> = BloodyGround::rules().kinds().into_iter().collect();
    let mut idle = BTreeSet::new();
    for seed in 0..games(7) {
        let mut whole = play(seed, |seen| {
            idle.extend(hold::idle(seen).map(Kind::name));
            for ticket in &seen.tickets {
                assert!(known.contains(ticket.prompt.kind().name()), "{} is not named", ticket.prompt.kind());
            }
        });
        let end = whole.end();
        let scenario = &end.c.scenarios[end.scenario];
        assert!(end.ending.is_some() && end.turn <= scenario.turns.into(), "{}", whole.at());
        assert_eq!(end.fight.is_some(), scenario.turns == 0, "{}", whole.at());
        assert_eq!(view::outcome(&end).ranking().len(), 2);
    }
    assert!(idle.is_empty(), "{idle:?}");
}

/// Every option that a question lists is accepted, and its words are read back as the same order.
#[test]
fn options_are_accepted() {
    let mut wrong = BTreeSet::new();
    // By the options, and every scenario in the long run.
    for seed in 102..102 + games(4) {
        let mut below = random("sample", seed);
        play(seed, |seen| {
            // Options of moves are many; one position of twenty-seven.
            if (0..3).all(|_| looks(&mut below)) {
                wrong.extend(hold::options(seen, &mut below));
            }
        });
    }
    assert!(wrong.is_empty(), "{} options: {:#?}", wrong.len(), wrong.iter().take(20).collect::<Vec<_>>());
}

/// A reader of the story can check every die.
///
/// dark-and-bloody-ground 4.1, 6.0.2, 10.4, 12.0.3
#[test]
fn every_die_is_told() {
    let dice: usize = (300..300 + games(20)).map(|seed| Whole::<BloodyGround>::tells_every_die(way(seed), seed)).sum();
    assert!(dice > 1_000, "{dice} dice");
}

#[test]
fn replay_is_identity() {
    for seed in 10..10 + games(4) {
        play(seed, |_| ()).replays();
    }
}

/// Every seat sees the same, and nothing is made up.
#[test]
fn nothing_is_hidden() {
    let game = way(4);
    let whole = Whole::<BloodyGround>::open(game.clone(), 4);
    let (mut below, mut shuffled) = (random("open", 4), 0);
    let onlookers = some_of(whole.onlookers(), &mut below);
    Whole::<BloodyGround>::play(game.clone(), 4, |seen| {
        if looks(&mut below) {
            onlookers.iter().for_each(|&who| hold::secrets(seen, who, &mut below, &mut shuffled));
        }
    });
    assert!(shuffled < hold::ENOUGH && shuffled == 0, "{shuffled} positions have something hidden");
}

/// A director sets things right, at random: what he may do leaves a game that goes on by the rules.
#[test]
fn rulings_leave_games_that_go_on() {
    let mut stood = 0;
    // The short campaigns: on the battle board nothing is ruled.
    for seed in 400..400 + games(2) {
        stood += Whole::<BloodyGround>::ruled(way(seed % 2), seed, |seen, below| {
            let g = &seen.state;
            // Elsewhere rulings are refused; and a few are enough.
            if !g.at_rest || below(6) > 0 {
                return (below(40) == 0).then(|| json!({ "track": { "us": 1 } }));
            }
            let area = &g.c.areas[below(g.c.areas.len() as u32) as usize].id;
            let fort = ["us", "british", "none"][below(3) as usize];
            let nation = &g.c.nations[below(g.c.nations.len() as u32) as usize].name;
            Some(match below(8) {
                0 => json!({ "track": { "commitment": 1 + below(5), "us": below(40), "na": below(40) } }),
                1 => json!({ "nation": { "nation": nation, "level": below(6) } }),
                2 => json!({ "area": { "area": area, "settlers": below(5), "pillaged": below(2) == 1 } }),
                3 => json!({ "area": { "area": area, "fort": fort } }),
                4 => {
                    let leader = &g.c.leaders[below(g.c.leaders.len() as u32) as usize].name;
                    json!({ "leader": { "leader": leader, "area": area } })
                }
                _ => {
                    let unit = &g.c.kinds[below(g.c.kinds.len() as u32) as usize].id;
                    json!({ "units": { "area": area, "unit": unit, "n": below(6) } })
                }
            })
        });
    }
    assert!(stood > 4, "{stood} rulings stood");
}

/// Every word of a question is explained.
#[test]
fn words_of_questions_are_explained() {
    let (mut words, mut below) = (BTreeMap::new(), random("words", 1));
    for seed in 500..500 + games(7) {
        play(seed, |seen| {
            // Options are many, their words few.
            if (0..3).all(|_| looks(&mut below)) {
                hold::words(seen, &mut below, &mut words);
            }
        });
    }
    let missing = hold::unexplained::<BloodyGround>(BloodyGround::rules(), &words);
    assert!(missing.is_empty(), "{} words: {missing:?}", missing.len());
}
