//! Plains Indian Wars as the registry knows it.

use super::{
    Plains, bot,
    components::{Components, Kit},
    help, map, setup,
    variant::{OPTIONS, Variant},
};
use postrider_table::Entry;

/// The registry's entry for Plains Indian Wars.
pub static RULES: Entry<Plains> = Entry {
    name: "plains-indian-wars",
    title: "Plains Indian Wars",
    version: 1,
    earlier: &[],
    seats: 2..=4,
    seats_rule: "15",
    // The one set-up of the rulebook (5).
    scenarios: &["standard"],
    absent: &[],
    about_scenario: |_| "",
    options: &OPTIONS,
    rules: include_str!("rules.tsv"),
    decks: &["cavalry", "npt", "settlers", "spt"],
    components: Components::FILE,
    print_components: Components::print,
    introduction: setup::introduction,
    view_template: include_str!("../../../templates/plains-indian-wars/view.txt"),
    brief_template: include_str!("../../../templates/plains-indian-wars/brief.txt"),
    end_template: include_str!("../../../templates/plains-indian-wars/end.txt"),
    enough: &["done", "stay", "all stay", "call off", "end the round", "end"],
    facts: super::facts::FACTS,
    attacked: &["retreat"],
    by_turns: &[],
    standing: include_str!("standing.txt"),
    next: include_str!("next.tsv"),
    bots: bot::BOTS,
    balance: &[],
    map: Some(&map::MAP),
    help: help::help,
    position: |setup| Ok(setup::position(Components::of(&setup.components)?, Variant::of(setup)?)),
};
