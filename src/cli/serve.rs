//! `postrider serve`: the process that receives mail, sends letters, and handles deadlines.

use super::{CliError, Output, working::environment};
use clap::ValueEnum;
use postrider_replay::Catalog;
use postrider_store::Host;
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct Serve {
    /// The format of the log, which goes to standard error
    #[arg(long, value_enum, default_value_t = LogFormat::Text, value_name = "FORMAT")]
    pub(super) log_format: LogFormat,
}

/// The format of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Lines of text
    Text,
    /// One JSON object per line
    Json,
}

/// Runs the command until it is told to end.
pub fn run(root: &Path, catalog: Catalog) -> Result<Output, CliError> {
    postrider_serve::serve(&Host::open(root)?, catalog, environment()?)?;
    Ok(Output::default())
}
