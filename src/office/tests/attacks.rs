//! Attacks that were tried.

use super::{
    by_mail::{answer, begun, body, decisions, take_mail},
    needed::*,
};
use crate::carry_out::order::MOST_ORDERS_A_DAY;
use crate::transaction::rewinding;
use postrider_audit::{Deed, Grade, Sent, Whose};
use postrider_dice::Hash;
use postrider_journal::{Body, Decision, Head, Json, Line, Writer};
use postrider_replay::Source;
use postrider_table::Seat;
use std::path::Path;

const GAME: &str = "lone-pine";

fn order(office: &mut Office, seat: u8, text: &str) -> String {
    let told = office.order(GAME, Seat(seat), text).unwrap().0;
    told.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(super) fn play_on(office: &mut Office) {
    for _ in 0..40 {
        for seat in 0..3 {
            for text in ["bid 1", "bid 0", "give carl", "give ben"] {
                if office.terminal(GAME).glance().unwrap().awaited.contains(&Seat(seat)) {
                    order(office, seat, text);
                }
            }
        }
    }
}

#[test]
fn a_standing_order_that_no_line_can_hold_is_refused() {
    let (_folder, mut office) = begun();
    let before = std::fs::read(office.host().journal(GAME)).unwrap();
    let many = vec!["1"; 51].join("; ");
    let told = order(&mut office, 0, &format!("standing bid: {many}"));
    assert!(told.contains("50 orders at most"), "{told}");
    let long = "1".repeat(66_000);
    let told = order(&mut office, 0, &format!("standing bid: {long}"));
    assert!(told.contains("66014 characters") && told.contains("2000 at most"), "{told}");
    assert_eq!(std::fs::read(office.host().journal(GAME)).unwrap(), before, "nothing was done");
}

#[test]
fn a_mail_with_orders_beyond_measure_does_nothing() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    let many = vec!["bid 1"; 201].join("; ");
    for text in [format!("preview\n{many}"), many, vec!["bid 1"; 201].join("\n")] {
        let told = order(&mut office, 0, &text);
        assert!(told.contains("more than 200 orders") && told.contains("Nothing was done"), "{told}");
    }
    let long = format!("bid {}", "1".repeat(3_000));
    office.receive(answer("anna@example.net", &letter, &format!("bid 1\n\n{long}")).as_bytes()).unwrap();
    let told = take_mail(&office, ".A.re");
    assert!(body(&told).contains("Nothing was done: the line that begins"), "{told}");
    assert_eq!(decisions(&office), 0);
}

/// Not only orders count among a player's entries of a day.
#[test]
fn entries_of_a_day_are_limited() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    let write = |office: &mut Office, text: &str| {
        office.receive(answer("anna@example.net", &letter, text).as_bytes()).unwrap();
        body(&take_mail(office, ".A.re")).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let text = |mail: u32| (0..100).map(|n| format!("standing bid: {}; {mail}\n\n", n % 9 + 1)).collect::<String>();
    for mail in 0..3 {
        assert!(!write(&mut office, &text(mail)).contains("since midnight"));
    }
    let told = write(&mut office, &text(3));
    assert!(told.contains("You have given 300 orders since midnight (UTC)"), "{told}");
    let journal = std::fs::read_to_string(office.host().journal(GAME)).unwrap();
    assert_eq!(journal.matches("\"kind\":\"sealed\"").count(), MOST_ORDERS_A_DAY);
    office.environment().advance(86_400);
    assert!(!write(&mut office, "standing bid: 7; 3").contains("since midnight"));
}

/// A letter without a question permits only `back`. Orders after it count only if it reopens their
/// question.
#[test]
fn back_exempts_nothing_else_in_its_mail() {
    let (_folder, mut office) = begun();
    let first = take_mail(&office, "lone-pine.A.");
    office.receive(answer("anna@example.net", &first, "status").as_bytes()).unwrap();
    let status = take_mail(&office, ".A.re");
    office.receive(answer("anna@example.net", &status, "bid 4").as_bytes()).unwrap();
    let done = take_mail(&office, ".A.re");
    // Once her answer is taken back, the question is open to her again.
    office.receive(answer("anna@example.net", &done, "back\nbid 6").as_bytes()).unwrap();
    assert!(body(&take_mail(&office, ".A.re")).contains("done      bid 6"));
    // With a refused `back` nothing is done, not even what an old letter could not ask.
    for (seat, text) in [(1, "bid 5"), (2, "bid 0")] {
        order(&mut office, seat, text);
    }
    let before = decisions(&office);
    office.receive(answer("anna@example.net", &first, "back\ngive ben").as_bytes()).unwrap();
    let mail = take_mail(&office, ".A.re");
    let told = body(&mail);
    assert!(told.contains("understood: back") && told.contains("came after the\n      letter"), "{told}");
    assert_eq!(decisions(&office), before);
}

