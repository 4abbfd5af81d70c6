//! `postrider stand-in`: lets a bot play for a player who is away.

use super::working::{office, seat_of, send_waiting};
use postrider_office::OfficeError;
use std::path::Path;

/// The arguments of `stand-in`.
#[derive(clap::Args, Debug)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["bot", "off"]))]
pub struct StandIn {
    /// The game's id
    game: String,
    /// The seat whose player is away
    #[arg(long, value_name = "SEAT")]
    seat: String,
    /// The bot that plays for him, as `postrider games` lists them
    #[arg(long, value_name = "BOT")]
    bot: Option<String>,
    /// The player is back: no bot plays for him any more
    #[arg(long)]
    off: bool,
}

/// Runs the command.
pub fn run(args: &StandIn, root: &Path) -> Result<String, OfficeError> {
    let mut office = office(root)?;
    let done = office.stand_in(&args.game, seat_of(root, &args.game, &args.seat)?, args.bot.as_deref())?;
    send_waiting(&office);
    Ok(format!("{done}\nAll players are told by mail.\n"))
}
