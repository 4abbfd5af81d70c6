//! The transcripts in docs/director.md and docs/trust.md match the program: a game is processed as
//! a director and a doubting player would, and every transcript between `<!-- run: NAME -->` and
//! `<!-- end of NAME -->` is compared with it.
//!
//! `POSTRIDER_WRITE_DOCS=1 cargo test --test cli -- pages` updates the transcripts. Dice, cards and
//! players of the game depend on a seed, and the clock is fixed.

use snapbox::cmd::cargo_bin;
use std::{
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

const GAME: &str = "lone-pine";
/// The time of the director's work.
const NOW: &str = "2026-11-21T12:00:00Z";
/// The time to which the pages move a deadline, as typed and as shown.
const UNTIL: [&str; 2] = ["2026-11-30T12:00:00Z", "2026-11-30 12:00 UTC"];

/// A host's folder `demo` with a game in progress, and Ben's copies of the journal and his letters.
struct Transcript {
    folder: TempDir,
    /// Transcripts by page and name.
    blocks: Vec<(&'static str, &'static str, String)>,
}

impl Transcript {
    fn new() -> Transcript {
        let folder = tempfile::tempdir().expect("there is room");
        let transcript = Transcript { folder, blocks: Vec::new() };
        let words =
            ["demo", "--dir", "demo", "--id", GAME, "--seats", "4", "--seed", "3", "--clock", "3d", "--most", "205"];
        transcript.ends(&words, 0);
        fs::copy(transcript.at("demo/journal/lone-pine.jsonl"), transcript.at("lone-pine.jsonl")).expect("a journal");
        let mut letters: Vec<PathBuf> = ["cur", "new"]
            .iter()
            .flat_map(|part| fs::read_dir(transcript.at("demo/players/ben").join(part)).expect("a Maildir"))
            .map(|file| file.expect("it can be listed").path())
            .collect();
        letters.sort_by_key(|path| path.file_name().map(ToOwned::to_owned));
        fs::create_dir(transcript.at("letters")).expect("there is room");
        for (nth, letter) in letters.iter().enumerate() {
            let name = if nth == 0 { "invitation.eml".to_owned() } else { format!("{nth:02}.eml") };
            fs::copy(letter, transcript.at("letters").join(name)).expect("a letter");
        }
        transcript
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.folder.path())
            .env("POSTRIDER_ROOT", "demo")
            .env("POSTRIDER_NOW", NOW)
            .env_remove("POSTRIDER_LOG");
        command
    }

    fn run(&self, words: &[&str]) -> (String, i32) {
        said(&self.command(cargo_bin!("postrider")).args(words).output().expect("the program can be run"))
    }

    #[track_caller]
    fn ends(&self, words: &[&str], status: i32) -> String {
        let (text, ended) = self.run(words);
        assert_eq!(ended, status, "postrider {}: {text}", words.join(" "));
        text
    }

    /// Returns a command as shown in a terminal, with its output.
    #[track_caller]
    fn shown(&self, words: &[&str], status: i32) -> String {
        let quoted =
            words.iter().map(|word| if word.contains(' ') { format!("\"{word}\"") } else { (*word).to_owned() });
        let line = quoted.collect::<Vec<_>>().join(" ");
        let text = self.ends(words, status);
        let mut out = String::from("$ postrider");
        // Long commands take two lines.
        match line[..line.len().min(90)].rfind(" --") {
            Some(at) if line.len() > 90 => _ = write!(out, " {} \\\n    {}", &line[..at], &line[at + 1..]),
            _ => _ = write!(out, " {line}"),
        }
        out + "\n" + &text
    }

    fn keep(&mut self, page: &'static str, name: &'static str, text: &str) {
        let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
        assert!(!lines.iter().any(|line| line.contains("```")), "{page}, {name}");
        self.blocks.push((page, name, lines.join("\n")));
    }

    /// Returns the seat that the game waits for, its player's name, and the possible answers.
    fn awaited(&self) -> (String, String, Vec<String>) {
        let asked: serde_json::Value = serde_json::from_str(&self.ends(&["prompts", GAME, "--json"], 0)).expect("JSON");
        let asked = asked
            .as_array()
            .expect("questions")
            .iter()
            .find(|one| one["required"] == true)
            .expect("one that cannot wait");
        let seat = asked["seat"].as_str().expect("a seat").to_owned();
        let name = match seat.as_str() {
            "A" => "Anna",
            "B" => "Ben",
            "C" => "Carl",
            _ => "Dora",
        };
        let choices = asked["choices"].as_array().expect("choices").iter();
        (seat, name.to_owned(), choices.map(|choice| choice["words"].as_str().expect("words").to_owned()).collect())
    }

    /// Returns the entry in which the first Initial Tribe of the last Turn was chosen.
    fn chosen(&self) -> u64 {
        let told: serde_json::Value = serde_json::from_str(&self.ends(&["log", GAME, "--json"], 0)).expect("JSON");
        let chosen = told.as_array().expect("a story").iter().filter(|line| {
            line["text"].as_str().is_some_and(|text| text.contains(" chooses the "))
                && line["under"].as_str().is_some_and(|under| under.ends_with("Card Distribution"))
        });
        let chosen: Vec<_> = chosen.collect();
        let last = &chosen.last().expect("somebody has chosen")["under"];
        let first = chosen.iter().find(|line| line["under"] == *last).expect("the first of them");
        first["entry"].as_u64().expect("a number")
    }
}

