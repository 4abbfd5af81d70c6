//! What version 6 of the rules does otherwise before and beside melee, beside what version 5 did.

use super::{
    super::{
        Order, State,
        components::Side,
        fire, leaders, morale,
        movement::{self, Mover},
        order::Act,
        pack, rally,
        state::{Spot, Wound},
        testing::*,
    },
    sixth::{moving, old},
    third::quiet,
};

/// The Rally Phase of a side.
fn rallying(g: &State, side: Side) -> Trial {
    let mut g = g.clone();
    g.phasing = side;
    Trial::new(g, |t, mut g| async move {
        rally::phase(&t, &mut g).await;
        g
    })
}

/// Who Routs of his own will in the Rally Phase is not rolled for in it, and several units may.
///
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
    // Who was Routed before tries first.
    let shaken = foot(&mut g, "3I", "2110");
    g.unit_mut(shaken).routed = true;
    let mut run = rallying(&g, Side::Us).dice("rally", [6]).start();
    assert!(run.refused("rout 3a").contains("rally first"));
    run.say("rally all").say("rout 3a").say("rout 3e").say("done");
    let end = run.over();
    assert!(!end.unit(shaken).routed && both.iter().all(|&u| end.unit(u).routed));
    g.unit_mut(shaken).routed = false;
    let mut run = rallying(&old(&g), Side::Us).dice("rally", [6]).start();
    run.say("rout 3a");
    assert!(run.refused("rout 3e").contains("rally first"));
    run.say("done");
    assert!(!run.over().unit(both[0]).routed);
}

/// A Leader is Pinned with his unit until the end of his side's next Rally Phase, whether it recovers or not; who joins a Pinned unit is not.
///
/// rosebud-creek 12.A, 13.B
#[test]
fn leaders_recover_by_themselves() {
    let mut g = bare();
    quiet(&mut g);
    let a = foot(&mut g, "3A", "1710");
    let h = foot(&mut g, "H1", "1709");
    let mills = lead(&mut g, "Mills", "1710");
    let cause = fire::Cause { from: hex(&g, "1709"), foe: h, volley: None };
    let trial = Trial::new(g, move |t, mut g| async move {
        morale::pin(&t, &mut g, a, cause).await;
        g
    });
    let g = trial.start().over();
    // Somebody else can move, so that the phase is asked for.
    let mut g = g;
    foot(&mut g, "3E", "1910");
    let away = |g: &State| moving(g, Side::Us).start().try_say("mills alone: 1711");
    for g in [&g, &old(&g)] {
        assert!(g.unit(a).pinned && leaders::is_pinned(g, mills) && leaders::radius(g, mills).is_none());
        assert!(away(g).is_err());
    }
    let after = |g: &State| {
        let mut run = rallying(g, Side::Us).dice("rally", [1]).start();
        run.say("done");
        run.over()
    };
    let (new, before) = (after(&g), after(&old(&g)));
    assert!(new.unit(a).pinned && before.unit(a).pinned);
    assert!(leaders::radius(&new, mills).is_some() && leaders::radius(&before, mills).is_none());
    assert_eq!(away(&new), Ok(()));
    assert!(away(&before).is_err());
    // In that Rally Phase he has no radius yet.
    let down: Vec<_> = g.c.leader_ids().filter(|&l| leaders::is_pinned(&g, l)).collect();
    assert_eq!(down, [mills]);
    // Crook comes to a Pinned unit and is not Pinned.
    let mut g = new;
    let crook = lead(&mut g, "Crook", "1710");
    assert!(!leaders::is_pinned(&g, crook) && leaders::is_pinned(&old(&g), crook));
    // Routed, the unit is not Pinned any more, nor who goes with it.
    g.chief_mut(mills).pinned = true;
    let trial = Trial::new(g, move |t, mut g| async move {
        super::super::rout::mandatory(&t, &mut g, a, cause).await;
        g
    });
    let end = trial.start().over();
    assert!(end.unit(a).routed && !leaders::is_pinned(&end, mills));
}

/// A Holder that is put down on the way counts in that hex.
///
/// rosebud-creek 6.A, 6.E, 8.D
#[test]
fn holders_on_the_way_need_room() {
    let mut g = bare();
    quiet(&mut g);
    for id in ["3A", "3E", "3I", "3M", "HQ"] {
        ride(&mut g, id, "1710");
    }
    assert_eq!(g.stacked(hex(&g, "1710")), 25);
    lead(&mut g, "Crook", "1611");
    ride(&mut g, "3B", "1711");
    let said = |g: &State, words: &str| moving(g, Side::Us).start().try_say(words);
    let way = "3b: 1710, dismount, 1711";
    assert!(said(&g, way).is_err_and(|why| why.contains("1710 would hold 26")));
    assert_eq!(said(&old(&g), way), Ok(()));
    assert_eq!(said(&g, "3b: 1710, dismount, 1711 also hq: 1611"), Ok(()));
}

