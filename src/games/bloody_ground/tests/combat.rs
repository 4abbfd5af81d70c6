//! Skirmishes and sieges (11).

use super::{
    super::{british, combat, components::*, end, skirmish, state::*, testing::*},
    activation::acting,
};
use postrider_table::Seat;

const US: Seat = Seat(0);

/// Returns the example of the rulebook: three militia and a regular besiege a British fort with a
/// warrior inside.
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

fn assault(g: State, walls: &str, words: &str, us: &[i64], na: &[i64]) -> State {
    let w2 = at(&g, "W2");
    let mut trial = Trial::new(g, move |t, mut g| async move {
        skirmish::assault(&t, &mut g, w2, Side::Us).await;
        g
    })
    .dice("skirmish, US", us.iter().copied())
    .dice("skirmish, NA", na.iter().copied())
    .start();
    trial.check_options(3);
    trial.say(walls);
    trial.check_options(3);
    trial.say(words);
    trial.all_first();
    trial.over()
}

/// Both Skirmish Factors of a fort in one pairing.
const TOGETHER: &str = "2 walls at walls 1";

/// dark-and-bloody-ground 11.1.3, T:skirmish-resolution-chart
#[test]
fn the_example_of_an_assault() {
    let words = "3 kentucky-militia on wyandot 1, 1 regular on walls 1";
    // 5 + 2 against 3 + 2: the warrior must retreat, and is eliminated; 6 + 1 against 5 + 3: no
    // result.
    let end = assault(siege(), TOGETHER, words, &[5, 6], &[3, 5]);
    let w2 = at(&end, "W2");
    assert_eq!(
        (count(&end, "Wyandot", "W2"), count(&end, "kentucky-militia", "W2"), count(&end, "regular", "W2")),
        (0, 3, 1)
    );
    assert!(end.fort_of(w2, Side::Na) && end.land(w2).fort.as_ref().is_some_and(|fort| fort.siege == 1));
    assert_eq!(end.vps, [2, 0]);
    // The Skirmish Factors lose while the warrior lives, so the fort stands.
    let words = "1 kentucky-militia on wyandot 1, 1 regular on walls 1";
    let end = assault(siege(), TOGETHER, words, &[1, 6], &[1, 1]);
    assert!(end.fort_of(at(&end, "W2"), Side::Na));
    // The fort falls once he is gone.
    let words = "3 kentucky-militia on wyandot 1, 1 regular on walls 1";
    let end = assault(siege(), TOGETHER, words, &[5, 6], &[3, 1]);
    assert!(end.fort(at(&end, "W2")).is_none());
    assert_eq!((end.forts_destroyed, end.vps), (1, [6, 0]));
}

