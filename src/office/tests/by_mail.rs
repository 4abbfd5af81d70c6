//! Complete games of the toy by mail, and possible failures on the way.

use super::needed::*;
use chrono::{TimeZone, Utc};
use postrider_mail::Incoming;
use postrider_mailbox::MaildirFolder;
use postrider_test_games::auction::TOYS;
use std::path::Path;
use tempfile::TempDir;

pub(crate) fn catalog() -> Catalog {
    Catalog::new(TOYS)
}

pub(crate) fn office_in(folder: &Path) -> Office {
    let start = Utc.with_ymd_and_hms(2026, 11, 20, 18, 30, 0).unwrap();
    Office::open(Host::open_or_create(folder).unwrap(), catalog(), Environment::fixed(7, start)).unwrap()
}

/// Opens an office whose letters have no HTML part, for tests that write thousands of letters.
pub(crate) fn plain_office_in(folder: &Path) -> Office {
    let settings = folder.join("postrider.toml");
    if !settings.exists() {
        std::fs::write(settings, "html = false\n").unwrap();
    }
    office_in(folder)
}

pub(crate) fn table() -> NewGame {
    let player = |text: &str| text.parse::<Invitee>().unwrap();
    NewGame {
        ruleset: "auction".into(),
        id: Some("lone-pine".into()),
        players: vec![
            player("Anna <anna@example.net>"),
            player("Ben <ben@example.net> America/Denver"),
            player("Carl <carl@example.net>"),
        ],
        join_all: true,
        ..NewGame::default()
    }
}

pub(crate) fn begun() -> (TempDir, Office) {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&table()).unwrap();
    (folder, office)
}

pub(crate) fn outbox(office: &Office) -> Vec<(String, String)> {
    let out = office.host().mail(MailFolder::Out).unwrap();
    let read = |entry: postrider_mailbox::MaildirEntry| (entry.unique, std::fs::read_to_string(entry.path).unwrap());
    out.list().unwrap().into_iter().filter(|e| e.folder == MaildirFolder::New).map(read).collect()
}

/// Takes the newest letter whose name contains `holds` out of the outbox.
pub(crate) fn take_mail(office: &Office, holds: &str) -> String {
    let out = office.host().mail(MailFolder::Out).unwrap();
    let entry = out.list().unwrap().into_iter().find(|entry| entry.unique.contains(holds));
    let entry = entry
        .unwrap_or_else(|| panic!("no mail {holds} in {:?}", outbox(office).iter().map(|m| &m.0).collect::<Vec<_>>()));
    let text = std::fs::read_to_string(&entry.path).unwrap();
    std::fs::remove_file(entry.path).unwrap();
    unfolded(&text)
}

/// Returns the newest of the letters whose name or text is wanted, which stays in the outbox, and
/// removes older ones. The newest has seen most of the journal, and of several such it was written
/// last. Because the clock of a file system is coarse, a letter that was returned counts as old.
pub(crate) fn newest(office: &Office, wanted: impl Fn(&str, &str) -> bool) -> Option<String> {
    let out = office.host().mail(MailFolder::Out).unwrap().list().unwrap();
    let read = |entry: postrider_mailbox::MaildirEntry| {
        let text = unfolded(&std::fs::read_to_string(&entry.path).unwrap());
        let head = text.lines().find_map(|line| line.strip_prefix("X-Postrider-Head: "));
        let seen = head.and_then(|head| head.split(' ').nth(1)?.parse::<u64>().ok());
        let written = std::fs::metadata(&entry.path).unwrap().modified().unwrap();
        let is_wanted = entry.folder == MaildirFolder::New && wanted(&entry.unique, &text);
        is_wanted.then_some((seen, written, entry.path, text))
    };
    let mut all: Vec<_> = out.into_iter().filter_map(read).collect();
    all.sort();
    let (_, _, path, text) = all.pop()?;
    std::fs::File::options().write(true).open(path).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
    all.into_iter().for_each(|(_, _, path, _)| std::fs::remove_file(path).unwrap());
    Some(text)
}

