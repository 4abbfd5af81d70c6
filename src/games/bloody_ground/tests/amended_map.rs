//! What version 4 of the rules does otherwise on the map: each rule by version 3 and by version 4.

use super::super::{
    action, army, atrocity, british, combat, components::*, leaders, legal, mobilization, movement, raid, reaction,
    settlers, setup, state::*, supply, testing::*,
};
use crate::table::Seat;

/// The same position by another version of the rules.
fn by(version: u32, g: &State) -> State {
    let mut g = g.clone();
    g.variant.version = version;
    g
}

/// A rule on a position by a version, and whatever is asked answered by its first option.
macro_rules! first {
    ($version:expr, $g:expr, $dice:expr, |$t:ident, $p:ident| $rule:expr) => {{
        let mut trial = Trial::new(by($version, &$g), move |$t, mut $p| async move {
            $rule;
            $p
        })
        .any_dice($dice)
        .start();
        trial.all_first();
        trial.over()
    }};
}

fn acting(g: State) -> Trial {
    Trial::new(g, |t, mut g| async move {
        action::phase(&t, &mut g).await;
        g
    })
    .dice("initiative, US", [5])
    .dice("initiative, NA", [1])
}

/// Six regulars at Kekionga and six militia on the Blanchard draw on the one fort between them.
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
    let g = hungry();
    let phase = |version: u32| {
        Trial::new(by(version, &g), |t, mut g| async move {
            supply::phase(&t, &mut g).await;
            g
        })
        .start()
    };
    let starved = |g: &State, id: &str| g.units_in(at(g, id), Side::Us).filter(|&u| g.unit(u).starved).count();
    let mut trial = phase(4);
    assert_eq!(trial.asked(), [(Seat(0), "supply")]);
    trial.check_options(4);
    assert!(trial.refused("1 regular at m1").contains("2 in all"));
    trial.say("1 regular at m1, 1 kentucky-militia at w3");
    let end = trial.over();
    assert_eq!((starved(&end, "M1"), starved(&end, "W3")), (1, 1));
    // Before, the areas were fed one after the other.
    let end = phase(3).over();
    assert_eq!((starved(&end, "M1"), starved(&end, "W3")), (0, 2));
}

/// dark-and-bloody-ground 15.4.5
#[test]
fn settled_ground_scores_nothing_for_settlers() {
    let award = |version: u32, id: &str| {
        let mut g = by(version, &war());
        let a = at(&g, id);
        for b in g.c.area_ids() {
            g.settled[b.index()] = g.scores(b);
        }
        g.land_mut(a).settlers = 1;
        first!(version, g, [], |t, p| settlers::award(&t, &mut p)).vps
    };
    assert_eq!([award(4, "U1"), award(4, "K3"), award(4, "K1")], [[0, 0], [0, 0], [1, 0]]);
    assert_eq!([award(3, "U1"), award(3, "K3"), award(3, "K1")], [[1, 0]; 3]);
}

/// dark-and-bloody-ground 15.4.5, 6.0.1
#[test]
fn what_the_set_up_settles_scores_nothing() {
    let mut g = setup::position(Components::builtin().clone(), "harmar-1790", Default::default());
    g.variant.version = 4;
    let mut trial = Trial::new(g, |t, mut g| async move {
        setup::campaign(&t, &mut g).await;
        settlers::award(&t, &mut g);
        g
    })
    .start();
    trial.all_first();
    assert_eq!(trial.over().vps, [0, 0]);
}

/// dark-and-bloody-ground 6.0.3, 8.4
#[test]
fn a_village_beside_a_permanent_settlement_counts() {
    let mut g = war();
    let u1 = at(&g, "U1");
    let before = army::militia_modifiers(&g).total();
    g.land_mut(u1).village = true;
    assert_eq!(army::militia_modifiers(&g).total(), before + 1);
    assert_eq!(army::militia_modifiers(&by(3, &g)).total(), before);
    assert_eq!((g.towns(|a| g.c[a].state == Province::Ohio), by(3, &g).towns(|_| true)), (3, 3));
}

