//! Colours for the text of letters at a terminal. No information is given by colour alone.

use super::{BAD, FAINT, GOOD, HEAD, TYPED, has_colours, styled};
use postrider_orders::option_letter;
use std::borrow::Cow;

/// The prefix of an executed order in a letter.
const DONE_WORD: &str = "  done      ";
/// The prefixes of orders that were not executed.
const NOT_DONE_WORDS: [&str; 2] = ["  not done  ", "  skipped   "];

/// Colours the text of a letter, if colours are supported. The characters remain the same.
pub(crate) fn painted(text: &str) -> Cow<'_, str> {
    if has_colours() { paint(text).into() } else { text.into() }
}

/// Colours the prompt, if colours are supported.
pub(crate) fn prompt(text: &str) -> Cow<'_, str> {
    if has_colours() { styled(TYPED, text).into() } else { text.into() }
}

fn paint(text: &str) -> String {
    // Options come in the order of their letters, which distinguishes them from words of two
    // letters at the start of a line.
    let mut next = 0;
    text.split_inclusive('\n')
        .map(|line| {
            let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
            let option = [next, 0].into_iter().find_map(|at| Some((at, option(line, &option_letter(at))?)));
            let painted = match option {
                Some((at, (letter, words, note))) => {
                    next = at + 1;
                    let note = if note.is_empty() { String::new() } else { styled(FAINT, note) };
                    styled(TYPED, letter) + words + &note
                }
                None => painted_line(line),
            };
            painted + end
        })
        .collect()
}

fn painted_line(line: &str) -> String {
    if is_heading(line) || is_question(line) {
        return styled(HEAD, line);
    }
    if !line.trim().is_empty() && line.trim().chars().all(|c| c == '^') {
        return styled(BAD, line);
    }
    if let Some(order) = line.strip_prefix(DONE_WORD) {
        return styled(GOOD, DONE_WORD) + order;
    }
    match NOT_DONE_WORDS.into_iter().find(|word| line.starts_with(word)) {
        Some(word) => styled(BAD, word) + &line[word.len()..],
        None => line.to_owned(),
    }
}

/// Matches `WHERE YOU STAND` and `PREVIEW: nothing was done.`
fn is_heading(line: &str) -> bool {
    let first = line.split([' ', ':']).next().unwrap_or_default();
    first.len() > 1 && first.chars().all(|c| c.is_ascii_uppercase())
}

/// Matches `  1. What is asked (rule 6.1)`.
fn is_question(line: &str) -> bool {
    let number = line.strip_prefix("  ").and_then(|line| line.split_once(". ")).map(|(number, _)| number);
    number.is_some_and(|number| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()))
}

/// Splits `     a  evade  (a note)`, the option with this letter, into its three parts.
fn option<'l>(line: &'l str, letter: &str) -> Option<(&'l str, &'l str, &'l str)> {
    let words =
        line.strip_prefix(&format!("     {letter:<3}")).filter(|words| !words.is_empty() && !words.starts_with(' '))?;
    let (head, rest) = line.split_at(5 + letter.len());
    match words.rfind("  (").map(|at| at + line.len() - words.len()) {
        Some(at) if words.ends_with(')') => Some((head, &line[head.len()..at], &line[at..])),
        _ => Some((head, rest, "")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTER: &str = "\
WHERE YOU STAND
  US    12 VPs
  1. Evade the attack or stand (rule 7.51)
     You evade on a DR of 4 or less; a 0 costs a BP.
     a  evade  (40 %)
     b  stand
  done      evade
  not done  stnad
            ^^^^^
";

    #[test]
    fn heads_options_and_what_became_of_orders_are_painted_and_nothing_is_lost() {
        let painted = paint(LETTER);
        assert_eq!(anstream::adapter::strip_str(&painted).to_string(), LETTER);
        let counts: Vec<usize> = painted.lines().map(|line| line.matches("\u{1b}[0m").count()).collect();
        assert_eq!(counts, [1, 0, 1, 0, 2, 1, 1, 1, 1], "{painted:?}");
        assert!(
            painted.contains(&styled(TYPED, "     a")) && painted.contains(&styled(FAINT, "  (40 %)")),
            "{painted:?}"
        );
    }

    #[test]
    fn sentences_and_words_of_a_letter_are_no_options() {
        for line in
            ["     a Village may go there", "     go to Texas", "     ", "     a", "     b  stand", "  no. 1. x"]
        {
            assert_eq!(paint(line), line);
        }
    }
}
