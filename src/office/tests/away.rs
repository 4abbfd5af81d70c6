//! Tests of absent players. The game opens on Friday, 20 November 2026, at 18:30 UTC.

use super::{
    by_mail::{answer, body, table, take_mail},
    needed::*,
};
use postrider_store::Kept;
use postrider_table::Seat;
use tempfile::TempDir;

const GAME: &str = "lone-pine";
const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

/// Opens a game with three days per answer and this much leave, in which all have joined. Anna, Ben
/// and Carl are asked.
fn timed(leave: i64, away_bot: Option<&str>) -> (TempDir, Office) {
    let folder = tempfile::tempdir().unwrap();
    let mut office = super::by_mail::office_in(folder.path());
    let clock = Some(Terms { leave, ..Terms::new("72h").unwrap() });
    let away_bot = away_bot.map(str::to_owned);
    office.new_game(&NewGame { clock, away_bot, join_all: true, ..table() }).unwrap();
    (folder, office)
}

fn clocks(office: &Office) -> Vec<String> {
    let text = std::fs::read_to_string(office.host().journal(GAME)).unwrap();
    let events = ["paused", "resumed", "reminded", "expired"];
    let of = |line: &str| {
        let event = events.iter().find(|event| line.contains(&format!("\"event\":\"{event}\"")))?;
        let seat = line.split("\"seat\":\"").nth(1)?.get(..1)?.to_owned();
        Some(format!("{event} {seat}"))
    };
    text.lines().filter(|line| line.contains("\"kind\":\"clock\"")).filter_map(of).collect()
}

fn proved(office: &Office) {
    let path = office.host().journal(GAME);
    let report = verify(&Source::from(path.as_path()), &super::by_mail::catalog(), |_| ()).unwrap();
    assert_ne!(report.status, 1, "{report}");
    let (status, told) = independent_check(&path);
    assert_ne!(status, Some(1), "{told}");
}

