//! Mandatory moves: the Column HQ (12.E.5), badly wounded Leaders (12.D.1), Personnel (15.B), the
//! Eagle's Nest (16.D).

use super::super::{
    State,
    components::Side,
    doctrine::About,
    duties, leaders, march,
    movement::{self, Mover},
    order::Act,
    state::{Mode, Phase, Spot, Wound},
    testing::*,
};

fn dutiful(g: &State) -> State {
    let mut g = g.clone();
    (g.phasing, g.phase) = (Side::Us, Phase::Movement);
    let trial = Trial::new(g, |t, mut g| async move {
        duties::fulfil(&t, &mut g);
        g
    });
    trial.start().over()
}

/// The HQ mounts at no cost and fights dismounted; its staff is a Leader; it stays within Crook's
/// radius.
///
/// rosebud-creek 12.E, 12.B
#[test]
fn the_column_hq() {
    let mut g = bare();
    let hq = ride(&mut g, "HQ", "2018");
    lead(&mut g, "Crook", "3018");
    assert_eq!(g.posture(hq), Mode::Dismounted, "unmarked it fights on foot");
    assert_eq!((g.cf(hq), movement::allowance(&g, hq, Mode::Mounted)), (1, 6));
    let dismount = Act::Dismount {};
    let mover = Mover::Unit(hq);
    let mut foot_g = g.clone();
    movement::act(&mut foot_g, mover, &dismount).expect("free");
    assert_eq!((foot_g.unit(hq).did.spent, at(&foot_g, "HQH")), (0, "2018".to_owned()));
    let mut us = g.clone();
    us.phasing = Side::Us;
    let trial = Trial::new(us, |t, mut g| async move {
        duties::fulfil(&t, &mut g);
        g
    });
    let end = trial.start().over();
    let far = |g: &State| g.charts.grid.distance(g.hex(hq).expect("there"), hex(g, "3018"));
    assert!(far(&end) < far(&g), "with all its MPs toward him");
    assert_eq!(end.phase, Phase::Movement);
}

/// rosebud-creek 12.E
#[test]
fn the_headquarters_keep_near_crook() {
    let mut g = bare();
    g.phasing = Side::Us;
    lead(&mut g, "Crook", "1710");
    let crook = leader(&g, "Crook");
    let radius = leaders::radius(&g, crook).expect("a radius");
    ride(&mut g, "HQ", "1710");
    let goal = g.charts.grid.hexes().find(|&at| {
        let (a, far) = (hex(&g, "1710"), g.charts.grid.distance(at, hex(&g, "1710")));
        let way = march::March::way_to(&g, Mover::Unit(unit(&g, "HQ")), at);
        a != at && far == radius + 1 && way.is_some()
    });
    let goal = g.id(goal.expect("a hex one beyond the radius"));
    let mut run = moving(&g, Side::Us).start();
    assert!(run.refused(&format!("hq to {goal}")).contains("Crook"));
    run.say(&format!("crook hq to {goal}")).say("done");
    assert_eq!(at(&run.over(), "HQ"), goal);
}

/// rosebud-creek 12.E
#[test]
fn the_hq_goes_to_the_others_without_crook() {
    let mut g = bare();
    quiet(&mut g);
    ride(&mut g, "HQ", "2018");
    foot(&mut g, "3A", "2618");
    let crook = lead(&mut g, "Crook", "2618");
    g.chief_mut(crook).spot = Spot::Dead;
    let to = |g: &State, id: &str| moving(g, Side::Us).start().try_say(&format!("hq: to {id}")).err();
    assert!(to(&g, "1718").is_some_and(|why| why.contains("12.E.5")));
    assert_eq!(to(&g, "2218"), None);
    // From an enemy ZOC no free way leads anywhere.
    let mut held = g.clone();
    ride(&mut held, "H1", "2019");
    assert_eq!(to(&held, "1718"), None);
    // A badly wounded Leader commands nobody, and can himself be the destination. A severe
    // wound counts as a mortal one (12.D.1).
    for wound in [Wound::Mortal, Wound::Severe] {
        let mut hurt = g.clone();
        (hurt.chief_mut(crook).spot, hurt.chief_mut(crook).wound) = (Spot::On(hex(&g, "2618")), wound);
        assert!(to(&hurt, "1718").is_some_and(|why| why.contains("12.E.5")));
        // The company adjacent to the HQ is closer than Crook.
        foot(&mut hurt, "3E", "2117");
        assert_eq!(at(&dutiful(&hurt), "HQ"), "2117", "{wound:?}");
    }
}

