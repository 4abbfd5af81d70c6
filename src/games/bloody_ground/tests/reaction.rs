//! Reaction (9.4.5).

use super::{
    super::{components::*, reaction, state::*, testing::*},
    activation::{acting, raiders},
};

use postrider_table::{Seat, status::Condition};

fn summer(nations: &[&str]) -> State {
    let mut g = war();
    (g.season, g.commitment) = (Season::Summer, 3);
    for nation in nations {
        at_war(&mut g, nation, 3);
    }
    g
}

/// A reaction is no activation: the crew takes the fort down unless it leaves the area.
///
/// dark-and-bloody-ground 11.2.1, 9.4.5
#[test]
fn a_crew_reacts_within_its_area_and_works_on() {
    for (to, works) in [("s4 into the fort", true), ("u1", false)] {
        let mut g = summer(&["Shawnee"]);
        us_fort(&mut g, "S4");
        put(&mut g, "kentucky-militia", 5, "S4");
        lead(&mut g, "Harmar", "S4");
        put(&mut g, "Shawnee", 1, "S5");
        let (s4, s5) = (at(&g, "S4"), at(&g, "S5"));
        let mut begun = acting(g, Side::Us, 1);
        begun.say("dismantle s4");
        let mut run = Trial::new(begun.now(), move |t, mut g| async move {
            reaction::offer(&t, &mut g, Side::Us, &[s5]).await;
            g
        })
        .any_dice([1])
        .start();
        run.say(&format!("move 5 kentucky-militia, harmar from s4 to {to}"));
        let end = run.over();
        assert_eq!(end.land(s4).fort.as_ref().is_some_and(|fort| fort.work.is_some()), works, "{to}");
    }
}

/// Only militia that has pledged to stay in its town does not react.
///
/// dark-and-bloody-ground 9.4.5, 9.4.2, 8.4.2
#[test]
fn militia_reacts_after_it_has_failed_with_others() {
    let mut g = summer(&["Shawnee"]);
    put(&mut g, "kentucky-militia", 2, "U1");
    put(&mut g, "Shawnee", 1, "S7");
    let harmar = lead(&mut g, "Harmar", "U1");
    g.chief_mut(harmar).acts = 1;
    let u1 = at(&g, "U1");
    let mut run = acting(g, Side::Us, 6);
    run.say("move 2 kentucky-militia, harmar from u1 to u3");
    let stacks = reaction::stacks(&run.now(), Side::Us, &[u1], &[]);
    assert_eq!(stacks.iter().map(|stack| stack.force.units.len()).collect::<Vec<_>>(), [2]);
    assert!(stacks[0].force.units.iter().all(|&u| run.now().unit(u).done));
}

