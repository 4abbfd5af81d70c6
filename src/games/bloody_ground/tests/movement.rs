//! Movement on the map (9.4, 14).

use super::{
    super::{
        action,
        components::*,
        movement::{self, Mover},
        state::*,
        testing::*,
    },
    activation::acting,
};

/// dark-and-bloody-ground 9.4.3, 9.5.2
#[test]
fn the_way_along_a_river_is_the_owners() {
    let mut g = war();
    g.season = Season::Summer;
    for nation in ["Miami", "Shawnee", "Wyandot"] {
        at_war(&mut g, nation, 3);
    }
    let units = put(&mut g, "regular", 1, "M1");
    let force = Force { units, leaders: Vec::new() };
    let from = Spot::On(at(&g, "M1"));
    let mps =
        |g: &State, to: &str| movement::leg(g, Mover::of(g, Side::Us, &force), from, at(g, to)).expect("a leg").cost;
    let o2 = at(&g, "O2");
    g.land_mut(o2).pillaged = true;
    assert_eq!(mps(&g, "O1"), 1, "by O3, which is not pillaged");
    // If every route passes a pillaged area, the leg costs two.
    let mut waste = g.clone();
    let by = |g: &State| movement::leg(g, Mover::of(g, Side::Us, &force), from, at(g, "O1")).expect("a leg");
    while by(&waste).cost == 1 {
        let passed = by(&waste).via[0];
        waste.land_mut(passed).pillaged = true;
    }
    assert_eq!(mps(&waste, "O1"), 2);
    g.land_mut(o2).pillaged = false;
    let walked = |g: &State, way: &[&str]| {
        let way: Vec<_> = way.iter().map(|id| at(g, id)).collect();
        let legs = movement::walk(g, Mover::of(g, Side::Us, &force), from, &way, 8).expect("a way");
        legs.iter().map(|leg| leg.cost).collect::<Vec<_>>()
    };
    assert_eq!(walked(&g, &["O3", "O1"]), [1, 0]);
    // A pillaged area makes the whole leg cost two.
    let o3 = at(&g, "O3");
    g.land_mut(o3).pillaged = true;
    assert_eq!(walked(&g, &["O3", "O1"]), [2, 0]);
}

/// dark-and-bloody-ground 9.4.3, 9.5.2
#[test]
fn warriors_name_no_pillaged_area_along_a_river() {
    for (pillaged, way, ok) in [
        (None, ["O2", "O1"], true),
        (Some("O1"), ["O2", "O1"], false),
        (Some("O2"), ["O2", "O1"], false),
        (Some("O2"), ["O3", "O1"], true),
    ] {
        let mut g = war();
        g.season = Season::Summer;
        if let Some(id) = pillaged {
            let a = at(&g, id);
            g.land_mut(a).pillaged = true;
        }
        let way = way.map(|id| at(&g, id));
        // Enough MPs for one leg by water; by land a pillaged area costs two.
        let walk = movement::walk(&g, Mover::of(&g, Side::Na, &Force::default()), Spot::On(at(&g, "M1")), &way, 1);
        assert_eq!(walk.is_ok(), ok, "{pillaged:?} {way:?}");
    }
}

/// By land warriors pay 2 MPs into a pillaged area, and the river beyond it is a leg of its own.
///
/// dark-and-bloody-ground 9.4.3, 9.5.2
#[test]
fn a_step_by_land_is_no_part_of_a_river_leg() {
    let mut g = war();
    g.season = Season::Summer;
    let [o2, o1] = ["O2", "O1"].map(|id| at(&g, id));
    g.land_mut(o2).pillaged = true;
    let walk = movement::walk(&g, Mover::of(&g, Side::Na, &Force::default()), Spot::On(at(&g, "M1")), &[o2, o1], 8)
        .expect("a way");
    assert_eq!(walk.iter().map(|leg| leg.cost).collect::<Vec<_>>(), [2, 1]);
}

