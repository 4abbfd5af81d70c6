//! The mails of Geronimo! as players read them.

use chrono::{TimeZone, Utc};
use mail_parser::MessageParser;
use postrider::{
    demo::{Demo, play_demo},
    dice::sha256,
    letters::text::WIDTH,
    mailbox::MaildirFolder,
    office::{Environment, Invitee, NewGame, Office, Outcome, RewindGame, RulingGiven},
    replay::{Catalog, Terms},
    store::{Host, MailFolder},
    table::Seat,
};
use std::{collections::BTreeMap, path::Path};
use tempfile::TempDir;

const GAME: &str = "lone-pine";

/// A table for four, the same in every run.
struct Table {
    _folder: TempDir,
    office: Office,
}

impl Table {
    fn invited(join_all: bool) -> Table {
        Table::with(|new| new.join_all = join_all)
    }

    fn with(change: impl FnOnce(&mut NewGame)) -> Table {
        let folder = tempfile::tempdir().expect("a folder");
        let start = Utc.with_ymd_and_hms(2026, 11, 20, 18, 30, 0).unwrap();
        let host = Host::open_or_create(folder.path()).expect("a host's folder");
        let mut office = Office::open(host, Catalog::new(postrider::games::rulesets()), Environment::fixed(7, start))
            .expect("an office");
        let player = |text: &str| text.parse::<Invitee>().expect("a player");
        let mut new = NewGame {
            ruleset: "geronimo".into(),
            id: Some(GAME.into()),
            players: vec![
                player("Anna <anna@example.net>"),
                player("Ben <ben@example.net> America/Denver"),
                player("Carl <carl@example.net>"),
                player("Dora <dora@example.net>"),
            ],
            ..NewGame::default()
        };
        change(&mut new);
        office.new_game(&new).expect("a game");
        Table { _folder: folder, office }
    }

    fn outbox(&self) -> BTreeMap<String, String> {
        let out = self.office.host().mail(MailFolder::Out).expect("the outbox");
        let entries = out.list().expect("its mails").into_iter().filter(|entry| entry.folder == MaildirFolder::New);
        let read = |path: &Path| std::fs::read_to_string(path).expect("mails are UTF-8").replace("\r\n", "\n");
        entries.map(|entry| (entry.unique, read(&entry.path))).collect()
    }

    /// Takes the only mail with this text in its name out of the outbox.
    fn take(&self, holds: &str) -> String {
        let out = self.office.host().mail(MailFolder::Out).expect("the outbox");
        let entry = out.list().expect("its mails").into_iter().find(|entry| entry.unique.contains(holds));
        let entry = entry.unwrap_or_else(|| panic!("no mail {holds} in {:?}", self.outbox().keys()));
        let text = std::fs::read_to_string(&entry.path).expect("mails are UTF-8").replace("\r\n", "\n");
        std::fs::remove_file(entry.path).expect("it can be taken");
        text
    }

    /// Takes all mails out of the outbox; returns the last one to each seat.
    fn drain(&self) -> BTreeMap<u8, String> {
        self.outbox().into_keys().map(|name| (seat_of(&name).0, self.take(&name))).collect()
    }

    fn asked(&self) -> Vec<(String, String)> {
        self.outbox().into_iter().filter(|(_, mail)| asks(mail)).collect()
    }

    /// Answers all questions with the first choice until a wanted mail is in the outbox; returns
    /// its name.
    fn play_until(&mut self, wanted: impl Fn(&str, &str) -> bool) -> String {
        for _ in 0..400 {
            if let Some((name, _)) = self.outbox().into_iter().find(|(name, mail)| wanted(name, mail)) {
                return name;
            }
            let (name, mail) = self.asked().into_iter().next().expect("somebody is asked");
            self.take(&name);
            let seat = seat_of(&name);
            let order = first_choice(&mail);
            let told = self.office.order(GAME, seat, &order).expect("the office works");
            assert!(told.1, "{order}: {}", told.0);
        }
        panic!("no such mail came");
    }

    fn answered(&mut self, who: &str, letter: &str, text: &str) -> (Outcome, String) {
        let seat = seat_letter(who);
        let outcome = self.office.receive(answer(who, letter, text).as_bytes()).expect("the office works").outcome;
        (outcome, self.take(&format!("{GAME}.{seat}.re")))
    }
}

fn seat_letter(who: &str) -> char {
    who.chars().next().expect("a name").to_ascii_uppercase()
}

