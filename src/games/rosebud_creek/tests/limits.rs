//! Exceptions and limits that no other test would catch.

use super::super::{
    State, ammo, charge,
    components::{Outcome, Side},
    doctrine::{About, Doctrine, FireWill, Will},
    fire::{self, Target, Volley},
    leaders, melee, mode,
    movement::{self, Gait, Mover},
    order::Act,
    reaction, rout, sight,
    state::{Mode, Phase, Spot, Unit, Volume, Wound},
    testing::*,
    variant::Variant,
    village, volley,
};

fn fired_at(g: &State, who: &str, phase: Phase) -> Trial {
    let u = unit(g, who);
    Trial::new(State { phase, ..g.clone() }, move |t, mut g| async move {
        reaction::opportunity(&t, &mut g, &[u]).await;
        g
    })
}

/// rosebud-creek 9.F, 10.B
#[test]
fn who_has_fought_fires_in_the_movement_phase_only() {
    let mut g = bare();
    g.doctrine[0] = Doctrine { opportunity: FireWill::Yes, ..Doctrine::default() };
    let a = foot(&mut g, "3A", "1710");
    ride(&mut g, "H1", "1709");
    g.unit_mut(a).did.fought = true;
    assert!(!fired_at(&g, "H1", Phase::Melee).start().over().unit(a).did.reacted);
    let run = fired_at(&g, "H1", Phase::Movement).dice("fire", [1, 2]).start();
    assert!(run.over().unit(a).did.reacted);
}

/// A doctrine to fire at a chance of 25 % fires at 9 of 36 dice and not at 8; one for cavalry fires
/// at nobody else, and `no` never.
///
/// rosebud-creek 9.F
#[test]
fn doctrines_of_fire_have_exact_limits() {
    let mut g = bare();
    let (h, a, c) = (foot(&mut g, "H1", "1709"), foot(&mut g, "3A", "1710"), foot(&mut g, "9C", "1710"));
    for id in ["3E", "3I", "3M"] {
        foot(&mut g, id, "1710");
    }
    let full = Volley::Defensive(Volume::Full);
    let losses = u32::from(fire::chances(&g, h, Target::Unit(a), full).1);
    let least = (losses * 100 / 36) as u8;
    assert!(losses > 0, "some dice hit");
    let wants = |will: FireWill, at| will.wants(&g, h, at, full);
    assert!(wants(FireWill::Chance(least), a) && !wants(FireWill::Chance(least + 1), a));
    assert_eq!([a, c].map(|at| wants(FireWill::Cavalry, at)), [true, false]);
    assert_eq!([FireWill::Yes, FireWill::No].map(|will| wants(will, a)), [true, false]);
}

/// rosebud-creek 7.A, 8.A, 9.F
#[test]
fn who_is_dismounted_on_the_way_stops_or_goes_on() {
    for (resume, end) in [(Will::No, "1710"), (Will::Yes, "1711")] {
        let mut g = bare();
        quiet(&mut g);
        g.doctrine[0].resume = resume;
        g.doctrine[1].opportunity = FireWill::Yes;
        let a = ride(&mut g, "3A", "1710");
        foot(&mut g, "H1", "1709");
        let check = dice_for(&g, "H1", "3A", Volley::Opportunity(Volume::Full), Outcome::Mc);
        // 4 Pins: a mounted US unit dismounts instead.
        let mut run = moving(&g, Side::Us).dice("fire", check).dice("morale", [2, 2]).start();
        run.say("3a to 1711").say("done");
        let now = run.over();
        assert_eq!((at(&now, "3A"), now.unit(a).mode, now.unit(a).pinned), (end.to_owned(), Mode::Dismounted, false));
    }
}

