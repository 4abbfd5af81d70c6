//! Replay and verification of a small played game.

mod mailboxes;

use super::{
    testing::independent_check,
    verify::{Grade, verify},
};
use postrider_dice::Hash;
use postrider_journal::{Body, Line, testing::rehashed};
use postrider_replay::{Difference, Replay, ReplayFault, Source, rebuild};
use postrider_table::{AnyOrder, Rejected, Watch};
use postrider_test_games::raffle::{Played, catalog};
use serde_json::Value;
use std::fs;

fn lines(bytes: &[u8]) -> Vec<String> {
    String::from_utf8(bytes.to_vec()).unwrap().lines().map(str::to_owned).collect()
}

/// Rewrites the lines with one body changed and with correct hashes: a forgery that the hash chain
/// does not reveal.
fn forge(bytes: &[u8], at: usize, change: impl FnOnce(&mut Value)) -> Source {
    let mut lines: Vec<Value> = lines(bytes).iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    change(&mut lines[at]["body"]);
    Source::from(rehashed(&lines).as_bytes())
}

fn kinds(bytes: &[u8]) -> Vec<String> {
    lines(bytes).iter().map(|text| Line::parse(text.as_bytes()).unwrap().kind.to_owned()).collect()
}

fn find(bytes: &[u8], kind: &str) -> usize {
    kinds(bytes).iter().position(|k| k == kind).unwrap()
}

fn view(live: &mut postrider_replay::LiveGame) -> Value {
    live.dyn_game.as_mut().unwrap().view(None).unwrap()
}

#[test]
fn a_finished_game_is_proved() {
    let played = Played::whole();
    assert!(played.live.closed);
    let mut read = 0;
    let report = verify(&played.source(), &catalog(), |bytes| read = bytes).unwrap();
    assert_eq!((report.status, &report.contradictions), (0, &vec![]), "{report}");
    assert_eq!(read, played.bytes.len() as u64);
    assert_eq!(report.operator_seats, ["B"]);
    assert!(report.to_string().contains("\nThe operator holds seat B, and "), "{report}");
    let replay = report.claims.iter().find(|claim| claim.step == 8).unwrap();
    assert_eq!((replay.proved["steps"], replay.proved["digests"]), (1 + 8, 4));
    let found = kinds(&played.bytes);
    for kind in ["rolled", "shuffled", "dealt", "shown", "revealed", "round", "closed"] {
        assert!(found.iter().any(|k| k == kind), "no line of kind {kind}");
    }
}

/// Lines after a damaged one are not read, so their times are not proved.
#[test]
fn the_times_of_a_damaged_journal_are_not_proved() {
    let bytes = Played::whole().bytes;
    let cut = forge(&bytes, 0, |_| ()).bytes().unwrap();
    let mut text = String::from_utf8(cut.to_vec()).unwrap();
    let half = text.lines().take(lines(&bytes).len() / 2).map(|line| line.len() + 1).sum::<usize>();
    text.insert(half, ' ');
    let report = verify(&Source::from(text.as_bytes()), &catalog(), |_| ()).unwrap();
    let [.., times] = &report.claims[..] else { panic!("{report}") };
    assert_eq!((times.step, times.grade), (10, Grade::Unproved), "{report}");
    assert!(times.unproved[0].starts_with("only entries 0 to "), "{report}");
}

#[test]
fn a_game_is_the_same_rebuilt_at_any_line() {
    let mut played = Played::begin();
    let mut views = vec![(played.writer.n(), view(&mut played.live))];
    while played.decide() {
        views.push((played.writer.n(), view(&mut played.live)));
    }
    let kinds = kinds(&played.bytes);
    let started = find(&played.bytes, "started") as u64;
    for n in 0..kinds.len() as u64 {
        for secrets in [None, Some(played.chains.clone())] {
            let mut live = rebuild(&played.source(), &catalog(), secrets, Some(n), Watch::ALL).unwrap();
            if n < started {
                assert!(live.dyn_game.is_none());
                continue;
            }
            let (end, seen) = views.iter().find(|(end, _)| n < *end).unwrap();
            assert_eq!((live.head.n + 1, &view(&mut live)), (*end, seen), "line {n}");
            assert!(!live.is_live(), "the past is only looked at");
        }
    }
}

#[test]
fn the_story_knows_its_lines() {
    let played = Played::whole();
    let again = rebuild(&played.source(), &catalog(), None, None, Watch::ALL).unwrap();
    let live: Vec<_> = played.live.story.iter().map(|s| (s.n, s.told.line.clone())).collect();
    assert_eq!(live, again.story.iter().map(|s| (s.n, s.told.line.clone())).collect::<Vec<_>>());
    assert!(!live.is_empty());
    assert_eq!(again.marks, played.live.marks);
    let kinds = kinds(&played.bytes);
    assert!(live.iter().all(|(n, _)| kinds[*n as usize] == "decision"));
    assert!(again.marks.iter().all(|mark| kinds[mark.n as usize] == "round"));
    assert_eq!(again.marks.len(), 4);
}

