//! A mail is carried out if everything in it is understood, and otherwise waits for a `yes`.

use super::{
    by_mail::{answer, begun, body, decisions, office_in, outbox, table, take_mail},
    needed::*,
};
use postrider_table::Seat;

fn mail(office: &mut Office, letter: &str, text: &str) -> String {
    office.receive(answer("ben@example.net", letter, text).as_bytes()).unwrap();
    take_mail(office, "lone-pine.B.re")
}

fn words(mail: &str) -> String {
    body(mail).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn plain(mail: &str) -> String {
    words(&mail.replace("=\n", "").replace("=E2=80=A6", "…"))
}

/// Plays a Round in which the others bid nothing and Ben gives Anna a coin. Returns his letter for
/// the next Round.
fn next_round(office: &mut Office) -> String {
    for (seat, text) in [(0, "bid 0"), (2, "bid 0"), (1, "give anna")] {
        assert!(office.order("lone-pine", Seat(seat), text).unwrap().1, "{text}");
    }
    // The newest of his letters.
    let question = take_mail(office, "lone-pine.B.");
    if question.contains("Your bid") { question } else { take_mail(office, "lone-pine.B.") }
}

#[test]
fn everyday_words_get_a_hint() {
    let everyday: &[(&str, &[&str])] = &[
        (
            "`undo`",
            &[
                "please undo my last move",
                "I'd like to take back my last move",
                "sorry, wrong one",
                "oops",
                "that was a mistake",
                "ignore my last mail",
                "cancel",
                "I want to take that back",
                "oops, wrong button",
                "can we go back to last turn?",
                "let me redo my move",
            ],
        ),
        (
            "`propose draw`",
            &[
                "can we call it a draw",
                "I offer a draw",
                "let us call it a draw",
                "Ben, draw?",
                "truce?",
                "end the game please",
            ],
        ),
        ("`concede`", &["no thanks", "abandon", "I want to stop playing", "find a replacement for me", "gg you win"]),
        (
            "`status`",
            &[
                "What's the score?",
                "who leads",
                "vps",
                "whose move",
                "who's turn",
                "is it my turn",
                "am I up?",
                "how am I doing",
            ],
        ),
        (
            "`propose extend 3 days`",
            &[
                "need two more days",
                "extend 2 days",
                "sorry I am late, need one more day",
                "can I have an extension?",
                "no time this week",
                "please extend the deadline",
            ],
        ),
        (
            "`away until tuesday`",
            &["I'm ill, back on Tuesday", "gone till Monday", "I am on vacation", "out of office, back next week"],
        ),
        ("`away off`", &["I'm back", "I am back", "back from holiday", "away", "away next week"]),
        ("`propose pause until monday`", &["pause the game", "pause until Monday", "propose pause", "resume"]),
        (
            "`status`",
            &[
                "what can I do",
                "my position",
                "show my hand",
                "my cards",
                "cards",
                "board",
                "resend",
                "again",
                "repeat",
            ],
        ),
        ("`map`", &["where is the map", "show map", "send me the map"]),
        ("`page`", &["show me the page"]),
        // The forms of a command that has none like this.
        (
            "`digest daily`, `digest round`, `digest turn` and `digest off`",
            &["digest hourly", "digest", "digest weekly please"],
        ),
        ("`delay 10 minutes` and `delay off`", &["delay 2 days"]),
        ("`hours 8 to 22` and `hours off`", &["hours 25-30"]),
        (
            "`digest daily`",
            &["stop sending me mails", "fewer mails please", "too many emails", "stop emailing me", "mute ben"],
        ),
        ("You get a reminder", &["remind me"]),
        ("`remind carl`", &["nudge carl", "poke carl", "ping carl"]),
        ("`remind anna`", &["hurry up"]),
        (
            "Reply `status`: it shows until when",
            &[
                "am I late",
                "time left",
                "deadline",
                "when is the deadline?",
                "how much time do I have?",
                "how long do I have",
            ],
        ),
        ("Nothing asks for a `yes`", &["yes", "no"]),
        (
            "`advice`",
            &[
                "do what you think is best",
                "you decide",
                "random",
                "hint",
                "what would you do?",
                "let a bot play for me",
                "same as last time",
            ],
        ),
        ("no such answer", &["skip", "next", "end turn", "finished", "I'm done", "nothing", "none"]),
        ("No proposal", &["Agreed!", "OK, agreed", "I agree to the draw", "fine with me", "cancel my proposal"]),
        (
            "`appeal: …`",
            &[
                "ask the director",
                "I want to complain",
                "this is unfair",
                "Ben cheated",
                "this is a bug",
                "dear host",
                "that's not fair",
            ],
        ),
        ("`games open`", &["any open games?", "list my games"]),
        ("`rematch`", &["new game", "another game please", "play again"]),
        (
            "`my address is now",
            &["I have a new email address: ben@new.example", "change my address", "change my email"],
        ),
        ("`log`", &["what did he do", "what happened", "what's new", "last moves", "show history"]),
        ("`tell carl: …`", &["carl: nice move", "to carl: hi"]),
        ("`my data`", &["delete my account", "delete my data"]),
        ("`help bid`", &["rules", "rulebook"]),
    ];
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    let clock = Some(Terms::new("48h").unwrap());
    office.new_game(&NewGame { clock, ..table() }).unwrap();
    let journal = office.host().journal("lone-pine");
    let before = std::fs::read_to_string(&journal).unwrap();
    let mut told = |text: &str| {
        let told = office.order("lone-pine", Seat(1), text).unwrap().0.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(std::fs::read_to_string(&journal).unwrap(), before, "{text}");
        // Without the questions and the footer below it.
        match told.split_once("Not understood.") {
            Some((_, why)) => why.chars().take(300).collect(),
            None => told,
        }
    };
    let mut without = Vec::new();
    for (command, lines) in everyday {
        without
            .extend(lines.iter().filter(|line| !told(line).contains(command)).map(|line| format!("{line}: {command}")));
    }
    assert!(without.is_empty(), "{without:#?}");
    // Words of an order, or of a longer text, keep their own reason.
    for text in ["bid draw", "bid 40 again", "Ben is away until we are all back and then he may read the map of it"] {
        let told = told(text);
        assert!(
            !told.contains("`propose draw`") && !told.contains("`status`") && !told.contains("`map`"),
            "{text}: {told}"
        );
    }
}

#[test]
fn words_beside_a_proposal_get_its_answers() {
    let (_folder, mut office) = begun();
    assert!(office.order("lone-pine", Seat(0), "propose draw").unwrap().1);
    let all = [
        "Agreed!",
        "OK, agreed",
        "I agree to the draw",
        "fine with me",
        "accept",
        "reject",
        "no draw",
        "yes",
        "no",
        "OK",
    ];
    for text in all {
        let told = office.order("lone-pine", Seat(1), text).unwrap().0.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains("`agree 11` or `disagree 11`"), "{text}: {told}");
    }
    for text in ["cancel my proposal", "withdraw the proposal"] {
        let (told, _) = office.order("lone-pine", Seat(0), text).unwrap();
        assert!(told.contains("`withdraw 11`"), "{text}: {told}");
    }
}

