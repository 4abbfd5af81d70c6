//! What lies where on a map at one moment, and what has changed since another one.

use std::collections::{BTreeMap, BTreeSet};

/// What lies where on a map, as the view of a seat has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// The moment, for a heading: `Turn 3, Round 2 of 8`.
    pub moment: String,
    /// What lies at each place; places without pieces may be missing.
    pub places: Vec<Place>,
    /// Spaces of the railroad that are built, by their ids.
    pub built: BTreeSet<String>,
}

/// What lies at one place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The place, by its id or its name on the drawing.
    pub at: String,
    /// What is to be said of it beside its pieces; may be empty.
    pub says: String,
    /// What lies there.
    pub pieces: Vec<Piece>,
}

/// A piece, or several of a kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// The id of its kind on the drawing.
    pub kind: String,
    /// Its own name, if it has one; with the kind it tells it from all others at a place.
    pub name: String,
    /// What stands on it, a few letters.
    pub text: String,
    /// What stands on it where there is more room.
    pub long: String,
    /// The same in words: `3 Green`.
    pub words: String,
}

impl Piece {
    /// A piece of this kind and name with this on it, also where there is more room, and in words.
    pub fn new(kind: &str, name: &str, text: impl Into<String>, words: impl Into<String>) -> Piece {
        let (kind, name, text) = (kind.to_owned(), name.to_owned(), text.into());
        Piece { kind, name, long: text.clone(), text, words: words.into() }
    }
}

/// What became of a piece since an earlier scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It lies as it lay.
    Same,
    /// It was not there.
    New,
    /// Something else stood on it.
    Other,
    /// It is there no more.
    Gone,
}

/// A piece with what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marked {
    /// The piece, as it is or, when it is gone, as it was.
    pub piece: Piece,
    /// What became of it.
    pub change: Change,
    /// What stood on it before, if that was something else.
    pub before: String,
}

/// A scene beside an earlier one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// The moment that is shown.
    pub moment: String,
    /// The pieces by the ids of their places, in the order in which they lie there, those that are gone last.
    pub places: BTreeMap<String, Vec<Marked>>,
    /// What is to be said of places, by their ids.
    pub says: BTreeMap<String, String>,
    /// The built spaces of the railroad; `true` for those that are new.
    pub built: BTreeMap<String, bool>,
    /// Whether there is an earlier scene to compare with.
    pub compared: bool,
}

impl Scene {
    /// This scene with what has changed since an earlier one, or nothing marked where there is none. `id` gives the id of a place
    /// as a scene names it.
    pub fn since(&self, earlier: Option<&Scene>, id: impl Fn(&str) -> Option<String>) -> Compared {
        let mut compared = Compared { moment: self.moment.clone(), compared: earlier.is_some(), ..Compared::default() };
        let before = earlier.unwrap_or(self);
        let mut old: BTreeMap<String, Vec<&Piece>> = BTreeMap::new();
        for place in &before.places {
            if let Some(at) = id(&place.at) {
                old.entry(at).or_default().extend(&place.pieces);
            }
        }
        for place in &self.places {
            let Some(at) = id(&place.at) else { continue };
            let was = old.remove(&at).unwrap_or_default();
            let is_same = |a: &Piece, b: &Piece| a.kind == b.kind && a.name == b.name;
            let row = compared.places.entry(at.clone()).or_default();
            for piece in &place.pieces {
                let (change, before) = match was.iter().find(|old| is_same(old, piece)) {
                    None => (Change::New, String::new()),
                    Some(old) if old.text == piece.text => (Change::Same, String::new()),
                    Some(old) => (Change::Other, old.text.clone()),
                };
                row.push(Marked { piece: piece.clone(), change, before });
            }
            let gone = was.into_iter().filter(|old| !place.pieces.iter().any(|piece| is_same(old, piece)));
            row.extend(gone.map(Marked::gone));
            if !place.says.is_empty() {
                compared.says.insert(at, place.says.clone());
            }
        }
        for (at, was) in old {
            compared.places.entry(at).or_default().extend(was.into_iter().map(Marked::gone));
        }
        compared.places.retain(|_, pieces| !pieces.is_empty());
        compared.built = self.built.iter().map(|space| (space.clone(), !before.built.contains(space))).collect();
        compared
    }
}

impl Compared {
    /// Whether anything has changed.
    pub fn has_news(&self) -> bool {
        self.built.values().any(|new| *new)
            || self.places.values().flatten().any(|marked| marked.change != Change::Same)
    }
}

impl Marked {
    fn gone(piece: &Piece) -> Marked {
        Marked { piece: piece.clone(), change: Change::Gone, before: piece.text.clone() }
    }

    /// The piece in words, with what became of it: `3 Green (new)`, `2 Blue (was 4B)`.
    pub fn words(&self) -> String {
        let words = &self.piece.words;
        match self.change {
            Change::Same => words.clone(),
            Change::New => format!("{words} (new)"),
            Change::Other => format!("{words} (was {})", self.before),
            Change::Gone => format!("{words} (gone)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(places: &[(&str, &[&str])]) -> Scene {
        let piece = |text: &&str| {
            let kind = text.trim_start_matches(|c: char| c.is_ascii_digit());
            Piece {
                kind: kind.to_owned(),
                text: (*text).to_owned(),
                long: String::new(),
                words: (*text).to_owned(),
                ..Piece::default()
            }
        };
        let place = |(at, pieces): &(&str, &[&str])| Place {
            at: (*at).to_owned(),
            says: String::new(),
            pieces: pieces.iter().map(piece).collect(),
        };
        Scene { places: places.iter().map(place).collect(), ..Scene::default() }
    }

    #[test]
    fn what_came_went_and_changed_is_told_apart() {
        let before = scene(&[("a", &["3G", "1B"]), ("b", &["2W"])]);
        let now = scene(&[("a", &["2G", "1W"]), ("c", &["1B"])]);
        let compared = now.since(Some(&before), |at| Some(at.to_owned()));
        let words = |at: &str| compared.places[at].iter().map(Marked::words).collect::<Vec<_>>();
        assert_eq!(words("a"), ["2G (was 3G)", "1W (new)", "1B (gone)"]);
        assert_eq!(words("b"), ["2W (gone)"]);
        assert_eq!(words("c"), ["1B (new)"]);
        assert!(compared.has_news());
        assert!(!now.since(None, |at| Some(at.to_owned())).has_news());
    }
}