/// rosebud-creek 12.D, 12.E
#[test]
fn ways_that_the_rules_demand() {
    let mut g = bare();
    quiet(&mut g);
    ride(&mut g, "3A", "1711");
    lead(&mut g, "Crook", "1711");
    let hq = ride(&mut g, "HQ", "2611");
    let start = g.hex(hq);
    assert_ne!(dutiful(&g).hex(hq), start);
    ride(&mut g, "H1", "2711");
    assert_eq!(dutiful(&g).hex(hq), start);
    // Mills alone, with Indians all around his path.
    let mut g = bare();
    ride(&mut g, "HQ", "1711");
    let mills = lead(&mut g, "Mills", "1715");
    g.chief_mut(mills).wound = Wound::Severe;
    for (id, at) in [("H1", "1614"), ("H2", "1814"), ("H3", "1716"), ("H4", "1516"), ("H5", "1916")] {
        ride(&mut g, id, at);
    }
    let start = g.chief(mills).spot;
    assert_ne!(dutiful(&g).chief(mills).spot, start);
}

/// rosebud-creek 12.D, 12.E
#[test]
fn who_follows_kills_leaders_who_are_alone() {
    let mut g = bare();
    quiet(&mut g);
    ride(&mut g, "3A", "1711");
    lead(&mut g, "Crook", "1711");
    let hq = ride(&mut g, "HQ", "2311");
    let there = dutiful(&g).hex(hq).expect("on the map");
    let id = g.id(there);
    let gall = lead(&mut g, "Gall", &id);
    assert_eq!(dutiful(&g).chief(gall).spot, Spot::Dead);
}

/// rosebud-creek 12.E, 16.D
#[test]
fn who_lies_prone_gets_up_for_a_duty() {
    let mut g = bare();
    let hq = ride(&mut g, "HQ", "2018");
    lead(&mut g, "Crook", "3018");
    movement::act(&mut g, Mover::Unit(hq), &Act::Prone {}).expect("free");
    let end = dutiful(&g);
    assert!(far(&end, "HQ", "3018") < far(&g, "HQ", "3018") && end.unit(hq).mode != Mode::Prone);
    // Within his radius it stays Prone.
    let mut near = g.clone();
    lead(&mut near, "Crook", "2019");
    assert_eq!(dutiful(&near).unit(hq).mode, Mode::Prone);
    let mut g = bare();
    foot(&mut g, "3G", "3015");
    let c = put(&mut g, "3C", "3316", Mode::Prone);
    let end = dutiful(&g);
    assert!(far(&end, "3C", "2815") < far(&g, "3C", "2815") && end.unit(c).mode == Mode::Dismounted);
}

/// rosebud-creek 12.D
#[test]
fn the_badly_wounded_are_brought_to_the_hq() {
    let mut g = bare();
    ride(&mut g, "3A", "1711");
    ride(&mut g, "HQ", "2311");
    let mills = lead(&mut g, "Mills", "1711");
    let order = |g: &State, said: &str| moving(g, Side::Us).start().try_say(said);
    for wound in [Wound::Severe, Wound::Mortal] {
        g.chief_mut(mills).wound = wound;
        // Away, sideways, or not as far as he could.
        for said in ["mills alone 1611", "mills alone 1710", "mills alone 1811 1911 2011"] {
            assert!(order(&g, said).is_err_and(|why| why.contains("12.D.1")), "{said}");
        }
        let mut run = moving(&g, Side::Us).start();
        run.say("mills alone 1811 1911 2011 2110");
        assert_eq!(run.now().chief(mills).spot, Spot::On(hex(&g, "2110")), "4 MPs");
        // With his unit he may go anywhere.
        assert_eq!(order(&g, "3a 1611"), Ok(()));
    }
    // He has 4 MPs and cannot keep up with a unit that has 6.
    let away = "3a 1611 > 1511 > 1411 > 1311 > 1211";
    let why = order(&g, away).expect_err("he cannot follow");
    assert!(why.contains("left alone"), "{why}");
    // It is enough if another unit stays with him.
    foot(&mut g, "3E", "1711");
    assert_eq!(order(&g, "mills 3a 1611"), Ok(()));
    g.chief_mut(mills).wound = Wound::Moderate;
    assert_eq!(order(&g, "mills alone 1611"), Ok(()));
}

