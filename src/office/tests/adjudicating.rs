//! Adjudication of the toy game, with all numbers known in advance.

use super::{
    by_mail::{catalog, office_in, table},
    needed::*,
};
use chrono::{DateTime, Utc};
use postrider_analysis::{AdjudicateFault, Adjudication, Case, Estimate, adjudicate, in_words, page};
use postrider_letters::text;
use postrider_store::{GameSecrets, KeptLines, Players};
use postrider_table::Seat;
use serde_json::Value;

const A: Seat = Seat(0);
const B: Seat = Seat(1);
const C: Seat = Seat(2);

/// Starts an auction of one Turn and gives the first `answers` of its eight answers, each after a
/// known time.
pub(super) fn auction(answers: usize) -> (tempfile::TempDir, Office) {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    let options = [("turns".to_owned(), 1.into())].into();
    office.new_game(&NewGame { options, ..table() }).unwrap();
    let script = [
        (B, "bid 0", 3600),
        (C, "bid 1", 1800),
        (A, "bid 4", 600),
        (A, "give ben", 30),
        (C, "bid 0", 60),
        (A, "bid 5", 60),
        (B, "bid 0", 60),
        (A, "give carl", 60),
    ];
    for (seat, order, after) in script.into_iter().take(answers) {
        office.environment().advance(after);
        let (said, done) = office.order("lone-pine", seat, order).unwrap();
        assert!(done, "{said}");
    }
    office.close_games();
    (folder, office)
}

fn adjudicated(office: &Office, rollouts: u64, seed: u64) -> Adjudication {
    adjudicated_at(office, rollouts, seed, None)
}

fn adjudicated_at(office: &Office, rollouts: u64, seed: u64, now: Option<DateTime<Utc>>) -> Adjudication {
    let host = office.host();
    let source = Source::from(host.journal("lone-pine").as_path());
    let secrets = std::fs::read_to_string(host.secrets("lone-pine")).unwrap();
    let kept = KeptLines::of_text(&secrets).kept;
    let chains = GameSecrets::of(kept.clone()).chains;
    let catalog = catalog();
    let bot = Some("random".to_owned());
    let case = Case {
        source: &source,
        catalog: &catalog,
        chains: Some(chains),
        at: None,
        now,
        rollouts,
        bot,
        seed,
        limit: 100,
    };
    adjudicate(&case, &Players::named_in(&kept, 3), &|| ()).unwrap()
}

fn dice(office: &Office) -> Vec<f64> {
    let text = std::fs::read_to_string(office.host().journal("lone-pine")).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let rolled = lines.filter(|line| line["kind"] == "rolled");
    rolled.map(|line| line["body"]["rolls"][0][3].as_f64().unwrap()).collect()
}

#[test]
fn only_the_last_gift_is_open() {
    let (_folder, office) = auction(7);
    let found = adjudicated(&office, 400, 1);
    let worth = dice(&office);
    // All players begin with 10 coins. Anna paid 4 and 5 for the values of the dice and gave Ben a
    // coin.
    let anna = 10.0 + worth[0] - 4.0 + worth[1] - 5.0;
    let forecast = &found.rollouts;
    assert_eq!(
        (forecast.count, forecast.failed, forecast.counted.map(|counted| counted.name)),
        (400, 0, Some("coins"))
    );
    let [a, b, c] = &forecast.seats[..] else { panic!("three seats") };
    // All values are equal. The spread shows that, so there is no interval.
    assert_eq!(a.expected, Estimate { value: anna, low: None, high: None });
    assert_eq!(a.spread, [anna as i64; 7]);
    // The random bot gives the last coin to Ben or Carl with equal probability.
    assert_eq!(([b.spread[0], b.spread[6]], [c.spread[0], c.spread[6]]), ([11, 12], [10, 11]));
    assert_eq!(b.expected.value + c.expected.value, 22.0);
    let (low, high) = (b.expected.low.unwrap(), b.expected.high.unwrap());
    assert!(low < 11.5 && 11.5 < high, "{low} {high}");
    // The standard error of 400 coins is 0.025.
    assert!((high - low - 2.0 * 1.966 * 0.025).abs() < 0.001, "{low} {high}");
    let all: f64 = forecast.seats.iter().map(|seat| seat.wins.value).sum();
    assert!((all - 1.0).abs() < 1e-9, "{all}");
}

