//! The words of orders.

use super::super::{
    State,
    components::Side,
    drawn, march,
    order::{Order, Shot},
    state::Mode,
    testing::*,
};
use postrider_table::map::WayKind;

fn moving(mut g: State, side: Side) -> Running {
    g.phasing = side;
    let trial = Trial::new(g, |t, mut g| async move {
        march::phase(&t, &mut g).await;
        g
    });
    trial.start()
}

fn words(run: &Running, said: &str) -> String {
    match run.read(said) {
        Ok(Order::Move { moves }) => {
            let one = |going: &super::super::order::Going| format!("{} {}", going.who.join(" "), going.acts.len());
            moves.iter().map(one).collect::<Vec<_>>().join("; ")
        }
        Ok(other) => format!("{other:?}"),
        Err(why) => why.why,
    }
}

/// Groups, tribes with numbers, Leaders with all units in their hex, lines, and missing steps.
#[test]
fn groups_and_ways() {
    let mut g = bare();
    for (id, at) in [("H1", "1610"), ("H2", "1610"), ("H3", "1610"), ("H4", "1710")] {
        ride(&mut g, id, at);
    }
    lead(&mut g, "Gall", "1610");
    foot(&mut g, "H5H", "1610");
    let run = moving(g.clone(), Side::Indian);
    assert_eq!(words(&run, "hunkpapa 1-3: 1610 > 1611 > 1612, dismount"), "H1 H2 H3 3");
    assert_eq!(words(&run, "hunkpapa 1, 3: 1611"), "H1 H3 1");
    assert_eq!(words(&run, "h1 h2 move 1611"), "H1 H2 1");
    assert_eq!(words(&run, "gall: 1611"), "H1 H2 H3 1", "he and all with him, the holder apart");
    assert_eq!(words(&run, "gall alone 1611"), "Gall 1");
    assert_eq!(words(&run, "all in 1610 to 1611"), "H1 H2 H3 H5H 1");
    assert_eq!(words(&run, "h1 h4 to 1612"), "H1 2; H4 2", "each by its own way");
    assert_eq!(words(&run, "h1 1611 also h2 1609"), "H1 1; H2 1");
    assert_eq!(words(&run, "line gall: 1611 1609 1610"), "H1 1; H2 1");
    // A Leader's name may begin with a number word.
    ride(&mut g, "C1", "1610");
    ride(&mut g, "C2", "1610");
    lead(&mut g, "Two Moon", "1610");
    let cheyenne = moving(g.clone(), Side::Indian);
    assert_eq!(words(&cheyenne, "cheyenne two moon to 1611"), "C1 C2 Two Moon 1");
    assert_eq!(words(&cheyenne, "cheyenne 2 to 1611"), "C2 1");
    assert!(words(&run, "h9 1611").contains("no unit"));
    assert!(words(&run, "hunkpapa 1-9: 1611").contains("6 units"));
    assert!(words(&run, "h1 9999").contains("no hex"));
    assert!(words(&run, "h1").contains("where they go"));
    run.check_options(60);
    assert_eq!(run.now().unit(unit(&run.now(), "H1")).mode, Mode::Mounted);
}

#[test]
fn what_is_said_is_read_back() {
    let mut g = bare();
    ride(&mut g, "3A", "1610");
    ride(&mut g, "3E", "1610");
    foot(&mut g, "H1", "1613");
    let run = moving(g, Side::Us);
    for said in [
        "3a 3e 1611, dismount",
        "3a charge 1613 1611 1612",
        "3a recover",
        "doctrine fall back 1410",
        "doctrine rout left 1",
        "doctrine opportunity fire cavalry",
        "abandon 3ah",
        "build 3a",
        "personnel 2 from ppa to 3a",
    ] {
        let order = run.read(said).unwrap_or_else(|why| panic!("{said}: {why}"));
        let seen = run.session.look().expect("it runs");
        let ticket = &seen.tickets[0];
        let again = ticket.prompt.say(&seen.state, ticket.seat, &order).unwrap_or_else(|| panic!("{said}: no words"));
        assert_eq!(run.read(&again).as_ref(), Ok(&order), "{said}: {again}");
    }
}

/// rosebud-creek 10.A
#[test]
fn refusals_name_what_there_is() {
    let mut g = bare();
    foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    g.phasing = Side::Us;
    let trial = super::super::testing::Trial::new(g, |t, mut g| async move {
        super::super::melee::phase(&t, &mut g).await;
        g
    });
    let mut run = trial.start();
    let why = run.refused("melee 1709 with 3a if 7-2");
    assert!(why.contains("7-2") && why.contains("3-1"), "{why}");
}

