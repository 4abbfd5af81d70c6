//! From a file's text to checked [`Components`].

use super::{Card, Components, Face, Faction, Kind, Pieces, RailSpace, Region, RegionId, Route, Spot, Trail};
use crate::{
    games::plains::{movement, naming},
    orders::Names,
    table::components::{self, ComponentFault, FaultKind, Reader, Row, Seen},
};

/// Cubes of a colour, at most.
const CUBES: std::ops::RangeInclusive<i32> = 0..=99;

impl Components {
    /// Reads and checks a component file. `file_name` is only used to name it in messages.
    ///
    /// # Errors
    /// [`ComponentFault`] lists all that is wrong, each with its place in the file and what would be right.
    pub fn parse(text: &str, file_name: &str) -> Result<Components, ComponentFault> {
        let keys = ["faction", "region", "rail", "trail", "card"];
        components::read(text, file_name, &keys, |reader, file| {
            let pieces = factions(reader, &file);
            let (regions, ids) = regions(reader, &file);
            let rail = rail(reader, &file, &ids);
            let trails = trails(reader, &file, &ids);
            let cards = cards(reader, &file);
            let (names, near, source) = (Names::new("region"), Vec::new(), text.to_owned());
            let read = Components { pieces, regions, rail, trails, cards, names, near, source };
            let (names, near) = (naming::spots(&read), movement::near(&read));
            let read = Components { names, near, ..read };
            for (what, why) in read.against_the_rules() {
                reader.fault(&file.get(what).map_or(0..0, toml::Spanned::span), what, FaultKind::Other(why));
            }
            read
        })
    }

    /// What the rules take for granted and these pieces are not: the tables that are wrong, and why.
    fn against_the_rules(&self) -> Vec<(&'static str, String)> {
        let mut faults = Vec::new();
        if !self.regions.iter().any(|r| r.st_louis) {
            faults.push(("region", "no region is next to St. Louis (6.3)".to_owned()));
        }
        let (plains, mountains) = self.rail.split_at(self.rail.iter().take_while(|s| !s.mountain).count());
        if plains.is_empty() || mountains.is_empty() || mountains.iter().any(|s| !s.mountain) {
            faults
                .push(("rail", "Plains spaces from St. Louis first, then the M spaces to Sacramento (6.7)".to_owned()));
        }
        if plains.iter().any(|s| s.regions.is_empty()) {
            faults.push(("rail", "every Plains space lies beside a region (6.7.1)".to_owned()));
        }
        for trail in &self.trails {
            let joined = trail.regions.windows(2).all(|w| self[w[0]].adjacent.contains(&w[1]));
            if !joined || !trail.regions.first().is_some_and(|&r| self[r].st_louis) {
                faults.push(("trail", format!("{}: neighbouring regions, from St. Louis on (6.6.1)", trail.name)));
            }
        }
        for route in [Route::North, Route::South] {
            if !self.trails.iter().any(|t| t.route == route) {
                faults.push(("trail", "both routes have one (15.4)".to_owned()));
            }
        }
        for faction in Faction::CARDED {
            if !self.deck(faction).any(|k| self[k].is_movement()) {
                let why = format!("the {} deck has no {} card (9.1)", faction.name(), faction.card_type());
                faults.push(("card", why));
            }
        }
        faults
    }
}

/// 3.0, 6.1 to 6.5: cubes and dice, the factions in their order.
fn factions<'t>(r: &mut Reader<'t>, file: &Row<'_, 't>) -> Vec<Pieces> {
    let rows = r.rows(file, "faction", &["name", "colour", "cubes", "die", "known"]);
    let mut pieces = Vec::new();
    for (row, faction) in rows.iter().zip(Faction::ALL) {
        r.name(row, "name");
        let colour = r.one_of::<Faction>(row, "colour").filter(|&colour| colour != faction);
        if let (Some(other), Some(at)) = (colour, row.get("colour")) {
            let why = format!("{} stands where {} belongs", other.colour(), faction.colour());
            r.fault(&at.span(), row.key("colour"), FaultKind::Other(why));
        }
        let mut die = Vec::new();
        if faction != Faction::Railroad {
            let word = r.text(row, "die");
            die = word.text.chars().filter_map(face).collect();
            if word.text.len() != 6 || die.len() != 6 {
                let (found, right) = (format!("{:?}", word.text), "six faces of b, t and w".to_owned());
                r.fault(&word.span, row.key("die"), FaultKind::Value { found, right });
            }
        }
        pieces.push(Pieces { cubes: r.int(row, "cubes", CUBES) as u8, die, known: r.known(row) });
    }
    if rows.len() != Faction::ALL.len() {
        let (found, want) = (rows.len(), Faction::ALL.len());
        r.fault(&file.span, "faction", FaultKind::Count { what: "factions".to_owned(), found, want, rule: "1.1" });
        pieces.resize(want, Pieces { cubes: 0, die: Vec::new(), known: String::new() });
    }
    pieces
}

