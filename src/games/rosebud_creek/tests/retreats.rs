//! Retreats (10.I), Retreat Fire (9.G).

use super::super::{
    State,
    components::{Outcome, Side, UnitId},
    doctrine::{About, Doctrine, FireWill},
    fire, melee, reaction, retreat,
    state::{Mode, Phase, Spot, Volume},
    testing::*,
};
use postrider_table::Seat;

fn cause(g: &State, foe: &str) -> fire::Cause {
    let foe = unit(g, foe);
    fire::Cause { from: g.hex(foe).expect("on the map"), foe, volley: Some(fire::Volley::Advance) }
}

fn falling(g: &State, who: &str, foe: &str, hexes: u16) -> Trial {
    let (u, cause) = (unit(g, who), cause(g, foe));
    let mut g = g.clone();
    g.phase = Phase::Defensive;
    Trial::new(g, move |t, mut g| async move {
        retreat::fall_back(&t, &mut g, u, hexes, cause).await;
        g
    })
}

/// Each hex is farther from the enemy, not adjacent to it, and outside ZOCs if possible; no MPs or
/// terrain costs apply.
///
/// rosebud-creek 10.I, 7.G, 8.C
#[test]
fn retreats_lead_away() {
    let mut g = bare();
    foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    let end = falling(&g, "3A", "H1", 1).start().over();
    assert_eq!(far(&end, "3A", "1709"), 2);
    let end = falling(&g, "3A", "H1", 2).start().over();
    assert_eq!(far(&end, "3A", "1709"), 3);
    // A Prone unit becomes Dismounted.
    let a = unit(&g, "3A");
    g.unit_mut(a).mode = Mode::Prone;
    assert_eq!(falling(&g, "3A", "H1", 1).start().over().unit(a).mode, Mode::Dismounted);
    // The owner chooses the way: toward a hex.
    g.doctrine[0] = g.doctrine[0].with(About::FallBack, "2010", &g.charts.grid).expect("a doctrine");
    let end = falling(&g, "3A", "H1", 2).start().over();
    assert!(far(&end, "3A", "2010") < 3);
    // If asked, the owner chooses among equally good hexes.
    g.doctrine[0] = g.doctrine[0].with(About::FallBack, "ask", &g.charts.grid).expect("a doctrine");
    let mut run = falling(&g, "3A", "H1", 1).start();
    assert_eq!(run.asked(), [(Seat(0), "retreat-way")]);
    run.check_options(3);
    let first = run.words()[0].clone();
    run.say(&first);
    assert_eq!(at(&run.over(), "3A"), first);
}

/// rosebud-creek 10.I, 5
#[test]
fn hexes_of_leaders_or_pony_holders_rank_as_they_are() {
    // 3A at 1710 retreats from 1709; two of its three hexes are in the ZOC of a warrior unit beyond
    // them.
    let mut g = bare();
    foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    let free = open(&g, "3A", "H1", "1710");
    assert_eq!(free.len(), 3, "{free:?}");
    lead(&mut g, "Gall", &free[0]);
    assert_eq!(open(&g, "3A", "H1", "1710"), free, "a Leader alone bars nothing and has no ZOC");
    foot(&mut g, "H2H", &free[1]);
    assert_eq!(open(&g, "3A", "H1", "1710"), [free[0].clone(), free[2].clone()], "Pony Holders have theirs in the hex");
    g.doctrine[0] = g.doctrine[0].with(About::FallBack, &free[0], &g.charts.grid).expect("a doctrine");
    let end = falling(&g, "3A", "H1", 1).start().over();
    assert_eq!((at(&end, "3A"), end.chief(leader(&g, "Gall")).spot), (free[0].clone(), Spot::Dead));
}

