//! Geronimo! as the registry knows it.

use super::{
    Ask, Geronimo, bot,
    components::Components,
    help, setup,
    variant::{OPTIONS, Scenario, Variant},
    view,
};
use crate::{
    orders::Phrase,
    table::{Chance, Figure, Hosted, NamedBot, OptionalRule, Ruleset, Session, Setup, SetupFault, Watch, ahead},
};
use std::{ops::RangeInclusive, sync::Arc};

/// The registry's entry for Geronimo!.
pub struct GeronimoRules;

/// The built-in component file.
pub const COMPONENTS: &str = include_str!("components.toml");

impl Ruleset for GeronimoRules {
    fn name(&self) -> &'static str {
        "geronimo"
    }
    fn title(&self) -> &'static str {
        "Geronimo!"
    }
    fn version(&self) -> u32 {
        1
    }
    /// 3.2: the game was made for three to five; 11.2 has rules for two, 11.3 for one.
    fn seats(&self) -> RangeInclusive<u8> {
        1..=5
    }
    fn scenarios(&self) -> &'static [&'static str] {
        &Scenario::NAMES
    }
    fn about_scenario(&self, name: &str) -> &'static str {
        Scenario::named(name).map_or("", Scenario::about)
    }
    fn options(&self) -> &'static [OptionalRule] {
        &OPTIONS
    }
    fn rules(&self) -> &'static str {
        include_str!("rules.tsv")
    }
    fn decks(&self) -> &'static [&'static str] {
        &["shaman", "tribal"]
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
    fn view_template(&self) -> &'static str {
        include_str!("../../../templates/geronimo/view.txt")
    }
    fn end_template(&self) -> Option<&'static str> {
        Some(include_str!("../../../templates/geronimo/end.txt"))
    }
    fn open(&self, setup: &Setup, chance: Box<dyn Chance>, watch: Watch) -> Result<Box<dyn Hosted>, SetupFault> {
        // 3.2: the game was made for three to five; 11.2 has rules for two, 11.3 for one.
        self.fits(setup, "3.2")?;
        let variant = Variant::of(setup)?;
        let components = if &*setup.components == COMPONENTS {
            Components::builtin().clone()
        } else {
            Components::parse(&setup.components, "components")?
        };
        let state = setup::position(Arc::new(components), setup.seats, variant);
        Ok(Box::new(Session::<Geronimo>::start(state, chance, watch)))
    }
    fn bots(&self) -> &'static [NamedBot] {
        bot::BOTS
    }
    fn balance(&self) -> &'static [Figure] {
        &view::FIGURES
    }
    fn help(&self, subject: &Phrase) -> Option<String> {
        help::help(subject)
    }
}
