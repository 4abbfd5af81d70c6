//! Movement and modes (7, 8).

use super::super::{
    State,
    components::{Outcome, Side},
    doctrine::{Doctrine, FireWill},
    fire, mode,
    movement::{self, Gait, Mover},
    order::Act,
    retreat,
    state::{Mode, Phase, Spot, Volume, Wound},
    testing::*,
    volley::Fires,
};

fn go(id: &str) -> Act {
    Act::Go { hex: id.to_owned() }
}

fn act(g: &mut State, who: &str, act: &Act) -> Result<u16, String> {
    let mover = Mover::Unit(unit(g, who));
    movement::act(g, mover, act).map(|()| movement::left(g, mover)).map_err(|why| why.to_string())
}

/// Clear terrain costs 1 mounted and 2 dismounted, woods 2, each level up 1, and creeks their own
/// cost.
///
/// rosebud-creek 7, 7.B, 8.B
#[test]
fn steps_cost_by_terrain_height_and_creek() {
    let g = bare();
    let cost = |a: &str, b: &str, rides| movement::cost(&g, Side::Us, Gait::of(rides), hex(&g, a), hex(&g, b));
    let level = |id: &str| g.charts.level[hex(&g, id)];
    assert_eq!([level("1710"), level("1711")], [2, 2]);
    assert_eq!([cost("1710", "1711", true), cost("1710", "1711", false)], [Some(1), Some(2)]);
    // 4312 to 4213: two levels up across a dry creek; back only the creek.
    assert_eq!([cost("4312", "4213", true), cost("4312", "4213", false)], [Some(4), Some(5)]);
    assert_eq!(cost("4213", "4312", true), Some(2));
    // Rosebud Creek, downhill: 2 more.
    assert_eq!([level("2912"), level("2913")], [1, 2]);
    assert_eq!([cost("2913", "2912", true), cost("2913", "2912", false)], [Some(3), Some(4)]);
    assert_eq!(cost("2814", "2815", true), None, "a cliff");
    let woods =
        g.charts.grid.hexes().find(|&hex| g.c.terrains[g.ground(hex).index()].name == "Light Woods").expect("woods");
    assert_eq!([true, false].map(|rides| movement::terrain_cost(&g, woods, Gait::of(rides))), [2, 2]);
}

/// rosebud-creek 7.A, 7.C, 4.C
#[test]
fn moves_are_step_by_step_within_the_allowance() {
    let mut g = bare();
    ride(&mut g, "3A", "1710");
    ride(&mut g, "3E", "1711");
    ride(&mut g, "H1", "1510");
    assert!(act(&mut g.clone(), "3A", &go("1712")).is_err_and(|why| why.contains("not be skipped")));
    assert_eq!(act(&mut g, "3A", &go("1711")), Ok(5), "through a friend");
    assert_eq!(act(&mut g, "3A", &go("1710")), Ok(4));
    let from = hex(&g, "1610");
    let u = unit(&g, "3A");
    g.put(u, Spot::On(from));
    assert!(act(&mut g.clone(), "3A", &go("1510")).is_err_and(|why| why.contains("enemy unit")));
    g.unit_mut(u).did.spent = 6;
    assert!(act(&mut g, "3A", &go("1710")).is_err_and(|why| why.contains("0 left in")));
}

/// rosebud-creek 7.D, 4.B
#[test]
fn a_minimum_move_takes_all() {
    let mut g = bare();
    // On foot 4213 costs 5 MPs uphill, and a company has 4.
    let a = foot(&mut g, "3A", "4312");
    let mut other = g.clone();
    assert_eq!(act(&mut g, "3A", &go("4213")), Ok(0));
    assert!(act(&mut g, "3A", &Act::Prone {}).is_err(), "nothing else");
    other.unit_mut(a).did.spent = 1;
    assert!(act(&mut other, "3A", &go("4213")).is_err_and(|why| why.contains("takes 5")));
    other.unit_mut(a).did.spent = 0;
    other.unit_mut(a).did.fired = Some(Volume::Half);
    assert_eq!(movement::allowance(&other, a, Mode::Dismounted), 2, "half of it, rounded down");
    assert_eq!(act(&mut other.clone(), "3A", &go("4213")), Ok(0));
    other.unit_mut(a).did.fired = Some(Volume::Full);
    assert!(act(&mut other, "3A", &go("4313")).is_err_and(|why| why.contains("4.B")));
}

