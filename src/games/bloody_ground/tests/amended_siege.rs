//! What version 6 of the rules does otherwise about who is in play, sieges, winter and raids: each rule by version 5 and by version 6.

use super::super::{british, commitment, components::*, end, events, homes, leaders, skirmish, state::*, testing::*};

/// The same position by another version of the rules.
fn by(version: u32, g: &State) -> State {
    let mut g = g.clone();
    g.variant.version = version;
    g
}

/// dark-and-bloody-ground 8.2, 8.5.3, T:us-commitment-level-chart, T:random-events-table
#[test]
fn the_iroquois_are_at_war_as_long_as_they_are_in_play() {
    let mut g = war();
    at_war(&mut g, "Miami", 3);
    let iroquois = at_war(&mut g, "Iroquois", 2);
    // The last of them is dead.
    let at_war = |g: &State| [5, 6].map(|version| by(version, g).at_war());
    assert_eq!(at_war(&g), [2, 1]);
    let number = |g: &State| [5, 6].map(|version| british::number(&by(version, g)));
    assert_eq!(number(&g).map(|n| n - number(&g)[1]), [1, 0]);
    // Who waits beside the map is in play, for all that counts them.
    let u = put(&mut g, "Iroquois", 1, "I1")[0];
    g.unit_mut(u).spot = Spot::Edge;
    assert_eq!(at_war(&g), [2, 2]);
    let total = |g: &State| [5, 6].map(|version| commitment::modifiers(&by(version, g)).total());
    let [before, now] = total(&g);
    assert_eq!(now, before + g.c.drm(Drm::CommitmentIroquois));
    g.unit_mut(u).spot = Spot::On(at(&g, "I1"));
    assert_eq!(total(&g), [now; 2]);
    // The event brings nobody where no counter is left.
    let mut g = war();
    for u in g.of_kind(g.c.warriors(iroquois)).collect::<Vec<_>>() {
        g.unit_mut(u).spot = Spot::Gone;
    }
    let after = |version: u32| {
        let mut trial = Trial::new(by(version, &g), |t, mut g| async move {
            events::phase(&t, &mut g).await;
            g
        })
        .any_dice([4, 4, 3])
        .start();
        trial.all_first();
        trial.over().tribe(iroquois).stance
    };
    assert_eq!([after(5), after(6)], [Stance::Warpath, Stance::Peaceful]);
}

/// Leaders of militia look for units, and every question is answered by its first option.
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
        let spot = |version: u32| {
            let mut g = by(version, &g);
            end::militia_home(&mut g);
            let waiting = settled(g.clone()).chief(l).spot;
            put(&mut g, "kentucky-militia", 1, "K2");
            (waiting, settled(g).chief(l).spot)
        };
        assert_eq!([spot(5).0, spot(6).0], [Spot::Pool; 2], "{name} waits");
        assert_eq!([spot(5).1, spot(6).1], [Spot::Pool, Spot::On(at(&g, "K2"))], "{name}");
    }
}

/// dark-and-bloody-ground 14.0.7, 8.5.2
#[test]
fn who_finds_no_militia_when_he_comes_waits_for_it() {
    let mut g = war();
    (g.year, g.season) = (1791, Season::Spring);
    let truby = leader(&g, "Truby");
    let after = |version: u32, g: &State| {
        let mut g = Trial::new(by(version, g), move |t, mut g| async move {
            leaders::arrive(&t, &mut g, truby, &[]).await;
            g
        })
        .start()
        .over();
        put(&mut g, "pennsylvania-militia", 1, "P1");
        settled(g)
    };
    let p1 = Spot::On(at(&g, "P1"));
    assert_eq!([5, 6].map(|version| after(version, &g).chief(truby).spot), [Spot::Pool, p1]);
    // In 1791 two may be in play: he waits as long as there are two others.
    for (name, kind, id) in [("Trotter", "kentucky-militia", "K1"), ("Darke", "virginia-militia", "V1")] {
        put(&mut g, kind, 1, id);
        lead(&mut g, name, id);
    }
    let mut now = after(6, &g);
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
    let spots = |version: u32| {
        let end = settled(by(version, &g));
        [kenton, other].map(|l| end.chief(l).spot)
    };
    let k1 = Spot::On(at(&g, "K1"));
    assert_eq!([spots(5), spots(6)], [[Spot::Gone, k1], [k1, k1]]);
    // Who has gone home waits as long as the other is there.
    end::militia_home(&mut g);
    put(&mut g, "kentucky-militia", 1, "K1");
    let end = settled(g.clone());
    assert_eq!([kenton, other].map(|l| end.chief(l).spot), [k1, Spot::Pool]);
    // A leader of his state who comes new takes the place of him who waits.
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

/// A besieged US fort at K1 with a Kentucky militia inside.
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
    let after = |version: u32| {
        let end = Trial::new(by(version, &g), move |t, mut g| async move {
            leaders::arrive(&t, &mut g, next, &[]).await;
            g
        })
        .start()
        .over();
        (end.chief(next).spot, end.chief(next).inside)
    };
    let k1 = Spot::On(at(&g, "K1"));
    assert_eq!([after(5), after(6)], [(k1, false), (k1, true)]);
    // Blue Jacket takes the place of Black Hoof, in the fort.
    let fort = g.c.area_ids().find(|&a| g.c[a].is(Special::BritishFort)).expect("a British fort");
    let (black_hoof, blue_jacket) = (leader(&g, "Black Hoof"), leader(&g, "Blue Jacket"));
    (g.chief_mut(black_hoof).spot, g.chief_mut(black_hoof).inside) = (Spot::On(fort), true);
    let after = |version: u32| {
        let end = Trial::new(by(version, &g), |t, mut g| async move {
            leaders::blue_jacket(&t, &mut g);
            g
        })
        .start()
        .over();
        (end.chief(blue_jacket).spot, end.chief(blue_jacket).inside)
    };
    assert_eq!([after(5), after(6)], [(Spot::On(fort), false), (Spot::On(fort), true)]);
}

