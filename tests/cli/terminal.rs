//! Output for terminals as opposed to pipes: colours, the pager. Python opens the terminal, as it
//! runs the independent checker.

use std::{
    path::Path,
    process::{Command, Output},
};

/// Runs a command at a terminal with this number of rows, types a line at each prompt, and prints
/// everything shown. Fails after 30 seconds without output.
const AT_A_TERMINAL: &str = r"
import fcntl, os, re, select, struct, subprocess, sys, termios
rows, typed, command = int(sys.argv[1]), sys.argv[2].splitlines(), sys.argv[3:]
master, slave = os.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', rows, 100, 0, 0))
child = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
os.close(slave)
shown, new = b'', b''
while True:
    if not select.select([master], [], [], 30)[0]:
        child.kill()
        shown += b' (it waits for more)'
        break
    try:
        more = os.read(master, 65536)
    except OSError:
        break
    if not more:
        break
    shown += more
    new += more
    if typed and re.search(rb'A, [^\r\n]*> ', new):
        new = b''
        os.write(master, typed.pop(0).encode() + b'\r')
sys.stdout.buffer.write(shown)
sys.exit(child.wait())
";

/// The end of every colour and style.
const RESET: &str = "\u{1b}[0m";
/// A pager that marks its input.
const MARKED: (&str, &str) = ("PAGER", "sed s/^/PAGED:/");

const POSTRIDER: &str = env!("CARGO_BIN_EXE_postrider");

fn shown(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    text
}

/// Runs a command in the environment of a terminal with colours, and nothing else, so that the
/// environment of the tests has no influence (for example, CI counts as a terminal with colours for
/// any value of TERM).
fn with(command: &mut Command, root: &Path, more: &[(&str, &str)]) -> String {
    let path = std::env::var_os("PATH").unwrap_or_default();
    command.env_clear().env("PATH", path).env("TERM", "xterm").env("POSTRIDER_ROOT", root).envs(more.iter().copied());
    shown(&command.output().expect("it runs"))
}

fn at_a_terminal(root: &Path, rows: u16, words: &[&str], typed: &str, more: &[(&str, &str)]) -> String {
    let mut python = Command::new("python3");
    python.args(["-c", AT_A_TERMINAL, &rows.to_string(), typed, POSTRIDER]).args(words);
    with(&mut python, root, more)
}

fn through_a_pipe(root: &Path, words: &[&str], more: &[(&str, &str)]) -> String {
    with(Command::new(POSTRIDER).args(words), root, more)
}

fn host() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let typed = "1a\n1a\nquit\n";
    let new = ["play", "--new", "geronimo", "--seats", "3", "--bots", "steady"];
    let said = at_a_terminal(folder.path(), 50, &new, typed, &[("PAGER", "cat")]);
    let (before, _) = said.split_once(" is open; `postrider ").unwrap_or_else(|| panic!("{said}"));
    let game = before.lines().next_back().expect("a line").trim().to_owned();
    (folder, game)
}

#[test]
fn a_terminal_gets_colours_unless_it_wants_none_and_a_pipe_gets_plain_text() {
    let (folder, game) = host();
    let root = folder.path();
    for words in [&["show", &game][..], &["log", &game], &["prompts", &game]] {
        let coloured = at_a_terminal(root, 1000, words, "", &[]);
        assert!(coloured.contains(RESET), "{words:?}: {coloured}");
        for plain in [
            at_a_terminal(root, 1000, words, "", &[("NO_COLOR", "1")]),
            at_a_terminal(root, 1000, words, "", &[("TERM", "dumb")]),
            through_a_pipe(root, words, &[]),
        ] {
            assert!(!plain.contains('\u{1b}') && !plain.contains("\\u001b"), "{words:?}: {plain}");
        }
    }
    let typed = "asked\nbake a cake\nmap\nquit\n";
    let words = ["play", &game];
    let played = at_a_terminal(root, 1000, &words, typed, &[]);
    // A question, an option, the marks below an error, the prompt.
    for part in ["\u{1b}[1m  1. ", "\u{1b}[1m\u{1b}[36m     a", "^^^^\u{1b}[0m", "\u{1b}[1m\u{1b}[36mA, "] {
        assert!(played.contains(part), "no {part:?} in {played:?}");
    }
    let again = format!("The game stays as it is; `postrider --root {} play {game}` continues it.", root.display());
    let plain = at_a_terminal(root, 1000, &words, typed, &[("NO_COLOR", "1")]);
    assert!(!plain.contains(RESET), "{plain:?}");
    assert!(played.contains(&again) && plain.contains(&again), "{played}");
    assert!(plain.contains("Sioux") || plain.contains("Areas"), "the map in letters: {plain}");
}

