//! Checks of the component file, and values with a format of their own.

use super::{Components, Face, Faction, Route, Spot};
use postrider_table::components::{FaultKind, File, Row};

/// Reports everything in these components that violates an assumption of the rules.
pub(super) fn check(c: &Components, file: &mut File<'_, '_>) {
    file.count("faction", "factions", c.pieces.len(), Faction::ALL.len(), "1.1");
    // Nothing more can be checked if pieces are missing.
    if !file.is_sound() {
        return;
    }
    let mut wrong = |table, row, why: String| file.fault_at(table, row, "", FaultKind::Other(why));
    if !c.regions.iter().any(|r| r.st_louis) {
        wrong("region", 0, "no region is next to St. Louis (6.3)".to_owned());
    }
    let (plains, mountains) = c.rail.split_at(c.rail.iter().take_while(|s| !s.mountain).count());
    if plains.is_empty() || mountains.is_empty() || mountains.iter().any(|s| !s.mountain) {
        wrong("rail", 0, "Plains spaces from St. Louis first, then the M spaces to Sacramento (6.7)".to_owned());
    }
    if let Some(at) = plains.iter().position(|s| s.regions.is_empty()) {
        wrong("rail", at, "every Plains space lies beside a region (6.7.1)".to_owned());
    }
    for (at, trail) in c.trails.iter().enumerate() {
        let joined = trail.regions.windows(2).all(|w| c[w[0]].adjacent.contains(&w[1]));
        if !joined || !trail.regions.first().is_some_and(|&r| c[r].st_louis) {
            wrong("trail", at, format!("{}: neighbouring regions, from St. Louis on (6.6.1)", trail.name));
        }
    }
    if [Route::North, Route::South].iter().any(|route| c.trails.iter().all(|t| t.route != *route)) {
        wrong("trail", 0, "both routes have one (15.4)".to_owned());
    }
    for (at, card) in c.cards.iter().enumerate() {
        if card.is_movement() && (card.groups == 0 || card.moves == 0) {
            wrong("card", at, "a movement card moves groups, an Event card has an event (9)".to_owned());
        }
    }
    for faction in Faction::CARDED {
        if !c.deck(faction).any(|k| c[k].is_movement()) {
            let why = format!("the {} deck has no {} card (9.1)", faction.name(), faction.card_type());
            wrong("card", 0, why);
        }
    }
}

/// Parses the six faces of a die (6.1 to 6.5). The Railroad, the last row, has no die.
pub(super) fn die(row: &mut Row<'_, '_, '_>, key: &'static str) -> Vec<Face> {
    let rolls = row.at() != Faction::Railroad.index() || row.has(key);
    if rolls { row.letters(key, 6, Face::of_word, "six faces of b, t and w") } else { Vec::new() }
}

/// Parses an arrow of the map (4.4): the area next to the map, and the faction that may cross.
pub(super) fn arrow(text: &str) -> Option<(Spot, Faction)> {
    let (spot, colour) = text.split_once(' ')?;
    Some((Spot::BESIDE.iter().find(|row| row.1 == spot)?.0, Faction::of_word(colour)?))
}

/// Returns the error for a card of a faction without a deck (4.2).
pub(super) fn no_deck(faction: Faction) -> String {
    format!("the {} have no deck (4.2)", faction.name())
}