/// dark-and-bloody-ground 6.0.2, 9.5.2
#[test]
fn nobody_flees_into_a_pillaged_town() {
    let mut g = war();
    g.commitment = 3;
    let (k2, u1) = (at(&g, "K2"), at(&g, "U1"));
    (g.land_mut(k2).settlers, g.land_mut(u1).pillaged) = (1, true);
    let flees = |version: u32| {
        let end = first!(version, g, [1], |t, p| settlers::strike(&t, &mut p, k2).await);
        (end.people(u1), end.land.iter().map(|land| land.fled).sum::<u8>())
    };
    assert_eq!((flees(4), flees(3)), ((0, 1), (1, 1)));
}

/// dark-and-bloody-ground T:native-american-mobilization-chart
#[test]
fn two_warriors_stand_at_one_british_fort() {
    let mut g = war();
    let wyandot = nation(&g, "Wyandot");
    let total = |g: &State| mobilization::modifiers(g, wyandot, 0).total();
    put(&mut g, "Wyandot", 1, "W2");
    put(&mut g, "Wyandot", 1, "W5");
    assert_eq!((total(&g), total(&by(3, &g))), (0, 1));
    put(&mut g, "Wyandot", 1, "W5");
    assert_eq!((total(&g), total(&by(3, &g))), (1, 1));
}

/// dark-and-bloody-ground 8.1
#[test]
fn warriors_outside_a_british_fort_gather() {
    let mut g = war();
    let wyandot = nation(&g, "Wyandot");
    let at_fort = put(&mut g, "Wyandot", 2, "W5");
    g.unit_mut(at_fort[0]).inside = true;
    lead(&mut g, "Tarhe", "W1");
    let gather = |version: u32| {
        Trial::new(by(version, &g), move |t, mut g| async move {
            mobilization::to_war(&t, &mut g, wyandot).await;
            g
        })
        .start()
    };
    let mut trial = gather(4);
    assert!(trial.refused("2 warrior at w5").contains("1"), "who is inside stays");
    trial.say("1 warrior at w5");
    assert_eq!(count(&trial.over(), "Wyandot", "W1"), 1);
    assert_eq!(count(&gather(3).over(), "Wyandot", "W5"), 2, "nobody is asked");
}

/// dark-and-bloody-ground 8.3.2
#[test]
fn new_regulars_come_to_leaders_of_the_army() {
    let mut g = war();
    (g.commitment, g.season) = (3, Season::Spring);
    put(&mut g, "kentucky-militia", 1, "K2");
    lead(&mut g, "Trotter", "K2");
    lead(&mut g, "Harmar", "K1");
    let arrive = |version: u32, at: &str| {
        let mut trial = Trial::new(by(version, &g), |t, mut g| async move {
            army::regulars_phase(&t, &mut g).await;
            g
        })
        .any_dice([1])
        .start();
        trial.try_say(&format!("2 regular at {at}")).is_ok()
    };
    assert_eq!([arrive(4, "k1"), arrive(4, "k2"), arrive(3, "k2")], [true, false, true]);
}

/// dark-and-bloody-ground 8.4.2
#[test]
fn militia_that_stays_in_its_town_is_not_removed_and_does_not_react() {
    let mut g = war();
    // Three towns less two for Commitment, one for fall and three raids: a 1 is two too few.
    (g.commitment, g.season, g.raid_total) = (1, Season::Fall, 3);
    put(&mut g, "kentucky-militia", 1, "U1");
    let phase = |version: u32| {
        let mut trial = Trial::new(by(version, &g), |t, mut g| async move {
            army::militia_phase(&t, &mut g).await;
            g
        })
        .any_dice([1])
        .start();
        trial.say("1 kentucky-militia at u1");
        trial.all_first();
        trial.over()
    };
    let (now, before) = (phase(4), phase(3));
    assert_eq!((count(&now, "kentucky-militia", "U1"), now.vps), (1, [0, 1]), "one stays, one is paid for");
    assert_eq!((count(&before, "kentucky-militia", "U1"), before.vps), (0, [0, 0]));
    let reacts = |version: u32| {
        let mut g = by(version, &now);
        lead(&mut g, "Harmar", "U1");
        reaction::stacks(&g, Side::Us, &[at(&g, "U1")], &[]).len()
    };
    assert_eq!((reacts(4), reacts(3)), (0, 1));
}

