//! Tests of terms of time: banks, forfeited games, forged times, and a year computed twice. The
//! games open on Friday, 20 November 2026, at 18:30 UTC.

use super::{
    by_mail::{answer, body, catalog, office_in, outbox, table, take_mail, unfolded},
    needed::*,
};
use crate::transaction::settings::set_zone;
use postrider_analysis::{Case, clocks};
use postrider_dice::SeedChain;
use postrider_journal::testing::rehashed;
use postrider_journal::{
    ALL_PLAYERS, Ballot, Body, Checker, Clock, ClockEvent, Decision, Json, Leave, Motion, Ruling, Via, Vote, What,
    Writer, Zone,
};
use postrider_store::Players;
use postrider_table::{Asked, Seat};
use serde_json::json;
use std::{collections::BTreeSet, io::Write as _, process::Command};
use tempfile::TempDir;

const GAME: &str = "lone-pine";
const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

fn timed(clock: &str, at_flag: AtFlag, leave: i64) -> (TempDir, Office) {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    let clock = Some(Terms { at_flag, leave, ..Terms::new(clock).unwrap() });
    office.new_game(&NewGame { clock, ..table() }).unwrap();
    (folder, office)
}

fn order(office: &mut Office, seat: u8, words: &str) -> String {
    let (told, done) = office.order(GAME, Seat(seat), words).unwrap();
    assert!(done, "{told}");
    told
}

fn advance(office: &mut Office, seconds: i64) -> Ticked {
    office.environment().advance(seconds);
    office.tick(GAME).unwrap()
}

fn journal(office: &Office) -> String {
    std::fs::read_to_string(office.host().journal(GAME)).unwrap()
}

/// Returns both checkers' complaints about the journal; "" if there are none.
fn against(office: &Office) -> String {
    let path = office.host().journal(GAME);
    let report = verify(&Source::from(path.as_path()), &catalog(), |_| ()).unwrap();
    let (status, told) = independent_check(&path);
    let told = if status == Some(1) { told } else { String::new() };
    if report.status == 1 { format!("{report}{told}") } else { told }
}

