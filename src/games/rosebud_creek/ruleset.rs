//! The registry entry of The Battle of Rosebud Creek.

use super::{
    RosebudCreek, State, bot,
    components::{Components, Kit as _},
    help, map, setup,
    variant::{OPTIONS, Variant},
    view,
};
use postrider_table::{Absent, Entry, Setup, SetupFault};

/// The registry entry of The Battle of Rosebud Creek.
pub static RULES: Entry<RosebudCreek> = Entry {
    seats_rule: "18.1",
    scenarios: &["historical", "pack-train"],
    absent: &[Absent {
        names: &[
            "crook-at-little-bighorn",
            "little-bighorn",
            "wyoming-column",
            "crooks-pursuit",
            "18.3",
            "18.3a",
            "18.3b",
            "3",
            "3a",
            "3b",
        ],
        why: "Crook at Little Bighorn (18.3) is played on the map, and with the units, of another game, The Battle of the Little \
              Bighorn, which this program does not have",
    }],
    about_scenario: about,
    options: &OPTIONS,
    rules: include_str!("rules.tsv"),
    introduction: setup::introduction,
    view_template: include_str!("../../../templates/rosebud-creek/view.txt"),
    brief_template: include_str!("../../../templates/rosebud-creek/brief.txt"),
    end_template: include_str!("../../../templates/rosebud-creek/end.txt"),
    enough: &["done"],
    facts: super::facts::FACTS,
    attacked: &["stand-or-go"],
    standing: include_str!("standing.txt"),
    next: include_str!("next.tsv"),
    bots: bot::BOTS,
    balance: &view::FIGURES,
    map: Some(&map::MAP),
    help: help::help,
    ..Entry::new::<Components>("rosebud-creek", "The Battle of Rosebud Creek", 2..=2, position)
};

fn position(setup: &Setup) -> Result<State, SetupFault> {
    Ok(setup::position(Components::of(&setup.components)?, &setup.scenario, Variant::of(setup)?))
}

fn about(scenario: &str) -> &'static str {
    match scenario {
        "historical" => "18.1: the battle of 17 June 1876",
        "pack-train" => "18.2: Crook has brought his Pack Trains",
        _ => "",
    }
}
