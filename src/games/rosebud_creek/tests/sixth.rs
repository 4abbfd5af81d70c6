//! What version 6 of the rules does otherwise in melee, beside what version 5 did.

use super::{
    super::{
        State, aim, before, charge,
        components::Side,
        doctrine::{About, FireWill},
        fire::{Target, Volley},
        march, melee,
        movement::Mover,
        pursuit, reaction,
        retreat::{self, Flight},
        state::{Attacked, Phase, Spot},
        testing::*,
        volley::Fires,
    },
    third::{far, quiet, says},
};

/// The same position in a game of version 5.
pub(super) fn old(g: &State) -> State {
    let mut g = g.clone();
    g.variant.version = 5;
    g
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

/// The Movement Phase of a side.
pub(super) fn moving(g: &State, side: Side) -> Trial {
    let mut g = g.clone();
    g.phasing = side;
    Trial::new(g, |t, mut g| async move {
        march::phase(&t, &mut g).await;
        g
    })
}

/// A Retreat Before Melee from a hex that these attack.
fn going(g: &State, at: &str, attackers: &[&str]) -> Trial {
    let mut g = g.clone();
    (g.phase, g.phasing) = (Phase::Melee, g.side(unit(&g, attackers[0])));
    let (at, attackers) = (hex(&g, at), attackers.iter().map(|id| unit(&g, id)).collect::<Vec<_>>());
    let trial = Trial::new(g, move |t, mut g| async move {
        before::retreat(&t, &mut g, at, &attackers, None).await;
        g
    });
    trial.dice("retreat before melee", [6])
}

/// Who pursues and wins a melee advances into the hex of that melee, not back into the one that was attacked first.
///
/// rosebud-creek 10.H
#[test]
fn pursuers_advance_into_the_hex_just_won() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Indian, About::BeforeMelee, "odds 1");
    says(&mut g, Side::Indian, About::FallBack, "1613");
    ride(&mut g, "3A", "1610");
    ride(&mut g, "3E", "1610");
    let h = ride(&mut g, "H1", "1611");
    g.unit_mut(h).losses = 4;
    let end = |g: &State| {
        let trial = fighting(g, Side::Us).dice("retreat before melee", [6]).dice("pursuit", [1]).dice("melee", [6]);
        let mut run = trial.start();
        run.say("melee 1611 with 3a 3e pursue advance 3a");
        let story = run.story();
        let fled = story.iter().find_map(|line| line.split_once("Retreats before melee to ")).expect("it goes").1;
        let end = run.over();
        assert_ne!(end.hex(h), Some(hex(g, &fled[..4])), "it lost its hex: {story:?}");
        (at(&end, "3A"), fled[..4].to_owned())
    };
    let (won, fled) = end(&g);
    assert_eq!(won, fled);
    assert_eq!(end(&old(&g)).0, "1611");
    // Who has pursued and does not fight again stays.
    let stays = |g: &State| {
        let trial = fighting(g, Side::Us).dice("retreat before melee", [6]).dice("pursuit", [1]);
        let mut run = trial.start();
        run.say("melee 1611 with 3a 3e pursue only");
        far(&run.over(), "3A", "1611")
    };
    assert_eq!((stays(&g), stays(&old(&g))), (1, 0));
}

/// A charger who was put back, or whose target is out of reach in the Melee Phase, may attack another hex: without its bonus, and without
/// being Disrupted by it.
///
/// rosebud-creek 16.A, 10.B
#[test]
fn a_charge_that_is_over_binds_nobody() {
    let mut g = bare();
    quiet(&mut g);
    let a = ride(&mut g, "3A", "1610");
    foot(&mut g, "H1", "1611");
    foot(&mut g, "H2", "1613");
    g.unit_mut(a).did.charge = Some(hex(&g, "1613"));
    let battle = melee::reckon(&g, &[a], hex(&g, "1611"));
    let safe = |&die: &i64| {
        let own = battle.result(&g, die)[0];
        own.lost == 0 && own.retreat == 0 && !own.rout
    };
    let die = (1..=6).find(safe).expect("no result for the attacker");
    let begin = |g: &State| fighting(g, Side::Us).dice("melee", [die]).start();
    let mut run = begin(&g);
    run.say("melee 1611 with 3a no advance");
    let story = run.story().join(" ");
    assert!(story.contains("The charge of") && story.contains("6 to 6, odds 1-1"), "{story}");
    assert!(!run.over().unit(a).disrupted);
    // By version 5 it could attack nobody.
    assert!(begin(&old(&g)).asked().is_empty());
}

