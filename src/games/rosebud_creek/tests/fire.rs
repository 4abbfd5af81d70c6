//! Fire Combat (9), morale (13.A).

use super::super::{
    State,
    components::{Factor, Num, Outcome, Side},
    doctrine::{Doctrine, FireWill},
    fire::{self, Target, Volley},
    march, morale, play, reaction,
    state::{Chief, Mode, Phase, Spot, Volume, Wound},
    testing::*,
    variant::Variant,
    volley,
};
use postrider_table::{Seat, chart::Ratio, hex::Hex};

const FULL: Volley = Volley::Offensive(Volume::Full);

fn shot(g: State, who: &str, at: &str, volley: Volley) -> Trial {
    let (u, target) = (unit(&g, who), fire::target_named(&g, at).expect("a target"));
    let mut g = g;
    g.phase = Phase::Defensive;
    Trial::new(g, move |t, mut g| async move {
        fire::shoot(&t, &mut g, u, target, volley).await;
        g
    })
}

/// A natural 2 checks a Leader, so a shot at his hex is legal and asked for even without any other
/// effect.
///
/// rosebud-creek 9.E, 4.B
#[test]
fn a_shot_that_endangers_only_a_leader_counts() {
    let mut g = bare();
    quiet(&mut g);
    // At two hexes a single Indian point fires below 1, which has no effect.
    let h = foot(&mut g, "H1", "1710");
    g.unit_mut(h).losses = g.cf(h) - 1;
    foot(&mut g, "3A", "1708");
    let fires = |g: &State| {
        let rule = |t, mut g: State| async move {
            volley::phase(&t, &mut g, Side::Indian, Phase::Offensive, FULL).await;
            g
        };
        Trial::new(g.clone(), rule).dice("fire", [1, 1]).dice("leader loss", [6, 6])
    };
    let target = fire::target_named(&g, "3A").expect("a target");
    assert_eq!(fire::chances(&g, h, target, FULL), (0, 0));
    let skipped = fires(&g).start().asked();
    assert!(skipped.is_empty(), "{skipped:?}");
    lead(&mut g, "Mills", "1708");
    let mut run = fires(&g).start();
    assert_eq!(run.asked(), [(Seat(1), "offensive-fire")]);
    run.check_options(5);
    assert!(run.refused("fire all at best").contains("Nobody has such a shot"), "not for a shot without effect");
    run.say("fire h1 at 3a");
    let story = run.story();
    assert!(story.iter().any(|line| line.starts_with("Mills is checked for loss")), "{story:?}");
}

/// Low ammunition, Pinned and Disrupted each halve the strength, cumulatively; so do Advance and
/// Opportunity Fire, but not Retreat Fire.
///
/// rosebud-creek 9, 9.A, 9.B, 3.C, 3.D, 4.E, 14.B
#[test]
fn strength_is_halved_by_each_state() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    let to = hex(&g, "1709");
    let strength = |g: &State, volley| fire::strength(g, a, to, volley).0;
    let half = |n: u32, d: u32| Ratio::new(n, d).expect("a fraction");
    assert_eq!(strength(&g, FULL), half(5, 1));
    assert_eq!(strength(&g, Volley::Offensive(Volume::Half)), half(5, 2));
    assert_eq!([Volley::Advance, Volley::Opportunity(Volume::Full)].map(|v| strength(&g, v)), [half(5, 2); 2]);
    assert_eq!(strength(&g, Volley::Retreat(Volume::Full)), half(5, 1));
    g.unit_mut(a).low_ammo = true;
    g.unit_mut(a).pinned = true;
    assert_eq!(strength(&g, FULL), half(5, 4), "fractions stay");
    g.unit_mut(a).disrupted = true;
    assert_eq!(strength(&g, FULL), half(5, 8));
    // Below 1 the US has a separate column; Indian fire has no effect.
    assert_eq!(fire::column(&g, a, to, FULL), Some(0));
    assert_eq!(g.charts.column(Side::Indian, half(5, 8)), None);
    assert_eq!(g.charts.column(Side::Indian, half(5, 2)).map(|at| &*g.c.fire_columns[at].id), Some("2"));
    g.unit_mut(a).routed = true;
    assert!(!fire::is_armed(&g, a), "Routed units do not fire");
}

