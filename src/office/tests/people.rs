//! Tests of data about people, of players' hours, and of games that are not finished. The game
//! opens on Friday, 20 November 2026, at 18:30 UTC.

use super::{
    by_mail::{answer, begun, body, office_in, outbox, table, take_mail},
    needed::*,
};
use crate::game::seats;
use chrono::{DateTime, Utc};
use postrider_store::{HandedOver, SenderCheck};
use postrider_table::Seat;
use tempfile::TempDir;

const GAME: &str = "lone-pine";
const HOUR: i64 = 3_600;

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn said(office: &mut Office, seat: u8, text: &str) -> String {
    one_line(&office.order(GAME, Seat(seat), text).unwrap().0)
}

fn timed(time: &str) -> (TempDir, Office) {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    let clock = Some(Terms::new(time).unwrap());
    office.new_game(&NewGame { clock, ..table() }).unwrap();
    (folder, office)
}

fn journal(office: &Office) -> String {
    std::fs::read_to_string(office.host().journal(GAME)).unwrap()
}

pub(super) fn proved(office: &Office) {
    let path = office.host().journal(GAME);
    let report = verify(&Source::from(path.as_path()), &super::by_mail::catalog(), |_| ()).unwrap();
    assert!(report.status != 1, "{report}");
    let (status, told) = independent_check(&path);
    assert_ne!(status, Some(1), "{told}");
}

fn files_with(office: &Office, text: &str) -> Vec<String> {
    let mut open = vec![office.host().root().to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if String::from_utf8_lossy(&std::fs::read(&path).unwrap()).contains(text) {
                found.push(path.display().to_string());
            }
        }
    }
    found
}

#[test]
fn reminders_come_and_deadlines_pass_in_a_players_hours() {
    let (_folder, mut office) = timed("24h");
    // In Denver it is 11:30. The deadline would be tomorrow at 11:30, and the reminder tonight at
    // 23:30.
    let told = said(&mut office, 1, "hours 14 to 22");
    assert!(told.contains("Your hours are 14:00 to 22:00 (America/Denver)"), "{told}");
    said(&mut office, 0, "bid 1");
    said(&mut office, 2, "bid 1");
    take_mail(&office, "lone-pine.B.");
    office.resend(GAME, Seat(1)).unwrap();
    let told = one_line(body(&take_mail(&office, "lone-pine.B.")));
    assert!(told.contains("Answer by Sat 21 Nov 2026, 22:00 UTC (Sat 21 Nov 2026, 15:00"), "{told}");
    let on = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
    let due = |office: &Office| office.store().listed().unwrap()[0].status.as_ref().unwrap().due.unwrap();
    assert_eq!(due(&office), on("2026-11-21T22:00:00Z").timestamp(), "a reminder would come too late");
    office.environment().advance(26 * HOUR);
    assert_eq!(office.tick(GAME).unwrap(), Ticked::default(), "it is 13:30 there");
    office.environment().advance(HOUR);
    assert_eq!(office.tick(GAME).unwrap().reminded, 0, "what has passed by the clock alone is not reminded of");
    assert_eq!(due(&office), on("2026-11-21T22:00:00Z").timestamp());
    office.environment().advance(HOUR);
    assert_eq!(office.tick(GAME).unwrap().expired, 1);
    proved(&office);
    // Too few hours would stop a game.
    let told = said(&mut office, 1, "hours 8 to 12");
    assert!(told.contains("6 is the least"), "{told}");
    assert!(said(&mut office, 1, "hours off").contains("at any hour"));
}

#[test]
fn a_player_has_what_happens_collected_for_the_morning() {
    let (_folder, mut office) = begun();
    let to_anna = |office: &Office| outbox(office).iter().filter(|(name, _)| name.starts_with("lone-pine.A.")).count();
    let told = said(&mut office, 0, "digest daily");
    assert!(told.contains("you are written to once a day, in the morning"), "{told}");
    said(&mut office, 0, "bid 1");
    let before = to_anna(&office);
    said(&mut office, 1, "tell anna: good morning");
    said(&mut office, 1, "bid 0");
    assert_eq!(to_anna(&office), before, "nothing is asked of her");
    let due = office.store().listed().unwrap()[0].status.as_ref().unwrap().due.unwrap();
    let seven: DateTime<Utc> = "2026-11-21T07:00:00Z".parse().unwrap();
    assert_eq!(due, seven.timestamp());
    office.environment().advance(12 * HOUR);
    office.tick(GAME).unwrap();
    assert_eq!(to_anna(&office), before, "it is 6:30");
    office.environment().advance(HOUR);
    office.tick(GAME).unwrap();
    assert_eq!(to_anna(&office), before + 1);
    let told = outbox(&office).into_iter().map(|(_, raw)| one_line(&raw));
    let told = told.filter(|told| told.contains("To: Anna")).find(|told| told.contains("good morning")).unwrap();
    assert!(told.contains("Anna, nothing is asked of you now"), "{told}");
    office.environment().advance(24 * HOUR);
    office.tick(GAME).unwrap();
    assert_eq!(to_anna(&office), before + 1, "nothing has happened since");
    said(&mut office, 2, "bid 0");
    assert_eq!(to_anna(&office), before + 2, "she has won, and is asked at once");
    let told = said(&mut office, 0, "digest off");
    assert!(!told.contains("When nothing is asked"), "{told}");
    let told = said(&mut office, 0, "digest round");
    assert!(told.contains("whenever a Round begins"), "{told}");
}