/// The terminal of these tests has 100 columns.
#[test]
fn the_story_is_broken_where_the_terminal_ends_and_nowhere_in_a_pipe() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    let new =
        ["new", "--id", "lone-pine", "--join-all", "--player", "Anna <a@x.example>", "--player", "Ben <b@x.example>"];
    through_a_pipe(root, &new, &[]);
    let reason = "The map that was sent with the last letters shows a Town where there is none, and it counts as it stands in words above it";
    through_a_pipe(root, &["rule", "lone-pine", "--reason", reason], &[]);
    let words = ["log", "lone-pine"];
    let whole = through_a_pipe(root, &words, &[]);
    assert!(whole.lines().any(|line| line.contains(reason) && line.chars().count() > 100), "{whole}");
    let broken = at_a_terminal(root, 1000, &words, "", &[("NO_COLOR", "1")]).replace('\r', "");
    assert!(broken.lines().all(|line| line.chars().count() <= 100), "{broken}");
    assert!(broken.lines().count() > whole.lines().count(), "{broken}");
    assert_eq!(broken.replace("\n        ", " "), whole);
}

#[test]
fn what_is_longer_than_the_terminal_goes_through_the_pager() {
    let (folder, game) = host();
    let root = folder.path();
    let words = ["games"];
    let whole = through_a_pipe(root, &words, &[MARKED]);
    assert!(!whole.contains("PAGED:") && whole.lines().count() > 10, "{whole}");
    let rows = u16::try_from(whole.lines().count()).expect("a page");
    let paged = at_a_terminal(root, rows, &words, "", &[MARKED]).replace('\r', "");
    assert_eq!(paged.replace("PAGED:", ""), whole);
    assert_eq!(paged.matches("PAGED:").count(), whole.lines().count());
    // Output that fits, an empty or trivial pager, and a missing one.
    for (rows, more) in [(rows + 1, MARKED), (5, ("PAGER", "")), (5, ("PAGER", "cat")), (5, ("PAGER", "no-such-pager"))]
    {
        let plain = at_a_terminal(root, rows, &words, "", &[more]).replace('\r', "");
        assert!(plain.ends_with(&whole) && !plain.contains("PAGED:"), "{more:?}: {plain}");
    }
    let played = at_a_terminal(root, 24, &["play", &game], "map\nquit\n", &[MARKED]);
    assert!(played.matches("PAGED:").count() > 24, "{played}");
}

#[test]
fn a_command_without_anything_to_say_says_nothing() {
    let (folder, _) = host();
    let empty = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(empty.path().join("journal")).expect("there is room");
    let quiet = [(folder.path(), &["tick"][..]), (folder.path(), &["doctor"]), (empty.path(), &["status"])];
    for (root, words) in quiet {
        assert_eq!(through_a_pipe(root, words, &[]), "", "{words:?}");
        assert_ne!(through_a_pipe(root, &[words, &["--verbose"]].concat(), &[]), "", "{words:?}");
    }
    assert_eq!(through_a_pipe(folder.path(), &["receive", "--maildir"], &[]), "");
    let tick = through_a_pipe(folder.path(), &["tick", "--json"], &[]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&tick).expect("JSON")["sent"], 0);
}
