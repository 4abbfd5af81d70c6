//! Orders in words.

use super::super::{
    State,
    components::Side,
    drawn, march,
    order::{Order, Shot},
    state::Mode,
    testing::*,
};
use crate::table::map::WayKind;

fn moving(mut g: State, side: Side) -> Running {
    g.phasing = side;
    let trial = Trial::new(g, |t, mut g| async move {
        march::phase(&t, &mut g).await;
        g
    });
    trial.start()
}

fn words(run: &mut Running, said: &str) -> String {
    match run.read(said) {
        Ok(Order::Move { moves }) => {
            let one = |going: &super::super::order::Going| format!("{} {}", going.who.join(" "), going.acts.len());
            moves.iter().map(one).collect::<Vec<_>>().join("; ")
        }
        Ok(other) => format!("{other:?}"),
        Err(why) => why.why,
    }
}

/// Groups, tribes with numbers, Leaders with all in their hex, lines, steps filled in.
#[test]
fn groups_and_ways() {
    let mut g = bare();
    for (id, at) in [("H1", "1610"), ("H2", "1610"), ("H3", "1610"), ("H4", "1710")] {
        ride(&mut g, id, at);
    }
    lead(&mut g, "Gall", "1610");
    foot(&mut g, "H5H", "1610");
    let mut run = moving(g.clone(), Side::Indian);
    assert_eq!(words(&mut run, "hunkpapa 1-3: 1610 > 1611 > 1612, dismount"), "H1 H2 H3 3");
    assert_eq!(words(&mut run, "hunkpapa 1, 3: 1611"), "H1 H3 1");
    assert_eq!(words(&mut run, "h1 h2 move 1611"), "H1 H2 1");
    assert_eq!(words(&mut run, "gall: 1611"), "H1 H2 H3 1", "he and all with him, the holder apart");
    assert_eq!(words(&mut run, "gall alone 1611"), "Gall 1");
    assert_eq!(words(&mut run, "all in 1610 to 1611"), "H1 H2 H3 H5H 1");
    assert_eq!(words(&mut run, "h1 h4 to 1612"), "H1 2; H4 2", "each by its own way");
    assert_eq!(words(&mut run, "h1 1611 also h2 1609"), "H1 1; H2 1");
    assert_eq!(words(&mut run, "line gall: 1611 1609 1610"), "H1 1; H2 1");
    // A Leader's name may begin like a number.
    ride(&mut g, "C1", "1610");
    ride(&mut g, "C2", "1610");
    lead(&mut g, "Two Moon", "1610");
    let mut cheyenne = moving(g.clone(), Side::Indian);
    assert_eq!(words(&mut cheyenne, "cheyenne two moon to 1611"), "C1 C2 Two Moon 1");
    assert_eq!(words(&mut cheyenne, "cheyenne 2 to 1611"), "C2 1");
    assert!(words(&mut run, "h9 1611").contains("no unit"));
    assert!(words(&mut run, "hunkpapa 1-9: 1611").contains("6 units"));
    assert!(words(&mut run, "h1 9999").contains("no hex"));
    assert!(words(&mut run, "h1").contains("where they go"));
    run.check_options(60);
    assert_eq!(run.now().unit(unit(&run.now(), "H1")).mode, Mode::Mounted);
}

