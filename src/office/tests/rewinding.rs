//! Tests of rewinds, of orders taken back, and of mails that were on their way meanwhile.

use super::{
    by_mail::{answer, begun, body, catalog, decisions, narrow, outbox, take_mail},
    needed::*,
};
use postrider_dice::{DiceStream, h};
use postrider_letters::text;
use postrider_mailbox::MaildirFolder;
use postrider_replay::source::{OPENED, READ};
use postrider_table::{Seat, Watch};
use postrider_test_games::raffle::{Played, catalog as raffle};

const GAME: &str = "lone-pine";

fn rewind(office: &mut Office, to: Checkpoint) -> Rewinding {
    let wanted = RewindGame { to, by: "host".into(), reason: "the wrong map".into(), dry_run: false };
    office.directing(GAME).rewind(&wanted).unwrap()
}

fn order(office: &mut Office, seat: u8, text: &str) -> String {
    let told = office.order(GAME, Seat(seat), text).unwrap().0;
    told.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn round(office: &mut Office) {
    for (seat, text) in [(0, "bid 1"), (1, "bid 5"), (2, "bid 0"), (1, "give carl")] {
        let told = order(office, seat, text);
        assert!(told.contains("done"), "{told}");
    }
}

fn empty_outbox(office: &Office) {
    let out = office.host().mail(MailFolder::Out).unwrap();
    for entry in out.list().unwrap().into_iter().filter(|entry| entry.folder == MaildirFolder::New) {
        std::fs::remove_file(entry.path).unwrap();
    }
}

fn report(office: &Office) -> Report {
    verify(&Source::from(office.host().journal(GAME).as_path()), &catalog(), |_| ()).unwrap()
}

fn proved(office: &Office) {
    let report = report(office);
    assert_eq!(report.status, 0, "{report}");
    let (status, told) = independent_check(&office.host().journal(GAME));
    assert_eq!(status, Some(0), "{told}");
}

#[test]
fn everybody_is_told_what_was_learned_and_asked_anew() {
    let (_folder, mut office) = begun();
    round(&mut office);
    let stale = take_mail(&office, ".C.");
    order(&mut office, 2, "standing gift: give anna");
    order(&mut office, 0, "bid 4");
    let before = std::fs::read(office.host().journal(GAME)).unwrap();
    let dry = RewindGame {
        to: "turn 1, round 1".parse().unwrap(),
        by: "host".into(),
        reason: "the wrong map".into(),
        dry_run: true,
    };
    let told = office.directing(GAME).rewind(&dry).unwrap();
    assert_eq!((std::fs::read(office.host().journal(GAME)).unwrap(), told.done), (before, None));
    empty_outbox(&office);
    let done = rewind(&mut office, dry.to);
    assert_eq!((done.to, &done.place, &done.disclosed), (told.to, &told.place, &told.disclosed));
    let text = text::render(&done.report);
    assert!(text.contains("Orders undone: Anna 2, Ben 2, Carl 1"), "{text}");
    insta::assert_snapshot!("rewind-report", text);
    // All three have a letter with the questions of the first Round.
    assert_eq!(outbox(&office).len(), 3);
    let letter = take_mail(&office, ".C.");
    narrow(&letter);
    insta::assert_snapshot!("rewind-letter", body(&letter));
    // Mails that were on their way do not count, and the sender is told why.
    office.receive(answer("carl@example.net", &stale, "bid 9").as_bytes()).unwrap();
    let reply = take_mail(&office, ".C.re");
    let said = body(&reply).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("that letter is void"), "{reply}");
    assert!(said.contains("the wrong map"), "{reply}");
    office.receive(answer("carl@example.net", &letter, "bid 2").as_bytes()).unwrap();
    assert!(body(&take_mail(&office, ".C.re")).contains("done      bid 2"));
    // The standing order is no longer in force, and the game continues to its end.
    for (seat, text) in [(0, "bid 1"), (1, "bid 5"), (1, "give carl")] {
        order(&mut office, seat, text);
    }
    assert_eq!(report(&office).status, 2);
    for _ in 0..3 {
        round(&mut office);
    }
    proved(&office);
}