fn letters(office: &Office, seat: u8) -> String {
    let mine = outbox(office).into_iter().filter(|(name, _)| name.contains(&format!(".{}.", Seat(seat))));
    mine.map(|(_, mail)| body(&unfolded(&mail)).split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn a_bank_is_told_in_letters_and_its_end_loses_the_game() {
    let (_folder, mut office) = timed("bank 4d", AtFlag::Forfeit(2 * DAY), 0);
    assert!(
        letters(&office, 1).contains("Your clock runs until Tue 24 Nov 2026, 18:30 UTC"),
        "{}",
        letters(&office, 1)
    );
    order(&mut office, 0, "bid 1");
    order(&mut office, 1, "bid 2");
    // Carl thinks for three and a half days; then all are asked again.
    advance(&mut office, 3 * DAY + 12 * HOUR);
    order(&mut office, 2, "bid 3");
    let told = letters(&office, 2);
    assert!(
        told.contains("Your clock is low: twelve hours are left for all your answers."),
        "{}",
        told.replace(". ", ".\n")
    );
    assert!(!letters(&office, 1).contains("clock is low"), "Ben has all his days");
    let ticked = advance(&mut office, 13 * HOUR);
    assert_eq!((ticked.expired, ticked.forfeited), (1, 0));
    let told = letters(&office, 0);
    assert!(
        told.contains(
            "Carl has not answered in time; without an answer within two days from then on the game is lost."
        ),
        "{told}"
    );
    // The game is lost two days after the flag, and not before.
    assert_eq!(advance(&mut office, 2 * DAY - 2 * HOUR).forfeited, 0);
    assert_eq!(office.due().unwrap(), [""; 0]);
    office.environment().advance(HOUR);
    assert_eq!(office.due().unwrap(), [GAME], "somebody looks at it then");
    assert_eq!(advance(&mut office, 0).forfeited, 1);
    assert!(
        letters(&office, 0).contains("Carl (C) has not answered in time and loses the game"),
        "{}",
        letters(&office, 0)
    );
    assert!(letters(&office, 0).contains("; the bot random plays the seat to the end"));
    assert_eq!(against(&office), "");
    // The last player who has not lost wins.
    order(&mut office, 1, "concede");
    let outcome = office.open_game(GAME).unwrap().outcome().unwrap();
    assert_eq!(outcome.winners(), [Seat(0)], "{outcome:?}");
    assert_eq!(against(&office), "");
}

/// Nobody is ranked by the order in which entries about one deadline are written.
#[test]
fn who_misses_one_deadline_together_ties() {
    for (answers, ranks) in [(1, [1, 2, 2]), (0, [1, 1, 1])] {
        let (_folder, mut office) = timed("1d", AtFlag::Forfeit(DAY), 0);
        (0..answers).for_each(|seat| _ = order(&mut office, seat, "bid 1"));
        assert_eq!(advance(&mut office, DAY).expired, 3 - usize::from(answers));
        assert_eq!(advance(&mut office, DAY).forfeited, 3 - usize::from(answers));
        let outcome = office.open_game(GAME).unwrap().outcome().unwrap();
        let found = [0, 1, 2].map(|seat| outcome.of(Seat(seat)).unwrap().rank);
        assert_eq!(found, ranks, "{outcome:?}");
        assert!(letters(&office, 1).contains("and Carl did not answer in time (entry "), "{}", letters(&office, 1));
        assert_eq!(against(&office), "");
        // A place apart contradicts.
        let path = office.host().journal(GAME);
        let mut lines: Vec<serde_json::Value> =
            journal(&office).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let closed = lines.iter_mut().find(|line| line["kind"] == "closed").unwrap();
        closed["body"]["outcome"]["ranking"][2]["rank"] = json!(3);
        std::fs::write(&path, rehashed(&lines)).unwrap();
        assert!(against(&office).contains("ends in place 3"), "{}", against(&office));
        assert_eq!(independent_check(&path).0, Some(1));
    }
}

#[test]
fn the_host_is_told_once_who_is_late() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("postrider.toml"), "host_mail = \"host@example.net\"\n").unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&NewGame { clock: Some(Terms::new("1d").unwrap()), ..table() }).unwrap();
    order(&mut office, 0, "bid 1");
    assert!(!office.tell_host().unwrap());
    advance(&mut office, DAY);
    assert!(office.tell_host().unwrap());
    let (_, told) = outbox(&office).into_iter().find(|(name, _)| name.starts_with("_notice")).unwrap();
    let told = unfolded(&told);
    assert!(told.contains("] 2 players are late"), "{told}");
    assert!(told.contains("lone-pine: Ben (B), since Sat 21 Nov 2026, 18:30 UTC"), "{told}");
    advance(&mut office, 2 * DAY);
    assert!(!office.tell_host().unwrap(), "he knows it");
}

#[test]
fn a_director_extends_the_grace() {
    let (_folder, mut office) = timed("1d", AtFlag::Forfeit(DAY), 0);
    order(&mut office, 0, "bid 1");
    order(&mut office, 1, "bid 2");
    advance(&mut office, DAY);
    let effect = json!({ "deadline": { "seat": "C", "until": "2d" } });
    office
        .directing(GAME)
        .rule(&RulingGiven { by: "host".into(), text: "he is ill".into(), effect, of: None })
        .unwrap();
    assert_eq!(advance(&mut office, DAY).forfeited, 0);
    assert_eq!(advance(&mut office, DAY).expired, 1);
    assert_eq!(advance(&mut office, DAY).forfeited, 1);
    assert_eq!(against(&office), "");
}

