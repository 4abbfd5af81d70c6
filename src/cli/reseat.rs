//! `postrider reseat`: gives a seat to another player.

use super::{
    CliError, Output,
    working::{office, seat, send_waiting},
};
use crate::office::Invitee;
use std::path::Path;

/// The arguments of `reseat`.
#[derive(clap::Args, Debug)]
pub struct Reseat {
    /// The game's id
    game: String,
    /// The seat, A, B, C …
    #[arg(long, value_name = "SEAT")]
    seat: String,
    /// Who plays there from now on: "Dora <dora@example.net>", perhaps with a time zone behind it
    #[arg(long, value_name = "PLAYER")]
    player: String,
}

/// Runs the command.
pub fn run(args: &Reseat, root: &Path) -> Result<Output, CliError> {
    let (seat, who) = (seat(&args.seat)?, args.player.parse::<Invitee>()?);
    let mut office = office(root)?;
    office.reseat(&args.game, seat, &who)?;
    send_waiting(&office);
    Ok(format!("{} plays seat {seat} of {} from now on, and is written to.\n", who.name, args.game).into())
}
