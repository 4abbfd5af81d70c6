//! The clock and the randomness of the house, passed in so that a whole game can be played again.

use crate::{bug::Bug, error::OfficeError};
use chrono::{DateTime, SecondsFormat, Timelike, Utc};
use postrider_dice::{Hash, h};

/// Where the office has the time and secret random bytes from.
pub enum Environment {
    /// The system's clock and randomness.
    System,
    /// The system's randomness at a time that does not pass: what is printed can be compared from day to day.
    Held(DateTime<Utc>),
    /// A clock that stands still until it is moved, and bytes that follow from a seed: for demonstrations and tests,
    /// since whoever knows the seed knows the dice.
    Fixed {
        /// The seed.
        seed: u64,
        /// How many times random bytes were taken.
        taken: u64,
        /// The time.
        now: DateTime<Utc>,
    },
}

impl Environment {
    /// A staged world that begins at a time.
    #[must_use]
    pub fn fixed(seed: u64, now: DateTime<Utc>) -> Environment {
        Environment::Fixed { seed, taken: 0, now }
    }

    /// The time, in whole seconds.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        let now = match self {
            Environment::System => Utc::now(),
            Environment::Held(now) | Environment::Fixed { now, .. } => *now,
        };
        now.with_nanosecond(0).unwrap_or(now)
    }

    /// The time as journals write it.
    #[must_use]
    pub fn at(&self) -> String {
        self.now().to_rfc3339_opts(SecondsFormat::Secs, true)
    }

    /// 32 secret bytes.
    ///
    /// # Errors
    /// [`Bug::NoRandomness`] when the system has none to give.
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

    /// Moves a staged clock on.
    pub fn advance(&mut self, seconds: i64) {
        if let Environment::Fixed { now, .. } = self {
            *now += chrono::Duration::seconds(seconds);
        }
    }
}
