//! Letters as outlines, so that a drawing looks the same everywhere, even without fonts.
//!
//! The outlines are those of DejaVu Sans Condensed Bold, rounded to a thousandth of the font size.
//! Their license is `font/LICENSE`.

use std::{collections::BTreeMap, sync::LazyLock};

/// Number of outline units per font size.
pub(super) const EM: i32 = 1000;

/// Height of capital letters in outline units.
pub(super) const CAPITAL: i32 = 729;

/// The outline of a letter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glyph {
    /// Distance to the next letter, in outline units.
    pub wide: i32,
    /// The SVG path, relative to the start of the baseline; "" for a space.
    pub path: &'static str,
}

/// The glyphs by letter. Each line of the file has a Unicode code point, a width and a path.
static GLYPHS: LazyLock<BTreeMap<char, Glyph>> = LazyLock::new(|| {
    let glyph = |line: &'static str| {
        let mut cells = line.split('\t');
        let letter = char::from_u32(u32::from_str_radix(cells.next()?, 16).ok()?)?;
        Some((letter, Glyph { wide: cells.next()?.parse().ok()?, path: cells.next()? }))
    };
    include_str!("font/dejavu-sans-condensed-bold.tsv").lines().filter_map(glyph).collect()
});

/// Returns the letter itself, or a question mark if it has no outline.
pub(super) fn drawn(letter: char) -> char {
    if GLYPHS.contains_key(&letter) { letter } else { '?' }
}

/// Returns the outline of a letter returned by [`drawn`].
pub(super) fn glyph(letter: char) -> Glyph {
    GLYPHS.get(&letter).copied().unwrap_or(Glyph { wide: EM / 2, path: "" })
}

/// Returns the width of a text at this font size.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let wide: i32 = text.chars().map(|letter| glyph(drawn(letter)).wide).sum();
    f64::from(wide) * size / f64::from(EM)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_outlines() {
        for letter in ('!'..='~').chain("ÀÉñüŠ–’×".chars()) {
            let Glyph { wide, path } = glyph(letter);
            assert!(wide > 200 && path.starts_with('M') && drawn(letter) == letter, "{letter}");
        }
        assert_eq!(drawn('漢'), '?');
        assert!(width("WW", 10.0) > width("ii", 10.0) && glyph(' ').path.is_empty());
    }
}
