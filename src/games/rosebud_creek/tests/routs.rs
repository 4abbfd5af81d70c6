//! Routs (10.J).

use super::super::{
    State,
    components::{Outcome, Side},
    doctrine::{About, Doctrine, FireWill},
    fire, reaction, retreat,
    rout::{self, Willing},
    state::{Mode, Phase, Spot, Volume},
    testing::*,
    zoc,
};
use postrider_table::Seat;

fn cause(g: &State, foe: &str) -> fire::Cause {
    let foe = unit(g, foe);
    fire::Cause { from: g.hex(foe).expect("on the map"), foe, volley: Some(fire::Volley::Advance) }
}

/// Mandatory Rout: two hexes on foot, three mounted; markers; nobody is Prone any longer.
///
/// rosebud-creek 10.J, 3.B, 8.C
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
        assert_eq!(unit.mode, if mode == Mode::Mounted { mode } else { Mode::Dismounted });
        end.charts.grid.distance(end.hex(a).expect("there"), hex(&end, "1710"))
    };
    assert_eq!([routs(&g, Mode::Dismounted), routs(&g, Mode::Prone), routs(&g, Mode::Mounted)], [2, 2, 3]);
    lead(&mut g, "Mills", "1710");
    assert!(!zoc::is_full(
        &{
            let mut g = g.clone();
            g.unit_mut(a).routed = true;
            g
        },
        a
    ));
}

/// rosebud-creek 10.J
#[test]
fn an_indian_rout_ends_at_three_hexes() {
    let mut g = bare();
    let h = ride(&mut g, "H1", "1710");
    let foe = foot(&mut g, "3A", "1708");
    let cause = fire::Cause { from: hex(&g, "1708"), foe, volley: None };
    let trial = Trial::new(g, move |t, mut g| async move {
        rout::mandatory(&t, &mut g, h, cause).await;
        g
    });
    assert_eq!(far(&trial.start().over(), "H1", "1710"), 1);
}

/// Subsequent Rout: the US to a Rally Location, four hexes dismounted or eight mounted; Indians
/// until three hexes from all enemies.
///
/// rosebud-creek 10.J, 7.H
#[test]
fn subsequent_routs() {
    let mut g = bare();
    g.phase = Phase::Movement;
    let flees = |g: &State, u| {
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            rout::subsequent(&t, &mut g, u, 0, None).await;
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
    // It stops adjacent to a non-Routed unit.
    foot(&mut g, "3I", "1715");
    assert!(rout::may_stop(&g, a, hex(&g, "1714")) && rout::is_location(&g, a, hex(&g, "1715")));
    // The hex where the Rout began and its adjacent hexes are not Rally Locations in this Rout.
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
    assert_eq!(zoc::enemy_distance(&end, end.hex(h).expect("there"), Side::Indian), Some(3));
}

/// rosebud-creek 10.J
#[test]
fn friends_beside_the_beginning_of_a_rout_do_not_end_it() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "3E", "1709");
    foot(&mut g, "H1", "1711");
    g.unit_mut(a).routed = true;
    for (from, stops) in [("1707", true), ("1708", false), ("1709", false)] {
        g.unit_mut(a).rout_from = Some(hex(&g, from));
        assert_eq!(rout::may_stop(&g, a, hex(&g, "1710")), stops, "a Rout from {from}");
    }
}

/// rosebud-creek 10.I, 10.J, 5
#[test]
fn a_rout_keeps_out_of_zocs() {
    // 1810 and 1811 are both adjacent to the HQ in 1910. A warrior unit in 1812 reaches only 1811,
    // one in 1809 only 1810.
    for (enemy, way) in [("1812", "1810"), ("1809", "1811")] {
        let mut g = bare();
        quiet(&mut g);
        g.phase = Phase::Movement;
        let a = foot(&mut g, "3A", "1710");
        ride(&mut g, "HQ", "1910");
        foot(&mut g, "H1", enemy);
        (g.unit_mut(a).routed, g.unit_mut(a).rout_from) = (true, Some(hex(&g, "1710")));
        let trial = Trial::new(g, move |t, mut g| async move {
            rout::subsequent(&t, &mut g, a, 0, None).await;
            g
        });
        assert_eq!(at(&trial.start().over(), "3A"), way, "an enemy in {enemy}");
    }
}