/// dark-and-bloody-ground 8.5.2
#[test]
fn leaders_of_a_group_may_enter_by_the_edge() {
    let mut g = war();
    (g.commitment, g.season, g.year) = (1, Season::Spring, 1791);
    let come = |version: u32| {
        let mut trial = Trial::new(by(version, &g), |t, mut g| async move {
            army::group_phase(&t, &mut g).await;
            g
        })
        .any_dice([1, 0])
        .start();
        trial.say("yes");
        while trial.asked() != [(Seat(0), "militia-leader")] {
            let first = trial.options().remove(0);
            trial.order(first.order).expect("an option");
        }
        trial
    };
    let mut trial = come(4);
    trial.say("edge");
    trial.all_first();
    let mut end = trial.over();
    let st_clair = leader(&end, "St. Clair");
    assert_eq!(end.chief(st_clair).spot, Spot::Edge);
    // He enters as units do.
    end.c.leader_ids().filter(|&l| l != st_clair).for_each(|l| end.chief_mut(l).spot = Spot::Gone);
    let mut enters = acting(end).any_dice([1; 9]).start();
    enters.say("move st. clair from edge to p2");
    assert_eq!(enters.now().chief(st_clair).spot, Spot::On(at(&g, "P2")));
    assert!(come(3).try_say("edge").is_err());
}

/// dark-and-bloody-ground 9.2.3, 14.0.3
#[test]
fn tecumseh_beside_a_leader_guards_him() {
    let mut g = war();
    let blue_jacket = lead(&mut g, "Blue Jacket", "S5");
    assert_eq!(atrocity::guard(&g, blue_jacket), 3);
    lead(&mut g, "Tecumseh", "S5");
    assert_eq!((atrocity::guard(&g, blue_jacket), atrocity::guard(&by(3, &g), blue_jacket)), (4, 3));
    g.atrocities = [1, 1];
    let tarhe = lead(&mut g, "Tarhe", "W1");
    lead(&mut g, "Tecumseh", "W1");
    // Five is more than Tarhe's 2 and two, and not more than 3 and two.
    let end = |version| first!(version, g, [5], |t, p| atrocity::assassinate(&t, &mut p, Side::Us, tarhe).await);
    assert_eq!((end(4).chief(tarhe).spot, end(3).chief(tarhe).spot), (Spot::On(at(&g, "W1")), Spot::Gone));
}

/// dark-and-bloody-ground 9.4.5, 14.0.3
#[test]
fn a_force_with_tecumseh_reacts_and_the_primary_must_be_used() {
    let mut g = war();
    at_war(&mut g, "Shawnee", 1);
    let units = put(&mut g, "Shawnee", 2, "S5");
    lead(&mut g, "Tecumseh", "S5");
    let s4 = at(&g, "S4");
    put(&mut g, "regular", 1, "S4");
    let stacks = |g: &State| reaction::stacks(g, Side::Na, &[s4], &[]).len();
    assert_eq!((stacks(&g), stacks(&by(3, &g))), (1, 0));
    let mut trial = Trial::new(g.clone(), move |t, mut g| async move {
        reaction::offer(&t, &mut g, Side::Na, &[s4]).await;
        g
    })
    .start();
    trial.say("move 2 shawnee, tecumseh from s5 to s4");
    assert_eq!(count(&trial.over(), "Shawnee", "S4"), 2, "no die is needed");
    // McKee is primary and stands there; Blue Jacket goes without him.
    let mckee = lead(&mut g, "McKee", "S5");
    let blue_jacket = lead(&mut g, "Blue Jacket", "S5");
    g.chief_mut(leader(&g, "Tecumseh")).spot = Spot::Pool;
    g.primary[1] = Some(mckee);
    let force = Force { units: units.clone(), leaders: vec![blue_jacket] };
    let passing = |g: &State| reaction::check(g, Side::Na, units[0], &force).passing(6);
    assert_eq!((passing(&g), passing(&by(3, &g))), (3, 4));
}