/// A British fort that a regular besieges, with one warrior of a nation inside.
fn besieged(name: &str) -> (State, AreaId, UnitId) {
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
    let after = |version: u32| {
        let mut trial = Trial::new(by(version, &g), |t, mut g| async move {
            end::phase(&t, &mut g).await;
            g
        })
        .any_dice(if version == 6 { vec![6] } else { Vec::new() })
        .start();
        trial.all_first();
        let end = trial.over();
        (end.unit(u).spot, end.fort(fort).is_some(), end.vps[0])
    };
    assert_eq!([after(5), after(6)], [(Spot::On(fort), true, 0), (Spot::Gone, false, 6)]);
}

/// An assault by the regular: its die, that of the fort, and the answer of the garrison.
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
    let (g, fort, u) = besieged("Wyandot");
    // A regular, 6 and 1, against two factors, 1 and 4: who is at peace does not fight, but is there.
    let stands = |version: u32, g: &State| assaulted(by(version, g), fort, [6, 1], None).fort(fort).is_some();
    assert_eq!([5, 6].map(|version| stands(version, &g)), [false, true]);
    let mut g = g;
    g.unit_mut(u).inside = false;
    assert_eq!([5, 6].map(|version| stands(version, &g)), [false, false]);
}

/// dark-and-bloody-ground 11.1.3, T:skirmish-combat-results
#[test]
fn walls_that_fight_beside_a_unit_are_not_alone() {
    let (mut g, fort, u) = besieged("Shawnee");
    at_war(&mut g, "Shawnee", 3);
    let after = |version: u32, siege: u8| {
        let mut g = by(version, &g);
        g.land_mut(fort).fort.as_mut().expect("a fort").siege = siege;
        let end = assaulted(g, fort, [6, 1], Some("1 shawnee, 2 walls at regular 1"));
        (end.unit(u).spot, end.fort(fort).is_some())
    };
    // 7 against 3: the garrison must retreat. 7 against 1: all of it is eliminated, the fort too.
    assert_eq!([after(5, 3), after(6, 3)], [(Spot::Gone, false), (Spot::Gone, true)]);
    assert_eq!([after(5, 5), after(6, 5)], [(Spot::Gone, false); 2]);
}

/// The homes of winter, asked for.
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
        let stay = |version: u32| {
            let mut trial = going_home(&by(version, &g));
            trial.all_first();
            let end = trial.over();
            let home =
                |spot: Spot| spot.area().is_some_and(|a| end.c[a].nation == Some(n) || end.open_fort(a, Side::Na));
            let spots = [end.unit(u).spot, end.chief(l).spot];
            assert!(spots.into_iter().all(|spot| spot == Spot::On(fort) || home(spot)), "{spots:?}");
            spots.map(|spot| spot == Spot::On(fort))
        };
        assert_eq!([stay(5), stay(6)], [[true, stance == Stance::Peaceful], [false, false]], "{name}");
    }
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
    let open = |version: u32, g: &State, words: &str| going_home(&by(version, g)).read(words).is_ok();
    let shawnee = format!("1 shawnee at {id}, 1 iroquois at {}", g.c[land].id);
    assert!(!open(5, &g, &shawnee) && open(6, &g, &shawnee));
    let end = going_home(&by(6, &g)).say(&shawnee).over();
    assert_eq!((count(&end, "Shawnee", &id), count(&end, "Iroquois", &g.c[land].id)), (1, 1));
    // Inside they take the room.
    for u in g.units_in(fort, Side::Na).collect::<Vec<_>>() {
        g.unit_mut(u).inside = true;
    }
    assert!(!open(6, &g, &shawnee));
}

/// dark-and-bloody-ground 14.0.5
#[test]
fn mckee_goes_from_and_to_besieged_forts() {
    let (mut g, fort, _) = besieged("Wyandot");
    let mckee = leader(&g, "McKee");
    (g.chief_mut(mckee).spot, g.chief_mut(mckee).inside) = (Spot::On(fort), true);
    let may_go = |version: u32, g: &State| end::mckee_may_go(&by(version, g)).map(|(_, places)| places);
    assert!(may_go(5, &g).is_none() && may_go(6, &g).is_some_and(|places| places.len() > 5));
    lead(&mut g, "McKee", "S5");
    g.chief_mut(mckee).inside = false;
    let ohio = g.c[fort].state == Province::Ohio;
    let listed = [5, 6].map(|version| may_go(version, &g).is_some_and(|places| places.contains(&fort)));
    assert_eq!(listed, [false, ohio]);
    assert!(ohio, "else another fort");
}