/// Converts a mail to single line feeds, with one line per header field.
pub(crate) fn unfolded(raw: &str) -> String {
    let (header, body) = raw.split_once("\r\n\r\n").unwrap();
    format!("{}\n\n{}", header.replace("\r\n ", " "), body).replace("\r\n", "\n")
}

pub(crate) fn field<'m>(mail: &'m str, name: &str) -> &'m str {
    let lines = mail.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    lines.unwrap_or_else(|| panic!("no {name} in {mail}"))
}

pub(crate) fn body(mail: &str) -> &str {
    let text = mail.split_once("\n\n").unwrap().1;
    match text.split_once("Content-Type: text/plain").and_then(|(_, part)| part.split_once("\n\n")) {
        Some((_, part)) => part.split_once("\n--postrider-").map_or(part, |(part, _)| part),
        None => text,
    }
}

pub(crate) fn answer(from: &str, letter: &str, text: &str) -> String {
    let to = field(&letter.replace("\n ", " "), "Reply-To").to_owned();
    let id = field(letter, "Message-ID");
    format!(
        "From: {from}\nTo: {to}\nSubject: Re: {}\nMessage-ID: <{}@x.example>\nIn-Reply-To: {id}\n\n{text}\n",
        field(letter, "Subject"),
        postrider_dice::sha256(text.as_bytes())
    )
}

pub(crate) fn decisions(office: &Office) -> usize {
    let text = std::fs::read_to_string(office.host().journal("lone-pine")).unwrap();
    text.lines().filter(|line| line.contains("\"kind\":\"decision\"")).count()
}

pub(crate) fn narrow(text: &str) {
    for line in body(text).lines() {
        assert!(line.chars().count() <= WIDTH, "too wide: {line}");
    }
}

#[test]
fn a_whole_game_by_mail() {
    for seed in 0..3 {
        let folder = tempfile::tempdir().unwrap();
        let demo = Demo {
            folder: folder.path().to_owned(),
            ruleset: "auction".into(),
            seats: 3,
            seed: Some(seed),
            options: [("turns".to_owned(), 3.into())].into(),
            ..Demo::default()
        };
        let finished = play_demo(&demo, catalog(), &mut |_, _| {}).unwrap();
        assert!(finished.over && finished.outcome.contains("Anna"), "{finished:?}");
        // Every Round has three bids and a gift; all came by mail.
        assert!(finished.done >= 3 * 2 * 4, "{finished:?}");
        // The journal replays to the same end without the host's secrets, because all decks are
        // revealed.
        let source = Source::from(finished.journal.as_path());
        let again = rebuild(&source, &catalog(), None, None, postrider_table::Watch::ALL).unwrap();
        assert!(again.closed);
        let (status, report) = independent_check(&finished.journal);
        assert_eq!(status, Some(0), "{report}");
    }
}

#[test]
fn everybody_joins_and_the_game_begins() {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&NewGame { join_all: false, ..table() }).unwrap();
    let letters = ["A", "B", "C"].map(|seat| take_mail(&office, &format!("lone-pine.{seat}.invitation")));
    narrow(&letters[1]);
    insta::assert_snapshot!("invitation", body(&letters[1]));
    for (i, (name, letter)) in ["anna", "ben", "carl"].iter().zip(&letters).enumerate() {
        let raw = answer(&format!("{name}@example.net"), letter, "Join luck Seven grey horses");
        let processed = office.receive(raw.as_bytes()).unwrap();
        assert_eq!(processed.seat, Some(postrider_table::Seat(i as u8)));
        // Opening the game again loses nothing and invites nobody twice.
        office.close_games();
        let live = office.open_game("lone-pine").unwrap();
        assert_eq!(live.started.is_some(), i == 2);
    }
    let names: Vec<String> = outbox(&office).into_iter().map(|mail| mail.0).collect();
    assert_eq!(names.len(), 5, "two answers to those who joined first, and a letter to each: {names:?}");
    assert!(!names.iter().any(|name| name.ends_with("invitation")));
}