#[test]
fn a_game_goes_on_as_if_it_had_never_been_rebuilt() {
    let whole = Played::whole();
    let mut played = Played::begin();
    loop {
        let chains = Some(played.chains.clone());
        played.live = rebuild(&played.source(), &catalog(), chains, None, Watch::ALL).unwrap();
        assert!(played.live.is_live());
        if !played.decide() {
            break;
        }
    }
    assert_eq!(lines(&played.bytes), lines(&whole.bytes));
}

#[test]
fn a_damaged_line_is_named_with_what_follows_from_it() {
    let played = Played::whole();
    let all = lines(&played.bytes);
    let told = |n: usize, line: &str| {
        let mut bad = all.clone();
        bad[n] = line.to_owned();
        let source = Source::from((bad.join("\n") + "\n").as_bytes());
        verify(&source, &catalog(), |_| ()).unwrap().to_string()
    };
    for (n, line, judged, said) in [
        (7, "{", "only entries 0 to 6 were judged", "The claims below cover only entries 0 to 6"),
        (1, "", "only entry 0 was judged", "The claims below cover only entry 0"),
        (0, &all[1].clone(), "no entry was judged", "Nothing of this file is proved"),
    ] {
        let told = told(n, line);
        assert!(told.contains(&format!("open: {judged}: entry {n} is damaged, step ")), "{told}");
        assert!(
            told.contains(&format!(
                "CONTRADICTION in {}, entry {n} (line {} of the file), step ",
                if n == 0 { "a journal" } else { "raffle-1" },
                n + 1
            )),
            "{told}"
        );
        assert!(told.contains(&format!("\nEntry {n} is damaged or was changed. {said}. Another copy")), "{told}");
    }
    // A forgery with correct hashes stops no check, and neither do contradictions in mails.
    let lie =
        forge(&played.bytes, find(&played.bytes, "closed"), |b| b["outcome"] = serde_json::json!({"points": [1, 2]}));
    assert!(!verify(&lie, &catalog(), |_| ()).unwrap().to_string().contains("is damaged"));
}

#[test]
fn a_broken_append_is_told_with_the_line_to_cut_at() {
    let played = Played::whole();
    let all = lines(&played.bytes);
    let kinds = kinds(&played.bytes);
    let begins = |n: usize| matches!(&*kinds[n], "opened" | "joined" | "started" | "decision");
    for end in 1..all.len() {
        let part = Source::from((all[..end].join("\n") + "\n").as_bytes());
        let found = rebuild(&part, &catalog(), Some(played.chains.clone()), None, Watch::ALL);
        if begins(end) {
            assert!(found.is_ok(), "the first {end} lines are whole: {:?}", found.err());
            continue;
        }
        let cut = (0..end).rfind(|&n| begins(n)).unwrap() as u64;
        match found {
            Err(ReplayFault::Incomplete { from, .. }) => assert_eq!(from, cut, "the first {end} lines"),
            other => panic!("the first {end} lines: {:?}", other.err()),
        }
    }
}

#[test]
fn cards_that_are_hidden_still_leave_the_rest_unproved() {
    let mut played = Played::begin();
    for _ in 0..5 {
        played.decide();
    }
    let report = verify(&played.source(), &catalog(), |_| ()).unwrap();
    assert_eq!(report.status, 2, "{report}");
    // The first Turn is over and revealed; its last step shuffles for the second Turn.
    let kinds = kinds(&played.bytes);
    let shuffled = kinds.iter().rposition(|k| k == "shuffled").unwrap();
    let step = kinds[..shuffled].iter().rposition(|k| k == "decision").unwrap();
    assert!(report.to_string().contains(&format!("everything from entry {step} on")), "{report}");
    match rebuild(&played.source(), &catalog(), None, None, Watch::ALL) {
        Err(ReplayFault::Hidden { n, deck, epoch }) => assert_eq!((n, &*deck, epoch), (step as u64, "tickets", 1)),
        other => panic!("{:?}", other.err()),
    }
    assert!(rebuild(&played.source(), &catalog(), None, Some(step as u64 - 1), Watch::ALL).is_ok());
}

