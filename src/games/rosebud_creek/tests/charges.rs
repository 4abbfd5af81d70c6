//! Cavalry Charges (16.A).

use super::super::{
    State, aim, charge,
    components::Side,
    doctrine::{About, BeforeWill},
    fire::{Target, Volley},
    melee, mode,
    movement::{self, Mover},
    order::Act,
    reaction,
    state::{Mode, Phase},
    testing::*,
    volley::Fires,
};
use postrider_table::{chart::Ratio, hex::Hex};

fn act(g: &mut State, who: &str, act: &Act) -> Result<(), String> {
    movement::act(g, Mover::Unit(unit(g, who)), act).map_err(|why| why.to_string())
}

/// The bonus: 1 charges with 2, 5 with 8, and 5 low on ammunition with 2.5 + 2 = 4.5.
///
/// rosebud-creek 16.A
#[test]
fn charges_are_stronger() {
    let mut g = bare();
    let a = ride(&mut g, "3B", "1710");
    let at = hex(&g, "1711");
    foot(&mut g, "H1", "1711");
    g.unit_mut(a).did.charge = Some(at);
    assert_eq!(melee::attack_strength(&g, a, at), Ratio::whole(8));
    g.unit_mut(a).low_ammo = true;
    assert_eq!(melee::attack_strength(&g, a, at), Ratio::new(9, 2).expect("a fraction"));
    g.unit_mut(a).low_ammo = false;
    g.unit_mut(a).losses = 4;
    assert_eq!(melee::attack_strength(&g, a, at), Ratio::whole(2));
    assert_eq!(movement::allowance(&g, a, Mode::Mounted), 7, "one MP more");
}

/// Only mounted cavalry in good order may charge, over Clear hexes, for at least one hex, ending
/// adjacent to the target; afterward it is Disrupted.
///
/// rosebud-creek 16.A, 8.A, 4.F
#[test]
fn who_charges_and_how() {
    let mut g = bare();
    g.phasing = Side::Us;
    let flat = ["1610", "1611", "1612"];
    assert!(flat.iter().all(|id| g.ground(hex(&g, id)).name() == "Clear"));
    let a = ride(&mut g, "3A", "1609");
    let h = foot(&mut g, "H1", "1611");
    let charge = || Act::Charge { hex: "1611".to_owned() };
    assert!(act(&mut g.clone(), "3A", &charge()).is_ok());
    let mut other = g.clone();
    other.unit_mut(a).did.fresh = false;
    assert!(act(&mut other, "3A", &charge()).is_err_and(|why| why.contains("16.A")));
    ride(&mut g, "9C", "1509");
    assert!(act(&mut g.clone(), "9C", &charge()).is_err(), "infantry does not");
    let mut run = moving(&g, Side::Us).start();
    assert!(run.try_say("3a charge 1611").is_err(), "it has to move");
    let climb = g.charts.level[hex(&g, "1610")] - g.charts.level[hex(&g, "1609")];
    assert!(climb <= 1);
    run.say("3a charge 1611 1610").say("done");
    let mut end = run.over();
    assert_eq!(end.unit(a).did.charge, Some(hex(&end, "1611")));
    // The charge is resolved in the Melee Phase without an order; then the unit is Disrupted.
    end.doctrine[1].before = BeforeWill::Stand;
    let trial = Trial::new(end, |t, mut g| async move {
        melee::phase(&t, &mut g).await;
        g
    });
    let mut run = trial.dice("melee", [3]).start();
    run.say("done");
    let end = run.over();
    assert!(end.unit(a).disrupted || end.unit(a).routed);
    assert!(end.unit(h).did.fought);
}

/// A charge without an order is one attack, even if the defenders hold.
///
/// rosebud-creek 16.A, 10.B
#[test]
fn a_charger_attacks_once() {
    let mut g = bare();
    g.phasing = Side::Us;
    quiet(&mut g);
    let (a, at) = (ride(&mut g, "3A", "1610"), hex(&g, "1611"));
    let h = foot(&mut g, "H1", "1611");
    g.unit_mut(a).did.charge = Some(at);
    let battle = melee::reckon(&g, &[a], at);
    let holds = |&die: &i64| battle.result(&g, die)[1].to_string() == "-";
    let die = (1..=6).find(holds).expect("a die without effect on the defenders");
    let trial = Trial::new(g, |t, mut g| async move {
        melee::phase(&t, &mut g).await;
        g
    });
    let mut run = trial.dice("melee", [die]).start();
    run.say("done");
    let end = run.over();
    assert_eq!((end.hex(h), end.unit(a).did.fought, end.unit(a).did.charge), (Some(at), true, None));
}