#[test]
fn everyday_words_to_an_invitation_get_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&NewGame { join_all: false, ..table() }).unwrap();
    let letter = take_mail(&office, "lone-pine.B.");
    for (text, says) in [
        ("OK", "`join`"),
        ("How do I join?", "Reply `join`"),
        ("Maybe later", "`no thanks`"),
        ("sorry, no time", "`no thanks`"),
        ("not this time", "`no thanks`"),
        ("Who else is playing?", "The invitation says"),
        ("How long does it take?", "The invitation says"),
    ] {
        let told = plain(&mail(&mut office, &letter, text));
        assert!(told.contains(says), "{text}: {told}");
    }
}

#[test]
fn a_line_that_is_not_understood_holds_the_mail() {
    for text in [
        "bid 4\n\nI take it all back",
        "Please do nothing with this mail.\n\nbid 4",
        "bid 4\n\nlieber bid fünf",
        "bid 4\n\nEffective from Turn 5.",
        "bid 4\n👎",
        "bid 4\nGive me another day",
        "bid 4\nThis belongs to another game",
        "bid 4\nTell me what would happen",
        "Ben said:\nbid 4",
        "bid 4 (not yet)",
        "bid 4?",
        "bid 4 or bid 5",
        "bid 4 ...",
        "b\u{336}i\u{336}d\u{336} 4",
        "bid 4\nbid 5",
        "1b\n1c",
        "1: bid 4\n1: bid 5",
        "Great game so far! Loving the setup.\nbid 4",
        "Q: how many coins do I get",
        "A+",
        "Voilà, je réfléchis encore.\n\nJ",
        "bid 4\n\nSent from my iPhone, please ignore",
        "bid 4\n\nSent from my mother",
        "bid 4\n\nVon meinem iPhone gesendet, bitte noch nicht ausführen",
        "bid 4\n\nRight?",
        "bid 4\n\nAnna?",
        "Anna:\nbid 4",
        "For example:\nbid 4",
        "Option 1\nbid 4",
        "(bid 4)",
        "A: bid 4",
        "bid 4\nYeah, right.",
        "e\n\nB",
        "bid 4\n\n-B",
        "bid 4\n\n(B)",
        "bid 4\nWell...",
        "bid 4 and",
        ":e",
        "Cheers!\n\nBen, 4",
        "B:\nbid 4",
        "bid 4\n\nNo thanks",
        "bid 4\ndelay 10 minutes",
        "confirm always\nbid 4",
        "// bid 4",
        "!1e",
        "-bid 4-",
        "1e\nbid 3",
        "bid 4\n\n-- \nBen\nP.S. disregard the above",
        "-- \n1e",
        "bid 4\n\nOn reflection, 5 Oct 2024, I no longer want what Anna wrote:",
    ] {
        let (_folder, mut office) = begun();
        let letter = take_mail(&office, "lone-pine.B.");
        let told = mail(&mut office, &letter, text);
        assert_eq!(decisions(&office), 0, "{text}: {told}");
        assert!(body(&told).contains("Nothing was done yet"), "{text}: {told}");
    }
}

