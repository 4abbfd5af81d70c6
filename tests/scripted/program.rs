//! Runs the program for a host's folder.

use snapbox::cmd::cargo_bin;
use std::{
    path::Path,
    process::{Command, Output},
};

pub fn run(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(cargo_bin!("postrider"));
    command.arg("--root").arg(folder).args(words).env_remove("POSTRIDER_LOG");
    command.output().expect("the program can be run")
}

pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}