#[test]
fn an_order_is_not_taken_back_in_the_mail_that_gives_it() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    for text in ["bid 1\nback", "bid 1\nback\nbid 2"] {
        let raw = answer("anna@example.net", &letter, text);
        assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 0, total: 0 });
        assert_eq!(decisions(&office), 0, "{text}");
    }
    office.receive(answer("anna@example.net", &letter, "bid 1").as_bytes()).unwrap();
    let raw = answer("anna@example.net", &letter, "back\nbid 2");
    let taken = office.receive(raw.as_bytes()).unwrap();
    assert_eq!(taken.outcome, Outcome::Answered { done: 2, total: 2 });
    assert_eq!(decisions(&office), 2);
    let journal = std::fs::read_to_string(office.host().journal(GAME)).unwrap();
    assert_eq!(journal.matches("\"kind\":\"rewound\"").count(), 1);
    office.receive(raw.as_bytes()).unwrap();
    assert_eq!(std::fs::read_to_string(office.host().journal(GAME)).unwrap(), journal);
}

#[test]
fn an_order_to_a_game_that_cannot_be_opened_is_kept() {
    let (folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    let other = NewGame { id: Some("two-rivers".into()), ..super::by_mail::table() };
    office.new_game(&other).unwrap();
    let second = take_mail(&office, "two-rivers.A.");
    let journal = office.host().journal(GAME);
    let whole = std::fs::read(&journal).unwrap();
    let mut damaged = whole.clone();
    damaged[100] ^= 1;
    std::fs::write(&journal, &damaged).unwrap();
    office.close_games();
    let inbox = office.host().mail(MailFolder::In).unwrap();
    inbox.deliver("1", answer("anna@example.net", &letter, "bid 4").as_bytes()).unwrap();
    inbox.deliver("2", answer("anna@example.net", &second, "bid 3").as_bytes()).unwrap();
    let all = office.receive_all().unwrap();
    assert!(matches!(&all[0].outcome, Outcome::Kept { why, .. } if why.contains("line 1")), "{all:?}");
    assert_eq!(all[1].outcome, Outcome::Answered { done: 1, total: 1 });
    assert_eq!(inbox.list().unwrap().len(), 1);
    assert!(std::fs::read_dir(folder.path().join("mail/refused/new")).map_or(true, |mut files| files.next().is_none()));
    std::fs::write(&journal, &whole).unwrap();
    let all = office.receive_all().unwrap();
    assert_eq!(all[0].outcome, Outcome::Answered { done: 1, total: 1 });
    assert_eq!(inbox.list().unwrap().len(), 0);
}

#[test]
fn a_copy_of_a_mail_acts_once() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    let raw = answer("anna@example.net", &letter, "bid 1");
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 1, total: 1 });
    let copy = format!("Received: from elsewhere.example by mx.example; Fri, 20 Nov 2026 18:00:00 +0000\r\n{raw}");
    assert_eq!(office.receive(copy.as_bytes()).unwrap().outcome, Outcome::Again);
    let other = answer("anna@example.net", &letter, "back\nbid 2");
    let id = |mail: &str| mail.lines().find(|line| line.starts_with("Message-ID")).unwrap_or_default().to_owned();
    let other = other.replace(&id(&other), &id(&raw));
    assert_eq!(office.receive(other.as_bytes()).unwrap().outcome, Outcome::Answered { done: 2, total: 2 });
}

fn lines_of(office: &Office, kind: &str) -> Vec<serde_json::Value> {
    let journal = std::fs::read_to_string(office.host().journal(GAME)).unwrap();
    let lines = journal.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    lines.filter(|line| line["kind"] == kind).collect()
}

#[test]
fn orders_that_are_taken_back_change_no_die() {
    let (_folder, mut office) = begun();
    let before = office.change(GAME, |_, tx| Ok(tx.secrets.chains.len())).unwrap();
    for _ in 0..5 {
        order(&mut office, 0, "bid 4");
        assert!(order(&mut office, 0, "back").contains("is undone"));
    }
    let back = lines_of(&office, "rewound");
    assert_eq!(back.len(), 5);
    assert!(back.iter().all(|line| line["body"]["chains"] == serde_json::json!({})), "{back:?}");
    assert_eq!(office.change(GAME, |_, tx| Ok(tx.secrets.chains.len())).unwrap(), before);
    play_on(&mut office);
    assert!(office.terminal(GAME).glance().unwrap().over);
    let report = verify(&Source::from(office.host().journal(GAME).as_path()), &super::by_mail::catalog(), |_| ());
    assert_eq!(report.unwrap().status, 0);
}