fn seat_of(mail: &str) -> Seat {
    let letter = mail.strip_prefix(GAME).and_then(|rest| rest.as_bytes().get(1)).expect("a seat");
    Seat(letter - b'A')
}

/// Returns the words of the first choice that a mail lists; if they continue in the next line, its
/// number and letter.
fn first_choice(mail: &str) -> String {
    let mut lines = body(mail).lines();
    let first = lines.find_map(|line| line.strip_prefix("     a ")).expect("a choice");
    let words = first.trim_start().split("  ").next().unwrap_or_default();
    words.trim().to_owned()
}

fn field<'m>(mail: &'m str, name: &str) -> &'m str {
    // A long identifier is on a line of its own.
    let line = mail.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    let line = line.unwrap_or_else(|| panic!("no {name} in {mail}")).trim();
    if !line.is_empty() {
        return line;
    }
    mail.split_once(&format!("\n{name}:\n")).and_then(|(_, rest)| rest.lines().next()).unwrap_or_default().trim()
}

fn body(mail: &str) -> &str {
    let text = mail.split_once("\n\n").expect("a head and a body").1;
    match text.split_once("Content-Type: text/plain").and_then(|(_, part)| part.split_once("\n\n")) {
        Some((_, part)) => part.split_once("\n--postrider-").map_or(part, |(part, _)| part),
        None => text,
    }
}

fn asks(mail: &str) -> bool {
    body(mail).contains("\n  1. ")
}

fn answer(who: &str, letter: &str, text: &str) -> String {
    let to = field(&letter.replace("\n ", " "), "Reply-To").to_owned();
    let (id, own) = (field(letter, "Message-ID"), sha256(text.as_bytes()));
    format!(
        "From: {who}@example.net\nTo: {to}\nSubject: Re: game\nMessage-ID: <{own}@x.example>\nIn-Reply-To: {id}\n\n{text}\n"
    )
}

/// Returns subject and text as a mail program shows them; checks the width of the lines.
fn shown(mail: &str) -> String {
    let parsed = MessageParser::default().parse(mail).expect("a mail");
    let text = parsed.body_text(0).expect("a text").replace("\r\n", "\n");
    for line in text.lines() {
        assert!(line.chars().count() <= WIDTH, "too wide: {line}");
    }
    format!("Subject: {}\n\n{text}", parsed.subject().expect("a subject"))
}

#[test]
fn an_invitation() {
    let table = Table::invited(false);
    insta::assert_snapshot!("invitation", shown(&table.take("lone-pine.B.invitation")));
}

#[test]
fn the_us_sets_up() {
    let mut table = Table::invited(true);
    let name = table.play_until(|_, mail| asks(mail));
    insta::assert_snapshot!("us-set-up", shown(&table.take(&name)));
}

/// Returns the first mail that asks an Indian player for a Shaman Card.
fn indian_letter(table: &mut Table) -> (String, String) {
    let name = table.play_until(|_, mail| {
        mail.contains("Your Shaman Card of this Round") && body(mail).contains("(Indians)") && !is_us(mail)
    });
    let who = ["anna", "ben", "carl", "dora"][seat_of(&name).index()];
    (who.to_owned(), table.take(&name))
}

fn is_us(mail: &str) -> bool {
    mail.contains("You play the US")
}

#[test]
fn an_indian_player_is_asked_for_a_card() {
    let mut table = Table::invited(true);
    let (_, letter) = indian_letter(&mut table);
    insta::assert_snapshot!("indian-card", shown(&letter));
}

#[test]
fn an_answer_goes_wrong_half_way() {
    let mut table = Table::invited(true);
    let (who, letter) = indian_letter(&mut table);
    let card = first_choice(&letter);
    let (outcome, reply) =
        table.answered(&who, &letter, &format!("{card}\nwar paarty of 3 attaks setlement in texas\npass"));
    assert_eq!(outcome, Outcome::Answered { done: 0, total: 0 });
    assert!(body(&reply).contains('^'), "the word is pointed at");
    insta::assert_snapshot!("half-way", shown(&reply));
}

#[test]
fn a_preview_and_a_help() {
    let mut table = Table::invited(true);
    let (who, letter) = indian_letter(&mut table);
    let card = first_choice(&letter);
    let (_, reply) = table.answered(&who, &letter, &format!("preview\n{card}\nsettel the moon"));
    insta::assert_snapshot!("preview", shown(&reply));
    // The order may follow the word on the same line. Similar words also prevent execution.
    for (text, says) in [
        (format!("preview {card}"), "PREVIEW: nothing was done."),
        (format!("Please preview: {card}"), "Nothing was done yet"),
        (format!("{card}\n\nPreview only, please."), "Nothing was done yet"),
    ] {
        let (_, reply) = table.answered(&who, &letter, &text);
        assert!(shown(&reply).contains(says), "{text}: {reply}");
    }
    let (_, reply) = table.answered(&who, &letter, "help");
    insta::assert_snapshot!("help", shown(&reply));
    let (_, reply) = table.answered(&who, &letter, "help evasion");
    insta::assert_snapshot!("help-evasion", shown(&reply));
}

