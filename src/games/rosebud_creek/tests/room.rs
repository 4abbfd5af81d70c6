//! Retreats into hexes without room (10.I, 6).

use super::super::{
    State,
    components::{Side, UnitId},
    doctrine::About,
    melee, retreat,
    state::{Phase, Spot},
    testing::*,
};

/// Returns 3A with Mills in 1710, attacked from 1709 only, with full hexes all around its back:
/// 1611, 1711 and 1811. Its owner is asked where it goes.
fn pressed() -> State {
    let mut g = bare();
    quiet(&mut g);
    foot(&mut g, "3A", "1710");
    lead(&mut g, "Mills", "1710");
    for id in ["H1", "H2", "H3", "H4", "H5", "H6"] {
        foot(&mut g, id, "1709");
    }
    for (at, ids) in [
        ("1611", ["2A", "2B", "2D", "2E", "2I"].as_slice()),
        ("1711", ["3E", "3I", "3M", "3C", "3G"].as_slice()),
        ("1811", ["3B", "3D", "3F", "3L", "9C", "9H"].as_slice()),
    ] {
        for id in ids {
            foot(&mut g, id, at);
        }
        assert!(g.stacked(hex(&g, at)) > 20, "{at}: {}", g.stacked(hex(&g, at)));
    }
    says(&mut g, Side::Us, About::FallBack, "ask");
    g
}

/// Orders a melee against 1710 that makes 3A retreat one hex and does nothing else, and returns it
/// at the question of where 3A goes.
fn attacked(g: &State) -> Running {
    let all = ["H1", "H2", "H3", "H4", "H5", "H6"];
    let found = (1..=all.len()).find_map(|n| {
        let attackers: Vec<UnitId> = all[..n].iter().map(|id| unit(g, id)).collect();
        let battle = melee::reckon(g, &attackers, hex(g, "1710"));
        let alone = |&die: &i64| {
            let [own, theirs] = battle.result(g, die);
            theirs.retreat == 1 && theirs.lost == 0 && !theirs.rout && own.lost == 0 && own.retreat == 0 && !own.rout
        };
        (1..=6).find(alone).map(|die| (all[..n].join(" "), die))
    });
    let (with, die) = found.expect("a Retreat by one hex alone");
    let mut g = g.clone();
    g.phase = Phase::Melee;
    let mut run = fighting(&g, Side::Indian).dice("melee", [die]).start();
    run.say(&format!("melee 1710 with {with} no advance"));
    run
}

/// Returns the units of the US that are Disrupted by those who pass, without 3A itself.
fn jostled(g: &State) -> usize {
    g.on_map(Side::Us).filter(|&u| g.unit(u).disrupted && g.name(u) != g.name(unit(g, "3A"))).count()
}

/// rosebud-creek 10.I, 6.A
#[test]
fn a_hex_with_exactly_enough_room_ends_a_retreat() {
    let mut g = pressed();
    let (there, own) = (g.stacked(hex(&g, "1711")), g.stacking(unit(&g, "3A")));
    // As many Casualty Points as make it 25 in all.
    let e = unit(&g, "3E");
    assert!(there + own >= 25, "{there} and {own}");
    g.unit_mut(e).losses = (there + own - 25) as u8;
    let mut run = attacked(&g);
    run.say("1711");
    let end = run.now();
    assert_eq!((at(&end, "3A").as_str(), end.stacked(hex(&end, "1711")), jostled(&end)), ("1711", 25, 0));
}

/// rosebud-creek 10.I, 6.A
#[test]
fn a_retreat_goes_on_to_the_first_hex_with_room() {
    let mut g = pressed();
    for id in ["9G", "4D", "4F", "MIN", "OLD"] {
        foot(&mut g, id, "1712");
    }
    assert!(g.stacked(hex(&g, "1712")) > 20, "{}", g.stacked(hex(&g, "1712")));
    let mut run = attacked(&g);
    run.say("1711").say("1712").say("1713");
    let end = run.now();
    assert_eq!((at(&end, "3A").as_str(), jostled(&end)), ("1713", 2));
    assert_eq!(end.chief(leader(&end, "Mills")).spot, Spot::On(hex(&end, "1713")));
}

/// With enemies in all hexes farther away, a hex at the side with room will do; without one the
/// unit is lost, and its Leader dies with it. The hex that it left is adjacent to the attackers,
/// and so no way out.
///
/// rosebud-creek 10.I, 12.D, 6.A
#[test]
fn who_finds_no_room_in_a_crowd_is_lost() {
    let mut g = pressed();
    for (id, to) in [("O1", "1612"), ("O2", "1712"), ("O3", "1812")] {
        foot(&mut g, id, to);
    }
    // 1811 has room again.
    let mut roomy = g.clone();
    for id in ["3B", "3D"] {
        let u = unit(&roomy, id);
        roomy.put(u, Spot::Pool);
    }
    let mut run = attacked(&roomy);
    run.say("1711");
    let end = run.now();
    assert_eq!((at(&end, "3A").as_str(), jostled(&end)), ("1811", 1));
    assert_eq!(end.chief(leader(&end, "Mills")).spot, Spot::On(hex(&end, "1811")));
    // Without it there is none.
    let mut run = attacked(&g);
    run.say("1711");
    let end = run.now();
    assert_eq!((end.unit(unit(&end, "3A")).spot, jostled(&end)), (Spot::Dead, 1));
    assert_eq!(end.chief(leader(&end, "Mills")).spot, Spot::Dead);
    assert!(end.vps[1] > g.vps[1], "its points are casualties");
}

/// At the edge of the map a hex at the side with room, outside enemy ZOCs if there is one, precedes
/// the way off the map.
///
/// rosebud-creek 10.I, 6.A
#[test]
fn who_finds_no_room_at_the_edge_goes_along_it() {
    let mut g = bare();
    quiet(&mut g);
    let a = foot(&mut g, "3A", "1720");
    for id in ["2A", "2B", "2D", "2E", "2I", "3I"] {
        foot(&mut g, id, "1720");
    }
    let h1 = foot(&mut g, "H1", "1718");
    let room = |g: &State| {
        let enemy = hex(g, "1718");
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            let flight = retreat::Flight { foes: &[h1], ..retreat::Flight::step(enemy) };
            retreat::room(&t, &mut g, a, flight).await;
            g
        });
        trial.start().over().unit(a).spot
    };
    assert_eq!(room(&g), Spot::On(hex(&g, "1620")));
    foot(&mut g, "H2", "1519");
    assert_eq!(room(&g), Spot::On(hex(&g, "1820")));
    for (id, at) in [("H3", "1620"), ("H4", "1820")] {
        foot(&mut g, id, at);
    }
    assert_eq!(room(&g), Spot::Off);
}
