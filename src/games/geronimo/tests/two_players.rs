//! Tests of the Two Player Game (11.2).

use super::*;
use crate::{
    Order,
    card::Card,
    cards,
    columns::speed,
    deal,
    end_of_turn::end_of_turn,
    order::{Contribution, Target},
    resources::{ALLOTMENTS, resource_allotment},
    statehood::statehood_vps,
    variant::{Scenario, Variant},
};

/// Returns a position with two players in the middle of the Card Play Phase; A plays the US.
fn duel() -> State {
    let mut g = basic(2);
    (g.phase, g.round, g.us_rounds, g.active) = (Phase::CardPlay, 1, 5, Some(B));
    g
}

/// Returns the US players of four Turns, given a die for each Turn with a roll.
fn four_turns(variant: Variant, dice: [Option<i64>; 4]) -> Vec<Seat> {
    let mut g = basic(2);
    g.variant = variant;
    let turn = |die: Option<i64>| {
        let rule = |t: T, mut g: State| async move {
            deal::sides(&t, &mut g);
            end_of_turn(&t, &mut g);
            g
        };
        // The trial stops if a die is missing and fails if one is left.
        g = Trial::new(g.clone(), rule).dice("us player", die).start().over();
        g.us
    };
    dice.into_iter().map(turn).collect()
}

/// geronimo 11.2, 3.3, 3.31, 12.2
#[test]
fn two_players_draw_once_and_switch_or_draw_until_one_has_had_it_twice() {
    let basic_game = Variant::default();
    let switched = four_turns(basic_game, [Some(1), None, None, None]);
    assert_eq!(switched, [B, US, B, US], "11.2A: after the first Turn no die is rolled");
    let campaign = Variant { scenario: Scenario::Campaign, ..basic_game };
    assert_eq!(four_turns(campaign, [Some(0), Some(0), None, Some(0)]), [US, US, B, US]);
    assert_eq!(four_turns(campaign, [Some(1), Some(0), Some(1), Some(1)]), [B, US, B, B]);
    for scenario in [Scenario::Basic, Scenario::Campaign] {
        let by_dice = Variant { alternate_sides: true, scenario, ..basic_game };
        assert_eq!(four_turns(by_dice, [Some(1); 4]), [B, B, B, B]);
    }
}

fn distributed(g: State, draws: [i64; 12]) -> Running {
    let rule = |t: T, mut g: State| async move {
        g.us = US;
        deal::distribute(&t, &mut g).await;
        g
    };
    let mut trial = Trial::new(g, rule).dice("troops", [1; 6]).dice("commander", draws).start();
    trial.say("20 in kansas in fort").say("10 with 2 guns in texas");
    trial
}

/// geronimo 11.2, 3.32, 3.5, 6.1, 5.11
#[test]
fn the_indian_player_chooses_two_groups_and_has_eighteen_tribes() {
    // There is no roll for the order of choice.
    let mut trial = distributed(basic(2), [0; 12]);
    assert_eq!(trial.asked(), [(B, "initial-tribe")]);
    trial.check_options(10);
    trial.say("sioux");
    assert!(trial.options().iter().any(|o| o.words == "choose apache"), "a second group");
    trial.say("apache");
    assert_eq!(trial.asked(), [(B, "teton-chiefs")], "no more Tribes to choose");
    trial.say("none");
    let g = trial.over();
    let held = |g: &State| g.tribes.iter().filter(|tribe| tribe.holder == Some(B)).count();
    assert_eq!((held(&g), g.dealt, g.hands[0].len(), g.hands[1].len()), (18, 15, 15, 15));
    assert_eq!(legal::faults(&g), Vec::<String>::new());

    let mut trial = distributed(basic(2), [0; 12]);
    for name in ["comanche", "kiowa", "sioux"] {
        trial.say(name);
    }
    assert_eq!(trial.asked(), [(B, "teton-chiefs")]);
    let mut trial = distributed(basic(2), [0; 12]);
    for name in ["comanche", "kiowa", "ute"] {
        trial.say(name);
    }
    assert!(trial.read("sioux").is_err(), "a group of two is of Tribes that are not chosen alone");
    trial.say("crow").say("nobody");
    assert_eq!(held(&trial.over()), 18);
}