#[test]
fn a_rewind_that_makes_no_sense_is_refused() {
    let (_folder, mut office) = begun();
    round(&mut office);
    let before = std::fs::read(office.host().journal(GAME)).unwrap();
    let end = Checkpoint::Line(before.iter().filter(|&&byte| byte == b'\n').count() as u64 - 1);
    let cases = [
        ("turn 9", "host", "why not", "there is no \"turn 9\""),
        ("turn 1", "B", "why not", "\"B\" is a seat"),
        ("turn 1", "host", " ", "a reason is one line"),
        ("turn 1", "two\nlines", "why not", "one line"),
    ];
    for (to, by, reason, why) in cases {
        let wanted = RewindGame { to: to.parse().unwrap(), by: by.into(), reason: reason.into(), dry_run: false };
        let told = office.directing(GAME).rewind(&wanted).unwrap_err().to_string();
        assert!(told.contains(why), "{told}");
    }
    for (to, why) in [
        (Checkpoint::Line(1), "a rewind cannot go back further"),
        (end, "nothing would be undone"),
        (Checkpoint::Line(9999), "there is no entry 9999: the last one is entry "),
    ] {
        let wanted = RewindGame { to, by: "host".into(), reason: "why not".into(), dry_run: false };
        let told = office.directing(GAME).rewind(&wanted).unwrap_err().to_string();
        assert!(told.contains(why), "{told}");
    }
    assert_eq!(std::fs::read(office.host().journal(GAME)).unwrap(), before);
}

#[test]
fn no_rewind_leads_to_an_end() {
    let (_folder, mut office) = super::adjudicating::auction(8);
    let journal = std::fs::read_to_string(office.host().journal(GAME)).unwrap();
    let closed = journal.lines().position(|line| line.contains("\"kind\":\"closed\"")).unwrap() as u64;
    rewind(&mut office, Checkpoint::Turn(1, Some(2)));
    let wanted =
        RewindGame { to: Checkpoint::Line(closed), by: "host".into(), reason: "it was right".into(), dry_run: false };
    let told = office.directing(GAME).rewind(&wanted).unwrap_err().to_string();
    assert!(told.contains(&format!("at entry {closed} the game was over")), "{told}");
    assert!(order(&mut office, 1, "bid 0").contains("done"));
}

#[test]
fn a_finished_game_is_reopened_and_played_to_another_end() {
    let (_folder, mut office) = begun();
    for _ in 0..4 {
        round(&mut office);
    }
    assert!(!office.terminal(GAME).outcome().unwrap().is_empty());
    let done = rewind(&mut office, "turn 2 round 2".parse().unwrap());
    // The deck of that Turn has the same order as before, and everybody knows it.
    let text = text::render(&done.report);
    assert!(text.contains("EVERY CARD of the deck luck, epoch 1"), "{text}");
    let fresh = done.disclosed.open_decks[0].fresh_after.unwrap();
    assert!(office.terminal(GAME).outcome().unwrap().is_empty());
    order(&mut office, 0, "bid 9");
    // Another rewind, to before the shuffle: the cards are new.
    let done = rewind(&mut office, Checkpoint::Line(fresh));
    assert!(done.disclosed.open_decks.iter().all(|deck| deck.epoch == 0), "{:?}", done.disclosed);
    order(&mut office, 1, "give anna");
    let journal = std::fs::read_to_string(office.host().journal(GAME)).unwrap();
    assert!(journal.contains("\"deck\":\"luck\",\"epoch\":2"), "{journal}");
    round(&mut office);
    round(&mut office);
    proved(&office);
}

