//! Deadlines in words.

use super::{
    Deadline,
    terms::{Allowance, AtFlag, Terms, span},
};
use crate::Zone;
use chrono::{DateTime, Utc};

impl Deadline {
    /// Describes the deadline for a reader in this time zone.
    #[must_use]
    pub fn words(self, terms: &Terms, zone: &str) -> String {
        match self {
            Deadline::Until(until) => {
                let by = match terms.allowance {
                    Allowance::Answer(_) => "Answer by",
                    Allowance::Bank(_) => "Your clock runs until",
                };
                let then = match terms.at_flag {
                    AtFlag::Remind => String::new(),
                    AtFlag::Play => " After that it is answered for you.".to_owned(),
                    AtFlag::Forfeit(grace) => format!(" You lose the game {} after that.", span(grace)),
                };
                format!("{by} {}.{then}", moment(until, zone))
            }
            Deadline::Expired(until) => {
                let then = match terms.at_flag {
                    AtFlag::Forfeit(grace) => {
                        format!("you lose the game {} after it if you do not answer", span(grace))
                    }
                    AtFlag::Remind | AtFlag::Play => "the game waits for you".to_owned(),
                };
                format!("The deadline was {}; {then}.", moment(until, zone))
            }
            Deadline::Paused(left) => format!("The clock is stopped; {} will be left when it runs again.", span(left)),
        }
    }
}

/// Formats a time in UTC, and also in the reader's zone if that is another.
pub fn moment(at: DateTime<Utc>, zone: &str) -> String {
    let form = "%a %-d %b %Y, %H:%M";
    let utc = format!("{} UTC", at.format(form));
    match Zone::named(zone).filter(|_| zone != "UTC") {
        Some(there) => format!("{utc} ({} in {zone})", there.local(at).format(form)),
        None => utc,
    }
}

/// Formats a time to the second, for records: `2026-12-01 18:00:05 UTC`.
pub(crate) fn exact(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%d %H:%M:%S UTC").to_string()
}

/// Formats a time briefly in the reader's zone, such as `Thu 12 Nov, 14:00 UTC`.
pub fn brief_moment(at: DateTime<Utc>, zone: &str) -> String {
    let zone = Zone::or_utc(zone);
    format!("{} {}", zone.local(at).format("%a %-d %b, %H:%M"), zone.short(at))
}
