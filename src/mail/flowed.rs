//! Plain text as lines with a quote depth: fixed text, and text of `format=flowed` (RFC 3676).

use std::borrow::Cow;

use super::order_text::Marked;

/// One line of a message's text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    /// How many times it is quoted; 0 is the sender's own.
    pub depth: usize,
    /// The text without quote marks; white space at the end may matter ("-- ").
    pub text: String,
    /// The line's number in the body as it came, from 1; of a flowed paragraph the first.
    pub no: usize,
    /// Marked as a signature by the program that wrote it (HTML only).
    pub signature: bool,
    /// Whether an empty line stands before it.
    pub after_blank: bool,
    /// Struck out, or hidden (HTML only).
    pub marked: Option<Marked>,
}

impl Line {
    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// How the lines of a text/plain part are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Each line stands as it is.
    Fixed,
    /// A space at the end joins the next line; with `delsp` that space itself is not part of the text.
    Flowed { delsp: bool },
}

/// Splits a text into lines and takes the quote marks off, whatever a program or a person made of them.
pub(super) fn lines(text: &str, format: Format) -> Vec<Line> {
    // RFC 3676 knows no other mark than `>`, and a stuffed space before one (section 4.4) says that it is text. Who has typed it, or
    // whose program has put it there, has quoted all the same; so has who marks by bars.
    split(text, format, |raw| match unquote_flowed(raw) {
        (0, content) => unquote_fixed(content),
        quoted => quoted,
    })
}

/// The same with the marks of flowed text as RFC 3676 has them: for letters of ours, in which a bar at the start is text.
pub(super) fn lines_of_letter(text: &str, format: Format) -> Vec<Line> {
    split(text, format, unquote_flowed)
}

fn split(text: &str, format: Format, unquote_flowed: impl Fn(&str) -> (usize, &str)) -> Vec<Line> {
    let text = &*with_plain_ends(text);
    let mut lines: Vec<Line> = Vec::new();
    // Whether the last line waits for its continuation.
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

/// Whether a character ends a line where people read it, though it is no newline (Unicode 5.8).
pub(super) fn ends_line(c: char) -> bool {
    matches!(c, '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The text with newlines for whatever ends a line: carriage returns alone, and the separators of Unicode.
fn with_plain_ends(text: &str) -> Cow<'_, str> {
    let bare = |(at, _): &(usize, char)| !text[at + 1..].starts_with('\n');
    if !text.contains(ends_line) && !text.char_indices().filter(|(_, c)| *c == '\r').any(|one| bare(&one)) {
        return Cow::Borrowed(text);
    }
    let plain = |(at, c): (usize, char)| if ends_line(c) || c == '\r' && bare(&(at, c)) { '\n' } else { c };
    Cow::Owned(text.char_indices().map(plain).collect())
}

/// Fixed text: programs write `>>`, `> >` and `> > ` alike.
fn unquote_fixed(raw: &str) -> (usize, &str) {
    let (mut depth, mut rest) = (0, raw);
    // An indented mark still quotes; a line of white space alone must stay as it is.
    while let Some(after) = rest.trim_start_matches([' ', '\t', '\u{a0}']).strip_prefix(['>', '|', '»', '＞']) {
        if rest.trim_start().starts_with('|') && is_between_bars(after) {
            break;
        }
        depth += 1;
        rest = after;
    }
    if depth > 0 { (depth, rest.strip_prefix(' ').unwrap_or(rest)) } else { (0, raw) }
}

/// Whether a bar was the first of two around a word: Thunderbird writes `|word|` for what is shown in a fixed width.
fn is_between_bars(after: &str) -> bool {
    let word = after.split('|').next().unwrap_or_default();
    after.contains('|') && !word.is_empty() && !word.starts_with([' ', '>']) && !word.ends_with(' ')
}

/// Takes the marks off a line of HTML that quotes as plain text does.
pub(super) fn take_marks(line: &mut Line) {
    if line.text.trim_start().starts_with('>') {
        let (depth, rest) = unquote_fixed(&line.text);
        (line.depth, line.text) = (line.depth + depth, rest.to_owned());
    }
}

/// Marks other than `>` by which a text quotes, name or initials or signs before a bracket (`PO> `, `+> `, `--] `): what several
/// lines begin with.
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
        // Nobody begins a line with signs and this bracket, but for a mark.
        *count > 1 || (mark.len() > 2 && mark.ends_with(']'))
    };
    found.into_iter().filter(often).map(|(mark, _)| mark.to_owned()).collect()
}

/// What a line begins with if that may be a mark: up to twelve letters, or a few signs, and a bracket that closes.
fn other_mark(line: &str) -> Option<&str> {
    if line.starts_with(": ") {
        return line.get(..2);
    }
    let end = line.find(['>', ']', ')'])?;
    let (before, mark) = (&line[..end], &line[..=end]);
    let name = line[end..].starts_with('>') && before.len() <= 12 && before.chars().all(char::is_alphabetic);
    let sign = |c: char| c.is_ascii_punctuation() && !matches!(c, '>' | '<' | '[' | '(' | '{');
    let signs = before.len() <= 3 && before.chars().all(sign);
    // "-> " and "=> " are arrows, ":) " is a smile.
    let arrow = line[end..].starts_with('>') && before.chars().all(|c| matches!(c, '-' | '=' | '~'));
    let smile = before.contains([':', ';', '=', '^', '\'', '*']);
    ((name && !before.is_empty()) || (signs && !arrow && !smile)).then_some(mark)
}

/// Flowed text (RFC 3676 section 4.5): marks stand without gaps, then one stuffed space may follow.
fn unquote_flowed(raw: &str) -> (usize, &str) {
    let rest = raw.trim_start_matches('>');
    let depth = raw.len() - rest.len();
    let content = rest.strip_prefix(' ').unwrap_or(rest);
    if depth > 0 {
        // Some programs flow their own text but quote in the old way.
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
