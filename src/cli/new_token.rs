//! `postrider new-token`: invalidates the letters sent to a seat so far.

use super::{
    CliError, Output,
    working::{at, seat_of, send_waiting},
};
use std::path::Path;

/// The arguments of `new-token`.
#[derive(clap::Args, Debug)]
pub struct NewToken {
    /// The game's id, or the beginning of it
    game: String,
    /// The seat (A, B, C …) or its player's name
    seat: String,
}

/// Runs the command.
pub fn run(args: &NewToken, root: &Path) -> Result<Output, CliError> {
    let (mut office, game) = at(root, &args.game)?;
    office.new_token(&game, seat_of(&office, &game, &args.seat)?)?;
    send_waiting(&office);
    Ok(Output::default())
}