/// This game has no camp: an Indian unit that continues its Rout voluntarily goes to the nearest
/// edge of the map.
///
/// rosebud-creek 6.C, 10.J
#[test]
fn there_is_no_camp_to_go_to() {
    let mut g = bare();
    g.phase = Phase::Movement;
    for (id, at, column) in [("H1", "1505", 11), ("H2", "4405", 47)] {
        let h = ride(&mut g, id, at);
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            rout::voluntary(&t, &mut g, h, Willing::default()).await;
            g
        });
        let end = trial.start().over();
        assert_eq!(end.hex(h).map(|hex| end.charts.grid.column(hex)), Some(column), "{id}");
    }
}

/// rosebud-creek 10.J
#[test]
fn the_owner_picks_the_rally_location() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1910");
    foot(&mut g, "H1", "1909");
    foot(&mut g, "3E", "2313");
    foot(&mut g, "HQ", "1514");
    g.unit_mut(a).routed = true;
    g.doctrine[1] = Doctrine { retreat: FireWill::No, opportunity: FireWill::No, ..Doctrine::default() };
    let far = |g: &State, to: &str| g.charts.grid.distance(g.hex(a).expect("on the map"), hex(g, to));
    let flee = |g: &State| {
        Trial::new(g.clone(), move |t, mut g| async move {
            rout::subsequent(&t, &mut g, a, 0, None).await;
            g
        })
    };
    for (kind, to) in [("hq", "1514"), ("unit", "2313")] {
        g.doctrine[0] = Doctrine::default().with(About::RallyPlace, kind, &g.charts.grid).expect("a doctrine");
        let end = flee(&g).start().over();
        assert!(far(&end, to) < far(&g, to), "{kind}: {}", at(&end, "3A"));
    }
    g.doctrine[0] = Doctrine::default().with(About::RallyPlace, "ask", &g.charts.grid).expect("a doctrine");
    let mut run = flee(&g).start();
    assert_eq!(run.asked(), [(Seat(0), "rally-location")]);
    run.check_options(3);
    run.say("hq");
    assert!(far(&run.over(), "1514") < far(&g, "1514"));
    // The hexes next to that of the Rout are no Rally Location in it: an HQ there is not offered.
    let begun = |from: &str| {
        let mut g = g.clone();
        g.unit_mut(a).rout_from = Some(hex(&g, from));
        flee(&g).start().words()
    };
    for (from, offered) in [("1514", false), ("1513", false), ("1512", true)] {
        assert_eq!(begun(from).contains(&"hq".to_owned()), offered, "{from}");
    }
}

/// A unit dismounted in its Rout continues at the dismounted rate: two hexes in the first move
/// instead of three, four in a later one.
///
/// rosebud-creek 9.D, 10.J
#[test]
fn dismounted_in_a_rout() {
    let mut g = bare();
    quiet(&mut g);
    g.doctrine[1].retreat = FireWill::Yes;
    g.phase = Phase::Defensive;
    let a = ride(&mut g, "3A", "1711");
    foot(&mut g, "H1", "1710");
    // Every hex behind it is in a ZOC.
    for (id, at) in [("H2", "1512"), ("H3", "1912"), ("H4", "1714")] {
        foot(&mut g, id, at);
    }
    let first = {
        let mut g = g.clone();
        let to = hex(&g, "1712");
        g.put(a, Spot::On(to));
        dice_for(&g, "H4", "3A", fire::Volley::Retreat(Volume::Full), Outcome::Mc)
    };
    says(&mut g, Side::Us, About::FallBack, "1713");
    let gone = |g: &State| {
        let cause = cause(g, "H1");
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            rout::mandatory(&t, &mut g, a, cause).await;
            g
        });
        // 6 less 2 for a Routed unit: Pinned; later shots miss.
        let mut run = trial.dice("fire", first.into_iter().chain([1, 2, 1, 2, 1, 2])).dice("morale", [3, 3]).start();
        let now = run.now();
        assert!(now.unit(a).routed && now.unit(a).mode == Mode::Dismounted, "{:?}", run.story());
        far(&now, "3A", "1711")
    };
    assert_eq!(gone(&g), 2);
}

