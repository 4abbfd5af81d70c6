//! Tests of Chiefs (6.5, 7.8).

use super::*;
use crate::{deal::at_the_start_of_the_turn as divide_at_the_start, ratings::Force};

/// geronimo 6.51, 6.5
#[test]
fn pocatello_and_bear_hunter_come_by_turns() {
    let mut g = field();
    let (pocatello, hunter) = (chief(&g, "Pocatello"), chief(&g, "Bear Hunter"));
    for turn in 1..=8 {
        g.turn = turn;
        assert_eq!(g.chief_available(pocatello), turn <= 2, "Turn {turn}");
        assert_eq!(g.chief_available(hunter), turn == 3 || turn == 4, "Turn {turn}");
    }
    g.turn = 4;
    assert!(g.chiefs_at(village(&g, "Shoshone")).eq([hunter]));
    g.chiefs[hunter.index()].prison = true;
    assert_eq!(g.chiefs_at(village(&g, "Shoshone")).count(), 0);
}

/// geronimo 6.53, 6.52
#[test]
fn three_cheyenne_chiefs_in_one_war_party() {
    let mut g = field();
    hold(&mut g, "Cheyenne", B);
    let p = party(&mut g, "Southern", 3, &["Bull Bear", "Roman Nose", "Tall Bull"], "CO");
    let force = Force::party(p);
    assert_eq!(force.chief_combat(&g), 3);
    // Evasion: the Tribe's 2, Tall Bull 1, the War Party's 3. The Chiefs add 3 to the Tribe's
    // Aggression of 2.
    assert_eq!(force.evasion_capability(&g), 2 + 1 + 3);
    assert_eq!(force.massacre_aggression(&g) - force.tribal_aggression(&g), 3);
}

/// geronimo 6.51, 6.53
#[test]
fn chiefs_go_with_their_own_village_and_once_a_turn() {
    let mut g = field();
    hold(&mut g, "Cheyenne", B);
    mine(&mut g, "CO", 3);
    let mut trial = b_round(g.clone()).start();
    refused_by(&mut trial, "6.51", "southern cheyenne war party of 2 with little wolf attacks mine in colorado");
    refused_by(&mut trial, "6.51", "southern cheyenne war party of 2 with two moon attacks mine in colorado");
    refused_by(
        &mut trial,
        "6.53",
        "southern cheyenne war party of 2 with roman nose and roman nose attacks mine in colorado",
    );
    let p = party(&mut g, "Southern", 2, &["Roman Nose"], "CO");
    let mut trial = b_round(g.clone()).start();
    refused_by(&mut trial, "6.53", "southern cheyenne war party of 2 with roman nose attacks mine in colorado");
    g.parties.retain(|x| x.id != p);
    let mut trial = b_round(g).start();
    refused_by(&mut trial, "6.53", "southern cheyenne war party of 2 with roman nose attacks mine in colorado");
}

/// geronimo 6.51
#[test]
fn where_nobody_was_asked_the_teton_chiefs_are_divided_when_the_sioux_are_first_used() {
    let mut g = field();
    deal_to(&mut g, "Sioux", B);
    let mut trial = b_round(g).start();
    trial.say("teton sioux 1 relocate to wyoming");
    assert_eq!(trial.asked().len(), 1);
    trial.check_options(10);
    trial.say("crazy horse, sitting bull");
    let end = trial.over();
    let second = village(&end, "Teton 2");
    assert!(end.chiefs_at(second).eq([chief(&end, "Crazy Horse"), chief(&end, "Sitting Bull")]));
    assert!(end.tribes[tribe(&end, "Sioux").index()].revealed);
}

/// Runs the start of a Turn as far as the Teton Chiefs are concerned, then optionally B's
/// Operation.
fn tetons_at_start(g: State, operation_of_b: bool) -> Running {
    let rule = move |t: T, mut g: State| async move {
        divide_at_the_start(&t, &mut g).await;
        if operation_of_b {
            operation(&t, &mut g, B, After::Operation).await;
        }
        g
    };
    Trial::new(g, rule).start()
}

/// geronimo 6.51
#[test]
fn the_teton_chiefs_are_divided_at_the_start_of_the_turn() {
    let mut g = field();
    deal_to(&mut g, "Sioux", B);
    let mut trial = tetons_at_start(g.clone(), true);
    assert_eq!(trial.asked(), [(B, "teton-chiefs"), (C, "teton-chiefs"), (Seat(3), "teton-chiefs")]);
    trial.check_options(10);
    assert!(trial.reads().lines.iter().any(|line| line.contains("You hold the Sioux")), "{:?}", trial.reads());
    trial.say("crazy horse, sitting bull");
    assert!(trial.reads().lines.iter().any(|line| line.contains("You do not hold the Sioux")), "{:?}", trial.reads());
    trial.say("nobody").say("teton 2 gets red cloud");
    let story = trial.story();
    assert_eq!(
        story.iter().filter(|line| line.contains("holds the Sioux, the Teton Sioux 2 gets")).count(),
        3,
        "{story:?}"
    );
    let now = trial.now();
    assert!(!now.tribes[tribe(&now, "Sioux").index()].revealed);
    // When the card is revealed, its player cannot divide them again; the division becomes public.
    trial.say("teton sioux 1 relocate to wyoming");
    let story = trial.story();
    assert!(story.contains(&"Chiefs with the Teton Sioux 2: Crazy Horse and Sitting Bull.".to_owned()), "{story:?}");
    let end = trial.over();
    assert!(end.chiefs_at(village(&end, "Teton 2")).eq([chief(&end, "Crazy Horse"), chief(&end, "Sitting Bull")]));
    assert!(end.tribes[tribe(&end, "Sioux").index()].revealed);

    // If nobody holds the Sioux, all are asked as well, and the Chiefs are divided alternately.
    let mut trial = tetons_at_start(field(), false);
    trial.say("nobody").say("nobody").say("nobody");
    let end = trial.over();
    assert_eq!(end.chiefs_of(village(&end, "Teton 2")).count(), 2);

    // If the holder is known to all, only the holder is asked.
    hold(&mut g, "Sioux", B);
    let sioux = tribe(&g, "Sioux");
    g.tribes[sioux.index()].divided = false;
    let mut trial = tetons_at_start(g, false);
    assert_eq!(trial.asked(), [(B, "teton-chiefs")]);
    assert!(!trial.reads().lines.iter().any(|line| line.contains("Every Indian player")));
    trial.say("nobody").over();
}
