//! `postrider show`: a position, as somebody sees it.

use super::{
    CliError, Files, Said, bold,
    look::{Looked, look},
};
use crate::table::Rejected;
use minijinja::{AutoEscape, Environment, syntax::SyntaxConfig, value::Serde};
use serde_json::{Value, json};

/// The arguments of `show`.
#[derive(clap::Args, Debug)]
pub struct Show {
    /// The id of a game of this host, or a journal's file
    #[arg(value_name = "GAME|FILE")]
    game: String,
    /// As this seat sees it; as a spectator without it
    #[arg(long, value_name = "SEAT")]
    seat: Option<String>,
    /// At the beginning of a Turn or Round: "turn 5 round 3"
    #[arg(long, value_name = "WHEN", conflicts_with = "line")]
    at: Option<String>,
    /// After the step to which this line of the journal belongs; lines count from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    line: Option<u64>,
    /// Print the view as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Show, files: &Files) -> Result<Said, CliError> {
    let (found, shelf) = (files.find(&args.game)?, files.shelf()?);
    let mut seen = look(&found, &shelf, args.line.map(|line| line - 1))?;
    if let Some(at) = &args.at {
        let n = moment(&seen, at)?;
        seen = look(&found, &shelf, Some(n))?;
    }
    let seat = args.seat.as_deref().map(|name| seen.seat(name)).transpose()?;
    let moment = seen.moment().to_owned();
    let Looked { running, note } = &mut seen;
    let broken = |why: Rejected| CliError::Broken(why.to_string());
    let (view, asked) = match &mut running.hosted {
        Some(hosted) => (hosted.view(seat).map_err(broken)?, hosted.asked().map_err(broken)?),
        None => (json!({}), Vec::new()),
    };
    let (title, line) = (running.opened.ruleset.title(), running.head.n + 1);
    let waits: Vec<&str> = asked.iter().filter(|a| a.required).map(|a| running.seat_name(a.seat)).collect();
    if args.json {
        let seat = seat.map_or("", |seat| running.seat_name(seat));
        return Said::json(&json!({
            "game": running.game, "line": line, "moment": moment, "seat": seat, "waits_for": waits,
            "closed": running.closed, "view": view,
        }));
    }
    let mut text = format!("{}\n\n", bold(&format!("{title} {}: {moment} (line {line})", running.game)));
    text += &in_words(running.opened.ruleset.view_template(), &view)?;
    text += &match (running.closed, waits.as_slice()) {
        (true, _) => "\nThe game is over.\n".to_owned(),
        (false, []) => String::new(),
        (false, waits) => format!("\nWaiting for {}.\n", crate::orders::list_and(waits)),
    };
    if let Some(note) = note {
        text += &format!("\n({note})\n");
    }
    Ok(text.into())
}

/// The view as the game's own template lays it out. A game may have no template, or one that leans on what only mails
/// have; then the view stands there as it is, as indented JSON.
fn in_words(template: &str, view: &Value) -> Result<String, CliError> {
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
    let mut pages = Environment::new();
    pages.set_syntax(syntax.map_err(|why| CliError::Broken(why.to_string()))?);
    pages.set_auto_escape_callback(|_| AutoEscape::None);
    let mut members = view.clone();
    if let Some(members) = members.as_object_mut() {
        members.insert("view".to_owned(), view.clone());
    }
    match pages.render_str(template, Serde(&members)) {
        Ok(text) if !text.trim().is_empty() => Ok(text),
        _ => Said::json(view).map(|said| said.text),
    }
}

/// The line at which the named Turn or Round begins.
fn moment(seen: &Looked, at: &str) -> Result<u64, CliError> {
    let wrong = || CliError::Usage(format!("\"{at}\" is no moment; say \"turn 5\" or \"turn 5 round 3\""));
    let words: Vec<String> = at.split_whitespace().map(str::to_lowercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let number = |text: &str| text.trim_end_matches(',').parse::<u64>().map_err(|_| wrong());
    let (turn, round) = match words.as_slice() {
        ["turn", turn] => (number(turn)?, None),
        ["turn", turn, "round", round] => (number(turn)?, Some(number(round)?)),
        _ => return Err(wrong()),
    };
    let mut marks = seen.running.marks.iter();
    let mark = marks.find(|mark| mark.turn == turn && round.is_none_or(|round| mark.round == round));
    mark.map(|mark| mark.n).ok_or_else(|| CliError::Usage(format!("the game has not come to {at}")))
}
