//! Exceptions and limits that no other test would catch.

use super::{
    super::{
        atrocity, battle, components::*, end, leaders, mobilization, movement, raid, reaction, state::*, testing::*,
        victory,
    },
    board::{board, condition, head, set, stand},
};
use postrider_table::{Seat, chart::Ratio, status::Condition};

/// dark-and-bloody-ground 9.2.2
#[test]
fn regulars_in_a_settled_area_are_ambushed_without_the_modifier() {
    let mut g = war();
    let total = |g: &State, u: UnitId| atrocity::ambush_check(g, u).drm.total();
    let (wild, settled) = (put(&mut g, "regular", 1, "S5")[0], put(&mut g, "regular", 1, "U1")[0]);
    assert_eq!((total(&g, wild), total(&g, settled)), (1, 0));
    let s5 = at(&g, "S5");
    g.land_mut(s5).settlers = 1;
    assert_eq!(total(&g, wild), 0, "settlers settle it as well");
    // Warriors protect British regulars as Canadian militia does.
    let british = put(&mut g, "british-regular", 1, "O2")[0];
    assert_eq!(total(&g, british), 1);
    put(&mut g, "Ottawa", 1, "O2");
    assert_eq!(total(&g, british), 0);
}

/// dark-and-bloody-ground 9.4.5
#[test]
fn who_has_completed_his_actions_reacts_worse() {
    let mut g = war();
    at_war(&mut g, "Shawnee", 1);
    let units = put(&mut g, "Shawnee", 2, "S5");
    let leader = lead(&mut g, "Black Hoof", "S5");
    let force = Force { units: units.clone(), leaders: vec![leader] };
    let passing = |g: &State| reaction::check(g, Side::Na, units[0], &force).passing(6);
    assert_eq!(passing(&g), 3);
    g.unit_mut(units[1]).done = true;
    assert_eq!(passing(&g), 2, "any of them");
}

/// dark-and-bloody-ground 10.5.2
#[test]
fn a_natural_six_misses_whatever_is_taken_off() {
    let mut g = board(Terrain::Settled);
    stand(&mut g, "regular", "0806");
    let target = stand(&mut g, "Shawnee", "0809");
    set(&mut g, target, Condition::Routed);
    let fired = |die: i64| {
        let mut trial = Trial::new(g.clone(), |t, mut g| async move {
            battle::fire_for_tests(&t, &mut g, Side::Us).await;
            g
        })
        .any_dice([die])
        .start();
        trial.say("fire regular 1 at shawnee 1");
        condition(&trial.over(), target) == Condition::Routed && trial.over().vps == [0, 0]
    };
    // -2 against the Routed: a 6 would become 4, below the strength of 6, but always misses.
    assert!(fired(6) && !fired(5));
}

/// dark-and-bloody-ground T:melee-combat-modifiers
#[test]
fn streams_halve_troops_and_not_warriors() {
    let mut g = board(Terrain::Settled);
    let (warrior, regular) = (stand(&mut g, "Shawnee", "0406"), stand(&mut g, "regular", "0706"));
    stand(&mut g, "regular", "0405");
    stand(&mut g, "Miami", "0705");
    let attack = |i: usize, id: &str| battle::odds(&g, &[i], g.field().grid.hex(id).expect("a hex")).attack;
    assert_eq!(attack(warrior, "0405"), Ratio::whole(1));
    assert_eq!(attack(regular, "0705"), Ratio::whole(1).half());
}

/// Who attacks up a slope is halved, of either side; down it nobody is.
///
/// dark-and-bloody-ground T:melee-combat-modifiers
#[test]
fn slopes_halve_who_attacks_up_them() {
    for (kind, foe) in [("Shawnee", "regular"), ("regular", "Shawnee")] {
        for (from, to, factor) in [("0707", "0706", Ratio::whole(1).half()), ("0706", "0707", Ratio::whole(1))] {
            let mut g = board(Terrain::Rough);
            let attacker = stand(&mut g, kind, from);
            stand(&mut g, foe, to);
            let target = g.field().grid.hex(to).expect("a hex");
            assert_eq!(battle::odds(&g, &[attacker], target).attack, factor, "{kind} {from}");
        }
    }
}

/// dark-and-bloody-ground 15.4.3, 15.4.4
#[test]
fn three_checks_are_not_two_years() {
    let ended = |commitment: u8, before: u8| {
        let mut g = war();
        (g.season, g.commitment, g.streaks) = (Season::Fall, commitment, [before; 2]);
        let end = Trial::new(g, |t, mut g| async move {
            victory::end_of_turn(&t, &mut g);
            g
        })
        .start()
        .over();
        end.ending.map(|ending| ending.winner)
    };
    assert_eq!([ended(1, 2), ended(1, 3)], [None, Some(Some(Side::Na))]);
    assert_eq!([ended(5, 2), ended(5, 3), ended(4, 3)], [None, Some(Some(Side::Us)), None]);
}

/// dark-and-bloody-ground 14.0.7
#[test]
fn two_leaders_of_militia_in_1791_and_three_from_1792() {
    let mut g = war();
    (g.year, g.season) = (1791, Season::Spring);
    for (kind, id, name) in
        [("kentucky-militia", "K2", "Trotter"), ("pennsylvania-militia", "P1", "Pennsylvania replacement")]
    {
        put(&mut g, kind, 1, id);
        lead(&mut g, name, id);
    }
    put(&mut g, "virginia-militia", 1, "V1");
    let asked = |g: &State| {
        let mut trial = Trial::new(g.clone(), |t, mut g| async move {
            leaders::militia_leaders(&t, &mut g).await;
            g
        })
        .start();
        if trial.asked().is_empty() { Vec::new() } else { trial.words() }
    };
    assert!(asked(&g).is_empty(), "two are in play");
    g.year = 1792;
    assert!(asked(&g).iter().any(|name| name.to_lowercase().contains("darke")), "a third may be");
}

