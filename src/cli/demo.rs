//! `postrider demo`: plays a whole game by mail, between players who see only their mail.

use super::{CliError, Output, new::option};
use indicatif::{ProgressBar, ProgressStyle};
use postrider_audit::{Evidence, Report, verify_with};
use postrider_demo::{Demo as Play, play_demo};
use postrider_games::rulesets;
use postrider_journal::Checker;
use postrider_office::{Misuse, OfficeError};
use postrider_replay::{Source, Terms};
use serde_json::json;
use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// The arguments of `demo`.
#[derive(clap::Args, Debug)]
pub struct Demo {
    /// The rules to play by
    #[arg(long, value_name = "NAME", default_value = rulesets()[0].name())]
    ruleset: String,
    /// The game's id; made up if none is given
    #[arg(long)]
    id: Option<String>,
    /// How many play; the fewest that the game is for otherwise, and two of a game that one can
    /// play alone
    #[arg(long, value_name = "NUMBER")]
    seats: Option<u8>,
    /// The same game for the same number; a different one each time without it
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// The folder to make; `demo` in the host's folder otherwise
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
    /// The scenario; the first one otherwise
    #[arg(long, value_name = "NAME")]
    scenario: Option<String>,
    /// An optional rule or the like, KEY=VALUE
    #[arg(long = "option", value_name = "KEY=VALUE")]
    options: Vec<String>,
    /// The time for an answer, in hours or days: 36h, 3d; no deadlines without it
    #[arg(long, value_name = "TIME")]
    clock: Option<String>,
    /// Stop after so many mails
    #[arg(long, value_name = "MAILS")]
    most: Option<usize>,
    /// Have the players write what this bot would order; without it they pick at random among the answers listed
    #[arg(long, value_name = "BOT")]
    bot: Option<String>,
    /// Send a picture of the map with each letter, which takes some time
    #[arg(long)]
    pictures: bool,
    /// Have the players leave the game's standing orders, and write what is sure to follow into one mail
    #[arg(long)]
    standing: bool,
    /// Print what came of it as JSON
    #[arg(long)]
    json: bool,
}

/// Returns the smallest number of seats of a game with several players.
fn fewest(ruleset: &str) -> u8 {
    // An unknown ruleset is refused when the game is opened.
    crate::released().ruleset(ruleset).and_then(|rules| rules.seats().find(|&seats| seats > 1)).unwrap_or(1)
}

/// Runs the command.
pub fn run(args: &Demo, root: &Path) -> Result<Output, CliError> {
    let folder = args.dir.clone().unwrap_or_else(|| root.join("demo"));
    if folder.try_exists()? && fs_err::read_dir(&folder)?.next().is_some() {
        return Err(OfficeError::from(Misuse::NotEmpty { folder }).into());
    }
    let style = ProgressStyle::with_template("{spinner} {pos} mails  {msg}  ({elapsed})");
    let bar = ProgressBar::new_spinner().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.enable_steady_tick(Duration::from_millis(200));
    let demo = Play {
        folder: folder.clone(),
        ruleset: args.ruleset.clone(),
        id: args.id.clone(),
        seats: args.seats.unwrap_or_else(|| fewest(&args.ruleset)),
        seed: args.seed,
        scenario: args.scenario.clone(),
        options: args.options.iter().map(|text| option(text)).collect::<Result<_, OfficeError>>()?,
        clock: args.clock.as_ref().map(|time| Terms::new(time, "UTC")).transpose()?,
        most: args.most,
        bot: args.bot.clone(),
        pictures: args.pictures,
        standing: args.standing,
        ..Play::default()
    };
    let begun = Instant::now();
    let finished = play_demo(&demo, crate::released(), &mut |written, place| {
        bar.set_position(written as u64);
        bar.set_message(place.to_owned());
    });
    bar.finish_and_clear();
    let finished = finished?;
    let seconds = begun.elapsed().as_secs_f64();
    if args.json {
        return Output::json(&json!({
            "game": finished.game, "over": finished.over, "written": finished.written, "delivered": finished.delivered,
            "done": finished.done, "failed": finished.failed, "journal": finished.journal,
            "mailboxes": finished.mailboxes,
        }));
    }
    let end = if finished.over { "played to its end" } else { "broken off" };
    let mut evidence = Evidence::default();
    for mailbox in fs_err::read_dir(&finished.mailboxes)? {
        evidence.add_mailbox(&mailbox?.path())?;
    }
    let source = Source::from(finished.journal.as_path());
    let report = verify_with(Checker::new(), &evidence, &source, &crate::released(), |_| ())?;
    // Each of some hundred mails would fill a line.
    let report = Report { receipts: None, ..report };
    let program = std::env::args().next().unwrap_or_else(|| "postrider".to_owned());
    let (game, folder, mails) = (&finished.game, folder.display(), finished.mailboxes.display());
    let mut text = format!(
        "{game} was {end} in {seconds:.1} s: {} mails written, {} delivered,\n{} orders carried out, {} mails with one that \
         was not.\n\n",
        finished.written, finished.delivered, finished.done, finished.failed,
    );
    if finished.over {
        text += &format!("{}\n\n", finished.outcome.trim_end());
    }
    text += &format!(
        "CHECKED, as anybody can who has the journal and the mails:\n\n{report}\nJournal   {}\nMails     {mails}\n\nTry next:\n  \
         {program} --root {folder} log {game}\n",
        finished.journal.display(),
    );
    if let Some(moment) = finished.halfway {
        text += &format!("  {program} --root {folder} show {game} --at \"{moment}\"\n");
    }
    text += &format!("  ls {mails}/*/new\n");
    Ok(text.into())
}
