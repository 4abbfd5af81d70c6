//! Pursuit and advance after a melee (10.H.2, 10.H.3).

use super::super::{
    State,
    components::Side,
    doctrine::{About, BeforeWill, Doctrine},
    duties,
    pursuit::{self, Again, Chase},
    state::{Attacked, Mode, Spot},
    testing::*,
};
use postrider_table::Seat;

/// Attacker and defender, with clear hexes behind the defender.
const A: &str = "1610";
const D: &str = "1611";

/// Retreated units are pursued on a die of 1 or 2; another melee follows if the pursuers are
/// adjacent, before which no unit may retreat.
///
/// rosebud-creek 10.H
#[test]
fn pursuit() {
    let mut g = bare();
    g.doctrine[1] = Doctrine { before: BeforeWill::odds(1), ..Doctrine::default() };
    ride(&mut g, "3A", A);
    let h = foot(&mut g, "H1", D);
    g.unit_mut(h).losses = 4;
    let mut run = fighting(&g, Side::Us).dice("retreat before melee", [6]).dice("pursuit", [3]).start();
    run.say("melee 1611 with 3a pursue");
    assert_eq!(run.over().losses, [0, 0], "a 3 is too much");
    let mut run = fighting(&g, Side::Us)
        .dice("retreat before melee", [6])
        .dice("pursuit", [2])
        .dice("melee", [6])
        .dice("lost horses", [])
        .start();
    run.say("melee 1611 with 3a pursue");
    assert!(run.story().iter().any(|line| line.starts_with("Melee in")));
    let mut run = fighting(&g, Side::Us).dice("retreat before melee", [6]).start();
    run.say("melee 1611 with 3a");
    assert_eq!(at(&run.over(), "3A"), D, "without pursuit it only advances");
}

/// rosebud-creek 10.H
#[test]
fn pursuers_attack_again_as_they_like() {
    let mut g = bare();
    quiet(&mut g);
    g.doctrine[1].before = BeforeWill::odds(1);
    ride(&mut g, "3A", "1610");
    let h = foot(&mut g, "H1", D);
    // 6 to 4 is less than 2-1.
    g.unit_mut(h).losses = 2;
    let begin = |g: &State, how: &str, pursuit: &[i64], melee: &[i64]| {
        let trial = fighting(g, Side::Us).dice("retreat before melee", [6]).dice("pursuit", pursuit.iter().copied());
        let mut run = trial.dice("melee", melee.iter().copied()).start();
        run.say(&format!("melee 1611 with 3a {how}"));
        run
    };
    let fought = |run: &mut Running| {
        run.over();
        run.story().iter().any(|line| line.starts_with("Melee in"))
    };
    assert!(fought(&mut begin(&g, "pursue", &[2], &[3])));
    assert!(fought(&mut begin(&g, "pursue if 1-1", &[2], &[3])));
    assert!(!fought(&mut begin(&g, "pursue if 2-1", &[], &[])), "no die is rolled");
    // Exactly the given odds are enough: 6 to 6 is 1-1.
    let mut even = g.clone();
    even.unit_mut(h).losses = 0;
    assert!(fought(&mut begin(&even, "pursue if 1-1", &[2], &[3])));
    assert!(!fought(&mut begin(&g, "pursue only", &[2], &[])));
    let run = begin(&g, "pursue only", &[2], &[]);
    assert_eq!(far(&run.over(), "3A", &at(&run.over(), "H1")), 1, "it follows");
    for (yes, dice) in [("yes", &[3][..]), ("no", &[])] {
        let mut run = begin(&g, "pursue ask", &[2], dice);
        run.say("yes");
        // The player says where the unit goes; the first hex is as close as it comes.
        assert_eq!(run.asked(), [(Seat(0), "advance-to")]);
        let listed = run.words();
        assert!(listed.len() > 1, "{listed:?}");
        let mut behind = begin(&g, "pursue ask", &[2], &[]);
        behind.say("yes").say(&listed[listed.len() - 1]);
        assert_eq!(at(&behind.now(), "3A"), listed[listed.len() - 1]);
        run.say(&listed[0]);
        assert_eq!(run.asked(), [(Seat(0), "pursuit-attack")]);
        assert_eq!(fought(run.say(yes)), yes == "yes");
    }
    // Charging units must attack.
    let a = unit(&g, "3A");
    g.unit_mut(a).did.charge = Some(hex(&g, D));
    assert!(fought(&mut begin(&g, "pursue only", &[], &[3])));
}