/// 4.4: the regions, and their ids.
fn regions<'t>(r: &mut Reader<'t>, file: &Row<'_, 't>) -> (Vec<Region>, Vec<String>) {
    let keys = ["id", "name", "kind", "adjacent", "arrows", "st_louis", "known"];
    let rows = r.rows(file, "region", &keys);
    let (mut seen, mut ids, mut regions) = (Seen::new(), Vec::new(), Vec::new());
    for row in &rows {
        let (id, name) = (r.name(row, "id"), r.name(row, "name"));
        r.once(&mut seen, &id, &id.text, row.key("id"));
        r.once(&mut seen, &name, &name.text, row.key("name"));
        let mut arrows = Vec::new();
        for arrow in if row.get("arrows").is_some() { r.words(row, "arrows") } else { Vec::new() } {
            let parts = arrow.text.split_once(' ').and_then(|(spot, colour)| {
                let spot = Spot::BESIDE.iter().find(|row| row.1 == spot)?.0;
                Some((spot, Faction::of_colour(colour)?))
            });
            match parts {
                Some(parts) => arrows.push(parts),
                None => {
                    let (found, right) = (format!("{:?}", arrow.text), "an arrow as \"canada green\"".to_owned());
                    r.fault(&arrow.span, row.key("arrows"), FaultKind::Value { found, right });
                }
            }
        }
        ids.push(id.text.clone());
        regions.push(Region {
            id: id.text,
            name: name.text,
            kind: r.one_of(row, "kind").unwrap_or(Kind::North),
            adjacent: Vec::new(),
            arrows,
            st_louis: r.optional_flag(row, "st_louis"),
            known: r.known(row),
        });
    }
    let neighbours = r.neighbours(&rows, "adjacent", "region", &ids, &ids);
    for (region, near) in regions.iter_mut().zip(neighbours) {
        region.adjacent = near.into_iter().map(|there| RegionId(there as u8)).collect();
    }
    (regions, ids)
}

/// Regions by their ids.
fn listed<'t>(r: &mut Reader<'t>, row: &Row<'_, 't>, ids: &[String]) -> Vec<RegionId> {
    let words = r.words(row, "regions");
    words
        .iter()
        .filter_map(|word| r.find(word, row.key("regions"), "region", ids))
        .map(|at| RegionId(at as u8))
        .collect()
}

/// 6.7: the spaces of the railroad.
fn rail<'t>(r: &mut Reader<'t>, file: &Row<'_, 't>, ids: &[String]) -> Vec<RailSpace> {
    let rows = r.rows(file, "rail", &["space", "regions", "mountain", "known"]);
    let spaces = rows.iter().map(|row| RailSpace {
        name: r.name(row, "space").text,
        regions: listed(r, row, ids),
        mountain: r.optional_flag(row, "mountain"),
        known: r.known(row),
    });
    spaces.collect()
}

/// 6.6.1: the wagon trails.
fn trails<'t>(r: &mut Reader<'t>, file: &Row<'_, 't>, ids: &[String]) -> Vec<Trail> {
    let rows = r.rows(file, "trail", &["name", "route", "regions", "known"]);
    let trails = rows.iter().map(|row| Trail {
        name: r.name(row, "name").text,
        route: r.one_of(row, "route").unwrap_or(Route::North),
        regions: listed(r, row, ids),
        known: r.known(row),
    });
    trails.collect()
}

/// 9: the cards of the four decks.
fn cards<'t>(r: &mut Reader<'t>, file: &Row<'_, 't>) -> Vec<Card> {
    let keys = ["id", "deck", "name", "cubes", "groups", "moves", "event", "known"];
    let rows = r.rows(file, "card", &keys);
    let (mut seen, mut cards) = (Seen::new(), Vec::new());
    for row in &rows {
        let (id, name) = (r.name(row, "id"), r.name(row, "name"));
        r.once(&mut seen, &id, &id.text, row.key("id"));
        r.once(&mut seen, &name, &name.text, row.key("name"));
        let deck: Option<Faction> = r.one_of(row, "deck");
        if let (Some(other), Some(at)) = (deck.filter(|deck| !Faction::CARDED.contains(deck)), row.get("deck")) {
            let why = format!("the {} have no deck (4.2)", other.name());
            r.fault(&at.span(), row.key("deck"), FaultKind::Other(why));
        }
        let mut number = |key| r.optional_int(row, key, CUBES).unwrap_or(0) as u8;
        let (cubes, groups, moves) = (number("cubes"), number("groups"), number("moves"));
        let event = if row.get("event").is_some() { r.one_of(row, "event") } else { None };
        if row.get("event").is_none() && (groups == 0 || moves == 0) {
            let why = "a movement card moves groups, an Event card has an event (9)".to_owned();
            r.fault(&row.span, "card", FaultKind::Other(why));
        }
        let deck = deck.unwrap_or(Faction::Npt);
        cards.push(Card { id: id.text, deck, name: name.text, cubes, groups, moves, event, known: r.known(row) });
    }
    cards
}

fn face(letter: char) -> Option<Face> {
    match letter {
        'b' => Some(Face::Blank),
        't' => Some(Face::Treaty),
        'w' => Some(Face::Weapon),
        _ => None,
    }
}
