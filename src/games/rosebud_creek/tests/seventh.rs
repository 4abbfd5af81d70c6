//! What version 7 of the rules does otherwise: what another whole reading of the rulebook found.

use super::{
    super::{
        State, ammo,
        components::Side,
        doctrine::About,
        duties, entry, fire, leaders, morale,
        movement::{self, Mover},
        order::Act,
        rally, scatter,
        state::{Mode, Phase, Spot, Volume, Wound},
        testing::*,
        variant::Variant,
        volley::Fires,
    },
    sixth::moving,
    third::{far, quiet, says},
};

/// The same position in a game of version 6.
fn old(g: &State) -> State {
    let mut g = g.clone();
    g.variant.version = 6;
    g
}

/// The Rally Phase of a side.
fn rallying(g: &State, side: Side) -> Trial {
    let mut g = g.clone();
    g.phasing = side;
    Trial::new(g, |t, mut g| async move {
        rally::phase(&t, &mut g).await;
        g
    })
}

/// What the rules demand of the US at the end of its movement.
fn dutiful(g: &State) -> State {
    let mut g = g.clone();
    (g.phasing, g.phase) = (Side::Us, Phase::Movement);
    let trial = Trial::new(g, |t, mut g| async move {
        duties::fulfil(&t, &mut g);
        g
    });
    trial.start().over()
}

/// Who is Routed already goes on in the Movement Phase, under Opportunity Fire, and not in the Rally Phase.
///
/// rosebud-creek 9.F, 10.J, 13.B
#[test]
fn routed_units_flee_in_the_movement_phase() {
    let mut g = bare();
    quiet(&mut g);
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "3E", "1910");
    foot(&mut g, "H1", "1707");
    g.unit_mut(a).routed = true;
    let mut run = rallying(&g, Side::Us).dice("rally", [1]).start();
    run.say("rally all");
    assert!(run.refused("rout 3a").contains("it goes on in the Movement Phase"));
    // Who is not Routed may.
    run.say("rout 3e").say("done");
    assert!(run.over().unit(unit(&g, "3E")).routed);
    let mut run = rallying(&old(&g), Side::Us).dice("rally", [1]).start();
    run.say("rally all").say("rout 3a");
}

/// A Rout that has ended where it may goes on by an order, as far as its four or eight hexes.
///
/// rosebud-creek 10.J
#[test]
fn a_rout_goes_on_by_an_order() {
    let mut g = bare();
    quiet(&mut g);
    let a = ride(&mut g, "3A", "1915");
    foot(&mut g, "H1", "1914");
    (g.unit_mut(a).routed, g.unit_mut(a).rout_from) = (true, Some(hex(&g, "2110")));
    // Somebody else moves, so that both versions ask.
    ride(&mut g, "3E", "2318");
    let mut run = moving(&g, Side::Us).start();
    let stopped = run.now().hex(a).expect("on the map");
    let taken = run.now().unit(a).did.spent;
    assert!((1..8).contains(&taken), "{taken}");
    assert!(run.words().contains(&"rout 3a".to_owned()), "{:?}", run.words());
    run.check_options(20);
    run.say("rout 3a");
    let now = run.now().clone();
    assert!(now.hex(a) != Some(stopped) && far(&now, "3A", &now.id(stopped)) <= 8 - taken);
    // It goes on once.
    assert!(run.refused("rout 3a").contains("10.J.1") && !super::super::rout::may_go_on(&now, a));
    let mut run = moving(&old(&g), Side::Us).start();
    assert!(run.refused("rout 3a").contains("10.J.1"));
}

/// A Scout who Routs of his own will is home at a Rally Location, and is not driven on to the next one.
///
/// rosebud-creek 10.J
#[test]
fn a_scout_stops_at_a_rally_location() {
    let mut g = bare();
    quiet(&mut g);
    let scout = ride(&mut g, "OLD", "1915");
    foot(&mut g, "3A", "1918");
    let end = |g: &State| {
        let mut run = rallying(g, Side::Us).start();
        run.say("rout old").say("done");
        run.over()
    };
    let (new, before) = (end(&g), end(&old(&g)));
    assert!(super::super::rout::is_location(&new, scout, new.hex(scout).expect("on the map")));
    let steps = |g: &State| far(g, "OLD", "1915");
    assert!(steps(&new) < 8 && new.hex(scout) != before.hex(scout), "{} {}", at(&new, "OLD"), at(&before, "OLD"));
}

