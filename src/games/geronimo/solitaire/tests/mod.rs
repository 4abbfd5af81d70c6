//! Tests of the Solitaire Game, by rule.

mod played;

use super::{super::*, *};
use crate::{
    card::Card,
    cards::Standing,
    play::card_play,
    setup,
    state::{Held, Phase, Place, TribalCard},
    statehood::statehood_phase,
    survival::survival_phase,
    testing::{Running, Trial, area, chief, column, pieces, tribe, village},
    variant::{Scenario, Variant},
};
use postrider_table::{Event, Seat};

/// Returns the initial position of the Solitaire Game of a scenario.
fn alone(scenario: Scenario) -> State {
    setup::position(pieces(), 1, Variant { scenario, solitaire: true, ..Variant::default() })
}

/// Returns a position in the middle of a Turn, after the last Resources have arrived, with these
/// cards on top of the decks.
fn field(cards: &[Card], tribes: &[&str]) -> State {
    let mut g = alone(Scenario::Basic);
    (g.phase, g.round, g.us_rounds, g.dealt) = (Phase::CardPlay, 21, 5, 15);
    g.solo.shaman = cards.iter().enumerate().rev().map(|(pos, &card)| Held { card, pos }).collect();
    let named = tribes.iter().enumerate().rev();
    g.solo.tribal = named.map(|(pos, name)| TribalCard { tribe: tribe(&g, name), pos }).collect();
    g
}

fn drawn_before(g: &mut State, name: &str) {
    let id = tribe(g, name);
    let state = &mut g.tribes[id.index()];
    (state.holder, state.revealed, state.divided) = (Some(INDIANS), true, true);
    for v in g.c[id].villages.clone() {
        g.village_mut(v).finished = true;
    }
}

/// Places a Village in an Area with this number of BPs.
fn at(g: &mut State, name: &str, code: &str, bps: i32) -> components::VillageId {
    let (v, a) = (village(g, name), area(g, code));
    let state = g.village_mut(v);
    (state.place, state.bps) = (Place::Area(a), bps);
    v
}

fn on_reservation(g: &mut State, name: &str, code: &str) -> components::VillageId {
    let (v, from) = (village(g, name), area(g, code));
    g.village_mut(v).place = Place::Reservation { from };
    v
}

fn round_of(mut g: State, hat: Seat) -> Trial {
    g.active = Some(hat);
    if hat == US {
        g.us_rounds += 1;
    }
    Trial::new(g, move |t: T, mut g| async move {
        round(&t, &mut g, hat).await;
        g
    })
}

fn refused_by(trial: &mut Running, rule: &str, words: &str) {
    let why = trial.refused(words);
    assert!(why.ends_with(&format!("({rule})")), "{words}: {why}");
}

fn tells(trial: &mut Running, what: &str) {
    let story = trial.story();
    assert!(story.iter().any(|line| line.contains(what)), "{what}: {story:#?}");
}

/// geronimo 11.3, 11.32, 11.33
#[test]
fn the_set_up_is_the_same_but_for_the_federales() {
    let g = alone(Scenario::Basic);
    let with_others = testing::basic(3);
    assert_eq!((g.players, g.us, g.indians()), (2, US, 1));
    let map = |g: &State| format!("{:?} {:?} {:?}", g.areas, g.villages, g.reserve);
    assert_eq!(map(&g), map(&with_others));
    assert_eq!(g.removed.last(), Some(&Card::Federales));
    assert!(alone(Scenario::Campaign).removed.contains(&Card::Federales));
}

