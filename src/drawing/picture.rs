//! A position as a drawing.

use super::{
    canvas::{At, Canvas, Ink, escaped},
    counters, ground, key, text,
};
use crate::table::map::{Compared, Face, GameMap, Marked, Shapes};
use serde_json::Value;

/// The colour of writing.
pub(super) const BLACK: &str = "#1c1c1c";

/// How high the heading above the map is, in units of the drawing.
const HEADING: f64 = 46.0;

/// The map of a game at one moment, as a seat or a spectator may see it.
///
/// ```
/// use postrider::{drawing::Picture, replay::Catalog, table::map::Scene};
/// let catalog = Catalog::released();
/// let map = catalog.ruleset("geronimo").and_then(|rules| rules.map()).expect("it has one");
/// let view = serde_json::json!({ "areas": [{ "code": "UT", "name": "Utah", "points": 3, "level": 19 }] });
/// let picture = Picture::of(map, "Geronimo!", &view, None);
/// assert!(picture.svg().contains("<title>Utah: 3 of 19 Resource Points</title>"));
/// assert!(picture.text().lines().all(|line| line.chars().count() <= 76));
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    shapes: &'static Shapes,
    title: String,
    compared: Compared,
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
        Picture { shapes, title, compared }
    }

    /// What it is called: the game and the moment.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The drawing as SVG, without anything from outside: no font, no script, no link.
    pub fn svg(&self) -> String {
        let [wide, high] = self.shapes.size.map(f64::from);
        let mut canvas = Canvas::default();
        let ground_high = high + HEADING;
        let key = key::Key::of(self.shapes, self.compared.compared, wide);
        let whole = ground_high + key.high();
        canvas.rect([0.0, 0.0, wide, whole], 0.0, "fill=\"#ffffff\"");
        // A long title gets smaller letters.
        let size = (26.0 * (wide - 24.0) / super::font::width(&self.title, 26.0)).clamp(10.0, 26.0);
        canvas.text((12.0, HEADING / 2.0), At::Left, &self.title, Ink { size, colour: BLACK, rim: "" });
        canvas.raw(&format!("<g transform=\"translate(0 {HEADING})\">"));
        ground::draw(&mut canvas, self.shapes, &self.compared);
        for face in self.shapes.areas.iter().chain(&self.shapes.beside) {
            let title = escaped(&self.place_words(face));
            canvas.raw(&format!("<g class=\"place\" data-at=\"{}\"><title>{title}</title>", escaped(&face.id)));
            ground::label(&mut canvas, face, !self.is_beside(face));
            let pieces = self.pieces(&face.id);
            if let Some(room) = face.rect {
                counters::draw(&mut canvas, self.shapes, pieces, room.map(f64::from));
            }
            canvas.raw("</g>");
        }
        canvas.raw("</g>");
        canvas.raw(&format!("<g transform=\"translate(0 {ground_high})\">"));
        key.draw(&mut canvas);
        canvas.raw("</g>");
        canvas.svg([wide, whole], &self.title, &self.words().join(" "))
    }

    /// The map as text of at most 76 columns.
    pub fn text(&self) -> String {
        text::draw(self.shapes, &self.compared, &self.title)
    }

    /// What lies where, a sentence for each place where something lies, in the order of the data file.
    pub fn words(&self) -> Vec<String> {
        let places = self.shapes.areas.iter().chain(&self.shapes.beside);
        let told = places.filter(|face| !self.pieces(&face.id).is_empty());
        told.map(|face| format!("{}.", self.place_words(face))).collect()
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
