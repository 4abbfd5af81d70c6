//! `postrider recover`: continues from an older copy of a journal.

use super::{
    CliError, Output,
    working::{at, send_waiting, sure},
};
use postrider_office::Lost;
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct Recover {
    /// The game's id, or the beginning of it
    game: String,
    /// Only say what would change
    #[arg(long)]
    dry_run: bool,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
}

/// Runs the command.
pub fn run(args: &Recover, root: &Path) -> Result<Output, CliError> {
    let (mut office, game) = at(root, &args.game)?;
    let Lost { last, known } = office.lost(&game)?;
    let about = format!(
        "This copy of {game} ends with entry {last}; entries up to {known} are known to be lost. All players are told, and older \
         letters become void. The same orders bring the same dice and cards as in the lost entries, which some may have seen."
    );
    if args.dry_run {
        return Ok(format!("{about}\nNothing was done.\n").into());
    }
    sure(args.yes, &about, "Continue from this copy?")?;
    let told = office.recover(&game)?;
    send_waiting(&office);
    Ok(format!(
        "{game} continues after entry {last}; entry {known} is lost. Entry {told} says so, and all players are told by mail.\n"
    )
    .into())
}
