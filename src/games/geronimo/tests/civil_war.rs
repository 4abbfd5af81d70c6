//! Tests of the rules of the Campaign Game alone: the Civil War (9.2A, 5.44), Bloody Kansas (9.2DD)
//! and the Mormons (9.2O).

use super::*;
use crate::{
    card::Card,
    cards::{self, Standing, civil_war, standing},
    state::{CivilWar, Reserve, Use},
    statehood::statehood_phase,
    testing::{campaign, column},
};

/// Returns a position in Turn 3 of a Campaign Game with four players; A plays the US, and it is B's
/// Round.
fn before_the_war() -> State {
    let mut g = campaign(4);
    (g.turn, g.phase, g.round, g.us_rounds, g.active) = (3, Phase::CardPlay, 2, 5, Some(B));
    g.reserve = Reserve::default();
    g
}

fn b_plays(g: State, card: Card) -> Trial {
    Trial::new(g, move |t: T, mut g| async move {
        cards::play(&t, &mut g, B, card).await;
        g
    })
}

/// Returns a position with three Columns (21 BPs and three guns) and with 8 BPs, a gun and two
/// Commanders in Reserve.
fn army() -> State {
    let mut g = before_the_war();
    column(&mut g, "Miles", "CO", 9);
    let texan = column(&mut g, "Crook", "TX", 8);
    let fort = column(&mut g, "Terry", "OR", 4);
    (g.columns[0].guns, g.columns[1].guns) = (1, 2);
    g.column_mut(fort).expect("the Column").in_fort = true;
    g.column_mut(texan).expect("the Column").played_in = 5;
    g.reserve = Reserve { bps: 8, guns: 1, gatlings: 0 };
    for name in ["Howard", "Sheridan"] {
        in_reserve(&mut g, name);
    }
    g
}

/// geronimo 9.2A, 2.4
#[test]
fn the_civil_war_halves_guns_and_gatlings_together() {
    // 2 and 2 in Reserve, 3 and 2 on the map: 4 of 9 are lost.
    let mut g = army();
    g.reserve = Reserve { bps: 8, guns: 2, gatlings: 2 };
    g.columns[0].gatlings = 2;
    let trial = b_plays(g, Card::AmericanCivilWar).dice("commander", [1, 0]).start();
    let now = trial.now();
    assert_eq!((now.reserve.guns, now.reserve.gatlings), (3, 2));
}

/// geronimo 9.2A, 5.44, 2.4, 5.37
#[test]
fn the_civil_war_halves_the_army_and_the_us_places_it_anew() {
    let g = army();
    // Of 29 BPs, 14 are lost: 8 from the Reserve and 6 from the map. Of 4 guns, 2 are lost, one of
    // them from the Reserve. Two of the five Commanders are drawn again.
    let mut trial = b_plays(g, Card::AmericanCivilWar).dice("commander", [1, 0]).start();
    assert_eq!(trial.asked(), [(US, "deployment")], "the US is asked, though B played the card");
    trial.check_options(40);
    let now = trial.now();
    let ready: Vec<&str> = now
        .c
        .commander_ids()
        .filter(|m| now.commanders[m.index()] == CommanderPlace::Reserve)
        .map(|m| now.c[m].surname.as_str())
        .collect();
    assert_eq!(ready.len(), 2);
    assert_eq!((now.columns.len(), now.reserve.bps, now.reserve.guns), (0, 15, 2));
    let (one, two) = (ready[0].to_lowercase(), ready[1].to_lowercase());
    refused_by(&mut trial, "5.343", &format!("new column {one} with 16 in colorado"));
    trial.say(&format!("new column {one} with 7 1 guns in texas on patrol"));
    // Before the war there was one Column in Texas and none in New Mexico.
    refused_by(&mut trial, "9.2A", &format!("new column {two} with 3 in texas"));
    refused_by(&mut trial, "9.2A", &format!("new column {two} with 3 in new mexico"));
    trial.check_options(40);
    trial.say(&format!("new column {two} with 5 in oregon in fort"));
    let end = trial.over();
    let stand: Vec<_> = end.columns.iter().map(|k| (end.c[k.area].code.as_str(), k.bps, k.guns, k.in_fort)).collect();
    assert_eq!(stand, [("TX", 7, 1, false), ("OR", 5, 0, true)]);
    assert_eq!((end.reserve.bps, end.reserve.guns), (3, 1), "no Commander is left for the rest");
    assert_eq!(end.fx.civil_war, CivilWar::Now);
    assert_eq!(end.removed, [Card::AmericanCivilWar]);
    assert!(!end.commanders.contains(&CommanderPlace::Reserve));
}

