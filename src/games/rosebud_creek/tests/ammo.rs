//! Ammunition (14).

use super::super::{
    Order, State, ammo,
    components::{Num, Side},
    doctrine::{BeforeWill, Doctrine, FireWill, LossWill},
    fire::{self, Volley},
    melee,
    movement::{self, Mover},
    play, reaction,
    state::{Mode, Phase, Spot, Unit, Volume},
    testing::*,
    variant::Variant,
    volley::{self, Fires},
};
use postrider_table::Seat;

fn roster() -> Variant {
    Variant { ammo_roster: true, ..Variant::default() }
}

fn depleted(g: &State, id: &str, natural: i64, volley: Volley, dice: &[i64]) -> State {
    let u = unit(g, id);
    let trial = Trial::new(g.clone(), move |t, mut g| async move {
        ammo::depletion(&t, &mut g, u, natural, volley);
        g
    });
    trial.dice("ammunition", dice.to_vec()).start().over()
}

/// Depletion on natural dice of 5 and a die of 1 to 3, except for Holders and trains, and with
/// option 1 at the first fire.
///
/// rosebud-creek 14, 14.A, 14.D
#[test]
fn depletion() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    let full = Volley::Offensive(Volume::Full);
    assert!(depleted(&g, "3A", 5, full, &[3]).unit(a).low_ammo);
    assert!(!depleted(&g, "3A", 5, full, &[4]).unit(a).low_ammo);
    assert!(!depleted(&g, "3A", 6, full, &[]).unit(a).low_ammo);
    for id in ["3AH", "PTA"] {
        foot(&mut g, id, "1710");
        assert!(!depleted(&g, id, 5, full, &[]).unit(unit(&g, id)).low_ammo);
    }
    foot(&mut g, "H1", "1708");
    assert!(depleted(&g, "H1", 5, full, &[1]).unit(unit(&g, "H1")).low_ammo, "Indians too");
    // 16.G: only 1 and 2 in Hit & Run.
    assert!(!depleted(&g, "3A", 5, Volley::HitAndRun, &[3]).unit(a).low_ammo);
    g.variant.first_shot_free = true;
    assert!(!depleted(&g, "3A", 5, full, &[]).unit(a).low_ammo);
    g.unit_mut(a).has_fired = true;
    assert!(depleted(&g, "3A", 5, full, &[2]).unit(a).low_ammo);
}

/// Re-supply from saddle bags needs adjacent horses and an Ammo Point. The unit and its Holder
/// spend all MPs; the marker is removed after movement.
///
/// rosebud-creek 14.C, 4.A
#[test]
fn re_supply_from_saddle_bags() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    g.unit_mut(a).low_ammo = true;
    g.ammo_points = 4;
    let h = foot(&mut g, "3AH", "1910");
    assert!(ammo::source(&g, a).is_err(), "the horses are two hexes off");
    let beside = hex(&g, "1711");
    g.put(h, Spot::On(beside));
    assert_eq!(ammo::source(&g, a), Ok(ammo::Source::Saddle(Some(h))));
    g.unit_mut(h).mountless = true;
    assert!(ammo::source(&g, a).is_err());
    g.unit_mut(h).mountless = false;
    let mut mounted = g.clone();
    mounted.unit_mut(a).mode = Mode::Mounted;
    assert_eq!(ammo::source(&mounted, a), Ok(ammo::Source::Saddle(None)));
    let mut run = rallying(&g, Side::Us).start();
    run.say("re-supply 3a").say("done");
    let end = run.over();
    assert_eq!(
        (end.ammo_points, end.unit(a).low_ammo, end.unit(a).did.halted, end.unit(h).did.halted),
        (3, true, true, true)
    );
    assert!(!settled(&end).unit(a).low_ammo);
    g.ammo_points = 0;
    assert!(ammo::source(&g, a).is_err());
    let low = foot(&mut g, "H1", "2010");
    g.unit_mut(low).low_ammo = true;
    assert!(ammo::source(&g, low).is_err(), "Indians cannot");
}

