//! A game's entry in the registry, as a single value.

use super::{
    Absent, AnyOrder, ByTurns, Chance, DynGame, Figure, Game, GameMap, Introduction, Kind, NamedBot, OptionalRule,
    Ruleset, Session, Setup, SetupFault, Subjects, Watch, ahead, binding,
    components::{ComponentFault, Kit},
    dyn_game::typed,
    repeats,
};
use postrider_standing::FactKind;
use std::ops::RangeInclusive;

/// The properties of a game in the registry. Each field corresponds to a method of [`Ruleset`],
/// which documents it.
pub struct Entry<G: Game> {
    /// See [`Ruleset::name`].
    pub name: &'static str,
    /// See [`Ruleset::title`].
    pub title: &'static str,
    /// See [`Ruleset::version`].
    pub version: u32,
    /// See [`Ruleset::earlier`].
    pub earlier: &'static [&'static dyn Ruleset],
    /// See [`Ruleset::seats`].
    pub seats: RangeInclusive<u8>,
    /// The rule that gives the number of players.
    pub seats_rule: &'static str,
    /// See [`Ruleset::scenarios`].
    pub scenarios: &'static [&'static str],
    /// See [`Ruleset::absent`].
    pub absent: &'static [Absent],
    /// See [`Ruleset::about_scenario`].
    pub about_scenario: fn(&str) -> &'static str,
    /// See [`Ruleset::options`].
    pub options: &'static [OptionalRule],
    /// See [`Ruleset::rules`].
    pub rules: &'static str,
    /// See [`Ruleset::decks`].
    pub decks: &'static [&'static str],
    /// See [`Ruleset::components`].
    pub components: &'static str,
    /// Checks a component file, given as text and name, and formats it for people.
    pub print_components: fn(&str, &str) -> Result<String, ComponentFault>,
    /// See [`Ruleset::introduction`].
    pub introduction: fn(&Setup) -> Introduction,
    /// See [`Ruleset::view_template`].
    pub view_template: &'static str,
    /// See [`Ruleset::brief_template`].
    pub brief_template: &'static str,
    /// See [`Ruleset::end_template`].
    pub end_template: &'static str,
    /// See [`Ruleset::enough`].
    pub enough: &'static [&'static str],
    /// See [`Ruleset::facts`].
    pub facts: &'static [FactKind],
    /// See [`Ruleset::attacked`].
    pub attacked: &'static [&'static str],
    /// See [`Ruleset::by_turns`].
    pub by_turns: &'static [ByTurns],
    /// See [`Ruleset::standing`].
    pub standing: &'static str,
    /// See [`Ruleset::next`].
    pub next: &'static str,
    /// See [`Ruleset::bots`].
    pub bots: &'static [NamedBot],
    /// See [`Ruleset::balance`].
    pub balance: &'static [Figure],
    /// See [`Ruleset::map`].
    pub map: Option<&'static GameMap>,
    /// See [`Ruleset::help`].
    pub help: fn(&str) -> Subjects,
    /// Creates the first position for a setup that [fits](Ruleset::fits) this entry.
    pub position: fn(&Setup) -> Result<G::State, SetupFault>,
}

impl<G: Game> Entry<G> {
    /// Creates an entry with this name, title, number of seats, component kit and first position.
    /// It has the version 1, one scenario, `standard`, and no other properties. Other fields are
    /// set with struct update syntax: `Entry { options: &OPTIONS, ..Entry::new::<Box>(…) }`.
    pub const fn new<K: Kit>(
        name: &'static str,
        title: &'static str,
        seats: RangeInclusive<u8>,
        position: fn(&Setup) -> Result<G::State, SetupFault>,
    ) -> Self {
        Entry {
            name,
            title,
            version: 1,
            earlier: &[],
            seats,
            seats_rule: "-",
            scenarios: &["standard"],
            absent: &[],
            about_scenario: |_| "",
            options: &[],
            rules: "",
            decks: &[],
            components: K::FILE,
            print_components: K::print,
            introduction: |_| Introduction::default(),
            view_template: "",
            brief_template: "",
            end_template: "",
            enough: &[],
            facts: &[],
            attacked: &[],
            by_turns: &[],
            standing: "",
            next: "",
            bots: &[],
            balance: &[],
            map: None,
            help: |_| Subjects::default(),
            position,
        }
    }
}

