//! Supply (7).

use super::super::{components::*, state::*, supply, testing::*};

fn phase(g: State) -> State {
    Trial::new(g, |t, mut g| async move {
        supply::phase(&t, &mut g).await;
        g
    })
    .start()
    .over()
}

fn starved(g: &State, u: UnitId) -> bool {
    g.unit(u).starved
}

/// dark-and-bloody-ground 4.3, 7.0, 7.0.1
#[test]
fn us_lines_are_three_areas_or_two() {
    let mut g = war();
    g.season = Season::Summer;
    for n in g.c.nation_ids() {
        g.tribe_mut(n).stance = Stance::Surrendered;
    }
    // Kekionga is four areas from Cincinnati, St. Marys Portage three.
    let far = put(&mut g, "regular", 1, "M1")[0];
    let near = put(&mut g, "regular", 1, "S1")[0];
    let end = phase(g.clone());
    assert!(!starved(&end, far) && !starved(&end, near), "two areas, and down the Great Miami");
    g.season = Season::Winter;
    let end = phase(g.clone());
    assert!(starved(&end, far) && starved(&end, near), "in winter two areas, and no rivers");
    us_fort(&mut g, "M7");
    let end = phase(g.clone());
    assert!(!starved(&end, near) && !starved(&end, far), "an un-besieged fort is a source");
    // Areas of peaceful nations block every line.
    g.season = Season::Summer;
    g.land_mut(at(&g, "M7")).fort = None;
    for n in g.c.nation_ids() {
        g.tribe_mut(n).stance = Stance::Peaceful;
    }
    assert!(starved(&phase(g), near));
}

/// The only line from the Huron to a settlement leads over land to the Ohio in three areas, and
/// then down it.
///
/// dark-and-bloody-ground 7.0.1
#[test]
fn us_lines_follow_the_ohio() {
    let mut g = war();
    for n in g.c.nation_ids() {
        g.tribe_mut(n).stance = Stance::Surrendered;
    }
    for id in ["D1", "D4", "D5", "D6", "W1", "W2", "I1", "S3", "S4"] {
        let a = at(&g, id);
        g.land_mut(a).pillaged = true;
    }
    let u = put(&mut g, "regular", 1, "I5")[0];
    for (season, severe, fed) in
        [(Season::Summer, false, true), (Season::Summer, true, false), (Season::Winter, false, false)]
    {
        (g.season, g.severe) = (season, severe);
        assert_eq!(!starved(&phase(g.clone()), u), fed, "{season:?}, severe {severe}");
    }
}

/// dark-and-bloody-ground 7.0.1, 11.2.2
#[test]
fn a_fort_feeds_ten() {
    let mut g = war();
    g.season = Season::Winter;
    for n in g.c.nation_ids() {
        g.tribe_mut(n).stance = Stance::Surrendered;
    }
    us_fort(&mut g, "W3");
    let units = put(&mut g, "regular", 12, "W3");
    let end = phase(g);
    assert_eq!(units.into_iter().filter(|&u| starved(&end, u)).count(), 2);
}

/// dark-and-bloody-ground 7.0.2
#[test]
fn warriors_draw_on_home_or_forts() {
    let mut g = war();
    g.season = Season::Summer;
    at_war(&mut g, "Miami", 3);
    let far = put(&mut g, "Miami", 1, "K5")[0];
    assert!(!starved(&phase(g.clone()), far), "home by land at any length");
    for id in ["K1", "K2", "K3", "V4"] {
        g.land_mut(at(&g, id)).pillaged = true;
    }
    assert!(starved(&phase(g.clone()), far), "not through pillaged areas");
    // Iroquois have no home areas; a fort within three areas supplies five of them.
    let iroquois = at_war(&mut g, "Iroquois", 2);
    let units = put(&mut g, "Iroquois", 6, "I4");
    let end = phase(g.clone());
    assert_eq!(units.iter().filter(|&&u| starved(&end, u)).count(), 1);
    assert_eq!(g.c[iroquois].fixed, 2);
}