/// A unit that re-supplies and its Holder spend all MPs: neither moves nor uses Offensive Fire, and
/// the marker is removed only after movement. The number of units is limited by the points.
///
/// rosebud-creek 14.C
#[test]
fn re_supply_takes_the_whole_turn() {
    let mut g = bare();
    let (a, e) = (foot(&mut g, "3A", "1710"), foot(&mut g, "3E", "1710"));
    for id in ["3AH", "3EH"] {
        foot(&mut g, id, "1710");
    }
    foot(&mut g, "H1", "1709");
    for u in [a, e] {
        g.unit_mut(u).low_ammo = true;
    }
    g.ammo_points = 2;
    let turn = |g: &State| {
        Trial::new(g.clone(), |t, mut g| async move {
            play::player_turn(&t, &mut g, Side::Us).await;
            g
        })
    };
    let mut run = turn(&g).start();
    run.say("re-supply 3a").say("re-supply 3e");
    assert_eq!(run.now().ammo_points, 0);
    assert!(run.refused("re-supply 3a").contains("14.C"), "once");
    assert!(run.refused("rout 3a").contains("14.C") && run.refused("rout 3ah").contains("14.C"));
    run.say("done");
    // No unit can fire or move, so the other side is next; the markers are already gone.
    assert_eq!(run.asked(), [(Seat(1), "defensive-fire")]);
    let now = run.now();
    assert!([a, e].into_iter().all(|u| !now.unit(u).low_ammo));
    for id in ["3A", "3AH", "3E", "3EH"] {
        let mover = Mover::Unit(unit(&now, id));
        assert!(movement::barred(&now, mover).is_err(), "{id}");
    }
    // One point is for one unit; the other one fires and moves.
    g.ammo_points = 1;
    let mut run = turn(&g).start();
    run.say("re-supply 3a");
    assert!(run.refused("re-supply 3e").contains("no Ammo Point is left"));
    run.say("done");
    assert_eq!(run.asked(), [(Seat(0), "offensive-fire")]);
    let marked = run.now();
    assert!(marked.unit(a).low_ammo && marked.unit(a).did.resupply, "the marker stays until movement is over");
    let fires = volley::Fires::phase(Side::Us, Volley::Offensive(Volume::Full));
    let busy = [a, unit(&marked, "3AH")];
    let shots = fires.apt(&marked);
    assert!(shots.iter().any(|shot| shot.0 == e) && shots.iter().all(|shot| !busy.contains(&shot.0)));
    run.say("done");
    assert_eq!(run.asked(), [(Seat(0), "movement")]);
    assert!(run.refused("3a 1711").contains("does not move") && run.refused("3ah 1711").contains("does not move"));
    run.say("3e 1711").say("done");
    let after = run.now();
    assert!(!after.unit(a).low_ammo && after.unit(e).low_ammo);
}

/// rosebud-creek 14.C
#[test]
fn indians_take_ammunition_in_melee() {
    let mut g = bare_with(Variant { indian_resupply: true, ..Variant::default() });
    for side in [0, 1] {
        g.doctrine[side].before = BeforeWill::Stand;
    }
    let a = foot(&mut g, "3A", "1611");
    foot(&mut g, "3E", "1611");
    let all = ["H1", "H2", "H3"].map(|id| foot(&mut g, id, "1610"));
    let apart = foot(&mut g, "H4", "1610");
    for u in all.into_iter().chain([apart, a]) {
        g.unit_mut(u).low_ammo = true;
    }
    // H2 remains the largest, so the others take the losses.
    g.doctrine[1].losses = LossWill::Smallest;
    for u in [all[0], all[2]] {
        g.unit_mut(u).losses = 1;
    }
    let battle = melee::reckon(&g, &all, hex(&g, "1611"));
    let wanted = |die: &i64, costs: bool| (battle.result(&g, *die)[1].lost > 0) == costs;
    let [costly, free] = [true, false].map(|costs| (1..=6).find(|die| wanted(die, costs)).expect("such a die"));
    let low = |g: &State, die: i64| {
        let mut g = g.clone();
        g.phasing = Side::Indian;
        let asks = g.variant.indian_resupply && die == costly;
        let trial = Trial::new(g, |t, mut g| async move {
            melee::phase(&t, &mut g).await;
            g
        });
        let mut run = trial.dice("melee", [die]).start();
        run.say("melee 1611 with h1 h2 h3 no advance");
        if asks {
            // The owner chooses among the units in the melee.
            assert_eq!(run.asked(), [(Seat(1), "ammunition")]);
            assert_eq!(run.words(), ["h1", "h2", "h3"]);
            run.say("h2");
        }
        let now = run.now();
        ["H1", "H2", "H3", "H4", "3A"].map(|id| now.unit(unit(&now, id)).low_ammo)
    };
    assert_eq!(low(&g, costly), [true, false, true, true, true]);
    assert_eq!(low(&g, free), [true; 5]);
    g.variant.indian_resupply = false;
    assert_eq!(low(&g, costly), [true; 5]);
}

