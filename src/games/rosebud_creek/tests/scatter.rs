//! Indian Scatter (7.K).

use super::super::{
    State,
    components::{Class, Outcome, Side},
    doctrine::About,
    fire::Volley,
    movement::{self, Mover},
    scatter,
    state::{Mode, Phase, Spot, Volume, Wound},
    testing::*,
};
use postrider_table::{Seat, hex::Hex};

/// rosebud-creek 7.K, 4.C
#[test]
fn indians_scatter() {
    let mut g = bare();
    ride(&mut g, "3A", "1714");
    let h1 = ride(&mut g, "H1", "1709");
    let h2 = ride(&mut g, "H2", "1509");
    g.unit_mut(h2).routed = true;
    g.doctrine[1] = g.doctrine[1].with(About::Scatter, "strength 6", &g.charts.grid).expect("a doctrine");
    let mut run = moving(&g, Side::Us).start();
    run.say("3a 1713 1712").say("done");
    assert_eq!(at(&run.over(), "H1"), "1709", "three hexes off");
    let mut run = moving(&g, Side::Us).start();
    run.say("3a 1713 1712 1711").say("done");
    let end = run.over();
    assert!(end.unit(h1).routed && at(&end, "H1") != "1709");
    assert!(end.charts.grid.distance(end.hex(h1).expect("on the map"), hex(&end, "1711")) > 2);
    assert_eq!(at(&end, "H2"), "1509");
    // If asked, the owner chooses a destination or to stay.
    g.doctrine[1] = g.doctrine[1].with(About::Scatter, "ask", &g.charts.grid).expect("a doctrine");
    let mut run = moving(&g, Side::Us).start();
    run.say("3a 1713 1712 1711");
    assert_eq!(run.asked(), [(Seat(1), "scattering")]);
    run.say("stay").say("done");
    assert!(!run.over().unit(h1).routed);
    // A dismounted unit with its ponies may mount first.
    let mut g = bare();
    let h1 = foot(&mut g, "H1", "1709");
    foot(&mut g, "H1H", "1709");
    ride(&mut g, "3A", "1713");
    g.doctrine[1] = g.doctrine[1].with(About::Scatter, "strength 5", &g.charts.grid).expect("a doctrine");
    let mut run = moving(&g, Side::Us).start();
    run.say("3a 1712 1711").say("done");
    let end = run.over();
    assert_eq!((end.unit(h1).mode, end.unit(h1).routed, at(&end, "H1H").as_str()), (Mode::Mounted, true, "-"));
    let far = |mps: u16| end.charts.grid.distance(end.hex(h1).expect("there"), hex(&end, "1709")) > mps;
    assert!(far(3), "farther than on foot");
}

/// rosebud-creek 7.K, 8.D
#[test]
fn a_mounted_unit_may_scatter_on_foot() {
    let mut g = bare();
    quiet(&mut g);
    ride(&mut g, "3A", "1713");
    let h1 = ride(&mut g, "H1", "1709");
    says(&mut g, Side::Indian, About::Scatter, "ask");
    let mut run = moving(&g, Side::Us).start();
    run.say("3a 1712 1711");
    assert_eq!(run.asked(), [(Seat(1), "scattering")]);
    run.say("dismount, 1708").say("done");
    let end = run.over();
    assert_eq!((end.unit(h1).mode, end.unit(h1).routed, at(&end, "H1").as_str()), (Mode::Dismounted, true, "1708"));
    assert_eq!(at(&end, "H1H"), "1709", "its ponies stay");
}

/// rosebud-creek 7.K, 7.E, 8.D
#[test]
fn a_scatter_is_a_full_move() {
    let mut g = bare();
    quiet(&mut g);
    ride(&mut g, "3A", "1713");
    let h1 = ride(&mut g, "H1", "1709");
    g.unit_mut(h1).disrupted = true;
    says(&mut g, Side::Indian, About::Scatter, "ask");
    let asked = || {
        let mut run = moving(&g, Side::Us).start();
        run.say("3a 1712 1711");
        run
    };
    // A Disrupted unit recovers before it changes mode; modes change on the way, too.
    assert!(asked().refused("1708, dismount").contains("8.D"));
    assert!(asked().refused("1708, exit").contains("7.K"));
    let mut run = asked();
    run.check_options(20);
    run.say("recover, 1708, 1707, dismount").say("done");
    let end = run.over();
    assert_eq!((end.unit(h1).mode, end.unit(h1).disrupted, at(&end, "H1").as_str()), (Mode::Dismounted, false, "1707"));
    assert_eq!((end.unit(h1).routed, at(&end, "H1H").as_str()), (true, "1707"));
}

