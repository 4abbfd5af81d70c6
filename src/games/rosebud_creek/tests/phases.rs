//! The Sequence of Play (4), the set-up (18).

use super::super::{
    State,
    components::{Class, Side},
    doctrine::About,
    entry, legal,
    movement::{self, Mover},
    order::Act,
    play, setup,
    state::{Mode, Phase, Spot, Volume},
    testing::*,
    variant::Variant,
};
use postrider_table::Seat;
use serde_json::json;

/// rosebud-creek 18.1
#[test]
fn the_historical_set_up() {
    let g = game(Variant::default());
    let stacks = [
        ("3413", "2A 2B 2D 2E 2I"),
        ("3314", "3C 3G"),
        ("3213", "HQ 9C 9G 9H 4D 4F"),
        ("3014", "3B 3D 3F 3L"),
        ("3514", "3A 3E 3I 3M"),
        ("2912", "MIN"),
    ];
    for (at, units) in stacks {
        let here: Vec<String> = g.here(hex(&g, at)).filter(|&u| !g.class(u).is_holder()).map(|u| g.name(u)).collect();
        let mut wanted: Vec<String> = units.split(' ').map(str::to_owned).collect();
        wanted.sort_by_key(|id| g.c.unit(id));
        assert_eq!(here, wanted, "{at}");
    }
    assert_eq!(g.on_map(Side::Us).filter(|&u| g.class(u) == Class::HorseHolder).count(), 15);
    assert!(
        g.c.unit_ids()
            .filter(|&u| g.class(u) == Class::Warrior)
            .all(|u| g.unit(u).spot == Spot::Waiting && g.unit(u).mode == Mode::Mounted)
    );
    assert_eq!(g.chief(leader(&g, "Crook")).spot, Spot::On(hex(&g, "3213")));
    assert_eq!(g.ammo_points, 4);
    assert!(legal::faults(&g).is_empty(), "{:?}", legal::faults(&g));
    assert_eq!(g.stacked(hex(&g, "3413")), 25);
}

/// Two trains with the Miners, with six points or thirty boxes each.
///
/// rosebud-creek 18.2, 14.F, 15
#[test]
fn crook_brings_the_pack_train() {
    use super::super::components::{Components, Kit as _};
    let at = |variant| setup::position(Components::builtin().clone(), "pack-train", variant);
    let g = at(Variant::default());
    let ammo = |g: &State| ["PTA", "PTB"].map(|id| (super::super::testing::at(g, id), g.unit(unit(g, id)).ammo));
    assert_eq!(ammo(&g), [("2912".to_owned(), 6), ("2912".to_owned(), 6)]);
    assert_eq!(ammo(&at(Variant { ammo_roster: true, ..Variant::default() })).map(|train| train.1), [30, 30]);
}

/// rosebud-creek 12.E, 18.1
#[test]
fn the_staff_begins_with_the_hq() {
    let g = game(Variant::default());
    let hq = unit(&g, "HQ");
    let staff = g.chief(leader(&g, "Staff"));
    assert_eq!((staff.spot, staff.with), (g.unit(hq).spot, Some(hq)));
    assert_eq!((g.unit(hq).mode, at(&g, "HQH").as_str()), (Mode::Mounted, "-"));
}

