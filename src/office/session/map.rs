//! The map as a seat sees it, with what is new to it.

use super::Game;
use crate::error::OfficeError;
use postrider_drawing::{DrawingFault, Picture, png};
use postrider_letters::{Block, Section};
use postrider_mail::{Attached, Content};
use postrider_store::Player;
use postrider_table::Seat;

/// The width of the picture in a letter, in points: two for each of a phone's 390.
const PICTURE_WIDTH: u32 = 780;
/// So many is the whole of a map of which letters show a part.
const WHOLE_WIDTH: u32 = 1280;
/// The file with it.
const WHOLE: &str = "whole-map.png";

impl Game {
    /// The picture that a letter shows. One that cannot be drawn is left out: a letter without its picture is better than none.
    pub(super) fn as_inline(&self, picture: &Picture) -> Option<Vec<u8>> {
        self.drawn(&picture.part().unwrap_or_else(|| picture.svg()), PICTURE_WIDTH)
    }

    /// The whole map as a file, where letters show a part of it.
    pub(super) fn whole_map(&self, picture: &Picture) -> Option<Attached> {
        picture.part()?;
        let content = Content::Png(self.drawn(&picture.svg(), WHOLE_WIDTH)?);
        Some(Attached { name: WHOLE.to_owned(), content })
    }

    fn drawn(&self, svg: &str, width: u32) -> Option<Vec<u8>> {
        let said = |why: &DrawingFault| tracing::error!(game = self.id, %why, "the map cannot be drawn");
        png(svg, width).inspect_err(said).ok()
    }

    /// The map as a seat sees it now, or a spectator, with what has changed since line `since` marked. `None` where the game has
    /// no drawn map, its components have another one, or play has not begun. Where a rewind has undone that line nothing is
    /// marked. As PNG: [`png`](postrider_drawing::png) of [`Picture::svg`].
    ///
    /// # Errors
    /// [`OfficeError`] when the rules break down.
    pub(crate) fn picture(&mut self, seat: Option<Seat>, since: Option<u64>) -> Result<Option<Picture>, OfficeError> {
        let opened = &self.live.opened;
        let Some(map) = opened.ruleset.map_of(&opened.setup.components) else { return Ok(None) };
        let title = format!("{} {}", opened.ruleset.title(), self.id);
        let then = since.map(|n| self.live.then(n)).transpose()?.flatten();
        let earlier = then.and_then(|then| then.dyn_game).map(|mut dyn_game| dyn_game.view(seat)).transpose()?;
        let Some(dyn_game) = &mut self.live.dyn_game else { return Ok(None) };
        let view = dyn_game.view(seat)?;
        Ok(Some(Picture::shown(map, &title, &view, earlier.as_ref())))
    }

    /// The line up to which a seat knows the game: that of its last letter, or for whoever gets none the last one before the Round
    /// that is on. `None` for whoever knows nothing of it yet.
    pub(crate) fn known_to(&self, seat: Seat) -> Option<u64> {
        if !self.seats.player(seat).is_some_and(Player::by_mail) {
            return self.live.marks.last().and_then(|mark| mark.n.checked_sub(1));
        }
        let written = self.secrets.written.get(&seat).map(|written| written.n);
        let taken = self.facts.reseated.get(&seat).copied().unwrap_or(0);
        written.filter(|&n| n >= taken && self.live.started.is_some_and(|begun| n >= begun.n))
    }

    /// The answer to `map`.
    pub(crate) fn map_section(&mut self, seat: Seat) -> Result<Section, OfficeError> {
        let since = self.known_to(seat);
        Ok(match self.picture(Some(seat), since)? {
            Some(picture) => Section::of([Block::Lines(picture.text().lines().map(str::to_owned).collect())]),
            None if self.live.started.is_none() => Section::paragraph("There is no map yet: the game has not begun."),
            None => Section::paragraph("There is no drawing of this game's map; `status` says where everything is."),
        })
    }
}