/// Nobody chooses among dice by ending a game and reopening it until they please.
#[test]
fn a_game_is_not_ended_and_reopened_again_and_again() {
    let (_folder, mut office) = begun();
    round(&mut office);
    let rewinds = |office: &Office| -> Vec<serde_json::Value> {
        let text = std::fs::read_to_string(office.host().journal(GAME)).unwrap();
        let all = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        all.filter(|line| line["kind"] == "rewound").map(|line| line["body"]["chains"].clone()).collect()
    };
    // An abandoned game publishes nothing, so the chains stay.
    for _ in 0..3 {
        office.directing(GAME).abandon("host", "it is late").unwrap();
        office.directing(GAME).reopen("host", "it is not").unwrap();
    }
    assert!(rewinds(&office).iter().all(|chains| chains == &serde_json::json!({})));
    // A result publishes the secrets: one reopening has new chains, and another must wait for a
    // die.
    let places = |office: &mut Office| {
        office.directing(GAME).give_result("host", "anna 1, ben 2, carl 3", ("time is up", false))
    };
    places(&mut office).unwrap();
    office.directing(GAME).reopen("host", "it is not").unwrap();
    assert_ne!(rewinds(&office)[3], serde_json::json!({}));
    places(&mut office).unwrap();
    let why = office.directing(GAME).reopen("host", "again").unwrap_err().to_string();
    assert!(why.contains("the host could choose among dice"), "{why}");
    proved(&office);
}

#[test]
fn a_seat_takes_its_last_order_back_until_somebody_else_acts() {
    let (_folder, mut office) = begun();
    let anna = take_mail(&office, "lone-pine.A.");
    office.receive(answer("anna@example.net", &anna, "bid 4").as_bytes()).unwrap();
    let reply = take_mail(&office, ".A.re");
    assert!(body(&reply).contains("`back` takes your last order back"), "{reply}");
    // In answer to the letter that confirmed it; the same mail has the right order.
    office.receive(answer("anna@example.net", &reply, "back\nbid 6").as_bytes()).unwrap();
    let reply = take_mail(&office, ".A.re");
    assert!(body(&reply).contains("done      bid 6"), "{reply}");
    let journal = std::fs::read_to_string(office.host().journal(GAME)).unwrap();
    assert!(journal.contains("\"by\":\"A\"") && journal.contains("\"reason\":\"taken back\""), "{journal}");
    // The others' letters are still valid.
    let ben = take_mail(&office, "lone-pine.B.");
    office.receive(answer("ben@example.net", &ben, "bid 5").as_bytes()).unwrap();
    assert_eq!(decisions(&office), 3);
    let told = order(&mut office, 0, "take back");
    assert!(told.contains("cannot be taken back") && told.contains("Ben has given an order"), "{told}");
    // Nobody has acted since Ben's order, so he can take it back, even from the command line.
    assert!(order(&mut office, 1, "back").contains("done"));
    order(&mut office, 1, "bid 2");
    order(&mut office, 2, "bid 0");
    // Anna has won and has a letter that asks to whom she gives a coin. It told her Carl's order.
    let told = order(&mut office, 2, "back");
    assert!(told.contains("Anna has been asked for an answer"), "{told}");
    order(&mut office, 0, "give ben");
    let told = order(&mut office, 0, "back");
    assert!(told.contains("dice have fallen"), "{told}");
    let report = report(&office);
    assert!(report.contradictions.is_empty(), "{report}");
}

