//! `postrider simulate --letters`: plays whole games by mail and measures the length of their
//! letters.

use super::{CliError, Output, Simulate};
use crate::new::option;
use mail_parser::MessageParser;
use postrider_demo::{Demo, Finished, play_demo};
use postrider_journal::Line;
use postrider_table::{RANDOM, Ruleset};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fmt::Write,
    path::{Path, PathBuf},
};

/// The start of an answer button in HTML.
const BUTTON: &str = "<a class=\"b\"";

/// The purpose of a letter, which determines its expected length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
enum Purpose {
    /// It asks something, with the position only in its HTML part.
    Question,
    /// It answers a mail in the same Round as the reader's last letter, and tells only the changes.
    FollowUp,
    /// It answers a mail and asks nothing.
    Answer,
    /// Its text contains the whole position.
    Position,
    /// An invitation or any other letter.
    Other,
}

/// The measurements of a letter.
struct Letter {
    purpose: Purpose,
    /// The number of lines of its text.
    lines: usize,
    /// The line where its first question begins.
    question: Option<usize>,
    /// The number of words of its text.
    words: usize,
    /// The number of answer buttons in its HTML part.
    answers: usize,
    /// The size of its HTML part in bytes, without the picture.
    html: usize,
    /// The size of the whole mail in bytes.
    bytes: usize,
}

/// The lengths of the letters of one purpose.
#[derive(Clone, Debug, Serialize)]
struct Lengths {
    letters: usize,
    median_lines: usize,
    most_lines: usize,
    /// The median and the maximum of the line where the first question begins, if any letter has a
    /// question.
    question_at: Option<(usize, usize)>,
    median_words: usize,
    most_words: usize,
    /// Answer buttons in the HTML part.
    median_answers: usize,
    most_answers: usize,
    /// Bytes of HTML without the picture.
    median_html: usize,
    most_html: usize,
    median_bytes: usize,
    most_bytes: usize,
}

/// The measurements.
#[derive(Clone, Debug, Serialize)]
struct Measured {
    games: u64,
    players: u8,
    rounds: usize,
    letters: usize,
    mails: usize,
    per_player_and_round: f64,
    by_purpose: BTreeMap<Purpose, Lengths>,
}

/// Plays the games and measures their letters.
pub(super) fn run(args: &Simulate, rules: &dyn Ruleset, players: u8) -> Result<Output, CliError> {
    let mut letters = Vec::new();
    let (mut rounds, mut mails) = (0, 0);
    for game in 0..args.games {
        let folder = tempfile::tempdir()?;
        let finished = play_by_mail(args, rules, players, game, folder.path())?;
        rounds += finished.rounds;
        mails += finished.written;
        letters.extend(read(&finished)?);
    }
    let measured = Measured {
        games: args.games,
        players,
        rounds,
        letters: letters.len(),
        mails,
        per_player_and_round: letters.len() as f64 / (rounds.max(1) * usize::from(players)) as f64,
        by_purpose: lengths(&letters),
    };
    match args.json {
        true => Output::json(&measured),
        false => Ok(in_words(&measured, rules.title()).into()),
    }
}

/// Plays a game by mail, with the first bot at every seat; `game` counts from 0.
pub(super) fn play_by_mail(
    args: &Simulate,
    rules: &dyn Ruleset,
    players: u8,
    game: u64,
    folder: &Path,
) -> Result<Finished, CliError> {
    let bot = args.bots.first().filter(|bot| *bot != RANDOM.name);
    let demo = Demo {
        folder: folder.to_owned(),
        ruleset: rules.name().to_owned(),
        seats: players,
        seed: Some(args.seed.wrapping_add(game)),
        scenario: args.scenario.clone(),
        options: args.options.iter().map(|text| option(text)).collect::<Result<_, _>>()?,
        bot: bot.cloned(),
        standing: args.standing,
        ..Demo::default()
    };
    Ok(play_demo(&demo, crate::released(), &mut |_, _| {})?)
}

