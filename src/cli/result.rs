//! `postrider result` and `postrider reopen`: a director ends a game, or has it go on again.

use super::{
    CliError, Output,
    working::{office, seat_of, send_waiting, sure},
};
use postrider_letters::text;
use postrider_office::{Misuse, OfficeError};
use std::{collections::BTreeMap, path::Path};

/// The arguments of `result`.
#[derive(clap::Args, Debug)]
pub struct GiveResult {
    /// The game's id
    game: String,
    /// The place of every player, such as "anna 1, ben 2"; or "draw"
    places: String,
    /// Why; all players read it, and the journal has it
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Who decides it, as the journal names him
    #[arg(long, value_name = "NAME", default_value = "director")]
    by: String,
    /// Do not ask whether this is meant
    #[arg(long)]
    yes: bool,
}

/// The arguments of `reopen`.
#[derive(clap::Args, Debug)]
pub struct Reopen {
    /// The game's id
    game: String,
    /// Why; all players read it, and the journal has it
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Who decides it, as the journal names him
    #[arg(long, value_name = "NAME", default_value = "director")]
    by: String,
}

/// Runs `result`.
///
/// # Errors
/// [`CliError`] for places that not every player has, and as the service says.
pub fn run(args: &GiveResult, root: &Path) -> Result<Output, CliError> {
    sure(args.yes, &format!("{} ends, and all players are written to.", args.game), "Give it this result?")?;
    let mut office = office(root)?;
    let seats = office.open_game(&args.game)?.opened.seats.clone();
    let places = match args.places.trim().eq_ignore_ascii_case("draw") {
        true => seats.into_iter().map(|seat| (seat, 1)).collect(),
        false => places(root, &args.game, &args.places)?,
    };
    let said = office.decide_result(&args.game, &args.by, places, &args.reason)?;
    send_waiting(&office);
    Ok(format!("{said}\n").into())
}

/// The places in `anna 1, ben 2`.
fn places(root: &Path, game: &str, text: &str) -> Result<BTreeMap<String, u64>, CliError> {
    let mut places = BTreeMap::new();
    for part in text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()) {
        let place = part.rsplit_once(' ').and_then(|(name, place)| Some((name, place.parse::<u64>().ok()?)));
        let (name, place) = place.ok_or_else(|| no_place(part))?;
        let seat = seat_of(root, game, name.trim())?;
        if places.insert(seat.to_string(), place).is_some() {
            return Err(no_place(text).into());
        }
    }
    Ok(places)
}

fn no_place(text: &str) -> OfficeError {
    Misuse::Place { text: text.to_owned() }.into()
}

/// Runs `reopen`.
///
/// # Errors
/// [`CliError`] for a game that goes on or that the rules have ended.
pub fn reopen(args: &Reopen, root: &Path) -> Result<Output, CliError> {
    let mut office = office(root)?;
    let rewinding = office.reopen(&args.game, &args.by, &args.reason)?;
    send_waiting(&office);
    Ok(text::render(&rewinding.report).into())
}
