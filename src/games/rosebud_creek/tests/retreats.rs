//! Retreats and Routs (10.I, 10.J), Retreat Fire (9.G).

use super::super::{
    State,
    doctrine::{About, Doctrine, FireWill},
    fire, retreat, rout,
    state::{Mode, Phase, Spot},
    testing::*,
};

fn cause(g: &State, foe: &str) -> fire::Cause {
    let foe = unit(g, foe);
    fire::Cause { from: g.hex(foe).expect("on the map"), foe, volley: Some(fire::Volley::Advance) }
}

/// A Retreat of so many hexes.
fn falling(g: &State, who: &str, foe: &str, hexes: u16) -> Trial {
    let (u, cause) = (unit(g, who), cause(g, foe));
    let mut g = g.clone();
    g.phase = Phase::Defensive;
    Trial::new(g, move |t, mut g| async move {
        retreat::fall_back(&t, &mut g, u, hexes, cause).await;
        g
    })
}

/// Each hex farther from the enemy, none beside him, out of ZOCs where it can; no MPs, no terrain.
///
/// rosebud-creek 10.I, 7.G
#[test]
fn retreats_lead_away() {
    let mut g = bare();
    foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    let end = falling(&g, "3A", "H1", 1).start().over();
    let far = |g: &State, a: &str, b: &str| g.charts.grid.distance(g.hex(unit(g, a)).expect("there"), hex(g, b));
    assert_eq!(far(&end, "3A", "1709"), 2);
    let end = falling(&g, "3A", "H1", 2).start().over();
    assert_eq!(far(&end, "3A", "1709"), 3);
    // The owner's way: toward a hex.
    g.doctrine[0] = g.doctrine[0].with(About::FallBack, "2010", &g.charts.grid).expect("a doctrine");
    let end = falling(&g, "3A", "H1", 2).start().over();
    assert!(far(&end, "3A", "2010") < 3);
    // Or asked, one of the hexes that are as good.
    g.doctrine[0] = g.doctrine[0].with(About::FallBack, "ask", &g.charts.grid).expect("a doctrine");
    let mut run = falling(&g, "3A", "H1", 1).start();
    assert_eq!(run.asked(), [(crate::table::Seat(0), "retreat-way")]);
    run.check_options(3);
    let first = run.words()[0].clone();
    run.say(&first);
    assert_eq!(at(&run.over(), "3A"), first);
}

/// Without a hex it stays; with all hexes barred it is eliminated; off the map it scores nothing.
///
/// rosebud-creek 10.I, 7.J
#[test]
fn where_retreats_end() {
    // In a corner.
    let mut g = bare();
    foot(&mut g, "3A", "1120");
    foot(&mut g, "H1", "1119");
    let end = falling(&g, "3A", "H1", 1).start().over();
    assert!(end.vps == [0, 0] && end.unit(unit(&end, "3A")).spot != Spot::Dead);
    let mut g = bare();
    g.doctrine[1] = Doctrine { retreat: FireWill::No, ..Doctrine::default() };
    foot(&mut g, "3A", "1710");
    for (id, at) in
        ["H1", "H2", "H3", "H4", "H5", "H6"].into_iter().zip(["1709", "1810", "1811", "1711", "1611", "1610"])
    {
        foot(&mut g, id, at);
    }
    let near: Vec<String> = g.charts.grid.neighbours(hex(&g, "1710")).map(|at| g.id(at)).collect();
    assert!(near.iter().all(|id| g.here(hex(&g, id)).next().is_some()), "{near:?}");
    let end = falling(&g, "3A", "H1", 1).start().over();
    assert_eq!((end.unit(unit(&end, "3A")).spot, end.losses, end.vps), (Spot::Dead, [5, 0], [0, 5]));
}

/// Into a full hex nobody retreats to stay: he goes on, and a unit there is Disrupted.
///
/// rosebud-creek 10.I, 6
#[test]
fn full_hexes_are_passed() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    let full = ["1711", "1610", "1810"].map(|id| hex(&g, id));
    let ids = ["2A", "2B", "2D", "2E", "2I", "3E", "3I", "3M", "3B", "3D", "3F", "3L", "3C", "3G"];
    for (i, id) in ids.into_iter().enumerate() {
        let to = full[i % 3];
        let u = unit(&g, id);
        g.put(u, Spot::On(to));
    }
    for (id, at) in [("9C", 0), ("9G", 0), ("9H", 1), ("4D", 1), ("4F", 2), ("MIN", 2)] {
        let u = unit(&g, id);
        g.put(u, Spot::On(full[at]));
    }
    assert!(full.iter().all(|&hex| g.stacked(hex) > 20));
    let end = falling(&g, "3A", "H1", 1).start().over();
    assert!(end.hex(a).is_some_and(|at| !full.contains(&at) && end.stacked(at) <= 25));
    assert!(end.units.iter().any(|unit| unit.disrupted), "those who are passed");
}

/// Who is forced into an enemy ZOC is fired at in full strength, each time; a friend in the hex forbids it.
///
/// rosebud-creek 9.G, 5
#[test]
fn retreat_fire() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    // Every way leads into the ZOC of H2 or H3.
    foot(&mut g, "H2", "1911");
    foot(&mut g, "H3", "1511");
    foot(&mut g, "H4", "1712");
    let mut run = falling(&g, "3A", "H1", 1).dice("fire", [1, 2, 1, 2, 1, 2]);
    run = run.dice("morale", []);
    let mut run = run.start();
    let told = run.story();
    assert!(told.iter().any(|line| line.starts_with("Retreat Fire") && line.contains("strength 6")), "{told:?}");
    let end = run.now();
    assert!(end.hex(a).is_some());
    let mut calm = g.clone();
    for near in ["1711", "1610", "1810"] {
        let free = ["3E", "3I", "3M"].into_iter().find(|id| calm.hex(unit(&calm, id)).is_none()).expect("a unit");
        foot(&mut calm, free, near);
    }
    let mut run = falling(&calm, "3A", "H1", 1).start();
    assert!(!run.story().iter().any(|line| line.starts_with("Retreat Fire")));
    // 9.G, 10.J.3: a Routing unit that loses by it does not Rout anew; a bare MC only Pins.
    g.unit_mut(a).routed = true;
}

