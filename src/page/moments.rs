//! The map at every Round, and the board of a battle while one is fought.

use super::{Page, PageFault};
use postrider_drawing::{Parts, Picture};
use postrider_replay::{LiveGame, step_log::When};
use postrider_table::Seat;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The position at the beginning of a Round, or at the end of the story.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Moment {
    /// The last journal entry before this moment, counted from 0.
    pub n: u64,
    /// The label of the moment.
    pub label: String,
    /// The index of the drawing: the map, or the board of the current battle.
    pub sheet: usize,
    /// The parts that differ from the previous moment on the same drawing, with their indices in
    /// [`Page::pieces`].
    pub parts: BTreeMap<String, usize>,
    /// The changes since the previous moment, in words.
    pub news: Vec<String>,
}

/// Adds the drawings of all moments to a page. A game without a map has none.
pub(super) fn fill(page: &mut Page, live: &LiveGame, seat: Option<Seat>) -> Result<(), PageFault> {
    let opened = &live.opened;
    let Some(map) = opened.ruleset.map_of(&opened.setup.components) else { return Ok(()) };
    let title = format!("{} {}", opened.ruleset.title(), live.game);
    let mut before: Option<Value> = None;
    let mut drawn: Vec<(u64, String, Picture)> = Vec::new();
    let mut fault = None;
    live.each_step(&mut |when, step, dyn_game| {
        let Some(mark) = step.marks.last().filter(|_| when == When::After) else { return };
        match dyn_game.view(seat) {
            Ok(view) => {
                drawn.push((step.last, mark.label.clone(), Picture::shown(map, &title, &view, before.as_ref())));
                before = Some(view);
            }
            Err(why) => fault = Some(why),
        }
    })?;
    if let Some(why) = fault {
        return Err(why.into());
    }
    if let Some(dyn_game) = &live.dyn_game {
        let view = dyn_game.view(seat)?;
        let label = if live.closed { "The end".to_owned() } else { "Now".to_owned() };
        drawn.push((live.head.n, label, Picture::shown(map, &title, &view, before.as_ref())));
    }
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    // The latest picture of each drawing, and the pieces shown on it.
    let mut sheets: Vec<&Picture> = Vec::new();
    let mut shown: BTreeMap<(usize, String), usize> = BTreeMap::new();
    let mut letters = BTreeSet::new();
    for (n, label, picture) in &drawn {
        let Parts { parts, letters: some } = picture.parts();
        letters.extend(some);
        let sheet = sheets.iter().position(|other| other.is_alike(picture)).unwrap_or(sheets.len());
        match sheets.get_mut(sheet) {
            Some(known) => *known = picture,
            None => sheets.push(picture),
        }
        let mut moment = Moment { n: *n, label: label.clone(), sheet, news: picture.news(), ..Moment::default() };
        for (part, svg) in parts {
            let next = numbers.len();
            let number = *numbers.entry(svg.clone()).or_insert(next);
            if number == next {
                page.pieces.push(svg);
            }
            if shown.insert((sheet, part.clone()), number) != Some(number) {
                moment.parts.insert(part, number);
            }
        }
        page.moments.push(moment);
    }
    if let (Some((_, _, picture)), Some(last)) = (drawn.last(), page.moments.last()) {
        page.map = laid(&sheets, last.sheet, &letters);
        page.words = picture.words();
    }
    Ok(())
}

/// Returns the drawings for the page. If there are several, all but number `first` are hidden.
pub(super) fn laid(sheets: &[&Picture], first: usize, letters: &BTreeSet<char>) -> String {
    if let [only] = sheets {
        return only.svg_with(letters);
    }
    let one = |(sheet, picture): (usize, &&Picture)| {
        let hidden = if sheet == first { "" } else { " hidden" };
        format!("<div class=\"sheet\" data-sheet=\"{sheet}\"{hidden}>{}</div>\n", picture.svg_with(letters))
    };
    sheets.iter().enumerate().map(one).collect()
}
