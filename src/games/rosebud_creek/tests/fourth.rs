//! What version 4 of the rules does otherwise: each amendment, beside what version 3 did.

use super::{
    super::{
        Order, State, before, breastworks,
        components::{Outcome, Side},
        doctrine::About,
        duties, eagle,
        fire::{self, Target, Volley},
        march, melee,
        movement::{self, Mover},
        pack, pursuit, rally, retreat,
        state::{Attacked, Mode, Phase, Spot, Volume, Work, Wound},
        testing::*,
        variant::Variant,
        village,
        volley::Fires,
        zoc,
    },
    third::{quiet, says},
};

/// The same position in a game of version 3.
fn old(g: &State) -> State {
    let mut g = g.clone();
    g.variant.version = 3;
    g
}

/// How far two hexes are from each other.
fn far(g: &State, a: &str, b: &str) -> u16 {
    g.charts.grid.distance(hex(g, a), hex(g, b))
}

/// The Movement Phase of a side.
fn moving(g: &State, side: Side) -> Trial {
    let mut g = g.clone();
    g.phasing = side;
    Trial::new(g, |t, mut g| async move {
        march::phase(&t, &mut g).await;
        g
    })
}

/// The Melee Phase of a side.
fn fighting(g: &State, side: Side) -> Trial {
    let mut g = g.clone();
    g.phasing = side;
    Trial::new(g, |t, mut g| async move {
        melee::phase(&t, &mut g).await;
        g
    })
}

/// Breastworks in the hex of a unit, and it is under them.
fn covered(g: &mut State, id: &str) {
    let (u, train) = (unit(g, id), unit(g, "PTA"));
    let hex = g.hex(u).expect("on the map");
    g.works.push(Work { hex, train, unit: Some(u), ready: true });
    g.unit_mut(u).works = true;
}

/// A unit under Breastworks gets up for one MP before it goes, attacks or leaves the map, or it crawls; mounted it is not under them. The
/// HQ goes where it likes.
///
/// rosebud-creek 3.A, 7.C, 8.C, 16.C
#[test]
fn who_is_under_breastworks_is_prone() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    covered(&mut g, "3A");
    foot(&mut g, "H1", "1709");
    g.doctrine[Side::Indian.index()].opportunity = super::super::doctrine::FireWill::No;
    let order = |g: &State, said: &str| moving(g, Side::Us).start().try_say(said);
    assert!(order(&g, "3a: 1711").is_err_and(|why| why.contains("16.C")));
    assert_eq!(order(&old(&g), "3a: 1711"), Ok(()));
    let attacks = |g: &State| melee::Assault { side: Side::Us }.may(g, a, hex(g, "1709"));
    assert!(attacks(&g).is_err());
    let mut run = moving(&g, Side::Us).start();
    run.say("3a: dismount");
    let up = run.now();
    assert_eq!((up.posture(a), up.unit(a).did.spent, up.works[0].unit), (Mode::Dismounted, 1, None));
    assert!(attacks(&up).is_ok());
    // One MP, one to leave the ZOC, two for the hex.
    run.say("3a: 1711");
    assert_eq!(run.now().unit(a).did.spent, 4);
    let mut run = moving(&g, Side::Us).start();
    run.say("3a: crawl 1711");
    let there = run.now();
    assert_eq!((at(&there, "3A"), there.posture(a), there.unit(a).works), ("1711".to_owned(), Mode::Prone, false));
    assert!(order(&old(&g), "3a: crawl 1711").is_err());
    // Who mounts is not under them any more, and who only was is not under them at the end of the Player Turn.
    foot(&mut g, "3AH", "1710");
    for (g, posture) in [(g.clone(), Mode::Mounted), (old(&g), Mode::Prone)] {
        let mut run = moving(&g, Side::Us).start();
        run.say("3a: mount");
        assert_eq!(run.now().posture(a), posture);
    }
    let mut rider = g.clone();
    rider.unit_mut(a).mode = Mode::Mounted;
    for (mut g, under) in [(old(&rider), true), (rider, false)] {
        breastworks::settle(&mut g);
        assert_eq!(g.unit(a).works, under);
    }
    let hq = ride(&mut g, "HQ", "1810");
    covered(&mut g, "HQ");
    assert_eq!((g.posture(hq), old(&g).posture(hq)), (Mode::Prone, Mode::Dismounted));
    assert_eq!(order(&g, "hq: 1811"), Ok(()));
    // A Prone unit does not walk off the map.
    foot(&mut g, "3E", "1600");
    let e = unit(&g, "3E");
    g.unit_mut(e).mode = Mode::Prone;
    assert!(order(&g, "3e: exit").is_err_and(|why| why.contains("7.C")));
    assert_eq!((order(&g, "3e: dismount, exit"), order(&old(&g), "3e: exit")), (Ok(()), Ok(())));
}

