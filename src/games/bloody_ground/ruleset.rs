//! The registry entry of A Dark and Bloody Ground.

use super::{
    BloodyGround, State, bot,
    components::{Components, Kit as _},
    facts, help, map, setup,
    variant::{OPTIONS, Variant},
    view,
};
use postrider_table::{ByTurns, Entry, Setup, SetupFault};

/// The registry entry of A Dark and Bloody Ground.
pub static RULES: Entry<BloodyGround> = Entry {
    seats_rule: "1.0",
    scenarios: &[
        "harmar-1790",
        "st-clair-1791",
        "wayne-1793",
        "ohio-1790",
        "harmars-defeat",
        "st-clairs-surprise",
        "fallen-timbers",
    ],
    about_scenario: about,
    options: &OPTIONS,
    rules: include_str!("rules.tsv"),
    introduction: setup::introduction,
    view_template: include_str!("../../../templates/dark-and-bloody-ground/view.txt"),
    brief_template: include_str!("../../../templates/dark-and-bloody-ground/brief.txt"),
    end_template: include_str!("../../../templates/dark-and-bloody-ground/end.txt"),
    enough: &["pass", "done"],
    facts: facts::FACTS,
    attacked: &["reaction"],
    by_turns: &[ByTurns {
        kind: "action",
        pass: "pass",
        breaks: &["enemy beside", "trespass", "failed activation", "ambush"],
    }],
    standing: include_str!("standing.txt"),
    next: include_str!("next.tsv"),
    bots: bot::BOTS,
    balance: &view::FIGURES,
    map: Some(&map::MAP),
    help: help::help,
    ..Entry::new::<Components>("dark-and-bloody-ground", "A Dark and Bloody Ground", 2..=2, position)
};

fn position(setup: &Setup) -> Result<State, SetupFault> {
    Ok(setup::position(Components::of(&setup.components)?, &setup.scenario, Variant::of(setup)?))
}

fn about(scenario: &str) -> &'static str {
    match scenario {
        "harmar-1790" => "15.1: Harmar's expedition, fall 1790 and winter 1791",
        "st-clair-1791" => "15.2: St. Clair's campaign, summer 1791 to winter 1792",
        "wayne-1793" => "15.3: Wayne takes command, spring 1793 to fall 1795",
        "ohio-1790" => "15.4: the whole war, fall 1790 to fall 1795",
        "harmars-defeat" => "16.1: a battle, October 1790",
        "st-clairs-surprise" => "16.2: a battle, November 1791",
        "fallen-timbers" => "16.3: a battle, August 1794",
        _ => "",
    }
}
