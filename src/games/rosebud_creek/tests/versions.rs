//! What version 2 of the rules does otherwise: each amendment, beside what version 1 did.

use super::super::{
    State, ammo,
    components::Side,
    doctrine::{About, BeforeWill, Doctrine, FireWill},
    eagle, fire, leaders, march, melee, movement,
    movement::Mover,
    pack, retreat, rout,
    state::{Mode, Phase, Spot, Volume, Wound},
    testing::*,
    volley,
};
use crate::table::Seat;

/// The same position in a game of version 1.
fn old(g: &State) -> State {
    let mut g = g.clone();
    g.variant.version = 1;
    g
}

fn phase_of(g: &State, side: Side, phase: Phase) -> Trial {
    let mut g = g.clone();
    g.phasing = side;
    Trial::new(g, move |t, mut g| async move {
        match phase {
            Phase::Melee => melee::phase(&t, &mut g).await,
            Phase::Movement => march::phase(&t, &mut g).await,
            _ => volley::phase(&t, &mut g, side, phase, fire::Volley::Advance).await,
        }
        g
    })
}

fn stand(g: &mut State) {
    for side in [0, 1] {
        g.doctrine[side] = Doctrine { before: BeforeWill::Stand, retreat: FireWill::No, ..Doctrine::default() };
    }
}

/// The hexes of one stack attack one hex, whether they advance into it or not.
///
/// rosebud-creek 10.B, 10.H
#[test]
fn a_stack_attacks_one_hex() {
    let mut g = bare();
    stand(&mut g);
    for (id, at) in [("3A", "1710"), ("3E", "1710"), ("H1", "1709"), ("H2", "1711")] {
        foot(&mut g, id, at);
    }
    let second = |g: &State| {
        let mut run = phase_of(g, Side::Us, Phase::Melee).dice("melee", [3, 3]).start();
        run.say("melee 1709 with 3a no advance");
        run.asked() == [(Seat(0), "melee")] && run.try_say("melee 1711 with 3e").is_ok()
    };
    assert!(!second(&g));
    assert!(second(&old(&g)));
}

/// A Routed unit that loses a point in melee Routs again.
///
/// rosebud-creek 10.C, 10.J
#[test]
fn a_routed_unit_that_is_hit_in_melee_routs_again() {
    let mut g = bare();
    stand(&mut g);
    let a = foot(&mut g, "3A", "1710");
    g.unit_mut(a).routed = true;
    g.unit_mut(a).pinned = true;
    for id in ["H1", "H2"] {
        foot(&mut g, id, "1709");
    }
    // Every die at which the defender loses and does not Rout anyway.
    let h = ["H1", "H2"].map(|id| unit(&g, id));
    let battle = melee::reckon(&g, &h, hex(&g, "1710"));
    let die = (1..=6).find(|&die| {
        let score = battle.result(&g, die)[1];
        score.lost > 0 && score.retreat == 0 && !score.rout
    });
    let die = die.expect("a result of casualties alone");
    let end = |g: &State| phase_of(g, Side::Indian, Phase::Melee).dice("melee", [die]).start();
    let mut run = end(&g);
    run.say("melee 1710 with h1 h2");
    assert_ne!(at(&run.over(), "3A"), "1710");
    let mut run = end(&old(&g));
    run.say("melee 1710 with h1 h2");
    assert_eq!(at(&run.over(), "3A"), "1710");
}