/// dark-and-bloody-ground 11.1.2, T:skirmish-combat-results
#[test]
fn a_retreat_past_enemies_needs_a_check() {
    let mut g = war();
    (g.commitment, g.season) = (3, Season::Summer);
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "kentucky-militia", 1, "S5");
    let s5 = at(&g, "S5");
    for a in std::iter::once(s5).chain(g.beside(s5)).collect::<Vec<_>>() {
        let id = g.c[a].id.clone();
        put(&mut g, "Shawnee", 1, &id);
    }
    assert!(skirmish::retreats(&g, s5, Side::Us).iter().all(|way| way.1), "past enemies all around");
    let party = |side| skirmish::Party { units: g.outside(s5, side).collect(), walls: 0 };
    let pairing = skirmish::Pairing { sides: Side::ALL.map(party) };
    let [us, na] = Side::ALL.map(|side| i64::from(skirmish::open_modifiers(&g, s5, &pairing, side).total()));
    // A difference that causes a retreat.
    let by = (1..=6).find(|&by| *g.charts.skirmish.at(by) == 1).expect("a row of a retreat");
    let die = 1 + us - na + i64::from(by);
    let ends = |check: i64| {
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            skirmish::open(&t, &mut g, s5).await;
            g
        });
        let trial = trial.dice("skirmish, US", [1]).dice("skirmish, NA", [die]).dice("retreat", [check]);
        let mut run = trial.start();
        run.all_first();
        let story = run.story().join(" ");
        assert_eq!(count(&run.over(), "kentucky-militia", "S5"), 0);
        [story.contains("it comes through"), story.contains("it is eliminated")]
    };
    assert_eq!((ends(3), ends(4)), ([true, false], [false, true]));
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
    // One unit more, militia in Wilderness, Commitment 2.
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
    // A difference of 6: with -1 for its surrendered nation the warrior is eliminated.
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
    assert!(end.besieged(w2) && end.land(w2).fort.as_ref().is_some_and(|fort| fort.siege == 2));
    put(&mut g, "Wyandot", 1, "W2");
    let end = mark(g);
    assert!(!end.besieged(w2) && end.land(w2).fort.as_ref().is_some_and(|fort| fort.siege == 0));
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
    assert_eq!(trial.asked(), [(postrider_table::Seat(0), "assault")]);
    trial.check_options(2);
    trial.say("siege");
    assert_eq!(count(&trial.over(), "Wyandot", "W2"), 1);
    let mut agreed = g;
    agreed.variant.assault_agreed = true;
    let mut trial = phase(agreed.clone()).start();
    trial.say("assault");
    assert_eq!(trial.asked(), [(postrider_table::Seat(1), "assault")]);
    trial.say("refuse");
    assert_eq!(count(&trial.over(), "Wyandot", "W2"), 1);
    // An empty fort has nobody who could refuse.
    let u = agreed.units_in(at(&agreed, "W2"), Side::Na).next().expect("the garrison");
    agreed.unit_mut(u).spot = Spot::Pool;
    let mut trial = phase(agreed).any_dice([6, 6]).start();
    trial.say("assault");
    assert!(trial.asked().iter().all(|asked| asked.1 != "assault"), "{:?}", trial.asked());
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
    let unled = phase(g.clone()).dice("skirmish, US", [3]).dice("skirmish, NA", [3]).start();
    unled.over();
    lead(&mut g, "Harmar", "S5");
    let mut trial = phase(g.clone()).dice("skirmish, US", [3]).dice("skirmish, NA", [3]).start();
    assert_eq!(trial.asked(), [(postrider_table::Seat(0), "combat-kind")]);
    trial.say("skirmish");
    trial.over();
    lead(&mut g, "Blue Jacket", "S5");
    let trial = phase(g).any_dice([5, 3]).start();
    assert_eq!(trial.asked()[0].1, "battle-hex", "both are led");
    assert!(trial.now().fight.is_some());
}

/// dark-and-bloody-ground 8.1, 10.0
#[test]
fn leaders_of_peaceful_nations_take_no_part() {
    let mut g = war();
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "regular", 1, "S5");
    lead(&mut g, "Harmar", "S5");
    put(&mut g, "Shawnee", 1, "S5");
    let blue_jacket = lead(&mut g, "Blue Jacket", "S5");
    let tarhe = lead(&mut g, "Tarhe", "S5");
    let mut trial = Trial::new(g, |t, mut g| async move {
        combat::phase(&t, &mut g).await;
        g
    })
    .any_dice([5, 3])
    .start();
    // Set-up questions, until the first round begins.
    while trial.now().fight.as_ref().is_some_and(|fight| fight.round == 0) {
        let first = trial.options().remove(0);
        trial.order(first.order).expect("an option");
    }
    let now = trial.now();
    let fights = |l: LeaderId| now.battle().heads.iter().any(|head| head.leader == l);
    assert!(fights(blue_jacket) && !fights(tarhe));
}