/// H1 retreats to 1613, two hexes. Of three stacks those of 1610 and 1710 pursue by dice of 1 and 2,
/// and their player is asked about each; that of 1510 has a 3. An order may also name who pursues;
/// only their stacks roll.
///
/// rosebud-creek 10.H
#[test]
fn each_stack_pursues_as_its_player_says() {
    let mut g = bare();
    quiet(&mut g);
    g.doctrine[1].before = BeforeWill::odds(1);
    says(&mut g, Side::Indian, About::FallBack, "1613");
    let starts = [("3A", "1610"), ("3E", "1610"), ("3I", "1710"), ("3M", "1510")];
    starts.iter().for_each(|(id, at)| _ = ride(&mut g, id, at));
    ride(&mut g, "H1", D);
    let begin = |how: &str, pursuit: &[i64]| {
        let trial = fighting(&g, Side::Us).dice("retreat before melee", [6]).dice("pursuit", pursuit.iter().copied());
        let mut run = trial.start();
        run.say(&format!("melee 1611 with 3a 3e 3i 3m {how} no advance"));
        run
    };
    let moved = |run: &mut Running| {
        let end = run.over();
        assert_eq!(at(&end, "H1"), "1613");
        starts.map(|(id, from)| at(&end, id) != from)
    };
    // The stacks roll in the order of their hexes: 1510, 1610, 1710.
    for (first, second) in [("yes", "no"), ("no", "yes"), ("no", "no")] {
        let mut run = begin("pursue ask", &[3, 1, 2]);
        for (said, told) in [(first, "from 1610"), (second, "from 1710")] {
            assert_eq!(run.asked(), [(Seat(0), "pursuit")]);
            run.check_options(2);
            let letter = format!("{:?}", run.reads());
            assert!(letter.contains(told), "{letter}");
            run.say(said);
            while run.asked() == [(Seat(0), "advance-to")] {
                let closest = run.words()[0].clone();
                run.say(&closest);
            }
        }
        // Units that are now adjacent to H1 may attack it.
        if first == "yes" || second == "yes" {
            assert_eq!(run.asked(), [(Seat(0), "pursuit-attack")]);
            run.say("no");
        }
        let [a, i] = [first, second].map(|said| said == "yes");
        assert_eq!(moved(&mut run), [a, a, i, false], "{first} {second}");
    }
    let mut run = begin("pursue 3i only", &[1]);
    assert_eq!(moved(&mut run), [false, false, true, false]);
    let mut run = begin("pursue 3e 3m only", &[1, 2]);
    assert_eq!(moved(&mut run), [false, true, false, true]);
    let mut run = fighting(&g, Side::Us).start();
    let why = run.refused("melee 1611 with 3a pursue 3m");
    assert!(why.contains("10.H.2"), "{why}");
}

/// A company that charged has to attack after its pursuit, also at bad odds; the other of its hex may
/// then attack no other hex, at better odds.
///
/// rosebud-creek 10.B, 10.H, 16.A
#[test]
fn pursuers_of_a_hex_attack_one_hex() {
    let mut g = bare();
    quiet(&mut g);
    g.doctrine[1].before = BeforeWill::odds(1);
    says(&mut g, Side::Indian, About::FallBack, "ask");
    let a = ride(&mut g, "3A", A);
    ride(&mut g, "3E", A);
    g.unit_mut(a).did.charge = Some(hex(&g, D));
    foot(&mut g, "H1", D);
    let weak = foot(&mut g, "H2", D);
    g.unit_mut(weak).losses = 5;
    // Only from 1611 can they come beside both.
    for (id, at) in [("C1", "1510"), ("C2", "1710")] {
        foot(&mut g, id, at);
    }
    let trial = fighting(&g, Side::Us).dice("retreat before melee", [6, 6]).dice("pursuit", [1]);
    let mut run = trial.any_dice([3]).start();
    run.say("melee 1611 with 3a 3e pursue if 3-1 no advance").say("1511").say("1612");
    let told = run.story();
    let melees: Vec<&String> = told.iter().filter(|line| line.starts_with("Melee in")).collect();
    assert!(matches!(&melees[..], [only] if only.contains("6 to 6")), "{told:?}");
}

