//! Orders for a whole impulse of a battle, and the facts for conditions.

use super::{
    super::{
        battle::{self, Stand},
        components::*,
        facts,
        order::{Aim, Order, Until},
        state::State,
        testing::*,
    },
    board::{board, condition, head, set, stand},
};
use postrider_standing::Value;
use postrider_table::status::Condition;

/// Starts a Fire Impulse of the US with these dice.
fn firing(g: &State, dice: &[i64]) -> Running {
    Trial::new(g.clone(), |t, mut g| async move {
        battle::fire_for_tests(&t, &mut g, Side::Us).await;
        g
    })
    .any_dice(dice.iter().copied())
    .start()
}

fn fired(g: &State, words: &str, dice: &[i64]) -> State {
    let mut trial = firing(g, dice);
    trial.say(words);
    trial.over()
}

/// Returns two regulars, a Shawnee adjacent to them, and one three hexes away.
fn line() -> (State, usize, usize) {
    let mut g = board(Terrain::Settled);
    stand(&mut g, "regular", "0806");
    stand(&mut g, "regular", "0806");
    let (far, near) = (stand(&mut g, "Shawnee", "0809"), stand(&mut g, "Shawnee", "0805"));
    (g, far, near)
}

/// Each unit fires once in an impulse, also in the listed fire of all units.
///
/// dark-and-bloody-ground 10.5
#[test]
fn the_listed_fire_of_all_names_each_unit_once() {
    let (g, ..) = line();
    let orders = firing(&g, &[]).options().into_iter().map(|choice| choice.order);
    let fire = orders.filter_map(|order| match order {
        crate::Order::Fire { shots } if shots.len() > 1 => Some(shots),
        _ => None,
    });
    let mut fires = fire.map(|shots| shots.into_iter().map(|shot| shot.who).collect::<Vec<_>>());
    assert_eq!(fires.next(), Some(vec!["regular 1".to_owned(), "regular 2".to_owned()]));
}

/// dark-and-bloody-ground 10.5, 10.5.2
#[test]
fn a_doctrine_knows_what_the_shot_before_has_done() {
    let (g, far, near) = line();
    // The first shot Disrupts the nearest Shawnee, and the second makes it fail its check.
    let end = fired(&g, "fire at disrupted, else nearest", &[1, 1, 5]);
    assert_eq!((condition(&end, near), condition(&end, far)), (Condition::Routed, Condition::Normal));
    let end = fired(&g, "fire at shawnee 2 until disrupted, else shawnee 1", &[1, 1]);
    assert_eq!((condition(&end, near), condition(&end, far)), (Condition::Disrupted, Condition::Disrupted));
    // After a miss it is not Disrupted.
    let end = fired(&g, "fire at shawnee 2 until disrupted, else shawnee 1", &[6, 1]);
    assert_eq!((condition(&end, near), condition(&end, far)), (Condition::Disrupted, Condition::Normal));
    // Without a matching target no unit fires.
    let end = fired(&g, "fire at routed", &[]);
    assert_eq!((condition(&end, near), condition(&end, far)), (Condition::Normal, Condition::Normal));
    // Naming a target out of range is an error; it does not end the fire.
    let mut g = board(Terrain::Settled);
    stand(&mut g, "kentucky-militia", "0806");
    stand(&mut g, "Shawnee", "0805");
    stand(&mut g, "Shawnee", "0801");
    let why = firing(&g, &[]).read("fire at shawnee 2").expect_err("it is too far away").to_string();
    assert!(why.contains("none of your units can fire at Shawnee 2 now (10.5)"), "{why}");
}

/// dark-and-bloody-ground 10.5.2, T:fire-combat-summary
#[test]
fn shots_that_hit_too_seldom_are_held() {
    let mut g = board(Terrain::Settled);
    stand(&mut g, "kentucky-militia", "0806");
    let s = stand(&mut g, "Shawnee", "0805");
    // FCF 1, doubled outside woods: a 1 hits, and against Disrupted units also a 2.
    assert_eq!(condition(&fired(&g, "fire at will from 2 in 6", &[]), s), Condition::Normal);
    assert_eq!(condition(&fired(&g, "fire at will", &[1]), s), Condition::Disrupted);
    set(&mut g, s, Condition::Disrupted);
    assert_eq!(condition(&fired(&g, "fire at will from 2 in 6", &[2, 6]), s), Condition::Routed);
}

/// dark-and-bloody-ground 10.5
#[test]
fn doctrines_are_read_and_said_in_the_same_words() {
    let (g, ..) = line();
    let trial = firing(&g, &[]);
    let aim = |at: &str, until| Aim { at: at.to_owned(), until };
    for (words, aims, least, said) in [
        ("fire at will", vec![aim("best", None)], 1, "fire at will"),
        ("fire at anybody", vec![aim("best", None)], 1, "fire at will"),
        (
            "fire at routed, disrupted then the warriors, else nearest from 2 in 6",
            vec![aim("routed", None), aim("disrupted", None), aim("warriors", None), aim("nearest", None)],
            2,
            "fire at routed, else disrupted, else warriors, else nearest from 2 in 6",
        ),
        (
            "fire at shawnee 2 until routed or 0809",
            vec![aim("Shawnee 2", Some(Until::Routed)), aim("0809", None)],
            1,
            "fire at shawnee 2 until routed, else 0809",
        ),
    ] {
        let order = trial.read(words).unwrap_or_else(|why| panic!("{words}: {why}"));
        assert_eq!(order, Order::Volley { aims, least }, "{words}");
        assert_eq!(battle::said_for_tests(&g, &order).as_deref(), Some(said));
        assert_eq!(trial.read(said).as_ref(), Ok(&order));
    }
    for words in
        ["fire at", "fire at moon", "fire at will from 7 in 6", "fire at will from 2 in 8", "fire at shawnee 9"]
    {
        assert!(trial.read(words).is_err(), "{words}");
    }
}

