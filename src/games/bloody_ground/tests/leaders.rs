//! The arrival, waiting, fall and replacement of leaders (8.5.4, 14).

use super::{
    super::{combat, components::*, end, leaders, mobilization, movement::Mover, play, raid, state::*, testing::*},
    combat::besieged,
};
use postrider_table::Seat;

const US: Seat = Seat(0);

/// dark-and-bloody-ground 11.3.1, 14.0.5
#[test]
fn deserters_end_a_siege() {
    let mut g = war();
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "Shawnee", 2, "S5");
    lead(&mut g, "McKee", "S1");
    let s5 = at(&g, "S5");
    g.land_mut(s5).fort = Some(Fort { siege: 2, ..Fort::of(Side::Us) });
    assert!(g.besieged(s5));
    // A die of 4 against a level of 2: both warriors leave.
    let trial = Trial::new(g, |t, mut g| async move {
        raid::mckee(&t, &mut g, 4).await;
        g
    });
    let end = trial.any_dice([4, 4]).start().over();
    assert_eq!((end.besieged(s5), end.fort(s5).map(|fort| fort.siege)), (false, Some(0)));
}

/// dark-and-bloody-ground 14.0.5
#[test]
fn nothing_makes_mckee_leave_the_ohio_country() {
    let mut g = war();
    at_war(&mut g, "Shawnee", 3);
    let mckee = lead(&mut g, "McKee", "U3");
    put(&mut g, "regular", 1, "U3");
    let may = |g: &State, id: &str| leaders::may_go(g, mckee, at(g, id));
    assert_eq!([may(&g, "S4"), may(&g, "K2"), may(&g, "I4")], [true, false, false]);
    let mut trial = Trial::new(g, |t, mut g| async move {
        combat::phase(&t, &mut g).await;
        g
    })
    .start();
    assert!(trial.words().iter().all(|to| !to.to_lowercase().contains("k2")), "{:?}", trial.words());
    trial.all_first();
    let end = trial.over();
    assert!(end.chief(mckee).spot.area().is_some_and(|a| end.c[a].state == Province::Ohio));
}

/// dark-and-bloody-ground 14.0.5
#[test]
fn deserters_go_from_where_their_owner_says() {
    let mut g = war();
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "Shawnee", 2, "S5");
    put(&mut g, "Shawnee", 2, "S1");
    lead(&mut g, "McKee", "S5");
    let mut trial = Trial::new(g, |t, mut g| async move {
        raid::mckee(&t, &mut g, 4).await;
        g
    })
    .any_dice([4, 4])
    .start();
    trial.check_options(2);
    trial.say("2 shawnee at s1");
    let end = trial.over();
    assert_eq!((count(&end, "Shawnee", "S1"), count(&end, "Shawnee", "S5"), end.vps), (0, 2, [4, 0]));
}

/// Two Iroquois at a British fort and two off the map; their level stays 2.
///
/// dark-and-bloody-ground 14.0.5, T:random-events-table
#[test]
fn deserters_may_wait_off_the_map() {
    for (on_map, words) in [(2, Some("1 iroquois at w5, 1 iroquois at edge")), (0, None)] {
        let mut g = war();
        at_war(&mut g, "Iroquois", 2);
        let units = put(&mut g, "Iroquois", 2 + on_map, "W5");
        units.iter().take(2).for_each(|&u| g.unit_mut(u).spot = Spot::Edge);
        lead(&mut g, "McKee", "S1");
        // A die of 4 against a level of 2: two warriors leave.
        let trial = Trial::new(g, |t, mut g| async move {
            raid::mckee(&t, &mut g, 4).await;
            g
        });
        let mut run = trial.any_dice([4, 4]).start();
        words.into_iter().for_each(|words| _ = run.say(words));
        let end = run.over();
        let at = |spot: Spot| units.iter().filter(|&&u| end.unit(u).spot == spot).count();
        assert_eq!((at(Spot::Gone), at(Spot::Edge), end.vps), (2, on_map / 2, [4, 0]), "{on_map} on the map");
    }
}

