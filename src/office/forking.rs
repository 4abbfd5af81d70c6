//! Tests of forks: what goes over from the parent, what is drawn anew, and what a doubter can check of it.

use super::{
    by_mail::{begun, body, decisions, outbox, shelf, take_mail},
    tests::independent_check,
    *,
};
use crate::{journal::Line, table::Seat};
use chrono::{TimeZone, Utc};
use serde_json::Value;
use std::fs;

const GAME: &str = "lone-pine";
const FORK: &str = "lone-pine-2";

fn wanted(to: &str) -> ForkGame {
    ForkGame { to: to.parse().unwrap(), id: FORK.into(), reason: "what if".into(), join_all: true }
}

/// One Round of the auction, which B wins.
fn round(office: &mut Office, game: &str) {
    for (seat, text) in [(0, "bid 1"), (1, "bid 5"), (2, "bid 0"), (1, "give carl")] {
        let told = office.order(game, Seat(seat), text).unwrap();
        assert!(told.1, "{}", told.0);
    }
}

fn report(office: &Office, game: &str, shelf: &Shelf) -> Report {
    verify(&Source::from(office.host().journal(game).as_path()), shelf, |_| ()).unwrap()
}

fn lines(office: &Office, game: &str) -> Vec<Value> {
    let text = fs::read_to_string(office.host().journal(game)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn of_kind<'l>(lines: &'l [Value], kind: &str) -> Vec<&'l Value> {
    lines.iter().filter(|line| line["kind"] == kind).collect()
}

#[test]
fn a_fork_goes_on_under_its_own_chains_and_both_journals_prove_it() {
    let (_folder, mut office) = begun();
    round(&mut office, GAME);
    let hidden = office.fork(GAME, &wanted("turn 1 round 2")).unwrap_err().to_string();
    assert!(hidden.contains("line 5: the cards of luck, epoch 0, are not all public yet"), "{hidden}");
    round(&mut office, GAME);
    let parent = fs::read(office.host().journal(GAME)).unwrap();
    let forked = office.fork(GAME, &wanted("turn 1 round 2")).unwrap();
    assert_eq!((forked.place.as_str(), fs::read(office.host().journal(GAME)).unwrap()), ("Turn 1, Round 2", parent));
    let first = lines(&office, FORK).remove(0);
    let theirs = lines(&office, GAME);
    let named = &first["body"]["parent"];
    let n = usize::try_from(forked.n).unwrap();
    assert_eq!(named["hash"], theirs[n]["hash"]);
    assert_eq!((&named["epochs"], &named["reason"]), (&serde_json::json!({ "luck": 1 }), &Value::from("what if")));
    // Questions are numbered as in the parent there: after four decisions three bids are asked.
    let asked = office.open_game(FORK).unwrap();
    assert_eq!((asked.marks.len(), asked.marks[0].round, asked.started.unwrap().n), (1, 2, 4));
    let letter = take_mail(&office, "lone-pine-2.B.4.letter");
    assert!(body(&letter).contains("Turn 1, Round 2"), "{letter}");
    while !office.open_game(FORK).unwrap().closed {
        round(&mut office, FORK);
    }
    let ours = lines(&office, FORK);
    let prompts =
        |lines: &[Value]| of_kind(lines, "decision").iter().map(|l| l["body"]["prompt"].clone()).collect::<Vec<_>>();
    assert_eq!(prompts(&ours)[0], prompts(&theirs)[4]);
    // What was drawn in the parent leaves no line: the one shuffle is that of Turn 2.
    let epochs: Vec<_> = ["shuffled", "revealed"].iter().flat_map(|kind| of_kind(&ours, kind)).collect();
    assert_eq!(epochs.iter().map(|line| line["body"]["epoch"].clone()).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(of_kind(&ours, "rolled")[0]["body"]["i"], 0);
    // All is proved with the parent, found beside the fork or given; without it the play is not.
    let beside = report(&office, FORK, &shelf().with_folder(office.host().journals()));
    assert_eq!(beside.status, 0, "{beside}");
    let given = shelf().with_parent(Source::from(office.host().journal(GAME).as_path()));
    assert_eq!(report(&office, FORK, &given).status, 0);
    let alone = report(&office, FORK, &shelf());
    let said = alone.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        alone.status == 2 && said.contains("the game lone-pine, from which this one goes on, was not given"),
        "{alone}"
    );
    let (status, told) = independent_check(&office.host().journal(FORK));
    assert_eq!(status, Some(0), "{told}");
}

