//! Ammunition (14) and Pack Trains (15).

use super::super::{
    State, ammo,
    components::{Num, Side},
    fire::Volley,
    pack, rally,
    state::{Mode, Phase, Spot, Volume},
    testing::*,
    variant::Variant,
};

fn roster() -> Variant {
    Variant { version: 1, ammo_roster: true, ..Variant::default() }
}

fn depleted(g: &State, id: &str, natural: i64, volley: Volley, dice: &[i64]) -> State {
    let u = unit(g, id);
    let trial = Trial::new(g.clone(), move |t, mut g| async move {
        ammo::depletion(&t, &mut g, u, natural, volley);
        g
    });
    trial.dice("ammunition", dice.to_vec()).start().over()
}

fn rallying(mut g: State) -> Trial {
    g.phasing = Side::Us;
    Trial::new(g, |t, mut g| async move {
        rally::phase(&t, &mut g).await;
        g
    })
}

/// Five before modifiers, then 1 to 3; not Holders and trains; by option 1 not at the first fire.
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
    // 16.G: 1 and 2 alone in Hit & Run.
    assert!(!depleted(&g, "3A", 5, Volley::HitAndRun, &[3]).unit(a).low_ammo);
    g.variant.first_shot_free = true;
    assert!(!depleted(&g, "3A", 5, full, &[]).unit(a).low_ammo);
    g.unit_mut(a).has_fired = true;
    assert!(depleted(&g, "3A", 5, full, &[2]).unit(a).low_ammo);
}

/// From saddle bags with horses beside, an Ammo Point each; unit and Holder spend all MPs; the marker goes after movement.
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
    let mut run = rallying(g.clone()).start();
    run.say("re-supply 3a").say("done");
    let mut end = run.over();
    assert_eq!(
        (end.ammo_points, end.unit(a).low_ammo, end.unit(a).did.halted, end.unit(h).did.halted),
        (3, true, true, true)
    );
    ammo::settle(&mut end);
    assert!(!end.unit(a).low_ammo);
    g.ammo_points = 0;
    assert!(ammo::source(&g, a).is_err());
    let low = foot(&mut g, "H1", "2010");
    g.unit_mut(low).low_ammo = true;
    assert!(ammo::source(&g, low).is_err(), "Indians cannot");
}

/// Who re-supplies spends all MPs, and so does its Holder: neither moves nor uses Offensive Fire; the marker goes when movement is over, not
/// before. As many units do so as there are points.
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
            super::super::play::player_turn(&t, &mut g, Side::Us).await;
            g
        })
    };
    let mut run = turn(&g).start();
    run.say("re-supply 3a").say("re-supply 3e");
    assert_eq!(run.now().ammo_points, 0);
    assert!(run.refused("re-supply 3a").contains("14.C"), "once");
    run.say("done");
    // Nobody can fire, nobody can move: the other side is next, and the markers are gone by then.
    assert_eq!(run.asked(), [(crate::table::Seat(1), "defensive-fire")]);
    let now = run.now();
    assert!([a, e].into_iter().all(|u| !now.unit(u).low_ammo));
    for id in ["3A", "3AH", "3E", "3EH"] {
        let mover = super::super::movement::Mover::Unit(unit(&now, id));
        assert!(super::super::movement::barred(&now, mover).is_err(), "{id}");
    }
    // One point is for one unit; the other one fires and moves.
    g.ammo_points = 1;
    let mut run = turn(&g).start();
    run.say("re-supply 3a");
    assert!(run.refused("re-supply 3e").contains("no Ammo Point is left"));
    run.say("done");
    assert_eq!(run.asked(), [(crate::table::Seat(0), "offensive-fire")]);
    let marked = run.now();
    assert!(marked.unit(a).low_ammo && marked.unit(a).did.resupply, "the marker stays until movement is over");
    let fires = super::super::volley::Fires::phase(Side::Us, Volley::Offensive(Volume::Full));
    let busy = [a, unit(&marked, "3AH")];
    let shots = fires.apt(&marked);
    assert!(shots.iter().any(|shot| shot.0 == e) && shots.iter().all(|shot| !busy.contains(&shot.0)));
    run.say("done");
    assert_eq!(run.asked(), [(crate::table::Seat(0), "movement")]);
    assert!(run.refused("3a 1711").contains("does not move") && run.refused("3ah 1711").contains("does not move"));
    run.say("3e 1711").say("done");
    let after = run.now();
    assert!(!after.unit(a).low_ammo && after.unit(e).low_ammo);
}