fn said(output: &Output) -> (String, i32) {
    let text = String::from_utf8(output.stdout.clone()).expect("UTF-8") + &String::from_utf8_lossy(&output.stderr);
    (text, output.status.code().expect("it is not killed"))
}

/// Replaces the lines between one that contains `from` and the next that contains `to` by an
/// ellipsis.
#[track_caller]
fn cut(text: &str, from: &str, to: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.iter().position(|line| line.contains(from)).unwrap_or_else(|| panic!("no {from:?} in {text}"));
    let then = lines[first + 1..].iter().position(|line| line.contains(to));
    let then = first + 1 + then.unwrap_or_else(|| panic!("no {to:?} behind {from:?} in {text}"));
    let indent = &lines[first][..lines[first].len() - lines[first].trim_start().len()];
    format!("{}\n{indent}…\n{}\n", lines[..=first].join("\n"), lines[then..].join("\n"))
}

/// Shortens a run of similar lines to the first `keep` and the last.
fn few(text: &str, keep: usize, alike: impl Fn(&str) -> bool) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let last = lines.iter().rposition(|line| alike(line));
    let (mut out, mut seen) = (String::new(), 0);
    for (k, line) in lines.iter().enumerate() {
        seen += usize::from(alike(line));
        if !alike(line) || seen <= keep || Some(k) == last {
            _ = writeln!(out, "{line}");
        } else if seen == keep + 1 {
            _ = writeln!(out, "{}…", &line[..line.len() - line.trim_start().len()]);
        }
    }
    out
}

/// Returns `true` if a line lists an answer by number and letter, `1a`.
fn is_choice(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    line.starts_with("     ") && word.len() == 2 && word.starts_with('1')
}

#[track_caller]
fn until(text: &str, end: &str) -> String {
    let lines = text.lines().take_while(|line| !line.contains(end)).map(|line| format!("{line}\n"));
    let kept: String = lines.collect();
    assert!(kept.len() < text.len(), "no {end:?} in {text}");
    kept
}

/// The checks of a doubting player with only the journal and letters.
fn doubted(transcript: &mut Transcript) {
    const PAGE: &str = "trust.md";
    let mails = ["--mailbox", "letters/", "--key", "letters/invitation.eml"];
    let all = transcript.shown(&[&["verify", "lone-pine.jsonl"], &mails[..]].concat(), 2);
    let all = few(&all, 2, |line| line.contains("signed, on the chain"));
    transcript.keep(PAGE, "verify", &few(&all, 2, |line| line.contains("as it was sealed")));

    let python = |words: &[&str]| {
        let checker = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/checker.py");
        let (text, status) =
            said(&transcript.command("python3").arg(checker).args(words).output().expect("Python 3 is there"));
        assert_eq!(status, 2, "{text}");
        format!("$ python3 tests/checker.py {}\n{text}", words.join(" "))
    };
    let found = python(&["lone-pine.jsonl", "--mail", "letters/"]);
    transcript.keep(PAGE, "python", &found);

    // Another copy, in which a die was changed.
    let journal = fs::read_to_string(transcript.at("lone-pine.jsonl")).expect("a journal");
    let roll = journal.rfind("\"rolls\":[[").expect("dice");
    let at = roll + journal[roll..].match_indices(',').nth(2).expect("a die").0 + 1;
    let other = if journal[at..].starts_with('9') { '8' } else { '9' };
    let changed = format!("{}{other}{}", &journal[..at], &journal[at + 1..]);
    assert_ne!(changed, journal);
    fs::write(transcript.at("other.jsonl"), changed).expect("there is room");
    let compared = transcript.shown(&["compare", "lone-pine.jsonl", "other.jsonl", "--mailbox", "letters/"], 1);
    transcript.keep(PAGE, "compare", &compared);
}