#[test]
fn after_a_rewind_the_game_goes_on_from_there() {
    let mut played = Played::begin();
    played.decide();
    played.decide();
    let (to, seen) = (played.live.head.n, view(&mut played.live));
    played.seal();
    for _ in 0..3 {
        played.decide();
    }
    let undone = played.live.head.n;
    played.rewind(to);
    assert_eq!(view(&mut played.live), seen);
    assert!(played.live.story.iter().all(|line| line.n <= to || line.n > undone));
    while played.decide() {}
    let report = verify(&played.source(), &catalog(), |_| ()).unwrap();
    assert!(report.contradictions.is_empty(), "{report}");
    // A standing order that was sealed in undone play stays sealed.
    let open: Vec<&String> = report.claims.iter().take(8).flat_map(|claim| &claim.unproved).collect();
    assert!(open.len() == 1 && open[0].starts_with("what was sealed"), "{report}");
    let again = rebuild(&played.source(), &catalog(), Some(played.chains.clone()), None, Watch::ALL).unwrap();
    assert!(again.closed);
    // A replay up to a line that a later rewind undid shows that position.
    assert!(rebuild(&played.source(), &catalog(), Some(played.chains.clone()), Some(undone), Watch::ALL).is_ok());
}

/// Round 2 of a Turn begins with dice, before anybody is asked.
#[test]
fn a_round_is_played_again_from_before_its_dice() {
    let mut played = Played::begin();
    while played.live.marks.len() < 4 {
        played.decide();
    }
    let round = |played: &Played, label: &str| {
        let mark = played.live.marks.iter().rfind(|mark| mark.label == label).unwrap().clone();
        (mark.n, played.live.view_at(&mark, None).unwrap().unwrap())
    };
    let bonus = |played: &Played| {
        let told = played.live.story.iter().filter(|line| line.told.line.starts_with("The bonus"));
        told.map(|line| line.n).collect::<Vec<_>>()
    };
    let (to, then) = round(&played, "Turn 1, Round 2");
    let first = played.live.step_log.goes_on(to).unwrap().first;
    assert_eq!((bonus(&played)[0], bonus(&played).len()), (first, 2));
    // Back to the first Round with dice, then to the second, then to the first once more.
    played.rewind_to_round(to);
    let at = find(&played.bytes, "rewound");
    assert_eq!((bonus(&played), kinds(&played.bytes)[at + 1].as_str()), (vec![at as u64], "rolled"));
    assert_eq!(round(&played, "Turn 1, Round 2"), (to, then.clone()));
    while played.live.marks.len() < 4 {
        played.decide();
    }
    let (second, _) = round(&played, "Turn 2, Round 2");
    played.rewind_to_round(second);
    played.rewind_to_round(to);
    assert_eq!(round(&played, "Turn 1, Round 2"), (to, then));
    // A line that the second rewind has undone counts again.
    played.rewind(second);
    while played.decide() {}
    let report = verify(&played.source(), &catalog(), |_| ()).unwrap();
    assert_eq!((report.status, &report.contradictions), (0, &vec![]), "{report}");
    assert_eq!(played.remembered, 3);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("raffle-1.jsonl");
    fs::write(&path, &played.bytes).unwrap();
    let (status, said) = independent_check(&path);
    assert_eq!(status, Some(0), "{said}");
    // Another step than the one in which the Round begins, and a line that begins none.
    for (member, wrong, bad) in [("within", first - 1, at), ("within", first + 1, at), ("to", to - 1, at)] {
        let forged = forge(&played.bytes, at, |body| body[member] = wrong.into());
        let report = verify(&forged, &catalog(), |_| ()).unwrap();
        assert!(report.contradictions.iter().any(|one| one.line == bad as u64 + 1), "{member} {wrong}: {report}");
    }
}

/// Section 5 of the format: the chains of every generation are fixed at the opening, and `closed`
/// proves it.
#[test]
fn fresh_chains_are_proved_when_the_game_is_closed() {
    let mut played = Played::begin();
    let start = played.live.head.n;
    let mut ends = vec![];
    // Rewinds from the middle of a Turn, from after a shuffle to before it, and twice from the end
    // of a closed game.
    for decisions in [3, 6, 99, 99] {
        let mut left = decisions;
        while left > 0 && played.decide() {
            left -= 1;
        }
        ends.push(played.bytes.clone());
        played.rewind(start);
    }
    while played.decide() {}
    ends.push(played.bytes.clone());
    let folder = tempfile::tempdir().unwrap();
    for (k, bytes) in ends.iter().enumerate() {
        let report = verify(&bytes[..].into(), &catalog(), |_| ()).unwrap();
        let closed = kinds(bytes).last().unwrap() == "closed";
        assert_eq!((closed, report.status), (k >= 2, if closed { 0 } else { 2 }), "{k}: {report}");
        // Only the generations since the last `closed` entry are unproved.
        let waiting = report.to_string().matches("were fixed at the opening").count();
        assert_eq!(waiting, if closed { 0 } else { k }, "{k}: {report}");
        let path = folder.path().join(format!("{k}.jsonl"));
        fs::write(&path, bytes).unwrap();
        let (status, told) = independent_check(&path);
        assert_eq!(status, Some(i32::from(report.status)), "{k}: {told}");
        assert_eq!(told.matches("were fixed at the opening").count(), waiting, "{k}: {told}");
    }
}