/// dark-and-bloody-ground 14.0.6
#[test]
fn who_replaced_black_hoof_can_replace_blue_jacket() {
    let mut g = war();
    put(&mut g, "Shawnee", 2, "S5");
    let before = lead(&mut g, "Shawnee replacement", "S5");
    let blue_jacket = leader(&g, "Blue Jacket");
    let end = Trial::new(g, move |t, mut g| async move {
        leaders::blue_jacket(&t, &mut g).await;
        leaders::fall_on_map(&t, &mut g, blue_jacket).await;
        g
    })
    .start()
    .over();
    assert_eq!((end.chief(blue_jacket).spot, end.chief(before).spot), (Spot::Gone, Spot::On(at(&end, "S5"))));
}

/// Settles the militia leaders; every question gets its first option.
fn settled(g: State) -> State {
    let mut trial = Trial::new(g, |t, mut g| async move {
        leaders::settle_militia(&t, &mut g).await;
        g
    })
    .start();
    trial.all_first();
    trial.over()
}

/// dark-and-bloody-ground 14.0.7, 10.6.2, 13.0
#[test]
fn leaders_of_militia_come_back_with_the_next_of_their_state() {
    for name in ["Kentucky replacement", "Trotter"] {
        let mut g = war();
        (g.year, g.season) = (1791, Season::Winter);
        put(&mut g, "kentucky-militia", 2, "K1");
        let l = lead(&mut g, name, "K1");
        end::militia_home(&mut g);
        assert_eq!(settled(g.clone()).chief(l).spot, Spot::Pool, "{name} waits");
        put(&mut g, "kentucky-militia", 1, "K2");
        let k2 = Spot::On(at(&g, "K2"));
        assert_eq!(settled(g).chief(l).spot, k2, "{name}");
    }
}

/// dark-and-bloody-ground 14.0.7, 8.5.2
#[test]
fn who_finds_no_militia_when_he_comes_waits_for_it() {
    let mut g = war();
    (g.year, g.season) = (1791, Season::Spring);
    let truby = leader(&g, "Truby");
    let after = |g: &State| {
        let mut g = Trial::new(g.clone(), move |t, mut g| async move {
            leaders::arrive(&t, &mut g, truby, &[]).await;
            g
        })
        .start()
        .over();
        put(&mut g, "pennsylvania-militia", 1, "P1");
        settled(g)
    };
    let p1 = Spot::On(at(&g, "P1"));
    assert_eq!(after(&g).chief(truby).spot, p1);
    // In 1791 two may be in play, so he waits while two others are.
    for (name, kind, id) in [("Trotter", "kentucky-militia", "K1"), ("Darke", "virginia-militia", "V1")] {
        put(&mut g, kind, 1, id);
        lead(&mut g, name, id);
    }
    let mut now = after(&g);
    assert!(now.chief(truby).spot == Spot::Pool && now.chief(truby).waits);
    now.year = 1792;
    assert_eq!(settled(now).chief(truby).spot, p1);
}

/// dark-and-bloody-ground 14.0.7, 15.3.1
#[test]
fn nobody_makes_room_for_a_leader_who_was_there() {
    let mut g = war();
    g.year = 1793;
    put(&mut g, "kentucky-militia", 1, "K1");
    let kenton = lead(&mut g, "Kenton", "K1");
    let other = lead(&mut g, "Kentucky replacement", "K2");
    let k1 = Spot::On(at(&g, "K1"));
    let end = settled(g.clone());
    assert_eq!([kenton, other].map(|l| end.chief(l).spot), [k1, k1]);
    // The leader who went home waits while the other is in play.
    end::militia_home(&mut g);
    put(&mut g, "kentucky-militia", 1, "K1");
    let end = settled(g.clone());
    assert_eq!([kenton, other].map(|l| end.chief(l).spot), [k1, Spot::Pool]);
    // A newly arrived leader of his state replaces the waiting one.
    g = war();
    g.year = 1792;
    put(&mut g, "kentucky-militia", 1, "K1");
    let trotter = leader(&g, "Trotter");
    leaders::wait(&mut g, trotter);
    let end = Trial::new(g, move |t, mut g| async move {
        leaders::arrive(&t, &mut g, kenton, &[]).await;
        g
    })
    .start()
    .over();
    assert_eq!([trotter, kenton].map(|l| end.chief(l).spot), [Spot::Gone, k1]);
    assert!(!end.chief(trotter).waits);
}

