//! Plain text as lines with a quote depth: fixed text, and text of `format=flowed` (RFC 3676).

/// One line of a message's text.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// Splits a text into lines and takes the quote marks off.
pub(super) fn lines(text: &str, format: Format) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    // Whether the last line waits for its continuation.
    let mut open = false;
    let names = if format == Format::Fixed { named_marks(text) } else { Vec::new() };
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
                lines.push(Line { depth, text: text.to_string(), no: index + 1, signature: false, after_blank });
            }
        }
        open = flows;
    }
    lines
}

/// Fixed text: programs write `>>`, `> >` and `> > ` alike.
fn unquote_fixed(raw: &str) -> (usize, &str) {
    let (mut depth, mut rest) = (0, raw);
    // An indented mark still quotes; a line of white space alone must stay as it is.
    while let Some(after) = rest.trim_start_matches([' ', '\t', '\u{a0}']).strip_prefix(['>', '|', '»', '＞']) {
        depth += 1;
        rest = after;
    }
    if depth > 0 { (depth, rest.strip_prefix(' ').unwrap_or(rest)) } else { (0, raw) }
}

/// Marks with a name or initials, `PO> `, by which some programs quote: what several lines begin with.
fn named_marks(text: &str) -> Vec<String> {
    let mut found: Vec<(String, usize)> = Vec::new();
    for line in text.lines() {
        let line = line.trim_start();
        let Some((name, _)) = line.split_once('>') else { continue };
        if name.is_empty() || name.len() > 12 || !name.chars().all(char::is_alphabetic) {
            continue;
        }
        let mark = format!("{name}>");
        if let Some((_, count)) = found.iter_mut().find(|(known, _)| *known == mark) {
            *count += 1;
        } else if found.len() < 8 {
            found.push((mark, 1));
        }
    }
    found.into_iter().filter(|(_, count)| *count > 2).map(|(mark, _)| mark).collect()
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
        let text = "pass \r\n-- \r\nBen\r\n >not quoted\r\n From here\r\n";
        assert_eq!(
            read(text, Format::Flowed { delsp: false }),
            expect(&[(0, "pass "), (0, "-- "), (0, "Ben"), (0, ">not quoted"), (0, "From here")])
        );
    }
}
