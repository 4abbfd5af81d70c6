//! The tests that every game must pass, over whole games by random players.

use crate::{
    hidden_cards, idle_questions,
    whole::{Tried, Whole, games, hold, looks_at, random, some_of},
};
use postrider::{
    games::rulesets,
    letters::{Block, Section, text},
    orders::Phrase,
    standing::Value,
    table::{Explained, Kind, Seat, Snapshot, Subject, VPS, every_setup, rule_rows},
};
use std::collections::{BTreeMap, BTreeSet};

fn play<G: Tried>(from: u64, count: u64, mut look: impl FnMut(&Snapshot<G>)) {
    for seed in from..from + games(count) {
        Whole::<G>::play(G::way(seed), seed, &mut look);
    }
}

/// Fails if a standard test has looked at too little to mean anything.
pub fn enough(what: &str, looked: usize) {
    println!("{looked} {what}");
    assert!(looked >= hold::ENOUGH, "only {looked} {what}");
}

/// Every listed option is accepted, and its words are read back as the same order. A required
/// question without a legal answer fails here, with its seat, kind and rule.
pub fn options_are_accepted<G: Tried>() {
    let (mut wrong, mut looked, mut below) = (BTreeSet::new(), 0, random("sample", 100));
    play::<G>(100, G::TRIED, |seen| {
        if looks_at::<G>(&mut below) {
            wrong.extend(hold::options(seen, &mut below));
            looked += 1;
        }
    });
    enough("positions", looked);
    assert!(wrong.is_empty(), "{} options: {:#?}", wrong.len(), wrong.iter().take(20).collect::<Vec<_>>());
}

/// A question with one possible answer is not asked.
pub fn no_question_is_idle<G: Tried>() {
    let (mut idle, mut looked): (BTreeSet<&str>, usize) = Default::default();
    play::<G>(300, G::TRIED, |seen| {
        looked += seen.tickets.len();
        idle.extend(hold::idle(seen).map(Kind::name));
    });
    enough("questions", looked);
    G::IDLE.iter().for_each(|kind| _ = idle.remove(kind.name()));
    assert!(idle.is_empty(), "{idle:?}");
}

/// Every word of a question has a help entry.
pub fn every_word_of_a_question_has_a_help_entry<G: Tried>() {
    let (mut words, mut looked, mut below) = (BTreeMap::new(), 0, random("words", 0));
    play::<G>(800, G::TRIED, |seen| {
        if looks_at::<G>(&mut below) {
            looked += seen.tickets.len();
            hold::words(seen, &mut below, &mut words);
        }
    });
    let missing = hold::unexplained::<G>(G::rules(), &words);
    enough("questions", looked);
    assert!(missing.is_empty(), "{} words: {missing:#?}", missing.len());
}

/// After random rulings by a director, a game continues by the rules.
pub fn rulings_leave_games_that_go_on<G: Tried>() {
    let seeds = 400..400 + games(G::TRIED);
    enough("rulings", seeds.map(|seed| Whole::<G>::ruled(G::way(seed), seed)).sum());
}

/// Readers of the story can check every die and every draw.
pub fn every_die_is_told<G: Tried>() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 300..300 + games(G::TRIED) {
        for (label, count) in Whole::<G>::tells_every_die(G::way(seed), seed) {
            *counts.entry(label).or_default() += count;
        }
    }
    println!("{counts:#?}");
    enough("dice", counts.values().sum());
}

/// The changes of VPs in the story add up to the score.
pub fn every_point_is_told<G: Tried>() {
    let (mut changes, mut scored) = (0, false);
    for seed in 900..900 + games(G::TRIED) {
        let whole = Whole::<G>::play(G::way(seed), seed, |_| ());
        let mut sums: BTreeMap<String, i32> = BTreeMap::new();
        for line in whole.told() {
            for (who, change, total) in G::points(&line) {
                let sum = sums.entry(who).or_default();
                *sum += change;
                changes += usize::from(change != 0);
                assert_eq!(total.unwrap_or(*sum), *sum, "{}: {line}", whole.at());
            }
        }
        let scores = G::scores(&whole.end());
        for (who, score) in &scores {
            assert_eq!(sums.get(who).unwrap_or(&0), score, "{}: {who}", whole.at());
        }
        scored |= !scores.is_empty();
    }
    assert_eq!(changes > 10, scored, "{changes} changes");
}

/// VPs add up from rules of the game.
pub fn every_vp_is_by_a_rule<G: Tried>() {
    let rules: BTreeSet<&str> = rule_rows(G::rules().rules()).map(|row| row.number).collect();
    let (mut scored, mut looked) = (BTreeSet::new(), 0);
    for seed in 508..508 + games(G::TRIED) {
        let setup = G::way(seed);
        let seats = setup.seats;
        Whole::<G>::play(setup, seed, |seen| {
            for seat in (0..seats).map(Seat) {
                let facts = G::facts(&seen.state, seat);
                let Some(fact) = facts.into_iter().find(|fact| fact.name == VPS) else { continue };
                looked += 1;
                let earned = G::earned(&seen.state, seat);
                let (sum, once) = (earned.iter().map(|(_, vps)| vps).sum(), earned.iter().map(|(rule, _)| *rule));
                assert_eq!(fact.value, Value::Number(sum), "{earned:?}");
                assert_eq!(once.clone().collect::<BTreeSet<_>>().len(), earned.len(), "{earned:?}");
                scored.extend(once);
            }
        });
    }
    assert!(scored.is_subset(&rules), "no rules: {:?}", scored.difference(&rules).collect::<Vec<_>>());
    if G::rules().facts().iter().any(|fact| fact.name == VPS) {
        enough("sums of VPs", looked);
        assert!(scored.len() > 1, "{scored:?}");
    }
}

