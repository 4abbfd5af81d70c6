//! Tests of playing and discarding cards (9.1), and of the notes shown for each card.

use super::*;
use crate::{
    Order,
    cards::{ShamanChoice, help},
};
use postrider_table::Prompt;

fn deal(g: &mut State, seat: Seat, cards: &[Card]) {
    g.hands[seat.index()] = cards.iter().enumerate().map(|(pos, &card)| Held { card, pos }).collect();
}
fn read(g: &State, words: &str) -> Result<Order, String> {
    ShamanChoice.read(g, RED, &Phrase::new(words)).map_err(|why| why.to_string())
}
fn play_order(card: Card) -> Order {
    Order::Play { card: card.name().to_owned() }
}
fn discard_order(card: Card) -> Order {
    Order::Discard { card: card.name().to_owned() }
}

/// geronimo 9.1, 9.11, 9.12
#[test]
fn a_card_of_the_hand_is_played_or_discarded() {
    let mut g = position();
    deal(&mut g, RED, &[Card::Raid, Card::AnyTribeMayRaid, Card::GoodWeather, Card::Raid]);
    let accept = |order: &Order| ShamanChoice.accept(&g, RED, order);
    assert_eq!(accept(&play_order(Card::Raid)), Ok((Card::Raid, Use::Played)));
    assert_eq!(accept(&discard_order(Card::GoodWeather)), Ok((Card::GoodWeather, Use::Discarded)));
    assert_eq!(accept(&play_order(Card::Parole)).unwrap_err().rule, "4.4B");
    assert_eq!(accept(&Order::Play { card: "Joker".to_owned() }).unwrap_err().rule, "4.4B");
    assert_eq!(accept(&Order::Pick { one: "Raid".to_owned() }).unwrap_err().rule, "4.4B");
    let options = ShamanChoice.options(&g, RED);
    let words: Vec<_> = options.iter().map(|choice| choice.words.as_str()).collect();
    let all = [
        "play any tribe may raid",
        "discard any tribe may raid",
        "play good weather",
        "discard good weather",
        "play raid",
        "discard raid",
    ];
    assert_eq!(words, all);
    for choice in &options {
        assert_eq!(read(&g, &choice.words).as_ref(), Ok(&choice.order));
        assert!(accept(&choice.order).is_ok());
    }
    assert_eq!(ShamanChoice.at_deadline(&g, RED), Some(discard_order(Card::AnyTribeMayRaid)));
    for n in 0..6 {
        let sampled = ShamanChoice.sample(&g, RED, &mut |_| n).unwrap();
        assert!(accept(&sampled).is_ok());
    }
    assert_eq!(ShamanChoice.sample(&g, FOX, &mut |_| 0), None);
}

#[test]
fn words_are_forgiving_but_say_what_is_missing() {
    let mut g = position();
    deal(&mut g, RED, &[Card::Raid, Card::GoodWeather]);
    assert_eq!(read(&g, "discard the weather card"), Ok(discard_order(Card::GoodWeather)));
    assert_eq!(read(&g, "play peace policy"), Ok(play_order(Card::PeacePolicy)), "understood, then refused");
    let bare = read(&g, "good weather").unwrap_err();
    assert!(bare.contains("play good weather") && bare.contains("discard good weather"), "{bare}");
    assert!(read(&g, "evade").is_err());
    assert!(read(&g, "play").is_err());
    assert!(read(&g, "play raid mexico").is_err());
}

/// geronimo 9.2BB
#[test]
fn the_springfield_rifle_is_only_discarded_before_turn_3() {
    let mut g = position();
    deal(&mut g, RED, &[Card::SpringfieldRifle]);
    g.turn = 2;
    assert_eq!(ShamanChoice.accept(&g, RED, &play_order(Card::SpringfieldRifle)).unwrap_err().rule, "9.2BB");
    let words = |g: &State| ShamanChoice.options(g, RED).into_iter().map(|choice| choice.words).collect::<Vec<_>>();
    assert_eq!(words(&g), ["discard springfield rifle"]);
    assert!(ShamanChoice.describe(&g, RED).lines.iter().any(|line| line.contains("(9.2BB)")));
    assert_eq!(ShamanChoice.sample(&g, RED, &mut |_| 0), Some(discard_order(Card::SpringfieldRifle)));
    g.turn = 3;
    assert_eq!(words(&g), ["play springfield rifle", "discard springfield rifle"]);
}