#[test]
fn a_reply_is_compared_with_the_letter_that_it_answers() {
    let (_folder, mut office) = begun();
    let letter = outbox(&office).into_iter().find(|(name, _)| name.starts_with("lone-pine.B.")).unwrap().1;
    let letter = unfolded(&letter);
    let copy = textwrap::fill(&body(&letter).split_whitespace().collect::<Vec<_>>().join(" "), 51);
    let raw = answer("Ben <ben@example.net>", &letter, &format!("bid 4\n\n{copy}\n"));
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 1, total: 1 });
    assert_eq!(decisions(&office), 1);
}

#[test]
fn a_reply_to_an_answer_is_read_beside_it_too() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    office.receive(answer("Ben <ben@example.net>", &letter, "status").as_bytes()).unwrap();
    let status = outbox(&office).into_iter().find(|(name, _)| name.starts_with("lone-pine.B.re")).unwrap().1;
    let status = unfolded(&status);
    let raw = answer("Ben <ben@example.net>", &status, &format!("bid 4\n\n{}", body(&status)));
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 1, total: 1 });
}

#[test]
fn an_unmarked_copy_of_a_letter_is_asked_about() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    let raw = answer("Ben <ben@example.net>", &letter, &format!("bid 4\n\n{}", body(&letter)));
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 0, total: 0 });
    assert_eq!(decisions(&office), 0);
    let asked = take_mail(&office, "lone-pine.B.re").replace('\n', " ");
    assert!(asked.contains("cannot be told from your own words"), "{asked}");
}

#[test]
fn a_letter_asks_and_an_answer_is_carried_out() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    narrow(&letter);
    insta::assert_snapshot!("letter", body(&letter));
    // One line that was not understood puts the whole mail on hold.
    let raw = answer("Ben <ben@example.net>", &letter, "bid 4\ngive xanadu");
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 0, total: 0 });
    let reply = take_mail(&office, "lone-pine.B.re");
    narrow(&reply);
    assert_eq!(field(&reply, "Auto-Submitted"), "auto-replied");
    insta::assert_snapshot!("reply-held", body(&reply));
    assert_eq!(decisions(&office), 0);
    // Orders are carried out until the rules refuse one.
    let raw = answer("Ben <ben@example.net>", &letter, "standing gift: give anna\nbid 40\nstanding thanks: thank you");
    let processed = office.receive(raw.as_bytes()).unwrap();
    assert_eq!(processed.outcome, Outcome::Answered { done: 1, total: 3 });
    let reply = take_mail(&office, "lone-pine.B.re");
    narrow(&reply);
    insta::assert_snapshot!("reply-half-way", body(&reply));
    assert_eq!(decisions(&office), 0);
    // No other letters are written: Anna and Carl have already been asked.
    assert_eq!(outbox(&office).len(), 2);
}

