//! `postrider stand-in`: lets a bot play for a player who is away.

use super::{
    CliError, Output,
    working::{at, seat_of, send_waiting, sure},
};
use std::path::Path;

#[derive(clap::Args, Debug)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["bot", "off"]))]
pub struct StandIn {
    /// The game's id, or the beginning of it
    game: String,
    /// The seat (A, B, C …) or its player's name
    #[arg(long, value_name = "SEAT")]
    seat: String,
    /// The bot that plays instead
    #[arg(long, value_name = "BOT")]
    bot: Option<String>,
    /// The player is back: end the bot's play
    #[arg(long)]
    off: bool,
    /// Do not ask for confirmation where bots would play the game to its end
    #[arg(long)]
    yes: bool,
}

/// Runs the command.
pub fn run(args: &StandIn, root: &Path) -> Result<Output, CliError> {
    let (mut office, game) = at(root, &args.game)?;
    let seat = seat_of(&office, &game, &args.seat)?;
    if let Some(why) = office.directing(&game).last_person(seat)?.filter(|_| !args.off) {
        sure(args.yes, why, "Go on?")?;
    }
    let done = office.directing(&game).stand_in(seat, args.bot.as_deref())?;
    send_waiting(&office);
    Ok(format!("{done}\nAll players are told by mail.\n").into())
}