/// rosebud-creek 9.B
#[test]
fn one_point_at_long_range_is_a_check() {
    for (from, lost) in [("1709", 1), ("1708", 0)] {
        let mut g = bare();
        g.phase = Phase::Defensive;
        let (a, h) = (foot(&mut g, "3A", "1710"), foot(&mut g, "H1", from));
        for id in ["H2", "H3"] {
            foot(&mut g, id, from);
        }
        let full = Volley::Defensive(Volume::Full);
        let drm = fire::modifiers(&g, a, Target::Unit(h)).total();
        let least = fire::thresholds(&g, a, hex(&g, from), full).expect("it can hit")[2];
        let sum = i64::from(least - drm);
        assert!((6..=12).contains(&sum), "{sum}");
        let run = Trial::new(g, move |t, mut g| async move {
            fire::shoot(&t, &mut g, a, Target::Unit(h), full).await;
            g
        })
        .dice("fire", [sum / 2, sum - sum / 2])
        .dice("morale", [6, 6])
        .start();
        assert_eq!(run.over().unit(h).losses, lost, "{from}");
    }
}

/// rosebud-creek 9.A, 3.I
#[test]
fn only_a_lone_enemy_leader_is_a_target() {
    let mut g = bare();
    let mills = lead(&mut g, "Mills", "1710");
    g.chief_mut(mills).with = None;
    let at = hex(&g, "1710");
    let is = |g: &State, side: Side, hex| fire::is_target(g, hex, side, Target::Leader(mills));
    assert_eq!([Side::Us, Side::Indian].map(|side| is(&g, side, at)), [true, false]);
    assert!(!is(&g, Side::Us, hex(&g, "1711")), "he is elsewhere");
    foot(&mut g, "3AH", "1710");
    assert!(!is(&g, Side::Us, at), "with any unit he is not");
}

/// rosebud-creek 9.C
#[test]
fn more_than_one_point_blocks_the_line() {
    let mut g = bare();
    // Three hexes of one level in a row, without woods.
    let row = |n: u16| [n, n + 1, n + 2].map(|n| hex(&g, &format!("16{n:02}")));
    let flat = |three: &[_; 3]| {
        let level = three.map(|at| g.charts.level[at]);
        level == [level[0]; 3] && sight::sees(&g, three[0], three[2])
    };
    let [from, at, to] = (3..18).map(row).find(flat).expect("level ground");
    let a = unit(&g, "3A");
    g.put(a, Spot::On(at));
    g.unit_mut(a).mode = Mode::Dismounted;
    assert!(!sight::sees(&g, from, to));
    g.unit_mut(a).losses = g.cf(a) - 2;
    assert!(!sight::sees(&g, from, to), "two points");
    g.unit_mut(a).losses += 1;
    assert!(sight::sees(&g, from, to), "one point");
    g.unit_mut(a).losses = 0;
    g.unit_mut(a).mode = Mode::Prone;
    assert!(sight::sees(&g, from, to), "Prone");
}

/// rosebud-creek 10.C, 12.D, 11
#[test]
fn a_unit_that_is_gone_is_in_no_state() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    let unit = g.unit_mut(a);
    (unit.disrupted, unit.pinned, unit.routed) = (true, true, true);
    let trial = Trial::new(g, move |t, mut g| async move {
        fire::eliminate(&t, &mut g, a);
        g
    });
    let end = trial.start().over();
    let gone = end.unit(a);
    assert_eq!((gone.spot, gone.disrupted, gone.pinned, gone.routed), (Spot::Dead, false, false, false));
}

