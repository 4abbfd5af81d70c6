//! The sentences of the fuzz targets, tried on their corpus and on some bytes that proptest makes up.

use crate::sentences;

use postrider::games::{bloody_ground::BloodyGround, geronimo::Geronimo, plains::Plains, rosebud_creek::RosebudCreek};
use proptest::{collection::vec, prelude::*};
use std::{fs, path::Path};

/// Tries a sentence on every file of its corpus; there must be some.
fn on_the_corpus(target: &str, sentence: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let files = fs::read_dir(&folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    let mut count = 0;
    for file in files {
        let file = file.expect("a file of the corpus").path();
        let data = fs::read(&file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
        println!("{}", file.display());
        sentence(&data);
        count += 1;
    }
    assert!(count >= 8, "{}: {count} files", folder.display());
}

/// How many rows of bytes are made up for each sentence (`POSTRIDER_FUZZ`); few in every run.
fn cases() -> ProptestConfig {
    let cases = std::env::var("POSTRIDER_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(12);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

#[test]
fn options_are_accepted_in_the_corpus() {
    on_the_corpus("options_are_accepted", sentences::options_are_accepted::<Geronimo>);
}

#[test]
fn orders_never_panic_in_the_corpus() {
    on_the_corpus("orders_never_panic", sentences::orders_never_panic::<Geronimo>);
}

#[test]
fn replay_is_identity_in_the_corpus() {
    on_the_corpus("replay_is_identity", sentences::replay_is_identity::<Geronimo>);
}

#[test]
fn views_do_not_leak_in_the_corpus() {
    on_the_corpus("views_do_not_leak", sentences::views_do_not_leak::<Geronimo>);
}

#[test]
fn options_of_the_plains_are_accepted_in_the_corpus() {
    on_the_corpus("plains_options_are_accepted", sentences::options_are_accepted::<Plains>);
}

#[test]
fn orders_of_the_plains_never_panic_in_the_corpus() {
    on_the_corpus("plains_orders_never_panic", sentences::orders_never_panic::<Plains>);
}

#[test]
fn replay_of_the_plains_is_identity_in_the_corpus() {
    on_the_corpus("plains_replay_is_identity", sentences::replay_is_identity::<Plains>);
}

#[test]
fn views_of_the_plains_do_not_leak_in_the_corpus() {
    on_the_corpus("plains_views_do_not_leak", sentences::views_do_not_leak::<Plains>);
}

#[test]
fn options_of_the_bloody_ground_are_accepted_in_the_corpus() {
    on_the_corpus("bloody_ground_options_are_accepted", sentences::options_are_accepted::<BloodyGround>);
}

#[test]
fn orders_of_the_bloody_ground_never_panic_in_the_corpus() {
    on_the_corpus("bloody_ground_orders_never_panic", sentences::orders_never_panic::<BloodyGround>);
}

#[test]
fn replay_of_the_bloody_ground_is_identity_in_the_corpus() {
    on_the_corpus("bloody_ground_replay_is_identity", sentences::replay_is_identity::<BloodyGround>);
}

#[test]
fn views_of_the_bloody_ground_do_not_leak_in_the_corpus() {
    on_the_corpus("bloody_ground_views_do_not_leak", sentences::views_do_not_leak::<BloodyGround>);
}

#[test]
fn options_of_rosebud_creek_are_accepted_in_the_corpus() {
    on_the_corpus("rosebud_creek_options_are_accepted", sentences::options_are_accepted::<RosebudCreek>);
}

#[test]
fn orders_of_rosebud_creek_never_panic_in_the_corpus() {
    on_the_corpus("rosebud_creek_orders_never_panic", sentences::orders_never_panic::<RosebudCreek>);
}

#[test]
fn replay_of_rosebud_creek_is_identity_in_the_corpus() {
    on_the_corpus("rosebud_creek_replay_is_identity", sentences::replay_is_identity::<RosebudCreek>);
}

#[test]
fn views_of_rosebud_creek_do_not_leak_in_the_corpus() {
    on_the_corpus("rosebud_creek_views_do_not_leak", sentences::views_do_not_leak::<RosebudCreek>);
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn options_are_accepted(data in vec(any::<u8>(), 0..160)) {
        sentences::options_are_accepted::<Geronimo>(&data);
    }

    #[test]
    fn orders_never_panic(data in vec(any::<u8>(), 0..600)) {
        sentences::orders_never_panic::<Geronimo>(&data);
    }

    #[test]
    fn replay_is_identity(data in vec(any::<u8>(), 0..160)) {
        sentences::replay_is_identity::<Geronimo>(&data);
    }

    #[test]
    fn views_do_not_leak(data in vec(any::<u8>(), 0..160)) {
        sentences::views_do_not_leak::<Geronimo>(&data);
    }

    #[test]
    fn options_of_the_plains_are_accepted(data in vec(any::<u8>(), 0..160)) {
        sentences::options_are_accepted::<Plains>(&data);
    }

    #[test]
    fn orders_of_the_plains_never_panic(data in vec(any::<u8>(), 0..600)) {
        sentences::orders_never_panic::<Plains>(&data);
    }

    #[test]
    fn replay_of_the_plains_is_identity(data in vec(any::<u8>(), 0..160)) {
        sentences::replay_is_identity::<Plains>(&data);
    }

    #[test]
    fn views_of_the_plains_do_not_leak(data in vec(any::<u8>(), 0..160)) {
        sentences::views_do_not_leak::<Plains>(&data);
    }
}

proptest! {
    // Its games are long: the bytes may let thousands of decisions go by before they decide.
    #![proptest_config(ProptestConfig { cases: cases().cases.div_ceil(4), ..cases() })]

    #[test]
    fn options_of_the_bloody_ground_are_accepted(data in vec(any::<u8>(), 0..160)) {
        sentences::options_are_accepted::<BloodyGround>(&data);
    }

    #[test]
    fn orders_of_the_bloody_ground_never_panic(data in vec(any::<u8>(), 0..600)) {
        sentences::orders_never_panic::<BloodyGround>(&data);
    }

    #[test]
    fn replay_of_the_bloody_ground_is_identity(data in vec(any::<u8>(), 0..160)) {
        sentences::replay_is_identity::<BloodyGround>(&data);
    }

    #[test]
    fn views_of_the_bloody_ground_do_not_leak(data in vec(any::<u8>(), 0..160)) {
        sentences::views_do_not_leak::<BloodyGround>(&data);
    }

    #[test]
    fn options_of_rosebud_creek_are_accepted(data in vec(any::<u8>(), 0..160)) {
        sentences::options_are_accepted::<RosebudCreek>(&data);
    }

    #[test]
    fn orders_of_rosebud_creek_never_panic(data in vec(any::<u8>(), 0..600)) {
        sentences::orders_never_panic::<RosebudCreek>(&data);
    }

    #[test]
    fn replay_of_rosebud_creek_is_identity(data in vec(any::<u8>(), 0..160)) {
        sentences::replay_is_identity::<RosebudCreek>(&data);
    }

    #[test]
    fn views_of_rosebud_creek_do_not_leak(data in vec(any::<u8>(), 0..160)) {
        sentences::views_do_not_leak::<RosebudCreek>(&data);
    }
}
