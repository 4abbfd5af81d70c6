//! From a file's text to checked [`Components`]: what the declaration of the pieces does not say.

use super::{Card, Components, Face, Faction, Pieces, RailSpace, Region, Route, Spot, Trail};
use crate::{
    games::plains::{movement, naming},
    orders::Names,
    table::components::{FaultKind, File, Kit, Piece as _, Row, Table},
};

impl Kit for Components {
    const FILE: &'static str = include_str!("../components.toml");
    const TABLES: &'static [Table] = &[Pieces::TABLE, Region::TABLE, RailSpace::TABLE, Trail::TABLE, Card::TABLE];

    fn assemble(file: &mut File<'_, '_>) -> Components {
        let mut read = Components {
            pieces: file.pieces(),
            regions: file.pieces(),
            rail: file.pieces(),
            trails: file.pieces(),
            cards: file.pieces(),
            names: Names::new("region"),
            near: Vec::new(),
        };
        file.count("faction", "factions", read.pieces.len(), Faction::ALL.len(), "1.1");
        // Of pieces that are not all there nothing can be said.
        if file.is_sound() {
            read.hold_against_the_rules(file);
            read.names = naming::spots(&read);
            read.near = movement::near(&read);
        }
        read
    }
}

impl Components {
    /// Notes what the rules take for granted and these pieces are not.
    fn hold_against_the_rules(&self, file: &mut File<'_, '_>) {
        let mut wrong = |table, row, why: String| file.fault_at(table, row, "", FaultKind::Other(why));
        if !self.regions.iter().any(|r| r.st_louis) {
            wrong("region", 0, "no region is next to St. Louis (6.3)".to_owned());
        }
        let (plains, mountains) = self.rail.split_at(self.rail.iter().take_while(|s| !s.mountain).count());
        if plains.is_empty() || mountains.is_empty() || mountains.iter().any(|s| !s.mountain) {
            wrong("rail", 0, "Plains spaces from St. Louis first, then the M spaces to Sacramento (6.7)".to_owned());
        }
        if let Some(at) = plains.iter().position(|s| s.regions.is_empty()) {
            wrong("rail", at, "every Plains space lies beside a region (6.7.1)".to_owned());
        }
        for (at, trail) in self.trails.iter().enumerate() {
            let joined = trail.regions.windows(2).all(|w| self[w[0]].adjacent.contains(&w[1]));
            if !joined || !trail.regions.first().is_some_and(|&r| self[r].st_louis) {
                wrong("trail", at, format!("{}: neighbouring regions, from St. Louis on (6.6.1)", trail.name));
            }
        }
        if [Route::North, Route::South].iter().any(|route| self.trails.iter().all(|t| t.route != *route)) {
            wrong("trail", 0, "both routes have one (15.4)".to_owned());
        }
        for (at, card) in self.cards.iter().enumerate() {
            if card.is_movement() && (card.groups == 0 || card.moves == 0) {
                wrong("card", at, "a movement card moves groups, an Event card has an event (9)".to_owned());
            }
        }
        for faction in Faction::CARDED {
            if !self.deck(faction).any(|k| self[k].is_movement()) {
                let why = format!("the {} deck has no {} card (9.1)", faction.name(), faction.card_type());
                wrong("card", 0, why);
            }
        }
    }
}

/// 1.1: the factions stand in their order.
pub(super) fn in_order(row: &mut Row<'_, '_, '_>, key: &'static str) -> Faction {
    let colour: Faction = row.word(key);
    if let Some(right) = Faction::ALL.get(row.at()).filter(|&&right| right != colour && row.has(key)) {
        let why = format!("{} stands where {} belongs", colour.word(), right.word());
        row.fault(key, FaultKind::Other(why));
    }
    colour
}

/// 6.1 to 6.5: the six faces of a die. The Railroad, whose row is the last, has none.
pub(super) fn die(row: &mut Row<'_, '_, '_>, key: &'static str) -> Vec<Face> {
    if row.at() == Faction::Railroad.index() && !row.has(key) {
        return Vec::new();
    }
    let letters = row.text(key);
    let die: Vec<Face> = letters.split("").filter_map(Face::of_word).collect();
    if letters.len() != 6 || die.len() != 6 {
        row.wrong(key, "six faces of b, t and w");
    }
    die
}

/// An arrow of the map (4.4): the area beside it, and who may cross.
pub(super) fn arrow(text: &str) -> Option<(Spot, Faction)> {
    let (spot, colour) = text.split_once(' ')?;
    Some((Spot::BESIDE.iter().find(|row| row.1 == spot)?.0, Faction::of_word(colour)?))
}

/// 4.2: one of the factions with a deck.
pub(super) fn carded(row: &mut Row<'_, '_, '_>, key: &'static str) -> Faction {
    let deck: Faction = row.word(key);
    if !Faction::CARDED.contains(&deck) {
        row.fault(key, FaultKind::Other(format!("the {} have no deck (4.2)", deck.name())));
    }
    deck
}
