//! The return of the nations' pieces at the end of a turn (12.0.4, 13.0, 14.0.5).

use super::{
    super::{components::*, end, homes, state::*, testing::*},
    combat::besieged,
};
use postrider_table::Seat;

const NA: Seat = Seat(1);

fn going_home(g: &State) -> Running {
    Trial::new(g.clone(), |t, mut g| async move {
        let lots = homes::asked(&t, &mut g).await;
        end::militia_home(&mut g);
        homes::winter(&mut g, &lots);
        g
    })
    .start()
}

/// dark-and-bloody-ground 13.0, 4.7
#[test]
fn warriors_leave_a_besieged_fort_in_winter_with_their_leader() {
    for (name, head, stance) in [("Shawnee", "Blue Jacket", Stance::Warpath), ("Wyandot", "Tarhe", Stance::Peaceful)] {
        let (mut g, fort, u) = besieged(name);
        let n = nation(&g, name);
        g.tribe_mut(n).stance = stance;
        let l = leader(&g, head);
        (g.chief_mut(l).spot, g.chief_mut(l).inside) = (Spot::On(fort), true);
        let mut trial = going_home(&g);
        trial.all_first();
        let end = trial.over();
        let home = |spot: Spot| {
            spot.area().is_some_and(|a| a != fort && (end.c[a].nation == Some(n) || end.open_fort(a, Side::Na)))
        };
        let spots = [end.unit(u).spot, end.chief(l).spot];
        assert!(spots.into_iter().all(home), "{name}: {spots:?}");
    }
}

/// dark-and-bloody-ground 13.0, 8.1, 8.6.2
#[test]
fn warriors_of_a_surrendered_nation_go_home_in_winter() {
    let mut g = war();
    g.season = Season::Winter;
    let wyandot = at_war(&mut g, "Wyandot", 0);
    g.tribe_mut(wyandot).stance = Stance::Surrendered;
    let u = put(&mut g, "Wyandot", 1, "D4")[0];
    let mut trial = going_home(&g);
    assert_eq!(trial.asked(), [(NA, "home")]);
    assert!(trial.try_say("1 wyandot at d4").is_err(), "it is no land of theirs");
    trial.say("1 wyandot at o1");
    let end = trial.over();
    assert_eq!((end.unit(u).spot, end.unit(u).inside), (Spot::On(at(&end, "O1")), true));
    assert_eq!(end.tribe(wyandot).stance, Stance::Surrendered);
}

/// dark-and-bloody-ground 13.0, 11.2.2, 8.1.3
#[test]
fn winter_homes_are_forts_with_room_inside_and_land_of_the_iroquois() {
    let mut g = war();
    g.season = Season::Winter;
    at_war(&mut g, "Shawnee", 3);
    at_war(&mut g, "Iroquois", 2);
    put(&mut g, "Shawnee", 1, "S5");
    let fort = g.c.area_ids().find(|&a| g.c[a].is(Special::BritishFort)).expect("a British fort");
    let id = g.c[fort].id.clone();
    put(&mut g, "canadian-militia", 8, &id);
    put(&mut g, "british-regular", 2, &id);
    put(&mut g, "Iroquois", 1, "S4");
    let land = g.c.area_ids().find(|&a| g.c[a].nation == Some(nation(&g, "Iroquois"))).expect("an area");
    let open = |g: &State, words: &str| going_home(g).read(words).is_ok();
    let shawnee = format!("1 shawnee at {id}, 1 iroquois at {}", g.c[land].id);
    assert!(open(&g, &shawnee));
    let end = going_home(&g).say(&shawnee).over();
    assert_eq!((count(&end, "Shawnee", &id), count(&end, "Iroquois", &g.c[land].id)), (1, 1));
    // Units inside count against the capacity.
    for u in g.units_in(fort, Side::Na).collect::<Vec<_>>() {
        g.unit_mut(u).inside = true;
    }
    assert!(!open(&g, &shawnee));
}

