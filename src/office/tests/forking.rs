//! Tests of forks: what is copied from the parent, what is drawn again, and what can be checked.

use super::{
    by_mail::{begun, body, catalog, decisions, office_in, outbox, table, take_mail},
    needed::*,
};
use chrono::{TimeZone, Utc};
use postrider_audit::testing::independent_check_with;
use postrider_journal::testing::rehashed;
use postrider_table::{Seat, Watch};
use serde_json::{Value, json};
use std::fs;

const GAME: &str = "lone-pine";
const FORK: &str = "lone-pine-2";
const DAY: i64 = 24 * 3_600;

fn wanted(to: &str) -> ForkGame {
    ForkGame { to: to.parse().unwrap(), id: FORK.into(), reason: "what if".into(), join_all: true, players: Vec::new() }
}

fn round(office: &mut Office, game: &str) {
    for (seat, text) in [(0, "bid 1"), (1, "bid 5"), (2, "bid 0"), (1, "give carl")] {
        let told = office.order(game, Seat(seat), text).unwrap();
        assert!(told.1, "{}", told.0);
    }
}

fn report(office: &Office, game: &str, catalog: &Catalog) -> Report {
    verify(&Source::from(office.host().journal(game).as_path()), catalog, |_| ()).unwrap()
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
    assert!(hidden.contains("entry 4: the cards of luck, epoch 0, are not all public yet"), "{hidden}");
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
    // Questions continue the parent's numbers: after four decisions three bids are asked for.
    let asked = office.open_game(FORK).unwrap();
    assert_eq!((asked.marks.len(), asked.marks[0].round, asked.started.unwrap().n), (1, 2, 4));
    let letter = take_mail(&office, "lone-pine-2.B.5.");
    assert!(body(&letter).contains("Turn 1, Round 2"), "{letter}");
    while !office.open_game(FORK).unwrap().closed {
        round(&mut office, FORK);
    }
    let ours = lines(&office, FORK);
    let prompts =
        |lines: &[Value]| of_kind(lines, "decision").iter().map(|l| l["body"]["prompt"].clone()).collect::<Vec<_>>();
    assert_eq!(prompts(&ours)[0], prompts(&theirs)[4]);
    // Draws in the parent leave no line: the only shuffle is that of Turn 2.
    let epochs: Vec<_> = ["shuffled", "revealed"].iter().flat_map(|kind| of_kind(&ours, kind)).collect();
    assert_eq!(epochs.iter().map(|line| line["body"]["epoch"].clone()).collect::<Vec<_>>(), [1, 1]);
    // With the parent, either next to the fork or passed in, everything is proved; without it the
    // play is not.
    let beside = report(&office, FORK, &catalog().with_folder(office.host().journals()));
    assert_eq!(beside.status, 0, "{beside}");
    let given = catalog().with_parent(Source::from(office.host().journal(GAME).as_path()));
    assert_eq!(report(&office, FORK, &given).status, 0);
    let alone = report(&office, FORK, &catalog());
    let said = alone.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        alone.status == 2 && said.contains("the game lone-pine, which this one continues, was not given"),
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
    assert!(said.contains("It continues the game lone-pine after entry 10: what if."), "{letter}");
    assert_eq!(outbox(&office).iter().filter(|(name, _)| name.contains("lone-pine-2.")).count(), 2);
    let other = ForkGame { id: "lone-pine-3".into(), ..wanted("turn 1 round 2") };
    office.fork(GAME, &other).unwrap();
    round(&mut office, "lone-pine-3");
    round(&mut office, "lone-pine-3");
    let to = "turn 1 round 2".parse().unwrap();
    let back = RewindGame { to, by: "host".into(), reason: "once more".into(), dry_run: false };
    office.directing("lone-pine-3").rewind(&back).unwrap();
    for _ in 0..3 {
        round(&mut office, "lone-pine-3");
    }
    let again = ForkGame { id: "lone-pine-4".into(), ..wanted("turn 2 round 2") };
    office.fork("lone-pine-3", &again).unwrap();
    round(&mut office, "lone-pine-4");
    let with = catalog().with_folder(office.host().journals());
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
        (Checkpoint::Line(1), FORK, "what if", "play has not begun there"),
        (Checkpoint::Line(end), FORK, "what if", "the game is over there"),
        (Checkpoint::Turn(9, None), FORK, "what if", "there is no \"turn 9\""),
        (Checkpoint::Turn(1, None), FORK, " ", "a reason is one line"),
        (Checkpoint::Turn(1, None), GAME, "what if", "a game \"lone-pine\" already exists"),
        (Checkpoint::Turn(1, None), "No", "what if", "cannot be the id of a game"),
    ];
    for (to, id, reason, why) in cases {
        let wanted = ForkGame { to, id: id.into(), reason: reason.into(), join_all: true, players: Vec::new() };
        let told = office.fork(GAME, &wanted).unwrap_err().to_string();
        assert!(told.contains(why), "{told}");
    }
    assert!(!office.host().journal(FORK).exists());
}