fn fought(g: &State, words: &str, dice: &[i64]) -> State {
    let mut trial = Trial::new(g.clone(), |t, mut g| async move {
        battle::melee_for_tests(&t, &mut g, Side::Na).await;
        g
    })
    .any_dice(dice.iter().copied())
    .start();
    trial.say(words);
    trial.all_first();
    trial.over()
}

/// dark-and-bloody-ground 10.6, 10.6.1
#[test]
fn hexes_are_attacked_wherever_the_odds_are_good() {
    let mut g = board(Terrain::Settled);
    let near = stand(&mut g, "regular", "0807");
    let far = stand(&mut g, "regular", "0306");
    let both = [stand(&mut g, "Shawnee", "0806"), stand(&mut g, "Shawnee", "0806")];
    stand(&mut g, "Miami", "0305");
    let odds = battle::odds(&g, &both, g.field().grid.hex("0807").expect("a hex"));
    assert_eq!(g.charts.odds.label(odds.column), "2-1");
    // 2 to 1 is 2-1: on a 5 each side loses a unit. The 1 to 1 attack is not made.
    let end = fought(&g, "attack wherever odds are 2-1", &[5]);
    assert_eq!(
        (end.battle().pieces[near].stand, end.battle().pieces[far].stand),
        (Stand::Dead, g.battle().pieces[far].stand)
    );
    let end = fought(&g, "attack anywhere from 3 to 1 or better", &[]);
    assert_eq!(end.battle().pieces[near].stand, g.battle().pieces[near].stand);
    let trial = Trial::new(g.clone(), |t, mut g| async move {
        battle::melee_for_tests(&t, &mut g, Side::Na).await;
        g
    })
    .start();
    assert_eq!(trial.read("attack wherever odds are 2-1"), Ok(Order::Attack { odds: "2-1".to_owned() }));
    assert!(trial.read("attack wherever odds are 7-1").is_err() && trial.read("attack wherever").is_err());
}

/// dark-and-bloody-ground 10.7.1
#[test]
fn facts_of_a_battle_are_those_of_the_board() {
    let (mut g, far, _) = line();
    head(&mut g, "Harmar", "0806");
    set(&mut g, far, Condition::Routed);
    let harmar = leader(&g, "Harmar");
    let fight = g.battle_mut();
    (fight.start, fight.lost, fight.primary) = ([11, 7], [1, 2], [Some(harmar), None]);
    let value = |side: Side, name: &str| {
        let facts = facts::battle(&g, side);
        let kind = facts::FACTS.iter().find(|kind| kind.name == name).expect("it is declared");
        let fact = facts.into_iter().find(|fact| fact.name == name).unwrap_or_else(|| panic!("{name} is known"));
        assert!(kind.fits(&fact), "{fact}");
        fact.value
    };
    assert_eq!(value(Side::Us, "outnumbering"), Value::Ratio(2, 1));
    assert_eq!(value(Side::Na, "outnumbered"), Value::Ratio(2, 1));
    // A third of 11 is 3, of 7 it is 2.
    assert_eq!(
        [value(Side::Us, "until defeat"), value(Side::Us, "enemy until defeat")],
        [Value::Number(2), Value::Number(0)]
    );
    assert_eq!(
        [value(Side::Us, "primary leader"), value(Side::Na, "primary leader")],
        [Value::Yes(true), Value::Yes(false)]
    );
    assert_eq!(
        [value(Side::Us, "moving first"), value(Side::Na, "moving first")],
        [Value::Yes(false), Value::Yes(true)]
    );
}

/// dark-and-bloody-ground 10.5, 10.5.2
#[test]
fn the_nearest_of_some_is_aimed_at() {
    let mut g = board(Terrain::Settled);
    stand(&mut g, "regular", "0806");
    stand(&mut g, "regular", "0806");
    let (far, near) = (stand(&mut g, "Shawnee", "0809"), stand(&mut g, "Shawnee", "0805"));
    set(&mut g, near, Condition::Disrupted);
    let words = "fire at routed, else nearest sound, else disrupted";
    let mut trial = firing(&g, &[1, 6]);
    let aim = |at: &str| Aim { at: at.to_owned(), until: None };
    let order = Order::Volley { aims: vec![aim("routed"), aim("nearest sound"), aim("disrupted")], least: 1 };
    assert_eq!(trial.read(words), Ok(order.clone()));
    assert_eq!(battle::said_for_tests(&g, &order).as_deref(), Some(words));
    trial.order(order).expect("it can be followed");
    let end = trial.session.over().expect("it is over").clone();
    assert_eq!(condition(&end, far), Condition::Disrupted, "the sound one, though he is farther");
    // Two aims need a separator.
    for words in ["fire at routed sound", "fire at disrupted nearest"] {
        let why = firing(&g, &[]).read(words).expect_err(words).to_string();
        assert!(why.contains("else"), "{words}: {why}");
    }
    for words in
        ["fire at nearest militia", "fire at closest shawnee, else the nearest regulars", "fire at nearest, sound"]
    {
        assert!(firing(&g, &[]).read(words).is_ok(), "{words}");
    }
}
