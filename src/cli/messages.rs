//! `postrider messages`: prints the messages between the people of a game.

use super::{
    CliError, Output,
    working::{office, seat_of},
};
use postrider_office::MessagesOf;
use std::{fmt::Write as _, path::Path};

/// The arguments of `messages`.
#[derive(clap::Args, Debug)]
pub struct Messages {
    /// The game's id
    game: String,
    /// What this seat wrote or was told, as its player sees it; without it, what the host wrote or was told
    #[arg(long, value_name = "SEAT", conflicts_with = "all")]
    seat: Option<String>,
    /// All messages, also those between players
    #[arg(long)]
    all: bool,
    /// Delete the message of this entry for ever; the journal keeps no more than that something was said
    #[arg(long, value_name = "ENTRY", conflicts_with_all = ["seat", "all"])]
    forget: Option<u64>,
    /// Print them as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Messages, root: &Path) -> Result<Output, CliError> {
    let mut office = office(root)?;
    if let Some(entry) = args.forget {
        office.forget_message(&args.game, entry)?;
        return Ok(Output::default());
    }
    let of = match (&args.seat, args.all) {
        (Some(letter), _) => MessagesOf::Seat(seat_of(root, &args.game, letter)?),
        (None, true) => MessagesOf::All,
        (None, false) => MessagesOf::Host,
    };
    let all = office.terminal(&args.game).messages(of)?;
    if args.json {
        return Output::json(&all);
    }
    let mut text = String::new();
    for message in all {
        let without = if message.anonymous { ", without a name" } else { "" };
        // Writing to a String cannot fail.
        _ = writeln!(text, "entry {}: {}{without}:", message.entry, message.told);
        message.text.lines().for_each(|line| _ = writeln!(text, "  > {line}"));
    }
    Ok(Output::from(text))
}
