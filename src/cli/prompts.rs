//! `postrider prompts`: lists the open questions of a game.

use super::{CliError, Files, Output, bold, look::look};
use postrider_letters::questions;
use postrider_orders::option_letter;
use postrider_table::{Rejected, Seat};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

#[derive(clap::Args, Debug)]
pub struct Prompts {
    /// The id of a game of this host, or the beginning of it; or a journal file
    #[arg(value_name = "GAME|FILE")]
    game: String,
    /// Only questions to this seat
    #[arg(long, value_name = "SEAT")]
    seat: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Prompts, files: &Files, verbose: bool) -> Result<Output, CliError> {
    let found = files.find(&args.game)?;
    let seen = look(&found, &files.shelf_for(&found)?, None)?;
    let seat = args.seat.as_deref().map(|name| seen.seat(name)).transpose()?;
    let broken = |why: Rejected| CliError::Broken(why.to_string());
    let mut listed = Vec::new();
    if let Some(dyn_game) = seen.live.dyn_game.as_ref().filter(|_| !seen.live.closed) {
        let asked: BTreeSet<Seat> = dyn_game.asked().map_err(broken)?.iter().map(|asked| asked.seat).collect();
        for whose in asked.into_iter().filter(|&whose| seat.is_none_or(|seat| seat == whose)) {
            listed.extend(questions(seen.live.opened.ruleset, &**dyn_game, whose)?);
        }
    }
    let name = |seat| seen.live.seat_name(seat);
    let deadlines = &seen.live.deadlines;
    let deadline = |q: &postrider_table::Listed| deadlines.deadline(q.asked.id).filter(|_| q.asked.required);
    if args.json {
        let named = |text: &str| seen.seats.named(text);
        let question = |q: &postrider_table::Listed| {
            let choice = |c: &postrider_table::Choice<postrider_table::AnyOrder>| json!({ "words": named(&c.words), "note": named(&c.note), "order": c.order.json() });
            let mut question = json!({
                "prompt": q.asked.id, "seat": name(q.asked.seat), "kind": q.asked.kind, "required": q.asked.required,
                "title": named(&q.text.title), "rule": q.text.rule,
                "lines": q.text.lines.iter().map(|line| named(line)).collect::<Vec<_>>(), "complete": q.text.complete,
                "choices": q.choices.iter().map(choice).collect::<Vec<_>>(),
            });
            if let Some(deadline) = deadline(q) {
                question["deadline"] = json!(deadline);
            }
            question
        };
        return Output::json(&listed.iter().map(question).collect::<Vec<_>>());
    }
    let mut text = String::new();
    // Questions are numbered per seat as in mails, so that `1a` has the same meaning here.
    let mut numbers: BTreeMap<Seat, usize> = BTreeMap::new();
    let mut number = |seat| {
        let last = numbers.entry(seat).or_default();
        *last += 1;
        *last
    };
    for q in &listed {
        let free = if q.asked.required { "" } else { " (if you like)" };
        let (no, rule) = (number(q.asked.seat), q.text.rule);
        let head = format!("{}, {no}. {} (rule {rule}){free}", seen.seats.called(q.asked.seat), q.text.title);
        text += &format!("{}\n", bold(&seen.seats.named(&head)));
        for line in &q.text.lines {
            text += &format!("  {}\n", seen.seats.named(line));
        }
        if let (Some(deadline), Some(terms)) = (deadline(q), deadlines.terms()) {
            text += &format!("  {}\n", deadline.words(terms, "UTC"));
        }
        for (k, choice) in q.choices.iter().enumerate() {
            let note = if choice.note.is_empty() { String::new() } else { format!("  ({})", choice.note) };
            let line = format!("  {:>5}  {}{note}", format!("{no}{}", option_letter(k)), choice.words);
            text += &format!("{}\n", seen.seats.named(&line));
        }
        if !q.text.complete {
            text += "       … and other orders that are not listed\n";
        }
    }
    if listed.is_empty() && verbose {
        text += "Nothing is asked.\n";
    }
    if let Some(note) = &seen.note {
        text += &format!("\n({note})\n");
    }
    Ok(text.into())
}