fn said(office: &mut Office, seat: u8, text: &str) -> String {
    office.order(GAME, Seat(seat), text).unwrap().0.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_clock_of_who_is_away_stands_still_as_long_as_he_has_leave() {
    let (_folder, mut office) = timed(10 * DAY, None);
    said(&mut office, 0, "bid 1");
    // On Friday Ben leaves for the weekend.
    let told = said(&mut office, 1, "away until Monday");
    assert!(
        told.contains("You are away from Fri 20 Nov 2026 to the end of Mon 23 Nov 2026 (America/Denver)"),
        "{told}"
    );
    assert!(told.contains("Your clock stands still then; six days of leave are left after that."), "{told}");
    // Carl's clock continues.
    office.environment().advance(2 * DAY);
    office.tick(GAME).unwrap();
    assert_eq!(clocks(&office), ["reminded C"]);
    office.environment().advance(2 * DAY);
    office.tick(GAME).unwrap();
    assert_eq!(clocks(&office), ["reminded C", "expired C"]);
    // Ben was back on Tuesday at 7:00 UTC. Half of his three days is over on Wednesday evening.
    office.environment().advance(DAY);
    office.tick(GAME).unwrap();
    assert_eq!(clocks(&office).len(), 2);
    office.environment().advance(DAY);
    office.tick(GAME).unwrap();
    assert_eq!(clocks(&office)[2..], ["reminded B"]);
    proved(&office);
}

#[test]
fn a_new_absence_says_what_it_replaces() {
    let (_folder, mut office) = timed(0, None);
    assert!(!said(&mut office, 0, "away until Monday").contains("replaces"));
    let told = said(&mut office, 0, "holiday from 3 to 12 December");
    assert!(told.contains("This replaces your absence from Fri 20 Nov 2026 to Mon 23 Nov 2026."), "{told}");
    let told = said(&mut office, 0, "away tomorrow");
    assert!(told.contains("This replaces your absence from Thu 3 Dec 2026 to Sat 12 Dec 2026."), "{told}");
    said(&mut office, 0, "away off");
    assert!(!said(&mut office, 0, "away tomorrow").contains("replaces"));
}

/// `back` may be meant for the leave or for the last order.
#[test]
fn back_of_who_is_away_undoes_nothing() {
    let (_folder, mut office) = timed(10 * DAY, None);
    said(&mut office, 0, "bid 1");
    said(&mut office, 0, "away until Monday");
    for text in ["back", "Back!"] {
        let told = said(&mut office, 0, text);
        assert!(told.contains("away off") && told.contains("undo") && !told.contains("is undone"), "{text}: {told}");
    }
    assert!(said(&mut office, 0, "undo").contains("is undone"));
    said(&mut office, 0, "bid 1");
    said(&mut office, 0, "away off");
    assert!(said(&mut office, 0, "back").contains("is undone"));
}

#[test]
fn pause_says_how_the_clock_is_stopped() {
    let (_folder, mut office) = timed(0, None);
    let lines = |office: &Office| std::fs::read_to_string(office.host().journal(GAME)).unwrap().lines().count();
    let before = lines(&office);
    for text in ["pause", "pause please"] {
        let told = said(&mut office, 0, text);
        assert!(told.contains("`propose pause until monday`") && told.contains("`standing pause`"), "{text}: {told}");
    }
    let told = said(&mut office, 0, "standing pause");
    assert!(told.contains("You have no standing orders that could pause."), "{told}");
    assert_eq!(lines(&office), before);
    said(&mut office, 0, "standing gift: give ben");
    let told = said(&mut office, 0, "standing pause");
    assert!(told.contains("your standing orders answer nothing in this Round until you answer again"), "{told}");
}

#[test]
fn leave_ends_with_what_the_game_grants_and_is_given_back_by_who_returns() {
    let (_folder, mut office) = timed(5 * DAY, None);
    // Five of the six days are leave. Two days later he is back.
    let told = said(&mut office, 2, "away 6 days");
    assert!(told.contains("Your leave ends on Wed 25 Nov 2026, 18:30 UTC; from then on your clock runs."), "{told}");
    office.environment().advance(2 * DAY);
    said(&mut office, 2, "away off");
    let told = said(&mut office, 2, "away 10 days");
    assert!(
        told.contains("Your leave ends on Wed 25 Nov 2026, 18:30 UTC; from then on your clock runs."),
        "three days are left: {told}"
    );
    office.environment().advance(3 * DAY);
    let told = said(&mut office, 2, "away 3 days");
    assert!(told.contains("You have no leave left: your clock runs meanwhile."), "{told}");
    // The clock stopped for five days and runs again. Half of its time is over a day and a half
    // later.
    office.environment().advance(DAY);
    office.tick(GAME).unwrap();
    assert!(!clocks(&office).contains(&"reminded C".to_owned()));
    office.environment().advance(DAY);
    office.tick(GAME).unwrap();
    assert!(clocks(&office).contains(&"reminded C".to_owned()));
    proved(&office);
}

#[test]
fn a_mail_that_is_worked_on_twice_takes_leave_once() {
    let (_folder, mut office) = timed(5 * DAY, None);
    let mail = take_mail(&office, ".C.");
    let reply = answer("carl@example.net", &mail, "away 2 days");
    office.receive(reply.as_bytes()).unwrap();
    office.receive(reply.as_bytes()).unwrap();
    let text = std::fs::read_to_string(office.host().journal(GAME)).unwrap();
    assert_eq!(text.matches("\"kind\":\"leave\"").count(), 1);
    assert!(text.contains("\"words\""), "the entry has the digest of his words");
}

#[test]
fn a_bot_plays_for_who_is_away_where_the_table_has_agreed_on_that() {
    let (_folder, mut office) = timed(0, Some("random"));
    let bots = |office: &Office| {
        let text = std::fs::read_to_string(office.host().journal(GAME)).unwrap();
        (
            text.matches("\"via\":\"bot\"").count(),
            text.matches("\"bot\":\"random\"").count(),
            text.matches("\"kind\":\"stand_in\"").count() - text.matches("\"bot\":\"random\"").count(),
        )
    };
    let told = said(&mut office, 1, "away tomorrow");
    assert!(told.contains("The bot random plays for you then"), "{told}");
    office.tick(GAME).unwrap();
    assert_eq!(bots(&office), (0, 0, 0), "he is here today");
    // In Denver the next day begins at 7:00 UTC.
    office.environment().advance(13 * HOUR);
    assert_eq!(office.due().unwrap(), [GAME]);
    office.tick(GAME).unwrap();
    assert_eq!(bots(&office), (1, 1, 0));
    // Killing the process and starting a new one changes nothing.
    office.close_games();
    office.tick(GAME).unwrap();
    assert_eq!(bots(&office), (1, 1, 0));
    office.environment().advance(DAY);
    office.tick(GAME).unwrap();
    assert_eq!(bots(&office), (1, 1, 1));
    office.tick(GAME).unwrap();
    assert_eq!(bots(&office), (1, 1, 1));
    // When the host ends a stand-in, the player is no longer absent.
    said(&mut office, 0, "away 3 days");
    assert_eq!(bots(&office).1, 2);
    office.directing(GAME).stand_in(Seat(0), None).unwrap();
    office.tick(GAME).unwrap();
    assert_eq!((bots(&office).1, bots(&office).2), (2, 2));
    // A stand-in requested by the host stays when the player returns.
    office.directing(GAME).stand_in(Seat(2), Some("random")).unwrap();
    said(&mut office, 2, "away today");
    said(&mut office, 2, "away off");
    assert_eq!(bots(&office).2, 2);
}

#[test]
fn absences_come_by_mail_in_the_players_own_zone() {
    let (_folder, mut office) = timed(0, None);
    let mail = take_mail(&office, ".C.");
    // Carl was invited without a time zone. When it is the 21st in UTC, it is still the 20th in
    // Denver.
    office.environment().advance(7 * HOUR);
    office.receive(answer("carl@example.net", &mail, "zone America/Denver\naway today").as_bytes()).unwrap();
    let reply = take_mail(&office, ".C.re.");
    let reply = body(&reply).replace("=\n", "").replace('\n', " ");
    assert!(reply.contains("zone America/Denver from now on"), "{reply}");
    assert!(
        reply.contains("Fri 20 Nov 2026 to the end of Fri 20 Nov 2026") && reply.contains("(America/Denver)"),
        "{reply}"
    );
    let reply = said(&mut office, 1, "zone Utopia");
    assert!(reply.contains("not a time zone: nothing was changed"), "{reply}");
    let reply = said(&mut office, 1, "away until it is over");
    assert!(reply.contains("was not noted: say the days"), "{reply}");
    let reply = said(&mut office, 0, "away off");
    assert!(reply.contains("You were not away"), "{reply}");
    // All of it is stored.
    let kept = office.store().kept(GAME).unwrap().kept;
    assert!(kept.iter().any(|one| matches!(one, Kept::Zone(Seat(2), zone) if zone == "America/Denver")));
    assert_eq!(clocks(&office), [""; 0]);
    // Waiting players are told.
    said(&mut office, 0, "bid 1");
    let status = said(&mut office, 0, "status");
    assert!(!status.contains("paused"), "{status}");
}
