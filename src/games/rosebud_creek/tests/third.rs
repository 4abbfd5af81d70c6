//! What version 3 of the rules does otherwise: each amendment, beside what version 2 did.

use super::super::{
    State,
    components::Side,
    doctrine::{About, BeforeWill, Doctrine, FireWill},
    melee,
    testing::*,
};
use crate::table::Seat;

/// The same position in a game of version 2.
pub(super) fn old(g: &State) -> State {
    let mut g = g.clone();
    g.variant.version = 2;
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

/// A side says this of a standing order; of version 2 only where that has it.
pub(super) fn says(g: &mut State, side: Side, about: About, how: &str) {
    let new = g.doctrine[side.index()].with(about, how, &g.charts.grid).expect("a doctrine");
    g.doctrine[side.index()] = new;
}

/// Nobody fires in a reaction.
pub(super) fn quiet(g: &mut State) {
    for side in [0, 1] {
        g.doctrine[side] = Doctrine {
            before: BeforeWill::Stand,
            opportunity: FireWill::No,
            retreat: FireWill::No,
            ..Doctrine::default()
        };
    }
}

/// How far a unit is from a hex.
pub(super) fn far(g: &State, id: &str, from: &str) -> u16 {
    g.charts.grid.distance(g.hex(unit(g, id)).expect("on the map"), hex(g, from))
}

/// Behind this hex all is clear.
const D: &str = "1611";

/// Any of the units may try, and who may go says how far, or stays; mounted two hexes at most, on foot one.
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
        // The others are asked about by themselves, and stand.
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
    // No is no: nobody is asked how far.
    let mut run = begin(&g, &[1]);
    run.say("h3");
    assert_eq!(run.asked(), [(Seat(1), "stand-or-go")]);
    run.say("stand");
    assert_eq!(far(&run.over(), "H3", D), 0);
    // A Routed unit tries first and unasked; the owner says only how far it goes.
    let routed = unit(&g, "H1");
    g.unit_mut(routed).routed = true;
    let mut run = fighting(&g, Side::Us).dice("retreat before melee", [6]).dice("melee", [3]).start();
    run.say("melee 1611 with 3a no advance");
    assert_eq!(
        (run.asked(), run.words()),
        (vec![(Seat(1), "how-far")], vec!["two hexes".to_owned(), "one hex".to_owned()])
    );
    run.say("one hex").say("stand");
    assert_eq!(far(&run.over(), "H1", D), 1);
    // Version 2: all of a kind, as far as they can.
    g.unit_mut(routed).routed = false;
    let mut run = fighting(&old(&g), Side::Us).dice("retreat before melee", [6; 3]).start();
    run.say("melee 1611 with 3a no advance");
    assert_eq!(run.words(), ["stand", "singly", "together", "mounted only"]);
    run.say("singly");
    assert_eq!(["H1", "H2", "H3"].map(|id| far(&run.over(), id, D)), [2, 2, 1]);
}

/// A doctrine can keep mounted units to one hex; version 2 knows no such word.
///
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
    let said = |g: &State| fighting(g, Side::Us).start().try_say("doctrine before melee: odds 2 mounted short");
    assert_eq!(said(&g), Ok(()));
    assert!(said(&old(&g)).is_err_and(|why| why.contains("can be said")));
}

/// Pursuers attack again as their player has said: always, from some odds on, never, or as he then says; in version 2 always. Below
/// these odds nobody pursues at all.
///
/// rosebud-creek 10.H
#[test]
fn pursuers_attack_again_as_they_like() {
    let mut g = bare();
    quiet(&mut g);
    g.doctrine[1].before = BeforeWill::odds(1);
    ride(&mut g, "3A", "1610");
    let h = foot(&mut g, "H1", D);
    // 6 to 4: no odds of 2-1.
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
    assert!(!fought(&mut begin(&g, "pursue only", &[2], &[])));
    let mut run = begin(&g, "pursue only", &[2], &[]);
    assert_eq!(far(&run.over(), "3A", &at(&run.over(), "H1")), 1, "it follows");
    for (yes, dice) in [("yes", &[3][..]), ("no", &[])] {
        let mut run = begin(&g, "pursue ask", &[2], dice);
        assert_eq!(run.asked(), [(Seat(0), "pursuit-attack")]);
        assert_eq!(fought(run.say(yes)), yes == "yes");
    }
    // Who charges has to engage.
    let a = unit(&g, "3A");
    g.unit_mut(a).did.charge = Some(hex(&g, D));
    assert!(fought(&mut begin(&g, "pursue only", &[], &[3])));
    assert!(fighting(&old(&g), Side::Us).start().refused("melee 1611 with 3a pursue only").contains("10.H.2"));
}

/// One unit of a stack advances, the others stay; only attackers do.
///
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
    let mut run = fighting(&old(&g), Side::Us).start();
    assert!(run.refused("melee 1611 with 3a 3e advance 3e").contains("10.H.2"));
    fighting(&g, Side::Us).start().check_options(40);
}

/// Two stacks of one strength attack: the attacker says which of them the defender falls back from; else the first hex counts, and
/// where one is stronger no word helps.
///
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
    // It rides two hexes; where the second may be hangs on it.
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
    let mut run = fighting(&old(&g), Side::Us).start();
    assert!(run.refused("melee 1611 with 3a 3e from 1710").contains("10.I"));
}
