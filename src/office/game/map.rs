//! The map as a seat sees it, with what is new to it.

use crate::{error::OfficeError, game::Game};
use postrider_drawing::{DrawingFault, Picture, png};
use postrider_letters::{Block, Section};
use postrider_mail::{Attached, Content};
use postrider_table::Seat;

/// The width of the picture in a letter, in points: two for each of a phone's 390.
const PICTURE_WIDTH: u32 = 780;

/// So many is the whole of a map of which letters show a part.
const WHOLE_WIDTH: u32 = 1280;

/// The file with it.
const WHOLE: &str = "whole-map.png";

/// The picture that a letter shows. One that cannot be drawn is left out: a letter without its picture is better than none.
pub(crate) fn as_inline(game: &Game, picture: &Picture) -> Option<Vec<u8>> {
    drawn(game, &picture.part().unwrap_or_else(|| picture.svg()), PICTURE_WIDTH)
}

/// The whole map as a file, where letters show a part of it.
pub(crate) fn whole_map(game: &Game, picture: &Picture) -> Option<Attached> {
    picture.part()?;
    let content = Content::Png(drawn(game, &picture.svg(), WHOLE_WIDTH)?);
    Some(Attached { name: WHOLE.to_owned(), content })
}

fn drawn(game: &Game, svg: &str, width: u32) -> Option<Vec<u8>> {
    let said = |why: &DrawingFault| tracing::error!(game = game.id, %why, "the map cannot be drawn");
    png(svg, width).inspect_err(said).ok()
}

/// The map as a seat sees it now, or a spectator, with what has changed since line `since` marked. `None` where the game has
/// no drawn map, its components have another one, or play has not begun. Where a rewind has undone that line nothing is
/// marked. As PNG: [`png`] of [`Picture::svg`].
///
/// # Errors
/// [`OfficeError`] when the rules break down.
pub(crate) fn picture(game: &mut Game, seat: Option<Seat>, since: Option<u64>) -> Result<Option<Picture>, OfficeError> {
    let opened = &game.live.opened;
    let Some(map) = opened.ruleset.map_of(&opened.setup.components) else { return Ok(None) };
    let title = format!("{} {}", opened.ruleset.title(), game.id);
    let then = since.map(|n| game.live.then(n)).transpose()?.flatten();
    let earlier = then.and_then(|then| then.dyn_game).map(|mut dyn_game| dyn_game.view(seat)).transpose()?;
    let Some(dyn_game) = &mut game.live.dyn_game else { return Ok(None) };
    let view = dyn_game.view(seat)?;
    Ok(Some(Picture::shown(map, &title, &view, earlier.as_ref())))
}

/// The answer to `map`.
pub(crate) fn map_section(game: &mut Game, seat: Seat) -> Result<Section, OfficeError> {
    let since = game.known_to(seat);
    Ok(match picture(game, Some(seat), since)? {
        Some(picture) => Section::of([Block::Lines(picture.text().lines().map(str::to_owned).collect())]),
        None if game.live.started.is_none() => Section::paragraph("There is no map yet: the game has not begun."),
        None => Section::paragraph("There is no drawing of this game's map; `status` says where everything is."),
    })
}