/// geronimo 9.2A, 5.44
#[test]
fn losses_that_the_reserve_can_bear_leave_the_columns_alone() {
    let mut g = army();
    (g.reserve.bps, g.reserve.guns) = (30, 3);
    // Of 51 BPs, 25 are lost, all from the Reserve; of 6 guns, 3, also from the Reserve.
    let mut trial = b_plays(g, Card::AmericanCivilWar).dice("commander", [0, 0]).start();
    assert!(trial.reads().lines.iter().any(|line| line.contains("21 BPs, 3 guns")), "{:?}", trial.reads());
    trial.say("done");
    let end = trial.over();
    assert_eq!((end.columns.len(), end.reserve.bps, end.reserve.guns), (0, 26, 3));
}

/// geronimo 9.2A, 5.44
#[test]
fn gatlings_are_placed_once() {
    let mut g = army();
    g.columns[0].gatlings = 2;
    // 6 Artillery markers: 3 go, the gun in Reserve and two guns of the Columns.
    let mut trial = b_plays(g, Card::AmericanCivilWar).dice("commander", [0, 0]).start();
    let now = trial.now();
    let ready = now.c.commander_ids().filter(|m| now.commanders[m.index()] == CommanderPlace::Reserve);
    let [one, two] = &ready.map(|m| now.c[m].surname.to_lowercase()).collect::<Vec<_>>()[..] else { panic!("not two") };
    trial.say(&format!("new column {one} with 5 1 gatlings in colorado"));
    assert!(trial.try_say(&format!("new column {two} with 5 2 gatlings in oregon")).is_err());
    trial.say(&format!("new column {two} with 5 1 guns in oregon"));
    let end = trial.over();
    assert_eq!(end.columns.iter().map(|k| (k.guns, k.gatlings)).collect::<Vec<_>>(), [(0, 1), (1, 0)]);
    assert_eq!((end.reserve.guns, end.reserve.gatlings), (0, 1));
}

/// geronimo 9.2A, 9.2R, 9.2W
#[test]
fn the_war_ends_policies_and_their_cards_have_no_event() {
    let mut g = before_the_war();
    (g.fx.peace_policy, g.fx.reform_movement) = (true, true);
    for card in [Card::PeacePolicy, Card::ReformMovement] {
        assert_eq!(standing(&g, B, card), Standing::Effect);
    }
    for seat in [US, B] {
        assert_eq!(standing(&g, seat, Card::AmericanCivilWar), Standing::Effect, "neither side can do without");
    }
    let end = b_plays(g, Card::AmericanCivilWar).start().over();
    assert!(!end.fx.peace_policy && !end.fx.reform_movement);
    for card in [Card::PeacePolicy, Card::ReformMovement, Card::TerritorialProblems, Card::GatlingGuns] {
        assert!(matches!(standing(&end, B, card), Standing::NoEvent(_)), "{}", card.name());
    }
}

/// geronimo 9.2A
#[test]
fn no_column_is_played_in_texas_and_new_mexico_during_the_war() {
    let mut g = before_the_war();
    g.fx.civil_war = CivilWar::Now;
    column(&mut g, "Miles", "TX", 5);
    column(&mut g, "Crook", "CO", 5);
    in_reserve(&mut g, "Howard");
    g.reserve.bps = 5;
    let mut trial = us_round(g.clone()).start();
    trial.check_options(60);
    refused_by(&mut trial, "9.2A", "miles moves to indian territory");
    refused_by(&mut trial, "9.2A", "miles attacks comanche village");
    refused_by(&mut trial, "9.2A", "miles enters fort");
    refused_by(&mut trial, "9.2A", "crook moves to new mexico");
    refused_by(&mut trial, "9.2A", "new column howard with 3 in texas");
    assert!(trial.reads().lines.iter().any(|line| line.contains("Held in place") && line.contains("Miles")));
    trial.say("crook moves to kansas").say("done");
    // After the war nothing keeps them there.
    g.fx.civil_war = CivilWar::Over;
    us_round(g).start().say("miles moves to indian territory").say("crook moves to new mexico").say("done");
}

