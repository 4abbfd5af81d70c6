//! Maps requested by mail, at the terminal, and on the command line.
#![cfg(unix)]

use crate::{
    program::{command, fed, run},
    samples,
};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};
use tempfile::TempDir;

const GAME: &str = "trial";

/// Number of mails sent.
static SENT: AtomicU32 = AtomicU32::new(0);

#[track_caller]
fn said(root: &Path, words: &[&str]) -> String {
    let output = run(root, words);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{words:?}: {text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// Creates a host with a started game, with two players by mail and two at the terminal.
fn host() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let players = ["Anna <anna@example.net>", "Ben <ben@example.net>", "Carl <terminal>", "Dora <terminal>"];
    let players = players.iter().flat_map(|player| ["--player", player]);
    let new = ["new", "--ruleset", "plains-indian-wars", "--id", GAME, "--join-all"];
    said(folder.path(), &new.into_iter().chain(players).collect::<Vec<_>>());
    folder
}

fn letter(root: &Path, seat: &str) -> String {
    let mut letters: Vec<PathBuf> = fs::read_dir(root.join("mail/out/new"))
        .expect("an outbox")
        .map(|file| file.expect("it can be listed").path())
        .filter(|path| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&format!("{GAME}.{seat}.")))
        })
        .collect();
    letters.sort_by_key(|path| fs::metadata(path).and_then(|file| file.modified()).expect("its time"));
    fs::read_to_string(letters.last().expect("a letter")).expect("a letter")
}

fn answered(root: &Path, lines: &str) -> String {
    let asked = letter(root, "A");
    let header = |name: &str| asked.lines().find_map(|line| line.strip_prefix(name)).expect(name).trim().to_owned();
    let mail = format!(
        "From: Anna <anna@example.net>\r\nTo: {}\r\nSubject: Re: {}\r\nMessage-ID: <{}@example.net>\r\nDate: Mon, 1 Jan 2024 10:00:00 +0000\r\n\r\n{lines}\r\n",
        header("Reply-To:"),
        header("Subject:"),
        // Two mails with the same id and words count as one.
        SENT.fetch_add(1, Ordering::Relaxed),
    );
    let output = fed(command(root, &["receive"]), &mail);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let reply = letter(root, "A.re");
    let reply = mail_parser::MessageParser::default().parse(&reply).expect("a mail");
    reply.body_text(0).expect("its text").replace("\r\n", "\n")
}

#[test]
fn a_mail_that_asks_for_the_map_gets_it() {
    let folder = host();
    let map = answered(folder.path(), "map");
    assert!(map.contains("N8 BHil") && map.contains("Oregon Trail (O): N3 - N9 - PN5"), "{map}");
    // RFC 3676 adds a character to a line that begins with a space.
    assert!(map.lines().all(|line| line.chars().count() <= 77), "{map}");
    let neighbours = answered(folder.path(), "neighbours of black hills");
    let told = neighbours.replace('\n', " ");
    for id in ["(N3)", "(N7)", "(N9)", "(N11)", "(N12)", "(PN1)"] {
        assert!(told.contains(id), "{id}: {neighbours}");
    }
    assert!(!told.contains("(N4)"), "{neighbours}");
    assert!(
        answered(folder.path(), "help trails")
            .replace('\n', " ")
            .contains("Santa Fe Trail: St. Louis, Kansas River (S1)")
    );
    assert!(answered(folder.path(), "help map").contains("neighbours of"));
}

#[test]
fn what_is_new_to_the_reader_is_marked() {
    let folder = host();
    let before = answered(folder.path(), "map");
    assert!(!before.contains("4G*") && !before.contains("4O*"), "{before}");
    // Pieces are revealed only after all players have placed theirs.
    said(folder.path(), &["order", GAME, "ben", "place 3 orange in denver"]);
    let after = answered(folder.path(), "place 3 green in black hills\r\nmap");
    assert!(after.contains("4G*") && after.contains("4O*"), "{after}");
    let again = answered(folder.path(), "Map.");
    assert!(!again.contains("4G*") && !again.contains("4O*") && again.contains("4G"), "{again}");
}

#[test]
fn the_terminal_and_the_command_line_show_the_same_map() {
    let folder = host();
    let root = folder.path();
    let ordered = said(root, &["order", GAME, "C", "map"]);
    let shown = said(root, &["render", GAME, "--seat", "C"]);
    assert_eq!(shown, said(root, &["render", GAME, "--seat", "carl"]));
    let first = |text: &str| text.lines().take(20).map(str::trim_end).collect::<Vec<_>>().join("\n");
    assert_eq!(first(ordered.trim_start_matches('\n')), first(&shown));
    let picture = |name: &str| {
        let path = root.join(name);
        said(root, &["render", GAME, "-o", path.to_str().expect("a name")]);
        fs::read(path).expect("a picture")
    };
    assert_eq!(picture("a.svg"), picture("b.svg"));
    let png = picture("a.png");
    assert_eq!(png, picture("b.png"));
    assert!(png.starts_with(b"\x89PNG") && png.len() < 64_000, "{} bytes", png.len());
    let wrong = run(root, &["render", GAME, "-o", "map.gif"]);
    assert_eq!(wrong.status.code(), Some(64));
}

#[test]
fn every_round_of_the_kept_games_is_drawn() {
    use postrider::{
        drawing::{Picture, png},
        replay::{Catalog, Source, rebuild, step_log::When},
        table::Watch,
    };
    let watch = Watch { tell: true, ..Watch::NONE };
    let mut drawn = 0;
    for name in samples::without_options() {
        let source = Source::from(&samples::read(&name)[..]);
        let live = rebuild(&source, &Catalog::new(postrider::games::rulesets()), None, None, watch).expect("a game");
        let opened = &live.opened;
        let map = opened.ruleset.map_of(&opened.setup.components).expect("every game's map is drawn");
        let (mut before, mut count) = (None, 0);
        live.each_step(&mut |when, step, dyn_game| {
            let Some(mark) = step.marks.last().filter(|_| when == When::After) else { return };
            let (n, label) = (step.last, &mark.label);
            let view = dyn_game.view(None).expect("a view");
            let picture = Picture::of(map, "game", &view, before.as_ref());
            if count % 10 == 0 {
                let text = picture.text();
                assert!(text.lines().all(|line| line.chars().count() <= 76), "{} {label}:\n{text}", name);
            }
            // Every piece is in a place of the drawing, so that none is lost.
            let scene = (map.scene)(&view);
            assert_eq!(scene.places.len(), map.scene(&view).places.len(), "{} line {n}", name);
            let known = |kind: &String| map.shapes.kind(kind).is_some();
            assert!(scene.places.iter().flat_map(|place| &place.pieces).all(|piece| known(&piece.kind)), "{label}");
            if count == 40 {
                // A letter shows a part of a large map.
                let picture = png(&picture.part().unwrap_or_else(|| picture.svg()), 640).expect("a drawing");
                assert!(picture.len() < 60_000, "{} {label}: {} bytes", name, picture.len());
            }
            count += 1;
            before = Some(view);
        })
        .expect("it is played again");
        drawn += count;
    }
    assert!(drawn > 200, "{drawn} Rounds");
}
