//! Skirmishes and sieges (11).

use super::super::{combat, components::*, skirmish, state::*, testing::*};

/// The rulebook's example: three militia and a regular before a British fort with a warrior inside.
fn siege() -> State {
    let mut g = war();
    (g.commitment, g.season) = (3, Season::Summer);
    at_war(&mut g, "Wyandot", 3);
    put(&mut g, "kentucky-militia", 3, "W2");
    put(&mut g, "regular", 1, "W2");
    let u = put(&mut g, "Wyandot", 1, "W2")[0];
    g.unit_mut(u).inside = true;
    let w2 = at(&g, "W2");
    g.land_mut(w2).fort.as_mut().expect("a fort").siege = 1;
    g
}

fn assault(g: State, words: &str, us: &[i64], na: &[i64]) -> State {
    let w2 = at(&g, "W2");
    let mut trial = Trial::new(g, move |t, mut g| async move {
        skirmish::assault(&t, &mut g, w2, Side::Us).await;
        g
    })
    .dice("skirmish, US", us.iter().copied())
    .dice("skirmish, NA", na.iter().copied())
    .start();
    trial.check_options(3);
    trial.say(words);
    trial.all_first();
    trial.over()
}

/// dark-and-bloody-ground 11.1.3, T:skirmish-resolution-chart
#[test]
fn the_example_of_an_assault() {
    let words = "3 kentucky-militia on wyandot 1, 1 regular on walls 1";
    // 5 + 2 against 3 + 2: the warrior must retreat, which is his end; 6 + 1 against 5 + 3: nothing.
    let end = assault(siege(), words, &[5, 6], &[3, 5]);
    let w2 = at(&end, "W2");
    assert_eq!(
        (count(&end, "Wyandot", "W2"), count(&end, "kentucky-militia", "W2"), count(&end, "regular", "W2")),
        (0, 3, 1)
    );
    assert!(end.fort_of(w2, Side::Na) && end.land(w2).fort.is_some_and(|fort| fort.siege == 1));
    assert_eq!(end.vps, [2, 0]);
    // The walls beaten while the warrior lives: the fort stands.
    let words = "1 kentucky-militia on wyandot 1, 1 regular on walls 1";
    let end = assault(siege(), words, &[1, 6], &[1, 1]);
    assert!(end.fort_of(at(&end, "W2"), Side::Na));
    // And falls where he is gone.
    let words = "3 kentucky-militia on wyandot 1, 1 regular on walls 1";
    let end = assault(siege(), words, &[5, 6], &[3, 1]);
    assert!(end.fort(at(&end, "W2")).is_none());
    assert_eq!((end.forts_destroyed, end.vps), (1, [6, 0]));
}

/// dark-and-bloody-ground 11.0, 11.1, 11.1.1, T:skirmish-resolution-chart
#[test]
fn what_moves_a_skirmish() {
    let mut g = war();
    g.commitment = 2;
    at_war(&mut g, "Shawnee", 3);
    let us = put(&mut g, "kentucky-militia", 2, "S5");
    let na = put(&mut g, "Shawnee", 1, "S5");
    let pairing = |us: &[UnitId], na: &[UnitId]| skirmish::Pairing {
        sides: [us, na].map(|units| skirmish::Party { units: units.to_vec(), walls: 0 }),
    };
    let total =
        |g: &State, id: &str, side: Side| skirmish::open_modifiers(g, at(g, id), &pairing(&us, &na), side).total();
    // One over one, militia in clear terrain, Commitment 2.
    assert_eq!((total(&g, "S5", Side::Us), total(&g, "S5", Side::Na)), (1, 0));
    assert_eq!((total(&g, "S6", Side::Us), total(&g, "S6", Side::Na)), (0, 1));
    assert_eq!(total(&g, "U1", Side::Na), -1);
    g.tribe_mut(nation(&g, "Shawnee")).stance = Stance::Surrendered;
    assert_eq!(total(&g, "S5", Side::Na), -1);
}

fn open(g: State, us: i64, na: i64) -> State {
    let s5 = at(&g, "S5");
    let mut trial = Trial::new(g, move |t, mut g| async move {
        skirmish::open(&t, &mut g, s5).await;
        g
    })
    .dice("skirmish, US", [us])
    .dice("skirmish, NA", [na])
    .start();
    trial.all_first();
    trial.over()
}