#[test]
fn words_for_luck_are_shown_to_all_and_graded() {
    let (_folder, office) = begun();
    let joined = lines_of(&office, "joined");
    for line in &joined {
        assert_ne!(line["body"].get("via").is_some(), line["body"].get("mail").is_some(), "{line}");
    }
    let letter = take_mail(&office, "lone-pine.A.");
    let told = body(&letter).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("LUCK PHRASES."), "{told}");
    for line in &joined {
        let luck = line["body"]["luck"].as_str().unwrap();
        assert!(luck.is_empty() || told.contains(&format!("\"{luck}\"")), "{luck}: {told}");
    }
    let report = verify(&Source::from(office.host().journal(GAME).as_path()), &super::by_mail::catalog(), |_| ());
    let report = report.unwrap();
    let by_mail = joined.iter().any(|line| line["body"].get("mail").is_some() && line["body"]["luck"] != "");
    assert_eq!(report.claims[4].grade == Grade::OperatorsChoice, !by_mail, "{report}");
    assert!(!report.claims[2].notes.is_empty(), "{report}");
}

pub(super) fn python_says(journal: &std::path::Path, sent: Option<&std::path::Path>) -> (i32, String) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/checker.py");
    let mut python = std::process::Command::new("python3");
    python.arg(script).arg(journal);
    if let Some(sent) = sent {
        python.arg("--sent").arg(sent);
    }
    let out = python.output().expect("Python 3 is there");
    assert!(out.stderr.is_empty(), "{}", String::from_utf8_lossy(&out.stderr));
    (out.status.code().unwrap(), String::from_utf8_lossy(&out.stdout).into_owned())
}

#[test]
fn private_mails_are_neither_matched_nor_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let mut office = super::by_mail::office_in(folder.path());
    office.new_game(&NewGame { join_all: false, ..super::by_mail::table() }).unwrap();
    let mut letters = Vec::new();
    for (seat, who, luck) in [("A", "anna", "seven grey horses"), ("B", "ben", "rent"), ("C", "carl", "")] {
        let letter = take_mail(&office, &format!("lone-pine.{seat}."));
        let from = format!("{who}@example.net");
        office.receive(answer(&from, &letter, &format!("join luck: {luck}")).as_bytes()).unwrap();
        letters.push(letter);
    }
    let letter = take_mail(&office, "lone-pine.A.");
    let (join, order) = (
        answer("anna@example.net", &letters[0], "join luck: seven grey horses"),
        answer("anna@example.net", &letter, "bid 4"),
    );
    office.receive(order.as_bytes()).unwrap();
    let standing = answer("anna@example.net", &letter, "standing give: give ben");
    office.receive(standing.as_bytes()).unwrap();
    let sent = folder.path().join("sent");
    std::fs::create_dir(&sent).unwrap();
    let journal = office.host().journal(GAME);
    let private = "To: dora@example.net\nSubject: Re: [lone-pine] your letter\nMessage-ID: <p@x>";
    let id = |letter: &str| super::by_mail::field(letter, "Message-ID").to_owned();
    for (at, writer, answered, text) in [
        // The mail contains words of his luck phrase, and an order that another player left.
        (0, "anna", String::new(), "The RENT is 900, and give Ben my love.\nPIN 4711"),
        // The thread of a letter that was forwarded by the player or a friend.
        (1, "anna", format!("In-Reply-To: {}\n", id(&letters[1])), "bid 4\nPIN 4711"),
        (2, "dora", format!("References: {} <q@x>\n", id(&letter)), "rent\nPIN 4711"),
    ] {
        let mail = format!("From: {writer}@example.net\n{private}\n{answered}\n{text}\n");
        std::fs::write(sent.join(at.to_string()), mail).unwrap();
    }
    let judge =
        || (Sent::of(&Source::from(journal.as_path()), &sent, None).unwrap(), python_says(&journal, Some(&sent)).1);
    let (told, said) = judge();
    assert!(told.seats.is_empty() && told.quote.starts_with("NOT KNOWN"), "{told}");
    assert!(said.contains("none of these mails is surely to this game"), "{said}");
    // With the player's mails to the game in the folder, the report covers only that seat.
    std::fs::write(sent.join("4"), join).unwrap();
    std::fs::write(sent.join("5"), order).unwrap();
    // Ben's mail to the game does not make him Anna.
    std::fs::write(sent.join("6"), answer("anna@example.net", &letters[1], "join, says Ben")).unwrap();
    let (told, said) = judge();
    assert_eq!(told.seats, ["A"], "{told}");
    assert_eq!(told.mails.len(), 2, "{told}");
    for text in [&told.to_string(), &serde_json::to_string(&told).unwrap(), &said] {
        for word in ["4711", "RENT", "rent", "says Ben", "love"] {
            assert!(!text.contains(word), "{word}: {text}");
        }
    }
    let mine =
        |what: &str| told.entries.iter().any(|one| matches!(&one.whose, Whose::Mine { line, .. } if line == what));
    assert!(mine("join luck: seven grey horses") && mine("bid 4"), "{told}");
}

