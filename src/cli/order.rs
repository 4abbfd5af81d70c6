//! `postrider order`: gives orders for a seat from the command line.

use super::{
    Output,
    exit::DATA,
    working::{office, seat_of, send_waiting},
};
use postrider_office::OfficeError;
use std::path::Path;

/// The arguments of `order`.
#[derive(clap::Args, Debug)]
pub struct Order {
    /// The game's id
    game: String,
    /// The seat, A, B, C …, or the name of its player
    seat: String,
    /// The orders, as they would stand in a mail
    #[arg(required = true)]
    orders: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Order, root: &Path) -> Result<Output, OfficeError> {
    let mut office = office(root)?;
    let (answer, all) = office.order(&args.game, seat_of(root, &args.game, &args.seat)?, &args.orders.join("\n"))?;
    send_waiting(&office);
    // Orders that the rules refuse are invalid data (EX_DATAERR).
    Ok(Output { text: answer, status: if all { 0 } else { DATA }, ..Output::default() })
}
