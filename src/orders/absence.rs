//! The days of a player's absence in his words: `away until Monday`, `vacation 3 to 12 December`.

use chrono::{Datelike, Days, NaiveDate, Weekday};

/// What a line says of its writer's absence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// He is away from the first of these days to the end of the last.
    Days(NaiveDate, NaiveDate),
    /// He is back.
    Over,
}

/// Nobody is away for more days than these without giving his seat to somebody else.
pub const LONGEST_ABSENCE: u64 = 92;

/// Why words say nothing that can be kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AbsenceFault {
    /// No day could be made out.
    #[error(
        "say the days, and the month as a word: `away until Monday`, `vacation 3 to 12 December`, `away 5 days`; `away off` when you \
         are back"
    )]
    Unclear,
    /// There is no such day, or it is over.
    #[error("{0} is no day to come within a year")]
    NoDay(String),
    /// It is longer than [`LONGEST_ABSENCE`].
    #[error(
        "{0} days are more than {LONGEST_ABSENCE}; for so long a time have somebody else take your seat: `tell host: …`"
    )]
    TooLong(u64),
}

/// Months and days of the week, by the first three letters of their names at least.
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// An instruction without days that can be read is no longer than this; what is longer is told, or ordered, beside it.
const SHORT: usize = 4;

/// The words of a line about an absence behind those that say that it is one; `None` for any other line, and for one in which more
/// stands. The words are as a [`Phrase`](super::Phrase) has them.
#[must_use]
pub fn about_absence<'w, 'l>(words: &'w [&'l str]) -> Option<&'w [&'l str]> {
    let (rest, told) = match words {
        ["im" | "ill", rest @ ..] | ["i", "am" | "will", rest @ ..] => {
            (rest.strip_prefix(&["be"]).unwrap_or(rest), true)
        }
        _ => (words, false),
    };
    let days = match rest {
        ["away" | "vacation" | "holiday" | "holidays" | "absent", days @ ..] => days,
        ["on", "vacation" | "holiday" | "holidays", days @ ..] => days,
        _ => return None,
    };
    // Whether days can be read does not hang on what day it is.
    let unclear = Absence::read(days, NaiveDate::default()) == Err(AbsenceFault::Unclear);
    (!unclear || !told && days.len() <= SHORT).then_some(days)
}

impl Absence {
    /// Reads what stands behind `away`; `today` is the writer's.
    ///
    /// # Errors
    /// [`AbsenceFault`], which says what would be right.
    pub fn read(words: &[&str], today: NaiveDate) -> Result<Absence, AbsenceFault> {
        let words = match words {
            ["off" | "over" | "end" | "ended" | "never"] => return Ok(Absence::Over),
            ["from", rest @ ..] => rest,
            rest => rest,
        };
        let (from, until) = match words {
            ["until" | "till" | "to" | "through", rest @ ..] => (today, the_only(day(rest, today)?)?),
            ["for", number, unit] | [number, unit] if unit.starts_with("day") || unit.starts_with("week") => {
                let number: u64 = number.parse().map_err(|_| AbsenceFault::Unclear)?;
                let days = number.saturating_mul(if unit.starts_with("week") { 7 } else { 1 });
                if days > LONGEST_ABSENCE {
                    return Err(AbsenceFault::TooLong(days));
                }
                let until = today.checked_add_days(Days::new(days)).filter(|_| days > 0);
                (today, until.ok_or(AbsenceFault::Unclear)?)
            }
            // `3 to 12 December`
            [first, "to" | "until" | "till" | "through" | "and", rest @ ..] | [first, rest @ ..]
                if number(first).is_some() && rest.first().is_some_and(|second| number(second).is_some()) =>
            {
                let until = the_only(day(rest, today)?)?;
                let first = number(first).unwrap_or_default();
                let from = until.with_day(first).filter(|from| *from <= until);
                let earlier = || until.with_day(1)?.pred_opt()?.with_day(first);
                (from.or_else(earlier).ok_or_else(|| AbsenceFault::NoDay(first.to_string()))?, until)
            }
            _ => {
                let (from, rest) = day(words, today.checked_sub_days(Days::new(LONGEST_ABSENCE)).unwrap_or(today))?;
                match rest {
                    // One day, and no other.
                    [] => (the_only(day(words, today)?)?, the_only(day(words, today)?)?),
                    ["to" | "until" | "till" | "through" | "and", rest @ ..] => {
                        let until = the_only(day(rest, today)?)?;
                        // Of `monday` the next one is meant, of a date the last one before the other.
                        let from =
                            if from <= until && from >= today { from } else { before(from, words, today, until)? };
                        (from, until)
                    }
                    _ => return Err(AbsenceFault::Unclear),
                }
            }
        };
        let days = u64::try_from((until - from).num_days() + 1).unwrap_or(0);
        match days {
            0 => Err(AbsenceFault::Unclear),
            1..=LONGEST_ABSENCE => Ok(Absence::Days(from, until)),
            _ => Err(AbsenceFault::TooLong(days)),
        }
    }
}

