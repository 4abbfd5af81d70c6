//! The Action Phase (9).

use super::{
    super::{action, atrocity, components::*, fort, order::Order, pillage, state::*, testing::*},
    activation,
};

fn acting(g: State) -> Trial {
    Trial::new(g, |t, mut g| async move {
        action::phase(&t, &mut g).await;
        g
    })
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
    assert_eq!(trial.asked(), [(postrider_table::Seat(0), "action")]);
    let now = trial.now();
    assert_eq!((now.initiative, now.atrocities), (Side::Us, [2, 2]));
    assert_eq!(
        now.primary.map(|l| l.map(|l| now.c[l].name.clone())),
        [Some("Harmar".to_owned()), Some("Little Turtle".to_owned())]
    );
    trial.check_options(1);
    trial.say("pass");
    assert_eq!(trial.asked(), [(postrider_table::Seat(1), "action")]);
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
    // No die is rolled, and the US loses no VP.
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
    // The other side knows of it; one of two markers is left, and one is gone for good.
    let end = ambush(g.clone(), 3);
    assert_eq!((end.since.each_ref().map(|since| since.ambush), end.ambushed), ([true, false], [false, true]));
    assert_eq!((end.atrocities, end.spent_atrocities), ([2, 1], [0, 1]));
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
    // His rating is 1, so the die must exceed 3.
    assert_eq!((kill(g.clone(), 3).vps, kill(g.clone(), 4).vps), ([3, 2], [3, 6]));
    assert!(kill(g.clone(), 4).general_lost[1]);
    lead(&mut g, "Harmar", "U1");
    assert!(atrocity::may_assassinate(&g, Side::Na, harmar).is_err(), "in a town");
    let turtle = lead(&mut g, "Little Turtle", "M1");
    assert!(atrocity::may_assassinate(&g, Side::Us, turtle).is_err(), "at Kekionga");
    // `leader` is one only if no other is in danger.
    g.chief_mut(harmar).spot = Spot::On(at(&g, "S5"));
    let said = |g: &State, words: &str| {
        let trial = acting(g.clone()).dice("initiative, US", [1]).dice("initiative, NA", [6]).start();
        trial.read(words).map_err(|why| why.to_string())
    };
    let killed = Ok(Order::Assassinate { leader: "Harmar".into() });
    assert_eq!((said(&g, "assassinate leader"), said(&g, "assassinate harmar")), (killed.clone(), killed));
    lead(&mut g, "Hamtramck", "S5");
    let why = said(&g, "assassinate the leader").expect_err("two of them");
    assert!(why.contains("Harmar or Hamtramck"), "{why}");
    let why = said(&g, "move leader, 1 shawnee from S3 to S4").expect_err("no name");
    assert!(why.contains("could be"), "{why}");
}

/// dark-and-bloody-ground 9.5.2, 15.1.4
#[test]
fn a_pillage_of_kekionga_is_remembered() {
    let g = war();
    let kekionga = g.c[g.kekionga()].id.clone();
    for (id, die, remembered) in [(&*kekionga, 1, true), (&*kekionga, 6, false), ("S3", 1, false)] {
        let mut g = g.clone();
        let (a, units) = (at(&g, id), put(&mut g, "regular", 2, id));
        let trial = Trial::new(g, move |t, mut g| async move {
            pillage::pillage(&t, &mut g, Side::Us, a, &Force { units, leaders: Vec::new() }).await;
            g
        });
        let end = trial.dice("pillage", [die]).start().over();
        assert_eq!((end.land(a).pillaged, end.kekionga_pillaged), (die == 1, remembered), "{id}, {die}");
    }
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
    let harmar = Force { units: Vec::new(), leaders: vec![leader(&built, "Harmar")] };
    fort::abandon(&mut built, &harmar);
    assert!(built.land(s4).fort.is_none(), "he acts again, or leaves");
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
    // Three areas cost 6 MPs in winter, more than the regulars have; Harmar has 8.
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
}

