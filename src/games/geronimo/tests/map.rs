//! Tests of the map and of the numbers printed on it (2.1, 2.12, 5.1).

use super::*;
use crate::{
    card::Card,
    play::card_play,
    state::{AreaState, Held},
    statehood::statehood_phase,
    view::view,
};

/// geronimo 2.1, 3.43
#[test]
fn the_map_is_of_one_piece_and_texas_and_california_are_states() {
    let mut g = basic(4);
    assert_eq!(g.c.areas.len(), 18);
    let first = area(&g, "CA");
    for a in g.area_ids() {
        let name = &g.c[a].name;
        assert!(g.c.distance(first, a).is_some(), "{name} cannot be reached");
        assert!(!g.c[a].adjacent.contains(&a), "{name} borders on itself");
        assert!(g.c[a].adjacent.iter().all(|&b| g.c[b].adjacent.contains(&a)), "the borders of {name}");
    }
    // Areas that are States from the start earn no VPs; a Territory does when it becomes one.
    let texas = area(&g, "TX");
    assert!(g.area(first).state && g.area(texas).state);
    for a in g.area_ids().collect::<Vec<_>>() {
        let level = g.c[a].statehood;
        let state = g.area_mut(a);
        (state.towns, state.rrs, state.broke, state.massacres) = (0, 0, 0, 0);
        state.mines.clear();
        state.settlements = if state.state { level } else { 0 };
    }
    let rule = |t, mut g| async move {
        statehood_phase(&t, &mut g);
        g
    };
    let end = Trial::new(g, rule).start().over();
    assert_eq!(end.tally.iter().map(|tally| tally.vps).collect::<Vec<_>>(), [0; 4]);
}

/// geronimo 2.12, 10.2, 6.6
#[test]
fn the_left_number_feeds_and_the_right_number_makes_states() {
    let mut g = basic(4);
    let (utah, seat) = (area(&g, "UT"), g.us);
    let (survival, level) = (g.c[utah].survival, g.c[utah].statehood);
    for a in g.area_ids().collect::<Vec<_>>() {
        let level = g.c[a].statehood;
        let state = g.area_mut(a);
        (state.towns, state.rrs, state.broke, state.massacres, state.skulls) = (0, 0, 0, 0, 0);
        state.mines.clear();
        state.settlements = if state.state { level } else { 0 };
    }
    assert_eq!(g.survival_points(utah), survival);
    let run = |points: i32| {
        let mut g = g.clone();
        g.area_mut(utah).settlements = points;
        let shown = view(&g, None).to_string();
        assert!(shown.contains(&g.c[utah].name));
        let left = g.survival_points(utah);
        let rule = |t, mut g| async move {
            statehood_phase(&t, &mut g);
            g
        };
        let end = Trial::new(g, rule).start().over();
        (left, end.area(utah).state, vps(&end, seat) > 0)
    };
    assert_eq!(run(1), (survival - 1, false, false));
    assert_eq!(run(level), ((survival - level).max(0), false, false), "the Level must be exceeded");
    assert_eq!(run(level + 1), ((survival - level - 1).max(0), true, true));
}

/// geronimo 5.1, 4.4, 5.21
#[test]
fn resources_come_before_every_round_and_columns_are_played_in_us_rounds() {
    let mut g = field();
    deal_to(&mut g, "Comanche", B);
    column(&mut g, "Crook", "AZ", 5);
    g.dealt = 1;
    for seat in 0..4 {
        g.hands[seat] = vec![Held { card: Card::Parole, pos: 0 }];
    }
    let rule = |t: T, mut g| async move {
        card_play(&t, &mut g, B).await;
        g
    };
    let before: i32 = g.areas.iter().map(AreaState::town_points).sum();
    let mut trial = Trial::new(g, rule).dice("resource", [5; 4]).start();
    let mut asked = Vec::new();
    while let Some(&(seat, kind)) = trial.asked().first() {
        let round = trial.now().round;
        asked.push((round, seat, kind));
        trial.say(match kind {
            "settlement" => "settle utah",
            "shaman-card" => "play parole",
            _ if seat == US => "done",
            _ => "pass",
        });
    }
    let end = trial.over();
    let placed: Vec<_> = asked.iter().filter(|one| one.2 == "settlement").map(|one| (one.0, one.1)).collect();
    assert_eq!(placed, [(1, US), (2, US), (3, US), (4, US)], "whoever's Round it is");
    assert_eq!(end.areas.iter().map(AreaState::town_points).sum::<i32>(), before + 4);
    let columns: Vec<_> =
        asked.iter().filter(|one| one.1 == US && !["settlement", "shaman-card"].contains(&one.2)).collect();
    assert!(!columns.is_empty() && columns.iter().all(|one| one.0 == 4), "the US Round is the fourth: {columns:?}");
}

/// geronimo 4.1, 4.2, 4.3, 4.4, 4.5, 4.6
#[test]
fn the_phases_of_a_turn_in_their_order() {
    use crate::Geronimo;
    use postrider_table::{Decision, Event, SeededChance, Session, Watch};
    let mut session = Session::<Geronimo>::start(basic(4), Box::new(SeededChance::new(3)), Watch::ALL);
    let mut labels = Vec::new();
    while !labels.iter().any(|label: &String| label.starts_with("Turn 5")) {
        let seen = session.look().expect("it runs");
        let ticket = seen.tickets.iter().find(|ticket| ticket.required).expect("something is asked");
        let order = ticket.prompt.at_deadline(&seen.state, ticket.seat).expect("silence has an answer");
        let decision = Decision { seat: ticket.seat, prompt: ticket.id, order };
        session.submit(&decision).expect("legal");
        for event in session.take_events() {
            if let Event::Round { label, .. } = event {
                labels.push(label);
            }
        }
    }
    labels.retain(|label| label.starts_with("Turn 4"));
    let rounds = labels.iter().filter(|label| label.starts_with("Turn 4, Round ")).count();
    let mut wanted: Vec<String> =
        ["Player/Side Determination", "Card Distribution", "Player Order Determination"].map(str::to_owned).to_vec();
    wanted.extend((1..=rounds).map(|round| format!("Round {round}")));
    wanted.extend(["Survival Phase", "Statehood Phase", "End of Turn"].map(str::to_owned));
    assert_eq!(labels, wanted.iter().map(|phase| format!("Turn 4, {phase}")).collect::<Vec<_>>());
    // As many for each of the four.
    assert_eq!(rounds % 4, 0);
    assert!(rounds > 0);
}