/// geronimo 11.2, 4.4, 5.21
#[test]
fn resources_come_with_the_first_twenty_cards_only() {
    let allotment = |round| {
        let mut g = duel();
        g.round = round;
        let rule = |t: T, mut g: State| async move {
            resource_allotment(&t, &mut g).await;
            g
        };
        Trial::new(g, rule)
    };
    let mut trial = allotment(ALLOTMENTS).dice("resource", [1]).start();
    assert_eq!(trial.asked(), [(US, "settlement")]);
    trial.say("utah").over();
    for (round, lines) in [(ALLOTMENTS + 1, 1), (ALLOTMENTS + 2, 0), (30, 0)] {
        let mut trial = allotment(round).start();
        assert_eq!(trial.story().len(), lines, "Round {round}");
        trial.over();
    }
    // With three players there are 21 cards, and all of them count (house ruling 7).
    let mut g = basic(3);
    g.round = 21;
    let rule = |t: T, mut g: State| async move {
        resource_allotment(&t, &mut g).await;
        g
    };
    assert_eq!(Trial::new(g, rule).start().asked(), [(US, "settlement")]);
}

/// geronimo 11.2, 5.33
#[test]
fn one_column_is_played_in_a_round() {
    let mut g = duel();
    column(&mut g, "Miles", "CO", 5);
    column(&mut g, "Terry", "CO", 5);
    let mut trial = us_round(g).start();
    trial.check_options(40);
    trial.say("miles moves to utah");
    assert_eq!(trial.over().columns.iter().filter(|k| k.played_in == 5).count(), 1);
}

/// Returns a position with Terry (Speed 2), Miles (Speed 5) and the Southern Cheyenne in Colorado.
fn terry_and_miles() -> State {
    let mut g = duel();
    for (name, bps) in [("Terry", 10), ("Miles", 6)] {
        column(&mut g, name, "CO", bps);
    }
    let speeds: Vec<i32> = g.columns.iter().map(|k| speed(&g, k)).collect();
    assert_eq!(speeds, [2, 5]);
    g
}

/// geronimo 11.2, 5.7, 5.72
#[test]
fn columns_coordinate_on_one_dr_up_to_their_highest_speed() {
    let g = terry_and_miles();
    let mut trial = us_round(g).dice("coordination", [5]).any_dice([0, 0]).start();
    trial.check_options(40);
    let note = trial.options().into_iter().find(|o| o.words.contains(" with ")).expect("an attack of both").note;
    assert_eq!(note, "together on 5 or less, or no Column moves");
    let together = trial.options().into_iter().filter(|o| o.words.contains(" with ") && o.words.contains("cheyenne"));
    assert_eq!(together.count(), 1, "the same two are not listed in another order");
    // No Column leads, so the slower one may be named first.
    trial.say("terry with miles attacks southern cheyenne village");
    let story = trial.story().join("\n");
    assert!(story.contains("Terry and Miles coordinate their attack. Coordination DR 5, needed 5 or less."), "{story}");
    assert!(story.contains("16 BPs"), "{story}");
    assert_eq!(trial.asked(), [(US, "group")], "5.723");
    trial.say("separate");
    assert!(trial.over().columns.iter().all(|k| k.played_in == 5));
}

/// geronimo 11.2, 5.72
#[test]
fn one_column_attacks_without_coordination() {
    let g = terry_and_miles();
    let mut trial = us_round(g).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    trial.say("miles attacks southern cheyenne village");
    let story = trial.story().join("\n");
    assert!(story.contains("6 BPs") && !story.contains("Coordination DR"), "{story}");
    let played: Vec<bool> = trial.now().columns.iter().map(|k| k.played_in == 5).collect();
    assert_eq!(played, [false, true]);
}

/// geronimo 11.2, 5.72
#[test]
fn if_they_fail_to_coordinate_no_column_moves() {
    let mut g = terry_and_miles();
    column(&mut g, "Crook", "UT", 5);
    hold(&mut g, "Cheyenne", B);
    let mut trial = us_round(g).dice("coordination", [6]).start();
    trial.say("miles and terry attack southern cheyenne village");
    // There is no Battle and no Evasion, and Crook stays in place.
    let end = trial.over();
    let played: Vec<bool> = end.columns.iter().map(|k| k.played_in == 5).collect();
    assert_eq!(played, [true, true, false]);
    assert_eq!(end.village(village(&end, "Southern")).attacked_in, 0);
}

/// geronimo 5.35, 5.71, 5.72, 11.2
#[test]
fn reactions_coordinate_as_with_more_players() {
    let mut g = terry_and_miles();
    hold(&mut g, "Cheyenne", B);
    let mut trial = b_round(g)
        .dice("resource attack", [9])
        .dice("reaction", [2, 5])
        .dice("coordination", [6])
        .any_dice([0, 0])
        .start();
    trial.say("southern cheyenne war party of 1 attacks settlement in colorado");
    // Terry reacts first; Miles fails to join him.
    trial.say("react terry, miles together").say("wait").say("stand");
    let story = trial.story().join("\n");
    assert!(story.contains("Miles does not join: Coordination DR 6, needed 5 or less."), "{story}");
}

