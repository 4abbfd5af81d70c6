//! Raids (12).

use super::{
    super::{
        atrocity,
        components::*,
        end, homes,
        movement::{self, Mover},
        raid,
        state::*,
        testing::*,
    },
    activation::{acting, raiders},
};

/// Returns the example of the rulebook: two warriors and Blue Jacket raid Northern Kentucky.
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
    came(&mut g, k2, raid::Journey { to: k2, mps: 15, forts: 1, fortified: 1, ohio: true, waste: false });
    g
}

/// Sets the journey of all raiders in an area.
pub fn came(g: &mut State, a: AreaId, way: raid::Journey) {
    let units = g.units_in(a, Side::Na).filter(|&u| g.unit(u).raiding).collect();
    let leaders = g.leaders_in(a, Side::Na).filter(|&l| g.chief(l).raiding).collect();
    g.raids[a.index()] = vec![(Force { units, leaders }, way)];
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
    // NA chooses to lose the Wyandot.
    assert_eq!(trial.asked(), [(postrider_table::Seat(1), "loss")]);
    trial.check_options(2);
    trial.say("wyandot");
    trial.check_options(2);
    trial.all_first();
    let end = trial.over();
    let story =
        |kind: &str| end.of_kind(end.c.kind(kind).expect("a kind")).filter(|&u| end.unit(u).spot == Spot::Gone).count();
    assert_eq!((story("Wyandot"), story("Shawnee"), count(&end, "kentucky-militia", "K2")), (1, 0, 1));
    assert_eq!((end.people(k2), end.land(k2).raid), (2, true));
    // NA: 2 for a militia, 1 for the raid, 1 for the settler, and 1 because the US has no VP left;
    // US: 2 for a warrior, -1 for the settler.
    assert_eq!(end.vps, [1, 4]);
    let home = end.chief(leader(&end, "Blue Jacket")).spot.area().expect("he is home");
    assert!(end.c[home].nation == Some(nation(&end, "Shawnee")) || end.open_fort(home, Side::Na));
}

/// dark-and-bloody-ground 12.0.1
#[test]
fn a_single_journey_is_that_of_the_list() {
    let (mut found, mut far, mut across) = (0, 0, 0);
    for seed in 0..4 {
        let g = disorder(seed);
        // Only some starting areas, because a search takes time.
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
    // The best journey for the raid crosses the Ohio, or goes around by Pittsburgh.
    assert!(journey.forts == 0 && raid::far(journey.mps) + i32::from(journey.ohio) <= 1);
    let with = Force { leaders: vec![tecumseh], ..force.clone() };
    assert_eq!(raid::may_raid(&g, s5, &with, k2).expect_err("he does not raid").rule, "14.0.3");
    assert!(raid::may_raid(&g, s5, &force, at(&g, "M1")).is_err(), "no US area");
    g.unit_mut(units[0]).acts = 1;
    assert_eq!(raid::may_raid(&g, s5, &force, k2).expect_err("it has acted").rule, "12.0.1");
}

/// dark-and-bloody-ground 12.0.1, 8.6.2
#[test]
fn leaders_of_a_nation_that_is_not_at_war_do_not_raid() {
    let mut g = war();
    g.season = Season::Summer;
    at_war(&mut g, "Miami", 3);
    let units = put(&mut g, "Miami", 2, "W5");
    let tarhe = lead(&mut g, "Tarhe", "W5");
    let (wyandot, w5, k2) = (nation(&g, "Wyandot"), Spot::On(at(&g, "W5")), at(&g, "K2"));
    let force = Force { units, leaders: vec![tarhe] };
    for (stance, may) in [(Stance::Surrendered, false), (Stance::Warpath, true)] {
        g.tribe_mut(wyandot).stance = stance;
        let raids = raid::may_raid(&g, w5, &force, k2);
        assert_eq!(raids.as_ref().err().map(|why| why.rule), (!may).then_some("12.0.1"), "{may}");
    }
}

/// A raid without effect by two Shawnee of level 3, both of whom came through pillaged land: a unit
/// that rolls 4 or more falls.
///
/// dark-and-bloody-ground 12.0.4
#[test]
fn pillaged_land_is_checked_on_the_way_home() {
    for (dice, fallen) in [([3, 3], 0), ([4, 3], 1), ([4, 4], 2)] {
        let mut g = example();
        let k2 = at(&g, "K2");
        let way = &mut g.raids[k2.index()][0];
        way.0.leaders.clear();
        way.1.waste = true;
        let mut trial = Trial::new(g, |t, mut g| async move {
            raid::phase(&t, &mut g).await;
            g
        })
        .dice("raid", [4])
        .dice("way home", dice)
        .start();
        trial.all_first();
        let end = trial.over();
        let gone = |u: &&Unit| end.c[u.kind].class == Class::Warrior && u.spot == Spot::Gone;
        assert_eq!(end.units.iter().filter(gone).count(), fallen, "{dice:?}");
    }
}

/// dark-and-bloody-ground T:raid-resolution-results
#[test]
fn a_second_loss_needs_a_failed_check() {
    let mut g = example();
    let k2 = at(&g, "K2");
    g.raids[k2.index()].clear();
    g.land_mut(k2).settlers = 0;
    // 6 + 2 is a Legend: up to two units of each side may fall.
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
    let drm = raid::modifiers(&g, k2).to_string();
    assert!(drm.contains("forts -1"), "{drm}");
}

/// Returns two Shawnee and Blue Jacket raiding K2; the first came from far, past a fort and over
/// the Ohio.
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

/// The US ambushes and eliminates these units.
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
    let said = |fallen: &[UnitId]| raid::modifiers(&ambushed(g.clone(), fallen), k2).to_string();
    let all = said(&[]);
    assert!(["24 MPs -2", "forts -1", "the Ohio -1"].iter().all(|part| all.contains(part)), "{all}");
    let left = said(&units[..1]);
    assert!(["MPs", "forts", "Ohio"].iter().all(|part| !left.contains(part)), "{left}");
    assert_eq!(said(&units[1..]), all, "who has come far is still there");
    let mut ruled = g.clone();
    ruled.remove(units[0], Spot::Pool);
    assert_eq!(raid::modifiers(&ruled, k2).to_string(), left, "however he went");
}