/// Returns a besieged US fort at K1 with one Kentucky militia inside.
fn shut_in() -> State {
    let mut g = war();
    us_fort(&mut g, "K1");
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "Shawnee", 1, "K1");
    let u = put(&mut g, "kentucky-militia", 1, "K1")[0];
    g.unit_mut(u).inside = true;
    g
}

/// dark-and-bloody-ground 10.6.2, 11.2.2, 14.0.6
#[test]
fn a_leader_comes_into_the_fort_where_his_units_are() {
    let mut g = shut_in();
    let next = leader(&g, "Kentucky replacement");
    let end = Trial::new(g.clone(), move |t, mut g| async move {
        leaders::arrive(&t, &mut g, next, &[]).await;
        g
    })
    .start()
    .over();
    assert_eq!((end.chief(next).spot, end.chief(next).inside), (Spot::On(at(&g, "K1")), true));
    // Blue Jacket replaces Black Hoof inside the fort.
    let fort = g.c.area_ids().find(|&a| g.c[a].is(Special::BritishFort)).expect("a British fort");
    let (black_hoof, blue_jacket) = (leader(&g, "Black Hoof"), leader(&g, "Blue Jacket"));
    (g.chief_mut(black_hoof).spot, g.chief_mut(black_hoof).inside) = (Spot::On(fort), true);
    let end = Trial::new(g, |t, mut g| async move {
        leaders::blue_jacket(&t, &mut g).await;
        g
    })
    .start()
    .over();
    assert_eq!((end.chief(blue_jacket).spot, end.chief(blue_jacket).inside), (Spot::On(fort), true));
}

/// dark-and-bloody-ground 14.0.5
#[test]
fn mckee_goes_from_and_to_besieged_forts() {
    let (mut g, fort, _) = besieged("Wyandot");
    let mckee = leader(&g, "McKee");
    (g.chief_mut(mckee).spot, g.chief_mut(mckee).inside) = (Spot::On(fort), true);
    let may_go = |g: &State| end::mckee_may_go(g).map(|(_, places)| places);
    assert!(may_go(&g).is_some_and(|places| places.len() > 5));
    lead(&mut g, "McKee", "S5");
    g.chief_mut(mckee).inside = false;
    assert!(may_go(&g).is_some_and(|places| places.contains(&fort)));
}

/// dark-and-bloody-ground 14.0.8
#[test]
fn the_us_says_who_is_relieved() {
    let relieved = |words: &str| {
        let mut g = war();
        for name in ["Harmar", "Wayne", "Hamtramck", "Butler", "US replacement 2"] {
            lead(&mut g, name, "U1");
        }
        let before = ["Harmar", "Hamtramck", "US replacement 2"].map(|name| leader(&g, name));
        let mut trial = Trial::new(g, move |t, mut g| async move {
            leaders::limit(&t, &mut g, &before).await;
            g
        })
        .start();
        assert_eq!(trial.asked(), [(US, "removal")]);
        assert!(trial.try_say("butler").is_err(), "he has just come");
        trial.say(words);
        let g = trial.over();
        ["Harmar", "Wayne", "Hamtramck", "Butler", "US replacement 2"].map(|name| g.chief(leader(&g, name)).spot)
    };
    // Two of three generals must go: each choice is among those who are left.
    let mut g = war();
    let before = ["Hamtramck", "Butler", "US replacement 2"].map(|name| lead(&mut g, name, "U1"));
    lead(&mut g, "Second US replacement 2", "U1");
    let rule = move |t, mut g| async move {
        leaders::limit(&t, &mut g, &before).await;
        g
    };
    let mut run = Trial::new(g, rule).start();
    run.say("butler");
    assert!(run.try_say("butler").is_err(), "he is relieved");
    run.say("hamtramck");
    let spots = before.map(|l| run.now().chief(l).spot);
    let here = Spot::On(at(&war(), "U1"));
    assert_eq!(spots, [Spot::Gone, Spot::Gone, here]);
    assert_eq!(relieved("hamtramck"), [Spot::Gone, here, Spot::Gone, here, here]);
    assert_eq!(relieved("US replacement 2"), [Spot::Gone, here, here, here, Spot::Pool]);
}

