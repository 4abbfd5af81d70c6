//! First and second activations (9.3, 9.4.2).

use super::super::{action, activation, cautions, components::*, order::Count, raid, state::*, testing::*};
use postrider_table::status::Condition;

/// Starts an Action Phase in which this side acts first, and all later dice show `die`.
pub fn acting(g: State, first: Side, die: i64) -> Running {
    let [us, na] = if first == Side::Us { [6, 1] } else { [1, 6] };
    Trial::new(g, |t, mut g| async move {
        action::phase(&t, &mut g).await;
        g
    })
    .dice("initiative, US", [us])
    .dice("initiative, NA", [na])
    .any_dice([die; 12])
    .start()
}

/// Returns three Shawnee at war at S5 with Blue Jacket, one with a rifle, and settlers at K2.
pub fn raiders() -> (State, Vec<UnitId>) {
    let mut g = war();
    g.season = Season::Summer;
    at_war(&mut g, "Shawnee", 3);
    let units = put(&mut g, "Shawnee", 3, "S5");
    g.unit_mut(units[0]).rifle = true;
    lead(&mut g, "Blue Jacket", "S5");
    let k2 = at(&g, "K2");
    g.land_mut(k2).settlers = 2;
    (g, units)
}

fn who(n: u8, what: &str) -> Count {
    Count::new(n, what)
}

/// dark-and-bloody-ground 7.0.4, 9.4.2
#[test]
fn who_has_not_acted_goes_with_a_leader_who_has() {
    let mut g = war();
    (g.season, g.commitment) = (Season::Summer, 3);
    let units = put(&mut g, "regular", 2, "U1");
    g.unit_mut(units[0]).starved = true;
    g.unit_mut(units[1]).condition = Condition::Disrupted;
    let harmar = lead(&mut g, "Harmar", "U1");
    g.chief_mut(harmar).acts = 1;
    let words = "move 2 regular, harmar from u1 to u3";
    let mut trial = acting(g.clone(), Side::Us, 1);
    // It is his second activation but their first, so they are not exhausted.
    trial.say(words);
    let now = trial.now();
    let u3 = at(&g, "U3");
    assert!(units.iter().all(|&u| now.unit(u).spot == Spot::On(u3) && now.unit(u).acts == 1 && !now.unit(u).done));
    // For units that have acted it is the second activation.
    let force = Force { units: units.clone(), leaders: vec![harmar] };
    for &u in &units {
        let mut g = g.clone();
        g.unit_mut(u).acts = 1;
        assert_eq!(activation::may_act(&g, &force).expect_err("it has acted").rule, "9.4.2");
    }
}

fn again(g: State, units: &[UnitId], die: i64) -> bool {
    let force = Force { units: units.to_vec(), leaders: Vec::new() };
    let u = units[0];
    let end = Trial::new(g, move |t, mut g| async move {
        activation::second(&t, &mut g, force).await;
        g
    })
    .dice("second activation", [die])
    .start()
    .over();
    // Standing orders can depend on it.
    assert_eq!(end.since[end.side_of(u).index()].failed, end.unit(u).done);
    !end.unit(u).done
}