/// Where the target of a charge Scatters, the charger goes where it likes with the MPs that it has left.
///
/// rosebud-creek 16.A, 7.K
#[test]
fn a_charger_whose_target_scatters_goes_elsewhere() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Indian, About::Scatter, "strength 1");
    let a = ride(&mut g, "3A", "1609");
    ride(&mut g, "H1", "1611");
    let said = |g: &State| {
        let mut run = moving(g, Side::Us).start();
        run.say("3a charge 1611 1610");
        let now = run.now();
        assert!(at(&now, "H1") != "1611" && at(&now, "3A") == "1610");
        (now.unit(a).did.charge.is_some(), run.try_say("3a: 1609"))
    };
    assert_eq!(said(&g), (false, Ok(())));
    let (charges, back) = said(&old(&g));
    assert!(charges && back.is_err_and(|why| why.contains("16.A")));
}

/// A charger that was Disrupted on its way recovers there, if it has the MPs, also where its move has ended.
///
/// rosebud-creek 7.E, 16.A
#[test]
fn a_charger_recovers() {
    let mut g = bare();
    quiet(&mut g);
    let a = ride(&mut g, "3A", "1610");
    foot(&mut g, "H1", "1611");
    g.unit_mut(a).did.charge = Some(hex(&g, "1611"));
    g.unit_mut(a).did.spent = 1;
    g.unit_mut(a).disrupted = true;
    let mut run = moving(&g, Side::Us).start();
    run.say("3a: recover");
    let now = run.now();
    assert!(!now.unit(a).disrupted && now.unit(a).did.charge.is_some() && now.unit(a).did.spent == 3);
    assert!(moving(&old(&g), Side::Us).start().refused("3a: recover").contains("16.A"));
}

/// A charger beside its target has to attack it: it uses no Advance Fire into another hex, and nobody of its hex attacks another one.
///
/// rosebud-creek 10.B, 16.A
#[test]
fn a_charge_binds_its_hex() {
    let mut g = bare();
    quiet(&mut g);
    let a = ride(&mut g, "3A", "1610");
    let e = ride(&mut g, "3E", "1610");
    foot(&mut g, "H1", "1611");
    let h = foot(&mut g, "H2", "1609");
    g.unit_mut(a).did.charge = Some(hex(&g, "1611"));
    g.phasing = Side::Us;
    let fires = |g: &State, u, at: &str| {
        let may = Fires::phase(Side::Us, Volley::Advance).may(g, u, Target::Unit(unit(g, at)), false);
        may.map(|_| ()).map_err(|why| why.rule)
    };
    assert_eq!((fires(&g, a, "H2"), fires(&g, a, "H1"), fires(&g, e, "H2")), (Err("16.A"), Ok(()), Ok(())));
    assert_eq!(fires(&old(&g), a, "H2"), Ok(()));
    let aims = |g: &State| aim::check(g, &[Mover::Unit(a)], "H2").is_ok();
    assert!(!aims(&g) && aims(&old(&g)));
    let attack = |g: &State, said: &str| fighting(g, Side::Us).dice("melee", [3]).start().try_say(said);
    let assault = melee::Assault { side: Side::Us };
    assert!(assault.may(&g, e, hex(&g, "1609")).is_err_and(|why| why.rule == "16.A"));
    assert!(attack(&g, "melee 1609 with 3e").is_err());
    assert_eq!(attack(&old(&g), "melee 1609 with 3e"), Ok(()));
    assert_eq!(attack(&g, "melee 1611 with 3a 3e"), Ok(()));
    // Two charges out of one hex go at the same hex.
    let (from, to) = (hex(&g, "1710"), hex(&g, "1610"));
    g.unit_mut(e).did.charge = g.hex(h);
    let ends = |g: &State| charge::ends(g, e, &[from, to], false).map_err(|why| why.rule);
    assert_eq!((ends(&g), ends(&old(&g))), (Err("10.B"), Ok(())));
    g.unit_mut(e).did.charge = Some(hex(&g, "1611"));
    let from = hex(&g, "1609");
    assert_eq!(charge::ends(&g, e, &[from, to], false).map_err(|why| why.why), Ok(()));
}

