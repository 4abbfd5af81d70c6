//! `postrider deadline`: moves the deadline of a seat's questions, by a director's ruling.

use super::{
    CliError, Output,
    rule::told,
    working::{at, seat_of, send_waiting},
};
use postrider_office::RulingGiven;
use serde_json::json;
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct Deadline {
    /// The game's id, or the beginning of it
    game: String,
    /// The seat (A, B, C …) or its player's name
    #[arg(long, value_name = "SEAT")]
    seat: String,
    /// A day (2026-12-01, Monday), day and time ("2026-12-01 18:00"), duration from now (36h, 3d)
    /// or moment (2026-11-30T12:00:00Z)
    #[arg(long, value_name = "WHEN")]
    until: String,
    /// The reason, for all players
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// The director who decided this; the host, in a game without directors
    #[arg(long, value_name = "NAME", default_value = "host")]
    by: String,
}

/// Runs the command.
pub fn run(args: &Deadline, root: &Path) -> Result<Output, CliError> {
    let (mut office, game) = at(root, &args.game)?;
    let effect =
        json!({ "deadline": { "seat": seat_of(&office, &game, &args.seat)?.to_string(), "until": args.until } });
    let given = RulingGiven { by: args.by.clone(), text: args.reason.clone(), effect, of: None };
    let ruled = office.directing(&game).rule(&given)?;
    send_waiting(&office);
    Ok(format!("{}\nAll players are told by mail.\n", told(&ruled)).into())
}
