//! Randomly changed journals: both checkers agree on each, neither fails, and a proved mutant has
//! the same meaning as the original journal.
//!
//! `POSTRIDER_MUTANTS=10000 cargo test --test journals -- mutants` tries this many,
//! `POSTRIDER_MUTANTS_SEED=7` others.

mod change;
mod meaning;

use crate::other::Other;
use crate::samples;
use change::{CHANGES, Chance, Change, Lines};
use postrider::{
    audit::{Evidence, Report, verify_with},
    journal::{self, Checker, Unproved},
    replay::{Catalog, Source, rebuild},
    table::Watch,
};
use std::{
    collections::BTreeMap,
    env, fs,
    panic::{self, AssertUnwindSafe},
    path::Path,
};

/// Default number of mutants: each change once for each of the three shortest journals.
const FEW: usize = 3 * CHANGES.len();

/// A valid journal.
struct Sample {
    name: String,
    lines: Lines,
    meaning: Vec<serde_json::Value>,
}

/// Returns the finished games without optional rules, and the test vectors, which have every kind
/// of line.
fn samples() -> Vec<Sample> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let vectors = ["journal", "fork"].map(|name| {
        let path = root.join("tests/vectors").join(name).with_extension("jsonl");
        (name.to_owned(), fs::read(path).expect("a journal"))
    });
    let games = samples::without_options().into_iter().map(|name| (name.clone(), samples::read(&name)));
    let sample = |(name, text): (String, Vec<u8>)| {
        let lines: Lines = text.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
        let meaning = meaning::of(&lines).expect("it is sound");
        Sample { name, lines, meaning }
    };
    let mut all: Vec<Sample> = games.chain(vectors).map(sample).collect();
    all.sort_by_key(|sample| sample.lines.len());
    all
}

/// The result of steps 1 to 7 and 9: the first contradicted line, and the number of unproved parts.
#[derive(Debug, PartialEq, Eq)]
struct Verdict {
    line: Option<u64>,
    open: usize,
}

fn ours(text: &[u8]) -> Verdict {
    let mut checker = Checker::new();
    if let Err(fault) = checker.feed_all(&mut journal::Lines::new(text)) {
        return Verdict { line: Some(fault.line()), open: 0 };
    }
    let claims = checker.finish();
    let open = |open: &Unproved| match open {
        Unproved::Kind { count, .. } => *count as usize,
        _ => 1,
    };
    Verdict { line: None, open: claims.steps.iter().flat_map(|claim| &claim.unproved).map(open).sum() }
}