/// dark-and-bloody-ground 14.0.5
#[test]
fn mckee_leads_all_and_may_die() {
    let mut g = war();
    at_war(&mut g, "Shawnee", 3);
    let u = put(&mut g, "Shawnee", 5, "S5")[0];
    let mckee = lead(&mut g, "McKee", "S5");
    assert!(g.leads(mckee, u));
    let mover = Mover::of(&g, Side::Na, &Force { units: Vec::new(), leaders: vec![mckee] });
    assert!(mover.may_enter(&g, at(&g, "K1")).is_err() && mover.may_enter(&g, at(&g, "P1")).is_err());
    let doubles = |g: State, dice: &[i64]| {
        Trial::new(g, |t, mut g| async move {
            raid::mckee(&t, &mut g, 4).await;
            g
        })
        .any_dice(dice.iter().copied())
        .start()
        .over()
    };
    assert_eq!(doubles(g.clone(), &[3]).chief(mckee).spot, Spot::On(at(&g, "S5")));
    let end = doubles(g, &[4, 5]);
    let shawnee = nation(&end, "Shawnee");
    assert_eq!((end.chief(mckee).spot, end.tribe(shawnee).ml, count(&end, "Shawnee", "S5")), (Spot::Gone, 2, 2));
}

/// dark-and-bloody-ground 14.0.6, 15.1.2
#[test]
fn blue_jacket_comes_with_the_warriors_of_the_spring() {
    let mut g = war();
    (g.season, g.year) = (Season::Spring, 1791);
    let blue_jacket = leader(&g, "Blue Jacket");
    let mut trial = Trial::new(g, |t, mut g| async move {
        play::mobilize(&t, &mut g, &[]).await;
        g
    })
    .any_dice([3; 90])
    .start();
    assert_eq!(trial.now().chief(blue_jacket).spot, Spot::Pool);
    trial.all_first();
    let end = trial.now();
    let at = end.chief(blue_jacket).spot.area().expect("he has come");
    assert!(count(&end, "Shawnee", &end.c[at].id) > 0, "{}", end.name(at));
}

/// dark-and-bloody-ground 14.0.6
#[test]
fn blue_jacket_comes_home_where_no_warrior_of_his_is_left() {
    let mut g = war();
    let kind = g.c.kind("Shawnee").expect("a kind");
    g.of_kind(kind).collect::<Vec<_>>().into_iter().for_each(|u| g.unit_mut(u).spot = Spot::Gone);
    let blue_jacket = leader(&g, "Blue Jacket");
    let comes = |g: State| {
        let trial = Trial::new(g, |t, mut g| async move {
            leaders::blue_jacket(&t, &mut g).await;
            g
        });
        trial.start()
    };
    let end = comes(g.clone()).say("s3").over();
    assert_eq!(end.chief(blue_jacket).spot, Spot::On(at(&end, "S3")));
    let shawnee = nation(&g, "Shawnee");
    g.tribe_mut(shawnee).stance = Stance::Surrendered;
    assert_eq!(comes(g).over().chief(blue_jacket).spot, Spot::Pool, "a nation that has given up");
}

/// dark-and-bloody-ground 9.3, 14.0.3, 14.0.4, 14.0.5
#[test]
fn each_leader_has_his_own() {
    let mut g = war();
    let kinds =
        ["regular", "kentucky-militia", "virginia-militia", "Shawnee", "Miami", "british-regular", "canadian-militia"];
    let units = kinds.map(|kind| put(&mut g, kind, 1, "S5")[0]);
    for (name, led) in [
        ("Harmar", [true, true, true, false, false, false, false]),
        ("Trotter", [true, true, true, false, false, false, false]),
        ("Blue Jacket", [false, false, false, true, false, false, false]),
        ("Little Turtle", [false, false, false, false, true, false, false]),
        ("McKee", [false, false, false, true, true, false, false]),
        ("Dorchester", [false, false, false, false, false, true, true]),
        ("Tecumseh", [false; 7]),
        ("Girty", [false; 7]),
    ] {
        assert_eq!(units.map(|u| g.leads(leader(&g, name), u)), led, "{name}");
    }
}

/// dark-and-bloody-ground 9.1.2
#[test]
fn the_leader_of_the_first_nation_at_war_is_primary_at_once() {
    let mut g = war();
    g.primary = [None; 2];
    let tarhe = lead(&mut g, "Tarhe", "W1");
    let wyandot = nation(&g, "Wyandot");
    let rises = |g: State| {
        let rule = move |t, mut g: State| async move {
            mobilization::to_war(&t, &mut g, wyandot).await;
            g
        };
        let mut trial = Trial::new(g, rule).start();
        trial.all_first();
        trial.over()
    };
    assert_eq!(rises(g.clone()).primary[1], Some(tarhe));
    // One that is in play stays.
    at_war(&mut g, "Miami", 3);
    let turtle = lead(&mut g, "Little Turtle", "M1");
    g.primary[1] = Some(turtle);
    assert_eq!(rises(g).primary[1], Some(turtle));
}