/// A Leader with Pony Holders alone is lost with them when a melee against them is declared: they do not Retreat before it.
///
/// rosebud-creek 12.D, 16.B, 10.H
#[test]
fn who_is_without_a_combat_unit_does_not_retreat_before_melee() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Indian, About::BeforeMelee, "odds 1");
    foot(&mut g, "3A", "1610");
    foot(&mut g, "H1H", "1611");
    let gall = lead(&mut g, "Gall", "1611");
    let end = |g: &State, dice: &[i64]| {
        let mut run = fighting(g, Side::Us).dice("retreat before melee", dice.iter().copied()).start();
        run.say("melee 1611 with 3a");
        let end = run.over();
        assert_eq!(at(&end, "3A"), "1611");
        (end.unit(unit(g, "H1H")).spot, end.chief(gall).spot)
    };
    assert_eq!(end(&g, &[]), (Spot::Dead, Spot::Dead));
    assert!(matches!(end(&old(&g), &[6]), (Spot::On(_), Spot::On(_))));
}

/// After so many Indian casualties a pursuer attacks again only where a Leader is with it.
///
/// rosebud-creek 10.H, 16.F
#[test]
fn pursuers_without_a_leader_do_not_attack_again() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Us, About::BeforeMelee, "odds 1");
    g.losses[Side::Indian.index()] = 18;
    foot(&mut g, "H1", "1610");
    let h2 = foot(&mut g, "H2", "1610");
    let gall = lead(&mut g, "Gall", "1610");
    g.chief_mut(gall).with = Some(h2);
    let a = foot(&mut g, "3A", "1611");
    g.unit_mut(a).losses = 3;
    let again = |g: &State, with: &str| {
        let trial = fighting(g, Side::Indian).dice("retreat before melee", [6]).dice("pursuit", [1]);
        let mut run = trial.dice("melee", [3]).dice("leader loss", [3, 4]).start();
        run.say(&format!("melee 1611 with {with} pursue no advance"));
        let story = run.story().join(" ");
        assert!(story.contains("pursues to"), "{story}");
        story.contains("Melee in")
    };
    assert_eq!((again(&g, "h1"), again(&old(&g), "h1")), (false, true));
    assert!(again(&g, "h2"), "with Gall it does");
}

/// No Retreat Before Melee takes a company that is not Routed away from the Eagle's Nest, since nothing forces it to go.
///
/// rosebud-creek 16.D, 10.H
#[test]
fn nobody_retreats_away_from_the_eagles_nest() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Us, About::BeforeMelee, "odds 1");
    let c = foot(&mut g, "3C", "3115");
    let near =
        g.charts.grid.neighbours(hex(&g, "3115")).find(|&at| g.charts.grid.distance(at, g.charts.eagles_nest) == 2);
    let near = g.id(near.expect("nearer"));
    foot(&mut g, "H1", &near);
    g.unit_mut(c).losses = 3;
    says(&mut g, Side::Us, About::FallBack, "3215");
    let end = |g: &State| {
        let end = going(g, "3115", &["H1"]).start().over();
        end.charts.grid.distance(end.hex(c).expect("there"), end.charts.eagles_nest)
    };
    assert_eq!((end(&g), end(&old(&g))), (3, 4));
    // Who is Routed has to go.
    g.unit_mut(c).routed = true;
    assert_eq!(end(&g), 4);
}

/// Who may stay does not leave the map by a Retreat Before Melee; a Routed unit does.
///
/// rosebud-creek 7.J, 10.H
#[test]
fn nobody_leaves_the_map_before_a_melee() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Indian, About::BeforeMelee, "odds 1");
    let h = ride(&mut g, "H1", "1600");
    g.unit_mut(h).losses = 4;
    foot(&mut g, "3A", "1601");
    let end = |g: &State| going(g, "1600", &["3A"]).start().over().unit(h).spot;
    assert_eq!((end(&g), end(&old(&g))), (Spot::On(hex(&g, "1600")), Spot::Off));
    g.unit_mut(h).routed = true;
    assert_eq!(end(&g), Spot::Off);
}

