//! `postrider standing`: leaves, ends or lists standing orders of a seat.

use super::working::{office, seat, send_owed};
use crate::office::Trouble;
use std::path::Path;

/// The arguments of `standing`.
#[derive(clap::Args, Debug)]
pub struct Standing {
    /// The game's id
    game: String,
    /// The seat, A, B, C …
    seat: String,
    /// As in a mail: "settlement: nebraska; kansas", "evade always: yes", "evade end"; nothing lists them
    what: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Standing, root: &Path) -> Result<String, Trouble> {
    let mut office = office(root)?;
    let answer = office.order(&args.game, seat(&args.seat)?, &format!("standing {}", args.what.join(" ")))?;
    send_owed(&office);
    Ok(answer)
}
