//! A position as a drawing.

use super::{
    canvas::{At, BLACK, Canvas, Ink, escaped},
    counters, ground, key, text, ways,
};
use postrider_table::map::{Change, Compared, Face, GameMap, Marked, Point, Shapes, Way};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Height of the heading above the map, in units of the drawing.
const HEADING: f64 = 46.0;

/// The map of a game at one time, as seen by a seat or a spectator.
///
/// ```
/// use postrider_drawing::{Picture, png};
/// let map = postrider_games::rulesets()[0].map().expect("it is drawn");
/// let picture = Picture::of(map, "A game", &serde_json::json!({}), None);
/// assert!(picture.svg().starts_with("<svg "));
/// assert!(picture.text().lines().all(|line| line.chars().count() <= 76));
/// assert!(png(&picture.svg(), 360).is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    shapes: &'static Shapes,
    title: String,
    compared: Compared,
    /// The map as text, if the game draws it itself; otherwise empty.
    lines: Vec<String>,
    /// The relevant part, if the whole drawing is too large for a letter.
    part: Option<[i32; 4]>,
    /// The effects of orders.
    ways: Vec<Way>,
}

/// The varying parts of a drawing, by which a page shows several positions of a game on one
/// drawing.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// SVG by the `data-part` of the element that contains it.
    pub parts: BTreeMap<String, String>,
    /// The letters whose outlines it uses.
    pub letters: BTreeSet<char>,
}

impl Picture {
    /// Creates a picture of a view. Changes since `earlier`, a view of the same seat, are marked.
    pub fn of(map: &'static GameMap, title: &str, view: &Value, earlier: Option<&Value>) -> Picture {
        let shapes: &'static Shapes = &map.shapes;
        let earlier = earlier.map(|view| map.scene(view));
        let id = |at: &str| shapes.face(at).map(|face| face.id.clone());
        let compared = map.scene(view).since(earlier.as_ref(), id);
        let title = match compared.moment.as_str() {
            "" => title.to_owned(),
            moment => format!("{title}: {moment}"),
        };
        Picture { shapes, title, compared, lines: (map.lines)(view), part: (map.part)(view), ways: Vec::new() }
    }

    /// Creates a picture like [`Picture::of`], using the drawing that the view selects. Changes are
    /// not marked if the earlier view selects another drawing.
    pub fn shown(map: &'static GameMap, title: &str, view: &Value, earlier: Option<&Value>) -> Picture {
        let now = map.shown(view);
        Picture::of(now, title, view, earlier.filter(|view| std::ptr::eq(now, map.shown(view))))
    }

    /// Draws the effects of orders: an arrow for a move, a dashed line for fire, a red arrow for an
    /// attack.
    ///
    /// The relevant part is moved to contain them. Places that are not in the drawing are ignored.
    #[must_use]
    pub fn with_ways(mut self, ways: Vec<Way>) -> Picture {
        self.ways = ways;
        let points: Vec<Point> = self.ways.iter().flat_map(|way| ways::points(self.shapes, way)).collect();
        if let (Some(part), Some(around)) = (self.part, ways::bounds(&points)) {
            self.part = Some(ways::part(part, around, self.shapes.size));
        }
        self
    }

    /// Returns `true` if another picture uses the same drawing.
    pub fn is_alike(&self, other: &Picture) -> bool {
        std::ptr::eq(self.shapes, other.shapes)
    }

    /// Returns the title: the game and the time.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the drawing as self-contained SVG, without external fonts, scripts or links.
    pub fn svg(&self) -> String {
        self.svg_with(&BTreeSet::new())
    }

    /// Returns the drawing with the outlines of further letters, for a page that inserts the
    /// [parts](Picture::parts) of other positions.
    pub fn svg_with(&self, letters: &BTreeSet<char>) -> String {
        self.drawn([0, 0, self.shapes.size[0], self.shapes.size[1]], letters)
    }

    /// Returns the relevant part, for a letter in which the whole would be too small, or `None` if
    /// the whole is small enough.
    pub fn part(&self) -> Option<String> {
        self.part.map(|part| self.drawn(part, &BTreeSet::new()))
    }

    /// Draws a rectangle of the drawing: left, top, width, height.
    fn drawn(&self, part: [i32; 4], letters: &BTreeSet<char>) -> String {
        let [x, y, wide, high] = part.map(f64::from);
        let mut canvas = Canvas::default();
        canvas.need(letters);
        let ground_high = high + HEADING;
        let key = key::Key::of(self.shapes, self.compared.compared, wide);
        let whole = ground_high + key.high();
        canvas.rect([0.0, 0.0, wide, whole], 0.0, "fill=\"#ffffff\"");
        canvas.raw("<g data-part=\"title\">");
        self.heading(&mut canvas, wide);
        canvas.raw("</g>");
        let is_whole = self.shapes.size == [part[2], part[3]];
        match is_whole {
            true => canvas.raw(&format!("<g transform=\"translate(0 {HEADING})\">")),
            // The nested `svg` element clips everything outside.
            false => canvas.raw(&format!(
                "<svg x=\"0\" y=\"{HEADING}\" width=\"{wide}\" height=\"{high}\" viewBox=\"{x} {y} {wide} {high}\">"
            )),
        }
        let shown = |face: &Face| is_whole || self.shapes.outline(face).iter().any(|&point| within(part, point));
        ground::draw(&mut canvas, self.shapes, &self.compared, shown);
        for face in self.places().filter(|face| shown(face)) {
            let (id, name) = (escaped(&face.id), escaped(&face.name));
            canvas.raw(&format!("<g class=\"place\" data-part=\"at:{id}\" data-at=\"{id}\" data-name=\"{name}\">"));
            self.place(&mut canvas, face);
            canvas.raw("</g>");
        }
        for way in &self.ways {
            ways::draw(&mut canvas, self.shapes, way);
        }
        canvas.raw(if is_whole { "</g>" } else { "</svg>" });
        canvas.raw(&format!("<g transform=\"translate(0 {ground_high})\">"));
        key.draw(&mut canvas);
        canvas.raw("</g>");
        canvas.svg([wide, whole], &self.title, &self.words().join(" "))
    }