/// rosebud-creek 13.B
#[test]
fn a_unit_rallies_once() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    g.unit_mut(a).routed = true;
    let said = |g: &State| {
        let mut g = g.clone();
        g.phasing = Side::Us;
        let trial = Trial::new(g, |t, mut g| async move {
            rally::phase(&t, &mut g).await;
            g
        });
        let who = vec!["3A".to_owned(), "3A".to_owned()];
        trial.dice("rally", [1, 1]).start().order(Order::Rally { who }).map_err(|why| why.to_string())
    };
    assert!(said(&g).is_err_and(|why| why.contains("tries once")));
    assert_eq!(said(&old(&g)), Ok(()));
}

/// With a badly wounded Leader alone a unit Rallies as without one.
///
/// rosebud-creek 12.D, 13.B
#[test]
fn the_badly_wounded_lift_no_penalty() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    let mills = lead(&mut g, "Mills", "1710");
    let drm = |g: &State| rally::modifiers(g, a, true, &[]).total();
    assert_eq!(drm(&g), 2);
    for wound in [Wound::Severe, Wound::Mortal] {
        g.chief_mut(mills).wound = wound;
        assert_eq!((drm(&g), drm(&old(&g))), (-1, 0));
    }
    lead(&mut g, "Crook", "1712");
    assert_eq!(drm(&g), 0, "Crook's Command Radius lifts it");
}

/// Who charged and pursues has to attack again, but not as a charge: without its bonus, and without being Disrupted.
///
/// rosebud-creek 16.A, 10.H
#[test]
fn a_pursuit_is_no_charge() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Indian, About::BeforeMelee, "odds 1");
    let a = ride(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1711");
    g.unit_mut(a).did.charge = Some(hex(&g, "1711"));
    let end = |g: &State| {
        let trial = fighting(g, Side::Us).dice("retreat before melee", [6]).dice("melee", [6]);
        let mut run = trial.start();
        run.say("melee 1711 with 3a");
        (run.story().join(" "), run.over())
    };
    let (told, now) = end(&g);
    assert!(told.contains("pursues") && told.contains("6 to 6, odds 1-1"), "{told}");
    assert!(!now.unit(a).disrupted && now.unit(a).did.charge.is_none());
    let (told, before) = end(&old(&g));
    assert!(told.contains("9 to 6, odds 3-2") && before.unit(a).disrupted, "{told}");
    // Where they stand it has both.
    says(&mut g, Side::Indian, About::BeforeMelee, "stand");
    let mut run = fighting(&g, Side::Us).dice("melee", [5]).start();
    run.say("melee 1711 with 3a");
    assert!(run.story().join(" ").contains("9 to 6, odds 3-2") && run.over().unit(a).disrupted);
}

/// rosebud-creek 10.H, 16.D
#[test]
fn nobody_advances_away_from_the_eagles_nest() {
    let mut g = bare();
    let (c, a) = (foot(&mut g, "3C", "3115"), foot(&mut g, "3A", "3115"));
    let van_vliet = lead(&mut g, "Van Vliet", "3115");
    g.chief_mut(van_vliet).with = Some(c);
    let (from, to) = (hex(&g, "3115"), hex(&g, "3215"));
    assert_eq!([from, to].map(|hex| g.charts.grid.distance(hex, g.charts.eagles_nest)), [3, 4]);
    let advance = |g: &State| {
        let mut g = g.clone();
        g.attacked.push(Attacked { at: to, units: vec![c, a], from: vec![from], advancing: vec![c, a] });
        let trial = Trial::new(g, |t, mut g| async move {
            pursuit::advances(&t, &mut g);
            g
        });
        let end = trial.start().over();
        [c, a].map(|u| end.hex(u) == Some(to))
    };
    assert_eq!((advance(&g), advance(&old(&g))), ([false, true], [true, true]));
    // With Van Vliet beside it nobody goes either.
    g.chief_mut(van_vliet).with = Some(a);
    assert_eq!(advance(&g), [false, false]);
    assert!(!eagle::lets(&g, c, from, to) && eagle::lets(&old(&g), c, from, to));
    g.eagle_free = true;
    assert_eq!(advance(&g), [true, true]);
}