fn judged(journal: &Path, sent: &Path) -> Sent {
    let told = Sent::of(&Source::from(journal), sent, None).unwrap();
    let (code, said) = python_says(journal, Some(sent));
    for entry in &told.entries {
        let whose = match entry.whose {
            Whose::Mine { .. } => "mine, word for word",
            Whose::NotMine => "not mine",
            Whose::ByNoMail => "by no mail",
            Whose::OtherPlayer => "of another player of the seat",
            // The independent checker does not open standing orders.
            Whose::Standing { .. } | Whose::OtherWords { .. } | Whose::Sealed => continue,
        };
        if matches!(entry.what, Deed::Joined | Deed::StandingOrder { .. }) {
            continue;
        }
        assert!(said.contains(&format!("Sent: entry {} ({}): {whose}", entry.n, entry.seat)), "{told}\n{said}");
    }
    let orders = |line: &&str| !line.contains(", joining: ");
    let lines = |text: &str, what: &str| text.lines().filter(orders).filter(|line| line.contains(what)).count();
    for what in ["mine, but of no entry above", "none of them is surely", ": mine, word for word", "not mine"] {
        let what_python = what.replace("none of them", "none of these mails");
        assert_eq!(lines(&told.to_string(), what), lines(&said, &what_python), "{what}: {told}\n{said}");
    }
    let (right, _) = python_says(journal, None);
    assert_eq!(code, if right == 0 && !told.is_proved() { 2 } else { right }, "{said}");
    told
}