#[test]
fn a_reminder_waits_for_the_morning() {
    let (_folder, mut office) = timed("72h");
    said(&mut office, 1, "hours 14 to 22");
    said(&mut office, 0, "bid 1");
    said(&mut office, 2, "bid 1");
    // Half of the time is over on Sunday at 06:30 UTC, at night in Denver; there the hours begin at
    // 21:00 UTC.
    for (hours, reminded) in [(36, 0), (14, 0), (1, 1)] {
        office.environment().advance(hours * HOUR);
        assert_eq!(office.tick(GAME).unwrap().reminded, reminded, "after {hours} hours");
    }
}

#[test]
fn all_that_is_kept_of_a_player_is_handed_to_him_and_to_nobody_else() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    office.receive(answer("ben@example.net", &letter, "bid 2\ntell anna: hello there").as_bytes()).unwrap();
    office.receive(answer("ben@example.net", &letter, "my data").as_bytes()).unwrap();
    let all: Vec<String> =
        outbox(&office).into_iter().map(|(_, raw)| raw).filter(|raw| raw.contains("my-data.json")).collect();
    let [mail] = &all[..] else { panic!("{}", all.len()) };
    assert!(mail.contains("To: Ben <ben@example.net>"), "{mail}");
    let data = office.terminal(GAME).data_of(Seat(1)).unwrap();
    assert_eq!((data["name"].as_str(), data["addresses"][0].as_str()), (Some("Ben"), Some("ben@example.net")));
    assert_eq!(data["messages"][0]["text"], "hello there");
    assert!(data["mails_from_you"][0]["mail"].as_str().unwrap().contains("bid 2"));
    assert!(!data["letters_to_you"].as_array().unwrap().is_empty());
    assert!(!data.to_string().contains("carl@example.net"));
    assert!(office.terminal(GAME).data_of(Seat(7)).is_err());
}

#[test]
fn a_player_is_forgotten_and_the_journal_stays_whole() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    office.receive(answer("ben@example.net", &letter, "bid 2\ntell anna: hello there").as_bytes()).unwrap();
    office.receive(b"From: ben@example.net\nTo: postrider@localhost\nMessage-ID: <z@x>\n\nhello?\n").unwrap();
    assert!(office.forget_seat(GAME, Seat(1)).unwrap_err().to_string().contains("still in play"));
    // He leaves, and Dora takes over the seat: only his data is deleted.
    office.directing(GAME).reseat(Seat(1), &"Dora <dora@example.net>".parse().unwrap(), false).unwrap();
    // Letters to others remain theirs; here they were handed over and collected.
    office
        .store()
        .hand_over(&mut |row| if row.unique.contains(".B.") { HandedOver::Later } else { HandedOver::Taken })
        .unwrap();
    for (name, raw) in outbox(&office) {
        assert!(raw.contains("ben@example.net") || raw.contains("dora@example.net"), "{name}");
    }
    let before = journal(&office);
    let done = office.forget_seat(GAME, Seat(1)).unwrap();
    assert!(done.letters > 0 && done.mails > 0, "{done:?}");
    assert_eq!((done.people, done.messages), (1, 1));
    assert_eq!(journal(&office), before, "nothing of the journal changes");
    assert_eq!(files_with(&office, "ben@example.net"), [""; 0]);
    assert_eq!(office.store().games_of("ben@example.net").unwrap(), [""; 0]);
    assert_eq!(office.store().games_of("dora@example.net").unwrap(), [GAME]);
    proved(&office);
    assert!(office.forget_seat(GAME, Seat(1)).is_err(), "Dora plays on");
    // The game continues.
    said(&mut office, 0, "bid 1");
    said(&mut office, 2, "bid 1");
    assert!(office.terminal(GAME).called(Seat(1)).unwrap().contains("Dora"));
    // After the end of the game her data can be deleted too.
    office.directing(GAME).abandon("host", "all have left").unwrap();
    office.forget_seat(GAME, Seat(1)).unwrap();
    assert_eq!(files_with(&office, "dora@example.net"), [""; 0]);
    assert!(office.forget_seat(GAME, Seat(1)).unwrap_err().to_string().contains("nothing is stored"));
    office.open_game(GAME).unwrap();
    proved(&office);
}

