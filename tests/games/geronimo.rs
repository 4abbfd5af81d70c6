//! Whole games of Geronimo! by random players, in addition to the standard tests.

use crate::whole::{Tried as _, Whole, games, setup};
use postrider::{
    games::geronimo::{Geronimo, State, state::CivilWar, view},
    table::{Seat, Setup, Snapshot, every_setup},
};
use std::collections::BTreeSet;

fn basic(players: u8) -> Setup {
    setup::<Geronimo>(players, "basic", &[])
}

fn campaign(players: u8) -> Setup {
    setup::<Geronimo>(players, "campaign", &[])
}

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
            // It is played in Turn 6 at the latest, or comes automatically; it lasts one Turn, in
            // which a question is asked.
            assert!(wars.len() == 1 && wars.first() <= Some(&6), "players {players}, seed {seed}: {wars:?}");
            assert!(end.fx.civil_war == CivilWar::Over && end.hands.iter().all(Vec::is_empty));
        }
    }
}

/// Two scenarios for two to five players with all options, and for one player with those that are
/// useful (11.35, 11.39).
#[test]
fn the_box_holds_so_many_games() {
    assert_eq!(every_setup(Geronimo::rules()).len(), 2 * (4 * 16 + 4));
}
