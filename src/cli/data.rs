//! `postrider data`: prints all data kept about a player.

use super::{
    CliError, Output,
    working::{at, seat_of},
};
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct Data {
    /// The game's id, or the beginning of it
    game: String,
    /// The seat (A, B, C …) or its player's name
    seat: String,
}

/// Runs the command.
pub fn run(args: &Data, root: &Path) -> Result<Output, CliError> {
    let (mut office, game) = at(root, &args.game)?;
    let seat = seat_of(&office, &game, &args.seat)?;
    Output::json(&office.terminal(&game).data_of(seat)?)
}
