//! Parsing of a player's absence: `away until Monday`, `vacation 3 to 12 December`.

use chrono::{Datelike, Days, NaiveDate, Weekday};

/// A player's statement about an absence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absence {
    /// Absent from the first day through the last.
    Days(NaiveDate, NaiveDate),
    /// Back again.
    Over,
}

/// Maximum length of an absence, in days. For a longer one the seat should get another player.
pub(crate) const LONGEST_ABSENCE: u64 = 92;

/// Maximum number of days ahead at which an absence without a year begins. A later one was probably
/// meant for this year and is over.
const FURTHEST: i64 = 274;

/// An invalid statement about an absence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AbsenceFault {
    /// No day was recognized.
    #[error(
        "say the days, and the month as a word: `away until Monday`, `vacation 3 to 12 December`, `away 5 days`; `away off` when you \
         are back"
    )]
    Unclear,
    /// The day does not exist or is past.
    #[error("{0} is not a day within the next year")]
    NoDay(String),
    /// The last day is before the first.
    #[error("it would end before it begins; say both months: `vacation 28 December to 4 January`")]
    Backwards,
    /// The days are past, or those of next year.
    #[error("these days are past; add the year if you mean next year's: `vacation 3 to 12 December 2027`")]
    Past,
    /// The absence is longer than [`LONGEST_ABSENCE`].
    #[error(
        "{0} days are more than {LONGEST_ABSENCE}; for a longer absence, ask the host to give your seat to somebody else: `tell host: …`"
    )]
    TooLong(u64),
}

/// The months and days of the week, which can be abbreviated to three letters.
#[rustfmt::skip]
const MONTHS: [&str; 12] = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
];

/// Maximum number of words after an `away` that cannot be parsed. A longer line is probably a
/// message or an order.
const SHORT: usize = 4;

/// Returns the words after the beginning of a line about an absence, or `None` for any other line.
/// The words are those of a [`Phrase`](postrider_orders::Phrase).
pub(crate) fn about_absence<'w, 'l>(words: &'w [&'l str]) -> Option<&'w [&'l str]> {
    let (rest, told) = match words {
        ["im", rest @ ..] | ["ill", "be", rest @ ..] | ["i", "am", rest @ ..] | ["i", "will", "be", rest @ ..] => {
            (rest, true)
        }
        rest => (rest, false),
    };
    let days = match rest {
        ["away" | "vacation" | "holiday", days @ ..] | ["on", "vacation" | "holiday", days @ ..] => days,
        _ => return None,
    };
    // The result does not depend on the day given here.
    let unclear = Absence::read(days, NaiveDate::default()) == Err(AbsenceFault::Unclear);
    (!unclear || !told && days.len() <= SHORT).then_some(days)
}