/// rosebud-creek 7.E, 13.B, 8.D
#[test]
fn disruption_is_recovered_from_by_two_mps() {
    let mut g = bare();
    let a = ride(&mut g, "3A", "1710");
    g.unit_mut(a).disrupted = true;
    assert!(act(&mut g, "3A", &Act::Dismount {}).is_err_and(|why| why.contains("Disrupted")));
    assert_eq!(act(&mut g, "3A", &Act::Recover {}), Ok(4));
    assert!(!g.unit(a).disrupted && act(&mut g, "3A", &Act::Recover {}).is_err());
}

/// rosebud-creek 7.F, 8.C, 3.A
#[test]
fn prone_units_crawl() {
    let mut g = bare();
    let a = put(&mut g, "3A", "1710", Mode::Prone);
    assert!(act(&mut g.clone(), "3A", &go("1711")).is_err_and(|why| why.contains("Prone")));
    let crawl = || Act::Crawl { hex: "1711".to_owned() };
    let mut spent = g.clone();
    spent.unit_mut(a).did.spent = 1;
    assert!(act(&mut spent, "3A", &crawl()).is_err_and(|why| why.contains("7.F")));
    // A Leader of another unit who is named goes along.
    let mut led = g.clone();
    foot(&mut led, "3AH", "1710");
    let mills = lead(&mut led, "Mills", "1710");
    led.chief_mut(mills).with = Some(unit(&led, "3AH"));
    let mut run = moving(&led, Side::Us).start();
    run.say("mills 3a: crawl 1711");
    let end = run.now();
    assert_eq!((end.chief(mills).spot, end.chief(mills).with), (end.unit(a).spot, Some(a)));
    assert_eq!(act(&mut g, "3A", &crawl()), Ok(0));
    assert_eq!((at(&g, "3A"), g.unit(a).mode), ("1711".to_owned(), Mode::Prone));
}

/// The example of the rulebook: the Holder spent 2, the unit 2 and 1 to mount; of the 3 MPs left
/// half is lost, and 1.5 is rounded to 1.
///
/// rosebud-creek 8.D, 8.A, 3.L
#[test]
fn mounting_costs_what_the_holder_has_spent() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    let h = foot(&mut g, "3AH", "1711");
    g.unit_mut(h).did.spent = 2;
    assert_eq!(act(&mut g, "3A", &go("1711")), Ok(2));
    assert_eq!(g.cf(a), 5);
    assert_eq!(act(&mut g, "3A", &Act::Mount {}), Ok(1));
    assert_eq!((g.unit(a).mode, g.cf(a), g.unit(h).spot), (Mode::Mounted, 6, Spot::Pool));
}

/// Dismounting deploys a Holder and costs a point, except for Scouts and Indians; MPs spent count
/// against the new allowance; a unit with one point abandons its horses.
///
/// rosebud-creek 8, 8.D, 11, 16.B
#[test]
fn dismounting_puts_down_a_holder() {
    let mut g = bare();
    let a = ride(&mut g, "3A", "1710");
    let h = unit(&g, "3AH");
    assert_eq!(act(&mut g, "3A", &Act::Dismount {}), Ok(3), "4 on foot, 1 spent");
    assert_eq!((g.cf(a), at(&g, "3AH")), (5, "1710".to_owned()));
    assert_eq!(movement::left(&g, Mover::Unit(h)), 4, "the Holder moves fully");
    // Mounted units may go Prone directly.
    let b = ride(&mut g, "3B", "2010");
    assert_eq!(act(&mut g, "3B", &Act::Prone {}), Ok(3));
    assert_eq!((g.unit(b).mode, at(&g, "3BH")), (Mode::Prone, "2010".to_owned()));
    let c = ride(&mut g, "3M", "1410");
    g.unit_mut(c).losses = 5;
    let left = mode::put_down(&mut g, c);
    assert_eq!((left, g.cf(c), at(&g, "3MH")), (false, 1, "-".to_owned()));
    let s = ride(&mut g, "OLD", "1610");
    assert_eq!(act(&mut g, "OLD", &Act::Dismount {}), Ok(3));
    assert_eq!(g.cf(s), 6);
    // Infantry and Miners use mules, warriors ponies; 6.E prohibits a fifth Pony Holder here.
    ride(&mut g, "9C", "1810");
    assert!(act(&mut g, "9C", &Act::Dismount {}).is_ok());
    assert_eq!(at(&g, "9CH"), "1810");
    let h1 = ride(&mut g, "H1", "2210");
    assert!(act(&mut g, "H1", &Act::Dismount {}).is_ok());
    assert_eq!((g.cf(h1), at(&g, "H1H")), (6, "2210".to_owned()));
    // Trains and Holders cannot change mode.
    foot(&mut g, "PTA", "2410");
    assert!(act(&mut g, "PTA", &Act::Mount {}).is_err_and(|why| why.contains("on foot")));
}