#[test]
fn sent_mails_tell_whose_words_an_order_is() {
    let (folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    let mine = answer("anna@example.net", &letter, "Hello!\nbid 4");
    office.receive(mine.as_bytes()).unwrap();
    let sent = folder.path().join("sent");
    std::fs::create_dir(&sent).unwrap();
    let journal = office.host().journal(GAME);
    let judge = || judged(&journal, &sent);
    assert!(judge().seats.is_empty() && !judge().is_proved());
    // The player's mail program has stored it with different headers.
    let copy = mine.replace("\r\n", "\n").replace("Subject: ", "X-Kept: yes\nSubject: ");
    assert_ne!(copy, mine);
    std::fs::write(sent.join("1"), copy).unwrap();
    let told = judge();
    assert!(told.is_proved(), "{told}");
    assert!(told.to_string().contains("mine, word for word: \"bid 4\""), "{told}");
    // The host enters an order for her and claims that it came by mail.
    office
        .change(GAME, |services, tx| {
            assert!(rewinding::take_back(tx, services, Seat(0), None).is_ok(), "it is taken back");
            Ok(())
        })
        .unwrap();
    let forged = answer("anna@example.net", &letter, "bid 6").replace("Message-ID: <", "Message-ID: <f");
    office.receive(forged.as_bytes()).unwrap();
    let told = judge();
    let orders = told.entries.iter().filter(|entry| entry.what == Deed::Order);
    let whose: Vec<_> = orders.map(|entry| matches!(entry.whose, Whose::Mine { .. })).collect();
    assert_eq!(whose, [true, false], "{told}");
    assert!(!told.is_proved() && told.to_string().contains("not mine"), "{told}");
    assert!(told.quote.starts_with("ONE ORDER of seat A is not in the mails given: entry "), "{told}");
    // A quoted line is not the player's either, even if it became an order.
    let id = format!("Message-ID: <f{}@x.example>", postrider_dice::sha256(b"bid 6"));
    std::fs::write(sent.join("2"), format!("From: anna@example.net\n{id}\n\nthanks\n\n> bid 6\n")).unwrap();
    assert!(!judge().is_proved());
    // With that mail it is proved.
    std::fs::write(sent.join("2"), forged).unwrap();
    assert!(judge().is_proved(), "{}", judge());
    // HTML only, with a wrapped order, and another order in a quotation.
    let page = "<div>hello there</div><div>bid<br>3</div><blockquote>bid 9</blockquote>";
    let formatted = format!(
        "From: anna@example.net\nMessage-ID: <h@x>\nIn-Reply-To: <lone-pine.A.1.0.letter@h>\nContent-Type: text/html\n\n{page}\n"
    );
    std::fs::write(sent.join("3"), &formatted).unwrap();
    assert!(!judge().to_string().contains("hello there"), "it is to nobody");
    let to = super::by_mail::field(&letter, "Reply-To");
    std::fs::write(sent.join("3"), format!("To: {to}\n{formatted}")).unwrap();
    let told = judge();
    assert!(told.to_string().contains("of no entry above: \"hello there\""), "{told}");
}

#[test]
fn sent_mails_tell_whose_motion_it_is_and_who_sat_there() {
    let (folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    let mine = answer("anna@example.net", &letter, "propose draw");
    office.receive(mine.as_bytes()).unwrap();
    let sent = folder.path().join("sent");
    std::fs::create_dir(&sent).unwrap();
    std::fs::write(sent.join("1"), mine).unwrap();
    let journal = office.host().journal(GAME);
    let told = judged(&journal, &sent);
    assert!(told.quote.starts_with("ALL ORDERS of seat A are in the mails given"), "{told}");
    // The host withdraws it for her.
    office.order(GAME, Seat(0), "withdraw").unwrap();
    let n = told.entries.last().unwrap().n + 1;
    let quote = judged(&journal, &sent).quote;
    let wanted = format!("ONE ORDER of seat A is not in the mails given: entry {n} (at the host's terminal)");
    assert!(quote.starts_with(&wanted), "{quote}");
    // An order by the seat's next player is not hers.
    office.directing(GAME).reseat(Seat(0), &"Emil <emil@example.net>".parse().unwrap(), false).unwrap();
    office.order(GAME, Seat(0), "bid 3").unwrap();
    let told = judged(&journal, &sent);
    let last = told.entries.last().unwrap();
    assert_eq!((last.what, &last.whose), (Deed::Order, &Whose::OtherPlayer), "{told}");
    assert!(told.quote.starts_with("ONE ORDER of seat A") && told.quote.contains("; of other players"), "{told}");
}

#[test]
fn an_order_that_was_never_sent_is_named() {
    let (folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    let sent = folder.path().join("sent");
    std::fs::create_dir(&sent).unwrap();
    std::fs::write(sent.join("1"), answer("anna@example.net", &letter, "status")).unwrap();
    assert!(office.order(GAME, Seat(0), "bid 2").unwrap().1);
    office.close_games();
    let source = Source::from(office.host().journal(GAME).as_path());
    let told = Sent::of(&source, &sent, None).unwrap();
    let n = told.entries.last().unwrap().n;
    let quote = told.quote.split("; joined without these mails").next().unwrap();
    assert_eq!(quote, format!("ONE ORDER of seat A is not in the mails given: entry {n} (at the host's terminal)"));
    assert!(told.to_string().contains(&format!("entry {n} (A): by no mail: at the host's terminal")), "{told}");
    let report = verify(&source, &super::by_mail::catalog(), |_| ()).unwrap().with_sent(told.numbered());
    assert!(report.to_string().starts_with("ONE ORDER of seat A"), "{report}");
    assert!(report.status != 0 && serde_json::to_string(&report).unwrap().contains("by-no-mail"));
}

#[test]
fn an_order_that_was_exchanged_is_named() {
    let (folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    let sent = folder.path().join("sent");
    std::fs::create_dir(&sent).unwrap();
    let mail = answer("anna@example.net", &letter, "bid 4");
    std::fs::write(sent.join("1"), &mail).unwrap();
    office.receive(mail.as_bytes()).unwrap();
    office.close_games();
    let text = std::fs::read_to_string(office.host().journal(GAME)).unwrap();
    let chains = super::deadlines::chains(&office).unwrap();
    let told = |text: &str| {
        let source = Source::from(text.as_bytes());
        Sent::of(&source, &sent, None).unwrap().carried_out(&source, &super::by_mail::catalog(), &chains).unwrap()
    };
    let good = told(&text);
    assert!(good.to_string().contains("; carried out: bid 4"), "{good}");
    let lines: Vec<&str> = text.lines().collect();
    let [.., before, last] = &lines[..] else { panic!("two lines") };
    let (before, last) = (Line::parse(before.as_bytes()).unwrap(), Line::parse(last.as_bytes()).unwrap());
    let Body::Decision(decision) = last.read_body().unwrap() else { panic!("her order") };
    let order = Json::new(&serde_json::json!({ "bid": { "coins": 2 } })).unwrap();
    let head = Head { game: GAME.to_owned(), n: before.n, hash: before.hash };
    let forged = Writer::after(&head).line(last.at, &Body::Decision(Decision { order, ..decision })).unwrap();
    let forged = told(&format!("{}\n{forged}", lines[..lines.len() - 1].join("\n")));
    assert!(forged.quote.starts_with(&format!("NOT WHAT THEIR WORDS SAY: entry {}; ", last.n)), "{forged}");
    assert!(!forged.is_proved() && forged.to_string().contains("; BUT THE JOURNAL HAS: bid 2"), "{forged}");
}

pub(super) fn cleared(office: &Office) {
    let out = office.host().mail(MailFolder::Out).unwrap();
    for mail in out.list().unwrap() {
        std::fs::remove_file(mail.path).unwrap();
    }
}

#[test]
fn a_key_that_is_lost_is_not_replaced() {
    let (folder, office) = begun();
    let key = office.host().service_secrets();
    drop(office);
    std::fs::rename(&key, folder.path().join("key")).unwrap();
    let open = || {
        let host = Host::open(folder.path()).unwrap();
        Office::open(host, super::by_mail::catalog(), Environment::fixed(9, chrono::Utc::now()))
    };
    let why = open().map(|_| ()).unwrap_err();
    assert!(matches!(&why, OfficeError::KeyMissing { path } if *path == key), "{why}");
    assert!(!key.exists());
    std::fs::rename(folder.path().join("key"), &key).unwrap();
    assert!(open().is_ok());
}

#[test]
fn an_older_journal_is_noticed_and_can_be_recovered() {
    let (_folder, mut office) = begun();
    let path = office.host().journal(GAME);
    let early = std::fs::read(&path).unwrap();
    for (seat, text) in [(0, "bid 1"), (1, "bid 5"), (2, "bid 0")] {
        order(&mut office, seat, text);
    }
    let late = std::fs::read_to_string(&path).unwrap();
    let mut changed: Vec<serde_json::Value> = late.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    changed.last_mut().unwrap()["at"] = "2026-11-20T18:30:01Z".into();
    let changed = changed.iter().map(|line| postrider_journal::to_canon(line).unwrap() + "\n").collect::<String>();
    let cut = &late[..late.trim_end().rfind('\n').unwrap() + 1];
    let known = std::fs::read(office.host().secrets(GAME)).unwrap();
    for other in [&early[..], cut.as_bytes(), rehashed(&changed).as_bytes()] {
        std::fs::write(&path, other).unwrap();
        office.close_games();
        let why = office.order(GAME, Seat(0), "bid 1").unwrap_err();
        assert!(matches!(why, OfficeError::OlderJournal { .. }), "{why}");
        assert!(why.to_string().contains("postrider recover lone-pine"), "{why}");
        assert_eq!(std::fs::read(&path).unwrap(), other, "nothing was written");
        assert_eq!(std::fs::read(office.host().secrets(GAME)).unwrap(), known);
    }
    // A copy from before play, even within the step that begins it, is not touched.
    let began = early.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    for end in began.take(5) {
        std::fs::write(&path, &early[..end]).unwrap();
        office.close_games();
        let why = office.lost(GAME).unwrap_err();
        assert!(matches!(why, OfficeError::Use(Misuse::LostBeforePlay { .. })), "{why}");
        assert!(office.recover(GAME).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), early[..end]);
    }
    // A mail for the game is kept for later, neither lost nor answered.
    std::fs::write(&path, &early).unwrap();
    cleared(&office);
    let lines = early.iter().filter(|&&byte| byte == b'\n').count() as u64;
    assert_eq!(office.lost(GAME).unwrap().last, lines - 1);
    assert_eq!(std::fs::read(&path).unwrap(), early, "nothing was written");
    assert_eq!(office.recover(GAME).unwrap(), lines);
    let line = lines_of(&office, "rewound").pop().unwrap();
    assert_eq!(line["body"]["chains"], serde_json::json!({}), "the chains stay: {line}");
    for seat in ["A", "B", "C"] {
        let letter = take_mail(&office, &format!("lone-pine.{seat}."));
        let told = body(&letter).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains("THE GAME WAS REWOUND") && told.contains("the newer journal was lost"), "{told}");
        assert!(told.contains("the same orders bring the same dice"), "{told}");
        assert!(!told.contains("WHAT WAS LEARNED"), "{told}");
    }
    assert!(matches!(office.recover(GAME), Err(OfficeError::Use(Misuse::NothingToRecover { .. }))));
    play_on(&mut office);
    assert!(office.terminal(GAME).glance().unwrap().over);
    let report = verify(&Source::from(path.as_path()), &super::by_mail::catalog(), |_| ()).unwrap();
    assert_eq!(report.status, 0, "{report}");
}

#[test]
fn an_older_journal_that_ends_within_a_command_is_not_cut() {
    let (_folder, mut office) = begun();
    for (seat, text) in [(0, "bid 1"), (1, "bid 5"), (2, "bid 0"), (1, "give anna")] {
        order(&mut office, seat, text);
    }
    let path = office.host().journal(GAME);
    let whole = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    for lost in 1..lines.len() {
        let older = lines[..lines.len() - lost].concat();
        std::fs::write(&path, &older).unwrap();
        office.close_games();
        let last = office.lost(GAME).map(|lost| lost.last);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), older, "{lost} lost: {last:?}");
        let ticked = office.tick(GAME);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), older, "{lost} lost: {ticked:?}");
        assert!(last.is_err() || last.unwrap() <= (lines.len() - lost - 1) as u64);
    }
}

