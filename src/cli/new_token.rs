//! `postrider new-token`: invalidates the letters sent to a player or director so far.

use super::{
    CliError, Output,
    working::{at, seat_of, send_waiting},
};
use postrider_office::{Misuse, OfficeError};
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct NewToken {
    /// The game's id, or the beginning of it
    game: String,
    /// The seat (A, B, C …) or its player's name, or a director's name
    whose: String,
}

/// Runs the command.
pub fn run(args: &NewToken, root: &Path) -> Result<Output, CliError> {
    let (mut office, game) = at(root, &args.game)?;
    match office.directing(&game).new_token_for_director(&args.whose) {
        Err(OfficeError::Use(Misuse::NoDirector { .. })) => {
            office.new_token(&game, seat_of(&office, &game, &args.whose)?)?;
        }
        done => done?,
    }
    send_waiting(&office);
    Ok(Output::default())
}