/// Parses the verdict of the independent checker; fails if its words do not match its status.
fn others(status: i64, said: &str) -> Result<Verdict, String> {
    let line = said.split("Line ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
    let verdict = match line {
        Some(_) => Verdict { line, open: 0 },
        None => Verdict { line, open: said.lines().filter(|line| line.starts_with("Unproved: ")).count() },
    };
    match (status, verdict.line.is_some(), verdict.open > 0) {
        (1, true, _) | (2, false, true) | (0, false, false) => Ok(verdict),
        _ => Err(format!("status {status} and these words: {said}")),
    }
}

/// Returns the events of a game, in the words of its rules.
fn story(text: &[u8], catalog: &Catalog) -> Vec<(String, String)> {
    let live = rebuild(&Source::from(text), catalog, None, None, Watch::ALL).expect("it is proved");
    live.story.iter().map(|one| (one.told.under.to_string(), one.told.line.clone())).collect()
}

fn report(text: &[u8], catalog: &Catalog) -> Report {
    verify_with(Checker::new(), &Evidence::default(), &Source::from(text), catalog, |_| ()).expect("it can be read")
}

/// Tests a mutant; returns an error if the checkers are wrong, otherwise `true` if it is proved.
fn tried(text: &[u8], sample: &Sample, other: &mut Other, catalog: &Catalog) -> Result<bool, String> {
    let ours = panic::catch_unwind(|| ours(text)).map_err(|_| "this program broke".to_owned())?;
    let (status, said) = other.says(text, &[])?;
    if (status == 65) == journal::can_be_journal(text) {
        return Err(format!("whether it is a journal at all, the checkers do not agree: {said}"));
    }
    if status == 65 {
        return Ok(false);
    }
    let others = others(status, &said)?;
    if ours != others {
        return Err(format!("this program finds {ours:?}, the other checker {others:?}: {said}"));
    }
    if ours.line.is_some() || ours.open > 0 {
        return Ok(false);
    }
    let report = panic::catch_unwind(AssertUnwindSafe(|| report(text, catalog)))
        .map_err(|_| "this program broke in the replay".to_owned())?;
    let lines: Lines = text.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    if report.status != 0 {
        return Ok(false);
    }
    let meaning = meaning::of(&lines).ok_or("it is proved and cannot be read")?;
    let (spelt, was) = (meaning::orders(&lines), meaning::orders(&sample.lines));
    if !was.starts_with(&spelt) && !story(&sample.lines.concat(), catalog).starts_with(&story(text, catalog)) {
        return Err("it is proved and tells another story".to_owned());
    }
    // If a journal ends before all players have joined, the order of joining is unknown.
    let joining = !meaning.iter().any(|line| line["kind"] == "started");
    let is_part = joining && meaning.iter().all(|line| sample.meaning.contains(line));
    match sample.meaning.starts_with(&meaning) || is_part {
        true => Ok(true),
        false => {
            let at = meaning.iter().zip(&sample.meaning).position(|(a, b)| a != b);
            let says = |all: &[serde_json::Value]| at.and_then(|at| all.get(at)).map(ToString::to_string);
            let (now, was) = (says(&meaning), says(&sample.meaning));
            Err(format!("it is proved and says {now:?}, not {was:?}"))
        }
    }
}

#[test]
fn both_checkers_agree_on_any_mutant_and_prove_none_that_says_something_else() {
    let number = |name: &str| env::var(name).ok().map(|text| text.parse::<usize>().expect("a number"));
    let (most, seed) = (number("POSTRIDER_MUTANTS").unwrap_or(FEW), number("POSTRIDER_MUTANTS_SEED").unwrap_or(1));
    let (samples, catalog) = (samples(), Catalog::new(postrider::games::rulesets()));
    let mut other = Other::start();
    let mut wrong = Vec::new();
    let mut counts: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for i in 0..most {
        let mut chance = Chance::new(&format!("{seed}, {i}"));
        let Change { what, does } = CHANGES[i % CHANGES.len()];
        // A small number of mutants is spread over the short journals, a large number over all.
        let sample = match most <= FEW {
            true => &samples[i / CHANGES.len()],
            false => &samples[chance.below(samples.len())],
        };
        let (mut lines, mut how) = (sample.lines.clone(), String::new());
        // Many changes have no effect, such as moving a line to its own position.
        for _ in 0..50 {
            how = does(&mut lines, &mut chance);
            if lines != sample.lines {
                break;
            }
        }
        assert_ne!(lines, sample.lines, "{what}, {how}: {}", sample.name);
        let text = lines.concat();
        let count = counts.entry(what).or_default();
        count[0] += 1;
        match tried(&text, sample, &mut other, &catalog) {
            Ok(proved) => count[1] += usize::from(proved),
            Err(why) => {
                count[2] += 1;
                if let Ok(keep) = env::var("POSTRIDER_MUTANTS_KEEP") {
                    fs::write(Path::new(&keep).join(format!("{seed}-{i}.jsonl")), &text).expect("there is room");
                }
                wrong.push(format!("{i}, {}, {what}, {how}: {why}", sample.name));
                if why.contains("broke") {
                    other = Other::start();
                }
            }
        }
    }
    for (what, [tried, proved, wrong]) in &counts {
        println!("{what}: {tried} tried, {proved} proved, {wrong} wrong");
    }
    let tried: usize = counts.values().map(|count| count[0]).sum();
    println!("{tried} mutants");
    assert!(wrong.is_empty(), "{} of {tried}: {wrong:#?}", wrong.len());
    assert_eq!(counts.len(), CHANGES.len(), "every change is tried: {:?}", counts.keys());
}