/// geronimo 11.32, 11.33, 11.34
#[test]
fn thirty_shaman_cards_and_eighteen_tribes_are_dealt_to_nobody() {
    let deal = |g: State| {
        Trial::new(g, |t, mut g| async move {
            distribute(&t, &mut g);
            g
        })
    };
    // 19 Tribes are in play: six are named by the rule, and twelve of the other 13 are drawn.
    let mut trial = deal(alone(Scenario::Basic)).dice("tribe", [0; 12]).start();
    let events = trial.events();
    let g = trial.over();
    let lists: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::Shuffled { deck, list, .. } => Some((*deck, list.clone())),
            _ => None,
        })
        .collect();
    assert_eq!((lists[0].0, lists[0].1.len()), ("tribal", 18));
    for name in ["Sioux", "Apache", "Kiowa", "Comanche", "Cheyenne", "Arapaho"] {
        assert!(lists[0].1.iter().any(|card| card == name), "{name}");
    }
    // 49 cards, less three of the Campaign Game, less the Federales.
    assert_eq!((lists[1].0, lists[1].1.len()), ("shaman", 45));
    assert!(!lists[1].1.iter().any(|card| card == "Federales"));
    for (deck, count) in [("tribal", 18), ("shaman", 30)] {
        assert!(events.contains(&Event::Dealt { deck, epoch: 0, seat: None, from: 0, count }), "{deck}");
    }
    assert_eq!((g.solo.shaman.len(), g.solo.tribal.len()), (30, 18));
    assert_eq!((g.solo.shaman[29].pos, g.solo.tribal[17].pos), (0, 0), "the next card is the top one");
    assert!(g.hands.iter().all(Vec::is_empty) && g.tribes.iter().all(|s| s.holder.is_none()));
    // Without the Kiowa, one more Tribe is drawn, so none is left out; with fewer Tribes, all are
    // in the deck.
    let mut short = alone(Scenario::Basic);
    for (name, left) in [("Kiowa", 18), ("Comanche", 17)] {
        let v = village(&short, name);
        let state = short.village_mut(v);
        (state.place, state.bps) = (Place::Extinct, 0);
        let g = deal(short.clone()).start().over();
        assert_eq!(g.solo.tribal.len(), left, "without the {name}");
        assert!(g.solo.tribal.iter().all(|card| card.tribe != tribe(&g, name)));
    }
}

/// geronimo 11.35
#[test]
fn the_us_begins_turn_1_and_dice_say_who_begins_the_others() {
    let first = |turn: u8, dice: &[i64]| {
        let mut g = alone(Scenario::Campaign);
        g.turn = turn;
        let trial = Trial::new(g, |t, mut g| async move {
            let first = deal::who_goes_first(&t, &g);
            g.active = Some(first);
            g
        });
        trial.dice("first round", dice.iter().copied()).start().over().active
    };
    assert_eq!(first(1, &[]), Some(US));
    assert_eq!([1, 3, 5, 7, 9].map(|dr| first(2, &[dr])), [Some(US); 5]);
    assert_eq!([2, 4, 6, 8].map(|dr| first(5, &[dr])), [Some(INDIANS); 4]);
    assert_eq!(first(5, &[0]), Some(INDIANS));
}

/// geronimo 11.35, 11.3
#[test]
fn hats_alternate_with_each_shaman_card_and_one_seat_is_asked() {
    let cards = [Card::PublicOutrage, Card::PublicOutrage, Card::Parole, Card::Parole];
    let mut g = field(&cards, &["Ute", "Navajo"]);
    g.dealt = 2;
    column(&mut g, "Miles", "TX", 5);
    let mut trial = Trial::new(g, |t, mut g| async move {
        card_play(&t, &mut g, INDIANS).await;
        g
    })
    .any_dice([5; 4])
    .start();
    let mut titles = Vec::new();
    while let Some(&(seat, kind)) = trial.asked().first() {
        assert_eq!(seat, Seat(0));
        titles.push(trial.reads().title);
        trial.say(match kind {
            "settlement" => "utah",
            "column-play" => "done",
            _ => "pass",
        });
    }
    let sides: Vec<&str> = titles.iter().map(|title| title.split(':').next().unwrap_or_default()).collect();
    assert_eq!(sides, ["US", "Indians", "US", "US", "US", "Indians", "US", "US"], "{titles:?}");
    let g = trial.over();
    let drawn: Vec<Seat> = g.pile.iter().map(|played| played.0).collect();
    assert_eq!(drawn, [INDIANS, US, INDIANS, US]);
    assert!(g.tribes[tribe(&g, "Navajo").index()].holder.is_some());
    let none_open = trial.session.look().expect("the session runs").tickets.is_empty();
    assert!(none_open);
}

