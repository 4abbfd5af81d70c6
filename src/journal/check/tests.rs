//! Forgeries of the sample journal, and the line at which each is detected.

use serde_json::{Value, json};

use super::*;
use crate::testing::rehashed;

const SAMPLE: &str = include_str!("../../../tests/vectors/journal.jsonl");

fn first_fault(text: &[u8]) -> Option<Fault> {
    let mut checker = Checker::new();
    checker.feed_all(&mut Lines::new(text)).err()
}

fn sample() -> Vec<Value> {
    SAMPLE.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn of(kind: &str) -> Vec<usize> {
    (0..).zip(sample()).filter(|(_, line)| line["kind"] == kind).map(|(n, _)| n).collect()
}

#[test]
fn the_sample_holds_and_hashing_it_anew_changes_nothing() {
    assert_eq!(first_fault(SAMPLE.as_bytes()), None);
    assert_eq!(rehashed(&sample()), SAMPLE);
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

/// Forges one value of the sample. Returns the fault found and the `n` of the forged line.
fn with(kind: &str, nth: usize, pointer: &str, value: Value) -> (Fault, u64) {
    let n = of(kind)[nth];
    let mut lines = sample();
    *lines[n]["body"].pointer_mut(pointer).unwrap() = value;
    (first_fault(rehashed(&lines).as_bytes()).expect("the forgery is found"), n as u64)
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

#[test]
fn another_format_is_named() {
    let mut lines = sample();
    lines[0]["body"]["format"] = json!(2);
    lines[0]["body"]["witness"] = json!("x");
    let fault = first_fault(rehashed(&lines).as_bytes()).expect("the forgery is found").to_string();
    assert!(fault.contains("the journal has format 2, but this program reads format 1"), "{fault}");
}