/// A severely wounded Leader slows units that begin their move in his hex, for the whole of it, and not those that pass.
///
/// rosebud-creek 7.C, 12.D
#[test]
fn the_wounded_slow_who_begins_with_them() {
    let mut g = bare();
    quiet(&mut g);
    foot(&mut g, "3E", "1711");
    let mills = lead(&mut g, "Mills", "1711");
    g.chief_mut(mills).wound = Wound::Severe;
    let a = ride(&mut g, "3A", "1711");
    let go = |g: &State, spent: u16, to: Option<&str>| {
        let mut g = g.clone();
        g.phasing = Side::Us;
        g.unit_mut(a).did.spent = spent;
        if let Some(to) = to {
            movement::act(&mut g, Mover::Unit(a), &Act::Go { hex: to.to_owned() }).expect("a step");
        }
        movement::left(&g, Mover::Unit(a))
    };
    // It has come here for three of its six MPs.
    assert_eq!((go(&g, 3, None), go(&old(&g), 3, None)), (3, 0));
    // It begins here: three in all, also when it has left him.
    assert_eq!((go(&g, 0, None), go(&old(&g), 0, None)), (3, 3));
    assert_eq!((go(&g, 0, Some("1712")), go(&old(&g), 0, Some("1712"))), (1, 4));
}

/// Ammunition comes from the train or for an Ammo Point, as the order says; else from the train.
///
/// rosebud-creek 14.C
#[test]
fn the_order_names_the_source_of_ammunition() {
    let mut g = bare();
    quiet(&mut g);
    let a = ride(&mut g, "3A", "1710");
    g.unit_mut(a).low_ammo = true;
    g.ammo_points = 4;
    let trains = ["PTA", "PTB"].map(|id| foot(&mut g, id, "1711"));
    let end = |g: &State, said: &str| {
        let mut run = rallying(g, Side::Us).start();
        run.check_options(20);
        run.try_say(said).map(|()| {
            let now = run.now();
            (now.ammo_points, trains.map(|train| now.unit(train).ammo))
        })
    };
    assert_eq!(end(&g, "re-supply 3a"), Ok((4, [5, 6])));
    assert_eq!(end(&g, "re-supply 3a from the train"), Ok((4, [5, 6])));
    assert_eq!(end(&g, "re-supply 3a from ptb"), Ok((4, [6, 5])));
    for own in ["re-supply 3a own point", "resupply 3a from its own ammo point", "re-supply 3a from saddle bags"] {
        assert_eq!(end(&g, own), Ok((3, [6, 6])), "{own}");
    }
    assert_eq!(end(&old(&g), "re-supply 3a"), Ok((4, [5, 6])));
    assert!(end(&old(&g), "re-supply 3a own point").is_err_and(|why| why.contains("14.C")));
    let mut run = rallying(&g, Side::Us).start();
    assert!(run.try_say("re-supply 3a from 3e").is_err());
    for from in ["", Order::TRAIN, Order::OWN, "PTB"] {
        let order = Order::Resupply { unit: "3A".to_owned(), from: from.to_owned() };
        let seen = run.session.look().expect("it runs");
        let ticket = &seen.tickets[0];
        let said = ticket.prompt.say(&seen.state, ticket.seat, &order).unwrap_or_else(|| panic!("{from}: no words"));
        assert_eq!(run.read(&said).as_ref(), Ok(&order), "{said}");
    }
    // What stands in a journal of before has no source.
    let written = serde_json::to_string(&Order::resupply("3A".to_owned())).expect("a line");
    assert_eq!(written, r#"{"resupply":{"unit":"3A"}}"#);
    // No train gives: the point is taken; none is left: nothing.
    for train in trains {
        g.unit_mut(train).ammo = 0;
    }
    assert_eq!(end(&g, "re-supply 3a"), Ok((3, [0, 0])));
    assert!(end(&g, "re-supply 3a from the train").is_err());
}

/// Each Casualty Point costs a Pack Train ammunition, also those that eliminate it.
///
/// rosebud-creek 15.C, 15.D, 14.F
#[test]
fn the_last_points_of_a_train_cost_ammunition() {
    let mut g = bare();
    let train = foot(&mut g, "PTA", "1710");
    g.unit_mut(train).losses = 4;
    let vps = |g: &State| {
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            fire::lose(&t, &mut g, train, 2);
            g
        });
        let end = trial.start().over();
        assert_eq!(end.unit(train).spot, Spot::Dead);
        end.vps[Side::Indian.index()]
    };
    // Five for the train, and what it holds: six, or four.
    assert_eq!((vps(&old(&g)) - vps(&g), vps(&g)), (2, 5 + 4 + 2));
}

/// A Leader whose Personnel give away their last point joins another unit at once.
///
/// rosebud-creek 12.A, 15.B
#[test]
fn a_leader_leaves_personnel_who_are_no_more() {
    let mut g = bare();
    let (p, a) = (foot(&mut g, "PPA", "1710"), foot(&mut g, "3A", "1710"));
    let points = g.cf(p);
    (g.unit_mut(a).losses, g.unit_mut(p).losses) = (2, points - 2);
    let mills = lead(&mut g, "Mills", "1710");
    g.chief_mut(mills).with = Some(p);
    let with = |g: &State| {
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            pack::give(&t, &mut g, p, a, 2);
            g
        });
        let end = trial.start().over();
        assert_eq!((end.unit(p).spot, end.unit(a).losses), (Spot::Dead, 0));
        end.chief(mills).with
    };
    assert_eq!((with(&g), with(&old(&g))), (Some(a), Some(p)));
}
