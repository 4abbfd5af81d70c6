//! Raids (12).

use super::super::{components::*, raid, state::*, testing::*};

/// The rulebook's example: two warriors and Blue Jacket against Northern Kentucky.
fn example() -> State {
    let mut g = war();
    (g.commitment, g.season) = (3, Season::Summer);
    at_war(&mut g, "Shawnee", 3);
    at_war(&mut g, "Wyandot", 3);
    let k2 = at(&g, "K2");
    g.land_mut(k2).settlers = 3;
    put(&mut g, "kentucky-militia", 2, "K2");
    for u in [put(&mut g, "Shawnee", 1, "K2")[0], put(&mut g, "Wyandot", 1, "K2")[0]] {
        g.unit_mut(u).raiding = true;
    }
    let blue_jacket = lead(&mut g, "Blue Jacket", "K2");
    g.chief_mut(blue_jacket).raiding = true;
    g.raids[k2.index()] = raid::Track { mps: 15, forts: 1, fortified: 1, ohio: true, ..Default::default() };
    g
}

/// dark-and-bloody-ground 12.0, 12.0.2, 12.0.3, 12.0.4, 4.6
#[test]
fn the_example_of_a_raid() {
    let g = example();
    let k2 = at(&g, "K2");
    let drm = raid::modifiers(&g, k2);
    assert_eq!(drm.to_string(), "DRM -1: militia -2, 15 MPs -1, forts -1, the Ohio -1, Blue Jacket +3, wilderness +1");
    let mut trial = Trial::new(g, |t, mut g| async move {
        raid::phase(&t, &mut g).await;
        super::super::homes::asked(&t, &mut g).await;
        g
    })
    .dice("raid", [5])
    .dice("settler", [6])
    .start();
    // NA loses the Wyandot.
    assert_eq!(trial.asked(), [(crate::table::Seat(1), "loss")]);
    trial.check_options(2);
    trial.say("wyandot");
    trial.check_options(2);
    trial.all_first();
    let end = trial.over();
    let story =
        |kind: &str| end.of_kind(end.c.kind(kind).expect("a kind")).filter(|&u| end.unit(u).spot == Spot::Gone).count();
    assert_eq!((story("Wyandot"), story("Shawnee"), count(&end, "kentucky-militia", "K2")), (1, 0, 1));
    assert_eq!((end.people(k2), end.land(k2).raid), (2, true));
    // NA: a militia 2, the raid 1, the settler 1 and the VP that the US lacks; US: a warrior 2, less the settler.
    assert_eq!(end.vps, [1, 4]);
    let home = end.chief(leader(&end, "Blue Jacket")).spot.area().expect("he is home");
    assert!(end.c[home].nation == Some(nation(&end, "Shawnee")) || end.open_fort(home, Side::Na));
}

/// The way to one target is that which the search for all targets finds.
///
/// dark-and-bloody-ground 12.0.1
#[test]
fn a_single_journey_is_that_of_the_list() {
    let (mut found, mut far, mut across) = (0, 0, 0);
    for seed in 0..4 {
        let g = disorder(seed);
        // Some places: a search takes its time.
        for from in g.c.area_ids().map(Spot::On).step_by(9).chain([Spot::Edge]) {
            let all = raid::journeys(&g, false, from);
            for to in g.c.area_ids() {
                let one = raid::journey(&g, from, to);
                assert_eq!(one, all[to.index()], "{seed} {from:?} {to:?}");
                found += usize::from(one.is_some());
                far += usize::from(one.is_some_and(|way| way.mps > 12));
                across += usize::from(one.is_some_and(|way| way.ohio));
            }
        }
    }
    assert!(found > 600 && far > 20 && across > 50, "{found} ways, {far} far, {across} over the Ohio");
}

