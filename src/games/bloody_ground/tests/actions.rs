//! The Action Phase (9, 14).

use super::super::{
    action, activation, atrocity,
    components::*,
    fort, leaders, movement,
    order::{Count, Order},
    pillage, reaction,
    state::*,
    testing::*,
};
use crate::table::status::Condition;

fn acting(g: State) -> Trial {
    Trial::new(g, |t, mut g| async move {
        action::phase(&t, &mut g).await;
        g
    })
}

fn who(n: u8, what: &str) -> Count {
    Count::new(n, what)
}

/// dark-and-bloody-ground 4.5, 9.0, 9.1, 9.1.1, 9.1.2, 9.2
#[test]
fn the_difference_of_the_totals_is_the_atrocities() {
    let mut g = war();
    at_war(&mut g, "Miami", 3);
    g.tribe_mut(nation(&g, "Miami")).rose = 1;
    lead(&mut g, "Little Turtle", "M1");
    put(&mut g, "regular", 1, "U1");
    lead(&mut g, "Harmar", "U1");
    lead(&mut g, "Hamtramck", "U1");
    let mut trial = acting(g).dice("initiative, US", [5]).dice("initiative, NA", [1]).start();
    assert_eq!(trial.asked(), [(crate::table::Seat(0), "action")]);
    let now = trial.now();
    assert_eq!((now.initiative, now.atrocities), (Side::Us, [2, 2]));
    assert_eq!(
        now.primary.map(|l| l.map(|l| now.c[l].name.clone())),
        [Some("Harmar".to_owned()), Some("Little Turtle".to_owned())]
    );
    trial.check_options(1);
    trial.say("pass");
    assert_eq!(trial.asked(), [(crate::table::Seat(1), "action")]);
    trial.check_options(1);
    trial.say("pass");
    trial.over();
}

/// dark-and-bloody-ground 9.2.1, 6.0.2
#[test]
fn atrocities_strike_the_other_side() {
    let mut g = war();
    g.atrocities = [1, 1];
    let (k2, s5) = (at(&g, "K2"), at(&g, "S5"));
    g.land_mut(k2).settlers = 2;
    assert!(atrocity::may_place(&g, Side::Us, k2).is_err() && atrocity::may_place(&g, Side::Us, s5).is_ok());
    assert!(atrocity::may_place(&g, Side::Na, k2).is_ok() && atrocity::may_place(&g, Side::Na, s5).is_err());
    let end = Trial::new(g, move |t, mut g| async move {
        atrocity::place(&t, &mut g, Side::Na, k2);
        g
    })
    .start()
    .over();
    // No die, and no loss for the US.
    assert_eq!((end.people(k2), end.vps, end.land(k2).atrocity, end.atrocities), (1, [0, 1], [0, 1], [1, 0]));
}

/// dark-and-bloody-ground 9.2.2
#[test]
fn an_ambush_a_turn() {
    let mut g = war();
    (g.commitment, g.atrocities) = (3, [2, 2]);
    let alone = put(&mut g, "regular", 1, "S5")[0];
    assert_eq!(atrocity::ambush_check(&g, alone).drm.total(), 1);
    put(&mut g, "ohio-militia", 1, "S5");
    assert_eq!(atrocity::ambush_check(&g, alone).drm.total(), 0);
    let s5 = at(&g, "S5");
    let u = atrocity::target(&g, Side::Na, s5, "regular").expect("a target");
    let ambush = |g: State, die: i64| {
        Trial::new(g, move |t, mut g| async move {
            atrocity::ambush(&t, &mut g, Side::Na, u).await;
            g
        })
        .any_dice([die])
        .start()
        .over()
    };
    assert_eq!(ambush(g.clone(), 3).unit(u).spot, Spot::On(s5));
    let end = ambush(g.clone(), 4);
    assert_eq!(
        (end.unit(u).spot, end.vps, end.spent_atrocities, end.ambushed),
        (Spot::Gone, [0, 2], [0, 1], [false, true])
    );
    assert!(atrocity::target(&end, Side::Na, s5, "ohio-militia").is_err(), "one a turn");
    us_fort(&mut g, "S5");
    g.unit_mut(u).inside = true;
    assert!(atrocity::target(&g, Side::Na, s5, "regular").is_err(), "not in a fort");
}