/// dark-and-bloody-ground 7.0.3
#[test]
fn the_british_draw_on_their_forts() {
    let mut g = war();
    g.season = Season::Summer;
    let u = put(&mut g, "british-regular", 1, "S5")[0];
    assert!(!starved(&phase(g.clone()), u));
    g.season = Season::Winter;
    assert!(starved(&phase(g.clone()), u), "two areas in winter");
    g.season = Season::Summer;
    for land in &mut g.land {
        land.fort = None;
    }
    assert!(starved(&phase(g), u), "no fort is left");
}

/// dark-and-bloody-ground 7.0.4
#[test]
fn want_of_supply_binds() {
    use super::super::{activation, movement, raid};
    let mut g = war();
    at_war(&mut g, "Shawnee", 3);
    let u = put(&mut g, "Shawnee", 1, "S5")[0];
    g.land_mut(at(&g, "K2")).settlers = 1;
    let force = Force { units: vec![u], leaders: Vec::new() };
    let k2 = at(&g, "K2");
    assert_eq!(movement::allowance(&g, &force), 5);
    assert!(raid::may_raid(&g, Spot::On(at(&g, "S5")), &force, k2).is_ok());
    g.unit_mut(u).starved = true;
    assert_eq!(movement::allowance(&g, &force), 4);
    let refused = raid::may_raid(&g, Spot::On(at(&g, "S5")), &force, k2).expect_err("Out of Supply");
    assert_eq!(refused.rule, "7.0.4");
    g.unit_mut(u).acts = 1;
    assert!(!activation::can_act(&g, u));
}

/// Returns six regulars at Kekionga and six militia on the Blanchard who all depend on one fort.
fn hungry() -> State {
    let mut g = war();
    g.season = Season::Winter;
    for n in g.c.nation_ids() {
        g.tribe_mut(n).stance = Stance::Surrendered;
    }
    us_fort(&mut g, "O2");
    put(&mut g, "regular", 6, "M1");
    put(&mut g, "kentucky-militia", 6, "W3");
    g
}

/// dark-and-bloody-ground 7.0.1, 4.3
#[test]
fn who_goes_without_is_said_for_all_areas_together() {
    let starved = |g: &State, id: &str| g.units_in(at(g, id), Side::Us).filter(|&u| g.unit(u).starved).count();
    let mut trial = Trial::new(hungry(), |t, mut g| async move {
        supply::phase(&t, &mut g).await;
        g
    })
    .start();
    assert_eq!(trial.asked(), [(postrider_table::Seat(0), "supply")]);
    trial.check_options(4);
    assert!(trial.refused("1 regular at m1").contains("2 in all"));
    trial.say("1 regular at m1, 1 kentucky-militia at w3");
    let end = trial.over();
    assert_eq!((starved(&end, "M1"), starved(&end, "W3")), (1, 1));
}

/// Fifteen units on the Blanchard draw on one fort, and five of them go without; five at Kekionga
/// can draw on another, or on either. Nobody is asked.
///
/// dark-and-bloody-ground 7.0.1
#[test]
fn forts_are_shared_for_the_best() {
    for fort in ["O2", "O4"] {
        let mut g = war();
        g.season = Season::Winter;
        for n in g.c.nation_ids() {
            g.tribe_mut(n).stance = Stance::Surrendered;
        }
        [fort, "M2"].iter().for_each(|id| us_fort(&mut g, id));
        put(&mut g, "kentucky-militia", 5, "M1");
        put(&mut g, "regular", 15, "W3");
        let end = phase(g);
        let hungry = |id: &str| end.units_in(at(&end, id), Side::Us).filter(|&u| starved(&end, u)).count();
        assert_eq!((hungry("M1"), hungry("W3")), (0, 5), "{fort}");
    }
}

/// dark-and-bloody-ground 7.0.4, 4.3
#[test]
fn want_ends_with_the_next_supply_phase() {
    let mut g = war();
    let (u, l) = (put(&mut g, "regular", 1, "U1")[0], lead(&mut g, "Harmar", "U1"));
    (g.unit_mut(u).starved, g.chief_mut(l).starved) = (true, true);
    let end = phase(g);
    assert!(!starved(&end, u) && !end.chief(l).starved);
}