/// A player checks the dealt cards at once (section 7 of the format).
#[test]
fn a_letter_carries_what_proves_the_readers_cards() {
    let (_folder, office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    let lines: Vec<&str> = letter.lines().skip_while(|line| !line.starts_with("YOUR HIDDEN CARDS")).collect();
    let card = lines[1].trim().strip_prefix("luck, epoch 0, position 1: ").unwrap();
    let salt = lines[2].trim().strip_prefix("salt ").unwrap().parse().unwrap();
    let commitment = postrider_dice::card_commitment("lone-pine", "luck", 0, 1, card, &salt).to_string();
    let journal = std::fs::read_to_string(office.host().journal("lone-pine")).unwrap();
    assert!(journal.contains(&commitment));
    assert_eq!(lines.iter().filter(|line| line.contains("salt")).count(), 1, "only his own card: {letter}");
}

#[test]
fn options_are_understood_by_number_and_letter_as_the_letter_listed_them() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    office.order("lone-pine", postrider_table::Seat(1), "bid 9").unwrap();
    office.receive(answer("anna@example.net", &letter, "1d").as_bytes()).unwrap();
    let journal = std::fs::read_to_string(office.host().journal("lone-pine")).unwrap();
    assert!(journal.contains(r#""order":{"bid":{"coins":3}}"#), "{journal}");
    // Players can be referred to by name.
    office.order("lone-pine", postrider_table::Seat(2), "bid 0").unwrap();
    assert!(office.order("lone-pine", postrider_table::Seat(1), "give CARL").unwrap().0.contains("done"));
    assert_eq!(decisions(&office), 4);
}

#[test]
fn only_the_registered_address_with_its_own_token_counts() {
    let (_folder, mut office) = begun();
    let anna = take_mail(&office, "lone-pine.A.");
    let ben = take_mail(&office, "lone-pine.B.");
    let before = outbox(&office).len();
    // A stranger who guesses gets no answer.
    let to = field(&ben, "Reply-To").to_owned();
    let stranger = answer("mallory@example.net", &ben, "bid 1");
    let guessed = stranger.replace(&to, &to.replace(".q", ".q7"));
    assert!(matches!(office.receive(guessed.as_bytes()).unwrap().outcome, Outcome::Filed(_)));
    assert_eq!(outbox(&office).len(), before);
    // Ben with another mail program, or someone who has his letter, is told once, in words that
    // reveal nothing.
    assert_eq!(office.receive(stranger.as_bytes()).unwrap().outcome, Outcome::Answered { done: 0, total: 0 });
    assert_eq!(office.receive(stranger.as_bytes()).unwrap().outcome, Outcome::Again);
    let told = take_mail(&office, "lone-pine.elsewhere.");
    narrow(&told);
    assert_eq!(field(&told, "To").trim_matches(['<', '>']), "mallory@example.net");
    assert!(body(&told).starts_with("Nothing was done") && !told.contains("Ben"), "{told}");
    let token = field(&told, "Reply-To").to_owned();
    let back = answer("ben@example.net", &ben, "bid 1").replace(&to, &token);
    assert_eq!(office.receive(back.as_bytes()).unwrap().outcome, Outcome::Answered { done: 0, total: 0 });
    // A player with another's letter is told, and learns nothing from it.
    let wrong_seat = answer("anna@example.net", &ben, "bid 1");
    assert_eq!(office.receive(wrong_seat.as_bytes()).unwrap().outcome, Outcome::Answered { done: 0, total: 0 });
    let told = take_mail(&office, "lone-pine.A.re");
    assert!(body(&told).contains("does not answer a letter"), "{told}");
    // An invented token.
    let to = field(&anna, "Reply-To").to_owned();
    let forged = answer("anna@example.net", &anna, "bid 1").replace(&to, &to.replace(".q0.", ".q7."));
    office.receive(forged.as_bytes()).unwrap();
    assert_eq!(decisions(&office), 0);
    // An automatic answer is filed without an answer.
    let machine =
        answer("anna@example.net", &anna, "bid 1").replacen("Subject:", "Auto-Submitted: auto-replied\nSubject:", 1);
    let before = outbox(&office).len();
    assert!(matches!(office.receive(machine.as_bytes()).unwrap().outcome, Outcome::Filed(_)));
    assert_eq!(outbox(&office).len(), before);
    assert_eq!(office.host().mail(MailFolder::Refused).unwrap().list().unwrap().len(), 2);
}

#[test]
fn who_has_not_joined_is_told_how_and_greetings_are_no_orders() {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&NewGame { join_all: false, ..table() }).unwrap();
    let letter = take_mail(&office, "lone-pine.A.invitation");
    office.receive(answer("anna@example.net", &letter, "I have never played this").as_bytes()).unwrap();
    let told = take_mail(&office, "lone-pine.A.re");
    assert!(body(&told).contains("Reply `join`"), "{told}");
    office.receive(answer("anna@example.net", &letter, "join luck owls\nSee you soon!").as_bytes()).unwrap();
    let told = take_mail(&office, "lone-pine.A.re");
    assert!(body(&told).starts_with("You have joined. The game begins when Ben and Carl have"), "{told}");
}

#[test]
fn what_cannot_be_meant_is_said_plainly() {
    let (_folder, mut office) = begun();
    let anna = take_mail(&office, "lone-pine.A.");
    let mut ask = |text: &str| {
        office.receive(answer("anna@example.net", &anna, text).as_bytes()).unwrap();
        let mail = take_mail(&office, "lone-pine.A.re");
        narrow(&mail);
        body(&mail).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let told = ask("1zz");
    assert!(told.contains("Question 1 has no option zz; its options go from a to"), "{told}");
    let told = ask("7a");
    assert!(told.contains("There is no question 7; the letter you answer lists 1."), "{told}");
    let told = ask("standing gif: carl");
    assert!(told.contains("no kind of question called \"gif\"; choose gift."), "{told}");
    // A kind of question that the rules name can be answered in advance before it has ever been
    // asked.
    assert!(ask("standing gift: give carl").contains("done standing gift: give carl"));
    // A player without a question is told for whom the game waits.
    let told = ask("bid 0");
    assert!(told.contains("your orders were carried out"), "{told}");
    let letter = {
        office.receive(answer("anna@example.net", &anna, "status").as_bytes()).unwrap();
        take_mail(&office, "lone-pine.A.re")
    };
    office.receive(answer("anna@example.net", &letter, "bid 1").as_bytes()).unwrap();
    let told = take_mail(&office, "lone-pine.A.re");
    assert!(told.contains("nothing is asked of you now. The game waits for\nBen and Carl."), "{told}");
}

#[test]
fn the_same_mail_twice_changes_nothing() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    let raw = answer("anna@example.net", &letter, "bid 4");
    office.receive(raw.as_bytes()).unwrap();
    let (journal, mails) = (std::fs::read(office.host().journal("lone-pine")).unwrap(), outbox(&office));
    for _ in 0..2 {
        assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Again);
        office.close_games();
    }
    assert_eq!(std::fs::read(office.host().journal("lone-pine")).unwrap(), journal);
    assert_eq!(outbox(&office), mails);
    // Another answer to the same letter is too late.
    let late = answer("anna@example.net", &letter, "bid 5");
    office.receive(late.as_bytes()).unwrap();
    assert_eq!(decisions(&office), 1);
}

