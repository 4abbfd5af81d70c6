//! Commands as a person types them, up to their output.

mod wrong;

use super::{Cli, CliError, Output, run, simulate};
use clap::{CommandFactory, Parser};
use flate2::read::GzDecoder;
use indicatif::ProgressBar;
use postrider_dice::{ChainRoot, Hash};
use postrider_journal::{Secret, SecretsFile};
use postrider_office::{Environment, NewGame, Office, RewindGame};
use postrider_replay::{Catalog, Checkpoint, Terms};
use postrider_store::Host;
use postrider_table::{Seat, Setup};
use postrider_test_games::{
    auction::TOYS,
    raffle::{Played, RAFFLE, catalog},
};
use std::{collections::BTreeMap, fs, io::Read, path::PathBuf};

fn say(root: &str, words: &str) -> Result<Output, CliError> {
    say_with(crate::released(), root, words)
}

/// Runs a command; `_` means a space within a word.
fn say_with(catalog: Catalog, root: &str, words: &str) -> Result<Output, CliError> {
    let words: Vec<String> = words.split(' ').map(|word| word.replace('_', " ")).collect();
    let words = ["postrider", "--root", root].into_iter().map(str::to_owned).chain(words);
    run(&Cli::try_parse_from(words).unwrap(), catalog)
}

#[test]
fn the_commands_fit_together() {
    Cli::command().debug_assert();
    let script = say(".", "completions bash").unwrap();
    assert!(script.text.contains("simulate"));
}

#[test]
fn a_host_without_games_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    fs::create_dir(folder.path().join("journal")).unwrap();
    assert_eq!(say(root, "status").unwrap().text, "");
    assert_eq!(say(root, "status --verbose").unwrap().text, "There are no games yet.\n");
    assert_eq!(say(root, "status --json").unwrap().text, "[]\n");
    for (words, status) in [("show nothing", 66), ("log ../nothing/here", 66), ("verify nothing", 66)] {
        assert_eq!(say(root, words).unwrap_err().status(), status, "{words}");
    }
    assert!(say(root, "show nothing").unwrap_err().hint().is_some());
}

#[test]
fn a_folder_that_is_no_hosts_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    let (file, gone) = (format!("{root}/file"), format!("{root}/gone"));
    fs::write(&file, "").unwrap();
    let journal = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/journal.jsonl");
    let looks = [
        "status",
        "doctor",
        "doctor --rebuild",
        "show lone-pine",
        "log lone-pine",
        "prompts lone-pine",
        "verify lone-pine",
        "compare lone-pine lone-pine",
        "render lone-pine",
        "adjudicate lone-pine",
        "export lone-pine -o x.html",
    ];
    let others =
        ["tick", "send", "serve", "dkim", "rule lone-pine --reason no", "resend lone-pine A", "store copy files files"];
    for words in looks.into_iter().chain(others) {
        let wrong = |root: &str, what: String| {
            let why = say(root, words).unwrap_err();
            assert_eq!((why.status(), why.to_string()), (66, what), "{words}");
        };
        wrong(root, format!("{root} is no host's folder: it holds neither postrider.toml nor journal/"));
        wrong(&file, format!("{file} is a file, not a host's folder"));
        wrong(&gone, format!("there is no folder {gone}"));
    }
    assert!(say(&gone, "status").unwrap_err().hint().unwrap().contains("--root or POSTRIDER_ROOT"));
    // A journal file can be read from any folder, but not with a folder that does not exist.
    assert!(say(root, &format!("verify {journal}")).is_ok());
    assert_eq!(say(&gone, &format!("verify {journal}")).unwrap_err().to_string(), format!("there is no folder {gone}"));
    assert!(fs::read_dir(folder.path()).unwrap().count() == 1, "nothing is made");
}

fn all_files(folder: &std::path::Path) -> BTreeMap<std::path::PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(all_files(&path)),
            false => _ = found.insert(path.clone(), fs::read(&path).unwrap()),
        }
    }
    found
}

/// An unintended ruling is the worst that a command can do, so it can be tried first, and names are
/// not guessed.
#[test]
fn a_ruling_can_be_tried_and_guesses_no_name() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    say(root, "new --id lone-pine --join-all --player Anna_<anna@example.net> --player Ben_<ben@example.net>").unwrap();
    let before = all_files(folder.path());
    let dry = "rule lone-pine --reason Two_Towns_more --dry-run --effect";
    let told = say(root, &format!("{dry} area:_area=kansas,_towns=2")).unwrap().text;
    assert!(told.starts_with("would be entry ") && told.contains("Kansas: Towns 2.\n"), "{told}");
    let lines: Vec<&str> = told.lines().filter(|line| line.starts_with(['-', '+'])).collect();
    assert!(matches!(lines[..], [was, is] if was.contains("Kansas") && is.contains("2 Towns")), "{told}");
    assert!(told.ends_with("\nNothing was done.\n"), "{told}");
    let json = say(root, &format!("{dry} vps:_seat=B,_change=-3 --json")).unwrap().text;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["changes"].as_array().unwrap().len(), 2, "{json}");
    let words = say(root, "rule lone-pine --reason Be_kind --dry-run").unwrap().text;
    assert!(words.contains("would stay as it is"), "{words}");
    // A dry run refuses everything that the ruling itself would; both refuse a name that has to be
    // guessed.
    let wrong = say(root, &format!("{dry} area:_area=kansas,_settlements=7")).unwrap_err();
    assert!(wrong.status() == 64 && wrong.to_string().contains("Settlements: 7 is out of range; 0 to 5"), "{wrong}");
    for (effect, why) in [
        ("vps:_seat=B,_change=2147483647", "VPs: 2147483647 is out of range; -999 to 999"),
        ("vps:_seat=B,_change=0", "it would change nothing"),
        ("area:_area=kansas,_towns=255", "Towns: 255 is out of range"),
        ("area:_area=kansas,_towns=many", "`towns` must be a whole number, not"),
        ("kansas", "write \"NAME: MEMBER=VALUE, MEMBER=VALUE\""),
    ] {
        let wrong = say(root, &format!("{dry} {effect}")).unwrap_err();
        assert!(wrong.status() == 64 && wrong.to_string().contains(why), "{wrong}");
    }
    for (given, meant) in [("knsas", "Kansas"), ("kans", "Kansas"), ("s_dakota", "South Dakota")] {
        for how in ["--dry-run ", ""] {
            let words = format!("rule lone-pine --reason Two_Towns_more {how}--effect area:_area={given},_towns=2");
            let why = say(root, &words).unwrap_err();
            let question = format!("no Area is called \"{}\"; did you mean \"{meant}\"?", given.replace('_', " "));
            assert!(why.status() == 64 && why.to_string().contains(&question), "{why}");
        }
    }
    let why =
        say(root, "rule lone-pine --reason More --effect area:_area=kansas_city,_towns=2").unwrap_err().to_string();
    assert_eq!(why, "the ruling is refused: no Area is called “kansas city”; did you mean Kansas?");
    assert!(all_files(folder.path()) == before, "something was written");
    for (given, towns) in [("South_Dakota", 1), ("southdakota", 2), ("SD", 3)] {
        let words = format!("rule lone-pine --reason A_Town_more --effect area:_area={given},_towns={towns}");
        let told = format!("South Dakota: Towns {towns}.");
        assert!(say(root, &words).unwrap().text.contains(&told), "{given}");
    }
}