/// Woods and rocks protect units on foot; mounted and crowded units are easier to hit; Prone and
/// Pinned count once, and Breastworks replace them.
///
/// rosebud-creek 9.B, 8.A, 8.C, 3.A
#[test]
fn modifiers_of_fire() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    let h = foot(&mut g, "H1", "1709");
    let total = |g: &State| fire::modifiers(g, a, Target::Unit(h)).total();
    assert_eq!(total(&g), 0, "six points: 0");
    g.unit_mut(h).mode = Mode::Mounted;
    assert_eq!(total(&g), 1);
    g.unit_mut(h).mode = Mode::Prone;
    assert_eq!(total(&g), -1);
    g.unit_mut(h).pinned = true;
    assert_eq!(total(&g), -1, "Prone and Pinned are counted once");
    g.unit_mut(h).works = true;
    assert_eq!(total(&g), -2, "Breastworks instead");
    (g.unit_mut(h).works, g.unit_mut(h).pinned, g.unit_mut(h).mode) = (false, false, Mode::Dismounted);
    foot(&mut g, "H2", "1709");
    assert_eq!(total(&g), 1, "twelve points");
    foot(&mut g, "H3", "1709");
    assert_eq!(total(&g), 2, "eighteen");
    assert_eq!([0, 5, 6, 10, 11, 15, 16, 30].map(|n| g.charts.density_drm(n)), [-1, -1, 0, 0, 1, 1, 2, 2]);
    // Woods, on foot or mounted.
    let woods =
        g.charts.grid.hexes().find(|&hex| g.c.terrains[g.ground(hex).index()].name == "Light Woods").expect("woods");
    let near = g.charts.grid.neighbours(woods).next().expect("beside");
    g.put(h, Spot::On(woods));
    g.put(a, Spot::On(near));
    assert_eq!(total(&g), -1);
    g.unit_mut(h).mode = Mode::Mounted;
    assert_eq!(total(&g), 1, "the woods do not help riders");
    // Across a cliff: down +1, up at half strength.
    let (up, down) = (hex(&g, "2815"), hex(&g, "2814"));
    assert!(g.charts.level[up] > g.charts.level[down]);
    g.put(a, Spot::On(up));
    g.put(h, Spot::On(down));
    assert_eq!(total(&g), 2);
    assert_eq!(fire::strength(&g, h, up, FULL).1, [Factor::UpCliff]);
    // From two hexes away too; the +1 is for adjacent hexes only.
    let below = hex(&g, "2813");
    g.put(h, Spot::On(below));
    assert_eq!(total(&g), 1);
    assert!(fire::strength(&g, h, up, FULL).1.contains(&Factor::UpCliff));
}

/// Two hexes away on foot: half strength rounded down, or one column less for infantry; one
/// Casualty Point becomes MC-1, two remain.
///
/// rosebud-creek 9.B, 9.C, 3.L
#[test]
fn long_range() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    let c = foot(&mut g, "9C", "1710");
    foot(&mut g, "3AH", "1710");
    foot(&mut g, "H1", "1708");
    let to = hex(&g, "1708");
    assert!(fire::bears(&g, a, to) && !fire::bears(&g, unit(&g, "3AH"), to), "Holders do not");
    let column = |g: &State, u| fire::column(g, u, to, FULL).map(|at| g.c.fire_columns[at].id.clone());
    assert_eq!(column(&g, a).as_deref(), Some("2"), "5 / 2 = 2.5, so 2");
    assert_eq!(column(&g, c).as_deref(), Some("2"), "3 reads one column left");
    g.unit_mut(c).losses = 2;
    g.unit_mut(c).low_ammo = true;
    assert_eq!(column(&g, c).as_deref(), Some("<1"), "infantry in <1 stays there");
    g.unit_mut(a).mode = Mode::Mounted;
    assert!(!fire::bears(&g, a, to), "riders do not");
    let thresholds = Some([9, 10, 12, 14]);
    assert_eq!(
        [11, 12, 14].map(|dice| fire::result(thresholds, dice, true)),
        [Outcome::Mc1, Outcome::Mc1, Outcome::Two]
    );
    assert_eq!(
        [8, 9, 10, 12, 14].map(|dice| fire::result(thresholds, dice, false)),
        [Outcome::None, Outcome::Mc, Outcome::Mc1, Outcome::One, Outcome::Two]
    );
    assert_eq!(g.c.n(Num::LongRange), 2);
}