/// rosebud-creek 7.K
#[test]
fn who_was_pushed_back_scatters_all_the_same() {
    let mut g = bare();
    quiet(&mut g);
    (g.phase, g.phasing) = (Phase::Movement, Side::Us);
    ride(&mut g, "3A", "1711");
    let h = ride(&mut g, "H1", "1709");
    (g.unit_mut(h).did.halted, g.unit_mut(h).did.spent) = (true, 6);
    says(&mut g, Side::Indian, About::Scatter, "strength 1");
    let trial = Trial::new(g, |t, mut g| async move {
        let at = hex(&g, "1711");
        scatter::near(&t, &mut g, at).await;
        g
    });
    let end = trial.start().over();
    assert!(end.unit(h).routed && far(&end, "H1", "1709") > 3, "{}", at(&end, "H1"));
}

/// rosebud-creek 7.K
#[test]
fn scatter_answers_whoever_comes_near() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Indian, About::Scatter, "strength 1");
    let h = foot(&mut g, "H1", "1710");
    g.unit_mut(h).mode = Mode::Prone;
    ride(&mut g, "3A", "1714");
    let mut run = moving(&g, Side::Us).start();
    run.say("3a: 1713 > 1712");
    let now = run.now();
    assert!(now.unit(h).routed && at(&now, "H1") != "1710");
    // The HQ follows Crook; an Indian unit then two hexes away may Scatter.
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Indian, About::Scatter, "strength 1");
    ride(&mut g, "3A", "1711");
    lead(&mut g, "Crook", "1711");
    let hq = ride(&mut g, "HQ", "2311");
    let (start, there) =
        (hex(&g, "2311"), { moving(&g, Side::Us).start().say("done").over().hex(hq).expect("on the map") });
    assert_ne!(start, there);
    let grid = g.charts.grid.clone();
    let near = |at: &postrider_table::hex::Hex| {
        let far = |to| grid.distance(*at, to);
        (far(there), far(start)) == (2, 3) && far(hex(&g, "1711")) > 3
    };
    let spot = grid.hexes().find(near).expect("such a hex");
    let spot = g.id(spot);
    let h = foot(&mut g, "H1", &spot);
    assert!(moving(&g, Side::Us).start().say("done").over().unit(h).routed);
}

/// rosebud-creek 7.K, 10.J
#[test]
fn who_is_pinned_as_it_scatters_is_routed() {
    let mut g = bare();
    quiet(&mut g);
    let h = foot(&mut g, "H1", "1710");
    foot(&mut g, "3A", "1711");
    (g.phase, g.phasing) = (Phase::Movement, Side::Us);
    // As if by fire on its way.
    g.unit_mut(h).pinned = true;
    let gall = lead(&mut g, "Gall", "1710");
    g.chief_mut(gall).pinned = true;
    let trial = Trial::new(g, move |t, mut g| async move {
        let at = g.hex(h).expect("on the map");
        scatter::ends_there(&t, &mut g, h, at).await;
        g
    });
    let end = trial.start().over();
    assert_eq!((end.unit(h).routed, end.unit(h).pinned, end.chief(gall).pinned), (true, false, false));
}

/// rosebud-creek 7.K
#[test]
fn who_gains_nothing_by_mounting_scatters_on_foot() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Indian, About::Scatter, "strength 1");
    let h = foot(&mut g, "H1", "1709");
    foot(&mut g, "H1H", "1709");
    // The US stands in all hexes three hexes away, so that no hex is farther from it than two.
    let (grid, at) = (g.charts.grid.clone(), hex(&g, "1709"));
    let ring = grid.hexes().filter(|&to| grid.distance(at, to) == 3);
    let of_us: Vec<String> = g.c.unit_ids().filter(|&u| g.class(u) == Class::Cavalry).map(|u| g.name(u)).collect();
    let of_foot = g.c.unit_ids().filter(|&u| g.class(u) == Class::Infantry).map(|u| g.name(u));
    let all: Vec<(Hex, String)> = ring.zip(of_us.into_iter().chain(of_foot)).collect();
    assert_eq!(all.len(), 18);
    for (to, id) in all {
        let u = unit(&g, &id);
        g.put(u, Spot::On(to));
        g.unit_mut(u).mode = Mode::Dismounted;
    }
    foot(&mut g, "LOU", "1711");
    let trial = Trial::new(g, move |t, mut g| async move {
        let near = hex(&g, "1711");
        scatter::near(&t, &mut g, near).await;
        g
    });
    let end = trial.start().over();
    assert_eq!((end.unit(h).routed, end.unit(h).mode), (true, Mode::Dismounted));
    assert_ne!(at, end.hex(h).expect("on the map"));
}

