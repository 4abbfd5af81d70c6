//! What version 4 of the rules does otherwise in battles: each rule by version 3 and by version 4.

use super::{
    super::{
        battle::{self, Stand},
        combat,
        components::*,
        state::*,
        testing::*,
    },
    board::{board, head, set, stand},
};
use crate::table::{Seat, status::Condition};

fn by(version: u32, g: &State) -> State {
    let mut g = g.clone();
    g.variant.version = version;
    g
}

/// A battle on the map at an area.
fn at_area(id: &str) -> State {
    let mut g = board(Terrain::Settled);
    let a = at(&g, id);
    g.battle_mut().area = Some(a);
    g
}

/// The first leader of the battle falls.
fn fallen(g: &State, version: u32) -> State {
    let mut trial = Trial::new(by(version, g), |t, mut g| async move {
        battle::fall(&t, &mut g, 0).await;
        g
    })
    .start();
    trial.all_first();
    trial.over()
}

/// dark-and-bloody-ground 8.5.3, 10.7.1
#[test]
fn dorchester_scores_and_does_not_lose_the_battle() {
    let mut g = at_area("W5");
    stand(&mut g, "british-regular", "0806");
    head(&mut g, "Dorchester", "0806");
    g.british = true;
    g.battle_mut().primary[1] = Some(leader(&g, "Dorchester"));
    let told = |version| {
        let end = fallen(&g, version);
        (end.vps, end.battle().headless, end.battle().heads[0].stand == Stand::Dead)
    };
    assert_eq!((told(4), told(3)), (([3, 0], [false; 2], false), ([3, 0], [false, true], false)));
}

/// dark-and-bloody-ground 10.5.3, 10.6.2
#[test]
fn a_replacement_scores_and_stays() {
    for mut g in [board(Terrain::Settled), at_area("S4")] {
        stand(&mut g, "regular", "0806");
        head(&mut g, "US replacement 2", "0806");
        let place = g.battle().heads[0].stand;
        let now = fallen(&g, 4);
        assert_eq!((now.vps, now.battle().heads.len(), now.battle().heads[0].stand), ([0, 2], 1, place));
        let before = fallen(&g, 3);
        assert_eq!((before.vps, before.battle().heads[0].stand), ([0, 2], Stand::Dead));
    }
}

/// dark-and-bloody-ground 10.6.2, 10.6
#[test]
fn odds_are_rounded_before_a_leader_is_at_risk() {
    let mut g = board(Terrain::Settled);
    // Two warriors in woods are four, three in the open three.
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
    let falls = |version: u32| {
        let mut trial = Trial::new(by(version, &g), |t, mut g| async move {
            battle::melee_for_tests(&t, &mut g, Side::Na).await;
            g
        })
        .dice("melee", [6])
        .dice("leader in melee", [5])
        .any_dice([1, 1])
        .start();
        trial.say("melee 0710 with shawnee 1, shawnee 2, shawnee 3, shawnee 4, shawnee 5");
        trial.all_first();
        trial.over().vps[1] >= 2 && {
            let end = trial.over();
            end.battle().heads[0].stand == Stand::Dead
        }
    };
    assert_eq!((falls(4), falls(3)), (false, true));
}

/// A Routed regular whose force was led by Hamtramck; Wayne, the primary of the US, is elsewhere.
fn over() -> State {
    let mut g = at_area("S4");
    let routed = stand(&mut g, "regular", "0306");
    let s4 = at(&g, "S4");
    let u = g.battle().pieces[routed].unit;
    g.unit_mut(u).spot = Spot::On(s4);
    set(&mut g, routed, Condition::Routed);
    g.battle_mut().start = [6, 6];
    let (hamtramck, wayne) = (lead(&mut g, "Hamtramck", "S4"), lead(&mut g, "Wayne", "U1"));
    g.battle_mut().primary[0] = Some(hamtramck);
    g.primary[0] = Some(wayne);
    g.commitment = 3;
    g
}

fn settled(g: &State, version: u32, dice: &[i64]) -> Running {
    let a = g.battle().area.expect("an area");
    Trial::new(by(version, g), move |t, mut g| async move {
        battle::settle_for_tests(&t, &mut g, a).await;
        g
    })
    .any_dice(dice.iter().copied())
    .start()
}

