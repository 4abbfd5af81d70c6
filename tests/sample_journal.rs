//! The journals that the repository keeps: each is proved, by this program and by one that shares no code with it.
//!
//! When rules change so that a sample no longer replays, all are played anew:
//! `POSTRIDER_RENEW_SAMPLE=1 cargo test --release --test sample_journal`.

use postrider::{
    audit::verify,
    demo::{Demo, play_demo},
    replay::{Catalog, Source},
};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Once,
};

/// A finished game that the repository keeps as `journal/<id>.jsonl`.
struct Sample {
    id: &'static str,
    ruleset: &'static str,
    scenario: Option<&'static str>,
    seats: u8,
}

const SAMPLES: [Sample; 4] = [
    Sample { id: "sample-geronimo", ruleset: "geronimo", scenario: None, seats: 4 },
    Sample { id: "sample-geronimo-campaign", ruleset: "geronimo", scenario: Some("campaign"), seats: 3 },
    Sample { id: "sample-geronimo-solitaire", ruleset: "geronimo", scenario: Some("campaign"), seats: 1 },
    Sample { id: "sample-plains-indian-wars", ruleset: "plains-indian-wars", scenario: None, seats: 4 },
];

/// The seed that their dice, cards and players follow from.
const SEED: u64 = 1;

/// Every journal in `journal/`, sorted; the samples are played anew before if that is wanted.
fn journals() -> Vec<PathBuf> {
    static RENEWED: Once = Once::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("journal");
    RENEWED.call_once(|| {
        if env::var_os("POSTRIDER_RENEW_SAMPLE").is_some() {
            fs::create_dir_all(&folder).unwrap();
            for sample in &SAMPLES {
                fs::write(folder.join(sample.id).with_extension("jsonl"), play(sample)).unwrap();
            }
        }
    });
    let mut journals: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    journals.retain(|path| path.extension().is_some_and(|ext| ext == "jsonl"));
    journals.sort();
    for Sample { id, .. } in &SAMPLES {
        assert!(journals.iter().any(|path| path.file_stem().is_some_and(|stem| stem == *id)), "{id} is there");
    }
    journals
}

/// Plays a sample by mail and gives its journal.
fn play(sample: &Sample) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo {
        folder: folder.path().to_owned(),
        ruleset: sample.ruleset.to_owned(),
        id: Some(sample.id.to_owned()),
        seats: sample.seats,
        seed: Some(SEED),
        scenario: sample.scenario.map(str::to_owned),
        options: [].into(),
        clock: None,
        most: None,
        bot: None,
    };
    let finished = play_demo(&demo, Catalog::released(), &mut |_, _| {}).unwrap();
    assert!(finished.over);
    fs::read(finished.journal).unwrap()
}

#[test]
fn every_journal_is_proved() {
    for path in journals() {
        let report = verify(&Source::from(path.as_path()), &Catalog::released(), |_| ()).unwrap();
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