/// A Casualty Point lowers the factor, scores for the enemy and requires one Morale Check; other
/// units in the hex are not affected.
///
/// rosebud-creek 9.D, 11, 13.A, 3.H, 17
#[test]
fn a_casualty_point_and_its_check() {
    let mut g = bare();
    foot(&mut g, "3A", "1710");
    let h = foot(&mut g, "H1", "1709");
    let h2 = foot(&mut g, "H2", "1709");
    // Strength 5, column 5, letter E: 11 is a Casualty Point; twelve stacking points are +1. Dice
    // of 10.
    let run = shot(g.clone(), "3A", "H1", FULL).dice("fire", [5, 5]).dice("morale", [4, 4]).start();
    let end = run.over();
    assert_eq!((end.cf(h), end.cf(h2), end.vps, end.losses), (5, 6, [1, 0], [0, 1]));
    assert!(end.unit(h).is_good(), "8 holds");
    // Every result of the table.
    let results = [(7, "disrupted"), (6, "r1"), (5, "r2"), (4, "pinned"), (3, "routed")];
    for (dice, word) in results {
        let (one, two) = (dice / 2, dice - dice / 2);
        let run = shot(g.clone(), "3A", "H1", FULL).dice("fire", [5, 5]).dice("morale", [one, two]).start();
        let end = run.over();
        let unit = end.unit(h);
        let far = end.hex(h).map(|at| end.charts.grid.distance(at, hex(&end, "1710")));
        let got = match (unit.routed, unit.pinned, unit.disrupted, far) {
            (true, false, false, Some(3)) => "routed",
            (false, true, false, Some(1)) => "pinned",
            (false, false, true, Some(1)) => "disrupted",
            (false, false, true, Some(2)) => "r1",
            (false, false, true, Some(3)) => "r2",
            other => panic!("{word}: {other:?}"),
        };
        assert_eq!(got, word);
    }
    // The last point eliminates the unit, and counts as one casualty.
    g.unit_mut(h).losses = 5;
    let run = shot(g, "3A", "H1", FULL).dice("fire", [6, 5]).start();
    let end = run.over();
    assert_eq!((end.unit(h).spot, end.losses), (Spot::Dead, [0, 1]));
}

/// The Leader attached to the unit, MC-1 and each adverse condition modify the dice.
///
/// rosebud-creek 13.A, 3.B, 3.F, 12.A
#[test]
fn modifiers_of_morale() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    assert_eq!(morale::modifiers(&g, a, false).total(), 0);
    assert_eq!(morale::modifiers(&g, a, true).total(), -1);
    lead(&mut g, "Mills", "1710");
    assert_eq!(morale::modifiers(&g, a, false).total(), 2);
    let unit = g.unit_mut(a);
    (unit.disrupted, unit.pinned, unit.routed) = (true, true, true);
    assert_eq!(morale::modifiers(&g, a, false).total(), 2 - 1 - 1 - 2);
}