/// Personnel whose train is lost move to a unit and give it points at once; from afar only who has not moved does.
///
/// rosebud-creek 15.B
#[test]
fn personnel_come_and_give() {
    let mut g = bare();
    let (p, a) = (foot(&mut g, "PPA", "1710"), foot(&mut g, "3A", "1710"));
    g.unit_mut(a).losses = 2;
    g.unit_mut(p).did.spent = 4;
    assert_eq!(pack::may_give(&g, p, a, 2), Ok(()));
    assert!(pack::may_give(&old(&g), p, a, 2).is_err());
    let beside = hex(&g, "1711");
    g.put(a, Spot::On(beside));
    assert!(pack::may_give(&g, p, a, 2).is_err(), "they have moved");
    g.unit_mut(p).did.spent = 0;
    assert_eq!(pack::may_give(&g, p, a, 2), Ok(()));
}

/// rosebud-creek 15.B
#[test]
fn personnel_go_back_to_their_train() {
    let mut g = bare();
    let (train, _) = (foot(&mut g, "PTA", "1710"), foot(&mut g, "PPA", "1714"));
    g.unit_mut(train).abandoned = true;
    let order = |g: &State, said: &str| moving(g, Side::Us).start().try_say(said);
    for away in ["ppa: 1715", "ppa: 1815"] {
        assert!(order(&g, away).is_err_and(|why| why.contains("15.B")), "{away}");
        assert_eq!(order(&old(&g), away), Ok(()), "{away}");
    }
    assert_eq!(order(&g, "ppa: 1713"), Ok(()));
    // No free way: they go where they like.
    ride(&mut g, "H1", "1713");
    assert_eq!(order(&g, "ppa: 1715"), Ok(()));
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
    let trial = |g: &State| {
        Trial::new(g.clone(), |t, mut g| async move {
            rally::phase(&t, &mut g).await;
            g
        })
    };
    for (g, may) in [(g.clone(), false), (old(&g), true)] {
        let mut run = trial(&g).start();
        run.say("re-supply 3a").say("done");
        assert_eq!(fires(&run.over(), offensive), may);
        assert!(fires(&run.over(), Volley::Advance), "half of it comes later");
    }
}

/// A Prone unit gets up before it Scatters; a Rout, and a move that the rules demand, are answered by it too.
///
/// rosebud-creek 7.K
#[test]
fn scatter_answers_whoever_comes_near() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Indian, About::Scatter, "strength 1");
    let h = foot(&mut g, "H1", "1710");
    g.unit_mut(h).mode = Mode::Prone;
    ride(&mut g, "3A", "1714");
    let end = |g: &State| {
        let mut run = moving(g, Side::Us).start();
        run.say("3a: 1713 > 1712");
        let now = run.now();
        (now.unit(h).routed, at(&now, "H1") != "1710")
    };
    assert_eq!((end(&g), end(&old(&g))), ((true, true), (true, false)));
    // The HQ follows Crook; an Indian who then is two hexes away may go.
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Indian, About::Scatter, "strength 1");
    ride(&mut g, "3A", "1711");
    lead(&mut g, "Crook", "1711");
    let hq = ride(&mut g, "HQ", "2311");
    let (start, there) = (hex(&g, "2311"), {
        let mut alone = g.clone();
        alone.phasing = Side::Us;
        moving(&alone, Side::Us).start().say("done").over().hex(hq).expect("on the map")
    });
    assert_ne!(start, there);
    let grid = g.charts.grid.clone();
    let near = |at: &crate::table::hex::Hex| {
        let far = |to| grid.distance(*at, to);
        (far(there), far(start)) == (2, 3) && far(hex(&g, "1711")) > 3
    };
    let spot = grid.hexes().find(near).expect("such a hex");
    let spot = g.id(spot);
    let h = foot(&mut g, "H1", &spot);
    let routed = |g: &State| moving(g, Side::Us).start().say("done").over().unit(h).routed;
    assert!(routed(&g) && !routed(&old(&g)));
}

