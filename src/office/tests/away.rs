//! Tests of players who are away. The game opens on Friday, 20 November 2026, at 18:30 UTC.

use super::{
    by_mail::{answer, body, outbox, table, take_mail},
    needed::*,
};
use postrider_store::{Kept, WhenAway};
use postrider_table::Seat;
use tempfile::TempDir;

const GAME: &str = "lone-pine";
const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

/// A game with three days for an answer, in which all have joined; Anna, Ben and Carl are asked.
fn timed(when_away: WhenAway) -> (TempDir, Office) {
    let folder = tempfile::tempdir().unwrap();
    let mut office = super::by_mail::office_in(folder.path());
    let clock = Some(Terms::new("72h", AtDeadline::Remind).unwrap());
    office.new_game(&NewGame { clock, when_away, join_all: true, ..table() }).unwrap();
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

fn said(office: &mut Office, seat: u8, text: &str) -> String {
    office.order(GAME, Seat(seat), text).unwrap().0.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn deadlines_stand_still_while_the_game_waits_for_somebody_who_is_away() {
    let (_folder, mut office) = timed(WhenAway::Pause);
    // One of the three has bid; then the game waits for Ben and Carl, and Ben goes away for the weekend.
    said(&mut office, 0, "bid 1");
    let told = said(&mut office, 1, "away until Monday");
    assert!(
        told.contains("You are away from Fri 20 Nov 2026 to the end of Mon 23 Nov 2026 (America/Denver)"),
        "{told}"
    );
    assert!(told.contains("all deadlines stand"), "{told}");
    assert_eq!(clocks(&office), ["paused B", "paused C"]);
    let letters: String = outbox(&office).iter().map(|(_, mail)| mail.as_str()).collect();
    assert!(letters.contains("Ben is away until Tue 24 Nov, 07:00 UTC."), "{letters}");
    // Nothing passes meanwhile, however often somebody looks.
    office.environment().advance(3 * DAY);
    office.tick(GAME).unwrap();
    assert_eq!(clocks(&office).len(), 2);
    // It is due again when he is back, and then the clock goes on with the time that was left.
    office.environment().advance(2 * DAY);
    assert_eq!(office.due().unwrap(), [GAME]);
    office.tick(GAME).unwrap();
    assert_eq!(clocks(&office), ["paused B", "paused C", "resumed B", "resumed C"]);
    office.environment().advance(2 * DAY);
    office.tick(GAME).unwrap();
    assert_eq!(clocks(&office)[4..], ["reminded B", "reminded C"]);
    let told = said(&mut office, 2, "status");
    assert!(!told.contains("away"), "{told}");
}

#[test]
fn who_is_away_may_answer_and_who_is_not_awaited_stops_nothing() {
    let (_folder, mut office) = timed(WhenAway::Pause);
    said(&mut office, 1, "bid 1");
    // The game waits for the two others.
    said(&mut office, 1, "vacation 20 to 30 November");
    assert_eq!(clocks(&office), [""; 0]);
    let told = said(&mut office, 2, "away 5 days");
    assert!(told.contains("Tue 24 Nov 2026"), "{told}");
    assert_eq!(clocks(&office), ["paused A", "paused C"]);
    let why = office.pause(GAME, false).unwrap_err().to_string();
    assert!(why.contains("seat C is away") && why.contains("away off"), "{why}");
    said(&mut office, 2, "bid 2");
    assert_eq!(clocks(&office)[2..], ["resumed A"], "Anna is here");
    // The host's own pause is his to end.
    office.pause(GAME, true).unwrap();
    office.tick(GAME).unwrap();
    assert_eq!(clocks(&office)[3..], ["paused A"]);
}

#[test]
fn a_bot_plays_for_who_is_away_where_the_table_has_agreed_on_that() {
    let (_folder, mut office) = timed(WhenAway::Bot("random".into()));
    let bots = |office: &Office| {
        let text = std::fs::read_to_string(office.host().journal(GAME)).unwrap();
        (
            text.matches("\"via\":\"bot\"").count(),
            text.matches("while its player is away").count(),
            text.matches("plays again himself").count(),
        )
    };
    let told = said(&mut office, 1, "away tomorrow");
    assert!(told.contains("The bot random plays for you then"), "{told}");
    office.tick(GAME).unwrap();
    assert_eq!(bots(&office), (0, 0, 0), "he is here today");
    // The next day begins in Denver at 7:00 UTC.
    office.environment().advance(13 * HOUR);
    assert_eq!(office.due().unwrap(), [GAME]);
    office.tick(GAME).unwrap();
    assert_eq!(bots(&office), (1, 1, 0));
    // A kill and a new process change nothing.
    office.close_games();
    office.tick(GAME).unwrap();
    assert_eq!(bots(&office), (1, 1, 0));
    office.environment().advance(DAY);
    office.tick(GAME).unwrap();
    assert_eq!(bots(&office), (1, 1, 1));
    office.tick(GAME).unwrap();
    assert_eq!(bots(&office), (1, 1, 1));
    // Who plays again himself, as the host says, is back.
    said(&mut office, 0, "away 3 days");
    assert_eq!(bots(&office).1, 2);
    office.stand_in(GAME, Seat(0), None).unwrap();
    office.tick(GAME).unwrap();
    assert_eq!((bots(&office).1, bots(&office).2), (2, 2));
    // The host's own stand-in stays when a player is back.
    office.stand_in(GAME, Seat(2), Some("random")).unwrap();
    said(&mut office, 2, "away today");
    said(&mut office, 2, "away off");
    assert_eq!(bots(&office).2, 2);
}

#[test]
fn absences_come_by_mail_in_the_players_own_zone() {
    let (_folder, mut office) = timed(WhenAway::Tell);
    let mail = take_mail(&office, ".C.");
    // Carl was invited without a zone. It is still the 20th in Denver when it is the 21st in UTC.
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
    assert!(reply.contains("no time zone: nothing was changed"), "{reply}");
    let reply = said(&mut office, 1, "away until it is over");
    assert!(reply.contains("was not noted: say the days"), "{reply}");
    let reply = said(&mut office, 0, "away off");
    assert!(reply.contains("You were not away"), "{reply}");
    // All of it is kept.
    let kept = office.store().kept(GAME).unwrap().kept;
    assert!(kept.iter().any(|one| matches!(one, Kept::Zone(Seat(2), zone) if zone == "America/Denver")));
    assert_eq!(clocks(&office), [""; 0]);
    // Whoever waits reads it.
    said(&mut office, 0, "bid 1");
    let status = said(&mut office, 0, "status");
    assert!(!status.contains("paused"), "{status}");
}
