//! Answers to questions about the map: how to read it, where trails lead, and the neighbours of an
//! area.

use super::{Face, GameMap, Shapes, board::shared};
use crate::{Explained, Subject};
use postrider_orders::{Names, Phrase, list_and};

impl GameMap {
    /// Explains `map`, `trails` or `neighbours of …`; `None` for any other subject.
    pub fn explain(&self, subject: &Phrase) -> Option<Explained> {
        let shapes: &Shapes = &self.shapes;
        let mut words = subject.reader();
        words.skip(&["help", "on", "about", "with", "the", "a", "an", "to"]);
        let said: Vec<&str> = words.rest().split_whitespace().collect();
        let rest = match said.as_slice() {
            [word] if word.eq_ignore_ascii_case("map") => return Some(shapes.reading()),
            [word] if ["trail", "trails"].iter().any(|known| word.eq_ignore_ascii_case(known)) => return shapes.ways(),
            [first, rest @ ..] if is_neighbours(first) => rest,
            _ => return None,
        };
        let rest: Vec<&str> = rest
            .iter()
            .copied()
            .skip_while(|word| ["of", "to", "the"].iter().any(|small| word.eq_ignore_ascii_case(small)))
            .collect();
        Some(shapes.neighbours(&rest.join(" ")))
    }
}

/// Returns `true` if a word asks for neighbours.
pub(super) fn is_neighbours(word: &str) -> bool {
    ["neighbours", "neighbors", "neighbour", "neighbor"].iter().any(|known| word.eq_ignore_ascii_case(known))
}

impl Shapes {
    /// Returns the help subjects of the map: the map itself, its trails, and each of its places.
    pub fn subjects(&self) -> Vec<Subject> {
        let listed = |subject: Subject| Subject { listed: true, ..subject };
        let map = listed(Subject::thing("map", self.reading()).or("areas"));
        let trails = self.ways().map(|ways| listed(Subject::thing("trails", ways)));
        let each = self.trails.iter().map(|trail| {
            Subject::thing(&trail.name, Explained::new(&trail.name, format!("It leads from {}.", self.stops(trail))))
        });
        // A board has too many hexes to list, and their numbers give their locations.
        let areas: &[Face] = if self.is_board() { &[] } else { &self.areas };
        let places = areas.iter().chain(&self.beside);
        let places = places.map(|face| Subject::thing(&face.name, self.beside_of(face)).or(&face.id).or(&face.abbr));
        std::iter::once(map).chain(trails).chain(each).chain(places).collect()
    }

    /// Formats the areas of a trail in order: `Cheyenne (N4), Casper (N5)`.
    fn stops(&self, trail: &super::Trail) -> String {
        [&trail.from].into_iter().chain(&trail.areas).map(|id| self.called(id)).collect::<Vec<_>>().join(", ")
    }

    /// Explains how to read the map, and the orders that show it.
    fn reading(&self) -> Explained {
        let kinds = self.kinds.iter().map(|kind| format!("{}{} {}", kind.mark, kind.sample, kind.name));
        let text = format!(
            "Areas are adjacent where they share a line{}. The pieces on a letter's text map are marked: {}.",
            if self.corners.is_empty() { "" } else { ", and crosswise at a corner with a cross" },
            kinds.collect::<Vec<_>>().join("; ")
        );
        let orders = self.areas.first().map(|area| format!("neighbours of {}", area.name.to_lowercase()));
        let orders = [Some("map".to_owned()), orders].into_iter().flatten().collect();
        Explained { orders, ..Explained::new("the map", text) }
    }

    /// Explains where the trails lead; `None` if there are none.
    fn ways(&self) -> Option<Explained> {
        let way = |trail: &super::Trail| format!("{}: {}", trail.name, self.stops(trail));
        let ways: Vec<String> = self.trails.iter().map(way).collect();
        (!ways.is_empty()).then(|| Explained::new("the trails", format!("From area to area. {}.", ways.join(". "))))
    }

