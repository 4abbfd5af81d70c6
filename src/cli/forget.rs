//! `postrider forget`: deletes the data about the players who held a seat.

use super::{
    CliError, Output,
    working::{office, seat_of, sure},
};
use std::path::Path;

/// The arguments of `forget`.
#[derive(clap::Args, Debug)]
pub struct Forget {
    /// The game's id
    game: String,
    /// The seat, A, B, C …, or the name of its player
    seat: String,
    /// Do not ask whether this is meant
    #[arg(long)]
    yes: bool,
    /// Print what was forgotten as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Forget, root: &Path) -> Result<Output, CliError> {
    let seat = seat_of(root, &args.game, &args.seat)?;
    let what = format!(
        "Addresses, names, letters, mails and messages of whoever held seat {seat} of {} are removed for ever; while the game goes on, \
         those of its present player stay. The journal stays as it is.",
        args.game
    );
    sure(args.yes, &what, "Forget them?")?;
    let done = office(root)?.forget_seat(&args.game, seat)?;
    if args.json {
        return Output::json(&done);
    }
    let count = |count: usize, one: &str, several: &str| format!("{count} {}", if count == 1 { one } else { several });
    Ok(format!(
        "Forgotten for seat {seat} of {}: {}, {}, {}, {}. Backups still have them.\n",
        args.game,
        count(done.people, "person", "people"),
        count(done.letters, "letter", "letters"),
        count(done.mails, "mail", "mails"),
        count(done.messages, "message", "messages"),
    )
    .into())
}
