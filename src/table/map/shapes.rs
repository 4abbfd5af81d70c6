//! The drawing of a map, as stored in a data file.

use serde::Deserialize;

/// A point of the drawing, in its units: x to the right, y down.
pub type Point = [i32; 2];

/// The drawing of a map: a JSON file in a game's folder. `README.md` here explains how to write
/// one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shapes {
    /// The source of the drawing.
    pub about: String,
    /// Its width and height.
    pub size: Point,
    /// The types of ground.
    pub roles: Vec<Role>,
    /// The kinds of pieces, in the order of the map's key.
    pub kinds: Vec<PieceKind>,
    /// The areas defined by the rules.
    pub areas: Vec<Face>,
    /// Boxes next to the areas, and the land around them.
    #[serde(default)]
    pub beside: Vec<Face>,
    /// Ground that does not belong to any area and cannot be entered.
    #[serde(default)]
    pub gaps: Vec<Face>,
    /// Points where areas that share no border are nevertheless adjacent.
    #[serde(default)]
    pub corners: Vec<Corner>,
    /// The railroad.
    #[serde(default)]
    pub track: Option<Track>,
    /// Connections between an area and a box next to the map.
    #[serde(default)]
    pub arrows: Vec<Arrow>,
    /// Routes through several areas.
    #[serde(default)]
    pub trails: Vec<Trail>,
    /// Rivers.
    #[serde(default)]
    pub rivers: Vec<River>,
    /// Towns and other permanent places.
    #[serde(default)]
    pub towns: Vec<Town>,
    /// The lines from which outlines are composed.
    pub arcs: Vec<Arc>,
}

/// A type of ground.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Role {
    /// The name in the file.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// The fill colour, `#rrggbb`.
    pub fill: String,
}

/// A kind of piece. No two kinds of a map share both figure and letters, so that the map can be
/// read without colours.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PieceKind {
    /// The name in the file and in a [`Scene`](super::Scene).
    pub id: String,
    /// The name for people.
    pub name: String,
    /// Its outline.
    pub figure: Figure,
    /// The fill colour, `#rrggbb`; a bare figure has none.
    #[serde(default)]
    pub fill: String,
    /// The colour of the text on it.
    pub ink: String,
    /// The text on it in the map's key.
    pub sample: String,
    /// The prefix that marks it on a text map, which has no outlines.
    #[serde(default)]
    pub mark: String,
}

/// The outline of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Figure {
    /// No outline, only text.
    Bare,
    /// A square.
    Square,
    /// A square on a thick base.
    Fort,
    /// A square with a roof.
    House,
    /// A shape whose sides lean together.
    Tent,
    /// A shape with a point on each side.
    Point,
    /// A shape with round sides.
    Round,
    /// A shape with a notch on each side, as in a flag.
    Star,
}

/// A surface with an outline: an area, a box, a gap.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Face {
    /// The id in views and orders.
    pub id: String,
    /// Its name.
    pub name: String,
    /// A short name for narrow spaces; the id if there is no other.
    pub abbr: String,
    /// The id of its [`Role`].
    pub role: String,
    /// The outline as arcs, numbered from 1, each starting where the previous one ends; a negative
    /// number means that the arc runs backwards.
    #[serde(default)]
    pub ring: Vec<i32>,
    /// The outline as points, if it shares no line with others.
    #[serde(default)]
    pub corners: Vec<Point>,
    /// The centre of its name.
    #[serde(default)]
    pub label: Option<Point>,
    /// Maximum width of the name.
    #[serde(default)]
    pub room: i32,
    /// The space for pieces: left, top, width, height.
    #[serde(default)]
    pub rect: Option<[i32; 4]>,
    /// The position of its name in small letters, if its label has room only for the id.
    #[serde(default)]
    pub aside: Option<Aside>,
}

/// A name in small letters.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aside {
    /// Its centre.
    pub at: Point,
    /// Its lines.
    pub lines: Vec<String>,
}

