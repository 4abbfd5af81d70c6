//! For every game, all readers of an outcome agree with the rules on the winner.

use super::Statistics;
use chrono::{TimeZone, Utc};
use postrider_analysis::{Adjudication, Case, adjudicate, in_words};
use postrider_games::rulesets;
use postrider_letters::text;
use postrider_office::{Environment, Invitee, NewGame, Office};
use postrider_replay::{Moment, Source};
use postrider_store::{Host, KeptLines, Players};
use postrider_table::{Outcome, Ruleset, Seat};
use serde_json::Value;

const GAME: &str = "lone-pine";

/// Returns the number of games of each ruleset to play; `POSTRIDER_GAMES=20` plays more.
fn games(few: u64) -> u64 {
    std::env::var("POSTRIDER_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(few)
}

fn finished(rules: &dyn Ruleset, number: u64) -> (tempfile::TempDir, Office) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("postrider.toml"), "html = false\n").unwrap();
    let start = Utc.with_ymd_and_hms(2026, 11, 20, 18, 30, 0).unwrap();
    let host = Host::open_or_create(folder.path()).unwrap();
    let mut office = Office::open(host, crate::released(), Environment::fixed(number, start)).unwrap();
    let ways: Vec<(u8, &str)> =
        rules.scenarios().iter().flat_map(|&scenario| rules.seats().map(move |seats| (seats, scenario))).collect();
    // Not every scenario allows every number of players.
    let made = (0..ways.len()).any(|more| {
        let (seats, scenario) = ways[(usize::try_from(number).unwrap() + more) % ways.len()];
        let players = vec!["bot:random".parse::<Invitee>().unwrap(); usize::from(seats)];
        let ruleset = rules.name().to_owned();
        let scenario = Some(scenario.to_owned());
        let new =
            NewGame { ruleset, id: Some(GAME.into()), players, scenario, shared_address: true, ..NewGame::default() };
        office.new_game(&new).is_ok()
    });
    assert!(made && office.open_game(GAME).unwrap().closed, "bots play {} to its end", rules.name());
    (folder, office)
}

/// Returns the winners according to the last lines of the story, which the rules tell independently
/// of the outcome.
fn told(story: &[String], outcome: &Outcome) -> Vec<Seat> {
    let all = || outcome.ranking().iter().map(|one| one.seat).collect::<Vec<_>>();
    let mut winners: Vec<Seat> = Vec::new();
    for line in story {
        let lettered = |rest: &str| Seat::from_letter(rest.get(1..2)?);
        let side =
            |side: &str| all().into_iter().filter(|&seat| outcome.of(seat).unwrap().side == Some(side)).collect();
        match line {
            line if line.starts_with("Final place 1: @") => {
                winners.extend(line.find('@').and_then(|at| lettered(&line[at..])));
            }
            line if line.contains(" wins.") || line.contains(" wins, ") || line.contains(" wins: ") => {
                winners = line.rfind('@').and_then(|at| lettered(&line[at..])).into_iter().collect();
            }
            line if line.contains("victory of the US") => winners = side("US"),
            line if line.contains("victory of the Indians") => winners = side("Indians"),
            line if line.starts_with("A draw: ") || line.ends_with(": a Draw.") => winners = all(),
            _ => {}
        }
    }
    winners.sort();
    winners
}

/// Returns the seats in first place according to the journal.
fn closed(office: &Office) -> Vec<Seat> {
    let journal = std::fs::read_to_string(office.host().journal(GAME)).unwrap();
    let lines = journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let closed = lines.rev().find(|line| line["kind"] == "closed").unwrap();
    let ranking = closed["body"]["outcome"]["ranking"].as_array().into_iter().flatten();
    let first = ranking.filter(|one| one["rank"] == 1);
    let mut seats: Vec<Seat> = first.map(|one| Seat::from_letter(one["seat"].as_str().unwrap()).unwrap()).collect();
    seats.sort();
    seats
}

