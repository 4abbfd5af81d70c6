//! Two versions of a game's rules in one program: a game of the older version continues next to a
//! game of the newer one, and both are checked, rewound and forked.

use super::needed::*;
use chrono::{TimeZone, Utc};
use postrider_table::{Ruleset, Seat};
use postrider_test_games::raffle::{FIRST_RELEASE, RAFFLE};
use serde_json::Value;
use std::{fs, path::Path};

/// A game opened under version 1, and one of version 2.
const GAMES: [(&str, u64); 2] = [("old-raffle", 1), ("new-raffle", 2)];

fn office(folder: &Path, rules: &'static [&'static dyn Ruleset]) -> Office {
    let start = Utc.with_ymd_and_hms(2026, 11, 20, 18, 30, 0).unwrap();
    Office::open(Host::open_or_create(folder).unwrap(), Catalog::new(rules), Environment::fixed(7, start)).unwrap()
}

/// Opens a game of two Turns between Anna, who passes, and a bot that a frozen version does not
/// have.
fn open(office: &mut Office, game: &str) {
    let players = ["Anna <anna@example.net>", "bot:lucky"].map(|text| text.parse::<Invitee>().unwrap()).to_vec();
    let new =
        NewGame { ruleset: "raffle".into(), id: Some(game.into()), players, join_all: true, ..NewGame::default() };
    office.new_game(&new).unwrap();
}

fn pass(office: &mut Office, game: &str) {
    let told = office.order(game, Seat(0), "pass").unwrap();
    assert!(told.1, "{}", told.0);
}

fn to_the_end(office: &mut Office, game: &str) {
    while !office.open_game(game).unwrap().closed {
        pass(office, game);
    }
}

fn lines(office: &Office, game: &str) -> Vec<Value> {
    let text = fs::read_to_string(office.host().journal(game)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Asserts that both checkers agree on the game, the first of them under this version of the rules.
/// A finished game is proved; a game in progress may have hidden cards.
#[track_caller]
fn holds(office: &mut Office, game: &str, version: u64) {
    let closed = office.open_game(game).unwrap().closed;
    let path = office.host().journal(game);
    let catalog = Catalog::new(RAFFLE).with_folder(office.host().journals());
    let report = verify(&Source::from(path.as_path()), &catalog, |_| ()).unwrap();
    let rules = report.rules.clone().unwrap();
    assert_eq!((rules.name.as_str(), rules.version), ("raffle", version), "{report}");
    assert!(report.status == 0 || report.status == 2 && !closed, "{report}");
    let (independent, told) = independent_check(&path);
    assert_eq!(independent, Some(i32::from(report.status)), "{told}");
    // The difference between the rules: version 2 rolls for a malus in the second Round of a Turn,
    // version 1 does not.
    let malus = lines(office, game).iter().any(|line| line.to_string().contains("\"malus\""));
    assert!(if version == 1 { !malus } else { malus || !closed }, "{report}");
}

#[test]
fn games_of_two_versions_are_played_beside_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let [(old, _), (new, _)] = GAMES;
    let mut before = office(folder.path(), FIRST_RELEASE);
    open(&mut before, old);
    pass(&mut before, old);
    drop(before);

    let mut office = office(folder.path(), RAFFLE);
    open(&mut office, new);
    for _ in 0..2 {
        for (game, _) in GAMES {
            pass(&mut office, game);
        }
    }
    for (game, version) in GAMES {
        holds(&mut office, game, version);
        let to = "turn 1 round 2".parse().unwrap();
        let wanted = RewindGame { to, by: "host".into(), reason: "a slip".into(), dry_run: false };
        office.directing(game).rewind(&wanted).unwrap();
        pass(&mut office, game);
        holds(&mut office, game, version);
        to_the_end(&mut office, game);
        holds(&mut office, game, version);

        let fork = format!("{game}-2");
        let to = "turn 2 round 1".parse().unwrap();
        office
            .fork(
                game,
                &ForkGame { to, id: fork.clone(), reason: "what if".into(), join_all: true, players: Vec::new() },
            )
            .unwrap();
        pass(&mut office, &fork);
        holds(&mut office, &fork, version);
        to_the_end(&mut office, &fork);
        holds(&mut office, &fork, version);
    }
}

#[test]
fn a_version_that_is_not_at_hand_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (game, _) = GAMES[1];
    open(&mut office(folder.path(), RAFFLE), game);
    let mut before = office(folder.path(), FIRST_RELEASE);
    let journal = fs::read(before.host().journal(game)).unwrap();
    let why = before.open_game(game).err().unwrap().to_string();
    assert!(why.contains("needs version 2 of the ruleset \"raffle\"; this release has 1"), "{why}");
    assert_eq!(fs::read(before.host().journal(game)).unwrap(), journal);
}