/// Scouts may set up anywhere in their band, in any mode, and Holders adjacent to their units; then
/// the Indians set doctrines.
///
/// rosebud-creek 18.1, 17
#[test]
fn placing() {
    let trial = Trial::new(game(Variant::default()), |t, mut g| async move {
        setup::phase(&t, &mut g).await;
        g
    });
    let mut run = trial.start();
    assert_eq!(run.asked(), [(Seat(0), "set-up")]);
    run.check_options(40);
    // The US is shown how Scouts dismount, the Indians a doctrine.
    assert!(run.words().iter().any(|words| words.starts_with("place ") && words.ends_with(" dismounted")));
    run.say("place old med in 2605 dismounted").say("place 2ah 3513");
    assert!(run.refused("place lou 2602").contains("17") && run.refused("place 2ah 3613").contains("beside"));
    assert!(run.refused("place 3a 3514").contains("scenario"));
    // The HQ is not marked unless its Holder is placed.
    let (hq, before) = (unit(&run.now(), "HQ"), run.now());
    assert_eq!((before.unit(hq).mode, at(&before, "HQH").as_str()), (Mode::Mounted, "-"));
    run.say("place hqh 3214");
    let after = run.now();
    assert_eq!((after.unit(hq).mode, at(&after, "HQH").as_str()), (Mode::Dismounted, "3214"));
    run.say("doctrine opportunity fire: chance 10").say("done");
    assert_eq!(run.asked(), [(Seat(1), "set-up")]);
    assert_eq!(run.words(), ["done", "doctrine before melee odds 2 mounted", "doctrine scatter strength 12"]);
    run.say("doctrine before melee odds 2-1 mounted").say("done");
    let end = run.over();
    assert_eq!([at(&end, "OLD"), at(&end, "2AH")], ["2605", "3513"]);
    assert_eq!(end.unit(unit(&end, "OLD")).mode, Mode::Dismounted);
    let said = |about| end.doctrine[1].said(about, &end.charts.grid);
    assert_eq!(said(About::BeforeMelee), "odds 2 mounted");
}

/// The Indians enter in turn 1: all may use the north edge, one Hunkpapa or Oglala unit the east,
/// two other tribes the west; units not ordered enter in the north.
///
/// rosebud-creek 18.1, 4
#[test]
fn the_indians_enter() {
    let mut g = game(Variant::default());
    g.turn = 1;
    let trial = Trial::new(g, |t, mut g| async move {
        play::player_turn(&t, &mut g, Side::Indian).await;
        g
    });
    let mut run = trial.start();
    assert_eq!(run.asked(), [(Seat(1), "movement")], "nobody is there to rally or fire");
    run.check_options(30);
    run.say("hunkpapa 1-3: 2400 > 2401");
    assert_eq!(["H1", "H2", "H3"].map(|id| at(&run.now(), id)), ["2401"; 3]);
    run.say("o1 enter 4705");
    assert!(run.refused("h4 enter 4706").contains("one unit"));
    run.say("s1 enter 1102").say("m1 enter 1104");
    assert!(run.refused("t1 enter 1103").contains("two tribes") && run.refused("c1 enter 1103").contains("Cheyenne"));
    assert!(run.refused("c1 enter 2405").contains("18.1"));
    assert!(run.refused("crazy horse enter 2400").contains("comes with a unit"), "the Hunkpapa have gone on to 2401");
    run.say("crazy horse enter 4705").say("gall h4 enter 2400");
    assert_eq!(run.now().chief(leader(&run.now(), "Gall")).with, Some(unit(&run.now(), "H4")));
    run.say("c1 enter 3000, dismount").say("done");
    let g = run.now();
    assert!(g.c.unit_ids().all(|u| g.unit(u).spot != Spot::Waiting));
    let all = g.c.unit_ids().filter(|&u| g.class(u) == Class::Warrior);
    assert!(all.filter_map(|u| g.hex(u)).all(|hex| g.stacked(hex) <= 25));
    assert_eq!((at(&g, "C1"), at(&g, "C1H")), ("3000".to_owned(), "3000".to_owned()));
}

/// rosebud-creek 4, 4.A, 4.B, 4.C, 4.D, 4.E, 4.F, 4.G
#[test]
fn phases_come_in_order() {
    let mut g = bare();
    foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    foot(&mut g, "3E", "2010");
    let trial = Trial::new(g, |t, mut g| async move {
        play::player_turn(&t, &mut g, Side::Us).await;
        g
    });
    let mut run = trial.dice("fire", [1, 2, 1, 2]).start();
    let mut seen = Vec::new();
    while let Some(&(seat, kind)) = run.asked().first() {
        seen.push((seat.0, kind));
        run.check_options(4);
        match kind {
            "offensive-fire" if seen.iter().filter(|(_, kind)| *kind == "offensive-fire").count() == 1 => {
                run.say("fire 3a half at h1")
            }
            "defensive-fire" => run.say("fire all at best"),
            _ => run.say("done"),
        };
    }
    // 3A has fired and cannot use Advance Fire, but it may attack.
    assert_eq!(seen, [(0, "rally"), (0, "offensive-fire"), (0, "movement"), (1, "defensive-fire"), (0, "melee")]);
    let end = run.over();
    assert_eq!(end.phase, Phase::Melee);
    assert_eq!(end.unit(unit(&end, "3A")).did.fired, Some(Volume::Half));
}

