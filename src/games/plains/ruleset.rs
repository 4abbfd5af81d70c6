//! Plains Indian Wars as the registry knows it.

use super::{
    Ask, Plains,
    components::{COMPONENTS, Components},
    help, setup,
    variant::{OPTIONS, SCENARIOS, Variant},
};
use crate::{
    orders::Phrase,
    table::{Chance, Hosted, NamedBot, OptionalRule, Ruleset, Session, Setup, SetupFault, Watch, ahead},
};
use std::{ops::RangeInclusive, sync::Arc};

/// The registry's entry for Plains Indian Wars.
pub struct PlainsRules;

impl Ruleset for PlainsRules {
    fn name(&self) -> &'static str {
        "plains-indian-wars"
    }
    fn title(&self) -> &'static str {
        "Plains Indian Wars"
    }
    fn version(&self) -> u32 {
        1
    }
    fn seats(&self) -> RangeInclusive<u8> {
        2..=4
    }
    fn scenarios(&self) -> &'static [&'static str] {
        &SCENARIOS
    }
    fn options(&self) -> &'static [OptionalRule] {
        &OPTIONS
    }
    fn rules(&self) -> &'static str {
        include_str!("rules.tsv")
    }
    fn decks(&self) -> &'static [&'static str] {
        &["cavalry", "npt", "settlers", "spt"]
    }
    fn components(&self) -> &'static str {
        COMPONENTS
    }
    fn print_components(&self, text: &str, file: &str) -> Result<String, SetupFault> {
        Ok(Components::parse(text, file)?.tables())
    }
    fn kinds(&self) -> Vec<&'static str> {
        ahead::<Ask>()
    }
    fn enough(&self) -> &'static [&'static str] {
        &["done", "stay", "call off", "end the round", "end"]
    }
    fn bots(&self) -> &'static [NamedBot] {
        super::bot::BOTS
    }
    fn view_template(&self) -> &'static str {
        include_str!("../../../templates/plains-indian-wars/view.txt")
    }
    fn end_template(&self) -> Option<&'static str> {
        Some(include_str!("../../../templates/plains-indian-wars/end.txt"))
    }
    fn open(&self, setup: &Setup, chance: Box<dyn Chance>, watch: Watch) -> Result<Box<dyn Hosted>, SetupFault> {
        self.fits(setup, "15")?;
        let variant = Variant::of(setup)?;
        let components = if &*setup.components == COMPONENTS {
            Components::builtin().clone()
        } else {
            Components::parse(&setup.components, "components")?
        };
        let state = setup::position(Arc::new(components), variant);
        Ok(Box::new(Session::<Plains>::start(state, chance, watch)))
    }
    fn help(&self, subject: &Phrase) -> Option<String> {
        help::help(subject)
    }
}
