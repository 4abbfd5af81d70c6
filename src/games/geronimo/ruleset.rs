//! The registry entry of Geronimo!.

use super::{
    Geronimo, State, bot,
    components::{Components, Kit},
    facts, help, map, setup,
    variant::{OPTIONS, Scenario, Variant},
    view,
};
use postrider_table::{Entry, Setup, SetupFault};

/// The entry.
pub static RULES: Entry<Geronimo> = Entry {
    // The game is for three to five players (3.2), with special rules for two (11.2) and one
    // (11.3).
    seats_rule: "3.2",
    scenarios: &Scenario::NAMES,
    about_scenario: |name| Scenario::named(name).map_or("", Scenario::about),
    options: &OPTIONS,
    rules: include_str!("rules.tsv"),
    decks: &["shaman", "tribal"],
    introduction: setup::introduction,
    view_template: include_str!("../../../templates/geronimo/view.txt"),
    brief_template: include_str!("../../../templates/geronimo/brief.txt"),
    end_template: include_str!("../../../templates/geronimo/end.txt"),
    facts: facts::FACTS,
    attacked: &["evasion", "ambush"],
    standing: include_str!("standing.txt"),
    next: include_str!("next.tsv"),
    bots: bot::BOTS,
    balance: &view::FIGURES,
    map: Some(&map::MAP),
    help: help::help,
    ..Entry::new::<Components>("geronimo", "Geronimo!", 1..=5, position)
};

fn position(setup: &Setup) -> Result<State, SetupFault> {
    Ok(setup::position(Components::of(&setup.components)?, setup.seats, Variant::of(setup)?))
}