/// Spring: 1 MP from Cincinnati up the Great Miami, 2 for wilderness, 1 along the Wabash or the Maumee. Harmar has 8
/// MPs, with regulars 4; each way costs just that many.
///
/// dark-and-bloody-ground 9.4.3, 9.4.1
#[test]
fn a_river_leg_is_paid_once_however_its_areas_are_named() {
    let mut g = war();
    (g.season, g.severe) = (Season::Spring, false);
    at_war(&mut g, "Shawnee", 3);
    at_war(&mut g, "Miami", 3);
    put(&mut g, "regular", 2, "U1");
    let harmar = lead(&mut g, "Harmar", "U1");
    for (way, regulars) in [
        ("u3, s2, s1, m4, m3, m1 dropping 2 regular at u3", "U3"),
        ("s2, s3, s1, m1", "M1"),
        ("m7, s3, s1, m1", "M1"),
        ("u3, s2, s3, s1, m1", "M1"),
        ("s3, s1, m1", "M1"),
    ] {
        let mut run = acting(g.clone(), Side::Us, 1);
        run.say(&format!("move 2 regular, harmar from u1 to {way}"));
        let now = run.now();
        assert_eq!((now.chief(harmar).spot, count(&now, "regular", regulars)), (Spot::On(at(&g, "M1")), 2), "{way}");
    }
    for way in ["u3, s2, s1, m4, m3, m1, m2 dropping 2 regular at u3", "s2, s3, s1, m1, m2"] {
        let why = acting(g.clone(), Side::Us, 1).refused(&format!("move 2 regular, harmar from u1 to {way}"));
        assert!(why.contains("9.4.1"), "{way}: {why}");
    }
}

/// dark-and-bloody-ground 14.0.3
#[test]
fn tecumseh_stands_with_somebody() {
    let mut g = war();
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "Shawnee", 1, "S5");
    lead(&mut g, "Tecumseh", "S5");
    put(&mut g, "Miami", 1, "M7");
    let goes = |to: &str| {
        let mut trial = Trial::new(g.clone(), |t, mut g| async move {
            action::phase(&t, &mut g).await;
            g
        })
        .dice("initiative, US", [1])
        .dice("initiative, NA", [5])
        .start();
        trial.try_say(&format!("move tecumseh from s5 to {to}")).map_err(|why| why.contains("14.0.3"))
    };
    assert_eq!(goes("s4"), Err(true));
    assert_eq!(goes("s3, s2, m7"), Ok(()), "to the Miami, face down though they are");
    let tecumseh = leader(&g, "Tecumseh");
    let force = Force { units: Vec::new(), leaders: vec![tecumseh, leader(&g, "Blue Jacket")] };
    assert!(movement::keeps_tecumseh(&g, &force, &[], at(&g, "S4")).is_ok());
}

/// dark-and-bloody-ground 9.4.1, 9.4.3, 9.4.4
#[test]
fn a_single_step_is_that_of_the_list() {
    let (mut found, mut along) = (0, 0);
    for seed in 0..6 {
        let g = disorder(seed);
        for side in Side::ALL {
            let mover = movement::Mover::of(&g, side, &Force::default());
            for from in g.c.area_ids().map(Spot::On).chain([Spot::Edge]) {
                let all = movement::legs(&g, mover, from);
                for to in g.c.area_ids() {
                    let one = movement::leg(&g, mover, from, to);
                    assert_eq!(one.as_ref(), all.iter().find(|leg| leg.to == to), "{seed} {side:?} {from:?} {to:?}");
                    found += usize::from(one.is_some());
                    along += usize::from(one.is_some_and(|leg| !leg.via.is_empty()));
                }
            }
        }
    }
    assert!(found > 1200 && along > 50, "{found} steps, {along} of them along rivers");
}

