//! The properties of the fuzz targets, tested with their corpus and with random bytes from
//! proptest.

use crate::sentences::{READERS, SENTENCES, Sentence, hold};
use proptest::{collection::vec, prelude::*, sample::Index, test_runner::TestRunner};
use std::{fs, io, path::Path};

/// Returns the number of random inputs per property and game (`POSTRIDER_FUZZ`), few by default.
fn cases() -> u32 {
    std::env::var("POSTRIDER_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(6)
}

/// Tests a property with every file of its corpus, which must include each game, and with random
/// bytes.
fn holds(sentence: &str, games: &[Sentence], longest: usize) {
    let mut tried = vec![0; games.len()];
    for data in corpus(sentence) {
        hold(sentence, &data);
        tried[usize::from(data[0]) % games.len()] += 1;
    }
    assert!(tried.iter().all(|&count| count > 0), "{sentence}: {tried:?} files by game");
    for game in games {
        tries(sentence, cases(), &vec(any::<u8>(), 0..longest), |data| game(&data));
    }
}

/// Returns the files of a target's corpus.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let files = fs::read_dir(&folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    let read = |file: io::Result<fs::DirEntry>| fs::read(file?.path());
    files.map(|file| read(file).expect("a file of the corpus")).collect()
}

fn tries<S: Strategy>(target: &str, cases: u32, inputs: &S, each: impl Fn(S::Value)) {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let run = TestRunner::new(config).run(inputs, |input| {
        each(input);
        Ok(())
    });
    run.unwrap_or_else(|why| panic!("{target}: {why}"));
}

/// Each file of the corpora is read as it is, and with bytes replaced, removed and repeated.
#[test]
fn whatever_comes_from_outside_is_read() {
    for (target, read) in READERS {
        let files = corpus(target);
        files.iter().for_each(|data| read(data));
        let edits = vec((any::<Index>(), any::<u8>(), 0_usize..60), 1..8);
        tries(target, 10 * cases(), &(any::<Index>(), edits), |(file, edits)| {
            let mut data = file.get(&files).clone();
            for (at, byte, length) in edits {
                let at = at.index(data.len());
                let end = (at + length).min(data.len());
                match byte % 4 {
                    0 => drop(data.drain(at..end)),
                    1 => data.extend_from_within(at..end),
                    _ => data[at] = byte,
                }
                data.extend(data.is_empty().then_some(byte));
            }
            read(&data);
        });
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
    for name in SENTENCES.map(|(name, _)| name).into_iter().chain(READERS.map(|(name, _)| name)) {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
    }
}
