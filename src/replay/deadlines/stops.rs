//! Times at which the clock of a seat is stopped.

use crate::Zone;
use chrono::{DateTime, Datelike as _, Days, NaiveTime, Weekday};
use postrider_table::Seat;
use std::collections::BTreeMap;

/// A time during which a clock is stopped, in seconds since 1970: from the first second up to the
/// last, which is not part of it. An end of `i64::MAX` is not known yet.
type Stop = (i64, i64);

/// The number of seconds in a week.
const WEEK: i64 = 7 * 24 * 3_600;

/// A Wednesday at 12:00 UTC, in seconds since 1970. It is then a weekday everywhere.
const WEDNESDAY: i64 = -12 * 3_600;

/// The times at which the clock of each seat is stopped: pauses of the game, times in which a
/// letter to the seat did not leave, leave of the seat, and weekends.
#[derive(Clone, Debug, Default)]
pub(super) struct Stops {
    /// The pauses of the game (`None`), and the times in which a letter to a seat did not leave.
    pauses: BTreeMap<Option<Seat>, Vec<Stop>>,
    /// The leave of each seat, as granted so far.
    pub leaves: BTreeMap<Seat, Vec<Stop>>,
    /// If weekends are off, the time zones of each seat with the time since which each counts,
    /// oldest first. A seat without one is in UTC.
    weekends: Option<BTreeMap<Seat, Vec<(i64, Zone)>>>,
}

impl Stops {
    /// Creates the stops of a game before play, with weekends if they are off.
    pub fn with_weekends(off: bool) -> Stops {
        Stops { weekends: off.then(BTreeMap::new), ..Stops::default() }
    }

    /// Sets the time zone of a seat at a time. The first one counts from the beginning, a later one
    /// from the next Wednesday on, so that no week has a second weekend or a longer one.
    pub fn move_to(&mut self, seat: Seat, at: i64, zone: Zone) {
        let Some(zones) = self.weekends.as_mut().map(|zones| zones.entry(seat).or_default()) else { return };
        let wednesday = at + (WEDNESDAY - at).rem_euclid(WEEK);
        let from = zones.first().map_or(i64::MIN, |_| wednesday);
        zones.retain(|(since, _)| *since < from);
        zones.push((from, zone));
    }

    /// Returns the time zone that a seat moved to last.
    pub fn zone(&self, seat: Seat) -> Option<&Zone> {
        self.weekends.as_ref()?.get(&seat)?.last().map(|(_, zone)| zone)
    }

    /// Returns the first weekend of a seat that ends after a time.
    fn weekend(&self, seat: Seat, at: i64) -> Option<Stop> {
        let zones = self.weekends.as_ref()?.get(&seat).map(Vec::as_slice).unwrap_or_default();
        let until = zones.iter().skip(1).map(|(since, _)| *since).chain([i64::MAX]);
        let in_zone = |((since, zone), until): (&(i64, Zone), i64)| {
            weekend(zone, at.max(*since)).filter(|(_, end)| *end <= until)
        };
        match zones {
            [] => weekend(&Zone::or_utc("UTC"), at),
            zones => zones.iter().zip(until).find_map(in_zone),
        }
    }

    /// Returns the time since which the clock of a seat, or of the game, is paused, if it is.
    pub fn paused(&self, whose: Option<Seat>) -> Option<i64> {
        let last = self.pauses.get(&whose)?.last()?;
        (last.1 == i64::MAX).then_some(last.0)
    }

    /// Begins a pause for a seat, or for all, unless there is one.
    pub fn pause(&mut self, whose: Option<Seat>, at: i64) {
        if self.paused(whose).is_none() {
            self.pauses.entry(whose).or_default().push((at, i64::MAX));
        }
    }

    /// Ends the pause of a seat, or of all. If the wall clock was set back meanwhile, it has taken
    /// no time.
    pub fn resume(&mut self, whose: Option<Seat>, at: i64) {
        if let (Some(from), Some(pauses)) = (self.paused(whose), self.pauses.get_mut(&whose))
            && let Some(last) = pauses.last_mut()
        {
            last.1 = at.max(from);
        }
    }

    /// Returns the first stop of a seat that ends after a time.
    fn next(&self, seat: Seat, at: i64) -> Option<Stop> {
        let leave = self.leaves.get(&seat).map(Vec::as_slice).unwrap_or_default();
        let pauses = [None, Some(seat)].into_iter().filter_map(|whose| self.pauses.get(&whose)).flatten();
        let listed = pauses.chain(leave).filter(|(_, end)| *end > at).min();
        listed.copied().into_iter().chain(self.weekend(seat, at)).min()
    }

    /// Returns for how many seconds the clock of a seat runs between two times.
    pub fn running(&self, seat: Seat, from: i64, to: i64) -> i64 {
        let (mut at, mut ran) = (from, 0);
        while at < to {
            let (begin, end) = self.next(seat, at).unwrap_or((i64::MAX, i64::MAX));
            ran += (begin.min(to) - at).max(0);
            at = end;
        }
        ran
    }

