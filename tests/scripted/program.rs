//! Runs the program for a host's folder.

use snapbox::cmd::cargo_bin;
use std::{
    io::Write as _,
    path::Path,
    process::{Command, Output, Stdio},
};

pub fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin!("postrider"));
    command.arg("--root").arg(folder).args(words).env_remove("POSTRIDER_LOG");
    command
}

pub fn run(folder: &Path, words: &[&str]) -> Output {
    command(folder, words).output().expect("the program can be run")
}

#[allow(dead_code, reason = "benchmarks do not use it")]
pub fn fed(mut command: Command, input: impl AsRef<[u8]>) -> Output {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut program = piped.spawn().expect("the program can be run");
    program.stdin.take().expect("a pipe").write_all(input.as_ref()).expect("it is read");
    program.wait_with_output().expect("it ends")
}

pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}
