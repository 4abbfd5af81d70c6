//! Seats played by bots, permanently or in place of a player on leave.

use crate::*;
use chrono::{TimeZone, Utc};
use postrider_audit::verify;
use postrider_replay::{Catalog, Source};
use postrider_store::{Host, MailFolder};
use postrider_table::Seat;
use postrider_test_games::auction::TOYS;
use std::path::Path;

fn office_in(folder: &Path) -> Office {
    let start = Utc.with_ymd_and_hms(2026, 11, 20, 18, 30, 0).unwrap();
    Office::open(Host::open_or_create(folder).unwrap(), Catalog::new(TOYS), Environment::fixed(7, start)).unwrap()
}

fn table(players: &[&str]) -> NewGame {
    NewGame {
        ruleset: "auction".into(),
        id: Some("lone-pine".into()),
        players: players.iter().map(|text| text.parse::<Invitee>().unwrap()).collect(),
        join_all: true,
        ..NewGame::default()
    }
}

fn journal(office: &Office) -> String {
    std::fs::read_to_string(office.host().journal("lone-pine")).unwrap()
}

fn letters(office: &Office) -> Vec<String> {
    let out = office.host().mail(MailFolder::Out).unwrap();
    out.list().unwrap().into_iter().map(|entry| entry.unique).collect()
}

#[test]
fn bots_keep_seats_and_nobody_writes_to_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&table(&["Anna <anna@example.net>", "bot:random", "bot:random"])).unwrap();
    let begun = journal(&office);
    assert_eq!(begun.matches("\"kind\":\"joined\"").count(), 3);
    assert_eq!(begun.matches("\"via\":\"bot\"").count(), 4, "two joined, and both bid at once: {begun}");
    assert!(begun.contains("\"operator_seats\":[\"B\",\"C\"]"), "the journal says whose machine plays them");
    assert!(!begun.contains("bot:random"));
    assert_eq!(office.terminal("lone-pine").called(Seat(2)).unwrap(), "Random 2 (C)");
    // Only Anna is asked. If she wins she gives; otherwise the bots continue without her.
    while !office.open_game("lone-pine").unwrap().closed {
        let answers = office.terminal("lone-pine").answers(Seat(0)).unwrap();
        let last = answers.iter().rposition(|words| words != "thank you").expect("Anna is asked");
        let said = office.order("lone-pine", Seat(0), &answers[last]).unwrap();
        assert!(said.1, "{}", said.0);
    }
    assert!(letters(&office).iter().all(|name| name.contains(".A.")), "{:?}", letters(&office));
    let path = office.host().journal("lone-pine");
    drop(office);
    let report = verify(&Source::from(path.as_path()), &Catalog::new(TOYS), |_| ()).unwrap();
    assert_eq!(report.status, 0, "{report}");
    // Repeating the same steps from the same secrets gives the same bots' answers.
    let again = tempfile::tempdir().unwrap();
    let mut office = office_in(again.path());
    office.new_game(&table(&["Anna <anna@example.net>", "bot:random", "bot:random"])).unwrap();
    assert_eq!(journal(&office), begun);
}

#[test]
fn a_bot_stands_in_until_the_player_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    let people = ["Anna <anna@example.net>", "Ben <ben@example.net>", "Carl <carl@example.net>"];
    office.new_game(&table(&people)).unwrap();
    let before = letters(&office).len();
    assert!(
        office
            .directing("lone-pine")
            .stand_in(Seat(1), Some("clever"))
            .unwrap_err()
            .to_string()
            .contains("available: random")
    );
    assert!(office.directing("lone-pine").stand_in(Seat(1), None).is_err(), "nobody stands in for him");
    office.directing("lone-pine").stand_in(Seat(1), Some("random")).unwrap();
    assert!(office.directing("lone-pine").stand_in(Seat(1), Some("random")).is_err(), "he does so already");
    let text = journal(&office);
    assert!(text.contains("{\"bot\":\"random\",\"by\":\"host\",\"seat\":\"B\"}"), "{text}");
    assert_eq!(text.matches("\"via\":\"bot\"").count(), 1);
    assert_eq!(letters(&office).len(), before + 3, "all are told");
    let all = std::fs::read_dir(folder.path().join("mail/out/new")).unwrap();
    let told = all.filter(|mail| {
        let text = std::fs::read_to_string(mail.as_ref().unwrap().path()).unwrap();
        text.contains("The bot random plays for Ben.")
    });
    assert_eq!(told.count(), 3);
    // The stand-in is stored, and ends when the host says so.
    drop(office);
    let mut office = office_in(folder.path());
    office.order("lone-pine", Seat(0), "bid 3").unwrap();
    office.directing("lone-pine").stand_in(Seat(1), None).unwrap();
    let bots = journal(&office).matches("\"via\":\"bot\"").count();
    office.order("lone-pine", Seat(2), "bid 9").unwrap();
    office.order("lone-pine", Seat(2), "give anna").unwrap();
    assert_eq!(journal(&office).matches("\"via\":\"bot\"").count(), bots, "Ben is asked again");
    assert!(office.terminal("lone-pine").glance().unwrap().awaited.contains(&Seat(1)));
}