/// geronimo 9.2A, 5.351, 9.2CC
#[test]
fn columns_in_texas_react_there_and_nowhere_else() {
    let mut g = before_the_war();
    hold(&mut g, "Kiowa", B);
    g.fx.telegraph = true;
    column(&mut g, "Miles", "TX", 5);
    column(&mut g, "Crook", "KS", 5);
    let (tx, it) = (area(&g, "TX"), area(&g, "IT"));
    g.area_mut(it).settlements = 1;
    let reacting = |g: &State, order: &str| {
        let mut trial = b_round(g.clone()).dice("resource attack", [9]).start();
        trial.say(order);
        match trial.asked()[..] {
            [(US, "reaction")] => trial.options().into_iter().map(|o| o.words).skip(1).collect::<Vec<_>>(),
            _ => Vec::new(),
        }
    };
    let (texas, territory) = (
        "kiowa war party of 3 attacks settlement in texas",
        "kiowa war party of 3 attacks settlement in indian territory",
    );
    assert!(g.c.adjacent(tx, it));
    assert_eq!(reacting(&g, territory)[..2], ["react miles", "react crook"]);
    g.fx.civil_war = CivilWar::Now;
    assert_eq!(reacting(&g, territory), ["react crook"]);
    assert_eq!(reacting(&g, texas), ["react miles"]);
}

/// geronimo 9.2A, 10.2
#[test]
fn new_mexico_and_arizona_are_no_states_in_the_turn_of_the_war() {
    let mut g = before_the_war();
    for code in ["NM", "AZ", "CO", "TX", "CA"] {
        let a = area(&g, code);
        g.area_mut(a).towns = 10;
    }
    let after = |g: &State| {
        let trial = Trial::new(g.clone(), |t, mut g| async move {
            statehood_phase(&t, &mut g);
            g
        })
        .start();
        let end = trial.over();
        ["NM", "AZ", "CO"].map(|code| end.area(area(&end, code)).state)
    };
    assert_eq!(after(&g), [true, true, true]);
    g.fx.civil_war = CivilWar::Now;
    assert_eq!(after(&g), [false, false, true]);
}

/// geronimo 9.2A
#[test]
fn the_card_is_the_first_one_played_in_a_turn_or_discarded() {
    use crate::{Order, cards::ShamanChoice, state::Held};
    use postrider_table::Prompt;
    let mut g = before_the_war();
    g.hands[1] = vec![Held { card: Card::AmericanCivilWar, pos: 0 }, Held { card: Card::GoodWeather, pos: 1 }];
    let words = |g: &State| ShamanChoice.options(g, B).into_iter().map(|o| o.words).collect::<Vec<_>>();
    let play = Order::Play { card: "American Civil War".into() };
    assert_eq!(words(&g).len(), 4);
    assert!(ShamanChoice.accept(&g, B, &play).is_ok());
    // Cards that were played by others or discarded do not matter.
    g.pile = vec![(US, Card::Parole, Use::Played), (B, Card::Smallpox, Use::Discarded)];
    assert!(ShamanChoice.accept(&g, B, &play).is_ok());
    g.pile.push((B, Card::BadWeather, Use::Played));
    assert!(civil_war::is_too_late(&g, B) && !civil_war::is_too_late(&g, C));
    assert_eq!(ShamanChoice.accept(&g, B, &play).unwrap_err().rule, "9.2A");
    assert_eq!(words(&g), ["discard american civil war", "play good weather", "discard good weather"]);
    for n in 0..3 {
        let order = ShamanChoice.sample(&g, B, &mut |_| n).expect("something can be done");
        assert!(ShamanChoice.accept(&g, B, &order).is_ok());
    }
}

/// geronimo 9.2DD
#[test]
fn bloody_kansas_shuts_the_state_for_a_turn_and_may_come_again() {
    let mut g = before_the_war();
    let fort = column(&mut g, "Miles", "KS", 6);
    g.column_mut(fort).expect("the Column").in_fort = true;
    column(&mut g, "Crook", "KS", 5);
    column(&mut g, "Terry", "CO", 5);
    for name in ["Howard", "Sheridan"] {
        in_reserve(&mut g, name);
    }
    g.reserve.bps = 9;
    let g = b_plays(g, Card::TerritorialProblems).start().over();
    assert!(g.fx.bloody_kansas && !g.fx.land_rush && g.removed.is_empty(), "the card stays in the deck");
    let mut trial = us_round(g.clone()).start();
    trial.check_options(60);
    for words in [
        "terry moves to kansas",
        "miles leaves fort",
        "divide miles into howard with 2",
        "new column howard with 3 in kansas",
    ] {
        refused_by(&mut trial, "9.2DD", words);
    }
    // Troops On Patrol there are free to act, and those In Fort may be reinforced.
    trial.say("reinforce miles with 2").say("crook moves to colorado").say("done");
    let next = Trial::new(g.clone(), |t, mut g| async move {
        super::super::end_of_turn::end_of_turn(&t, &mut g);
        g
    })
    .start()
    .over();
    assert!(!next.fx.bloody_kansas);
    assert_eq!(standing(&next, B, Card::TerritorialProblems), Standing::Effect, "it may occur more than once");
}