/// Without a legal hex the unit stays; with all hexes blocked it is eliminated; off the map it
/// scores nothing.
///
/// rosebud-creek 10.I, 7.J
#[test]
fn where_retreats_end() {
    // In a corner.
    let mut g = bare();
    foot(&mut g, "3A", "1120");
    foot(&mut g, "H1", "1119");
    let end = falling(&g, "3A", "H1", 1).start().over();
    assert!(end.vps == [0, 0] && end.unit(unit(&end, "3A")).spot != Spot::Dead);
    let mut g = bare();
    g.doctrine[1] = Doctrine { retreat: FireWill::No, ..Doctrine::default() };
    foot(&mut g, "3A", "1710");
    for (id, at) in
        ["H1", "H2", "H3", "H4", "H5", "H6"].into_iter().zip(["1709", "1810", "1811", "1711", "1611", "1610"])
    {
        foot(&mut g, id, at);
    }
    let near: Vec<String> = g.charts.grid.neighbours(hex(&g, "1710")).map(|at| g.id(at)).collect();
    assert!(near.iter().all(|id| g.here(hex(&g, id)).next().is_some()), "{near:?}");
    let end = falling(&g, "3A", "H1", 1).start().over();
    assert_eq!((end.unit(unit(&end, "3A")).spot, end.losses, end.vps), (Spot::Dead, [5, 0], [0, 5]));
}

/// rosebud-creek 10.I, 6
#[test]
fn full_hexes_are_passed() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    let full = ["1711", "1611", "1811"].map(|id| hex(&g, id));
    let ids = ["2A", "2B", "2D", "2E", "2I", "3E", "3I", "3M", "3B", "3D", "3F", "3L", "3C", "3G"];
    for (i, id) in ids.into_iter().enumerate() {
        let to = full[i % 3];
        let u = unit(&g, id);
        g.put(u, Spot::On(to));
    }
    for (id, at) in [("9C", 0), ("9G", 0), ("9H", 1), ("4D", 1), ("4F", 2), ("MIN", 2)] {
        let u = unit(&g, id);
        g.put(u, Spot::On(full[at]));
    }
    assert!(full.iter().all(|&hex| g.stacked(hex) > 20));
    let end = falling(&g, "3A", "H1", 1).start().over();
    assert!(end.hex(a).is_some_and(|at| !full.contains(&at) && end.stacked(at) <= 25));
    assert!(end.units.iter().any(|unit| unit.disrupted), "those who are passed");
}

/// A unit forced into an enemy ZOC is fired at with full strength each time, once per firer and
/// phase. A friendly unit in the hex prevents it, and in the Movement Phase only Routing units draw
/// it.
///
/// rosebud-creek 9.G, 5
#[test]
fn retreat_fire() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    // Every path leads into the ZOC of one of these: the first hex only into that of H4, the second
    // into those of H3 and H4.
    for (id, at) in [("H2", "1911"), ("H3", "1511"), ("H4", "1712")] {
        foot(&mut g, id, at);
    }
    g.doctrine[0] = g.doctrine[0].with(About::FallBack, "1612", &g.charts.grid).expect("a doctrine");
    g.doctrine[1] = Doctrine { retreat: FireWill::Yes, opportunity: FireWill::No, ..Doctrine::default() };
    let fired = |run: &mut Running| -> Vec<String> {
        let told = run.story().into_iter();
        told.filter_map(|line| Some(line.strip_prefix("Retreat Fire: ")?.split(" (Retreat Fire)").next()?.to_owned()))
            .collect()
    };
    let dice = |shots: usize| [1, 2].into_iter().cycle().take(2 * shots);
    for (hexes, shots) in [
        (1, vec!["Rain in the Face (H3) at Lawson (3A) in 1611, strength 6"]),
        (
            2,
            vec![
                "Rain in the Face (H3) at Lawson (3A) in 1611, strength 6",
                "Lone Bull (H4) at Lawson (3A) in 1612, strength 6",
            ],
        ),
    ] {
        let mut run = falling(&g, "3A", "H1", hexes).dice("fire", dice(shots.len())).start();
        run.over();
        assert_eq!(fired(&mut run), shots);
    }
    // By doctrine no unit fires.
    let mut still = g.clone();
    still.doctrine[1].retreat = FireWill::No;
    let mut run = falling(&still, "3A", "H1", 2).start();
    run.over();
    assert!(fired(&mut run).is_empty());
    // A friendly unit there negates the ZOC; a Leader does not.
    let mut calm = g.clone();
    lead(&mut calm, "Mills", "1611");
    let mut run = falling(&calm, "3A", "H1", 1).dice("fire", dice(1)).start();
    run.over();
    assert_eq!(fired(&mut run).len(), 1);
    foot(&mut calm, "3E", "1611");
    let mut run = falling(&calm, "3A", "H1", 1).start();
    assert_eq!(at(&run.over(), "3A"), "1611");
    assert!(fired(&mut run).is_empty());
    // In the Movement Phase only a Routing unit draws fire.
    for (routed, shots) in [(false, 0), (true, 1)] {
        let mut g = g.clone();
        g.phase = Phase::Movement;
        g.unit_mut(a).routed = routed;
        let cause = cause(&g, "H1");
        let trial = Trial::new(g, move |t, mut g| async move {
            retreat::fall_back(&t, &mut g, a, 1, cause).await;
            g
        });
        let mut run = trial.dice("fire", dice(shots)).start();
        run.over();
        assert_eq!(fired(&mut run).len(), shots, "{routed}");
    }
}