/// A Rout of a company frees Van Vliet, a Voluntary one does not; till then he himself stays, too, but not badly wounded.
///
/// rosebud-creek 16.D
#[test]
fn van_vliet_and_his_companies() {
    let mut g = bare();
    let c = foot(&mut g, "3C", "2815");
    let h = foot(&mut g, "H1", "2814");
    let routed = |g: &State, of_its_own_will: bool| {
        let cause = fire::Cause { from: hex(g, "2814"), foe: h, volley: None };
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            match of_its_own_will {
                true => rout::voluntary(&t, &mut g, c, false).await,
                false => rout::mandatory(&t, &mut g, c, cause).await,
            }
            g
        });
        trial.start().over().eagle_free
    };
    assert!(routed(&g, false) && !routed(&g, true) && !routed(&old(&g), false));
    let l = lead(&mut g, "Van Vliet", "2815");
    let (from, to) = (hex(&g, "2812"), hex(&g, "2811"));
    assert!(g.charts.grid.distance(g.charts.eagles_nest, from) == 3);
    let stays = |g: &State| eagle::allows(g, Mover::Leader(l), from, to).is_err_and(|why| why.rule == "16.D");
    assert!(stays(&g) && !stays(&old(&g)));
    g.chief_mut(l).wound = Wound::Severe;
    assert!(!stays(&g));
}

/// A Leader who comes by himself kills no Leader.
///
/// rosebud-creek 12.D
#[test]
fn leaders_alone_kill_nobody() {
    let mut g = bare();
    lead(&mut g, "Gall", "1711");
    lead(&mut g, "Royall", "1710");
    let gall = leader(&g, "Gall");
    let mut run = phase_of(&g, Side::Us, Phase::Movement).start();
    assert!(run.refused("royall to 1711").contains("combat units"));
    let mut run = phase_of(&old(&g), Side::Us, Phase::Movement).start();
    run.say("royall to 1711").say("done");
    assert_eq!(run.over().chief(gall).spot, Spot::Dead);
}

/// No order takes the HQ out of Crook's radius; it follows him.
///
/// rosebud-creek 12.E
#[test]
fn the_headquarters_keep_near_crook() {
    let mut g = bare();
    g.phasing = Side::Us;
    lead(&mut g, "Crook", "1710");
    let crook = leader(&g, "Crook");
    let radius = leaders::radius(&g, crook).expect("a radius");
    ride(&mut g, "HQ", "1710");
    let goal = g.charts.grid.hexes().find(|&at| {
        let (a, far) = (hex(&g, "1710"), g.charts.grid.distance(at, hex(&g, "1710")));
        let way = march::March::way_to(&g, Mover::Unit(unit(&g, "HQ")), at);
        a != at && far == radius + 1 && way.is_some()
    });
    let goal = g.id(goal.expect("a hex one beyond the radius"));
    let mut run = phase_of(&g, Side::Us, Phase::Movement).start();
    assert!(run.refused(&format!("hq to {goal}")).contains("Crook"));
    run.say(&format!("crook hq to {goal}")).say("done");
    assert_eq!(at(&run.over(), "HQ"), goal);
    let mut run = phase_of(&old(&g), Side::Us, Phase::Movement).start();
    assert!(run.try_say(&format!("hq to {goal}")).is_ok());
}

/// A Voluntary Rout goes its four hexes, not one; who could not move may go on by an order.
///
/// rosebud-creek 10.J
#[test]
fn a_voluntary_rout_goes_far() {
    let mut g = bare();
    let u = foot(&mut g, "H1", "2010");
    let gone = |g: &State| {
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            rout::voluntary(&t, &mut g, u, false).await;
            g
        });
        let end = trial.start().over();
        end.charts.grid.distance(hex(&end, "2010"), end.hex(u).expect("on the map"))
    };
    assert_eq!((gone(&g), gone(&old(&g))), (4, 1));
    g.unit_mut(u).routed = true;
    foot(&mut g, "H2", "2011");
    let on = |g: &State| phase_of(g, Side::Indian, Phase::Movement).start().try_say("rout h1").is_ok();
    assert!(on(&g) && !on(&old(&g)));
}

