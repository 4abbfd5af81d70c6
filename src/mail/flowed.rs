//! Plain text as lines with a quote depth, both fixed and `format=flowed` (RFC 3676).

use std::borrow::Cow;

use super::order_text::Marked;

/// A line of a message's text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    /// The quote depth; 0 for the sender's own text.
    pub depth: usize,
    /// The text without quote marks. Trailing white space may be significant ("-- ").
    pub text: String,
    /// The line number in the original body, counted from 1; for a flowed paragraph, that of its
    /// first line.
    pub no: usize,
    /// `true` if the program that wrote it marked it as a signature (HTML only).
    pub signature: bool,
    /// `true` if a blank line precedes it.
    pub after_blank: bool,
    /// The mark of text that is struck out or hidden (HTML only).
    pub marked: Option<Marked>,
}

impl Line {
    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// The format of a text/plain part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Lines are separate.
    Fixed,
    /// A space at the end of a line joins it to the next. With `delsp`, that space is removed.
    Flowed { delsp: bool },
}

/// Splits a text into lines and removes the quote marks of programs and people.
pub(super) fn lines(text: &str, format: Format) -> Vec<Line> {
    // In RFC 3676, the only quote mark is `>`, and a space before it (section 4.4) makes it text.
    // In practice, a `>` after a space is a quote mark that a person or a program added; so is a
    // bar.
    split(text, format, |raw| match unquote_flowed(raw) {
        (0, content) => unquote_fixed(content),
        quoted => quoted,
    })
}

/// Splits a text with the flowed quote marks of RFC 3676 only: for letters of this service, where a
/// bar at the start is text.
pub(super) fn lines_of_letter(text: &str, format: Format) -> Vec<Line> {
    split(text, format, unquote_flowed)
}

fn split(text: &str, format: Format, unquote_flowed: impl Fn(&str) -> (usize, &str)) -> Vec<Line> {
    let text = &*with_plain_ends(text);
    let mut lines: Vec<Line> = Vec::new();
    // `true` if the last line continues in the next one.
    let mut open = false;
    let names = if format == Format::Fixed { other_marks(text) } else { Vec::new() };
    for (index, raw) in text.lines().enumerate() {
        let raw = raw.trim_end_matches('\r');
        let (depth, content) = match format {
            Format::Fixed => match names.iter().find_map(|name| raw.trim_start().strip_prefix(name.as_str())) {
                Some(rest) => (1, rest.strip_prefix(' ').unwrap_or(rest)),
                None => unquote_fixed(raw),
            },
            Format::Flowed { .. } => unquote_flowed(raw),
        };
        let (text, flows) = match format {
            // RFC 3676 section 4.3: the signature separator ends in a space but does not flow.
            Format::Flowed { delsp } if content.ends_with(' ') && content != "-- " => {
                (if delsp { &content[..content.len() - 1] } else { content }, true)
            }
            _ => (content, false),
        };
        match lines.last_mut() {
            Some(last) if open && last.depth == depth && content != "-- " => last.text.push_str(text),
            _ => {
                let after_blank = lines.last().is_some_and(Line::is_blank);
                lines.push(Line {
                    depth,
                    text: text.to_string(),
                    no: index + 1,
                    signature: false,
                    after_blank,
                    marked: None,
                });
            }
        }
        open = flows;
    }
    lines
}

