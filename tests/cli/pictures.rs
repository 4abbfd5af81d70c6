//! The pictures in README.md and docs/: a map of each game, the verdict of `verify` at a terminal,
//! and the page of a game.
//!
//! `POSTRIDER_WRITE_DOCS=1 cargo test --test cli -- pictures` draws them again; the page needs
//! Chromium. docs/a-letter.svg and docs/a-letter-html.svg are drawn by `a_letter`.

use crate::samples;
use snapbox::cmd::cargo_bin;
use std::{
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

const RENEW: &str = "POSTRIDER_WRITE_DOCS=1 cargo test --test cli -- pictures draws it again";

/// Picture, journal, entry: a position from the middle of a sample game.
const MAPS: [(&str, &str, &str); 4] = [
    ("map-geronimo.png", "geronimo-1/basic-4", "400"),
    ("map-plains.png", "plains-indian-wars-1/standard-2", "300"),
    ("map-dark.png", "dark-and-bloody-ground-1/ohio-1790", "300"),
    ("map-rosebud.png", "rosebud-creek-1/historical", "300"),
];

fn docs(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name)
}

fn writing() -> bool {
    env::var_os("POSTRIDER_WRITE_DOCS").is_some()
}

#[track_caller]
fn is_shown(name: &str, picture: &[u8]) {
    assert!(picture.len() < 80_000, "{name} has {} bytes", picture.len());
    if writing() {
        fs::write(docs(name), picture).expect("docs/ can be written");
    }
    let shown = fs::read(docs(name)).unwrap_or_default();
    assert!(shown == picture, "docs/{name} is out of date: {RENEW}");
}

fn sample(name: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("game.jsonl");
    fs::write(&path, samples::read(name)).expect("there is room");
    (folder, path)
}

#[test]
fn each_map_is_drawn_as_shown() {
    for (picture, journal, entry) in MAPS {
        let (folder, path) = sample(journal);
        let drawn = folder.path().join("map.png");
        let mut render = Command::new(cargo_bin!("postrider"));
        render.arg("render").arg(&path).args(["--entry", entry, "--width", "600", "--output"]).arg(&drawn);
        let output = render.output().expect("it can be run");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        is_shown(picture, &fs::read(&drawn).expect("a picture"));
    }
}

#[test]
fn a_terminal_shows_the_verdict_as_shown() {
    let (folder, _) = sample("plains-indian-wars-1/standard-2");
    let mut verify = Command::new(cargo_bin!("postrider"));
    verify.current_dir(folder.path()).args(["verify", "game.jsonl"]).env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR");
    let output = verify.output().expect("it can be run");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.starts_with("\u{1b}[32mALL PROVED in "), "{text}");
    is_shown("verify.svg", terminal("$ postrider verify game.jsonl", &text).as_bytes());
}

/// The width of a column and the height of a row of the terminal, in pixels.
const CELL: (f64, usize) = (7.8, 18);
const COLUMNS: usize = 100;

/// Draws a terminal with a command and its output, which may contain one coloured part per line.
fn terminal(command: &str, output: &str) -> String {
    let cut = |line: &str| match line.chars().count() > COLUMNS {
        true => line.chars().take(COLUMNS - 1).collect::<String>() + "…",
        false => line.to_owned(),
    };
    let rows: Vec<(Option<&str>, String)> = std::iter::once((None, command.to_owned()))
        .chain(output.lines().map(|line| {
            let (class, text) = match line.strip_prefix("\u{1b}[32m") {
                Some(rest) => (Some("good"), rest.replace("\u{1b}[0m", "")),
                None => (None, line.to_owned()),
            };
            (class, cut(&text))
        }))
        .collect();
    let (width, height) = (COLUMNS as f64 * CELL.0 + 24.0, rows.len() * CELL.1 + 24);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
         <title>The verdict of postrider verify</title>\n<style>rect {{ fill: #161b22 }} text {{ fill: #d6dbe1; white-space: pre; font: \
         13px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace }} .good {{ fill: #56d364 }}</style>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\"/>\n"
    );
    for (row, (class, text)) in rows.iter().enumerate().filter(|(_, (_, text))| !text.is_empty()) {
        let class = class.map_or_else(String::new, |class| format!(" class=\"{class}\""));
        let (y, length) = (row * CELL.1 + 26, text.chars().count() as f64 * CELL.0);
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        writeln!(
            svg,
            "<text{class} x=\"12\" y=\"{y}\" textLength=\"{length:.1}\" lengthAdjust=\"spacingAndGlyphs\" \
             xml:space=\"preserve\">{text}</text>"
        )
        .expect("a String takes whatever is written");
    }
    svg + "</svg>\n"
}

/// The page is drawn by a browser, whose releases differ in details, so only its size is compared.
#[test]
fn the_page_of_a_game_is_shown() {
    let (folder, path) = sample("plains-indian-wars-1/standard-2");
    if writing() {
        let page = folder.path().join("page.html");
        let mut export = Command::new(cargo_bin!("postrider"));
        export.arg("export").arg(&path).arg("--output").arg(&page);
        assert!(export.output().expect("it can be run").status.success());
        let mut browser = Command::new("chromium");
        browser.args(["--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=900,620"]);
        let shot = format!("--screenshot={}", docs("page.png").display());
        let drawn = browser.arg(shot).arg(format!("file://{}", page.display())).output();
        drawn.expect("Chromium can be run (Debian: chromium)");
    }
    let picture = fs::read(docs("page.png")).expect(RENEW);
    let number = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().expect("four bytes"));
    assert_eq!((&picture[1..4], number(16), number(20)), (&b"PNG"[..], 900, 620), "{RENEW}");
    assert!(picture.len() < 150_000, "{} bytes", picture.len());
}