#[test]
fn dice_belong_to_whoever_made_them_roll() {
    let (_folder, office) = auction(7);
    let found = adjudicated(&office, 1, 1);
    let worth = dice(&office);
    let seats: Vec<&str> = found.luck.iter().map(|luck| luck.seat.as_str()).collect();
    // The first coin's value was rolled at the beginning, the second's after Anna's gift.
    assert_eq!(seats, ["", "A"]);
    for (luck, got) in found.luck.iter().zip(worth) {
        let sum = luck.kinds["worth"];
        assert_eq!((sum.count, sum.got, sum.mean), (1, Some(got), Some(4.5)));
        // A die from 0 to 9 has variance 8.25.
        assert!((sum.deviations - (got - 4.5) / 8.25_f64.sqrt()).abs() < 1e-12, "{sum:?}");
        assert_eq!(sum.deviations, luck.all.deviations);
    }
}

#[test]
fn the_game_waits_for_whoever_is_asked() {
    let (_folder, office) = auction(7);
    let time = adjudicated(&office, 1, 1).time;
    let used = |seat: Seat| {
        let time = &time[seat.index()];
        (time.waited, time.longest, time.answers)
    };
    // First Round: all three are asked. Ben answers after 3600 s, Carl 1800 s later, Anna 600 s
    // later; then only Anna is asked, for the gift. Second Round: Carl answers after 60 s, Anna
    // after 120 s, Ben after 180 s; Anna's second gift is still open.
    assert_eq!(used(A), (6000 + 30 + 120, 6000, 3));
    assert_eq!(used(B), (3600 + 180, 3600, 2));
    assert_eq!(used(C), (5400 + 60, 5400, 2));
    assert_eq!(time.iter().map(|time| time.standing + time.absent).sum::<u64>(), 0);
    // Anna does not answer for half a year; her open question counts.
    let last = std::fs::read_to_string(office.host().journal("lone-pine")).unwrap();
    let at = last.lines().last().unwrap()[7..27].parse::<DateTime<Utc>>().unwrap();
    let later = adjudicated_at(&office, 1, 1, Some(at + chrono::TimeDelta::days(180))).time;
    let opened = later.iter().map(|time| time.open).collect::<Vec<_>>();
    assert_eq!(opened, [180 * 86_400, 0, 0]);
    assert_eq!(later[0].waited, time[0].waited + 180 * 86_400);
}

#[test]
fn the_same_seed_gives_the_same_and_more_rollouts_know_more() {
    let (_folder, office) = auction(3);
    let few = adjudicated(&office, 50, 7);
    assert_eq!(few.rollouts, adjudicated(&office, 50, 7).rollouts);
    assert_ne!(few.rollouts.seats, adjudicated(&office, 50, 8).rollouts.seats);
    let many = adjudicated(&office, 450, 7);
    let width = |found: &Adjudication, seat: usize| {
        let of = |e: &Estimate| e.high.unwrap() - e.low.unwrap();
        (of(&found.rollouts.seats[seat].expected), of(&found.rollouts.seats[seat].wins))
    };
    for seat in 0..3 {
        let (few, many) = (width(&few, seat), width(&many, seat));
        // Nine times as many rollouts give a third of the width.
        assert!((0.25..0.42).contains(&(many.0 / few.0)), "{few:?} {many:?}");
        assert!(many.1 < few.1, "{few:?} {many:?}");
    }
}

#[test]
fn a_finished_game_is_its_outcome() {
    let (_folder, office) = auction(8);
    let found = adjudicated(&office, 1000, 1);
    assert!(found.outcome.is_some() && found.rollouts.count == 1);
    for seat in &found.rollouts.seats {
        assert_eq!((seat.expected.low, seat.expected.high), (Some(seat.expected.value), Some(seat.expected.value)));
        assert_eq!((seat.wins.low, seat.wins.high), (Some(seat.wins.value), Some(seat.wins.value)));
        assert_eq!([seat.spread[0], seat.spread[6]], [seat.expected.value as i64; 2]);
    }
    let [_, b, c] = &found.rollouts.seats[..] else { panic!("three seats") };
    assert_eq!((b.expected.value, c.expected.value), (11.0, 11.0));
    assert!(text::render(&in_words(&found)).contains("this is its outcome"));
}

