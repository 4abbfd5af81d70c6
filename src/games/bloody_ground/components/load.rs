//! Readers of special texts in the component file, and checks of what the rules assume.

use super::{Charts, Components, Event, Ground, NationId, Province, Side, Special, Stance, Where, Without};
use postrider_table::components::{FaultKind, File, Id as _, Row};

/// Records a fault for each assumption of the rules that the components violate.
pub(super) fn check(c: &Components, file: &mut File<'_, '_>) {
    file.count("modifier", "modifiers", c.modifiers.len(), super::Drm::ALL.len(), "T");
    file.count("board", "boards", c.boards.len(), 3, "10.0");
    file.count("map_cost", "terrains", c.map_costs.len(), 3, "2.1.1");
    file.count("fire", "classes", c.fire.len(), 5, "10.5");
    file.count("army", "rows", c.army.len(), 6, "8.3");
    file.count("event", "rows", c.events.len(), 11, "5.0");
    if !file.is_sound() {
        return;
    }
    let mut wrong = |table, row, why: String| file.fault_at(table, row, "", FaultKind::Other(why));
    if c.areas.iter().filter(|a| a.is(Special::Kekionga)).count() != 1 {
        wrong("area", 0, "one area is Kekionga (3.0)".to_owned());
    }
    if !c.areas.iter().any(|a| a.is(Special::Town)) {
        wrong("area", 0, "at least one area is a permanent settlement (15.1.1)".to_owned());
    }
    for (at, event) in c.events.iter().enumerate() {
        if event.roll != (at + 2).to_string() {
            wrong("event", at, format!("the row of {} belongs here (5.0)", at + 2));
        }
    }
    if c.events.iter().all(|row| row.event == Event::None) {
        wrong("event", 0, "some roll brings an event (5.0)".to_owned());
    }
    for (at, army) in c.army.iter().enumerate() {
        if army.die != (at + 1).to_string() {
            wrong("army", at, format!("the row of {} belongs here (8.3)", at + 1));
        }
    }
    for nation in c.nation_ids() {
        if !c.kinds.iter().any(|kind| kind.nation == Some(nation)) {
            wrong("nation", nation.index(), format!("{} has no warriors (3.0)", c[nation].name));
        }
    }
    for name in
        ["Tecumseh", "Girty", "McKee", "Dorchester", "Blue Jacket", "Black Hoof", "Harmar", "St. Clair", "Wayne"]
    {
        if c.leader(name).is_none() {
            wrong("leader", 0, format!("{name} is missing (14)"));
        }
    }
    for (at, force) in c.forces.iter().enumerate() {
        let unknown = force.units.iter().find(|(unit, _)| c.kind(unit).is_none()).map(|(unit, _)| unit);
        let nobody = force.leaders.iter().find(|name| c.leader(name).is_none());
        if let Some(name) = unknown.or(nobody) {
            wrong("force", at, format!("there is no {name}"));
        }
    }
    for (at, scenario) in c.scenarios.iter().enumerate() {
        let unknown = scenario.nations.iter().find(|(name, ..)| c.nation(name).is_none());
        if let Some((name, ..)) = unknown {
            wrong("scenario", at, format!("there is no nation {name}"));
        }
        if scenario.setup_order.len() != Side::ALL.len() || scenario.board.is_some() != (scenario.turns == 0) {
            wrong("scenario", at, "a battle has a board and no turns, and both sides set up".to_owned());
        }
    }
    if let Err((table, row, why)) = Charts::of(c) {
        wrong(table, row, why);
    }
}

/// Reads an optional nation by name.
pub(super) fn nation(row: &mut Row<'_, '_, '_>, key: &'static str) -> Option<NationId> {
    if !row.has(key) {
        return None;
    }
    let word = row.name_at(key);
    row.row_of(&word, key, "nation").map(NationId::at)
}

/// Reads an optional list of texts.
pub(super) fn texts(row: &mut Row<'_, '_, '_>, key: &'static str) -> Vec<String> {
    row.words_if(key).into_iter().map(|word| word.text).collect()
}

/// Reads a list of pairs of texts.
pub(super) fn pairs(row: &mut Row<'_, '_, '_>, key: &'static str) -> Vec<(String, String)> {
    row.pairs(key).into_iter().map(|(a, b)| (a.text, b.text)).collect()
}

/// Parses a nation's stance and level: `Shawnee warpath 3`.
pub(super) fn stance(text: &str) -> Option<(String, Stance, u8)> {
    let mut words = text.split(' ');
    let (name, stance, level) = (words.next()?, words.next()?, words.next()?);
    Some((name.to_owned(), Stance::of_word(stance)?, level.parse().ok().filter(|&level| level <= 5)?))
}

/// Parses a kind and a number: `regular 3`.
pub(super) fn counted(text: &str) -> Option<(String, u8)> {
    let (name, n) = text.split_once(' ')?;
    Some((name.to_owned(), n.parse().ok()?))
}

/// Parses a place of a set-up.
pub(super) fn place(text: &str) -> Option<Where> {
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    Some(match (first, rest) {
        ("area", id) => Where::Area(id.to_owned()),
        ("nation", name) => Where::Nation(name.to_owned()),
        ("own", "") => Where::Own,
        ("towns", "") => Where::Towns,
        ("beside", "towns") => Where::BesideTowns,
        ("state", name) => Where::Province(Province::of_word(name)?),
        ("british", "forts") => Where::BritishForts,
        ("anywhere", "") => Where::Anywhere,
        ("hex", id) => Where::Hex(id.to_owned()),
        ("terrain", word) => Where::Ground(Ground::of_word(word)?),
        ("within", rest) => {
            let (n, of) = rest.split_once(" of ")?;
            let n = n.parse().ok()?;
            match of.split_once(' ') {
                Some(("letter", letter)) => Where::OfLetter(n, letter.to_owned()),
                None if of == "trail" => Where::OfTrail(n),
                None => Where::Within(n, of.to_owned()),
                Some(_) => return None,
            }
        }
        _ => return None,
    })
}

/// Parses a restriction on the places of a set-up.
pub(super) fn without(text: &str) -> Option<Without> {
    Some(match text {
        "no settler" => Without::Settler,
        "no village" => Without::Village,
        "no us_fort" => Without::Fort,
        "no enemy beside" => Without::EnemyBeside,
        "north bank" => Without::SouthBank,
        _ => return None,
    })
}