/// Removes everything stored after `before`, except the notes of appends and of what their letters
/// say, which are synced before the lines are appended.
fn append_noted(folder: &std::path::Path, before: &[u8]) {
    let path = folder.join("secrets/lone-pine.jsonl");
    let now = std::fs::read_to_string(&path).unwrap();
    let (old, new) = now.split_at(before.len());
    assert_eq!(old.as_bytes(), before);
    let noted = |line: &&str| line.starts_with("{\"append\":") || line.starts_with("{\"told\":");
    let notes: String = new.split_inclusive('\n').filter(noted).collect();
    assert!(!notes.is_empty());
    std::fs::write(path, old.to_owned() + &notes).unwrap();
}

#[test]
fn a_word_that_ends_nothing_does_not_hold_up_the_orders_behind_it() {
    let (folder, mut office) = begun();
    let letters = ["A", "B", "C"].map(|seat| take_mail(&office, &format!("lone-pine.{seat}.")));
    office.receive(answer("ben@example.net", &letters[1], "bid 0").as_bytes()).unwrap();
    office.receive(answer("carl@example.net", &letters[2], "bid 0").as_bytes()).unwrap();
    // Alone or first in a mail, it is not an answer.
    office.receive(answer("anna@example.net", &letters[0], "enough\nbid 4").as_bytes()).unwrap();
    let told = take_mail(&office, "lone-pine.A.re");
    assert!(body(&told).contains("Reply `yes` to carry out: bid 4"), "{told}");
    office.close_games();
    let path = office.host().journal("lone-pine");
    let secrets = std::fs::read(office.host().secrets("lone-pine")).unwrap();
    let before = std::fs::read(&path).unwrap();
    let raw = answer("anna@example.net", &letters[0], "bid 4\nenough\ngive ben");
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 3, total: 3 });
    assert!(body(&take_mail(&office, "lone-pine.A.re")).contains("done      enough (nothing was left"));
    let whole = std::fs::read(&path).unwrap();
    drop(office);
    // Wherever the service is interrupted, no order is carried out twice.
    for length in (before.len()..whole.len()).step_by(97).chain([whole.len()]) {
        std::fs::write(&path, &whole[..length]).unwrap();
        append_noted(folder.path(), &secrets);
        let mut office = office_in(folder.path());
        // An interrupted program has not updated the index.
        office.store().forget().unwrap();
        let outcome = office.receive(raw.as_bytes()).unwrap().outcome;
        // The answer to a mail whose entries are complete is written without the mail.
        let answered = Outcome::Answered { done: 3, total: 3 };
        assert_eq!(outcome, if length == whole.len() { Outcome::Again } else { answered }, "cut at {length}");
        assert_eq!(std::fs::read(&path).unwrap(), whole, "cut at {length}: {outcome:?}");
    }
}

