//! `postrider back`: takes a seat's last order back.

use super::{
    CliError, Output,
    exit::REFUSED,
    working::{at, seat_of, send_waiting},
};
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct Back {
    /// The game's id, or the beginning of it
    game: String,
    /// The seat (A, B, C …) or its player's name
    #[arg(long, value_name = "SEAT")]
    seat: String,
}

/// Runs the command.
pub fn run(args: &Back, root: &Path) -> Result<Output, CliError> {
    let (mut office, game) = at(root, &args.game)?;
    let (answer, all) = office.order(&game, seat_of(&office, &game, &args.seat)?, "back")?;
    send_waiting(&office);
    // An order that others have learned of cannot be taken back.
    Ok(Output { text: answer, status: if all { 0 } else { REFUSED }, ..Output::default() })
}