/// A Pinned or Routed unit uses the best Leader within whose radius it is: with 8 or more it holds.
///
/// rosebud-creek 3.G, 13.A, 9.D, 12.A, 12.D
#[test]
fn leaders_steady_shaken_units_within_their_radius() {
    let mut g = bare();
    quiet(&mut g);
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    lead(&mut g, "Gall", "1709");
    let volley = Volley::Defensive(Volume::Full);
    // Leaders with their units, whose places are given, and the state of 3A.
    let holds = |sum: i64, leaders: &[(&str, &str, &str)], pinned: bool, routed: bool, change: fn(&mut Chief)| {
        let mut g = g.clone();
        for &(id, with, at) in leaders {
            let u = foot(&mut g, with, at);
            let l = lead(&mut g, id, at);
            g.chief_mut(l).with = Some(u);
            change(g.chief_mut(l));
        }
        let unit = g.unit_mut(a);
        (unit.pinned, unit.routed) = (pinned, routed);
        let mc = dice_for(&g, "H1", "3A", volley, Outcome::Mc);
        let trial = Trial::new(g, move |t, mut g| async move {
            volley::phase(&t, &mut g, Side::Indian, Phase::Defensive, volley).await;
            g
        });
        let mut run = trial.dice("fire", mc).dice("morale", [sum / 2, sum - sum / 2]).start();
        run.say("fire h1 at 3a");
        let now = run.now();
        at(&now, "3A") == "1710" && !now.unit(a).disrupted
    };
    let pinned = |sum: i64, leaders: &[(&str, &str, &str)]| holds(sum, leaders, true, false, |_| {});
    let near = ("Mills", "3E", "1711");
    assert!(!pinned(7, &[]), "an enemy Leader does not count");
    assert!(pinned(7, &[near]) && !pinned(7, &[("Mills", "3E", "1713")]), "his radius is two hexes");
    assert!(pinned(7, &[("Henry", "3B", "1710")]), "he is with another unit of the hex");
    // One Leader counts: the best, but of those attached to the unit the senior.
    assert!(!pinned(5, &[near, ("Henry", "3B", "1710")]));
    assert!(pinned(7, &[("Evans", "3A", "1710"), near]));
    assert!(!pinned(7, &[("Evans", "3A", "1710"), ("Mills", "3A", "1710")]));
    // A Pinned Leader counts in his hex, one badly wounded nowhere.
    let pin = |chief: &mut Chief| chief.pinned = true;
    assert!(!holds(7, &[near], true, false, pin) && holds(7, &[("Mills", "3E", "1710")], true, false, pin));
    assert!(!holds(7, &[near], true, false, |chief| chief.wound = Wound::Severe));
    // A Routed unit is led, too, and one in good order by an attached Leader only.
    assert!(holds(8, &[near], false, true, |_| {}) && !holds(8, &[], false, true, |_| {}));
    assert!(!holds(7, &[near], false, false, |_| {}));
}

/// Pinned: mounted US units dismount and are not Pinned; mounted Indians and Scouts retreat two
/// hexes, Disrupted; others are Pinned.
///
/// rosebud-creek 8.A, 9.D, 3.B, 16.B
#[test]
fn pinned_has_three_forms() {
    let mut g = bare();
    g.phase = Phase::Defensive;
    let a = ride(&mut g, "3A", "1711");
    let h = ride(&mut g, "H1", "1710");
    let s = ride(&mut g, "OLD", "1511");
    let holder = foot(&mut g, "3EH", "1911");
    let pony = foot(&mut g, "H2H", "2111");
    let pin = |g: &State, u, foe: &str, dice: &[i64]| {
        let cause =
            fire::Cause { from: hex(g, foe), foe: g.here(hex(g, foe)).next().expect("a foe"), volley: Some(FULL) };
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            morale::pin(&t, &mut g, u, cause).await;
            g
        });
        trial.dice("lost horses", dice.to_vec()).start().over()
    };
    let end = pin(&g, a, "1710", &[]);
    assert_eq!(
        (end.unit(a).mode, end.unit(a).pinned, end.unit(a).disrupted, at(&end, "3AH")),
        (Mode::Dismounted, false, false, "1711".to_owned())
    );
    let end = pin(&g, h, "1711", &[]);
    assert_eq!((end.unit(h).pinned, end.unit(h).disrupted), (false, true));
    assert_eq!(end.charts.grid.distance(end.hex(h).expect("there"), hex(&end, "1711")), 3);
    let end = pin(&g, s, "1710", &[]);
    assert!(!end.unit(s).pinned && end.unit(s).disrupted && at(&end, "OLD") != "1511");
    // Holders lose their mounts: US ones roll for capture, Pony Holders are removed.
    let end = pin(&g, holder, "1710", &[3]);
    assert!(end.unit(holder).mountless && end.unit(holder).pinned && end.vps == [0, 1]);
    let end = pin(&g, holder, "1710", &[4]);
    assert_eq!(end.vps, [0, 0], "not captured");
    let end = pin(&g, pony, "1711", &[]);
    assert_eq!(end.unit(pony).spot, Spot::Dead);
}

