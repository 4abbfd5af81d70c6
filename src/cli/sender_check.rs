//! `postrider sender-check`: sets the signature check for a seat's mails.

use super::{
    CliError, Output,
    working::{at, seat_of, sender_check},
};
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct SenderCheck {
    /// The game's id, or the beginning of it
    game: String,
    /// The seat (A, B, C …) or its player's name
    seat: String,
    /// The check of its mails' signatures (DKIM): required, recorded or off
    check: String,
}

/// Runs the command.
pub fn run(args: &SenderCheck, root: &Path) -> Result<Output, CliError> {
    let (mut office, game) = at(root, &args.game)?;
    let (seat, check) = (seat_of(&office, &game, &args.seat)?, sender_check(&args.check)?);
    office.directing(&game).check_senders(seat, check)?;
    Ok(Output::default())
}