#[test]
fn weekends_off_are_those_of_each_players_zone() {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&NewGame { clock: Some(Terms::new("6h, no weekends").unwrap()), ..table() }).unwrap();
    let zones = |office: &Office| journal(office).lines().filter(|line| line.contains(r#""kind":"zone""#)).count();
    assert_eq!(zones(&office), 3);
    // It is Friday, 18:30 in UTC and 11:30 in Denver, where Ben is.
    assert!(letters(&office, 0).contains("Answer by Mon 23 Nov 2026, 00:30 UTC"), "{}", letters(&office, 0));
    assert!(letters(&office, 1).contains("(Fri 20 Nov 2026, 17:30 in America/Denver)"), "{}", letters(&office, 1));
    // Changing the time zone later gives no second weekend in this week.
    let told = office.change(GAME, |_, tx| set_zone(tx, Seat(1), "Pacific/Honolulu".to_owned())).unwrap();
    assert!(told.contains("From next Wednesday on"), "{told}");
    assert_eq!(zones(&office), 4);
    assert_eq!(advance(&mut office, 6 * HOUR).expired, 1);
    assert_eq!(advance(&mut office, 2 * DAY - 6 * HOUR).expired, 0);
    assert_eq!(advance(&mut office, 6 * HOUR).expired, 2);
    assert_eq!(against(&office), "");
}

fn at(hours: i64) -> String {
    let opened = chrono::DateTime::parse_from_rfc3339("2026-11-20T18:30:00Z").unwrap();
    (opened + chrono::TimeDelta::hours(hours)).to_utc().to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
}

/// Returns `true` if lines contradict each other or the terms of time, judged with the secrets.
fn contradicts(text: &str, chains: &[SeedChain]) -> bool {
    let (source, catalog) = (Source::from(text.as_bytes()), catalog());
    let mut replay = Replay::of_all(&source, &catalog, chains, None).unwrap();
    let mut checker = Checker::new();
    let fits = |line: &str| checker.feed(line.as_bytes()).is_ok_and(|checked| replay.feed(&checked).is_ok());
    let all = text.lines().all(fits);
    !all || !replay.take_wrong_times().is_empty()
}

fn clock(seat: &'static str, event: ClockEvent) -> Body<'static> {
    let prompt = u64::from(seat.as_bytes()[0] - b'A');
    Body::Clock(Clock { prompt, seat: seat.into(), event })
}

/// Seat A's answer to its first question, given at the deadline.
fn late(coins: u8) -> Body<'static> {
    let order = Json::new(&json!({ "bid": { "coins": coins } })).unwrap();
    Body::Decision(Decision { seat: "A".into(), prompt: 0, ask: "bid".into(), order, via: Via::Deadline, words: None })
}

#[test]
fn an_answer_at_a_deadline_is_the_games_own() {
    for (at_flag, coins, wrong) in [(AtFlag::Play, 0, false), (AtFlag::Play, 7, true), (AtFlag::Remind, 0, true)] {
        let (_folder, mut office) = timed("1d", at_flag, 0);
        let mut writer = Writer::after(&office.open_game(GAME).unwrap().head);
        let late = [clock("A", ClockEvent::Expired), late(coins)];
        let lines: String = late.iter().map(|body| writer.line(&at(24), body).unwrap()).collect();
        let chains = super::deadlines::chains(&office).unwrap();
        assert_eq!(contradicts(&(journal(&office) + &lines), &chains), wrong, "{at_flag:?}, {coins} coins");
    }
}

/// A description of a forgery, whether the lines alone reveal it, and the lines, each with the
/// hours since the game opened.
type Forged<'b> = (&'static str, bool, Vec<(i64, Body<'b>)>);

#[test]
fn forged_times_contradict() {
    let (_folder, mut office) = timed("1d", AtFlag::Forfeit(DAY), 2 * DAY);
    let leave = |seat: &'static str, from: i64, until: i64| {
        let (from, until) = (at(from).into(), at(until).into());
        Body::Leave(Leave { seat: seat.into(), from, until, via: Via::Cli, words: None })
    };
    let zone = |zone: &'static str| Body::Zone(Zone { seat: "A".into(), zone: zone.into() });
    let lost = |seat: &'static str, via| {
        Body::Motion(Motion {
            by: seat.into(),
            what: What::Forfeit {},
            reason: "".into(),
            rollouts: None,
            via,
            words: None,
        })
    };
    let (expired, reminded, paused) = (ClockEvent::Expired, ClockEvent::Reminded, ClockEvent::Paused);
    let deadline = Via::Deadline;
    let of = office.open_game(GAME).unwrap().head.n + 1;
    let agreed = |what: What| {
        let motion = Motion { by: "A".into(), what, reason: "".into(), rollouts: None, via: Via::Cli, words: None };
        let agrees = |seat: &'static str| {
            Body::Vote(Vote { of, seat: seat.into(), vote: Ballot::Agree, via: Via::Cli, words: None })
        };
        vec![(1, Body::Motion(motion)), (2, agrees("B")), (2, agrees("C"))]
    };
    let extended = |hours: i64| {
        let effect = Json::new(&json!({ "deadline": { "seat": "A", "until": at(hours) } })).unwrap();
        let ruling = Ruling { of: Some(of), ..Ruling::new(ALL_PLAYERS, "as agreed".to_owned(), effect) };
        let mut lines = agreed(What::Extend { seconds: 72 * 3_600 });
        lines.push((2, Body::Ruling(ruling)));
        lines
    };
    // The line after the last vote is another one.
    let ignored = |lines: Vec<(i64, Body<'static>)>| {
        let reminded = (30, clock("B", ClockEvent::Reminded));
        lines.into_iter().take(3).chain([reminded]).collect::<Vec<_>>()
    };
    let cases: Vec<Forged<'_>> = vec![
        ("leave of yesterday", true, vec![(24, leave("A", 0, 25))]),
        ("leave beyond what is granted", true, vec![(0, leave("A", 0, 49))]),
        ("leave taken twice over", true, vec![(0, leave("A", 0, 40)), (41, leave("A", 41, 60))]),
        ("leave that ends before it begins", true, vec![(0, leave("A", 5, 4))]),
        ("leave of no seat", true, vec![(0, leave("X", 0, 1))]),
        ("the time zone of nowhere", false, vec![(0, zone("Mars/Olympus"))]),
        ("a time zone where clocks run at weekends", false, vec![(0, zone("Europe/Berlin"))]),
        ("a flag before its time", false, vec![(23, clock("A", expired))]),
        ("a flag in leave", false, vec![(0, leave("A", 0, 10)), (30, clock("A", expired))]),
        ("a flag in a pause", false, vec![(1, clock("A", paused)), (25, clock("A", expired))]),
        ("a pause in a pause", false, vec![(1, clock("A", paused)), (1, clock("B", paused)), (2, clock("A", paused))]),
        ("the end of no pause", false, vec![(1, clock("A", ClockEvent::Resumed))]),
        ("a flag twice", false, vec![(24, clock("A", expired)), (25, clock("A", expired))]),
        ("a reminder before half the time", false, vec![(11, clock("A", reminded))]),
        (
            "the flag of a question of another seat",
            false,
            vec![(24, Body::Clock(Clock { prompt: 1, seat: "A".into(), event: expired }))],
        ),
        ("an answer at a deadline that has not passed", false, vec![(24, late(0))]),
        ("more time than was agreed", false, extended(24 + 73)),
        ("an agreement on more time that is ignored", false, ignored(extended(24 + 72))),
        ("an agreement on a pause that is ignored", false, ignored(agreed(What::Pause { until: at(90) }))),
        ("less time than was agreed", false, extended(24 + 71)),
        ("a game lost without a flag", true, vec![(49, lost("A", deadline))]),
        ("a game lost by the flag of another", true, vec![(24, clock("B", expired)), (48, lost("A", deadline))]),
        ("a game lost by a mail", true, vec![(24, clock("A", expired)), (48, lost("A", Via::Cli))]),
        ("a game lost in the grace", false, vec![(24, clock("A", expired)), (47, lost("A", deadline))]),
        (
            "a game lost in leave",
            false,
            vec![(24, clock("A", expired)), (25, leave("A", 25, 30)), (50, lost("A", deadline))],
        ),
        (
            "a game lost in a pause",
            false,
            vec![(24, clock("A", expired)), (25, clock("A", paused)), (60, lost("A", deadline))],
        ),
        (
            "a game lost twice",
            true,
            vec![(24, clock("A", expired)), (48, lost("A", deadline)), (49, lost("A", deadline))],
        ),
    ];
    let path = office.host().journal(GAME);
    let (head, good) = (office.open_game(GAME).unwrap().head.clone(), journal(&office));
    let chains = super::deadlines::chains(&office).unwrap();
    assert!(!contradicts(&good, &chains));
    let mut agreed = (Writer::after(&head), good.clone());
    for (hours, body) in extended(24 + 72) {
        agreed.1.push_str(&agreed.0.line(&at(hours), &body).unwrap());
    }
    assert!(!contradicts(&agreed.1, &chains));
    for (what, by_lines, bodies) in cases {
        let mut writer = Writer::after(&head);
        let mut text = good.clone();
        for (hours, body) in &bodies {
            text.push_str(&writer.line(&at(*hours), body).unwrap());
        }
        std::fs::write(&path, &text).unwrap();
        assert!(contradicts(&text, &chains), "{what} is accepted");
        let mut checker = Checker::new();
        let found = text.lines().find_map(|line| checker.feed(line.as_bytes()).err());
        assert_eq!(found.is_some(), by_lines, "{what}: {found:?}");
        let (status, told) = independent_check(&path);
        assert_eq!(status == Some(1), by_lines, "{what}: {told}");
    }
    std::fs::write(&path, &good).unwrap();
    assert_eq!(against(&office), "");
}

