//! `postrider sender-check`: sets the signature check for a seat's mails.

use super::{
    CliError, Output,
    working::{office, seat_of, sender_check},
};
use std::path::Path;

/// The arguments of `sender-check`.
#[derive(clap::Args, Debug)]
pub struct SenderCheck {
    /// The game's id
    game: String,
    /// The seat, A, B, C …, or the name of its player
    seat: String,
    /// What is asked of the signatures (DKIM) of its mails: required, recorded or off
    check: String,
}

/// Runs the command.
pub fn run(args: &SenderCheck, root: &Path) -> Result<Output, CliError> {
    let (seat, check) = (seat_of(root, &args.game, &args.seat)?, sender_check(&args.check)?);
    office(root)?.check_senders(&args.game, seat, check)?;
    Ok(Output::default())
}