/// rosebud-creek 10.H, 16.B
#[test]
fn holders_beside_the_pursued_lose_their_mounts() {
    let mut g = bare();
    quiet(&mut g);
    g.doctrine[1].before = BeforeWill::odds(1);
    ride(&mut g, "3A", "1610");
    foot(&mut g, "H1", D);
    let begin = |g: &State, how: &str| {
        let trial = fighting(g, Side::Us).dice("retreat before melee", [6]).dice("pursuit", [2]);
        trial.any_dice([6, 3]).start().say(&format!("melee 1611 with 3a {how}")).now()
    };
    let there = at(&begin(&g, "pursue only"), "H1");
    let ponies = foot(&mut g, "H2H", &there);
    assert!(g.unit(ponies).spot != Spot::Dead);
    let end = begin(&g, "pursue");
    assert_eq!(end.unit(ponies).spot, Spot::Dead, "{there}");
    assert_ne!(begin(&g, "pursue only").unit(ponies).spot, Spot::Dead);
}

/// rosebud-creek 10.H
#[test]
fn some_of_a_stack_advance() {
    let mut g = bare();
    quiet(&mut g);
    foot(&mut g, "3A", "1610");
    foot(&mut g, "3E", "1610");
    foot(&mut g, "3I", "1610");
    let h = foot(&mut g, "H1", D);
    g.unit_mut(h).routed = true;
    let mut run = fighting(&g, Side::Us).dice("retreat before melee", [6]).start();
    assert!(run.refused("melee 1611 with 3a 3e advance 3i").contains("10.H.3"));
    run.say("melee 1611 with 3a 3e advance 3e");
    assert_eq!(["3A", "3E", "3I"].map(|id| at(&run.over(), id)), ["1610", D, "1610"]);
    fighting(&g, Side::Us).start().check_options(40);
}

/// rosebud-creek 10.H
#[test]
fn an_attacker_of_another_hex_may_advance() {
    let mut g = bare();
    quiet(&mut g);
    let near = |g: &State, of: &str| g.charts.grid.neighbours(hex(g, of)).map(|hex| g.id(hex)).collect::<Vec<_>>();
    let post = near(&g, D).into_iter().find(|post| post != "1610").expect("another neighbour");
    let other = near(&g, &post).into_iter().find(|at| at != D && !near(&g, "1610").contains(at)).expect("a third hex");
    foot(&mut g, "3A", "1610");
    foot(&mut g, "3I", &post);
    for (id, at) in [("H1", D), ("H2", other.as_str())] {
        let h = foot(&mut g, id, at);
        g.unit_mut(h).routed = true;
    }
    foot(&mut g, "3AH", "1610");
    let fights = |orders: [&str; 2]| {
        let mut run = fighting(&g, Side::Us).dice("retreat before melee", [6, 6]).start();
        assert!(run.refused("melee 1611 with 3a advance 3ah").contains("does not attack"));
        orders.iter().for_each(|order| _ = run.say(order));
        if !run.asked().is_empty() {
            run.say("done");
        }
        ["3A", "3I"].map(|id| at(&run.now(), id))
    };
    let own = format!("melee {other} with 3i no advance");
    assert_eq!(fights([&own, "melee 1611 with 3a advance 3i"]), ["1610", D]);
    assert_eq!(fights(["melee 1611 with 3a advance 3i", &own]), ["1610", D], "it attacks later");
    assert_eq!(fights(["melee 1611 with 3a advance 3i", "done"]), ["1610", &*post], "it does not attack");
}