#[test]
fn players_are_invited_with_words_for_luck_and_a_fork_can_be_rewound_and_forked() {
    let (_folder, mut office) = begun();
    round(&mut office, GAME);
    round(&mut office, GAME);
    let ask = ForkGame { join_all: false, ..wanted("turn 1 round 1") };
    office.fork(GAME, &ask).unwrap();
    assert!(office.open_game(FORK).unwrap().started.is_none());
    let letter = take_mail(&office, "lone-pine-2.A.invitation");
    let said = body(&letter).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("It goes on from the game lone-pine, after entry 10: what if."), "{letter}");
    assert_eq!(outbox(&office).iter().filter(|(name, _)| name.contains("lone-pine-2.")).count(), 2);
    let other = ForkGame { id: "lone-pine-3".into(), ..wanted("turn 1 round 2") };
    office.fork(GAME, &other).unwrap();
    round(&mut office, "lone-pine-3");
    round(&mut office, "lone-pine-3");
    let to = "turn 1 round 2".parse().unwrap();
    let back = RewindGame { to, by: "director".into(), reason: "once more".into(), dry_run: false };
    office.rewind("lone-pine-3", &back).unwrap();
    for _ in 0..3 {
        round(&mut office, "lone-pine-3");
    }
    let again = ForkGame { id: "lone-pine-4".into(), ..wanted("turn 2 round 2") };
    office.fork("lone-pine-3", &again).unwrap();
    round(&mut office, "lone-pine-4");
    let with = shelf().with_folder(office.host().journals());
    for game in ["lone-pine-3", "lone-pine-4"] {
        let report = report(&office, game, &with);
        assert_eq!(report.status, 0, "{report}");
        assert_eq!(independent_check(&office.host().journal(game)).0, Some(0));
    }
    let epochs = lines(&office, "lone-pine-4")[0]["body"]["parent"]["epochs"]["luck"].clone();
    assert_eq!(epochs, 3, "one of the first game, and one before and one after the rewind");
    assert_eq!(decisions(&office), 8, "the first game is as it was");
}

#[test]
fn a_fork_that_makes_no_sense_is_refused() {
    let (_folder, mut office) = begun();
    while !office.open_game(GAME).unwrap().closed {
        round(&mut office, GAME);
    }
    let end = lines(&office, GAME).len() as u64 - 1;
    let cases = [
        (Moment::Line(1), FORK, "what if", "play has not begun there"),
        (Moment::Line(end), FORK, "what if", "the game is over there"),
        (Moment::Turn(9, None), FORK, "what if", "there is no \"turn 9\""),
        (Moment::Turn(1, None), FORK, " ", "a reason is one line"),
        (Moment::Turn(1, None), GAME, "what if", "there is a game \"lone-pine\" already"),
        (Moment::Turn(1, None), "No", "what if", "cannot be the id of a game"),
    ];
    for (to, id, reason, why) in cases {
        let wanted = ForkGame { to, id: id.into(), reason: reason.into(), join_all: true };
        let told = office.fork(GAME, &wanted).unwrap_err().to_string();
        assert!(told.contains(why), "{told}");
    }
    assert!(!office.host().journal(FORK).exists());
}

