//! The drawing of a map, as a data file has it.

use serde::Deserialize;

/// A place on the drawing, in its units: x to the right, y down.
pub type Point = [i32; 2];

/// The drawing of a map: JSON in a game's folder. `docs/maps.md` explains the file for whoever makes one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shapes {
    /// Where the drawing comes from.
    pub about: String,
    /// Its width and height.
    pub size: Point,
    /// What the ground of an area can be.
    pub roles: Vec<Role>,
    /// What can lie on the map, in the order of its key.
    pub kinds: Vec<PieceKind>,
    /// The areas of the rules.
    pub areas: Vec<Face>,
    /// What lies beside them, boxes and the land around.
    #[serde(default)]
    pub beside: Vec<Face>,
    /// Ground that is no area: nobody passes.
    #[serde(default)]
    pub gaps: Vec<Face>,
    /// Where areas touch in one point only and are adjacent all the same.
    #[serde(default)]
    pub corners: Vec<Corner>,
    /// The railroad.
    #[serde(default)]
    pub track: Option<Track>,
    /// Ways between an area and a box beside the map.
    #[serde(default)]
    pub arrows: Vec<Arrow>,
    /// Ways through several areas.
    #[serde(default)]
    pub trails: Vec<Trail>,
    /// Rivers.
    #[serde(default)]
    pub rivers: Vec<River>,
    /// Towns and other places that stay.
    #[serde(default)]
    pub towns: Vec<Town>,
    /// The lines of which outlines are made.
    pub arcs: Vec<Arc>,
}

/// What the ground of an area can be.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Role {
    /// The name in the file.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// Its colour, `#rrggbb`.
    pub fill: String,
}

/// A kind of piece. No two kinds of a map share both their figure and the letters on them, so that nobody needs colours.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PieceKind {
    /// The name in the file and in a [`Scene`](super::Scene).
    pub id: String,
    /// The name for people.
    pub name: String,
    /// Its outline.
    pub figure: Figure,
    /// Its colour, `#rrggbb`; a bare figure has none.
    #[serde(default)]
    pub fill: String,
    /// The colour of what is written on it.
    pub ink: String,
    /// What stands on it in the map's key.
    pub sample: String,
    /// What stands before it on a map of letters, where there are no outlines.
    #[serde(default)]
    pub mark: String,
}

/// The outline of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Figure {
    /// No outline: writing alone.
    Bare,
    /// A square.
    Square,
    /// A square on a thick foot.
    Fort,
    /// With a roof.
    House,
    /// With sides that lean together.
    Tent,
    /// With points at both sides.
    Point,
    /// With round sides.
    Round,
    /// With notches at both sides, as of a flag.
    Star,
}

/// Something with an outline: an area, a box, a gap.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Face {
    /// What views and orders call it.
    pub id: String,
    /// Its name.
    pub name: String,
    /// A short name, for little room; the id where there is no other.
    pub abbr: String,
    /// The id of its [`Role`].
    pub role: String,
    /// Its outline by arcs, counted from 1, each from its end where the last one ended; a negative one runs backwards.
    #[serde(default)]
    pub ring: Vec<i32>,
    /// Its outline by points, where it shares no line with others.
    #[serde(default)]
    pub corners: Vec<Point>,
    /// The middle of its name.
    #[serde(default)]
    pub label: Option<Point>,
    /// How wide the name may be.
    #[serde(default)]
    pub room: i32,
    /// Room for pieces: left, top, width, height.
    #[serde(default)]
    pub rect: Option<[i32; 4]>,
    /// Where its name stands in small letters, if its label has room for the id alone.
    #[serde(default)]
    pub aside: Option<Aside>,
}

/// A name in small letters.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aside {
    /// The middle of it.
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
    /// Its lines, each downstream.
    pub lines: Vec<Vec<Point>>,
    /// Whether it is a great one, which areas lie at both sides of.
    #[serde(default)]
    pub wide: bool,
}

/// A town, a fort or the like, printed on the map.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Town {
    /// Its name.
    pub name: String,
    /// The area.
    pub area: String,
    /// Where it is.
    pub at: Point,
}

