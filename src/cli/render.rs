//! `postrider render`: draws the map at any moment, as a picture or as text.

use super::{
    CliError, Files, Output,
    look::{At, Looked, look},
    number::whole,
};
use fs_err as fs;
use postrider_drawing::{Picture, png};
use postrider_orders::visible;
use postrider_replay::RoundMark;
use postrider_table::Seat;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub struct Render {
    /// The id of a game of this host, or the beginning of it; or a journal file
    #[arg(value_name = "GAME|FILE")]
    game: String,
    /// As this seat sees it; by default as a spectator
    #[arg(long, value_name = "SEAT")]
    seat: Option<String>,
    #[command(flatten)]
    at: At,
    /// The file to write, ending in .svg, .png or .txt; by default the map is printed as text
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Only the part shown in a letter, if the map is too large for one
    #[arg(long)]
    part: bool,
    /// Width of a PNG in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 720, value_parser = whole(100..=4000_u32))]
    width: u32,
}

/// Runs the command.
pub fn run(args: &Render, files: &Files) -> Result<Output, CliError> {
    let found = files.find(&args.game)?;
    let catalog = files.shelf_for(&found)?;
    let moment = args.at.moment(&found, &catalog)?;
    let seen = look(&found, &catalog, moment.as_ref().map(|moment| moment.n))?;
    let seat = args.seat.as_deref().map(|name| seen.seat(name)).transpose()?;
    let picture = picture(&seen, moment.and_then(|moment| moment.begins).as_ref(), seat)?;
    let note = seen.note.as_ref().map(|note| format!("({note})\n")).unwrap_or_default();
    let Some(path) = &args.output else { return Ok((picture.text() + &note).into()) };
    let svg = || picture.part().filter(|_| args.part).unwrap_or_else(|| picture.svg());
    let bytes = match path.extension().and_then(|end| end.to_str()) {
        Some("svg") => svg().into_bytes(),
        Some("txt") => visible(&picture.text()).into_owned().into_bytes(),
        Some("png") => png(&svg(), args.width).map_err(|why| CliError::Broken(why.to_string()))?,
        _ => return Err(CliError::Usage("name a file that ends with .svg, .png or .txt".to_owned())),
    };
    fs::write(path, bytes)?;
    Ok(format!("{} shows {}.\n{note}", path.display(), picture.title()).into())
}

/// Draws the map of a game, or as it was when the Round `begins` began.
///
/// # Errors
///
/// Returns [`CliError::Usage`] if the game has no drawn map or has not begun.
fn picture(seen: &Looked, begins: Option<&RoundMark>, seat: Option<Seat>) -> Result<Picture, CliError> {
    let opened = &seen.live.opened;
    let title = format!("{} {}", opened.ruleset.title(), seen.live.game);
    let Some(map) = opened.ruleset.map_of(&opened.setup.components) else {
        return Err(CliError::Usage(format!("there is no drawing of the map of {title}")));
    };
    let Some(dyn_game) = &seen.live.dyn_game else {
        let why = seen.note.clone().unwrap_or_else(|| format!("{title} has not begun: its map is empty"));
        return Err(CliError::Usage(why));
    };
    let then = begins.map(|mark| seen.live.view_at(mark, seat)).transpose()?.flatten();
    let view = match then {
        Some(view) => view,
        None => dyn_game.view(seat).map_err(|why| CliError::Broken(why.to_string()))?,
    };
    Ok(Picture::shown(map, &title, &view, None))
}
