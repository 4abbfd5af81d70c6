//! `postrider completions`: scripts that let a shell complete commands.

use super::{Cli, Output};
use clap::CommandFactory;
use clap_complete::{Shell, generate};

#[derive(clap::Args, Debug)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

/// Runs the command.
pub fn run(args: &Completions) -> Output {
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), "postrider", &mut script);
    String::from_utf8_lossy(&script).into_owned().into()
}
