//! `postrider adjudicate`: estimates how an unfinished game would continue, and analyses its course
//! so far.

use super::{
    CliError, Files, Output,
    look::{At, undone, whole_lines},
    number::{any, whole},
    simulate::LIMIT,
    working::environment,
};
use fs_err as fs;
use indicatif::{ProgressBar, ProgressStyle};
use postrider_analysis::{AdjudicateFault, Case, adjudicate, in_words, page};
use postrider_letters::text;
use postrider_office::OfficeError;
use postrider_store::Players;
use std::{io::IsTerminal, path::PathBuf};

#[derive(clap::Args, Debug)]
pub struct Adjudicate {
    /// The id of a game of this host, or the beginning of it; or a journal file
    #[arg(value_name = "GAME|FILE")]
    game: String,
    /// Number of times the position is played out
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole(1..=1_000_000_u64))]
    rollouts: u64,
    /// The bot for all seats; by default the game's first, or `random` if it has none
    #[arg(long, value_name = "BOT")]
    bot: Option<String>,
    /// The same seed gives the same rollouts
    #[arg(long, default_value_t = 1, value_parser = any)]
    seed: u64,
    #[command(flatten)]
    at: At,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Also write a self-contained HTML page with plots
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Adjudicate, files: &Files) -> Result<Output, CliError> {
    let found = files.find(&args.game)?;
    let catalog = files.shelf_for(&found)?;
    let (source, torn) = whole_lines(&found)?;
    let at = args.at.moment(&found, &catalog)?;
    let entry = at.as_ref().map(|at| at.n);
    let bar = match std::io::stderr().is_terminal() {
        true => ProgressBar::new(args.rollouts),
        false => ProgressBar::hidden(),
    };
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} rollouts {eta}");
    bar.set_style(style.map_err(|why| CliError::Broken(why.to_string()))?);
    let case = Case {
        source: &source,
        catalog: &catalog,
        chains: found.chains().filter(|chains| !chains.is_empty()),
        at,
        // A copy from elsewhere says nothing about the time after its last line.
        now: found.secrets.as_ref().map(|_| Ok::<_, OfficeError>(environment()?.now())).transpose()?,
        rollouts: args.rollouts,
        bot: args.bot.clone(),
        seed: args.seed,
        limit: LIMIT,
    };
    // A game has at most 26 seats.
    let seats = Players::named_in(&found.kept().kept, 26);
    let result = adjudicate(&case, &seats, &|| bar.inc(1));
    bar.finish_and_clear();
    let result = result.map_err(|why| match why {
        AdjudicateFault::Replay(why) => CliError::Replay(why),
        AdjudicateFault::NoBot { .. } => CliError::Usage(why.to_string()),
        AdjudicateFault::NoPosition(_) => CliError::Data(why.to_string()),
        AdjudicateFault::Stuck(_) => CliError::Broken(why.to_string()),
    })?;
    if let Some(path) = &args.html {
        fs::write(path, page(&result)?)?;
    }
    let undone = entry.map(|n| undone(&found, n)).transpose()?.flatten();
    let undone: String = undone.iter().chain(&torn).map(|why| format!("Note: {why}.\n\n")).collect();
    let said: Output = match args.json {
        true => Output::json(&result)?,
        false => (undone + &text::render(&in_words(&result))).into(),
    };
    // A rollout that does not end is a fault of the rules or the bot (EX_SOFTWARE).
    Ok(Output { status: if result.rollouts.failed == 0 { 0 } else { 70 }, ..said })
}