/// Returns a template, or `None` if it is empty.
fn some(template: &'static str) -> Option<&'static str> {
    (!template.is_empty()).then_some(template)
}

impl<G: Game> Ruleset for Entry<G> {
    fn name(&self) -> &'static str {
        self.name
    }
    fn title(&self) -> &'static str {
        self.title
    }
    fn version(&self) -> u32 {
        self.version
    }
    fn earlier(&self) -> &'static [&'static dyn Ruleset] {
        self.earlier
    }
    fn seats(&self) -> RangeInclusive<u8> {
        self.seats.clone()
    }
    fn scenarios(&self) -> &'static [&'static str] {
        self.scenarios
    }
    fn absent(&self) -> &'static [Absent] {
        self.absent
    }
    fn about_scenario(&self, name: &str) -> &'static str {
        (self.about_scenario)(name)
    }
    fn options(&self) -> &'static [OptionalRule] {
        self.options
    }
    fn rules(&self) -> &'static str {
        self.rules
    }
    fn decks(&self) -> &'static [&'static str] {
        self.decks
    }
    fn components(&self) -> &'static str {
        self.components
    }
    fn print_components(&self, text: &str, file: &str) -> Result<String, SetupFault> {
        Ok((self.print_components)(text, file)?)
    }
    fn introduction(&self, setup: &Setup) -> Introduction {
        (self.introduction)(setup)
    }
    fn view_template(&self) -> &'static str {
        self.view_template
    }
    fn brief_template(&self) -> Option<&'static str> {
        some(self.brief_template)
    }
    fn end_template(&self) -> Option<&'static str> {
        some(self.end_template)
    }
    fn kinds(&self) -> Vec<&'static str> {
        ahead::<G::Kind>()
    }
    fn binding(&self) -> Vec<&'static str> {
        binding::<G::Kind>()
    }
    fn repeats(&self) -> Vec<&'static str> {
        repeats::<G::Kind>()
    }
    fn uses(&self, order: &AnyOrder) -> Vec<String> {
        typed::<G>(order).map(|order| G::uses(&order)).unwrap_or_default()
    }
    fn enough(&self) -> &'static [&'static str] {
        self.enough
    }
    fn facts(&self) -> &'static [FactKind] {
        self.facts
    }
    fn attacked(&self) -> &'static [&'static str] {
        self.attacked
    }
    fn by_turns(&self) -> &'static [ByTurns] {
        self.by_turns
    }
    fn every_kind(&self) -> Vec<&'static str> {
        G::Kind::ALL.iter().map(|kind| kind.name()).collect()
    }
    fn standing(&self) -> &'static str {
        self.standing
    }
    fn next(&self) -> &'static str {
        self.next
    }
    fn bots(&self) -> &'static [NamedBot] {
        self.bots
    }
    fn balance(&self) -> &'static [Figure] {
        self.balance
    }
    fn map(&self) -> Option<&'static GameMap> {
        self.map
    }
    fn help(&self, components: &str) -> Subjects {
        (self.help)(components)
    }
    fn effects(&self) -> Vec<(&'static str, &'static str)> {
        G::EFFECTS.iter().map(|&(name, members, _)| (name, members)).collect()
    }
    fn open(&self, setup: &Setup, chance: Box<dyn Chance>, watch: Watch) -> Result<Box<dyn DynGame>, SetupFault> {
        self.fits(setup, self.seats_rule)?;
        Ok(Box::new(Session::<G>::start((self.position)(setup)?, chance, watch)))
    }
}