#[test]
fn entries_are_counted_in_one_way() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    say(root, "new --id lone-pine --join-all --player Anna_<anna@example.net> --player Ben_<ben@example.net>").unwrap();
    let told = say(root, "rule lone-pine --reason Be_kind").unwrap().text;
    let n: u64 = told.strip_prefix("entry ").unwrap().split(':').next().unwrap().parse().unwrap();
    let journal = fs::read_to_string(folder.path().join("journal/lone-pine.jsonl")).unwrap();
    let line = journal.lines().nth(n as usize).unwrap();
    assert!(line.contains("Be kind") && line.contains(&format!("\"n\":{n},")), "{line}");
    let letters = letters(folder.path());
    assert!(letters.contains(&format!("Journal lone-pine, entry {n},")), "{letters}");
    let log = say(root, &format!("log lone-pine --from {n}")).unwrap().text;
    assert!(log.contains(&format!("{n:>6}  The host rules: Be kind.")), "{log}");
    let beyond = say(root, &format!("log lone-pine --from {}", n + 1)).unwrap_err().to_string();
    let end = format!("the last one is entry {n} (line {} of the file)", n + 1);
    assert_eq!(beyond, format!("there is no entry {}: {end}", n + 1));
    let show = say(root, &format!("show lone-pine --entry {n}")).unwrap().text;
    assert!(show.lines().next().unwrap().ends_with(&format!("(entry {n})")), "{show}");
    assert_eq!(say(root, &format!("show lone-pine --line {}", n + 1)).unwrap().text, show);
    assert_eq!(say(root, &format!("show lone-pine --at entry_{n}")).unwrap().text, show);
    for look in ["show", "render", "adjudicate --rollouts 1"] {
        let why = say(root, &format!("{look} lone-pine --entry {}", n + 1)).unwrap_err();
        assert_eq!((why.status(), why.to_string()), (64, format!("there is no entry {}: {end}", n + 1)), "{look}");
    }
    let rewind = |point: &str| say(root, &format!("rewind lone-pine {point} --reason why --dry-run")).unwrap().text;
    let by_entry = rewind(&format!("--entry {}", n - 1));
    assert!(by_entry.starts_with(&format!("lone-pine would be rewound to entry {} ", n - 1)), "{by_entry}");
    assert!(by_entry.contains(&format!("Entry {n} would be undone.")), "{by_entry}");
    assert_eq!(rewind(&format!("--line {n}")), by_entry);
    assert_eq!(rewind(&format!("--at entry_{}", n - 1)), by_entry);
}

#[test]
fn a_position_that_is_undone_is_called_that() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    say(root, "new --id lone-pine --join-all --player Anna_<anna@example.net> --player Ben_<ben@example.net>").unwrap();
    let told = say(root, "rule lone-pine --reason Be_kind --effect vps:_seat=B,_change=3").unwrap().text;
    let n: u64 = told.strip_prefix("entry ").unwrap().split(':').next().unwrap().parse().unwrap();
    let show = |n: u64| say(root, &format!("show lone-pine --entry {n}")).unwrap().text;
    assert!(!show(n).contains("undone"));
    say(root, &format!("rewind lone-pine --entry {} --reason why --yes", n - 1)).unwrap();
    let said = format!("Entry {n} is undone: entry {} continues the game after entry {};", n + 1, n - 1);
    assert!(show(n).contains(&said), "{}", show(n));
    for n in [n - 1, n + 1] {
        assert!(!show(n).contains("is undone"), "{}", show(n));
    }
    let log = say(root, &format!("log lone-pine --from {n} --to {n}")).unwrap().text;
    assert!(log.contains(&format!("after entry {}; `log` tells only what counts, and with `--entry`", n - 1)), "{log}");
    assert!(log.ends_with(&format!("{n}  The host ruled: Be kind. What that changed is undone.\n")), "{log}");
    let then = |when: String| say(root, &format!("log lone-pine --entry {when}")).unwrap().text;
    assert!(then(n.to_string()).contains("Be kind") && !then(format!("{} --to {}", n + 1, n)).contains("+3 VPs"));
    let json = say(root, &format!("show lone-pine --entry {n} --json")).unwrap().text;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(json["undone"].as_str().unwrap().starts_with(&format!("entry {n} is undone")), "{json}");
    // A rewind that is itself undone has no effect: the game continues from there.
    say(root, &format!("rewind lone-pine --entry {n} --reason why --yes")).unwrap();
    assert!(!show(n).contains("is undone") && show(n + 1).contains(&format!("Entry {} is undone", n + 1)));
}