#[test]
fn any_rewind_gives_the_position_that_was_there() {
    for seed in 0..6_u64 {
        let mut chance = DiceStream::new(h("postrider/test/rewinds", &[&seed.to_string()]));
        let mut played = Played::begin();
        let view = |played: &mut Played| {
            let dyn_game = played.live.dyn_game.as_ref().unwrap();
            [None, Some(Seat(0)), Some(Seat(1))].map(|seat| dyn_game.view(seat).unwrap())
        };
        let mut seen = vec![(played.live.head.n, view(&mut played), played.live.story.len())];
        for _ in 0..5 {
            for _ in 0..chance.below(10) {
                if played.decide() {
                    seen.push((played.live.head.n, view(&mut played), played.live.story.len()));
                }
            }
            let (to, then, told) = seen[chance.below(seen.len() as u32) as usize].clone();
            if to < played.live.head.n {
                played.rewind(to);
                assert_eq!((view(&mut played), played.live.story.len()), (then, told), "seed {seed}, to {to}");
                seen.push((played.live.head.n, view(&mut played), told));
            }
        }
        while played.decide() {}
        assert!(played.remembered > 0, "seed {seed}: {} rewinds", played.rewinds);
        // If the last rewind leads back to an end, its chains are never revealed.
        let last = played.bytes[..played.bytes.len() - 1].split(|&byte| byte == b'\n').next_back().unwrap();
        let right = if postrider_journal::Line::parse(last).unwrap().kind == "rewound" { 2 } else { 0 };
        let report = verify(&played.source(), &raffle(), |_| ()).unwrap();
        assert_eq!(report.status, right, "seed {seed}: {report}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("raffle-1.jsonl");
        std::fs::write(&path, &played.bytes).unwrap();
        let (status, told) = independent_check(&path);
        assert_eq!(status, Some(i32::from(right)), "seed {seed}: {told}");
        // Every point of every branch can be rebuilt, both with the secrets and, because everything
        // is revealed, without them.
        for (n, then, _) in seen {
            for secrets in [Some(played.chains.clone()), None] {
                let live = rebuild(&played.source(), &raffle(), secrets, Some(n), Watch::ALL).unwrap();
                assert_eq!(live.dyn_game.as_ref().unwrap().view(None).unwrap(), then[0], "seed {seed}, line {n}");
            }
        }
    }
}

#[test]
fn verify_reads_no_line_again_for_a_rewind() {
    let mut reads = Vec::new();
    for rewinds in [0, 1, 12] {
        let mut played = Played::begin_with(8);
        for _ in 0..3 {
            assert!(played.decide());
        }
        let mut again = 0;
        for _ in 0..rewinds {
            assert!(played.decide());
            let to = played.live.head.n;
            again += u64::from(played.live.dyn_game.as_ref().unwrap().decisions());
            assert!(played.decide());
            played.rewind(to);
        }
        while played.decide() {}
        let (source, catalog) = (played.source(), raffle());
        let before = READ.get();
        let report = verify(&source, &catalog, |_| ()).unwrap();
        assert_eq!(report.status, 0, "{report}");
        reads.push(READ.get() - before);
        let mut replay = Replay::of_all(&source, &catalog, &[], None).unwrap();
        replay.run(&source, &mut |_, _| {}).unwrap();
        assert_eq!(replay.counts().again, again, "{rewinds} rewinds");
    }
    assert_eq!(reads, [2, 2, 2]);
}

/// A Round of undone play is named by its heading. It counts again, and is played again from its
/// beginning; the report lists the orders that count again.
#[test]
fn an_undone_round_is_a_moment_too() {
    let (_folder, mut office) = begun();
    let start = office.open_game(GAME).unwrap().head.n;
    round(&mut office);
    let second = office.open_game(GAME).unwrap().marks.last().unwrap().clone();
    order(&mut office, 0, "bid 3");
    rewind(&mut office, Checkpoint::Line(start));
    assert!(!office.open_game(GAME).unwrap().marks.contains(&second));
    let done = rewind(&mut office, Checkpoint::Turn(second.turn, Some(second.round)));
    assert_eq!(done.place, second.label);
    assert_eq!(done.disclosed.again[&Seat(1)].len(), 2, "{:?}", done.disclosed);
    assert!(text::render(&done.report).contains("that count again: Anna"), "{}", text::render(&done.report));
    let told = order(&mut office, 0, "bid 2");
    assert!(told.contains("done"), "{told}");
    assert_eq!(verify(&Source::from(office.host().journal(GAME).as_path()), &catalog(), |_| ()).unwrap().status, 2);
}

/// Opening a game reads its journal once, even with rewinds.
#[test]
fn a_game_is_opened_by_one_reading_of_its_journal() {
    let (_folder, mut office) = begun();
    order(&mut office, 0, "bid 1");
    order(&mut office, 1, "bid 2");
    let to = office.open_game(GAME).unwrap().head.n;
    order(&mut office, 2, "bid 3");
    let wanted = RewindGame { to: Checkpoint::Line(to), by: "host".into(), reason: "a slip".into(), dry_run: false };
    office.directing(GAME).rewind(&wanted).unwrap();
    office.close_games();
    let before = OPENED.get();
    office.open_game(GAME).unwrap();
    assert_eq!(OPENED.get() - before, 1);
}

#[test]
fn a_ruling_does_what_it_says_and_is_undone_by_a_rewind() {
    let (_folder, mut office) = begun();
    order(&mut office, 0, "bid 1");
    let before = std::fs::read(office.host().journal(GAME)).unwrap();
    let give = |effect| RulingGiven { by: "host".into(), text: "Ben's coin was miscounted".into(), effect, of: None };
    for (effect, why) in [
        (
            serde_json::json!({ "coins": { "seat": "B", "coins": -5 } }),
            "coins: -5 is out of range; 0 to 99 is possible",
        ),
        (serde_json::json!({ "weather": "rain" }), "this game has no such effect of a ruling, only `coins`"),
    ] {
        let told = office.directing(GAME).rule(&give(effect)).unwrap_err().to_string();
        assert!(told.contains(why), "{told}");
    }
    assert_eq!(std::fs::read(office.host().journal(GAME)).unwrap(), before);
    empty_outbox(&office);
    let ruled =
        office.directing(GAME).rule(&give(serde_json::json!({ "coins": { "seat": "B", "coins": 33 } }))).unwrap();
    assert_eq!(ruled.told, ["The host rules: Ben's coin was miscounted. Ben: coins 33."]);
    let again = office
        .directing(GAME)
        .rule(&give(serde_json::json!({ "coins": { "seat": "B", "coins": 33 } })))
        .unwrap_err()
        .to_string();
    assert!(again.contains("it would change nothing, since this is already so: Ben: coins 33."), "{again}");
    let words = office.directing(GAME).rule(&give(serde_json::json!({}))).unwrap();
    assert_eq!(words.told, ["The host rules: Ben's coin was miscounted."]);
    assert_eq!(outbox(&office).len(), 6);
    let letter = take_mail(&office, ".C.");
    assert!(body(&letter).contains("there is a ruling") && body(&letter).contains("Ben: 33 coins"), "{letter}");
    assert!(order(&mut office, 0, "back").contains("the director has ruled"));
    let report = report(&office);
    assert!(report.contradictions.is_empty() && report.to_string().contains("is in words alone"), "{report}");
    // The same position after reading the journal again, and the old one after a rewind to before
    // the ruling.
    office.close_games();
    let status = order(&mut office, 1, "status");
    assert!(status.contains("Ben: 33 coins") && !status.contains('@'), "{status}");
    rewind(&mut office, Checkpoint::Line(ruled.n - 1));
    let status = order(&mut office, 1, "status");
    assert!(status.contains("Ben: 10 coins"), "{status}");
    // The open questions stayed open.
    assert!(order(&mut office, 1, "bid 5").contains("done"));
    assert!(independent_check(&office.host().journal(GAME)).0 != Some(1));
}

#[test]
fn a_seat_is_given_to_another_player() {
    let (_folder, mut office) = begun();
    let old = take_mail(&office, "lone-pine.B.");
    office.directing(GAME).reseat(Seat(1), &"Dora <dora@example.net>".parse().unwrap(), false).unwrap();
    let letter = take_mail(&office, "lone-pine.B.");
    assert!(letter.contains("dora@example.net") && body(&letter).starts_with("Dora, you play seat B"), "{letter}");
    assert!(letter.contains("Subject: [lone-pine] ") && letter.contains(": seat B is yours"), "{letter}");
    assert!(matches!(
        office.receive(answer("dora@example.net", &letter, "bid 2").as_bytes()).unwrap().outcome,
        Outcome::Answered { done: 1, .. }
    ));
    let late = office.receive(answer("ben@example.net", &old, "bid 3").as_bytes()).unwrap().outcome;
    assert_eq!((late, decisions(&office)), (Outcome::Answered { done: 0, total: 0 }, 1));
    let taken = office.directing(GAME).reseat(Seat(1), &"Anna <a@example.net>".parse().unwrap(), false).unwrap_err();
    assert!(taken.to_string().contains("called Anna already"), "{taken}");
}
