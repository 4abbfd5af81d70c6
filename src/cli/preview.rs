//! `postrider preview`: shows how orders would be understood, without executing them or rolling
//! dice.

use super::working::{office, seat_of};
use postrider_office::OfficeError;
use std::path::Path;

/// The arguments of `preview`.
#[derive(clap::Args, Debug)]
pub struct Preview {
    /// The game's id
    game: String,
    /// The seat, A, B, C …, or the name of its player
    seat: String,
    /// The orders, as they would stand in a mail
    #[arg(required = true)]
    orders: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Preview, root: &Path) -> Result<String, OfficeError> {
    let words = format!("preview\n{}", args.orders.join("\n"));
    Ok(office(root)?.order(&args.game, seat_of(root, &args.game, &args.seat)?, &words)?.0)
}