/// The day with which an absence begins that is under way or to come, by the day with which it ends.
fn before(early: NaiveDate, words: &[&str], today: NaiveDate, until: NaiveDate) -> Result<NaiveDate, AbsenceFault> {
    let coming = day(words, today)?.0;
    match (coming <= until, early <= until) {
        (true, _) => Ok(coming),
        (false, true) => Ok(early),
        (false, false) => Err(AbsenceFault::NoDay(words.join(" "))),
    }
}

/// A day behind which nothing stands.
pub(super) fn the_only((day, rest): (NaiveDate, &[&str])) -> Result<NaiveDate, AbsenceFault> {
    if rest.is_empty() { Ok(day) } else { Err(AbsenceFault::Unclear) }
}

/// The first day from `earliest` on that the words name, and what stands behind them.
pub(super) fn day<'w, 'l>(
    words: &'w [&'l str],
    earliest: NaiveDate,
) -> Result<(NaiveDate, &'w [&'l str]), AbsenceFault> {
    let words = if words.first().is_some_and(|word| *word == "next") { &words[1..] } else { words };
    let year = |words: &'w [&'l str]| match words.first().and_then(|word| word.parse::<i32>().ok()) {
        Some(year @ 2000..=9999) => (Some(year), &words[1..]),
        _ => (None, words),
    };
    let dated = |month: u32, first: u32, rest: &'w [&'l str]| {
        let (given, rest) = year(rest);
        let named = || AbsenceFault::NoDay(format!("{first} {}", MONTHS[month as usize - 1]));
        let years = given.map_or(earliest.year()..=earliest.year() + 1, |year| year..=year);
        let day = years.filter_map(|year| NaiveDate::from_ymd_opt(year, month, first)).find(|day| *day >= earliest);
        Ok((day.filter(|day| (*day - earliest).num_days() <= 366).ok_or_else(named)?, rest))
    };
    match words {
        ["today", rest @ ..] => Ok((earliest, rest)),
        ["tomorrow", rest @ ..] => Ok((earliest.succ_opt().ok_or(AbsenceFault::Unclear)?, rest)),
        [word, rest @ ..] if weekday(word).is_some() => {
            let wanted = weekday(word);
            let mut days = earliest.iter_days().skip(1).take(7);
            Ok((days.find(|day| Some(day.weekday()) == wanted).ok_or(AbsenceFault::Unclear)?, rest))
        }
        // As ISO 8601 has it.
        [year, month, first, rest @ ..] if year.len() == 4 && number(month).is_some() => {
            let parsed = || NaiveDate::from_ymd_opt(year.parse().ok()?, number(month)?, number(first)?);
            let day = parsed().filter(|day| *day >= earliest && (*day - earliest).num_days() <= 366);
            Ok((day.ok_or_else(|| AbsenceFault::NoDay(words[..3].join("-")))?, rest))
        }
        [first, word, rest @ ..] | [word, first, rest @ ..] if number(first).is_some() && month(word).is_some() => {
            dated(month(word).unwrap_or(1), number(first).unwrap_or(0), rest)
        }
        _ => Err(AbsenceFault::Unclear),
    }
}

/// The day of a month: `3`, `3rd`.
fn number(word: &str) -> Option<u32> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let known = matches!(&word[digits.len()..], "" | "st" | "nd" | "rd" | "th");
    digits.parse().ok().filter(|number| known && (1..=31).contains(number))
}

fn month(word: &str) -> Option<u32> {
    let at = MONTHS
        .iter()
        .position(|month| word.len() >= 3 && month.starts_with(word) || word == "sept" && *month == "september");
    at.and_then(|at| u32::try_from(at + 1).ok())
}

fn weekday(word: &str) -> Option<Weekday> {
    word.parse().ok().filter(|_| word.len() >= 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Phrase;

    /// Read on Friday, 20 November 2026.
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
            ("vacation from December 3rd to December 12th", "2026-12-03 2026-12-12"),
            ("holiday 28 December to 4 January", "2026-12-28 2027-01-04"),
            ("vacation 28 to 4 January", "2026-12-28 2027-01-04"),
            ("vacation 18 to 25 November", "2026-11-18 2026-11-25"),
            ("vacation 18 November to 25 November", "2026-11-18 2026-11-25"),
            ("away monday to thursday", "2026-11-23 2026-11-26"),
            ("away 2026-12-24 to 2027-01-02", "2026-12-24 2027-01-02"),
            ("away for 2 weeks", "2026-11-20 2026-12-04"),
            ("away 5 days", "2026-11-20 2026-11-25"),
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
        for line in ["away", "vacation soon", "away until it is over", "vacation 3/12", "away 0 days", "away 31 to 30"]
        {
            assert_eq!(read(line), Some(AbsenceFault::Unclear.to_string()), "{line}");
        }
        assert_eq!(read("away until 31 November").unwrap(), "31 november is no day to come within a year");
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
