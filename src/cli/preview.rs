//! `postrider preview`: shows how orders would be understood, without executing them or rolling
//! dice.

use super::{
    CliError, Output,
    working::{at, seat_of},
};
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct Preview {
    /// The game's id, or the beginning of it
    game: String,
    /// The seat (A, B, C …) or its player's name
    seat: String,
    /// The orders, written as in a mail
    #[arg(required = true)]
    orders: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Preview, root: &Path) -> Result<Output, CliError> {
    let (mut office, game) = at(root, &args.game)?;
    let words = format!("preview\n{}", args.orders.join("\n"));
    Ok(office.order(&game, seat_of(&office, &game, &args.seat)?, &words)?.0.into())
}