#[test]
fn a_mail_that_is_understood_is_carried_out_at_once() {
    for text in [
        "bid 4",
        "e",
        "1e",
        "1 e",
        "1: bid 4",
        "bid: 4",
        "Hi all,\n\nbid 4\n\nThanks and good luck!\nBen",
        "Hallo Anna,\n\nbid 4\n\nViele Grüße\nBen",
        "Bonjour Postrider,\n\nbid 4\n\nCordialement, Ben",
        "I'd like to bid 4, please.",
        "Dear Anna, dear host,\n\nHope you're well.\nHere's my move:\nbid 4",
        "bid 4\nbid 4",
        "WHAT IS ASKED\n1. Your bid (rule 2.1)\nbid 4",
        "bid 4\n---\nSent from my iPhone",
        "> quoted\n\nbid 4",
    ] {
        let (_folder, mut office) = begun();
        let letter = take_mail(&office, "lone-pine.B.");
        let told = mail(&mut office, &letter, text);
        assert_eq!(decisions(&office), 1, "{text}: {told}");
        let journal = std::fs::read_to_string(office.host().journal("lone-pine")).unwrap();
        assert!(journal.contains(r#""order":{"bid":{"coins":4}}"#), "{text}: {journal}");
    }
}

#[test]
fn a_yes_does_what_was_shown_and_a_new_line_asks_again() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    let text = "Horses first.\n\ntell anna:\nI go first.\nThen you.\nend\n\nbid 4\nstanding gift: give carl";
    let told = mail(&mut office, &letter, text);
    let shown = words(&told);
    assert!(shown.contains("Horses first. ^^^^^^") && shown.contains("understood: bid 4"), "{told}");
    assert!(shown.contains("Reply `yes` to carry out: tell anna:"), "{told}");
    let told = mail(&mut office, &told, "yes\n\nHorses first.\nBut wait for the rain.");
    assert_eq!(decisions(&office), 0, "{told}");
    assert!(words(&told).contains("But wait for the rain."), "{told}");
    let done = words(&mail(&mut office, &told, "yes, boilerplate\n\nHorses first.\nBut wait for the rain."));
    assert!(done.contains("done bid 4 done standing gift: give carl") && done.contains("Told Anna (A)."), "{done}");
    assert_eq!(decisions(&office), 1);
    let message = take_mail(&office, "lone-pine.A.");
    let both =
        body(&message).contains("I go first.") || body(&take_mail(&office, "lone-pine.A.")).contains("I go first.");
    assert!(both, "{message}");
}

#[test]
fn a_yes_with_a_mark_confirms_nothing() {
    for text in [
        "yes\n\n-- \nnot really",
        "yes 👎",
        "yes 🚫",
        "yes?",
        "ok?",
        "(yes)",
        "~~yes~~",
        "//yes",
        "yes ❌",
        "go ahead?",
    ] {
        let (_folder, mut office) = begun();
        let letter = take_mail(&office, "lone-pine.B.");
        let told = mail(&mut office, &letter, "bid 4\n\nMay the horse be with us");
        mail(&mut office, &told, text);
        assert_eq!(decisions(&office), 0, "{text}");
    }
}

#[test]
fn a_proposal_stays_open_until_it_is_confirmed() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    let told = mail(&mut office, &letter, "bid 4\n\nMay the horse be with us");
    let again = mail(&mut office, &told, "yes, but what is a bid?");
    assert!(words(&again).contains("Reply `yes` to carry out: bid 4") && words(&again).contains("rule 2.1"), "{again}");
    assert_eq!(decisions(&office), 0, "{again}");
    let done = words(&mail(&mut office, &again, "Yes, carry it out."));
    assert!(done.contains("done bid 4") && decisions(&office) == 1, "{done}");
}