/// dark-and-bloody-ground 9.3.1, 9.3.2, 9.4.2
#[test]
fn a_leader_beside_them_helps_who_act_again() {
    let mut g = war();
    (g.season, g.commitment) = (Season::Summer, 3);
    at_war(&mut g, "Shawnee", 3);
    let warrior = put(&mut g, "Shawnee", 1, "S5")[0];
    g.unit_mut(warrior).acts = 1;
    let blue_jacket = lead(&mut g, "Blue Jacket", "S5");
    g.chief_mut(blue_jacket).done = true;
    let alone = Force { units: vec![warrior], leaders: Vec::new() };
    let may = |g: &State| activation::may_act(g, &alone).is_ok();
    assert!(may(&g));
    // His rating counts: 6 does not exceed 3 plus 3.
    assert!(again(g.clone(), &[warrior], 6));
    for change in [|chief: &mut Chief| chief.raiding = true, |chief: &mut Chief| chief.spot = Spot::Pool] {
        let mut g = g.clone();
        change(g.chief_mut(blue_jacket));
        assert!(!may(&g), "he is not stacked with it");
    }
    // A US unit needs no leader, but one stacked with it helps.
    let regular = put(&mut g, "regular", 1, "U1")[0];
    g.unit_mut(regular).acts = 1;
    let harmar = lead(&mut g, "Harmar", "U1");
    let rating = i64::from(g.c[harmar].command);
    assert!(rating > 0);
    let mut unled = g.clone();
    unled.chief_mut(harmar).spot = Spot::Pool;
    let passes = |g: &State| again(g.clone(), &[regular], 3 + rating);
    assert!(passes(&g) && !passes(&unled));
    // The preview includes him as well.
    let force = Force { units: vec![regular], leaders: Vec::new() };
    let told = |g: &State| cautions::of_move(g, Side::Us, &force, &[], true).concat();
    assert!(told(&unled).contains("on 3 of 6") && !told(&g).contains("on 3 of 6"));
    // Several units still need a leader in the force to act together (9.3).
    let two = [regular, put(&mut g, "regular", 1, "U1")[0]];
    let force = Force { units: two.to_vec(), leaders: Vec::new() };
    assert_eq!(activation::may_act(&g, &force).expect_err("they need one").rule, "9.3");
    // A leader of others cannot take a single unit along in one activation.
    let (mut g, _) = raiders();
    lead(&mut g, "Little Turtle", "S5");
    let mut trial = acting(g, Side::Na, 6);
    let why = trial.try_say("move 1 shawnee, little turtle from s5 to s4").unwrap_err();
    assert!(why.contains("9.3"), "{why}");
    trial.say("move 1 shawnee, blue jacket from s5 to s4");
}

/// dark-and-bloody-ground 9.3, 12.0.1, 14.0.2
#[test]
fn those_without_rifles_go_first() {
    let (mut g, units) = raiders();
    let s5 = Spot::On(at(&g, "S5"));
    let taken = |words: &str| {
        let mut trial = acting(g.clone(), Side::Na, 6);
        trial.say(words);
        let now = trial.now();
        units.iter().map(|&u| now.unit(u).spot != s5).collect::<Vec<_>>()
    };
    for words in ["raid 1 shawnee and blue jacket from s5 to k2", "move 1 shawnee from s5 to s4"] {
        assert_eq!(taken(words), [false, true, false], "{words}");
    }
    for words in ["raid 1 rifled shawnee from s5 to k2", "raid k2 with a shawnee with a rifle from s5"] {
        assert_eq!(taken(words), [true, false, false], "{words}");
    }
    // A unit that has acted can do less than a fresh one, with or without a rifle. For a raid a
    // Disrupted unit is as good as a normal one.
    g.unit_mut(units[1]).condition = Condition::Disrupted;
    g.unit_mut(units[2]).condition = Condition::Disrupted;
    let one = [Count::new(1, "Shawnee")];
    let act = activation::force(&g, Side::Na, s5, &one).expect("it is there").units;
    let raid = activation::raiders(&g, s5, &one).expect("it is there").units;
    assert_eq!((act, raid), (vec![units[0]], vec![units[1]]));
    // The preview warns if rifles go along although other units could go.
    let trial = acting(g, Side::Na, 6);
    assert!(trial.cautions("raid 1 sound shawnee from s5 to k2").iter().any(|line| line.contains("unrifled shawnee")));
    assert!(trial.cautions("raid 1 rifled shawnee from s5 to k2").is_empty());
    assert!(trial.cautions("raid 1 shawnee from s5 to k2").is_empty());
}