#[test]
fn orders_show_their_ways() {
    let mut g = bare();
    for (id, at) in [("H1", "1610"), ("H2", "1610"), ("H4", "1710")] {
        ride(&mut g, id, at);
    }
    let shots = Order::fire(vec![Shot { who: "H1".into(), at: "H4".into(), half: false }]);
    let attack = Order::Melee {
        at: "1711".into(),
        with: vec!["H1".into(), "H4".into()],
        odds: String::new(),
        pursue: true,
        advance: true,
        pursuing: Vec::new(),
        again: String::new(),
        advancing: Vec::new(),
        from: String::new(),
    };
    let drawn = |g: &State, order: &Order| -> Vec<(WayKind, String)> {
        drawn::ways(g, order).into_iter().map(|way| (way.what, way.places.join(" "))).collect()
    };
    let is = |what: WayKind, places: &str| (what, places.to_owned());
    assert_eq!(drawn(&g, &shots), [is(WayKind::Fire, "1610 1710")]);
    assert_eq!(drawn(&g, &attack), [is(WayKind::Attack, "1610 1711"), is(WayKind::Attack, "1710 1711")]);
    let run = moving(g, Side::Indian);
    let moves = run.read("h1 h2: 1610 > 1611 > 1612, dismount also h4 1711").unwrap();
    let g = run.now();
    assert_eq!(drawn(&g, &moves), [is(WayKind::Move, "1610 1611 1612"), is(WayKind::Move, "1710 1711")]);
    assert_eq!(drawn(&g, &Order::Done {}), []);
}

#[test]
fn a_line_says_who_cannot_follow_it() {
    let mut g = bare();
    for id in ["3B", "3D"] {
        ride(&mut g, id, "1711");
    }
    foot(&mut g, "3F", "1711");
    lead(&mut g, "Henry", "1711");
    let mut run = moving(g, Side::Us);
    let why = words(&run, "line henry: 1811 1712 1715");
    assert!(why.contains("nobody moves: Reynolds (3F) does not reach 1715 with 4 MPs, but 1811 or 1712"), "{why}");
    let others = why.split('`').nth(1).expect("what would do").to_owned();
    assert_eq!(others, "move 3b henry: 1811 also 3d: 1712");
    assert!(words(&run, "line henry: 1811 1712 1613").contains("3F 2"), "in reach");
    let why = words(&run, "line henry: 1717 1712 1812 dismount");
    assert!(why.contains("Meinhold (3B) does not reach 1717 and get down with 6 MPs, but 1712 or 1812"), "{why}");
    run.say(&others);
    assert_eq!([at(&run.now(), "3B"), at(&run.now(), "3D"), at(&run.now(), "3F")], ["1811", "1712", "1711"]);
}

#[test]
fn a_move_that_is_none_is_called_what_it_is() {
    let mut g = bare();
    ride(&mut g, "H1", "1711");
    ride(&mut g, "3A", "2311");
    let mut run = moving(g, Side::Indian);
    let misread = |run: &mut Running, said: &str| run.read(said).expect_err("no order");
    let why = misread(&mut run, "h1: 4800");
    // The hex is consumed, so that it is not read as a separate order.
    assert_eq!(
        (why.why.as_str(), why.understood, &"h1: 4800"[why.start..why.end]),
        ("4800 is no hex of the map", 2, "4800")
    );
    assert!(misread(&mut run, "1712").why.contains("name who goes there"));
    assert!(misread(&mut run, "all in 1210 to 1712").why.contains("nobody there can move"));
    let why = misread(&mut run, "3a: 2310");
    assert_eq!((why.why.as_str(), why.understood), ("3A belongs to the US", 2));
}

/// rosebud-creek 10.A, 10.B
#[test]
fn smaller_melees_are_listed_where_they_are_as_good() {
    let mut g = bare();
    let listed = |g: &State| {
        let mut g = g.clone();
        g.phasing = Side::Us;
        let trial = super::super::testing::Trial::new(g, |t, mut g| async move {
            super::super::melee::phase(&t, &mut g).await;
            g
        });
        let run = trial.start();
        run.check_options(20);
        run.words()
    };
    for id in ["3A", "3E", "3I"] {
        foot(&mut g, id, "1610");
    }
    let h = foot(&mut g, "H1", "1611");
    g.unit_mut(h).losses = 1;
    // 15 to 5 is 3-1, 10 to 5 is 2-1: all units are needed.
    assert_eq!(listed(&g), ["done", "melee 1611 with 3a 3e 3i"]);
    // 11 to 4 and 10 to 4 are both 2-1: the third unit, with one point, adds nothing.
    let u = unit(&g, "3I");
    (g.unit_mut(u).losses, g.unit_mut(h).losses) = (4, 2);
    assert_eq!(listed(&g), ["done", "melee 1611 with 3a 3e 3i", "melee 1611 with 3a 3e"]);
    // The Disrupted units are most of the attack, -1; the third alone also has 5-1.
    let mut tired = g.clone();
    for id in ["3A", "3E"] {
        let u = unit(&tired, id);
        tired.unit_mut(u).disrupted = true;
    }
    (tired.unit_mut(u).losses, tired.unit_mut(h).losses) = (0, 5);
    let all = listed(&tired);
    assert!(all.contains(&"melee 1611 with 3i".to_owned()) && all.len() <= 4, "{all:?}");
}

