//! Melee Combat (10).

use super::super::{
    State,
    components::{Drm, Side},
    doctrine::{About, BeforeWill, Doctrine, FireWill},
    melee,
    state::{Mode, Spot, Unit},
    testing::*,
};
use postrider_table::{Seat, chart::Ratio};

fn half(n: u32) -> Ratio {
    Ratio::new(n, 2).expect("a fraction")
}

fn stand(g: &mut State) {
    for side in [0, 1] {
        g.doctrine[side] = Doctrine { before: BeforeWill::Stand, ..Doctrine::default() };
    }
}

/// Attacker and defender, with three clear hexes of one level in a row.
const A: &str = "1610";
const D: &str = "1611";

/// The example of the rulebook: 5 and 3, both low on ammunition, add up to 4.
///
/// rosebud-creek 10.A, 14.B, 3.E, 3.L
#[test]
fn fractions_are_added() {
    let mut g = bare();
    let a = foot(&mut g, "3A", A);
    let b = foot(&mut g, "9C", A);
    let h = foot(&mut g, "H1", D);
    for u in [a, b] {
        g.unit_mut(u).low_ammo = true;
    }
    let battle = melee::reckon(&g, &[a, b], hex(&g, D));
    assert_eq!((battle.attack, battle.defence), (Ratio::whole(4), Ratio::whole(6)));
    assert_eq!(melee::attack_strength(&g, a, hex(&g, D)), half(5));
    // 14.B: low ammunition does not weaken Indians in melee.
    g.unit_mut(h).low_ammo = true;
    assert_eq!(melee::defence_strength(&g, h), Ratio::whole(6));
}

/// Infantry defends at double strength, Routed units at half. An attack with at least half infantry
/// gets +1; defending infantry has no modifier.
///
/// rosebud-creek 10.B, 10.F
#[test]
fn strengths_of_defence() {
    let mut g = bare();
    let c = foot(&mut g, "9C", D);
    let h = foot(&mut g, "H1", A);
    assert_eq!(melee::defence_strength(&g, c), Ratio::whole(6));
    g.unit_mut(c).routed = true;
    assert_eq!(melee::defence_strength(&g, c), Ratio::whole(3));
    g.unit_mut(c).low_ammo = true;
    assert_eq!(melee::defence_strength(&g, c), half(3), "twice, then the halves");
    g.unit_mut(h).routed = true;
    assert_eq!(melee::defence_strength(&g, h), Ratio::whole(3));
    let mut g = bare();
    let c = foot(&mut g, "9C", A);
    let a = foot(&mut g, "3A", A);
    foot(&mut g, "H1", D);
    let drm = |g: &State, who: &[_]| melee::reckon(g, who, hex(g, D)).drm.to_string();
    assert!(drm(&g, &[c]).contains("infantry +1") && !drm(&g, &[c, a]).contains("infantry"), "3 of 8");
    let d = foot(&mut g, "9G", A);
    assert!(drm(&g, &[c, d, a]).contains("infantry +1"), "6 of 11");
    g.unit_mut(d).losses = 1;
    assert!(drm(&g, &[c, d, a]).contains("infantry +1"), "5 of 10 is half");
    g.unit_mut(d).losses = 2;
    assert!(!drm(&g, &[c, d, a]).contains("infantry"), "4 of 9");
    let h = unit(&g, "H1");
    assert!(!melee::reckon(&g, &[h], hex(&g, A)).drm.to_string().contains("infantry"));
}