#[test]
fn a_bot_plays_the_demonstration_by_mail() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = |at: &str| Demo {
        folder: folder.path().join(at),
        ruleset: "geronimo".into(),
        seats: 4,
        seed: Some(7),
        most: Some(90),
        bot: Some("steady".into()),
        id: None,
        ..Demo::default()
    };
    let played =
        play_demo(&demo("once"), Catalog::new(postrider::games::rulesets()), &mut |_, _| {}).expect("a game by mail");
    assert_eq!((played.written, played.failed), (90, 0));
    let journal = std::fs::read_to_string(&played.journal).expect("a journal");
    // War Parties of a size suitable for the target.
    assert!(journal.contains("\"war-party\":{"), "somebody attacks");
    // The same seed gives the same game.
    let again =
        play_demo(&demo("again"), Catalog::new(postrider::games::rulesets()), &mut |_, _| {}).expect("a game by mail");
    assert_eq!(std::fs::read_to_string(&again.journal).expect("a journal"), journal);
    let none = Demo { bot: Some("wobbly".into()), ..demo("none") };
    let why = play_demo(&none, Catalog::new(postrider::games::rulesets()), &mut |_, _| {})
        .expect_err("no such bot")
        .to_string();
    assert!(why.contains("steady"), "{why}");
}

#[test]
fn a_turn_ends_and_a_game_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo {
        folder: folder.path().to_owned(),
        ruleset: "geronimo".into(),
        seats: 3,
        seed: Some(7),
        id: None,
        ..Demo::default()
    };
    let played = play_demo(&demo, Catalog::new(postrider::games::rulesets()), &mut |_, _| {}).expect("a game by mail");
    assert!(played.over, "{}", played.outcome);
    let mut mails: Vec<_> = std::fs::read_dir(played.mailboxes.join("anna/new"))
        .expect("Anna's mails")
        .map(|mail| mail.expect("a mail").path())
        .collect();
    mails.sort();
    let read = |path: &Path| std::fs::read_to_string(path).expect("mails are UTF-8").replace("\r\n", "\n");
    let turn_end = mails.iter().map(|path| read(path)).find(|mail| body(mail).contains("Turn 4, End of Turn"));
    insta::assert_snapshot!("turn-end", shown(&turn_end.expect("Turn 4 ends")));
    let last = read(mails.last().expect("a last mail"));
    for name in ["Anna", "Ben", "Carl"] {
        assert!(body(&last).contains(name));
    }
    insta::assert_snapshot!("the-end", shown(&last));
}

#[test]
fn what_the_host_does_is_told_by_letter() {
    let mut table = Table::with(|new| {
        new.join_all = true;
        new.clock = Some(Terms::new("72h").expect("terms"));
    });
    let name = table.play_until(|_, mail| mail.contains("Your Shaman Card of this Round"));
    let late = seat_of(&name);
    let other = (0..4).find(|&seat| seat != late.0).expect("another seat");
    table.drain();
    let hours = |table: &mut Table, hours: i64| {
        table.office.environment().advance(hours * 3600);
        table.office.tick(GAME).expect("the office works");
        table.drain()
    };
    insta::assert_snapshot!("reminder", shown(&hours(&mut table, 36)[&late.0]));
    insta::assert_snapshot!("late", shown(&hours(&mut table, 36)[&other]));
    table.office.directing(GAME).pause(true).expect("it can be paused");
    insta::assert_snapshot!("paused", shown(&table.drain()[&other]));
    table.office.directing(GAME).pause(false).expect("it goes on");
    table.drain();
    table.office.directing(GAME).stand_in(late, Some("steady")).expect("a bot stands in");
    insta::assert_snapshot!("stand-in", shown(&table.drain()[&other]));
    table.office.directing(GAME).stand_in(late, None).expect("he is back");
    table.drain();
    let ruling = RulingGiven {
        by: "host".into(),
        text: "Names of Tribes may be cut short to three letters.".into(),
        effect: serde_json::json!({}),
        of: None,
    };
    table.office.directing(GAME).rule(&ruling).expect("a ruling");
    insta::assert_snapshot!("ruling", shown(&table.drain()[&other]));
    let to = "turn 4 round 1".parse().expect("a moment");
    let back = RewindGame { to, by: "host".into(), reason: "a Column was misplaced".into(), dry_run: false };
    table.office.directing(GAME).rewind(&back).expect("a rewind");
    insta::assert_snapshot!("rewind", shown(&table.drain()[&late.0]));
}

