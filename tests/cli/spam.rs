//! Spam scores of our letters for a filter that does not know the sender: `spamassassin -L`, which
//! makes no network requests, scores every kind below 1.

use crate::program::{command, fed};
use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

const GAME: &str = "lone-pine";

/// Letters above this score risk being taken for spam when network tests are added.
const MOST: f64 = 1.0;

/// In about one game in a hundred the salt of a hidden card looks like a Bitcoin address. The
/// filter's current rules give that half a point, but the rules that come with it, without an
/// update, give a whole one.
const NO_COINS: &str = "--cf=score PDS_BTC_ID 0";

fn run(folder: &Path, now: &str, words: &[&str], input: &str) -> String {
    let mut command = command(folder, words);
    command.env("POSTRIDER_NOW", now);
    let output = fed(command, input);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn letters(folder: &Path) -> BTreeMap<String, String> {
    let out = fs::read_dir(folder.join("mail/out/new")).expect("an outbox");
    let files = out.map(|file| file.expect("it is listed"));
    let text = |path: &Path| fs::read_to_string(path).expect("text");
    files.map(|file| (file.file_name().to_string_lossy().into_owned(), text(&file.path()))).collect()
}

fn answer(letter: &str, from: &str, words: &str) -> String {
    let unfolded = letter.replace("\r\n ", " ");
    let field = |name: &str| unfolded.lines().find_map(|line| line.strip_prefix(name)).expect("the field").trim();
    let (to, subject, id) = (field("Reply-To:"), field("Subject:"), field("Message-ID:"));
    let own = words.replace(|c: char| !c.is_ascii_alphanumeric(), "");
    format!(
        "From: {from}\r\nTo: {to}\r\nSubject: Re: {subject}\r\nIn-Reply-To: {id}\r\nMessage-ID: <{own}.{}@x.example>\r\n\r\n{words}\r\n",
        from.len()
    )
}

/// Returns the kind of a letter: the end of its name, without digits.
fn kind(name: &str) -> String {
    let parts: Vec<&str> = name.split('.').collect();
    let kind =
        if parts.contains(&"re") { "re" } else { parts[1..].iter().rev().find(|part| part.len() < 16).unwrap_or(&"") };
    kind.split('-').next().unwrap_or_default().to_owned()
}

/// Returns the filter's verdicts on the letters, in their order: the words of the verdict and the
/// score.
fn verdicts<'a>(letters: impl Iterator<Item = &'a str>) -> Vec<(String, f64)> {
    // The mbox format of RFC 4155, in which the filter accepts many mails at once; a line that
    // begins like a separator is quoted.
    let mails = letters.map(|text| {
        let text = text.replace("\r\n", "\n").replace("\nFrom ", "\n>From ");
        format!("From postrider@play.example.org Mon Nov 23 09:00:00 2026\n{text}\n")
    });
    let mails: String = mails.collect();
    let mut filter = Command::new("spamassassin");
    filter.args(["-L", "-x", "--mbox", NO_COINS]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut filter = filter.spawn().expect("it was there a moment ago");
    let mut input = filter.stdin.take().expect("a pipe");
    let writing = std::thread::spawn(move || input.write_all(mails.as_bytes()).expect("it is read"));
    let said = filter.wait_with_output().expect("it ends").stdout;
    writing.join().expect("all was written");
    let said = String::from_utf8_lossy(&said).replace("\n\t", " ");
    let verdict = |status: &str| {
        let score = status.split("score=").nth(1).and_then(|rest| rest.split(' ').next()).expect("a score");
        (status.to_owned(), score.parse().expect("a number"))
    };
    said.lines().filter_map(|line| line.strip_prefix("X-Spam-Status:")).map(verdict).collect()
}

#[test]
fn no_kind_of_letter_looks_like_spam() {
    let known = Command::new("spamassassin").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !known.is_ok_and(|status| status.success()) {
        eprintln!("left out: there is no spamassassin, so nobody has looked whether letters pass for spam");
        return;
    }
    let folder = tempfile::tempdir().expect("there is room");
    let folder = folder.path();
    fs::write(
        folder.join("postrider.toml"),
        "address = \"postrider@play.example.org\"\nhost_mail = \"host@play.example.org\"\npictures = \"always\"\n",
    )
    .expect("it can be written");
    let (first, late, over) = ("2026-11-23T09:00:00Z", "2026-11-24T06:00:00Z", "2026-11-25T21:00:00Z");
    let players = ["--player", "Anna <anna@example.net>", "--player", "Ben Östlund <ben@example.net>"];
    let mut words = vec!["new", "--ruleset", "plains-indian-wars", "--id", GAME, "--clock", "36h"];
    words.extend(players);
    run(folder, first, &words, "");
    let invited = letters(folder);
    for (seat, from) in [("A", "anna@example.net"), ("B", "ben@example.net")] {
        let letter = &invited[&format!("{GAME}.{seat}.invitation")];
        run(folder, first, &["receive"], &answer(letter, from, "join"));
    }
    let newest = |seat: &str| {
        let all = letters(folder);
        let mine = all.iter().filter(|(name, _)| name.starts_with(&format!("{GAME}.{seat}.")));
        mine.max_by_key(|(name, _)| name.split('.').nth(2).and_then(|n| n.parse::<u32>().ok()))
            .expect("a letter")
            .1
            .clone()
    };
    let letter = newest("A");
    for words in [
        "help",
        "status",
        "map",
        "page",
        "no such order",
        "tell ben: shall we?",
        "tell host: I am away",
        "my address is now anna@new.example",
    ] {
        run(folder, first, &["receive"], &answer(&letter, "anna@example.net", words));
    }
    run(folder, first, &["receive"], &answer(&letter, "stranger@x.example", "1a"));
    let there = letters(folder).into_iter().find(|(name, _)| name.contains(".address.")).expect("a letter").1;
    run(folder, first, &["receive"], &answer(&there, "anna@new.example", "yes"));
    run(folder, late, &["tick"], "");
    run(folder, over, &["tick"], "");
    run(folder, over, &["rule", GAME, "--reason", "The map stands as it is."], "");
    let mut kinds: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for (name, text) in letters(folder) {
        kinds.entry(kind(&name)).or_default().push((name, text));
    }
    for wanted in ["invitation", "letter", "re", "elsewhere", "address", "former", "words"] {
        assert!(kinds.contains_key(wanted), "no {wanted}: {:?}", kinds.keys());
    }
    // A single call for all, because the program takes longer to start than to check a letter.
    let all: Vec<(String, String)> = kinds.into_values().flatten().collect();
    let verdicts = verdicts(all.iter().map(|(_, text)| text.as_str()));
    assert_eq!(verdicts.len(), all.len(), "each letter is judged");
    let high: Vec<String> = all
        .iter()
        .zip(verdicts)
        .filter(|(_, (_, score))| *score >= MOST)
        .map(|((name, _), (status, _))| format!("{name}: {status}"))
        .collect();
    assert_eq!(high, Vec::<String>::new());
}
