//! Tests of the distribution at the start of a Turn.

use super::{
    army::{self, late_commanders},
    chiefs, tribes,
    tribes::tribal_cards,
    *,
};
use crate::{
    Order,
    reservation::unrest_after_massacre,
    state::{CivilWar, CommanderPlace, Place},
    testing::{Running, Trial, area, basic, campaign, chief, column, commander, deal_to, tribe, village},
};
use postrider_table::Event;
use serde_json::json;

/// geronimo 6.51, 7.4, 7.82, 8.21
#[test]
fn teton_chiefs_are_with_their_villages_on_the_reservation() {
    let mut g = basic(4);
    let [one, two] = ["Teton 1", "Teton 2"].map(|name| village(&g, name));
    let from = area(&g, "MT");
    for v in [one, two] {
        g.village_mut(v).place = Place::Reservation { from };
    }
    let assigned = |g: &State| {
        let mut g = g.clone();
        chiefs::assign_teton_chiefs(&mut g);
        g
    };
    let count = |g: &State| [one, two].map(|v| g.chiefs_of(v).count());
    let now = assigned(&g);
    assert_eq!(count(&now), [2, 2]);
    // A Massacre in Montana may rouse them, depending on their own Aggression and that of their
    // Chiefs.
    let led: i32 = now.chiefs_of(one).map(|h| g.c[h].aggression).sum();
    let total = i64::from(g.c[one].aggression + led);
    let rule = move |t, mut g| async move {
        unrest_after_massacre(&t, &mut g, from);
        g
    };
    let there = g.village_ids().filter(|&v| g.village(v).place == Place::Reservation { from }).count();
    let roused = Trial::new(now, rule).dice("unrest", vec![total; there]).start().over();
    assert!(led > 0);
    assert_eq!((roused.area_of(one), roused.chiefs_at(one).count()), (Some(from), 2), "its Chiefs defend it then");
    // A Chief In Prison is assigned to a Village in case of Parole; with one Village in play, all
    // Chiefs are with that one.
    let h = chief(&g, "Crazy Horse");
    g.chiefs[h.index()].prison = true;
    assert!(assigned(&g).chief_village(h).is_some());
    let reserved = g.clone();
    g.village_mut(two).place = Place::Area(from);
    assert_eq!(count(&assigned(&g)), [0, 3]);
    // With one On Reservation and one extinct, all are with the former.
    let mut g = reserved;
    (g.village_mut(one).place, g.village_mut(one).bps) = (Place::Extinct, 0);
    assert_eq!(count(&assigned(&g)), [0, 3]);
}

/// geronimo 3.31, 3.3, 3.2
#[test]
fn the_us_player_of_the_turn_before_is_left_out_of_the_draw() {
    let rule = |t, mut g| async move {
        sides(&t, &mut g);
        g
    };
    let mut g = basic(4);
    (g.tally[2].vps, g.us_before) = (17, None);
    let end = Trial::new(g.clone(), rule).dice("us player", [3]).start().over();
    assert_eq!((end.us, end.tally[2].at_start, end.indians()), (Seat(3), 17, 3));
    g.us_before = Some(Seat(1));
    for (draw, us) in [(0, 0), (1, 2), (2, 3)] {
        let end = Trial::new(g.clone(), rule).dice("us player", [draw]).start().over();
        assert_eq!(end.us, Seat(us));
    }
    let mut trial = Trial::new(g, rule).dice("us player", [1]).start();
    assert!(trial.events().contains(&Event::Rolled { label: "us player".into(), low: 0, high: 2, got: 1 }));
}

/// geronimo 3.3, 3.31, 11.1, 12.2
#[test]
fn the_campaign_game_leaves_out_whoever_had_the_us_twice_and_12_2_nobody() {
    let rule = |t, mut g| async move {
        sides(&t, &mut g);
        g
    };
    let drawing = |g: &State| {
        let mut trial = Trial::new(g.clone(), rule).dice("us player", [0]).start();
        let rolled = trial.events().into_iter().find_map(|event| match event {
            Event::Rolled { label, high, .. } if label == "us player" => Some(high + 1),
            _ => None,
        });
        (rolled.expect("a draw"), trial.over().us)
    };
    let mut g = basic(4);
    (g.us_before, g.us_in_a_row) = (Some(Seat(0)), 1);
    assert_eq!(drawing(&g), (3, Seat(1)), "the Basic Game");
    g.variant.scenario = Scenario::Campaign;
    assert_eq!(drawing(&g), (4, Seat(0)), "once is not enough");
    g.us_in_a_row = 2;
    assert_eq!(drawing(&g), (3, Seat(1)));
    g.variant.alternate_sides = true;
    assert_eq!(drawing(&g), (4, Seat(0)));
    g.variant.scenario = Scenario::Basic;
    assert_eq!(drawing(&g), (4, Seat(0)));
}