/// Lone Leaders can be targeted, Leaders with units cannot. A natural 2 endangers a Leader even
/// without an effect.
///
/// rosebud-creek 9.A, 9.E, 12.D
#[test]
fn leaders_under_fire() {
    let mut g = bare();
    foot(&mut g, "3A", "1710");
    lead(&mut g, "Gall", "1709");
    let alone = hex(&g, "1709");
    assert_eq!(fire::targets(&g, alone, Side::Indian).len(), 1);
    let run = shot(g.clone(), "3A", "Gall", FULL).dice("fire", [1, 1]).dice("leader loss", [1, 1]).start();
    assert_eq!(run.over().chief(leader(&g, "Gall")).spot, Spot::Dead);
    // Strength 5, density -1: the Casualty Point at dice of 12 has no effect in his hex except for
    // the check.
    let run = shot(g.clone(), "3A", "Gall", FULL).dice("fire", [6, 6]).dice("leader loss", [3, 3]).start();
    assert_eq!(run.over().vps, [0, 0]);
    foot(&mut g, "H1", "1709");
    assert!(!fire::targets(&g, alone, Side::Indian).contains(&Target::Leader(leader(&g, "Gall"))));
    let run =
        shot(g.clone(), "3A", "H1", FULL).dice("fire", [1, 1]).dice("leader loss", [2, 1]).dice("wound", [3]).start();
    let end = run.over();
    assert_eq!(end.chief(leader(&end, "Gall")).wound, Wound::Moderate);
    // Without a casualty or a 2, nobody is checked.
    let run = shot(g, "3A", "H1", FULL).dice("fire", [1, 2]).start();
    assert_eq!(run.over().vps, [0, 0]);
}

/// rosebud-creek 4.B, 9.D
#[test]
fn every_shot_is_listed() {
    let mut g = bare();
    let own = ["3A", "3E", "3I", "3M"];
    for id in own {
        foot(&mut g, id, "1710");
    }
    for id in ["H1", "H2", "H3", "H4", "C1", "C2", "C3"] {
        foot(&mut g, id, "1709");
    }
    let fires = volley::Fires::phase(Side::Us, Volley::Advance);
    let all = postrider_table::Prompt::options(&fires, &g, Seat(0));
    let shots = fires.apt(&g).len();
    assert!(shots == 28 && all.len() == shots + 2, "{shots} shots, {} options", all.len());
    let note = &all[1].note;
    let chance = fires.apt(&g)[0].2.1;
    let sum = f64::from(chance) * 4.0 / 36.0;
    assert!(own.iter().all(|id| note.contains(&format!("{id} at"))), "{note}");
    assert!(note.contains(&format!("{sum:.1} of 4 cost a point")), "{note}");
}

/// rosebud-creek 9.F, 14.A
#[test]
fn all_who_are_named_roll() {
    let mut g = bare();
    g.doctrine[0] = Doctrine { opportunity: FireWill::Yes, ..Doctrine::default() };
    ride(&mut g, "H1", "1710");
    for id in ["3A", "3E"] {
        foot(&mut g, id, "1709");
    }
    let trial = moving(&g, Side::Indian).dice("fire", [5, 5, 2, 3]).dice("ammunition", [1]);
    let mut run = trial.dice("morale", [1, 2]).start();
    run.say("h1 to 1711");
    let now = run.now();
    assert!(now.unit(unit(&now, "3E")).low_ammo);
    assert!(run.story().iter().any(|line| line.contains("nobody who is left")));
}