impl Absence {
    /// Parses the words after `away`; `today` is the day in the player's time zone.
    ///
    /// # Errors
    /// [`AbsenceFault`], which names the correct form.
    pub(crate) fn read(words: &[&str], today: NaiveDate) -> Result<Absence, AbsenceFault> {
        let from_today = |days: u64| match days {
            0 => Err(AbsenceFault::Unclear),
            // Today is the first of these days.
            1..=LONGEST_ABSENCE => today.checked_add_days(Days::new(days - 1)).ok_or(AbsenceFault::Unclear),
            _ => Err(AbsenceFault::TooLong(days)),
        };
        let (from_a_day, words) = words.strip_prefix(&["from"]).map_or((false, words), |rest| (true, rest));
        let (from, until) = match words {
            ["off" | "over"] => return Ok(Absence::Over),
            ["until" | "till", rest @ ..] => (today, the_only(day(rest, today, today)?)?),
            ["for", count, unit] | [count, unit] if unit.starts_with("day") || unit.starts_with("week") => {
                let count: u64 = count.parse().map_err(|_| AbsenceFault::Unclear)?;
                (today, from_today(count.saturating_mul(if unit.starts_with("week") { 7 } else { 1 }))?)
            }
            // `3 to 12 December`, `3-12 December`
            [first, "to" | "until", rest @ ..] | [first, rest @ ..]
                if number(first).is_some() && rest.first().is_some_and(|second| number(second).is_some()) =>
            {
                let until = the_only(day(rest, today, today)?)?;
                let first = number(first).unwrap_or_default();
                let from = until.with_day(first).filter(|from| *from <= until);
                // A range that begins in the month before, such as `20 to 10 January`, is accepted
                // only if it is still to come; otherwise it is a slip.
                let earlier = || until.with_day(1)?.pred_opt()?.with_day(first).filter(|from| *from >= today);
                (from.or_else(earlier).ok_or(AbsenceFault::Backwards)?, until)
            }
            words => {
                // The absence may have begun already.
                let earliest = today.checked_sub_days(Days::new(LONGEST_ABSENCE)).unwrap_or(today);
                match day(words, today, earliest)? {
                    // The end is missing.
                    (_, []) if from_a_day => return Err(AbsenceFault::Unclear),
                    (_, []) => (the_only(day(words, today, today)?)?, the_only(day(words, today, today)?)?),
                    (from, ["to" | "until", rest @ ..]) => (from, the_only(day(rest, from, from)?)?),
                    _ => return Err(AbsenceFault::Unclear),
                }
            }
        };
        let dated = words.iter().any(|word| word.len() == 4 && word.parse::<u16>().is_ok());
        if until < today || (from - today).num_days() > FURTHEST && !dated {
            return Err(AbsenceFault::Past);
        }
        match u64::try_from((until - from).num_days() + 1).unwrap_or(0) {
            0 => Err(AbsenceFault::Unclear),
            1..=LONGEST_ABSENCE => Ok(Absence::Days(from, until)),
            days => Err(AbsenceFault::TooLong(days)),
        }
    }
}

/// Returns a day, if no words follow it.
pub(super) fn the_only((day, rest): (NaiveDate, &[&str])) -> Result<NaiveDate, AbsenceFault> {
    if rest.is_empty() { Ok(day) } else { Err(AbsenceFault::Unclear) }
}

/// Parses a day and returns the words after it: the first such weekday after `today`, or the first
/// such date from `earliest` on.
pub(super) fn day<'w, 'l>(
    words: &'w [&'l str],
    today: NaiveDate,
    earliest: NaiveDate,
) -> Result<(NaiveDate, &'w [&'l str]), AbsenceFault> {
    let words = words.strip_prefix(&["next"]).unwrap_or(words);
    let coming = |day: &NaiveDate| *day >= earliest && (*day - earliest).num_days() <= 366;
    match words {
        ["today", rest @ ..] => Ok((today, rest)),
        ["tomorrow", rest @ ..] => Ok((today.succ_opt().ok_or(AbsenceFault::Unclear)?, rest)),
        [word, rest @ ..] if weekday(word).is_some() => {
            let wanted = weekday(word);
            let mut days = today.iter_days().skip(1).take(7);
            Ok((days.find(|day| Some(day.weekday()) == wanted).ok_or(AbsenceFault::Unclear)?, rest))
        }
        // ISO 8601
        [year, month, first, rest @ ..] if year.len() == 4 && number(month).is_some() => {
            let parsed = || NaiveDate::from_ymd_opt(year.parse().ok()?, number(month)?, number(first)?);
            Ok((parsed().filter(coming).ok_or_else(|| AbsenceFault::NoDay(words[..3].join("-")))?, rest))
        }
        [first, word, rest @ ..] | [word, first, rest @ ..] if number(first).is_some() && month(word).is_some() => {
            let (first, month) = (number(first).unwrap_or(0), month(word).unwrap_or(1));
            let given =
                rest.first().and_then(|word| word.parse::<i32>().ok()).filter(|year| (2000..=9999).contains(year));
            let years = given.map_or(earliest.year()..=earliest.year() + 1, |year| year..=year);
            let day = years.filter_map(|year| NaiveDate::from_ymd_opt(year, month, first)).find(coming);
            let none = || AbsenceFault::NoDay(format!("{first} {}", MONTHS[month as usize - 1]));
            Ok((day.ok_or_else(none)?, if given.is_some() { &rest[1..] } else { rest }))
        }
        _ => Err(AbsenceFault::Unclear),
    }
}