/// Nobody advances who would leave more Pony Holders behind than may stand there.
///
/// rosebud-creek 6.E, 10.H
#[test]
fn ponies_are_not_left_by_an_advance() {
    let mut g = bare();
    for n in 1..=5 {
        foot(&mut g, &format!("H{n}H"), "1610");
        let u = foot(&mut g, &format!("H{n}"), "1610");
        g.unit_mut(u).losses = 3;
    }
    let sixth = foot(&mut g, "H6", "1610");
    g.unit_mut(sixth).losses = 3;
    let all: Vec<_> = (1..=6).map(|n| unit(&g, &format!("H{n}"))).collect();
    let advance = |g: &State| {
        let mut g = g.clone();
        let (at, from) = (hex(&g, "1611"), hex(&g, "1610"));
        g.attacked.push(Attacked { at, units: all.clone(), from: vec![from], advancing: all.clone() });
        let trial = Trial::new(g, |t, mut g| async move {
            pursuit::advances(&t, &mut g);
            g
        });
        let end = trial.start().over();
        all.iter().filter(|&&u| end.hex(u) == Some(at)).count()
    };
    assert_eq!((advance(&g), advance(&old(&g))), (1, 6));
    // Four may stay without anybody.
    let pony = unit(&g, "H5H");
    g.put(pony, Spot::Pool);
    assert_eq!(advance(&g), 6);
}

/// Who finds no room at the end of a Retreat Before Melee goes on without Retreat Fire.
///
/// rosebud-creek 9.G, 10.H, 10.I
#[test]
fn want_of_room_before_a_melee_draws_no_fire() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Indian, About::RetreatFire, "yes");
    g.phase = Phase::Melee;
    let a = ride(&mut g, "3A", "1710");
    for id in ["2A", "2B", "2D", "2E"] {
        ride(&mut g, id, "1710");
    }
    for (id, at) in [("H1", "1612"), ("H2", "1812")] {
        foot(&mut g, id, at);
    }
    let fired = |g: &State, quiet: bool| {
        let enemy = hex(g, "1709");
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            retreat::room(&t, &mut g, a, Flight { quiet, ..Flight::step(enemy) }).await;
            g
        });
        let mut run = trial.any_dice([1; 20]).start();
        let story = run.story().join(" ");
        assert_ne!(at(&run.now(), "3A"), "1710");
        story.contains("Retreat Fire")
    };
    assert_eq!((fired(&g, true), fired(&old(&g), true), fired(&g, false)), (false, true, true));
}

/// The second hex of a Retreat Before Melee leaves an enemy ZOC too, and draws Opportunity Fire of those who do not fight.
///
/// rosebud-creek 5, 9.F, 10.H
#[test]
fn the_second_hex_draws_fire_too() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Indian, About::BeforeMelee, "odds 1");
    says(&mut g, Side::Us, About::OpportunityFire, "yes");
    let h = ride(&mut g, "H1", "1611");
    g.unit_mut(h).losses = 4;
    foot(&mut g, "3A", "1610");
    for (id, at) in [("3E", "1613"), ("3I", "1811"), ("3M", "1411")] {
        foot(&mut g, id, at);
    }
    let shots = |g: &State| {
        let mut run = going(g, "1611", &["3A"]).any_dice([1, 2, 1, 2, 1, 2, 1, 2]).start();
        let shots = run.story().into_iter().filter(|line| line.starts_with("Opportunity Fire")).count();
        (shots, run.now().hex(h).map(|at| g.charts.grid.distance(at, hex(g, "1611"))))
    };
    assert_eq!(shots(&old(&g)), (0, Some(2)));
    let (fired, went) = shots(&g);
    assert!(fired > 0 && went == Some(2), "{fired}");
    // Pinned by it, a rider of the US goes no farther than on foot; nobody fires: both hexes.
    says(&mut g, Side::Us, About::OpportunityFire, "no");
    assert_eq!(shots(&g), (0, Some(2)));
}

/// After Retreat Fire too a unit may Rout of its own will.
///
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
    let routed = |g: &State| {
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            reaction::retreat_fire(&t, &mut g, a).await;
            g
        });
        trial.dice("fire", [1, 2]).start().over().unit(a).routed
    };
    assert!(routed(&g) && !routed(&old(&g)));
}
