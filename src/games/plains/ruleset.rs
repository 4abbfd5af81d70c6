//! The registry entry of Plains Indian Wars.

use super::{
    Plains, State, bot,
    components::{Components, Kit},
    help, map, setup,
    variant::{OPTIONS, Variant},
};
use postrider_table::{Entry, Setup, SetupFault};

/// The entry.
pub static RULES: Entry<Plains> = Entry {
    seats_rule: "15",
    options: &OPTIONS,
    rules: include_str!("rules.tsv"),
    decks: &["cavalry", "npt", "settlers", "spt"],
    introduction: setup::introduction,
    view_template: include_str!("../../../templates/plains-indian-wars/view.txt"),
    brief_template: include_str!("../../../templates/plains-indian-wars/brief.txt"),
    end_template: include_str!("../../../templates/plains-indian-wars/end.txt"),
    enough: &["done", "stay", "all stay", "call off", "end the round", "end"],
    facts: super::facts::FACTS,
    attacked: &["retreat"],
    standing: include_str!("standing.txt"),
    next: include_str!("next.tsv"),
    bots: bot::BOTS,
    map: Some(&map::MAP),
    help: help::help,
    ..Entry::new::<Components>("plains-indian-wars", "Plains Indian Wars", 2..=4, position)
};

fn position(setup: &Setup) -> Result<State, SetupFault> {
    Ok(setup::position(Components::of(&setup.components)?, Variant::of(setup)?))
}