/// His way is straight if each step brings him closer in hexes, or each in MPs; he ends it where
/// his MPs do not pay for the next step, or at the HQ or a train that is not abandoned.
///
/// rosebud-creek 12.D
#[test]
fn what_is_straight_for_a_badly_wounded_leader() {
    // He has 4 MPs.
    let order = |from: &str, (haven, at): (&str, &str), abandoned: bool, way: &str| {
        let mut g = bare();
        foot(&mut g, "3A", "2611");
        let haven = ride(&mut g, haven, at);
        g.unit_mut(haven).abandoned = abandoned;
        let mills = lead(&mut g, "Mills", from);
        g.chief_mut(mills).wound = Wound::Severe;
        moving(&g, Side::Us).start().try_say(&format!("mills alone {way}"))
    };
    for (from, haven, way, straight) in [
        // 1615 is as far from 1116 as 1614, five hexes, but by 5 MPs instead of 6.
        ("1614", ("HQ", "1116"), "1615 1515 1416 1316", true),
        ("1614", ("HQ", "1116"), "1615 1515 1416", false),
        // 1714 is closer in neither.
        ("1614", ("HQ", "1116"), "1714 1615", false),
        // 1503 is closer to 1202 in hexes, three instead of four, but also 5 MPs away. From 1403
        // the next hex, 1302, would take 2 MPs, and he has 1.
        ("1604", ("HQ", "1202"), "1503 1403", true),
        ("1604", ("HQ", "1202"), "1503", false),
        // There he may stop with 3 MPs left.
        ("1711", ("HQ", "1811"), "1811", true),
        ("1711", ("PTA", "1811"), "1811", true),
        ("1711", ("HQ", "2011"), "1811", false),
    ] {
        assert_eq!(order(from, haven, false, way).is_ok(), straight, "{from} > {way} to {haven:?}");
    }
    let why = order("1711", ("PTA", "1811"), true, "1811").expect_err("nobody is with that train");
    assert!(why.contains("12.D.1"), "{why}");
}

/// rosebud-creek 12.E
#[test]
fn the_hq_goes_to_the_nearest_leader_without_crook() {
    let mut g = bare();
    quiet(&mut g);
    ride(&mut g, "HQ", "2018");
    foot(&mut g, "3A", "2618");
    let crook = lead(&mut g, "Crook", "2618");
    g.chief_mut(crook).spot = Spot::Dead;
    // Mills goes along with the HQ, toward 3A.
    lead(&mut g, "Mills", "2018");
    let end = dutiful(&g);
    let left = far(&end, "HQ", "2618");
    assert!(left < 6, "{left} hexes away");
    assert_eq!(end.chief(leader(&end, "Mills")).spot.hex(), end.hex(unit(&end, "HQ")));
    // Royall alone is closer.
    lead(&mut g, "Royall", "2016");
    assert_eq!(at(&dutiful(&g), "HQ"), "2016");
}

