//! `postrider deadline`: moves the deadline of a seat's questions, by a director's ruling.

use super::{
    rule::told,
    working::{office, seat_of, send_waiting},
};
use postrider_office::{OfficeError, RulingGiven};
use serde_json::json;
use std::path::Path;

/// The arguments of `deadline`.
#[derive(clap::Args, Debug)]
pub struct Deadline {
    /// The game's id
    game: String,
    /// The seat that gets more time, or less
    #[arg(long, value_name = "SEAT")]
    seat: String,
    /// The new deadline: a day, 2026-12-01 or Monday, to its end; a day and an hour, "2026-12-01 18:00", both in the time zone of the
    /// host's settings; so long from now, 36h or 3d; or a moment with its offset, 2026-11-30T12:00:00Z
    #[arg(long, value_name = "WHEN")]
    until: String,
    /// Why; everybody reads it
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Who decided it
    #[arg(long, value_name = "NAME", default_value = "director")]
    by: String,
}

/// Runs the command.
pub fn run(args: &Deadline, root: &Path) -> Result<String, OfficeError> {
    let mut office = office(root)?;
    let effect =
        json!({ "deadline": { "seat": seat_of(root, &args.game, &args.seat)?.to_string(), "until": args.until } });
    let given = RulingGiven { by: args.by.clone(), text: args.reason.clone(), effect, of: None };
    let ruled = office.rule(&args.game, &given)?;
    send_waiting(&office);
    Ok(format!("{}\nAll players are told by mail.\n", told(&ruled)))
}
