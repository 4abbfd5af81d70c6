//! Invariants of all positions.

use super::*;
use crate::state::{CivilWar, Place};
use crate::variant::{Scenario, Variant};

type Change = fn(&mut State);

/// Checks that each change of a sound position is told as the one thing wrong with it.
fn told(sound: &State, changes: &[(&str, Change)]) {
    assert_eq!(legal::faults(sound), Vec::<String>::new());
    for (told, change) in changes {
        let mut g = sound.clone();
        change(&mut g);
        let faults = legal::faults(&g);
        assert!(faults.len() == 1 && faults[0].contains(told), "{told}: {faults:?}");
    }
}

/// geronimo 5.22, 5.31, 5.52, 6.8, 3.5, 9.2A, 9.2N, 11.12, 12.1
#[test]
fn what_no_position_may_be_is_told() {
    let mut g = field();
    column(&mut g, "Miles", "MT", 3);
    hold(&mut g, "Arapaho", B);
    party(&mut g, "Arapaho", 3, &[], "CO");
    told(
        &g,
        &[
            ("3 actions (6.8)", |g| {
                let v = village(g, "Arapaho");
                g.village_mut(v).actions = 3;
            }),
            ("On Reservation without BPs", |g| {
                let v = village(g, "Comanche");
                let from = g.c[v].area;
                (g.village_mut(v).place, g.village_mut(v).bps) = (Place::Reservation { from }, 0);
            }),
            ("in play without BPs", |g| {
                let v = village(g, "Comanche");
                g.village_mut(v).bps = 0;
            }),
            ("0 BPs", |g| g.parties[0].bps = 0),
            ("0 BPs (5.31)", |g| g.columns[0].bps = 0),
            ("4 Artillery markers (5.52)", |g| (g.columns[0].guns, g.columns[0].gatlings) = (2, 2)),
            ("a Column that is gone", |g| {
                let m = commander(g, "Crook");
                g.commanders[m.index()] = CommanderPlace::Column(ColumnId(99));
            }),
            ("Tribal Cards are held by the US (3.5)", |g| deal_to(g, "Kiowa", US)),
            ("a negative Reserve", |g| g.reserve.gatlings = -1),
            ("Settlements (5.22)", |g| {
                let a = area(g, "KS");
                g.areas[a.index()].settlements = 6;
            }),
            ("first RRs are due in the Basic Game (11.12)", |g| g.rr_due.push(area(g, "MT"))),
            ("more than three Missions (9.2N)", |g| {
                for code in ["MT", "WY", "CO", "KS"] {
                    let a = area(g, code);
                    g.areas[a.index()].mission = true;
                }
            }),
            ("a random event in a game without them", |g| g.events.sand_creek_over = true),
            ("the Civil War: ToCome (9.2A)", |g| g.fx.civil_war = CivilWar::ToCome),
        ],
    );
    // A Village may be down to its last BP.
    let mut last = g.clone();
    let v = village(&last, "Comanche");
    last.village_mut(v).bps = 1;
    told(&last, &[]);
    // A Stronghold needs a Village with a BP.
    let mut strong = last;
    strong.variant.random_events = true;
    strong.events.strongholds.push(v);
    told(
        &strong,
        &[("a marker twice on the same piece (12.13)", |g| {
            let v = village(g, "Comanche");
            g.events.strongholds.push(v);
        })],
    );
    // Its War Party has the last BPs, and the Stronghold nobody.
    party(&mut strong, "Comanche", 1, &[], "TX");
    hold(&mut strong, "Comanche", B);
    strong.village_mut(v).bps = 0;
    let faults = legal::faults(&strong);
    assert!(faults.len() == 1 && faults[0].ends_with("a Stronghold without BPs (12.13)"), "{faults:?}");
    // Three Missions there may be.
    let mut three = g.clone();
    for code in ["MT", "WY", "CO"] {
        let a = area(&three, code);
        three.areas[a.index()].mission = true;
    }
    told(&three, &[]);
}

/// geronimo 11.31, 11.33, 11.36, 11.39
#[test]
fn what_no_solitaire_position_may_be_is_told() {
    let g = crate::setup::position(
        crate::testing::pieces(),
        1,
        Variant { scenario: Scenario::Basic, solitaire: true, ..Variant::default() },
    );
    assert_ne!(g.phase, Phase::CardPlay);
    told(
        &g,
        &[
            ("0 Shaman Cards in a Turn (11.33)", |g| g.phase = Phase::CardPlay),
            ("Treaties or VPs (11.31, 11.39)", |g| g.tally[0].vps = 1),
            ("more cards looked at than there are (11.36)", |g| g.solo.seen = 1),
        ],
    );
}