#[test]
fn a_word_that_ends_nothing_is_skipped_behind_what_was_not_done() {
    let (_folder, mut office) = begun();
    let letters = ["A", "B", "C"].map(|seat| take_mail(&office, &format!("lone-pine.{seat}.")));
    office.receive(answer("ben@example.net", &letters[1], "bid 0").as_bytes()).unwrap();
    office.receive(answer("carl@example.net", &letters[2], "bid 0").as_bytes()).unwrap();
    let raw = answer("anna@example.net", &letters[0], "bid 4\ngive anna\nenough");
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 1, total: 3 });
    let letter = take_mail(&office, "lone-pine.A.re");
    let reply = body(&letter);
    assert!(reply.contains("not done  give anna") && reply.contains("skipped   enough"), "{reply}");
}

#[test]
fn standing_orders_answer_ahead() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    office.receive(answer("anna@example.net", &letter, "bid 0\nstanding bid: 1; 77; 3").as_bytes()).unwrap();
    let journal = std::fs::read_to_string(office.host().journal("lone-pine")).unwrap();
    assert!(journal.contains("\"kind\":\"sealed\"") && !journal.contains("orders"), "{journal}");
    for (seat, text) in [(1, "bid 2"), (2, "bid 0"), (1, "give carl")] {
        office.order("lone-pine", postrider_table::Seat(seat), text).unwrap();
    }
    // The second Round has begun: Anna's 1 was bid at once, and she got no letter.
    let journal = std::fs::read_to_string(office.host().journal("lone-pine")).unwrap();
    assert_eq!(journal.matches("\"via\":\"standing\"").count(), 1);
    assert!(!outbox(&office).iter().any(|mail| mail.0.contains(".A.") && mail.0.ends_with("letter")));
    for (seat, text) in [(1, "bid 2"), (2, "bid 0"), (1, "give carl")] {
        office.order("lone-pine", postrider_table::Seat(seat), text).unwrap();
    }
    // 77 is not a bid: the standing order is ended and revealed, and Anna is asked.
    let journal = std::fs::read_to_string(office.host().journal("lone-pine")).unwrap();
    assert!(journal.contains("\"kind\":\"unsealed\""));
    let told = take_mail(&office, "lone-pine.A.");
    let told = if told.contains("77") { told } else { take_mail(&office, "letter") };
    narrow(&told);
    insta::assert_snapshot!("standing-dropped", body(&told));
}

#[test]
fn a_breakdown_of_the_rules_loses_nothing() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    let raw = answer("anna@example.net", &letter, "bid 13");
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 0, total: 1 });
    assert!(body(&take_mail(&office, ".A.re")).contains("We are sorry"));
    assert!(office.order("lone-pine", postrider_table::Seat(0), "bid 3").unwrap().0.contains("done      bid 3"));
}