/// dark-and-bloody-ground 11.1
#[test]
fn a_leader_alone_leaves_before_an_enemy() {
    let mut g = war();
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "Shawnee", 1, "S5");
    let harmar = lead(&mut g, "Harmar", "S5");
    let phase = |g: &State| {
        let mut trial = Trial::new(g.clone(), |t, mut g| async move {
            combat::phase(&t, &mut g).await;
            g
        })
        .start();
        trial.all_first();
        trial.over()
    };
    let s5 = Spot::On(at(&g, "S5"));
    let end = phase(&g);
    assert!(end.chief(harmar).spot != s5 && end.chief(harmar).spot.area().is_some());
    assert_eq!(end.vps, [0, 0]);
    // Inside a friendly fort he stays, but not outside a fort with units of his.
    us_fort(&mut g, "S5");
    let u = put(&mut g, "regular", 1, "S5")[0];
    g.unit_mut(u).inside = true;
    assert_ne!(phase(&g).chief(harmar).spot, s5);
    g.chief_mut(harmar).inside = true;
    assert_eq!(phase(&g).chief(harmar).spot, s5);
}

/// Of the areas adjacent to S5, only S4 may have warriors.
///
/// dark-and-bloody-ground 11.1, 14.0.3
#[test]
fn tecumseh_alone_leaves_for_others() {
    for company in [true, false] {
        let mut g = war();
        at_war(&mut g, "Shawnee", 3);
        put(&mut g, "regular", 1, "S5");
        let tecumseh = lead(&mut g, "Tecumseh", "S5");
        if company {
            put(&mut g, "Shawnee", 1, "S4");
        }
        let run = Trial::new(g, |t, mut g| async move {
            combat::phase(&t, &mut g).await;
            g
        })
        .start();
        assert_eq!(run.asked().is_empty(), company);
        let now = run.now();
        assert_eq!(now.chief(tecumseh).spot == Spot::On(at(&now, "S4")), company);
    }
}

/// dark-and-bloody-ground 11.3.1
#[test]
fn siege_markers_go_with_the_besieger() {
    let mut g = war();
    let w2 = at(&g, "W2");
    g.land_mut(w2).fort.as_mut().expect("a fort").siege = 2;
    put(&mut g, "regular", 1, "W1");
    let mut trial = acting(g.clone(), Side::Us, 1);
    trial.say("move 1 regular from w1 to d2");
    assert_eq!(trial.now().land(w2).fort.as_ref().map(|fort| fort.siege), Some(0));
}

/// dark-and-bloody-ground 11.3.1, 13.0
#[test]
fn siege_markers_go_in_the_end_phase() {
    for (kind, season, starved, siege) in [
        ("regular", Season::Winter, false, 2),
        ("regular", Season::Summer, true, 0),
        ("kentucky-militia", Season::Summer, false, 2),
        ("kentucky-militia", Season::Winter, false, 0),
    ] {
        let mut g = war();
        (g.season, g.commitment) = (season, 3);
        let w2 = at(&g, "W2");
        g.land_mut(w2).fort.as_mut().expect("a fort").siege = 2;
        let u = put(&mut g, kind, 1, "W2")[0];
        g.unit_mut(u).starved = starved;
        let rule = |t, mut g| async move {
            end::phase(&t, &mut g).await;
            g
        };
        let mut run = Trial::new(g, rule).any_dice(starved.then_some(6)).start();
        run.all_first();
        assert_eq!(run.over().fort(w2).map(|fort| fort.siege), Some(siege), "{kind}, {season:?}, {starved}");
    }
}

/// dark-and-bloody-ground 11.2.2
#[test]
fn a_force_goes_into_the_fort_where_it_stands_and_out_again() {
    let mut g = war();
    us_fort(&mut g, "S2");
    let units = put(&mut g, "regular", 3, "S2");
    lead(&mut g, "Harmar", "S2");
    let mut trial = acting(g.clone(), Side::Us, 1);
    trial.say("move 3 regular, harmar from s2 to s2 into the fort");
    let inside = |g: &State| units.iter().filter(|&&u| g.unit(u).inside).count();
    let now = trial.now();
    assert_eq!((inside(&now), now.unit(units[0]).acts, now.chief(leader(&g, "Harmar")).inside), (3, 1, true));
    trial.say("pass");
    trial.say("move 1 regular from s2 to s2");
    assert_eq!(inside(&trial.now()), 2);
}