/// rosebud-creek 10.C, 12.D
#[test]
fn losses_of_a_melee_go_to_those_who_are_left() {
    let mut g = bare();
    quiet(&mut g);
    // Two units of one point attack four, and a die of 1 costs them two points.
    let (a, e) = (foot(&mut g, "3A", "1611"), foot(&mut g, "3E", "1611"));
    let whole = [a, e].map(|u| g.unit(u).losses);
    for u in [a, e] {
        g.unit_mut(u).losses = g.cf(u) - 1;
    }
    let mills = lead(&mut g, "Mills", "1611");
    for id in ["H1", "H2", "H3", "H4"] {
        foot(&mut g, id, "1610");
    }
    lead(&mut g, "Crazy Horse", "1610");
    assert_eq!(melee::reckon(&g, &[a, e], hex(&g, "1610")).result(&g, 1).map(|score| score.lost), [2, 0]);
    let mut run = fighting(&g, Side::Us).dice("melee", [1]).start();
    run.say("melee 1610 with 3a 3e no advance");
    let now = run.now();
    assert_eq!([a, e].map(|u| now.unit(u).spot), [Spot::Dead; 2]);
    assert_eq!((now.losses, now.chief(mills).spot), ([2, 0], Spot::Dead));
    // Whole units only lose points, and he is checked.
    (g.unit_mut(a).losses, g.unit_mut(e).losses) = (whole[0], whole[1]);
    let mut run = fighting(&g, Side::Us).dice("melee", [1]).dice("leader loss", [5, 5]).start();
    run.say("melee 1610 with 3a 3e no advance");
    let told = run.story();
    assert_eq!(told.iter().filter(|line| line.starts_with("Mills is checked for loss")).count(), 1, "{told:?}");
    assert_eq!((run.now().losses, run.now().chief(mills).spot == Spot::Dead), ([2, 0], false));
}

/// rosebud-creek 10.H, 16.B
#[test]
fn holders_left_behind_lose_their_horses() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Us, About::BeforeMelee, "ask");
    foot(&mut g, "3A", "1611");
    let h = foot(&mut g, "3AH", "1611");
    foot(&mut g, "H1", "1610");
    let mut run = fighting(&g, Side::Indian)
        .dice("retreat before melee", [6])
        .dice("melee", [3])
        .dice("lost horses", [6])
        .start();
    run.say("melee 1611 with h1 no advance").say("3a");
    let mut words = run.words();
    while !run.asked().is_empty() && words.iter().any(|word| word == "stand" || word.contains("hex")) {
        let said = words.iter().find(|word| *word == "stand").unwrap_or(&words[0]).clone();
        run.say(&said);
        words = if run.asked().is_empty() { Vec::new() } else { run.words() };
    }
    let now = run.now();
    assert!(now.unit(h).mountless || now.unit(h).spot == Spot::Dead, "{:?}", now.unit(h));
}

/// rosebud-creek 12.D, 12.D.6
#[test]
fn each_leader_is_replaced_once() {
    let after = |wounds: &[&str], killed: bool| {
        let mut g = bare();
        foot(&mut g, "3A", "1710");
        let mills = lead(&mut g, "Mills", "1710");
        let loss = (2..=12).find(|&sum| g.charts.leader_loss.at(sum) == "wounded").expect("a wound");
        let die = |wound: &str| (1..=6).find(|&die| g.charts.wound.at(die) == wound).expect("a wound");
        let losses = wounds.iter().flat_map(|_| [i64::from(loss / 2), i64::from(loss - loss / 2)]);
        let dice = wounds.iter().map(|wound| i64::from(die(wound)));
        let mortal = wounds.iter().filter(|wound| **wound == "mortal").map(|_| 6);
        let times = wounds.len();
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            (0..times).for_each(|_| leaders::check(&t, &mut g, mills));
            if killed {
                leaders::kill(&t, &mut g, mills);
            }
            g
        });
        trial.dice("leader loss", losses).dice("wound", dice).dice("mortal wound", mortal).start().over()
    };
    let rows: [(&[&str], bool, u8); 6] = [
        (&["moderate"], false, 0),
        (&["moderate"], true, 1),
        (&["severe"], false, 1),
        (&["severe"], true, 1),
        (&["moderate", "severe"], false, 1),
        (&["severe", "mortal"], true, 1),
    ];
    for (wounds, killed, due) in rows {
        assert_eq!(after(wounds, killed).lieutenants_due, due, "{wounds:?} {killed}");
    }
}

/// rosebud-creek 12.D
#[test]
fn a_severe_wound_slows_the_units_of_its_hex() {
    let mut g = bare();
    let (a, e, far) = (foot(&mut g, "3A", "1710"), foot(&mut g, "3E", "1710"), foot(&mut g, "3I", "1712"));
    let h = foot(&mut g, "H1", "1709");
    let mps = |g: &State| [a, e, far, h].map(|u| movement::allowance(g, u, Mode::Dismounted));
    let whole = mps(&g);
    let mills = lead(&mut g, "Mills", "1710");
    g.chief_mut(mills).wound = Wound::Severe;
    assert_eq!(mps(&g), [whole[0] / 2, whole[1] / 2, whole[2], whole[3]]);
}