/// An id that begins with a hyphen would be taken for an option. Existing games with such ids
/// continue.
#[test]
fn no_new_game_begins_with_a_hyphen() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    let players = "--join-all --player Anna_<anna@example.net> --player Ben_<ben@example.net>";
    for id in ["-lone-pine", "--"] {
        let why = say(root, &format!("new --id={id} {players}")).unwrap_err();
        assert!(why.status() == 64 && why.to_string().contains("cannot be the id of a game"), "{why}");
    }
    say(root, &format!("new --id lone-pine {players}")).unwrap();
    let why = say(root, "fork lone-pine --at entry_6 --reason why -- -other").unwrap_err().to_string();
    assert!(why.contains("\"-other\" cannot be the id") || why.contains("not all public"), "{why}");
    let journal = folder.path().join("journal/-pine.jsonl");
    let played = Played::whole();
    fs::write(&journal, &played.bytes).unwrap();
    let shown = say_with(catalog(), root, "show -- -pine").unwrap().text;
    assert!(shown.contains("The game is over"), "{shown}");
}

/// A player with two seats at one address sees both hands, so the host must allow it explicitly.
#[test]
fn one_address_holds_two_seats_only_where_the_host_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    let players = "--player Anna_<anna@example.net> --player Ben_<ben@example.net> --player Carl_<ANNA@example.net>";
    let why = say(root, &format!("new --id lone-pine --join-all {players}")).unwrap_err();
    let told = why.to_string();
    assert_eq!(why.status(), 64);
    assert!(
        told.starts_with("anna@example.net is already the address of seat A") && told.contains("--shared-address"),
        "{told}"
    );
    assert!(!folder.path().join("journal/lone-pine.jsonl").exists());
    let opened = say(root, &format!("new --id lone-pine --join-all --shared-address {players}")).unwrap().text;
    let all = "anna@example.net plays seats A and C: a mail is for the seat whose letter it answers.\n";
    assert!(opened.ends_with(all), "{opened}");
    let before = all_files(folder.path());
    let reseat = "reseat lone-pine --seat C --player Dora_<Ben@example.net>";
    let why = say(root, reseat).unwrap_err();
    assert!(
        why.status() == 64 && why.to_string().starts_with("ben@example.net is already the address of seat B"),
        "{why}"
    );
    assert!(all_files(folder.path()) == before, "something was written");
    let told = say(root, &format!("{reseat} --shared-address")).unwrap().text;
    assert!(told.starts_with("Dora plays seat C of lone-pine from now on"), "{told}");
    // Bots and players at the terminal have no address, so they need no permission.
    say(root, "new --join-all --player bot:steady --player bot:steady --player Eve_<terminal> --player Fay_<terminal>")
        .unwrap();
}

#[test]
fn what_is_no_journal_is_no_journal_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/journal.jsonl");
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(file("picture.jpg"), b"\xff\xd8\xff\xe0\0\x10JFIF").unwrap();
    fs::write(file("empty.jsonl"), "").unwrap();
    fs::create_dir(file("folder.jsonl")).unwrap();
    for (name, what) in
        [("picture.jpg", "it begins with \""), ("empty.jsonl", "it is empty"), ("folder.jsonl", "it is a folder")]
    {
        let path = file(name);
        for words in [
            format!("verify {path}"),
            format!("verify {sample} --parent {path}"),
            format!("compare {sample} {path}"),
            format!("show {path}"),
            format!("log {path}"),
            format!("prompts {path}"),
            format!("render {path}"),
            format!("adjudicate {path}"),
        ] {
            let why = say(root, &words).unwrap_err();
            let told = why.to_string();
            assert!(
                why.status() == 65 && told.contains(&format!("{name} is not a journal: {what}")),
                "{words}: {told}"
            );
            assert!(told.contains("{\"at\":\"…\",\"body\":{"), "{told}");
        }
    }
}

/// Characters that reverse, hide or move text.
const HOSTILE: &str = "\u{1b}[2Jx\u{202e}y\u{2066}z\u{9b}q\u{e0041}\u{2028}";

/// Returns everything that the letters of a folder show: subjects, texts, pages, attachments.
fn letters(root: &std::path::Path) -> String {
    let mut all = String::new();
    for folder in ["out/new", "sent/new"] {
        for mail in fs::read_dir(root.join("mail").join(folder)).into_iter().flatten() {
            let raw = fs::read(mail.unwrap().path()).unwrap();
            all += &postrider_mail::Incoming::parse(&raw).unwrap().subject;
            for message in postrider_mail::SavedMessage::read(&raw) {
                all += &message.text;
            }
            let message = mail_parser::MessageParser::default().parse(&raw).unwrap();
            all.extend((0..message.html_body_count()).filter_map(|k| message.body_html(k)));
        }
    }
    // Line ends on the wire.
    all.replace('\r', "")
}

fn texts(value: &serde_json::Value, all: &mut Vec<String>) {
    match value {
        serde_json::Value::String(text) => all.push(text.clone()),
        serde_json::Value::Array(items) => items.iter().for_each(|item| texts(item, all)),
        serde_json::Value::Object(members) => members.values().for_each(|item| texts(item, all)),
        _ => {}
    }
}