/// dark-and-bloody-ground 12.0.1
#[test]
fn raiders_count_their_way() {
    let mut g = war();
    g.season = Season::Summer;
    at_war(&mut g, "Shawnee", 3);
    let units = put(&mut g, "Shawnee", 2, "S5");
    let tecumseh = lead(&mut g, "Tecumseh", "S5");
    let k2 = at(&g, "K2");
    g.land_mut(k2).settlers = 1;
    let force = Force { units: units.clone(), leaders: Vec::new() };
    let s5 = Spot::On(at(&g, "S5"));
    let journey = raid::may_raid(&g, s5, &force, k2).expect("a way");
    // The way is the best for the raid: it crosses the Ohio, or goes round by Pittsburgh.
    assert!(journey.forts == 0 && raid::far(journey.mps) + i32::from(journey.ohio) <= 1);
    let with = Force { leaders: vec![tecumseh], ..force.clone() };
    assert_eq!(raid::may_raid(&g, s5, &with, k2).expect_err("he does not raid").rule, "14.0.3");
    assert!(raid::may_raid(&g, s5, &force, at(&g, "M1")).is_err(), "no US area");
    g.unit_mut(units[0]).acts = 1;
    assert_eq!(raid::may_raid(&g, s5, &force, k2).expect_err("it has acted").rule, "12.0.1");
}

/// dark-and-bloody-ground 12.0.4
#[test]
fn pillaged_land_is_checked_on_the_way_home() {
    let mut g = example();
    let k2 = at(&g, "K2");
    let waste: Vec<UnitId> = g.units_in(k2, Side::Na).collect();
    g.raids[k2.index()].waste = waste;
    let mut trial = Trial::new(g, |t, mut g| async move {
        raid::phase(&t, &mut g).await;
        g
    })
    .dice("raid", [4])
    .dice("way home", [4, 3])
    .start();
    trial.all_first();
    let end = trial.over();
    let gone = end.units.iter().filter(|u| end.c[u.kind].class == Class::Warrior && u.spot == Spot::Gone).count();
    assert_eq!(gone, 1, "no effect, but one falls on the way");
}

/// dark-and-bloody-ground T:raid-resolution-results
#[test]
fn a_second_loss_needs_a_failed_check() {
    let mut g = example();
    let k2 = at(&g, "K2");
    g.raids[k2.index()] = raid::Track::default();
    g.land_mut(k2).settlers = 0;
    // Six and two more are a legend: two of each may fall.
    let raid = |g: State, second: [i64; 2]| {
        let mut trial = Trial::new(g, |t, mut g| async move {
            raid::phase(&t, &mut g).await;
            g
        })
        .dice("raid", [6])
        .dice("second loss", second)
        .start();
        trial.all_first();
        let end = trial.over();
        let warriors =
            end.units.iter().filter(|u| end.c[u.kind].class == Class::Warrior && u.spot == Spot::Gone).count();
        (warriors, count(&end, "kentucky-militia", "K2"))
    };
    assert_eq!(raid(g.clone(), [3, 3]), (1, 1));
    assert_eq!(raid(g, [4, 4]), (2, 0));
}

/// dark-and-bloody-ground 12.0.2, T:raid-resolution-chart
#[test]
fn a_fortified_area_counts_once_for_all_raiders_of_a_raid() {
    let mut g = war();
    g.season = Season::Summer;
    at_war(&mut g, "Shawnee", 3);
    let units = put(&mut g, "Shawnee", 2, "S5");
    let k2 = at(&g, "K2");
    g.land_mut(k2).settlers = 1;
    us_fort(&mut g, "K2");
    let s5 = Spot::On(at(&g, "S5"));
    for &u in &units {
        let force = Force { units: vec![u], leaders: Vec::new() };
        let path = raid::may_raid(&g, s5, &force, k2).expect("a way");
        raid::go(&mut g, &force, &path);
    }
    let forts = |g: &State| raid::modifiers(g, k2).to_string().contains("forts -1");
    assert!(forts(&g), "{}", raid::modifiers(&g, k2));
    // The versions before counted it for each force that set out.
    g.variant.version = 2;
    assert!(raid::modifiers(&g, k2).to_string().contains("forts -2"));
}