/// Any setup of a game ends, with legal positions only, and its replay is identical.
pub fn games_of_the_box_end_and_replay<G: Tried>() {
    let (all, mut below) = (every_setup(G::rules()), random("box", 0));
    let decisions = (0..games(G::TRIED)).map(|seed| {
        let setup = all[below(all.len() as u32) as usize].clone();
        Whole::<G>::play(setup, seed, |_| ()).replays()
    });
    enough("decisions", decisions.sum());
}

/// A seat's view and questions do not depend on information hidden from it.
pub fn views_do_not_leak<G: Tried>() {
    let mut shuffled = 0;
    for seed in 200..200 + games(G::TRIED.div_ceil(2)) {
        let whole = Whole::<G>::open(G::way(seed), seed);
        let mut below = random("leak", seed);
        Whole::<G>::play(G::way(seed), seed, |seen| {
            if G::SELDOM == 1 || looks_at::<G>(&mut below) {
                let onlookers = some_of(whole.onlookers(), &mut below);
                onlookers.into_iter().for_each(|who| hold::secrets(seen, who, &mut below, &mut shuffled));
            }
        });
    }
    match G::rules().decks() {
        [] => assert_eq!(shuffled, 0, "something is hidden"),
        _ => enough("positions with something hidden", shuffled),
    }
}

/// Declares the standard tests of games, one module per game: `whole_games! { [] relay: Relay }`.
macro_rules! whole_games {
    ([] $($name:ident: $Game:ty),* $(,)?) => {$(
        mod $name {
            #[allow(unused_imports, reason = "the games of the box are named by their paths")]
            use super::*;

            crate::standard::standard_tests! {
                $Game; options_are_accepted, no_question_is_idle, every_word_of_a_question_has_a_help_entry,
                rulings_leave_games_that_go_on, every_die_is_told, every_point_is_told, every_vp_is_by_a_rule, games_of_the_box_end_and_replay, views_do_not_leak,
                no_answer_is_asked_for_nothing, no_question_tells_what_is_hidden,
            }
        }
    )*};
}

macro_rules! standard_tests {
    ($Game:ty; $($test:ident),* $(,)?) => {$(
        #[test]
        fn $test() {
            crate::standard::$test::<$Game>();
        }
    )*};
}

pub(crate) use {hidden_cards::no_question_tells_what_is_hidden, idle_questions::no_answer_is_asked_for_nothing};
pub(crate) use {standard_tests, whole_games};

crate::whole::games::every_game! { whole_games }

macro_rules! names {
    ([] $($name:ident: $Game:ty),*) => { vec![$(<$Game as Tried>::rules().name()),*] };
}

#[test]
fn every_subject_is_found_by_all_its_names_and_is_short() {
    for rules in rulesets() {
        let (own, all) = (rules.help(rules.components()), rules.subjects(rules.components()));
        let mut known = BTreeSet::new();
        for Subject { names, explained, .. } in own.all() {
            // A name that two subjects have means the first.
            for name in names.iter().filter(|name| known.insert(name.to_lowercase().replace('-', " "))) {
                assert_eq!(all.find(&Phrase::new(&format!("help {name}"))).as_ref(), Ok(explained), "help {name}");
            }
            let Explained { title, text, orders, chart } = explained.clone();
            let text = text::render(&[Section::of([Block::Explanation { title, text, orders }])]);
            let lines = text.lines().count();
            assert!((2..=13).contains(&lines) || !chart.is_empty(), "{lines} lines:\n{text}");
        }
    }
}

#[test]
fn every_question_is_explained_and_no_nonsense() {
    for rules in rulesets() {
        let all = rules.subjects(rules.components());
        for name in rules.every_kind() {
            assert!(all.find(&Phrase::new(&name.replace('-', " "))).is_ok(), "{}: help {name}", rules.name());
        }
        assert!(all.find(&Phrase::new("help xyzzy")).is_err());
    }
}

#[test]
fn help_names_rules_that_there_are() {
    for rules in rulesets() {
        let known: Vec<&str> = rule_rows(rules.rules()).map(|row| row.number).collect();
        // 4.4A is a part of 4.4, and 7.3 the heading of 7.31.
        let part = |rule: &str, of: &str| {
            rule.strip_prefix(of).is_some_and(|rest| rest.starts_with(|c: char| c == '.' || c.is_alphabetic()))
        };
        for Subject { explained: Explained { title, .. }, .. } in rules.help(rules.components()).all() {
            let Some((_, named)) = title.split_once(" (rule ") else { continue };
            for rule in named.trim_end_matches(')').split(", ") {
                assert!(known.iter().any(|k| k.starts_with(rule) || part(rule, k)), "{}: {title}", rules.name());
            }
        }
    }
}

/// A game missing from the list would not be tested.
#[test]
fn every_game_of_the_registry_is_tried() {
    let registry: Vec<&str> = rulesets().iter().map(|rules| rules.name()).collect();
    assert_eq!(crate::whole::games::every_game! { names }, registry);
}
