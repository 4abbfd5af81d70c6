//! Leaders whom fire leaves alone, and where their replacements come (10.5.3, 10.6.2).

use super::super::state::Spot;
use super::{
    super::{
        battle::{self, Stand},
        components::*,
        state::State,
        testing::*,
    },
    board::{board, head, set, stand},
};
use crate::table::status::Condition;

/// A Shawnee beside a Routed regular with Harmar; two regulars stand elsewhere.
fn exposed() -> State {
    let mut g = board(Terrain::Settled);
    stand(&mut g, "Shawnee", "0806");
    let routed = stand(&mut g, "regular", "0807");
    set(&mut g, routed, Condition::Routed);
    stand(&mut g, "regular", "0810");
    stand(&mut g, "regular", "0306");
    head(&mut g, "Harmar", "0807");
    g
}

/// The Shawnee fires: the dice are that of the fire and that for the leader.
fn fired(g: &State, dice: &[i64]) -> Running {
    let mut trial = Trial::new(g.clone(), |t, mut g| async move {
        battle::fire_for_tests(&t, &mut g, Side::Na).await;
        g
    })
    .any_dice(dice.iter().copied())
    .start();
    trial.say("fire shawnee 1 at regular 1");
    trial
}

fn stands(g: &State, name: &str) -> Option<String> {
    let l = leader(g, name);
    let head = g.battle().heads.iter().find(|head| head.leader == l && head.stand != Stand::Dead)?;
    head.stand.hex().map(|hex| g.field().grid.id(hex))
}

/// dark-and-bloody-ground 10.5.3
#[test]
fn a_leader_whose_last_unit_fire_takes_goes_to_any_friendly_unit_or_stays() {
    let g = exposed();
    for (words, at) in [("0306", "0306"), ("0810", "0810"), ("nearest", "0810"), ("stay", "0807")] {
        let mut trial = fired(&g, &[1, 1]);
        trial.check_options(3);
        trial.say(words);
        assert_eq!(stands(&trial.over(), "Harmar").as_deref(), Some(at), "{words}");
    }
    assert!(fired(&g, &[1, 1]).try_say("0806").is_err(), "no friend stands there");
    // A miss leaves him with his unit, and nothing is asked.
    assert_eq!(stands(&fired(&g, &[6]).over(), "Harmar").as_deref(), Some("0807"));
    // Versions before let him stand.
    let mut old = g.clone();
    old.variant.version = 2;
    assert_eq!(stands(&fired(&old, &[1, 1]).over(), "Harmar").as_deref(), Some("0807"));
}

/// dark-and-bloody-ground 10.5.3, 10.4
#[test]
fn a_leader_run_over_must_go_and_his_owner_says_where() {
    let mut g = exposed();
    let alone = 1;
    g.battle_mut().pieces[alone].stand = Stand::Dead;
    let marched = |g: &State| {
        let mut trial = Trial::new(g.clone(), |t, mut g| async move {
            battle::march_for_tests(&t, &mut g, Side::Na).await;
            g
        })
        .start();
        trial.say("shawnee 1 0806-0807");
        trial
    };
    let mut trial = marched(&g);
    assert!(trial.try_say("stay").is_err());
    trial.say("0306");
    assert_eq!(stands(&trial.over(), "Harmar").as_deref(), Some("0306"));
    g.variant.version = 2;
    assert_eq!(stands(&marched(&g).over(), "Harmar").as_deref(), Some("0810"), "the nearest, unasked");
}

/// dark-and-bloody-ground 10.6.2, 10.5.3
#[test]
fn a_replacement_stands_with_the_unit_that_his_owner_names() {
    let mut g = exposed();
    let mut trial = fired(&g, &[1, 6]);
    trial.check_options(2);
    trial.say("0306");
    let end = trial.over();
    let heads = &end.battle().heads;
    assert_eq!(heads[0].stand, Stand::Dead);
    assert_eq!(heads[1].stand.hex().map(|hex| end.field().grid.id(hex)).as_deref(), Some("0306"));
    // With one hex to stand in nothing is asked.
    g.battle_mut().pieces[3].stand = Stand::Dead;
    let end = fired(&g, &[1, 6]).over();
    assert_eq!(end.battle().heads[1].stand, end.battle().pieces[2].stand);
}

/// dark-and-bloody-ground 10.7.1
#[test]
fn agents_alone_after_a_battle_go_to_a_fort_or_to_warriors() {
    let mut g = board(Terrain::Settled);
    let a = at(&g, "S4");
    g.fight.as_mut().expect("a battle").area = Some(a);
    let girty = lead(&mut g, "Girty", "S4");
    let settled = |g: &State| {
        Trial::new(g.clone(), move |t, mut g| async move {
            battle::settle_for_tests(&t, &mut g, a).await;
            g
        })
        .start()
    };
    // No warriors anywhere: the forts of the British are left to him.
    let forts = g.c.area_ids().filter(|&b| g.open_fort(b, Side::Na)).count();
    assert!(forts > 1);
    let mut trial = settled(&g);
    trial.all_first();
    let end = trial.over();
    assert!(end.chief(girty).spot.area().is_some_and(|b| end.open_fort(b, Side::Na)), "{:?}", end.chief(girty).spot);
    assert!(settled(&g).try_say("1 girty at m5").is_err(), "no warriors are there");
    put(&mut g, "Miami", 1, "M5");
    let mut trial = settled(&g);
    trial.say("1 girty at m5");
    assert_eq!(trial.over().chief(girty).spot, Spot::On(at(&g, "M5")));
    // The versions before lost him without warriors somewhere.
    let mut old = board(Terrain::Settled);
    old.fight.as_mut().expect("a battle").area = Some(a);
    lead(&mut old, "Girty", "S4");
    old.variant.version = 2;
    let mut trial = settled(&old);
    trial.all_first();
    assert_eq!(trial.over().chief(girty).spot, Spot::Gone);
}
