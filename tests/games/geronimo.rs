//! Whole games of Geronimo! by random players: they end, every position on the way is legal, and replay is identity.

use crate::whole::{Tried, Whole, games, hold, looks, random, setup, some_of};
use postrider::{
    games::geronimo::{Ask, Geronimo, State, state::CivilWar, view},
    table::{Seat, Setup, Snapshot, every_setup},
};
use proptest::{prelude::*, sample::select};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

fn basic(players: u8) -> Setup {
    setup::<Geronimo>(players, "basic", &[])
}

fn campaign(players: u8) -> Setup {
    setup::<Geronimo>(players, "campaign", &[])
}

/// Plays a game to its end; `look` sees each position.
fn play(game: Setup, seed: u64, look: impl FnMut(&Snapshot<Geronimo>)) -> State {
    Whole::play(game, seed, look).end()
}

/// geronimo 3.2, 3.41, 4.1, 11.2
#[test]
fn games_of_two_to_five_end_by_the_rules() {
    for players in 2..=5 {
        for seed in 0..games(12) {
            let end = play(basic(players), seed, |_| ());
            assert_eq!(end.turn, 7);
            assert!(end.finished);
            assert!(end.hands.iter().all(Vec::is_empty), "every Shaman Card is played or discarded");
        }
    }
}

/// geronimo 11.3, 11.31, 11.35, 12.11
#[test]
fn solitaire_games_end_by_the_rules() {
    for seed in 0..games(12) {
        let mut hats = BTreeSet::new();
        let campaign = seed % 2 == 1;
        let on: &[&str] = if seed % 4 > 1 { &["random-events"] } else { &[] };
        let game = setup::<Geronimo>(1, if campaign { "campaign" } else { "basic" }, on);
        let end = play(game, seed, |seen| {
            hats.extend(seen.tickets.iter().map(|k| k.seat));
            assert!(seen.state.parties.is_empty() || seen.state.active != Some(Seat(0)), "War Parties go home (11.37)");
        });
        assert_eq!(hats, BTreeSet::from([Seat(0)]), "one person is asked everything");
        assert!(end.finished && [6, if campaign { 8 } else { 7 }].contains(&end.turn));
        assert_eq!(end.turn == 6, end.transcontinental.is_none(), "Sudden Death, and nothing else, ends Turn 6");
        let outcome = view::outcome(&end);
        assert!(outcome.in_short().is_some() && outcome.ranking().is_empty(), "{outcome:?}");
    }
}

/// geronimo 11.1, 9.2A, 5.46
#[test]
fn campaign_games_end_after_turn_eight() {
    for players in 2..=5 {
        for seed in 0..games(3) {
            let mut wars = BTreeSet::new();
            let end = play(campaign(players), seed, |seen| {
                if seen.state.fx.civil_war == CivilWar::Now {
                    wars.insert(seen.state.turn);
                }
            });
            assert_eq!((end.turn, end.finished), (8, true));
            // Played in Turn 6 at the latest, or come by itself; it lasts one Turn, in which somebody is asked something.
            assert!(wars.len() == 1 && wars.first() <= Some(&6), "players {players}, seed {seed}: {wars:?}");
            assert!(end.fx.civil_war == CivilWar::Over && end.hands.iter().all(Vec::is_empty));
        }
    }
}

/// Whoever does not know a word of a question asks for it.
#[test]
fn every_word_of_a_question_has_a_help_entry() {
    let (mut words, mut below) = (BTreeMap::new(), random("words", 0));
    for players in 1..=5 {
        for seed in 800..800 + games(2) {
            let scenario = if seed % 2 == 0 { "campaign" } else { "basic" };
            play(setup::<Geronimo>(players, scenario, &["random-events"]), seed, |seen| {
                if looks(&mut below) {
                    hold::words(seen, &mut below, &mut words);
                }
            });
        }
    }
    assert!(words.len() > 200, "{words:?}");
    let missing = hold::unexplained::<Geronimo>(Geronimo::rules(), &words);
    assert!(missing.is_empty(), "{missing:#?}");
}

/// Every option that a question lists is accepted, and its words are read back as the same order.
#[test]
fn options_are_accepted() {
    let mut wrong = BTreeSet::new();
    for players in 1..=5 {
        for seed in 100..100 + games(2) {
            // The last one is a Campaign Game, which has every kind of question but those of 3.45.
            let game = if seed == 99 + games(2) { campaign(players) } else { basic(players) };
            let mut below = random("sample", seed);
            play(game, seed, |seen| {
                if looks(&mut below) {
                    wrong.extend(hold::options(seen, &mut below));
                }
            });
        }
    }
    assert!(wrong.is_empty(), "{} options: {:#?}", wrong.len(), wrong.iter().take(20).collect::<Vec<_>>());
}

