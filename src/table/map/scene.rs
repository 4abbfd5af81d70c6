//! The state of a map at one moment, and its changes since another moment.

use std::collections::{BTreeMap, BTreeSet};

/// The state of a map according to the view of a seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// The moment, for a heading: `Turn 3, Round 2 of 8`.
    pub moment: String,
    /// The pieces at each place; places without pieces may be omitted.
    pub places: Vec<Place>,
    /// The ids of the railroad spaces that have been built.
    pub built: BTreeSet<String>,
}

/// The state of one place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The place: its id or its name on the drawing.
    pub at: String,
    /// Remarks on it other than its pieces; may be empty.
    pub says: String,
    /// The pieces on it.
    pub pieces: Vec<Piece>,
}

/// A piece, or several of the same kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// The id of its kind on the drawing.
    pub kind: String,
    /// Its own name, if any; kind and name together are unique within a place.
    pub name: String,
    /// The text on it: a few letters.
    pub text: String,
    /// The longer text on it, used if there is room.
    pub long: String,
    /// A description in words: `3 Green`.
    pub words: String,
}

impl Piece {
    /// Creates a piece of this kind and name; `text` is both its short and its long text.
    pub fn new(kind: &str, name: &str, text: impl Into<String>, words: impl Into<String>) -> Piece {
        let (kind, name, text) = (kind.to_owned(), name.to_owned(), text.into());
        Piece { kind, name, long: text.clone(), text, words: words.into() }
    }
}

/// The change of a piece since an earlier scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Unchanged.
    Same,
    /// Newly placed here.
    New,
    /// The text on it has changed.
    Other,
    /// No longer here.
    Gone,
}

/// A piece with its change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marked {
    /// The current piece or, if it is gone, the former one.
    pub piece: Piece,
    /// The change.
    pub change: Change,
    /// The former text on it, if it has changed.
    pub before: String,
}

/// A scene compared with an earlier one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// The moment shown.
    pub moment: String,
    /// The pieces by the ids of their places, in their order there; those that are gone come last.
    pub places: BTreeMap<String, Vec<Marked>>,
    /// The remarks on places, by their ids.
    pub says: BTreeMap<String, String>,
    /// The railroad spaces that have been built; `true` if newly built.
    pub built: BTreeMap<String, bool>,
    /// `true` if there is an earlier scene to compare with.
    pub compared: bool,
}

impl Scene {
    /// Compares this scene with an earlier one; without one, nothing is marked as changed. `id`
    /// maps a scene's name for a place to its id.
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
    /// Returns `true` if anything has changed.
    pub fn has_news(&self) -> bool {
        self.built.values().any(|new| *new)
            || self.places.values().flatten().any(|marked| marked.change != Change::Same)
    }
}

impl Marked {
    fn gone(piece: &Piece) -> Marked {
        Marked { piece: piece.clone(), change: Change::Gone, before: piece.text.clone() }
    }

    /// Formats the piece with its change: `3 Green (new)`, `2 Blue (was 4B)`.
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