/// rosebud-creek 7.I, 5, 12.B
#[test]
fn leaving_a_zoc_costs_one_more() {
    let mut g = bare();
    ride(&mut g, "3A", "1710");
    lead(&mut g, "Mills", "1710");
    let cost = |g: &State| movement::cost(g, Side::Us, Gait::Mounted, hex(g, "1710"), hex(g, "1711"));
    assert_eq!(cost(&g), Some(1));
    ride(&mut g, "H1", "1709");
    assert_eq!(cost(&g), Some(2));
    ride(&mut g, "3E", "1710");
    assert_eq!(cost(&g), Some(2));
    let mills = Mover::Leader(leader(&g, "Mills"));
    assert_eq!(movement::left(&g, mills), 8);
    movement::act(&mut g, mills, &go("1711")).expect("he may go alone");
    assert_eq!(movement::left(&g, mills), 6);
}

/// rosebud-creek 9.F, 7.A, 7.I, 4.C
#[test]
fn opportunity_fire_comes_before_the_step() {
    let mut g = bare();
    foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    g.doctrine[1] = Doctrine { opportunity: FireWill::Yes, ..Doctrine::default() };
    // 6 at half strength is 3: column 2, letter B; density -1. Dice of 10 give an MC (at 9, less
    // 1), and a morale roll of 4 Pins.
    let mut run = moving(&g, Side::Us).dice("fire", [5, 5]).dice("morale", [2, 2]).start();
    run.say("3a 1711");
    // No unit can move any more, so the phase ends.
    let end = run.over();
    assert_eq!((at(&end, "3A"), end.unit(unit(&end, "3A")).pinned), ("1710".to_owned(), true));
    assert!(end.unit(unit(&end, "H1")).did.reacted);
    // 9.F: another unit that stays negates the ZOC; a unit that has fired does not fire again.
    foot(&mut g, "3E", "1710");
    let mut run = moving(&g, Side::Us).start();
    run.say("3a 1711").say("done");
    assert_eq!(at(&run.over(), "3A"), "1711");
    // If a whole stack leaves, each firer fires once at one of its units.
    let mut run = moving(&g, Side::Us).dice("fire", [1, 1]).start();
    run.say("3a 3e 1711");
    assert!(run.story().iter().any(|line| line.contains("strength 3 (Opportunity Fire)")), "half strength");
    run.say("done");
    assert_eq!([at(&run.over(), "3A"), at(&run.over(), "3E")], ["1711", "1711"]);
    // Leaders who move alone draw no fire.
    lead(&mut g, "Mills", "1710");
    let mut run = moving(&g, Side::Us).start();
    run.say("mills alone 1711").say("done");
    assert_eq!(run.over().chief(leader(&run.over(), "Mills")).spot, Spot::On(hex(&run.over(), "1711")));
}

/// rosebud-creek 9.F
#[test]
fn opportunity_fire_is_open_again_in_a_new_phase() {
    let mut g = bare();
    foot(&mut g, "3A", "1710");
    foot(&mut g, "3E", "1808");
    let h = foot(&mut g, "H1", "1709");
    g.doctrine[1] = Doctrine { opportunity: FireWill::Yes, ..Doctrine::default() };
    g.unit_mut(h).did.reacted = true;
    let mut run = moving(&g, Side::Us).dice("fire", [1, 1]).start();
    run.say("3a 1711");
    assert!(run.now().unit(h).did.reacted);
    run.say("3e 1908").say("done");
    let shots = run.story().iter().filter(|line| line.contains("(Opportunity Fire)")).count();
    assert_eq!((shots, at(&run.over(), "3E")), (1, "1908".to_owned()));
}

