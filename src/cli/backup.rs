//! `postrider backup` and `postrider restore`: copies of a host's folder, made while it is in use.

use super::{CliError, Output, doctor::rebuild_index};
use postrider_store::{Host, backup, restore};
use std::path::{Path, PathBuf};

#[derive(clap::Args, Debug)]
pub struct Backup {
    /// The folder to make: it must not exist yet, or be empty
    folder: PathBuf,
}

#[derive(clap::Args, Debug)]
pub struct Restore {
    /// The folder that `postrider backup` made
    folder: PathBuf,
}

/// Runs `backup`.
pub fn run(args: &Backup, root: &Path) -> Result<Output, CliError> {
    let host = Host::open(root)?;
    if !host.keeps_files() {
        return Err(CliError::Usage(
            "the games are in a database, which has backups of its own (docs/scale.md); `postrider store copy` exports it"
                .to_owned(),
        ));
    }
    Ok(format!("{} copied to {}.\n", said(backup(&host, &args.folder)?), args.folder.display()).into())
}

/// Runs `restore`.
pub fn bring_back(args: &Restore, root: &Path) -> Result<Output, CliError> {
    let done = said(restore(&args.folder, root)?);
    rebuild_index(root)?;
    let text = format!(
        "{done} restored to {}. Everything after the backup is lost: tell the players, who may have letters from after it. Start \
         `serve` here only if no process uses the other folder.\n",
        root.display()
    );
    Ok(text.into())
}

fn said(postrider_store::Backup { games, files, bytes }: postrider_store::Backup) -> String {
    let count = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    format!("{} ({}, {:.1} MB)", count(games, "game"), count(files, "file"), bytes as f64 / 1e6)
}
