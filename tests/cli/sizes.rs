//! The size of the example in `docs/adding-a-game.md`, and the layers below the games, which name
//! none of them. `POSTRIDER_WRITE_DOCS=1 cargo test --test cli -- sizes` updates the page.

use postrider::games::rulesets;
use std::{
    fs,
    path::{Path, PathBuf},
};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/adding-a-game.md");

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display())) {
        let path = entry.expect("an entry of the folder").path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

fn lines(path: &Path) -> (usize, usize) {
    let text = fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let all = text.lines().count();
    let is_test =
        path.components().any(|part| ["tests", "tests.rs", "testing.rs"].iter().any(|name| part.as_os_str() == *name));
    let code = if is_test { 0 } else { text.lines().take_while(|line| *line != "#[cfg(test)]").count() };
    // A test module is last in its file, unless it is only declared there.
    let declared = text.contains("#[cfg(test)]\nmod tests;") || text.contains("#[cfg(test)]\npub mod testing;");
    let code = if declared && !is_test { all } else { code };
    (code, all - code)
}

#[test]
fn no_layer_names_a_game() {
    let names: Vec<String> =
        rulesets().iter().flat_map(|game| [game.name().to_lowercase(), game.title().to_lowercase()]).collect();
    let games = root("src/games");
    let mut looked_at = 0;
    for path in files(&root("src")).into_iter().filter(|path| !path.starts_with(&games)) {
        if path.extension().is_none_or(|ending| ending != "rs") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("text").to_lowercase();
        for name in &names {
            assert!(!text.contains(name.as_str()), "{} names {name}", path.display());
        }
        looked_at += 1;
    }
    assert!(looked_at > 100, "{looked_at} files");
}

#[test]
fn the_page_says_what_the_example_takes() {
    let folder = root("src/test_games/relay");
    let (mut code, mut tests, mut others) = (0, 0, 0);
    for path in files(&folder) {
        let (own, test) = lines(&path);
        match path.extension().is_some_and(|ending| ending == "rs") {
            true => (code, tests) = (code + own, tests + test),
            false => others += own,
        }
    }
    let page = fs::read_to_string(EXAMPLE).expect("the page is part of the project");
    let files = files(&folder).len();
    let said = format!(
        "<!-- counted by tests/cli/sizes.rs -->\nIts folder has {files} files: {code} lines of Rust, {tests} of tests, and {others} of \
         data and words.\n"
    );
    if std::env::var_os("POSTRIDER_WRITE_DOCS").is_some() {
        let (before, rest) =
            page.split_once("<!-- counted by tests/cli/sizes.rs -->\n").expect("a place for the count");
        let (_, after) = rest.split_once('\n').expect("the count is a line");
        return fs::write(EXAMPLE, format!("{before}{said}{after}")).expect("docs/ can be written");
    }
    assert!(page.contains(&said), "POSTRIDER_WRITE_DOCS=1 cargo test --test cli -- sizes writes it: {said}");
    assert!(code + tests <= 538, "the example grows");
}
