//! Days and hours in a reader's time zone.

use chrono::{DateTime, Days, NaiveDate, NaiveDateTime, NaiveTime, Timelike as _, Utc};
use postrider_replay::Zone;

/// Returns the current day in a zone.
pub(crate) fn local_day(zone: &str, now: DateTime<Utc>) -> NaiveDate {
    Zone::or_utc(zone).local(now).date()
}

/// Returns the current hour in a zone, 0 to 23.
pub(crate) fn local_hour(zone: &str, now: DateTime<Utc>) -> u32 {
    Zone::or_utc(zone).local(now).hour()
}

/// Returns the beginning of a day in a zone, in seconds since 1970. It is after midnight if the
/// clocks are set forward at midnight.
pub(crate) fn begins(zone: &str, day: NaiveDate) -> i64 {
    at_hour(zone, day, 0)
}

/// Returns the first time on a day at which a zone's clocks show this hour, in seconds since 1970.
/// If the clocks skip the hour, it is as much later.
fn at_hour(zone: &str, day: NaiveDate, hour: u32) -> i64 {
    let time = NaiveTime::from_hms_opt(hour, 0, 0).unwrap_or(NaiveTime::MIN);
    at_local(zone, day.and_time(time)).timestamp()
}

/// Returns the first time at which a zone's clocks show this. If the clocks skip it, it is as much
/// later.
pub(crate) fn at_local(zone: &str, at: NaiveDateTime) -> DateTime<Utc> {
    Zone::or_utc(zone).at(at)
}

/// Returns the next time after a given one at which a zone's clocks show this hour; both in seconds
/// since 1970.
pub(crate) fn next_at_hour(zone: &str, after: i64, hour: u32) -> i64 {
    let today = local_day(zone, DateTime::from_timestamp(after, 0).unwrap_or_default());
    let days = (0..3).filter_map(|days| today.checked_add_days(Days::new(days)));
    { days }.map(|day| at_hour(zone, day, hour)).find(|at| *at > after).unwrap_or(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> i64 {
        DateTime::parse_from_rfc3339(text).unwrap().timestamp()
    }

    #[test]
    fn an_hour_comes_again_every_day_and_where_clocks_are_set_forward_the_next_one() {
        let denver = "America/Denver";
        assert_eq!(next_at_hour(denver, at("2026-11-20T13:59:00Z"), 7), at("2026-11-20T14:00:00Z"));
        assert_eq!(next_at_hour(denver, at("2026-11-20T14:00:00Z"), 7), at("2026-11-21T14:00:00Z"));
        // In Denver there is no 02:00 on 8 March 2026.
        assert_eq!(next_at_hour(denver, at("2026-03-08T08:30:00Z"), 2), at("2026-03-08T09:00:00Z"));
        let there = |text: &str| at_local(denver, text.parse().unwrap()).timestamp();
        assert_eq!(there("2026-12-01T23:59:00"), at("2026-12-02T06:59:00Z"));
        assert_eq!(there("2026-03-08T02:30:00"), at("2026-03-08T09:30:00Z"));
        assert_eq!(local_hour(denver, DateTime::from_timestamp(at("2026-11-20T13:59:00Z"), 0).unwrap()), 6);
        assert_eq!(next_at_hour("no zone", at("2026-11-20T13:59:00Z"), 7), at("2026-11-21T07:00:00Z"));
    }
}