/// A pursuer that wins a melee advances into the hex of that melee. If it is named, it may also
/// return to the hex attacked first, and is asked if both are open.
///
/// rosebud-creek 10.H
#[test]
fn pursuers_advance_into_the_hex_just_won_or_come_back() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Indian, About::BeforeMelee, "odds 1");
    says(&mut g, Side::Indian, About::FallBack, "1613");
    ride(&mut g, "3A", "1610");
    ride(&mut g, "3E", "1610");
    let h = ride(&mut g, "H1", "1611");
    g.unit_mut(h).losses = 4;
    let begin = || fighting(&g, Side::Us).dice("retreat before melee", [6]).dice("pursuit", [1]);
    let mut run = begin().dice("melee", [6]).start();
    run.say("melee 1611 with 3a 3e pursue");
    let story = run.story();
    let fled = story.iter().find_map(|line| line.split_once("Retreats before melee to ")).expect("it goes").1;
    let fled = fled[..4].to_owned();
    let end = run.over();
    assert_ne!(end.hex(h), Some(hex(&g, &fled)), "it lost its hex: {story:?}");
    assert_eq!(at(&end, "3A"), fled);
    for to in [&*fled, "1611"] {
        let mut run = begin().dice("melee", [6]).start();
        run.say("melee 1611 with 3a 3e pursue advance 3a");
        assert_eq!(run.asked(), [(Seat(0), "advance-to")]);
        run.check_options(3);
        run.say(to);
        assert_eq!(at(&run.over(), "3A"), to);
        assert_eq!(far(&run.over(), "3E", "1611"), 1, "nobody named it");
    }
    // A pursuer that does not fight again stays, unless it is named.
    for (how, away) in [("pursue only", 1), ("pursue only advance 3a", 0)] {
        let mut run = begin().start();
        run.say(&format!("melee 1611 with 3a 3e {how}"));
        assert_eq!((far(&run.over(), "3A", "1611"), far(&run.over(), "3E", "1611")), (away, 1));
    }
}

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
    assert!(!again(&g, "h1"));
    assert!(again(&g, "h2"), "with Gall it does");
    g.losses[Side::Indian.index()] = 16;
    assert!(again(&g, "h1"), "before so many casualties it does too");
}

/// rosebud-creek 10.H, 16.D
#[test]
fn nobody_advances_away_from_the_eagles_nest() {
    let mut g = bare();
    let (c, a) = (foot(&mut g, "3C", "3115"), foot(&mut g, "3A", "3115"));
    let van_vliet = lead(&mut g, "Van Vliet", "3115");
    g.chief_mut(van_vliet).with = Some(c);
    let (from, to) = (hex(&g, "3115"), hex(&g, "3215"));
    assert_eq!([from, to].map(|hex| g.charts.grid.distance(hex, g.charts.eagles_nest)), [3, 4]);
    let advance = |g: &State| {
        let mut g = g.clone();
        g.attacked.push(Attacked { at: to, from: vec![from], advancing: vec![c, a] });
        [c, a].into_iter().for_each(|u| g.unit_mut(u).did.fought = true);
        let trial = Trial::new(g, |t, mut g| async move {
            pursuit::advances(&t, &mut g).await;
            g
        });
        let end = trial.start().over();
        [c, a].map(|u| end.hex(u) == Some(to))
    };
    assert_eq!(advance(&g), [false, true]);
    // With Van Vliet in its hex it does not advance either.
    g.chief_mut(van_vliet).with = Some(a);
    assert_eq!(advance(&g), [false, false]);
    assert!(!duties::lets(&g, c, from, to));
    g.eagle_free = true;
    assert_eq!(advance(&g), [true, true]);
}

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
        g.attacked.push(Attacked { at, from: vec![from], advancing: all.clone() });
        all.iter().for_each(|&u| g.unit_mut(u).did.fought = true);
        let trial = Trial::new(g, |t, mut g| async move {
            pursuit::advances(&t, &mut g).await;
            g
        });
        let end = trial.start().over();
        all.iter().filter(|&&u| end.hex(u) == Some(at)).count()
    };
    assert_eq!(advance(&g), 1);
    // Four may stay without units.
    let pony = unit(&g, "H5H");
    g.put(pony, Spot::Pool);
    assert_eq!(advance(&g), 6);
}

