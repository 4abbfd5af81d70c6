//! Messages between players: who reads them, that they give no orders, and what the journal
//! contains of them.

use super::{
    by_mail::{answer, begun, body, decisions, office_in, outbox, table, take_mail},
    needed::*,
};
use postrider_table::Seat;
use std::fs;
use tempfile::TempDir;

const ANNA: &str = "anna@example.net";

/// Opens a game with these lines in its settings. Also returns Anna's first letter.
fn begun_with(settings: &str) -> (TempDir, Office, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(SETTINGS), settings).unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&table()).unwrap();
    let letter = take_mail(&office, ".A.");
    (folder, office, letter)
}

fn journal(office: &Office) -> String {
    fs::read_to_string(office.host().journal("lone-pine")).unwrap()
}

fn told(office: &Office, holds: &str) -> Option<String> {
    outbox(office).into_iter().rfind(|(name, _)| name.contains(holds)).map(|(_, mail)| mail.replace("\r\n", "\n"))
}

fn clear(office: &Office) {
    outbox(office).iter().for_each(|(name, _)| drop(take_mail(office, name)));
}

#[test]
fn a_message_reaches_its_readers_alone_and_orders_nothing() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, ".A.");
    clear(&office);
    let before = decisions(&office);
    office.receive(answer(ANNA, &letter, "tell ben: shall we bid 1?\nbid 2 is mine.").as_bytes()).unwrap();
    assert_eq!(decisions(&office), before);
    let reply = take_mail(&office, ".A.");
    assert!(body(&reply).contains("Told Ben (B)."), "{reply}");
    let ben = take_mail(&office, ".B.");
    assert!(body(&ben).contains("Anna (A) to you") && body(&ben).contains("shall we bid 1?"), "{ben}");
    assert!(ben.contains("a message for you"), "{ben}");
    assert!(told(&office, ".C.").is_none(), "Carl is told nothing");
    let lines = journal(&office);
    assert!(lines.contains("\"kind\":\"press\"") && !lines.contains("shall we"), "{lines}");
    // It is sent once.
    office.tick("lone-pine").unwrap();
    assert!(told(&office, ".B.").is_none());
    let (status, report) = independent_check(&office.host().journal("lone-pine"));
    assert_eq!(status, Some(2), "{report}");
    let source = Source::from(office.host().journal("lone-pine").as_path());
    let report = verify(&source, &super::by_mail::catalog(), |_| ()).unwrap();
    assert!(report.contradictions.is_empty(), "{report:?}");
}

#[test]
fn no_message_passes_for_another_or_for_the_letter() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, ".A.");
    clear(&office);
    let long = "and so on ".repeat(12);
    let text = format!("tell ben:\nlook:\nCarl (C) to you (entry 12):\nANSWER by replying\n{long}\nbid 9\nend");
    office.receive(answer(ANNA, &letter, &text).as_bytes()).unwrap();
    let mail = take_mail(&office, ".B.");
    let said = body(&mail);
    let (_, words) = said.split_once("Anna (A) to you (entry 11):\n").unwrap_or_else(|| panic!("{said}"));
    let words: Vec<&str> = words.lines().take_while(|line| !line.is_empty()).collect();
    assert!(words.len() > 5 && words.iter().all(|line| line.starts_with("  > ")), "{words:#?}");
    for line in ["  > Carl (C) to you (entry 12):", "  > ANSWER by replying", "  > bid 9"] {
        assert!(words.contains(&line), "{line}: {words:#?}");
    }
    // The HTML shows messages in a box of their own, as a quotation.
    let html = mail_parser::MessageParser::default()
        .parse(mail.as_bytes())
        .and_then(|mail| mail.body_html(0).map(std::borrow::Cow::into_owned));
    let html = html.expect("a page");
    let (_, quoted) = html.split_once("<blockquote").expect("a quotation");
    let (quoted, _) = quoted.split_once("</blockquote>").expect("its end");
    assert!(quoted.contains("Carl (C) to you (entry 12):") && quoted.contains("bid 9"), "{quoted}");
    // Ben copies the letter into his answer without quotation marks.
    clear(&office);
    let copy = format!("thank you\n\n{}", words.join("\n"));
    office.receive(answer("ben@example.net", &mail, &copy).as_bytes()).unwrap();
    assert!(!journal(&office).contains("\"bid\":{\"coins\":9}"), "{}", journal(&office));
    let listed = office.terminal("lone-pine").messages(MessagesOf::All).unwrap();
    assert!(listed[0].text.contains("Carl (C) to you"), "what was written is kept as it was written");
}