/// rosebud-creek 7.B, 7.I
#[test]
fn a_path_costs_what_its_steps_cost() {
    let mut g = bare();
    let h = ride(&mut g, "H1", "1710");
    let to = hex(&g, "1711");
    let of = |g: &State| movement::cost(g, Side::Indian, Gait::Mounted, hex(g, "1710"), to);
    let reached = |g: &State| movement::reach(g, Mover::Unit(h)).and_then(|reach| reach.cost(to));
    let free = of(&g).expect("open");
    assert_eq!(reached(&g), Some(free));
    foot(&mut g, "3A", "1709");
    assert_eq!((of(&g), reached(&g)), (Some(free + 1), Some(free + 1)));
}

/// rosebud-creek 8.D
#[test]
fn a_holder_is_off_the_map_while_its_unit_rides() {
    let mut g = bare();
    let (a, h) = (foot(&mut g, "3A", "1710"), foot(&mut g, "3AH", "1710"));
    assert!(mode::mount(&mut g, a) && !mode::mount(&mut g, a), "it mounts once");
    let at = hex(&g, "1710");
    assert_eq!((g.unit(h).spot, g.here(at).collect::<Vec<_>>()), (Spot::Pool, vec![a]));
}

/// Neither a Routed or Pinned unit nor one that re-supplies gives or takes boxes, and none gives
/// more than it has left.
///
/// rosebud-creek 14.G
#[test]
fn who_may_cross_level() {
    type Spoil = fn(&mut Unit);
    let mut g = bare_with(Variant { ammo_roster: true, ..Variant::default() });
    let (a, e) = (foot(&mut g, "3A", "1710"), foot(&mut g, "3E", "1711"));
    g.unit_mut(a).used = 8;
    assert_eq!([0, 1, 4, 5].map(|boxes| ammo::may_cross_level(&g, e, a, boxes).is_ok()), [false, true, true, false]);
    let spoils: [Spoil; 3] = [|unit| unit.routed = true, |unit| unit.pinned = true, |unit| unit.did.resupply = true];
    for spoil in spoils {
        for u in [a, e] {
            let mut g = g.clone();
            spoil(g.unit_mut(u));
            assert!(ammo::may_cross_level(&g, e, a, 1).is_err(), "{u:?}");
        }
    }
    // Three half boxes are one box.
    g.unit_mut(e).used = g.c[e].boxes * 2 - 3;
    assert_eq!([1, 2].map(|boxes| ammo::may_cross_level(&g, e, a, boxes).is_ok()), [true, false]);
}

/// Returns five companies and Mills in a row of the map, in the US Movement Phase.
fn column_in(row: &str) -> State {
    let mut g = bare();
    (g.phase, g.phasing) = (Phase::Movement, Side::Us);
    for (id, column) in ["3A", "3E", "3I", "3M", "3B"].into_iter().zip(["20", "20", "21", "21", "22"]) {
        ride(&mut g, id, &format!("{column}{row}"));
    }
    lead(&mut g, "Mills", &format!("21{row}"));
    g
}

/// rosebud-creek 16.E
#[test]
fn the_search_counts_two_rows_and_comes_once() {
    let may = |g: &State| village::may_search(g, Side::Us).is_ok();
    assert_eq!(["00", "01", "02"].map(|row| may(&column_in(row))), [true, true, false]);
    for every_turn in [false, true] {
        let mut g = column_in("00");
        g.variant.village_every_turn = every_turn;
        let rule = |t, mut g| async move {
            village::search(&t, &mut g).await;
            g
        };
        let end = Trial::new(g, rule).dice("village", [1]).start().over();
        assert!(!may(&end) && end.vps == [2, 0], "{every_turn}");
        assert_eq!(may(&moving(&end, Side::Us).start().now()), every_turn, "in the next phase");
    }
}