/// An independent computation, in half hours, from the events and the awaited players.
const RECKONING: &str = r#"
import json, sys
said = json.load(sys.stdin)
seats, stops = said["seats"], said["stops"]
waited, stood, undone = ({seat: 0 for seat in seats} for _ in range(3))
bank, steps, spans = {seat: said["start"] for seat in seats}, [], []  # steps that stand; waits: which line ended them, who, how long
def runs(seat, at): return not any(begin <= at < end for who, begin, end in stops if who in (seat, ""))
def spend(since, to, awaited):
    for seat in awaited: bank[seat] = max(bank[seat] - sum(runs(seat, at) for at in range(since, to)), 0)
def wait(n, since, to, awaited):
    for seat in awaited:
        waited[seat] += to - since
        stood[seat] += sum(not runs(seat, at) for at in range(since, to))
        spans.append([n, seat, to - since])
    spend(since, to, awaited)
now, awaited = 0, []
for event in said["events"]:
    n, at = event["n"], event["at"]
    wait(n, now, at, awaited)
    now, awaited = at, event["awaited"]
    if "to" in event:
        for span in spans:
            if span[0] > event["to"]: undone[span[1]] += span[2]; span[2] = 0
        while steps[-1]["n"] > event["to"]: steps.pop()
        last = steps[-1]
        bank.update(last["bank"])
        if event["by seat"]: spend(last["at"], now, last["awaited"])  # who takes back gains no time
        else: last["at"] = now
    else:
        for seat in seats * event["rounds"]: bank[seat] = max(min(bank[seat] + said["round"], said["cap"]), bank[seat])
        steps.append({"n": n, "at": now, "bank": dict(bank), "awaited": awaited})