/// Boxes of the roster: a full one for full fire, half a box for half strength and Advance Fire;
/// without boxes no fire, and half strength in melee.
///
/// rosebud-creek 14.B, 14.D, 14.E
#[test]
fn the_roster() {
    let mut g = bare_with(roster());
    let a = foot(&mut g, "3A", "1710");
    assert_eq!(ammo::left(&g, a), 24);
    for (volley, halves) in [
        (Volley::Offensive(Volume::Full), 2),
        (Volley::Offensive(Volume::Half), 1),
        (Volley::Advance, 1),
        (Volley::Opportunity(Volume::Full), 2),
        (Volley::Retreat(Volume::Full), 2),
        (Volley::HitAndRun, 1),
    ] {
        let before = ammo::left(&g, a);
        ammo::mark(&mut g, a, volley);
        assert_eq!(before - ammo::left(&g, a), halves, "{volley:?}");
    }
    g.unit_mut(a).used = 23;
    assert!(
        !ammo::allows(&g, a, Volley::Defensive(Volume::Full)) && ammo::allows(&g, a, Volley::Defensive(Volume::Half))
    );
    assert!(!ammo::is_low_in_melee(&g, a));
    g.unit_mut(a).used = 24;
    assert!(!ammo::allows(&g, a, Volley::Advance) && ammo::is_low_in_melee(&g, a));
    assert!(ammo::source(&g, a).is_err(), "14.E: no Ammo Points");
    // Indians and the HQ use the basic rules.
    let (h, hq) = (foot(&mut g, "H1", "1708"), foot(&mut g, "HQ", "2010"));
    assert!(!ammo::counted(&g, h) && !ammo::counted(&g, hq));
}

/// Boxes pass between adjacent units; three or fewer count as low at the end.
///
/// rosebud-creek 14.G, 14.B
#[test]
fn cross_levels() {
    let mut g = bare_with(roster());
    let (a, e) = (foot(&mut g, "3A", "1710"), foot(&mut g, "3E", "1711"));
    g.unit_mut(a).used = 20;
    let mut run = rallying(&g, Side::Us).start();
    run.say("cross-level 5 from 3e to 3a").say("done");
    let end = run.over();
    assert_eq!((ammo::left(&end, a), ammo::left(&end, e), end.unit(e).did.halted), (14, 14, true));
    assert!(ammo::may_cross_level(&g, e, a, 11).is_err(), "more than the roster holds");
    let most = [127, 128, u8::MAX].map(|boxes| ammo::may_cross_level(&g, e, a, boxes).is_err());
    assert_eq!(most, [true; 3], "more than there are");
    let far = hex(&g, "2011");
    g.put(e, Spot::On(far));
    assert!(ammo::may_cross_level(&g, e, a, 5).is_err());
    g.unit_mut(a).used = 17;
    assert!(!ammo::low_at_end(&g, a), "three and a half");
    g.unit_mut(a).used = 18;
    assert!(ammo::low_at_end(&g, a), "three");
    assert_eq!(g.c.n(Num::LowBoxes), 3);
}

