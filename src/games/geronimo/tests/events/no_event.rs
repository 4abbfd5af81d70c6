//! Tests of cards that turn out to have no effect, and of the roll that they allow (9.13, 9.14,
//! 12.1).

use super::*;

const ROLL: [(Seat, &str); 1] = [(B, "random-event")];

fn played(mut g: State, card: Card) -> Running {
    g.variant.random_events = true;
    let rule = move |t: T, mut g: State| async move {
        events::card_and_event(&t, &mut g, B, card).await;
        g
    };
    Trial::new(g, rule).start()
}

/// A player without a Scout Tribe must Ignore the card and may roll. A player who declines to give
/// one is asked as well, so that the question reveals nothing, but has only one answer.
/// geronimo 9.2Y, 9.14, 12.1, 12.12
#[test]
fn scouts_that_nobody_can_give_bring_a_random_event() {
    let answers = |held: &str| {
        let mut g = field();
        deal_to(&mut g, held, B);
        let mut trial = played(g, Card::Scouts);
        trial.say("nobody");
        (trial.words(), trial.asked(), trial.story())
    };
    let (without, with) = (answers("Ute"), answers("Crow"));
    assert_eq!(without.1, ROLL);
    assert_eq!((without.1, without.2), (with.1, with.2), "nobody can tell one from the other");
    assert_eq!(without.0, ["no roll", "roll"]);
    assert_eq!(with.0, ["no roll"]);
    // A player who gives Scouts has played the card.
    let mut g = field();
    deal_to(&mut g, "Crow", B);
    assert_eq!(played(g, Card::Scouts).say("crow").asked(), []);
}

/// geronimo 9.2D, 9.13, 12.1
#[test]
fn bad_blood_without_effect_is_no_event() {
    let mut g = field();
    hold(&mut g, "Crow", C);
    let named = |g: &State, tribe: &str| played(g.clone(), Card::BadBlood).say(tribe).asked();
    assert_eq!(named(&g, "ute"), ROLL, "nobody plays the Ute");
    let crow = village(&g, "Crow");
    assert_eq!(named(&g, "crow"), [(C, "compelled-attack")]);
    g.village_mut(crow).finished = true;
    assert_eq!(named(&g, "crow"), ROLL, "the Crow are Finished");
}

/// geronimo 9.2F, 9.2Q, 9.13, 12.1
#[test]
fn blood_lust_and_peace_chief_that_find_nobody_are_no_event() {
    // Nobody holds a Tribe, so B asks for all of them.
    for card in [Card::BloodLust, Card::PeaceChief] {
        let mut trial = played(field(), card);
        let mut asked_for = 0;
        while trial.asked() != ROLL {
            let words = trial.words();
            trial.say(&words[0]);
            asked_for += 1;
        }
        assert!(asked_for > 1, "{card:?}");
    }
    // If a Tribe is found, the card has had its effect.
    let mut g = field();
    hold(&mut g, "Crow", C);
    assert_eq!(played(g, Card::PeaceChief).say("crow").asked(), []);
}
