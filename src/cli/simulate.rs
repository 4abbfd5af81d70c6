//! `postrider simulate`: plays many games with bots, without mail, and prints statistics.

mod calibration;
mod letters;
mod mail_cost;
mod playing;
mod shares;
mod statistics;
#[cfg(test)]
mod tests;

pub(super) use self::{
    playing::{LIMIT, Match, Players, play_all},
    statistics::Statistics,
};
use super::{
    CliError, Output,
    games::known_rules,
    new::option,
    number::{MOST_SEATS, any, positive, whole},
};
use indicatif::{ProgressBar, ProgressStyle};
use postrider_games::rulesets;
use postrider_letters::text;
use postrider_orders::list_and;
use postrider_table::{RANDOM, Ruleset, SeededChance, Setup, Watch, every_setup};
use std::{io::IsTerminal, path::PathBuf};

#[derive(clap::Args, Debug)]
pub struct Simulate {
    /// Number of games
    #[arg(long, default_value_t = 100, value_parser = positive)]
    games: u64,
    /// Number of players; by default that of the bots, or the smallest that the game allows
    #[arg(long, value_parser = whole(1..=MOST_SEATS))]
    players: Option<u8>,
    /// The bots: one per seat, or one for all seats; seats change from game to game
    #[arg(long, value_name = "BOT,…", value_delimiter = ',', default_value = RANDOM.name)]
    bots: Vec<String>,
    /// Compare the bot with this one: each deal is played twice, with seats exchanged; `--games` is
    /// the number of deals
    #[arg(long, value_name = "BOT", conflicts_with_all = ["letters"])]
    against: Option<String>,
    /// Play all combinations of scenarios, numbers of players and optional rules in turn
    #[arg(long, conflicts_with_all = ["players", "scenario", "options", "letters"])]
    every_setup: bool,
    /// The same seed gives the same games
    #[arg(long, default_value_t = 1, value_parser = any)]
    seed: u64,
    /// The rules to play by; `postrider games` lists them
    #[arg(long, value_name = "NAME", default_value = rulesets()[0].name())]
    ruleset: String,
    /// The scenario; by default the first one
    #[arg(long, value_name = "NAME")]
    scenario: Option<String>,
    /// An optional rule or other option, KEY=VALUE
    #[arg(long = "option", value_name = "KEY=VALUE")]
    options: Vec<String>,
    /// The component file, unless it is the built-in one
    #[arg(long, value_name = "FILE", conflicts_with_all = ["letters", "mail_cost", "every_setup"])]
    components: Option<PathBuf>,
    /// Play by mail, with the first bot in every seat, and print the length of letters
    #[arg(long)]
    letters: bool,
    /// Play by mail, with the first bot in every seat, and print the number of mails per Round
    #[arg(long, conflicts_with_all = ["letters", "against", "every_setup"])]
    mail_cost: bool,
    /// With --mail-cost: players leave standing orders, and send orders that are sure to follow in
    /// one mail
    #[arg(long, requires = "mail_cost")]
    standing: bool,
    /// Adjudicate each game at a quarter, half and three quarters of its decisions with this number
    /// of rollouts, and compare the estimated chances of winning with the results
    #[arg(long, value_name = "ROLLOUTS", value_parser = positive, conflicts_with_all = ["letters", "mail_cost", "against", "row"])]
    calibrate: Option<u64>,
    /// Print a row of a table; with --mail-cost one for docs/few-mails.md
    #[arg(long, conflicts_with_all = ["json", "letters", "against", "every_setup"])]
    row: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Simulate) -> Result<Output, CliError> {
    let rules = known_rules(&args.ruleset)?;
    let several = u8::try_from(args.bots.len()).ok().filter(|&bots| bots > 1);
    let (seats, players) = (rules.seats(), args.players.or(several).unwrap_or(*rules.seats().start()));
    if !seats.contains(&players) {
        let (few, many) = (seats.start(), seats.end());
        let for_ = if few == many { few.to_string() } else { format!("{few} to {many}") };
        return Err(CliError::Usage(format!("{} is for {for_} players, not {players}", rules.title())));
    }
    let scenario = args.scenario.as_deref().or_else(|| rules.scenarios().first().copied()).unwrap_or_default();
    let setup = Setup {
        seats: players,
        scenario: scenario.to_owned(),
        options: args.options.iter().map(|text| option(text)).collect::<Result<_, _>>()?,
        components: match &args.components {
            Some(path) => fs_err::read_to_string(path)?.into(),
            None => rules.components().into(),
        },
    };
    // A setup that the ruleset refuses would be refused in every game.
    let chance = Box::new(SeededChance::new(args.seed));
    rules.open(&setup, chance, Watch::NONE).map_err(|why| CliError::Usage(why.to_string()))?;
    if args.letters {
        return letters::run(args, rules, players);
    }
    if args.mail_cost {
        return mail_cost::run(args, rules, players);
    }
    let (bots, first, games) = match (&args.against, args.bots.as_slice()) {
        (Some(second), [first]) if players > 1 || args.every_setup => {
            known(rules, [first, second])?;
            let bots = Players::Against { first: first.clone(), second: second.clone() };
            (bots, first, args.games.saturating_mul(2))
        }
        (Some(_), [_]) => return Err(CliError::Usage("a game for one has nobody to play against".to_owned())),
        (Some(_), _) => {
            return Err(CliError::Usage("one bot is measured against another: name one in --bots".to_owned()));
        }
        (None, [first]) => {
            known(rules, [first])?;
            (Players::Alike(first.clone()), first, args.games)
        }
        (None, several) if !args.every_setup => {
            let bots = seated(rules, several, players)?;
            (Players::Seated(bots), &several[0], args.games)
        }
        (None, _) => {
            return Err(CliError::Usage("games of all sizes have one kind of bot: name one in --bots".to_owned()));
        }
    };
    let bar = match std::io::stderr().is_terminal() {
        true => ProgressBar::new(games),
        false => ProgressBar::hidden(),
    };
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} games {eta}");
    bar.set_style(style.map_err(|why| CliError::Broken(why.to_string()))?);
    let title = match args.every_setup {
        true => format!("{}, every game of the box", rules.title()),
        false => format!("{}, {scenario}, {}", rules.title(), shares::players(players)),
    };
    let mut setups = vec![setup];
    if args.every_setup {
        setups = every_setup(rules);
        // A bot cannot play against itself in a solitaire game.
        setups.retain(|setup| setup.seats > 1 || args.against.is_none());
    }
    let played = Match { rules, setups, bots, limit: LIMIT };
    if let Some(rollouts) = args.calibrate {
        let found = calibration::calibrate(&played, args.seed, games, rollouts, &bar);
        bar.finish_and_clear();
        let found = found?;
        return match args.json {
            true => Output::json(&found),
            false => Ok(text::render(&found.in_words(&title)).into()),
        };
    }
    let statistics = play_all(&played, args.seed, games, &bar);
    bar.finish_and_clear();
    let said = match args.json {
        true => Output::json(&statistics)?,
        false if args.row => statistics.row(scenario).into(),
        false => statistics.in_words(&title, first).into(),
    };
    // A game that does not end is a fault of the rules (EX_SOFTWARE).
    Ok(Output { status: if statistics.failed.is_empty() { 0 } else { 70 }, ..said })
}

/// Checks that these bots exist.
fn known<'n>(rules: &dyn Ruleset, names: impl IntoIterator<Item = &'n String>) -> Result<(), CliError> {
    match names.into_iter().find(|name| rules.bot(name).is_none()) {
        None => Ok(()),
        Some(name) => {
            let known: Vec<&str> =
                std::iter::once(RANDOM.name).chain(rules.bots().iter().map(|bot| bot.name)).collect();
            let known = list_and(&known);
            Err(CliError::Usage(format!("no bot \"{name}\" plays {}; available: {known}", rules.title())))
        }
    }
}

/// Returns the bot of each seat from a list with one name per seat.
fn seated(rules: &dyn Ruleset, names: &[String], players: u8) -> Result<Vec<String>, CliError> {
    known(rules, names)?;
    match names.len() == usize::from(players) {
        true => Ok(names.to_vec()),
        false => {
            Err(CliError::Usage(format!("{} bots for {players} players: name one a seat, or one for all", names.len())))
        }
    }
}
