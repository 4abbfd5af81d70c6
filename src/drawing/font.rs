//! Letters as outlines, so that a drawing looks the same everywhere, with or without fonts.
//!
//! The outlines are those of DejaVu Sans Condensed Bold, rounded to a thousandth of the size; `font/LICENSE` is their licence.

use std::{collections::BTreeMap, sync::LazyLock};

/// Outlines are drawn in so many units to the size of the letters.
pub(super) const EM: i32 = 1000;

/// How high capital letters are, in these units.
pub(super) const CAPITAL: i32 = 729;

/// The outline of a letter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glyph {
    /// How far the next letter is.
    pub wide: i32,
    /// The outline as SVG has it, from the beginning of the line; "" for blanks.
    pub path: &'static str,
}

/// A line for each letter: its number in Unicode, its width, its outline.
static GLYPHS: LazyLock<BTreeMap<char, Glyph>> = LazyLock::new(|| {
    let glyph = |line: &'static str| {
        let mut cells = line.split('\t');
        let letter = char::from_u32(u32::from_str_radix(cells.next()?, 16).ok()?)?;
        Some((letter, Glyph { wide: cells.next()?.parse().ok()?, path: cells.next()? }))
    };
    include_str!("font/dejavu-sans-condensed-bold.tsv").lines().filter_map(glyph).collect()
});

/// The letter that is drawn for another: itself, or a question mark where there is no outline.
pub(super) fn drawn(letter: char) -> char {
    if GLYPHS.contains_key(&letter) { letter } else { '?' }
}

/// The outline of a letter that is [`drawn`].
pub(super) fn glyph(letter: char) -> Glyph {
    GLYPHS.get(&letter).copied().unwrap_or(Glyph { wide: EM / 2, path: "" })
}

/// How wide a text of this size is.
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
