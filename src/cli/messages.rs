//! `postrider messages`: prints the messages between the people of a game.

use super::{
    CliError, Output,
    number::any,
    working::{at, seat_of},
};
use postrider_office::MessagesOf;
use std::{fmt::Write as _, path::Path};

#[derive(clap::Args, Debug)]
pub struct Messages {
    /// The game's id, or the beginning of it
    game: String,
    /// Messages to and from this seat; by default those to and from the host
    #[arg(long, value_name = "SEAT", conflicts_with = "all")]
    seat: Option<String>,
    /// All messages, including those between players
    #[arg(long)]
    all: bool,
    /// Erase the text of the message in this entry; the journal keeps only its commitment
    #[arg(long, value_name = "ENTRY", conflicts_with_all = ["seat", "all"], value_parser = any)]
    forget: Option<u64>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Messages, root: &Path) -> Result<Output, CliError> {
    let (mut office, game) = at(root, &args.game)?;
    if let Some(entry) = args.forget {
        office.forget_message(&game, entry)?;
        return Ok(Output::default());
    }
    let of = match (&args.seat, args.all) {
        (Some(letter), _) => MessagesOf::Seat(seat_of(&office, &game, letter)?),
        (None, true) => MessagesOf::All,
        (None, false) => MessagesOf::Host,
    };
    let all = office.terminal(&game).messages(of)?;
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