/// A river.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct River {
    /// Its name.
    pub name: String,
    /// Its courses, each downstream.
    pub lines: Vec<Vec<Point>>,
    /// `true` if it is a major river with areas on both sides.
    #[serde(default)]
    pub wide: bool,
}

/// A town, a fort or the like, printed on the map.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Town {
    /// Its name.
    pub name: String,
    /// The id of its area.
    pub area: String,
    /// Its location.
    pub at: Point,
}

/// A line of an outline.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arc {
    /// The one or two faces that it borders.
    pub between: Vec<String>,
    /// Its points, two or more.
    pub points: Vec<Point>,
}

/// A point where areas are diagonally adjacent.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Corner {
    /// Its location.
    pub at: Point,
    /// The areas that touch only there.
    pub pairs: Vec<[String; 2]>,
}

/// The railroad: spaces in a row.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Track {
    /// Its name.
    pub name: String,
    /// The width and height of a space.
    pub side: i32,
    /// The spaces, in order.
    pub spaces: Vec<Space>,
}

/// A space of a [`Track`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Space {
    /// Its name.
    pub id: String,
    /// Its centre.
    pub at: Point,
}

/// A connection between an area and a box next to the map.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arrow {
    /// The area.
    pub area: String,
    /// The box.
    pub to: String,
    /// Its line, from the area to the box.
    pub line: [Point; 2],
    /// The kinds of pieces that may pass.
    pub who: Vec<String>,
}

/// A route through several areas.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trail {
    /// Its name.
    pub name: String,
    /// The area or box where it starts.
    pub from: String,
    /// The areas, in order.
    pub areas: Vec<String>,
    /// A point in each of them.
    pub stops: Vec<Point>,
    /// The whole line.
    pub line: Vec<Point>,
}

impl Shapes {
    /// Parses the drawing from a data file.
    ///
    /// # Errors
    ///
    /// Returns the errors of serde if the text is not such a file. [`Shapes::faults`] checks the
    /// numbers in it.
    pub fn parse(text: &str) -> Result<Shapes, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Parses the drawing from a data file that is part of the program.
    ///
    /// # Panics
    ///
    /// Panics if the text is not such a file. The tests of every game parse its file.
    pub fn built_in(text: &str) -> Shapes {
        Shapes::parse(text).expect("the tests of every game parse this very text")
    }

    /// Returns all faces, in the order in which they are drawn.
    pub fn faces(&self) -> impl Iterator<Item = &Face> {
        self.beside.iter().chain(&self.gaps).chain(&self.areas)
    }

    /// Returns the area or box with this id or name.
    pub fn face(&self, called: &str) -> Option<&Face> {
        let all = || self.areas.iter().chain(&self.beside);
        all().find(|face| face.id == called).or_else(|| all().find(|face| face.name == called))
    }

    /// Returns the kind of piece with this id.
    pub fn kind(&self, id: &str) -> Option<&PieceKind> {
        self.kinds.iter().find(|kind| kind.id == id)
    }

    /// Returns the outline of a face; its first point is not repeated at the end.
    pub fn outline(&self, face: &Face) -> Vec<Point> {
        if face.ring.is_empty() {
            return face.corners.clone();
        }
        let mut points = Vec::new();
        for &signed in &face.ring {
            let arc = usize::try_from(signed.unsigned_abs()).ok().and_then(|at| self.arcs.get(at.checked_sub(1)?));
            let Some(arc) = arc else { continue };
            let (first, last) = (0, arc.points.len().saturating_sub(1));
            // The last point is the first point of the next arc.
            match signed > 0 {
                true => points.extend(&arc.points[first..last]),
                false => points.extend(arc.points[first + 1..].iter().rev()),
            }
        }
        points
    }