/// dark-and-bloody-ground 11.2.2, 8.5.3
#[test]
fn who_is_placed_at_a_fort_is_inside_as_long_as_there_is_room() {
    let mut g = war();
    (g.commitment, g.season, g.forts_destroyed) = (2, Season::Summer, 5);
    for name in ["Miami", "Wyandot", "Ottawa"] {
        at_war(&mut g, name, 3);
    }
    let mut trial = Trial::new(g, |t, mut g| async move {
        british::phase(&t, &mut g).await;
        g
    })
    .any_dice([1, 6])
    .start();
    trial.all_first();
    let end = trial.over();
    assert!(end.british && end.chief(leader(&end, "Dorchester")).inside);
    assert_eq!(end.units.iter().filter(|u| u.inside).count(), 10, "fourteen come, ten find room");
}

/// Returns a British fort besieged by a regular, with one warrior of a nation inside.
pub fn besieged(name: &str) -> (State, AreaId, UnitId) {
    let mut g = war();
    (g.commitment, g.season) = (3, Season::Winter);
    let fort = g.c.area_ids().find(|&a| g.c[a].is(Special::BritishFort)).expect("a British fort");
    let id = g.c[fort].id.clone();
    let u = put(&mut g, name, 1, &id)[0];
    g.unit_mut(u).inside = true;
    put(&mut g, "regular", 1, &id);
    assert!(g.besieged(fort) && g.is_shut_in(u));
    (g, fort, u)
}

/// dark-and-bloody-ground 8.1, 13.0, 11.3.2, T:end-phase-attrition-table
#[test]
fn warriors_at_peace_starve_in_a_besieged_fort() {
    let (mut g, fort, u) = besieged("Wyandot");
    g.season = Season::Summer;
    let mut trial = Trial::new(g, |t, mut g| async move {
        end::phase(&t, &mut g).await;
        g
    })
    .any_dice([6])
    .start();
    trial.all_first();
    let end = trial.over();
    assert_eq!((end.unit(u).spot, end.fort(fort).is_some(), end.vps[0]), (Spot::Gone, false, 6));
}

/// Resolves an assault by the regular, with its die, that of the fort, and the garrison's answer.
fn assaulted(g: State, fort: AreaId, dice: [i64; 2], words: Option<&str>) -> State {
    let mut trial = Trial::new(g, move |t, mut g| async move {
        skirmish::assault(&t, &mut g, fort, Side::Us).await;
        g
    })
    .dice("skirmish, US", [dice[0]])
    .dice("skirmish, NA", [dice[1]])
    .start();
    if let Some(words) = words {
        trial.say(words);
    }
    trial.all_first();
    trial.over()
}

/// dark-and-bloody-ground 8.1, 11.1.3
#[test]
fn walls_stand_while_a_unit_is_inside() {
    let (mut g, fort, u) = besieged("Wyandot");
    // A regular, 6 + 1, against two factors, 1 + 4: a unit at peace does not fight, but its
    // presence keeps the fort standing.
    let stands = |g: &State| assaulted(g.clone(), fort, [6, 1], None).fort(fort).is_some();
    assert!(stands(&g));
    g.unit_mut(u).inside = false;
    assert!(!stands(&g));
}

/// dark-and-bloody-ground 11.1.3, T:skirmish-combat-results
#[test]
fn walls_that_fight_beside_a_unit_are_not_alone() {
    let (mut g, fort, u) = besieged("Shawnee");
    at_war(&mut g, "Shawnee", 3);
    let after = |siege: u8| {
        let mut g = g.clone();
        g.land_mut(fort).fort.as_mut().expect("a fort").siege = siege;
        let end = assaulted(g, fort, [6, 1], Some("1 shawnee, 2 walls at regular 1"));
        (end.unit(u).spot, end.fort(fort).is_some())
    };
    // 7 against 3: the garrison must retreat. 7 against 1: the garrison and the fort are
    // eliminated.
    assert_eq!([after(3), after(5)], [(Spot::Gone, true), (Spot::Gone, false)]);
}

