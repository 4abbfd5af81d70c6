//! A game at the terminal, controlled through a pipe as by a script.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

fn play(root: &Path, arguments: &[&str], script: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_postrider"));
    command.arg("--root").arg(root).arg("play").args(arguments);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the binary runs");
    child.stdin.take().expect("a pipe").write_all(script.as_bytes()).expect("the script is read");
    child.wait_with_output().expect("the binary ends")
}

fn text(output: &Output) -> String {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
    out.into_owned()
}

#[test]
fn one_player_against_bots_through_a_pipe() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    let script = "help\nbake a cake\npreview 1a\n".to_owned() + &"1a\n".repeat(12) + "view\nlog\nquit\n";
    let said = text(&play(root, &["--new", "geronimo", "--seats", "3", "--bots", "steady"], &script));
    for part in [
        " is open; `postrider --root ",
        "quit      leaves",
        "Ask for `help` and one of these",
        "war party",
        "The game stays as it is; `postrider --root ",
        "^^^^",
        "PREVIEW: nothing was done.",
        "done      1a",
    ] {
        assert!(said.contains(part), "no {part:?} in:\n{said}");
    }
    assert!(said.contains("> quit"), "the record shows what was typed:\n{said}");
    let journals: Vec<_> = fs::read_dir(root.join("journal")).expect("a folder").flatten().collect();
    let [journal] = journals.as_slice() else { panic!("one game was opened") };
    let lines = fs::read_to_string(journal.path()).expect("a journal");
    let decisions = || lines.lines().filter(|line| line.contains("\"kind\":\"decision\""));
    let via = |via: &str| decisions().filter(|line| line.contains(&format!("\"via\":\"{via}\""))).count();
    assert_eq!(via("cli"), 12, "each order was carried out:\n{said}");
    assert!(via("bot") > 0, "the bots have played");
    assert!(!lines.contains("\"words\":"));
    let out = fs::read_dir(root.join("mail/out/new")).map_or(0, Iterator::count);
    assert_eq!(out, 0, "nobody is written to");
    // The same game continues, and ends with the script.
    let name = journal.file_name().to_string_lossy().replace(".jsonl", "");
    let said = text(&play(root, &[&name], "asked\n"));
    assert!(said.contains("WHERE YOU STAND") || said.contains("VPs"), "{said}");
    assert!(said.contains("A, "), "{said}");
}

#[test]
fn several_players_at_one_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = text(&play(folder.path(), &["--new", "geronimo", "--seats", "3"], &"1a\n".repeat(40)));
    for name in ["Player A (A) plays now.", "Player B (B) plays now.", "Player C (C) plays now."] {
        assert!(said.contains(name), "no {name} in:\n{said}");
    }
}
