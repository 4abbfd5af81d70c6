//! What version 6 of the rules does otherwise in the Action Phase, in raids and with settlers: each rule by version 5 and by version 6.

use super::super::{
    action, activation, atrocity, cautions, components::*, homes, raid, settlers, state::*, testing::*,
};
use crate::table::status::Condition;

/// The same position by another version of the rules.
fn by(version: u32, g: &State) -> State {
    let mut g = g.clone();
    g.variant.version = version;
    g
}

/// dark-and-bloody-ground 7.0.4, 9.4.2
#[test]
fn who_has_not_acted_goes_with_a_leader_who_has() {
    let mut g = war();
    (g.season, g.commitment) = (Season::Summer, 3);
    let units = put(&mut g, "regular", 2, "U1");
    g.unit_mut(units[0]).starved = true;
    g.unit_mut(units[1]).condition = Condition::Disrupted;
    let harmar = lead(&mut g, "Harmar", "U1");
    g.chief_mut(harmar).acts = 1;
    let words = "move 2 regular, harmar from u1 to u3";
    let moving = |version: u32| {
        Trial::new(by(version, &g), |t, mut g| async move {
            action::phase(&t, &mut g).await;
            g
        })
        .dice("initiative, US", [6])
        .dice("initiative, NA", [1])
        .any_dice(if version == 6 { vec![1] } else { Vec::new() })
        .start()
    };
    assert!(moving(5).refused(words).contains("9.4.2"));
    // His second activation is their first: it does not wear them out.
    let mut trial = moving(6);
    trial.say(words);
    let now = trial.now();
    let u3 = at(&g, "U3");
    assert!(units.iter().all(|&u| now.unit(u).spot == Spot::On(u3) && now.unit(u).acts == 1 && !now.unit(u).done));
    // For those who have acted it is the second.
    let force = Force { units: units.clone(), leaders: vec![harmar] };
    for &u in &units {
        let mut g = g.clone();
        g.unit_mut(u).acts = 1;
        assert_eq!(activation::may_act(&g, &force).expect_err("it has acted").rule, "9.4.2");
    }
}

/// A second activation of units alone, by a die: whether they pass.
fn again(g: State, units: &[UnitId], die: i64) -> bool {
    let force = Force { units: units.to_vec(), leaders: Vec::new() };
    let u = units[0];
    let end = Trial::new(g, move |t, mut g| async move {
        activation::second(&t, &mut g, force);
        g
    })
    .dice("second activation", [die])
    .start()
    .over();
    !end.unit(u).done
}

/// dark-and-bloody-ground 9.3.1, 9.3.2, 9.4.2
#[test]
fn a_leader_beside_them_helps_who_act_again() {
    let mut g = war();
    (g.season, g.commitment) = (Season::Summer, 3);
    at_war(&mut g, "Shawnee", 3);
    let warrior = put(&mut g, "Shawnee", 1, "S5")[0];
    g.unit_mut(warrior).acts = 1;
    let blue_jacket = lead(&mut g, "Blue Jacket", "S5");
    g.chief_mut(blue_jacket).done = true;
    let alone = Force { units: vec![warrior], leaders: Vec::new() };
    let may = |version: u32, g: &State| activation::may_act(&by(version, g), &alone).is_ok();
    assert_eq!([5, 6].map(|version| may(version, &g)), [false, true]);
    // His rating counts: 6 is no more than 3 and 3.
    assert!(again(g.clone(), &[warrior], 6));
    for change in [|chief: &mut Chief| chief.raiding = true, |chief: &mut Chief| chief.spot = Spot::Pool] {
        let mut g = g.clone();
        change(g.chief_mut(blue_jacket));
        assert!(!may(6, &g), "he is not stacked with it");
    }
    // A unit of the US needs none, and one beside it helps.
    let regular = put(&mut g, "regular", 1, "U1")[0];
    g.unit_mut(regular).acts = 1;
    let harmar = lead(&mut g, "Harmar", "U1");
    let rating = i64::from(g.c[harmar].command);
    assert!(rating > 0);
    let passes = |version: u32| again(by(version, &g), &[regular], 3 + rating);
    assert_eq!([passes(5), passes(6)], [false, true]);
    // A preview counts with him too.
    let force = Force { units: vec![regular], leaders: Vec::new() };
    let told = |version: u32| cautions::of_move(&by(version, &g), Side::Us, &force, &[], true).concat();
    assert!(told(5).contains("on 3 of 6") && !told(6).contains("on 3 of 6"));
    // Several still act together by a leader of theirs alone (9.3).
    let two = [regular, put(&mut g, "regular", 1, "U1")[0]];
    let force = Force { units: two.to_vec(), leaders: Vec::new() };
    assert_eq!(activation::may_act(&g, &force).expect_err("they need one").rule, "9.3");
}

