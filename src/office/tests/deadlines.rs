//! Tests of deadlines, with a clock set by the test. The game opens on Friday, 20 November 2026, at
//! 18:30 UTC.

use super::{
    by_mail::{answer, begun, body, catalog, narrow, office_in, outbox, table, take_mail},
    needed::*,
};
use chrono::{DateTime, Utc};
use postrider_journal::testing::rehashed;
use postrider_journal::{Body, Clock, ClockEvent, Writer};
use postrider_mailbox::MaildirFolder;
use postrider_store::{HandedOver, OutboxRow};
use postrider_table::{PromptId, Seat, Watch};
use serde_json::{Value, json};
use tempfile::TempDir;

const GAME: &str = "lone-pine";
const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

fn timed(at_flag: AtFlag) -> (TempDir, Office) {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    let clock = Some(Terms { at_flag, ..Terms::new("72h").unwrap() });
    office.new_game(&NewGame { clock, ..table() }).unwrap();
    (folder, office)
}

fn empty_outbox(office: &Office) {
    let out = office.host().mail(MailFolder::Out).unwrap();
    for entry in out.list().unwrap().into_iter().filter(|entry| entry.folder == MaildirFolder::New) {
        std::fs::remove_file(entry.path).unwrap();
    }
}

fn order(office: &mut Office, seat: u8, text: &str) {
    let (told, done) = office.order(GAME, Seat(seat), text).unwrap();
    assert!(done, "{told}");
}

fn journal(office: &Office) -> String {
    std::fs::read_to_string(office.host().journal(GAME)).unwrap()
}

fn ruling(text: &str, effect: Value) -> RulingGiven {
    RulingGiven { by: "host".into(), text: text.into(), effect, of: None }
}

fn count(office: &Office, mark: &str) -> usize {
    journal(office).matches(mark).count()
}

fn ticked(reminded: usize, expired: usize, played: usize) -> Ticked {
    Ticked { reminded, expired, played, forfeited: 0 }
}