/// Retreat Fire at a Routed unit: a Casualty Point causes no check and no new Rout; of an MC result
/// only Pinned counts.
///
/// rosebud-creek 9.G, 10.J
#[test]
fn retreat_fire_at_who_routs() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    // Fifteen stacking points in the hex.
    for id in ["3E", "3I"] {
        foot(&mut g, id, "1710");
    }
    g.unit_mut(a).routed = true;
    g.phase = Phase::Defensive;
    let volley = fire::Volley::Retreat(Volume::Full);
    let hit = |outcome: Outcome, morale: &[i64]| {
        let dice = dice_for(&g, "H1", "3A", volley, outcome);
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            reaction::retreat_fire(&t, &mut g, a).await;
            g
        });
        let end = trial.dice("fire", dice).dice("morale", morale.iter().copied()).start().over();
        let unit = end.unit(a);
        (at(&end, "3A"), unit.losses, unit.pinned, unit.disrupted)
    };
    let there = |losses, pinned| ("1710".to_owned(), losses, pinned, false);
    assert_eq!(hit(Outcome::One, &[]), there(1, false), "no check");
    // 9 - 2, 8 - 2 and 7 - 2 would Disrupt or cause a Retreat, 5 - 2 a Rout, none of which counts;
    // 6 - 2 Pins.
    for (sum, pinned) in [(9, false), (8, false), (7, false), (5, false), (6, true)] {
        assert_eq!(hit(Outcome::Mc, &[sum / 2, sum - sum / 2]), there(0, pinned), "{sum}");
    }
    // Any other fire makes it Rout again.
    let full = fire::Volley::Defensive(Volume::Full);
    let other = dice_for(&g, "H1", "3A", full, Outcome::One);
    let h = unit(&g, "H1");
    let trial = Trial::new(g.clone(), move |t, mut g| async move {
        fire::shoot(&t, &mut g, h, fire::Target::Unit(a), full).await;
        g
    });
    let end = trial.dice("fire", other).start().over();
    assert_eq!((end.unit(a).losses, end.charts.grid.distance(end.hex(a).expect("there"), hex(&end, "1710"))), (1, 2));
}

/// rosebud-creek 10.I
#[test]
fn who_passes_through_a_full_hex_disrupts() {
    let mut g = bare();
    quiet(&mut g);
    let a = ride(&mut g, "3A", "1710");
    let foe = foot(&mut g, "H1", "1709");
    let full = ["2A", "2B", "2D", "2E"].map(|id| ride(&mut g, id, "1711"));
    says(&mut g, Side::Us, About::FallBack, "ask");
    let end = |g: &State| {
        let cause = fire::Cause { from: hex(g, "1709"), foe, volley: Some(fire::Volley::Advance) };
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            retreat::fall_back(&t, &mut g, a, 2, cause).await;
            g
        });
        let mut run = trial.start();
        run.say("1711").say("1712");
        let end = run.over();
        (at(&end, "3A"), full.iter().filter(|&&u| end.unit(u).disrupted).count())
    };
    assert_eq!(end(&g), ("1712".to_owned(), 1));
    g.put(full[3], Spot::Pool);
    assert_eq!(end(&g), ("1712".to_owned(), 0), "24 Combat Factors");
}

