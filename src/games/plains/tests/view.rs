//! Tests of the views, the templates and the public form.

use super::super::{
    Plains,
    components::*,
    setup,
    testing::*,
    view::view,
    visibility::{masked, public},
};
use postrider_dice::{DiceStream, h};
use postrider_letters::{self as letters, text};
use postrider_table::{Decision, Game, Seat, SeededChance, Session, Watch};

fn positions(players: u8, seed: u64, every: usize) -> Vec<super::super::State> {
    let mut stream = DiceStream::new(h("postrider/test/v1", &["plains", &seed.to_string()]));
    let start = setup::position(pieces(), bare(players).variant);
    let mut session = Session::<Plains>::start(start, Box::new(SeededChance::new(seed)), Watch::NONE);
    let mut seen_states = Vec::new();
    for step in 0.. {
        if session.over().is_some() {
            break;
        }
        let seen = session.look().expect("it runs");
        if step % every == 0 {
            seen_states.push(seen.state.clone());
        }
        let ticket = &seen.tickets[0];
        let order = ticket.prompt.sample(&seen.state, ticket.seat, &mut |n| stream.below(n)).expect("legal");
        let decision = Decision { seat: ticket.seat, prompt: ticket.id, order };
        session.submit(&decision).expect("accepted");
    }
    seen_states
}

#[test]
fn nothing_hidden_is_in_a_view() {
    let mut stream = DiceStream::new(h("postrider/test/v1", &["plains-hidden"]));
    for players in 2..=4 {
        for g in positions(players, u64::from(players), 9) {
            for seat in (0..players).map(|s| Some(Seat(s))).chain([None]) {
                let other = masked(&g, seat, &mut |n| stream.below(n));
                assert_eq!(view(&g, seat), view(&other, seat));
                let text = |g| {
                    let mut text = String::new();
                    public(g, &mut text);
                    text
                };
                assert_eq!(text(&g), text(&other));
                assert_eq!(super::super::legal::faults(&other), Vec::<String>::new());
            }
        }
    }
}

#[test]
fn the_public_form_is_canonical() {
    for g in positions(3, 77, 25) {
        let mut text = String::new();
        public(&g, &mut text);
        let parsed = serde_json::from_str::<serde_json::Value>(&text).expect("JSON");
        assert_eq!(parsed.to_string(), text);
    }
}

/// plains-indian-wars 9.0
#[test]
fn a_player_sees_the_hands_of_his_own_factions() {
    let g = positions(4, 3, 1).into_iter().nth(8).expect("a position after set-up");
    let hands = |seat: u8| view(&g, Some(Seat(seat)))["you"]["hands"].as_array().map_or(0, Vec::len);
    assert_eq!([0, 1, 2, 3].map(hands), [1, 1, 1, 1]);
    assert!(view(&g, None).get("you").is_none());
    let two = positions(2, 3, 1).into_iter().nth(8).expect("a position after set-up");
    assert_eq!(view(&two, Some(Seat(0)))["you"]["hands"].as_array().map_or(0, Vec::len), 2);
}

#[test]
fn letters_are_76_columns_wide() {
    let template = include_str!("../../../../templates/plains-indian-wars/view.txt");
    for players in 2..=4 {
        for g in positions(players, 11, 30) {
            for seat in [None, Some(Seat(0)), Some(Seat(players - 1))] {
                let names = serde_json::json!({ "A": "Annabella", "B": "Ben", "C": "Carl", "D": "Dora" });
                let values = serde_json::json!({ "view": view(&g, seat), "names": names });
                let text = text::render(&letters::arranged(template, &values).expect("it renders"));
                for line in text.lines() {
                    assert!(line.chars().count() <= 76, "{line}");
                }
                assert!(text.contains("RAILROAD") && text.contains("Annabella"), "{text}");
            }
        }
    }
}

/// plains-indian-wars 14.1
#[test]
fn the_last_letter_says_what_everybody_played() {
    let template = include_str!("../../../../templates/plains-indian-wars/end.txt");
    for players in 2..=4 {
        let mut g = positions(players, 5, 40).pop().expect("a position");
        (g.east, g.west) = (7, 2);
        let names = serde_json::json!({ "A": "Annabella", "B": "Ben", "C": "Carl", "D": "Dora" });
        let values = serde_json::json!({ "end": <Plains as Game>::ending(&g), "names": names });
        let named = |seat: Seat| names[seat.to_string()].as_str().expect("a name").to_owned();
        let mut sections = letters::outcome(&<Plains as Game>::outcome(&g), named);
        sections.extend(letters::arranged(template, &values).expect("it renders"));
        let text = text::render(&sections);
        assert!(text.lines().all(|line| line.chars().count() <= text::WIDTH), "{text}");
        for seat in g.seats() {
            let name = named(seat);
            let row = text.lines().find(|line| line.contains(&name)).unwrap_or_else(|| panic!("{name}: {text}"));
            let words: Vec<&str> = row.split_whitespace().collect();
            assert_eq!(words[2..4], [g.part(seat), &g.score(seat).total().to_string()], "{row}");
        }
        let built = format!("{} of the {} spaces of the railroad built", g.east + g.west, g.c.rail.len());
        assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(&built), "{text}");
    }
}

/// plains-indian-wars 1.1, 1.2
#[test]
fn help_explains_actions_and_cards() {
    use postrider_orders::Phrase;
    let subjects = super::super::help::help(Components::FILE);
    let about = |subject: &str| subjects.find(&Phrase::new(subject));
    assert!(about("help").expect("contents").text.contains("movement"));
    assert!({
        let wagons = about("help wagons").expect("a topic");
        wagons.text.contains("call off") || wagons.orders.iter().any(|order| order.contains("call off"))
    });
    assert!(about("torn-up track").expect("a card").text.contains("Union Pacific"));
    assert!(about("xylophones").is_err());
    let missed = about("help lozzen or so").expect_err("two names").to_string();
    assert!(missed.contains("`help lozen`"), "{missed}");
    let c = Components::builtin();
    for card in &c.cards {
        let explained = about(&card.name).unwrap_or_else(|why| panic!("{}: {why}", card.name));
        assert!(!explained.text.is_empty(), "{}", card.name);
    }
}