/// Opportunity Fire of 3E pushes H1 back from 1709 before its first step. It keeps its eight MPs and
/// is Routed only where it then ends; Pinned on foot it stays.
///
/// rosebud-creek 7.K, 7.A, 9.F
#[test]
fn who_is_pushed_back_goes_on_with_its_scatter() {
    let mut g = bare();
    quiet(&mut g);
    (g.phase, g.phasing) = (Phase::Movement, Side::Us);
    foot(&mut g, "3E", "1710");
    ride(&mut g, "3A", "1714");
    let h1 = ride(&mut g, "H1", "1709");
    says(&mut g, Side::Us, About::OpportunityFire, "yes");
    says(&mut g, Side::Us, About::FallBack, "1710");
    says(&mut g, Side::Indian, About::Scatter, "ask");
    let check = dice_for(&g, "3E", "H1", Volley::Opportunity(Volume::Full), Outcome::Mc);
    let begin = |g: &State, morale: [i64; 2]| {
        let mut run = moving(g, Side::Us).dice("fire", check).dice("morale", morale).start();
        run.say("3a 1713 1712 1711");
        run
    };
    // r1, r2, and the Retreat of two hexes instead of Pinned.
    for (morale, hexes) in [([3, 3], 1), ([2, 3], 2), ([2, 2], 2)] {
        let mut run = begin(&g, morale);
        run.say("1708");
        let now = run.now();
        assert_eq!((far(&now, "H1", "1709"), now.unit(h1).routed, now.unit(h1).disrupted), (hexes, false, true));
        assert_eq!((run.asked(), movement::left(&now, Mover::Unit(h1))), (vec![(Seat(1), "scattering")], 8));
        run.check_options(20);
        let from = now.hex(h1).expect("on the map");
        let to = now.charts.grid.neighbours(from).find(|&to| now.charts.grid.distance(to, hex(&g, "1709")) > hexes);
        let to = now.id(to.expect("a hex"));
        let mut stay = begin(&g, morale);
        stay.say("1708").say("stay").say("done");
        assert_eq!((stay.over().hex(h1), stay.over().unit(h1).routed), (Some(from), true));
        run.say(&format!("recover, {to}")).say("done");
        let end = run.over();
        assert_eq!((at(&end, "H1"), end.unit(h1).routed, end.unit(h1).disrupted), (to, true, false));
    }
    // By doctrine it goes on to a hex farther from the US.
    let mut away = g.clone();
    says(&mut away, Side::Indian, About::Scatter, "strength 1");
    assert!(far(&begin(&away, [3, 3]).say("done").over(), "H1", "1710") > 4);
    let mut dismounted = g.clone();
    dismounted.unit_mut(h1).mode = Mode::Dismounted;
    let check = dice_for(&dismounted, "3E", "H1", Volley::Opportunity(Volume::Full), Outcome::Mc);
    let mut run = moving(&dismounted, Side::Us).dice("fire", check).dice("morale", [2, 2]).start();
    run.say("3a 1713 1712 1711").say("1708").say("done");
    assert_eq!((at(&run.over(), "H1"), run.over().unit(h1).routed), ("1709".to_owned(), true));
}

/// rosebud-creek 7.K, 8.C, 10.J
#[test]
fn who_crawls_as_it_scatters_gets_up() {
    let mut g = bare();
    quiet(&mut g);
    ride(&mut g, "3A", "1713");
    let h1 = put(&mut g, "H1", "1709", Mode::Prone);
    says(&mut g, Side::Indian, About::Scatter, "ask");
    let mut run = moving(&g, Side::Us).start();
    run.say("3a 1712 1711").say("crawl 1708").say("done");
    let end = run.over();
    assert_eq!((at(&end, "H1").as_str(), end.unit(h1).routed, end.unit(h1).mode), ("1708", true, Mode::Dismounted));
}

/// rosebud-creek 7.K, 12.A
#[test]
fn a_leader_may_leave_who_has_scattered() {
    let mut g = bare();
    quiet(&mut g);
    ride(&mut g, "3A", "1713");
    let h1 = ride(&mut g, "H1", "1709");
    let gall = lead(&mut g, "Gall", "1709");
    let h2 = ride(&mut g, "H2", "1707");
    says(&mut g, Side::Indian, About::Scatter, "ask");
    for (doctrine, with) in [("yes", h2), ("no", h1)] {
        says(&mut g, Side::Indian, About::Leaders, doctrine);
        let mut run = moving(&g, Side::Us).start();
        run.say("3a 1712 1711").say("1708 1707").say("done");
        let end = run.over();
        assert_eq!((at(&end, "H1").as_str(), end.unit(h1).routed), ("1707", true));
        assert_eq!(end.chief(gall).with, Some(with), "{doctrine}");
    }
}

/// rosebud-creek 7.K, 12.D
#[test]
fn a_dying_leader_does_not_keep_up_with_a_scatter() {
    let mut g = bare();
    quiet(&mut g);
    ride(&mut g, "3A", "1713");
    let h1 = ride(&mut g, "H1", "1709");
    let gall = lead(&mut g, "Gall", "1709");
    says(&mut g, Side::Indian, About::Scatter, "ask");
    for (wound, stays) in [(Wound::Moderate, false), (Wound::Mortal, true)] {
        g.chief_mut(gall).wound = wound;
        let mut run = moving(&g, Side::Us).start();
        run.say("3a 1712 1711").say("to 1704").say("done");
        let end = run.over();
        assert_eq!(at(&end, "H1"), "1704");
        let with = (!stays).then_some(h1);
        assert_eq!((end.chief(gall).spot == end.unit(h1).spot, end.chief(gall).with), (!stays, with), "{wound:?}");
    }
}
