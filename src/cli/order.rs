//! `postrider order`: gives orders for a seat from the command line.

use super::{
    CliError, Output,
    exit::REFUSED,
    working::{at, seat_of, send_waiting},
};
use std::path::Path;

/// The arguments of `order`.
#[derive(clap::Args, Debug)]
pub struct Order {
    /// The game's id, or the beginning of it
    game: String,
    /// The seat (A, B, C …) or its player's name
    seat: String,
    /// The orders, written as in a mail
    #[arg(required = true)]
    orders: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Order, root: &Path) -> Result<Output, CliError> {
    let (mut office, game) = at(root, &args.game)?;
    let (answer, all) = office.order(&game, seat_of(&office, &game, &args.seat)?, &args.orders.join("\n"))?;
    send_waiting(&office);
    Ok(Output { text: answer, status: if all { 0 } else { REFUSED }, ..Output::default() })
}
