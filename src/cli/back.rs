//! `postrider back`: takes a seat's last order back.

use super::{
    Output,
    exit::DATA,
    working::{office, seat_of, send_waiting},
};
use postrider_office::OfficeError;
use std::path::Path;

/// The arguments of `back`.
#[derive(clap::Args, Debug)]
pub struct Back {
    /// The game's id
    game: String,
    /// The seat, A, B, C …, or the name of its player
    #[arg(long, value_name = "SEAT")]
    seat: String,
}

/// Runs the command.
pub fn run(args: &Back, root: &Path) -> Result<Output, OfficeError> {
    let mut office = office(root)?;
    let (answer, all) = office.order(&args.game, seat_of(root, &args.game, &args.seat)?, "back")?;
    send_waiting(&office);
    // An order that others have learned of cannot be taken back (EX_DATAERR).
    Ok(Output { text: answer, status: if all { 0 } else { DATA }, ..Output::default() })
}
