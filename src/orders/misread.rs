//! Words that could not be read: the position, what was expected, and the nearest names.

use super::text::list_or;

/// Maximum number of characters of a line that are shown. With a letter's indent and two ellipses
/// they still fit 76 columns.
const WIDEST: usize = 60;

/// The reason a clause could not be read, with the position of the words.
///
/// Its `Display` output is one sentence without a full stop, including the nearest names if there
/// are any.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.sentence())]
pub struct Misread {
    /// First column of the words, in characters from the start of the whole line.
    pub start: usize,
    /// Column after the words, at most the length of the line. It equals `start` if something is
    /// missing.
    pub end: usize,
    /// The reason, in words for the player.
    pub why: String,
    /// Names that may have been meant, the most likely first.
    pub nearest: Vec<String>,
    /// Number of words of the clause that were read before this. If several prompts misread a
    /// clause, the highest number is reported.
    pub understood: usize,
}

impl Misread {
    fn sentence(&self) -> String {
        // An ambiguous name already lists the candidates.
        if self.nearest.iter().all(|name| self.why.contains(name.as_str())) {
            self.why.clone()
        } else {
            format!("{}; did you mean {}?", self.why, list_or(&self.nearest))
        }
    }

    /// Returns the line and, below it, a line of `^` under the words, without a final newline.
    ///
    /// `line` is the line that the clause was cut from ([`Phrase::line`](super::Phrase::line)). A
    /// long line is shortened to the part around the words. Tabs and control characters become
    /// spaces, so that the marks are in the right columns.
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
        // Start at the beginning of a word.
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

    /// Returns the more helpful of two misreadings of one clause: the one that read more words,
    /// otherwise the one that suggests names, otherwise `self`.
    #[must_use]
    pub fn best(self, other: Misread) -> Misread {
        let worth = |m: &Misread| (m.understood, !m.nearest.is_empty());
        if worth(&other) > worth(&self) { other } else { self }
    }
}
