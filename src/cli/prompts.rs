//! `postrider prompts`: the open questions of a game.

use super::{CliError, Files, Said, bold, look::look};
use crate::table::Rejected;
use serde_json::json;

/// The arguments of `prompts`.
#[derive(clap::Args, Debug)]
pub struct Prompts {
    /// The id of a game of this host, or a journal's file
    #[arg(value_name = "GAME|FILE")]
    game: String,
    /// Only the questions to this seat
    #[arg(long, value_name = "SEAT")]
    seat: Option<String>,
    /// Print them as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Prompts, files: &Files) -> Result<Said, CliError> {
    let mut seen = look(&files.find(&args.game)?, &files.shelf()?, None)?;
    let seat = args.seat.as_deref().map(|name| seen.seat(name)).transpose()?;
    let broken = |why: Rejected| CliError::Broken(why.to_string());
    let mut listed = Vec::new();
    if let Some(hosted) = &mut seen.running.hosted {
        for asked in hosted.asked().map_err(broken)? {
            if seat.is_none_or(|seat| seat == asked.seat) {
                listed.extend(hosted.listed(asked.id).map_err(broken)?);
            }
        }
    }
    let name = |seat| seen.running.seat_name(seat);
    if args.json {
        let question = |q: &crate::table::Listed| {
            let choice =
                |c: &crate::table::Choice<String>| json!({ "words": c.words, "note": c.note, "order": c.order });
            json!({
                "prompt": q.asked.id, "seat": name(q.asked.seat), "kind": q.asked.kind, "required": q.asked.required,
                "title": q.text.title, "rule": q.text.rule, "lines": q.text.lines, "complete": q.text.complete,
                "choices": q.choices.iter().map(choice).collect::<Vec<_>>(),
            })
        };
        return Said::json(&listed.iter().map(question).collect::<Vec<_>>());
    }
    let mut text = String::new();
    for q in &listed {
        let free = if q.asked.required { "" } else { " (if you like)" };
        let head = format!("{}, question {}: {} ({}){free}", name(q.asked.seat), q.asked.id, q.text.title, q.text.rule);
        text += &format!("{}\n", bold(&head));
        for line in &q.text.lines {
            text += &format!("  {line}\n");
        }
        for (k, choice) in (1..).zip(&q.choices) {
            let note = if choice.note.is_empty() { String::new() } else { format!("  ({})", choice.note) };
            text += &format!("  {k:>3}. {}{note}\n", choice.words);
        }
        if !q.text.complete {
            text += "       … and more can be ordered than is listed\n";
        }
    }
    if listed.is_empty() {
        text += "Nothing is asked.\n";
    }
    if let Some(note) = &seen.note {
        text += &format!("\n({note})\n");
    }
    Ok(text.into())
}
