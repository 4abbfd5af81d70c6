//! Melee on the battle board (10.6).

use super::{
    super::{
        battle::{self, Stand},
        components::*,
        state::*,
        testing::*,
    },
    board::{board, head, set, stand},
};
use postrider_table::status::Condition;

/// dark-and-bloody-ground 10.4.1
#[test]
fn who_has_retreated_into_a_hex_has_no_part_in_its_melee() {
    let mut g = board(Terrain::Settled);
    for _ in 0..2 {
        stand(&mut g, "regular", "0806");
    }
    let attackers = [stand(&mut g, "Shawnee", "0805"), stand(&mut g, "Shawnee", "0805")];
    let hex = g.field().grid.hex("0806").expect("a hex");
    let odds = |g: &State| {
        let odds = battle::odds(g, &attackers, hex);
        (odds.defence, odds.column, odds.shifts.total())
    };
    let alone = odds(&g);
    let came = stand(&mut g, "kentucky-militia", "0806");
    set(&mut g, came, Condition::Disrupted);
    assert_ne!(odds(&g), alone, "one that stood there before counts");
    g.battle_mut().pieces[came].used = true;
    assert_eq!(odds(&g), alone);
    // It counts if no other unit defends.
    let before: Vec<usize> = g.in_hex(hex).filter(|&i| i != came).collect();
    before.into_iter().for_each(|i| g.slay(i));
    let counted = odds(&g);
    g.battle_mut().pieces[came].used = false;
    assert_eq!(odds(&g), counted);
}

/// dark-and-bloody-ground 10.6.2, 10.6
#[test]
fn odds_are_rounded_before_a_leader_is_at_risk() {
    let mut g = board(Terrain::Settled);
    // Two warriors in woods are 4, three in the open are 3.
    for id in ["0711", "0711", "0610", "0810", "0810"] {
        stand(&mut g, "Shawnee", id);
    }
    let target = g.field().grid.hex("0710").expect("a hex");
    for _ in 0..2 {
        stand(&mut g, "regular", "0710");
    }
    head(&mut g, "Hamtramck", "0710");
    g.commitment = 1;
    let all: Vec<usize> = (0..5).collect();
    let odds = battle::odds(&g, &all, target);
    assert_eq!((odds.attack.to_string(), odds.defence.to_string()), ("7".to_owned(), "2".to_owned()));
    let mut trial = Trial::new(g, |t, mut g| async move {
        battle::melee_for_tests(&t, &mut g, Side::Na).await;
        g
    })
    .dice("melee", [6])
    .dice("leader in melee", [5])
    .any_dice([1, 1])
    .start();
    trial.say("melee 0710 with shawnee 1, shawnee 2, shawnee 3, shawnee 4, shawnee 5");
    trial.all_first();
    // 7 to 2 is just 3-1, so a 5 spares him.
    assert_ne!(trial.over().battle().heads[0].stand, Stand::Dead);
}

