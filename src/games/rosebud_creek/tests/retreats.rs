//! Retreats and Routs (10.I, 10.J), Retreat Fire (9.G).

use super::super::{
    State,
    components::Outcome,
    doctrine::{About, Doctrine, FireWill},
    fire, reaction, retreat, rout,
    state::{Mode, Phase, Spot, Volume},
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
    let full = ["1711", "1611", "1811"].map(|id| hex(&g, id));
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

/// Who is forced into an enemy ZOC is fired at in full strength, each time, by each unit once a phase; a friend in the hex forbids it; a
/// unit that is pushed back in the Movement Phase draws none unless it Routs.
///
/// rosebud-creek 9.G, 5
#[test]
fn retreat_fire() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    // Every way leads into the ZOC of one of these; the first hex into that of H4 alone, the second into those of H3 and H4.
    for (id, at) in [("H2", "1911"), ("H3", "1511"), ("H4", "1712")] {
        foot(&mut g, id, at);
    }
    g.doctrine[0] = g.doctrine[0].with(About::FallBack, "1612", &g.charts.grid).expect("a doctrine");
    g.doctrine[1] = Doctrine { retreat: FireWill::Yes, opportunity: FireWill::No, ..Doctrine::default() };
    let fired = |run: &mut Running| -> Vec<String> {
        let told = run.story().into_iter();
        told.filter_map(|line| Some(line.strip_prefix("Retreat Fire: ")?.split(" (Retreat Fire)").next()?.to_owned()))
            .collect()
    };
    let dice = |shots: usize| [1, 2].into_iter().cycle().take(2 * shots);
    for (hexes, shots) in [
        (1, vec!["Rain in the Face (H3) at Lawson (3A) in 1611, strength 6"]),
        (
            2,
            vec![
                "Rain in the Face (H3) at Lawson (3A) in 1611, strength 6",
                "Lone Bull (H4) at Lawson (3A) in 1612, strength 6",
            ],
        ),
    ] {
        let mut run = falling(&g, "3A", "H1", hexes).dice("fire", dice(shots.len())).start();
        run.over();
        assert_eq!(fired(&mut run), shots);
    }
    // By doctrine nobody fires.
    let mut still = g.clone();
    still.doctrine[1].retreat = FireWill::No;
    let mut run = falling(&still, "3A", "H1", 2).start();
    run.over();
    assert!(fired(&mut run).is_empty());
    // A friend there negates the ZOC; a Leader does not.
    let mut calm = g.clone();
    lead(&mut calm, "Mills", "1611");
    let mut run = falling(&calm, "3A", "H1", 1).dice("fire", dice(1)).start();
    run.over();
    assert_eq!(fired(&mut run).len(), 1);
    foot(&mut calm, "3E", "1611");
    let mut run = falling(&calm, "3A", "H1", 1).start();
    assert_eq!(at(&run.over(), "3A"), "1611");
    assert!(fired(&mut run).is_empty());
    // In the Movement Phase only who Routs.
    for (routed, shots) in [(false, 0), (true, 1)] {
        let mut g = g.clone();
        g.phase = Phase::Movement;
        g.unit_mut(a).routed = routed;
        let cause = cause(&g, "H1");
        let trial = Trial::new(g, move |t, mut g| async move {
            retreat::fall_back(&t, &mut g, a, 1, cause).await;
            g
        });
        let mut run = trial.dice("fire", dice(shots)).start();
        run.over();
        assert_eq!(fired(&mut run).len(), shots, "{routed}");
    }
}

/// Retreat Fire at a Routed unit: a Casualty Point without a check and without a new Rout; of a bare check only Pinned counts.
///
/// rosebud-creek 9.G, 10.J
#[test]
fn retreat_fire_at_who_routs() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    // Fifteen points in the hex.
    for id in ["3E", "3I"] {
        foot(&mut g, id, "1710");
    }
    g.unit_mut(a).routed = true;
    g.phase = Phase::Defensive;
    let volley = fire::Volley::Retreat(Volume::Full);
    let hit = |outcome: Outcome, morale: &[i64]| {
        let dice = dice_for(&g, "H1", "3A", volley, outcome);
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            reaction::retreat_fire(&t, &mut g, a).await;
            g
        });
        let end = trial.dice("fire", dice).dice("morale", morale.iter().copied()).start().over();
        let unit = end.unit(a);
        (at(&end, "3A"), unit.losses, unit.pinned, unit.disrupted)
    };
    let there = |losses, pinned| ("1710".to_owned(), losses, pinned, false);
    assert_eq!(hit(Outcome::One, &[]), there(1, false), "no check");
    // 9 - 2 and 8 - 2 and 7 - 2 disrupt or drive back, 5 - 2 Routs: none of it counts; 6 - 2 Pins.
    for (sum, pinned) in [(9, false), (8, false), (7, false), (5, false), (6, true)] {
        assert_eq!(hit(Outcome::Mc, &[sum / 2, sum - sum / 2]), there(0, pinned), "{sum}");
    }
    // Any other fire makes it Rout again.
    let full = fire::Volley::Defensive(Volume::Full);
    let other = dice_for(&g, "H1", "3A", full, Outcome::One);
    let h = unit(&g, "H1");
    let trial = Trial::new(g.clone(), move |t, mut g| async move {
        fire::shoot(&t, &mut g, h, fire::Target::Unit(a), full).await;
        g
    });
    let end = trial.dice("fire", other).start().over();
    assert_eq!((end.unit(a).losses, end.charts.grid.distance(end.hex(a).expect("there"), hex(&end, "1710"))), (1, 2));
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

/// There is no camp in this game: an Indian who goes on in his Rout of his own will goes to the nearest edge of the map.
///
/// rosebud-creek 6.C, 10.J
#[test]
fn there_is_no_camp_to_go_to() {
    let mut g = bare();
    g.phase = Phase::Movement;
    for (id, at, column) in [("H1", "1505", 11), ("H2", "4405", 47)] {
        let h = ride(&mut g, id, at);
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            rout::voluntary(&t, &mut g, h, false).await;
            g
        });
        let end = trial.start().over();
        assert_eq!(end.hex(h).map(|hex| end.charts.grid.column(hex)), Some(column), "{id}");
    }
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