/// The example of the rulebook: from 4312 into 4213, a creek and two levels give -3; only the best
/// hexside and height for the defender count.
///
/// rosebud-creek 10.D
#[test]
fn terrain_of_melee() {
    let mut g = bare();
    let h = ride(&mut g, "H1", "4312");
    foot(&mut g, "3A", "4213");
    let battle = melee::reckon(&g, &[h], hex(&g, "4213"));
    assert_eq!(battle.drm.total(), -3);
    let parts: Vec<(String, i32)> = battle.drm.parts().map(|(name, by)| (name.to_owned(), by)).collect();
    assert_eq!(parts, [("Dry Creek".to_owned(), -1), ("uphill".to_owned(), -2)]);
    let h2 = ride(&mut g, "H2", "4313");
    let battle = melee::reckon(&g, &[h, h2], hex(&g, "4213"));
    let creek = battle.drm.parts().filter(|(name, _)| name.contains("Creek")).count();
    assert_eq!(creek, 1);
    // A cliff prohibits melee.
    let mut g = bare();
    stand(&mut g);
    foot(&mut g, "H1", "2815");
    foot(&mut g, "3A", "2814");
    assert!(fighting(&g, Side::Us).start().asked().is_empty());
    // The terrain of the defender's hex.
    let woods = g
        .charts
        .grid
        .hexes()
        .find(|&at| g.ground(at).name() == "Light Woods" && g.charts.grid.row(at) > 2)
        .expect("woods");
    let near = g.charts.grid.neighbours(woods).find(|&near| g.charts.between(near, woods).is_none()).expect("beside");
    let (a, h) = (unit(&g, "3A"), unit(&g, "H1"));
    g.put(h, Spot::On(woods));
    g.put(a, Spot::On(near));
    assert!(melee::reckon(&g, &[a], woods).drm.to_string().contains("Light Woods -1"));
}

/// Pinned or Prone (once) and Disrupted defenders help the attacker, a Disrupted attacker the
/// defender; Leaders of both sides count; the odds lines of the two sides differ.
///
/// rosebud-creek 10.E, 10.G, 10.A, 16.C
#[test]
fn modifiers_of_melee() {
    let mut g = bare();
    let a = foot(&mut g, "3A", A);
    let h = foot(&mut g, "H1", D);
    let at = hex(&g, D);
    let base = melee::reckon(&g, &[a], at).drm.total();
    let total = |g: &State| melee::reckon(g, &[a], at).drm.total() - base;
    g.unit_mut(h).pinned = true;
    g.unit_mut(h).mode = Mode::Prone;
    assert_eq!(total(&g), 1);
    g.unit_mut(h).disrupted = true;
    assert_eq!(total(&g), 2);
    g.unit_mut(a).disrupted = true;
    assert_eq!(total(&g), 1);
    lead(&mut g, "Mills", A);
    assert_eq!(total(&g), 3);
    lead(&mut g, "Crazy Horse", D);
    assert_eq!(total(&g), 0);
    // With 13 more points, less than half of the defence is Disrupted or Pinned.
    foot(&mut g, "H2", D);
    foot(&mut g, "H3", D);
    assert_eq!(total(&g), -2);
    // 5 to 18 is below 1-3, the first column; 3-1 is +3 for the US and +2 for the Indians.
    assert_eq!(melee::reckon(&g, &[a], at).column, 0);
    let shift = |label: &str| g.c.odds.iter().find(|row| row.id == label).map(|row| (row.us, row.indian));
    assert_eq!(shift("3-1"), Some((3, 2)));
    // Who lies behind Breastworks is not also Prone.
    let mut g = bare();
    let (a, h) = (foot(&mut g, "3A", D), foot(&mut g, "H1", A));
    (g.unit_mut(a).pinned, g.unit_mut(a).works) = (true, true);
    assert_eq!(melee::reckon(&g, &[h], hex(&g, D)).drm.total(), g.c.drm(Drm::MeleeBreastworks));
}

/// rosebud-creek 8.C
#[test]
fn nobody_is_prone_after_a_melee() {
    let mut stayed = 0;
    for die in 1..=6 {
        let mut g = bare();
        foot(&mut g, "3A", A);
        let h = foot(&mut g, "H1", D);
        g.unit_mut(h).mode = Mode::Prone;
        let mut run = fighting(&g, Side::Us).dice("melee", [die]).start();
        run.say(&format!("melee {D} with 3a no advance"));
        let now = run.now();
        stayed += usize::from(at(&now, "H1") == D);
        assert_eq!(now.unit(h).mode, Mode::Dismounted, "{die}");
    }
    assert!(stayed > 0, "it always retreats");
}