wait(n + 1, now, said["end"], awaited)
print(json.dumps({seat: [1800 * count[seat] for count in (waited, stood, undone, bank)] for seat in seats}))
"#;

fn required(office: &mut Office) -> Vec<Asked> {
    let asked = office.change(GAME, |_, tx| tx.asked()).unwrap();
    asked.into_iter().filter(|asked| asked.required).collect()
}

/// The events of the year, as given to the independent computation.
#[derive(Default)]
struct Year {
    /// Half hours since the game opened.
    now: i64,
    /// The `n` of the next line to read.
    next: usize,
    events: Vec<serde_json::Value>,
    /// The periods in which a clock was stopped, as the seat ("" for all), first and last half
    /// hour.
    stops: Vec<(String, i64, i64)>,
}

impl Year {
    /// Reads the new lines of the journal, of which at most one is a step or a rewind.
    fn look(&mut self, office: &mut Office) {
        let text = journal(office);
        let lines: Vec<serde_json::Value> =
            text.lines().skip(self.next).map(|line| serde_json::from_str(line).unwrap()).collect();
        self.next += lines.len();
        let is = |kind: &'static str| move |line: &&serde_json::Value| line["kind"] == kind;
        let step =
            lines.iter().find(|line| ["started", "decision", "rewound"].iter().any(|kind| line["kind"] == **kind));
        let Some(step) = step else { return };
        let awaited: BTreeSet<String> = required(office).iter().map(|asked| asked.seat.to_string()).collect();
        let rounds = lines.iter().filter(is("round")).count();
        let mut event = json!({ "n": step["n"], "at": self.now, "awaited": awaited, "rounds": rounds });
        if step["kind"] == "rewound" {
            event["to"] = step["body"]["to"].clone();
            event["by seat"] = json!(step["body"]["by"].as_str().unwrap().len() == 1);
        }
        self.events.push(event);
    }

    /// Ends a clock's latest stop now, if it has not ended.
    fn goes_on(&mut self, whose: &str) {
        let now = self.now;
        let last = self.stops.iter_mut().rfind(|(who, ..)| who == whose);
        last.into_iter().filter(|(.., end)| *end > now).for_each(|(.., end)| *end = now);
    }
}