/// Mandatory Rout: two hexes on foot, three mounted; markers; a unit without a first hex is eliminated.
///
/// rosebud-creek 10.J, 3.B
#[test]
fn mandatory_routs() {
    let mut g = bare();
    g.phase = Phase::Defensive;
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    let routs = |g: &State, mode: Mode| {
        let mut g = g.clone();
        g.unit_mut(a).mode = mode;
        g.unit_mut(a).pinned = true;
        let cause = cause(&g, "H1");
        let trial = Trial::new(g, move |t, mut g| async move {
            rout::mandatory(&t, &mut g, a, cause).await;
            g
        });
        let end = trial.start().over();
        let unit = end.unit(a);
        assert!(unit.routed && !unit.pinned && unit.rout_from == Some(hex(&end, "1710")));
        end.charts.grid.distance(end.hex(a).expect("there"), hex(&end, "1710"))
    };
    assert_eq!([routs(&g, Mode::Dismounted), routs(&g, Mode::Prone), routs(&g, Mode::Mounted)], [2, 2, 3]);
    lead(&mut g, "Mills", "1710");
    assert!(!super::super::zoc::is_full(
        &{
            let mut g = g.clone();
            g.unit_mut(a).routed = true;
            g
        },
        a
    ));
}

/// Subsequent Rout: the US to a Rally Location, four hexes on foot, eight mounted; Indians until three hexes from all enemies.
///
/// rosebud-creek 10.J, 7.H
#[test]
fn subsequent_routs() {
    let mut g = bare();
    g.phase = Phase::Movement;
    let flees = |g: &State, u| {
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            rout::subsequent(&t, &mut g, u, 0, false).await;
            g
        });
        trial.start().over()
    };
    let a = foot(&mut g, "3A", "1712");
    ride(&mut g, "H1", "1707");
    foot(&mut g, "3E", "1720");
    g.unit_mut(a).routed = true;
    g.unit_mut(a).rout_from = Some(hex(&g, "1712"));
    let end = flees(&g, a);
    let moved = end.charts.grid.distance(end.hex(a).expect("there"), hex(&g, "1712"));
    assert!(moved <= 4 && (moved > 0 || rout::may_stop(&g, a, hex(&g, "1712"))), "{moved}");
    // Beside a non-Routed unit it stops.
    foot(&mut g, "3I", "1715");
    assert!(rout::may_stop(&g, a, hex(&g, "1714")) && rout::is_location(&g, a, hex(&g, "1715")));
    // Where the Rout began, and beside that, is no Rally Location in this Rout.
    foot(&mut g, "3M", "1713");
    assert!(!rout::is_location(&g, a, hex(&g, "1713")));
    let h = unit(&g, "H1");
    g.unit_mut(h).routed = true;
    for id in ["3A", "3E", "3I", "3M"] {
        let u = unit(&g, id);
        g.put(u, Spot::Pool);
    }
    foot(&mut g, "3A", "1709");
    let end = flees(&g, h);
    assert_eq!(
        super::super::zoc::enemy_distance(&end, end.hex(h).expect("there"), super::super::components::Side::Indian),
        Some(3)
    );
}

/// A unit may Rout of its own will after fire, its owner asked or by his doctrine; it moves at once and not again.
///
/// rosebud-creek 10.J, 12.A
#[test]
fn voluntary_routs() {
    let mut g = bare();
    g.phase = Phase::Defensive;
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1708");
    foot(&mut g, "3E", "1718");
    g.doctrine[0] = g.doctrine[0].with(About::Rout, "ask", &g.charts.grid).expect("a doctrine");
    let window = |g: &State| {
        Trial::new(g.clone(), move |t, mut g| async move {
            rout::window(&t, &mut g, a).await;
            g
        })
    };
    let mut run = window(&g).start();
    assert_eq!(run.asked(), [(crate::table::Seat(0), "rout-or-stay")]);
    run.say("no");
    assert!(!run.over().unit(a).routed);
    let mut run = window(&g).start();
    run.say("yes");
    let end = run.over();
    assert!(end.unit(a).routed && end.unit(a).did.fled && at(&end, "3A") != "1710");
    g.doctrine[0] = g.doctrine[0].with(About::Rout, "left 1", &g.charts.grid).expect("a doctrine");
    assert!(!window(&g).start().over().unit(a).routed);
    g.unit_mut(a).losses = 4;
    assert!(window(&g).start().over().unit(a).routed);
    // With its horses beside it, it may mount first.
    foot(&mut g, "3AH", "1710");
    let mounted = window(&g).start().over();
    assert_eq!((mounted.unit(a).mode, at(&mounted, "3AH").as_str()), (Mode::Mounted, "-"));
    g.doctrine[0] = g.doctrine[0].with(About::Rout, "ask", &g.charts.grid).expect("a doctrine");
    let mut run = window(&g).start();
    run.say("mounted");
    assert_eq!(run.over().unit(a).mode, Mode::Mounted);
}