/// rosebud-creek 15.B
#[test]
fn personnel_go_back_to_their_train() {
    let mut g = bare();
    let (train, _) = (foot(&mut g, "PTA", "1710"), foot(&mut g, "PPA", "1714"));
    g.unit_mut(train).abandoned = true;
    let order = |g: &State, said: &str| moving(g, Side::Us).start().try_say(said);
    for away in ["ppa: 1715", "ppa: 1815"] {
        assert!(order(&g, away).is_err_and(|why| why.contains("15.B")), "{away}");
    }
    assert_eq!(order(&g, "ppa: 1713"), Ok(()));
    // Without a free path they may go anywhere, but not off the map.
    ride(&mut g, "H1", "1713");
    assert_eq!(order(&g, "ppa: 1715"), Ok(()));
    foot(&mut g, "PPA", "1720");
    for held in [true, false] {
        assert!(order(&g, "ppa: exit").is_err_and(|why| why.contains("15.B")), "{held}");
        let h1 = unit(&g, "H1");
        g.put(h1, Spot::Pool);
    }
    g.put(train, Spot::Dead);
    assert_eq!(order(&g, "ppa: exit"), Ok(()), "no train is left");
}

/// rosebud-creek 15.B, 16.C, 16.D
#[test]
fn who_is_under_breastworks_gets_up_for_a_duty() {
    let mut g = bare();
    let (train, personnel) = (foot(&mut g, "PTA", "1710"), foot(&mut g, "PPA", "1714"));
    g.unit_mut(train).abandoned = true;
    let c = foot(&mut g, "3C", "3316");
    for u in [personnel, c] {
        g.unit_mut(u).works = true;
    }
    let end = dutiful(&g);
    assert!(far(&end, "PPA", "1710") < far(&g, "PPA", "1710") && !end.unit(personnel).works);
    assert!(far(&end, "3C", "2815") < far(&g, "3C", "2815") && !end.unit(c).works);
}

/// rosebud-creek 16.D
#[test]
fn who_is_driven_from_the_eagles_nest_goes_back() {
    let mut g = bare();
    ride(&mut g, "3C", "3316");
    ride(&mut g, "3G", "3015");
    ride(&mut g, "3B", "3316");
    let ends = |g: &State| {
        let mut run = moving(g, Side::Us).start();
        run.say("done");
        let end = run.over();
        ["3C", "3G", "3B"]
            .map(|id| (end.charts.grid.distance(hex(&end, &at(&end, id)), end.charts.eagles_nest), at(&end, id)))
    };
    let [c, of_g, b] = ends(&g);
    assert_eq!((c.0, of_g.1, b.1), (3, "3015".to_owned(), "3316".to_owned()));
    g.eagle_free = true;
    assert_eq!(ends(&g)[0].1, "3316");
}

/// rosebud-creek 16.D
#[test]
fn van_vliet_goes_back_to_the_eagles_nest() {
    let mut g = bare();
    foot(&mut g, "3C", "3015");
    foot(&mut g, "3G", "3015");
    lead(&mut g, "Van Vliet", "3316");
    let lag = |g: &State| {
        let l = leader(g, "Van Vliet");
        g.charts.grid.distance(g.chief(l).spot.hex().expect("on the map"), g.charts.eagles_nest)
    };
    assert!(lag(&g) > 3 && lag(&dutiful(&g)) <= 3);
}

/// rosebud-creek 12.A, 16.D
#[test]
fn leaders_go_back_to_the_eagles_nest_with_their_company() {
    let mut g = bare();
    let c = ride(&mut g, "3C", "3316");
    let mills = lead(&mut g, "Mills", "3316");
    let end = dutiful(&g);
    assert_ne!(at(&end, "3C"), "3316");
    assert_eq!((end.chief(mills).spot, end.chief(mills).with), (end.unit(c).spot, Some(c)));
}

/// rosebud-creek 12.E
#[test]
fn the_hq_may_only_go_toward_the_closest_haven() {
    let mut g = bare();
    quiet(&mut g);
    ride(&mut g, "HQ", "2018");
    foot(&mut g, "3A", "2015");
    foot(&mut g, "3E", "2818");
    let order = |said: &str| moving(&g, Side::Us).start().try_say(said);
    assert_eq!(order("hq: 2017"), Ok(()));
    for away in ["hq: 2019", "hq: 2118"] {
        assert!(order(away).is_err_and(|why| why.contains("12.E.5")), "{away}");
    }
}

