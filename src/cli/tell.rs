//! `postrider tell`: the host writes to players.

use super::{
    CliError, Output,
    working::{office, seat_of, send_waiting},
};
use std::path::Path;

/// The arguments of `tell`.
#[derive(clap::Args, Debug)]
pub struct Tell {
    /// The game's id
    game: String,
    /// What they are told
    text: String,
    /// A seat that is told, A, B, C …; may be given several times; all without it
    #[arg(long = "seat", alias = "to", value_name = "SEAT")]
    seats: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Tell, root: &Path) -> Result<Output, CliError> {
    let to = args.seats.iter().map(|name| seat_of(root, &args.game, name)).collect::<Result<Vec<_>, _>>()?;
    let mut office = office(root)?;
    office.tell(&args.game, &to, &args.text)?;
    send_waiting(&office);
    Ok(Output::default())
}