/// dark-and-bloody-ground 9.4.5, 14.0.7
#[test]
fn others_react_without_a_militia_leader() {
    let mut g = summer(&["Shawnee"]);
    put(&mut g, "regular", 3, "U1");
    let k = put(&mut g, "kentucky-militia", 1, "U1")[0];
    let (hamtramck, trotter) = (lead(&mut g, "Hamtramck", "U1"), lead(&mut g, "Trotter", "U1"));
    put(&mut g, "Shawnee", 2, "S4");
    let s4 = at(&g, "S4");
    let offered = |g: &State, die: i64| {
        Trial::new(g.clone(), move |t, mut g| async move {
            reaction::offer(&t, &mut g, Side::Us, &[s4]).await;
            g
        })
        .any_dice([die])
        .start()
    };
    let asked = |g: &State| !offered(g, 6).asked().is_empty();
    assert!(asked(&g));
    let why = offered(&g, 6).refused("move 1 kentucky-militia, hamtramck from u1 to s4");
    assert!(why.contains("14.0.7"), "Trotter would be left without militia: {why}");
    g.unit_mut(k).condition = Condition::Disrupted;
    assert!(asked(&g));
    let stack = &reaction::stacks(&g, Side::Us, &[s4], &[])[0];
    assert!(stack.force.leaders == [hamtramck] && !stack.force.units.contains(&k));
    offered(&g, 6).check_options(20);
    g.unit_mut(k).condition = Condition::Normal;
    g.unit_mut(k).done = true;
    let stack = &reaction::stacks(&g, Side::Us, &[s4], &[])[0];
    assert!(!stack.force.units.contains(&k), "pledged militia stays");
    // After the militia has failed, the regulars are asked.
    g.unit_mut(k).done = false;
    let mut run = offered(&g, 6);
    run.say("move 1 kentucky-militia, trotter from u1 to s4");
    assert!(!run.asked().is_empty());
    // With only him the regulars react, and he stays with his militia.
    g.chief_mut(hamtramck).spot = Spot::Pool;
    g.unit_mut(k).condition = Condition::Disrupted;
    let mut run = offered(&g, 4);
    assert!(run.refused("move 3 regular, trotter from u1 to s4").contains("9.4.5"));
    run.say("move 3 regular from u1 to s4");
    let now = run.over();
    assert_eq!((count(&now, "regular", "S4"), now.chief(trotter).spot), (3, Spot::On(at(&g, "U1"))));
}

/// Level 2 and a rating of 3, whether Blue Jacket goes along or stays: a 5 passes, a 6 does not.
///
/// dark-and-bloody-ground 9.4.5
#[test]
fn units_react_while_their_leader_stays() {
    let (with, without) = ("move 4 shawnee, blue jacket from s5 to s4", "move 4 shawnee from s5 to s4");
    for (words, die, there) in [(with, 5, [4, 1]), (without, 5, [4, 0]), (with, 6, [0, 0]), (without, 6, [0, 0])] {
        let mut g = summer(&[]);
        at_war(&mut g, "Shawnee", 2);
        put(&mut g, "Shawnee", 4, "S5");
        let blue_jacket = lead(&mut g, "Blue Jacket", "S5");
        put(&mut g, "regular", 1, "S4");
        let s4 = at(&g, "S4");
        let mut run = Trial::new(g, move |t, mut g| async move {
            reaction::offer(&t, &mut g, Side::Na, &[s4]).await;
            g
        })
        .dice("reaction", [die])
        .start();
        run.check_options(4);
        assert!(run.words().contains(&words.to_owned()), "{words}: {:?}", run.words());
        run.say(words);
        let now = run.over();
        let leads = usize::from(now.chief(blue_jacket).spot == Spot::On(s4));
        assert_eq!([count(&now, "Shawnee", "S4"), leads], there, "{words}, {die}");
    }
}

/// dark-and-bloody-ground 8.6.2, 9.4.5
#[test]
fn who_has_surrendered_reacts() {
    let mut g = summer(&[]);
    let wyandot = at_war(&mut g, "Wyandot", 0);
    put(&mut g, "Wyandot", 2, "W2");
    lead(&mut g, "Tarhe", "W2");
    put(&mut g, "regular", 1, "W1");
    let w1 = at(&g, "W1");
    let stacks = |g: &State| reaction::stacks(g, Side::Na, &[w1], &[]).len();
    for (stance, n) in [(Stance::Warpath, 1), (Stance::Surrendered, 1), (Stance::Peaceful, 0)] {
        g.tribe_mut(wyandot).stance = stance;
        assert_eq!(stacks(&g), n, "{stance:?}");
    }
}

