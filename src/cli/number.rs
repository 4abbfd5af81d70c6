//! Whole numbers as values of options, with errors that state the possible values.

use std::{fmt::Display, ops::RangeInclusive, str::FromStr};

/// Returns a parser of whole numbers in a range.
pub(super) fn whole<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| match text.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => Err(format!("it must be a whole number from {} to {}", range.start(), range.end())),
    }
}

/// Parses a whole number of any size, such as a seed or the number of an entry.
pub(super) fn any(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "it must be a whole number, 0 or more".to_owned())
}

/// Parses a whole number of at least 1.
pub(super) fn positive(text: &str) -> Result<u64, String> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| "it must be a whole number, 1 or more".to_owned())
}

/// The largest number of seats that a game can have.
pub(super) const MOST_SEATS: u8 = 26;
