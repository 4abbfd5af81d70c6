//! Commands that only read change nothing and wait for no locks, and `doctor` finds faults without
//! touching anything.
#![cfg(unix)]

use crate::program::{run as postrider, said};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use tempfile::TempDir;

const GAME: &str = "lone-pine";

fn host() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let players = ["Anna <anna@example.net>", "Ben <ben@example.net>", "Carl <carl@example.net>"];
    let players = players.iter().flat_map(|player| ["--player", player]);
    let words: Vec<&str> = ["new", "--id", GAME, "--join-all", "--clock", "3d"].into_iter().chain(players).collect();
    let opened = postrider(folder.path(), &words);
    assert!(opened.status.success(), "{}", said(&opened));
    folder
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => _ = found.insert(path.clone(), fs::read(&path).unwrap()),
        }
    }
    found
}

#[test]
fn looking_changes_nothing_and_waits_for_nobody() {
    let folder = host();
    let root = folder.path();
    let journal = root.join(format!("journal/{GAME}.jsonl"));
    let looks: [&[&str]; 17] = [
        &["status"],
        &["status", "--json"],
        &["show", GAME],
        &["show", GAME, "--seat", "A", "--json"],
        &["prompts", GAME],
        &["log", GAME],
        &["preview", GAME, "A", "pass"],
        &["standing", GAME, "A"],
        &["log", GAME, "--senders"],
        &["messages", GAME],
        &["data", GAME, "A"],
        &["watch", GAME],
        &["render", GAME],
        &["rule", GAME, "--reason", "why", "--dry-run"],
        &["recover", GAME, "--dry-run"],
        &["verify", GAME],
        &["doctor"],
    ];
    // Unchanged; without the index; and with a command of another process half appended, after its
    // secrets were written.
    for state in ["whole", "without an index", "half appended"] {
        if state == "without an index" {
            fs::remove_dir_all(root.join("index")).unwrap();
        }
        if state == "half appended" {
            let text = fs::read(&journal).unwrap();
            let whole = text[..text.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
            fs::write(&journal, &text[..whole + 20]).unwrap();
            let secrets = root.join(format!("secrets/{GAME}.jsonl"));
            let mut text = fs::read(&secrets).unwrap();
            text.extend_from_slice(b"{\"written\":{\"se");
            fs::write(&secrets, text).unwrap();
        }
        let lock = File::options().append(true).open(&journal).unwrap();
        lock.lock().unwrap();
        let before = files(root);
        for words in looks {
            let begun = Instant::now();
            let output = postrider(root, words);
            // A journal that is being written is incomplete, which some report; and there is nothing to
            // recover, in the end because play has not begun in what is left.
            let incomplete = matches!(words[0], "verify" | "doctor" | "render" | "rule") && state != "whole";
            let told = incomplete || words[0] == "recover";
            assert!(output.status.success() || told || words[0] == "verify", "{state}: {words:?}: {}", said(&output));
            // Waiting for the lock would take 30 seconds.
            assert!(begun.elapsed() < Duration::from_secs(25), "{state}: {words:?} waited");
            assert!(files(root) == before, "{state}: {words:?} changed something");
        }
    }
}

#[test]
fn the_doctor_finds_damage_and_makes_the_index_again() {
    let folder = host();
    let root = folder.path();
    let quiet = postrider(root, &["doctor"]);
    assert!(quiet.status.success() && said(&quiet).is_empty(), "{}", said(&quiet));
    // An absence is due at a time that no journal knows.
    let away = postrider(root, &["order", GAME, "A", "away until Monday"]);
    assert!(away.status.success(), "{away:?}");
    let away = postrider(root, &["doctor"]);
    assert!(away.status.success() && said(&away).is_empty(), "{}", said(&away));
    fs::create_dir_all(root.join("mail")).unwrap();
    fs::write(root.join("mail/clock.json"), "{}").unwrap();
    assert!(said(&postrider(root, &["doctor"])).contains("clock.json is damaged, so no deadline passes"));
    fs::remove_file(root.join("mail/clock.json")).unwrap();
    let healthy = postrider(root, &["doctor", "--verbose"]);
    assert!(healthy.status.success() && said(&healthy).contains("nothing is wrong"), "{}", said(&healthy));
    fs::remove_dir_all(root.join("index")).unwrap();
    let secrets = root.join(format!("secrets/{GAME}.jsonl"));
    let text = fs::read_to_string(&secrets).unwrap();
    let count = text.lines().count();
    fs::write(&secrets, format!("{text}{{\"raven\":{{}}}}\n{{\"sealed\":{{}}}}\n")).unwrap();
    let found = postrider(root, &["doctor", "--json"]);
    assert_eq!(found.status.code(), Some(1), "{}", said(&found));
    let found: serde_json::Value = serde_json::from_slice(&found.stdout).unwrap();
    let told: Vec<&str> = found["found"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap()).collect();
    let tells = |words: &str| told.iter().any(|what| what.contains(words));
    assert!(tells(&format!("line {} is of the kind \"raven\"", count + 1)), "{told:?}");
    assert!(tells(&format!("line {} is damaged", count + 2)), "{told:?}");
    assert!(tells("lacks the address of seat A") && tells("has no status of it"), "{told:?}");
    fs::write(&secrets, &text).unwrap();
    let rebuilt = postrider(root, &["doctor", "--rebuild", "--verbose"]);
    assert!(rebuilt.status.success() && said(&rebuilt).contains("nothing is wrong"), "{}", said(&rebuilt));
    // An entry of the same age that differs from the journal.
    let row = root.join(format!("index/games/{GAME}.json"));
    let entry = fs::read_to_string(&row).unwrap();
    fs::write(&row, entry.replace("\"closed\":false", "\"closed\":true")).unwrap();
    let wrong = postrider(root, &["doctor"]);
    assert!(
        wrong.status.code() == Some(1) && said(&wrong).contains("something else than its journal"),
        "{}",
        said(&wrong)
    );
    // A copy of the journal from before the game started.
    fs::write(&row, entry).unwrap();
    let journal = root.join(format!("journal/{GAME}.jsonl"));
    let text = fs::read_to_string(&journal).unwrap();
    let begun = text.find("\"kind\":\"started\"").expect("all have joined");
    let older = &text[..text[..begun].rfind('\n').unwrap() + 1];
    fs::write(&journal, older).unwrap();
    let wrong = postrider(root, &["doctor"]);
    let told = said(&wrong);
    assert!(wrong.status.code() == Some(1) && told.contains("is older than the one that was worked on"), "{told}");
    assert!(told.contains(&format!("postrider recover {GAME}")), "{told}");
}

#[test]
fn the_doctor_says_what_a_backup_can_mend() {
    let folder = host();
    let root = folder.path();
    let secrets = root.join(format!("secrets/{GAME}.jsonl"));
    let told = || said(&postrider(root, &["doctor"]));
    let whole = fs::read_to_string(&secrets).unwrap();
    let mut kinds = std::collections::BTreeSet::new();
    for (k, line) in whole.lines().enumerate() {
        let line_of = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(line).unwrap();
        let kind = line_of.keys().next().unwrap().to_owned();
        for damaged in [format!("{{\"{kind}\":{{}}}}"), line[..line.len() / 2].to_owned()] {
            let lines: Vec<&str> =
                whole.lines().enumerate().map(|(i, l)| if i == k { &damaged[..] } else { l }).collect();
            fs::write(&secrets, lines.join("\n") + "\n").unwrap();
            let told = told();
            let place = format!("line {}", k + 1);
            let mends = format!("A backup of this file that has {place} mends it");
            assert!(told.contains(&place) && told.contains(&mends) && told.contains("Without it"), "{kind}: {told}");
        }
        // Missing lines are also detected if the journal or other lines need them.
        let lines: Vec<&str> = whole.lines().enumerate().filter(|(i, _)| *i != k).map(|(_, l)| l).collect();
        fs::write(&secrets, lines.join("\n") + "\n").unwrap();
        if ["chain", "address"].contains(&kind.as_str()) {
            let told = told();
            assert!(told.to_lowercase().contains("backup"), "{kind}: {told}");
        }
        kinds.insert(kind);
    }
    assert!(["address", "chain", "player", "root", "written"].iter().all(|kind| kinds.contains(*kind)), "{kinds:?}");
    fs::write(&secrets, &whole).unwrap();
    // The key: damaged, and replaced by another.
    let key = root.join("secrets/_service.jsonl");
    let text = fs::read_to_string(&key).unwrap();
    let other = format!("{{\"key\":{{\"seed\":\"{}\"}}}}\n", "8".repeat(43));
    for (damaged, what) in
        [("", "holds no key"), ("x\n", "line 1 is damaged"), (other.as_str(), "was opened with another key")]
    {
        fs::write(&key, damaged).unwrap();
        let told = told();
        assert!(
            told.contains(what) && told.contains("Restore it from any backup made after the host's first game"),
            "{told}"
        );
    }
    fs::write(&key, text).unwrap();
    // The journal: any complete copy repairs it.
    let journal = root.join(format!("journal/{GAME}.jsonl"));
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.replacen("\"n\":1,", "\"n\":7,", 1)).unwrap();
    let damaged = told();
    assert!(damaged.contains("any complete copy, from a backup or from a player"), "{damaged}");
    fs::write(&journal, &text[..text.trim_end().rfind('\n').unwrap() + 1]).unwrap();
    let older = told();
    assert!(older.contains("A newer copy mends that") && older.contains("postrider recover"), "{older}");
    fs::write(&journal, text).unwrap();
    assert!(postrider(root, &["tick"]).status.success());
    assert_eq!(told(), "");
}

#[test]
fn the_index_is_private_and_names_no_address() {
    use std::os::unix::fs::PermissionsExt;
    let folder = host();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let index = folder.path().join("index");
    assert_eq!(mode(&index), 0o700);
    let all = files(&index);
    assert!(all.len() >= 4, "{all:?}");
    for (path, bytes) in all {
        assert_eq!(mode(&path), 0o600, "{}", path.display());
        let text = format!("{} {}", path.display(), String::from_utf8_lossy(&bytes));
        assert!(!text.contains("example.net"), "{text}");
    }
}
