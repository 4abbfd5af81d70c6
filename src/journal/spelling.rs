//! The syntax of ids, kinds, names and times in a line (sections 3 and 4).

/// Returns `true` if `text` is a valid id of a game: `[a-z0-9-]{3,40}`.
#[must_use]
pub fn is_game_id(text: &str) -> bool {
    (3..=40).contains(&text.len()) && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

/// Describes an entry in an error message, by its n and by its line number in an editor.
#[must_use]
pub fn entry_in_file(n: u64) -> String {
    format!("entry {n} (line {} of the file)", n + 1)
}

/// Returns `true` if `text` is a valid kind: `[a-z0-9_-]{1,40}`.
pub(super) fn is_kind(text: &str) -> bool {
    let allowed = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-');
    (1..=40).contains(&text.len()) && text.bytes().all(allowed)
}

/// Returns `true` if `text` is a valid name of a seat, deck, card or chain: 1 to 64 bytes of
/// printable ASCII. It thus contains no newline, which separates the fields of a hash.
#[must_use]
pub fn is_name(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// Returns `true` if `text` is a valid time for `at`: `YYYY-MM-DDTHH:MM:SSZ`, with a date of the
/// Gregorian calendar from year 1 and no leap second.
#[must_use]
pub fn is_timestamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    let shaped = bytes.len() == 20
        && bytes.iter().zip(b"dddd-dd-ddTdd:dd:ddZ").all(|(&byte, &shape)| match shape {
            b'd' => byte.is_ascii_digit(),
            _ => byte == shape,
        });
    if !shaped {
        return false;
    }
    let number = |from: usize, to: usize| bytes[from..to].iter().fold(0_u32, |sum, b| sum * 10 + u32::from(b - b'0'));
    let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    year > 0 && (1..=days).contains(&day) && number(11, 13) < 24 && number(14, 16) < 60 && number(17, 19) < 60
}

/// Returns the seconds since 1970 of a time as `at` spells it.
#[must_use]
pub fn unix(at: &str) -> Option<i64> {
    chrono::DateTime::parse_from_rfc3339(at).ok().map(|at| at.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_real_times() {
        for good in ["2024-02-29T00:00:00Z", "2000-02-29T23:59:59Z", "0001-01-01T00:00:00Z", "9999-11-30T12:00:00Z"] {
            assert!(is_timestamp(good), "{good}");
        }
        for bad in [
            "0000-12-31T12:00:00Z",
            "2023-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z",
            "2024-13-01T00:00:00Z",
            "2024-00-01T00:00:00Z",
            "2024-04-31T00:00:00Z",
            "2024-04-00T00:00:00Z",
            "2024-04-01T24:00:00Z",
            "2024-04-01T00:60:00Z",
            "2024-04-01T00:00:60Z",
            "2024-04-01 00:00:00Z",
            "2024-04-01T00:00:00.5Z",
            "2024-04-01T00:00:00+00:00",
        ] {
            assert!(!is_timestamp(bad), "{bad}");
        }
    }
}
