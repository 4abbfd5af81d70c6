//! `postrider forget`: deletes the data about the players who held a seat.

use super::{
    CliError, Output,
    working::{at, seat_of, sure},
};
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct Forget {
    /// The game's id, or the beginning of it
    game: String,
    /// The seat (A, B, C …) or its player's name
    seat: String,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Forget, root: &Path) -> Result<Output, CliError> {
    let (mut office, game) = at(root, &args.game)?;
    let seat = seat_of(&office, &game, &args.seat)?;
    let what = format!(
        "This erases addresses, names, letters, mails and messages of everyone who held seat {seat} of {game}; while the game goes \
         on, those of its current player stay. The journal does not change."
    );
    sure(args.yes, &what, "Erase them?")?;
    let done = office.forget_seat(&game, seat)?;
    if args.json {
        return Output::json(&done);
    }
    let count = |count: usize, one: &str, several: &str| format!("{count} {}", if count == 1 { one } else { several });
    Ok(format!(
        "Erased for seat {seat} of {game}: {}, {}, {}, {}. Backups still contain them.\n",
        count(done.people, "person", "people"),
        count(done.letters, "letter", "letters"),
        count(done.mails, "mail", "mails"),
        count(done.messages, "message", "messages"),
    )
    .into())
}