/// A line of which outlines are made.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arc {
    /// The one or two faces beside it.
    pub between: Vec<String>,
    /// Its points, two or more.
    pub points: Vec<Point>,
}

/// A point at which areas are adjacent crosswise.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Corner {
    /// Where it is.
    pub at: Point,
    /// The areas that touch there and nowhere else.
    pub pairs: Vec<[String; 2]>,
}

/// The railroad: spaces in a row.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Track {
    /// Its name.
    pub name: String,
    /// How wide and high a space is.
    pub side: i32,
    /// The spaces in order.
    pub spaces: Vec<Space>,
}

/// A space of a [`Track`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Space {
    /// Its name.
    pub id: String,
    /// Its middle.
    pub at: Point,
}

/// A way between an area and a box beside the map.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arrow {
    /// The area.
    pub area: String,
    /// The box.
    pub to: String,
    /// From the area to the box.
    pub line: [Point; 2],
    /// The kinds of pieces that may pass.
    pub who: Vec<String>,
}

/// A way through several areas.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trail {
    /// Its name.
    pub name: String,
    /// The area or box from which it leads.
    pub from: String,
    /// The areas in order.
    pub areas: Vec<String>,
    /// A point in each of them.
    pub stops: Vec<Point>,
    /// The whole line.
    pub line: Vec<Point>,
}

impl Shapes {
    /// The drawing of a data file.
    ///
    /// # Errors
    /// Those of serde, where the text is no such file. What the numbers in it must be, [`Shapes::faults`] says.
    pub fn parse(text: &str) -> Result<Shapes, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The drawing of a data file that is part of the program. The tests of every game read theirs.
    pub fn built_in(text: &str) -> Shapes {
        Shapes::parse(text).expect("the tests of every game parse this very text")
    }

    /// Everything with an outline, in the order in which it is drawn.
    pub fn faces(&self) -> impl Iterator<Item = &Face> {
        self.beside.iter().chain(&self.gaps).chain(&self.areas)
    }

    /// An area or box by its id or its name.
    pub fn face(&self, called: &str) -> Option<&Face> {
        let all = || self.areas.iter().chain(&self.beside);
        all().find(|face| face.id == called).or_else(|| all().find(|face| face.name == called))
    }

    /// A kind of piece.
    pub fn kind(&self, id: &str) -> Option<&PieceKind> {
        self.kinds.iter().find(|kind| kind.id == id)
    }

    /// The outline of a face, without its first point again at the end.
    pub fn outline(&self, face: &Face) -> Vec<Point> {
        if face.ring.is_empty() {
            return face.corners.clone();
        }
        let mut points = Vec::new();
        for &signed in &face.ring {
            let arc = usize::try_from(signed.unsigned_abs()).ok().and_then(|at| self.arcs.get(at.checked_sub(1)?));
            let Some(arc) = arc else { continue };
            let (first, last) = (0, arc.points.len().saturating_sub(1));
            // The last point is the first one of the next arc.
            match signed > 0 {
                true => points.extend(&arc.points[first..last]),
                false => points.extend(arc.points[first + 1..].iter().rev()),
            }
        }
        points
    }

    /// The pairs of faces that share a line, each once and in the order of their ids.
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

    /// The pairs of areas that are adjacent by the drawing: they share a line, or touch at a [`Corner`].
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

    /// Whether a point lies within an outline.
    pub fn within(outline: &[Point], [x, y]: Point) -> bool {
        let next = outline.iter().cycle().skip(1);
        let crossed = outline.iter().zip(next).filter(|&(&[ax, ay], &[bx, by])| {
            if (ay > y) == (by > y) {
                return false;
            }
            // x of the side at this height, times by - ay.
            let (left, right) = (i64::from(x - ax) * i64::from(by - ay), i64::from(bx - ax) * i64::from(y - ay));
            if by > ay { left < right } else { left > right }
        });
        crossed.count() % 2 == 1
    }

    /// What is wrong with the numbers and names of the file, in words; nothing in a good one.
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

    /// What is wrong with a ring: arcs that are not there, lie elsewhere, or do not meet.
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

    /// Two squares side by side, and a box.
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
