//! README.md, the other pages in its folder and docs/ are correct: their commands exist, their
//! links work, README.md links to every page, and the fast commands have the output shown.

use clap::CommandFactory;
use postrider::cli::Cli;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// Returns README.md, the pages in its folder, and those in docs/.
fn pages() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let listed =
        |folder: &Path| fs::read_dir(folder).expect("a folder").map(|file| file.expect("it can be listed").path());
    let mut paths: Vec<PathBuf> = listed(root).chain(listed(&root.join("docs"))).collect();
    paths.retain(|path| path.extension().is_some_and(|kind| kind == "md"));
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(&path).expect("a page can be read"))).collect()
}

fn readme() -> String {
    fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).expect("there is a README.md")
}

fn postrider(arguments: &[&str]) -> (String, i32) {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_postrider"))
        .args(arguments)
        .env_remove("POSTRIDER_ROOT")
        .output()
        .expect("the program can be run");
    let text = String::from_utf8(stdout).expect("it prints UTF-8") + &String::from_utf8_lossy(&stderr);
    (text, status.code().expect("it is not killed"))
}

#[track_caller]
fn prints(arguments: &[&str], expected: &[&str]) -> String {
    let (text, status) = postrider(arguments);
    assert_eq!(status, 0, "postrider {}: {text}", arguments.join(" "));
    for words in expected {
        assert!(text.contains(words), "postrider {} does not print {words:?}:\n{text}", arguments.join(" "));
    }
    text
}

/// Returns the commands that a page names: in `postrider …` of code spans and blocks, and after
/// `cargo run … --`.
fn named(page: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let starts = page.match_indices("postrider ").filter(|(at, _)| {
        let before = &page[..*at];
        // In running text and in mails the word is a name, not a command.
        before.ends_with(['`', '\n', '|', '"', '/']) || before.ends_with("    ") || before.ends_with("$ ")
    });
    let behind = starts.map(|(at, word)| &page[at + word.len()..]);
    let cargo = page.lines().filter(|line| line.contains("cargo run")).filter_map(|line| line.split_once(" -- "));
    for rest in behind.chain(cargo.map(|(_, rest)| rest)) {
        let mut words = rest.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "--root" => drop(words.next()),
                _ => {
                    commands.push(word.trim_end_matches(|c: char| !c.is_alphanumeric()).to_owned());
                    break;
                }
            }
        }
    }
    commands.retain(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
    commands
}

#[test]
fn every_command_that_is_named_exists() {
    let known: BTreeSet<String> = Cli::command().get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let mut seen = BTreeSet::new();
    for (path, page) in pages() {
        for command in named(&page) {
            assert!(known.contains(&command), "{} names `postrider {command}`", path.display());
            seen.insert(command);
        }
    }
    assert_eq!(seen, known, "every command is named somewhere");
}

#[test]
fn every_link_leads_to_a_file() {
    for (path, page) in pages() {
        let folder = path.parent().expect("a page lies in a folder");
        for target in page.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target) {
            let file = target.split('#').next().unwrap_or_default();
            let elsewhere = file.is_empty() || target.contains("://");
            assert!(elsewhere || folder.join(file).exists(), "{} links to {target}", path.display());
        }
    }
}

#[test]
fn every_page_stands_in_the_map_of_the_readme() {
    let readme = readme();
    let map: String = readme.lines().filter(|line| line.starts_with('|')).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = pages();
    pages.retain(|(path, _)| *path != root.join("README.md"));
    assert!(pages.len() > 10, "{} pages", pages.len());
    for (path, _) in pages {
        let path = path.strip_prefix(root).expect("a page of the project").display().to_string();
        assert!(map.contains(&format!("]({path})")), "README.md has no link to {path} in its map");
    }
}