#[test]
fn the_clocks_of_a_year_are_reckoned_the_same_twice() {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    let clock = Terms { leave: 30 * DAY, ..Terms::new("bank 20d + 12h a round, at most 25d, no weekends").unwrap() };
    let mut new = NewGame { clock: Some(clock), ..table() };
    new.players[1].zone = None;
    new.players.push("Dora <dora@example.net> Asia/Kolkata".parse().unwrap());
    new.options.insert("turns".into(), json!(90));
    office.new_game(&new).unwrap();
    let (mut year, mut random, mut paused, mut moved) = (Year::default(), 1_u64, false, None);
    let mut any = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    let (mut backs, mut rewinds, mut leaves) = (0, 0, 0);
    year.look(&mut office);
    while year.now < 365 * 48 {
        let hours = i64::try_from(any(30)).unwrap();
        year.now += 2 * hours;
        office.environment().advance(hours * HOUR);
        if moved.is_none() && year.now > 9_000 {
            moved = Some(year.now);
            office.change(GAME, |_, tx| set_zone(tx, Seat(0), "America/Phoenix".to_owned())).unwrap();
        }
        if any(4) == 0 {
            office.tick(GAME).unwrap();
            year.look(&mut office);
        }
        let asked = required(&mut office);
        let one = &asked[any(asked.len() as u64) as usize];
        let (seat, letter) = (one.seat.0, one.seat.to_string());
        match any(40) {
            0 if !paused => {
                paused = office.directing(GAME).pause(true).is_ok();
                year.stops.push((String::new(), year.now, i64::MAX >> 1));
            }
            1..=8 if paused => {
                paused = office.directing(GAME).pause(false).is_err();
                year.goes_on("");
            }
            9 | 10 => {
                order(&mut office, seat, ["away 3 days", "away 9 days", "away off"][any(3) as usize]);
                leaves += 1;
                // The entry contains the granted time.
                let text = journal(&office);
                let line = text.lines().last().filter(|line| line.contains("\"kind\":\"leave\""));
                if let Some(line) = line.filter(|_| text.lines().count() > year.next) {
                    let line: serde_json::Value = serde_json::from_str(line).unwrap();
                    let half_hour = |name: &str| {
                        let time = chrono::DateTime::parse_from_rfc3339(line["body"][name].as_str().unwrap()).unwrap();
                        (time - chrono::DateTime::parse_from_rfc3339(&at(0)).unwrap()).num_minutes() / 30
                    };
                    year.goes_on(&letter);
                    year.stops.push((letter, half_hour("from"), half_hour("until")));
                }
            }
            11 if !paused => {
                let round = year.events.iter().rev().filter(|event| event["rounds"] == 1).nth(1);
                if let Some(n) = round.map(|event| event["n"].as_u64().unwrap()) {
                    let to = Checkpoint::Line(n);
                    let wanted = RewindGame { to, by: "host".into(), reason: "a slip".into(), dry_run: false };
                    rewinds += usize::from(office.directing(GAME).rewind(&wanted).is_ok());
                }
            }
            // The player who ordered last takes the order back, if no dice have been rolled since.
            12..=20 => {
                let text = journal(&office);
                let by = text.lines().rfind(|line| line.contains("\"kind\":\"decision\"")).unwrap_or_default();
                let by =
                    by.split("\"seat\":\"").nth(1).and_then(|rest| Seat::from_letter(&rest[..1])).unwrap_or(Seat(0));
                backs += usize::from(office.order(GAME, by, "back").unwrap().1);
            }
            _ if one.kind == "bid" => _ = order(&mut office, seat, &format!("bid {}", any(10))),
            _ => _ = order(&mut office, seat, &format!("give {}", Seat((seat + 1) % 4))),
        }
        year.look(&mut office);
    }
    assert!(backs > 5 && rewinds > 2 && leaves > 10, "{backs} {rewinds} {leaves}");
    assert_eq!(against(&office), "");
    // In half hours, like the year: the Saturdays of UTC, of Kolkata, and of Phoenix after the move.
    for saturday in (11..year.now).step_by(7 * 48) {
        let is_moved = moved.is_some_and(|moved| moved <= saturday - 2 * 60);
        for (seat, ahead) in [("A", if is_moved { -14 } else { 0 }), ("B", 0), ("C", 0), ("D", 11)] {
            year.stops.push((seat.to_owned(), saturday - ahead, saturday - ahead + 96));
        }
    }
    let kept = office.store().kept(GAME).unwrap().kept;
    let source = Source::from(office.host().journal(GAME).as_path());
    let case = Case {
        source: &source,
        catalog: &catalog(),
        chains: super::deadlines::chains(&office),
        at: None,
        now: Some(office.environment().now()),
        rollouts: 0,
        bot: None,
        seed: 0,
        limit: 0,
    };
    let found = clocks(&case, &Players::named_in(&kept, 4)).unwrap();
    let ours: BTreeMap<&str, [i64; 4]> = (found.time.iter())
        .map(|time| (time.seat.as_str(), [time.waited, time.stood, time.undone, time.bank.unwrap()]))
        .collect();
    let Year { now: end, events, stops, .. } = year;
    let told = json!({
        "seats": ["A", "B", "C", "D"], "start": 960, "round": 24, "cap": 1200, "events": events, "stops": stops, "end": end,
    });
    let mut python = Command::new("python3");
    python.args(["-c", RECKONING]).stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut python = python.spawn().unwrap();
    python.stdin.take().unwrap().write_all(told.to_string().as_bytes()).unwrap();
    let theirs = python.wait_with_output().unwrap().stdout;
    let theirs: BTreeMap<String, [i64; 4]> = serde_json::from_slice(&theirs).unwrap();
    assert_eq!(json!(ours), json!(theirs));
}