/// rosebud-creek 4
#[test]
fn phases_are_left_out_as_ruled() {
    let mut g = bare();
    foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    let trial = Trial::new(g, |t, mut g| async move {
        play::player_turn(&t, &mut g, Side::Us).await;
        play::player_turn(&t, &mut g, Side::Us).await;
        g
    });
    let mut run = trial.start();
    assert_eq!(run.asked(), [(Seat(0), "rally")]);
    run.session.rule(&json!({ "turn": { "next-phase": "melee" } }), "").unwrap();
    run.say("done");
    assert_eq!(run.asked(), [(Seat(0), "melee")]);
    let why = run.session.rule(&json!({ "turn": { "next-phase": "melee" } }), "").unwrap_err().to_string();
    assert!(why.contains("no phase comes after the Melee Phase"), "{why}");
    run.say("done");
    assert_eq!(run.asked(), [(Seat(0), "rally")]);
}

/// rosebud-creek 6.E, 18.1
#[test]
fn pony_holders_need_room_where_they_enter() {
    let mut g = game(Variant::default());
    (g.turn, g.phasing, g.phase) = (1, Side::Indian, Phase::Movement);
    quiet(&mut g);
    let mut run = moving(&g, Side::Indian).start();
    run.say("h1-h4: dismount, 2400 > 2401");
    assert!(run.refused("c1-c4: dismount, 2400 > 2300").contains("2400 would hold 8 Pony Holders"));
}

/// rosebud-creek 18.1
#[test]
fn nobody_enters_prone() {
    let g = game(Variant::default());
    let h = Mover::Unit(unit(&g, "H5"));
    assert!(entry::waiting(&g).contains(&unit(&g, "H5")));
    assert!(movement::act(&mut g.clone(), h, &Act::Prone {}).is_err_and(|why| why.rule == "18.1"));
}

/// rosebud-creek 4, 18.1
#[test]
fn the_indians_go_first_in_a_turn() {
    let labels = |g: &State| {
        let trial = Trial::new(g.clone(), |t, mut g| async move {
            play::turn(&t, &mut g).await;
            g
        });
        let mut run = trial.start();
        while !run.asked().is_empty() {
            run.say("done");
        }
        run.over();
        let rounds = run.events().into_iter().filter_map(|event| match event {
            postrider_table::Event::Round { turn, round, label, .. } => Some((turn, round, label)),
            _ => None,
        });
        rounds.collect::<Vec<_>>()
    };
    let mut g = bare();
    let clock = g.clock();
    let indians = (2, 1, format!("Turn 2, {clock}: Indian Player Turn"));
    let us = (2, 2, format!("Turn 2, {clock}: US Player Turn"));
    foot(&mut g, "3A", "1710");
    assert_eq!(labels(&g), std::slice::from_ref(&indians), "no Indian is left");
    ride(&mut g, "H1", "2000");
    assert_eq!(labels(&g), [indians, us]);
    // In turn 1 the Indians have still to come.
    let mut first = bare();
    first.turn = 1;
    foot(&mut first, "3A", "1710");
    assert_eq!(labels(&first).len(), 2);
}

/// rosebud-creek 18.1
#[test]
fn the_rest_enter_with_their_leaders() {
    let mut g = game(Variant::default());
    (g.turn, g.phase, g.phasing) = (1, Phase::Movement, Side::Indian);
    let h1 = ride(&mut g, "H1", "2000");
    let horse = lead(&mut g, "Crazy Horse", "2000");
    let came = entry::rest(&mut g);
    assert!(!came.contains(&h1) && !came.is_empty());
    assert_eq!((g.chief(horse).spot, g.chief(horse).with), (Spot::On(hex(&g, "2000")), Some(h1)));
    assert_eq!(entry::waiting_leaders(&g), []);
    // They come by the north edge, with the first who came.
    let others = g.c.leader_ids().filter(|&l| g.c[l].side == Side::Indian && l != horse);
    let with: Vec<_> = others.map(|l| (g.chief(l).with, g.chief(l).spot)).collect();
    assert!(!with.is_empty() && with.iter().all(|&who| who == (Some(came[0]), g.unit(came[0]).spot)));
    // The first of them in its middle.
    let edge = &g.charts.entries[0];
    let column = |hex| g.charts.grid.column(hex);
    let far = |u| column(g.hex(u).expect("on the map")).abs_diff(column(edge[edge.len() / 2]));
    assert_eq!(far(came[0]), 0);
    assert!(came.iter().all(|&u| g.charts.entries[0].contains(&g.hex(u).expect("on the map"))));
}