/// An operator replaces the chains after a rewind to get other dice.
#[test]
fn chosen_chains_are_found_when_the_game_is_closed() {
    use postrider_dice::SeedChain;
    let chosen = |label: &str, length| SeedChain::new(label, length, Hash([7; 32]));
    let mut played = Played::begin();
    played.decide();
    let to = played.live.head.n;
    played.decide();
    played.rewinds += 1;
    played.rewind_with(to, vec![chosen("dice", 65_536), chosen("deck:tickets", 256)]);
    while played.decide() {}
    let report = verify(&played.source(), &catalog(), |_| ()).unwrap();
    let closed = kinds(&played.bytes).len() as u64;
    let first = &report.contradictions[0];
    assert_eq!((first.line, first.step, report.status), (closed, 4, 1), "{report}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("raffle-1.jsonl");
    fs::write(&path, &played.bytes).unwrap();
    let (status, told) = independent_check(&path);
    assert!(status == Some(1) && told.contains(&format!("Line {closed} ")), "{told}");
    // A second `closed` entry must publish the same secrets as the first.
    let mut played = Played::whole();
    let first_end = find(&played.bytes, "closed") as u64 + 1;
    played.rewinds += 1;
    played.rewind_with(to, vec![chosen("dice", 65_536), chosen("deck:tickets", 256)]);
    while played.decide() {}
    let last = kinds(&played.bytes).len() as u64;
    let report = verify(&played.source(), &catalog(), |_| ()).unwrap();
    let first = &report.contradictions[0];
    assert_eq!((first.line, first.contradicts), (last, Some(first_end)), "{report}");
    fs::write(&path, &played.bytes).unwrap();
    let (status, told) = independent_check(&path);
    assert!(status == Some(1) && told.contains(&format!("Line {last} ")), "{told}");
}

#[test]
fn a_refusal_changes_nothing_and_a_reader_cannot_play() {
    let mut played = Played::begin();
    let asked = played.live.dyn_game.as_mut().unwrap().asked().unwrap().remove(0);
    let refused =
        played.order(&asked, AnyOrder::new(postrider_test_games::raffle::Order::Play { card: 99 })).err().unwrap();
    assert!(matches!(refused, postrider_replay::LiveFault::Rejected(Rejected::Refused(_))), "{refused}");
    let mut same = Played::begin();
    while played.decide() {}
    while same.decide() {}
    assert_eq!(played.bytes, same.bytes);

    let whole = Played::whole();
    let mut reader = rebuild(&whole.source(), &catalog(), None, None, Watch::ALL).unwrap();
    assert!(matches!(reader.start(99), Err(postrider_replay::LiveFault::NotNow(_))));
    let wrong = rebuild(&whole.source(), &catalog(), Some(Vec::new()), None, Watch::ALL);
    assert!(matches!(wrong, Err(ReplayFault::Secrets(_))), "{:?}", wrong.err());
}

#[test]
fn rules_that_are_not_at_hand_leave_the_replay_unproved() {
    let played = Played::whole();
    let report = verify(&played.source(), &postrider_replay::Catalog::new(&[]), |_| ()).unwrap();
    assert_eq!(report.status, 2);
    assert!(report.to_string().contains("no ruleset \"raffle\""), "{report}");
    let owners =
        forge(&played.bytes, 0, |b| b["ruleset"]["components"] = postrider_dice::sha256(b"x").to_string().into());
    let without = verify(&owners, &catalog(), |_| ()).unwrap();
    assert_eq!(without.status, 2, "{without}");
    let with = verify(&owners, &catalog().with_components("x"), |_| ()).unwrap();
    assert_eq!(with.status, 0, "{with}");
}

#[test]
fn a_derived_line_out_of_place_is_an_orphan() {
    let played = Played::whole();
    let catalog = catalog();
    let mut replay = Replay::of_all(&played.source(), &catalog, &[], None).unwrap();
    let all = lines(&played.bytes);
    let mut checker = postrider_journal::Checker::new();
    let opened = checker.feed(all[0].as_bytes()).unwrap();
    replay.feed(&opened).unwrap();
    let mut body: Value = serde_json::from_str(r#"{"turn":1,"round":1,"label":"x"}"#).unwrap();
    body["state"] = Hash::ZERO.to_string().into();
    let text = body.to_string();
    let body = Body::read("round", &text).unwrap();
    let fault = replay.feed(&postrider_journal::Checked { body, ..opened.clone() }).unwrap_err();
    let ReplayFault::Differs { what, .. } = fault else { panic!("{fault}") };
    assert!(matches!(*what, Difference::Orphan(_)));
}