#[test]
fn preview_help_and_status_change_nothing() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    let journal = std::fs::read(office.host().journal("lone-pine")).unwrap();
    let ask = |office: &mut Office, text: &str| {
        office.receive(answer("ben@example.net", &letter, text).as_bytes()).unwrap();
        let mail = take_mail(office, "lone-pine.B.re");
        narrow(&mail);
        body(&mail).to_owned()
    };
    insta::assert_snapshot!("preview", ask(&mut office, "preview\nbid 4\nbidd four\ngive anna"));
    insta::assert_snapshot!("help", ask(&mut office, "help"));
    assert!(ask(&mut office, "help bid").contains("The highest bid wins the coin."));
    assert!(ask(&mut office, "help bit").contains("`help bid`"));
    assert!(ask(&mut office, "help xylophone").contains("There is no help on"));
    let undo = ask(&mut office, "help undo");
    assert!(undo.contains("takes your last order back") && !undo.contains("has every order wait"), "{undo}");
    assert!(ask(&mut office, "help resign").contains("gives up the game"));
    assert!(ask(&mut office, "status").contains("WHERE YOU STAND"));
    assert!(ask(&mut office, "standing").contains("no standing orders"));
    assert_eq!(std::fs::read(office.host().journal("lone-pine")).unwrap(), journal);
}

#[test]
fn hosts_without_sub_addressing_carry_the_token_in_the_subject() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(SETTINGS), "address = \"game@play.example.org\"\nseparator = \"\"\n").unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&table()).unwrap();
    let letter = take_mail(&office, "lone-pine.A.").replace("\n ", " ");
    assert!(field(&letter, "Reply-To").contains("game@play.example.org"));
    let raw = answer("anna@example.net", &letter, "bid 1");
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 1, total: 1 });
    let reply = take_mail(&office, ".A.re");
    assert!(Incoming::parse(reply.as_bytes()).unwrap().subject.starts_with("Re: [lone-pine q"), "{reply}");
}

#[test]
fn who_says_that_he_plays_has_joined() {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&NewGame { join_all: false, ..table() }).unwrap();
    for (name, text) in
        [("anna", "Join, please\nluck seven horses"), ("ben", "Yes, I will play!\n\nBen"), ("carl", "Hi,\n\nyes\n")]
    {
        let letter = take_mail(&office, &format!("lone-pine.{}.", name[..1].to_uppercase()));
        office.receive(answer(&format!("{name}@example.net"), &letter, text).as_bytes()).unwrap();
        let told = take_mail(&office, &format!("lone-pine.{}.re", name[..1].to_uppercase()));
        assert!(body(&told).contains("You have joined"), "{told}");
    }
    let luck = office.change("lone-pine", |_, tx| Ok(tx.live.joined[0].clone())).unwrap();
    assert!(format!("{luck:?}").contains("seven horses"), "{luck:?}");
}

#[test]
fn who_asks_has_not_joined() {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&NewGame { join_all: false, ..table() }).unwrap();
    let letter = take_mail(&office, "lone-pine.A.");
    office.receive(answer("anna@example.net", &letter, "Yes? What is this?").as_bytes()).unwrap();
    assert!(!body(&take_mail(&office, "lone-pine.A.re")).contains("You have joined"));
}