/// The first move of an Indian Rout ends at three hexes from every enemy.
///
/// rosebud-creek 10.J
#[test]
fn an_indian_rout_ends_at_three_hexes() {
    let mut g = bare();
    let h = ride(&mut g, "H1", "1710");
    let foe = foot(&mut g, "3A", "1708");
    let gone = |g: &State| {
        let cause = fire::Cause { from: hex(g, "1708"), foe, volley: None };
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            rout::mandatory(&t, &mut g, h, cause).await;
            g
        });
        let end = trial.start().over();
        end.charts.grid.distance(hex(&end, "1710"), end.hex(h).expect("on the map"))
    };
    assert_eq!((gone(&g), gone(&old(&g))), (1, 3));
}

/// The owner picks the kind of Rally Location.
///
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
            rout::subsequent(&t, &mut g, a, 0, false).await;
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
    // Games of version 1 know no such order, and their digests no such word.
    let refused = phase_of(&old(&g), Side::Us, Phase::Movement).start().try_say("doctrine rally place: hq");
    assert!(refused.is_err());
}

/// A rider whom Opportunity Fire dismounts takes his Holder along; who fires so does not attack afterwards.
///
/// rosebud-creek 10.H, 10.B, 9.D
#[test]
fn holders_go_along_and_who_fires_stays() {
    let mut g = bare();
    g.doctrine[0] = Doctrine { before: BeforeWill::odds(1), ..Doctrine::default() };
    g.doctrine[1] = Doctrine { opportunity: FireWill::Yes, ..Doctrine::default() };
    let a = ride(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    foot(&mut g, "H2", "1810");
    foot(&mut g, "3E", "1910");
    let end = |g: &State, horses: &[i64]| {
        // Dice of 5 - 1 in a Morale Check: Pinned.
        let run = phase_of(g, Side::Indian, Phase::Melee)
            .dice("retreat before melee", [6])
            .dice("fire", [5, 6])
            .dice("leader loss", [])
            .dice("morale", [2, 3])
            .dice("lost horses", horses.iter().copied())
            .dice("melee", horses.iter().copied());
        let mut run = run.start();
        run.say("melee 1710 with h1");
        run
    };
    let mut run = end(&g, &[]);
    let asked = run.asked();
    let now = run.now();
    assert_eq!(now.unit(a).mode, Mode::Dismounted, "{:?}", run.story());
    assert_eq!(now.hex(unit(&now, "3AH")), now.hex(a), "{:?}", run.story());
    assert!(asked.is_empty() && at(&now, "3A") != "1710");
    // The Holder stays, and the attack takes the horses.
    let mut run = end(&old(&g), &[6]);
    assert!(run.now().losses[0] > 0 || run.now().unit(unit(&g, "3AH")).mountless);
    assert!(!run.asked().is_empty(), "H2 may attack 1910");
}

/// Who was pushed back in his move, and is neither Pinned nor Routed, may be moved on.
///
/// rosebud-creek 7.A, 9.F
#[test]
fn who_is_pushed_back_may_go_on() {
    let mut g = bare();
    g.phase = Phase::Movement;
    g.phasing = Side::Us;
    let a = ride(&mut g, "3A", "1710");
    let foe = foot(&mut g, "H1", "1709");
    let barred = |g: &State| {
        let cause = fire::Cause { from: hex(g, "1709"), foe, volley: Some(fire::Volley::Opportunity(Volume::Full)) };
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            retreat::fall_back(&t, &mut g, a, 1, cause).await;
            g
        });
        movement::barred(&trial.start().over(), Mover::Unit(a)).is_err()
    };
    assert!(!barred(&g) && barred(&old(&g)));
}

/// A charge ends where fire dismounts it.
///
/// rosebud-creek 16.A, 9.D
#[test]
fn a_charge_on_foot_is_none() {
    let mut g = bare();
    let a = ride(&mut g, "3A", "1710");
    g.unit_mut(a).did.charge = Some(hex(&g, "1709"));
    let charge = |g: &State| {
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            super::super::mode::dismount(&t, &mut g, a);
            g
        });
        trial.start().over().unit(a).did.charge
    };
    assert!(charge(&g).is_none() && charge(&old(&g)).is_some());
}

