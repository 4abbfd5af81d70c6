//! Orders of A Dark and Bloody Ground as players write them in replies: actions for later turns,
//! and the breaks that end them.

use chrono::{TimeZone, Utc};
use postrider::{
    demo::{Demo, play_demo},
    dice::sha256,
    games::ruleset,
    mailbox::MaildirFolder,
    office::{Environment, Invitee, NewGame, Office, Outcome},
    replay::Catalog,
    store::{Host, MailFolder},
    table::Seat,
};
use tempfile::TempDir;

const GAME: &str = "fort-washington";
const US: Seat = Seat(0);
const NA: Seat = Seat(1);

/// A game for two by mail.
struct Table {
    _folder: TempDir,
    office: Office,
    /// The latest letter to each seat.
    letters: [String; 2],
}

impl Table {
    /// Opens the first campaign (15.1) at the first action of the US. Reactions are asked for.
    fn new(seed: u64) -> Table {
        let mut table = Table::open(seed, "harmar-1790");
        for _ in 0..40 {
            table.read();
            if table.asks(US, "Your next action") {
                return table;
            }
            // Answers the setup and any other questions; the nations pass until the US acts.
            let na_acts = table.asks(NA, "Your next action");
            let answered = na_acts && table.order(NA, "pass").1
                || !na_acts && (table.order(US, "1a").1 || table.order(NA, "1a").1);
            assert!(answered, "{}", table.letters.concat());
        }
        panic!("the US never acts");
    }

    /// Opens a game in which both seats have left the suggested standing orders, except those for
    /// reactions.
    fn open(seed: u64, scenario: &str) -> Table {
        let folder = tempfile::tempdir().expect("a folder");
        let start = Utc.with_ymd_and_hms(2026, 11, 20, 18, 30, 0).unwrap();
        let host = Host::open_or_create(folder.path()).expect("a host's folder");
        let office = Office::open(host, Catalog::new(postrider::games::rulesets()), Environment::fixed(seed, start))
            .expect("an office");
        let mut table = Table { _folder: folder, office, letters: [String::new(), String::new()] };
        let player = |text: &str| text.parse::<Invitee>().expect("a player");
        let new = NewGame {
            ruleset: "dark-and-bloody-ground".into(),
            id: Some(GAME.into()),
            scenario: Some(scenario.into()),
            players: vec![player("Anna <anna@example.net>"), player("Ben <ben@example.net>")],
            join_all: true,
            ..NewGame::default()
        };
        table.office.new_game(&new).expect("a game");
        for line in ruleset("dark-and-bloody-ground").expect("the game").standing().lines() {
            // Reactions are to be asked for.
            for seat in [US, NA].into_iter().filter(|_| !line.starts_with("standing reaction")) {
                let told = table.order(seat, line);
                assert!(told.1, "{line}: {}", told.0);
            }
        }
        table
    }

    fn order(&mut self, seat: Seat, words: &str) -> (String, bool) {
        self.office.order(GAME, seat, words).expect("the office works")
    }

    fn read(&mut self) {
        let out = self.office.host().mail(MailFolder::Out).expect("the outbox");
        let mut mails: Vec<_> = out.list().expect("its mails");
        mails.retain(|entry| entry.folder == MaildirFolder::New);
        mails.sort_by_key(|entry| std::fs::metadata(&entry.path).and_then(|meta| meta.modified()).ok());
        for entry in mails {
            let text = std::fs::read_to_string(&entry.path).expect("mails are UTF-8").replace("\r\n", "\n");
            std::fs::remove_file(&entry.path).expect("it can be taken");
            let seat = usize::from(entry.unique.starts_with(&format!("{GAME}.B.")));
            self.letters[seat] = text;
        }
    }