/// rosebud-creek 12.E, 8.D
#[test]
fn the_hq_mounts_at_no_cost_even_with_a_holder_that_has_moved() {
    let mut g = bare();
    let (hq, h) = (foot(&mut g, "HQ", "2018"), foot(&mut g, "HQH", "2018"));
    g.unit_mut(h).did.spent = 2;
    movement::act(&mut g, Mover::Unit(hq), &Act::Mount {}).expect("free");
    assert_eq!((g.unit(hq).mode, g.unit(hq).did.spent), (Mode::Mounted, 0));
}

/// rosebud-creek 12.E
#[test]
fn a_separated_hq_does_not_go_sideways() {
    let mut g = bare();
    quiet(&mut g);
    ride(&mut g, "HQ", "2018");
    ride(&mut g, "3A", "3018");
    lead(&mut g, "Crook", "3018");
    assert!(moving(&g, Side::Us).start().refused("hq: 2019").contains("12.E.5"));
    assert_eq!(moving(&g, Side::Us).start().try_say("hq: to 2318"), Ok(()));
}

/// Puts units of the US into a hex until it has 25 Combat Factors.
fn fill(g: &mut State, at: &str) {
    for id in ["2A", "2B", "2D", "2E", "2I"] {
        foot(g, id, at);
    }
    assert_eq!(g.stacked(hex(g, at)), 25);
}

/// Personnel have 4 MPs, which are two clear hexes. They pass 1612, which is full, but do not end in
/// 1611 if that is.
///
/// rosebud-creek 6, 15.B
#[test]
fn personnel_pass_a_full_hex() {
    let mut g = bare();
    quiet(&mut g);
    let (train, _) = (foot(&mut g, "PTA", "1609"), foot(&mut g, "PPA", "1613"));
    g.unit_mut(train).abandoned = true;
    let ends = |g: &State| at(&moving(g, Side::Us).start().say("done").over(), "PPA");
    assert_eq!(ends(&g), "1611");
    let mut full = g.clone();
    fill(&mut full, "1612");
    assert_eq!(ends(&full), "1611");
    fill(&mut g, "1611");
    assert_eq!(ends(&g), "1612");
}

/// The HQ comes within five hexes of Crook, in 1715. If that is full it goes to 1615.
///
/// rosebud-creek 6, 12.E
#[test]
fn the_hq_passes_a_full_hex() {
    let mut g = bare();
    quiet(&mut g);
    foot(&mut g, "3A", "1710");
    lead(&mut g, "Crook", "1710");
    ride(&mut g, "HQ", "1717");
    let ends = |g: &State| at(&moving(g, Side::Us).start().say("done").over(), "HQ");
    assert_eq!(ends(&g), "1715");
    for (at, end) in [("1716", "1715"), ("1715", "1615")] {
        let mut full = g.clone();
        fill(&mut full, at);
        assert_eq!(ends(&full), end, "{at} is full");
    }
}

/// Three hexes from the Eagle's Nest are 3115, and behind it 3015.
///
/// rosebud-creek 6, 16.D
#[test]
fn a_company_passes_a_full_hex_on_its_way_back() {
    let mut g = bare();
    quiet(&mut g);
    ride(&mut g, "3C", "3316");
    foot(&mut g, "3G", "3015");
    let ends = |g: &State| at(&moving(g, Side::Us).start().say("done").over(), "3C");
    assert_eq!(ends(&g), "3115");
    for (at, end) in [("3216", "3115"), ("3215", "3115"), ("3115", "3015")] {
        let mut full = g.clone();
        fill(&mut full, at);
        assert_eq!(ends(&full), end, "{at} is full");
    }
}