#[test]
fn no_way_of_showing_shows_what_deceives() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    let strange = HOSTILE.replace(' ', "_");
    fs::write(folder.path().join("postrider.toml"), "name = \"Post\\u202erider\"\nhost_mail = \"host@example.org\"\n")
        .unwrap();
    let rules = postrider_games::rulesets()[0];
    let named = rules.components().replace("name = \"George ", "name = \"George \\u202e");
    assert_ne!(named, rules.components());
    let own = folder.path().join("own.toml");
    fs::write(&own, named).unwrap();
    let mut shown: Vec<(String, String)> = Vec::new();
    let mut run = |words: &str| {
        let said = match say(root, words) {
            Ok(said) => said.text,
            Err(why) => postrider_orders::visible(&why.to_string()).into_owned(),
        };
        shown.push((words.to_owned(), said));
    };
    run(&format!(
        "new --id lone-pine --join-all --components {} --player Anna_<anna@example.net> --player Ben_<ben@example.net> --player Carl_<c@e.net>",
        own.display()
    ));
    // Such a name would not be accepted, but somebody else may have written the file.
    let secrets = folder.path().join("secrets/lone-pine.jsonl");
    let name: String = strange.chars().filter(|c| !c.is_control() && !c.is_whitespace()).collect();
    let named = fs::read_to_string(&secrets).unwrap().replace("\"Anna\"", &format!("\"An{name}na\""));
    fs::write(&secrets, named).unwrap();
    run(&format!("rule lone-pine --reason all_is_{strange}"));
    run(&format!("order lone-pine A {strange}"));
    run(&format!("order lone-pine A help_{strange}"));
    run(&format!("order lone-pine A tell_ben:_{strange}"));
    run(&format!("order lone-pine B tell_host:_{strange}"));
    run(&format!("preview lone-pine A {strange}"));
    run(&format!("tell lone-pine {strange}"));
    // A mail with these characters in every place that its author controls.
    let letter = fs::read_dir(folder.path().join("mail/out/new")).unwrap().map(|mail| mail.unwrap().path());
    let letter = letter.into_iter().find(|path| path.to_string_lossy().contains("lone-pine.B.")).unwrap();
    let letter = fs::read_to_string(letter).unwrap().replace("\r\n", "\n").replace("\n ", " ");
    let field = |name: &str| letter.lines().find_map(|line| line.strip_prefix(name)).unwrap().to_owned();
    let mail = format!(
        "From: ben@example.net\nTo: {}\nSubject: =?utf-8?B?{}?=\nMessage-ID: <a{}@x>\nIn-Reply-To: {}\nContent-Type: text/plain; charset=utf-8\n\n{HOSTILE}\nhelp {HOSTILE}\n",
        field("Reply-To: "),
        data_encoding::BASE64.encode(format!("Re: {}", HOSTILE.replace('\u{2028}', "")).as_bytes()),
        "\u{202e}",
        field("Message-ID: ")
    );
    let host = postrider_store::Host::open(folder.path()).unwrap();
    let environment = postrider_office::Environment::System;
    let mut office = postrider_office::Office::open(host, crate::released(), environment).unwrap();
    let taken = office.receive(mail.as_bytes()).unwrap();
    assert!(matches!(taken.outcome, postrider_office::Outcome::Answered { .. }), "{taken:?}");
    drop(office);
    for words in [
        "status",
        "status --json",
        "prompts lone-pine",
        "prompts lone-pine --json",
        "log lone-pine",
        "show lone-pine",
        "show lone-pine --seat A",
        "show lone-pine --json",
        "messages lone-pine --all",
        "messages lone-pine --all --json",
        "verify lone-pine",
        "verify lone-pine --json",
        "doctor",
        "doctor --json",
        "standing lone-pine A",
        "order lone-pine A status",
        "order lone-pine A help",
        "show lone-pine --seat \u{1b}[2J",
        "log \u{202e}x",
        "render lone-pine",
    ] {
        run(words);
    }
    let (page, zip, svg) =
        (folder.path().join("page.html"), folder.path().join("b.zip"), folder.path().join("map.svg"));
    run(&format!("export lone-pine --seat A --output {}", page.display()));
    run(&format!("render lone-pine --output {}", svg.display()));
    run(&format!("verify lone-pine --bundle {}", zip.display()));
    let mut met = 0;
    for path in [&page, &svg] {
        let Ok(text) = fs::read_to_string(path) else { continue };
        // A page's data is JSON, in which an escape sequence would be decoded again.
        if let Some((_, rest)) = text.split_once("id=\"data\">") {
            let data: serde_json::Value = serde_json::from_str(rest.split("</script>").next().unwrap()).unwrap();
            let mut all = Vec::new();
            texts(&data, &mut all);
            shown.push(("the data of the page".to_owned(), all.concat()));
        }
        shown.push((path.display().to_string(), text));
    }
    let mut archive = zip::ZipArchive::new(fs::File::open(&zip).unwrap()).unwrap();
    for name in ["README.txt", "report.txt", "report.json"] {
        let text = std::io::read_to_string(archive.by_name(name).unwrap()).unwrap();
        shown.push((name.to_owned(), text));
    }
    shown.push(("the letters".to_owned(), letters(folder.path())));
    for (what, text) in &shown {
        let found = text.chars().find(|&c| postrider_orders::is_hidden(c));
        assert_eq!(found.map(|c| c.escape_unicode().to_string()), None, "{what}: {text}");
        met += usize::from(text.contains("202e"));
        if what.ends_with("--json") {
            assert!(serde_json::from_str::<serde_json::Value>(text).is_ok(), "{what}: {text}");
        }
    }
    assert!(met >= 10, "{met} of {} show that there is something", shown.len());
    assert!(page.exists() && shown.iter().any(|(what, text)| what == "the letters" && text.contains("202e")));
}