/// dark-and-bloody-ground 12.0.1, 12.0.4
#[test]
fn no_raid_without_warriors() {
    let (g, k2, units) = raiding();
    let blue_jacket = leader(&g, "Blue Jacket");
    let mut trial = Trial::new(ambushed(g, &units), |t, mut g| async move {
        raid::phase(&t, &mut g).await;
        homes::asked(&t, &mut g).await;
        g
    })
    .start();
    trial.all_first();
    let end = trial.over();
    assert_eq!((end.people(k2), end.land(k2).raid), (2, false));
    let home = end.chief(blue_jacket);
    assert!(home.spot.area().is_some_and(|a| a != k2) && !home.raiding, "{home:?}");
}

/// dark-and-bloody-ground 11.2.2, 12.0.2, T:raid-resolution-chart
#[test]
fn a_fort_that_raiders_pass_on_a_river_counts() {
    let mut g = war();
    g.season = Season::Summer;
    at_war(&mut g, "Shawnee", 3);
    for id in ["U3", "S4", "S7"] {
        us_fort(&mut g, id);
    }
    let by_river = movement::leg(&g, Mover::raider(false), Spot::On(at(&g, "S3")), at(&g, "U1")).expect("a leg");
    assert_eq!((by_river.via, by_river.cost), (vec![at(&g, "U3")], 1));
    assert_eq!(raid::journey(&g, Spot::On(at(&g, "S3")), at(&g, "U1")).expect("a way").forts, 1);
}

/// dark-and-bloody-ground 12.0.1, 12.0.2
#[test]
fn a_leader_joins_warriors_who_raid() {
    let (g, _) = raiders();
    let words = "raid blue jacket from s5 to k2";
    let mut trial = acting(g.clone(), Side::Na, 6);
    assert!(trial.refused(words).contains("12.0.1"));
    // Warriors who stand there without raiding do not take him along.
    let mut calm = g.clone();
    put(&mut calm, "Shawnee", 1, "K2");
    assert!(acting(calm, Side::Na, 6).refused(words).contains("12.0.1"));
    trial.say("raid 2 shawnee from s5 to k2");
    let before = trial.now();
    trial.say("pass").say(words);
    let (now, k2) = (trial.now(), at(&g, "K2"));
    let blue_jacket = leader(&g, "Blue Jacket");
    assert!(now.chief(blue_jacket).raiding && now.chief(blue_jacket).spot == Spot::On(k2));
    // His MPs do not count, but his rating does.
    assert_eq!(raid::modifiers(&now, k2).total(), raid::modifiers(&before, k2).total() + 3);
    assert!(raid::modifiers(&now, k2).to_string().contains("Blue Jacket +3"));
    // He also appears among the options.
    let mut trial = acting(g, Side::Na, 6);
    trial.say("raid 2 shawnee from s5 to k2").say("pass");
    assert!(trial.words().iter().any(|option| option == words));
}