fn first_columns() -> Running {
    let rule = |t, mut g| async move {
        army::place_first_columns(&t, &mut g).await;
        g
    };
    Trial::new(basic(4), rule).start()
}

/// geronimo 3.45, 5.31, 5.52
#[test]
fn thirty_points_are_placed_as_columns() {
    let mut trial = first_columns();
    trial.check_options(100);
    trial.say("column of 8 with 1 gun in texas on patrol");
    trial.check_options(20);
    assert!(trial.refused("column of 21 in utah").contains("5.31"));
    assert!(trial.refused("column of 0 in utah").contains("5.31"));
    assert!(trial.refused("column of 5 with 2 guns in utah").contains("5.52"));
    assert!(trial.order(Order::SetUp { area: "Nowhere".into(), bps: i32::MAX, guns: i32::MIN, fort: true }).is_err());
    trial.say("column of 20 in indian territory in fort").say("2 with 1 gun in az");
    let g = trial.over();
    let columns: Vec<_> =
        g.columns.iter().map(|k| (k.bps, k.guns, g.c[k.area].code.as_str(), k.in_fort, k.commander)).collect();
    assert_eq!(columns, [(8, 1, "TX", false, None), (20, 0, "IT", true, None), (2, 1, "AZ", false, None)]);
    assert_eq!((g.reserve.bps, g.reserve.guns), (0, 0));
}

/// geronimo 3.45
#[test]
fn all_guns_are_placed_with_the_first_columns() {
    let mut trial = first_columns();
    trial.say("column of 20 in texas on patrol");
    assert!(trial.refused("column of 10 with 1 gun in utah").contains("3.45"), "it would be the last");
    trial.say("column of 9 with 1 gun in utah");
    trial.check_options(20);
    assert!(trial.refused("column of 1 in kansas").contains("3.45"));
    trial.say("column of 1 with 1 gun in kansas");
    let g = trial.over();
    assert_eq!(g.columns.iter().map(|k| k.guns).collect::<Vec<_>>(), [0, 1, 1]);
    assert_eq!((g.reserve.bps, g.reserve.guns), (0, 0));
}

/// geronimo 3.45
#[test]
fn no_more_columns_are_placed_than_commanders_come() {
    let mut trial = first_columns();
    for _ in 0..10 {
        trial.say("column of 1 in kansas");
    }
    // 20 BPs are left for two Columns, then 19 for one.
    assert_eq!(
        trial.options().len(),
        trial.now().area_ids().filter(|&a| trial.now().villages_in(a).next().is_some()).count() + 1
    );
    trial.say("column of 1 in kansas");
    assert!(trial.refused("column of 18 in kansas").contains("needs 19 BPs or more"));
    trial.check_options(20);
    trial.say("column of 19 with 2 guns in kansas in fort");
    assert_eq!(trial.over().columns.len(), 12);
}

/// geronimo 3.45
#[test]
fn a_ruling_leaves_first_columns_that_can_be_placed() {
    let mut trial = first_columns();
    let mut reserve = |bps: i32| {
        let ruled = trial.session.rule(&json!({ "reserve": { "bps": bps } }), "");
        ruled.err().map(|why| why.to_string())
    };
    for bps in [0, 241] {
        let why = reserve(bps).unwrap_or_default();
        assert!(why.contains("no answer left: Place a Column of your first troops"), "{bps}: {why}");
    }
    assert_eq!(reserve(240), None, "twelve Columns of twenty");
    trial.check_options(20);
}

fn troops(g: State, dice: &[i64]) -> Running {
    let rule = |t, mut g| async move {
        army::new_troops(&t, &mut g).await;
        g
    };
    Trial::new(g, rule).dice("troops", dice.iter().copied()).start()
}

