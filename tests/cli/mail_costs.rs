//! The table of `docs/few-mails.md`, which invitations quote, is measured by `postrider simulate`.
//!
//! `POSTRIDER_WRITE_DOCS=1 cargo test --test cli -- mail_costs` measures all of it again, which
//! takes some twenty minutes. Otherwise the cheapest row of each game is.

use crate::program::command;
use postrider::games::rulesets;
use std::{collections::BTreeMap, env, fs, path::Path, thread};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/few-mails.md");

const RENEW: &str = "POSTRIDER_WRITE_DOCS=1 cargo test --test cli -- mail_costs measures it again";

/// Returns the cells of a row of the table, if it is one.
fn cells(row: &str) -> Option<[&str; 10]> {
    let cells: Vec<&str> = row.strip_prefix("| *")?.trim_end_matches(" |").split(" | ").collect();
    cells.try_into().ok()
}

/// Measures a row again: its first cells say of which games.
fn measured(row: &str) -> String {
    let [what, standing, games, ..] = cells(row).expect("a row");
    let (title, what) = what.split_once("*, ").expect("a game and what is played");
    let rules = rulesets().iter().find(|rules| rules.title() == title).expect("a game");
    let (scenario, players) = what.split_once(", ").unwrap_or(("", what));
    let players = players.strip_suffix(" players").expect("a number of players");
    let mut words = vec!["simulate", "--mail-cost", "--row", "--bots", "steady", "--ruleset", rules.name()];
    words.extend(["--players", players, "--games", games]);
    words.extend(["--scenario", scenario].iter().filter(|_| !scenario.is_empty()));
    words.extend((standing == "with standing orders").then_some("--standing"));
    let output = command(Path::new("."), &words).output().expect("the program can be run");
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text").trim_end().to_owned()
}

#[test]
fn the_table_is_measured() {
    let page = fs::read_to_string(PAGE).expect("the page is part of the project");
    let rows: Vec<&str> = page.lines().filter(|line| cells(line).is_some()).collect();
    if env::var_os("POSTRIDER_WRITE_DOCS").is_some() {
        let half = rows.len() / 2;
        let again = |rows: &[&str]| rows.iter().map(|row| measured(row)).collect::<Vec<_>>();
        let new = thread::scope(|scope| {
            let second = scope.spawn(|| again(&rows[half..]));
            [again(&rows[..half]), second.join().expect("it is measured")].concat()
        });
        let page = rows.iter().zip(&new).fold(page.clone(), |page, (row, new)| page.replace(row, new));
        return fs::write(PAGE, page).expect("docs/ can be written");
    }
    let mut cheapest: BTreeMap<&str, (f64, &str)> = BTreeMap::new();
    for row in rows {
        let [what, _, games, rounds, letters, ..] = cells(row).expect("a row");
        let cost = [games, rounds, letters].iter().map(|cell| cell.parse::<f64>().expect("a number")).product();
        let of_game = cheapest.entry(what.split('*').next().expect("a title")).or_insert((cost, row));
        *of_game = if cost < of_game.0 { (cost, row) } else { *of_game };
    }
    assert_eq!(cheapest.len(), rulesets().len(), "each game has a row");
    for (_, row) in cheapest.values() {
        assert_eq!(*row, measured(row), "{RENEW}");
    }
}