/// dark-and-bloody-ground 9.2.3
#[test]
fn an_assassination_may_fail() {
    let mut g = war();
    (g.atrocities, g.vps) = ([1, 1], [3, 3]);
    let harmar = lead(&mut g, "Harmar", "S5");
    assert!(atrocity::may_assassinate(&g, Side::Na, harmar).is_ok());
    let kill = |g: State, die: i64| {
        Trial::new(g, move |t, mut g| async move {
            atrocity::assassinate(&t, &mut g, Side::Na, harmar).await;
            g
        })
        .any_dice([die])
        .start()
        .over()
    };
    // More than his 1 and two.
    assert_eq!((kill(g.clone(), 3).vps, kill(g.clone(), 4).vps), ([3, 2], [3, 6]));
    assert!(kill(g.clone(), 4).general_lost[1]);
    lead(&mut g, "Harmar", "U1");
    assert!(atrocity::may_assassinate(&g, Side::Na, harmar).is_err(), "in a town");
    let turtle = lead(&mut g, "Little Turtle", "M1");
    assert!(atrocity::may_assassinate(&g, Side::Us, turtle).is_err(), "at Kekionga");
}

/// dark-and-bloody-ground 9.3, 9.3.1, 9.3.2
#[test]
fn who_acts_again_needs_a_die() {
    let mut g = war();
    at_war(&mut g, "Shawnee", 3);
    g.commitment = 3;
    let s5 = Spot::On(at(&g, "S5"));
    let warriors = put(&mut g, "Shawnee", 3, "S5");
    let force = |g: &State, list: &[Count]| activation::force(g, Side::Na, s5, list);
    let two = force(&g, &[who(2, "Shawnee")]).expect("they are there");
    assert_eq!(activation::may_act(&g, &two).expect_err("no leader").rule, "9.3");
    let blue_jacket = lead(&mut g, "Blue Jacket", "S5");
    let led = force(&g, &[who(3, "Shawnee"), who(1, "Blue Jacket")]).expect("they are there");
    assert_eq!(activation::may_act(&g, &led), Ok(()));
    g.unit_mut(warriors[0]).acts = 1;
    let again = Force { units: vec![warriors[0]], leaders: Vec::new() };
    let mut unled = g.clone();
    unled.chief_mut(blue_jacket).spot = Spot::Pool;
    assert_eq!(activation::may_act(&unled, &again).expect_err("no leader").rule, "9.3.2");
    let second = |g: State, die: i64| {
        let led = led.clone();
        Trial::new(g, move |t, mut g| async move {
            let passed = activation::second(&t, &mut g, led);
            g.vps[0] = passed.units.len() as i32;
            g
        })
        .any_dice([die])
        .start()
        .over()
    };
    // Three and Blue Jacket's three: only a die above six fails.
    assert_eq!(second(g.clone(), 6).vps[0], 3);
    g.tribe_mut(nation(&g, "Shawnee")).ml = 2;
    let end = second(g.clone(), 6);
    assert!(end.vps[0] == 0 && warriors.iter().all(|&u| end.unit(u).done));
    // A single US unit tries it alone.
    let lone = put(&mut g, "regular", 1, "U1")[0];
    g.unit_mut(lone).acts = 1;
    assert_eq!(activation::may_act(&g, &Force { units: vec![lone], leaders: Vec::new() }), Ok(()));
}

/// A step that is looked for alone is the one that the list of all has.
///
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
    // From Cincinnati: land, over the Ohio, down the Ohio, up the Great Miami.
    assert_eq!(leg(&g, us, "U1", "S7"), Some(2), "rough");
    assert_eq!(leg(&g, us, "U1", "K1"), Some(2), "the Ohio and wilderness");
    assert_eq!(leg(&g, us, "U1", "U2"), Some(2), "the Ohio to a town");
    assert_eq!(leg(&g, us, "U1", "M7"), Some(1), "a river through areas");
    assert_eq!(leg(&g, na, "U1", "K1"), Some(2), "1 more to cross");
    assert_eq!(leg(&g, na, "U1", "U2"), None, "NA does not go along it");
    // An enemy on a bank ends it.
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
    // One area for all MPs, and the end before an enemy.
    let range = movement::Range { mps: 1, one_area: false };
    let reach = movement::reach(&g, movement::Mover::of(&g, us, &Force::default()), Spot::On(at(&g, "U1")), range);
    assert_eq!(reach.get(&s4).map(|way| way.0), Some(1));
    assert!(movement::stops(&g, Side::Us, at(&g, "S7")));
}

