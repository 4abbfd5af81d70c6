//! The clock and the source of randomness, passed in so that a whole game can be replayed.

use crate::{bug::Bug, error::OfficeError};
use chrono::{DateTime, Timelike, Utc};
use postrider_dice::{Hash, h};

/// The source of the time and of secret random bytes.
pub enum Environment {
    /// The system's clock and randomness.
    System,
    /// The system's randomness at a fixed time, which makes output comparable from day to day.
    Held(DateTime<Utc>),
    /// A clock that changes only when told to, and bytes derived from a seed. For demonstrations
    /// and tests only: anyone who knows the seed knows the dice.
    Fixed {
        /// The seed.
        seed: u64,
        /// The number of times random bytes were taken.
        taken: u64,
        /// The time.
        now: DateTime<Utc>,
        /// The time at which the machine was started, by its clock, in seconds since 1970.
        set: i64,
    },
}

impl Environment {
    /// Returns a simulated environment that starts at the given time.
    #[must_use]
    pub fn fixed(seed: u64, now: DateTime<Utc>) -> Environment {
        Environment::Fixed { seed, taken: 0, now, set: now.timestamp() }
    }

    /// Returns an environment with the same clock, for reading: it draws other randomness.
    #[must_use]
    pub fn clock(&self) -> Environment {
        match self {
            Environment::System => Environment::System,
            Environment::Held(now) | Environment::Fixed { now, .. } => Environment::Held(*now),
        }
    }

    /// Returns the time in whole seconds.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        let now = match self {
            Environment::System => Utc::now(),
            Environment::Held(now) | Environment::Fixed { now, .. } => *now,
        };
        now.with_nanosecond(0).unwrap_or(now)
    }

    /// Returns 32 secret bytes.
    ///
    /// # Errors
    /// [`Bug::NoRandomness`] if the system provides none.
    pub fn secret(&mut self) -> Result<Hash, OfficeError> {
        match self {
            Environment::System | Environment::Held(_) => {
                let mut bytes = [0; 32];
                getrandom::fill(&mut bytes).map_err(|why| Bug::NoRandomness { why })?;
                Ok(Hash(bytes))
            }
            Environment::Fixed { seed, taken, .. } => {
                *taken += 1;
                Ok(h("postrider/staged/v1", &[&seed.to_string(), &taken.to_string()]))
            }
        }
    }

    /// Returns the start of the machine and the seconds since then; `None` if the system does not
    /// report it.
    pub(crate) fn ran(&self) -> Option<(String, i64)> {
        match self {
            Environment::System => {
                let read = |path: &str| fs_err::read_to_string(path).ok();
                let up = read("/proc/uptime")?.split('.').next()?.parse().ok()?;
                Some((read("/proc/sys/kernel/random/boot_id")?.trim().to_owned(), up))
            }
            Environment::Held(_) => None,
            Environment::Fixed { now, set, .. } => Some(("staged".to_owned(), now.timestamp() - set)),
        }
    }

    /// Sets a simulated clock forward, or back, without time passing.
    pub fn set_clock(&mut self, seconds: i64) {
        if let Environment::Fixed { now, set, .. } = self {
            *now += chrono::Duration::seconds(seconds);
            *set += seconds;
        }
    }

    /// Advances a simulated clock.
    pub fn advance(&mut self, seconds: i64) {
        if let Environment::Fixed { now, .. } = self {
            *now += chrono::Duration::seconds(seconds);
        }
    }
}