    /// Returns the sorted pairs of faces that share a line, each once.
    pub fn borders<'s>(&'s self) -> Vec<[&'s str; 2]> {
        let pair = |arc: &'s Arc| match arc.between.as_slice() {
            [a, b] => Some(ordered(a, b)),
            _ => None,
        };
        let mut pairs: Vec<[&str; 2]> = self.arcs.iter().filter_map(pair).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Returns the pairs of areas that are adjacent in the drawing: they share a line, or touch at
    /// a [`Corner`].
    pub fn adjacent(&self) -> Vec<[&str; 2]> {
        let is_area = |id: &str| self.areas.iter().any(|area| area.id == id);
        let mut pairs: Vec<[&str; 2]> = self.borders().into_iter().filter(|[a, b]| is_area(a) && is_area(b)).collect();
        for [a, b] in self.corners.iter().flat_map(|corner| &corner.pairs) {
            pairs.push(ordered(a, b));
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Returns `true` if a point is inside an outline.
    pub fn within(outline: &[Point], [x, y]: Point) -> bool {
        let next = outline.iter().cycle().skip(1);
        let crossed = outline.iter().zip(next).filter(|&(&[ax, ay], &[bx, by])| {
            if (ay > y) == (by > y) {
                return false;
            }
            // The x coordinate of the side at this height, times `by - ay`.
            let (left, right) = (i64::from(x - ax) * i64::from(by - ay), i64::from(bx - ax) * i64::from(y - ay));
            if by > ay { left < right } else { left > right }
        });
        crossed.count() % 2 == 1
    }

    /// Returns the errors in the numbers and names of the file, in words.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for face in self.faces() {
            let id = &face.id;
            let outline = self.outline(face);
            if outline.len() < 3 || face.ring.is_empty() == face.corners.is_empty() {
                faults.push(format!("{id} has no outline, or two"));
            }
            if !self.roles.iter().any(|role| role.id == face.role) {
                faults.push(format!("{id}: there is no role \"{}\"", face.role));
            }
            faults.extend(self.ring_faults(face));
            if let Some(at) = face.label.filter(|&at| !Shapes::within(&outline, at)) {
                faults.push(format!("the name of {id} at {at:?} lies outside it"));
            }
            if let Some([x, y, w, h]) = face.rect {
                let ends = [[x, y], [x + w, y], [x, y + h], [x + w, y + h]];
                if w < 20 || h < 20 || ends.iter().any(|&end| !Shapes::within(&outline, end)) {
                    faults.push(format!("the room for pieces of {id} is too small or lies outside it"));
                }
            }
        }
        let known = |id: &str| self.areas.iter().chain(&self.beside).any(|face| face.id == id);
        for arrow in &self.arrows {
            let who = arrow.who.iter().filter(|id| self.kind(id).is_none());
            faults.extend(who.map(|id| format!("an arrow of {} names the kind \"{id}\"", arrow.area)));
            if !known(&arrow.area) || !known(&arrow.to) {
                faults.push(format!("an arrow leads from {} to {}", arrow.area, arrow.to));
            }
        }
        for trail in &self.trails {
            let inside = trail
                .areas
                .iter()
                .zip(&trail.stops)
                .all(|(id, &stop)| self.face(id).is_some_and(|face| Shapes::within(&self.outline(face), stop)));
            if !inside || trail.areas.len() != trail.stops.len() || !known(&trail.from) {
                faults.push(format!("the stops of the {} do not lie in its areas", trail.name));
            }
        }
        for town in &self.towns {
            let inside = self.face(&town.area).is_some_and(|face| Shapes::within(&self.outline(face), town.at));
            if !inside {
                faults.push(format!("{} does not lie in {}", town.name, town.area));
            }
        }
        for (at, kind) in self.kinds.iter().enumerate() {
            let letters = |kind: &PieceKind| kind.sample.chars().filter(|c| c.is_alphabetic()).collect::<String>();
            let like = |other: &&PieceKind| other.figure == kind.figure && letters(other) == letters(kind);
            faults.extend(
                self.kinds[..at].iter().filter(like).map(|other| format!("{} looks like {}", kind.id, other.id)),
            );
        }
        faults
    }

    /// Returns the errors of a ring: arcs that do not exist, do not border the face, or do not
    /// meet.
    fn ring_faults(&self, face: &Face) -> Vec<String> {
        let ends = |signed: &i32| {
            let arc = self.arcs.get(usize::try_from(signed.unsigned_abs()).ok()?.checked_sub(1)?)?;
            let (first, last) = (*arc.points.first()?, *arc.points.last()?);
            arc.between.contains(&face.id).then_some(if *signed > 0 { [first, last] } else { [last, first] })
        };
        let Some(ends) = face.ring.iter().map(ends).collect::<Option<Vec<_>>>() else {
            return vec![format!("the ring of {} names a line that is not beside it", face.id)];
        };
        let meet = ends.iter().zip(ends.iter().cycle().skip(1)).all(|([_, end], [begin, _])| end == begin);
        if meet { Vec::new() } else { vec![format!("the ring of {} is not closed", face.id)] }
    }
}