/// rosebud-creek 10, 10.A, 10.C, 10.H, 4.F
#[test]
fn a_melee_is_declared_and_finished() {
    let mut g = bare();
    stand(&mut g);
    let a = foot(&mut g, "3A", A);
    let b = foot(&mut g, "3E", A);
    let h = foot(&mut g, "H1", D);
    g.unit_mut(h).losses = 3;
    // 10 to 3 is 3-1, +3; a die of 6 gives 9, c1 r1 for the defender, apart from terrain.
    let ground = melee::reckon(&g, &[a, b], hex(&g, D)).drm.total();
    let score = g.charts.melee_at(6 + 3 + ground);
    let mut run = fighting(&g, Side::Us).dice("melee", [6]).start();
    assert_eq!(run.asked(), [(Seat(0), "melee")]);
    run.say("melee 1611 with 3a 3e");
    let end = run.over();
    assert_eq!(end.losses, score.map(|score| u16::from(score.lost)));
    assert!(score[1].retreat > 0 || score[1].rout, "{ground}");
    assert!(end.unit(h).disrupted || end.unit(h).routed);
    assert_eq!([at(&end, "3A"), at(&end, "3E")], [D, D], "they advance");
    // Without an advance, and with a condition on the odds.
    let mut run = fighting(&g, Side::Us).dice("melee", [6]).start();
    run.say("melee 1611 with 3a 3e no advance");
    assert_eq!(at(&run.over(), "3A"), A);
    let mut run = fighting(&g, Side::Us).start();
    run.say("melee 1611 with 3a if 2-1").say("done");
    assert_eq!(at(&run.over(), "H1"), D, "5 to 3 is less");
    // 10.B: a unit attacks once, and not if it fired into another hex; Prone, Pinned and Routed
    // units and Holders cannot attack.
    let mut other = g.clone();
    other.unit_mut(a).did.advance = Some(hex(&other, "1710"));
    assert!(fighting(&other, Side::Us).start().refused("melee 1611 with 3a").contains("10.B"));
    for (pinned, routed, mode) in
        [(true, false, Mode::Dismounted), (false, true, Mode::Dismounted), (false, false, Mode::Prone)]
    {
        let mut other = g.clone();
        let unit = other.unit_mut(a);
        (unit.pinned, unit.routed, unit.mode) = (pinned, routed, mode);
        assert!(fighting(&other, Side::Us).start().refused("melee 1611 with 3a").contains("10.B"));
    }
    let mut other = g.clone();
    foot(&mut other, "3AH", A);
    assert!(fighting(&other, Side::Us).start().refused("melee 1611 with 3ah").contains("Holders"));
    fighting(&g, Side::Us).start().check_options(20);
}