/// dark-and-bloody-ground 11.1
#[test]
fn a_leader_alone_leaves_before_an_enemy() {
    let mut g = war();
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "Shawnee", 1, "S5");
    let harmar = lead(&mut g, "Harmar", "S5");
    let phase = |version| first!(version, g, [], |t, p| combat::phase(&t, &mut p).await);
    let s5 = Spot::On(at(&g, "S5"));
    let end = phase(4);
    assert!(end.chief(harmar).spot != s5 && end.chief(harmar).spot.area().is_some());
    assert_eq!((phase(3).chief(harmar).spot, end.vps), (s5, [0, 0]));
    // Behind the walls of his own fort he stays.
    us_fort(&mut g, "S5");
    g.chief_mut(harmar).inside = true;
    let end = first!(4, g, [], |t, p| combat::phase(&t, &mut p).await);
    assert_eq!(end.chief(harmar).spot, s5);
}

/// dark-and-bloody-ground 11.3.1
#[test]
fn siege_markers_go_with_the_besieger() {
    let mut g = war();
    let w2 = at(&g, "W2");
    g.land_mut(w2).fort.as_mut().expect("a fort").siege = 2;
    put(&mut g, "regular", 1, "W1");
    let left = |version: u32| {
        let mut trial = acting(by(version, &g)).any_dice([1; 9]).start();
        trial.say("move 1 regular from w1 to d2");
        trial.now().land(w2).fort.map(|fort| fort.siege)
    };
    assert_eq!((left(4), left(3)), (Some(0), Some(2)));
}

/// dark-and-bloody-ground 11.2.2
#[test]
fn a_force_goes_into_the_fort_where_it_stands_and_out_again() {
    let mut g = war();
    us_fort(&mut g, "S2");
    let units = put(&mut g, "regular", 3, "S2");
    lead(&mut g, "Harmar", "S2");
    let mut trial = acting(g.clone()).any_dice([1; 9]).start();
    trial.say("move 3 regular, harmar from s2 to s2 into the fort");
    let inside = |g: &State| units.iter().filter(|&&u| g.unit(u).inside).count();
    let now = trial.now();
    assert_eq!((inside(&now), now.unit(units[0]).acts, now.chief(leader(&g, "Harmar")).inside), (3, 1, true));
    trial.say("pass");
    trial.say("move 1 regular from s2 to s2");
    assert_eq!(inside(&trial.now()), 2);
    // Not by versions before.
    assert!(acting(by(3, &g)).start().try_say("move 3 regular, harmar from s2 to s2 into the fort").is_err());
}