    /// Returns the parts that differ between positions of the same game: the contents of all
    /// elements with `data-part`.
    pub fn parts(&self) -> Parts {
        let mut all = Parts::default();
        let mut add = |name: String, draw: &dyn Fn(&mut Canvas)| {
            let mut canvas = Canvas::default();
            draw(&mut canvas);
            let (svg, letters) = canvas.into_parts();
            all.letters.extend(letters);
            all.parts.insert(name, svg);
        };
        let wide = f64::from(self.shapes.size[0]);
        add("title".to_owned(), &|canvas| self.heading(canvas, wide));
        add("track".to_owned(), &|canvas| ground::rails(canvas, self.shapes, &self.compared));
        for face in self.places() {
            add(format!("at:{}", face.id), &|canvas| self.place(canvas, face));
        }
        all
    }

    /// Draws the title, in smaller letters if it is long.
    fn heading(&self, canvas: &mut Canvas, wide: f64) {
        let room = wide - 24.0;
        let size = (26.0 * room / super::font::width(&self.title, 26.0).max(1.0)).clamp(10.0, 26.0);
        canvas.text((12.0, HEADING / 2.0), At::Left, &self.title, Ink { size, colour: BLACK, rim: "" });
    }

    /// Draws a place: its name, its pieces, and a description.
    fn place(&self, canvas: &mut Canvas, face: &Face) {
        canvas.raw(&format!("<title>{}</title>", escaped(&self.place_words(face))));
        if let Some(room) = face.rect {
            // Makes the whole rectangle react to a pointer.
            canvas.rect(room.map(f64::from), 0.0, "fill=\"none\" pointer-events=\"all\"");
        }
        ground::label(canvas, face, !self.is_beside(face));
        ground::aside(canvas, face);
        if let Some(room) = ground::room(face) {
            counters::draw(canvas, self.shapes, self.pieces(&face.id), room);
        }
    }

    fn places(&self) -> impl Iterator<Item = &'static Face> {
        self.shapes.areas.iter().chain(&self.shapes.beside)
    }

    /// Returns the map as text with at most 76 columns.
    pub fn text(&self) -> String {
        match self.lines.as_slice() {
            [] => text::draw(self.shapes, &self.compared, &self.title),
            lines => format!("{}\n\n{}\n", self.title, lines.join("\n")),
        }
    }

    /// Returns one sentence for each place with pieces, in the order of the data file.
    pub fn words(&self) -> Vec<String> {
        let told = self.places().filter(|face| !self.pieces(&face.id).is_empty());
        told.map(|face| format!("{}.", self.place_words(face))).collect()
    }

    /// Returns one sentence for each place with changes.
    pub fn news(&self) -> Vec<String> {
        let mut news = Vec::new();
        for face in self.places() {
            let changed = self.pieces(&face.id).iter().filter(|marked| marked.change != Change::Same);
            let changed: Vec<String> = changed.map(Marked::words).collect();
            if !changed.is_empty() {
                news.push(format!("{}: {}.", face.name, changed.join(", ")));
            }
        }
        let built: Vec<&str> = self.compared.built.iter().filter(|(_, new)| **new).map(|(id, _)| id.as_str()).collect();
        if let (Some(track), false) = (&self.shapes.track, built.is_empty()) {
            news.push(format!("{}: {} built.", track.name, built.join(", ")));
        }
        news
    }

    fn pieces(&self, id: &str) -> &[Marked] {
        self.compared.places.get(id).map_or(&[], Vec::as_slice)
    }

    /// Describes a place: `Cheyenne (N4), held by US: 3 Green, 2 Blue (new)`.
    fn place_words(&self, face: &Face) -> String {
        let id = if face.abbr == face.id || self.is_beside(face) { String::new() } else { format!(" ({})", face.id) };
        let says = self.compared.says.get(&face.id).map(|says| format!(", {says}")).unwrap_or_default();
        let pieces: Vec<String> = self.pieces(&face.id).iter().map(Marked::words).collect();
        let pieces = if pieces.is_empty() { "nothing".to_owned() } else { pieces.join(", ") };
        format!("{}{id}{says}: {pieces}", face.name)
    }

    fn is_beside(&self, face: &Face) -> bool {
        self.shapes.beside.iter().any(|other| other.id == face.id)
    }
}

/// Returns `true` if a point is within a rectangle: left, top, width, height.
fn within([left, top, wide, high]: [i32; 4], [x, y]: Point) -> bool {
    (left..left + wide).contains(&x) && (top..top + high).contains(&y)
}
