//! Tests of motions: concessions, agreed results, going back by agreement, more time, and
//! directors' decisions.

use super::{
    by_mail::{answer, begun, body, catalog, narrow, office_in, table},
    deadlines::chains,
    needed::*,
};
use chrono::{TimeZone, Utc};
use postrider_journal::{
    Ballot::{Agree, Withdraw},
    Body, Checker, Closed, Json, Motion, Rewound, Via, Vote, What, Writer,
};
use postrider_table::{Seat, Watch};
use tempfile::TempDir;

const GAME: &str = "lone-pine";
const DAY: i64 = 24 * 3_600;
const PEOPLE: [&str; 3] = ["anna", "ben", "carl"];

fn timed() -> (TempDir, Office) {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    let clock = Some(Terms::new("48h").unwrap());
    office.new_game(&NewGame { clock, ..table() }).unwrap();
    (folder, office)
}

/// Answers the newest letter of a seat. Returns the letter that answers.
fn says(office: &mut Office, seat: usize, text: &str) -> String {
    let letter = newest(office, seat);
    let raw = answer(&format!("{}@example.net", PEOPLE[seat]), &letter, text);
    office.receive(raw.as_bytes()).unwrap();
    let told = newest(office, seat);
    narrow(&told);
    body(&told).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn newest(office: &Office, seat: usize) -> String {
    let mine = format!(".{}.", Seat(seat as u8));
    super::by_mail::newest(office, |name, _| name.contains(&mine)).expect("a letter")
}

fn read(office: &Office, seat: usize) -> String {
    body(&newest(office, seat)).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn journal(office: &Office) -> String {
    std::fs::read_to_string(office.host().journal(GAME)).unwrap()
}

fn last(office: &Office, kind: &str) -> String {
    let text = journal(office);
    let line = text.lines().rfind(|line| line.contains(&format!("\"kind\":\"{kind}\""))).expect(kind);
    let value: serde_json::Value = serde_json::from_str(line).unwrap();
    value["body"].to_string()
}

fn proved(office: &mut Office) {
    let path = office.host().journal(GAME);
    let report = verify(&Source::from(path.as_path()), &catalog(), |_| ()).unwrap();
    assert_ne!(report.status, 1, "{report}");
    let (status, told) = independent_check(&path);
    assert_ne!(status, Some(1), "{told}");
    let live = office.open_game(GAME).unwrap();
    let (closed, outcome) = (live.closed, live.outcome());
    let again = rebuild(&Source::from(path.as_path()), &catalog(), chains(office), None, Watch::NONE);
    let again = again.unwrap();
    assert_eq!((again.closed, again.outcome()), (closed, outcome));
}

fn ranks(office: &Office) -> Vec<(String, u64)> {
    let closed: serde_json::Value = serde_json::from_str(&last(office, "closed")).unwrap();
    let rows = closed["outcome"]["ranking"].as_array().cloned().unwrap_or_default();
    rows.iter().map(|row| (row["seat"].as_str().unwrap().to_owned(), row["rank"].as_u64().unwrap())).collect()
}

fn placed(places: [(&str, u64); 3]) -> Vec<(String, u64)> {
    places.map(|(seat, place)| (seat.to_owned(), place)).to_vec()
}

#[test]
fn who_concedes_is_asked_first_and_ranks_last() {
    let (_folder, mut office) = begun();
    let kidding = says(&mut office, 0, "resign\n\nJust kidding :-)");
    assert!(kidding.contains("not all of your mail was understood. Do you concede?"), "{kidding}");
    let asked = says(&mut office, 0, "I resign.");
    assert!(asked.contains("Nothing was done yet. Do you concede? You rank behind all who play on"), "{asked}");
    assert!(!journal(&office).contains("\"kind\":\"motion\""));
    let told = says(&mut office, 0, "yes");
    assert!(told.contains("concede: you have conceded the game"), "{told}");
    assert!(read(&office, 1).contains("Anna (A) has conceded (entry 11)"), "{}", read(&office, 1));
    let motion = last(&office, "motion");
    assert!(motion.contains(r#""by":"A","what":{"concede":{}}"#) && motion.contains("\"words\""), "{motion}");
    // A bot plays the seat; the others continue the game.
    assert!(last(&office, "decision").contains(r#""seat":"A","via":"bot""#), "{}", last(&office, "decision"));
    proved(&mut office);
    let out = "No order was carried out: your seat is out of the game, and the bot random plays it.";
    assert!(says(&mut office, 0, "Concede!").contains(out), "{}", read(&office, 0));
    let again = says(&mut office, 0, "Hi, propose draw");
    assert!(again.contains(out), "{again}");
    // If one of the last two players concedes, the other wins, even if the one who concedes has no
    // open question.
    assert!(office.order(GAME, Seat(1), "bid 2").unwrap().1);
    let asked = says(&mut office, 1, "concede");
    assert!(asked.contains("The game ends, and Carl (C) wins."), "{asked}");
    says(&mut office, 1, "yes");
    assert_eq!(ranks(&office), placed([("C", 1), ("B", 2), ("A", 3)]));
    let told = read(&office, 2);
    assert!(told.contains("Carl, the game is over.") && told.contains("Carl wins: Ben conceded"), "{told}");
    assert!(says(&mut office, 2, "bid 3").contains("The game is over: no order was carried out."));
    assert!(says(&mut office, 2, "propose draw").contains("The game is over: no order was carried out."));
    proved(&mut office);
}

#[test]
fn a_concession_ends_what_was_proposed_before() {
    let (_folder, mut office) = begun();
    says(&mut office, 0, "propose draw");
    says(&mut office, 1, "concede");
    says(&mut office, 1, "yes");
    let told = read(&office, 2);
    assert!(told.contains("It is no longer proposed that the game ends in a draw (entry 11, by Anna (A))"), "{told}");
    let told = says(&mut office, 2, "agree 11");
    assert!(told.contains("Entry 11 is not an open proposal."), "{told}");
    says(&mut office, 0, "Propose draw.");
    says(&mut office, 2, "I agree.");
    assert_eq!(ranks(&office), placed([("A", 1), ("C", 1), ("B", 3)]));
    proved(&mut office);
}

#[test]
fn a_concession_stays_when_the_others_agree_to_go_back() {
    let (_folder, mut office) = begun();
    for (seat, text) in [(0, "bid 1"), (1, "bid 5"), (2, "bid 0"), (1, "give carl")] {
        assert!(office.order(GAME, Seat(seat), text).unwrap().1);
    }
    let before = office.open_game(GAME).unwrap().head.n;
    says(&mut office, 1, "concede");
    says(&mut office, 1, "yes");
    says(&mut office, 2, "propose back to turn 1 round 1");
    let asked = read(&office, 0);
    assert!(asked.contains("Ben (B) has conceded since then; that stays."), "{asked}");
    says(&mut office, 0, "agree");
    assert!(last(&office, "rewound").contains("all players"));
    assert!(last(&office, "decision").contains(r#""seat":"B","via":"bot""#), "{}", last(&office, "decision"));
    assert!(says(&mut office, 1, "propose draw").contains("your seat is out of the game"));
    proved(&mut office);
    let wanted = |dry_run| RewindGame {
        to: Checkpoint::Line(before),
        by: "host".into(),
        reason: "he did not mean it".into(),
        dry_run,
    };
    let (again, would) = ("Ben (B) plays again: the concession of entry ", "Ben (B) would play again: the concession");
    let plan = postrider_letters::text::render(&office.directing(GAME).rewind(&wanted(true)).unwrap().report);
    assert!(plan.split_whitespace().collect::<Vec<_>>().join(" ").contains(would), "{plan}");
    office.directing(GAME).rewind(&wanted(false)).unwrap();
    for seat in 0..3 {
        assert!(read(&office, seat).contains(again), "{}", read(&office, seat));
    }
    assert!(says(&mut office, 1, "propose draw").contains("proposed to all"));
    proved(&mut office);
}

#[test]
fn no_is_no_concession() {
    for no in ["no", "No, I play on.", "No thanks", "Cancel", "no!\n\nBen"] {
        let (_folder, mut office) = begun();
        says(&mut office, 1, "I resign");
        let asked = newest(&office, 1);
        let told = says(&mut office, 1, no);
        assert!(
            told.contains("Nothing was done, and nothing of that letter can be confirmed any more."),
            "{no}: {told}"
        );
        let late = answer("ben@example.net", &asked, "yes");
        office.receive(late.as_bytes()).unwrap();
        assert!(!journal(&office).contains("\"kind\":\"motion\""), "{no}");
    }
    let (_folder, mut office) = begun();
    says(&mut office, 1, "I resign");
    let told = says(&mut office, 1, "Well, let me see what Carl has to say.");
    assert!(!told.contains("Reply `yes`"), "{told}");
}

/// A bare word may be meant for something else, such as a proposal.
#[test]
fn a_bare_word_is_no_order_for_later() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo {
        folder: folder.path().to_owned(),
        ruleset: postrider_games::rulesets()[0].name().to_owned(),
        id: Some(GAME.to_owned()),
        seats: 3,
        seed: Some(5),
        most: Some(12),
        ..Demo::default()
    };
    let games = || Catalog::new(postrider_games::rulesets());
    play_demo(&demo, games(), &mut |_, _| {}).unwrap();
    let mut office = Office::open(Host::open(folder.path()).unwrap(), games(), Environment::System).unwrap();
    let source = Source::from(office.host().journal(GAME).as_path());
    let live = rebuild(&source, &games(), chains(&office), None, Watch::NONE).unwrap();
    let asked = live.dyn_game.as_ref().unwrap().asked().unwrap();
    let awaited: Vec<Seat> = asked.into_iter().map(|asked| asked.seat).collect();
    let idle = (0..3).map(Seat).find(|seat| !awaited.contains(seat)).expect("one seat is asked nothing");
    for proposed in [false, true] {
        if proposed {
            let by = (0..3).map(Seat).find(|seat| *seat != idle).unwrap();
            assert!(office.order(GAME, by, "propose draw").unwrap().1);
        }
        let before = journal(&office);
        let (told, done) = office.order(GAME, idle, "accept").unwrap();
        assert!(!done && journal(&office) == before, "{told}");
        assert_eq!(told.contains("agree "), proposed, "{told}");
    }
}

/// An answer could be meant for either; only in its full words is it certainly meant for the game.
#[test]
fn an_answer_beside_a_proposal_is_held() {
    let (_folder, mut office) = begun();
    says(&mut office, 0, "propose draw");
    let before = journal(&office);
    for loose in ["2", "bid two", "bid 2 of my coins"] {
        let told = says(&mut office, 1, loose);
        assert!(told.contains("A proposal awaits your answer, too: `agree 11` or `disagree 11`."), "{loose}: {told}");
        assert!(told.contains("the letter of an option or `bid 2`"), "{loose}: {told}");
    }
    assert_eq!(
        journal(&office).matches("\"kind\":\"decision\"").count(),
        before.matches("\"kind\":\"decision\"").count()
    );
    let told = says(&mut office, 1, "bid 2");
    assert!(told.contains("done"), "{told}");
    // A mail that votes leaves no doubt.
    let told = says(&mut office, 2, "disagree\nbid two of my coins");
    assert!(told.contains("done") && !told.contains("A proposal awaits your answer"), "{told}");
}

#[test]
fn who_has_conceded_takes_nothing_back() {
    let (_folder, mut office) = begun();
    says(&mut office, 1, "bid 5");
    says(&mut office, 1, "concede");
    says(&mut office, 1, "yes");
    let told = says(&mut office, 1, "back");
    assert!(told.contains("Your seat is out of the game, so nothing can be taken back."), "{told}");
    let gone = says(&mut office, 2, "status");
    assert!(gone.contains("Ben (B) has conceded (entry "), "{gone}");
    proved(&mut office);
}

#[test]
fn a_delay_holds_orders_alone() {
    let (_folder, mut office) = begun();
    let told = says(&mut office, 0, "propose draw\ndelay 30");
    assert!(told.contains("It holds orders back, but no proposal, vote or concession."), "{told}");
    assert!(!journal(&office).contains("\"kind\":\"motion\""));
}

#[test]
fn a_draw_needs_the_word_of_all() {
    let (_folder, mut office) = begun();
    let told = says(&mut office, 0, "propose draw");
    assert!(
        told.contains("done proposed to all (entry 11) You propose that the game ends in a draw (entry 11)"),
        "{told}"
    );
    for seat in [1, 2] {
        let asked = read(&office, seat);
        assert!(asked.contains("a proposal awaits your answer; and one thing is asked of you"), "{asked}");
        assert!(asked.contains("PROPOSAL. Anna (A) proposes that the game ends in a draw."), "{asked}");
        assert!(asked.contains("agree 11 disagree 11"), "{asked}");
    }
    // The game continues meanwhile.
    assert!(says(&mut office, 0, "bid 2").contains("done"), "{}", read(&office, 0));
    let agreed = says(&mut office, 1, "agree");
    assert!(agreed.contains("agreed to the proposal of entry 11"), "{agreed}");
    assert!(says(&mut office, 1, "Hello, agree").contains("No proposal awaits your answer."));
    assert!(says(&mut office, 1, "Hello, agree 11").contains("awaits the answer of Carl (C), not yours"));
    assert!(says(&mut office, 0, "Hello, propose draw").contains("`withdraw 11` takes it back first"));
    let told = says(&mut office, 2, "disagree 11");
    assert!(told.contains("disagreed to the proposal of entry 11"), "{told}");
    assert!(read(&office, 0).contains("Carl (C) did not agree that the game ends in a draw"), "{}", read(&office, 0));
    // A second proposal, to which all agree.
    says(&mut office, 1, "Propose a draw!");
    says(&mut office, 0, "I agree");
    assert!(!office.open_game(GAME).unwrap().closed);
    says(&mut office, 2, "agree");
    assert_eq!(ranks(&office), placed([("A", 1), ("B", 1), ("C", 1)]));
    assert!(read(&office, 0).contains("A draw: agreed by all (entry "), "{}", read(&office, 0));
    let feed = office.terminal(GAME).page(None, false).unwrap().feed("example.org").unwrap();
    let told = ["The game ends by the motion of entry", "C agrees", "A agrees"].map(|told| feed.find(told));
    assert!(told[0].is_some() && told.is_sorted(), "the newest first: {feed}");
    proved(&mut office);
}

#[test]
fn the_bot_for_players_who_concede_is_named_when_the_game_is_opened() {
    let (_folder, mut office) = begun();
    let asked = says(&mut office, 0, "concede");
    assert!(asked.contains("the bot random plays your pieces to the end"), "{asked}");
    says(&mut office, 0, "yes");
    let told = read(&office, 2);
    assert!(told.contains("Anna (A) has conceded (entry 11); the bot random plays the seat to the end."), "{told}");
    let wanted = |bot: &str| NewGame { id: Some("red-mesa".into()), conceded_bot: Some(bot.into()), ..table() };
    let why = office.new_game(&wanted("nobody")).unwrap_err().to_string();
    assert!(why.contains("nobody"), "{why}");
    office.new_game(&NewGame { join_all: false, ..wanted("random") }).unwrap();
    let invited = super::by_mail::newest(&office, |name, _| name.contains("red-mesa.B.")).expect("an invitation");
    let invited = body(&invited).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(invited.contains("If you concede, the bot random plays on for you."), "{invited}");
}

#[test]
fn a_proposal_can_be_withdrawn_and_lapses_in_seven_days() {
    let (_folder, mut office) = begun();
    says(&mut office, 0, "propose end: ben wins");
    assert_eq!(
        last(&office, "motion").matches(r#""result":{"A":2,"B":1,"C":2}"#).count(),
        1,
        "{}",
        last(&office, "motion")
    );
    assert!(read(&office, 1).contains("the game ends and Ben (B) wins"));
    assert!(says(&mut office, 0, "withdraw").contains("withdrawn: your proposal of entry 11"));
    assert!(read(&office, 1).contains("It is no longer proposed that the game ends and Ben (B) wins"));
    says(&mut office, 0, "Hello,\n\npropose end: ben wins");
    office.environment().advance(7 * DAY);
    // The author is told once.
    assert_eq!(office.due().unwrap(), [GAME]);
    office.tick(GAME).unwrap();
    assert!(office.due().unwrap().is_empty());
    let lapsed = read(&office, 0);
    let right = "Your proposal of entry 13 has lapsed: Ben (B) and Carl (C) have not answered in time.";
    assert!(lapsed.contains(right), "{lapsed}");
    assert!(!says(&mut office, 0, "status").contains("has lapsed"));
    let late = says(&mut office, 1, "agree 13");
    assert!(late.contains("The time to answer the proposal of entry 13 is over."), "{late}");
    // It can be replaced by another one.
    assert!(says(&mut office, 0, "propose draw").contains("You propose that"), "{}", read(&office, 0));
    proved(&mut office);
    for (wrong, why) in [
        ("propose peace", "cannot be proposed"),
        ("propose end: dora wins", "names no player"),
        ("propose back to turn 9", "There is no \"turn 9\" in this game"),
        ("propose back to entry 900", "There is no entry 900: the last one is"),
        ("propose extend 3 days", "has no deadlines"),
    ] {
        let told = says(&mut office, 2, wrong);
        assert!(told.contains(why), "{wrong}: {told}");
    }
}

/// A proposal that its author has not seen cannot be meant.
#[test]
fn a_bare_vote_is_on_the_proposal_that_the_answered_letter_shows() {
    let (_folder, mut office) = begun();
    says(&mut office, 0, "propose draw");
    let letters = [1, 2].map(|seat| newest(&office, seat));
    says(&mut office, 0, "withdraw");
    says(&mut office, 0, "propose end: anna wins");
    let mut replies = |seat: usize, letter: &str, text: &str| {
        let raw = answer(&format!("{}@example.net", PEOPLE[seat]), letter, text);
        office.receive(raw.as_bytes()).unwrap();
        read(&office, seat)
    };
    let told = replies(1, &letters[0], "agree");
    assert!(told.contains("Entry 11 is not an open proposal. Open is that of entry 13."), "{told}");
    // A `yes` confirms what was shown.
    let told = replies(2, &letters[1], "agree\nSee you at the club on the 5th floor");
    assert!(told.contains("to carry out: agree 11"), "{told}");
    assert!(says(&mut office, 2, "yes").contains("Entry 11 is not an open proposal"));
    assert!(!journal(&office).contains(r#""kind":"vote","n":14"#), "{}", journal(&office));
    // Contradictory answers in one mail do not count.
    let told = says(&mut office, 1, "agree\ndisagree");
    assert!(told.contains("Your mail answers this question in two ways"), "{told}");
    assert!(says(&mut office, 1, "I don't agree").contains("disagreed to the proposal of entry 13"));
    proved(&mut office);
}

#[test]
fn who_is_out_of_the_game_gives_no_orders() {
    let (_folder, mut office) = begun();
    says(&mut office, 1, "standing bid always: bid 3");
    says(&mut office, 1, "concede");
    says(&mut office, 1, "yes");
    assert!(!journal(&office).contains("\"kind\":\"unsealed\""), "they rest");
    assert!(says(&mut office, 1, "standing bid always: bid 4").contains("your seat is out of the game"));
    for (seat, text) in [(0, "bid 1"), (2, "bid 2")] {
        assert!(office.order(GAME, Seat(seat), text).unwrap().1);
    }
    let text = journal(&office);
    let motion = text.lines().position(|line| line.contains("\"kind\":\"motion\"")).unwrap();
    let decisions = |line: &&str| line.contains("\"kind\":\"decision\"") && line.contains("\"seat\":\"B\"");
    let ways: Vec<&str> = text.lines().skip(motion).filter(decisions).collect();
    assert!(!ways.is_empty() && ways.iter().all(|line| line.contains("\"via\":\"bot\"")), "{ways:?}");
    proved(&mut office);
}

/// The effect of a concession depends on who else is out of the game.
#[test]
fn a_concession_that_would_do_something_else_is_asked_about_again() {
    let (_folder, mut office) = begun();
    let asked = says(&mut office, 0, "concede");
    assert!(asked.contains("You rank behind all who play on"), "{asked}");
    let letter = newest(&office, 0);
    says(&mut office, 2, "concede");
    says(&mut office, 2, "yes");
    office.receive(answer("anna@example.net", &letter, "yes").as_bytes()).unwrap();
    assert!(read(&office, 0).contains("Another player has left the game since that letter."), "{}", read(&office, 0));
    assert!(says(&mut office, 0, "concede").contains("The game ends, and Ben (B) wins."));
    assert!(!journal(&office).contains("\"kind\":\"closed\""));
}

#[test]
fn all_can_agree_to_go_back() {
    let (_folder, mut office) = begun();
    for (seat, text) in [(0, "bid 1"), (1, "bid 5"), (2, "bid 0"), (1, "give carl")] {
        assert!(office.order(GAME, Seat(seat), text).unwrap().1);
    }
    let told = says(&mut office, 2, "propose back to turn 1 round 1");
    assert!(told.contains("You propose that play goes back to entry 10, the beginning of Turn 1, Round 1"), "{told}");
    says(&mut office, 0, "agree");
    let told = says(&mut office, 1, "agree");
    let rewound = last(&office, "rewound");
    assert!(rewound.contains(r#""by":"all players""#) && rewound.contains(r#""to":10,"within":4"#), "{rewound}");
    let motion = journal(&office).lines().position(|line| line.contains("\"kind\":\"motion\"")).unwrap();
    assert!(rewound.contains(&format!("\"of\":{motion}")), "{rewound}");
    assert!(told.contains("THE GAME WAS REWOUND to entry 10"), "{told}");
    assert!(office.order(GAME, Seat(0), "bid 2").unwrap().1, "all is asked again");
    proved(&mut office);
}

#[test]
fn all_can_agree_to_more_time_and_to_a_pause() {
    let (_folder, mut office) = timed();
    let Some(Deadline::Until(before)) = until_of(&mut office) else { panic!("no deadline") };
    says(&mut office, 0, "propose extend 3 days please");
    assert!(read(&office, 1).contains("everybody gets three days more"), "{}", read(&office, 1));
    says(&mut office, 1, "agree");
    says(&mut office, 2, "agree");
    let Some(Deadline::Until(after)) = until_of(&mut office) else { panic!("no deadline") };
    assert_eq!((after - before).num_days(), 3);
    says(&mut office, 1, "propose pause until 30 November");
    says(&mut office, 0, "agree");
    says(&mut office, 2, "I agree");
    assert!(office.open_game(GAME).unwrap().deadlines.paused());
    assert!(office.due().unwrap().is_empty());
    office.environment().advance(11 * DAY);
    assert_eq!(office.due().unwrap(), [GAME]);
    office.tick(GAME).unwrap();
    assert!(!office.open_game(GAME).unwrap().deadlines.paused(), "{}", journal(&office));
    proved(&mut office);
}

#[test]
fn a_proposed_pause_lapses_when_it_would_be_over() {
    let (_folder, mut office) = timed();
    let now = office.environment().now();
    let told =
        says(&mut office, 1, &format!("propose pause until {}", (now + chrono::TimeDelta::days(2)).format("%-d %B")));
    assert!(told.contains("You propose"), "{told}");
    says(&mut office, 0, "agree");
    office.environment().advance(3 * DAY);
    let told = says(&mut office, 2, "agree");
    assert!(told.contains("No proposal awaits your answer."), "{told}");
    assert!(!office.open_game(GAME).unwrap().deadlines.paused());
    proved(&mut office);
}

#[test]
fn a_rewind_tells_of_the_pause_that_it_ends() {
    let (_folder, mut office) = timed();
    let before = office.open_game(GAME).unwrap().head.n;
    says(&mut office, 0, "propose pause until 30 November");
    says(&mut office, 1, "agree");
    says(&mut office, 2, "I agree");
    assert!(office.open_game(GAME).unwrap().deadlines.paused());
    let again = |reason: &str| RewindGame {
        to: Checkpoint::Line(before),
        by: "host".into(),
        reason: reason.into(),
        dry_run: false,
    };
    office.directing(GAME).rewind(&again("a mistake")).unwrap();
    assert!(!office.open_game(GAME).unwrap().deadlines.paused());
    let ended = "The pause has ended with it: all clocks run again.";
    assert!(read(&office, 1).contains(ended), "{}", read(&office, 1));
    office.directing(GAME).rewind(&again("once more")).unwrap();
    assert_eq!(read(&office, 1).matches(ended).count(), 0, "{}", read(&office, 1));
    proved(&mut office);
}

#[test]
fn a_ranking_can_be_proposed() {
    let (_folder, mut office) = begun();
    let told = says(&mut office, 0, "propose end: anna 1, ben 2");
    assert!(told.contains("Every player needs a place"), "{told}");
    let told = says(&mut office, 0, "propose peace");
    assert!(told.contains("`propose end: ben wins`, `propose end: anna 1, ben 2, carl 3`"), "{told}");
    let told = says(&mut office, 0, "propose end: carl 1, anna 2, ben 3");
    assert!(told.contains("the game ends: 1. Carl (C), 2. Anna (A), 3. Ben (B)"), "{told}");
    says(&mut office, 1, "agree");
    says(&mut office, 2, "agree");
    assert_eq!(ranks(&office), placed([("C", 1), ("A", 2), ("B", 3)]));
    proved(&mut office);
}

#[test]
fn all_get_a_letter_when_the_game_begins() {
    for rules in postrider_games::rulesets() {
        let folder = tempfile::tempdir().unwrap();
        let (games, start) =
            (Catalog::new(postrider_games::rulesets()), Utc.with_ymd_and_hms(2026, 11, 20, 18, 30, 0).unwrap());
        let mut office =
            Office::open(Host::open_or_create(folder.path()).unwrap(), games, Environment::fixed(7, start)).unwrap();
        let players = table().players.into_iter().take(usize::from(*rules.seats().end())).collect::<Vec<_>>();
        let seats = players.len() as u8;
        office.new_game(&NewGame { ruleset: rules.name().to_owned(), players, ..table() }).unwrap();
        for seat in (0..seats).map(Seat) {
            let mine = format!("{GAME}.{seat}.");
            let told = super::by_mail::newest(&office, |name, _| name.contains(&mine));
            assert!(told.is_some(), "{}: seat {seat}", rules.name());
        }
    }
}

fn until_of(office: &mut Office) -> Option<Deadline> {
    office.open_game(GAME).unwrap();
    let source = Source::from(office.host().journal(GAME).as_path());
    let chains = chains(office);
    let live = rebuild(&source, &catalog(), chains, None, Watch::NONE).unwrap();
    let asked = live.dyn_game.as_ref().unwrap().asked().unwrap();
    live.deadlines.deadline(asked[0].id)
}

#[test]
fn a_director_gives_the_result() {
    let (_folder, mut office) = begun();
    let places = |places: [u64; 3]| ["A", "B", "C"].map(str::to_owned).into_iter().zip(places).collect();
    let two: BTreeMap<String, u64> = [("A".to_owned(), 1)].into();
    assert!(
        office
            .directing(GAME)
            .decide_result("host", two, ("time", false))
            .unwrap_err()
            .to_string()
            .contains("Every player needs a place")
    );
    assert!(
        office.directing(GAME).decide_result("A", places([1, 2, 3]), ("time", false)).is_err(),
        "a seat is no director"
    );
    let said = office.directing(GAME).decide_result("host", places([2, 1, 3]), ("Carl's time is over", false)).unwrap();
    assert_eq!(said, "lone-pine: the game ends: 1. Ben (B), 2. Anna (A), 3. Carl (C).");
    assert_eq!(ranks(&office), placed([("B", 1), ("A", 2), ("C", 3)]));
    assert!(read(&office, 0).contains("Ben wins: decided by the host (entry 11)"), "{}", read(&office, 0));
    // No rulings are possible in a game that is over.
    let ruling = RulingGiven { by: "host".into(), text: "more".into(), effect: serde_json::json!({}), of: None };
    assert!(office.directing(GAME).rule(&ruling).unwrap_err().to_string().contains("the game is over"));
    proved(&mut office);
    office.directing(GAME).reopen("host", "a mistake").unwrap();
    assert!(!office.open_game(GAME).unwrap().closed);
    assert!(office.order(GAME, Seat(0), "bid 2").unwrap().1);
    proved(&mut office);
}

#[test]
fn forged_motions_contradict() {
    let (_folder, mut office) = begun();
    says(&mut office, 0, "propose draw");
    let path = office.host().journal(GAME);
    let head = office.open_game(GAME).unwrap().head.clone();
    let good = journal(&office);
    let motion = |by: &'static str, what: What| {
        Body::Motion(Motion { by: by.into(), what, reason: "".into(), rollouts: None, via: Via::Cli, words: None })
    };
    let vote = |of: u64, seat: &'static str, vote| {
        Body::Vote(Vote { of, seat: seat.into(), vote, via: Via::Cli, words: None })
    };
    let closed = |of: u64, outcome: serde_json::Value| {
        Body::Closed(Closed { outcome: Json::new(&outcome).unwrap(), secrets: [].into(), of: Some(of) })
    };
    let draw =
        serde_json::json!({"ranking": [{"seat": "A", "rank": 1}, {"seat": "B", "rank": 1}, {"seat": "C", "rank": 1}]});
    let other =
        serde_json::json!({"ranking": [{"seat": "A", "rank": 1}, {"seat": "B", "rank": 2}, {"seat": "C", "rank": 2}]});
    let result = |places: &[(&str, u64)]| {
        What::Result(places.iter().map(|(seat, place)| ((*seat).to_owned(), *place)).collect())
    };
    let n = head.n + 1;
    // The Round of entry 10 begins within the step of entry 4, before its dice.
    let back = Rewound {
        to: 10,
        by: "all players".into(),
        reason: "agreed".into(),
        chains: [].into(),
        of: Some(n),
        within: None,
        via: None,
        words: None,
    };
    let decision = |via: Via| {
        let (seat, ask, order) = ("B".into(), "bid".into(), Json::empty());
        Body::Decision(postrider_journal::Decision { seat, prompt: 1, ask, order, via, words: None })
    };
    let by_deadline = Body::Motion(Motion {
        by: "B".into(),
        what: What::Concede {},
        reason: "".into(),
        rollouts: None,
        via: Via::Deadline,
        words: None,
    });
    let later = "2026-11-30T18:30:00Z";
    let now = "2026-11-20T18:30:00Z";
    let cases: Vec<(&str, Vec<(&str, Body<'_>)>)> = vec![
        ("a vote of the proposer", vec![(now, vote(11, "A", Agree))]),
        ("a second vote", vec![(now, vote(11, "B", Agree)), (now, vote(11, "B", Agree))]),
        ("a vote on no motion", vec![(now, vote(2, "B", Agree))]),
        ("a vote too late", vec![(later, vote(11, "B", Agree))]),
        ("a withdrawal by another", vec![(now, vote(11, "B", Withdraw))]),
        ("a second proposal", vec![(now, motion("A", result(&[("A", 1), ("B", 2), ("C", 2)])))]),
        ("an end without all votes", vec![(now, vote(11, "B", Agree)), (now, closed(11, draw.clone()))]),
        (
            "another result than agreed",
            vec![(now, vote(11, "B", Agree)), (now, vote(11, "C", Agree)), (now, closed(11, other.clone()))],
        ),
        ("an end by a concession of one of three", vec![(now, motion("B", What::Concede {})), (now, closed(n, other))]),
        ("a concession by a director", vec![(now, motion("host", What::Concede {}))]),
        ("a second concession", vec![(now, motion("B", What::Concede {})), (now, motion("B", What::Concede {}))]),
        ("a result without all seats", vec![(now, motion("host", result(&[("A", 1)])))]),
        ("a place for no seat", vec![(now, motion("host", result(&[("A", 1), ("B", 1), ("X", 1)])))]),
        ("an abandoned game by a seat", vec![(now, motion("B", result(&[])))]),
        ("a way back to what is not there", vec![(now, motion("B", What::Back { to: 99, within: None }))]),
        (
            "a way back behind the dice before which all agreed to go",
            vec![
                (now, motion("B", What::Back { to: 10, within: Some(4) })),
                (now, vote(n, "A", Agree)),
                (now, vote(n, "C", Agree)),
                (now, Body::Rewound(back.clone())),
            ],
        ),
        ("a vote by a seat that conceded", vec![(now, motion("B", What::Concede {})), (now, vote(11, "B", Agree))]),
        ("a vote after a concession", vec![(now, motion("B", What::Concede {})), (now, vote(11, "C", Agree))]),
        (
            "a proposal by a seat that conceded, after the others agreed to go back",
            vec![
                (now, motion("B", What::Concede {})),
                (now, motion("C", What::Back { to: 11, within: None })),
                (now, vote(n + 1, "A", Agree)),
                (now, Body::Rewound(Rewound { to: 11, of: Some(n + 1), ..back })),
                (now, motion("B", result(&[("A", 1), ("B", 1), ("C", 1)]))),
            ],
        ),
        (
            "an agreement that is ignored",
            vec![(now, vote(11, "B", Agree)), (now, vote(11, "C", Agree)), (now, motion("B", What::Concede {}))],
        ),
        (
            "an agreement to go back that is ignored",
            vec![
                (now, motion("B", What::Back { to: 10, within: None })),
                (now, vote(n, "A", Agree)),
                (now, vote(n, "C", Agree)),
                (now, vote(11, "B", Agree)),
            ],
        ),
        ("a concession at a deadline", vec![(now, by_deadline)]),
        ("an order of a seat that conceded", vec![(now, motion("B", What::Concede {})), (now, decision(Via::Cli))]),
        ("an answer by a standing order that nobody left", vec![(now, decision(Via::Standing))]),
        (
            "a motion after the end",
            vec![
                (now, vote(11, "B", Agree)),
                (now, vote(11, "C", Agree)),
                (now, closed(11, draw)),
                (now, motion("B", What::Concede {})),
            ],
        ),
    ];
    for (what, bodies) in cases {
        let mut writer = Writer::after(&head);
        let mut text = good.clone();
        for (at, body) in &bodies {
            text.push_str(&writer.line(at, body).unwrap());
        }
        std::fs::write(&path, &text).unwrap();
        let mut checker = Checker::new();
        let wrong = text.lines().find_map(|line| checker.feed(line.as_bytes()).err());
        let wrong = wrong.unwrap_or_else(|| panic!("{what} is accepted"));
        assert_eq!(wrong.n, head.n + bodies.len() as u64, "{what}: {wrong}");
        let (status, told) = independent_check(&path);
        assert!(status.is_none_or(|status| status == 1), "{what}: {told}");
    }
    std::fs::write(&path, &good).unwrap();
}

#[test]
fn the_majority_decides_where_the_game_says_so_but_for_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    let clock = Some(Terms::new("48h").unwrap());
    office.new_game(&NewGame { clock, majority: true, ..table() }).unwrap();
    says(&mut office, 0, "propose extend 3 days");
    let told = read(&office, 1);
    assert!(told.contains("It is done once one more has agreed"), "{told}");
    // One vote against it does not end it while a majority is still possible.
    says(&mut office, 1, "disagree");
    assert!(!journal(&office).contains("\"kind\":\"ruling\""));
    says(&mut office, 2, "agree");
    assert!(journal(&office).contains("\"kind\":\"ruling\""), "all have three days more");
    proved(&mut office);
    // Two votes against it end it.
    says(&mut office, 0, "propose pause until 30 November");
    says(&mut office, 1, "Disagree.");
    says(&mut office, 2, "disagree");
    let told = says(&mut office, 1, "Agree.");
    assert!(told.contains("No proposal awaits your answer."), "{told}");
    // A game ends only if all players agree.
    says(&mut office, 0, "propose draw");
    says(&mut office, 1, "I agree");
    assert!(!journal(&office).contains("\"kind\":\"closed\""));
    says(&mut office, 2, "I disagree");
    assert!(says(&mut office, 2, "I agree!").contains("No proposal awaits your answer."));
    proved(&mut office);
}