    fn text(&self, seat: Seat) -> String {
        let letter = &self.letters[seat.index()];
        let text = letter.split("Content-Type: text/html").next().unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn asks(&self, seat: Seat, title: &str) -> bool {
        self.text(seat).contains(&format!("1. {title}"))
    }

    fn answered(&mut self, text: &str) -> (Outcome, String) {
        self.mailed(US, text)
    }

    fn mailed(&mut self, seat: Seat, text: &str) -> (Outcome, String) {
        let head = |name: &str| {
            let plain = self.letters[seat.index()].replace("\n ", " ");
            let line = plain.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")).map(str::to_owned));
            line.unwrap_or_else(|| panic!("no {name}"))
        };
        let (to, id, own) = (head("Reply-To"), head("Message-ID"), sha256(text.as_bytes()));
        let mail = format!(
            "From: {}@example.net\nTo: {to}\nSubject: Re: game\nMessage-ID: <{own}@x.example>\nIn-Reply-To: {id}\n\n{text}\n",
            ["anna", "ben"][seat.index()]
        );
        let outcome = self.office.receive(mail.as_bytes()).expect("the office works").outcome;
        self.read();
        (outcome, self.text(seat))
    }

    /// The nations pass, without reactions.
    fn na_passes(&mut self) {
        while self.order(NA, "stay").1 {}
        let told = self.order(NA, "pass");
        assert!(told.1, "{}", told.0);
        self.read();
    }

    /// The nations set the first ambush that their letter lists.
    fn na_ambushes(&mut self) {
        while self.order(NA, "stay").1 {}
        self.read();
        let words =
            self.text(NA).split(" ambush ").nth(1).map(|rest| rest.split(' ').take(3).collect::<Vec<_>>().join(" "));
        let told = self.order(NA, &format!("ambush {}", words.expect("an ambush is listed")));
        assert!(told.1, "{}", told.0);
        self.read();
    }
}

const TWO: &str = "move 1 regular from u1 to s4\nmove 1 kentucky-militia from u1 to s4\npass";

fn done(done: usize, total: usize) -> Outcome {
    Outcome::Answered { done, total }
}

#[test]
fn further_actions_of_a_mail_are_used_turn_by_turn() {
    let mut table = Table::new(7);
    let (outcome, told) = table.answered(TWO);
    assert_eq!(outcome, done(3, 3), "{told}");
    for says in [
        "move 1 kentucky-militia from u1 to s4 (for a later turn)",
        "Kept for your next turns, one a turn",
        "enemy beside, trespass, failed activation, ambush",
        "`pass` at their end lets all your further turns of this phase go by",
    ] {
        assert!(told.contains(says), "{says}: {told}");
    }
    // One per turn: the second action is used after the nations have passed, and the phase ends
    // after the last.
    table.na_passes();
    assert!(!table.asks(US, "Your next action"), "{}", table.text(US));
    assert!(table.text(NA).contains("1 kentucky-militia moves to"), "{}", table.text(NA));
    assert!(table.asks(NA, "Your next action"), "{}", table.text(NA));
    table.na_passes();
    assert!(table.text(NA).contains("Fall 1790: raids and end"), "{}", table.text(NA));
}

#[test]
fn a_mail_answers_what_its_first_line_brings_up() {
    let mut table = Table::open(77, "st-clair-1791");
    table.read();
    while !table.asks(NA, "Your set-up") {
        let told = table.order(US, "1a");
        assert!(told.1, "{}", told.0);
        table.read();
    }
    let (outcome, told) = table.mailed(NA, "little turtle at m1, 10 miami at m1\n1 miami at m1");
    assert_eq!(outcome, done(2, 2), "{told}");
    assert!(table.asks(NA, "Your set-up") && told.contains("10 Shawnee"), "{told}");
}

#[test]
fn turns_are_let_go_by_in_one_mail() {
    for text in ["pass\npass", "pass\nPass.", "pass; pass"] {
        let mut table = Table::new(7);
        let (outcome, told) = table.answered(text);
        assert!(outcome == done(2, 2) && told.contains("pass (for a later turn)"), "{text}: {told}");
    }
}

#[test]
fn breaks_end_further_actions_unless_they_are_switched_off() {
    let mut table = Table::new(7);
    assert_eq!(table.answered(TWO).0, done(3, 3));
    table.na_ambushes();
    let asked = table.text(US);
    assert!(table.asks(US, "Your next action"), "{asked}");
    for says in ["have ended (ambush)", "Not used: move 1 kentucky-militia from u1 to s4; pass."] {
        assert!(asked.contains(says), "{says}: {asked}");
    }
    assert!(!asked.contains("1 kentucky-militia moves to"), "{asked}");

    for more in ["even if ambush", "whatever happens"] {
        let mut table = Table::new(7);
        let (outcome, told) = table.answered(&format!("{TWO}\n{more}"));
        assert_eq!(outcome, done(3, 3), "{told}");
        assert!(!told.contains("failed activation, ambush"), "{told}");
        table.na_ambushes();
        assert!(table.text(NA).contains("US S4 1 kentucky-militia"), "{}", table.text(NA));
    }
    let (outcome, told) = table.answered("pass\neven if it rains");
    assert_ne!(outcome, done(2, 2), "{told}");
}

#[test]
fn what_is_no_action_is_not_kept_for_a_turn() {
    for (text, outcome, says) in [
        ("move 1 regular from u1 to s4\nmove 1 regular frm nowhere", done(0, 0), "Not understood"),
        ("move 1 regular from u1 to s4\nmaybe move 1 kentucky-militia from u1 to s4", done(0, 0), "Not understood"),
        ("move 1 regular from u1 to s4\n1a", done(0, 0), "answers this question in two ways"),
        // It may go on in the next line.
        ("move 1 regular from u1 to s4,\ns3", done(0, 0), "as if it went on in the next line"),
        ("move 1 regular from u1 to s4,\n1 kentucky-militia", done(0, 0), "as if it went on in the next line"),
        ("move 1 regular from u1 to s4 (little miami)", done(0, 0), "Not understood"),
        ("move 1 regular from u1 to s4 (piqua)", done(0, 0), "Not understood"),
        (
            "move 1 regular from u1 to s4\nmove 40 regular from u1 to s4",
            done(0, 0),
            "answers this question in two ways",
        ),
    ] {
        let mut table = Table::new(7);
        let (found, told) = table.answered(text);
        assert!(found == outcome && told.contains(says), "{text}: {found:?} {told}");
    }
}

#[test]
fn a_sequence_is_confirmed_as_it_was_shown() {
    let mut table = Table::new(7);
    let (found, told) = table.answered("move 1 regular from u1 to s4\nmove 1 regular from u1 to u3");
    assert!(found == done(0, 0) && told.contains("Reply `yes` to carry out"), "{told}");
    let (found, told) = table.answered("yes");
    assert_eq!(found, done(2, 2), "{told}");
}

#[test]
fn games_with_standing_orders_end() {
    for (scenario, seed) in [("harmar-1790", 1), ("st-clair-1791", 77)] {
        let folder = tempfile::tempdir().expect("there is room");
        let demo = Demo {
            folder: folder.path().to_owned(),
            ruleset: "dark-and-bloody-ground".to_owned(),
            scenario: Some(scenario.to_owned()),
            seats: 2,
            seed: Some(seed),
            bot: Some("steady".to_owned()),
            standing: true,
            ..Demo::default()
        };
        let catalog = Catalog::new(postrider::games::rulesets());
        let finished = play_demo(&demo, catalog, &mut |_, _| {}).expect("a game by mail");
        assert!(finished.over && finished.written > 20, "{scenario}: {} mails", finished.written);
    }
}

#[test]
fn a_preview_says_what_may_stop_a_move() {
    let mut table = Table::new(7);
    let (_, told) = table.answered("preview\nmove harmar, 1 regular from u1 to u3\npass");
    assert!(told.contains("is read as"), "{told}");
    assert!(told.contains("It would be kept for a later turn of yours."), "{told}");
    // An action that the scenario never allows is not kept.
    let (_, told) = table.answered("preview\nmove harmar, 1 regular from u1 to u3\nmove 1 regular from u3 to d5");
    assert!(told.contains("15.1.3") && !told.contains("It would be kept"), "{told}");
}

/// Returns `true` if the US is ever asked for its targets in a battle in which it does not move and
/// everything else is answered automatically.
fn is_asked_to_fire(more: &str) -> bool {
    let mut table = Table::open(3, "harmars-defeat");
    let told = table.order(NA, "standing battle-move always: as advised");
    assert!(told.1, "{}", told.0);
    for _ in 0..60 {
        table.read();
        if table.asks(US, "At whom your units fire") {
            return true;
        }
        if table.asks(US, "How your units move") {
            let (outcome, told) = table.answered(&format!("done\n{more}"));
            assert!(matches!(outcome, Outcome::Answered { done: 1.., .. }), "{told}");
        } else if !table.order(US, "1a").1 && !table.order(NA, "1a").1 {
            return false;
        }
    }
    false
}

#[test]
fn a_pause_holds_what_stands_until_its_writer_answers() {
    assert!(!is_asked_to_fire(""), "it fires at will");
    assert!(is_asked_to_fire("standing pause"));
}

/// dark-and-bloody-ground 10.4.1
#[test]
fn a_done_that_costs_units_waits_for_a_yes() {
    let mut table = Table::open(3, "fallen-timbers");
    table.read();
    while !table.asks(US, "How your units move") {
        assert!(table.order(NA, "1a").1 || table.order(US, "1a").1, "{}", table.letters.concat());
        table.read();
    }
    let (outcome, told) = table.answered("regular 3 0110-0109\nregular 4 0110-0109\ndone");
    assert_eq!(outcome, done(2, 3), "{told}");
    assert_eq!(told.matches("2 units are too many in 0109").count(), 1, "{told}");
    assert!(told.contains("Reply `yes` to carry out: done.") && table.asks(US, "How your units move"), "{told}");
    let (outcome, told) = table.answered("yes");
    assert_eq!(outcome, done(1, 1), "{told}");
    assert!(told.contains("is too many in its hex, and eliminated"), "{told}");
}

/// dark-and-bloody-ground 10.4
#[test]
fn a_preview_tries_its_lines_one_after_the_other() {
    let mut table = Table::open(3, "fallen-timbers");
    table.read();
    while !table.asks(US, "How your units move") {
        assert!(table.order(NA, "1a").1 || table.order(US, "1a").1, "{}", table.letters.concat());
        table.read();
    }
    for word in ["preview", "draft"] {
        let lines = "regular 3 0110-0109\nregular 3 0109-0108\nregular 4 0110-0109\ndone";
        let (_, told) = table.answered(&format!("{word}\n{lines}"));
        assert_eq!(told.matches("It is legal now.").count(), 1, "{word}: {told}");
        assert_eq!(told.matches("It is legal once the orders before it are done.").count(), 2, "{word}: {told}");
        let refused = "It is not legal once the orders before it are done: Regular 3 cannot move now. (Rule 10.4)";
        assert!(told.contains(refused), "{word}: {told}");
        assert!(told.contains("If it stays so, 2 units are too many in 0109"), "{word}: {told}");
        assert!(told.contains(": nothing was done."), "{word}: {told}");
    }
}

/// A bot plays by mail to the end: all its lines are read, including orders of several lines. With
/// `POSTRIDER_GAMES` all scenarios are played, with that many seeds each.
#[test]
fn a_bot_plays_whole_games_by_mail() {
    let seeds = std::env::var("POSTRIDER_GAMES").ok().and_then(|n| n.parse().ok());
    let scenarios = match seeds {
        Some(_) => ruleset("dark-and-bloody-ground").expect("the game").scenarios(),
        None => &["harmars-defeat", "harmar-1790"],
    };
    for scenario in scenarios {
        for seed in 1..=seeds.unwrap_or(1) {
            let folder = tempfile::tempdir().expect("a folder");
            let demo = Demo {
                folder: folder.path().to_owned(),
                ruleset: "dark-and-bloody-ground".into(),
                seats: 2,
                seed: Some(seed),
                scenario: Some((*scenario).to_owned()),
                bot: Some("steady".into()),
                standing: true,
                ..Demo::default()
            };
            let played = play_demo(&demo, Catalog::new(postrider::games::rulesets()), &mut |_, _| {});
            let played = played.unwrap_or_else(|why| panic!("{scenario}, seed {seed}: {why}"));
            assert!(played.over && played.done > played.written, "{scenario}, seed {seed}: {played:?}");
        }
    }
}