/// dark-and-bloody-ground 11.1.2
#[test]
fn the_low_side_retreats_or_falls() {
    let mut g = war();
    g.commitment = 3;
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "regular", 1, "S5");
    put(&mut g, "Shawnee", 1, "S5");
    let there = |g: &State| (count(g, "regular", "S5"), count(g, "Shawnee", "S5"));
    assert_eq!(there(&open(g.clone(), 3, 3)), (1, 1));
    assert_eq!(there(&open(g.clone(), 3, 2)), (1, 1));
    let end = open(g.clone(), 4, 2);
    assert_eq!((there(&end), end.vps), ((1, 0), [0, 0]));
    let end = open(g.clone(), 1, 6);
    assert_eq!((there(&end), end.vps), ((0, 1), [0, 0]));
    // Six apart: with a surrendered nation's -1 the warrior falls.
    g.tribe_mut(nation(&g, "Shawnee")).stance = Stance::Surrendered;
    let end = open(g.clone(), 6, 1);
    assert_eq!((there(&end), end.vps), ((1, 0), [2, 0]));
    let ways = skirmish::retreats(&g, at(&g, "S5"), Side::Us);
    assert!(ways.iter().all(|way| !way.1) && ways.len() == g.beside(at(&g, "S5")).count() + 1 || !ways.is_empty());
}

/// dark-and-bloody-ground 11.3, 11.3.1, 11.2.2
#[test]
fn sieges_last_while_nobody_is_outside() {
    let mut g = siege();
    let w2 = at(&g, "W2");
    let mark = |g: State| {
        Trial::new(g, |t, mut g| async move {
            combat::sieges(&t, &mut g);
            g
        })
        .start()
        .over()
    };
    let end = mark(g.clone());
    assert!(end.besieged(w2) && end.land(w2).fort.is_some_and(|fort| fort.siege == 2));
    put(&mut g, "Wyandot", 1, "W2");
    let end = mark(g);
    assert!(!end.besieged(w2) && end.land(w2).fort.is_some_and(|fort| fort.siege == 0));
}

/// dark-and-bloody-ground 10.0, 11.3.2
#[test]
fn the_besieger_chooses_siege_or_assault() {
    let g = siege();
    let phase = |g: State| {
        Trial::new(g, |t, mut g| async move {
            combat::phase(&t, &mut g).await;
            g
        })
    };
    let mut trial = phase(g.clone()).start();
    assert_eq!(trial.asked(), [(crate::table::Seat(0), "assault")]);
    trial.check_options(2);
    trial.say("siege");
    assert_eq!(count(&trial.over(), "Wyandot", "W2"), 1);
    let mut agreed = g;
    agreed.variant.assault_agreed = true;
    let mut trial = phase(agreed).start();
    trial.say("assault");
    assert_eq!(trial.asked(), [(crate::table::Seat(1), "assault")]);
    trial.say("refuse");
    assert_eq!(count(&trial.over(), "Wyandot", "W2"), 1);
}

/// dark-and-bloody-ground 10.0, 11.1
#[test]
fn one_led_force_chooses_battle_or_skirmish() {
    let mut g = war();
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "regular", 1, "S5");
    put(&mut g, "Shawnee", 1, "S5");
    let phase = |g: State| {
        Trial::new(g, |t, mut g| async move {
            combat::phase(&t, &mut g).await;
            g
        })
    };
    let mut unled = phase(g.clone()).dice("skirmish, US", [3]).dice("skirmish, NA", [3]).start();
    unled.over();
    lead(&mut g, "Harmar", "S5");
    let mut trial = phase(g.clone()).dice("skirmish, US", [3]).dice("skirmish, NA", [3]).start();
    assert_eq!(trial.asked(), [(crate::table::Seat(0), "combat-kind")]);
    trial.say("skirmish");
    trial.over();
    lead(&mut g, "Blue Jacket", "S5");
    let mut trial = phase(g).any_dice([5, 3]).start();
    assert_eq!(trial.asked()[0].1, "battle-set-up", "both are led");
    assert!(trial.now().fight.is_some());
}
