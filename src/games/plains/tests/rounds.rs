//! Tests of a faction's round (7, 9), the turn and the end (8, 14).

use super::super::{State, cards, components::*, play, setup, state::Cubes, testing::*};
use Faction::*;
use postrider_table::{Hands, Held, Seat};

pub(super) fn holding(faction: Faction, names: &[&str]) -> State {
    let mut g = bare(2);
    set(&mut g, "N7", &[(Npt, 3)]);
    set(&mut g, "S7", &[(Spt, 3)]);
    set(&mut g, "St. Louis", &[(Cavalry, 1), (Settlers, 3)]);
    let mut order: Vec<CardId> = names.iter().map(|name| g.c.card_named(name).expect(name)).collect();
    let rest: Vec<CardId> = g.c.deck(faction).filter(|card| !order.contains(card)).collect();
    order.extend(rest);
    let hand = order.iter().take(names.len()).enumerate().map(|(pos, &card)| Held { card, pos }).collect();
    let hands = [(g.owner(faction), hand)].into();
    *g.deck_mut(faction) = Hands { drawn: names.len(), hands, order, ..Hands::default() };
    g
}

pub(super) fn round(g: State, faction: Faction) -> Running {
    let rule = move |t, mut g| async move {
        cards::round(&t, &mut g, faction).await;
        g
    };
    Trial::new(g, rule).start()
}

/// plains-indian-wars 4.2, 7.0, 9.0, 9.1, 9.2
#[test]
fn one_movement_card_and_up_to_two_events() {
    let mut trial = round(holding(Npt, &["Gall", "Hump", "Torn-up Track"]), Npt);
    trial.check_options(9);
    assert_eq!(trial.words(), ["play gall", "play hump", "play torn-up track"]);
    assert!(trial.refused("use torn-up track to move").contains("no War Party card in hand"));
    assert!(trial.refused("end").contains("play one first"));
    trial.say("play torn-up track");
    trial.say("play gall").say("place 3 in n7").say("done");
    // A second War Party card may not be played, so the player can only end the round.
    assert_eq!(trial.words(), ["end the round"]);
    trial.say("end the round");
    let g = trial.over();
    assert_eq!(g.hand(Npt).len(), 1);
    assert_eq!(g.deck(Npt).discards.len(), 2);
    assert_eq!(g.enduring(Npt), None, "Gall covers it");
}

/// plains-indian-wars 9.2.1, 9.2
#[test]
fn an_enduring_card_played_last_stays_in_force() {
    let mut trial = round(holding(Npt, &["Gall", "Great Hunt", "Torn-up Track"]), Npt);
    trial.say("play gall").say("place 3 in n7").say("done");
    trial.say("play great hunt").say("place 1 in n7");
    trial.say("play torn-up track");
    let g = trial.over();
    assert!(g.endures(Event::TornUpTrack));
    assert!(g.hand(Npt).len() == 0);
}

/// plains-indian-wars 9.2, 9.0
#[test]
fn without_a_movement_card_an_event_moves_two_groups() {
    let mut trial = round(holding(Npt, &["Torn-up Track", "Great Hunt", "Crazy Horse"]), Npt);
    trial.check_options(9);
    trial.say("play great hunt").say("place 1 in n7");
    trial.say("play torn-up track");
    // The last card must be used to move; no cubes are placed, and two groups move two regions
    // each.
    assert!(trial.refused("play crazy horse").contains("to move"));
    assert_eq!(trial.words(), ["use crazy horse to move"]);
    trial.say("use crazy horse to move");
    trial.say("move 4 from n7 to n9");
    let g = trial.over();
    assert_eq!((here(&g, "N9")[Npt], g.ready[Npt]), (4, 26));
    // An Event card used to move has no other effect: the railroad may still be extended.
    let mut trial = round(holding(Npt, &["Torn-up Track"]), Npt);
    trial.say("use torn-up track to move").say("done");
    assert!(!trial.over().endures(Event::TornUpTrack));
}