/// rosebud-creek 9.D, 10.J
#[test]
fn dismounted_in_a_later_rout() {
    let mut g = bare();
    quiet(&mut g);
    g.doctrine[1].opportunity = FireWill::Yes;
    (g.phase, g.phasing) = (Phase::Movement, Side::Us);
    let a = ride(&mut g, "3A", "1711");
    g.unit_mut(a).routed = true;
    foot(&mut g, "3E", "1720");
    foot(&mut g, "H1", "1710");
    let fire = dice_for(&g, "H1", "3A", fire::Volley::Opportunity(Volume::Full), Outcome::Mc);
    let gone = |g: &State, taken: u16| {
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            rout::subsequent(&t, &mut g, a, taken, None).await;
            g
        });
        // 6 less 2 for a Routed unit: Pinned.
        let end = trial.dice("fire", fire).dice("morale", [3, 3]).start().over();
        assert_eq!(end.unit(a).mode, Mode::Dismounted);
        far(&end, "3A", "1711")
    };
    assert_eq!([gone(&g, 3), gone(&g, 4), gone(&g, 5)], [1, 0, 0]);
}

/// A Routed unit without a hex for an r result stays, unless all adjacent hexes are blocked; a Rout
/// without a first hex eliminates the unit.
///
/// rosebud-creek 10.I, 10.J
#[test]
fn routed_units_without_a_way() {
    let mut g = bare();
    quiet(&mut g);
    g.phase = Phase::Melee;
    let a = foot(&mut g, "3A", "1611");
    g.unit_mut(a).routed = true;
    // Two enemies on opposite sides: every hex is adjacent to one of them.
    let foes = [foot(&mut g, "H1", "1610"), foot(&mut g, "H2", "1612")];
    let end = |g: &State, rout: bool| {
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            let enemy = hex(&g, "1610");
            match rout {
                true => rout::mandatory_from(&t, &mut g, a, enemy, &foes).await,
                false => retreat::fall_back_from(&t, &mut g, a, 1, enemy, &foes).await,
            }
            g
        });
        trial.start().over()
    };
    assert_eq!((at(&end(&g, false), "3A"), end(&g, false).losses), ("1611".to_owned(), [0, 0]));
    assert_eq!(at(&end(&g, true), "3A"), "-", "a Rout needs a first hex");
    // With all hexes blocked a Retreat also eliminates it, and so does a later Rout move.
    let around = ["1710", "1711", "1511", "1510"];
    for (id, to) in ["H3", "H4", "H5", "H6"].into_iter().zip(around) {
        foot(&mut g, id, to);
    }
    assert_eq!(at(&end(&g, false), "3A"), "-");
    g.phase = Phase::Movement;
    let runs = |g: &State| {
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            rout::subsequent(&t, &mut g, a, 0, None).await;
            g
        });
        trial.start().over()
    };
    assert_eq!((at(&runs(&g), "3A"), runs(&g).losses, runs(&g).vps), ("-".to_owned(), [5, 0], [0, 5]));
    // If only Pony Holders block a hex, they are eliminated instead.
    let (h, to) = (unit(&g, "H6"), hex(&g, "1510"));
    g.put(h, Spot::Pool);
    let ponies = foot(&mut g, "H6H", "1510");
    let end = runs(&g);
    assert!(end.unit(ponies).spot == Spot::Dead && end.unit(a).spot.hex().is_some(), "{to:?}");
    // At the edge it leaves the map, without VPs.
    let mut g = bare();
    quiet(&mut g);
    let a = foot(&mut g, "3A", "2000");
    g.unit_mut(a).routed = true;
    let near: Vec<String> = g.charts.grid.neighbours(hex(&g, "2000")).map(|at| g.id(at)).collect();
    for (id, to) in ["H1", "H2", "H3", "H4"].into_iter().zip(&near) {
        foot(&mut g, id, to);
    }
    let gone = moving(&g, Side::Us).start().over();
    assert_eq!((gone.unit(a).spot, gone.vps), (Spot::Off, [0, 0]));
}