/// geronimo 8.23, 9.2X
#[test]
fn reservation_unrest_goes_first_in_the_last_turn() {
    let mut g = position();
    deal(&mut g, RED, &[Card::BadWeather, Card::ReservationUnrest, Card::ReservationUnrest]);
    assert!(ShamanChoice.accept(&g, RED, &play_order(Card::BadWeather)).is_ok());
    g.turn = 7;
    assert_eq!(ShamanChoice.accept(&g, RED, &play_order(Card::BadWeather)).unwrap_err().rule, "9.2X");
    assert_eq!(ShamanChoice.accept(&g, RED, &discard_order(Card::BadWeather)).unwrap_err().rule, "9.2X");
    assert!(ShamanChoice.accept(&g, RED, &discard_order(Card::ReservationUnrest)).is_ok());
    assert_eq!(ShamanChoice.options(&g, RED).len(), 2);
    assert_eq!(ShamanChoice.at_deadline(&g, RED), Some(discard_order(Card::ReservationUnrest)));
    deal(&mut g, RED, &[Card::BadWeather]);
    assert!(ShamanChoice.accept(&g, RED, &play_order(Card::BadWeather)).is_ok(), "both are gone");
}

/// geronimo 9.13
#[test]
fn a_card_without_effect_is_no_event_and_leaves_the_operation() {
    for card in [
        Card::AgencyCorruption,
        Card::Federales,
        Card::GhostTowns,
        Card::Parole,
        Card::Raid,
        Card::RailroadSkimmingScandal,
        Card::ReservationUnrest,
        Card::TribalUnrest,
    ] {
        let g = position();
        assert!(matches!(standing(&g, RED, card), Standing::NoEvent(_)), "{card:?}");
        let (_, after, told) = trial(g, RED, card, &[]).end();
        assert_eq!(after, After::Operation, "{card:?}");
        assert!(told[0].starts_with("No Event: "), "{told:?}");
    }
}

/// geronimo 9.14
#[test]
fn each_side_ignores_what_it_must() {
    let g = position();
    let us = [
        Card::AnyTribeMayRaid,
        Card::BadBlood,
        Card::BloodLust,
        Card::PeaceChief,
        Card::Raid,
        Card::Rampage,
        Card::Scouts,
        Card::TribalAlliances,
    ];
    for card in Card::all() {
        let ignored = matches!(standing(&g, US, card), Standing::Ignored(_));
        assert_eq!(ignored, us.contains(&card), "{card:?}");
        let ignored = matches!(standing(&g, RED, card), Standing::Ignored(_));
        assert_eq!(ignored, card == Card::PublicOutrage, "{card:?}");
    }
    let (g, after, told) = trial(g, US, Card::Rampage, &[]).end();
    assert!(!g.fx.rampage);
    assert_eq!(after, After::Operation);
    assert_eq!(told, ["Rampage is Ignored: the US cannot use it."]);
}

#[test]
fn every_card_has_a_short_help() {
    for card in Card::all() {
        let lines: Vec<_> = help(card).lines().collect();
        assert!((1..=3).contains(&lines.len()), "{card:?}");
        assert!(lines[0].len() <= 60 && lines.iter().all(|line| !line.is_empty()), "{card:?}: {}", lines[0].len());
    }
}

/// geronimo 9.13
#[test]
fn notes_tell_what_playing_would_do() {
    let mut g = position();
    deal(&mut g, RED, &[Card::Parole, Card::PublicOutrage, Card::GoodWeather]);
    let notes: Vec<_> = ShamanChoice.options(&g, RED).into_iter().map(|choice| choice.note).collect();
    assert_eq!(notes[0], "2 Survival Points more in an Area this Turn");
    assert_eq!(notes[2], "No Event now: no Chief is In Prison");
    assert_eq!(notes[4], "Ignored: the Indians cannot use it");
    let text = ShamanChoice.describe(&g, RED);
    assert!(text.lines[0].starts_with("You hold 3."));
}