/// dark-and-bloody-ground 7.0.4, 9.4.5
#[test]
fn who_is_out_of_supply_acts_once() {
    let (mut g, units) = raiders();
    let blue_jacket = leader(&g, "Blue Jacket");
    let force = Force { units: units.clone(), leaders: vec![blue_jacket] };
    let added = |g: &State| reaction::check(g, Side::Na, units[0], &force).drm.total();
    let before = added(&g);
    g.unit_mut(units[1]).starved = true;
    assert_eq!(added(&g), before, "it can still act");
    g.unit_mut(units[1]).acts = 1;
    assert_eq!(added(&g), before + 1);
    g.unit_mut(units[1]).starved = false;
    assert_eq!(added(&g), before, "in supply it may act again");
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
    assert_eq!(stacks(&g), 1);
    let mut trial = Trial::new(g.clone(), move |t, mut g| async move {
        reaction::offer(&t, &mut g, Side::Na, &[s4]).await;
        g
    })
    .start();
    trial.say("move 2 shawnee, tecumseh from s5 to s4");
    assert_eq!(count(&trial.over(), "Shawnee", "S4"), 2, "no die is needed");
    // McKee is the primary leader and present; Blue Jacket goes without him.
    let mckee = lead(&mut g, "McKee", "S5");
    let blue_jacket = lead(&mut g, "Blue Jacket", "S5");
    g.chief_mut(leader(&g, "Tecumseh")).spot = Spot::Pool;
    g.primary[1] = Some(mckee);
    let force = Force { units: units.clone(), leaders: vec![blue_jacket] };
    let passing = |g: &State| reaction::check(g, Side::Na, units[0], &force).passing(6);
    assert_eq!(passing(&g), 3);
}

/// dark-and-bloody-ground 9.4.5, 14.0.3
#[test]
fn led_stacks_react() {
    let mut g = war();
    at_war(&mut g, "Shawnee", 2);
    put(&mut g, "Shawnee", 2, "S5");
    assert!(reaction::stacks(&g, Side::Na, &[at(&g, "S4")], &[]).is_empty(), "no leader");
    let blue_jacket = lead(&mut g, "Blue Jacket", "S5");
    let stacks = reaction::stacks(&g, Side::Na, &[at(&g, "S4")], &[]);
    assert_eq!(stacks.len(), 1);
    g.primary[1] = Some(blue_jacket);
    assert_eq!(reaction::check(&g, Side::Na, stacks[0].force.units[0], &stacks[0].force).passing(6), 5);
    let s4 = at(&g, "S4");
    put(&mut g, "regular", 1, "S4");
    let offer = |g: State| {
        Trial::new(g, move |t, mut g| async move {
            reaction::offer(&t, &mut g, Side::Na, &[s4]).await;
            g
        })
    };
    let mut trial = offer(g.clone()).any_dice([5]).start();
    trial.check_options(4);
    trial.say("move 2 shawnee, blue jacket from s5 to s4");
    assert_eq!(count(&trial.over(), "Shawnee", "S4"), 2);
    let mut trial = offer(g.clone()).any_dice([6]).start();
    trial.say("move 2 shawnee, blue jacket from s5 to s4");
    assert_eq!(count(&trial.over(), "Shawnee", "S4"), 0);
    lead(&mut g, "Tecumseh", "S5");
    let mut trial = offer(g).start();
    trial.say("move 2 shawnee, blue jacket, tecumseh from s5 to s4");
    assert_eq!(count(&trial.over(), "Shawnee", "S4"), 2, "with Tecumseh no die is needed");
}

/// dark-and-bloody-ground 9.4.5, 9.4.1
#[test]
fn stacks_beside_dropped_units_react_as_well() {
    let mut g = war();
    g.season = Season::Winter;
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "regular", 2, "U1");
    lead(&mut g, "Harmar", "U1");
    put(&mut g, "Shawnee", 2, "M5");
    lead(&mut g, "Blue Jacket", "M5");
    let beside = |g: &State, of: &str, who: &str| g.beside(at(g, of)).any(|a| a == at(g, who));
    assert!(beside(&g, "U3", "M5") && !beside(&g, "S1", "M5"), "beside the area of the way, not that of its end");
    let mut trial = acting(g, Side::Us, 1);
    trial.say("move 2 regular, harmar from u1 to u3, s3, s1 dropping 2 regular at u3");
    let asked = trial.reads();
    let asked = format!("{asked:?}");
    assert!(asked.contains("dropped units at"), "{asked}");
    trial.say("move 2 shawnee, blue jacket from m5 to u3");
    assert_eq!(count(&trial.now(), "Shawnee", "U3"), 2);
}

