//! `postrider simulate`: many games by bots, without mail, and what came out of them.

mod letters;
mod statistics;

pub(super) use self::statistics::Statistics;
use super::{CliError, Output, new::option};
use crate::{
    dice::{DiceStream, h},
    games::{ruleset, rulesets},
    orders::list_or,
    table::{BotDecision, Bots, Event, RANDOM, Ruleset, SeededChance, Setup, Watch},
};
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    collections::BTreeMap,
    io::IsTerminal,
    panic,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

/// The arguments of `simulate`.
#[derive(clap::Args, Debug)]
pub struct Simulate {
    /// How many games
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// How many players; without it as many as there are bots, or as few as can play
    #[arg(long)]
    players: Option<u8>,
    /// Who plays, a name a seat, or one for all; seats change from game to game. `random` plays every game
    #[arg(long, value_name = "BOT,…", value_delimiter = ',', default_value = RANDOM.name)]
    bots: Vec<String>,
    /// The same seed gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Which game; the first of `postrider games` without it
    #[arg(long, value_name = "NAME")]
    ruleset: Option<String>,
    /// Which of its scenarios; the default one without it
    #[arg(long)]
    scenario: Option<String>,
    /// The version of the rules; that of new games without it
    #[arg(long, value_name = "NUMBER")]
    rules_version: Option<u32>,
    /// An optional rule or the like, KEY=VALUE
    #[arg(long = "option", value_name = "KEY=VALUE")]
    options: Vec<String>,
    /// Give a game up after so many decisions
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    limit: u64,
    /// Play by mail, the first bot at every seat, and print how long the letters are
    #[arg(long)]
    letters: bool,
    /// Print the statistics as JSON
    #[arg(long)]
    json: bool,
}

/// What is played, and by whom.
pub(super) struct Match {
    pub rules: &'static dyn Ruleset,
    pub setup: Setup,
    /// The bot of each seat in the first game; in each further one they sit a seat further on.
    pub bots: Vec<String>,
    /// A game that takes more decisions than this has failed.
    pub limit: u64,
}

/// Runs the command.
pub fn run(args: &Simulate) -> Result<Output, CliError> {
    let found = match &args.ruleset {
        Some(name) => ruleset(name),
        None => rulesets().first().copied(),
    };
    let rules = found.ok_or_else(|| {
        CliError::Usage(format!("there is no game called \"{}\"", args.ruleset.as_deref().unwrap_or_default()))
    })?;
    let several = u8::try_from(args.bots.len()).ok().filter(|&bots| bots > 1);
    let (seats, players) = (rules.seats(), args.players.or(several).unwrap_or(*rules.seats().start()));
    if !seats.contains(&players) {
        let (few, many) = (seats.start(), seats.end());
        return Err(CliError::Usage(format!("{} is for {few} to {many} players, not {players}", rules.title())));
    }
    let scenario = args.scenario.as_deref().or_else(|| rules.scenarios().first().copied()).unwrap_or_default();
    let setup = Setup {
        seats: players,
        version: args.rules_version.unwrap_or_else(|| rules.version()),
        scenario: scenario.to_owned(),
        options: args.options.iter().map(|text| option(text)).collect::<Result<_, _>>()?,
        components: rules.components().into(),
    };
    // What the ruleset refuses it refuses in every game.
    let chance = Box::new(SeededChance::new(args.seed));
    rules.open(&setup, chance, Watch::NONE).map_err(|why| CliError::Usage(why.to_string()))?;
    if args.letters {
        return letters::run(args, rules, players);
    }
    let bar = match std::io::stderr().is_terminal() {
        true => ProgressBar::new(args.games),
        false => ProgressBar::hidden(),
    };
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} games {eta}");
    bar.set_style(style.map_err(|why| CliError::Broken(why.to_string()))?);
    let bots = seated(rules, &args.bots, players)?;
    let first = bots[0].clone();
    let played = Match { rules, setup, bots, limit: args.limit };
    let statistics = play_all(&played, args.seed, args.games, &bar);
    bar.finish_and_clear();
    let said = match args.json {
        true => Output::json(&statistics)?,
        false => {
            let title =
                format!("{}, {scenario}, {players} {}", rules.title(), if players == 1 { "player" } else { "players" });
            statistics.in_words(&title, &first).into()
        }
    };
    // A game that does not come to its end is a fault of the rules (EX_SOFTWARE).
    Ok(Output { status: if statistics.failed.is_empty() { 0 } else { 70 }, ..said })
}

