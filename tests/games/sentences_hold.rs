//! The properties of the fuzz targets, tested with their corpus and with random bytes from
//! proptest.

use crate::sentences::{SENTENCES, Sentence, hold};
use proptest::{collection::vec, prelude::*, test_runner::TestRunner};
use std::{fs, path::Path};

/// Returns the number of random inputs per property and game (`POSTRIDER_FUZZ`), few by default.
fn cases() -> u32 {
    std::env::var("POSTRIDER_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(6)
}

/// Tests a property with every file of its corpus, which must include each game, and with random
/// bytes.
fn holds(sentence: &str, games: &[Sentence], longest: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(sentence);
    let files = fs::read_dir(&folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    let mut tried = vec![0; games.len()];
    for file in files {
        let file = file.expect("a file of the corpus").path();
        let data = fs::read(&file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
        println!("{}", file.display());
        hold(sentence, &data);
        tried[usize::from(data[0]) % games.len()] += 1;
    }
    assert!(tried.iter().all(|&count| count > 0), "{}: {tried:?} files by game", folder.display());
    for game in games {
        let config = ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() };
        let run = TestRunner::new(config).run(&vec(any::<u8>(), 0..longest), |data| {
            game(&data);
            Ok(())
        });
        run.unwrap_or_else(|why| panic!("{sentence}: {why}"));
    }
}

#[test]
fn options_are_accepted() {
    holds(SENTENCES[0].0, SENTENCES[0].1, 160);
}

#[test]
fn orders_never_panic() {
    holds(SENTENCES[1].0, SENTENCES[1].1, 600);
}

#[test]
fn replay_is_identity() {
    holds(SENTENCES[2].0, SENTENCES[2].1, 160);
}

#[test]
fn views_do_not_leak() {
    holds(SENTENCES[3].0, SENTENCES[3].1, 160);
}

/// A property without a target would not be fuzzed.
#[test]
fn every_sentence_has_a_fuzz_target() {
    let manifest = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/Cargo.toml")).expect("its manifest");
    for (name, _) in SENTENCES {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
    }
}