#[test]
fn the_nearest_answer_is_proposed() {
    for (text, proposed) in [
        ("give Annna", true),
        ("I think Anna deserves it", false),
        ("should Anna have it?", false),
        ("not Anna", false),
        ("both Anna and Carl", false),
    ] {
        let (_folder, mut office) = begun();
        for (seat, text) in [(1, "bid 4"), (0, "bid 0"), (2, "bid 0")] {
            assert!(office.order("lone-pine", Seat(seat), text).unwrap().1, "{text}");
        }
        let letter = take_mail(&office, "lone-pine.B.");
        let letter = if letter.contains("Your bid") { take_mail(&office, "lone-pine.B.") } else { letter };
        let told = words(&mail(&mut office, &letter, text));
        assert_eq!(told.contains("Reply `yes` to carry out: give Anna"), proposed, "{text}: {told}");
        assert_eq!(decisions(&office), 3, "{told}");
    }
}

/// The nearest command is offered before any name of the map.
#[test]
fn misspelt_commands_are_offered() {
    // These everyday words have their own sentence.
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    let told = words(&mail(&mut office, &letter, "propse draw"));
    assert!(told.contains("To propose a draw, write `propose draw`"), "{told}");
    for (text, command) in [
        ("propse end: ben wins", "propose end: ben wins"),
        ("concde", "concede"),
        ("jurnal", "journal"),
        ("widthdraw", "withdraw"),
        ("remnd ben", "remind ben"),
        ("aggree", "agree"),
        ("Statsu!", "status"),
        ("notte: he bids high", "note: he bids high"),
        ("resing", "resign"),
    ] {
        let (_folder, mut office) = begun();
        let letter = take_mail(&office, "lone-pine.B.");
        let told = words(&mail(&mut office, &letter, text));
        assert!(told.contains(&format!("Did you mean the command `{command}`?")), "{text}: {told}");
    }
    // A word that is closer to an order is not taken for a command.
    for text in ["bidd 3", "gve Anna"] {
        let (_folder, mut office) = begun();
        let letter = take_mail(&office, "lone-pine.B.");
        let told = words(&mail(&mut office, &letter, text));
        assert!(!told.contains("Did you mean the command"), "{text}: {told}");
    }
}

#[test]
fn a_yes_with_more_on_its_line_is_asked_again() {
    for text in ["Yes, bid 3", "yes. bid 3"] {
        let (_folder, mut office) = begun();
        let letter = take_mail(&office, "lone-pine.B.");
        let told = mail(&mut office, &letter, "bid 4\nWell...");
        let told = words(&mail(&mut office, &told, text));
        assert_eq!(decisions(&office), 0, "{text}: {told}");
        assert!(told.contains("Write `yes` on a line of its own"), "{text}: {told}");
    }
}

#[test]
fn own_words_in_the_subject_hold_the_mail() {
    for (from, to, done) in [
        ("Subject: Re: ", "Subject: RE: Re: ", 1),
        ("Subject: Re: [", "Subject: Please wait [", 0),
        ("\nMessage-ID", " - WAIT\nMessage-ID", 0),
        ("\nMessage-ID", " (preview only)\nMessage-ID", 0),
    ] {
        let (_folder, mut office) = begun();
        let letter = outbox(&office).into_iter().find(|(name, _)| name.starts_with("lone-pine.B.")).unwrap().1;
        let letter = letter.replace("\r\n", "\n").replace("\n ", " ");
        let raw = answer("ben@example.net", &letter, "bid 4").replacen(from, to, 1);
        office.receive(raw.as_bytes()).unwrap();
        let told = take_mail(&office, "lone-pine.B.re");
        assert_eq!(decisions(&office), done, "{to}: {told}");
    }
}

/// An initial that is also an option's letter may be a signature or an answer; `yes, boilerplate`
/// settles it for good.
#[test]
fn an_initial_at_the_end_is_asked_about_once() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    let told = mail(&mut office, &letter, "bid 4\n\nB");
    assert_eq!(decisions(&office), 0, "{told}");
    let done = words(&mail(&mut office, &told, "yes, boilerplate\n\nB"));
    assert!(done.contains("done bid 4") && decisions(&office) == 1, "{done}");
    let letter = next_round(&mut office);
    let done = words(&mail(&mut office, &letter, "bid 1\n\nB"));
    assert!(done.contains("done bid 1"), "{done}");
}