fn on(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

/// Returns the deadlines of a seat, and asserts that a rebuilt game has the same.
fn deadlines(office: &mut Office, seat: u8) -> Vec<Deadline> {
    let live = format!("{:?}", office.open_game(GAME).unwrap().deadlines);
    let source = Source::from(office.host().journal(GAME).as_path());
    let chains = office.open_game(GAME).map(|_| ()).ok().and_then(|()| chains(office));
    let again = rebuild(&source, &catalog(), chains, None, Watch::NONE).unwrap();
    assert_eq!(format!("{:?}", again.deadlines), live);
    let asked = again.dyn_game.as_ref().unwrap().asked().unwrap();
    let mine = asked.iter().filter(|asked| asked.required && asked.seat == Seat(seat));
    mine.filter_map(|asked| again.deadlines.deadline(asked.id)).collect()
}

pub(super) fn chains(office: &Office) -> Option<Vec<postrider_dice::SeedChain>> {
    let text = std::fs::read_to_string(office.host().secrets(GAME)).ok()?;
    let chain = |line: &str| match serde_json::from_str(line) {
        Ok(postrider_journal::Secret::Chain(chain)) => Some(chain),
        _ => None,
    };
    Some(text.lines().filter_map(chain).collect())
}

fn proved(office: &Office) {
    let report = verify(&Source::from(office.host().journal(GAME).as_path()), &catalog(), |_| ()).unwrap();
    assert!(report.contradictions.is_empty(), "{report}");
    let (status, told) = independent_check(&office.host().journal(GAME));
    assert_ne!(status, Some(1), "{told}");
}

fn nothing_twice(office: &mut Office) {
    let mails = outbox(office).len();
    for seconds in [0, -10 * DAY, 10 * DAY] {
        office.environment().advance(seconds);
        office.close_games();
        assert_eq!(office.tick(GAME).unwrap(), Ticked::default());
    }
    assert_eq!(outbox(office).len(), mails);
}

fn words(mail: &str) -> String {
    narrow(mail);
    body(mail).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn who_does_not_answer_is_reminded_once() {
    let (_folder, mut office) = timed(AtFlag::Remind);
    assert!(journal(&office).contains(r#""clock":{"answer":259200,"at_flag":"remind"}"#));
    let letter = words(&take_mail(&office, ".B."));
    let by = "Answer by Mon 23 Nov 2026, 18:30 UTC (Mon 23 Nov 2026, 11:30 in America/Denver).";
    assert!(letter.contains(by), "{letter}");
    order(&mut office, 0, "bid 1");
    empty_outbox(&office);
    office.environment().advance(36 * HOUR - 1);
    assert_eq!(office.tick(GAME).unwrap(), Ticked::default());
    office.environment().advance(1);
    assert_eq!(office.tick(GAME).unwrap(), ticked(2, 0, 0));
    // Two short letters, to the players with open questions.
    assert_eq!(outbox(&office).len(), 2);
    nothing_twice(&mut office);
    let mail = take_mail(&office, ".B.");
    let letter = words(&mail);
    assert!(letter.contains("this is a reminder") && letter.contains(by), "{letter}");
    assert!(!letter.contains("MAP"), "{letter}");
    assert_eq!(count(&office, r#""event":"reminded""#), 2);
    // A reminder can be answered like any letter.
    office.receive(answer("ben@example.net", &mail, "bid 2").as_bytes()).unwrap();
    assert_eq!(count(&office, r#""words":""#), 1);
    assert_eq!(deadlines(&mut office, 2), [Deadline::Until(on("2026-11-23T18:30:00Z"))]);
    proved(&office);
}

#[test]
fn a_deadline_passes_once_and_a_late_answer_counts() {
    let (_folder, mut office) = timed(AtFlag::Remind);
    order(&mut office, 0, "bid 1");
    empty_outbox(&office);
    office.environment().advance(3 * DAY - 1);
    assert_eq!(office.tick(GAME).unwrap(), ticked(2, 0, 0));
    empty_outbox(&office);
    office.environment().advance(1);
    assert_eq!(office.tick(GAME).unwrap(), ticked(0, 2, 0));
    assert_eq!(outbox(&office).len(), 3, "everybody is told");
    nothing_twice(&mut office);
    let letter = words(&take_mail(&office, ".A."));
    assert!(letter.contains("Ben and Carl have not answered in time; the game waits on."), "{letter}");
    let letter = words(&take_mail(&office, ".C."));
    assert!(letter.contains("The deadline was Mon 23 Nov 2026, 18:30 UTC; the game waits for you."), "{letter}");
    assert_eq!(deadlines(&mut office, 1), [Deadline::Expired(on("2026-11-23T18:30:00Z"))]);
    order(&mut office, 1, "bid 5");
    order(&mut office, 2, "bid 0");
    // New questions have their full time.
    assert_eq!(deadlines(&mut office, 1), [Deadline::Until(on("2026-11-26T18:30:00Z"))]);
    proved(&office);
}

#[test]
fn a_game_without_answers_is_played_to_its_end() {
    let (_folder, mut office) = timed(AtFlag::Play);
    order(&mut office, 0, "bid 1");
    empty_outbox(&office);
    office.environment().advance(3 * DAY);
    assert_eq!(office.tick(GAME).unwrap(), ticked(0, 2, 2));
    nothing_twice_yet(&mut office);
    let letter = words(&take_mail(&office, ".B."));
    let told = "Ben and Carl have not answered in time; the game continued as the rules prescribe.";
    assert!(letter.contains(told), "{letter}");
    let played: Vec<String> =
        journal(&office).lines().filter(|line| line.contains(r#""via":"deadline""#)).map(str::to_owned).collect();
    assert_eq!(played.len(), 2);
    // The first option of each: no coin.
    assert!(played.iter().all(|line| line.contains(r#""order":{"bid":{"coins":0}}"#)), "{played:?}");
    let told = office.order(GAME, Seat(1), "back").unwrap().0;
    assert!(told.contains("cannot be taken back") || told.contains("no order"), "{told}");
    assert_eq!(deadlines(&mut office, 0), [Deadline::Until(on("2026-11-26T18:30:00Z"))]);
    // Anna's gift, then three Rounds of three bids and a gift.
    for expected in [1, 3, 1, 3, 1, 3, 1] {
        office.environment().advance(3 * DAY);
        assert_eq!(office.tick(GAME).unwrap(), ticked(0, expected, expected));
    }
    assert!(office.open_game(GAME).unwrap().closed);
    nothing_twice(&mut office);
    let report = verify(&Source::from(office.host().journal(GAME).as_path()), &catalog(), |_| ()).unwrap();
    assert_eq!(report.status, 0, "{report}");
    assert_eq!(independent_check(&office.host().journal(GAME)).0, Some(0));
}

/// Like [`nothing_twice`], but without advancing the clock so far that new questions become due.
fn nothing_twice_yet(office: &mut Office) {
    for seconds in [0, -10 * DAY, 10 * DAY + HOUR, -HOUR] {
        office.environment().advance(seconds);
        office.close_games();
        assert_eq!(office.tick(GAME).unwrap(), Ticked::default());
    }
}

#[test]
fn a_paused_game_has_all_the_time() {
    let (_folder, mut office) = timed(AtFlag::Play);
    assert!(office.directing(GAME).pause(false).unwrap_err().to_string().contains("is not paused"));
    empty_outbox(&office);
    office.environment().advance(DAY);
    office.directing(GAME).pause(true).unwrap();
    assert_eq!(count(&office, r#""event":"paused""#), 3, "one line for each question");
    assert_eq!(outbox(&office).len(), 3);
    assert!(office.directing(GAME).pause(true).unwrap_err().to_string().contains("is already paused"));
    let letter = words(&take_mail(&office, ".B."));
    assert!(letter.contains("The game is paused: all clocks are stopped."), "{letter}");
    assert!(letter.contains("The clock is stopped; two days will be left when it runs again."), "{letter}");
    office.environment().advance(30 * DAY);
    nothing_twice(&mut office);
    assert_eq!(deadlines(&mut office, 1), [Deadline::Paused(2 * DAY)]);
    // Players may answer during the pause; new questions then have their full time.
    for (seat, text) in [(0, "bid 1"), (1, "bid 5"), (2, "bid 0")] {
        order(&mut office, seat, text);
    }
    assert_eq!(deadlines(&mut office, 1), [Deadline::Paused(3 * DAY)]);
    // Friday the 20th, one day, thirty days.
    office.directing(GAME).pause(false).unwrap();
    assert_eq!(deadlines(&mut office, 1), [Deadline::Until(on("2026-12-24T18:30:00Z"))]);
    office.environment().advance(3 * DAY - 1);
    assert_eq!(office.tick(GAME).unwrap(), ticked(1, 0, 0));
    office.environment().advance(1);
    assert_eq!(office.tick(GAME).unwrap(), ticked(0, 1, 1));
    proved(&office);
}

#[test]
fn a_clock_runs_when_the_letter_has_left() {
    let folder = tempfile::tempdir().unwrap();
    let smtp = "[mail_out.smtp]\nhost = \"127.0.0.1\"\nsecurity = \"none\"\n";
    std::fs::write(folder.path().join("postrider.toml"), smtp).unwrap();
    let mut office = office_in(folder.path());
    let clock = Some(Terms { at_flag: AtFlag::Forfeit(5 * DAY), ..Terms::new("72h").unwrap() });
    office.new_game(&NewGame { clock, ..table() }).unwrap();
    let letters_leave = |office: &Office, but: &str| {
        let mut take = |row: &OutboxRow| match row.unique.contains(but) {
            true => HandedOver::Later,
            false => HandedOver::Taken,
        };
        office.store().hand_over(&mut take).unwrap();
    };
    // Anna's letter and Carl's leave, Ben's does not.
    letters_leave(&office, ".B.");
    office.environment().advance(40 * 3_600);
    assert_eq!(office.tick(GAME).unwrap(), ticked(2, 0, 0));
    assert_eq!(count(&office, r#""event":"held""#), 1);
    nothing_twice(&mut office);
    office.environment().advance(3 * DAY);
    assert_eq!(office.tick(GAME).unwrap(), ticked(0, 2, 0));
    assert_eq!(deadlines(&mut office, 1), [Deadline::Paused(3 * DAY)]);
    let moved = ruling("More time", json!({"deadline": {"seat": "B", "until": "2d"}}));
    let why = office.directing(GAME).rule(&moved).unwrap_err().to_string();
    assert!(why.contains("the letter to B has not left"), "{why}");
    // It leaves 112 hours late, on Wednesday the 25th.
    letters_leave(&office, ".nobody.");
    assert_eq!(office.tick(GAME).unwrap(), ticked(0, 0, 0));
    assert_eq!(count(&office, r#""event":"sent""#), 1);
    assert_eq!(deadlines(&mut office, 1), [Deadline::Until(on("2026-11-28T10:30:00Z"))]);
    office.environment().advance(3 * DAY - 1);
    assert_eq!(office.tick(GAME).unwrap(), ticked(1, 0, 0));
    proved(&office);
}

#[test]
fn a_pause_is_added_to_what_was_left() {
    for (length, until) in [(10 * DAY, "2026-12-03T18:30:00Z"), (-5 * DAY, "2026-11-23T18:30:00Z")] {
        let (_folder, mut office) = timed(AtFlag::Remind);
        office.environment().advance(DAY);
        office.directing(GAME).pause(true).unwrap();
        office.environment().advance(length);
        office.directing(GAME).pause(false).unwrap();
        assert_eq!(deadlines(&mut office, 2), [Deadline::Until(on(until))]);
    }
}

#[test]
fn a_ruling_moves_a_deadline() {
    let (_folder, mut office) = timed(AtFlag::Remind);
    order(&mut office, 0, "bid 1");
    office.environment().advance(3 * DAY);
    assert_eq!(office.tick(GAME).unwrap(), ticked(0, 2, 0));
    empty_outbox(&office);
    let before = journal(&office);
    let cases = [
        ("A", "2026-11-30T12:00:00Z", "why not", "does not wait for seat A"),
        ("B", "2026-11-20T12:00:00Z", "why not", "is in the past"),
        ("B", "next week", "why not", "is not a time"),
        ("B", "2027-11-30T12:00:00Z", "why not", "is more than 365 days ahead"),
        ("D", "2026-11-30T12:00:00Z", "why not", "there is no seat D"),
        ("B", "2026-11-30T12:00:00Z", " ", "a ruling is one line"),
    ];
    for (seat, until, text, why) in cases {
        let effect = json!({ "deadline": { "seat": seat, "until": until } });
        let told = office.directing(GAME).rule(&ruling(text, effect)).unwrap_err().to_string();
        assert!(told.contains(why), "{told}");
    }
    // Deadlines belong to the office, coins to the game: one ruling cannot change both, nor one of
    // them in part.
    let until = "2026-11-30T12:00:00Z";
    for (effect, why) in [
        (
            json!({ "deadline": { "seat": "B", "until": until }, "coins": { "seat": "B", "coins": 3 } }),
            "not both; give two rulings",
        ),
        (json!({ "deadline": { "seat": "B" } }), "missing field `until`"),
        (json!({ "deadline": { "seat": "B", "until": until, "coins": 3 } }), "unknown field `coins`"),
        (json!({ "deadline": until }), "a deadline needs \"seat\" and \"until\""),
    ] {
        let told = office.directing(GAME).rule(&ruling("why not", effect)).unwrap_err().to_string();
        assert!(told.contains(why), "{told}");
    }
    assert_eq!(journal(&office), before);
    let effect = json!({ "deadline": { "seat": "b", "until": "2026-11-30T13:00:00+01:00" } });
    let ruled = office.directing(GAME).rule(&ruling("Ben is ill", effect)).unwrap();
    let said = ["The host rules: Ben is ill.", "The deadline of Ben (B) is Mon 30 Nov 2026, 12:00 UTC now."];
    assert_eq!(ruled.told, said);
    assert_eq!(deadlines(&mut office, 1), [Deadline::Until(on("2026-11-30T12:00:00Z"))]);
    assert_eq!(deadlines(&mut office, 2), [Deadline::Expired(on("2026-11-23T18:30:00Z"))]);
    assert!(journal(&office).contains(r#""effect":{"deadline":{"seat":"B","until":"2026-11-30T12:00:00Z"}}"#));
    assert_eq!(outbox(&office).len(), 3);
    let letter = words(&take_mail(&office, ".C."));
    assert!(letter.contains("Ben's deadline is Mon 30 Nov 2026, 12:00 UTC now: Ben is ill"), "{letter}");
    // From Monday the 23rd, 18:30, that is 161.5 hours; half of them is over after 80 hours and 45
    // minutes.
    office.environment().advance(80 * HOUR + 45 * 60 - 1);
    assert_eq!(office.tick(GAME).unwrap(), Ticked::default());
    office.environment().advance(1);
    assert_eq!(office.tick(GAME).unwrap(), ticked(1, 0, 0));
    office.environment().advance(80 * HOUR + 45 * 60);
    assert_eq!(office.tick(GAME).unwrap(), ticked(0, 1, 0));
    // The clock understands such a ruling, so nothing is left unproved.
    let report = verify(&Source::from(office.host().journal(GAME).as_path()), &catalog(), |_| ()).unwrap();
    assert!(report.contradictions.is_empty() && !report.to_string().contains("rulings with an effect"), "{report}");
}

/// Days and hours are in the host's time zone, because the host names them.
#[test]
fn a_deadline_is_named_as_people_name_one() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("postrider.toml"), "time_zone = \"America/Denver\"\n").unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&NewGame { clock: Some(Terms::new("72h").unwrap()), ..table() }).unwrap();
    for (until, is) in [
        ("2026-12-01", "2026-12-02T06:59:00Z"),
        ("2026-12-01 18:00", "2026-12-02T01:00:00Z"),
        ("Monday", "2026-11-24T06:59:00Z"),
        ("Saturday 9:30", "2026-11-21T16:30:00Z"),
        ("36h", "2026-11-22T06:30:00Z"),
    ] {
        let effect = json!({ "deadline": { "seat": "B", "until": until } });
        office.directing(GAME).rule(&ruling("Ben is ill", effect)).unwrap();
        assert_eq!(deadlines(&mut office, 1), [Deadline::Until(on(is))], "{until}");
        assert!(journal(&office).contains(&format!(r#""until":"{is}""#)), "{until}");
    }
    for (until, why) in [
        ("2026-11-19", "2026-11-20 06:59 UTC is in the past"),
        ("2028-01-01", "more than 365 days ahead"),
        ("soon", "write a day"),
    ] {
        let effect = json!({ "deadline": { "seat": "B", "until": until } });
        let told = office.directing(GAME).rule(&ruling("Ben is ill", effect)).unwrap_err().to_string();
        assert!(told.contains(why), "{told}");
    }
}

#[test]
fn a_rewind_asks_anew() {
    let (_folder, mut office) = timed(AtFlag::Remind);
    office.environment().advance(3 * DAY);
    assert_eq!(office.tick(GAME).unwrap(), ticked(0, 3, 0));
    for (seat, text) in [(0, "bid 1"), (1, "bid 5"), (2, "bid 0"), (1, "give carl")] {
        order(&mut office, seat, text);
    }
    office.directing(GAME).pause(true).unwrap();
    office.environment().advance(2 * DAY);
    let to = "turn 1, round 1".parse().unwrap();
    office
        .directing(GAME)
        .rewind(&RewindGame { to, by: "host".into(), reason: "why not".into(), dry_run: false })
        .unwrap();
    // Five days after the first letters. The expired deadlines and the pause are undone.
    for seat in 0..3 {
        assert_eq!(deadlines(&mut office, seat), [Deadline::Until(on("2026-11-28T18:30:00Z"))]);
    }
    office.environment().advance(3 * DAY);
    assert_eq!(office.tick(GAME).unwrap(), ticked(0, 3, 0));
    proved(&office);
}

#[test]
fn taking_back_wins_no_time() {
    let (_folder, mut office) = timed(AtFlag::Remind);
    office.environment().advance(DAY);
    order(&mut office, 0, "bid 1");
    order(&mut office, 0, "back");
    assert_eq!(deadlines(&mut office, 0), [Deadline::Until(on("2026-11-23T18:30:00Z"))]);
    // Taking back an order does not end a pause either.
    order(&mut office, 0, "bid 1");
    let waiting = office.tick(GAME).unwrap();
    assert_eq!(waiting, Ticked::default());
    proved(&office);
}

#[test]
fn there_are_no_deadlines_unless_the_host_wants_them() {
    let (_folder, mut office) = begun();
    assert!(journal(&office).contains(r#""clock":{}"#));
    office.environment().advance(300 * DAY);
    assert_eq!(office.tick(GAME).unwrap(), Ticked::default());
    assert_eq!(deadlines(&mut office, 0), []);
    assert!(office.directing(GAME).pause(true).unwrap_err().to_string().contains("has no deadlines"));
    for invalid in [r#"{"days":3}"#, r#"{"answer":1}"#] {
        assert!(Deadlines::of(invalid).is_none(), "{invalid}");
        let mut first: Value = serde_json::from_str(journal(&office).lines().next().unwrap()).unwrap();
        first["body"]["clock"] = serde_json::from_str(invalid).unwrap();
        let forged = rehashed(&[first]);
        let report = verify(&Source::from(forged.as_bytes()), &catalog(), |_| ()).unwrap();
        assert!(report.to_string().contains(&format!("no terms of time: {invalid}")), "{report}");
    }
}

#[test]
fn a_clock_line_names_an_open_question() {
    let (_folder, mut office) = timed(AtFlag::Remind);
    order(&mut office, 0, "bid 1");
    let live = office.open_game(GAME).unwrap();
    let (head, open) = (live.head.clone(), live.dyn_game.as_ref().unwrap().next_prompt() - 1);
    let before = journal(&office);
    // The host's secrets are needed, because the deck of this Turn is not revealed yet.
    let secrets = chains(&office);
    let replayed = |prompt: PromptId, seat: &str| {
        let clock = Clock { prompt: u64::from(prompt), seat: seat.to_owned().into(), event: ClockEvent::Expired };
        let line = Writer::after(&head).line("2026-11-21T18:30:00Z", &Body::Clock(clock)).unwrap();
        let source = Source::from(format!("{before}{line}").as_bytes());
        rebuild(&source, &catalog(), secrets.clone(), None, Watch::NONE).map(drop).map_err(|why| why.to_string())
    };
    // Carl was asked last; times are not judged.
    assert_eq!(replayed(open, "C"), Ok(()));
    for (prompt, seat) in [(open, "A"), (open + 1, "C")] {
        let why = replayed(prompt, seat).unwrap_err();
        assert!(why.contains(&format!("question {prompt} of seat {seat}, which is not open")), "{why}");
    }
}

#[test]
fn held_deadlines_pass_when_they_are_held_no_more() {
    let (_folder, mut office) = timed(AtFlag::Forfeit(0));
    office.environment().advance(36 * HOUR);
    let held = Held::Seats([Seat(0)].into()).and(Held::Nobody).and(Held::Seats([Seat(2)].into()));
    let seen = office.tick_due(GAME, &held).unwrap();
    assert_eq!((seen.ticked, seen.waits), (ticked(3, 0, 0), false), "players are reminded all the same");
    office.environment().advance(36 * HOUR);
    let seen = office.tick_due(GAME, &held).unwrap();
    assert_eq!((seen.ticked.expired, seen.ticked.forfeited, seen.waits), (1, 1, true));
    let seen = office.tick_due(GAME, &held.and(Held::All)).unwrap();
    assert_eq!((seen.ticked, seen.waits), (Ticked::default(), true));
    let seen = office.tick_due(GAME, &Held::Nobody).unwrap();
    assert!(seen.ticked.expired > 0 && seen.ticked.forfeited > 0 && !seen.waits, "{seen:?}");
    proved(&office);
}