fn open(g: &State, who: &str, foe: &str, from: &str) -> Vec<String> {
    let (u, foe) = (unit(g, who), unit(g, foe));
    let enemy = g.hex(foe).expect("on the map");
    let steps = retreat::steps(g, u, hex(g, from), enemy, &[foe]);
    steps
        .into_iter()
        .filter_map(|step| if let retreat::Step::To(hex) = step { Some(g.id(hex)) } else { None })
        .collect()
}

fn fill(g: &mut State, ids: [&str; 5], at: &str) {
    for id in ids {
        foot(g, id, at);
    }
    assert!(g.stacked(hex(g, at)) > 20);
}

/// rosebud-creek 10.I, 6
#[test]
fn who_falls_back_looks_for_room() {
    let mut g = bare();
    quiet(&mut g);
    foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    let ways = open(&g, "3A", "H1", "1710");
    let [first, second, third] = &ways[..] else { panic!("{ways:?}") };
    for (one, other, free) in [(first, second, third), (second, third, first), (first, third, second)] {
        let mut g = g.clone();
        fill(&mut g, ["2A", "2B", "2D", "2E", "2I"], one);
        fill(&mut g, ["3E", "3I", "3M", "3C", "3G"], other);
        let end = falling(&g, "3A", "H1", 1).start().over();
        assert_eq!((&at(&end, "3A"), end.units.iter().any(|unit| unit.disrupted)), (free, false));
        // With two hexes it does not pass through a full one either.
        let end = falling(&g, "3A", "H1", 2).start().over();
        assert!(!end.units.iter().any(|unit| unit.disrupted), "{}", at(&end, "3A"));
    }
}

/// Returns a position from a real game: the US on and around Crook's Hill, the Indians in the gap.
fn at_the_gap() -> State {
    let mut g = bare();
    quiet(&mut g);
    let us = [
        ("3107", "2A 2B 2D 2AH 2BH 2DH"),
        ("3108", "3A 3E 3I 3M 3AH 3EH 3IH 3MH"),
        ("3109", "9C 9G 4D 4F 9CH 9GH 4DH 4FH"),
        ("3208", "2E 2I 2EH 2IH"),
        ("3009", "3F 3L 3FH 3LH"),
        ("3010", "3B 3D 3BH 3DH"),
        ("2910", "MIN OLD MINH"),
    ];
    let indians = [
        ("2706", "C2 O4 M1 M2"),
        ("2707", "S2 S3"),
        ("2807", "T1"),
        ("2808", "H5 C1 O3"),
        ("2906", "H4"),
        ("2907", "H6 O2 B1"),
        ("2908", "Y1"),
        ("3007", "H1 H3 C3 C5 O1"),
        ("3807", "O5"),
    ];
    for (at, units) in us.into_iter().chain(indians) {
        units.split(' ').for_each(|id| _ = foot(&mut g, id, at));
    }
    // Their losses made room; it does not matter which units took them.
    let crowded = |g: &State, u: UnitId| g.class(u).is_combat() && g.hex(u).is_some_and(|at| g.stacked(at) > 25);
    for u in g.c.unit_ids().filter(|&u| crowded(&g, u)).collect::<Vec<_>>() {
        g.unit_mut(u).losses += 1;
    }
    g
}