/// dark-and-bloody-ground 14.0.3, T:raid-resolution-chart
#[test]
fn tecumseh_takes_no_part_in_a_raid() {
    let (mut g, _) = raiders();
    let k2 = at(&g, "K2");
    let u = put(&mut g, "Shawnee", 1, "K2")[0];
    g.unit_mut(u).raiding = true;
    let blue_jacket = lead(&mut g, "Blue Jacket", "K2");
    g.chief_mut(blue_jacket).raiding = true;
    lead(&mut g, "Tecumseh", "K2");
    let all = raid::modifiers(&g, k2);
    assert_eq!(all.parts().find(|part| part.0 == "Blue Jacket").map(|part| part.1), Some(3));
}

/// dark-and-bloody-ground 12.0.3, 12.0.4
#[test]
fn who_has_fallen_on_a_raid_does_not_return() {
    let mut g = raiders().0;
    let fallen = leader(&g, "Blue Jacket");
    (g.chief_mut(fallen).spot, g.chief_mut(fallen).raiding) = (Spot::Gone, true);
    let mut trial = Trial::new(g, |t, mut g| async move {
        homes::asked(&t, &mut g).await;
        g
    })
    .start();
    trial.all_first();
    assert_eq!(trial.over().chief(fallen).spot, Spot::Gone);
}

/// dark-and-bloody-ground 12.0.1
#[test]
fn raiders_are_at_war_and_in_supply_and_may_strike_troops() {
    let mut g = war();
    g.season = Season::Summer;
    let shawnee = at_war(&mut g, "Shawnee", 3);
    let units = put(&mut g, "Shawnee", 1, "S5");
    let blue_jacket = lead(&mut g, "Blue Jacket", "S5");
    put(&mut g, "ohio-militia", 1, "S2");
    let force = Force { units, leaders: vec![blue_jacket] };
    let s5 = Spot::On(at(&g, "S5"));
    let may = |g: &State, id: &str| raid::may_raid(g, s5, &force, at(g, id)).map(|_| ()).map_err(|why| why.rule);
    assert_eq!([may(&g, "K1"), may(&g, "S2"), may(&g, "S1")], [Ok(()), Ok(()), Err("12.0.1")]);
    g.chief_mut(blue_jacket).starved = true;
    assert_eq!(may(&g, "K1"), Err("12.0.1"));
    g.chief_mut(blue_jacket).starved = false;
    g.tribe_mut(shawnee).stance = Stance::Surrendered;
    assert_eq!(may(&g, "K1"), Err("12.0.1"));
}

/// dark-and-bloody-ground 12.0.4, 9.5.2
#[test]
fn leaders_come_home_through_pillaged_land_by_a_check() {
    let mut g = war();
    (g.commitment, g.season) = (3, Season::Summer);
    let shawnee = at_war(&mut g, "Shawnee", 3);
    let k2 = at(&g, "K2");
    let u = put(&mut g, "Shawnee", 1, "K2")[0];
    let blue_jacket = lead(&mut g, "Blue Jacket", "K2");
    (g.unit_mut(u).raiding, g.unit_mut(u).done) = (true, true);
    (g.chief_mut(blue_jacket).raiding, g.chief_mut(blue_jacket).done) = (true, true);
    let way = raid::Journey { to: k2, mps: 12, forts: 0, fortified: 0, ohio: false, waste: true };
    g.raids[k2.index()] = vec![(Force { units: Vec::new(), leaders: vec![blue_jacket] }, way)];
    put(&mut g, "kentucky-militia", 4, "K2");
    // A die of 3, Wilderness and Blue Jacket, less four militia: no effect. 4 exceeds his nation's
    // level.
    let home = |dice: [i64; 2]| {
        let mut trial = Trial::new(g.clone(), |t, mut g| async move {
            raid::phase(&t, &mut g).await;
            g
        })
        .any_dice(dice)
        .start();
        trial.all_first();
        trial.over()
    };
    let fallen = home([3, 4]);
    assert_eq!((fallen.chief(blue_jacket).spot, fallen.vps), (Spot::Gone, [3, 0]));
    assert!(home([3, 3]).chief(blue_jacket).spot.area().is_some());
    // Raiders do not return to a fort in a pillaged area.
    let w2 = at(&g, "W2");
    g.land_mut(w2).pillaged = true;
    assert!(!raid::homes(&g, Some(shawnee)).contains(&w2));
}

