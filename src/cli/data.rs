//! `postrider data`: prints all data kept about a player.

use super::{
    CliError, Output,
    working::{office, seat_of},
};
use std::path::Path;

/// The arguments of `data`.
#[derive(clap::Args, Debug)]
pub struct Data {
    /// The game's id
    game: String,
    /// The seat, A, B, C …, or the name of its player
    seat: String,
}

/// Runs the command.
pub fn run(args: &Data, root: &Path) -> Result<Output, CliError> {
    let seat = seat_of(root, &args.game, &args.seat)?;
    Output::json(&office(root)?.terminal(&args.game).data_of(seat)?)
}
