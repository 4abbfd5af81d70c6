//! `postrider reseat`: gives a seat to another player.

use super::{
    CliError, Output,
    working::{office, seat_of, send_waiting, sender_check},
};
use postrider_office::Invitee;
use std::path::Path;

/// The arguments of `reseat`.
#[derive(clap::Args, Debug)]
pub struct Reseat {
    /// The game's id
    game: String,
    /// The seat, A, B, C …, or the name of its player
    #[arg(long, value_name = "SEAT")]
    seat: String,
    /// Who plays there from now on: "Dora <dora@example.net>", perhaps with a time zone behind it
    #[arg(long, value_name = "PLAYER")]
    player: String,
    /// What is asked of the signatures (DKIM) of his mails, whatever the settings say: required, recorded or off
    #[arg(long, value_name = "CHECK")]
    sender_check: Option<String>,
    /// Let him have the address of another seat, for somebody who plays both, as for practice
    #[arg(long)]
    shared_address: bool,
}

/// Runs the command.
pub fn run(args: &Reseat, root: &Path) -> Result<Output, CliError> {
    let (seat, mut who) = (seat_of(root, &args.game, &args.seat)?, args.player.parse::<Invitee>()?);
    who.sender_check = args.sender_check.as_deref().map(sender_check).transpose()?;
    let mut office = office(root)?;
    office.reseat(&args.game, seat, &who, args.shared_address)?;
    send_waiting(&office);
    Ok(format!("{} plays seat {seat} of {} from now on, and is written to.\n", who.name, args.game).into())
}