/// geronimo 4.23, 4.24, 5.344, 5.11
#[test]
fn new_troops_come_by_four_or_six_dice() {
    let mut g = basic(4);
    g.fx.civil_war = CivilWar::ToCome;
    (g.reserve.bps, g.reserve.guns) = (3, 1);
    let end = troops(g.clone(), &[4, 6, 0, 1]).over();
    assert_eq!((end.reserve.bps, end.reserve.guns), (3 + 11, 1 + 2));
    g.fx.civil_war = CivilWar::Over;
    let end = troops(g.clone(), &[4, 6, 0, 1, 9, 2]).over();
    assert_eq!(end.reserve.bps, 3 + 22);
    // With Gatling Guns in play, one marker may be a Gatling Gun (9.2J).
    g.fx.gatlings = true;
    let mut trial = troops(g.clone(), &[0; 6]);
    trial.check_options(4);
    trial.say("gatling");
    let end = trial.over();
    assert_eq!((end.reserve.guns, end.reserve.gatlings), (2, 1));
    let end = troops(g, &[0; 6]).say("take field guns").over();
    assert_eq!((end.reserve.guns, end.reserve.gatlings), (3, 0));
}

/// geronimo 5.51, 9.2J
#[test]
fn field_guns_or_gatlings_but_one_gatling_a_turn() {
    for turn in 4..=7 {
        let mut g = basic(4);
        g.turn = turn;
        let new = g.c.turn(turn).expect("on the Turn Track").artillery;
        assert!((1..=2).contains(&new), "Turn {turn}: {new}");
        let (guns, gatlings) = (g.reserve.guns, g.reserve.gatlings);
        // Before the Gatling Gun is invented, nobody is asked.
        let end = troops(g.clone(), &[0; 6]).over();
        assert_eq!((end.reserve.guns, end.reserve.gatlings), (guns + new, gatlings), "Turn {turn}");
        g.fx.gatlings = true;
        let mut trial = troops(g, &[0; 6]);
        trial.say("gatling");
        // There is no question for the second marker.
        let end = trial.over();
        assert_eq!((end.reserve.guns, end.reserve.gatlings), (guns + new - 1, gatlings + 1), "Turn {turn}");
    }
}

fn commanded(g: State, draws: &[i64]) -> Running {
    let rule = |t, mut g| async move {
        army::commanders(&t, &mut g).await;
        g
    };
    Trial::new(g, rule).dice("commander", draws.iter().copied()).start()
}

fn leaderless(n: usize) -> State {
    let mut g = basic(4);
    let names: Vec<String> = g.c.commanders.iter().take(n).map(|m| m.surname.clone()).collect();
    for name in names {
        column(&mut g, &name, "KS", 5);
    }
    g.commanders.fill(CommanderPlace::Cup);
    g.columns.iter_mut().for_each(|k| k.commander = None);
    g
}

/// geronimo 4.22, 5.43, 5.41
#[test]
fn ten_commanders_for_eight_columns_leave_two_in_reserve() {
    let mut g = leaderless(8);
    g.turn = 3;
    let end = commanded(g, &[23, 0, 5, 5, 5, 5, 5, 5, 5, 5]).over();
    assert!(end.columns.iter().all(|k| k.commander.is_some()));
    assert_eq!(end.columns[0].commander, end.c.commander_ids().last());
    let count = |place: fn(&CommanderPlace) -> bool| end.commanders.iter().filter(|m| place(m)).count();
    assert_eq!(count(|m| matches!(m, CommanderPlace::Column(_))), 8);
    assert_eq!(count(|m| *m == CommanderPlace::Reserve), 2);
    assert_eq!(count(|m| *m == CommanderPlace::Cup), 14);
}

/// geronimo 5.46
#[test]
fn thirteen_states_and_nine_tribes_give_fifteen_commanders() {
    assert_eq!(late_commanders(13, 9), 15);
    let mut g = leaderless(0);
    g.turn = 7;
    for (i, a) in g.areas.iter_mut().enumerate() {
        a.state = i < 13;
    }
    let playing: Vec<_> = g.c.tribe_ids().filter(|&tribe| g.tribe_in_play(tribe)).collect();
    for &id in &playing[9..] {
        for &v in &g.c[id].villages.clone() {
            g.village_mut(v).place = Place::Extinct;
        }
    }
    let end = commanded(g.clone(), &[0; 15]).over();
    assert_eq!(end.commanders.iter().filter(|&&m| m == CommanderPlace::Reserve).count(), 15);
    // No more Commanders arrive than are alive.
    for m in g.commanders.iter_mut().take(12) {
        *m = CommanderPlace::Dead;
    }
    let end = commanded(g, &[0; 11]).over();
    assert_eq!(end.commanders.iter().filter(|&&m| m == CommanderPlace::Reserve).count(), 12);
}

