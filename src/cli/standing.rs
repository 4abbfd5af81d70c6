//! `postrider standing`: leaves, ends or lists standing orders of a seat.

use super::{
    CliError, Output,
    exit::REFUSED,
    working::{at, seat_of, send_waiting},
};
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct Standing {
    /// The game's id, or the beginning of it
    game: String,
    /// The seat (A, B, C …) or its player's name
    seat: String,
    /// The order, as in a mail: "settlement: nebraska; kansas", "evasion end"; by default lists
    /// them
    what: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Standing, root: &Path) -> Result<Output, CliError> {
    let (mut office, game) = at(root, &args.game)?;
    let (answer, all) =
        office.order(&game, seat_of(&office, &game, &args.seat)?, &format!("standing {}", args.what.join(" ")))?;
    send_waiting(&office);
    Ok(Output { text: answer, status: if all { 0 } else { REFUSED }, ..Output::default() })
}
