//! Writing SVG: elements, escaped texts, letters as outlines.

use super::font;
use postrider_orders::visible;
use std::{collections::BTreeSet, fmt::Write};

/// The colour of writing.
pub(super) const BLACK: &str = "#1c1c1c";

/// SVG that grows.
#[derive(Default)]
pub(super) struct Canvas {
    body: String,
    letters: BTreeSet<char>,
}

/// Where a text stands from the point it is set at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    Left,
    Middle,
}

/// How a text looks.
#[derive(Clone, Copy)]
pub(super) struct Ink<'c> {
    pub size: f64,
    pub colour: &'c str,
    /// The colour of a rim around the letters; "" for none.
    pub rim: &'c str,
}

/// A text that nothing in SVG takes for its own.
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
            // XML has neither of these.
            '\u{fffe}' | '\u{ffff}' => out.push('?'),
            c => out.push(c),
        }
    }
    out
}

/// A number with at most one digit behind the point.
pub(super) fn short(number: f64) -> String {
    let tenths = (number * 10.0).round() / 10.0;
    // No `-0`.
    format!("{}", if tenths == 0.0 { 0.0 } else { tenths })
}

/// Points as `points` of a polygon.
pub(super) fn points(list: &[(f64, f64)]) -> String {
    list.iter().map(|(x, y)| format!("{},{}", short(*x), short(*y))).collect::<Vec<_>>().join(" ")
}

impl Canvas {
    /// Adds SVG as it stands.
    pub(super) fn raw(&mut self, svg: &str) {
        self.body.push_str(svg);
        self.body.push('\n');
    }

    /// A polygon; `style` are its other attributes.
    pub(super) fn polygon(&mut self, list: &[(f64, f64)], style: &str) {
        self.raw(&format!("<polygon points=\"{}\" {style}/>", points(list)));
    }

    /// A line through points; `style` are its other attributes.
    pub(super) fn line(&mut self, list: &[(f64, f64)], style: &str) {
        self.raw(&format!("<polyline points=\"{}\" {style}/>", points(list)));
    }

    /// A rectangle with round corners; `style` are its other attributes.
    pub(super) fn rect(&mut self, [x, y, w, h]: [f64; 4], round: f64, style: &str) {
        let [x, y, w, h, round] = [x, y, w, h, round].map(short);
        self.raw(&format!("<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{round}\" {style}/>"));
    }

    /// A circle; `style` are its other attributes.
    pub(super) fn circle(&mut self, (x, y): (f64, f64), r: f64, style: &str) {
        let [x, y, r] = [x, y, r].map(short);
        self.raw(&format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" {style}/>"));
    }

    /// A text on one line; `y` is the middle of its capital letters.
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
            // Letters are drawn in their own units.
            let wide = short(3.6 / scale);
            format!(" stroke=\"{}\" stroke-width=\"{wide}\" stroke-linejoin=\"round\" paint-order=\"stroke\"", ink.rim)
        };
        let (left, base, colour) = (short(left), short(base), ink.colour);
        self.raw(&format!(
            "<g transform=\"translate({left} {base}) scale({scale:.4})\" fill=\"{colour}\" shape-rendering=\"geometricPrecision\"{rim}>{run}</g>"
        ));
    }

    /// What was drawn so far, and the letters it needs.
    pub(super) fn into_parts(self) -> (String, BTreeSet<char>) {
        (self.body, self.letters)
    }

    /// Letters that are needed although they stand nowhere yet.
    pub(super) fn need(&mut self, letters: &BTreeSet<char>) {
        self.letters.extend(letters);
    }

    /// The whole drawing: so wide and high, called so and described so.
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
