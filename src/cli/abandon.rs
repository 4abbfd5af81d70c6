//! `postrider abandon`: ends a game without an outcome by its rules.

use super::{
    CliError, Output,
    working::{at, send_waiting, sure},
};
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct Abandon {
    /// The game's id, or the beginning of it
    game: String,
    /// The reason, for all players
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// The director who decided this; the host, in a game without directors
    #[arg(long, value_name = "NAME", default_value = "host")]
    by: String,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
}

/// Runs the command.
pub fn run(args: &Abandon, root: &Path) -> Result<Output, CliError> {
    let (mut office, game) = at(root, &args.game)?;
    let what = format!("{game} ends without a result, and everyone who was invited gets a letter.");
    sure(args.yes, &what, "Abandon it?")?;
    office.directing(&game).abandon(&args.by, &args.reason)?;
    send_waiting(&office);
    Ok(format!("{game} is abandoned. Everyone who was invited is told by mail.\n").into())
}
