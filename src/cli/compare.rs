//! `postrider compare`: finds the point at which two copies of a journal diverge.

use super::{CliError, Files, Output, verify::Mails};
use postrider_audit::{Evidence, compare};
use postrider_replay::Source;
use postrider_store::read_components;
use std::path::{Path, PathBuf};

#[derive(clap::Args, Debug)]
pub struct Compare {
    /// A journal file, or the id of a game of this host
    #[arg(value_name = "FILE|GAME")]
    first: String,
    /// The other copy
    #[arg(value_name = "FILE|GAME")]
    second: String,
    #[command(flatten)]
    mails: Mails,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// The component file, unless it is the built-in one
    #[arg(long, value_name = "FILE")]
    components: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Compare, files: &Files) -> Result<Output, CliError> {
    let (first, second) = (files.find(&args.first)?, files.find(&args.second)?);
    let mut catalog = files.shelf_for(&first)?.with_folder(second.journal.parent().unwrap_or(Path::new("")));
    let (first, second) = (first.journal, second.journal);
    if let Some(path) = &args.components {
        catalog = catalog.with_components(read_components(path)?);
    }
    let evidence = args.mails.read(Evidence::default())?;
    let key = args.mails.key()?;
    let checker = || Mails::checker(key);
    let sources = [Source::from(first.as_path()), Source::from(second.as_path())];
    let copies = [(args.first.as_str(), &sources[0]), (args.second.as_str(), &sources[1])];
    let found = compare(copies, checker, &evidence, &catalog)?;
    let said = if args.json { Output::json(&found)? } else { Output::from(found.to_string()) };
    Ok(Output { status: found.status, ..said })
}