#[test]
fn an_invitation_that_nobody_has_answered_is_corrected() {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&NewGame { join_all: false, ..table() }).unwrap();
    let old = take_mail(&office, "lone-pine.B.");
    let carl = take_mail(&office, "lone-pine.C.");
    office.receive(answer("carl@example.net", &carl, "join").as_bytes()).unwrap();
    office.directing(GAME).reseat(Seat(1), &"Ben <ben@right.example>".parse().unwrap(), false).unwrap();
    let invitation = take_mail(&office, "lone-pine.B.invitation");
    assert!(invitation.contains("ben@right.example"), "{invitation}");
    // Someone who has the first invitation cannot take the seat.
    let processed = office.receive(answer("ben@example.net", &old, "join").as_bytes()).unwrap();
    for how in ["via", "words"] {
        assert!(!journal(&office).contains(&format!("\"seat\":\"B\",\"{how}\"")), "{processed:?}");
    }
    office.receive(answer("ben@right.example", &invitation, "join").as_bytes()).unwrap();
    let anna = take_mail(&office, "lone-pine.A.");
    office.receive(answer("anna@example.net", &anna, "join").as_bytes()).unwrap();
    assert!(office.open_game(GAME).unwrap().started.is_some());
    proved(&office);
}

#[test]
fn an_abandoned_game_is_over_for_everybody_until_it_is_reopened() {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&NewGame { join_all: false, ..table() }).unwrap();
    let invited = take_mail(&office, "lone-pine.A.");
    office.directing(GAME).abandon("host", "Carl never answered").unwrap();
    assert!(journal(&office).contains("\"reason\":\"Carl never answered\""));
    let told = take_mail(&office, "lone-pine.A.");
    assert!(body(&told).starts_with("Anna, this game is abandoned: Carl never answered."), "{told}");
    drop(office);
    let mut office = office_in(folder.path());
    let letters = outbox(&office).len();
    office.tick(GAME).unwrap();
    assert_eq!(outbox(&office).len(), letters, "all have been told");
    // A late answer does nothing and is answered accordingly.
    office.receive(answer("anna@example.net", &invited, "join").as_bytes()).unwrap();
    assert!(!journal(&office).contains("\"kind\":\"joined\""));
    assert!(office.directing(GAME).abandon("host", "again").is_err());
    assert!(office.store().listed().unwrap()[0].status.as_ref().unwrap().closed);
    proved(&office);
    // A game in progress has no more questions either.
    let (_folder, mut office) = timed("24h");
    office.directing(GAME).abandon("host", "two have left").unwrap();
    office.environment().advance(72 * HOUR);
    assert_eq!(office.due().unwrap(), [""; 0]);
    assert!(said(&mut office, 0, "bid 1").contains("The game is abandoned"));
    proved(&office);
    office.directing(GAME).reopen("host", "they are back").unwrap();
    let rewound =
        |(_, mail): &(String, String)| mail.contains("Anna, the game was rewound, and one thing is asked of you");
    assert!(outbox(&office).iter().any(rewound));
    assert!(office.directing(GAME).reopen("host", "again").unwrap_err().to_string().contains("nothing to reopen"));
    proved(&office);
}

#[test]
fn words_for_luck_may_stand_on_the_line_below() {
    for (text, luck) in [
        ("join luck seven horses", Some("seven horses")),
        ("join luck\nseven horses", Some("seven horses")),
        ("join luck\n\nseven horses\n\nBest,\nBen", Some("seven horses")),
        ("join\nmy words for luck: seven horses", Some("seven horses")),
        ("join\nseven horses", Some("seven horses")),
        // An unclear phrase is asked about.
        ("join\nseven horses\nsee you in Denver on the 5th floor", None),
        ("join luck\nis it a long game?", None),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut office = office_in(folder.path());
        office.new_game(&NewGame { join_all: false, ..table() }).unwrap();
        let letter = take_mail(&office, ".B.");
        office.receive(answer("ben@example.net", &letter, text).as_bytes()).unwrap();
        let journal = std::fs::read_to_string(office.host().journal(GAME)).unwrap();
        let joined = journal.lines().find(|line| line.contains("\"kind\":\"joined\""));
        let said = joined.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let said = said.map(|line| line["body"]["luck"].as_str().unwrap().to_owned());
        assert_eq!(said.as_deref(), luck, "{text}");
    }
}