/// dark-and-bloody-ground 11.2.2, 8.5.3
#[test]
fn who_is_placed_at_a_fort_is_inside_as_long_as_there_is_room() {
    let mut g = war();
    (g.commitment, g.season, g.forts_destroyed) = (2, Season::Summer, 5);
    for name in ["Miami", "Wyandot", "Ottawa"] {
        at_war(&mut g, name, 3);
    }
    let enter = |version| first!(version, g, [1, 6], |t, p| british::phase(&t, &mut p).await);
    let inside = |g: &State| g.units.iter().filter(|u| u.inside).count();
    let end = enter(4);
    assert!(end.british && end.chief(leader(&end, "Dorchester")).inside);
    assert_eq!((inside(&end), inside(&enter(3))), (10, 0), "fourteen come, ten find room");
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
    assert_eq!(may(&by(3, &g), "S2"), Err("12.0.1"));
    g.chief_mut(blue_jacket).starved = true;
    assert_eq!([may(&g, "K1"), may(&by(3, &g), "K1")], [Err("12.0.1"), Ok(())]);
    g.chief_mut(blue_jacket).starved = false;
    g.tribe_mut(shawnee).stance = Stance::Surrendered;
    assert_eq!([may(&g, "K1"), may(&by(3, &g), "K1")], [Err("12.0.1"), Ok(())]);
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
    g.raids[k2.index()].waste_leaders = vec![blue_jacket];
    put(&mut g, "kentucky-militia", 4, "K2");
    // A die of 3, wilderness and Blue Jacket less four militia is no effect; 4 is above his nation's level.
    let home =
        |version, dice: &'static [i64]| first!(version, g, dice.iter().copied(), |t, p| raid::phase(&t, &mut p).await);
    let fallen = home(4, &[3, 4]);
    assert_eq!((fallen.chief(blue_jacket).spot, fallen.vps), (Spot::Gone, [3, 0]));
    assert!(home(4, &[3, 3]).chief(blue_jacket).spot.area().is_some());
    assert!(home(3, &[3]).chief(blue_jacket).spot.area().is_some());
    // No raider returns to a fort in a pillaged area.
    let w2 = at(&g, "W2");
    g.land_mut(w2).pillaged = true;
    let homes = |g: &State| raid::homes(g, Some(shawnee)).contains(&w2);
    assert_eq!((homes(&g), homes(&by(3, &g))), (false, true));
}

/// dark-and-bloody-ground 15.1.4
#[test]
fn marches_and_desertion_do_not_lower_a_victory() {
    let mut g = war();
    let u = put(&mut g, "regular", 2, "U1");
    let lost = |version: u32| {
        let mut g = by(version, &g);
        g.waste(u[0]);
        g.eliminate(u[1]);
        (g.lost, g.vps)
    };
    assert_eq!((lost(4), lost(3)), (([1, 0], [0, 4]), ([2, 0], [0, 4])));
}

/// dark-and-bloody-ground 14.0.7, 15.3.1, 15.3.2
#[test]
fn rifles_of_1793_go_to_any_nation_and_trotter_is_out() {
    let begun = |version: u32| {
        let mut g = setup::position(Components::builtin().clone(), "wayne-1793", Default::default());
        g.variant.version = version;
        let mut trial = Trial::new(g, |t, mut g| async move {
            setup::campaign(&t, &mut g).await;
            g
        })
        .dice("rifles", [6])
        .dice("settlers of the set-up", [1])
        .dice("warriors of the set-up", [6])
        .any_dice([0; 16])
        .start();
        while trial.asked() != [(Seat(1), "event")] {
            let first = trial.options().remove(0);
            trial.order(first.order).expect("an option");
        }
        trial
    };
    let mut trial = begun(4);
    let now = trial.now();
    let where_is = |name: &str| {
        let mut own = now.of_kind(now.c.warriors(nation(&now, name)));
        let spot = own.find_map(|u| now.unit(u).spot.area()).expect("they are on the map");
        now.c[spot].id.clone()
    };
    let wanted = [("Iroquois", 2), ("Delaware", 1), ("Shawnee", 2), ("Wyandot", 1)];
    let words = wanted.map(|(name, n)| format!("{n} {name} at {}", where_is(name))).join(", ");
    trial.say(&words);
    trial.all_first();
    let end = trial.over();
    let armed = |name: &str| {
        let n = nation(&end, name);
        end.of_kind(end.c.warriors(n)).filter(|&u| end.unit(u).rifle).count()
    };
    assert_eq!(["Iroquois", "Delaware", "Shawnee", "Miami"].map(armed), [2, 1, 2, 0]);
    assert_eq!(end.chief(leader(&end, "Trotter")).spot, Spot::Gone);
    // The Delaware warrior begins in a British fort.
    let delaware = end.of_kind(end.c.warriors(nation(&end, "Delaware"))).find(|&u| end.unit(u).spot.area().is_some());
    let delaware = end.unit(delaware.expect("one is on the map"));
    assert!(delaware.inside, "{delaware:?}");
    let mut old = begun(3);
    assert!(old.try_say("1 rifle at delaware").is_err_and(|why| why.contains("Delaware") || why.contains("delaware")));
    old.all_first();
    let old = old.over();
    assert_eq!(old.chief(leader(&old, "Trotter")).spot, Spot::Pool);
    assert!(old.units.iter().all(|unit| !unit.inside));
}