/// A director's look at the host's folder before any change.
fn looked(transcript: &mut Transcript) {
    const PAGE: &str = "director.md";
    let told = transcript.shown(&["log", GAME, "--from", &transcript.chosen().to_string()], 0);
    let told = cut(&told, ", Card Distribution", ", Round 3");
    let asked = transcript.shown(&["prompts", GAME, "--seat", &transcript.awaited().0], 0);
    transcript.keep(PAGE, "look", &format!("{told}\n{}", few(&asked, 1, is_choice)));
    let played = transcript.shown(&["adjudicate", GAME, "--rollouts", "12", "--html", "lone-pine.html"], 0);
    transcript.keep(PAGE, "adjudicate", &until(&played, "LUCK SO FAR"));
    // Up to an entry the time of open questions does not depend on the present.
    let status: serde_json::Value = serde_json::from_str(&transcript.ends(&["status", "--json"], 0)).expect("JSON");
    let last = (status[0]["lines"].as_u64().expect("a number") - 1).to_string();
    let played = transcript.ends(&["adjudicate", GAME, "--entry", &last, "--rollouts", "1"], 0);
    transcript.keep(PAGE, "time", &format!("TIME USED{}", played.split_once("TIME USED").expect("times").1));
}

/// Deadlines, which pass only by the host's clock.
fn hurried(transcript: &mut Transcript) {
    const PAGE: &str = "director.md";
    let [until, shown] = UNTIL;
    let (seat, name, _) = transcript.awaited();
    let mut text = transcript.shown(&["tick"], 0);
    text += &transcript.shown(&["status"], 0);
    text += &transcript
        .shown(&["deadline", GAME, "--seat", &seat, "--until", until, "--reason", &format!("{name} is ill")], 0);
    text += &transcript.shown(&["status"], 0);
    let status = transcript.ends(&["status"], 0);
    assert!(status.contains(&format!("waiting for {name} ({seat}) until {shown}")), "{status}");
    let json: serde_json::Value = serde_json::from_str(&transcript.ends(&["status", "--json"], 0)).expect("JSON");
    assert_eq!(json[0]["deadlines"][0]["deadline"]["until"], until);
    let json: serde_json::Value =
        serde_json::from_str(&transcript.ends(&["prompts", GAME, "--seat", &seat, "--json"], 0)).expect("JSON");
    assert_eq!(json[0]["deadline"]["until"], until);
    assert!(json[1].get("deadline").is_none(), "what can wait has no deadline: {json}");
    text += &transcript.shown(&["pause", GAME], 0);
    text += &transcript.shown(&["status"], 0);
    text += &transcript.shown(&["resume", GAME], 0);
    transcript.keep(PAGE, "deadline", &text);
}