#[test]
fn who_has_joined_may_decline_and_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&NewGame { join_all: false, ..table() }).unwrap();
    let letters = [".A.", ".B.", ".C."].map(|seat| take_mail(&office, seat));
    let mut says = |seat: usize, text: &str| {
        let (name, letter) = ([("anna", ".A."), ("ben", ".B."), ("carl", ".C.")][seat], &letters[seat]);
        office.receive(answer(&format!("{}@example.net", name.0), letter, text).as_bytes()).unwrap();
        body(&take_mail(&office, &format!("{}re", name.1))).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(says(1, "join luck red\nno thanks").contains("Your mail answers this question in two ways"));
    says(1, "join luck red");
    assert!(says(1, "no thanks").contains("You have declined"));
    says(0, "join luck blue");
    let told = says(2, "join luck green");
    assert!(told.contains("You have joined. Ben (B) has declined") && !told.contains("the game begins"), "{told}");
    assert!(says(1, "join").contains("You take part again."));
    assert!(office.open_game(GAME).unwrap().started.is_some());
}

#[test]
fn the_host_is_told_once_a_day_what_did_not_arrive() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("postrider.toml"), "host_mail = \"host@example.net\"\n").unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&table()).unwrap();
    assert!(!office.tell_host().unwrap(), "nothing is wrong");
    let mut take = |row: &postrider_store::OutboxRow| match row.unique.contains(".B.") {
        true => HandedOver::Never("550 no such user".to_owned()),
        false => HandedOver::Taken,
    };
    office.store().hand_over(&mut take).unwrap();
    assert!(office.tell_host().unwrap());
    let notices = |office: &Office| {
        let all = outbox(office).into_iter().filter(|(name, _)| name.starts_with("_notice"));
        all.map(|(_, raw)| super::by_mail::unfolded(&raw)).collect::<Vec<_>>()
    };
    let [told] = &notices(&office)[..] else { panic!("{:?}", notices(&office)) };
    assert_eq!(super::by_mail::field(told, "To").trim(), "host@example.net");
    assert!(super::by_mail::field(told, "Subject").contains("1 letter did not arrive"), "{told}");
    assert!(body(told).contains("550 no such user") && body(told).contains("postrider resend"), "{told}");
    assert!(!office.tell_host().unwrap());
    office.environment().advance(25 * HOUR);
    assert!(!office.tell_host().unwrap(), "he knows it");
    office.store().poison(b"From: x\n\nx\n", "it breaks the rules").unwrap();
    assert!(office.tell_host().unwrap());
    assert!(notices(&office).iter().any(|told| one_line(body(told)).contains("it breaks the rules")));
}

#[test]
fn what_is_asked_of_signatures_is_settled_for_a_seat() {
    let (_folder, mut office) = begun();
    office.directing(GAME).check_senders(Seat(1), SenderCheck::Required).unwrap();
    let check =
        |office: &mut Office| office.look(GAME, |services, tx| Ok(seats::sender_check(tx, services, Seat(1)))).unwrap();
    assert_eq!(check(&mut office), SenderCheck::Required);
    office.directing(GAME).check_senders(Seat(1), SenderCheck::Off).unwrap();
    assert_eq!(check(&mut office), SenderCheck::Off);
    assert!(office.directing(GAME).check_senders(Seat(9), SenderCheck::Off).is_err());
}

#[test]
fn an_invitation_is_declined() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("postrider.toml"), "host_mail = \"host@example.net\"\n").unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&NewGame { join_all: false, ..table() }).unwrap();
    let [anna, ben, carl] = ["A", "B", "C"].map(|seat| take_mail(&office, &format!("lone-pine.{seat}.")));
    assert!(body(&anna).contains("Answer `join luck` and any words of your own"), "{anna}");
    office.receive(answer("anna@example.net", &anna, "join luck seven owls").as_bytes()).unwrap();
    let told = take_mail(&office, ".A.re");
    assert!(!told.contains("Nobody has given a luck phrase"), "{told}");
    office.receive(answer("carl@example.net", &carl, "No thanks.").as_bytes()).unwrap();
    assert!(one_line(body(&take_mail(&office, ".C.re"))).contains("You have declined, and the others are told."));
    let to_host = take_mail(&office, ".host.");
    assert!(to_host.contains("declines the invitation."), "{to_host}");
    let to_anna = take_mail(&office, "lone-pine.A.");
    assert!(one_line(body(&to_anna)).contains("Carl (C) to all (entry "), "{to_anna}");
    // Carl gets nothing more, and the game does not begin without another player.
    office.receive(answer("ben@example.net", &ben, "join").as_bytes()).unwrap();
    let told = one_line(body(&take_mail(&office, ".B.re")));
    assert!(!told.contains("Nobody has given a luck phrase") && told.contains("Carl (C) has declined"), "{told}");
    office.tick(GAME).unwrap();
    assert!(outbox(&office).iter().all(|(name, _)| !name.contains(".C.")), "{:?}", outbox(&office).len());
    // He changes his mind.
    office.receive(answer("carl@example.net", &carl, "join luck a grey horse").as_bytes()).unwrap();
    assert!(office.open_game(GAME).unwrap().started.is_some());
    proved(&office);
}