/// dark-and-bloody-ground 7.0.1, 7.0.2, 7.0.3
#[test]
fn leaders_draw_on_what_their_side_draws_on() {
    let mut g = war();
    g.season = Season::Winter;
    at_war(&mut g, "Shawnee", 3);
    g.british = true;
    let hungry = |g: &State, name: &str| phase(g.clone()).chief(leader(g, name)).starved;
    for id in ["K1", "K2", "K4", "K5", "V3", "V4"] {
        let a = at(&g, id);
        g.land_mut(a).pillaged = true;
    }
    // Pillaged land lies around the Bluegrass. Peaceful nations bar the way of the US; Detroit has
    // a British fort, which Pittsburgh is far from.
    for (name, fed, far) in [
        ("Harmar", "U1", "W3"),
        ("Blue Jacket", "S5", "K3"),
        ("Dorchester", "W5", "P1"),
        ("McKee", "W5", "P1"),
        ("Girty", "W5", "K3"),
    ] {
        for (area, want) in [(fed, false), (far, true)] {
            lead(&mut g, name, area);
            assert_eq!(hungry(&g, name), want, "{name} at {area}");
        }
        g.chief_mut(leader(&war(), name)).spot = Spot::Pool;
    }
    // A leader of a nation at peace stays at home.
    lead(&mut g, "Tarhe", "P1");
    assert!(!hungry(&g, "Tarhe"));
    let harmar = lead(&mut g, "Harmar", "W3");
    us_fort(&mut g, "W3");
    put(&mut g, "regular", 1, "W3").into_iter().for_each(|u| g.unit_mut(u).inside = true);
    g.chief_mut(harmar).inside = true;
    put(&mut g, "Shawnee", 1, "W3");
    assert!(!hungry(&g, "Harmar"));
}

/// dark-and-bloody-ground 7.0.1
#[test]
fn the_east_and_the_south_supply_the_us_unless_they_are_pillaged() {
    for (id, pillaged, fed) in [
        // I4 is at the north and east edges, V4 at the south, M3 at the west, W4 at the north.
        ("I4", false, true),
        ("I4", true, false),
        ("V4", false, true),
        ("V4", true, false),
        ("M3", false, false),
        ("W4", false, false),
    ] {
        let mut g = war();
        g.season = Season::Winter;
        // Pillaged land all around ends every other line; none of the four is next to a town.
        for a in g.c.area_ids().collect::<Vec<_>>() {
            let own = g.c[a].id == id;
            g.land_mut(a).pillaged = pillaged || !own;
        }
        let u = put(&mut g, "regular", 1, id)[0];
        assert_eq!(starved(&phase(g), u), !fed, "{id}, pillaged {pillaged}");
    }
}

/// Kekionga is four areas from Cincinnati, a winter line two: a village or an un-besieged fort
/// halfway links two lines, a besieged fort does not.
///
/// dark-and-bloody-ground 15.1.4, 7.0.1
#[test]
fn villages_and_open_forts_link_lines() {
    let linked = |change: fn(&mut State)| {
        let mut g = war();
        g.season = Season::Winter;
        for n in g.c.nation_ids() {
            g.tribe_mut(n).stance = Stance::Surrendered;
        }
        change(&mut g);
        supply::linked(&g, at(&g, "M1"), at(&g, "U1"))
    };
    assert!(!linked(|_| ()));
    assert!(linked(|g| {
        let m7 = at(g, "M7");
        g.land_mut(m7).village = true;
    }));
    assert!(linked(|g| us_fort(g, "M7")));
    assert!(!linked(|g| {
        us_fort(g, "M7");
        put(g, "regular", 1, "M7").into_iter().for_each(|u| g.unit_mut(u).inside = true);
        put(g, "Miami", 1, "M7");
    }));
}