/// dark-and-bloody-ground 9.3, 9.5.1
#[test]
fn refusals_say_why_units_are_done() {
    let (mut g, units) = raiders();
    for &u in &units {
        (g.unit_mut(u).acts, g.unit_mut(u).done) = (1, true);
    }
    let why = acting(g, Side::Na, 6).refused("raid 2 shawnee from s5 to k2");
    assert!(why.contains("3 are done") && why.contains("9.5.1"), "{why}");
    // For a target outside the scenario's areas no route is searched.
    let mut g = bare("harmar-1790");
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "Shawnee", 1, "S5");
    let k2 = at(&g, "K2");
    g.land_mut(k2).settlers = 1;
    let force = activation::raiders(&g, Spot::On(at(&g, "S5")), &[Count::new(1, "Shawnee")]).expect("it is there");
    assert_eq!(raid::may_raid(&g, Spot::On(at(&g, "S5")), &force, k2).expect_err("not in 1790").rule, "15.1.3");
    // Such an order is not kept for a later turn either.
    let trial = acting(g, Side::Na, 6);
    for words in ["raid 1 shawnee from s5 to k2", "move 1 shawnee from s5 to k2"] {
        let why = trial.read(words).expect_err(words).to_string();
        assert!(why.contains("15.1.3"), "{why}");
    }
    assert!(trial.read("raid 1 shawnee from s5 to s4").is_ok());
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
            let passed = activation::second(&t, &mut g, led).await;
            g.vps[0] = passed.units.len() as i32;
            g
        })
        .any_dice([die])
        .start()
        .over()
    };
    // 3 plus Blue Jacket's 3: only a die above 6 would fail.
    assert_eq!(second(g.clone(), 6).vps[0], 3);
    g.tribe_mut(nation(&g, "Shawnee")).ml = 2;
    let end = second(g.clone(), 6);
    assert!(end.vps[0] == 0 && warriors.iter().all(|&u| end.unit(u).done));
    // A single US unit may try alone.
    let lone = put(&mut g, "regular", 1, "U1")[0];
    g.unit_mut(lone).acts = 1;
    assert_eq!(activation::may_act(&g, &Force { units: vec![lone], leaders: Vec::new() }), Ok(()));
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
    let moved = |words: &str| {
        let mut trial = acting(g.clone(), Side::Us, 1);
        trial.say(words);
        let now = trial.now();
        units.iter().map(|&u| now.unit(u).spot == Spot::On(at(&now, "U3"))).collect::<Vec<_>>()
    };
    assert_eq!(moved("move 1 regular from u1 to u3"), [true, false, false]);
    assert_eq!(moved("move 1 acted regular from u1 to u3"), [false, true, false]);
    assert_eq!(moved("move 1 disrupted regular from u1 to u3"), [false, false, true]);
    assert_eq!(moved("move 1 fresh regular, 1 disrupted regular, harmar from u1 to u3"), [true, false, true]);
    let why = acting(g, Side::Us, 1).refused("move 2 acted regular, harmar from u1 to u3");
    assert!(why.contains("1 acted regular can still act there, not 2"), "{why}");
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

/// Shawnee and Miami with their leaders and Tecumseh, who have all acted. Each passes on a 5 only
/// with Tecumseh's +1.
///
/// dark-and-bloody-ground 14.0.3, 9.3.2
#[test]
fn tecumseh_raises_one_leader_for_a_second_activation() {
    let moved = |named: &str| {
        let mut g = war();
        g.season = Season::Summer;
        let mut units = Vec::new();
        for (name, leads) in [("Shawnee", "Blue Jacket"), ("Miami", "Little Turtle")] {
            at_war(&mut g, name, 1);
            units.extend(put(&mut g, name, 1, "S5"));
            let l = lead(&mut g, leads, "S5");
            g.chief_mut(l).acts = 1;
        }
        let tecumseh = lead(&mut g, "Tecumseh", "S5");
        g.chief_mut(tecumseh).acts = 1;
        units.iter().for_each(|&u| g.unit_mut(u).acts = 1);
        let mut trial = acting(g, Side::Na, 5);
        trial.say("move 1 shawnee, 1 miami, blue jacket, little turtle, tecumseh from s5 to s4");
        assert_eq!(trial.asked()[0].1, "rating");
        trial.check_options(2);
        trial.say(named);
        let now = trial.now();
        [count(&now, "Shawnee", "S4"), count(&now, "Miami", "S4")]
    };
    assert_eq!([moved("blue jacket"), moved("little turtle")], [[1, 0], [0, 1]]);
}