#[test]
fn a_message_names_its_author_at_the_time() {
    let (_folder, mut office) = begun();
    for words in ["tell ben: hello", "note: Carl bluffs", "tell all: good luck"] {
        office.order("lone-pine", Seat(0), words).unwrap();
    }
    office.directing("lone-pine").reseat(Seat(0), &"Emil <emil@example.net>".parse().unwrap(), false).unwrap();
    office.order("lone-pine", Seat(0), "tell ben: hi").unwrap();
    let all = office.terminal("lone-pine").messages(MessagesOf::All).unwrap();
    let told: Vec<&str> = all.iter().map(|message| message.told.as_str()).collect();
    assert_eq!(told, ["Anna (A) to Ben (B)", "Anna (A), a note", "Anna (A) to all", "Emil (A) to Ben (B)"]);
}

#[test]
fn the_same_mail_is_told_once() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, ".A.");
    let mail = answer(ANNA, &letter, "tell all: hello");
    office.receive(mail.as_bytes()).unwrap();
    office.receive(mail.as_bytes()).unwrap();
    office.receive(format!("Received: by another way\n{mail}").as_bytes()).unwrap();
    assert_eq!(journal(&office).matches("\"kind\":\"press\"").count(), 1);
}

/// Two hundred messages of a player, ten appeals among them, are passed on each day, and the next
/// day again.
#[test]
fn messages_of_a_day_are_limited() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, ".A.");
    let said = |office: &Office, kind: &str| journal(office).matches(&format!("\"kind\":\"{kind}\"")).count();
    for mail in 0..11 {
        let word = if mail == 0 { "appeal" } else { "tell ben" };
        let text: String = (0..20).map(|n| format!("{word}: {mail} and {n}\n\n")).collect();
        office.receive(answer(ANNA, &letter, &text).as_bytes()).unwrap();
    }
    assert_eq!((said(&office, "appeal"), said(&office, "press")), (10, 190));
    let plain = |mail: &str| body(mail).split_whitespace().collect::<Vec<_>>().join(" ");
    let why = "A message of yours was not sent: you have sent 200 since midnight (UTC)";
    assert!(outbox(&office).iter().any(|(_, mail)| plain(&mail.replace("\r\n", "\n")).contains(why)));
    office.environment().advance(24 * 3_600);
    office.receive(answer(ANNA, &letter, "tell ben: good morning").as_bytes()).unwrap();
    assert_eq!(said(&office, "press"), 191);
}

#[test]
fn names_can_be_kept_back_where_the_host_allows_it() {
    let (_folder, mut office, letter) = begun_with("");
    clear(&office);
    office.receive(answer(ANNA, &letter, "tell ben anonymously: beware").as_bytes()).unwrap();
    assert!(told(&office, ".B.").is_none() && take_mail(&office, ".A.").contains("does not allow anonymous"));

    let (_folder, mut office, letter) = begun_with("press = \"anonymous\"\n");
    clear(&office);
    office.receive(answer(ANNA, &letter, "tell ben anonymously: beware").as_bytes()).unwrap();
    let ben = take_mail(&office, ".B.");
    assert!(body(&ben).contains("Somebody to you") && !body(&ben).contains("Anna (A) to you"), "{ben}");

    let (_folder, mut office, letter) = begun_with("press = \"none\"\nhost_mail = \"hal@example.net\"\n");
    clear(&office);
    office.receive(answer(ANNA, &letter, "tell ben: beware\n\ntell host: Ben is late").as_bytes()).unwrap();
    assert!(told(&office, ".B.").is_none());
    let host = take_mail(&office, ".host.");
    assert!(host.contains("To: hal@example.net") && host.contains("Ben is late"), "{host}");
    assert_eq!(office.terminal("lone-pine").messages(MessagesOf::Host).unwrap().len(), 1);
}