#[test]
fn a_journal_whose_rules_nobody_has_is_checked_as_far_as_possible() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    let journal = folder.path().join("journal");
    fs::create_dir(&journal).unwrap();
    let mut bytes = Played::whole().bytes;
    fs::write(journal.join("raffle-1.jsonl"), &bytes).unwrap();
    let report = say(root, "verify raffle-1").unwrap();
    assert_eq!(report.status, 2, "{}", report.text);
    let json: serde_json::Value = serde_json::from_str(&say(root, "verify raffle-1 --json").unwrap().text).unwrap();
    assert_eq!((&json["status"], &json["operator_seats"][0]), (&2.into(), &"B".into()));
    assert!(say(root, "status").unwrap().text.contains("no ruleset"));
    let shown = say(root, "show raffle-1").unwrap_err();
    assert_eq!(shown.status(), 65);
    assert!(shown.hint().is_some());

    // The first letter of the luck phrase "heads".
    let at = bytes.windows(5).position(|window| window == b"heads").unwrap();
    bytes[at] = b'b';
    let path = folder.path().join("copy.jsonl");
    fs::write(&path, &bytes).unwrap();
    let report = say(root, &format!("verify {}", path.display())).unwrap();
    assert_eq!(report.status, 1);
    assert!(report.text.contains("first in entry 1 (line 2 of the file)."), "{}", report.text);
}

#[test]
fn simulations_are_the_same_for_the_same_seed() {
    let setup = Setup {
        seats: 2,
        scenario: "fair".into(),
        options: BTreeMap::new(),
        components: RAFFLE[0].components().into(),
    };
    let bots = simulate::Players::Seated(vec!["random".to_owned(); 2]);
    let mut played = simulate::Match { rules: RAFFLE[0], setups: vec![setup], bots, limit: 100 };
    let play = |seed| simulate::play_all(&played, seed, 40, &ProgressBar::hidden());
    let some = play(7);
    assert_eq!((some.finished, some.failed.len()), (40, 0));
    assert_eq!(some, play(7));
    assert_ne!(some.numbers, play(8).numbers);
    let rounds = serde_json::to_value(&some.numbers["Rounds"]).unwrap();
    assert_eq!(rounds, serde_json::json!({ "games": 40, "min": 4.0, "max": 4.0, "mean": 4.0 }));
    played.limit = 2;
    let short = simulate::play_all(&played, 7, 3, &ProgressBar::hidden());
    assert_eq!((short.finished, short.failed.len()), (0, 3));
}

fn host(decisions: usize, with_secrets: bool) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut played = Played::begin();
    for _ in 0..decisions {
        played.decide();
    }
    fs::create_dir(folder.path().join("journal")).unwrap();
    fs::write(folder.path().join("journal/raffle-1.jsonl"), &played.bytes).unwrap();
    if with_secrets {
        fs::create_dir(folder.path().join("secrets")).unwrap();
        let mut file = SecretsFile::create(folder.path().join("secrets/raffle-1.jsonl")).unwrap();
        for chain in &played.chains {
            file.keep(&Secret::Chain(chain.clone())).unwrap();
        }
    }
    folder
}

#[test]
fn the_doctor_holds_secrets_against_their_commitments() {
    let folder = host(5, true);
    let path = folder.path().join("secrets/raffle-1.jsonl");
    SecretsFile::open(&path).unwrap().keep(&Secret::Root(ChainRoot::new("dice", Hash([1; 32])).unwrap())).unwrap();
    let whole = fs::read_to_string(&path).unwrap();
    let told = || say_with(catalog(), folder.path().to_str().unwrap(), "doctor").unwrap().text;
    assert!(!told().contains("secrets are damaged") && !told().contains("root of chain dice"), "{}", told());
    // If any chain has a root, all must have one.
    let without = Secret::Root(ChainRoot::new("deck:tickets", Hash([1; 32])).unwrap());
    let other = host(5, true);
    SecretsFile::open(other.path().join("secrets/raffle-1.jsonl")).unwrap().keep(&without).unwrap();
    let lacks = say_with(catalog(), other.path().to_str().unwrap(), "doctor").unwrap().text;
    assert!(lacks.contains("its secrets lack the root of chain dice"), "{lacks}");
    for (kind, member, what) in [
        ("root", "kept", "the root of chain dice does not lead to what its first line commits to"),
        ("chain", "checkpoints", "chain dice does not follow from its seed"),
    ] {
        for at in [0, 20, 50] {
            let damage = |line: &str| {
                let mut secret: serde_json::Value = serde_json::from_str(line).unwrap();
                if secret[kind]["label"] == "dice" {
                    let link = secret[kind][member][at].as_str().unwrap().to_owned();
                    let other = if link.starts_with('A') { "B" } else { "A" };
                    secret[kind][member][at] = format!("{other}{}", &link[1..]).into();
                }
                format!("{secret}\n")
            };
            fs::write(&path, whole.lines().map(damage).collect::<String>()).unwrap();
            assert!(told().contains(what), "{kind} {at}: {}", told());
        }
    }
}