/// dark-and-bloody-ground 9.4.2
#[test]
fn force_marches_wear_out() {
    let mut g = war();
    (g.commitment, g.season) = (3, Season::Winter);
    let u = put(&mut g, "regular", 1, "U1")[0];
    g.unit_mut(u).acts = 2;
    let force = Force { units: vec![u], leaders: Vec::new() };
    let march = |g: State, die: i64| {
        let force = force.clone();
        Trial::new(g, move |t, mut g| async move {
            activation::exhaustion(&t, &mut g, &force);
            g
        })
        .any_dice([die])
        .start()
        .over()
    };
    assert_eq!(march(g.clone(), 1).unit(u).condition, Condition::Normal);
    assert_eq!(march(g.clone(), 2).unit(u).condition, Condition::Disrupted, "two more in winter");
    g.unit_mut(u).condition = Condition::Disrupted;
    assert_eq!(march(g.clone(), 2).unit(u).spot, Spot::Gone);
    lead(&mut g, "Wayne", "U1");
    assert_eq!(march(g, 4).unit(u).condition, Condition::Disrupted, "Wayne takes three off");
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

/// dark-and-bloody-ground 9.4.1
#[test]
fn a_move_is_said_in_few_words() {
    let mut g = war();
    g.season = Season::Summer;
    put(&mut g, "regular", 3, "U1");
    lead(&mut g, "Harmar", "U1");
    let mut trial = acting(g).any_dice([5, 1]).start();
    let full = trial.read("move 3 regular, harmar from u1 to s3").expect("an order");
    for words in [
        "harmar with 3 regulars: cincinnati > mad river towns",
        "3 regulars and harmar: U1 > S3",
        "move all from u1 to s3",
        "move everybody from cincinnati to the mad river towns",
    ] {
        let order = trial.read(words).unwrap_or_else(|why| panic!("{words}: {why}"));
        let pieces = |order: &Order| match order {
            Order::Move { from, who, way, .. } => {
                let mut who: Vec<(u8, String)> = who.iter().map(|count| (count.n, count.what.clone())).collect();
                who.sort();
                (from.clone(), who, way.clone())
            }
            other => panic!("{words}: {other:?}"),
        };
        assert_eq!(pieces(&order), pieces(&full), "{words}");
    }
    // A slip in the first word is still pointed at with what is asked for.
    assert!(trial.read("mvoe harmar to s3").is_err() && trial.read("harmar").is_err());
    let why = trial.refused("move all from u1 to m1");
    assert!(why.contains("No step leads to Kekionga (M1). The cheapest way there: `to "), "{why}");
    let way = why.split('`').nth(1).expect("a way").to_owned();
    trial.read(&format!("move all from u1 {way}")).expect("the way is an order");
    let why = trial.refused("move all from u1 to w5");
    assert!(why.contains("No step leads to Detroit (W5). It is out of reach."), "{why}");
}

/// dark-and-bloody-ground 9.5, 9.5.1, 9.5.2, T:pillaging-table
#[test]
fn pillage_by_two_or_more() {
    let mut g = war();
    (g.season, g.commitment) = (Season::Summer, 5);
    let k2 = at(&g, "K2");
    at_war(&mut g, "Shawnee", 3);
    let units = put(&mut g, "Shawnee", 3, "K2");
    let girty = lead(&mut g, "Girty", "K2");
    g.land_mut(k2).settlers = 1;
    let force = Force { units: units.clone(), leaders: vec![girty] };
    assert_eq!(pillage::modifiers(&g, Side::Na, k2, &force).total(), -3);
    let one = Force { units: units[..1].to_vec(), leaders: Vec::new() };
    assert_eq!(pillage::may_pillage(&g, k2, &one).expect_err("one is too few").rule, "9.5.1");
    g.season = Season::Winter;
    assert_eq!(pillage::modifiers(&g, Side::Na, k2, &force).total(), -2);
    let pillage = |g: State, dice: &[i64]| {
        let force = force.clone();
        let mut trial = Trial::new(g, move |t, mut g| async move {
            pillage::pillage(&t, &mut g, Side::Na, k2, &force).await;
            g
        })
        .any_dice(dice.iter().copied())
        .start();
        trial.all_first();
        trial.over()
    };
    assert!(!pillage(g.clone(), &[5]).land(k2).pillaged);
    let end = pillage(g.clone(), &[4, 6]);
    assert!(end.land(k2).pillaged && end.people(k2) == 0 && end.unit(units[0]).done);
    assert_eq!(end.vps, [0, 2]);
    assert_eq!(fort::may_build(&end, k2, false, &[]).expect_err("no crew").rule, "11.2.1");
}

/// dark-and-bloody-ground 11.2, 11.2.1
#[test]
fn a_fort_takes_a_leader_and_five() {
    let mut g = war();
    let s4 = at(&g, "S4");
    put(&mut g, "kentucky-militia", 4, "S4");
    lead(&mut g, "Harmar", "S4");
    assert_eq!(fort::may_build(&g, s4, false, &[]).expect_err("four factors").rule, "11.2.1");
    put(&mut g, "kentucky-militia", 1, "S4");
    let crew = fort::may_build(&g, s4, false, &[]).expect("five factors");
    let mut built = Trial::new(g, move |t, mut g| async move {
        fort::work(&t, &mut g, s4, &crew, false);
        g
    })
    .start()
    .over();
    assert!(built.fort(s4).is_none() && built.land(s4).fort.is_some(), "not ready yet");
    let finish = |g: State| {
        Trial::new(g, |t, mut g| async move {
            fort::finish(&t, &mut g);
            g
        })
        .start()
        .over()
    };
    assert!(finish(built.clone()).fort_of(s4, Side::Us));
    let harmar = leader(&built, "Harmar");
    fort::abandon(&mut built, harmar);
    assert!(built.land(s4).fort.is_none(), "he acts again, or leaves");
}

/// dark-and-bloody-ground 14.0, 14.0.1
#[test]
fn gout_slows_st_clair() {
    let mut g = war();
    let st_clair = lead(&mut g, "St. Clair", "U1");
    let units = put(&mut g, "regular", 1, "U1");
    let force = Force { units, leaders: vec![st_clair] };
    for (die, mps, one_area) in [(1, 4, false), (4, 2, false), (6, 4, true)] {
        let force = force.clone();
        let end = Trial::new(g.clone(), move |t, mut g| async move {
            let range = movement::range(&t, &g, &force);
            g.vps = [range.mps.into(), range.one_area.into()];
            g
        })
        .any_dice([die])
        .start()
        .over();
        assert_eq!(end.vps, [mps, i32::from(one_area)], "{die}");
    }
}

/// dark-and-bloody-ground 14.0.5
#[test]
fn mckee_leads_all_and_may_die() {
    use super::super::raid;
    let mut g = war();
    at_war(&mut g, "Shawnee", 3);
    let u = put(&mut g, "Shawnee", 5, "S5")[0];
    let mckee = lead(&mut g, "McKee", "S5");
    assert!(g.leads(mckee, u));
    let mover = movement::Mover::of(&g, Side::Na, &Force { units: Vec::new(), leaders: vec![mckee] });
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

/// dark-and-bloody-ground 14.0.8
#[test]
fn one_general_of_rank_three() {
    let mut g = war();
    for name in ["Harmar", "Wayne", "Hamtramck", "Butler", "US replacement 2"] {
        lead(&mut g, name, "U1");
    }
    g.variant.version = 3;
    let g = Trial::new(g, |t, mut g| async move {
        leaders::limit(&t, &mut g, &[]).await;
        g
    })
    .start()
    .over();
    let here = |name: &str| g.chief(leader(&g, name)).spot.area().is_some();
    assert_eq!(
        ["Harmar", "Wayne", "Hamtramck", "Butler", "US replacement 2"].map(here),
        [false, true, true, true, false]
    );
}

/// dark-and-bloody-ground 9.4.1
#[test]
fn slower_units_are_dropped_and_the_others_go_on() {
    let mut g = war();
    g.season = Season::Winter;
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "regular", 2, "U1");
    put(&mut g, "kentucky-militia", 1, "U1");
    lead(&mut g, "Harmar", "U1");
    let dice = |g: &State| acting(g.clone()).dice("initiative, US", [5]).dice("initiative, NA", [1]).start();
    let mut trial = dice(&g);
    // Three areas take 6 MPs in winter, more than the regulars have; Harmar has 8.
    let why = trial.refused("move 2 regular, harmar from u1 to u3, s3, s1");
    assert!(why.contains("9.4.1"), "{why}");
    for (words, says) in [
        ("move 2 regular, harmar from u1 to u3, s3 dropping 2 regular at s3", "before its end"),
        ("move 2 regular, harmar from u1 to u3, s3 dropping 3 regular at u3", "2 regular go along"),
        ("move 2 regular, harmar from u1 to u3, s3 dropping 1 regular at u3", "not slower"),
        ("move 2 regular from u1 to u3, s3 dropping 2 regular at u3", "9.3"),
    ] {
        let why = trial.refused(words);
        assert!(why.contains(says), "{words}: {why}");
    }
    let words = "move 2 regular, Harmar from U1 to U3, S3, S1 dropping 2 regular at U3";
    let other = trial.read("move harmar and 2 regulars from cincinnati to u3, s3, s1 leaving 2 regulars at u3");
    assert!(
        matches!((trial.read(words), other), (Ok(Order::Move { drops, .. }), Ok(Order::Move { drops: same, .. })) if drops == same)
    );
    trial.say(words);
    let now = trial.now();
    assert_eq!((count(&now, "regular", "U3"), now.chief(leader(&now, "Harmar")).spot), (2, Spot::On(at(&now, "S1"))));
    let regulars =
        now.of_kind(now.c.kind("regular").unwrap()).filter(|&u| now.unit(u).spot == Spot::On(at(&now, "U3")));
    assert!(regulars.into_iter().all(|u| now.unit(u).done), "their movement is over for the phase");
    assert!(!now.chief(leader(&now, "Harmar")).done);
    g.variant.version = 1;
    let why = dice(&g).refused(words);
    assert!(why.contains("version 1"), "{why}");
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
    let started = |g: &State| {
        let mut trial =
            acting(g.clone()).dice("initiative, US", [5]).dice("initiative, NA", [1]).any_dice([1; 9]).start();
        trial.say("move 2 regular, harmar from u1 to u3, s3, s1 dropping 2 regular at u3");
        trial
    };
    let mut trial = started(&g);
    let asked = trial.reads();
    let asked = format!("{asked:?}");
    assert!(asked.contains("dropped units at"), "{asked}");
    trial.say("move 2 shawnee, blue jacket from m5 to u3");
    assert_eq!(count(&trial.now(), "Shawnee", "U3"), 2);
    // Under the versions before only the end of the move counts: nobody is asked.
    g.variant.version = 2;
    assert!(started(&g).read("stay").is_err());
}

/// dark-and-bloody-ground 11.2.1, 9.3
#[test]
fn an_order_says_who_builds_a_fort() {
    let mut g = war();
    let s4 = at(&g, "S4");
    put(&mut g, "regular", 7, "S4");
    lead(&mut g, "Harmar", "S4");
    lead(&mut g, "Hamtramck", "S4");
    let started = |g: &State| acting(g.clone()).dice("initiative, US", [5]).dice("initiative, NA", [1]).start();
    let mut trial = started(&g);
    for words in ["fort s4 with 2 regular, harmar", "fort s4 with 5 regular", "fort s4 with harmar"] {
        assert!(trial.refused(words).contains("11.2.1"), "{words}");
    }
    let fresh = |g: &State| g.units_in(s4, Side::Us).filter(|&u| g.unit(u).acts == 0).count();
    trial.say("fort s4 with 3 regular, hamtramck");
    let now = trial.now();
    assert_eq!((now.land(s4).fort.and_then(|fort| fort.builder), fresh(&now)), (Some(leader(&now, "Hamtramck")), 4));
    let mut all = started(&g);
    all.say("fort s4");
    let now = all.now();
    assert_eq!((now.land(s4).fort.and_then(|fort| fort.builder), fresh(&now)), (Some(leader(&now, "Harmar")), 0));
    g.variant.version = 2;
    assert!(started(&g).refused("fort s4 with 3 regular, hamtramck").contains("earlier version"));
}

/// dark-and-bloody-ground 9.3
#[test]
fn of_like_units_those_act_that_are_named() {
    let mut g = war();
    g.season = Season::Summer;
    let units = put(&mut g, "regular", 3, "U1");
    lead(&mut g, "Harmar", "U1");
    g.unit_mut(units[1]).acts = 1;
    g.unit_mut(units[2]).condition = Condition::Disrupted;
    let dice =
        |g: &State| acting(g.clone()).dice("initiative, US", [5]).dice("initiative, NA", [1]).any_dice([1; 9]).start();
    let moved = |words: &str| {
        let mut trial = dice(&g);
        trial.say(words);
        let now = trial.now();
        units.iter().map(|&u| now.unit(u).spot == Spot::On(at(&now, "U3"))).collect::<Vec<_>>()
    };
    assert_eq!(moved("move 1 regular from u1 to u3"), [true, false, false]);
    assert_eq!(moved("move 1 acted regular from u1 to u3"), [false, true, false]);
    assert_eq!(moved("move 1 disrupted regular from u1 to u3"), [false, false, true]);
    assert_eq!(moved("move 1 fresh regular, 1 disrupted regular, harmar from u1 to u3"), [true, false, true]);
    let why = dice(&g).refused("move 2 acted regular, harmar from u1 to u3");
    assert!(why.contains("1 acted regular can still act there, not 2"), "{why}");
    let mut old = g.clone();
    old.variant.version = 1;
    let why = dice(&old).refused("move 1 acted regular from u1 to u3");
    assert!(why.contains("version 1"), "{why}");
}

/// dark-and-bloody-ground 4.5, 8.1.2, 9.2.2, 9.3.1
#[test]
fn what_has_happened_since_a_side_acted_is_known() {
    use super::super::{Order, facts, order::Count};
    use crate::orders::Fact;
    let mut g = war();
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "regular", 2, "U1");
    put(&mut g, "kentucky-militia", 1, "K4");
    let so = |g: &State, name: &'static str, order: Option<&Order>| {
        facts::acting(g, Side::Us, order).contains(&Fact::whether(name, true))
    };
    let moved = |what: &str, from: &str, to: &str| Order::Move {
        from: from.to_owned(),
        who: vec![Count::new(1, what)],
        way: vec![to.to_owned()],
        fort: false,
        drops: Vec::new(),
    };
    let (army, militia) = (moved("regular", "U1", "S4"), moved("kentucky-militia", "K4", "K3"));
    assert!(!so(&g, "enemy beside", Some(&army)) && !so(&g, "enemy beside", None));
    g.since[Side::Us.index()].ends.add(at(&g, "S4"));
    // The regulars at U1 are beside; the militia is far off, and no force is named by letting a turn go by.
    assert!(so(&g, "enemy beside", Some(&army)) && so(&g, "enemy beside", None));
    assert!(!so(&g, "enemy beside", Some(&militia)) && !so(&g, "enemy beside", Some(&Order::Pass {})));
    // A force that has gone where it was ordered is looked for there.
    for u in g.unit_ids().filter(|&u| g.unit(u).spot == Spot::On(at(&g, "U1"))).collect::<Vec<_>>() {
        g.unit_mut(u).spot = Spot::On(at(&g, "S4"));
    }
    assert!(so(&g, "enemy beside", Some(&army)));
    for name in ["trespass", "failed activation", "ambush"] {
        assert!(!so(&g, name, Some(&army)));
    }
    let since = &mut g.since[Side::Us.index()];
    (since.trespass, since.failed, since.ambush) = (true, true, true);
    for name in ["trespass", "failed activation", "ambush"] {
        assert!(so(&g, name, Some(&army)) && so(&g, name, Some(&Order::Pass {})));
    }
}