#[test]
fn boilerplate_is_learned_at_its_place_if_the_player_says_so() {
    const BANNER: &str = "[EXTERN] Let op: deze mail komt van buiten de organisatie.";
    for (above, below) in [
        ("", "xx Anna's brother"),
        ("", "Ride hard, die free | Benjamin & Sons"),
        (BANNER, "Tel. 0303 / 123-45"),
        (BANNER, ""),
        ("", "-- \nTel. 0303 / 123-45"),
    ] {
        let (_folder, mut office) = begun();
        let letter = take_mail(&office, "lone-pine.B.");
        let with = |text: &str| format!("{above}\n\n{text}\n\n{below}");
        let told = mail(&mut office, &letter, &with("bid 4"));
        assert_eq!(decisions(&office), 0, "{told}");
        let told = mail(&mut office, &told, &with("yes"));
        assert_eq!(decisions(&office), 0, "{told}");
        assert!(words(&told).contains("reply `yes, boilerplate`"), "{told}");
        mail(&mut office, &told, &with("yes, boilerplate"));
        assert_eq!(decisions(&office), 1, "{told}");
        // It is never asked about again, even after a restart.
        office.close_games();
        let letter = next_round(&mut office);
        let told = mail(&mut office, &letter, &with("bid 5"));
        assert_eq!(decisions(&office), 5, "{told}");
    }
}

#[test]
fn boilerplate_counts_nowhere_else_and_is_forgotten() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    let told = mail(&mut office, &letter, "bid 4\n\nNot before noon");
    mail(&mut office, &told, "yes, boilerplate\n\nNot before noon");
    let letter = next_round(&mut office);
    // Before the order it may mean something.
    let told = mail(&mut office, &letter, "Not before noon\nbid 5");
    assert!(body(&told).contains("Nothing was done yet"), "{told}");
    // In another player's mail it may, too.
    let anna = take_mail(&office, "lone-pine.A.");
    office.receive(answer("anna@example.net", &anna, "bid 1\n\nNot before noon").as_bytes()).unwrap();
    assert!(body(&take_mail(&office, "lone-pine.A.re")).contains("Nothing was done yet"));
    let told = words(&mail(&mut office, &letter, "boilerplate"));
    assert!(told.contains("below your orders: Not before noon"), "{told}");
    let told = words(&mail(&mut office, &letter, "boilerplate forget"));
    assert!(told.contains("No lines of yours are passed over."), "{told}");
    let told = mail(&mut office, &letter, "bid 5\n\nNot before noon");
    assert!(body(&told).contains("Nothing was done yet"), "{told}");
    assert_eq!(decisions(&office), 4);
}

#[test]
fn lines_are_joined_only_if_neither_part_alone_is_read() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    let standing = "standing gift always: give anna if purse at least 3 and purse at most 90; give carl";
    let told = words(&mail(&mut office, &letter, &format!("{standing}\nbid 4")));
    assert!(told.contains("done bid 4"), "{told}");
    assert!(words(&mail(&mut office, &letter, "standing")).contains(standing));
    for (text, done) in [("bid\n4", 0), ("give\nanna", 0), ("standing gift: give anna;\ngive carl\nbid 4", 0)] {
        let (_folder, mut office) = begun();
        let letter = take_mail(&office, "lone-pine.B.");
        let told = mail(&mut office, &letter, text);
        assert_eq!(decisions(&office), done, "{text}: {told}");
    }
}

#[test]
fn an_order_for_a_question_that_was_not_listed_says_what_it_does() {
    for (text, done) in [("bid 4\ngive anna", true), ("bid 4\ngift: anna", true), ("bid 4\nanna and bob", false)] {
        let (_folder, mut office) = begun();
        let letter = take_mail(&office, "lone-pine.B.");
        let told = mail(&mut office, &letter, text);
        assert_eq!(decisions(&office), usize::from(done), "{text}: {told}");
    }
}

#[test]
fn a_yes_that_comes_too_late_does_nothing() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    let held = mail(&mut office, &letter, "bid 4\nfor what it is worth\nstanding gift: give carl");
    office.order("lone-pine", Seat(1), "bid 2").unwrap();
    let told = words(&mail(&mut office, &held, "yes, boilerplate\nfor what it is worth"));
    assert!(told.contains("no longer asked"), "{told}");
    assert_eq!(decisions(&office), 1);
}
