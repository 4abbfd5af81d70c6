//! `postrider recover`: continues from an older copy of a journal.

use super::{
    CliError, Output,
    working::{office, send_waiting, sure},
};
use postrider_office::Recovered;
use std::path::Path;

/// The arguments of `recover`.
#[derive(clap::Args, Debug)]
pub struct Recover {
    /// The game's id
    game: String,
    /// Who decided it
    #[arg(long, value_name = "NAME", default_value = "host")]
    by: String,
    /// Do not ask whether it is meant
    #[arg(long)]
    yes: bool,
}

/// Runs the command.
pub fn run(args: &Recover, root: &Path) -> Result<Output, CliError> {
    let about = "What players were told after the last entry of this copy is lost. All of them are told so, older letters count no more, and dice and cards come \
                 from fresh chains.";
    sure(args.yes, about, "Go on from this copy?")?;
    let mut office = office(root)?;
    let Recovered { lines, lost, told } = office.recover(&args.game, &args.by)?;
    send_waiting(&office);
    Ok(format!(
        "{} goes on after entry {}; known to be lost is entry {lost}. Entry {told} says so, and all players are told by mail.\n",
        args.game,
        lines.saturating_sub(1)
    )
    .into())
}
