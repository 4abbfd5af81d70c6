//! Pack Trains and their Personnel (15).

use super::super::{
    State,
    components::{Outcome, Side, UnitId},
    doctrine::About,
    fire::{self, Target, Volley},
    morale, pack, rout,
    state::{Mode, Phase, Spot, Volume},
    testing::*,
    volley::{self, Fires},
    zoc,
};

/// A Routed train stays in its hex, abandoned; its Personnel flee and may return; warriors in its
/// hex take it.
///
/// rosebud-creek 15.A, 15.B, 15.C, 15.D
#[test]
fn abandoned_trains() {
    let mut g = bare();
    let train = foot(&mut g, "PTA", "1710");
    let foe = foot(&mut g, "H1", "1709");
    g.unit_mut(train).losses = 1;
    g.phase = Phase::Melee;
    assert!(!g.class(train).is_holder() && g.class(train).walks(), "15.A: always on foot");
    let from = hex(&g, "1709");
    let trial = Trial::new(g.clone(), move |t, mut g| async move {
        rout::mandatory_from(&t, &mut g, train, from, &[foe]).await;
        g
    });
    let end = trial.start().over();
    let personnel = unit(&end, "PPA");
    assert!(end.unit(train).abandoned && end.unit(personnel).routed && end.cf(personnel) == 5);
    assert_ne!(end.hex(personnel), end.hex(train));
    // They return at the lower strength; the difference costs ammunition.
    let mut back = end.clone();
    (back.unit_mut(personnel).routed, back.unit_mut(personnel).losses) = (false, 3);
    let home = back.hex(train).expect("there");
    back.put(personnel, Spot::On(home));
    let trial = Trial::new(back, move |t, mut g| async move {
        pack::rejoin(&t, &mut g, personnel);
        g
    });
    let again = trial.start().over();
    assert_eq!((again.unit(train).abandoned, again.cf(train), again.unit(train).ammo), (false, 3, 4));
    assert_eq!(again.unit(personnel).spot, Spot::Pool);
    // Warriors in its hex at the Indian Rally Phase score 5 VPs and one for each point of
    // ammunition.
    let mut taken = end;
    taken.put(foe, Spot::On(home));
    let trial = Trial::new(taken, |t, mut g| async move {
        pack::plunder(&t, &mut g);
        g
    });
    let gone = trial.start().over();
    assert_eq!((gone.unit(train).spot, gone.unit(train).abandoned, gone.vps[1]), (Spot::Dead, false, 11));
}

/// rosebud-creek 15.B
#[test]
fn a_train_is_abandoned_once() {
    let mut g = bare();
    let train = foot(&mut g, "PTA", "1710");
    foot(&mut g, "PPA", "1714");
    g.unit_mut(train).abandoned = true;
    let trial = Trial::new(g, move |t, mut g| async move {
        pack::abandon(&t, &mut g, train);
        g
    });
    let end = trial.start().over();
    assert_eq!((at(&end, "PPA"), end.here(hex(&end, "1710")).count()), ("1714".to_owned(), 1));
}

/// rosebud-creek 15.B, 15.C
#[test]
fn an_abandoned_train_is_left_alone() {
    let mut g = bare();
    let train = foot(&mut g, "PTA", "1710");
    foot(&mut g, "3AH", "1710");
    let near = hex(&g, "1711");
    let there = |g: &State| {
        (fire::targets(g, hex(g, "1710"), Side::Us).len(), zoc::exerting(g, near, Side::Us).any(|u| u == train))
    };
    assert_eq!(there(&g), (2, true));
    g.unit_mut(train).abandoned = true;
    assert_eq!(there(&g), (1, false));
}