/// A single Indian player has 18 Tribes, two have 9 each, three 6, and four 5.
///
/// geronimo 3.5, 4.21
#[test]
fn the_tribes_of_a_player_by_the_number_of_indians() {
    assert_eq!([1, 2, 3, 4].map(tribes::tribal_hand), [18, 9, 6, 5]);
    assert_eq!([2, 3, 4, 5].map(shaman_hand), [15, 7, 5, 4]);
}

/// geronimo 5.46
#[test]
fn columns_without_a_commander_are_dissolved() {
    let mut g = leaderless(4);
    g.turn = 7;
    for (k, (bps, guns, fort)) in g.columns.iter_mut().zip([(12, 1, true), (9, 2, false), (8, 1, false), (3, 0, false)])
    {
        (k.bps, k.guns, k.in_fort) = (bps, guns, fort);
    }
    // Column 3 has a Gun and two Gatlings.
    g.columns[2].gatlings = 2;
    let reserve = g.reserve;
    for m in g.commanders.iter_mut().skip(2) {
        *m = CommanderPlace::Dead;
    }
    let mut trial = commanded(g, &[0]);
    assert_eq!(trial.asked(), [(Seat(0), "dissolve")]);
    trial.check_options(9);
    // Column 1 has room for exactly the 8 BPs of Column 3, but not for all its Artillery.
    trial.say("dissolve column 2").say("reserve").say("column 3").check_options(9);
    trial.say("to column 1 in kansas").say("8");
    let end = trial.over();
    assert_eq!(end.columns.iter().map(|k| (k.bps, k.guns, k.gatlings)).collect::<Vec<_>>(), [(20, 2, 1), (3, 0, 0)]);
    let placed = (reserve.bps + 9, reserve.guns + 2, reserve.gatlings + 1);
    assert_eq!((end.reserve.bps, end.reserve.guns, end.reserve.gatlings), placed);
    assert!(end.columns.iter().all(|k| k.commander.is_some()));
}

/// geronimo 5.46
#[test]
fn the_bps_of_a_dissolved_column_may_be_split() {
    let mut g = leaderless(4);
    g.turn = 7;
    for (k, (bps, guns, fort)) in
        g.columns.iter_mut().zip([(12, 2, true), (10, 2, false), (19, 0, true), (20, 0, true)])
    {
        (k.bps, k.guns, k.in_fort) = (bps, guns, fort);
    }
    let reserve = g.reserve;
    for m in g.commanders.iter_mut().skip(3) {
        *m = CommanderPlace::Dead;
    }
    let mut trial = commanded(g, &[0, 0]);
    trial.say("dissolve column 2");
    assert_eq!(trial.asked(), [(Seat(0), "dissolve-into")]);
    trial.check_options(9);
    assert!(trial.read("to column 4").is_err(), "it is full");
    trial.say("to column 1");
    assert_eq!(trial.asked(), [(Seat(0), "dissolve-bps")]);
    trial.check_options(9);
    assert!(trial.read("9").is_err(), "it has room for 8");
    // Column 3 has room for one more, so no number is asked for; the rest stays in Reserve.
    trial.say("6").say("to column 3").say("to column 1");
    // Column 1 has room for two of the last three.
    assert_eq!(trial.words(), ["2", "1"]);
    trial.say("1").say("reserve");
    let end = trial.over();
    assert_eq!(end.columns.iter().map(|k| (k.bps, k.guns)).collect::<Vec<_>>(), [(19, 3), (20, 1), (20, 0)]);
    assert_eq!((end.reserve.bps, end.reserve.guns), (reserve.bps + 2, reserve.guns));
}

fn choosing(g: State, label: &'static str, dice: &[i64]) -> Running {
    let rule = |t, mut g| async move {
        let order = tribes::choosing_order(&t, &g);
        tribes::initial_tribes(&t, &mut g, &order).await;
        g
    };
    Trial::new(g, rule).dice(label, dice.iter().copied()).start()
}