/// Summer: 1 MP up the Great Miami to Piqua, then 1 to St. Marys Portage.
///
/// dark-and-bloody-ground 11.2.2, 9.4.1
#[test]
fn who_is_dropped_at_a_fort_may_go_inside() {
    let mut g = war();
    (g.season, g.severe) = (Season::Summer, false);
    at_war(&mut g, "Shawnee", 3);
    let regulars = put(&mut g, "regular", 2, "U1");
    let harmar = lead(&mut g, "Harmar", "U1");
    ["S2", "S1"].into_iter().for_each(|id| us_fort(&mut g, id));
    let (s1, s2) = (Spot::On(at(&g, "S1")), Spot::On(at(&g, "S2")));
    let started = |g: &State| acting(g.clone()).dice("initiative, US", [5]).dice("initiative, NA", [1]).start();
    for (words, dropped, leads) in [
        ("dropping 2 regular at s2 into the fort", [true, true], false),
        ("dropping 1 regular at s2 into the fort, 1 regular at s2", [true, false], false),
        ("dropping 2 regular at s2", [false, false], false),
        ("into the fort dropping 2 regular at s2", [false, false], true),
        ("into the fort, dropping 2 regulars at s2 into the fort", [true, true], true),
    ] {
        let mut trial = started(&g);
        let words = format!("move 2 regular, harmar from u1 to u3, s2, s1 {words}");
        let order = trial.read(&words).unwrap_or_else(|why| panic!("{words}: {why}"));
        trial.say(&words);
        let now = trial.now();
        let mut inside = [0, 1].map(|i| now.unit(regulars[i]).inside);
        inside.sort_by_key(|inside| !inside);
        assert!(regulars.iter().all(|&u| now.unit(u).spot == s2), "{words}");
        assert_eq!(
            (inside, now.chief(harmar).spot, now.chief(harmar).inside),
            (dropped, s1, leads),
            "{words}: {order:?}"
        );
    }
    // Ten are inside already: there is no room.
    put(&mut g, "kentucky-militia", 10, "S2").into_iter().for_each(|u| g.unit_mut(u).inside = true);
    let mut trial = started(&g);
    trial.say("move 2 regular, harmar from u1 to u3, s2, s1 dropping 2 regular at s2 into the fort");
    assert!(regulars.iter().all(|&u| trial.now().unit(u).spot == s2 && !trial.now().unit(u).inside));
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
    let leads = |g: &State| {
        let fort = g.land(s4).fort.clone();
        fort.and_then(|fort| fort.work).map(|work| work.crew.leaders).unwrap_or_default()
    };
    let fresh = |g: &State| g.units_in(s4, Side::Us).filter(|&u| g.unit(u).acts == 0).count();
    trial.say("fort s4 with 3 regular, hamtramck");
    let now = trial.now();
    assert_eq!((leads(&now), fresh(&now)), (vec![leader(&now, "Hamtramck")], 4));
    let mut all = started(&g);
    all.say("fort s4");
    let now = all.now();
    assert_eq!((leads(&now), fresh(&now)), (vec![leader(&now, "Harmar")], 0));
}