fn placing(g: State, side: Side) -> Running {
    let trial = Trial::new(g, |t, mut g| async move {
        super::super::setup::phase(&t, &mut g).await;
        g
    });
    let mut run = trial.start();
    if side == Side::Indian {
        run.say("done");
    }
    run
}

/// rosebud-creek 18.1, 7.A
#[test]
fn ranges_are_all_between_their_ends() {
    let mut run = placing(game(crate::variant::Variant::default()), Side::Us);
    let placed = |run: &mut Running, said: &str| match run.read(said) {
        Ok(Order::Place { who, hex, .. }) => format!("{} {hex}", who.join(" ")),
        Ok(other) => format!("{other:?}"),
        Err(why) => why.why,
    };
    let noyes = "2AH 2BH 2DH 2EH 2IH 3412";
    for said in [
        "place 2ah-2ih at 3412",
        "place 2ah-ih 3412",
        "place 2ah – 2ih 3412",
        "place 2a-2i holders 3412",
        "place noyes holders in 3412",
        "place capt. noyes holders in 3412",
        "place 2ah, 2bh, 2dh, 2eh and 2ih at 3412",
    ] {
        assert_eq!(placed(&mut run, said), noyes, "{said}");
    }
    assert_eq!(placed(&mut run, "place infantry holders 3212"), "9CH 9GH 9HH 4DH 4FH 3212");
    assert_eq!(placed(&mut run, "place henry holders at 2913"), "3BH 3DH 3FH 3LH 2913");
    for said in ["place 3ah-3mh 3614", "place 2ih-2ah 3412", "place 2ah-3mh 3412", "place 2ah-9 3412"] {
        let why = placed(&mut run, said);
        assert!(why.contains("is no clear range"), "{said}: {why}");
    }
    assert!(placed(&mut run, "place holders 3412").contains("whose Holders"));
    assert!(placed(&mut run, "place med, 2a holders 3412").contains("MED has no Holders"));
    let mut g = bare();
    for (id, at) in [("H1", "1610"), ("H2", "1610"), ("H3", "1610"), ("O3", "1710"), ("O4", "1710")] {
        ride(&mut g, id, at);
    }
    let run = moving(g.clone(), Side::Indian);
    assert_eq!(words(&run, "h1-3: 1611"), "H1 H2 H3 1");
    assert_eq!(words(&run, "h1-h3: 1611"), "H1 H2 H3 1");
    assert_eq!(words(&run, "o3-o4 1711"), "O3 O4 1");
    assert_eq!(words(&run, "h1 - to 1612"), "H1 2", "a dash between other words is none of a range");
    assert_eq!(words(&run, "h1: 1611-1612"), "H1 2");
    assert!(words(&run, "h1-o4: 1611").contains("no clear range"));
    assert!(words(&run, "h1-9: 1611").contains("no clear range"));
    // Lost units within a range are left out.
    let lost = unit(&g, "H2");
    g.put(lost, super::super::state::Spot::Dead);
    let run = moving(g, Side::Indian);
    assert_eq!(words(&run, "h1-3: 1611"), "H1 H3 1");
}

