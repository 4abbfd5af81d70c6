//! `postrider order`: gives orders for a seat from the command line.

use super::working::{office, seat, send_owed};
use crate::office::Trouble;
use std::path::Path;

/// The arguments of `order`.
#[derive(clap::Args, Debug)]
pub struct Order {
    /// The game's id
    game: String,
    /// The seat, A, B, C …
    seat: String,
    /// The orders, as they would stand in a mail
    #[arg(required = true)]
    orders: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Order, root: &Path) -> Result<String, Trouble> {
    let mut office = office(root)?;
    let answer = office.order(&args.game, seat(&args.seat)?, &args.orders.join("\n"))?;
    send_owed(&office);
    Ok(answer)
}
