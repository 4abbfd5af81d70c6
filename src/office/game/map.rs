//! The map as a seat sees it, with recent changes marked.

use crate::{error::OfficeError, game::Game, services::Services};
use postrider_drawing::{DrawingFault, PICTURES, Picture, png};
use postrider_letters::{Block, Section};
use postrider_mail::{Attached, Content};
use postrider_table::Seat;

/// The width of a letter's picture, in pixels: two for each of a phone's 390 points.
const PICTURE_WIDTH: u32 = 780;

/// The width of the whole map, in pixels, if letters show only a part.
const WHOLE_WIDTH: u32 = 1280;

/// The name of the attached file with the whole map.
const WHOLE: &str = "whole-map.png";

/// Returns `true` if letters have pictures.
pub(crate) fn draws(services: &Services) -> bool {
    PICTURES && services.host.settings.draws()
}

/// Draws the picture of a letter. If that fails, the letter goes without it.
pub(crate) fn as_inline(game: &Game, picture: &Picture) -> Option<Vec<u8>> {
    drawn(game, &picture.part().unwrap_or_else(|| picture.svg()), PICTURE_WIDTH)
}

/// Returns the whole map as an attachment, if letters show only a part.
pub(crate) fn whole_map(game: &Game, picture: &Picture) -> Option<Attached> {
    picture.part()?;
    let content = Content::Png(drawn(game, &picture.svg(), WHOLE_WIDTH)?);
    Some(Attached { name: WHOLE.to_owned(), content })
}

fn drawn(game: &Game, svg: &str, width: u32) -> Option<Vec<u8>> {
    let said = |why: &DrawingFault| tracing::error!(game = game.id, %why, "the map cannot be drawn");
    png(svg, width).inspect_err(said).ok()
}

/// Returns the map as a seat or a spectator sees it now, with the changes since line `since`
/// marked. Returns `None` if the game has no drawn map, if its components have a different one, or
/// if play has not begun. If a rewind has undone that line, nothing is marked. [`png`] converts
/// [`Picture::svg`] to PNG.
///
/// # Errors
/// [`OfficeError`] if the rules panic.
pub(crate) fn picture(game: &Game, seat: Option<Seat>, since: Option<u64>) -> Result<Option<Picture>, OfficeError> {
    let opened = &game.live.opened;
    let Some(map) = opened.ruleset.map_of(&opened.setup.components) else { return Ok(None) };
    let title = format!("{} {}", opened.ruleset.title(), game.id);
    let then = since.map(|n| game.live.then(n)).transpose()?.flatten();
    let earlier = then.and_then(|then| then.dyn_game).map(|dyn_game| dyn_game.view(seat)).transpose()?;
    let Some(dyn_game) = &game.live.dyn_game else { return Ok(None) };
    let view = dyn_game.view(seat)?;
    Ok(Some(Picture::shown(map, &title, &view, earlier.as_ref())))
}

/// Answers `map`.
pub(crate) fn map_section(game: &Game, seat: Seat) -> Result<Section, OfficeError> {
    let since = game.known_to(seat);
    Ok(match picture(game, Some(seat), since)? {
        Some(picture) => Section::of([Block::Lines(picture.text().lines().map(str::to_owned).collect())]),
        None if game.live.started.is_none() => Section::paragraph("There is no map yet: the game has not begun."),
        None => Section::paragraph("There is no drawing of this game's map; `status` says where everything is."),
    })
}