/// By the option one Indian unit of a melee takes ammunition where the US has lost a point in it, and else nobody.
///
/// rosebud-creek 14.C
#[test]
fn indians_take_ammunition_in_melee() {
    let mut g = bare_with(Variant { version: 3, indian_resupply: true, ..Variant::default() });
    for side in [0, 1] {
        g.doctrine[side].before = super::super::doctrine::BeforeWill::Stand;
    }
    let a = foot(&mut g, "3A", "1611");
    foot(&mut g, "3E", "1611");
    let all = ["H1", "H2", "H3"].map(|id| foot(&mut g, id, "1610"));
    let apart = foot(&mut g, "H4", "1610");
    for u in all.into_iter().chain([apart, a]) {
        g.unit_mut(u).low_ammo = true;
    }
    // H2 is the largest, and stays so: the others take the losses.
    g.doctrine[1].losses = super::super::doctrine::LossWill::Smallest;
    for u in [all[0], all[2]] {
        g.unit_mut(u).losses = 1;
    }
    let battle = super::super::melee::reckon(&g, &all, hex(&g, "1611"));
    let wanted = |die: &i64, costs: bool| (battle.result(&g, *die)[1].lost > 0) == costs;
    let [costly, free] = [true, false].map(|costs| (1..=6).find(|die| wanted(die, costs)).expect("such a die"));
    let low = |g: &State, die: i64| {
        let mut g = g.clone();
        g.phasing = Side::Indian;
        let trial = Trial::new(g, |t, mut g| async move {
            super::super::melee::phase(&t, &mut g).await;
            g
        });
        let mut run = trial.dice("melee", [die]).start();
        run.say("melee 1611 with h1 h2 h3 no advance");
        let now = run.now();
        ["H1", "H2", "H3", "H4", "3A"].map(|id| now.unit(unit(&now, id)).low_ammo)
    };
    assert_eq!(low(&g, costly), [true, false, true, true, true]);
    assert_eq!(low(&g, free), [true; 5]);
    g.variant.indian_resupply = false;
    assert_eq!(low(&g, costly), [true; 5]);
}

/// Boxes of the roster: a whole one for full fire, half for half strength and Advance Fire; with none left no fire at all, and
/// half strength in melee.
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
    // Indians and the HQ go by the basic rules.
    let (h, hq) = (foot(&mut g, "H1", "1708"), foot(&mut g, "HQ", "2010"));
    assert!(!ammo::counted(&g, h) && !ammo::counted(&g, hq));
}

/// Boxes go from unit to unit side by side; three or fewer count as low at the end.
///
/// rosebud-creek 14.G, 14.B
#[test]
fn cross_levels() {
    let mut g = bare_with(roster());
    let (a, e) = (foot(&mut g, "3A", "1710"), foot(&mut g, "3E", "1711"));
    g.unit_mut(a).used = 20;
    let mut run = rallying(g.clone()).start();
    run.say("cross-level 5 from 3e to 3a").say("done");
    let end = run.over();
    assert_eq!((ammo::left(&end, a), ammo::left(&end, e), end.unit(e).did.halted), (14, 14, true));
    assert!(ammo::may_cross_level(&g, e, a, 11).is_err(), "more than the roster holds");
    let far = hex(&g, "2011");
    g.put(e, Spot::On(far));
    assert!(ammo::may_cross_level(&g, e, a, 5).is_err());
    g.unit_mut(a).used = 17;
    assert!(!ammo::low_at_end(&g, a), "three and a half");
    g.unit_mut(a).used = 18;
    assert!(ammo::low_at_end(&g, a), "three");
    assert_eq!(g.c.n(Num::LowBoxes), 3);
}

/// A train beside or with the unit: a point each, or boxes; casualties cost it ammunition.
///
/// rosebud-creek 14.C, 14.F, 15, 15.C
#[test]
fn re_supply_from_a_train() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    let train = foot(&mut g, "PTA", "1711");
    g.unit_mut(a).low_ammo = true;
    let mut run = rallying(g.clone()).start();
    run.say("re-supply 3a").say("done");
    let end = run.over();
    assert_eq!((end.unit(train).ammo, end.unit(train).did.halted), (5, true));
    type Spoil = fn(&mut super::super::state::Unit);
    let spoils: [Spoil; 4] = [|u| u.pinned = true, |u| u.routed = true, |u| u.abandoned = true, |u| u.ammo = 0];
    for spoil in spoils {
        let mut other = g.clone();
        spoil(other.unit_mut(train));
        assert!(ammo::source(&other, a).is_err(), "15.A");
    }
    let hit = |g: &State| {
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            super::super::fire::lose(&t, &mut g, train, 1);
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
    let mut run = rallying(boxes).start();
    run.say("re-supply 3a").say("done");
    assert_eq!((ammo::left(&run.over(), a), run.over().unit(train).ammo), (24, 25));
}

/// A Routed train stays, abandoned; its Personnel flee and may come back; warriors in its hex take it.
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
        super::super::rout::mandatory_from(&t, &mut g, train, from, &[foe]).await;
        g
    });
    let end = trial.start().over();
    let personnel = unit(&end, "PPA");
    assert!(end.unit(train).abandoned && end.unit(personnel).routed && end.cf(personnel) == 5);
    assert_ne!(end.hex(personnel), end.hex(train));
    // They come back at the lower strength; ammunition goes with the difference.
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
    // Warriors in its hex at the Indian Rally Phase: 5 VPs and one for each point.
    let mut taken = end;
    taken.put(foe, Spot::On(home));
    let trial = Trial::new(taken, |t, mut g| async move {
        pack::plunder(&t, &mut g);
        g
    });
    let gone = trial.start().over();
    assert_eq!((gone.unit(train).spot, gone.vps[1]), (Spot::Dead, 11));
}

/// Personnel without a train replace losses of cavalry and infantry near them.
///
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
        pack::give(&t, &mut g, p, a, 2);
        g
    });
    let end = trial.start().over();
    assert_eq!((end.cf(a), end.cf(p), end.vps), (5, 4, [0, 0]));
    foot(&mut g, "PTA", "1810");
    assert!(pack::may_give(&g, p, a, 1).is_err(), "their train is there");
}
