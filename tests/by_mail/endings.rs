//! A game of each system, ended by mail in each way, and judged by both checkers.

use crate::post::{answer, letter};
use chrono::{TimeZone, Utc};
use postrider::{
    audit::{testing::independent_check, verify},
    games::rulesets,
    journal::Ending,
    office::{Environment, Invitee, NewGame, Office},
    replay::{AtFlag, Catalog, Source, Terms},
    store::Host,
    table::Ruleset,
};
use std::path::Path;

const GAME: &str = "lone-pine";
const DAY: i64 = 24 * 3_600;
const PEOPLE: [&str; 5] = ["anna", "ben", "carl", "dora", "emil"];

/// Opens a game of the fewest players who are not alone, directed by Fay, in which who is late for
/// two days loses.
fn begun(folder: &Path, rules: &dyn Ruleset, seats: u8) -> Office {
    let start = Utc.with_ymd_and_hms(2026, 11, 25, 18, 30, 0).unwrap();
    let host = Host::open_or_create(folder).expect("a host's folder");
    let mut office = Office::open(host, Catalog::new(rulesets()), Environment::fixed(7, start)).expect("an office");
    let person = |name: &str| format!("{name} <{name}@example.net>").parse::<Invitee>().expect("a player");
    let clock = Terms { at_flag: AtFlag::Forfeit(DAY), ..Terms::new("1d").expect("terms") };
    let new = NewGame {
        ruleset: rules.name().to_owned(),
        id: Some(GAME.into()),
        players: PEOPLE.iter().take(seats.into()).map(|name| person(name)).collect(),
        directors: vec![person("fay")],
        majority: true,
        join_all: true,
        clock: Some(clock),
        ..NewGame::default()
    };
    office.new_game(&new).unwrap_or_else(|why| panic!("{}: {why}", rules.name()));
    office
}

/// Answers a letter, and confirms what it asks a `yes` for.
fn confirmed(office: &mut Office, who: &str, text: &str) {
    answer(office, who, text);
    let asks = letter(office, who).replace('\n', " ");
    assert!(asks.contains("`yes`"), "{text}: {asks}");
    answer(office, who, "yes");
}

/// The ways, as journals name them, each with the number of seats that rank first, if it is always
/// the same.
type Way = (Ending, fn(&mut Office, u8), Option<usize>);

const WAYS: [Way; 6] = [
    (
        Ending::Rules,
        |office, seats| {
            for who in &PEOPLE[..seats.into()] {
                confirmed(office, "fay", &format!("stand-in {who} steady"));
            }
        },
        None,
    ),
    (
        Ending::Conceded,
        |office, seats| PEOPLE[..usize::from(seats) - 1].iter().for_each(|who| confirmed(office, who, "concede")),
        Some(1),
    ),
    (
        Ending::Agreed,
        |office, seats| {
            answer(office, "anna", "propose draw");
            PEOPLE[1..usize::from(seats)].iter().for_each(|who| answer(office, who, "agree"));
        },
        Some(usize::MAX),
    ),
    (
        Ending::Forfeit,
        |office, _| {
            while !office.terminal(GAME).glance().expect("it is open").over {
                office.environment().advance(3 * DAY);
                office.tick(GAME).expect("it works");
            }
        },
        // Both tie if both are late.
        None,
    ),
    (
        Ending::Adjudicated,
        |office, seats| {
            answer(office, "anna", "appeal: we cannot go on");
            let others: Vec<String> = PEOPLE[1..usize::from(seats)].iter().map(|who| format!("{who} 2")).collect();
            confirmed(office, "fay", &format!("result anna 1, {}: it is late", others.join(", ")));
        },
        Some(1),
    ),
    (Ending::Abandoned, |office, _| confirmed(office, "fay", "abandon: nobody answers"), Some(0)),
];

#[test]
fn each_game_ends_in_each_way_and_goes_on() {
    for rules in rulesets() {
        let (least, most) = rules.seats().into_inner();
        let seats = least.max(2).min(most);
        for (way, end, first) in WAYS {
            let what = format!("{} {way:?}", rules.name());
            let folder = tempfile::tempdir().expect("a folder");
            let mut office = begun(folder.path(), *rules, seats);
            end(&mut office, seats);
            let glance = office.terminal(GAME).glance().expect("it is open");
            assert!(glance.over && glance.awaited.is_empty(), "{what}");
            let live = office.open_game(GAME).expect("it is open");
            let (ended, outcome) = (live.motions.ended(), live.outcome().unwrap_or_else(|| panic!("{what}")));
            assert_eq!(ended.map(|ended| ended.by), Some(way), "{what}");
            if let Some(first) = first {
                assert_eq!(outcome.winners().len(), first.min(seats.into()), "{what}: {outcome:?}");
            }
            // Everybody is told, and nothing can be ordered any more.
            for who in &PEOPLE[..usize::from(seats)] {
                let told = letter(&office, who);
                assert!(told.contains("is over") || told.contains("is abandoned"), "{what}, {who}: {told}");
            }
            let head = glance.head;
            answer(&mut office, "anna", "concede");
            assert_eq!(office.terminal(GAME).glance().expect("it is open").head, head, "{what}");
            judged(&office, &what);
            // A game that did not end by its rules can be continued.
            if way != Ending::Rules {
                confirmed(&mut office, "fay", "reopen: we go on");
                assert!(!office.terminal(GAME).glance().expect("it is open").over, "{what}");
                judged(&office, &what);
            }
        }
    }
}

#[test]
fn a_majority_grants_more_time_in_each_game_of_three() {
    for rules in rulesets().iter().filter(|rules| rules.seats().contains(&3)) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut office = begun(folder.path(), *rules, 3);
        answer(&mut office, "anna", "propose extend 2 days");
        answer(&mut office, "ben", "disagree");
        answer(&mut office, "carl", "agree");
        office.environment().advance(2 * DAY);
        let ticked = office.tick(GAME).expect("it works");
        assert_eq!((ticked.expired, ticked.forfeited), (0, 0), "{}", rules.name());
        judged(&office, rules.name());
    }
}

fn judged(office: &Office, what: &str) {
    let path = office.host().journal(GAME);
    let report = verify(&Source::from(path.as_path()), &Catalog::new(rulesets()), |_| ()).expect("it can be read");
    assert_ne!(report.status, 1, "{what}: {report}");
    let (status, told) = independent_check(&path);
    assert_ne!(status, Some(1), "{what}: {told}");
}