/// A Fiasco: one of three warriors falls, and Blue Jacket with it.
///
/// dark-and-bloody-ground 12.0.4, 10.6.2
#[test]
fn who_replaces_a_leader_fallen_on_a_raid_goes_home_with_the_raiders() {
    let mut g = war();
    (g.commitment, g.season) = (3, Season::Summer);
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "Shawnee", 1, "S3");
    for u in put(&mut g, "Shawnee", 3, "K2") {
        (g.unit_mut(u).raiding, g.unit_mut(u).done) = (true, true);
    }
    let blue_jacket = lead(&mut g, "Blue Jacket", "K2");
    g.chief_mut(blue_jacket).raiding = true;
    put(&mut g, "kentucky-militia", 6, "K2");
    let next = leader(&g, "Shawnee replacement");
    let k2 = at(&g, "K2");
    let mut trial = Trial::new(g, |t, mut g| async move {
        raid::phase(&t, &mut g).await;
        homes::asked(&t, &mut g).await;
        g
    })
    .dice("raid", [1])
    .dice("second loss", [1, 1])
    .dice("leader in a raid", [6])
    .start();
    let now = trial.now();
    assert_eq!((now.chief(next).spot, now.chief(next).raiding), (Spot::On(k2), true));
    trial.say("2 shawnee and shawnee replacement at s5");
    let end = trial.over();
    assert_eq!((end.chief(blue_jacket).spot, count(&end, "Shawnee", "S5")), (Spot::Gone, 2));
    assert_eq!((end.chief(next).spot, end.chief(next).raiding), (Spot::On(at(&end, "S5")), false));
}

/// dark-and-bloody-ground 12.0.1
#[test]
fn raiders_pass_any_number_of_forts() {
    let mut g = war();
    // In winter no route follows rivers, and so none passes forts on them.
    g.season = Season::Winter;
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "Shawnee", 1, "M1");
    let (from, to) = (at(&g, "M1"), at(&g, "P1"));
    let open = |a: &AreaId| *a != from && *a != to && g.fort(*a).is_none();
    for id in g.c.area_ids().filter(open).map(|a| g.c[a].id.clone()).collect::<Vec<_>>() {
        us_fort(&mut g, &id);
    }
    let way = raid::journey(&g, Spot::On(from), to).expect("a way");
    assert!(way.forts > 3, "{way:?}");
    let mut trial = acting(g, Side::Na, 1);
    trial.say("raid 1 shawnee from m1 to p1");
    let drm = raid::modifiers(&trial.now(), to);
    assert_eq!(drm.parts().find(|part| part.0 == "forts").map(|part| part.1), Some(-i32::from(way.forts)));
}

/// dark-and-bloody-ground 12.0.3, T:raid-resolution-chart
#[test]
fn a_us_leader_lessens_a_raid() {
    let (mut g, _) = raiders();
    let k2 = at(&g, "K2");
    let alone = raid::modifiers(&g, k2).total();
    let (trotter, wayne) = (lead(&mut g, "Trotter", "K2"), leader(&g, "Wayne"));
    assert_eq!(raid::modifiers(&g, k2).total(), alone - i32::from(g.c[trotter].command));
    lead(&mut g, "Wayne", "K2");
    assert!(g.c[wayne].command > g.c[trotter].command);
    assert_eq!(raid::modifiers(&g, k2).total(), alone - i32::from(g.c[wayne].command));
}