#[test]
fn how_it_reads() {
    let (_folder, office) = auction(6);
    let found = adjudicated(&office, 200, 1);
    let text = text::render(&in_words(&found));
    assert!(text.lines().all(|line| line.chars().count() <= postrider_letters::text::WIDTH), "{text}");
    insta::assert_snapshot!("adjudication", text);
    let json = serde_json::to_value(&found).unwrap();
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "clock_set_back",
            "ended",
            "game",
            "hash",
            "interventions",
            "line",
            "luck",
            "moment",
            "not_further",
            "out",
            "outcome",
            "rollouts",
            "seats",
            "time",
            "title"
        ]
    );
    assert!(json["rollouts"]["seats"][0]["expected"]["low"].is_number(), "{json}");
    assert_eq!(json["rollouts"]["seats"][0]["spread"].as_array().map(Vec::len), Some(7));
}

#[test]
fn the_page_stands_by_itself() {
    let (_folder, office) = auction(6);
    let mut found = adjudicated(&office, 20, 1);
    found.seats[0].name = "Anna <b> & Co".into();
    let page = page(&found).unwrap();
    assert_eq!(page.matches("<svg").count(), 4);
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
    assert!(page.contains("Anna &lt;b&gt; &amp; Co (A)") && !page.contains("<b>"), "{page}");
    for foreign in ["http", "<script", "src=", "@import", "url(", "NaN", "inf"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
}

#[test]
fn orders_dice_and_time_stay_with_who_sat_there() {
    let (_folder, mut office) = auction(3);
    office.environment().advance(100);
    office.directing("lone-pine").reseat(A, &"Dora <dora@example.net>".parse().unwrap(), false).unwrap();
    office.environment().advance(20);
    assert!(office.order("lone-pine", A, "give ben").unwrap().1);
    let entry = |kind: &str| {
        let text = std::fs::read_to_string(office.host().journal("lone-pine")).unwrap();
        text.lines().position(|line| line.contains(&format!("\"kind\":\"{kind}\""))).unwrap() as u64
    };
    let since = entry("reseated");
    let found = adjudicated(&office, 20, 1);
    let of_a: Vec<_> = found.time.iter().filter(|time| time.seat == "A").collect();
    assert_eq!(
        of_a.iter().map(|time| (time.since, time.waited, time.answers)).collect::<Vec<_>>(),
        [(0, 3600 + 1800 + 600 + 100, 1), (since, 20, 1)]
    );
    let dice: Vec<_> = found.luck.iter().map(|luck| (luck.seat.as_str(), luck.since, luck.all.count)).collect();
    assert!(dice.contains(&("A", since, 1)) && !dice.iter().any(|one| (one.0, one.1) == ("A", 0)), "{dice:?}");
    let told = text::render(&in_words(&found));
    assert!(told.contains(&format!("entry {since}, ")) && told.contains("Dora takes over seat A from Anna."), "{told}");
    assert!(told.contains("Anna (A)") && told.contains("Dora (A)"), "{told}");
}

/// In a raffle with a ruling and a rewind, the dice of undone play do not count. Without the host's
/// secrets, play continues from the last proved position.
#[test]
fn a_bare_journal_is_played_out_from_where_it_is_proved() {
    let (_folder, office) = auction(5);
    let source = Source::from(office.host().journal("lone-pine").as_path());
    let (catalog, seats) = (catalog(), Players::named_in(&[], 3));
    let bot = Some("random".to_owned());
    let case = Case {
        source: &source,
        catalog: &catalog,
        chains: None,
        at: None,
        now: None,
        rollouts: 5,
        bot,
        seed: 1,
        limit: 100,
    };
    let why = adjudicate(&case, &seats, &|| ()).unwrap_err();
    assert!(matches!(&why, AdjudicateFault::NoPosition(why) if why.contains("not revealed yet")), "{why}");
    let other = Case { bot: Some("deep".to_owned()), ..case };
    let why = adjudicate(&other, &seats, &|| ()).unwrap_err();
    assert_eq!(why.to_string(), "no bot \"deep\" plays Auction!; available: random");
}