/// geronimo 3.32
#[test]
fn the_high_roller_chooses_first_and_the_rest_clockwise() {
    let mut g = basic(4);
    g.us = Seat(1);
    // A 5, C 8, D 8; tie: C 2, D 3. The order is D, A, C.
    let mut trial = choosing(g, "initial tribes", &[5, 8, 8, 2, 3]);
    assert_eq!(trial.asked(), [(Seat(3), "initial-tribe")]);
    trial.check_options(5);
    assert_eq!(trial.options().len(), 19);
    trial.say("choose the sioux");
    assert_eq!(trial.asked()[0].0, Seat(0));
    assert!(trial.read("sioux").is_err());
    trial.say("comanche");
    // A player with an Initial Tribe takes a second, but not one that may only be chosen alone
    // (Sioux, Apache).
    assert_eq!(trial.asked()[0].0, Seat(0));
    assert!(trial.read("apache").is_err());
    trial.say("kiowa");
    assert_eq!(trial.asked()[0].0, Seat(2));
    trial.say("apache");
    let g = trial.over();
    let of = |name: &str| &g.tribes[tribe(&g, name).index()];
    for (name, seat) in [("Sioux", 3), ("Comanche", 0), ("Kiowa", 0), ("Apache", 2)] {
        assert_eq!((of(name).holder, of(name).revealed, of(name).pos), (Some(Seat(seat)), true, None));
    }
}

/// geronimo 3.32, 10.1
#[test]
fn later_those_with_the_least_points_choose_first() {
    let mut g = basic(4);
    g.turn = 5;
    for (tally, vps) in g.tally.iter_mut().zip([30, 7, -2, 7]) {
        tally.vps = vps;
    }
    // C has the fewest points; B and D tie at 7, and D rolls higher.
    let mut trial = choosing(g, "vp tie", &[2, 6]);
    let mut seats = Vec::new();
    for words in ["ute", "crow", "pawnee", "modoc", "snake", "paiute"] {
        seats.push(trial.asked()[0].0.0);
        trial.say(words);
    }
    assert_eq!(seats, [2, 2, 3, 3, 1, 1]);
    trial.over();
}

/// geronimo 3.5, 4.21
#[test]
fn tribal_cards_are_dealt_by_the_table() {
    // Four Indians, one of whom has one Initial Tribe instead of two: that player gets one more
    // card.
    assert_eq!(tribal_cards(&[2, 1, 2, 2], 13, 5), [3, 4, 3, 3]);
    assert_eq!(tribal_cards(&[2, 2, 2], 13, 6), [4, 4, 4]);
    assert_eq!(tribal_cards(&[1, 2], 16, 9), [8, 7]);
    assert_eq!(tribal_cards(&[2], 17, 18), [16]);
    // Nineteen Tribes for four players: the last player of the list gets four in all.
    assert_eq!(tribal_cards(&[2, 2, 2, 2], 11, 5), [3, 3, 3, 2]);
    assert_eq!(tribal_cards(&[2, 2, 1], 0, 6), [0, 0, 0]);
}

/// geronimo 3.5, 4.21, 4.2
#[test]
fn the_first_to_choose_gets_the_short_end_on_the_first_turn() {
    let rule = |t, mut g| async move {
        let order = [Seat(3), Seat(4), Seat(0), Seat(1)];
        tribes::deal(&t, &mut g, &order);
        g
    };
    let mut g = basic(5);
    g.us = Seat(2);
    for (name, seat) in [("Ute", 3), ("Crow", 3), ("Sioux", 4), ("Snake", 0), ("Modoc", 0), ("Apache", 1)] {
        deal_to(&mut g, name, Seat(seat));
    }
    for (turn, hands) in [(4, [5, 5, 0, 4, 5]), (5, [5, 4, 0, 5, 5])] {
        g.turn = turn;
        let order: Vec<u32> = (0..13).rev().collect();
        let mut trial = Trial::new(g.clone(), rule).shuffled("tribal", order).start();
        let dealt: Vec<_> = trial
            .events()
            .into_iter()
            .filter_map(|e| match e {
                Event::Dealt { seat, from, count, .. } => Some((seat, from, count)),
                _ => None,
            })
            .collect();
        assert_eq!(dealt[0], (Some(Seat(0)), 0, 3));
        let end = trial.over();
        let count = |s: Seat| end.tribes.iter().filter(|x| x.holder == Some(s)).count();
        assert_eq!(end.seats().map(count).collect::<Vec<_>>(), hands, "Turn {turn}");
        // The deck was turned over: its top card is the last of the list, the Yavapai, and is dealt
        // face down.
        let top = &end.tribes[tribe(&end, "Yavapai").index()];
        assert_eq!((top.holder, top.pos, top.revealed), (Some(Seat(0)), Some(0), false));
    }
}