/// rosebud-creek 10.I, 6
#[test]
fn a_way_out_is_found_in_a_crowd() {
    let g = at_the_gap();
    let end = |g: &State, who: &str, foe: &str, hexes: u16| {
        let end = falling(g, who, foe, hexes).start().over();
        let us = |u: &UnitId| end.side(*u) == Side::Us;
        (at(&end, who), end.c.unit_ids().filter(us).filter(|&u| end.unit(u).disrupted).count())
    };
    assert_eq!(end(&g, "2A", "C3", 1), ("3208".to_owned(), 0));
    let (to, disrupted) = end(&g, "2B", "C3", 2);
    assert!(["3209", "3308"].contains(&&*to) && disrupted == 0, "{to}");
    // Without friends to the east it still does not go north around the enemy.
    let mut g = g;
    for id in ["2I", "2IH", "2EH"] {
        let u = unit(&g, id);
        g.put(u, Spot::On(hex(&g, "3209")));
    }
    let e = unit(&g, "2E");
    g.put(e, Spot::On(hex(&g, "3107")));
    for (id, to) in [("C2", "3008"), ("B1", "3008")] {
        let u = unit(&g, id);
        g.put(u, Spot::On(hex(&g, to)));
    }
    let (to, disrupted) = end(&g, "2E", "C2", 2);
    assert!(["3209", "3308"].contains(&&*to) && disrupted == 0, "{to}");
}

/// rosebud-creek 10.I
#[test]
fn who_falls_back_stays_on_his_side() {
    let mut g = bare();
    quiet(&mut g);
    foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    let ways = open(&g, "3A", "H1", "1710");
    // Many enemies are far to the west; a friend there does not attract the unit.
    for id in ["H2", "H3", "O1", "O2", "O3", "C1"] {
        foot(&mut g, id, "1210");
    }
    foot(&mut g, "3E", "1511");
    let west = ways.iter().min().expect("a way");
    let end = falling(&g, "3A", "H1", 1).start().over();
    assert!(at(&end, "3A") != *west, "{ways:?}");
}

/// rosebud-creek 10.I
#[test]
fn a_retreat_goes_all_its_hexes() {
    let mut g = bare();
    quiet(&mut g);
    foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    let ways = open(&g, "3A", "H1", "1710");
    let shut = ways.iter().min().expect("a way").clone();
    // Routed enemies, without ZOCs, block the hexes behind it.
    let behind = open(&g, "3A", "H1", &shut);
    for (id, to) in ["H2", "H3", "H4"].into_iter().zip(&behind) {
        let u = foot(&mut g, id, to);
        g.unit_mut(u).routed = true;
    }
    assert!(open(&g, "3A", "H1", &shut).is_empty());
    let rest: Vec<&String> = ways.iter().filter(|way| **way != shut).collect();
    assert!(rest.iter().any(|way| !open(&g, "3A", "H1", way).is_empty()));
    // Toward that hex, it could not continue.
    g.doctrine[0] = g.doctrine[0].with(About::FallBack, &shut, &g.charts.grid).expect("a doctrine");
    assert_eq!(far(&falling(&g, "3A", "H1", 2).start().over(), "3A", "1709"), 3);
    assert_eq!(at(&falling(&g, "3A", "H1", 1).start().over(), "3A"), shut);
    g.doctrine[0] = g.doctrine[0].with(About::FallBack, "ask", &g.charts.grid).expect("a doctrine");
    let run = falling(&g, "3A", "H1", 2).start();
    assert_eq!(run.asked(), [(Seat(0), "retreat-way")]);
    assert!(!run.words().contains(&shut));
}

