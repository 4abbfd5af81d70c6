//! `postrider result` and `postrider reopen`: a director ends a game, or reopens it.

use super::{
    CliError, Output,
    working::{at, send_waiting, sure},
};
use postrider_letters::text;
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct GiveResult {
    /// The game's id, or the beginning of it
    game: String,
    /// Each player's place, such as "anna 1, ben 2"; or "draw"
    places: String,
    /// The reason, for all players
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// The director who decided this; the host, in a game without directors
    #[arg(long, value_name = "NAME", default_value = "host")]
    by: String,
    /// Also record how bots would play on, in 20 rollouts as by `adjudicate`
    #[arg(long)]
    adjudicated: bool,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
}

#[derive(clap::Args, Debug)]
pub struct Reopen {
    /// The game's id, or the beginning of it
    game: String,
    /// The reason, for all players
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// The director who decided this; the host, in a game without directors
    #[arg(long, value_name = "NAME", default_value = "host")]
    by: String,
}

/// Runs `result`.
///
/// # Errors
/// [`CliError`] if not every player has a place, or if the office refuses the result.
pub fn run(args: &GiveResult, root: &Path) -> Result<Output, CliError> {
    let (mut office, game) = at(root, &args.game)?;
    office.directing(&game).try_result(&args.by, &args.places, &args.reason)?;
    sure(args.yes, &format!("{game} ends with this result, and all players get a letter."), "End it?")?;
    let said = office.directing(&game).give_result(&args.by, &args.places, (&args.reason, args.adjudicated))?;
    send_waiting(&office);
    Ok(format!("{said}\n").into())
}

/// Runs `reopen`.
///
/// # Errors
/// [`CliError`] for a game that goes on or that the rules have ended.
pub fn reopen(args: &Reopen, root: &Path) -> Result<Output, CliError> {
    let (mut office, game) = at(root, &args.game)?;
    let rewinding = office.directing(&game).reopen(&args.by, &args.reason)?;
    send_waiting(&office);
    Ok(text::render(&rewinding.report).into())
}