/// Rewinds, an order that cannot be taken back, rulings, a change of players, a fork.
fn ruled(transcript: &mut Transcript) {
    const PAGE: &str = "director.md";
    let entry = (transcript.chosen() - 1).to_string();
    let words = ["rewind", GAME, "--entry", &entry, "--reason", "the map was not in the letters"];
    let dry = transcript.shown(&[&words[..], &["--dry-run"]].concat(), 0);
    let again = transcript.shown(&[&words[..], &["--yes"]].concat(), 0);
    let (dry, again) = (cut(&dry, "As it was told", "Nothing was done"), cut(&again, "are undone.", "All players"));
    transcript.keep(PAGE, "rewind", &format!("{dry}{again}"));
    let early = ["rewind", GAME, "--at", "turn 4 round 3", "--reason", "the map lacked a railroad", "--dry-run"];
    let early = until(&transcript.shown(&early, 0), "As it was told");
    let (start, open) = early.split_once("WHAT WAS LEARNED").expect("a report");
    let first = open.split("  EVERY CARD").nth(1).expect("a deck that everybody knows");
    transcript.keep(PAGE, "rewind-open", &format!("{}\n…\n  EVERY CARD{first}  …", start.trim_end()));

    // The Apache are chosen alone, so the next player is asked.
    let (seat, _, choices) = transcript.awaited();
    let alone = "choose apache";
    assert!(choices.iter().any(|words| words == alone), "{choices:?}");
    transcript.ends(&["order", GAME, &seat, alone], 0);
    let refused = transcript.shown(&["back", GAME, "--seat", &seat], 1);
    transcript.keep(PAGE, "back", &refused);

    let rule = |text: &str, effect: &str, status: i32| {
        let effect = if effect.is_empty() { Vec::new() } else { vec!["--effect", effect] };
        transcript.shown(&[&["rule", GAME, "--reason", text][..], &effect[..]].concat(), status)
    };
    let (seat, name, _) = transcript.awaited();
    let day = format!("deadline: seat={seat}, until={}", UNTIL[0]);
    let kansas = ["Kansas had one Town more.", "area: area=kansas, towns=2"];
    let text = [
        rule("No more than a day for an answer from now on.", "", 0),
        rule("Ben's VPs of Turn 4 were counted twice.", "vps: seat=B, change=-3", 0),
        transcript.shown(&["rule", GAME, "--reason", kansas[0], "--effect", kansas[1], "--dry-run"], 0) + "\n",
        rule(kansas[0], kansas[1], 0),
        rule(&format!("{name} is on a train."), &day, 0),
        rule("Kansas had two more.", "area: area=kansas, settlements=7", 64),
    ];
    transcript.keep(PAGE, "rule", &text.concat());

    let seat =
        transcript.shown(&["reseat", GAME, "--seat", "B", "--player", "Emil <emil@example.net> Europe/Vienna"], 0);
    transcript.keep(PAGE, "reseat", &seat);

    let what = ["--at", "turn 4 round 3", "--reason", "What if the Sioux had stayed?"];
    let forked = transcript.shown(&[&["fork", GAME, "lone-pine-2"], &what[..]].concat(), 0);
    let status = transcript.shown(&["status"], 0);
    transcript.keep(PAGE, "fork", &format!("{forked}{status}"));
    let (report, status) = transcript.run(&["verify", GAME]);
    assert_eq!(status, 2, "{report}");
    // A director's own folder with both journals is enough to view the fork; the fork alone is not.
    fs::create_dir(transcript.at("case")).expect("there is room");
    let fork = "case/lone-pine-2.jsonl";
    for seat in ["A", "B", "C", "D"] {
        transcript.ends(&["order", "lone-pine-2", seat, "join"], 0);
    }
    fs::copy(transcript.at("demo/journal/lone-pine-2.jsonl"), transcript.at(fork)).expect("a journal");
    let looks = [&["show", fork][..], &["prompts", fork], &["log", fork], &["adjudicate", fork, "--rollouts", "2"]];
    // This folder is not the host's.
    let alone = |words: &[&str]| {
        let mut command = transcript.command(cargo_bin!("postrider"));
        said(&command.env_remove("POSTRIDER_ROOT").args(words).output().expect("the program can be run"))
    };
    for words in looks {
        let (told, status) = alone(words);
        assert!(status != 0 && told.contains("the journal of the game lone-pine"), "{words:?}: {told}");
    }
    fs::copy(transcript.at("demo/journal/lone-pine.jsonl"), transcript.at("case/lone-pine.jsonl")).expect("a journal");
    for words in looks {
        let (told, status) = alone(words);
        assert_eq!(status, 0, "{words:?}: {told}");
    }
    let (told, status) = alone(&["compare", fork, fork]);
    assert!(status == 0 && told.contains("ALL PROVED in lone-pine-2"), "{told}");
}

#[test]
fn the_pages_show_what_the_program_prints() {
    let mut transcript = Transcript::new();
    doubted(&mut transcript);
    looked(&mut transcript);
    hurried(&mut transcript);
    ruled(&mut transcript);
    let writing = env::var_os("POSTRIDER_WRITE_DOCS").is_some();
    let mut wrong = Vec::new();
    for page in ["director.md", "trust.md"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(page);
        let mut text = fs::read_to_string(&path).expect("a page");
        let mine: Vec<_> = transcript.blocks.iter().filter(|(of, ..)| *of == page).collect();
        for (_, name, shown) in &mine {
            let (begin, end) = (format!("<!-- run: {name} -->\n"), format!("<!-- end of {name} -->"));
            let from = text.find(&begin).unwrap_or_else(|| panic!("{page} has no {begin}")) + begin.len();
            let to = from + text[from..].find(&end).unwrap_or_else(|| panic!("{page} has no {end}"));
            let right = format!("```text\n{shown}\n```\n");
            if text[from..to] != right {
                wrong.push(format!("{page}, {name}: printed is\n{right}"));
                text.replace_range(from..to, &right);
            }
        }
        assert_eq!(text.matches("<!-- run: ").count(), mine.len(), "{page} has transcripts that nobody makes");
        if writing {
            fs::write(&path, text).expect("docs/ can be written");
        }
    }
    let fault = "run `POSTRIDER_WRITE_DOCS=1 cargo test --test cli -- pages` to write the transcripts anew";
    assert!(writing || wrong.is_empty(), "{}{fault}", wrong.concat());
}
