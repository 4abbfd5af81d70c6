//! Whole games of Plains Indian Wars by random players: they end, every position on the way is legal, and replay is
//! identity.

use crate::whole::{Tried, Whole, games, hold, looks, random, setup, some_of};
use postrider::{
    games::plains::{Ask, Plains, components::Faction, view},
    table::{Kind, Setup, Snapshot, every_setup},
};
use proptest::{prelude::*, sample::select};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// The ways in which the game is played, one for each number: 2, 3 (US allies, then Indian allies) and 4 players, with and
/// without the optional rule.
fn way(n: u64) -> Setup {
    let (players, allies) = [(2, None), (3, None), (3, Some("indian-allies")), (4, None)][(n % 4) as usize];
    let again = (n / 4 % 2 == 1).then_some("wagons-again");
    setup::<Plains>(players, "standard", &allies.into_iter().chain(again).collect::<Vec<_>>())
}

/// Plays a game to its end; `look` sees each position.
fn play(seed: u64, look: impl FnMut(&Snapshot<Plains>)) -> Whole<Plains> {
    Whole::play(way(seed), seed, look)
}

/// plains-indian-wars 2.0, 14.0, 14.1, 15.0
#[test]
fn games_of_two_to_four_end_by_the_rules() {
    for seed in 0..games(48) {
        let mut whole = play(seed, |_| ());
        let end = whole.end();
        assert!(end.finished && end.bag.is_empty(), "the last disc of the turn is drawn");
        let spent = Faction::CARDED.into_iter().any(|f| end.deck(f).is_spent());
        assert!(end.joined() || spent, "{}", whole.at());
        // Every round takes at least one of fifteen cards.
        assert!((5..=15).contains(&end.turn), "{}: {} turns", whole.at(), end.turn);
        assert_eq!(view::outcome(&end).ranking().len(), usize::from(whole.setup.seats));
    }
}

/// plains-indian-wars 9.2.1, 8.0
#[test]
fn enduring_instructions_end_with_the_turn() {
    let (mut in_force, mut from_before) = (0, 0);
    for seed in 600..600 + games(6) {
        play(seed, |seen| {
            let g = &seen.state;
            let endure = |f: &Faction| g.enduring(*f).is_some();
            in_force += Faction::CARDED.iter().filter(|f| endure(f)).count();
            // Only factions whose disc lies on the track of this turn can have played one.
            from_before += Faction::CARDED.iter().filter(|f| endure(f) && !g.drawn.contains(f)).count();
        });
    }
    assert!(in_force > 20, "some cards endured: {in_force}");
    assert_eq!(from_before, 0);
}

/// What the story tells of VPs adds up to the score of each player, in every number of players.
///
/// plains-indian-wars 14.1
#[test]
fn every_point_is_told() {
    for seed in 900..900 + games(4) {
        let mut whole = play(seed, |_| ());
        let (end, mut sums, mut lines) = (whole.end(), BTreeMap::new(), 0);
        for line in whole.told() {
            let Some(told) = line.strip_prefix("VPs: ").and_then(|told| told.strip_suffix(").")) else { continue };
            lines += 1;
            for player in told.split("), ") {
                let (who, changes) = player.split_once(" (").expect("changes in brackets");
                let (part, total) = who.rsplit_once(' ').expect("a total");
                let sum: &mut i32 = sums.entry(part.to_owned()).or_default();
                *sum += changes
                    .split(", ")
                    .map(|one| one.split(' ').next().unwrap_or(one).parse::<i32>().expect(one))
                    .sum::<i32>();
                assert_eq!(total.parse(), Ok(*sum), "{}: {line}", whole.at());
            }
        }
        let scores = end.seats().map(|seat| (end.part(seat).to_owned(), end.score(seat).total()));
        let scores: BTreeMap<String, i32> = scores.collect();
        assert!(lines > 30, "{}: {lines} lines", whole.at());
        assert_eq!(sums, scores, "{}", whole.at());
    }
}

/// A question with one possible answer is not asked.
#[test]
fn no_question_is_idle() {
    let mut idle = BTreeSet::new();
    for seed in 300..300 + games(12) {
        play(seed, |seen| idle.extend(hold::idle(seen)));
    }
    // The first card of a round must be played even where it is the only one; it is the player's to turn it up.
    idle.remove(&Ask::Card);
    assert!(idle.is_empty(), "{idle:?}");
}

