//! Rallying (13).

use super::super::{Order, State, components::Side, rally, state::Wound, testing::*};

/// Leaders in the hex add their rating; a Command Radius only removes the -1 of the US, which
/// Scouts and Indians do not have.
///
/// rosebud-creek 12.C, 13.B, 13.C, 3.F, 3.G
#[test]
fn who_rallies_how_well() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    g.unit_mut(a).routed = true;
    let drm = |g: &State, u| rally::modifiers(g, u, true).total();
    assert_eq!(drm(&g, a), -1);
    lead(&mut g, "Mills", "1711");
    assert_eq!(drm(&g, a), 0, "within two hexes");
    let mills = leader(&g, "Mills");
    g.chief_mut(mills).pinned = true;
    assert_eq!(drm(&g, a), -1, "a Pinned Leader has no radius");
    lead(&mut g, "Henry", "1710");
    assert_eq!(drm(&g, a), 2);
    foot(&mut g, "H1", "1709");
    assert_eq!(drm(&g, a), 1, "next to an enemy");
    let s = foot(&mut g, "OLD", "3016");
    let h = foot(&mut g, "H2", "3516");
    assert_eq!([drm(&g, s), drm(&g, h)], [0, 0]);
    // A 4 or more succeeds.
    for (die, yes) in [(2, false), (3, true)] {
        let mut run = rallying(&g, Side::Us).dice("rally", [die]).start();
        run.say("rally all").say("done");
        assert_eq!(run.over().unit(a).routed, !yes, "{die}");
    }
}

/// rosebud-creek 4.A, 13.B
#[test]
fn pinned_units_rally_first_from_the_pin() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    g.unit_mut(a).pinned = true;
    lead(&mut g, "Crook", "1712");
    let mut run = rallying(&g, Side::Us).start();
    run.say("done");
    assert!(!run.over().unit(a).pinned);
    foot(&mut g, "H1", "1709");
    g.unit_mut(a).routed = true;
    // The Pin: 4 is yes. The Rout: 4 - 1 is no.
    let mut run = rallying(&g, Side::Us).dice("rally", [4, 4]).start();
    run.say("done");
    let end = run.over();
    assert_eq!((end.unit(a).pinned, end.unit(a).routed), (false, true));
}

/// rosebud-creek 13.B
#[test]
fn a_pinned_unit_beside_an_enemy_must_try() {
    let mut g = bare();
    let (a, e) = (foot(&mut g, "3A", "1710"), foot(&mut g, "3E", "1710"));
    g.unit_mut(a).pinned = true;
    g.unit_mut(e).routed = true;
    foot(&mut g, "H1", "1709");
    lead(&mut g, "Crook", "1712");
    let mut run = rallying(&g, Side::Us).dice("rally", [6]).start();
    run.check_options(40);
    assert!(run.refused("rally none").contains("13.B"));
    assert!(run.refused("rally 3e").contains("13.B"));
    // One that is only Routed may be left out.
    run.say("rally 3a").say("done");
    let end = run.over();
    assert_eq!((end.unit(a).pinned, end.unit(e).routed), (false, true));
}

/// rosebud-creek 13.B
#[test]
fn a_unit_rallies_once() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    g.unit_mut(a).routed = true;
    let who = vec!["3A".to_owned(), "3A".to_owned()];
    let said = rallying(&g, Side::Us).start().order(Order::Rally { who });
    assert!(said.is_err_and(|why| why.to_string().contains("tries once")));
}

/// rosebud-creek 12.D, 13.B
#[test]
fn the_badly_wounded_lift_no_penalty() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    let mills = lead(&mut g, "Mills", "1710");
    let drm = |g: &State| rally::modifiers(g, a, true).total();
    assert_eq!(drm(&g), 2);
    for wound in [Wound::Severe, Wound::Mortal] {
        g.chief_mut(mills).wound = wound;
        assert_eq!(drm(&g), -1);
    }
    lead(&mut g, "Crook", "1712");
    assert_eq!(drm(&g), 0, "Crook's Command Radius lifts it");
}

/// rosebud-creek 10.J, 13.B
#[test]
fn a_voluntary_rout_is_not_rolled_for_at_once() {
    let mut g = bare();
    quiet(&mut g);
    let both = [foot(&mut g, "3A", "1710"), foot(&mut g, "3E", "1910")];
    foot(&mut g, "H1", "1707");
    let mut run = rallying(&g, Side::Us).start();
    run.say("rout 3a");
    assert!(run.refused("rally 3a").contains("10.J.1"));
    run.check_options(10);
    run.say("rout 3e").say("done");
    assert!(both.iter().all(|&u| run.now().unit(u).routed));
    // A unit that was Routed before must roll first.
    let shaken = foot(&mut g, "3I", "2110");
    g.unit_mut(shaken).routed = true;
    let mut run = rallying(&g, Side::Us).dice("rally", [6]).start();
    assert!(run.refused("rout 3a").contains("rally first"));
    run.say("rally all").say("rout 3a").say("rout 3e").say("done");
    let end = run.over();
    assert!(!end.unit(shaken).routed && both.iter().all(|&u| end.unit(u).routed));
}