/// rosebud-creek 10.J
#[test]
fn a_leader_shelters_others() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    let at = hex(&g, "1610");
    assert!(!rout::is_location(&g, a, at), "clear and empty");
    let gall = lead(&mut g, "Gall", "1610");
    assert!(!rout::is_location(&g, a, at), "an Indian");
    g.chief_mut(gall).spot = Spot::Pool;
    let mills = lead(&mut g, "Mills", "1610");
    assert!(rout::is_location(&g, a, at));
    g.chief_mut(mills).with = Some(a);
    assert!(!rout::is_location(&g, a, at), "its own");
    g.chief_mut(mills).spot = Spot::Pool;
    foot(&mut g, "3E", "1610");
    assert!(rout::is_location(&g, a, at), "a unit");
}

/// rosebud-creek 4.B, 4.E
#[test]
fn advance_fire_has_one_strength() {
    let mut g = bare();
    quiet(&mut g);
    let (a, h) = (foot(&mut g, "3A", "1710"), foot(&mut g, "H1", "1709"));
    let may = |volley, half| volley::Fires::phase(Side::Us, volley).may(&g, a, Target::Unit(h), half).is_ok();
    assert_eq!([false, true].map(|half| may(Volley::Advance, half)), [true, false]);
    assert_eq!([false, true].map(|half| may(Volley::Offensive(Volume::Full), half)), [true, true]);
    assert_eq!([false, true].map(|half| may(Volley::Defensive(Volume::Full), half)), [true, false]);
}

/// rosebud-creek 7.J, 10.J
#[test]
fn an_order_may_lead_an_indian_rout_off_the_map() {
    let mut g = bare();
    quiet(&mut g);
    g.phasing = Side::Indian;
    let h = foot(&mut g, "H1", "1701");
    foot(&mut g, "3A", "1703");
    (g.unit_mut(h).routed, g.unit_mut(h).rout_from) = (true, Some(hex(&g, "1701")));
    says(&mut g, Side::Indian, About::FallBack, "1700");
    let mut run = moving(&g, Side::Indian).start();
    assert_eq!(at(&run.now(), "H1"), "1700", "it stops where it may");
    let left = run.say("rout h1").now();
    assert_eq!((left.unit(h).spot, left.vps), (Spot::Off, g.vps));
}

/// A Leader who leaves the map is with no unit; a mounted unit pays one MP for leaving, one on foot
/// two, and each one more in an enemy ZOC.
///
/// rosebud-creek 7.J, 7.I
#[test]
fn who_leaves_the_map() {
    let mut g = bare();
    foot(&mut g, "H1", "1720");
    let gall = lead(&mut g, "Gall", "1720");
    let mut left = g.clone();
    movement::act(&mut left, Mover::Leader(gall), &Act::Exit {}).expect("he leaves");
    assert_eq!((left.chief(gall).spot, left.chief(gall).with), (Spot::Off, None));
    let spent = |mode: Mode, enemy: bool| {
        let mut g = g.clone();
        let h = unit(&g, "H1");
        g.unit_mut(h).mode = mode;
        if enemy {
            foot(&mut g, "3A", "1719");
        }
        movement::act(&mut g, Mover::Unit(h), &Act::Exit {}).expect("it leaves");
        (g.unit(h).did.spent, g.unit(h).spot)
    };
    for (mode, mps) in [(Mode::Mounted, 1), (Mode::Dismounted, 2)] {
        assert_eq!([false, true].map(|enemy| spent(mode, enemy)), [(mps, Spot::Off), (mps + 1, Spot::Off)], "{mode:?}");
    }
}

