//! Tests by rule number.

use super::*;
use postrider_table::{Ruleset as _, Seat, testing::Running, testing::Trial};
use std::collections::BTreeMap;

/// A started game for two with these dice. The horses are in the order of the file, so that
/// mustangs are dealt.
fn begun(storms: bool, dice: &[i64]) -> Running<Relay> {
    let options = BTreeMap::from([("storms".to_owned(), storms.into())]);
    let setup = Setup { seats: 2, scenario: "standard".to_owned(), options, components: RULES.components().into() };
    Trial::new(position(&setup).expect("it fits"), play::play).any_dice(dice.iter().copied()).start()
}

/// relay 1, 2, 3, 4
#[test]
fn a_ride_leads_as_far_as_the_horse_runs() {
    let mut game = begun(false, &[]);
    assert!(game.now().seats().all(|seat| game.now().horses.hand(seat).len() == play::HAND));
    assert!(game.refused("ride mustang to denver").contains("does not run to Denver"));
    assert!(game.refused("thoroughbred to denver").contains("(3)"));
    assert_eq!(game.read("mustang denver").expect_err("a word is left out").why, "“to” is expected here, not “denver”");
    game.say("ride mustang to fort kearny");
    assert_eq!((game.now().rider(Seat(0)).mail, game.now().horses.hand(Seat(0)).len()), (2, play::HAND));
}

/// relay 5
#[test]
fn robbers_are_paid_or_take_what_they_find() {
    let mut game = begun(false, &[3]);
    for to in ["fort kearny", "fort riley", "fort laramie", "denver"] {
        game.say(&format!("mustang to {to}"));
        if game.asked()[0].1 == "robbers" {
            game.say(if to == "denver" { "run" } else { "pay" });
        }
    }
    // A has 2 mail, pays 1 and fetches 4; B has 2, loses all and fetches 5.
    assert_eq!([0, 1].map(|seat| game.now().rider(Seat(seat)).mail), [5, 5]);
}

/// relay 6
#[test]
fn in_a_storm_every_horse_runs_one_step() {
    let game = begun(true, &[2]);
    assert!(game.now().storm);
    game.check_options(3);
}

/// relay 2
#[test]
fn the_drawing_is_that_of_the_roads() {
    assert_eq!(view::MAP.shapes.faults(), Vec::<String>::new());
    assert!(view::MAP.fits(RULES.components()));
}

/// relay 7
#[test]
fn equal_riders_share_a_place() {
    let end = begun(false, &[]).now();
    assert_eq!(view::outcome(&end).winners(), [Seat(0), Seat(1)]);
    let effect = serde_json::json!({ "rider": { "rider": "B", "mail": 4 } });
    let (end, said) = postrider_table::ruled::<Relay>(&end, &effect).unwrap();
    assert_eq!(said, "@B: mail 4.");
    assert_eq!(view::outcome(&end).winners(), [Seat(1)]);
}