fn ruling(text: &str, effect: Value) -> RulingGiven {
    RulingGiven { by: "host".into(), text: text.into(), effect, of: None }
}

fn spectator(office: &mut Office, game: &str) -> String {
    office.open_game(game).unwrap();
    let source = Source::from(office.host().journal(game).as_path());
    let with = catalog().with_folder(office.host().journals());
    let live = rebuild(&source, &with, None, None, Watch::NONE).unwrap();
    live.dyn_game.as_ref().unwrap().view(None).unwrap().to_string()
}

#[test]
fn rulings_of_the_parent_hold_as_far_as_the_fork_follows_it() {
    let (_folder, mut office) = begun();
    office
        .directing(GAME)
        .rule(&ruling("Ben has thirty coins", json!({ "coins": { "seat": "B", "coins": 30 } })))
        .unwrap();
    round(&mut office, GAME);
    let before = office
        .directing(GAME)
        .rule(&ruling("Carl has forty coins", json!({ "coins": { "seat": "C", "coins": 40 } })))
        .unwrap();
    office.directing(GAME).rule(&ruling("No more than a day for an answer", json!({}))).unwrap();
    round(&mut office, GAME);
    // At the ruling itself, which is a step like a decision; and before it.
    let at = ForkGame { to: Checkpoint::Line(before.n), ..wanted("turn 1") };
    assert_eq!(office.fork(GAME, &at).unwrap().n, before.n);
    let earlier = ForkGame { to: Checkpoint::Line(before.n - 1), id: "lone-pine-3".into(), ..wanted("turn 1") };
    office.fork(GAME, &earlier).unwrap();
    let coins = |office: &mut Office, game: &str| {
        let view: Value = serde_json::from_str(&spectator(office, game)).unwrap();
        view["purses"].as_array().unwrap().iter().map(|purse| purse["coins"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    let (with, without) = (coins(&mut office, FORK), coins(&mut office, "lone-pine-3"));
    assert!(with[..2] == without[..2] && with[1] > 15, "{with:?}, {without:?}");
    assert!(with[2] == 40 && without[2] < 20, "{with:?}, {without:?}");
    office
        .directing(FORK)
        .rule(&ruling("Anna has ninety coins", json!({ "coins": { "seat": "A", "coins": 90 } })))
        .unwrap();
    assert_eq!(coins(&mut office, FORK), [90, with[1], 40]);
    let letter = take_mail(&office, "lone-pine-2.C.");
    assert!(!body(&letter).contains("Carl has forty coins"), "what was told in the parent is not told anew: {letter}");
    for game in [FORK, "lone-pine-3"] {
        while !office.open_game(game).unwrap().closed {
            round(&mut office, game);
        }
        let report = report(&office, game, &catalog().with_folder(office.host().journals()));
        assert_eq!(report.status, 0, "{report}");
        assert_eq!(checked_with_parents(&office, game, &[GAME]).0, Some(0));
    }
}

#[test]
fn a_fork_has_deadlines_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    let terms = Terms { at_flag: AtFlag::Play, ..Terms::new("3d").unwrap() };
    office.new_game(&NewGame { clock: Some(terms), ..table() }).unwrap();
    round(&mut office, GAME);
    let moved = json!({ "deadline": { "seat": "B", "until": "2026-12-20T12:00:00Z" } });
    let moved = office.directing(GAME).rule(&ruling("Ben is ill", moved)).unwrap();
    round(&mut office, GAME);
    office.directing(GAME).pause(true).unwrap();
    office.environment().advance(10 * DAY);
    office.fork(GAME, &ForkGame { to: Checkpoint::Line(moved.n), ..wanted("turn 1") }).unwrap();
    let until = |office: &mut Office| {
        let live = office.open_game(FORK).unwrap();
        let seen = format!("{:?}", live.deadlines);
        let asked = live.dyn_game.as_ref().unwrap().next_prompt() - 1;
        let found = live.deadlines.deadline(asked);
        office.close_games();
        assert_eq!(format!("{:?}", office.open_game(FORK).unwrap().deadlines), seen, "the same when it is read anew");
        found
    };
    assert_eq!(until(&mut office), Some(Deadline::Until("2026-12-03T18:30:00Z".parse().unwrap())));
    office.environment().advance(3 * DAY - 1);
    assert_eq!(office.tick(FORK).unwrap(), Ticked { reminded: 3, ..Ticked::default() });
    office.directing(FORK).pause(true).unwrap();
    assert_eq!(until(&mut office), Some(Deadline::Paused(1)));
    office.environment().advance(DAY);
    office.directing(FORK).pause(false).unwrap();
    office.environment().advance(1);
    assert_eq!(office.tick(FORK).unwrap(), Ticked { expired: 3, played: 3, ..Ticked::default() });
    assert_eq!(office.tick(GAME).unwrap(), Ticked::default(), "the parent is paused still");
    while !office.open_game(FORK).unwrap().closed {
        office.environment().advance(3 * DAY);
        office.tick(FORK).unwrap();
    }
    let report = report(&office, FORK, &catalog().with_folder(office.host().journals()));
    assert_eq!(report.status, 0, "{report}");
    assert_eq!(checked_with_parents(&office, FORK, &[GAME]).0, Some(0));
}

#[test]
fn forks_of_a_rewound_game_and_of_forks_are_proved_and_bundled_with_all_journals() {
    let (_folder, mut office) = begun();
    for _ in 0..3 {
        round(&mut office, GAME);
    }
    let undone = office.open_game(GAME).unwrap().head.n;
    let to = "turn 2 round 1".parse().unwrap();
    let back = RewindGame { to, by: "host".into(), reason: "once more".into(), dry_run: false };
    office.directing(GAME).rewind(&back).unwrap();
    round(&mut office, GAME);
    let counts = office.open_game(GAME).unwrap().head.n;
    round(&mut office, GAME);
    let mut games = vec![GAME.to_owned()];
    for (at, id) in [(undone, "of-what-was-undone"), (counts, "of-what-counts")] {
        let fork =
            office.fork(GAME, &ForkGame { to: Checkpoint::Line(at), id: id.into(), ..wanted("turn 1") }).unwrap();
        assert_eq!((fork.n, lines(&office, id)[0]["body"]["parent"]["n"].as_u64()), (at, Some(at)));
        while !office.open_game(id).unwrap().closed {
            round(&mut office, id);
        }
        let again = format!("{id}-again");
        office.fork(id, &ForkGame { id: again.clone(), ..wanted("turn 2 round 2") }).unwrap();
        round(&mut office, &again);
        games.extend([id.to_owned(), again]);
    }
    let with = catalog().with_folder(office.host().journals());
    for game in &games {
        let found = report(&office, game, &with);
        assert_eq!(found.status, 0, "{found}");
        let others: Vec<&str> = games.iter().filter(|other| *other != game).map(String::as_str).collect();
        let (status, told) = checked_with_parents(&office, game, &others);
        assert_eq!(status, Some(i32::from(found.status)), "{game}: {told}");
    }

    // The bundle of a fork of a fork suffices to check all three journals on another machine.
    let (game, chain) = ("of-what-counts-again", ["of-what-counts", GAME]);
    let (readme, elsewhere) = bundled(&office, game, &with);
    for name in chain {
        assert_eq!(
            fs::read(elsewhere.path().join(format!("{name}.jsonl"))).unwrap(),
            fs::read(office.host().journal(name)).unwrap()
        );
        let told = fs::read_to_string(elsewhere.path().join(format!("{name}.report.txt"))).unwrap();
        assert!(told.contains(&format!("ALL PROVED in {name}")), "{told}");
    }
    assert!(readme.contains("--parent of-what-counts.jsonl --parent lone-pine.jsonl"), "{readme}");
    let there = catalog().with_folder(elsewhere.path());
    let copy = Source::from(elsewhere.path().join(format!("{game}.jsonl")).as_path());
    assert_eq!(verify(&copy, &there, |_| ()).unwrap(), report(&office, game, &with));

    // If the parent is missing, the bundle says so.
    fs::remove_file(office.host().journal(GAME)).unwrap();
    let (readme, elsewhere) = bundled(&office, game, &with);
    assert!(readme.contains("The journal of lone-pine was missing"), "{readme}");
    assert!(!elsewhere.path().join("lone-pine.jsonl").exists());
}

fn bundled(office: &Office, game: &str, catalog: &Catalog) -> (String, tempfile::TempDir) {
    let source = Source::from(office.host().journal(game).as_path());
    let judge = |journal: &Source| verify(journal, catalog, |_| ());
    let (report, evidence) = (judge(&source).unwrap(), Evidence::default());
    let ancestors = Ancestor::all(game, &source, catalog, judge).unwrap();
    let bundle = Bundle { report: &report, ancestors: &ancestors, evidence: &evidence, with_mails: false };
    let mut bytes = std::io::Cursor::new(Vec::new());
    bundle.write(&source, catalog, &mut bytes).unwrap();
    let folder = tempfile::tempdir().unwrap();
    zip::ZipArchive::new(bytes).unwrap().extract(folder.path()).unwrap();
    (fs::read_to_string(folder.path().join("README.txt")).unwrap(), folder)
}

fn checked_with_parents(office: &Office, game: &str, parents: &[&str]) -> (Option<i32>, String) {
    let given: Vec<_> = parents.iter().map(|parent| office.host().journal(parent)).collect();
    independent_check_with(&office.host().journal(game), &given)
}

/// Rewrites a journal with a changed first line and recomputed hashes, as only the host could.
fn forged(lines: &[Value], change: impl Fn(&mut Value)) -> Source {
    let mut lines = lines.to_vec();
    change(&mut lines[0]["body"]);
    Source::from(rehashed(&lines).as_bytes())
}

/// A change of the first line's body.
type Change<'c> = &'c dyn Fn(&mut Value);

#[test]
fn a_false_word_about_the_parent_is_found() {
    let (_folder, mut office) = begun();
    while !office.open_game(GAME).unwrap().closed {
        round(&mut office, GAME);
    }
    office.fork(GAME, &wanted("turn 1 round 2")).unwrap();
    let ours = lines(&office, FORK);
    let with = catalog().with_folder(office.host().journals());
    let n = ours[0]["body"]["parent"]["n"].as_u64().unwrap();
    let cases: [(Change<'_>, u8, i32, &str); 7] = [
        (&|_| (), 0, 0, "ALL PROVED"),
        (&|b| b["parent"]["hash"] = postrider_dice::Hash::ZERO.to_string().into(), 8, 1, "has the hash"),
        (&|b| b["parent"]["n"] = (n - 1).into(), 8, 1, "does not begin a Round of the step"),
        (&|b| b["parent"]["n"] = 999.into(), 0, 2, "in the copy at hand, and entry 999 is named"),
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
        let path = office.host().root().join("forged.jsonl");
        fs::write(&path, source.bytes().unwrap()).unwrap();
        let (independent, told) = independent_check_with(&path, &[office.host().journal(GAME)]);
        assert_eq!(independent, Some(status), "{why}: {told}");
    }
}

#[test]
fn a_game_of_the_registry_is_forked_at_a_round_and_played_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let start = Utc.with_ymd_and_hms(2026, 11, 20, 18, 30, 0).unwrap();
    let host = Host::open_or_create(folder.path()).unwrap();
    let mut office =
        Office::open(host, Catalog::new(postrider_games::rulesets()), Environment::fixed(7, start)).unwrap();
    let players = ["bot:random", "bot:random", "bot:random"].map(|text| text.parse::<Invitee>().unwrap()).to_vec();
    let ruleset = postrider_games::rulesets()[0].name().to_owned();
    let new = NewGame { ruleset, id: Some(GAME.into()), players, ..NewGame::default() };
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
    let report =
        report(&office, FORK, &Catalog::new(postrider_games::rulesets()).with_folder(office.host().journals()));
    assert_eq!(report.status, 0, "{report}");
}

#[test]
fn a_game_whose_host_is_gone_goes_on_elsewhere() {
    let (_folder, mut office) = begun();
    round(&mut office, GAME);
    round(&mut office, GAME);
    let mut journal = fs::read(office.host().journal(GAME)).unwrap();
    // The copy was made while its last line was written.
    journal.truncate(journal.len() - 20);
    let elsewhere = tempfile::tempdir().unwrap();
    let mut office = office_in(elsewhere.path());
    fs::write(office.host().journal(GAME), journal).unwrap();
    let named = ["Anna <anna@example.net>", "Ben <ben@example.net>", "Carl <carl@example.net>"];
    let players: Vec<_> = named.iter().map(|player| player.parse().unwrap()).collect();
    let forked = office.fork(GAME, &ForkGame { players, ..wanted("turn 1 round 1") }).unwrap();
    assert_eq!((forked.game.as_str(), forked.parent.as_str()), (FORK, GAME));
    assert!(office.order(FORK, Seat(0), "bid 1").unwrap().1);
    let told = office.fork(GAME, &ForkGame { id: "lone-pine-3".into(), ..wanted("turn 1 round 1") });
    assert!(told.is_err(), "the journal names nobody");
}