/// rosebud-creek 15.B
#[test]
fn personnel_replace_losses() {
    let mut g = bare();
    let p = foot(&mut g, "PPA", "1710");
    let a = foot(&mut g, "3A", "1712");
    g.unit_mut(a).losses = 2;
    assert_eq!(pack::may_give(&g, p, a, 2), Ok(()));
    assert!(pack::may_give(&g, p, a, 3).is_err(), "no more than it has lost");
    let mut barred = g.clone();
    ride(&mut barred, "H1", "1612");
    assert!(pack::may_give(&barred, p, a, 2).is_err(), "through a ZOC");
    let trial = Trial::new(g.clone(), move |t, mut g| async move {
        pack::give(&t, &mut g, p, a, 2).await;
        g
    });
    let end = trial.start().over();
    assert_eq!((end.cf(a), end.cf(p), end.vps), (5, 4, [0, 0]));
    // Nobody else gives points, and neither the HQ nor Scouts get any.
    let (other, hq, scouts) = (foot(&mut g, "3E", "1711"), foot(&mut g, "HQ", "1711"), foot(&mut g, "LOU", "1711"));
    for u in [other, hq, scouts] {
        g.unit_mut(u).losses = 1;
    }
    assert_eq!([other, hq, scouts].map(|u| pack::may_give(&g, p, u, 1).is_ok()), [true, false, false]);
    assert!(pack::may_give(&g, other, a, 1).is_err(), "a company");
    foot(&mut g, "PTA", "1810");
    assert!(pack::may_give(&g, p, a, 1).is_err(), "their train is there");
}

/// rosebud-creek 15.B
#[test]
fn personnel_come_and_give() {
    let mut g = bare();
    let (p, a) = (foot(&mut g, "PPA", "1710"), foot(&mut g, "3A", "1710"));
    g.unit_mut(a).losses = 2;
    g.unit_mut(p).did.spent = 4;
    assert_eq!(pack::may_give(&g, p, a, 2), Ok(()));
    let beside = hex(&g, "1711");
    g.put(a, Spot::On(beside));
    assert!(pack::may_give(&g, p, a, 2).is_err(), "they have moved");
    g.unit_mut(p).did.spent = 0;
    assert_eq!(pack::may_give(&g, p, a, 2), Ok(()));
}

/// rosebud-creek 6.A, 15.B
#[test]
fn personnel_keep_to_the_stacking_limit() {
    let mut g = bare();
    for id in ["3A", "3AH"] {
        foot(&mut g, id, "1710");
    }
    let personnel = foot(&mut g, "PPA", "1711");
    let short = foot(&mut g, "2B", "1710");
    g.unit_mut(short).losses = 1;
    for id in ["3E", "3I", "3M", "2A", "2D", "2E", "2I"] {
        let u = unit(&g, id);
        let room = 25 - g.stacked(hex(&g, "1710"));
        g.unit_mut(u).mode = Mode::Dismounted;
        let strength = u32::from(g.cf(u));
        g.unit_mut(u).losses = strength.saturating_sub(room).min(strength) as u8;
        foot(&mut g, id, "1710");
    }
    let may = |g: &State| pack::may_give(g, personnel, short, 1);
    assert_eq!((g.stacked(hex(&g, "1710")), may(&g)), (25, Err("the hex has no room for them")));
    let u = unit(&g, "3A");
    g.unit_mut(u).losses = 1;
    assert_eq!(may(&g), Ok(()));
}

/// rosebud-creek 12.A, 15.B
#[test]
fn a_leader_leaves_personnel_who_are_no_more() {
    let mut g = bare();
    let (p, a) = (foot(&mut g, "PPA", "1710"), foot(&mut g, "3A", "1710"));
    let points = g.cf(p);
    (g.unit_mut(a).losses, g.unit_mut(p).losses) = (2, points - 2);
    let mills = lead(&mut g, "Mills", "1710");
    g.chief_mut(mills).with = Some(p);
    let trial = Trial::new(g, move |t, mut g| async move {
        pack::give(&t, &mut g, p, a, 2).await;
        g
    });
    let end = trial.start().over();
    assert_eq!((end.unit(p).spot, end.unit(a).losses, end.chief(mills).with), (Spot::Dead, 0, Some(a)));
}

/// rosebud-creek 14.C, 15.A
#[test]
fn a_train_that_gives_ammunition_does_not_fire() {
    let mut g = bare();
    let (train, a) = (foot(&mut g, "PTA", "1710"), foot(&mut g, "3A", "1710"));
    let foe = foot(&mut g, "H1", "1711");
    g.unit_mut(a).low_ammo = true;
    (g.phase, g.phasing) = (Phase::Rally, Side::Us);
    let fires = |g: &State, volley| Fires::phase(Side::Us, volley).may(g, train, Target::Unit(foe), false).is_ok();
    let offensive = Volley::Offensive(Volume::Full);
    assert!(fires(&g, offensive));
    let mut run = rallying(&g, Side::Us).start();
    run.say("re-supply 3a").say("done");
    assert!(!fires(&run.over(), offensive));
    assert!(fires(&run.over(), Volley::Advance), "half of it comes later");
}