/// rosebud-creek 9.A, 10.A
#[test]
fn who_fires_and_who_attacks() {
    let mut g = bare();
    for id in ["3B", "3D", "3F", "3L"] {
        foot(&mut g, id, "1710");
    }
    lead(&mut g, "Henry", "1710");
    foot(&mut g, "9C", "1611");
    for (id, at) in [("H1", "1709"), ("C4", "1709"), ("O2", "1711")] {
        foot(&mut g, id, at);
    }
    let firing = |g: &State, side: Side| {
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            let volley = super::super::fire::Volley::Defensive(super::super::state::Volume::Full);
            super::super::volley::phase(&t, &mut g, side, super::super::state::Phase::Defensive, volley).await;
            g
        });
        trial.start()
    };
    let shots = |run: &mut Running, said: &str| match run.read(said) {
        Ok(Order::Fire { shots, best }) => {
            let all: Vec<String> = shots.iter().map(|shot| format!("{}>{}", shot.who, shot.at)).collect();
            format!("{}{}", all.join(" "), best.map_or_else(String::new, |least| format!(" best {least}")))
        }
        Ok(other) => format!("{other:?}"),
        Err(why) => why.why,
    };
    let mut run = firing(&g, Side::Us);
    for said in [
        "fire 3b 3d at h1",
        "fire 3b and 3d at h1",
        "fire 3b, 3d at h1",
        "fire 3b at h1, 3d at h1",
        "fire 3b at h1 and 3d at h1",
    ] {
        assert_eq!(shots(&mut run, said), "3B>H1 3D>H1", "{said}");
    }
    assert_eq!(shots(&mut run, "fire henry at h1"), "3B>H1 3D>H1 3F>H1 3L>H1");
    assert_eq!(shots(&mut run, "fire 3b h1"), "3B>H1");
    assert_eq!(shots(&mut run, "fire 3b-h1"), "3B>H1", "a dash before a target");
    assert_eq!(shots(&mut run, "fire 3b at h1, rest at best 8"), "3B>H1 best 8");
    assert!(shots(&mut run, "fire 3b-3l at h1").contains("no clear range"));
    // Names that begin alike on both sides are distinguished.
    foot(&mut g, "OLD", "1710");
    let mut run = firing(&g, Side::Indian);
    assert_eq!(shots(&mut run, "fire h1 old crow"), "H1>OLD");
    g.put(unit(&g, "OLD"), super::super::state::Spot::Pool);
    let attack = |g: &State, said: &str| {
        let mut g = g.clone();
        g.phasing = Side::Us;
        let trial = Trial::new(g, |t, mut g| async move {
            super::super::melee::phase(&t, &mut g).await;
            g
        });
        match trial.start().read(said) {
            Ok(Order::Melee { with, odds, pursue, advance, advancing, pursuing, again, .. }) => {
                let words = pursue.then_some("pursue".to_owned()).into_iter().chain(pursuing).chain([again]);
                let pursue: String = words.filter(|word| !word.is_empty()).map(|word| format!(" {word}")).collect();
                format!("{} {odds} {advance} {}{pursue}", with.join(" "), advancing.join(" "))
            }
            Ok(other) => format!("{other:?}"),
            Err(why) => why.why,
        }
    };
    assert_eq!(attack(&g, "melee 1709 with henry"), "3B 3D 3F 3L  true ");
    assert_eq!(attack(&g, "melee 1709 with Henry and his men if 3-1 advance 3f 3l"), "3B 3D 3F 3L 3-1 true 3F 3L");
    assert_eq!(attack(&g, "melee 1709 with all if 3-1 no advance"), "3B 3D 3F 3L 3-1 false ");
    assert_eq!(attack(&g, "melee 1709 with all but 3l"), "3B 3D 3F  true ");
    assert_eq!(attack(&g, "melee 1709 with 3b pursue no advance"), "3B  false  pursue");
    assert_eq!(attack(&g, "melee 1709 with 3b 3d pursue no advance 3d"), "3B 3D  true 3D");
    assert_eq!(attack(&g, "melee 1709 with 3b 3d pursue 3d if 2-1 advance 3b"), "3B 3D  true 3B pursue 3D 2-1");
    assert_eq!(attack(&g, "melee 1709 with 3b no advance pursue no"), "3B  false ");
    assert_eq!(attack(&g, "melee 1709 with 3b henry"), "3B  true ", "he is attached to it");
    assert!(attack(&g, "melee 1709 with 3d henry").contains("attached to none"));
    assert!(attack(&g, "melee 1709 with 3b-3l").contains("no clear range"));
    for said in ["pursue 3b no pursuit", "advance 3b advance 3d", "no advance, advance 3b", "from 1710 from 1810"] {
        let why = attack(&g, &format!("melee 1709 with 3b 3d {said}"));
        assert!(why.contains("said before"), "{said}: {why}");
    }
    foot(&mut g, "3A", "1710");
    assert!(attack(&g, "melee 1709 with henry").contains("not clear whom Henry means"));
}