/// The bot of each seat.
fn seated(rules: &dyn Ruleset, names: &[String], players: u8) -> Result<Vec<String>, CliError> {
    if let Some(name) = names.iter().find(|name| rules.bot(name).is_none()) {
        let known: Vec<&str> = std::iter::once(RANDOM.name).chain(rules.bots().iter().map(|bot| bot.name)).collect();
        let known = list_or(&known);
        return Err(CliError::Usage(format!("no bot \"{name}\" plays {}; there is {known}", rules.title())));
    }
    match names {
        [one] => Ok(vec![one.clone(); usize::from(players)]),
        _ if names.len() == usize::from(players) => Ok(names.to_vec()),
        _ => {
            Err(CliError::Usage(format!("{} bots for {players} players: name one a seat, or one for all", names.len())))
        }
    }
}

/// Plays games with seeds from `seed` on, on all cores. The statistics do not depend on how many there are.
pub(super) fn play_all(played: &Match, seed: u64, games: u64, bar: &ProgressBar) -> Statistics {
    let next = AtomicU64::new(0);
    let work = || {
        let mut mine = Statistics::default();
        loop {
            let game = next.fetch_add(1, Ordering::Relaxed);
            if game >= games {
                return mine;
            }
            let seed = seed.wrapping_add(game);
            match play(played, game, seed) {
                Ok(one) => mine.merge(one),
                Err(why) => _ = mine.failed.insert(seed, why),
            }
            bar.inc(1);
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let hands: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let mut all = Statistics::default();
        for hand in hands {
            match hand.join() {
                Ok(mine) => all.merge(mine),
                // The rules' own panics are caught by their session; this one is ours.
                Err(why) => panic::resume_unwind(why),
            }
        }
        all
    })
}

/// Plays one game to its end.
fn play(played: &Match, game: u64, seed: u64) -> Result<Statistics, String> {
    let Match { rules, setup, limit, .. } = played;
    let watch = Watch { tell: false, events: true, digests: false };
    let chance = Box::new(SeededChance::new(seed));
    let mut dyn_game = rules.open(setup, chance, watch).map_err(|why| why.to_string())?;
    let mut names = played.bots.clone();
    let count = names.len().max(1) as u64;
    names.rotate_left((game % count) as usize);
    let mut bots = Bots::new(names.iter().map(|name| rules.bot(name)).collect());
    let mut stream = DiceStream::new(h("postrider/bots/v1", &[&seed.to_string()]));
    let (mut rounds, mut dice, mut shuffles) = (0_u32, 0_u32, 0_u32);
    let mut asked_of: BTreeMap<&'static str, u32> = BTreeMap::new();
    let outcome = loop {
        for event in dyn_game.take_events() {
            match event {
                Event::Round { round: 1.., .. } => rounds += 1,
                Event::Rolled { .. } => dice += 1,
                Event::Shuffled { .. } => shuffles += 1,
                _ => {}
            }
        }
        if let Some(outcome) = dyn_game.outcome() {
            break outcome;
        }
        if let Some(fault) = dyn_game.fault() {
            return Err(fault.to_string());
        }
        if u64::from(dyn_game.decisions()) >= *limit {
            let most = asked_of.iter().max_by_key(|(_, count)| **count).map_or("", |(kind, _)| kind);
            return Err(format!("not over after {limit} decisions, most of them about \"{most}\""));
        }
        let decided = bots.decide(&mut *dyn_game, &mut |n| stream.below(n)).map_err(|why| why.to_string())?;
        let Some(BotDecision { asked, order }) = decided else {
            return Err("nobody can decide anything, and the game is not over".to_owned());
        };
        dyn_game
            .decide(asked.seat, asked.id, &order)
            .map_err(|why| format!("{}: {order} was refused: {why}", asked.kind))?;
        *asked_of.entry(asked.kind).or_default() += 1;
    };
    let mut one = Statistics { finished: 1, ..Statistics::default() };
    one.number("Rounds", f64::from(rounds));
    one.number("decisions", f64::from(dyn_game.decisions()));
    one.number("dice", f64::from(dice));
    one.number("shuffles", f64::from(shuffles));
    for (kind, count) in asked_of {
        one.number(&format!("asked: {kind}"), f64::from(count));
    }
    one.outcome("", &outcome);
    one.ranking(&outcome, &names, &played.bots[0]);
    if let Some(figures) = dyn_game.figures() {
        one.figures(&figures, rules.balance());
    }
    Ok(one)
}
