//! Forgeries of the sample journal, and the line at which each is detected.

use serde_json::{Value, json};

use super::*;
use crate::{entry::entry_hash, to_canon};
use postrider_dice::ChainFault;

const SAMPLE: &str = include_str!("../../../tests/vectors/journal.jsonl");

fn first_fault(text: &[u8]) -> Option<Fault> {
    let mut checker = Checker::new();
    checker.feed_all(&mut Lines::new(text)).err()
}

fn sample() -> Vec<Value> {
    SAMPLE.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Renumbers and rehashes all lines, as an operator who holds the journal could.
fn forged(mut lines: Vec<Value>) -> String {
    let mut prev = Hash::ZERO.to_string();
    let mut text = String::new();
    for (n, line) in lines.iter_mut().enumerate() {
        line["n"] = json!(n);
        line["prev"] = json!(prev);
        line.as_object_mut().unwrap().remove("hash");
        prev = entry_hash(&to_canon(line).unwrap(), "").to_string();
        line["hash"] = json!(prev);
        text += &(to_canon(line).unwrap() + "\n");
    }
    text
}

fn of(kind: &str) -> Vec<usize> {
    (0..).zip(sample()).filter(|(_, line)| line["kind"] == kind).map(|(n, _)| n).collect()
}

fn refused(lines: Vec<Value>) -> Fault {
    first_fault(forged(lines).as_bytes()).expect("the forgery is found")
}

#[test]
fn the_sample_holds_and_hashing_it_anew_changes_nothing() {
    assert_eq!(first_fault(SAMPLE.as_bytes()), None);
    assert_eq!(forged(sample()), SAMPLE);
}

#[test]
fn an_edit_of_any_byte_is_refused_at_its_line() {
    let mut checker = Checker::new();
    let mut begin = 0;
    for (n, line) in (0..).zip(SAMPLE.split_inclusive('\n')) {
        // The lines before are unchanged, and the lines after it are not reached.
        let mut rest = SAMPLE.as_bytes()[begin..].to_vec();
        for at in 0..line.len() {
            let byte = rest[at];
            for edit in [byte ^ 1, b'\n', b' ', b'0', 0xff] {
                if edit != byte {
                    rest[at] = edit;
                    let fault = match at + 1 == line.len() {
                        // Whether the file ends with a newline can only be checked on the whole
                        // file.
                        true => first_fault(&[&SAMPLE.as_bytes()[..begin], &rest].concat()),
                        false => checker.clone().feed_all(&mut Lines::new(&rest[..])).err(),
                    };
                    let fault = fault.unwrap_or_else(|| panic!("byte {} as {edit} is accepted", begin + at));
                    assert_eq!(fault.n, n, "byte {} as {edit}: {fault}", begin + at);
                }
            }
            rest[at] = byte;
        }
        checker.feed(line.trim_end_matches('\n').as_bytes()).expect("the sample holds");
        begin += line.len();
    }
    assert_eq!(begin, SAMPLE.len());
}

#[test]
fn a_line_left_out_doubled_or_swapped_is_refused() {
    let lines: Vec<&str> = SAMPLE.split_inclusive('\n').collect();
    for n in 0..lines.len() {
        let doubled = [&lines[..=n], &lines[n..]].concat().concat();
        assert_eq!(first_fault(doubled.as_bytes()).unwrap().n, n as u64 + 1);
        if n + 1 < lines.len() {
            let without = [&lines[..n], &lines[n + 1..]].concat().concat();
            assert_eq!(first_fault(without.as_bytes()).unwrap().n, n as u64);
            let mut swapped = lines.clone();
            swapped.swap(n, n + 1);
            assert_eq!(first_fault(swapped.concat().as_bytes()).unwrap().n, n as u64);
        }
    }
}

#[test]
fn a_torn_file_is_refused_at_its_last_line() {
    let last = SAMPLE.lines().count() as u64 - 1;
    let start = SAMPLE.trim_end().rfind('\n').unwrap() + 1;
    for end in start + 1..SAMPLE.len() {
        let fault = first_fault(&SAMPLE.as_bytes()[..end]).unwrap();
        assert_eq!((fault.n, fault.step), (last, Step::Lines));
    }
}

/// Forges one value of the sample. Returns the fault found and n of the forged line.
fn with(kind: &str, nth: usize, pointer: &str, value: Value) -> (Fault, u64) {
    let n = of(kind)[nth];
    let mut lines = sample();
    *lines[n]["body"].pointer_mut(pointer).unwrap() = value;
    (refused(lines), n as u64)
}

#[test]
fn a_forged_value_is_refused_though_every_hash_fits() {
    let zeros = json!(Hash::ZERO);
    let cases = [
        ("started", 0, "/luck", zeros.clone(), Step::Frame),
        ("joined", 1, "/seat", json!("red"), Step::Frame),
        ("joined", 1, "/seat", json!("green"), Step::Frame),
        ("decision", 0, "/seat", json!("green"), Step::Frame),
        ("decision", 0, "/words", json!("cli"), Step::Entries),
        ("decision", 0, "/order", json!([]), Step::Entries),
        ("clock", 0, "/event", json!("stopped"), Step::Entries),
        ("rolled", 0, "/secret", zeros.clone(), Step::Chains),
        ("rolled", 0, "/rolls/0/2", json!(7), Step::Dice),
        ("rolled", 1, "/rolls/0/3", json!(99), Step::Dice),
        ("rolled", 0, "/rolls/2", json!(["drift", -2, 2]), Step::Entries),
        ("rolled", 0, "/rolls/2", json!(["drift", -2]), Step::Entries),
        ("shuffled", 0, "/epoch", json!(1), Step::Decks),
        ("shuffled", 0, "/deck", json!("other"), Step::Chains),
        ("dealt", 0, "/count", json!(9), Step::Decks),
        ("dealt", 0, "/epoch", json!(1), Step::Decks),
        ("dealt", 1, "/seat", json!("green"), Step::Frame),
        ("shown", 0, "/card", json!("card-99"), Step::Decks),
        ("shown", 0, "/salt", zeros.clone(), Step::Decks),
        ("shown", 1, "/pos", json!(7), Step::Decks),
        ("shown", 1, "/pos", json!(8), Step::Decks),
        ("revealed", 0, "/secret", zeros.clone(), Step::Chains),
        ("revealed", 0, "/epoch", json!(1), Step::Decks),
        ("revealed", 0, "/deck", json!("other"), Step::Chains),
        ("unsealed", 0, "/content/order", json!("stand"), Step::Seals),
        ("unsealed", 0, "/salt", zeros.clone(), Step::Seals),
        ("unsealed", 0, "/of", json!(0), Step::Seals),
        ("rewound", 0, "/to", json!(0), Step::Frame),
        ("rewound", 0, "/to", json!(1000), Step::Frame),
        ("rewound", 0, "/chains", json!({ "dice": zeros }), Step::Chains),
        ("closed", 0, "/secrets/dice", zeros.clone(), Step::Chains),
    ];
    for (kind, nth, pointer, value, step) in cases {
        let (fault, n) = with(kind, nth, pointer, value.clone());
        assert_eq!((fault.n, fault.step), (n, step), "{kind} {pointer} {value}: {fault}");
    }
}

#[test]
fn what_is_found_later_names_the_line_that_lied() {
    let zeros = json!(Hash::ZERO);
    // A commitment that was never shown is detected at the reveal, which names the shuffle.
    let (fault, n) = with("shuffled", 0, "/cards/7", zeros.clone());
    assert_eq!((fault.n, fault.contradicts), (of("revealed")[0] as u64, Some(n)));
    // A changed phrase is detected at `started`.
    let (fault, _) = with("joined", 0, "/luck", json!("I like sixes"));
    assert_eq!(fault.n, of("started")[0] as u64);
    // A changed tip is detected at its first use.
    let (fault, n) = with("opened", 0, "/chains/dice", zeros.clone());
    assert_eq!((fault.n, fault.contradicts), (of("rolled")[0] as u64, Some(n)));
    let (fault, n) = with("rewound", 0, "/chains/dice", zeros.clone());
    assert_eq!((fault.n, fault.contradicts), (of("rolled")[2] as u64, Some(n)));
    let (fault, n) = with("sealed", 0, "/commit", zeros);
    assert_eq!((fault.n, fault.contradicts), (of("unsealed")[0] as u64, Some(n)));
    let (fault, _) = with("rolled", 0, "/rolls/0/4", json!(99));
    let truth = &sample()[of("rolled")[0]]["body"]["rolls"][0][4];
    assert_eq!(fault.right, Some(truth.to_string()));
}

#[test]
fn what_must_come_first_comes_first() {
    let without = |n: usize| {
        let mut lines = sample();
        lines.remove(n);
        refused(lines)
    };
    assert_eq!((without(0).n, without(0).step), (0, Step::Frame));
    let started = of("started")[0];
    let fault = without(started);
    assert_eq!((fault.n, fault.wrong), (of("shuffled")[0] as u64 - 1, Wrong::BeforeStart("shuffled")));
    let mut lines = sample();
    lines.insert(5, lines[0].clone());
    assert_eq!(refused(lines).wrong, Wrong::OpenedAgain);
    let mut lines = sample();
    lines.insert(5, lines[started].clone());
    assert_eq!(refused(lines).wrong, Wrong::AfterStart("started"));
    // The chain shows that a roll was removed to get a better one.
    let fault = without(of("rolled")[2]);
    assert_eq!((fault.n, fault.step), (of("rolled")[3] as u64 - 1, Step::Chains));
    // Nothing may be drawn from a published chain.
    let mut lines = sample();
    lines.push(lines[*of("rolled").last().unwrap()].clone());
    let fault = refused(lines);
    let used_up = |fault: &ChainFault| matches!(fault, ChainFault::Exhausted { .. });
    assert!(matches!(&fault.wrong, Wrong::Chain(fault) if used_up(fault)), "{fault}");
    // Nothing can be revealed or unsealed twice.
    for kind in ["revealed", "unsealed"] {
        let mut lines = sample();
        lines.push(lines[of(kind)[0]].clone());
        assert_eq!(refused(lines).n, sample().len() as u64, "{kind}");
    }
}

#[test]
fn a_key_can_be_expected() {
    let key = sample()[0]["body"]["key"].as_str().unwrap().parse().unwrap();
    let first = SAMPLE.lines().next().unwrap().as_bytes();
    assert!(Checker::expecting_key(key).feed(first).is_ok());
    let mut checker = Checker::expecting_key(Hash::ZERO);
    let fault = checker.feed(first).unwrap_err();
    assert_eq!(fault.wrong, Wrong::Key(key));
    assert_eq!(checker.feed(first).unwrap_err(), fault);
}

#[test]
fn what_stays_open_is_said() {
    let mut checker = Checker::new();
    checker.feed_all(&mut Lines::new(SAMPLE.as_bytes())).unwrap();
    let claims = checker.finish();
    let open: Vec<String> = claims.steps.iter().flat_map(|claim| &claim.unproved).map(ToString::to_string).collect();
    assert_eq!(open.len(), 4, "{open:?}");
    for (open, what) in open.iter().zip(["weather", "(deck:events) were fixed", "epoch 1", "sealed"]) {
        assert!(open.contains(what), "{open}");
    }
    assert_eq!(Checker::new().finish().steps[0].unproved, [Unproved::Empty]);
    assert_eq!(claims.operator_seats, ["blue"]);
}

/// Section 4, including `ruleset` and `parent`.
#[test]
fn members_that_the_format_does_not_list_contradict() {
    for (kind, pointer) in [("joined", ""), ("opened", ""), ("opened", "/ruleset"), ("rewound", "")] {
        let n = of(kind)[0];
        let mut lines = sample();
        lines[n]["body"].pointer_mut(pointer).unwrap()["nickname"] = json!("x");
        let fault = refused(lines);
        assert_eq!((fault.n, fault.step), (n as u64, Step::Entries));
        assert!(fault.to_string().contains("unknown field `nickname`"), "{fault}");
    }
    let mut lines = sample();
    lines[0]["body"]["parent"] = json!({"game": "abc", "hash": Hash::ZERO, "n": 7, "nickname": "x"});
    assert!(refused(lines).to_string().contains("unknown field `nickname`"));
}

#[test]
fn another_format_is_named() {
    let mut lines = sample();
    lines[0]["body"]["format"] = json!(2);
    lines[0]["body"]["witness"] = json!("x");
    let fault = refused(lines).to_string();
    assert!(fault.contains("the journal has format 2, but this program reads format 1"), "{fault}");
}