#[test]
fn whoever_wants_it_has_messages_with_his_next_letter() {
    let (_folder, mut office) = begun();
    let (anna, ben) = (take_mail(&office, ".A."), take_mail(&office, ".B."));
    office.receive(answer("ben@example.net", &ben, "messages later").as_bytes()).unwrap();
    clear(&office);
    office.receive(answer(ANNA, &anna, "tell ben: in your time").as_bytes()).unwrap();
    assert!(told(&office, ".B.").is_none());
    office.receive(answer("ben@example.net", &ben, "status").as_bytes()).unwrap();
    assert!(body(&take_mail(&office, ".B.")).contains("in your time"));
}

#[test]
fn what_is_deleted_is_gone_and_the_journal_stays() {
    let (_folder, mut office) = begun();
    office.tell("lone-pine", &[Seat(1)], "a secret\nof two lines").unwrap();
    let [message] = &office.terminal("lone-pine").messages(MessagesOf::All).unwrap()[..] else { panic!("one message") };
    assert_eq!((message.told.as_str(), message.text.as_str()), ("you to Ben (B)", "a secret\nof two lines"));
    let before = journal(&office);
    office.forget_message("lone-pine", message.entry).unwrap();
    assert!(office.terminal("lone-pine").messages(MessagesOf::All).unwrap().is_empty());
    assert!(office.forget_message("lone-pine", message.entry).is_err());
    let kept = fs::read_to_string(office.host().secrets("lone-pine")).unwrap();
    assert!(!kept.contains("secret\\nof") && journal(&office) == before, "{kept}");
    office.tell("lone-pine", &[], "another").unwrap();
    assert_eq!(office.terminal("lone-pine").messages(MessagesOf::All).unwrap().len(), 1);
}

#[test]
fn no_message_makes_its_readers_letter_contradict_the_journal() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, ".A.");
    let footer = body(&letter).lines().skip_while(|line| !line.starts_with("Journal ")).take(3);
    let forged: Vec<String> = footer.map(|line| line.replace(['a', 'b', 'c'], "x")).collect();
    let text = format!(
        "tell ben:\n{}\nevents, epoch 0, position 1: Raid salt {}\nend",
        forged.join("\n"),
        postrider_dice::Hash::ZERO
    );
    let forged = text.replace("Journxl", "Journal");
    clear(&office);
    office.receive(answer(ANNA, &letter, &forged).as_bytes()).unwrap();
    let ben = take_mail(&office, ".B.");
    assert!(ben.contains("=E2=80=9CJournal=E2=80=9D"), "{ben}");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ben.eml"), &ben).unwrap();
    let mut evidence = Evidence::default();
    evidence.add_mailbox(folder.path()).unwrap();
    assert_eq!((evidence.receipts.len(), evidence.damaged.len(), evidence.hands.len()), (1, 0, 0), "{evidence:?}");
}

#[test]
fn orders_beside_a_message_are_carried_out_and_doubt_moves_nothing() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, ".A.");
    let before = decisions(&office);
    office.receive(answer(ANNA, &letter, "tell ben: peace\nbid 1").as_bytes()).unwrap();
    assert_eq!(decisions(&office), before, "{}", take_mail(&office, ".A."));
    assert!(!journal(&office).contains("\"kind\":\"press\""));
    let text = "tell ben: peace, and a long one, for which a mail program would begin a new line\nor not\n\nHi,\nbid 1\nthanks";
    office.receive(answer(ANNA, &letter, text).as_bytes()).unwrap();
    assert_eq!(decisions(&office), before + 1, "{}", take_mail(&office, ".A."));
    assert!(journal(&office).contains("\"kind\":\"press\""));
}

#[test]
fn an_empty_line_of_html_parts_a_message_from_orders() {
    let html = |letter: &str, between: &str| {
        let body = format!("<div>tell ben: peace</div>{between}<div>bid 1</div>");
        answer(ANNA, letter, &body).replacen(
            "\n\n",
            "\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n",
            1,
        )
    };
    for (between, parted) in [
        ("<div><br></div>", true),
        ("<br>", true),
        ("<p class=\"MsoNormal\"><o:p>&nbsp;</o:p></p>", true),
        ("", false),
        ("<div></div>", false),
    ] {
        let (_folder, mut office) = begun();
        let letter = take_mail(&office, ".A.");
        let before = decisions(&office);
        office.receive(html(&letter, between).as_bytes()).unwrap();
        let done = (decisions(&office) - before, journal(&office).matches("\"kind\":\"press\"").count());
        assert_eq!(done, if parted { (1, 1) } else { (0, 0) }, "{between}: {}", take_mail(&office, ".A."));
    }
}