/// dark-and-bloody-ground 9.4.5
#[test]
fn a_reaction_names_each_leader_once() {
    let mut g = summer(&["Shawnee"]);
    put(&mut g, "Shawnee", 1, "S5");
    lead(&mut g, "Blue Jacket", "S5");
    lead(&mut g, "Tecumseh", "S5");
    let s4 = at(&g, "S4");
    let mut trial = Trial::new(g, move |t, mut g| async move {
        reaction::offer(&t, &mut g, Side::Na, &[s4]).await;
        g
    })
    .start();
    let why = trial.refused("move 1 shawnee, blue jacket, tecumseh, blue jacket from s5 to s4");
    assert!(why.contains("Name each unit and leader once"), "{why}");
}

/// dark-and-bloody-ground 9.4.5, 11.2.2
#[test]
fn who_reacts_may_go_into_a_fort() {
    for (words, inside) in [("", false), (" into the fort", true)] {
        let mut g = raiders().0;
        let s4 = at(&g, "S4");
        g.land_mut(s4).fort = Some(Fort::of(Side::Na));
        let mut run = Trial::new(g, move |t, mut g| async move {
            reaction::offer(&t, &mut g, Side::Na, &[s4]).await;
            g
        })
        .any_dice([1, 1])
        .start();
        run.say(&format!("move 1 shawnee, blue jacket from s5 to s4{words}"));
        let now = run.now();
        let blue_jacket = now.chief(leader(&now, "Blue Jacket"));
        assert_eq!((blue_jacket.spot, blue_jacket.inside), (Spot::On(s4), inside), "{words}");
        let shawnee = now.of_kind(now.c.kind("Shawnee").expect("a kind")).filter(|&u| now.unit(u).spot == Spot::On(s4));
        assert_eq!(shawnee.map(|u| now.unit(u).inside).collect::<Vec<_>>(), [inside], "{words}");
    }
}

/// dark-and-bloody-ground 9.4.5, 12.0
#[test]
fn a_raid_may_be_reacted_to() {
    let mut g = raiders().0;
    g.commitment = 3;
    put(&mut g, "regular", 2, "K3");
    lead(&mut g, "Wayne", "K3");
    let mut run = acting(g, Side::Na, 1);
    assert_eq!(run.asked(), [(Seat(1), "action")]);
    run.say("raid 1 shawnee from s5 to k2");
    assert_eq!(run.asked(), [(Seat(0), "reaction")]);
    run.say("move 2 regular, wayne from k3 to k2");
    let now = run.now();
    assert_eq!(now.chief(leader(&now, "Wayne")).spot, Spot::On(at(&now, "K2")));
}

/// dark-and-bloody-ground 9.4.5
#[test]
fn fresh_units_react_first() {
    let mut g = summer(&["Shawnee"]);
    let units = put(&mut g, "Shawnee", 4, "S5");
    units[..2].iter().for_each(|&u| g.unit_mut(u).done = true);
    lead(&mut g, "Black Hoof", "S5");
    put(&mut g, "regular", 2, "S7");
    let s7 = at(&g, "S7");
    let mut run = Trial::new(g, move |t, mut g| async move {
        reaction::offer(&t, &mut g, Side::Na, &[s7]).await;
        g
    })
    .any_dice([1])
    .start();
    run.say("move 2 shawnee, black hoof from s5 to s6");
    let end = run.over();
    let s6 = Spot::On(at(&end, "S6"));
    let gone: Vec<bool> = units.iter().map(|&u| end.unit(u).spot == s6).collect();
    assert_eq!(gone, [false, false, true, true]);
}