/// rosebud-creek 4.C, 10.J
#[test]
fn the_movement_phase_is_asked_for_routed_units() {
    let mut g = bare();
    quiet(&mut g);
    let a = foot(&mut g, "3A", "1711");
    g.unit_mut(a).routed = true;
    g.unit_mut(a).rout_from = Some(hex(&g, "1706"));
    let e = foot(&mut g, "3E", "1712");
    g.unit_mut(e).pinned = true;
    ride(&mut g, "3I", "2318");
    let i = unit(&g, "3I");
    g.unit_mut(i).pinned = true;
    foot(&mut g, "H1", "1705");
    let mut run = moving(&g, Side::Us).start();
    assert_eq!(run.asked(), [(Seat(0), "movement")]);
    assert!(run.words().contains(&"rout 3a".to_owned()), "{:?}", run.words());
    assert!(run.reads().lines.iter().any(|line| line.contains("Lawson (3A) is Routed and may go on: rout 3a.")));
    run.check_options(20);
    run.say("rout 3a");
    assert!(run.asked().is_empty() && at(&run.over(), "3A") != "1711");
    // A unit with nowhere to go is not asked about.
    let mut g = g.clone();
    g.unit_mut(a).did.fled = true;
    assert!(moving(&g, Side::Us).start().asked().is_empty());
}

/// rosebud-creek 10.J
#[test]
fn a_rout_goes_on_by_an_order() {
    let mut g = bare();
    quiet(&mut g);
    let a = ride(&mut g, "3A", "1915");
    foot(&mut g, "H1", "1914");
    (g.unit_mut(a).routed, g.unit_mut(a).rout_from) = (true, Some(hex(&g, "2110")));
    ride(&mut g, "3E", "2318");
    let mut run = moving(&g, Side::Us).start();
    let stopped = run.now().hex(a).expect("on the map");
    let taken = run.now().unit(a).did.spent;
    assert!((1..8).contains(&taken), "{taken}");
    assert!(run.words().contains(&"rout 3a".to_owned()), "{:?}", run.words());
    run.check_options(20);
    run.say("rout 3a");
    let now = run.now().clone();
    assert!(now.hex(a) != Some(stopped) && far(&now, "3A", &now.id(stopped)) <= 8 - taken);
    // It continues only once.
    assert!(run.refused("rout 3a").contains("10.J.1") && !rout::may_go_on(&now, a));
}

/// rosebud-creek 10.J, 9.F
#[test]
fn a_unit_routed_in_its_move_goes_no_further() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Indian, About::OpportunityFire, "yes");
    let a = ride(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    ride(&mut g, "3E", "2318");
    let shot = fire::Volley::Opportunity(Volume::Full);
    let dice = dice_for(&g, "H1", "3A", shot, Outcome::Mc);
    // 1 and 1: the worst result of the Morale Check Table.
    let mut run = moving(&g, Side::Us).dice("fire", dice).dice("morale", [1, 1]).start();
    run.say("3a: 1711");
    let now = run.now();
    assert!(now.unit(a).routed && far(&now, "3A", "1710") == 3);
    assert!(run.refused("rout 3a").contains("10.J.1"));
    assert!(!run.words().contains(&"rout 3a".to_owned()));
    run.say("done");
    assert_eq!(at(&run.over(), "3A"), at(&now, "3A"));
}

/// A unit may Rout voluntarily after fire, if its owner is asked or by doctrine; it moves at once,
/// and only once.
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
    assert_eq!(run.asked(), [(Seat(0), "rout-or-stay")]);
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
    // By doctrine only a unit without others beside it goes; Holders do not count.
    for (id, routs) in [("3IH", true), ("3I", false)] {
        let mut g = g.clone();
        foot(&mut g, id, "1711");
        assert_eq!(window(&g).start().over().unit(a).routed, routs, "{id}");
    }
    // With its horses in its hex, it may mount first.
    foot(&mut g, "3AH", "1710");
    let mounted = window(&g).start().over();
    assert_eq!((mounted.unit(a).mode, at(&mounted, "3AH").as_str()), (Mode::Mounted, "-"));
    g.doctrine[0] = g.doctrine[0].with(About::Rout, "ask", &g.charts.grid).expect("a doctrine");
    let mut run = window(&g).start();
    run.say("mounted");
    assert_eq!(run.over().unit(a).mode, Mode::Mounted);
}