/// rosebud-creek 9.F, 7.A, 9.D
#[test]
fn opportunity_fire_may_end_a_move() {
    let mut g = bare();
    let a = ride(&mut g, "3A", "1710");
    let foe = foot(&mut g, "H1", "1709");
    g.doctrine[1] = Doctrine { opportunity: FireWill::Yes, ..Doctrine::default() };
    let check = dice_for(&g, "H1", "3A", fire::Volley::Opportunity(Volume::Full), Outcome::Mc);
    let mut seen = [0; 2];
    for morale in 2..=12 {
        let trial = moving(&g, Side::Us).dice("fire", check).dice("morale", [morale / 2, morale - morale / 2]);
        let mut run = trial.any_dice([1; 4]).start();
        run.say("3a 1711 1712 1713");
        let now = run.now();
        let unit = now.unit(a);
        let sound = !unit.pinned && !unit.routed && unit.mode == Mode::Mounted;
        let arrived = at(&now, "3A") == "1713";
        // Nothing but a failed check that only Disrupts lets it go on.
        let told = run.story().join("\n");
        let driven = told.contains("falls back") || told.contains("Routs");
        assert_eq!(arrived, sound && !driven, "{morale}: {told}");
        assert!(now.unit(foe).did.reacted);
        seen[usize::from(arrived)] += 1;
    }
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
}

/// rosebud-creek 7.J
#[test]
fn leaving_the_map_scores_for_the_enemy() {
    let mut g = bare();
    let a = ride(&mut g, "3A", "1720");
    ride(&mut g, "3E", "1719");
    let mut inner = g.clone();
    assert!(act(&mut inner, "3E", &Act::Exit {}).is_err_and(|why| why.contains("edge")));
    let mut run = moving(&g, Side::Us).start();
    run.say("3a exit").say("done");
    let end = run.over();
    assert_eq!((end.unit(a).spot, end.vps), (Spot::Off, [0, 6]));
}

/// rosebud-creek 4.C, 7.H, 10.J
#[test]
fn routed_units_move_first() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    g.unit_mut(a).routed = true;
    g.unit_mut(a).rout_from = Some(hex(&g, "1710"));
    ride(&mut g, "H1", "1708");
    foot(&mut g, "3E", "1716");
    ride(&mut g, "3I", "2010");
    let mut run = moving(&g, Side::Us).start();
    assert_ne!(at(&run.now(), "3A"), "1710", "before anything is asked");
    assert!(run.try_say("3a dismount").is_err_and(|why| why.contains("Routed")));
    run.say("3i 2009, dismount, prone").say("done");
    let end = run.over();
    assert_eq!((at(&end, "3I"), end.unit(unit(&end, "3I")).mode), ("2009".to_owned(), Mode::Prone));
    assert_eq!(end.phase, Phase::Movement);
}

/// rosebud-creek 7.A, 9.F
#[test]
fn who_is_pushed_back_may_go_on() {
    let mut g = bare();
    g.phase = Phase::Movement;
    g.phasing = Side::Us;
    let a = ride(&mut g, "3A", "1710");
    let foe = foot(&mut g, "H1", "1709");
    let cause = fire::Cause { from: hex(&g, "1709"), foe, volley: Some(fire::Volley::Opportunity(Volume::Full)) };
    let trial = Trial::new(g, move |t, mut g| async move {
        retreat::fall_back(&t, &mut g, a, 1, cause).await;
        g
    });
    let end = trial.start().over();
    assert_ne!(at(&end, "3A"), "1710");
    assert_eq!(movement::barred(&end, Mover::Unit(a)), Ok(()));
}

/// rosebud-creek 12.D
#[test]
fn a_severe_wound_slows_the_stack() {
    let mut g = bare();
    let (a, b) = (ride(&mut g, "3A", "1710"), ride(&mut g, "3E", "1710"));
    let l = lead(&mut g, "Royall", "1710");
    g.chief_mut(l).wound = Wound::Severe;
    assert_eq!([a, b].map(|u| movement::allowance(&g, u, Mode::Mounted)), [3, 3]);
}

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
    // It has spent three of its six MPs to come here.
    assert_eq!(go(&g, 3, None), 3);
    // One that has spent a single MP is not slowed either.
    assert_eq!(go(&g, 1, None), 5);
    // It begins here: three MPs in all, even after leaving him.
    assert_eq!(go(&g, 0, None), 3);
    assert_eq!(go(&g, 0, Some("1712")), 1);
}