/// A leader whose warriors have all fallen has no raid to resolve, but he came through pillaged
/// land: 4 exceeds the level of the Shawnee.
///
/// dark-and-bloody-ground 12.0.4, 9.5.2
#[test]
fn a_leader_left_without_warriors_comes_home_by_a_check() {
    for (die, comes) in [(3, true), (4, false)] {
        let mut g = war();
        (g.season, g.commitment) = (Season::Summer, 3);
        at_war(&mut g, "Shawnee", 3);
        let (k2, units) = (at(&g, "K2"), put(&mut g, "Shawnee", 1, "S5"));
        let blue_jacket = lead(&mut g, "Blue Jacket", "S5");
        let way = raid::Journey { to: k2, mps: 12, forts: 0, fortified: 0, ohio: false, waste: true };
        raid::go(&mut g, &Force { units: units.clone(), leaders: vec![blue_jacket] }, &way);
        let trial = Trial::new(ambushed(g, &units), |t, mut g| async move {
            raid::phase(&t, &mut g).await;
            g
        })
        .dice("way home", [die])
        .start();
        assert_eq!(trial.over().chief(blue_jacket).spot.area().is_some(), comes, "{die}");
    }
}

/// The raiders' encounters on their way are forgotten after the raids: 24 MPs, a fort and the Ohio
/// against Blue Jacket and wilderness, so a 3 is no effect.
///
/// dark-and-bloody-ground 12.0.2, 4.6
#[test]
fn the_ways_of_raiders_end_with_the_raids() {
    let (g, k2, _) = raiding();
    assert_eq!(raid::modifiers(&g, k2).total(), 0);
    let trial = Trial::new(g, |t, mut g| async move {
        raid::phase(&t, &mut g).await;
        g
    })
    .dice("raid", [3])
    .dice("way home", [3])
    .start();
    assert!(trial.over().raids[k2.index()].is_empty());
}

/// dark-and-bloody-ground 12.0.3, 14.0.7
#[test]
fn a_raid_may_leave_a_leader_without_militia() {
    let (mut g, k2, _) = raiding();
    put(&mut g, "kentucky-militia", 1, "K2");
    let trotter = lead(&mut g, "Trotter", "K2");
    // Militia and Trotter are -1 each: 6 becomes 4, a success. The warrior who is lost is the one
    // who came through pillaged land, so nobody is checked on the way home.
    assert_eq!(raid::modifiers(&g, k2).total(), -2);
    let trial = Trial::new(g, |t, mut g| async move {
        raid::phase(&t, &mut g).await;
        g
    })
    .dice("raid", [6])
    .dice("settler", [6])
    .start();
    let end = trial.over();
    assert_eq!(count(&end, "kentucky-militia", "K2"), 0);
    assert_eq!((end.chief(trotter).spot, end.chief(trotter).waits), (Spot::Pool, true));
}

/// One action sends warriors of two areas on a raid, and Little Turtle, who is alone, to join those before him.
///
/// dark-and-bloody-ground 12.0.1
#[test]
fn raiders_of_several_areas_set_out_together() {
    let (mut g, units) = raiders();
    at_war(&mut g, "Miami", 3);
    let miami = put(&mut g, "Miami", 1, "M5")[0];
    let little_turtle = lead(&mut g, "Little Turtle", "M1");
    let mut run = acting(g, Side::Na, 1);
    assert!(run.try_say("raid little turtle from m1, 3 shawnee from s5 to k2").is_err(), "nobody raids there yet");
    run.say("raid 3 shawnee from s5, 1 miami from m5, little turtle from m1 to k2");
    let now = run.now();
    let k2 = Spot::On(at(&now, "K2"));
    assert!(units.iter().chain([&miami]).all(|&u| now.unit(u).spot == k2 && now.unit(u).raiding));
    assert!(now.chief(little_turtle).spot == k2 && now.chief(little_turtle).raiding);
    assert_eq!(now.raids[at(&now, "K2").index()].len(), 3);
}