/// A train in the same or an adjacent hex gives one point, or boxes; its casualties cost
/// ammunition.
///
/// rosebud-creek 14.C, 14.F, 15, 15.C
#[test]
fn re_supply_from_a_train() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    let train = foot(&mut g, "PTA", "1711");
    g.unit_mut(a).low_ammo = true;
    let mut run = rallying(&g, Side::Us).start();
    run.say("re-supply 3a").say("done");
    let end = run.over();
    assert_eq!((end.unit(train).ammo, end.unit(train).did.halted), (5, true));
    type Spoil = fn(&mut Unit);
    let spoils: [Spoil; 4] = [|u| u.pinned = true, |u| u.routed = true, |u| u.abandoned = true, |u| u.ammo = 0];
    for spoil in spoils {
        let mut other = g.clone();
        spoil(other.unit_mut(train));
        assert!(ammo::source(&other, a).is_err(), "15.A");
    }
    let hit = |g: &State| {
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            fire::lose(&t, &mut g, train, 1);
            g
        });
        trial.start().over()
    };
    assert_eq!((hit(&g).unit(train).ammo, hit(&g).cf(train)), (5, 5));
    let mut boxes = bare_with(roster());
    let a = foot(&mut boxes, "3A", "1710");
    let train = foot(&mut boxes, "PTA", "1711");
    (boxes.unit_mut(train).ammo, boxes.unit_mut(a).used) = (30, 9);
    assert_eq!(hit(&boxes).unit(train).ammo, 25, "14.F");
    let mut run = rallying(&boxes, Side::Us).start();
    run.say("re-supply 3a").say("done");
    assert_eq!((ammo::left(&run.over(), a), run.over().unit(train).ammo), (24, 25));
    // The last box of the train is two halves for the unit.
    boxes.unit_mut(train).ammo = 1;
    let mut run = rallying(&boxes, Side::Us).start();
    run.say("re-supply 3a").say("done");
    assert_eq!((run.over().unit(a).used, run.over().unit(train).ammo), (7, 0));
}

/// 3A has used nine halves of its boxes, so that the fifth box fills only one half. It takes as many
/// boxes as it names, up to five, and to those that the train has left.
///
/// rosebud-creek 14.C, 14.F
#[test]
fn the_order_names_the_boxes() {
    let mut g = bare_with(roster());
    let (a, train) = (foot(&mut g, "3A", "1710"), foot(&mut g, "PTA", "1711"));
    (g.unit_mut(train).ammo, g.unit_mut(a).used) = (30, 9);
    let end = |g: &State, said: &str| {
        let mut run = rallying(g, Side::Us).start();
        run.try_say(said).map(|()| (run.now().unit(a).used, run.now().unit(train).ammo))
    };
    assert_eq!(end(&g, "re-supply 3a"), Ok((0, 25)));
    assert_eq!(end(&g, "re-supply 3a 4"), Ok((1, 26)));
    assert_eq!(end(&g, "re-supply 3a with 2 boxes from the train"), Ok((5, 28)));
    assert_eq!(end(&g, "re-supply 3a 5 from pta"), Ok((0, 25)));
    for said in ["re-supply 3a 6", "re-supply 3a 0"] {
        assert!(end(&g, said).is_err_and(|why| why.contains("14.C") && why.contains("than it lacks")), "{said}");
    }
    g.unit_mut(train).ammo = 3;
    assert_eq!(end(&g, "re-supply 3a"), Ok((3, 0)));
    assert!(end(&g, "re-supply 3a 4").is_err());
    let order = Order::Resupply { unit: "3A".to_owned(), from: "PTA".to_owned(), boxes: Some(2) };
    let run = rallying(&g, Side::Us).start();
    let seen = run.session.look().expect("it runs");
    let said = seen.tickets[0].prompt.say(&seen.state, seen.tickets[0].seat, &order).expect("words");
    assert_eq!(run.read(&said).as_ref(), Ok(&order), "{said}");
    // Without the roster there are no boxes to count.
    let mut basic = bare();
    let a = foot(&mut basic, "3A", "1710");
    foot(&mut basic, "PTA", "1711");
    basic.unit_mut(a).low_ammo = true;
    assert!(rallying(&basic, Side::Us).start().refused("re-supply 3a 1").contains("ammo roster"));
}

