//! Time zones.

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use jiff::{
    Timestamp,
    tz::{Offset, TimeZone},
};

/// A time zone of the IANA database, of which the program contains a copy.
#[derive(Clone, Debug)]
pub struct Zone(TimeZone);

impl Zone {
    /// Returns the zone with exactly this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Zone> {
        let zone = TimeZone::get(name).ok()?;
        (zone.iana_name() == Some(name)).then_some(Zone(zone))
    }

    /// Returns the zone with this name, or UTC if there is none.
    #[must_use]
    pub fn or_utc(name: &str) -> Zone {
        Zone::named(name).unwrap_or(Zone(TimeZone::UTC))
    }

    /// Returns its name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    /// Returns the local time of the zone at a moment.
    #[must_use]
    pub fn local(&self, at: DateTime<Utc>) -> NaiveDateTime {
        at.naive_utc() + TimeDelta::seconds(self.0.to_offset(timestamp(at)).seconds().into())
    }

    /// Returns the short name of its time then, such as `MST` or `+03`.
    #[must_use]
    pub fn short(&self, at: DateTime<Utc>) -> String {
        self.0.to_offset_info(timestamp(at)).abbreviation().to_owned()
    }

    /// Returns the first time at which its clocks show this. A time skipped when they are set
    /// forward counts as that much later.
    #[must_use]
    pub fn at(&self, local: NaiveDateTime) -> DateTime<Utc> {
        let at = self.0.to_timestamp(Offset::UTC.to_datetime(timestamp(local.and_utc())));
        at.ok().and_then(|at| DateTime::from_timestamp(at.as_second(), 0)).unwrap_or_else(|| local.and_utc())
    }
}

fn timestamp(at: DateTime<Utc>) -> Timestamp {
    Timestamp::from_second(at.timestamp()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_set_forward_and_back() {
        let time = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
        let denver = Zone::named("America/Denver").unwrap();
        assert_eq!(denver.local(time("2026-07-01T02:00:00Z")).to_string(), "2026-06-30 20:00:00");
        let told = ["2026-01-01T00:00:00Z", "2026-07-01T00:00:00Z"].map(|text| denver.short(time(text)));
        assert_eq!(told, ["MST", "MDT"]);
        // No clock shows half past two on 8 March 2026, and all show half past one twice on 1
        // November.
        assert_eq!(denver.at("2026-03-08T02:30:00".parse().unwrap()), time("2026-03-08T09:30:00Z"));
        assert_eq!(denver.at("2026-11-01T01:30:00".parse().unwrap()), time("2026-11-01T07:30:00Z"));
    }

    #[test]
    fn a_zone_has_one_name_and_what_is_none_is_utc() {
        assert!(["america/denver", "Denver", "", "UTC+1"].iter().all(|name| Zone::named(name).is_none()));
        let at = DateTime::<Utc>::UNIX_EPOCH;
        assert_eq!([Zone::or_utc("nowhere").short(at), Zone::or_utc("Europe/Istanbul").short(at)], ["UTC", "EET"]);
        assert_eq!(Zone::or_utc("nowhere").at(at.naive_utc()), at);
    }
}