#[test]
fn the_operator_sees_a_running_game() {
    let folder = host(5, true);
    let say = |words: &str| say_with(catalog(), folder.path().to_str().unwrap(), words).map(|said| said.text);
    assert!(say("status").unwrap().starts_with("raffle-1: raffle, Turn 2, Round 1, "));
    assert!(say("status raf").unwrap().starts_with(&say("status").unwrap()));
    assert!(say("status other").unwrap_err().to_string().contains("there is no game \"other\""));
    let json = |words: &str| serde_json::from_str::<serde_json::Value>(&say(words).unwrap()).unwrap();
    let now = json("show raffle-1 --seat a --json");
    assert_eq!((&now["moment"], &now["seat"]), (&"Turn 2, Round 1".into(), &"A".into()));
    assert_eq!(now["view"]["turn"], 2);
    assert!(!now["view"]["hand"].as_array().unwrap().is_empty());
    let spectator = json("show raffle-1 --json");
    assert_eq!(spectator["view"]["hand"].as_array().unwrap().len(), 0);
    let before = json("show raffle-1 --at turn_1_round_2 --json");
    assert_eq!((&before["moment"], &before["view"]["turn"]), (&"Turn 1, Round 2".into(), &1.into()));
    let line = before["line"].as_u64().unwrap();
    assert_eq!(before["entry"], line - 1);
    // A Round is shown before its dice, an entry after its step.
    let after = json(&format!("show raffle-1 --line {line} --json"));
    assert_eq!((&after["moment"], &after["entry"]), (&before["moment"], &before["entry"]));
    let bonus = |view: &serde_json::Value| view["view"]["points"][0].as_i64().unwrap();
    assert_ne!(bonus(&after), bonus(&before));
    assert_eq!(json(&format!("show raffle-1 --entry {} --json", line - 1)), after);
    assert_eq!(json(&format!("show raffle-1 --at entry_{} --json", line - 1)), after);
    for words in ["show raffle-1 --at turn_9", "show raffle-1 --at noon", "show raffle-1 --seat Z"] {
        assert_eq!(say(words).unwrap_err().status(), 64, "{words}");
    }

    let asked = json("prompts raffle-1 --json");
    assert_eq!(asked.as_array().unwrap().len(), 1);
    let seat = asked[0]["seat"].as_str().unwrap();
    assert_eq!(spectator["waits_for"], serde_json::json!([seat]));
    assert!(say(&format!("prompts raffle-1 --seat {seat}")).unwrap().contains("  pass\n"));
    let other = if seat == "A" { "B" } else { "A" };
    assert_eq!(say(&format!("prompts raffle-1 --seat {other}")).unwrap(), "");
    assert_eq!(say(&format!("prompts raffle-1 --seat {other} --verbose")).unwrap(), "Nothing is asked.\n");
}

#[test]
fn the_story_names_who_sat_there_then() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    say(root, "new --id lone-pine --join-all --player Anna_<anna@example.net> --player Ben_<ben@example.net>").unwrap();
    let first = |root: &str| {
        let prompts = say(root, "prompts lone-pine --json").unwrap().text;
        let prompts: serde_json::Value = serde_json::from_str(&prompts).unwrap();
        let prompt = &prompts[0];
        let (seat, words) = (prompt["seat"].as_str().unwrap(), prompt["choices"][0]["words"].as_str().unwrap());
        (seat.to_owned(), words.replace(' ', "_"))
    };
    let (seat, words) = first(root);
    let name = if seat == "A" { "Anna" } else { "Ben" };
    say(root, &format!("order lone-pine {seat} {words}")).unwrap();
    let last = say(root, "log lone-pine --json").unwrap().text.matches("\"entry\"").count();
    let before = say(root, "log lone-pine").unwrap().text;
    say(root, &format!("reseat lone-pine --seat {seat} --player Dora_<dora@example.net>")).unwrap();
    let after = say(root, "log lone-pine").unwrap().text;
    assert!(last > 0 && after.starts_with(&before), "{before}{after}");
    assert!(after.contains(&format!("Dora takes over seat {seat} from {name}.")), "{after}");
    // The docket has a row for it, with the player of that time; the ledger adds up.
    let docket = say(root, "log lone-pine --docket --json").unwrap().text;
    let docket: serde_json::Value = serde_json::from_str(&docket).unwrap();
    let rows = docket.as_array().unwrap();
    assert_eq!((rows.len(), &rows[0]["player"], &rows[0]["via"]), (1, &name.into(), &"cli".into()), "{docket}");
    assert_eq!(rows[0]["words"], words.replace('_', " "), "{docket}");
    assert!(rows[0]["seconds"].is_i64() && rows[0]["undone_by"].is_null(), "{docket}");
    let csv = say(root, "log lone-pine --docket --csv").unwrap().text;
    assert_eq!(csv.matches("\r\n").count(), 2, "{csv}");
    assert!(
        csv.starts_with("entry,at,dated,via,seat,player,words,own,led_to,seconds,deadline,late,undone_by\r\n"),
        "{csv}"
    );
    say(root, "rule lone-pine --reason Three_more --effect vps:_seat=B,_change=3").unwrap();
    say(root, "rule lone-pine --reason One_less --effect vps:_seat=B,_change=-1").unwrap();
    let ledger = say(root, "log lone-pine --ledger --json").unwrap().text;
    let ledger: serde_json::Value = serde_json::from_str(&ledger).unwrap();
    let of_b: Vec<i64> = ledger
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["seat"] == "B")
        .map(|row| row["change"].as_i64().unwrap())
        .collect();
    assert!(of_b.ends_with(&[3, -1]), "{ledger}");
    let bare = format!("log {root}/journal/lone-pine.jsonl --from 1000");
    assert!(say(root, &bare).unwrap_err().to_string().contains("there is no entry 1000"));
}

#[test]
fn a_late_answer_can_be_quoted() {
    let folder = tempfile::tempdir().unwrap();
    let office = |seed, seconds: i64| {
        let opened = chrono::DateTime::from_timestamp(1_796_000_000 + seconds, 0).unwrap();
        let host = Host::open_or_create(folder.path()).unwrap();
        Office::open(host, Catalog::new(TOYS), Environment::fixed(seed, opened)).unwrap()
    };
    let players = ["Anna <anna@example.net>", "Ben <ben@example.net>", "Cleo <cleo@example.net>"];
    let new = NewGame {
        ruleset: "auction".into(),
        id: Some("lone-pine".into()),
        players: players.map(|text| text.parse().unwrap()).into(),
        join_all: true,
        clock: Some(Terms::new("1d").unwrap()),
        ..NewGame::default()
    };
    office(1, 0).new_game(&new).unwrap();
    let mut late = office(2, 86_460);
    late.tick("lone-pine").unwrap();
    assert!(late.order("lone-pine", Seat(0), "bid 1").unwrap().1);
    let to = late.open_game("lone-pine").unwrap().head.n;
    assert!(late.order("lone-pine", Seat(1), "bid 2").unwrap().1);
    let wanted = RewindGame { to: Checkpoint::Line(to), by: "host".into(), reason: "a slip".into(), dry_run: false };
    late.directing("lone-pine").rewind(&wanted).unwrap();
    drop(late);
    let root = folder.path().to_str().unwrap();
    let log = |words: &str| say_with(Catalog::new(TOYS), root, &format!("log lone-pine{words}")).unwrap().text;
    let story = log("");
    for line in [
        "The deadline of Anna for question 0, 2026-12-01 00:53:20 UTC, passes.",
        "Anna answers question 0 at 2026-12-01 00:54:20 UTC, one minute after its deadline of 2026-12-01 00:53:20 UTC.",
    ] {
        assert!(story.contains(line), "{story}");
    }
    let docket: Vec<serde_json::Value> = serde_json::from_str(&log(" --docket --json")).unwrap();
    let row = |via: &str, seat: &str| docket.iter().find(|row| row["via"] == via && row["seat"] == seat).unwrap();
    for row in [row("expired", "A"), row("cli", "A"), row("cli", "B")] {
        assert_eq!((&row["deadline"], &row["late"]), (&"2026-12-01T00:53:20Z".into(), &60.into()), "{row}");
        assert_eq!(row["seconds"], 86_460, "{row}");
    }
    assert!(row("cli", "B")["undone_by"].is_u64() && row("cli", "A")["undone_by"].is_null());
    assert_eq!(row("cli", "B")["words"], "bid 2");
}