/// Parses a day of a month: `3`, `3rd`.
fn number(word: &str) -> Option<u32> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let known = matches!(&word[digits.len()..], "" | "st" | "nd" | "rd" | "th");
    digits.parse().ok().filter(|number| known && (1..=31).contains(number))
}

fn month(word: &str) -> Option<u32> {
    let at = MONTHS.iter().position(|month| word.len() >= 3 && month.starts_with(word));
    at.and_then(|at| u32::try_from(at + 1).ok())
}

fn weekday(word: &str) -> Option<Weekday> {
    word.parse().ok().filter(|_| word.len() >= 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use postrider_orders::Phrase;

    /// Parsed on Friday, 20 November 2026.
    fn read(line: &str) -> Option<String> {
        let phrase = Phrase::new(line);
        let words: Vec<&str> = phrase.words().iter().map(|word| word.text.as_str()).collect();
        let today = NaiveDate::from_ymd_opt(2026, 11, 20).unwrap();
        Some(match Absence::read(about_absence(&words)?, today) {
            Ok(Absence::Days(from, until)) => format!("{from} {until}"),
            Ok(Absence::Over) => "over".into(),
            Err(why) => why.to_string(),
        })
    }

    #[test]
    fn days_are_read_as_people_write_them() {
        for (line, days) in [
            ("away until Monday", "2026-11-20 2026-11-23"),
            ("Away till friday.", "2026-11-20 2026-11-27"),
            ("I'm away until next Tuesday", "2026-11-20 2026-11-24"),
            ("vacation 3 to 12 December", "2026-12-03 2026-12-12"),
            ("Vacation: 3-12 Dec 2026", "2026-12-03 2026-12-12"),
            ("holiday from 3 to 12 December", "2026-12-03 2026-12-12"),
            ("vacation from December 3rd to December 12th", "2026-12-03 2026-12-12"),
            ("holiday 28 December to 4 January", "2026-12-28 2027-01-04"),
            ("vacation 28 to 4 January", "2026-12-28 2027-01-04"),
            ("vacation 18 to 25 November", "2026-11-18 2026-11-25"),
            ("vacation 18 November to 25 November", "2026-11-18 2026-11-25"),
            ("away monday to thursday", "2026-11-23 2026-11-26"),
            ("away 2026-12-24 to 2027-01-02", "2026-12-24 2027-01-02"),
            ("away for 2 weeks", "2026-11-20 2026-12-03"),
            ("away 5 days", "2026-11-20 2026-11-24"),
            ("away 92 days", "2026-11-20 2027-02-19"),
            ("away tomorrow", "2026-11-21 2026-11-21"),
            ("I will be away until 1 dec", "2026-11-20 2026-12-01"),
            ("away off", "over"),
            ("vacation over!", "over"),
        ] {
            assert_eq!(read(line).as_deref(), Some(days), "{line}");
        }
    }

    #[test]
    fn what_is_no_day_is_told_and_what_is_no_absence_is_left_alone() {
        let backwards = "vacation 25 to 22 November";
        assert_eq!(read(backwards), Some(AbsenceFault::Backwards.to_string()));
        for line in ["vacation 1 to 5 November", "vacation 1 October to 9 October"] {
            assert_eq!(read(line), Some(AbsenceFault::Past.to_string()), "{line}");
        }
        for line in ["away from friday", "vacation from 12 January"] {
            assert_eq!(read(line), Some(AbsenceFault::Unclear.to_string()), "{line}");
        }
        for line in ["away", "vacation soon", "away until it is over", "vacation 3/12", "away 0 days", "away 31 to 30"]
        {
            assert_eq!(read(line), Some(AbsenceFault::Unclear.to_string()), "{line}");
        }
        assert_eq!(read("away until 31 November").unwrap(), "31 november is not a day within the next year");
        assert!(read("away 20 weeks").unwrap().contains("140 days are more than 92"));
        for line in [
            "status",
            "i will attack utah",
            "on to utah",
            "go away",
            "the kiowa move away until fall",
            "i am not sure",
            "I'm on vacation next week, but raid utah",
            "away, so raid utah and then pass",
            "I'll be away",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