/// A unit that falls back over a full hex has one of those there Disrupted; where there is room it has not.
///
/// rosebud-creek 10.I
#[test]
fn who_passes_through_a_full_hex_disrupts() {
    // By version 5 it goes round.
    let mut g = bare_with(Variant { version: 4, ..Variant::default() });
    quiet(&mut g);
    let a = ride(&mut g, "3A", "1710");
    let foe = foot(&mut g, "H1", "1709");
    let full = ["2A", "2B", "2D", "2E"].map(|id| ride(&mut g, id, "1711"));
    says(&mut g, Side::Us, About::FallBack, "1712");
    let end = |g: &State| {
        let cause = fire::Cause { from: hex(g, "1709"), foe, volley: Some(Volley::Advance) };
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            retreat::fall_back(&t, &mut g, a, 2, cause).await;
            g
        });
        let end = trial.start().over();
        (at(&end, "3A"), full.iter().filter(|&&u| end.unit(u).disrupted).count())
    };
    assert_eq!((end(&g), end(&old(&g))), (("1712".to_owned(), 1), ("1712".to_owned(), 0)));
    g.put(full[3], Spot::Pool);
    assert_eq!(end(&g), ("1712".to_owned(), 0), "24 Combat Factors");
}

/// Whoever fails a check Routs, if he was Disrupted before too; two Leaders do not go along.
///
/// rosebud-creek 16.G
#[test]
fn any_failed_check_ends_hit_and_run() {
    let mut g = bare_with(Variant { version: 4, hit_and_run: true, ..Variant::default() });
    quiet(&mut g);
    says(&mut g, Side::Us, About::OpportunityFire, "yes");
    foot(&mut g, "3A", "1710");
    let h = ride(&mut g, "H1", "1709");
    g.unit_mut(h).disrupted = true;
    let dice = dice_for(&g, "3A", "H1", Volley::HitAndRun, Outcome::Mc);
    let routed = |g: &State| {
        // 4 and 4, less 1 for a Disrupted unit: Disrupted.
        let trial = moving(g, Side::Indian).dice("fire", dice.into_iter().chain([3, 4])).dice("morale", [4, 4, 6, 6]);
        let mut run = trial.start();
        run.say("h1: fire 3a");
        run.now().unit(h).routed
    };
    assert_eq!((routed(&g), routed(&old(&g))), (true, false));
    lead(&mut g, "Gall", "1709");
    let led = moving(&g, Side::Indian).dice("fire", [3, 4, 3, 4]).dice("morale", [6, 6, 6, 6]);
    assert_eq!(led.start().try_say("h1: fire 3a"), Ok(()));
    lead(&mut g, "Two Moon", "1709");
    assert!(moving(&g, Side::Indian).start().refused("h1: fire 3a").contains("16.G"));
}

/// A marsh takes three MPs mounted and two on foot: a Leader pays two.
///
/// rosebud-creek 8, 12.B
#[test]
fn leaders_go_at_the_cheaper_rate() {
    let mut g = bare();
    let marsh = g.charts.grid.hexes().find(|&hex| g.ground(hex).index() == 3).expect("a marsh");
    let l = lead(&mut g, "Mills", "1710");
    let mps = |g: &State| movement::terrain_cost(g, marsh, Mover::Leader(l).gait(g));
    assert_eq!((mps(&g), mps(&old(&g))), (2, 3));
    let a = ride(&mut g, "3A", "1710");
    assert_eq!(movement::terrain_cost(&g, marsh, Mover::Unit(a).gait(&g)), 3);
}

/// rosebud-creek 5, 12.E
#[test]
fn the_hq_rides_in_a_retreat_before_melee() {
    let mut g = bare();
    let hq = ride(&mut g, "HQ", "1710");
    assert!(before::rides(&g, hq) && !before::rides(&old(&g), hq));
    g.unit_mut(hq).mode = Mode::Dismounted;
    assert!(!before::rides(&g, hq));
    let a = ride(&mut g, "3A", "1710");
    assert!(before::rides(&g, a) && before::rides(&old(&g), a));
}

