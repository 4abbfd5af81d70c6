//! Tests that questions do not depend on cards that only the player knows (9.2Q, 12.13).

use super::*;
use crate::{card::Card, cards, components::TribeId, events::random_event};

/// geronimo 9.2Q
#[test]
fn the_last_tribe_to_ask_for_is_asked_for_like_any_other() {
    let asked = |held: &str| {
        let mut g = field();
        for v in g.village_ids().collect::<Vec<_>>() {
            g.village_mut(v).peace_chief = !["Ute", "Navajo"].contains(&g.c[g.c[v].tribe].name.as_str());
        }
        deal_to(&mut g, held, B);
        let rule = |t: T, mut g: State| async move {
            cards::play(&t, &mut g, B, Card::PeaceChief).await;
            g
        };
        let mut trial = Trial::new(g, rule).start();
        let asked = trial.asked();
        if !asked.is_empty() {
            let words = trial.words();
            trial.say(&words[0]);
            while !trial.asked().is_empty() {
                let words = trial.words();
                trial.say(&words[0]);
            }
        }
        trial.over();
        asked
    };
    // Two Tribes can get a Peace Chief. A player who holds one of them can ask for the other; a
    // player who holds neither can ask for both.
    let question = [(B, "peace-chief")];
    assert_eq!((asked("Ute"), asked("Crow")), (question.to_vec(), question.to_vec()));
}

/// geronimo 12.13
#[test]
fn who_has_one_village_that_fits_an_event_is_asked_like_who_has_two() {
    let buffalo = |g: &State| -> Vec<TribeId> {
        let mut found: Vec<TribeId> =
            g.village_ids().filter(|&v| g.area_of(v).is_some_and(|a| g.c[a].buffalo)).map(|v| g.c[v].tribe).collect();
        found.dedup();
        found.retain(|&tribe| g.c[tribe].villages.len() == 1);
        found
    };
    let asked = |tribes: usize| {
        let mut g = field();
        g.variant.random_events = true;
        for tribe in buffalo(&g).into_iter().take(tribes) {
            let name = g.c[tribe].name.clone();
            deal_to(&mut g, &name, B);
        }
        let rule = |t: T, mut g: State| async move {
            random_event(&t, &mut g, B).await;
            g
        };
        // A DR of 2 is the Buffalo Hunter Campaign.
        let mut trial = Trial::new(g, rule).dice("random event", [2]).start();
        trial.say("roll").say("play");
        trial.asked()
    };
    let question = [(B, "buffalo-campaign")];
    assert_eq!((asked(1), asked(2)), (question.to_vec(), question.to_vec()));
}