/// All who were named roll, for their ammunition, if the target has gone.
///
/// rosebud-creek 9.F, 14.A
#[test]
fn all_who_are_named_roll() {
    let mut g = bare();
    g.doctrine[0] = Doctrine { opportunity: FireWill::Yes, ..Doctrine::default() };
    ride(&mut g, "H1", "1710");
    for id in ["3A", "3E"] {
        foot(&mut g, id, "1709");
    }
    let leave = |g: &State| {
        let run = phase_of(g, Side::Indian, Phase::Movement).dice("fire", [5, 5, 2, 3]).dice("ammunition", [1]);
        let mut run = run.dice("morale", [1, 2]).dice("retreat fire", []).start();
        run.say("h1 to 1711");
        let now = run.now();
        (now.unit(unit(&now, "3E")).low_ammo, run.story().iter().any(|line| line.contains("nobody who is left")))
    };
    let (low, told) = leave(&g);
    assert!(low && told);
    assert_eq!(leave(&old(&g)), (false, false));
}

/// Who has re-supplied uses Advance Fire, and ammunition comes once, at the end of movement.
///
/// rosebud-creek 4.E, 14.C
#[test]
fn advance_fire_after_a_resupply() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    g.unit_mut(a).did.resupply = true;
    let asked = |g: &State| !phase_of(g, Side::Us, Phase::Advance).start().asked().is_empty();
    assert!(asked(&g) && !asked(&old(&g)));
    g.unit_mut(a).low_ammo = true;
    ammo::settle(&mut g);
    assert!(!g.unit(a).low_ammo);
}

/// A severely wounded Leader slows all in his hex.
///
/// rosebud-creek 12.D
#[test]
fn a_severe_wound_slows_the_stack() {
    let mut g = bare();
    let (a, b) = (ride(&mut g, "3A", "1710"), ride(&mut g, "3E", "1710"));
    let l = lead(&mut g, "Royall", "1710");
    g.chief_mut(l).wound = Wound::Severe;
    let mps = |g: &State| [a, b].map(|u| movement::allowance(g, u, Mode::Mounted));
    let [one, other] = mps(&g);
    assert_eq!(one, other);
    assert_eq!(mps(&old(&g)), [one, other * 2]);
}

/// A Leader decides once whether he goes along: he is not left with those whom his unit passes.
///
/// rosebud-creek 12.A
#[test]
fn leaders_decide_once() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    let foe = foot(&mut g, "H1", "1709");
    let l = lead(&mut g, "Royall", "1710");
    for id in ["1711", "1611", "1811"] {
        let friend = ["3E", "3I", "3M"].into_iter().find(|who| at(&g, who) == "-").expect("one is left");
        foot(&mut g, friend, id);
    }
    let with = |g: &State| {
        let cause = fire::Cause { from: hex(g, "1709"), foe, volley: None };
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            retreat::fall_back(&t, &mut g, a, 2, cause).await;
            g
        });
        trial.start().over().chief(l).with
    };
    assert_eq!(with(&g), Some(a));
    assert_ne!(with(&old(&g)), Some(a));
}

/// A Holder without horses replaces losses at the end of a fire phase too; Personnel keep to the stacking limit.
///
/// rosebud-creek 8.D, 6.A, 15.B
#[test]
fn losses_are_replaced_where_the_rules_say() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    let holder = foot(&mut g, "3AH", "1710");
    g.unit_mut(a).losses = 1;
    g.unit_mut(holder).mountless = true;
    let losses = |g: &State| phase_of(g, Side::Us, Phase::Advance).start().over().unit(a).losses;
    assert_eq!((losses(&g), losses(&old(&g))), (0, 1));
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
    let points = |g: &State| pack::may_give(g, personnel, short, 1).is_ok();
    let full = g.stacked(hex(&g, "1710")) == 25;
    assert!(full, "{}", g.stacked(hex(&g, "1710")));
    assert!(!points(&g) && points(&old(&g)));
}