/// dark-and-bloody-ground 12.0.4
#[test]
fn raiders_who_stay_move_through_no_pillaged_land() {
    let mut g = war();
    (g.season, g.commitment) = (Season::Summer, 3);
    at_war(&mut g, "Shawnee", 3);
    let (s5, units) = (at(&g, "S5"), put(&mut g, "Shawnee", 2, "S5"));
    put(&mut g, "ohio-militia", 1, "S5");
    g.land_mut(s5).pillaged = true;
    let force = Force { units, leaders: Vec::new() };
    let journey = raid::may_raid(&g, Spot::On(s5), &force, s5).expect("it is a US area");
    assert_eq!((journey.mps, journey.waste), (0, false));
}

/// From S7 the Shawnee cross to K1, and go on to K2: there is pillaged land between only in K1.
///
/// dark-and-bloody-ground 12.0.4
#[test]
fn raiders_go_through_what_lies_between() {
    for (id, waste) in [("S7", false), ("K1", true), ("K2", false)] {
        let mut g = war();
        g.season = Season::Summer;
        // All other ways are longer: every US fort on them is -1.
        let others = g.c.area_ids().filter(|&a| !["S7", "K1", "K2"].contains(&&*g.c[a].id));
        for other in others.collect::<Vec<_>>() {
            g.land_mut(other).fort = Some(Fort::of(Side::Us));
        }
        let pillaged = at(&g, id);
        g.land_mut(pillaged).pillaged = true;
        let way = raid::journey(&g, Spot::On(at(&g, "S7")), at(&g, "K2")).expect("a way");
        assert_eq!((way.forts, way.waste), (0, waste), "{id}");
    }
}

/// Under the option, raiders whom no militia meets lose nobody: a 4 is a success, a 2 is not.
///
/// dark-and-bloody-ground 12.0.3, T:raid-resolution-results
#[test]
fn raiders_lose_nobody_unopposed_under_the_option() {
    for (option, militia, lost) in [(false, 0, 1), (true, 0, 0), (true, 1, 1)] {
        for die in [2, 4] {
            let mut g = war();
            (g.commitment, g.season) = (3, Season::Summer);
            g.variant.raid_losses = option;
            at_war(&mut g, "Shawnee", 3);
            put(&mut g, "kentucky-militia", militia, "U1");
            for u in put(&mut g, "Shawnee", 2, "U1") {
                (g.unit_mut(u).raiding, g.unit_mut(u).done) = (true, true);
            }
            // A settled area and each militia take 1 off.
            let rule = |t, mut g| async move {
                raid::phase(&t, &mut g).await;
                g
            };
            let mut run = Trial::new(g, rule).dice("raid", [die + 1 + militia as i64]).start();
            run.all_first();
            let end = run.over();
            let fallen = end.units.iter().filter(|u| end.c[u.kind].class == Class::Warrior && u.spot == Spot::Gone);
            assert_eq!(fallen.count(), lost, "option {option}, {militia} militia, {die}");
        }
    }
}

/// A regular Out of Supply bars Chillicothe to raiders, even if attrition then takes it. Without
/// attrition the End Phase asks where they go.
///
/// dark-and-bloody-ground 4.0, 4.6, 12.0.4
#[test]
fn raiders_return_before_attrition() {
    for starved in [true, false] {
        let mut g = war();
        (g.commitment, g.season) = (1, Season::Summer);
        at_war(&mut g, "Shawnee", 3);
        let raider = put(&mut g, "Shawnee", 1, "K2")[0];
        g.unit_mut(raider).raiding = true;
        let regular = put(&mut g, "regular", 1, "S5")[0];
        g.unit_mut(regular).starved = starved;
        let returns = |mut run: Running, now: bool| {
            assert_eq!(run.asked().len(), usize::from(now), "starved {starved}");
            if now {
                assert!(run.try_say("1 shawnee at s5").is_err(), "starved {starved}");
                run.say("1 shawnee at s4");
            }
            run.over()
        };
        let raids = |t, mut g| async move {
            raid::phase(&t, &mut g).await;
            g
        };
        let ends = |t, mut g| async move {
            end::phase(&t, &mut g).await;
            g
        };
        let now = returns(Trial::new(g, raids).dice("raid", [2]).start(), starved);
        let end = returns(Trial::new(now, ends).any_dice(starved.then_some(6)).start(), !starved);
        assert_eq!(end.unit(regular).spot == Spot::Gone, starved);
        assert_eq!((end.unit(raider).spot, end.unit(raider).raiding), (Spot::On(at(&end, "S4")), false));
    }
}
