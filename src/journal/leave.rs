//! Leave: times in which the clock of a seat is stopped, from what the game grants to each seat.

use crate::{
    body::{Leave, Opened},
    spelling::unix,
};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The leave that seats have taken or announced.
///
/// A later entry of a seat replaces what is left of the earlier ones, so an entry that ends where
/// it begins says that the player is back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leaves {
    seats: Vec<String>,
    /// The leave of each seat in the whole game, in seconds.
    granted: i64,
    /// By seat: from when to when, in seconds since 1970, oldest first.
    taken: BTreeMap<String, Vec<(i64, i64)>>,
}

/// The member of `opened.clock` that grants leave.
#[derive(Default, Deserialize)]
struct Terms {
    #[serde(default)]
    leave: i64,
}

/// The reason a `leave` entry contradicts those before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what each means")]
pub enum LeaveFault {
    #[error("there is no seat {0:?}")]
    NoSeat(String),
    #[error("leave begins before the entry that takes it")]
    Backdated,
    #[error("leave ends before it begins")]
    Backwards,
    #[error("seat {seat} has {left} s of leave left, not {wanted} s")]
    TooMuch { seat: String, left: i64, wanted: i64 },
}

impl Leaves {
    /// Creates the state before the first entry after `opened`.
    #[must_use]
    pub fn of(opened: &Opened<'_>) -> Leaves {
        let terms: Terms = serde_json::from_str(opened.clock.get()).unwrap_or_default();
        let seats = opened.seats.iter().map(ToString::to_string).collect();
        Leaves { seats, granted: terms.leave.max(0), taken: BTreeMap::new() }
    }

    /// Records an entry of this time.
    ///
    /// # Errors
    /// [`LeaveFault`] when the entry cannot follow; the state is then as it was.
    pub fn hear(&mut self, at: &str, leave: &Leave<'_>) -> Result<(), LeaveFault> {
        let (Some(at), Some(from), Some(until)) = (unix(at), unix(&leave.from), unix(&leave.until)) else {
            return Err(LeaveFault::Backwards);
        };
        let seat = leave.seat.to_string();
        if !self.seats.contains(&seat) {
            return Err(LeaveFault::NoSeat(seat));
        }
        if from < at {
            return Err(LeaveFault::Backdated);
        }
        let wanted = until.checked_sub(from).filter(|wanted| *wanted >= 0).ok_or(LeaveFault::Backwards)?;
        let mut taken = self.before(&seat, at);
        let left = self.granted - sum(&taken);
        if wanted > left {
            return Err(LeaveFault::TooMuch { seat, left, wanted });
        }
        taken.extend(Some((from, until)).filter(|_| wanted > 0));
        self.taken.insert(seat, taken);
        Ok(())
    }

    /// Returns the leave that a seat has taken up to a time.
    fn before(&self, seat: &str, at: i64) -> Vec<(i64, i64)> {
        let cut = |(from, until): &(i64, i64)| (*from, (*until).min(at));
        self.of_seat(seat).iter().map(cut).filter(|(from, until)| from < until).collect()
    }

    /// Returns the leave that a seat has taken or announced: from when to when, in seconds since
    /// 1970, oldest first.
    #[must_use]
    pub fn of_seat(&self, seat: &str) -> &[(i64, i64)] {
        self.taken.get(seat).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the seconds of leave that remain to a seat if it gives up its leave after time `at`.
    #[must_use]
    pub fn left(&self, seat: &str, at: i64) -> i64 {
        self.granted - sum(&self.before(seat, at))
    }
}

fn sum(taken: &[(i64, i64)]) -> i64 {
    taken.iter().map(|(from, until)| until - from).sum()
}