/// rosebud-creek 15.C, 15.D, 14.F
#[test]
fn the_last_points_of_a_train_cost_ammunition() {
    let mut g = bare();
    let train = foot(&mut g, "PTA", "1710");
    g.unit_mut(train).losses = 4;
    let trial = Trial::new(g, move |t, mut g| async move {
        fire::lose(&t, &mut g, train, 2);
        g
    });
    let end = trial.start().over();
    // Five for the train, four for its remaining ammunition, and two for its Casualty Points.
    assert_eq!((end.unit(train).spot, end.vps), (Spot::Dead, [0, 5 + 4 + 2]));
}

/// rosebud-creek 15.B
#[test]
fn personnel_give_points_by_an_order() {
    let mut g = bare();
    let (p, a, e) = (foot(&mut g, "PPA", "1710"), foot(&mut g, "3A", "1710"), foot(&mut g, "3E", "1712"));
    (g.unit_mut(a).losses, g.unit_mut(e).losses) = (3, 3);
    let mut run = moving(&g, Side::Us).start();
    run.say("personnel 2 from ppa to 3a");
    let now = run.now();
    assert_eq!((now.unit(a).losses, now.cf(p), now.unit(e).losses), (1, 4, 3));
    assert!(run.refused("ppa to 1711").contains("7.A"), "who has given points stays");
    run.say("personnel 3 from ppa to 3e");
    let now = run.now();
    assert_eq!((now.unit(e).losses, now.cf(p)), (0, 1));
    assert!(run.refused("personnel 2 from ppa to 3a").contains("15.B"));
    run.say("personnel 1 from ppa to 3a").say("done");
    let end = run.over();
    assert_eq!((end.unit(a).losses, end.hex(p)), (0, None));
}

/// rosebud-creek 15.B
#[test]
fn pinned_personnel_give_points() {
    let mut g = bare();
    quiet(&mut g);
    let (p, a) = (foot(&mut g, "PPA", "1710"), foot(&mut g, "3A", "1712"));
    g.unit_mut(a).losses = 2;
    g.unit_mut(p).pinned = true;
    let mut run = moving(&g, Side::Us).start();
    run.say("personnel 2 from ppa to 3a");
    assert_eq!((run.now().unit(a).losses, run.now().cf(p)), (0, 4));
    let spoils: [fn(&mut State, UnitId, UnitId); 3] = [
        |g, _, a| g.unit_mut(a).pinned = true,
        |g, _, a| g.unit_mut(a).routed = true,
        |g, p, _| g.unit_mut(p).routed = true,
    ];
    for spoil in spoils {
        let mut other = g.clone();
        spoil(&mut other, p, a);
        // Asked directly, because the phase would move Routed units.
        assert!(pack::may_give(&other, p, a, 2).is_err_and(|why| why.contains("Routed")));
    }
}

/// rosebud-creek 15.B
#[test]
fn personnel_rejoin_their_train_by_an_order() {
    let mut g = bare();
    let (train, personnel) = (foot(&mut g, "PTA", "1710"), foot(&mut g, "PPA", "1712"));
    (g.unit_mut(train).abandoned, g.unit_mut(train).losses, g.unit_mut(personnel).losses) = (true, 1, 3);
    foot(&mut g, "3A", "1809");
    let mut run = moving(&g, Side::Us).start();
    run.say("ppa: 1711");
    let now = run.now();
    assert_eq!((now.unit(train).abandoned, at(&now, "PPA")), (true, "1711".to_owned()));
    run.say("ppa: 1710");
    let now = run.now();
    assert_eq!((now.unit(train).abandoned, now.unit(personnel).spot), (false, Spot::Pool));
    assert_eq!((now.cf(train), now.unit(train).ammo), (3, 4));
    // The crew has moved, and fires no more than the Personnel could.
    assert!(run.refused("build 3a").contains("No Pack Train"), "16.C");
    foot(&mut g, "PPA", "1711");
    g.unit_mut(personnel).did.fired = Some(Volume::Half);
    let manned = moving(&g, Side::Us).start().say("ppa: 1710").now();
    assert_eq!(manned.unit(train).did.fired, Some(Volume::Half), "4.E");
}