/// dark-and-bloody-ground 14.0.3
#[test]
fn tecumseh_stands_with_somebody() {
    let mut g = war();
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "Shawnee", 1, "S5");
    lead(&mut g, "Tecumseh", "S5");
    put(&mut g, "Miami", 1, "M7");
    let goes = |version: u32, to: &str| {
        let mut trial = Trial::new(by(version, &g), |t, mut g| async move {
            action::phase(&t, &mut g).await;
            g
        })
        .dice("initiative, US", [1])
        .dice("initiative, NA", [5])
        .start();
        trial.try_say(&format!("move tecumseh from s5 to {to}")).map_err(|why| why.contains("14.0.3"))
    };
    assert_eq!([goes(4, "s4"), goes(3, "s4")], [Err(true), Ok(())]);
    assert_eq!(goes(4, "s3, s2, m7"), Ok(()), "to the Miami, face down though they are");
    let tecumseh = leader(&g, "Tecumseh");
    let force = Force { units: Vec::new(), leaders: vec![tecumseh, leader(&g, "Blue Jacket")] };
    assert!(movement::keeps_tecumseh(&g, &force, &[], at(&g, "S4")).is_ok());
}

/// dark-and-bloody-ground 14.0.5
#[test]
fn nothing_makes_mckee_leave_the_ohio_country() {
    let mut g = war();
    at_war(&mut g, "Shawnee", 3);
    let mckee = lead(&mut g, "McKee", "U3");
    put(&mut g, "regular", 1, "U3");
    let may = |g: &State, id: &str| leaders::may_go(g, mckee, at(g, id));
    assert_eq!([may(&g, "S4"), may(&g, "K2"), may(&g, "I4"), may(&by(3, &g), "K2")], [true, false, false, true]);
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

/// dark-and-bloody-ground 14.0.2, 15.2.2, T:random-events-table
#[test]
fn rifles_go_to_the_warriors_who_are_named() {
    use super::super::events;
    let mut g = war();
    put(&mut g, "Shawnee", 1, "S5");
    put(&mut g, "Shawnee", 2, "S1");
    put(&mut g, "Miami", 1, "M1");
    let begun = |version: u32| {
        Trial::new(by(version, &g), |t, mut g| async move {
            events::rifles(&t, &mut g, 3, "T:random-events-table").await;
            g
        })
        .start()
    };
    let mut trial = begun(4);
    trial.check_options(3);
    assert!(trial.refused("3 shawnee at s1").contains("2"), "two of a nation");
    trial.say("1 shawnee at s1, 1 shawnee at s5, 1 miami at m1");
    let end = trial.over();
    let armed = |id: &str| end.units_in(at(&end, id), Side::Na).filter(|&u| end.unit(u).rifle).count();
    assert_eq!([armed("S1"), armed("S5"), armed("M1")], [1, 1, 1]);
    assert!(begun(3).try_say("1 shawnee at s1").is_err());
}

/// dark-and-bloody-ground 14.0.5
#[test]
fn deserters_go_from_where_their_owner_says() {
    let mut g = war();
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "Shawnee", 2, "S5");
    put(&mut g, "Shawnee", 2, "S1");
    lead(&mut g, "McKee", "S5");
    let begun = |version: u32| {
        Trial::new(by(version, &g), |t, mut g| async move {
            raid::mckee(&t, &mut g, 4).await;
            g
        })
        .any_dice([4, 4])
        .start()
    };
    let mut trial = begun(4);
    trial.check_options(2);
    trial.say("1 shawnee at s1, 1 shawnee at s5");
    let end = trial.over();
    assert_eq!((count(&end, "Shawnee", "S1"), count(&end, "Shawnee", "S5"), end.vps), (1, 1, [4, 0]));
    assert_eq!(count(&begun(3).over(), "Shawnee", "S1"), 2, "nobody was asked");
}