/// rosebud-creek 12.D, 10.I
#[test]
fn a_leader_dies_with_a_unit_that_cannot_fall_back() {
    let mut g = bare();
    quiet(&mut g);
    foot(&mut g, "3A", "1710");
    lead(&mut g, "Mills", "1710");
    for (id, at) in
        ["H1", "H2", "H3", "H4", "H5", "H6"].into_iter().zip(["1709", "1810", "1811", "1711", "1611", "1610"])
    {
        foot(&mut g, id, at);
    }
    // A number of attackers and a die that give the defender a Retreat and nothing else.
    let all = ["H1", "H2", "H3", "H4", "H5", "H6"];
    let found = (1..=all.len()).find_map(|n| {
        let attackers: Vec<UnitId> = all[..n].iter().map(|id| unit(&g, id)).collect();
        let battle = melee::reckon(&g, &attackers, hex(&g, "1710"));
        let alone = |&die: &i64| {
            let [own, theirs] = battle.result(&g, die);
            theirs.retreat > 0 && theirs.lost == 0 && !theirs.rout && own.lost == 0 && own.retreat == 0 && !own.rout
        };
        (1..=6).find(alone).map(|die| (all[..n].join(" "), die))
    });
    let (with, die) = found.expect("a Retreat alone");
    let mut run = fighting(&g, Side::Indian).dice("melee", [die]).start();
    run.say(&format!("melee 1710 with {with} no advance"));
    let g = run.now();
    assert_eq!((g.unit(unit(&g, "3A")).spot, g.chief(leader(&g, "Mills")).spot), (Spot::Dead, Spot::Dead));
}

/// rosebud-creek 9.G, 9.D, 10.I
#[test]
fn retreat_fire_may_stop_a_retreat() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    for (id, at) in [("H2", "1911"), ("H3", "1511"), ("H4", "1712")] {
        foot(&mut g, id, at);
    }
    g.doctrine[0] = g.doctrine[0].with(About::FallBack, "1612", &g.charts.grid).expect("a doctrine");
    g.doctrine[1] = Doctrine { retreat: FireWill::Yes, opportunity: FireWill::No, ..Doctrine::default() };
    let mut there = g.clone();
    there.put(a, Spot::On(hex(&g, "1611")));
    let check = dice_for(&there, "H3", "3A", fire::Volley::Retreat(Volume::Full), Outcome::Mc);
    let mut seen = [0; 2];
    for morale in 2..=12 {
        let trial = falling(&g, "3A", "H1", 2).dice("fire", check.into_iter().chain([1, 2].repeat(8)));
        let mut run = trial.dice("morale", [morale / 2, morale - morale / 2]).start();
        let shots = run.story().iter().filter(|line| line.starts_with("Retreat Fire: ")).count();
        let now = run.now();
        let unit = *now.unit(a);
        if unit.pinned {
            assert_eq!((at(&now, "3A").as_str(), shots), ("1611", 1), "{morale}");
        } else if !unit.routed && !unit.disrupted && unit.spot == Spot::On(hex(&g, "1612")) {
            assert_eq!(shots, 2, "{morale}");
        }
        seen[usize::from(unit.pinned)] += 1;
    }
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
}

/// A unit that Routs of its own will after Retreat Fire, and finds no way, does not go on with its
/// Retreat either: each hex next to 1710 is next to an enemy.
///
/// rosebud-creek 9.G, 10.J
#[test]
fn a_voluntary_rout_replaces_a_retreat_where_it_begins() {
    let mut g = bare();
    quiet(&mut g);
    (g.phase, g.phasing) = (Phase::Melee, Side::Us);
    let h = foot(&mut g, "H1", "1610");
    let a = foot(&mut g, "3A", "1609");
    for (id, at) in [("3B", "1709"), ("3D", "1712"), ("3E", "1511"), ("3F", "1911")] {
        foot(&mut g, id, at);
    }
    says(&mut g, Side::Us, About::RetreatFire, "yes");
    says(&mut g, Side::Indian, About::FallBack, "1810");
    for (how, end, shots) in [("left 9", "1710", 1), ("never", "1811", 2)] {
        says(&mut g, Side::Indian, About::Rout, how);
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            let from = hex(&g, "1609");
            retreat::fall_back_from(&t, &mut g, h, 2, from, &[a]).await;
            g
        });
        let after = trial.any_dice([1, 2].repeat(shots)).start().over();
        assert_eq!((at(&after, "H1"), after.unit(h).routed), (end.to_owned(), how != "never"), "{how}");
    }
}