#[test]
fn a_torn_journal_can_be_looked_at_and_players_have_names() {
    let folder = host(5, true);
    let path = folder.path().join("journal/raffle-1.jsonl");
    let bytes = fs::read(&path).unwrap();
    let say = |words: &str| say_with(catalog(), folder.path().to_str().unwrap(), words).map(|said| said.text);
    assert!(!say("log raffle-1").unwrap().contains('@') && !say("show raffle-1").unwrap().contains('@'));
    let secrets = folder.path().join("secrets/raffle-1.jsonl");
    let mut text = fs::read_to_string(&secrets).unwrap();
    for (seat, name) in [("A", "Anna"), ("B", "Ben")] {
        text += &serde_json::json!({ "player": { "name": name, "seat": seat } }).to_string();
        let salt = postrider_dice::Hash::ZERO;
        let address = serde_json::json!({ "address": { "seat": seat, "address": "x@x.example", "salt": salt } });
        text += &format!("\n{address}\n");
    }
    fs::write(&secrets, &text).unwrap();
    let status = say("status").unwrap();
    assert!(status.contains("waiting for Anna (A)") || status.contains("waiting for Ben (B)"), "{status}");
    assert_eq!(fs::read_to_string(&secrets).unwrap(), text, "looking changes nothing");
    // Another process is writing, or was interrupted: the complete lines are shown, with a note
    // that there is more.
    for torn in [1, 40, 200] {
        fs::write(&path, &bytes[..bytes.len() - torn]).unwrap();
        let shown = say("show raffle-1").unwrap();
        assert!(shown.contains("not seen further than entry "), "{shown}");
        assert!(say("status").unwrap().contains("Turn "));
        assert_eq!(fs::read(&path).unwrap().len(), bytes.len() - torn, "looking changes nothing");
    }
    fs::write(&path, &bytes).unwrap();
    let at = |when: &str| say(&format!("show raffle-1 --json --at {when}")).unwrap();
    assert_eq!(at("Turn_1,_Round_2"), at("turn1_round2"));
    let wrong = say("show raffle-1 --at turn_9").unwrap_err().to_string();
    assert!(wrong.contains("it goes from Turn 1, Round 1 to Turn 2, Round 1"), "{wrong}");
}

#[test]
fn others_see_it_as_far_as_the_cards_are_public() {
    let (folder, over) = (host(5, false), host(99, false));
    let say = |folder: &tempfile::TempDir, words: &str| {
        say_with(catalog(), folder.path().to_str().unwrap(), words).unwrap().text
    };
    let shown = say(&folder, "show raffle-1");
    assert!(shown.contains("Turn 1, Round 2") && shown.contains("not seen further than entry "), "{shown}");
    // The tables contain the note as the story does; if standard output is for programs, it goes to
    // standard error.
    for table in ["--docket", "--ledger"] {
        let said = |form: &str| {
            let words = format!("log raffle-1 {table}{form}");
            say_with(catalog(), folder.path().to_str().unwrap(), &words).unwrap()
        };
        assert!(said("").text.contains("(not seen further than entry "), "{}", said("").text);
        for form in [" --json", " --csv"] {
            assert!(
                said(form).note.is_some_and(|note| note.starts_with("not seen further than entry ")),
                "{table}{form}"
            );
        }
    }
    let path = over.path().join("journal/raffle-1.jsonl");
    let log = say(&over, &format!("log {}", path.display()));
    assert!(log.starts_with("Turn 1, Round 1\n"), "{log}");
    assert!(log.contains("\nTurn 2, Round 2\n") && log.contains(" wins "), "{log}");
    let all: Vec<serde_json::Value> = serde_json::from_str(&say(&over, "log raffle-1 --json")).unwrap();
    let entry = all[1]["entry"].as_u64().unwrap();
    assert_eq!(all[1]["line"], entry + 1);
    let some: Vec<serde_json::Value> =
        serde_json::from_str(&say(&over, &format!("log raffle-1 --json --from {entry}"))).unwrap();
    assert_eq!(some, all[1..]);
    assert!(say(&over, "show raffle-1").contains("The game is over."));
}