/// Harmar builds at S4 with three regulars, of two factors each, beside five militia. The militia may leave; the fort is
/// given up when one of the crew moves, even if its die fails, or is driven off, although seven units stay.
///
/// dark-and-bloody-ground 11.2.1, 9.5.1, 9.3
#[test]
fn a_fort_is_built_by_its_crew_alone() {
    let mut g = war();
    (g.season, g.commitment, g.spent_atrocities) = (Season::Summer, 3, [u8::MAX; 2]);
    let s4 = at(&g, "S4");
    let regulars = put(&mut g, "regular", 3, "S4");
    put(&mut g, "kentucky-militia", 5, "S4");
    lead(&mut g, "Harmar", "S4");
    let after = |orders: &[&str], die: i64| {
        let mut trial = activation::acting(g.clone(), Side::Us, die);
        orders.iter().for_each(|words| _ = trial.say(words));
        trial
    };
    let stands = |g: State| {
        let finish = |t, mut g| async move {
            fort::finish(&t, &mut g);
            g
        };
        Trial::new(g, finish).start().over().fort_of(s4, Side::Us)
    };
    let (crew, leaves) = ("fort s4 with 3 regular, harmar", "move 1 kentucky-militia from s4 to u1");
    let why = after(&[crew], 1).refused("pillage s4 with 2 kentucky-militia, harmar");
    assert!(why.contains("9.5.1"), "he has acted: {why}");
    for (orders, die, built) in [
        (&[crew, leaves, leaves, leaves, leaves, leaves][..], 1, true),
        (&[crew, "move 1 acted regular from s4 to u1"], 1, false),
        (&[crew, "move 1 acted regular from s4 to u1"], 6, false),
        (&[crew, "move harmar from s4 to u1"], 1, false),
    ] {
        let now = after(orders, die).now();
        assert_eq!([now.land(s4).fort.is_some(), stands(now)], [built; 2], "{orders:?}, {die}");
    }
    let away = Spot::On(at(&g, "U1"));
    for (order, spot, built) in
        [(crew, away, false), (crew, Spot::Gone, false), ("fort s4", away, false), ("fort s4", Spot::Gone, true)]
    {
        let mut now = after(&[order], 1).now();
        now.unit_mut(regulars[0]).spot = spot;
        assert_eq!(stands(now), built, "{order}, {spot:?}");
    }
}