/// plains-indian-wars 9.2, 12.0
#[test]
fn engagements_wait_for_movement_but_not_after_it() {
    let mut g = holding(Settlers, &["Black Hills Gold", "Cattle Drovers", "Homestead Act"]);
    set(&mut g, "N8", &[(Npt, 1)]);
    let mut trial = Trial::new(g.clone(), |t, mut g| async move {
        cards::round(&t, &mut g, Settlers).await;
        g
    })
    .rolls(Npt, "bb")
    .rolls(Settlers, "wb")
    .start();
    trial.say("play black hills gold");
    assert_eq!(here(&trial.now(), "N8").0, [1, 0, 0, 2, 0, 0], "nothing is fought yet");
    trial.say("play cattle drovers").say("0").say("done");
    // Green may use its own Blank to leave or may stay.
    while trial.asked().first().is_some_and(|k| k.1 == "retreat") {
        trial.say("stay");
    }
    let end = trial.now();
    assert_eq!((here(&end, "N8").0, end.casualties[Npt]), ([0, 0, 0, 2, 0, 0], 1));
}

/// plains-indian-wars 7.0, 9.0, 9.2.2
#[test]
fn hands_are_filled_to_three_and_custer_is_played_at_once() {
    let mut g = holding(Cavalry, &["Fort Sill", "Fort Dodge", "Custer"]);
    g.deck_mut(Cavalry).hands.clear();
    g.deck_mut(Cavalry).drawn = 2;
    g.deck_mut(Cavalry).discards = g.deck(Cavalry).order[..2].to_vec();
    set(&mut g, "N7", &[(Npt, 2)]);
    let rule = |t, mut g| async move {
        cards::refill(&t, &mut g, Cavalry).await;
        g
    };
    let mut trial = Trial::new(g, rule).rolls(Npt, "tb").rolls(Cavalry, "tw").start();
    // There is only one camp, so no question. The Treaty sends the two Green away; the stronger
    // side chooses where.
    assert_eq!(trial.asked(), [(Seat(1), "treaty")]);
    trial.say("to n6");
    let g = trial.over();
    assert_eq!((here(&g, "N7")[Cavalry], here(&g, "N6")[Npt], g.custer_vps), (4, 2, 0));
    assert_eq!((g.hand(Cavalry).len(), g.deck(Cavalry).discards.len()), (3, 3));
    assert!(!g.ending());
}

/// plains-indian-wars 9.0, 14.0, 2.0
#[test]
fn the_last_card_of_a_deck_ends_the_game_with_the_turn() {
    let mut g = holding(Npt, &["Gall"]);
    g.deck_mut(Npt).order.truncate(1);
    let rule = |t, mut g| async move {
        play::disc(&t, &mut g, Npt).await;
        g
    };
    let mut trial = Trial::new(g, rule).start();
    trial.say("play gall").say("place 3 in n7").say("done");
    assert!(trial.over().ending());
}

/// plains-indian-wars 7.0, 11.2.2, 12.1.2.1
#[test]
fn what_belongs_to_a_round_ends_with_its_disc() {
    let mut g = bare(2);
    set(&mut g, "N7", &[(Npt, 1), (Wagons, 1)]);
    let r = at(&g, "N7");
    (g.together, g.contested) = (vec![(r, [Cavalry, Settlers])], vec![r]);
    (g.escaped[usize::from(r.0)], g.moved[usize::from(r.0)][Npt]) = (1, 1);
    assert_eq!(g.targets(r), 0);
    let rule = |t, mut g| async move {
        play::disc(&t, &mut g, Railroad).await;
        g
    };
    let end = Trial::new(g, rule).rolls(Settlers, "bb").start().over();
    assert_eq!((end.together.len(), end.contested.len(), end.targets(r)), (0, 0, 1));
    assert_eq!(end.fresh(Spot::Region(r))[Npt], 1);
}