/// Units that do not take part in an attack are not affected; a unit that fired into a hex may only
/// attack that hex; trains, Personnel, Holders, Prone, Pinned and Routed units only defend; units
/// in a melee do not use Opportunity Fire.
///
/// rosebud-creek 10.B
#[test]
fn restrictions_to_melee() {
    let mut g = bare();
    stand(&mut g);
    g.doctrine.iter_mut().for_each(|side| side.retreat = FireWill::No);
    let (a, e) = (foot(&mut g, "3A", A), foot(&mut g, "3E", A));
    for id in ["H1", "H2", "H3"] {
        foot(&mut g, id, D);
    }
    // 5 to 18, die 1: a bad defeat for the attackers.
    let battle = melee::reckon(&g, &[a], hex(&g, D));
    let [attacker, _] = battle.result(&g, 1);
    assert!(attacker.lost > 0 && attacker.rout, "{attacker}");
    let mut run = fighting(&g, Side::Us).dice("melee", [1]).start();
    run.say("melee 1611 with 3a").say("done");
    let end = run.over();
    assert!(end.unit(a).routed && end.unit(a).losses == attacker.lost);
    assert_eq!((at(&end, "3E"), end.unit(e).is_good(), end.unit(e).losses), (A.to_owned(), true, 0));
    // Advance Fire binds a unit to the hex at which it fired, which it may attack.
    foot(&mut g, "H4", "1609");
    for (fired_at, other) in [(D, "1609"), ("1609", D)] {
        let mut g = g.clone();
        g.unit_mut(a).did.advance = Some(hex(&g, fired_at));
        let with = |at: &str| format!("melee {at} with 3a");
        assert!(fighting(&g, Side::Us).start().refused(&with(other)).contains("Advance Fire"));
        let mut run = fighting(&g, Side::Us).dice("melee", [3]).start();
        assert_eq!(run.try_say(&with(fired_at)), Ok(()));
    }
    // All units that cannot attack still defend.
    type Spoil = fn(&mut Unit);
    let spoils: [(&str, Spoil); 6] = [
        ("3AH", |_| ()),
        ("PTA", |_| ()),
        ("PPA", |_| ()),
        ("3B", |unit| unit.mode = Mode::Prone),
        ("3B", |unit| unit.pinned = true),
        ("3B", |unit| unit.routed = true),
    ];
    for (id, spoil) in spoils {
        let mut g = g.clone();
        let u = foot(&mut g, id, A);
        spoil(g.unit_mut(u));
        let at = hex(&g, D);
        let assault = melee::Assault { side: Side::Us };
        assert!(assault.may(&g, u, at).is_err_and(|why| why.rule == "10.B"), "{id}");
        assert!(assault.targets(&g).iter().all(|(_, units)| !units.contains(&u)), "{id}");
        let h = unit(&g, "H1");
        assert!(melee::defenders(&g, &[h], hex(&g, A)).contains(&u), "{id} defends");
        assert!(melee::reckon(&g, &[h], hex(&g, A)).defence > melee::defence_strength(&g, a), "{id} adds to it");
    }
    // Of three units adjacent to a retreating one, only the one outside the attack fires.
    let mut g = bare();
    stand(&mut g);
    g.doctrine[1].before = BeforeWill::odds(1);
    g.doctrine[0].opportunity = FireWill::Yes;
    for id in ["3A", "3E", "3I"] {
        foot(&mut g, id, A);
    }
    let h = foot(&mut g, "H1", D);
    g.unit_mut(h).losses = 4;
    let mut run = fighting(&g, Side::Us).dice("retreat before melee", [6]).dice("fire", [1, 2]).start();
    run.say("melee 1611 with 3a 3e no advance");
    let shots: Vec<String> = run.story().into_iter().filter(|line| line.starts_with("Opportunity Fire")).collect();
    assert!(matches!(&shots[..], [only] if only.contains("Andrews (3I) at Crow King (H1)")), "{shots:?}");
    // It cannot attack afterwards.
    let now = run.now();
    assert!(now.unit(unit(&now, "3I")).did.sniped && run.asked().is_empty());
}

/// The owner distributes losses; Pony Holders and lone Leaders are lost without a die.
///
/// rosebud-creek 10.C, 12.D, 16.B
#[test]
fn what_melee_takes_along() {
    let mut g = bare();
    stand(&mut g);
    foot(&mut g, "3A", A);
    foot(&mut g, "3E", A);
    foot(&mut g, "H1H", D);
    lead(&mut g, "Gall", D);
    let gall = leader(&g, "Gall");
    g.chief_mut(gall).with = None;
    let mut run = fighting(&g, Side::Us).start();
    run.say("melee 1611 with 3a");
    // The other unit of the stack could only attack the same hex, which is empty.
    let end = run.over();
    assert_eq!((end.unit(unit(&end, "H1H")).spot, end.chief(gall).spot), (Spot::Dead, Spot::Dead));
    assert_eq!(at(&end, "3A"), D);
    // Losses by doctrine and by the player's choice.
    let mut g = bare();
    stand(&mut g);
    let (h1, c1) = (foot(&mut g, "H1", A), foot(&mut g, "C1", A));
    for id in ["3A", "3E", "3I", "3M"] {
        foot(&mut g, id, D);
    }
    g.doctrine[1] = g.doctrine[1].with(About::Losses, "ask", &g.charts.grid).expect("a doctrine");
    // 11 to 20 is 1-2, -3 for the Indians; a die of 1 gives -2: c2 Rt.
    let mut run = fighting(&g, Side::Indian).dice("melee", [1]).start();
    run.say("melee 1611 with h1 c1");
    assert_eq!(run.asked(), [(Seat(1), "loss")]);
    run.say("c1").say("c1");
    let end = run.over();
    assert_eq!((end.unit(c1).losses, end.unit(h1).losses), (2, 0));
    assert!(end.unit(c1).routed && end.unit(h1).routed && end.losses == [0, 2]);
}