/// Reads all letters of a game from the players' mailboxes.
fn read(finished: &Finished) -> Result<Vec<Letter>, CliError> {
    let rounds = rounds(&finished.journal)?;
    let mut letters = Vec::new();
    for mailbox in fs_err::read_dir(&finished.mailboxes)? {
        let files = fs_err::read_dir(mailbox?.path().join("new"))?;
        let mut files: Vec<PathBuf> = files.map(|file| Ok(file?.path())).collect::<Result<_, CliError>>()?;
        // The file names are numbered in order of arrival.
        files.sort();
        let mut last = 0;
        for file in files {
            letters.extend(letter(&file, &rounds, &mut last)?);
        }
    }
    Ok(letters)
}

/// Returns the entries of a journal that begin Rounds.
fn rounds(journal: &Path) -> Result<Vec<u64>, CliError> {
    let text = fs_err::read_to_string(journal)?;
    let mut rounds = Vec::new();
    for line in text.lines() {
        let line = Line::parse(line.as_bytes()).map_err(|why| CliError::Broken(why.to_string()))?;
        if line.kind == "round" {
            rounds.push(line.n);
        }
    }
    Ok(rounds)
}

/// Measures the letter in a file. `last` is the entry of the reader's previous letter, and is set
/// to that of this one.
fn letter(path: &Path, rounds: &[u64], last: &mut u64) -> Result<Option<Letter>, CliError> {
    let raw = fs_err::read(path)?;
    let Some(mail) = MessageParser::default().parse(&raw) else { return Ok(None) };
    let text = mail.body_text(0).unwrap_or_default().replace("\r\n", "\n");
    let question = text.lines().position(|line| line.starts_with("  1. ")).map(|at| at + 1);
    let entry = text.lines().find_map(|line| line.strip_prefix("Journal ")?.split(", ").nth(1)?.strip_prefix("entry "));
    let entry = entry.and_then(|entry| entry.parse().ok()).unwrap_or(*last);
    let before = std::mem::replace(last, entry);
    let same_round = before > 0 && !rounds.iter().any(|&round| round > before && round <= entry);
    let answers = mail.subject().is_some_and(|subject| subject.starts_with("Re: "));
    let purpose = match (text.contains("\nWHERE YOU STAND\n"), question) {
        (true, _) => Purpose::Position,
        _ if answers && same_round => Purpose::FollowUp,
        (false, Some(_)) => Purpose::Question,
        (false, None) if answers => Purpose::Answer,
        (false, None) => Purpose::Other,
    };
    let html = mail.html_bodies().find_map(|part| part.text_contents()).unwrap_or_default();
    Ok(Some(Letter {
        purpose,
        lines: text.lines().count(),
        question,
        words: text.split_whitespace().count(),
        answers: html.matches(BUTTON).count(),
        html: html.len(),
        bytes: raw.len(),
    }))
}

fn lengths(letters: &[Letter]) -> BTreeMap<Purpose, Lengths> {
    let mut by_purpose: BTreeMap<Purpose, Vec<&Letter>> = BTreeMap::new();
    for letter in letters {
        by_purpose.entry(letter.purpose).or_default().push(letter);
    }
    let of = |letters: Vec<&Letter>| {
        let (median_lines, most_lines) = middle_and_most(letters.iter().map(|letter| letter.lines));
        let (median_bytes, most_bytes) = middle_and_most(letters.iter().map(|letter| letter.bytes));
        let question_at = letters.iter().any(|letter| letter.question.is_some());
        let question_at = question_at.then(|| middle_and_most(letters.iter().filter_map(|letter| letter.question)));
        let (median_words, most_words) = middle_and_most(letters.iter().map(|letter| letter.words));
        let (median_answers, most_answers) = middle_and_most(letters.iter().map(|letter| letter.answers));
        let (median_html, most_html) = middle_and_most(letters.iter().map(|letter| letter.html));
        Lengths {
            letters: letters.len(),
            median_lines,
            most_lines,
            question_at,
            median_words,
            most_words,
            median_answers,
            most_answers,
            median_html,
            most_html,
            median_bytes,
            most_bytes,
        }
    };
    by_purpose.into_iter().map(|(purpose, letters)| (purpose, of(letters))).collect()
}

