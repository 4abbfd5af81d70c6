//! `postrider serve`: the one process that takes mail in, sends, and keeps time.

use super::{CliError, Output, working::environment};
use clap::ValueEnum;
use postrider_replay::Catalog;
use postrider_store::Host;
use std::path::Path;

/// The arguments of `serve`.
#[derive(clap::Args, Debug)]
pub struct Serve {
    /// How the log is written, to standard error
    #[arg(long, value_enum, default_value_t = LogFormat::Text, value_name = "FORMAT")]
    pub(super) log_format: LogFormat,
}

/// How a log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// A line for a person to read
    Text,
    /// A JSON object a line, for programs
    Json,
}

/// Runs the command until it is told to end.
pub fn run(root: &Path, catalog: Catalog) -> Result<Output, CliError> {
    postrider_serve::serve(&Host::open(root)?, catalog, environment()?)?;
    Ok(Output::default())
}
