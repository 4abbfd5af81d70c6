//! An SVG writer: elements, escaped text, and letters as outlines.

use super::font;
use postrider_orders::visible;
use std::{collections::BTreeSet, fmt::Write};

/// The color of text.
pub(super) const BLACK: &str = "#1c1c1c";

/// An SVG document under construction.
#[derive(Default)]
pub(super) struct Canvas {
    body: String,
    letters: BTreeSet<char>,
}

/// The alignment of a text relative to its position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    Left,
    Middle,
}

/// The style of a text.
#[derive(Clone, Copy)]
pub(super) struct Ink<'c> {
    pub size: f64,
    pub colour: &'c str,
    /// The color of an outline around the letters, or "" for none.
    pub rim: &'c str,
}

/// Escapes text for SVG and makes invisible characters visible.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in visible(text).chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(' '),
            // Not allowed in XML.
            '\u{fffe}' | '\u{ffff}' => out.push('?'),
            c => out.push(c),
        }
    }
    out
}

/// Formats a number with at most one decimal.
pub(super) fn short(number: f64) -> String {
    let tenths = (number * 10.0).round() / 10.0;
    // Avoids `-0`.
    format!("{}", if tenths == 0.0 { 0.0 } else { tenths })
}

/// Formats points for the attribute `points`.
pub(super) fn points(list: &[(f64, f64)]) -> String {
    list.iter().map(|(x, y)| format!("{},{}", short(*x), short(*y))).collect::<Vec<_>>().join(" ")
}

impl Canvas {
    /// Appends SVG unchanged.
    pub(super) fn raw(&mut self, svg: &str) {
        self.body.push_str(svg);
        self.body.push('\n');
    }

    /// Appends a polygon. `style` contains its other attributes.
    pub(super) fn polygon(&mut self, list: &[(f64, f64)], style: &str) {
        self.raw(&format!("<polygon points=\"{}\" {style}/>", points(list)));
    }

    /// Appends a line through points. `style` contains its other attributes.
    pub(super) fn line(&mut self, list: &[(f64, f64)], style: &str) {
        self.raw(&format!("<polyline points=\"{}\" {style}/>", points(list)));
    }

    /// Appends a rectangle with rounded corners. `style` contains its other attributes.
    pub(super) fn rect(&mut self, [x, y, w, h]: [f64; 4], round: f64, style: &str) {
        let [x, y, w, h, round] = [x, y, w, h, round].map(short);
        self.raw(&format!("<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{round}\" {style}/>"));
    }

    /// Appends a circle. `style` contains its other attributes.
    pub(super) fn circle(&mut self, (x, y): (f64, f64), r: f64, style: &str) {
        let [x, y, r] = [x, y, r].map(short);
        self.raw(&format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" {style}/>"));
    }

    /// Appends a single line of text. `y` is the middle of its capital letters.
    pub(super) fn text(&mut self, (x, y): (f64, f64), at: At, text: &str, ink: Ink<'_>) {
        let scale = ink.size / f64::from(font::EM);
        let left = if at == At::Middle { x - font::width(text, ink.size) / 2.0 } else { x };
        let base = y + f64::from(font::CAPITAL) * scale / 2.0;
        let mut run = String::new();
        let mut along = 0;
        for letter in text.chars().map(font::drawn) {
            let glyph = font::glyph(letter);
            if !glyph.path.is_empty() {
                self.letters.insert(letter);
                let _ = write!(run, "<use href=\"#g{:x}\" x=\"{along}\"/>", u32::from(letter));
            }
            along += glyph.wide;
        }
        let rim = if ink.rim.is_empty() {
            String::new()
        } else {
            // In the units of the outlines.
            let wide = short(3.6 / scale);
            format!(" stroke=\"{}\" stroke-width=\"{wide}\" stroke-linejoin=\"round\" paint-order=\"stroke\"", ink.rim)
        };
        let (left, base, colour) = (short(left), short(base), ink.colour);
        self.raw(&format!(
            "<g transform=\"translate({left} {base}) scale({scale:.4})\" fill=\"{colour}\" shape-rendering=\"geometricPrecision\"{rim}>{run}</g>"
        ));
    }

    /// Returns the SVG so far and the letters that it uses.
    pub(super) fn into_parts(self) -> (String, BTreeSet<char>) {
        (self.body, self.letters)
    }

    /// Includes the outlines of further letters.
    pub(super) fn need(&mut self, letters: &BTreeSet<char>) {
        self.letters.extend(letters);
    }

    /// Returns the complete document with this size, title and description.
    pub(super) fn svg(self, [wide, high]: [f64; 2], title: &str, description: &str) -> String {
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\">\n\
             <title>{}</title>\n<desc>{}</desc>\n<defs>\n",
            escaped(title),
            escaped(description),
            w = short(wide),
            h = short(high),
        );
        for letter in &self.letters {
            let _ = writeln!(svg, "<path id=\"g{:x}\" d=\"{}\"/>", u32::from(*letter), font::glyph(*letter).path);
        }
        svg.push_str("</defs>\n");
        svg.push_str(&self.body);
        svg.push_str("</svg>\n");
        svg
    }
}