/// rosebud-creek 16.A, 9.D
#[test]
fn a_charge_on_foot_is_none() {
    let mut g = bare();
    let a = ride(&mut g, "3A", "1710");
    g.unit_mut(a).did.charge = Some(hex(&g, "1709"));
    let trial = Trial::new(g, move |t, mut g| async move {
        mode::dismount(&t, &mut g, a);
        g
    });
    assert_eq!(trial.start().over().unit(a).did.charge, None);
}

/// rosebud-creek 16.A, 10.H
#[test]
fn a_pursuit_is_no_charge() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Indian, About::BeforeMelee, "odds 1");
    let a = ride(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1711");
    g.unit_mut(a).did.charge = Some(hex(&g, "1711"));
    let mut run = fighting(&g, Side::Us).dice("retreat before melee", [6]).dice("melee", [6]).start();
    run.say("melee 1711 with 3a");
    let (told, now) = (run.story().join(" "), run.over());
    assert!(told.contains("pursues") && told.contains("6 to 6, odds 1-1"), "{told}");
    assert!(!now.unit(a).disrupted && now.unit(a).did.charge.is_none());
    // If the defenders stand, it has the bonus and is Disrupted.
    says(&mut g, Side::Indian, About::BeforeMelee, "stand");
    let mut run = fighting(&g, Side::Us).dice("melee", [5]).start();
    run.say("melee 1711 with 3a");
    assert!(run.story().join(" ").contains("9 to 6, odds 3-2") && run.over().unit(a).disrupted);
}

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
    let mut run = fighting(&g, Side::Us).dice("melee", [die]).start();
    run.say("melee 1611 with 3a no advance");
    let story = run.story().join(" ");
    assert!(story.contains("The charge of") && story.contains("6 to 6, odds 1-1"), "{story}");
    assert!(!run.over().unit(a).disrupted);
}

/// rosebud-creek 16.A, 7.K
#[test]
fn a_charger_whose_target_scatters_goes_elsewhere() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Indian, About::Scatter, "strength 1");
    let a = ride(&mut g, "3A", "1609");
    ride(&mut g, "H1", "1611");
    let mut run = moving(&g, Side::Us).start();
    run.say("3a charge 1611 1610");
    let now = run.now();
    assert!(at(&now, "H1") != "1611" && at(&now, "3A") == "1610");
    assert_eq!((now.unit(a).did.charge, run.try_say("3a: 1609")), (None, Ok(())));
}

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
}

/// A charging unit adjacent to its target must attack it: it cannot use Advance Fire into another
/// hex, and no unit in its hex may attack another hex.
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
    assert!(aim::check(&g, &[Mover::Unit(a)], "H2").is_err_and(|why| why.rule == "16.A"));
    let attack = |g: &State, said: &str| fighting(g, Side::Us).dice("melee", [3]).start().try_say(said);
    let assault = melee::Assault { side: Side::Us };
    assert!(assault.may(&g, e, hex(&g, "1609")).is_err_and(|why| why.rule == "16.A"));
    assert!(attack(&g, "melee 1609 with 3e").is_err());
    assert_eq!(attack(&g, "melee 1611 with 3a 3e"), Ok(()));
    // Two charges from one hex must have the same target.
    let (from, to) = (hex(&g, "1710"), hex(&g, "1610"));
    g.unit_mut(e).did.charge = g.hex(h);
    assert_eq!(charge::ends(&g, e, &[from, to], false).map_err(|why| why.rule), Err("10.B"));
    g.unit_mut(e).did.charge = Some(hex(&g, "1611"));
    let from = hex(&g, "1609");
    assert_eq!(charge::ends(&g, e, &[from, to], false).map_err(|why| why.why), Ok(()));
}

/// rosebud-creek 16.A, 10.A
#[test]
fn what_frees_a_charger_of_its_target() {
    type Change = fn(&mut State);
    let cases: [(&str, Change, bool); 6] = [
        ("as it is", |_| (), true),
        ("Pinned", |g| g.unit_mut(unit(&bare(), "3A")).pinned = true, false),
        ("Routed", |g| g.unit_mut(unit(&bare(), "3A")).routed = true, false),
        ("it has fought", |g| g.unit_mut(unit(&bare(), "3A")).did.fought = true, false),
        ("away", |g| _ = ride(g, "3A", "1708"), false),
        ("nobody holds the target", |g| g.put(unit(&bare(), "H1"), super::super::state::Spot::Dead), false),
    ];
    for (what, change, bound) in cases {
        let mut g = bare();
        let a = ride(&mut g, "3A", "1610");
        foot(&mut g, "H1", "1611");
        let target = hex(&g, "1611");
        g.unit_mut(a).did.charge = Some(target);
        change(&mut g);
        assert_eq!(charge::binds(&g, a), bound.then_some(target), "{what}");
    }
}

