//! The size of a game in lines: checks the table in `src/games/README.md`, and the example in
//! `docs/adding-a-game.md`. `POSTRIDER_WRITE_DOCS=1 cargo test --test cli -- sizes` updates both;
//! otherwise the page may deviate by a tenth. A further test checks that no layer below the games
//! names one of them.

use postrider::{games::rulesets, table::Ruleset};
use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/games/README.md");
const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/adding-a-game.md");
const BEGIN: &str = "<!-- counted by tests/cli/sizes.rs -->\n";
const END: &str = "<!-- end of what is counted -->\n";

/// A game of the registry: its title on the page, its folder, that of its templates, and its test
/// of whole games.
struct Counted {
    title: String,
    folder: PathBuf,
    templates: PathBuf,
    whole: PathBuf,
}

/// Returns the games of the registry; the folder of each is the one with its table of rules.
fn games() -> Vec<Counted> {
    let folders: Vec<PathBuf> =
        fs::read_dir(root("src/games")).expect("the games").map(|at| at.unwrap().path()).collect();
    let counted = |rules: &&dyn Ruleset| {
        let own =
            |folder: &&PathBuf| fs::read_to_string(folder.join("rules.tsv")).is_ok_and(|text| text == rules.rules());
        let folder = folders.iter().find(own).unwrap_or_else(|| panic!("{} has no rules.tsv of its own", rules.name()));
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        Counted {
            title: format!("*{}*", rules.title()),
            folder: folder.clone(),
            templates: root("templates").join(rules.name()),
            whole: root("tests/games").join(format!("{name}.rs")),
        }
    };
    rulesets().iter().map(counted).collect()
}

/// The parts of a game's folder. A file belongs to the first part with a prefix of its path.
const PARTS: [(&str, &[&str]); 13] = [
    ("the component file", &["components.toml"]),
    ("the shapes of the map", &["shapes.json"]),
    ("the help page, which is prose", &["help.md"]),
    ("charts and tables: their types and checks", &["components/charts.rs", "components/drm.rs"]),
    ("components: their types, and checks of the file", &["components"]),
    ("cards and events: rules, questions, words", &["cards", "card.rs", "events"]),
    ("view, public form, legality", &["view", "visibility", "legal.rs", "battle/view.rs"]),
    ("a director's rulings", &["ruling.rs"]),
    ("help", &["help"]),
    ("bot", &["bot"]),
    ("the map: its drawing and its pieces", &["map.rs", "board_map.rs", "drawn.rs"]),
    ("entry in the registry, scenarios and options", &["ruleset.rs", "variant.rs", "mod.rs"]),
    ("all other rules, questions and words of orders", &[""]),
];

/// The parts that depend on a rulebook or its map, regardless of the table's features, and prose.
const OF_THE_RULES: [&str; 6] = [PARTS[0].0, PARTS[1].0, PARTS[2].0, PARTS[3].0, PARTS[5].0, PARTS[12].0];

/// The code shared by all games.
const SHARED: [(&str, &str); 4] = [
    ("src/table", "the table"),
    ("src/orders", "the words of orders"),
    ("tests/whole", "tests of whole games"),
    ("tests/sentences", "tests of whole games by bytes"),
];

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

/// Returns the rows of the page: a part, and the lines of each game.
fn rows(games: &[Counted]) -> Vec<(String, Vec<usize>)> {
    let mut rows: Vec<(String, Vec<usize>)> =
        PARTS.iter().map(|(name, _)| ((*name).to_owned(), vec![0; games.len()])).collect();
    let mut tests = vec![0; games.len()];
    for (at, Counted { folder, .. }) in games.iter().enumerate() {
        for path in files(folder) {
            let within = path.strip_prefix(folder).expect("a file of the folder").to_string_lossy().replace('\\', "/");
            let (code, test) = lines(&path);
            tests[at] += test;
            // The table of rule numbers belongs to the rulebook, not to the game.
            let part = PARTS.iter().position(|(_, starts)| starts.iter().any(|start| within.starts_with(start)));
            if path.extension().is_some_and(|ending| ending != "tsv") {
                rows[part.expect("the last part takes all")].1[at] += code;
            }
        }
    }
    let text = |folder: &Path| -> usize {
        files(folder).iter().map(|path| fs::read_to_string(path).expect("text").lines().count()).sum()
    };
    rows.push(("templates of letters".to_owned(), games.iter().map(|game| text(&game.templates)).collect()));
    let outside =
        |at: usize| rows.iter().filter(|row| !OF_THE_RULES.contains(&row.0.as_str())).map(|row| row.1[at]).sum();
    let outside = (0..games.len()).map(outside).collect();
    rows.push(("**a game's own code: all but rules, charts, data and prose**".to_owned(), outside));
    rows.push(("tests, and their tools".to_owned(), tests));
    // Tests other than the standard ones.
    let whole = |path: &Path| if path.exists() { lines(path).0 + lines(path).1 } else { 0 };
    rows.push((
        "tests of whole games in addition to the standard ones (`tests/games/`)".to_owned(),
        games.iter().map(|game| whole(&game.whole)).collect(),
    ));
    rows
}

/// Rounds to ten lines: `1,230`.
fn about(lines: usize) -> String {
    let tens = (lines + 5) / 10 * 10;
    if tens < 1000 { tens.to_string() } else { format!("{},{:03}", tens / 1000, tens % 1000) }
}

fn table() -> String {
    let games = games();
    let heads: Vec<&str> = games.iter().map(|game| game.title.as_str()).collect();
    let mut text = format!("| Lines, to the ten | {} |\n|---|{}\n", heads.join(" | "), "---|".repeat(heads.len()));
    for (name, counts) in rows(&games) {
        let counts: Vec<String> = counts.into_iter().map(about).collect();
        writeln!(text, "| {name} | {} |", counts.join(" | ")).expect("a String");
    }
    let shared = SHARED.iter().map(|(folder, name)| {
        let code: usize = files(&root(folder))
            .iter()
            .map(|path| {
                let (code, test) = lines(path);
                if folder.starts_with("tests") { code + test } else { code }
            })
            .sum();
        format!("{name} ({})", about(code))
    });
    writeln!(text, "\nShared by all games, without its own tests: {}.", shared.collect::<Vec<_>>().join(", "))
        .expect("a String");
    text
}

/// Returns the whole numbers in a text, in order.
fn numbers(text: &str) -> Vec<usize> {
    let digits = text.replace(',', "");
    digits.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
}

#[test]
fn the_page_says_what_a_game_takes() {
    let page = fs::read_to_string(PAGE).expect("the page is part of the project");
    let (before, rest) = page.split_once(BEGIN).expect("the page has a place for the table");
    let (written, after) = rest.split_once(END).expect("the table has an end");
    let counted = table();
    if std::env::var_os("POSTRIDER_WRITE_DOCS").is_some() {
        return fs::write(PAGE, format!("{before}{BEGIN}{counted}{END}{after}")).expect("docs/ can be written");
    }
    let (said, right) = (numbers(written), numbers(&counted));
    let near = |(said, right): (&usize, &usize)| said.abs_diff(*right) <= right / 10 + 20;
    let holds = said.len() == right.len() && said.iter().zip(&right).all(near);
    assert!(holds, "POSTRIDER_WRITE_DOCS=1 cargo test --test cli -- sizes writes it anew:\n{counted}");
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
