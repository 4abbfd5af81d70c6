//! `postrider reseat`: gives a seat to another player.

use super::{
    CliError, Output,
    working::{at, seat_of, send_waiting, sender_check, sure},
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
    /// Do not ask for confirmation where bots would play the game to its end
    #[arg(long)]
    yes: bool,
}

/// Runs the command.
pub fn run(args: &Reseat, root: &Path) -> Result<Output, CliError> {
    let (mut office, game) = at(root, &args.game)?;
    let (seat, mut who) = (seat_of(&office, &game, &args.seat)?, args.player.parse::<Invitee>()?);
    who.sender_check = args.sender_check.as_deref().map(sender_check).transpose()?;
    let is_bot = bot_name(&who.address).is_some();
    if let Some(why) = office.directing(&game).last_person(seat)?.filter(|_| is_bot) {
        sure(args.yes, why, "Go on?")?;
    }
    office.directing(&game).reseat(seat, &who, args.shared_address)?;
    send_waiting(&office);
    let letter = if is_bot { "" } else { ", and gets a letter" };
    Ok(format!("{} plays seat {seat} of {game} from now on{letter}.\n", who.name).into())
}