/// The HQ is in 1720, at the edge. It leaves the map with Crook, but not alone while he is two hexes
/// off, in 1718; nor without him while a free path leads to 3A in 1716.
///
/// rosebud-creek 12.E, 7.J
#[test]
fn the_hq_leaves_the_map_with_crook_only() {
    let mut g = bare();
    quiet(&mut g);
    let hq = ride(&mut g, "HQ", "1720");
    ride(&mut g, "3A", "1716");
    let crook = lead(&mut g, "Crook", "1718");
    let order = |g: &State, said: &str| moving(g, Side::Us).start().try_say(said);
    let why = order(&g, "hq: exit").expect_err("he is on the map");
    assert!(why.contains("12.E.5") && why.contains("1718"), "{why}");
    let mut both = g.clone();
    both.chief_mut(crook).spot = Spot::On(hex(&g, "1720"));
    both.chief_mut(crook).with = Some(hq);
    let mut run = moving(&both, Side::Us).start();
    let now = run.say("hq: exit").now();
    assert_eq!((now.unit(hq).spot, now.chief(crook).spot), (Spot::Off, Spot::Off));
    g.chief_mut(crook).spot = Spot::Dead;
    let why = order(&g, "hq: exit").expect_err("3A is there");
    assert!(why.contains("12.E.5") && why.contains("closest"), "{why}");
    // In an enemy ZOC no free path begins.
    ride(&mut g, "H1", "1719");
    assert_eq!(order(&g, "hq: exit"), Ok(()));
}

/// Crook's radius is five hexes. He is in 1605, five hexes from the HQ in 1610 and six from 1611:
/// it neither advances there nor pursues H1 beyond, as 3A does.
///
/// rosebud-creek 12.E, 10.H
#[test]
fn the_hq_does_not_advance_or_pursue_away_from_crook() {
    let mut g = bare();
    quiet(&mut g);
    for id in ["3A", "HQ"] {
        ride(&mut g, id, "1610");
    }
    let h = foot(&mut g, "H1", "1611");
    g.unit_mut(h).routed = true;
    let ends = |g: &State, crook: &str| {
        let mut g = g.clone();
        lead(&mut g, "Crook", crook);
        [("no pursue", &[][..]), ("pursue only no advance", &[1])].map(|(how, pursuit)| {
            let trial = fighting(&g, Side::Us).dice("retreat before melee", [6]);
            let mut run = trial.dice("pursuit", pursuit.iter().copied()).start();
            let end = run.say(&format!("melee 1611 with 3a hq {how}")).over();
            ["3A", "HQ"].map(|id| far(&end, id, "1610"))
        })
    };
    assert_eq!(ends(&g, "1605"), [[1, 0], [1, 0]]);
    assert_eq!(ends(&g, "1606"), [[1, 1], [1, 1]], "a hex closer");
}

/// The HQ in 1611 is attacked from 1610. A Retreat Before Melee leads away from there: with Crook in
/// 1606 out of his radius of five hexes, with Crook in 1616 toward him.
///
/// rosebud-creek 12.E, 10.H
#[test]
fn the_hq_does_not_retreat_away_from_crook_before_a_melee() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Us, About::BeforeMelee, "odds 1 short");
    let hq = ride(&mut g, "HQ", "1611");
    foot(&mut g, "H1", "1610");
    let goes = |g: &State, crook: &str| {
        let mut g = g.clone();
        lead(&mut g, "Crook", crook);
        let trial = fighting(&g, Side::Indian).dice("retreat before melee", [6]).any_dice([3; 6]);
        let mut run = trial.start();
        let story = run.say("melee 1611 with h1 no advance").story().join(" ");
        story.contains("Retreats before melee")
    };
    assert_eq!(["1606", "1616"].map(|crook| goes(&g, crook)), [false, true]);
    // A Routed HQ must go.
    g.unit_mut(hq).routed = true;
    assert!(goes(&g, "1606"));
}

/// rosebud-creek 12.E, 7.C
#[test]
fn a_leader_follows_the_hq_with_his_own_mps() {
    let mut g = bare();
    ride(&mut g, "HQ", "2018");
    lead(&mut g, "Crook", "3018");
    let royall = lead(&mut g, "Royall", "2018");
    for (spent, follows) in [(0, true), (7, false)] {
        g.chief_mut(royall).spent = spent;
        let end = dutiful(&g);
        assert_ne!(at(&end, "HQ"), "2018");
        assert_eq!(end.chief(royall).spot == end.unit(unit(&end, "HQ")).spot, follows, "{spent}");
    }
}