#[test]
fn standing_orders_end_with_their_player_but_not_with_an_address() {
    let (_folder, mut office) = begun();
    said(&mut office, 1, "standing bid always: 3");
    let by_standing = |office: &Office| journal(office).matches(r#""via":"standing""#).count();
    assert_eq!(by_standing(&office), 1);
    office.directing(GAME).reseat(Seat(1), &"Ben <ben@new.example>".parse().unwrap(), false).unwrap();
    let standing = |office: &mut Office| office.change(GAME, |_, tx| Ok(tx.all_standing(Seat(1)).len())).unwrap();
    assert_eq!(standing(&mut office), 1);
    office.directing(GAME).reseat(Seat(1), &"Dora <dora@example.net>".parse().unwrap(), false).unwrap();
    assert_eq!(standing(&mut office), 0);
    for (seat, text) in [(0, "bid 4"), (2, "bid 1"), (0, "give dora")] {
        said(&mut office, seat, text);
    }
    assert_eq!(by_standing(&office), 1);
    assert!(office.terminal(GAME).glance().unwrap().awaited.contains(&Seat(1)));
    proved(&office);
}

#[test]
fn everyday_words_are_understood() {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&table()).unwrap();
    let other = NewGame { id: Some("red-rock".into()), ..table() };
    office.new_game(&other).unwrap();
    assert!(said(&mut office, 0, "bid 1").contains("done"));
    let games = said(&mut office, 0, "games");
    assert!(games.contains("lone-pine: Turn 1, Round 1") && games.contains("red-rock: Turn 1, Round 1"), "{games}");
    assert!(games.contains("waits for Ben (B) and Carl (C)"), "{games}");
    for (seat, text) in [(1, "bid 5"), (2, "bid 0"), (1, "give carl")] {
        said(&mut office, seat, text);
    }
    let log = said(&mut office, 0, "log");
    assert!(log.contains("Ben"), "{log}");
    let short = said(&mut office, 0, "log 1");
    assert!(short.len() < log.len(), "{short}");
    for (words, says) in [
        ("undo", "cannot be taken back"),
        ("draw?", "`propose draw`"),
        ("extend please", "This game has no deadlines"),
        ("I need more time", "This game has no deadlines"),
        ("go back", "`propose back to turn 1 round 2`"),
        ("quit", "`concede` gives up the game"),
        ("unsubscribe", "`concede` gives it up"),
        ("who is winning?", "Reply `status`"),
        ("whose turn is it?", "Reply `status`"),
        ("rematch", "The game is not over."),
        ("note", "`note: WORDS`"),
        ("propose peace", "cannot be proposed"),
        ("skip my turn", "What is asked of you has no such answer"),
        ("who is late?", "Reply `status`"),
        ("what happens if I am late?", "This game has no deadlines"),
        ("I claim victory", "This game has no deadlines"),
        ("timeout", "This game has no deadlines"),
        ("never mind", "`undo` takes your last order back"),
        ("please remove me", "`concede` gives up the game"),
        ("who directs this game?", "Nobody directs this game; its host decides."),
        ("agree", "No proposal awaits your answer"),
        ("vote yes", "No proposal awaits your answer"),
        ("I abstain", "No proposal awaits your answer"),
        ("hello?", "it says whom the game waits for"),
        ("who are the players?", "it names the players"),
        ("preview\nundo", "A command, which is not carried out: this is a preview."),
    ] {
        let told = said(&mut office, 2, words);
        assert!(told.contains(says), "{words}: {told}");
    }
    for (subject, says) in [
        ("back", "`back` takes your last order back"),
        ("propose", "`propose draw` proposes a draw"),
        ("end", "`propose end: NAME wins`"),
        ("messages", "`messages later` delivers"),
        ("appeal", "`appeal: WORDS` asks"),
        ("digest", "`digest daily`"),
        ("deadline", "This game has no deadlines"),
        ("draw", "`propose draw`"),
        ("bid", "The highest bid wins the coin."),
    ] {
        let told = said(&mut office, 2, &format!("help {subject}"));
        assert!(told.contains(says), "{subject}: {told}");
    }
    assert!(said(&mut office, 0, "remind dora").contains("not a player of this game"));
    assert!(said(&mut office, 0, "remind ben").contains("Told Ben (B)."));
    assert!(
        outbox(&office)
            .iter()
            .any(|(name, mail)| name.contains("lone-pine.B.") && mail.contains("The game waits for you."))
    );
    said(&mut office, 1, "bid 2");
    assert!(said(&mut office, 0, "remind ben").contains("does not wait for Ben (B)"));
    office.directing(GAME).abandon("host", "it is late").unwrap();
    for (words, says) in [
        ("who won?", "it shows the result"),
        ("score", "it shows the result"),
        ("extend please", "It is no command, and the game is over."),
        ("decline", "The game is over."),
        ("play again", "`rematch` invites"),
    ] {
        let told = said(&mut office, 0, words);
        assert!(told.contains(says), "{words}: {told}");
    }
}