/// dark-and-bloody-ground 14.0.6
#[test]
fn who_replaced_black_hoof_can_replace_blue_jacket() {
    let mut g = war();
    put(&mut g, "Shawnee", 2, "S5");
    let before = lead(&mut g, "Shawnee replacement", "S5");
    let blue_jacket = leader(&g, "Blue Jacket");
    let follows = |version| {
        let end = first!(version, g, [], |t, p| {
            leaders::blue_jacket(&t, &mut p);
            leaders::fall_on_map(&t, &mut p, blue_jacket).await;
        });
        (end.chief(blue_jacket).spot, end.chief(before).spot)
    };
    assert_eq!((follows(4), follows(3)), ((Spot::Gone, Spot::On(at(&g, "S5"))), (Spot::Gone, Spot::Gone)));
}

/// dark-and-bloody-ground 9.5.2, 14.0.7, 14.0.8
#[test]
fn what_no_position_may_be_is_told() {
    let mut g = war();
    g.at_rest = true;
    assert_eq!(legal::faults(&g), Vec::<String>::new());
    type Change = fn(&mut State);
    let changes: [(&str, Change); 14] = [
        ("settlers in pillaged", |g| {
            let a = at(g, "K2");
            (g.land_mut(a).settlers, g.land_mut(a).pillaged) = (1, true);
        }),
        ("without militia of Kentucky", |g| {
            lead(g, "Trotter", "K2");
        }),
        ("2 leaders of rank 3", |g| {
            ["Harmar", "Wayne"].into_iter().for_each(|name| {
                lead(g, name, "U1");
            });
        }),
        ("2 leaders of the Shawnee", |g| {
            ["Black Hoof", "Blue Jacket"].into_iter().for_each(|name| {
                lead(g, name, "S5");
            });
        }),
        ("Siege markers at", |g| {
            let a = at(g, "W2");
            g.land_mut(a).fort.as_mut().expect("a fort").siege = 1;
        }),
        ("in no fort of his", |g| {
            let l = lead(g, "Harmar", "U1");
            g.chief_mut(l).inside = true;
        }),
        ("Tecumseh raids", |g| {
            let l = lead(g, "Tecumseh", "S5");
            (g.chief_mut(l).raiding, g.chief_mut(l).done) = (true, true);
        }),
        ("without the British", |g| {
            lead(g, "Dorchester", "W5");
        }),
        ("a rifle with regular", |g| {
            let u = put(g, "regular", 1, "U1")[0];
            g.unit_mut(u).rifle = true;
        }),
        ("acts again Out of Supply", |g| {
            let u = put(g, "regular", 1, "U1")[0];
            let unit = g.unit_mut(u);
            (unit.starved, unit.acts, unit.done) = (true, 2, true);
        }),
        ("Atrocity markers of the US", |g| g.spent_atrocities = [7, 0]),
        ("the Iroquois are in play", |g| {
            put(g, "Iroquois", 1, "I3");
        }),
        ("who have surrendered", |g| {
            let n = nation(g, "Mingo");
            (g.tribe_mut(n).stance, g.tribe_mut(n).ml) = (Stance::Surrendered, 2);
        }),
        ("a British fort at", |g| {
            let (a, w2) = (at(g, "S5"), at(g, "W2"));
            let fort = g.land_mut(w2).fort.take();
            g.land_mut(a).fort = fort;
        }),
    ];
    for (told, change) in changes {
        let mut g = g.clone();
        change(&mut g);
        let faults = legal::faults(&g);
        assert!(faults.len() == 1 && faults[0].contains(told), "{told}: {faults:?}");
        // Rulings in older games may have left as much.
        assert_eq!(legal::faults(&by(3, &g)), Vec::<String>::new(), "{told}");
    }
}
