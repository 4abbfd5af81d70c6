//! The source of input lines: a terminal with completion and history, or a file.

use crate::terminal;
use rustyline::{
    Config, Context, Editor, Helper, completion::Completer, error::ReadlineError, highlight::Highlighter, hint::Hinter,
    history::FileHistory, validate::Validator,
};
use std::{
    borrow::Cow,
    io::{self, BufRead, IsTerminal, Write},
    path::{Path, PathBuf},
};

/// The file in the host's folder with the history of the terminal.
const HISTORY: &str = ".play-history";
/// Maximum number of lines kept in it.
const KEPT: usize = 500;

/// The lines that a player types or that a script contains.
pub(super) enum Lines {
    Terminal { editor: Box<Editor<Words, FileHistory>>, history: PathBuf },
    Plain,
}

impl Lines {
    /// Opens the terminal, if there is one.
    pub fn open(root: &Path) -> Lines {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Lines::Plain;
        }
        let config = Config::builder().max_history_size(KEPT).map(|config| config.auto_add_history(true).build());
        let Ok(Ok(mut editor)) = config.map(Editor::with_config) else { return Lines::Plain };
        let history = root.join(HISTORY);
        // The history does not exist at first.
        let _ = editor.load_history(&history);
        editor.set_helper(Some(Words::default()));
        Lines::Terminal { editor: Box::new(editor), history }
    }
    /// Sets the answers to complete.
    pub fn complete(&mut self, answers: &[String]) {
        if let Lines::Terminal { editor, .. } = self
            && let Some(words) = editor.helper_mut()
        {
            words.answers = COMMANDS.iter().map(|&word| word.to_owned()).chain(answers.iter().cloned()).collect();
        }
    }
    /// Reads the next line; `None` at the end. A script's lines are printed after the prompt, so
    /// that the transcript is readable.
    pub fn read(&mut self, prompt: &str) -> io::Result<Option<String>> {
        match self {
            Lines::Terminal { editor, history } => match editor.readline(prompt) {
                Ok(line) => {
                    // A history that cannot be saved is not an error.
                    let _ = editor.append_history(history);
                    Ok(Some(line))
                }
                Err(ReadlineError::Interrupted) => Ok(Some(String::new())),
                Err(ReadlineError::Eof) => Ok(None),
                Err(ReadlineError::Io(why)) => Err(why),
                Err(other) => Err(io::Error::other(other)),
            },
            Lines::Plain => {
                let mut line = String::new();
                let read = io::stdin().lock().read_line(&mut line)?;
                let mut out = io::stdout().lock();
                writeln!(out, "{prompt}{}", line.trim_end())?;
                Ok((read > 0).then(|| line.trim_end().to_owned()))
            }
        }
    }
}

/// Commands other than orders.
const COMMANDS: [&str; 11] =
    ["view", "log", "asked", "preview", "help", "map", "neighbours of", "standing", "status", "undo", "quit"];

/// The texts to complete: whole answers, or otherwise their words.
#[derive(Default)]
pub(super) struct Words {
    answers: Vec<String>,
}

impl Words {
    /// Returns the start of the text to complete, and the completions.
    fn completed(&self, before: &str) -> (usize, Vec<String>) {
        let order = before.rfind(';').map_or(0, |at| at + 1);
        let order = order + before[order..].len() - before[order..].trim_start().len();
        let begins = |text: &str, with: &str| {
            text.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with)) && text.len() > with.len()
        };
        let whole: Vec<String> = self.answers.iter().filter(|text| begins(text, &before[order..])).cloned().collect();
        if !whole.is_empty() {
            return (order, whole);
        }
        let word = before.rfind(char::is_whitespace).map_or(order, |at| at + 1).max(order);
        let all = self.answers.iter().flat_map(|answer| answer.split_whitespace());
        let mut words: Vec<String> =
            all.filter(|text| begins(text, &before[word..]) && word < before.len()).map(str::to_owned).collect();
        words.sort_unstable();
        words.dedup();
        (word, words)
    }
}

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.completed(&line[..at]))
    }
}

impl Hinter for Words {
    type Hint = String;
}
impl Highlighter for Words {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        terminal::prompt(prompt)
    }
}
impl Validator for Words {}
impl Helper for Words {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_completed_and_else_their_words() {
        let answers = ["settle utah", "settle nevada", "pass", "kiowa raid mexico"].map(str::to_owned);
        let words = Words { answers: answers.into() };
        let completed = |before: &str| {
            let (at, all) = words.completed(before);
            (at, all.join(", "))
        };
        assert_eq!(completed("set"), (0, "settle utah, settle nevada".into()));
        assert_eq!(completed("Settle U"), (0, "settle utah".into()));
        assert_eq!(completed("pass; ki"), (6, "kiowa raid mexico".into()));
        assert_eq!(completed("place in nev"), (9, "nevada".into()));
        assert_eq!(completed("nothing like it "), (16, String::new()));
    }
}
