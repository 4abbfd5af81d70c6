//! `postrider resend`: sends a player's letter again.

use super::{
    CliError, Output,
    working::{office, seat_of, send_waiting},
};
use std::path::Path;

/// The arguments of `resend`.
#[derive(clap::Args, Debug)]
pub struct Resend {
    /// The game's id
    game: String,
    /// The seat, A, B, C …, or the name of its player
    seat: String,
}

/// Runs the command.
pub fn run(args: &Resend, root: &Path) -> Result<Output, CliError> {
    let mut office = office(root)?;
    office.resend(&args.game, seat_of(root, &args.game, &args.seat)?)?;
    send_waiting(&office);
    Ok(Output::default())
}