/// geronimo 9.2DD, 5.351, 9.2CC
#[test]
fn in_bleeding_kansas_only_columns_on_patrol_there_react() {
    let mut g = before_the_war();
    hold(&mut g, "Pawnee", B);
    (g.fx.telegraph, g.fx.bloody_kansas) = (true, true);
    column(&mut g, "Crook", "KS", 5);
    column(&mut g, "Terry", "CO", 5);
    let mut trial = b_round(g).dice("resource attack", [9]).start();
    trial.say("pawnee war party of 3 attacks settlement in kansas");
    assert_eq!(trial.options().into_iter().map(|o| o.words).collect::<Vec<_>>(), ["no reaction", "react crook"]);
}

/// geronimo 9.2O
#[test]
fn a_column_must_watch_the_mormons() {
    let mut g = before_the_war();
    column(&mut g, "Crook", "UT", 2);
    column(&mut g, "Terry", "CO", 5);
    let howard = column(&mut g, "Howard", "ID", 6);
    g.column_mut(howard).expect("the Column").in_fort = true;
    column(&mut g, "Gibbon", "TX", 9);
    let g = b_plays(g, Card::Mormons).start().over();
    assert!(g.fx.mormons_due && g.removed == [Card::Mormons]);
    // Crook is too weak, Howard is In Fort, Gibbon is far away and the Reserve is empty: only Terry
    // is eligible, so there is no question.
    let mut trial = us_round(g.clone()).start();
    assert_eq!(trial.asked(), [(US, "column-play")]);
    let now = trial.now();
    let terry = now.column_named("Terry").expect("Terry");
    assert_eq!((now.fx.mormon_column, now.c[terry.area].code.as_str(), terry.in_fort), (Some(terry.id), "UT", false));
    assert!(trial.reads().title.contains("2 left"), "it was one of three Column plays: {}", trial.reads().title);
    refused_by(&mut trial, "5.33", "terry moves to colorado");
    trial.say("done");
    // Two Rounds later it is rested, but still may not leave or attack.
    let mut later = trial.over();
    later.us_rounds += 2;
    let mut trial = us_round(later).start();
    trial.check_options(60);
    refused_by(&mut trial, "9.2O", "terry moves to colorado");
    refused_by(&mut trial, "9.2O", "terry attacks ute village");
    trial.say("terry enters fort").say("done");
    let end = Trial::new(trial.over(), |t, mut g| async move {
        super::super::end_of_turn::end_of_turn(&t, &mut g);
        g
    })
    .start()
    .over();
    assert_eq!((end.fx.mormon_column, end.fx.mormons_due), (None, false), "for the rest of the Turn only");
}

/// geronimo 9.2O
#[test]
fn the_us_chooses_among_a_new_column_and_those_at_hand() {
    let mut g = before_the_war();
    column(&mut g, "Terry", "CO", 5);
    column(&mut g, "Crook", "UT", 3);
    in_reserve(&mut g, "Sheridan");
    (g.reserve.bps, g.fx.mormons_due) = (7, true);
    let mut trial = us_round(g.clone()).start();
    assert_eq!(trial.asked(), [(US, "mormon-column")]);
    trial.check_options(0);
    assert_eq!(trial.options().len(), 3);
    refused_by(&mut trial, "9.2O", "new column sheridan with 2 in utah");
    refused_by(&mut trial, "9.2O", "new column sheridan with 4 in colorado");
    trial.say("new column sheridan with 4 in utah in fort").say("done");
    let end = trial.over();
    let k = end.column_named("Sheridan").expect("Sheridan");
    assert_eq!((end.fx.mormon_column, k.bps, k.in_fort, end.reserve.bps), (Some(k.id), 4, true, 3));

    // With no Column near and no Reserve, the nearest strong Column comes from any distance.
    g.columns.clear();
    (g.reserve.bps, g.fx.mormons_due) = (2, true);
    column(&mut g, "Gibbon", "TX", 9);
    column(&mut g, "Hancock", "MN", 9);
    let mut trial = us_round(g.clone()).start();
    trial.say("done");
    let end = trial.over();
    assert_eq!(end.fx.mormon_column, end.column_named("Gibbon").map(|k| k.id));
    assert_eq!(end.column_named("Gibbon").map(|k| k.area), Some(area(&end, "UT")));

    // With no Column at all, the card has no effect.
    g.columns.clear();
    let mut trial = us_round(g).start();
    trial.say("done");
    assert_eq!(trial.over().fx.mormon_column, None);
}

