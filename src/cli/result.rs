//! `postrider result` and `postrider reopen`: a director ends a game, or has it go on again.

use super::{
    CliError, Output,
    working::{office, send_waiting, sure},
};
use postrider_letters::text;
use std::path::Path;

/// The arguments of `result`.
#[derive(clap::Args, Debug)]
pub struct GiveResult {
    /// The game's id
    game: String,
    /// The place of every player, such as "anna 1, ben 2"; or "draw"
    places: String,
    /// Why; all players read it, and the journal has it
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Who decides it, as the journal names him
    #[arg(long, value_name = "NAME", default_value = "director")]
    by: String,
    /// Do not ask whether this is meant
    #[arg(long)]
    yes: bool,
}

/// The arguments of `reopen`.
#[derive(clap::Args, Debug)]
pub struct Reopen {
    /// The game's id
    game: String,
    /// Why; all players read it, and the journal has it
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Who decides it, as the journal names him
    #[arg(long, value_name = "NAME", default_value = "director")]
    by: String,
}

/// Runs `result`.
///
/// # Errors
/// [`CliError`] for places that not every player has, and as the service says.
pub fn run(args: &GiveResult, root: &Path) -> Result<Output, CliError> {
    sure(args.yes, &format!("{} ends, and all players are written to.", args.game), "Give it this result?")?;
    let mut office = office(root)?;
    let said = office.give_result(&args.game, &args.by, &args.places, &args.reason)?;
    send_waiting(&office);
    Ok(format!("{said}\n").into())
}

/// Runs `reopen`.
///
/// # Errors
/// [`CliError`] for a game that goes on or that the rules have ended.
pub fn reopen(args: &Reopen, root: &Path) -> Result<Output, CliError> {
    let mut office = office(root)?;
    let rewinding = office.reopen(&args.game, &args.by, &args.reason)?;
    send_waiting(&office);
    Ok(text::render(&rewinding.report).into())
}