/// Holders that are left in the hex of an entry need room there.
///
/// rosebud-creek 6.E, 18.1
#[test]
fn pony_holders_need_room_where_they_enter() {
    let both = |version| {
        let mut g = game(Variant { version, ..Variant::default() });
        (g.turn, g.phasing, g.phase) = (1, Side::Indian, Phase::Movement);
        quiet(&mut g);
        let mut run = moving(&g, Side::Indian).start();
        run.say("h1-h4: dismount, 2400 > 2401");
        run.try_say("c1-c4: dismount, 2400 > 2300").err()
    };
    assert!(both(7).is_some_and(|why| why.contains('6')), "eight Holders in one hex");
    assert_eq!(both(6), None);
}

/// Who waits to enter is Mounted or Dismounted, and goes Prone on the map.
///
/// rosebud-creek 18.1
#[test]
fn nobody_enters_prone() {
    let g = game(Variant { version: 7, ..Variant::default() });
    let h = Mover::Unit(unit(&g, "H5"));
    assert!(entry::waiting(&g).contains(&unit(&g, "H5")));
    let prone = |g: &State| movement::act(&mut g.clone(), h, &Act::Prone {});
    assert!(prone(&g).is_err_and(|why| why.rule == "18.1") && prone(&old(&g)).is_ok());
}

/// The HQ gets up for nothing and follows Crook; a company that lies Prone too far from the Eagle's Nest gets up and goes back.
///
/// rosebud-creek 12.E, 16.D
#[test]
fn who_lies_prone_gets_up_for_a_duty() {
    let mut g = bare();
    let hq = ride(&mut g, "HQ", "2018");
    lead(&mut g, "Crook", "3018");
    movement::act(&mut g, Mover::Unit(hq), &Act::Prone {}).expect("free");
    let lag = |g: &State| far(g, "HQ", "3018");
    let (new, before) = (dutiful(&g), dutiful(&old(&g)));
    assert!(lag(&new) < lag(&g) && new.unit(hq).mode != Mode::Prone);
    assert_eq!((lag(&before), before.unit(hq).mode), (lag(&g), Mode::Prone));
    // Within his radius it lies where it is.
    let mut near = g.clone();
    lead(&mut near, "Crook", "2019");
    assert_eq!(dutiful(&near).unit(hq).mode, Mode::Prone);
    let mut g = bare();
    foot(&mut g, "3G", "3015");
    let c = put(&mut g, "3C", "3316", Mode::Prone);
    let (new, before) = (dutiful(&g), dutiful(&old(&g)));
    assert!(far(&new, "3C", "2815") < far(&g, "3C", "2815") && new.unit(c).mode == Mode::Dismounted);
    assert_eq!((at(&before, "3C"), before.unit(c).mode), ("3316".to_owned(), Mode::Prone));
}

/// Van Vliet too goes back toward the Eagle's Nest where he is by himself.
///
/// rosebud-creek 16.D
#[test]
fn van_vliet_goes_back_to_the_eagles_nest() {
    let mut g = bare();
    foot(&mut g, "3C", "3015");
    foot(&mut g, "3G", "3015");
    lead(&mut g, "Van Vliet", "3316");
    let lag = |g: &State| {
        let l = leader(g, "Van Vliet");
        g.charts.grid.distance(g.chief(l).spot.hex().expect("on the map"), g.charts.eagles_nest)
    };
    assert!(lag(&g) > 3 && lag(&dutiful(&g)) <= 3);
    assert_eq!(lag(&dutiful(&old(&g))), lag(&g));
}