/// A charge climbs one level in all, also if it was stopped and goes on by another order.
///
/// rosebud-creek 16.A, 7.A
#[test]
fn a_charge_that_goes_on_climbs_no_second_level() {
    let mut g = bare();
    quiet(&mut g);
    g.phasing = Side::Us;
    let (grid, level) = (g.charts.grid.clone(), |at: Hex| g.charts.level[at]);
    let flat = |a: Hex, b: Hex| g.ground(b).name() == "Clear" && g.charts.between(a, b).is_none();
    let next = |way: &[Hex], up: i32| {
        let (first, last) = (way[0], way[way.len() - 1]);
        let on = |&to: &Hex| grid.distance(first, to) == way.len() as u16 && level(to) == level(last) + up;
        grid.neighbours(last).find(|to| on(to) && flat(last, *to))
    };
    // Two steps, each one level up, and the target behind them.
    let rise = |start: Hex| {
        let mut way = vec![start];
        for up in [1, 1, 0] {
            way.push(next(&way, up)?);
        }
        Some(way)
    };
    let way: Vec<String> = grid.hexes().find_map(rise).expect("a slope").iter().map(|&at| g.id(at)).collect();
    let a = ride(&mut g, "3A", &way[0]);
    foot(&mut g, "H1", &way[3]);
    act(&mut g, "3A", &Act::Charge { hex: way[3].clone() }).expect("it charges");
    act(&mut g, "3A", &Act::Go { hex: way[1].clone() }).expect("one level up");
    let said = format!("3a: {}", way[2]);
    assert!(moving(&g, Side::Us).start().try_say(&said).is_err_and(|why| why.contains("16.A")));
    // Its second level may be its first one of the charge.
    g.unit_mut(a).did = super::super::state::Doings { fresh: true, ..Default::default() };
    act(&mut g, "3A", &Act::Charge { hex: way[3].clone() }).expect("it charges");
    assert_eq!(moving(&g, Side::Us).start().try_say(&said), Ok(()));
}

/// A charging unit must attack, and so uses no Opportunity Fire at others before its melee.
///
/// rosebud-creek 16.A, 10.B, 9.F
#[test]
fn a_charger_keeps_its_fire_for_its_melee() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Indian, About::BeforeMelee, "odds 1");
    says(&mut g, Side::Us, About::OpportunityFire, "yes");
    let (a, at) = (ride(&mut g, "3A", "1610"), hex(&g, "1611"));
    let stays = foot(&mut g, "H1", "1611");
    let goes = foot(&mut g, "H2", "1510");
    g.unit_mut(goes).losses = 3;
    foot(&mut g, "3E", "1410");
    assert!(["1611", "1510"].iter().all(|id| g.charts.grid.adjacent(hex(&g, "1610"), hex(&g, id))));
    assert!(g.charts.grid.adjacent(hex(&g, "1410"), hex(&g, "1510")));
    g.unit_mut(a).did.charge = Some(at);
    let trial = fighting(&g, Side::Us).dice("retreat before melee", [6, 1]).dice("melee", [3]);
    let mut run = trial.start();
    run.say("melee 1510 with 3e").say("done");
    let (story, end) = (run.story().join(" "), run.over());
    assert!(end.hex(goes) != Some(hex(&end, "1510")) && !story.contains("Opportunity Fire"), "{story}");
    assert!(end.unit(a).did.fought && end.unit(stays).did.fought, "{story}");
    // Retreat Fire bars nobody from melee.
    says(&mut g, Side::Us, About::RetreatFire, "yes");
    (g.phase, g.phasing) = (Phase::Melee, Side::Us);
    let trial = Trial::new(g, move |t, mut g| async move {
        reaction::retreat_fire(&t, &mut g, goes).await;
        g
    });
    let end = trial.dice("fire", [1, 3, 1, 3]).start().over();
    let assault = melee::Assault { side: Side::Us };
    assert!(end.unit(a).did.reacted && assault.may(&end, a, at).is_ok());
}
