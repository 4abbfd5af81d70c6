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

/// Units that retreated into a hex neither help nor weaken its defenders.
///
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
