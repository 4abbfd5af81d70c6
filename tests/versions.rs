//! The versions of each game's rules: what the registry says of them, and the page of the game.

use postrider::{games::rulesets, table::Amended};
use std::{fs, path::Path};

/// The pages of the games, by ruleset.
const PAGES: [(&str, &str); 4] = [
    ("geronimo", "docs/geronimo.md"),
    ("plains-indian-wars", "docs/plains.md"),
    ("dark-and-bloody-ground", "docs/dark-and-bloody-ground.md"),
    ("rosebud-creek", "docs/rosebud-creek.md"),
];

/// The rows of the table under "Amendments": version, rules, what was before, what is and why.
fn rows(page: &str) -> Vec<[String; 4]> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page)).unwrap();
    let section = text.split("\n## ").find(|section| section.starts_with("Amendments")).unwrap().to_owned();
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let table = section.lines().filter(|line| line.starts_with('|')).skip(2);
    table.map(|line| cells(line).try_into().unwrap_or_else(|row| panic!("{page}: {row:?}"))).collect()
}

#[test]
fn every_amendment_stands_on_the_page_of_its_game_with_its_reason() {
    for (game, page) in PAGES {
        let rules = rulesets().iter().find(|rules| rules.name() == game).unwrap();
        let listed = rows(page);
        let named: Vec<(String, &str)> =
            listed.iter().map(|[version, rules, ..]| (version.clone(), rules.as_str())).collect();
        let wanted: Vec<(String, &str)> =
            rules.amendments().iter().map(|Amended { version, rules, .. }| (version.to_string(), *rules)).collect();
        assert_eq!(named, wanted, "{page} lists the amendments in their order");
        assert!(listed.iter().flatten().all(|cell| !cell.is_empty()), "{page}");
    }
}

#[test]
fn versions_are_counted_on_and_name_rules_of_the_book() {
    for rules in rulesets() {
        let known: Vec<&str> = rules.rules().lines().filter_map(|line| line.split('\t').next()).collect();
        let mut before = 2;
        for Amended { version, rules: numbers, about } in rules.amendments() {
            assert!((before..=before + 1).contains(version), "{about}: version {version} after {before}");
            before = *version;
            for number in numbers.split(", ") {
                assert!(known.contains(&number), "{}: there is no rule {number}", rules.name());
            }
        }
        assert!((1..=rules.newest()).contains(&rules.version()));
    }
}