/// rosebud-creek 4, 17
#[test]
fn the_battle_ends_with_its_last_turn() {
    use super::super::{RosebudCreek, components::Level};
    use postrider_table::{Decision, Event, SeededChance, Session, Watch};
    let mut session =
        Session::<RosebudCreek>::start(game(Variant::default()), Box::new(SeededChance::new(2)), Watch::ALL);
    let mut rounds = Vec::new();
    while session.over().is_none() {
        let seen = session.look().expect("it runs");
        let ticket = seen.tickets.iter().find(|ticket| ticket.required).expect("something is asked");
        let order = ticket.prompt.at_deadline(&seen.state, ticket.seat).expect("silence has an answer");
        let decision = Decision { seat: ticket.seat, prompt: ticket.id, order };
        session.submit(&decision).expect("legal");
        for event in session.take_events() {
            if let Event::Round { turn, round, label, .. } = event {
                rounds.push((turn, round, label));
            }
        }
    }
    assert_eq!((rounds[0].0, rounds[0].1, rounds[0].2.as_str()), (0, 0, "Set-up"));
    let wanted: Vec<(u32, u32)> = (1..=19).flat_map(|turn| [(turn, 1), (turn, 2)]).collect();
    assert_eq!(rounds[1..].iter().map(|round| (round.0, round.1)).collect::<Vec<_>>(), wanted);
    assert!(rounds[1].2.ends_with("Indian Player Turn") && rounds[2].2.ends_with("US Player Turn"));
    let ending = session.over().and_then(|g| g.ending.clone()).expect("an ending");
    assert_eq!((ending.why, ending.winner.is_none()), ("the last turn is over", ending.level == Level::Draw));
}

/// rosebud-creek 4, 7.J, 8, 9.D, 10.I, 10.J, 12.A, 12.D, 13.B, 15.B, 17
#[test]
fn the_story_of_a_turn() {
    use super::super::{fire, leaders, retreat, rout};
    let told = |trial: Trial, orders: &[&str]| {
        let mut run = trial.start();
        for order in orders {
            run.say(order);
        }
        run.story().join("\n")
    };
    let base = || {
        let mut g = bare();
        quiet(&mut g);
        foot(&mut g, "3A", "1710");
        foot(&mut g, "3E", "1710");
        lead(&mut g, "Mills", "1710");
        foot(&mut g, "H1", "1709");
        g
    };
    let cause =
        |g: &State| fire::Cause { from: hex(g, "1709"), foe: unit(g, "H1"), volley: Some(fire::Volley::Advance) };
    let mut pinned = base();
    pinned.put(unit(&pinned, "H1"), Spot::Pool);
    let a = unit(&pinned, "3A");
    pinned.unit_mut(a).pinned = true;
    let mut edge = bare();
    ride(&mut edge, "3A", "1720");
    let mut hill = bare();
    ride(&mut hill, "3A", "3108");
    let mut rides = bare();
    ride(&mut rides, "3A", "1710");
    let mut train = bare();
    foot(&mut train, "PPA", "1710");
    foot(&mut train, "3A", "1710");
    train.unit_mut(a).losses = 2;
    let checked = |loss: [i64; 2], wound: Option<i64>| {
        let trial = Trial::new(base(), |t, mut g| async move {
            let mills = leader(&g, "Mills");
            leaders::check(&t, &mut g, mills);
            g
        });
        trial.dice("leader loss", loss).dice("wound", wound)
    };
    for (trial, orders, lines) in [
        (
            rallying(&pinned, Side::Us),
            &["attach mills to 3e"][..],
            &["Lawson (3A) is no longer Pinned.", "Mills is with 3E."][..],
        ),
        (moving(&edge, Side::Us), &["3a exit"], &["Lawson (3A) leaves the map."]),
        (moving(&hill, Side::Us), &["3a 3109"], &["Lawson (3A) enters ", ": 2 VPs."]),
        (moving(&rides, Side::Us), &["3a dismount"], &["Lawson (3A) dismounts."]),
        (moving(&train, Side::Us), &["personnel 2 from ppa to 3a"], &[" gives 2 to Lawson (3A)."]),
        (checked([1, 1], None), &[], &["Mills is checked for loss: 2: ", "Mills is killed."]),
        (checked([1, 2], Some(3)), &[], &["Mills is checked for loss: 3: ", "His wound: 3: "]),
        (
            Trial::new(base(), move |t, mut g| async move {
                let (u, cause) = (unit(&g, "3A"), cause(&g));
                retreat::fall_back(&t, &mut g, u, 1, cause).await;
                g
            }),
            &[],
            &["Lawson (3A) falls back to "],
        ),
        (
            Trial::new(base(), move |t, mut g| async move {
                let (u, cause) = (unit(&g, "3E"), cause(&g));
                rout::mandatory(&t, &mut g, u, cause).await;
                g
            }),
            &[],
            &["Sutorious (3E) Routs."],
        ),
    ] {
        let story = told(trial, orders);
        let missing: Vec<&&str> = lines.iter().filter(|line| !story.contains(**line)).collect();
        assert!(missing.is_empty(), "{missing:?}: {story}");
    }
}

