//! `postrider pause` and `postrider resume`: stop and restart the clock of a game.

use super::{
    CliError, Output,
    working::{at, send_waiting},
};
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct Pause {
    /// The game's id, or the beginning of it
    game: String,
}

/// Runs the command.
pub fn run(args: &Pause, root: &Path, pause: bool) -> Result<Output, CliError> {
    let (mut office, game) = at(root, &args.game)?;
    let done = office.directing(&game).pause(pause)?;
    send_waiting(&office);
    Ok(format!("{done}\nAll players are told by mail.\n").into())
}