#[test]
fn the_host_is_told_of_declined_invitations_and_open_appeals() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("postrider.toml"), "host_mail = \"host@example.net\"\n").unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&table()).unwrap();
    let directors = vec!["Dora <dora@example.net>".parse().unwrap()];
    let other = NewGame { id: Some("second-pine".into()), join_all: false, directors, ..table() };
    office.new_game(&other).unwrap();
    let mut says = |game: &str, who: &str, text: &str| {
        let letter = take_mail(&office, &format!("{game}.{who}."));
        let name = ["anna", "ben", "carl"][usize::from(who.as_bytes()[0] - b'A')];
        office.receive(answer(&format!("{name}@example.net"), &letter, text).as_bytes()).unwrap();
    };
    says("second-pine", "C", "no thanks");
    says("lone-pine", "B", "appeal: Anna was late.");
    assert!(office.tell_host().unwrap());
    let (_, told) = outbox(&office).into_iter().find(|(name, _)| name.starts_with("_notice")).unwrap();
    let told = super::by_mail::unfolded(&told);
    let n = std::fs::read_to_string(office.host().journal("lone-pine")).unwrap().lines().count() - 1;
    assert!(told.contains("1 invitation was declined, 1 appeal is open"), "{told}");
    assert!(told.contains("second-pine: Carl (C)\n") && told.contains("`postrider reseat GAME --seat SEAT"), "{told}");
    assert!(told.contains(&format!("lone-pine, entry {n}: Ben (B)\n")), "{told}");
    // Once another player has the seat, and the appeal is decided, nothing is open.
    office.directing("second-pine").reseat(Seat(2), &"Emil <emil@example.net>".parse().unwrap(), false).unwrap();
    let ruling =
        RulingGiven { by: "host".into(), text: "no".into(), effect: serde_json::json!({}), of: Some(n as u64) };
    office.directing("lone-pine").rule(&ruling).unwrap();
    office.environment().advance(25 * HOUR);
    assert!(!office.tell_host().unwrap());
}

#[test]
fn a_rematch_exchanges_the_sides() {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    let clock = Some(Terms::new("2d").unwrap());
    office.new_game(&NewGame { clock, majority: true, ..table() }).unwrap();
    office.directing(GAME).abandon("host", "it is late").unwrap();
    let told = said(&mut office, 1, "rematch");
    assert!(told.contains("Everybody is invited to lone-pine-2, a rematch with the sides exchanged."), "{told}");
    let players = |office: &mut Office| -> Vec<String> {
        let read = |_: &mut crate::services::Services, game: &crate::game::Game| {
            Ok(game.seats.players.iter().map(|player| player.name.clone()).collect())
        };
        office.look("lone-pine-2", read).unwrap()
    };
    assert_eq!(players(&mut office), ["Carl", "Anna", "Ben"]);
    let invitation = take_mail(&office, "lone-pine-2.A.");
    assert!(super::by_mail::field(&invitation, "To").contains("carl@example.net"), "{invitation}");
    assert!(body(&invitation).contains("Carl, Ben invites you to a game of"), "{invitation}");
    let opened = |game: &str| {
        let journal = std::fs::read_to_string(folder.path().join(format!("journal/{game}.jsonl"))).unwrap();
        serde_json::from_str::<serde_json::Value>(journal.lines().next().unwrap()).unwrap()["body"].clone()
    };
    for member in ["ruleset", "scenario", "options", "clock", "consent"] {
        assert_eq!(opened("lone-pine-2")[member], opened(GAME)[member], "{member}");
    }
    assert_eq!(office.store().games().unwrap().len(), 2);
    let told = said(&mut office, 0, "rematch");
    assert!(told.contains("The rematch is the game lone-pine-2: see your invitation."), "{told}");
    assert_eq!(office.store().games().unwrap().len(), 2);
    // The next one counts on.
    office.directing("lone-pine-2").abandon("host", "it is late").unwrap();
    let letter = take_mail(&office, "lone-pine-2.B.");
    office.receive(answer("anna@example.net", &letter, "rematch").as_bytes()).unwrap();
    assert_eq!(office.store().games().unwrap(), ["lone-pine", "lone-pine-2", "lone-pine-3"]);
}