#[test]
fn the_readme_shows_how_its_game_stands() {
    let readme = readme();
    let folder = tempfile::tempdir().expect("there is room");
    let root = folder.path().join("table");
    let root = root.to_str().expect("a plain path");
    let (_, opened) = readme.split_once("postrider --root table new ").expect("README.md opens a game");
    let (opened, _) = opened.split_once("\npostrider ").expect("another command follows");
    // Splits words as a shell does: quoted ones stay whole, a backslash joins lines.
    let opened = opened.replace("\\\n", " ");
    let words = opened.split('"').enumerate().flat_map(|(nth, part)| match nth % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    });
    let all: Vec<&str> = ["--root", root, "new"].into_iter().chain(words).collect();
    prints(&all, &["lone-pine"]);
    let status = prints(&["--root", root, "status"], &[]);
    assert!(readme.contains(&format!("```text\n{status}```")), "README.md should show:\n{status}");
}

#[test]
fn the_test_command_stands_on_a_line_of_its_own() {
    let readme = readme();
    let first = readme.lines().find(|line| line.starts_with("cargo test"));
    assert_eq!(first, Some("cargo test --locked"));
}

#[test]
fn games_are_listed_with_what_they_are_made_of() {
    prints(&["games"], &["geronimo: Geronimo!, 1 to 5 players; scenarios: basic, campaign; rules version 1"]);
    let tables = prints(&["games", "components", "geronimo"], &["Washington", "known: survival"]);
    assert!(tables.starts_with("AREAS\n"));
    let file = prints(&["games", "components", "geronimo", "--toml"], &["[[area]]\ncode = \"WA\""]);
    assert_eq!(
        file,
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/games/geronimo/components.toml"))
            .expect("it is there")
    );
}

#[test]
fn a_demonstration_leaves_a_game_that_can_be_looked_at_and_checked() {
    let folder = tempfile::tempdir().expect("there is room");
    let root = folder.path().join("demo");
    let root = root.to_str().expect("a plain path");
    let said = prints(
        &["demo", "--dir", root, "--seats", "3", "--seed", "3", "--most", "60"],
        &["mails written", "9 receipts  proved", "Try next:"],
    );
    let line = said.lines().find(|line| line.contains(" log ")).expect("it says what to try next");
    let game = line.split_whitespace().last().expect("a game's id");
    // The files that it writes can be viewed, and the commands that it names can be run unchanged.
    let page = said.lines().find_map(|line| line.strip_prefix("Page ")).expect("a page").trim();
    assert!(fs::read_to_string(page).expect("it is there").contains(&format!("<span class=\"soft\">{game}</span>")));
    let tries: Vec<&str> = said.lines().skip_while(|line| !line.contains("Try next:")).skip(1).collect();
    assert_eq!(tries.len(), 4, "{said}");
    for command in tries {
        let output = Command::new("sh").args(["-c", command]).output().expect("a shell");
        let (said, status) = (String::from_utf8_lossy(&output.stderr), output.status.code());
        assert!(status == Some(0) || command.contains(" verify ") && status == Some(2), "{command}: {said}");
    }

    prints(&["--root", root, "status"], &[game, "geronimo, Turn 4", "waiting for"]);
    prints(&["--root", root, "prompts", game], &["(rule "]);
    prints(&["--root", root, "log", game], &["Turn 4"]);
    prints(&["--root", root, "show", game], &["Player", "MAP"]);
    prints(&["--root", root, "show", game, "--at", "turn 4 round 1"], &["Turn 4, Round 1", "MAP"]);
    prints(&["--root", root, "show", game, "--seat", "B"], &["(you)"]);

    // An unfinished game has cards that are not shown yet: nothing is contradicted, but not
    // everything is proved.
    let (report, status) = postrider(&["--root", root, "verify", game]);
    assert_eq!(status, 2, "{report}");
    assert!(report.contains("Nothing is contradicted; some parts stay unproved."), "{report}");

    // A changed die is detected.
    let journal = Path::new(root).join("journal").join(format!("{game}.jsonl"));
    let text = fs::read_to_string(&journal).expect("there is a journal");
    let roll = text.find("\"rolls\":[[").expect("dice were rolled");
    let die = roll + text[roll..].match_indices(',').nth(2).expect("a die").0 + 1;
    let other = if text[die..].starts_with('5') { "4" } else { "5" };
    fs::write(&journal, format!("{}{other}{}", &text[..die], &text[die + 1..])).expect("it can be written");
    let (report, status) = postrider(&["--root", root, "verify", game]);
    assert_eq!(status, 1, "{report}");
    assert!(report.contains("CONTRADICTION"), "{report}");
}