/// The HQ that stands in an enemy ZOC has no free way; a wounded Leader goes through ZOCs.
///
/// rosebud-creek 12.D, 12.E
#[test]
fn ways_that_the_rules_demand() {
    let mut g = bare();
    quiet(&mut g);
    ride(&mut g, "3A", "1711");
    lead(&mut g, "Crook", "1711");
    let hq = ride(&mut g, "HQ", "2611");
    let start = g.hex(hq);
    let moved = |g: &State| {
        let mut g = g.clone();
        g.phasing = Side::Us;
        let trial = Trial::new(g, |t, mut g| async move {
            duties::fulfil(&t, &mut g);
            g
        });
        trial.start().over()
    };
    assert_ne!(moved(&g).hex(hq), start);
    ride(&mut g, "H1", "2711");
    assert_eq!(moved(&g).hex(hq), start);
    assert_ne!(moved(&old(&g)).hex(hq), start);
    // Mills alone, with Indians all around his way.
    let mut g = bare();
    ride(&mut g, "HQ", "1711");
    let mills = lead(&mut g, "Mills", "1715");
    g.chief_mut(mills).wound = Wound::Severe;
    for (id, at) in [("H1", "1614"), ("H2", "1814"), ("H3", "1716"), ("H4", "1516"), ("H5", "1916")] {
        ride(&mut g, id, at);
    }
    let start = g.chief(mills).spot;
    assert_ne!(moved(&g).chief(mills).spot, start);
    assert_eq!(moved(&old(&g)).chief(mills).spot, start);
}

/// Nobody is with an abandoned train: it has no ZOC and is no target.
///
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
    assert_eq!((there(&g), there(&old(&g))), ((1, false), (2, true)));
}

/// The second hex of a Routed rider's Retreat Before Melee is in no enemy ZOC either: he stops before it.
///
/// rosebud-creek 10.F
#[test]
fn a_routed_rider_stops_before_a_zoc() {
    // By version 5 it sees the ZOC before it goes.
    let mut g = bare_with(Variant { version: 4, ..Variant::default() });
    quiet(&mut g);
    says(&mut g, Side::Indian, About::FallBack, "1712");
    foot(&mut g, "3A", "1710");
    let h = ride(&mut g, "H1", "1711");
    g.unit_mut(h).routed = true;
    for (id, at) in [("3E", "1714"), ("3I", "1513"), ("3M", "1913")] {
        foot(&mut g, id, at);
    }
    let end = |g: &State| {
        let mut run = fighting(g, Side::Us).dice("retreat before melee", [6]).start();
        run.say("melee 1711 with 3a no advance");
        at(&run.now(), "H1")
    };
    assert_eq!(end(&g), "1712");
    assert_ne!(end(&old(&g)), "1712");
    // Where the second hex is free, it goes there.
    for id in ["3E", "3I", "3M"] {
        let u = unit(&g, id);
        g.put(u, Spot::Pool);
    }
    assert_eq!(far(&g, &end(&g), "1710"), 3);
}

/// A Leader who comes into a hex by himself is attached to whom his owner names; in his own hex he changes in the Rally Phase. In the
/// set-up the owner says it too.
///
/// rosebud-creek 12.A
#[test]
fn the_owner_attaches_who_comes() {
    let mut g = bare();
    let (a, e) = (ride(&mut g, "3A", "1711"), ride(&mut g, "3E", "1711"));
    let mills = lead(&mut g, "Mills", "1713");
    let with = |g: &State, said: &str| {
        let mut run = moving(g, Side::Us).start();
        run.try_say(said).map(|()| run.now().chief(mills).with)
    };
    assert_eq!(with(&g, "mills alone: 1712 > 1711"), Ok(Some(a)));
    assert_eq!(with(&g, "mills alone: 1712 > 1711, attach 3e"), Ok(Some(e)));
    assert_eq!(with(&g, "mills alone: to 1711, attach to 3e"), Ok(Some(e)));
    assert!(with(&old(&g), "mills alone: 1712 > 1711, attach 3e").is_err_and(|why| why.contains("12.A")));
    assert!(with(&g, "mills alone: 1712, attach 3e").is_err_and(|why| why.contains("12.A")), "not there yet");
    assert!(with(&g, "3a: 1710, attach 3e").is_err_and(|why| why.contains("12.A")), "no Leader");
    // He stays with the unit that he has.
    g.chief_mut(mills).spot = Spot::On(hex(&g, "1711"));
    g.chief_mut(mills).with = Some(a);
    assert!(with(&g, "mills alone: attach 3e").is_err_and(|why| why.contains("Rally Phase")));
    let begin = |version: u32| {
        let g = game(Variant { version, ..Variant::default() });
        let trial = Trial::new(g, |t, mut g| async move {
            super::super::setup::phase(&t, &mut g).await;
            g
        });
        let mut run = trial.start();
        let said = run.try_say("attach mills to 3m");
        let now = run.now();
        said.map(|()| now.chief(mills).with == Some(unit(&now, "3M")))
    };
    assert_eq!(begin(4), Ok(true));
    assert!(begin(3).is_err());
}