fn ordered<'s>(a: &'s str, b: &'s str) -> [&'s str; 2] {
    if a < b { [a, b] } else { [b, a] }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two adjacent squares and a box.
    const TWO: &str = r##"{
        "about": "a test", "size": [30, 10],
        "roles": [{"id": "land", "name": "land", "fill": "#eeeeee"}],
        "kinds": [{"id": "man", "name": "Man", "figure": "round", "fill": "#111111", "ink": "#ffffff", "sample": "1M"}],
        "areas": [
            {"id": "a", "name": "Alpha", "abbr": "A", "role": "land", "ring": [1, 2]},
            {"id": "b", "name": "Beta", "abbr": "B", "role": "land", "ring": [3, -2]}
        ],
        "beside": [{"id": "c", "name": "Box", "abbr": "C", "role": "land", "corners": [[25, 0], [30, 0], [30, 10]]}],
        "arrows": [{"area": "b", "to": "c", "line": [[18, 5], [26, 5]], "who": ["man"]}],
        "arcs": [
            {"between": ["a"], "points": [[10, 0], [0, 0], [0, 10], [10, 10]]},
            {"between": ["a", "b"], "points": [[10, 10], [10, 0]]},
            {"between": ["b"], "points": [[10, 10], [20, 10], [20, 0], [10, 0]]}
        ]
    }"##;

    #[test]
    fn outlines_are_made_of_shared_lines() {
        let shapes = Shapes::parse(TWO).expect("a drawing");
        assert_eq!(shapes.outline(&shapes.areas[0]), [[10, 0], [0, 0], [0, 10], [10, 10]]);
        assert_eq!(shapes.borders(), [["a", "b"]]);
        assert_eq!(shapes.face("Beta").map(|face| face.id.as_str()), Some("b"));
        let outline = shapes.outline(&shapes.areas[0]);
        assert!(Shapes::within(&outline, [5, 5]) && !Shapes::within(&outline, [15, 5]));
    }

    #[test]
    fn faults_of_a_drawing_are_said() {
        let wrong = |from: &str, to: &str| {
            let text = TWO.replacen(from, to, 1);
            assert_ne!(text, TWO);
            Shapes::parse(&text).expect("a drawing").faults().join("; ")
        };
        assert!(wrong("[1, 2]", "[1, 3]").contains("the ring of a names a line that is not beside it"));
        assert!(wrong("[3, -2]", "[3, 2]").contains("the ring of b is not closed"));
        assert!(wrong("\"who\": [\"man\"]", "\"who\": [\"dog\"]").contains("the kind \"dog\""));
        assert!(
            wrong("\"role\": \"land\", \"ring\": [1", "\"role\": \"sea\", \"ring\": [1").contains("no role \"sea\"")
        );
    }
}
