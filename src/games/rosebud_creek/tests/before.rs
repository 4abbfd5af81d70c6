//! Retreat Before Melee (10.H.1).

use super::super::{
    State, before,
    components::{Class, Side},
    doctrine::{About, BeforeWill, Doctrine, FireWill},
    retreat::{self, Flight},
    state::{Chief, Mode, Phase, Spot},
    testing::*,
};
use postrider_table::Seat;

/// Attacker and defender, with clear hexes behind the defender.
const A: &str = "1610";
const D: &str = "1611";

fn going(g: &State, at: &str, attackers: &[&str]) -> Trial {
    going_by(g, at, attackers, 6)
}

/// Like [`going`], with this die.
fn going_by(g: &State, at: &str, attackers: &[&str], die: i64) -> Trial {
    let mut g = g.clone();
    (g.phase, g.phasing) = (Phase::Melee, g.side(unit(&g, attackers[0])));
    let (at, attackers) = (hex(&g, at), attackers.iter().map(|id| unit(&g, id)).collect::<Vec<_>>());
    let trial = Trial::new(g, move |t, mut g| async move {
        before::retreat(&t, &mut g, at, &attackers, None).await;
        g
    });
    trial.dice("retreat before melee", [die])
}

/// Defenders may try to retreat first: yes, no, or no and Disrupted; only units outside the melee
/// use Opportunity Fire.
///
/// rosebud-creek 10.H, 9.F, 10.B
#[test]
fn retreat_before_melee() {
    let mut g = bare();
    g.doctrine[1] = Doctrine { before: BeforeWill::odds(1), ..Doctrine::default() };
    foot(&mut g, "3A", A);
    foot(&mut g, "3E", A);
    let h = ride(&mut g, "H1", D);
    g.phase = Phase::Melee;
    let drm = |g: &State| before::modifiers(g, &[h]).total();
    assert_eq!(drm(&g), 1);
    lead(&mut g, "Gall", D);
    assert_eq!(drm(&g), 3);
    let gall = leader(&g, "Gall");
    *g.chief_mut(gall) = Chief::default();
    g.unit_mut(h).disrupted = true;
    assert_eq!(drm(&g), 0);
    g.unit_mut(h).disrupted = false;
    // 3 + 1: yes, two hexes mounted, without pursuit; the attackers advance into the vacated hex.
    let mut run = fighting(&g, Side::Us).dice("retreat before melee", [3]).start();
    run.say("melee 1611 with 3a 3e");
    let end = run.over();
    let far = end.hex(h).map(|hex| end.charts.grid.distance(hex, super::super::testing::hex(&end, A)));
    assert_eq!((far, end.unit(h).disrupted, at(&end, "3A")), (Some(3), false, D.to_owned()));
    // 2 + 1: no. On foot and Disrupted, 1 - 1: no, and Disrupted.
    let mut run = fighting(&g, Side::Us).dice("retreat before melee", [2]).dice("melee", [3]).start();
    run.say("melee 1611 with 3a 3e");
    assert!(run.story().iter().any(|line| line.contains("DRM +1: mounted +1, is 3: no.")));
    g.unit_mut(h).mode = Mode::Dismounted;
    let mut run = fighting(&g, Side::Us).dice("retreat before melee", [1]).dice("melee", [3]).start();
    run.say("melee 1611 with 3a 3e");
    assert!(run.story().iter().any(|line| line.contains("no, Disrupted")));
    // On foot a 1 Disrupts it, a 2 does not.
    g.unit_mut(h).disrupted = false;
    for (die, disrupted) in [(1, true), (2, false)] {
        let end = going_by(&g, D, &["3A", "3E"], die).start().over();
        assert_eq!((at(&end, "H1").as_str(), end.unit(h).disrupted), (D, disrupted), "a {die}");
    }
    // Pinned units stay; Routed ones must try.
    g.unit_mut(h).pinned = true;
    let mut run = fighting(&g, Side::Us).dice("melee", [3]).start();
    run.say("melee 1611 with 3a 3e");
    g.unit_mut(h).pinned = false;
    g.unit_mut(h).routed = true;
    quiet(&mut g);
    let mut run = fighting(&g, Side::Us).dice("retreat before melee", [6]).start();
    run.say("melee 1611 with 3a 3e");
    assert_eq!(at(&run.over(), "3A"), D);
}