/// A reader of the story can check every die.
#[test]
fn every_die_is_told() {
    let mut dice = 0;
    for players in 1..=5 {
        for seed in 300..300 + games(2) {
            let scenario = if seed % 2 == 0 { "campaign" } else { "basic" };
            dice += Whole::<Geronimo>::tells_every_die(setup::<Geronimo>(players, scenario, &["random-events"]), seed);
        }
    }
    assert!(dice > 2_000, "{dice} dice");
}

/// A question with one possible answer is not asked.
#[test]
fn no_question_is_idle() {
    let mut idle = BTreeSet::new();
    for players in 1..=5 {
        for (seed, game) in [(300, basic(players)), (301, campaign(players))] {
            play(game, seed, |seen| idle.extend(hold::idle(seen)));
        }
    }
    // The last card of a hand may have to be discarded: it is the player's to turn it up (9.11). And who has nobody that could
    // Scout, or one Tribe for an event, is asked all the same, or it would show (9.2Y, 9.2Q, 12.13).
    let silent = [Ask::Scouts, Ask::PeaceChief, Ask::Gunrunners, Ask::BuffaloCampaign, Ask::LinesCut, Ask::Stronghold];
    for kind in silent.into_iter().chain([Ask::ShamanCard]) {
        idle.remove(&kind);
    }
    assert!(idle.is_empty(), "{idle:?}");
}

/// A director sets markers right, at random: what he may do leaves a game that goes on by the rules.
#[test]
fn rulings_leave_games_that_go_on() {
    let mut stood = 0;
    for seed in 400..400 + games(4) {
        let game = if seed % 2 == 1 { campaign(4) } else { basic(3) };
        stood += Whole::<Geronimo>::ruled(game, seed, |seen, below| {
            // Between actions, as directors are told to.
            if !seen.tickets.iter().any(|k| k.required && k.prompt.kind() == Ask::ShamanCard) {
                return None;
            }
            let g = &seen.state;
            let area = &g.c.areas[below(g.c.areas.len() as u32) as usize].name;
            let village = &g.c.villages[below(g.c.villages.len() as u32) as usize].name;
            let (n, on) = (below(6), below(2) == 1);
            Some(match below(10) {
                0 => json!({ "vps": { "seat": "B", "change": n } }),
                1 => json!({ "area": { "area": area, "settlements": n, "towns": below(3) } }),
                2 => json!({ "area": { "area": area, "rrs": below(3), "broke": below(2), "mission": on } }),
                3 => json!({ "area": { "area": area, "massacres": n, "skulls": below(3), "state": on } }),
                4 => json!({ "village": { "village": village, "bps": n, "devastation": below(4) } }),
                5 => json!({ "village": { "village": village, "actions": below(3), "finished": on } }),
                6 => json!({ "village": { "village": village, "peace_chief": on, "scouting": below(2) == 1 } }),
                7 => json!({ "reserve": { "bps": n, "guns": below(3), "gatlings": below(2) } }),
                _ if g.columns.is_empty() => json!({ "vps": { "seat": "A", "change": -1 } }),
                _ => {
                    let column = &g.columns[below(g.columns.len() as u32) as usize];
                    let name = g.column_name(column.id);
                    json!({ "column": { "commander": name, "bps": n, "guns": below(3), "in_fort": on } })
                }
            })
        });
    }
    assert!(stood > 40, "{stood} rulings stood");
}

#[test]
fn replay_is_identity() {
    for seed in 0..games(5) {
        let players = 1 + (seed % 5) as u8;
        let game = if seed % 2 == 1 { campaign(players) } else { basic(players) };
        Whole::<Geronimo>::play(game, seed, |_| ()).replays();
    }
}

/// Two scenarios for two to five with all options, and for one with those that are of use (11.35, 11.39).
#[test]
fn the_box_holds_so_many_games() {
    assert_eq!(every_setup(Geronimo::rules()).len(), 2 * (4 * 16 + 4));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: games(12) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any game of the box ends, by legal positions alone, and its replay is the same game.
    #[test]
    fn every_variant_ends_and_replays(game in select(every_setup(Geronimo::rules())), seed in any::<u32>()) {
        let mut whole = Whole::<Geronimo>::play(game, seed.into(), |_| ());
        let end = whole.end();
        assert!(end.finished && (end.turn == end.turns.1 || end.variant.solitaire), "{}", whole.at());
        whole.replays();
    }
}

/// What a seat sees, and what it is asked, does not depend on what is hidden from it: everything hidden is shuffled, and
/// its view and its questions stay the same.
#[test]
fn views_do_not_leak() {
    for seed in 200..200 + games(5) {
        let players = 1 + (seed % 5) as u8;
        let game = if seed % 4 == 3 { campaign(players) } else { basic(players) };
        let whole = Whole::<Geronimo>::open(game.clone(), seed);
        let (mut below, mut shuffled) = (random("leak", seed), 0);
        play(game, seed, |seen| {
            let onlookers = some_of(whole.onlookers(), &mut below);
            onlookers.into_iter().for_each(|who| hold::secrets(seen, who, &mut below, &mut shuffled));
        });
        assert_eq!(shuffled, hold::ENOUGH, "there was something to hide");
    }
}