/// geronimo 11.2, 6.33
#[test]
fn war_parties_attack_inactive_villages_of_enemies_only() {
    let mut g = duel();
    for name in ["Crow", "Sioux", "Pawnee"] {
        hold(&mut g, name, B);
    }
    let mt = area(&g, "MT");
    for name in ["Crow", "Teton 1", "Blackfoot"] {
        let v = village(&g, name);
        g.village_mut(v).place = crate::state::Place::Area(mt);
    }
    party(&mut g, "Teton 1", 3, &[], "MT");
    assert!(g.c[tribe(&g, "Crow")].enemies.contains(tribe(&g, "Sioux")));
    assert!(g.c[tribe(&g, "Crow")].enemies.contains(tribe(&g, "Blackfoot")));
    let mut trial = b_round(g.clone()).any_dice([0, 0]).start();
    trial.check_options(40);
    refused_by(&mut trial, "11.2", "crow war party of 2 attacks teton sioux 1 village in montana");
    refused_by(&mut trial, "11.2", "crow war party of 2 attacks teton sioux 1 war party in montana");
    let own =
        |o: &postrider_table::Choice<Order>| o.words.contains("attacks teton") || o.words.contains("attacks pawnee");
    assert!(!trial.options().iter().any(own));
    trial.say("crow war party of 2 attacks blackfoot village in montana");
    assert!(trial.story().iter().any(|line| line.starts_with("Battle")));

    // With more players, any Enemy may be attacked, even one of the same player.
    let mut four = field();
    (four.villages, four.tribes, four.parties) = (g.villages, g.tribes, g.parties);
    b_round(four).any_dice([0, 0]).start().say("crow war party of 2 attacks teton sioux 1 village in montana");
}

/// geronimo 11.2, 9.2D
#[test]
fn bad_blood_is_against_inactive_villages() {
    let mut g = duel();
    for name in ["Crow", "Sioux"] {
        hold(&mut g, name, B);
    }
    let rule = |t: T, mut g: State| async move {
        cards::play(&t, &mut g, B, Card::BadBlood).await;
        g
    };
    let mut trial = Trial::new(g, rule).start();
    trial.say("bad blood crow");
    assert_eq!(trial.asked(), [(B, "compelled-attack")]);
    trial.check_options(20);
    let listed = trial.options();
    assert!(!listed.is_empty());
    let now = trial.now();
    for choice in listed {
        let Order::WarParty { target: Target::Village { name }, .. } = choice.order else { panic!("{}", choice.words) };
        let v = village(&now, &name);
        assert_eq!(now.player_of(v), None, "{name}");
        assert!(!now.c[tribe(&now, "Crow")].friends.contains(now.c[v].tribe), "{name}");
    }
}

/// geronimo 11.2, 9.2Q
#[test]
fn a_peace_chief_speaks_to_a_tribe_of_the_indian_player() {
    let mut g = duel();
    let rule = |t: T, mut g: State| async move {
        cards::play(&t, &mut g, B, Card::PeaceChief).await;
        g
    };
    let mut none = Trial::new(g.clone(), rule).start();
    assert!(none.story().join("\n").contains("No Event"), "he holds no Tribe");
    for name in ["Crow", "Ute"] {
        hold(&mut g, name, B);
    }
    let mut trial = Trial::new(g, rule).start();
    trial.check_options(10);
    assert_eq!(trial.options().len(), 2, "his own Tribes and no others");
    trial.say("ute");
    let end = trial.over();
    assert!(end.village(village(&end, "Ute")).peace_chief);
}

/// geronimo 11.2, 6.76
#[test]
fn nobody_else_can_join_an_alliance() {
    let mut g = duel();
    for name in ["Sioux", "Arapaho"] {
        hold(&mut g, name, B);
    }
    let mut trial = b_after(g, After::Alliance).start();
    trial.check_options(20);
    let gift = |name: &str| Contribution { village: name.into(), bps: 1, chiefs: Vec::new() };
    let order = Order::Alliance { area: "Nebraska".into(), with: vec![gift("Arapaho")], target: Target::Settlement {} };
    let why = trial.order(order).expect_err("nobody else to join").to_string();
    assert!(why.contains("6.71"), "{why}");
}

/// geronimo 10.11, 11.2
#[test]
fn a_state_is_worth_fifteen_to_the_us() {
    assert_eq!(statehood_vps(duel().indians()), 15);
}