/// Every option that a question lists is accepted, and its words are read back as the same order.
#[test]
fn options_are_accepted() {
    let mut wrong = BTreeSet::new();
    for seed in 100..100 + games(4) {
        let mut below = random("sample", seed);
        play(seed, |seen| {
            if looks(&mut below) {
                wrong.extend(hold::options(seen, &mut below));
            }
        });
    }
    assert!(wrong.is_empty(), "{} options: {:#?}", wrong.len(), wrong.iter().take(20).collect::<Vec<_>>());
}

/// Whoever does not know a word of a question asks for it.
#[test]
fn every_word_of_a_question_has_a_help_entry() {
    let (mut words, mut below) = (BTreeMap::new(), random("words", 0));
    for seed in 800..800 + games(8) {
        play(seed, |seen| {
            if looks(&mut below) {
                hold::words(seen, &mut below, &mut words);
            }
        });
    }
    assert!(words.len() > 100, "{words:?}");
    let missing = hold::unexplained::<Plains>(Plains::rules(), &words);
    assert!(missing.is_empty(), "{missing:#?}");
}

/// The kinds of questions that come up are those that the ruleset names, so that orders can be left for them.
#[test]
fn kinds_are_known() {
    let known: BTreeSet<&str> = Plains::rules().kinds().into_iter().collect();
    for seed in 500..500 + games(16) {
        play(seed, |seen| {
            for ticket in &seen.tickets {
                assert!(known.contains(ticket.prompt.kind().name()), "{} is not named", ticket.prompt.kind());
            }
        });
    }
}

/// A director sets pieces right, at random: what he may do leaves a game that goes on by the rules.
#[test]
fn rulings_leave_games_that_go_on() {
    let mut stood = 0;
    for seed in 400..400 + games(8) {
        stood += Whole::<Plains>::ruled(way(seed), seed, |seen, below| {
            let g = &seen.state;
            let colours = ["green", "orange", "blue", "brown", "purple", "white"];
            let colour = colours[below(6) as usize];
            let spots: Vec<_> = g.c.spots().map(|spot| g.c.spot_name(spot).to_owned()).collect();
            let (place, n) = (&spots[below(spots.len() as u32) as usize], below(9));
            let pile = ["ready", "casualties"][below(2) as usize];
            Some(match below(12) {
                0 => json!({ "casualties": { "colour": colour, "n": n } }),
                1 => json!({ "railroad": { "east": below(22), "west": below(8) } }),
                2 => json!({ "wagons": { "north": below(3), "destroyed": below(3) } }),
                3 => json!({ "vps": { "battles": n, "custer": 2 * below(2) } }),
                4 => json!({ "enduring": { "colour": colour, "lasts": below(2) == 1 } }),
                _ => json!({ "cubes": { "place": place, "colour": colour, "n": n, "pile": pile } }),
            })
        });
    }
    assert!(stood > 40, "{stood} rulings stood");
}

/// A reader of the story can check every die.
#[test]
fn every_die_is_told() {
    let dice: usize = (300..300 + games(8)).map(|seed| Whole::<Plains>::tells_every_die(way(seed), seed)).sum();
    assert!(dice > 1_000, "{dice} dice");
}

#[test]
fn replay_is_identity() {
    for seed in 0..games(8) {
        play(seed, |_| ()).replays();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: games(12) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any game of the box ends, by legal positions alone, and its replay is the same game.
    #[test]
    fn every_variant_ends_and_replays(game in select(every_setup(Plains::rules())), seed in any::<u32>()) {
        let mut whole = Whole::<Plains>::play(game, seed.into(), |_| ());
        assert!(whole.end().finished, "{}", whole.at());
        whole.replays();
    }
}

/// What a seat sees, and what it is asked, does not depend on what is hidden from it.
#[test]
fn views_do_not_leak() {
    for seed in 200..200 + games(8) {
        let whole = Whole::<Plains>::open(way(seed), seed);
        let (mut below, mut shuffled) = (random("leak", seed), 0);
        play(seed, |seen| {
            let onlookers = some_of(whole.onlookers(), &mut below);
            onlookers.into_iter().for_each(|who| hold::secrets(seen, who, &mut below, &mut shuffled));
        });
        assert_eq!(shuffled, hold::ENOUGH, "there was something to hide");
    }
}