/// dark-and-bloody-ground 11.1, 11.1.1
#[test]
fn like_units_one_to_one_are_paired_unasked() {
    let skirmish = |nations: &[&str]| {
        let mut g = war();
        (g.commitment, g.initiative) = (3, Side::Us);
        put(&mut g, "regular", 2, "S5");
        for &name in nations {
            at_war(&mut g, name, 3);
            put(&mut g, name, 2 / nations.len(), "S5");
        }
        let s5 = at(&g, "S5");
        Trial::new(g, move |t, mut g| async move {
            skirmish::open(&t, &mut g, s5).await;
            g
        })
        .dice("skirmish, US", [3, 3])
        .dice("skirmish, NA", [3, 3])
        .start()
    };
    assert_eq!(skirmish(&["Shawnee"]).asked(), []);
    // The order of pairings matters if the enemies differ; the pairings themselves do not, because
    // the regulars are alike.
    assert_eq!(skirmish(&["Shawnee", "Miami"]).asked(), [(US, "pair-order")]);
}

/// dark-and-bloody-ground 11.1.3, 11.3.2, T:skirmish-combat-results
#[test]
fn a_fort_falls_with_its_last_unit_at_six_and_more() {
    let words = "3 kentucky-militia on wyandot 1, 1 regular on walls 1";
    let after = |siege_markers: u8| {
        let mut g = siege();
        let w2 = at(&g, "W2");
        g.land_mut(w2).fort.as_mut().expect("a fort").siege = siege_markers;
        // The regular's own pairing has no result if it still takes place.
        let mut trial = Trial::new(g, move |t, mut g| async move {
            skirmish::assault(&t, &mut g, w2, Side::Us).await;
            g
        })
        .dice("skirmish, US", [6, 1])
        .dice("skirmish, NA", [1, 1])
        .start();
        trial.say(TOGETHER).say(words);
        trial.say("1");
        let now = trial.now();
        (count(&now, "Wyandot", "W2"), now.fort(w2).is_some())
    };
    // 8 against 3 is a retreat, which leaves the fort; 8 against 2 eliminates it.
    assert_eq!([after(1), after(2)], [(0, true), (0, false)]);
}

/// dark-and-bloody-ground 11.1.3
#[test]
fn the_factors_of_a_british_fort_fight_as_their_owner_says() {
    // Separate factors: 3 militia, 4 + 2 against 1 + 2; the regular, 5 + 1 against 4 + 2; the
    // warrior is not engaged.
    let split = |walls: &str| {
        let mut trial = Trial::new(siege(), |t, mut g| async move {
            let w2 = at(&g, "W2");
            skirmish::assault(&t, &mut g, w2, Side::Us).await;
            g
        })
        .start();
        assert_eq!(trial.asked(), [(Seat(1), "pairing")]);
        trial.say(walls);
        assert_eq!(trial.asked(), [(US, "pairing")]);
        trial.reads().lines.concat()
    };
    let names =
        |walls: &str| ["wyandot 1", "walls 1", "walls 2"].map(|name| split(walls).to_lowercase().contains(name));
    assert_eq!(names(TOGETHER), [true, true, false]);
    assert_eq!(names("1 walls at walls 1, 1 walls at walls 2"), [true, true, true]);
    assert_eq!(names("1 walls at wyandot 1, 1 walls at walls 2"), [true, false, true]);
    assert_eq!(names("2 walls at wyandot 1"), [true, false, false]);
    // With the warrior, both factors add to its die: 6 against 3 + 3 + 2 - 1.
    let words = "3 kentucky-militia and 1 regular on wyandot 1";
    let end = assault(siege(), "2 walls at wyandot 1", words, &[6], &[3]);
    assert_eq!((count(&end, "Wyandot", "W2"), count(&end, "kentucky-militia", "W2")), (0, 3));
}

