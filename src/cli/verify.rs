//! `postrider verify`: is this journal true?

use super::{CliError, Files, Said};
use crate::{
    journal::Checker,
    office::{Source, verify_with},
};
use fs_err as fs;
use indicatif::{ProgressBar, ProgressStyle};
use std::{io::IsTerminal, path::PathBuf};

/// The arguments of `verify`.
#[derive(clap::Args, Debug)]
pub struct Verify {
    /// A journal's file, or the id of a game of this host
    #[arg(value_name = "FILE|GAME")]
    file: String,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    /// Follow every published chain to its end, through the links that no entry used too
    #[arg(long)]
    whole_chains: bool,
    /// The component file, for a game that is played with an owner's own
    #[arg(long, value_name = "FILE")]
    components: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Verify, files: &Files) -> Result<Said, CliError> {
    // Status 1 means that the journal contradicts itself, so a file that is not there is wrong use.
    let found = files.find(&args.file).map_err(|why| CliError::Usage(why.to_string()))?;
    let mut shelf = files.shelf()?;
    if let Some(path) = &args.components {
        shelf = shelf.with_components(fs::read_to_string(path).map_err(|why| CliError::Usage(why.to_string()))?);
    }
    let bar = match std::io::stderr().is_terminal() {
        true => ProgressBar::new(fs::metadata(&found.journal)?.len()),
        false => ProgressBar::hidden(),
    };
    bar.set_style(
        ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes} {eta}")
            .map_err(|why| CliError::Broken(why.to_string()))?,
    );
    let checker = match args.whole_chains {
        true => Checker::new(),
        false => Checker::new().passing_unused_links(),
    };
    let report = verify_with(checker, &Source::from(found.journal.as_path()), &shelf, |bytes| bar.set_position(bytes))?;
    bar.finish_and_clear();
    let said = if args.json { Said::json(&report)? } else { Said::from(report.to_string()) };
    Ok(Said { status: report.status, ..said })
}