#[test]
fn an_order_given_too_early_is_kept_for_then() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    let raw = answer("anna@example.net", &letter, "bid 4\nGive Carl, please");
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 2, total: 2 });
    let told = take_mail(&office, "lone-pine.A.re");
    assert!(body(&told).contains("kept for then: Give Carl"), "{told}");
    office.receive(answer("anna@example.net", &told, "standing").as_bytes()).unwrap();
    assert!(body(&take_mail(&office, "lone-pine.A.re")).contains("gift, once in this Round: Give Carl"));
    let journal = std::fs::read_to_string(office.host().journal("lone-pine")).unwrap();
    assert!(journal.contains("\"kind\":\"sealed\"") && !journal.contains("Give Carl"), "{journal}");
    for seat in [1, 2] {
        office.order("lone-pine", postrider_table::Seat(seat), "bid 0").unwrap();
    }
    let journal = std::fs::read_to_string(office.host().journal("lone-pine")).unwrap();
    assert!(journal.contains(r#""order":{"give":{"to":2}}"#) && journal.contains(r#""via":"standing""#), "{journal}");
    // In the next Round he keeps another one, and his bid loses; nothing of it remains.
    let letter = take_mail(&office, "lone-pine.A.");
    office.receive(answer("anna@example.net", &letter, "bid 0\ngive ben").as_bytes()).unwrap();
    assert!(body(&take_mail(&office, "lone-pine.A.re")).contains("kept for then: give ben"));
    office.order("lone-pine", postrider_table::Seat(1), "bid 1").unwrap();
    office.order("lone-pine", postrider_table::Seat(2), "bid 0").unwrap();
    office.order("lone-pine", postrider_table::Seat(1), "give anna").unwrap();
    let told = take_mail(&office, "lone-pine.A.").replace('\n', " ");
    assert!(told.contains("\"give ben\" was kept for a question that did not come"), "{told}");
}

#[test]
fn whoever_wants_it_confirms_every_order() {
    let (folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    office.receive(answer("ben@example.net", &letter, "Confirm always").as_bytes()).unwrap();
    let told = take_mail(&office, "lone-pine.B.re");
    assert!(body(&told).contains("Every order of yours is confirmed first"), "{told}");
    drop(office);
    let mut office = office_in(folder.path());
    office.receive(answer("ben@example.net", &letter, "bid 4").as_bytes()).unwrap();
    assert_eq!(decisions(&office), 0);
    let told = take_mail(&office, "lone-pine.B.re");
    assert!(body(&told).contains("Reply `yes` to carry out: bid 4."), "{told}");
    office.receive(answer("ben@example.net", &told, "yes").as_bytes()).unwrap();
    assert_eq!(decisions(&office), 1);
    take_mail(&office, "lone-pine.B.re");
    // The setting is only Ben's, and he can end it.
    let anna = take_mail(&office, "lone-pine.A.");
    office.receive(answer("anna@example.net", &anna, "bid 1").as_bytes()).unwrap();
    assert_eq!(decisions(&office), 2);
    office.receive(answer("ben@example.net", &told, "confirm never\nstatus").as_bytes()).unwrap();
    assert!(body(&take_mail(&office, "lone-pine.B.re")).contains("Clear orders are carried out"));
}

#[test]
fn orders_wait_and_are_taken_back_before_anybody_learns_of_them() {
    let (folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    office.receive(answer("ben@example.net", &letter, "delay 10 minutes").as_bytes()).unwrap();
    assert!(body(&take_mail(&office, "lone-pine.B.re")).contains("They wait 10 minutes"));
    let raw = answer("ben@example.net", &letter, "bid 4");
    let before = std::fs::read(office.host().journal("lone-pine")).unwrap();
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 0, total: 0 });
    let told = take_mail(&office, "lone-pine.B.re");
    assert!(body(&told).contains("Your orders wait until"), "{told}");
    office.receive(answer("ben@example.net", &letter, "stop").as_bytes()).unwrap();
    assert!(body(&take_mail(&office, "lone-pine.B.re")).contains("Taken back, and never done: \"bid 4\""));
    let later = |office: &mut Office, minutes: i64| {
        if let Environment::Fixed { now, .. } = office.environment() {
            *now += chrono::Duration::minutes(minutes);
        }
        office.tick("lone-pine").unwrap();
    };
    later(&mut office, 11);
    assert_eq!(std::fs::read(office.host().journal("lone-pine")).unwrap(), before);
    // An order that is not taken back is carried out after the delay, once, even if the service was
    // restarted.
    let raw = answer("ben@example.net", &letter, "bid 5");
    office.receive(raw.as_bytes()).unwrap();
    take_mail(&office, "lone-pine.B.re");
    drop(office);
    let mut office = office_in(folder.path());
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Again);
    later(&mut office, 9);
    assert_eq!(decisions(&office), 0);
    later(&mut office, 15);
    assert_eq!(decisions(&office), 1);
    assert!(body(&take_mail(&office, "lone-pine.B.re")).contains("done      bid 5"));
    later(&mut office, 60);
    assert_eq!(decisions(&office), 1);
    assert!(std::fs::read_to_string(office.host().journal("lone-pine")).unwrap().contains(r#""words":""#));
}
