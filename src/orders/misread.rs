//! Words that were not read: where reading stopped, what was expected, and the nearest names.

use super::text::list_or;

/// Lines longer than this are shown in part: behind the indent of a letter and between two ellipses they still fit 76
/// columns.
const WIDEST: usize = 60;

/// Why a clause was not understood, pointing at the words.
///
/// Its `Display` is one sentence without a full stop, with the nearest names where there are any.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.sentence())]
pub struct Misread {
    /// First column pointed at, in characters from the start of the whole line.
    pub start: usize,
    /// The column after the last one pointed at; equal to `start` where something is missing. Never past the line's end.
    pub end: usize,
    /// The reason, in words for the player.
    pub why: String,
    /// Names that may have been meant, the likeliest first.
    pub nearest: Vec<String>,
    /// Words of the clause that were understood before this: of several prompts' misreadings the greatest is reported.
    pub understood: usize,
}

impl Misread {
    fn sentence(&self) -> String {
        // An ambiguous name already lists what it could be.
        if self.nearest.iter().all(|name| self.why.contains(name.as_str())) {
            self.why.clone()
        } else {
            format!("{}; did you mean {}?", self.why, list_or(&self.nearest))
        }
    }

    /// The line, and below it a line of `^` under the words that were not understood (both without a newline at the end).
    ///
    /// `line` is the line that the clause was cut from ([`Phrase::line`](super::Phrase::line)). Of a long line only the
    /// neighbourhood is shown; tabs and control characters become blanks, so that the marks stand where they should.
    ///
    /// ```
    /// use postrider_orders::{Names, Phrase};
    /// let places = Names::from_iter("place", [("Utah", 1), ("Texas", 2)]);
    /// let phrase = Phrase::new("raid Oregon");
    /// let mut reader = phrase.reader();
    /// assert!(reader.eat("raid"));
    /// let misread = reader.name(&places).unwrap_err();
    /// assert_eq!(misread.point(phrase.line()), "raid Oregon\n     ^^^^^^");
    /// ```
    pub fn point(&self, line: &str) -> String {
        let line: Vec<char> = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let start = self.start.min(line.len());
        let end = self.end.clamp(start, line.len());
        let first = if line.len() <= WIDEST { 0 } else { start.saturating_sub(WIDEST / 2).min(line.len() - WIDEST) };
        // No word is shown from its middle on.
        let whole = (first..start).find(|&at| first > 0 && line[at].is_whitespace()).map_or(first, |blank| blank + 1);
        let first = whole.min(start);
        let last = line.len().min(first + WIDEST);

        let before = if first > 0 { "… " } else { "" };
        let after = if last < line.len() { " …" } else { "" };
        let shown: String = line[first..last].iter().collect();
        let indent = before.chars().count() + start - first;
        let marks = end.min(last).saturating_sub(start).max(1);
        format!("{before}{shown}{after}\n{}{}", " ".repeat(indent), "^".repeat(marks))
    }

    /// Of two misreadings of one clause the one more likely to help: the one that understood more words, then the one
    /// that has names to offer, then `self`.
    #[must_use]
    pub fn best(self, other: Misread) -> Misread {
        let worth = |m: &Misread| (m.understood, !m.nearest.is_empty());
        if worth(&other) > worth(&self) { other } else { self }
    }
}
