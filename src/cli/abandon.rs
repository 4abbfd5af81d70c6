//! `postrider abandon`: ends a game without an outcome by its rules.

use super::{
    CliError, Output,
    working::{office, send_waiting, sure},
};
use std::path::Path;

/// The arguments of `abandon`.
#[derive(clap::Args, Debug)]
pub struct Abandon {
    /// The game's id
    game: String,
    /// Why; all players read it, and the journal has it
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Who decides it, as the journal names him
    #[arg(long, value_name = "NAME", default_value = "host")]
    by: String,
    /// Do not ask whether this is meant
    #[arg(long)]
    yes: bool,
}

/// Runs the command.
pub fn run(args: &Abandon, root: &Path) -> Result<Output, CliError> {
    let what = format!("{} ends for ever, and all who were invited are written to.", args.game);
    sure(args.yes, &what, "Abandon it?")?;
    let mut office = office(root)?;
    office.abandon(&args.game, &args.by, &args.reason)?;
    send_waiting(&office);
    Ok(format!("{} is abandoned. All who were invited are told by mail.\n", args.game).into())
}