/// dark-and-bloody-ground 11.1.2, 11.1
#[test]
fn who_cannot_retreat_is_eliminated() {
    let cut_off = |kind: &str| {
        let mut g = war();
        at_war(&mut g, "Shawnee", 3);
        put(&mut g, kind, 1, "S5");
        // The enemy holds every other area.
        for a in g.c.area_ids().filter(|&a| a != at(&g, "S5")).collect::<Vec<_>>() {
            g.land_mut(a).fort = Some(Fort::of(Side::Na));
        }
        g
    };
    let mut g = cut_off("Shawnee");
    put(&mut g, "regular", 1, "S5");
    let end = open(g.clone(), 1, 5);
    assert_eq!((count(&end, "regular", "S5"), end.vps), (0, [0, 2]));
    let mut alone = cut_off("Shawnee");
    let hamtramck = lead(&mut alone, "Hamtramck", "S5");
    let end = Trial::new(alone, |t, mut g| async move {
        combat::phase(&t, &mut g).await;
        g
    })
    .start()
    .over();
    assert_eq!((end.chief(hamtramck).spot, end.vps), (Spot::Gone, [0, 2]));
}

/// dark-and-bloody-ground 11.2.2
#[test]
fn a_fort_takes_in_ten_who_move_there() {
    for (within, inside) in [(9, 1), (10, 0), (7, 2)] {
        let mut g = war();
        us_fort(&mut g, "S4");
        g.tribe_mut(nation(&war(), "Shawnee")).stance = Stance::Surrendered;
        put(&mut g, "kentucky-militia", within, "S4").into_iter().for_each(|u| g.unit_mut(u).inside = true);
        let units = put(&mut g, "regular", 2, "U1");
        let harmar = lead(&mut g, "Harmar", "U1");
        let mut run = acting(g, Side::Us, 1);
        run.say("move 2 regular, harmar from u1 to s4 into the fort");
        let now = run.now();
        assert_eq!(count(&now, "regular", "S4"), 2);
        assert_eq!(units.iter().filter(|&&u| now.unit(u).inside).count(), inside, "{within} are inside");
        assert!(now.chief(harmar).inside, "leaders take no room");
    }
}

/// dark-and-bloody-ground 8.5.3
#[test]
fn dorchester_leaves_with_the_last_of_his_units() {
    for (kind, leaves) in
        [(Some("british-regular"), false), (Some("canadian-militia"), false), (Some("Shawnee"), true), (None, true)]
    {
        let mut g = war();
        g.british = true;
        let dorchester = lead(&mut g, "Dorchester", "W5");
        if let Some(kind) = kind {
            put(&mut g, kind, 1, "W4");
        }
        let mut run = Trial::new(g, |t, mut g| async move {
            british::dorchester_leaves(&t, &mut g);
            g
        })
        .start();
        let gone = run.over().chief(dorchester).spot == Spot::Gone;
        assert_eq!((gone, !run.story().is_empty()), (leaves, leaves), "{kind:?}");
    }
}

/// dark-and-bloody-ground 11.1.2, T:skirmish-combat-results
#[test]
fn where_a_skirmish_is_left_for() {
    let mut g = war();
    let s5 = at(&g, "S5");
    let ways = |g: &State| -> Vec<String> {
        skirmish::retreats(g, s5, Side::Us).into_iter().map(|(a, _)| g.c[a].id.clone()).collect()
    };
    let around: Vec<String> = g.beside(s5).map(|a| g.c[a].id.clone()).collect();
    // Cincinnati and Fort Hamilton are beyond the Little Miami; the town is nearer than Pittsburgh.
    assert!(around.iter().all(|id| ways(&g).contains(id)) && ways(&g).contains(&"U1".to_owned()));
    assert!(!ways(&g).contains(&"P1".to_owned()));
    // Enemy forts bar the adjacent areas. A fort of the US as near as Cincinnati is as good, a
    // nearer one better.
    for a in g.beside(s5).collect::<Vec<_>>() {
        g.land_mut(a).fort = Some(Fort::of(Side::Na));
    }
    assert!(ways(&g).contains(&"U1".to_owned()) && !ways(&g).iter().any(|id| around.contains(id)));
    us_fort(&mut g, "S4");
    assert_eq!(ways(&g), ["S4"]);
}

