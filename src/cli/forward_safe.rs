//! `postrider forward-safe`: removes from a letter everything needed to answer it, and keeps its
//! proofs.

use super::{CliError, Output};
use postrider_mail::forward_safe;
use std::{
    io::{self, Read},
    path::PathBuf,
};

#[derive(clap::Args, Debug)]
pub struct ForwardSafe {
    /// The letter, as saved by your mail program; standard input by default
    file: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &ForwardSafe) -> Result<Output, CliError> {
    let mut raw = Vec::new();
    match &args.file {
        Some(path) => raw = fs_err::read(path)?,
        None => _ = io::stdin().lock().read_to_end(&mut raw)?,
    }
    Ok(forward_safe(&raw).map_err(|why| CliError::Data(why.to_string()))?.into())
}