#[test]
fn notes_are_for_their_author_alone() {
    let (_folder, mut office) = begun();
    let mut says = |who: &str, text: &str| {
        let newest = |office: &Office| {
            let to = format!("{who}@example.net");
            super::by_mail::newest(office, |_, letter| super::by_mail::field(letter, "To").contains(&to)).unwrap()
        };
        let raw = answer(&format!("{who}@example.net"), &newest(&office), text);
        office.receive(raw.as_bytes()).unwrap();
        one_line(body(&newest(&office)))
    };
    assert!(says("anna", "bid 1\nnote: only if Ben bids high").contains("It may be about what your mail orders"));
    says("anna", "bid 1");
    let told = says("anna", "note: Ben bids high.");
    assert!(told.contains("Noted, for you alone") && told.contains("YOUR NOTES > Ben bids high."), "{told}");
    assert!(!says("ben", "bid 2").contains("bids high"));
    says("anna", "note: second\nnote: third");
    // The newest three are repeated.
    let told = says("anna", "status\nnote: fourth");
    assert!(told.contains("YOUR NOTES > second > third > fourth") && !told.contains("bids high"), "{told}");
    assert!(!says("carl", "bid 0").contains("fourth"));
    assert!(outbox(&office).iter().all(|(name, raw)| name.contains(".A.") || !raw.contains("fourth")));
}

/// Opens a game of Anna and Ben with an open seat.
fn with_an_open_seat() -> (TempDir, Office) {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    let mut new = NewGame { join_all: false, open_seats: 1, ..table() };
    new.players.truncate(2);
    office.new_game(&new).unwrap();
    (folder, office)
}

#[test]
fn an_open_seat_waits_seven_days_for_its_taker() {
    let (_folder, mut office) = with_an_open_seat();
    let mail = |who: &str, n: u8| {
        format!(
            "From: {who}@example.net\nTo: postrider@localhost\nSubject: x\nMessage-ID: <{n}@x.example>\n\njoin lone-pine\n"
        )
    };
    office.receive(mail("emil", 1).as_bytes()).unwrap();
    let invitation = take_mail(&office, "lone-pine.C.invitation");
    assert!(one_line(body(&invitation)).contains("Please answer within 7 days"), "{invitation}");
    // The same words in another mail bring the invitation again, and the days start again.
    office.environment().advance(6 * 24 * HOUR);
    office.receive(mail("emil", 2).as_bytes()).unwrap();
    assert!(body(&take_mail(&office, "lone-pine.C.invitation-")).contains("Emil"));
    let due = office.store().listed().unwrap()[0].status.as_ref().unwrap().due.unwrap();
    assert_eq!(due, office.environment().now().timestamp() + 7 * 24 * HOUR);
    office.environment().advance(7 * 24 * HOUR);
    office.tick(GAME).unwrap();
    let told = one_line(body(&take_mail(&office, "lone-pine.C.former.")));
    assert!(told.contains("Seat C of the game lone-pine is open again"), "{told}");
    office.tick(GAME).unwrap();
    assert!(outbox(&office).iter().all(|(name, _)| !name.contains(".former.")), "he is told once");
    office.receive(mail("fay", 3).as_bytes()).unwrap();
    assert!(body(&take_mail(&office, "lone-pine.C.invitation-")).contains("Fay"));
}

#[test]
fn who_loses_a_seat_is_told() {
    let (_folder, mut office) = begun();
    let to = |office: &Office| -> Vec<(String, String)> {
        let letters = outbox(office).into_iter().filter(|(name, _)| name.contains(".former."));
        letters
            .map(|(_, raw)| {
                (super::by_mail::field(&raw, "To").to_owned(), one_line(body(&super::by_mail::unfolded(&raw))))
            })
            .collect()
    };
    for (who, has) in
        [("Dora <dora@example.net>", "Dora"), ("bot:random", "the bot random"), ("Emil <emil@example.net>", "")]
    {
        let before = to(&office).len();
        office.directing(GAME).reseat(Seat(1), &who.parse().unwrap(), false).unwrap();
        office.resend(GAME, Seat(0)).unwrap();
        let told = to(&office);
        // A bot gets no letters.
        assert_eq!(told.len() - before, usize::from(!has.is_empty()), "{who}: {told:?}");
        let says = format!("From now on {has} has seat B of the game lone-pine, which was yours.");
        assert!(has.is_empty() || told.iter().any(|(_, text)| text.contains(&says)), "{told:?}");
    }
    let told = to(&office);
    assert!(told[0].0.contains("ben@") || told[1].0.contains("ben@"), "{told:?}");
    proved(&office);
}

