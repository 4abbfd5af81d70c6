//! The reasons for letters, and their words: games by mail of every system, checked letter by
//! letter.

use crate::english::Texts;
use mail_parser::MessageParser;
use postrider::{
    demo::{Demo, Finished, play_demo},
    games::rulesets,
    replay::Catalog,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

/// Number of mails written in each game.
const MAILS: usize = 30;

/// A letter as received.
struct Letter {
    /// Its location, for messages.
    place: String,
    /// Its subject, without the mark of an answer.
    subject: String,
    /// `true` if it answers a mail of its reader.
    answers: bool,
    /// The Turn in its subject.
    turn: String,
    /// The titles of the questions.
    questions: Vec<String>,
    text: String,
    /// The text of its HTML part, with a line for each block.
    html: String,
}

fn blocks(html: &str) -> String {
    let body = html.split_once("<body").map_or(html, |(_, body)| body);
    let inline =
        |tag: &str| ["span", "a ", "b>", "small"].iter().any(|name| tag.trim_start_matches('/').starts_with(name));
    let (first, rest) = body.split_once('>').unwrap_or_default();
    let mut text = String::with_capacity(first.len());
    for (at, part) in rest.split('<').enumerate() {
        let (tag, words) = if at == 0 { ("", part) } else { part.split_once('>').unwrap_or_default() };
        text.push_str(if inline(tag) || tag == "/a" { "" } else { "\n" });
        text.push_str(words);
    }
    [("&quot;", "\""), ("&#x27;", "'"), ("&#x2f;", "/"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
        .iter()
        .fold(text, |text, (coded, plain)| text.replace(coded, plain))
}

fn read(place: String, raw: &[u8]) -> Letter {
    let mail = MessageParser::default().parse(raw).expect("a mail");
    let text = mail.body_text(0).expect("a text part").replace("\r\n", "\n");
    let subject = mail.subject().unwrap_or_default();
    let turn = subject.rsplit_once("Turn ").map_or("", |(_, rest)| rest.split([',', ':']).next().unwrap_or_default());
    let asked = text.split("\nANSWER by").next().unwrap_or_default();
    let title = |line: &str| {
        let (number, title) = line.strip_prefix("  ")?.split_once(". ")?;
        (number.parse::<u8>().is_ok() && !title.starts_with(' ')).then(|| title.to_owned())
    };
    let in_reply_to = mail.in_reply_to().as_text().unwrap_or_default();
    Letter {
        place,
        subject: subject.trim_start_matches("Re: ").to_owned(),
        html: blocks(&mail.body_html(0).unwrap_or_default()),
        answers: in_reply_to.ends_with("@example.net"),
        turn: turn.to_owned(),
        questions: asked.lines().filter_map(title).collect(),
        text,
    }
}

fn letters(ruleset: &str, standing: bool) -> Vec<Vec<Letter>> {
    let rules = rulesets().iter().find(|rules| rules.name() == ruleset).expect("a game");
    let demo = Demo {
        ruleset: ruleset.to_owned(),
        seats: if rules.seats().contains(&4) { 4 } else { 2 },
        seed: Some(11),
        most: Some(MAILS),
        bot: standing.then(|| rules.bots()[0].name.to_owned()),
        standing,
        ..Demo::default()
    };
    played(demo).1
}

fn played(demo: Demo) -> (Finished, Vec<Vec<Letter>>) {
    let folder = tempfile::tempdir().expect("there is room");
    let demo = Demo { folder: folder.path().to_owned(), ..demo };
    let played = play_demo(&demo, Catalog::new(postrider::games::rulesets()), &mut |_, _| {}).expect("a game by mail");
    let of_player = |folder: fs::DirEntry| {
        let mails =
            fs::read_dir(folder.path().join("new")).expect("a Maildir").map(|mail| mail.expect("a mail").path());
        let mut mails: Vec<_> = mails.collect();
        mails.sort();
        let read = |path: std::path::PathBuf| read(path.display().to_string(), &fs::read(path).expect("it is there"));
        mails.into_iter().map(read).collect()
    };
    let letters =
        fs::read_dir(&played.mailboxes).expect("mailboxes").map(|folder| of_player(folder.expect("one"))).collect();
    (played, letters)
}

#[test]
fn a_round_has_one_subject() {
    for rules in rulesets() {
        let demo = Demo {
            ruleset: rules.name().to_owned(),
            seats: *rules.seats().end().min(&3),
            seed: Some(5),
            most: Some(90),
            bot: Some(rules.bots()[0].name.to_owned()),
            ..Demo::default()
        };
        let (finished, letters) = played(demo);
        let all: Vec<&Letter> = letters.iter().flatten().collect();
        let subjects: BTreeSet<&str> = all.iter().map(|letter| letter.subject.as_str()).collect();
        // Invitations and phases before and after Rounds have subjects of their own.
        assert!(subjects.len() <= finished.rounds + 5, "{}: {} Rounds, {subjects:#?}", rules.name(), finished.rounds);
        for letter in all {
            let answer = letter.text.contains("\nANSWER by replying");
            let asks = !letter.questions.is_empty() || letter.text.contains("join luck");
            assert_eq!(answer, asks, "{}: {}", letter.place, letter.text);
            let taps = letter.html.contains("tap an answer and send the mail that opens");
            assert_eq!(taps, asks, "{}: {}", letter.place, letter.html);
        }
    }
}

#[test]
fn standing_orders_are_offered_after_the_third_time() {
    let demo = |offered| Demo {
        ruleset: "geronimo".to_owned(),
        seats: 3,
        seed: Some(5),
        most: Some(120),
        bot: Some("steady".to_owned()),
        offered,
        ..Demo::default()
    };
    let (finished, letters) = played(demo(true));
    let (plain, others) = played(demo(false));
    assert!(finished.rounds > plain.rounds, "{} and {} Rounds", finished.rounds, plain.rounds);
    let offers = |letter: &Letter| {
        let line = letter.text.lines().find_map(|line| line.strip_prefix("     standing "));
        line.map(str::to_owned).inspect(|line| {
            assert!(!letter.text.contains("You have answered 0 ") && !letter.text.contains("You have answered 2 "));
            assert!(letter.html.contains(&format!("standing {line}")), "{}", letter.html);
        })
    };
    let mut accepted = 0;
    for letters in &letters {
        let mut known = BTreeSet::new();
        for line in letters.iter().filter_map(offers) {
            assert!(known.insert(line.clone()), "{line} is offered again");
        }
        accepted += known.len();
    }
    assert!(accepted > 2, "{accepted}");
    // A player who does not accept is offered it twice more, in the player's own words.
    let mut usual = 0;
    for letters in &others {
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        for (at, letter) in letters.iter().enumerate() {
            let Some(line) = offers(letter) else { continue };
            let (kind, order) = line.split_once(" always: ").expect("an order");
            *times.entry(kind.to_owned()).or_default() += 1;
            if order != "as advised" && !order.contains(" if ") {
                let done = format!("\n  done      {order}\n");
                usual += 1;
                assert!(letters[..=at].iter().filter(|other| other.text.contains(&done)).count() > 1, "{order}");
            }
        }
        assert!(times.values().all(|&times| times <= 3), "{times:?}");
    }
    assert!(usual > 0);
}

#[test]
fn letters_agree_in_number() {
    for rules in rulesets() {
        let mut texts = Texts::with_unchanged(&["regular", "warrior"]);
        for letters in [false, true].map(|standing| letters(rules.name(), standing)) {
            letters.iter().flatten().for_each(|letter| texts.add(&letter.html));
        }
        let faults = texts.faults();
        assert!(
            texts.len() > 200 && faults.is_empty(),
            "{}: {} texts\n{}",
            rules.name(),
            texts.len(),
            faults.join("\n")
        );
    }
}

/// Every letter asks something new, answers a mail of its reader, or begins a Turn: no player gets
/// two letters with the same questions. No letter is empty.
#[test]
fn no_letter_is_written_for_nothing() {
    let (mut unasked, mut asking) = (0, 0);
    for rules in rulesets() {
        for standing in [false, true] {
            for letters in letters(rules.name(), standing) {
                for letter in &letters {
                    let says = ["join", "done ", "SINCE YOUR LAST MAIL", "WHERE YOU STAND", "What", "NOW"];
                    let empty = letter.questions.is_empty() && !says.iter().any(|says| letter.text.contains(says));
                    assert!(!empty, "{}: {}", letter.place, letter.text);
                    asking += usize::from(!letter.questions.is_empty());
                }
                for pair in letters.windows(2) {
                    let (before, letter) = (&pair[0], &pair[1]);
                    if letter.answers || letter.turn != before.turn || letter.questions.is_empty() {
                        continue;
                    }
                    unasked += 1;
                    let new = letter.questions.iter().any(|question| !before.questions.contains(question));
                    // With standing orders a question may be answered and asked again between two
                    // letters.
                    assert!(new || standing, "{} asks what {} did: {}", letter.place, before.place, letter.text);
                }
            }
        }
    }
    assert!(unasked > 40 && asking > 150, "{unasked} of {asking}");
}