/// dark-and-bloody-ground 12.0.4, 13.0, 14.0.5
#[test]
fn homes_are_asked_for_in_one_letter() {
    let mut g = war();
    g.season = Season::Winter;
    for name in ["Shawnee", "Miami"] {
        at_war(&mut g, name, 3);
    }
    put(&mut g, "Miami", 7, "M1");
    put(&mut g, "Shawnee", 3, "S5");
    let raiders = put(&mut g, "Shawnee", 2, "K2");
    let jacket = lead(&mut g, "Blue Jacket", "K2");
    raiders.iter().for_each(|&u| g.unit_mut(u).raiding = true);
    g.chief_mut(jacket).raiding = true;
    let mckee = lead(&mut g, "McKee", "W2");
    g.chief_mut(mckee).inside = true;
    let mut trial = Trial::new(g, |t, mut g| async move {
        let winter = homes::asked(&t, &mut g).await;
        assert!(g.unit_ids().all(|u| !g.unit(u).raiding));
        homes::winter(&mut g, &winter);
        g
    })
    .start();
    assert_eq!(trial.asked(), [(NA, "home"), (NA, "home")]);
    trial.check_options(5);
    assert!(trial.try_say("2 shawnee at k2, blue jacket at s5, mckee at m1").is_err(), "no home of theirs");
    trial.say("2 shawnee at s5, blue jacket at s5, mckee at m1");
    // A fort has room for ten units in all.
    let refused = trial.refused("5 shawnee at w2, blue jacket at s5, 7 miami at w2");
    assert!(refused.contains("no room"), "{refused}");
    trial.say("3 shawnee at w2, 2 shawnee at s4, blue jacket at s5, 7 miami at w2");
    let g = trial.over();
    let inside = g.unit_ids().filter(|&u| g.unit(u).inside && g.unit(u).spot == Spot::On(at(&g, "W2"))).count();
    assert_eq!((inside, count(&g, "Shawnee", "S4"), g.chief(jacket).spot), (10, 2, Spot::On(at(&g, "S5"))));
    // He has left the fort.
    assert_eq!((g.chief(mckee).spot, g.chief(mckee).inside), (Spot::On(at(&g, "M1")), false));
}

/// dark-and-bloody-ground 12.0.4, 11.2.2
#[test]
fn raiders_go_home_into_a_fort() {
    let mut g = war();
    at_war(&mut g, "Shawnee", 3);
    let w2 = at(&g, "W2");
    for (kind, n) in [("british-regular", 6), ("canadian-militia", 3)] {
        put(&mut g, kind, n, "W2").into_iter().for_each(|u| g.unit_mut(u).inside = true);
    }
    let raiders = put(&mut g, "Shawnee", 2, "K2");
    raiders.iter().for_each(|&u| g.unit_mut(u).raiding = true);
    let rule = |t, mut g| async move {
        homes::asked(&t, &mut g).await;
        g
    };
    let end = Trial::new(g, rule).start().say("2 shawnee at w2").over();
    assert!(raiders.iter().all(|&u| end.unit(u).spot == Spot::On(w2) && !end.unit(u).raiding));
    assert_eq!(raiders.iter().filter(|&&u| end.unit(u).inside).count(), 1, "a fort has room for ten");
}