/// rosebud-creek 6.A, 10.H, 10.I
#[test]
fn who_retreats_into_a_full_hex_goes_on() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Indian, About::BeforeMelee, "odds 1");
    foot(&mut g, "3A", A);
    let h = foot(&mut g, "H1", D);
    g.unit_mut(h).losses = 4;
    let behind: Vec<String> = g
        .charts
        .grid
        .neighbours(hex(&g, D))
        .filter(|&to| g.charts.grid.distance(to, hex(&g, A)) == 2)
        .map(|to| g.id(to))
        .collect();
    let others: Vec<String> =
        g.c.unit_ids().filter(|&u| g.class(u) == Class::Warrior && u != h).map(|u| g.name(u)).collect();
    let mut others = others.iter();
    for at in &behind {
        while g.stacked(hex(&g, at)) + g.stacking(h) <= 25 {
            foot(&mut g, others.next().expect("a warrior"), at);
        }
    }
    let mut run = fighting(&g, Side::Us).dice("retreat before melee", [6]).start();
    run.say("melee 1611 with 3a");
    let end = run.over();
    let to = end.hex(h).expect("on the map");
    assert!(!behind.contains(&end.id(to)) && end.stacked(to) <= 25, "{}", end.id(to));
}

/// Any of the units may try; a successful one goes as far as its owner chooses, or stays: at most
/// two hexes mounted, one on foot.
///
/// rosebud-creek 10.H
#[test]
fn the_owner_says_who_goes_before_a_melee_and_how_far() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Indian, About::BeforeMelee, "ask");
    foot(&mut g, "3A", "1610");
    ride(&mut g, "H1", D);
    ride(&mut g, "H2", D);
    foot(&mut g, "H3", D);
    let begin = |g: &State, dice: &[i64]| {
        let trial = fighting(g, Side::Us).dice("retreat before melee", dice.iter().copied());
        let mut run = trial.dice("melee", [3]).start();
        run.say("melee 1611 with 3a no advance");
        assert_eq!(run.asked(), [(Seat(1), "stand-or-go")]);
        run.check_options(8);
        run
    };
    for (how, hexes) in [("two hexes", 2), ("one hex", 1), ("stay", 0)] {
        let mut run = begin(&g, &[6]);
        run.say("h1");
        assert_eq!(run.asked(), [(Seat(1), "how-far")]);
        run.check_options(8);
        assert_eq!(run.words(), ["two hexes", "one hex", "stay"]);
        run.say(how);
        // The owner is then asked about the other units, which stand.
        assert_eq!(run.asked(), [(Seat(1), "stand-or-go")]);
        assert!(!run.words().contains(&"h1".to_owned()) && run.words().contains(&"h2".to_owned()));
        run.say("stand");
        assert_eq!(["H1", "H2", "H3"].map(|id| far(&run.over(), id, D)), [hexes, 0, 0], "{how}");
    }
    // On foot one hex, or none.
    let mut run = begin(&g, &[6]);
    run.say("h3");
    assert_eq!(run.words(), ["one hex", "stay"]);
    run.say("one hex").say("stand");
    assert_eq!(far(&run.over(), "H3", D), 1);
    // After a failure there is no question about the distance.
    let mut run = begin(&g, &[1]);
    run.say("h3");
    assert_eq!(run.asked(), [(Seat(1), "stand-or-go")]);
    run.say("stand");
    assert_eq!(far(&run.over(), "H3", D), 0);
    // A Routed unit tries whatever its owner says of the others; he chooses only the distance.
    let routed = unit(&g, "H1");
    g.unit_mut(routed).routed = true;
    let mut run = begin(&g, &[6]);
    run.say("stand");
    assert_eq!(
        (run.asked(), run.words()),
        (vec![(Seat(1), "how-far")], vec!["two hexes".to_owned(), "one hex".to_owned()])
    );
    run.say("one hex");
    assert_eq!(["H1", "H2"].map(|id| far(&run.over(), id, D)), [1, 0]);
}

