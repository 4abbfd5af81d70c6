//! `postrider receive`: processes a mail.
//!
//! For a `.forward` file, procmail, or a Postfix pipe. Any error gives the exit status of a
//! temporary failure, so that the mail system keeps the mail and tries again. A mail that can never
//! be processed is filed and counts as received.

use super::{
    CliError, Output,
    exit::TRY_AGAIN,
    working::{office, send_waiting},
};
use postrider_mail::MAX_MESSAGE_BYTES;
use postrider_office::{OfficeError, Outcome, Processed};
use postrider_store::bring_in;
use serde_json::{Value, json};
use std::{
    io::{self, Read},
    path::Path,
};

#[derive(clap::Args, Debug)]
pub struct Receive {
    /// Take in all mails in mail/in, instead of one mail from standard input
    #[arg(long)]
    maildir: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Receive, root: &Path) -> Result<Output, CliError> {
    let all = take_in(args, root).map_err(CliError::TryAgain)?;
    let output = match args.json {
        true => Output::json(&all.iter().map(row).collect::<Vec<_>>())?,
        false => all.iter().map(line).collect::<String>().into(),
    };
    let kept = all.iter().any(|processed| matches!(processed.outcome, Outcome::Kept { .. }));
    Ok(Output { status: if kept { TRY_AGAIN } else { 0 }, ..output })
}

fn take_in(args: &Receive, root: &Path) -> Result<Vec<Processed>, OfficeError> {
    let mut office = office(root)?;
    let all = if args.maildir {
        if !office.host().keeps_files() {
            bring_in(office.host(), office.store())?;
        }
        office.receive_all()?
    } else {
        let mut raw = Vec::new();
        // One byte more than the limit shows that a mail is too large.
        io::stdin().lock().take(MAX_MESSAGE_BYTES as u64 + 1).read_to_end(&mut raw)?;
        // The rest is read as well: the sending program would take a pipe that closes early for a
        // failure, and send the mail again forever.
        io::copy(&mut io::stdin().lock(), &mut io::sink())?;
        vec![office.receive(&raw)?]
    };
    send_waiting(&office);
    // The process ends here, so the memory of the games need not be freed.
    std::mem::forget(office);
    Ok(all)
}

fn row(processed: &Processed) -> Value {
    let seat = processed.seat.map(|seat| seat.to_string());
    let mut row = json!({ "game": processed.game, "seat": seat });
    let (outcome, more) = match &processed.outcome {
        Outcome::Filed(why) => ("filed", json!({ "why": why })),
        Outcome::Again => ("again", json!({})),
        Outcome::Poison(why) => ("poison", json!({ "why": why })),
        Outcome::Report { letter, failed, why } => {
            ("report", json!({ "letter": letter, "failed": failed, "why": why }))
        }
        Outcome::Kept { why, .. } => ("kept", json!({ "why": why })),
        Outcome::Answered { done, total } => ("answered", json!({ "done": done, "orders": total })),
    };
    row["outcome"] = outcome.into();
    if let (Some(row), Value::Object(more)) = (row.as_object_mut(), more) {
        row.extend(more);
    }
    row
}

fn line(processed: &Processed) -> String {
    let who = match (&processed.game, processed.seat) {
        (Some(game), Some(seat)) => format!("{game} {seat}: "),
        // A watcher, a director, or an address that is not known.
        (Some(game), None) => format!("{game}: "),
        _ => String::new(),
    };
    let what = match &processed.outcome {
        Outcome::Filed(why) => format!("filed in mail/refused: {why}"),
        Outcome::Again => "answered before".to_owned(),
        Outcome::Poison(why) => format!("could not be processed and is in mail/poison: {why}"),
        Outcome::Report { letter, failed: true, why } => format!("the letter {letter} came back: {why}"),
        Outcome::Report { letter, failed: false, why } => format!("the letter {letter} is late: {why}"),
        Outcome::Kept { why, .. } => format!("kept in mail/in, to be tried again: {why}"),
        Outcome::Answered { total: 0, .. } => "answered".to_owned(),
        Outcome::Answered { done: 1, total: 1 } => "the order was carried out".to_owned(),
        Outcome::Answered { done, total } => format!("{done} of {total} orders carried out"),
    };
    format!("{who}{what}\n")
}
