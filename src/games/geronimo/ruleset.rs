//! Geronimo! as the registry knows it.

use super::{
    Geronimo, bot,
    components::{Components, Kit},
    facts, help, map, setup,
    variant::{OPTIONS, Scenario, Variant},
    view,
};
use postrider_table::Entry;

/// The registry's entry for Geronimo!.
pub static RULES: Entry<Geronimo> = Entry {
    name: "geronimo",
    title: "Geronimo!",
    version: 1,
    earlier: &[],
    // 3.2: the game was made for three to five; 11.2 has rules for two, 11.3 for one.
    seats: 1..=5,
    seats_rule: "3.2",
    scenarios: &Scenario::NAMES,
    absent: &[],
    about_scenario: |name| Scenario::named(name).map_or("", Scenario::about),
    options: &OPTIONS,
    rules: include_str!("rules.tsv"),
    decks: &["shaman", "tribal"],
    components: Components::FILE,
    print_components: Components::print,
    introduction: setup::introduction,
    view_template: include_str!("../../../templates/geronimo/view.txt"),
    brief_template: include_str!("../../../templates/geronimo/brief.txt"),
    end_template: include_str!("../../../templates/geronimo/end.txt"),
    enough: &[],
    facts: facts::FACTS,
    attacked: &["evasion", "ambush"],
    by_turns: &[],
    standing: include_str!("standing.txt"),
    next: include_str!("next.tsv"),
    bots: bot::BOTS,
    balance: &view::FIGURES,
    map: Some(&map::MAP),
    help: help::help,
    position: |setup| Ok(setup::position(Components::of(&setup.components)?, setup.seats, Variant::of(setup)?)),
};