/// What is said is read back as the same order.
#[test]
fn what_is_said_is_read_back() {
    let mut g = bare();
    ride(&mut g, "3A", "1610");
    ride(&mut g, "3E", "1610");
    foot(&mut g, "H1", "1613");
    let mut run = moving(g, Side::Us);
    for said in [
        "3a 3e 1611, dismount",
        "3a charge 1613 1611 1612",
        "3a recover",
        "standing fall back 1410",
        "standing rout left 1",
        "standing opportunity fire cavalry",
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

/// A unit of the other side is called what it is, and odds that the table does not have are answered with those that it has.
///
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

/// What orders would do is drawn hex by hex, from where units stand.
#[test]
fn orders_show_their_ways() {
    let mut g = bare();
    for (id, at) in [("H1", "1610"), ("H2", "1610"), ("H4", "1710")] {
        ride(&mut g, id, at);
    }
    let shots = Order::Fire { shots: vec![Shot { who: "H1".into(), at: "H4".into(), half: false }] };
    let attack = Order::Melee {
        at: "1711".into(),
        with: vec!["H1".into(), "H4".into()],
        odds: String::new(),
        pursue: true,
        advance: true,
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
    let mut run = moving(g, Side::Indian);
    let moves = run.read("h1 h2: 1610 > 1611 > 1612, dismount also h4 1711").unwrap();
    let g = run.now();
    assert_eq!(drawn(&g, &moves), [is(WayKind::Move, "1610 1611 1612"), is(WayKind::Move, "1710 1711")]);
    assert_eq!(drawn(&g, &Order::Done {}), []);
}

/// A line that one unit cannot follow moves nobody, and the answer says which unit, what it reaches and how the others go.
#[test]
fn a_line_says_who_cannot_follow_it() {
    let mut g = bare();
    for id in ["3B", "3D"] {
        ride(&mut g, id, "1711");
    }
    foot(&mut g, "3F", "1711");
    lead(&mut g, "Henry", "1711");
    let mut run = moving(g, Side::Us);
    let why = words(&mut run, "line henry: 1811 1712 1715");
    assert!(why.contains("nobody moves: Reynolds (3F) does not reach 1715 with 4 MPs, but 1811 or 1712"), "{why}");
    let others = why.split('`').nth(1).expect("what would do").to_owned();
    assert_eq!(others, "move 3b: 1811 also 3d: 1712");
    assert!(words(&mut run, "line henry: 1811 1712 1613").contains("3F 2"), "in reach");
    let why = words(&mut run, "line henry: 1717 1712 1812 dismount");
    assert!(why.contains("Meinhold (3B) does not reach 1717 and get down with 6 MPs, but 1712 or 1812"), "{why}");
    run.say(&others);
    assert_eq!([at(&run.now(), "3B"), at(&run.now(), "3D"), at(&run.now(), "3F")], ["1811", "1712", "1711"]);
}

/// A hex that is none, and a move of nobody, are called what they are.
#[test]
fn a_move_that_is_none_is_called_what_it_is() {
    let mut g = bare();
    ride(&mut g, "H1", "1711");
    ride(&mut g, "3A", "2311");
    let mut run = moving(g, Side::Indian);
    let misread = |run: &mut Running, said: &str| run.read(said).expect_err("no order");
    let why = misread(&mut run, "h1: 4800");
    // The hex is understood as one, so that it is not taken for an order of its own.
    assert_eq!(
        (why.why.as_str(), why.understood, &"h1: 4800"[why.start..why.end]),
        ("4800 is no hex of the map", 2, "4800")
    );
    assert!(misread(&mut run, "1712").why.contains("name who goes there"));
    assert!(misread(&mut run, "all in 1210 to 1712").why.contains("nobody there can move"));
    let why = misread(&mut run, "3a: 2310");
    assert_eq!((why.why.as_str(), why.understood), ("3A belongs to the US", 2));
}

/// Beside the melee with all the list has smaller ones that promise as much: without who adds nothing, without the Disrupted.
///
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
        let mut run = trial.start();
        run.check_options(20);
        run.words()
    };
    for id in ["3A", "3E", "3I"] {
        foot(&mut g, id, "1610");
    }
    let h = foot(&mut g, "H1", "1611");
    g.unit_mut(h).losses = 1;
    // 15 to 5 is 3-1, 10 to 5 is 2-1: all are wanted.
    assert_eq!(listed(&g), ["done", "melee 1611 with 3a 3e 3i"]);
    // 11 to 4 and 10 to 4 are both 2-1: the third, of one point, adds nothing.
    let u = unit(&g, "3I");
    (g.unit_mut(u).losses, g.unit_mut(h).losses) = (4, 2);
    assert_eq!(listed(&g), ["done", "melee 1611 with 3a 3e 3i", "melee 1611 with 3a 3e"]);
    // The Disrupted ones make most of the attack, -1; the third alone has 5-1 too.
    let mut tired = g.clone();
    for id in ["3A", "3E"] {
        let u = unit(&tired, id);
        tired.unit_mut(u).disrupted = true;
    }
    (tired.unit_mut(u).losses, tired.unit_mut(h).losses) = (0, 5);
    let all = listed(&tired);
    assert!(all.contains(&"melee 1611 with 3i".to_owned()) && all.len() <= 4, "{all:?}");
}
