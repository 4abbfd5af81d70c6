//! `postrider receive`: takes a mail in.
//!
//! For a `.forward`, procmail or a pipe of Postfix. Whatever goes wrong, the exit status is that of a passing failure, so
//! that the mail system keeps the mail and tries again; a mail that nothing can be done with is filed and counts as taken.

use super::working::{office, send_owed};
use crate::{
    mail::MAX_MESSAGE_BYTES,
    office::{Outcome, Processed, Trouble},
};
use std::{
    io::{self, Read},
    path::Path,
};

/// EX_TEMPFAIL: the mail system is to try again later.
pub(super) const TRY_AGAIN: u8 = 75;

/// The arguments of `receive`.
#[derive(clap::Args, Debug)]
pub struct Receive {
    /// Take in everything that lies in mail/in instead of one mail from standard input
    #[arg(long)]
    maildir: bool,
}

/// Runs the command.
pub fn run(args: &Receive, root: &Path) -> Result<String, Trouble> {
    let mut office = office(root)?;
    let all = if args.maildir {
        office.receive_all()?
    } else {
        let mut raw = Vec::new();
        // One byte more than is read tells that it was too much.
        io::stdin().lock().take(MAX_MESSAGE_BYTES as u64 + 1).read_to_end(&mut raw)?;
        vec![office.receive(&raw)?]
    };
    send_owed(&office);
    Ok(all.iter().map(line).collect())
}

fn line(processed: &Processed) -> String {
    let who = match (&processed.game, processed.seat) {
        (Some(game), Some(seat)) => format!("{game} {seat}: "),
        _ => String::new(),
    };
    let what = match &processed.outcome {
        Outcome::Filed(why) => format!("filed in mail/refused: {why}"),
        Outcome::Again => "answered before".to_owned(),
        Outcome::Answered { total: 0, .. } => "answered".to_owned(),
        Outcome::Answered { done, total } => format!("{done} of {total} orders carried out"),
    };
    format!("{who}{what}\n")
}