/// dark-and-bloody-ground 9.4, 9.4.1, 9.4.3, 9.4.4, T:main-map-terrain-effects-chart
#[test]
fn ways_by_land_and_water() {
    let mut g = war();
    g.season = Season::Summer;
    let (us, na) = (Side::Us, Side::Na);
    let leg = |g: &State, side, from: &str, to: &str| {
        let mover = movement::Mover::of(g, side, &Force::default());
        movement::legs(g, mover, Spot::On(at(g, from))).into_iter().find(|leg| leg.to == at(g, to)).map(|leg| leg.cost)
    };
    // From Cincinnati: by land, across the Ohio, down the Ohio, up the Great Miami.
    assert_eq!(leg(&g, us, "U1", "S7"), Some(2), "rough");
    assert_eq!(leg(&g, us, "U1", "K1"), Some(2), "the Ohio and wilderness");
    assert_eq!(leg(&g, us, "U1", "U2"), Some(2), "the Ohio to a town");
    assert_eq!(leg(&g, us, "U1", "M7"), Some(1), "a river through areas");
    assert_eq!(leg(&g, na, "U1", "K1"), Some(2), "1 more to cross");
    assert_eq!(leg(&g, na, "U1", "U2"), None, "NA does not go along it");
    // An enemy on a bank ends the move.
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "Shawnee", 1, "S7");
    assert_eq!(leg(&g, us, "U1", "U2"), None);
    g.season = Season::Winter;
    assert_eq!((leg(&g, us, "U1", "K1"), leg(&g, us, "U1", "M7")), (Some(2), None));
    g.severe = true;
    assert_eq!((leg(&g, us, "U1", "K1"), leg(&g, na, "U1", "K1")), (None, Some(2)));
    g.severe = false;
    g.season = Season::Spring;
    let s4 = at(&g, "S4");
    assert_eq!((movement::entering(&g, Side::Us, s4), movement::entering(&g, Side::Na, s4)), (2, 1));
    g.land_mut(s4).pillaged = true;
    assert_eq!(movement::entering(&g, Side::Us, s4), 4);
    // One area for all MPs, and the end at an enemy.
    let reach = movement::reach(&g, movement::Mover::of(&g, us, &Force::default()), Spot::On(at(&g, "U1")), 1);
    assert_eq!(reach.get(&s4).map(|way| way.0), Some(1));
    assert!(g.enemy_in(at(&g, "S7"), Side::Us));
}

/// Two areas of 2 MPs each: all MPs on a 1 or 2, half of them on a 3 or 4, one area on a 5 or 6.
///
/// dark-and-bloody-ground 14.0, 14.0.1
#[test]
fn gout_slows_st_clair() {
    let mut g = war();
    g.season = Season::Summer;
    at_war(&mut g, "Shawnee", 3);
    let st_clair = lead(&mut g, "St. Clair", "U1");
    put(&mut g, "regular", 1, "U1");
    for (die, id) in [(1, "S5"), (2, "S5"), (3, "S7"), (4, "S7"), (5, "S7"), (6, "S7")] {
        let mut run = acting(g.clone(), Side::Us, die);
        run.say("move 1 regular, st. clair from u1 to s7, s5");
        let now = run.now();
        assert_eq!((now.chief(st_clair).spot, count(&now, "regular", id)), (Spot::On(at(&g, id)), 1), "{die}");
    }
    // The river to Piqua costs 1 MP a leg: half the MPs are enough for two legs, one area is not.
    for (die, id) in [(3, "S2"), (5, "U3")] {
        let mut run = acting(g.clone(), Side::Us, die);
        run.say("move 1 regular, st. clair from u1 to u3, s2");
        assert_eq!(count(&run.now(), "regular", id), 1, "{die}");
    }
    // However the order names the way: along the river, and along the Ohio to the mouth of the Muskingum.
    for to in ["s2", "u2"] {
        let mut run = acting(g.clone(), Side::Us, 5);
        run.say(&format!("move 1 regular, st. clair from u1 to {to}"));
        let end = run.now().chief(st_clair).spot.area().expect("an area");
        assert!(g.beside(at(&g, "U1")).any(|beside| beside == end), "{to}: {}", g.name(end));
    }
}