/// geronimo 11.35
#[test]
fn settlements_and_resources_come_with_the_first_twenty_cards() {
    for (round, allotted) in [(20, true), (21, false)] {
        let mut g = field(&[Card::Parole], &[]);
        g.round = round;
        let dice = allotted.then_some(3);
        let mut trial = round_of(g, US).dice("resource", dice).start();
        if allotted {
            assert_eq!(trial.asked(), [(Seat(0), "settlement")]);
            trial.say("utah");
        }
        trial.say("done");
        let g = trial.over();
        assert_eq!(g.area(area(&g, "UT")).settlements, 3 + i32::from(allotted));
    }
}

/// geronimo 11.35, 6.66
#[test]
fn dead_tribes_are_passed_over_and_an_empty_deck_activates_nobody() {
    let mut g = field(&[Card::Parole], &["Ute", "Navajo"]);
    let ute = village(&g, "Ute");
    let state = g.village_mut(ute);
    (state.place, state.bps) = (Place::Extinct, 0);
    let mut trial = round_of(g, INDIANS).start();
    trial.say("pass");
    tells(&mut trial, "The Navajo are activated.");
    let mut g = trial.over();
    assert_eq!(g.player_of(village(&g, "Navajo")), Some(INDIANS));
    assert!(g.player_of(ute).is_none() && g.solo.tribal.is_empty());
    g.round += 1;
    g.solo.shaman.push(Held { card: Card::Rampage, pos: 1 });
    let mut trial = round_of(g, INDIANS).start();
    tells(&mut trial, "No Event: no Tribe was drawn.");
    assert!(!trial.over().fx.rampage);
}

/// geronimo 11.31
#[test]
fn fourteen_states_better_history() {
    let mut g = alone(Scenario::Campaign);
    (g.turn, g.transcontinental) = (8, Some(6));
    for a in g.area_ids() {
        g.area_mut(a).state = a.index() < 14;
    }
    assert_eq!(verdict(&g), Verdict::Bettered);
    g.areas[0].state = false;
    assert_eq!(verdict(&g), Verdict::Worse);
    let (outcome, ending) = (view::outcome(&g), view::ending(&g));
    assert_eq!(outcome.in_short().as_deref(), Some(Verdict::Worse.words()));
    assert_eq!((outcome.ranking().len(), outcome.sides()), (0, vec!["Indians"]));
    assert_eq!(ending["states"].as_array().map(Vec::len), Some(13));
    assert_eq!(ending["transcontinental_turn"], 6);
    assert!(ending.get("sheets").is_none() && ending.get("vps_as_us").is_none());
}

/// geronimo 11.31, 5.241
#[test]
fn without_the_railroad_the_us_loses_at_the_end_of_turn_6() {
    let ends = |turn: u8, built: Option<u8>| {
        let mut g = alone(Scenario::Basic);
        (g.turn, g.transcontinental) = (turn, built);
        let mut trial = Trial::new(g, |t, mut g| async move {
            g.finished = turn_ends(&t, &g);
            g
        })
        .start();
        let story = trial.story();
        (trial.over().finished, story.last().cloned().unwrap_or_default())
    };
    assert!(!ends(5, None).0);
    let (over, told) = ends(6, None);
    assert!(over && told.starts_with("The US has lost by Sudden Death"), "{told}");
    assert!(!ends(6, Some(6)).0);
    let (over, told) = ends(7, Some(6));
    assert!(over && told.starts_with("The Indians have fared better"), "{told}");
}