fn middle_and_most(values: impl Iterator<Item = usize>) -> (usize, usize) {
    let mut values: Vec<usize> = values.collect();
    values.sort_unstable();
    (values.get(values.len() / 2).copied().unwrap_or_default(), values.last().copied().unwrap_or_default())
}

fn in_words(measured: &Measured, title: &str) -> String {
    let Measured { games, players, rounds, letters, mails, per_player_and_round, by_purpose } = measured;
    let mut text = format!(
        "{title}, {players} players, {games} {} by mail: {rounds} Rounds, {mails} mails in, {letters} letters out, \
         {per_player_and_round:.2} for each player and Round\n\n",
        if *games == 1 { "game" } else { "games" }
    );
    let mut line = |cells: [&str; 7]| {
        let [first, letters, lines, question, words, answers, html] = cells;
        // Writing to a String cannot fail.
        let _ =
            writeln!(text, "{first:20} {letters:>7} {lines:>10} {question:>12} {words:>12} {answers:>9} {html:>14}");
    };
    line(["medians (most)", "letters", "lines", "question at", "words", "answers", "kB of HTML"]);
    let of = |(middle, most): (usize, usize)| format!("{middle} ({most})");
    for (purpose, lengths) in by_purpose {
        let name = match purpose {
            Purpose::Question => "that ask something",
            Purpose::FollowUp => "in the same Round",
            Purpose::Answer => "that answer a mail",
            Purpose::Position => "with the position",
            Purpose::Other => "others",
        };
        let kilobytes = |bytes: usize| bytes as f64 / 1000.0;
        line([
            name,
            &lengths.letters.to_string(),
            &of((lengths.median_lines, lengths.most_lines)),
            &lengths.question_at.map_or_else(String::new, of),
            &of((lengths.median_words, lengths.most_words)),
            &of((lengths.median_answers, lengths.most_answers)),
            &format!("{:.1} ({:.1})", kilobytes(lengths.median_html), kilobytes(lengths.most_html)),
        ]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use postrider_games::rulesets;

    #[test]
    fn letters_are_as_long_as_their_kind_may_be() {
        for rules in rulesets() {
            let folder = tempfile::tempdir().unwrap();
            let demo = Demo {
                folder: folder.path().to_owned(),
                ruleset: rules.name().to_owned(),
                seats: *rules.seats().end().min(&4),
                seed: Some(5),
                most: Some(40),
                bot: Some(rules.bots().first().unwrap().name.to_owned()),
                ..Demo::default()
            };
            let finished = play_demo(&demo, crate::released(), &mut |_, _| {}).unwrap();
            let by_purpose = lengths(&read(&finished).unwrap());
            // The reader's own results, which are never shortened, may make a follow-up longer.
            let limits = [(Purpose::Question, 45, 45), (Purpose::FollowUp, 25, 45), (Purpose::Answer, 45, 45)];
            for (purpose, middle, most) in limits {
                let Some(lengths) = by_purpose.get(&purpose) else { continue };
                assert!(
                    lengths.median_lines <= middle && lengths.most_lines <= most,
                    "{}, {purpose:?}: {lengths:?}",
                    rules.title()
                );
                assert!(lengths.question_at.is_none_or(|(_, latest)| latest <= 12), "{}: {lengths:?}", rules.title());
            }
            assert!(by_purpose.contains_key(&Purpose::FollowUp), "{}", rules.title());
            for (purpose, lengths) in &by_purpose {
                // A letter about the position has it in full.
                let usual = *purpose == Purpose::Position || lengths.median_html <= 12_000;
                assert!(usual && lengths.most_html <= 30_000, "{purpose:?}: {lengths:?}");
            }
            let asks = &by_purpose[&Purpose::Question];
            assert!(asks.median_answers > 0 && asks.median_words > 0, "{}: {asks:?}", rules.title());
        }
    }
}
