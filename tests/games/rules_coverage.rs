//! The rules of each game that are covered by tests. A test lists the rules that it covers in a doc
//! comment, as the game's name followed by numbers of its table of rules (`rules.tsv` in the game's
//! folder, see `Ruleset::rules`).

use postrider::{
    games::rulesets,
    table::{RuleRow, rule_rows},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Words that show that a test can fail.
const PROOFS: &[&str] = &["assert", "insta::", "expect_err", "unwrap_err", "should_panic", "check", "refused_by"];

/// Maximum number of consecutive comment lines in a Rust file; longer texts belong in a README.md.
const LONGEST_COMMENT: usize = 18;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources() -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).expect("a folder of the package") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let text = fs::read_to_string(&path).expect("a source file");
                found.push((path, text));
            }
        }
    }
    let mut found = Vec::new();
    for folder in ["src", "tests"] {
        walk(&root().join(folder), &mut found);
    }
    found
}

/// A test: its name, the comment lines above it, its body.
struct Test<'t> {
    name: &'t str,
    comments: Vec<&'t str>,
    body: String,
}

/// Returns the tests of a file: functions with an attribute that ends with `test`.
fn tests(text: &str) -> Vec<Test<'_>> {
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    let mut found = Vec::new();
    let (mut comments, mut is_test) = (Vec::new(), false);
    for (i, line) in lines.iter().enumerate() {
        if line.starts_with("//") {
            comments.push(*line);
        } else if let Some(attribute) = line.strip_prefix("#[") {
            let word: String = attribute.chars().take_while(|&c| c.is_alphanumeric() || c == '_' || c == ':').collect();
            is_test |= word.ends_with("test");
        } else {
            let name = line.trim_start_matches("pub ").trim_start_matches("async ").strip_prefix("fn ");
            if let Some(name) = name.filter(|_| is_test) {
                let name = name.split(['(', '<']).next().unwrap_or(name);
                let goes_on = |l: &&&str| !l.starts_with("#[test]") && !l.starts_with("mod ");
                let body = lines[i + 1..].iter().take_while(goes_on).copied().collect::<Vec<_>>().join("\n");
                found.push(Test { name, comments: std::mem::take(&mut comments), body });
            }
            comments.clear();
            is_test = false;
        }
    }
    found
}

fn numbers<'t>(comment: &'t str, game: &str) -> Vec<&'t str> {
    let words = comment.trim_start_matches('/').trim_start();
    let Some(list) = words.strip_prefix(game).and_then(|rest| rest.strip_prefix(' ')) else { return Vec::new() };
    list.split([',', ' ']).map(|word| word.trim_end_matches(['.', ':'])).filter(|word| !word.is_empty()).collect()
}

fn named(sources: &[(PathBuf, String)], game: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut named: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, text) in sources {
        for test in tests(text) {
            if !PROOFS.iter().any(|proof| test.body.contains(proof)) {
                continue;
            }
            for number in test.comments.iter().flat_map(|line| numbers(line, game)) {
                let place = format!("{}: {}", path.display(), test.name);
                named.entry(number.to_owned()).or_default().insert(place);
            }
        }
    }
    named
}

#[test]
fn every_rule_is_shown_by_a_test() {
    let sources = sources();
    for game in rulesets() {
        let named = named(&sources, game.name());
        for RuleRow { number, title, .. } in rule_rows(game.rules()) {
            assert!(named.contains_key(number), "no test names {} {number} ({title})", game.name());
        }
    }
}

#[test]
fn tests_name_rules_that_there_are() {
    let sources = sources();
    for game in rulesets() {
        let rules: BTreeSet<&str> = rule_rows(game.rules()).map(|row| row.number).collect();
        assert!(!rules.is_empty(), "{} has no table of rules", game.name());
        for (number, places) in named(&sources, game.name()) {
            assert!(rules.contains(&*number), "{} has no {number}: {places:?}", game.name());
        }
    }
}

/// `tests/rule-lines` checks that unit tests reach these functions.
#[test]
fn every_rule_names_a_function_that_there_is() {
    let sources = sources();
    for game in rulesets() {
        let table = |path: &&Path| fs::read_to_string(path.join("rules.tsv")).is_ok_and(|text| text == game.rules());
        let folder = sources.iter().filter_map(|(path, _)| path.parent()).find(table).expect("the game's folder");
        for RuleRow { number, function, .. } in rule_rows(game.rules()) {
            let (module, name) = function.rsplit_once("::").unwrap_or_else(|| panic!("{number}: no function"));
            let module = folder.join(module.replace("::", "/"));
            let mut texts = sources
                .iter()
                .filter(|(path, _)| *path == module.with_extension("rs") || *path == module.join("mod.rs"));
            let is_there = |(_, text): &(PathBuf, String)| {
                let rules = text.split("#[cfg(test)]\nmod").next().unwrap_or_default();
                ["(", "<"].iter().any(|next| rules.contains(&format!("fn {name}{next}")))
            };
            assert!(texts.any(is_there), "{} {number}: there is no {function}", game.name());
        }
    }
}

/// Long runs of comment lines confuse tools that look for tests.
#[test]
fn comments_are_short() {
    let mut long = Vec::new();
    for (path, text) in sources() {
        let mut run = 0;
        for (i, line) in text.lines().chain([""]).enumerate() {
            if line.trim_start().starts_with("//") {
                run += 1;
            } else {
                if run > LONGEST_COMMENT {
                    long.push(format!("{}:{}: {run} lines", path.display(), i + 1 - run));
                }
                run = 0;
            }
        }
    }
    assert!(long.is_empty(), "comments of more than {LONGEST_COMMENT} lines: {long:#?}");
}
