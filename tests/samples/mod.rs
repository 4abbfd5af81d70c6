//! The finished games under `journal/`, which are written by `tests/journals/golden.rs`, and copies
//! of folders.

#![allow(dead_code, reason = "each test uses some of it")]

use postrider::{
    games::rulesets,
    table::{Ruleset, Setup, every_setup},
};
use std::{fs, io::Read as _, path::Path};

/// Returns the id of the finished game for a setup: scenario, number of players if it varies,
/// optional rules.
pub fn id(rules: &dyn Ruleset, setup: &Setup) -> String {
    let mut id = setup.scenario.clone();
    if rules.seats().count() > 1 {
        id += &format!("-{}", setup.seats);
    }
    let mut options = setup.options.keys();
    match (options.next(), options.next()) {
        (Some(_), Some(_)) => id += "-all",
        (Some(only), None) => id += &format!("-{only}"),
        (None, _) => {}
    }
    id
}

pub fn without_options() -> Vec<String> {
    let of = |rules: &'static dyn Ruleset| {
        let setups = every_setup(rules).into_iter().filter(|setup| setup.options.is_empty());
        setups.map(move |setup| format!("{}-{}/{}", rules.name(), rules.version(), id(rules, &setup)))
    };
    rulesets().iter().copied().flat_map(of).collect()
}

pub fn read(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("journal/{name}.jsonl.gz"));
    let packed = fs::read(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let mut journal = Vec::new();
    let read = flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut journal);
    read.unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    journal
}

pub fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("there is room");
    fs::set_permissions(to, fs::metadata(from).expect("it is there").permissions()).expect("it is ours");
    for entry in fs::read_dir(from).expect("it is there") {
        let path = entry.expect("it can be read").path();
        let copy = to.join(path.file_name().expect("a name"));
        if path.is_dir() { copy_folder(&path, &copy) } else { _ = fs::copy(&path, copy).expect("there is room") }
    }
}