/// geronimo 11.31
#[test]
fn nobody_scores_anything() {
    let mut g = field(&[Card::Parole], &["Arapaho"]);
    at(&mut g, "Arapaho", "CO", 9);
    let mut trial = round_of(g, INDIANS).dice("resource attack", [5]).start();
    let notes: Vec<String> = trial.options().into_iter().map(|choice| choice.note).collect();
    assert!(notes.iter().all(|note| !note.contains("VP")), "{notes:?}");
    trial.say("arapaho war party of 5 attacks settlement in colorado");
    while trial.asked() == [(Seat(0), "reaction")] {
        trial.say("no reaction");
    }
    let story = trial.story();
    assert!(story.iter().any(|line| line.ends_with("it succeeds.")), "{story:#?}");
    assert!(story.iter().all(|line| !line.contains("VP")), "{story:#?}");
    let mut g = trial.over();
    assert_eq!(g.area(area(&g, "CO")).settlements, 2, "the Settlement is gone all the same");
    let ut = area(&g, "UT");
    g.area_mut(ut).settlements = g.c[ut].statehood + 1;
    let mut trial = Trial::new(g, |t, mut g| async move {
        statehood_phase(&t, &mut g);
        g
    })
    .any_dice([0; 9])
    .start();
    let story = trial.story();
    assert!(story.iter().all(|line| !line.contains("VP")), "{story:#?}");
    let states = trial.now();
    assert!(states.area(ut).state && states.tally.iter().all(|tally| tally.vps == 0));
}

/// geronimo 11.37, 5.35, 6.35
#[test]
fn each_village_acts_once_and_war_parties_come_home_in_the_same_round() {
    let mut g = field(&[Card::Parole], &["Cheyenne"]);
    let (north, south) = (at(&mut g, "Northern", "WY", 5), at(&mut g, "Southern", "CO", 5));
    column(&mut g, "Miles", "CO", 8);
    let mut trial = round_of(g, INDIANS).dice("resource attack", [9]).dice("reaction", [9]).start();
    trial.say("southern cheyenne war party of 3 with bull bear attacks settlement in colorado");
    // Miles may react to the attack; after his failure, he may not react to the way home.
    trial.say("react miles");
    refused_by(&mut trial, "6.8", "southern cheyenne war party of 2 with roman nose attacks settlement in colorado");
    trial.say("northern cheyenne relocate to montana");
    // The Telegraph lets him react to a move in the adjacent Area (5.351).
    assert!(trial.reads().lines[0].contains("Northern"), "{:?}", trial.reads());
    trial.say("no reaction");
    let mut g = trial.over();
    assert!(g.parties.is_empty());
    assert_eq!((g.village(south).bps, g.village(south).finished), (5, true));
    assert_eq!(g.area_of(north), Some(area(&g, "MT")));
    // They cannot act in a later Round of this Turn.
    g.round = 23;
    g.solo.shaman.push(Held { card: Card::Parole, pos: 1 });
    g.solo.tribal.push(TribalCard { tribe: tribe(&g, "Ute"), pos: 1 });
    let mut trial = round_of(g, INDIANS).start();
    refused_by(&mut trial, "6.8", "northern cheyenne relocate to wyoming");
    trial.say("ute relocate to wyoming");
    while trial.asked() == [(Seat(0), "reaction")] {
        trial.say("no reaction");
    }
    trial.over();
}

/// geronimo 11.37, 6.64, 6.61
#[test]
fn survival_knows_who_did_nothing_and_who_was_not_drawn() {
    let mut g = field(&[Card::Parole, Card::Parole], &["Ute", "Comanche"]);
    let tx = at(&mut g, "Comanche", "TX", 10);
    let first = round_of(g, INDIANS).start().say("ute relocate to wyoming").over();
    let second = round_of(first, INDIANS).start().say("pass").over();
    let seen = view::view(&second, None);
    assert_eq!(seen["solitaire"]["acted"], serde_json::json!(["Ute"]));
    assert_eq!(seen["solitaire"]["idle"], serde_json::json!(["Comanche"]));
    assert_eq!((second.village(tx).actions, second.village(tx).finished), (0, true));
    // No other Tribe needs Survival Points: the Kiowa were not drawn, and no Village is forced On
    // Reservation for the lack of them.
    let mut g = second;
    for a in g.area_ids() {
        g.area_mut(a).settlements = 0;
        g.area_mut(a).towns = 8;
    }
    let kiowa = at(&mut g, "Kiowa", "KS", 3);
    let trial = Trial::new(g, |t, mut g| async move {
        survival_phase(&t, &mut g).await;
        g
    })
    .dice("attrition", [0])
    .any_dice([9; 4])
    .start();
    let g = trial.now();
    assert_eq!((g.village(kiowa).bps, g.village(tx).bps), (3, 9));
}