/// One die for the entire stack also decides for its Routed units, with their modifier: with H1
/// Routed a 4 becomes a 3, and the stack stays. With two dice each unit tries by itself. H3 is
/// Pinned and stays.
///
/// rosebud-creek 10.H, 10.F
#[test]
fn one_die_is_for_the_routed_units_of_the_stack_too() {
    let mut g = bare();
    quiet(&mut g);
    ["3A", "3E", "3I"].iter().for_each(|id| _ = foot(&mut g, id, A));
    let units = ["H1", "H2", "H3"].map(|id| foot(&mut g, id, D));
    g.unit_mut(units[0]).routed = true;
    g.unit_mut(units[2]).pinned = true;
    assert_eq!(before::modifiers(&g, &units[..2]).total(), -1);
    let begin = |g: &State, how: &str, dice: &[i64]| {
        let mut g = g.clone();
        says(&mut g, Side::Indian, About::BeforeMelee, how);
        let trial = fighting(&g, Side::Us).dice("retreat before melee", dice.iter().copied()).any_dice([3; 8]);
        let mut run = trial.start();
        run.say("melee 1611 with 3a 3e 3i no advance");
        run
    };
    let gone = |run: &mut Running| {
        let story = run.story();
        ["Crow King", "Four Horns"]
            .map(|name| story.iter().any(|line| line.starts_with(name) && line.contains("Retreats before melee")))
    };
    for (how, dice, goes) in [
        ("odds 1 together", &[6][..], [true, true]),
        ("odds 1 together", &[4], [false, false]),
        ("odds 1", &[4, 4], [false, true]),
        ("odds 1", &[6, 1], [true, false]),
        ("stand", &[6], [true, false]),
    ] {
        let mut run = begin(&g, how, dice);
        assert_eq!(gone(&mut run), goes, "{how} {dice:?}");
    }
    let mut run = begin(&g, "ask", &[6]);
    assert_eq!(run.words(), ["stand", "singly", "together", "mounted only", "h2"]);
    run.say("together").say("one hex");
    assert_eq!(gone(&mut run), [true, true]);
    // After one of them has tried by itself the others do so too.
    let mut run = begin(&g, "ask", &[1, 1]);
    assert_eq!(run.say("h2").asked(), []);
    // Routed units alone choose only between one die and two, at any odds.
    g.unit_mut(units[1]).routed = true;
    let mut run = begin(&g, "ask", &[6]);
    assert_eq!(run.words(), ["singly", "together"]);
    assert_eq!(gone(run.say("together")), [true, true]);
    assert_eq!(gone(&mut begin(&g, "odds 5 together", &[6])), [true, true]);
}

/// rosebud-creek 10.H
#[test]
fn a_doctrine_can_keep_retreats_short() {
    let mut g = bare();
    quiet(&mut g);
    foot(&mut g, "3A", "1610");
    let h = ride(&mut g, "H1", D);
    g.unit_mut(h).losses = 4;
    let goes = |g: &State, how: &str| {
        let mut g = g.clone();
        says(&mut g, Side::Indian, About::BeforeMelee, how);
        let mut run = fighting(&g, Side::Us).dice("retreat before melee", [6]).start();
        run.say("melee 1611 with 3a no advance");
        far(&run.over(), "H1", D)
    };
    assert_eq!((goes(&g, "odds 1"), goes(&g, "odds 1 short")), (2, 1));
    for (how, mounted, together, short) in [
        ("odds 2", false, false, false),
        ("odds 2 mounted", true, false, false),
        ("odds 2 together", false, true, false),
        ("odds 2 mounted short", true, false, true),
    ] {
        let mut run = fighting(&g, Side::Us).start();
        run.say(&format!("doctrine before melee: {how}"));
        let will = BeforeWill::Odds { at: 2, mounted, together, short };
        assert_eq!(run.now().doctrine[Side::Us.index()].before, will, "{how}");
    }
}

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
    // Dice of 5 - 1 in a Morale Check: Pinned.
    let trial =
        fighting(&g, Side::Indian).dice("retreat before melee", [6]).dice("fire", [5, 6]).dice("morale", [2, 3]);
    let mut run = trial.start();
    run.say("melee 1710 with h1");
    let asked = run.asked();
    let now = run.now();
    assert_eq!(now.unit(a).mode, Mode::Dismounted, "{:?}", run.story());
    assert_eq!(now.hex(unit(&now, "3AH")), now.hex(a), "{:?}", run.story());
    assert!(asked.is_empty() && at(&now, "3A") != "1710");
}

/// rosebud-creek 5, 12.E
#[test]
fn the_hq_rides_in_a_retreat_before_melee() {
    let mut g = bare();
    let hq = ride(&mut g, "HQ", "1710");
    assert!(before::rides(&g, hq) && g.posture(hq) != Mode::Mounted);
    g.unit_mut(hq).mode = Mode::Dismounted;
    assert!(!before::rides(&g, hq));
    let a = ride(&mut g, "3A", "1710");
    assert!(before::rides(&g, a));
}

/// rosebud-creek 10.F
#[test]
fn a_routed_rider_stops_before_a_zoc() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Indian, About::FallBack, "ask");
    foot(&mut g, "3A", "1710");
    let h = ride(&mut g, "H1", "1711");
    g.unit_mut(h).routed = true;
    for (id, at) in [("3E", "1714"), ("3I", "1513"), ("3M", "1913")] {
        foot(&mut g, id, at);
    }
    let end = |g: &State| {
        let mut run = fighting(g, Side::Us).dice("retreat before melee", [6]).start();
        run.say("melee 1711 with 3a no advance");
        run.say("1712");
        run
    };
    assert_eq!(at(&end(&g).over(), "H1"), "1712");
    // If the second hex is free, it goes there.
    for id in ["3E", "3I", "3M"] {
        let u = unit(&g, id);
        g.put(u, Spot::Pool);
    }
    let mut run = end(&g);
    let next = run.words()[0].clone();
    assert_eq!(far(&run.say(&next).over(), "H1", "1710"), 3);
}