/// Who is Pinned as it Scatters is Routed, no longer Pinned, and so are its Leaders.
///
/// rosebud-creek 7.K, 10.J
#[test]
fn who_is_pinned_as_it_scatters_is_routed() {
    let mut g = bare();
    quiet(&mut g);
    let h = foot(&mut g, "H1", "1710");
    foot(&mut g, "3A", "1711");
    (g.phase, g.phasing) = (Phase::Movement, Side::Us);
    let ends = |g: &State| {
        let mut g = g.clone();
        // As fire on its way would leave it.
        g.unit_mut(h).pinned = true;
        let trial = Trial::new(g, move |t, mut g| async move {
            let at = g.hex(h).expect("on the map");
            scatter::ends_there(&t, &mut g, h, at).await;
            g
        });
        let end = trial.start().over();
        (end.unit(h).routed, end.unit(h).pinned)
    };
    assert_eq!((ends(&g), ends(&old(&g))), ((true, false), (true, true)));
}

/// A Leader whose unit Routs may join a Holder of the hex, if his player is asked.
///
/// rosebud-creek 10.J, 12.A
#[test]
fn a_leader_may_stay_with_a_holder() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Us, About::Leaders, "ask");
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "3AH", "1710");
    let mills = lead(&mut g, "Mills", "1710");
    g.chief_mut(mills).with = Some(a);
    let parts = |g: &State| {
        let mut g = g.clone();
        g.phasing = Side::Us;
        Trial::new(g, move |t, mut g| async move {
            let hex = g.hex(a).expect("on the map");
            leaders::part(&t, &mut g, a, hex).await;
            g
        })
    };
    let mut run = parts(&g).start();
    run.check_options(5);
    run.say("3ah");
    assert_eq!(run.over().chief(mills).with, Some(unit(&g, "3AH")));
    assert_eq!(parts(&old(&g)).start().over().chief(mills).with, Some(a));
    // By doctrine he goes along.
    says(&mut g, Side::Us, About::Leaders, "yes");
    assert_eq!(parts(&g).start().over().chief(mills).with, Some(a));
}

/// A unit that cross-levels gives to several, as a train does.
///
/// rosebud-creek 14.G
#[test]
fn one_unit_gives_to_several() {
    let mut g = bare_with(Variant { version: 7, ammo_roster: true, ..Variant::default() });
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
    // Both spend their turn on it: neither fires in the Offensive Fire Phase, and the giver is given nothing.
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
    assert!(second(&old(&g)).is_err());
    // Who was given something gives nothing on.
    assert!(ammo::may_cross_level(&end, a, c, 1).is_err());
}

/// Without Crook no order takes the HQ anywhere but nearer to the closest US unit, Leader or train.
///
/// rosebud-creek 12.E
#[test]
fn the_hq_goes_to_the_others_without_crook() {
    let mut g = bare();
    quiet(&mut g);
    ride(&mut g, "HQ", "2018");
    foot(&mut g, "3A", "2618");
    let crook = lead(&mut g, "Crook", "2618");
    g.chief_mut(crook).spot = Spot::Dead;
    let to = |g: &State, id: &str| moving(g, Side::Us).start().try_say(&format!("hq: to {id}")).err();
    assert!(to(&g, "1718").is_some_and(|why| why.contains("12.E.5")));
    assert_eq!((to(&g, "2218"), to(&old(&g), "1718")), (None, None));
    // Badly wounded he commands nobody either, and is himself a goal.
    let mut hurt = g.clone();
    (hurt.chief_mut(crook).spot, hurt.chief_mut(crook).wound) = (Spot::On(hex(&g, "2618")), Wound::Mortal);
    assert!(to(&hurt, "1718").is_some_and(|why| why.contains("12.E.5")));
}

/// The staff of a Pinned HQ goes on to command.
///
/// rosebud-creek 12.E
#[test]
fn the_staff_is_always_active() {
    let mut g = bare();
    quiet(&mut g);
    let hq = foot(&mut g, "HQ", "1710");
    let h = foot(&mut g, "H1", "1709");
    let staff = g.charts.staff.expect("the HQ has a staff");
    g.chief_mut(staff).spot = g.unit(hq).spot;
    g.chief_mut(staff).with = Some(hq);
    let pinned = |g: &State| {
        let cause = fire::Cause { from: hex(g, "1709"), foe: h, volley: None };
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            morale::pin(&t, &mut g, hq, cause).await;
            g
        });
        let end = trial.start().over();
        (end.unit(hq).pinned, leaders::is_pinned(&end, staff), leaders::radius(&end, staff).is_some())
    };
    assert_eq!((pinned(&g), pinned(&old(&g))), ((true, false, true), (true, true, false)));
}
