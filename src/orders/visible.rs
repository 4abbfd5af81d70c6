//! Invisible characters that change how a text is displayed.

use std::{borrow::Cow, fmt::Write as _};

/// Returns `true` if a character is invisible but may change how a text is displayed.
///
/// These are control characters other than newline and tab (escape sequences begin with one), line
/// and paragraph separators, directional marks (UAX #9), the byte order mark, interlinear
/// annotations, tags, and blank letters (Default_Ignorable_Code_Point of Unicode, and the empty
/// Braille cell).
#[must_use]
pub fn is_hidden(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
        || matches!(
            c,
            '\u{61c}'
                | '\u{200e}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}'
                | '\u{34f}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{ffa0}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Escapes such characters as `\\u202e`, like JSON and TOML. This prevents the author of a mail, a
/// journal or a component file from hiding words or moving the reader's cursor.
///
/// ```
/// assert_eq!(postrider_orders::visible("a \u{1b}[2Jb \u{202e}c"), "a \\u001b[2Jb \\u202ec");
/// ```
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match (is_hidden(c), u32::from(c)) {
            (false, _) => out.push(c),
            // Writing to a `String` cannot fail.
            (true, code @ ..=0xffff) => _ = write!(out, "\\u{code:04x}"),
            (true, code) => _ = write!(out, "\\U{code:08x}"),
        }
    }
    Cow::Owned(out)
}

/// Escapes such characters in a JSON text, so that its strings keep their values.
///
/// ```
/// assert_eq!(postrider_orders::visible_json("[\"\u{202e}c\u{e0041}\"]"), r#"["\u202ec\udb40\udc41"]"#);
/// ```
#[must_use]
pub fn visible_json(json: &str) -> Cow<'_, str> {
    if !json.contains(is_hidden) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if !is_hidden(c) {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            // Writing to a `String` cannot fail.
            _ = write!(out, "\\u{unit:04x}");
        }
    }
    Cow::Owned(out)
}