/// Formats the statistics of a bot with this seat, including the duel.
fn counted(outcome: &Outcome, seats: u8, mine: Seat) -> String {
    let mut one = Statistics::default();
    one.duel(&[mine], outcome);
    let bot = |seat: u8| if Seat(seat) == mine { "keen" } else { "dull" }.to_owned();
    one.bots(outcome, &(0..seats).map(bot).collect::<Vec<_>>(), "keen");
    one.in_words("x", "keen")
}

fn places(letter: &str) -> Vec<u32> {
    letter.lines().filter_map(|line| line.trim_start().split_once(". ")?.0.parse().ok()).collect()
}

fn adjudicated(office: &Office, seats: u8) -> Adjudication {
    let host = office.host();
    let source = Source::from(host.journal(GAME).as_path());
    let kept = KeptLines::of_text(&std::fs::read_to_string(host.secrets(GAME)).unwrap()).kept;
    let catalog = crate::released();
    let (chains, upto, bot) = (None, None, None);
    let case = Case {
        source: &source,
        catalog: &catalog,
        chains,
        at: upto.map(Moment::after),
        now: None,
        rollouts: 9,
        bot,
        seed: 1,
        limit: 9,
    };
    adjudicate(&case, &Players::named_in(&kept, seats.into()), &|| ()).unwrap()
}

#[test]
fn the_first_place_is_the_winner_everywhere() {
    for &rules in rulesets() {
        for number in 0..games(3) {
            let (_folder, mut office) = finished(rules, number);
            let live = office.open_game(GAME).unwrap();
            let at = format!("{}, {}, game {number}", rules.name(), live.opened.setup.scenario);
            let outcome = live.outcome().unwrap();
            let story: Vec<String> = live.story.iter().map(|line| line.told.line.clone()).collect();
            let seats = u8::try_from(live.opened.seats.len()).unwrap();
            is_told_alike(&mut office, &at, (&outcome, seats), &story);
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_told_alike(office: &mut Office, at: &str, (outcome, seats): (&Outcome, u8), story: &[String]) {
    let winners = outcome.winners();
    match outcome.in_short().filter(|_| seats == 1) {
        Some(verdict) => assert!(story.last().is_some_and(|line| line.starts_with(&verdict)), "{at}: {story:?}"),
        None => {
            assert_eq!(told(story, outcome), winners, "{at}: {outcome:?} {:?}", story.last());
            assert!(!winners.is_empty(), "{at}");
        }
    }
    let wins = |seat: Seat| if winners.contains(&seat) { 1.0 / winners.len() as f64 } else { 0.0 };
    assert_eq!(closed(office), winners, "{at}");
    for seat in (0..seats).map(Seat).filter(|_| seats > 1) {
        let said = counted(outcome, seats, seat);
        let duel = format!("keen in {seat}          won {:.0} %", 100.0 * wins(seat));
        assert!(said.contains(&duel), "{at}: {said}");
        assert!(one_line(&said).contains(&format!("keen: wins {:.2} ", wins(seat))), "{at}: {said}");
    }
    let letter = office.terminal(GAME).outcome().unwrap();
    let places = places(&letter);
    assert!(places.is_sorted() && places.len() == outcome.ranking().len(), "{at}: {letter}");
    assert_eq!(places.iter().filter(|place| **place == 1).count(), winners.len(), "{at}: {letter}");
    let found = adjudicated(office, seats);
    for (seat, forecast) in (0..seats).map(Seat).zip(&found.rollouts.seats) {
        assert_eq!(forecast.wins.value, wins(seat), "{at}");
        assert_eq!(forecast.expected.value, outcome.of(seat).unwrap().points as f64, "{at}");
    }
    let said = one_line(&text::render(&in_words(&found)));
    assert!(said.contains(&one_line(&outcome.why)), "{at}: {said}");
    assert!(outcome.level.is_none_or(|level| said.contains(&format!("({level})"))), "{at}: {said}");
}