/// dark-and-bloody-ground 9.1.2, 10.6.2
#[test]
fn the_replacement_of_a_primary_leader_is_primary() {
    let mut g = war();
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "Shawnee", 2, "S5");
    let [blue_jacket, tarhe] = ["Blue Jacket", "Tarhe"].map(|name| lead(&mut g, name, "S5"));
    let next = leader(&g, "Shawnee replacement");
    for (primary, after) in [(blue_jacket, next), (tarhe, tarhe)] {
        g.primary[1] = Some(primary);
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            leaders::fall_on_map(&t, &mut g, blue_jacket).await;
            g
        });
        let end = trial.start().over();
        assert_eq!((end.primary[1], end.chief(next).spot), (Some(after), Spot::On(at(&g, "S5"))));
    }
}

/// dark-and-bloody-ground 9.1.2, 8.5.3
#[test]
fn the_next_leads_at_once_if_nobody_replaces_a_primary_leader() {
    let mut g = war();
    let (miami, shawnee) = (at_war(&mut g, "Miami", 3), at_war(&mut g, "Shawnee", 3));
    (g.tribe_mut(miami).rose, g.tribe_mut(shawnee).rose) = (1, 2);
    let black_hoof = lead(&mut g, "Black Hoof", "S5");
    for (name, at) in [("Little Turtle", "M1"), ("Dorchester", "D1")] {
        let mut g = g.clone();
        let primary = lead(&mut g, name, at);
        g.primary[1] = Some(primary);
        let end = Trial::new(g, move |t, mut g| async move {
            match name {
                "Dorchester" => super::super::british::dorchester_leaves(&t, &mut g),
                _ => leaders::fall_on_map(&t, &mut g, primary).await,
            }
            g
        });
        assert_eq!(end.start().over().primary[1], Some(black_hoof), "{name}");
    }
}

/// dark-and-bloody-ground 12.0.4, 10.6.2, 8.5.2
#[test]
fn a_leader_comes_as_a_raider_only_to_raiders() {
    for (raiding, joins) in [(0, false), (1, false), (2, true)] {
        let mut g = war();
        at_war(&mut g, "Shawnee", 3);
        let units = put(&mut g, "Shawnee", 2, "K2");
        units[..raiding].iter().for_each(|&u| g.unit_mut(u).raiding = true);
        let next = leader(&g, "Shawnee replacement");
        let end = Trial::new(g, move |t, mut g| async move {
            leaders::arrive(&t, &mut g, next, &[]).await;
            g
        })
        .start()
        .over();
        let chief = *end.chief(next);
        assert_eq!((chief.spot, chief.raiding, chief.done), (Spot::On(at(&end, "K2")), joins, joins), "{raiding} raid");
    }
    let g = war();
    let butler = leader(&g, "Butler");
    let end = Trial::new(g, move |t, mut g| async move {
        let places = ["U1".to_owned()];
        leaders::arrive(&t, &mut g, butler, &places).await;
        g
    })
    .start()
    .over();
    let chief = *end.chief(butler);
    assert_eq!((chief.spot, chief.raiding, chief.inside), (Spot::On(at(&end, "U1")), false, false));
}

/// dark-and-bloody-ground 8.5.2, 14.0.7
#[test]
fn a_militia_leader_comes_where_his_company_enters() {
    let cases: [(&[&str], &[&str]); 4] =
        [(&["U1"], &[]), (&["K1", "U1"], &["k1", "u1"]), (&["K4"], &["k1", "k2", "u1"]), (&[], &["k1", "k2", "u1"])];
    for (places, open) in cases {
        let mut g = war();
        for id in ["K1", "K2", "U1"] {
            put(&mut g, "kentucky-militia", 1, id);
        }
        let (kenton, places) = (leader(&g, "Kenton"), places.iter().map(|&id| id.to_owned()).collect::<Vec<_>>());
        let mut trial = Trial::new(g, move |t, mut g| async move {
            leaders::arrive(&t, &mut g, kenton, &places).await;
            g
        })
        .start();
        if !open.is_empty() {
            for to in ["k1", "k2", "u1"] {
                assert_eq!(trial.read(to).is_ok(), open.contains(&to), "{to} of {open:?}");
            }
            trial.say("u1");
        }
        let end = trial.over();
        assert_eq!(end.chief(kenton).spot, Spot::On(at(&end, "U1")), "{open:?}");
    }
}