/// Returns `true` if a character other than newline and carriage return ends a line for human
/// readers (Unicode section 5.8).
pub(super) fn ends_line(c: char) -> bool {
    matches!(c, '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Replaces everything that ends a line with newlines: single carriage returns and the Unicode
/// separators.
fn with_plain_ends(text: &str) -> Cow<'_, str> {
    let bare = |(at, _): &(usize, char)| !text[at + 1..].starts_with('\n');
    if !text.contains(ends_line) && !text.char_indices().filter(|(_, c)| *c == '\r').any(|one| bare(&one)) {
        return Cow::Borrowed(text);
    }
    let plain = |(at, c): (usize, char)| if ends_line(c) || c == '\r' && bare(&(at, c)) { '\n' } else { c };
    Cow::Owned(text.char_indices().map(plain).collect())
}

/// Removes the quote marks of fixed text, where `>>`, `> >` and `> > ` are equivalent.
fn unquote_fixed(raw: &str) -> (usize, &str) {
    let (mut depth, mut rest) = (0, raw);
    // An indented mark still quotes, but a line of white space must stay unchanged.
    while let Some(after) = rest.trim_start_matches([' ', '\t', '\u{a0}']).strip_prefix(['>', '|', '»', '＞']) {
        if rest.trim_start().starts_with('|') && is_between_bars(after) {
            break;
        }
        depth += 1;
        rest = after;
    }
    if depth > 0 { (depth, rest.strip_prefix(' ').unwrap_or(rest)) } else { (0, raw) }
}

/// Returns `true` if a bar was the first of two around a word: Thunderbird writes `|word|` for
/// fixed-width text.
fn is_between_bars(after: &str) -> bool {
    let word = after.split('|').next().unwrap_or_default();
    after.contains('|') && !word.is_empty() && !word.starts_with([' ', '>']) && !word.ends_with(' ')
}

/// Removes the quote marks of a line of HTML that are written as in plain text.
pub(super) fn take_marks(line: &mut Line) {
    if line.text.trim_start().starts_with('>') {
        let (depth, rest) = unquote_fixed(&line.text);
        (line.depth, line.text) = (line.depth + depth, rest.to_owned());
    }
}

/// Finds quote marks other than `>`: a name, initials or punctuation before a bracket (`PO> `,
/// `+> `, `--] `), with which several lines begin.
fn other_marks(text: &str) -> Vec<String> {
    let mut found: Vec<(&str, usize)> = Vec::new();
    for line in text.lines() {
        let Some(mark) = other_mark(line.trim_start()) else { continue };
        if let Some((_, count)) = found.iter_mut().find(|(known, _)| *known == mark) {
            *count += 1;
        } else if found.len() < 8 {
            found.push((mark, 1));
        }
    }
    let often = |(mark, count): &(&str, usize)| {
        // Punctuation before this bracket is always a quote mark.
        *count > 1 || (mark.len() > 2 && mark.ends_with(']'))
    };
    found.into_iter().filter(often).map(|(mark, _)| mark.to_owned()).collect()
}

/// Returns the start of a line if it may be a quote mark: up to twelve letters or up to three
/// punctuation characters, and a closing bracket.
fn other_mark(line: &str) -> Option<&str> {
    if line.starts_with(": ") {
        return line.get(..2);
    }
    let end = line.find(['>', ']', ')'])?;
    let (before, mark) = (&line[..end], &line[..=end]);
    let name = line[end..].starts_with('>') && before.len() <= 12 && before.chars().all(char::is_alphabetic);
    let sign = |c: char| c.is_ascii_punctuation() && !matches!(c, '>' | '<' | '[' | '(' | '{');
    let signs = before.len() <= 3 && before.chars().all(sign);
    // "-> " and "=> " are arrows, and ":) " is a smiley.
    let arrow = line[end..].starts_with('>') && before.chars().all(|c| matches!(c, '-' | '=' | '~'));
    let smile = before.contains([':', ';', '=', '^', '\'', '*']);
    ((name && !before.is_empty()) || (signs && !arrow && !smile)).then_some(mark)
}

/// Removes the quote marks of flowed text (RFC 3676 section 4.5): consecutive marks, optionally
/// followed by a space.
fn unquote_flowed(raw: &str) -> (usize, &str) {
    let rest = raw.trim_start_matches('>');
    let depth = raw.len() - rest.len();
    let content = rest.strip_prefix(' ').unwrap_or(rest);
    if depth > 0 {
        // Some programs use flowed lines but quote as in fixed text.
        let (more, inner) = unquote_fixed(content);
        return if more > 0 { (depth + more, inner) } else { (depth, content) };
    }
    (0, content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, format: Format) -> Vec<(usize, String)> {
        lines(text, format).into_iter().map(|line| (line.depth, line.text)).collect()
    }

    fn expect(pairs: &[(usize, &str)]) -> Vec<(usize, String)> {
        pairs.iter().map(|(depth, text)| (*depth, (*text).to_string())).collect()
    }

    #[test]
    fn fixed_text_knows_every_way_to_quote() {
        let read = read("own\r\n> one\r\n>> two\r\n> > two\r\n >three?\r\n", Format::Fixed);
        assert_eq!(read, expect(&[(0, "own"), (1, "one"), (2, "two"), (2, "two"), (1, "three?")]));
    }

    #[test]
    fn flowed_paragraphs_are_joined_within_their_depth() {
        let text = "play raid: comanche \r\nraid mexico\r\n> quoted \r\n> goes on\r\n>> deeper \r\n> not joined\r\n";
        assert_eq!(
            read(text, Format::Flowed { delsp: false }),
            expect(&[(0, "play raid: comanche raid mexico"), (1, "quoted goes on"), (2, "deeper "), (1, "not joined")])
        );
    }

    #[test]
    fn delsp_takes_the_space_away() {
        assert_eq!(
            read("refuse trea \r\nty navajo\r\n", Format::Flowed { delsp: true }),
            expect(&[(0, "refuse treaty navajo")])
        );
    }

    #[test]
    fn stuffed_lines_lose_one_space_and_signatures_stand_alone() {
        let text = "pass \r\n-- \r\nBen\r\n From here\r\n";
        assert_eq!(
            read(text, Format::Flowed { delsp: false }),
            expect(&[(0, "pass "), (0, "-- "), (0, "Ben"), (0, "From here")])
        );
    }

    #[test]
    fn a_mark_that_was_stuffed_quotes_all_the_same() {
        let text = " > quoted by hand\r\n > and on\r\npass\r\n > > twice\r\n| a bar\r\n";
        assert_eq!(
            read(text, Format::Flowed { delsp: false }),
            expect(&[(1, "quoted by hand"), (1, "and on"), (0, "pass"), (2, "twice"), (1, "a bar")])
        );
    }

    #[test]
    fn a_word_between_bars_is_no_quotation() {
        let text = "|ttimestamp|, |has_time|, or |teob|) in my\n| a | b |\n|quoted too\n";
        for format in [Format::Fixed, Format::Flowed { delsp: false }] {
            let depths: Vec<usize> = read(text, format).into_iter().map(|(depth, _)| depth).collect();
            assert_eq!(depths, [0, 1, 1], "{format:?}");
        }
    }

    #[test]
    fn marks_of_other_signs_are_known_by_what_several_lines_begin_with() {
        for mark in ["PO> ", "t> ", "+> ", "&> ", "`> ", ") ", "] ", "--]", "  R> ", ": "] {
            let text = format!("{mark}refuse treaty navajo\n{mark}discard raid\npass\n");
            let quoted: Vec<usize> = read(&text, Format::Fixed).into_iter().map(|(depth, _)| depth).collect();
            assert_eq!(quoted, [1, 1, 0], "{mark}");
        }
        assert_eq!(read("--]what is this\npass\n", Format::Fixed)[0].0, 1);
        for own in
            ["-> pass", "=> pass", ":) pass", "1) pass", "a) pass", "(a) pass", "[a] pass", "2901 > 2902", "h2->h3"]
        {
            let text = format!("{own}\n{own}\n");
            assert!(read(&text, Format::Fixed).iter().all(|(depth, _)| *depth == 0), "{own}");
        }
    }
}
