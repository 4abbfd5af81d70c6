//! The journals that the repository keeps: each is proved, by this program and by one that shares no code with it.
//!
//! When rules change so that the sample no longer replays, it is played anew:
//! `POSTRIDER_RENEW_SAMPLE=1 cargo test --release --test sample_journal`.

use postrider::office::{Demo, Shelf, Source, play_demo, verify};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Once,
};

/// The id of the sample, whose file is `journal/<id>.jsonl`.
const SAMPLE: &str = "sample-geronimo";

/// The seed that its dice, cards and players follow from.
const SEED: u64 = 1;

/// Every journal in `journal/`, sorted; the sample is played anew before if that is wanted.
fn journals() -> Vec<PathBuf> {
    static RENEWED: Once = Once::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("journal");
    RENEWED.call_once(|| {
        if env::var_os("POSTRIDER_RENEW_SAMPLE").is_some() {
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join(SAMPLE).with_extension("jsonl"), play_sample()).unwrap();
        }
    });
    let mut journals: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    journals.retain(|path| path.extension().is_some_and(|ext| ext == "jsonl"));
    journals.sort();
    assert!(journals.iter().any(|path| path.file_stem().is_some_and(|stem| stem == SAMPLE)), "the sample is there");
    journals
}

/// Plays the sample by mail and gives its journal.
fn play_sample() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo {
        folder: folder.path().to_owned(),
        ruleset: "geronimo".to_owned(),
        id: Some(SAMPLE.to_owned()),
        seats: 4,
        seed: Some(SEED),
        scenario: None,
        options: [].into(),
        clock: None,
        most: None,
        bot: None,
    };
    let finished = play_demo(&demo, Shelf::house(), &mut |_, _| {}).unwrap();
    assert!(finished.over);
    fs::read(finished.journal).unwrap()
}

#[test]
fn every_journal_is_proved() {
    for path in journals() {
        let report = verify(&Source::from(path.as_path()), &Shelf::house(), |_| ()).unwrap();
        assert_eq!(report.status, 0, "{}: {report}", path.display());
        assert!(report.lines > 0, "{}", path.display());
    }
}

#[test]
fn the_other_checker_agrees() {
    let checker = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checker.py");
    for path in journals() {
        let output = Command::new("python3").arg(&checker).arg(&path).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{}: {said}", path.display());
    }
}
