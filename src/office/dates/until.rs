//! Parsing of end times: `2026-12-01`, `2026-12-01 18:00`, `Monday`, `1 December 18:00`, `3d`.

use super::absence::{day, the_only};
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};
use postrider_orders::Phrase;

/// A parsed time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// A time independent of any zone.
    At(DateTime<Utc>),
    /// A local time in the author's zone.
    Local(NaiveDateTime),
    /// A duration from now.
    In(TimeDelta),
}

impl Until {
    /// Parses a time; `today` is the day in the author's time zone. A day without a time means its
    /// end, 23:59. Returns `None` if the text is not a time.
    pub(crate) fn read(text: &str, today: NaiveDate) -> Option<Until> {
        let text = text.trim();
        if let Ok(at) = DateTime::parse_from_rfc3339(text) {
            return Some(Until::At(at.to_utc()));
        }
        if let Some(delta) = duration(text) {
            return Some(Until::In(delta));
        }
        let (words, time) = match text.rsplit_once([' ', 'T']) {
            Some((words, time)) if time.contains(':') => (words, clock(time)?),
            _ if text.contains(':') => return None,
            _ => (text, NaiveTime::from_hms_opt(23, 59, 0)?),
        };
        // A full date is accepted even if it is past; the caller reports that.
        let named = || {
            let phrase = Phrase::new(words);
            let words: Vec<&str> = phrase.words().iter().map(|word| word.text.as_str()).collect();
            the_only(day(&words, today, today).ok()?).ok()
        };
        let day = NaiveDate::parse_from_str(words.trim(), "%Y-%m-%d").ok().or_else(named)?;
        Some(Until::Local(day.and_time(time)))
    }
}

/// Parses `18:00` or `18:00:30`.
fn clock(text: &str) -> Option<NaiveTime> {
    ["%H:%M", "%H:%M:%S"].iter().find_map(|form| NaiveTime::parse_from_str(text, form).ok())
}

/// Parses `36h` or `3d`, as in `--clock`, also in words: `two weeks`, `an hour`.
fn duration(text: &str) -> Option<TimeDelta> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).filter(|&digits| digits > 0);
    let (count, unit) = digits.map(|digits| text.split_at(digits)).or_else(|| text.split_once(' '))?;
    let count = match count {
        "a" | "an" => 1,
        count => i64::from(u16::try_from(Phrase::new(count).reader().number()?).ok()?),
    };
    match unit.trim() {
        "h" | "hour" | "hours" => TimeDelta::try_hours(count),
        "d" | "day" | "days" => TimeDelta::try_days(count),
        "week" | "weeks" => TimeDelta::try_weeks(count),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parsed on Friday, 20 November 2026.
    fn read(text: &str) -> Option<String> {
        Some(match Until::read(text, NaiveDate::from_ymd_opt(2026, 11, 20).unwrap())? {
            Until::At(at) => at.format("%F %R UTC").to_string(),
            Until::Local(at) => at.format("%F %R").to_string(),
            Until::In(delta) => format!("{} h", delta.num_hours()),
        })
    }

    #[test]
    fn moments_are_read_as_people_write_them() {
        for (text, at) in [
            ("2026-11-30T12:00:00Z", "2026-11-30 12:00 UTC"),
            ("2026-11-30T12:00:00+02:00", "2026-11-30 10:00 UTC"),
            ("2026-12-01", "2026-12-01 23:59"),
            ("2026-12-01 18:00", "2026-12-01 18:00"),
            ("2026-12-01T18:00", "2026-12-01 18:00"),
            ("2020-12-01", "2020-12-01 23:59"),
            ("Monday", "2026-11-23 23:59"),
            ("friday 9:30", "2026-11-27 09:30"),
            ("tomorrow 12:00", "2026-11-21 12:00"),
            ("1 December", "2026-12-01 23:59"),
            ("Dec 3rd 18:00", "2026-12-03 18:00"),
            ("36h", "36 h"),
            ("3 days", "72 h"),
            ("2 weeks", "336 h"),
            ("a week", "168 h"),
            ("an hour", "1 h"),
            ("one day", "24 h"),
            ("two weeks", "336 h"),
        ] {
            assert_eq!(read(text).as_deref(), Some(at), "{text}");
        }
    }

    #[test]
    fn what_is_no_moment_is_none() {
        for text in [
            "",
            "soon",
            "18:00",
            "25:00",
            "2026-13-01",
            "2026-12-01 25:00",
            "monday or so",
            "3",
            "3x",
            "minus 3 days",
            "-3 days",
            "monday 9:30 18:00",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
