//! `help`: what the game and the service explain.

use crate::{error::OfficeError, services::Services, session::Game};
use postrider_letters::{Block, Section};
use postrider_orders::Phrase;
use postrider_table::Explained;

impl Game {
    pub(crate) fn help(&mut self, services: &Services, subject: Option<&Phrase>) -> Result<Vec<Section>, OfficeError> {
        let ruleset = self.live.opened.ruleset;
        let subjects = ruleset.subjects(&self.live.opened.setup.components);
        let Some(subject) = subject else {
            let mut help = services.letters.help(&self.kinds()?)?;
            let all = subjects.list();
            help.push(Section::of([Block::paragraph(all.title, 0), Block::paragraph(all.text, 1)]));
            return Ok(help);
        };
        let map = ruleset.map_of(&self.live.opened.setup.components);
        let neighbours = map.and_then(|map| map.explain(subject));
        Ok(vec![match neighbours.map_or_else(|| subjects.find(subject), Ok) {
            Ok(Explained { title, text, orders, chart }) => {
                let chart = (!chart.is_empty()).then_some(Block::Lines(chart));
                Section::of([Block::Explanation { title, text, orders }].into_iter().chain(chart))
            }
            Err(none) => Section::paragraph(none.to_string()),
        }])
    }

    /// The kinds of questions that the rules can ask, or have asked so far.
    pub(crate) fn kinds(&mut self) -> Result<Vec<String>, OfficeError> {
        let mut kinds = self.facts.kinds.clone();
        kinds.extend(self.live.opened.ruleset.kinds().into_iter().map(str::to_owned));
        kinds.extend(self.asked()?.into_iter().map(|asked| asked.kind.to_owned()));
        Ok(kinds.into_iter().collect())
    }
}