/// geronimo 2.22, 2.21, 8.18
#[test]
fn a_tribe_of_several_villages_is_one_card_however_many_are_on_reservation() {
    let rule = |t, mut g| async move {
        tribes::deal(&t, &mut g, &[Seat(1), Seat(2), Seat(3)]);
        g
    };
    let listed = |on: &[&str]| {
        let mut g = basic(4);
        for name in on {
            let v = village(&g, name);
            let from = g.area_of(v).expect("on the map");
            g.village_mut(v).place = Place::Reservation { from };
        }
        let mut trial = Trial::new(g, rule).start();
        let lists: Vec<Vec<String>> = trial
            .events()
            .into_iter()
            .filter_map(|e| match e {
                Event::Shuffled { list, .. } => Some(list),
                _ => None,
            })
            .collect();
        assert_eq!(lists.len(), 1);
        let times = |name: &str| lists[0].iter().filter(|card| *card == name).count();
        (lists[0].len(), times("Sioux"), times("Cheyenne"), times("Apache"))
    };
    let (all, ..) = listed(&[]);
    assert_eq!(listed(&["Teton 1", "Southern", "Mimbres"]), (all, 1, 1, 1), "the other Villages play on");
    assert_eq!(listed(&["Southern", "Northern", "Mimbres", "Chiricahua"]), (all - 2, 1, 0, 0));
}

/// geronimo 3.5, 3.42, 2.23, 4.21
#[test]
fn shaman_cards_go_round_without_those_out_of_the_game() {
    let rule = |t, mut g| async move {
        shaman_cards(&t, &mut g);
        g
    };
    for (players, each) in [(2, 15), (3, 7), (4, 5), (5, 4)] {
        let mut g = basic(players);
        g.removed.push(Card::GatlingGuns);
        let mut trial = Trial::new(g, rule).start();
        let events = trial.events();
        let Event::Shuffled { list, .. } = &events[0] else { panic!("{events:?}") };
        assert_eq!(list.len(), 45);
        assert_eq!(list.iter().filter(|name| *name == "Raid").count(), 5);
        assert!(!list.iter().any(|name| ["Mormons", "The Telegraph", "Gatling Guns"].contains(&name.as_str())));
        let end = trial.over();
        assert_eq!(end.dealt, each);
        assert!(end.hands.iter().all(|hand| hand.len() == each as usize));
        assert_eq!(end.hands[1][0].pos, each as usize);
        assert_eq!(end.hands[1][0].card.name(), list[each as usize]);
    }
}

/// geronimo 4.3
#[test]
fn the_high_roller_or_the_one_with_fewest_points_begins() {
    fn first(g: State, dice: &[i64]) -> Vec<String> {
        let rule = |t, g| async move {
            who_goes_first(&t, &g);
            g
        };
        let mut trial = Trial::new(g, rule).dice("first round", dice.iter().copied()).start();
        trial.over();
        trial.story()
    }
    let mut g = basic(3);
    let told = [
        "The first Round: @A (US) DR 9, @B (Indians) DR 3 and @C (Indians) DR 9.",
        "The first Round: @A (US) DR 1 and @C (Indians) DR 4.",
        "@C (Indians) has the first Round.",
    ];
    assert_eq!(first(g.clone(), &[9, 3, 9, 1, 4]), told);
    g.turn = 5;
    for (tally, vps) in g.tally.iter_mut().zip([4, 3, 9]) {
        tally.vps = vps;
    }
    assert_eq!(first(g.clone(), &[]), ["@B (Indians) has the first Round."]);
    g.tally[2].vps = 3;
    let told = ["The first Round: @B (Indians) DR 2 and @C (Indians) DR 7.", "@C (Indians) has the first Round."];
    assert_eq!(first(g, &[2, 7]), told);
}

