//! `postrider resend`: sends a player's letter again.

use super::{
    CliError, Output,
    working::{at, seat_of, send_waiting},
};
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct Resend {
    /// The game's id, or the beginning of it
    game: String,
    /// The seat (A, B, C …) or its player's name
    seat: String,
}

/// Runs the command.
pub fn run(args: &Resend, root: &Path) -> Result<Output, CliError> {
    let (mut office, game) = at(root, &args.game)?;
    office.resend(&game, seat_of(&office, &game, &args.seat)?)?;
    send_waiting(&office);
    Ok(Output::default())
}