/// A Retreat of one hex from 1712 takes the Personnel into the hex of their train: by fire, also with
/// 19 other Combat Factors there, and before melee.
///
/// rosebud-creek 15.B, 10.I, 10.H, 6
#[test]
fn personnel_rejoin_their_train_by_a_retreat() {
    let mut g = bare();
    quiet(&mut g);
    let (train, personnel) = (foot(&mut g, "PTA", "1710"), foot(&mut g, "PPA", "1711"));
    (g.unit_mut(train).abandoned, g.unit_mut(personnel).losses) = (true, 2);
    foot(&mut g, "H1", "1712");
    says(&mut g, Side::Us, About::FallBack, "1710");
    let joined = |end: &State| {
        assert_eq!((end.unit(train).abandoned, end.unit(personnel).spot), (false, Spot::Pool));
        assert_eq!((end.cf(train), end.unit(train).ammo), (4, 4));
    };
    for others in [[].as_slice(), &["9C", "9G", "9H", "4D", "MIN"]] {
        others.iter().for_each(|id| _ = foot(&mut g, id, "1710"));
        let check = dice_for(&g, "H1", "PPA", Volley::Offensive(Volume::Full), Outcome::Mc);
        let trial = Trial::new(State { phase: Phase::Offensive, ..g.clone() }, |t, mut g| async move {
            volley::phase(&t, &mut g, Side::Indian, Phase::Offensive, Volley::Offensive(Volume::Full)).await;
            g
        });
        let mut run = trial.dice("fire", check).dice("morale", [3, 3]).start();
        run.say("fire h1 at ppa");
        joined(&run.now());
    }
    assert_eq!(g.stacked(hex(&g, "1710")), 25);
    says(&mut g, Side::Us, About::BeforeMelee, "odds 1");
    let losses = g.full(personnel) - 1;
    (g.unit_mut(personnel).losses, g.unit_mut(train).losses) = (losses, losses);
    let mut run = fighting(&g, Side::Indian).dice("retreat before melee", [6]).dice("pursuit", [1]).start();
    run.say("melee 1711 with h1 pursue only no advance");
    assert_eq!((run.over().unit(train).abandoned, run.over().unit(personnel).spot), (false, Spot::Pool));
}

/// rosebud-creek 15.B, 13.B
#[test]
fn personnel_rejoin_their_train_as_they_rally() {
    let mut g = bare();
    quiet(&mut g);
    let (train, personnel) = (foot(&mut g, "PTA", "1710"), foot(&mut g, "PPA", "1710"));
    g.unit_mut(train).abandoned = true;
    let end = |g: &State, die: &[i64]| {
        let mut run = rallying(g, Side::Us).dice("rally", die.to_vec()).start();
        run.say("done");
        let end = run.over();
        (end.unit(train).abandoned, end.unit(personnel).spot == Spot::Pool)
    };
    g.unit_mut(personnel).routed = true;
    assert_eq!([end(&g, &[6]), end(&g, &[1])], [(false, true), (true, false)]);
    // A Pinned one away from the enemy recovers by itself; one that is still Pinned does not.
    (g.unit_mut(personnel).routed, g.unit_mut(personnel).pinned) = (false, true);
    assert_eq!(end(&g, &[]), (false, true));
    foot(&mut g, "H1", "1711");
    assert_eq!([end(&g, &[6]), end(&g, &[1])], [(false, true), (true, false)]);
}

/// The train has 6 points, and 19 others are with it.
///
/// rosebud-creek 15.B, 6
#[test]
fn personnel_rejoin_their_train_in_a_full_hex() {
    let mut g = bare();
    quiet(&mut g);
    let (train, personnel) = (foot(&mut g, "PTA", "1610"), foot(&mut g, "PPA", "1612"));
    g.unit_mut(train).abandoned = true;
    for id in ["9C", "9G", "9H", "4D", "MIN"] {
        foot(&mut g, id, "1610");
    }
    assert_eq!(g.stacked(hex(&g, "1610")), 25);
    for said in ["ppa: 1611 > 1610", "ppa: 1611"] {
        let mut run = moving(&g, Side::Us).start();
        run.say(said);
        assert_eq!(run.now().unit(train).abandoned, said == "ppa: 1611");
    }
    // Without an order they go back by themselves.
    let end = moving(&g, Side::Us).start().say("done").over();
    assert_eq!((end.unit(train).abandoned, end.unit(personnel).spot), (false, Spot::Pool));
}