/// Fall, 1 MP an area: the regulars have 4 MPs, St. Clair 8. On a 3 or 4 those who are to be dropped at the third area
/// have 2; those who are dropped at the second let him go on with his own 4.
///
/// dark-and-bloody-ground 14.0.1, 9.4.1
#[test]
fn gout_slows_those_who_are_dropped_further_on() {
    let mut g = war();
    (g.season, g.severe) = (Season::Fall, false);
    at_war(&mut g, "Miami", 3);
    let st_clair = lead(&mut g, "St. Clair", "U3");
    put(&mut g, "regular", 3, "U3");
    for (dropped, die, regulars, leader) in [
        ("m3", 2, "M3", "M2"),
        ("m3", 3, "M4", "M4"),
        ("m3", 4, "M4", "M4"),
        ("m3", 5, "M7", "M7"),
        ("m4", 3, "M4", "M2"),
        ("m7", 6, "M7", "M7"),
    ] {
        let mut run = acting(g.clone(), Side::Us, die);
        run.say(&format!("move 3 regular, st. clair from u3 to m7, m4, m3, m2 dropping 3 regular at {dropped}"));
        let now = run.now();
        let ends = (count(&now, "regular", regulars), now.chief(st_clair).spot);
        assert_eq!(ends, (3, Spot::On(at(&now, leader))), "dropped at {dropped}, die {die}");
    }
}

/// dark-and-bloody-ground 15.1.3
#[test]
fn harmar_stays_in_miami_and_shawnee_land() {
    let g = bare("harmar-1790");
    let mover = movement::Mover::of(&g, Side::Us, &Force::default());
    let may = |id: &str| mover.may_enter(&g, at(&g, id)).map_err(|why| why.rule);
    assert_eq!(
        [may("M1"), may("S5"), may("U3"), may("W1"), may("K1")],
        [Ok(()), Ok(()), Ok(()), Err("15.1.3"), Err("15.1.3")]
    );
}

/// Warriors pay 1 MP more to cross the Ohio while rivers can be used, and under the option also in
/// severe weather outside winter; then all costs are doubled.
///
/// dark-and-bloody-ground 9.4.4, T:main-map-terrain-effects-chart, T:random-events-table
#[test]
fn weather_and_the_option_move_the_price_of_the_ohio() {
    for (season, severe, doubled, mps) in [
        (Season::Summer, false, false, 2),
        (Season::Summer, false, true, 2),
        (Season::Summer, true, false, 2),
        (Season::Summer, true, true, 3),
        (Season::Winter, false, false, 2),
        (Season::Winter, true, false, 2),
        (Season::Winter, true, true, 4),
    ] {
        let mut g = war();
        (g.season, g.severe, g.variant.severe_doubled) = (season, severe, doubled);
        let mover = Mover::of(&g, Side::Na, &Force::default());
        let leg = movement::leg(&g, mover, Spot::On(at(&g, "S6")), at(&g, "K1")).expect("they are opposite");
        assert_eq!(leg.cost, mps, "{season:?}, severe {severe}, doubled {doubled}");
    }
}

/// The Ohio costs 2 MPs past a pillaged area; the area where the move begins is not passed (house reading).
///
/// dark-and-bloody-ground 9.4.4, 9.5.2, T:main-map-terrain-effects-chart
#[test]
fn a_pillaged_area_makes_the_ohio_slow_for_those_who_pass_it() {
    let mut g = war();
    g.season = Season::Summer;
    let cost = |g: &State| {
        let mover = Mover::of(g, Side::Us, &Force::default());
        movement::leg(g, mover, Spot::On(at(g, "U1")), at(g, "U2")).map(|leg| leg.cost)
    };
    // To a town: 1 for the Ohio and 1 for the terrain.
    assert_eq!(cost(&g), Some(2));
    for (id, mps) in [("U1", 2), ("S7", 3)] {
        let mut g = g.clone();
        let a = at(&g, id);
        g.land_mut(a).pillaged = true;
        assert_eq!(cost(&g), Some(mps), "{id}");
    }
}