fn tetons(g: State) -> Running {
    let rule = |t, mut g| async move {
        chiefs::assign_teton_chiefs(&mut g);
        divide_teton_chiefs(&t, &mut g).await;
        divide_teton_chiefs(&t, &mut g).await;
        g
    };
    Trial::new(g, rule).start()
}

/// geronimo 6.51
#[test]
fn teton_chiefs_are_divided_once_a_turn() {
    let mut g = basic(4);
    deal_to(&mut g, "Sioux", Seat(2));
    let (first, second) = (village(&g, "Teton 1"), village(&g, "Teton 2"));
    let mut trial = tetons(g.clone());
    assert_eq!(trial.asked(), [(Seat(2), "teton-chiefs")]);
    trial.check_options(30);
    assert_eq!(trial.options().len(), 16);
    // Spotted Tail, Red Cloud, Crazy Horse and Sitting Bull are divided alternately by default.
    assert_eq!(trial.options()[0].words, "teton 2 gets red cloud and sitting bull");
    assert!(trial.read("gall").is_err(), "not his Turn");
    let twice = Order::List { names: vec!["Red Cloud".into(), "Red Cloud".into()] };
    assert!(trial.order(twice).is_err());
    trial.say("teton 2 gets crazy horse, red cloud and sitting bull");
    let end = trial.over();
    let with = |v| end.chiefs_of(v).map(|h| end.c[h].name.as_str()).collect::<Vec<_>>();
    assert_eq!(with(first), ["Spotted Tail"]);
    assert_eq!(with(second), ["Red Cloud", "Crazy Horse", "Sitting Bull"]);
    let mut trial = tetons(g.clone());
    assert!(trial.say("none").over().chiefs_of(second).next().is_none());

    // With one Village left there is nothing to divide: all Chiefs are with it.
    let sd = area(&g, "SD");
    g.village_mut(first).place = Place::Reservation { from: sd };
    let end = tetons(g.clone()).over();
    assert_eq!(end.chiefs_of(second).count(), 4);
    // Nobody holds the Sioux, so nobody is asked.
    let mut g = basic(4);
    let bull = chief(&g, "Sitting Bull");
    g.chiefs[bull.index()].killed = true;
    let end = tetons(g).over();
    assert_eq!(end.chiefs[bull.index()].assigned, None);
    assert_eq!((end.chiefs_of(first).count(), end.chiefs_of(second).count()), (2, 1));
}

/// geronimo 2.2, 4.1, 4.2, 3.5
#[test]
fn a_whole_distribution_of_the_first_turn() {
    let rule = |t, mut g| async move {
        distribute(&t, &mut g).await;
        g
    };
    let mut trial = Trial::new(basic(3), rule)
        .dice("troops", [1, 2, 3, 4, 5, 6])
        .dice("commander", [0; 12])
        .dice("initial tribes", [3, 7])
        .start();
    trial.say("20 in kansas in fort").say("10 with 2 guns in texas");
    trial.say("sioux").say("ute").say("crow").say("none");
    let g = trial.over();
    let miles = commander(&g, "Miles");
    assert_eq!(g.commanders[miles.index()], CommanderPlace::Column(g.columns[0].id));
    assert_eq!((g.reserve.bps, g.reserve.guns), (21, 2));
    let hand = |seat| g.tribes.iter().filter(|s| s.holder == Some(Seat(seat))).count();
    assert_eq!((hand(0), hand(1), hand(2)), (0, 9, 9));
    assert_eq!(g.dealt, 7);
    let shuffled = |event: &Event| match event {
        Event::Shuffled { deck, .. } => Some(*deck),
        _ => None,
    };
    assert_eq!(trial.events().iter().filter_map(shuffled).collect::<Vec<_>>(), ["tribal", "shaman"], "two decks");
}