/// dark-and-bloody-ground 4.5, 8.1.2, 9.2.2, 9.3.1
#[test]
fn what_has_happened_since_a_side_acted_is_known() {
    use super::super::{Order, facts, order::Count};
    use postrider_standing::Fact;
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
    // The regulars at U1 are adjacent, but the militia is far away, and a pass names no force.
    assert!(so(&g, "enemy beside", Some(&army)) && so(&g, "enemy beside", None));
    assert!(!so(&g, "enemy beside", Some(&militia)) && !so(&g, "enemy beside", Some(&Order::Pass {})));
    // A force that has already moved is looked up at its destination.
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
    use postrider_table::{Prompt as _, Seat};
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
    // The Shawnee are at peace: base 3, and +1 for the area entered.
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

/// dark-and-bloody-ground 9.2.3
#[test]
fn enemy_towns_are_not_safe() {
    let mut g = war();
    at_war(&mut g, "Shawnee", 3);
    g.atrocities = [2, 2];
    let blue_jacket = lead(&mut g, "Blue Jacket", "K1");
    let harmar = lead(&mut g, "Harmar", "K1");
    let k1 = at(&g, "K1");
    g.land_mut(k1).village = true;
    assert!(atrocity::may_assassinate(&g, Side::Us, blue_jacket).is_ok());
    assert!(atrocity::may_assassinate(&g, Side::Na, harmar).is_err());
}

/// dark-and-bloody-ground 9.2.2, 15.1.4
#[test]
fn an_ambush_lowers_no_victory() {
    let mut g = war();
    (g.commitment, g.atrocities) = (3, [2, 2]);
    let u = put(&mut g, "ohio-militia", 1, "S5")[0];
    let end = Trial::new(g, move |t, mut g| async move {
        atrocity::ambush(&t, &mut g, Side::Na, u).await;
        g
    })
    .any_dice([4])
    .start()
    .over();
    assert_eq!((end.lost, end.vps), ([0, 0], [0, 2]));
}

/// dark-and-bloody-ground 9.2.3, 14.0.3
#[test]
fn tecumseh_beside_a_leader_guards_him() {
    let mut g = war();
    let blue_jacket = lead(&mut g, "Blue Jacket", "S5");
    assert_eq!(atrocity::guard(&g, blue_jacket), 3);
    lead(&mut g, "Tecumseh", "S5");
    assert_eq!(atrocity::guard(&g, blue_jacket), 4);
    g.atrocities = [1, 1];
    let tarhe = lead(&mut g, "Tarhe", "W1");
    lead(&mut g, "Tecumseh", "W1");
    // 5 exceeds Tarhe's 2 plus 2, but not 3 plus 2.
    let trial = Trial::new(g, move |t, mut g| async move {
        atrocity::assassinate(&t, &mut g, Side::Us, tarhe).await;
        g
    });
    let end = trial.any_dice([5]).start().over();
    assert_eq!(end.chief(tarhe).spot, Spot::On(at(&end, "W1")));
}

/// dark-and-bloody-ground 9.5.1, 14.0.4, T:pillaging-table
#[test]
fn girty_helps_to_pillage_though_he_has_acted() {
    let begun = |with: &str, acts: u8| {
        let mut g = war();
        (g.season, g.commitment) = (Season::Summer, 3);
        at_war(&mut g, "Shawnee", 3);
        put(&mut g, "Shawnee", 2, "U3");
        let girty = lead(&mut g, "Girty", with);
        g.chief_mut(girty).acts = acts;
        activation::acting(g, Side::Na, 4)
    };
    let after = |with: &str, acts: u8, words: &str| {
        let now = begun(with, acts).say(words).now();
        (now.land(at(&now, "U3")).pillaged, now.chief(leader(&now, "Girty")).done)
    };
    let (alone, named) = ("pillage u3 with 2 shawnee", "pillage u3 with 2 shawnee, girty");
    assert_eq!([after("U3", 1, alone), after("S4", 1, alone)], [(true, false), (false, false)]);
    assert_eq!(after("U3", 0, named), (true, true), "with pillage he has completed his actions");
    assert!(begun("U3", 1).refused(named).contains("9.5.1"), "pillage is no second activation");
}

/// dark-and-bloody-ground 11.2.1
#[test]
fn a_fort_is_taken_down_in_the_end_phase() {
    let finish = |g: State| {
        Trial::new(g, |t, mut g| async move {
            fort::finish(&t, &mut g);
            g
        })
        .start()
    };
    let mut g = war();
    us_fort(&mut g, "S4");
    let s4 = at(&g, "S4");
    let units = put(&mut g, "kentucky-militia", 5, "S4");
    let harmar = lead(&mut g, "Harmar", "S4");
    g.unit_mut(units[0]).inside = true;
    g.chief_mut(harmar).inside = true;
    let mut begun = activation::acting(g.clone(), Side::Us, 1);
    begun.say("dismantle s4");
    let told = begun.story().join("\n");
    assert!(told.contains("take down the fort at"), "{told}");
    let begun = begun.now();
    assert!(begun.fort_of(s4, Side::Us), "it is whole until the End Phase");
    let refused = fort::may_build(&begun, s4, true, &[]).expect_err("it is being taken down").rule;
    assert_eq!(refused, "11.2.1");
    let mut run = finish(begun.clone());
    let end = run.over();
    assert!(run.story().join("\n").contains("is taken down."));
    assert!(end.land(s4).fort.is_none() && !end.unit(units[0]).inside && !end.chief(harmar).inside);
    assert_eq!(end.vps, g.vps, "no VPs are lost");
    // The leader has gone, fallen or acted again, or too few are left: the fort stands and can be
    // taken down later.
    let mut gone = begun.clone();
    gone.chief_mut(harmar).spot = Spot::On(at(&g, "U1"));
    let mut again = begun.clone();
    fort::abandon(&mut again, &Force { units: Vec::new(), leaders: vec![harmar] });
    let mut few = begun;
    few.unit_mut(units[1]).spot = Spot::Gone;
    for g in [gone, again, few] {
        let end = finish(g).over();
        assert!(end.land(s4).fort.as_ref().is_some_and(|fort| fort.work.is_none()) && end.unit(units[0]).inside);
    }
}

/// dark-and-bloody-ground 9.2.1, 9.2.2, 9.2.3, 6.0.2, 4.5
#[test]
fn markers_are_spent_by_orders() {
    let mut g = war();
    (g.season, g.commitment, g.vps) = (Season::Summer, 3, [5, 5]);
    at_war(&mut g, "Shawnee", 3);
    let k2 = at(&g, "K2");
    g.land_mut(k2).settlers = 1;
    let regular = put(&mut g, "regular", 1, "S6")[0];
    put(&mut g, "Shawnee", 1, "S5");
    let harmar = lead(&mut g, "Harmar", "S6");
    let blue_jacket = lead(&mut g, "Blue Jacket", "S5");
    // 1 + 3 of Blue Jacket, who is nobody's primary, against 6 + 1 of Harmar: the sides have five
    // markers or more.
    for (order, die, check) in [
        ("atrocity at k2", 1, (false, false, [5, 6])),
        // A regular by itself in the wild: one more than the die.
        ("ambush regular at s6", 2, (false, false, [5, 5])),
        ("ambush regular at s6", 3, (true, false, [5, 7])),
        ("assassinate harmar", 3, (false, false, [5, 4])),
        ("assassinate harmar", 4, (false, true, [5, 8])),
    ] {
        let mut run = activation::acting(g.clone(), Side::Us, die);
        run.say("pass");
        let before = run.now().atrocities;
        run.say(order);
        let now = run.now();
        let gone = [now.unit(regular).spot, now.chief(harmar).spot].map(|spot| !matches!(spot, Spot::On(_)));
        assert_eq!((gone[0], gone[1], now.vps), check, "{order} with {die}");
        assert_eq!(now.atrocities[1], before[1] - 1, "{order}");
        assert_eq!(now.land(k2).atrocity[1] == 1 && now.people(k2) == 0, order.starts_with("atrocity"), "{order}");
        assert!(now.chief(blue_jacket).spot.area().is_some());
    }
}

/// Equal totals are rolled again; equal dice bring a third for McKee.
///
/// dark-and-bloody-ground 9.1, 9.2, 14.0.5
#[test]
fn ties_of_the_initiative_are_rolled_again() {
    let mut g = war();
    put(&mut g, "regular", 1, "U1");
    lead(&mut g, "Harmar", "U1");
    let mckee = lead(&mut g, "McKee", "W5");
    // Harmar's 1 makes 3 of 2, as many as the 3 of the Native Americans; then 4 + 1 against 4.
    for (third, lives, told) in
        [(5, true, "third die for McKee: 5, 4 needed: he lives."), (4, false, "McKee: 4: he dies")]
    {
        let trial =
            acting(g.clone()).dice("initiative, US", [2, 4]).dice("initiative, NA", [3, 4]).dice("McKee", [third]);
        let mut run = trial.start();
        let now = run.now();
        assert_eq!((now.initiative, now.atrocities), (Side::Us, [1, 1]));
        assert_eq!(now.chief(mckee).spot.area().is_some(), lives);
        let story = run.story().join("\n");
        assert!(story.contains(told) && story.contains("1 Atrocity marker a side."), "{story}");
    }
}

/// dark-and-bloody-ground 9.5.1, 14.0.4
#[test]
fn girty_is_listed_with_the_pillagers_until_he_has_acted() {
    let listed = |acts: u8, done: bool| {
        let mut g = war();
        (g.season, g.commitment) = (Season::Summer, 3);
        at_war(&mut g, "Shawnee", 3);
        let units = put(&mut g, "Shawnee", 3, "U3");
        g.unit_mut(units[0]).acts = 1;
        let girty = lead(&mut g, "Girty", "U3");
        (g.chief_mut(girty).acts, g.chief_mut(girty).done) = (acts, done);
        let words = activation::acting(g, Side::Na, 4).words();
        let option = words.iter().map(|words| words.to_lowercase()).find(|words| words.starts_with("pillage u3"));
        option.expect("two of three warriors can still pillage").contains("girty")
    };
    assert_eq!([listed(0, false), listed(1, false), listed(0, true)], [true, false, false]);
}
