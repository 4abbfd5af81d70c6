//! `postrider rewind`: continues a game from an earlier point.

use super::{
    CliError, Output,
    look::At,
    working::{at, send_waiting, sure},
};
use postrider_letters::text;
use postrider_office::RewindGame;
use std::path::Path;

#[derive(clap::Args, Debug)]
#[command(group = clap::ArgGroup::new("moment").required(true).args(["at", "entry", "line"]))]
pub struct Rewind {
    /// The game's id, or the beginning of it
    game: String,
    #[command(flatten)]
    at: At,
    /// The reason, for all players
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// The director who decided this; the host, in a game without directors
    #[arg(long, value_name = "NAME", default_value = "host")]
    by: String,
    /// Only say what would change
    #[arg(long)]
    dry_run: bool,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Rewind, root: &Path) -> Result<Output, CliError> {
    let to = args.at.checkpoint()?.ok_or_else(|| CliError::Usage("name a moment".to_owned()))?;
    let (by, reason) = (args.by.clone(), args.reason.clone());
    let mut wanted = RewindGame { to, by, reason, dry_run: true };
    let (mut office, game) = at(root, &args.game)?;
    let mut report = office.directing(&game).rewind(&wanted)?;
    if !args.dry_run {
        sure(args.yes, &text::render(&report.report), "Rewind the game?")?;
        wanted.dry_run = false;
        report = office.directing(&game).rewind(&wanted)?;
        send_waiting(&office);
    }
    if args.json {
        return Output::json(&report);
    }
    let end = if args.dry_run { "Nothing was done." } else { "All players are told by mail." };
    Ok(format!("{}\n\n{end}\n", text::render(&report.report).trim_end()).into())
}