/// rosebud-creek 12.A
#[test]
fn leaders_who_go_along_are_named() {
    let mut g = bare();
    foot(&mut g, "9C", "1710");
    foot(&mut g, "9G", "1710");
    for id in ["Crook", "Royall", "Chambers"] {
        lead(&mut g, id, "1710");
    }
    let stays = leader(&g, "Royall");
    g.chief_mut(stays).with = Some(unit(&g, "9G"));
    let mut run = moving(g, Side::Us);
    let order = run.read("9c chambers: 1711").expect("an order");
    assert_eq!(words(&run, "9c chambers: 1711"), "9C 1");
    let seen = run.session.look().expect("it runs");
    let ticket = &seen.tickets[0];
    let said = ticket.prompt.say(&seen.state, ticket.seat, &order).expect("words");
    assert_eq!(said, "move 9c crook chambers: 1711");
    run.say(&said);
    let told = run.story();
    assert!(told.iter().any(|line| line == "Munson (9C), with Crook and Chambers, moves to 1711."), "{told:?}");
    let g = run.now();
    assert_eq!(g.chief(stays).spot.hex(), Some(hex(&g, "1710")));
}

/// rosebud-creek 6, 18.1
#[test]
fn what_a_move_lacks_is_said() {
    let mut g = bare();
    for id in ["3A", "3E", "3I", "3M"] {
        ride(&mut g, id, "1710");
    }
    ride(&mut g, "3B", "1711");
    foot(&mut g, "H1", "1609");
    lead(&mut g, "Mills", "1710");
    let mut run = moving(g.clone(), Side::Us);
    assert!(words(&run, "3b: to 1711").contains("Meinhold (3B) is in 1711 already"));
    assert_eq!(words(&run, "3b 3a: to 1711"), "3A 1", "the other stands there");
    let why = words(&run, "3b:");
    assert!(why.contains("what they do") && !why.contains("1710"), "no full hex is an example: {why}");
    let why = run.refused("3b: 1710");
    assert!(why.contains("1710 would hold 29") && why.contains("Lawson (3A), Sutorious (3E)"), "{why}");
    assert_eq!(words(&run, "capt mills with all his companies: 1611"), "3A 3E 3I 3M 1");
    let other = ride(&mut g, "3D", "1711");
    g.put(other, super::super::state::Spot::On(hex(&g, "1610")));
    let run = moving(g, Side::Us);
    assert_eq!(words(&run, "Captain Mills alone 1611"), "Mills 1");
    let mut g = game(crate::variant::Variant::default());
    g.turn = 1;
    let mut run = moving(g, Side::Indian);
    assert_eq!(words(&run, "h1 h2: enter at 2900"), "H1 H2 1");
    assert_eq!(words(&run, "enter h1-h2 at 2900"), "H1 H2 1");
    let offered = run.words();
    let first = offered.iter().find(|words| words.contains("h1")).expect("an entry");
    let example = first.clone();
    run.say(&example);
    assert!(run.now().hex(unit(&run.now(), "H1")).is_some(), "{example}");
}

/// rosebud-creek 4.E
#[test]
fn an_aim_is_nobody_elses_business() {
    use postrider_table::Whom;
    let mut g = bare();
    foot(&mut g, "H1", "1710");
    foot(&mut g, "3A", "1612");
    let mut run = moving(g, Side::Indian);
    run.say("h1: 1711, fire 3a");
    let told = run.session.take_told();
    let aims: Vec<Whom> = told.iter().filter(|told| told.line.contains("aims at")).map(|told| told.whom).collect();
    assert_eq!(aims, [Whom::Seat(run.now().seat(Side::Indian))]);
}

/// rosebud-creek 7, 8, 12.A
#[test]
fn every_change_of_state_is_told() {
    let mut g = bare();
    quiet(&mut g);
    let a = ride(&mut g, "3A", "1710");
    let e = foot(&mut g, "3E", "1710");
    g.unit_mut(e).disrupted = true;
    lead(&mut g, "Mills", "1510");
    let told = |said: &str| {
        let mut run = moving(g.clone(), Side::Us);
        run.say(said);
        run.story()
    };
    let (lawson, other) = (g.called(a), g.called(e));
    for (said, lines) in [
        ("3a: prone", vec![format!("{lawson} goes Prone.")]),
        ("3a: dismount, 1711", vec![format!("{lawson} dismounts."), format!("{lawson} moves to 1711.")]),
        ("3a: dismount, mount", vec![format!("{lawson} dismounts."), format!("{lawson} mounts.")]),
        ("3e: recover", vec![format!("{other} recovers from Disruption.")]),
        ("mills: 1610 > 1710, attach 3e", vec!["Mills joins 3E.".to_owned(), "Mills moves to 1710.".to_owned()]),
    ] {
        assert_eq!(told(said), lines, "{said}");
    }
}