/// geronimo 11.37, 6.64, 9.2AA
#[test]
fn a_tribe_drawn_that_did_nothing_doubles_its_survival_points() {
    let drawn = |card: Card| {
        let mut g = field(&[card], &["Comanche"]);
        let v = at(&mut g, "Comanche", "TX", 10);
        for other in g.village_ids().filter(|&other| other != v).collect::<Vec<_>>() {
            g.village_mut(other).place = Place::Reservation { from: area(&g, "TX") };
        }
        // It is alone in the Area, which has half the Survival Points that it needs, rounded up.
        let texas = area(&g, "TX");
        g.area_mut(texas).settlements += g.survival_points(texas) - (g.c[v].survival + 1) / 2;
        let dice = (card == Card::Smallpox).then_some(0);
        let mut trial = round_of(g, INDIANS).any_dice(dice).start();
        if !trial.asked().is_empty() {
            trial.say("pass");
        }
        (trial.over(), v)
    };
    let lost = |card: Card| {
        let (mut g, v) = drawn(card);
        assert_eq!((g.village(v).actions, g.village(v).finished), (0, true));
        // The number of points in the letter is the one that applies.
        g.solo.tribe = Some(g.c[v].tribe);
        let needs = g.c[v].survival;
        let said = view::view(&g, Some(Seat(0)))["you"]["tribes"][0]["villages"][0]["survival"]["gets"].as_i64();
        g.solo.tribe = None;
        let before = g.village(v).bps;
        let rule = |t: T, mut g: State| async move {
            survival_phase(&t, &mut g).await;
            g
        };
        let end = Trial::new(g, rule).dice("attrition", [0]).start().over();
        let lost = before - end.village(v).bps;
        assert_eq!(said.expect("it is up") < i64::from(needs), lost > 0, "{card:?}");
        lost
    };
    // The end of its Round does not count as an action.
    assert_eq!(lost(Card::Parole), 0);
    // Smallpox flips the marker; the DR of 0 costs no BP.
    assert_eq!(lost(Card::Smallpox), 1);
}

/// geronimo 11.38, 5.33
#[test]
fn one_column_a_round_and_not_the_same_twice() {
    let mut g = field(&[Card::Parole, Card::Parole], &[]);
    let miles = column(&mut g, "Miles", "CO", 5);
    column(&mut g, "Crook", "CO", 5);
    let mut trial = round_of(g, US).start();
    trial.say("miles moves to kansas");
    let g = trial.over();
    assert!(g.column(miles).is_some_and(|k| columns::worn_out(&g, k)));
    let mut trial = round_of(g, US).start();
    refused_by(&mut trial, "5.33", "miles moves to colorado");
    trial.say("crook moves to utah");
    trial.over();
}

/// geronimo 11.38, 5.71, 5.72
#[test]
fn coordination_is_one_play() {
    let mut g = field(&[Card::Parole], &[]);
    at(&mut g, "Ute", "CO", 4);
    for name in ["Miles", "Crook", "Terry"] {
        column(&mut g, name, "CO", 5);
    }
    let mut trial = round_of(g, US)
        .dice("coordination", [0, 9])
        .dice("battle, US", [0])
        .dice("battle, Indians", [0])
        .any_dice([9; 4])
        .start();
    trial.check_options(10);
    let fastest = trial
        .options()
        .into_iter()
        .find(|choice| choice.note == "tries to coordinate")
        .expect("three Columns can coordinate");
    trial.say(&fastest.words);
    while let Some(&(_, kind)) = trial.asked().first() {
        assert!(["group", "column-loss"].contains(&kind), "no further play: {kind}");
        let first = trial.options()[0].words.clone();
        trial.say(&first);
    }
    let g = trial.now();
    assert_eq!(g.columns.iter().filter(|k| k.played_in == g.us_rounds).count(), 3);
}