/// Unlike a train and Holders they may lie down, but not instead of going back. They have 4 MPs: one
/// to get up, and two for a clear hex.
///
/// rosebud-creek 8, 15.B, 3.I
#[test]
fn personnel_go_prone() {
    let mut g = bare();
    quiet(&mut g);
    let (train, personnel) = (foot(&mut g, "PTA", "1710"), foot(&mut g, "PPA", "1613"));
    foot(&mut g, "3AH", "1711");
    let order = |g: &State, said: &str| {
        let mut run = moving(g, Side::Us).start();
        run.try_say(said).map(|()| (run.now().unit(personnel).mode, at(&run.say("done").over(), "PPA")))
    };
    for said in ["pta: prone", "3ah: prone", "ppa: mount"] {
        assert!(order(&g, said).is_err_and(|why| why.contains("always on foot")), "{said}");
    }
    let lies = Ok((Mode::Prone, "1613".to_owned()));
    let mut lost = g.clone();
    lost.put(train, Spot::Dead);
    assert_eq!(order(&lost, "ppa: prone"), lies);
    g.unit_mut(train).abandoned = true;
    for said in ["ppa: prone", "ppa: 1612, prone", "ppa: prone, dismount"] {
        assert!(order(&g, said).is_err_and(|why| why.contains("15.B")), "{said}");
    }
    let mut held = g.clone();
    foot(&mut held, "H1", "1614");
    assert_eq!(order(&held, "ppa: prone"), lies, "no free path");
    g.unit_mut(personnel).mode = Mode::Prone;
    let end = moving(&g, Side::Us).start().say("done").over();
    assert_eq!((end.unit(personnel).mode, at(&end, "PPA")), (Mode::Dismounted, "1612".to_owned()));
    assert_eq!(order(&g, "ppa: dismount, 1612"), Ok((Mode::Dismounted, "1612".to_owned())));
}

/// The whole way of two hexes must be free, and so the hex between too.
///
/// rosebud-creek 15.B
#[test]
fn personnel_send_points_past_no_enemy() {
    let mut g = bare();
    let (p, a) = (foot(&mut g, "PPA", "1710"), foot(&mut g, "3A", "1712"));
    g.unit_mut(a).losses = 2;
    let [from, mid, to] = ["1710", "1711", "1712"].map(|id| hex(&g, id));
    let grid = g.charts.grid.clone();
    assert!(grid.neighbours(from).filter(|&hex| grid.adjacent(hex, to)).eq([mid]), "there is one way");
    assert_eq!(pack::may_give(&g, p, a, 2), Ok(()));
    let beside = grid.neighbours(mid).find(|&hex| grid.distance(hex, to) > 1 && hex != from).expect("a hex");
    let h = ride(&mut g, "H1", "1712");
    g.put(h, Spot::On(beside));
    assert!(zoc::reaches(&g, mid, Side::Indian) && !zoc::reaches(&g, to, Side::Indian));
    assert!(pack::may_give(&g, p, a, 2).is_err());
}

/// rosebud-creek 15.B, 9.G, 13.A
#[test]
fn a_train_abandoned_in_its_retreat_is_not_disrupted() {
    let mut g = bare();
    quiet(&mut g);
    g.phase = Phase::Defensive;
    let train = foot(&mut g, "PTA", "1710");
    let h1 = foot(&mut g, "H1", "1709");
    foot(&mut g, "H2", "1612");
    foot(&mut g, "H3", "1812");
    says(&mut g, Side::Us, About::FallBack, "1611");
    says(&mut g, Side::Indian, About::RetreatFire, "yes");
    let trial = Trial::new(g, move |t, mut g| async move {
        let cause = fire::Cause { from: hex(&g, "1709"), foe: h1, volley: None };
        morale::check(&t, &mut g, train, false, cause).await;
        g
    });
    // It falls back, and is Routed by Retreat Fire.
    let run = trial.dice("morale", [2, 3, 1, 1]).dice("fire", [4, 4]).any_dice([1; 8]).start();
    let end = run.now();
    assert_eq!((at(&end, "PTA").as_str(), end.unit(train).abandoned, end.unit(train).disrupted), ("1611", true, false));
}