/// rosebud-creek 4.E, 16.G
#[test]
fn fire_behind_a_move_waits() {
    let mut g = bare();
    quiet(&mut g);
    let a = foot(&mut g, "3A", "1712");
    let h = foot(&mut g, "H1", "1709");
    let turn = |g: &State, said: &str, loses_target: bool| {
        let mut g = g.clone();
        g.phasing = Side::Us;
        let said = said.to_owned();
        let trial = Trial::new(g, move |t, mut g| async move {
            march::phase(&t, &mut g).await;
            if loses_target {
                g.put(h, Spot::Off);
            }
            volley::phase(&t, &mut g, Side::Us, Phase::Advance, fire::Volley::Advance).await;
            g
        });
        let dice: &[i64] = if loses_target { &[] } else { &[1, 2] };
        let mut run = trial.dice("fire", dice.iter().copied()).start();
        run.say(&said).say("done");
        assert!(run.asked().is_empty(), "nobody else can fire");
        (run.over().unit(a).did.advance.is_some(), run.story())
    };
    let (fired, story) = turn(&g, "3a 1711, fire h1", false);
    assert!(
        fired && story.iter().any(|line| line.starts_with("Advance Fire: Lawson (3A) at Crow King (H1)")),
        "{story:?}"
    );
    let (fired, story) = turn(&g, "3a 1711, fire h1", true);
    assert!(!fired && story.iter().any(|line| line.contains("Lawson (3A) does not fire")), "{story:?}");
    let refused = |g: &State, said: &str| moving(g, Side::Us).start().refused(said);
    assert!(refused(&g, "3a fire h1, 1711").contains("stands last"));
    assert!(refused(&g, "3a fire h1").contains("does not reach 1709"));
    g.unit_mut(a).did.fired = Some(Volume::Half);
    assert!(refused(&g, "3a 1711, fire h1").contains("has fired already"));
    // With the option, mounted Indians fire as Hit & Run; dismounted ones do not.
    let mut g = bare_with(Variant { hit_and_run: true, ..Variant::default() });
    quiet(&mut g);
    foot(&mut g, "3A", "1710");
    for (mode, at_once) in [(Mode::Mounted, true), (Mode::Dismounted, false)] {
        put(&mut g, "H1", "1711", mode);
        let dice: &[i64] = if at_once { &[1, 2] } else { &[] };
        let mut run = moving(&g, Side::Indian).dice("fire", dice.iter().copied()).start();
        run.say("h1 fire 3a");
        assert_eq!(run.story().iter().any(|line| line.starts_with("Hit & Run: Crow King")), at_once);
    }
    // 16.G: one that has fired as Hit & Run aims at nobody, also on foot.
    g.unit_mut(h).did.ran = true;
    assert!(moving(&g, Side::Indian).start().refused("h1 fire 3a").contains("cannot fire now"));
}

/// rosebud-creek 4, 4.E
#[test]
fn aims_last_until_advance_fire() {
    let mut g = bare();
    quiet(&mut g);
    foot(&mut g, "3A", "1712");
    foot(&mut g, "H1", "1709");
    let trial = Trial::new(g, |t, mut g| async move {
        play::player_turn(&t, &mut g, Side::Us).await;
        g
    });
    let mut run = trial.dice("fire", [1, 2]).start();
    run.say("done").say("3a 1711, fire h1").say("done");
    assert_eq!(run.asked(), [(Seat(1), "defensive-fire")]);
    run.say("done");
    assert!(run.over().aims.is_empty() && run.story().iter().any(|line| line.starts_with("Advance Fire: Lawson")));
}