    /// Returns the time at which the clock of a seat has run for `seconds` since a time; `None` if
    /// it is stopped before, and nobody knows for how long.
    pub fn finish(&self, seat: Seat, from: i64, seconds: i64) -> Option<i64> {
        let (mut at, mut left) = (from, seconds.max(0));
        loop {
            let Some((begin, end)) = self.next(seat, at) else { return at.checked_add(left) };
            let run = (begin - at).max(0);
            if left <= run {
                return at.checked_add(left);
            }
            if end == i64::MAX {
                return None;
            }
            (left, at) = (left - run, end);
        }
    }
}

/// Returns the first weekend of a zone that ends after a time, from the beginning of Saturday to
/// the beginning of Monday.
fn weekend(zone: &Zone, at: i64) -> Option<Stop> {
    let today = zone.local(DateTime::from_timestamp(at, 0)?).date();
    let ahead = 5 - i64::from(today.weekday().num_days_from_monday());
    let saturday = match today.weekday() {
        Weekday::Sun => today.checked_sub_days(Days::new(1))?,
        _ => today.checked_add_days(Days::new(ahead.unsigned_abs()))?,
    };
    let begins = |day: chrono::NaiveDate| zone.at(day.and_time(NaiveTime::MIN)).timestamp();
    Some((begins(saturday), begins(saturday.checked_add_days(Days::new(2))?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600;
    const DAY: i64 = 24 * HOUR;

    fn at(text: &str) -> i64 {
        DateTime::parse_from_rfc3339(text).unwrap().timestamp()
    }

    #[test]
    fn a_clock_stands_still_at_weekends_of_its_zone() {
        let mut stops = Stops::with_weekends(true);
        stops.move_to(Seat(0), at("2026-11-20T00:00:00Z"), Zone::named("America/Denver").unwrap());
        // Friday, 20 November 2026, 18:00 in Denver.
        let friday = at("2026-11-21T01:00:00Z");
        assert_eq!(stops.finish(Seat(0), friday, 6 * HOUR), Some(at("2026-11-21T07:00:00Z")));
        assert_eq!(stops.finish(Seat(0), friday, 7 * HOUR), Some(at("2026-11-23T08:00:00Z")));
        assert_eq!(stops.running(Seat(0), friday, at("2026-11-22T12:00:00Z")), 6 * HOUR);
        assert_eq!(stops.running(Seat(0), at("2026-11-22T12:00:00Z"), at("2026-11-23T08:00:00Z")), HOUR);
        // The night in which clocks are set forward has an hour less: 8 March 2026.
        assert_eq!(stops.running(Seat(0), at("2026-03-06T07:00:00Z"), at("2026-03-09T06:00:00Z")), DAY);
    }

    #[test]
    fn who_moves_has_one_weekend_a_week() {
        let zone = |name| Zone::named(name).unwrap();
        let mut stops = Stops::with_weekends(true);
        let week = |stops: &Stops, seat| stops.running(seat, at("2026-11-18T12:00:00Z"), at("2026-11-25T12:00:00Z"));
        // The weekend begins on Friday at 11:00 UTC in Auckland, and ends on Monday at 10:00 UTC in
        // Honolulu.
        stops.move_to(Seat(0), 0, zone("Pacific/Auckland"));
        for (moved, to) in [("2026-11-20T18:00:00Z", "America/Denver"), ("2026-11-22T12:00:00Z", "Pacific/Honolulu")] {
            stops.move_to(Seat(0), at(moved), zone(to));
            assert_eq!(week(&stops, Seat(0)), 5 * DAY);
            assert_eq!(stops.finish(Seat(0), at("2026-11-20T10:00:00Z"), 2 * HOUR), Some(at("2026-11-22T12:00:00Z")));
        }
        assert_eq!(stops.finish(Seat(0), at("2026-11-28T08:00:00Z"), 3 * HOUR), Some(at("2026-11-30T11:00:00Z")));
        // Another seat has its own, by default those of UTC.
        assert_eq!(stops.finish(Seat(1), at("2026-11-27T23:00:00Z"), 2 * HOUR), Some(at("2026-11-30T01:00:00Z")));
        assert_eq!(week(&Stops::with_weekends(false), Seat(1)), 7 * DAY);
    }

    #[test]
    fn pauses_stop_all_clocks_and_leave_stops_one() {
        let mut stops = Stops::default();
        stops.leaves.insert(Seat(1), vec![(100, 200)]);
        stops.pause(None, 150);
        assert_eq!((stops.running(Seat(0), 0, 500), stops.running(Seat(1), 0, 500)), (150, 100));
        assert_eq!((stops.finish(Seat(0), 0, 150), stops.finish(Seat(0), 0, 151)), (Some(150), None));
        stops.resume(None, 300);
        assert_eq!((stops.running(Seat(0), 0, 500), stops.running(Seat(1), 0, 500)), (350, 300));
        assert_eq!((stops.finish(Seat(0), 0, 151), stops.finish(Seat(1), 0, 101)), (Some(301), Some(301)));
        // A clock that was set back does not shorten the past.
        stops.pause(None, 400);
        stops.resume(None, 350);
        assert_eq!(stops.running(Seat(0), 0, 500), 350);
        // The other seat is not told of it yet.
        stops.pause(Some(Seat(1)), 500);
        assert_eq!((stops.running(Seat(0), 0, 600), stops.running(Seat(1), 0, 600)), (450, 300));
        stops.resume(Some(Seat(1)), 600);
        assert_eq!((stops.finish(Seat(0), 500, 10), stops.finish(Seat(1), 500, 10)), (Some(510), Some(610)));
    }
}