/// A lone regular on the Scioto retreats to a haven two areas off, as all adjacent areas are held.
/// On an open way it rolls no check; it goes inside a fort.
///
/// dark-and-bloody-ground 11.1.2, 11.2.2, T:skirmish-combat-results
#[test]
fn a_retreat_by_an_open_way_needs_no_check() {
    for (held, waste, check) in [(true, false, Some(6)), (false, false, None), (false, true, Some(6))] {
        let mut g = war();
        (g.commitment, g.season) = (3, Season::Summer);
        at_war(&mut g, "Shawnee", 3);
        let (u, s4) = (put(&mut g, "regular", 1, "S5")[0], at(&g, "S4"));
        put(&mut g, "Shawnee", 1, "S5");
        us_fort(&mut g, "U3");
        g.land_mut(s4).pillaged = waste;
        if held {
            put(&mut g, "Shawnee", 1, "S4");
        }
        let s5 = at(&g, "S5");
        let around: Vec<AreaId> = g.beside(s5).filter(|&a| a != s4).collect();
        for a in around {
            g.land_mut(a).fort = Some(Fort::of(Side::Na));
        }
        let rule = move |t, mut g| async move {
            skirmish::open(&t, &mut g, s5).await;
            g
        };
        let trial = Trial::new(g, rule).dice("skirmish, US", [1]).dice("skirmish, NA", [5]);
        let mut run = trial.dice("retreat", check).start();
        run.say("u3");
        let end = run.over();
        let inside = (Spot::On(at(&end, "U3")), true);
        let wanted = if check.is_some() { (Spot::Gone, false) } else { inside };
        assert_eq!((end.unit(u).spot, end.unit(u).inside), wanted, "held {held}, pillaged {waste}");
    }
}

/// The Little Miami and Brush Creek, between the Scioto and Cincinnati, are pillaged: the way round by the Mad River
/// Towns and Fort Hamilton needs no check, and without it a 6 against 3 eliminates.
///
/// dark-and-bloody-ground 11.1.2, T:skirmish-combat-results
#[test]
fn a_retreat_goes_round_pillaged_land() {
    for (round, check) in [(true, None), (false, Some(6))] {
        let mut g = war();
        (g.commitment, g.season) = (3, Season::Summer);
        at_war(&mut g, "Shawnee", 3);
        let (u, s5) = (put(&mut g, "regular", 1, "S5")[0], at(&g, "S5"));
        put(&mut g, "Shawnee", 1, "S5");
        let waste = ["S4", "S7"].map(|id| at(&g, id));
        waste.into_iter().for_each(|a| g.land_mut(a).pillaged = true);
        let open = |a: &AreaId| waste.contains(a) || round && g.c[*a].id == "S3";
        for a in g.beside(s5).filter(|a| !open(a)).collect::<Vec<_>>() {
            g.land_mut(a).fort = Some(Fort::of(Side::Na));
        }
        let rule = move |t, mut g| async move {
            skirmish::open(&t, &mut g, s5).await;
            g
        };
        let trial = Trial::new(g, rule).dice("skirmish, US", [1]).dice("skirmish, NA", [5]);
        let mut run = trial.dice("retreat", check).start();
        run.say("u1");
        let end = run.over();
        let wanted = if round { Spot::On(at(&end, "U1")) } else { Spot::Gone };
        assert_eq!(end.unit(u).spot, wanted, "way round {round}");
    }
}

/// Three militia +2 against a warrior inside +3 - 1; a regular +1 against two factors +3 + 1 - 1.
///
/// dark-and-bloody-ground 11.1.3, T:skirmish-resolution-chart
#[test]
fn the_modifiers_of_the_example_of_an_assault() {
    let g = siege();
    let w2 = at(&g, "W2");
    let units = |kind: &str| {
        let kind = g.c.kind(kind).expect("a kind");
        skirmish::Party { units: g.of_kind(kind).filter(|&u| g.unit(u).spot == Spot::On(w2)).collect(), walls: 0 }
    };
    let walls = skirmish::Party { units: Vec::new(), walls: 2 };
    let totals = |us, na| {
        let pairing = skirmish::Pairing { sides: [us, na] };
        Side::ALL.map(|side| skirmish::fort_modifiers(&g, w2, &pairing, side).total())
    };
    assert_eq!(totals(units("kentucky-militia"), units("Wyandot")), [2, 2]);
    assert_eq!(totals(units("regular"), walls), [1, 3]);
}