/// rosebud-creek 4.B, 4.D, 4.E
#[test]
fn the_best_shot_is_chosen_in_its_turn() {
    let mut g = bare();
    quiet(&mut g);
    for id in ["H1", "H2"] {
        foot(&mut g, id, "1709");
    }
    // The mounted unit is easier to hit than the company on foot.
    let rider = ride(&mut g, "OLD", "1710");
    g.unit_mut(rider).losses = 5;
    foot(&mut g, "3A", "1710");
    g.phasing = Side::Us;
    let hit = dice_for(&g, "H1", "OLD", Volley::Defensive(Volume::Full), Outcome::One);
    let defend = |g: &State| {
        Trial::new(g.clone(), |t, mut g| async move {
            volley::phase(&t, &mut g, Side::Indian, Phase::Defensive, Volley::Defensive(Volume::Full)).await;
            g
        })
    };
    let fired = |said: &str| {
        let mut run = defend(&g).dice("fire", hit.into_iter().chain([1, 2])).any_dice([3; 20]).start();
        run.say(said);
        (run.asked().is_empty(), run.story().into_iter().filter(|line| line.starts_with("Defensive Fire")).count())
    };
    assert_eq!(fired("fire all at best"), (true, 2));
    assert_eq!(fired("fire h1 at old, rest at best"), (true, 2));
    // Without such a shot the order is refused, and the best chance is told.
    let mut run = defend(&g).start();
    assert!(run.refused("fire all at best 99").contains("the best, "), "{}", run.refused("fire all at best 99"));
    for said in ["fire all at best", "fire all at best 8", "fire h1 at old, rest at best 3"] {
        let order = run.read(said).unwrap_or_else(|why| panic!("{said}: {why}"));
        let seen = run.session.look().expect("it runs");
        let ticket = &seen.tickets[0];
        let again = ticket.prompt.say(&seen.state, ticket.seat, &order).unwrap_or_else(|| panic!("{said}: no words"));
        assert_eq!(run.read(&again).as_ref(), Ok(&order), "{said}: {again}");
    }
    run.check_options(20);
}

/// rosebud-creek 9.F
#[test]
fn the_rest_react_once() {
    let mut g = bare();
    let company = ["3A", "3E"].map(|id| foot(&mut g, id, "1710"));
    let foe = ride(&mut g, "H1", "1711");
    g.doctrine[0].opportunity = FireWill::Ask;
    let trial = Trial::new(g, move |t, mut g| async move {
        reaction::opportunity(&t, &mut g, &[foe]).await;
        g
    });
    let mut run = trial.dice("fire", [1, 2, 1, 2]).start();
    assert_eq!(run.read("fire 3a at h1, rest at best"), run.read("fire 3a at h1, 3e at h1"));
    run.say("fire 3a at h1, rest at best");
    let end = run.over();
    assert_eq!(company.map(|u| end.unit(u).did.reacted), [true; 2]);
    assert_eq!(run.story().iter().filter(|line| line.starts_with("Opportunity Fire: ")).count(), 2);
}

/// If several units leave, each firer chooses one.
///
/// rosebud-creek 9.F
#[test]
fn opportunity_fire_chooses_among_those_who_leave() {
    let mut g = bare();
    foot(&mut g, "3A", "1710");
    let foes = ["H1", "H2"].map(|id| ride(&mut g, id, "1711"));
    ride(&mut g, "H3", "1709");
    g.doctrine[0].opportunity = FireWill::Ask;
    let trial = Trial::new(g, move |t, mut g| async move {
        reaction::opportunity(&t, &mut g, &foes).await;
        g
    });
    let mut run = trial.dice("fire", [1, 2]).start();
    assert!(run.refused("fire 3a at h3").contains("9.A"), "it does not leave");
    run.say("fire 3a at h2");
    assert!(run.story().iter().any(|line| line.starts_with("Opportunity Fire: ") && line.contains("H2")));
}

/// The chances of a shot are those of its dice: at long range one Casualty Point is a Morale Check.
///
/// rosebud-creek 9.B, 9.D
#[test]
fn chances_are_those_of_the_dice() {
    let mut g = bare();
    quiet(&mut g);
    let h = foot(&mut g, "H1", "1710");
    let mut all = Vec::new();
    for (at, far) in [("1709", false), ("1708", true)] {
        let a = Target::Unit(ride(&mut g, "3A", at));
        let (least, drm) = (fire::thresholds(&g, h, hex(&g, at), FULL), fire::modifiers(&g, h, a).total());
        let sums = (1..=6).flat_map(|one| (1..=6).map(move |other| one + other));
        let outcomes: Vec<Outcome> = sums.map(|sum| fire::result(least, sum + drm, far)).collect();
        let n = |worst: Outcome| outcomes.iter().filter(|&&outcome| outcome >= worst).count() as u8;
        assert_eq!(fire::chances(&g, h, a, FULL), (n(Outcome::Mc), n(Outcome::One)), "{at}");
        all.push(n(Outcome::One));
    }
    assert!(all[0] > all[1], "{all:?}");
}

