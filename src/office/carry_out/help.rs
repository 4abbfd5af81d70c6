//! `help`: explanations by the game and the service.

use crate::{
    error::OfficeError,
    game::Game,
    reading::{context, request::said},
    services::Services,
};
use postrider_letters::{Block, Paragraph, Run, Section, runs};
use postrider_orders::Phrase;
use postrider_table::Explained;
use std::mem::discriminant;

/// Explains a subject of the game or a command; without one, all commands. `hint` explains everyday
/// words.
pub(crate) fn help(
    game: &Game,
    services: &Services,
    subject: Option<&Phrase>,
    hint: impl Fn(&str) -> Option<String>,
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
    if let Some(explained) = map.and_then(|map| map.explain(subject)) {
        return Ok(vec![explanation(explained)]);
    }
    // A subject's own name comes before a command, and a command before a similar name.
    let plain = subject.plain();
    let named = subjects.all().iter().any(|one| one.names.iter().any(|name| Phrase::new(name).plain() == plain));
    if !named && let Some(explained) = of_command(game, services, subject)? {
        return Ok(vec![explained]);
    }
    Ok(vec![match subjects.find(subject) {
        Ok(explained) => explanation(explained),
        Err(none) => Section::paragraph(hint(subject.text()).unwrap_or_else(|| none.to_string())),
    }])
}

/// Returns the game's explanation of a term in a question, if it has one.
pub(crate) fn asked_about(game: &Game, question: &str) -> Option<Section> {
    let subjects = game.live.opened.ruleset.subjects(&game.live.opened.setup.components);
    subjects.named_in(&Phrase::new(question)).cloned().map(explanation)
}

fn explanation(Explained { title, text, orders, chart }: Explained) -> Section {
    let chart = (!chart.is_empty()).then_some(Block::Lines(chart));
    Section::of([Block::Explanation { title, text, orders }].into_iter().chain(chart))
}

/// Returns the part of the page of commands about a command, which may be given in any of its
/// spellings or by one of its words.
fn of_command(game: &Game, services: &Services, subject: &Phrase) -> Result<Option<Section>, OfficeError> {
    let (wanted, word) = (said(subject.text()), subject.plain());
    let meant = |order: &str| match &wanted {
        Some(wanted) => said(order).is_some_and(|request| discriminant(&request) == discriminant(wanted)),
        None => order.split([' ', ':']).any(|part| part == word),
    };
    let names_it = |text: &str| runs(text).any(|run| matches!(run, Run::Order(order) if meant(order)));
    let page = services.letters.help(&context::kinds(game)?)?;
    let mut items: Vec<Block> = page.into_iter().flat_map(|section| section.blocks).collect();
    items.retain(|block| matches!(block, Block::Paragraph(Paragraph { text, item: true, .. }) if names_it(text)));
    Ok((!items.is_empty()).then(|| Section::of(items)))
}