/// A melee of the Native Americans at 0806, with the die of the melee and those that follow it by
/// label.
fn melee(g: State, words: &str, die: i64, dice: &[(&'static str, i64)]) -> Running {
    let mut trial = Trial::new(g, |t, mut g| async move {
        battle::melee_for_tests(&t, &mut g, Side::Na).await;
        g
    })
    .dice("melee", [die]);
    for &(label, die) in dice {
        trial = trial.dice(label, [die]);
    }
    let mut run = trial.start();
    run.say(words);
    run
}

/// Answers the remaining questions: retreats past no enemy where possible.
fn finished(mut run: Running) -> State {
    while !run.asked().is_empty() {
        let mut options = run.options();
        let at = options.iter().position(|choice| choice.note.is_empty()).unwrap_or(0);
        run.order(options.swap_remove(at).order).expect("an option");
    }
    run.over()
}

/// Three Shawnee and a regular at 0806: 3-1, of which a 6 makes the defender retreat.
fn three_to_one(change: impl Fn(&mut State)) -> (State, usize) {
    let mut g = board(Terrain::Settled);
    for id in ["0706", "0706", "0805"] {
        stand(&mut g, "Shawnee", id);
    }
    let defends = stand(&mut g, "regular", "0806");
    change(&mut g);
    (g, defends)
}

const ALL_THREE: &str = "melee 0806 with shawnee 1, shawnee 2, shawnee 3";

/// dark-and-bloody-ground 10.6.1, T:mcrt-results
#[test]
fn a_retreat_disrupts_and_may_rout() {
    use Condition::{Disrupted, Normal, Routed};
    let past = "retreat past an enemy";
    // Two attack a Disrupted unit, which moves the odds back to 3-1.
    let two = "melee 0806 with shawnee 1, shawnee 2";
    for (before, enemy, order, dice, after, told) in [
        (Normal, false, ALL_THREE, &[][..], Disrupted, "regular 1 retreats to 1007 and is Disrupted."),
        (
            Disrupted,
            false,
            two,
            &[("morale", 3)][..],
            Disrupted,
            "Disrupted before, retreats: 3 against 3: passed: it stays Disrupted.",
        ),
        (
            Disrupted,
            false,
            two,
            &[("morale", 4)][..],
            Routed,
            "Disrupted before, retreats: 4 against 3: failed: it is Routed.",
        ),
        (
            Normal,
            true,
            ALL_THREE,
            &[(past, 3)][..],
            Disrupted,
            "Past an enemy, regular 1: 3 against 3: passed: it is not Routed.",
        ),
        (
            Normal,
            true,
            ALL_THREE,
            &[(past, 4)][..],
            Routed,
            "Past an enemy, regular 1: 4 against 3: failed: it is Routed.",
        ),
        (
            Disrupted,
            true,
            two,
            &[(past, 4)][..],
            Routed,
            "Past an enemy, regular 1: 4 against 3: failed: it is Routed.",
        ),
        (Disrupted, true, two, &[(past, 3), ("morale", 4)][..], Routed, "retreats: 4 against 3: failed: it is Routed."),
    ] {
        let (mut g, i) = three_to_one(|_| ());
        set(&mut g, i, before);
        if enemy {
            stand(&mut g, "Miami", "1107");
        }
        let mut run = melee(g, order, 6, dice);
        run.say("1007");
        let story = run.story().join("\n");
        assert!(story.contains(told), "{before:?}, {dice:?}: {story}");
        if enemy {
            // The adjacent Miami could attack it.
            run.say("done");
        }
        let end = run.over();
        let piece = &end.battle().pieces[i];
        assert_eq!((end.unit(piece.unit).condition, piece.used), (after, true), "{before:?}, {dice:?}");
        assert_eq!(piece.stand.hex().map(|hex| end.field().grid.id(hex)).as_deref(), Some("1007"));
    }
}

/// dark-and-bloody-ground T:mcrt-results, 16.1.3
#[test]
fn a_unit_that_cannot_retreat_is_eliminated() {
    let (g, i) = three_to_one(|g| {
        let (grid, at) = (g.field().grid.clone(), g.battle().pieces[3].stand.hex().expect("a hex"));
        for near in grid.neighbours(at).collect::<Vec<_>>() {
            if !g.holds(near, Side::Na) {
                stand(g, "Miami", &grid.id(near));
            }
        }
    });
    let mut run = melee(g, ALL_THREE, 6, &[]);
    let story = run.story().join("\n");
    assert!(story.contains("regular 1 has no way to retreat and is eliminated."), "{story}");
    // 2 VPs for a regular.
    assert_eq!((run.now().battle().pieces[i].stand, run.now().vps), (Stand::Dead, [0, 2]));
}

/// dark-and-bloody-ground T:mcrt-results, 10.4, 10.4.1
#[test]
fn a_routed_unit_that_must_retreat_runs() {
    for past in [false, true] {
        let (mut g, i) = three_to_one(|_| ());
        set(&mut g, i, Condition::Routed);
        if past {
            // Beyond each hex to which it can run.
            for id in ["1007", "1006", "0908", "0808", "0708"] {
                stand(&mut g, "Miami", id);
            }
        }
        let run = melee(g, ALL_THREE, 6, &[]);
        let end = finished(run);
        let (grid, piece) = (&end.field().grid, &end.battle().pieces[i]);
        let far = piece.stand.hex().map(|to| grid.distance(to, grid.hex("0806").expect("a hex")));
        let condition = end.unit(piece.unit).condition;
        match past {
            true => assert_eq!(piece.stand, Stand::Dead),
            // It has no part in a melee for the hex where it stops.
            false => assert_eq!((far, condition, piece.used), (Some(2), Condition::Routed, true)),
        }
    }
}

/// dark-and-bloody-ground 10.6.1, T:mcrt-results
#[test]
fn leaders_go_with_the_last_unit_of_their_hex() {
    for (from, near, routed) in [("0806", "0805", false), ("0806", "0805", true), ("0106", "0107", true)] {
        let mut g = board(Terrain::Settled);
        let at = g.field().grid.hex(from).expect("a hex");
        for _ in 0..3 {
            stand(&mut g, "Shawnee", near);
        }
        let unit = stand(&mut g, "regular", from);
        head(&mut g, "Hamtramck", from);
        head(&mut g, "Harmar", "0306");
        // 3-1, and two columns left for Hamtramck: 1-1, of which an 8 (6, and two levels) is a
        // retreat.
        g.commitment = 1;
        if routed {
            set(&mut g, unit, Condition::Routed);
        }
        let all = format!("melee {from} with shawnee 1, shawnee 2, shawnee 3");
        let mut run = melee(g, &all, 6, &[("leader in melee", 1)]);
        if run.words().contains(&"off".to_owned()) {
            run.say("off");
        }
        let end = finished(run);
        let stands = |h: usize| end.battle().heads[h].stand;
        assert_eq!(stands(0), end.battle().pieces[unit].stand, "{from}, {routed}");
        assert_eq!(stands(0) == Stand::Off, from == "0106", "{from}");
        assert_ne!(stands(0), Stand::On(at));
        assert_eq!(stands(1).hex().map(|hex| end.field().grid.id(hex)).as_deref(), Some("0306"));
    }
}

/// Two regulars must retreat. The second is Routed, and eliminated next to the Miami; Wayne goes
/// with the first.
///
/// dark-and-bloody-ground 10.6.1, T:mcrt-results
#[test]
fn leaders_go_with_the_last_unit_that_gets_away() {
    let mut g = board(Terrain::Settled);
    for _ in 0..3 {
        stand(&mut g, "Shawnee", "0706");
        stand(&mut g, "Shawnee", "0805");
    }
    let [sound, routed] = [0; 2].map(|_| stand(&mut g, "regular", "0806"));
    set(&mut g, routed, Condition::Routed);
    head(&mut g, "Blue Jacket", "0805");
    head(&mut g, "Wayne", "0806");
    for id in ["1007", "1006", "0908", "0808", "0708"] {
        stand(&mut g, "Miami", id);
    }
    let rule = |t, mut g| async move {
        battle::melee_for_tests(&t, &mut g, Side::Na).await;
        g
    };
    let mut run = Trial::new(g, rule).dice("melee", [6]).any_dice([1; 2]).start();
    run.say("melee 0806 with shawnee 1, shawnee 2, shawnee 3, shawnee 4, shawnee 5, shawnee 6");
    let end = finished(run);
    let pieces = &end.battle().pieces;
    assert_eq!((pieces[routed].stand, end.battle().heads[1].stand), (Stand::Dead, pieces[sound].stand));
    assert!(pieces[sound].stand.hex().is_some_and(|hex| end.field().grid.id(hex) != "0806"));
}

/// A leader who attacks at odds worse than 1-1, or defends at more than 3-1, adds 1 to his die,
/// which is rolled once.
///
/// dark-and-bloody-ground 10.6.2
#[test]
fn bad_odds_endanger_a_leader() {
    // Blue Jacket leads two against as many regulars and moves the odds three columns to the right:
    // on a 4 each side loses one.
    for (regulars, leader_die, falls) in [(3, 5, true), (3, 4, false), (2, 5, false), (2, 6, true)] {
        let mut g = board(Terrain::Settled);
        for _ in 0..2 {
            stand(&mut g, "Shawnee", "0805");
        }
        head(&mut g, "Blue Jacket", "0805");
        for _ in 0..regulars {
            stand(&mut g, "regular", "0806");
        }
        // 1-1 and three columns are 4-1, of which a 3 costs the attacker one and makes the others
        // retreat.
        let die = if regulars == 3 { 4 } else { 3 };
        let dice = [("leader in melee", leader_die)];
        let run = melee(g, "melee 0806 with shawnee 1, shawnee 2", die, &dice);
        let end = finished(run);
        assert_eq!(end.battle().heads[0].stand == Stand::Dead, falls, "{regulars} regulars, {leader_die}");
        // His rank is 3; his replacement joins the other Shawnee.
        assert_eq!(end.vps[0], 1 + if falls { 3 } else { 0 });
        let names: Vec<&str> = end.battle().heads.iter().map(|head| &*end.c[head.leader].name).collect();
        assert_eq!(names.contains(&"Shawnee replacement"), falls);
    }
    // Hamtramck defends: 3-1 is not more than 3-1; he moves the odds two columns to the left.
    for (shawnee, level, leader_die, falls) in [(3, 3, 5, false), (4, 3, 5, true), (4, 3, 4, false)] {
        let mut g = board(Terrain::Settled);
        (0..shawnee).for_each(|n| {
            stand(&mut g, "Shawnee", if n < 3 { "0805" } else { "0706" });
        });
        stand(&mut g, "regular", "0806");
        head(&mut g, "Hamtramck", "0806");
        at_war(&mut g, "Shawnee", level);
        // 3-1 becomes 1-1, of which 7 is a retreat; 4-1 becomes 2-1, of which 5 costs one each.
        g.commitment = if shawnee == 3 { 1 } else { 3 };
        let die = if shawnee == 3 { 6 } else { 5 };
        let all: Vec<String> = (1..=shawnee).map(|n| format!("shawnee {n}")).collect();
        let run = melee(g, &format!("melee 0806 with {}", all.join(", ")), die, &[("leader in melee", leader_die)]);
        let end = finished(run);
        assert_eq!(end.battle().heads[0].stand == Stand::Dead, falls, "{shawnee} Shawnee, {leader_die}");
        assert_eq!(end.vps[1], if shawnee == 4 { 2 } else { 0 } + if falls { 2 } else { 0 });
    }
}

/// An attack by odds leaves the Disrupted out if they worsen them: two regulars against two
/// warriors are 1 to 1; with a Disrupted third 3 to 2 is 1 to 1 as well, less a column.
///
/// dark-and-bloody-ground 10.6, T:melee-combat-modifiers
#[test]
fn an_attack_leaves_out_the_disrupted_who_worsen_it() {
    for (defenders, attacks) in [(2, false), (3, true)] {
        let mut g = board(Terrain::Settled);
        let own = [0; 3].map(|_| stand(&mut g, "regular", "0806"));
        (0..defenders).for_each(|_| _ = stand(&mut g, "Shawnee", "0807"));
        set(&mut g, own[2], Condition::Disrupted);
        let rule = |t, mut g| async move {
            battle::melee_for_tests(&t, &mut g, Side::Us).await;
            g
        };
        let mut run = Trial::new(g, rule).any_dice([3; 8]).start();
        run.say("attack wherever odds are 1-3");
        let used = own.map(|i| run.now().battle().pieces[i].used);
        assert_eq!(used, [true, true, attacks], "{defenders}");
    }
}