/// geronimo 9.2O, 5.35
#[test]
fn the_mormon_column_reacts_only_to_those_who_attack_it() {
    let mut g = before_the_war();
    hold(&mut g, "Ute", B);
    g.fx.telegraph = true;
    let id = column(&mut g, "Terry", "UT", 5);
    g.fx.mormon_column = Some(id);
    let mut trial = b_round(g.clone()).dice("resource attack", [9]).start();
    trial.say("ute war party of 3 attacks settlement in utah");
    assert_eq!(trial.asked(), [(B, "post-action")], "nobody reacts");
    let mut trial = b_round(g).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    trial.say("ute war party of 3 attacks column terry in utah");
    assert_eq!(trial.asked(), [(US, "reaction")]);
}

/// geronimo 9.2O, 5.723
#[test]
fn the_mormon_column_attacks_with_no_group() {
    let mut g = before_the_war();
    let id = column(&mut g, "Crook", "UT", 5);
    let miles = column(&mut g, "Miles", "UT", 5);
    g.fx.mormon_column = Some(id);
    [id, miles].into_iter().for_each(|k| g.column_mut(k).expect("the Column").group = Some(99));
    let mut trial = us_round(g).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    refused_by(&mut trial, "9.2O", "miles attacks ute village");
    trial.say("miles alone attacks ute village");
}

/// geronimo 9.2A, 9.2O
#[test]
fn the_mormon_column_is_placed_anew_in_utah() {
    let mut g = army();
    let id = column(&mut g, "Gibbon", "UT", 6);
    g.fx.mormon_column = Some(id);
    let mut trial = b_plays(g, Card::AmericanCivilWar).dice("commander", [0, 0, 0]).start();
    trial.check_options(20);
    let now = trial.now();
    let name = now
        .c
        .commander_ids()
        .find(|m| now.commanders[m.index()] == CommanderPlace::Reserve)
        .map(|m| now.c[m].surname.to_lowercase());
    let name = name.expect("a Commander");
    refused_by(&mut trial, "9.2O", &format!("new column {name} with 5 in colorado"));
    refused_by(&mut trial, "9.2O", &format!("new column {name} with 2 in utah"));
    refused_by(&mut trial, "9.2A", "done");
    trial.say(&format!("new column {name} with 3 in utah")).say("done");
    let end = trial.over();
    assert_eq!(end.fx.mormon_column, Some(end.columns[0].id));
}

/// geronimo 9.2O, 9.2DD, 12.13
#[test]
fn a_column_that_cannot_leave_its_fort_does_not_march_to_utah() {
    let mut g = before_the_war();
    g.fx.mormons_due = true;
    let fort = column(&mut g, "Miles", "KS", 6);
    g.column_mut(fort).expect("the Column").in_fort = true;
    column(&mut g, "Hancock", "MN", 9);
    let watches = |g: &State| {
        let mut trial = us_round(g.clone()).start();
        trial.say("done");
        let end = trial.over();
        end.fx.mormon_column.map(|id| end.column_name(id).to_owned())
    };
    assert_eq!(watches(&g).as_deref(), Some("Miles"), "Kansas is nearer than Minnesota");
    let (mut bleeding, mut besieged) = (g.clone(), g);
    bleeding.fx.bloody_kansas = true;
    assert_eq!(watches(&bleeding).as_deref(), Some("Hancock"));
    besieged.events.sieges.push(fort);
    assert_eq!(watches(&besieged).as_deref(), Some("Hancock"));
}

/// geronimo 9.2A, 12.13
#[test]
fn the_civil_war_ends_every_siege() {
    let mut g = army();
    g.variant.random_events = true;
    let terry = g.column_named("Terry").expect("Terry").id;
    g.events.sieges.push(terry);
    let mut trial = b_plays(g, Card::AmericanCivilWar).dice("commander", [0, 0]).start();
    trial.say("done");
    let end = trial.over();
    assert!(end.events.sieges.is_empty() && end.columns.is_empty());
}
