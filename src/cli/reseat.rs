//! `postrider reseat`: gives a seat to another player.

use super::{
    CliError, Output,
    working::{at, seat_of, send_waiting, sender_check},
};
use postrider_office::Invitee;
use postrider_store::bot_name;
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct Reseat {
    /// The game's id, or the beginning of it
    game: String,
    /// The seat (A, B, C …) or its player's name
    #[arg(long, value_name = "SEAT")]
    seat: String,
    /// The new player: "Dora <dora@example.net>"; a time zone may follow
    #[arg(long, value_name = "PLAYER")]
    player: String,
    /// The check of the player's mail signatures (DKIM), instead of that in the settings: required,
    /// recorded or off
    #[arg(long, value_name = "CHECK")]
    sender_check: Option<String>,
    /// Allow the address of another seat, for one person who plays both
    #[arg(long)]
    shared_address: bool,
}

/// Runs the command.
pub fn run(args: &Reseat, root: &Path) -> Result<Output, CliError> {
    let (mut office, game) = at(root, &args.game)?;
    let (seat, mut who) = (seat_of(&office, &game, &args.seat)?, args.player.parse::<Invitee>()?);
    who.sender_check = args.sender_check.as_deref().map(sender_check).transpose()?;
    office.directing(&game).reseat(seat, &who, args.shared_address)?;
    send_waiting(&office);
    let letter = if bot_name(&who.address).is_some() { "" } else { ", and gets a letter" };
    Ok(format!("{} plays seat {seat} of {game} from now on{letter}.\n", who.name).into())
}