/// plains-indian-wars 4.1, 7.0, 8.0, 14.0
#[test]
fn seven_discs_a_turn_and_the_ranking_at_the_end() {
    use postrider_table::{Decision, SeededChance, Session, Watch};
    let mut g = setup::position(pieces(), bare(2).variant);
    // The traces of an earlier turn: instructions, spared Wagons, Custer's force.
    (g.enduring, g.custer) = ([Some(Event::TornUpTrack); 4], vec![1; g.map.len()]);
    g.spared.fill(1);
    let mut session = Session::<super::super::Plains>::start(g, Box::new(SeededChance::new(5)), Watch::ALL);
    let mut marks = Vec::new();
    while session.over().is_none() {
        let seen = session.look().expect("it runs");
        let led: u32 = seen.state.custer.iter().map(|&n| u32::from(n)).sum();
        assert!(seen.state.turn == 0 || led <= 4, "Custer's force is that of the turn");
        if seen.state.turn == 2 && seen.state.drawn.len() == 1 {
            assert_eq!(seen.state.enduring, [None; 4], "instructions end with the turn");
            assert!(seen.state.spared.iter().all(|&n| n == 0), "so does the protection by a Treaty");
        }
        let ticket = &seen.tickets[0];
        let order = ticket.prompt.at_deadline(&seen.state, ticket.seat).expect("silence has an answer");
        let decision = Decision { seat: ticket.seat, prompt: ticket.id, order };
        session.submit(&decision).expect("legal");
        for event in session.take_events() {
            if let postrider_table::Event::Round { turn, round, .. } = event {
                marks.push((turn, round));
            }
        }
    }
    assert_eq!(marks[0], (0, 0));
    for (i, &(turn, round)) in marks[1..].iter().enumerate() {
        assert_eq!((turn, round), (i as u32 / 7 + 1, i as u32 % 7 + 1));
    }
    let g = session.over().expect("over");
    assert_eq!((marks.len() - 1) % 7, 0, "the last disc of the turn is drawn");
    assert!(g.finished && (g.joined() || Faction::CARDED.into_iter().any(|f| g.deck(f).is_spent())));
}

/// plains-indian-wars 7.0, 9.0
#[test]
fn as_many_cards_are_drawn_as_were_played() {
    let g = holding(Npt, &["Gall", "Great Hunt", "Hump"]);
    let rule = |t, mut g| async move {
        play::disc(&t, &mut g, Npt).await;
        g
    };
    let mut trial = Trial::new(g, rule).start();
    // A card of another hand is never played by mistake for one with a similar name.
    assert!(
        trial.refused("play sitting bull").contains("not in the hand of the NPT, which is Gall, Great Hunt and Hump")
    );
    trial.say("play great hunt").say("place 1 in n7");
    assert!(trial.read("done").is_err(), "that is said of moves, and ends no round by mistake");
    trial.say("play gall").say("place 3 in n7").say("done").say("end the round");
    let g = trial.over();
    assert_eq!((g.hand(Npt).len(), g.deck(Npt).drawn, g.deck(Npt).discards.len()), (3, 5, 2));
    assert!(g.moved.iter().all(Cubes::is_empty), "the next round finds all cubes fresh");
}

/// The round goes on regardless of the cards left in hand; otherwise the others would learn that
/// none of them can be played.
/// plains-indian-wars 9.0
#[test]
fn a_round_with_cards_left_ends_alike_whatever_they_are() {
    // Hump is a second War Party card, Torn-up Track an Event that can always be played.
    for third in ["Hump", "Torn-up Track"] {
        let mut trial = round(holding(Npt, &["Gall", "Great Hunt", third]), Npt);
        trial.say("play great hunt").say("place 1 in n7").say("play gall").say("place 3 in n7").say("done");
        assert_eq!(trial.asked(), [(Seat(0), "card")]);
        assert!(trial.words().contains(&"end the round".to_owned()));
        trial.say("end the round").over();
    }
    // The number of cards is public: with none left, or after two Events, there is no question.
    let mut trial = round(holding(Npt, &["Gall"]), Npt);
    trial.say("play gall").say("place 3 in n7").say("done").over();
    let mut trial = round(holding(Npt, &["Gall", "Great Hunt", "Torn-up Track", "Hump"]), Npt);
    trial.say("play great hunt").say("place 1 in n7").say("play torn-up track");
    let g = trial.say("play gall").say("place 3 in n7").say("done").over();
    assert_eq!(g.hand(Npt).len(), 1);
    // A third Event card is one too many.
    let mut trial = round(holding(Npt, &["Gall", "Great Hunt", "Torn-up Track", "Crazy Horse"]), Npt);
    trial.say("play great hunt").say("place 1 in n7").say("play torn-up track");
    assert_eq!(trial.words(), ["play gall"]);
    assert!(trial.refused("play crazy horse").contains("One or 2 Event cards can be played in a round"));
}
