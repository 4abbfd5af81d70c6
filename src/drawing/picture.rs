//! A position as a drawing.

use super::{
    canvas::{At, BLACK, Canvas, Ink, escaped},
    counters, ground, key, text, ways,
};
use postrider_table::map::{Change, Compared, Face, GameMap, Marked, Point, Shapes, Way};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// How high the heading above the map is, in units of the drawing.
const HEADING: f64 = 46.0;

/// The map of a game at one moment, as a seat or a spectator may see it.
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
    /// The map in letters, where the game draws it itself.
    lines: Vec<String>,
    /// The part that matters, where the whole is too large for a letter.
    part: Option<[i32; 4]>,
    /// What orders would do.
    ways: Vec<Way>,
}

/// What a page needs to show several moments of a game on one drawing.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// SVG by the `data-part` of the element that it stands in.
    pub parts: BTreeMap<String, String>,
    /// The letters whose outlines it needs.
    pub letters: BTreeSet<char>,
}

impl Picture {
    /// What a view shows, under a title, with what has changed since an earlier view of the same seat.
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

    /// The same on the drawing that shows what the view is about just then; an earlier view of another drawing marks nothing.
    pub fn shown(map: &'static GameMap, title: &str, view: &Value, earlier: Option<&Value>) -> Picture {
        let now = map.shown(view);
        Picture::of(now, title, view, earlier.filter(|view| std::ptr::eq(now, map.shown(view))))
    }

    /// The same with what orders would do drawn over it: an arrow where somebody goes, a dashed line where he fires, a red arrow where he
    /// attacks. The part that matters is where they are. Places that the drawing does not have are passed over.
    #[must_use]
    pub fn with_ways(mut self, ways: Vec<Way>) -> Picture {
        self.ways = ways;
        let points: Vec<Point> = self.ways.iter().flat_map(|way| ways::points(self.shapes, way)).collect();
        if let (Some(part), Some(around)) = (self.part, ways::bounds(&points)) {
            self.part = Some(ways::part(part, around, self.shapes.size));
        }
        self
    }

    /// Whether another picture is of the same drawing.
    pub fn is_alike(&self, other: &Picture) -> bool {
        std::ptr::eq(self.shapes, other.shapes)
    }

    /// What it is called: the game and the moment.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The drawing as SVG, without anything from outside: no font, no script, no link.
    pub fn svg(&self) -> String {
        self.svg_with(&BTreeSet::new())
    }

    /// The same with the outlines of more letters, for a page that puts the [parts](Picture::parts) of other moments into it.
    pub fn svg_with(&self, letters: &BTreeSet<char>) -> String {
        self.drawn([0, 0, self.shapes.size[0], self.shapes.size[1]], letters)
    }

    /// The part that matters at this moment, for a letter in which the whole would be too small; `None` where the whole is not.
    pub fn part(&self) -> Option<String> {
        self.part.map(|part| self.drawn(part, &BTreeSet::new()))
    }

    /// What lies within a rectangle of the drawing: left, top, width, height.
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
            // What lies beyond is cut off.
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

    /// What differs between two moments of the same game: what stands in the elements of the drawing that have a `data-part`.
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

    /// The title, in smaller letters where it is long.
    fn heading(&self, canvas: &mut Canvas, wide: f64) {
        let room = wide - 24.0;
        let size = (26.0 * room / super::font::width(&self.title, 26.0).max(1.0)).clamp(10.0, 26.0);
        canvas.text((12.0, HEADING / 2.0), At::Left, &self.title, Ink { size, colour: BLACK, rim: "" });
    }

    /// A place: its name, what lies there, and both in words.
    fn place(&self, canvas: &mut Canvas, face: &Face) {
        canvas.raw(&format!("<title>{}</title>", escaped(&self.place_words(face))));
        if let Some(room) = face.rect {
            // What lies under the finger of whoever points at a place.
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

    /// The map as text of at most 76 columns.
    pub fn text(&self) -> String {
        match self.lines.as_slice() {
            [] => text::draw(self.shapes, &self.compared, &self.title),
            lines => format!("{}\n\n{}\n", self.title, lines.join("\n")),
        }
    }

    /// What lies where, a sentence for each place where something lies, in the order of the data file.
    pub fn words(&self) -> Vec<String> {
        let told = self.places().filter(|face| !self.pieces(&face.id).is_empty());
        told.map(|face| format!("{}.", self.place_words(face))).collect()
    }

    /// What has changed, a sentence for each place.
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

    /// `Cheyenne (N4), held by US: 3 Green, 2 Blue (new)`.
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

/// Whether a point lies within a rectangle: left, top, width, height.
fn within([left, top, wide, high]: [i32; 4], [x, y]: Point) -> bool {
    (left..left + wide).contains(&x) && (top..top + high).contains(&y)
}