/// geronimo 11.11, 4.23, 4.24, 5.343
#[test]
fn the_campaign_game_begins_with_three_columns_and_no_dice() {
    let rule = |t, mut g| async move {
        distribute(&t, &mut g).await;
        g
    };
    let mut trial = Trial::new(campaign(4), rule).dice("commander", [0; 6]).dice("initial tribes", [9, 5, 1]).start();
    assert_eq!(trial.asked(), [(Seat(0), "deployment")]);
    let now = trial.now();
    assert_eq!((now.reserve.bps, now.reserve.guns), (35, 1), "no dice, and the Artillery marker of the Turn Track");
    let names: Vec<String> = now
        .c
        .commander_ids()
        .filter(|m| now.commanders[m.index()] == CommanderPlace::Reserve)
        .map(|m| now.c[m].surname.to_lowercase())
        .collect();
    assert_eq!(names.len(), 6);
    trial.check_options(40);
    assert!(trial.refused("done").contains("11.11"), "three Columns, not fewer");
    trial.say(&format!("new column {} with 20 1 gun in texas on patrol", names[4]));
    assert!(
        trial.refused(&format!("new column {} with 15 in utah", names[0])).contains("11.11"),
        "a BP is kept for the third"
    );
    trial.say(&format!("new column {} with 8 in california in fort", names[0]));
    assert!(trial.refused(&format!("new column {} with 2 in utah", names[0])).contains("5.343"), "he has a Column");
    trial.say(&format!("new column {} with 1 in utah", names[2]));
    let now = trial.now();
    let columns: Vec<_> =
        now.columns.iter().map(|k| (k.bps, k.guns, now.c[k.area].code.as_str(), k.in_fort, k.played_in)).collect();
    assert_eq!(columns, [(20, 1, "TX", false, 0), (8, 0, "CA", true, 0), (1, 0, "UT", false, 0)], "ready to play");
    assert_eq!(now.reserve.bps, 6);
    assert_eq!(now.commanders.iter().filter(|&&m| m == CommanderPlace::Reserve).count(), 3);
    assert_eq!(trial.asked()[0].1, "initial-tribe");
}

/// geronimo 3.3, 3.31
#[test]
fn in_the_campaign_game_nobody_has_the_us_for_three_turns_running() {
    let rule = |t, mut g| async move {
        for _ in 0..4 {
            sides(&t, &mut g);
            crate::end_of_turn::end_of_turn(&t, &mut g);
        }
        g
    };
    let mut trial = Trial::new(campaign(4), rule).dice("us player", [1, 1, 0, 1]).start();
    let draws: Vec<i64> = trial
        .events()
        .iter()
        .filter_map(|e| if let Event::Rolled { high, .. } = e { Some(*high) } else { None })
        .collect();
    // B has had the US twice and is left out of the third draw; A gets it, and all four take part
    // in the next draw.
    assert_eq!(draws, [3, 3, 2, 3]);
    let g = trial.over();
    assert_eq!((g.us_before, g.us_in_a_row), (Some(Seat(1)), 1));
}

/// geronimo 13, 4.23, 9.2A
#[test]
fn in_turn_six_the_civil_war_comes_by_itself_after_four_dice() {
    let rule = |t, mut g| async move {
        distribute(&t, &mut g).await;
        g
    };
    let mut g = campaign(4);
    g.turn = 6;
    (g.reserve.bps, g.reserve.guns) = (10, 0);
    let due = g.c.turn(6).and_then(|track| track.commanders).expect("printed") as usize;
    let trial = Trial::new(g.clone(), rule)
        .dice("troops", [4, 6, 0, 1])
        .dice("commander", vec![0; due + due / 2])
        .any_dice([9, 5, 1, 9, 5, 1])
        .start();
    let now = trial.now();
    assert_eq!(now.fx.civil_war, CivilWar::Now);
    assert_eq!(now.removed, [Card::AmericanCivilWar]);
    // 21 BPs and the two Artillery markers of the Turn Track; half of each is lost.
    assert_eq!((now.reserve.bps, now.reserve.guns), (11, 1));
    assert_eq!(now.commanders.iter().filter(|&&m| m == CommanderPlace::Reserve).count(), due / 2);
    assert_eq!(trial.asked()[0].1, "initial-tribe", "no Column on the map: nothing to place anew");

    // The war has already happened: six dice, and no second war.
    g.fx.civil_war = CivilWar::Over;
    g.removed.push(Card::AmericanCivilWar);
    let trial = Trial::new(g, rule)
        .dice("troops", [4, 6, 0, 1, 2, 2])
        .dice("commander", vec![0; due])
        .any_dice([9, 5, 1, 9, 5, 1])
        .start();
    let now = trial.now();
    assert_eq!((now.reserve.bps, now.fx.civil_war), (25, CivilWar::Over));
}