/// rosebud-creek 16.A
#[test]
fn a_charge_is_declared_before_anything_is_spent() {
    let mut g = bare();
    g.phasing = Side::Us;
    let a = ride(&mut g, "3A", "1609");
    foot(&mut g, "H1", "1611");
    let declare = |g: &State, hex: &str| {
        let act = Act::Charge { hex: hex.to_owned() };
        movement::act(&mut g.clone(), Mover::Unit(a), &act).is_ok()
    };
    assert_eq!([declare(&g, "1611"), declare(&g, "1612")], [true, false], "at an enemy");
    type Spoil = fn(&mut Unit);
    let spoils: [Spoil; 4] = [
        |unit| unit.did.spent = 1,
        |unit| unit.disrupted = true,
        |unit| unit.mode = Mode::Dismounted,
        |unit| unit.did.fresh = false,
    ];
    for (nth, spoil) in spoils.into_iter().enumerate() {
        let mut g = g.clone();
        spoil(g.unit_mut(a));
        assert!(!declare(&g, "1611"), "{nth}");
    }
}

/// rosebud-creek 16.A
#[test]
fn a_charge_ends_beside_its_target() {
    let mut g = bare();
    g.phasing = Side::Us;
    let a = ride(&mut g, "3A", "1608");
    foot(&mut g, "H1", "1611");
    g.unit_mut(a).did.charge = Some(hex(&g, "1611"));
    let ends = |way: &[&str], begun: bool| {
        let way: Vec<_> = way.iter().map(|id| hex(&g, id)).collect();
        charge::ends(&g, a, &way, begun).is_ok()
    };
    assert_eq!([ends(&["1609", "1610"], false), ends(&["1608", "1609"], false)], [true, false]);
    assert_eq!([ends(&["1610"], false), ends(&["1610"], true)], [false, true]);
    assert!(!ends(&["1610", "1510"], false), "it has gone away");
}

/// rosebud-creek 10.A, 12.D
#[test]
fn a_lone_enemy_leader_can_be_attacked() {
    let mut g = bare();
    foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1610");
    for (name, at) in [("Gall", "1709"), ("Mills", "1711")] {
        let l = lead(&mut g, name, at);
        g.chief_mut(l).with = None;
    }
    let targets = |side: Side| -> Vec<String> {
        let targets = melee::Assault { side }.targets(&g);
        let mut all: Vec<String> = targets.into_iter().map(|(at, _)| g.id(at)).collect();
        all.sort();
        all
    };
    let near = |a: &str, b: &str| g.charts.grid.adjacent(hex(&g, a), hex(&g, b));
    assert!(near("1710", "1610") && near("1710", "1709") && near("1710", "1711"));
    assert_eq!(targets(Side::Us), ["1610", "1709"]);
    let at_mills = near("1610", "1711");
    assert_eq!(targets(Side::Indian), if at_mills { vec!["1710", "1711"] } else { vec!["1710"] });
}

/// rosebud-creek 8.D, 11, 16.B
#[test]
fn the_last_point_lets_its_horses_go() {
    for (act, mode, die, vps) in [
        ("dismount", Mode::Dismounted, 1, [0, 1]),
        ("dismount", Mode::Dismounted, 6, [0, 0]),
        ("prone", Mode::Prone, 1, [0, 1]),
    ] {
        let mut g = bare();
        quiet(&mut g);
        let a = ride(&mut g, "3A", "1710");
        g.unit_mut(a).losses = g.cf(a) - 1;
        let mut run = moving(&g, Side::Us).dice("lost horses", [die]).start();
        run.say(&format!("3a {act}"));
        let now = run.now();
        assert_eq!((now.unit(a).mode, now.cf(a), now.vps), (mode, 1, vps));
        assert_eq!(now.unit(unit(&now, "3AH")).spot, Spot::Pool);
    }
}

/// A unit that is already Routed does not become Disrupted as well.
///
/// rosebud-creek 10.J, 13.A
#[test]
fn who_is_routed_is_not_disrupted_anew() {
    for (routed, disrupted) in [(false, true), (true, false)] {
        let mut g = bare();
        let a = foot(&mut g, "3A", "1710");
        g.unit_mut(a).routed = routed;
        let trial = Trial::new(g, move |t, mut g| async move {
            crate::morale::disrupt(&t, &mut g, a);
            g
        });
        let mut run = trial.start();
        assert_eq!((run.over().unit(a).disrupted, run.story().len()), (disrupted, usize::from(disrupted)), "{routed}");
    }
}