/// rosebud-creek 10.B, 10.H
#[test]
fn a_stack_attacks_one_hex() {
    let mut g = bare();
    quiet(&mut g);
    for (id, at) in [("3A", "1710"), ("3E", "1710"), ("H1", "1709"), ("H2", "1711")] {
        foot(&mut g, id, at);
    }
    let mut run = fighting(&g, Side::Us).dice("melee", [3]).start();
    run.say("melee 1709 with 3a no advance");
    let (now, assault) = (run.now(), melee::Assault { side: Side::Us });
    let may = |at: &str| assault.may(&now, unit(&now, "3E"), hex(&now, at)).map_err(|why| why.rule);
    assert_eq!((may("1711"), may("1709")), (Err("10.B"), Ok(())));
}

/// rosebud-creek 10.C, 10.J
#[test]
fn a_routed_unit_that_is_hit_in_melee_routs_again() {
    let mut g = bare();
    quiet(&mut g);
    let a = foot(&mut g, "3A", "1710");
    g.unit_mut(a).routed = true;
    g.unit_mut(a).pinned = true;
    for id in ["H1", "H2"] {
        foot(&mut g, id, "1709");
    }
    // A die at which the defender loses points and does not Rout by the result.
    let h = ["H1", "H2"].map(|id| unit(&g, id));
    let battle = melee::reckon(&g, &h, hex(&g, "1710"));
    let die = (1..=6).find(|&die| {
        let score = battle.result(&g, die)[1];
        score.lost > 0 && score.retreat == 0 && !score.rout
    });
    let die = die.expect("a result of casualties alone");
    let mut run = fighting(&g, Side::Indian).dice("melee", [die]).start();
    run.say("melee 1710 with h1 h2");
    assert_ne!(at(&run.over(), "3A"), "1710");
}

/// rosebud-creek 10.I
#[test]
fn the_attacker_breaks_ties() {
    let mut g = bare();
    quiet(&mut g);
    foot(&mut g, "3A", "1610");
    let e = foot(&mut g, "3E", "1710");
    ride(&mut g, "H1", D);
    let from = |g: &State, word: &str| {
        let all = [unit(g, "3A"), unit(g, "3E")];
        let leading = g.charts.grid.hex(word);
        g.id(melee::strongest_hex(g, &all, hex(g, D), leading).expect("a hex"))
    };
    assert_eq!([from(&g, ""), from(&g, "1610"), from(&g, "1710")], ["1610", "1610", "1710"]);
    let mut weaker = g.clone();
    weaker.unit_mut(e).losses = 1;
    assert_eq!(from(&weaker, "1710"), "1610");
    // It retreats two hexes mounted; the choice determines the possible second hexes.
    g.doctrine[1].before = BeforeWill::odds(1);
    says(&mut g, Side::Indian, About::FallBack, "ask");
    let [one, other] = ["1610", "1710"].map(|from| {
        let mut run = fighting(&g, Side::Us).dice("retreat before melee", [6]).start();
        run.say(&format!("melee 1611 with 3a 3e no advance from {from}")).say("1511");
        let now = run.now();
        let fair = |to: &String| {
            let foes = ["1610", "1710"].map(|foe| now.charts.grid.distance(hex(&now, to), hex(&now, foe)));
            now.charts.grid.distance(hex(&now, to), hex(&now, from)) == 3 && foes.into_iter().all(|far| far > 1)
        };
        let near: Vec<String> =
            now.charts.grid.neighbours(hex(&now, "1511")).map(|to| now.id(to)).filter(fair).collect();
        let mut words = run.words();
        words.sort_unstable_by_key(|word| near.iter().position(|id| id == word));
        assert_eq!(words, near, "{from}");
        near
    });
    assert_ne!(one, other);
    let mut run = fighting(&g, Side::Us).start();
    assert!(run.refused("melee 1611 with 3a 3e from 1611").contains("10.I"));
}
