//! What is telling in any language: an address, a date, a time of day.

use std::borrow::Cow;

/// Whether a text holds a mail address.
pub(super) fn has_address(text: &str) -> bool {
    text.split(|c: char| c.is_whitespace() || "<>()[]{},;:\"'*«»„“”".contains(c)).any(|word| {
        word.split_once('@').is_some_and(|(local, host)| {
            !local.is_empty() && host.split_once('.').is_some_and(|(a, b)| !a.is_empty() && !b.is_empty())
        })
    })
}

/// The digits of other scripts as ASCII has them.
fn plain_digits(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    // Where the ten digits of a script begin: Arabic, Persian, Devanagari, Bengali, Thai, full width.
    let zeros = ['\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{e50}', '\u{ff10}'];
    let plain = |c: char| {
        let value = zeros.iter().filter_map(|&zero| (c as u32).checked_sub(zero as u32)).find(|&value| value < 10);
        value.and_then(|value| char::from_digit(value, 10)).unwrap_or(c)
    };
    Cow::Owned(text.chars().map(plain).collect())
}

/// Whether a text holds a time of day such as `9:12`, `09.12` or `9h12`.
pub(super) fn has_time(text: &str) -> bool {
    plain_digits(text).split(|c: char| !(c.is_ascii_digit() || matches!(c, ':' | '.' | 'h'))).any(|word| {
        let mut parts = word.split([':', '.', 'h']);
        let (hour, minute) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        (1..=2).contains(&hour.len()) && minute.len() == 2
    })
}

/// Whether a text holds a date of this century: a year, or three numbers such as `23.11.26`.
pub(super) fn has_date(text: &str) -> bool {
    // Most lines hold no number at all.
    if text.is_ascii() && !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let text = plain_digits(text);
    let mut words = text.split(|c: char| !(c.is_ascii_digit() || matches!(c, '/' | '.' | '-')));
    words.any(|word| {
        let numbers: Vec<&str> = word.split(['/', '.', '-']).filter(|number| !number.is_empty()).collect();
        let year = |number: &&str| number.len() == 4 && number.starts_with("20");
        numbers.iter().any(year) || (numbers.len() == 3 && numbers.iter().all(|number| number.len() <= 2))
    })
}

/// Whether a text alone says that a quoted message is near: it names an address, or a date with its time.
pub(in crate::mail) fn is_telling(text: &str) -> bool {
    has_address(text) || (has_date(text) && has_time(text))
}

/// Where words are not parted by spaces, a verb stands anywhere.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{0e00}'..='\u{0e7f}')
}