/// rosebud-creek 7.B, 10.D, 10.H
#[test]
fn nobody_advances_across_a_cliff() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "2814");
    for (to, goes) in [("2815", false), ("2813", true)] {
        let [from, to] = ["2814", to].map(|id| hex(&g, id));
        assert_eq!(g.charts.cliff(from, to), !goes);
        let mut g = g.clone();
        g.attacked.push(Attacked { at: to, from: vec![from], advancing: vec![a] });
        g.unit_mut(a).did.fought = true;
        let trial = Trial::new(g, |t, mut g| async move {
            pursuit::advances(&t, &mut g).await;
            g
        });
        assert_eq!(trial.start().over().hex(a), Some(if goes { to } else { from }));
    }
}

/// Puts units of the US into a hex until it has 25 Combat Factors.
fn fill(g: &mut State, at: &str) {
    for id in ["2A", "2B", "2D", "2E", "2I"] {
        foot(g, id, at);
    }
    assert_eq!(g.stacked(hex(g, at)), 25);
}

/// H1 retreats to 1512. 3I in 1711 could become adjacent to it in 1612, which is full; so it rides
/// past the hex that was attacked to 1511.
///
/// rosebud-creek 6, 10.H
#[test]
fn pursuers_go_around_a_full_hex() {
    let mut g = bare();
    quiet(&mut g);
    g.doctrine[1].before = BeforeWill::odds(1);
    says(&mut g, Side::Indian, About::FallBack, "1512");
    ride(&mut g, "3A", "1610");
    ride(&mut g, "3E", "1610");
    ride(&mut g, "3I", "1711");
    ride(&mut g, "H1", D);
    let pursues = |g: &State| {
        let mut run = fighting(g, Side::Us).dice("retreat before melee", [6]).dice("pursuit", [3, 1]).start();
        run.say("melee 1611 with 3a 3e 3i pursue only no advance");
        let end = run.over();
        assert_eq!(at(&end, "H1"), "1512");
        ["3A", "3I"].map(|id| at(&end, id))
    };
    assert_eq!(pursues(&g), ["1610", "1612"]);
    fill(&mut g, "1612");
    // Routed, so that H1 does not avoid their ZOC.
    for u in g.here(hex(&g, "1612")).collect::<Vec<_>>() {
        g.unit_mut(u).routed = true;
    }
    assert_eq!(pursues(&g), ["1610", "1511"]);
}

/// rosebud-creek 6, 10.H
#[test]
fn pursuers_pass_a_full_hex() {
    let mut g = bare();
    quiet(&mut g);
    g.phasing = Side::Us;
    let (a, h) = (ride(&mut g, "3A", "1710"), ride(&mut g, "H1", "1713"));
    fill(&mut g, "1711");
    let chase = |g: &State, mode: Mode| {
        let mut g = g.clone();
        g.unit_mut(a).mode = mode;
        let trial = Trial::new(g, move |t, mut g| async move {
            let will = Chase { pursuing: vec![a], again: Again::Never, advancing: Vec::new(), named: false };
            let there = hex(&g, "1811");
            pursuit::chase(&t, &mut g, &[a], there, &[h], will).await;
            g
        });
        at(&trial.dice("pursuit", [1]).start().over(), "3A")
    };
    assert_eq!(chase(&g, Mode::Mounted), "1712", "two hexes");
    assert_eq!(chase(&g, Mode::Dismounted), "1710", "one hex");
    // If that is full too, it comes within two hexes.
    let second = ["9C", "9G", "9H", "4D", "4F", "3C", "3G"];
    second.iter().for_each(|id| _ = foot(&mut g, id, "1712"));
    assert!(g.stacked(hex(&g, "1712")) > 20);
    assert_eq!(chase(&g, Mode::Mounted), "1612");
}