#[test]
fn a_clock_that_jumps_stops_deadlines() {
    let (_folder, mut office) = timed("72h", AtFlag::Play, 0);
    let letter = take_mail(&office, &format!("{GAME}.A."));
    office.environment().set_clock(2 * 86_400);
    assert!(office.check_clock(false).unwrap().is_some(), "before the first tick, too");
    office.environment().set_clock(-2 * 86_400);
    assert_eq!(office.check_clock(false).unwrap(), None);
    office.environment().advance(3_600);
    assert_eq!(office.check_clock(false).unwrap(), None, "time passes");
    let before = journal(&office);
    office.environment().set_clock(10 * 86_400);
    let why = office.check_clock(false).unwrap().unwrap().why;
    assert_eq!(why, "this machine's clock was set forward by 14400 minutes since it showed 2026-11-20 18:30:00 UTC");
    assert_eq!(office.tick(GAME).unwrap(), Ticked::default());
    assert_eq!(journal(&office), before, "no deadline has passed");
    office.environment().advance(7_200);
    assert!(office.check_clock(false).unwrap().is_some(), "that stays so");
    // It was right after all; or it is set right.
    office.environment().set_clock(-10 * 86_400);
    assert_eq!(office.check_clock(false).unwrap(), None);
    office.environment().set_clock(10 * 86_400);
    assert!(office.check_clock(false).unwrap().is_some());
    assert_eq!(office.check_clock(true).unwrap(), None);
    assert!(office.tick(GAME).unwrap().expired > 0);
    // After a start of the machine the clock alone says how long it was off. Within a day, only a
    // player's mail agrees with it.
    let anchor = office.host().root().join("mail/clock.json");
    let started = |text: &str| text.replacen("\"staged\",", "\"before\",", 1);
    std::fs::write(&anchor, started(&std::fs::read_to_string(&anchor).unwrap())).unwrap();
    office.environment().set_clock(49 * HOUR);
    let why = office.check_clock(false).unwrap().unwrap().why;
    assert!(why.contains("its clock shows 49 hours more"), "{why}");
    for (hours, doubted) in [(48, true), (0, false)] {
        let date = (office.environment().now() - chrono::Duration::hours(hours)).to_rfc2822();
        let mail = answer("anna@example.net", &letter, &format!("tell ben: {hours}"));
        office.receive(format!("Date: {date}\n{mail}").as_bytes()).unwrap();
        assert_eq!(office.check_clock(false).unwrap().is_some(), doubted);
    }
    office.environment().set_clock(-49 * HOUR);
    std::fs::write(&anchor, "{").unwrap();
    let doubt = office.check_clock(false).unwrap().unwrap();
    assert!(doubt.why.contains("clock.json is damaged") && doubt.stops == Stops::All, "{doubt}");
    assert!(office.check_clock(true).unwrap().is_none());
    // Back to before the last line: that game's deadlines wait, whatever the host says.
    office.environment().set_clock(-10 * 86_400);
    let why = office.check_clock(false).unwrap().unwrap().why;
    assert!(why.contains("was set back by 14400 minutes"), "{why}");
    office.check_clock(true).unwrap();
    let before = journal(&office);
    assert_eq!(office.tick(GAME).unwrap(), Ticked::default());
    assert_eq!(journal(&office), before);
}