/// Writes a journal anew from its second line on, with the first one changed: what the host alone could do.
fn forged(lines: &[Value], change: impl Fn(&mut Value)) -> Source {
    let (mut bytes, mut prev) = (String::new(), Value::from("0".repeat(64)));
    for (n, line) in lines.iter().enumerate() {
        let mut line = line.clone();
        if n == 0 {
            change(&mut line["body"]);
        }
        line["prev"] = prev;
        line.as_object_mut().unwrap().remove("hash");
        let text = crate::journal::to_canon(&line).unwrap();
        let hash = crate::dice::sha256(format!("postrider/entry/v1\n{text}").as_bytes()).to_string();
        line["hash"] = hash.clone().into();
        let text = crate::journal::to_canon(&line).unwrap();
        assert!(Line::parse(text.as_bytes()).is_ok());
        bytes += &format!("{text}\n");
        prev = hash.into();
    }
    Source::from(bytes.as_bytes())
}

/// What is made of the body of the first line.
type Change<'c> = &'c dyn Fn(&mut Value);

#[test]
fn a_false_word_about_the_parent_is_found() {
    let (_folder, mut office) = begun();
    while !office.open_game(GAME).unwrap().closed {
        round(&mut office, GAME);
    }
    office.fork(GAME, &wanted("turn 1 round 2")).unwrap();
    let ours = lines(&office, FORK);
    let with = shelf().with_folder(office.host().journals());
    let n = ours[0]["body"]["parent"]["n"].as_u64().unwrap();
    let cases: [(Change<'_>, u8, i32, &str); 7] = [
        (&|_| (), 0, 0, "ALL PROVED"),
        (&|b| b["parent"]["hash"] = "0".repeat(64).into(), 8, 1, "has the hash"),
        (&|b| b["parent"]["n"] = (n - 1).into(), 8, 1, "a step ends with line"),
        (&|b| b["parent"]["n"] = 999.into(), 0, 2, "in the copy at hand, and line 1000 is named"),
        (&|b| b["parent"]["epochs"]["luck"] = 2.into(), 8, 1, "its shuffles up to there are: 1 of luck"),
        (&|b| b["options"]["turns"] = 3.into(), 8, 1, "options and seats must be the same"),
        (&|b| b["parent"]["game"] = FORK.into(), 0, 2, "fork of too many forks"),
    ];
    for (change, step, status, why) in cases {
        let source = forged(&ours, change);
        let report = verify(&source, &with.clone().with_parent(source.clone()), |_| ()).unwrap();
        let found = report.contradictions.first().map_or(0, |bad| bad.step);
        let said = report.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!((found, i32::from(report.status)) == (step, status) && said.contains(why), "{why}: {report}");
    }
}

#[test]
fn a_game_of_geronimo_is_forked_at_a_round_and_played_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let start = Utc.with_ymd_and_hms(2026, 11, 20, 18, 30, 0).unwrap();
    let host = Host::open_or_create(folder.path()).unwrap();
    let mut office = Office::open(host, Shelf::house(), World::staged(7, start)).unwrap();
    let players = ["bot:random", "bot:random", "bot:random"].map(|text| text.parse::<Invitee>().unwrap()).to_vec();
    let new = NewGame { ruleset: "geronimo".into(), id: Some(GAME.into()), players, ..NewGame::default() };
    office.new_game(&new).unwrap();
    assert!(office.open_game(GAME).unwrap().closed, "bots play by themselves");
    let forked = office.fork(GAME, &wanted("turn 4 round 2")).unwrap();
    assert_eq!(forked.place, "Turn 4, Round 2");
    assert!(office.open_game(FORK).unwrap().closed);
    let (ours, theirs) = (lines(&office, FORK), lines(&office, GAME));
    let orders =
        |lines: &[Value]| of_kind(lines, "decision").iter().map(|line| line["body"].clone()).collect::<Vec<_>>();
    let before =
        theirs.iter().filter(|line| line["n"].as_u64() <= Some(forked.n) && line["kind"] == "decision").count();
    assert_eq!(orders(&ours)[0]["prompt"], orders(&theirs)[before]["prompt"]);
    let digests = |lines: &[Value]| of_kind(lines, "round").last().unwrap()["body"]["state"].clone();
    assert_ne!(digests(&ours), digests(&theirs), "the dice are others");
    let report = report(&office, FORK, &Shelf::house().with_folder(office.host().journals()));
    assert_eq!(report.status, 0, "{report}");
}