    /// Formats an area as `Cheyenne (N4)`; a box, or an area whose abbreviation is its id, as its
    /// name alone.
    fn called(&self, id: &str) -> String {
        match self.face(id) {
            Some(face) if face.abbr != face.id && self.areas.iter().any(|area| area.id == id) => {
                format!("{} ({id})", face.name)
            }
            Some(face) => face.name.clone(),
            None => id.to_owned(),
        }
    }

    /// Explains the neighbours of an area or a box, and the ways there.
    fn neighbours(&self, name: &str) -> Explained {
        let mut names = Names::new("place on the map");
        for (at, face) in self.areas.iter().chain(&self.beside).enumerate() {
            names.add(&face.name, at);
            names.add(&face.id, at);
        }
        let face = match names.find(name) {
            Ok(at) => self.areas.iter().chain(&self.beside).nth(at),
            Err(why) => {
                let title = if name.is_empty() { "neighbours of what?".to_owned() } else { why.to_string() };
                return Explained::new(title, "Give the name of an area: `neighbours of …`.");
            }
        };
        face.map_or_else(|| Explained::new(name, ""), |face| self.beside_of(face))
    }

    fn beside_of(&self, face: &Face) -> Explained {
        let id = face.id.as_str();
        let other = |pair: &[&str; 2]| match *pair {
            [a, b] if a == id => Some(self.called(b)),
            [a, b] if b == id => Some(self.called(a)),
            _ => None,
        };
        let at_corner = |pair: &[&str; 2]| {
            self.corners
                .iter()
                .flat_map(|corner| &corner.pairs)
                .any(|c| c == pair || [&c[1], &c[0]] == [pair[0], pair[1]])
        };
        let (crosswise, beside): (Vec<_>, Vec<_>) = self.adjacent().into_iter().partition(at_corner);
        let mut beside: Vec<String> = beside.iter().filter_map(other).collect();
        if self.is_board() {
            let near = self.areas.iter().filter(|other| shared(&face.corners, &other.corners).len() == 2);
            beside.extend(near.map(|other| self.called(&other.id)));
        }
        let crosswise: Vec<String> = crosswise.iter().filter_map(other).collect();
        let mut says = Vec::new();
        if !beside.is_empty() {
            says.push(format!("Adjacent: {}.", list_and(&beside)));
        }
        if !crosswise.is_empty() {
            says.push(format!("Adjacent at the corner: {}.", list_and(&crosswise)));
        }
        for arrow in self.arrows.iter().filter(|arrow| arrow.area == id || arrow.to == id) {
            let far = if arrow.area == id { &arrow.to } else { &arrow.area };
            let who: Vec<&str> =
                arrow.who.iter().filter_map(|who| self.kind(who)).map(|kind| kind.name.as_str()).collect();
            says.push(format!("Arrow: {}, for {}.", self.called(far), list_and(&who)));
        }
        for trail in &self.trails {
            let stops: Vec<&String> = [&trail.from].into_iter().chain(&trail.areas).collect();
            let Some(at) = stops.iter().position(|stop| *stop == id) else { continue };
            let before = at.checked_sub(1).map(|at| format!("from {}", self.called(stops[at])));
            let after = stops.get(at + 1).map(|stop| format!("to {}", self.called(stop)));
            let ways: Vec<String> = [before, after].into_iter().flatten().collect();
            says.push(format!("{}: {}.", trail.name, ways.join(" ")));
        }
        let edges = self.borders().into_iter().filter(|pair| pair.contains(&id));
        let edges = edges.flatten().filter(|other| self.beside.iter().any(|face| face.id == **other));
        let edges: Vec<String> = edges.filter(|other| *other != id).map(|id| self.called(id)).collect();
        if !edges.is_empty() {
            says.push(format!("At the edge: {}.", list_and(&edges)));
        }
        if says.is_empty() {
            says.push("No area is adjacent to it.".to_owned());
        }
        Explained::new(format!("neighbours of {}", self.called(id)), says.join(" "))
    }
}