/// rosebud-creek 10.J
#[test]
fn a_voluntary_rout_mounts_on_the_way() {
    let mut g = bare();
    quiet(&mut g);
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    // The horses are on the way to the only other company.
    foot(&mut g, "3AH", "1711");
    foot(&mut g, "3E", "1718");
    g.doctrine[0] = g.doctrine[0].with(About::FallBack, "1718", &g.charts.grid).expect("a doctrine");
    let mut run = rallying(&g, Side::Us).start();
    run.say("rout 3a mounted").say("done");
    let end = run.over();
    assert_eq!((end.unit(a).mode, at(&end, "3AH").as_str()), (Mode::Mounted, "-"));
    // One hex on foot, two for mounting, three mounted: more than four in all.
    assert_eq!(at(&end, "3A"), "1714");
    // Without mounts on the map the order is refused.
    let h = unit(&g, "3AH");
    g.unit_mut(h).mountless = true;
    assert!(rallying(&g, Side::Us).start().refused("rout 3a mounted").contains("10.J.1"));
}

/// A mounted unit that Routs voluntarily dismounts at the end, for its last hex, or after a given
/// number of hexes, from which the dismounted rate applies. One hex must be left for it.
///
/// rosebud-creek 10.J
#[test]
fn a_voluntary_rout_dismounts() {
    let mut g = bare();
    quiet(&mut g);
    let h = ride(&mut g, "H1", "3010");
    let ends = |g: &State, said: &str| {
        let mut run = rallying(g, Side::Indian).start();
        run.say(said).say("done");
        let end = run.over();
        let holder = end.hex(unit(g, "H1H")).map(|at| g.charts.grid.distance(at, hex(g, "3010")));
        (end.unit(h).mode, far(&end, "H1", "3010"), holder)
    };
    assert_eq!(ends(&g, "rout h1"), (Mode::Mounted, 8, None));
    assert_eq!(ends(&g, "rout h1 dismounted"), (Mode::Dismounted, 7, Some(7)));
    // One hex mounted, one for dismounting and two on foot make four.
    assert_eq!(ends(&g, "rout h1 dismounted after 1"), (Mode::Dismounted, 3, Some(1)));
    assert_eq!(ends(&g, "rout h1 dismounted after 0"), (Mode::Dismounted, 3, Some(0)));
    // More than four have been taken, so the Rout ends.
    assert_eq!(ends(&g, "rout h1 dismounted after 5"), (Mode::Dismounted, 5, Some(5)));
    assert!(rallying(&g, Side::Indian).start().refused("rout h1 dismounted after 8").contains("10.J.1"));
    g.unit_mut(h).mode = Mode::Dismounted;
    assert!(rallying(&g, Side::Indian).start().refused("rout h1 dismounted").contains("10.J.1"));
    // The owner may be asked.
    g.unit_mut(h).mode = Mode::Mounted;
    g.phase = Phase::Defensive;
    says(&mut g, Side::Indian, About::Rout, "ask");
    let window = Trial::new(g, move |t, mut g| async move {
        rout::window(&t, &mut g, h).await;
        g
    });
    let mut run = window.start();
    run.say("dismounted");
    assert_eq!((run.over().unit(h).mode, far(&run.over(), "H1", "3010")), (Mode::Dismounted, 7));
}

/// rosebud-creek 6.E, 10.J
#[test]
fn who_dismounts_in_a_rout_does_so_where_it_ends() {
    let mut g = bare();
    quiet(&mut g);
    let a = ride(&mut g, "3A", "1701");
    foot(&mut g, "H1", "1700");
    foot(&mut g, "3E", "1705");
    let mut run = rallying(&g, Side::Us).start();
    run.say("rout 3a dismounted").say("done");
    let end = run.over();
    assert_eq!((end.unit(a).mode, at(&end, "3AH")), (Mode::Dismounted, at(&end, "3A")));
    assert!(rout::is_location(&end, a, end.hex(a).expect("on the map")) && far(&end, "3A", "1701") < 7);
    let mut g = bare();
    quiet(&mut g);
    let h = ride(&mut g, "H1", "1710");
    let dismounts = |g: &State| {
        let mut run = rallying(g, Side::Indian).start();
        run.say("rout h1 dismounted after 0").say("done");
        assert_eq!(run.over().unit(h).mode, Mode::Dismounted);
        far(&run.over(), "H1H", "1710")
    };
    for id in ["H2H", "H3H", "H4H"] {
        foot(&mut g, id, "1710");
    }
    assert_eq!(dismounts(&g), 0);
    foot(&mut g, "H5H", "1710");
    assert_eq!(dismounts(&g), 1, "in the next hex there is room");
}

