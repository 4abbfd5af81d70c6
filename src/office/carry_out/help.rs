//! `help`: what the game and the service explain.

use crate::{error::OfficeError, game::Game, reading::context, services::Services};
use postrider_letters::{Block, Section};
use postrider_orders::Phrase;
use postrider_table::Explained;

pub(crate) fn help(
    game: &mut Game,
    services: &Services,
    subject: Option<&Phrase>,
) -> Result<Vec<Section>, OfficeError> {
    let ruleset = game.live.opened.ruleset;
    let subjects = ruleset.subjects(&game.live.opened.setup.components);
    let Some(subject) = subject else {
        let mut help = services.letters.help(&context::kinds(game)?)?;
        let all = subjects.list();
        help.push(Section::of([Block::paragraph(all.title, 0), Block::paragraph(all.text, 1)]));
        return Ok(help);
    };
    let map = ruleset.map_of(&game.live.opened.setup.components);
    let neighbours = map.and_then(|map| map.explain(subject));
    Ok(vec![match neighbours.map_or_else(|| subjects.find(subject), Ok) {
        Ok(Explained { title, text, orders, chart }) => {
            let chart = (!chart.is_empty()).then_some(Block::Lines(chart));
            Section::of([Block::Explanation { title, text, orders }].into_iter().chain(chart))
        }
        Err(none) => Section::paragraph(none.to_string()),
    }])
}
