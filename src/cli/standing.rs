//! `postrider standing`: leaves, ends or lists standing orders of a seat.

use super::{
    Output,
    exit::DATA,
    working::{office, seat_of, send_waiting},
};
use postrider_office::OfficeError;
use std::path::Path;

/// The arguments of `standing`.
#[derive(clap::Args, Debug)]
pub struct Standing {
    /// The game's id
    game: String,
    /// The seat, A, B, C …, or the name of its player
    seat: String,
    /// As in a mail: "settlement: nebraska; kansas", "evade always: yes", "evade end"; nothing lists them
    what: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Standing, root: &Path) -> Result<Output, OfficeError> {
    let mut office = office(root)?;
    let (answer, all) = office.order(
        &args.game,
        seat_of(root, &args.game, &args.seat)?,
        &format!("standing {}", args.what.join(" ")),
    )?;
    send_waiting(&office);
    // Orders that the rules refuse are invalid data (EX_DATAERR).
    Ok(Output { text: answer, status: if all { 0 } else { DATA }, ..Output::default() })
}
