//! The reasons for letters: games by mail of every system, checked letter by letter.

use mail_parser::MessageParser;
use postrider::{
    demo::{Demo, play_demo},
    games::rulesets,
    replay::Catalog,
};
use std::fs;

/// Number of mails written in each game.
const MAILS: usize = 30;

/// A letter as received.
struct Letter {
    /// Its location, for messages.
    place: String,
    /// `true` if it answers a mail of its reader.
    answers: bool,
    /// The Turn in its subject.
    turn: String,
    /// The titles of the questions.
    questions: Vec<String>,
    text: String,
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
        answers: in_reply_to.ends_with("@example.net"),
        turn: turn.to_owned(),
        questions: asked.lines().filter_map(title).collect(),
        text,
    }
}

/// Returns the letters of each player, in order of arrival.
fn letters(ruleset: &str, standing: bool) -> Vec<Vec<Letter>> {
    let folder = tempfile::tempdir().expect("there is room");
    let rules = rulesets().iter().find(|rules| rules.name() == ruleset).expect("a game");
    let demo = Demo {
        folder: folder.path().to_owned(),
        ruleset: ruleset.to_owned(),
        seats: if rules.seats().contains(&4) { 4 } else { 2 },
        seed: Some(11),
        most: Some(MAILS),
        bot: standing.then(|| rules.bots()[0].name.to_owned()),
        standing,
        id: None,
        ..Demo::default()
    };
    let played = play_demo(&demo, Catalog::new(postrider::games::rulesets()), &mut |_, _| {}).expect("a game by mail");
    let of_player = |folder: fs::DirEntry| {
        let mails =
            fs::read_dir(folder.path().join("new")).expect("a Maildir").map(|mail| mail.expect("a mail").path());
        let mut mails: Vec<_> = mails.collect();
        mails.sort();
        let read = |path: std::path::PathBuf| read(path.display().to_string(), &fs::read(path).expect("it is there"));
        mails.into_iter().map(read).collect()
    };
    fs::read_dir(&played.mailboxes).expect("mailboxes").map(|folder| of_player(folder.expect("one"))).collect()
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