/// Both nations pass the die of a second activation; on the march the one whose leader Tecumseh does not raise fails.
///
/// dark-and-bloody-ground 14.0.3, 9.4.2
#[test]
fn tecumseh_raises_the_same_leader_on_the_march() {
    let mut g = war();
    g.season = Season::Fall;
    let [shawnee, miami] = [("Shawnee", "Blue Jacket"), ("Miami", "Little Turtle")].map(|(name, leads)| {
        at_war(&mut g, name, 2);
        lead(&mut g, leads, "S5");
        let u = put(&mut g, name, 1, "S5")[0];
        g.unit_mut(u).acts = 1;
        u
    });
    lead(&mut g, "Tecumseh", "S5");
    let mut trial = acting(g, Side::Na, 5);
    trial.say("move 1 shawnee, 1 miami, blue jacket, little turtle, tecumseh from s5 to s4");
    trial.say("blue jacket");
    let now = trial.now();
    assert_eq!([shawnee, miami].map(|u| now.unit(u).condition), [Condition::Normal, Condition::Disrupted]);
    assert_eq!(now.raised, None);
}

/// dark-and-bloody-ground 9.4.2, 12.0
#[test]
fn a_raider_does_not_help_those_who_march() {
    for (raids, condition) in [(false, Condition::Normal), (true, Condition::Disrupted)] {
        let mut g = war();
        g.season = Season::Summer;
        at_war(&mut g, "Shawnee", 2);
        let units = put(&mut g, "Shawnee", 1, "K2");
        g.unit_mut(units[0]).acts = 2;
        let blue_jacket = lead(&mut g, "Blue Jacket", "K2");
        g.chief_mut(blue_jacket).raiding = raids;
        let force = Force { units, leaders: Vec::new() };
        let u = force.units[0];
        let rule = |t, mut g| async move {
            activation::exhaustion(&t, &mut g, &force);
            g
        };
        let end = Trial::new(g, rule).any_dice([5]).start().over();
        assert_eq!(end.unit(u).condition, condition, "{raids}");
    }
}

/// A leader alone rolls against the level of his side or nation; Tecumseh against that of the
/// Shawnee, McKee and Girty against the British 3.
///
/// dark-and-bloody-ground 9.3.1, 9.3.2, 9.4.2
#[test]
fn a_lone_leader_acts_again_by_a_level() {
    for (name, level, spot) in
        [("Harmar", 2, "U1"), ("Little Turtle", 1, "S5"), ("Tecumseh", 2, "S5"), ("McKee", 3, "S5"), ("Girty", 3, "S5")]
    {
        let mut g = war();
        (g.season, g.commitment) = (Season::Summer, 2);
        at_war(&mut g, "Shawnee", 2);
        at_war(&mut g, "Miami", 1);
        put(&mut g, "Shawnee", 1, "S4");
        put(&mut g, "regular", 1, "S7");
        let l = lead(&mut g, name, spot);
        g.chief_mut(l).acts = 1;
        let side = g.c[l].side;
        let to = if side == Side::Us { "S7" } else { "S4" };
        let last = (level + i64::from(g.c[l].command)).min(6);
        for die in 1..=6 {
            let mut run = acting(g.clone(), side, die);
            run.say(&format!("move {name} from {spot} to {to}"));
            let id = if die <= last { to } else { spot };
            assert_eq!(run.now().chief(l).spot, Spot::On(at(&g, id)), "{name}, {die}");
        }
    }
}