/// dark-and-bloody-ground 13.0, 8.1.3
#[test]
fn warriors_return_to_their_land_even_if_the_enemy_is_everywhere_in_it() {
    let mut g = war();
    g.season = Season::Winter;
    for name in ["Shawnee", "Miami", "Iroquois"] {
        at_war(&mut g, name, 2);
    }
    for (kind, n, id) in [("Shawnee", 3, "S5"), ("Miami", 2, "K2"), ("Iroquois", 1, "S4")] {
        put(&mut g, kind, n, id);
    }
    lead(&mut g, "Little Turtle", "K2");
    // The last British fort has room for two.
    for a in g.c.area_ids().filter(|&a| g.c[a].id != "W2").collect::<Vec<_>>() {
        g.land_mut(a).fort = Some(Fort::of(Side::Us));
    }
    for (kind, n) in [("british-regular", 6), ("canadian-militia", 2)] {
        put(&mut g, kind, n, "W2").into_iter().for_each(|u| g.unit_mut(u).inside = true);
    }
    let mut trial = going_home(&g);
    trial.check_options(5);
    let rest = "little turtle at m1, 1 iroquois at i3";
    let refused = trial.refused(&format!("2 shawnee at w2, 1 shawnee at s5, 1 miami at w2, 1 miami at m5, {rest}"));
    assert!(refused.contains("no room"), "{refused}");
    let refused = trial.refused(&format!("1 shawnee at w2, 1 miami at w2, 1 miami at m5, {rest}"));
    assert!(refused.contains("All 3 of"), "nobody is lost: {refused}");
    trial.say(&format!("1 shawnee at w2, 2 shawnee at s5, 1 miami at w2, 1 miami at m5, {rest}"));
    let end = trial.over();
    let there = [("Shawnee", "W2"), ("Shawnee", "S5"), ("Miami", "W2"), ("Miami", "M5"), ("Iroquois", "I3")];
    assert_eq!(there.map(|(name, id)| count(&end, name, id)), [1, 2, 1, 1, 1]);
    // As long as one of their areas is free, they do not go where the enemy is.
    let s5 = at(&g, "S5");
    g.land_mut(s5).fort = None;
    assert!(going_home(&g).read(&format!("2 shawnee at w2, 1 shawnee at s4, 2 miami at m5, {rest}")).is_err());
}

/// dark-and-bloody-ground 8.4.3, 13.0, 11.3
#[test]
fn only_the_shut_in_militia_stays_through_the_winter() {
    for (inside, enemy, stays) in [(true, true, true), (true, false, false), (false, false, false)] {
        let mut g = war();
        at_war(&mut g, "Shawnee", 3);
        us_fort(&mut g, "K1");
        let u = put(&mut g, "kentucky-militia", 1, "K1")[0];
        g.unit_mut(u).inside = inside;
        if enemy {
            put(&mut g, "Shawnee", 1, "K1");
        }
        assert_eq!(g.is_shut_in(u), stays, "inside {inside}, enemy {enemy}");
        end::militia_home(&mut g);
        let k1 = Spot::On(at(&g, "K1"));
        assert_eq!(g.unit(u).spot, if stays { k1 } else { Spot::Pool }, "inside {inside}, enemy {enemy}");
    }
    let mut g = war();
    let (besieger, garrison) = (put(&mut g, "kentucky-militia", 1, "W2")[0], put(&mut g, "Wyandot", 1, "W2")[0]);
    g.unit_mut(garrison).inside = true;
    assert_eq!([garrison, besieger].map(|u| g.is_shut_in(u)), [true, false]);
    end::militia_home(&mut g);
    assert_eq!(g.unit(besieger).spot, Spot::Pool);
}

/// dark-and-bloody-ground 14.0.5
#[test]
fn where_mckee_goes_at_the_end_of_a_turn() {
    for (id, regular, fort, may) in [
        ("M1", false, false, true),
        ("M1", true, false, false),
        ("M1", false, true, false),
        ("U1", false, false, false),
        ("W2", true, false, true),
    ] {
        let mut g = war();
        lead(&mut g, "McKee", "S5");
        if regular {
            put(&mut g, "regular", 1, id);
        }
        if fort {
            us_fort(&mut g, id);
        }
        let said = going_home(&g).try_say(&format!("mckee at {id}")).is_ok();
        assert_eq!(said, may, "{id}, regular {regular}, fort {fort}");
    }
}

/// dark-and-bloody-ground 13.0
#[test]
fn a_nation_at_peace_stays_for_the_winter() {
    let mut g = war();
    g.season = Season::Winter;
    let (u, l) = (put(&mut g, "Miami", 1, "M2")[0], lead(&mut g, "Little Turtle", "M2"));
    let run = going_home(&g);
    assert!(run.asked().is_empty());
    let m2 = Spot::On(at(&g, "M2"));
    assert_eq!((run.over().unit(u).spot, run.over().chief(l).spot), (m2, m2));
}