/// rosebud-creek 12.A, 18.1
#[test]
fn randall_sets_up_with_the_scouts_of_his_hex() {
    let trial = Trial::new(game(Variant::default()), |t, mut g| async move {
        setup::phase(&t, &mut g).await;
        g
    });
    let mut run = trial.start();
    for (said, with) in [
        ("place randall in 2605", None),
        ("place lou in 2605", Some("LOU")),
        ("place lou in 3006", None),
        ("place randall in 3006", Some("LOU")),
        ("place lou in 2605", Some("COS")),
    ] {
        run.say(said);
        let now = run.now();
        let chief = now.chief(leader(&now, "Randall"));
        assert_eq!(chief.with, with.map(|id| unit(&now, id)), "{said}");
    }
}

/// rosebud-creek 7, 18.1
#[test]
fn a_leader_pays_for_the_hex_that_he_enters() {
    let mut g = game(Variant::default());
    (g.turn, g.phasing, g.phase) = (1, Side::Indian, Phase::Movement);
    let gall = leader(&g, "Gall");
    let mut run = moving(&g, Side::Indian).start();
    run.say("gall h1: 2400");
    let now = run.now();
    let cost = movement::terrain_cost(&now, hex(&now, "2400"), Mover::Leader(gall).gait(&now));
    assert!(cost > 0);
    assert_eq!((now.chief(gall).spot, now.chief(gall).spent), (Spot::On(hex(&now, "2400")), cost));
}

/// Events after a ruling on the turn appear under that turn's heading, and its hour counts (16.D).
///
/// rosebud-creek 4, 16.D
#[test]
fn a_ruled_turn_has_its_heading() {
    let mut g = bare();
    foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    let trial = Trial::new(g, |t, mut g| async move {
        play::player_turn(&t, &mut g, Side::Us).await;
        g
    });
    let mut run = trial.start();
    run.session.rule(&json!({ "turn": { "turn": 15 } }), "").unwrap();
    run.say("doctrine rout never").say("done");
    let rounds = run.events().into_iter().filter_map(|event| match event {
        postrider_table::Event::Round { turn, round, label, .. } => Some((turn, round, label)),
        _ => None,
    });
    let [old, new] =
        [(2, "08:20"), (15, "12:40")].map(|(turn, at)| (turn, 2, format!("Turn {turn}, {at}: US Player Turn")));
    assert_eq!(rounds.collect::<Vec<_>>(), [old, new]);
    assert!(run.now().eagle_free, "turn 15 has come");
    let trial = Trial::new(game(Variant::default()), |t, mut g| async move {
        setup::phase(&t, &mut g).await;
        g
    });
    let mut run = trial.start();
    let why = run.session.rule(&json!({ "turn": { "turn": 1 } }), "").unwrap_err().to_string();
    assert!(why.contains("turn 1 follows the set-up"), "{why}");
}