/// rosebud-creek 4.B, 9.B
#[test]
fn no_shot_without_effect_is_offered() {
    let mut g = bare();
    quiet(&mut g);
    // At two hexes a single Indian point fires below 1, which has no effect.
    let weak = foot(&mut g, "H1", "1710");
    g.unit_mut(weak).losses = g.cf(weak) - 1;
    foot(&mut g, "H2", "1709");
    foot(&mut g, "3A", "1708");
    let trial = Trial::new(g, |t, mut g| async move {
        volley::phase(&t, &mut g, Side::Indian, Phase::Offensive, FULL).await;
        g
    });
    let run = trial.start();
    assert_eq!(run.words(), ["done", "fire h2 at 3a"]);
    assert!(run.read("fire h1 at 3a").is_ok());
}

/// A line along a hexside passes two hexes: with a cliff on one of the two ways only, it does not cross the cliff
/// (house reading, as for the line of sight).
///
/// rosebud-creek 9.B, 9.C
#[test]
fn a_line_beside_a_cliff_does_not_cross_it() {
    let g = bare();
    let (grid, cliff) = (&g.charts.grid, |a, b| g.charts.cliff(a, b));
    let mut seen = [0; 2];
    for from in grid.hexes() {
        for to in grid.within(from, 2).filter(|&to| grid.distance(from, to) == 2) {
            let between: Vec<Hex> = grid.neighbours(from).filter(|&mid| grid.adjacent(mid, to)).collect();
            if between.len() < 2 || g.charts.level[from] >= g.charts.level[to] {
                continue;
            }
            let barred = between.iter().filter(|&&mid| cliff(from, mid) || cliff(mid, to)).count();
            if barred == 0 {
                continue;
            }
            let mut g = g.clone();
            let h = foot(&mut g, "H1", "1710");
            g.put(h, Spot::On(from));
            let factors = fire::strength(&g, h, to, FULL).1;
            assert_eq!(factors.contains(&Factor::UpCliff), barred == 2, "{} to {}", g.id(from), g.id(to));
            seen[barred - 1] += 1;
        }
    }
    assert!(seen.iter().all(|&n| n > 0), "{seen:?}");
}

/// A Pinned HQ deploys no Holder, unless it was marked Dismounted before.
///
/// rosebud-creek 12.E, 8.A, 9.D
#[test]
fn a_pinned_hq_deploys_no_holder() {
    let mut g = bare();
    quiet(&mut g);
    let hq = ride(&mut g, "HQ", "1710");
    ride(&mut g, "3A", "1810");
    foot(&mut g, "H1", "1709");
    let hit = |g: &State, at: &str| {
        let check = dice_for(g, "H1", at, Volley::Offensive(Volume::Full), Outcome::Mc);
        let trial = Trial::new(g.clone(), |t, mut g| async move {
            volley::phase(&t, &mut g, Side::Indian, Phase::Offensive, Volley::Offensive(Volume::Full)).await;
            g
        });
        let mut run = trial.dice("fire", check).dice("morale", [2, 2]).start();
        run.say(&format!("fire h1 at {at}"));
        run.now()
    };
    let end = hit(&g, "HQ");
    assert_eq!((end.unit(hq).pinned, end.unit(hq).mode, at(&end, "HQH").as_str()), (true, Mode::Mounted, "-"));
    assert_eq!((end.cf(hq), at(&end, "HQ").as_str()), (1, "1710"));
    let end = hit(&g, "3A");
    assert_eq!((end.unit(unit(&end, "3A")).pinned, at(&end, "3AH").as_str()), (false, "1810"), "8.A");
    // Recovered, it moves mounted.
    let mut pinned = hit(&g, "HQ");
    let h1 = unit(&pinned, "H1");
    pinned.put(h1, Spot::Pool);
    let mut run = rallying(&pinned, Side::Us).start();
    run.say("done");
    assert_eq!((run.over().unit(hq).pinned, run.over().unit(hq).mode), (false, Mode::Mounted));
}