/// rosebud-creek 4.E, 14.C
#[test]
fn advance_fire_after_a_resupply() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    g.unit_mut(a).did.resupply = true;
    g.phasing = Side::Us;
    let trial = Trial::new(g.clone(), |t, mut g| async move {
        volley::phase(&t, &mut g, Side::Us, Phase::Advance, Volley::Advance).await;
        g
    });
    assert_eq!(trial.start().asked(), [(Seat(0), "advance-fire")]);
    g.unit_mut(a).low_ammo = true;
    assert!(!settled(&g).unit(a).low_ammo);
}

fn settled(g: &State) -> State {
    let rule = |t, mut g: State| async move {
        ammo::settle(&t, &mut g);
        g
    };
    Trial::new(g.clone(), rule).start().over()
}

/// rosebud-creek 14.C, 12.E
#[test]
fn an_unmarked_hq_re_supplies() {
    let mut g = bare();
    let hq = ride(&mut g, "HQ", "1710");
    (g.unit_mut(hq).low_ammo, g.ammo_points) = (true, 1);
    let mut run = rallying(&g, Side::Us).start();
    run.say("re-supply hq").say("done");
    assert_eq!((run.over().ammo_points, run.over().unit(hq).did.resupply), (0, true));
    g.unit_mut(hq).mode = Mode::Dismounted;
    assert!(rallying(&g, Side::Us).start().refused("re-supply hq").contains("14.C"), "marked, it needs its Holder");
}

/// A unit with half a box left fires at half strength in a reaction; without any it does not return
/// fire at Hit & Run.
///
/// rosebud-creek 14.D, 9.F, 9.G
#[test]
fn the_last_half_box() {
    let mut g = bare_with(Variant { ammo_roster: true, hit_and_run: true, ..Variant::default() });
    quiet(&mut g);
    g.doctrine[0] = Doctrine { opportunity: FireWill::Yes, retreat: FireWill::Yes, ..g.doctrine[0] };
    g.phase = Phase::Movement;
    let a = foot(&mut g, "3A", "1710");
    let h = ride(&mut g, "H1", "1711");
    let boxes = g.c[a].boxes * 2;
    let shots = |g: &State, used: u8, rout: bool| {
        let mut g = g.clone();
        g.unit_mut(a).used = used;
        g.unit_mut(h).routed = rout;
        let trial = Trial::new(g, move |t, mut g| async move {
            match rout {
                true => reaction::retreat_fire(&t, &mut g, h).await,
                false => _ = reaction::opportunity(&t, &mut g, &[h]).await,
            }
            g
        });
        let mut run = trial.dice("fire", [1, 2]).start();
        let now = run.now();
        let story = run.story();
        let shot = story.iter().find(|line| line.contains("Fire: Lawson")).cloned();
        (
            shot.map(|line| {
                line.split(" in 1711, ").nth(1).unwrap_or_default().split(':').next().unwrap_or_default().to_owned()
            }),
            now.unit(a).used,
        )
    };
    let fired = |words: &str, used| (Some(words.to_owned()), used);
    assert_eq!(shots(&g, boxes - 2, false), fired("strength 5/2 (Opportunity Fire)", boxes));
    assert_eq!(
        shots(&g, boxes - 1, false),
        fired("strength 5/4 (Opportunity Fire, half strength before moving)", boxes)
    );
    assert_eq!(shots(&g, boxes, false), (None, boxes));
    assert_eq!(shots(&g, boxes - 1, true), fired("strength 5/2 (Retreat Fire, half strength before moving)", boxes));
    // A player who is asked may keep half a box.
    g.doctrine[0].opportunity = FireWill::Ask;
    let asks = |g: &State| {
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            reaction::opportunity(&t, &mut g, &[h]).await;
            g
        });
        trial.dice("fire", [1, 2]).start()
    };
    let mut run = asks(&g);
    run.check_options(6);
    run.say("fire 3a half at h1");
    assert_eq!(run.over().unit(a).used, 1);
    // 16.G: Hit & Run.
    g.doctrine[0].opportunity = FireWill::Yes;
    let rides = |g: &State, used: u8| {
        let mut g = g.clone();
        g.unit_mut(a).used = used;
        let mut run = moving(&g, Side::Indian).dice("fire", [1, 2, 1, 2]).start();
        run.say("h1 fire 3a");
        run.story().iter().filter(|line| line.starts_with("Hit & Run: Lawson")).count()
    };
    assert_eq!([rides(&g, boxes - 1), rides(&g, boxes)], [1, 0]);
}

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
    let mut run = rallying(&g, Side::Us).start();
    assert!(run.try_say("re-supply 3a from 3e").is_err());
    for from in ["", Order::TRAIN, Order::OWN, "PTB"] {
        let order = Order::Resupply { unit: "3A".to_owned(), from: from.to_owned(), boxes: None };
        let seen = run.session.look().expect("it runs");
        let ticket = &seen.tickets[0];
        let said = ticket.prompt.say(&seen.state, ticket.seat, &order).unwrap_or_else(|| panic!("{from}: no words"));
        assert_eq!(run.read(&said).as_ref(), Ok(&order), "{said}");
    }
    // If no train can give, a point is used; if none is left, there is no re-supply.
    for train in trains {
        g.unit_mut(train).ammo = 0;
    }
    assert_eq!(end(&g, "re-supply 3a"), Ok((3, [0, 0])));
    assert!(end(&g, "re-supply 3a from the train").is_err());
}