#[test]
fn losing_entries_or_rewinding_twice_gives_no_choice_of_dice() {
    let (_folder, mut office) = begun();
    let path = office.host().journal(GAME);
    let early = std::fs::read(&path).unwrap();
    let round = |office: &mut Office| {
        let before = lines_of(office, "rolled").len();
        for (seat, text) in [(0, "bid 1"), (1, "bid 5"), (2, "bid 0"), (1, "give carl")] {
            order(office, seat, text);
        }
        lines_of(office, "rolled")[before..].iter().map(|line| line["body"].clone()).collect::<Vec<_>>()
    };
    let first = round(&mut office);
    assert!(!first.is_empty());
    for _ in 0..3 {
        std::fs::write(&path, &early).unwrap();
        office.close_games();
        office.recover(GAME).unwrap();
        assert_eq!(round(&mut office), first);
    }
    let to = postrider_replay::Checkpoint::Line(early.split(|b| *b == b'\n').count() as u64 - 2);
    let wanted = crate::RewindGame { to, by: "host".into(), reason: "a slip".into(), dry_run: false };
    for fresh in [true, false, false] {
        office.directing(GAME).rewind(&wanted).unwrap();
        let chains = lines_of(&office, "rewound").pop().unwrap()["body"]["chains"].as_object().unwrap().len();
        assert_eq!(chains, if fresh { 2 } else { 0 });
    }
    assert_ne!(round(&mut office), first);
    let report = verify(&Source::from(path.as_path()), &super::by_mail::catalog(), |_| ()).unwrap();
    assert_ne!(report.status, 1, "{report}");
}

