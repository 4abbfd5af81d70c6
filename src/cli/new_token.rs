//! `postrider new-token`: invalidates the letters sent to a seat so far.

use super::{
    CliError, Output,
    working::{office, seat_of, send_waiting},
};
use std::path::Path;

/// The arguments of `new-token`.
#[derive(clap::Args, Debug)]
pub struct NewToken {
    /// The game's id
    game: String,
    /// The seat, A, B, C …, or the name of its player
    seat: String,
}

/// Runs the command.
pub fn run(args: &NewToken, root: &Path) -> Result<Output, CliError> {
    let mut office = office(root)?;
    office.new_token(&args.game, seat_of(root, &args.game, &args.seat)?)?;
    send_waiting(&office);
    Ok(Output::default())
}