/// Darke comes with new militia of Virginia, not with militia that has spent the winter in a fort.
///
/// dark-and-bloody-ground 14.0.7
#[test]
fn a_new_leader_of_militia_comes_with_new_militia() {
    for (new, may) in [(None, false), (Some("V2"), true)] {
        let mut g = war();
        (g.year, g.season) = (1791, Season::Spring);
        let old = put(&mut g, "virginia-militia", 1, "V1");
        new.into_iter().for_each(|id| _ = put(&mut g, "virginia-militia", 1, id));
        let rule = |t, mut g| async move {
            leaders::militia_leaders(&t, &mut g, &old).await;
            g
        };
        let mut run = Trial::new(g, rule).start();
        assert_eq!(run.asked().is_empty(), !may, "{new:?}");
        if let Some(id) = new {
            run.say("darke");
            let now = run.now();
            assert_eq!(now.chief(leader(&now, "Darke")).spot, Spot::On(at(&now, id)));
        }
    }
}

/// dark-and-bloody-ground 14.0.7
#[test]
fn who_makes_room_for_a_new_leader() {
    for (name, spot) in [("Trotter", Spot::Gone), ("Kentucky replacement", Spot::Pool)] {
        let mut g = war();
        (g.year, g.season) = (1792, Season::Spring);
        put(&mut g, "kentucky-militia", 1, "K1");
        let (old, darke) = (lead(&mut g, name, "K1"), lead(&mut g, "Darke", "V1"));
        let mut trial = Trial::new(g, |t, mut g| async move {
            leaders::militia_leaders(&t, &mut g, &[]).await;
            g
        })
        .start();
        trial.say("kenton");
        let end = trial.now();
        let [old, darke, kenton] = [old, darke, leader(&end, "Kenton")].map(|l| end.chief(l).spot);
        assert_eq!([old, darke, kenton], [spot, Spot::On(at(&end, "V1")), Spot::On(at(&end, "K1"))], "{name}");
    }
}

/// The replacement of a leader who raided leads the raiders; if none of his nation are left there, he joins others
/// and does not raid.
///
/// dark-and-bloody-ground 10.6.2, 12.0.4
#[test]
fn who_replaces_a_raiding_leader_raids_only_with_raiders() {
    for raids in [true, false] {
        let mut g = war();
        at_war(&mut g, "Shawnee", 3);
        for (kind, raids) in [("Shawnee", raids), ("Miami", true)] {
            let u = put(&mut g, kind, 1, "K2")[0];
            g.unit_mut(u).raiding = raids;
        }
        let blue_jacket = lead(&mut g, "Blue Jacket", "K2");
        g.chief_mut(blue_jacket).raiding = true;
        let next = leader(&g, "Shawnee replacement");
        let end = Trial::new(g, move |t, mut g| async move {
            leaders::fall_on_map(&t, &mut g, blue_jacket).await;
            g
        })
        .start()
        .over();
        assert_eq!((end.chief(next).spot, end.chief(next).raiding), (Spot::On(at(&end, "K2")), raids));
    }
}

/// dark-and-bloody-ground 14.0.6, 9.1.2
#[test]
fn blue_jacket_takes_the_place_of_a_primary_leader() {
    let mut g = war();
    let (black_hoof, turtle) = (lead(&mut g, "Black Hoof", "S5"), lead(&mut g, "Little Turtle", "M1"));
    let blue_jacket = leader(&g, "Blue Jacket");
    for (primary, after) in [(black_hoof, blue_jacket), (turtle, turtle)] {
        g.primary[Side::Na.index()] = Some(primary);
        let end = Trial::new(g.clone(), |t, mut g| async move {
            leaders::blue_jacket(&t, &mut g).await;
            g
        })
        .start()
        .over();
        assert_eq!(end.primary[Side::Na.index()], Some(after));
    }
}
