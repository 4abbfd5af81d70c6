//! `postrider simulate`: many games by random players, without mail, and what came out of them.

use super::{CliError, Said};
use crate::{
    dice::{DiceStream, h},
    games::{ruleset, rulesets},
    table::{Asked, Event, Hosted, Ruleset, SeededChance, Setup, Watch},
};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use serde_json::Value;
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
    /// How many players; as few as can play without it
    #[arg(long)]
    players: Option<u8>,
    /// The same seed gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Which game; the first of `postrider games` without it
    #[arg(long, value_name = "NAME")]
    ruleset: Option<String>,
    /// Which of its scenarios; the default one without it
    #[arg(long)]
    scenario: Option<String>,
    /// Give a game up after so many decisions
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    limit: u64,
    /// Print the statistics as JSON
    #[arg(long)]
    json: bool,
}

/// One number over many games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Spread {
    /// In how many games it occurred.
    games: u64,
    /// The smallest value.
    min: f64,
    /// The greatest value.
    max: f64,
    /// The mean value.
    mean: f64,
    #[serde(skip)]
    sum: f64,
}

/// What came out of many games.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Statistics {
    /// Games that came to their end.
    pub finished: u64,
    /// Games that did not: their seed and why. Lowest seed first.
    pub failed: BTreeMap<u64, String>,
    /// Numbers by name: Rounds, decisions, and every number in the outcome.
    pub numbers: BTreeMap<String, Spread>,
    /// Words in the outcome, such as winners, and how often each stood there.
    pub words: BTreeMap<String, BTreeMap<String, u64>>,
}

impl Statistics {
    fn number(&mut self, name: &str, value: f64) {
        let new = Spread { games: 0, min: value, max: value, mean: value, sum: 0.0 };
        let spread = self.numbers.entry(name.to_owned()).or_insert(new);
        spread.games += 1;
        spread.sum += value;
        (spread.min, spread.max) = (spread.min.min(value), spread.max.max(value));
        spread.mean = spread.sum / spread.games as f64;
    }
    /// Takes an outcome apart. Items of a list go by the seat, side or name that they carry, since their order may be a
    /// ranking.
    fn outcome(&mut self, name: &str, value: &Value) {
        let below = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name} {key}") };
        match value {
            Value::Number(number) => self.number(name, number.as_f64().unwrap_or_default()),
            Value::Bool(yes) => self.number(name, f64::from(u8::from(*yes))),
            Value::String(word) => {
                *self.words.entry(name.to_owned()).or_default().entry(word.clone()).or_default() += 1;
            }
            Value::Object(members) => members.iter().for_each(|(key, value)| self.outcome(&below(key), value)),
            Value::Array(items) => {
                self.number(&below("count"), items.len() as f64);
                for (rank, item) in (1..).zip(items) {
                    // What a seat got is also what its side got.
                    if let (Some(_), Some(side), Some(members)) = (item.get("seat"), side_of(item), item.as_object()) {
                        for (key, number) in members.iter().filter_map(|(key, value)| Some((key, value.as_f64()?))) {
                            self.number(&below(&format!("{side} {key}")), number);
                        }
                    }
                    let key = ["seat", "side", "name"].iter().find_map(|key| item.get(key)?.as_str());
                    match key {
                        Some(key) => {
                            self.number(&below(&format!("{key} rank")), f64::from(rank));
                            self.outcome(&below(key), item);
                        }
                        None if item.is_object() || item.is_array() => self.outcome(&below(&rank.to_string()), item),
                        None => self.outcome(&below("item"), item),
                    }
                }
            }
            Value::Null => {}
        }
    }
    fn merge(&mut self, other: Statistics) {
        self.finished += other.finished;
        self.failed.extend(other.failed);
        for (name, theirs) in other.numbers {
            match self.numbers.get_mut(&name) {
                None => _ = self.numbers.insert(name, theirs),
                Some(ours) => {
                    ours.games += theirs.games;
                    ours.sum += theirs.sum;
                    (ours.min, ours.max) = (ours.min.min(theirs.min), ours.max.max(theirs.max));
                    ours.mean = ours.sum / ours.games as f64;
                }
            }
        }
        for (name, words) in other.words {
            let ours = self.words.entry(name).or_default();
            for (word, count) in words {
                *ours.entry(word).or_default() += count;
            }
        }
    }
}

fn side_of(item: &Value) -> Option<&str> {
    item.get("side")?.as_str()
}

/// Runs the command.
pub fn run(args: &Simulate) -> Result<Said, CliError> {
    let found = match &args.ruleset {
        Some(name) => ruleset(name),
        None => rulesets().first().copied(),
    };
    let rules = found.ok_or_else(|| {
        CliError::Usage(format!("there is no game called \"{}\"", args.ruleset.as_deref().unwrap_or_default()))
    })?;
    let (seats, players) = (rules.seats(), args.players.unwrap_or(*rules.seats().start()));
    if !seats.contains(&players) {
        let (few, many) = (seats.start(), seats.end());
        return Err(CliError::Usage(format!("{} is for {few} to {many} players, not {players}", rules.title())));
    }
    let scenario = args.scenario.as_deref().or_else(|| rules.scenarios().first().copied()).unwrap_or_default();
    let setup = Setup {
        seats: players,
        version: rules.version(),
        scenario: scenario.to_owned(),
        options: BTreeMap::new(),
        components: rules.components().into(),
    };
    let bar = match std::io::stderr().is_terminal() {
        true => ProgressBar::new(args.games),
        false => ProgressBar::hidden(),
    };
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} games {eta}");
    bar.set_style(style.map_err(|why| CliError::Broken(why.to_string()))?);
    let statistics = play_all(rules, &setup, args.seed, args.games, args.limit, &bar);
    bar.finish_and_clear();
    let said = match args.json {
        true => Said::json(&statistics)?,
        false => in_words(rules, players, &statistics).into(),
    };
    // A game that does not come to its end is a fault of the rules (EX_SOFTWARE).
    Ok(Said { status: if statistics.failed.is_empty() { 0 } else { 70 }, ..said })
}

