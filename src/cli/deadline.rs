//! `postrider deadline`: a director moves the deadline of what is asked of a seat.

use super::working::{office, seat, send_owed};
use crate::office::Trouble;
use std::path::Path;

/// The arguments of `deadline`.
#[derive(clap::Args, Debug)]
pub struct Deadline {
    /// The game's id
    game: String,
    /// The seat that gets more time, or less
    #[arg(long, value_name = "SEAT")]
    seat: String,
    /// The new deadline, in UTC or with an offset: 2026-11-30T12:00:00Z
    #[arg(long, value_name = "TIME")]
    until: String,
    /// Why; everybody reads it
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Who decided it
    #[arg(long, value_name = "NAME", default_value = "director")]
    by: String,
}

/// Runs the command.
pub fn run(args: &Deadline, root: &Path) -> Result<String, Trouble> {
    let mut office = office(root)?;
    let done = office.move_deadline(&args.game, seat(&args.seat)?, &args.until, &args.by, &args.reason)?;
    send_owed(&office);
    Ok(format!("{done}\nAll players are told by mail.\n"))
}