#[test]
fn who_takes_a_seat_gets_no_name_that_looks_like_another() {
    let (_folder, mut office) = with_an_open_seat();
    let wants = "From: \"Ben\" <b.en@example.org>\nTo: postrider@localhost\nSubject: x\nMessage-ID: <1@x.example>\n\njoin lone-pine\n";
    office.receive(wants.as_bytes()).unwrap();
    let invitation = take_mail(&office, "lone-pine.C.");
    assert!(super::by_mail::field(&invitation, "To").contains("B.en 2"), "{invitation}");
}

#[test]
fn an_open_seat_is_taken_by_mail() {
    let (_folder, mut office) = with_an_open_seat();
    for (name, seat) in [("anna", "A"), ("ben", "B")] {
        let letter = take_mail(&office, &format!("lone-pine.{seat}."));
        assert!(body(&letter).contains("C  Open seat 1"), "{letter}");
        office.receive(answer(&format!("{name}@example.net"), &letter, "join luck owls").as_bytes()).unwrap();
    }
    office.new_game(&NewGame { id: Some("red-rock".into()), ..table() }).unwrap();
    let open = one_line(&office.order("red-rock", Seat(0), "games open").unwrap().0);
    assert!(open.contains("lone-pine: ") && open.contains("one open seat; `join lone-pine`"), "{open}");
    let mail = |who: &str, n: u8, text: &str| {
        format!("From: {who}@example.net\nTo: postrider@localhost\nSubject: x\nMessage-ID: <{n}@x.example>\n\n{text}\n")
    };
    // Somebody who plays, or an unknown game, or more words than that.
    for (who, text) in [("anna", "join lone-pine"), ("emil", "join red-rock"), ("emil", "bid 1\njoin lone-pine")] {
        office.receive(mail(who, 1, text).as_bytes()).unwrap();
        assert!(outbox(&office).iter().all(|(name, _)| !name.contains("lone-pine.C.")), "{who}: {text}");
    }
    let wants = mail("emil", 2, "Hello,\nJoin lone-pine.");
    let outcome = |office: &mut Office, raw: &str| office.receive(raw.as_bytes()).unwrap().outcome;
    assert_eq!(outcome(&mut office, &wants), Outcome::Answered { done: 1, total: 1 });
    assert_eq!(outcome(&mut office, &wants), Outcome::Again);
    assert!(office.open_game(GAME).unwrap().started.is_none());
    let invitation = take_mail(&office, "lone-pine.C.");
    assert!(super::by_mail::field(&invitation, "To").contains("Emil"), "{invitation}");
    assert_eq!(outbox(&office).iter().filter(|(_, raw)| raw.contains("To: Emil")).count(), 0, "he is invited once");
    // If its player declines, it is open again.
    office.receive(mail("gus", 4, "join lone-pine").as_bytes()).unwrap();
    assert!(take_mail(&office, "lone-pine.elsewhere").contains("To: gus@example.net"));
    office.receive(answer("emil@example.net", &invitation, "no thanks").as_bytes()).unwrap();
    let told = take_mail(&office, "lone-pine.C.former");
    assert!(one_line(body(&told)).contains("Seat C of the game lone-pine is open again"), "{told}");
    assert!(super::by_mail::field(&told, "To").contains("emil@example.net"), "{told}");
    office.receive(mail("emil", 5, "join lone-pine").as_bytes()).unwrap();
    let invitation = take_mail(&office, "lone-pine.C.");
    assert!(super::by_mail::field(&invitation, "To").contains("Emil"), "{invitation}");
    // The seat is no longer open.
    office.receive(mail("fay", 3, "join lone-pine").as_bytes()).unwrap();
    let told = take_mail(&office, "lone-pine.elsewhere");
    assert!(super::by_mail::field(&told, "To").contains("fay@example.net"), "{told}");
    assert!(one_line(body(&told)).contains("no seat of the game lone-pine is open now"), "{told}");
    let open = one_line(&office.order("red-rock", Seat(0), "games open").unwrap().0);
    assert!(open.contains("No game at this host has an open seat."), "{open}");
    office.receive(answer("emil@example.net", &invitation, "join luck grey owls").as_bytes()).unwrap();
    assert!(office.open_game(GAME).unwrap().started.is_some());
    proved(&office);
}