/// rosebud-creek 10.J
#[test]
fn a_voluntary_rout_goes_far() {
    let mut g = bare();
    let u = foot(&mut g, "H1", "2010");
    let trial = Trial::new(g.clone(), move |t, mut g| async move {
        rout::voluntary(&t, &mut g, u, Willing::default()).await;
        g
    });
    assert_eq!(far(&trial.start().over(), "H1", "2010"), 4);
    g.unit_mut(u).routed = true;
    foot(&mut g, "H2", "2011");
    assert_eq!(moving(&g, Side::Indian).start().try_say("rout h1"), Ok(()));
}

/// rosebud-creek 9.G, 10.J
#[test]
fn retreat_fire_opens_a_voluntary_rout() {
    let mut g = bare();
    quiet(&mut g);
    g.doctrine[Side::Indian.index()].retreat = FireWill::Yes;
    says(&mut g, Side::Us, About::Rout, "left 9");
    g.phase = Phase::Melee;
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1711");
    let trial = Trial::new(g, move |t, mut g| async move {
        reaction::retreat_fire(&t, &mut g, a).await;
        g
    });
    assert!(trial.dice("fire", [1, 2]).start().over().unit(a).routed);
}

/// rosebud-creek 9.F, 10.J, 13.B
#[test]
fn routed_units_flee_in_the_movement_phase() {
    let mut g = bare();
    quiet(&mut g);
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "3E", "1910");
    foot(&mut g, "H1", "1707");
    g.unit_mut(a).routed = true;
    let mut run = rallying(&g, Side::Us).dice("rally", [1]).start();
    run.say("rally all");
    assert!(run.refused("rout 3a").contains("it goes on in the Movement Phase"));
    // A unit that is not Routed may.
    run.say("rout 3e").say("done");
    assert!(run.over().unit(unit(&g, "3E")).routed);
}

/// rosebud-creek 10.J
#[test]
fn a_scout_stops_at_a_rally_location() {
    let mut g = bare();
    quiet(&mut g);
    let scout = ride(&mut g, "OLD", "1915");
    foot(&mut g, "3A", "1918");
    let mut run = rallying(&g, Side::Us).start();
    run.say("rout old").say("done");
    let end = run.over();
    assert!(rout::is_location(&end, scout, end.hex(scout).expect("on the map")));
    assert!(far(&end, "OLD", "1915") < 8, "{}", at(&end, "OLD"));
}

/// rosebud-creek 16.B, 10.J
#[test]
fn holders_rout_without_their_mounts() {
    for (id, foe, die, mountless) in [("3AH", "H1", Some(6), Some(true)), ("H1H", "3A", None, None)] {
        let mut g = bare();
        g.phase = Phase::Defensive;
        let h = foot(&mut g, id, "1710");
        foot(&mut g, foe, "1709");
        let cause = cause(&g, foe);
        let trial = Trial::new(g, move |t, mut g| async move {
            rout::mandatory(&t, &mut g, h, cause).await;
            g
        });
        let end = trial.dice("lost horses", die).start().over();
        let unit = end.unit(h);
        let left = unit.spot.hex().map(|at| (at != hex(&end, "1710") && unit.routed).then_some(unit.mountless));
        assert_eq!(left.flatten(), mountless, "{id}");
        assert_eq!(unit.spot == Spot::Dead, mountless.is_none(), "{id}");
    }
}

/// rosebud-creek 10.J, 10.I, 6
#[test]
fn a_later_rout_looks_for_room() {
    let mut g = bare();
    quiet(&mut g);
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1707");
    g.unit_mut(a).routed = true;
    g.phase = Phase::Movement;
    let fled = |g: &State| {
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            rout::subsequent(&t, &mut g, a, 0, None).await;
            g
        });
        trial.start().over()
    };
    let first = at(&fled(&g), "3A");
    assert_eq!(far(&fled(&g), "3A", "1710"), 4);
    for id in ["2A", "2B", "2D", "2E", "2I"] {
        foot(&mut g, id, &first);
    }
    let end = fled(&g);
    assert_ne!(at(&end, "3A"), first);
    assert!(end.stacked(end.hex(a).expect("on the map")) <= 24);
}

