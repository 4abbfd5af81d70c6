//! `postrider tell`: the host writes to players.

use super::{
    CliError, Output,
    working::{at, seat_of, send_waiting},
};
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct Tell {
    /// The game's id, or the beginning of it
    game: String,
    /// The message
    text: String,
    /// A recipient; can be repeated. By default all players
    #[arg(long = "seat", value_name = "SEAT")]
    seats: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Tell, root: &Path) -> Result<Output, CliError> {
    let (mut office, game) = at(root, &args.game)?;
    let to = args.seats.iter().map(|name| seat_of(&office, &game, name)).collect::<Result<Vec<_>, _>>()?;
    office.tell(&game, &to, &args.text)?;
    send_waiting(&office);
    Ok(Output::default())
}