/// rosebud-creek 16.E
#[test]
fn the_village_is_searched_before_leaders_move() {
    let mut g = bare();
    g.phasing = Side::Us;
    for (id, at) in [("3A", "2600"), ("3E", "2600"), ("3I", "2601"), ("3M", "2601"), ("3B", "2701")] {
        ride(&mut g, id, at);
    }
    let crook = lead(&mut g, "Crook", "2601");
    let may = |g: &State| village::may_search(g, Side::Us).is_ok();
    assert!(may(&g));
    g.chief_mut(crook).spent = 2;
    assert!(!may(&g) && may(&old(&g)));
    g.chief_mut(crook).spent = 0;
    g.builders = Some(2);
    assert!(!may(&g) && may(&old(&g)));
}

/// A Leader who was with a Holder joins another unit when the Holder is mounted or used up, or its ponies are lost.
///
/// rosebud-creek 12.A, 16.B, 8.D
#[test]
fn leaders_do_not_stay_with_holders_that_are_gone() {
    let mut g = bare();
    let (a, holder) = (foot(&mut g, "3A", "1710"), foot(&mut g, "3AH", "1710"));
    let mills = lead(&mut g, "Mills", "1710");
    g.chief_mut(mills).with = Some(holder);
    let after = |g: &State, ponies: bool| {
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            match ponies {
                true => super::super::horses::lose(&t, &mut g, holder),
                false => _ = super::super::mode::mount(&mut g, a),
            }
            g
        });
        trial.start().over().chief(mills).with
    };
    assert_eq!((after(&g, false), after(&old(&g), false)), (Some(a), Some(holder)));
    // A Holder that stays on the map without horses keeps him.
    g.unit_mut(holder).mountless = true;
    assert_eq!(after(&g, true), Some(holder));
    // One that becomes a strength point does not.
    g.unit_mut(a).losses = 1;
    let replaced = |g: &State| {
        let trial = Trial::new(g.clone(), |t, mut g| async move {
            super::super::horses::replacements(&t, &mut g).await;
            g
        });
        trial.start().over().chief(mills).with
    };
    assert_eq!((replaced(&g), replaced(&old(&g))), (Some(a), Some(holder)));
}

/// An abandoned train does not Rout again: its Personnel stay where they are.
///
/// rosebud-creek 15.B
#[test]
fn a_train_is_abandoned_once() {
    let mut g = bare();
    let (train, personnel) = (foot(&mut g, "PTA", "1710"), foot(&mut g, "PPA", "1714"));
    g.unit_mut(train).abandoned = true;
    let trial = |g: &State| {
        Trial::new(g.clone(), move |t, mut g| async move {
            pack::abandon(&t, &mut g, train);
            g
        })
    };
    let end = trial(&g).start().over();
    assert_eq!((at(&end, "PPA"), end.here(hex(&end, "1710")).count()), ("1714".to_owned(), 1));
    assert_eq!(at(&trial(&old(&g)).start().over(), "PPA"), "1710");
    assert_eq!(end.hex(personnel), g.hex(personnel));
}

/// The HQ follows Crook over a hex in which an Indian Leader is alone.
///
/// rosebud-creek 12.D, 12.E
#[test]
fn who_follows_kills_leaders_who_are_alone() {
    let mut g = bare();
    quiet(&mut g);
    ride(&mut g, "3A", "1711");
    lead(&mut g, "Crook", "1711");
    let hq = ride(&mut g, "HQ", "2311");
    let end = |g: &State| {
        let mut g = g.clone();
        g.phasing = Side::Us;
        let trial = Trial::new(g, |t, mut g| async move {
            duties::fulfil(&t, &mut g);
            g
        });
        trial.start().over()
    };
    let there = end(&g).hex(hq).expect("on the map");
    let id = g.id(there);
    let gall = lead(&mut g, "Gall", &id);
    assert_eq!(end(&g).chief(gall).spot, Spot::Dead);
    assert_eq!(end(&old(&g)).chief(gall).spot, Spot::On(there));
}