/// rosebud-creek 10.I, 10.J, 12.D
#[test]
fn a_leader_dies_with_the_surrounded_in_melee() {
    for melee in [false, true] {
        let mut g = bare();
        let a = foot(&mut g, "3A", "1710");
        let mills = lead(&mut g, "Mills", "1710");
        let around: Vec<_> = g.charts.grid.neighbours(hex(&g, "1710")).collect();
        for (n, at) in (1..).zip(around) {
            let id = g.id(at);
            foot(&mut g, &format!("H{n}"), &id);
        }
        let (foe, from) = (unit(&g, "H1"), g.hex(unit(&g, "H1")).expect("on the map"));
        let cause = cause(&g, "H1");
        let rule = move |t, mut g| async move {
            match melee {
                true => rout::mandatory_from(&t, &mut g, a, from, &[foe]).await,
                false => rout::mandatory(&t, &mut g, a, cause).await,
            }
            g
        };
        let run = Trial::new(g, rule).any_dice([6; 12]).start();
        let now = run.now();
        assert_eq!((now.unit(a).spot, now.chief(mills).spot == Spot::Dead), (Spot::Dead, melee));
    }
}

/// rosebud-creek 10.J
#[test]
fn scouts_and_indians_stop_at_three_hexes() {
    for (who, foe, hexes) in [("3A", "H1", 3), ("OLD", "H1", 2), ("H1", "3A", 2)] {
        let mut g = bare();
        quiet(&mut g);
        (g.phase, g.phasing) = (Phase::Defensive, Side::Us);
        let u = ride(&mut g, who, "1710");
        foot(&mut g, foe, "1709");
        let cause = cause(&g, foe);
        let trial = Trial::new(g, move |t, mut g| async move {
            rout::mandatory(&t, &mut g, u, cause).await;
            g
        });
        assert_eq!(far(&trial.start().over(), who, "1710"), hexes, "{who}");
    }
}

/// rosebud-creek 10.J
#[test]
fn a_rout_without_the_wanted_place_goes_to_another() {
    let mut g = bare();
    quiet(&mut g);
    (g.phase, g.phasing) = (Phase::Movement, Side::Us);
    let a = foot(&mut g, "3A", "1712");
    (g.unit_mut(a).routed, g.unit_mut(a).rout_from) = (true, Some(hex(&g, "1710")));
    foot(&mut g, "3E", "1711");
    ride(&mut g, "H1", "1707");
    let end = |place: &str| {
        let mut g = g.clone();
        says(&mut g, Side::Us, About::RallyPlace, place);
        let trial = Trial::new(g, move |t, mut g| async move {
            rout::subsequent(&t, &mut g, a, 0, None).await;
            g
        });
        at(&trial.start().over(), "3A")
    };
    assert_ne!(end("nearest"), "1712");
    assert_eq!(end("unit"), end("nearest"));
}

/// A Scout goes on until three hexes are between it and any enemy unit, also a Pony Holder.
///
/// rosebud-creek 10.J, 3.J
#[test]
fn a_scout_flees_from_pony_holders_too() {
    let mut g = bare();
    quiet(&mut g);
    (g.phase, g.phasing) = (Phase::Movement, Side::Us);
    let s = foot(&mut g, "OLD", "1710");
    (g.unit_mut(s).routed, g.unit_mut(s).rout_from) = (true, Some(hex(&g, "1710")));
    foot(&mut g, "H1", "1713");
    assert!(rout::may_stop(&g, s, hex(&g, "1710")));
    foot(&mut g, "H1H", "1712");
    assert!(!rout::may_stop(&g, s, hex(&g, "1710")));
    let trial = Trial::new(g, move |t, mut g| async move {
        rout::subsequent(&t, &mut g, s, 0, None).await;
        g
    });
    assert_eq!(far(&trial.start().over(), "OLD", "1712"), 3);
}
