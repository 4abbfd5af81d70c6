//! The independent checker, for tests.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// Runs the independent checker, which was written from the format's documentation alone, on a
/// journal. Returns its exit status and report.
pub fn independent_check(path: &Path) -> (Option<i32>, String) {
    independent_check_with(path, &[])
}

/// Does the same for a fork, with the journals of its ancestors.
pub fn independent_check_with(path: &Path, parents: &[PathBuf]) -> (Option<i32>, String) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/checker.py");
    let parents = parents.iter().flat_map(|parent| [Path::new("--parent"), parent]);
    let out = Command::new("python3").arg(script).arg(path).args(parents).output().expect("python3 runs");
    (out.status.code(), String::from_utf8_lossy(&out.stdout).into_owned())
}