/// rosebud-creek 12.D, 16.B, 10.H
#[test]
fn who_is_without_a_combat_unit_does_not_retreat_before_melee() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Indian, About::BeforeMelee, "odds 1");
    foot(&mut g, "3A", "1610");
    foot(&mut g, "H1H", "1611");
    let gall = lead(&mut g, "Gall", "1611");
    // No die is rolled.
    let mut run = fighting(&g, Side::Us).start();
    run.say("melee 1611 with 3a");
    let end = run.over();
    assert_eq!((end.unit(unit(&g, "H1H")).spot, end.chief(gall).spot), (Spot::Dead, Spot::Dead));
    assert_eq!(at(&end, "3A"), "1611");
}

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
    assert_eq!(end(&g), 3);
    // A Routed company must go.
    g.unit_mut(c).routed = true;
    assert_eq!(end(&g), 4);
}

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
    assert_eq!(end(&g), Spot::On(hex(&g, "1600")));
    g.unit_mut(h).routed = true;
    assert_eq!(end(&g), Spot::Off);
}

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
    assert_eq!((fired(&g, true), fired(&g, false)), (false, true));
}

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
    let (fired, went) = shots(&g);
    assert!(fired > 0 && went == Some(2), "{fired}");
    // Without fire it also goes both hexes.
    says(&mut g, Side::Us, About::OpportunityFire, "no");
    assert_eq!(shots(&g), (0, Some(2)));
}

/// rosebud-creek 10.H
#[test]
fn a_doctrine_says_who_tries_to_go() {
    let odds = |at, mounted, together| BeforeWill::Odds { at, mounted, together, short: false };
    for (before, dice, gone) in [
        (BeforeWill::Stand, 0, [false, false]),
        (odds(1, false, false), 2, [true, true]),
        (odds(1, true, false), 1, [true, false]),
        (odds(1, false, true), 1, [true, true]),
        // Fifteen against 12 are 1-1.
        (odds(2, false, false), 0, [false, false]),
    ] {
        let mut g = bare();
        quiet(&mut g);
        let (rides, walks) = (ride(&mut g, "H1", D), foot(&mut g, "H2", D));
        let attackers = ["3A", "3E", "3I"].map(|id| foot(&mut g, id, A));
        g.doctrine[Side::Indian.index()].before = before;
        (g.phase, g.phasing) = (Phase::Melee, Side::Us);
        let at = hex(&g, D);
        let trial = Trial::new(g, move |t, mut g| async move {
            before::retreat(&t, &mut g, at, &attackers, None).await;
            g
        });
        let end = trial.dice("retreat before melee", vec![6; dice]).start().over();
        assert_eq!([rides, walks].map(|u| end.hex(u) != Some(at)), gone, "{before:?}");
    }
}

/// rosebud-creek 10.H
#[test]
fn the_last_hex_before_a_melee_is_the_wanted_one() {
    let mut g = bare();
    quiet(&mut g);
    foot(&mut g, "3A", A);
    foot(&mut g, "3E", A);
    ride(&mut g, "H1", D);
    let grid = g.charts.grid.clone();
    let (a, d) = (hex(&g, A), hex(&g, D));
    let two_away = grid.hexes().filter(|&to| grid.distance(to, a) == 3 && grid.distance(to, d) == 2);
    for goal in two_away.map(|to| g.id(to)).collect::<Vec<_>>() {
        says(&mut g, Side::Indian, About::BeforeMelee, "odds 1");
        says(&mut g, Side::Indian, About::FallBack, &goal);
        assert_eq!(at(&going(&g, D, &["3A", "3E"]).start().over(), "H1"), goal);
    }
}

/// rosebud-creek 10.H, 15.B
#[test]
fn a_train_routed_as_it_leaves_stays_abandoned() {
    let mut g = bare();
    g.doctrine[0] = Doctrine { before: BeforeWill::odds(1), ..Doctrine::default() };
    g.doctrine[1] = Doctrine { opportunity: FireWill::Yes, retreat: FireWill::No, ..Doctrine::default() };
    let train = foot(&mut g, "PTA", "1710");
    foot(&mut g, "H1", "1709");
    foot(&mut g, "H2", "1810");
    let trial =
        fighting(&g, Side::Indian).dice("retreat before melee", [6]).dice("fire", [5, 6]).dice("morale", [1, 1]);
    let mut run = trial.start();
    run.say("melee 1710 with h1 no advance");
    let now = run.now();
    assert_eq!((at(&now, "PTA").as_str(), now.unit(train).abandoned), ("1710", true), "{:?}", run.story());
    assert!(at(&now, "PPA") != "1710");
}
