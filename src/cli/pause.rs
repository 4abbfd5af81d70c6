//! `postrider pause` and `postrider resume`: stop and restart the clock of a game.

use super::working::{office, send_waiting};
use postrider_office::OfficeError;
use std::path::Path;

/// The arguments of `pause` and of `resume`.
#[derive(clap::Args, Debug)]
pub struct Pause {
    /// The game's id
    game: String,
}

/// Runs the command.
pub fn run(args: &Pause, root: &Path, pause: bool) -> Result<String, OfficeError> {
    let mut office = office(root)?;
    let done = office.pause(&args.game, pause)?;
    send_waiting(&office);
    Ok(format!("{done}\nAll players are told by mail.\n"))
}