/// geronimo 11.39, 8.11, 7.22
#[test]
fn no_treaties_and_no_attacks_on_mines() {
    let mut g = field(&[Card::Parole], &["Ute"]);
    at(&mut g, "Ute", "NV", 4);
    g.dealt = 1;
    let trial = Trial::new(g.clone(), |t, mut g| async move {
        card_play(&t, &mut g, INDIANS).await;
        g
    })
    .start();
    let open = trial.session.look().expect("the session runs").tickets.len();
    assert_eq!(open, 1, "no desk for Treaties is open beside the question");
    let mut trial = round_of(g, INDIANS).start();
    refused_by(&mut trial, "11.39", "ute war party of 3 attacks 3 mine in nevada");
    assert!(trial.options().iter().all(|choice| !choice.words.contains("mine")));
    assert!(trial.options().iter().any(|choice| choice.words.contains("settlement in nevada")));
}

/// geronimo 11.39, 8.14, 8.17
#[test]
fn reservation_dice_are_the_only_way_there() {
    let mut g = field(&[], &[]);
    drawn_before(&mut g, "Kiowa");
    let v = at(&mut g, "Kiowa", "ND", 1);
    for a in g.area_ids() {
        let area = g.area_mut(a);
        (area.settlements, area.towns, area.rrs) = (0, 0, 0);
        area.mines.clear();
    }
    let mut trial = Trial::new(g, |t, mut g| async move {
        survival_phase(&t, &mut g).await;
        g
    })
    .dice("reservation", [0])
    .dice("attrition", [0])
    .start();
    let story = trial.story();
    assert!(story.iter().any(|line| line == "The Kiowa go On Reservation from North Dakota."), "{story:#?}");
    assert!(matches!(trial.over().village(v).place, Place::Reservation { .. }));
}

/// geronimo 8.22, 11.36
#[test]
fn who_leaves_the_reservation_waits_for_the_next_deck() {
    let mut g = field(&[Card::AgencyCorruption], &["Ute"]);
    for v in g.village_ids().filter(|&v| !g.in_play(v)).collect::<Vec<_>>() {
        g.village_mut(v).place = Place::Extinct;
        g.village_mut(v).bps = 0;
    }
    let v = on_reservation(&mut g, "Kiowa", "KS");
    let mut trial = round_of(g, INDIANS).dice("agency corruption", [9]).start();
    tells(&mut trial, "leave the Reservation and return to Kansas.");
    assert!(trial.read("kiowa relocate to texas").is_err(), "they are not Active");
    assert!(trial.now().player_of(v).is_none());
}

/// geronimo 12.13, 11.34
#[test]
fn sand_creek_strikes_a_tribe_left_out() {
    use crate::events::sand_creek::{any_inactive, sand_creek_massacre};
    let mut g = field(&[], &["Ute", "Crow"]);
    drawn_before(&mut g, "Comanche");
    // Of all others only the Pawnee are in play.
    let keep = ["Ute", "Crow", "Comanche", "Pawnee"].map(|name| tribe(&g, name));
    for id in g.c.tribe_ids().filter(|id| !keep.contains(id)).collect::<Vec<_>>() {
        for v in g.c[id].villages.clone() {
            (g.village_mut(v).place, g.village_mut(v).bps) = (Place::Extinct, 0);
        }
    }
    let pawnee = village(&g, "Pawnee");
    assert!(any_inactive(&g));
    let strike = |g: State| {
        Trial::new(g, |t, mut g| async move {
            sand_creek_massacre(&t, &mut g).await;
            g
        })
    };
    let end = strike(g.clone()).start().over();
    assert_eq!((end.village(pawnee).place, end.events.sand_creek), (Place::Extinct, g.area_of(pawnee)));
    assert!(
        end.events.sand_creek_over && ["Ute", "Crow", "Comanche"].iter().all(|name| end.in_play(village(&end, name)))
    );
    // Nobody is left out: nothing happens.
    assert!(!any_inactive(&end));
    let mut again = end;
    again.events.sand_creek_over = false;
    assert!(!strike(again).start().over().events.sand_creek_over);
}
