//! `postrider order`: gives orders for a seat from the command line.

use super::{
    CliError, Output,
    exit::REFUSED,
    working::{at, seat_of, send_waiting},
};
use postrider_office::concedes;
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct Order {
    /// The game's id, or the beginning of it
    game: String,
    /// The seat (A, B, C …) or its player's name
    seat: String,
    /// The orders, written as in a mail
    #[arg(required = true)]
    orders: Vec<String>,
    /// Let `concede` count; by mail the player is asked
    #[arg(long)]
    yes: bool,
}

/// Runs the command.
pub fn run(args: &Order, root: &Path) -> Result<Output, CliError> {
    let (mut office, game) = at(root, &args.game)?;
    let (seat, orders) = (seat_of(&office, &game, &args.seat)?, args.orders.join("\n"));
    if !args.yes && concedes(&orders) {
        return Err(CliError::Usage(format!(
            "`concede` gives up the game for seat {seat} at once: add --yes if it is meant"
        )));
    }
    let (answer, all) = office.order(&game, seat, &orders)?;
    send_waiting(&office);
    Ok(Output { text: answer, status: if all { 0 } else { REFUSED }, ..Output::default() })
}