/// dark-and-bloody-ground 7.0.4, 8.1.2, 9.4.1, 9.4.2, 14.0.1
#[test]
fn a_move_that_may_stop_early_says_so() {
    use super::super::{action::Act, order::Count};
    use crate::table::{Prompt as _, Seat};
    let mut g = war();
    g.season = Season::Summer;
    let u = put(&mut g, "regular", 1, "U1")[0];
    let cautions = |g: &State, way: &[&str]| {
        let order = super::super::Order::Move {
            from: "U1".to_owned(),
            who: vec![Count::new(1, "regular")],
            way: way.iter().map(|id| (*id).to_owned()).collect(),
            fort: false,
            drops: Vec::new(),
        };
        let act = Act { side: Side::Us };
        assert!(act.accept(g, Seat(0), &order).is_ok(), "{way:?}");
        act.cautions(g, Seat(0), &order).join(" ")
    };
    assert_eq!(cautions(&g, &["K1"]), "");
    // The Shawnee are peaceful: base 3, and one more for the area entered.
    let told = cautions(&g, &["S4"]);
    assert!(told.contains("the Shawnee roll for trespass; on ") && told.contains("the move ends there"), "{told}");
    at_war(&mut g, "Shawnee", 3);
    assert!(!cautions(&g, &["S4"]).contains("trespass"));
    put(&mut g, "Shawnee", 1, "S4");
    assert!(cautions(&g, &["S4"]).contains("the enemy stands"));
    g.unit_mut(u).acts = 1;
    g.commitment = 2;
    assert!(cautions(&g, &["K1"]).contains("a second activation: on 4 of 6"));
}