fn rehashed(text: &str) -> String {
    let mut prev = Hash::ZERO.to_string();
    let mut out = String::new();
    for line in text.lines() {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        line["prev"] = prev.into();
        line.as_object_mut().unwrap().remove("hash");
        let hashed = format!("postrider/entry/v1\n{}", postrider_journal::to_canon(&line).unwrap());
        prev = postrider_dice::sha256(hashed.as_bytes()).to_string();
        line["hash"] = prev.clone().into();
        out += &(postrider_journal::to_canon(&line).unwrap() + "\n");
    }
    out
}

#[test]
fn damaged_secrets_stop_the_game_before_a_false_line() {
    let (_folder, mut office) = begun();
    let (path, secrets) = (office.host().journal(GAME), office.host().secrets(GAME));
    let whole = std::fs::read_to_string(&secrets).unwrap();
    let mut stopped = 0;
    for (k, line) in whole.lines().enumerate() {
        // Changes a digit in the middle of each line with digits, or makes the line unreadable.
        let other = |c: char| if c == '0' { '1' } else { '0' };
        let digits = line.char_indices().filter(|(_, c)| c.is_ascii_hexdigit()).map(|(at, _)| at).collect::<Vec<_>>();
        let at = digits[digits.len() / 2];
        let flipped = format!("{}{}{}", &line[..at], other(line[at..].chars().next().unwrap()), &line[at + 1..]);
        for damaged in [flipped, format!("{line}x"), "{}".to_owned()] {
            let text: Vec<&str> =
                whole.lines().enumerate().map(|(i, l)| if i == k { &damaged[..] } else { l }).collect();
            std::fs::write(&secrets, text.join("\n") + "\n").unwrap();
            let before = std::fs::read(&path).unwrap();
            office.close_games();
            match office.order(GAME, Seat(0), "bid 1") {
                Ok(_) => {}
                Err(why) => {
                    stopped += 1;
                    assert!(why.is_of_one_game(), "{why}");
                    assert_eq!(std::fs::read(&path).unwrap(), before, "nothing was written");
                }
            }
            let report = verify(&Source::from(path.as_path()), &super::by_mail::catalog(), |_| ()).unwrap();
            assert!(report.contradictions.is_empty(), "line {k} as {damaged}: {report}");
            std::fs::write(&path, before).unwrap();
            office.store().forget().unwrap();
        }
    }
    assert!(stopped > whole.lines().count(), "{stopped} of {} lines three times", whole.lines().count());
}

#[test]
fn two_who_open_a_game_at_once_do_not_mix_its_secrets() {
    for _ in 0..6 {
        let folder = tempfile::tempdir().unwrap();
        drop(super::by_mail::office_in(folder.path()));
        let start = std::sync::Barrier::new(2);
        let open = || {
            let mut office = super::by_mail::office_in(folder.path());
            *office.environment() = Environment::System;
            start.wait();
            office.new_game(&super::by_mail::table()).is_ok()
        };
        let made = std::thread::scope(|threads| {
            let other = threads.spawn(open);
            [open(), other.join().unwrap()]
        });
        assert_eq!(made.iter().filter(|made| **made).count(), 1, "{made:?}");
        let mut office = super::by_mail::office_in(folder.path());
        play_on(&mut office);
        let report = verify(&Source::from(office.host().journal(GAME).as_path()), &super::by_mail::catalog(), |_| ());
        assert!(report.unwrap().contradictions.is_empty());
    }
}