#[test]
fn an_order_is_refused_and_one_is_taken_back() {
    let mut table = Table::invited(true);
    let name = table.play_until(|_, mail| mail.contains("Place a Column of your first troops"));
    let who = ["anna", "ben", "carl", "dora"][seat_of(&name).index()];
    let letter = table.take(&name);
    let (_, refused) = table.answered(who, &letter, "column of 25 in texas on patrol");
    insta::assert_snapshot!("refused", shown(&refused));
    let (_, placed) = table.answered(who, &refused, "Hello!\ncolumn of 6 in texas\nThanks,");
    assert!(body(&placed).contains("  done      column of 6 in texas\n"), "{placed}");
    let (_, back) = table.answered(who, &placed, "back");
    insta::assert_snapshot!("back", shown(&back));
}

#[test]
fn orders_of_a_day_are_limited() {
    let mut table = Table::invited(true);
    let name = table.play_until(|_, mail| body(mail).contains("1. Where the new Settlement goes"));
    let letter = table.take(&name);
    let who = ["anna", "ben", "carl", "dora"][usize::from(seat_of(&name).0)];
    // A mail may hold 200 orders.
    for mail in 0..10 {
        let orders = "offer crow 4\noffer crow 5\n".repeat(100) + &"\n".repeat(mail);
        let (outcome, _) = table.answered(who, &letter, &orders);
        assert_eq!(outcome, Outcome::Answered { done: 200, total: 200 });
    }
    let (outcome, reply) = table.answered(who, &letter, "offer crow 4");
    assert_eq!(outcome, Outcome::Answered { done: 0, total: 1 });
    let reply = body(&reply).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(reply.contains("You have given 2000 orders since midnight (UTC)."), "{reply}");
    table.office.environment().advance(86_400);
    let (outcome, _) = table.answered(who, &letter, "offer crow 5");
    assert_eq!(outcome, Outcome::Answered { done: 1, total: 1 });
}

#[test]
fn every_question_of_a_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut first: BTreeMap<String, String> = BTreeMap::new();
    for (at, seats, most) in [("table", 4, Some(260)), ("alone", 1, Some(120))] {
        let demo = Demo {
            folder: folder.path().join(at),
            ruleset: "geronimo".into(),
            seats,
            seed: Some(11),
            options: BTreeMap::from([("random-events".to_owned(), true.into())]),
            most,
            bot: Some("steady".into()),
            clock: None,
            id: None,
            ..Demo::default()
        };
        let played =
            play_demo(&demo, Catalog::new(postrider::games::rulesets()), &mut |_, _| {}).expect("a game by mail");
        let mut mails: Vec<_> = std::fs::read_dir(&played.mailboxes)
            .expect("mailboxes")
            .flat_map(|player| std::fs::read_dir(player.expect("a player").path().join("new")).expect("mails"))
            .map(|mail| mail.expect("a mail").path())
            .collect();
        mails.sort_by_key(|path| path.file_name().map(std::ffi::OsStr::to_owned));
        for path in mails {
            let letter = shown(&std::fs::read_to_string(path).expect("mails are UTF-8"));
            for question in questions(&letter) {
                let title =
                    question.lines().next().unwrap_or_default().trim_start_matches(|c: char| !c.is_alphabetic());
                let kind: String = title.chars().filter(|c| !c.is_numeric()).collect();
                first.entry(kind).or_insert_with(|| question.clone());
            }
        }
    }
    assert!(first.len() > 35, "{:?}", first.keys());
    insta::assert_snapshot!("questions", first.into_values().collect::<Vec<_>>().join("\n\n"));
}

fn questions(letter: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut within = false;
    for line in body(letter).lines() {
        let begins =
            line.starts_with("  ") && line.trim_start().split_once(". ").is_some_and(|(n, _)| n.parse::<u8>().is_ok());
        within = begins || within && line.starts_with("     ");
        match found.last_mut() {
            _ if begins => found.push(line.to_owned()),
            Some(question) if within => *question += &format!("\n{line}"),
            _ => {}
        }
    }
    found
}