/// Steps too small to be doubted add up within a day.
#[test]
fn small_steps_of_a_clock_add_up() {
    let (_folder, mut office) = timed("72h", AtFlag::Play, 0);
    let mut stepped = |seconds: i64, passes: i64| {
        office.environment().set_clock(seconds);
        office.environment().advance(passes);
        office.check_clock(false).unwrap().map(|doubt| doubt.why)
    };
    assert_eq!(stepped(0, 60), None);
    assert_eq!(stepped(290, 60), None);
    assert!(stepped(290, 60).unwrap().contains("was set forward by 9 minutes"));
    for _ in 0..2 {
        assert_eq!(stepped(-290, 60), None);
    }
    // No machine's clock is exact: a minute gained in a day raises no doubt.
    for day in 0..4 {
        assert_eq!(stepped(60, 86_400), None, "day {day}");
    }
}

#[test]
fn a_clock_that_differs_from_the_dates_of_mails_stops_deadlines() {
    let (_folder, mut office) = timed("72h", AtFlag::Play, 0);
    let first =
        [(0, "anna"), (1, "ben")].map(|(seat, name)| (take_mail(&office, &format!("{GAME}.{}.", Seat(seat))), name));
    let mut written = 0;
    let mut write = |office: &mut Office, who: usize, hours: i64| {
        let (letter, name) = &first[who];
        written += 1;
        let date = (office.environment().now() - chrono::Duration::hours(hours)).to_rfc2822();
        let mail = answer(&format!("{name}@example.net"), letter, &format!("tell carl: note {written}"));
        office.receive(format!("Date: {date}\n{mail}").as_bytes()).unwrap();
        office.check_clock(false).unwrap().map(|doubt| doubt.why)
    };
    for _ in 0..4 {
        assert_eq!(write(&mut office, 0, 48), None, "one player alone stops nothing");
    }
    assert_eq!(write(&mut office, 1, 50), None, "mails that waited are late by different times");
    for who in [0, 0] {
        assert_eq!(write(&mut office, who, 48), None);
    }
    let why = write(&mut office, 1, 48).unwrap();
    assert_eq!(why, "this machine's clock is 2880 minutes ahead of the dates of the last 3 mails of lone-pine");
    let (folder, now) = (office.host().root().to_owned(), office.environment().now());
    let mut other = Office::open(Host::open(folder).unwrap(), catalog(), Environment::fixed(9, now)).unwrap();
    assert_eq!(other.check_clock(false).unwrap().map(|doubt| doubt.why), Some(why), "another process knows it");
    office.environment().advance(86_400);
    assert!(office.tick(GAME).unwrap() == Ticked::default());
    assert_eq!(write(&mut office, 1, 0), None, "a recent mail agrees with the clock");
    for who in [0, 1, 0] {
        write(&mut office, who, 48);
    }
    office.environment().advance(60);
    assert_eq!(office.check_clock(true).unwrap(), None, "the host confirms it");
}

#[test]
fn dates_of_mails_to_one_game_stop_no_other() {
    let (_folder, mut office) = timed("72h", AtFlag::Play, 0);
    let other = "red-mesa";
    let clock = Some(Terms { at_flag: AtFlag::Play, leave: 0, ..Terms::new("72h").unwrap() });
    office.new_game(&NewGame { id: Some(other.into()), clock, ..table() }).unwrap();
    let seats = [(GAME, 0, "anna"), (GAME, 1, "ben"), (other, 2, "carl")];
    let first = seats.map(|(game, seat, name)| (take_mail(&office, &format!("{game}.{}.", Seat(seat))), name));
    let write = |office: &mut Office, who: usize| {
        let (letter, name) = &first[who];
        let date = (office.environment().now() - chrono::Duration::hours(48)).to_rfc2822();
        let to = if *name == "carl" { "ben" } else { "carl" };
        let words = format!("tell {to}: {}", office.environment().now());
        let mail = answer(&format!("{name}@example.net"), letter, &words);
        office.environment().advance(1);
        office.receive(format!("Date: {date}\n{mail}").as_bytes()).unwrap();
        office.check_clock(false).unwrap().map(|doubt| doubt.stops)
    };
    let mut doubts = None;
    for who in [0, 1, 0] {
        doubts = write(&mut office, who);
    }
    assert_eq!(doubts, Some(Stops::Games([GAME.to_owned()].into())));
    office.environment().advance(72 * HOUR);
    assert_eq!(office.tick(GAME).unwrap(), Ticked::default());
    assert_eq!(office.tick(other).unwrap().expired, 3);
    assert_eq!(write(&mut office, 2), Some(Stops::All), "players of two games agree on it");
}