/// dark-and-bloody-ground 9.4.3, T:main-map-terrain-effects-chart
#[test]
fn warriors_do_not_go_by_water_through_pillaged_land() {
    let mut g = war();
    g.season = Season::Summer;
    let leg = |g: &State, side: Side| {
        let mover = movement::Mover::of(g, side, &Force::default());
        let legs = movement::legs(g, mover, Spot::On(at(g, "M1")));
        legs.into_iter().find(|leg| leg.to == at(g, "O1")).map(|leg| leg.cost)
    };
    assert_eq!((leg(&g, Side::Na), leg(&g, Side::Us)), (Some(1), Some(1)));
    let o1 = at(&g, "O1");
    g.land_mut(o1).pillaged = true;
    assert_eq!((leg(&g, Side::Na), leg(&g, Side::Us)), (None, Some(2)));
}

/// dark-and-bloody-ground 10.4.1
#[test]
fn nations_do_not_share_a_hex_without_tecumseh_or_girty() {
    let over = |heads: &[&str], second: &str| {
        let mut g = board(Terrain::Settled);
        stand(&mut g, "Shawnee", "0806");
        stand(&mut g, "Shawnee", "0806");
        stand(&mut g, second, "0806");
        heads.iter().for_each(|name| head(&mut g, name, "0806"));
        let mut trial = Trial::new(g, |t, mut g| async move {
            battle::march_for_tests(&t, &mut g, Side::Na).await;
            g
        })
        .start();
        trial.say("done");
        let asked = trial.asked().first().is_some_and(|asked| asked.1 == "battle-stack");
        trial.all_first();
        (asked, trial.over().battle().pieces.iter().filter(|p| p.stand == battle::Stand::Dead).count())
    };
    assert_eq!([over(&[], "Shawnee"), over(&["Tecumseh"], "Miami"), over(&["Girty"], "Miami")], [(false, 0); 3]);
    assert!(over(&[], "Miami").0 && over(&["Blue Jacket"], "Miami").1 >= 1);
    // One warrior with the British, even with Tecumseh.
    assert!(over(&["Tecumseh"], "british-regular").0);
}

/// dark-and-bloody-ground 13.0, 8.4.3, 4.7
#[test]
fn militia_in_a_besieged_fort_stays_over_the_winter() {
    let mut g = war();
    (g.season, g.commitment) = (Season::Winter, 3);
    us_fort(&mut g, "S2");
    let inside = put(&mut g, "kentucky-militia", 1, "S2")[0];
    g.unit_mut(inside).inside = true;
    let home = put(&mut g, "kentucky-militia", 1, "U1")[0];
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "Shawnee", 1, "S2");
    let mut trial = Trial::new(g, |t, mut g| async move {
        end::phase(&t, &mut g).await;
        g
    })
    .dice("attrition", [1])
    .start();
    trial.all_first();
    let end = trial.over();
    assert_eq!((end.unit(inside).spot, end.unit(home).spot), (Spot::On(at(&end, "S2")), Spot::Pool));
}

/// dark-and-bloody-ground T:random-events-table, 8.1
#[test]
fn good_omens_keep_a_nation_from_surrender() {
    let mut g = war();
    let ottawa = nation(&g, "Ottawa");
    for n in g.c.nation_ids().filter(|&n| n != ottawa) {
        g.tribe_mut(n).stance = Stance::Surrendered;
        g.tribe_mut(n).ml = 0;
    }
    for id in ["O2", "O3", "O4", "M1"] {
        let a = at(&g, id);
        g.land_mut(a).pillaged = true;
    }
    let rolled = |omens: i8| {
        let mut g = g.clone();
        g.tribe_mut(ottawa).omens = omens;
        let mut trial = Trial::new(g, |t, mut g| async move {
            mobilization::phase(&t, &mut g).await;
            g
        })
        .any_dice([2])
        .start();
        trial.all_first();
        let tribe = *trial.over().tribe(ottawa);
        (tribe.stance, tribe.ml)
    };
    // 2 less 4, and +1 for the omens.
    assert_eq!((rolled(1), rolled(0)), ((Stance::Peaceful, 1), (Stance::Surrendered, 0)));
}

/// dark-and-bloody-ground T:raid-resolution-results, 12.0.3
#[test]
fn a_fiasco_against_one_militia_takes_one_warrior() {
    let lost = |militia: usize| {
        let mut g = war();
        (g.commitment, g.season, g.severe) = (3, Season::Summer, true);
        at_war(&mut g, "Shawnee", 3);
        let u1 = at(&g, "U1");
        put(&mut g, "kentucky-militia", militia, "U1");
        for u in put(&mut g, "Shawnee", 3, "U1") {
            g.unit_mut(u).raiding = true;
        }
        g.raids[u1.index()] = raid::Track { mps: 24, ohio: true, ..Default::default() };
        let second = if militia > 1 { vec![6, 6] } else { Vec::new() };
        let mut trial = Trial::new(g, |t, mut g| async move {
            raid::phase(&t, &mut g).await;
            g
        })
        .dice("raid", [1])
        .dice("second loss", second)
        .start();
        assert!(trial.asked().iter().all(|asked| asked.0 == Seat(1)));
        trial.all_first();
        let end = trial.over();
        let shawnee = nation(&end, "Shawnee");
        end.of_kind(end.c.warriors(shawnee)).filter(|&u| end.unit(u).spot == Spot::Gone).count()
    };
    assert_eq!((lost(1), lost(2)), (1, 2));
}