#[test]
fn what_comes_from_secrets_is_held_against_its_commitment() {
    let (_folder, mut office) = begun();
    for (seat, text) in [(0, "bid 1"), (1, "bid 5"), (2, "bid 0"), (1, "give carl")] {
        order(&mut office, seat, text);
    }
    let (journal, secrets) = (office.host().journal(GAME), office.host().secrets(GAME));
    let whole = std::fs::read_to_string(&secrets).unwrap();
    let before = std::fs::read(&journal).unwrap();
    let to = lines_of(&office, "decision")[0]["n"].as_u64().unwrap();
    let wanted =
        RewindGame { to: Checkpoint::Line(to), by: "host".into(), reason: "the wrong map".into(), dry_run: false };
    for label in ["dice", "deck:luck"] {
        let damage = |line: &str| {
            let mut secret: serde_json::Value = serde_json::from_str(line).unwrap();
            if secret["root"]["label"] != label {
                return line.to_owned();
            }
            let first = secret["root"]["kept"][0].as_str().unwrap().to_owned();
            let other = if first.starts_with('A') { "B" } else { "A" };
            secret["root"]["kept"][0] = format!("{other}{}", &first[1..]).into();
            secret.to_string()
        };
        let damaged: String = whole.lines().map(|line| damage(line) + "\n").collect();
        assert!(damaged != whole, "{label}");
        std::fs::write(&secrets, &damaged).unwrap();
        office.close_games();
        let why = office.directing(GAME).rewind(&wanted).map(|_| ()).unwrap_err();
        assert!(matches!(&why, OfficeError::Use(Misuse::StrangeRoots { label: named }) if named == label), "{why}");
        assert_eq!(std::fs::read(&journal).unwrap(), before, "nothing was written");
    }
    std::fs::write(&secrets, &whole).unwrap();
    office.close_games();
    office.directing(GAME).rewind(&wanted).unwrap();
    play_on(&mut office);
    let report = verify(&Source::from(journal.as_path()), &super::by_mail::catalog(), |_| ()).unwrap();
    assert_eq!(report.status, 0, "{report}");
}

#[test]
fn a_standing_order_whose_content_is_lost_stops_the_game() {
    let (_folder, mut office) = begun();
    for text in ["bid 0", "standing bid: 1"] {
        order(&mut office, 0, text);
    }
    let (journal, secrets) = (office.host().journal(GAME), office.host().secrets(GAME));
    let (before, whole) = (std::fs::read(&journal).unwrap(), std::fs::read_to_string(&secrets).unwrap());
    let commit = lines_of(&office, "sealed")[0]["body"]["commit"].as_str().unwrap().to_owned();
    let other = if commit.starts_with('0') { "1" } else { "0" };
    std::fs::write(&secrets, whole.replace(&commit, &format!("{other}{}", &commit[1..]))).unwrap();
    office.close_games();
    let why = office.order(GAME, Seat(1), "bid 0").map(|_| ()).unwrap_err();
    assert!(matches!(why, OfficeError::DamagedSecrets { .. }), "{why}");
    assert_eq!(std::fs::read(&journal).unwrap(), before, "nothing was written");
    std::fs::write(&secrets, &whole).unwrap();
    office.close_games();
    order(&mut office, 1, "bid 0");
    assert!(std::fs::read(&journal).unwrap().len() > before.len());
}

#[test]
fn names_that_look_the_same_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut office = super::by_mail::office_in(folder.path());
    let table = super::by_mail::table();
    let renamed = |name: &str| {
        let mut new = table.clone();
        new.players[0].name = name.to_owned();
        new
    };
    let (greek, hidden, same) = ("B\u{3b5}n", "Ben\u{200b}", "\u{412}\u{435}\u{578}");
    for name in [greek, hidden, same, "BEN"] {
        let why = office.new_game(&renamed(name)).map(|_| ()).unwrap_err();
        assert!(matches!(why, OfficeError::Use(Misuse::StrangeName { .. } | Misuse::SameNames { .. })), "{why}");
        assert!(why.to_string().is_ascii(), "{why}");
        assert!(office.host().games().unwrap().is_empty(), "nothing was opened");
    }
    office.new_game(&table).unwrap();
    for name in [greek, hidden, same, "bEn"] {
        let who = Invitee { name: name.to_owned(), ..table.players[0].clone() };
        let why = office.directing(GAME).reseat(Seat(0), &who, false).unwrap_err();
        assert!(matches!(why, OfficeError::Use(Misuse::StrangeName { .. } | Misuse::NameTaken { .. })), "{why}");
    }
}