/// rosebud-creek 14.G
#[test]
fn one_unit_gives_to_several() {
    let mut g = bare_with(Variant { ammo_roster: true, ..Variant::default() });
    let [c, a, e] = [("9C", "1710"), ("3A", "1711"), ("3E", "1610")].map(|(id, at)| foot(&mut g, id, at));
    (g.unit_mut(a).used, g.unit_mut(e).used) = (10, 10);
    let second = |g: &State| {
        let mut run = rallying(g, Side::Us).start();
        run.say("cross-level 2 from 9c to 3e");
        run.try_say("cross-level 2 from 9c to 3a").map(|_| run.now().clone())
    };
    let end = second(&g).expect("it gives again");
    assert_eq!([a, e].map(|u| end.unit(u).used), [6, 6]);
    assert!(end.unit(c).did.halted && !end.unit(c).did.resupply && end.unit(a).did.resupply);
    // Both spend their turn on it: neither uses Offensive Fire, and the giver cannot receive boxes.
    ride(&mut g, "H1", "1709");
    let end = second(&g).expect("it gives again");
    let fires = |u| {
        let volley = fire::Volley::Offensive(Volume::Full);
        Fires::phase(Side::Us, volley).may(&end, u, fire::Target::Unit(unit(&end, "H1")), false).is_ok()
    };
    assert!(!fires(a) && !fires(c));
    let mut fresh = end.clone();
    fresh.unit_mut(c).did.halted = false;
    assert!(
        Fires::phase(Side::Us, fire::Volley::Offensive(Volume::Full))
            .may(&fresh, c, fire::Target::Unit(unit(&fresh, "H1")), false)
            .is_ok()
    );
    // A unit that received boxes cannot give any.
    assert!(ammo::may_cross_level(&end, a, c, 1).is_err());
}

/// The Holder must be able to spend its MPs: none that is Pinned or Routed serves, nor one without horses.
///
/// rosebud-creek 14.C
#[test]
fn saddle_bags_need_a_holder_in_order() {
    let mut g = bare();
    let (a, holder) = (foot(&mut g, "3A", "1710"), foot(&mut g, "3AH", "1710"));
    g.unit_mut(a).low_ammo = true;
    g.ammo_points = 1;
    assert!(ammo::source(&g, a).is_ok());
    type Spoil = fn(&mut Unit);
    let spoils: [Spoil; 4] =
        [|u| u.pinned = true, |u| u.routed = true, |u| u.mountless = true, |u| u.did.resupply = true];
    for (i, spoil) in spoils.into_iter().enumerate() {
        let mut other = g.clone();
        spoil(other.unit_mut(holder));
        assert!(ammo::source(&other, a).is_err(), "{i}");
    }
}