/// Units that leave voluntarily are casualties, with 2 VPs each from the 14th Indian one; a train
/// is lost with its ammunition.
///
/// rosebud-creek 7.J, 15.D, 16.F
#[test]
fn who_leaves_is_lost() {
    let mut g = bare();
    ride(&mut g, "H1", "1720");
    ride(&mut g, "H2", "1719");
    g.losses[1] = 12;
    let leaves = |g: &State, side: Side, said: &str| {
        let mut run = moving(g, side).start();
        run.say(said).say("done");
        let end = run.over();
        (end.vps, end.losses)
    };
    assert_eq!(leaves(&g, Side::Indian, "h1 exit"), ([1 + 5 * 2, 0], [0, 18]));
    let mut g = bare();
    foot(&mut g, "PTA", "1720");
    ride(&mut g, "3E", "1719");
    assert_eq!(leaves(&g, Side::Us, "pta exit"), ([0, 6 + 5 + 6], [6, 0]));
}

/// rosebud-creek 6, 7.A
#[test]
fn room_is_looked_at_when_all_have_moved() {
    let mut g = bare();
    quiet(&mut g);
    for id in ["3A", "3E", "3I", "3M"] {
        ride(&mut g, id, "1710");
    }
    ride(&mut g, "3B", "1711");
    let said = |g: &State, words: &str| {
        let mut run = moving(g, Side::Us).start();
        let done = run.try_say(words);
        let now = run.now();
        done.map(|()| ["3A", "3B", "3E"].map(|id| at(&now, id)))
    };
    let both = "3b: 1710 also 3a: 1611";
    assert_eq!(said(&g, both), Ok(["1611", "1710", "1710"].map(str::to_owned)));
    assert_eq!(said(&g, "3a: 1611 also 3b: 1710"), Ok(["1611", "1710", "1710"].map(str::to_owned)));
    assert!(said(&g, "3b: 1710").is_err_and(|why| why.contains("`also`")));
    assert!(said(&g, "3b: 1710 also 3a: 1611 > 1710").is_err());
    // No group, including a later one, may end over the limit.
    assert!(said(&g, "3a: 1611 also 3b: 1710 also 3a: 1710").is_err());
}

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
    assert_eq!(said(&g, "3b: 1710, dismount, 1711 also hq: 1611"), Ok(()));
}

/// A Holder that is taken up and put down again is still the one that has fired and moved.
///
/// rosebud-creek 4.E, 8.D, 7.C
#[test]
fn a_holder_put_down_again_has_done_what_it_did() {
    let mut g = bare();
    g.phasing = Side::Us;
    let a = foot(&mut g, "3A", "1710");
    let h = foot(&mut g, "3AH", "1710");
    foot(&mut g, "H1", "1709");
    g.unit_mut(h).did.fired = Some(Volume::Full);
    let fires = |g: &State| {
        let fires = Fires::phase(Side::Us, fire::Volley::Advance);
        fires.may(g, h, fire::Target::Unit(unit(g, "H1")), false).is_ok()
    };
    assert!(!fires(&g));
    for mode in [Act::Mount {}, Act::Dismount {}] {
        assert!(act(&mut g, "3A", &mode).is_ok());
    }
    assert_eq!((at(&g, "3AH"), g.unit(a).mode), ("1710".to_owned(), Mode::Dismounted));
    assert!(!fires(&g), "it has used Offensive Fire");
    assert!(act(&mut g, "3AH", &go("1711")).is_err_and(|why| why.contains("4.B")));
    // One that has moved has only the rest of its MPs.
    let mut g = bare();
    foot(&mut g, "3A", "1710");
    foot(&mut g, "3AH", "1710");
    g.unit_mut(h).did.spent = 2;
    for mode in [Act::Mount {}, Act::Dismount {}] {
        assert!(act(&mut g, "3A", &mode).is_ok());
    }
    assert_eq!((at(&g, "3AH"), movement::left(&g, Mover::Unit(h))), ("1710".to_owned(), 2));
    // In the next Player Turn it is free again.
    g.fresh_turn();
    assert_eq!(movement::left(&g, Mover::Unit(h)), 4);
}
