//! `postrider simulate --calibrate`: checks whether the probabilities that `adjudicate` gives come
//! true.

use super::Match;
use crate::CliError;
use indicatif::ProgressBar;
use postrider_analysis::calibration::{Calibration, Forecasts, Trial};
use std::{
    panic,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

/// Plays and adjudicates games on all cores. The result does not depend on the number of cores.
pub fn calibrate(
    played: &Match,
    seed: u64,
    games: u64,
    rollouts: u64,
    bar: &ProgressBar,
) -> Result<Calibration, CliError> {
    let next = AtomicU64::new(0);
    let work = || {
        let mut mine = Vec::new();
        loop {
            let game = next.fetch_add(1, Ordering::Relaxed);
            if game >= games {
                return mine;
            }
            let setup = &played.setups[(game % played.setups.len().max(1) as u64) as usize];
            let bots = played.bots.at_the_table(game, setup.seats);
            let seed = seed.wrapping_add(game);
            let trial = Trial { rules: played.rules, setup, bots: &bots, seed, rollouts, limit: played.limit };
            mine.push((game, trial.forecasts().map_err(|why| CliError::Broken(format!("seed {seed}: {why}")))));
            bar.inc(1);
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let mut all: Vec<(u64, Result<Forecasts, CliError>)> = thread::scope(|scope| {
        let hands: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        // Sessions catch panics of the rules, so this one is a fault of this program.
        hands.into_iter().flat_map(|hand| hand.join().unwrap_or_else(|why| panic::resume_unwind(why))).collect()
    });
    all.sort_by_key(|(game, _)| *game);
    let all: Vec<Forecasts> = all.into_iter().map(|(_, found)| found).collect::<Result<_, _>>()?;
    Ok(Calibration::of(&all, rollouts))
}