/// dark-and-bloody-ground 10.7
#[test]
fn the_primary_leader_of_the_side_helps_the_routed() {
    let g = over();
    // Four less Hamtramck's two is below three; without him it is not.
    let lives = |g: &State, version: u32| {
        let mut trial = settled(g, version, &[4]);
        trial.all_first();
        trial.over().unit(g.battle().pieces[0].unit).spot != Spot::Gone
    };
    assert_eq!((lives(&g, 4), lives(&g, 3)), (false, true));
    let mut led = g.clone();
    led.primary[0] = led.battle().primary[0];
    assert!(lives(&led, 4));
}

/// dark-and-bloody-ground 10.7.1
#[test]
fn settlers_and_warriors_go_where_their_owner_says() {
    let mut g = at_area("K5");
    let k5 = at(&g, "K5");
    g.land_mut(k5).settlers = 2;
    let village = at(&g, "K2");
    g.land_mut(village).village = true;
    put(&mut g, "Shawnee", 1, "K5");
    // A draw: the warriors leave as well.
    let mut trial = settled(&g, 4, &[]);
    assert_eq!(trial.asked(), [(Seat(1), "battle-relocate")]);
    trial.say("1 shawnee at o2");
    assert_eq!(trial.asked(), [(Seat(0), "battle-relocate")]);
    assert!(trial.try_say("2 settler at k2").is_err(), "villages do not count");
    trial.say("1 settler at u2, 1 settler at p1");
    let end = trial.over();
    let fled = |id: &str| end.land(at(&end, id)).fled;
    assert_eq!((fled("U2"), fled("P1"), end.people(k5), count(&end, "Shawnee", "O2")), (1, 1, 0, 1));
    let mut old = settled(&g, 3, &[]);
    assert!(old.try_say("1 shawnee at o2").is_err(), "their own land only");
    old.all_first();
    assert_eq!(old.over().people(village), 2, "the nearest town");
}

/// dark-and-bloody-ground 8.1, 10.0
#[test]
fn leaders_of_peaceful_nations_take_no_part() {
    let mut g = war();
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "regular", 1, "S5");
    lead(&mut g, "Harmar", "S5");
    put(&mut g, "Shawnee", 1, "S5");
    lead(&mut g, "Blue Jacket", "S5");
    let tarhe = lead(&mut g, "Tarhe", "S5");
    let fights = |version: u32| {
        let mut trial = Trial::new(by(version, &g), |t, mut g| async move {
            combat::phase(&t, &mut g).await;
            g
        })
        .any_dice([5, 3])
        .start();
        // Set-ups, until the first round has begun.
        while trial.now().fight.as_ref().is_some_and(|fight| fight.round == 0) {
            let first = trial.options().remove(0);
            trial.order(first.order).expect("an option");
        }
        trial.now().battle().heads.iter().any(|head| head.leader == tarhe)
    };
    assert_eq!((fights(4), fights(3)), (false, true));
}

/// dark-and-bloody-ground 10.4
#[test]
fn the_owner_of_the_routed_chooses_between_the_board_and_its_edge() {
    let mut g = board(Terrain::Settled);
    stand(&mut g, "Shawnee", "0109");
    let routed = stand(&mut g, "regular", "0106");
    set(&mut g, routed, Condition::Routed);
    let begun = |version: u32| {
        Trial::new(by(version, &g), |t, mut g| async move {
            battle::rally_for_tests(&t, &mut g, Side::Us).await;
            g
        })
        .start()
    };
    let mut trial = begun(4);
    trial.check_options(2);
    trial.say("off");
    assert_eq!(trial.over().battle().pieces[routed].stand, Stand::Off);
    let mut trial = begun(4);
    let on = trial.words().into_iter().find(|way| !way.contains("off")).expect("a hex");
    trial.say(&on);
    trial.all_first();
    assert_ne!(trial.over().battle().pieces[routed].stand.hex(), g.battle().pieces[routed].stand.hex());
    assert_eq!(begun(3).over().battle().pieces[routed].stand, Stand::Off, "nobody was asked");
}