/// Two Shawnee and Blue Jacket raid K2: the first has come far, by a fort and over the Ohio.
fn raiding() -> (State, AreaId, Vec<UnitId>) {
    let mut g = war();
    (g.season, g.commitment) = (Season::Summer, 3);
    at_war(&mut g, "Shawnee", 3);
    let (k2, units) = (at(&g, "K2"), put(&mut g, "Shawnee", 2, "S5"));
    g.land_mut(k2).settlers = 2;
    let blue_jacket = lead(&mut g, "Blue Jacket", "S5");
    let near = raid::Journey { to: k2, mps: 12, forts: 0, fortified: 0, ohio: false, waste: false };
    let far = raid::Journey { mps: 24, forts: 1, fortified: 1, ohio: true, waste: true, ..near };
    raid::go(&mut g, &Force { units: vec![units[0]], leaders: Vec::new() }, &far);
    raid::go(&mut g, &Force { units: vec![units[1]], leaders: vec![blue_jacket] }, &near);
    (g, k2, units)
}

/// The US ambushes these units, and they fall.
fn ambushed(g: State, units: &[UnitId]) -> State {
    let (all, n) = (units.to_vec(), units.len());
    let mut g = Trial::new(g, move |t, mut g| async move {
        for u in all {
            g.atrocities[Side::Us.index()] += 1;
            atrocity::ambush(&t, &mut g, Side::Us, u).await;
        }
        g
    })
    .any_dice(vec![6; n])
    .start()
    .over();
    g.ambushed = [false; 2];
    g
}

/// dark-and-bloody-ground 12.0.1, 12.0.2, T:raid-resolution-chart
#[test]
fn the_ways_of_fallen_raiders_do_not_count() {
    let (g, k2, units) = raiding();
    let said = |version: u32, fallen: &[UnitId]| raid::modifiers(&ambushed(by(version, &g), fallen), k2).to_string();
    let all = said(6, &[]);
    assert!(["24 MPs -2", "forts -1", "the Ohio -1"].iter().all(|part| all.contains(part)), "{all}");
    assert_eq!(said(5, &units[..1]), all);
    let left = said(6, &units[..1]);
    assert!(["MPs", "forts", "Ohio"].iter().all(|part| !left.contains(part)), "{left}");
    assert_eq!(said(6, &units[1..]), all, "who has come far is still there");
}

/// dark-and-bloody-ground 12.0.1, 12.0.4
#[test]
fn no_raid_without_warriors() {
    let (g, k2, units) = raiding();
    let blue_jacket = leader(&g, "Blue Jacket");
    let after = |version: u32| {
        let mut trial = Trial::new(ambushed(by(version, &g), &units), |t, mut g| async move {
            raid::phase(&t, &mut g).await;
            homes::asked(&t, &mut g).await;
            g
        })
        .any_dice(if version == 5 { vec![6, 6] } else { Vec::new() })
        .start();
        trial.all_first();
        let end = trial.over();
        let home = end.chief(blue_jacket).spot.area().is_some_and(|a| a != k2);
        (end.people(k2), end.land(k2).raid, home && !end.chief(blue_jacket).raiding)
    };
    assert_eq!(after(5), (1, true, true));
    assert_eq!(after(6), (2, false, true));
}

/// dark-and-bloody-ground 6.0.2, 6.0.3, 4.2
#[test]
fn settlers_who_fled_count_for_a_village() {
    let mut g = war();
    (g.season, g.commitment) = (Season::Winter, 3);
    let u1 = at(&g, "U1");
    (g.land_mut(u1).settlers, g.land_mut(u1).fled) = (1, 3);
    let asked = |version: u32, g: &State, dice: &[i64]| {
        Trial::new(by(version, g), |t, mut g| async move {
            settlers::phase(&t, &mut g, None).await;
            g
        })
        .any_dice(dice.to_vec())
        .start()
    };
    assert!(asked(5, &g, &[]).asked().is_empty());
    let mut trial = asked(6, &g, &[]);
    trial.check_options(2);
    trial.say("village at u1");
    let end = trial.over();
    let land = end.land(u1);
    assert_eq!((land.village, land.settlers, land.fled), (true, 0, 1), "who fled goes last");
    // Who goes on is no part of it.
    g.season = Season::Summer;
    let mut trial = asked(6, &g, &[3, 6]);
    trial.check_options(2);
    assert!(trial.refused("village at u1, 2 refugee-of-u1 at u3").contains("6.0.3"));
    trial.say("village at u1, 1 refugee-of-u1 at u3, 4 settler at u1");
    let end = trial.over();
    let land = end.land(u1);
    assert_eq!((land.village, land.settlers, land.fled, end.people(at(&g, "U3"))), (true, 4, 0, 1));
}