#[test]
fn a_ledger_adds_up_to_the_score() {
    let folder = tempfile::tempdir().unwrap();
    for rules in postrider_games::rulesets() {
        let games = format!("{}/../../journal/{}-{}", env!("CARGO_MANIFEST_DIR"), rules.name(), rules.version());
        let mut games: Vec<_> = fs::read_dir(games).unwrap().map(|game| game.unwrap().path()).collect();
        games.sort();
        // A solitaire game has a level of victory and no points to add up.
        let scored: Vec<_> = games.iter().map(unpacked).filter(|(_, ranking)| !ranking.is_empty()).take(2).collect();
        assert!(!scored.is_empty(), "{}", rules.name());
        for (text, ranking) in scored {
            let path = folder.path().join("game.jsonl");
            fs::write(&path, &text).unwrap();
            let said = say(".", &format!("log {} --ledger --json", path.display())).unwrap().text;
            let ledger: Vec<serde_json::Value> = serde_json::from_str(&said).unwrap();
            assert!(ranking.len() > 1, "{}", rules.name());
            for one in ranking {
                let mine = ledger.iter().filter(|row| row["seat"] == one["seat"]);
                let sum: i64 = mine.clone().map(|row| row["change"].as_i64().unwrap()).sum();
                assert_eq!(sum, one["points"].as_i64().unwrap(), "{}: {one}", rules.name());
                let unruled: Vec<_> = mine.filter(|row| row["rule"] == "").collect();
                assert!(unruled.is_empty(), "each came by a rule: {unruled:?}");
            }
        }
    }
}

#[test]
fn a_finished_game_of_each_kind_has_a_page_of_its_outcome() {
    let folder = tempfile::tempdir().unwrap();
    for rules in postrider_games::rulesets() {
        let games = format!("{}/../../journal/{}-{}", env!("CARGO_MANIFEST_DIR"), rules.name(), rules.version());
        for game in fs::read_dir(games).unwrap().map(|game| game.unwrap().path()) {
            let (path, page) = (folder.path().join("game.jsonl"), folder.path().join("game.html"));
            fs::write(&path, unpacked(&game).0).unwrap();
            say(".", &format!("adjudicate {} --html {}", path.display(), page.display())).unwrap();
            assert!(fs::read_to_string(&page).unwrap().contains("<h2>How it ended</h2>"), "{}", game.display());
        }
    }
}

#[test]
fn the_ledger_of_a_fork_begins_with_what_it_inherits() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    // A fork can begin anywhere if there are no hidden cards.
    let rules = postrider_games::rulesets().iter().find(|rules| rules.decks().is_empty()).unwrap();
    let games = format!("{}/../../journal/{}-{}", env!("CARGO_MANIFEST_DIR"), rules.name(), rules.version());
    let game = fs::read_dir(games).unwrap().map(|game| game.unwrap().path()).min().unwrap();
    fs::create_dir_all(folder.path().join("journal")).unwrap();
    fs::write(folder.path().join("postrider.toml"), "").unwrap();
    fs::write(folder.path().join("journal/parent.jsonl"), unpacked(&game).0).unwrap();
    let rows = |game: &str, more: &str| -> Vec<serde_json::Value> {
        serde_json::from_str(&say(root, &format!("log {game} --ledger --json{more}")).unwrap().text).unwrap()
    };
    let whole = rows("parent", "");
    let entry = whole[whole.len() / 2]["entry"].as_u64().unwrap();
    let players = "--player Anna_<anna@example.net> --player Ben_<ben@example.net> --join-all";
    say(root, &format!("fork parent next --at entry_{entry} --reason why {players}")).unwrap();
    let inherited = rows("next", "");
    assert!(!inherited.is_empty());
    for row in &inherited {
        assert_eq!(row["rule"], "from the game that this one continues");
        let last = whole.iter().rfind(|one| one["entry"].as_u64() <= Some(entry) && one["seat"] == row["seat"]);
        assert_eq!(row["sum"], last.unwrap()["sum"], "{row}");
    }
}

/// Returns the journal of a golden game, and the ranking.
fn unpacked(packed: &PathBuf) -> (String, Vec<serde_json::Value>) {
    let mut text = String::new();
    GzDecoder::new(fs::File::open(packed).unwrap()).read_to_string(&mut text).unwrap();
    let closed = text.lines().rfind(|line| line.contains("\"kind\":\"closed\"")).unwrap();
    let closed: serde_json::Value = serde_json::from_str(closed).unwrap();
    let ranking = closed["body"]["outcome"]["ranking"].as_array().cloned().unwrap_or_default();
    (text, ranking)
}

/// The exit status tells a script that the rollouts of a result could not be reproduced.
#[test]
fn rollouts_that_come_out_otherwise_have_their_own_status() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    let toys = |words: &str| say_with(Catalog::new(TOYS), root, words).unwrap();
    let players = ["Anna <terminal>", "Ben <terminal>", "Carl <terminal>"];
    let new = NewGame {
        ruleset: "auction".into(),
        id: Some("lone-pine".into()),
        players: players.map(|text| text.parse().unwrap()).into(),
        ..NewGame::default()
    };
    let host = Host::open_or_create(folder.path()).unwrap();
    let mut office =
        Office::open(host, Catalog::new(TOYS), Environment::fixed(7, "2026-11-20T18:30:00Z".parse().unwrap())).unwrap();
    office.new_game(&new).unwrap();
    let places = "anna 1, ben 2, carl 3";
    office.directing("lone-pine").give_result("host", places, ("Ben is gone", true)).unwrap();
    drop(office);
    let found = toys("verify lone-pine --rollouts");
    assert!(found.status != 2 && found.text.contains("the same is found again"), "{}", found.text);
    let journal = fs::read_to_string(folder.path().join("journal/lone-pine.jsonl")).unwrap();
    let other_seed = journal.replace("(seed 1)", "(seed 2)");
    let mut lines: Vec<serde_json::Value> =
        other_seed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let motion = lines.iter_mut().find(|line| line["kind"] == "motion").unwrap();
    motion["body"]["rollouts"]["seed"] = 2.into();
    let other = folder.path().join("other.jsonl");
    fs::write(&other, postrider_journal::testing::rehashed(&lines)).unwrap();
    let found = toys(&format!("verify {} --rollouts", other.display()));
    assert!(found.status == 2 && found.text.contains("THE SAME IS NOT FOUND AGAIN"), "{}", found.text);
}