/// Plays games with seeds from `seed` on, on all cores. The statistics do not depend on how many there are: every number
/// that is summed is whole.
pub(super) fn play_all(
    rules: &'static dyn Ruleset,
    setup: &Setup,
    seed: u64,
    games: u64,
    limit: u64,
    bar: &ProgressBar,
) -> Statistics {
    let next = AtomicU64::new(0);
    let work = || {
        let mut mine = Statistics::default();
        loop {
            let game = next.fetch_add(1, Ordering::Relaxed);
            if game >= games {
                return mine;
            }
            let seed = seed.wrapping_add(game);
            match play(rules, setup, seed, limit) {
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
fn play(rules: &dyn Ruleset, setup: &Setup, seed: u64, limit: u64) -> Result<Statistics, String> {
    let watch = Watch { tell: false, events: true, digests: false };
    let chance = Box::new(SeededChance::new(seed));
    let mut hosted = rules.open(setup, chance, watch).map_err(|why| why.to_string())?;
    let mut bots = DiceStream::new(h("postrider/bots/v1", &[&seed.to_string()]));
    let (mut rounds, mut dice, mut shuffles) = (0_u32, 0_u32, 0_u32);
    let mut asked_of: BTreeMap<&'static str, u32> = BTreeMap::new();
    let outcome = loop {
        for event in hosted.take_events() {
            match event {
                Event::Round { round: 1.., .. } => rounds += 1,
                Event::Rolled { .. } => dice += 1,
                Event::Shuffled { .. } => shuffles += 1,
                _ => {}
            }
        }
        if let Some(outcome) = hosted.outcome() {
            break outcome;
        }
        if let Some(fault) = hosted.fault() {
            return Err(fault.to_string());
        }
        if u64::from(hosted.decisions()) >= limit {
            return Err(format!("not over after {limit} decisions"));
        }
        let asked = decide(&mut *hosted, &mut bots)?;
        *asked_of.entry(asked.kind).or_default() += 1;
    };
    let mut one = Statistics { finished: 1, ..Statistics::default() };
    one.number("Rounds", f64::from(rounds));
    one.number("decisions", f64::from(hosted.decisions()));
    one.number("dice", f64::from(dice));
    one.number("shuffles", f64::from(shuffles));
    for (kind, count) in asked_of {
        one.number(&format!("asked: {kind}"), f64::from(count));
    }
    one.outcome("", &outcome);
    Ok(one)
}

/// One random answer. Questions that nothing waits for are answered now and then, so that no game drowns in offers.
fn decide(hosted: &mut dyn Hosted, bots: &mut DiceStream) -> Result<Asked, String> {
    let open = hosted.asked().map_err(|why| why.to_string())?;
    let (required, optional): (Vec<Asked>, Vec<Asked>) = open.into_iter().partition(|asked| asked.required);
    let (mut first, second) = match bots.below(8) {
        0 => (optional, required),
        _ => (required, optional),
    };
    if first.len() > 1 {
        let at = bots.below(u32::try_from(first.len()).unwrap_or(1)) as usize;
        first.swap(0, at);
    }
    for asked in first.into_iter().chain(second) {
        let Some(order) = hosted.sample(asked.id, &mut |n| bots.below(n)) else { continue };
        let kind = asked.kind;
        hosted.submit(asked.seat, asked.id, &order).map_err(|why| format!("{kind}: {order} was refused: {why}"))?;
        return Ok(asked);
    }
    Err("nobody can decide anything, and the game is not over".to_owned())
}

fn in_words(rules: &dyn Ruleset, players: u8, all: &Statistics) -> String {
    let mut text = format!("{}, {players} players: {} games finished\n", rules.title(), all.finished);
    let width = all.numbers.keys().map(|name| name.chars().count()).max().unwrap_or(0);
    if !all.numbers.is_empty() {
        text += &format!("\n{:width$} {:>10} {:>10} {:>10} {:>8}\n", "", "mean", "least", "most", "games");
    }
    for (name, s) in &all.numbers {
        text += &format!("{name:width$} {:>10.2} {:>10} {:>10} {:>8}\n", s.mean, s.min, s.max, s.games);
    }
    for (name, words) in &all.words {
        let counts: Vec<String> = words.iter().map(|(word, count)| format!("{word} {count}")).collect();
        // A word that is another one in every game says nothing as a list.
        if words.len() <= 12 {
            text += &format!("\n{name}: {}\n", counts.join(", "));
        }
    }
    for (seed, why) in all.failed.iter().take(10) {
        text += &format!("\nseed {seed} failed: {why}\n");
    }
    if all.failed.len() > 10 {
        text += &format!("\n… and {} games more failed\n", all.failed.len() - 10);
    }
    text
}
